/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The hand-tuned replacements of OpenCL kernels: as kernels_cu/tuned/tuned_cu.h.
 *
 * There are none yet. A row that gets one is looked up where opencl_program.c writes the program of a row
 * (write_source), which the key of the program covers.
 */
#ifndef BLY_TUNED_CL_H
#define BLY_TUNED_CL_H

#define BLY_TUNED_CL(X)

#endif
