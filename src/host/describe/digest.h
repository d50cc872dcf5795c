/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a run is, by the records of its structs: two structs have the same digest if what they say comes to
 * the same bits. All fields count, nested structs and arrays too, but for the short list in digest.c: one
 * that is added to a struct is in the digest by itself. Numbers are added one by one, with their names, since
 * structs have padding; 0 is what it stands for, and a choice its word.
 */
#ifndef BLY_DESCRIBE_DIGEST_H
#define BLY_DESCRIBE_DIGEST_H

#include "records.h"

#include <base/hash.h>

/* Adds a struct that has been checked. `sizes` may be NULL. */
void bly_record_digest(struct bly_hash *hash, const bailey_record *record, const void *values,
                       const struct bly_size *sizes);
/* All at once. */
void bly_record_digest_of(const bailey_record *record, const void *values, uint8_t digest[BLY_DIGEST_BYTES]);

/* Of what makes the normals. */
void bly_source_digest(const bailey_source *source, const bailey_normal_params *normal,
                       uint8_t digest[BLY_DIGEST_BYTES]);

/* Whether a field is none of that. */
int bly_record_leaves_out(const bailey_record *record, const bailey_field *field);

#endif
