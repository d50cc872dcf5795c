/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Four panels of lines: the figure that papers on multilevel Monte Carlo have.
 */
#include "plot.h"

#include <math.h>
#include <stdio.h>

enum {
    LINES = BAILEY_MLMC_MAX_EPS,
    POINTS = BAILEY_MLMC_MAX_LEVELS,
    COLORS = 6,
    PANEL_WIDTH = 372,
    PANEL_HEIGHT = 240,
    COLUMN = 462, /* from panel to panel */
    ROW = 340,
    BELOW = 2 * ROW + 20
};

struct line {
    char name[40];
    int points;
    double x[POINTS + LINES], y[POINTS + LINES]; /* as drawn: y is a logarithm, or NaN */
};

struct panel {
    const char *title, *across, *up;
    int left, top, base; /* base: of the logarithms */
    int log_x;           /* so is x, of 10 */
    int legend_low;      /* at the lower left */
    int lines;
    struct line line[LINES];
    double low_x, high_x, low, high;
};

/* ---- What is drawn ---- */

static void add(struct line *line, double x, double y)
{
    line->x[line->points] = x;
    line->y[line->points++] = y;
}

static double log2_of(double x) { return x > 0 ? log2(x) : NAN; }
static double log10_of(double x) { return x > 0 ? log10(x) : NAN; }

static struct line *begin_line(struct panel *panel, const char *name)
{
    struct line *line = &panel->line[panel->lines++];
    line->points = 0;
    snprintf(line->name, sizeof line->name, "%s", name);
    return line;
}

/* Variances (0) or means (1) by level. */
static void fill_laws(struct panel *panel, const bailey_mlmc_report *r, int tested, int means)
{
    if (!tested) {
        const bailey_mlmc_result *last = &r->run[r->runs - 1].result;
        struct line *own = begin_line(panel, "fine \u2212 coarse");
        for (uint32_t l = 0; l < last->levels; l++)
            add(own, l, log2_of(means ? fabs(last->level[l].mean) : last->level[l].variance));
        return;
    }
    struct line *fine = begin_line(panel, "fine"), *own = begin_line(panel, "fine \u2212 coarse");
    for (uint32_t l = 0; l < r->levels; l++) {
        const bailey_mlmc_test_level *t = &r->level[l];
        add(fine, l, log2_of(means ? fabs(t->fine_mean) : t->fine_variance));
        if (l) add(own, l, log2_of(means ? fabs(t->mean) : t->variance));
    }
}

static void fill_samples(struct panel *panel, const bailey_mlmc_report *r)
{
    for (uint32_t i = 0; i < r->runs; i++) {
        char name[40];
        snprintf(name, sizeof name, "eps %g", r->run[i].eps);
        struct line *line = begin_line(panel, name);
        for (uint32_t l = 0; l < r->run[i].result.levels; l++)
            add(line, l, log10_of((double)r->run[i].result.level[l].samples));
    }
}

static void fill_costs(struct panel *panel, const bailey_mlmc_report *r)
{
    struct line *plain = begin_line(panel, "Monte Carlo"), *own = begin_line(panel, "multilevel");
    for (uint32_t i = 0; i < r->runs; i++) {
        const bailey_mlmc_test_run *t = &r->run[i];
        const double square = t->eps * t->eps;
        add(plain, log10_of(t->eps), log10_of(square * t->standard_cost));
        add(own, log10_of(t->eps), log10_of(square * t->result.cost));
    }
}

/* ---- Axes ---- */

static void find_axes(struct panel *p)
{
    p->low = p->low_x = INFINITY;
    p->high = p->high_x = -INFINITY;
    for (int i = 0; i < p->lines; i++)
        for (int k = 0; k < p->line[i].points; k++) {
            p->low_x = fmin(p->low_x, p->line[i].x[k]);
            p->high_x = fmax(p->high_x, p->line[i].x[k]);
            p->low = fmin(p->low, p->line[i].y[k]); /* not of NaN */
            p->high = fmax(p->high, p->line[i].y[k]);
        }
    if (!(p->low <= p->high)) p->low = 0, p->high = 1;
    if (!(p->low_x < p->high_x)) p->low_x -= 0.5, p->high_x += 0.5;
    p->low = floor(p->low) - (p->log_x ? 1 : 0); /* room for the legend */
    p->high = fmax(ceil(p->high), p->low + 1);
}

static double at_x(const struct panel *p, double x)
{
    return p->left + 10 + (x - p->low_x) / (p->high_x - p->low_x) * (PANEL_WIDTH - 20);
}

static double at_y(const struct panel *p, double y)
{
    return p->top + (p->high - y) / (p->high - p->low) * PANEL_HEIGHT;
}

/* So that there are about six. */
static int step_of(double range)
{
    int step = 1;
    while (range / step > 7) step = step == 1 ? 2 : step == 2 ? 5 : 2 * step;
    return step;
}

static int draw_rows(struct output *output, const struct panel *p)
{
    const int step = step_of(p->high - p->low);
    int code = CLI_OK;
    for (int power = (int)ceil(p->low / step) * step; power <= p->high && !code; power += step)
        code = output_print(output,
                            "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d<tspan dy=\"-5\" "
                            "font-size=\"10\">%d</tspan></text>\n",
                            p->left, at_y(p, power), p->left + PANEL_WIDTH, at_y(p, power), p->left - 6,
                            at_y(p, power) + 4.5, p->base, power);
    return code;
}

static int draw_mark(struct output *output, const struct panel *p, double x, const char *text)
{
    return output_print(output,
                        "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                        at_x(p, x), p->top + PANEL_HEIGHT, at_x(p, x), p->top + PANEL_HEIGHT + 4, at_x(p, x),
                        p->top + PANEL_HEIGHT + 19, text);
}

static int draw_marks(struct output *output, const struct panel *p)
{
    char text[32];
    int code = CLI_OK;
    if (p->log_x) {
        const struct line *line = &p->line[0];
        for (int k = 0; k < line->points && !code; k++) {
            snprintf(text, sizeof text, "%.3g", pow(10, line->x[k]));
            code = draw_mark(output, p, line->x[k], text);
        }
        return code;
    }
    const int step = step_of(p->high_x - p->low_x);
    for (int x = (int)ceil(p->low_x); x <= p->high_x && !code; x += step) {
        snprintf(text, sizeof text, "%d", x);
        code = draw_mark(output, p, x, text);
    }
    return code;
}

static int draw_axes(struct output *output, const struct panel *p)
{
    const double middle = p->top + PANEL_HEIGHT / 2.0;
    int code = draw_rows(output, p);
    if (!code) code = draw_marks(output, p);
    if (code) return code;
    return output_print(
        output,
        "<path class=\"axis\" fill=\"none\" d=\"M%d,%dV%dH%d\"/>\n"
        "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n"
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %d %.1f)\">%s</text>\n",
        p->left, p->top, p->top + PANEL_HEIGHT, p->left + PANEL_WIDTH, p->left, p->top - 12, p->title,
        p->left + PANEL_WIDTH / 2, p->top + PANEL_HEIGHT + 38, p->across, p->left - 50, middle, p->left - 50,
        middle, p->up);
}

/* ---- Lines ---- */

static int draw_line(struct output *output, const struct panel *p, int number)
{
    const struct line *line = &p->line[number];
    int code = output_print(output, "<g class=\"c%d\">", number % COLORS), begun = 0;
    for (int k = 0; k < line->points && !code; k++) {
        if (isnan(line->y[k])) continue;
        code = output_print(output, "%s%.1f,%.1f", begun ? " " : "<path class=\"line\" d=\"M",
                            at_x(p, line->x[k]), at_y(p, line->y[k]));
        begun = 1;
    }
    if (begun && !code) code = output_print(output, "\"/>");
    for (int k = 0; k < line->points && !code; k++)
        if (!isnan(line->y[k]))
            code = output_print(output, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", at_x(p, line->x[k]),
                                at_y(p, line->y[k]));
    return code ? code : output_print(output, "</g>\n");
}

/* At the upper right, or where lines leave room at the lower left. */
static int draw_legend(struct output *output, const struct panel *p)
{
    const int left = p->legend_low ? p->left + 16 : p->left + PANEL_WIDTH - 112;
    const int shown = p->lines < 8 ? p->lines : 8;
    const int top = p->legend_low ? p->top + PANEL_HEIGHT - 17 * shown - 8 : p->top;
    int code = CLI_OK;
    for (int i = 0; i < shown && !code; i++) {
        const int y = top + 16 + 17 * i;
        code = output_print(output,
                            "<g class=\"c%d\"><path class=\"line\" d=\"M%d,%dh18\"/></g><text x=\"%d\" "
                            "y=\"%d\">%s</text>\n",
                            i % COLORS, left, y - 4, left + 24, y, p->line[i].name);
    }
    return code;
}

static int draw_panel(struct output *output, struct panel *p)
{
    find_axes(p);
    int code = draw_axes(output, p);
    for (int i = 0; i < p->lines && !code; i++) code = draw_line(output, p, i);
    return code ? code : draw_legend(output, p);
}

static const char style[] = "  .line { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
                            "  .c0 { stroke: #6b7280 } .c0 circle { fill: #6b7280 }\n"
                            "  .c1 { stroke: #2b6cb0 } .c1 circle { fill: #2b6cb0 }\n"
                            "  .c2 { stroke: #c2570c } .c2 circle { fill: #c2570c }\n"
                            "  .c3 { stroke: #2f855a } .c3 circle { fill: #2f855a }\n"
                            "  .c4 { stroke: #8b5cb8 } .c4 circle { fill: #8b5cb8 }\n"
                            "  .c5 { stroke: #b7791f } .c5 circle { fill: #b7791f }\n";

int mlmc_plot(struct output *output, const bailey_mlmc_report *report, int tested, const char *title,
              const char *subtitle)
{
    static struct panel panels[4];
    const struct svg_frame frame = {
        .title = title, .subtitle = subtitle, .height = SVG_TOP + BELOW, .style = style, .dark = ""};
    const int left = SVG_LEFT, top = SVG_TOP + 36;
    panels[0] = (struct panel){
        .title = "Variance", .across = "level", .up = "variance", .left = left, .top = top, .base = 2};
    panels[1] = (struct panel){
        .title = "Mean", .across = "level", .up = "|mean|", .left = left + COLUMN, .top = top, .base = 2};
    panels[2] = (struct panel){.title = "Samples",
                               .across = "level",
                               .up = "samples of the level",
                               .left = left,
                               .top = top + ROW,
                               .base = 10};
    panels[3] = (struct panel){.title = "Cost",
                               .across = "eps",
                               .up = "eps\u00b2 \u00d7 cost in steps",
                               .left = left + COLUMN,
                               .top = top + ROW,
                               .base = 10,
                               .log_x = 1};
    panels[0].legend_low = panels[1].legend_low = panels[3].legend_low = 1;
    fill_laws(&panels[0], report, tested, 0);
    fill_laws(&panels[1], report, tested, 1);
    fill_samples(&panels[2], report);
    fill_costs(&panels[3], report);
    int code = svg_begin(output, &frame);
    for (int i = 0; i < 4 && !code; i++) code = draw_panel(output, &panels[i]);
    return code ? code : output_print(output, "</svg>\n");
}
