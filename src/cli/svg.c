/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "svg.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, LEFT = 78, RIGHT = 24, TOP = 82, BOTTOM = 58, GAP = 26 };

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

static int head(struct output *output, const struct svg *svg, int height)
{
    int code =
        output_print(output,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                     "height=\"%d\" role=\"img\" "
                     "aria-label=\"%s\">\n"
                     "<title>%s</title>\n"
                     "<style>\n"
                     "  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, "
                     "sans-serif; fill: #4a5260 }\n"
                     "  .title { font-size: 20px; font-weight: 600; fill: #1c2230 }\n"
                     "  .back { fill: #ffffff }\n"
                     "  .grid { stroke: #e3e6eb; stroke-width: 1 }\n"
                     "  .axis { stroke: #8b93a1; stroke-width: 1 }\n"
                     "  .path { fill: none; stroke: #33669e; stroke-width: 0.9; stroke-opacity: 0.38; "
                     "stroke-linejoin: round }\n"
                     "  .outer { fill: #e58a2b; fill-opacity: 0.16 }\n"
                     "  .inner { fill: #e58a2b; fill-opacity: 0.24 }\n"
                     "  .edge { fill: none; stroke: #d97a17; stroke-width: 1.2; stroke-opacity: 0.8 }\n"
                     "  .median { fill: none; stroke: #b8400e; stroke-width: 2.2 }\n",
                     WIDTH, height, WIDTH, height, svg->title, svg->title);
    if (!code)
        code = output_print(
            output,
            "  @media (prefers-color-scheme: dark) {\n"
            "    text { fill: #b4bcc9 } .title { fill: #f0f3f8 } .back { fill: #12161d }\n"
            "    .grid { stroke: #262d38 } .axis { stroke: #6b7585 }\n"
            "    .path { stroke: #79b4f2 } .edge { stroke: #f2a54a } .median { stroke: #ffc07a }\n"
            "  }\n"
            "</style>\n"
            "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n"
            "<text class=\"title\" x=\"%d\" y=\"32\">%s</text>\n"
            "<text x=\"%d\" y=\"54\">%s</text>\n",
            WIDTH, height, LEFT, svg->title, LEFT, svg->subtitle);
    return code;
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
    char name[80];
    if (svg->panels > 1)
        snprintf(name, sizeof name, "%s %u", "dimension", (unsigned)panel + 1);
    else
        snprintf(name, sizeof name, "%s", svg->axis);
    double middle = (y->from + y->to) / 2;
    return output_print(
        output,
        "<text x=\"18\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 18 %.1f)\">%s</text>\n"
        "<path class=\"axis\" fill=\"none\" d=\"M%d,%.1fV%.1fH%d\"/>\n",
        middle, middle, name, LEFT, y->to, y->from, WIDTH - RIGHT);
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

/* Room for a panel: quantiles [points][QUANTILES], then which points have any. */
struct panel {
    double *q, *copy;
    char *known;
};

static int draw_panel(struct output *output, const struct svg *svg, const struct scale *x, int top,
                      int height, uint64_t index, struct panel *panel)
{
    double *values = svg->values + index * svg->points * svg->paths;
    uint64_t fan = svg->panels == 1 ? 60 : svg->panels <= 3 ? 40 : 24;
    double low = INFINITY, high = -INFINITY;
    int code = 0;
    if (fan > svg->paths) fan = svg->paths;
    for (uint64_t i = 0; i < svg->points; i++) {
        double *at = values + i * svg->paths;
        memcpy(panel->copy, at, (size_t)svg->paths * sizeof *at);
        panel->known[i] = (char)quantiles(panel->copy, svg->paths, panel->q + i * QUANTILES);
        for (int k = 0; k < QUANTILES && !panel->known[i]; k++) panel->q[i * QUANTILES + (uint64_t)k] = NAN;
        for (uint64_t p = 0; p < fan; p++) {
            low = isfinite(at[p]) && at[p] < low ? at[p] : low;
            high = isfinite(at[p]) && at[p] > high ? at[p] : high;
        }
        if (panel->known[i]) {
            low = panel->q[i * QUANTILES + Q05] < low ? panel->q[i * QUANTILES + Q05] : low;
            high = panel->q[i * QUANTILES + Q95] > high ? panel->q[i * QUANTILES + Q95] : high;
        }
    }
    if (!(low <= high)) low = high = 0;
    widen(&low, &high);
    const struct scale y = {low, high, (double)(top + height), (double)top};
    if ((code = vertical_axis(output, svg, &y, index))) return code;
    if (svg->paths >= 20 && (code = band(output, "outer", svg, x, &y, panel->q, panel->known, Q05, Q95)))
        return code;
    if (svg->paths >= 20 && (code = band(output, "inner", svg, x, &y, panel->q, panel->known, Q25, Q75)))
        return code;
    for (uint64_t p = 0; p < fan; p++) {
        if ((code = line(output, "path", svg, x, &y, values + p, svg->paths))) return code;
    }
    if (svg->paths >= 20) {
        if ((code = line(output, "edge", svg, x, &y, panel->q + Q05, QUANTILES)) ||
            (code = line(output, "edge", svg, x, &y, panel->q + Q95, QUANTILES)) ||
            (code = line(output, "median", svg, x, &y, panel->q + Q50, QUANTILES)))
            return code;
    }
    return CLI_OK;
}

static int draw(struct output *output, const struct svg *svg, struct panel *panel)
{
    int panels = (int)svg->panels, tops[SVG_PANELS_MAX];
    int panel_height = panels == 1 ? 400 : panels == 2 ? 230 : panels == 3 ? 180 : 140;
    int bottom = TOP + panels * panel_height + (panels - 1) * GAP;
    for (int i = 0; i < panels; i++) tops[i] = TOP + i * (panel_height + GAP);
    struct scale x = {svg->times[0], svg->times[svg->points - 1], LEFT, WIDTH - RIGHT};
    if (!(x.low < x.high)) {
        x.low -= 0.5;
        x.high += 0.5;
    }
    int code = head(output, svg, bottom + BOTTOM);
    if (!code && svg->paths >= 20) code = legend(output, bottom + 42);
    if (!code) code = horizontal_axis(output, &x, bottom, tops, panels, panel_height);
    for (int i = 0; i < panels && !code; i++)
        code = draw_panel(output, svg, &x, tops[i], panel_height, (uint64_t)i, panel);
    return code ? code : output_print(output, "</svg>\n");
}

int svg_write(struct output *output, const struct svg *svg)
{
    struct panel panel;
    panel.q = malloc((size_t)svg->points * QUANTILES * sizeof *panel.q);
    panel.copy = malloc((size_t)svg->paths * sizeof *panel.copy);
    panel.known = malloc((size_t)svg->points);
    int code = panel.q && panel.copy && panel.known ? draw(output, svg, &panel)
                                                    : cli_memory_error("the picture", svg->paths * 8);
    free(panel.q);
    free(panel.copy);
    free(panel.known);
    return code;
}
