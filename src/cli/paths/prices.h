/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices of assets from Brownian paths: S(t) = spot exp((rate - dividend - volatility^2 / 2) t + volatility
 * X(t)), one dimension per asset, t from the start. In the paths' precision, on the host, so the bits
 * are the same for every device.
 */
#ifndef CLI_PRICES_H
#define CLI_PRICES_H

#include "paths_request.h"

/* The options that go with --assets, which is given. Prints what is wrong, returns an exit code. */
int prices_read(const struct arguments *arguments, struct paths_request *request);

/* Replaces `count` paths, an array of the request's layout, by the prices. */
void prices_of_paths(const struct paths_request *request, char *array, uint64_t count);

#endif
