/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A text becomes one text with all that it includes, with one lane per item, and is compiled with the options
 * that results depend on for the library too. The object is loaded from a file without a name where the
 * system has such files, so that no directory needs to allow execution; the file stays open while the object
 * is loaded, as the loader takes two files of one path for the same.
 */
#define _GNU_SOURCE /* MFD_CLOEXEC */
#include "cpu_program.h"

#include <backend/programs.h>
#include <base/alloc.h>
#include <base/dynlib.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FORMAT "bailey cpu program 1" /* changes when the key or the use of objects does */
#define MOST_OPTIONS 30

static const char *const common_options[] = {"-std=gnu11",
                                             "-O3",
                                             "-ffp-contract=off",
                                             "-fno-fast-math",
                                             "-fno-trapping-math",
                                             "-fno-math-errno",
                                             "-fno-strict-aliasing",
                                             "-fvisibility=hidden",
                                             "-fPIC",
                                             "-shared",
                                             "-pipe",
                                             "-w",
                                             NULL};

/* Of gcc, for long code. It compiles in two thirds of the time of -O3 and runs about as fast: the loops that
 * matter are those over paths, which still become vector instructions. 82 derivatives of a basket in Heston's
 * model, gcc 12, AVX-512: 1.35 instead of 2.0 s, and 0.99 and 1.04 times the run time in f64 and f32. */
static const char *const long_options[] = {"-O2",
                                           "-ftree-vectorize",
                                           "-fvect-cost-model=dynamic",
                                           "-fpeel-loops",
                                           "--param=max-completely-peel-times=4",
                                           NULL};

struct bly_cpu_library {
    void *handle;
    int file;                           /* that it is loaded from; -1: one with a name */
    void (**next_item)(void);           /* the object's; NULL where groups have one item */
    const struct bly_cpu_kernel **rows; /* the object's, of both lane widths; NULL where it calls none */
    bly_cpu_text_function entries[];    /* in the order of the code's kernels */
};

/* A program while it is made. */
struct making {
    const struct bly_code *code;
    const char *const *options;
    const struct bly_cpu_kernel *const *rows;
    const char *head; /* what precedes the text */
    char why[512];    /* the object cannot be loaded */
};

/* ---- Loading --------------------------------------------------------------------------------- */

/* Opens the object and finds the entry points. */
static int open_object(struct making *making, struct bly_cpu_library *library, const char *path)
{
    const char *const paths[] = {path, NULL};
    const struct bly_code *code = making->code;
    struct bly_symbol *symbols = calloc(code->kernel_count + 2, sizeof *symbols);
    if (!symbols) return 0;
    for (uint32_t i = 0; i < code->kernel_count; i++)
        symbols[i] = (struct bly_symbol){code->kernels[i].name, (void **)&library->entries[i], 0};
    symbols[code->kernel_count] = (struct bly_symbol){"bly_next_item", (void **)&library->next_item, 1};
    symbols[code->kernel_count + 1] = (struct bly_symbol){"bly_rows", (void **)&library->rows, 1};
    const bailey_status status = bly_dynlib_open(NULL, paths, symbols, code->kernel_count + 2,
                                                 &library->handle, making->why, sizeof making->why);
    free(symbols);
    if (status == BAILEY_OK && library->next_item) *library->next_item = bly_cpu_next_item;
    for (int i = 0; i < 2 && status == BAILEY_OK && library->rows; i++) library->rows[i] = making->rows[i];
    return status == BAILEY_OK;
}

static int open_unnamed(struct making *making, struct bly_cpu_library *library, const void *data, size_t size)
{
#if defined(MFD_CLOEXEC)
    char path[64];
    library->file = memfd_create("bailey", MFD_CLOEXEC);
    if (library->file < 0) return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", library->file);
    if (bly_file_write(library->file, data, size) && open_object(making, library, path)) return 1;
    close(library->file);
    library->file = -1;
#else
    (void)making, (void)library, (void)data, (void)size;
#endif
    return 0;
}

static int open_named(struct making *making, struct bly_cpu_library *library, const void *data, size_t size)
{
    struct bly_folder folder;
    char path[PATH_MAX];
    if (!bly_folder_make(&folder)) return 0;
    const int named = bly_folder_file(&folder, "program.so", path, sizeof path);
    const int file = named ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700) : -1;
    int good = file >= 0 && bly_file_write(file, data, size);
    if (file >= 0) close(file);
    good = good && open_object(making, library, path);
    bly_folder_remove(&folder);
    return good;
}

static void *load_object(void *target, const void *data, size_t size)
{
    struct making *making = target;
    struct bly_cpu_library *library =
        calloc(1, sizeof *library + making->code->kernel_count * sizeof *library->entries);
    if (!library) return NULL;
    library->file = -1;
    if (open_unnamed(making, library, data, size) || open_named(making, library, data, size)) return library;
    free(library);
    return NULL;
}

void bly_cpu_library_close(struct bly_cpu_library *library)
{
    if (!library) return;
    bly_dynlib_close(library->handle);
    if (library->file >= 0) close(library->file);
    free(library);
}

/* ---- Building -------------------------------------------------------------------------------- */

static bailey_status build_object(void *target, void **program, void **object, size_t *object_size)
{
    struct making *making = target;
    const char *name = making->code->name;
    struct bly_text text = {0};
    bly_text_add(&text, "%s", making->head);
    bly_cpu_expand(name, making->code->text, &text);
    const bailey_status status =
        text.failed ? bly_fail(BAILEY_ERROR_MEMORY, "out of memory for program %s", name)
                    : bly_cpu_compile(name, text.data, text.used, making->options, object, object_size);
    bly_free(text.data);
    if (status != BAILEY_OK) return status;
    *program = load_object(making, *object, *object_size);
    if (*program) return BAILEY_OK;
    free(*object);
    *object = NULL;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "cpu cannot load the compiled program %s: %s", name,
                    *making->why ? making->why : "out of memory");
}

/* ---- Programs -------------------------------------------------------------------------------- */

bailey_status bly_cpu_text_check(int cache)
{
    char identity[BLY_CPU_COMPILER_TEXT];
    if (bly_dynlib_is_static())
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "this program is linked statically, so it cannot load compiled code");
    return bly_cpu_compiler_find(cache, identity);
}

static bailey_status check_shape(const struct bly_code *code)
{
    for (uint32_t i = 0; i < code->kernel_count; i++) {
        const struct bly_kernel *kernel = &code->kernels[i];
        if (kernel->block > BLY_CPU_BLOCK_MOST)
            return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s: groups of %u items; the maximum on cpu is %u",
                            kernel->name, (unsigned)kernel->block, BLY_CPU_BLOCK_MOST);
        if (kernel->block > 1 && !bly_cpu_has_groups())
            return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                            "%s: groups of %u items need makecontext, which this system does not have",
                            kernel->name, (unsigned)kernel->block);
        if (kernel->shared_bytes > BLY_CPU_SHARED_MOST)
            return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s: groups share %u bytes; the maximum on cpu is %u",
                            kernel->name, (unsigned)kernel->shared_bytes, (unsigned)BLY_CPU_SHARED_MOST);
    }
    return BAILEY_OK;
}

static bailey_status make(struct making *making, int cache, const char *identity,
                          struct bly_cpu_library **library)
{
    const char *key[MOST_OPTIONS + 8] = {FORMAT, identity, making->head, making->code->text};
    size_t count = 4;
    void *program = NULL;
    for (const char *const *option = making->options; *option; option++) key[count++] = *option;
    const struct bly_wanted wanted = {.backend = "cpu",
                                      .name = making->code->name,
                                      .key = key,
                                      .cache = cache,
                                      .target = making,
                                      .load = load_object,
                                      .build = build_object};
    const bailey_status status = bly_program_make(&wanted, &program);
    *library = program;
    return status;
}

static int is_gcc(const char *identity) { return strstr(identity, "Free Software Foundation") != NULL; }

static int makes_half(const char *identity)
{
    const char *version = strstr(identity, "clang version ");
    return version && atoi(version + strlen("clang version ")) >= 14;
}

int bly_cpu_makes_half(void)
{
    char identity[BLY_CPU_COMPILER_TEXT];
    return bly_cpu_compiler_find(BLY_CACHE_NONE, identity) == BAILEY_OK && makes_half(identity);
}

bailey_status bly_cpu_text_load(const struct bly_cpu_target *target, int cache, const struct bly_code *code,
                                bly_cpu_text_function *functions, struct bly_cpu_library **library)
{
    const char *const *level_options = target->options;
    char identity[BLY_CPU_COMPILER_TEXT];
    const char *options[MOST_OPTIONS + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; common_options[i]; i++) options[count++] = common_options[i];
    while (*level_options && count < MOST_OPTIONS) options[count++] = *level_options++;
    bailey_status status = bly_cpu_text_check(cache);
    if (status == BAILEY_OK) status = bly_cpu_compiler_find(cache, identity);
    for (size_t i = 0; status == BAILEY_OK && code->is_long && is_gcc(identity) && long_options[i]; i++)
        if (count < MOST_OPTIONS) options[count++] = long_options[i];
    if (status == BAILEY_OK && target->runs_half && code->in_half && makes_half(identity))
        options[count++] = "-mavx512fp16";
    if (status == BAILEY_OK) status = check_shape(code);
    if (status != BAILEY_OK) return status;
    struct bly_text head = {0};
    bly_text_add(&head, "#define BAILEY_LANES 1\n#define BLY_BLOCK %u\n#define BLY_SHARED_BYTES %u\n",
                 (unsigned)code->kernels[0].block, (unsigned)bly_code_shared_bytes(code));
    bly_code_define(code, &head);
    struct making making = {.code = code, .options = options, .rows = target->rows, .head = head.data};
    status = head.failed ? bly_fail(BAILEY_ERROR_MEMORY, "out of memory for program %s", code->name)
                         : make(&making, cache, identity, library);
    bly_free(head.data);
    if (status == BAILEY_OK) memcpy(functions, (*library)->entries, code->kernel_count * sizeof *functions);
    return status;
}
