/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the laws in test_laws.c, and the laws that have separate files.
 */
#ifndef LAWS_H
#define LAWS_H

#include "harness.h"
#include "subjects.h"

/* A subject in a precision, on the device under test. */
struct held {
    const struct bly_subject *subject;
    bailey_precision precision;
};

extern char what[240]; /* law and subject, with which all failures begin */

static inline uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- The output of a subject (laws_outputs.c) -------------------------------------------------------- */

struct bly_made make(bailey_context *on, const struct held *h);

void is_ok(bailey_status status);
void is_same(const void *found, const void *wanted, uint64_t count, size_t element);
void is_size(uint64_t found, uint64_t wanted);
void is_untouched(const unsigned char *bytes, uint64_t count, unsigned char poison, const char *where);

/* A buffer on the subject's context, all of `poison`. */
bailey_buffer *buffer_of(bailey_context *on, uint64_t bytes, unsigned char poison);

/* Items first .. first + count - 1, made `lead` elements into a poisoned buffer. */
unsigned char *items(const struct bly_made *made, uint64_t first, uint64_t count, uint64_t lead,
                     unsigned char poison);
uint64_t items_bytes(const struct bly_made *made); /* of all of them */
/* Items at .. at + count - 1 of n are those of `part`. */
void is_part(const struct bly_shape *shape, const unsigned char *part, uint64_t at, uint64_t count,
             const unsigned char *whole, uint64_t n);

/* All that a subject comes to: its items, and then its result. */
struct output {
    unsigned char *bytes; /* NULL after a failure */
    uint64_t size;
    int touched; /* a result, by a run that failed */
};
/* Without cmocka, whose failures belong to the test's own thread. */
bailey_status find_output(const struct bly_made *made, struct output *out);
struct output output_of(const struct bly_made *made);
void same_output(const struct output *found, const struct output *wanted);
/* For a context that has made nothing else. */
struct output output_on(const char *address, uint32_t threads, const struct held *h);

/* All numbers of a result alone. */
size_t result_of(const struct bly_made *made, double values[BLY_SUBJECT_VALUES]);

/* ---- Laws of calls that are stopped (laws_stopped.c) ------------------------------------------------- */

void cancel(const struct held *h);
void saved(const struct held *h);

#endif
