/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs that come from texts: shared objects, made by the system's C compiler and kept as other programs
 * are (backend/programs.h).
 */
#ifndef BLY_CPU_PROGRAM_H
#define BLY_CPU_PROGRAM_H

#include "cpu.h"
#include "cpu_groups.h"

#include <backend/backend.h>

struct bly_cpu_library; /* a loaded object */

/* Whether texts can be compiled and loaded: OK, or ERROR_UNSUPPORTED and why. */
bailey_status bly_cpu_text_check(void);

/* Compiles the text, or finds it compiled, for an instruction set with these options of the compiler (ends
 * with NULL), whose rows of 4-byte and of 8-byte lanes it may call. The kernels go to `functions`. `cache` as
 * in backend/cache.h. Fails as `load` of a backend. */
bailey_status bly_cpu_text_load(const char *const *level_options, const struct bly_cpu_kernel *const rows[2],
                                int cache, const struct bly_code *code, bly_cpu_text_function *functions,
                                struct bly_cpu_library **library);
void bly_cpu_library_close(struct bly_cpu_library *library); /* NULL is allowed */

#endif
