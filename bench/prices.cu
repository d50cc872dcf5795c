/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bench/prices: built-in payoffs against programs of their own, in double, with cuRAND's normals: the same
 * discretised model, written from its description and not from bailey's text. Both are Monte Carlo estimates,
 * so what counts is their distance in combined standard errors. Those with a closed form are tested against
 * that instead (tests/test_payoffs.c).
 *
 *   prices [PATHS]          1,000,000,000 unless given; exit status 1 where a distance is beyond 3
 */
#include <bailey/simulation.h>

#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int block_threads = 128;

void must(bool fine, const char *what, const char *why)
{
    if (fine) return;
    fprintf(stderr, "prices: %s: %s\n", what, why);
    exit(1);
}
void must(cudaError_t status, const char *what) { must(!status, what, cudaGetErrorString(status)); }
void must(bailey_status status, const char *what) { must(!status, what, bailey_error_message()); }

/* ---- The programs -------------------------------------------------------------------------------- */

typedef curandStatePhilox4_32_10_t normals;

constexpr int assets = 3, fixings = 24;
constexpr double basket_correlation = 0.4, basket_rate = 0.05, basket_strike = 100;

/* A call on the mean over the months of two years of the mean of three prices, all 100 today. The correlation
 * is a common normal's. */
struct asian {
    static __device__ double path(normals *state)
    {
        const double dt = 1.0 / 12, common = sqrt(basket_correlation * dt),
                     own = sqrt((1 - basket_correlation) * dt);
        double log_price[assets] = {0, 0, 0}, sum = 0;
        for (int step = 0; step < fixings; step++) {
            const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
            const double z[assets] = {first.y, second.x, second.y};
            for (int d = 0; d < assets; d++) {
                const double v = d == 0 ? 0.2 : d == 1 ? 0.25 : 0.3;
                log_price[d] += (basket_rate - v * v / 2) * dt + v * (common * first.x + own * z[d]);
                sum += 100 * exp(log_price[d]) / assets;
            }
        }
        return exp(-basket_rate * fixings * dt) * fmax(sum / fixings - basket_strike, 0.0);
    }
};

/* GPU Gems 3, listing 37-8. */
constexpr double max_drift = 0.0001, max_aa = 0.0125, max_ab = 0.00625, max_bb = 0.0108;
struct asian_max {
    static __device__ double path(normals *state)
    {
        double a = 100, b = 95, sum = 0;
        for (int step = 0; step < 256; step++) {
            const double2 r = curand_normal2_double(state);
            a *= exp(max_drift + max_aa * r.x);
            b *= exp(max_drift + max_ab * r.x + max_bb * r.y);
            sum += fmax(a, b);
        }
        return fmax(sum / 256 - fmax(a, b), 0.0);
    }
};

/* Listing 37-9. */
constexpr double garch_drift = 0.0001, garch_volatility = 0.01, garch_a0 = 5e-6, garch_a1 = 0.85,
                 garch_a2 = 0.1;
struct lookback_garch {
    static __device__ double path(normals *state)
    {
        double before[8], price = 100, volatility = garch_volatility, shock = 0, sum = 0;
        for (int step = 0; step < 8; step += 2) {
            const double2 pair = curand_normal2_double(state);
            for (int i = 0; i < 2; i++) {
                before[step + i] = price;
                volatility = sqrt(garch_a0 + garch_a1 * volatility * volatility + garch_a2 * shock * shock);
                shock = volatility * (i ? pair.y : pair.x);
                price *= exp(garch_drift + shock);
            }
        }
        for (int step = 0; step < 8; step++) sum += fmax(before[step] - price, 0.0);
        return sum;
    }
};

/* Heston's model by Euler's scheme with full truncation, 50 steps in a year. */
constexpr double heston_rate = 0.03, heston_v0 = 0.04, heston_kappa = 1.5, heston_theta = 0.05,
                 heston_sigma = 0.4, heston_rho = -0.7;
struct heston {
    static __device__ double path(normals *state)
    {
        const double dt = 1.0 / 50, root_dt = sqrt(dt);
        double log_price = 0, v = heston_v0;
        for (int step = 0; step < 50; step++) {
            const double2 z = curand_normal2_double(state);
            const double w = heston_rho * z.x + sqrt(1 - heston_rho * heston_rho) * z.y;
            const double positive = fmax(v, 0.0);
            log_price += (heston_rate - positive / 2) * dt + sqrt(positive) * root_dt * z.x;
            v += heston_kappa * (heston_theta - positive) * dt + heston_sigma * sqrt(positive) * root_dt * w;
        }
        return exp(-heston_rate) * fmax(100 * exp(log_price) - 100, 0.0);
    }
};

/* Two numbers per thread, the sums of its payoffs and of their squares. */
template <class model> __global__ void simulate(unsigned long long paths, double *out)
{
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x,
                             thread = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    normals state;
    double sum = 0, squares = 0;
    curand_init(20040831, thread, 0, &state);
    for (unsigned long long path = thread; path < paths; path += threads) {
        const double value = model::path(&state);
        sum += value;
        squares += value * value;
    }
    out[thread] = sum;
    out[threads + thread] = squares;
}

struct estimate {
    double mean, error;
};

template <class model> estimate other(unsigned long long paths)
{
    int units = 0;
    must(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0), "device");
    const unsigned groups = (unsigned)units * 8, threads = groups * block_threads;
    double *out = nullptr;
    std::vector<double> host(2 * (size_t)threads);
    must(cudaMalloc(&out, host.size() * sizeof(double)), "memory");
    simulate<model><<<groups, block_threads>>>(paths, out);
    must(cudaMemcpy(host.data(), out, host.size() * sizeof(double), cudaMemcpyDeviceToHost),
         "the other program");
    must(cudaFree(out), "memory");
    long double sum = 0, squares = 0;
    for (unsigned i = 0; i < threads; i++) sum += host[i], squares += host[threads + i];
    const long double n = paths, mean = sum / n;
    return {(double)mean, (double)sqrtl((squares / n - mean * mean) / n)};
}

/* ---- bailey -------------------------------------------------------------------------------------- */

struct parameter {
    const char *name;
    std::vector<double> value;
};

struct deal {
    const char *name;
    uint64_t steps;
    double step; /* years; the steps are equal */
    uint32_t dims;
    std::vector<double> covariance;
    bailey_bridge_output output;
    std::vector<parameter> parameters;
    estimate (*other)(unsigned long long paths);
};

estimate ours(bailey_context *context, const deal &d, bailey_precision precision, uint64_t paths)
{
    std::vector<double> times;
    for (uint64_t i = 1; i <= d.steps; i++) times.push_back((double)i * d.step);
    bailey_simulation_params params = {};
    params.path.times = times.data();
    params.path.steps = d.steps;
    params.path.dims = d.dims;
    params.path.covariance = d.covariance.empty() ? nullptr : d.covariance.data();
    params.path.output = d.output;
    params.path.construction = BAILEY_CONSTRUCTION_WALK;
    params.path.precision = precision;
    params.payoff.name = d.name;
    bailey_simulation *simulation = nullptr;
    must(bailey_simulation_create(context, &params, &simulation), d.name);
    for (const parameter &p : d.parameters)
        must(bailey_simulation_set(simulation, p.name, p.value.data(), p.value.size()), p.name);
    bailey_simulation_run_params run = {};
    run.paths = paths;
    run.source.seed = 7;
    bailey_estimate result[BAILEY_SIMULATION_MAX_OUTPUTS];
    must(bailey_simulation_run(simulation, &run, result), d.name);
    bailey_simulation_destroy(simulation);
    return {result[0].mean, result[0].standard_error};
}

bool compare(bailey_context *context, const deal &d, uint64_t paths)
{
    const estimate b = d.other(paths);
    bool fine = true;
    for (const bailey_precision precision : {BAILEY_PRECISION_F32, BAILEY_PRECISION_F64}) {
        const estimate a = ours(context, d, precision, paths);
        const double distance = (a.mean - b.mean) / hypot(a.error, b.error);
        printf("%-16s %s  %.9f +- %.2g   other %.9f +- %.2g   distance %+.2f\n", d.name,
               precision == BAILEY_PRECISION_F64 ? "f64" : "f32", a.mean, a.error, b.mean, b.error, distance);
        fine = fine && fabs(distance) <= 3;
    }
    return fine;
}

} // namespace

int main(int count, char **words)
{
    const uint64_t paths = count > 1 ? strtoull(words[1], nullptr, 10) : UINT64_C(1000000000);
    const double c = basket_correlation;
    const double w = 1.0 / assets;
    const deal deals[] = {
        {"asian",
         fixings,
         1.0 / 12,
         assets,
         {1, c, c, c, 1, c, c, c, 1},
         BAILEY_BRIDGE_OUTPUT_PATHS,
         {{"spot", {100, 100, 100}},
          {"volatility", {0.2, 0.25, 0.3}},
          {"weight", {w, w, w}},
          {"rate", {basket_rate}},
          {"strike", {basket_strike}},
          {"sign", {1}}},
         other<asian>},
        {"asian-max",
         256,
         1,
         2,
         {},
         BAILEY_BRIDGE_OUTPUT_INCREMENTS,
         {{"spot_a", {100}},
          {"spot_b", {95}},
          {"drift_a", {max_drift}},
          {"drift_b", {max_drift}},
          {"sigma_aa", {max_aa}},
          {"sigma_ab", {max_ab}},
          {"sigma_bb", {max_bb}}},
         other<asian_max>},
        {"lookback-garch",
         8,
         1,
         1,
         {},
         BAILEY_BRIDGE_OUTPUT_INCREMENTS,
         {{"spot", {100}},
          {"drift", {garch_drift}},
          {"volatility", {garch_volatility}},
          {"a0", {garch_a0}},
          {"a1", {garch_a1}},
          {"a2", {garch_a2}}},
         other<lookback_garch>},
        {"heston",
         50,
         1.0 / 50,
         2,
         {1, heston_rho, heston_rho, 1},
         BAILEY_BRIDGE_OUTPUT_INCREMENTS,
         {{"spot", {100}},
          {"strike", {100}},
          {"rate", {heston_rate}},
          {"variance", {heston_v0}},
          {"reversion", {heston_kappa}},
          {"mean_variance", {heston_theta}},
          {"sigma", {heston_sigma}},
          {"sign", {1}}},
         other<heston>},
    };
    bailey_context *context = nullptr;
    must(bailey_context_create("cuda", nullptr, &context), "cuda");
    bool fine = true;
    for (const deal &d : deals) fine = compare(context, d, paths) && fine;
    bailey_context_destroy(context);
    return fine ? 0 : 1;
}
