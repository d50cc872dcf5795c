/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parameters of texts, as devices have them: the bytes of the structure `params`, called a set.
 */
#ifndef BLY_PARAMETERS_H
#define BLY_PARAMETERS_H

#include "payoff.h"

#include <base/hash.h>

/* The parameter whose name is the first `length` characters of `name`, or NULL. */
const struct bly_field *bly_parameter_find(const struct bly_payoff *payoff, const char *name, size_t length);

/* Bytes of an element. */
size_t bly_parameter_bytes(bailey_precision precision, const struct bly_field *field);

/* Whether element i may have a value: ERROR_INVALID of the argument "values". */
bailey_status bly_parameter_check(bailey_precision precision, const struct bly_field *field, uint32_t i,
                                  double value);
void bly_parameter_write(bailey_precision precision, const struct bly_field *field, uint32_t i, double value,
                         uint8_t *set);
double bly_parameter_read(bailey_precision precision, const struct bly_field *field, uint32_t i,
                          const uint8_t *set);

/* Checks all elements of the parameter called `name`, and writes them. `builtin`: see builtin_ranges.h. */
bailey_status bly_parameters_set(const struct bly_payoff *payoff, const char *builtin,
                                 bailey_precision precision, const char *name, const double *values,
                                 uint64_t count, uint8_t *set);

/* Adds the text without its line markers, which name the file: it may be called otherwise next time. */
void bly_payoff_add(struct bly_hash *hash, const struct bly_payoff *payoff);

/* Of the values of a set alone: where they lie differs between a text that is compiled and one that was. */
void bly_parameters_digest(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *set,
                           uint8_t digest[BLY_DIGEST_BYTES]);

/* Writes a real at `to`. */
void bly_parameter_write_real(bailey_precision precision, double value, void *to);

#endif
