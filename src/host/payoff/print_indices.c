/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which indices are hidden from compilers (bly_opaque_index, kernels/payoff_checked.h): those into arrays
 * that a function is given, as `step` is given x, if they depend on data. Numbers, sizes, tables, counters of
 * loops whose trips do not depend on data, and what is computed from these are not data: a compiler that
 * unrolls loops over them keeps x in registers. That a value is known does not make it plain: what was taken
 * for undefined was x[k] with a k of the state that the compiler had found to be 0.
 *
 * A variable depends on data where it is assigned what does, or under a condition that does and outside of
 * which it was declared. Breaks and returns do not count: after one, a loop's counter still is its trip's.
 */
#include "check.h"
#include "print.h"

#define MOST_ROUNDS 32u /* then all variables depend on data: only code that was made for it takes more */

struct flow {
    bool changed, all;
    uint32_t next;   /* number of the next variable to be declared */
    uint32_t inside; /* from it on they are declared under the innermost condition that depends on data */
};

static bool is_data(const struct bly_expression *x)
{
    if (x && x->kind == BLY_VARIABLE) return x->variable->data;
    return x && (x->kind == BLY_CALL || is_data(x->a) || is_data(x->b) || is_data(x->c));
}

static bool has_data(const struct bly_initial *initial)
{
    for (; initial; initial = initial->next)
        if (is_data(initial->value) || has_data(initial->list)) return true;
    return false;
}

static void mark(struct flow *flow, const struct bly_variable *variable, bool data)
{
    if (!variable || variable->data || !(data || flow->all)) return;
    ((struct bly_variable *)variable)->data = flow->changed = true;
}

static void follow(struct flow *flow, const struct bly_statement *s)
{
    for (; s; s = s->next) {
        const uint32_t inside = flow->inside;
        follow(flow, s->first);
        if (s->kind == BLY_DECLARE) {
            flow->next = s->variable->number + 1;
            mark(flow, s->variable, has_data(s->initial));
        } else if (s->kind == BLY_ASSIGN) {
            const struct bly_variable *to = bly_root_of(s->target);
            mark(flow, to,
                 to->number < inside || is_data(s->value) || is_data(s->target->a) || is_data(s->target->b));
        } else if (is_data(s->condition))
            flow->inside = flow->next;
        follow(flow, s->body);
        follow(flow, s->otherwise);
        follow(flow, s->each);
        flow->inside = inside;
    }
}

/* Arguments of a call, and what it writes through them. */
static void follow_call(void *of, struct bly_expression *x)
{
    if (x->kind != BLY_CALL || !x->function) return;
    const struct bly_expression *y = x->arguments;
    for (struct bly_variable *v = x->function->parameters; y; v = v->next, y = y->next) {
        mark(of, v, is_data(y));
        if (v->type->kind == BLY_TYPE_POINTER && !v->type->constant)
            mark(of, bly_root_of(y->kind == BLY_VARIABLE ? y : y->a), v->data);
    }
}

void bly_indices_choose(const struct bly_unit *unit)
{
    struct flow flow = {.changed = true};
    for (const struct bly_function *f = unit->functions; f; f = f->next)
        if (f->role != BLY_ROLE_OWN) /* parameters, the state, points, times and the number of the step */
            for (struct bly_variable *v = f->parameters; v && v->kind == BLY_VARIABLE_PARAMETER; v = v->next)
                v->data = true;
    for (uint32_t round = 0; flow.changed; round++) {
        flow.changed = false;
        flow.all = round >= MOST_ROUNDS;
        for (const struct bly_function *f = unit->functions; f; f = f->next) {
            if (!f->used) continue;
            flow.next = f->parameter_count;
            flow.inside = 0;
            bly_visit_all(f->body, &(struct bly_visitor){NULL, follow_call, &flow});
            follow(&flow, f->body);
        }
    }
}

bool bly_hides_index(const struct bly_expression *x)
{
    const struct bly_type *array = x->a->type;
    return array->kind == BLY_TYPE_POINTER && array->of->kind == BLY_TYPE_REAL && is_data(x->b);
}
