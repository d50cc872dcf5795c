/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From a construction order to an execution order.
 *
 * A point is interpolated from its neighbours among the points built before it, l and r. Inserted in
 * construction order, the points form a binary search tree whose parent links are "the later built of l
 * and r"; the orders that give the same bridge are those that keep parents before children, nothing
 * else. The neighbours of a point are all in {l, r, u} of the step before exactly where it is a child
 * of u; a sequence of such steps is a downward path that ends at a leaf, so a depth-first order, in which
 * every inner node is followed by a child, reuses neighbours as often as any order can. Which child
 * comes first decides how many points wait on the stack; see `count_needs`.
 *
 * Source of the idea: J. du Toit, "A high-performance Brownian bridge for GPUs", NAG (2011), sections
 * 2.2 and 7, which leaves the method out. This one is a Sethi-Ullman numbering (J. ACM 17, 1970) of
 * gaps that share their end points.
 */
#include "plan.h"

#include <base/alloc.h>
#include <host/internal.h>

#include <math.h>
#include <string.h>

/* What planning works on. Arrays are indexed by point: 0 is t0, N + 1 is T. */
struct build {
    const double *times;
    double start_time;
    const uint32_t *order;
    uint32_t interior; /* N */
    uint32_t fixed;
    uint32_t *rank;         /* place in the construction order; 0 for t0 and T */
    uint32_t *left, *right; /* neighbours when built; T's are both t0 */
    uint32_t (*child)[2];   /* 0 for none; T's left child is the root of the interior points */
    uint8_t (*need)[4];     /* see count_needs */
    uint8_t *choice;
    uint32_t *sequence;  /* points in execution order, T first */
    uint32_t *pending;   /* points that wait for their turn while a sequence is made */
    uint32_t *last_read; /* the last step that reads the point from the stack; 0 for none */
    uint8_t *slot;
};

static double time_of(const struct build *b, uint32_t point)
{
    return point == 0 ? b->start_time : b->times[point - 1];
}

enum { NAME_BYTES = 64 };

static const char *name(char text[NAME_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bly_format(text, NAME_BYTES, format, arguments);
    va_end(arguments);
    return text;
}

/* "times[3] = 0.5" or "start_time = 0", in `text`. */
static const char *name_time(const struct build *b, uint32_t point, char text[NAME_BYTES])
{
    if (point == 0) return name(text, "start_time = %.17g", b->start_time);
    return name(text, "times[%lu] = %.17g", (unsigned long)(point - 1), b->times[point - 1]);
}

/* Refuses times that are not finite and increasing, or with a difference or reciprocal of a difference
 * that is not a normal number. */
static bailey_status check_times(const struct build *b)
{
    char here[NAME_BYTES], before[NAME_BYTES];
    for (uint32_t point = 0; point <= b->interior + 1; point++)
        if (!isfinite(time_of(b, point)))
            return bly_fail_argument(point == 0 ? "start_time" : "times", "%s is not finite",
                                     name_time(b, point, here));
    for (uint32_t point = 1; point <= b->interior + 1; point++) {
        const double dt = time_of(b, point) - time_of(b, point - 1);
        if (!(time_of(b, point) > time_of(b, point - 1)))
            return bly_fail_argument("times", "%s does not exceed %s", name_time(b, point, here),
                                     name_time(b, point - 1, before));
        if (!isnormal(dt) || !isnormal(1 / dt))
            return bly_fail_argument(
                "times",
                "%s exceeds %s by %.17g: that or its reciprocal is not a normal floating-point number",
                name_time(b, point, here), name_time(b, point - 1, before), dt);
    }
    const double span = time_of(b, b->interior + 1) - b->start_time;
    if (!isnormal(span))
        return bly_fail_argument("times",
                                 "%s exceeds %s by %.17g, which is not a normal floating-point number",
                                 name_time(b, b->interior + 1, here), name_time(b, 0, before), span);
    return BAILEY_OK;
}

/* Refuses an order that is not a permutation; ranks the points. */
static bailey_status rank_points(struct build *b)
{
    for (uint32_t i = 0; i < b->interior; i++) {
        const uint32_t point = b->order[i];
        if (point < 1 || point > b->interior)
            return bly_fail_argument("order", "order[%lu] = %lu is not in 1 .. %lu", (unsigned long)i,
                                     (unsigned long)point, (unsigned long)b->interior);
        if (b->rank[point] != 0)
            return bly_fail_argument("order", "order[%lu] = %lu repeats order[%lu]", (unsigned long)i,
                                     (unsigned long)point, (unsigned long)(b->rank[point] - 1));
        b->rank[point] = i + 1;
    }
    return BAILEY_OK;
}

/* Neighbours and the tree, by undoing the construction: a list of all points in time order, from which
 * the points are removed last built first. A point's links at its removal are its neighbours. */
static void find_neighbours(struct build *b)
{
    const uint32_t last = b->interior + 1;
    for (uint32_t point = 0; point <= last; point++) {
        b->left[point] = point == 0 ? 0 : point - 1;
        b->right[point] = point == last ? 0 : point + 1;
    }
    for (uint32_t k = b->interior; k-- > 0;) {
        const uint32_t point = b->order[k], l = b->left[point], r = b->right[point];
        b->right[l] = r;
        b->left[r] = l;
        const uint32_t parent = b->rank[l] > b->rank[r] ? l : r;
        b->child[parent][point > parent] = point;
    }
}

/* The stack that the subtree of a point needs, and which child to build first, for each state
 * s = a + 2 b: a (b) is 1 if the left (right) neighbour is needed again after the subtree.
 *
 * The stack after a step holds the points that are needed later and are not in {l, r, u}; t0 never, because
 * it is always available. While one child's subtree is built, the neighbour that it lacks must wait if the
 * other child or the outside needs it; u is the neighbour of both children. This is the minimum over all
 * equivalent orders, depth-first or not: tests/test_plan.c compares it with an exhaustive search.
 *
 * Bits 0-3 of `choice` say for each state whether the right child is first, ties going left; bits 4-7 say the
 * same for ties going right. Children are built after their parents, so the reverse of the construction order
 * goes bottom-up. */
static void count_needs(struct build *b)
{
    for (uint32_t k = b->interior; k-- > 0;) {
        const uint32_t point = b->order[k], l = b->child[point][0], r = b->child[point][1];
        const unsigned left_waits = b->left[point] != 0;
        unsigned choice = 0;
        for (unsigned s = 0; s < 4; s++) {
            const unsigned a_waits = s & left_waits, b_waits = s >> 1, a = s & 1;
            unsigned need = 0;
            if (l != 0 && r != 0) {
                const unsigned l1 = 1u + b->need[l][a | 2], r2 = a_waits + b->need[r][2 * b_waits];
                const unsigned r1 = left_waits + b->need[r][1 | 2 * b_waits], l2 = b_waits + b->need[l][a];
                const unsigned left_first = l1 > r2 ? l1 : r2, right_first = r1 > l2 ? r1 : l2;
                need = left_first < right_first ? left_first : right_first;
                if (right_first < left_first) choice |= 1u << s;
                if (right_first <= left_first) choice |= 16u << s;
            } else if (l != 0) {
                need = b_waits + b->need[l][a];
            } else if (r != 0) {
                need = a_waits + b->need[r][2 * b_waits];
            }
            b->need[point][s] = (uint8_t)need;
        }
        b->choice[point] = (uint8_t)choice;
    }
}

/* Fills `sequence` with the depth-first order of the choices, ties going right if `ties` is 1. */
static void make_sequence(struct build *b, unsigned ties)
{
    uint32_t *next = b->sequence, *top = b->pending;
    uint32_t point = b->interior + 1, s = 0;
    for (;;) {
        *next++ = point;
        const uint32_t l = b->child[point][0], r = b->child[point][1];
        if (l != 0 && r != 0) {
            if (b->choice[point] >> (s + 4 * ties) & 1u) {
                *top++ = l << 2 | (s & 1);
                point = r, s |= 1;
            } else {
                *top++ = r << 2 | (s & 2);
                point = l, s |= 2;
            }
        } else if (l != 0) {
            point = l, s &= 1;
        } else if (r != 0) {
            point = r, s &= 2;
        } else if (top > b->pending) {
            point = *--top >> 2, s = *top & 3;
        } else {
            return;
        }
    }
}

static uint32_t source_of(const struct build *b, uint32_t point, uint32_t previous)
{
    return point == 0                    ? BAILEY_BRIDGE_FROM_START
           : point == b->left[previous]  ? BAILEY_BRIDGE_FROM_LEFT
           : point == b->right[previous] ? BAILEY_BRIDGE_FROM_RIGHT
           : point == previous           ? BAILEY_BRIDGE_FROM_BUILT
                                         : BAILEY_BRIDGE_FROM_STACK;
}

/* The weights. These expressions, each operation rounded once in double, are the contract: results
 * depend on their bits. */
static bailey_status make_weights(const struct build *b, uint32_t point, double *left_weight,
                                  double *right_weight, double *sigma)
{
    const double lo = time_of(b, b->left[point]), t = time_of(b, point), hi = time_of(b, b->right[point]);
    *left_weight = (hi - t) / (hi - lo);
    *right_weight = (t - lo) / (hi - lo);
    const double product = (hi - t) * (t - lo), variance = product / (hi - lo);
    *sigma = sqrt(variance);
    if (isnormal(*left_weight) && isnormal(*right_weight) && isnormal(product) && isnormal(variance))
        return BAILEY_OK;
    char names[3][64];
    return bly_fail_argument("times",
                             "%s between %s and %s has weights that are not normal floating-point numbers",
                             name_time(b, point, names[0]), name_time(b, b->left[point], names[1]),
                             name_time(b, b->right[point], names[2]));
}

static uint32_t row_of(const struct build *b, uint32_t point)
{
    return b->rank[point] == 0 ? 0 : b->rank[point] - b->fixed;
}

static uint32_t lowest_clear_bit(uint64_t bits)
{
    uint32_t i = 0;
    while (bits >> i & 1) i++;
    return i;
}

/* Gives the points of `sequence` their stack slots: a point that will be read from the stack gets the
 * lowest free one when it is built and keeps it until its last read, in the step of which it may be
 * given to the new point. Counts into `plan`; also writes the records if there are any yet.
 *
 * Writing when built, not when the point leaves the registers, takes one write a point and in practice
 * at most one slot more than the minimum of `count_needs`; never more than three more, as only the three
 * points in registers hold a slot too early. That minimum is at most 35 for N = 10^6: the smallest tree
 * that needs k slots, by dynamic programming over the need vectors of its subtrees, has 2^(k/2+2) - 2
 * points for even k and 3 * 2^((k+1)/2) - 2 for odd k > 1. So the limit is never met. */
static bailey_status assign_slots(struct build *b, struct bly_plan *plan)
{
    const uint32_t last = b->interior + 1;
    memset(b->last_read, 0, sizeof *b->last_read * (last + 1));
    plan->stack_reads = plan->stack_writes = 0;
    for (uint32_t i = 1; i < last; i++) {
        const uint32_t neighbours[2] = {b->left[b->sequence[i]], b->right[b->sequence[i]]};
        for (unsigned side = 0; side < 2; side++) {
            if (source_of(b, neighbours[side], b->sequence[i - 1]) != BAILEY_BRIDGE_FROM_STACK) continue;
            b->last_read[neighbours[side]] = i;
            plan->stack_reads++;
        }
    }

    uint64_t used = 0;
    plan->path_slots = 0;
    for (uint32_t i = 0; i < last; i++) {
        const uint32_t point = b->sequence[i], neighbours[2] = {b->left[point], b->right[point]};
        uint32_t source[2], slot[2] = {0, 0};
        for (unsigned side = 0; side < 2; side++) {
            source[side] = source_of(b, neighbours[side], i == 0 ? 0 : b->sequence[i - 1]);
            if (source[side] != BAILEY_BRIDGE_FROM_STACK) continue;
            slot[side] = b->slot[neighbours[side]];
            if (b->last_read[neighbours[side]] == i) used &= ~(UINT64_C(1) << slot[side]);
        }
        uint32_t written = BAILEY_BRIDGE_NO_SLOT;
        if (b->last_read[point] != 0) {
            written = lowest_clear_bit(used);
            if (written >= BAILEY_BRIDGE_MAX_SLOTS)
                return bly_fail(BAILEY_ERROR_UNSUPPORTED, "the order needs more than %d stack slots",
                                BAILEY_BRIDGE_MAX_SLOTS);
            used |= UINT64_C(1) << written;
            b->slot[point] = (uint8_t)written;
            plan->stack_writes++;
            if (plan->path_slots <= written) plan->path_slots = written + 1;
        }
        if (plan->path == NULL) continue;

        bailey_bridge_step_f64 *step = &plan->path[i];
        step->row = row_of(b, point);
        step->point = point;
        step->left = neighbours[0];
        step->right = neighbours[1];
        step->code = source[0] | source[1] << 3 | slot[0] << 8 | slot[1] << 16 | written << 24;
        if (i > 0) {
            const bailey_status status =
                make_weights(b, point, &step->left_weight, &step->right_weight, &step->sigma);
            if (status != BAILEY_OK) return status;
        } else if (!b->fixed) {
            step->left_weight = 1;
            step->sigma = sqrt(time_of(b, point) - b->start_time);
        }
    }
    return BAILEY_OK;
}

/* The records of `path`: of the two ways to break ties the one with fewer reads, then slots, then
 * writes. */
static bailey_status plan_path(struct build *b, struct bly_plan *plan)
{
    struct bly_plan found[2] = {{0}, {0}};
    count_needs(b);
    for (unsigned ties = 0; ties < 2; ties++) {
        make_sequence(b, ties);
        const bailey_status status = assign_slots(b, &found[ties]);
        if (status != BAILEY_OK) return status;
    }
    const struct bly_plan *l = &found[0], *r = &found[1];
    if (l->stack_reads < r->stack_reads ||
        (l->stack_reads == r->stack_reads &&
         (l->path_slots < r->path_slots ||
          (l->path_slots == r->path_slots && l->stack_writes < r->stack_writes))))
        make_sequence(b, 0);
    return assign_slots(b, plan);
}

/* The weights of a split. A part that is a single interval is divided by its length: its weight and sigma are
 * those of the change, divided, and the weight of either is then 1 / (hi - lo). Each is computed from its own
 * difference of times: 1 - weight would have lost the digits of a part that is small. */
static bailey_status make_split_weights(const struct build *b, uint32_t point, bailey_bridge_split_f64 *split)
{
    const double lo = time_of(b, b->left[point]), t = time_of(b, point), hi = time_of(b, b->right[point]);
    double sigma;
    const bailey_status status = make_weights(b, point, &split->right_weight, &split->left_weight, &sigma);
    split->left_sigma = sigma;
    split->right_sigma = -sigma;
    if (b->child[point][0] == 0) {
        split->left_weight = 1 / (hi - lo);
        split->left_sigma = sigma / (t - lo);
    }
    if (b->child[point][1] == 0) {
        split->right_weight = 1 / (hi - lo);
        split->right_sigma = -(sigma / (hi - t));
    }
    return status;
}

/* The records of `split`. A pending gap costs one slot and shares nothing, which makes it the plain
 * Sethi-Ullman numbering: the part with the smaller need first, and the slots are a stack. */
static bailey_status plan_split(struct build *b, struct bly_plan *plan)
{
    for (uint32_t k = b->interior; k-- > 0;) {
        const uint32_t point = b->order[k];
        const unsigned l = b->child[point][0] == 0 ? 0 : b->need[b->child[point][0]][0];
        const unsigned r = b->child[point][1] == 0 ? 0 : b->need[b->child[point][1]][0];
        const unsigned both = b->child[point][0] != 0 && b->child[point][1] != 0;
        b->need[point][0] = (uint8_t)((l > r ? l : r) + (both && l == r));
    }

    bailey_bridge_split_f64 *split = plan->split;
    const double span = time_of(b, b->interior + 1) - b->start_time;
    split->left_weight = b->interior == 0 ? 1 / span : 1;
    split->left_sigma = b->fixed ? 0 : b->interior == 0 ? sqrt(span) / span : sqrt(span);

    uint32_t depth = 0, source = BAILEY_BRIDGE_SPLIT_LEFT, slot = 0;
    for (uint32_t point = b->child[b->interior + 1][0]; point != 0;) {
        const uint32_t l = b->child[point][0], r = b->child[point][1];
        split++;
        split->row = row_of(b, point);
        split->gap = b->left[point];
        split->node = point;
        split->code = source | (uint32_t)(l == 0) << 4 | (uint32_t)(r == 0) << 5 | slot << 8;
        const bailey_status status = make_split_weights(b, point, split);
        if (status != BAILEY_OK) return status;

        slot = 0;
        if (l != 0 && r != 0) {
            const uint32_t right_first = b->need[r][0] < b->need[l][0];
            split->code |= (right_first ? 1u : 2u) << 2 | depth << 16;
            b->pending[depth++] = right_first ? l : r;
            if (plan->split_slots < depth) plan->split_slots = depth;
            point = right_first ? r : l;
            source = right_first ? BAILEY_BRIDGE_SPLIT_RIGHT : BAILEY_BRIDGE_SPLIT_LEFT;
        } else if (l != 0 || r != 0) {
            point = l != 0 ? l : r;
            source = l != 0 ? BAILEY_BRIDGE_SPLIT_LEFT : BAILEY_BRIDGE_SPLIT_RIGHT;
        } else if (depth > 0) {
            point = b->pending[--depth];
            source = BAILEY_BRIDGE_SPLIT_STACK;
            slot = depth;
        } else {
            point = 0;
        }
    }
    return BAILEY_OK;
}

static bailey_status make_plan(struct build *b, struct bly_plan *plan, uint32_t **default_order)
{
    bailey_status status = check_times(b);
    if (status != BAILEY_OK) return status;

    const size_t steps = (size_t)b->interior + 1, points = steps + 1;
    if (b->order == NULL) {
        *default_order = bly_alloc(steps, sizeof **default_order);
        if (*default_order == NULL)
            return bly_fail(BAILEY_ERROR_MEMORY, "no memory to plan %zu steps", steps);
        /* Cannot fail: N is within its limit. */
        (void)bailey_order_make(BAILEY_ORDER_BISECTION, b->interior, NULL, 0, *default_order);
        b->order = *default_order;
    }
    b->rank = bly_alloc(points, sizeof *b->rank);
    b->left = bly_alloc(points, sizeof *b->left);
    b->right = bly_alloc(points, sizeof *b->right);
    b->child = bly_alloc(points, sizeof *b->child);
    b->need = bly_alloc(points, sizeof *b->need);
    b->choice = bly_alloc(points, sizeof *b->choice);
    b->sequence = bly_alloc(steps, sizeof *b->sequence);
    b->pending = bly_alloc(steps, sizeof *b->pending);
    b->last_read = bly_alloc(points, sizeof *b->last_read);
    b->slot = bly_alloc(points, sizeof *b->slot);
    plan->path = bly_alloc(steps, sizeof *plan->path);
    plan->split = bly_alloc(steps, sizeof *plan->split);
    if (b->rank == NULL || b->left == NULL || b->right == NULL || b->child == NULL || b->need == NULL ||
        b->choice == NULL || b->sequence == NULL || b->pending == NULL || b->last_read == NULL ||
        b->slot == NULL || plan->path == NULL || plan->split == NULL)
        return bly_fail(BAILEY_ERROR_MEMORY, "no memory to plan %zu steps", steps);

    status = rank_points(b);
    if (status != BAILEY_OK) return status;
    find_neighbours(b);
    status = plan_path(b, plan);
    if (status != BAILEY_OK) return status;
    plan->steps = steps;
    return plan_split(b, plan);
}

static bailey_status check_arguments(const double *times, uint64_t steps)
{
    if (steps < 1 || steps > BAILEY_BRIDGE_MAX_STEPS)
        return bly_fail_argument("steps", "steps is %llu, not in 1 .. %u", (unsigned long long)steps,
                                 BAILEY_BRIDGE_MAX_STEPS);
    return times != NULL ? BAILEY_OK : bly_fail_argument("times", "times is NULL");
}

bailey_status bly_plan_create(const double *times, uint64_t steps, double start_time, const uint32_t *order,
                              int fixed_end, struct bly_plan *plan)
{
    struct build b = {.times = times, .start_time = start_time, .order = order, .fixed = fixed_end != 0};
    uint32_t *default_order = NULL;
    memset(plan, 0, sizeof *plan);
    bailey_status status = check_arguments(times, steps);
    if (status != BAILEY_OK) return status;
    b.interior = (uint32_t)steps - 1;

    status = make_plan(&b, plan, &default_order);
    bly_free(default_order);
    bly_free(b.rank);
    bly_free(b.left);
    bly_free(b.right);
    bly_free(b.child);
    bly_free(b.need);
    bly_free(b.choice);
    bly_free(b.sequence);
    bly_free(b.pending);
    bly_free(b.last_read);
    bly_free(b.slot);
    if (status != BAILEY_OK) bly_plan_destroy(plan);
    return status;
}

/* The record that builds `point`, from the point before or, for an increment, from nothing. */
static bailey_bridge_step_f64 random_walk_step(const struct build *b, uint32_t point, int increments)
{
    const uint32_t before = increments ? 0 : point - 1,
                   source = before == 0 ? BAILEY_BRIDGE_FROM_START : BAILEY_BRIDGE_FROM_BUILT;
    const double dt = time_of(b, point) - time_of(b, point - 1), sigma = sqrt(dt);
    return (bailey_bridge_step_f64){.row = point - 1,
                                    .point = point,
                                    .left = before,
                                    .right = before,
                                    .code = source | source << 3 | BAILEY_BRIDGE_NO_SLOT << 24,
                                    .left_weight = !increments,
                                    .sigma = increments ? sigma / dt : sigma};
}

bailey_status bly_plan_create_random_walk(const double *times, uint64_t steps, double start_time,
                                          int increments, struct bly_plan *plan)
{
    struct build b = {.times = times, .start_time = start_time};
    memset(plan, 0, sizeof *plan);
    bailey_status status = check_arguments(times, steps);
    if (status != BAILEY_OK) return status;
    b.interior = (uint32_t)steps - 1;
    status = check_times(&b);
    if (status != BAILEY_OK) return status;
    plan->path = bly_alloc((size_t)steps, sizeof *plan->path);
    if (plan->path == NULL)
        return bly_fail(BAILEY_ERROR_MEMORY, "no memory to plan %llu steps", (unsigned long long)steps);
    plan->steps = steps;
    for (uint32_t k = 0; k < steps; k++) plan->path[k] = random_walk_step(&b, k + 1, increments);
    return BAILEY_OK;
}

void bly_plan_destroy(struct bly_plan *plan)
{
    if (plan == NULL) return;
    bly_free(plan->path);
    bly_free(plan->split);
    memset(plan, 0, sizeof *plan);
}
