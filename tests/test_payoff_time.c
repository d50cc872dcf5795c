/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * All payoff code of the library and in blocks of pages is read and checked in less than a millisecond of the
 * processor; and twice the code takes no more than about twice the time. Times are the least of several, as
 * other work on the machine only adds to them.
 */
#include "harness.h"

#include <host/payoff/language.h>

#include <glob.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MOST_SECONDS 0.05
#else
#define MOST_SECONDS 0.001
#endif
#define REPETITIONS 25

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bailey_status read_as(enum bly_unit_kind kind, const char *code, size_t length)
{
    struct bly_unit unit = {.kind = kind,
                            .dims = 10, /* as many as an example takes */
                            .steps = kind == BLY_UNIT_PAYOFF ? 12 : 0,
                            .levels = kind == BLY_UNIT_MOTION ? 5 : 0,
                            .code = code,
                            .length = length,
                            .argument = "payoff"};
    bly_unit_name(&unit, NULL);
    const bailey_status status = bly_unit_read(&unit);
    bly_unit_free(&unit);
    return status;
}

static double time_of(enum bly_unit_kind kind, const char *code, size_t length)
{
    double least = 1e9;
    for (int i = 0; i < REPETITIONS; i++) {
        const double begin = seconds();
        read_as(kind, code, length);
        const double took = seconds() - begin;
        if (took < least) least = took;
    }
    return least;
}

/* ---- Code in files ------------------------------------------------------------------------------- */

static int found, slow;

/* Of a payoff, levels, or a payoff on a motion: what accepts it. */
static void measure(const char *file, const char *code, size_t length)
{
    for (int kind = BLY_UNIT_PAYOFF; kind <= BLY_UNIT_LEVELS; kind++) {
        if (read_as((enum bly_unit_kind)kind, code, length) != BAILEY_OK) continue;
        const double took = time_of((enum bly_unit_kind)kind, code, length);
        if (getenv("BAILEY_TEST_VERBOSE"))
            print_message("%s: %zu bytes, %.3f ms\n", file, length, took * 1e3);
        if (took > MOST_SECONDS) print_error("%s: %.3f ms for %zu bytes\n", file, took * 1e3, length);
        slow += took > MOST_SECONDS;
        found++;
        return;
    }
    read_as(BLY_UNIT_PAYOFF, code, length);
    fail_msg("%s: %s", file, bailey_error_message());
}

static bool is_code(const char *text, size_t length)
{
    static const char *const signs[] = {"\nvoid step(", "\nvoid whole("};
    char *copy = calloc(length + 1, 1);
    bool has = false;
    memcpy(copy, text, length);
    for (int i = 0; i < 2; i++) has |= strstr(copy, signs[i]) != NULL;
    has = has && !strstr(copy, "/* wrong") && !strstr(copy, "#include");
    free(copy);
    return has;
}

/* Blocks that begin with ```c. */
static void measure_page(const char *file, const char *text)
{
    while ((text = strstr(text, "```c\n"))) {
        const char *begin = text + 5, *end = strstr(begin, "\n```");
        if (!end) return;
        if (is_code(begin - 1, (size_t)(end - begin) + 1)) measure(file, begin, (size_t)(end - begin));
        text = end + 4;
    }
}

TEST(in_files, HOST)
{
    static const char *const patterns[] = {"src/host/simulate/payoffs/*.c", "src/host/mlmc/levels/*.c",
                                           "examples/heston-basket/payoff.c", "docs/*.md",
                                           "docs/developers/*.md"};
    glob_t files = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char pattern[1024];
        snprintf(pattern, sizeof pattern, BLY_SOURCE_DIR "/%s", patterns[i]);
        assert_int_equal(glob(pattern, i ? GLOB_APPEND : 0, NULL, &files), 0);
    }
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = calloc(1, 1 << 20);
        FILE *file = fopen(files.gl_pathv[i], "rb");
        if (!file) fail_msg("no %s", files.gl_pathv[i]);
        const size_t length = fread(text, 1, (1 << 20) - 1, file);
        fclose(file);
        if (strstr(files.gl_pathv[i], ".md"))
            measure_page(files.gl_pathv[i], text);
        else
            measure(files.gl_pathv[i], text, length);
        free(text);
    }
    globfree(&files);
    print_message("%d payoffs and levels\n", found);
    assert_in_range(found, 20, 1000);
    assert_int_equal(slow, 0);
}

/* ---- Growth -------------------------------------------------------------------------------------- */

#define STEP "void step(state *s, const params *p, int i, real t, const real x[]) {"
#define FINISH "void finish(const state *s, const params *p, real out[]) {"

static const struct {
    const char *what, *before, *format, *after; /* the format takes a number, and the one before it */
    unsigned count;
} growth[] = {
    {"statements", STEP "int a = 1;", "a = a * 3 + %1$u;", "}" FINISH "out[0] = 1; }", 300},
    {"variables", STEP, "real a%1$u = t * %2$u;", "}" FINISH "out[0] = 1; }", 300},
    {"uses", STEP "int a0 = i;", "int a%1$u = a%2$u + 1;", "}" FINISH "out[0] = 1; }", 300},
    {"branches", STEP "int a = i;", "if (i > %1$u) a += 1; else a -= %2$u;", "}" FINISH "out[0] = 1; }", 200},
    {"loops", STEP "int a = i;", "for (int k = 0; k < %1$u; k++) a += k;", "}" FINISH "out[0] = 1; }", 100},
    {"arrays", STEP, "real h%1$u[4]; for (int k = 0; k < 4; k++) h%1$u[k] = t;", "}" FINISH "out[0] = 1; }",
     60},
    {"functions", "real f0(real x) { return x; }\n", "real f%1$u(real x) { return x * %2$u; }\n",
     STEP "}" FINISH "out[0] = f1(2); }", 200},
    {"constants", "", "static const real c%1$u = %2$u;\n", STEP "}" FINISH "out[0] = c1; }", 200},
    {"macros", "#define m0(x) 1\n",
     "#define m%1$u(x) (x + m%2$u(x))\nconst int c%1$u = m%2$u(1);\n#undef m%2$u\n#define m%2$u(x) 1\n",
     STEP "}" FINISH "out[0] = 1; }", 100},
    {"comments", "", "/* comment %1$u */ // another\n", STEP "}" FINISH "out[0] = 1; }", 1000},
};

static size_t grow(size_t i, unsigned count, char *code, size_t size)
{
    size_t used = (size_t)snprintf(code, size, "%s", growth[i].before);
    for (unsigned k = 1; k <= count; k++)
        used += (size_t)snprintf(code + used, size - used, growth[i].format, k, k - 1);
    return used + (size_t)snprintf(code + used, size - used, "%s", growth[i].after);
}

/* Four times the code takes 4 times the time where that grows in proportion, and 16 times where with the
 * square. */
TEST(grows_in_proportion, HOST)
{
    static char code[1 << 20];
    for (size_t i = 0; i < sizeof growth / sizeof *growth; i++) {
        double times[2];
        for (int large = 0; large < 2; large++) {
            const size_t length = grow(i, growth[i].count * (large ? 4 : 1), code, sizeof code);
            if (read_as(BLY_UNIT_PAYOFF, code, length) != BAILEY_OK)
                fail_msg("%s: %s", growth[i].what, bailey_error_message());
            times[large] = time_of(BLY_UNIT_PAYOFF, code, length);
        }
        if (getenv("BAILEY_TEST_VERBOSE"))
            print_message("%s: %.3f ms, 4 times as many %.3f ms\n", growth[i].what, times[0] * 1e3,
                          times[1] * 1e3);
        if (times[1] > 9 * times[0] + 1e-4)
            fail_msg("%s: %.3f ms, 4 times as many %.3f ms", growth[i].what, times[0] * 1e3, times[1] * 1e3);
    }
}
