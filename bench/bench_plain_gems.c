/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The simulations of Howes and Thomas, GPU Gems 3, chapter 37, on a processor as their table 37-1 has them: a
 * plain loop in C, with normals by ziggurat from MT19937, or with none.
 */
#include "bench_plain.h"

#include <math.h>
#include <pthread.h>

/* ---- MT19937: Matsumoto and Nishimura, ACM TOMACS 8 (1998), its start as of 2002 ---- */

#define MT_WORDS 624

struct normals {
    uint32_t mt[MT_WORDS];
    int next;
    const struct deal_gems *deal; /* of the constants */
    unsigned constant;
};

static void mt_start(struct normals *g, uint32_t seed)
{
    g->mt[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++) g->mt[i] = 1812433253u * (g->mt[i - 1] ^ g->mt[i - 1] >> 30) + i;
    g->next = MT_WORDS;
}

static uint32_t mt_twist(uint32_t first, uint32_t second, uint32_t far)
{
    const uint32_t joined = (first & 0x80000000u) | (second & 0x7fffffffu);
    return far ^ joined >> 1 ^ ((second & 1) ? 0x9908b0dfu : 0);
}

static void mt_refill(struct normals *g)
{
    uint32_t *mt = g->mt;
    int i = 0;
    for (; i < MT_WORDS - 397; i++) mt[i] = mt_twist(mt[i], mt[i + 1], mt[i + 397]);
    for (; i < MT_WORDS - 1; i++) mt[i] = mt_twist(mt[i], mt[i + 1], mt[i + 397 - MT_WORDS]);
    mt[i] = mt_twist(mt[i], mt[0], mt[396]);
    g->next = 0;
}

static inline uint32_t mt_next(struct normals *g)
{
    if (g->next == MT_WORDS) mt_refill(g);
    uint32_t word = g->mt[g->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/* ---- Ziggurat: Marsaglia and Tsang, Journal of Statistical Software 5 (2000), with 128 layers; the layer
 * and the place in it from different bits, as Doornik (2005) asks for. ---- */

#define LAYERS 128
#define TAIL 3.442619855899      /* where the tail begins */
#define AREA 9.91256303526217e-3 /* of a layer */

static struct ziggurat {
    float edge[LAYERS + 1], density[LAYERS + 1];
} ziggurat;
static pthread_once_t ziggurat_once = PTHREAD_ONCE_INIT;

static void ziggurat_make(void)
{
    double x = TAIL;
    ziggurat.edge[0] = (float)(AREA / exp(-TAIL * TAIL / 2));
    ziggurat.edge[1] = (float)x;
    for (int i = 2; i < LAYERS; i++) {
        x = sqrt(-2 * log(AREA / x + exp(-x * x / 2)));
        ziggurat.edge[i] = (float)x;
    }
    ziggurat.edge[LAYERS] = 0;
    for (int i = 0; i <= LAYERS; i++) ziggurat.density[i] = expf(-ziggurat.edge[i] * ziggurat.edge[i] / 2);
}

static float uniform(struct normals *g) { return (float)((mt_next(g) >> 8) + 1) * 0x1p-24F; }

static float tail(struct normals *g, int negative)
{
    float x, y;
    do {
        x = -logf(uniform(g)) / (float)TAIL;
        y = -logf(uniform(g));
    } while (y + y < x * x);
    return negative ? -(float)TAIL - x : (float)TAIL + x;
}

static inline float ziggurat_next(struct normals *g)
{
    for (;;) {
        const uint32_t word = mt_next(g), layer = word & (LAYERS - 1);
        const float u = (float)((int32_t)word >> 8) * 0x1p-23F, x = u * ziggurat.edge[layer];
        if (fabsf(x) < ziggurat.edge[layer + 1]) return x;
        if (!layer) return tail(g, u < 0);
        const float low = ziggurat.density[layer], high = ziggurat.density[layer + 1];
        if (low + uniform(g) * (high - low) < expf(-x * x / 2)) return x;
    }
}

static inline float constant_next(struct normals *g)
{
    return g->deal->constant[g->constant++ % GEMS_CONSTANTS];
}

/* ---- The listings ---- */

/* A constant is drawn anew for each step, so that what a step computes is not taken out of its loop. */
#define LISTINGS(suffix, next)                                                                               \
    static float max_##suffix(const struct deal_gems *deal, struct normals *g)                               \
    {                                                                                                        \
        float a = deal->spot_a, b = deal->spot_b, sum = 0;                                                   \
        for (int step = 0; step < GEMS_MAX_STEPS; step++) {                                                  \
            const float ra = next(g), rb = next(g);                                                          \
            a *= expf(deal->drift_a + ra * deal->sigma_aa);                                                  \
            b *= expf(deal->drift_b + ra * deal->sigma_ab + rb * deal->sigma_bb);                            \
            sum += fmaxf(a, b);                                                                              \
        }                                                                                                    \
        return fmaxf(sum / GEMS_MAX_STEPS - fmaxf(a, b), 0);                                                 \
    }                                                                                                        \
    static float garch_##suffix(const struct deal_gems *deal, struct normals *g)                             \
    {                                                                                                        \
        float before[GEMS_GARCH_STEPS], s = deal->spot, v = deal->volatility, shock = deal->shock, sum = 0;  \
        for (int step = 0; step < GEMS_GARCH_STEPS; step++) {                                                \
            before[step] = s;                                                                                \
            v = sqrtf(deal->a0 + deal->a1 * v * v + deal->a2 * shock * shock);                               \
            shock = next(g) * v;                                                                             \
            s *= expf(deal->drift + shock);                                                                  \
        }                                                                                                    \
        for (int step = 0; step < GEMS_GARCH_STEPS; step++) sum += fmaxf(before[step] - s, 0);               \
        return sum;                                                                                          \
    }
LISTINGS(random, ziggurat_next)
LISTINGS(constant, constant_next)
#undef LISTINGS

static struct plain_sums part(const void *user, unsigned index, uint64_t count)
{
    const struct plain_gems *p = user;
    float (*const random)(const struct deal_gems *, struct normals *) = p->garch ? garch_random : max_random;
    float (*const constant)(const struct deal_gems *, struct normals *) =
        p->garch ? garch_constant : max_constant;
    float (*const payoff)(const struct deal_gems *, struct normals *) = p->constant ? constant : random;
    struct normals g = {.deal = p->deal};
    struct plain_sums sums = {0, 0};
    mt_start(&g, index + 1);
    for (uint64_t path = 0; path < count; path++) {
        const double value = (double)payoff(p->deal, &g);
        sums.sum += value;
        sums.squares += value * value;
    }
    return sums;
}

bailey_status plain_gems_run(void *user)
{
    struct plain_gems *p = user;
    pthread_once(&ziggurat_once, ziggurat_make);
    plain_estimate(p->host, p->paths, part, p, &p->mean, &p->error);
    return BAILEY_OK;
}
