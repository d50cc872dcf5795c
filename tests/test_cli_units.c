/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program's readers and writers: numbers, dates, CSV, .npy headers, quantiles, moments. Errors that
 * these print are checked by tests/cli.
 */
#define _XOPEN_SOURCE 700

#include <bailey/simulation.h>
#include <cli/io/shortest.c>
#define DEVICE OPTION_DEVICE /* which test.h calls something else */
#include <cli/paths/fan.c>
#undef DEVICE
#include <cli/plot/plot.c>

#include <cli/io/io.h>
#include <moments.h>

#include <float.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "test.h"

static char path[300];

static const char *file_of(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return path;
}

static const char *text_file(const char *text) { return file_of(text, strlen(text)); }

TEST(numbers, HOST)
{
    static const char *const malformed[] = {"",    " ",   "1 ",    " 1", "nan", "inf", "-inf", "0x10", "1e",
                                            "1e+", "--1", "1.2.3", ".",  "+",   "e5",  "1,5",  "1f",   "1-2"};
    double value = 7;
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        assert_int_equal(parse_f64(malformed[i], &value), PARSE_MALFORMED);
    assert_int_equal(parse_f64("1e400", &value), PARSE_RANGE);
    assert_int_equal(parse_f64("-1e400", &value), PARSE_RANGE);
    assert_true(value == 7);
    assert_int_equal(parse_f64("-1.5e-3", &value), PARSE_OK);
    assert_true(value == -1.5e-3);
    assert_int_equal(parse_f64("1e-400", &value), PARSE_OK);
    assert_true(value == 0);
    assert_int_equal(parse_f64(".5", &value), PARSE_OK);
    assert_true(value == 0.5);
}

TEST(integers, HOST)
{
    static const char *const malformed[] = {"",   " 1",  "1 ", "-1",   "+1", "1.0",
                                            "0x", "0xg", "1e", "1e-1", "e1"};
    static const char *const range[] = {"18446744073709551616", "0x10000000000000000", "1e20", "2e19",
                                        "1e99999999999"};
    uint64_t value = 7;
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        assert_int_equal(parse_u64(malformed[i], &value), PARSE_MALFORMED);
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        assert_int_equal(parse_u64(range[i], &value), PARSE_RANGE);
    assert_true(value == 7);
    assert_int_equal(parse_u64("18446744073709551615", &value), PARSE_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(parse_u64("0xFFFFffffFFFFffff", &value), PARSE_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(parse_u64("1e19", &value), PARSE_OK);
    assert_true(value == UINT64_C(10000000000000000000));
    assert_int_equal(parse_u64("0e99999999999", &value), PARSE_OK);
    assert_true(value == 0);
}

TEST(finite_numbers, HOST)
{
    static const float wild_f32[] = {INFINITY, -INFINITY, NAN};
    static float f32[10000];
    static double f64[10000];
    static const uint64_t places[] = {0, 1, 4095, 4096, 9999};
    for (size_t i = 0; i < 10000; i++) {
        f32[i] = i % 2 ? FLT_MAX : -FLT_MAX;
        f64[i] = i % 2 ? DBL_MAX : -DBL_MAX;
    }
    f32[7] = f64[7] = 0;
    f32[8] = -FLT_MIN / 2;
    f64[8] = -DBL_MIN / 2;
    assert_int_equal(cli_not_finite(f32, 0, 4), 0);
    assert_int_equal(cli_not_finite(f32, 10000, 4), 10000);
    assert_int_equal(cli_not_finite(f64, 10000, 8), 10000);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint64_t at = places[i];
        float kept_f32 = f32[at];
        double kept_f64 = f64[at];
        for (size_t w = 0; w < 3; w++) {
            f32[at] = wild_f32[w];
            f64[at] = (double)wild_f32[w];
            assert_int_equal(cli_not_finite(f32, 10000, 4), at);
            assert_int_equal(cli_not_finite(f64, 10000, 8), at);
            assert_int_equal(cli_not_finite(f32, at, 4), at);
        }
        f32[at] = kept_f32;
        f64[at] = kept_f64;
    }
}

/* Every day of ten centuries, counted one by one from 1970-01-01. */
TEST(dates, HOST)
{
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char *const malformed[] = {
        "", "2026-1-2", "2026/01/02", "02.01.2026", "2026-01-02 ", "20260102", "2026-01-0x"};
    static const char *const range[] = {"2026-02-29", "1900-02-29", "2026-00-01",
                                        "2026-13-01", "2026-01-00", "2026-04-31"};
    int64_t expected = 0, days = 0;
    char text[32];
    for (int year = 1970; year < 2970; year++) {
        for (int month = 1; month <= 12; month++) {
            int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (int day = 1; day <= lengths[month - 1] + (month == 2 && leap); day++) {
                snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                assert_int_equal(parse_date(text, &days), PARSE_OK);
                assert_int_equal(days, expected++);
            }
        }
    }
    assert_int_equal(parse_date("1969-12-31", &days), PARSE_OK);
    assert_int_equal(days, -1);
    assert_int_equal(parse_date("0000-03-01", &days), PARSE_OK);
    assert_int_equal(days, -719468);
    assert_int_equal(parse_date("0000-01-01", &days), PARSE_OK);
    assert_int_equal(days, -719528);
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        assert_int_equal(parse_date(malformed[i], &days), PARSE_MALFORMED);
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        assert_int_equal(parse_date(range[i], &days), PARSE_RANGE);
}

static void other_date(const char *form, int a, int b, int c, const char *expected)
{
    char text[64], iso[11];
    snprintf(text, sizeof text, form, a, b, c);
    assert_true(parse_other_date(text, iso));
    if (strcmp(iso, expected)) fail_msg("%s is read as '%s', not '%s'", text, iso, expected);
}

/* Every day of a leap year in every form; what could be another day is not read. */
TEST(other_dates, HOST)
{
    static const char *const months[] = {"jan", "FEB", "March", "april", "May", "june",
                                         "Jul", "Aug", "Sept",  "Oct",   "Nov", "december"};
    static const char *const none[] = {
        "",           "1.5",         "1e-5",         "1.2.3",        "2026",
        "2026-01",    "12-12",       "1/2",          "20260130",     "1-2-3-4",
        "30Jan2026",  "1.2/2026",    "2026-01-x",    "2026-01-01T",  "30-Ja-2026",
        "may",        "may-may",     "1-1-20261",    "0.1.2026",     "123.1.2026",
        "1.123.2026", "2026-2026-1", "2026-01-30 x", "jan-feb-2026", "a-b-c"};
    char iso[11], text[64];
    for (int month = 1; month <= 12; month++) {
        for (int day = 1; day <= 31; day++) {
            char expected[11];
            int64_t days;
            snprintf(expected, sizeof expected, "2028-%02d-%02d", month, day);
            if (parse_date(expected, &days) != PARSE_OK) *expected = 0;
            const char *sure = day > 12 || day == month ? expected : "";
            other_date("%d.%d.%d", day, month, 2028, expected);
            other_date("%02d.%02d.%d", day, month, 2028, expected);
            other_date("%d/%d/%d", 2028, month, day, expected);
            other_date("%d-%d-%d 00:00:00", 2028, month, day, expected);
            other_date("%d-%02d-%02dT12:30:00Z", 2028, month, day, expected);
            other_date("%d/%d/%d", day, month, 2028, sure);
            other_date("%d/%d/%d", month, day, 2028, sure);
            other_date("%d-%d-%d", month, day, 2028, sure);
            other_date("%d/%d/%02d", day, month, 28, "");
            snprintf(text, sizeof text, "%%d-%s-%%d", months[month - 1]);
            other_date(text, day, 2028, 0, expected);
            snprintf(text, sizeof text, "%s %%d %%d", months[month - 1]);
            other_date(text, day, 2028, 0, expected);
        }
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (parse_other_date(none[i], iso)) fail_msg("%s is read as a date, '%s'", none[i], iso);
    assert_string_equal(parse_date_error("2026-02-29"), "is not a day of the calendar");
    assert_string_equal(parse_date_error("soon"), "is not a date of the form YYYY-MM-DD");
}

TEST(hints, HOST)
{
    assert_string_equal(parse_hint("5%", 0), "; write 0.05");
    assert_string_equal(parse_hint("1M", 0), "; write 1000000");
    assert_string_equal(parse_hint("1M", 1), "; times are in years: 0.08333333333");
    assert_string_equal(parse_hint("-1,5", 0), "; use a decimal point, not a comma: -1.5");
    static const char *const none[] = {"",   "x",    "%",  "1",    "1,2,3", ",5",
                                       "5,", "1,5x", "5q", "1e5M", "--5%",  "1 000"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_string_equal(parse_hint(none[i], 0), "");
        assert_string_equal(parse_hint(none[i], 1), "");
    }
}

TEST(mistyped_numbers, HOST)
{
    static const char *const yes[] = {"O.5", "l",   "I",   "e5",   "1O",  "0,5", "",
                                      "-",   "1 2", "nan", "-INF", "n/a", "None"};
    static const char *const no[] = {"time", "t",    "T1", "5x",           "inflation",
                                     "Oil",  "NaN%", "x",  "\xe6\x97\xa5", "a,b"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) assert_true(parse_is_mistyped(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(parse_is_mistyped(no[i]));
}

TEST(csv_rows, HOST)
{
    struct csv csv;
    assert_int_equal(csv_open(&csv, "--file",
                              text_file("\xef\xbb\xbf"
                                        "a, \"b,\"\"c\" ,\r\n\r\n # no row\n\n1,,  2 x \t")),
                     0);
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.fields, 3);
    assert_int_equal(csv.line, 1);
    assert_string_equal(csv.field[0], "a");
    assert_string_equal(csv.field[1], "b,\"c");
    assert_string_equal(csv.field[2], "");
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.fields, 3);
    assert_int_equal(csv.line, 5);
    assert_string_equal(csv.field[0], "1");
    assert_string_equal(csv.field[1], "");
    assert_string_equal(csv.field[2], "2 x");
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.fields, 0);
    csv_close(&csv);
    assert_int_equal(csv_open(&csv, "--file", text_file(",,\n , \n1,,\"\",\n\"a;b\",1\na;1,5\n1 \t2, \tc\n")),
                     0);
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.fields, 4);
    csv_trim(&csv, 3);
    assert_int_equal(csv.fields, 3);
    csv_trim(&csv, 0);
    assert_int_equal(csv.fields, 1);
    assert_int_equal(csv.separator, 0);
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.separator, 0);
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.separator, ';');
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.separator, '\t');
    csv_close(&csv);
    assert_int_equal(csv_open(&csv, "--file", text_file("\n\n\"a\"b\n")), 0);
    assert_int_equal(csv_next(&csv), CLI_USAGE);
    csv_close(&csv);
    assert_int_equal(csv_open(&csv, "--file", text_file("")), 0);
    assert_int_equal(csv_next(&csv), 0);
    assert_int_equal(csv.fields, 0);
    csv_close(&csv);
}

/* No file of up to three bytes of an awkward alphabet harms a reader. */
TEST(csv_small_files, HOST)
{
    static const char alphabet[] = {'1', ',', '"', '\n', '\r', ' ', '#', '-', 0, 'n', '\xef', ';', '\t'};
    static const char *const names[] = {"n"};
    enum { LETTERS = sizeof alphabet };
    for (unsigned length = 0, total = 1; length <= 3; length++, total *= LETTERS) {
        for (unsigned n = 0; n < total; n++) {
            char text[4];
            double *values;
            uint32_t *order;
            uint64_t count;
            int64_t valuation = INT64_MIN;
            for (unsigned i = 0, rest = n; i < length; i++, rest /= LETTERS)
                text[i] = alphabet[rest % LETTERS];
            file_of(text, length);
            csv_times("--times", path, 0, &valuation, 3, &values, &count);
            free(values);
            csv_square("--covariance", path, NULL, 0, &values, &count);
            free(values);
            csv_square("--covariance", path, names, 1, &values, &count);
            free(values);
            csv_order("--order", path, 1, &order);
            free(order);
        }
    }
}

TEST(csv_dates, HOST)
{
    double *values;
    uint64_t count;
    int64_t valuation;
    assert_int_equal(parse_date("2026-01-02", &valuation), PARSE_OK);
    assert_int_equal(
        csv_times("--times", text_file("date\n2026-01-03\n2027-01-02"), 0, &valuation, 3, &values, &count),
        0);
    assert_int_equal(count, 2);
    assert_true(values[0] == 1 / 365.0 && values[1] == 1);
    free(values);
    assert_int_equal(csv_times("--times", text_file("2026-01-03\n1.5"), 0, &valuation, 3, &values, &count),
                     CLI_USAGE);
    free(values);
    assert_int_equal(csv_times("--times", text_file("date\n1e300"), 0, NULL, 3, &values, &count), CLI_USAGE);
    free(values);
    assert_int_equal(csv_times("--times", text_file("1\n2\n3\n4\n"), 0, NULL, 3, &values, &count), CLI_USAGE);
    free(values);
}

TEST(npy_round_trip, HOST)
{
    static const uint64_t shapes[][3] = {{1, 1, 1}, {64, 5, 1000003}, {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    char bytes[NPY_HEADER_MAX + 64];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t length = npy_header(bytes, "<f8", shapes[i], 3);
        assert_true(length % 64 == 0 && length < NPY_HEADER_MAX);
        assert_int_equal((unsigned char)bytes[8] + 256 * (unsigned char)bytes[9], length - 10);
        assert_int_equal(bytes[length - 1], '\n');
    }
    const uint64_t shape[3] = {2, 1, 3};
    const double data[6] = {1, 2, 3, 4, 5, 6};
    double read[2] = {0};
    struct npy npy;
    size_t length = npy_header(bytes, "<f8", shape, 3);
    memcpy(bytes + length, data, sizeof data);
    assert_int_equal(npy_open(&npy, file_of(bytes, length + sizeof data)), 0);
    assert_int_equal(npy.element, 8);
    assert_memory_equal(npy.shape, shape, sizeof shape);
    assert_int_equal(npy_read(&npy, 3, read, 2), 0);
    assert_true(read[0] == 4 && read[1] == 5);
    npy_close(&npy);
    /* Every shorter file, and every file with one byte of the header changed, is read or refused. */
    for (size_t n = 0; n < length + sizeof data; n++)
        assert_int_not_equal(npy_open(&npy, file_of(bytes, n)), 0);
    for (size_t at = 0; at < length; at++) {
        char good = bytes[at];
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] = (char)(good ^ (1 << bit));
            if (!npy_open(&npy, file_of(bytes, length + sizeof data))) npy_close(&npy);
        }
        bytes[at] = good;
    }
}

TEST(npy_headers, HOST)
{
    static const struct {
        const char *type;
        unsigned axes;
        uint64_t shape[3];
        const char *text;
    } cases[] = {
        {"<u4", 1, {5}, "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }"},
        {"<f8",
         1,
         {UINT64_MAX},
         "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551615,), }"},
        {"<f4", 3, {64, 5, 1000003}, "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 5, 1000003), }"},
    };
    char bytes[NPY_HEADER_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t length = npy_header(bytes, cases[i].type, cases[i].shape, cases[i].axes);
        assert_true(length % 64 == 0);
        assert_memory_equal(bytes + 10, cases[i].text, strlen(cases[i].text));
        assert_int_equal(bytes[10 + strlen(cases[i].text)], ' ');
    }
}

/* Pieces of many sizes in few places arrive as they were handed over. */
TEST(pump_order, HOST)
{
    enum { DEPTH = 2, PIECES = 500, LARGEST = 5000 };
    static unsigned char place[DEPTH + 1][LARGEST], found[LARGEST];
    struct output output;
    struct pump *pump;
    assert_int_equal(output_open(&output, path, 0), 0);
    assert_int_equal(pump_start(&pump, &output, output_write, DEPTH), 0);
    for (unsigned i = 0; i < PIECES; i++) {
        memset(place[i % (DEPTH + 1)], (int)(i * 7 % 256), LARGEST);
        assert_true(pump_put(pump, place[i % (DEPTH + 1)], 1 + i * 37 % LARGEST));
    }
    assert_int_equal(pump_end(pump), 0);
    assert_int_equal(output_commit(&output), 0);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (unsigned i = 0; i < PIECES; i++) {
        const size_t bytes = 1 + i * 37 % LARGEST;
        assert_int_equal(fread(found, 1, bytes, file), bytes);
        for (size_t j = 0; j < bytes; j++) assert_int_equal(found[j], i * 7 % 256);
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
}

/* A pipe without a reader ends the pump, and says so without a word. */
TEST(pump_reader_gone, HOST)
{
    static const char piece[100000];
    int ends[2], puts = 0;
    assert_int_equal(pipe(ends), 0);
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    struct output output = {.path = "a pipe", .file = ends[1]};
    struct pump *pump;
    assert_int_equal(pump_start(&pump, &output, output_write, 2), 0);
    close(ends[0]);
    while (pump_put(pump, piece, sizeof piece)) assert_true(++puts <= 3);
    assert_int_equal(pump_end(pump), CLI_FAILED);
    assert_true(output.reader_gone);
    output_abandon(&output);
    signal(SIGPIPE, old);
}

TEST(texts, HOST)
{
    static const char *const names[] = {"--steps", "--stream", "--start", NULL};
    uint64_t product;
    assert_string_equal(cli_count(0), "0");
    assert_string_equal(cli_count(1000003), "1,000,003");
    assert_string_equal(cli_count(UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(cli_bytes(999), "999 B");
    assert_string_equal(cli_bytes(1000), "1.0 kB");
    assert_string_equal(cli_bytes(999999), "1.0 MB");
    assert_string_equal(cli_bytes(UINT64_MAX), "18.4 EB");
    assert_string_equal(cli_nearest("--stpes", names), "--steps");
    assert_string_equal(cli_nearest("--str", names), "--stream");
    assert_null(cli_nearest("--frobnicate", names));
    assert_string_equal(cli_printable("a\x1b[31m\n"), "a [31m ");
    assert_true(cli_multiply(UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1, &product));
    assert_false(cli_multiply(UINT64_C(1) << 32, UINT64_C(1) << 32, &product));
}

/* Both ways to the shortest digits give the same text. */
static void assert_shortest(double value, const struct width *w, unsigned *fast)
{
    char text[32], expected[32];
    by_trial(expected, sizeof expected, value, w);
    if (!by_whole_numbers(text, value, w)) return;
    ++*fast;
    assert_string_equal(text, expected);
}

TEST(shortest, HOST)
{
    static const char *const texts[] = {"0",      "-0",    "0.1",    "-12.5", "1e-05", "0.0001",
                                        "9.9999", "99999", "100000", "1024",  "0.5",   "7e+20"};
    uint64_t random = 1;
    unsigned fast = 0, tried = 0;
    char text[32];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cli_shortest_f32(text, sizeof text, strtof(texts[i], NULL));
        assert_string_equal(text, texts[i]);
        cli_shortest_f64(text, sizeof text, strtod(texts[i], NULL));
        assert_string_equal(text, texts[i]);
    }
    cli_shortest_f64(text, sizeof text, 0.1 + 0.2);
    assert_string_equal(text, "0.30000000000000004");
    for (double power = 1e-5; power < 1e7; power *= 10) {
        for (int n = 1; n < 3000; n++) { /* near powers of ten and of two, of few digits, of any digits */
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const double part = (double)(random >> 11) * 0x1p-53;
            const double values[] = {power * part,
                                     -power / n,
                                     power * n,
                                     power * (1 - 0x1p-53 * n),
                                     power * (1 - 0x1p-24 * n),
                                     ldexp(1 + n * 0x1p-52, n % 30 - 15)};
            for (size_t i = 0; i < sizeof values / sizeof *values; i++, tried += 2) {
                assert_shortest(values[i], &of_double, &fast);
                assert_shortest((double)(float)values[i], &of_float, &fast);
            }
        }
    }
    assert_true(fast > tried / 2);
}

TEST(durations, HOST)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "0 s"},
        {59.4, "59 s"},
        {59.5, "1 min 0 s"},
        {61, "1 min 1 s"},
        {3599.4, "59 min 59 s"},
        {3599.5, "1 h 0 min"},
        {20718, "5 h 45 min"},
        {86369, "23 h 59 min"},
        {86370, "1 d 0 h"},
        {9e6, "104 d 4 h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(cli_duration(cases[i].seconds), cases[i].text);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(selection, HOST)
{
    double values[257], sorted[257];
    uint32_t random = 1;
    for (int64_t count = 1; count <= 257; count += 1 + count / 8) {
        for (unsigned kinds = 1; kinds < 2000; kinds *= 3) { /* few kinds: many equal values */
            for (int64_t i = 0; i < count; i++) {
                random = random * 1664525u + 1013904223u;
                values[i] = sorted[i] = (double)(random / 65536 % kinds);
            }
            qsort(sorted, (size_t)count, sizeof *sorted, compare);
            for (int64_t k = 0; k < count; k += 1 + count / 7)
                assert_true(select_kth(values, count, k) == sorted[k]);
        }
    }
    double q[QUANTILES], few[] = {NAN, 3, INFINITY, 1, 2, -INFINITY};
    assert_true(quantiles(few, 6, q));
    assert_true(q[Q05] == 1 && q[Q50] == 2 && q[Q95] == 2);
    assert_false(quantiles(few + 3, 0, q));
}

TEST(ticks, HOST)
{
    static const double ranges[] = {1, 0.99, 3.7, 1e-300, 5e-324, 1e300, 1.7e308, 123456};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        int decimals;
        double step = tick_step(ranges[i], 10, &decimals);
        assert_true(step > 0 && ranges[i] / step <= 10);
        assert_true(ranges[i] < 1e-320 || ranges[i] / step > 3.9);
    }
}

/* Sixteen quantiles of the normal distribution, at (2 i + 1) / 32. */
static const double sixteen[] = {-1.8627, -1.3180, -1.0100, -0.7764, -0.5791, -0.4023, -0.2372, -0.0784,
                                 0.0784,  0.2372,  0.4023,  0.5791,  0.7764,  1.0100,  1.3180,  1.8627};

/* moments_good of `count` numbers: `sixteen` times `scale` plus `shift`, number `at` of which is `value`. */
static int moments_of(size_t element, uint64_t count, double scale, double shift, uint64_t at, double value,
                      char why[120])
{
    static float singles[65536];
    static double doubles[65536];
    for (uint64_t i = 0; i < count; i++) {
        doubles[i] = i == at ? value : scale * sixteen[i % 16] + shift;
        singles[i] = (float)doubles[i];
    }
    *why = 0;
    return moments_good(element == 8 ? (const void *)doubles : singles, count, element, why, 120);
}

TEST(moments, HOST)
{
    const double unit = 1.0405; /* makes the mean square 1 */
    char why[120];
    for (size_t element = 4; element <= 8; element += 4) {
        assert_true(moments_of(element, 65536, unit, 0, 65536, 0, why));
        /* of 65,536 the mean may be off by 0.024, the mean square by 0.035 */
        assert_true(moments_of(element, 65536, unit, 0.020, 65536, 0, why));
        assert_false(moments_of(element, 65536, unit, 0.026, 65536, 0, why));
        assert_string_equal(why, "the mean of 65,536 is 0.0260");
        assert_false(moments_of(element, 65536, unit, -0.026, 65536, 0, why));
        assert_true(moments_of(element, 65536, 1.012 * unit, 0, 65536, 0, why));
        assert_false(moments_of(element, 65536, 1.020 * unit, 0, 65536, 0, why));
        assert_non_null(strstr(why, "the mean square of 65,536 is 1.04"));
        assert_false(moments_of(element, 65536, 0.98 * unit, 0, 65536, 0, why));
        assert_false(moments_of(element, 65536, 0, 0, 65536, 0, why)); /* not normals at all */
        assert_false(moments_of(element, 65536, unit, 0, 5000, (double)NAN, why));
        assert_string_equal(why, "number 5,000 of them is not finite, or was not written");
        assert_false(moments_of(element, 65536, unit, 0, 65535, (double)INFINITY, why));
        /* and of few numbers hardly anything is impossible */
        assert_true(moments_of(element, 1, unit, 0, 0, 6.0, why));
        assert_false(moments_of(element, 1, unit, 0, 0, 6.3, why));
        assert_true(moments_of(element, 2, unit, 0, 2, 0, why));
    }
}

/* Student's printed table. */
TEST(student_quantiles, HOST)
{
    static const struct {
        uint64_t freedom;
        double quantile;
    } student[] = {{1, 12.706}, {4, 2.776}, {5, 2.571}, {6, 2.447}, {9, 2.262}, {30, 2.042}, {1000, 1.962}};
    for (size_t i = 0; i < sizeof student / sizeof *student; i++)
        assert_true(fabs(bailey_student_95(student[i].freedom) - student[i].quantile) < 0.0006);
}

/* Standard error, which tests of bad input do not fill. */
static int kept_stderr;

static int silence(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/file", test_folder());
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    return kept_stderr < 0 || !freopen("/dev/null", "w", stderr);
}

static int restore(void **state)
{
    (void)state;
    fflush(stderr);
    int failed = dup2(kept_stderr, STDERR_FILENO) < 0;
    close(kept_stderr);
    return failed;
}
FIXTURE(silence, restore)
