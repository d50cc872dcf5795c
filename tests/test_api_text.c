/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Texts of the library: numbers in error and log messages, whatever the program's locale; the smallest
 * eigenvalue of a matrix that is not a covariance; names of devices from arguments and environment. On the
 * cpu backend.
 */
#include "harness.h"

#include <host/source/source.h>

#include <locale.h>
#include <math.h>

static void says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);
}

/* Sets a locale with a decimal comma, building one if none is installed. Returns 0 where that cannot be done.
 */
static int set_comma(char *folder)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "comma"};
    char command[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (i == 4) {
            snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/comma >%s/log 2>&1", folder,
                     folder);
            if (system(command)) return 0;
            setenv("LOCPATH", folder, 1);
        }
        if (setlocale(LC_ALL, names[i]) && *localeconv()->decimal_point == ',') return 1;
    }
    return 0;
}

static void keep_line(void *user, int level, const char *line)
{
    (void)level;
    if (strstr(line, "planned")) snprintf(user, 200, "%s", line);
}

/* Errors of each part of the library that words numbers, and the log. */
static void check_texts(void)
{
    static const double backwards[2] = {1.5, 0.25}, lopsided[4] = {1, 0.5, 0.25, 1};
    bailey_bridge_params params = {.times = backwards, .steps = 2};
    bailey_bridge *bridge;
    char line[200] = "";
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    says(bailey_error_message(), "times[1] = 0.25 does not exceed times[0] = 1.5");
    params = (bailey_bridge_params){.times = backwards, .steps = 1, .dims = 2, .covariance = lopsided};
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    says(bailey_error_message(), "covariance[1][0] = 0.25 differs from covariance[0][1] = 0.5");
    bailey_log_set(keep_line, line, 1);
    params.covariance = NULL;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_OK);
    bailey_log_set(NULL, NULL, 0);
    bailey_bridge_destroy(bridge);
    says(line, " in 0.");
}

TEST(decimal_points, ON_CPU | LONG)
{
    char folder[] = "/tmp/bailey-locale-XXXXXX", text[64];
    check_texts();
    assert_non_null(mkdtemp(folder));
    const int comma = set_comma(folder);
    if (comma) {
        check_texts();
        snprintf(text, sizeof text, "%.2f", 1.25);
        assert_string_equal(text, "1,25"); /* the caller's locale is what it was */
        setlocale(LC_ALL, "C");
    }
    snprintf(text, sizeof text, "rm -rf '%s'", folder);
    assert_int_equal(system(text), 0);
    if (!comma) skip();
}

/* a v = value v, with the largest entry of a about 1. */
static void check_vector(const double *a, uint32_t dims, double value, const double *v)
{
    double square = 0;
    for (uint32_t i = 0; i < dims; i++) {
        double sum = -value * v[i];
        for (uint32_t j = 0; j < dims; j++) sum += a[i * dims + j] * v[j];
        assert_true(fabs(sum) < 1e-13);
        square += v[i] * v[i];
    }
    assert_true(fabs(square - 1) < 1e-13);
}

/* Matrices whose smallest eigenvalue has a formula. */
TEST(eigenvalues, ON_CPU)
{
    static double a[64 * 64], kept[64 * 64];
    double v[64];
    for (uint32_t dims = 1; dims <= 64; dims++) {
        /* the second difference: 2 - 2 cos(k pi / (dims + 1)) */
        for (uint32_t i = 0; i < dims * dims; i++) {
            const uint32_t row = i / dims, column = i % dims;
            kept[i] = a[i] = row == column ? 2 : row == column + 1 || column == row + 1 ? -1 : 0;
        }
        double value = bly_eigen_smallest(a, dims, v);
        assert_true(fabs(value - (2 - 2 * cos(acos(-1) / (dims + 1)))) < 1e-14);
        check_vector(kept, dims, value, v);
        /* all correlations r: 1 - r dims - 1 times, and 1 + (dims - 1) r */
        for (int sign = -1; sign <= 1; sign += 2) {
            for (uint32_t i = 0; i < dims * dims; i++) kept[i] = a[i] = i % (dims + 1) ? sign * 0.75 : 1;
            value = bly_eigen_smallest(a, dims, v);
            const double expected = sign > 0 ? 0.25 : 1 - (dims - 1) * 0.75;
            assert_true(fabs(value - (dims == 1 ? 1 : expected)) < 1e-13);
            check_vector(kept, dims, value, v);
        }
    }
}

/* The entry named is one that a person would look at: the negative one among two positive. */
TEST(indefinite, ON_CPU)
{
    static const double time = 1;
    static const double matrix[16] = {1,   0.1, 0.2, 0.1, 0.1, 1,     0.9, -0.95,
                                      0.2, 0.9, 1,   0.6, 0.1, -0.95, 0.6, 1};
    static const double wide[9] = {4, 1.8, -1.8, 1.8, 1, 0.9, -1.8, 0.9, 1};
    bailey_bridge_params params = {.times = &time, .steps = 1, .dims = 4, .covariance = matrix};
    bailey_bridge *bridge;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    says(bailey_error_message(), "covariance is not positive semi-definite: its smallest eigenvalue is -0.6");
    says(bailey_error_message(), ", determined mostly by covariance[3][1] = -0.95");
    params.dims = 3;
    params.covariance = wide;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    says(bailey_error_message(),
         "scaled to a diagonal of ones, its smallest eigenvalue is -0.8, determined");
}

TEST(device_names, ON_CPU)
{
    bailey_context *made = context;
    assert_int_equal(bailey_context_create("", NULL, &made), BAILEY_ERROR_INVALID);
    says(bailey_error_message(), "device \"\" is not of the form");
    assert_null(made);
    setenv("BAILEY_DEVICE", "", 1); /* as if it were not set */
    const bailey_status status = bailey_context_create(NULL, NULL, &made);
    unsetenv("BAILEY_DEVICE");
    if (status != BAILEY_OK) fail_msg("%s", bailey_error_message());
    bailey_context_destroy(made);
}
