/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The proofs of the checks of payoff code hold: random code runs in the interpreter, which tests each index,
 * divisor, sum and conversion that is proved, and each number that is read, and says where a proof is wrong.
 * No device, no context.
 */
#include "harness.h"

#include "random_integers.h"
#include "random_payoff.h"

#include <host/payoff/interpret.h>
#include <math.h>

#define PATHS 6
#define MOST_STEPS 16
#define MOST_DIMS 4

static uint64_t numbers; /* state of what paths and parameters are drawn from */

static const struct {
    double at;
} corners[] = {{0},           {1},   {-1},   {2},     {3},   {7}, {-2147483648.},
               {2147483647.}, {0.5}, {1e19}, {-1e19}, {255}, {12}};

static double draw(void)
{
    const size_t count = sizeof corners / sizeof corners[0];
    if (random_payoff_below(&numbers, 3) == 0) return corners[random_payoff_below(&numbers, count)].at;
    return (double)random_payoff_below(&numbers, 4001) / 500 - 4;
}

static double at(void *user, uint64_t step, uint32_t dimension)
{
    return ((const double *)user)[step * MOST_DIMS + dimension];
}

static double time_of(void *user, uint64_t step)
{
    (void)user;
    return 0.25 * (double)(step + 1);
}

static void run_path(struct bly_unit *unit, struct bly_interpreter *m)
{
    double x[MOST_STEPS * MOST_DIMS], out[16] = {0};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) x[i] = draw();
    const struct bly_path_reader path = {x, at, time_of};
    struct bly_given given = {.path = &path, .out = out};
    for (uint32_t i = 0; i < bly_interpreter_parameters(m); i++) bly_interpreter_set(m, i, draw());
    bly_interpreter_begin(m);
    bly_interpreter_call(m, unit->start, &given);
    for (uint32_t i = 0; i < unit->steps && unit->step; i++) {
        given.number = (int32_t)i;
        given.t = time_of(NULL, i);
        given.x = x + i * MOST_DIMS;
        bly_interpreter_call(m, unit->step, &given);
    }
    bly_interpreter_call(m, unit->finish, &given);
    bly_interpreter_call(m, unit->whole, &given);
}

static uint64_t proved, tested, refused;

static void count(const struct bly_unit *unit)
{
    tested += unit->site_count;
    proved += unit->site_count == 0;
}

/* One piece of code: false where a proof is wrong. What certainly fails is refused. */
static bool holds(uint64_t seed, char *code, uint32_t dims, uint32_t steps, bool may_fail)
{
    assert_non_null(code);
    struct bly_unit unit = {.kind = BLY_UNIT_PAYOFF,
                            .precision = (bailey_precision)(seed % 2),
                            .dims = dims,
                            .steps = steps,
                            .code = code,
                            .length = strlen(code),
                            .argument = "payoff",
                            .loop_budget = 1000};
    struct bly_interpreter *m;
    bool right = may_fail;
    bly_unit_name(&unit, NULL);
    numbers = seed * 977;
    if (bly_unit_read(&unit) != BAILEY_OK) {
        refused++;
    } else {
        OK(bly_interpreter_create(&unit, &m));
        right = true;
        for (int i = 0; i < PATHS && right; i++) {
            run_path(&unit, m);
            right = bly_interpreter_status(m) == BAILEY_OK;
        }
        bly_interpreter_destroy(m);
        count(&unit);
    }
    if (!right || (getenv("BAILEY_TEST_VERBOSE") && unit.site_count == 0))
        print_message("seed %llu: %s\n", (unsigned long long)seed, bailey_error_message());
    bly_unit_free(&unit);
    free(code);
    return right;
}

static uint64_t setting(const char *name, uint64_t value)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : value;
}

static void report(uint64_t pieces)
{
    print_message("%llu pieces, %llu without a site, %llu sites, %llu refused\n", (unsigned long long)pieces,
                  (unsigned long long)proved, (unsigned long long)tested, (unsigned long long)refused);
    proved = tested = refused = 0;
}

TEST(integers, HOST | LONG)
{
    const uint64_t pieces = setting("BAILEY_TEST_PROOFS", 2000), begin = setting("BAILEY_TEST_SEED", 1);
    uint64_t wrong = 0;
    for (uint64_t seed = begin; seed < begin + pieces; seed++)
        wrong += !holds(seed, random_integers(seed), 1, 1 + (uint32_t)(seed % MOST_STEPS), true);
    assert_true(10 * refused < 9 * pieces);
    report(pieces);
    assert_int_equal(wrong, 0);
}

TEST(all_of_the_language, HOST)
{
    const uint64_t pieces = setting("BAILEY_TEST_PROOFS", 250), begin = setting("BAILEY_TEST_SEED", 1);
    uint64_t wrong = 0;
    for (uint64_t seed = begin; seed < begin + pieces; seed++) {
        const struct random_payoff_options options = {.programs = 1 + (uint32_t)(seed % 3),
                                                      .dims = 1 + (uint32_t)(seed % MOST_DIMS),
                                                      .steps = 1 + (uint32_t)(seed % MOST_STEPS),
                                                      .whole = seed % 5 == 0,
                                                      .faults = seed % 2 == 0};
        wrong += !holds(seed, random_payoff(seed, &options), options.dims, options.steps, options.faults);
    }
    assert_true(2 * refused < pieces);
    report(pieces);
    assert_int_equal(wrong, 0);
}
