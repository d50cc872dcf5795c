/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The library's built-in payoffs, as the program offers them: what they are given unless the options say
 * otherwise. What they pay is in their texts (bailey_payoff_builtin).
 */
#ifndef CLI_PRICE_PRODUCTS_H
#define CLI_PRICE_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

#define PRICE_DEFAULTS 8

/* A parameter with a default. */
struct price_default {
    const char *name;
    double value; /* NaN: 1 / dims */
};

struct price_product {
    const char *name;
    uint32_t dims; /* of the path; 0: any number */
    uint64_t steps;
    int increments;  /* what x[] is */
    int normals;     /* times are 1, 2, 3, ..., and x[] the normals of a step */
    int walk;        /* the construction, unless points are wanted */
    uint64_t levels; /* of a path that is a motion */
    const char *outputs;
    struct price_default defaults[PRICE_DEFAULTS]; /* up to the first without a name */
};

/* NULL of a name that none has. */
const struct price_product *price_product(const char *name);
/* The name of product number `index`; NULL beyond the last. */
const char *price_product_name(size_t index);

#endif
