/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of sources, and those that bridges, motions and simulations use: numbers
 * in rows, and the linear algebra of correlated paths, which is pure host code with the same bits on every
 * host.
 */
#ifndef BLY_SOURCE_H
#define BLY_SOURCE_H

#include <bailey/advanced.h>
#include <bailey/bailey.h>
#include <bailey/correlation.h>
#include <bailey/points.h>
#include <host/internal.h>
#include <kernels/fill.h>

#include <stddef.h>
#include <stdint.h>

/* ---- Numbers in rows (random.c) -------------------------------------------------------------- */

/* Numbers of a source, in rows: what words, normals, other distributions and bridges share. */

/* Which elements of a source, and where they go: row r, below `rows`, is elements first + r row_elements .. +
 * count - 1, and element i of them goes to element out_offset + r out_row + i out_stride of `out`. Where
 * there are several rows, row_elements is a multiple of 2^14, and `out` adopts no host memory. */
struct bly_place {
    uint64_t first, count;
    uint64_t rows, row_elements;
    bailey_buffer *out;
    uint64_t out_offset, out_row, out_stride;
};

/* Elements first .. first + count - 1, one after the other. */
static inline struct bly_place bly_one_row(uint64_t first, uint64_t count, bailey_buffer *out,
                                           uint64_t out_offset)
{
    return (struct bly_place){
        .first = first, .count = count, .rows = 1, .out = out, .out_offset = out_offset, .out_stride = 1};
}

/* Checks what one row of numbers of `words_each` words asks for, and that `out` holds it. */
bailey_status bly_check_request(bailey_context *context, const bailey_source *source, uint64_t words_each,
                                const struct bly_place *place, uint64_t element);

/* Checks that the device can make words of the source, which has been checked. */
bailey_status bly_check_device(const bailey_context *context, const bailey_source *source);

/* Numbers that `kernel` makes of words of `bits` bits, which pass through scratch memory. `constants` are the
 * form's own; its place is filled in here. `table` is that of a distribution; NULL: of normals, where the
 * kernel takes one. Everything has been checked. */
bailey_status bly_make_form(bailey_context *context, const bailey_source *source,
                            const struct bly_kernel *kernel, const bly_form_params *constants,
                            bailey_buffer *table, uint32_t bits, const struct bly_place *place);

/* The same for `count` words at the beginning of a buffer; and scratch memory for words, from the pool, whose
 * number is written to *words. */
bailey_status bly_form_words(bailey_context *context, const struct bly_kernel *kernel,
                             const bly_form_params *constants, bailey_buffer *table, bailey_buffer *words,
                             uint64_t count, bailey_buffer *out, uint64_t out_offset);
/* The same of a source of kind COUNTER for kernels that draw the words themselves and read a table. */
bailey_status bly_make_tabled(bailey_context *context, const bailey_source *source,
                              const struct bly_kernel *kernel, const bly_form_params *constants,
                              bailey_buffer *table, const struct bly_place *place);
bailey_status bly_take_words(bailey_context *context, uint64_t *words, bailey_buffer **scratch);

/* Normals of `precision`, drawn as `draw` says: by the kernel that makes them of the source directly, where
 * there is one, else from words in memory. Everything has been checked. */
bailey_status bly_make_normals(bailey_context *context, const bailey_source *source, enum bly_draw draw,
                               bailey_precision precision, const struct bly_place *place);

/* ---- Embedded tables (normal_table.c) --------------------------------------------------------- */

/* A buffer with the embedded bytes, which kernels only read: on a device that works in the host's memory the
 * bytes themselves, else a copy. */
bailey_status bly_table_create(bailey_context *context, const void *data, size_t bytes,
                               bailey_buffer **table);

/* ---- Tables of distributions (variate_table.c, discrete.c, tabled.c) --------------------------- */

/* A context's copy of the table that a distribution's kernel reads. The parameters have been checked. The
 * tables used last are kept. Fails also where a table would be too long. */
bailey_status bly_variate_table(bailey_context *context, const bailey_variate_params *p,
                                bailey_buffer **table);

#define BLY_MOST_VALUES 2097152        /* of a discrete distribution */
#define BLY_LARGEST_VALUE 2147483647.0 /* so that they are integers of 32 bits with a sign */

/* Words of `bits` bits for a discrete distribution: words[i] is the number of words for the numbers up to
 * least + i, neither 0 nor 2^bits. */
struct bly_thresholds {
    uint64_t least, count;
    uint64_t *words; /* for bly_free */
};

/* The thresholds, and the table of bailey/device/discrete.h, which the caller frees. The parameters have been
 * checked. */
bailey_status bly_thresholds_create(const bailey_variate_params *p, uint32_t bits, struct bly_thresholds *t);
bailey_status bly_discrete_table(const bailey_variate_params *p, void **table, uint64_t *bytes);

/* The table of bailey/device/tabled.h, the same way. */
bailey_status bly_tabled_table(const bailey_variate_params *p, void **table, uint64_t *bytes);

/* The one of both that a distribution has. */
bailey_status bly_host_table(const bailey_variate_params *p, void **table, uint64_t *bytes);

/* ---- Integers (integers.c) -------------------------------------------------------------------- */

/* Checks the bits of integers and that `below`, which is called `name`, has a place in them; 0 stands for
 * all. */
bailey_status bly_check_integers(const bailey_context *context, uint32_t bits, const char *name,
                                 uint64_t below);

/* ---- Points in rows (points.c) --------------------------------------------------------------- */

/* Points for those who draw them row by row, as bridges do. */

/* Normals of points first .. first + count - 1, by inverse CDF: a dimension per step and factor, by the
 * source's assignment. */
struct bly_point_rows {
    const bailey_source *source;
    bailey_precision precision;
    uint32_t steps, factors;
    uint64_t first, count;
    uint32_t replicates, stream_step; /* number r is of stream + r stream_step; replicates 0 is 1 */
};

/* Checks a source of kind POINT that has been checked as one, for normals that `normal` describes. */
bailey_status bly_check_points(const bailey_source *source, const bailey_normal_params *normal);

/* Writes them to `out`, [step][factor][replicate][point], or, of one replicate alone, [point][step][factor]
 * if `point_major`. */
bailey_status bly_points_normals(bailey_context *context, const struct bly_point_rows *rows, int point_major,
                                 bailey_buffer *out);

/* Writes dimensions first_dim .. first_dim + dims - 1 of the same points, as they are numbered, in a form,
 * from element `offset` of `out` on: [dimension][replicate][point]. steps and factors are ignored. */
bailey_status bly_points_dims(bailey_context *context, const struct bly_point_rows *rows,
                              bailey_points_form form, uint32_t first_dim, uint32_t dims, bailey_buffer *out,
                              uint64_t offset);

/* The buffers for kernels that draw points (kernels/sobol_draw.h): the table, which belongs to the context,
 * and the heads, which go back to the pool once the kernel is queued. */
bailey_status bly_points_heads(bailey_context *context, const struct bly_point_rows *rows,
                               bailey_buffer **table, bailey_buffer **heads);

/* ---- Published sequences (published.c) ------------------------------------------------------- */

/* The published sequences (BAILEY_SEQUENCE_PUBLISHED of bailey.h): the state of one at any place in it.
 *
 * A state at position n is the one from which the next draw is word n. Its words:
 *   xorwow       v[0], ..., v[4], d
 *   mrg32k3a     the three values of the first component, the oldest first, then those of the second
 *   mt19937      the 624 words of a block, already made, then the index of the next word in it
 *   kiss         z, w, jsr, jcong
 *   park-miller, lcg, adder   x */

#define BLY_PUBLISHED_MOST_WORDS 625

/* Words of a state; 0 where the generator has no published sequence, or is a function of a counter and needs
 * no state. */
uint32_t bly_published_words(bailey_generator generator);

/* Whether source->generator has a published sequence for source->seed and stream; the rest is
 * ignored. Refused besides what bailey.h says: seeds and streams for which cuRAND's initialisation
 * of MRG32k3a is not defined (streams from 2^51) or of no use (a component all zero, for ever).
 *
 * Returns: OK, ERROR_INVALID. */
bailey_status bly_published_check(const bailey_source *source);

/* States at positions offset, offset + spacing, ..., offset + (count - 1) spacing: word k of state s goes to
 * states[k * count + s]. Positions beyond 2^64 are what they would be. For mt19937 count is 1.
 *
 * Costs a fraction of a millisecond and some 0.1 microseconds per state; mt19937 a few milliseconds.
 * Returns: OK, ERROR_INVALID (as bly_published_check; a generator without states; count), ERROR_MEMORY. */
bailey_status bly_published_states(const bailey_source *source, uint64_t offset, uint64_t spacing,
                                   uint64_t count, uint32_t *states);

/* ---- The warp generator (warp_jump.c) -------------------------------------------------------- */

/* The warp generator on the host: its parameters, its step, jumps. */

#define BLY_WARP_PUBLISHED 16 /* the published set; below it the shipped ones */

/* 32 words of bailey/device/warp_sets.h. */
const uint32_t *bly_warp_taps(uint32_t set);

void bly_warp_step(uint32_t set, uint32_t state[32]);

/* ---- Polynomials (gf2.c) --------------------------------------------------------------------- */

/* Powers of x modulo a polynomial over GF(2), of which jumps of generators that are linear over GF(2) are
 * made.
 *
 * If f annihilates the step A of such a generator and g = x^n mod f, then A^n = g(A) = sum of g_k A^k: the
 * state after n steps is the sum of those of the next few states for which g has a bit.
 *
 * Coefficient k is bit k mod 64 of word k / 64. Degrees of moduli are multiples of 64 here: multiply f by a
 * power of x, which annihilates A as well. */

struct bly_gf2 {
    size_t words; /* the modulus has degree 64 words */
    /* Dense: v x^(64 words + 4 n) modulo the modulus for each value v of nibble n of a word, `words` words
     * each: table[(16 n + v) words]. NULL: sparse. */
    const uint64_t *table;
    /* Sparse: the exponents of the modulus without its leading one, each at most 64 words - 64. */
    const uint32_t *exponents;
    size_t count;
};

/* Fills table[256 * words] for the modulus x^(64 words) + low. */
void bly_gf2_table(const uint64_t *low, size_t words, uint64_t *table);

/* result = x^n mod the modulus, n of n_words words, the lowest first. `scratch` has 2 words of each of the
 * result's. */
void bly_gf2_power(const struct bly_gf2 *modulus, const uint64_t *n, size_t n_words, uint64_t *scratch,
                   uint64_t *result);

/* ---- Factors (factor.c) ---------------------------------------------------------------------- */

/* Covariance matrices to lower triangular factors. Pure host code; the same bits on every host. */

/* Everything is judged relative to the standard deviations: entry (i, j) counts as zero when it is at
 * most this times sqrt(cov[i][i] cov[j][j]). */
#define BLY_FACTOR_TOLERANCE(dims) ((double)(dims)*0x1p-46)

/* Finds a lower triangular C with C C' = cov, both [dims][dims], row by row, dims in
 * 1 .. BAILEY_BRIDGE_MAX_DIMS; the diagonal of C is not negative, above it C is zero.
 *
 * `cov` must be symmetric (its lower triangle is used) and positive semi-definite, both within the
 * tolerance, and C C' equals it within the tolerance. On failure returns ERROR_INVALID; the
 * error is of the argument `name`, a literal, its entries are called "name[i][j]", and for a matrix that is
 * not positive semi-definite the message has the smallest eigenvalue. */
bailey_status bly_factor_covariance(const char *name, const double *cov, uint32_t dims, double *c);

/* Refuses a factor whose lower triangle is not finite; entries are called "factor[i][j]". */
bailey_status bly_check_factor(const double *c, uint32_t dims);

/* The fewest significant digits, 15 or more, that read back as `value`: people look for what they wrote. */
int bly_digits(double value);

/* ---- Eigenvalues (eigen.c) ------------------------------------------------------------------- */

/* Eigenvalues of symmetric matrices. Pure host code; the same bits on every host. */

/* Makes a[dims][dims], symmetric and finite, diagonal: its eigenvalues, in no order. Row k of `vectors` is
 * the vector of a[k][k], of length 1. The error is a few units in the last place of the largest eigenvalue.
 */
void bly_eigen(double *a, uint32_t dims, double *vectors);

/* Returns the smallest eigenvalue of a[dims][dims], dims in 1 .. BAILEY_BRIDGE_MAX_DIMS, and writes its
 * vector, of length 1. `a` is as for bly_eigen. */
double bly_eigen_smallest(double *a, uint32_t dims, double *vector);

/* ---- Correlations (correlation_check.c) ------------------------------------------------------ */

/* bailey_correlation_check with entries from -most to most. */
bailey_status bly_correlation_check(const double *correlation, uint32_t dims, double most, double *exact);

/* ---- Constants of paths (constants.c) -------------------------------------------------------- */

/* The start, end and correlation of paths, as bridges and motions are given them. */

struct bly_path_constants {
    uint32_t dims;                     /* 1 .. BAILEY_BRIDGE_MAX_DIMS; checked here */
    const double *start, *end;         /* [dims]; NULL: 0 */
    const double *factor, *covariance; /* [dims][dims], at most one; both NULL: the identity */
};

/* Checks them: limits, finite numbers, not both matrices. */
bailey_status bly_check_constants(const struct bly_path_constants *constants);

/* Writes start[dims], end[dims] and C[dims][dims] in the precision to an array that the caller frees. Fails
 * where C cannot be found, or a number is beyond single precision. NULL where it fails. */
bailey_status bly_constants_create(const struct bly_path_constants *constants, bailey_precision precision,
                                   void **array);

#endif
