/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Meters of energy, where the platform has them: of a GPU by NVIDIA's management library, the whole board; of
 * the processors by Intel's RAPL, as Linux shows it, whole packages without their memory.
 */
#ifndef CLI_BENCH_ENERGY_H
#define CLI_BENCH_ENERGY_H

#include <bailey/bailey.h>

#include <stddef.h>

struct bench_energy;

/* Of a device, or of the processors if that is NULL. NULL with the reason in `why`. */
struct bench_energy *bench_energy_open(const bailey_device *device, char *why, size_t why_size);
void bench_energy_close(struct bench_energy *meter); /* NULL is allowed */

const char *bench_energy_source(const struct bench_energy *meter); /* "NVML", "RAPL" */

/* Joules since some time in the past; NaN if the meter cannot be read any more. To be asked at least once a
 * minute: those of processors begin anew now and then. */
double bench_energy_joules(struct bench_energy *meter);

#endif
