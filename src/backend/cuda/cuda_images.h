/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA kernels as embedded by cmake/BaileyCuda.cmake.
 */
#ifndef BLY_CUDA_IMAGES_H
#define BLY_CUDA_IMAGES_H

/* One fat binary, of one file of src/kernels_cu or its folder tuned. */
struct bly_cuda_image {
    const char *name;
    const unsigned char *begin, *end;
};

/* Ends with an entry of NULL. */
extern const struct bly_cuda_image bly_cuda_images[];

/* By row (backend/rows.h), the number of the image that holds its kernel. */
extern const unsigned char bly_cuda_image_of[];

/* By row, plus 1, the number of the image with its tuned replacement (kernels_cu/tuned/tuned_cu.h); 0: it has
 * none. */
extern const unsigned char bly_cuda_tuned_image_of[];

/* 75, 80, ...: the compute capabilities, times 10, that have machine code, in rising order; ends with 0.
 * The first one's PTX is there too. */
extern const unsigned bly_cuda_architectures[];

#endif
