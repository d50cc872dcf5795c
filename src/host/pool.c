/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Device memory for reuse: idle buffers in a list, the one released last first. Sizes are rounded up to
 * classes, so that requests that differ a little find each other's buffers.
 */
#include "internal.h"

#include <base/alloc.h>

/* The most that is cached: a sixteenth of the device's memory, between these; and so many buffers, which are
 * searched one by one. */
#define LEAST_BYTES (UINT64_C(64) << 20)
#define MOST_BYTES (UINT64_C(1) << 30)
#define MOST_BUFFERS 256

#define SMALLEST 256 /* bytes of the smallest class */

/* `bytes` rounded up to one of eight sizes between powers of two, unless the device has no such buffers. */
static uint64_t size_class(const struct bly_device *device, uint64_t bytes)
{
    uint64_t step = SMALLEST;
    if (bytes > device->info.allocation_bytes) return bytes;
    while (bytes / step >= 16) step *= 2;
    const uint64_t size = (bytes + step - 1) / step * step;
    return size > device->info.allocation_bytes ? bytes : size;
}

static uint64_t most_bytes(const struct bly_device *device)
{
    const uint64_t part = device->info.memory_bytes / 16;
    return part < LEAST_BYTES ? LEAST_BYTES : part > MOST_BYTES ? MOST_BYTES : part;
}

bailey_status bly_memory_alloc(bailey_context *context, enum bly_memory_kind kind, uint64_t bytes,
                               struct bly_memory **memory)
{
    struct bly_device *device = context->device;
    const bailey_status status = device->backend->alloc(device, kind, bytes, memory);
    if (status != BAILEY_ERROR_MEMORY || !context->pool.idle) return status;
    bly_log(1, "%s: %s; cached memory is released", device->info.address, bailey_error_message());
    bly_pool_empty(context);
    return device->backend->alloc(device, kind, bytes, memory);
}

static void unlink_idle(struct bly_pool *pool, bailey_buffer **link)
{
    bailey_buffer *buffer = *link;
    *link = buffer->next;
    pool->bytes -= buffer->bytes;
    pool->count--;
}

bailey_status bly_pool_take(bailey_context *context, enum bly_memory_kind kind, uint64_t bytes,
                            bailey_buffer **out)
{
    const uint64_t size = size_class(context->device, bytes);
    bailey_buffer **link = &context->pool.idle;
    while (*link && ((*link)->bytes != size || (*link)->kind != kind)) link = &(*link)->next;
    *out = *link;
    if (*link) {
        unlink_idle(&context->pool, link);
        return BAILEY_OK;
    }
    bailey_buffer *buffer = bly_alloc(1, sizeof *buffer);
    if (!buffer) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    *buffer = (bailey_buffer){.context = context, .bytes = size, .aligned = 1, .kind = kind};
    const bailey_status status = bly_memory_alloc(context, kind, size, &buffer->memory);
    if (status == BAILEY_OK)
        *out = buffer;
    else
        bly_free(buffer);
    return status;
}

static void release(bailey_buffer *buffer)
{
    struct bly_device *device = buffer->context->device;
    device->backend->release(device, buffer->memory);
    bly_free(buffer);
}

void bly_pool_release(bailey_buffer *buffer)
{
    if (!buffer) return;
    struct bly_pool *pool = &buffer->context->pool;
    const uint64_t most = most_bytes(buffer->context->device);
    buffer->next = pool->idle;
    pool->idle = buffer;
    pool->bytes += buffer->bytes;
    pool->count++;
    while (pool->bytes > most || pool->count > MOST_BUFFERS) { /* the one given back first goes */
        bailey_buffer **link = &pool->idle;
        while ((*link)->next) link = &(*link)->next;
        bailey_buffer *oldest = *link;
        unlink_idle(pool, link);
        release(oldest);
    }
}

void bly_pool_empty(bailey_context *context)
{
    while (context->pool.idle) {
        bailey_buffer *buffer = context->pool.idle;
        unlink_idle(&context->pool, &context->pool.idle);
        release(buffer);
    }
}

bailey_status bly_pool_upload(bailey_context *context, const void *data, uint64_t bytes,
                              bailey_buffer **buffer)
{
    struct bly_device *device = context->device;
    bailey_status status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes, buffer);
    if (status != BAILEY_OK) return status;
    status = device->backend->write(device, (*buffer)->memory, 0, data, bytes);
    if (status == BAILEY_OK) return status;
    bly_pool_release(*buffer);
    *buffer = NULL;
    return status;
}
