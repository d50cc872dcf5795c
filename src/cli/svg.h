/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The picture of a set of paths: a fan of thin paths, quantile bands and the median, a panel a dimension.
 */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include "output.h"

#define SVG_PANELS_MAX 8u
#define SVG_POINTS_MAX 240u
#define SVG_PATHS_MAX 20000u /* that the bands are made of */

struct svg {
    const char *title, *subtitle, *axis; /* plain text; `axis` names the vertical axis */
    uint64_t panels, points, paths;
    const double *times; /* [points] */
    double *values;      /* [panels][points][paths]; reordered by svg_write */
};

int svg_write(struct output *output, const struct svg *svg);

#endif
