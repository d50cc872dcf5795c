/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy's array files (of --normals, and the output), version 1.0: arrays of little-endian numbers, C order.
 * What is read has three dimensions of float or double.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include <stddef.h>
#include <stdint.h>

#define NPY_HEADER_MAX 256

/* Writes the header of an array of `axes` (1 to 4) dimensions of "<f4", "<f8", "<u4" or "<u8"; returns its
 * length, a multiple of 64. */
size_t npy_header(char header[NPY_HEADER_MAX], const char *type, const uint64_t *shape, unsigned axes);

struct npy {
    const char *path;
    int file;
    unsigned element; /* 4 or 8 */
    uint64_t shape[3];
    uint64_t data; /* offset of the first element */
};

/* Reads and checks the header and the length of the file. Prints what is wrong, returns an exit code. */
int npy_open(struct npy *npy, const char *path);
/* Elements offset .. offset + count - 1. */
int npy_read(const struct npy *npy, uint64_t offset, void *elements, uint64_t count);
void npy_close(struct npy *npy);

#endif
