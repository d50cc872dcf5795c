/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code of payoffs and of levels, and their parameters: a case is a text, and after a zero byte what
 * parameters are set to.
 */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include "fuzz.h"

#include <base/alloc.h>
#include <base/status.h>
#include <base/text.h>
#include <host/payoff/parameters.h>

#include <stdlib.h>
#include <string.h>

static inline void fuzz_set_field(const struct bly_payoff *payoff, bailey_precision precision,
                                  const struct bly_field *field, struct fuzz_input *input, uint8_t *set)
{
    enum { MOST = 16 };
    double values[MOST] = {0};
    for (uint32_t i = 0; i < MOST; i++) {
        const uint64_t word = fuzz_word(input);
        memcpy(&values[i], &word, sizeof word);
    }
    FUZZ_REQUIRE(field->offset + field->count * bly_parameter_bytes(precision, field) <=
                 payoff->params_bytes);
    const uint64_t count = field->count <= MOST ? field->count : MOST;
    const bailey_status status = bly_parameters_set(payoff, precision, field->name, values, count, set, NULL);
    FUZZ_REQUIRE(status != BAILEY_OK || count == field->count);
    for (uint32_t i = 0; status == BAILEY_OK && i < field->count; i++) {
        const double read = bly_parameter_read(precision, field, i, set);
        FUZZ_REQUIRE(precision == BAILEY_PRECISION_F64 || field->type != BLY_FIELD_REAL
                         ? read == values[i]
                         : read == (float)values[i]);
    }
}

static inline void fuzz_set_parameters(const struct bly_payoff *payoff, bailey_precision precision,
                                       struct fuzz_input *input)
{
    uint8_t digest[BLY_DIGEST_BYTES], *set = calloc(1, payoff->params_bytes);
    struct bly_text structures = {0};
    FUZZ_REQUIRE(set && payoff->params_bytes >= 8 && payoff->params_bytes % 8 == 0 && payoff->text);
    for (uint32_t i = 0; payoff->description && i < payoff->param_count && i < 16; i++)
        fuzz_set_field(payoff, precision, &payoff->params[i], input, set);
    bly_parameters_digest(payoff, precision, set, digest);
    bly_payoff_structures(payoff, &structures);
    FUZZ_REQUIRE(structures.data && strstr(structures.data, "bly_states"));
    bly_free(structures.data);
    free(set);
}

static inline int fuzz_read_text(const uint8_t *data, size_t size, int levels)
{
    struct fuzz_input input = {data, size};
    struct bly_payoff read;
    char *text = fuzz_text(&input);
    const uint8_t choice = fuzz_byte(&input);
    const bailey_precision precision = choice & 1 ? BAILEY_PRECISION_F32 : BAILEY_PRECISION_F64;
    const bailey_payoff payoff = {.code = text};
    const bailey_status status =
        levels ? bly_levels_read(&payoff, precision, 3, &read)
               : bly_payoff_read(&payoff,
                                 &(struct bly_payoff_path){.precision = precision, .steps = 12, .dims = 3},
                                 &read);
    FUZZ_REQUIRE(status == BAILEY_OK || *bailey_error_message());
    FUZZ_REQUIRE(status != BAILEY_ERROR_INVALID ||
                 !strcmp(bailey_error_argument(), levels ? "estimator" : "payoff"));
    if (status == BAILEY_OK) fuzz_set_parameters(&read, precision, &input);
    bly_payoff_free(&read);
    free(text);
    return 0;
}

#endif
