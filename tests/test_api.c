/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contract of bailey.h around the numbers: bad arguments are refused with a text that names them and
 * their limits, nothing is written then, and what is listed, copied or logged is what the header says.
 *
 * In this order: status, devices, contexts; buffers; self-test, headers, log. The rest of the contract:
 * test_api_numbers.c (requests for numbers and paths), test_api_options.c, test_api_errors.c (errors,
 * threads, failing allocations), test_api_adopted.c (host memory), test_api_text.c.
 */
#include <base/log.h>
#include <host/internal.h>

#include "api.h"
#include "clocks.h"

/* ---- Status, devices, contexts --------------------------------------------------------------- */

TEST(status_names, DEVICE)
{
#define CHECK(number, name, sentence)                                                                        \
    assert_int_equal(BAILEY_##name, number);                                                                 \
    assert_string_equal(bailey_status_name(BAILEY_##name), "BAILEY_" #name);                                 \
    assert_string_equal(bailey_status_message(BAILEY_##name), sentence);
    BAILEY_STATUS_LIST(CHECK)
#undef CHECK
    const int strangers[] = {-1, 11, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        assert_string_equal(bailey_status_name((bailey_status)strangers[i]), "unknown");
        assert_string_equal(bailey_status_message((bailey_status)strangers[i]), "unknown");
    }
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", BAILEY_VERSION_MAJOR, BAILEY_VERSION_MINOR,
             BAILEY_VERSION_PATCH);
    assert_string_equal(bailey_version(), version);
}

TEST(device_lists, DEVICE)
{
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

TEST(unknown_devices, DEVICE)
{
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

TEST(destroying_nothing, DEVICE)
{
    bailey_context_destroy(NULL);
    bailey_buffer_destroy(NULL);
    bailey_bridge_destroy(NULL);
    assert_int_equal(bailey_buffer_bytes(NULL), 0);
    assert_string_equal(bailey_context_error(NULL), "");
}

/* ---- Buffers --------------------------------------------------------------------------------- */

TEST(refused_buffers, DEVICE)
{
    uint64_t room[9];
    bailey_buffer *made = NOWHERE;
    REFUSED(bailey_buffer_create(NULL, 8, &made), "context", "NULL");
    REFUSED_HERE(bailey_buffer_create(context, 8, NULL), "buffer", "NULL");
    REFUSED_HERE(bailey_buffer_create(context, 0, &made), "bytes is 0", "at least 1");
    assert_null(made);
    REFUSED(bailey_buffer_adopt_host(NULL, room, 8, &made), "context", "NULL");
    REFUSED_HERE(bailey_buffer_adopt_host(context, NULL, 8, &made), "memory", "NULL");
    REFUSED_HERE(bailey_buffer_adopt_host(context, (char *)room + 2, 8, &made), "memory", "4 bytes");
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
        assert_string_equal(bailey_context_error(context), bailey_error_message());
    }
    OK(bailey_buffer_create(context, 1, &made));
    assert_int_equal(bailey_buffer_bytes(made), 1);
    bailey_buffer_destroy(made);
}

TEST(refused_transfers, DEVICE)
{
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

TEST(refused_copies, DEVICE)
{
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
TEST(copies_and_fills, DEVICE)
{
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

TEST(selftest, DEVICE | REPEATED_ON_OPENCL)
{
    struct items items = {0, 0};
    const bailey_selftest_params params = {.report = note_item, .report_user = &items};
    REFUSED(bailey_selftest(NULL, &params), "context", "NULL");
    assert_int_equal(items.count, 0);
    OK(bailey_selftest(context, &params));
    assert_true(items.count > 10);
    assert_int_equal(items.failed, 0);
}

TEST(device_headers, DEVICE)
{
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
        /* The library's headers that it includes are there too. */
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

TEST(log_lines, DEVICE | LONG_ON_OPENCL)
{
    const bailey_source source = {.seed = 1};
    struct lines lines = {0, 0, 0};
    bailey_buffer *out = poisoned(16);
    OK(bailey_words_generate(context, &source, 0, 4, out, 0));
    bailey_log_set(note_line, &lines, 2);
    OK(bailey_words_generate(context, &source, 0, 4, out, 0));
    assert_int_equal(lines.launches, 1);
    assert_int_equal(lines.highest, 2);
    lines = (struct lines){0, 0, 0};
    bailey_log_set(note_line, &lines, 1);
    OK(bailey_words_generate(context, &source, 0, 4, out, 0));
    assert_int_equal(lines.count, 0);
    OK(make_bridge()); /* planning is logged */
    assert_int_equal(lines.highest, 1);
    lines = (struct lines){0, 0, 0};
    bailey_log_set(note_line, &lines, 0);
    OK(make_bridge());
    bailey_log_set(NULL, &lines, 2);
    OK(make_bridge());
    OK(bailey_words_generate(context, &source, 0, 4, out, 0));
    assert_int_equal(lines.count, 0);
    free(harvest(out, 16));
}

static int stop_at_third(void *user)
{
    unsigned *const asked = user;
    return ++*asked == 3;
}

/* Asked when that is due, in whatever call, and not before. The clock stands still, as a call may take long.
 */
TEST(watched_calls, DEVICE)
{
    enum { COUNT = 1 << 18 };
    const bailey_source source = {.seed = 5};
    bailey_buffer *const out = poisoned(COUNT * 4), *const again = poisoned(COUNT * 4);
    struct bly_watch *const watch = &context->device->watch;
    unsigned asked = 0;
    REFUSED(bailey_context_watch(NULL, stop_at_third, &asked), "context", "NULL");
    time_stopped = 1;
    OK(bailey_context_watch(context, stop_at_third, &asked));
    const double now = bly_seconds();
    assert_true(watch->due == now + BLY_WATCH_SECONDS);
    OK(bailey_words_generate(context, &source, 0, COUNT, out, 0));
    assert_int_equal(asked, 0);
    for (unsigned turn = 1; turn < 3; turn++) {
        watch->due = now;
        OK(bailey_words_generate(context, &source, 0, COUNT, out, 0));
        assert_int_equal(asked, turn);
        assert_true(watch->due == now + BLY_WATCH_SECONDS);
    }
    watch->due = 0;
    failed_with("a watched call", bailey_words_generate(context, &source, 0, COUNT, out, 0),
                BAILEY_ERROR_CANCELLED, "requested a stop", "");
    assert_int_equal(asked, 3);
    time_stopped = 0;
    OK(bailey_context_watch(context, NULL, NULL));
    OK(bailey_words_generate(context, &source, 0, COUNT, out, 0));
    OK(bailey_words_generate(context, &source, 0, COUNT, again, 0));
    uint32_t *const words = harvest(out, COUNT * 4), *const others = harvest(again, COUNT * 4);
    same_bits("after a call that was ended", words, others, COUNT, 4);
    assert_int_equal(asked, 3);
    free(words);
    free(others);
}
