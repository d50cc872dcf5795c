/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tables of `bailey bench mlmc`: the built-in estimators, run to an error and in one launch, and compared
 * with those of others.
 */
#ifndef CLI_BENCH_MLMC_H
#define CLI_BENCH_MLMC_H

#include "bench_peers.h"

#include <bailey/mlmc.h>

#define MLMC_MAX_EPS 16

struct mlmc_bench {
    struct bench base;
    uint64_t steps;        /* of fine paths in one large launch */
    double energy_seconds; /* that runs go on while their energy is measured */
    double eps[MLMC_MAX_EPS];
    uint64_t eps_count;                      /* 0: those of the table */
    double price_per_hour;                   /* of the device; NaN: not known */
    struct bench_host *all, *one;            /* all threads, and one */
    struct bench_energy *meter, *host_meter; /* of the device, of the processors; NULL: why */
    char meter_why[200], host_meter_why[200];
    char text[400]; /* of a fact of the row that was measured last */
};

/* Opens what there is; context, device and settings are the caller's. Returns an exit code. */
int mlmc_bench_create(struct mlmc_bench *bench);
void mlmc_bench_destroy(struct mlmc_bench *bench);

/* The functions of a table. */
int mlmc_run_name(const struct bench *bench, size_t index, char *name);
int mlmc_rate_name(const struct bench *bench, size_t index, char *name);
int mlmc_peers_name(const struct bench *bench, size_t index, char *name);
int mlmc_cost_name(const struct bench *bench, size_t index, char *name);
void mlmc_run_measure(struct bench *bench, size_t index, struct bench_row *row);
void mlmc_rate_measure(struct bench *bench, size_t index, struct bench_row *row);
void mlmc_peers_measure(struct bench *bench, size_t index, struct bench_row *row);
void mlmc_cost_measure(struct bench *bench, size_t index, struct bench_row *row);

/* ---- For the tables ---- */

enum mlmc_numbers { MLMC_F32, MLMC_FAST_F32, MLMC_F64, MLMC_NUMBERS };
extern const char *const mlmc_numbers_names[MLMC_NUMBERS]; /* "exact/f32" */

/* The built-ins, in the order of enum plain_option, which is that of the library. */
extern const struct mlmc_problem {
    const char *name;
    double exact;
} mlmc_problems[PLAIN_OPTIONS];

/* Levels and a run of theirs, or samples of each level. */
struct mlmc_subject {
    bailey_mlmc *mlmc;
    bailey_mlmc_run_params params;
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    uint32_t levels; /* of `samples`; 0: a run */
    bailey_mlmc_result result;
    double processor_seconds; /* of this process, in all calls, which the caller may set to 0 */
};

/* Built-in `option`, its parameters set, ready to run to eps. first_steps 0: 1. To be destroyed whatever is
 * returned. */
bailey_status mlmc_subject_create(struct mlmc_bench *bench, enum plain_option option,
                                  enum mlmc_numbers numbers, uint32_t first_steps, double eps,
                                  struct mlmc_subject *subject);
void mlmc_subject_destroy(struct mlmc_subject *subject);

/* One call, which overwrites the result; `user` is the struct mlmc_subject. For bench_time. */
bailey_status mlmc_subject_run(void *user);

/* What bailey_mlmc_run_samples takes: a multiple of 32, at least `samples`. */
uint64_t mlmc_round_up(uint64_t samples);

/* Samples of each level, `times` as many as a result has. */
void mlmc_subject_sample(struct mlmc_subject *subject, const bailey_mlmc_result *result, uint64_t times);

/* Steps of fine paths in its samples. */
double mlmc_subject_steps(const struct mlmc_subject *subject);

/* The figures of timed[0], of `amount` units, and its ratio to timed[1], of `rival_amount`. */
void mlmc_figures(struct bench_row *row, const struct bench_timed *timed, double amount, double rival_amount);

/* `value` within four times `error` of the exact one, and `bias` besides, else the row has failed. */
void mlmc_check(struct bench_row *row, enum plain_option option, double value, double error, double bias);

/* "298508288 5834752 ...", in the bench's text. */
const char *mlmc_samples_text(struct mlmc_bench *bench, const uint64_t *samples, uint32_t levels);

#endif
