/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which loops are unrolled (BLY_LOOP, kernels/payoff_head.h). Loops within loops multiply, and so do loops in
 * functions that they call, which are inlined: 16 times 16 times 16 copies take a compiler many seconds. So a
 * loop whose copies would be too long is left to the compiler, and with it those around it. One without a
 * condition is too: gcc refuses to unroll it. Lengths are counted in tokens of C, about.
 */
#include "print.h"

#define MOST_TRIPS 16u    /* that BLY_LOOP unrolls */
#define MOST_TOKENS 8192u /* of all copies of a loop: three nested ones of 16 trips have more, two fewer */
/* The same of derivatives, whose loops call what paths are run again by: none becomes vector instructions. */
#define MOST_OF_DERIVATIVES 512u

static uint64_t weigh_function(struct bly_function *f, uint64_t most);
static uint64_t weigh_list(struct bly_statement *s, uint64_t most);

static uint64_t weigh_value(const struct bly_expression *e, uint64_t most)
{
    uint64_t weight = e->kind == BLY_CONVERT ? 0 : e->kind == BLY_INDEX || e->kind == BLY_MEMBER ? 2 : 1;
    if (e->kind != BLY_CALL) {
        const struct bly_expression *const operands[] = {e->a, e->b, e->c};
        for (int i = 0; i < 3; i++) weight += operands[i] ? weigh_value(operands[i], most) : 0;
        return weight;
    }
    for (const struct bly_expression *a = e->arguments; a; a = a->next) weight += 1 + weigh_value(a, most);
    return e->function ? weight + weigh_function((struct bly_function *)e->function, most) : weight + 1;
}

static uint64_t weigh_initial(const struct bly_initial *initial, uint64_t most)
{
    uint64_t weight = 0;
    for (; initial; initial = initial->next)
        weight += 1 + (initial->value ? weigh_value(initial->value, most) : weigh_initial(initial->list, most));
    return weight;
}

static uint64_t within(uint64_t weight) { return weight < UINT32_MAX ? weight : UINT32_MAX; }

/* The copies of a loop, or itself where they would be too many. */
static uint64_t weigh_loop(struct bly_statement *s, uint64_t most)
{
    const uint64_t one = within(2 + weigh_list(s->first, most) + weigh_list(s->each, most) + weigh_list(s->body, most) +
                                (s->condition ? weigh_value(s->condition, most) : 0));
    const uint64_t trips = s->bounded && s->trips < MOST_TRIPS ? s->trips ? s->trips : 1 : MOST_TRIPS;
    s->unrolled = s->is_for && s->condition && one * trips <= most;
    return s->unrolled ? one * trips : one;
}

static uint64_t weigh(struct bly_statement *s, uint64_t most)
{
    if (s->kind == BLY_LOOP) return weigh_loop(s, most);
    static const uint8_t words[] = {[BLY_BLOCK] = 1,  [BLY_DECLARE] = 2, [BLY_IF] = 2,    [BLY_DO] = 4,
                                    [BLY_SWITCH] = 2, [BLY_CASE] = 1,    [BLY_RETURN] = 1};
    uint64_t weight = 1 + (s->kind < sizeof words ? words[s->kind] : 0);
    if (s->condition) weight += weigh_value(s->condition, most);
    if (s->target && !s->seen) weight += 1 + weigh_value(s->target, most);
    if (s->value) weight += weigh_value(s->value, most);
    return within(weight + weigh_initial(s->initial, most) + weigh_list(s->body, most) + weigh_list(s->otherwise, most));
}

/* At most about UINT32_MAX. */
static uint64_t weigh_list(struct bly_statement *s, uint64_t most)
{
    uint64_t weight = 0;
    for (; s; s = s->next) weight = within(weight + weigh(s, most));
    return weight;
}

/* The weight of a function's body. There is no recursion. */
static uint64_t weigh_function(struct bly_function *f, uint64_t most)
{
    if (f->weight) return f->weight;
    const uint64_t weight = weigh_list(f->body, most);
    f->weight = weight < MOST_TOKENS ? (uint32_t)weight + 1 : MOST_TOKENS + 1;
    return f->weight;
}

void bly_unrolled_choose(const struct bly_unit *unit)
{
    const uint64_t most = unit->most_outputs ? MOST_OF_DERIVATIVES : MOST_TOKENS;
    for (struct bly_function *f = unit->functions; f; f = f->next) weigh_function(f, most);
}
