/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contract of bailey_asian_price: every bad argument is refused with a text that names it and its limit;
 * progress is reported, and can cancel, which leaves result and context as they were.
 *
 *     test_api_options DEVICE        see harness.h
 */
#include "api.h"

#include <math.h>

/* An option that is refused for what `...` changes in good parameters. */
#define OPTION(a, b, ...)                                                                                    \
    do {                                                                                                     \
        bailey_asian_params p = good_option();                                                               \
        __VA_ARGS__;                                                                                         \
        REFUSED_HERE(bailey_asian_price(context, &p, &result), a, b);                                        \
    } while (0)

static void refused_options(void **state)
{
    (void)state;
    bailey_asian_result result, untouched;
    memset(&result, POISON, sizeof result);
    untouched = result;
    const bailey_asian_params good = good_option();
    if (!device.has_f64) {
        failed_with("f64", bailey_asian_price(context, &good, &result), BAILEY_ERROR_UNSUPPORTED,
                    "double precision", device.address);
        skip();
    }
    REFUSED(bailey_asian_price(NULL, &good, &result), "context", "NULL");
    REFUSED_HERE(bailey_asian_price(context, NULL, &result), "params", "NULL");
    REFUSED_HERE(bailey_asian_price(context, &good, NULL), "result", "NULL");

    OPTION("fixings", "NULL", p.fixings = NULL);
    OPTION("fixing_count is 0", "1000001", p.fixing_count = 0);
    OPTION("fixing_count is 1000002", "1000001", p.fixing_count = 1000002);
    OPTION("fixing_count is 18446744073709551615", "1000001", p.fixing_count = UINT64_MAX);
    OPTION("assets is 0", "64", p.assets = 0);
    OPTION("assets is 65", "64", p.assets = 65);
    OPTION("spot", "NULL", p.spot = NULL);
    OPTION("volatility", "NULL", p.volatility = NULL);
    OPTION("paths is 0", "2", p.paths = 0);
    OPTION("paths is 1", "2", p.paths = 1);
    OPTION("paths is 274877906945", "2^38", p.paths = BAILEY_BRIDGE_MAX_PATHS + 1);
    OPTION("rate is nan", "100", p.rate = NAN);
    OPTION("rate is 101", "100", p.rate = 101);
    OPTION("strike is -1", "from 0 to 3.4e38, as no weight is negative", p.strike = -1);
    OPTION("strike is nan", "from 0 to 3.4e38", p.strike = NAN);
    OPTION("strike is inf", "from 0 to 3.4e38", p.strike = INFINITY);

    const double unsorted[4] = {0.5, 2, 1, 3}, repeated[4] = {0.5, 1, 1, 3}, odd[4] = {0.5, 1, NAN, 3};
    const double today[4] = {0, 1, 2, 3}, past[4] = {-1, 1, 2, 3};
    OPTION("fixings[2] = 1 ", "fixings[1] = 2", p.fixings = unsorted);
    OPTION("fixings[2] = 1 ", "fixings[1] = 1", p.fixings = repeated);
    OPTION("fixings[2] = nan", "finite", p.fixings = odd);
    OPTION("fixings[0]", "0", p.fixings = today);
    OPTION("fixings[0]", "-1", p.fixings = past);

    const double numbers[][2] = {{100, 0}, {100, -1}, {100, NAN}, {100, INFINITY}};
    for (int i = 0; i < 4; i++) {
        OPTION("spot[1] is", "positive", p.spot = numbers[i]);
        if (i != 1) OPTION("weight[1] is", "not be 0", p.weight = numbers[i]);
    }
    const double small[2] = {1, 1e-200}, negative[2] = {1, -1};
    OPTION("weight[1] = 1e-200 times spot[1] = 1e-200", "1e-300", (p.weight = small, p.spot = small));
    OPTION("strike is nan", "from -3.4e38 to 3.4e38", (p.weight = negative, p.strike = NAN));
    OPTION("type is 2", "bailey_option_type", p.type = (bailey_option_type)2);
    OPTION("past_count is 1000002", "1000001", (p.past_count = 1000002, p.past_average = 75));
    OPTION("past_average is 75", "past_count is 0", p.past_average = 75);
    OPTION("past_average is nan", "past_count is 0", p.past_average = NAN);
    OPTION("past_average is 0", "positive", p.past_count = 1);
    OPTION("past_average is -1", "positive", (p.past_count = 1, p.past_average = -1));
    OPTION("past_average is inf", "3.4e38",
           (p.past_count = 1, p.past_average = INFINITY, p.weight = negative));
    const double below[2] = {0.2, -0.1}, above[2] = {0.2, 101}, nan[2] = {0.2, NAN};
    OPTION("volatility[1] is -0.1", "0 to 100", p.volatility = below);
    OPTION("volatility[1] is 101", "0 to 100", p.volatility = above);
    OPTION("volatility[1] is nan", "0 to 100", p.volatility = nan);
    OPTION("dividend[1] is 101", "100", p.dividend = above);
    OPTION("dividend[1] is nan", "100", p.dividend = nan);

    const double diagonal[4] = {1, 0, 0, 0.9}, large[4] = {1, 0, 1.5, 1}, lopsided[4] = {1, 0.5, 0.25, 1};
    const double upper[4] = {1, NAN, 0.25, 1}, lower[4] = {1, 0.25, NAN, 1};
    const double three[3] = {1, 1, 1}, indefinite[9] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
    OPTION("correlation[1][1] is 0.9", "1", p.correlation = diagonal);
    OPTION("correlation[1][0] is 1.5", "-1 to 1", p.correlation = large);
    OPTION("correlation", "differs", p.correlation = lopsided);
    OPTION("correlation", "finite", p.correlation = upper);
    OPTION("correlation[1][0] = nan", "not finite", p.correlation = lower);
    OPTION("correlation", "not positive semi-definite",
           (p.assets = 3, p.spot = three, p.volatility = three, p.correlation = indefinite));

    const uint32_t twice[3] = {2, 1, 2};
    OPTION("order[2] = 2", "order[0]", p.order = twice);
    OPTION("generator is 99", "not philox", p.source.generator = (bailey_generator)99);
    OPTION("sequence is 2", "not runs or published", p.source.sequence = (bailey_sequence)2);
    OPTION("warp_set is 1", "philox", p.source.warp_set = 1);
    OPTION("method is 3", "not icdf", p.normal.method = (bailey_normal_method)3);
    OPTION("method is wallace", "bailey_normals_generate", p.normal.method = BAILEY_NORMAL_METHOD_WALLACE);
    OPTION("numerics is 2", "not exact or fast", p.normal.numerics = (bailey_numerics)2);
    OPTION("precision is 2", "not f32 or f64", p.normal.precision = (bailey_precision)2);
    assert_memory_equal(&result, &untouched, sizeof result);
    OK(bailey_asian_price(context, &good, &result));
    assert_int_equal(result.paths, 1000);
}

struct progress {
    int calls, stop_at;
    uint64_t done, total;
};

static int note_progress(void *user, uint64_t done, uint64_t total)
{
    struct progress *progress = user;
    if (done <= progress->done) progress->calls = -1000; /* does not advance */
    progress->done = done;
    progress->total = total;
    return ++progress->calls == progress->stop_at;
}

static void progress_and_cancel(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    struct progress progress = {0};
    bailey_asian_result result, again, untouched;
    bailey_asian_params p = good_option();
    p.fixing_count = p.assets = 1;
    /* More than are made at a time, which processors make 1 MiB of for each unit. */
    const uint64_t units = device.units > 2 ? device.units : 2;
    p.paths = (device.kind == BAILEY_DEVICE_KIND_GPU ? UINT64_C(1) << 28 : units << 19) + 3;
    OK(bailey_asian_price(context, &p, &result));
    p.progress = note_progress;
    p.progress_user = &progress;
    OK(bailey_asian_price(context, &p, &again));
    assert_true(progress.calls >= 2);
    assert_int_equal(progress.done, p.paths);
    assert_int_equal(progress.total, p.paths);
    assert_memory_equal(&result, &again, sizeof result);

    memset(&again, POISON, sizeof again);
    untouched = again;
    progress = (struct progress){.stop_at = 1};
    failed_with("cancel", bailey_asian_price(context, &p, &again), BAILEY_ERROR_CANCELLED, "cancelled",
                " paths");
    assert_int_equal(progress.calls, 1);
    assert_in_range(progress.done, 1, p.paths - 1);
    assert_memory_equal(&again, &untouched, sizeof again);
    assert_string_equal(bailey_context_error(context), bailey_error_message());
    /* The context is as good as before. */
    p.progress = NULL;
    OK(bailey_asian_price(context, &p, &again));
    assert_memory_equal(&result, &again, sizeof result);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_options),
        cmocka_unit_test(progress_and_cancel),
    };
    return harness_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
