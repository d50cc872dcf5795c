/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Pictures, as SVG. A picture is data: panels with two axes each, and the series drawn in them. plot.c alone
 * turns it into axes, ticks, labels, legends and lines, so that all pictures look alike.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <cli/io/io.h>

/* Where panels may lie in a picture of the usual width. */
enum { PLOT_WIDTH = 960, PLOT_LEFT = 92, PLOT_RIGHT = 24, PLOT_TOP = 94 };

enum plot_shape {
    PLOT_LINE,
    PLOT_MARKED_LINE, /* a line with a dot at each point */
    PLOT_DOTS,
    PLOT_BAND /* the area between two lines */
};

/* A point whose value is not a number is left out; it interrupts a line. For a band, an infinite value is the
 * edge of the panel. */
struct plot_series {
    const char *style; /* its classes in the style sheet; dots also have the class "dots" */
    const char *name;  /* in the legend; NULL: not there */
    enum plot_shape shape;
    uint64_t points;
    const double *x, *y;
    const double *low; /* the lower line of a band, whose upper one is y */
    uint64_t stride;   /* from one value of y, or of low, to the next; 0 means 1 */
};

struct plot_axis {
    const char *name;   /* NULL: none */
    double low, high;   /* both 0: the range of the series, and a margin */
    int base;           /* of a logarithmic axis: 2 or 10; 0: a linear one */
    int integers;       /* ticks of a linear axis are integers */
    int unlabelled;     /* a panel below it has the labels of its ticks */
    const double *tick; /* where the ticks are; NULL: at round numbers */
    uint64_t ticks;
};

enum plot_legend { PLOT_LEGEND_BELOW, PLOT_LEGEND_UPPER_RIGHT, PLOT_LEGEND_LOWER_LEFT };

struct plot_panel {
    const char *title; /* NULL: none */
    int left, top, width, height;
    struct plot_axis x, y;
    const struct plot_series *series; /* later ones lie on earlier ones */
    uint64_t series_count;
    enum plot_legend legend;
};

/* Texts are of any kind: characters that XML cannot have are replaced. */
struct plot {
    const char *title;
    const char *subtitle;     /* or NULL; a long one takes two lines */
    const char *style, *dark; /* CSS rules of the series' classes, and those for dark backgrounds */
    int width;                /* 0 means PLOT_WIDTH */
    const struct plot_panel *panels;
    uint64_t panel_count;
};

int plot_write(struct output *output, const struct plot *plot);

/* Extends a range, which begins as infinity to -infinity, to hold `value`, unless that is not finite. */
void plot_include(double value, double *low, double *high);

/* Adds a margin to the range of an axis, and makes room around a single value. */
void plot_widen(double *low, double *high);

#endif
