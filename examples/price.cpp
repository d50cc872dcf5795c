/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A price and its Greeks in C++17, with progress on the way; then a mistake, and what is said of it.
 *
 *     example_price_cpp [DEVICE]
 */
#include <bailey/bailey.hpp>

#include <cstdio>

static void price(const bailey::context &context)
{
    const std::vector<double> times = {0.25, 0.5, 0.75, 1};
    bailey::simulation asian(context, times, bailey::builtin("asian"));
    asian.set("spot", 100).set("weight", 1).set("strike", 100).set("rate", 0.05).set("volatility", 0.2);

    bailey_simulation_run_params run{};
    run.source = bailey::source(42);
    run.paths = 1 << 18;
    std::uint64_t paths = 0;
    const bailey_estimate e = asian.run(run, [&](std::uint64_t done, std::uint64_t) {
        paths = done;
        return false; // true would stop it
    })[0];
    std::printf("price: %.5f +- %.5f, of %llu paths\n", e.mean, e.standard_error,
                static_cast<unsigned long long>(paths));

    const char *const spots[] = {"spot"}, *const volatilities[] = {"volatility"};
    bailey_greeks_params which{};
    which.spots = spots, which.spot_count = 1;
    which.volatilities = volatilities, which.volatility_count = 1;
    which.rate = "rate";
    for (const bailey_greek_estimate &g : asian.greeks(run, which))
        std::printf("%s: %.5f +- %.5f\n", bailey_greek_name(g.kind), g.mean, g.standard_error);
}

int main(int count, char **words)
{
    try {
        const bailey::context context(count > 1 ? words[1] : nullptr);
        price(context);
        bailey::simulation(context, std::vector<double>{2, 1}, bailey::builtin("european"));
    } catch (const bailey::error &e) {
        std::printf("refused: %s (argument: %s)\n", e.what(), e.argument().c_str());
        return e.argument() != "times";
    }
    return 1;
}
