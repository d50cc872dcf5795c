/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stand-in for libnvidia-ml.so.1, and for what bench_energy.c asks of libcuda.so.1: two devices, which CUDA
 * counts the other way round. Each reading of the one at 0A has 1.5 J more than the last; the one at 0B has
 * no meter. CUDA knows neither a third nor where a fourth is. BLY_STUB_NVML_INIT: what nvmlInit_v2 returns;
 * BLY_STUB_NVML_DEVICES: how many devices it counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int cuDeviceGet(int *device, int number);
int cuDeviceGetPCIBusId(char *pci, int size, int device);

static unsigned long long energies[2] = {5000, 0};
static int opened;

static int asked(const char *name, int usual)
{
    const char *value = getenv(name);
    return value ? atoi(value) : usual;
}

int nvmlInit_v2(void)
{
    opened++;
    return asked("BLY_STUB_NVML_INIT", 0);
}

int nvmlShutdown(void) { return --opened; }

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = (unsigned)asked("BLY_STUB_NVML_DEVICES", 2);
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = &energies[index];
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device)
{
    if (!strcmp(pci, "0000:0A:00.0")) return nvmlDeviceGetHandleByIndex_v2(0, device);
    if (!strcmp(pci, "0000:0B:00.0")) return nvmlDeviceGetHandleByIndex_v2(1, device);
    return 6;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    unsigned long long *energy = device;
    if (!opened || energy != &energies[0]) return 3;
    *millijoules = *energy += 1500;
    return 0;
}

int cuDeviceGet(int *device, int number)
{
    *device = number;
    return number < 2 || number == 3 ? 0 : 101;
}

int cuDeviceGetPCIBusId(char *pci, int size, int device)
{
    snprintf(pci, (size_t)size, "0000:%s:00.0", device == 1 ? "0A" : device == 0 ? "0B" : "0C");
    return 0;
}
