/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The picture of `bailey motion`, as data. A motion gives its value at any tick, so one call of the library
 * serves all panels.
 */
#include "motion_request.h"

#include <cli/plot/plot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Steps of less than two pixels: a path has no visible straight line at any scale. */
enum { PANELS = 7, STEPS_LOG2 = 9, STEPS = 1 << STEPS_LOG2, PANEL_HEIGHT = 110, PANEL_GAP = 38 };

struct zoom {
    uint64_t first[PANELS], step[PANELS]; /* ticks */
    double time[PANELS][STEPS + 1], value[PANELS][STEPS + 1];
    double part[PANELS][2]; /* what the next panel shows */
    struct plot_panel panel[PANELS];
    struct plot_series series[PANELS][2];
};

/* The ticks of each panel: half as many as in the previous one, around the same time as far as the panel
 * before allows. */
static void find_ticks(struct zoom *zoom, uint32_t depth, uint64_t around, uint64_t *ticks)
{
    for (int p = 0; p < PANELS; p++) {
        const uint64_t step = (uint64_t)1 << (depth - STEPS_LOG2 - (uint32_t)p), length = step * STEPS;
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
        zoom->value[i / (STEPS + 1)][i % (STEPS + 1)] = cli_element(x, element, (uint64_t)i * r->params.dims);
    bailey_buffer_destroy(buffer);
    free(x);
    return code;
}

/* One path, and the part of the time that the next panel shows. */
static void make_panel(struct zoom *zoom, int p, bailey_motion *motion)
{
    static const double whole[2] = {INFINITY, INFINITY}, bottom[2] = {-INFINITY, -INFINITY};
    struct plot_series *series = zoom->series[p];
    uint64_t count = 0;
    for (uint64_t i = 0; i <= STEPS; i++)
        zoom->time[p][i] = bailey_motion_time(motion, zoom->first[p] + i * zoom->step[p]);
    if (p + 1 < PANELS) {
        for (int end = 0; end < 2; end++)
            zoom->part[p][end] =
                bailey_motion_time(motion, zoom->first[p + 1] + (end ? STEPS * zoom->step[p + 1] : 0));
        series[count++] = (struct plot_series){
            .style = "part", .shape = PLOT_BAND, .points = 2, .x = zoom->part[p], .y = whole, .low = bottom};
    }
    series[count++] =
        (struct plot_series){.style = "path", .points = STEPS + 1, .x = zoom->time[p], .y = zoom->value[p]};
    zoom->panel[p] = (struct plot_panel){.left = PLOT_LEFT,
                                         .top = PLOT_TOP + p * (PANEL_HEIGHT + PANEL_GAP),
                                         .width = PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT,
                                         .height = PANEL_HEIGHT,
                                         .x = {.low = zoom->time[p][0], .high = zoom->time[p][STEPS]},
                                         .y = {.name = "W(t)"},
                                         .series = series,
                                         .series_count = count};
}

int motion_zoom(struct output *output, const struct motion_request *r, bailey_context *context,
                bailey_motion *motion)
{
    static struct zoom zoom;
    char subtitle[200];
    if (r->params.depth < STEPS_LOG2 + PANELS - 1)
        return cli_error(CLI_USAGE, "--depth: a picture of six octaves needs at least %d",
                         STEPS_LOG2 + PANELS - 1);
    snprintf(
        subtitle, sizeof subtitle, "path %llu \u00b7 seed %llu%s \u00b7 each panel is half of the one above",
        (unsigned long long)r->first_path, (unsigned long long)r->source.seed, source_remark(&r->source));
    const struct plot plot = {.title = "Brownian motion, closer and closer",
                              .subtitle = subtitle,
                              .style = "  .path { fill: none; stroke: #1f5fbf; stroke-width: 1.1 }\n"
                                       "  .part { fill: #1f5fbf; opacity: 0.08 }\n",
                              .dark = "    .path { stroke: #7fb2ff } .part { fill: #7fb2ff }\n",
                              .panels = zoom.panel,
                              .panel_count = PANELS};
    const int code = find_values(&zoom, r, context, motion);
    if (code) return code;
    for (int p = 0; p < PANELS; p++) make_panel(&zoom, p, motion);
    zoom.panel[PANELS - 1].x.name = "time t";
    return plot_write(output, &plot);
}
