/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Kernels that are given as source at run time (src/backend/backend.h), on the backends that compile them:
 * work-groups, their memory and barriers, what the compiler says, and that nothing is compiled twice.
 */
#include <host/internal.h>

#include "harness.h"

#include <pthread.h>
#include <unistd.h>

/* Every group turns the words of its items round, through memory that it shares: WORDS words an item, so that
 * the last one lies at the end. An item past the end brings zero. Each word is marked with its place, and
 * BIAS makes texts that differ. */
static const char *const reverse_text =
    "#define WORDS %u\n"
    "#define BIAS %u\n"
    "#include \"kernels/group_entry.h\"\n"
    "typedef struct reverse_params {\n"
    "    bailey_uint64 count;\n"
    "    bailey_uint32 add, more;\n"
    "} reverse_params;\n"
    "BAILEY_FN void reverse_group(reverse_params p, const BAILEY_GLOBAL bailey_uint64 *a,\n"
    "                             const BAILEY_GLOBAL bailey_uint32 *b, BAILEY_GLOBAL bailey_uint64 *x,\n"
    "                             BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    const bailey_uint32 me = BLY_LOCAL_ID, other = BLY_BLOCK - 1 - me;\n"
    "    bailey_uint64 sum = 0;\n"
    "    for (bailey_uint32 w = 0; w < WORDS; w++)\n"
    "        shared[w * BLY_BLOCK + me] = (item < p.count ? a[item] : 0) + (bailey_uint64)w * w;\n"
    "    BLY_BARRIER();\n"
    "    for (bailey_uint32 w = 0; w < WORDS; w++) sum += shared[w * BLY_BLOCK + other];\n"
    "    if (item < p.count) x[item] = sum + p.add + BIAS + (b ? b[item] : 0);\n"
    "}\n"
    "BLY_GROUP_ENTRY_3(reverse, reverse_params, const bailey_uint64, const bailey_uint32, bailey_uint64)\n";

struct reverse_params {
    uint64_t count;
    uint32_t add, more;
};

/* A kernel and its text, made by make_reverse. */
struct reverse {
    struct bly_kernel kernel;
    uint32_t words, bias;
    char text[2048];
};

static void make_reverse(struct reverse *reverse, uint32_t block, uint32_t words, uint32_t bias)
{
    snprintf(reverse->text, sizeof reverse->text, reverse_text, words, bias);
    reverse->words = words;
    reverse->bias = bias;
    reverse->kernel = (struct bly_kernel){.name = "reverse",
                                          .lane_bytes = 8,
                                          .params_bytes = sizeof(struct reverse_params),
                                          .buffers = 3,
                                          .block = block,
                                          .shared_bytes = block * words * 8};
}

/* Loads the program; NULL unless the status is OK. */
static bailey_status load_on(bailey_context *on, const struct reverse *reverse, struct bly_program **program)
{
    const struct bly_code code = {
        .name = "reverse", .text = reverse->text, .kernels = &reverse->kernel, .kernel_count = 1};
    const bailey_status status = on->device->backend->load(on->device, &code, program);
    if ((status == BAILEY_OK) != (*program != NULL))
        fail_msg("status %d, program %p", status, (void *)*program);
    return status;
}

static void unload_on(bailey_context *on, struct bly_program *program)
{
    on->device->backend->unload(on->device, program);
}

/* Loads the program and lets it go again. */
static bailey_status compile_on(bailey_context *on, const struct reverse *reverse)
{
    struct bly_program *program = NULL;
    const bailey_status status = load_on(on, reverse, &program);
    unload_on(on, program);
    return status;
}

/* The kernel's outcome for a[i] = 7 i + 1, on the host. */
static uint64_t expected_word(const struct reverse *reverse, const struct reverse_params *p, uint64_t i)
{
    const uint64_t block = reverse->kernel.block, other = i / block * block + (block - 1 - i % block);
    uint64_t sum = p->add + reverse->bias + 3 * i;
    for (uint64_t w = 0; w < reverse->words; w++) sum += (other < p->count ? 7 * other + 1 : 0) + w * w;
    return sum;
}

/* Runs the kernel over `count` items and checks every word and the guard behind them. */
static void check_reverse(const struct reverse *reverse, struct bly_program *program, uint64_t count)
{
    const struct reverse_params params = {count, 11, 0};
    struct bly_device *on = context->device;
    bailey_buffer *a = poisoned(count * 8), *b = poisoned(count * 4), *x = poisoned(count * 8);
    uint64_t *words = allocate(count * 8);
    uint32_t *halves = allocate(count * 4);
    for (uint64_t i = 0; i < count; i++) {
        words[i] = 7 * i + 1;
        halves[i] = 3 * (uint32_t)i;
    }
    OK(bailey_buffer_write(a, 0, words, count * 8));
    OK(bailey_buffer_write(b, 0, halves, count * 4));
    struct bly_memory *const memory[] = {a->memory, b->memory, x->memory};
    OK(on->backend->launch(on, 0, program, 0, count, 1, &params, memory));
    free(words);
    free(halves);
    uint64_t *found = harvest(x, count * 8);
    for (uint64_t i = 0; i < count; i++)
        if (found[i] != expected_word(reverse, &params, i))
            fail_msg("block %u, item %llu of %llu: %llu, expected %llu", reverse->kernel.block,
                     (unsigned long long)i, (unsigned long long)count, (unsigned long long)found[i],
                     (unsigned long long)expected_word(reverse, &params, i));
    free(found);
    bailey_buffer_destroy(a);
    bailey_buffer_destroy(b);
}

static int programs(void)
{
    const struct bly_backend *backend = context->device->backend;
    return backend->compiler && backend->compiler(context->device) == BAILEY_OK;
}

TEST(where_programs_are, DEVICE)
{
    assert_non_null(context->device->backend->compiler); /* of all that there are */
    const bailey_status status = context->device->backend->compiler(context->device);
    if (context->device->backend != &bly_backend_cpu) OK(status);
    if (status == BAILEY_OK) return;
    assert_int_equal(status, BAILEY_ERROR_UNSUPPORTED); /* this system has no C compiler */
    fprintf(stderr, "%s\n", bailey_error_message());
    assert_true(strlen(bailey_error_message()) > 0);
}

TEST(groups, DEVICE | LONG_ON_OPENCL)
{
    if (!programs()) skip();
    static const uint32_t blocks[] = {64, 96, 1, 256};
    struct reverse reverse;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const uint64_t counts[] = {1, blocks[i], blocks[i] + 1, 10 * blocks[i] - 1, 40003};
        struct bly_program *program = NULL;
        make_reverse(&reverse, blocks[i], 3, 0);
        OK(load_on(context, &reverse, &program));
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            check_reverse(&reverse, program, counts[c]);
        unload_on(context, program);
    }
}

/* Memory of a group near the usual limits: 40,960 and 98,304 bytes. */
TEST(much_memory, DEVICE)
{
    if (!programs()) skip();
    static const uint32_t words[] = {40, 96};
    for (size_t i = 0; i < 2; i++) {
        struct reverse reverse;
        struct bly_program *program = NULL;
        bailey_kernel_info info;
        make_reverse(&reverse, 128, words[i], 0);
        const bailey_status status = load_on(context, &reverse, &program);
        if (status == BAILEY_ERROR_UNSUPPORTED) {
            fprintf(stderr, "%s\n", bailey_error_message());
            assert_non_null(strstr(bailey_error_message(), i ? "98304" : "40960"));
            continue;
        }
        OK(status);
        OK(context->device->backend->inspect(context->device, program, 0, &info));
        check_reverse(&reverse, program, 1000);
        unload_on(context, program);
        assert_int_equal(info.block, 128);
        assert_in_range(info.shared_bytes, reverse.kernel.shared_bytes, reverse.kernel.shared_bytes + 1024);
        assert_true(info.occupancy >= 0 && info.occupancy <= 1);
        fprintf(stderr, "%u registers, %u bytes spilled, %u bytes shared, occupancy %.2f\n", info.registers,
                info.spill_bytes, info.shared_bytes, info.occupancy);
        if (context->device->backend == &bly_backend_cuda) {
            assert_in_range(info.registers, 1, 255);
            assert_true(info.occupancy > 0);
        }
    }
}

/* Four buffers, one of them NULL, none of them long, and a kernel that needs no memory. */
TEST(four_buffers, DEVICE)
{
    if (!programs()) skip();
    static const struct bly_kernel kernel = {
        .name = "four", .lane_bytes = 4, .params_bytes = 8, .buffers = 4, .block = 32};
    static const struct bly_code code = {
        .name = "four",
        .kernels = &kernel,
        .kernel_count = 1,
        .text = "#include \"kernels/group_entry.h\"\n"
                "typedef struct four_params { bailey_uint64 count; } four_params;\n"
                "BAILEY_FN void four_group(four_params p, const BAILEY_GLOBAL float *a,\n"
                "    const BAILEY_GLOBAL float *b, const BAILEY_GLOBAL float *c, BAILEY_GLOBAL float *x,\n"
                "    BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
                "{\n"
                "    (void)shared;\n"
                "    if (item < p.count) x[item] = bailey_fma_f32(a[item], b[item], c ? c[item] : -1.0f);\n"
                "}\n"
                "BLY_GROUP_ENTRY_4(four, four_params, const float, const float, const float, float)\n"};
    struct bly_program *program = NULL;
    enum { COUNT = 77 };
    const uint64_t count = COUNT;
    struct bly_device *on = context->device;
    float a[COUNT], b[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = 1 + (float)i * 0x1p-20f, b[i] = 1 - (float)i * 0x1p-20f;
    bailey_buffer *in[2] = {poisoned(sizeof a), poisoned(sizeof b)}, *x = poisoned(sizeof a);
    OK(bailey_buffer_write(in[0], 0, a, sizeof a));
    OK(bailey_buffer_write(in[1], 0, b, sizeof b));
    struct bly_memory *const memory[] = {in[0]->memory, in[1]->memory, NULL, x->memory};
    OK(on->backend->load(on, &code, &program));
    OK(on->backend->launch(on, 0, program, 0, count, 1, &count, memory));
    float *found = harvest(x, sizeof a);
    for (int i = 0; i < COUNT; i++) assert_true(found[i] == -(float)i * (float)i * 0x1p-40f); /* fused */
    free(found);
    bailey_buffer_destroy(in[0]);
    bailey_buffer_destroy(in[1]);
    on->backend->unload(on, program);
}

TEST(mistakes, DEVICE)
{
    if (!programs()) skip();
    struct reverse reverse;
    struct bly_program *program = NULL;
    make_reverse(&reverse, 64, 1, 0);
    strcat(reverse.text, "int a_name_to_be_found = a_name_that_is_missing;\n");
    assert_int_equal(compile_on(context, &reverse), BAILEY_ERROR_BUILD);
    assert_non_null(strstr(bailey_error_message(), "reverse"));
    if (!strstr(bailey_error_message(), "a_name_that_is_missing")) fail_msg("%s", bailey_error_message());

    make_reverse(&reverse, 1u << 20, 0, 0);
    assert_int_equal(compile_on(context, &reverse), BAILEY_ERROR_UNSUPPORTED);
    assert_non_null(strstr(bailey_error_message(), "1048576"));
    make_reverse(&reverse, 64, 1, 0);
    reverse.kernel.shared_bytes = 1u << 30;
    assert_int_equal(compile_on(context, &reverse), BAILEY_ERROR_UNSUPPORTED);
    assert_non_null(strstr(bailey_error_message(), "1073741824"));

    make_reverse(&reverse, 64, 1, 0); /* the device still works */
    OK(load_on(context, &reverse, &program));
    check_reverse(&reverse, program, 100);
    unload_on(context, program);
}

TEST(describes_others, DEVICE)
{
    const struct bly_kernel *words = &bly_kernels[BLY_KERNEL_bly_words_philox];
    const struct bly_code code = {.name = words->name, .kernels = words, .kernel_count = 1};
    struct bly_device *on = context->device;
    struct bly_program *program = NULL;
    bailey_kernel_info info;
    OK(on->backend->load(on, &code, &program));
    OK(on->backend->inspect(on, program, 0, &info));
    if (on->backend != &bly_backend_cpu) assert_true(info.block > 0);
    if (on->backend == &bly_backend_cuda) assert_true(info.registers > 0 && info.occupancy > 0);
    on->backend->unload(on, program);
}

/* ---- Nothing is compiled twice --------------------------------------------------------------- */

static int built, loaded;

static void count_lines(void *user, int level, const char *line)
{
    (void)user, (void)level;
    built += strstr(line, "built reverse ") != NULL;
    loaded += strstr(line, "loaded reverse ") != NULL;
}

/* A context without a cache on disk. */
static bailey_context *uncached(void)
{
    const bailey_context_params params = {.cache_dir = ""};
    bailey_context *made = NULL;
    OK(bailey_context_create(device.address, &params, &made));
    return made;
}

/* A bias, and the next one, of which this process has no text: devices of one kind share their programs. */
static uint32_t new_bias(void)
{
    static uint32_t used;
    used += 2;
    return (uint32_t)getpid() + used;
}

TEST(once, DEVICE | LONG_ON_OPENCL)
{
    if (!programs()) skip();
    struct reverse first, again, other;
    struct bly_program *held = NULL, *twin = NULL;
    bailey_context *mine = uncached(), *second = uncached();
    const uint32_t bias = new_bias();
    make_reverse(&first, 64, 2, bias);
    make_reverse(&again, 64, 2, bias);
    make_reverse(&other, 64, 2, bias + 1);
    built = loaded = 0;
    bailey_log_set(count_lines, NULL, 1);
    OK(load_on(mine, &first, &held));
    assert_int_equal(built, 1);
    OK(load_on(mine, &again, &twin)); /* the same text at another address */
    OK(compile_on(second, &again));   /* for another context of the device too */
    unload_on(mine, held);
    OK(compile_on(mine, &first));
    assert_int_equal(built, 1);
    first = other; /* another text at the same address */
    OK(compile_on(mine, &first));
    assert_int_equal(built, 2);
    assert_int_equal(loaded, 0);
    bailey_log_set(NULL, NULL, 0);
    unload_on(mine, twin);
    bailey_context_destroy(mine);
    bailey_context_destroy(second);
}

static struct reverse wanted;

static void *compile_there(void *argument)
{
    const bailey_status status = compile_on(argument, &wanted);
    return status == BAILEY_OK ? argument : NULL;
}

TEST(once_in_threads, DEVICE)
{
    enum { THREADS = 3 };
    if (!programs()) skip();
    pthread_t threads[THREADS];
    bailey_context *own[THREADS];
    make_reverse(&wanted, 64, 2, new_bias());
    for (int i = 0; i < THREADS; i++) own[i] = uncached();
    built = loaded = 0;
    bailey_log_set(count_lines, NULL, 1);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compile_there, own[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *outcome = NULL;
        pthread_join(threads[i], &outcome);
        assert_ptr_equal(outcome, own[i]);
    }
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(built, 1);
    assert_int_equal(loaded, 0);
    for (int i = 0; i < THREADS; i++) bailey_context_destroy(own[i]);
}
