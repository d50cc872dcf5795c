/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of results: the device under test, poisoned buffers, comparisons of bits.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "test.h"

#include <bailey/advanced.h>

/* Those under test. */
extern bailey_context *context;
extern bailey_device device;

/* The tables of the inverse CDF, for the device functions as C. */
#define TABLE_F32 ((const float *)bailey_normal_table_data(BAILEY_PRECISION_F32, NULL))
#define TABLE_F64 ((const double *)bailey_normal_table_data(BAILEY_PRECISION_F64, NULL))

/* How many there are; they count from 0. */
enum {
#define ONE(...) +1
    GENERATORS = 0 BAILEY_GENERATOR_LIST(ONE),
    DISTRIBUTIONS = 0 BAILEY_DISTRIBUTION_LIST(ONE)
#undef ONE
};

/* Fails the test with the library's message unless `call` is OK. */
#define OK(call)                                                                                             \
    do {                                                                                                     \
        const bailey_status status_ = (call);                                                                \
        if (status_ != BAILEY_OK)                                                                            \
            fail_msg("%s: %s: %s", #call, bailey_status_name(status_), bailey_error_message());              \
    } while (0)

static inline void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) fail_msg("out of memory for %zu bytes", bytes);
    return memory;
}

/* A poisoned device buffer with guard words after its `bytes`. */
#define GUARD_BYTES 256
#define POISON 0xA5

static inline bailey_buffer *poisoned(uint64_t bytes)
{
    bailey_buffer *buffer = NULL;
    unsigned char *poison = allocate(bytes + GUARD_BYTES);
    memset(poison, POISON, bytes + GUARD_BYTES);
    OK(bailey_buffer_create(context, bytes + GUARD_BYTES, &buffer));
    OK(bailey_buffer_write(buffer, 0, poison, bytes + GUARD_BYTES));
    free(poison);
    return buffer;
}

/* The first `bytes` of a buffer made by poisoned(), which is destroyed; fails if a guard was touched. */
static inline void *harvest(bailey_buffer *buffer, uint64_t bytes)
{
    unsigned char *data = allocate(bytes + GUARD_BYTES);
    OK(bailey_buffer_read(buffer, 0, data, bytes + GUARD_BYTES));
    for (uint64_t i = bytes; i < bytes + GUARD_BYTES; i++)
        if (data[i] != POISON)
            fail_msg("byte %llu past the end was written", (unsigned long long)(i - bytes));
    bailey_buffer_destroy(buffer);
    return data;
}

/* Fails at the first element that differs. */
static inline void same_bits(const char *what, const void *found, const void *expected, uint64_t count,
                             size_t element)
{
    const unsigned char *a = found, *b = expected;
    for (uint64_t i = 0; i < count; i++)
        if (memcmp(a + i * element, b + i * element, element) != 0) {
            unsigned long long x = 0, y = 0;
            memcpy(&x, a + i * element, element);
            memcpy(&y, b + i * element, element);
            fail_msg("%s: element %llu of %llu is %0*llx, expected %0*llx", what, (unsigned long long)i,
                     (unsigned long long)count, (int)element * 2, x, (int)element * 2, y);
        }
}

/* A small generator for test cases: SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline double next_uniform(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

static inline void random_permutation(uint64_t *state, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) order[i] = i + 1;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = (uint32_t)(next_random(state) % i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* Compilers of OpenCL's processors take a second or more for a program. Each kind of program is met once
 * there in all tests; the others are BAILEY_TEST_LARGE's, and what the host does is tested on cpu. */
static inline int few_programs(void)
{
    return strncmp(device.address, "opencl", 6) == 0 && device.kind != BAILEY_DEVICE_KIND_GPU &&
           !getenv("BAILEY_TEST_LARGE");
}

#endif
