/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Turns Brownian paths into prices of assets, on the host and with the exp of the device headers, so that
 * bits are the same for every device.
 */
#include "paths_request.h"

#include <bailey/device/math.h>

#include <math.h>

/* Beyond, prices are zero or infinite before long. */
#define RATE_MAX 100.0

int prices_read(const struct arguments *a, struct paths_request *r)
{
    static const struct {
        int option;
        const char *why;
    } others[] = {
        {START, "prices start at the file's spots"},
        {END, "prices have no fixed end"},
        {INCREMENTS, "what is written are prices"},
        {COVARIANCE, "the file has the volatilities; --correlation goes with it"},
    };
    int code;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if ((code = options_conflict(a, ASSETS, others[i].option, others[i].why))) return code;
    }
    if (!a->value[RATE]) return cli_error(CLI_USAGE, "--assets needs --rate R");
    if ((code = option_f64(a, RATE, &r->rate)) ||
        (code = assets_read("--assets", a->value[ASSETS], &r->assets)))
        return code;
    if (!(fabs(r->rate) <= RATE_MAX))
        return cli_error(CLI_USAGE, "--rate: %s is outside its limits, -100 to 100", a->value[RATE]);
    for (uint32_t k = 0; k < r->assets.count; k++) {
        const double volatility = r->assets.column[ASSET_VOLATILITY][k];
        const double dividend = r->assets.column[ASSET_DIVIDEND][k];
        if (!(volatility <= RATE_MAX && fabs(dividend) <= RATE_MAX))
            return cli_error(CLI_USAGE, "--assets: %s of asset %u is %g; its limits are %s",
                             volatility <= RATE_MAX ? "the dividend" : "the volatility", (unsigned)k + 1,
                             volatility <= RATE_MAX ? dividend : volatility,
                             volatility <= RATE_MAX ? "-100 to 100" : "0 to 100");
    }
    return CLI_OK;
}

/* Values of one asset at one time, `stride` apart. */
struct row {
    double spot, volatility, drift; /* drift times time */
    uint64_t count, stride;
};

static void row_f32(float *x, const struct row *row)
{
    const float spot = (float)row->spot, volatility = (float)row->volatility, drift = (float)row->drift;
    for (uint64_t i = 0; i < row->count; i++) {
        float *value = x + i * row->stride;
        *value = spot * bailey_exp_f32(bailey_fma_f32(volatility, *value, drift));
    }
}

static void row_f64(double *x, const struct row *row)
{
    for (uint64_t i = 0; i < row->count; i++) {
        double *value = x + i * row->stride;
        *value = row->spot * bailey_exp_f64(bailey_fma_f64(row->volatility, *value, row->drift));
    }
}

/* `count` paths of an array of `row_count` a row. */
static void map_paths(const struct paths_request *r, char *array, uint64_t row_count, uint64_t count)
{
    const int path_major = r->bridge.layout == BAILEY_LAYOUT_PATH_MAJOR;
    for (uint64_t at = 0; at < r->rows; at++) {
        const uint64_t step = at / r->bridge.dims, k = at % r->bridge.dims;
        const double volatility = r->assets.column[ASSET_VOLATILITY][k];
        const double carry = r->rate - r->assets.column[ASSET_DIVIDEND][k];
        const struct row row = {
            .spot = r->assets.column[ASSET_SPOT][k],
            .volatility = volatility,
            .drift = fma(-0.5 * volatility, volatility, carry) * (r->times[step] - r->bridge.start_time),
            .count = count,
            .stride = path_major ? r->rows : 1,
        };
        char *first = array + (path_major ? at : at * row_count) * r->element;
        if (r->bridge.precision == BAILEY_PRECISION_F64)
            row_f64((double *)(void *)first, &row);
        else
            row_f32((float *)(void *)first, &row);
    }
}

void prices_of_paths(const struct paths_request *r, char *array, uint64_t count)
{
    const uint64_t together = 64; /* paths that stay in a cache */
    if (r->bridge.layout == BAILEY_LAYOUT_STEP_MAJOR) {
        map_paths(r, array, count, count);
        return;
    }
    for (uint64_t first = 0; first < count; first += together)
        map_paths(r, array + first * r->rows * r->element, count,
                  count - first < together ? count - first : together);
}
