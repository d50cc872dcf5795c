/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The one place that knows how a picture looks. It writes SVG as text, without a library, so that the program
 * draws wherever it runs; a page, a browser or a README shows the file as it is.
 */
#include "plot.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BELOW = 62,             /* under the last panel: labels, and the axis's name */
    ROUND_TICKS_MAX = 12,   /* of an axis with round numbers */
    TICKS_MAX = 32,         /* of any */
    SUBTITLE_LETTERS = 90,  /* in a line of the usual width */
    LEGEND_MAX = 8,         /* entries: more would cover the lines */
    LETTER = 9              /* the width of a letter, about */
};

/* ---- Text of the file ---------------------------------------------------------------------------- */

/* Where a picture goes. The first error stops it: what follows is not written, so that callers need not
 * check. */
struct canvas {
    struct output *output;
    int code;
};

static void put(struct canvas *canvas, const char *format, ...) CLI_PRINTF(2, 3);

static void put(struct canvas *canvas, const char *format, ...)
{
    char text[3000];
    va_list arguments;
    if (canvas->code) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    canvas->code = output_print(canvas->output, "%s", text);
}

/* `text` as XML, in at most `size` bytes: a long one is cut, and a space stands for what XML cannot have. */
static void escape(char *xml, size_t size, const char *text)
{
    static const struct {
        char letter;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    size_t used = 0;
    while (*text && used + 8 < size) {
        const unsigned length = cli_utf8(text);
        size_t e = 0;
        while (e < sizeof entities / sizeof *entities && entities[e].letter != *text) e++;
        if (e < sizeof entities / sizeof *entities)
            used += (size_t)snprintf(xml + used, size - used, "%s", entities[e].entity);
        else if (!length || (unsigned char)*text < ' ' || !strncmp(text, "\xef\xbf\xbe", 3) ||
                 !strncmp(text, "\xef\xbf\xbf", 3))
            xml[used++] = ' ';
        else
            used += (size_t)snprintf(xml + used, size - used, "%.*s", (int)length, text);
        text += length ? length : 1;
    }
    snprintf(xml + used, size - used, "%s", *text ? "\u2026" : "");
}

/* `attributes` come before the place: a class, an anchor. */
static void put_text(struct canvas *canvas, const char *attributes, double x, double y, const char *text)
{
    char xml[1200];
    escape(xml, sizeof xml, text);
    put(canvas, "<text%s x=\"%g\" y=\"%.1f\">%s</text>\n", attributes, x, y, xml);
}

static unsigned letters(const char *text)
{
    unsigned count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* ---- The page ------------------------------------------------------------------------------------ */

/* A text that is too long for a line is cut at a dot between its parts. */
static void put_subtitle(struct canvas *canvas, const char *text)
{
    const char dot[] = " \u00b7 ", *cut = NULL;
    unsigned count = 0;
    char line[600];
    for (const char *s = text; *s; s++) {
        count += ((unsigned char)*s & 0xc0) != 0x80;
        if (count <= SUBTITLE_LETTERS && !strncmp(s, dot, sizeof dot - 1)) cut = s;
    }
    if (count <= SUBTITLE_LETTERS || !cut) {
        put_text(canvas, "", PLOT_LEFT, 58, text);
        return;
    }
    snprintf(line, sizeof line, "%.*s", (int)(cut - text), text);
    put_text(canvas, "", PLOT_LEFT, 58, line);
    put_text(canvas, "", PLOT_LEFT, 78, cut + sizeof dot - 1);
}

static void put_page(struct canvas *canvas, const struct plot *plot, int width, int height)
{
    char title[300];
    escape(title, sizeof title, plot->title);
    put(canvas,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "role=\"img\" aria-label=\"%s\">\n"
        "<title>%s</title>\n",
        width, height, width, height, title, title);
    put(canvas,
        "<style>\n"
        "  text { font: 16px 'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif; fill: #4a5260 }\n"
        "  .title { font-size: 24px; font-weight: 600; fill: #1c2230 }\n"
        "  .name { font-weight: 600; fill: #1c2230 }\n"
        "  .back { fill: #ffffff }\n"
        "  .grid { stroke: #e3e6eb; stroke-width: 1 }\n"
        "  .axis { stroke: #8b93a1; stroke-width: 1 }\n"
        "%s"
        "  .dots { fill: none; stroke-width: 6; stroke-linecap: round }\n"
        "  @media (prefers-color-scheme: dark) {\n"
        "    text { fill: #b4bcc9 } .title, .name { fill: #f0f3f8 } .back { fill: #12161d }\n"
        "    .grid { stroke: #262d38 } .axis { stroke: #6b7585 }\n"
        "%s"
        "  }\n"
        "</style>\n",
        plot->style, plot->dark);
    put(canvas,
        "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n"
        "<text class=\"title\" x=\"%d\" y=\"34\">%s</text>\n",
        width, height, PLOT_LEFT, title);
    if (plot->subtitle) put_subtitle(canvas, plot->subtitle);
}

/* ---- Scales -------------------------------------------------------------------------------------- */

/* From values, or their logarithms, to pixels. */
struct scale {
    int base;         /* as of the axis */
    double low, high; /* of the values or logarithms */
    double from, to;  /* pixels */
};

static double logarithm(int base, double value)
{
    if (!base) return value;
    if (!(value > 0)) return NAN;
    return base == 2 ? log2(value) : log10(value);
}

/* Halves, so that the difference of two huge numbers does not overflow. */
static double interpolate(const struct scale *scale, double value)
{
    const double part = (value / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);
    return scale->from + part * (scale->to - scale->from);
}

static double place(const struct scale *scale, double value)
{
    if (isinf(value)) return value > 0 ? scale->to : scale->from;
    return interpolate(scale, logarithm(scale->base, value));
}

void plot_include(double value, double *low, double *high)
{
    if (!isfinite(value)) return;
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

void plot_widen(double *low, double *high)
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

/* The range of the x of a panel's series, or of the y. */
static void find_range(const struct plot_panel *panel, int across, int base, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint64_t i = 0; i < panel->series_count; i++) {
        const struct plot_series *s = &panel->series[i];
        const uint64_t stride = s->stride ? s->stride : 1;
        for (uint64_t k = 0; k < s->points; k++) {
            plot_include(logarithm(base, across ? s->x[k] : s->y[k * stride]), low, high);
            if (!across && s->low) plot_include(logarithm(base, s->low[k * stride]), low, high);
        }
    }
    if (!(*low <= *high)) *low = 0, *high = base ? 1 : 0;
}

static struct scale find_scale(const struct plot_panel *panel, int across)
{
    const struct plot_axis *axis = across ? &panel->x : &panel->y;
    struct scale scale = {.base = axis->base};
    if (axis->low < axis->high) {
        scale.low = logarithm(axis->base, axis->low);
        scale.high = logarithm(axis->base, axis->high);
    } else {
        find_range(panel, across, axis->base, &scale.low, &scale.high);
        if (axis->base && !axis->tick) { /* begins and ends at a power */
            scale.low = floor(scale.low);
            scale.high = fmax(ceil(scale.high), scale.low + 1);
            if (!across && panel->legend == PLOT_LEGEND_LOWER_LEFT) scale.low -= 1;
        } else {
            plot_widen(&scale.low, &scale.high);
        }
    }
    scale.from = across ? panel->left : panel->top + panel->height;
    scale.to = across ? panel->left + panel->width : panel->top;
    return scale;
}

/* ---- Ticks --------------------------------------------------------------------------------------- */

struct tick {
    double at;      /* in pixels */
    char label[64]; /* as XML */
};

struct ticks {
    struct tick tick[TICKS_MAX];
    int count;
};

/* The least of 1, 2, 5 times a power of ten such that at most `most` steps make `range`. Read from text, as
 * each is then the double that is nearest to it. */
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
    double integer = (double)(long long)ratio;
    if (integer < ratio) integer += 1;
    return integer * step;
}

static struct tick *add_tick(struct ticks *ticks, double at)
{
    struct tick *tick = &ticks->tick[ticks->count++];
    tick->at = at;
    return tick;
}

/* Multiples of a round number; `most` steps at most. */
static void find_round_ticks(const struct scale *scale, const struct plot_axis *axis, int most,
                             struct ticks *ticks)
{
    const double range = scale->high - scale->low;
    int decimals;
    double step = tick_step(isfinite(range) ? range : 1.7e308, most, &decimals);
    if (axis->integers && step < 1) step = 1, decimals = 0;
    const double largest = fmax(fabs(scale->low), fabs(scale->high));
    const double first = first_tick(scale->low, step);
    for (int i = 0; i < ROUND_TICKS_MAX; i++) {
        const double value = first + i * step;
        if (!isfinite(value) || value > scale->high + step / 1000) break;
        struct tick *tick = add_tick(ticks, interpolate(scale, value));
        tick_label(tick->label, sizeof tick->label, value, step, largest, decimals);
    }
}

/* Powers of the base: all, or every second, fifth, tenth, ..., so that they are about six. */
static void find_powers(const struct scale *scale, struct ticks *ticks)
{
    int step = 1;
    while ((scale->high - scale->low) / step > 7) step = step == 1 ? 2 : step == 2 ? 5 : 2 * step;
    for (int power = (int)ceil(scale->low / step) * step; power <= scale->high; power += step) {
        struct tick *tick = add_tick(ticks, interpolate(scale, power));
        snprintf(tick->label, sizeof tick->label, "%d<tspan dy=\"-6\" font-size=\"12\">%d</tspan>",
                 scale->base, power);
    }
}

static void find_ticks(const struct scale *scale, const struct plot_axis *axis, int most, struct ticks *ticks)
{
    ticks->count = 0;
    if (axis->tick) {
        for (uint64_t i = 0; i < axis->ticks && i < TICKS_MAX; i++) {
            struct tick *tick = add_tick(ticks, place(scale, axis->tick[i]));
            snprintf(tick->label, sizeof tick->label, "%.3g", axis->tick[i]);
        }
    } else if (scale->base) {
        find_powers(scale, ticks);
    } else {
        find_round_ticks(scale, axis, most, ticks);
    }
}

/* ---- Axes ---------------------------------------------------------------------------------------- */

static void draw_x_axis(struct canvas *canvas, const struct plot_panel *p, const struct scale *x)
{
    const int bottom = p->top + p->height;
    struct ticks ticks;
    find_ticks(x, &p->x, p->width > 500 ? 10 : 7, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        const struct tick *tick = &ticks.tick[i];
        put(canvas, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", tick->at, p->top,
            tick->at, bottom);
        if (!p->x.unlabelled)
            put(canvas, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", tick->at, bottom + 22,
                tick->label);
    }
    if (p->x.name)
        put_text(canvas, " text-anchor=\"middle\"", p->left + p->width / 2.0, bottom + 46, p->x.name);
}

static void draw_y_axis(struct canvas *canvas, const struct plot_panel *p, const struct scale *y)
{
    struct ticks ticks;
    find_ticks(y, &p->y, p->height > 200 ? 9 : 5, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        const struct tick *tick = &ticks.tick[i];
        put(canvas,
            "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            p->left, tick->at, p->left + p->width, tick->at, p->left - 8, tick->at + 5.5, tick->label);
    }
    if (p->y.name) {
        const double middle = p->top + p->height / 2.0;
        char attributes[100];
        snprintf(attributes, sizeof attributes, " text-anchor=\"middle\" transform=\"rotate(-90 %d %.1f)\"",
                 p->left - 70, middle);
        put_text(canvas, attributes, p->left - 70, middle, p->y.name);
    }
}

static void draw_axes(struct canvas *canvas, const struct plot_panel *p, const struct scale *x,
                      const struct scale *y)
{
    draw_x_axis(canvas, p, x);
    draw_y_axis(canvas, p, y);
    put(canvas, "<path class=\"axis\" fill=\"none\" d=\"M%d,%dV%dH%d\"/>\n", p->left, p->top,
        p->top + p->height, p->left + p->width);
    if (p->title) put_text(canvas, " class=\"name\"", p->left, p->top - 8, p->title);
}

/* ---- Series -------------------------------------------------------------------------------------- */

static double value_at(const double *values, const struct plot_series *s, uint64_t point)
{
    return values[point * (s->stride ? s->stride : 1)];
}

/* A point's place; false if it has none. */
static int find_point(const struct plot_series *s, const struct scale *x, const struct scale *y, uint64_t i,
                      double at[2])
{
    const double value = value_at(s->y, s, i);
    at[0] = place(x, s->x[i]);
    at[1] = place(y, value);
    return isfinite(value) && !isnan(at[0]) && !isnan(at[1]);
}

static void draw_line(struct canvas *canvas, const struct plot_series *s, const struct scale *x,
                      const struct scale *y)
{
    int begun = 0, drawing = 0;
    double at[2];
    for (uint64_t i = 0; i < s->points; i++) {
        const int known = find_point(s, x, y, i, at);
        if (known && !begun) put(canvas, "<path class=\"%s\" d=\"", s->style);
        if (known) put(canvas, "%s%.1f,%.1f", drawing ? " " : "M", at[0], at[1]);
        begun |= known;
        drawing = known;
    }
    if (begun) put(canvas, "\"/>\n");
}

/* A dot is a stroke of no length with round ends. */
static void draw_dots(struct canvas *canvas, const struct plot_series *s, const struct scale *x,
                      const struct scale *y)
{
    int count = 0;
    double at[2];
    for (uint64_t i = 0; i < s->points; i++) {
        if (!find_point(s, x, y, i, at)) continue;
        if (!count) put(canvas, "<path class=\"dots %s\" d=\"", s->style);
        put(canvas, "%sM%.1f,%.1fh0", count && count % 8 == 0 ? "\n" : "", at[0], at[1]);
        count++;
    }
    if (count) put(canvas, "\"/>\n");
}

/* Along the upper line and back along the lower one. */
static void draw_band(struct canvas *canvas, const struct plot_series *s, const struct scale *x,
                      const struct scale *y)
{
    int begun = 0;
    for (int side = 0; side < 2; side++) {
        for (uint64_t n = 0; n < s->points; n++) {
            const uint64_t i = side ? s->points - 1 - n : n;
            const double value = value_at(side ? s->low : s->y, s, i);
            if (isnan(value)) continue;
            if (!begun) put(canvas, "<path class=\"%s\" d=\"M", s->style);
            put(canvas, "%s%.1f,%.1f", begun ? " " : "", place(x, s->x[i]), place(y, value));
            begun = 1;
        }
    }
    if (begun) put(canvas, "z\"/>\n");
}

static void draw_series(struct canvas *canvas, const struct plot_series *s, const struct scale *x,
                        const struct scale *y)
{
    if (s->shape == PLOT_BAND)
        draw_band(canvas, s, x, y);
    else if (s->shape != PLOT_DOTS)
        draw_line(canvas, s, x, y);
    if (s->shape == PLOT_DOTS || s->shape == PLOT_MARKED_LINE) draw_dots(canvas, s, x, y);
}

/* ---- Legends ------------------------------------------------------------------------------------- */

/* A band's swatch lies on those of the bands before it, as the bands do. */
static void draw_entry(struct canvas *canvas, const struct plot_panel *p, uint64_t entry, int left, int y)
{
    const struct plot_series *s = &p->series[entry];
    for (uint64_t i = 0; i <= entry && s->shape == PLOT_BAND; i++)
        if (p->series[i].shape == PLOT_BAND)
            put(canvas, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"22\" height=\"14\"/>",
                p->series[i].style, left, y - 11);
    if (s->shape != PLOT_BAND)
        put(canvas, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", s->style, left, y - 4,
            left + 22, y - 4);
    put_text(canvas, "", left + 28, y, s->name);
}

static int entry_width(const struct plot_series *s) { return 48 + LETTER * (int)letters(s->name); }

/* On the line of the axis's name, at the right; or one entry below the other in a corner. */
static void draw_legend(struct canvas *canvas, const struct plot_panel *p)
{
    const int bottom = p->top + p->height, right = p->left + p->width;
    int width = 0, entries = 0;
    for (uint64_t i = 0; i < p->series_count; i++) {
        if (!p->series[i].name) continue;
        width += entry_width(&p->series[i]);
        entries++;
    }
    if (entries > LEGEND_MAX) entries = LEGEND_MAX;
    int left = p->legend == PLOT_LEGEND_BELOW         ? right - width
               : p->legend == PLOT_LEGEND_UPPER_RIGHT ? right - 130
                                                      : p->left + 16;
    int y = p->legend == PLOT_LEGEND_BELOW         ? bottom + 46
            : p->legend == PLOT_LEGEND_UPPER_RIGHT ? p->top + 16
                                                   : bottom + 6 - 21 * entries;
    for (uint64_t i = 0; i < p->series_count && entries; i++) {
        if (!p->series[i].name) continue;
        draw_entry(canvas, p, i, left, y);
        if (p->legend == PLOT_LEGEND_BELOW)
            left += entry_width(&p->series[i]);
        else
            y += 21;
        entries--;
    }
}

/* ---- Pictures ------------------------------------------------------------------------------------ */

static void draw_panel(struct canvas *canvas, const struct plot_panel *p)
{
    const struct scale x = find_scale(p, 1), y = find_scale(p, 0);
    draw_axes(canvas, p, &x, &y);
    for (uint64_t i = 0; i < p->series_count; i++) draw_series(canvas, &p->series[i], &x, &y);
    draw_legend(canvas, p);
}

int plot_write(struct output *output, const struct plot *plot)
{
    struct canvas canvas = {output, CLI_OK};
    int height = 0;
    for (uint64_t i = 0; i < plot->panel_count; i++) {
        const int bottom = plot->panels[i].top + plot->panels[i].height + BELOW;
        if (bottom > height) height = bottom;
    }
    put_page(&canvas, plot, plot->width ? plot->width : PLOT_WIDTH, height);
    for (uint64_t i = 0; i < plot->panel_count; i++) draw_panel(&canvas, &plot->panels[i]);
    put(&canvas, "</svg>\n");
    return canvas.code;
}
