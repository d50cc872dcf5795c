/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether numbers of a distribution grow with their words, in f32: all pairs of neighbours among the 2^32
 * words. One line per distribution and setting with the pairs that fell and those that rose.
 *
 *     cc -O3 -march=native -ffp-contract=off -pthread -Iinclude -Isrc tools/words_order.c -o words_order \
 *        build/release/libbailey.a -lm -ldl
 *     ./words_order [THREADS]
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

#define MOST_THREADS 64
#define D(name) BAILEY_DISTRIBUTION_##name

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

static float number_of(const struct part *t, uint32_t w)
{
    const bailey_variate_params *p = &t->setting->p;
    const double exponent = p->shape ? 1 / p->shape : 1; /* as variates.c has it, in two parts */
    const float high = (float)exponent, low = (float)(fma(-(double)high, p->shape, 1) / p->shape);
    switch (p->distribution) {
    case D(LOGISTIC): return bailey_logistic_f32(w);
    case D(LAPLACE): return bailey_laplace_f32(w);
    case D(GUMBEL): return bailey_gumbel_f32(w);
    case D(CAUCHY): return bailey_cauchy_f32(w);
    case D(WEIBULL): return bailey_weibull_f32(w, high, low);
    case D(PARETO): return bailey_pareto_f32(w, high, low);
    default: return bailey_tabled_f32(t->table, w);
    }
}

static void *compare(void *argument)
{
    struct part *t = argument;
    if (t->setting->p.distribution >= D(POISSON) && t->setting->p.distribution < D(GAMMA)) {
        uint32_t before = bailey_discrete_u32(t->table, (uint32_t)t->first);
        for (uint64_t w = t->first + 1; w <= t->last; w++) {
            const uint32_t here = bailey_discrete_u32(t->table, (uint32_t)w);
            t->fell += here < before;
            t->rose += here > before;
            before = here;
        }
        return NULL;
    }
    float before = number_of(t, (uint32_t)t->first);
    for (uint64_t w = t->first + 1; w <= t->last; w++) {
        const float here = number_of(t, (uint32_t)w);
        t->fell += !(here >= before);
        t->rose += here > before;
        before = here;
    }
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
        parts[i] = (struct part){.setting = s,
                                 .table = memory,
                                 .first = UINT32_MAX / (uint64_t)threads * (uint64_t)i,
                                 .last = UINT32_MAX / (uint64_t)threads * (uint64_t)(i + 1)};
        if (i + 1 == threads) parts[i].last = UINT32_MAX;
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
    if (threads < 1 || threads > MOST_THREADS) return 2;
    if (bailey_context_create(NULL, NULL, &context)) return 2;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        failed += check(&settings[i], context, threads);
    printf("%zu settings, %d with numbers out of order\n", sizeof settings / sizeof *settings, failed);
    bailey_context_destroy(context);
    return failed > 0;
}
