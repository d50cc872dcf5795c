/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The picture of `bailey mlmc`: the four panels that papers on multilevel Monte Carlo have since Giles
 * (2008).
 */
#include "price.h"

#include <cli/plot/plot.h>

#include <math.h>
#include <stdio.h>

enum {
    LINES = BAILEY_MLMC_MAX_EPS,
    POINTS = BAILEY_MLMC_MAX_LEVELS > BAILEY_MLMC_MAX_EPS ? BAILEY_MLMC_MAX_LEVELS : BAILEY_MLMC_MAX_EPS,
    PANELS = 4,
    PANEL_WIDTH = 372,
    PANEL_HEIGHT = 240,
    COLUMN = 462, /* from panel to panel */
    ROW = 340
};

struct line {
    char name[40];
    double x[POINTS], y[POINTS];
};

/* The picture's data, too large for a stack. */
struct levels_picture {
    struct plot_panel panel[PANELS];
    struct plot_series series[PANELS][LINES];
    struct line line[PANELS][LINES];
};

static void set_panel(struct levels_picture *picture, int p, const char *title, const char *across,
                      const char *up)
{
    picture->panel[p] = (struct plot_panel){.title = title,
                                            .left = PLOT_LEFT + p % 2 * COLUMN,
                                            .top = PLOT_TOP + 36 + p / 2 * ROW,
                                            .width = PANEL_WIDTH,
                                            .height = PANEL_HEIGHT,
                                            .x = {.name = across, .integers = 1},
                                            .y = {.name = up, .base = 10},
                                            .series = picture->series[p],
                                            .legend = PLOT_LEGEND_LOWER_LEFT};
}

static int begin_line(struct levels_picture *picture, int p, const char *name)
{
    static const char *const styles[] = {"line c0", "line c1", "line c2", "line c3", "line c4", "line c5"};
    const int number = (int)picture->panel[p].series_count++;
    struct line *line = &picture->line[p][number];
    snprintf(line->name, sizeof line->name, "%s", name);
    picture->series[p][number] = (struct plot_series){.style = styles[number % 6],
                                                      .name = line->name,
                                                      .shape = PLOT_MARKED_LINE,
                                                      .x = line->x,
                                                      .y = line->y};
    return number;
}

static void add_point(struct levels_picture *picture, int p, int number, double x, double y)
{
    struct line *line = &picture->line[p][number];
    const uint64_t at = picture->series[p][number].points++;
    line->x[at] = x;
    line->y[at] = y;
}

/* The run to the least error, which has the most samples; NULL if there is none. */
static const bailey_mlmc_test_run *finest_of(const bailey_mlmc_report *r)
{
    const bailey_mlmc_test_run *finest = r->runs ? r->run : NULL;
    for (uint32_t i = 1; i < r->runs; i++)
        if (r->run[i].eps < finest->eps) finest = &r->run[i];
    return finest;
}

/* For a run with approximate normals, the corrections. */
static void fill_corrections(struct levels_picture *picture, int p, const bailey_mlmc_test_run *run,
                             double (*number_of)(const bailey_mlmc_level *))
{
    char name[40];
    int line = -1;
    for (uint32_t l = 0; run && l < run->result.levels; l++) {
        const bailey_mlmc_level *correction = &run->result.correction[l];
        if (!correction->samples || (line < 0 && picture->panel[p].series_count == LINES)) continue;
        snprintf(name, sizeof name, "corrections, eps %g", run->eps);
        if (line < 0) line = begin_line(picture, p, name);
        add_point(picture, p, line, l, number_of(correction));
    }
}

static double variance_of(const bailey_mlmc_level *level) { return level->variance; }
static double size_of_mean(const bailey_mlmc_level *level) { return fabs(level->mean); }
static double samples_of(const bailey_mlmc_level *level) { return (double)level->samples; }

/* Variances or means by level, of the convergence test, else of the run to the least error. */
static void fill_moments(struct levels_picture *picture, int p, const bailey_mlmc_report *r, int tested,
                         int means)
{
    double (*const number_of)(const bailey_mlmc_level *) = means ? size_of_mean : variance_of;
    const bailey_mlmc_test_run *run = finest_of(r);
    picture->panel[p].y.base = 2;
    if (!tested) {
        const int difference = begin_line(picture, p, "fine \u2212 coarse");
        for (uint32_t l = 0; l < run->result.levels; l++)
            add_point(picture, p, difference, l, number_of(&run->result.level[l]));
        fill_corrections(picture, p, run, number_of);
        return;
    }
    const int fine = begin_line(picture, p, "fine"),
              difference = begin_line(picture, p, "fine \u2212 coarse");
    for (uint32_t l = 0; l < r->levels; l++) {
        const bailey_mlmc_test_level *t = &r->level[l];
        add_point(picture, p, fine, l, means ? fabs(t->fine_mean) : t->fine_variance);
        if (l) add_point(picture, p, difference, l, means ? fabs(t->mean) : t->variance);
    }
    fill_corrections(picture, p, run, number_of);
}

static void fill_samples(struct levels_picture *picture, int p, const bailey_mlmc_report *r)
{
    picture->panel[p].legend = PLOT_LEGEND_UPPER_RIGHT;
    for (uint32_t i = 0; i < r->runs; i++) {
        char name[40];
        snprintf(name, sizeof name, "eps %g", r->run[i].eps);
        const int line = begin_line(picture, p, name);
        for (uint32_t l = 0; l < r->run[i].result.levels; l++)
            add_point(picture, p, line, l, samples_of(&r->run[i].result.level[l]));
    }
    fill_corrections(picture, p, finest_of(r), samples_of);
}

/* Costs times eps^2: of multilevel Monte Carlo at its best they do not depend on eps. What plain Monte Carlo
 * would cost follows from the variances that the test has found. */
static void fill_costs(struct levels_picture *picture, int p, const bailey_mlmc_report *r, int tested)
{
    const int plain = tested ? begin_line(picture, p, "Monte Carlo") : -1;
    const int multilevel = begin_line(picture, p, "multilevel");
    for (uint32_t i = 0; i < r->runs; i++) {
        const bailey_mlmc_test_run *t = &r->run[i];
        const double square = t->eps * t->eps;
        if (tested) add_point(picture, p, plain, t->eps, square * t->standard_cost);
        add_point(picture, p, multilevel, t->eps, square * t->result.cost);
    }
    struct plot_axis *x = &picture->panel[p].x;
    x->base = 10;
    x->tick = picture->line[p][multilevel].x;
    x->ticks = r->runs;
}

int levels_picture(struct output *output, const bailey_mlmc_report *report, int tested, const char *title,
                   const char *subtitle)
{
    static struct levels_picture picture;
    const struct plot plot = {
        .title = title,
        .subtitle = subtitle,
        .style = "  .line { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
                 "  .c0 { stroke: #6b7280 } .c1 { stroke: #2b6cb0 } .c2 { stroke: #c2570c }\n"
                 "  .c3 { stroke: #2f855a } .c4 { stroke: #8b5cb8 } .c5 { stroke: #b7791f }\n",
        .dark = "",
        .panels = picture.panel,
        .panel_count = PANELS};
    set_panel(&picture, 0, "Variance", "level", "variance");
    set_panel(&picture, 1, "Mean", "level", "|mean|");
    set_panel(&picture, 2, "Samples", "level", "samples of the level");
    set_panel(&picture, 3, "Cost", "eps", "eps\u00b2 \u00d7 cost in steps");
    fill_moments(&picture, 0, report, tested, 0);
    fill_moments(&picture, 1, report, tested, 1);
    fill_samples(&picture, 2, report);
    fill_costs(&picture, 3, report, tested);
    return plot_write(output, &plot);
}
