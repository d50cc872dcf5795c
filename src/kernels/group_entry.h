/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The entry points of the language that is compiled, for programs that are given as source at run time.
 */
#ifndef BLY_KERNELS_ENTRY_H
#define BLY_KERNELS_ENTRY_H

#include "bailey/device/dialect.h"

#if defined(BAILEY_IS_OPENCL)
#include "kernels_cl/entry_cl.h"
#elif defined(BAILEY_IS_CUDA)
#include "kernels_cu/entry_cu.h"
#else
#include "kernels_c/entry_c.h"
#endif

#endif
