/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The results that the library makes, one row each. The self-test judges the rows of subject_rows.c by their
 * golden values; the tests hold the same rows, and some more (tests/subjects.c), to every law that the
 * library promises.
 *
 * Some subjects have items that are numbered, of which any range may be made: numbers, points, paths,
 * samples. Some have a result: a price, or what levels come to. Simulations have both.
 */
#ifndef BLY_HOST_SELFTEST_SUBJECT_H
#define BLY_HOST_SELFTEST_SUBJECT_H

#include <bailey/american.h>
#include <bailey/greeks.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/points.h>
#include <bailey/simulation.h>

enum bly_subject_kind {
    BLY_SUBJECT_WORDS,
    BLY_SUBJECT_UNIFORMS,
    BLY_SUBJECT_NORMALS,
    BLY_SUBJECT_VARIATES,
    BLY_SUBJECT_CORRELATED, /* an item is a vector */
    BLY_SUBJECT_POINTS,     /* a point */
    BLY_SUBJECT_PATHS,      /* a path, as are those below */
    BLY_SUBJECT_MOTION,
    BLY_SUBJECT_SIMULATION, /* the outputs of a path; the estimates */
    BLY_SUBJECT_GREEKS,     /* results alone, as those below */
    BLY_SUBJECT_AMERICAN,
    BLY_SUBJECT_LEVELS,
    BLY_SUBJECT_KINDS
};

/* When the self-test has a row: by itself, or only with `all`; rows with neither are there for the tests. */
#define BLY_FEW_F32 1u
#define BLY_FEW_F64 2u
#define BLY_ALL_F32 4u
#define BLY_ALL_F64 8u
#define BLY_FEW (BLY_FEW_F32 | BLY_FEW_F64 | BLY_ALL)
#define BLY_ALL (BLY_ALL_F32 | BLY_ALL_F64)

/* A parameter of a payoff and its values; of the last one of a list the name is NULL. */
struct bly_setting {
    const char *name;
    double values[3];
    uint32_t count; /* 0 means 1 */
};

/* Pointers are of what the row's kind takes. Precisions within them are ignored, nor are sources but
 * `source`, nor ranges of paths but `first` and `count`. */
struct bly_subject {
    const char *name;
    enum bly_subject_kind kind;
    unsigned when;
    bailey_source source;
    bailey_normal_params normal;
    uint64_t first, count; /* the items that a golden value is of, or the paths of a result */
    uint32_t lead;         /* where they begin in a buffer, in elements */
    const bailey_variate_params *variate;
    const double *factor; /* CORRELATED, [vector_dims][vector_dims] */
    uint32_t vector_dims;
    const bailey_points_params *points;
    const bailey_bridge_params *path; /* also of SIMULATION, GREEKS */
    int stored;                       /* PATHS: the self-test makes them of stored normals too */
    int strategies;                   /* PATHS: and by every strategy */
    const bailey_motion_params *motion;
    const uint64_t *ticks, *to; /* MOTION: values at ticks, or increments from ticks to others */
    uint64_t tick_count;
    bailey_payoff payoff; /* SIMULATION, GREEKS, LEVELS */
    uint32_t motion_depth;
    uint64_t planned_paths;
    const struct bly_setting *settings;
    const bailey_simulation_run_params *run; /* NULL: zero */
    int closed;                              /* control variates are what has a closed form */
    int brief;                               /* the golden value is of means and standard errors */
    const bailey_greeks_params *greeks;
    const bailey_american_params *american;
    const bailey_mlmc_params *levels;
    const bailey_mlmc_run_params *levels_run;
    const uint64_t *samples; /* LEVELS: of each level, `level_count` of them; NULL: a run */
    uint32_t level_count;
};

/* Row number `index`; NULL beyond the last. */
const struct bly_subject *bly_subject_at(size_t index);

/* A subject on a context, in a precision. */
struct bly_made {
    bailey_context *context;
    const struct bly_subject *subject;
    bailey_precision precision;
    bailey_source source; /* the subject's, which may be replaced by an equal one */
    int stored;           /* PATHS: of stored normals */
    /* PATHS, MOTION, SIMULATION and GREEKS, LEVELS */
    union {
        bailey_bridge *bridge;
        bailey_motion *motion;
        bailey_simulation *simulation;
        bailey_mlmc *levels;
    } object;
    double expected[BAILEY_SIMULATION_MAX_OUTPUTS];
};

/* Whether there are items and results of a kind, and whether a device can have the subject at all: without
 * double precision not all. */
int bly_subject_has_items(const struct bly_subject *subject);
int bly_subject_has_result(const struct bly_subject *subject);
int bly_subject_fits(const struct bly_subject *subject, bailey_precision precision, int has_f64);

/* Whether what a device cannot have is not a failure, as where it has no compiler. */
int bly_subject_may_miss(const struct bly_subject *subject);

/* Returns: as the functions that make the subject's object. */
bailey_status bly_subject_create(bailey_context *context, const struct bly_subject *subject,
                                 bailey_precision precision, struct bly_made *made);
void bly_subject_destroy(struct bly_made *made); /* one of zeros is allowed */

/* An item has so many elements of so many bytes. They lie as [row][item], or where `by_item` as [item][row].
 * Only where `anywhere` may they begin elsewhere than at the buffer's start. */
struct bly_shape {
    uint64_t rows;
    size_t element;
    int by_item, anywhere;
};
struct bly_shape bly_subject_shape(const struct bly_made *made);

/* Makes items first .. first + count - 1, from element `offset` of `out` on. */
bailey_status bly_subject_make(const struct bly_made *made, uint64_t first, uint64_t count,
                               bailey_buffer *out, uint64_t offset);

/* How many results a simulation has, at most BAILEY_SIMULATION_MAX_OUTPUTS: outputs, or those of scenarios.
 */
uint64_t bly_subject_results(const struct bly_made *made);
/* How it is run, for a range of paths; how levels are run. */
bailey_simulation_run_params bly_subject_run_params(const struct bly_made *made, uint64_t first,
                                                    uint64_t count);
bailey_mlmc_run_params bly_subject_levels_params(const struct bly_made *made);

/* The struct that a result is written to. */
union bly_result {
    bailey_estimate estimates[BAILEY_SIMULATION_MAX_OUTPUTS];
    bailey_greek_estimate greeks[64];
    bailey_american_result american;
    bailey_mlmc_result levels;
};

/* `progress` may be NULL. */
bailey_status bly_subject_run(const struct bly_made *made, bailey_progress progress, void *user,
                              union bly_result *result);

#define BLY_SUBJECT_VALUES 320
/* All numbers of a result; returns how many. */
size_t bly_subject_values(const struct bly_made *made, const union bly_result *result,
                          double values[BLY_SUBJECT_VALUES]);

#define BLY_SUBJECT_ITEM 160
/* The self-test's name for a subject, and whether it has a golden value. */
void bly_subject_item(const struct bly_subject *subject, bailey_precision precision,
                      char item[BLY_SUBJECT_ITEM]);
int bly_subject_golden(const struct bly_subject *subject, bailey_precision precision, uint64_t *hash);

/* 64-bit FNV-1a hashes: of bytes, and of those numbers of a result that a golden value is of. */
uint64_t bly_subject_hash(const void *data, size_t bytes);
uint64_t bly_subject_result_hash(const struct bly_subject *subject, const double *values, size_t count);

#endif
