/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * main.c in C++17.
 */
#include <bailey/bailey.hpp>

#include <cstdio>

int main()
{
    try {
        std::vector<std::uint32_t> word(1);
        bailey::words(bailey::context("cpu"), bailey::source(42), word);
        std::printf("bailey %s: %08lx\n", bailey_version(), static_cast<unsigned long>(word[0]));
    } catch (const bailey::error &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
