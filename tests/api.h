/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of bailey.h's contract: refusals that name the argument and its limit, and good
 * requests.
 */
#ifndef API_H
#define API_H

#include "asian.h"
#include "harness.h"

/* Fails unless `text` has `part`. */
static inline void contains(const char *what, const char *text, const char *part)
{
    if (*part && !strstr(text, part)) fail_msg("%s: \"%s\" does not say \"%s\"", what, text, part);
}

/* Fails unless `status` is `expected`, and the thread's text says `a` and `b`. */
static inline void failed_with(const char *what, bailey_status status, bailey_status expected, const char *a,
                               const char *b)
{
    if (status != expected)
        fail_msg("%s: %s, not %s (%s)", what, bailey_status_name(status), bailey_status_name(expected),
                 bailey_error_message());
    contains(what, bailey_error_message(), a);
    contains(what, bailey_error_message(), b);
}

/* `call` is refused, and says `a` and `b`. */
#define REFUSED(call, a, b) failed_with(#call, call, BAILEY_ERROR_INVALID, a, b)

/* The same, and the context keeps the text too. */
#define REFUSED_HERE(call, a, b)                                                                             \
    do {                                                                                                     \
        REFUSED(call, a, b);                                                                                 \
        assert_string_equal(bailey_context_error(context), bailey_error_message());                          \
    } while (0)

/* A pointer that no call may leave in an output. */
static char nowhere;
#define NOWHERE ((void *)&nowhere)

/* Another context of the device under test. */
static inline bailey_context *another(void)
{
    bailey_context *made = NULL;
    OK(bailey_context_create(device.address, NULL, &made));
    return made;
}

/* Times of four steps that no call refuses. */
static const double good_times[4] = {0.5, 1, 1.75, 3};

/* An option of two assets that no call refuses. */
static inline struct asian_params good_option(void)
{
    static const double spots[2] = {100, 50}, volatilities[2] = {0.2, 0.35};
    return (struct asian_params){.fixings = good_times,
                                 .fixing_count = 4,
                                 .assets = 2,
                                 .spot = spots,
                                 .volatility = volatilities,
                                 .rate = 0.03,
                                 .strike = 75,
                                 .paths = 1000,
                                 .source = {.seed = 9}};
}

/* Makes a bridge and destroys it. */
static inline bailey_status make_bridge(void)
{
    static const double covariance[9] = {1, 0.9, 0.9, 0.9, 1, 0.9, 0.9, 0.9, 1};
    const bailey_bridge_params params = {
        .times = good_times, .steps = 4, .dims = 3, .covariance = covariance};
    bailey_bridge *made = NOWHERE;
    const bailey_status status = bailey_bridge_create(context, &params, &made);
    if (status == BAILEY_OK)
        bailey_bridge_destroy(made);
    else
        assert_null(made);
    return status;
}

#endif
