/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A picture of errors against numbers of paths, or of something else, both on logarithmic axes: a line for
 * each method.
 */
#ifndef CLI_CHART_H
#define CLI_CHART_H

#include "output.h"

#define CHART_LINES_MAX 4

struct chart {
    const char *title, *subtitle, *axis; /* text of any kind; `axis` names the vertical axis */
    const char *across;                  /* names the other one; NULL: paths */
    int log2_first, points;              /* of paths: 2^log2_first, then twice as many each time */
    int lines;
    const char *names[CHART_LINES_MAX];
    const double *values[CHART_LINES_MAX]; /* [points]; those that are not positive are left out */
    const double *sizes[CHART_LINES_MAX];  /* [points], where a line's points are; NULL: as above */
    double factor; /* a value may be as much too small or too large: the length of its bar */
};

int chart_write(struct output *output, const struct chart *chart);

#endif
