/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Loops that fill arrays: for (int k = 0; k < 3; k++) a[k] = ...; has written all of a[3].
 */
#include "assigned.h"

/* Counted loops in each other, from the innermost. */
struct counters {
    const struct bly_statement *loop;
    const struct counters *outer;
};

/* An index takes each number of its range, in the trips of one of the loops. */
static bool counts_through(const struct counters *counters, const struct bly_expression *index,
                           int64_t elements)
{
    const struct bly_int_range r = index->range;
    while (index->kind == BLY_CONVERT) index = index->a;
    if (index->kind != BLY_VARIABLE || r.low < 0 || r.high >= elements || r.low > r.high) return false;
    for (; counters; counters = counters->outer)
        if (counters->loop->counter == index->variable)
            return counters->loop->trips == (uint64_t)(r.high - r.low) + 1;
    return false;
}

/* The parts that an lvalue is in turn, as its indices count. At most as many as an array has leaves. */
struct parts {
    struct bly_part at[BLY_EXPANDED];
    uint32_t count;
};

static bool all_parts(struct bly_assigned *c, const struct counters *counters, const struct bly_expression *x,
                      struct parts *parts);

/* Each part is an array, and is replaced by a range of its elements. */
static void spread(struct parts *parts, const struct bly_type *of, struct bly_int_range elements,
                   uint32_t leaves)
{
    const uint32_t before = parts->count;
    parts->count = before * (uint32_t)(elements.high - elements.low + 1);
    for (uint32_t i = parts->count; i-- > 0;) { /* those from which the others are made are the last */
        struct bly_part p = parts->at[i % before];
        p.type = of;
        p.leaf += ((uint32_t)elements.low + i / before) * leaves;
        p.count = leaves;
        parts->at[i] = p;
    }
}

static bool all_elements(struct bly_assigned *c, const struct counters *counters,
                         const struct bly_expression *x, struct parts *parts)
{
    if (!all_parts(c, counters, x->a, parts)) return false;
    const struct bly_type *array = parts->at[0].type;
    const bool any = array->kind == BLY_TYPE_POINTER && array->count == 0;
    const int64_t elements = any ? x->integer : (int64_t)array->count;
    const uint32_t leaves = bly_leaves_of(c, array->of);
    if (any && (elements < 1 || elements > BLY_FIRST || !bly_is_split(c, array))) return false;
    if (x->b->range.low == x->b->range.high && parts->count == 1) {
        parts->at[0] = bly_part_element(c, x, parts->at[0]);
        return !parts->at[0].vague;
    }
    const struct bly_int_range r = x->b->range;
    if (!counts_through(counters, x->b, elements)) return false;
    const bool split = any || (uint64_t)leaves * (uint64_t)elements == parts->at[0].count;
    if (!split) { /* one leaf of all elements stays it, if all of each are written */
        parts->at[0].type = array->of;
        return parts->count == 1 && parts->at[0].count == 1 && r.low == 0 && r.high == elements - 1;
    }
    if ((uint64_t)parts->count * (uint64_t)elements > BLY_EXPANDED) return false;
    spread(parts, array->of, r, leaves);
    return true;
}

static bool all_members(struct bly_assigned *c, const struct counters *counters,
                        const struct bly_expression *x, struct parts *parts)
{
    if (!all_parts(c, counters, x->a, parts)) return false;
    const uint32_t leaves = bly_leaves_of(c, x->field->type);
    for (uint32_t i = 0; i < parts->count; i++) {
        struct bly_part *p = &parts->at[i];
        const struct bly_type *record = p->type->kind == BLY_TYPE_POINTER ? p->type->of : p->type;
        if (p->count != bly_leaves_of(c, record)) return false;
        if (record->record->field_count > 1 && p->count == 1) return false;
        p->leaf += x->field->leaf;
        p->count = leaves;
        p->type = x->field->type;
    }
    return true;
}

static bool all_parts(struct bly_assigned *c, const struct counters *counters, const struct bly_expression *x,
                      struct parts *parts)
{
    if (x->kind == BLY_INDEX) return all_elements(c, counters, x, parts);
    if (x->kind == BLY_MEMBER) return all_members(c, counters, x, parts);
    parts->at[0] = bly_part_find(c, x);
    parts->count = 1;
    return parts->at[0].root != NULL;
}

static void cover_assignment(struct bly_assigned *c, const struct bly_statement *s,
                             const struct counters *counters)
{
    struct parts parts = {.count = 0};
    if (s->target->kind == BLY_VARIABLE || !all_parts(c, counters, s->target, &parts)) return;
    for (uint32_t i = 0; i < parts.count; i++) bly_part_write(c, parts.at[i]);
}

static void cover(struct bly_assigned *c, const struct bly_statement *list, const struct counters *counters);

/* What both sides write. */
static void cover_branch(struct bly_assigned *c, const struct bly_statement *s,
                         const struct counters *counters)
{
    const uint32_t mark = c->pool_used;
    struct bly_flow before = bly_flow_copy(c, &c->flow), then = bly_flow_copy(c, &c->flow);
    cover(c, s->body, counters);
    bly_flow_set(c, &then, &c->flow);
    bly_flow_set(c, &c->flow, &before);
    cover(c, s->otherwise, counters);
    bly_flow_join(c, &c->flow, &then);
    c->pool_used = mark;
}

/* Assignments of each trip: in the body itself, in counted loops in it, and on both sides of branches. */
static void cover(struct bly_assigned *c, const struct bly_statement *list, const struct counters *counters)
{
    for (const struct bly_statement *s = list; s; s = s->next) {
        if (s->kind == BLY_BLOCK) cover(c, s->body, counters);
        if (s->kind == BLY_LOOP && s->counts && s->trips > 0 && s->site == 0)
            cover(c, s->body, &(struct counters){s, counters});
        if (s->kind == BLY_IF && s->otherwise) cover_branch(c, s, counters);
        if (s->kind == BLY_ASSIGN) cover_assignment(c, s, counters);
    }
}

void bly_assigned_cover(struct bly_assigned *c, const struct bly_statement *loop)
{
    cover(c, loop->body, &(struct counters){loop, NULL});
}
