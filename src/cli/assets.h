/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The assets of a deal, from a CSV file with a heading: name, spot, volatility, dividend, weight in any
 * order. spot and volatility are needed.
 */
#ifndef CLI_ASSETS_H
#define CLI_ASSETS_H

#include "cli.h"

enum { ASSET_NAME, ASSET_SPOT, ASSET_VOLATILITY, ASSET_DIVIDEND, ASSET_WEIGHT, ASSET_COLUMNS };

struct assets {
    uint32_t count;
    int given[ASSET_COLUMNS];                             /* the heading has the column */
    char *name[BAILEY_BRIDGE_MAX_DIMS];                   /* "asset 2" where the file has none */
    double column[ASSET_COLUMNS][BAILEY_BRIDGE_MAX_DIMS]; /* ASSET_NAME's is not used */
};

/* `option` is what named the file. Columns that are not given hold the default: dividend 0, weight
 * 1 / count. assets_free must be called whatever is returned. */
int assets_read(const char *option, const char *path, struct assets *assets);
void assets_free(struct assets *assets);

#endif
