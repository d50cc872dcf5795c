/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The programs that an object has had made from its code, each for one variant of a run: written, compiled
 * and loaded when a run first needs it. The context keeps them for other objects with the same code
 * (host/program.c).
 */
#ifndef BLY_RUN_VARIANT_H
#define BLY_RUN_VARIANT_H

#include <base/text.h>
#include <host/internal.h>

struct bly_variant;

struct bly_variants {
    bailey_context *context;
    const char *object; /* "simulation": what errors and digests are of */
    struct bly_variant *first;
};

/* The program for a variant, compared by its `size` bytes; NULL if there is none yet. */
struct bly_cached *bly_variants_find(const struct bly_variants *variants, const void *variant, size_t size);

/* Makes one of `text`, which is freed in any case, and of what `code` says besides; it is the object's until
 * bly_variants_free. Returns: OK, ERROR_MEMORY, or what the backend's load returns. */
bailey_status bly_variants_make(struct bly_variants *variants, const void *variant, size_t size,
                                struct bly_text *text, struct bly_code code, struct bly_cached **cached);

void bly_variants_free(struct bly_variants *variants);

/* Whether the context's device compiles: OK, ERROR_UNSUPPORTED, ERROR_BUILD. */
bailey_status bly_check_compiler(const bailey_context *context);

#endif
