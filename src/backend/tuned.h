/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether hand-tuned replacements of kernels are used (kernels_cu/tuned, kernels_cl/tuned, and bridges that
 * copy the table of the inverse CDF): where they are faster, unless the environment says BAILEY_TUNED=0. With
 * BAILEY_TUNED=1 they are used wherever they run, for devices and requests too that they do not help for.
 * Results are the same; the tests compare.
 */
#ifndef BLY_TUNED_H
#define BLY_TUNED_H

#include <stdlib.h>
#include <string.h>

enum bly_tuned { BLY_TUNED_NEVER, BLY_TUNED_WHERE_IT_PAYS, BLY_TUNED_ALWAYS };

/* Backends ask when a device is opened. */
static inline enum bly_tuned bly_tuned_wanted(void)
{
    const char *wanted = getenv("BAILEY_TUNED");
    if (wanted && strcmp(wanted, "0") == 0) return BLY_TUNED_NEVER;
    return wanted && strcmp(wanted, "1") == 0 ? BLY_TUNED_ALWAYS : BLY_TUNED_WHERE_IT_PAYS;
}

#endif
