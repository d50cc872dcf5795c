/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian motion at any time (a virtual Brownian tree): W(t) as a pure function of a seed, a path and t.
 * There is no list of times, no state and no tolerance: ask for any time, repeatedly, in any order, for any
 * paths, on any device.
 *
 *     bailey_motion_params params = {.end_time = 10, .depth = 24};
 *     bailey_motion_create(context, &params, &motion);
 *     bailey_motion_tick(motion, 2.5, &tick);
 *     bailey_motion_values(motion, &source, &tick, 1, 0, paths, out);
 *
 * Time is counted in ticks: 2^depth of them span t0 .. T. Nothing is interpolated: a motion has the exact
 * joint distribution at all of its ticks. A greater depth splits ticks and changes no value: tick k of 2^24
 * is tick 2^28 k of 2^52. A solver that halves its steps, or chooses others, sees the same path.
 *
 * bailey/device/ticks.h has the same functions for your own kernels.
 */
#ifndef BAILEY_MOTION_H
#define BAILEY_MOTION_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Integrals of the path over an interval [a, b] of length h that a motion can provide in addition to its
 * increment W = X(b) - X(a). H, the space-time Levy area, is the integral of X(s) - X(a) - (s - a) W / h over
 * the interval, divided by h, with variance h / 12. K, the space-time-time area, is the integral of the same
 * integrand times (a + b) / 2 - s, divided by h^2, with variance h / 720. W, H and K are independent, unless
 * the motion is fixed at T and the interval is all of it. High-order methods for stochastic differential
 * equations use them. Source: Jelincic, Foster, Kidger, arXiv:2405.06464 (2024).
 *
 * The three choices are three different motions: the path of a motion with H is not that of one without. */
typedef enum bailey_motion_areas {
    BAILEY_MOTION_AREAS_NONE = 0,
    BAILEY_MOTION_AREAS_H = 1,
    BAILEY_MOTION_AREAS_HK = 2
} bailey_motion_areas;

#define BAILEY_MOTION_MAX_DEPTH 52u /* the maximum and the default */

typedef struct bailey_motion_params {
    double start_time; /* t0, in the unit in which W has variance 1 per unit of time */
    double end_time;   /* T, above t0; both 0: 0 and 1 */
    uint32_t depth; /* 1 .. 52 levels; 0: 52. A tick costs only the levels that it needs: k of 2^24, no more
                       than 24 */
    uint32_t dims;  /* 1 .. 64; 0 means 1 */
    /* C, [dims][dims], lower triangular: C C' is the covariance per unit time. Alternatively that covariance.
     * Both NULL: the identity. As in bailey_bridge_params. */
    const double *factor;
    const double *covariance;
    const double *start; /* X(t0), [dims]; NULL: zero */
    const double *end;   /* X(T), [dims], fixed; NULL: free */
    bailey_motion_areas areas;
    bailey_precision precision;
    uint64_t reserved[4];
} bailey_motion_params;

/* A Brownian motion on one context. Immutable: seed and path are arguments of the calls that use it. */
typedef struct bailey_motion bailey_motion;

/* Creates a motion. The arrays are copied. Returns: OK; ERROR_INVALID (a time, depth, dimension, start or end
 * beyond its limits, a covariance that is not positive semi-definite, unknown areas, standard deviations
 * outside single precision); ERROR_MEMORY; ERROR_UNSUPPORTED (f64 on a device without it; areas in f32 on a
 * device that does not round divisions correctly). */
BAILEY_API bailey_status bailey_motion_create(bailey_context *context, const bailey_motion_params *params,
                                              bailey_motion **motion);
BAILEY_API void
bailey_motion_destroy(bailey_motion *motion); /* NULL is allowed; call it before the context is destroyed */

/* bailey_motion_tick finds the tick nearest to a time in t0 .. T, up to rounding, and of two equally near
 * ticks the even one. bailey_motion_time returns the time of a tick: T for a tick beyond 2^depth, 0 if
 * `motion` is NULL. Threads: any. Returns: OK, ERROR_INVALID (NULL, a time outside t0 .. T, NaN). Results:
 * the same on every host. */
BAILEY_API bailey_status bailey_motion_tick(const bailey_motion *motion, double time, uint64_t *tick);
BAILEY_API double bailey_motion_time(const bailey_motion *motion, uint64_t tick);

/* Writes X at `count` ticks, one list for all paths, in any order, with or without repetitions.
 *
 * Computes paths first_path .. first_path + paths - 1 of `source`, which is of kind COUNTER (philox,
 * philox7). `out` is [tick][dim][path], float or double, in the motion's precision. Ticks that are close in
 * time are cheap together, wherever they stand in the list. A whole grid costs about one normal per tick, a
 * single tick one normal per level that it needs. `ticks` is copied. Asynchronous unless `out` adopts host
 * memory.
 *
 * Returns: OK; ERROR_INVALID (count or paths 0; a tick above 2^depth, which the message names; first_path +
 * paths above 2^38; `out` too small; a source of another kind). Results: exact: a function of (seed, stream,
 * generator, path, dimension, tick / 2^depth, start, end, factor, t0 and T, areas, precision). X(t0) equals
 * start and X(T) a fixed end exactly. */
BAILEY_API bailey_status bailey_motion_values(bailey_motion *motion, const bailey_source *source,
                                              const uint64_t *ticks, uint64_t count, uint64_t first_path,
                                              uint64_t paths, bailey_buffer *out);

/* The same with separate ticks for each path: `ticks` holds uint64_t [count][paths], on the device. The value
 * at a tick above 2^depth, such as a negative number, is NaN. Returns: as bailey_motion_values; also
 * ERROR_INVALID (`ticks` or `out` too small). */
BAILEY_API bailey_status bailey_motion_values_each(bailey_motion *motion, const bailey_source *source,
                                                   bailey_buffer *ticks, uint64_t count, uint64_t first_path,
                                                   uint64_t paths, bailey_buffer *out);

/* Writes the increments of X over `count` intervals [from[i], to[i]] of ticks, from[i] <= to[i], and for a
 * motion with areas also H and, with BAILEY_MOTION_AREAS_HK, K. `out` is [interval][part][dim][path]; the
 * parts are those of W, H, K that the motion has. They have full accuracy relative to the interval, however
 * short, unlike the difference of two values. For an empty interval (from[i] = to[i]) all parts are 0.
 * Otherwise as bailey_motion_values.
 *
 * Returns: as bailey_motion_values; also ERROR_INVALID (from[i] above to[i]; the message gives i). Results:
 * exact, as for values. The sum of two adjacent increments differs from the increment over both by rounding.
 */
BAILEY_API bailey_status bailey_motion_increments(bailey_motion *motion, const bailey_source *source,
                                                  const uint64_t *from, const uint64_t *to, uint64_t count,
                                                  uint64_t first_path, uint64_t paths, bailey_buffer *out);

/* The same with separate intervals for each path: `ticks` holds uint64_t [2][count][paths], on the device,
 * all `from` and then all `to`. Intervals outside 0 <= from <= to <= 2^depth give NaN. */
BAILEY_API bailey_status bailey_motion_increments_each(bailey_motion *motion, const bailey_source *source,
                                                       bailey_buffer *ticks, uint64_t count,
                                                       uint64_t first_path, uint64_t paths,
                                                       bailey_buffer *out);

/* The same between times in device memory, such as those that a program on the device has computed: `times`
 * holds [count][2], float or double as `times_precision` says, each interval's begin and end, which become
 * ticks as in bailey_motion_tick; `first_paths`, uint64_t [count], has the first path of each interval, whose
 * `paths` paths go to out[interval][part][dim][path]. Nothing comes to the host. Where a time is not from t0
 * to T, the begin is after the end, or the first path + `paths` exceeds 2^38, the interval's numbers are NaN.
 *
 * Returns: as bailey_motion_increments; also ERROR_INVALID (a buffer NULL, too small, or the same memory as
 * `out`), ERROR_UNSUPPORTED (a device without double precision). Results: exact, those of
 * bailey_motion_increments. */
BAILEY_API bailey_status bailey_motion_increments_timed(bailey_motion *motion, const bailey_source *source,
                                                        bailey_buffer *times,
                                                        bailey_precision times_precision,
                                                        bailey_buffer *first_paths, uint64_t count,
                                                        uint64_t paths, bailey_buffer *out);

/* For your own kernels: writes the bailey_motion_f32 or bailey_motion_f64 of bailey/device/ticks.h for a
 * source; `size` must be the size of that struct. It does not contain start, end and factor. The device
 * functions give a motion that starts at 0, has independent dimensions, and ends anywhere or, with a fixed
 * end, at 0. A walk (bailey_motion_walk_to_f32) does not check its tick, which must be at most 2^depth; the
 * other functions return NaN beyond it. Threads: any. Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_motion_device_params(const bailey_motion *motion, const bailey_source *source,
                                                     void *parameters, size_t size);

#ifdef __cplusplus
}
#endif

#endif
