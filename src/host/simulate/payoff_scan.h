/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A payoff's text as tokens, and what its words mean. No parser: payoff_file.c reads file scope,
 * payoff_fields.c structs, payoff_declare.c finds what the text declares, payoff.c checks and writes.
 */
#ifndef BLY_PAYOFF_SCAN_H
#define BLY_PAYOFF_SCAN_H

#include "payoff.h"

enum bly_token_kind {
    BLY_TOKEN_END,
    BLY_TOKEN_WORD,
    BLY_TOKEN_NUMBER,
    BLY_TOKEN_SIGN,
    BLY_TOKEN_MESSAGE /* what follows #error */
};

/* What is written before a token. */
enum bly_token_before { BLY_BEFORE_NOTHING, BLY_BEFORE_FUNCTION, BLY_BEFORE_CONSTANT, BLY_BEFORE_LOOP };

struct bly_token {
    const char *text; /* not terminated */
    uint32_t length, line;
    uint32_t spaces;    /* before it, on its line; a comment counts as one */
    uint32_t word;      /* of a word: its index in bly_scan.words */
    uint32_t mate;      /* of a bracket: the token that it goes with */
    uint32_t directive; /* the # line that it belongs to, as the index of the # plus 1; 0 of none */
    uint8_t kind, before;
    uint8_t dropped; /* not written */
    uint8_t member;  /* the name of a member, after . or -> or in a struct */
    uint8_t real;    /* a floating literal */
};

enum {
    /* What a word is in every text. */
    BLY_WORD_KEYWORD = 1,
    BLY_WORD_TYPE = 2,
    BLY_WORD_SIZE = 4, /* DIMS, STEPS */
    BLY_WORD_LIBRARY = 8,
    BLY_WORD_REFUSED = 16,
    BLY_WORD_FIXED = 31, /* any of these: not to be declared */
    /* What the text makes of it. */
    BLY_WORD_DECLARED = 32,
    BLY_WORD_OWN = 64, /* at file scope: called bly_own_<name> */
    BLY_WORD_FUNCTION = 128,
    BLY_WORD_MACRO = 256,
    BLY_WORD_MACRO_CALL = 512, /* a macro with parameters */
    BLY_WORD_NUMBER = 1024,    /* a macro that is a plain number: `value` */
    BLY_WORD_CONSTANT = 2048,  /* of an enum */
    BLY_WORD_OWN_TYPE = 4096,
    BLY_WORD_FIELD = 8192,         /* a member of some struct */
    BLY_WORD_DATA = 16384,         /* a constant at file scope */
    BLY_WORD_ARRAY = 32768,        /* and an array */
    BLY_WORD_PARAMS_ARRAY = 65536, /* an array of params, and no field of state */
};

struct bly_word {
    const char *text;
    uint32_t length, flags;
    uint32_t value;
    uint32_t body, visit; /* of a function: its {, or 0; how far the search for recursion is */
    uint32_t loop;        /* of a macro with a loop: the # line, as a token has it */
    uint32_t weight;      /* of a function: for bly_loops_choose */
    const char *advice;   /* why it is refused, or what to write instead */
};

struct bly_scan {
    char name[256]; /* of the payoff, as errors and compilers show it */
    uint32_t steps, dims;
    int levels;      /* it is a text of levels (bailey/mlmc.h), without STEPS and with `pair` and `noise` */
    uint32_t motion; /* LEVELS of a path that is a motion, without STEPS; else 0 */
    bailey_precision precision;
    uint32_t count; /* of tokens; one more, at the end, is BLY_TOKEN_END */
    struct bly_token *tokens;
    uint32_t word_count, slot_mask;
    struct bly_word *words;
    uint32_t *slots; /* hash table: 0, or a word's index plus 1 */
};

/* For "%.*s". */
#define BLY_SHOWN(token) (int)(token)->length, (token)->text

/* Fills scan->tokens and words; to be freed with bly_scan_free whatever is returned. */
bailey_status bly_scan_text(struct bly_scan *scan, const char *text);
void bly_scan_free(struct bly_scan *scan);

/* "NAME, line N: ...": ERROR_INVALID of the argument "payoff", or "levels" of a text of levels. */
bailey_status bly_refuse(const struct bly_scan *scan, uint32_t line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Whether token k is this sign, or this word. */
int bly_is(const struct bly_scan *scan, uint32_t k, const char *text);
/* The flags of token k's word; 0 where it is none. */
uint32_t bly_flags(const struct bly_scan *scan, uint32_t k);
struct bly_word *bly_word_of(const struct bly_scan *scan, uint32_t k);
/* The token after k: outside # lines the next outside of them, in one the next of the same line; otherwise
 * the end. */
uint32_t bly_after(const struct bly_scan *scan, uint32_t k);
/* The token after the # line to which k belongs. */
uint32_t bly_after_directive(const struct bly_scan *scan, uint32_t k);

/* What a word is in every text: flags and advice. */
void bly_word_classify(struct bly_word *word);
/* Checks a number; sets token->real. */
bailey_status bly_number_check(const struct bly_scan *scan, struct bly_token *token);
/* The value of an integer literal without suffix; 0 if it is none. */
int bly_number_plain(const struct bly_token *token, uint32_t *value);

/* Reads the # lines: macros. */
bailey_status bly_declare_macros(struct bly_scan *scan);
/* Marks what struct bodies, enums and declarations declare, everywhere. */
bailey_status bly_declare_names(struct bly_scan *scan);

/* Marks the loops that BLY_LOOP stands before, in a text that is good otherwise. */
void bly_loops_choose(struct bly_scan *scan);

/* What a text has at file scope: token numbers, 0 where it is not there. */
struct bly_file {
    uint32_t params, state;                    /* the { of the struct */
    uint32_t start, step, pair, finish, whole; /* the ( of the definition */
};

/* Reads file scope: marks functions, constants and types of its own, drops params and state. */
bailey_status bly_payoff_parts(struct bly_scan *scan, struct bly_file *file);

/* Reads the struct whose { is token `open`; `what` is its name. */
bailey_status bly_fields_read(struct bly_scan *scan, uint32_t open, const char *what,
                              struct bly_field **fields, uint32_t *count);
/* Sets offsets; returns the bytes of the struct, as C lays it out. */
uint64_t bly_fields_place(struct bly_field *fields, uint32_t count, bailey_precision precision);
/* The value of the constant expression of tokens begin .. end - 1: of numbers, DIMS, STEPS, macros that are
 * plain numbers, + - * and brackets. Returns 0 if it is none, or not in 1 .. 2^31 - 1. */
int bly_size_read(const struct bly_scan *scan, uint32_t begin, uint32_t end, uint32_t *value);

#endif
