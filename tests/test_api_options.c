/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contract of prices of the built-in "asian": what is wrong is refused with a text that names it and its
 * limit; * progress is reported, and can cancel, which leaves result and context as they were.
 */
#include "api.h"

#include <math.h>

/* An option that is refused for what `...` changes in good parameters. */
#define OPTION(a, b, ...)                                                                                    \
    do {                                                                                                     \
        struct asian_params p = good_option();                                                               \
        __VA_ARGS__;                                                                                         \
        REFUSED_HERE(asian_price(context, &p, &result), a, b);                                               \
    } while (0)

TEST(refused_options, DEVICE | LONG_ON_OPENCL)
{
    struct asian_result result, untouched;
    memset(&result, POISON, sizeof result);
    untouched = result;
    const struct asian_params good = good_option();
    if (!device.has_f64) skip();
    OPTION("times", "NULL", p.fixings = NULL);
    OPTION("steps is 0", "1000001", p.fixing_count = 0);
    OPTION("paths 274877906945", "2^38", p.paths = BAILEY_BRIDGE_MAX_PATHS + 1);
    OPTION("rate is nan", "real", p.rate = NAN);
    OPTION("strike >= 0", "only a spread", p.strike = -1);
    OPTION("strike is inf", "real", p.strike = INFINITY);
    const double numbers[][2] = {{100, 0}, {100, -1}, {100, NAN}, {100, INFINITY}};
    for (int i = 0; i < 4; i++) OPTION("spot[1]", i < 2 ? "positive" : "real", p.spot = numbers[i]);
    for (int i = 2; i < 4; i++) OPTION("weight[1] is", "real", p.weight = numbers[i]);
    const double negative[2] = {1, -1}, below[2] = {0.2, -0.1};
    OPTION("past_average == 0", "past_average needs past_count", p.past_average = 75);
    OPTION("past_average > 0", "the mean", p.past_count = 1);
    OPTION("past_average is inf", "real", (p.past_count = 1, p.past_average = INFINITY, p.weight = negative));
    OPTION("volatility[1]", "-0.1", p.volatility = below);
    const double three[3] = {1, 1, 1}, indefinite[9] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
    OPTION("covariance", "not positive semi-definite",
           (p.assets = 3, p.spot = three, p.volatility = three, p.correlation = indefinite));
    const uint32_t twice[3] = {2, 1, 2};
    OPTION("order[2] = 2", "order[0]", p.order = twice);
    OPTION("generator is 99", "not philox", p.source.generator = (bailey_generator)99);
    OPTION("sequence is 2", "not runs or published", p.source.sequence = (bailey_sequence)2);
    OPTION("warp_set is 1", "philox", p.source.warp_set = 1);
    OPTION("method is 3", "not icdf", p.normal.method = (bailey_normal_method)3);
    OPTION("numerics is 2", "not exact or fast", p.normal.numerics = (bailey_numerics)2);
    assert_memory_equal(&result, &untouched, sizeof result);
    OK(asian_price(context, &good, &result));
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

TEST(progress_and_cancel, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    struct progress progress = {0};
    struct asian_result result, again, untouched;
    struct asian_params p = good_option();
    p.fixing_count = p.assets = 1;
    /* More than are made at a time, which processors make 1 MiB of for each unit. */
    const uint64_t units = device.units > 2 ? device.units : 2;
    p.paths = (device.kind == BAILEY_DEVICE_KIND_GPU ? UINT64_C(1) << 28 : units << 19) + 3;
    OK(asian_price(context, &p, &result));
    p.progress = note_progress;
    p.progress_user = &progress;
    OK(asian_price(context, &p, &again));
    assert_true(progress.calls >= 2);
    assert_int_equal(progress.done, p.paths);
    assert_int_equal(progress.total, p.paths);
    assert_memory_equal(&result, &again, sizeof result);

    memset(&again, POISON, sizeof again);
    untouched = again;
    progress = (struct progress){.stop_at = 1};
    failed_with("cancel", asian_price(context, &p, &again), BAILEY_ERROR_CANCELLED, "cancelled", " paths");
    assert_int_equal(progress.calls, 1);
    assert_in_range(progress.done, 1, p.paths - 1);
    assert_memory_equal(&again, &untouched, sizeof again);
    assert_string_equal(bailey_context_error(context), bailey_error_message());
    /* The context is as good as before. */
    p.progress = NULL;
    OK(asian_price(context, &p, &again));
    assert_memory_equal(&result, &again, sizeof result);
}
