/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Quasi-random points, from sources of kind POINT: the Sobol sequence with the direction numbers of Joe and
 * Kuo.
 *
 *     bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL, .stream = 3};
 *     bailey_points_params params = {.form = BAILEY_POINTS_FORM_NORMALS, .dims = 64};
 *     bailey_points_generate(context, &source, &params, 0, 1 << 16, out, 0);
 *
 * writes 2^16 points of 64 normals each, replicate number 3. Use 2^m points starting at point 0, and compute
 * the standard error from the means of about 16 replicates: the points of one replicate are not independent.
 */
#ifndef BAILEY_POINTS_H
#define BAILEY_POINTS_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers that bailey_points_generate computes from a word w. */
typedef enum bailey_points_form {
    BAILEY_POINTS_FORM_UNIFORMS =
        0, /* in (0, 1): f32 (floor(w / 2^9) + 1/2) 2^-23 from the first 32 bits, f64 (w + 1/2) 2^-32 from 32
              bits, (floor(w / 2^12) + 1/2) 2^-52 from 64 */
    BAILEY_POINTS_FORM_NORMALS = 1, /* inverse CDF at (w + 1/2) 2^-32, at (w + 1/2) 2^-64 for f32 from 64
                                       bits, at (floor(w / 2^11) + 1/2) 2^-53 for f64 from 64 bits */
    BAILEY_POINTS_FORM_WORDS = 2    /* uint32_t, or uint64_t if the source's word_bits is 64 */
} bailey_points_form;

typedef enum bailey_points_layout {
    BAILEY_POINTS_LAYOUT_POINT_MAJOR = 0, /* [point][dim]: each point contiguous */
    BAILEY_POINTS_LAYOUT_DIM_MAJOR = 1    /* [dim][point]: each dimension of all points contiguous */
} bailey_points_layout;

#define BAILEY_SOBOL_MAX_DIMS 21201u               /* dimensions with their own direction numbers */
#define BAILEY_POINTS_MAX_DIMS (UINT32_C(1) << 26) /* further dimensions repeat the direction numbers */

typedef struct bailey_points_params {
    bailey_points_form form;
    bailey_points_layout layout;
    bailey_precision precision; /* of uniforms and normals */
    uint32_t first_dim;         /* the first dimension is 0 */
    uint32_t dims;              /* first_dim + dims is at most BAILEY_POINTS_MAX_DIMS; 0 means 1 */
    uint64_t reserved[4];
} bailey_points_params;

/* Writes dimensions first_dim .. first_dim + dims - 1 of points first_point .. first_point + points - 1 of a
 * source of kind POINT to elements out_offset ... of `out`: dims * points elements, in the layout.
 *
 * The points are Sobol points with the direction numbers of Joe and Kuo (D6), which cover 21,201 dimensions.
 * Further dimensions repeat them with the points shuffled. Such a dimension is as even as the first, but
 * pairs of dimensions from two repetitions are no better than random points (docs/points.md). Point 0 is the
 * origin. Start at point 1 to avoid it, but scrambled points lose their balance without it. `params` NULL:
 * uniforms of dimension 0. A context keeps the scrambled direction numbers of the source and dimensions used
 * last.
 *
 * Asynchronous unless `out` adopts host memory.
 * Returns: OK, ERROR_INVALID (0 points, first_point + points beyond 2^64, dimensions beyond the last, `out`
 * too small, a source that is invalid or not of kind POINT), ERROR_UNSUPPORTED (f64 on a device without it),
 * ERROR_MEMORY, ERROR_DRIVER.
 * Results: exact: a number depends on (seed, stream, scramble, point_order, word_bits, form, precision,
 * point, dimension) only, and without scramble neither on seed nor on stream. Source and contract:
 * bailey/device/sobol.h. */
BAILEY_API bailey_status bailey_points_generate(bailey_context *context, const bailey_source *source,
                                                const bailey_points_params *params, uint64_t first_point,
                                                uint64_t points, bailey_buffer *out, uint64_t out_offset);

/* Writes the same points in any distribution, number by number as bailey_variates_generate computes them from
 * words. `params` chooses dimensions and layout; its form and precision are not used. f32 needs a source with
 * words of 32 bits and f64 one with 64, or for NORMAL and LOG_NORMAL those that `variate` asks for. Numbers
 * computed by inversion keep the points' even spread in each dimension.
 *
 * Returns: as bailey_points_generate and bailey_variates_generate; also ERROR_INVALID (`word_bits` of the
 * source that do not suit; Box-Muller).
 * Results: as bailey_variates_generate, with word (point, dimension) instead of element i. Source:
 * bailey/device/sobol.h. */
BAILEY_API bailey_status bailey_points_variates(bailey_context *context, const bailey_source *source,
                                                const bailey_points_params *params,
                                                const bailey_variate_params *variate, uint64_t first_point,
                                                uint64_t points, bailey_buffer *out, uint64_t out_offset);

/* Detects requests that break the balance of points first_point .. first_point + points - 1 of a source.
 * Their number is not a power of two, the first is not a multiple of it, or 32-bit words have fewer values
 * than there are points. Such points are allowed, but are less evenly spread than they could be.
 *
 * Writes one line for users to `message`, at most `size` bytes including the terminating zero; `message` may
 * be NULL if `size` is 0. The command line and Python show it as a warning. Returns: the length of the line;
 * 0 if there is no problem, for 0 points, and for sources without points. Threads: any. */
BAILEY_API size_t bailey_points_advice(const bailey_source *source, uint64_t first_point, uint64_t points,
                                       char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
