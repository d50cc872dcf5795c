/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Values of a payoff's parameters, as devices have them: the bytes of its struct `params`, called a set.
 */
#ifndef BLY_PARAMETERS_H
#define BLY_PARAMETERS_H

#include "descriptions.h"
#include "payoff.h"

#include <base/hash.h>

/* The parameter whose name is the first `length` characters of `name`, or NULL. */
const struct bly_field *bly_parameter_find(const struct bly_payoff *payoff, const char *name, size_t length);

/* Bytes of an element. */
size_t bly_parameter_bytes(bailey_precision precision, const struct bly_field *field);

/* The description of a parameter in the payoff's code. */
const bailey_parameter *bly_parameter_described(const struct bly_payoff *payoff,
                                                const struct bly_field *field);
/* The first parameter of a role, or NULL. */
const struct bly_field *bly_parameter_of_role(const struct bly_payoff *payoff, bailey_role role);

/* Whether element i may have a value, by its type and by what the code says of it: ERROR_INVALID of the
 * argument "values". */
bailey_status bly_parameter_check(const struct bly_payoff *payoff, bailey_precision precision,
                                  const struct bly_field *field, uint32_t i, double value);
/* Warns if one of values[k * stride] is unusual: of elements i, i + 1, ..., or with another stride than 1 of
 * element i. */
void bly_parameter_warn(const struct bly_payoff *payoff, const struct bly_field *field, uint32_t i,
                        const double *values, uint64_t count, uint64_t stride);
void bly_parameter_write(bailey_precision precision, const struct bly_field *field, uint32_t i, double value,
                         uint8_t *set);
double bly_parameter_read(bailey_precision precision, const struct bly_field *field, uint32_t i,
                          const uint8_t *set);

/* Checks all elements of the parameter called `name`, and writes them. `given`, which may be NULL, has 1 of
 * each parameter that was set. */
bailey_status bly_parameters_set(const struct bly_payoff *payoff, bailey_precision precision,
                                 const char *name, const double *values, uint64_t count, uint8_t *set,
                                 uint8_t *given);

/* Gives those that were not set their defaults. */
void bly_parameters_fill(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *given,
                         uint8_t *set);

/* Gives those whose default is a parameter that has none, and is not given but in `also`, its value. */
void bly_parameters_follow(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *given,
                           const uint8_t *also, uint8_t *set);

/* Refuses a run while parameters are missing, and names them all: neither set nor, in `also`, which may be
 * NULL, set otherwise, and without a default. ERROR_INVALID of the argument "parameters". */
bailey_status bly_parameters_missing(const struct bly_payoff *payoff, const uint8_t *given,
                                     const uint8_t *also);

/* Refuses values that do not go together, of a whole set. ERROR_INVALID of the argument "values". */
bailey_status bly_parameters_check(const struct bly_payoff *payoff, bailey_precision precision,
                                   const uint8_t *set);

/* For the code without its line markers, which name the file: it may be called otherwise next time. */
void bly_payoff_digest(const struct bly_payoff *payoff, uint8_t digest[BLY_DIGEST_BYTES]);

/* For the values of a set alone: where they lie differs between a text that is compiled and one that was. */
void bly_parameters_digest(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *set,
                           uint8_t digest[BLY_DIGEST_BYTES]);

/* Writes a real at `to`. */
void bly_parameter_write_real(bailey_precision precision, double value, void *to);

#endif
