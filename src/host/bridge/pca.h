/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges that are built by principal components.
 */
#ifndef BLY_PCA_HOST_H
#define BLY_PCA_HOST_H

#include "bridge_internal.h"

/* Makes the records: the matrix and the base of kernels/pca_items.h, in the bridge's precision. The times have been
 * checked. Returns OK, ERROR_MEMORY, ERROR_INVALID (entries outside single precision). */
bailey_status bly_pca_keep(bailey_bridge *bridge, const bailey_bridge_params *params);

/* As bly_bridge_find_kernel: normals always come from memory. */
bailey_status bly_pca_find_kernel(const bailey_bridge *bridge, int draw, struct bly_bridge_launch *launch);

/* Builds the paths of `p` from `z`. */
bailey_status bly_pca_build(const bailey_bridge *bridge, const bly_bridge_params *p, bailey_buffer *z,
                            bailey_buffer *x);

#endif
