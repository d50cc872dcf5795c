/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The completed nodes of a run (bailey/job.h), as files and jobs use them.
 *
 * A part is 2^part_bits paths of a replicate that begin at a multiple of that, as far as the run has them. A
 * window is `count` parts of every replicate from part `first` on, and a place in it is a number: (replicate
 * * count) + (part - first). A run is the window of all parts; a run that stops by its error has a window for
 * each stage.
 */
#ifndef BLY_TALLY_H
#define BLY_TALLY_H

#include <host/run/node_set.h>

#include <bailey/job.h>

#include <base/alloc.h>
#include <host/run/seal.h>
#include <host/simulate/simulation_internal.h>

/* Where a run that stops by its error has looked at it. */
struct bly_stage {
    uint64_t paths; /* of each replicate */
    double error;
};

struct bailey_tally {
    struct bly_identity identity;
    /* Without samples and progress; arrays are the tally's own or stand for "wanted". */
    bailey_simulation_run_params params;
    double expected[BAILEY_SIMULATION_MAX_RESULTS];
    char name[256]; /* of the payoff */
    uint32_t results, part_bits;
    int points;
    uint64_t replicates;
    uint64_t each;           /* parts of a replicate */
    struct bly_fixed fixed;  /* of sums in integers */
    struct bly_node_set set; /* rows are those of all results together, whatever passes have made them */
    uint64_t paths;          /* of all replicates, that are known */
    uint64_t *counts;        /* of the histogram, [bins + 2]; NULL without */
    uint32_t stages;
    struct bly_stage stage[BAILEY_JOB_MAX_STAGES];
};

struct bly_window {
    uint64_t first, count;
};
static inline struct bly_window bly_tally_all(const bailey_tally *tally)
{
    return (struct bly_window){0, tally->each};
}

/* The results of a range of places. */
struct bly_found {
    struct bly_node_set set;
    uint64_t *counts; /* NULL without a histogram */
    struct bly_fault fault;
};

/* Computes places first .. first + count - 1 of a window, and changes nothing in the tally. To be freed with
 * bly_found_free whatever is returned. Returns, besides what a run does: ERROR_PAYOFF, where found->fault is
 * the first fault of these places. */
bailey_status bly_tally_compute(const bailey_tally *tally, bailey_simulation *simulation,
                                const struct bly_window *window, uint64_t first, uint64_t count,
                                struct bly_found *found);
static inline void bly_found_free(struct bly_found *found)
{
    bly_node_set_free(&found->set);
    bly_free(found->counts);
    found->counts = NULL;
}

/* Adds what has been found, all of it or, where something fails, nothing. */
bailey_status bly_tally_absorb(bailey_tally *tally, const struct bly_found *found);

/* Paths of places first .. first + count - 1. */
uint64_t bly_tally_paths(const bailey_tally *tally, const struct bly_window *window, uint64_t first,
                         uint64_t count);

/* The place of a path, which is in the window. */
uint64_t bly_tally_place(const bailey_tally *tally, const struct bly_window *window, uint64_t replicate,
                         uint64_t path);

/* Refuses parts that are not of the run, or known. */
bailey_status bly_tally_check_parts(const bailey_tally *tally, uint64_t first, uint64_t count);

/* The first place from `from` on that is not known, and how many follow it; *count is 0 without any. */
uint64_t bly_tally_gap(const bailey_tally *tally, const struct bly_window *window, uint64_t from,
                       uint64_t *count);

/* Estimates of the first `parts` parts of every replicate, which have to be known. */
bailey_status bly_tally_estimate(const bailey_tally *tally, uint64_t parts, bailey_estimate *estimates,
                                 double *covariance);

/* Paths of a replicate's first `parts` parts. */
uint64_t bly_tally_first_paths(const bailey_tally *tally, uint64_t parts);

/* What run it is. */
void bly_tally_identify(const bailey_simulation *simulation, const bailey_simulation_run_params *params,
                        struct bly_identity *identity);

extern const struct bly_seal bly_tally_seal;

/* Adds a checkpoint's nodes to the tally. The file need not exist. */
bailey_status bly_tally_resume(const char *path, bailey_tally *tally);

/* The bytes of a checkpoint, to be freed with bly_free; NULL where there is no memory. */
void *bly_tally_bytes(const bailey_tally *tally, uint64_t *size);

#endif
