/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Estimator code: built-ins give the bits of plain C, a user's code those of a built-in, and what is wrong
 * with one is said with its line.
 */
#include "api.h"
#include "harness.h"

#include "mlmc_texts.h"

#include <bailey/mlmc.h>
#include <host/mlmc/mlmc_internal.h>
#include <math.h>

enum { LEVELS = 4 };

/* Sampling fails where the device compiles nothing. */
static int samples_levels(void)
{
    const uint64_t samples[1] = {32};
    const bailey_mlmc_params params = {.estimator = {.name = "european"}};
    const bailey_mlmc_run_params run = {.eps = 1};
    bailey_mlmc_result result;
    bailey_mlmc *m;
    if (!device.has_f64) return 0;
    OK(bailey_mlmc_create(context, &params, &m));
    const bailey_status status = bailey_mlmc_run_samples(m, &run, samples, 1, &result);
    bailey_mlmc_destroy(m);
    if (status != BAILEY_OK) print_message("# %s\n", bailey_error_message());
    return status != BAILEY_ERROR_UNSUPPORTED;
}

/* ---- The same bits -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double value;
} values[] = {{"spot", 100},       {"strike", 95},  {"rate", 0.05}, {"dividend", 0.01},
              {"volatility", 0.2}, {"barrier", 85}, {"side", -1},   {"cash", 10}};

static double value_of(const char *name)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, name) == 0) return values[i].value;
    fail_msg("no value of %s", name);
    return 0;
}

static void set_all(bailey_mlmc *m)
{
    const char *name;
    for (size_t i = 0; (name = bailey_mlmc_parameter(m, i, NULL)) != NULL; i++) {
        const double value = value_of(name);
        OK(bailey_mlmc_set(m, name, &value, 1));
    }
}

static const uint64_t some[LEVELS] = {1024, 480, 320, 64};

static void sample(const char *name, const char *text, bailey_precision precision, const uint64_t *samples,
                   bailey_mlmc_result *result)
{
    const bailey_mlmc_params params = {.estimator = {.name = name, .code = text}, .precision = precision};
    const bailey_mlmc_run_params run = {.source = {.seed = 3}};
    bailey_mlmc *m;
    OK(bailey_mlmc_create(context, &params, &m));
    set_all(m);
    OK(bailey_mlmc_run_samples(m, &run, samples, LEVELS, result));
    bailey_mlmc_destroy(m);
}

static void expect_same(const bailey_mlmc_result *a, const bailey_mlmc_result *b)
{
    assert_memory_equal(&a->mean, &b->mean, sizeof a->mean);
    assert_memory_equal(&a->standard_error, &b->standard_error, sizeof a->standard_error);
    assert_true(a->mean > 0 && a->standard_error > 0);
    for (int level = 0; level < LEVELS; level++) {
        assert_true(a->level[level].samples == b->level[level].samples);
        assert_memory_equal(&a->level[level].mean, &b->level[level].mean, sizeof(double));
        assert_memory_equal(&a->level[level].variance, &b->level[level].variance, sizeof(double));
    }
}

/* ---- Plain C --------------------------------------------------------------------------------------- */

enum { SAMPLES = 96, MOST_ROWS = 32 };

/* The numbers of a level's samples, as a text is shown them: [row][sample], of floats or doubles. */
static void read_row(bailey_precision precision, uint64_t stream, uint64_t row, int uniform, uint8_t *to)
{
    const size_t bytes = SAMPLES * (precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float));
    const bailey_source source = {.seed = 3, .stream = stream};
    const bailey_normal_params normal = {.precision = precision};
    bailey_buffer *buffer;
    OK(bailey_buffer_create(context, bytes, &buffer));
    if (uniform)
        OK(bailey_uniforms_generate(context, &source, precision, 0, row << 38, SAMPLES, buffer, 0));
    else
        OK(bailey_normals_generate(context, &source, &normal, row << 38, SAMPLES, buffer, 0));
    OK(bailey_buffer_read(buffer, 0, to, bytes));
    bailey_buffer_destroy(buffer);
}

/* The differences of a level's samples by a built-in's code as C. */
#define PLAIN(real, precision)                                                                               \
    static void plain_##real(const struct mlmc_text *text, const double *params, int level, double *y)       \
    {                                                                                                        \
        static real all[MOST_ROWS][SAMPLES];                                                                 \
        const uint32_t steps = 1u << level, rows = steps * (1 + text->normals + text->uniforms);             \
        const real root = (real)sqrt(1.0 / steps);                                                           \
        assert_in_range(rows, 1, MOST_ROWS);                                                                 \
        for (uint32_t row = 0; row < rows; row++)                                                            \
            read_row(precision, (uint64_t)level, row, row >= steps * (1 + text->normals),                    \
                     (uint8_t *)all[row]);                                                                   \
        for (int i = 0; i < SAMPLES; i++) {                                                                  \
            real own[MOST_ROWS];                                                                             \
            double out[2];                                                                                   \
            for (uint32_t row = 0; row < rows; row++)                                                        \
                own[row] = row < steps ? root * all[row][i] : all[row][i];                                   \
            text->sample(params, level, steps, 1, own, own + steps, own + steps * (1 + text->normals), out); \
            y[i] = out[0] - out[1];                                                                          \
        }                                                                                                    \
    }
PLAIN(float, BAILEY_PRECISION_F32)
PLAIN(double, BAILEY_PRECISION_F64)

/* The sum of `count` terms as a binary tree. */
static double tree(const double *term, int count)
{
    int half = 1;
    if (count == 1) return term[0];
    while (2 * half < count) half *= 2;
    return tree(term, half) + tree(term + half, count - half);
}

static void plain_mean(const char *built_in, bailey_precision precision, int level, double *mean)
{
    double params[16], y[SAMPLES];
    bailey_mlmc *m;
    const char *name;
    const bailey_mlmc_params of = {.estimator = {.name = built_in}};
    OK(bailey_mlmc_create(context, &of, &m));
    for (size_t i = 0; (name = bailey_mlmc_parameter(m, i, NULL)) != NULL; i++) params[i] = value_of(name);
    bailey_mlmc_destroy(m);
    if (precision == BAILEY_PRECISION_F64)
        plain_double(mlmc_text_of(built_in, 1), params, level, y);
    else
        plain_float(mlmc_text_of(built_in, 0), params, level, y);
    *mean = tree(y, SAMPLES) / SAMPLES;
}

TEST(plain_c, DEVICE | LONG_ON_OPENCL)
{
    if (!samples_levels()) skip();
    const char *name;
    const uint64_t samples[LEVELS] = {SAMPLES, SAMPLES, SAMPLES, SAMPLES};
    for (size_t i = 0; (name = bailey_mlmc_name(i)); i++)
        for (bailey_precision p = BAILEY_PRECISION_F32; p <= BAILEY_PRECISION_F64; p++) {
            bailey_mlmc_result result;
            if (!mlmc_text_of(name, 0)) continue;
            sample(name, NULL, p, samples, &result);
            for (int level = 0; level < LEVELS; level++) {
                double mean;
                plain_mean(name, p, level, &mean);
                if (memcmp(&mean, &result.level[level].mean, sizeof mean) != 0)
                    fail_msg("%s, level %d: %a, plain C %a", name, level, result.level[level].mean, mean);
            }
        }
}

/* ---- A user's code --------------------------------------------------------------------------------- */

TEST(own_texts, DEVICE | LONG_ON_OPENCL)
{
    if (!samples_levels()) skip();
    const char *name;
    for (size_t i = 0; (name = bailey_mlmc_name(i)); i++)
        for (bailey_precision p = BAILEY_PRECISION_F32; p <= BAILEY_PRECISION_F64; p++) {
            bailey_mlmc_result built_in, own;
            sample(name, NULL, p, some, &built_in);
            sample("own.c", bly_mlmc_builtin_code(name), p, some, &own);
            expect_same(&built_in, &own);
        }
}

/* The European levels with an array, a macro, pointers, a loop and a branch, and other literals. */
static const char other_words[] =
    "#define DRIFT(part) (p->rate - p->dividend - part)\n"
    "typedef struct { real volatility, spot, strike, dividend, rate; } params;\n"
    "typedef struct { int level; real price[2]; } state;\n"
    "enum { FINE, COARSE };\n"
    "void start(state *s, const params *p, int level)\n"
    "{\n"
    "    s->level = level;\n"
    "    for (int k = FINE; k <= COARSE; k++) s->price[k] = p->spot;\n"
    "}\n"
    "void move(const params *p, real h, real dw, real *price)\n"
    "{\n"
    "    const real part = p->volatility * p->volatility / 2;\n"
    "    real gain = fma(part, dw, p->volatility);\n"
    "    gain = fma(gain, dw, h * DRIFT(part));\n"
    "    price[0] = fma(gain, price[0], price[0]);\n"
    "}\n"
    "void step(state *s, const params *p, real t, real h, const noise *n)\n"
    "{\n"
    "    move(p, h, n->dw[DIMS - 1], &s->price[FINE]);\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
    "{\n"
    "    move(p, h + h, m->dw[0] + n->dw[0], &s->price[COARSE]);\n"
    "    move(p, h, n->dw[0], &s->price[FINE]);\n"
    "    move(p, h, m->dw[0], &s->price[FINE]);\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2])\n"
    "{\n"
    "    for (int k = 0; k < 2; k++) {\n"
    "        out[k] = 0;\n"
    "        if (k == FINE || s->level > 0)\n"
    "            if (s->price[k] > p->strike) out[k] = (s->price[k] - p->strike) * exp(-(p->rate * t));\n"
    "    }\n"
    "}\n";

TEST(another_text, DEVICE | REPEATED_ON_OPENCL)
{
    if (!samples_levels()) skip();
    for (bailey_precision p = BAILEY_PRECISION_F32; p <= BAILEY_PRECISION_F64; p++) {
        bailey_mlmc_result built_in, own;
        sample("european", NULL, p, some, &built_in);
        sample("own.c", other_words, p, some, &own);
        expect_same(&built_in, &own);
    }
}

/* ---- Refusals ------------------------------------------------------------------------------------- */

#define START "void start(state *s, const params *p, int level) { s->x = 0; }\n"
#define STEP "void step(state *s, const params *p, real t, real h, const noise *n) { s->x += n->dw[0]; }\n"
#define PAIR                                                                                                 \
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m) { s->x += h; }\n"
#define FINISH                                                                                               \
    "void finish(const state *s, const params *p, real t, real out[2]) { out[0] = s->x; out[1] = s->x; }\n"
#define STATE "typedef struct { real x; } state;\n"

static const struct {
    const char *text;
    uint32_t dims, line;
    const char *words;
} refused[] = {
    {STATE START STEP FINISH, 1, 5, "no function pair"},
    {STATE START PAIR FINISH, 1, 5, "no function step"},
    {STATE START STEP PAIR, 1, 5, "no function finish"},
    {STATE STEP PAIR FINISH, 1, 5, "no function start"},
    {STATE START STEP PAIR FINISH "void whole(const params *p, path x, real out[]) { out[0] = 0; }\n", 1, 6,
     "whole"},
    {STATE "void start(state *s, const params *p) { s->x = 0; }\n" STEP PAIR FINISH, 1, 2,
     "void start(state *s, const params *p, int level)"},
    {STATE START "void step(state *s, const params *p, int i, real t) { s->x = t; }\n" PAIR FINISH, 1, 3,
     "void step(state *s, const params *p, real t, real h, const noise *n)"},
    {STATE START STEP
     "void pair(state *s, const params *p, real t, real h, const noise *n) { s->x = h; }\n" FINISH,
     1, 4, "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)"},
    {STATE START STEP PAIR "void finish(const state *s, const params *p, real out[2]) { out[0] = s->x; }\n",
     1, 5, "void finish(const state *s, const params *p, real t, real out[2])"},
    {STATE START STEP PAIR
     "\nvoid finish(const state *s, const params *p, real t, real out[3]) { out[2] = s->x; }\n",
     1, 6, "3 outputs, not two"},
    {STATE START STEP PAIR
     "void finish(const state *s, const params *p, real t, real out[2])\n{\n    out[0] = s->x / STEPS;\n}\n",
     1, 7, "STEPS is not defined in estimator code, which serves all levels"},
    {STATE "#define NORMALS 65\n" START STEP PAIR FINISH, 1, 2, "NORMALS and a number up to 64"},
    {"#define NORMALS 40\n#define UNIFORMS 20\n" STATE START STEP PAIR FINISH, 5, 2, "5 + 40 + 20 numbers"},
    {STATE START "void step(state *s, const params *p, real t, real h, const noise *n)\n"
                 "{\n"
                 "    s->x += n->z[0];\n"
                 "}\n" PAIR FINISH,
     1, 5, "noise has no member z"},
    {STATE START STEP PAIR "void finish(const state *s, const params *p, real t, real out[2])\n"
                           "{ out[0] = sin(s->x); }\n",
     1, 6, "sin is not supported"},
};

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char begins[64];
        bailey_mlmc *m = NULL;
        const bailey_mlmc_params params = {.estimator = {.code = refused[i].text, .name = "own.c"},
                                           .dims = refused[i].dims};
        const bailey_status status = bailey_mlmc_create(context, &params, &m);
        snprintf(begins, sizeof begins, "own.c:%u:", (unsigned)refused[i].line);
        if (status != BAILEY_ERROR_INVALID || m || !strstr(bailey_error_message(), refused[i].words) ||
            strncmp(bailey_error_message(), begins, strlen(begins)) != 0)
            fail_msg("%s, %s\n%s", bailey_status_name(status), bailey_error_message(), refused[i].text);
        assert_string_equal(bailey_error_argument(), "estimator");
    }
    bailey_mlmc *m = NULL;
    const bailey_mlmc_params with_model = {.estimator = {.name = "european", .model_name = "heston"}},
                             with_steps = {.estimator = {.name = "european", .substeps = 4}};
    REFUSED(bailey_mlmc_create(context, &with_model, &m), "estimator", "which only products take");
    REFUSED(bailey_mlmc_create(context, &with_steps, &m), "estimator", "which only products take");
}

/* The same parts, with nothing wrong; and as many numbers as there may be. */
TEST(accepted, DEVICE | LONG_ON_OPENCL)
{
    static const char *const texts[] = {
        STATE START STEP PAIR FINISH,
        "#define NORMALS 40\n#define UNIFORMS 23\n" STATE START STEP PAIR FINISH,
        "#if DIMS\n#define NORMALS 2\n#endif\n" STATE START STEP PAIR FINISH,
        "#define UNIFORMS (1 + 1)\n" STATE START STEP PAIR FINISH,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bailey_mlmc *m;
        const bailey_mlmc_params params = {.estimator = {.code = texts[i]}};
        OK(bailey_mlmc_create(context, &params, &m));
        assert_null(bailey_mlmc_parameter(m, 0, NULL));
        bailey_mlmc_destroy(m);
    }
}
