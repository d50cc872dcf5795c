/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A batch whose deals several processes price: each reads the whole file, prices the deals that it is
 * granted, and one of them writes. What they need of a batch that runs.
 */
#ifndef CLI_BATCH_TEAM_H
#define CLI_BATCH_TEAM_H

#include "batch.h"
#include "batch_deal.h"
#include <cli/io/io.h>

/* What has become of a file: not 0 is an error, met on the way to deal `number`. */
struct batch_end {
    int code;
    uint64_t number;
    char error[BATCH_ERROR_MAX];
};

const struct batch_request *batch_request_of(const struct batch *batch);

/* Whether the reader waits for a grant, and no deal for a worker. */
int batch_asks(struct batch *batch);
/* From now on also deals first <= number < end are wanted, which come after those that were. */
void batch_grant(struct batch *batch, uint64_t first, uint64_t end);

/* How many deals have been priced that come next; with `nanoseconds` it waits so long if none has. */
uint64_t batch_ready(struct batch *batch, long nanoseconds);
/* Deal `i` of those. */
const struct batch_deal *batch_ready_deal(struct batch *batch, uint64_t i);
void batch_release(struct batch *batch, uint64_t count);
/* Whether nothing comes any more, for the reason *end. */
int batch_is_over(struct batch *batch, struct batch_end *end);
void batch_stop(struct batch *batch);

/* What is said of a wrong deal of a strict batch, instead of its line: to be freed; NULL without memory. */
char *batch_refusal(const struct batch *batch, const struct batch_deal *deal);

/* Writes the line of a deal. With `code` in a strict batch the text is a refusal, and nothing is written any
 * more. Lines are written some together: batch_write_out writes those that are not yet. */
int batch_write(struct batch_writer *writer, int code, const char *text, size_t size);
int batch_write_out(struct batch_writer *writer);
int batch_write_is_over(const struct batch_writer *writer);
/* How the file ended, as the writer sees it. */
void batch_write_end(struct batch_writer *writer, const struct batch_end *end);

#endif
