/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a simulation holds, and what its files share: the plan of paths (simulation.c), programs
 * (simulation_program.c, simulation_text.c), runs (simulation_run.c).
 */
#ifndef BLY_SIMULATION_HOST_H
#define BLY_SIMULATION_HOST_H

#include "fixed.h"
#include "payoff.h"

#include <base/text.h>
#include <host/internal.h>
#include <kernels/simulation_nodes.h>

/* What a program is made for. Compared as bytes: there is no padding. */
struct bly_simulation_variant {
    uint32_t input;  /* BLY_INPUT_ */
    uint32_t draw;   /* DRAWN: an enum bly_draw */
    uint32_t rounds; /* DRAWN: of Philox; 0 for points */
    uint32_t points; /* DRAWN: from points, the bits of their words; else 0 */
    uint32_t owen;   /* whose words are hashed */
    uint32_t copies; /* groups copy the table of the inverse CDF */
    uint32_t block;  /* items of a group, a power of two */
    uint32_t width;  /* paths of an item, likewise */
    uint32_t fast;   /* native functions may serve the payoff */
    uint32_t antithetic;
    uint32_t products, shape, samples, histogram, fixed; /* see kernels/simulation_code.h */
};

struct bly_simulation_program {
    struct bly_simulation_program *next;
    struct bly_simulation_variant variant;
    struct bly_kept *kept;
};

struct bailey_simulation {
    bailey_context *context;
    bailey_bridge *bridge; /* the same paths, where they go through memory */
    struct bly_payoff payoff;
    bailey_precision precision;
    uint32_t steps, dims, z_rows;
    uint32_t walk;  /* BLY_WALK_ */
    uint32_t depth; /* of the stream's stack */
    int streams;    /* paths can be made from Z in time order; else they go through memory whole */
    int fixed_end, correlated;
    uint32_t width;     /* paths of an item, unless a run has too few of them */
    uint32_t *z, *pops; /* of the stream's steps */
    uint8_t *values;    /* the payoff's parameters, as devices have them */
    int changed;        /* since they were written to the device */
    bailey_buffer *device_values, *device_stream, *device_constants;
    bailey_buffer *results; /* PINNED, of the runs; NULL until the first */
    struct bly_simulation_program *programs;
};

/* The rows of a program's nodes, of which `sums` are added up and the others extrema. */
struct bly_simulation_rows {
    uint32_t sums, all;
};
struct bly_simulation_rows bly_simulation_rows_of(uint32_t outputs, const struct bly_simulation_variant *v);

/* What there are sums of, where they are in whole numbers. */
struct bly_fixed bly_simulation_fixed_of(uint32_t outputs, const struct bly_simulation_variant *v);

/* Paths of a group. */
static inline uint64_t bly_simulation_span(const struct bly_simulation_variant *v)
{
    return (uint64_t)v->width * v->block;
}

static inline uint64_t bly_simulation_replicates(const bailey_run_params *params)
{
    return params->replicates ? params->replicates : 1;
}

/* Checks what a run is asked for, and finds how its normals are drawn. */
bailey_status bly_simulation_check_run(const bailey_simulation *simulation, const bailey_run_params *params,
                                       enum bly_draw *draw);

/* How many paths an item of the simulation takes. */
uint32_t bly_simulation_width(const bailey_simulation *simulation);

/* Whether items draw normals in registers, a few paths each: on GPUs, and wherever all that is tuned is
 * tried. */
int bly_simulation_draws(const bailey_simulation *simulation);

/* Whether programs that draw are straight-line code. */
int bly_simulation_is_straight(const bailey_simulation *simulation);

/* The text of a program; its kernel is "bly_simulate". What does not fit memory shows in `text`. */
void bly_simulation_say(const bailey_simulation *simulation, const struct bly_simulation_variant *variant,
                        struct bly_text *text);
/* What a group of it shares. */
uint32_t bly_simulation_shared(const bailey_simulation *simulation,
                               const struct bly_simulation_variant *variant);

/* The program, compiled if it has not been. Where the device cannot have what `variant` asks for, *variant
 * changes to what it has. */
bailey_status bly_simulation_find_program(bailey_simulation *simulation,
                                          struct bly_simulation_variant *variant, struct bly_entry *entry);
void bly_simulation_let_go(bailey_simulation *simulation);

/* Fills in width, block and copies, for runs of so many paths. */
void bly_simulation_choose_groups(const bailey_simulation *simulation, uint64_t paths,
                                  struct bly_simulation_variant *variant);

/* The tuning of the table's copies for draws like the variant's, or NULL. */
const struct bly_copies_tuning *bly_simulation_copies(const bailey_simulation *simulation,
                                                      const struct bly_simulation_variant *variant);

#endif
