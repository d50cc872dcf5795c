/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How long payoff code takes to be read and checked: all that the library and its pages have takes about as
 * long as a millisecond; four times the code takes about four times as long; and what is made to take long is
 * answered. In steps (steps.h), so that no other work on the machine counts.
 */
#define _GNU_SOURCE
#include "checked_code.h"
#include "steps.h"

#include <glob.h>

#define MOST_STEPS (STEPS_A_SECOND / 1000)

static bailey_status read_as(enum bly_unit_kind kind, const char *text, size_t length)
{
    struct bly_unit unit = {.kind = kind,
                            .dims = 10, /* as many as an example takes */
                            .steps = kind == BLY_UNIT_PAYOFF ? 12 : 0,
                            .levels = kind == BLY_UNIT_MOTION ? 5 : 0,
                            .code = text,
                            .length = length,
                            .argument = "payoff"};
    bly_unit_name(&unit, NULL);
    const bailey_status status = bly_unit_read(&unit);
    bly_unit_free(&unit);
    return status;
}

static uint64_t steps_of(enum bly_unit_kind kind, const char *text, size_t length)
{
    steps = 0;
    read_as(kind, text, length);
    return steps;
}

/* ---- Code in files ------------------------------------------------------------------------------- */

static int found, slow;

/* For a payoff, levels, or a payoff on a motion: what accepts it. */
static void measure(const char *file, const char *text, size_t length)
{
    for (int kind = BLY_UNIT_PAYOFF; kind <= BLY_UNIT_LEVELS; kind++) {
        if (read_as((enum bly_unit_kind)kind, text, length) != BAILEY_OK) continue;
        const uint64_t took = steps_of((enum bly_unit_kind)kind, text, length);
        if (getenv("BAILEY_TEST_VERBOSE") || took > MOST_STEPS)
            print_message("%s: %zu bytes, %llu steps\n", file, length, (unsigned long long)took);
        slow += took > MOST_STEPS;
        found++;
        return;
    }
    read_as(BLY_UNIT_PAYOFF, text, length);
    fail_msg("%s: %s", file, bailey_error_message());
}

/* Whole code: models and products are parts of it. */
static bool is_code(const char *text, size_t length)
{
    static const char *const signs[] = {"\nvoid step(", "\nvoid whole("};
    char *copy = calloc(length + 1, 1);
    bool has = false;
    memcpy(copy, text, length);
    for (int i = 0; i < 2; i++) has |= strstr(copy, signs[i]) != NULL;
    has = has && !strstr(copy, "/* wrong") && !strstr(copy, "#include") && !strstr(copy, "\n * kind: ");
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
        else if (is_code(text, length))
            measure(files.gl_pathv[i], text, length);
        free(text);
    }
    globfree(&files);
    print_message("%d payoffs and levels\n", found);
    assert_in_range(found, 17, 1000);
    assert_int_equal(slow, 0);
}

/* ---- Growth -------------------------------------------------------------------------------------- */

#define WALK "void step(state *s, const params *p, int i, real t, const real x[]) {"
#define FINISH "void finish(const state *s, const params *p, real out[]) {"

static const struct {
    const char *what, *before, *format, *after; /* the format takes a number, and the one before it */
    unsigned count;
} growth[] = {
    {"statements", WALK "int a = 1;", "a = a * 3 + %1$u;", "}" FINISH "out[0] = 1; }", 300},
    {"variables", WALK, "real a%1$u = t * %2$u;", "}" FINISH "out[0] = 1; }", 300},
    {"uses", WALK "int a0 = i;", "int a%1$u = a%2$u + 1;", "}" FINISH "out[0] = 1; }", 300},
    {"branches", WALK "int a = i;", "if (i > %1$u) a += 1; else a -= %2$u;", "}" FINISH "out[0] = 1; }", 200},
    {"loops", WALK "int a = i;", "for (int k = 0; k < %1$u; k++) a += k;", "}" FINISH "out[0] = 1; }", 100},
    {"arrays", WALK, "real h%1$u[4]; for (int k = 0; k < 4; k++) h%1$u[k] = t;", "}" FINISH "out[0] = 1; }",
     60},
    {"functions", "real f0(real x) { return x; }\n", "real f%1$u(real x) { return x * %2$u; }\n",
     WALK "}" FINISH "out[0] = f1(2); }", 200},
    {"constants", "", "static const real c%1$u = %2$u;\n", WALK "}" FINISH "out[0] = c1; }", 200},
    {"macros", "#define m0(x) 1\n",
     "#define m%1$u(x) (x + m%2$u(x))\nconst int c%1$u = m%2$u(1);\n#undef m%2$u\n#define m%2$u(x) 1\n",
     WALK "}" FINISH "out[0] = 1; }", 100},
    {"comments", "", "/* comment %1$u */ // another\n", WALK "}" FINISH "out[0] = 1; }", 1000},
};

static size_t grow(size_t i, unsigned count, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", growth[i].before);
    for (unsigned k = 1; k <= count; k++)
        used += (size_t)snprintf(text + used, size - used, growth[i].format, k, k - 1);
    return used + (size_t)snprintf(text + used, size - used, "%s", growth[i].after);
}

/* Four times the code takes 4 times the steps where those grow in proportion, and 16 times where with the
 * square. */
TEST(grows_in_proportion, HOST)
{
    static char text[1 << 20];
    for (size_t i = 0; i < sizeof growth / sizeof *growth; i++) {
        unsigned long long took[2];
        for (int large = 0; large < 2; large++) {
            const size_t length = grow(i, growth[i].count * (large ? 4 : 1), text, sizeof text);
            if (read_as(BLY_UNIT_PAYOFF, text, length) != BAILEY_OK)
                fail_msg("%s: %s", growth[i].what, bailey_error_message());
            took[large] = steps_of(BLY_UNIT_PAYOFF, text, length);
        }
        if (getenv("BAILEY_TEST_VERBOSE"))
            print_message("%s: %llu steps, 4 times as many %llu\n", growth[i].what, took[0], took[1]);
        if (took[1] > 5 * took[0])
            fail_msg("%s: %llu steps, 4 times as many %llu", growth[i].what, took[0], took[1]);
    }
}

/* ---- Code that is made to take long --------------------------------------------------------------- */

static size_t add(size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(code + used, sizeof code - used, format, arguments);
    va_end(arguments);
    assert_true(used < sizeof code);
    return used;
}

/* Loops in each other, each of which changes what the others know. */
static void nest(int depth)
{
    size_t used = add(0, "%sint a = 0, b = 7;\n", HEAD START STEP);
    for (int i = 0; i < depth; i++)
        used = add(used, "for (int k%d = a; k%d < p->n; k%d += b) { a += k%d;\n", i, i, i, i);
    used = add(used, "s->h[a] = b; b = a + b * 3;");
    for (int i = 0; i < depth; i++) used = add(used, "b ^= a; }");
    add(used, "%s", END);
}

/* Functions that each call the one before twice: `depth` calls in each other, 2^depth in all. */
static void calls(int depth, const char *loop)
{
    size_t used = add(0, "%sint f0(int k) { return k + 1; }\n", HEAD);
    for (int i = 1; i <= depth; i++)
        used = add(used, "int f%d(int k) { int r = 0; %s r = f%d(k + r) + f%d(r - k); return r; }\n", i, loop,
                   i - 1, i - 1);
    add(used, "%ss->k = f%d(p->n);%s", START STEP, depth, END);
}

static void takes_little(const char *what, const char *message)
{
    struct bly_unit unit;
    steps = 0;
    const bailey_status status = check(&unit, &twelve, code);
    const unsigned long long took = steps;
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("%s: %llu steps, %u sites\n", what, took, unit.site_count);
    if (took > STEPS_A_SECOND) fail_msg("%s: %llu steps", what, took);
    if (message)
        assert_non_null(strstr(status == BAILEY_OK ? "accepted" : bailey_error_message(), message));
    else if (status != BAILEY_OK)
        fail_msg("%s: %s", what, bailey_error_message());
    bly_unit_free(&unit);
}

TEST(hostile, HOST)
{
    for (int depth = 1; depth <= 95; depth += depth < 8 ? 1 : 29)
        nest(depth), takes_little("loops in loops", NULL);
    calls(12, ""), takes_little("calls in calls", NULL);
    calls(30, ""), takes_little("calls in calls",
                                "f14 is too large: with the functions that it calls, each call counted");
    calls(190, ""), takes_little("calls in calls", "is too large");
    calls(8, "for (int j = 0; j < 8; j++)");
    takes_little("loops in calls", NULL);
}

/* Where the walk is given up, nothing is proved, but for what stands there; and all of it is tested. */
TEST(given_up, HOST)
{
    nest(95);
    struct bly_unit unit;
    OK(check(&unit, &twelve, code));
    assert_int_equal(unit.site_count, 96); /* each loop and h[a] */
    bly_unit_free(&unit);
}
