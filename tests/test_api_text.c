/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the library says: numbers in error and log texts, whatever the program's locale; the smallest
 * eigenvalue of a matrix that is not a covariance; names of devices from arguments and environment. On the
 * cpu backend.
 */
#include <bailey/bailey.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bailey_context *context;

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
    says(bailey_error_text(), "times[1] = 0.25 does not exceed times[0] = 1.5");
    params = (bailey_bridge_params){.times = backwards, .steps = 1, .dims = 2, .covariance = lopsided};
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    says(bailey_error_text(), "covariance[1][0] = 0.25 differs from covariance[0][1] = 0.5");
    const double once = 0.5, wild = 123.5;
    const bailey_asian_params asian = {
        .fixings = &once, .fixing_count = 1, .assets = 1, .spot = &once, .volatility = &wild, .paths = 2};
    bailey_asian_result result;
    assert_int_equal(bailey_asian_price(context, &asian, &result), BAILEY_ERROR_INVALID);
    says(bailey_error_text(), "volatility[0] is 123.5, from 0 to 100");
    bailey_log_set(keep_line, line, 1);
    params.covariance = NULL;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_OK);
    bailey_log_set(NULL, NULL, 0);
    bailey_bridge_destroy(bridge);
    says(line, " in 0.");
}

static void decimal_points(void **state)
{
    char folder[] = "/tmp/bailey-locale-XXXXXX", text[64];
    (void)state;
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

static void device_names(void **state)
{
    bailey_context *made = context;
    (void)state;
    assert_int_equal(bailey_context_create("", NULL, &made), BAILEY_ERROR_INVALID);
    says(bailey_error_text(), "device \"\" is not of the form");
    assert_null(made);
    setenv("BAILEY_DEVICE", "", 1); /* as if it were not set */
    const bailey_status status = bailey_context_create(NULL, NULL, &made);
    unsetenv("BAILEY_DEVICE");
    if (status != BAILEY_OK) fail_msg("%s", bailey_error_text());
    bailey_context_destroy(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decimal_points), cmocka_unit_test(device_names)};
    if (bailey_context_create("cpu", NULL, &context) != BAILEY_OK) return 1;
    const int failed = cmocka_run_group_tests_name("texts", tests, NULL, NULL);
    bailey_context_destroy(context);
    return failed;
}
