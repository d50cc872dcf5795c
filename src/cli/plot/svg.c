/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "plot.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = SVG_WIDTH,
    LEFT = SVG_LEFT,
    RIGHT = SVG_RIGHT,
    TOP = SVG_TOP,
    BOTTOM = 58,
    GAP = 26,
    NAME = 18
};

/* The quantiles drawn. */
enum { Q05, Q25, Q50, Q75, Q95, QUANTILES };
static const unsigned percent[QUANTILES] = {5, 25, 50, 75, 95};

struct scale {
    double low, high; /* of the data */
    double from, to;  /* of the picture */
};

static double place(const struct scale *scale, double value)
{
    /* Halves, so that the difference of two huge numbers does not overflow. */
    double part = (value / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);
    return scale->from + part * (scale->to - scale->from);
}

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

/* The largest of 1, 2, 5 times a power of ten such that at most `most` steps make `range`. */
static double tick_step(double range, int most, int *decimals)
{
    static const char *const factors[] = {"1", "2", "5"};
    for (int exponent = -320; exponent <= 308; exponent++) {
        for (int f = 0; f < 3; f++) {
            char text[16];
            snprintf(text, sizeof text, "%se%d", factors[f], exponent);
            double step = strtod(text, NULL);
            if (step > 0 && range / step <= (double)most) {
                *decimals = exponent < 0 ? -exponent : 0;
                return step;
            }
        }
    }
    *decimals = 0;
    return range;
}

static void tick_label(char *text, size_t size, double value, double step, double largest, int decimals)
{
    if (fabs(value) < step / 4) value = 0;
    if (decimals <= 6 && largest < 1e7)
        snprintf(text, size, "%.*f", decimals, value);
    else
        snprintf(text, size, "%.6g", value);
}

/* The first multiple of `step` that is at least `low`. */
static double first_tick(double low, double step)
{
    double ratio = low / step;
    if (fabs(ratio) > 1e15) return low;
    double whole = (double)(long long)ratio;
    if (whole < ratio) whole += 1;
    return whole * step;
}

static void widen(double *low, double *high)
{
    if (!(*low < *high)) {
        double by = fabs(*low) > 0 ? fabs(*low) / 2 : 1;
        *low = isfinite(*low - by) ? *low - by : -DBL_MAX;
        *high = isfinite(*high + by) ? *high + by : DBL_MAX;
    }
    double margin = (*high / 2 - *low / 2) * 0.1;
    if (isfinite(*low - margin) && isfinite(*high + margin)) {
        *low -= margin;
        *high += margin;
    }
}

/* Few paths are drawn stronger than many. */
static void path_style(char *style, size_t size, uint64_t drawn)
{
    const double width = drawn == 1 ? 1.8 : drawn <= 5 ? 1.4 : drawn <= 20 ? 1.1 : 0.9;
    const double opacity = drawn == 1 ? 1 : drawn <= 5 ? 0.85 : drawn <= 20 ? 0.6 : 0.38;
    snprintf(style, size,
             "  .path { fill: none; stroke: #33669e; stroke-width: %.1f; stroke-opacity: %.2f; "
             "stroke-linejoin: round }\n",
             width, opacity);
}

static int head(struct output *output, const struct svg *svg, int height)
{
    char style[600];
    const int used =
        snprintf(style, sizeof style,
                 "  .outer { fill: #e58a2b; fill-opacity: 0.16 }\n"
                 "  .inner { fill: #e58a2b; fill-opacity: 0.24 }\n"
                 "  .edge { fill: none; stroke: #d97a17; stroke-width: 1.2; stroke-opacity: 0.8 }\n"
                 "  .median { fill: none; stroke: #b8400e; stroke-width: 2.2 }\n");
    path_style(style + used, sizeof style - (size_t)used, svg_drawn(svg->panels, svg->paths));
    const struct svg_frame frame = {
        .title = svg->title,
        .subtitle = svg->subtitle,
        .height = height,
        .style = style,
        .dark = "    .path { stroke: #79b4f2 } .edge { stroke: #f2a54a } .median { stroke: #ffc07a }\n"};
    return svg_begin(output, &frame);
}

/* In the line of the axis' name, where no title is too long for it. */
static int legend(struct output *output, int y)
{
    static const struct {
        const char *name;
        int at, bands;
    } swatches[] = {{"25\u201375 %", 98, 2}, {"5\u201395 %", 206, 1}};
    int x = WIDTH - RIGHT - 286;
    int code = output_print(output,
                            "<line class=\"median\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
                            "<text x=\"%d\" y=\"%d\">median</text>\n",
                            x, y - 4, x + 22, y - 4, x + 28, y);
    for (int i = 0; i < 2 && !code; i++) {
        int left = x + swatches[i].at;
        for (int band = 0; band < swatches[i].bands && !code; band++)
            code = output_print(output, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"22\" height=\"14\"/>",
                                band ? "inner" : "outer", left, y - 11);
        if (!code)
            code =
                output_print(output, "<text x=\"%d\" y=\"%d\">%s</text>\n", left + 28, y, swatches[i].name);
    }
    return code;
}

static int horizontal_axis(struct output *output, const struct scale *x, int bottom, const int *tops,
                           int panels, int panel_height)
{
    int decimals, code = 0;
    double step = tick_step(x->high - x->low, 10, &decimals);
    double largest = fabs(x->low) > fabs(x->high) ? fabs(x->low) : fabs(x->high);
    double first = first_tick(x->low, step);
    for (int i = 0; i < 12 && !code; i++) {
        double value = first + i * step, at = place(x, value);
        if (!(value <= x->high + step / 1000)) break;
        char label[40];
        tick_label(label, sizeof label, value, step, largest, decimals);
        for (int panel = 0; panel < panels && !code; panel++)
            code =
                output_print(output, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
                             at, tops[panel], at, tops[panel] + panel_height);
        if (!code)
            code = output_print(output, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at,
                                bottom + 20, label);
    }
    if (!code)
        code = output_print(output, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">time</text>\n",
                            (x->from + x->to) / 2, bottom + 42);
    return code;
}

static int panel_name(struct output *output, const struct svg *svg, uint64_t panel, double y)
{
    char name[300], number[40];
    snprintf(number, sizeof number, "dimension %u", (unsigned)panel + 1);
    svg_escape(name, sizeof name, svg->names ? svg->names[panel] : number);
    return output_print(output, "<text class=\"name\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT, y, name);
}

static int vertical_axis(struct output *output, const struct svg *svg, const struct scale *y, uint64_t panel)
{
    double height = y->from - y->to;
    int decimals, code = 0;
    double range = y->high - y->low;
    double step = tick_step(isfinite(range) ? range : 1.7e308, height > 200 ? 9 : 5, &decimals);
    double largest = fabs(y->low) > fabs(y->high) ? fabs(y->low) : fabs(y->high);
    double first = first_tick(y->low, step);
    for (int i = 0; i < 12 && !code; i++) {
        double value = first + i * step, at = place(y, value);
        if (!(value <= y->high)) break;
        char label[40];
        tick_label(label, sizeof label, value, step, largest, decimals);
        code = output_print(output,
                            "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                            LEFT, at, WIDTH - RIGHT, at, LEFT - 8, at + 4.5, label);
    }
    if (code) return code;
    double middle = (y->from + y->to) / 2;
    code = output_print(
        output,
        "<text x=\"18\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 18 %.1f)\">%s</text>\n"
        "<path class=\"axis\" fill=\"none\" d=\"M%d,%.1fV%.1fH%d\"/>\n",
        middle, middle, svg->axis, LEFT, y->to, y->from, WIDTH - RIGHT);
    return code || svg->panels == 1 ? code : panel_name(output, svg, panel, y->to - 8);
}

/* The path of a line through points whose values are finite; `stride` between values. */
static int line(struct output *output, const char *kind, const struct svg *svg, const struct scale *x,
                const struct scale *y, const double *values, uint64_t stride)
{
    int code = 0, pen = 0, begun = 0;
    for (uint64_t i = 0; i < svg->points && !code; i++) {
        double value = values[i * stride];
        if (!isfinite(value)) {
            pen = 0;
            continue;
        }
        if (!begun) code = output_print(output, "<path class=\"%s\" d=\"", kind);
        begun = 1;
        if (!code)
            code = output_print(output, "%s%.1f,%.1f", pen ? " " : "M", place(x, svg->times[i]),
                                place(y, value));
        pen = 1;
    }
    if (begun && !code) code = output_print(output, "\"/>\n");
    return code;
}

static int band(struct output *output, const char *kind, const struct svg *svg, const struct scale *x,
                const struct scale *y, const double *q, const char *known, int low, int high)
{
    int code = 0, begun = 0;
    for (uint64_t side = 0; side < 2; side++) {
        for (uint64_t n = 0; n < svg->points && !code; n++) {
            uint64_t i = side ? svg->points - 1 - n : n;
            if (!known[i]) continue;
            if (!begun) code = output_print(output, "<path class=\"%s\" d=\"M", kind);
            if (!code)
                code = output_print(output, "%s%.1f,%.1f", begun ? " " : "", place(x, svg->times[i]),
                                    place(y, q[i * QUANTILES + (uint64_t)(side ? low : high)]));
            begun = 1;
        }
    }
    return begun && !code ? output_print(output, "z\"/>\n") : code;
}

uint64_t svg_drawn(uint64_t panels, uint64_t paths)
{
    const uint64_t most = panels == 1 ? 60 : panels <= 3 ? 40 : 24;
    return paths < most ? paths : most;
}

/* What is drawn of a panel besides the paths: quantiles [points][QUANTILES], and which points have any. */
struct bands {
    double *q;
    char *known;
};

/* Room for [panels][points] of both, and for the values of a point. */
struct room {
    struct bands bands;
    double *copy;
};

static struct bands bands_of(const struct room *room, const struct svg *svg, uint64_t panel)
{
    const uint64_t at = panel * svg->points;
    const struct bands bands = {room->bands.q + at * QUANTILES, room->bands.known + at};
    return bands;
}

static int has_bands(const struct svg *svg) { return svg->paths >= SVG_BANDS_MIN; }

static void find_bands(const struct svg *svg, const double *values, const struct bands *bands, double *copy)
{
    for (uint64_t i = 0; i < svg->points; i++) {
        double *q = bands->q + i * QUANTILES;
        memcpy(copy, values + i * svg->paths, (size_t)svg->paths * sizeof *copy);
        bands->known[i] = (char)quantiles(copy, svg->paths, q);
        for (int k = 0; k < QUANTILES && !bands->known[i]; k++) q[k] = NAN;
    }
}

static void include(double value, double *low, double *high)
{
    if (!isfinite(value)) return;
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

/* The range of what is drawn of a panel. */
static void find_range(const struct svg *svg, const double *values, const struct bands *bands, double *low,
                       double *high)
{
    const uint64_t drawn = svg_drawn(svg->panels, svg->paths);
    *low = INFINITY;
    *high = -INFINITY;
    for (uint64_t i = 0; i < svg->points; i++) {
        for (uint64_t p = 0; p < drawn; p++) include(values[i * svg->paths + p], low, high);
        if (!has_bands(svg)) continue;
        include(bands->q[i * QUANTILES + Q05], low, high);
        include(bands->q[i * QUANTILES + Q95], low, high);
    }
    if (!(*low <= *high)) *low = *high = 0;
}

/* The one range of all panels, from their references; false if it is empty or beyond the largest double. */
static int shared_range(const struct svg *svg, const double *lows, const double *highs, double *low,
                        double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint64_t i = 0; i < svg->panels; i++) {
        const double reference = svg->reference[i];
        const double from = svg->relative ? lows[i] / reference : lows[i] - reference;
        const double to = svg->relative ? highs[i] / reference : highs[i] - reference;
        if (!isfinite(from) || !isfinite(to)) return 0;
        include(from, low, high);
        include(to, low, high);
    }
    return *low < *high;
}

/* Makes of the ranges of the panels' data those of their axes, with a margin. */
static void share_scale(const struct svg *svg, double *lows, double *highs)
{
    double low, high;
    const int shared = shared_range(svg, lows, highs, &low, &high);
    if (shared) widen(&low, &high);
    if (svg->relative && low < 0) low = 0; /* prices are positive */
    for (uint64_t i = 0; i < svg->panels; i++) {
        const double reference = svg->reference[i];
        const double from = svg->relative ? low * reference : low + reference;
        const double to = svg->relative ? high * reference : high + reference;
        if (shared && from < to && isfinite(from) && isfinite(to)) {
            lows[i] = from;
            highs[i] = to;
        } else {
            widen(&lows[i], &highs[i]);
        }
    }
}

static int draw_panel(struct output *output, const struct svg *svg, const struct scale *x,
                      const struct scale *y, uint64_t panel, const struct bands *b)
{
    const double *values = svg->values + panel * svg->points * svg->paths;
    const uint64_t drawn = svg_drawn(svg->panels, svg->paths);
    int code = vertical_axis(output, svg, y, panel);
    if (!code && has_bands(svg)) {
        code = band(output, "outer", svg, x, y, b->q, b->known, Q05, Q95);
        if (!code) code = band(output, "inner", svg, x, y, b->q, b->known, Q25, Q75);
    }
    for (uint64_t p = 0; p < drawn && !code; p++)
        code = line(output, "path", svg, x, y, values + p, svg->paths);
    if (code || !has_bands(svg)) return code;
    if ((code = line(output, "edge", svg, x, y, b->q + Q05, QUANTILES)) ||
        (code = line(output, "edge", svg, x, y, b->q + Q95, QUANTILES)))
        return code;
    return line(output, "median", svg, x, y, b->q + Q50, QUANTILES);
}

static int draw_panels(struct output *output, const struct svg *svg, const struct scale *x, const int *tops,
                       int height, const struct room *room)
{
    double lows[SVG_PANELS_MAX], highs[SVG_PANELS_MAX];
    int code = CLI_OK;
    for (uint64_t i = 0; i < svg->panels; i++) {
        const double *values = svg->values + i * svg->points * svg->paths;
        const struct bands bands = bands_of(room, svg, i);
        if (has_bands(svg)) find_bands(svg, values, &bands, room->copy);
        find_range(svg, values, &bands, &lows[i], &highs[i]);
    }
    share_scale(svg, lows, highs);
    for (uint64_t i = 0; i < svg->panels && !code; i++) {
        const struct scale y = {lows[i], highs[i], (double)(tops[i] + height), (double)tops[i]};
        const struct bands bands = bands_of(room, svg, i);
        code = draw_panel(output, svg, x, &y, i, &bands);
    }
    return code;
}

static int draw(struct output *output, const struct svg *svg, const struct room *room)
{
    int panels = (int)svg->panels, tops[SVG_PANELS_MAX], name = panels > 1 ? NAME : 0;
    int panel_height = panels == 1 ? 400 : panels == 2 ? 230 : panels == 3 ? 180 : 140;
    for (int i = 0; i < panels; i++) tops[i] = TOP + name + i * (panel_height + GAP + name);
    int bottom = tops[panels - 1] + panel_height;
    struct scale x = {svg->times[0], svg->times[svg->points - 1], LEFT, WIDTH - RIGHT};
    if (!(x.low < x.high)) {
        x.low -= 0.5;
        x.high += 0.5;
    }
    int code = head(output, svg, bottom + BOTTOM);
    if (!code && has_bands(svg)) code = legend(output, bottom + 42);
    if (!code) code = horizontal_axis(output, &x, bottom, tops, panels, panel_height);
    if (!code) code = draw_panels(output, svg, &x, tops, panel_height, room);
    return code ? code : output_print(output, "</svg>\n");
}

int svg_write(struct output *output, const struct svg *svg)
{
    const size_t points = (size_t)(svg->panels * svg->points);
    struct room room = {{malloc(points * QUANTILES * sizeof(double)), malloc(points)},
                        malloc((size_t)svg->paths * sizeof(double))};
    int code = room.bands.q && room.bands.known && room.copy
                   ? draw(output, svg, &room)
                   : cli_memory_error("the picture", svg->paths * 8);
    free(room.bands.q);
    free(room.bands.known);
    free(room.copy);
    return code;
}
