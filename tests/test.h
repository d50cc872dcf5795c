/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How a test is written. All tests in C are one program, bailey_tests, in which each registers itself:
 *
 *     TEST(jumps_add_up, HOST) { assert_int_equal(...); }
 *     TEST(transfers, DEVICE) { OK(bailey_words_generate(context, ...)); }
 *
 * CTest learns their names from the program and runs each in a separate process: FILE.TEST, and on a device
 * FILE.TEST.cpu, .opencl, .cuda. FILE is the source's name without test_ and .c, and `scripts/test FILE.TEST`
 * runs the tests with such names. No test may rely on another that ran before it.
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The needs of a test; | joins them. On a device, harness.h's `context` and `device` are those under test. */
enum test_needs {
    HOST = 0,
    ON_CPU = 1,
    ON_OPENCL = 2,
    ON_CUDA = 4,
    DEVICE = ON_CPU | ON_OPENCL | ON_CUDA,
    LONG = 8,            /* runs where BAILEY_TEST_LONG is set */
    LONG_ON_OPENCL = 16, /* the same with OpenCL, whose compilers take a second for a program */
    IN_SETTINGS = 32,    /* only in settings of CMakeLists.txt (bailey_setting) */
    PART = 64,           /* what a test runs in a separate process: test_program FILE.PART */
    REPEATED_ON_OPENCL = 128, /* long there, and not in .ci/run: with the same bits it shows what it shows on cpu */
};

typedef int test_fixture(void **state); /* cmocka's: 0, or the test fails */

struct test {
    const char *file, *name;
    int line;
    unsigned needs;
    void (*run)(void);
    struct test *next;
};
struct test_file {
    const char *file;
    test_fixture *before, *after;
    struct test_file *next;
};

/* test.c's; what is added must live on. */
void test_add(struct test *test);
void test_add_file(struct test_file *file);
extern int test_skipped;
extern const char *test_program; /* argv[0] */
const char *test_folder(void);   /* an empty one of the test, which is removed when it ends */

#define TEST(function, what)                                                                                 \
    static void function(void);                                                                              \
    __attribute__((constructor)) static void function##_is_a_test(void)                                      \
    {                                                                                                        \
        static struct test added = {__BASE_FILE__, #function, __LINE__, what, function, NULL};               \
        test_add(&added);                                                                                    \
    }                                                                                                        \
    static void function(void)

/* Functions that run before and after each test of the file; NULL for none. */
#define FIXTURE(before, after)                                                                               \
    __attribute__((constructor)) static void has_a_fixture(void)                                             \
    {                                                                                                        \
        static struct test_file added = {__BASE_FILE__, before, after, NULL};                                \
        test_add_file(&added);                                                                               \
    }

/* A test that ends so is one that CTest calls skipped. */
#undef skip
#define skip() (test_skipped = 1, _skip(__FILE__, __LINE__))

#endif
