/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random payoff code, interpreted, and printed and compiled by gcc and clang with and without optimisation:
 * all give the same bits, and fail at the same place. And code in which C leaves nothing open, compiled as it
 * stands.
 *
 * BAILEY_TEST_RANDOM is how many programs there are (default 1000, with BAILEY_TEST_QUICK 128),
 * BAILEY_TEST_SEED where they begin; with BAILEY_TEST_LARGE all compilers optimise all of them.
 */
#include <base/alloc.h>
#include <base/text.h>

#include "random_units.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define UNITS 128u /* of a file that is compiled */
#define PROGRAMS 1u

static const char *const compilers[] = {"gcc -O0", "gcc -O3 -march=native", "clang -O0",
                                        "clang -O3 -march=native"};
#define COMPILERS (sizeof compilers / sizeof *compilers)

static const char options_of_all[] =
    "-std=gnu11 -w -fPIC -shared -ffp-contract=off -fno-fast-math -fno-trapping-math "
    "-fno-math-errno -fno-strict-aliasing";

/* ---- Programs as C ------------------------------------------------------------------------------- */

/* What kernels/payoff_head.h gives, for one path. Calls are calls here: where everything is inlined a program
 * takes ten times as long to compile. */
static const char head[] =
    "#define BLY_FAULTS 1\n"
    "#define BLY_LOOP_BUDGET 500u\n"
    "#define BLY_LEVELS 0\n"
    "#define BLY_MOVES 0\n"
    "#define BLY_DIMS 2\n"
    "#define BLY_STEPS 5\n"
    "#define BLY_VALUES_SPACE\n"
    "#include <bailey/device/dialect.h>\n"
    "#include <string.h>\n"
    "typedef BLY_SCALAR real;\n"
    "typedef bailey_int32 int32;\n"
    "typedef bailey_uint32 uint32;\n"
    "typedef bailey_int64 int64;\n"
    "typedef bailey_uint64 uint64;\n"
    "#include <kernels/payoff_math.h>\n"
    "#define CALLED(name, arguments, made, root) \\\n"
    "    static __attribute__((noinline)) real called_##name BLY_PAYOFF_TAKES_##arguments \\\n"
    "    { return bly_payoff_##name BLY_PAYOFF_GIVES_##arguments; }\n"
    "BLY_PAYOFF_FUNCTIONS(CALLED)\n"
    "#define BLY_LOOP\n"
    "#undef BAILEY_FN\n"
    "#define BAILEY_FN static\n"
    "#include <kernels/payoff_path.h>\n"
    "#include <kernels/payoff_checked.h>\n";

static void say_head(struct bly_text *text)
{
    bly_text_add(text, "%s", head);
    for (size_t i = 0; i < bly_library_count(); i++)
        bly_text_add(text, "#define bly_payoff_%s called_%s\n", bly_library_at(i)->name,
                     bly_library_at(i)->name);
}

static void say_record(struct bly_text *text, const struct bly_record *record, const char *prefix)
{
    static const char *const types[] = {"", "real", "int", "uint32", "int64", "uint64"};
    bly_text_add(text, "typedef struct {\n");
    for (const struct bly_field_node *f = record ? record->fields : NULL; f; f = f->next) {
        const struct bly_type *type = f->type->kind == BLY_TYPE_ARRAY ? f->type->of : f->type;
        bly_text_add(text, "    %s %s%s", types[type->kind], prefix, f->name);
        if (f->type->kind == BLY_TYPE_ARRAY) bly_text_add(text, "[%u]", f->type->count);
        bly_text_add(text, ";\n");
    }
    bly_text_add(text, "    int none;\n}");
}

/* Sets the parameters p from numbers. */
static void say_parameters(struct bly_text *text, const struct bly_unit *unit, const char *prefix)
{
    uint32_t number = 0;
    for (const struct bly_field_node *f = unit->params ? unit->params->fields : NULL; f; f = f->next) {
        const int is_array = f->type->kind == BLY_TYPE_ARRAY;
        for (uint32_t i = 0; i < (is_array ? f->type->count : 1); i++) {
            bly_text_add(text, "    p.%s%s", prefix, f->name);
            if (is_array) bly_text_add(text, "[%u]", i);
            bly_text_add(text, " = given[%u];\n", number++);
        }
    }
}

/* Outputs and, after them, site and value of each path. */
static const char signature[] =
    "void %s_run(const double *given, const double *times, const double *points,\n"
    "    double *outputs, long long *failures)\n{\n";

static void say_run(struct bly_text *text, const struct random_unit *u, const char *name, const char *prefix,
                    int watched)
{
    const char *w = watched ? ", &w" : "", *again = watched ? "w.trips = BLY_LOOP_BUDGET;" : "";
    bly_text_add(text, signature, name);
    bly_text_add(text, "    %s_params p;\n", name);
    say_parameters(text, &u->unit, prefix);
    bly_text_add(text, "    for (int path = 0; path < %u; path++) {\n", RANDOM_PATHS);
    bly_text_add(text, "        real out[%u] = {0}, x[%u], constants[8 + %u];\n", RANDOM_OUTPUTS,
                 RANDOM_STEPS * RANDOM_DIMS, RANDOM_STEPS);
    bly_text_add(text, "        bly_watch w = {0, BLY_LOOP_BUDGET, 0};\n        %s_state s;\n", name);
    bly_text_add(text, "        memset(&s, %s, sizeof s);\n", u->unit.zeroes_state ? "0" : "0xa5");
    bly_text_add(text, "        for (int k = 0; k < %u; k++) x[k] = *points++;\n",
                 RANDOM_STEPS * RANDOM_DIMS);
    bly_text_add(text, "        for (int k = 0; k < %u; k++) constants[8 + k] = times[k];\n", RANDOM_STEPS);
    if (u->unit.whole) {
        bly_text_add(text, "        bly_path all = {x, 1, constants, BLY_DIMS, 0, 0};\n");
        bly_text_add(text, "        %s_whole(&p, all, out%s);\n", name, w);
    } else {
        bly_text_add(text, "        %s_start(&s, &p%s);\n", name, w);
        bly_text_add(text, "        for (int i = 0; i < BLY_STEPS; i++) {\n            %s\n", again);
        bly_text_add(text,
                     "            %s_step(&s, &p, i, constants[8 + i], x + i * BLY_DIMS%s);\n        }\n",
                     name, w);
        bly_text_add(text, "        %s\n        %s_finish(&s, &p, out%s);\n", again, name, w);
    }
    bly_text_add(text, "        for (int k = 0; k < %u; k++) *outputs++ = out[k];\n", RANDOM_OUTPUTS);
    bly_text_add(text, "        *failures++ = w.site;\n        *failures++ = w.value;\n    }\n}\n");
}

/* The names of the interface, one unit's after another's. */
static void rename_all(struct bly_text *text, const char *name)
{
    static const char *const names[][2] = {{"params", "params"},      {"bly_params", "params"},
                                           {"bly_state", "state"},    {"bly_own_start", "start"},
                                           {"bly_own_step", "step"},  {"bly_own_finish", "finish"},
                                           {"bly_own_whole", "whole"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        bly_text_add(text, "#undef %s\n#define %s %s_%s\n", names[i][0], names[i][0], name, names[i][1]);
}

static void say_printed(struct bly_text *text, const struct random_unit *u, const char *name)
{
    char prefix[40];
    const struct bly_printing printing = {.prefix = prefix};
    snprintf(prefix, sizeof prefix, "%s_own_", name);
    say_record(text, u->unit.params, "own_");
    bly_text_add(text, " %s_params;\n", name);
    say_record(text, u->unit.state, "own_");
    bly_text_add(text, " %s_state;\n", name);
    rename_all(text, name);
    bly_unit_print(&u->unit, &printing, text);
    say_run(text, u, name, "own_", u->unit.site_count > 0);
}

/* The code as it stands, with the names of the interface and what it shares with others renamed. */
static void say_plain(struct bly_text *text, const struct random_unit *u, const char *name)
{
    static const char *const names[] = {"params", "state", "start", "step", "finish", "tame"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        bly_text_add(text, "#undef %s\n#define %s %s_%s\n", names[i], names[i], name, names[i]);
    bly_text_add(text, "#undef DIMS\n#undef STEPS\n#define DIMS %u\n#define STEPS %u\n", RANDOM_DIMS,
                 RANDOM_STEPS);
    for (size_t i = 0; i < bly_library_count(); i++)
        bly_text_add(text, "#undef %s\n#define %s called_%s\n", bly_library_at(i)->name,
                     bly_library_at(i)->name, bly_library_at(i)->name);
    bly_text_add(text, "%s#undef DIMS\n#undef STEPS\n", u->code);
    say_run(text, u, name, "", 0);
}

/* A file with all of them. */
static char *say_all(const struct random_unit *units,
                     void (*say)(struct bly_text *, const struct random_unit *, const char *))
{
    struct bly_text text = {0};
    char name[20];
    say_head(&text);
    for (uint32_t k = 0; k < UNITS; k++) {
        snprintf(name, sizeof name, "u%u", k);
        say(&text, &units[k], name);
    }
    assert_false(text.failed);
    return text.data;
}

/* ---- Compilers ----------------------------------------------------------------------------------- */

static char folder[200];

static int has_compiler(size_t i)
{
    char command[200];
    snprintf(command, sizeof command, "%.*s --version >/dev/null 2>&1", (int)strcspn(compilers[i], " "),
             compilers[i]);
    return system(command) == 0;
}

static void write_file(const char *path, const char *data)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(data, file) < 0 || fclose(file)) fail_msg("cannot write %s", path);
}

/* Compiles folder/all.c by all of them at once; a library each. */
static void compile(const char *source, bailey_precision precision, const char *more, const int *wanted)
{
    char path[256], command[2000];
    pid_t children[COMPILERS] = {0};
    snprintf(path, sizeof path, "%s/all.c", folder);
    write_file(path, source);
    for (size_t i = 0; i < COMPILERS; i++) {
        if (!wanted[i]) continue;
        snprintf(command, sizeof command,
                 "exec %s %s %s -DBLY_REAL=%s -DBLY_SCALAR=%s -I%s/include -I%s/src %s -o %s/%zu.so -lm",
                 compilers[i], options_of_all, more, precision == BAILEY_PRECISION_F64 ? "f64" : "f32",
                 precision == BAILEY_PRECISION_F64 ? "double" : "float", SOURCE_DIR, SOURCE_DIR, path, folder,
                 i);
        children[i] = fork();
        if (children[i] == 0) {
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
            _exit(127);
        }
    }
    for (size_t i = 0; i < COMPILERS; i++) {
        int status = 0;
        if (children[i] > 0 && (waitpid(children[i], &status, 0) < 0 || status))
            fail_msg("%s does not compile %s", compilers[i], path);
    }
}

typedef void (*run_function)(const double *given, const double *times, const double *points, double *outputs,
                             long long *failures);

static void compare_unit(const struct random_unit *u, const char *compiler, void *library, const char *name)
{
    double outputs[RANDOM_PATHS][RANDOM_OUTPUTS];
    long long failures[RANDOM_PATHS][2];
    char symbol[60];
    run_function run;
    snprintf(symbol, sizeof symbol, "%s_run", name);
    *(void **)&run = dlsym(library, symbol);
    if (!run) fail_msg("%s: %s is missing", compiler, symbol);
    run(u->given, u->times, u->x[0][0], outputs[0], failures[0]);
    for (uint32_t p = 0; p < RANDOM_PATHS; p++) {
        const struct bly_failure *f = &u->failures[p];
        if (failures[p][0] != (long long)f->site || failures[p][1] != (long long)f->value)
            random_unit_fail(
                u, "path %u: %s fails at site %lld, value %lld; the interpreter at site %u, value %lld", p,
                compiler, failures[p][0], failures[p][1], f->site, (long long)f->value);
        for (uint32_t o = 0; o < u->unit.outputs; o++)
            if (memcmp(&outputs[p][o], &u->outputs[p][o], sizeof(double)))
                random_unit_fail(u, "output %u of path %u: %.17g by %s, %.17g by the interpreter", o, p,
                                 outputs[p][o], compiler, u->outputs[p][o]);
    }
}

static void compare_all(const struct random_unit *units, const int *wanted)
{
    for (size_t i = 0; i < COMPILERS; i++) {
        char path[256], name[20];
        if (!wanted[i]) continue;
        snprintf(path, sizeof path, "%s/%zu.so", folder, i);
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) fail_msg("%s", dlerror());
        for (uint32_t k = 0; k < UNITS; k++) {
            snprintf(name, sizeof name, "u%u", k);
            compare_unit(&units[k], compilers[i], library, name);
        }
        dlclose(library);
        unlink(path);
    }
}

/* ---- Tests --------------------------------------------------------------------------------------- */

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Single precision and double, with and without faults, and the whole path; plain code is in double, as C
 * takes its literals. */
static void make_units(uint64_t batch, int plain, struct random_unit *units)
{
    const uint64_t first = number_of("BAILEY_TEST_SEED", 1) + batch * UNITS;
    const bailey_precision precision = plain || batch % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    for (uint32_t k = 0; k < UNITS; k++) {
        const struct random_payoff_options options = {.programs = PROGRAMS,
                                                      .first = k * PROGRAMS,
                                                      .whole = !plain && k % 4 == 3,
                                                      .faults = !plain && k % 2 == 1,
                                                      .plain = plain};
        random_unit_make(first + k, &options, precision, &units[k]);
    }
}

static void free_units(struct random_unit *units)
{
    for (uint32_t k = 0; k < UNITS; k++) random_unit_free(&units[k]);
}

/* Optimisation takes most of the time: gcc's and clang's take turns, but for a long test. */
static int is_turn(size_t compiler, uint64_t batch)
{
    return compiler % 2 == 0 || compiler / 2 == batch / 2 % 2 || getenv("BAILEY_TEST_LARGE") != NULL;
}

static uint64_t usual(void) { return getenv("BAILEY_TEST_QUICK") ? 128 : 1000; }

static void compiled_programs(void **unused)
{
    static struct random_unit units[UNITS];
    const uint64_t programs = number_of("BAILEY_TEST_RANDOM", usual());
    int has[COMPILERS], any = 0;
    (void)unused;
    for (size_t i = 0; i < COMPILERS; i++) any |= has[i] = has_compiler(i);
    if (!any) skip();
    for (uint64_t batch = 0; batch * UNITS * PROGRAMS < programs; batch++) {
        int wanted[COMPILERS];
        for (size_t i = 0; i < COMPILERS; i++) wanted[i] = has[i] && is_turn(i, batch);
        make_units(batch, 0, units);
        char *source = say_all(units, say_printed);
        compile(source, units[0].precision, "", wanted);
        compare_all(units, wanted);
        free_units(units);
        bly_free(source);
    }
}

/* The tree means what C means: its code as it stands, in C whose integers wrap around. */
static void code_as_c(void **unused)
{
    static struct random_unit units[UNITS];
    const uint64_t programs = number_of("BAILEY_TEST_RANDOM", usual()) / 2;
    int wanted[COMPILERS], any = 0;
    (void)unused;
    for (size_t i = 0; i < COMPILERS; i++) any |= wanted[i] = i % 2 == 0 && has_compiler(i);
    if (!any) skip();
    for (uint64_t batch = 0; batch * UNITS * PROGRAMS < programs; batch++) {
        make_units(batch, 1, units);
        char *source = say_all(units, say_plain);
        compile(source, BAILEY_PRECISION_F64, "-fwrapv", wanted);
        compare_all(units, wanted);
        free_units(units);
        bly_free(source);
    }
}

static int make_folder(void **unused)
{
    const char *parent = getenv("TMPDIR");
    (void)unused;
    snprintf(folder, sizeof folder, "%s/bailey-random-XXXXXX",
             parent && strlen(parent) < 150 ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    char path[256];
    (void)unused;
    snprintf(path, sizeof path, "%s/all.c", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_programs), cmocka_unit_test(code_as_c)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
