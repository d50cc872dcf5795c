/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Factors of covariance matrices: known ones, all ranks, refusals. No device, no context.
 */
#include <string.h>

#include "plan_inputs.h"
#include <host/source/source.h>

/* Factors `cov` and checks the shape of C and C C' = cov. */
static void check_factor(const double *cov, uint32_t dims, double *c)
{
    memset(c, 0xff, dims * dims * sizeof *c);
    if (bly_factor_covariance("covariance", cov, dims, c) != BAILEY_OK)
        fail_msg("%s", bailey_error_message());
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j < dims; j++) {
            if (j > i) assert_true(c[i * dims + j] == 0);
            if (j > i) continue;
            double sum = 0;
            for (uint32_t k = 0; k <= j; k++) sum += c[i * dims + k] * c[j * dims + k];
            const double scale = sqrt(cov[i * dims + i]) * sqrt(cov[j * dims + j]);
            if (!(fabs(sum - cov[i * dims + j]) <= 2 * BLY_FACTOR_TOLERANCE(dims) * scale))
                fail_msg("dims %u: (%u, %u) is %.17g, not %.17g", dims, i, j, sum, cov[i * dims + j]);
        }
    for (uint32_t i = 0; i < dims; i++) assert_true(c[i * dims + i] >= 0);
    assert_int_equal(bly_check_factor(c, dims), BAILEY_OK);
}

static void expect_factor(uint32_t dims, const double *cov, const double *expected)
{
    double c[16];
    check_factor(cov, dims, c);
    for (uint32_t e = 0; e < dims * dims; e++) assert_true(c[e] == expected[e]);
}
#define OFFER                                                                                                \
    "; bailey_correlation_nearest and `bailey correlation FILE --nearest OUT` find the nearest correlation " \
    "matrix"
#define MATRIX(...)                                                                                          \
    (const double[]) { __VA_ARGS__ }

TEST(known_factors, HOST)
{
    expect_factor(1, MATRIX(4), MATRIX(2));
    expect_factor(1, MATRIX(0), MATRIX(0));
    expect_factor(2, MATRIX(1, 0, 0, 1), MATRIX(1, 0, 0, 1));
    expect_factor(2, MATRIX(4, 2, 2, 10), MATRIX(2, 0, 1, 3));
    expect_factor(3, MATRIX(4, 12, -16, 12, 37, -43, -16, -43, 98), MATRIX(2, 0, 0, 6, 1, 0, -8, 5, 3));
    expect_factor(2, MATRIX(1, 0.5, 0.5, 1), MATRIX(1, 0, 0.5, sqrt(0.75)));
    /* Singular ones. */
    expect_factor(2, MATRIX(1, -1, -1, 1), MATRIX(1, 0, -1, 0));
    expect_factor(3, MATRIX(1, 1, 0, 1, 1, 0, 0, 0, 4), MATRIX(1, 0, 0, 1, 0, 0, 0, 0, 2));
    expect_factor(3, MATRIX(0, 0, 0, 0, 4, 2, 0, 2, 1), MATRIX(0, 0, 0, 0, 2, 0, 0, 1, 0));
    expect_factor(3, MATRIX(1, 1, 0, 1, 1 + 0x1p-50, 0, 0, 0, 4), MATRIX(1, 0, 0, 1, 0, 0, 0, 0, 2));
    expect_factor(2, MATRIX(1e-300, 0, 0, 1e300), MATRIX(sqrt(1e-300), 0, 0, sqrt(1e300)));
}

TEST(factors_of_low_rank, HOST)
{
    static double cov[64 * 64], c[64 * 64], b[64 * 64];
    for (uint32_t dims = 1; dims <= 64; dims++) {
        for (uint32_t e = 0; e < dims * dims; e++) cov[e] = 1;
        check_factor(cov, dims, c);
        for (uint32_t e = 0; e < dims * dims; e++) assert_true(c[e] == (e % dims == 0));
    }
    /* B B' of every rank, rows scaled over many orders of magnitude; rank 64 last. */
    for (uint32_t repeat = 0; repeat < 4; repeat++)
        for (uint32_t dims = 1; dims <= 64; dims += dims < 8 ? 1 : 7)
            for (uint32_t rank = 1; rank <= dims; rank++) {
                for (uint32_t i = 0; i < dims; i++) {
                    const double scale = ldexp(1, (int)(random_word() % 80) - 40);
                    for (uint32_t k = 0; k < rank; k++) b[i * 64 + k] = scale * (2 * random_unit() - 1);
                }
                for (uint32_t i = 0; i < dims; i++)
                    for (uint32_t j = 0; j <= i; j++) {
                        double sum = 0;
                        for (uint32_t k = 0; k < rank; k++) sum += b[i * 64 + k] * b[j * 64 + k];
                        cov[i * dims + j] = cov[j * dims + i] = sum;
                    }
                check_factor(cov, dims, c);
            }
    /* Nearly singular without a gap in the spectrum: a Gaussian kernel. */
    for (uint32_t i = 0; i < 64; i++)
        for (uint32_t j = 0; j < 64; j++) cov[i * 64 + j] = exp(-0.005 * ((double)i - j) * ((double)i - j));
    check_factor(cov, 64, c);
}

static void refuse_covariance(uint32_t dims, const double *cov, const char *text)
{
    double c[16];
    assert_int_equal(bly_factor_covariance("covariance", cov, dims, c), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), text);
    assert_string_equal(bailey_error_argument(), "covariance");
}

TEST(factors_refuse, HOST)
{
    const double nan = fabs((double)NAN);
    refuse_covariance(1, MATRIX(-1), "covariance[0][0] = -1 is negative");
    refuse_covariance(2, MATRIX(1, 0, 0, -2.5), "covariance[1][1] = -2.5 is negative");
    refuse_covariance(2, MATRIX(1, nan, 0, 1), "covariance[0][1] = nan is not finite");
    refuse_covariance(2, MATRIX(INFINITY, 0, 0, 1), "covariance[0][0] = inf is not finite");
    refuse_covariance(2, MATRIX(1, 0.5, 0.25, 1),
                      "covariance[1][0] = 0.25 differs from covariance[0][1] = 0.5");
    refuse_covariance(
        2, MATRIX(1, 2, 2, 1),
        "covariance[1][0] = 2 exceeds the limit given by covariance[1][1] = 1 and covariance[0][0] = 1");
    refuse_covariance(
        2, MATRIX(0, 0.5, 0.5, 1),
        "covariance[1][0] = 0.5 exceeds the limit given by covariance[1][1] = 1 and covariance[0][0] = 0");
    refuse_covariance(3, MATRIX(1, 0.75, 0.75, 0.75, 1, -0.75, 0.75, -0.75, 1),
                      "covariance is not positive semi-definite: its smallest eigenvalue is -0.5, determined "
                      "mostly by covariance[1][0] = 0.75" OFFER);
    refuse_covariance(3, MATRIX(1, 1, 0, 1, 1, 0.5, 0, 0.5, 1),
                      "covariance is not positive semi-definite: its smallest eigenvalue is -0.118, "
                      "determined mostly by covariance[1][0] = 1" OFFER);
    refuse_covariance(3, MATRIX(1, 1, 0, 1, 1, 1e-9, 0, 1e-9, 1e-14),
                      "covariance is not positive semi-definite: scaled to a diagonal of ones, its smallest "
                      "eigenvalue is -5e-05, determined mostly by covariance[1][0] = 1");
    refuse_covariance(2, MATRIX(1, 1 + 0x1p-40, 1 + 0x1p-40, 1),
                      "covariance[1][0] = 1.0000000000009095 exceeds the limit given by covariance[1][1] = 1 "
                      "and covariance[0][0] = 1");
    refuse_covariance(3, MATRIX(1, 1, 1, 1, 1, 0.5, 1, 0.5, 1),
                      "covariance is not positive semi-definite: its smallest eigenvalue is -0.186, "
                      "determined mostly by covariance[1][0] = 1" OFFER);
    /* Asymmetry by rounding is none. */
    check_factor(MATRIX(1, 0.1, 0.1 + 0x1p-56, 1), 2, (double[4]){0});

    assert_int_equal(bly_check_factor(MATRIX(1, nan, -2, 3), 2), BAILEY_OK);
    assert_int_equal(bly_check_factor(MATRIX(1, 0, nan, 3), 2), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "factor[1][0] = nan is not finite");
    assert_int_equal(bly_check_factor(MATRIX(INFINITY), 1), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "factor[0][0] = inf is not finite");
}
