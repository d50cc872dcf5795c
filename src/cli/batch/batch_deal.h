/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A deal of `bailey batch`: an object whose keys are the options and parameters of `bailey price`, read as
 * those are.
 */
#ifndef CLI_BATCH_DEAL_H
#define CLI_BATCH_DEAL_H

#include <cli/io/io.h>
#include <cli/price/price.h>

#include <jansson.h>

#define BATCH_ERROR_MAX 1200
#define BATCH_ARENA_BYTES ((size_t)8192)

/* What a deal's options are made of: taken, and dropped all at once. */
struct batch_arena {
    struct batch_chunk *chunks; /* the one in use first */
};

struct batch_deal {
    uint64_t number, line;               /* where it is in the file */
    uint64_t same;                       /* the line of an earlier deal with its id; 0: there is none */
    const char *id;                      /* as JSON; without one, its number */
    struct batch_keys *keys;             /* of what is priced; NULL: not known */
    const struct price_product *product; /* NULL of an American option, and of a payoff of one's own */
    const bailey_description *about;     /* of the product */
    struct arguments arguments;
    struct option_numbers numbers[OPTIONS_MAX];
    struct batch_arena arena;
    struct price_settings settings;
    enum { DEAL_PRODUCT, DEAL_PAYOFF, DEAL_AMERICAN } kind;
    struct price_model model;
    struct american_model american;
    int code; /* of what is wrong with it, else 0 */
    char error[BATCH_ERROR_MAX];
    struct json_line result;
};

/* Reads a deal of `defaults` (may be NULL) and `object` (NULL: the error stands in `deal` already), as far as
 * that takes no device. What is wrong is kept in the deal. batch_deal_clear in any case, before the next. */
void batch_deal_read(struct batch_deal *deal, const json_t *defaults, const json_t *object);
void batch_deal_clear(struct batch_deal *deal);
/* Also frees what is kept for the next deal. */
void batch_deal_free(struct batch_deal *deal);

/* Options in its error are called as the keys are. */
void batch_deal_use_keys(struct batch_deal *deal);

#endif
