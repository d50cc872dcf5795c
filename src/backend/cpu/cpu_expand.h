/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Texts with the embedded headers that they include, as one.
 */
#ifndef BLY_CPU_EXPAND_H
#define BLY_CPU_EXPAND_H

#include <base/text.h>

/* Adds `text`, which messages of compilers call `name`, with every embedded header instead of its
 * #include. Lines keep their numbers (#line). */
void bly_cpu_expand(const char *name, const char *text, struct bly_text *out);

#endif
