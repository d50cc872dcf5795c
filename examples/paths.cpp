/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * paths.c in C++17: 1000 Brownian paths on 64 equal steps to time 1; prints the ends of five.
 */
#include <bailey/bailey.hpp>

#include <cstdio>

int main()
{
    constexpr std::size_t steps = 64, paths = 1000;
    std::vector<double> times;
    for (std::size_t i = 1; i <= steps; i++) times.push_back(double(i) / steps);
    try {
        const bailey::context context;
        const bailey::bridge bridge(context, times);
        bailey::buffer buffer(context, bridge.x_size(paths) * sizeof(float));
        bridge.paths(bailey::source(42), 0, paths, buffer);
        const std::vector<float> x = buffer.read<float>(); // [step][path]; one dimension
        for (std::size_t p = 0; p < 5; p++)
            std::printf("path %zu ends at %g\n", p, double(x[(steps - 1) * paths + p]));
    } catch (const bailey::error &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
