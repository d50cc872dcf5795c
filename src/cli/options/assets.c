/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads the assets of a basket from a CSV file, columns by their names.
 */
#include "options.h"

#include <cli/io/io.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const column_names[] = {"name", "spot", "volatility", "dividend", "weight", NULL};

static int read_heading(const struct csv *csv, struct assets *assets, int *column_of)
{
    for (size_t i = 0; i < csv->fields; i++) {
        int column = 0;
        while (column < ASSET_COLUMNS && strcasecmp(csv->field[i], column_names[column])) column++;
        if (column == ASSET_COLUMNS) {
            const char *nearest = cli_nearest(csv->field[i], column_names);
            return csv_error(
                csv,
                "unknown column '%.60s'%s%s%s; the columns are name, spot, volatility, dividend, "
                "weight",
                csv->field[i], nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
        }
        if (assets->given[column]) return csv_error(csv, "column %s occurs twice", column_names[column]);
        assets->given[column] = 1;
        column_of[i] = column;
    }
    for (int column = ASSET_SPOT; column <= ASSET_VOLATILITY; column++) {
        if (!assets->given[column])
            return csv_error(csv, "column %s is missing from the header row", column_names[column]);
    }
    return CLI_OK;
}

/* `name` may be NULL or empty. */
static int keep_name(struct assets *assets, const char *name)
{
    char number[24];
    snprintf(number, sizeof number, "asset %u", (unsigned)assets->count + 1);
    if (!name || !*name) name = number;
    char *copy = malloc(strlen(name) + 1);
    if (!copy) return cli_memory_error("the name of an asset", strlen(name) + 1);
    assets->name[assets->count] = strcpy(copy, name);
    return CLI_OK;
}

static int read_asset(const struct csv *csv, struct assets *assets, const int *column_of, size_t columns)
{
    const char *name = NULL;
    int code;
    if (csv->fields != columns)
        return csv_error(csv, "%zu fields, but the header row has %zu", csv->fields, columns);
    if (assets->count == BAILEY_BRIDGE_MAX_DIMS)
        return csv_error(csv, "more than %u assets", BAILEY_BRIDGE_MAX_DIMS);
    for (size_t i = 0; i < columns; i++) {
        int column = column_of[i];
        if (column == ASSET_NAME) {
            name = csv->field[i];
            continue;
        }
        double *value = &assets->column[column][assets->count];
        if ((code = csv_number(csv, i, column_names[column], value))) return code;
        if (column == ASSET_SPOT && !(*value > 0))
            return csv_error(csv, "spot %s is not positive", csv->field[i]);
        if (column == ASSET_WEIGHT && *value == 0)
            return csv_error(csv, "weight %s is not allowed; leave the asset out", csv->field[i]);
        if (column == ASSET_VOLATILITY && *value < 0)
            return csv_error(csv, "volatility %s is negative", csv->field[i]);
    }
    for (uint32_t k = 0; k < assets->count && name && *name; k++)
        if (!strcmp(assets->name[k], name)) return csv_error(csv, "the name '%.60s' occurs twice", name);
    if ((code = keep_name(assets, name))) return code;
    assets->count++;
    return CLI_OK;
}

static int read_rows(struct csv *csv, struct assets *assets)
{
    int column_of[ASSET_COLUMNS] = {0};
    int code = csv_next(csv);
    if (code) return code;
    if (!csv->fields)
        return cli_error(CLI_USAGE, "%s: %s is empty; a header row with spot and volatility is required",
                         csv->option, csv->path);
    csv_trim(csv, 1);
    if (csv->fields > ASSET_COLUMNS)
        return csv_error(csv, "%zu columns; at most %d", csv->fields, ASSET_COLUMNS);
    size_t columns = csv->fields;
    if ((code = read_heading(csv, assets, column_of))) return code;
    while (!(code = csv_next(csv)) && csv->fields) {
        csv_trim(csv, columns);
        if ((code = read_asset(csv, assets, column_of, columns))) return code;
    }
    if (!code && !assets->count)
        return cli_error(CLI_USAGE, "%s: %s: no asset after the header row", csv->option, csv->path);
    return code;
}

int assets_read(const char *option, const char *path, struct assets *assets)
{
    struct csv csv;
    memset(assets, 0, sizeof *assets);
    int code = csv_open(&csv, option, path);
    if (!code) code = read_rows(&csv, assets);
    csv_close(&csv);
    for (uint32_t k = 0; k < assets->count && !assets->given[ASSET_WEIGHT]; k++)
        assets->column[ASSET_WEIGHT][k] = 1.0 / assets->count;
    return code;
}

void assets_free(struct assets *assets)
{
    for (uint32_t k = 0; k < assets->count; k++) free(assets->name[k]);
    assets->count = 0;
}

const char *const *assets_names(const struct assets *assets)
{
    return assets->count ? (const char *const *)assets->name : NULL;
}
