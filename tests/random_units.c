/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads random code with the library's front end, and runs it in the interpreter.
 */
#include "random_units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void random_unit_fail(const struct random_unit *u, const char *format, ...)
{
    char what[600];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    fprintf(stderr, "%s\n", u->code);
    fail_msg("seed %llu, %s, %u programs from %u on%s%s: %s", (unsigned long long)u->seed,
             u->precision == BAILEY_PRECISION_F64 ? "f64" : "f32", (unsigned)u->options.programs,
             (unsigned)u->options.first, u->options.whole ? ", whole" : "",
             u->options.faults ? ", faults" : "", what);
    abort();
}

static double rounded(const struct random_unit *u, double value)
{
    return u->precision == BAILEY_PRECISION_F64 ? value : (double)(float)value;
}

/* From -range to range. */
static double number(uint64_t *random, double range)
{
    return ((double)random_payoff_below(random, 1u << 24) * 0x1p-23 - 1) * range;
}

/* In the order of the code: of each program a real, an int and two reals. */
static void draw_numbers(struct random_unit *u)
{
    uint64_t random = u->seed ^ 0x5eed;
    for (uint32_t i = 0; i < u->parameters; i++)
        u->given[i] = i % 4 == 1 ? floor(number(&random, 12)) : rounded(u, number(&random, 3));
    for (uint32_t i = 0; i < RANDOM_STEPS; i++) u->times[i] = rounded(u, 0.2 * (i + 1));
    for (uint32_t p = 0; p < RANDOM_PATHS; p++)
        for (uint32_t i = 0; i < RANDOM_STEPS; i++)
            for (uint32_t d = 0; d < RANDOM_DIMS; d++) u->x[p][i][d] = rounded(u, number(&random, 2));
}

struct place {
    const struct random_unit *unit;
    uint32_t path;
};

static double at(void *user, uint64_t step, uint32_t dimension)
{
    const struct place *place = user;
    return place->unit->x[place->path][step][dimension];
}

static double time_of(void *user, uint64_t step)
{
    const struct place *place = user;
    return place->unit->times[step];
}

static void interpret_path(struct random_unit *u, struct bly_interpreter *m, uint32_t path)
{
    struct place place = {u, path};
    const struct bly_path_reader reader = {&place, at, time_of};
    struct bly_given given = {.path = &reader, .out = u->outputs[path]};
    bly_interpreter_begin(m);
    bly_interpreter_call(m, u->unit.start, &given);
    for (uint32_t i = 0; i < RANDOM_STEPS; i++) {
        given.number = (int32_t)i;
        given.t = u->times[i];
        given.x = u->x[path][i];
        bly_interpreter_call(m, u->unit.step, &given);
    }
    bly_interpreter_call(m, u->unit.finish, &given);
    bly_interpreter_call(m, u->unit.whole, &given);
    u->failures[path] = bly_interpreter_failure(m);
}

/* Outputs are tame whatever the code does: none is compared by its class. */
static void check_outputs(const struct random_unit *u, uint32_t path)
{
    for (uint32_t o = 0; o < u->unit.outputs; o++)
        if (!isfinite(u->outputs[path][o]) || fpclassify(u->outputs[path][o]) == FP_SUBNORMAL)
            random_unit_fail(u, "output %u of path %u is %g", o, path, u->outputs[path][o]);
    if (u->failures[path].site && !u->options.faults)
        random_unit_fail(u, "site %u fails on path %u", u->failures[path].site, path);
}

static void interpret(struct random_unit *u)
{
    struct bly_interpreter *m;
    if (bly_interpreter_create(&u->unit, &m) != BAILEY_OK) random_unit_fail(u, "%s", bailey_error_message());
    u->parameters = bly_interpreter_parameters(m);
    draw_numbers(u);
    for (uint32_t i = 0; i < u->parameters; i++) bly_interpreter_set(m, i, u->given[i]);
    for (uint32_t path = 0; path < RANDOM_PATHS; path++) {
        interpret_path(u, m, path);
        if (bly_interpreter_status(m) != BAILEY_OK) random_unit_fail(u, "%s", bailey_error_message());
        check_outputs(u, path);
    }
    bly_interpreter_destroy(m);
}

/* Whether the code is accepted. */
static int read_code(struct random_unit *u)
{
    u->code = random_payoff(u->seed, &u->options);
    if (!u->code) fail_msg("out of memory for a payoff");
    u->unit = (struct bly_unit){.kind = BLY_UNIT_PAYOFF,
                                .precision = u->precision,
                                .dims = RANDOM_DIMS,
                                .steps = RANDOM_STEPS,
                                .code = u->code,
                                .length = strlen(u->code),
                                .argument = "payoff",
                                .loop_budget = RANDOM_BUDGET};
    bly_unit_name(&u->unit, NULL);
    return bly_unit_read(&u->unit) == BAILEY_OK;
}

/* What may fail is refused now and then, where it fails whatever the parameters are: then there is another.
 */
void random_unit_make(uint64_t seed, const struct random_payoff_options *options, bailey_precision precision,
                      struct random_unit *u)
{
    *u = (struct random_unit){.seed = seed, .options = *options, .precision = precision};
    u->options.steps = RANDOM_STEPS;
    u->options.dims = RANDOM_DIMS;
    for (int tries = 0; !read_code(u); tries++) {
        if (!u->options.faults || tries == 20) random_unit_fail(u, "%s", bailey_error_message());
        random_unit_free(u);
        u->seed += UINT64_C(1) << 40;
    }
    interpret(u);
}

void random_unit_free(struct random_unit *u)
{
    bly_unit_free(&u->unit);
    free(u->code);
}
