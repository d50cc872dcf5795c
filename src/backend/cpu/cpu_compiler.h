/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The system's C compiler: BAILEY_CC, else cc. It runs as a child under limits (cpu_child.h), and leaves
 * nothing behind. Threads: any.
 */
#ifndef BLY_CPU_COMPILER_H
#define BLY_CPU_COMPILER_H

#include <bailey/bailey.h>

#include <stddef.h>

#define BLY_CPU_COMPILER_TEXT 512

/* Which compiler there is: its name and what it says of its version, asked once per process. Fails with
 * ERROR_UNSUPPORTED, and says what to install or to set. */
bailey_status bly_cpu_compiler_find(char identity[BLY_CPU_COMPILER_TEXT]);

/* Compiles `text`, of `size` bytes, to a shared object with these options (ends with NULL). Its bytes, from
 * malloc, go to *object. Fails with ERROR_BUILD and what the compiler says; `name` is the program's. */
bailey_status bly_cpu_compile(const char *name, const char *text, size_t size, const char *const *options,
                              void **object, size_t *object_size);

#endif
