/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Loops. The ranges at the head of a loop hold at the beginning of every trip: they are those before it,
 * joined with those after a trip that began with them, until nothing is added. Ranges that grow jump to the
 * next threshold, so that this takes a few rounds. (P. and R. Cousot, "Abstract interpretation", POPL 1977,
 * has the method; that it ends at few thresholds is from F. Bourdoncle's and the ASTREE analyser's practice.)
 *
 * A loop is bounded if an integer grows in each trip, and its range at the beginning of trips has ends.
 */
#include "ranges.h"

#define ROUNDS 10 /* of thresholds; then ranges grow to those of their types */
#define PROVED 64 /* times the budget of loops: trips of loops in each other that need not be counted */

struct loop {
    struct bly_statement *s; /* NULL: of `trip` */
    void (*trip)(struct bly_walker *, struct bly_env *);
    struct bly_cycle cycle;
    struct bly_env head, begin, at,
        exits;      /* before the condition, before the body, after the trip, and the end */
    uint64_t trips; /* at most; once they are known */
    const struct bly_env *clip_entry, *clip_by;
    int64_t exact_cell;
    uint32_t live; /* cells of variables that are there before a trip */
};

struct bly_cycle *bly_loop_around(const struct bly_walker *w)
{
    struct bly_cycle *cycle = w->frame->cycle;
    while (cycle && cycle->is_switch) cycle = cycle->outer;
    return cycle;
}

/* ---- Trips ---------------------------------------------------------------------------------------- */

static struct bly_int_range times(uint64_t trips, struct bly_int_range change)
{
    const int64_t n = trips > INT64_MAX ? INT64_MAX : (int64_t)trips;
    const int64_t low = bly_multiply_limits(n, change.low < 0 ? change.low : 0);
    const int64_t high = bly_multiply_limits(n, change.high > 0 ? change.high : 0);
    return (struct bly_int_range){low, high};
}

/* What cells are after so many trips, each of which changes them by no more than is known: unless that might
 * wrap around. */
static void clip(struct bly_walker *w, struct bly_env *env, const struct bly_env *entry,
                 const struct bly_env *by, uint64_t trips)
{
    if (env->dead || entry->dead || by->dead) return;
    bly_walk_work(w, 1 + env->count / 8);
    for (uint32_t i = 0; i < env->count; i++) {
        struct bly_integer *cell = &env->cells[i];
        const struct bly_int_range all = bly_int_range_of(cell->type);
        const struct bly_int_range r =
            bly_change_add(entry->cells[i].range, times(trips, by->cells[i].change));
        if (r.low == INT64_MIN || r.high == INT64_MAX || !bly_int_range_within(r, all)) continue;
        if (r.low > cell->range.low && r.low <= cell->range.high) cell->range.low = r.low;
        if (r.high < cell->range.high && r.high >= cell->range.low) cell->range.high = r.high;
    }
}

/* Trips in which a cell grows from r.low to r.high, or falls. */
static uint64_t trips_of(uint8_t type, struct bly_int_range r, struct bly_int_range change)
{
    const struct bly_int_range all = bly_int_range_of(type), next = bly_change_add(r, change);
    if (change.low == INT64_MIN || change.high == INT64_MAX || next.low == INT64_MIN ||
        next.high == INT64_MAX)
        return BLY_ANY_TRIPS;
    if (change.low >= 1 && next.high <= all.high)
        return ((uint64_t)r.high - (uint64_t)r.low) / (uint64_t)change.low + 1;
    if (change.high <= -1 && next.low >= all.low)
        return ((uint64_t)r.high - (uint64_t)r.low) / (0 - (uint64_t)change.high) + 1;
    return BLY_ANY_TRIPS;
}

/* Trips at whose beginning, or after which, a cell is in r, is at least 1, and which halve it. */
static uint64_t trips_of_halving(uint8_t type, struct bly_int_range r)
{
    if (r.low < 1) return BLY_ANY_TRIPS;
    uint64_t trips = 1;
    for (int64_t high = r.high; high > 1; high >>= 1) trips++;
    return type == BLY_TYPE_UINT64 && r.high == INT64_MAX ? 64 : trips;
}

static uint64_t trips_of_cell(const struct bly_integer *begin, const struct bly_integer *at)
{
    uint64_t most = trips_of(begin->type, begin->range, at->change);
    if (at->halvings < 1) return most;
    const uint64_t here = trips_of_halving(begin->type, begin->range),
                   after = trips_of_halving(at->type, at->range);
    if (here < most) most = here;
    return after < most ? after + 1 : most;
}

static uint64_t most_trips(struct bly_walker *w, const struct loop *l)
{
    if (l->begin.dead) return 0;
    if (l->at.dead) return 1;
    uint64_t most = BLY_ANY_TRIPS;
    bly_walk_work(w, 1 + l->live / 8);
    for (uint32_t i = 0; i < l->live; i++) {
        const uint64_t trips = trips_of_cell(&l->begin.cells[i], &l->at.cells[i]);
        if (trips < most) most = trips;
    }
    return most;
}

static void condition(struct bly_walker *w, struct loop *l, struct bly_env *env)
{
    if (env->dead || !l->s->condition) return;
    bly_walk_evaluate(w, env, l->s->condition);
    if (env->dead) return;
    const uint32_t mark = w->pool_used;
    struct bly_env otherwise = bly_env_copy(w, env);
    bly_walk_assume(w, &otherwise, l->s->condition, false);
    bly_env_join(w, &l->exits, &otherwise);
    w->pool_used = mark;
    bly_walk_assume(w, env, l->s->condition, true);
}

static void begin(struct bly_walker *w, struct loop *l)
{
    if (l->clip_by) clip(w, &l->at, l->clip_entry, l->clip_by, l->trips > 0 ? l->trips - 1 : 0);
    if (l->exact_cell >= 0 && !l->at.dead) l->at.cells[l->exact_cell].exact = w->certain;
    bly_env_set(w, &l->begin, &l->at);
}

/* A trip that begins as is known of the head. */
static void turn(struct bly_walker *w, struct loop *l)
{
    l->begin.dead = l->exits.dead = true;
    l->cycle.breaks.dead = l->cycle.continues.dead = l->cycle.returns.dead = true;
    bly_env_set(w, &l->at, &l->head);
    if (!l->s) {
        begin(w, l);
        l->trip(w, &l->at);
        return;
    }
    l->cycle.outer = w->frame->cycle;
    if (l->s->kind == BLY_LOOP) condition(w, l, &l->at);
    begin(w, l);
    w->frame->cycle = &l->cycle;
    bly_walk_execute(w, &l->at, l->s->body);
    w->frame->cycle = l->cycle.outer;
    bly_env_join(w, &l->at, &l->cycle.continues);
    bly_walk_execute(w, &l->at, l->s->each);
    if (l->s->kind == BLY_DO) condition(w, l, &l->at);
}

/* ---- What holds in every trip --------------------------------------------------------------------- */

static void no_changes(struct bly_env *env)
{
    for (uint32_t i = 0; i < env->count; i++)
        env->cells[i].change = BLY_NO_CHANGE, env->cells[i].halvings = 0;
}

/* The ranges at the head after the trip. */
static void again(struct bly_walker *w, const struct loop *l, const struct bly_env *entry,
                  struct bly_env *next)
{
    bly_env_set(w, next, entry);
    bly_env_join(w, next, &l->at);
    no_changes(next);
}

static void settle(struct bly_walker *w, struct loop *l, const struct bly_env *entry)
{
    struct bly_env next = bly_env_take(w, entry->count);
    bly_env_set(w, &l->head, entry);
    no_changes(&l->head);
    for (int round = 0;; round++) {
        turn(w, l);
        again(w, l, entry, &next);
        if (bly_env_within(w, &next, &l->head, l->live)) break;
        bly_env_widen(w, &l->head, &next, l->live, round >= ROUNDS);
    }
    /* The ranges that a trip leaves cover everything, even where they are narrower than was supposed. */
    for (int round = 0; round < 2 && !bly_env_within(w, &l->head, &next, l->live); round++) {
        bly_env_set(w, &l->head, &next);
        turn(w, l);
        again(w, l, entry, &next);
    }
    bly_env_set(w, &l->head, &next);
}

static uint64_t product(uint64_t a, uint64_t b) { return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b; }

/* Trips that do not have to be counted: a path of 1,000,000 steps has 64 dimensions. */
static uint64_t most_proved(const struct bly_walker *w) { return product(w->unit->loop_budget, PROVED); }

/* ---- Ends that are reached ------------------------------------------------------------------------ */

/* The loop counts a cell by ones from one number to another, and nothing ends it before. */
static bool counts(struct bly_walker *w, struct loop *l, const struct bly_env *entry,
                   struct bly_expression *x, struct bly_expression *limit, int64_t *cell)
{
    while (x->kind == BLY_CONVERT) x = x->a;
    *cell = bly_cell_of(w, &l->head, x);
    if (*cell < 0 || l->at.dead || !bly_int_range_is_one(bly_walk_quietly(w, &l->head, limit))) return false;
    const struct bly_int_range from = entry->cells[*cell].range, all = l->begin.cells[*cell].range;
    const struct bly_int_range change = l->at.cells[*cell].change;
    if (!bly_int_range_is_one(from) || !bly_int_range_is_one(change) || (change.low != 1 && change.low != -1))
        return false;
    const uint64_t trips = (uint64_t)all.high - (uint64_t)all.low + 1;
    return l->trips == trips && (change.low == 1 ? all.low == from.low : all.high == from.low);
}

/* The end of what is counted is what the condition says. */
static bool reaches(struct bly_walker *w, struct loop *l, const struct bly_env *entry, int64_t *cell)
{
    struct bly_expression *const x = l->s->condition;
    if (x->kind < BLY_LESS || x->kind > BLY_UNEQUAL || x->kind == BLY_EQUAL || !bly_has_range(x->a->type))
        return false;
    struct bly_expression *counter = x->a, *limit = x->b;
    bool turned = false;
    if (!counts(w, l, entry, counter, limit, cell)) {
        counter = x->b, limit = x->a, turned = true;
        if (!counts(w, l, entry, counter, limit, cell)) return false;
    }
    const int64_t n = bly_walk_quietly(w, &l->head, limit).low;
    const struct bly_int_range all = l->begin.cells[*cell].range;
    const bool up = l->at.cells[*cell].change.low == 1;
    const bool has_limit = x->kind == BLY_LESS_EQUAL || x->kind == BLY_GREATER_EQUAL;
    const bool grows =
        x->kind == BLY_UNEQUAL || ((x->kind == BLY_LESS || x->kind == BLY_LESS_EQUAL) != turned) == up;
    return grows && (up ? all.high == n - !has_limit : all.low == n + !has_limit);
}

static bool is_exact(struct bly_walker *w, struct loop *l, const struct bly_env *entry, int64_t *cell)
{
    if (!l->s || l->s->kind != BLY_LOOP || !l->s->condition || l->begin.dead) return false;
    if (!l->cycle.breaks.dead || !l->cycle.returns.dead || l->trips > most_proved(w)) return false;
    return reaches(w, l, entry, cell);
}

/* ---- All ------------------------------------------------------------------------------------------ */

static void note_counter(const struct loop *l, bool exact)
{
    struct bly_statement *const s = l->s;
    if (!exact || (s->trips != 0 && s->trips != l->trips)) s->counts = false;
    const struct bly_expression *x = exact ? l->s->condition->a : NULL;
    for (int side = 0; side < 2 && x; side++, x = l->s->condition->b) {
        while (x->kind == BLY_CONVERT) x = x->a;
        if (x->kind == BLY_VARIABLE && x->variable->kind == BLY_VARIABLE_LOCAL && !x->variable->constant)
            s->counter = x->variable;
        if (s->counter) break;
    }
}

static void note(struct bly_walker *w, const struct loop *l, struct bly_env *entry, bool bounded, bool exact)
{
    struct bly_statement *const s = l->s;
    if (!s || !w->recording || s->apart) return;
    note_counter(l, exact);
    s->bounded = s->bounded && bounded;
    if (bounded && l->trips > s->trips) s->trips = l->trips;
    if (s->kind != BLY_LOOP || !s->condition) return;
    const uint32_t mark = w->pool_used;
    struct bly_env first = bly_env_copy(w, entry);
    if (bly_int_range_has(bly_walk_quietly(w, &first, s->condition), 0)) s->enters = false;
    w->pool_used = mark;
}

static void refuse_endless(struct bly_walker *w, const struct loop *l)
{
    if (!l->s || !w->judging || l->begin.dead) return;
    if (!l->exits.dead || !l->cycle.breaks.dead || !l->cycle.returns.dead) return;
    bly_walk_refuse(
        w, bly_refuse_at(w->unit, l->s->place,
                         "this loop does not end; give it a condition that becomes false, or leave it by "
                         "break or return"));
}

/* Changes since the loop's trip began become those since the trip of the loop around. */
static void outward(const struct loop *l, const struct bly_env *entry, struct bly_env *env)
{
    if (env->dead) return;
    for (uint32_t i = 0; i < env->count; i++) {
        const struct bly_int_range each = l->at.dead ? BLY_NO_CHANGE : l->at.cells[i].change;
        const struct bly_int_range all = bly_change_add(entry->cells[i].change, times(l->trips, each));
        env->cells[i].change = bly_change_add(all, env->cells[i].change);
        /* No trip makes it larger: else nothing is known. */
        if (!l->at.dead && l->at.cells[i].halvings < 0)
            env->cells[i].halvings = -1;
        else if (entry->cells[i].halvings < 0 || env->cells[i].halvings < 0)
            env->cells[i].halvings = -1;
        else if (entry->cells[i].halvings > env->cells[i].halvings)
            env->cells[i].halvings = entry->cells[i].halvings;
    }
}

/* The last turn, of which notes are taken. */
static void last_turn(struct bly_walker *w, struct loop *l, struct bly_env *entry)
{
    const uint32_t mark = w->pool_used;
    struct bly_env by = bly_env_copy(w, &l->at), first = bly_env_copy(w, entry);
    const uint64_t nest = w->nest, trips = l->s ? product(nest, l->trips) : nest;
    const bool bounded = trips <= most_proved(w) || l->trips <= 1;
    int64_t cell = -1;
    const bool exact = is_exact(w, l, entry, &cell);
    note(w, l, entry, bounded, exact);
    if (l->trips != BLY_ANY_TRIPS) {
        clip(w, &l->head, &first, &by, l->trips);
        l->clip_entry = &first;
        l->clip_by = &by;
    }
    l->exact_cell = exact ? cell : -1;
    w->nest = bounded ? trips : w->unit->loop_budget;
    const uint32_t certain = w->certain;
    if (!exact && l->s) w->certain = ++w->numbers;
    turn(w, l);
    w->certain = certain;
    w->nest = nest;
    refuse_endless(w, l);
    l->clip_by = NULL;
    /* At the end of its budget a loop is left where its body would begin. */
    if (l->trips > 1 || !l->s)
        bly_env_join(w, &l->exits, l->s && l->s->kind == BLY_LOOP ? &l->begin : &l->head);
    w->pool_used = mark;
}

static void take_all(struct bly_walker *w, struct loop *l, uint32_t count)
{
    struct bly_env *const all[] = {&l->head,         &l->begin,           &l->at,           &l->exits,
                                   &l->cycle.breaks, &l->cycle.continues, &l->cycle.returns};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) *all[i] = bly_env_take(w, count);
}

static void run(struct bly_walker *w, struct loop *l, struct bly_env *env)
{
    l->live = l->s ? w->frame->base + l->s->live : env->count;
    const uint32_t mark = w->pool_used, certain = w->certain;
    const uint64_t jumps = w->jumps, leaves = w->leaves;
    const bool recording = w->recording, judging = w->judging;
    take_all(w, l, env->count);
    w->recording = w->judging = false;
    settle(w, l, env);
    w->recording = recording;
    w->judging = judging;
    const uint64_t trips = most_trips(w, l);
    if (trips < l->trips) l->trips = trips;
    last_turn(w, l, env);
    bly_env_join(w, &l->exits, &l->cycle.breaks);
    outward(l, env, &l->exits);
    outward(l, env, &l->cycle.returns);
    const bool returned = !l->cycle.returns.dead;
    if (l->s) {
        struct bly_cycle *const around = bly_loop_around(w);
        bly_env_join(w, around ? &around->returns : w->frame->returns, &l->cycle.returns);
    }
    w->jumps = jumps + returned;
    w->leaves = leaves + returned;
    w->certain = returned ? ++w->numbers : certain;
    bly_env_set(w, env, &l->exits);
    w->pool_used = mark;
}

/* One trip after the other, where it is known how many there are: what integers are in each is known then. */
static void run_apart(struct bly_walker *w, struct loop *l, struct bly_env *env)
{
    const uint32_t mark = w->pool_used, certain = w->certain;
    const uint64_t jumps = w->jumps, leaves = w->leaves, nest = w->nest;
    struct bly_cycle *const around = bly_loop_around(w);
    struct bly_env out = bly_env_take(w, env->count);
    bool returned = false;
    take_all(w, l, env->count);
    w->nest = product(nest, l->s->trips);
    bly_env_set(w, &l->head, env);
    for (uint64_t trip = 0; trip < l->s->trips && !l->head.dead; trip++) {
        w->certain = ++w->numbers;
        turn(w, l);
        bly_env_join(w, &out, &l->exits);
        bly_env_join(w, &out, &l->cycle.breaks);
        bly_env_join(w, around ? &around->returns : w->frame->returns, &l->cycle.returns);
        returned = returned || !l->cycle.returns.dead;
        bly_env_set(w, &l->head, &l->at);
    }
    l->exits.dead = true;
    if (l->s->kind == BLY_LOOP) condition(w, l, &l->head);
    bly_env_join(w, &out, &l->exits);
    w->nest = nest;
    w->jumps = jumps + returned;
    w->leaves = leaves + returned;
    w->certain = returned ? ++w->numbers : certain;
    bly_env_set(w, env, &out);
    w->pool_used = mark;
}

void bly_walk_loop(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    if (env->dead) return;
    struct loop l = {.s = s, .trips = BLY_ANY_TRIPS, .exact_cell = -1};
    if (s->apart && product(w->nest, s->trips) <= most_proved(w))
        run_apart(w, &l, env);
    else
        run(w, &l, env);
}

void bly_walk_repeat(struct bly_walker *w, struct bly_env *env,
                     void (*trip)(struct bly_walker *, struct bly_env *), uint64_t trips)
{
    struct loop l = {.trip = trip, .trips = trips, .exact_cell = -1};
    run(w, &l, env);
}
