/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether numbers look like standard normals where nothing is known that they must equal.
 */
#ifndef CLI_MOMENTS_H
#define CLI_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

/* Floats (element 4) or doubles (8): finite, and with a mean and a variance that independent standard normals
 * miss with a probability below 5e-9, however few they are. False with the reason in `why`. */
int moments_good(const void *values, uint64_t count, size_t element, char *why, size_t why_size);

#endif
