/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Documents, which the program prints as text and as JSON.
 */
#include <bailey/american.h>
#include <bailey/mlmc.h>
#include <cli/io/io.h>

#include <math.h>
#include <unistd.h>

#include "test.h"

/* As JSON in one line. */
static void same_json(const struct document *d, const char *wanted)
{
    struct json_line line = {0};
    document_append(d, &line);
    assert_int_equal(line.used, strlen(wanted) + 1); /* a line feed */
    assert_memory_equal(line.text, wanted, line.used - 1);
    free(line.text);
}

/* What text has in front of standard output is taken to the file, and back. */
static void same_text(struct document *d, const char *wanted)
{
    char path[300], text[1000] = "";
    snprintf(path, sizeof path, "%s/file", test_folder());
    fflush(stdout);
    const int before = dup(1);
    assert_non_null(freopen(path, "w", stdout));
    document_print(d, 0);
    fflush(stdout);
    dup2(before, 1);
    close(before);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, wanted);
}

TEST(documents, HOST)
{
    static const struct column columns[] = {{NULL, "row", FORM_PLAIN, 3, NULL},
                                            {"a.b", "b", FORM_ROUGH, 6, "-"},
                                            {"word", "word", FORM_PLAIN, -5, NULL},
                                            {0}};
    struct document *d = document_new();
    struct item *mean = document_number(d, "mean", 0.1);
    document_show(d, mean, "price", FORM_MONEY)->error = document_number(d, "standard_error", NAN);
    document_show(d, document_count(d, "paths", UINT64_MAX), "paths", FORM_PLAIN);
    document_line(d, "a line of %d", 7);
    document_text(d, "name", "\"\\\n\x80 \xc3\xa9");
    document_number(d, "hex", 1)->form = FORM_EXACT;
    document_open(d, "rows", '[')->columns = columns;
    for (int i = 0; i < 2; i++) {
        document_open(d, NULL, '{');
        document_open(d, "a", '{');
        document_number(d, "b", i ? 1.23456 : INFINITY);
        document_close(d);
        document_text(d, "word", i ? "yes" : NULL);
        document_close(d);
    }
    document_close(d);
    document_flag(d, "last", 1);
    same_json(
        d,
        "{\"mean\": 0.1, \"standard_error\": null, \"paths\": 18446744073709551615, "
        "\"name\": \"\\\"\\\\\\u000a\\ufffd \xc3\xa9\", \"hex\": \"0x1p+0\", "
        "\"rows\": [{\"a\": {\"b\": null}, \"word\": null}, {\"a\": {\"b\": 1.23456}, \"word\": \"yes\"}], "
        "\"last\": true}");
    same_text(d, "  price                            0.10000000  +- not known\n"
                 "  paths                      18,446,744,073,709,551,615\n"
                 "a line of 7\n"
                 "  row       b  word\n"
                 "    0       -  not known\n"
                 "    1   1.235  yes\n");
    document_clear(d);
    same_json(d, "{}");
    document_free(d);
}

/* Defaults stand in their places, words for choices, arrays as long as the struct says. */
TEST(documents_of_records, HOST)
{
    bailey_mlmc_run_params run = {.eps = 0.5, .max_level = 7};
    bailey_mlmc_result result = {.mean = 1, .levels = 2, .reason = BAILEY_MLMC_REASON_BIAS};
    const double spot[] = {1, 2};
    const bailey_american_params option = {.assets = 2, .spot = spot};
    struct document *d = document_new();
    document_fields(d, "mlmc_run_params", &run, "eps bias_share min_level max_level alpha schedule progress");
    same_json(d, "{\"eps\": 0.5, \"bias_share\": 0.25, \"min_level\": 2, \"max_level\": 7, \"alpha\": null, "
                 "\"schedule\": \"batched\"}");
    document_clear(d);
    document_fields(d, "mlmc_result", &result, "mean converged reason level");
    same_json(d, "{\"mean\": 1, \"converged\": false, \"reason\": \"bias\", \"level\": ["
                 "{\"samples\": 0, \"cost\": 0, \"mean\": 0, \"variance\": 0}, "
                 "{\"samples\": 0, \"cost\": 0, \"mean\": 0, \"variance\": 0}]}");
    document_clear(d);
    document_fields(d, "american_params", &option, "spot dividend");
    same_json(d, "{\"spot\": [1, 2], \"dividend\": []}");
    document_free(d);
    /* without memory nothing is added, and nothing breaks */
    document_show(NULL, document_number(NULL, "mean", 1), "price", FORM_MONEY);
    document_record(NULL, "result", "mlmc_result", &result);
    document_warn(NULL, "%s", "no memory for the report");
    struct json_line line = {0};
    document_append(NULL, &line);
    assert_true(line.failed && !line.used);
}
