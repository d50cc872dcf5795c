/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy's array files (of --normals, and the output), version 1.0: three-dimensional arrays of little-endian
 * float or double, C order.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include <stddef.h>
#include <stdint.h>

#define NPY_HEADER_MAX 256

/* Writes the header of an array of elements of 4 or 8 bytes; returns its length, a multiple of 64. */
size_t npy_header(char header[NPY_HEADER_MAX], unsigned element, const uint64_t shape[3]);

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
