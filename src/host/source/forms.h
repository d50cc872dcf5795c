/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers made of words that pass through memory: what normals and other distributions share.
 */
#ifndef BLY_FORMS_H
#define BLY_FORMS_H

#include <host/internal.h>
#include <kernels/fill.h>

/* The words that `normal` asks for. */
bailey_random_params bly_words_of(const bailey_normal_params *normal);

/* Checks what numbers of `words_each` words ask for, and that `out` holds `count` of them. */
bailey_status bly_check_request(bailey_context *context, const bailey_random_params *random,
                                uint64_t words_each, uint64_t count, const bailey_buffer *out,
                                uint64_t out_offset, uint64_t element);

/* Numbers random->offset .. + count - 1 of `precision` that `kernel` makes of words, which pass through
 * scratch memory. `constants` are the form's own; its place is filled in here. Everything has been checked.
 */
bailey_status bly_make_form(bailey_context *context, const bailey_random_params *random,
                            const struct bly_kernel *kernel, const bly_form_params *constants,
                            bailey_precision precision, uint64_t count, bailey_buffer *out,
                            uint64_t out_offset);

#endif
