/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The order of construction: --order and --important as the commands read them, arrays as the library gets
 * them. The first byte of a case says which.
 */
#include "fuzz_program.h"

#include <cli/options/options.h>

#include <host/bridge/plan.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER, IMPORTANT, MOST = 255 };

static void is_permutation(const uint32_t *order, uint64_t count)
{
    uint8_t seen[MOST + 2] = {0};
    for (uint64_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(order[i] >= 1 && order[i] <= count && !seen[order[i]]);
        seen[order[i]] = 1;
    }
}

/* The text of --order, unless it must be a file, and after it that of --important. */
static void read_options(struct fuzz_input input, int is_file)
{
    static const struct option options[] = {OPTION("--order", "O", ""), OPTION("--important", "I", ""),
                                            OPTIONS_END};
    static const struct command command = {.options = options};
    const uint64_t interior = fuzz_byte(&input);
    struct order order;
    char *text = is_file ? NULL : fuzz_text(&input), *important = is_file ? NULL : fuzz_text(&input);
    struct arguments arguments = {.command = &command};
    arguments.value[ORDER] = text;
    if (is_file) arguments.value[ORDER] = fuzz_file(input.at, input.left);
    if (!is_file && *important) arguments.value[IMPORTANT] = important;
    if (text && strpbrk(text, "./")) *text = 0; /* no other files */
    const int code = order_read(&arguments, ORDER, IMPORTANT, interior, &order);
    if (!code && interior) is_permutation(order.index, interior);
    free(order.index);
    free(text);
    free(important);
}

static uint32_t take_index(struct fuzz_input *input)
{
    const uint32_t low = fuzz_byte(input);
    return low == 255 ? (uint32_t)fuzz_word(input) : low;
}

static void make_order(struct fuzz_input input)
{
    const uint64_t interior = fuzz_byte(&input);
    const bailey_order kind = (bailey_order)(int8_t)fuzz_byte(&input);
    const uint64_t count = input.left < MOST ? input.left : MOST;
    uint32_t *order = calloc(interior + 1, sizeof *order), *important = calloc(count + 1, sizeof *important);
    FUZZ_REQUIRE(order && important);
    for (uint64_t i = 0; i < count; i++) important[i] = take_index(&input);
    if (bailey_order_make(kind, interior, important, count, order) == BAILEY_OK) {
        is_permutation(order, interior);
        FUZZ_REQUIRE(!memcmp(order, important, count * sizeof *order));
    }
    free(order);
    free(important);
}

static void check_plan(const struct bly_plan *plan, uint64_t steps)
{
    FUZZ_REQUIRE(plan->steps == steps);
    for (uint64_t i = 0; i < steps; i++)
        FUZZ_REQUIRE(isfinite(plan->path[i].left_weight) && plan->path[i].sigma >= 0);
}

/* Times are 1, 2, 3, ..., or those of the case. */
static void make_plan(struct fuzz_input input, int own_times)
{
    const uint64_t steps = 1 + fuzz_byte(&input), start = fuzz_byte(&input);
    double *times = calloc(steps, sizeof *times);
    uint32_t *order = calloc(steps, sizeof *order);
    struct bly_plan plan;
    FUZZ_REQUIRE(times && order);
    for (uint64_t i = 0; i < steps; i++) {
        const uint64_t word = own_times ? fuzz_word(&input) : 0;
        times[i] = (double)(i + 1);
        if (own_times) memcpy(&times[i], &word, sizeof word);
        order[i] = own_times ? 0 : take_index(&input);
    }
    if (bly_plan_create(times, steps, 0, own_times ? NULL : order, start & 1, &plan) == BAILEY_OK) {
        if (!own_times) is_permutation(order, steps - 1);
        check_plan(&plan, steps);
        bly_plan_destroy(&plan);
    }
    if (own_times && bly_plan_create_random_walk(times, steps, 0, start & 1, &plan) == BAILEY_OK)
        bly_plan_destroy(&plan);
    free(times);
    free(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    fuzz_listen();
    switch (fuzz_byte(&input)) {
    case 'o': read_options(input, 0); break;
    case 'f': read_options(input, 1); break;
    case 'i': make_order(input); break;
    case 't': make_plan(input, 1); break;
    default: make_plan(input, 0);
    }
    return 0;
}
