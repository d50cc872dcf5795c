/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Densities, step by step from each end, and quantiles of the probabilities that they add up to.
 */
#ifndef BLY_DENSITY_H
#define BLY_DENSITY_H

#include "source.h"
#include "wide.h"

#define BLY_MOST_TERMS 120
#define BLY_LEAST_TERM 0x1p-112

/* The probability beyond the last step: nothing, or g(s) s / e (1 + r(0) + r(0) r(1) + ...). */
enum bly_rest { BLY_REST_NOTHING, BLY_REST_OF_GAMMA, BLY_REST_OF_BETA, BLY_REST_OF_T };

/* One side as a function of s, which grows from the side's end to the middle: x = shift + sign s. The density
 * satisfies A g' = B g; that of a non-central chi-square has an equation of second order (noncentral.c). */
struct bly_side {
    struct bly_wide a[3], b[3]; /* A and B in s */
    double sign, shift;
    struct bly_wide from; /* s begins there */
    enum bly_rest rest;
    int ends;             /* the density ends at s = 0 */
    int noncentral;       /* of which these are half the degrees of freedom, and the noncentrality */
    double first, second; /* parameters of the rest */
};

/* A step from s to s + h, whose integral is that of C, the side's probability, not divided by the whole. */
struct bly_step {
    struct bly_wide s, g, c;
    struct bly_wide slope; /* of g by x, for an equation of second order */
    double until;          /* C at the end that is nearer to the middle */
    double h;
};

struct bly_steps {
    struct bly_step *of;
    uint32_t count, room;
};

bailey_status bly_add_step(struct bly_steps *steps, struct bly_step step);

/* Terms g_k h^k of the density's series at the step's s; returns how many. */
int bly_density_series(const struct bly_side *side, const struct bly_step *step,
                       struct bly_wide term[BLY_MOST_TERMS]);

/* The sum of the terms at t, and h times that of their integrals. */
struct bly_wide bly_density_at(const struct bly_wide *term, int count, struct bly_wide t);
struct bly_wide bly_integral_at(const struct bly_wide *term, int count, struct bly_wide t, double h);

/* Both sides of a distribution with its steps, which the caller frees, also after a failure: 0 is that of U,
 * 1 that of 1 - U. `total` is the probability of all steps. */
struct bly_density {
    struct bly_side side[2];
    struct bly_steps steps[2];
    struct bly_wide total;
    int logarithms;                     /* steps leave out what lies in the rests (bly_find_logarithm) */
    struct bly_wide rest[2], rest_s[2]; /* the probability beyond the last step of each side, and its s */
    double scale;                       /* of the distribution's numbers, in those of the density */
    double least;                       /* errors of smaller numbers are relative to this one */
};

/* Gamma and beta numbers of smaller shapes have tables of logarithms. */
static inline double bly_least_shape(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? 0.1 : 0.3;
}

bailey_status bly_density_create(const bailey_variate_params *p, struct bly_density *density);
void bly_density_free(struct bly_density *density);

/* The width of a normal distribution between its ends: the least of the interval, the standard deviation and
 * the mean distance from an end that lies in the tail. */
double bly_truncated_width(const bailey_variate_params *p);

/* ---- A non-central chi-square distribution (noncentral.c) ---- */

bailey_status bly_noncentral_steps(const bailey_variate_params *p, struct bly_density *density);
int bly_noncentral_series(const struct bly_side *side, const struct bly_step *step,
                          struct bly_wide term[BLY_MOST_TERMS]);

/* ---- Quantiles ---- */

/* 1 + r(0) + r(0) r(1) + ... of the rest at s. */
struct bly_wide bly_rest_sum(const struct bly_side *side, struct bly_wide s);

/* The step that a probability is in; these ascend. */
struct bly_finder {
    const struct bly_side *side;
    const struct bly_steps *steps;
    uint32_t at;
    int count; /* of terms; 0: none have been computed */
    struct bly_wide term[BLY_MOST_TERMS];
    double plain[BLY_MOST_TERMS], integral[BLY_MOST_TERMS];
    double t; /* of the last s */
};

/* s and the density there, where the side's probability is c. */
void bly_find(struct bly_finder *f, struct bly_wide c, struct bly_wide *s, struct bly_wide *g);

/* Where a logarithm L is tabulated (logarithms.c), with its derivative by the side's probability: ln(x) of a
 * gamma number, ln(x / (1 - x)) of a beta number x or, if `beyond`, of 1 - x, the smaller of which is here x.
 */
struct bly_logarithm {
    struct bly_wide log, slope;
    double x, shape, other; /* of x, and of 1 - x */
    int beyond;
};
struct bly_logarithm bly_find_logarithm(const struct bly_density *density, struct bly_finder *f, int number,
                                        struct bly_wide c);
/* As bly_continue_quantile: of L, whose derivative by t is s1. */
void bly_continue_logarithm(const struct bly_density *density, const struct bly_logarithm *l, double s1,
                            int terms, double *r);
struct bly_wide bly_wide_log(struct bly_wide x);

/* Coefficients r[2] ... r[terms], up to BLY_MOST_POWERS, of the quantile s0 + s1 (t + r_2 t^2 + ...) there,
 * s1 being its derivative by t at 0. r[0] is 0, r[1] is 1. */
#define BLY_MOST_POWERS 13
void bly_continue_quantile(const struct bly_finder *f, struct bly_wide s0, double s1, int terms, double *r);

#endif
