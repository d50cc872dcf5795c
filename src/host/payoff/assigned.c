/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Definite assignment: every local that is read, and every part of the state that start reads, was written
 * before on every path, and so are all of the state when start ends, and out[] when finish and whole do. One
 * pass over each function: a loop adds nothing to what is written before it, so that it needs no second
 * round. (The rules are those of Java's definite assignment, J. Gosling et al., "The Java Language
 * Specification", chapter 16, with the help of ranges for conditions.)
 *
 * The rules follow leaves: numbers that are not in an array, and the elements of small arrays. Numbers that
 * may be read too early are refused; for arrays that cannot always be decided, so these are zeroed instead.
 */
#include "assigned.h"

#include <base/alloc.h>

#include <string.h>

/* ---- Sets ----------------------------------------------------------------------------------------- */

static void join_into(const struct bly_assigned *c, struct bly_flow *to, struct bly_flow *from)
{
    bly_flow_join(c, to, from);
    from->dead = true;
}

/* ---- Statements ----------------------------------------------------------------------------------- */

static void declare(struct bly_assigned *c, struct bly_statement *s)
{
    struct bly_variable *const v = s->variable;
    bly_bits_fill(c->flow.bits, v->leaf, bly_leaves_of(c, v->type), false); /* its own value may name it */
    bly_assigned_read_initial(c, s->initial);
    bly_bits_fill(c->flow.bits, v->leaf, bly_leaves_of(c, v->type), s->initial != NULL);
}

static void assign(struct bly_assigned *c, struct bly_statement *s)
{
    bly_assigned_read(c, s->value);
    if (!s->seen) bly_assigned_read_indices(c, s->target);
    bly_assigned_write(c, s->target);
}

static bool always(const struct bly_expression *x) { return !x || x->range.low > 0 || x->range.high < 0; }
static bool never(const struct bly_expression *x) { return x && x->range.low == 0 && x->range.high == 0; }

static void branch(struct bly_assigned *c, struct bly_statement *s)
{
    bly_assigned_read(c, s->condition);
    const uint32_t mark = c->pool_used;
    struct bly_flow then = bly_flow_take(c), before = bly_flow_copy(c, &c->flow);
    if (!never(s->condition)) {
        bly_assigned_execute(c, s->body);
        bly_flow_set(c, &then, &c->flow);
    }
    bly_flow_set(c, &c->flow, &before);
    if (always(s->condition))
        c->flow.dead = true;
    else
        bly_assigned_execute(c, s->otherwise);
    bly_flow_join(c, &c->flow, &then);
    c->pool_used = mark;
}

static void choose(struct bly_assigned *c, struct bly_statement *s)
{
    bly_assigned_read(c, s->condition);
    const uint32_t mark = c->pool_used;
    struct bly_flow before = bly_flow_copy(c, &c->flow), breaks = bly_flow_take(c);
    struct bly_flow *const outer = c->breaks;
    bool has_default = false;
    c->breaks = &breaks;
    c->flow.dead = true;
    for (struct bly_statement *b = s->body->body; b; b = b->next) {
        if (b->kind != BLY_CASE) {
            bly_assigned_one(c, b);
            continue;
        }
        bly_flow_join(c, &c->flow, &before);
        has_default = has_default || !b->labelled;
    }
    if (!has_default) bly_flow_join(c, &c->flow, &before);
    bly_flow_join(c, &c->flow, &breaks);
    c->breaks = outer;
    c->pool_used = mark;
}

/* ---- Loops ---------------------------------------------------------------------------------------- */

/* A loop that is counted may end on its first trip, also one that nothing else ends: what is read or has to
 * be written behind that is taken for written, and begins as zeros. */
static void leave_early(struct bly_assigned *c, const struct bly_flow *before)
{
    if (c->flow.dead) memset(c->flow.bits, 0xff, c->words * sizeof *c->flow.bits);
    c->flow.dead = false;
    bly_assigned_zero(c, before);
}

static void loop(struct bly_assigned *c, struct bly_statement *s)
{
    const uint32_t mark = c->pool_used;
    const bool is_do = s->kind == BLY_DO;
    const uint32_t returns = c->returns;
    if (!is_do) bly_assigned_read(c, s->condition);
    struct bly_flow before = bly_flow_copy(c, &c->flow), breaks = bly_flow_take(c),
                    continues = bly_flow_take(c);
    struct bly_flow *const outer_breaks = c->breaks, *const outer_continues = c->continues;
    c->breaks = &breaks;
    c->continues = &continues;
    if (!is_do && never(s->condition)) c->flow.dead = true;
    bly_assigned_execute(c, s->body);
    if (!continues.dead || !breaks.dead || c->returns != returns) s->counts = false;
    bly_flow_join(c, &c->flow, &continues);
    bly_assigned_execute(c, s->each);
    if (is_do && !c->flow.dead) bly_assigned_read(c, s->condition);
    c->breaks = outer_breaks;
    c->continues = outer_continues;
    if (always(s->condition))
        c->flow.dead = true;
    else if (!is_do && !s->enters)
        bly_flow_set(c, &c->flow, &before);
    bly_flow_join(c, &c->flow, &breaks);
    if (s->counts && s->trips > 0 && s->site == 0 && !c->flow.dead) bly_assigned_cover(c, s);
    if (s->site != 0) leave_early(c, &before);
    c->pool_used = mark;
}

/* ---- All ------------------------------------------------------------------------------------------ */

static void execute_return(struct bly_assigned *c, struct bly_statement *s)
{
    if (s->value) bly_assigned_read(c, s->value);
    c->returns++;
    bly_assigned_end(c, &s->place);
    c->flow.dead = true;
}

void bly_assigned_one(struct bly_assigned *c, struct bly_statement *s)
{
    if (c->flow.dead) return;
    switch (s->kind) {
    case BLY_BLOCK: bly_assigned_execute(c, s->body); break;
    case BLY_DECLARE: declare(c, s); break;
    case BLY_ASSIGN: assign(c, s); break;
    case BLY_EVALUATE: bly_assigned_read(c, s->value); break;
    case BLY_IF: branch(c, s); break;
    case BLY_LOOP:
        bly_assigned_execute(c, s->first);
        loop(c, s);
        break;
    case BLY_DO: loop(c, s); break;
    case BLY_SWITCH: choose(c, s); break;
    case BLY_BREAK: join_into(c, c->breaks, &c->flow); break;
    case BLY_CONTINUE: join_into(c, c->continues, &c->flow); break;
    case BLY_RETURN: execute_return(c, s); break;
    default: break;
    }
}

void bly_assigned_execute(struct bly_assigned *c, struct bly_statement *list)
{
    for (struct bly_statement *s = list; s && !c->flow.dead; s = s->next) bly_assigned_one(c, s);
}

static void run_function(struct bly_assigned *c, struct bly_function *f)
{
    c->pool_used = 0;
    c->flow = bly_flow_take(c);
    c->ever = bly_flow_take(c).bits;
    c->vague = bly_flow_take(c).bits;
    bly_assigned_begin(c, f);
    bly_assigned_execute(c, f->body->body);
    bly_assigned_end(c, NULL);
}

static void run_all(struct bly_assigned *c)
{
    if (setjmp(c->stopped) != 0) return;
    for (struct bly_function *f = c->unit->functions; f; f = f->next) run_function(c, f);
}

/* Sets that are there at once: some of each statement in which others are. */
#define SETS_OF_A_STATEMENT 4

bailey_status bly_assigned_check(struct bly_unit *unit)
{
    struct bly_assigned c = {.unit = unit, .status = BAILEY_OK};
    const uint32_t leaves = bly_leaves_place(&c);
    if (c.status != BAILEY_OK) return c.status;
    c.words = leaves / 64 + 1;
    c.pool_words = c.words * (SETS_OF_A_STATEMENT * (BLY_MOST_DEPTH + 2) + 8);
    c.pool = bly_alloc(c.pool_words, sizeof *c.pool);
    if (!c.pool) return bly_no_memory(unit);
    run_all(&c);
    bly_free(c.pool);
    return c.status;
}
