/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "mlmc_half_steps.h"

#include <bailey/device/approximate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 5
#define CHECKED 1024 /* samples of a level */
#define LEVELS MLMC_HALF_LEVELS
#define VARIANTS MLMC_HALF_VARIANTS
#define FORMS 2

const struct mlmc_half_variant mlmc_half_variants[VARIANTS] = {
    {"exact, single", 0, MLMC_HALF_SINGLE, 0},
    {"CONSTANT, single", BAILEY_APPROXIMATE_CONSTANT, MLMC_HALF_SINGLE, 0},
    {"DYADIC, single", BAILEY_APPROXIMATE_DYADIC, MLMC_HALF_SINGLE, 0},
    {"CONSTANT, half", BAILEY_APPROXIMATE_CONSTANT, MLMC_HALF_HALF, 0},
    {"DYADIC, half", BAILEY_APPROXIMATE_DYADIC, MLMC_HALF_HALF, 0},
    {"CONSTANT, bfloat16", BAILEY_APPROXIMATE_CONSTANT, MLMC_HALF_BFLOAT, 0},
    {"DYADIC, bfloat16", BAILEY_APPROXIMATE_DYADIC, MLMC_HALF_BFLOAT, 0},
    {"CONSTANT, single, shared", BAILEY_APPROXIMATE_CONSTANT, MLMC_HALF_SINGLE, 1},
    {"DYADIC, single, shared", BAILEY_APPROXIMATE_DYADIC, MLMC_HALF_SINGLE, 1},
    {"CONSTANT, half, shared", BAILEY_APPROXIMATE_CONSTANT, MLMC_HALF_HALF, 1},
    {"DYADIC, half, shared", BAILEY_APPROXIMATE_DYADIC, MLMC_HALF_HALF, 1},
};

/* What samples of a level take, and how they vary: of differences and of corrections. */
struct measured {
    double step[FORMS], variance[FORMS]; /* seconds of a fine step */
    int way[FORMS];
};

/* Exact normals have no correction; a shared word's is that of a word of one sample. */
static enum mlmc_half_form form_of(const struct mlmc_half_variant *v, int correction)
{
    if (correction) return MLMC_HALF_CORRECTION;
    return v->shared ? MLMC_HALF_SHARED : MLMC_HALF_DIFFERENCE;
}
static int is_made(const struct mlmc_half_maker *m, const struct mlmc_half_variant *v, int correction,
                   int level)
{
    return !m->refuses(m->user, v) && !(v->shared && level) && !(correction && !v->normals);
}

/* ---- Against the host ------------------------------------------------------------------------- */

static float paid(float end)
{
    const float spot = (float)MLMC_HALF_SPOT, less = (float)(MLMC_HALF_SPOT - MLMC_HALF_STRIKE);
    return fmaxf(fmaf(spot, end, less), 0);
}

static float difference(int kind, int format, enum mlmc_half_form form, int level, uint64_t number)
{
    double end[2];
    mlmc_half_ends(kind, format, form, level, number, end);
    if (level == 0) return paid((float)end[0]);
    const float coarse = (float)end[1],
                fine = mlmc_half_is_apart(format) ? coarse + (float)end[0] : (float)end[0];
    return paid(fine) - paid(coarse);
}

static struct mlmc_half_sums host_sums(const struct mlmc_half_variant *v, enum mlmc_half_form form, int level)
{
    struct mlmc_half_sums sums = {0, 0};
    for (uint64_t i = 0; i < CHECKED; i++) {
        double y = difference(v->normals, v->format, form, level, i);
        if (form == MLMC_HALF_CORRECTION) y = difference(0, MLMC_HALF_SINGLE, form, level, i) - (float)y;
        y = (float)y;
        sums.y += y, sums.yy = fma(y, y, sums.yy);
    }
    return sums;
}

/* One end of a path that differs in its last place makes more than that. */
static int differ(double a, double b, double size) { return !(fabs(a - b) <= 1e-12 * size); }

static int check_sums(const struct mlmc_half_maker *m, const struct mlmc_half_variant *v, int correction,
                      int level)
{
    const enum mlmc_half_form form = form_of(v, correction);
    const struct mlmc_half_sums want = host_sums(v, form, level);
    const double size = sqrt(want.yy * CHECKED);
    int wrong = 0;
    for (int way = 0; way < m->ways; way++) {
        struct mlmc_half_sums is = {NAN, NAN};
        (void)m->sum(m->user, way, v, form, level, CHECKED, &is);
        if (!differ(is.y, want.y, size) && !differ(is.yy, want.yy, want.yy)) continue;
        printf("MISMATCH %s, %s, %s, level %d: sums %.17g %.17g, on the host %.17g %.17g\n", v->name,
               correction ? "correction" : "difference", m->way_names[way], level, is.y, is.yy, want.y,
               want.yy);
        wrong++;
    }
    return wrong;
}

static int check_ends(const struct mlmc_half_maker *m, const struct mlmc_half_variant *v, int level)
{
    static float got[2][CHECKED];
    const enum mlmc_half_form form = form_of(v, 0);
    int wrong = 0;
    memset(got, 0xff, sizeof got);
    m->ends(m->user, v, form, level, CHECKED, got[0], got[1]);
    for (uint64_t i = 0; i < CHECKED; i++) {
        double end[2];
        mlmc_half_ends(v->normals, v->format, form, level, i, end);
        for (int p = 0; p < (level ? 2 : 1); p++) {
            const float want = (float)end[p];
            if (memcmp(&got[p][i], &want, sizeof want) == 0) continue;
            if (wrong++ == 0)
                printf("MISMATCH %s, level %d, sample %d, %s path: ends at %a, on the host %a\n", v->name,
                       level, (int)i, p ? "second" : "first", (double)got[p][i], (double)want);
        }
    }
    return wrong;
}

static int check(const struct mlmc_half_maker *m)
{
    int wrong = 0;
    for (int v = 0; v < VARIANTS; v++)
        for (int level = 0; level < LEVELS; level++)
            for (int c = 0; c < FORMS; c++) {
                const struct mlmc_half_variant *const variant = &mlmc_half_variants[v];
                if (!is_made(m, variant, c, level)) continue;
                if (c == 0) wrong += check_ends(m, variant, level);
                wrong += check_sums(m, variant, c, level);
            }
    printf("paths of %d samples of each level and variant, and their sums: %s\n", CHECKED,
           wrong ? "NOT those of the host" : "those of the host, bit for bit");
    return wrong;
}

/* ---- Times ------------------------------------------------------------------------------------- */

static void measure(const struct mlmc_half_maker *m, int v, int correction, int level, uint64_t steps,
                    struct measured *to)
{
    const struct mlmc_half_variant *const variant = &mlmc_half_variants[v];
    const uint64_t samples = steps >> level & ~UINT64_C(1023);
    struct mlmc_half_sums sums = {0, 0};
    to->step[correction] = INFINITY;
    for (int way = 0; way < m->ways; way++)
        for (int call = 0; call < CALLS; call++) {
            const double seconds =
                m->sum(m->user, way, variant, form_of(variant, correction), level, samples, &sums);
            const double step = seconds / (double)(samples << level);
            if (step < to->step[correction]) to->step[correction] = step, to->way[correction] = way;
        }
    const double mean = sums.y / (double)samples;
    to->variance[correction] = sums.yy / (double)samples - mean * mean;
}

static void print_row(const struct mlmc_half_maker *m, int v, int level, const struct measured *of)
{
    const struct mlmc_half_variant *const variant = &mlmc_half_variants[v];
    printf("%5d  %-26s %9.3f %11.4e", level, variant->name, of->step[0] * 1e12, of->variance[0]);
    if (is_made(m, variant, 1, level))
        printf(" %9.3f %11.4e", of->step[1] * 1e12, of->variance[1]);
    else
        printf(" %9s %11s", "", "");
    printf("  %s", m->way_names[of->way[0]]);
    if (is_made(m, variant, 1, level)) printf("; %s", m->way_names[of->way[1]]);
    printf("\n");
}

/* ---- Costs at equal error ---------------------------------------------------------------------- */

/* Which variants an estimator may have on each level. */
static const struct choice {
    const char *name;
    unsigned of; /* bit v: variant v */
} choices[] = {
    {"exact, single", 1u << 0},
    {"CONSTANT, single", 1u << 1},
    {"DYADIC, single", 1u << 2},
    {"CONSTANT, half", 1u << 3},
    {"DYADIC, half", 1u << 4},
    {"the best in single", 7u},
    {"the best, half allowed", 31u},
    {"the best, bfloat16 too", 127u},
    {"the best in single, words shared on level 0", 7u | 3u << 7},
    {"the best, half allowed, words shared on level 0", 31u | 15u << 7},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* sqrt(V~ C~) + sqrt(V_c C_c) of a level. */
static double root_of(const struct measured *of, int v, int level)
{
    const double steps = ldexp(1, level);
    const double root = sqrt(of->variance[0] * of->step[0] * steps);
    return mlmc_half_variants[v].normals ? root + sqrt(of->variance[1] * of->step[1] * steps) : root;
}

static double least_root(const struct mlmc_half_maker *m, struct measured all[LEVELS][VARIANTS], unsigned of,
                         int level)
{
    double least = INFINITY;
    for (int v = 0; v < VARIANTS; v++)
        if (of >> v & 1 && is_made(m, &mlmc_half_variants[v], 0, level))
            least = fmin(least, root_of(&all[level][v], v, level));
    return least;
}

static void print_costs(const struct mlmc_half_maker *m, struct measured all[LEVELS][VARIANTS])
{
    static const int finest[] = {2, 4, 6};
    printf("\ntime at equal error on levels 0 to l, relative to exact normals in single precision\n%-48s",
           "");
    for (int i = 0; i < 3; i++) printf("   l = %d", finest[i]);
    for (int c = 0; c < CHOICES; c++) {
        printf("\n%-48s", choices[c].name);
        for (int i = 0; i < 3; i++) {
            double sum = 0, plain = 0;
            for (int level = 0; level <= finest[i]; level++) {
                sum += least_root(m, all, choices[c].of, level);
                plain += least_root(m, all, 1, level);
            }
            if (isfinite(sum))
                printf(" %7.4f", sum / plain * (sum / plain));
            else
                printf(" %7s", "-");
        }
    }
    printf("\n");
}

int mlmc_half_measure(const struct mlmc_half_maker *m, uint64_t steps)
{
    static struct measured all[LEVELS][VARIANTS];
    printf("%s\n", m->name);
    for (int v = 0; v < VARIANTS; v++) {
        const char *reason = m->refuses(m->user, &mlmc_half_variants[v]);
        if (reason) printf("no %s: %s\n", mlmc_half_variants[v].name, reason);
    }
    const int wrong = check(m);
    printf("\n%5s  %-26s %9s %11s %9s %11s\n", "level", "normals, path", "ps a step", "variance", "a step",
           "variance");
    printf("%5s  %-26s %9s %11s %9s %11s\n", "", "", "", "", "of corr.", "of corr.");
    for (int level = 0; level < LEVELS; level++)
        for (int v = 0; v < VARIANTS; v++) {
            for (int c = 0; c < FORMS; c++)
                if (is_made(m, &mlmc_half_variants[v], c, level))
                    measure(m, v, c, level, steps, &all[level][v]);
            if (is_made(m, &mlmc_half_variants[v], 0, level)) print_row(m, v, level, &all[level][v]);
            fflush(stdout);
        }
    print_costs(m, all);
    return wrong;
}
