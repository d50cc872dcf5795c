/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What scrambles do to the error of integrals that are known, and whether error bars are right. To build,
 * with the library in build/, and to run:
 *
 *     cc -std=c11 -O3 -Iinclude tools/points_error.c build/libbailey.a -lm -ldl -lpthread -o points_error
 *     ./points_error table 8 64       root mean square errors in 8 dimensions, of 64 replicates
 *     ./points_error table 64 64
 *     ./points_error cover 8 16 10    how often 16 replicates of 2^10 points cover the truth, of 1,000 bars
 *
 * Integrands of D dimensions, u uniform, z normal:
 *
 *     product   the product of 1 + (u_j - 1/2) / (1 + j / 2), j from 0
 *     sum       the exponential of the sum of z_j / sqrt(D), a smooth function of one direction
 *     asian     the payoff of a call on the geometric mean of a path of D steps (a kink), which the bridge by
 *               bisection makes with dimension 0 on its end; spot and strike 100, a year, 5 %, volatility 20
 * % steps     the same, with the normals in the order of time digital   that path's mean is above the strike
 * (a jump)
 */
#include <bailey/points.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D_MAX = 64, M_MIN = 6, M_MAX = 16, SCRAMBLES = 5, CHUNK = 1 << 12 };
enum { PRODUCT, SUM, ASIAN, STEPS, DIGITAL, INTEGRANDS };

static const char *const integrand_names[INTEGRANDS] = {"product", "sum", "asian", "steps", "digital"};
static const char *const scramble_names[SCRAMBLES] = {"lms", "owen", "shift", "none", "(random)"};

static int dims;
static double by_bridge[D_MAX], by_steps[D_MAX], mean_log, truth[INTEGRANDS];
static bailey_context *context;
static bailey_buffer *buffer;
static double *uniforms, *normals;

static void must(bailey_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", bailey_error_message());
    exit(1);
}

/* ---- Integrands ---- */

/* The contribution of each normal to the mean of the path's logarithm: the end first, then the bridge by
 * bisection. */
static void bisect(double volatility)
{
    int next = 0;
    for (int t = 1; t <= dims; t++) by_bridge[0] += volatility * t / dims / dims;
    for (int half = dims / 2; half >= 1; half /= 2) {
        for (int middle = half; middle < dims; middle += 2 * half) {
            const double deviation = volatility * sqrt(half / (2.0 * dims));
            next++;
            for (int t = middle - half; t <= middle + half; t++)
                by_bridge[next] += deviation * (1 - abs(t - middle) / (double)half) / dims;
        }
    }
}

static double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2)); }

static void set_up(void)
{
    const double volatility = 0.2, rate = 0.05;
    double variance = 0;
    bisect(volatility);
    for (int j = 0; j < dims; j++) by_steps[j] = volatility * (dims - j) / (dims * sqrt(dims));
    for (int j = 0; j < dims; j++) variance += by_steps[j] * by_steps[j];
    mean_log = (rate - volatility * volatility / 2) * (dims + 1) / (2.0 * dims); /* of mean / strike */
    const double d = mean_log / sqrt(variance);
    truth[PRODUCT] = 1;
    truth[SUM] = exp(0.5);
    truth[ASIAN] = truth[STEPS] =
        100 * (exp(mean_log + variance / 2) * normal_cdf(d + sqrt(variance)) - normal_cdf(d));
    truth[DIGITAL] = normal_cdf(d);
}

static void add_values(const double *u, const double *z, double *sums)
{
    double product = 1, sum = 0, bridge = mean_log, steps = mean_log;
    for (int j = 0; j < dims; j++) {
        product *= 1 + (u[j] - 0.5) / (1 + j / 2.0);
        sum += z[j];
        bridge += by_bridge[j] * z[j];
        steps += by_steps[j] * z[j];
    }
    sums[PRODUCT] += product;
    sums[SUM] += exp(sum / sqrt(dims));
    sums[ASIAN] += bridge > 0 ? 100 * (exp(bridge) - 1) : 0;
    sums[STEPS] += steps > 0 ? 100 * (exp(steps) - 1) : 0;
    sums[DIGITAL] += bridge > 0;
}

/* ---- Replicates ---- */

/* Points first .. first + CHUNK - 1, or as many independent ones. */
static void make_chunk(int scramble, uint64_t replicate, uint64_t first, uint64_t points)
{
    const uint64_t numbers = points * (uint64_t)dims, bytes = numbers * 8;
    bailey_source source = {.seed = 1, .stream = replicate};
    bailey_points_params params = {.precision = BAILEY_PRECISION_F64, .dims = (uint32_t)dims};
    if (scramble == SCRAMBLES - 1) { /* uniform numbers and normals of different streams */
        const bailey_normal_params normal = {.precision = BAILEY_PRECISION_F64};
        source.generator = BAILEY_GENERATOR_PHILOX;
        must(bailey_uniforms_generate(context, &source, BAILEY_PRECISION_F64, 0, first * (uint64_t)dims,
                                      numbers, buffer, 0));
        must(bailey_buffer_read(buffer, 0, uniforms, bytes));
        source.stream += UINT64_C(1) << 32;
        must(bailey_normals_generate(context, &source, &normal, first * (uint64_t)dims, numbers, buffer, 0));
        must(bailey_buffer_read(buffer, 0, normals, bytes));
        return;
    }
    source.generator = BAILEY_GENERATOR_SOBOL;
    source.scramble = (bailey_scramble)scramble;
    must(bailey_points_generate(context, &source, &params, first, points, buffer, 0));
    must(bailey_buffer_read(buffer, 0, uniforms, bytes));
    params.form = BAILEY_POINTS_FORM_NORMALS;
    must(bailey_points_generate(context, &source, &params, first, points, buffer, 0));
    must(bailey_buffer_read(buffer, 0, normals, bytes));
}

/* errors[m][integrand]: of the mean of the first 2^m points. */
static void run_replicate(int scramble, uint64_t replicate, int m_max, double errors[][INTEGRANDS])
{
    double sums[INTEGRANDS] = {0};
    const uint64_t all = UINT64_C(1) << m_max, chunk = all < CHUNK ? all : CHUNK;
    for (uint64_t n = 0; n < all; n++) {
        if (n % chunk == 0) make_chunk(scramble, replicate, n, chunk);
        const size_t at = (size_t)(n % chunk) * (size_t)dims;
        add_values(uniforms + at, normals + at, sums);
        const uint64_t count = n + 1;
        if (count & (count - 1)) continue;
        const int m = __builtin_ctzll(count);
        for (int i = 0; i < INTEGRANDS; i++) errors[m][i] = sums[i] / (double)count - truth[i];
    }
}

/* ---- Commands ---- */

static int print_table(uint64_t replicates)
{
    static double squares[SCRAMBLES][M_MAX + 1][INTEGRANDS];
    static double errors[M_MAX + 1][INTEGRANDS];
    for (int scramble = 0; scramble < SCRAMBLES; scramble++) {
        const uint64_t most = scramble == BAILEY_SCRAMBLE_NONE ? 1 : replicates;
        for (uint64_t r = 0; r < most; r++) {
            run_replicate(scramble, r, M_MAX, errors);
            for (int m = M_MIN; m <= M_MAX; m++)
                for (int i = 0; i < INTEGRANDS; i++)
                    squares[scramble][m][i] += errors[m][i] * errors[m][i] / (double)most;
        }
    }
    printf("%d dimensions, %d replicates: root mean square error\n%-9s %-9s", dims, (int)replicates,
           "integrand", "scramble");
    for (int m = M_MIN; m <= M_MAX; m += 2) printf("     2^%-2d ", m);
    for (int i = 0; i < INTEGRANDS; i++) {
        for (int scramble = 0; scramble < SCRAMBLES; scramble++) {
            printf("\n%-9s %-9s", integrand_names[i], scramble_names[scramble]);
            for (int m = M_MIN; m <= M_MAX; m += 2) printf(" %9.2e", sqrt(squares[scramble][m][i]));
        }
    }
    putchar('\n');
    return 0;
}

/* Student's quantile at 0.975 of 15 and 31 degrees of freedom. */
static double quantile(uint64_t replicates) { return replicates == 16 ? 2.13145 : 2.03951; }

/* Bars of independent groups of replicates: how many hold the truth, and the mean of all in units of its
 * error. */
static int print_cover(uint64_t replicates, int m)
{
    enum { BARS = 1000 };
    static double errors[M_MAX + 1][INTEGRANDS];
    printf(
        "%d dimensions, 2^%d points, %d bars of %d replicates, 95 %%: covered, mean error by its own error\n",
        dims, m, BARS, (int)replicates);
    for (int scramble = 0; scramble < SCRAMBLES; scramble++) {
        if (scramble == BAILEY_SCRAMBLE_NONE) continue;
        double sum[INTEGRANDS] = {0}, square[INTEGRANDS] = {0};
        int covered[INTEGRANDS] = {0};
        for (uint64_t bar = 0; bar < BARS; bar++) {
            double one[INTEGRANDS] = {0}, two[INTEGRANDS] = {0};
            for (uint64_t r = 0; r < replicates; r++) {
                run_replicate(scramble, bar * replicates + r, m, errors);
                for (int i = 0; i < INTEGRANDS; i++) {
                    one[i] += errors[m][i];
                    two[i] += errors[m][i] * errors[m][i];
                }
            }
            for (int i = 0; i < INTEGRANDS; i++) {
                const double count = (double)replicates, mean = one[i] / count;
                const double deviation = sqrt((two[i] - count * mean * mean) / (count - 1) / count);
                covered[i] += fabs(mean) <= quantile(replicates) * deviation;
                sum[i] += one[i];
                square[i] += two[i];
            }
        }
        printf("%-9s", scramble_names[scramble]);
        for (int i = 0; i < INTEGRANDS; i++)
            printf("  %s %d (%.2f)", integrand_names[i], covered[i], sum[i] / sqrt(square[i]));
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const bailey_context_params params = {.threads = 1};
    const int table = argc == 4 && !strcmp(argv[1], "table"), cover = argc == 5 && !strcmp(argv[1], "cover");
    const long replicates = argc > 3 ? atol(argv[3]) : 0, m = argc > 4 ? atol(argv[4]) : 0;
    dims = argc > 2 ? atoi(argv[2]) : 0;
    if (dims < 2 || dims > D_MAX || (dims & (dims - 1)) || !(table ? replicates > 0 : cover) ||
        (cover && ((replicates != 16 && replicates != 32) || m < 1 || m > M_MAX))) {
        fprintf(stderr, "usage: points_error table 2..64 REPLICATES | cover 2..64 16|32 M\n");
        return 2;
    }
    const size_t bytes = (size_t)CHUNK * (size_t)dims * 8;
    uniforms = malloc(bytes);
    normals = malloc(bytes);
    must(bailey_context_create("cpu", &params, &context));
    must(bailey_buffer_create(context, bytes, &buffer));
    if (!uniforms || !normals) return 1;
    set_up();
    const int code = table ? print_table((uint64_t)replicates) : print_cover((uint64_t)replicates, (int)m);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
    free(uniforms);
    free(normals);
    return code;
}
