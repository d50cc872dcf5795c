/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Files of comma-separated values (src/cli/io/csv.c, src/cli/options/assets.c). The first byte of a case says
 * what the rest is read as.
 */
#include "fuzz_program.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_times(const char *path, const int64_t *valuation)
{
    double *values;
    uint64_t count;
    const int code = csv_times("--times", path, 0, valuation, 100, &values, &count);
    FUZZ_REQUIRE(code || (count > 0 && count <= 100 && values[0] > 0));
    for (uint64_t i = 1; !code && i < count; i++)
        FUZZ_REQUIRE(values[i] > values[i - 1] && isfinite(values[i]));
    free(values);
}

static void read_order(const char *path)
{
    enum { COUNT = 9 };
    uint32_t *values, seen = 0;
    const int code = csv_order("--order", path, COUNT, &values);
    FUZZ_REQUIRE(code || values);
    for (int i = 0; !code && i < COUNT; i++) seen |= UINT32_C(1) << values[i];
    FUZZ_REQUIRE(code || seen == (UINT32_C(2) << COUNT) - 2);
    free(values);
}

static void read_matrix(const char *path, const char *const *names)
{
    double *values = NULL;
    uint64_t dims = 0;
    const int code = csv_square("--correlation", path, names, names ? 3 : 0, &values, &dims);
    FUZZ_REQUIRE(code || (dims > 0 && dims <= BAILEY_BRIDGE_MAX_DIMS));
    for (uint64_t i = 0; !code && i < dims * dims; i++) FUZZ_REQUIRE(isfinite(values[i]));
    free(values);
}

static void read_assets(const char *path)
{
    struct assets assets;
    const int code = assets_read("--assets", path, &assets);
    FUZZ_REQUIRE(code || (assets.count > 0 && assets_names(&assets)));
    for (uint32_t i = 0; !code && i < assets.count; i++)
        FUZZ_REQUIRE(assets.column[ASSET_SPOT][i] > 0 && isfinite(assets.column[ASSET_VOLATILITY][i]));
    assets_free(&assets);
}

static void read_rows(const char *path)
{
    struct csv csv;
    int code = csv_open(&csv, "--rows", path);
    while (!code && !(code = csv_next(&csv)) && csv.fields) {
        double value;
        csv_trim(&csv, 2);
        for (size_t i = 0; i < csv.fields; i++)
            if (csv_number(&csv, i, "value", &value) == CLI_OK) FUZZ_REQUIRE(isfinite(value));
    }
    csv_close(&csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"A", "B", "C", NULL};
    static const int64_t valuation = 20455; /* 2026-01-02 */
    fuzz_listen();
    if (!size) return 0;
    const char *path = fuzz_file(data + 1, size - 1);
    switch (data[0]) {
    case 't': read_times(path, NULL); break;
    case 'd': read_times(path, &valuation); break;
    case 'o': read_order(path); break;
    case 'm': read_matrix(path, NULL); break;
    case 'n': read_matrix(path, names); break;
    case 'a': read_assets(path); break;
    default: read_rows(path);
    }
    return 0;
}
