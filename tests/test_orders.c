/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Named construction orders: those of the literature, permutations of every size, important points first,
 * refusals, names. No device, no context.
 */
#include <string.h>

#include "plan_inputs.h"

static void check_order(bailey_order kind, uint32_t n, const uint32_t *important, uint32_t count,
                        const uint32_t *expected)
{
    uint32_t order[16];
    memset(order, 0xa5, sizeof order);
    assert_int_equal(bailey_order_make(kind, n, important, count, order), BAILEY_OK);
    assert_memory_equal(order, expected, n * sizeof *order);
    assert_int_equal(order[n], 0xa5a5a5a5);
}
#define ORDER(kind, ...)                                                                                     \
    check_order(kind, sizeof((uint32_t[]){__VA_ARGS__}) / 4, NULL, 0, (const uint32_t[]){__VA_ARGS__})

/* NAG's examples for N = 12, documentation of g05xec. The first is (3) of du Toit's paper. */
TEST(orders_are_those_of_nag, HOST)
{
    ORDER(BAILEY_ORDER_BISECTION, 6, 3, 9, 1, 4, 7, 11, 2, 5, 8, 10, 12);
    ORDER(BAILEY_ORDER_BISECTION_LR_UP, 7, 4, 10, 2, 6, 9, 12, 1, 3, 5, 8, 11);
    ORDER(BAILEY_ORDER_BISECTION_RL_DOWN, 6, 9, 3, 11, 7, 4, 1, 12, 10, 8, 5, 2);
    ORDER(BAILEY_ORDER_BISECTION_RL_UP, 7, 10, 4, 12, 9, 6, 2, 11, 8, 5, 3, 1);
    ORDER(BAILEY_ORDER_INCREMENTAL, 1, 2, 3, 4, 5);
}

TEST(small_orders, HOST)
{
    for (int kind = 0; kind <= BAILEY_ORDER_INCREMENTAL; kind++) {
        assert_int_equal(bailey_order_make((bailey_order)kind, 0, NULL, 0, NULL), BAILEY_OK);
        ORDER((bailey_order)kind, 1);
    }
    ORDER(BAILEY_ORDER_BISECTION, 1, 2);
    ORDER(BAILEY_ORDER_BISECTION_LR_UP, 2, 1);
    ORDER(BAILEY_ORDER_BISECTION_RL_DOWN, 1, 2);
    ORDER(BAILEY_ORDER_BISECTION_RL_UP, 2, 1);
    ORDER(BAILEY_ORDER_BISECTION, 2, 1, 3);
    ORDER(BAILEY_ORDER_BISECTION_LR_UP, 2, 1, 3);
    ORDER(BAILEY_ORDER_BISECTION_RL_DOWN, 2, 3, 1);
    ORDER(BAILEY_ORDER_BISECTION_RL_UP, 2, 3, 1);
}

TEST(important_times_come_first, HOST)
{
    check_order(BAILEY_ORDER_BISECTION, 12, (const uint32_t[]){10, 3, 12}, 3,
                (const uint32_t[]){10, 3, 12, 6, 9, 1, 4, 7, 11, 2, 5, 8});
    check_order(BAILEY_ORDER_INCREMENTAL, 3, (const uint32_t[]){3, 2, 1}, 3, (const uint32_t[]){3, 2, 1});
    check_order(BAILEY_ORDER_BISECTION, 1, (const uint32_t[]){1}, 1, (const uint32_t[]){1});
    check_order(BAILEY_ORDER_BISECTION_RL_UP, 3, (const uint32_t[]){1}, 1, (const uint32_t[]){1, 2, 3});
}

TEST(orders_are_permutations, HOST)
{
    static const uint32_t important[] = {3, 1, 2};
    static uint32_t order[1000000];
    for (int kind = 0; kind <= BAILEY_ORDER_INCREMENTAL; kind++)
        for (uint32_t size = 3; size <= 302; size++) {
            const uint32_t n = size == 301 ? 65535 : size == 302 ? 1000000 : size, count = size % 4;
            unsigned char *seen = allocate(n, 1);
            assert_int_equal(bailey_order_make((bailey_order)kind, n, important, count, order), BAILEY_OK);
            for (uint32_t i = 0; i < n; i++) {
                assert_in_range(order[i], 1, n);
                assert_int_equal(seen[order[i] - 1]++, 0);
            }
            free(seen);
        }
}

#define FAILS(call, text)                                                                                    \
    do {                                                                                                     \
        assert_int_equal(call, BAILEY_ERROR_INVALID);                                                        \
        assert_string_equal(bailey_error_message(), text);                                                   \
    } while (0)

TEST(orders_refuse, HOST)
{
    uint32_t order[12];
    FAILS(bailey_order_make((bailey_order)5, 12, NULL, 0, order), "kind is 5, not a bailey_order");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 1000001, NULL, 0, order),
          "interior is 1000001, more than 1000000");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 1, NULL, 0, NULL), "order is NULL");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 12, NULL, 2, order),
          "important is NULL, but important_count is 2");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 12, (const uint32_t[]){3, 13}, 2, order),
          "important[1] = 13 is not in 1 .. 12");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 12, (const uint32_t[]){0}, 1, order),
          "important[0] = 0 is not in 1 .. 12");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 12, (const uint32_t[]){5, 3, 7, 3}, 4, order),
          "important[3] = 3 repeats important[1]");
    FAILS(bailey_order_make(BAILEY_ORDER_BISECTION, 0, (const uint32_t[]){1}, 1, NULL),
          "important[0] = 1 is not in 1 .. 0");
}

TEST(orders_have_names, HOST)
{
    bailey_order kind;
    static const char *const names[] = {"bisection", "lr-up", "rl-down", "rl-up", "incremental"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(bailey_order_from_name(names[i], &kind), BAILEY_OK);
        assert_int_equal(kind, i);
    }
    assert_int_equal(bailey_order_from_name("lr-down", &kind), BAILEY_OK);
    assert_int_equal(kind, BAILEY_ORDER_BISECTION);
    FAILS(bailey_order_from_name("LR", &kind),
          "name is \"LR\", not one of bisection, lr-down, lr-up, rl-down, rl-up, incremental");
    FAILS(bailey_order_from_name(NULL, &kind), "name is NULL");
    FAILS(bailey_order_from_name("lr-up", NULL), "kind is NULL");
}
