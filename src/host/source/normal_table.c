/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tables of the inverse CDF (bailey/device/icdf_table.h) and of approximate normals
 * (bailey/device/approximate.h): the embedded bytes, and a device's copy.
 */
#include "source.h"

#include <bailey/device/approximate.h>
#include <bailey/device/icdf_table.h>

/* Embedded by cmake/BaileyEmbed.cmake, aligned to 64 bytes. */
extern const unsigned char bly_data_icdf_f32[], bly_data_icdf_f64[], bly_data_approximate[];

const void *bailey_normal_table_data(bailey_precision precision, size_t *bytes)
{
    const int f64 = precision == BAILEY_PRECISION_F64;
    if (!f64 && precision != BAILEY_PRECISION_F32) return NULL;
    if (bytes)
        *bytes =
            f64 ? BAILEY_ICDF_ROWS_F64 * 8 * sizeof(double) : BAILEY_ICDF_ALL_ROWS_F32 * 4 * sizeof(float);
    return f64 ? bly_data_icdf_f64 : bly_data_icdf_f32;
}

const float *bailey_approximate_table_data(size_t *bytes)
{
    if (bytes) *bytes = BAILEY_APPROXIMATE_FLOATS * sizeof(float);
    return (const float *)(const void *)bly_data_approximate;
}

/* A slot of the context; NULL until used. */
struct tables {
    bailey_buffer *normal[2]; /* by precision */
    bailey_buffer *approximate;
};

static void empty(void *slot)
{
    struct tables *tables = slot;
    for (int i = 0; i < 2; i++) bailey_buffer_destroy(tables->normal[i]);
    bailey_buffer_destroy(tables->approximate);
}

static struct tables *tables_of(bailey_context *context)
{
    static const struct bly_slot_owner owner = {sizeof(struct tables), empty};
    struct tables *tables = bly_context_slot(context, &owner);
    if (!tables) bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a table of normals");
    return tables;
}

bailey_status bly_table_create(bailey_context *context, const void *data, size_t bytes, bailey_buffer **table)
{
    if (context->device->backend->adopts_host) return bly_buffer_adopt(context, (void *)data, bytes, table);
    bailey_buffer *buffer = NULL;
    bailey_status status = bailey_buffer_create(context, bytes, &buffer);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffer, 0, data, bytes);
    if (status == BAILEY_OK)
        *table = buffer;
    else
        bailey_buffer_destroy(buffer);
    return status;
}

bailey_status bly_normal_table(bailey_context *context, bailey_precision precision, bailey_buffer **table)
{
    struct tables *tables = tables_of(context);
    if (!tables) return BAILEY_ERROR_MEMORY;
    bailey_buffer **own = &tables->normal[precision == BAILEY_PRECISION_F64];
    size_t bytes = 0;
    const void *data = bailey_normal_table_data(precision, &bytes);
    const bailey_status status = *own ? BAILEY_OK : bly_table_create(context, data, bytes, own);
    *table = *own;
    return status;
}

bailey_status bly_approximate_table(bailey_context *context, bailey_buffer **table)
{
    struct tables *tables = tables_of(context);
    if (!tables) return BAILEY_ERROR_MEMORY;
    bailey_buffer **own = &tables->approximate;
    size_t bytes = 0;
    const void *data = bailey_approximate_table_data(&bytes);
    const bailey_status status = *own ? BAILEY_OK : bly_table_create(context, data, bytes, own);
    *table = *own;
    return status;
}

bailey_status bailey_normal_table(bailey_context *context, bailey_precision precision, bailey_buffer **table)
{
    if (table) *table = NULL;
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!table) return bly_finish(context, bly_fail_argument("table", "table is NULL"));
    bailey_status status = bly_check_precision(context, precision);
    if (status == BAILEY_OK) status = bly_normal_table(context, precision, table);
    return bly_finish(context, status);
}

bailey_status bailey_approximate_table(bailey_context *context, bailey_buffer **table)
{
    if (table) *table = NULL;
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!table) return bly_finish(context, bly_fail_argument("table", "table is NULL"));
    return bly_finish(context, bly_approximate_table(context, table));
}
