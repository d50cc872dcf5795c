/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Users' texts on every device: the same constants from each, arithmetic as IEEE 754 has it, and errors that
 * name the line.
 */
#include "api.h"
#include "simulations.h"

enum { STEPS = 12, DIMS = 2, PATHS = 5003, FIRST = 77, MOST_OUTPUTS = 8 };

static const char *const texts[] = {
    /* if, and a loop that is left early */
    "typedef struct { real barrier, rebate; int patience; } params;\n"
    "typedef struct { real least; int hit, below; } state;\n"
    "void start(state *s, const params *p) { s->least = 100; s->hit = -1; s->below = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    if (s->hit >= 0) return;\n"
    "    if (x[0] < s->least) s->least = x[0];\n"
    "    for (int d = 0; d < DIMS; d++) {\n"
    "        if (x[d] > p->barrier) continue;\n"
    "        s->below++;\n"
    "        if (s->below >= p->patience) { s->hit = i; break; }\n"
    "    }\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[3])\n"
    "{\n"
    "    out[0] = s->hit >= 0 ? p->rebate * s->hit : s->least;\n"
    "    out[1] = s->least;\n"
    "    out[2] = s->below;\n"
    "}\n",
    /* arrays in the state */
    "#define BUCKETS 5\n"
    "static const real edges[BUCKETS - 1] = {-1, -0.25, 0.25, 1};\n"
    "typedef struct { real spot[DIMS]; } params;\n"
    "typedef struct { real sum[BUCKETS], past[STEPS]; int count[BUCKETS]; uint32 hash; } state;\n"
    "static int bucket_of(real x)\n"
    "{\n"
    "    int b = 0;\n"
    "    while (b < BUCKETS - 1 && x > edges[b]) b++;\n"
    "    return b;\n"
    "}\n"
    "void start(state *s, const params *p)\n"
    "{\n"
    "    for (int b = 0; b < BUCKETS; b++) { s->sum[b] = 0; s->count[b] = 0; }\n"
    "    s->hash = 2166136261u;\n"
    "}\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    int b = bucket_of(x[0]);\n"
    "    s->sum[b] += p->spot[1] * x[1];\n"
    "    s->count[b]++;\n"
    "    s->hash = (s->hash ^ (uint32)b) * 16777619u;\n"
    "    s->past[i] = p->spot[0] + x[0] + x[1];\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[4])\n"
    "{\n"
    "    real most = s->past[0];\n"
    "    for (int i = 1; i < STEPS; i++) most = fmax(most, s->past[i]);\n"
    "    out[0] = most;\n"
    "    out[1] = s->sum[0] + s->sum[BUCKETS - 1];\n"
    "    out[2] = s->count[2];\n"
    "    out[3] = s->hash >> 8;\n"
    "}\n",
    /* eight outputs */
    "typedef struct { real spot, rate, volatility; } params;\n"
    "typedef struct { real last, sum, logs, most; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; s->logs = 0; s->most = 0; s->last = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    real price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * "
    "x[0]);\n"
    "    s->sum += price;\n"
    "    s->logs += log(price);\n"
    "    s->most = fmax(s->most, price);\n"
    "    s->last = price;\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[8])\n"
    "{\n"
    "    real mean = s->sum / STEPS;\n"
    "    out[0] = fmax(s->last - p->spot, 0);\n"
    "    out[1] = fmax(mean - p->spot, 0);\n"
    "    out[2] = fmax(exp(s->logs / STEPS) - p->spot, 0);\n"
    "    out[3] = s->most - s->last;\n"
    "    out[4] = s->last > p->spot ? 1 : 0;\n"
    "    out[5] = pow(s->last / p->spot, 1.5);\n"
    "    out[6] = normal_cdf((s->last - p->spot) / 20);\n"
    "    out[7] = floor(s->last) + ceil(mean) + fabs(s->last - mean);\n"
    "}\n",
    /* arithmetic that compilers like to contract */
    "typedef struct { real a, b, s; } state;\n"
    "void start(state *s, const params *p) { s->a = 0; s->b = 0; s->s = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    s->s += x[0] * x[1];\n"
    "    s->a = x[0];\n"
    "    s->b = x[1];\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[8])\n"
    "{\n"
    "    real a = s->a, b = s->b, c = s->s, d = a + b, sum = 0;\n"
    "    for (int i = 0; i < 7; i++) { sum += a * b; a += 0.1; }\n"
    "    out[0] = s->a * b + c;\n"
    "    out[1] = s->a * b - c * d;\n"
    "    out[2] = c / 3;\n"
    "    out[3] = 0.1 * c;\n"
    "    out[4] = sum;\n"
    "    out[5] = sqrt(fabs(c));\n"
    "    out[6] = s->s;\n"
    "    out[7] = b / d;\n"
    "}\n",
    /* the whole path */
    "typedef struct { real decay; } params;\n"
    "void whole(const params *p, path x, real out[2])\n"
    "{\n"
    "    real variance = 0.04, price = 100, least = 100;\n"
    "    for (int i = 0; i < STEPS; i++) {\n"
    "        real dt = time(x, i) - (i > 0 ? time(x, i - 1) : 0);\n"
    "        real z = at(x, i, 0) - (i > 0 ? at(x, i - 1, 0) : 0);\n"
    "        variance = p->decay * variance + (1 - p->decay) * z * z;\n"
    "        price *= exp(sqrt(variance) * z - variance / 2 * dt);\n"
    "        if (price < least) least = price;\n"
    "    }\n"
    "    out[0] = price - least;\n"
    "    out[1] = variance;\n"
    "}\n",
};
#define TEXTS (int)(sizeof texts / sizeof *texts)

/* Means of FIRST .. FIRST + PATHS - 1 of philox, seed 42, in f32 and f64: made by the cpu backend, whose
 * arithmetic the test below compares with C's. */
static const double golden[5][2][MOST_OUTPUTS] = {
    {{0x1.5b8a8a3080d13p+0, -0x1.4cd5361a93bp-3, 0x1.5412375d7c7ebp-1},
     {0x1.6123f9e79f1f2p+0, -0x1.4bcec7113faf2p-3, 0x1.57242d3bd121p-1}},
    {{0x1.2597a8b8ab85p+1, -0x1.2388bdf0c0658p-11, 0x1.23b756efc7825p+3, 0x1.db2785b1ea681p+22},
     {0x1.24f64355eef81p+1, -0x1.5ad31fe982c23p-10, 0x1.27bba347fec5ap+3, 0x1.d57826f34243ap+22}},
    {{0x1.50331b6d3f178p+1, 0x1.dcc5b437e07adp+0, 0x1.d09511a745be6p+0, 0x1.ab4c1bcd090e9p+3,
      0x1.19d72ab9f300cp-2, 0x1.c7463c55a84bcp-1, 0x1.76f972f2a0fa8p-2, 0x1.84c8f945559b3p+7},
     {0x1.47e8554597e2fp+1, 0x1.cf0a08b02411p+0, 0x1.c3150028abde5p+0, 0x1.ac26a14fdd98p+3,
      0x1.0e2c846d17cb3p-2, 0x1.c678ac5fe5614p-1, 0x1.742e11dec8b63p-2, 0x1.846c956159ef1p+7}},
    {{0x1.d3b36776cd64cp-3, 0x1.f64aa27ba8175p-6, 0x1.0dc969b0c49a2p-4, 0x1.43be7f2b43188p-6,
      0x1.ca81836b0507dp-3, 0x1.e8fe887e1e996p-2, 0x1.94ae1e86a57b4p-3, 0x1.57b918850e479p-1},
     {0x1.d6fe95839c235p-3, 0x1.da559a882e819p-6, 0x1.0fa222f5ae87cp-4, 0x1.45f5c38d37d62p-6,
      0x1.abbe5bb07048bp-3, 0x1.e5c0797cf14b8p-2, 0x1.9773347085cbap-3, 0x1.9ed483ef7ac25p-1}},
    {{0x1.480dbde0609b9p+1, 0x1.11d75b0267ab4p-6}, {0x1.420de52e4b0acp+1, 0x1.1128ca404f9ffp-6}},
};

static double times[STEPS];

static bailey_bridge_params path_of(int f64)
{
    static const double factor[DIMS * DIMS] = {0.3, 0, 0.1, 0.25};
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / 12.0;
    return (bailey_bridge_params){.times = times,
                                  .steps = STEPS,
                                  .dims = DIMS,
                                  .factor = factor,
                                  .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
}

static bailey_simulation *make(int text, int f64)
{
    const double spot[DIMS] = {2, -3};
    bailey_simulation *s = simulation_of(texts[text], path_of(f64));
    if (text == 0) set(s, "barrier", -0.3), set(s, "rebate", 0.7), set(s, "patience", 2);
    if (text == 1) OK(bailey_simulation_set(s, "spot", spot, DIMS));
    if (text == 2) set(s, "spot", 100), set(s, "rate", 0.03), set(s, "volatility", 0.5);
    if (text == 4) set(s, "decay", 0.9);
    return s;
}

TEST(same_constants, DEVICE | LONG)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .first_path = FIRST, .paths = PATHS};
    for (int t = 0; t < TEXTS; t++)
        for (int f64 = 0; f64 < 2; f64++) {
            bailey_estimate e[MOST_OUTPUTS];
            bailey_simulation *s = make(t, f64);
            OK(bailey_simulation_run(s, &run, e));
            for (uint32_t o = 0; o < bailey_simulation_outputs(s); o++) {
                if (getenv("BAILEY_TEST_VERBOSE")) print_message("%a,%s", e[o].mean, o == 7 ? "\n" : " ");
                if (e[o].mean != golden[t][f64][o])
                    print_error("text %d, f%d, output %d: %a, expected %a\n", t, f64 ? 64 : 32, (int)o,
                                e[o].mean, golden[t][f64][o]);
            }
            for (uint32_t o = 0; o < bailey_simulation_outputs(s); o++)
                assert_true(e[o].mean == golden[t][f64][o]);
            bailey_simulation_destroy(s);
        }
}

/* The payoff of the arithmetic code for a path, each operation rounded by itself. */
#define ARITHMETIC(real, root, x, out)                                                                       \
    {                                                                                                        \
        volatile real a = 0, b = 0, c = 0, d, sum = 0, u, w;                                                 \
        for (int i = 0; i < STEPS; i++) {                                                                    \
            a = ((const real *)(x))[(uint64_t)(i * DIMS) * PATHS + p];                                       \
            b = ((const real *)(x))[(uint64_t)(i * DIMS + 1) * PATHS + p];                                   \
            u = a * b;                                                                                       \
            c = c + u;                                                                                       \
        }                                                                                                    \
        d = a + b;                                                                                           \
        u = a * b;                                                                                           \
        (out)[0] = (real)(u + c);                                                                            \
        w = c * d;                                                                                           \
        (out)[1] = (real)(u - w);                                                                            \
        (out)[2] = (real)(c / (real)3);                                                                      \
        (out)[3] = (real)((real)0.1 * c);                                                                    \
        (out)[5] = root(c < 0 ? -c : c);                                                                     \
        (out)[6] = c;                                                                                        \
        (out)[7] = (real)(b / d);                                                                            \
        for (int i = 0; i < 7; i++) {                                                                        \
            u = a * b;                                                                                       \
            sum = sum + u;                                                                                   \
            a = a + (real)0.1;                                                                               \
        }                                                                                                    \
        (out)[4] = sum;                                                                                      \
    }

TEST(plain_arithmetic, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .first_path = FIRST, .paths = PATHS};
    for (int f64 = 0; f64 < 2; f64++) {
        bailey_estimate e[MOST_OUTPUTS];
        const bailey_bridge_params path = path_of(f64);
        bailey_bridge *bridge = NULL;
        bailey_simulation *s = make(3, f64);
        const uint64_t bytes = (uint64_t)STEPS * DIMS * PATHS * real_bytes(path.precision);
        bailey_buffer *buffer = poisoned(bytes);
        OK(bailey_bridge_create(context, &path, &bridge));
        OK(bailey_bridge_paths(bridge, &run.source, NULL, FIRST, PATHS, buffer));
        void *x = harvest(buffer, bytes), *found = run_for_samples(s, run, path.precision, e);
        for (uint64_t p = 0; p < PATHS; p++) {
            double expected[MOST_OUTPUTS];
            if (f64)
                ARITHMETIC(double, sqrt, x, expected)
            else
                ARITHMETIC(float, sqrtf, x, expected)
            for (uint64_t o = 0; o < MOST_OUTPUTS; o++) {
                const double got = number_at(found, path.precision, o * PATHS + p);
                if (got != expected[o])
                    fail_msg("f%d, path %d, output %d: %a, expected %a", f64 ? 64 : 32, (int)p, (int)o, got,
                             expected[o]);
            }
        }
        free(x);
        free(found);
        bailey_bridge_destroy(bridge);
        bailey_simulation_destroy(s);
    }
}

/* ---- Errors ------------------------------------------------------------------------------------ */

static bailey_status create(const char *text, const char *name)
{
    const bailey_simulation_params params = {.path = path_of(0), .payoff = {.code = text, .name = name}};
    bailey_simulation *s = NULL;
    const bailey_status status = bailey_simulation_create(context, &params, &s);
    bailey_simulation_destroy(s);
    return status;
}

#define SEVENTH(line)                                                                                        \
    "typedef struct { real a; } state;\n"                                                                    \
    "void start(state *s, const params *p) { s->a = 0; }\n"                                                  \
    "/* A comment of\n   two lines. */\n"                                                                    \
    "void step(state *s, const params *p, int i, real t, const real x[])\n"                                  \
    "{\n" line "\n}\n"                                                                                       \
    "void finish(const state *s, const params *p, real out[]) { out[0] = s->a; }\n"

TEST(lines, DEVICE)
{
    if (!simulates()) skip();
    static const char *const refused[] = {SEVENTH("    s->a = undeclared;"), SEVENTH("    s->a = sin(x[0]);"),
                                          SEVENTH("    s->a = x[0] @ 2;"),   SEVENTH("    goto out;"),
                                          SEVENTH("    s->a = *s;"),         SEVENTH("    s->b = x[0];"),
                                          SEVENTH("    s->a = x[0] 2;"),     SEVENTH("    s->a = x[2];")};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        REFUSED_HERE(create(refused[i], NULL), "payoff.c:7:", "");
        assert_string_equal(bailey_error_argument(), "payoff");
    }
    static const char *const names[][2] = {
        {"a/b.c", "a/b.c:7:"}, {"x \"y\" \\z.c", "x _y_ _z.c:7:"}, {"", "payoff.c:7:"}, {"%s%n", "%s%n:7:"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        REFUSED(create(refused[0], names[i][0]), names[i][1], "");
}

/* ---- Names ------------------------------------------------------------------------------------- */

#define NAMED(P, S, X, F, L)                                                                                 \
    "typedef struct { real " P "; } params; typedef struct { real " S "; int " X "; } state;\n"              \
    "static const real " L "[2] = {1, 2};\n"                                                                 \
    "real " F "(const params *p, real " X ") { return " X " * p->" P " + " L "[1]; }\n"                      \
    "void start(state *s, const params *p) { s->" S " = 0; s->" X " = 3; }\n"                                \
    "void step(state *s, const params *p, int i, real t, const real x[])\n"                                  \
    "{ const real " S " = " F "(p, x[0]); s->" S " += " S " * s->" X "; }\n"                                 \
    "void finish(const state *s, const params *p, real out[]) { out[0] = s->" S "; }\n"

/* A name means what the code says, whatever it is to a compiler, a header or the kernels. */
TEST(any_name, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char *const named[] = {
        NAMED("a", "b", "c", "f", "l"),
        NAMED("kernel", "global", "float4", "main", "printf"),
        NAMED("linux", "unix", "new", "system", "threadIdx"),
        NAMED("w", "bly_k", "BLY_WIDTH", "bly_state", "bly_watch"),
    };
    double first = 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const bailey_simulation_params params = {.path = path_of(0), .payoff = {.code = named[i]}};
        const bailey_simulation_run_params run = {.paths = 1000};
        bailey_simulation *s;
        bailey_estimate e[MOST_OUTPUTS];
        OK(bailey_simulation_create(context, &params, &s));
        const double value = 1.5;
        OK(bailey_simulation_set(s, bailey_simulation_parameter(s, 0, NULL), &value, 1));
        OK(bailey_simulation_run(s, &run, e));
        if (i == 0) first = e[0].mean;
        assert_true(e[0].mean == first && first != 0);
        bailey_simulation_destroy(s);
    }
}
