/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "chart.h"

#include "svg_frame.h"

#include <math.h>

enum { HEIGHT = 400, BOTTOM = 58, LEGEND_LINE = 20 };

/* The place of a picture's left, right, top and bottom edge in log2 of paths and log10 of values. */
struct axes {
    double left, right, low, high;
};

static double at_x(const struct axes *axes, double log2_paths)
{
    const double part = (log2_paths - axes->left) / (axes->right - axes->left);
    return SVG_LEFT + part * (SVG_WIDTH - SVG_RIGHT - SVG_LEFT);
}

static double at_y(const struct axes *axes, double value)
{
    return SVG_TOP + (axes->high - log10(value)) / (axes->high - axes->low) * HEIGHT;
}

/* The bars are inside; axes begin and end at whole powers or at a half of one. */
static struct axes find_axes(const struct chart *chart)
{
    struct axes axes = {chart->log2_first - 0.5, chart->log2_first + chart->points - 0.5, INFINITY,
                        -INFINITY};
    for (int line = 0; line < chart->lines; line++)
        for (int i = 0; chart->sizes[line] && i < chart->points; i++)
            axes.right = fmax(axes.right, ceil(log2(chart->sizes[line][i])) + 0.5);
    for (int line = 0; line < chart->lines; line++)
        for (int i = 0; i < chart->points; i++) {
            const double value = chart->values[line][i];
            if (!(value > 0)) continue;
            axes.low = fmin(axes.low, log10(value / chart->factor));
            axes.high = fmax(axes.high, log10(value * chart->factor));
        }
    if (!(axes.low <= axes.high)) axes.low = -1, axes.high = 0;
    axes.low = floor(2 * axes.low) / 2;
    axes.high = ceil(2 * axes.high) / 2;
    if (!(axes.low < axes.high)) axes.high = axes.low + 1;
    return axes;
}

static int horizontal_axis(struct output *output, const struct chart *chart, const struct axes *axes)
{
    const int points = (int)(axes->right - axes->left), step = points > 12 ? 2 : 1, bottom = SVG_TOP + HEIGHT;
    int code = CLI_OK;
    for (int i = 0; i < points && !code; i += step) {
        const double x = at_x(axes, chart->log2_first + i);
        code = output_print(output,
                            "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">2<tspan dy=\"-5\" "
                            "font-size=\"10\">%d</tspan></text>\n",
                            x, SVG_TOP, x, bottom, x, bottom + 20, chart->log2_first + i);
    }
    return code ? code
                : output_print(output, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                               (SVG_LEFT + SVG_WIDTH - SVG_RIGHT) / 2, bottom + 42,
                               chart->across ? chart->across : "paths");
}

static int vertical_axis(struct output *output, const struct chart *chart, const struct axes *axes)
{
    const double middle = SVG_TOP + HEIGHT / 2.0;
    char name[300];
    int code = CLI_OK;
    for (int power = (int)ceil(axes->low); power <= axes->high && !code; power++) {
        const double y = at_y(axes, pow(10, power));
        code = output_print(output,
                            "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">10<tspan dy=\"-5\" "
                            "font-size=\"10\">%d</tspan></text>\n",
                            SVG_LEFT, y, SVG_WIDTH - SVG_RIGHT, y, SVG_LEFT - 8, y + 4.5, power);
    }
    svg_escape(name, sizeof name, chart->axis);
    return code ? code
                : output_print(output,
                               "<text x=\"18\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 18 "
                               "%.1f)\">%s</text>\n<path class=\"axis\" fill=\"none\" d=\"M%d,%dV%dH%d\"/>\n",
                               middle, middle, name, SVG_LEFT, SVG_TOP, SVG_TOP + HEIGHT,
                               SVG_WIDTH - SVG_RIGHT);
}

/* Where point i of a line is. Lines lie a little beside each other, so that bars do not cover one another. */
static double place(const struct chart *chart, const struct axes *axes, int line, int i)
{
    if (chart->sizes[line]) return at_x(axes, log2(chart->sizes[line][i]));
    return at_x(axes, chart->log2_first + i + 0.05 * (line - (chart->lines - 1) / 2.0));
}

static int draw_line(struct output *output, const struct chart *chart, const struct axes *axes, int line)
{
    int code = CLI_OK, begun = 0;
    for (int i = 0; i < chart->points && !code; i++) {
        const double value = chart->values[line][i], x = place(chart, axes, line, i);
        if (!(value > 0)) continue;
        code = output_print(output, "%s%.1f,%.1f", begun ? " " : "<path class=\"line\" d=\"M", x,
                            at_y(axes, value));
        begun = 1;
    }
    if (begun && !code) code = output_print(output, "\"/>\n");
    for (int i = 0; i < chart->points && !code; i++) {
        const double value = chart->values[line][i], x = place(chart, axes, line, i);
        if (!(value > 0)) continue;
        code = output_print(output,
                            "<path class=\"bar\" d=\"M%.1f,%.1fV%.1f\"/><circle cx=\"%.1f\" cy=\"%.1f\" "
                            "r=\"3.2\"/>\n",
                            x, at_y(axes, value / chart->factor), at_y(axes, value * chart->factor), x,
                            at_y(axes, value));
    }
    return code;
}

/* At the lower left, where lines that fall leave room. */
static int legend(struct output *output, const struct chart *chart)
{
    const int left = SVG_LEFT + 18, first = SVG_TOP + HEIGHT - 14 - (chart->lines - 1) * LEGEND_LINE;
    int code = CLI_OK;
    for (int line = 0; line < chart->lines && !code; line++) {
        const int y = first + line * LEGEND_LINE;
        char name[300];
        svg_escape(name, sizeof name, chart->names[line]);
        code = output_print(output,
                            "<g class=\"m%d\"><path class=\"line\" d=\"M%d,%dH%d\"/><circle cx=\"%d\" "
                            "cy=\"%d\" r=\"3.2\"/></g><text x=\"%d\" y=\"%d\">%s</text>\n",
                            line, left, y - 4, left + 26, left + 13, y - 4, left + 34, y, name);
    }
    return code;
}

int chart_write(struct output *output, const struct chart *chart)
{
    const struct svg_frame frame = {
        .title = chart->title,
        .subtitle = chart->subtitle,
        .height = SVG_TOP + HEIGHT + BOTTOM,
        .style = "  .line { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
                 "  .bar { fill: none; stroke-width: 1.2; stroke-opacity: 0.6 }\n"
                 "  .m0 { stroke: #6b7280 } .m0 circle { fill: #6b7280 }\n"
                 "  .m1 { stroke: #2b6cb0 } .m1 circle { fill: #2b6cb0 }\n"
                 "  .m2 { stroke: #c2570c } .m2 circle { fill: #c2570c }\n"
                 "  .m3 { stroke: #2f855a } .m3 circle { fill: #2f855a }\n",
        .dark = "    .m0 { stroke: #a0a8b5 } .m0 circle { fill: #a0a8b5 } .m1 { stroke: #79b4f2 } .m1 circle "
                "{ fill: #79b4f2 }\n"
                "    .m2 { stroke: #f2a54a } .m2 circle { fill: #f2a54a } .m3 { stroke: #6fcf97 } .m3 circle "
                "{ fill: #6fcf97 }\n"};
    const struct axes axes = find_axes(chart);
    int code = svg_begin(output, &frame);
    if (!code) code = horizontal_axis(output, chart, &axes);
    if (!code) code = vertical_axis(output, chart, &axes);
    for (int line = 0; line < chart->lines && !code; line++) {
        code = output_print(output, "<g class=\"m%d\">\n", line);
        if (!code) code = draw_line(output, chart, &axes, line);
        if (!code) code = output_print(output, "</g>\n");
    }
    if (!code) code = legend(output, chart);
    return code ? code : output_print(output, "</svg>\n");
}
