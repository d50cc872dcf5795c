/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Meters of energy, where the platform has them: of a GPU by NVIDIA's management library, the whole board; of
 * the processors by Intel's RAPL, as Linux shows it, whole packages without their memory.
 */
#include "bench_peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PACKAGES 16

/* Tests have others. */
#ifndef BENCH_NVML
#define BENCH_NVML "libnvidia-ml.so.1"
#endif
#ifndef BENCH_POWERCAP
#define BENCH_POWERCAP "/sys/class/powercap"
#endif

/* nvml.h's and cuda.h's interfaces as their manuals give them: handles are pointers, 0 is success. */
struct nvml {
    void *library, *device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned *count);
    int (*by_index)(unsigned index, void **device);
    int (*by_address)(const char *pci, void **device);
    int (*energy)(void *device, unsigned long long *millijoules);
};

struct package {
    char path[64];
    double last, most, joules; /* of the counter: what it was, where it begins anew; what it has counted */
};

struct bench_energy {
    struct nvml nvml; /* library NULL: processors */
    struct package package[MOST_PACKAGES];
    unsigned packages;
};

/* ---- NVIDIA's ---- */

/* The address on the bus of CUDA's device `number`, which may be another one of the management library's. */
static int find_pci(int number, char *pci, int size, char *why, size_t why_size)
{
    int (*get)(int *device, int number) = NULL, (*address)(char *pci, int size, int device) = NULL, device;
    const struct dynamic_symbol symbols[] = {{"cuDeviceGet", (void **)&get},
                                             {"cuDeviceGetPCIBusId", (void **)&address}};
    void *library = dynamic_driver(symbols, sizeof symbols / sizeof *symbols, why, why_size);
    if (!library) return 0;
    const int found = !get(&device, number) && !address(pci, size, device);
    if (!found) snprintf(why, why_size, "the driver does not say where cuda:%d is", number);
    dynamic_close(library);
    return found;
}

static int nvml_open(struct nvml *nvml, char *why, size_t why_size)
{
    static const char *const names[] = {BENCH_NVML, NULL};
    const struct dynamic_symbol symbols[] = {
        {"nvmlInit_v2", (void **)&nvml->init},
        {"nvmlShutdown", (void **)&nvml->shutdown},
        {"nvmlDeviceGetCount_v2", (void **)&nvml->count},
        {"nvmlDeviceGetHandleByIndex_v2", (void **)&nvml->by_index},
        {"nvmlDeviceGetHandleByPciBusId_v2", (void **)&nvml->by_address},
        {"nvmlDeviceGetTotalEnergyConsumption", (void **)&nvml->energy},
    };
    nvml->library = dynamic_open(names, symbols, sizeof symbols / sizeof *symbols, why, why_size);
    if (!nvml->library) return 0;
    const int error = nvml->init();
    if (!error) return 1;
    snprintf(why, why_size, "nvmlInit_v2: %d", error);
    dynamic_close(nvml->library);
    nvml->library = NULL;
    return 0;
}

static void nvml_close(struct nvml *nvml)
{
    if (!nvml->library) return;
    nvml->shutdown();
    dynamic_close(nvml->library);
}

/* OpenCL's devices have no address in common with NVIDIA's: only where there is one of them. */
static int nvml_choose(struct nvml *nvml, const bailey_device *device, char *why, size_t why_size)
{
    char pci[32];
    unsigned count = 0;
    if (!strncmp(device->address, "cuda", 4)) {
        const int number = device->address[4] ? atoi(device->address + 5) : 0;
        if (!find_pci(number, pci, sizeof pci, why, why_size)) return 0;
        if (!nvml->by_address(pci, &nvml->device)) return 1;
        snprintf(why, why_size, "NVML does not know %s", pci);
        return 0;
    }
    snprintf(why, why_size, "which of NVML's devices %s is cannot be told", device->address);
    return strstr(device->name, "NVIDIA") && !nvml->count(&count) && count == 1 &&
           !nvml->by_index(0, &nvml->device);
}

/* ---- Processors' ---- */

static int read_number(const char *path, double *value)
{
    FILE *file = fopen(path, "r");
    const int read = file && fscanf(file, "%lf", value) == 1;
    if (file) fclose(file);
    return read;
}

static int rapl_open(struct bench_energy *meter, char *why, size_t why_size)
{
    for (unsigned i = 0; i < MOST_PACKAGES; i++) {
        struct package *p = &meter->package[meter->packages];
        char most[80];
        snprintf(p->path, sizeof p->path, BENCH_POWERCAP "/intel-rapl:%u/energy_uj", i);
        snprintf(most, sizeof most, BENCH_POWERCAP "/intel-rapl:%u/max_energy_range_uj", i);
        if (read_number(p->path, &p->last) && read_number(most, &p->most)) meter->packages++;
    }
    if (!meter->packages) snprintf(why, why_size, "no " BENCH_POWERCAP "/intel-rapl:0 that can be read");
    return meter->packages > 0;
}

static double rapl_joules(struct bench_energy *meter)
{
    double sum = 0;
    for (unsigned i = 0; i < meter->packages; i++) {
        struct package *p = &meter->package[i];
        double now;
        if (!read_number(p->path, &now)) return NAN;
        p->joules += 1e-6 * (now < p->last ? now + p->most - p->last : now - p->last);
        p->last = now;
        sum += p->joules;
    }
    return sum;
}

/* ---- Both ---- */

static int choose(struct bench_energy *meter, const bailey_device *device, char *why, size_t why_size)
{
    if (!device || device->kind == BAILEY_DEVICE_KIND_CPU) return rapl_open(meter, why, why_size);
    return nvml_open(&meter->nvml, why, why_size) && nvml_choose(&meter->nvml, device, why, why_size);
}

struct bench_energy *bench_energy_open(const bailey_device *device, char *why, size_t why_size)
{
    struct bench_energy *meter = calloc(1, sizeof *meter);
    snprintf(why, why_size, "not enough memory");
    if (meter && choose(meter, device, why, why_size) && isfinite(bench_energy_joules(meter))) return meter;
    if (meter && meter->nvml.device) snprintf(why, why_size, "NVML has no energy of this device");
    bench_energy_close(meter);
    return NULL;
}

void bench_energy_close(struct bench_energy *meter)
{
    if (meter) nvml_close(&meter->nvml);
    free(meter);
}

const char *bench_energy_source(const struct bench_energy *meter)
{
    return meter->nvml.library ? "NVML" : "RAPL";
}

double bench_energy_joules(struct bench_energy *meter)
{
    unsigned long long millijoules;
    if (!meter->nvml.library) return rapl_joules(meter);
    return meter->nvml.energy(meter->nvml.device, &millijoules) ? NAN : 1e-3 * (double)millijoules;
}
