/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Named construction orders. The four bisections are those of the NAG library's g05xe; "bisection" on
 * N = 12 is the order (3) of J. du Toit, "A high-performance Brownian bridge for GPUs", NAG (2011).
 */
#include <base/status.h>

#include <string.h>

struct bisection {
    uint32_t up, right_to_left; /* 0 or 1 */
    uint32_t *next;
};

/* Appends the midpoints of the intervals that are `depth` halvings below (low, high). A level costs as
 * much as all levels above it together, so that doing them one after the other is O(N) and needs no
 * queue; the recursion is as deep as the level, below 21. */
static void bisect(struct bisection *b, uint32_t low, uint32_t high, uint32_t depth)
{
    if (high - low < 2) return;
    const uint32_t middle = low + (high - low + b->up) / 2;
    if (depth == 0) {
        *b->next++ = middle;
    } else if (b->right_to_left) {
        bisect(b, middle, high, depth - 1);
        bisect(b, low, middle, depth - 1);
    } else {
        bisect(b, low, middle, depth - 1);
        bisect(b, middle, high, depth - 1);
    }
}

static void make_named(bailey_order kind, uint32_t interior, uint32_t *order)
{
    if (kind == BAILEY_ORDER_INCREMENTAL) {
        for (uint32_t i = 0; i < interior; i++) order[i] = i + 1;
        return;
    }
    struct bisection b = {
        .up = kind == BAILEY_ORDER_BISECTION_LR_UP || kind == BAILEY_ORDER_BISECTION_RL_UP,
        .right_to_left = kind == BAILEY_ORDER_BISECTION_RL_DOWN || kind == BAILEY_ORDER_BISECTION_RL_UP,
        .next = order,
    };
    for (uint32_t depth = 0; b.next < order + interior; depth++) bisect(&b, 0, interior + 1, depth);
}

bailey_status bailey_order_make(bailey_order kind, uint64_t interior, const uint32_t *important,
                                uint64_t important_count, uint32_t *order)
{
    /* The top bit of order[i] tells whether index i + 1 is important, whatever order[i] holds below:
     * indices are below 2^31, so no memory of our own is needed. */
    const uint32_t mark = UINT32_C(1) << 31;

    if ((unsigned)kind > BAILEY_ORDER_INCREMENTAL)
        return bly_fail_argument("kind", "kind is %d, not a bailey_order", (int)kind);
    if (interior > BAILEY_BRIDGE_MAX_STEPS - 1)
        return bly_fail_argument("interior", "interior is %llu, more than %u", (unsigned long long)interior,
                                 BAILEY_BRIDGE_MAX_STEPS - 1);
    if (order == NULL && interior > 0) return bly_fail_argument("order", "order is NULL");
    if (important == NULL && important_count > 0)
        return bly_fail_argument("important", "important is NULL, but important_count is %llu",
                                 (unsigned long long)important_count);

    const uint32_t n = (uint32_t)interior;
    if (n > 0) make_named(kind, n, order);
    if (important_count == 0) return BAILEY_OK;

    for (uint64_t i = 0; i < important_count; i++) {
        const uint32_t index = important[i];
        if (index < 1 || index > n)
            return bly_fail_argument("important", "important[%llu] = %u is not in 1 .. %u",
                                     (unsigned long long)i, index, n);
        if (order[index - 1] & mark) {
            uint64_t first = 0;
            while (important[first] != index) first++;
            return bly_fail_argument("important", "important[%llu] = %u repeats important[%llu]",
                                     (unsigned long long)i, index, (unsigned long long)first);
        }
        order[index - 1] |= mark;
    }
    /* Moves the others to the back, in order, from the end. */
    uint32_t to = n;
    for (uint32_t from = n; from-- > 0;) {
        const uint32_t index = order[from] & ~mark;
        if (order[index - 1] & mark) continue;
        to--;
        order[to] = (order[to] & mark) | index;
    }
    for (uint32_t i = 0; i < to; i++) order[i] = important[i];
    for (uint32_t i = to; i < n; i++) order[i] &= ~mark;
    return BAILEY_OK;
}

bailey_status bailey_order_from_name(const char *name, bailey_order *kind)
{
    static const struct {
        const char *name;
        bailey_order kind;
    } names[] = {
        {"bisection", BAILEY_ORDER_BISECTION},   {"lr-down", BAILEY_ORDER_BISECTION},
        {"lr-up", BAILEY_ORDER_BISECTION_LR_UP}, {"rl-down", BAILEY_ORDER_BISECTION_RL_DOWN},
        {"rl-up", BAILEY_ORDER_BISECTION_RL_UP}, {"incremental", BAILEY_ORDER_INCREMENTAL},
    };
    if (name == NULL) return bly_fail_argument("name", "name is NULL");
    if (kind == NULL) return bly_fail_argument("kind", "kind is NULL");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i].name) != 0) continue;
        *kind = names[i].kind;
        return BAILEY_OK;
    }
    return bly_fail_argument(
        "name", "name is \"%s\", not one of bisection, lr-down, lr-up, rl-down, rl-up, incremental", name);
}
