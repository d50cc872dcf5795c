/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian motion at any time: W(t) as a pure function of a seed, a path and t. There is no list of times, no
 * state and no tolerance: ask for any time, again later, in any order, for any paths, on any device.
 *
 *     bailey_motion_params params = {.end_time = 10, .depth = 24};
 *     bailey_motion_create(context, &params, &motion);
 *     bailey_motion_tick(motion, 2.5, &tick);
 *     bailey_motion_values(motion, &source, &tick, 1, 0, paths, out);
 *
 * Time is counted in ticks, of which t0 .. T has 2^depth, so that nothing is interpolated: a motion is
 * exact, in the law, at all its ticks at once. More levels split ticks and change no value: tick k of 2^24 is
 * tick 2^28 k of 2^52. A solver that halves its steps, or takes others, sees the same path.
 *
 * For kernels of your own the same functions are in bailey/device/motion.h.
 */
#ifndef BAILEY_MOTION_H
#define BAILEY_MOTION_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Integrals of the path over an interval [a, b] of length h that a motion can have, beside its increment
 * W = X(b) - X(a): H, the space-time Levy area, is the integral of X(s) - X(a) - (s - a) W / h over it,
 * divided by h, with variance h / 12; K, the space-time-time area, is the integral of the same times (a + b)
 * / 2 - s, divided by h^2, with variance h / 720. W, H and K are independent (of a motion that is not fixed
 * at T or whose interval is not all of it). Methods of high order for stochastic differential equations take
 * them. Source: Jelincic, Foster, Kidger, arXiv:2405.06464 (2024).
 *
 * The three are three motions: the path of a motion that has H is not that of one without. */
typedef enum bailey_motion_areas {
    BAILEY_MOTION_AREAS_NONE = 0,
    BAILEY_MOTION_AREAS_H = 1,
    BAILEY_MOTION_AREAS_HK = 2
} bailey_motion_areas;

#define BAILEY_MOTION_MAX_DEPTH 52u /* the most, and the default */

typedef struct bailey_motion_params {
    double start_time; /* t0, in the unit in which W has variance 1 per unit of time */
    double end_time;   /* T, above t0; both 0: 0 and 1 */
    uint32_t depth; /* 1 .. 52 levels; 0: 52. A tick costs as many as it needs: k of 2^24, no more than 24 */
    uint32_t dims;  /* 1 .. 64; 0 means 1 */
    /* C, [dims][dims], lower triangular: C C' is the covariance per unit time. Or that covariance. Both NULL:
     * the identity. As of bailey_bridge_params. */
    const double *factor;
    const double *covariance;
    const double *start; /* X(t0), [dims]; NULL: zero */
    const double *end;   /* X(T), [dims], fixed; NULL: free */
    bailey_motion_areas areas;
    bailey_precision precision;
    uint64_t reserved[4];
} bailey_motion_params;

/* A Brownian motion on one context. Immutable: neither seed nor path is part of it. */
typedef struct bailey_motion bailey_motion;

/* The arrays are copied. Returns: OK; ERROR_INVALID (a time, level, dimension, start or end beyond its
 * limits, a covariance that is not positive semi-definite, areas that do not exist, deviations outside single
 * precision); ERROR_MEMORY; ERROR_UNSUPPORTED (f64 on a device without it; areas in f32 on a device that does
 * not round divisions correctly). */
BAILEY_API bailey_status bailey_motion_create(bailey_context *context, const bailey_motion_params *params,
                                              bailey_motion **motion);
BAILEY_API void bailey_motion_destroy(bailey_motion *motion); /* NULL is allowed; before its context */

/* The tick nearest to a time in t0 .. T, which it may miss by rounding, the even one of two; and the time of
 * a tick (of one beyond 2^depth, T), or 0 if `motion` is NULL. Threads: any. Returns: OK, ERROR_INVALID (a
 * NULL, a time outside, a NaN). Results: the same on every host. */
BAILEY_API bailey_status bailey_motion_tick(const bailey_motion *motion, double time, uint64_t *tick);
BAILEY_API double bailey_motion_time(const bailey_motion *motion, uint64_t tick);

/* X at `count` ticks, one list for all paths, in any order, repeated or not.
 *
 * Paths first_path .. first_path + paths - 1 of `source`, which is of kind COUNTER (philox, philox7). `out`
 * is [tick][dim][path], float or double, as the motion's precision. Ticks that lie close to each other in
 * time are cheap together, wherever they stand in the list: a whole grid costs about one normal per tick, a
 * tick alone as many as the levels that it needs. `ticks` is copied. Asynchronous unless `out` adopts host
 * memory.
 *
 * Returns: OK; ERROR_INVALID (count or paths 0, a tick above 2^depth: the message says which, first_path +
 * paths above 2^38, `out` too small, a source of another kind). Results: exact: a function of (seed, stream,
 * generator, path, dimension, tick / 2^depth, start, end, factor, t0 and T, areas, precision). X(t0) is
 * start, and X(T) a fixed end, exactly. */
BAILEY_API bailey_status bailey_motion_values(bailey_motion *motion, const bailey_source *source,
                                              const uint64_t *ticks, uint64_t count, uint64_t first_path,
                                              uint64_t paths, bailey_buffer *out);

/* The same with ticks of each path's own: `ticks` holds uint64_t [count][paths], on the device. What is asked
 * for at a tick above 2^depth, as a negative number is, is NaN. Returns: as bailey_motion_values;
 * ERROR_INVALID (`ticks` too small, or `out`). */
BAILEY_API bailey_status bailey_motion_values_each(bailey_motion *motion, const bailey_source *source,
                                                   bailey_buffer *ticks, uint64_t count, uint64_t first_path,
                                                   uint64_t paths, bailey_buffer *out);

/* What happens in `count` intervals [from[i], to[i]] of ticks, from[i] <= to[i]: the increments, and of a
 * motion with areas H and, with BAILEY_MOTION_AREAS_HK, K, of X. `out` is [interval][part][dim][path]; the
 * parts are W, H, K as far as the motion has them. They have full accuracy relative to the interval, however
 * short, which the difference of two values has not. Of no interval (from[i] = to[i]) all are 0. Otherwise as
 * bailey_motion_values.
 *
 * Returns: as bailey_motion_values; ERROR_INVALID (from[i] above to[i]: the message says which). Results:
 * exact likewise. The sum of two neighbouring increments differs from that of both by rounding. */
BAILEY_API bailey_status bailey_motion_increments(bailey_motion *motion, const bailey_source *source,
                                                  const uint64_t *from, const uint64_t *to, uint64_t count,
                                                  uint64_t first_path, uint64_t paths, bailey_buffer *out);

/* The same with intervals of each path's own: `ticks` holds uint64_t [2][count][paths], on the device, all
 * `from` and then all `to`. What does not lie in 0 <= from <= to <= 2^depth gives NaN. */
BAILEY_API bailey_status bailey_motion_increments_each(bailey_motion *motion, const bailey_source *source,
                                                       bailey_buffer *ticks, uint64_t count,
                                                       uint64_t first_path, uint64_t paths,
                                                       bailey_buffer *out);

/* For kernels of your own: writes the bailey_motion_f32 or bailey_motion_f64 of bailey/device/motion.h, which
 * `size` must be the size of, for a source. Start, end and factor are not in it: those functions give a
 * motion that starts at 0, with independent dimensions, and ends anywhere or, of a fixed end, at 0. A walk
 * (bailey_motion_walk_to_f32) does not check its tick, which must be at most 2^depth; the other functions
 * give NaN past it. Threads: any. Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_motion_device_params(const bailey_motion *motion, const bailey_source *source,
                                                     void *parameters, size_t size);

#ifdef __cplusplus
}
#endif

#endif
