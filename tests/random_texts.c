/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes the text: the units one after another, and the kernel that calls them.
 */
#include "random_texts.h"

#include <base/alloc.h>
#include <base/text.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* For a unit's numbers: parameters, then what kernels/payoff_path.h reads, then points. */
#define CONSTANTS_AT 64u
#define TIMES_AT (CONSTANTS_AT + RANDOM_DIMS * (2 + RANDOM_DIMS))
#define POINTS_AT (TIMES_AT + RANDOM_STEPS)
#define POINTS (RANDOM_STEPS * RANDOM_DIMS)
_Static_assert(POINTS_AT + RANDOM_PATHS * POINTS <= RANDOM_TEXT_NUMBERS, "a unit's numbers");

/* ---- Programs ------------------------------------------------------------------------------------ */

/* What kernels/payoff_head.h gives, for one path. Calls are calls here: where everything is inlined a program
 * takes ten times as long to compile. */
static const char head[] = "#define BLY_FAULTS 1\n"
                           "#define BLY_MOTION_DEPTH 0\n"
                           "#define BLY_MOVES 0\n"
                           "#define BLY_VALUES_SPACE\n"
                           "#include \"kernels/group_entry.h\"\n"
                           "typedef BLY_SCALAR real;\n"
                           "typedef bailey_int32 int32;\n"
                           "typedef bailey_uint32 uint32;\n"
                           "typedef bailey_int64 int64;\n"
                           "typedef bailey_uint64 uint64;\n"
                           "typedef struct { uint64 items; } random_launch;\n"
                           "#include \"kernels/payoff_math.h\"\n"
                           "#define CALLED(name, arguments, made, root, summary) \\\n"
                           "    BAILEY_CALLED real called_##name BLY_PAYOFF_TAKES_##arguments \\\n"
                           "    { return bly_payoff_##name BLY_PAYOFF_GIVES_##arguments; }\n"
                           "BLY_PAYOFF_FUNCTIONS(CALLED)\n"
                           "#define BLY_LOOP\n"
                           "#undef BAILEY_FN\n"
                           "#if defined(BAILEY_IS_CUDA)\n"
                           "#define BAILEY_FN static __device__\n"
                           "#else\n"
                           "#define BAILEY_FN static\n"
                           "#endif\n"
                           "#include \"kernels/payoff_path.h\"\n"
                           "#include \"kernels/payoff_checked.h\"\n";

static void write_head(struct bly_text *text)
{
    bly_text_add(text, "#define BLY_DIMS %u\n#define BLY_STEPS %u\n#define BLY_LOOP_BUDGET %uu\n%s",
                 RANDOM_DIMS, RANDOM_STEPS, RANDOM_BUDGET, head);
    for (size_t i = 0; i < bly_library_count(); i++)
        bly_text_add(text, "#define bly_payoff_%s called_%s\n", bly_library_at(i)->name,
                     bly_library_at(i)->name);
}

static void write_record(struct bly_text *text, const struct bly_record *record, const char *prefix)
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
static void write_parameters(struct bly_text *text, const struct bly_unit *unit, const char *prefix)
{
    uint32_t number = 0;
    for (const struct bly_field_node *f = unit->params ? unit->params->fields : NULL; f; f = f->next) {
        const int is_array = f->type->kind == BLY_TYPE_ARRAY;
        for (uint32_t i = 0; i < (is_array ? f->type->count : 1); i++) {
            bly_text_add(text, "    p.%s%s", prefix, f->name);
            if (is_array) bly_text_add(text, "[%u]", i);
            bly_text_add(text, " = from[%u];\n", number++);
        }
    }
}

static void write_steps(struct bly_text *text, const struct random_unit *u, const char *name, int watched)
{
    const char *w = watched ? ", &w" : "", *again = watched ? "w.trips = BLY_LOOP_BUDGET;" : "";
    bly_text_add(text, "    %s_state s;\n", name);
    bly_text_add(text, "    for (uint32 k = 0; k < sizeof s; k++) ((unsigned char *)&s)[k] = %s;\n",
                 u->unit.zeroes_state ? "0" : "0xa5");
    bly_text_add(text, "    %s_start(&s, &p%s);\n    for (int i = 0; i < BLY_STEPS; i++) {\n        %s\n",
                 name, w, again);
    bly_text_add(text, "        for (int d = 0; d < BLY_DIMS; d++) x[d] = points[i * BLY_DIMS + d];\n");
    bly_text_add(text, "        %s_step(&s, &p, i, from[%u + i], x%s);\n    }\n", name, TIMES_AT, w);
    bly_text_add(text, "    %s\n    %s_finish(&s, &p, out%s);\n", again, name, w);
}

/* A path of the unit. Its arrays are in an inlined function, as in simulations: in a function that is called,
 * NVIDIA's compilers (CUDA 13.0) may let two arrays that a loop uses share memory, once each shares it with a
 * third one that is used after the loop. */
static void write_run(struct bly_text *text, const struct random_unit *u, const char *name,
                      const char *prefix, int watched)
{
    bly_text_add(text,
                 "BAILEY_FN void %s_path(const BAILEY_GLOBAL real *from, const BAILEY_GLOBAL real *points,\n"
                 "    BAILEY_GLOBAL real *outputs, BAILEY_GLOBAL int64 *failed)\n{\n    %s_params p;\n",
                 name, name);
    write_parameters(text, &u->unit, prefix);
    bly_text_add(text, "    real out[%u] = {0}, x[BLY_DIMS];\n", RANDOM_OUTPUTS);
    bly_text_add(text, "    bly_watch w = {0, BLY_LOOP_BUDGET, 0};\n");
    if (u->unit.whole)
        bly_text_add(
            text,
            "    bly_path all = {points, 1, from + %u, BLY_DIMS, 0, 0};\n    %s_whole(&p, all, out%s);\n",
            CONSTANTS_AT, name, watched ? ", &w" : "");
    else
        write_steps(text, u, name, watched);
    bly_text_add(text, "    for (int k = 0; k < %u; k++) outputs[k] = out[k];\n", RANDOM_OUTPUTS);
    bly_text_add(text, "    failed[0] = w.site;\n    failed[1] = w.value;\n}\n");
    bly_text_add(
        text,
        "BAILEY_CALLED void %s_run(const BAILEY_GLOBAL real *from, const BAILEY_GLOBAL real *points,\n"
        "    BAILEY_GLOBAL real *outputs, BAILEY_GLOBAL int64 *failed)\n"
        "{\n    %s_path(from, points, outputs, failed);\n}\n",
        name, name);
}

static void write_kernel(struct bly_text *text, uint32_t count)
{
    bly_text_add(text, "BAILEY_FN void " RANDOM_TEXT_KERNEL "_group(random_launch run,\n"
                       "    const BAILEY_GLOBAL real *numbers, BAILEY_GLOBAL real *outputs,\n"
                       "    BAILEY_GLOBAL int64 *failed, BLY_SHARED uint64 *shared, uint64 item)\n{\n");
    bly_text_add(text, "    if (item >= run.items) return;\n    const uint64 unit = item / %u;\n",
                 RANDOM_PATHS);
    bly_text_add(text, "    const BAILEY_GLOBAL real *from = numbers + unit * %u;\n", RANDOM_TEXT_NUMBERS);
    bly_text_add(text, "    const BAILEY_GLOBAL real *points = from + %u + item %% %u * %u;\n", POINTS_AT,
                 RANDOM_PATHS, POINTS);
    bly_text_add(text, "    outputs += item * %u;\n    failed += item * 2;\n    switch (unit) {\n",
                 RANDOM_OUTPUTS);
    for (uint32_t k = 0; k < count; k++)
        bly_text_add(text, "    case %u: u%u_run(from, points, outputs, failed); break;\n", k, k);
    bly_text_add(text, "    }\n}\nBLY_GROUP_ENTRY_3(" RANDOM_TEXT_KERNEL
                       ", random_launch, const real, real, int64)\n");
}

/* ---- Units --------------------------------------------------------------------------------------- */

/* The names of the interface, one unit's after another's. */
static const char *const printed_names[][2] = {{"params", "params"},      {"bly_params", "params"},
                                               {"bly_state", "state"},    {"bly_own_start", "start"},
                                               {"bly_own_step", "step"},  {"bly_own_finish", "finish"},
                                               {"bly_own_whole", "whole"}};
#define PRINTED_NAMES (sizeof printed_names / sizeof *printed_names)

static void write_printed(struct bly_text *text, const struct random_unit *u, const char *name)
{
    char prefix[40];
    struct bly_place where;
    const bool odd = (name[strlen(name) - 1] - '0') % 2 != 0; /* of two units one as processors run it */
    const struct bly_printing printing = {.prefix = prefix, .lanes = odd && !bly_unit_scalar(&u->unit, &where)};
    snprintf(prefix, sizeof prefix, "%s_own_", name);
    write_record(text, u->unit.params, "own_");
    bly_text_add(text, " %s_params;\n", name);
    write_record(text, u->unit.state, "own_");
    bly_text_add(text, " %s_state;\n", name);
    for (size_t i = 0; i < PRINTED_NAMES; i++)
        bly_text_add(text, "#define %s %s_%s\n", printed_names[i][0], name, printed_names[i][1]);
    bly_unit_print(&u->unit, &printing, text);
    for (size_t i = 0; i < PRINTED_NAMES; i++) bly_text_add(text, "#undef %s\n", printed_names[i][0]);
    write_run(text, u, name, "own_", u->unit.site_count > 0);
}

static const char *const plain_names[] = {"params", "state", "start", "step", "finish", "tame"};
#define PLAIN_NAMES (sizeof plain_names / sizeof *plain_names)

/* The code as it stands, with the names of the interface and what it shares with others renamed. */
static void write_plain(struct bly_text *text, const struct random_unit *u, const char *name)
{
    for (size_t i = 0; i < PLAIN_NAMES; i++)
        bly_text_add(text, "#define %s %s_%s\n", plain_names[i], name, plain_names[i]);
    for (size_t i = 0; i < bly_library_count(); i++)
        bly_text_add(text, "#define %s called_%s\n", bly_library_at(i)->name, bly_library_at(i)->name);
    bly_text_add(text, "#define DIMS BLY_DIMS\n#define STEPS BLY_STEPS\n%s#undef DIMS\n#undef STEPS\n",
                 u->code);
    for (size_t i = 0; i < bly_library_count(); i++)
        bly_text_add(text, "#undef %s\n", bly_library_at(i)->name);
    for (size_t i = 0; i < PLAIN_NAMES; i++) bly_text_add(text, "#undef %s\n", plain_names[i]);
    write_run(text, u, name, "", 0);
}

static char *write_all(const struct random_unit *units, uint32_t count,
                       void (*write)(struct bly_text *, const struct random_unit *, const char *))
{
    struct bly_text text = {0};
    char name[20];
    write_head(&text);
    for (uint32_t k = 0; k < count; k++) {
        snprintf(name, sizeof name, "u%u", k);
        write(&text, &units[k], name);
    }
    write_kernel(&text, count);
    assert_false(text.failed);
    return text.data;
}

char *random_text_printed(const struct random_unit *units, uint32_t count)
{
    return write_all(units, count, write_printed);
}
char *random_text_plain(const struct random_unit *units, uint32_t count)
{
    return write_all(units, count, write_plain);
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static double number_at(const struct random_unit *u, const void *numbers, size_t i)
{
    return u->precision == BAILEY_PRECISION_F64 ? ((const double *)numbers)[i] : ((const float *)numbers)[i];
}

static void put(const struct random_unit *u, void *numbers, size_t at, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (u->precision == BAILEY_PRECISION_F64)
            ((double *)numbers)[at + i] = from[i];
        else
            ((float *)numbers)[at + i] = (float)from[i];
}

void random_text_numbers(const struct random_unit *u, void *numbers)
{
    put(u, numbers, 0, u->given, u->parameters);
    put(u, numbers, TIMES_AT, u->times, RANDOM_STEPS);
    put(u, numbers, POINTS_AT, u->x[0][0], RANDOM_PATHS * POINTS);
}

void random_text_compare(const struct random_unit *u, const char *by, const void *outputs,
                         const int64_t *failures)
{
    for (uint32_t p = 0; p < RANDOM_PATHS; p++) {
        const struct bly_failure *f = &u->failures[p];
        const long long site = failures[2 * p], value = failures[2 * p + 1];
        if (site != (long long)f->site || value != (long long)f->value)
            random_unit_fail(
                u, "path %u: %s fails at site %lld, value %lld; the interpreter at site %u, value %lld", p,
                by, site, value, f->site, (long long)f->value);
        for (uint32_t o = 0; o < u->unit.outputs; o++) {
            const double output = number_at(u, outputs, p * RANDOM_OUTPUTS + o);
            if (memcmp(&output, &u->outputs[p][o], sizeof output))
                random_unit_fail(u, "output %u of path %u: %.17g by %s, %.17g by the interpreter", o, p,
                                 output, by, u->outputs[p][o]);
        }
    }
}
