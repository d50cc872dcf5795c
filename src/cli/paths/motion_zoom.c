/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "motion_zoom.h"

#include <cli/plot/plot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS = 7, STEPS_LOG2 = 9, STEPS = 1 << STEPS_LOG2, PANEL_HEIGHT = 110, PANEL_GAP = 34 };

struct zoom {
    uint64_t first[PANELS], step[PANELS]; /* ticks */
    double value[PANELS][STEPS + 1];
};

/* The ticks of each panel: half as many as those of the one before, around the same time as far as the panel
 * before allows. */
static void find_ticks(struct zoom *zoom, uint32_t levels, uint64_t around, uint64_t *ticks)
{
    for (int p = 0; p < PANELS; p++) {
        const uint64_t step = (uint64_t)1 << (levels - STEPS_LOG2 - (uint32_t)p), length = step * STEPS;
        uint64_t first = around > length / 2 ? (around - length / 2) / step * step : 0;
        if (p && first < zoom->first[p - 1]) first = zoom->first[p - 1];
        const uint64_t last = p ? zoom->first[p - 1] + 2 * length : length;
        if (first > last - length) first = last - length;
        zoom->first[p] = first;
        zoom->step[p] = step;
        for (uint64_t i = 0; i <= STEPS; i++) ticks[(uint64_t)p * (STEPS + 1) + i] = first + i * step;
    }
}

static int find_values(struct zoom *zoom, const struct motion_request *r, bailey_context *context,
                       bailey_motion *motion)
{
    enum { COUNT = PANELS * (STEPS + 1) };
    static uint64_t ticks[COUNT];
    const size_t element = r->params.precision == BAILEY_PRECISION_F64 ? 8 : 4,
                 bytes = COUNT * r->params.dims * element;
    bailey_buffer *buffer = NULL;
    uint64_t around = 0;
    char *x = malloc(bytes);
    int code = x ? CLI_OK : cli_memory_error("the picture", bytes);
    if (!code) code = cli_check(bailey_motion_tick(motion, r->zoom, &around), "--zoom");
    find_ticks(zoom, r->params.depth, around, ticks);
    if (!code) code = cli_check(bailey_buffer_create(context, bytes, &buffer), "memory of the picture");
    if (!code)
        code = cli_check(bailey_motion_values(motion, &r->source, ticks, COUNT, r->first_path, 1, buffer),
                         "the path");
    if (!code) code = cli_check(bailey_buffer_read(buffer, 0, x, bytes), "the path");
    for (int i = 0; i < COUNT && !code; i++)
        zoom->value[i / (STEPS + 1)][i % (STEPS + 1)] =
            element == 8 ? ((const double *)(const void *)x)[(uint64_t)i * r->params.dims]
                         : (double)((const float *)(const void *)x)[(uint64_t)i * r->params.dims];
    bailey_buffer_destroy(buffer);
    free(x);
    return code;
}

static double at_x(double share) { return SVG_LEFT + share * (SVG_WIDTH - SVG_LEFT - SVG_RIGHT); }

static int draw_panel(struct output *output, const struct zoom *zoom, int p, bailey_motion *motion)
{
    const double top = SVG_TOP + p * (PANEL_HEIGHT + PANEL_GAP);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        low = fmin(low, zoom->value[p][i]);
        high = fmax(high, zoom->value[p][i]);
    }
    if (!(high > low)) high = low + 1;
    int code = output_print(output, "<line class=\"axis\" x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\"/>\n",
                            SVG_LEFT, top + PANEL_HEIGHT, SVG_WIDTH - SVG_RIGHT, top + PANEL_HEIGHT);
    if (!code && p + 1 < PANELS) { /* what the next panel shows */
        const double span = (double)zoom->step[p] * STEPS;
        const double from = (double)(zoom->first[p + 1] - zoom->first[p]) / span;
        code = output_print(output,
                            "<rect class=\"part\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"/>\n",
                            at_x(from), top, at_x(from + 0.5) - at_x(from), PANEL_HEIGHT);
    }
    if (!code) code = output_print(output, "<polyline class=\"path\" points=\"");
    for (int i = 0; i <= STEPS && !code; i++)
        code = output_print(output, "%.2f,%.2f ", at_x((double)i / STEPS),
                            top + PANEL_HEIGHT - 4 -
                                (zoom->value[p][i] - low) / (high - low) * (PANEL_HEIGHT - 8));
    char first[40], last[40];
    cli_shortest_f64(first, sizeof first, bailey_motion_time(motion, zoom->first[p]));
    cli_shortest_f64(last, sizeof last, bailey_motion_time(motion, zoom->first[p] + STEPS * zoom->step[p]));
    return code
               ? code
               : output_print(
                     output,
                     "\"/>\n<text x=\"%d\" y=\"%.0f\">%s</text><text x=\"%d\" y=\"%.0f\" "
                     "text-anchor=\"end\">%s</text><text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%.3g</text>"
                     "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%.3g</text>\n",
                     SVG_LEFT, top + PANEL_HEIGHT + 17, first, SVG_WIDTH - SVG_RIGHT, top + PANEL_HEIGHT + 17,
                     last, SVG_LEFT - 8, top + 12, high, SVG_LEFT - 8, top + PANEL_HEIGHT, low);
}

int motion_zoom(struct output *output, const struct motion_request *r, bailey_context *context,
                bailey_motion *motion)
{
    static struct zoom zoom;
    char subtitle[200];
    if (r->params.depth < STEPS_LOG2 + PANELS - 1)
        return cli_error(CLI_USAGE, "--depth: a picture of six octaves takes at least %d",
                         STEPS_LOG2 + PANELS - 1);
    snprintf(
        subtitle, sizeof subtitle, "path %llu \u00b7 seed %llu%s \u00b7 each panel is half of the one above",
        (unsigned long long)r->first_path, (unsigned long long)r->source.seed, source_remark(&r->source));
    const struct svg_frame frame = {.title = "Brownian motion, closer and closer",
                                    .subtitle = subtitle,
                                    .style = "  .path { fill: none; stroke: #1f5fbf; stroke-width: 1.1 }\n"
                                             "  .part { fill: #1f5fbf; opacity: 0.08 }\n",
                                    .dark = "    .path { stroke: #7fb2ff } .part { fill: #7fb2ff }\n",
                                    .height = SVG_TOP + PANELS * (PANEL_HEIGHT + PANEL_GAP)};
    int code = find_values(&zoom, r, context, motion);
    if (!code) code = svg_begin(output, &frame);
    for (int p = 0; p < PANELS && !code; p++) code = draw_panel(output, &zoom, p, motion);
    return code ? code : output_print(output, "</svg>\n");
}
