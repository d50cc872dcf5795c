/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Hand-tuned kernels against the generic ones that they replace (kernels_cu/tuned/tuned_cu.h,
 * kernels_cl/tuned/tuned_cl.h, bridges that copy the table of the inverse CDF): the same requests on a device
 * that was opened with BAILEY_TUNED=0 and on one with BAILEY_TUNED=1, bit for bit. Every row of the table
 * must be launched by one of the requests.
 */
#include "harness.h"

#include <bailey/halves.h>
#include <bailey/points.h>
#include <kernels_cl/tuned/tuned_cl.h>
#include <kernels_cu/tuned/tuned_cu.h>

/* A row of a table, and on which of the two devices it has been launched. */
struct row {
    const char *name, *gain;
    int launched[2];
};

#define ROW(name, shape, gain) {#name, gain, {0, 0}},
static struct row rows_cuda[] = {BLY_TUNED_CU(ROW){NULL, NULL, {0, 0}}};
#undef ROW
#define ROW(name, shape, gain) {#name, gain, {0, 0}},
static struct row rows_opencl[] = {BLY_TUNED_CL(ROW){NULL, NULL, {0, 0}}};
static struct row *rows; /* of the backend under test */

enum { GENERIC, TUNED };
static bailey_context *contexts[2];
static int current; /* which of them works */

/* "cuda:0: bly_philox_u01_f32 over 64 x 1 groups" */
static void see_launch(void *user, int level, const char *line)
{
    char launched[128];
    (void)user, (void)level;
    for (struct row *row = rows; row->name; row++) {
        snprintf(launched, sizeof launched, ": %s over ", row->name);
        if (strstr(line, launched)) row->launched[current] = 1;
    }
}

static void open_both(void)
{
    bailey_log_set(see_launch, NULL, 2);
    for (current = 0; current < 2; current++) {
        setenv("BAILEY_TUNED", current == TUNED ? "1" : "0", 1);
        OK(bailey_context_create(device.address, NULL, &contexts[current]));
    }
    unsetenv("BAILEY_TUNED");
}

static void close_both(void)
{
    for (int i = 0; i < 2; i++) bailey_context_destroy(contexts[i]);
    bailey_log_set(NULL, NULL, 0);
}

/* Makes the same numbers on both devices: each `bytes`, by `make` of a request, at element `at`. */
static void assert_same(const char *what, bailey_status (*make)(const void *request, bailey_buffer *out),
                        const void *request, uint64_t bytes, size_t element)
{
    bailey_context *const kept = context;
    void *made[2];
    for (current = 0; current < 2; current++) {
        context = contexts[current];
        bailey_buffer *out = poisoned(bytes);
        OK(make(request, out));
        made[current] = harvest(out, bytes);
    }
    context = kept;
    same_bits(what, made[TUNED], made[GENERIC], bytes / element, element);
    free(made[GENERIC]);
    free(made[TUNED]);
}

/* ---- Normals --------------------------------------------------------------------------------- */

struct normals {
    bailey_source source;
    bailey_normal_params how;
    uint64_t first, count, at;
};

static bailey_status make_normals(const void *request, bailey_buffer *out)
{
    const struct normals *n = request;
    return bailey_normals_generate(context, &n->source, &n->how, n->first, n->count, out, n->at);
}

/* Runs and blocks, whole and not, at places of all kinds, of three seeds. */
static void compare_normals(bailey_source source, bailey_normal_params how)
{
    static const uint64_t counts[] = {1, 2, 5, 127, 4096, 65537, (1 << 20) + 3};
    static const uint64_t firsts[] = {0, 1, 2, 999, 1 << 20, (UINT64_C(1) << 40) + 7};
    const int f64 = how.precision == BAILEY_PRECISION_F64;
    const size_t element = f64 ? sizeof(double) : sizeof(float);
    uint64_t state = 1;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t o = 0; o < sizeof firsts / sizeof *firsts; o++) {
            if (counts[c] > 65537 && o % 3 != 1) continue; /* one even and one odd place are enough */
            source.seed = c == 0 ? 0 : next_random(&state);
            source.stream = c == 1 ? UINT64_MAX : next_random(&state);
            const struct normals request = {source, how, firsts[o], counts[c], o % 2 ? 3 : 0};
            assert_same(f64 ? "normals f64" : "normals f32", make_normals, &request,
                        (request.count + request.at) * element, element);
        }
}

/* Generators whose normals are drawn in one kernel, and one whose words go through memory. */
static void normals(void)
{
    enum { F64, F64_OF_WORDS, F32, FAST, KINDS };
    static const bailey_generator generators[] = {BAILEY_GENERATOR_PHILOX, BAILEY_GENERATOR_WARP,
                                                  BAILEY_GENERATOR_PHILOX7, BAILEY_GENERATOR_XORWOW};
    for (int g = 0; g < 4; g++)
        for (int method = 0; method < 2; method++)
            for (int kind = 0; kind < KINDS; kind++) {
                if (few_programs() && (method || kind)) continue; /* no row of the table */
                const int f64 = kind == F64 || kind == F64_OF_WORDS;
                const bailey_normal_params how = {
                    .method = method ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF,
                    .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                    .numerics = kind == FAST ? BAILEY_NUMERICS_FAST : BAILEY_NUMERICS_EXACT,
                    .word_bits = kind == F64_OF_WORDS ? 32 : 0};
                if (!f64 || device.has_f64) compare_normals((bailey_source){.generator = generators[g]}, how);
            }
}

struct halves {
    bailey_source source;
    bailey_half half;
    uint64_t first, count, at;
};

static bailey_status make_halves(const void *request, bailey_buffer *out)
{
    const struct halves *h = request;
    return bailey_normals_generate_half(context, &h->source, NULL, h->half, h->first, h->count, out, h->at);
}

/* Both types and rounds, of whole packs and others, at places that have the size of a pack and others. */
static void halves(void)
{
    static const uint64_t counts[] = {3, 4096, 100003};
    for (int turn = 0; turn < 2 * 2 * 3 * 4; turn++) {
        const struct halves request = {
            .source = {.seed = 9,
                       .stream = (uint64_t)turn,
                       .generator = turn & 1 ? BAILEY_GENERATOR_PHILOX7 : BAILEY_GENERATOR_PHILOX},
            .half = turn >> 1 & 1 ? BAILEY_HALF_BFLOAT16 : BAILEY_HALF_FLOAT16,
            .first = turn % 8 < 4 ? 0 : 1001,
            .count = counts[turn / 4 % 3],
            .at = (uint64_t)(turn / 12) % 4};
        assert_same("halves", make_halves, &request, (request.count + request.at) * 2, 2);
    }
}

/* Calls queued one after the other over the same memory, the second of each round over half of it: kernels
 * that begin while others end must not be seen to. */
enum { ROUNDS = 4, HALVES = 1 << 20 };
static bailey_status make_rounds(const void *request, bailey_buffer *out)
{
    const bailey_source *source = request;
    const uint64_t bytes = (uint64_t)2 * HALVES * sizeof(float);
    bailey_buffer *work = NULL;
    bailey_status status = bailey_buffer_create(context, bytes, &work);
    for (unsigned k = 0; k < ROUNDS && status == BAILEY_OK; k++) {
        status = bailey_normals_generate(context, source, NULL, k, 2 * HALVES, work, 0);
        for (unsigned i = 0; i < 3 && status == BAILEY_OK; i++)
            status = bailey_normals_generate(context, source, NULL, 100 * k + i, HALVES, work, 0);
        if (status == BAILEY_OK) status = bailey_buffer_copy(work, 0, out, k * bytes, bytes);
    }
    bailey_buffer_destroy(work);
    return status;
}

static void rounds(void)
{
    const bailey_source source = {.seed = 5};
    assert_same("normals one call after the other", make_rounds, &source,
                (uint64_t)2 * HALVES * sizeof(float) * ROUNDS, sizeof(float));
}

/* ---- Bridges --------------------------------------------------------------------------------- */

struct bridge {
    bailey_bridge_params params;
    bailey_source source;
    uint64_t first, paths;
    uint32_t *shared_bytes; /* of a group, on the device that works */
};

static bailey_status make_bridge(const void *request, bailey_buffer *out)
{
    const struct bridge *b = request;
    const bailey_source source = b->source;
    const bailey_normal_params normal = {.precision = b->params.precision};
    bailey_bridge *bridge = NULL;
    bailey_kernel_info info = {0};
    bailey_status status = bailey_bridge_create(context, &b->params, &bridge);
    if (status == BAILEY_OK) status = bailey_bridge_inspect(bridge, &source, &normal, &info);
    if (status == BAILEY_OK) status = bailey_bridge_paths(bridge, &source, &normal, b->first, b->paths, out);
    bailey_bridge_destroy(bridge);
    b->shared_bytes[current] = info.shared_bytes;
    return status;
}

/* Whether the device compiles programs. */
static int can_compile(void)
{
    const double time = 1;
    const bailey_bridge_params params = {
        .times = &time, .steps = 1, .strategy = BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    bailey_bridge *bridge = NULL;
    const bailey_status status = bailey_bridge_create(contexts[GENERIC], &params, &bridge);
    bailey_bridge_destroy(bridge);
    return status != BAILEY_ERROR_UNSUPPORTED;
}

/* Bridges that copy the table, of which groups need the memory: drawn in line where there are few rows, and
 * by a function where there are many. */
static void bridges(void)
{
    enum { FEW = 9, MANY = 80, POINTS = 1, HASHED = 2 };
    static const struct {
        uint32_t steps, dims;
        int f64, increments, blocks, points;
    } cases[] = {
        {FEW, 1, 0, 0, 0, 0},      {FEW, 2, 0, 0, 0, 0},       {FEW, 1, 1, 1, 0, 0},
        {MANY, 1, 0, 0, 0, 0},     {MANY, 1, 1, 1, 0, 0},      {FEW, 1, 0, 1, 1, 0},
        {FEW, 1, 1, 0, 1, 0},      {FEW, 1, 0, 0, 0, HASHED},  {FEW, 1, 1, 1, 0, 64},
        {FEW, 1, 1, 0, 0, POINTS}, {MANY, 1, 0, 1, 0, POINTS},
    };
    static const double factor[] = {1, 0, 0.5, 0.75};
    static const uint64_t firsts[] = {0, 3}, counts[] = {4096, 1021};
    double times[MANY];
    for (int i = 0; i < MANY; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    if (!can_compile()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t shared_bytes[2] = {0, 0};
        if (cases[i].f64 && !device.has_f64) continue;
        const uint32_t steps =
            cases[i].steps == MANY && device.kind != BAILEY_DEVICE_KIND_GPU ? MANY / 4 : cases[i].steps;
        const struct bridge request = {
            {.times = times,
             .steps = steps,
             .dims = cases[i].dims,
             .factor = cases[i].dims == 2 ? factor : NULL,
             .output = cases[i].increments ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
             .precision = cases[i].f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
             .strategy =
                 cases[i].blocks ? BAILEY_BRIDGE_STRATEGY_BLOCKS : BAILEY_BRIDGE_STRATEGY_SPECIALISED},
            {.seed = 77,
             .stream = cases[i].points ? 0 : 5,
             .generator = cases[i].points ? BAILEY_GENERATOR_SOBOL : BAILEY_GENERATOR_PHILOX,
             .scramble = cases[i].points == HASHED ? BAILEY_SCRAMBLE_OWEN
                         : cases[i].points         ? BAILEY_SCRAMBLE_NONE
                                                   : 0,
             .word_bits = cases[i].points == 64 ? 64 : 0},
            firsts[i % 3 == 0],
            counts[i % 3 == 0],
            shared_bytes};
        const size_t element = cases[i].f64 ? sizeof(double) : sizeof(float);
        assert_same(cases[i].f64 ? "bridge f64" : "bridge f32", make_bridge, &request,
                    request.paths * steps * cases[i].dims * element, element);
        if (shared_bytes[TUNED] < 8192 || shared_bytes[GENERIC] >= shared_bytes[TUNED])
            fail_msg("groups of bridge %zu share %u bytes, and %u with copies of the table", i,
                     shared_bytes[GENERIC], shared_bytes[TUNED]);
    }
}

/* ---- Points ---------------------------------------------------------------------------------- */

struct points {
    bailey_source source;
    bailey_points_params how;
    uint64_t first, count, at;
};

static bailey_status make_points(const void *request, bailey_buffer *out)
{
    const struct points *p = request;
    return bailey_points_generate(context, &p->source, &p->how, p->first, p->count, out, p->at);
}

/* Normals of both widths, precisions and layouts, of few dimensions and many, in parts of a tile and of a
 * pack. */
static void points(void)
{
    static const uint32_t dims[] = {1, 3, 64, 70};
    static const uint64_t firsts[] = {0, 1001, (UINT64_C(1) << 40) + 7}, counts[] = {5, 4096, 40001};
    for (int turn = 0; turn < 4 * 3 * 8; turn++) {
        const int f64 = turn >> 1 & 1 && device.has_f64;
        const size_t element = f64 ? sizeof(double) : sizeof(float);
        const struct points request = {.source = {.seed = 5,
                                                  .stream = (uint64_t)turn,
                                                  .generator = BAILEY_GENERATOR_SOBOL,
                                                  .scramble = (bailey_scramble)(turn % 3),
                                                  .word_bits = turn >> 2 & 1 ? 64 : 32},
                                       .how = {.form = BAILEY_POINTS_FORM_NORMALS,
                                               .layout = (bailey_points_layout)(turn & 1),
                                               .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                                               .dims = dims[turn / 8 % 4]},
                                       .first = firsts[turn / 8 % 3],
                                       .count = counts[turn / 8 / 4],
                                       .at = turn % 5};
        assert_same("points", make_points, &request,
                    (request.count * request.how.dims + request.at) * element, element);
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

/* A row that no request above has launched wants one. */
static void all_rows_launched(void)
{
    for (const struct row *row = rows; row->name; row++) {
        if (!row->launched[GENERIC] || !row->launched[TUNED])
            fail_msg("no request of this test launches %s: add one", row->name);
        if (!*row->gain) fail_msg("%s: the table does not say what it gains", row->name);
    }
}

TEST(every_row, ON_OPENCL | ON_CUDA | LONG_ON_OPENCL)
{
    rows = strncmp(device.address, "cuda", 4) == 0 ? rows_cuda : rows_opencl;
    open_both();
    normals();
    halves();
    rounds();
    bridges();
    points();
    close_both();
    all_rows_launched();
}
