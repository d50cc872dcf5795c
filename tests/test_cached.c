/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The caches of a context (src/host/program.c, src/host/pool.c): a bridge like one before costs no memory, no
 * program and no waiting; one unlike it gets its own; what is kept has bounds. Rooms keep what is theirs in
 * slots.
 */
#include <bailey/points.h>
#include <base/alloc.h>
#include <base/log.h>
#include <base/text.h>
#include <host/internal.h>
#include <host/run/variant.h>
#include <host/simulate/simulation_internal.h>

#include "asian.h"
#include "harness.h"

/* The device's backend, of which every call is counted, and some fail. */
static const struct bly_backend *real;
static struct bly_backend counting;
static struct bly_tuning tuning;
static const struct bly_tuning *real_tuning;
static struct {
    int allocs, releases, writes, loads, texts, unloads, waits;
} calls;
static int failing_allocs, failing_loads;

static bailey_status count_alloc(struct bly_device *on, enum bly_memory_kind kind, uint64_t bytes,
                                 struct bly_memory **memory)
{
    calls.allocs++;
    if (failing_allocs > 0 && failing_allocs--) return bly_fail(BAILEY_ERROR_MEMORY, "no memory, for a test");
    return real->alloc(on, kind, bytes, memory);
}

static void count_release(struct bly_device *on, struct bly_memory *memory)
{
    calls.releases++;
    real->release(on, memory);
}

static bailey_status count_write(struct bly_device *on, struct bly_memory *memory, uint64_t offset,
                                 const void *source, uint64_t bytes)
{
    calls.writes++;
    return real->write(on, memory, offset, source, bytes);
}

static bailey_status count_load(struct bly_device *on, const struct bly_code *code,
                                struct bly_program **program)
{
    calls.loads++;
    calls.texts += code->text != NULL;
    if (code->text && failing_loads) return bly_fail(BAILEY_ERROR_BUILD, "no program, for a test");
    return real->load(on, code, program);
}

static void count_unload(struct bly_device *on, struct bly_program *program)
{
    calls.unloads++;
    real->unload(on, program);
}

static bailey_status count_wait(struct bly_device *on)
{
    calls.waits++;
    return real->wait(on);
}

static int begin(void **state)
{
    (void)state;
    struct bly_device *on = context->device;
    if (on->backend != &counting) {
        real = on->backend;
        real_tuning = on->tuning;
    }
    counting = *real;
    counting.alloc = count_alloc;
    counting.release = count_release;
    counting.write = count_write;
    counting.load = count_load;
    counting.unload = count_unload;
    counting.wait = count_wait;
    on->backend = &counting;
    tuning = *real_tuning;
    on->tuning = &tuning;
    return 0;
}

static int end(void **state)
{
    (void)state;
    context->device->backend = real;
    context->device->tuning = real_tuning;
    failing_allocs = failing_loads = 0;
    return 0;
}

static int programs(void) { return real->compiler && real->compiler(context->device) == BAILEY_OK; }

/* ---- Bridges --------------------------------------------------------------------------------- */

enum { STEPS = 6, MOST_DIMS = 2, PATHS = 37 };

/* One of several bridges that differ in one thing each. */
static bailey_bridge_params variation(int number)
{
    static const double times[STEPS] = {0.5, 1, 1.5, 2.25, 3, 4}, others[STEPS] = {0.25, 1, 1.75, 2, 3, 4.5},
                        start[MOST_DIMS] = {1, 2}, finish[MOST_DIMS] = {3, -1},
                        factor[MOST_DIMS * MOST_DIMS] = {1, 0, 0.5, 0.75},
                        larger[MOST_DIMS * MOST_DIMS] = {2, 0, 0.5, 0.75};
    static const uint32_t order[STEPS - 1] = {5, 1, 2, 4, 3};
    bailey_bridge_params p = {.times = times, .steps = STEPS, .dims = MOST_DIMS, .factor = factor};
    switch (number) {
    case 1: p.times = others; break;
    case 2: p.start = start; break;
    case 3: p.order = order; break;
    case 4: p.factor = larger; break;
    case 5: p.end = finish; break;
    case 6: p.steps = STEPS - 1; break;
    case 7: p.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS; break;
    default: break;
    }
    return p;
}
#define VARIATIONS 8
#define VARIATIONS_QUICK 4 /* where compiling is slow */

/* One of each kind of program: with all in its text, with separate records, with neither, with both. */
static const bailey_bridge_strategy strategies[] = {
    BAILEY_BRIDGE_STRATEGY_CONSTANT, BAILEY_BRIDGE_STRATEGY_SHARED,   BAILEY_BRIDGE_STRATEGY_SPECIALISED,
    BAILEY_BRIDGE_STRATEGY_BLOCKS,   BAILEY_BRIDGE_STRATEGY_READBACK, BAILEY_BRIDGE_STRATEGY_AUTO};
#define STRATEGIES (sizeof strategies / sizeof *strategies)

/* Draws paths by a new bridge of a context into `x`. */
static bailey_status draw_paths(bailey_context *mine, bailey_bridge_params params,
                                bailey_bridge_strategy strategy, uint64_t first, bailey_buffer *x)
{
    const bailey_source source = {.seed = 3};
    bailey_bridge *bridge = NULL;
    params.strategy = strategy;
    bailey_status status = bailey_bridge_create(mine, &params, &bridge);
    if (status == BAILEY_OK) status = bailey_bridge_paths(bridge, &source, NULL, first, PATHS, x);
    bailey_bridge_destroy(bridge);
    return status;
}

/* After the first two, which make all there is. */
TEST(again, DEVICE | LONG_ON_OPENCL)
{
    bailey_buffer *x = poisoned(sizeof(float[STEPS * MOST_DIMS * PATHS]));
    const int adopted = 2 * real->adopts_host; /* handles of the bridge's own memory, which cost nothing */
    tuning.straight_steps = 256;               /* auto compiles where it can */
    tuning.straight_dims = 8;
    for (size_t s = 0; s < STRATEGIES; s++)
        for (int i = 0; i < 4; i++) {
            memset(&calls, 0, sizeof calls);
            const bailey_status status = draw_paths(context, variation(0), strategies[s], 0, x);
            if (status == BAILEY_ERROR_UNSUPPORTED) break;
            OK(status);
            assert_int_equal(calls.waits, 0);
            assert_int_equal(calls.unloads, 0);
            if (i == 0) continue;
            assert_int_equal(calls.loads, 0);
            assert_int_equal(calls.allocs, 0);
            assert_int_equal(calls.writes, 0);
            assert_int_equal(calls.releases, adopted);
        }
    bailey_buffer_destroy(x);
}

/* Bridges that differ in one thing follow each other in one context; each has the numbers that it has in a
 * separate context. */
TEST(unlike, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    const int most = real == &bly_backend_opencl ? VARIATIONS_QUICK : VARIATIONS;
    for (size_t s = 0; s < STRATEGIES; s++)
        for (int v = 0; v < most; v++) {
            const bailey_bridge_params params = variation(v);
            const uint64_t bytes = params.steps * params.dims * PATHS * sizeof(float);
            bailey_context *fresh = NULL;
            bailey_buffer *x = poisoned(bytes), *y = NULL;
            const bailey_status status = draw_paths(context, params, strategies[s], 4 * (uint64_t)v, x);
            float *found = harvest(x, bytes), *expected = allocate(bytes);
            if (status == BAILEY_OK) {
                OK(bailey_context_create(device.address, NULL, &fresh));
                OK(bailey_buffer_create(fresh, bytes, &y));
                OK(draw_paths(fresh, params, strategies[s], 4 * (uint64_t)v, y));
                OK(bailey_buffer_read(y, 0, expected, bytes));
                same_bits(bailey_bridge_strategy_name(strategies[s]), found, expected, bytes / sizeof(float),
                          sizeof(float));
            } else {
                assert_int_equal(status, BAILEY_ERROR_UNSUPPORTED);
            }
            bailey_buffer_destroy(y);
            bailey_context_destroy(fresh);
            free(found);
            free(expected);
        }
}

/* auto does without a program that cannot be compiled, and does not try again; a request for it by name does.
 */
TEST(refused, DEVICE | LONG_ON_OPENCL)
{
    if (!programs()) skip();
    bailey_bridge_params params = variation(0);
    bailey_buffer *x = poisoned(sizeof(float[STEPS * MOST_DIMS * PATHS]));
    static const double times[STEPS] = {0.125, 1, 1.5, 2.25, 3, 4};
    static const uint32_t order[STEPS - 1] = {2, 1, 5, 3, 4}; /* which no test before had */
    params.times = times;
    params.order = order;
    tuning.straight_steps = 256;
    tuning.straight_dims = 8;
    failing_loads = 1;
    OK(draw_paths(context, params, BAILEY_BRIDGE_STRATEGY_AUTO, 0, x));
    memset(&calls, 0, sizeof calls);
    OK(draw_paths(context, params, BAILEY_BRIDGE_STRATEGY_AUTO, 0, x));
    assert_int_equal(calls.loads, 0);
    assert_int_equal(draw_paths(context, params, BAILEY_BRIDGE_STRATEGY_SPECIALISED, 0, x),
                     BAILEY_ERROR_BUILD);
    assert_int_equal(calls.loads, 1);
    failing_loads = 0;
    OK(draw_paths(context, params, BAILEY_BRIDGE_STRATEGY_SPECIALISED, 0, x));
    assert_int_equal(calls.loads, 2);
    OK(draw_paths(context, params, BAILEY_BRIDGE_STRATEGY_AUTO, 0, x)); /* auto has it now too */
    assert_int_equal(calls.loads, 2);
    bailey_buffer_destroy(x);
}

/* Paths that are built in parts, of stored normals, take one program: the first part's is the others'. */
TEST(parts, DEVICE | LONG_ON_OPENCL)
{
    if (!programs()) skip();
    enum { CHUNKS = 3, CHUNK = 8192 };
    bailey_bridge_params params = variation(1);
    const bailey_source source = {.seed = 3, .generator = BAILEY_GENERATOR_XORWOW};
    const uint64_t bytes = sizeof(float[STEPS * MOST_DIMS]) * CHUNKS * CHUNK;
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = poisoned(bytes);
    tuning.z_chunk_bytes = tuning.z_chunk_paths = 1;
    params.strategy = BAILEY_BRIDGE_STRATEGY_SPECIALISED;
    OK(bailey_bridge_create(context, &params, &bridge));
    memset(&calls, 0, sizeof calls);
    OK(bailey_bridge_paths(bridge, &source, NULL, 0, CHUNKS * CHUNK, x));
    assert_int_equal(calls.texts, 1);
    bailey_bridge_destroy(bridge);
    free(harvest(x, bytes));
}

/* A text in groups of another size is another program; of the same size, for another object, it is the same.
 */
TEST(groups, ON_CPU)
{
    if (!programs()) skip();
    static const uint32_t blocks[] = {32, 64, 32};
    struct bly_variants all[3];
    struct bly_cached *cached[3];
    memset(&calls, 0, sizeof calls);
    for (int i = 0; i < 3; i++) {
        const struct bly_kernel kernel = {.name = "one", .params_bytes = 8, .buffers = 1, .block = blocks[i]};
        struct bly_text text = {0};
        bly_text_add(&text, "#include \"kernels/group_entry.h\"\n"
                            "typedef struct { bailey_uint64 count; } one_params;\n"
                            "BAILEY_FN void one_group(one_params p, BAILEY_GLOBAL bailey_uint64 *x,\n"
                            "                         BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
                            "{\n"
                            "    (void)shared;\n"
                            "    if (item < p.count) x[item] = BLY_BLOCK;\n"
                            "}\n"
                            "BLY_GROUP_ENTRY_1(one, one_params, bailey_uint64)\n");
        all[i] = (struct bly_variants){.context = context, .object = "test"};
        OK(bly_variants_make(&all[i], &blocks[i], sizeof blocks[i], &text,
                             (struct bly_code){.name = "one", .kernels = &kernel, .kernel_count = 1},
                             &cached[i]));
    }
    assert_int_equal(calls.texts, 2);
    assert_ptr_not_equal(cached[0], cached[1]);
    assert_ptr_equal(cached[0], cached[2]);
    for (int i = 0; i < 3; i++) bly_variants_free(&all[i]);
}

/* ---- Entries --------------------------------------------------------------------------------- */

static struct bly_cached *find_entry(uint32_t number)
{
    uint8_t key[BLY_DIGEST_BYTES] = {0x77};
    memcpy(key + 1, &number, sizeof number);
    return bly_program_find(context, key);
}

static struct bly_cached *new_entry(uint32_t number)
{
    uint8_t key[BLY_DIGEST_BYTES] = {0x77};
    struct bly_cached *kept = NULL;
    memcpy(key + 1, &number, sizeof number);
    OK(bly_program_new(context, key, sizeof number, &kept));
    assert_int_equal(*(uint32_t *)kept->note, 0);
    *(uint32_t *)kept->note = number;
    return kept;
}

/* Those used longest ago go, but for those in use. */
TEST(idle_entries, DEVICE)
{
    enum { ENTRIES = 200, KEPT = 64 };
    struct bly_cached *used = new_entry(ENTRIES);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        bly_program_release(context, new_entry(i));
        struct bly_cached *first = find_entry(0); /* used all the time */
        assert_non_null(first);
        bly_program_release(context, first);
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < ENTRIES; i++) {
        struct bly_cached *kept = find_entry(i);
        assert_int_equal(kept != NULL, i == 0 || i > ENTRIES - KEPT);
        if (kept) assert_int_equal(*(uint32_t *)kept->note, i);
        found += kept != NULL;
        bly_program_release(context, kept);
    }
    assert_int_equal(found, KEPT);
    assert_ptr_equal(find_entry(ENTRIES), used);
    bly_program_release(context, used);
    bly_program_discard(context, used);
    assert_null(find_entry(ENTRIES));
    bly_program_empty(context);
    assert_null(context->cached);
}

/* ---- The pool -------------------------------------------------------------------------------- */

TEST(pool_reuses, DEVICE)
{
    bailey_buffer *a, *b, *c;
    bly_pool_empty(context);
    OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 100000, &a));
    assert_in_range(bailey_buffer_bytes(a), 100000, 112500);
    OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 100001, &b)); /* of the same size, as it happens */
    assert_ptr_not_equal(a, b);
    memset(&calls, 0, sizeof calls);
    bly_pool_release(a);
    bly_pool_release(NULL);
    OK(bly_pool_take(context, BLY_MEMORY_PINNED, 100000, &c)); /* not of that kind */
    assert_ptr_not_equal(a, c);
    assert_int_equal(calls.allocs, 1);
    bly_pool_release(c);
    OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 99990, &c));
    assert_ptr_equal(a, c);
    OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 1, &a));
    assert_int_equal(calls.allocs, 2);
    assert_int_equal(calls.releases, 0);
    bly_pool_release(a);
    bly_pool_release(b);
    bly_pool_release(c);
    assert_int_equal(context->pool.count, 4);
    bly_pool_empty(context);
    assert_int_equal(calls.releases, 4);
    assert_int_equal(context->pool.count + context->pool.bytes, 0);
}

TEST(pool_is_bounded, DEVICE)
{
    enum { BUFFERS = 300, KEPT = 256 };
    static bailey_buffer *buffers[BUFFERS];
    const uint64_t memory = context->device->info.memory_bytes, least = UINT64_C(64) << 20;
    bly_pool_empty(context);
    for (int i = 0; i < BUFFERS; i++) OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 256, &buffers[i]));
    memset(&calls, 0, sizeof calls);
    for (int i = 0; i < BUFFERS; i++) bly_pool_release(buffers[i]);
    assert_int_equal(context->pool.count, KEPT);
    assert_int_equal(calls.releases, BUFFERS - KEPT);
    bly_pool_empty(context);
    for (int i = 0; i < 5; i++) OK(bly_pool_take(context, BLY_MEMORY_DEVICE, least / 4, &buffers[i]));
    context->device->info.memory_bytes = 0; /* then the least bound holds */
    for (int i = 0; i < 5; i++) bly_pool_release(buffers[i]);
    context->device->info.memory_bytes = memory;
    assert_int_equal(context->pool.bytes, least);
    bly_pool_empty(context);
}

/* Memory that is kept is given up before anybody goes without. */
TEST(pool_gives_way, DEVICE)
{
    bailey_buffer *buffer = NULL;
    OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 5000, &buffer));
    bly_pool_release(buffer);
    failing_allocs = 1;
    OK(bailey_buffer_create(context, 777, &buffer));
    assert_int_equal(context->pool.count, 0);
    bailey_buffer_destroy(buffer);
    assert_int_equal(context->pool.count, 0); /* a caller's buffer is not kept */
    failing_allocs = 1;
    assert_int_equal(bailey_buffer_create(context, 777, &buffer), BAILEY_ERROR_MEMORY); /* nothing is kept */
    assert_null(buffer);
    OK(bly_pool_take(context, BLY_MEMORY_DEVICE, 5000, &buffer));
    bly_pool_release(buffer);
    failing_allocs = 2;
    assert_int_equal(bly_pool_take(context, BLY_MEMORY_DEVICE, 777, &buffer), BAILEY_ERROR_MEMORY);
    assert_null(buffer);
}

/* ---- Prices ---------------------------------------------------------------------------------- */

static uint64_t reported, stop_at;

static int progress(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    assert_true(done > reported && done <= total);
    reported = done;
    return stop_at && done >= stop_at;
}

/* More chunks than may be in flight, with and without a report of each; none is left in flight. */
TEST(prices, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64 || getenv("BAILEY_TEST_QUICK")) skip();
    const double fixing = 1, spot = 100, volatility = 0.2;
    char total[32];
    struct asian_params params = {.fixings = &fixing,
                                  .fixing_count = 1,
                                  .assets = 1,
                                  .spot = &spot,
                                  .volatility = &volatility,
                                  .strike = 100,
                                  .paths = (UINT64_C(17) << 20) + 5};
    struct asian_result silent, result;
    OK(asian_price(context, &params, &silent));
    memset(&calls, 0, sizeof calls);
    params.progress = progress;
    reported = stop_at = 0;
    OK(asian_price(context, &params, &result));
    assert_true(reported == params.paths);
    same_bits("a price", &result, &silent, sizeof result / 8, 8);
    assert_int_equal(calls.allocs + calls.loads + calls.waits, 0);
    reported = 0;
    stop_at = UINT64_C(3) << 20;
    if (device.kind == BAILEY_DEVICE_KIND_GPU) params.paths <<= 6; /* it makes so many at a time */
    assert_int_equal(asian_price(context, &params, &result), BAILEY_ERROR_CANCELLED);
    assert_true(reported >= stop_at && reported < params.paths);
    snprintf(total, sizeof total, " of %llu", (unsigned long long)params.paths);
    assert_non_null(strstr(bailey_error_message(), total));
}

static void has_payoff(bailey_payoff payoff, uint32_t steps)
{
    double times[40];
    for (uint32_t i = 0; i < steps; i++) times[i] = i + 1.0;
    const bailey_simulation_params params = {.path = {.times = times, .steps = steps}, .payoff = payoff};
    struct bly_payoff fresh;
    bailey_simulation *simulation;
    OK(bly_payoff_read(
        &payoff, &(struct bly_payoff_path){.precision = BAILEY_PRECISION_F32, .steps = steps, .dims = 1},
        &fresh));
    OK(bailey_simulation_create(context, &params, &simulation));
    assert_string_equal(simulation->payoff.text, fresh.text);
    assert_string_equal(simulation->payoff.name, payoff.name);
    assert_int_equal(simulation->payoff.outputs, fresh.outputs);
    assert_int_equal(simulation->payoff.param_count, fresh.param_count);
    for (uint32_t i = 0; i < fresh.param_count; i++) {
        assert_string_equal(simulation->payoff.params[i].name, fresh.params[i].name);
        assert_int_equal(simulation->payoff.params[i].count, fresh.params[i].count);
        assert_int_equal(simulation->payoff.params[i].offset, fresh.params[i].offset);
    }
    bailey_simulation_destroy(simulation);
    bly_payoff_free(&fresh);
}

/* A payoff that has been read before, or was dropped for others since, is the one that is read anew. */
TEST(payoffs, DEVICE)
{
    if (!context->device->info.has_f64) skip();
    for (int round = 0; round < 2; round++)
        for (uint32_t steps = 1; steps <= 40; steps++) {
            has_payoff((bailey_payoff){.name = "european"}, steps % 7 + 1);
            has_payoff((bailey_payoff){.name = steps % 2 ? "barrier" : "asian"}, steps);
        }
    /* For one's own, with loops of another budget. */
    bailey_payoff own = {.name = "own.c",
                         .code = "typedef struct { int n; } params;\n"
                                 "void whole(const params *p, path x, real out[])\n"
                                 "{ out[0] = 0; for (int k = 0; k < p->n; k++) out[0] += 1; }\n"};
    for (own.loop_budget = 1000; own.loop_budget >= 10; own.loop_budget /= 10) has_payoff(own, 1);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

/* The data of a room in the test: its number, and memory of the pool. */
struct room {
    uint64_t number;
    bailey_buffer *memory;
};
static uint64_t emptied; /* the rooms' numbers, a decimal digit each */

static void empty_room(void *kept)
{
    struct room *room = kept;
    emptied = 10 * emptied + room->number;
    bly_pool_release(room->memory);
}

static bailey_context *fresh_context(void)
{
    bailey_context *fresh;
    OK(bailey_context_create(context->device->info.address, NULL, &fresh));
    return fresh;
}

/* Each owner has its own, zero at first and always in the same place; they are emptied once, the last first.
 */
TEST(slots, DEVICE)
{
    static const struct bly_slot_owner owners[3] = {{sizeof(struct room), empty_room},
                                                    {sizeof(struct room), empty_room},
                                                    {sizeof(struct room), empty_room}};
    bailey_context *fresh = fresh_context();
    struct room *rooms[3];
    for (uint64_t i = 0; i < 3; i++) {
        bly_alloc_countdown = 1;
        assert_null(bly_context_slot(fresh, &owners[i]));
        assert_true(bly_alloc_countdown <= 0);
        rooms[i] = bly_context_slot(fresh, &owners[i]);
        assert_non_null(rooms[i]);
        assert_true(!rooms[i]->number && !rooms[i]->memory);
        rooms[i]->number = i + 1;
        OK(bly_pool_take(fresh, BLY_MEMORY_DEVICE, 1000, &rooms[i]->memory));
    }
    for (uint64_t i = 0; i < 3; i++) assert_ptr_equal(bly_context_slot(fresh, &owners[i]), rooms[i]);
    emptied = 0;
    bailey_context_destroy(fresh);
    assert_int_equal(emptied, 321);
}

/* Without memory for a slot, a table or a buffer a call says so, and the next one has the same numbers. */
TEST(points_without_memory, DEVICE | LONG_ON_OPENCL)
{
    enum { POINTS = 64, DIMS = 3 };
    static float expected[POINTS * DIMS], found[POINTS * DIMS];
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL, .seed = 7};
    const bailey_points_params params = {.form = BAILEY_POINTS_FORM_NORMALS, .dims = DIMS};
    bailey_context *fresh = fresh_context(), *const both[2] = {context, fresh};
    for (int i = 0; i < 2; i++) {
        bailey_buffer *out;
        OK(bailey_buffer_create(both[i], sizeof found, &out));
        bailey_status status = BAILEY_ERROR_MEMORY;
        for (int64_t n = 1; status != BAILEY_OK; n++) {
            bly_alloc_countdown = n;
            status = bailey_points_generate(both[i], &source, &params, 0, POINTS, out, 0);
            if (status != BAILEY_OK) assert_int_equal(status, BAILEY_ERROR_MEMORY);
            assert_true(n > 3 || status != BAILEY_OK || !i); /* two slots and what is in them */
        }
        bly_alloc_countdown = 0;
        OK(bailey_buffer_read(out, 0, i ? found : expected, sizeof found));
        bailey_buffer_destroy(out);
    }
    assert_memory_equal(found, expected, sizeof found);
    bailey_context_destroy(fresh);
}

FIXTURE(begin, end)
