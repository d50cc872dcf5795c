/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges from every source: the address of each normal, in registers and in chunks through memory. A bridge
 * that is simulated has the bits of one that is generated from normals that were filled in row by row.
 */
#include "asian.h"
#include "harness.h"

#define ADDRESS_BITS 38
#define STEPS 9
#define PATHS 1003
#define FIRST 4097 /* odd, within a run */
#define DIMS 3

static bailey_source sources[64];
static int source_count;

/* Adds the published sequence of the generator, if it has one and can skip in it: with the first of these
 * that it takes. */
static void add_published(bailey_generator generator, bailey_buffer *x)
{
    static const bailey_source starts[] = {{.seed = 3, .stream = 4}, {.seed = 3}, {.seed = 0}};
    const size_t count = generator == BAILEY_GENERATOR_MT19937 ? 0 : sizeof starts / sizeof *starts;
    for (size_t i = 0; i < count; i++) {
        bailey_source source = starts[i];
        source.generator = generator;
        source.sequence = BAILEY_SEQUENCE_PUBLISHED;
        if (bailey_words_generate(context, &source, 0, 4, x, 0) != BAILEY_OK) continue;
        sources[source_count++] = source;
        return;
    }
}

/* Those of the table, by number, and what else they can be asked for. */
static int list_sources(void **state)
{
    (void)state;
    bailey_buffer *x = NULL;
    source_count = 0; /* of the device before */
    OK(bailey_buffer_create(context, 16, &x));
    for (int g = 0; bailey_generator_name((bailey_generator)g); g++)
        sources[source_count++] = (bailey_source){.seed = 3, .stream = 4, .generator = (bailey_generator)g};
    const int generators = source_count;
    sources[source_count] = sources[BAILEY_GENERATOR_WARP];
    sources[source_count++].warp_set = 7;
    for (int g = 0; g < generators; g++) add_published((bailey_generator)g, x);
    assert_true(source_count >= 2 * generators - 4);
    bailey_buffer_destroy(x);
    return 0;
}
FIXTURE(list_sources, NULL)

/* Whether the device can make it at all. */
static int has(const bailey_source *source)
{
    return device.has_f64 || source->generator != BAILEY_GENERATOR_MRG32K3A ||
           source->sequence != BAILEY_SEQUENCE_PUBLISHED;
}

static size_t element_of(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

/* A bridge and what is asked of it. */
struct request {
    bailey_bridge_params params;
    const bailey_source *source;
    bailey_normal_params normal;
    uint64_t first, paths;
    char name[160];
};

static bailey_bridge_params variant_of(int variant, uint32_t steps, const double *times)
{
    static const double factor[DIMS * DIMS] = {0.2, 0, 0, 0.09, 0.3, 0, -0.05, 0.02, 0.25};
    static const double start[DIMS] = {0.5, -1, 100}, end[DIMS] = {1, 0, -2};
    return (bailey_bridge_params){.times = times,
                                  .steps = steps,
                                  .dims = variant & 1 ? DIMS : 1,
                                  .factor = variant & 1 ? factor : NULL,
                                  .start = start,
                                  .end = variant & 2 ? end : NULL,
                                  .output = variant & 4 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS
                                                        : BAILEY_BRIDGE_OUTPUT_PATHS,
                                  .layout = variant & 8 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                                  .precision = variant & 16 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
}

static void name_request(struct request *r)
{
    snprintf(r->name, sizeof r->name,
             "%s%s%s, method %d%s, f%d, bits %u, %u dims, %s, %s, end %s, strategy %s",
             bailey_generator_name(r->source->generator), r->source->warp_set ? " set 7" : "",
             r->source->sequence == BAILEY_SEQUENCE_PUBLISHED ? " published" : "", (int)r->normal.method,
             r->normal.numerics == BAILEY_NUMERICS_FAST ? " fast" : "",
             r->params.precision == BAILEY_PRECISION_F64 ? 64 : 32, (unsigned)r->normal.word_bits,
             (unsigned)r->params.dims,
             r->params.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS ? "increments" : "paths",
             r->params.layout == BAILEY_LAYOUT_PATH_MAJOR ? "path-major" : "step-major",
             r->params.end ? "fixed" : "free", bailey_bridge_strategy_name(r->params.strategy));
}

/* Z by bailey_normals_generate, a row at a time, in the layout of the bridge. */
static void *reference_normals(const struct request *r, uint64_t rows)
{
    const size_t element = element_of(r->params.precision);
    unsigned char *z = allocate(rows * r->paths * element);
    bailey_normal_params normal = r->normal;
    normal.precision = r->params.precision;
    for (uint64_t row = 0; row < rows; row++) {
        bailey_buffer *buffer = poisoned(r->paths * element);
        OK(bailey_normals_generate(context, r->source, &normal, (row << ADDRESS_BITS) + r->first, r->paths,
                                   buffer, 0));
        unsigned char *line = harvest(buffer, r->paths * element);
        for (uint64_t p = 0; p < r->paths; p++)
            memcpy(z + (r->params.layout == BAILEY_LAYOUT_STEP_MAJOR ? row * r->paths + p : p * rows + row) *
                           element,
                   line + p * element, element);
        free(line);
    }
    return z;
}

/* X from Z. */
static void *reference_paths(const struct request *r, bailey_bridge *bridge, const void *z, uint64_t z_bytes,
                             uint64_t x_bytes)
{
    bailey_buffer *from = NULL, *to = poisoned(x_bytes);
    OK(bailey_buffer_create(context, z_bytes ? z_bytes : 16, &from));
    if (z_bytes) OK(bailey_buffer_write(from, 0, z, z_bytes));
    OK(bailey_bridge_build(bridge, r->paths, from, to));
    void *x = harvest(to, x_bytes);
    bailey_buffer_destroy(from);
    return x;
}

/* Checks normals and paths of a request on a separate bridge. */
static void check_on(struct request *r, bailey_bridge *bridge)
{
    bailey_bridge_info info;
    const size_t element = element_of(r->params.precision);
    name_request(r);
    OK(bailey_bridge_describe(bridge, &info));
    const uint64_t z_count = info.z_steps * info.dims * r->paths,
                   x_count = info.x_steps * info.dims * r->paths;
    void *z = reference_normals(r, info.z_steps * info.dims);
    void *x = reference_paths(r, bridge, z, z_count * element, x_count * element);
    bailey_buffer *buffer = poisoned(z_count * element);
    OK(bailey_bridge_normals(bridge, r->source, &r->normal, r->first, r->paths, buffer));
    void *found = harvest(buffer, z_count * element);
    same_bits(r->name, found, z, z_count, element);
    free(found);
    buffer = poisoned(x_count * element);
    OK(bailey_bridge_paths(bridge, r->source, &r->normal, r->first, r->paths, buffer));
    found = harvest(buffer, x_count * element);
    same_bits(r->name, found, x, x_count, element);
    free(found);
    free(x);
    free(z);
}

static void check(struct request *r)
{
    bailey_bridge *bridge = NULL;
    OK(bailey_bridge_create(context, &r->params, &bridge));
    check_on(r, bridge);
    bailey_bridge_destroy(bridge);
}

/* Every source on every kind of bridge, or on an eighth of them; method, numerics and width of words take
 * turns.
 */
TEST(every_source, DEVICE | LONG_ON_OPENCL)
{
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    for (int variant = 0; variant < (device.has_f64 ? 32 : 16); variant++) {
        struct request r = {.params = variant_of(variant, STEPS, times)};
        bailey_bridge *bridge = NULL;
        OK(bailey_bridge_create(context, &r.params, &bridge));
        for (int s = 0; s < source_count; s++) {
            const int turn = variant + s;
            if (!has(&sources[s]) || (few_programs() && (variant / 4 + s) % 16)) continue;
            r.source = &sources[s];
            r.normal.method = turn % 2 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF;
            r.normal.numerics = turn / 2 % 2 ? BAILEY_NUMERICS_FAST : BAILEY_NUMERICS_EXACT;
            r.normal.word_bits = 32 * (uint32_t)((variant / 2 + s) % 3);
            r.first = turn % 3 ? FIRST : FIRST - 1;
            r.paths = turn % 5 ? PATHS : PATHS + 1;
            check_on(&r, bridge);
        }
        bailey_bridge_destroy(bridge);
    }
}

/* A bridge without Z, and NULL for the usual normals. */
TEST(nothing_to_draw, DEVICE | LONG_ON_OPENCL)
{
    const double time = 1, end = 3;
    const bailey_bridge_params params = {.times = &time, .steps = 1, .end = &end};
    bailey_bridge *bridge = NULL;
    OK(bailey_bridge_create(context, &params, &bridge));
    for (int s = 0; s < source_count; s++) {
        if (!has(&sources[s])) continue;
        bailey_buffer *x = poisoned(PATHS * sizeof(float));
        OK(bailey_bridge_paths(bridge, &sources[s], NULL, FIRST, PATHS, x));
        float *found = harvest(x, PATHS * sizeof(float));
        for (int p = 0; p < PATHS; p++) assert_true(found[p] == 3);
        free(found);
    }
    bailey_bridge_destroy(bridge);
}

/* The launches of the library: bridges, by the names of their kernels. */
static void count_launches(void *user, int level, const char *line)
{
    if (level == 2 && strstr(line, ": bly_bridge")) ++*(int *)user;
}

/* Steps, and paths that go through memory in several chunks. */
#define MANY 100
static uint64_t many_paths(void) { return device.kind == BAILEY_DEVICE_KIND_CPU ? 20011 : 400003; }

TEST(several_chunks, DEVICE | LONG_ON_OPENCL)
{
    static const int variants[] = {0, 2 + 4, 8, 8 + 4, 16, 16 + 8 + 2};
    const int chosen[] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_HYBRID_TAUS, BAILEY_GENERATOR_MT19937,
                          source_count - 2}; /* a published one */
    double times[MANY];
    for (int i = 0; i < MANY; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        if (variants[v] & 16 && !device.has_f64) continue;
        struct request r = {
            .params = variant_of(variants[v], MANY, times),
            .source = &sources[chosen[v % 4]],
            .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .numerics = BAILEY_NUMERICS_FAST},
            .first = v % 2 ? FIRST : 0,
            .paths = many_paths() + (v % 3 ? 0 : 1)};
        int launches = 0;
        bailey_log_set(count_launches, &launches, 2);
        check(&r);
        bailey_log_set(NULL, NULL, 0);
        assert_true(launches >= 3); /* the reference, and two chunks */
    }
}

/* Programs write chunks where they belong, and draw philox with seven rounds: every strategy that the device
 * has. */
TEST(every_strategy, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    double times[MANY];
    for (int i = 0; i < MANY; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    for (int s = BAILEY_BRIDGE_STRATEGY_AUTO + 1;; s++)
        for (int variant = few_programs() ? s % 4 * 4 : 0; variant < 16; variant += few_programs() ? 16 : 4) {
            const uint32_t few = 16;
            struct request r = {.params = variant_of(variant, few, times), .first = 4096, .paths = 1004};
            r.params.strategy = (bailey_bridge_strategy)s;
            if (strcmp(bailey_bridge_strategy_name(r.params.strategy), "unknown") == 0) return;
            bailey_bridge *bridge = NULL;
            const bailey_status status = bailey_bridge_create(context, &r.params, &bridge);
            if (status == BAILEY_ERROR_UNSUPPORTED) continue;
            OK(status);
            r.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER;
            for (int i = 0; i < 3; i++) {
                r.source = &sources[i];
                check_on(&r, bridge);
            }
            bailey_bridge_destroy(bridge);
        }
}

/* The same in chunks: whole vectors and single elements. */
TEST(strategies_in_chunks, DEVICE | LONG)
{
    static const bailey_bridge_strategy strategies[] = {
        BAILEY_BRIDGE_STRATEGY_READBACK, BAILEY_BRIDGE_STRATEGY_REUSE, BAILEY_BRIDGE_STRATEGY_SPECIALISED,
        BAILEY_BRIDGE_STRATEGY_VECTOR};
    double times[MANY];
    for (int i = 0; i < MANY; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++) {
        struct request r = {.params = variant_of(0, MANY, times),
                            .source = &sources[BAILEY_GENERATOR_HYBRID_TAUS]};
        r.params.strategy = strategies[s];
        bailey_bridge *bridge = NULL;
        const bailey_status status = bailey_bridge_create(context, &r.params, &bridge);
        if (status == BAILEY_ERROR_UNSUPPORTED) continue;
        OK(status);
        for (int odd = 0; odd < 2; odd++) {
            r.first = odd ? FIRST : 4096;
            r.paths = many_paths() + 1;
            check_on(&r, bridge);
        }
        bailey_bridge_destroy(bridge);
    }
}

/* Z and X that adopt host memory hold all of the result, and what lies around it is left alone. */
TEST(adopted, DEVICE | LONG_ON_OPENCL)
{
    double times[MANY];
    for (int i = 0; i < MANY; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    for (int variant = 0; variant < 16; variant += 8) {
        struct request r = {.params = variant_of(variant, MANY, times),
                            .source = &sources[BAILEY_GENERATOR_HYBRID_TAUS],
                            .first = FIRST,
                            .paths = many_paths()};
        const uint64_t count = MANY * r.paths, bytes = count * sizeof(float);
        float *z = allocate(bytes + 64), *x = allocate(bytes + 64);
        bailey_bridge *bridge = NULL;
        bailey_buffer *z_host = NULL, *x_host = NULL, *buffer = poisoned(bytes);
        memset(z, POISON, bytes + 64);
        memset(x, POISON, bytes + 64);
        OK(bailey_bridge_create(context, &r.params, &bridge));
        OK(bailey_buffer_adopt_host(context, z, bytes, &z_host));
        OK(bailey_buffer_adopt_host(context, x, bytes, &x_host));
        OK(bailey_bridge_normals(bridge, r.source, NULL, r.first, r.paths, z_host));
        OK(bailey_bridge_paths(bridge, r.source, NULL, r.first, r.paths, x_host));
        OK(bailey_context_sync(context));
        void *expected = reference_normals(&r, MANY);
        same_bits("adopted Z", z, expected, count, sizeof(float));
        free(expected);
        OK(bailey_bridge_paths(bridge, r.source, NULL, r.first, r.paths, buffer));
        expected = harvest(buffer, bytes);
        same_bits("adopted X", x, expected, count, sizeof(float));
        free(expected);
        for (int i = 0; i < 64; i++) {
            assert_int_equal(((unsigned char *)z)[bytes + (size_t)i], POISON);
            assert_int_equal(((unsigned char *)x)[bytes + (size_t)i], POISON);
        }
        bailey_buffer_destroy(z_host);
        bailey_buffer_destroy(x_host);
        bailey_bridge_destroy(bridge);
        free(z);
        free(x);
    }
}

/* A price is a function of its source, whatever kind it is of; close to that of another source. */
TEST(prices, DEVICE | LONG_ON_OPENCL)
{
    static const double fixings[4] = {0.25, 0.5, 0.75, 1}, spot = 100, volatility = 0.2;
    double first_price = 0;
    if (!device.has_f64) skip();
    for (int s = 0; s < 8; s++) {
        const struct asian_params params = {.fixings = fixings,
                                            .fixing_count = 4,
                                            .assets = 1,
                                            .spot = &spot,
                                            .volatility = &volatility,
                                            .rate = 0.03,
                                            .strike = 100,
                                            .paths = 30011,
                                            .source = sources[s]};
        struct asian_result result = {0}, again = {0};
        OK(asian_price(context, &params, &result));
        OK(asian_price(context, &params, &again));
        assert_true(result.price == again.price);
        if (s == 0) first_price = result.price;
        if (s > 0) assert_true(result.price != first_price);
        const double error = result.price - first_price, least = result.standard_error;
        assert_true(error * error < 2 * 25 * least * least);
    }
}

static void names(const char *what, bailey_status status, const char *argument)
{
    if (status != BAILEY_ERROR_INVALID) fail_msg("%s: %s", what, bailey_status_name(status));
    assert_string_equal(bailey_error_argument(), argument);
}
#define NAMES(call, argument) names(#call, call, argument)

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    const double times[2] = {1, 2};
    const bailey_bridge_params params = {.times = times, .steps = 2};
    const bailey_source philox = {0}, strange = {.generator = (bailey_generator)99},
                        mt = {.generator = BAILEY_GENERATOR_MT19937, .sequence = BAILEY_SEQUENCE_PUBLISHED},
                        warp = {.generator = BAILEY_GENERATOR_WARP};
    const bailey_normal_params wallace = {.method = BAILEY_NORMAL_METHOD_WALLACE};
    const uint64_t last = BAILEY_BRIDGE_MAX_PATHS;
    bailey_bridge *bridge = NULL;
    bailey_kernel_info info;
    OK(bailey_bridge_create(context, &params, &bridge));
    bailey_buffer *x = poisoned(2 * PATHS * sizeof(float));
    NAMES(bailey_bridge_paths(bridge, NULL, NULL, 0, PATHS, x), "source");
    NAMES(bailey_bridge_normals(bridge, NULL, NULL, 0, PATHS, x), "source");
    NAMES(bailey_bridge_paths(NULL, &philox, NULL, 0, PATHS, x), "bridge");
    NAMES(bailey_bridge_paths(bridge, &strange, NULL, 0, PATHS, x), "generator");
    NAMES(bailey_bridge_paths(bridge, &mt, NULL, 0, PATHS, x), "sequence");
    NAMES(bailey_bridge_normals(bridge, &mt, NULL, 0, PATHS, x), "sequence");
    NAMES(bailey_bridge_inspect(bridge, &mt, NULL, &info), "sequence");
    NAMES(bailey_bridge_paths(bridge, &philox, &wallace, 0, PATHS, x), "method");
    NAMES(bailey_bridge_paths(bridge, &warp, &wallace, 0, PATHS, x), "method");
    NAMES(bailey_bridge_paths(bridge, &warp, NULL, last - PATHS + 1, PATHS, x), "first_path");
    NAMES(bailey_bridge_paths(bridge, &warp, NULL, 0, PATHS + 100, x), "x");
    NAMES(bailey_bridge_normals(bridge, &warp, NULL, 0, PATHS + 100, x), "z");
    NAMES(bailey_bridge_paths(bridge, &warp, NULL, 0, 0, x), "paths");
    unsigned char *found = harvest(x, 2 * PATHS * sizeof(float));
    for (size_t i = 0; i < 2 * PATHS * sizeof(float); i++) assert_int_equal(found[i], POISON);
    free(found);
    x = poisoned(2 * PATHS * sizeof(float));
    OK(bailey_bridge_paths(bridge, &warp, NULL, last - PATHS, PATHS, x));
    OK(bailey_bridge_inspect(bridge, &warp, NULL, &info));
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
}
