/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Kernels that are given as source at run time (src/backend/backend.h), on the backends that compile them:
 * work-groups, their memory and barriers, what the compiler says, and that nothing is compiled twice.
 *
 *     test_source DEVICE        see harness.h
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

/* A kernel and its text, made by make_reverse and freed with it. */
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
                                          .buffers = 3,
                                          .source = reverse->text,
                                          .block = block,
                                          .shared_bytes = block * words * 8};
}

static bailey_status compile_on(bailey_context *on, const struct reverse *reverse, bailey_kernel_info *info)
{
    return on->device->backend->compile(on->device, &reverse->kernel, sizeof(struct reverse_params), info);
}

static void forget_on(bailey_context *on, const struct reverse *reverse)
{
    on->device->backend->forget(on->device, &reverse->kernel);
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
static void check_reverse(const struct reverse *reverse, uint64_t count)
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
    OK(on->backend->launch(on, &reverse->kernel, count, 1, &params, sizeof params, memory));
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

static int programs(void) { return context->device->backend->compile != NULL; }

static void where_programs_are(void **state)
{
    (void)state;
    assert_int_equal(programs(), context->device->backend != &bly_backend_cpu);
    assert_int_equal(context->device->backend->forget != NULL, programs());
    if (programs()) OK(context->device->backend->compile(context->device, NULL, 0, NULL)); /* there is one */
}

static void groups(void **state)
{
    (void)state;
    if (!programs()) skip();
    static const uint32_t blocks[] = {64, 96, 1, 256};
    struct reverse reverse;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const uint64_t counts[] = {1, blocks[i], blocks[i] + 1, 10 * blocks[i] - 1, 40003};
        make_reverse(&reverse, blocks[i], 3, 0);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) check_reverse(&reverse, counts[c]);
        forget_on(context, &reverse);
    }
}

/* Memory of a group near the usual limits: 40,960 and 98,304 bytes. */
static void much_memory(void **state)
{
    (void)state;
    if (!programs()) skip();
    static const uint32_t words[] = {40, 96};
    for (size_t i = 0; i < 2; i++) {
        struct reverse reverse;
        bailey_kernel_info info;
        make_reverse(&reverse, 128, words[i], 0);
        const bailey_status status = compile_on(context, &reverse, &info);
        if (status == BAILEY_ERROR_UNSUPPORTED) {
            fprintf(stderr, "%s\n", bailey_error_text());
            assert_non_null(strstr(bailey_error_text(), i ? "98304" : "40960"));
            continue;
        }
        OK(status);
        check_reverse(&reverse, 1000);
        forget_on(context, &reverse); /* a later failure must not leave it: the next test's has its address */
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
static void four_buffers(void **state)
{
    (void)state;
    if (!programs()) skip();
    static const struct bly_kernel kernel = {
        .name = "four",
        .lane_bytes = 4,
        .buffers = 4,
        .block = 32,
        .source = "#include \"kernels/group_entry.h\"\n"
                  "typedef struct four_params { bailey_uint64 count; } four_params;\n"
                  "BAILEY_FN void four_group(four_params p, const BAILEY_GLOBAL float *a,\n"
                  "    const BAILEY_GLOBAL float *b, const BAILEY_GLOBAL float *c, BAILEY_GLOBAL float *x,\n"
                  "    BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
                  "{\n"
                  "    (void)shared;\n"
                  "    if (item < p.count) x[item] = bailey_fma_f32(a[item], b[item], c ? c[item] : -1.0f);\n"
                  "}\n"
                  "BLY_GROUP_ENTRY_4(four, four_params, const float, const float, const float, float)\n"};
    enum { COUNT = 77 };
    const uint64_t count = COUNT;
    struct bly_device *on = context->device;
    float a[COUNT], b[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = 1 + (float)i * 0x1p-20f, b[i] = 1 - (float)i * 0x1p-20f;
    bailey_buffer *in[2] = {poisoned(sizeof a), poisoned(sizeof b)}, *x = poisoned(sizeof a);
    OK(bailey_buffer_write(in[0], 0, a, sizeof a));
    OK(bailey_buffer_write(in[1], 0, b, sizeof b));
    struct bly_memory *const memory[] = {in[0]->memory, in[1]->memory, NULL, x->memory};
    OK(on->backend->launch(on, &kernel, count, 1, &count, sizeof count, memory));
    float *found = harvest(x, sizeof a);
    for (int i = 0; i < COUNT; i++) assert_true(found[i] == -(float)i * (float)i * 0x1p-40f); /* fused */
    free(found);
    bailey_buffer_destroy(in[0]);
    bailey_buffer_destroy(in[1]);
    on->backend->forget(on, &kernel);
}

static void mistakes(void **state)
{
    (void)state;
    if (!programs()) skip();
    struct reverse reverse;
    bailey_kernel_info info;
    make_reverse(&reverse, 64, 1, 0);
    strcat(reverse.text, "int a_name_to_be_found = a_name_that_is_missing;\n");
    assert_int_equal(compile_on(context, &reverse, &info), BAILEY_ERROR_BUILD);
    assert_non_null(strstr(bailey_error_text(), "reverse"));
    if (!strstr(bailey_error_text(), "a_name_that_is_missing")) fail_msg("%s", bailey_error_text());
    forget_on(context, &reverse); /* which is not there */

    make_reverse(&reverse, 1u << 20, 0, 0);
    assert_int_equal(compile_on(context, &reverse, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_non_null(strstr(bailey_error_text(), "1048576"));
    make_reverse(&reverse, 64, 1, 0);
    reverse.kernel.shared_bytes = 1u << 30;
    assert_int_equal(compile_on(context, &reverse, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_non_null(strstr(bailey_error_text(), "1073741824"));

    make_reverse(&reverse, 64, 1, 0); /* the device still works */
    check_reverse(&reverse, 100);
    forget_on(context, &reverse);
}

static void describes_others(void **state)
{
    (void)state;
    if (!programs()) skip();
    const struct bly_kernel *words = &bly_kernels[BLY_KERNEL_bly_words_philox];
    bailey_kernel_info info;
    OK(context->device->backend->compile(context->device, words, 64, &info));
    assert_true(info.block > 0);
    if (context->device->backend == &bly_backend_cuda) assert_true(info.registers > 0 && info.occupancy > 0);
    OK(context->device->backend->compile(context->device, words, 64, NULL));
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

static void once(void **state)
{
    (void)state;
    if (!programs()) skip();
    struct reverse first, again, other;
    bailey_context *mine = uncached(), *second = uncached();
    const uint32_t bias = new_bias();
    make_reverse(&first, 64, 2, bias);
    make_reverse(&again, 64, 2, bias);
    make_reverse(&other, 64, 2, bias + 1);
    built = loaded = 0;
    bailey_log_set(count_lines, NULL, 1);
    OK(compile_on(mine, &first, NULL));
    assert_int_equal(built, 1);
    OK(compile_on(mine, &first, NULL));   /* held by the device */
    OK(compile_on(mine, &again, NULL));   /* by the process: the same text at another address */
    OK(compile_on(second, &again, NULL)); /* for another context of the device too */
    forget_on(mine, &first);
    OK(compile_on(mine, &first, NULL));
    assert_int_equal(built, 1);
    forget_on(mine, &first);
    first = other; /* another text at the same address */
    first.kernel.source = first.text;
    OK(compile_on(mine, &first, NULL));
    assert_int_equal(built, 2);
    assert_int_equal(loaded, 0);
    bailey_log_set(NULL, NULL, 0);
    bailey_context_destroy(mine); /* frees what is not forgotten */
    forget_on(second, &again);
    bailey_context_destroy(second);
}

static struct reverse wanted;

static void *compile_there(void *argument)
{
    const bailey_status status = compile_on(argument, &wanted, NULL);
    return status == BAILEY_OK ? argument : NULL;
}

static void once_in_threads(void **state)
{
    (void)state;
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

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_programs_are), cmocka_unit_test(groups),
        cmocka_unit_test(much_memory),        cmocka_unit_test(four_buffers),
        cmocka_unit_test(mistakes),           cmocka_unit_test(once),
        cmocka_unit_test(once_in_threads),    cmocka_unit_test(describes_others)};
    return harness_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
