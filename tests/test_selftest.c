/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test's judgement (src/host/selftest/selftest.c, which is a part of this file for that).
 */
#define bailey_selftest own_selftest
#define bly_subject_item own_subject_item
#define bly_subject_golden own_subject_golden
#include <host/selftest/selftest.c>

#include "harness.h"

static int passes, items;

static void count_item(void *user, const char *item, int passed, const char *detail)
{
    (void)user, (void)item, (void)detail;
    passes += passed != 0;
    items++;
}

/* An item without a golden value has not passed. */
TEST(unknown_item, DEVICE)
{
    struct selftest test = {.context = context, .params = {.report = count_item}};
    struct bly_subject subject = *bly_subject_at(0);
    passes = items = 0;
    OK(test_subject(&test, &subject, BAILEY_PRECISION_F32, NULL, 0));
    assert_true(items == 1 && passes == 1);
    assert_int_equal(test.status, BAILEY_OK);
    subject.name = "words without a golden value";
    OK(test_subject(&test, &subject, BAILEY_PRECISION_F32, NULL, 0));
    assert_true(items == 2 && passes == 1);
    assert_int_equal(test.status, BAILEY_ERROR_SELFTEST);
    assert_non_null(strstr(test.first_failure, subject.name));
}
