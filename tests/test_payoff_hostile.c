/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code that is made to take time or memory: it is answered within the steps of a second (steps.h) and
 * 64 MiB. No device, no context.
 */
#define _GNU_SOURCE
#include "harness.h"
#include "steps.h"

#include <base/alloc.h>
#include <base/text.h>
#include <host/payoff/language.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(SANITIZED)
#define SANITIZED 0
#endif

#define MOST_BYTES ((rlim_t)64 << 20)
#define MEBIBYTE ((size_t)1 << 20)

/* Code that grows. */
static char *code;
static size_t used;
static const size_t room = 128 * MEBIBYTE;

static void add(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(code + used, room - used, format, arguments);
    va_end(arguments);
}

static void repeat(const char *what, size_t times)
{
    const size_t length = strlen(what);
    for (size_t i = 0; i < times && used + length < room; i++, used += length)
        memcpy(code + used, what, length);
    code[used] = 0;
}

/* What follows is within the 1 MiB that code may have. */
static void fill(const char *what) { repeat(what, (MEBIBYTE - used) / strlen(what)); }

#define STEP "void step(state *s, const params *p, int i, real t, const real x[]) {"
#define FINISH "void finish(const state *s, const params *p, real out[]) {"
#define REST "}" FINISH "out[0] = 0; }\n"

/* ---- The code ------------------------------------------------------------------------------------ */

static void large(void) { repeat("int a; ", 100 * MEBIBYTE / 7); }
static void large_comment(void) { add("/*"), fill("**"); }
static void large_line(void) { fill("x"), used -= 100, add("@"); }
static void zeros(void) { repeat("x", MEBIBYTE), memset(code, 0, MEBIBYTE); }
static void no_utf8(void) { fill("\xff\xfe\x80"); }
static void no_utf8_in_comment(void) { add("/* "), fill("\xff\xfe\x80"), used -= 100, add("*/ @"); }
static void comments(void) { fill("//\n"); }
static void line_ends(void) { fill("\n"), used -= 1, add("@"); }
static void splices(void) { fill("\\\n"), used -= 2, add(" @"); }
static void one_number(void) { fill("1e+"); }
static void signs(void) { fill("+"); }

static void brackets(void) { repeat("(", 100000); }
static void pairs_of_brackets(void)
{
    add(STEP "real y = ");
    repeat("(", 100000), add("0"), repeat(")", 100000), add(";" REST);
}
static void braces(void) { add(STEP), repeat("{", 100000), repeat("}", 100000), add(REST); }
static void indices(void)
{
    add(STEP "t = "), repeat("x[", 100000), add("0"), repeat("]", 100000), add(";" REST);
}
static void minuses(void) { add(STEP "real y = "), repeat("- ", 100000), add("1;" REST); }
static void nots(void) { add(STEP "int y = "), repeat("!", 100000), add("1;" REST); }
static void casts(void) { add(STEP "int y = "), repeat("(int)", 100000), add("1;" REST); }
static void ifs(void) { add(STEP), repeat("if (i) ", 50000), add(";" REST); }
static void elses(void) { add(STEP), repeat("if (i) ; else ", 30000), add(";" REST); }
static void fors(void) { add(STEP), repeat("for (;;) ", 30000), add(";" REST); }
static void dos(void) { add(STEP), repeat("do ", 50000), add(";" REST); }
static void conditionals(void) { add(STEP "int y = "), repeat("i ? i : ", 30000), add("1;" REST); }
static void calls(void)
{
    add(STEP "real y = "), repeat("exp(", 100000), add("0"), repeat(")", 100000), add(";" REST);
}
static void sums(void) { add(STEP "real y = 0"), repeat(" + 1", 100000), add(";" REST); }
static void long_and(void) { add(STEP "int y = 0"), repeat(" && 1", 100000), add(";" REST); }
static void assignments(void) { add(STEP "int y = 0; y"), repeat(" = y", 100000), add(";" REST); }
static void commas(void) { add(STEP "int y = 0; y++"), repeat(", y++", 80000), add(";" REST); }
static void arrow(void) { add(STEP "real y = s"), repeat("->s", 80000), add(";" REST); }
static void cases(void)
{
    add(STEP "switch (i) {");
    for (unsigned k = 0; k < 60000; k++) add("case %u:", k);
    add(";}" REST);
}
static void switches(void)
{
    add(STEP), repeat("switch (i) { case 0: ", 20000), repeat("}", 20000), add(REST);
}
static void initials(void) { add("const int a[] = {"), repeat("1, ", 120000), add("1};" STEP REST); }
static void nested_initials(void)
{
    add("const int a[] = "), repeat("{", 100000), repeat("}", 100000), add(";" STEP REST);
}
static void types(void)
{
    for (unsigned k = 0; k < 20000; k++) add("typedef struct { int a, b; } t%u;\n", k);
    add(STEP REST);
}
static void growing_types(void)
{
    add("typedef struct { real a[2]; } t0;");
    for (unsigned k = 1; k < 15000; k++) add("typedef struct { t%u a, b; } t%u;\n", k - 1, k);
    add(STEP REST);
}
static void huge_array(void) { add(STEP "real a[2147483647][2147483647][2147483647];" REST); }
static void dimensions(void) { add(STEP "int a"), repeat("[1]", 80000), add(";" REST); }
static void sizes(void) { add(STEP "int a[0"), repeat("+1", 100000), add("];" REST); }
static void enums(void)
{
    add("enum {");
    for (unsigned k = 0; k < 80000; k++) add("e%u,", k);
    add("};" STEP REST);
}

/* 10^6 names cannot be: code of 1 MiB has less than that, and less than 2^18 tokens. */
static void million_names(void)
{
    for (unsigned k = 0; k < 1000000; k++) add("int n%u;\n", k);
}
static void names(const char *before, const char *format, const char *after, unsigned count)
{
    add("%s", before);
    for (unsigned k = 0; k < count && used < MEBIBYTE - 1000; k++) add(format, k, k ? k - 1 : 0);
    add("%s", after);
}
static void locals(void) { names(STEP, "int n%u;", REST, 90000); }
static void constants(void) { names("", "const int n%u=1;", STEP REST, 60000); }
static void fields(void) { names("typedef struct {", "int n%u;", "} params;" STEP REST, 80000); }
static void functions(void) { names("", "int f%u(){return 1;}", STEP REST, 26000); }
static void chain_of_functions(void) { names("", "int f%u(){return f%u();}\n", STEP REST, 20000); }
static void doubled_calls(void)
{
    add("int f0(int i) { return i; }\n");
    for (unsigned k = 1; k < 12000; k++) add("int f%u(int i) { return f%u(f%u(i)); }\n", k, k - 1, k - 1);
    add(STEP REST);
}
static void parameters(void) { names("int f(int a", ", int n%u", ") { return a; }" STEP REST, 80000); }
static void declarators(void) { names(STEP "int a", ", n%u = n%u", ";" REST, 50000); }
static void shadows(void) { add(STEP), repeat("{int a;", 40000), repeat("}", 40000), add(REST); }
static void blocks(void) { add(STEP), repeat("{int a; a = 1;}", 30000), add(REST); }
static void nested_loops(void)
{
    add(STEP);
    for (unsigned k = 0; k < 180; k++) add("for (int k%u = 0; k%u < 1000000; k%u++) ", k, k, k);
    add(";" REST);
}
static void many_loops(void)
{
    add(STEP "int a = 0;"), repeat("for (int k = 0; k < 9; k++) a++;", 12000), add(REST);
}
static void loops_in_loops(void)
{
    add(STEP "int a = 0;");
    for (unsigned k = 0; k < 190; k++) add("for (int k%u = 0; k%u < 3; k%u++) {", k, k, k);
    repeat("a += k1;", 40000), repeat("}", 190), add(REST);
}
static void ranges(void)
{
    add(STEP "int a = 1, h[4]; h[0] = 0;"), repeat("a = a * 3 + h[a & 3];", 18000), add(REST);
}
static void branches(void) { add(STEP "int a;"), repeat("if (i > 3) a = 1; else a = a;", 12000), add(REST); }

/* Code that reaches the checks: less of it, so that it fits the memory of the parser. */
static void checked_statements(void)
{
    add(STEP "int a = 1, h[4] = {0};"), repeat("a = a * 3 + h[a & 3];", 5000), add(REST);
}
static void checked_loops(void)
{
    add(STEP "int a = 0;"), repeat("for (int k = 0; k < i; k++) a += k;", 2500), add(REST);
}
static void checked_nest(void)
{
    add(STEP "int a = 0;");
    for (unsigned k = 0; k < 90; k++) add("for (int k%u = 0; k%u < i; k%u++) {", k, k, k);
    repeat("a += k1; if (a > 3) a = k2;", 1500), repeat("}", 90), add(REST);
}
static void checked_nest_of_whiles(void)
{
    add(STEP "int a = 0, b = 7;"), repeat("while (a < b) { a++; if (b > a) break; do { b--; ", 60);
    repeat("a ^= b; ", 500), repeat("} while (b > 3); }", 60), add(REST);
}
static void checked_branches(void)
{
    add(STEP "int a = 0;"), repeat("if (i > a) a += 1; else if (i < a) a -= i; else a *= 2;", 2000),
        add(REST);
}
static void checked_cells(void)
{
    add(STEP "int h[200000]; for (int k = 0; k < 200000; k++) h[k] = k;"), repeat("if (i) h[i] = i; ", 3000),
        add(REST);
}
static void checked_variables(void)
{
    names(STEP, "int n%u = i;", "", 3000), repeat("if (i > 3) n7 = n8; ", 3000), add(REST);
}
static void checked_loop_of_variables(void)
{
    names(STEP, "int n%u = i;", "for (int k = 0; k < i; k++) {", 1500);
    for (unsigned k = 1; k < 1500; k++) add("n%u += n%u;", k, k - 1);
    add("}" REST);
}
static void checked_doubled_calls(void)
{
    add("int f0(int i) { return i; }\n");
    for (unsigned k = 1; k < 150; k++) add("int f%u(int i) { return f%u(f%u(i)); }\n", k, k - 1, k - 1);
    add(STEP "int a = f149(i);" REST);
}
static void checked_loops_of_calls(void)
{
    add("int f0(int i) { return i; }\n");
    for (unsigned k = 1; k < 60; k++)
        add("int f%u(int i) { int a = 0; for (int k = 0; k < i; k++) a += f%u(k) + f%u(a); return a; }\n", k,
            k - 1, k - 1);
    add(STEP "int a = f59(i);" REST);
}
static void checked_calls_by_pointer(void)
{
    add("void f(int h[], int n) { for (int k = 0; k < 4; k++) h[k] += n; }\n" STEP "int h[4] = {0};");
    repeat("f(h, i); ", 5000), add(REST);
}
static void checked_switches(void)
{
    add(STEP "int a = 0; for (int k = 0; k < 100; k++) switch (a) {");
    for (unsigned k = 0; k < 3000; k++) add("case %u: a = k + %u; break;", k, k);
    add("}" REST);
}

static void macros(void) { names("", "#define m%u 1\n", STEP REST, 60000); }
static void chain_of_macros(void)
{
    add("#define m0 1\n");
    for (unsigned k = 1; k < 40000; k++) add("#define m%u m%u\n", k, k - 1);
    add(STEP "int y = m39999;" REST);
}
static void doubling(const char *first)
{
    add("#define m0 %s\n", first);
    for (unsigned k = 1; k < 100; k++) add("#define m%u m%u m%u\n", k, k - 1, k - 1);
    add("m99\n");
}
static void exponential(void) { doubling("1"); }
static void exponential_nothing(void) { doubling(""); }
static void exponential_calls(void)
{
    add("#define F(x) x x\n"), repeat("F(", 190), add("1"), repeat(")", 190);
}
static void exponential_nothing_calls(void)
{
    add("#define F(x) x x\n"), repeat("F(", 190), repeat(")", 190);
}
static void exponential_condition(void) { doubling("+"), used -= 4, add("#if m99 1\n#endif\n"); }
static void nested_macro_calls(void)
{
    add("#define F(x) x\n"), repeat("F(", 80000), add("1"), repeat(")", 80000);
}
static void growing_calls(void)
{
    add("#define F0(x) x\n");
    for (unsigned k = 1; k < 3000; k++) add("#define F%u(x) F%u(x)\n", k, k - 1);
    add("F2999("), repeat("1 ", 80000), add(")");
}
static void mutual(void) { add("#define A B A B\n#define B A B A\n"), repeat("A B ", 60000); }
static void rescans(void) { add("#define F(x) x F\n"), add("F(1)"), repeat("(1)", 60000); }
static void arguments(void) { add("#define F(x) x\nF("), repeat(",", 200000), add(")"); }
static void macro_parameters(void) { names("#define F(a", ",p%u", ") 1\n", 100000); }
static void groups(void) { fill("#if 1\n"); }
static void pairs_of_groups(void) { fill("#if 1\n#endif\n"); }
static void elifs(void) { add("#if 0\n"), repeat("#elif 0\n", 50000), add("#endif\n" STEP REST); }
static void condition_brackets(void) { add("#if "), repeat("(", 100000); }
static void condition_nots(void) { add("#if "), repeat("!", 100000), add("1\n#endif\n"); }
static void condition_questions(void) { add("#if "), repeat("1 ? 1 : ", 40000), add("1\n#endif\n"); }
static void condition_sums(void) { add("#if 1"), repeat("+1", 100000), add("\n#endif\n" STEP REST); }
static void condition_undefined(void) { names("#if 0", "+n%u", "\n#endif\n", 90000); }

static const struct {
    const char *name;
    void (*make)(void);
    bool accepted; /* else it is refused */
    bool either;   /* it may be */
} all[] = {
#define REFUSED(name)                                                                                        \
    {                                                                                                        \
#name, name, false, false                                                                            \
    }
#define GOOD(name)                                                                                           \
    {                                                                                                        \
#name, name, true, false                                                                             \
    }
#define EITHER(name)                                                                                         \
    {                                                                                                        \
#name, name, true, true                                                                              \
    }
    REFUSED(large_comment),
    REFUSED(large_line),
    REFUSED(zeros),
    REFUSED(no_utf8),
    REFUSED(no_utf8_in_comment),
    REFUSED(comments),
    REFUSED(line_ends),
    REFUSED(splices),
    REFUSED(one_number),
    REFUSED(signs),
    REFUSED(brackets),
    REFUSED(pairs_of_brackets),
    REFUSED(braces),
    REFUSED(indices),
    EITHER(minuses),
    EITHER(nots),
    EITHER(casts),
    EITHER(ifs),
    EITHER(elses),
    EITHER(fors),
    EITHER(dos),
    EITHER(conditionals),
    REFUSED(calls),
    EITHER(sums),
    EITHER(long_and),
    EITHER(assignments),
    EITHER(commas),
    EITHER(arrow),
    EITHER(cases),
    EITHER(switches),
    EITHER(initials),
    REFUSED(nested_initials),
    EITHER(types),
    EITHER(growing_types),
    EITHER(huge_array),
    EITHER(dimensions),
    EITHER(sizes),
    EITHER(enums),
    REFUSED(million_names),
    EITHER(locals),
    EITHER(constants),
    EITHER(fields),
    EITHER(functions),
    EITHER(chain_of_functions),
    EITHER(doubled_calls),
    EITHER(parameters),
    EITHER(declarators),
    REFUSED(shadows),
    EITHER(blocks),
    EITHER(nested_loops),
    EITHER(many_loops),
    EITHER(loops_in_loops),
    EITHER(ranges),
    EITHER(branches),
    EITHER(checked_statements),
    EITHER(checked_loops),
    EITHER(checked_nest),
    EITHER(checked_nest_of_whiles),
    EITHER(checked_branches),
    EITHER(checked_cells),
    EITHER(checked_variables),
    EITHER(checked_loop_of_variables),
    EITHER(checked_doubled_calls),
    EITHER(checked_loops_of_calls),
    EITHER(checked_calls_by_pointer),
    EITHER(checked_switches),
    EITHER(macros),
    EITHER(chain_of_macros),
    REFUSED(exponential),
    REFUSED(exponential_nothing),
    REFUSED(exponential_calls),
    EITHER(exponential_nothing_calls),
    REFUSED(exponential_condition),
    REFUSED(nested_macro_calls),
    REFUSED(growing_calls),
    REFUSED(mutual),
    EITHER(rescans),
    REFUSED(arguments),
    REFUSED(macro_parameters),
    REFUSED(groups),
    EITHER(pairs_of_groups),
    EITHER(elifs),
    REFUSED(condition_brackets),
    REFUSED(condition_nots),
    REFUSED(condition_questions),
    EITHER(condition_sums),
    EITHER(condition_undefined),
    REFUSED(large),
};

/* ---- The answer ---------------------------------------------------------------------------------- */

static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool prints(const struct bly_unit *unit)
{
    struct bly_text text = {0};
    bly_unit_print(unit, &(struct bly_printing){.prefix = "bly_own_"}, &text);
    const bool failed = text.failed;
    bly_free(text.data);
    return !failed;
}

/* In a child, whose memory is limited. The exit status says what is wrong. */
static int answer(enum bly_unit_kind kind, bool accepted, bool either)
{
    const size_t before = address_space();
    const struct rlimit limit = {before + MOST_BYTES, before + MOST_BYTES};
    if (!SANITIZED && before) setrlimit(RLIMIT_AS, &limit);
    steps = 0;
    struct bly_unit unit = {.kind = kind,
                            .dims = 3,
                            .steps = 12,
                            .levels = 5,
                            .code = code,
                            .length = used,
                            .argument = "payoff"};
    bly_unit_name(&unit, NULL);
    const bailey_status status = bly_unit_read(&unit);
    const bool printed = status != BAILEY_OK || prints(&unit);
    bly_unit_free(&unit);
    const unsigned long long took = steps;
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("  %llu steps: %.200s\n", took, status ? bailey_error_message() : "good");
    if (took > STEPS_A_SECOND) return 2;
    if (!printed) return 3;
    if (status != BAILEY_OK && status != BAILEY_ERROR_INVALID) return 3;
    return either || (status == BAILEY_OK) == accepted ? 0 : 4;
}

static bool is_answered(size_t i, enum bly_unit_kind kind)
{
    static const char *const wrong[] = {"", "it fails", "it takes too long", "it takes too much memory",
                                        "it is accepted"};
    used = 0;
    all[i].make();
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("%s, kind %d, %zu bytes\n", all[i].name, (int)kind, used);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) _exit(answer(kind, all[i].accepted, all[i].either));
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) fail_msg("no child process");
    const int code_of = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (code_of)
        print_error("%s: %s, status %#x\n", all[i].name, wrong[code_of < 5 ? code_of : 1], (unsigned)status);
    return code_of == 0;
}

TEST(answers, HOST)
{
    int failures = 0;
    code = allocate(room);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int kind = 0; kind < (SANITIZED ? 1 : 3); kind++)
            failures += !is_answered(i, (enum bly_unit_kind)kind);
    free(code);
    assert_int_equal(failures, 0);
}
