/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * About how many operations of single precision code takes: what its own arithmetic costs in addition to its random
 * numbers. Both branches of an if count, and loops of unknown length as USUAL_TRIPS. An estimate that choices
 * between equal results rest on, the same on every device.
 */
#include "check.h"

#include <string.h>

#define USUAL_TRIPS 8.0
#define MOST_OPERATIONS 1e9 /* loops within loops multiply */
#define ROOT 8.0     /* a division or a square root, correctly rounded */
#define FUNCTION 20.0 /* an exponential or a logarithm */

static double count_list(const struct bly_statement *s);

static double count_call(const struct bly_expression *e)
{
    static const char *const single[] = {"fma", "fabs", "fmin", "fmax", "floor", "ceil", "trunc"};
    if (e->function) return bly_operations_of((struct bly_function *)e->function);
    if (!e->library) return 0;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (strcmp(e->library->name, single[i]) == 0) return 1;
    return strcmp(e->library->name, "sqrt") == 0 ? ROOT : FUNCTION;
}

static double count_value(const struct bly_expression *e)
{
    if (!e) return 0;
    double n = count_value(e->a) + count_value(e->b) + count_value(e->c);
    for (const struct bly_expression *x = e->kind == BLY_CALL ? e->arguments : NULL; x; x = x->next)
        n += count_value(x);
    if (e->kind == BLY_CALL) return n + count_call(e);
    if (e->kind == BLY_DIVIDE) return n + ROOT;
    return n + (e->kind != BLY_NUMBER && e->kind != BLY_SIZE && e->kind != BLY_VARIABLE &&
                e->kind != BLY_MEMBER && e->kind != BLY_INDEX && e->kind != BLY_CONVERT &&
                e->kind != BLY_NEGATE);
}

static double count_initial(const struct bly_initial *initial)
{
    double n = 0;
    for (; initial; initial = initial->next) n += count_value(initial->value) + count_initial(initial->list);
    return n;
}

static double count(const struct bly_statement *s)
{
    double n = count_value(s->condition) + count_value(s->value) + count_list(s->body) +
               count_list(s->otherwise) + count_list(s->each);
    if (s->kind == BLY_DECLARE) n += count_initial(s->initial);
    if (s->kind == BLY_LOOP || s->kind == BLY_DO)
        n *= s->bounded && s->trips ? (double)s->trips : USUAL_TRIPS;
    return n + count_list(s->first);
}

static double count_list(const struct bly_statement *s)
{
    double n = 0;
    for (; s; s = s->next) n += count(s);
    return n < MOST_OPERATIONS ? n : MOST_OPERATIONS;
}

double bly_operations_of(struct bly_function *f)
{
    if (f->operations == 0) f->operations = 1 + count_list(f->body);
    return f->operations - 1;
}
