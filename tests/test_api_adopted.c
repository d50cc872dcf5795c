/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Adopted host memory: what is written is in it without a sync, and what is not written stays as the caller
 * left it, around partial writes of every kind and of two contexts. The same around partial writes to device
 * memory.
 */
#include "api.h"

#include <bailey/motion.h>

TEST(adopted_memory, DEVICE)
{
    enum { WORDS = 1000, FIRST = 14, COUNT = 501 };
    static uint64_t aligned[WORDS / 2];
    uint32_t *const memory = (uint32_t *)aligned, *const inside = memory + FIRST, expected[WORDS];
    const bailey_source source = {.seed = 5};
    bailey_buffer *buffer = NULL, *whole = poisoned(COUNT * 4);
    OK(bailey_words_generate(context, &source, 2, 37, whole, 0));
    uint32_t *words = harvest(whole, COUNT * 4);

    /* A part of the memory is adopted, a part of that is written: the rest stays. No sync. */
    memset(memory, POISON, sizeof aligned);
    memset(expected, POISON, sizeof expected);
    OK(bailey_buffer_adopt_host(context, inside, COUNT * 4 + 3, &buffer));
    assert_int_equal(bailey_buffer_bytes(buffer), COUNT * 4 + 3);
    OK(bailey_words_generate(context, &source, 2, 37, buffer, 101));
    memcpy(expected + FIRST + 101, words, 37 * 4);
    same_bits("adopted memory", memory, expected, WORDS, 4);
    /* Changes by the caller between calls are kept too. */
    inside[0] = inside[COUNT - 1] = expected[FIRST] = expected[FIRST + COUNT - 1] = 12345;
    OK(bailey_words_generate(context, &source, 2, 37, buffer, 7));
    memcpy(expected + FIRST + 7, words, 37 * 4);
    same_bits("adopted memory", memory, expected, WORDS, 4);
    /* Reads and writes. */
    OK(bailey_buffer_write(buffer, 4 * 9, "abcd", 4));
    memcpy(expected + FIRST + 9, "abcd", 4);
    same_bits("adopted memory", memory, expected, WORDS, 4);
    uint32_t read[3];
    OK(bailey_buffer_read(buffer, 4 * 8, read, sizeof read));
    same_bits("read", read, expected + FIRST + 8, 3, 4);
    /* A refused call changes nothing. */
    REFUSED(bailey_words_generate(context, &source, 2, COUNT + 1, buffer, 0), "out", "501 elements");
    REFUSED(bailey_words_generate(context, &source, 2, 1, buffer, COUNT), "out", "501 elements");
    same_bits("adopted memory", memory, expected, WORDS, 4);
    bailey_buffer_destroy(buffer);
    same_bits("adopted memory", memory, expected, WORDS, 4);
    free(words);
}

TEST(bridge_in_adopted_memory, DEVICE | LONG_ON_OPENCL)
{
    enum { PATHS = 31, COUNT = 4 * PATHS, ROOM = COUNT + 64 };
    static uint64_t memory[2][ROOM / 2];
    const bailey_bridge_params params = {.times = good_times, .steps = 4};
    const bailey_source source = {.seed = 3};
    bailey_bridge *bridge = NULL;
    bailey_buffer *adopted[2], *own[2] = {poisoned(COUNT * 4), poisoned(COUNT * 4)};
    float *const z = (float *)memory[0] + 16, *const x = (float *)memory[1] + 16;
    unsigned char *poison = allocate(sizeof memory[0]);
    memset(poison, POISON, sizeof memory[0]);
    memset(memory, POISON, sizeof memory);
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_buffer_adopt_host(context, z, COUNT * 4 + 64, &adopted[0])); /* more than is needed */
    OK(bailey_buffer_adopt_host(context, x, COUNT * 4 + 64, &adopted[1]));
    OK(bailey_bridge_normals(bridge, &source, NULL, 6, PATHS, adopted[0]));
    OK(bailey_bridge_build(bridge, PATHS, adopted[0], adopted[1]));
    OK(bailey_bridge_normals(bridge, &source, NULL, 6, PATHS, own[0]));
    OK(bailey_bridge_paths(bridge, &source, NULL, 6, PATHS, own[1]));
    for (int i = 0; i < 2; i++) {
        void *expected = harvest(own[i], COUNT * 4);
        same_bits("before", memory[i], poison, 64, 1);
        same_bits(i ? "x" : "z", i ? x : z, expected, COUNT, 4);
        same_bits("behind", (i ? x : z) + COUNT, poison, (ROOM - 16 - COUNT) * 4, 1);
        bailey_buffer_destroy(adopted[i]);
        free(expected);
    }
    bailey_bridge_destroy(bridge);
    free(poison);
}

/* Requests of the generators that step, each of which takes another way to memory: a run that a team makes,
 * states found by the host, a form through scratch memory, normals drawn and transformed in one kernel. */
enum { ORDER_COUNT = 37, ORDER_WORDS, ORDER_UNIFORMS, ORDER_NORMALS };
static const struct order {
    const char *what;
    int kind;
    uint64_t first;
    bailey_source source;
    bailey_precision precision;
} orders[] = {
    {"warp", ORDER_WORDS, 8179, {.seed = 5, .stream = 6, .generator = BAILEY_GENERATOR_WARP}, 0},
    {"mt19937", ORDER_WORDS, 8179, {.seed = 5, .generator = BAILEY_GENERATOR_MT19937}, 0},
    {"mt19937, published",
     ORDER_WORDS,
     601,
     {.seed = 5489, .generator = BAILEY_GENERATOR_MT19937, .sequence = BAILEY_SEQUENCE_PUBLISHED},
     0},
    {"xorwow, published",
     ORDER_WORDS,
     77,
     {.seed = 5, .stream = 6, .generator = BAILEY_GENERATOR_XORWOW, .sequence = BAILEY_SEQUENCE_PUBLISHED},
     0},
    {"uniforms, f32", ORDER_UNIFORMS, 8179, {.generator = BAILEY_GENERATOR_WARP}, 0},
    {"uniforms, f64", ORDER_UNIFORMS, 4083, {.generator = BAILEY_GENERATOR_WARP}, 1},
    {"normals, f32", ORDER_NORMALS, 8179, {.generator = BAILEY_GENERATOR_WARP}, 0},
};
enum { ORDERS = sizeof orders / sizeof *orders };

static bailey_status execute(bailey_context *on, const struct order *order, bailey_buffer *out,
                             uint64_t out_offset)
{
    const bailey_source *source = &order->source;
    const bailey_normal_params normal = {.precision = order->precision};
    if (order->kind == ORDER_WORDS)
        return bailey_words_generate(on, source, order->first, ORDER_COUNT, out, out_offset);
    if (order->kind == ORDER_UNIFORMS)
        return bailey_uniforms_generate(on, source, order->precision, 0, order->first, ORDER_COUNT, out,
                                        out_offset);
    return bailey_normals_generate(on, source, &normal, order->first, ORDER_COUNT, out, out_offset);
}

/* Memory that the caller lends, on the device and, for the same bits, on the processor: what was not asked
 * for stays, before, between and behind. */
TEST(generators_in_adopted_memory, DEVICE | LONG_ON_OPENCL)
{
    enum { ROOM = 1200, BYTES = 960 };
    static uint64_t memory[ROOM / 8], expected[ROOM / 8];
    static const uint64_t places[] = {0, 1, 5, 64, 83}; /* elements */
    unsigned char *const found = (unsigned char *)memory, *const wanted = (unsigned char *)expected;
    bailey_context *processor = NULL;
    OK(bailey_context_create("cpu", NULL, &processor));
    for (int i = 0; i < ORDERS; i++) {
        const size_t element = orders[i].precision == BAILEY_PRECISION_F64 ? 8 : 4;
        if (element == 8 && !device.has_f64) continue;
        const size_t FIRST = 16 + element; /* no better aligned than the elements */
        unsigned char results[ORDER_COUNT * 8];
        bailey_buffer *plain = NULL, *adopted = NULL;
        OK(bailey_buffer_create(processor, sizeof results, &plain));
        OK(execute(processor, &orders[i], plain, 0));
        OK(bailey_buffer_read(plain, 0, results, ORDER_COUNT * element));
        bailey_buffer_destroy(plain);

        memset(memory, POISON, ROOM);
        memset(expected, POISON, ROOM);
        OK(bailey_buffer_adopt_host(context, found + FIRST, BYTES + 3, &adopted)); /* not whole elements */
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            /* Changes by the caller between calls are kept too. */
            found[FIRST] = wanted[FIRST] = found[FIRST + BYTES + 2] = wanted[FIRST + BYTES + 2] =
                (unsigned char)(0x10 + p);
            OK(execute(context, &orders[i], adopted, places[p])); /* no sync */
            memcpy(wanted + FIRST + places[p] * element, results, ORDER_COUNT * element);
            same_bits(orders[i].what, found, wanted, ROOM, 1);
        }
        const uint64_t room = BYTES / element;
        OK(execute(context, &orders[i], adopted, room - ORDER_COUNT)); /* the last place */
        memcpy(wanted + FIRST + (room - ORDER_COUNT) * element, results, ORDER_COUNT * element);
        same_bits(orders[i].what, found, wanted, ROOM, 1);
        REFUSED_HERE(execute(context, &orders[i], adopted, room - ORDER_COUNT + 1), "out", "elements");
        same_bits(orders[i].what, found, wanted, ROOM, 1);
        bailey_buffer_destroy(adopted);
        same_bits(orders[i].what, found, wanted, ROOM, 1);

        /* In memory of the device. */
        bailey_buffer *buffer = poisoned(BYTES);
        OK(execute(context, &orders[i], buffer, 5));
        unsigned char *data = harvest(buffer, BYTES);
        memset(wanted, POISON, BYTES);
        memcpy(wanted + 5 * element, results, ORDER_COUNT * element);
        same_bits(orders[i].what, data, wanted, BYTES, 1);
        free(data);
    }
    bailey_context_destroy(processor);
}

/* Two contexts that write parts of one array leave each other's alone. */
TEST(shared_array, DEVICE)
{
    enum { HALF = 5003 };
    const bailey_source source = {.seed = 3};
    uint32_t *array = allocate(2 * HALF * sizeof *array), *expected = allocate(2 * HALF * sizeof *expected);
    bailey_context *other = NULL;
    bailey_buffer *mine = NULL, *its = NULL;
    memset(array, POISON, 2 * HALF * sizeof *array);
    OK(bailey_context_create(device.address, NULL, &other));
    OK(bailey_buffer_adopt_host(context, array, 2 * HALF * sizeof *array, &mine));
    OK(bailey_buffer_adopt_host(other, array, 2 * HALF * sizeof *array, &its));
    OK(bailey_words_generate(context, &source, 0, HALF, mine, 0));
    memset(array, POISON, HALF * sizeof *array); /* as another thread might between the calls */
    OK(bailey_words_generate(other, &source, 0, HALF, its, HALF));
    for (int i = 0; i < HALF; i++) assert_int_equal(array[i], 0xA5A5A5A5u);
    OK(bailey_words_generate(context, &source, 0, HALF, mine, 0));
    memcpy(expected, array, HALF * sizeof *expected);
    memcpy(expected + HALF, array, HALF * sizeof *expected);
    assert_memory_equal(array, expected, 2 * HALF * sizeof *array);
    bailey_buffer_destroy(mine);
    bailey_buffer_destroy(its);
    bailey_context_destroy(other);
    free(array);
    free(expected);
}

/* Floats need not lie where doubles may. */
TEST(bridges_aligned_to_floats, DEVICE | LONG_ON_OPENCL)
{
    enum { PATHS = 64, COUNT = 4 * PATHS };
    static uint64_t memory[2][COUNT / 2 + 1];
    const bailey_source source = {.seed = 3};
    float *const z = (float *)memory[0] + 1, *const x = (float *)memory[1] + 1;
    for (int layout = 0; layout < 2; layout++) {
        const bailey_bridge_params params = {
            .times = good_times, .steps = 4, .layout = (bailey_layout)layout};
        bailey_bridge *bridge = NULL;
        bailey_buffer *adopted[2], *own[2] = {poisoned(COUNT * 4), poisoned(COUNT * 4)};
        OK(bailey_bridge_create(context, &params, &bridge));
        OK(bailey_buffer_adopt_host(context, z, COUNT * 4, &adopted[0]));
        OK(bailey_buffer_adopt_host(context, x, COUNT * 4, &adopted[1]));
        OK(bailey_bridge_normals(bridge, &source, NULL, 0, PATHS, adopted[0]));
        OK(bailey_bridge_build(bridge, PATHS, adopted[0], adopted[1]));
        OK(bailey_bridge_normals(bridge, &source, NULL, 0, PATHS, own[0]));
        OK(bailey_bridge_build(bridge, PATHS, own[0], own[1]));
        float *const own_z = harvest(own[0], COUNT * 4), *const own_x = harvest(own[1], COUNT * 4);
        same_bits("z", z, own_z, COUNT, 4);
        same_bits("x", x, own_x, COUNT, 4);
        OK(bailey_bridge_paths(bridge, &source, NULL, 0, PATHS, adopted[1]));
        same_bits("x", x, own_x, COUNT, 4);
        for (int i = 0; i < 2; i++) bailey_buffer_destroy(adopted[i]);
        bailey_bridge_destroy(bridge);
        free(own_z);
        free(own_x);
    }
}

TEST(doubles_aligned_to_floats, DEVICE)
{
    static uint64_t memory[9];
    const bailey_source source = {.seed = 5};
    const bailey_normal_params f64 = {.precision = BAILEY_PRECISION_F64};
    bailey_buffer *adopted = NULL;
    if (!device.has_f64) skip();
    OK(bailey_buffer_adopt_host(context, (char *)memory + 4, 64, &adopted));
    REFUSED_HERE(bailey_normals_generate(context, &source, &f64, 0, 2, adopted, 0), "out",
                 "aligned to 8 bytes");
    OK(bailey_words_generate(context, &source, 0, 2, adopted, 0));
    bailey_buffer_destroy(adopted);
}

/* Memory that a call reads and memory that it writes must not overlap: `room` elements further on they do
 * not, one less and they do. */
TEST(overlapping_memory, DEVICE | LONG_ON_OPENCL)
{
    enum { PATHS = 16, COUNT = 4 * PATHS, ALL = 4 * COUNT };
    static uint64_t memory[ALL];
    const bailey_bridge_params params = {.times = good_times, .steps = 4};
    const bailey_motion_params moves = {.depth = 4};
    const bailey_source source = {.seed = 3};
    static const double factor[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    bailey_bridge *bridge = NULL;
    bailey_motion *motion = NULL;
    bailey_buffer *from = NULL, *to = NULL;
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_motion_create(context, &moves, &motion));
    OK(bailey_buffer_adopt_host(context, (float *)memory + COUNT, COUNT * 4, &from));
    for (int apart = -COUNT; apart <= COUNT; apart++) {
        const int meet = apart > -COUNT && apart < COUNT;
        OK(bailey_buffer_adopt_host(context, (float *)memory + COUNT + apart, COUNT * 4, &to));
        if (meet) {
            REFUSED_HERE(bailey_bridge_build(bridge, PATHS, from, to), "z and x", "overlap");
            REFUSED_HERE(bailey_normals_correlate(context, factor, 4, BAILEY_PRECISION_F32, PATHS, from, to),
                         "z and x", "overlap");
            REFUSED_HERE(bailey_buffer_copy(from, 0, to, 0, COUNT * 4), "bytes", "overlap");
        } else {
            OK(bailey_bridge_build(bridge, PATHS, from, to));
            OK(bailey_normals_correlate(context, factor, 4, BAILEY_PRECISION_F32, PATHS, from, to));
            OK(bailey_buffer_copy(from, 0, to, 0, COUNT * 4));
        }
        bailey_buffer_destroy(to);
    }
    bailey_buffer_destroy(from);
    /* Ticks of 8 bytes, and values of 4. */
    OK(bailey_buffer_adopt_host(context, memory, PATHS * 8, &from));
    OK(bailey_buffer_adopt_host(context, (float *)memory + 2 * PATHS - 1, PATHS * 4, &to));
    REFUSED_HERE(bailey_motion_values_each(motion, &source, from, 1, 0, PATHS, to), "ticks and out",
                 "overlap");
    REFUSED_HERE(bailey_motion_values_each(motion, &source, from, 1, 0, PATHS, from), "ticks and out",
                 "same buffer");
    OK(bailey_motion_values_each(motion, &source, from, 1, 0, PATHS - 1,
                                 to)); /* of both the parts that it takes */
    bailey_buffer_destroy(from);
    bailey_buffer_destroy(to);
    bailey_motion_destroy(motion);
    bailey_bridge_destroy(bridge);
}
