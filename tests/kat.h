/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads the known answers of kat/philox4x32_10.txt. BLY_SOURCE_DIR names the root of the sources.
 */
#ifndef KAT_H
#define KAT_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KAT_MOST 16

struct kat {
    size_t count;
    uint32_t counter[KAT_MOST][4], key[KAT_MOST][2], result[KAT_MOST][4];
};

/* Returns 1; 0 where the file cannot be read, a line is not of its form, or there is none. */
static inline int kat_read(struct kat *kat)
{
    char line[256];
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/philox4x32_10.txt", "r");
    int good = file != NULL;
    kat->count = 0;
    while (good && fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n') continue;
        const size_t i = kat->count++;
        int end = 0;
        good = i < KAT_MOST;
        if (!good) break;
        uint32_t *c = kat->counter[i], *k = kat->key[i], *r = kat->result[i];
        good = sscanf(line,
                      "philox4x32 10 %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32
                      " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %n",
                      &c[0], &c[1], &c[2], &c[3], &k[0], &k[1], &r[0], &r[1], &r[2], &r[3], &end) == 10 &&
               line[end] == 0;
    }
    if (file) fclose(file);
    return good && kat->count > 0;
}

#endif
