/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The counter of steps.h: what -fsanitize-coverage=trace-pc calls in each basic block, and what the linker
 * substitutes for functions of the C library (--wrap).
 */
#include "steps.h"

#include <stddef.h>
#include <string.h>

#define STEP_BYTES 16

uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { steps++; }

/* The function as the linker calls it, and the library's own. */
#define WRAP(type, function, parameters, arguments, bytes)                                                   \
    type __real_##function parameters;                                                                       \
    type __wrap_##function parameters;                                                                       \
    type __wrap_##function parameters                                                                        \
    {                                                                                                        \
        steps += (bytes) / STEP_BYTES;                                                                       \
        return __real_##function arguments;                                                                  \
    }

size_t __real_strlen(const char *text);

WRAP(void *, memcpy, (void *to, const void *from, size_t count), (to, from, count), count)
WRAP(void *, memmove, (void *to, const void *from, size_t count), (to, from, count), count)
WRAP(void *, memset, (void *to, int byte, size_t count), (to, byte, count), count)
WRAP(int, memcmp, (const void *a, const void *b, size_t count), (a, b, count), count)
WRAP(size_t, strlen, (const char *text), (text), __real_strlen(text))

/* As far as they search. */
#define WRAP_SEARCH(type, function, parameters, arguments, from, all)                                        \
    type __real_##function parameters;                                                                       \
    type __wrap_##function parameters;                                                                       \
    type __wrap_##function parameters                                                                        \
    {                                                                                                        \
        type found = __real_##function arguments;                                                            \
        steps += (found ? (size_t)((const char *)found - (const char *)from) : (all)) / STEP_BYTES;          \
        return found;                                                                                        \
    }

WRAP_SEARCH(void *, memchr, (const void *in, int byte, size_t count), (in, byte, count), in, count)
WRAP_SEARCH(char *, strchr, (const char *in, int byte), (in, byte), in, __real_strlen(in))
