/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The inside of `bailey batch`: a deal, who prices it, and the processes that share a batch.
 */
#ifndef CLI_BATCH_DEAL_H
#define CLI_BATCH_DEAL_H

#include "batch.h"
#include <cli/io/io.h>
#include <cli/price/price.h>

#include <jansson.h>

/* ---- A deal -------------------------------------------------------------------------------------- */

/* A deal of `bailey batch`: an object whose keys are the options and parameters of `bailey price`, or of `bailey
 * mlmc`, read as those are. */

#define BATCH_ERROR_MAX 1200

struct batch_deal {
    uint64_t number, line;               /* where it is in the file */
    uint64_t same;                       /* the line of an earlier deal with its id; 0: there is none */
    const char *id;                      /* as JSON; without one, its number */
    struct batch_keys *keys;             /* of what is priced; NULL: not known */
    const struct price_product *product; /* NULL: an American option, a user's payoff, levels */
    const bailey_description *about;     /* of the product */
    struct arguments arguments;
    struct option_numbers numbers[OPTIONS_MAX];
    struct arena arena; /* of the values of its options */
    struct price_settings settings;
    enum { DEAL_PRODUCT, DEAL_PAYOFF, DEAL_AMERICAN, DEAL_LEVELS } kind;
    struct price_model model;
    struct american_model american;
    struct levels_request levels;
    int code; /* of its error; 0: none */
    char error[BATCH_ERROR_MAX];
    struct json_line result;
};

/* Reads a deal from `defaults` (may be NULL) and `object` (NULL: the error stands in `deal` already), as far
 * as that takes no device. The deal keeps its error. Call batch_deal_clear in any case, before the next.
 */
void batch_deal_read(struct batch_deal *deal, const json_t *defaults, const json_t *object);
void batch_deal_clear(struct batch_deal *deal);
/* Also frees what is kept for the next deal. */
void batch_deal_free(struct batch_deal *deal);

/* Replaces the names of options in its error by those of the keys. */
void batch_deal_use_keys(struct batch_deal *deal);

/* ---- Workers ------------------------------------------------------------------------------------- */

/* Prices deals one after another on one context, whose simulations are cached for deals of the same shape. */

struct batch_cached; /* a simulation */

struct batch_worker {
    bailey_context *context;
    unsigned most;               /* simulations that are cached; at least 1 */
    struct batch_cached *cached; /* the one used last comes first */
    unsigned count;
    struct document *document; /* of the line of a deal, made anew for each; batch_price makes it */
    uint64_t made;             /* simulations */
    double run_seconds;        /* inside the runs of deals */
};

/* Before deals are priced: warnings of levels are printed, as `bailey mlmc` does; those of payoffs stand in their
 * lines. */
void batch_hear_warnings(void);

/* Prices a deal that has been read, and writes its line. */
void batch_price(struct batch_worker *worker, struct batch_deal *deal);

/* Whether two deals, as they have been read, may differ in parameters alone and be exercised early, without an upper
 * bound or gradient: batch_price_together prices such deals in the same launches (bailey_exercise_price), with the
 * digits of each alone. */
int batch_are_alike(const struct batch_deal *a, const struct batch_deal *b);
#define BATCH_TOGETHER 128u
void batch_price_together(struct batch_worker *worker, struct batch_deal *const *deals, unsigned count);

/* Writes the line of a deal that is wrong. */
void batch_write_error(struct batch_deal *deal);

void batch_worker_end(struct batch_worker *worker);

/* ---- Teams --------------------------------------------------------------------------------------- */

/* A batch whose deals several processes price: each reads the whole file and prices the deals that it is
 * granted, and one of them writes. These are the functions by which they steer a batch that runs. */

/* How reading a file ended: a `code` that is not 0 is an error, met on the way to deal `number`. */
struct batch_end {
    int code;
    uint64_t number;
    char error[BATCH_ERROR_MAX];
};

const struct batch_request *batch_request_of(const struct batch *batch);

/* Whether the reader waits for a grant and no deal waits for a worker. */
int batch_asks(struct batch *batch);
/* Grants deals first <= number < end, which come after all that were granted before. */
void batch_grant(struct batch *batch, uint64_t first, uint64_t end);

/* How many of the next deals have been priced, in the order of the file. If none has, it waits for one, but
 * no longer than `nanoseconds`. */
uint64_t batch_ready(struct batch *batch, long nanoseconds);
/* Deal `i` of those. */
const struct batch_deal *batch_ready_deal(struct batch *batch, uint64_t i);
void batch_release(struct batch *batch, uint64_t count);
/* Whether no more deals will come; *end says why. */
int batch_is_over(struct batch *batch, struct batch_end *end);
void batch_stop(struct batch *batch);

/* The message on a wrong deal of a strict batch, instead of its line: to be freed; NULL without memory. */
char *batch_refusal(const struct batch *batch, const struct batch_deal *deal);

/* Writes the line of a deal. With `code` in a strict batch the text is a refusal, after which nothing is
 * written. Lines are collected: batch_write_out writes those that wait. */
int batch_write(struct batch_writer *writer, int code, const char *text, size_t size);
int batch_write_out(struct batch_writer *writer);
int batch_write_is_over(const struct batch_writer *writer);
/* How the file ended, as the writer sees it. */
void batch_write_end(struct batch_writer *writer, const struct batch_end *end);

#endif
