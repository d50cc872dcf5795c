/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code around a payoff with `exercise` (host/payoff/around.c): a text that looks at the states of one
 * date, the payoff under a policy, and what bounds of it need (exercise_bounds.c). The continuation value of a
 * date is the sum of its coefficients times the functions of the regression, whose first is 1.
 */
#include "products.h"

#include <stdio.h>
#include <string.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)
#define MOST_FUNCTIONS (BAILEY_EXERCISE_MAX_FUNCTIONS - 1) /* besides the constant */

/* ---- Functions of the regression ----------------------------------------------------------------- */

/* A number of the state. */
struct number {
    const struct bly_field *field;
    uint32_t element;
};

static int find_number(const struct bly_payoff *payoff, uint32_t index, struct number *number)
{
    for (uint32_t i = 0; i < payoff->state_count; i++) {
        if (!strncmp(payoff->states[i].name, "bailey_", 7)) continue; /* of the library's code around it */
        if (index < payoff->states[i].count) {
            *number = (struct number){&payoff->states[i], index};
            return 1;
        }
        index -= payoff->states[i].count;
    }
    return 0;
}

/* "s->price[2]", or with another beginning. */
static void write_number(const char *before, const struct number *n, char to[100])
{
    if (n->field->array)
        snprintf(to, 100, "%s%s[%u]", before, n->field->name, (unsigned)n->element);
    else
        snprintf(to, 100, "%s%s", before, n->field->name);
}

/* Adds a default function: as code, or as a name. */
typedef void add_function(struct bly_text *text, uint32_t index, const struct number *a,
                          const struct number *b);

static void add_code(struct bly_text *text, uint32_t index, const struct number *a, const struct number *b)
{
    char first[100], second[100];
    WRITE("    f[%u] = ", (unsigned)index);
    if (!a) {
        WRITE(index == 0 ? "e;\n" : index == 1 ? "e * e;\n" : "e * e * e;\n");
        return;
    }
    write_number("(real)s->", a, first);
    if (b) write_number("(real)s->", b, second);
    if (b)
        WRITE("%s * %s;\n", first, second);
    else
        WRITE("%s;\n", first);
}

static void add_name(struct bly_text *text, uint32_t index, const struct number *a, const struct number *b)
{
    char first[100], second[100];
    if (!a) {
        WRITE("exercise%s\n", index == 0 ? "" : index == 1 ? "^2" : "^3");
        return;
    }
    write_number("", a, first);
    if (b) write_number("", b, second);
    if (b && a->field == b->field && a->element == b->element)
        WRITE("%s^2\n", first);
    else if (b)
        WRITE("%s %s\n", first, second);
    else
        WRITE("%s\n", first);
}

/* The default functions: powers of the exercise value, the numbers of the state, their squares, and their
 * products, as far as there is room. Returns how many; text may be NULL. */
static uint32_t each_default(const struct bly_payoff *payoff, add_function *add, struct bly_text *text)
{
    struct number a, b;
    uint32_t count = 0;
    for (; count < 3; count++)
        if (add) add(text, count, NULL, NULL);
    for (uint32_t i = 0; count < MOST_FUNCTIONS && find_number(payoff, i, &a); i++, count++)
        if (add) add(text, count, &a, NULL);
    for (uint32_t i = 0; count < MOST_FUNCTIONS && find_number(payoff, i, &a); i++, count++)
        if (add) add(text, count, &a, &a);
    for (uint32_t i = 0; count < MOST_FUNCTIONS && find_number(payoff, i, &a); i++)
        for (uint32_t j = i + 1; count < MOST_FUNCTIONS && find_number(payoff, j, &b); j++, count++)
            if (add) add(text, count, &a, &b);
    return count;
}

uint32_t bly_exercise_functions(const struct bly_payoff *payoff)
{
    return 1 + (payoff->regressors ? payoff->regressors : each_default(payoff, NULL, NULL));
}

void bly_exercise_names(const struct bly_payoff *payoff, struct bly_text *text)
{
    WRITE("1\n");
    for (uint32_t k = 0; k < payoff->regressors; k++) WRITE("regress[%u]\n", (unsigned)k);
    if (!payoff->regressors) each_default(payoff, add_name, text);
}

/* ---- The texts ----------------------------------------------------------------------------------- */

static void write_structures(const struct bly_exercise_shape *shape, enum bly_exercise_code code,
                             struct bly_text *text)
{
    const unsigned all = shape->functions * shape->dates;
    if (code == BLY_EXERCISE_BOUNDS) {
        WRITE("typedef struct { real bailey_coefficient[%u], bailey_outside[%u];\n"
              "    int bailey_task, bailey_near, bailey_far; } params; bailey_end\n"
              "typedef struct { int bailey_over, bailey_marked; real bailey_value, bailey_beyond, bailey_paid; } "
              "state; bailey_end\n",
              all, all);
        return;
    }
    const int policy = code == BLY_EXERCISE_POLICY;
    WRITE("typedef struct { real bailey_coefficient[%u]; %s} params; bailey_end\n",
          policy ? all : (unsigned)shape->functions,
          policy ? "" : "real bailey_time; int bailey_last, bailey_task; ");
    WRITE("typedef struct { %sreal bailey_paid; } state; bailey_end\n", policy ? "int bailey_over; " : "");
}

/* The value that a set of coefficients gives. */
static void write_holding(const char *name, const char *coefficients, unsigned count, struct bly_text *text)
{
    WRITE("real bailey_%s(const state *s, const params *p, int at, real e)\n{\n"
          "    real f[%u], sum = p->bailey_%s[at];\n"
          "    bailey_functions(s, p, e, f);\n"
          "    for (int j = 0; j < %u; j++) sum = fma(p->bailey_%s[at + 1 + j], f[j], sum);\n"
          "    return sum;\n}\n",
          name, count, coefficients, count, coefficients);
}

static void write_functions(const struct bly_payoff *payoff, const struct bly_exercise_shape *shape,
                            struct bly_text *text)
{
    const unsigned count = shape->functions - 1;
    WRITE("void bailey_functions(const state *s, const params *p, real e, real f[%u])\n{\n", count);
    if (payoff->regressors)
        WRITE("    regress(s, p, f);\n");
    else
        each_default(payoff, add_code, text);
    WRITE("}\n");
    write_holding("holding", "coefficient", count, text);
}

/* The simulation's start and step are the payoff's, and finish looks at the states of a date. */
static void write_date(const struct bly_payoff *payoff, const struct bly_exercise_shape *shape,
                       struct bly_text *text)
{
    const unsigned count = shape->functions - 1;
    WRITE("void start(state *s, const params *p) { bailey_start(s, p); s->bailey_paid = 0; }\n"
          "void step(state *s, const params *p, int i, real t, const real x[]) { bailey_step(s, p, i, t, x); }\n"
          "real bailey_later(const state *s, const params *p)\n{\n"
          "    const real e = exercise(s, p, p->bailey_time);\n"
          "    real own[%u], otherwise = s->bailey_paid, least = 0;\n"
          "    if (p->bailey_last) {\n        bailey_finish(s, p, own);\n"
          "        otherwise = own[0];\n        least = own[0];\n"
          "    } else if (e != 0) {\n        least = bailey_holding(s, p, 0, e);\n    }\n"
          "    return e != 0 && e >= least ? e : otherwise;\n}\n",
          (unsigned)payoff->outputs);
    WRITE("void bailey_regression(const state *s, const params *p, real out[%u])\n{\n"
          "    const real e = exercise(s, p, p->bailey_time);\n"
          "    real f[%u];\n"
          "    const int in = (e != 0) == (p->bailey_task == %d);\n"
          "    bailey_functions(s, p, e, f);\n"
          "    out[0] = in ? 1 : 0;\n"
          "    for (int j = 0; j < %u; j++) out[1 + j] = in ? f[j] : 0;\n"
          "    out[%u] = in ? s->bailey_paid : 0;\n}\n",
          count + 2, count, BLY_DATE_REGRESSION, count, count + 1);
    WRITE("void finish(const state *s, const params *p, real out[%u])\n{\n"
          "    if (p->bailey_task == %d) {\n"
          "        for (int j = 1; j < %u; j++) out[j] = 0;\n"
          "        out[0] = bailey_later(s, p);\n        out[%u] = out[0];\n"
          "    } else {\n        bailey_regression(s, p, out);\n    }\n}\n",
          count + 2, BLY_DATE_BACKWARD, count + 1, count + 1);
}

/* Whether a path exercises is decided as in write_policy. */
static void write_bounds_step(const struct bly_exercise_shape *shape, struct bly_text *text)
{
    const unsigned functions = shape->functions;
    WRITE("void start(state *s, const params *p)\n{\n"
          "    bailey_start(s, p);\n    s->bailey_over = 0;\n    s->bailey_marked = 0;\n"
          "    s->bailey_value = 0;\n    s->bailey_beyond = 0;\n    s->bailey_paid = 0;\n}\n"
          "void step(state *s, const params *p, int i, real t, const real x[])\n"
          "{\n    if (s->bailey_over) return;\n    bailey_step(s, p, i, t, x);\n");
    if (shape->every > 1)
        WRITE("    if ((STEPS - 1 - i) %% %u != 0) return;\n", (unsigned)shape->every);
    WRITE("    const int date = i / %u;\n"
          "    const real e = exercise(s, p, t);\n"
          "    if (i == STEPS - 1) {\n        s->bailey_paid = e;\n        return;\n    }\n"
          "    real value = 0;\n"
          "    int ends = 0;\n"
          "    if (e != 0) {\n        value = bailey_holding(s, p, date * %u, e);\n        ends = !(e < value);\n    }\n",
          (unsigned)shape->every, functions);
    WRITE("    const int near = date == p->bailey_near;\n"
          "    if (e == 0 && (near || date == p->bailey_far)) value = bailey_without(s, p, date * %u, e);\n"
          "    if (p->bailey_task == %d) {\n        s->bailey_paid = e;\n"
          "        s->bailey_value = ends ? e : value;\n        if (!near) s->bailey_value = ends;\n"
          "        return;\n    }\n"
          "    if (ends) {\n        s->bailey_paid = e;\n        s->bailey_over = 1;\n        return;\n    }\n",
          functions, BLY_BOUNDS_OUTER);
    WRITE("    if (near) {\n        s->bailey_value = value;\n        s->bailey_marked = 1;\n"
          "    } else if (date == p->bailey_far) {\n        s->bailey_beyond = value;\n    }\n}\n");
}

/* `finish` is the payoff's only where the last step was made. */
static void write_bounds(const struct bly_payoff *payoff, const struct bly_exercise_shape *shape,
                         struct bly_text *text)
{
    write_holding("without", "outside", shape->functions - 1, text);
    write_bounds_step(shape, text);
    WRITE("void finish(const state *s, const params *p, real out[2])\n{\n"
          "    real paid = s->bailey_paid;\n"
          "    const int ends = p->bailey_far >= %u;\n"
          "    if (!s->bailey_over && ends) {\n"
          "        real own[%u];\n        bailey_finish(s, p, own);\n"
          "        if (!(paid != 0 && paid >= own[0])) paid = own[0];\n    }\n"
          "    const real value = s->bailey_marked ? s->bailey_value : paid;\n"
          "    out[0] = p->bailey_task == %d ? value : paid;\n",
          (unsigned)shape->dates - 1, (unsigned)payoff->outputs, BLY_BOUNDS_INNER);
    WRITE("    out[1] = p->bailey_task == %d ? s->bailey_value : value;\n"
          "    if (p->bailey_task == %d) out[1] = s->bailey_over || ends ? paid : s->bailey_beyond;\n}\n",
          BLY_BOUNDS_OUTER, BLY_BOUNDS_INNER);
}

/* The value of exercise at the last step is kept until finish says what else is paid. */
static void write_policy(const struct bly_payoff *payoff, const struct bly_exercise_shape *shape,
                         struct bly_text *text)
{
    WRITE("void start(state *s, const params *p)\n{\n"
          "    bailey_start(s, p);\n    s->bailey_over = 0;\n    s->bailey_paid = 0;\n}\n"
          "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"
          "    if (s->bailey_over) return;\n    bailey_step(s, p, i, t, x);\n");
    if (shape->every > 1)
        WRITE("    if ((STEPS - 1 - i) %% %u != 0) return;\n", (unsigned)shape->every);
    WRITE("    const real e = exercise(s, p, t);\n"
          "    if (i == STEPS - 1) {\n        s->bailey_paid = e;\n        return;\n    }\n"
          "    if (e == 0 || e < bailey_holding(s, p, i / %u * %u, e)) return;\n"
          "    s->bailey_paid = e;\n    s->bailey_over = 1;\n}\n"
          "void finish(const state *s, const params *p, real out[%u])\n{\n"
          "    bailey_finish(s, p, out);\n"
          "    const real e = s->bailey_paid;\n"
          "    if (s->bailey_over || (e != 0 && e >= out[0])) out[0] = e;\n}\n",
          (unsigned)shape->every, (unsigned)shape->functions, (unsigned)payoff->outputs);
}

void bly_exercise_write(const struct bly_payoff *payoff, const struct bly_exercise_shape *shape,
                        enum bly_exercise_code code, struct bly_text *text)
{
    write_structures(shape, code, text);
    write_functions(payoff, shape, text);
    if (code == BLY_EXERCISE_POLICY) {
        write_policy(payoff, shape, text);
    } else if (code == BLY_EXERCISE_BOUNDS) {
        write_bounds(payoff, shape, text);
    } else {
        write_date(payoff, shape, text);
    }
    WRITE("bailey_end\n");
}
