/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The table of tuned numbers for CUDA devices. Figures are from docs/records/benchmarks.md (H200, compute capability
 * 9.0), where they are not said to be elsewhere.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_internal.h"

/* scratch_words: 16 MiB, which stay in the second cache between the kernel that makes words and the one that
 *   reads them (50 MB on 9.0, 40 MB on 8.0, 4 MB and up on smaller devices, where some of them travel). Other
 *   sizes were not measured.
 * chunk_bytes: enough paths to fill the device several times over. Other sizes were not measured.
 * compile_normals: from here on a price takes 76 ms in memory and 34 on the chip (226 G normals/s against 500
 *   on 9.0). A compiler takes two seconds, but once; then the program is in the cache.
 * z_chunk_bytes, z_chunk_paths: Z near the second cache, and rows long enough for all multiprocessors. Other
 *   sizes were not measured.
 * straight_steps: straight-line code reaches 0.932 (f32) and 0.943 (f64) of a copy with 256 steps; with 1,024
 *   `blocks` reaches 0.919 and 0.931, and straight-line code no longer compiles in about a second.
 * straight_dims: where one item makes all dimensions, straight-line code reaches 0.231 of a copy with 16 of
 *   them in f32, a walk with its stack in shared memory 0.599; in f64 0.308, with vectors 0.585.
 * divided_dims: where items share them out, straight-line code reaches 0.932, 0.930 and 0.643 of a copy with
 *   8, 16 and 32 of them in f32; in f64 0.933, 0.917 and 0.608. More were not measured.
 * copies: of sequences and of points, in f32 and f64, where draws are a function's. Parts of a fill, 64
 *   steps, H200. f32, sequences, 2026-11-23: all rows four times with 4 blocks of 192 threads 0.488 (0.507
 *   of eight times as many paths), with 3 of 256 0.487 (0.500), once with 6 of 128 0.485, eight times with
 *   3 of 256 0.486, with 2 of 384 0.442. Points, 2026-11-22: through the cache 0.388, one copy 0.390 to
 *   0.405, 8 octaves eight times 0.432; 2026-11-23 0.440, all rows four times 0.389. f64, sequences:
 *   through the cache 0.157, 5 octaves eight times with 704 threads 0.403, with 768 0.379 (before rows were
 *   fetched ahead 0.366 and 0.347, of eight times as many paths 0.372 and 0.381), fewer and more threads, 4
 *   octaves and 6 less; points of 32 bits 0.277 with 768, 0.271 with 640. A device that has less memory for
 *   a block reads the table where it is.
 * in_line: the same with draws in line, 2026-11-24. f32, sequences: 0.647 (0.651 of eight times as many
 *   paths); kernels alone, whose weights were parameters: 0.662, with 2 blocks of 384 0.606, four copies
 *   with 4 of 256 0.660, with 4 of 192 0.575. Points: 0.679, all rows eight times 0.598, four times 0.522.
 *   f64, sequences: 0.482 (0.486), 5 octaves 0.474, 1,024 threads 0.466; points 0.399, 768 threads 0.369,
 *   1,024 0.348.
 * code: 128 KB, which the cache of instructions holds: with 123 KB 0.647, of 128 steps with 240 KB 0.328.
 * simulation: as loops and as straight-line code, in f32 and f64. In f32 rows have their sign, twice as many
 *   octaves, for which one block has room. G normals/s, H200, 2026-11-22, without signs. Loop, 3 assets, 24
 *   steps, f32: 2 blocks of 256 with all octaves eight times 498 (Philox) and 581 (Sobol), 512 threads 481 and
 *   560. Straight-line, 64 steps, f32: 1,024 threads with all octaves 464 and 524, with 8
 *   octaves 440 and 510, 512 threads 405 and 440, 3 blocks of 256 with 8 octaves 407 and 494, 6 of 128 354
 *   and 398. f64: 1,024 threads with 4 octaves 218 and 198, 512 with 6 octaves 194 and 178. Powers of two
 *   alone, since a group's sum is a tree.
 * copies_rows: a group's copy takes about as long as ten rows. Not measured.
 * copies_part: what has fewer items reaches more multiprocessors in small blocks. Not measured.
 * block: rows are compiled for 256 (BLY_BLOCK of kernels_cu/entry_cu.h); a driver may allow fewer.
 * least_block, blocks_per_unit, idle_part: so that a small launch reaches every multiprocessor, and few of
 *   its threads idle. Not measured apart. */
static const struct bly_cuda_tuning table[] = {
    {.capability = 0,
     .host = {.scratch_words = UINT64_C(1) << 22,
              .chunk_bytes = UINT64_C(512) << 20,
              .compile_normals = UINT64_C(1) << 34,
              .z_chunk_bytes = UINT64_C(64) << 20,
              .z_chunk_paths = 65536,
              .straight_steps = 256,
              .straight_dims = 8,
              .divided_dims = 32,
              .copies = {{{192, 4, 4, 32, 1, 56 << 10}, {704, 1, 8, 5, 1, 227 << 10}},
                         {{256, 3, 8, 8, 1, 75 << 10}, {768, 1, 8, 5, 1, 227 << 10}}},
              .in_line = {{{256, 3, 8, 32, 1, 75 << 10}, {704, 1, 8, 7, 1, 227 << 10}},
                          {{256, 3, 8, 8, 1, 75 << 10}, {704, 1, 8, 5, 1, 227 << 10}}},
              .code = 8192,
              .simulation = {{{512, 1, 8, 64, 1, 227 << 10}, {1024, 1, 8, 4, 1, 227 << 10}},
                             {{1024, 1, 8, 64, 1, 227 << 10}, {1024, 1, 8, 4, 1, 227 << 10}}},
              .copies_rows = 16},
     .block = 256,
     .least_block = 64,
     .blocks_per_unit = 4,
     .copies_part = 2,
     .idle_part = 8},
};

const struct bly_cuda_tuning *bly_cuda_tuning_of(unsigned capability)
{
    const struct bly_cuda_tuning *tuning = table;
    while (tuning->capability > capability) tuning++;
    return tuning;
}

#else

typedef int bly_cuda_tuning_is_empty; /* ISO C wants a declaration in every file */

#endif
