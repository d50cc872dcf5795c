/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo on a device: the level functions once they are read, the program that serves all
 * levels, and who makes samples with it. driver.h has the arithmetic that decides which.
 */
#ifndef BLY_MLMC_INTERNAL_H
#define BLY_MLMC_INTERNAL_H

#include "driver.h"

#include <host/internal.h>
#include <host/payoff/parameters.h>
#include <host/run/variant.h>
#include <kernels/mlmc_params.h>

/* ---- Level functions (mlmc.c) -------------------------------------------------------------------- */

/* A sample whose code failed. */
struct bly_level_fault {
    int found;
    uint32_t level, correction, replicate; /* replicate: of points */
    bailey_mlmc_approximation approximate; /* of its level: never AUTO */
    uint64_t sample;
};

struct bailey_mlmc {
    bailey_context *context;
    struct bly_payoff payoff;
    uint8_t *given; /* 1 of each parameter that was set */
    bailey_precision precision;
    uint32_t dims, first_steps;
    double time;
    double *factor;  /* [dims][dims], lower triangular, not rounded; NULL: the identity */
    uint8_t *values; /* the set of parameters */
    char *code;      /* a copy */
    struct bly_variants programs;
    uint32_t group_items;         /* that compiled kernels have been refused more than; 0: none has */
    struct bly_level_fault fault; /* of the current run */
    struct bly_choosing choosing; /* AUTO: costs and limits; tests lower them */
    uint8_t path_digest[BLY_DIGEST_BYTES];
};

/* Fine steps of a level. */
static inline uint64_t bly_mlmc_steps(const bailey_mlmc *mlmc, uint32_t level)
{
    return (uint64_t)mlmc->first_steps << level;
}

/* Random numbers of a fine step. */
static inline uint32_t bly_mlmc_step_numbers(const bailey_mlmc *mlmc)
{
    return mlmc->dims + mlmc->payoff.normals + mlmc->payoff.uniforms;
}

/* Levels that share all but the code with others, and have their parameters: of code of the same params. */
bailey_status bly_mlmc_create_like(const bailey_mlmc *mlmc, const bailey_payoff *estimator,
                                   bailey_mlmc **made);

/* ---- Code that fails as it runs ------------------------------------------------------------------ */

/* A run ends with the first round in which code fails, and reports the first sample of that round, by level,
 * correction, replicate and number. That sample is then made again, by a program that reports why. */

#define BLY_LEVEL_DIAGNOSIS_ROWS 4u /* rows of a diagnosis: kernels/payoff_faults.h */

/* Whether `a` comes before `b`, which is not if it is the same. */
int bly_level_fault_before(const struct bly_level_fault *a, const struct bly_level_fault *b);
/* Keeps the first, in the levels, and returns ERROR_PAYOFF. */
bailey_status bly_level_fault_note(bailey_mlmc *mlmc, const struct bly_level_fault *fault);

/* ---- Programs (mlmc_program.c) ------------------------------------------------------------------- */

/* The properties that a program is compiled for. Compared as bytes: there is no padding. */
struct bly_mlmc_variant {
    uint32_t input;        /* BLY_INPUT_DRAWN or BLY_INPUT_STORED */
    uint32_t draw, rounds; /* DRAWN: an enum bly_draw, and the rounds of Philox */
    uint32_t test;         /* all rows of sums */
    uint32_t fast;         /* native functions may serve the level functions */
    uint32_t copies;       /* groups copy the table of the inverse CDF */
    uint32_t block, team;  /* items of a group and of a team, powers of two */
    uint32_t width; /* samples of an item side by side, a power of two, at most BLY_LEVEL_GRAIN in groups of
                       several items */
    uint32_t calls_rows;  /* DRAWN: numbers are filled by rows of the library */
    uint32_t persistent;  /* one launch serves the run (kernels/mlmc_persistent.h) */
    uint32_t approximate; /* 0, or the kind of approximate normals; and 1 for their corrections */
    uint32_t correction;
    uint32_t half;       /* the run on approximate normals takes steps in half precision */
    uint32_t half_scale; /* 64 + the exponent of its unit of money */
    uint32_t shares;     /* samples of level 0 share words (kernels/mlmc_approximate.h) */
    uint32_t chunks;     /* of a launch */
    uint32_t faults;     /* 1: the code has sites; 2: and what failed is reported, of one sample */
    uint32_t given;      /* 8-byte words of parameters that come with the launch, or 0: they are in memory */
};

/* Kernels of a program. */
enum { BLY_LEVELS_SAMPLE, BLY_LEVELS_FOLD, BLY_LEVELS_KERNELS };
#define BLY_LEVELS_PERSISTENT BLY_LEVELS_SAMPLE /* the only kernel of a persistent program */

#define BLY_LEVELS_TURN_BITS 6u /* at most so many turns of an item in a ticket, as a power of two */

/* The kind of program for approximate normals: differences, or with `correction` their corrections. */
struct bly_mlmc_variant bly_approximate_variant(const bailey_mlmc_run_params *params, uint32_t correction);

/* Fills in what follows from the device. */
void bly_mlmc_variant_choose(const bailey_mlmc *mlmc, struct bly_mlmc_variant *variant);

/* The exponent of a unit of 1, as variants have it. */
#define BLY_HALF_NO_SCALE 64

/* The bytes of a program's parameters: corrections in half precision take two sets. */
static inline uint32_t bly_mlmc_values_bytes(const bailey_mlmc *mlmc, const struct bly_mlmc_variant *variant)
{
    return mlmc->payoff.params_bytes * (variant->half && variant->correction ? 2u : 1u);
}

/* Groups that the device runs at once, about. */
uint64_t bly_mlmc_groups(const bailey_mlmc *mlmc, const struct bly_mlmc_variant *variant);

/* The program's kernels, compiled if they have not been. Where the device cannot have what `variant` asks
 * for, *variant changes to what it has. Returns: OK, ERROR_BUILD, ERROR_UNSUPPORTED, ERROR_MEMORY,
 * ERROR_DRIVER. */
bailey_status bly_mlmc_program_find(bailey_mlmc *mlmc, struct bly_mlmc_variant *variant,
                                    struct bly_entry entries[BLY_LEVELS_KERNELS]);

/* ---- Arguments of a run's launches (mlmc_launch.c) ----------------------------------------------- */

/* A program, ready to be launched for samples of any level: whatever the schedule. */
struct bly_mlmc_launch {
    bailey_mlmc *mlmc;
    struct bly_mlmc_variant variant;
    struct bly_entry entries[BLY_LEVELS_KERNELS];
    uint32_t rows, faults; /* of a node: all, and those of faults, which are the last */
    bailey_buffer *values, *factor, *table, *approximate;
    struct {
        bly_levels_params head;
        uint64_t values[(BLY_MAX_PARAMS - sizeof(bly_levels_params)) / 8];
    } params;
};

/* Compiles the program and brings parameters and tables to the device, as they are now. Of `variant` all is
 * set that does not follow from `params`, the levels or the device. With a source of kind COUNTER numbers are
 * drawn in the program: normals as params->normal says, uniform numbers as bailey_uniforms_generate makes
 * them of words of the precision's usual width. With a source of kind POINT they are in memory. Other kinds
 * are refused. To be ended whatever is returned. Returns: OK; ERROR_INVALID; ERROR_BUILD, ERROR_UNSUPPORTED
 * (no compiler, no double precision), ERROR_MEMORY, ERROR_DRIVER. */
bailey_status bly_mlmc_launch_begin(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params, uint32_t rows,
                                    struct bly_mlmc_variant variant, struct bly_mlmc_launch *launch);
void bly_mlmc_launch_end(struct bly_mlmc_launch *launch);

/* Samples of a term whose nodes have one height. */
struct bly_node_range {
    uint32_t term, height;
    uint32_t folds; /* how often its nodes were joined, BLY_NODE_BITS heights at a time */
    uint32_t width_bits, turn_bits, ticket_bits; /* of its tickets, which are of 2^ticket_bits samples */
    uint64_t first, end;
    uint64_t node; /* where its first one is among the round's */
};

/* How a range is cut into node ranges, from left to right. */
struct bly_mlmc_cut {
    const struct bly_mlmc_launch *launch;
    uint64_t next, end;           /* samples that are not yet cut */
    uint32_t folds;               /* at most */
    struct bly_node_range ticket; /* one that ends where tickets do */
};

/* Refuses samples or random numbers that cannot be numbered. Nodes are of `most_height` at most, and are
 * folded at most `most_folds` times, as long as more than the host should read are left. */
bailey_status bly_mlmc_cut_begin(const struct bly_mlmc_launch *launch, const struct bly_sample_range *range,
                                 uint32_t most_height, uint32_t most_folds, struct bly_mlmc_cut *cut);
/* The next one, while cut->next < cut->end. */
struct bly_node_range bly_mlmc_cut_next(struct bly_mlmc_cut *cut);

static inline uint64_t bly_node_range_count(const struct bly_node_range *range)
{
    return (range->end - range->first) >> range->height;
}

/* Samples first .. end - 1 of a node range, as kernels take them; its nodes have no place yet. */
bly_level_chunk bly_mlmc_chunk(const struct bly_mlmc_launch *launch, const struct bly_node_range *range,
                               uint64_t first, uint64_t end);
static inline uint64_t bly_mlmc_chunk_tickets(const struct bly_node_range *range, uint64_t first,
                                              uint64_t end)
{
    return (end - first + ((UINT64_C(1) << range->ticket_bits) - 1)) >> range->ticket_bits;
}

/* Payoffs, or their sums, of samples first .. end - 1 are not finite. */
bailey_status bly_mlmc_not_finite(const bailey_mlmc *mlmc, uint32_t term, uint64_t first, uint64_t end);

/* ---- The schedule BATCHED (mlmc_batched.c) ------------------------------------------------------- */

/* Samples made by a launch or more per round: a round is cut into what launches take, and the nodes that come
 * back are added to trees.
 *
 * Two rounds may be in flight, in the order in which they were queued. Nothing is allocated per round. Sums
 * have the same bits however samples are cut into rounds: all nodes are of the tree over the numbers of a
 * term's samples, in which neighbours are joined in double precision. */
struct bly_batched;

/* Makes what rounds need. The sums are those of `sums`, which has rows for them (BLY_LEVEL_RUN_ROWS or
 * BLY_LEVEL_ROWS) and has to stay until this is destroyed. Of `params` source and normal are examined, now,
 * by bly_mlmc_launch_begin, which says what is returned. With a source of kind COUNTER rounds are queued by
 * the sampler, with one of kind POINT by bly_batched_queue_stored. */
bailey_status bly_batched_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 struct bly_term_sums *sums, struct bly_batched **batched);
/* The same with approximate normals, of the kind that `params` asks for: samples of differences, or with
 * `correction` samples of their corrections. The source is of kind COUNTER, the normals by the inverse CDF.
 */
bailey_status bly_batched_create_approximate(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                             int correction, struct bly_term_sums *sums,
                                             struct bly_batched **batched);
/* Adds later rounds to other sums of as many rows; no round is in flight. */
void bly_batched_add_to(struct bly_batched *batched, struct bly_term_sums *sums);
/* Waits for the rounds in flight. NULL is allowed. */
void bly_batched_destroy(struct bly_batched *batched);

/* How the driver sees it. Errors of `queue` and `take`, besides those of devices: ERROR_INVALID for payoffs
 * that are not finite, and for levels with more random numbers or samples than can be numbered. */
struct bly_sampler bly_batched_sampler(struct bly_batched *batched);

/* The numbers that samples are computed from, in memory, of the precision and as level functions get them,
 * [row][sample], rows being those of bailey/mlmc.h: increments of the Brownian motion (of covariance h C),
 * step by step and in each step dimension by dimension, then normals and uniform numbers in the same order.
 * Sample `first` of the level is element `offset` of `numbers`, the next sample is the next element, and the
 * next row begins `row` elements further on. The buffer must not be written until the round has been taken,
 * except by what is queued after it in queue 0. */
struct bly_stored_numbers {
    const bailey_buffer *numbers;
    uint64_t offset, row;
    /* Where its nodes go when the round is taken, in the order of their samples: number `number` of 2^h
     * samples, h up to `height`, which is at least that of BLY_LEVEL_GRAIN; row r is value[r * stride], as in
     * bly_term_sums, which is not touched. */
    void *user;
    void (*add)(void *user, uint32_t h, uint64_t number, const double *value, uint64_t stride);
    uint32_t height;
    /* Told of the first sample whose code failed, before anything is added. Its status is the round's. */
    bailey_status (*fault)(void *user, uint64_t sample);
};

/* Queues one range, as a round. It is taken by bly_batched_take. At most two rounds are in flight. */
bailey_status bly_batched_queue_stored(struct bly_batched *batched, const struct bly_sample_range *range,
                                       const struct bly_stored_numbers *stored);
bailey_status bly_batched_take(struct bly_batched *batched);

/* One that reports why the code of one sample failed, and nothing else: of `sums` only rows is set. With
 * params->approximate it is of differences, or corrections as the levels' fault is. */
bailey_status bly_batched_create_diagnosing(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                            struct bly_term_sums *sums, uint64_t sample,
                                            struct bly_batched **batched);
/* The diagnosis that the round just taken has made. */
void bly_batched_diagnosis(const struct bly_batched *batched, uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS]);
/* Runs the sample of the levels' fault again, of a source of kind COUNTER. */
bailey_status bly_batched_diagnose(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS]);

/* ---- Calls (mlmc_calls.c) ------------------------------------------------------------------------ */

/* bailey_mlmc_run and bailey_mlmc_run_samples, within a call. */
bailey_status bly_mlmc_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                           bailey_mlmc_result *result);
bailey_status bly_mlmc_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result);

/* ---- Half precision (mlmc_half.c) ---------------------------------------------------------------- */

#define BLY_HALF_LEAST_STEP 0x1p-24 /* in time */

/* Chooses the unit of money of a variant in half precision, and refuses what halves cannot express: of the
 * argument "approximate". */
bailey_status bly_half_choose(const bailey_mlmc *mlmc, struct bly_mlmc_variant *variant);
/* Writes the parameters of such a variant, of payoff.params_bytes. */
void bly_half_values(const bailey_mlmc *mlmc, const struct bly_mlmc_variant *variant, uint8_t *set);

/* ---- Approximate normals (mlmc_approximate.c) ---------------------------------------------------- */

/* Differences with approximate normals, and their corrections; or with AUTO, of what each level has. */
struct bly_approximate;

/* As of bly_batched; `params` have been checked by bly_approximate_check, `sums` has both kinds. */
bailey_status bly_approximate_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                     struct bly_term_sums *sums, struct bly_approximate **approximate);
void bly_approximate_destroy(struct bly_approximate *approximate);
struct bly_sampler bly_approximate_sampler(struct bly_approximate *approximate);

/* What kinds cost in the steps of these levels, and what a level has to gain (mlmc_costs.c). */
struct bly_choosing bly_choosing_of(const bailey_mlmc *mlmc);
/* The time of an operation in emulated half precision, relative to single precision. */
double bly_emulated_cost(void);

/* The source of differences (kind 0) or corrections (1). */
bailey_source bly_approximate_source(const bailey_mlmc_run_params *params, uint32_t kind);

/* ---- The schedule PERSISTENT (mlmc_persistent.c) ------------------------------------------------- */

/* Samples made by one persistent kernel. */
struct bly_persistent;

/* As of bly_batched. Until it is destroyed nothing else may be queued on the context, nor memory be taken.
 * Returns, besides: ERROR_UNSUPPORTED where kernels and the host do not hear of each other. */
bailey_status bly_persistent_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                    struct bly_term_sums *sums, struct bly_persistent **persistent);
/* Stops the kernel and waits for it. NULL is allowed. */
void bly_persistent_destroy(struct bly_persistent *persistent);
struct bly_sampler bly_persistent_sampler(struct bly_persistent *persistent);

/* ---- Random numbers from points (quasi_rows.c) --------------------------------------------------- */

#define BLY_QUASI_STREAMS 32u /* from a replicate to the next; more than there are levels */

/* The properties that the paths of all levels share. */
struct bly_quasi_paths {
    bailey_context *context;
    bailey_precision precision;
    uint32_t first_steps, dims, normals, uniforms; /* the last three per step */
    double time;
    const double *factor; /* [dims][dims], lower triangular; NULL: the identity */
    bailey_construction construction;
};

/* Random numbers of a sample of a level; rows of what is made. */
static inline uint64_t bly_quasi_numbers(const struct bly_quasi_paths *paths, uint32_t level)
{
    return ((uint64_t)paths->first_steps << level) * (paths->dims + paths->normals + paths->uniforms);
}

/* What passes through memory at once: points first .. first + count - 1 of replicates replicate .. replicate
 * + replicates - 1 of a level. */
struct bly_quasi_chunk {
    uint32_t level, replicate, replicates;
    uint64_t first, count;
};

/* The state of their maker: paths, bridges of levels so far, and Z of the last chunk. All zero but `paths` at
 * first.
 */
struct bly_quasi_rows {
    struct bly_quasi_paths paths;
    bailey_bridge *bridge[BAILEY_MLMC_MAX_LEVELS];
    bailey_buffer *z;
};

/* Takes the memory for so many samples of a level, so that it is not short later. Returns: OK, ERROR_MEMORY,
 * ERROR_DRIVER. */
bailey_status bly_quasi_rows_reserve(struct bly_quasi_rows *rows, uint32_t level, uint64_t samples);

/* Writes [row][replicate][point] of a chunk to `out`: increments of the Brownian motion, of covariance h C,
 * [step] [dim]; then the normals and the uniforms, each [step][number]. Sample p of replicate r takes point p
 * of stream + BLY_QUASI_STREAMS r + level. Its first dimensions drive the bridge, by the source's assignment;
 * those behind them are the normals and then the uniforms, as the rows are numbered.
 *
 * Asynchronous. Returns: OK, ERROR_MEMORY, ERROR_DRIVER. */
bailey_status bly_quasi_rows_make(struct bly_quasi_rows *rows, const bailey_source *source,
                                  const struct bly_quasi_chunk *chunk, bailey_buffer *out);
void bly_quasi_rows_free(struct bly_quasi_rows *rows);

/* ---- Runs with points (quasi_run.c) -------------------------------------------------------------- */

/* What bailey_mlmc_run and bailey_mlmc_run_samples do with a source of kind POINT, once their arguments are
 * checked as for any source; zeros stand for defaults still. max_level is at most the finest level of which
 * each random number of a sample has a dimension of the points: more is refused, and the default is no more.
 */
bailey_status bly_quasi_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                            bailey_mlmc_result *result);
bailey_status bly_quasi_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                    const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result);
/* For tests: memory that a chunk takes at most, instead of what the device is tuned for, and how increments
 * are computed from points. */
struct bly_quasi_options {
    uint64_t chunk_bytes; /* 0: as tuned */
    bailey_construction construction;
};
bailey_status bly_quasi_run_with(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 const struct bly_quasi_options *options, bailey_mlmc_result *result);
/* Rows of levels 0 .. levels - 1, with `points` points of each replicate on each. */
bailey_status bly_quasi_run_tables(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const struct bly_quasi_options *options, uint64_t points, uint32_t levels,
                                   struct bly_quasi_level *rows);

/* Runs the sample of the levels' fault again, of a source of kind POINT. */
bailey_status bly_quasi_diagnose(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS]);

#endif
