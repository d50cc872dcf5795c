/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of the parser. It reads tokens from the first to the last, once, by
 * recursive descent:
 *
 *     parser.c         the unit: functions, constants, and whether start, step and finish are there
 *     cursor.c         the next token, memory, and how the parser stops
 *     declarations.c  types as they are written, structures, enumerations, declarators, initial values
 *     statements.c    statements
 *     expressions.c   operators by their precedence, and what may be written of each
 *     calls.c         calls of functions, and what is given to their parameters
 *     tree.c         nodes of expressions: their types and conversions
 *     folding.c     values of constant expressions
 *     types.c         types
 *     names.c         names, scopes, and words that mean something in all code
 *     literals.c       literals
 *     questions.c      what products ask models
 *
 * A refusal ends the parser at once: bly_stop does not return, so that no function here has to pass errors
 * on. All memory is the unit's arena, so nothing is lost.
 */
#ifndef BLY_PARSER_H
#define BLY_PARSER_H

#include "tokens.h"

#include <setjmp.h>

/* ---- Names (names.c) ----------------------------------------------------------------------------- */

/* The meaning of a name in all code. */
enum bly_word {
    BLY_WORD_FREE,
    BLY_WORD_KEYWORD,  /* if, for, struct, ...: in statements and declarations by its letters */
    BLY_WORD_TYPE,     /* real, int, params, ...: `type` of bly_name */
    BLY_WORD_SIZE,     /* DIMS, STEPS, LEVELS */
    BLY_WORD_LIBRARY,  /* exp, ...: `library` of bly_name */
    BLY_WORD_PATH,     /* at, time */
    BLY_WORD_QUESTION, /* price, ...: in a product, `question` of bly_name */
    BLY_WORD_REFUSED   /* `advice` says why, or what to write instead */
};

enum bly_symbol_kind {
    BLY_SYMBOL_VARIABLE,
    BLY_SYMBOL_TYPE,
    BLY_SYMBOL_NUMBER, /* of an enumeration */
    BLY_SYMBOL_FUNCTION
};

/* The meaning that a declaration gives to a name, or to a tag of struct and enum, until its scope ends. */
struct bly_symbol {
    enum bly_symbol_kind kind;
    struct bly_variable *variable;
    const struct bly_type *type;
    int64_t number;
    struct bly_function *function; /* NULL: it was declared, and not defined so far */
    struct bly_place place;
    uint32_t scope;           /* its depth */
    struct bly_symbol *outer; /* what the name means again afterwards */
    struct bly_name *name;
    bool is_tag;
    struct bly_symbol *before; /* declared in the same scope */
};

/* A distinct name of the code. */
struct bly_name {
    const char *text;
    enum bly_word word;
    const struct bly_type *type;
    const struct bly_library_function *library;
    const struct bly_question *question;
    const char *advice;
    struct bly_symbol *symbol, *tag; /* the innermost */
};

/* ---- The parser ---------------------------------------------------------------------------------- */

struct bly_parser {
    struct bly_unit *unit;
    const struct bly_token *token; /* the next one */
    jmp_buf out;
    bailey_status status;
    uint32_t depth; /* of what is being read */

    struct bly_name **names;                       /* [unit->name_count], those that were read so far */
    uint32_t scope;                                /* depth: 0 outside of functions */
    struct bly_symbol *scopes[BLY_MOST_DEPTH + 3]; /* the last that each declared */

    struct bly_record *params, *state, *noise; /* there whether they are declared or not */
    bool has_path;                             /* the code has `whole`: at and time are functions */

    struct bly_record **last_record;
    struct bly_variable **last_constant;
    struct bly_function **last_function;
    uint32_t record_count;
    struct bly_asking **last_asking;
    struct bly_outer **last_outer;

    struct bly_function *function;       /* that is being read; NULL outside */
    struct bly_variable **last_variable; /* of its parameters, then of its locals */
    uint32_t loops, switches;            /* around what is being read */
    uint64_t bytes;                      /* of its variables so far */
    /* The first call that writes in the expression that is being read; NULL: none. */
    const struct bly_expression *writer;
};

/* Refuses the code, and ends the parser. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
_Noreturn void
bly_stop(struct bly_parser *p, struct bly_place place, const char *format, ...);

/* Zeroed memory of the arena. */
void *bly_take(struct bly_parser *p, size_t bytes);
#define BLY_NEW(p, type) ((type *)bly_take(p, sizeof(type)))

/* Begins and ends something nested: a bracket, statement or type. */
void bly_parse_enter(struct bly_parser *p);
void bly_parse_leave(struct bly_parser *p);

/* Whether the next token is this sign or name; the end is none. */
bool bly_next_is(const struct bly_parser *p, const char *text);
/* Its place in unit->tokens. */
static inline uint32_t bly_token_number(const struct bly_parser *p) { return (uint32_t)(p->token - p->unit->tokens); }
/* Takes the next token if it is this one. */
bool bly_accept(struct bly_parser *p, const char *text);
/* Takes the next token, which must be this one. */
void bly_expect(struct bly_parser *p, const char *text);
/* The next token is a name, which `what` describes ("a name"); takes it. */
const struct bly_token *bly_expect_name(struct bly_parser *p, const char *what);

/* names.c */
void bly_names_begin(struct bly_parser *p);
struct bly_name *bly_name_of(struct bly_parser *p, const struct bly_token *token);
void bly_scope_enter(struct bly_parser *p);
void bly_scope_leave(struct bly_parser *p);
/* A new symbol of the innermost scope; refuses names that may not be declared, or are again. */
struct bly_symbol *bly_declare(struct bly_parser *p, const struct bly_token *token,
                               enum bly_symbol_kind kind);
struct bly_symbol *bly_declare_tag(struct bly_parser *p, const struct bly_token *token);
/* Refuses a name that means nothing where it stands. */
_Noreturn void bly_stop_unknown(struct bly_parser *p, const struct bly_token *token);
/* "; did you mean NAME?" in `text`, or nothing where no name is near. `near` goes over candidates. */
struct bly_near {
    const struct bly_token *token;
    const char *best;
    uint32_t distance;
};
void bly_near_try(struct bly_near *near, const char *name);
const char *bly_near_words(const struct bly_near *near, char text[100]);

/* types.c */
bool bly_type_is_number(const struct bly_type *type);
bool bly_type_is_integer(const struct bly_type *type);
bool bly_type_is_same(const struct bly_type *a, const struct bly_type *b);
/* The type in which C computes with these two numbers. */
const struct bly_type *bly_type_common(const struct bly_type *a, const struct bly_type *b);
const struct bly_type *bly_type_array(struct bly_parser *p, const struct bly_type *of, uint32_t count,
                                      struct bly_place place);
const struct bly_type *bly_type_pointer(struct bly_parser *p, const struct bly_type *of, uint32_t count,
                                        bool is_array, bool constant);
struct bly_record *bly_record_new(struct bly_parser *p, const char *name, enum bly_record_kind kind,
                                  struct bly_place place);
struct bly_field_node *bly_record_add(struct bly_parser *p, struct bly_record *record, const char *name,
                                      const struct bly_type *type, struct bly_place place);
/* Bytes and depth are known now: it has all of its fields. */
void bly_record_end(struct bly_parser *p, struct bly_record *record);
struct bly_field_node *bly_record_find(const struct bly_record *record, const struct bly_token *token);
/* As the code would say it: "const leg *", "real[3]". */
const char *bly_type_words(const struct bly_type *type, char text[120]);

/* literals.c */
struct bly_expression *bly_parse_number(struct bly_parser *p);

/* tree.c */
struct bly_expression *bly_node(struct bly_parser *p, enum bly_expression_kind kind,
                                const struct bly_type *type, const struct bly_token *at);
struct bly_expression *bly_node_of(struct bly_parser *p, enum bly_expression_kind kind,
                                   const struct bly_token *at, struct bly_expression *a,
                                   struct bly_expression *b);
void bly_node_end(struct bly_parser *p, struct bly_expression *e);
struct bly_place bly_begin_of(const struct bly_expression *e);
struct bly_expression *bly_node_integer(struct bly_parser *p, const struct bly_token *at, int64_t value);
/* Refuses what is not a number, or not an integer. */
void bly_need_number(struct bly_parser *p, const struct bly_expression *e);
void bly_need_integer(struct bly_parser *p, const struct bly_expression *e, const char *what);
/* e as another type of number, or as it is where it has that type. */
struct bly_expression *bly_convert(struct bly_parser *p, struct bly_expression *e,
                                   const struct bly_type *type);
/* e as what a variable, parameter or result of this type takes. */
struct bly_expression *bly_as_value(struct bly_parser *p, struct bly_expression *e,
                                    const struct bly_type *type);
/* e as an int that is a truth. */
struct bly_expression *bly_as_truth(struct bly_parser *p, struct bly_expression *e);
struct bly_expression *bly_node_operation(struct bly_parser *p, enum bly_expression_kind kind,
                                          const struct bly_token *at, struct bly_expression *a,
                                          struct bly_expression *b);
/* The variable that e is a part of, or NULL; whether it is so by a pointer. */
struct bly_variable *bly_root(const struct bly_expression *e, bool *by_pointer);

/* folding.c */
struct bly_value {
    double real;
    int64_t integer;
};
/* A number of one type as one of another, as CONVERT has it. */
struct bly_value bly_value_as(const struct bly_parser *p, struct bly_value value, const struct bly_type *from,
                              const struct bly_type *to);
/* The value of a constant number, in `real` or `integer` by its type; false if it is none. */
bool bly_constant_value(const struct bly_parser *p, const struct bly_expression *e, struct bly_value *value);
/* The literal that has the value of a constant; NULL if it is none. */
struct bly_expression *bly_constant_literal(struct bly_parser *p, const struct bly_expression *e);

/* questions.c */
/* After the bracket of a question's call, which has been read. */
void bly_parse_question(struct bly_parser *p, struct bly_expression *call, const struct bly_token *name);
/* Refuses a model whose answers have other parameters, or that has none. */
void bly_check_answers(struct bly_parser *p);
/* Notes that a name is that of a member. */
void bly_note_member(const struct bly_token *name, enum bly_record_kind kind);

/* expressions.c */
struct bly_expression *
bly_parse_value(struct bly_parser *p); /* whatever has a value; no comma, no assignment */
struct bly_expression *bly_parse_unary(struct bly_parser *p);
/* A whole expression, and what may be in it of calls that write. */
enum bly_writes { BLY_WRITES_NOTHING, BLY_WRITES_WHOLE };
struct bly_expression *bly_parse_whole(struct bly_parser *p, enum bly_writes writes);
void bly_check_writer(struct bly_parser *p, const struct bly_expression *whole, enum bly_writes writes);
struct bly_expression *bly_parse_condition(struct bly_parser *p);
/* A constant integer, as a size or a label; `what` it is of, in messages. */
int64_t bly_parse_constant(struct bly_parser *p, const char *what);
/* Refuses what cannot be assigned to, or written by a pointer; notes that the function writes. */
void bly_need_writable(struct bly_parser *p, const struct bly_expression *e);

/* calls.c: after the name of what is called, which is followed by a bracket. */
struct bly_expression *bly_parse_call(struct bly_parser *p, const struct bly_token *name);

/* declarations.c */
struct bly_specifiers {
    const struct bly_type *type;
    struct bly_place place;
    uint32_t from; /* the first token */
    bool is_typedef, is_static, is_inline, constant;
    bool declares;             /* a structure or enumeration, so that nothing more need be declared */
    struct bly_record *record; /* that it declares; not among the unit's so far */
    struct bly_symbol *tag;    /* of that */
};
bool bly_begins_type(struct bly_parser *p, const struct bly_token *token);
void bly_parse_specifiers(struct bly_parser *p, struct bly_specifiers *s);
/* Refuses the next token, where a type should be. */
_Noreturn void bly_stop_no_type(struct bly_parser *p);
/* Refuses types that variables, members and elements cannot have. */
void bly_check_stored(struct bly_parser *p, const struct bly_type *type, struct bly_place place);
/* Refuses pointers other than parameters. */
void bly_refuse_pointer(struct bly_parser *p);
/* [2][3] after a name, of elements `type`; `empty` is set where the first is [], which is refused where it is
 * NULL. */
const struct bly_type *bly_parse_sizes(struct bly_parser *p, const struct bly_type *type,
                                       const struct bly_token *name, bool *empty);
/* The type of a conversion, between brackets. */
const struct bly_type *bly_parse_type_name(struct bly_parser *p);
/* typedef ... name; the specifiers are read. */
void bly_parse_typedef(struct bly_parser *p, const struct bly_specifiers *s);
/* One variable that is not a parameter, from its name to its initial value. */
struct bly_variable *bly_parse_variable(struct bly_parser *p, const struct bly_specifiers *s,
                                        enum bly_variable_kind kind);

/* statements.c */
/* { ... } of a function, in the scope of its parameters. */
struct bly_statement *bly_parse_body(struct bly_parser *p);
/* Whether a statement never reaches its end. */
bool bly_never_ends(const struct bly_statement *s);

#endif
