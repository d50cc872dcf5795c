/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the reports of several commands have, added to the object that is open.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "document.h"

#define REPORT_ESTIMATE                                                                                      \
    "mean standard_error controlled controlled_standard_error interval_low interval_high variance"

/* ---- Members ---- */

/* "generator", "seed", "stream" and what else there is to say of a source. */
void report_source(struct document *d, const bailey_source *source);
/* "normal", "precision", "numerics", and "word_bits", of points those of the source. */
void report_normal(struct document *d, const bailey_source *source, const bailey_normal_params *normal);
/* "device", "device_name" and "seconds"; and the two lines that text has of them. */
void report_device(struct document *d, const bailey_device *device);
void report_show_device(struct document *d, const bailey_device *device);
/* "hex": numbers as hexadecimal floats, of which text shows the first two, called price and standard error.
 */
struct report_number {
    const char *key;
    double value;
};
void report_bits(struct document *d, int numerics, const struct report_number *numbers, size_t count);
void report_correlation(struct document *d, const char *source, const double *matrix, uint64_t dims);

/* ---- What text shows ---- */

/* The number called `key` of an object, with that called `error` as its standard error; not known, and said
 * to be so, where replicates should have told it. */
void report_show_estimate(struct document *d, struct item *object, const char *key, const char *error,
                          const char *label, uint64_t replicates);
void report_interval(struct document *d, double low, double high);
/* "paths 1,024 (2 replicates of 512), f32, ..." */
void report_paths(struct document *d, uint64_t paths, uint64_t replicates, uint64_t each,
                  const bailey_source *source, const bailey_normal_params *normal);

/* ---- Warnings of numbers that are allowed and hardly meant ---- */

void report_warn_of_percent(struct document *d, const char *what, const char *name, double value,
                            double limit);
void report_warn_of_time(struct document *d, double last);
void report_warn_of_source(struct document *d, const bailey_source *source, uint64_t paths);
/* Where points first .. first + count - 1 are not balanced. */
void report_warn_of_points(struct document *d, const bailey_source *source, uint64_t first, uint64_t count);
void report_warn_of_nothing(struct document *d, double price);

#endif
