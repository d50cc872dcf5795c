/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code as it runs on one path of a simulation, on the host: what a path is explained with. For those
 * who need nothing else of the language.
 */
#ifndef BLY_EXPLAIN_H
#define BLY_EXPLAIN_H

#include <bailey/bailey.h>

struct bly_explained;

struct bly_explained_code {
    const char *code, *name; /* that live as long */
    const char *around;      /* of the library (around.c), or NULL; it lives as long too */
    bailey_precision precision;
    uint32_t dims, own, steps;
    uint32_t levels; /* of a motion; else 0 */
    uint32_t loop_budget;
};

/* Where x of `whole` comes from: steps, or ticks of a motion, and dimensions that there are. */
struct bly_explained_path {
    void *user;
    double (*at)(void *user, uint64_t step, uint32_t dimension);
    double (*time)(void *user, uint64_t step);
};

/* Returns: OK, what the code is refused for, ERROR_MEMORY. *explained must be destroyed whatever is
 * returned. */
bailey_status bly_explained_create(const struct bly_explained_code *code, struct bly_explained **explained);
void bly_explained_destroy(struct bly_explained *explained);

/* Sets a number of the parameters, arrays taken apart. */
void bly_explained_set(struct bly_explained *explained, uint32_t number, double value);
int bly_explained_is_whole(const struct bly_explained *explained);

/* The state after it, NaN of what nothing was written to; valid until the next. NULL where the code has
 * `whole`. */
const double *bly_explained_start(struct bly_explained *explained);
const double *bly_explained_step(struct bly_explained *explained, uint32_t i, double t, const double *x);
void bly_explained_finish(struct bly_explained *explained, double *outputs);
void bly_explained_whole(struct bly_explained *explained, const struct bly_explained_path *path,
                         double *outputs);

/* What failed first, in words; else NULL. */
const char *bly_explained_fault(struct bly_explained *explained);
/* ERROR_MEMORY, ERROR_UNSUPPORTED, ERROR_SELFTEST; else OK. */
bailey_status bly_explained_status(const struct bly_explained *explained);

#endif
