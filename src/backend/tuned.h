/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether hand-tuned replacements of kernels are used (kernels_cu/tuned, kernels_cl/tuned): they are unless
 * the environment says BAILEY_TUNED=0. Results are the same; the tests compare.
 */
#ifndef BLY_TUNED_H
#define BLY_TUNED_H

#include <stdlib.h>
#include <string.h>

/* Backends ask when a device is opened. */
static inline int bly_tuned_wanted(void)
{
    const char *wanted = getenv("BAILEY_TUNED");
    return !wanted || strcmp(wanted, "0") != 0;
}

#endif
