/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What every backend owes to the host layer (src/backend/backend.h): kinds of memory, copies, programs,
 * launches, queues and fences. tests/test_source.c has more of programs that come from texts.
 */
#include <base/log.h>
#include <host/internal.h>
#include <kernels/bridges.h>
#include <kernels/fill.h>

#include "harness.h"

#define TEXT_BLOCK 64

static struct bly_device *on; /* the device under test, and its backend */
static const struct bly_backend *backend;

static int begin(void **state)
{
    (void)state;
    on = context->device;
    backend = on->backend;
    return 0;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static struct bly_memory *new_memory(enum bly_memory_kind kind, uint64_t bytes)
{
    struct bly_memory *memory = NULL;
    OK(backend->alloc(on, kind, bytes, &memory));
    assert_non_null(memory);
    if (kind != BLY_MEMORY_DEVICE) assert_non_null(backend->address(memory));
    return memory;
}

/* NULL where the device has none, which it says. */
static struct bly_memory *new_mapped(uint64_t bytes)
{
    struct bly_memory *memory = NULL;
    const bailey_status status = backend->alloc(on, BLY_MEMORY_MAPPED, bytes, &memory);
    if (status == BAILEY_OK) {
        assert_non_null(backend->address(memory));
        return memory;
    }
    assert_int_equal(status, BAILEY_ERROR_UNSUPPORTED);
    assert_true(strlen(bailey_error_message()) > 0);
    fprintf(stderr, "%s\n", bailey_error_message());
    return NULL;
}

static struct bly_memory *device_memory(const void *data, uint64_t bytes)
{
    struct bly_memory *memory = new_memory(BLY_MEMORY_DEVICE, bytes);
    OK(backend->write(on, memory, 0, data, bytes));
    return memory;
}

/* Fails unless device memory holds these words. */
static void holds(const char *what, struct bly_memory *memory, const uint32_t *expected, uint64_t count)
{
    uint32_t *found = allocate(count * 4);
    OK(backend->read(on, memory, 0, found, count * 4));
    same_bits(what, found, expected, count, 4);
    free(found);
}

TEST(describes_itself, DEVICE)
{
    assert_true(on->queues == 1 || on->queues == 2);
    assert_non_null(on->tuning);
    assert_true(on->tuning->scratch_words >= 1 << 16 && on->tuning->chunk_bytes >= 1 << 20);
    assert_true(on->tuning->straight_steps == 0 || on->tuning->straight_dims > 0);
    if (on->info.kind == BAILEY_DEVICE_KIND_CPU) assert_int_equal(on->tuning->straight_steps, 0);
}

TEST(kinds_of_memory, DEVICE)
{
    struct bly_memory *memory = new_memory(BLY_MEMORY_DEVICE, 1), *none = NULL;
    backend->release(on, memory);
    memory = new_memory(BLY_MEMORY_PINNED, 12345);
    memset(backend->address(memory), 0x3c, 12345); /* the host's */
    backend->release(on, memory);
    if ((memory = new_mapped(4096))) memset(backend->address(memory), 0x3c, 4096);
    backend->release(on, memory);
    backend->release(on, NULL);
    assert_int_not_equal(backend->alloc(on, BLY_MEMORY_DEVICE, UINT64_C(1) << 60, &none), BAILEY_OK);
    assert_true(strlen(bailey_error_message()) > 0);
}

/* Random writes, fills, copies and reads, next to the same in memory of the host. */
TEST(any_offsets, DEVICE)
{
    enum { SIZE = 4099, TURNS = 400 };
    uint8_t model[2][SIZE], data[SIZE], found[SIZE];
    struct bly_memory *memory[2];
    uint64_t random = 1;
    for (int i = 0; i < 2; i++) {
        memset(model[i], i, SIZE);
        memory[i] = device_memory(model[i], SIZE);
    }
    for (int turn = 0; turn < TURNS; turn++) {
        const uint64_t to = next_random(&random) % 2, bytes = 1 + next_random(&random) % 700,
                       a = next_random(&random) % (SIZE - bytes), b = next_random(&random) % (SIZE - bytes);
        for (uint64_t i = 0; i < bytes; i++) data[i] = (uint8_t)next_random(&random);
        switch (next_random(&random) % 4) {
        case 0:
            OK(backend->write(on, memory[to], a, data, bytes));
            memcpy(model[to] + a, data, bytes);
            break;
        case 1:
            OK(backend->fill(on, memory[to], a, data[0], bytes));
            memset(model[to] + a, data[0], bytes);
            break;
        case 2:
            OK(backend->copy(on, 0, memory[1 - to], b, memory[to], a, bytes));
            memcpy(model[to] + a, model[1 - to] + b, bytes);
            break;
        default:
            OK(backend->read(on, memory[to], a, found, bytes));
            same_bits("a read", found, model[to] + a, bytes, 1);
        }
    }
    for (int i = 0; i < 2; i++) {
        OK(backend->read(on, memory[i], 0, found, SIZE));
        same_bits("all of it", found, model[i], SIZE, 1);
        backend->release(on, memory[i]);
    }
}

/* ---- Fences ---------------------------------------------------------------------------------- */

static struct bly_fence *fence_of(uint32_t queue)
{
    struct bly_fence *fence = NULL;
    OK(backend->fence(on, queue, &fence));
    assert_non_null(fence);
    return fence;
}

/* Polls until the fence is done, and frees it. */
static void poll_fence(struct bly_fence *fence)
{
    const double begun = bly_seconds();
    int done = 0;
    while (!done) {
        OK(backend->fence_done(on, fence, 0, &done));
        if (bly_seconds() - begun > 60) fail_msg("a fence is not done after a minute");
    }
    OK(backend->fence_done(on, fence, 1, &done)); /* it stays so */
    assert_int_equal(done, 1);
    backend->fence_free(on, fence);
}

/* Makes `queue` wait for what is queued in the other one. */
static void hand_over(uint32_t queue)
{
    struct bly_fence *fence = fence_of(1 - queue);
    OK(backend->follow(on, queue, fence));
    backend->fence_free(on, fence); /* may go at once */
}

TEST(fences, DEVICE)
{
    int done = 0;
    for (uint32_t queue = 0; queue < 2; queue++) {
        poll_fence(fence_of(queue)); /* of nothing */
        struct bly_fence *fence = fence_of(queue), *later = fence_of(queue);
        OK(backend->fence_done(on, later, 1, &done));
        assert_int_equal(done, 1);
        done = 0;
        OK(backend->fence_done(on, fence, 0, &done)); /* what came before is done too */
        assert_int_equal(done, 1);
        backend->fence_free(on, fence);
        backend->fence_free(on, later);
    }
    backend->fence_free(on, NULL);
    OK(backend->wait(on));
}

/* Through device memory and back, between all kinds, in queue 1, at odd offsets. */
TEST(copies_in_queue_1, DEVICE)
{
    enum { BYTES = 1 << 20, GAP = 7 };
    struct bly_memory *from = new_memory(BLY_MEMORY_PINNED, BYTES + GAP),
                      *to = new_memory(BLY_MEMORY_PINNED, BYTES + GAP),
                      *device_1 = new_memory(BLY_MEMORY_DEVICE, BYTES + GAP),
                      *device_2 = new_memory(BLY_MEMORY_DEVICE, BYTES + GAP);
    uint8_t *source = backend->address(from), *found = backend->address(to);
    uint64_t random = 5;
    for (int i = 0; i < BYTES; i++) source[i] = (uint8_t)next_random(&random);
    memset(found, POISON, BYTES + GAP);
    OK(backend->copy(on, 1, from, 0, device_1, GAP, BYTES));
    OK(backend->copy(on, 1, device_1, GAP, device_2, 1, BYTES));
    OK(backend->copy(on, 1, device_2, 1, to, 3, BYTES));
    poll_fence(fence_of(1));
    same_bits("a copy", found + 3, source, BYTES, 1);
    for (int i = 0; i < 3; i++) assert_int_equal(found[i], POISON);
    for (int i = BYTES + 3; i < BYTES + GAP; i++) assert_int_equal(found[i], POISON);
    OK(backend->copy(on, 1, from, 1, to, 0, 1000)); /* within the host */
    poll_fence(fence_of(1));
    same_bits("a copy of the host's", found, source + 1, 1000, 1);
    backend->release(on, from);
    backend->release(on, to);
    backend->release(on, device_1);
    backend->release(on, device_2);
}

/* ---- Programs -------------------------------------------------------------------------------- */

static int programs(void)
{
    if (!backend->compiler) return 0;
    const bailey_status status = backend->compiler(on);
    if (status == BAILEY_OK) return 1;
    assert_int_equal(status, BAILEY_ERROR_UNSUPPORTED);
    fprintf(stderr, "%s\n", bailey_error_message());
    return 0;
}

/* Two entry points. `advance` steps a sequence in x; `gather` adds up buffers, an absent one being ABSENT. */
static const char *const two_text =
    "#include \"kernels/group_entry.h\"\n"
    "typedef struct advance_params {\n"
    "    bailey_uint64 count;\n"
    "    bailey_uint32 factor, add;\n"
    "} advance_params;\n"
    "BAILEY_FN void advance_group(advance_params p, BAILEY_GLOBAL bailey_uint32 *x,\n"
    "                             BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    (void)shared;\n"
    "    if (item < p.count) x[item] = x[item] * p.factor + p.add + BIAS;\n"
    "}\n"
    "BLY_GROUP_ENTRY_1(advance, advance_params, bailey_uint32)\n"
    "#if defined(GATHER)\n"
    "#define TYPE const BAILEY_GLOBAL bailey_uint32 *\n"
    "#define ADD(b) sum = sum * 3 + (b ? b[item] : ABSENT);\n"
    "typedef struct gather_params { bailey_uint64 count; } gather_params;\n"
    "BAILEY_FN void gather_group(gather_params p, TYPE a, TYPE b, TYPE c, TYPE d, TYPE e, TYPE f, TYPE g,\n"
    "    TYPE h, TYPE i, TYPE j, TYPE k, TYPE l, TYPE m, TYPE n, TYPE o, BAILEY_GLOBAL bailey_uint32 *x,\n"
    "    BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    bailey_uint32 sum = BIAS;\n"
    "    (void)shared;\n"
    "    if (item >= p.count) return;\n"
    "    ADD(a) ADD(b) ADD(c) ADD(d) ADD(e) ADD(f) ADD(g) ADD(h)\n"
    "    ADD(i) ADD(j) ADD(k) ADD(l) ADD(m) ADD(n) ADD(o)\n"
    "    x[item] = sum;\n"
    "}\n"
    "#define U const bailey_uint32\n"
    "BLY_GROUP_ENTRY_16(gather, gather_params, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, bailey_uint32)\n"
    "#endif\n";

struct advance_params {
    uint64_t count;
    uint32_t factor, add;
};

static const struct bly_kernel two_kernels[] = {{.name = "advance",
                                                 .lane_bytes = 4,
                                                 .params_bytes = sizeof(struct advance_params),
                                                 .buffers = 1,
                                                 .block = TEXT_BLOCK},
                                                {.name = "gather",
                                                 .lane_bytes = 4,
                                                 .params_bytes = sizeof(uint64_t),
                                                 .buffers = 16,
                                                 .block = TEXT_BLOCK}};

/* With both entry points, or with `advance` alone. The source of the code is gone afterwards. */
static struct bly_program *load_two(uint32_t bias, int both, uint32_t block)
{
    char *text = allocate(strlen(two_text) + 1), define[32];
    struct bly_kernel kernels[2] = {two_kernels[0], two_kernels[1]};
    const char *const defines[] = {define, both ? "GATHER" : NULL, "ABSENT=1000003u", NULL};
    struct bly_program *program = NULL;
    strcpy(text, two_text);
    snprintf(define, sizeof define, "BIAS=%uu", (unsigned)bias);
    kernels[0].block = kernels[1].block = block;
    const struct bly_code code = {
        .name = "two", .text = text, .defines = defines, .kernels = kernels, .kernel_count = both ? 2 : 1};
    OK(backend->load(on, &code, &program));
    assert_non_null(program);
    memset(text, 0, strlen(two_text));
    memset(kernels, 0, sizeof kernels);
    memset(define, 0, sizeof define);
    free(text);
    return program;
}

static void advance(struct bly_program *program, uint32_t queue, struct bly_memory *x, uint64_t count,
                    uint32_t factor, uint32_t add)
{
    struct advance_params params = {count, factor, add};
    struct bly_memory *buffers[] = {x};
    OK(backend->launch(on, queue, program, 0, count, 1, &params, buffers));
    memset(&params, 0xff, sizeof params); /* they have been copied */
    buffers[0] = NULL;
}

TEST(texts, DEVICE)
{
    enum { COUNT = 1001, BUFFERS = 16 };
    if (!programs()) skip();
    uint32_t words[BUFFERS][COUNT], expected[COUNT];
    struct bly_memory *memory[BUFFERS];
    for (int b = 0; b < BUFFERS; b++) {
        for (uint32_t i = 0; i < COUNT; i++) words[b][i] = (uint32_t)b * 77777 + i * i;
        memory[b] = b % 5 == 2 ? NULL : device_memory(words[b], sizeof words[b]);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        expected[i] = 5;
        for (int b = 0; b < BUFFERS - 1; b++)
            expected[i] = expected[i] * 3 + (memory[b] ? words[b][i] : 1000003);
    }
    const uint64_t count = COUNT;
    struct bly_program *program = load_two(5, 1, TEXT_BLOCK);
    OK(backend->launch(on, 0, program, 1, count, 1, &count, memory));
    holds("16 buffers", memory[BUFFERS - 1], expected, COUNT);
    advance(program, 0, memory[BUFFERS - 1], COUNT, 7, 11);
    for (uint32_t i = 0; i < COUNT; i++) expected[i] = expected[i] * 7 + 11 + 5;
    holds("the other entry", memory[BUFFERS - 1], expected, COUNT);
    backend->unload(on, program);
    for (int b = 0; b < BUFFERS; b++) backend->release(on, memory[b]);
}

/* Work-groups of one item and of many, whole and not, with words around the range that must stay. */
TEST(shapes, DEVICE | LONG_ON_OPENCL)
{
    static const uint32_t blocks[] = {1, 32, 96, 256};
    if (!programs()) skip();
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        const uint64_t counts[] = {1, blocks[b], blocks[b] + 1, 3 * blocks[b] - (b > 0), 30011};
        struct bly_program *program = load_two(0, 0, blocks[b]);
        bailey_kernel_info info;
        OK(backend->inspect(on, program, 0, &info));
        assert_true(info.block == blocks[b] || info.block == 0);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const uint64_t count = counts[c], all = count + 1000;
            uint32_t *words = allocate(all * 4);
            for (uint32_t i = 0; i < all; i++) words[i] = 3 * i;
            struct bly_memory *x = device_memory(words, all * 4);
            advance(program, 0, x, count, 5, 1);
            for (uint32_t i = 0; i < count; i++) words[i] = 15 * i + 1;
            holds("a shape", x, words, all);
            backend->release(on, x);
            free(words);
        }
        backend->unload(on, program);
    }
}

/* Parameters of the largest size, each word of which counts. */
TEST(large_params, DEVICE)
{
    enum { WORDS = BLY_MAX_PARAMS / 8 };
    static const char *const text =
        "#include \"kernels/group_entry.h\"\n"
        "typedef struct large_params { bailey_uint64 word[WORDS]; } large_params;\n"
        "BAILEY_FN void large_group(large_params p, BAILEY_GLOBAL bailey_uint64 *x,\n"
        "                           BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
        "{\n"
        "    (void)shared;\n"
        "    if (item < WORDS) x[item] = p.word[item] * 3;\n"
        "}\n"
        "BLY_GROUP_ENTRY_1(large, large_params, bailey_uint64)\n";
    if (!programs()) skip();
    char define[32];
    snprintf(define, sizeof define, "WORDS=%d", WORDS);
    const char *const defines[] = {define, NULL};
    const struct bly_kernel kernel = {
        .name = "large", .lane_bytes = 8, .params_bytes = BLY_MAX_PARAMS, .buffers = 1, .block = TEXT_BLOCK};
    const struct bly_code code = {
        .name = "large", .text = text, .defines = defines, .kernels = &kernel, .kernel_count = 1};
    struct bly_program *program = NULL;
    uint64_t words[WORDS], found[WORDS];
    struct bly_memory *x = new_memory(BLY_MEMORY_DEVICE, sizeof words);
    for (uint64_t i = 0; i < WORDS; i++) words[i] = i * i * i * UINT64_C(123456789);
    OK(backend->load(on, &code, &program));
    OK(backend->launch(on, 0, program, 0, WORDS, 1, words, &x));
    OK(backend->read(on, x, 0, found, sizeof found));
    for (int i = 0; i < WORDS; i++) assert_true(found[i] == 3 * words[i]);
    backend->unload(on, program);
    backend->release(on, x);
}

/* Loaded side by side, unloaded in another order and with work queued, loaded again. */
TEST(many_programs, DEVICE | LONG_ON_OPENCL)
{
    enum { PROGRAMS = 12, COUNT = 500 };
    if (!programs()) skip();
    struct bly_program *program[PROGRAMS];
    uint32_t words[COUNT] = {0};
    struct bly_memory *x = device_memory(words, sizeof words);
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < PROGRAMS; i++) program[i] = load_two(i, 0, TEXT_BLOCK);
        for (uint32_t i = 0; i < PROGRAMS; i++) {
            const uint32_t k = i * 5 % PROGRAMS; /* 5 and 12 have no common factor */
            advance(program[k], 0, x, COUNT, 3, 1);
            for (uint32_t w = 0; w < COUNT; w++) words[w] = words[w] * 3 + 1 + k;
            if (turn) backend->unload(on, program[k]);
        }
        holds("many programs", x, words, COUNT);
        for (uint32_t i = 0; i < PROGRAMS && !turn; i++) backend->unload(on, program[PROGRAMS - 1 - i]);
    }
    backend->unload(on, NULL);
    backend->release(on, x);
}

TEST(refusals, DEVICE)
{
    if (!programs()) skip();
    struct bly_program *program = NULL;
    const struct bly_code code = {
        .name = "two", .text = "a text that is no program\n", .kernels = two_kernels, .kernel_count = 1};
    assert_int_equal(backend->load(on, &code, &program), BAILEY_ERROR_BUILD);
    assert_null(program);
    assert_non_null(strstr(bailey_error_message(), "two"));
    struct bly_kernel huge = two_kernels[0];
    huge.block = 1u << 20;
    const struct bly_code wide = {.name = "two", .text = two_text, .kernels = &huge, .kernel_count = 1};
    assert_int_equal(backend->load(on, &wide, &program), BAILEY_ERROR_UNSUPPORTED);
    assert_null(program);
    assert_non_null(strstr(bailey_error_message(), "1048576"));
}

/* ---- Queues ---------------------------------------------------------------------------------- */

/* A chain of launches, each in the other queue than the previous one, of which every step counts; a second
 * chain stays in its queue meanwhile. */
TEST(alternating_queues, DEVICE | LONG)
{
    enum { COUNT = 20011, TURNS = 60 };
    if (!programs()) skip();
    struct bly_program *program = load_two(9, 0, TEXT_BLOCK);
    uint32_t *words = allocate(COUNT * 4), *other = allocate(COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++) words[i] = other[i] = i;
    struct bly_memory *x = device_memory(words, COUNT * 4), *y = device_memory(other, COUNT * 4);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        hand_over((turn + 1) % 2); /* also from the writes, which are queue 0's */
        advance(program, (turn + 1) % 2, x, COUNT, 2 * turn + 3, turn);
        advance(program, 0, y, COUNT, 5, turn);
        for (uint32_t i = 0; i < COUNT; i++) words[i] = words[i] * (2 * turn + 3) + turn + 9;
        for (uint32_t i = 0; i < COUNT; i++) other[i] = other[i] * 5 + turn + 9;
    }
    hand_over(0);
    holds("a chain through both queues", x, words, COUNT);
    holds("a chain beside it", y, other, COUNT);
    backend->unload(on, program);
    backend->release(on, x);
    backend->release(on, y);
    free(words);
    free(other);
}

/* Results that go to the host while the next are made: what asian.c does, with the copies in queue 1. */
TEST(results_under_way, DEVICE)
{
    enum { COUNT = 5000, TURNS = 20 };
    if (!programs()) skip();
    struct bly_program *program = load_two(0, 0, TEXT_BLOCK);
    uint32_t words[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) words[i] = i;
    struct bly_memory *x = device_memory(words, sizeof words),
                      *kept = new_memory(BLY_MEMORY_PINNED, TURNS * sizeof words);
    struct bly_fence *fence[TURNS];
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        advance(program, 0, x, COUNT, 3, turn);
        hand_over(1);
        OK(backend->copy(on, 1, x, 0, kept, turn * sizeof words, sizeof words));
        fence[turn] = fence_of(1);
        OK(backend->follow(on, 0, fence[turn])); /* x is written again */
    }
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        poll_fence(fence[turn]);
        for (uint32_t i = 0; i < COUNT; i++) words[i] = words[i] * 3 + turn;
        same_bits("a result", (uint32_t *)backend->address(kept) + turn * COUNT, words, COUNT, 4);
    }
    backend->unload(on, program);
    backend->release(on, x);
    backend->release(on, kept);
}

/* The host and kernels see the same memory. */
TEST(mapped_memory, DEVICE)
{
    enum { COUNT = 3000 };
    struct bly_memory *memory = programs() ? new_mapped(COUNT * 4) : NULL;
    if (!memory) skip();
    struct bly_program *program = load_two(1, 0, TEXT_BLOCK);
    uint32_t *words = backend->address(memory);
    for (uint32_t turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < COUNT; i++) words[i] = i + turn;
        advance(program, turn % 2, memory, COUNT, 3, 0);
        poll_fence(fence_of(turn % 2));
        for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(words[i], 3 * (i + turn) + 1);
    }
    backend->unload(on, program);
    backend->release(on, memory);
}

/* Work that is queued keeps its memory and its program, whatever the host does next. */
TEST(released_early, DEVICE | LONG)
{
    enum { COUNT = 100000, TURNS = 20 };
    if (!programs()) skip();
    uint32_t *words = allocate(COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++) words[i] = i;
    struct bly_memory *x = device_memory(words, COUNT * 4), *y = new_memory(BLY_MEMORY_DEVICE, COUNT * 4);
    struct bly_program *program = load_two(4, 0, TEXT_BLOCK);
    for (uint32_t turn = 0; turn < TURNS; turn++) advance(program, 0, x, COUNT, 3, turn);
    OK(backend->copy(on, 0, x, 0, y, 0, COUNT * 4));
    backend->unload(on, program);
    backend->release(on, x);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        for (uint32_t i = 0; i < COUNT; i++) words[i] = words[i] * 3 + turn + 4;
    holds("a result of what is gone", y, words, COUNT);
    backend->release(on, y);
    free(words);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Rows of normals: all at once, and one by one in another program of the same kernel and the other queue. */
TEST(rows, DEVICE)
{
    enum { COUNT = 1003, ROWS = 5 };
    const struct bly_kernel *row = &bly_kernels[BLY_KERNEL_bly_philox_icdf_f32];
    const struct bly_code code = {.name = row->name, .kernels = row, .kernel_count = 1};
    struct bly_program *first = NULL, *second = NULL;
    struct bly_memory *all = new_memory(BLY_MEMORY_DEVICE, ROWS * COUNT * 4),
                      *each = new_memory(BLY_MEMORY_DEVICE, ROWS * COUNT * 4);
    size_t table_bytes = 0;
    const void *data = bailey_normal_table_data(BAILEY_PRECISION_F32, &table_bytes);
    struct bly_memory *table = device_memory(data, table_bytes);
    bly_fill_params p = {
        .count = COUNT, .row_elements = UINT64_C(1) << BLY_PATH_BITS, .out_row = COUNT, .out_stride = 1};
    uint32_t *expected = allocate(ROWS * COUNT * 4);
    bailey_kernel_info info;
    assert_int_equal(row->params_bytes, sizeof p);
    OK(backend->load(on, &code, &first));
    OK(backend->load(on, &code, &second));
    OK(backend->inspect(on, first, 0, &info));
    OK(backend->launch(on, 0, first, 0, bly_groups(0, COUNT, 4), ROWS, &p,
                       (struct bly_memory *[]){table, all}));
    backend->unload(on, first);
    for (uint64_t r = 0; r < ROWS; r++) {
        p.first = r << BLY_PATH_BITS;
        p.out_offset = r * COUNT;
        OK(backend->launch(on, 1, second, 0, bly_groups(0, COUNT, 4), 1, &p,
                           (struct bly_memory *[]){table, each}));
    }
    hand_over(0);
    OK(backend->read(on, all, 0, expected, ROWS * COUNT * 4));
    holds("rows one by one", each, expected, ROWS * COUNT);
    assert_memory_not_equal(expected, expected + COUNT, COUNT * 4);
    backend->unload(on, second);
    backend->release(on, table);
    backend->release(on, all);
    backend->release(on, each);
    free(expected);
}

FIXTURE(begin, NULL)
