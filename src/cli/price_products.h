/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The library's built-in payoffs, as the program offers them: the paths that their code asks for
 * (bailey_payoff_describe).
 */
#ifndef CLI_PRICE_PRODUCTS_H
#define CLI_PRICE_PRODUCTS_H

#include <bailey/description.h>

#include <stddef.h>
#include <stdint.h>

struct price_product {
    const char *name;
    uint32_t dims; /* of the path; 0: any number */
    uint64_t steps;
    int increments;  /* what x[] is */
    int normals;     /* times are 1, 2, 3, ..., and x[] the normals of a step */
    int walk;        /* the construction, unless points are wanted */
    uint64_t levels; /* of a path that is a motion */
    const char *outputs;
    const bailey_description *description; /* NULL of what is not a simulation */
    uint64_t listed;                       /* dimensions that lists of numbers had; 0: no list was given */
};

/* The path that a payoff's code asks for; `outputs` keeps the names, and the description has to stay. */
#define PRICE_OUTPUTS_MAX 256
void price_product_of(const bailey_description *description, char outputs[PRICE_OUTPUTS_MAX],
                      struct price_product *product);

/* NULL of a name that none has. */
const struct price_product *price_product(const char *name);
/* The name of product number `index`, and what its code says of it; NULL beyond the last. */
const char *price_product_name(size_t index);
const bailey_description *price_product_description(size_t index);

#endif
