/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Printing of expressions in which the order of evaluation matters (see print.h). An effect is an operation
 * that may fail, or a && b, a || b, a ? b : c in whose b or c there is one; those are in an order of their
 * own, since they are evaluated under a condition.
 */
#include "print.h"

#include <base/alloc.h>

#include <string.h>

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)

struct walk {
    struct bly_order *order;
    const struct bly_expression *skipped; /* the target of += within its value */
    bool indices;                         /* all count as effects */
};

static void note(struct bly_order *order, struct bly_expression *e)
{
    if (order->count == order->size) {
        const uint32_t size = 2 * order->size + 8;
        struct bly_expression **effects = bly_alloc(size, sizeof *effects);
        if (effects && order->count) memcpy(effects, order->effects, order->count * sizeof *effects);
        order->failed |= !effects;
        if (!effects) return;
        bly_free(order->effects);
        order->effects = effects;
        order->size = size;
    }
    order->effects[order->count++] = e;
}

static bool has_effect(const struct bly_expression *e)
{
    if (!e) return false;
    if (e->site || (e->kind == BLY_CALL && e->function && e->function->faults)) return true;
    for (const struct bly_expression *a = e->kind == BLY_CALL ? e->arguments : NULL; a; a = a->next)
        if (has_effect(a)) return true;
    return e->kind != BLY_CALL && (has_effect(e->a) || has_effect(e->b) || has_effect(e->c));
}

static bool is_conditional(const struct bly_expression *e)
{
    return e->kind == BLY_AND || e->kind == BLY_OR || e->kind == BLY_SELECT;
}

static bool is_effect(const struct walk *w, const struct bly_expression *e)
{
    if (is_conditional(e)) return has_effect(e->b) || has_effect(e->c);
    return e->site || (e->kind == BLY_CALL && e->function && e->function->faults) ||
           (e->kind == BLY_INDEX && w->indices);
}

/* Notes the effects of an expression in the order in which they happen. */
static void collect(const struct walk *w, struct bly_expression *e)
{
    if (!e || e == w->skipped || e->temporary) return;
    if (e->kind == BLY_CALL)
        for (struct bly_expression *a = e->arguments; a; a = a->next) collect(w, a);
    else
        collect(w, e->a);
    if (e->kind != BLY_CALL && !is_conditional(e)) collect(w, e->b);
    if (is_effect(w, e)) note(w->order, e);
}

static void print_declaration(struct bly_printer *p, const struct bly_type *type)
{
    struct bly_text *text = p->text;
    p->text = &p->temporaries;
    PRINT("    ");
    bly_print_type(p, type);
    PRINT(" bly_t%u;\n", p->temporary_count);
    p->text = text;
}

/* bly_t1 = ..., bly_t2 = ... of all effects. A conditional's b and c may have their own temporaries. */
static void print_effects(struct bly_printer *p, struct bly_order *order)
{
    for (uint32_t i = 0; i < order->count; i++) {
        struct bly_expression *e = order->effects[i];
        const uint32_t number = ++p->temporary_count;
        print_declaration(p, e->kind == BLY_INDEX ? e->b->type : e->type);
        PRINT("%sbly_t%u = ", i ? ", " : "", number);
        if (e->kind == BLY_INDEX)
            bly_print_index(p, e);
        else
            bly_print_expression(p, e, BLY_BINDS_SELECT);
        e->temporary = number;
    }
}

void bly_print_end_order(struct bly_order *order)
{
    for (uint32_t i = 0; i < order->count; i++) order->effects[i]->temporary = 0;
    bly_free(order->effects);
    *order = (struct bly_order){0};
}

static void end(struct bly_printer *p, struct bly_order *order)
{
    p->text->failed |= order->failed;
    bly_print_end_order(order);
}

void bly_print_ordered(struct bly_printer *p, const struct bly_expression *e, enum bly_binding binding)
{
    struct bly_order order = {0};
    collect(&(struct walk){.order = &order}, (struct bly_expression *)e);
    /* The effect that is evaluated last needs no temporary. */
    if (order.count && order.effects[order.count - 1] == e) order.count--;
    if (order.count < 2) order.count = 0;
    if (order.count) PRINT("(");
    print_effects(p, &order);
    if (order.count) PRINT(", ");
    bly_print_expression(p, e, order.count ? BLY_BINDS_SELECT : binding);
    if (order.count) PRINT(")");
    end(p, &order);
}

static bool calls_what_writes(const struct bly_expression *e)
{
    while (e->kind == BLY_CONVERT) e = e->a;
    return e->kind == BLY_CALL && e->function && e->function->writes;
}

static bool has_index(const struct bly_expression *target)
{
    for (; target; target = target->kind == BLY_VARIABLE ? NULL : target->a)
        if (target->kind == BLY_INDEX) return true;
    return false;
}

/* Of target = value: first the value, then the target's indices. */
static void order_plain(const struct bly_statement *s, struct bly_order *order)
{
    const struct walk w = {.order = order};
    const bool writes = calls_what_writes(s->value) && has_index(s->target);
    collect(&w, s->value);
    if (writes && (!order->count || order->effects[order->count - 1] != s->value)) note(order, s->value);
    collect(&w, s->target);
    if (order->count < 2 && !writes) order->count = 0;
}

/* Of target += value: first the target's indices, once, then the value. */
static void order_compound(const struct bly_statement *s, struct bly_order *order)
{
    struct walk w = {.order = order};
    collect(&w, s->target);
    const bool again = order->count > 0;
    w.skipped = s->seen;
    collect(&w, s->value);
    if (order->count < 2 && !again) order->count = 0;
}

void bly_print_assignment(struct bly_printer *p, const struct bly_statement *s)
{
    struct bly_order order = {0};
    if (s->seen)
        order_compound(s, &order);
    else
        order_plain(s, &order);
    print_effects(p, &order);
    if (order.count) PRINT(", ");
    bly_print_plain(p, s->target, BLY_BINDS_PRIMARY);
    PRINT(" = ");
    if (bly_is_half(p, s->target->type) && bly_is_stored(s->target))
        bly_print_single(p, s->value);
    else
        bly_print_expression(p, s->value, BLY_BINDS_SELECT);
    end(p, &order);
}

static void collect_list(const struct walk *w, const struct bly_initial *initial)
{
    for (; initial; initial = initial->next) {
        collect(w, initial->value);
        collect_list(w, initial->list);
    }
}

void bly_print_begin_order(struct bly_printer *p, const struct bly_initial *initial, struct bly_order *order)
{
    *order = (struct bly_order){0};
    collect_list(&(struct walk){.order = order}, initial);
    if (order->count < 2) order->count = 0;
    print_effects(p, order);
    if (order->count) PRINT(";\n");
    p->text->failed |= order->failed;
}
