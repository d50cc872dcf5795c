/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * States of paths at exercise dates, in the device's memory (kernels/simulation_kept.h): those of all dates
 * or, where there is no memory for them, of a segment of dates, and marks between segments, from which the
 * paths are made again. Deals share the memory, as many as have all their dates there.
 */
#include "products.h"

#include <host/internal.h>

/* Bytes, unless the caller says otherwise, and the most of the device's memory: a part of this many. */
#define MEMORY (UINT64_C(1) << 30)
#define MEMORY_PART 4

static uint64_t mark_numbers(const struct bly_dates *d) { return d->resumes ? d->numbers + d->dims : 0; }

static uint64_t rows_of(const struct bly_dates *d, uint32_t length)
{
    const uint32_t segments = (d->count + length - 1) / length;
    return (uint64_t)d->numbers * length + mark_numbers(d) * (segments - 1) + 1;
}

/* The longest segments that fit the rows; where none do, those that need the fewest. */
static uint32_t length_of(const struct bly_dates *d, uint64_t rows)
{
    uint32_t best = d->count;
    for (uint32_t length = d->count; length > 0; length--) {
        if (rows_of(d, length) <= rows) return length;
        if (rows_of(d, length) < rows_of(d, best)) best = length;
    }
    return best;
}

bailey_status bly_dates_take(struct bly_dates *d, const bailey_simulation *keeper, uint64_t memory)
{
    bailey_context *context = keeper->context;
    struct bly_device *device = context->device;
    const uint64_t row_bytes = d->paths * bly_element_bytes(keeper->precision);
    const uint64_t part = device->info.memory_bytes / MEMORY_PART;
    d->numbers = bly_simulation_kept_numbers(keeper);
    d->dims = keeper->dims;
    d->steps = keeper->steps;
    d->resumes = bly_simulation_resumes(keeper);
    if (!memory) memory = part && part < MEMORY ? part : MEMORY;
    const uint64_t room = memory / row_bytes;
    d->length = length_of(d, room);
    d->segments = (d->count + d->length - 1) / d->length;
    d->rows = rows_of(d, d->length);
    if (d->segments > 1 || d->deals < 1) d->deals = 1;
    if (d->deals > 1 && d->deals > room / d->rows) d->deals = room / d->rows ? (uint32_t)(room / d->rows) : 1;
    d->at = -1;
    d->kept.at.row = d->paths;
    d->kept.at.last = (d->rows - 1) * d->paths;
    d->kept.at.every = d->every;
    d->kept.at.deal_memory = d->rows * d->paths;
    d->kept.at.date_memory = d->numbers * d->paths;
    bailey_status status =
        bly_pool_take(context, BLY_MEMORY_DEVICE, d->deals * d->rows * row_bytes, &d->kept.memory);
    for (uint64_t i = 1; i <= d->deals && status == BAILEY_OK; i++) /* nothing is paid after the last date */
        status = device->backend->fill(device, d->kept.memory->memory, (i * d->rows - 1) * row_bytes, 0, row_bytes);
    return status;
}

uint32_t bly_dates_step(const struct bly_dates *d, uint32_t date)
{
    return d->steps - 1 - (d->count - 1 - date) * d->every;
}

/* Where the mark at the end of a segment begins. */
static uint64_t mark_of(const struct bly_dates *d, uint32_t segment)
{
    return ((uint64_t)d->numbers * d->length + mark_numbers(d) * segment) * d->paths;
}

void bly_dates_make(struct bly_dates *d, uint32_t segment)
{
    const uint32_t first = segment * d->length, last_segment = segment + 1 == d->segments;
    const uint32_t last = last_segment ? d->count - 1 : first + d->length - 1;
    bly_kept_params *at = &d->kept.at;
    d->kept.reads = 0;
    at->replaces = 0;
    at->begin = segment ? bly_dates_step(d, first - 1) + 1 : 0;
    at->end = bly_dates_step(d, last) + 1;
    at->from = segment && d->resumes ? mark_of(d, segment - 1) : 0;
    at->to = 0;
    at->mark = last_segment || !d->resumes ? 0 : mark_of(d, segment);
    d->at = (int)segment;
}

int bly_dates_are_made(const struct bly_dates *d, uint32_t date) { return d->at == (int)(date / d->length); }

void bly_dates_look(struct bly_dates *d, uint32_t date, uint32_t replacing)
{
    const uint64_t row = (uint64_t)d->numbers * d->paths;
    d->kept.reads = 1;
    d->kept.at.from = date % d->length * row;
    d->kept.at.replaces = replacing != BLY_NO_DATE;
    d->kept.at.before = d->kept.at.replaces ? replacing % d->length * row : 0;
}
