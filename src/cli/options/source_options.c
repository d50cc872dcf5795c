/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Options of the source of random numbers. Sequences and points share most of them; the others are refused
 * where they mean nothing.
 */
#include "options.h"

#include <bailey/points.h>

#include <stdio.h>

int source_is_points(const bailey_source *source) { return source->generator == BAILEY_GENERATOR_SOBOL; }

/* What only points have, or only sequences, given or not. */
static int refuse_other(const struct arguments *a, int points)
{
    static const struct {
        const char *field;
        int of_points;
    } only[] = {{"sequence", 0}, {"warp_set", 0}, {"scramble", 1}, {"assignment", 1}, {"point_order", 1}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        const char *name = options_given(a, "source", only[i].field);
        if (name && only[i].of_points != points)
            return cli_error(CLI_USAGE,
                             points ? "%s: not with sobol" : "%s: only --generator sobol has points", name);
    }
    return CLI_OK;
}

/* Points have their own width of words, which is that of normals too. */
static int settle_points(const struct arguments *a, bailey_source *source, const bailey_normal_params *normal)
{
    const char *method = options_given(a, "normal_params", "method"),
               *seed = options_given(a, "source", "seed"), *stream = options_given(a, "source", "stream");
    source->word_bits = normal && normal->word_bits ? normal->word_bits : 32;
    if (method && normal->method != BAILEY_NORMAL_METHOD_ICDF)
        return cli_error(CLI_USAGE, "%s: points need icdf, which preserves their even spread", method);
    if (source->scramble == BAILEY_SCRAMBLE_NONE && (seed || stream))
        return cli_error(CLI_USAGE, "%s: points without a scramble do not depend on it; see --scramble",
                         seed ? seed : stream);
    return CLI_OK;
}

int source_read(const struct arguments *a, bailey_source *source, bailey_normal_params *normal)
{
    int code = options_read_fields(a, "source", source);
    if (!code && normal) code = options_read_fields(a, "normal_params", normal);
    if (!code) code = refuse_other(a, source_is_points(source));
    if (!code && source_is_points(source)) code = settle_points(a, source, normal);
    return code ? code
                : options_check(a, bailey_source_check(source, NULL),
                                bailey_generator_name(source->generator));
}

uint32_t source_bits(const bailey_source *source, const bailey_normal_params *normal)
{
    if (source_is_points(source)) return source->word_bits;
    return normal->word_bits ? normal->word_bits : normal->precision == BAILEY_PRECISION_F64 ? 64 : 32;
}

static const char *word(const char *field, int value) { return option_word_of("source", field, value); }

static void points_remark(const bailey_source *source, char *text, size_t size)
{
    snprintf(text, size, ", sobol (scramble %s, %u bits, %s order, by %s)",
             word("scramble", source->scramble), (unsigned)source->word_bits,
             word("point_order", source->point_order), word("assignment", source->assignment));
}

const char *source_remark(const bailey_source *source)
{
    static char text[96];
    char more[24] = "";
    if (source->generator == BAILEY_GENERATOR_PHILOX) return "";
    if (source->sequence == BAILEY_SEQUENCE_PUBLISHED) snprintf(more, sizeof more, " (published)");
    if (source->warp_set) snprintf(more, sizeof more, " (set %u)", (unsigned)source->warp_set);
    if (source_is_points(source))
        points_remark(source, text, sizeof text);
    else
        snprintf(text, sizeof text, ", %s%s", bailey_generator_name(source->generator), more);
    return text;
}
