/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The picture of `bailey paths`: a fan of thin paths, quantile bands and the median, one panel per dimension.
 */
#ifndef CLI_FAN_H
#define CLI_FAN_H

#include <cli/plot/plot.h>

#define FAN_PANELS_MAX 8u
#define FAN_POINTS_MAX 240u
#define FAN_PATHS_MAX 20000u /* that the bands are computed from */
#define FAN_BANDS_MIN 200u   /* fewer paths have no bands: 5 % would be a handful */

/* All panels have one vertical scale: the same height is the same distance from the panel's reference, or, if
 * `relative`, the same fraction of it. */
struct fan {
    const char *title, *subtitle, *axis; /* text of any kind; `axis` names the vertical axis */
    const char *const *names;            /* of the panels, of any kind; or NULL */
    uint64_t panels, points, paths;
    const double *times;              /* [points] */
    double *values;                   /* [panels][points][paths] */
    double reference[FAN_PANELS_MAX]; /* positive if relative */
    int relative;
};

/* How many of the paths are drawn, one by one. */
uint64_t fan_drawn(uint64_t panels, uint64_t paths);

int fan_write(struct output *output, const struct fan *fan);

#endif
