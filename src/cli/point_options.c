/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "point_options.h"

#include "cli.h"
#include "source_options.h"

#include <string.h>

enum { POINT_OPTION_NAMES, POINT_OPTION_COUNT };

static const char *const layouts[] = {"point", "dim", NULL}; /* in the order of the library's enumerations */
const char *const option_point_orders[] = {"gray", "index", NULL};
const char *const option_scrambles[] = {"lms", "owen", "shift", "none", NULL};
static const char *const widths[] = {"32", "64", NULL};

int points_wanted(const struct arguments *arguments, int generator)
{
    return arguments->value[generator] &&
           !strcmp(arguments->value[generator], bailey_generator_name(BAILEY_GENERATOR_SOBOL));
}

int points_refuse(const struct arguments *arguments, int first)
{
    for (int i = 0; i < POINT_OPTION_COUNT; i++)
        if (arguments->value[first + i])
            return cli_error(CLI_USAGE, "%s: only --generator sobol makes points",
                             arguments->command->options[first + i].name);
    return CLI_OK;
}

/* What a sequence has and points have not. */
static int refuse_sequence(const struct arguments *a, const struct point_places *at, int generator)
{
    enum { SOURCE_OPTION_NAMES };
    const struct {
        int option;
        const char *instead;
    } refused[] = {{SEQUENCE, at->order_name},
                   {WARP_SET, "only warp has some"},
                   {STREAM, "--replicate says which scramble"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (a->value[generator + refused[i].option])
            return cli_error(CLI_USAGE, "%s: not with sobol; %s",
                             a->command->options[generator + refused[i].option].name, refused[i].instead);
    return CLI_OK;
}

int points_read_source(const struct arguments *a, const struct point_places *at, int generator,
                       bailey_source *source)
{
    enum { SOURCE_OPTION_NAMES };
    int order = 0, scramble = 0, width = 0, code;
    source->generator = BAILEY_GENERATOR_SOBOL;
    if ((code = refuse_sequence(a, at, generator)) ||
        (code = option_u64(a, generator + SEED, 0, UINT64_MAX, &source->seed)) ||
        (code = option_u64(a, at->replicate, 0, UINT64_MAX, &source->stream)) ||
        (code = option_choice(a, at->order, option_point_orders, &order)) ||
        (code = option_choice(a, at->scramble, option_scrambles, &scramble)) ||
        (code = option_choice(a, at->word_bits, widths, &width)))
        return code;
    source->point_order = (bailey_point_order)order;
    source->scramble = (bailey_scramble)scramble;
    source->word_bits = width ? 64 : 32;
    if (scramble == BAILEY_SCRAMBLE_NONE && (a->value[generator + SEED] || a->value[at->replicate]))
        return cli_error(CLI_USAGE, "%s: points that are not scrambled have none; see --scramble",
                         a->value[generator + SEED] ? "--seed" : "--replicate");
    return CLI_OK;
}

int points_read(const struct arguments *a, int first, int generator, struct draw *draw)
{
    static const bailey_points_form forms[] = {[FORM_U32] = BAILEY_POINTS_FORM_WORDS,
                                               [FORM_U01] = BAILEY_POINTS_FORM_UNIFORMS,
                                               [FORM_NORMAL] = BAILEY_POINTS_FORM_NORMALS};
    const struct point_places at = {.order = first + ORDER,
                                    .word_bits = first + WORD_BITS,
                                    .scramble = first + SCRAMBLE,
                                    .replicate = first + REPLICATE,
                                    .order_name = "--order says which points"};
    uint64_t dims = 1, first_dim = 0;
    int layout = 0, code;
    if (!a->value[first + POINTS]) return cli_error(CLI_USAGE, "--points N is needed");
    if ((code = points_read_source(a, &at, generator, &draw->source)) ||
        (code = option_u64(a, first + POINTS, 1, UINT64_MAX, &draw->point_count)) ||
        (code = option_u64(a, first + FIRST, 0, UINT64_MAX, &draw->first_point)) ||
        (code = option_u64(a, first + DIMS, 1, BAILEY_POINTS_MAX_DIMS, &dims)) ||
        (code = option_u64(a, first + FIRST_DIM, 0, BAILEY_POINTS_MAX_DIMS - 1, &first_dim)) ||
        (code = option_choice(a, first + POINT_LAYOUT, layouts, &layout)))
        return code;
    if (first_dim + dims > BAILEY_POINTS_MAX_DIMS)
        return cli_error(CLI_USAGE, "--first-dim: %s and %s dimensions are beyond the last, %s",
                         cli_count(first_dim), a->value[first + DIMS] ? a->value[first + DIMS] : "1",
                         cli_count(BAILEY_POINTS_MAX_DIMS));
    if (draw->point_count - 1 > UINT64_MAX - draw->first_point)
        return cli_error(CLI_USAGE, "--points: there are 2^64 of them");
    draw->points =
        (bailey_points_params){.form = forms[draw->form],
                               .layout = (bailey_points_layout)layout,
                               .precision = draw->form == FORM_U32 ? BAILEY_PRECISION_F32 : draw->precision,
                               .first_dim = (uint32_t)first_dim,
                               .dims = (uint32_t)dims};
    return CLI_OK;
}

void points_json(struct json *json, const struct draw *draw)
{
    const bailey_source *source = &draw->source;
    json_text(json, "generator", bailey_generator_name(source->generator));
    json_text(json, "verdict", bailey_generator_verdict(source->generator));
    json_count(json, "points", draw->point_count);
    json_count(json, "dims", draw->points.dims);
    json_count(json, "first", draw->first_point);
    json_count(json, "first_dim", draw->points.first_dim);
    json_text(json, "layout", layouts[draw->points.layout]);
    json_text(json, "point_order", option_point_orders[source->point_order]);
    json_count(json, "word_bits", source->word_bits);
    json_text(json, "scramble", option_scrambles[source->scramble]);
    json_count(json, "seed", source->seed);
    json_count(json, "stream", source->stream);
}
