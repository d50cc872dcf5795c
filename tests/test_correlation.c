/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Correlation matrices: what passes, what is said of what does not, and the nearest one. No device.
 */
#include <bailey/correlation.h>

#include "invalid_correlations.h"
#include "plan_inputs.h"

#include <base/alloc.h>
#include <host/source/source.h>

#include <string.h>

enum { MOST = 94 };
static double matrix[MOST * MOST], nearest[MOST * MOST];

#define MATRIX(...)                                                                                          \
    (const double[]) { __VA_ARGS__ }

static void refuses(const double *m, uint32_t dims, const char *text)
{
    double exact[16];
    memset(exact, 0x55, sizeof exact);
    assert_int_equal(bailey_correlation_check(m, dims, exact), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), text);
    assert_string_equal(bailey_error_argument(), "correlation");
    for (size_t i = 0; i < sizeof exact; i++) assert_int_equal(((unsigned char *)exact)[i], 0x55);
}

TEST(wrong_matrices, HOST)
{
    refuses(MATRIX(0.04, 0.03, 0.03, 0.09), 2,
            "correlation[0][0] is 0.04, must be 1; the matrix looks like a covariance matrix");
    refuses(MATRIX(1, 0.5, 0.5, 4), 2,
            "correlation[1][1] is 4, must be 1; the matrix looks like a covariance matrix");
    refuses(MATRIX(100, 50, 50, 100), 2,
            "correlation[0][0] is 100, must be 1; the matrix looks like percentages");
    refuses(MATRIX(1, 50, 50, 1), 2,
            "correlation[1][0] is 50, must be from -1 to 1; the matrix looks like percentages");
    refuses(MATRIX(1, 1.5, 1.5, 1), 2, "correlation[1][0] is 1.5, must be from -1 to 1");
    refuses(MATRIX(0, 0.5, 0.5, 0), 2, "correlation[0][0] is 0, must be 1");
    refuses(MATRIX(1, 0.5, 0.5, 0.9), 2,
            "correlation[1][1] is 0.9, must be 1; the matrix looks like a covariance matrix");
    refuses(MATRIX(1, 0.5, 0.25, 1), 2, "correlation[1][0] = 0.25 differs from correlation[0][1] = 0.5");
    refuses(MATRIX(1, NAN, 0.5, 1), 2, "correlation[0][1] = nan is not finite");
    refuses(MATRIX(1, 0.5, INFINITY, 1), 2, "correlation[1][0] = inf is not finite");
    refuses(MATRIX(1), 1, "correlation is given, but there is only one dimension");
    assert_int_equal(bailey_correlation_check(NULL, 2, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_correlation_check(matrix, 513, NULL), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "dims is 513, not from 2 to 512");
}

/* What single precision rounds passes, and is then exact; what is beyond is not. */
TEST(rounded_matrices, HOST)
{
    const double ulp = 0x1p-23, r = 0.3;
    double exact[4];
    assert_int_equal(bailey_correlation_check(MATRIX(1 - 4 * ulp, r + 2 * ulp, r, 1 + 3 * ulp), 2, exact),
                     BAILEY_OK);
    assert_true(exact[0] == 1 && exact[3] == 1 && exact[1] == r && exact[2] == r);
    assert_int_equal(bailey_correlation_check(MATRIX(1, 1 + ulp, 1 + ulp, 1), 2, exact), BAILEY_OK);
    assert_true(exact[1] == 1 && exact[2] == 1);
    assert_int_equal(bailey_correlation_check(MATRIX(1 - 5 * ulp, r, r, 1), 2, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_correlation_check(MATRIX(1, r + 5 * ulp, r, 1), 2, NULL), BAILEY_ERROR_INVALID);
    double own[] = {1, 0.5 + 0x1p-50, 0.5, 1};
    assert_int_equal(bailey_correlation_check(own, 2, own), BAILEY_OK);
    assert_true(own[1] == 0.5);
}

/* numpy.corrcoef's steps, in double and in single precision. */
TEST(estimated_matrices, HOST)
{
    enum { SAMPLES = 40, ASSETS = 12 };
    for (int repeat = 0; repeat < 50; repeat++) {
        double x[ASSETS][SAMPLES], c[ASSETS * ASSETS], exact[ASSETS * ASSETS], factor[ASSETS * ASSETS];
        for (int i = 0; i < ASSETS; i++)
            for (int s = 0; s < SAMPLES; s++) x[i][s] = 2 * random_unit() - 1;
        for (int i = 0; i < ASSETS; i++)
            for (int j = 0; j < ASSETS; j++) {
                double product = 0, left = 0, right = 0;
                for (int s = 0; s < SAMPLES; s++) {
                    product += x[i][s] * x[j][s];
                    left += x[i][s] * x[i][s];
                    right += x[j][s] * x[j][s];
                }
                c[i * ASSETS + j] = product / sqrt(left) / sqrt(right);
                if (repeat % 2)
                    c[i * ASSETS + j] = (float)((float)product / (float)sqrt(left)) / (float)sqrt(right);
            }
        assert_int_equal(bailey_correlation_check(c, ASSETS, exact), BAILEY_OK);
        assert_int_equal(bly_factor_covariance("correlation", exact, ASSETS, factor), BAILEY_OK);
    }
}

/* ---- The nearest matrix ---- */

static void check_nearest(const char *name, uint32_t dims, double least, double expected)
{
    static double factor[64 * 64], eigenvalues[MOST];
    double distance = -1, sum = 0;
    memset(nearest, 0xff, sizeof nearest);
    if (bailey_correlation_nearest(matrix, dims, least, nearest, &distance) != BAILEY_OK)
        fail_msg("%s: %s", name, bailey_error_message());
    if (!(fabs(distance - expected) <= 2e-12 * (1 + expected)))
        fail_msg("%s: distance %.15g, not %.15g", name, distance, expected);
    for (uint32_t i = 0; i < dims; i++) {
        assert_true(nearest[i * dims + i] == 1);
        for (uint32_t j = 0; j < dims; j++) {
            assert_true(nearest[i * dims + j] == nearest[j * dims + i] && fabs(nearest[i * dims + j]) <= 1);
            sum += (nearest[i * dims + j] - matrix[i * dims + j]) *
                   (nearest[i * dims + j] - matrix[i * dims + j]);
        }
    }
    assert_true(fabs(sqrt(sum) - distance) <= 1e-13 * (1 + distance));
    assert_int_equal(bailey_correlation_eigenvalues(nearest, dims, eigenvalues), BAILEY_OK);
    for (uint32_t i = 1; i < dims; i++) assert_true(eigenvalues[i - 1] <= eigenvalues[i]);
    if (!(eigenvalues[0] >= least - 1e-13 * dims)) fail_msg("%s: eigenvalue %g", name, eigenvalues[0]);
    if (dims <= 64) assert_int_equal(bly_factor_covariance("c", nearest, dims, factor), BAILEY_OK);
}

static void place(const struct invalid_correlation *m)
{
    const double *next = m->lower;
    for (uint32_t i = 0; i < m->dims; i++) {
        matrix[i * m->dims + i] = 1;
        for (uint32_t j = 0; j < i + (m->is_covariance != 0); j++)
            matrix[i * m->dims + j] = matrix[j * m->dims + i] = *next++;
    }
    if (!m->is_covariance) return;
    double deviation[16];
    for (uint32_t i = 0; i < m->dims; i++) deviation[i] = sqrt(matrix[i * m->dims + i]);
    for (uint32_t i = 0; i < m->dims; i++)
        for (uint32_t j = 0; j < m->dims; j++)
            matrix[i * m->dims + j] = i == j ? 1 : matrix[i * m->dims + j] / (deviation[i] * deviation[j]);
}

TEST(published_matrices, HOST)
{
    for (size_t i = 0; i < sizeof invalid_correlations / sizeof *invalid_correlations; i++) {
        const struct invalid_correlation *m = &invalid_correlations[i];
        place(m);
        check_nearest(m->name, m->dims, 0, m->distance);
        check_nearest(m->name, m->dims, 0.01, m->distance_001);
    }
}

TEST(matrix_of_94_rows, HOST)
{
    const char *next = usgs13;
    for (uint32_t i = 0; i < 94; i++) {
        matrix[i * 94 + i] = 1;
        for (uint32_t j = 0; j < i; j++) matrix[i * 94 + j] = matrix[j * 94 + i] = (*next++ - '0') / 10.0;
    }
    check_nearest("usgs13", 94, 0, usgs13_distance);
    check_nearest("usgs13", 94, 0.01, usgs13_distance_001);
}

/* Higham 2002, section 4: of three rows with 1 next to the diagonal and 0 in the corner the nearest has
 * 0.7607 and 0.1573, at a distance of 0.5278. */
TEST(matrix_of_the_paper, HOST)
{
    memcpy(matrix, MATRIX(1, 1, 0, 1, 1, 1, 0, 1, 1), 9 * sizeof *matrix);
    check_nearest("high02", 3, 0, 0.527790463582);
    assert_true(fabs(nearest[1] - 0.7607) < 5e-5 && fabs(nearest[5] - 0.7607) < 5e-5);
    assert_true(fabs(nearest[2] - 0.1573) < 5e-5);
    /* In place. */
    assert_int_equal(bailey_correlation_nearest(matrix, 3, 0, matrix, NULL), BAILEY_OK);
    assert_memory_equal(matrix, nearest, 9 * sizeof *matrix);
}

/* Nothing is changed that need not be, and no other correlation matrix is nearer. */
TEST(nearest_is_nearest, HOST)
{
    static const double given[] = {1, 0.5, 0.25, 0.5, 1, -0.125, 0.25, -0.125, 1};
    double distance = -1;
    assert_int_equal(bailey_correlation_nearest(given, 3, 0, nearest, &distance), BAILEY_OK);
    assert_memory_equal(nearest, given, sizeof given);
    assert_true(distance == 0);
    for (int repeat = 0; repeat < 40; repeat++) {
        const uint32_t n = 2 + (uint32_t)(random_word() % 12);
        double other[16 * 16], vectors[16][3];
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j <= i; j++)
                matrix[i * n + j] = matrix[j * n + i] = i == j ? 1 : 2.4 * random_unit() - 1.2;
        assert_int_equal(bailey_correlation_nearest(matrix, n, 0, nearest, &distance), BAILEY_OK);
        for (uint32_t i = 0; i < n; i++) {
            double length = 0;
            for (int k = 0; k < 3; k++) vectors[i][k] = 2 * random_unit() - 1;
            for (int k = 0; k < 3; k++) length += vectors[i][k] * vectors[i][k];
            for (int k = 0; k < 3; k++) vectors[i][k] /= sqrt(length);
        }
        /* The error's slope towards any correlation matrix is not negative: <X - A, B - X> >= 0. */
        double slope = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                other[i * n + j] = vectors[i][0] * vectors[j][0] + vectors[i][1] * vectors[j][1] +
                                   vectors[i][2] * vectors[j][2];
                slope += (nearest[i * n + j] - matrix[i * n + j]) * (other[i * n + j] - nearest[i * n + j]);
            }
        if (!(slope >= -1e-10)) fail_msg("%u rows: slope %g", n, slope);
    }
}

TEST(nearest_refuses, HOST)
{
    double distance = 7;
    memset(nearest, 0x55, sizeof nearest);
    const double *good = MATRIX(1, 1.5, 1.5, 1);
    assert_int_equal(bailey_correlation_nearest(MATRIX(0.04, 0, 0, 0.04), 2, 0, nearest, &distance),
                     BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "looks like a covariance matrix"));
    assert_int_equal(bailey_correlation_nearest(MATRIX(1, 2000, 2000, 1), 2, 0, nearest, &distance),
                     BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_correlation_nearest(good, 2, 1, nearest, &distance), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "least_eigenvalue");
    assert_int_equal(bailey_correlation_nearest(good, 2, NAN, nearest, &distance), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_correlation_nearest(good, 2, 0, NULL, &distance), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "nearest");
    assert_int_equal(bailey_correlation_eigenvalues(good, 2, NULL), BAILEY_ERROR_INVALID);
    for (int fail = 1; fail <= 2; fail++) {
        bly_alloc_countdown = fail;
        assert_int_equal(bailey_correlation_nearest(good, 2, 0, nearest, &distance), BAILEY_ERROR_MEMORY);
    }
    bly_alloc_countdown = 0;
    assert_true(distance == 7);
    for (size_t i = 0; i < sizeof nearest; i++) assert_int_equal(((unsigned char *)nearest)[i], 0x55);
    assert_int_equal(bailey_correlation_nearest(good, 2, 0, nearest, &distance), BAILEY_OK);
    assert_true(nearest[1] == 1 && fabs(distance - 0.5 * sqrt(2)) < 1e-12);
}

/* Higham (2002) has 0.7607 and 0.1573; with the weights 1, 4, 1 and with fixed entries, alternating
 * projections with Dykstra's correction in NumPy. One factor has the loadings (t, 1, t), t^3 + t = 1. */
TEST(adjusted, HOST)
{
    const double higham[] = {1, 1, 0, 1, 1, 1, 0, 1, 1}, weights[] = {1, 4, 1};
    const double tec03[] = {1, -0.55, -0.15, -0.1, -0.55, 1, 0.9, 0.9, -0.15, 0.9, 1, 0.9, -0.1, 0.9, 0.9, 1};
    const uint32_t fixed[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
    double distance, loadings[3];
    assert_int_equal(bailey_correlation_nearest(higham, 3, 0, nearest, &distance), BAILEY_OK);
    assert_true(fabs(nearest[1] - 0.7606898534) < 1e-9 && fabs(nearest[2] - 0.1572981061) < 1e-9);
    assert_true(fabs(distance - 0.5277904636) < 1e-9);
    assert_int_equal(bailey_correlation_adjust(higham, 3, 0, weights, NULL, nearest, &distance), BAILEY_OK);
    assert_true(fabs(nearest[1] - 0.8351223485) < 1e-9 && fabs(nearest[2] - 0.3948586739) < 1e-9);
    assert_true(fabs(distance - 0.4320824528) < 1e-9);
    assert_int_equal(bailey_correlation_adjust(tec03, 4, 1e-3, NULL, fixed, nearest, &distance), BAILEY_OK);
    assert_true(nearest[1] == -0.55 && nearest[11] == 0.9 && fabs(nearest[2] + 0.1578318843) < 1e-9);
    assert_true(fabs(nearest[7] - 0.8752608509) < 1e-9 && fabs(distance - 0.0471334828) < 1e-9);
    assert_int_equal(bailey_correlation_factors(higham, 3, 1, loadings, nearest, &distance), BAILEY_OK);
    assert_true(fabs(fabs(loadings[0]) - 0.6823278038) < 1e-8 && fabs(fabs(loadings[1]) - 1) < 1e-12);
    assert_true(fabs(distance - 0.9149730274) < 1e-8 && fabs(nearest[2] - 0.4655712319) < 1e-8);
}

TEST(adjusted_refuses, HOST)
{
    const double matrix3[] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1}, negative[] = {1, -1, 1},
                 far[] = {1, 1e7, 1};
    const uint32_t all[] = {0, 1, 1, 1, 0, 1, 1, 1, 0}, half[] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
    double loadings[9];
#define ADJUST_REFUSES(argument, weights, fixed)                                                             \
    assert_int_equal(bailey_correlation_adjust(matrix3, 3, 0, weights, fixed, nearest, NULL),                \
                     BAILEY_ERROR_INVALID);                                                                  \
    assert_string_equal(bailey_error_argument(), argument)
    ADJUST_REFUSES("weights", negative, NULL);
    ADJUST_REFUSES("weights", far, NULL);
    ADJUST_REFUSES("fixed", NULL, half);
    ADJUST_REFUSES("fixed", NULL, all);
    assert_int_equal(bailey_correlation_factors(matrix3, 3, 0, loadings, NULL, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_correlation_factors(matrix3, 3, 4, loadings, NULL, NULL), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "factors");
    assert_int_equal(bailey_correlation_factors(matrix3, 3, 1, NULL, NULL, NULL), BAILEY_ERROR_INVALID);
    for (int fail = 1; fail <= 2; fail++) {
        bly_alloc_countdown = fail;
        assert_int_equal(bailey_correlation_factors(matrix3, 3, 1, loadings, NULL, NULL),
                         BAILEY_ERROR_MEMORY);
    }
    for (int fail = 1; fail <= 6; fail++) {
        bly_alloc_countdown = fail;
        assert_int_equal(bailey_correlation_adjust(matrix3, 3, 0, NULL, NULL, nearest, NULL),
                         BAILEY_ERROR_MEMORY);
    }
    bly_alloc_countdown = 0;
}
