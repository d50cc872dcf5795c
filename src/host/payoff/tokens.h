/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tokens and macros: what tokens.c, macros.c, expand.c and condition.c share, and the parser uses.
 */
#ifndef BLY_TOKENS_H
#define BLY_TOKENS_H

#include "language.h"

/* For "%.*s". */
#define BLY_SHOWN(token) (int)(token)->length, (token)->text

/* Tokens that grow in number, outside of the arena. */
struct bly_list {
    struct bly_token *tokens; /* to be freed with bly_list_free */
    uint32_t count, room;
};
bool bly_list_add(struct bly_list *list, const struct bly_token *token); /* false without memory */
void bly_list_free(struct bly_list *list);

/* The code behind a byte order mark, which some editors begin a file with. */
const char *bly_code_begin(const struct bly_unit *unit);
/* `from` as it may be shown, as far as it fits: instead[0] for a tab, instead[1] for what is not UTF-8, for
 * controls and for what is not seen. */
void bly_safe_text(const char *from, size_t length, const char *instead, char *text, size_t size);
/* Whether a token is this sign, or this name. */
bool bly_token_is(const struct bly_token *token, const char *text);
/* The number of a name; 0 if the code does not have it. */
uint32_t bly_name_find(const struct bly_unit *unit, const char *name);

struct bly_macro {
    const char *name;
    struct bly_place place;       /* where it is defined */
    const struct bly_token *body; /* `hidden` is the number of a parameter, from 1, or 0 */
    const uint32_t *parameters;   /* their names' numbers */
    uint32_t length, parameter_count;
    bool has_parameters; /* it is called with brackets */
    bool open;           /* it is being expanded */
};

/* Tokens that must be read before those that follow in the code: the expansion of a macro, or an argument.
 */
struct bly_context {
    struct bly_macro *macro; /* that ends when they have been read; or NULL */
    const struct bly_token *tokens;
    struct bly_list owned; /* to be released then; or empty */
    uint32_t at, count;
    bool placed; /* they are taken to stand at `place` */
    struct bly_place place;
};

struct bly_expander {
    struct bly_unit *unit;
    struct bly_macro **macros; /* by the number of their name; NULL: none */
    uint32_t at;               /* in unit->tokens: the next */
    struct bly_context *contexts;
    uint32_t context_count, context_room;
    uint32_t base;   /* contexts below are not read: while an argument or a # line is expanded */
    bool bounded;    /* nor is the code */
    uint32_t depth;  /* of arguments in each other */
    uint32_t steps;  /* tokens that have been read, as often as they were */
    uint32_t stored; /* tokens in lists */
};

/* Expands what follows, up to the end of what must be read, or to a # line. */
bailey_status bly_expand(struct bly_expander *e, struct bly_list *out);
/* Expands these tokens alone. */
bailey_status bly_expand_tokens(struct bly_expander *e, const struct bly_token *tokens, uint32_t count,
                                struct bly_list *out);
/* Adds to a list, within a budget of tokens in all lists; and frees one. */
bailey_status bly_keep(struct bly_expander *e, struct bly_list *list, const struct bly_token *token);
void bly_release(struct bly_expander *e, struct bly_list *list);
void bly_expander_free(struct bly_expander *e);

/* The value of what an #if asks for; `count` is not 0. */
bailey_status bly_condition(struct bly_expander *e, const struct bly_token *tokens, uint32_t count,
                            int64_t *value);
/* Whether a name is defined: a macro, or a size that this unit has. */
bool bly_is_defined(const struct bly_expander *e, const struct bly_token *token);

#endif
