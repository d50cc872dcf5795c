/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "commands.h"
#include "json.h"

#include <stdio.h>
#include <string.h>

#define DIGITS 16 /* of a digest */

enum { DEVICE, THREADS, ALL, DIGESTS, JSON };

static const struct option options[] = {
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    FIELD(selftest_params, all, "--all",
          .help = "every generator, distribution, bridge and strategy; compiling them takes minutes on some "
                  "devices"),
    OPTION("--digests", NULL, "the report as lines of item, digest found, digest known, with tabs between"),
    OPTION("--json", NULL, "the report as JSON"),
    OPTIONS_END,
};

struct tally {
    struct json *json; /* NULL: lines */
    int digests;
    unsigned passed, failed;
    char first[160]; /* item that failed */
};

/* An item's digests are what its detail begins and ends with. */
static void print_digests(const char *item, const char *detail)
{
    const size_t length = strlen(detail);
    const char *known = length > DIGITS ? detail + length - DIGITS : detail;
    printf("%s\t%.*s\t%s\n", item, DIGITS, detail, known);
    fflush(stdout);
}

static void report(void *user, const char *item, int passed, const char *detail)
{
    struct tally *tally = user;
    if (passed) {
        tally->passed++;
    } else if (!tally->failed++) {
        snprintf(tally->first, sizeof tally->first, "%s", item);
    }
    if (tally->json) {
        json_open(tally->json, NULL, '{');
        json_text(tally->json, "item", item);
        json_flag(tally->json, "passed", passed);
        json_text(tally->json, "detail", detail ? detail : "");
        json_close(tally->json, '}');
        return;
    }
    if (tally->digests) {
        print_digests(item, detail);
        return;
    }
    printf("%-4s  %s", passed ? "ok" : "FAIL", item);
    if (detail && *detail) printf("  (%s)", detail);
    putchar('\n');
    fflush(stdout);
}

static int run(const struct arguments *arguments)
{
    bailey_context *context = NULL;
    bailey_device device;
    struct json json = {0};
    struct tally tally = {.digests = arguments->value[DIGESTS] != NULL};
    if (tally.digests && arguments->value[JSON])
        return cli_error(CLI_USAGE, "--digests and --json are two forms of the report; give one");
    int code = open_device(arguments, arguments->value[DEVICE], &context, &device);
    if (code) return code;
    if (arguments->value[JSON]) {
        tally.json = &json;
        json_open(&json, NULL, '{');
        json_text(&json, "version", bailey_version());
        json_text(&json, "device", device.address);
        json_text(&json, "device_name", device.name);
        json_text(&json, "driver", device.driver);
        json_open(&json, "items", '[');
    } else if (!tally.digests) {
        printf("device %s: %s", device.address, cli_printable(device.name));
        printf(", %s\n", cli_printable(device.driver));
        fflush(stdout);
    }
    bailey_selftest_params params = {.report = report, .report_user = &tally};
    options_read_fields(arguments, "selftest_params", &params);
    bailey_status status = bailey_selftest(context, &params);
    int passed = status == BAILEY_OK && !tally.failed;
    if (tally.json) {
        json_close(&json, ']');
        json_flag(&json, "passed", passed);
        json_text(&json, "error", status ? bailey_error_message() : "");
        json_number(&json, "seconds", cli_elapsed());
        json_close(&json, '}');
    } else if (passed && !tally.digests) {
        printf("%u items passed in %.2f s: this device gives the same bits as every other\n", tally.passed,
               cli_elapsed());
    }
    if (status != BAILEY_OK && status != BAILEY_ERROR_SELFTEST) {
        cli_check(status, "self-test");
        code = CLI_FAILED;
    } else if (!passed) {
        code = cli_error(CLI_FAILED, "%u of %u items failed on %s, first: %s", tally.failed,
                         tally.failed + tally.passed, device.address,
                         tally.failed ? tally.first : bailey_error_message());
    }
    bailey_context_destroy(context);
    return code;
}

const struct command command_selftest = {
    .name = "selftest",
    .summary = "prove on a device that it gives the same bits as every other",
    .usage = "[--device D] [--threads N] [--all] [--digests | --json]",
    .about = "Computes words, normals, bridges and prices on a device and compares them with golden values "
             "that are\n"
             "shipped with the library. A line per item; exit code 1 if one fails.",
    .examples = "  bailey selftest\n"
                "  bailey selftest --device cuda:0 --all\n"
                "  bailey selftest --digests\n"
                "      for scripts: scripts/prove makes a table of all devices from it (docs/proof.md)\n"
                "  BAILEY_LOG=1 bailey selftest --device opencl\n"
                "      also shows what was built, and in what time\n",
    .options = options,
    .run = run,
};
