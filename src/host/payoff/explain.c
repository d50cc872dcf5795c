/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A payoff that is interpreted one call at a time, for bailey_simulation_explain: the simulation gives it the
 * points of one path, and reads the state behind each step.
 */
#include "explain.h"

#include "interpret.h"

#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <string.h>

struct bly_explained {
    struct bly_unit unit;
    struct bly_interpreter *interpreter;
    uint32_t loop_budget;
    double *state;
    char fault[400];
};

static bailey_status prepare(struct bly_explained *e)
{
    bailey_status status = bly_unit_read(&e->unit);
    if (status == BAILEY_OK) status = bly_interpreter_create(&e->unit, &e->interpreter);
    if (status != BAILEY_OK) return status;
    const uint32_t states = bly_interpreter_states(e->interpreter);
    e->state = bly_alloc(states ? states : 1, sizeof *e->state);
    if (!e->state) return bly_no_memory(&e->unit);
    bly_interpreter_begin(e->interpreter);
    return BAILEY_OK;
}

bailey_status bly_explained_create(const struct bly_explained_code *code, struct bly_explained **explained)
{
    struct bly_explained *e = *explained = bly_alloc(1, sizeof *e);
    if (!e) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an interpreter");
    e->unit.kind = code->levels ? BLY_UNIT_MOTION : BLY_UNIT_PAYOFF;
    e->unit.precision = code->precision;
    e->unit.dims = code->dims;
    e->unit.own = code->own;
    e->unit.steps = code->steps;
    e->unit.around = code->around;
    e->unit.levels = code->levels;
    e->unit.code = code->code;
    e->unit.length = strlen(code->code);
    e->unit.argument = "payoff";
    e->unit.loop_budget = e->loop_budget = code->loop_budget;
    bly_unit_name(&e->unit, code->name);
    return prepare(e);
}

void bly_explained_destroy(struct bly_explained *e)
{
    if (!e) return;
    bly_interpreter_destroy(e->interpreter);
    bly_unit_free(&e->unit);
    bly_free(e->state);
    bly_free(e);
}

void bly_explained_set(struct bly_explained *e, uint32_t number, double value)
{
    bly_interpreter_set(e->interpreter, number, value);
}

int bly_explained_is_whole(const struct bly_explained *e) { return e->unit.whole != NULL; }

static const double *read_state(struct bly_explained *e)
{
    const uint32_t states = bly_interpreter_states(e->interpreter);
    for (uint32_t i = 0; i < states; i++) {
        bool written;
        const double value = bly_interpreter_state(e->interpreter, i, &written);
        e->state[i] = written ? value : (double)NAN;
    }
    return e->unit.whole ? NULL : e->state;
}

const double *bly_explained_start(struct bly_explained *e)
{
    const struct bly_given given = {0};
    bly_interpreter_call(e->interpreter, e->unit.start, &given);
    return read_state(e);
}

const double *bly_explained_step(struct bly_explained *e, uint32_t i, double t, const double *x)
{
    const struct bly_given given = {.number = (int32_t)i, .t = t, .x = x};
    bly_interpreter_call(e->interpreter, e->unit.step, &given);
    return read_state(e);
}

void bly_explained_finish(struct bly_explained *e, double *outputs)
{
    const struct bly_given given = {.out = outputs};
    bly_interpreter_call(e->interpreter, e->unit.finish, &given);
}

void bly_explained_whole(struct bly_explained *e, const struct bly_explained_path *path, double *outputs)
{
    const struct bly_path_reader reader = {path->user, path->at, path->time};
    const struct bly_given given = {.path = &reader, .out = outputs};
    bly_interpreter_call(e->interpreter, e->unit.whole, &given);
}

const char *bly_explained_fault(struct bly_explained *e)
{
    const struct bly_failure fault = bly_interpreter_failure(e->interpreter);
    if (!fault.site) return NULL;
    bly_site_write(e->unit.name, &e->unit.sites[fault.site - 1], fault.value, e->loop_budget, e->fault,
                   sizeof e->fault);
    return e->fault;
}

bailey_status bly_explained_status(const struct bly_explained *e)
{
    return bly_interpreter_status(e->interpreter);
}
