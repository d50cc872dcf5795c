/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Pictures, as SVG.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <cli/io/io.h>

#include <bailey/mlmc.h>

/* ---- Pictures of paths --------------------------------------------------------------------------- */

/* The picture of a set of paths: a fan of thin paths, quantile bands and the median, one panel per dimension.
 */

#define SVG_PANELS_MAX 8u
#define SVG_POINTS_MAX 240u
#define SVG_PATHS_MAX 20000u /* that the bands are made of */
#define SVG_BANDS_MIN 200u   /* fewer paths have no bands: 5 % would be a handful */

/* All panels have one vertical scale: the same height is the same distance from the panel's reference, or, if
 * `relative`, the same part of it. */
struct svg {
    const char *title, *subtitle, *axis; /* text of any kind; `axis` names the vertical axis */
    const char *const *names;            /* of the panels, of any kind; or NULL */
    uint64_t panels, points, paths;
    const double *times;              /* [points] */
    double *values;                   /* [panels][points][paths] */
    double reference[SVG_PANELS_MAX]; /* positive if relative */
    int relative;
};

/* How many of the paths are drawn, one by one. */
uint64_t svg_drawn(uint64_t panels, uint64_t paths);

int svg_write(struct output *output, const struct svg *svg);

/* ---- What pictures share ------------------------------------------------------------------------- */

/* What the pictures share: their width, head, title and style. */

enum { SVG_WIDTH = 960, SVG_LEFT = 78, SVG_RIGHT = 24, SVG_TOP = 82 };

struct svg_frame {
    const char *title, *subtitle; /* text of any kind; a long subtitle takes two lines */
    const char *style, *dark;     /* rules of the picture's own classes, and those of dark backgrounds */
    int height;
};

/* Everything before what is drawn; "</svg>" ends it. */
int svg_begin(struct output *output, const struct svg_frame *frame);

/* `text` as XML, in at most `size` bytes: a long one is cut, what no XML can have is a space. */
void svg_escape(char *xml, size_t size, const char *text);

/* ---- Pictures of multilevel runs ----------------------------------------------------------------- */

/* How `bailey mlmc` shows what it has found: as a report, and as the usual four panels. */

struct mlmc_view {
    const char *name; /* of built-in levels, or the file of one's own */
    const bailey_mlmc_params *params;
    const bailey_mlmc_test_params *test;
    const bailey_mlmc_report *report;
};

/* Adds it, and warns. */
void mlmc_report(struct document *d, const struct mlmc_view *view, const bailey_device *device);

/* By level: log2 of the variances and of the means of fine payoffs and of differences, and samples for each
 * eps; by eps: eps^2 times the costs of multilevel and of plain Monte Carlo. `tested` is 0 of a report
 * without a convergence test, whose variances and means are then those of the last run. */
int mlmc_plot(struct output *output, const bailey_mlmc_report *report, int tested, const char *title,
              const char *subtitle);

#endif
