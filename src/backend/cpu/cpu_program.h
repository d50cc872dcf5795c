/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs that come from texts: shared objects, made by the system's C compiler and cached as other programs
 * are (backend/programs.h).
 */
#ifndef BLY_CPU_PROGRAM_H
#define BLY_CPU_PROGRAM_H

#include "cpu.h"

#include <backend/backend.h>
#include <bailey/bailey.h>
#include <base/text.h>

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Work-groups (cpu_groups.c) -------------------------------------------------------------- */

/* Work-groups of kernels that come from texts (kernels_c/entry_c.h). */

#define BLY_CPU_BLOCK_MOST 1024u               /* items of a group */
#define BLY_CPU_SHARED_MOST ((uint32_t)131072) /* bytes that a group may share */

/* A kernel: runs items first .. last - 1, one after another. */
typedef void (*bly_cpu_text_function)(const void *params, void *const *buffers, uint64_t *shared,
                                      uint64_t first, uint64_t last);

/* A launch of one. */
struct bly_cpu_text_launch {
    bly_cpu_text_function function;
    const void *params;
    void *const *buffers;
    uint32_t block, shared_bytes;
    _Atomic int failed; /* set when there is no memory for a group's items */
};

/* The function that a program calls at a barrier, in groups of several items. */
void bly_cpu_next_item(void);

/* Whether this system can run groups of several items. */
int bly_cpu_has_groups(void);

/* Runs groups first .. last - 1 of the launch, in the calling thread. */
void bly_cpu_run_groups(struct bly_cpu_text_launch *launch, uint64_t first, uint64_t last);

/* ---- Programs (cpu_program.c) ---------------------------------------------------------------- */

struct bly_cpu_library; /* a loaded object */

/* Whether texts can be compiled and loaded: OK, or ERROR_UNSUPPORTED and why. `cache` as in backend/cache.h. */
bailey_status bly_cpu_text_check(int cache);

/* An instruction set: the compiler's options, which end with NULL; the rows of 4-byte and of 8-byte lanes,
 * which texts may call; and whether AVX-512 FP16 may be used. */
struct bly_cpu_target {
    const char *const *options;
    const struct bly_cpu_kernel *const *rows;
    int runs_half;
};

/* Compiles the text, or finds it compiled. The kernels go to `functions`. `cache` as in backend/cache.h.
 * Fails as `load` of a backend. */
bailey_status bly_cpu_text_load(const struct bly_cpu_target *target, int cache, const struct bly_code *code,
                                bly_cpu_text_function *functions, struct bly_cpu_library **library);
/* Whether the compiler makes vectors of half precision: clang 14 or later. */
int bly_cpu_makes_half(void);
void bly_cpu_library_close(struct bly_cpu_library *library); /* NULL is allowed */

/* ---- One text (cpu_expand.c) ----------------------------------------------------------------- */

/* Texts with the embedded headers that they include, as one. */

/* Adds `text`, which messages of compilers call `name`, with every embedded header instead of its
 * #include. Lines keep their numbers (#line). */
void bly_cpu_expand(const char *name, const char *text, struct bly_text *out);

/* ---- The compiler (cpu_compiler.c) ----------------------------------------------------------- */

/* The system's C compiler: BAILEY_CC, else cc. It runs as a child under limits (cpu_child.c), and leaves
 * nothing behind. Threads: any. */

#define BLY_CPU_COMPILER_TEXT 512

/* Which compiler there is: its name and what it says of its version. It is asked once per process, and not at
 * all where `cache` (backend/cache.h) has the answer of the same files. Fails with ERROR_UNSUPPORTED, and says
 * what to install or to set. */
bailey_status bly_cpu_compiler_find(int cache, char identity[BLY_CPU_COMPILER_TEXT]);

/* Compiles `text`, of `size` bytes, to a shared object with these options (ends with NULL). Its bytes, from
 * malloc, go to *object. Fails with ERROR_BUILD and the compiler's message; `name` names the program. */
bailey_status bly_cpu_compile(const char *name, const char *text, size_t size, const char *const *options,
                              void **object, size_t *object_size);

/* ---- Its process (cpu_child.c) --------------------------------------------------------------- */

/* A program that runs as a child under limits: BAILEY_CC_SECONDS in all (300), BAILEY_CC_CPU_SECONDS of the
 * processor (300) and BAILEY_CC_MEMORY MiB (4096) for each of its processes; 0 is not a limit. It ends with
 * this process, and none of the processes that it has started outlives it. Threads: any. */

struct bly_child {
    const char *const *words; /* the program, looked for in PATH, and its arguments; ends with NULL */
    const char *folder;       /* that the program takes for TMPDIR; NULL: as it is */
    int in;                   /* standard input */
    char *said;               /* what it writes to standard output and error, up to size - 1 bytes */
    size_t size;
    const char *limit; /* result: the limit that ended it, as words for a message; or NULL */
};

/* Runs the program to its end. Returns 0, an error number if it cannot be run, or -1 if it fails. */
int bly_cpu_child_run(struct bly_child *child);

/* A file without a name, or -1: for reading and writing, closed on exec. */
int bly_cpu_unnamed_file(void);

/* ---- Its folder (cpu_folder.c) --------------------------------------------------------------- */

/* A private folder for a while, in TMPDIR: bailey-cc-XXXXXX, of mode 0700. The process that made it holds a
 * lock on it, so that what a killed one has left is known, and is removed when the next folder is made.
 * Threads: any. */

struct bly_folder {
    char path[PATH_MAX];
    int lock; /* a descriptor of the folder */
};

/* Returns whether there is one; else errno. */
int bly_folder_make(struct bly_folder *folder);
/* The path of a file in it; 0 and errno if it is too long. */
int bly_folder_file(const struct bly_folder *folder, const char *name, char *path, size_t size);
/* Removes it with the files in it. */
void bly_folder_remove(struct bly_folder *folder);

#endif
