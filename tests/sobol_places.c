/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Point-major Sobol points from a first point inside a tile, item by item as plain C, against the
 * dimension-major ones. The test is what clang's sanitizers say of it: the addresses of the tiles before the
 * first point are none. See sobol_places.sh.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kernels/sobol_items.h>

enum { DIMS = 3, TILE = 6, WIDTH = DIMS << TILE, ROW = WIDTH / 64 * 64 + 64, COUNT = 32, MOST = 5000 };

static uint32_t packed[BAILEY_SOBOL_DIMS * BAILEY_SOBOL_PACKED_WORDS];

static uint32_t *table_of(uint32_t tile)
{
    const bly_sobol_table_params p = {.row = tile ? ROW : 1,
                                      .column = tile ? 1 : BLY_SOBOL_STRIDE,
                                      .dims = DIMS,
                                      .tile = tile,
                                      .count = COUNT};
    uint32_t *table =
        calloc((size_t)ROW * BLY_SOBOL_NUMBERS + (size_t)DIMS * BLY_SOBOL_STRIDE, sizeof *table);
    for (uint32_t d = 0; table && d < DIMS; d++) bly_sobol_table_32_item(p, packed, table, d, 0);
    return table;
}

/* Whether points first .. first + count - 1 are the same in both layouts. */
static int agree(const uint32_t *by_point, const uint32_t *by_dim, uint64_t first, uint64_t count)
{
    uint32_t *points = calloc(DIMS * count, sizeof *points), *dims = calloc(DIMS * count, sizeof *dims);
    bly_sobol_params p = {
        .first = first, .count = count, .table_row = ROW, .dims = DIMS, .width = WIDTH, .tile = TILE};
    const uint64_t rows =
        ((first + count - 1) >> TILE) / BLY_SOBOL_TILES - (first >> TILE) / BLY_SOBOL_TILES + 1;
    int good = points && dims;
    for (uint64_t row = 0; good && row < rows; row++)
        for (uint64_t item = 0; item * BAILEY_PACK32 < WIDTH; item++)
            bly_sobol_point_words_u32_32_item(p, by_point, points, item, row);
    p.out_row = count;
    for (uint64_t row = 0; good && row < DIMS; row++)
        for (uint64_t item = 0; item * BAILEY_PACK32 < count + BLY_SOBOL_ALIGNED; item++)
            bly_sobol_dim_words_u32_32_item(p, by_dim, dims, item, row);
    for (uint64_t i = 0; good && i < DIMS * count; i++) good = points[i] == dims[i % DIMS * count + i / DIMS];
    free(points);
    free(dims);
    return good;
}

int main(void)
{
    static const uint64_t firsts[] = {0, 1, 63, 64, 1000, 2047, 2048, 4097};
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) packed[i] = x = x * 1664525u + 1013904223u;
    uint32_t *by_point = table_of(TILE), *by_dim = table_of(0);
    int failed = !by_point || !by_dim;
    for (size_t i = 0; !failed && i < sizeof firsts / sizeof *firsts; i++)
        for (uint64_t count = 1; !failed && count <= MOST; count = 3 * count + 1) {
            failed = !agree(by_point, by_dim, firsts[i], count);
            if (failed)
                fprintf(stderr, "points %llu + %llu differ\n", (unsigned long long)firsts[i],
                        (unsigned long long)count);
        }
    free(by_point);
    free(by_dim);
    return failed;
}
