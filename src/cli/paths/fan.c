/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The picture of `bailey paths`, as data: which paths are drawn, the quantiles of all of them, and the scale
 * that the panels share.
 */
#include "paths_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 28, NAME = 22 }; /* between panels, and for the name of one */

/* The quantiles drawn. */
enum { Q05, Q25, Q50, Q75, Q95, QUANTILES };
static const unsigned percent[QUANTILES] = {5, 25, 50, 75, 95};

/* For a panel: its paths, two bands, their edges and the median. */
enum { DRAWN_MAX = 60, SERIES_MAX = DRAWN_MAX + 5 };

/* ---- Quantiles ----------------------------------------------------------------------------------- */

/* Hoare's selection: afterwards values[k] is the k-th smallest. No NaN. */
static double select_kth(double *values, int64_t count, int64_t k)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i <= j) {
                double swap = values[i];
                values[i++] = values[j];
                values[j--] = swap;
            }
        }
        /* [low .. j] <= pivot, between them = pivot, [i .. high] >= pivot */
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return values[k];
}

/* Quantiles of the finite values; false if there is none. */
static int quantiles(double *values, uint64_t count, double q[QUANTILES])
{
    uint64_t finite = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (isfinite(values[i])) values[finite++] = values[i];
    }
    if (!finite) return 0;
    for (int i = 0; i < QUANTILES; i++) {
        uint64_t k = (finite - 1) * percent[i] / 100;
        q[i] = select_kth(values, (int64_t)finite, (int64_t)k);
    }
    return 1;
}

/* Quantiles of the values at each point, [points][QUANTILES]; NaN where no value is finite. */
static void find_quantiles(const struct fan *fan, const double *values, double *q, double *copy)
{
    for (uint64_t i = 0; i < fan->points; i++, q += QUANTILES) {
        memcpy(copy, values + i * fan->paths, (size_t)fan->paths * sizeof *copy);
        if (quantiles(copy, fan->paths, q)) continue;
        for (int k = 0; k < QUANTILES; k++) q[k] = NAN;
    }
}

/* ---- Scales -------------------------------------------------------------------------------------- */

/* As many as the eye can still follow in a panel of that height. */
uint64_t fan_drawn(uint64_t panels, uint64_t paths)
{
    const uint64_t most = panels == 1 ? DRAWN_MAX : panels <= 3 ? 40 : 24;
    return paths < most ? paths : most;
}

static int has_bands(const struct fan *fan) { return fan->paths >= FAN_BANDS_MIN; }

/* The range of what is drawn of a panel. */
static void panel_range(const struct fan *fan, const double *values, const double *q, double *low,
                        double *high)
{
    const uint64_t drawn = fan_drawn(fan->panels, fan->paths);
    *low = INFINITY;
    *high = -INFINITY;
    for (uint64_t i = 0; i < fan->points; i++) {
        for (uint64_t p = 0; p < drawn; p++) plot_include(values[i * fan->paths + p], low, high);
        if (!has_bands(fan)) continue;
        plot_include(q[i * QUANTILES + Q05], low, high);
        plot_include(q[i * QUANTILES + Q95], low, high);
    }
    if (!(*low <= *high)) *low = *high = 0;
}

/* The one range of all panels, from their references; false if it is empty or beyond the largest double. */
static int shared_range(const struct fan *fan, const double *lows, const double *highs, double *low,
                        double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint64_t i = 0; i < fan->panels; i++) {
        const double reference = fan->reference[i];
        const double from = fan->relative ? lows[i] / reference : lows[i] - reference;
        const double to = fan->relative ? highs[i] / reference : highs[i] - reference;
        if (!isfinite(from) || !isfinite(to)) return 0;
        plot_include(from, low, high);
        plot_include(to, low, high);
    }
    return *low < *high;
}

/* Turns the range of each panel's data into that of its axis: the same scale for all, with a margin. */
static void share_scale(const struct fan *fan, double *lows, double *highs)
{
    double low, high;
    const int shared = shared_range(fan, lows, highs, &low, &high);
    if (shared) plot_widen(&low, &high);
    if (fan->relative && low < 0) low = 0; /* prices are positive */
    for (uint64_t i = 0; i < fan->panels; i++) {
        const double reference = fan->reference[i];
        const double from = fan->relative ? low * reference : low + reference;
        const double to = fan->relative ? high * reference : high + reference;
        if (shared && from < to && isfinite(from) && isfinite(to)) {
            lows[i] = from;
            highs[i] = to;
        } else {
            plot_widen(&lows[i], &highs[i]);
        }
    }
}

/* ---- Panels and series --------------------------------------------------------------------------- */

/* The contents of the picture. */
struct parts {
    struct plot_panel panel[FAN_PANELS_MAX];
    struct plot_series series[FAN_PANELS_MAX][SERIES_MAX];
    char number[FAN_PANELS_MAX][40]; /* "dimension 1" */
    double low[FAN_PANELS_MAX], high[FAN_PANELS_MAX];
    double *q;    /* [panels][points][QUANTILES] */
    double *copy; /* [paths]: values at one time, which selection reorders */
};

static const double *values_of(const struct fan *fan, uint64_t panel)
{
    return fan->values + panel * fan->points * fan->paths;
}

static void add_line(const struct fan *fan, struct plot_panel *panel, struct plot_series *to,
                     const char *style, const char *name, const double *y, uint64_t stride)
{
    to[panel->series_count++] = (struct plot_series){
        .style = style, .name = name, .points = fan->points, .x = fan->times, .y = y, .stride = stride};
}

static void add_band(const struct fan *fan, struct plot_panel *panel, struct plot_series *to,
                     const char *style, const char *name, const double *low, const double *high)
{
    to[panel->series_count++] = (struct plot_series){.style = style,
                                                     .name = name,
                                                     .shape = PLOT_BAND,
                                                     .points = fan->points,
                                                     .x = fan->times,
                                                     .y = high,
                                                     .low = low,
                                                     .stride = QUANTILES};
}

/* Bands lie below the paths, their edges and the median above. The last panel's names make the legend. */
static void add_series(const struct fan *fan, struct parts *parts, uint64_t p)
{
    struct plot_panel *panel = &parts->panel[p];
    struct plot_series *to = parts->series[p];
    const double *values = values_of(fan, p), *q = parts->q + p * fan->points * QUANTILES;
    const int last = p + 1 == fan->panels;
    panel->series = to;
    if (has_bands(fan)) {
        add_band(fan, panel, to, "outer", last ? "5\u201395 %" : NULL, q + Q05, q + Q95);
        add_band(fan, panel, to, "inner", last ? "25\u201375 %" : NULL, q + Q25, q + Q75);
    }
    for (uint64_t i = 0; i < fan_drawn(fan->panels, fan->paths); i++)
        add_line(fan, panel, to, "path", NULL, values + i, fan->paths);
    if (!has_bands(fan)) return;
    add_line(fan, panel, to, "edge", NULL, q + Q05, QUANTILES);
    add_line(fan, panel, to, "edge", NULL, q + Q95, QUANTILES);
    add_line(fan, panel, to, "median", last ? "median" : NULL, q + Q50, QUANTILES);
}

static const char *panel_title(const struct fan *fan, struct parts *parts, uint64_t p)
{
    if (fan->panels == 1) return NULL;
    if (fan->names) return fan->names[p];
    snprintf(parts->number[p], sizeof parts->number[p], "dimension %u", (unsigned)p + 1);
    return parts->number[p];
}

/* Panels below each other, with one time axis. */
static void make_panels(const struct fan *fan, struct parts *parts)
{
    const int name = fan->panels > 1 ? NAME : 0;
    const int height = fan->panels == 1 ? 400 : fan->panels == 2 ? 230 : fan->panels == 3 ? 180 : 140;
    double first = fan->times[0], last = fan->times[fan->points - 1];
    if (!(first < last)) first -= 0.5, last += 0.5;
    for (uint64_t p = 0; p < fan->panels; p++) {
        double *q = parts->q + p * fan->points * QUANTILES;
        if (has_bands(fan)) find_quantiles(fan, values_of(fan, p), q, parts->copy);
        panel_range(fan, values_of(fan, p), q, &parts->low[p], &parts->high[p]);
    }
    share_scale(fan, parts->low, parts->high);
    for (uint64_t p = 0; p < fan->panels; p++) {
        const int bottom = p + 1 == fan->panels;
        parts->panel[p] = (struct plot_panel){
            .title = panel_title(fan, parts, p),
            .left = PLOT_LEFT,
            .top = PLOT_TOP + name + (int)p * (height + GAP + name),
            .width = PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT,
            .height = height,
            .x = {.name = bottom ? "time" : NULL, .low = first, .high = last, .unlabelled = !bottom},
            .y = {.name = fan->axis, .low = parts->low[p], .high = parts->high[p]}};
        add_series(fan, parts, p);
    }
}

/* The fewer paths, the thicker their lines. */
static void path_style(char *style, size_t size, uint64_t drawn)
{
    const double width = drawn == 1 ? 1.8 : drawn <= 5 ? 1.4 : drawn <= 20 ? 1.1 : 0.9;
    const double opacity = drawn == 1 ? 1 : drawn <= 5 ? 0.85 : drawn <= 20 ? 0.6 : 0.38;
    snprintf(style, size,
             "  .path { fill: none; stroke: #33669e; stroke-width: %.1f; stroke-opacity: %.2f; "
             "stroke-linejoin: round }\n",
             width, opacity);
}

static int draw(struct output *output, const struct fan *fan, const struct parts *parts)
{
    char style[600];
    const int used =
        snprintf(style, sizeof style,
                 "  .outer { fill: #e58a2b; fill-opacity: 0.16 }\n"
                 "  .inner { fill: #e58a2b; fill-opacity: 0.24 }\n"
                 "  .edge { fill: none; stroke: #d97a17; stroke-width: 1.2; stroke-opacity: 0.8 }\n"
                 "  .median { fill: none; stroke: #b8400e; stroke-width: 2.2 }\n");
    path_style(style + used, sizeof style - (size_t)used, fan_drawn(fan->panels, fan->paths));
    const struct plot plot = {
        .title = fan->title,
        .subtitle = fan->subtitle,
        .style = style,
        .dark = "    .path { stroke: #79b4f2 } .edge { stroke: #f2a54a } .median { stroke: #ffc07a }\n",
        .panels = parts->panel,
        .panel_count = fan->panels};
    return plot_write(output, &plot);
}

int fan_write(struct output *output, const struct fan *fan)
{
    struct parts *parts = calloc(1, sizeof *parts);
    int code = CLI_OK;
    if (parts) {
        parts->q = malloc((size_t)(fan->panels * fan->points) * QUANTILES * sizeof *parts->q);
        parts->copy = malloc((size_t)fan->paths * sizeof *parts->copy);
    }
    if (parts && parts->q && parts->copy) {
        make_panels(fan, parts);
        code = draw(output, fan, parts);
    } else {
        code = cli_memory_error("the picture", fan->paths * 8);
    }
    if (parts) free(parts->q), free(parts->copy);
    free(parts);
    return code;
}
