/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_products.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* clang-format off */
static const struct price_product products[] = {
    {.name = "european", .dims = 1, .steps = 1, .outputs = "price",
     .defaults = {{"dividend", 0}, {"sign", 1}}},
    {.name = "asian", .steps = 12, .outputs = "price,geometric",
     .defaults = {{"dividend", 0}, {"weight", NAN}, {"past_count", 0}, {"past_average", 0}, {"sign", 1}}},
    {.name = "asian-geometric", .steps = 12, .outputs = "price",
     .defaults = {{"dividend", 0}, {"weight", NAN}, {"past_count", 0}, {"past_average", 0}, {"sign", 1}}},
    /* A year of 256 steps, volatilities of 20 %, a correlation of 0.5: GPU Gems 3 gives no numbers. */
    {.name = "asian-max", .dims = 2, .steps = 256, .increments = 1, .normals = 1, .walk = 1, .outputs = "price",
     .defaults = {{"spot_a", 100}, {"spot_b", 100}, {"drift_a", 0.03 / 256}, {"drift_b", 0.03 / 256},
                  {"sigma_aa", 0.0125}, {"sigma_ab", 0.00625}, {"sigma_bb", 0.010825317547305483}}},
    /* A mean volatility of 1 % per step. */
    {.name = "lookback-garch", .dims = 1, .steps = 8, .increments = 1, .normals = 1, .walk = 1,
     .outputs = "price",
     .defaults = {{"spot", 100}, {"drift", 0.0001}, {"volatility", 0.01}, {"shock", 0}, {"a0", 0.000005},
                  {"a1", 0.85}, {"a2", 0.1}}},
    {.name = "barrier", .dims = 1, .steps = 1, .outputs = "price",
     .defaults = {{"dividend", 0}, {"rebate", 0}, {"knock_in", 0}, {"sign", 1}}},
    {.name = "digital", .dims = 1, .steps = 1, .outputs = "price",
     .defaults = {{"dividend", 0}, {"cash", 1}, {"sign", 1}}},
    {.name = "heston", .dims = 2, .steps = 64, .increments = 1, .walk = 1, .outputs = "price",
     .defaults = {{"dividend", 0}, {"sign", 1}}},
    {.name = "adaptive-milstein", .dims = 1, .steps = 1, .levels = 20, .outputs = "price,squared_error,steps",
     .defaults = {{"sign", 1}, {"tolerance", 0.1}}},
};
/* clang-format on */

const struct price_product *price_product(const char *name)
{
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (!strcmp(products[i].name, name)) return &products[i];
    return NULL;
}

const char *price_product_name(size_t index)
{
    return index < sizeof products / sizeof *products ? products[index].name : NULL;
}
