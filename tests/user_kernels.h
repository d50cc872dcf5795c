/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What programs that use OpenCL or CUDA themselves have in common (test_user_opencl.c, test_user_cuda.c): the
 * user's kernels with the library's device headers, on the user's queue and memory, which the library shares,
 * give the bits of the library's calls.
 *
 * A program defines user_handle, its kind of memory, includes this, and defines `struct user` and the
 * functions declared here. Each does what its name says, returns 0 after a complaint, and queues without
 * waiting, but for user_read and user_write.
 */
#ifndef USER_KERNELS_H
#define USER_KERNELS_H

#include <bailey/advanced.h>

#include "kat.h"
#include "user_generators.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 10007u /* of four words */
#define STEPS 37u
#define PATHS 1003u /* STEPS * PATHS elements are not more than 4 * BLOCKS */
#define SEED UINT64_C(0x0123456789abcdef)
#define STREAM UINT64_C(42)

#define GUARD 64 /* bytes behind each array, which must keep their value */
#define POISON 0xA5

static const bailey_source drawn_from = {.seed = SEED, .stream = STREAM};

struct user_argument {
    size_t size;
    const void *value;
};

/* The program's: a device, its queue, the library in them, and one of the user's files, compiled. */
struct user;
static bailey_context *user_library(const struct user *u);
static int user_has_f64(const struct user *u);
static const char *user_how(const struct user *u); /* the file, and by what it was compiled */
static int user_create(const struct user *u, size_t bytes, user_handle *handle);
static void user_destroy(user_handle handle);
static int user_fill(const struct user *u, user_handle handle, unsigned char byte, size_t bytes);
static int user_copy(const struct user *u, user_handle from, user_handle to, size_t bytes);
static int user_write(const struct user *u, user_handle handle, const void *data, size_t bytes);
static int user_read(const struct user *u, user_handle handle, void *data, size_t bytes);
static int user_adopt(const struct user *u, user_handle handle, size_t bytes, bailey_buffer **buffer);
static int user_handle_of(bailey_buffer *buffer, user_handle *handle);
static int user_launch(const struct user *u, const char *kernel, size_t items, unsigned count,
                       const struct user_argument *arguments);

/* ---- Verdicts -------------------------------------------------------------------------------- */

static struct kat known;
static int failures;

static void complain(const char *what, const char *why)
{
    fprintf(stderr, "FAILED: %s: %s\n", what, why);
    failures++;
}

static int bailey_ok(const char *what, bailey_status status)
{
    if (status != BAILEY_OK) complain(what, bailey_error_message());
    return status == BAILEY_OK;
}

static void compare(const struct user *u, const char *what, const void *found, const void *expected,
                    size_t bytes)
{
    const char *a = found, *b = expected;
    size_t i = 0;
    while (i < bytes && a[i] == b[i]) i++;
    if (i < bytes) {
        char where[160];
        snprintf(where, sizeof where, "differ at byte %zu of %zu (%s)", i, bytes, user_how(u));
        complain(what, where);
    } else
        printf("%s: %zu bytes equal (%s)\n", what, bytes, user_how(u));
}

/* The whole file with a zero after it, to be freed; NULL if it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0) text = calloc(1, (size_t)size + 1);
    if (text) {
        rewind(file);
        text[fread(text, 1, (size_t)size, file)] = 0;
    }
    if (file) fclose(file);
    return text;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The user's memory; the library knows it where there is a buffer. */
struct memory {
    user_handle handle;
    size_t bytes;
    bailey_buffer *buffer;
};

/* Poisoned, with a guard behind. */
static int take(const struct user *u, size_t bytes, struct memory *memory)
{
    memory->bytes = bytes;
    return user_create(u, bytes + GUARD, &memory->handle) &&
           user_fill(u, memory->handle, POISON, bytes + GUARD);
}

static int take_data(const struct user *u, const void *data, size_t bytes, struct memory *memory)
{
    return take(u, bytes, memory) && user_write(u, memory->handle, data, bytes);
}

static int share(const struct user *u, size_t bytes, struct memory *memory)
{
    return take(u, bytes, memory) && user_adopt(u, memory->handle, bytes, &memory->buffer);
}

static void give(struct memory *memory)
{
    bailey_buffer_destroy(memory->buffer);
    if (memory->handle) user_destroy(memory->handle);
}

/* The bytes that the user's queue finds there, which the caller frees; checks the guard. NULL, after a
 * complaint, if it is damaged. */
static unsigned char *fetch(const struct user *u, const char *what, const struct memory *memory)
{
    const size_t bytes = memory->bytes;
    unsigned char *data = malloc(bytes + GUARD);
    if (!data || !user_read(u, memory->handle, data, bytes + GUARD)) {
        free(data);
        return NULL;
    }
    for (size_t i = bytes; i < bytes + GUARD; i++)
        if (data[i] != POISON) {
            complain(what, "wrote past the end");
            break;
        }
    return data;
}

static void compare_data(const struct user *u, const char *what, const struct memory *mine,
                         const void *expected)
{
    unsigned char *found = fetch(u, what, mine);
    if (found) compare(u, what, found, expected, mine->bytes);
    free(found);
}

static void compare_memory(const struct user *u, const char *what, const struct memory *mine,
                           const struct memory *its)
{
    unsigned char *expected = fetch(u, what, its);
    if (expected) compare_data(u, what, mine, expected);
    free(expected);
}

/* ---- The user's kernels ---------------------------------------------------------------------- */

/* The table of the inverse CDF, as the library has it. */
static user_handle table_of(const struct user *u, bailey_precision precision)
{
    bailey_buffer *table = NULL;
    user_handle handle = 0;
    if (bailey_ok("table", bailey_normal_table(user_library(u), precision, &table)))
        user_handle_of(table, &handle);
    return handle;
}

/* Those of double precision are left out where the device has none. Tables come last, since a kernel may
 * have its own. */
static int launch_draws(const struct user *u, const struct memory drawn[3])
{
    const uint64_t seed = SEED, stream = STREAM, blocks = BLOCKS;
    const int f64 = user_has_f64(u);
    const user_handle tables[2] = {table_of(u, BAILEY_PRECISION_F32),
                                   f64 ? table_of(u, BAILEY_PRECISION_F64) : 0};
    struct user_argument arguments[8] = {
        {sizeof seed, &seed}, {sizeof stream, &stream}, {sizeof blocks, &blocks}};
    unsigned count = 3;
    for (int i = 0; i < 2 + f64; i++)
        arguments[count++] = (struct user_argument){sizeof(user_handle), &drawn[i].handle};
    for (int i = 0; i < 1 + f64; i++)
        arguments[count++] = (struct user_argument){sizeof(user_handle), &tables[i]};
    return user_launch(u, "user_kernel", BLOCKS, count, arguments);
}

static void run_known(const struct user *u)
{
    const uint32_t count = (uint32_t)known.count;
    struct memory counters = {0}, keys = {0}, words = {0};
    const struct user_argument arguments[] = {{sizeof count, &count},
                                              {sizeof counters.handle, &counters.handle},
                                              {sizeof keys.handle, &keys.handle},
                                              {sizeof words.handle, &words.handle}};
    if (take_data(u, known.counter, 16 * known.count, &counters) &&
        take_data(u, known.key, 8 * known.count, &keys) && take(u, 16 * known.count, &words) &&
        user_launch(u, "user_kat", count, 4, arguments))
        compare_data(u, "known answers", &words, known.result);
    give(&counters);
    give(&keys);
    give(&words);
}

static void run_draws(const struct user *u)
{
    static const char *const names[3] = {"words", "f32 normals", "f64 normals"};
    const bailey_normal_params doubles = {.precision = BAILEY_PRECISION_F64};
    bailey_context *library = user_library(u);
    const int arrays = user_has_f64(u) ? 3 : 2;
    struct memory mine[3] = {{0}}, its[3] = {{0}};
    int good = 1;
    for (int i = 0; good && i < arrays; i++)
        good = take(u, BLOCKS * (size_t)16, &mine[i]) && share(u, BLOCKS * (size_t)16, &its[i]);
    good =
        good && launch_draws(u, mine) &&
        bailey_ok(names[0], bailey_words_generate(library, &drawn_from, 0, 4 * BLOCKS, its[0].buffer, 0)) &&
        bailey_ok(names[1],
                  bailey_normals_generate(library, &drawn_from, NULL, 0, 4 * BLOCKS, its[1].buffer, 0));
    if (good && arrays == 3)
        good = bailey_ok(names[2], bailey_normals_generate(library, &drawn_from, &doubles, 0, 2 * BLOCKS,
                                                           its[2].buffer, 0));
    for (int i = 0; i < 3; i++) {
        if (good && i < arrays) compare_memory(u, names[i], &mine[i], &its[i]);
        give(&mine[i]);
        give(&its[i]);
    }
}

/* Every generator that steps: the device's words are the processor's. */
static void run_generators(const struct user *u)
{
    const uint64_t seed = SEED, stream = STREAM;
    const uint32_t items = USER_GENERATORS_ITEMS, draws = USER_GENERATORS_DRAWS;
    struct memory words = {0};
    const struct user_argument arguments[] = {{sizeof seed, &seed},
                                              {sizeof stream, &stream},
                                              {sizeof items, &items},
                                              {sizeof draws, &draws},
                                              {sizeof words.handle, &words.handle}};
    uint32_t *expected = user_generators_expected(seed, stream);
    if (!expected) complain("generators", "no memory");
    if (expected && take(u, user_generators_bytes(USER_GENERATORS_COUNT - !user_has_f64(u)), &words) &&
        user_launch(u, "user_generators", items, 5, arguments))
        compare_data(u, "generators", &words, expected);
    free(expected);
    give(&words);
}

/* One dimension, irregular times, bisection, from 0. */
static bailey_bridge *make_bridge(bailey_context *context)
{
    double times[STEPS];
    bailey_bridge *bridge = NULL;
    for (unsigned i = 0; i < STEPS; i++) times[i] = 0.125 * (i + 1) + (i * 7 % 5) / 64.0;
    const bailey_bridge_params params = {.times = times, .steps = STEPS, .start_time = 0.0625};
    bailey_ok("bailey_bridge_create", bailey_bridge_create(context, &params, &bridge));
    return bridge;
}

static void run_paths(const struct user *u)
{
    const size_t bytes = (size_t)STEPS * PATHS * sizeof(float);
    const uint64_t seed = SEED, stream = STREAM, paths = PATHS;
    const uint32_t steps = STEPS;
    const void *records = NULL;
    size_t records_bytes = 0;
    struct memory plan = {0}, mine = {0}, its = {0};
    bailey_bridge *bridge = make_bridge(user_library(u));
    const user_handle table = table_of(u, BAILEY_PRECISION_F32);
    const struct user_argument arguments[] = {{sizeof seed, &seed},
                                              {sizeof stream, &stream},
                                              {sizeof paths, &paths},
                                              {sizeof steps, &steps},
                                              {sizeof plan.handle, &plan.handle},
                                              {sizeof table, &table},
                                              {sizeof mine.handle, &mine.handle}};
    if (bridge && bailey_ok("records", bailey_bridge_records(bridge, &records, &records_bytes)) &&
        take_data(u, records, records_bytes, &plan) && take(u, bytes, &mine) && share(u, bytes, &its) &&
        user_launch(u, "user_paths", PATHS, 7, arguments) &&
        bailey_ok("simulate", bailey_bridge_paths(bridge, &drawn_from, NULL, 0, PATHS, its.buffer)))
        compare_memory(u, "paths", &mine, &its);
    give(&plan);
    give(&mine);
    give(&its);
    bailey_bridge_destroy(bridge);
}

/* X for the Z that user_kernel's normals are, made by the library on the processor; to be freed. */
static float *expected_x(void)
{
    const uint64_t count = (uint64_t)STEPS * PATHS;
    bailey_context *cpu = NULL;
    bailey_bridge *bridge = NULL;
    bailey_buffer *z = NULL, *x = NULL;
    float *data = malloc(count * sizeof *data);
    const int good = data && bailey_ok("cpu", bailey_context_create("cpu", NULL, &cpu)) &&
                     (bridge = make_bridge(cpu)) &&
                     bailey_ok("cpu", bailey_buffer_create(cpu, count * sizeof *data, &z)) &&
                     bailey_ok("cpu", bailey_buffer_create(cpu, count * sizeof *data, &x)) &&
                     bailey_ok("cpu", bailey_normals_generate(cpu, &drawn_from, NULL, 0, count, z, 0)) &&
                     bailey_ok("cpu", bailey_bridge_build(bridge, PATHS, z, x)) &&
                     bailey_ok("cpu", bailey_buffer_read(x, 0, data, count * sizeof *data));
    bailey_buffer_destroy(z);
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
    bailey_context_destroy(cpu);
    if (good) return data;
    free(data);
    return NULL;
}

/* The user's kernel writes Z, the library makes X of it, the user copies X, all on the user's queue, and
 * nothing waits before the last read. Several rounds, each of which spoils Z again. */
static void run_in_order(const struct user *u)
{
    enum { ROUNDS = 3 };
    const size_t bytes = (size_t)STEPS * PATHS * sizeof(float), drawn = BLOCKS * (size_t)16;
    struct memory draws[3] = {{0}}, x = {0}, copies[ROUNDS] = {{0}}; /* the f32 normals are Z */
    bailey_bridge *bridge = make_bridge(user_library(u));
    float *expected = expected_x();
    int good = bridge && expected && take(u, drawn, &draws[0]) && share(u, drawn, &draws[1]) &&
               take(u, drawn, &draws[2]) && share(u, bytes, &x);
    for (int i = 0; good && i < ROUNDS; i++) good = take(u, bytes, &copies[i]);
    for (int i = 0; good && i < ROUNDS; i++)
        good = user_fill(u, draws[1].handle, POISON, drawn) && user_fill(u, x.handle, POISON, bytes) &&
               launch_draws(u, draws) &&
               bailey_ok("build", bailey_bridge_build(bridge, PATHS, draws[1].buffer, x.buffer)) &&
               user_copy(u, x.handle, copies[i].handle, bytes);
    for (int i = 0; i < ROUNDS; i++) {
        if (good) compare_data(u, "queue order", &copies[i], expected);
        give(&copies[i]);
        give(&draws[i]);
    }
    give(&x);
    free(expected);
    bailey_bridge_destroy(bridge);
}

static void run_kernels(const struct user *u)
{
    run_known(u);
    run_draws(u);
    run_generators(u);
    run_paths(u);
    run_in_order(u);
}

#endif
