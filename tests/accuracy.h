/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The largest error of a function against a reference, where it was, and whether that is within a bound.
 * Shared by accuracy.c and accuracy_elementary.c, which say how errors are counted.
 */
#ifndef BLY_TEST_ACCURACY_H
#define BLY_TEST_ACCURACY_H

#include <inttypes.h>
#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <string.h>

/* The largest error of one function, and where. */
typedef struct worst {
    double error;
    uint64_t input[2];
    uint64_t samples, descents;
    int broken; /* a property that must hold exactly did not, at input */
} worst;

static int failures;

static inline void note(worst *w, double error, uint64_t a, uint64_t b)
{
    w->samples++;
    if (!(error <= w->error)) {
        w->error = isnan(error) ? INFINITY : error;
        w->input[0] = a;
        w->input[1] = b;
    }
}

static inline void broke(worst *w, uint64_t a, uint64_t b)
{
    if (!w->broken) {
        w->input[0] = a;
        w->input[1] = b;
    }
    w->broken = 1;
}

static inline void merge(worst *to, const worst *from)
{
    to->samples += from->samples;
    to->descents += from->descents;
    if (to->broken) return;
    if (from->broken || from->error > to->error) {
        to->error = from->error;
        memcpy(to->input, from->input, sizeof to->input);
        to->broken = from->broken;
    }
}

static inline void verdict(const char *name, const worst *w, double bound, const char *unit)
{
    int ok = !w->broken && w->error <= bound;
    printf("%-23s %11" PRIu64 " samples  max error %-10.6g (bound %g) %s  at %" PRIx64 " %" PRIx64 "%s\n",
           name, w->samples, w->error, bound, unit, w->input[0], w->input[1],
           w->broken ? "  EXACT PROPERTY BROKEN"
           : ok      ? ""
                     : "  EXCEEDED");
    fflush(stdout);
    failures += !ok;
}

static inline uint64_t mix(uint64_t x)
{
    /* The finaliser of MurmurHash3, over a Weyl sequence: enough to scatter test inputs. */
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
}

/* Sample i of a stratified stream: uniform, or near either end or the middle at every scale. */
static inline uint64_t stratified(uint64_t i)
{
    uint64_t r = mix(2 * i), s = mix(2 * i + 1);
    switch (s & 3) {
    case 0: return r >> ((s >> 8) & 63);
    case 1: return ~(r >> ((s >> 8) & 63));
    case 2: return (r >> ((s >> 8) & 63)) ^ ((s & 4) << 61) ^ (0 - ((s >> 3) & 1));
    default: return r;
    }
}

static inline double ulp_f32(double exact) { return ldexp(1.0, ilogb(exact) - 23); }

static inline double ulp_error_f64(double x, __float128 exact)
{
    return (double)(fabsq(x - exact) / ldexpq(1, ilogbq(exact) - 52));
}

#endif
