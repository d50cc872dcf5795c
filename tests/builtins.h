/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs that are not motions, as their code describes them, with sensible values: for tests
 * that go over all of them, and so over one that is new too.
 */
#ifndef BLY_BUILTINS_H
#define BLY_BUILTINS_H

#include <bailey/simulation.h>

#include <string.h>

#define BLY_BUILTIN_PARAMETERS 32
#define BLY_MOST_BUILTINS 64

struct bly_builtin {
    const char *name;
    bailey_bridge_output output; /* what x[] is */
    uint32_t dims;               /* of the path; 0: any number */
    uint32_t own;                /* numbers of a step beyond these */
    uint32_t steps;              /* a sensible number */
    /* 1: the times are 1, 2, 3, ... and the construction is WALK, so that x[] are the normals of a step. 0:
     * any of them. */
    int normals;
    int independent; /* 1: the dimensions have no covariance */
    struct bly_builtin_parameter {
        const char *name;
        double value;                     /* of each element of an array too */
        int array;                        /* 1: an element for each dimension of the path */
    } parameters[BLY_BUILTIN_PARAMETERS]; /* up to the first without a name */
};

static inline double bly_builtin_value(const bailey_parameter *p)
{
    static const double roles[] = {
        [BAILEY_ROLE_SPOT] = 100,        [BAILEY_ROLE_STRIKE] = 100, [BAILEY_ROLE_VOLATILITY] = 0.2,
        [BAILEY_ROLE_VARIANCE] = 0.04,   [BAILEY_ROLE_RATE] = 0.05,  [BAILEY_ROLE_MATURITY] = 1,
        [BAILEY_ROLE_BARRIER] = 80,      [BAILEY_ROLE_WEIGHT] = 1,   [BAILEY_ROLE_SIGN] = 1,
        [BAILEY_ROLE_CORRELATION] = -0.7};
    if (p->role == BAILEY_ROLE_WEIGHT) return 1;
    if (p->default_kind == BAILEY_DEFAULT_KIND_NUMBER) return p->default_value;
    if (p->choice_count) return p->choices[0].value;
    if (p->role != BAILEY_ROLE_NONE) return roles[p->role];
    return strcmp(p->name, "reversion") == 0 ? 1.5 : p->range.high < 1 ? p->range.high : 0.3;
}

static inline void bly_builtin_read(const bailey_description *d, struct bly_builtin *b)
{
    const bailey_path_needs *path = &d->path;
    b->normals = path->kind == BAILEY_PATH_KIND_NORMALS;
    b->independent = path->independent != 0;
    b->output = b->normals || path->kind == BAILEY_PATH_KIND_INCREMENTS ? BAILEY_BRIDGE_OUTPUT_INCREMENTS
                                                                        : BAILEY_BRIDGE_OUTPUT_PATHS;
    b->dims = path->assets ? 0 : path->dims_least;
    b->own = path->own_each * b->dims + path->own_more;
    b->steps = (uint32_t)path->steps;
    for (uint32_t i = 0; i < d->parameter_count && i < BLY_BUILTIN_PARAMETERS; i++)
        b->parameters[i] = (struct bly_builtin_parameter){
            d->parameters[i].name, bly_builtin_value(&d->parameters[i]), *d->parameters[i].size != 0};
}

/* Descriptions live as long as the test, as their words do. */
static inline size_t bly_builtins_read(struct bly_builtin all[BLY_MOST_BUILTINS])
{
    const char *name;
    size_t count = 0;
    for (size_t i = 0; count < BLY_MOST_BUILTINS && (name = bailey_payoff_name(i)); i++) {
        bailey_description *d = NULL;
        const bailey_payoff payoff = {.name = name};
        if (bailey_payoff_describe(&payoff, NULL, &d) != BAILEY_OK) continue;
        if (d->path.kind == BAILEY_PATH_KIND_MOTION) {
            bailey_description_destroy(d);
            continue;
        }
        all[count].name = name;
        bly_builtin_read(d, &all[count++]);
    }
    return count;
}

/* Number `index`; NULL beyond the last. */
static inline const struct bly_builtin *bly_builtin_at(size_t index)
{
    static struct bly_builtin all[BLY_MOST_BUILTINS];
    static size_t count;
    if (!count) count = bly_builtins_read(all);
    return index < count ? &all[index] : NULL;
}

/* NULL: none is called so. */
static inline const struct bly_builtin *bly_builtin_called(const char *name)
{
    const struct bly_builtin *b;
    for (size_t i = 0; (b = bly_builtin_at(i)); i++)
        if (strcmp(b->name, name) == 0) return b;
    return NULL;
}

#endif
