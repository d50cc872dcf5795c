/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contract of bailey.h around the numbers: every bad argument is refused with a text that names it and
 * its limit (requests for numbers and paths: test_api_numbers.c), nothing is written then, failing
 * allocations leave nothing behind, errors belong to a context and a thread, and what is adopted, listed,
 * logged or cancelled is what the header says.
 *
 * In this order: status, devices, contexts; buffers; words against known answers; options; errors and
 * threads; failing allocations; adopted host memory; self-test, headers, log.
 *
 *     test_api DEVICE        see harness.h
 */
#include <base/alloc.h>

#include "api.h"
#include "kat.h"

#include <bailey/device/philox.h>

#include <float.h>
#include <math.h>
#include <pthread.h>

/* ---- Status, devices, contexts --------------------------------------------------------------- */

static void status_names(void **state)
{
    (void)state;
#define CHECK(number, name, sentence)                                                                        \
    assert_int_equal(BAILEY_##name, number);                                                                 \
    assert_string_equal(bailey_status_name(BAILEY_##name), "BAILEY_" #name);                                 \
    assert_string_equal(bailey_status_text(BAILEY_##name), sentence);
    BAILEY_STATUS_LIST(CHECK)
#undef CHECK
    const int strangers[] = {-1, 9, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        assert_string_equal(bailey_status_name((bailey_status)strangers[i]), "unknown");
        assert_string_equal(bailey_status_text((bailey_status)strangers[i]), "unknown");
    }
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", BAILEY_VERSION_MAJOR, BAILEY_VERSION_MINOR,
             BAILEY_VERSION_PATCH);
    assert_string_equal(bailey_version(), version);
}

static void device_lists(void **state)
{
    (void)state;
    static const char *const backends[] = {"cuda", "opencl", "cpu"};
    bailey_device all[64], few[3];
    size_t count = 0, again = 77;
    REFUSED(bailey_device_list(all, 64, NULL), "count", "NULL");
    REFUSED(bailey_device_list(NULL, 3, &again), "devices is NULL", "3");
    assert_int_equal(again, 77);
    OK(bailey_device_list(NULL, 0, &count));
    assert_in_range(count, 3, 64);
    OK(bailey_device_list(all, 64, &again));
    assert_int_equal(again, count);

    memset(few, POISON, sizeof few);
    OK(bailey_device_list(few, 2, &again));
    assert_int_equal(again, count);
    for (size_t i = 0; i < 2; i++) assert_string_equal(few[i].address, all[i].address);
    for (size_t i = 0; i < sizeof few[2]; i++) assert_int_equal(((unsigned char *)&few[2])[i], POISON);

    for (size_t i = 0; i < count; i++) {
        assert_true(all[i].address[0] != 0);
        assert_in_range(all[i].usable, 0, 1);
        if (all[i].usable) {
            assert_string_equal(all[i].reason, "");
            assert_int_not_equal(all[i].kind, BAILEY_DEVICE_KIND_NONE);
            assert_true(all[i].name[0] != 0);
            assert_true(all[i].units > 0 && all[i].memory_bytes > 0);
            assert_true(all[i].allocation_bytes > 0 && all[i].allocation_bytes <= all[i].memory_bytes);
        } else {
            assert_true(all[i].reason[0] != 0);
        }
    }
    for (size_t b = 0; b < 3; b++) {
        int entries = 0;
        for (size_t i = 0; i < count; i++)
            entries += strncmp(all[i].address, backends[b], strlen(backends[b])) == 0;
        assert_true(entries > 0);
    }
    bailey_device own;
    OK(bailey_context_device(context, &own));
    assert_string_equal(own.address, device.address);
    assert_string_equal(own.name, device.name);
}

static void unknown_devices(void **state)
{
    (void)state;
    static const char *const misshapen[] = {
        "gpu",          "CPU",        "Cuda:0",    "cpu ",
        " cpu",         "cpu:0",      "cpu:",      "cuda:",
        "cuda:x",       "cuda:-1",    "cuda:0:0",  "cuda: 1",
        "cuda0",        "cuda:1.5",   "opencl:",   "opencl:0:",
        "opencl::0",    "opencl:0:x", "opencl:+1", "opencl,",
        "opencl:0:0:0", "auto:0",     "auto ",     "opencl:0x0",
        "\n",           "%s%n",       ":",         "cuda:99999999999999999999",
        "\xc3\xa9"};
    static const char *const absent[] = {"cuda:999999999", "opencl:999999999", "opencl:0:999999999",
                                         "opencl:999999999:0"};
    bailey_context *made;
    for (size_t i = 0; i < sizeof misshapen / sizeof misshapen[0]; i++) {
        made = NOWHERE;
        REFUSED(bailey_context_create(misshapen[i], NULL, &made), misshapen[i], "not of the form");
        assert_null(made);
    }
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        made = NOWHERE;
        failed_with(absent[i], bailey_context_create(absent[i], NULL, &made), BAILEY_ERROR_NO_DEVICE,
                    absent[i], "");
        assert_null(made);
    }
    /* A name of any length. */
    char *endless = allocate(100001);
    memset(endless, 'x', 100000);
    endless[100000] = 0;
    REFUSED(bailey_context_create(endless, NULL, &made), "xxxx", "not of the form");
    memcpy(endless, "opencl:", 7);
    memset(endless + 7, '1', 100000 - 7);
    REFUSED(bailey_context_create(endless, NULL, &made), "opencl:1", "not of the form");
    free(endless);
    /* From the environment. */
    setenv("BAILEY_DEVICE", "abacus", 1);
    REFUSED(bailey_context_create(NULL, NULL, &made), "abacus", "not of the form");
    unsetenv("BAILEY_DEVICE");

    const bailey_context_params threads = {.threads = 4097};
    REFUSED(bailey_context_create(device.address, &threads, &made), "threads is 4097", "4096");
    assert_null(made);
    REFUSED(bailey_context_create("cpu", NULL, NULL), "context", "NULL");
    bailey_device info;
    REFUSED(bailey_context_device(NULL, &info), "context", "NULL");
    REFUSED(bailey_context_device(context, NULL), "device", "NULL");
    REFUSED(bailey_context_sync(NULL), "context", "NULL");
}

static void destroying_nothing(void **state)
{
    (void)state;
    bailey_context_destroy(NULL);
    bailey_buffer_destroy(NULL);
    bailey_bridge_destroy(NULL);
    assert_int_equal(bailey_buffer_bytes(NULL), 0);
    assert_string_equal(bailey_context_error(NULL), "");
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static void refused_buffers(void **state)
{
    (void)state;
    uint64_t room[9];
    bailey_buffer *made = NOWHERE;
    REFUSED(bailey_buffer_create(NULL, 8, &made), "context", "NULL");
    REFUSED_HERE(bailey_buffer_create(context, 8, NULL), "buffer", "NULL");
    REFUSED_HERE(bailey_buffer_create(context, 0, &made), "bytes is 0", "at least 1");
    assert_null(made);
    REFUSED(bailey_buffer_adopt_host(NULL, room, 8, &made), "context", "NULL");
    REFUSED_HERE(bailey_buffer_adopt_host(context, NULL, 8, &made), "memory", "NULL");
    REFUSED_HERE(bailey_buffer_adopt_host(context, (char *)room + 4, 8, &made), "memory", "8 bytes");
    REFUSED_HERE(bailey_buffer_adopt_host(context, room, 8, NULL), "buffer", "NULL");
    REFUSED_HERE(bailey_buffer_adopt_host(context, room, 0, &made), "bytes is 0", "at least 1");
    assert_null(made);

    const uint64_t sizes[] = {UINT64_C(1) << 60, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 62,
                              UINT64_C(1) << 48};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char number[32];
        snprintf(number, sizeof number, "%llu", (unsigned long long)sizes[i]);
        made = NOWHERE;
        failed_with("a huge buffer", bailey_buffer_create(context, sizes[i], &made), BAILEY_ERROR_MEMORY,
                    number, "bytes");
        assert_null(made);
        assert_string_equal(bailey_context_error(context), bailey_error_text());
    }
    OK(bailey_buffer_create(context, 1, &made));
    assert_int_equal(bailey_buffer_bytes(made), 1);
    bailey_buffer_destroy(made);
}

static void refused_transfers(void **state)
{
    (void)state;
    unsigned char out[64], in[64] = {0}, host[64];
    uint64_t memory[8];
    memset(memory, POISON, sizeof memory);
    memset(host, POISON, sizeof host);
    bailey_buffer *made = poisoned(64), *adopted = NULL;
    OK(bailey_buffer_adopt_host(context, memory, 64, &adopted));
    const uint64_t whole = 64 + GUARD_BYTES;
    for (int i = 0; i < 2; i++) {
        bailey_buffer *buffer = i ? adopted : made;
        const uint64_t end = i ? 64 : whole;
        assert_int_equal(bailey_buffer_bytes(buffer), end);
        memset(out, POISON, sizeof out);
        REFUSED_HERE(bailey_buffer_read(buffer, 0, NULL, 8), "destination", "NULL");
        REFUSED_HERE(bailey_buffer_write(buffer, 0, NULL, 8), "source", "NULL");
        REFUSED_HERE(bailey_buffer_read(buffer, end, out, 1), "offset", "buffer has");
        REFUSED_HERE(bailey_buffer_read(buffer, end - 7, out, 8), "offset", "buffer has");
        REFUSED_HERE(bailey_buffer_read(buffer, 8, out, UINT64_MAX - 4), "offset", "buffer has");
        REFUSED_HERE(bailey_buffer_read(buffer, UINT64_MAX - 4, out, 8), "offset", "buffer has");
        REFUSED_HERE(bailey_buffer_write(buffer, end, in, 1), "offset", "buffer has");
        REFUSED_HERE(bailey_buffer_write(buffer, end - 7, in, 8), "offset", "buffer has");
        REFUSED_HERE(bailey_buffer_write(buffer, UINT64_MAX, in, 2), "offset", "buffer has");
        same_bits("destination", out, host, sizeof out, 1);
        OK(bailey_buffer_read(buffer, end, out, 0)); /* nothing, at the end */
        OK(bailey_buffer_write(buffer, end, in, 0));
        OK(bailey_buffer_read(buffer, end - 64, out, 64));
        same_bits("contents", out, host, sizeof out, 1);
    }
    REFUSED(bailey_buffer_read(NULL, 0, out, 1), "buffer", "NULL");
    REFUSED(bailey_buffer_write(NULL, 0, in, 1), "buffer", "NULL");
    bailey_buffer_destroy(adopted);
    free(harvest(made, 64));
}

static void refused_copies(void **state)
{
    (void)state;
    enum { END = 64 + GUARD_BYTES };
    bailey_context *other = another();
    bailey_buffer *a = poisoned(64), *b = poisoned(64), *foreign = NULL;
    OK(bailey_buffer_create(other, 64, &foreign));
    REFUSED(bailey_buffer_copy(NULL, 0, b, 0, 8), "source", "NULL");
    REFUSED_HERE(bailey_buffer_copy(a, 0, NULL, 0, 8), "destination", "NULL");
    REFUSED_HERE(bailey_buffer_copy(a, END - 7, b, 0, 8), "offset", "source has 320");
    REFUSED_HERE(bailey_buffer_copy(a, 0, b, END, 1), "offset", "destination has 320");
    REFUSED_HERE(bailey_buffer_copy(a, 8, b, 0, UINT64_MAX - 4), "offset", "source has");
    REFUSED_HERE(bailey_buffer_copy(a, 0, b, UINT64_MAX - 4, 8), "offset", "destination has");
    REFUSED_HERE(bailey_buffer_copy(a, 0, foreign, 0, 8), "source and destination", "different contexts");
    REFUSED_HERE(bailey_buffer_copy(a, 0, a, 7, 8), "overlap", "offset 7");
    REFUSED_HERE(bailey_buffer_copy(a, 16, a, 16, 1), "overlap", "offset 16");
    REFUSED(bailey_buffer_fill(NULL, 0, 1, 8), "buffer", "NULL");
    REFUSED_HERE(bailey_buffer_fill(a, END - 7, 1, 8), "offset", "buffer has 320");
    REFUSED_HERE(bailey_buffer_fill(a, UINT64_MAX - 4, 1, 8), "offset", "buffer has");
    OK(bailey_buffer_copy(a, END, b, END, 0)); /* nothing, at the end */
    OK(bailey_buffer_copy(a, 5, a, 5, 0));
    OK(bailey_buffer_fill(a, END, 1, 0));
    unsigned char *left[2] = {harvest(a, 64), harvest(b, 64)};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 64; j++) assert_int_equal(left[i][j], POISON);
        free(left[i]);
    }
    bailey_buffer_destroy(foreign);
    bailey_context_destroy(other);
}

/* Copies and fills at odd places, between device memory and adopted memory, against the same on the host. */
static void copies_and_fills(void **state)
{
    (void)state;
    enum { BYTES = 3000000 };
    static uint64_t memory[2][BYTES / 8];
    static const uint64_t cases[][3] = {
        /* source offset, destination offset, bytes */
        {0, 0, BYTES},      {16, 32, 1600},    {1, 2, 3},           {5, 0, 1},
        {63, 4097, 100001}, {BYTES - 1, 0, 1}, {0, BYTES - 16, 16}, {1 << 20, 3, (1 << 20) + 7}};
    for (int kind = 0; kind < 4; kind++) { /* bit 0: the source is adopted, bit 1: the destination is */
        bailey_buffer *buffers[2];
        unsigned char *expected[2];
        uint64_t random = 7;
        for (int i = 0; i < 2; i++) {
            expected[i] = allocate(BYTES);
            for (size_t j = 0; j < BYTES; j++) expected[i][j] = (unsigned char)next_random(&random);
            if (kind >> i & 1)
                OK(bailey_buffer_adopt_host(context, memory[i], BYTES, &buffers[i]));
            else
                buffers[i] = poisoned(BYTES);
            OK(bailey_buffer_write(buffers[i], 0, expected[i], BYTES));
        }
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            const uint64_t from = cases[c][0], to = cases[c][1], bytes = cases[c][2];
            const uint8_t value = (uint8_t)(0x51 + c);
            OK(bailey_buffer_copy(buffers[0], from, buffers[1], to, bytes));
            memcpy(expected[1] + to, expected[0] + from, bytes);
            OK(bailey_buffer_fill(buffers[0], to, value, bytes / 2 + 1)); /* queued behind the copy */
            memset(expected[0] + to, value, bytes / 2 + 1);
        }
        OK(bailey_buffer_copy(buffers[1], 100, buffers[1], 2000100, 900000)); /* within one buffer */
        memcpy(expected[1] + 2000100, expected[1] + 100, 900000);
        for (int i = 0; i < 2; i++) {
            unsigned char *found = allocate(BYTES);
            OK(bailey_buffer_read(buffers[i], 0, found, BYTES));
            same_bits(i ? "destination" : "source", found, expected[i], BYTES, 1);
            if (kind >> i & 1) same_bits("adopted", memory[i], expected[i], BYTES, 1);
            free(found);
            if (kind >> i & 1)
                bailey_buffer_destroy(buffers[i]);
            else
                free(harvest(buffers[i], BYTES));
            free(expected[i]);
        }
    }
}

/* ---- Words against known answers -------------------------------------------------------------- */

static void known_answers(void **state)
{
    (void)state;
    struct kat kat;
    assert_true(kat_read(&kat));
    assert_in_range(kat.count, 3, KAT_MOST);
    for (size_t i = 0; i < kat.count; i++) {
        const uint32_t *c = kat.counter[i], *k = kat.key[i];
        const bailey_philox_block b = bailey_philox4x32_10(c[0], c[1], c[2], c[3], k[0], k[1]);
        same_bits("Philox in C", b.word, kat.result[i], 4, 4);
        const uint64_t block = (uint64_t)c[1] << 32 | c[0];
        if (block >> 62) continue; /* beyond the sequence's words */
        const bailey_random_params params = {
            .seed = (uint64_t)k[1] << 32 | k[0], .stream = (uint64_t)c[3] << 32 | c[2], .offset = 4 * block};
        bailey_buffer *out = poisoned(16);
        OK(bailey_words_generate(context, &params, 4, out, 0));
        uint32_t *words = harvest(out, 16);
        same_bits("Philox on the device", words, kat.result[i], 4, 4);
        free(words);
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

static const double spots[2] = {100, 50}, volatilities[2] = {0.2, 0.35};

static bailey_asian_params good_option(void)
{
    return (bailey_asian_params){.fixings = good_times,
                                 .fixing_count = 4,
                                 .assets = 2,
                                 .spot = spots,
                                 .volatility = volatilities,
                                 .rate = 0.03,
                                 .strike = 75,
                                 .paths = 1000,
                                 .seed = 9};
}

/* An option that is refused for what `...` changes in good parameters. */
#define OPTION(a, b, ...)                                                                                    \
    do {                                                                                                     \
        bailey_asian_params p = good_option();                                                               \
        __VA_ARGS__;                                                                                         \
        REFUSED_HERE(bailey_asian_price(context, &p, &result), a, b);                                        \
    } while (0)

static void refused_options(void **state)
{
    (void)state;
    bailey_asian_result result, untouched;
    memset(&result, POISON, sizeof result);
    untouched = result;
    const bailey_asian_params good = good_option();
    if (!device.has_f64) {
        failed_with("f64", bailey_asian_price(context, &good, &result), BAILEY_ERROR_UNSUPPORTED,
                    "double precision", device.address);
        skip();
    }
    REFUSED(bailey_asian_price(NULL, &good, &result), "context", "NULL");
    REFUSED_HERE(bailey_asian_price(context, NULL, &result), "params", "NULL");
    REFUSED_HERE(bailey_asian_price(context, &good, NULL), "result", "NULL");

    OPTION("fixings", "NULL", p.fixings = NULL);
    OPTION("fixing_count is 0", "1000001", p.fixing_count = 0);
    OPTION("fixing_count is 1000002", "1000001", p.fixing_count = 1000002);
    OPTION("fixing_count is 18446744073709551615", "1000001", p.fixing_count = UINT64_MAX);
    OPTION("assets is 0", "64", p.assets = 0);
    OPTION("assets is 65", "64", p.assets = 65);
    OPTION("spot", "NULL", p.spot = NULL);
    OPTION("volatility", "NULL", p.volatility = NULL);
    OPTION("paths is 0", "2", p.paths = 0);
    OPTION("paths is 1", "2", p.paths = 1);
    OPTION("paths is 274877906945", "2^38", p.paths = BAILEY_BRIDGE_MAX_PATHS + 1);
    OPTION("rate is nan", "100", p.rate = NAN);
    OPTION("rate is 101", "100", p.rate = 101);
    OPTION("strike is -1", "from 0 to 3.4e38, as no weight is negative", p.strike = -1);
    OPTION("strike is nan", "from 0 to 3.4e38", p.strike = NAN);
    OPTION("strike is inf", "from 0 to 3.4e38", p.strike = INFINITY);

    const double unsorted[4] = {0.5, 2, 1, 3}, repeated[4] = {0.5, 1, 1, 3}, odd[4] = {0.5, 1, NAN, 3};
    const double today[4] = {0, 1, 2, 3}, past[4] = {-1, 1, 2, 3};
    OPTION("fixings[2] = 1 ", "fixings[1] = 2", p.fixings = unsorted);
    OPTION("fixings[2] = 1 ", "fixings[1] = 1", p.fixings = repeated);
    OPTION("fixings[2] = nan", "finite", p.fixings = odd);
    OPTION("fixings[0]", "0", p.fixings = today);
    OPTION("fixings[0]", "-1", p.fixings = past);

    const double numbers[][2] = {{100, 0}, {100, -1}, {100, NAN}, {100, INFINITY}};
    for (int i = 0; i < 4; i++) {
        OPTION("spot[1] is", "positive", p.spot = numbers[i]);
        if (i != 1) OPTION("weight[1] is", "not be 0", p.weight = numbers[i]);
    }
    const double small[2] = {1, 1e-200}, negative[2] = {1, -1};
    OPTION("weight[1] = 1e-200 times spot[1] = 1e-200", "1e-300", (p.weight = small, p.spot = small));
    OPTION("strike is nan", "from -3.4e38 to 3.4e38", (p.weight = negative, p.strike = NAN));
    OPTION("type is 2", "bailey_option_type", p.type = (bailey_option_type)2);
    OPTION("past_count is 1000002", "1000001", (p.past_count = 1000002, p.past_average = 75));
    OPTION("past_average is 75", "past_count is 0", p.past_average = 75);
    OPTION("past_average is nan", "past_count is 0", p.past_average = NAN);
    OPTION("past_average is 0", "positive", p.past_count = 1);
    OPTION("past_average is -1", "positive", (p.past_count = 1, p.past_average = -1));
    OPTION("past_average is inf", "3.4e38",
           (p.past_count = 1, p.past_average = INFINITY, p.weight = negative));
    const double below[2] = {0.2, -0.1}, above[2] = {0.2, 101}, nan[2] = {0.2, NAN};
    OPTION("volatility[1] is -0.1", "0 to 100", p.volatility = below);
    OPTION("volatility[1] is 101", "0 to 100", p.volatility = above);
    OPTION("volatility[1] is nan", "0 to 100", p.volatility = nan);
    OPTION("dividend[1] is 101", "100", p.dividend = above);
    OPTION("dividend[1] is nan", "100", p.dividend = nan);

    const double diagonal[4] = {1, 0, 0, 0.9}, large[4] = {1, 0, 1.5, 1}, lopsided[4] = {1, 0.5, 0.25, 1};
    const double upper[4] = {1, NAN, 0.25, 1}, lower[4] = {1, 0.25, NAN, 1};
    const double three[3] = {1, 1, 1}, indefinite[9] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
    OPTION("correlation[1][1] is 0.9", "1", p.correlation = diagonal);
    OPTION("correlation[1][0] is 1.5", "-1 to 1", p.correlation = large);
    OPTION("correlation", "differs", p.correlation = lopsided);
    OPTION("correlation", "finite", p.correlation = upper);
    OPTION("correlation[1][0] is nan", "-1 to 1", p.correlation = lower);
    OPTION("correlation", "not positive semi-definite",
           (p.assets = 3, p.spot = three, p.volatility = three, p.correlation = indefinite));

    const uint32_t twice[3] = {2, 1, 2};
    OPTION("order[2] = 2", "order[0]", p.order = twice);
    OPTION("method is 3", "bailey_normal_method", p.method = (bailey_normal_method)3);
    OPTION("method is wallace", "bailey_normals_generate", p.method = BAILEY_NORMAL_WALLACE);
    OPTION("numerics is 2", "bailey_numerics", p.numerics = (bailey_numerics)2);
    OPTION("precision is 2", "bailey_precision", p.precision = (bailey_precision)2);
    assert_memory_equal(&result, &untouched, sizeof result);
    OK(bailey_asian_price(context, &good, &result));
    assert_int_equal(result.paths, 1000);
}

struct progress {
    int calls, stop_at;
    uint64_t done, total;
};

static int note_progress(void *user, uint64_t done, uint64_t total)
{
    struct progress *progress = user;
    if (done <= progress->done) progress->calls = -1000; /* does not advance */
    progress->done = done;
    progress->total = total;
    return ++progress->calls == progress->stop_at;
}

static void progress_and_cancel(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    struct progress progress = {0};
    bailey_asian_result result, again, untouched;
    bailey_asian_params p = good_option();
    p.fixing_count = p.assets = 1;
    p.paths = (UINT64_C(1) << 20) + 3; /* a block of sums and a bit */
    OK(bailey_asian_price(context, &p, &result));
    p.progress = note_progress;
    p.progress_user = &progress;
    OK(bailey_asian_price(context, &p, &again));
    assert_true(progress.calls >= 2);
    assert_int_equal(progress.done, p.paths);
    assert_int_equal(progress.total, p.paths);
    assert_memory_equal(&result, &again, sizeof result);

    memset(&again, POISON, sizeof again);
    untouched = again;
    progress = (struct progress){.stop_at = 1};
    failed_with("cancel", bailey_asian_price(context, &p, &again), BAILEY_ERROR_CANCELLED, "cancelled",
                "1048579");
    assert_int_equal(progress.calls, 1);
    assert_in_range(progress.done, 1, p.paths - 1);
    assert_memory_equal(&again, &untouched, sizeof again);
    assert_string_equal(bailey_context_error(context), bailey_error_text());
    /* The context is as good as before. */
    p.progress = NULL;
    OK(bailey_asian_price(context, &p, &again));
    assert_memory_equal(&result, &again, sizeof result);
}

/* ---- Errors and threads ---------------------------------------------------------------------- */

/* Failures inside threads cannot use cmocka: they are counted. */
struct failing {
    pthread_t thread;
    pthread_barrier_t *barrier;
    int kind, failures;
};

static void *fail_often(void *user)
{
    struct failing *me = user;
    bailey_context *mine = NULL;
    bailey_buffer *buffer = NULL;
    const bailey_random_params params = {.seed = 1};
    me->failures += bailey_error_text()[0] != 0; /* a new thread has no error */
    me->failures += bailey_context_create(device.address, NULL, &mine) != BAILEY_OK;
    pthread_barrier_wait(me->barrier);
    for (int i = 0; i < 200 && mine; i++) {
        const char *expected = me->kind ? "params is NULL" : "bytes is 0";
        const bailey_status status =
            me->kind ? bailey_words_generate(mine, NULL, 1, NULL, 0) : bailey_buffer_create(mine, 0, &buffer);
        me->failures += status != BAILEY_ERROR_INVALID;
        me->failures += !strstr(bailey_error_text(), expected);
        me->failures += strcmp(bailey_context_error(mine), bailey_error_text()) != 0;
        if (me->kind)
            me->failures += bailey_words_generate(mine, &params, 0, NULL, 0) != BAILEY_ERROR_INVALID;
    }
    pthread_barrier_wait(me->barrier);
    bailey_context_destroy(mine);
    return NULL;
}

static void errors_of_contexts_and_threads(void **state)
{
    (void)state;
    bailey_buffer *buffer = NULL;
    bailey_context *second = another();
    assert_string_equal(bailey_context_error(second), "");
    REFUSED(bailey_buffer_create(second, 0, &buffer), "bytes", "0");
    REFUSED(bailey_words_generate(context, NULL, 1, NULL, 0), "params", "NULL");
    contains("second", bailey_context_error(second), "bytes is 0");
    contains("first", bailey_context_error(context), "params is NULL");
    /* A success clears nothing. */
    OK(bailey_buffer_create(second, 8, &buffer));
    bailey_buffer_destroy(buffer);
    contains("second", bailey_context_error(second), "bytes is 0");
    contains("thread", bailey_error_text(), "params is NULL");
    bailey_context_destroy(second);

    pthread_barrier_t barrier;
    struct failing threads[2];
    assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
    for (int i = 0; i < 2; i++) {
        threads[i] = (struct failing){.barrier = &barrier, .kind = i};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, fail_often, &threads[i]), 0);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i].thread, NULL);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < 2; i++) assert_int_equal(threads[i].failures, 0);
    contains("this thread's", bailey_error_text(), "params is NULL");
}

#define JOB_WORDS 50021
#define JOB_PATHS 1003

/* Everything that a context does, with results to compare. */
struct job {
    pthread_t thread;
    uint64_t seed;
    bailey_status status;
    uint32_t words[JOB_WORDS];
    float normals[JOB_WORDS], paths[4 * 2 * JOB_PATHS];
    bailey_asian_result price;
};

static void *run_job(void *user)
{
    struct job *job = user;
    bailey_context *mine = NULL;
    bailey_bridge *bridge = NULL;
    bailey_buffer *buffer = NULL;
    const double covariance[4] = {0.04, 0.018, 0.018, 0.09};
    const bailey_random_params random = {.seed = job->seed, .stream = 3};
    const bailey_normal_params normal = {.seed = job->seed, .method = BAILEY_NORMAL_BOX_MULLER};
    const bailey_bridge_params params = {
        .times = good_times, .steps = 4, .dims = 2, .covariance = covariance};
    bailey_asian_params option = good_option();
    option.paths = 20011;
    option.seed = job->seed;
    memset(&job->price, 0, sizeof job->price);
    bailey_status status = bailey_context_create(device.address, NULL, &mine);
    if (status == BAILEY_OK) status = bailey_buffer_create(mine, sizeof job->words, &buffer);
    if (status == BAILEY_OK) status = bailey_bridge_create(mine, &params, &bridge);
    for (int round = 0; round < 3 && status == BAILEY_OK; round++) {
        status = bailey_words_generate(mine, &random, JOB_WORDS, buffer, 0);
        if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, job->words, sizeof job->words);
        if (status == BAILEY_OK) status = bailey_normals_generate(mine, &normal, JOB_WORDS, buffer, 0);
        if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, job->normals, sizeof job->normals);
        if (status == BAILEY_OK) status = bailey_bridge_simulate(bridge, &normal, 5, JOB_PATHS, buffer);
        if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, job->paths, sizeof job->paths);
        if (status == BAILEY_OK && device.has_f64) status = bailey_asian_price(mine, &option, &job->price);
    }
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(mine);
    job->status = status;
    return NULL;
}

static void two_contexts_in_two_threads(void **state)
{
    (void)state;
    struct job *alone = allocate(2 * sizeof *alone), *together = allocate(2 * sizeof *together);
    for (int i = 0; i < 2; i++) alone[i].seed = together[i].seed = 1000 + (uint64_t)i;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&together[i].thread, NULL, run_job, &together[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(together[i].thread, NULL);
    for (int i = 0; i < 2; i++) {
        run_job(&alone[i]);
        OK(alone[i].status);
        assert_int_equal(together[i].status, BAILEY_OK);
        same_bits("words", together[i].words, alone[i].words, JOB_WORDS, 4);
        same_bits("normals", together[i].normals, alone[i].normals, JOB_WORDS, 4);
        same_bits("paths", together[i].paths, alone[i].paths, 4 * 2 * JOB_PATHS, 4);
        same_bits("price", &together[i].price, &alone[i].price, sizeof alone->price, 1);
    }
    free(alone);
    free(together);
}

/* ---- Failing allocations ---------------------------------------------------------------------- */

static bailey_status open_and_close(void)
{
    bailey_context *made = NOWHERE;
    const bailey_status status = bailey_context_create(device.address, NULL, &made);
    if (status == BAILEY_OK)
        bailey_context_destroy(made);
    else
        assert_null(made);
    return status;
}

static bailey_status make_buffer(void)
{
    bailey_buffer *made = NOWHERE;
    const bailey_status status = bailey_buffer_create(context, 100, &made);
    if (status == BAILEY_OK)
        bailey_buffer_destroy(made);
    else
        assert_null(made);
    return status;
}

static bailey_status adopt_buffer(void)
{
    uint64_t memory[4];
    bailey_buffer *made = NOWHERE;
    const bailey_status status = bailey_buffer_adopt_host(context, memory, sizeof memory, &made);
    if (status == BAILEY_OK)
        bailey_buffer_destroy(made);
    else
        assert_null(made);
    return status;
}

static bailey_status make_bridge(void)
{
    static const double covariance[9] = {1, 0.9, 0.9, 0.9, 1, 0.9, 0.9, 0.9, 1};
    const bailey_bridge_params params = {
        .times = good_times, .steps = 4, .dims = 3, .covariance = covariance};
    bailey_bridge *made = NOWHERE;
    const bailey_status status = bailey_bridge_create(context, &params, &made);
    if (status == BAILEY_OK)
        bailey_bridge_destroy(made);
    else
        assert_null(made);
    return status;
}

static bailey_status price_option(void)
{
    bailey_asian_result result, untouched;
    const bailey_asian_params params = good_option();
    memset(&result, POISON, sizeof result);
    untouched = result;
    const bailey_status status = bailey_asian_price(context, &params, &result);
    if (status != BAILEY_OK) assert_memory_equal(&result, &untouched, sizeof result);
    return status;
}

static bailey_status make_published(bailey_generator generator)
{
    const bailey_random_params random = {.seed = 1,
                                         .offset = UINT64_C(1) << 40, /* far enough to be jumped to */
                                         .generator = generator,
                                         .sequence = BAILEY_SEQUENCE_PUBLISHED};
    bailey_buffer *out = NULL;
    bailey_status status = bailey_buffer_create(context, 64, &out);
    if (status == BAILEY_OK) status = bailey_words_generate(context, &random, 16, out, 0);
    bailey_buffer_destroy(out);
    return status;
}
static bailey_status make_xorwow(void) { return make_published(BAILEY_GENERATOR_XORWOW); }
static bailey_status make_mt19937(void) { return make_published(BAILEY_GENERATOR_MT19937); }

/* In a context that has no scratch memory yet. */
static bailey_status make_uniforms(void)
{
    const bailey_random_params random = {.seed = 1};
    bailey_context *fresh = NULL;
    bailey_buffer *out = NULL;
    bailey_status status = bailey_context_create(device.address, NULL, &fresh);
    if (status == BAILEY_OK) status = bailey_buffer_create(fresh, 64, &out);
    if (status == BAILEY_OK)
        status = bailey_uniforms_generate(fresh, &random, BAILEY_PRECISION_F32, 16, out, 0);
    bailey_buffer_destroy(out);
    bailey_context_destroy(fresh);
    return status;
}

static bailey_status run_selftest(void) { return bailey_selftest(context, NULL); }

/* Makes the n-th allocation of `call` fail, for n = 1, 1 + step, ... until it has fewer. */
static void fail_allocations(const char *what, bailey_status (*call)(void), int64_t step)
{
    OK(call()); /* programs are compiled now */
    int64_t n = 1;
    for (;; n += step) {
        bly_alloc_countdown = n;
        const bailey_status status = call();
        const int64_t left = bly_alloc_countdown;
        bly_alloc_countdown = -1;
        if (left > 0) {
            if (status != BAILEY_OK) fail_msg("%s: %s", what, bailey_error_text());
            break;
        }
        if (status != BAILEY_ERROR_MEMORY)
            fail_msg("%s: allocation %lld fails: %s (%s)", what, (long long)n, bailey_status_name(status),
                     bailey_error_text());
        contains(what, bailey_error_text(), "memory");
    }
    assert_true(n > 1); /* some did */
}

static void failing_allocations(void **state)
{
    (void)state;
    fail_allocations("bailey_context_create", open_and_close, 1);
    fail_allocations("bailey_buffer_create", make_buffer, 1);
    fail_allocations("bailey_buffer_adopt_host", adopt_buffer, 1);
    fail_allocations("bailey_bridge_create", make_bridge, 1);
    if (device.has_f64) fail_allocations("bailey_asian_price", price_option, 1);
    fail_allocations("xorwow", make_xorwow, 1);
    fail_allocations("mt19937", make_mt19937, 1);
    fail_allocations("bailey_uniforms_generate", make_uniforms, 1);
    fail_allocations("bailey_selftest", run_selftest, 89);
    known_answers(state); /* the context still works */
}

/* ---- Adopted host memory ---------------------------------------------------------------------- */

static void adopted_memory(void **state)
{
    (void)state;
    enum { WORDS = 1000, FIRST = 14, COUNT = 501 };
    static uint64_t aligned[WORDS / 2];
    uint32_t *const memory = (uint32_t *)aligned, *const inside = memory + FIRST, expected[WORDS];
    const bailey_random_params random = {.seed = 5, .offset = 2};
    bailey_buffer *buffer = NULL, *whole = poisoned(COUNT * 4);
    OK(bailey_words_generate(context, &random, 37, whole, 0));
    uint32_t *words = harvest(whole, COUNT * 4);

    /* A part of the memory is adopted, a part of that is written: the rest stays. No sync. */
    memset(memory, POISON, sizeof aligned);
    memset(expected, POISON, sizeof expected);
    OK(bailey_buffer_adopt_host(context, inside, COUNT * 4 + 3, &buffer));
    assert_int_equal(bailey_buffer_bytes(buffer), COUNT * 4 + 3);
    OK(bailey_words_generate(context, &random, 37, buffer, 101));
    memcpy(expected + FIRST + 101, words, 37 * 4);
    same_bits("adopted memory", memory, expected, WORDS, 4);
    /* What the caller changes between calls is kept too. */
    inside[0] = inside[COUNT - 1] = expected[FIRST] = expected[FIRST + COUNT - 1] = 12345;
    OK(bailey_words_generate(context, &random, 37, buffer, 7));
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
    REFUSED(bailey_words_generate(context, &random, COUNT + 1, buffer, 0), "out", "501 elements");
    REFUSED(bailey_words_generate(context, &random, 1, buffer, COUNT), "out", "501 elements");
    same_bits("adopted memory", memory, expected, WORDS, 4);
    bailey_buffer_destroy(buffer);
    same_bits("adopted memory", memory, expected, WORDS, 4);
    free(words);
}

static void bridge_in_adopted_memory(void **state)
{
    (void)state;
    enum { PATHS = 31, COUNT = 4 * PATHS, ROOM = COUNT + 64 };
    static uint64_t memory[2][ROOM / 2];
    const bailey_bridge_params params = {.times = good_times, .steps = 4};
    const bailey_normal_params normal = {.seed = 3};
    bailey_bridge *bridge = NULL;
    bailey_buffer *adopted[2], *own[2] = {poisoned(COUNT * 4), poisoned(COUNT * 4)};
    float *const z = (float *)memory[0] + 16, *const x = (float *)memory[1] + 16;
    unsigned char *poison = allocate(sizeof memory[0]);
    memset(poison, POISON, sizeof memory[0]);
    memset(memory, POISON, sizeof memory);
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_buffer_adopt_host(context, z, COUNT * 4 + 64, &adopted[0])); /* more than is needed */
    OK(bailey_buffer_adopt_host(context, x, COUNT * 4 + 64, &adopted[1]));
    OK(bailey_bridge_normals(bridge, &normal, 6, PATHS, adopted[0]));
    OK(bailey_bridge_generate(bridge, PATHS, adopted[0], adopted[1]));
    OK(bailey_bridge_normals(bridge, &normal, 6, PATHS, own[0]));
    OK(bailey_bridge_simulate(bridge, &normal, 6, PATHS, own[1]));
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
    bailey_random_params random;
    bailey_precision precision;
} orders[] = {
    {"warp", ORDER_WORDS, {.seed = 5, .stream = 6, .offset = 8179, .generator = BAILEY_GENERATOR_WARP}, 0},
    {"mt19937", ORDER_WORDS, {.seed = 5, .offset = 8179, .generator = BAILEY_GENERATOR_MT19937}, 0},
    {"mt19937, published",
     ORDER_WORDS,
     {.seed = 5489,
      .offset = 601,
      .generator = BAILEY_GENERATOR_MT19937,
      .sequence = BAILEY_SEQUENCE_PUBLISHED},
     0},
    {"xorwow, published",
     ORDER_WORDS,
     {.seed = 5,
      .stream = 6,
      .offset = 77,
      .generator = BAILEY_GENERATOR_XORWOW,
      .sequence = BAILEY_SEQUENCE_PUBLISHED},
     0},
    {"uniforms, f32", ORDER_UNIFORMS, {.offset = 8179, .generator = BAILEY_GENERATOR_WARP}, 0},
    {"uniforms, f64", ORDER_UNIFORMS, {.offset = 4083, .generator = BAILEY_GENERATOR_WARP}, 1},
    {"normals, f32", ORDER_NORMALS, {.offset = 8179, .generator = BAILEY_GENERATOR_WARP}, 0},
};
enum { ORDERS = sizeof orders / sizeof *orders };

static bailey_status execute(bailey_context *on, const struct order *order, bailey_buffer *out,
                             uint64_t out_offset)
{
    const bailey_random_params *r = &order->random;
    const bailey_normal_params normal = {.seed = r->seed,
                                         .stream = r->stream,
                                         .offset = r->offset,
                                         .generator = r->generator,
                                         .precision = order->precision};
    if (order->kind == ORDER_WORDS) return bailey_words_generate(on, r, ORDER_COUNT, out, out_offset);
    if (order->kind == ORDER_UNIFORMS)
        return bailey_uniforms_generate(on, r, order->precision, ORDER_COUNT, out, out_offset);
    return bailey_normals_generate(on, &normal, ORDER_COUNT, out, out_offset);
}

/* Memory that the caller lends, on the device and, for the same bits, on the processor: what was not asked
 * for stays, before, between and behind. */
static void generators_in_adopted_memory(void **state)
{
    (void)state;
    enum { ROOM = 1200, FIRST = 24, BYTES = 960 };
    static uint64_t memory[ROOM / 8], expected[ROOM / 8];
    static const uint64_t places[] = {0, 1, 5, 64, 83}; /* elements */
    unsigned char *const found = (unsigned char *)memory, *const wanted = (unsigned char *)expected;
    bailey_context *processor = NULL;
    OK(bailey_context_create("cpu", NULL, &processor));
    for (int i = 0; i < ORDERS; i++) {
        const size_t element = orders[i].precision == BAILEY_PRECISION_F64 ? 8 : 4;
        if (element == 8 && !device.has_f64) continue;
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
            /* What the caller changes between calls is kept too. */
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

/* Partial writes keep what is before and behind them, in device memory too. */
static void partial_writes(void **state)
{
    (void)state;
    enum { ROOM = 4096 };
    for (int f64 = 0; f64 <= (int)device.has_f64; f64++) {
        const size_t element = f64 ? 8 : 4;
        const bailey_normal_params normal = {
            .seed = 8, .offset = 3, .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
        bailey_buffer *buffer = poisoned(ROOM);
        OK(bailey_normals_generate(context, &normal, 71, buffer, 0));
        unsigned char *expected = harvest(buffer, ROOM), *found;
        buffer = poisoned(ROOM);
        OK(bailey_normals_generate(context, &normal, 71, buffer, 13));
        found = harvest(buffer, ROOM);
        for (size_t i = 0; i < ROOM; i++)
            if (i < 13 * element || i >= 84 * element) assert_int_equal(found[i], POISON);
        same_bits("normals", found + 13 * element, expected, 71, element);
        free(expected);
        free(found);
    }
}

/* ---- Self-test, headers, log ------------------------------------------------------------------ */

struct items {
    int count, failed;
};

static void note_item(void *user, const char *item, int passed, const char *detail)
{
    struct items *items = user;
    items->count++;
    items->failed += !passed || !item || !*item || !detail || !*detail;
}

static void selftest(void **state)
{
    (void)state;
    struct items items = {0, 0};
    const bailey_selftest_params params = {.report = note_item, .report_user = &items};
    REFUSED(bailey_selftest(NULL, &params), "context", "NULL");
    assert_int_equal(items.count, 0);
    OK(bailey_selftest(context, &params));
    assert_true(items.count > 10);
    assert_int_equal(items.failed, 0);
}

static void device_headers(void **state)
{
    (void)state;
    static const char *const wanted[] = {"bailey/device/dialect.h",      "bailey/device/lang/in_opencl.h",
                                         "bailey/device/lang/in_cuda.h", "bailey/device/philox.h",
                                         "bailey/device/normal.h",       "bailey/device/bridge.h"};
    enum { MOST = 64 };
    const char *names[MOST], *texts[MOST];
    size_t count = 0;
    while (count < MOST && bailey_device_header(count, &names[count], &texts[count])) count++;
    assert_in_range(count, 4, MOST - 1);
    for (size_t i = 0; i < count; i++) {
        const char *name = NULL, *text = NULL;
        assert_int_equal(strncmp(names[i], "bailey/device/", 14), 0);
        contains(names[i], texts[i], "SPDX-License-Identifier");
        for (size_t j = 0; j < i; j++) assert_string_not_equal(names[i], names[j]);
        /* Either may be left out, and the answer is always the same. */
        assert_int_equal(bailey_device_header(i, &name, NULL), 1);
        assert_int_equal(bailey_device_header(i, NULL, &text), 1);
        assert_ptr_equal(name, names[i]);
        assert_ptr_equal(text, texts[i]);
        assert_int_equal(bailey_device_header(i, NULL, NULL), 1);
        /* What it includes of the library is there too. */
        for (const char *at = texts[i]; (at = strstr(at, "#include <bailey/")); at++) {
            char included[64] = "";
            int found = 0;
            sscanf(at, "#include <%63[^>]", included);
            for (size_t j = 0; j < count; j++) found |= strcmp(names[j], included) == 0;
            if (!found) fail_msg("%s includes %s, which is missing", names[i], included);
        }
    }
    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++) {
        int found = 0;
        for (size_t i = 0; i < count; i++) found |= strcmp(names[i], wanted[w]) == 0;
        if (!found) fail_msg("%s is missing", wanted[w]);
    }
    const char *name = NOWHERE, *text = NOWHERE;
    assert_int_equal(bailey_device_header(count, &name, &text), 0);
    assert_int_equal(bailey_device_header(SIZE_MAX, &name, &text), 0);
    assert_ptr_equal(name, NOWHERE);
    assert_ptr_equal(text, NOWHERE);
}

/* Two contexts that write parts of one array leave each other's alone. */
static void shared_array(void **state)
{
    (void)state;
    enum { HALF = 5003 };
    const bailey_random_params random = {.seed = 3};
    uint32_t *array = allocate(2 * HALF * sizeof *array), *expected = allocate(2 * HALF * sizeof *expected);
    bailey_context *other = NULL;
    bailey_buffer *mine = NULL, *its = NULL;
    memset(array, POISON, 2 * HALF * sizeof *array);
    OK(bailey_context_create(device.address, NULL, &other));
    OK(bailey_buffer_adopt_host(context, array, 2 * HALF * sizeof *array, &mine));
    OK(bailey_buffer_adopt_host(other, array, 2 * HALF * sizeof *array, &its));
    OK(bailey_words_generate(context, &random, HALF, mine, 0));
    memset(array, POISON, HALF * sizeof *array); /* as another thread might between the calls */
    OK(bailey_words_generate(other, &random, HALF, its, HALF));
    for (int i = 0; i < HALF; i++) assert_int_equal(array[i], 0xA5A5A5A5u);
    OK(bailey_words_generate(context, &random, HALF, mine, 0));
    memcpy(expected, array, HALF * sizeof *expected);
    memcpy(expected + HALF, array, HALF * sizeof *expected);
    assert_memory_equal(array, expected, 2 * HALF * sizeof *array);
    bailey_buffer_destroy(mine);
    bailey_buffer_destroy(its);
    bailey_context_destroy(other);
    free(array);
    free(expected);
}

struct lines {
    int count, highest, launches;
};

static void note_line(void *user, int level, const char *line)
{
    struct lines *lines = user;
    lines->count++;
    if (level > lines->highest) lines->highest = level;
    lines->launches += strstr(line, "bly_words") != NULL;
}

static void log_lines(void **state)
{
    const bailey_random_params random = {.seed = 1};
    struct lines lines = {0, 0, 0};
    bailey_buffer *out = poisoned(16);
    (void)state;
    OK(bailey_words_generate(context, &random, 4, out, 0));
    bailey_log_set(note_line, &lines, 2);
    OK(bailey_words_generate(context, &random, 4, out, 0));
    assert_int_equal(lines.launches, 1);
    assert_int_equal(lines.highest, 2);
    lines = (struct lines){0, 0, 0};
    bailey_log_set(note_line, &lines, 1);
    OK(bailey_words_generate(context, &random, 4, out, 0));
    assert_int_equal(lines.count, 0);
    OK(make_bridge()); /* planning is logged */
    assert_int_equal(lines.highest, 1);
    lines = (struct lines){0, 0, 0};
    bailey_log_set(note_line, &lines, 0);
    OK(make_bridge());
    bailey_log_set(NULL, &lines, 2);
    OK(make_bridge());
    OK(bailey_words_generate(context, &random, 4, out, 0));
    assert_int_equal(lines.count, 0);
    free(harvest(out, 16));
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names),
        cmocka_unit_test(device_lists),
        cmocka_unit_test(unknown_devices),
        cmocka_unit_test(destroying_nothing),
        cmocka_unit_test(refused_buffers),
        cmocka_unit_test(refused_transfers),
        cmocka_unit_test(refused_copies),
        cmocka_unit_test(copies_and_fills),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(refused_options),
        cmocka_unit_test(progress_and_cancel),
        cmocka_unit_test(errors_of_contexts_and_threads),
        cmocka_unit_test(two_contexts_in_two_threads),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(adopted_memory),
        cmocka_unit_test(bridge_in_adopted_memory),
        cmocka_unit_test(generators_in_adopted_memory),
        cmocka_unit_test(partial_writes),
        cmocka_unit_test(selftest),
        cmocka_unit_test(device_headers),
        cmocka_unit_test(shared_array),
        cmocka_unit_test(log_lines),
    };
    return harness_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
