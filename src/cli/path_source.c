/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "path_source.h"

#include "point_options.h"
#include "source_options.h"

#include <bailey/points.h>

#include <stdio.h>
#include <string.h>

enum { PATH_POINT_OPTION_NAMES, PATH_POINT_OPTION_COUNT };

static const char *const assignments[] = {"steps", "factors", "diagonal", NULL}; /* in the library's order */

int source_is_points(const bailey_source *source) { return source->generator == BAILEY_GENERATOR_SOBOL; }

static int refuse_path_points(const struct arguments *a, int first)
{
    for (int i = 0; i < PATH_POINT_OPTION_COUNT; i++)
        if (a->value[first + i])
            return cli_error(CLI_USAGE, "%s: only --generator sobol makes paths of points",
                             a->command->options[first + i].name);
    return CLI_OK;
}

int path_source_read(const struct arguments *a, const struct path_source_options *options,
                     bailey_source *source)
{
    const int first = options->points;
    const struct point_places at = {.order = first + POINT_ORDER,
                                    .word_bits = first + WORD_BITS,
                                    .scramble = first + SCRAMBLE,
                                    .replicate = first + REPLICATE,
                                    .order_name = "--point-order says which points"};
    int assignment = 0, code;
    if (!points_wanted(a, options->generator))
        return (code = refuse_path_points(a, first)) ? code : source_read(a, options->generator, source);
    if (a->value[options->bits]) return cli_error(CLI_USAGE, "--bits: not with sobol; see --word-bits");
    if (a->value[options->normal] &&
        strcmp(a->value[options->normal], option_normals[BAILEY_NORMAL_METHOD_ICDF]))
        return cli_error(CLI_USAGE, "--normal: points take icdf, which keeps how they are spread");
    if ((code = points_read_source(a, &at, options->generator, source)) ||
        (code = option_choice(a, first + ASSIGNMENT, assignments, &assignment)))
        return code;
    source->assignment = (bailey_assignment)assignment;
    return cli_check(bailey_source_check(source, NULL), "sobol");
}

void path_source_json(struct json *json, const bailey_source *source)
{
    if (!source_is_points(source)) {
        source_json(json, source);
        return;
    }
    json_text(json, "generator", bailey_generator_name(source->generator));
    json_text(json, "verdict", bailey_generator_verdict(source->generator));
    json_text(json, "scramble", option_scrambles[source->scramble]);
    json_text(json, "assignment", assignments[source->assignment]);
    json_text(json, "point_order", option_point_orders[source->point_order]);
    json_count(json, "word_bits", source->word_bits);
    json_count(json, "seed", source->seed);
    json_count(json, "stream", source->stream);
}

void path_source_warn(const bailey_source *source, uint64_t first, uint64_t count)
{
    char text[400];
    if (bailey_points_advice(source, first, count, text, sizeof text)) cli_error(CLI_OK, "warning: %s", text);
}

const char *path_source_remark(const bailey_source *source)
{
    static char text[96];
    if (!source_is_points(source)) return source_remark(source);
    snprintf(text, sizeof text, ", sobol (scramble %s, %u bits, %s order, by %s)",
             option_scrambles[source->scramble], (unsigned)source->word_bits,
             option_point_orders[source->point_order], assignments[source->assignment]);
    return text;
}

uint32_t path_source_bits(const bailey_source *source, uint32_t bits, int precision)
{
    return source_is_points(source) ? source->word_bits : option_bits_used(bits, precision);
}
