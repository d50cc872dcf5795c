/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Draws words, uniform numbers, normals or other distributions, of sequences or of points, through one
 * function, for `bailey random` and the benchmarks.
 */
#include "options.h"

#include <bailey/integers.h>

#include <stdio.h>

size_t draw_element(const struct draw *draw)
{
    if (draw->bits) return draw->bits / 8;
    if (draw->halved) return 2;
    if (draw->points.form != BAILEY_POINTS_FORM_WORDS)
        return draw->normal.precision == BAILEY_PRECISION_F64 ? 8 : 4;
    return draw->point_count ? draw->source.word_bits / 8 : 4;
}

/* The longest part of elements first .. first + count - 1 that is whole rows of the array, or a part of one:
 * as points and dimensions. Returns its elements. */
static uint64_t part_of(const struct draw *draw, uint64_t first, uint64_t count, bailey_points_params *params,
                        uint64_t *point, uint64_t *points)
{
    const int by_point = draw->points.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    const uint64_t row = by_point ? draw->points.dims : draw->point_count;
    const uint64_t outer = first / row, inner = first % row;
    const uint64_t whole = inner || count < row ? 0 : count / row;
    const uint64_t outers = whole ? whole : 1;
    const uint64_t inners = whole ? row : count < row - inner ? count : row - inner;
    *params = draw->points;
    params->first_dim += (uint32_t)(by_point ? inner : outer);
    params->dims = (uint32_t)(by_point ? inners : outers);
    *point = draw->first_point + (by_point ? outer : inner);
    *points = by_point ? outers : inners;
    return outers * inners;
}

static bailey_status make_points(bailey_context *context, const struct draw *draw, uint64_t first,
                                 uint64_t count, bailey_buffer *out)
{
    bailey_status status = BAILEY_OK;
    for (uint64_t done = 0; done < count && !status;) {
        bailey_points_params params;
        uint64_t point, points;
        const uint64_t part = part_of(draw, first + done, count - done, &params, &point, &points);
        if (draw->distributed) {
            bailey_variate_params variate = draw->variate;
            variate.normal = draw->normal;
            status =
                bailey_points_variates(context, &draw->source, &params, &variate, point, points, out, done);
        } else {
            status = bailey_points_generate(context, &draw->source, &params, point, points, out, done);
        }
        done += part;
    }
    return status;
}

bailey_status draw_make(bailey_context *context, const struct draw *draw, uint64_t first, uint64_t count,
                        bailey_buffer *out)
{
    const bailey_source *source = &draw->source;
    const bailey_normal_params *normal = &draw->normal;
    if (draw->point_count) return make_points(context, draw, first, count, out);
    if (draw->permuted)
        return bailey_permutation_generate(context, source, draw->bits, draw->below, first, count, out, 0);
    if (draw->bits)
        return bailey_integers_generate(context, source, draw->bits, 0, draw->below, first, count, out, 0);
    if (draw->points.form == BAILEY_POINTS_FORM_WORDS)
        return bailey_words_generate(context, source, first, count, out, 0);
    if (draw->halved && draw->points.form == BAILEY_POINTS_FORM_UNIFORMS)
        return bailey_uniforms_generate_half(context, source, draw->half, normal->word_bits, first, count,
                                             out, 0);
    if (draw->halved)
        return bailey_normals_generate_half(context, source, normal, draw->half, first, count, out, 0);
    if (draw->points.form == BAILEY_POINTS_FORM_UNIFORMS)
        return bailey_uniforms_generate(context, source, normal->precision, normal->word_bits, first, count,
                                        out, 0);
    if (draw->distributed) {
        bailey_variate_params variate = draw->variate;
        variate.normal = *normal;
        return bailey_variates_generate(context, source, &variate, first, count, out, 0);
    }
    return bailey_normals_generate(context, source, normal, first, count, out, 0);
}

void generators_help(void)
{
    printf("\nGenerators:\n  %-18s%-9s%s\n", "NAME", "VERDICT", "PERIOD");
    const bailey_field *field = bailey_record_field(bailey_describe("source"), "generator");
    for (uint32_t i = 0; i < field->choice_count; i++) {
        const bailey_generator generator = (bailey_generator)field->choices[i].value;
        if (generator != BAILEY_GENERATOR_SOBOL)
            printf("  %-18s%-9s%s\n", bailey_generator_name(generator), bailey_generator_verdict(generator),
                   bailey_generator_period(generator));
    }
    printf("  sound: no failure found; linear: fails only tests of linearity over GF(2); weak: not for "
           "results.\n"
           "  docs/records/quality.md has the tests behind the verdicts. Periods are in words of the "
           "recurrence.\n");
    printf("\nPoints:\n  %s: Sobol points in up to %u dimensions, evenly spread instead of random, with the\n"
           "  direction numbers of Joe and Kuo (2008). docs/points.md explains the scrambles.\n",
           bailey_generator_name(BAILEY_GENERATOR_SOBOL), BAILEY_SOBOL_MAX_DIMS);
}
