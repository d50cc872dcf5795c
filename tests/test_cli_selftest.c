/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * `bailey selftest` where the library's self-test fails, as it does on no device that there is: the exit
 * code.
 */
#define DEVICE OPTION_DEVICE /* which test.h calls something else */
#define bailey_selftest played_selftest
#define command_selftest own_command_selftest
#include <cli/app/cmd_selftest.c>
#undef DEVICE

#include "test.h"

static int failing;

bailey_status played_selftest(bailey_context *context, const bailey_selftest_params *params)
{
    (void)context;
    params->report(params->report_user, "first", 1, "0123456789abcdef");
    params->report(params->report_user, "second", !failing, "0123456789abcdef");
    return failing ? BAILEY_ERROR_SELFTEST : BAILEY_OK;
}

TEST(exit_code, HOST)
{
    const struct arguments arguments = {.command = &own_command_selftest,
                                        .value = {[OPTION_DEVICE] = "cpu", [JSON] = ""}};
    assert_int_equal(own_command_selftest.run(&arguments), 0);
    failing = 1;
    assert_int_equal(own_command_selftest.run(&arguments), CLI_FAILED);
}
