/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checks of a unit: how much it is, what is used of it, ranges and proofs, sites of what is not proved, and
 * what is read before it is written.
 */
#include "check.h"

#include "intervals.h"

#include <stdio.h>
#include <string.h>

/* Expressions of a function and of all that it calls, each call counted: what a compiler that writes calls
 * out gets. */
#define MOST_SIZE (1u << 18)

/* ---- Functions that are used, and their size ------------------------------------------------------ */

static void count_expression(void *of, struct bly_expression *x)
{
    uint32_t *size = of;
    const uint32_t more = 1 + (x->function ? x->function->size : 0);
    *size = *size > MOST_SIZE ? *size : *size + more;
}

static void count_statement(void *of, struct bly_statement *s)
{
    uint32_t *size = of;
    (void)s;
    *size = *size > MOST_SIZE ? *size : *size + 1;
}

static bailey_status check_sizes(struct bly_unit *unit)
{
    for (struct bly_function *f = unit->functions; f; f = f->next) {
        uint32_t size = 1;
        bly_visit_all(f->body, &(struct bly_visitor){count_statement, count_expression, &size});
        f->size = size;
        if (size > MOST_SIZE)
            return bly_refuse_at(
                unit, f->place,
                "%s is too large: with the functions that it calls, each call counted, it has more than "
                "%u operations; call fewer",
                f->name, MOST_SIZE);
    }
    return BAILEY_OK;
}

static void use_called(void *of, struct bly_expression *x)
{
    (void)of;
    if (x->function) ((struct bly_function *)x->function)->used = true;
}

/* Functions call those before alone: so the last first. */
/* Functions in the order of the code, which calls those before alone: so callers are last. */
struct functions {
    struct bly_function **all;
    size_t count;
};

static bailey_status list_functions(struct bly_unit *unit, struct functions *list)
{
    list->count = 0;
    for (struct bly_function *f = unit->functions; f; f = f->next) list->count++;
    list->all = bly_arena_take(&unit->arena, (list->count + 1) * sizeof *list->all);
    if (!list->all) return bly_no_memory(unit);
    list->count = 0;
    for (struct bly_function *f = unit->functions; f; f = f->next) list->all[list->count++] = f;
    return BAILEY_OK;
}

static void find_used(struct bly_unit *unit, const struct functions *list)
{
    struct bly_function *const roles[] = {unit->start, unit->step, unit->finish, unit->whole, unit->pair};
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (roles[i]) roles[i]->used = true;
    for (size_t i = list->count; i-- > 0;)
        if (list->all[i]->used)
            bly_visit_all(list->all[i]->body, &(struct bly_visitor){NULL, use_called, NULL});
}

/* ---- Functions that are the same wherever they are called ----------------------------------------- */

static void plain_statement(void *of, struct bly_statement *s)
{
    bool *plain = of;
    if (s->kind == BLY_LOOP || s->kind == BLY_DO) *plain = false;
}

static void plain_expression(void *of, struct bly_expression *x)
{
    bool *plain = of;
    if (x->function && !x->function->plain) *plain = false;
}

static void find_plain(struct bly_unit *unit)
{
    for (struct bly_function *f = unit->functions; f; f = f->next) {
        bool plain = f->role == BLY_ROLE_OWN && f->returns->kind == BLY_TYPE_REAL;
        for (const struct bly_variable *v = f->parameters; v; v = v->next)
            if (v->type->kind != BLY_TYPE_REAL) plain = false;
        if (plain) bly_visit_all(f->body, &(struct bly_visitor){plain_statement, plain_expression, &plain});
        f->plain = plain;
    }
}

/* ---- Elements of arrays of any size, where calls are not followed --------------------------------- */

static uint32_t given_elements(const struct bly_expression *x)
{
    if (x->kind == BLY_ADDRESS) return 1;
    if (x->kind == BLY_DECAY) return x->a->type->count;
    return x->type->count != 0 ? x->type->count : x->variable->elements;
}

#define SEVERAL UINT32_MAX

static void give_elements(void *of, struct bly_expression *x)
{
    (void)of;
    if (!x->function) return;
    const struct bly_expression *y = x->arguments;
    for (struct bly_variable *v = x->function->parameters; v && y; v = v->next, y = y->next) {
        if (v->type->kind != BLY_TYPE_POINTER) continue;
        const uint32_t given = given_elements(y);
        v->elements = v->elements == 0 || v->elements == given ? given : SEVERAL;
    }
}

static void find_elements(const struct functions *list)
{
    for (size_t i = list->count; i-- > 0;)
        if (list->all[i]->used)
            bly_visit_all(list->all[i]->body, &(struct bly_visitor){NULL, give_elements, NULL});
}

/* ---- Values that are not known -------------------------------------------------------------------- */

static void reset_expression(void *of, struct bly_expression *x)
{
    (void)of;
    x->range = (struct bly_int_range){INT64_MAX, INT64_MIN};
    x->proved = true;
    x->site = 0;
    if (x->kind == BLY_INDEX) x->integer = 0;
}

static void reset_statement(void *of, struct bly_statement *s)
{
    (void)of;
    s->site = 0;
    if (s->apart) return; /* its trips are known */
    s->counter = NULL;
    s->bounded = s->enters = s->counts = s->kind == BLY_LOOP || s->kind == BLY_DO;
    s->trips = 0;
    s->site = 0;
}

/* Code that was not reached has no range yet. */
static void complete_expression(void *of, struct bly_expression *x)
{
    (void)of;
    if (!bly_has_range(x->type))
        x->range = (struct bly_int_range){0, 0};
    else if (x->range.low > x->range.high)
        x->range = bly_int_range_of(x->type->kind);
}

/* Nothing is known but what stands there. */
static void forget_expression(void *of, struct bly_expression *x)
{
    reset_expression(of, x);
    const bool literal = x->kind == BLY_NUMBER || x->kind == BLY_SIZE;
    if (literal && bly_has_range(x->type)) x->range = bly_int_range_literal(x->type->kind, x->integer);
    x->proved = false;
    if (x->kind != BLY_INDEX) return;
    uint32_t count = x->a->type->count;
    if (count == 0 && x->a->kind == BLY_VARIABLE) count = x->a->variable->elements;
    x->integer = count == 0 || count == SEVERAL ? -1 : (int64_t)count;
    const struct bly_expression *b = x->b;
    x->proved = (b->kind == BLY_NUMBER || b->kind == BLY_SIZE) && b->integer >= 0 && b->integer < x->integer;
}

static void forget_statement(void *of, struct bly_statement *s)
{
    reset_statement(of, s);
    s->bounded = s->enters = s->counts = false;
}

static void visit_all(struct bly_unit *unit, void (*statement)(void *, struct bly_statement *),
                      void (*expression)(void *, struct bly_expression *), void *of)
{
    for (struct bly_function *f = unit->functions; f; f = f->next)
        bly_visit_all(f->body, &(struct bly_visitor){statement, expression, of});
}

/* ---- Sites ---------------------------------------------------------------------------------------- */

struct sites {
    struct bly_unit *unit;
    uint32_t capacity;
    bool faults; /* of the function */
    bailey_status status;
};

static bool grow(struct sites *t)
{
    struct bly_unit *const unit = t->unit;
    if (unit->site_count < t->capacity) return true;
    t->capacity = t->capacity ? 2 * t->capacity : 8;
    struct bly_site *more = bly_arena_take(&unit->arena, t->capacity * sizeof *more);
    if (!more) {
        t->status = bly_no_memory(unit);
        return false;
    }
    if (unit->site_count > 0) memcpy(more, unit->sites, unit->site_count * sizeof *more);
    unit->sites = more;
    return true;
}

static uint32_t add_site(struct sites *t, enum bly_fault_kind kind, struct bly_place place, const char *what,
                         uint32_t count)
{
    if (t->status != BAILEY_OK || !grow(t)) return 0;
    t->unit->sites[t->unit->site_count] = (struct bly_site){kind, place, what, count};
    t->faults = true;
    return ++t->unit->site_count;
}

static void add_index(struct sites *t, struct bly_expression *x)
{
    const char *name = bly_array_name(x->a);
    if (x->integer < 1) {
        t->status = bly_refuse_at(
            t->unit, x->place,
            "the number of elements of %s is unknown, because calls pass arrays of different sizes, so the "
            "index may be outside; compare it with the size, or write the size: real %s[3]",
            name, name);
        return;
    }
    char what[96];
    const int length = snprintf(what, sizeof what, "%.64s[%lld]", name, (long long)x->integer);
    const char *copy = bly_arena_text(&t->unit->arena, what, (size_t)length);
    if (!copy)
        t->status = bly_no_memory(t->unit);
    else
        x->site = add_site(t, BLY_FAULT_INDEX, x->place, copy, (uint32_t)x->integer);
}

static void add_expression(void *of, struct bly_expression *x)
{
    struct sites *t = of;
    if (x->function && x->function->faults) t->faults = true;
    if (x->proved || x->site != 0 || t->status != BAILEY_OK) return;
    const bool divides = x->kind == BLY_DIVIDE || x->kind == BLY_REMAINDER;
    if (x->kind == BLY_INDEX)
        add_index(t, x);
    else if (divides && bly_has_range(x->type))
        x->site = add_site(t, BLY_FAULT_DIVIDE, x->place, NULL, 0);
    else if (x->kind == BLY_CALL && x->path_call)
        x->site = add_site(t, BLY_FAULT_TICK, x->place, NULL, 0);
}

static void add_loop(void *of, struct bly_statement *s)
{
    struct sites *t = of;
    if ((s->kind != BLY_LOOP && s->kind != BLY_DO) || s->bounded || t->status != BAILEY_OK) return;
    const char *what = s->kind == BLY_DO ? "do" : s->is_for ? "for" : "while";
    s->site = add_site(t, BLY_FAULT_LOOP, s->place, what, 0);
}

static bailey_status add_sites(struct bly_unit *unit)
{
    struct sites t = {.unit = unit};
    unit->sites = NULL;
    unit->site_count = 0;
    for (struct bly_function *f = unit->functions; f; f = f->next) {
        if (!f->used) continue;
        t.faults = false;
        bly_visit_all(f->body, &(struct bly_visitor){add_loop, add_expression, &t});
        f->faults = t.faults;
    }
    return t.status;
}

/* ---- Ranges --------------------------------------------------------------------------------------- */

/* A loop of so many trips, in which something is not proved, is examined trip by trip. */
#define MOST_APART 64

static bool is_open(const struct bly_expression *x)
{
    if (x->proved) return false;
    const bool divides = x->kind == BLY_DIVIDE || x->kind == BLY_REMAINDER;
    return x->kind == BLY_INDEX || (divides && bly_has_range(x->type)) ||
           (x->kind == BLY_CALL && x->path_call);
}

static void find_open(void *of, struct bly_expression *x)
{
    bool *open = of;
    if (is_open(x)) *open = true;
}

static void take_apart(void *of, struct bly_statement *s)
{
    bool *any = of, open = false;
    if ((s->kind != BLY_LOOP && s->kind != BLY_DO) || !s->bounded || s->trips < 2 || s->trips > MOST_APART)
        return;
    bly_visit_all(s->body, &(struct bly_visitor){NULL, find_open, &open});
    s->apart = open;
    *any = *any || open;
}

static void leave_whole(void *of, struct bly_statement *s)
{
    (void)of;
    s->apart = false;
}

static bailey_status find_ranges(struct bly_unit *unit, const struct functions *list, bool again,
                                 enum bly_known *known)
{
    bailey_status status = BAILEY_OK;
    *known = BLY_NEEDS_MEMORY;
    for (int wide = 0; wide < 2 && *known == BLY_NEEDS_MEMORY && status == BAILEY_OK; wide++) {
        visit_all(unit, reset_statement, reset_expression, NULL);
        for (size_t i = 0; i < list->count; i++) list->all[i]->settled = false;
        status = bly_ranges_find(unit, wide, again, known);
    }
    return status;
}

/* First all trips of a loop at once; where that does not prove all, those of short loops one by one. */
static bailey_status prove(struct bly_unit *unit, const struct functions *list)
{
    enum bly_known known;
    bool any = false;
    bailey_status status = find_ranges(unit, list, false, &known);
    if (status == BAILEY_OK && known == BLY_KNOWN) visit_all(unit, take_apart, NULL, &any);
    if (status != BAILEY_OK || (known == BLY_KNOWN && !any)) return status;
    if (any) status = find_ranges(unit, list, true, &known);
    if (status == BAILEY_OK && any && known != BLY_KNOWN) {
        visit_all(unit, leave_whole, NULL, NULL);
        status = find_ranges(unit, list, false, &known);
    }
    if (status != BAILEY_OK || known == BLY_KNOWN) return status;
    find_elements(list);
    visit_all(unit, forget_statement, forget_expression, NULL);
    return BAILEY_OK;
}

/* ---- All ------------------------------------------------------------------------------------------ */

bailey_status bly_unit_check(struct bly_unit *unit)
{
    if (unit->loop_budget == 0) unit->loop_budget = BLY_DEFAULT_LOOP_BUDGET;
    bailey_status status = check_sizes(unit);
    if (status != BAILEY_OK) return status;
    struct functions list;
    status = list_functions(unit, &list);
    if (status != BAILEY_OK) return status;
    find_used(unit, &list);
    find_plain(unit);
    status = prove(unit, &list);
    if (status != BAILEY_OK) return status;
    visit_all(unit, NULL, complete_expression, NULL);
    status = add_sites(unit);
    return status == BAILEY_OK ? bly_assigned_check(unit) : status;
}
