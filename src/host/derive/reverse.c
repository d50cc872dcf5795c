/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The reverse list (Griewank and Walther 2008, chapter 3): from the last value to the first, what a value
 * counts for the result, its bar, is passed on to its operands, the first operand before the second. A bar is
 * a sum in the order in which its parts come, by fma where a part is a product.
 *
 * Flags are numbers too, 0 and 1: && is their product, ! is 1 less the flag, and a selection is linear in its
 * condition. So what a comparison counts is right if the numbers that depend on it are.
 */
#include "derivative.h"

#include <host/payoff/machine.h>

#include <setjmp.h>
#include <string.h>

struct reverser {
    struct bly_derivative *d;
    struct bly_reversed *r;
    struct bly_atoms *list;
    uint32_t region; /* of the value whose bar is passed on */
    jmp_buf stopped;
    bailey_status status;
};

_Noreturn static void refuse(struct reverser *v, struct bly_place place, const char *why)
{
    bly_refuse_at(v->d->unit, place, "cannot be differentiated: %s", why);
    v->status = BAILEY_ERROR_UNSUPPORTED;
    longjmp(v->stopped, 1);
}

_Noreturn static void full(struct reverser *v)
{
    v->status = bly_list_full(v->list);
    longjmp(v->stopped, 1);
}

/* ---- Arithmetic of bars -------------------------------------------------------------------------- */

static uint32_t real(struct reverser *v, double x) { return bly_atom_real(v->list, x); }

static bool is_one(const struct reverser *v, uint32_t a)
{
    const struct bly_atom *one = &v->list->values[a];
    return one->kind == BLY_ATOM_NUMBER && one->type->kind == BLY_TYPE_REAL && one->real == 1;
}

static uint32_t of_two(struct reverser *v, enum bly_expression_kind kind, uint32_t a, uint32_t b)
{
    if (kind == BLY_MULTIPLY && is_one(v, a)) return b;
    return bly_atom_operation(v->list, kind, &bly_type_real, a, b, 0);
}

static uint32_t negated(struct reverser *v, uint32_t a)
{
    return bly_atom_operation(v->list, BLY_NEGATE, &bly_type_real, a, 0, 0);
}

/* Integers as reals. */
static uint32_t as_real(struct reverser *v, uint32_t a)
{
    if (v->list->values[a].type->kind == BLY_TYPE_REAL) return a;
    return bly_atom_operation(v->list, BLY_CONVERT, &bly_type_real, a, 0, 0);
}

static bool counts(const struct reverser *v, uint32_t operand) { return operand && v->r->varied[operand]; }

/* Whether a part goes from a branch to what is there without it. */
static bool leaves(const struct reverser *v, uint32_t operand)
{
    return !bly_region_is_within(v->list, v->list->values[operand].region, v->region);
}

/* A part that leaves branches is 0 where the code does not come there: what is computed there all the same
 * need not be finite. */
static uint32_t guarded(struct reverser *v, uint32_t operand, uint32_t part)
{
    const uint32_t none = real(v, 0);
    for (uint32_t at = v->region; !bly_region_is_within(v->list, v->list->values[operand].region, at);) {
        const struct bly_region *r = &v->list->regions[at];
        part = r->holds ? bly_atom_select(v->list, r->condition, part, none)
                        : bly_atom_select(v->list, r->condition, none, part);
        at = r->outer;
    }
    return part;
}

/* The operand counts `part` more. */
static void add(struct reverser *v, uint32_t operand, uint32_t part)
{
    uint32_t *bar = &v->r->bars[operand];
    if (!counts(v, operand)) return;
    part = guarded(v, operand, part);
    *bar = *bar ? of_two(v, BLY_ADD, *bar, part) : part;
}

static void subtract(struct reverser *v, uint32_t operand, uint32_t part)
{
    uint32_t *bar = &v->r->bars[operand];
    if (!counts(v, operand)) return;
    part = guarded(v, operand, part);
    *bar = *bar ? of_two(v, BLY_SUBTRACT, *bar, part) : negated(v, part);
}

/* The operand counts a times b more. */
static void add_product(struct reverser *v, uint32_t operand, uint32_t a, uint32_t b)
{
    uint32_t *bar = &v->r->bars[operand];
    if (!counts(v, operand)) return;
    if (!*bar || is_one(v, a) || leaves(v, operand))
        add(v, operand, of_two(v, BLY_MULTIPLY, a, b));
    else
        *bar = bly_atom_call(v->list, "fma", a, b, *bar);
}

/* ---- Jumps --------------------------------------------------------------------------------------- */

static bool is_of_reals(const struct bly_atoms *list, const struct bly_atom *v)
{
    return list->values[v->a].type->kind == BLY_TYPE_REAL;
}

static uint32_t leaf_of(struct reverser *v, enum bly_atom_kind kind, uint32_t number)
{
    const struct bly_atom leaf = {.kind = kind, .type = &bly_type_real, .number = number};
    return bly_atom_add(v->list, &leaf);
}

/* Of v = u times the side, from 0 to 1: (1 - v) (20 - 180 v + 420 v v - 280 v v v) / w. Its first three
 * moments are 0, so that its bias is of the fourth power of w, too. */
static uint32_t one_sided_density(struct bly_atoms *list, uint32_t u, uint32_t side, uint32_t width)
{
    static const double factors[] = {420, -180, 20};
    const struct bly_type *real_type = &bly_type_real;
    const uint32_t none = bly_atom_real(list, 0),
                   v = bly_atom_operation(list, BLY_MULTIPLY, real_type, u, side, 0);
    const uint32_t rest = bly_atom_operation(list, BLY_SUBTRACT, real_type, bly_atom_real(list, 1), v, 0);
    const uint32_t height = bly_atom_call(list, "fmax", rest, none, 0);
    uint32_t lobe = bly_atom_real(list, -280);
    for (int k = 0; k < 3; k++) lobe = bly_atom_call(list, "fma", lobe, v, bly_atom_real(list, factors[k]));
    const uint32_t density =
        bly_atom_operation(list, BLY_DIVIDE, real_type,
                           bly_atom_operation(list, BLY_MULTIPLY, real_type, height, lobe, 0), width, 0);
    return bly_atom_select(list, bly_atom_operation(list, BLY_LESS, &bly_type_int, v, none, 0), none,
                           density);
}

/* Of u = (l - r) / w: 15 / 32 (1 - u u) (3 - 7 u u) / w, whose bias is of the fourth power of w (Gasser and
 * Mueller 1979). */
uint32_t bly_jump_density(const struct bly_derivative *d, struct bly_atoms *list, const struct bly_atom *c,
                          uint32_t number)
{
    const struct bly_type *real_type = &bly_type_real;
    const struct bly_atom leaf = {.kind = BLY_ATOM_WIDTH, .type = real_type, .number = number};
    const uint32_t width = bly_atom_add(list, &leaf), one = bly_atom_real(list, 1);
    const uint32_t difference = bly_atom_operation(list, BLY_SUBTRACT, real_type, c->a, c->b, 0);
    const uint32_t u = bly_atom_operation(list, BLY_DIVIDE, real_type, difference, width, 0);
    const uint32_t square = bly_atom_operation(list, BLY_MULTIPLY, real_type, u, u, 0);
    const uint32_t below =
        bly_atom_call(list, "fma", bly_atom_operation(list, BLY_NEGATE, real_type, u, 0, 0), u, one);
    const uint32_t height = bly_atom_call(list, "fmax", below, bly_atom_real(list, 0), 0);
    const uint32_t lobe = bly_atom_call(list, "fma", bly_atom_real(list, -7), square, bly_atom_real(list, 3));
    const uint32_t scale =
        bly_atom_operation(list, BLY_DIVIDE, real_type, bly_atom_real(list, 0.46875), width, 0);
    const uint32_t density =
        bly_atom_operation(list, BLY_MULTIPLY, real_type,
                           bly_atom_operation(list, BLY_MULTIPLY, real_type, height, lobe, 0), scale, 0);
    if (!d->one_sided) return density;
    const struct bly_atom of_side = {.kind = BLY_ATOM_SIDE, .type = real_type, .number = number};
    const uint32_t side = bly_atom_add(list, &of_side),
                   is_both =
                       bly_atom_operation(list, BLY_EQUAL, &bly_type_int, side, bly_atom_real(list, 0), 0);
    return bly_atom_select(list, is_both, density, one_sided_density(list, u, side, width));
}

/* The density, times what the comparison counts: 0 farther away than the width, where the side that is not
 * taken need not be finite. */
static void jump(struct reverser *v, uint32_t number, uint32_t bar)
{
    const struct bly_atom own = v->list->values[number], *const c = &own;
    if (!v->r->turn_of[number])
        refuse(v, c->place, "a comparison of what changes by jumps alone counts as a number");
    const uint32_t at = v->r->turns[v->r->turn_of[number] - 1].jump, none = real(v, 0);
    v->d->jumps[at].counts = true;
    const uint32_t density = bly_jump_density(v->d, v->list, c, at),
                   share = of_two(v, BLY_MULTIPLY, density, leaf_of(v, BLY_ATOM_SHARE, 0));
    const uint32_t is_far = bly_atom_operation(v->list, BLY_EQUAL, &bly_type_int, share, none, 0);
    const uint32_t part = bly_atom_select(v->list, is_far, none, of_two(v, BLY_MULTIPLY, bar, share));
    const bool rises = c->operation == BLY_GREATER || c->operation == BLY_GREATER_EQUAL;
    if (rises) {
        add(v, c->a, part);
        subtract(v, c->b, part);
    } else {
        subtract(v, c->a, part);
        add(v, c->b, part);
    }
}

/* `bar` where the code comes to a region, else `otherwise`. */
static uint32_t within_region(struct reverser *v, uint32_t region, uint32_t bar, uint32_t otherwise)
{
    for (uint32_t at = region; at; at = v->list->regions[at].outer) {
        const struct bly_region *r = &v->list->regions[at];
        bar = r->holds ? bly_atom_select(v->list, r->condition, bar, otherwise)
                       : bly_atom_select(v->list, r->condition, otherwise, bar);
    }
    return bar;
}

/* A comparison whose path has been run with it turned. In a turn the first comparison counts that
 * the code comes to, as its sides may be computed in its region alone. */
static void turn(struct reverser *v, uint32_t number)
{
    const uint32_t turn = v->r->turn_of[number], none = real(v, 0);
    const struct bly_atom own = v->list->values[number];
    if (!counts(v, own.a) && !counts(v, own.b)) return;
    bool elsewhere = false; /* the code may come to another one, but not here */
    for (uint32_t i = v->r->turns[turn - 1].atom; i < v->r->primal; i++) {
        if (v->r->turn_of[i] != turn || i == number) continue;
        const uint32_t region = v->list->values[i].region;
        if (i < number && bly_region_is_within(v->list, own.region, region)) return;
        elsewhere |= !bly_region_is_within(v->list, region, own.region);
    }
    v->region = 0;
    uint32_t bar = leaf_of(v, BLY_ATOM_TURN, turn - 1);
    if (v->r->falls[number]) bar = negated(v, bar);
    for (uint32_t i = v->r->turns[turn - 1].atom; i < number; i++)
        if (v->r->turn_of[i] == turn) bar = within_region(v, v->list->values[i].region, none, bar);
    if (elsewhere) bar = within_region(v, own.region, bar, none);
    jump(v, number, bar);
}

/* ---- Flags --------------------------------------------------------------------------------------- */

static void need_flag(struct reverser *v, uint32_t number, struct bly_place place)
{
    if (v->r->varied[number] && !bly_atom_is_flag(v->list, number, v->d->flags))
        refuse(v, place, "it compares an integer that depends on the path and is not always 0 or 1");
}

int bly_flag_way(enum bly_expression_kind kind, bool swapped, int64_t number)
{
    bool at[2];
    for (int x = 0; x < 2; x++) {
        const struct bly_cell flag = bly_integer_cell(x), with = bly_integer_cell(number);
        at[x] = bly_compared(kind, &bly_type_int64, swapped ? with : flag, swapped ? flag : with);
    }
    return at[1] - at[0];
}

/* A comparison of an int that is 0 or 1 with a constant: it is the flag, its opposite, or neither. */
static void compare_flag(struct reverser *v, const struct bly_atom *c, uint32_t bar)
{
    const bool swapped = !v->r->varied[c->a];
    const uint32_t flag = swapped ? c->b : c->a, with = swapped ? c->a : c->b;
    int64_t number;
    need_flag(v, flag, c->place);
    if (v->r->varied[with] || !bly_atom_is_integer(v->list, with, &number))
        refuse(v, c->place, "it compares two integers, one of which depends on the path");
    const int way = bly_flag_way(c->operation, swapped, number);
    if (way > 0) add(v, flag, bar);
    if (way < 0) subtract(v, flag, bar);
}

/* Whether a value is of a side of a condition: then what leaves that is 0 on the other one. */
static bool is_side(const struct reverser *v, uint32_t value, uint32_t condition, bool holds)
{
    for (uint32_t at = v->list->values[value].region; at != v->region && at;
         at = v->list->regions[at].outer) {
        const struct bly_region *r = &v->list->regions[at];
        if (r->condition == condition && r->holds == holds) return true;
    }
    return false;
}

static void select_bar(struct reverser *v, uint32_t number, const struct bly_atom *s, uint32_t bar)
{
    const uint32_t none = real(v, 0);
    if (counts(v, s->b))
        add(v, s->b, is_side(v, s->b, s->a, true) ? bar : bly_atom_select(v->list, s->a, bar, none));
    if (counts(v, s->c))
        add(v, s->c, is_side(v, s->c, s->a, false) ? bar : bly_atom_select(v->list, s->a, none, bar));
    if (!counts(v, s->a) || v->r->meeting[number] > 1 + BLY_JUMPS) return;
    need_flag(v, s->a, s->place);
    add_product(v, s->a, bar, of_two(v, BLY_SUBTRACT, as_real(v, s->b), as_real(v, s->c)));
}

/* ---- Operations ---------------------------------------------------------------------------------- */

/* A part that is 0 where the bar is: of what is not finite, and was chosen against later. */
static uint32_t unless_none(struct reverser *v, uint32_t number, uint32_t bar, uint32_t part)
{
    const uint32_t none = real(v, 0);
    if (!v->r->random[number] || v->list->values[bar].kind == BLY_ATOM_NUMBER) return part;
    return bly_atom_select(v->list, bly_atom_operation(v->list, BLY_EQUAL, &bly_type_int, bar, none, 0), none,
                           part);
}

static void divide(struct reverser *v, const struct bly_atom *o, uint32_t number, uint32_t bar)
{
    const uint32_t part = unless_none(v, o->b, bar, of_two(v, BLY_DIVIDE, bar, o->b));
    add(v, o->a, part);
    if (counts(v, o->b)) add_product(v, o->b, negated(v, part), number);
}

/* x to the power of y. */
static void power(struct reverser *v, const struct bly_atom *o, uint32_t number, uint32_t bar)
{
    if (counts(v, o->a)) {
        const uint32_t less =
            bly_atom_call(v->list, "pow", o->a, of_two(v, BLY_SUBTRACT, o->b, real(v, 1)), 0);
        const uint32_t part = of_two(v, BLY_MULTIPLY, bar, of_two(v, BLY_MULTIPLY, o->b, less));
        add(v, o->a, unless_none(v, o->a, bar, part));
    }
    if (!counts(v, o->b)) return;
    const uint32_t zero = real(v, 0);
    const uint32_t positive = bly_atom_operation(v->list, BLY_GREATER, &bly_type_int, o->a, zero, 0);
    const uint32_t log =
        bly_atom_call(v->list, "log", bly_atom_select(v->list, positive, o->a, real(v, 1)), 0, 0);
    add(v, o->b,
        unless_none(v, o->a, bar, of_two(v, BLY_MULTIPLY, bar, of_two(v, BLY_MULTIPLY, number, log))));
}

/* The smaller or larger one, the first where they are equal. */
static void extreme(struct reverser *v, const struct bly_atom *o, bool larger, uint32_t bar)
{
    const uint32_t none = real(v, 0);
    const uint32_t second =
        bly_atom_operation(v->list, larger ? BLY_GREATER : BLY_LESS, &bly_type_int, o->b, o->a, 0);
    if (counts(v, o->a)) add(v, o->a, bly_atom_select(v->list, second, none, bar));
    if (counts(v, o->b)) add(v, o->b, bly_atom_select(v->list, second, bar, none));
}

/* By the probability that of the quantile is the inverse of the density there. */
static void gamma_quantile(struct reverser *v, const struct bly_atom *o, uint32_t number, uint32_t bar)
{
    if (counts(v, o->a)) {
        const uint32_t density = bly_atom_call(v->list, "gamma_density", number, o->b, 0);
        add(v, o->a, unless_none(v, o->a, bar, of_two(v, BLY_DIVIDE, bar, density)));
    }
    if (counts(v, o->b))
        add_product(v, o->b, bar, bly_atom_call(v->list, "gamma_icdf_by_shape", o->a, o->b, 0));
}

static void call(struct reverser *v, const struct bly_atom *o, uint32_t number, uint32_t bar)
{
    const char *name = o->library->name;
    if (strcmp(name, "exp") == 0) {
        add_product(v, o->a, bar, number);
    } else if (strcmp(name, "log") == 0) {
        add(v, o->a, unless_none(v, o->a, bar, of_two(v, BLY_DIVIDE, bar, o->a)));
    } else if (strcmp(name, "sqrt") == 0) {
        const uint32_t half = of_two(v, BLY_MULTIPLY, real(v, 0.5), bar);
        add(v, o->a, unless_none(v, o->a, bar, of_two(v, BLY_DIVIDE, half, number)));
    } else if (strcmp(name, "pow") == 0) {
        power(v, o, number, bar);
    } else if (strcmp(name, "fabs") == 0) {
        const uint32_t below = bly_atom_operation(v->list, BLY_LESS, &bly_type_int, o->a, real(v, 0), 0);
        add(v, o->a, bly_atom_select(v->list, below, negated(v, bar), bar));
    } else if (strcmp(name, "fmin") == 0 || strcmp(name, "fmax") == 0) {
        extreme(v, o, strcmp(name, "fmax") == 0, bar);
    } else if (strcmp(name, "fma") == 0) {
        add_product(v, o->a, bar, o->b);
        add_product(v, o->b, bar, o->a);
        add(v, o->c, bar);
    } else if (strcmp(name, "normal_icdf") == 0) {
        const uint32_t square =
            of_two(v, BLY_MULTIPLY, of_two(v, BLY_MULTIPLY, real(v, 0.5), number), number);
        const uint32_t inverse =
            of_two(v, BLY_MULTIPLY, real(v, 2.5066282746310002), bly_atom_call(v->list, "exp", square, 0, 0));
        add(v, o->a, unless_none(v, o->a, bar, of_two(v, BLY_MULTIPLY, bar, inverse)));
    } else if (strcmp(name, "normal_cdf") == 0 || strcmp(name, "uniform") == 0) {
        const uint32_t square = of_two(v, BLY_MULTIPLY, of_two(v, BLY_MULTIPLY, real(v, -0.5), o->a), o->a);
        const uint32_t density =
            of_two(v, BLY_MULTIPLY, real(v, 0.3989422804014327), bly_atom_call(v->list, "exp", square, 0, 0));
        add_product(v, o->a, bar, density);
    } else if (strcmp(name, "gamma_icdf") == 0) {
        gamma_quantile(v, o, number, bar);
    } else {
        refuse(v, o->place, bly_jumps(o->library) ? BLY_FUNCTION_JUMPS : BLY_FUNCTION_UNKNOWN);
    }
}

static void operation(struct reverser *v, uint32_t number, uint32_t bar)
{
    const struct bly_atom o = v->list->values[number];
    switch (o.operation) {
    case BLY_NEGATE: subtract(v, o.a, bar); break;
    case BLY_ADD:
        add(v, o.a, bar);
        add(v, o.b, bar);
        break;
    case BLY_SUBTRACT:
        add(v, o.a, bar);
        subtract(v, o.b, bar);
        break;
    case BLY_MULTIPLY:
        if (counts(v, o.a)) add_product(v, o.a, bar, as_real(v, o.b));
        if (counts(v, o.b)) add_product(v, o.b, bar, as_real(v, o.a));
        break;
    case BLY_DIVIDE:
        if (o.type->kind != BLY_TYPE_REAL)
            refuse(v, o.place, "it divides an integer that depends on the path");
        divide(v, &o, number, bar);
        break;
    case BLY_CALL: call(v, &o, number, bar); break;
    case BLY_SELECT: select_bar(v, number, &o, bar); break;
    case BLY_CONVERT:
        if (is_of_reals(v->list, &o) && o.type->kind != BLY_TYPE_REAL)
            refuse(v, o.place, "it converts a real that depends on the path to an integer");
        add(v, o.a, bar);
        break;
    case BLY_NOT:
        need_flag(v, o.a, o.place);
        subtract(v, o.a, bar);
        break;
    case BLY_AND:
    case BLY_OR: {
        const bool is_or = o.operation == BLY_OR;
        const uint32_t none = real(v, 0);
        need_flag(v, o.a, o.place);
        need_flag(v, o.b, o.place);
        if (counts(v, o.a))
            add(v, o.a,
                is_or ? bly_atom_select(v->list, o.b, none, bar) : bly_atom_select(v->list, o.b, bar, none));
        if (counts(v, o.b))
            add(v, o.b,
                is_or ? bly_atom_select(v->list, o.a, none, bar) : bly_atom_select(v->list, o.a, bar, none));
        break;
    }
    default:
        if (!bly_is_comparison(o.operation))
            refuse(v, o.place, "it uses the bits of an integer that depends on the path");
        else if (is_of_reals(v->list, &o))
            jump(v, number, bar);
        else
            compare_flag(v, &o, bar);
    }
}

/* ---- A list -------------------------------------------------------------------------------------- */

/* A parameter at an index that is known as it runs. */
static void scatter(struct reverser *v, const struct bly_atom *p, uint32_t bar)
{
    struct bly_reversed *r = v->r;
    if (r->scatter_count == r->scatter_size) {
        const uint32_t size = r->scatter_size ? 2 * r->scatter_size : 16;
        struct bly_scatter *more = bly_arena_take(&v->d->arena, size * sizeof *more);
        if (!more) full(v);
        if (r->scatter_count) memcpy(more, r->scatters, r->scatter_count * sizeof *more);
        r->scatters = more;
        r->scatter_size = size;
    }
    const uint32_t none = real(v, 0);
    for (uint32_t at = p->region; at; at = v->list->regions[at].outer)
        bar = v->list->regions[at].holds
                  ? bly_atom_select(v->list, v->list->regions[at].condition, bar, none)
                  : bly_atom_select(v->list, v->list->regions[at].condition, none, bar);
    r->scatters[r->scatter_count++] = (struct bly_scatter){p->number, p->count, p->a, bar};
}

static void leaf(struct reverser *v, uint32_t number, uint32_t bar)
{
    struct bly_reversed *r = v->r;
    const struct bly_atom p = v->list->values[number];
    if (p.kind == BLY_ATOM_STATE) r->state_bars[p.number] = bar;
    if (p.kind == BLY_ATOM_PARAM && p.a) scatter(v, &p, bar);
    if (p.kind == BLY_ATOM_PARAM && !p.a) r->param_bars[p.number] = bar;
    if (p.kind == BLY_ATOM_POINT) r->point_bars[p.number] = bar;
    if (p.kind == BLY_ATOM_TIME) r->time_bar = bar;
}

static const char *bar_name(struct reverser *v, const char *name)
{
    char text[80];
    const size_t length = strlen(name);
    if (length > 56) return NULL;
    memcpy(text, name, length);
    memcpy(text + length, "_bar", 5);
    return bly_arena_text(&v->d->arena, text, length + 4);
}

/* Sums of params go on from those of the steps after. */
static void begin(struct reverser *v, const uint32_t *seeds, uint32_t results)
{
    struct bly_reversed *r = v->r;
    v->list->region = 0;
    v->list->settled = r->primal;
    memset(r->bars, 0, r->primal * sizeof *r->bars);
    memset(r->state_bars, 0, (v->d->states + 1) * sizeof *r->state_bars);
    memset(r->param_bars, 0, (v->d->params + 1) * sizeof *r->param_bars);
    memset(r->point_bars, 0, v->d->dims * sizeof *r->point_bars);
    r->time_bar = 0;
    r->scatter_count = 0;
    for (uint32_t i = 1; i < r->primal; i++) {
        const struct bly_atom p = v->list->values[i];
        if (p.kind == BLY_ATOM_PARAM && !p.a && r->varied[i])
            r->bars[i] = leaf_of(v, BLY_ATOM_PARAM_BAR, p.number);
    }
    for (uint32_t k = 0; k < r->fixed_count; k++)
        r->bars[r->fixed_values[k]] = leaf_of(v, BLY_ATOM_FIXED_BAR, k);
    for (uint32_t k = 0; k < results; k++)
        if (r->results[k] && seeds[k]) add(v, r->results[k], seeds[k]);
}

bailey_status bly_reverse(struct bly_derivative *d, struct bly_reversed *r, const uint32_t *seeds)
{
    struct reverser v = {.d = d, .r = r, .list = &r->list};
    if (setjmp(v.stopped)) return v.status;
    begin(&v, seeds, r == &d->finish ? d->outputs : d->states);
    for (uint32_t i = r->primal; i-- > 1;) {
        if (d->runs && r->turn_of[i] && r != &d->fixed) turn(&v, i);
        const uint32_t bar = r->bars[i];
        if (!bar || !r->varied[i]) continue;
        if (r->list.values[i].name && bar >= r->primal && !r->list.values[bar].name)
            r->list.values[bar].name = bar_name(&v, r->list.values[i].name);
        v.region = r->list.values[i].region;
        if (r->fixed && r->fixed[i])
            continue; /* it is summed up, and passed on behind all steps */
        else if (r->list.values[i].kind == BLY_ATOM_OPERATION)
            operation(&v, i, bar);
        else
            leaf(&v, i, bar);
        if (r->list.no_memory || r->list.too_long) full(&v);
    }
    for (uint32_t k = 0; k < r->fixed_count && r->fixed; k++) r->fixed_bars[k] = r->bars[r->fixed_values[k]];
    return BAILEY_OK;
}
