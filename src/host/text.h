/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the writers of programs share: a text that grows, and a plan's records whatever their type.
 */
#ifndef BLY_TEXT_H
#define BLY_TEXT_H

#include "strategy.h"

struct bly_text {
    char *data; /* to be freed with bly_free; NULL while nothing has been added */
    size_t used, size;
    int failed; /* out of memory; what is added is lost */
};

/* Adds at most 255 characters. */
void bly_text_add(struct bly_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The fields of a record. */
struct bly_record {
    uint32_t z, a, b, code; /* a: point or gap; b: node */
    uint32_t left, right;   /* neighbours of a point */
    double real[4];         /* left_weight, right_weight, sigma; weight, sigma, left_scale, right_scale */
};

struct bly_record bly_record_read(const struct bly_bridge_job *job, uint32_t k);
void bly_record_write_code(const struct bly_bridge_job *job, void *records, uint32_t k, uint32_t code);
size_t bly_record_bytes(const struct bly_bridge_job *job);

#endif
