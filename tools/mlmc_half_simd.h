/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of mlmc_half_simd.c with reals of one kind: it defines REAL(name), and TWO, numbers of two vectors
 * of samples side by side, with OF(a, b), ADD, MUL, FMA and FLOATS(x, i), vector i of x in single precision;
 * and APART, 1 if pairs of paths are D and the coarse Y (mlmc_half_paths.h).
 */

struct REAL(constants) {
    TWO root, volatility, half_variance, drift[2];
};
struct REAL(paths) {
    TWO x[2][2]; /* as mlmc_half_ends has them */
};

static inline TWO REAL(splat)(double x)
{
    const bailey_f32 all = bailey_splat_f32((float)x);
    return OF(all, all);
}

static struct REAL(constants) REAL(constants_of)(int format, int level)
{
    const struct mlmc_half_constants fine = mlmc_half_constants_of(&mlmc_half_formats[format], 1 << level),
                                     coarse = mlmc_half_constants_of(&mlmc_half_formats[format],
                                                                     level ? 1 << (level - 1) : 1);
    return (struct REAL(constants)){.root = REAL(splat)(fine.root),
                                    .volatility = REAL(splat)(fine.volatility),
                                    .half_variance = REAL(splat)(fine.half_variance),
                                    .drift = {REAL(splat)(fine.drift), REAL(splat)(coarse.drift)}};
}

static inline struct REAL(paths) REAL(begin)(void)
{
    const TWO zero = REAL(splat)(0);
    return (struct REAL(paths)){{{zero, zero}, {zero, zero}}};
}

/* Of the words' last halves with shift 16. */
static inline void REAL(increments)(const struct tables *t, int kind, TWO root, const struct words *w,
                                    int shift, TWO dw[2])
{
    for (int p = 0; p < 2; p++)
        dw[p] = MUL(
            root, OF(normal_of(t, kind, w->v[2 * p] << shift), normal_of(t, kind, w->v[2 * p + 1] << shift)));
}

static inline TWO REAL(growth)(const struct REAL(constants) * c, int coarse, TWO dw)
{
    return FMA(dw, FMA(c->half_variance, dw, c->volatility), c->drift[coarse]);
}

static inline void REAL(step)(const struct REAL(constants) * c, int coarse, TWO *x, TWO dw)
{
    const TWO g = REAL(growth)(c, coarse, dw);
    *x = ADD(*x, FMA(*x, g, g));
}

/* Two steps of D and of the coarse Y. */
static inline void REAL(apart)(const struct REAL(constants) * c, TWO *d, TWO *y, TWO dw0, TWO dw1)
{
    const TWO a0 = MUL(c->volatility, dw0), a1 = MUL(c->volatility, dw1);
    const TWO r0 = FMA(MUL(c->half_variance, dw0), dw0, c->drift[0]);
    const TWO r1 = FMA(MUL(c->half_variance, dw1), dw1, c->drift[0]);
    const TWO e = FMA(ADD(a0, r0), r1, MUL(a1, r0));
    const TWO g = REAL(growth)(c, 1, ADD(dw0, dw1));
    *d = ADD(*d, FMA(ADD(g, e), *d, FMA(e, *y, e)));
    *y = ADD(*y, FMA(*y, g, g));
}

static inline void REAL(one)(const struct REAL(constants) * c, const TWO dw[2], struct REAL(paths) * s)
{
    for (int p = 0; p < 2; p++) REAL(step)(c, 0, &s->x[0][p], dw[p]);
}

static inline void REAL(two)(const struct REAL(constants) * c, TWO dw[2][2], struct REAL(paths) * s)
{
    for (int p = 0; p < 2; p++) {
        if (APART) {
            REAL(apart)(c, &s->x[0][p], &s->x[1][p], dw[0][p], dw[1][p]);
            continue;
        }
        REAL(step)(c, 0, &s->x[0][p], dw[0][p]);
        REAL(step)(c, 0, &s->x[0][p], dw[1][p]);
        REAL(step)(c, 1, &s->x[1][p], ADD(dw[0][p], dw[1][p]));
    }
}

/* Differences of samples first .. first + SAMPLES - 1: a word's halves are numbers of two steps. */
static inline struct REAL(paths) REAL(differences)(const struct tables *t, const struct REAL(constants) * c,
                                                   int kind, int level, uint64_t first)
{
    struct REAL(paths) s = REAL(begin)();
    TWO dw[2][2];
    if (level == 0) {
        const struct words w = words_of(t, level, 0, first);
        REAL(increments)(t, kind, c->root, &w, 0, dw[0]);
        REAL(one)(c, dw[0], &s);
    } else {
        for (uint64_t i = 0; i >> level == 0; i += 2) {
            struct words w = words_of(t, level, kind ? i / 2 : i, first);
            REAL(increments)(t, kind, c->root, &w, 0, dw[0]);
            if (!kind) w = words_of(t, level, i + 1, first);
            REAL(increments)(t, kind, c->root, &w, kind ? 16 : 0, dw[1]);
            REAL(two)(c, dw, &s);
        }
    }
    return s;
}

/* The same numbers for exact paths and for these. */
static inline struct REAL(paths)
    REAL(corrections)(const struct tables *t, const struct single_constants *exact,
                      const struct REAL(constants) * c, int kind, int level, uint64_t first,
                      struct single_paths *whole)
{
    struct REAL(paths) s = REAL(begin)();
    TWO dw[2][2];
    struct two_f32 exact_dw[2][2];
    *whole = single_begin();
    for (uint64_t i = 0; i >> level == 0; i += 2) {
        for (uint64_t k = 0; k < (level ? 2 : 1); k++) {
            const struct words w = words_of(t, level, i + k, first);
            REAL(increments)(t, kind, c->root, &w, 0, dw[k]);
            single_increments(t, 0, exact->root, &w, 0, exact_dw[k]);
        }
        if (level) {
            REAL(two)(c, dw, &s);
            single_two(exact, exact_dw, whole);
        } else {
            REAL(one)(c, dw[0], &s);
            single_one(exact, exact_dw[0], whole);
        }
    }
    return s;
}

/* Level 0, a word of two samples: SAMPLES of them have the first halves, as many the last. */
static inline struct REAL(paths)
    REAL(shared)(const struct tables *t, const struct REAL(constants) * c, int kind, uint64_t first, int last)
{
    struct REAL(paths) s = REAL(begin)();
    const struct words w = words_of(t, 0, 0, first / 2);
    TWO dw[2];
    REAL(increments)(t, kind, c->root, &w, last ? 16 : 0, dw);
    REAL(one)(c, dw, &s);
    return s;
}

static inline void REAL(pay)(const struct REAL(paths) * s, int level, bailey_f32 y[4])
{
    for (int j = 0; j < 4; j++) {
        const bailey_f32 first = FLOATS(s->x[0][j / 2], j % 2), coarse = FLOATS(s->x[1][j / 2], j % 2);
        y[j] = paid(APART && level ? coarse + first : first);
        if (level) y[j] -= paid(coarse);
    }
}

static inline void REAL(sum)(const struct tables *t, int kind, int format, enum mlmc_half_form form,
                             int level, uint64_t samples, struct sums *sums)
{
    const struct REAL(constants) c = REAL(constants_of)(format, level);
    const struct single_constants exact = single_constants_of(MLMC_HALF_SINGLE, level);
    for (uint64_t first = 0; first < samples; first += form == MLMC_HALF_SHARED ? 2 * SAMPLES : SAMPLES) {
        bailey_f32 y[4], x[4];
        if (form == MLMC_HALF_CORRECTION) {
            struct single_paths whole;
            const struct REAL(paths) s = REAL(corrections)(t, &exact, &c, kind, level, first, &whole);
            REAL(pay)(&s, level, y);
            single_pay(&whole, level, x);
            for (int j = 0; j < 4; j++) y[j] = x[j] - y[j];
        } else if (form == MLMC_HALF_SHARED) {
            struct REAL(paths) s = REAL(shared)(t, &c, kind, first, 0);
            REAL(pay)(&s, level, y);
            add_up(sums, y);
            s = REAL(shared)(t, &c, kind, first, 1);
            REAL(pay)(&s, level, y);
        } else {
            const struct REAL(paths) s = REAL(differences)(t, &c, kind, level, first);
            REAL(pay)(&s, level, y);
        }
        add_up(sums, y);
    }
}

/* Word j of lane i is sample 4 i + j's, or that of the two from 2 (4 i + j) on. */
static void REAL(store)(const struct REAL(paths) * s, uint64_t each, uint64_t from, float *to_first,
                        float *to_second)
{
    for (int j = 0; j < 4; j++) {
        const bailey_f32 ends[2] = {FLOATS(s->x[0][j / 2], j % 2), FLOATS(s->x[1][j / 2], j % 2)};
        for (int i = 0; i < BAILEY_LANES; i++) {
            const uint64_t at = from + each * (uint64_t)(4 * i + j);
            to_first[at] = ends[0][i], to_second[at] = ends[1][i];
        }
    }
}

static void REAL(ends)(const struct tables *t, int kind, int format, enum mlmc_half_form form, int level,
                       uint64_t samples, float *to_first, float *to_second)
{
    const struct REAL(constants) c = REAL(constants_of)(format, level);
    for (uint64_t first = 0; first < samples; first += form == MLMC_HALF_SHARED ? 2 * SAMPLES : SAMPLES) {
        if (form == MLMC_HALF_SHARED) {
            for (int last = 0; last < 2; last++) {
                const struct REAL(paths) s = REAL(shared)(t, &c, kind, first, last);
                REAL(store)(&s, 2, first + (uint64_t)last, to_first, to_second);
            }
        } else {
            const struct REAL(paths) s = REAL(differences)(t, &c, kind, level, first);
            REAL(store)(&s, 1, first, to_first, to_second);
        }
    }
}

#undef REAL
#undef TWO
#undef OF
#undef ADD
#undef MUL
#undef FMA
#undef FLOATS
#undef APART
