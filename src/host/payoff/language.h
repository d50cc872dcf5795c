/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The payoff language: what its stages give each other.
 *
 *     code ─ tokens.c ─▶ tokens ─ macros.c, around.c ─▶ tokens ─ parser.c, types.c ─▶ typed tree ─ check.c, ranges.c ─▶
 *     tree in which each operation is proved, or is tested as it runs ─ print.c ─▶ C, OpenCL C and CUDA
 *                                                                    └ interpret.c ─▶ numbers, on the host
 *
 * Pure host code: no device, no context, no file. All memory of a unit comes from its arena, and is freed
 * with it. A stage that refuses returns ERROR_INVALID, with the message of bly_refuse_at.
 */
#ifndef BLY_LANGUAGE_H
#define BLY_LANGUAGE_H

#include "sites.h"

#include <bailey/bailey.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of code, which keep hostile code from taking time or memory. */
#define BLY_MOST_CODE (1u << 20)   /* bytes */
#define BLY_MOST_TOKENS (1u << 18) /* after macros */
#define BLY_MOST_DEPTH 200         /* of brackets, statements, types and calls in each other */
#define BLY_MOST_HEIGHT 1000       /* of an expression's tree: 1 + 1 + 1 + 1 has 4 */
#define BLY_MOST_ARENA (32u << 20) /* bytes of a unit */
#define BLY_MOST_NUMBER 255u       /* characters of a number */
#define BLY_MOST_ARGUMENTS 127u    /* of a macro */
#define BLY_MOST_OBJECT (1u << 20) /* bytes of a type or variable */

/* ---- Memory -------------------------------------------------------------------------------------- */

struct bly_block;
struct bly_arena {
    struct bly_block *blocks;
    size_t used; /* bytes of all */
    bool full;   /* it would have exceeded BLY_MOST_ARENA */
};

/* Zeroed; NULL without memory, and where the arena would exceed BLY_MOST_ARENA. */
void *bly_arena_take(struct bly_arena *arena, size_t bytes);
/* A copy that ends with 0. */
const char *bly_arena_text(struct bly_arena *arena, const char *text, size_t length);
void bly_arena_free(struct bly_arena *arena);

/* ---- Tokens -------------------------------------------------------------------------------------- */

enum bly_token_kind {
    BLY_TOKEN_END, /* after the last */
    BLY_TOKEN_NAME,
    BLY_TOKEN_NUMBER,
    BLY_TOKEN_SIGN,   /* an operator or bracket */
    BLY_TOKEN_HASH,   /* # as the first of a line; the tokens to `last_of_line` are its directive */
    BLY_TOKEN_MESSAGE /* what stands behind #error, as it is */
};

struct bly_token {
    const char *text; /* not ended by 0 */
    uint32_t length;
    struct bly_place place; /* of what a macro made: where the macro was called */
    uint8_t kind;           /* enum bly_token_kind */
    uint8_t last_of_line;   /* the next token is in another line, continued lines being one */
    uint8_t spaced;         /* space stands before it */
    uint32_t hidden;        /* expand.c: 1 of the name of a macro within its own expansion, which stays */
    uint32_t name;          /* NAME: equal names have equal numbers, of unit->names; 0 of others */
    uint8_t member;         /* parser: of a NAME, enum bly_record_kind + 1 of the record whose member it is; else 0 */
};

/* A comment: what describes a payoff is read from these (describe.c). */
struct bly_comment {
    const char *text; /* within its marks */
    uint32_t length;
    struct bly_place place, end; /* of its first and last character, the marks' */
    uint8_t heads;               /* begins with slash, star, star */
};

/* ---- Types --------------------------------------------------------------------------------------- */

enum bly_type_kind {
    BLY_TYPE_VOID,
    BLY_TYPE_REAL,
    BLY_TYPE_INT, /* 32 bits; int32 and enumerations too */
    BLY_TYPE_UINT32,
    BLY_TYPE_INT64,
    BLY_TYPE_UINT64,
    BLY_TYPE_RECORD,
    BLY_TYPE_ARRAY,
    BLY_TYPE_POINTER, /* of parameters alone; to an array's first element: `of` is the element */
    BLY_TYPE_PATH     /* of whole's x */
};

struct bly_record;
struct bly_type {
    enum bly_type_kind kind;
    const struct bly_type *of; /* ARRAY: an element; POINTER: what it points to */
    uint32_t count; /* ARRAY: elements, at least 1. POINTER: elements that are known to be there (DIMS
                     * of step's x, outputs of finish's out, 1 of s and p); 0: not known */
    bool is_array;  /* POINTER: written as x[], it is indexed; else it is used by -> */
    bool constant;  /* POINTER: to what cannot be written */
    struct bly_record *record; /* RECORD */
    uint32_t bytes;            /* of a variable, with reals of 8; 0 of VOID, POINTER, PATH */
    uint32_t depth;            /* of arrays and records in each other */
};

/* types.c: those without parts. */
extern const struct bly_type bly_type_void, bly_type_real, bly_type_int, bly_type_uint32, bly_type_int64,
    bly_type_uint64, bly_type_path;

struct bly_field_node {
    const char *name;
    const struct bly_type *type; /* a number, or a record, or an array of these */
    struct bly_place place;
    uint32_t from, token, to; /* of its declaration: its first token, the name and the ; */
    uint32_t cell;       /* interpret.c: its place in the record */
    uint32_t slot, leaf; /* check.c's own */
    struct bly_field_node *next;
};

enum bly_record_kind { BLY_RECORD_OWN, BLY_RECORD_PARAMS, BLY_RECORD_STATE, BLY_RECORD_NOISE };
struct bly_record {
    const char *name; /* "params", "state", "noise", the typedef's name or the tag */
    enum bly_record_kind kind;
    struct bly_field_node *fields;
    uint32_t field_count;
    uint32_t cells; /* interpret.c: numbers in it; 0: not counted yet */
    struct bly_place place;
    uint32_t from, to; /* of params and state: the tokens from typedef to the ; */
    const struct bly_type *type; /* the RECORD type of it */
    uint32_t number; /* of its unit's, in the order of the code: names may be empty, and the same twice */
    uint32_t slots, leaves;  /* check.c's own */
    struct bly_record *next; /* in the same order */
};

/* ---- Names --------------------------------------------------------------------------------------- */

enum bly_variable_kind {
    BLY_VARIABLE_LOCAL,
    BLY_VARIABLE_PARAMETER,
    BLY_VARIABLE_CONSTANT /* outside functions: static const, with a value */
};

/* The range of an integer, as far as it is known. */
struct bly_int_range {
    int64_t low, high; /* of uint64: high INT64_MAX means no limit */
};

struct bly_expression;
struct bly_initial; /* below */
struct bly_function;
struct bly_summary;
struct bly_variable {
    const char *name;
    const struct bly_type *type;
    enum bly_variable_kind kind;
    bool constant; /* declared const */
    struct bly_place place;
    struct bly_initial *initial; /* CONSTANT; of a LOCAL it is the declaration's */
    bool zeroed; /* check.c, LOCAL: it is printed with zeros, as it could not be proved that all
                  * that is read of it was written (of a number: where a loop's budget is used up).
                  * PARAMETER out of finish and whole: it is filled with zeros first */
    const struct bly_function *of; /* LOCAL, PARAMETER */
    uint32_t number;               /* of its function's, PARAMETERs first; of all CONSTANTs */
    uint32_t cell;                 /* interpret.c: its place among these */
    uint32_t slot, leaf;           /* check.c's own: places in what ranges.c and assigned.c know */
    uint32_t elements; /* check.c's own: that all calls give an array of any size; 0: not one number */
    bool data;         /* print_indices.c: its value depends on data */
    bool wide;         /* print_half.c: a real that is stored in single precision */
    bool steady;       /* print_lanes.c: an integer that is the same in all lanes, whatever their masks */
    uint32_t writes;   /* print_lanes.c: how often it is assigned, or its address taken */
    bool uniform;      /* print_lanes.c: the same for all paths of a step */
    struct bly_variable *next; /* in the same order */
};

/* The functions of the language: rows of kernels/payoff_functions.h. */
struct bly_library_function {
    const char *name;
    uint32_t arguments; /* all real, and so is the result */
    bool root;          /* it takes a root or divides */
};

/* Functions that a simulation calls. exercise and regress, which code around a payoff calls, become OWN. */
enum bly_role {
    BLY_ROLE_OWN,
    BLY_ROLE_START,
    BLY_ROLE_STEP,
    BLY_ROLE_FINISH,
    BLY_ROLE_WHOLE,
    BLY_ROLE_PAIR,
    BLY_ROLE_DATE, /* of a product: step, at a date */
    BLY_ROLE_EXERCISE,
    BLY_ROLE_REGRESS
};

/* A question of a product to its model (question_list.c). The model answers by a function of this name, whose first
 * parameters are its state and the parameters. */
struct bly_question {
    const char *name;
    const char *takes; /* letters of what is given: i int, r real; a real is returned */
    const char *asked; /* how a product writes it */
    const char *as;    /* how a model does */
    const char *means;
    const char *with; /* the layer that answers this other question must answer it; NULL: any */
    bool optional; /* a model need not answer it */
};
extern const struct bly_question bly_questions[];
#define BLY_QUESTIONS 19u
const struct bly_question *bly_question_find(const char *name);

/* Where a product asks its model, or a model the layers below it. */
struct bly_asking {
    const struct bly_question *question;
    const struct bly_function *function; /* in which it stands */
    uint32_t token;     /* of the question's name, a place in unit->tokens */
    const char *s, *p;  /* what the function calls its state and parameters */
    const char *answer; /* compose.c: the function that answers */
    struct bly_asking *next;
};

struct bly_statement;
struct bly_function {
    const char *name;
    enum bly_role role;
    const struct bly_type *returns; /* VOID, a number or a record */
    struct bly_variable *parameters;
    uint32_t parameter_count;
    struct bly_variable *locals; /* all, in the order of the code; blocks may give two the same name */
    uint32_t variable_count;     /* PARAMETERs and LOCALs */
    uint32_t cells;              /* interpret.c: numbers in these */
    struct bly_statement *body;  /* a BLOCK */
    struct bly_place place;
    uint32_t from, to; /* its tokens, from what it returns to its last bracket */
    bool answered;     /* compose.c's own: all is answered that it asks, and that those ask that it calls */
    bool kept;         /* compose.c's own: the payoff has it */
    bool writes;     /* it may write through a parameter: a call of it is a statement's whole right side, and
                      * the target of its result has no index that it might change */
    bool has_root;   /* it, or a function that it calls, divides reals or takes a root */
    uint32_t depth;  /* of calls in each other: 1 without */
    uint32_t frame;  /* bytes of its variables and of those that it calls, with reals of 8 */
    bool faults;     /* check.c: it, or a function that it calls, has something that is tested as it runs */
    uint32_t weight; /* print_loops.c: of its body, with what it calls; 0: not known yet */
    double operations; /* operations.c: of a call, and 1; 0: not counted yet */
    uint8_t eager;   /* print_lanes.c: 1 if lanes may call it that do not want to, 2 if not; 0: not known yet */
    bool used;       /* check.c: start, step, finish, whole or pair, or called by one of them */
    uint32_t slots, size; /* check.c's own, as are these: */
    bool plain, settled;  /* its proofs are the same for all calls; and are made */
    struct bly_int_range result;
    struct bly_summary *summary; /* assigned.c's own */
    struct bly_function *next;   /* in the order of the code, which calls those before alone */
};

/* ---- Expressions --------------------------------------------------------------------------------- */

enum bly_expression_kind {
    BLY_NUMBER,   /* `real` or `integer`, by its type */
    BLY_SIZE,     /* DIMS, STEPS or LEVELS: an int whose value is `integer`, printed by its name */
    BLY_VARIABLE, /* `variable` */
    BLY_MEMBER,   /* `field` of a: a record, or a pointer to one (->) */
    BLY_INDEX,    /* a[b]: an array, or a pointer that is_array; b is an integer of any type */
    BLY_NEGATE,   /* -a */
    BLY_NOT,      /* !a: an int */
    BLY_FLIP,     /* ~a */
    BLY_ADD,      /* a + b and so on: a, b and the result have one type, by CONVERTs */
    BLY_SUBTRACT,
    BLY_MULTIPLY,
    BLY_DIVIDE,
    BLY_REMAINDER,  /* of integers */
    BLY_SHIFT_LEFT, /* the result has a's type; b is an integer of any */
    BLY_SHIFT_RIGHT,
    BLY_BIT_AND,
    BLY_BIT_XOR,
    BLY_BIT_OR,
    BLY_LESS, /* and so on: an int; a and b have one type */
    BLY_LESS_EQUAL,
    BLY_GREATER,
    BLY_GREATER_EQUAL,
    BLY_EQUAL,
    BLY_UNEQUAL,
    BLY_AND, /* a && b: an int; b where a is not 0 */
    BLY_OR,
    BLY_SELECT,  /* a ? b : c */
    BLY_CONVERT, /* a as another type of number */
    BLY_CALL,    /* of `function`, of a row of the `library`, or of `path_call` */
    BLY_ADDRESS, /* &a, an argument for a pointer */
    BLY_DECAY    /* an array a as the argument for a pointer that is_array */
};

static inline bool bly_is_comparison(enum bly_expression_kind kind)
{
    return kind >= BLY_LESS && kind <= BLY_UNEQUAL;
}

/* How an operator is written. */
const char *bly_sign_of(enum bly_expression_kind kind);

enum bly_path_call { BLY_PATH_NO_CALL, BLY_PATH_AT, BLY_PATH_TIME }; /* at(x, i, d), time(x, i) */

struct bly_expression {
    enum bly_expression_kind kind;
    const struct bly_type *type;
    struct bly_place place, end; /* of its operator; of its last token */
    struct bly_expression *a, *b, *c;
    union {
        double real;     /* NUMBER, rounded to the unit's precision */
        int64_t integer; /* NUMBER, SIZE; of uint64 the same bits. INDEX: ranges.c: elements; -1: not known */
        struct bly_variable *variable;
        struct bly_field_node *field;
    };
    struct bly_function *function;              /* CALL */
    const struct bly_library_function *library; /* CALL */
    enum bly_path_call path_call;               /* CALL */
    const char *name;                           /* SIZE */
    uint32_t height;                            /* of the tree: 1 of a leaf, at most BLY_MOST_HEIGHT */
    struct bly_expression *arguments;           /* CALL: the first */
    uint32_t argument_count;
    struct bly_expression *next; /* argument */
    /* ranges.c: */
    struct bly_int_range range; /* of an integer */
    bool proved; /* INDEX: within; DIVIDE and REMAINDER: not by 0; arithmetic and NEGATE of int and int64: it
                  * does not wrap around; SHIFT: by less than the width; CONVERT to an integer: it fits */
    uint32_t site;      /* of what is tested as it runs: its number in the unit, from 1; else 0 */
    uint32_t temporary; /* its number while a statement is printed (print_order.c); else 0: there is none */
};

/* A value that a declaration gives. */
struct bly_initial {
    struct bly_expression *value; /* of a number or record; or NULL: */
    struct bly_initial *list;     /* {a, b, ...} of an array or record; what is missing is 0 */
    struct bly_initial *next;
    struct bly_place place;
};

/* ---- Statements ---------------------------------------------------------------------------------- */

enum bly_statement_kind {
    BLY_EMPTY,
    BLY_BLOCK,    /* `body` and its nexts */
    BLY_DECLARE,  /* `variable` with `initial`, or NULL */
    BLY_ASSIGN,   /* target = value, or, with `operator`, target = target operator value, as that has its type
                   */
    BLY_EVALUATE, /* a call whose result is not used */
    BLY_IF,       /* condition, body, otherwise */
    BLY_LOOP,     /* for, while: first; while (condition) { body; each } */
    BLY_DO,       /* do body while (condition) */
    BLY_SWITCH,   /* condition; body is a BLOCK in which, and not deeper, CASEs stand */
    BLY_CASE,     /* `label`; without `labelled` it is default */
    BLY_BREAK,
    BLY_CONTINUE,
    BLY_RETURN /* value, or NULL */
};

/* x += y, x++ and so on are ASSIGN with an `operator`, of which `value` has the type in which C computes:
 * target = CONVERT(CONVERT(target) operator value). For that the tree is the same as of x = x + y, but target
 * is evaluated once: `whole` is the value of the entire right side, in which `seen` stands for the target. */
struct bly_statement {
    enum bly_statement_kind kind;
    struct bly_place place;
    struct bly_statement *next;
    struct bly_expression *condition; /* IF, LOOP (NULL: always), DO, SWITCH */
    struct bly_statement *first;      /* LOOP: DECLAREs, ASSIGNs, EVALUATEs */
    struct bly_statement *each;       /* LOOP: DECLAREs, ASSIGNs, EVALUATEs */
    struct bly_statement *body, *otherwise;
    struct bly_variable *variable;
    struct bly_initial *initial;
    struct bly_expression *target; /* ASSIGN: VARIABLE, MEMBER, INDEX */
    struct bly_expression *value;  /* ASSIGN: all of the right side; RETURN, EVALUATE */
    struct bly_expression *seen; /* ASSIGN by +=, ++ and so on: the operand in `value` that is the target; it
                                  * is the same node as `target`. NULL of = */
    int64_t label;
    bool labelled;
    bool is_for;  /* LOOP that was written with for */
    bool bounded; /* ranges.c, LOOP and DO: at most `trips` each time it is entered */
    bool enters;  /* ranges.c, LOOP: its body runs once at least */
    const struct bly_variable
        *counter;  /* check.c's own: it takes `trips` numbers, each the next or the last */
    bool counts;   /* check.c's own: nothing ends the loop before the counter has */
    bool apart;    /* check.c's own: its trips are examined one by one */
    uint32_t live; /* check.c's own: slots of the variables that exist before a loop's trips */
    uint64_t trips;
    uint32_t site; /* ranges.c: of a loop whose trips are counted as it runs; else 0 */
    bool unrolled; /* print_loops.c: BLY_LOOP stands before it */
};

/* ---- A unit -------------------------------------------------------------------------------------- */

enum bly_unit_kind {
    BLY_UNIT_PAYOFF, /* start, step and finish, or whole */
    BLY_UNIT_MOTION, /* whole, of a path that is a motion */
    BLY_UNIT_LEVELS, /* start, step, pair and finish of multilevel Monte Carlo */
    BLY_UNIT_MODEL,  /* start, step and answers to questions; it is read to be composed (compose.c) */
    BLY_UNIT_PRODUCT /* start, date and finish, which ask a model; it is read to be composed */
};

/* Whether STEPS is a word of such code. */
static inline bool bly_has_steps(enum bly_unit_kind kind)
{
    return kind != BLY_UNIT_MOTION && kind != BLY_UNIT_LEVELS;
}

/* A name that is declared outside of functions: of one of these, a constant, a type or a number of an enum. */
struct bly_outer {
    const char *name;
    struct bly_outer *next;
};

struct bly_unit {
    /* Input. */
    enum bly_unit_kind kind;
    bailey_precision precision;
    uint32_t dims, steps, levels; /* DIMS, STEPS (not of LEVELS and MOTION), LEVELS (of MOTION) */
    uint32_t own;                 /* numbers of x after those of DIMS, which nothing correlates */
    const char *code;             /* ends with 0; the unit does not copy it */
    size_t length;
    char name[256];       /* of the code, in messages */
    const char *argument; /* that an error is of: "payoff" or "estimator" */
    const char *around;   /* code of the library around it (around.c); NULL: none */
    uint32_t most_outputs; /* 0: BAILEY_SIMULATION_MAX_OUTPUTS */
    uint64_t loop_budget; /* trips that loops without a proved bound may take together in a call of start,
                           * step, finish, pair or whole; 0: BLY_DEFAULT_LOOP_BUDGET */
    /* Tokens. */
    struct bly_arena arena;
    const char *own_code; /* around.c: `code` and `length` as they were given */
    size_t own_length;
    struct bly_place around_place; /* of all that is around the code: its end */
    struct bly_token *tokens; /* [token_count], and END behind */
    uint32_t token_count;
    struct bly_comment *comments;
    uint32_t comment_count;
    const char **names; /* [name_count], each ends with 0: of what token->name is the number; 0 is none */
    uint32_t name_count;
    /* Tree. */
    struct bly_record *records; /* all that the code declares, in order: not noise */
    struct bly_record *params;  /* NULL: none */
    struct bly_record *state;   /* NULL: none */
    struct bly_variable *constants;
    uint32_t constant_count;
    struct bly_function *functions;                            /* in the order of the code */
    struct bly_function *start, *step, *finish, *whole, *pair; /* NULL: there is none */
    struct bly_function *date;                                 /* of PRODUCT */
    struct bly_asking *askings; /* of PRODUCT and MODEL, in the order of the code */
    struct bly_outer *outer;    /* names that are declared outside of functions, in the same order */
    struct bly_function *exercise, *regress; /* that only code around it calls; NULL: there is none */
    uint32_t outputs;
    uint32_t regressors; /* that regress writes */
    uint32_t normals, uniforms; /* NORMALS and UNIFORMS of LEVELS */
    bool has_root; /* it divides reals or calls sqrt, in what start, step, finish, pair or whole call */
    /* Checks. */
    bool zeroes_state;      /* programs zero the state's arrays before start */
    struct bly_site *sites; /* [site_count], of which site n is sites[n - 1] */
    uint32_t site_count;
};

#define BLY_DEFAULT_LOOP_BUDGET (1u << 20) /* BAILEY_PAYOFF_LOOP_BUDGET */

/* ---- Stages -------------------------------------------------------------------------------------- */

/* Refuses: "NAME:LINE:COLUMN: what is wrong; what to write", the line itself and a caret under the column.
 * Returns ERROR_INVALID of unit->argument. */
bailey_status bly_refuse_at(const struct bly_unit *unit, struct bly_place place, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
bailey_status
bly_no_memory(const struct bly_unit *unit); /* ERROR_MEMORY, or ERROR_INVALID of too large code */
/* Sets unit->name: control characters, quotes and what is not UTF-8 become _. NULL or "": payoff.c or
 * levels.c. */
void bly_unit_name(struct bly_unit *unit, const char *name);

/* tokens.c: the tokens and comments of unit->code. */
bailey_status bly_tokens_read(struct bly_unit *unit);
/* macros.c, expand.c, condition.c: does what # lines say, and expands macros; unit->tokens are those of the
 * language then, without HASH and MESSAGE. Their brackets are in pairs, at most BLY_MOST_DEPTH in each other.
 * NORMALS and UNIFORMS of LEVELS are read here. DIMS, STEPS and LEVELS stay names; STEPS is refused in MOTION
 * and LEVELS. */
bailey_status bly_macros_expand(struct bly_unit *unit);
/* around.c: puts unit->around before the code, and after macros were expanded makes one unit of both. */
bailey_status bly_around_begin(struct bly_unit *unit);
bailey_status bly_around_end(struct bly_unit *unit);
/* parser.c, types.c: the typed tree, and all that can be refused without knowing values. */
bailey_status bly_unit_parse(struct bly_unit *unit);
/* check.c, ranges.c: locals and states are written before they are read, indices are in range, loops end:
 * proved, or refused, or given a site. */
bailey_status bly_unit_check(struct bly_unit *unit);

/* All of them. `unit` has what is given, and is else zero. bly_unit_free must be called whatever is
 * returned. */
bailey_status bly_unit_read(struct bly_unit *unit);
void bly_unit_free(struct bly_unit *unit);

/* The row of the function of the language called so, or NULL. */
const struct bly_library_function *bly_library_find(const char *name, size_t length);
size_t bly_library_count(void);
const struct bly_library_function *bly_library_at(size_t index);

/* print.c: the functions, constants and records of a unit, as C, OpenCL C and CUDA.
 *
 * No character of the code gets there but letters, digits and _ of names, each with a prefix, so that no name
 * can mean anything outside of the language. Programs include kernels/payoff_head.h before, and
 * kernels/payoff_checked.h, which has what arithmetic of integers, conversions and tests are printed as.
 *
 * Where unit->site_count is not 0, the program defines BLY_FAULTS as 1, and start, step, finish, whole and
 * pair have a last parameter `bly_watch *w` more (as have functions of the code that may fault):
 *
 *     typedef struct bly_watch {
 *         bailey_uint32 site;  0, or the number of the first site that failed on this path
 *         bailey_uint32 trips; left of the budget of loops; set to BLY_LOOP_BUDGET before each call
 *         bailey_int64 value;  what failed: the index
 *     } bly_watch;
 */
struct bly_text;
struct bly_printing {
    const char *prefix;  /* of names of the code's functions, constants and records: "bly_own_" */
    bool symbolic_sizes; /* DIMS and STEPS are printed by name where they are values: programs for any number
                          */
    bool half; /* reals are halves, and finish is left out: see print_half.c */
    bool lanes; /* without branches: see print_lanes.c */
};
void bly_unit_print(const struct bly_unit *unit, const struct bly_printing *printing, struct bly_text *text);
/* print_lanes.c: whether paths may go different ways. */
bool bly_unit_branches(const struct bly_unit *unit);
/* What keeps a unit from being printed without branches, and where; NULL: nothing. */
const char *bly_unit_scalar(const struct bly_unit *unit, struct bly_place *where);

#endif
