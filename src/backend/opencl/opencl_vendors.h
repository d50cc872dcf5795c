/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which drivers the OpenCL loader was told to open. The loader itself does not say why one is missing.
 */
#ifndef BLY_OPENCL_VENDORS_H
#define BLY_OPENCL_VENDORS_H

#include <stddef.h>

/* Lists them, "libpocl.so.2 (/etc/OpenCL/vendors/pocl.icd), ...", or says where none is named. */
void bly_cl_vendors_list(char *text, size_t size);

/* Says why the loader found no platform; opens the drivers to see which cannot be. */
void bly_cl_vendors_explain(char *why, size_t size);

#endif
