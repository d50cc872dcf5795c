/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in models and products; and from a product and its model to one payoff with its path.
 */
#ifndef BLY_MODELS_H
#define BLY_MODELS_H

#include <bailey/simulation.h>

/* The code of the built-in of that name, or NULL. */
const char *bly_model_find(const char *name);
const char *bly_product_find(const char *name);

/* A payoff in which no product is left, and the times of its path. */
struct bly_resolved {
    bailey_payoff payoff;
    char *code;     /* of a composition; NULL: `payoff` is what was given */
    char *closed;   /* the same path with its closed form as out[0]; NULL: it has none */
    char name[256]; /* the composition's */
    double *times;  /* of a path that has steps between its dates; else NULL */
    uint64_t steps; /* of these */
};

/* Composes where `payoff` is a product. `path` has the times, of which there may be 0, and dims.
 * bly_resolved_free whatever is returned. Returns: OK, ERROR_INVALID, ERROR_MEMORY. */
bailey_status bly_payoff_resolve(const bailey_payoff *payoff, const bailey_bridge_params *path,
                                 struct bly_resolved *resolved);
void bly_resolved_free(struct bly_resolved *resolved);

#endif
