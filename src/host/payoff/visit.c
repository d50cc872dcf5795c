/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Visits all statements and expressions of a function in the order of the code, for checks.
 */
#include "check.h"

static void visit_expression(struct bly_expression *x, const struct bly_visitor *visitor)
{
    if (!x) return;
    visitor->expression(visitor->of, x);
    visit_expression(x->a, visitor);
    visit_expression(x->b, visitor);
    visit_expression(x->c, visitor);
    for (struct bly_expression *y = x->kind == BLY_CALL ? x->arguments : NULL; y; y = y->next)
        visit_expression(y, visitor);
}

static void visit_initial(struct bly_initial *initial, const struct bly_visitor *visitor)
{
    for (; initial; initial = initial->next) {
        visit_expression(initial->value, visitor);
        visit_initial(initial->list, visitor);
    }
}

static void visit_expressions(struct bly_statement *s, const struct bly_visitor *visitor)
{
    if (s->kind != BLY_LOOP && s->kind != BLY_DO) visit_expression(s->condition, visitor);
    /* With +=, the target is a part of the value. */
    visit_expression(s->value, visitor);
    if (!s->seen) visit_expression(s->target, visitor);
    if (s->kind == BLY_DECLARE) visit_initial(s->initial, visitor);
}

void bly_visit_all(struct bly_statement *list, const struct bly_visitor *visitor)
{
    for (struct bly_statement *s = list; s; s = s->next) {
        if (visitor->statement) visitor->statement(visitor->of, s);
        if (visitor->expression) visit_expressions(s, visitor);
        bly_visit_all(s->first, visitor);
        if (s->kind == BLY_LOOP && visitor->expression) visit_expression(s->condition, visitor);
        bly_visit_all(s->body, visitor);
        bly_visit_all(s->otherwise, visitor);
        bly_visit_all(s->each, visitor);
        if (s->kind == BLY_DO && visitor->expression) visit_expression(s->condition, visitor);
    }
}

const char *bly_array_name(const struct bly_expression *lvalue)
{
    while (lvalue->kind == BLY_INDEX) lvalue = lvalue->a;
    return lvalue->kind == BLY_MEMBER ? lvalue->field->name : lvalue->variable->name;
}

const struct bly_variable *bly_root_of(const struct bly_expression *lvalue)
{
    while (lvalue->kind == BLY_INDEX || lvalue->kind == BLY_MEMBER) lvalue = lvalue->a;
    return lvalue->kind == BLY_VARIABLE ? lvalue->variable : NULL;
}
