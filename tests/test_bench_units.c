/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parts of the benchmarks that their rows do not prove: multilevel Monte Carlo in plain C, which also checks
 * the library, and meters of energy.
 */
#define _XOPEN_SOURCE 700

#include <bench_energy.c>

#include <bench_plain.h>

#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

/* ---- Multilevel Monte Carlo in plain C ---- */

/* Closed forms, checked by quadrature; the Asian option by Vecer's equation, to 2e-5. */
static const double exact[PLAIN_OPTIONS] = {10.4505835722, 5.76309, 17.2168022374, 53.2324815454,
                                            9.9492703086};

static struct plain_mlmc run(struct bench_host *host, int option, int is_double, double eps, uint64_t seed,
                             uint64_t first_samples)
{
    struct plain_mlmc m = {.host = host,
                           .option = (enum plain_option)option,
                           .is_double = is_double,
                           .eps = eps,
                           .first_samples = first_samples,
                           .min_level = 2,
                           .max_level = 10,
                           .seed = seed};
    assert_int_equal(plain_mlmc_run(&m), BAILEY_OK);
    return m;
}

/* The root-mean-square error over 20 seeds is at most 1.5 eps, and the mean is within 1.1 eps: half of it may
 * be bias, and four standard errors of the mean are 0.8 eps. Both are wide, as the vector functions that the
 * loops call have other last bits on other processors. */
TEST(prices, HOST)
{
    struct bench_host *host;
    assert_int_equal(bench_host_create(2, &host), 0);
    for (int i = 0; i < 2 * PLAIN_OPTIONS; i++) {
        const double eps = 0.03;
        double sum = 0, squares = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const struct plain_mlmc m = run(host, i / 2, i % 2, eps, 100 * seed, 1000);
            assert_int_equal(m.converged, 1);
            sum += (m.value - exact[i / 2]) / eps / 20;
            squares += (m.value - exact[i / 2]) * (m.value - exact[i / 2]) / (eps * eps) / 20;
        }
        assert_true(fabs(sum) < 1.1);
        assert_true(sqrt(squares) < 1.5);
    }
    bench_host_destroy(host);
}

/* M. Giles, "CUDA implementation of MLMC on NVIDIA GPUs", MCM 2025: the European call at eps = 0.005, a run
 * whose numbers are multiples of 32. Ours are means of 20 runs, from as many first samples as let variances
 * be estimated: an estimate that is too large has its samples all the same. */
TEST(samples_of_the_talk, HOST)
{
    static const double talk[] = {11894784, 233472, 88064, 32768, 12032};
    double means[PLAIN_MAX_LEVELS] = {0}, cost = 0;
    struct bench_host *host;
    assert_int_equal(bench_host_create(2, &host), 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct plain_mlmc m = run(host, PLAIN_EUROPEAN, 0, 0.005, 100 * seed, 10000);
        assert_true(m.levels >= 8);
        for (unsigned l = 0; l < m.levels; l++) means[l] += (double)m.samples[l] / 20;
        cost += m.cost / 20;
    }
    assert_true(cost > 1.3e7 && cost < 1.8e7);
    for (int l = 0; l < 5; l++) assert_true(fabs(means[l] / talk[l] - 1) < (l ? 0.05 : 0.01));
    bench_host_destroy(host);
}

TEST(no_convergence, HOST)
{
    struct bench_host *host;
    assert_int_equal(bench_host_create(1, &host), 0);
    struct plain_mlmc m = {.host = host,
                           .option = PLAIN_LOOKBACK,
                           .eps = 0.05,
                           .first_samples = 1000,
                           .min_level = 2,
                           .max_level = 3};
    assert_int_equal(plain_mlmc_run(&m), BAILEY_OK);
    assert_int_equal(m.converged, 0);
    assert_int_equal(m.levels, 4);
    bench_host_destroy(host);
}

/* ---- Energy ---- */

static bailey_device device_of(const char *address, const char *name)
{
    bailey_device device = {.kind = BAILEY_DEVICE_KIND_GPU};
    snprintf(device.address, sizeof device.address, "%s", address);
    snprintf(device.name, sizeof device.name, "%s", name);
    return device;
}

static void refused(const char *address, const char *name, const char *why_not)
{
    char why[200] = "";
    const bailey_device device = device_of(address, name);
    assert_null(bench_energy_open(&device, why, sizeof why));
    assert_non_null(strstr(why, why_not));
}

static void measured(const char *address, const char *name)
{
    char why[200] = "";
    const bailey_device device = device_of(address, name);
    struct bench_energy *meter = bench_energy_open(&device, why, sizeof why);
    assert_non_null(meter);
    assert_string_equal(bench_energy_source(meter), "NVML");
    const double before = bench_energy_joules(meter);
    assert_true(fabs(bench_energy_joules(meter) - before - 1.5) < 1e-9);
    bench_energy_close(meter);
}

TEST(energy_of_gpus, HOST)
{
    setenv("BAILEY_CUDA_LIBRARY", BENCH_NVML, 1);
    measured("cuda:1", "NVIDIA H200");
    refused("cuda:0", "NVIDIA H200", "NVML has no energy of this device");
    refused("cuda", "NVIDIA H200", "NVML has no energy of this device");
    refused("cuda:2", "NVIDIA H200", "does not say where cuda:2 is");
    refused("cuda:3", "NVIDIA H200", "NVML does not know 0000:0C:00.0");
    refused("opencl:0:0", "NVIDIA H200", "cannot be told");
    setenv("BLY_STUB_NVML_DEVICES", "1", 1);
    measured("opencl:0:0", "NVIDIA H200");
    refused("opencl:0:0", "gfx90a", "cannot be told");
    setenv("BLY_STUB_NVML_INIT", "9", 1);
    refused("cuda:1", "NVIDIA H200", "nvmlInit_v2: 9");
    unsetenv("BLY_STUB_NVML_INIT");
    unsetenv("BLY_STUB_NVML_DEVICES");
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    refused("cuda:1", "NVIDIA H200", "/nonexistent");
    unsetenv("BAILEY_CUDA_LIBRARY");
}

static void write_number(const char *path, const char *number)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(number, file) >= 0);
    fclose(file);
}

TEST(energy_of_processors, HOST)
{
    char why[200] = "", folder[] = "/tmp/bailey-energy-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_null(bench_energy_open(NULL, why, sizeof why));
    assert_string_equal(why, "no powercap/intel-rapl:0 that can be read");
    assert_int_equal(mkdir("powercap", 0700) | mkdir("powercap/intel-rapl:0", 0700) |
                         mkdir("powercap/intel-rapl:1", 0700),
                     0);
    write_number("powercap/intel-rapl:0/max_energy_range_uj", "10000000\n");
    write_number("powercap/intel-rapl:1/max_energy_range_uj", "10000000\n");
    write_number("powercap/intel-rapl:0/energy_uj", "9000000\n");
    write_number("powercap/intel-rapl:1/energy_uj", "500\n");
    struct bench_energy *meter = bench_energy_open(NULL, why, sizeof why);
    assert_non_null(meter);
    assert_string_equal(bench_energy_source(meter), "RAPL");
    assert_true(fabs(bench_energy_joules(meter)) < 1e-9);
    write_number("powercap/intel-rapl:0/energy_uj", "2000000\n"); /* it began anew */
    write_number("powercap/intel-rapl:1/energy_uj", "1000500\n");
    assert_true(fabs(bench_energy_joules(meter) - 4) < 1e-9);
    assert_int_equal(remove("powercap/intel-rapl:1/energy_uj"), 0);
    assert_true(isnan(bench_energy_joules(meter)));
    bench_energy_close(meter);
    remove("powercap/intel-rapl:0/energy_uj");
    remove("powercap/intel-rapl:0/max_energy_range_uj");
    remove("powercap/intel-rapl:1/max_energy_range_uj");
    rmdir("powercap/intel-rapl:0");
    rmdir("powercap/intel-rapl:1");
    rmdir("powercap");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}
