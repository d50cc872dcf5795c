/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Descriptions of structs (bailey/describe.h): what they say agrees with itself, and checks go by it. That no
 * struct, field, offset or constant of the headers is missing or different is tested from Python, which reads
 * the headers (python/tests/test_records.py).
 */
#include <bailey/american.h>
#include <bailey/describe.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

/* ---- Tables ---------------------------------------------------------------------------------------- */

static void check_choices(const bailey_record *r, const bailey_field *f)
{
    if (f->type == BAILEY_FIELD_TYPE_CHOICE && (!f->choice_count || !f->prefix))
        fail_msg("%s.%s has no choices", r->name, f->name);
    for (uint32_t i = 1; i < f->choice_count; i++)
        if (!(f->choices[i].value > f->choices[i - 1].value))
            fail_msg("%s.%s: choice %u is out of order", r->name, f->name, i);
}

static void check_field(const bailey_record *r, const bailey_field *f)
{
    if (!*f->summary) fail_msg("%s.%s has no summary", r->name, f->name);
    if (f->summary[strlen(f->summary) - 1] == '.')
        fail_msg("%s.%s: summary ends with a stop", r->name, f->name);
    if (f->type == BAILEY_FIELD_TYPE_RECORD && !bailey_describe(f->record))
        fail_msg("%s.%s: there is no record %s", r->name, f->name, f->record);
    if (f->range.low > f->range.high) fail_msg("%s.%s has an empty range", r->name, f->name);
    if (!f->needed && !f->output && f->default_value != 0 &&
        bailey_field_check(f, NULL, f->default_value) != BAILEY_OK)
        fail_msg("%s.%s: its default is refused: %s", r->name, f->name, bailey_error_message());
    if (!f->needed && !f->pointer && f->type <= BAILEY_FIELD_TYPE_CHOICE && !r->result &&
        bailey_field_check(f, NULL, 0) != BAILEY_OK)
        fail_msg("%s.%s: 0 is refused, and it is not needed: %s", r->name, f->name, bailey_error_message());
    check_choices(r, f);
}

TEST(fields_agree_with_themselves, HOST)
{
    size_t count = 0;
    for (const bailey_record *r; (r = bailey_describe_at(count)) != NULL; count++) {
        uint32_t end = 0;
        assert_ptr_equal(bailey_describe(r->name), r);
        if (r->summary[strlen(r->summary) - 1] != '.') fail_msg("%s: summary has no stop", r->name);
        for (uint32_t i = 0; i < r->field_count; i++) {
            const bailey_field *f = &r->fields[i];
            if (f->offset < end) fail_msg("%s.%s is out of order", r->name, f->name);
            end = f->offset + f->size;
            check_field(r, f);
            assert_ptr_equal(bailey_record_field(r, f->name), f);
        }
        assert_int_equal(r->size, (end + 7) / 8 * 8 + 4 * sizeof(uint64_t)); /* reserved */
    }
    assert_true(count > 3);
    assert_null(bailey_describe("bailey_no_such"));
    assert_null(bailey_describe(NULL));
    assert_ptr_equal(bailey_describe("bailey_american_params"), bailey_describe("american_params"));
}

/* ---- Words ----------------------------------------------------------------------------------------- */

static const char *limits(const char *record, const char *field)
{
    static char text[400];
    const uint64_t length =
        bailey_field_limits(bailey_record_field(bailey_describe(record), field), text, sizeof text);
    assert_int_equal(length, strlen(text));
    return text;
}

TEST(limits_are_words, HOST)
{
    char small[5];
    assert_string_equal(limits("american_params", "assets"), "from 1 to 16; default 1");
    assert_string_equal(limits("american_params", "spot"), "positive");
    assert_string_equal(limits("american_params", "inner_paths"), "from 2 to 2^20; default 128");
    assert_string_equal(limits("american_params", "policy_paths"), "from 2 to 2^38; default 65536");
    assert_string_equal(limits("american_params", "antithetic"), "0 or 1");
    assert_string_equal(limits("normal_params", "precision"), "f32 or f64; default f32");
    assert_string_equal(limits("source", "word_bits"), "32 or 64; default 32");
    assert_int_equal(
        bailey_field_limits(bailey_record_field(bailey_describe("source"), "word_bits"), small, sizeof small),
        20);
    assert_string_equal(small, "32 o");
    assert_int_equal(bailey_field_limits(NULL, small, sizeof small), 0);
}

/* ---- Checks ---------------------------------------------------------------------------------------- */

static void refused(const char *record, const char *field, double value, const char *text)
{
    const bailey_field *f = bailey_record_field(bailey_describe(record), field);
    assert_int_equal(bailey_field_check(f, NULL, value), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), text);
    assert_string_equal(bailey_error_argument(), field);
}

TEST(numbers_are_checked, HOST)
{
    refused("american_params", "assets", 17, "assets is 17, not from 1 to 16; 0 means 1");
    refused("american_params", "assets", 1.5, "assets is 1.5, not an integer");
    refused("american_params", "strike", 0, "strike is 0, not positive and at most 3.40282e+38");
    refused("american_params", "strike", NAN, "strike is nan, not positive and at most 3.40282e+38");
    refused("american_params", "inner_paths", 1, "inner_paths is 1, not from 2 to 2^20; 0 means 128");
    refused("job_params", "checkpoint_seconds", -1, "checkpoint_seconds is -1, not at least 0; 0 means 60");
    refused("american_params", "antithetic", 2, "antithetic is 2, not 0 or 1");
    refused("normal_params", "precision", 2, "precision is 2, not f32 or f64");
    const bailey_field *rate = bailey_record_field(bailey_describe("american_params"), "rate");
    assert_int_equal(bailey_field_check(rate, "--rate", 101), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "--rate is 101, not from -100 to 100");
}

TEST(structs_are_checked, HOST)
{
    const double spot[2] = {100, 0}, times[1] = {1}, one[2] = {0.2, 0.2};
    bailey_american_params p = {.type = BAILEY_OPTION_TYPE_CALL,
                                .assets = 2,
                                .spot = spot,
                                .volatility = one,
                                .strike = 100,
                                .exercise_times = times,
                                .exercise_count = 1,
                                .paths = 2};
    const bailey_record *r = bailey_describe("american_params");
    assert_int_equal(bailey_record_check(r, &p), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "spot[1] is 0, not positive");
    p.assets = 0; /* 1, so that the second price is not read */
    assert_int_equal(bailey_record_check(r, &p), BAILEY_OK);
    p.volatility = NULL;
    assert_int_equal(bailey_record_check(r, &p), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "volatility is NULL");
    p.volatility = one, p.source.generator = (bailey_generator)99;
    assert_int_equal(bailey_record_check(r, &p), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "generator");
}
