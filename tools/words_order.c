/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether numbers of a distribution grow with their words, in f32: all pairs of neighbours among the 2^32
 * words. One line per distribution and setting with the pairs that fell and those that rose; exponential
 * numbers are negated. With BAILEY_LANES, vectors of so many words.
 *
 *     cc -O3 -march=native -DBAILEY_LANES=16 -ffp-contract=off -pthread -Iinclude -Isrc tools/words_order.c \
 *        -o words_order build/release/libbailey.a -lm -ldl
 *     ./words_order [THREADS [FIRST [LAST]]]      settings by their numbers, from 0
 */
#include <bailey/advanced.h>
#include <bailey/bailey.h>
#include <bailey/device/discrete.h>
#include <bailey/device/distribution.h>
#include <bailey/device/tabled.h>

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 64
#define D(name) BAILEY_DISTRIBUTION_##name

static const double weights[] = {1, 0, 5, 2.5, 0.25, 0, 7};
static double many[1000], most[1000000];

static const struct setting {
    const char *text;
    bailey_variate_params p;
} settings[] = {
    {"poisson 0.1", {.distribution = D(POISSON), .mean = 0.1}},
    {"poisson 30", {.distribution = D(POISSON), .mean = 30}},
    {"poisson 1e9", {.distribution = D(POISSON), .mean = 1e9}},
    {"binomial 10, 0.3", {.distribution = D(BINOMIAL), .trials = 10, .probability = 0.3}},
    {"binomial 1000, 0.02", {.distribution = D(BINOMIAL), .trials = 1000, .probability = 0.02}},
    {"binomial 2147483647, 0.5", {.distribution = D(BINOMIAL), .trials = 2147483647, .probability = 0.5}},
    {"geometric 0.9", {.distribution = D(GEOMETRIC), .probability = 0.9}},
    {"geometric 0.1", {.distribution = D(GEOMETRIC), .probability = 0.1}},
    {"geometric 0.001", {.distribution = D(GEOMETRIC), .probability = 0.001}},
    {"negative-binomial 0.5, 0.3", {.distribution = D(NEGATIVE_BINOMIAL), .shape = 0.5, .probability = 0.3}},
    {"negative-binomial 2.5, 0.01",
     {.distribution = D(NEGATIVE_BINOMIAL), .shape = 2.5, .probability = 0.01}},
    {"negative-binomial 1e6, 0.5", {.distribution = D(NEGATIVE_BINOMIAL), .shape = 1e6, .probability = 0.5}},
    {"gamma 0.3", {.distribution = D(GAMMA), .shape = 0.3}},
    {"gamma 2.5", {.distribution = D(GAMMA), .shape = 2.5}},
    {"gamma 1e9", {.distribution = D(GAMMA), .shape = 1e9}},
    {"chi-square 1", {.distribution = D(CHI_SQUARE), .freedom = 1}},
    {"chi-square 5", {.distribution = D(CHI_SQUARE), .freedom = 5}},
    {"chi-square 1e6", {.distribution = D(CHI_SQUARE), .freedom = 1e6}},
    {"beta 0.5, 0.5", {.distribution = D(BETA), .shape = 0.5, .second_shape = 0.5}},
    {"beta 2, 0.7", {.distribution = D(BETA), .shape = 2, .second_shape = 0.7}},
    {"beta 1e4, 3", {.distribution = D(BETA), .shape = 1e4, .second_shape = 3}},
    {"student-t 0.5", {.distribution = D(STUDENT_T), .freedom = 0.5}},
    {"student-t 4", {.distribution = D(STUDENT_T), .freedom = 4}},
    {"student-t 1e6", {.distribution = D(STUDENT_T), .freedom = 1e6}},
    {"truncated-normal -1, 2", {.distribution = D(TRUNCATED_NORMAL), .lower = -1, .upper = 2}},
    {"truncated-normal 0, 100", {.distribution = D(TRUNCATED_NORMAL), .lower = 0, .upper = 100}},
    {"truncated-normal 30, 100", {.distribution = D(TRUNCATED_NORMAL), .lower = 30, .upper = 100}},
    {"noncentral-chi-square 1, 0.5",
     {.distribution = D(NONCENTRAL_CHI_SQUARE), .freedom = 1, .noncentrality = 0.5}},
    {"noncentral-chi-square 4, 30",
     {.distribution = D(NONCENTRAL_CHI_SQUARE), .freedom = 4, .noncentrality = 30}},
    {"noncentral-chi-square 2.5, 1e5",
     {.distribution = D(NONCENTRAL_CHI_SQUARE), .freedom = 2.5, .noncentrality = 1e5}},
    {"gamma 0.001", {.distribution = D(GAMMA), .shape = 0.001}},
    {"gamma 0.02", {.distribution = D(GAMMA), .shape = 0.02}},
    {"gamma 0.1, scale 1e10", {.distribution = D(GAMMA), .shape = 0.1, .scale = 1e10}},
    {"chi-square 0.002", {.distribution = D(CHI_SQUARE), .freedom = 0.002}},
    {"chi-square 0.1", {.distribution = D(CHI_SQUARE), .freedom = 0.1}},
    {"chi-square 0.59", {.distribution = D(CHI_SQUARE), .freedom = 0.59}},
    {"beta 0.001, 0.001", {.distribution = D(BETA), .shape = 0.001, .second_shape = 0.001}},
    {"beta 0.05, 0.03", {.distribution = D(BETA), .shape = 0.05, .second_shape = 0.03}},
    {"beta 0.2, 1e6", {.distribution = D(BETA), .shape = 0.2, .second_shape = 1e6}},
    {"discrete, 7 weights", {.distribution = D(DISCRETE), .weights = weights, .weight_count = 7}},
    {"discrete, 1000 weights", {.distribution = D(DISCRETE), .weights = many, .weight_count = 1000}},
    {"discrete, 1000000 weights", {.distribution = D(DISCRETE), .weights = most, .weight_count = 1000000}},
    {"normal", {.distribution = D(NORMAL)}},
    {"normal, mean 3, stddev 1e-4", {.distribution = D(NORMAL), .mean = 3, .stddev = 1e-4}},
    {"normal, mean -1e6, stddev 2", {.distribution = D(NORMAL), .mean = -1e6, .stddev = 2}},
    {"log-normal", {.distribution = D(LOG_NORMAL)}},
    {"log-normal 0.5, 0.01", {.distribution = D(LOG_NORMAL), .mean = 0.5, .stddev = 0.01}},
    {"log-normal -2, 12", {.distribution = D(LOG_NORMAL), .mean = -2, .stddev = 12}},
    {"exponential", {.distribution = D(EXPONENTIAL)}},
    {"exponential, rate 3", {.distribution = D(EXPONENTIAL), .rate = 3}},
    {"exponential, rate 1e-15", {.distribution = D(EXPONENTIAL), .rate = 1e-15}},
    {"logistic, location 100, scale 0.1", {.distribution = D(LOGISTIC), .location = 100, .scale = 0.1}},
    {"logistic, location -3, scale 7", {.distribution = D(LOGISTIC), .location = -3, .scale = 7}},
    {"laplace, location 100, scale 0.1", {.distribution = D(LAPLACE), .location = 100, .scale = 0.1}},
    {"laplace, location -3, scale 7", {.distribution = D(LAPLACE), .location = -3, .scale = 7}},
    {"gumbel, location 100, scale 0.1", {.distribution = D(GUMBEL), .location = 100, .scale = 0.1}},
    {"gumbel, location -3, scale 7", {.distribution = D(GUMBEL), .location = -3, .scale = 7}},
    {"cauchy, location 100, scale 0.1", {.distribution = D(CAUCHY), .location = 100, .scale = 0.1}},
    {"cauchy, location -3, scale 7", {.distribution = D(CAUCHY), .location = -3, .scale = 7}},
    {"logistic", {.distribution = D(LOGISTIC)}},
    {"laplace", {.distribution = D(LAPLACE)}},
    {"gumbel", {.distribution = D(GUMBEL)}},
    {"cauchy", {.distribution = D(CAUCHY)}},
    {"weibull 0.5", {.distribution = D(WEIBULL), .shape = 0.5}},
    {"weibull 1.5", {.distribution = D(WEIBULL), .shape = 1.5}},
    {"weibull 100", {.distribution = D(WEIBULL), .shape = 100}},
    {"pareto 0.5", {.distribution = D(PARETO), .shape = 0.5}},
    {"pareto 3", {.distribution = D(PARETO), .shape = 3}},
    {"pareto 100", {.distribution = D(PARETO), .shape = 100}},
};

/* The part of a thread: the words from first to last. */
struct part {
    const struct setting *setting;
    const void *table;
    uint64_t first, last, fell, rose;
    pthread_t thread;
};

/* As variates.c has it: location and scale of a number x, in f32. */
static bailey_f32 placed(const bailey_variate_params *p, bailey_f32 x)
{
    const float scale = p->scale == 0 ? 1 : (float)p->scale;
    return bailey_fma_f32(bailey_splat_f32(scale), x, bailey_splat_f32((float)p->location));
}

static bailey_f32 numbers_of(const struct part *t, bailey_u32 w)
{
    const bailey_variate_params *p = &t->setting->p;
    const double shape = p->shape == 0 ? 1 : p->shape, exponent = 1 / shape; /* in two parts */
    const float high = (float)exponent, low = (float)(fma(-(double)high, shape, 1) / shape);
    const double rate = p->rate == 0 ? 1 : p->rate, spread = p->stddev == 0 ? 1 : p->stddev;
    const float *normal_table = (const float *)bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    bailey_f32 z;
    switch (p->distribution) {
    case D(NORMAL):
    case D(LOG_NORMAL):
        z = bailey_fma_f32(bailey_splat_f32((float)spread), bailey_normal_icdf_f32(normal_table, w),
                           bailey_splat_f32((float)p->mean));
        return p->distribution == D(NORMAL) ? z : bailey_exp_f32(z);
    case D(EXPONENTIAL):
        return -bailey_exponential_f32(w, bailey_splat_f32((float)(-0x1.62e42fefa39efp-1 / rate)));
    case D(LOGISTIC): return placed(p, bailey_logistic_f32(w));
    case D(LAPLACE): return placed(p, bailey_laplace_f32(w));
    case D(GUMBEL): return placed(p, bailey_gumbel_f32(w));
    case D(CAUCHY): return placed(p, bailey_cauchy_f32(w));
    case D(WEIBULL): return bailey_weibull_f32(w, bailey_splat_f32(high), bailey_splat_f32(low));
    case D(PARETO): return bailey_pareto_f32(w, bailey_splat_f32(high), bailey_splat_f32(low));
    default: return bailey_tabled_f32(t->table, w);
    }
}

enum { BLOCK = 1024 };

/* Numbers of words first ... of a block; discrete ones are below 2^31, and compare as their bits do. */
static void make_block(const struct part *t, int discrete, uint32_t first, void *to)
{
    for (uint32_t i = 0; i < BLOCK; i += BAILEY_LANES) {
        const bailey_u32 w = bailey_splat_u32(first + i) + bailey_u32_from_u64(bailey_lane_numbers());
        const bailey_u32 n =
            discrete ? bailey_discrete_u32(t->table, w) : bailey_u32_bits_f32(numbers_of(t, w));
        memcpy((uint32_t *)to + i, &n, sizeof n);
    }
}

/* All words from first to before last, which are multiples of BLOCK; the one before the first too. */
static void *compare(void *argument)
{
    struct part *t = argument;
    const int discrete = t->setting->p.distribution >= D(POISSON) && t->setting->p.distribution < D(GAMMA);
    union {
        float real[BLOCK + 1];
        int32_t integer[BLOCK + 1];
    } *block = malloc(sizeof *block), *before = malloc(sizeof *before);
    if (!block || !before) exit(2);
    make_block(t, discrete, (uint32_t)t->first - (t->first ? BLOCK : 0), before->integer + 1);
    for (uint64_t w = t->first; w < t->last; w += BLOCK) {
        uint32_t fell = 0, rose = 0;
        make_block(t, discrete, (uint32_t)w, block->integer + 1);
        block->integer[0] = w ? before->integer[BLOCK] : block->integer[1];
        if (discrete)
            for (int i = 0; i < BLOCK; i++) {
                fell += block->integer[i + 1] < block->integer[i];
                rose += block->integer[i + 1] > block->integer[i];
            }
        else
            for (int i = 0; i < BLOCK; i++) {
                fell += !(block->real[i + 1] >= block->real[i]);
                rose += block->real[i + 1] > block->real[i];
            }
        t->fell += fell;
        t->rose += rose;
        before->integer[BLOCK] = block->integer[BLOCK];
    }
    free(block);
    free(before);
    return NULL;
}

/* The distribution's table, in the host's memory; NULL: it has none. */
static int read_table(const struct setting *s, bailey_context *context, void **memory)
{
    bailey_buffer *table = NULL;
    *memory = NULL;
    if (s->p.distribution < D(POISSON)) return 1;
    if (bailey_variate_table_create(context, &s->p, &table)) return 0;
    *memory = malloc(bailey_buffer_bytes(table));
    const int done = *memory && !bailey_buffer_read(table, 0, *memory, bailey_buffer_bytes(table));
    bailey_buffer_destroy(table);
    return done;
}

static int check(const struct setting *s, bailey_context *context, int threads)
{
    struct part parts[MOST_THREADS];
    void *memory;
    uint64_t fell = 0, rose = 0;
    if (!read_table(s, context, &memory)) {
        printf("%s: %s\n", s->text, bailey_error_message());
        return 1;
    }
    for (int i = 0; i < threads; i++) {
        const uint64_t blocks = (UINT64_C(1) << 32) / BLOCK, n = (uint64_t)threads, k = (uint64_t)i;
        parts[i] = (struct part){.setting = s,
                                 .table = memory,
                                 .first = blocks * k / n * BLOCK,
                                 .last = blocks * (k + 1) / n * BLOCK};
        if (pthread_create(&parts[i].thread, NULL, compare, &parts[i])) exit(2);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(parts[i].thread, NULL);
        fell += parts[i].fell;
        rose += parts[i].rose;
    }
    free(memory);
    printf("%-32s %" PRIu64 " fell, %" PRIu64 " rose\n", s->text, fell, rose);
    fflush(stdout);
    return fell > 0;
}

int main(int count, char **arguments)
{
    const int threads = count > 1 ? atoi(arguments[1]) : 4;
    bailey_context *context = NULL;
    int failed = 0;
    const size_t settings_count = sizeof settings / sizeof *settings;
    const size_t first = count > 2 ? (size_t)atoi(arguments[2]) : 0;
    const size_t last = count > 3 ? (size_t)atoi(arguments[3]) : settings_count - 1;
    if (threads < 1 || threads > MOST_THREADS || last >= settings_count) return 2;
    for (size_t i = 0; i < 1000000; i++) most[i] = (double)(i * UINT64_C(2654435761) % 1000003) + 1;
    for (size_t i = 0; i < 1000; i++) many[i] = i % 3 ? most[i] : 0;
    if (bailey_context_create(NULL, NULL, &context)) return 2;
    for (size_t i = first; i <= last; i++) failed += check(&settings[i], context, threads);
    printf("%zu settings, %d with numbers out of order\n", last - first + 1, failed);
    bailey_context_destroy(context);
    return failed > 0;
}
