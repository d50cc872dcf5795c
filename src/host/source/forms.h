/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers of a source, in rows: what words, normals, other distributions and bridges share.
 */
#ifndef BLY_FORMS_H
#define BLY_FORMS_H

#include <host/internal.h>
#include <kernels/fill.h>

/* Which elements of a source, and where they go: row r, below `rows`, is elements first + r row_elements .. +
 * count - 1, and element i of them goes to element out_offset + r out_row + i out_stride of `out`. Where
 * there are several rows, row_elements is a multiple of 2^14, and `out` adopts no host memory. */
struct bly_place {
    uint64_t first, count;
    uint64_t rows, row_elements;
    bailey_buffer *out;
    uint64_t out_offset, out_row, out_stride;
};

/* Elements first .. first + count - 1, one after the other. */
static inline struct bly_place bly_one_row(uint64_t first, uint64_t count, bailey_buffer *out,
                                           uint64_t out_offset)
{
    return (struct bly_place){
        .first = first, .count = count, .rows = 1, .out = out, .out_offset = out_offset, .out_stride = 1};
}

/* Checks what one row of numbers of `words_each` words asks for, and that `out` holds it. */
bailey_status bly_check_request(bailey_context *context, const bailey_source *source, uint64_t words_each,
                                const struct bly_place *place, uint64_t element);

/* Checks that the device can make words of the source, which has been checked. */
bailey_status bly_check_device(const bailey_context *context, const bailey_source *source);

/* Numbers that `kernel` makes of words of `bits` bits, which pass through scratch memory. `constants` are the
 * form's own; its place is filled in here. Everything has been checked. */
bailey_status bly_make_form(bailey_context *context, const bailey_source *source,
                            const struct bly_kernel *kernel, const bly_form_params *constants, uint32_t bits,
                            const struct bly_place *place);

/* Normals of `precision`, drawn as `draw` says: by the kernel that makes them of the source directly, where
 * there is one, else from words in memory. Everything has been checked. */
bailey_status bly_make_normals(bailey_context *context, const bailey_source *source, enum bly_draw draw,
                               bailey_precision precision, const struct bly_place *place);

#endif
