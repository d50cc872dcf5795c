/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey selftest: the library's self-test, item by item as it runs, so that the user sees at once
 * where a device goes wrong.
 */
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <stdio.h>
#include <string.h>

#define DIGITS 16 /* of a digest */

enum { DEVICE, THREADS, ALL, DIGESTS, JSON };

static const struct option options[] = {
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    FIELD(selftest_params, all, "--all",
          .help = "test every generator, distribution, bridge and strategy; compiling takes minutes on some "
                  "devices"),
    OPTION("--digests", NULL, "print lines of item, digest found and digest expected, separated by tabs"),
    OPTION("--json", NULL, "print the report as JSON"),
    OPTIONS_END,
};

struct tally {
    struct document *document;
    int json, digests;
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
    struct document *d = tally->document;
    if (passed) {
        tally->passed++;
    } else if (!tally->failed++) {
        snprintf(tally->first, sizeof tally->first, "%s", item);
    }
    if (tally->digests) {
        print_digests(item, detail);
        return;
    }
    if (detail && *detail)
        document_line(d, "%-4s  %s  (%s)", passed ? "ok" : "FAIL", item, detail);
    else
        document_line(d, "%-4s  %s", passed ? "ok" : "FAIL", item);
    document_open(d, NULL, '{');
    document_text(d, "item", item);
    document_flag(d, "passed", passed);
    document_text(d, "detail", detail ? detail : "");
    document_close(d);
    if (!tally->json) document_flush(d);
}

static void begin(struct document *d, const bailey_device *device)
{
    document_line(d, "device %s: %s, %s", device->address, cli_printable(device->name), device->driver);
    document_text(d, "version", bailey_version());
    document_text(d, "device", device->address);
    document_text(d, "device_name", device->name);
    document_text(d, "driver", device->driver);
    document_open(d, "items", '[');
}

static void end(const struct tally *tally, bailey_status status, int passed)
{
    struct document *d = tally->document;
    document_close(d);
    document_flag(d, "passed", passed);
    document_text(d, "error", status ? bailey_error_message() : "");
    document_number(d, "seconds", cli_elapsed());
    if (passed)
        document_line(d, "%u items passed in %.2f s: this device gives the same bits as all others",
                      tally->passed, cli_elapsed());
    if (!tally->digests) document_print(d, tally->json);
}

static int run(const struct arguments *arguments)
{
    bailey_context *context = NULL;
    bailey_device device;
    struct tally tally = {.digests = arguments->value[DIGESTS] != NULL,
                          .json = arguments->value[JSON] != NULL};
    if (tally.digests && tally.json)
        return cli_error(CLI_USAGE, "--digests and --json cannot be combined: choose one form of the report");
    int code = open_device(arguments, arguments->value[DEVICE], &context, &device);
    if (code) return code;
    tally.document = document_new();
    begin(tally.document, &device);
    if (!tally.json && !tally.digests) document_flush(tally.document);
    bailey_selftest_params params = {.report = report, .report_user = &tally};
    options_read_fields(arguments, "selftest_params", &params);
    bailey_status status = bailey_selftest(context, &params);
    int passed = status == BAILEY_OK && !tally.failed;
    end(&tally, status, passed);
    document_free(tally.document);
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
    .summary = "verify that a device gives the same bits as all others",
    .usage = "[--device D] [--threads N] [--all] [--digests | --json]",
    .about = "Computes words, normals, bridges and prices on a device and compares them with known answers "
             "stored in the\n"
             "library. Prints one line per item. The exit code is 1 if an item fails.",
    .examples = "  bailey selftest\n"
                "  bailey selftest --device cuda:0 --all\n"
                "  bailey selftest --digests\n"
                "      for scripts: scripts/prove compares all devices with it (docs/records/proof.md)\n"
                "  BAILEY_LOG=1 bailey selftest --device opencl\n"
                "      also shows which programs were built, and how long each took\n",
    .options = options,
    .run = run,
};
