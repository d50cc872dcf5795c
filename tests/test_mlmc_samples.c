/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums over samples of levels, against a plain loop over the library's own random numbers, to the bit: of all
 * draws, however samples are cut into rounds, and on any number of threads.
 */
#include <host/mlmc/mlmc_internal.h>

#include "harness.h"

#include <math.h>

#define DIMS 2u
#define LEVELS 6u
#define SEED 77u
#define STREAM 1000u

/* For a model that is none, in which every number counts. */
static const char levels_text[] =
    "#define NORMALS 1\n"
    "#define UNIFORMS 2\n"
    "typedef struct { real spot, drift, volatility[DIMS]; } params;\n"
    "typedef struct { real fine, coarse, level; } state;\n"
    "real move(const params *p, real x, real t, real h, real a, real b, real z, real u, real w) {\n"
    "    real y = x + x * (p->drift * h + p->volatility[0] * a - p->volatility[1] * b);\n"
    "    return y + t * z * u - h * w;\n"
    "}\n"
    "void start(state *s, const params *p, int level) {\n"
    "    s->fine = p->spot;\n"
    "    s->coarse = p->spot;\n"
    "    s->level = (real)level;\n"
    "}\n"
    "void step(state *s, const params *p, real t, real h, const noise *n) {\n"
    "    s->fine = move(p, s->fine, t, h, n->dw[0], n->dw[1], n->z[0], n->u[0], n->u[1]);\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m) {\n"
    "    s->fine = move(p, s->fine, t, h, n->dw[0], n->dw[1], n->z[0], n->u[0], n->u[1]);\n"
    "    s->fine = move(p, s->fine, t + h, h, m->dw[0], m->dw[1], m->z[0], m->u[0], m->u[1]);\n"
    "    s->coarse = move(p, s->coarse, t, 2 * h, n->dw[0] + m->dw[0], n->dw[1] + m->dw[1],\n"
    "                     n->z[0] + m->z[0], n->u[0], m->u[1]);\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2]) {\n"
    "    out[0] = fmax(s->fine - p->spot * t, 0.25) + s->level;\n"
    "    out[1] = fmax(s->coarse - p->spot * t, 0.25) + s->level;\n"
    "}\n";

static const double covariance[] = {0.04, 0.01, 0.01, 0.09};
static const double spot = 1.1, drift = 0.05, volatility[] = {0.7, 0.4};

struct kind {
    bailey_precision precision;
    bailey_normal_method method;
    uint32_t bits, rounds, first_steps;
    int correlated;
};

static bailey_mlmc *levels_of(const struct kind *k, const char *text)
{
    const bailey_mlmc_params params = {.estimator = {.code = text},
                                       .precision = k->precision,
                                       .dims = DIMS,
                                       .covariance = k->correlated ? covariance : NULL,
                                       .time = 1.5,
                                       .first_steps = k->first_steps};
    bailey_mlmc *made = NULL;
    OK(bailey_mlmc_create(context, &params, &made));
    OK(bailey_mlmc_set(made, "spot", &spot, 1));
    OK(bailey_mlmc_set(made, "drift", &drift, 1));
    OK(bailey_mlmc_set(made, "volatility", volatility, 2));
    return made;
}

static bailey_source source_of(const struct kind *k, uint32_t level)
{
    return (bailey_source){.generator = k->rounds == 7 ? BAILEY_GENERATOR_PHILOX7 : BAILEY_GENERATOR_PHILOX,
                           .seed = SEED,
                           .stream = STREAM + level};
}

static bailey_mlmc_run_params run_of(const struct kind *k)
{
    return (bailey_mlmc_run_params){.source = source_of(k, 0),
                                    .normal = {.method = k->method, .word_bits = k->bits}};
}

/* ---- A plain loop -------------------------------------------------------------------------------- */

/* All random numbers of a level, as doubles: [row][sample]. */
struct numbers {
    uint64_t steps, rows, samples;
    double *value;
};

static void read_row(const struct kind *k, uint32_t level, uint64_t row, uint64_t count, int uniform,
                     double *to)
{
    const size_t bytes = k->precision == BAILEY_PRECISION_F64 ? 8 : 4;
    const bailey_source source = source_of(k, level);
    const bailey_normal_params normal = {
        .precision = k->precision, .method = k->method, .word_bits = k->bits};
    bailey_buffer *buffer = NULL;
    OK(bailey_buffer_create(context, count * bytes, &buffer));
    if (uniform)
        OK(bailey_uniforms_generate(context, &source, k->precision, 0, row << 38, count, buffer, 0));
    else
        OK(bailey_normals_generate(context, &source, &normal, row << 38, count, buffer, 0));
    void *read = allocate(count * bytes);
    OK(bailey_buffer_read(buffer, 0, read, count * bytes));
    for (uint64_t i = 0; i < count; i++) to[i] = bytes == 8 ? ((double *)read)[i] : ((float *)read)[i];
    free(read);
    bailey_buffer_destroy(buffer);
}

static struct numbers numbers_of(const struct kind *k, uint32_t level, uint64_t samples)
{
    struct numbers n = {.steps = (uint64_t)(k->first_steps ? k->first_steps : 1) << level,
                        .samples = samples};
    n.rows = n.steps * (DIMS + 3);
    n.value = allocate(n.rows * samples * sizeof(double));
    for (uint64_t row = 0; row < n.rows; row++)
        read_row(k, level, row, samples, row >= n.steps * (DIMS + 1), n.value + row * samples);
    return n;
}

/* The payoff of one sample; C of both dimensions. */
#define PLAIN(real, root)                                                                                    \
    static real move_##real(real x, real t, real h, real a, real b, real z, real u, real w)                  \
    {                                                                                                        \
        real y = x + x * ((real)drift * h + (real)volatility[0] * a - (real)volatility[1] * b);              \
        return y + t * z * u - h * w;                                                                        \
    }                                                                                                        \
    static real pays_##real(real x, real level)                                                              \
    {                                                                                                        \
        const real y = x - (real)spot * (real)1.5;                                                           \
        return (y > (real)0.25 ? y : (real)0.25) + level;                                                    \
    }                                                                                                        \
    static void step_##real(const struct numbers *n, const double *c, uint64_t i, uint64_t s, real r,        \
                            real dw[2], real *z, real u[2])                                                  \
    {                                                                                                        \
        const double *v = n->value + s;                                                                      \
        const real z0 = (real)v[(i * DIMS) * n->samples], z1 = (real)v[(i * DIMS + 1) * n->samples];         \
        dw[0] = c ? r * ((real)c[0] * z0) : r * z0;                                                          \
        dw[1] = c ? r * (real)root((real)c[3], z1, (real)c[2] * z0) : r * z1;                                \
        *z = (real)v[(n->steps * DIMS + i) * n->samples];                                                    \
        u[0] = (real)v[(n->steps * (DIMS + 1) + 2 * i) * n->samples];                                        \
        u[1] = (real)v[(n->steps * (DIMS + 1) + 2 * i + 1) * n->samples];                                    \
    }                                                                                                        \
    static void sample_##real(const struct numbers *n, const double *c, uint32_t level, uint64_t s,          \
                              double *y, double *fine)                                                       \
    {                                                                                                        \
        const real h = (real)(1.5 / (double)n->steps), r = (real)sqrt(1.5 / (double)n->steps);               \
        real f = (real)spot, g = f, a[2], b[2], z, zz, u[2], w[2];                                           \
        for (uint64_t i = 0; i < n->steps; i++) {                                                            \
            const real t = (real)i * h;                                                                      \
            step_##real(n, c, i, s, r, a, &z, u);                                                            \
            f = move_##real(f, t, h, a[0], a[1], z, u[0], u[1]);                                             \
            if (level == 0) continue;                                                                        \
            step_##real(n, c, ++i, s, r, b, &zz, w);                                                         \
            f = move_##real(f, t + h, h, b[0], b[1], zz, w[0], w[1]);                                        \
            g = move_##real(g, t, 2 * h, a[0] + b[0], a[1] + b[1], z + zz, u[0], w[1]);                      \
        }                                                                                                    \
        *fine = pays_##real(f, (real)level);                                                                 \
        *y = level ? *fine - pays_##real(g, (real)level) : *fine;                                            \
    }
PLAIN(float, fmaf)
PLAIN(double, fma)

/* The sum over 2^height samples from `first` on, of which `count` are there. */
static double tree(const double *term, uint64_t count, uint32_t height)
{
    if (height == 0) return term[0];
    const uint64_t half = UINT64_C(1) << (height - 1);
    if (count <= half) return tree(term, count, height - 1);
    return tree(term, half, height - 1) + tree(term + half, count - half, height - 1);
}

static double tree_of(const double *term, uint64_t count)
{
    uint32_t height = 0;
    while (UINT64_C(1) << height < count) height++;
    return tree(term, count, height);
}

static void plain_sums(const struct kind *k, uint32_t level, uint64_t samples, double sums[BLY_LEVEL_ROWS])
{
    const double c32[] = {(float)0.2, 0, (float)(0.01 / 0.2),
                          (float)sqrt(0.09 - (0.01 / 0.2) * (0.01 / 0.2))};
    const double c64[] = {0.2, 0, 0.01 / 0.2, sqrt(0.09 - (0.01 / 0.2) * (0.01 / 0.2))};
    const int f64 = k->precision == BAILEY_PRECISION_F64;
    const double *c = !k->correlated ? NULL : f64 ? c64 : c32;
    struct numbers n = numbers_of(k, level, samples);
    double *terms = allocate(BLY_LEVEL_ROWS * samples * sizeof *terms);
    for (uint64_t s = 0; s < samples; s++) {
        double y, fine;
        (f64 ? sample_double : sample_float)(&n, c, level, s, &y, &fine);
        const double all[] = {y, y * y, y != 0, y * y * y, (y * y) * (y * y), fine, fine * fine};
        for (int r = 0; r < BLY_LEVEL_ROWS; r++) terms[(uint64_t)r * samples + s] = all[r];
    }
    for (int r = 0; r < BLY_LEVEL_ROWS; r++) sums[r] = tree_of(terms + (uint64_t)r * samples, samples);
    free(terms);
    free(n.value);
}

/* ---- Rounds -------------------------------------------------------------------------------------- */

static struct bly_term_sums sums_with(bailey_mlmc *mlmc, const bailey_mlmc_run_params *run, uint32_t rows,
                                      const struct bly_sample_range *rounds, const uint32_t *counts,
                                      uint32_t all)
{
    struct bly_term_sums levels;
    struct bly_batched *batched = NULL;
    OK(bly_term_sums_create(rows, 1, &levels));
    OK(bly_batched_create(mlmc, run, &levels, &batched));
    const struct bly_sampler sampler = bly_batched_sampler(batched);
    uint32_t taken = 0;
    for (uint32_t i = 0; i < all; rounds += counts[i++]) {
        OK(sampler.queue(sampler.user, rounds, counts[i]));
        if (i + 1 - taken == 2) {
            OK(sampler.take(sampler.user));
            taken++;
        }
    }
    for (; taken < all; taken++) OK(sampler.take(sampler.user));
    bly_batched_destroy(batched);
    return levels;
}

/* One round of all samples. */
static struct bly_term_sums sums_of(bailey_mlmc *mlmc, const struct kind *k, uint32_t rows,
                                    const uint64_t *samples, uint32_t levels)
{
    struct bly_sample_range list[LEVELS];
    uint32_t count = 0;
    for (uint32_t l = levels; l-- > 0;)
        if (samples[l]) list[count++] = (struct bly_sample_range){.term = l, .count = samples[l]};
    const bailey_mlmc_run_params run = run_of(k);
    return sums_with(mlmc, &run, rows, list, &count, 1);
}

static void compare(const char *what, const struct bly_term_sums *levels, uint32_t level,
                    const double expected[BLY_LEVEL_ROWS])
{
    double sums[BLY_LEVEL_ROWS];
    bly_term_sums_read(levels, level, sums);
    same_bits(what, sums, expected, levels->rows, sizeof *sums);
}

static const struct kind kinds[] = {
    {BAILEY_PRECISION_F32, BAILEY_NORMAL_METHOD_ICDF, 0, 10, 1, 1},
    {BAILEY_PRECISION_F64, BAILEY_NORMAL_METHOD_ICDF, 0, 10, 1, 1},
    {BAILEY_PRECISION_F32, BAILEY_NORMAL_METHOD_BOX_MULLER, 0, 7, 4, 0},
    {BAILEY_PRECISION_F64, BAILEY_NORMAL_METHOD_BOX_MULLER, 32, 7, 2, 1},
    {BAILEY_PRECISION_F32, BAILEY_NORMAL_METHOD_ICDF, 64, 10, 1, 0},
    {BAILEY_PRECISION_F64, BAILEY_NORMAL_METHOD_ICDF, 32, 10, 1, 0},
};
#define KINDS (sizeof kinds / sizeof *kinds)
static size_t kinds_here(void) { return few_programs() ? 2 : KINDS; }

static int samples_levels(void)
{
    const struct kind k = {.first_steps = 1};
    struct bly_term_sums none = {.rows = BLY_LEVEL_RUN_ROWS};
    struct bly_batched *batched = NULL;
    const bailey_mlmc_run_params run = run_of(&k);
    bailey_mlmc *m = levels_of(&k, levels_text);
    const bailey_status status = bly_batched_create(m, &run, &none, &batched);
    bly_batched_destroy(batched);
    bailey_mlmc_destroy(m);
    if (status == BAILEY_ERROR_UNSUPPORTED) {
        print_message("# %s\n", bailey_error_message());
        return 0;
    }
    OK(status);
    return 1;
}

TEST(plain, DEVICE | LONG)
{
    static const uint64_t samples[LEVELS] = {40960 + 96, 8192 + 32, 1024, 1280, 96, 32};
    if (!samples_levels()) skip();
    for (size_t i = 0; i < kinds_here(); i++) {
        bailey_mlmc *m = levels_of(&kinds[i], levels_text);
        for (uint32_t rows = BLY_LEVEL_RUN_ROWS; rows <= BLY_LEVEL_ROWS;
             rows += BLY_LEVEL_ROWS - BLY_LEVEL_RUN_ROWS) {
            struct bly_term_sums levels = sums_of(m, &kinds[i], rows, samples, LEVELS);
            for (uint32_t l = 0; l < LEVELS; l++) {
                char what[64];
                double expected[BLY_LEVEL_ROWS];
                snprintf(what, sizeof what, "kind %zu, %u rows, level %u", i, rows, l);
                plain_sums(&kinds[i], l, samples[l], expected);
                assert_int_equal(levels.samples[l], samples[l]);
                compare(what, &levels, l, expected);
            }
            bly_term_sums_free(&levels);
        }
        bailey_mlmc_destroy(m);
    }
}

/* ---- Cuts ---------------------------------------------------------------------------------------- */

/* Enough of level 0 for nodes to be joined on the device, where that does not take long. */
static uint64_t many(void)
{
    if (device.kind == BAILEY_DEVICE_KIND_GPU) return (UINT64_C(1) << 28) + (UINT64_C(1) << 20) + 96;
    if (strcmp(device.address, "cpu") != 0 || getenv("BAILEY_TUNED")) return (UINT64_C(1) << 16) + 96;
    return (UINT64_C(1) << 24) + (UINT64_C(1) << 18) + 96;
}

/* Rounds of ranges at random, until all samples are there. */
static struct bly_term_sums sums_cut(bailey_mlmc *m, const struct kind *k, const uint64_t *samples,
                                     uint64_t seed)
{
    enum { ROUNDS = 200 };
    static struct bly_sample_range ranges[ROUNDS * LEVELS];
    uint32_t counts[ROUNDS] = {0}, rounds = 0, used = 0;
    uint64_t done[LEVELS] = {0};
    for (int left = 1; left; rounds += counts[rounds] != 0) {
        assert_true(rounds < ROUNDS);
        left = counts[rounds] = 0;
        for (uint32_t l = LEVELS; l-- > 0;) {
            const uint64_t rest = samples[l] - done[l];
            uint64_t count = rest;
            if (next_uniform(&seed) < 0.9) count = (uint64_t)(next_uniform(&seed) * (double)rest) / 32 * 32;
            if (count && next_uniform(&seed) < 0.3) count = 32;
            if (rounds > ROUNDS - 10) count = rest;
            left |= count < rest;
            if (count == 0) continue;
            ranges[used++] = (struct bly_sample_range){.term = l, .first = done[l], .count = count};
            done[l] += count;
            counts[rounds]++;
        }
    }
    const bailey_mlmc_run_params run = run_of(k);
    return sums_with(m, &run, BLY_LEVEL_ROWS, ranges, counts, rounds);
}

static void same_sums(const char *what, const struct bly_term_sums *a, const struct bly_term_sums *b)
{
    for (uint32_t l = 0; l < LEVELS; l++) {
        double expected[BLY_LEVEL_ROWS];
        bly_term_sums_read(b, l, expected);
        assert_int_equal(a->samples[l], b->samples[l]);
        compare(what, a, l, expected);
    }
}

TEST(cuts, DEVICE | LONG)
{
    if (!samples_levels()) skip();
    const uint64_t samples[LEVELS] = {many(), many() / 1024 / 32 * 32, 1984, 1024, 224, 96};
    for (size_t i = 0; i < (few_programs() ? 1 : 2); i++) {
        bailey_mlmc *m = levels_of(&kinds[i], levels_text);
        struct bly_term_sums whole = sums_of(m, &kinds[i], BLY_LEVEL_ROWS, samples, LEVELS);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct bly_term_sums cut = sums_cut(m, &kinds[i], samples, seed);
            same_sums("cut", &cut, &whole);
            bly_term_sums_free(&cut);
        }
        bly_term_sums_free(&whole);
        bailey_mlmc_destroy(m);
    }
}

/* All threads together make what one does. */
TEST(threads, DEVICE)
{
    if (strcmp(device.address, "cpu") != 0 || !samples_levels()) skip();
    static const uint64_t samples[LEVELS] = {100000 * 32, 4096, 2048, 1024, 512, 96};
    bailey_context *const usual = context;
    struct bly_term_sums first = {0};
    for (uint32_t count = 1; count <= 8; count *= 2) {
        const bailey_context_params params = {.threads = count};
        OK(bailey_context_create("cpu", &params, &context));
        bailey_mlmc *m = levels_of(&kinds[0], levels_text);
        struct bly_term_sums levels = sums_of(m, &kinds[0], BLY_LEVEL_ROWS, samples, LEVELS);
        bailey_mlmc_destroy(m);
        bailey_context_destroy(context);
        if (count == 1) {
            first = levels;
            continue;
        }
        same_sums("threads", &levels, &first);
        bly_term_sums_free(&levels);
    }
    bly_term_sums_free(&first);
    context = usual;
}

/* ---- Numbers in memory --------------------------------------------------------------------------- */

#define STORED_ROW 201u
#define STORED_FIRST 7u

/* The numbers that the program would draw, in the layout of stored ones. */
static bailey_buffer *stored_numbers(const struct kind *k, uint32_t level, uint64_t samples)
{
    struct numbers n = numbers_of(k, level, samples);
    const float root = (float)sqrt(1.5 / (double)n.steps);
    bailey_buffer *buffer = NULL;
    float *rows = allocate(n.rows * STORED_ROW * sizeof *rows);
    memset(rows, 0xff, n.rows * STORED_ROW * sizeof *rows);
    for (uint64_t r = 0; r < n.rows; r++)
        for (uint64_t s = 0; s < samples; s++) {
            const float value = (float)n.value[r * samples + s];
            rows[r * STORED_ROW + STORED_FIRST + s] = r < n.steps * DIMS ? root * value : value;
        }
    OK(bailey_buffer_create(context, n.rows * STORED_ROW * sizeof *rows, &buffer));
    OK(bailey_buffer_write(buffer, 0, rows, n.rows * STORED_ROW * sizeof *rows));
    free(rows);
    free(n.value);
    return buffer;
}

static void add_to_tree(void *user, uint32_t height, uint64_t number, const double *value, uint64_t stride)
{
    assert_true(height <= 6);
    bly_tree_add(user, height, number, value, stride);
}

TEST(stored, DEVICE | LONG_ON_OPENCL)
{
    if (!samples_levels()) skip();
    static const struct kind k = {.rounds = 10, .first_steps = 1};
    const bailey_mlmc_run_params run = {.source = {.generator = BAILEY_GENERATOR_SOBOL}};
    bailey_mlmc *m = levels_of(&k, levels_text);
    for (uint32_t level = 0; level <= 2; level += 2) {
        const uint64_t samples = 160, cut = 96;
        struct bly_term_sums levels;
        struct bly_batched *batched = NULL;
        double expected[BLY_LEVEL_ROWS];
        bailey_buffer *numbers = stored_numbers(&k, level, samples);
        OK(bly_term_sums_create(BLY_LEVEL_ROWS, 1, &levels));
        OK(bly_batched_create(m, &run, &levels, &batched));
        const struct bly_sample_range ranges[] = {{.term = level, .count = cut},
                                                  {.term = level, .first = cut, .count = samples - cut}};
        struct bly_stored_numbers at[2] = {
            {.numbers = numbers, .offset = STORED_FIRST, .row = STORED_ROW},
            {.numbers = numbers, .offset = STORED_FIRST + cut, .row = STORED_ROW}};
        for (int i = 0; i < 2; i++) {
            at[i].user = &levels.tree[level];
            at[i].add = add_to_tree;
            at[i].height = 6;
            OK(bly_batched_queue_stored(batched, &ranges[i], &at[i]));
        }
        for (int i = 0; i < 2; i++) OK(bly_batched_take(batched));
        plain_sums(&k, level, samples, expected);
        levels.samples[level] = samples;
        compare("stored", &levels, level, expected);
        bly_batched_destroy(batched);
        bly_term_sums_free(&levels);
        bailey_buffer_destroy(numbers);
    }
    bailey_mlmc_destroy(m);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static const char endless_text[] =
    "void step(state *s, const params *p, real t, real h, const noise *n) {}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m) {}\n"
    "void finish(const state *s, const params *p, real t, real out[2]) {\n"
    "    out[0] = 1e30 * t * 1e30;\n"
    "    out[1] = out[0];\n"
    "}\n";

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    if (!samples_levels()) skip();
    const bailey_mlmc_params params = {.estimator = {.code = endless_text}};
    const struct bly_sample_range ranges[] = {{.term = 3, .count = 64},
                                              {.first = UINT64_C(1) << 38, .count = 32}};
    bailey_mlmc_run_params run = {.source = {.seed = 1}};
    struct bly_term_sums levels;
    struct bly_batched *batched = NULL;
    bailey_mlmc *m = NULL;
    OK(bailey_mlmc_create(context, &params, &m));
    OK(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, 1, &levels));
    OK(bly_batched_create(m, &run, &levels, &batched));
    const struct bly_sampler sampler = bly_batched_sampler(batched);
    OK(sampler.queue(sampler.user, ranges, 1));
    assert_int_equal(sampler.take(sampler.user), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "level 3"));
    assert_int_equal(sampler.queue(sampler.user, ranges + 1, 1), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "eps");
    bly_batched_destroy(batched);
    run.source.stream = UINT64_MAX;
    assert_int_equal(bly_batched_create(m, &run, &levels, &batched), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "stream");
    assert_null(batched);
    run.source = (bailey_source){.generator = BAILEY_GENERATOR_WARP};
    assert_int_equal(bly_batched_create(m, &run, &levels, &batched), BAILEY_ERROR_INVALID);
    bly_term_sums_free(&levels);
    bailey_mlmc_destroy(m);
}
