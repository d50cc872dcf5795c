/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Buffers: device memory, and the caller's memory adopted.
 */
#include "internal.h"
#include <base/alloc.h>

#include <string.h>

uint64_t bly_multiply(uint64_t a, uint64_t b) { return a > UINT64_MAX / b ? 0 : a * b; }

static bailey_status new_buffer(bailey_context *context, uint64_t bytes, bailey_buffer **out)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!out) return bly_fail_argument("buffer", "buffer is NULL");
    *out = NULL;
    if (bytes == 0) return bly_fail_argument("bytes", "bytes is 0, at least 1");
    bailey_buffer *buffer = bly_alloc(1, sizeof *buffer);
    if (!buffer) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    buffer->context = context;
    buffer->bytes = bytes;
    buffer->aligned = 1;
    *out = buffer;
    return BAILEY_OK;
}

/* Keeps the new buffer if `status` is OK, else frees it. */
static bailey_status keep_buffer(bailey_status status, bailey_buffer **buffer)
{
    bailey_context *context = (*buffer)->context;
    if (status != BAILEY_OK) {
        bly_free(*buffer);
        *buffer = NULL;
    }
    return bly_finish(context, status);
}

bailey_status bailey_buffer_create(bailey_context *context, uint64_t bytes, bailey_buffer **buffer)
{
    if (buffer) *buffer = NULL;
    BLY_ENTER(context);
    const bailey_status status = new_buffer(context, bytes, buffer);
    if (status != BAILEY_OK) return bly_finish(context, status);
    return keep_buffer(bly_memory_alloc(context, BLY_MEMORY_DEVICE, bytes, &(*buffer)->memory), buffer);
}

bailey_status bly_buffer_adopt(bailey_context *context, void *native, uint64_t bytes, bailey_buffer **buffer)
{
    if (buffer) *buffer = NULL;
    BLY_ENTER(context);
    const bailey_status status = new_buffer(context, bytes, buffer);
    if (status != BAILEY_OK) return bly_finish(context, status);
    const uintptr_t place = context->device->backend->adopts_objects ? 0 : (uintptr_t)native;
    (*buffer)->place = place;
    (*buffer)->aligned = place % 16 == 0;
    return keep_buffer(context->device->backend->adopt(context->device, native, bytes, &(*buffer)->memory),
                       buffer);
}

bailey_status bailey_buffer_adopt_host(bailey_context *context, void *memory, uint64_t bytes,
                                       bailey_buffer **buffer)
{
    if (buffer) *buffer = NULL;
    BLY_ENTER(context);
    if (!memory) return bly_finish(context, bly_fail_argument("memory", "memory is NULL"));
    if ((uintptr_t)memory % 4 != 0)
        return bly_finish(context, bly_fail_argument("memory", "memory is not aligned to 4 bytes"));
    if (context && context->device->backend->adopts_host)
        return bly_buffer_adopt(context, memory, bytes, buffer);
    const bailey_status status = bailey_buffer_create(context, bytes, buffer);
    if (status != BAILEY_OK) return status;
    (*buffer)->host = memory;
    (*buffer)->place = (uintptr_t)memory;
    return BAILEY_OK;
}

void bailey_buffer_destroy(bailey_buffer *buffer)
{
    if (!buffer) return;
    BLY_ENTER_VOID(buffer->context);
    struct bly_device *device = buffer->context->device;
    device->backend->release(device, buffer->memory);
    bly_free(buffer);
}

uint64_t bailey_buffer_bytes(const bailey_buffer *buffer) { return buffer ? buffer->bytes : 0; }

struct bly_memory *bly_buffer_memory(bailey_buffer *buffer) { return buffer->memory; }

static bailey_status check_range(const bailey_buffer *buffer, const char *name, uint64_t offset,
                                 uint64_t bytes)
{
    if (!buffer) return bly_fail_argument(name, "%s is NULL", name);
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return bly_fail_argument("bytes", "%llu bytes at offset %llu; the %s has %llu",
                                 (unsigned long long)bytes, (unsigned long long)offset, name,
                                 (unsigned long long)buffer->bytes);
    return BAILEY_OK;
}

static bailey_status check_transfer(const bailey_buffer *buffer, uint64_t offset, const void *memory,
                                    const char *name, uint64_t bytes)
{
    if (buffer && !memory) return bly_fail_argument(name, "%s is NULL", name);
    return check_range(buffer, "buffer", offset, bytes);
}

/* For adopted host memory, that memory is the contents between calls. */
bailey_status bailey_buffer_write(bailey_buffer *buffer, uint64_t offset, const void *source, uint64_t bytes)
{
    BLY_ENTER(buffer ? buffer->context : NULL);
    const bailey_status status = check_transfer(buffer, offset, source, "source", bytes);
    if (status != BAILEY_OK || bytes == 0) return bly_finish(buffer ? buffer->context : NULL, status);
    if (buffer->host) {
        memcpy((char *)buffer->host + offset, source, bytes);
        return BAILEY_OK;
    }
    struct bly_device *device = buffer->context->device;
    return bly_finish(buffer->context, device->backend->write(device, buffer->memory, offset, source, bytes));
}

bailey_status bailey_buffer_read(bailey_buffer *buffer, uint64_t offset, void *destination, uint64_t bytes)
{
    BLY_ENTER(buffer ? buffer->context : NULL);
    const bailey_status status = check_transfer(buffer, offset, destination, "destination", bytes);
    if (status != BAILEY_OK || bytes == 0) return bly_finish(buffer ? buffer->context : NULL, status);
    if (buffer->host) {
        memcpy(destination, (const char *)buffer->host + offset, bytes);
        return BAILEY_OK;
    }
    struct bly_device *device = buffer->context->device;
    return bly_finish(buffer->context,
                      device->backend->read(device, buffer->memory, offset, destination, bytes));
}

/* Whether ranges of two buffers of adopted memory have some of it in common. */
static int overlap(const bailey_buffer *a, uint64_t a_offset, uint64_t a_bytes, const bailey_buffer *b,
                   uint64_t b_offset, uint64_t b_bytes)
{
    const uint64_t a_place = a->place + a_offset, b_place = b->place + b_offset;
    if (!a->place || !b->place) return 0;
    return a_place < b_place ? b_place - a_place < a_bytes : a_place - b_place < b_bytes;
}

bailey_status bly_check_apart(const bailey_buffer *from, const char *name, uint64_t bytes,
                              const bailey_buffer *to, const char *to_name, uint64_t to_bytes)
{
    if (!from || !to) return BAILEY_OK;
    if (from == to) return bly_fail_argument(name, "%s and %s are the same buffer", name, to_name);
    if (overlap(from, 0, bytes, to, 0, to_bytes))
        return bly_fail_argument(name, "%s and %s overlap: the buffers adopt the same memory", name, to_name);
    return BAILEY_OK;
}

static bailey_status check_copy(const bailey_buffer *source, uint64_t source_offset,
                                const bailey_buffer *destination, uint64_t destination_offset, uint64_t bytes)
{
    bailey_status status = check_range(source, "source", source_offset, bytes);
    if (status == BAILEY_OK) status = check_range(destination, "destination", destination_offset, bytes);
    if (status != BAILEY_OK) return status;
    if (source->context != destination->context)
        return bly_fail_argument("source", "source and destination belong to different contexts");
    const uint64_t apart = source_offset > destination_offset ? source_offset - destination_offset
                                                              : destination_offset - source_offset;
    if (source == destination && apart < bytes)
        return bly_fail_argument(
            "bytes", "%llu bytes from offset %llu overlap those from offset %llu of the same buffer",
            (unsigned long long)bytes, (unsigned long long)source_offset,
            (unsigned long long)destination_offset);
    if (source != destination &&
        overlap(source, source_offset, bytes, destination, destination_offset, bytes))
        return bly_fail_argument(
            "bytes",
            "%llu bytes from offset %llu overlap those from offset %llu: the buffers adopt the same memory",
            (unsigned long long)bytes, (unsigned long long)source_offset,
            (unsigned long long)destination_offset);
    return BAILEY_OK;
}

bailey_status bailey_buffer_copy(bailey_buffer *source, uint64_t source_offset, bailey_buffer *destination,
                                 uint64_t destination_offset, uint64_t bytes)
{
    BLY_ENTER(source ? source->context : NULL);
    const bailey_status status = check_copy(source, source_offset, destination, destination_offset, bytes);
    if (status != BAILEY_OK || bytes == 0) return bly_finish(source ? source->context : NULL, status);
    if (source->host)
        return bailey_buffer_write(destination, destination_offset,
                                   (const char *)source->host + source_offset, bytes);
    if (destination->host)
        return bailey_buffer_read(source, source_offset, (char *)destination->host + destination_offset,
                                  bytes);
    struct bly_device *device = source->context->device;
    return bly_finish(source->context, device->backend->copy(device, 0, source->memory, source_offset,
                                                             destination->memory, destination_offset, bytes));
}

bailey_status bailey_buffer_fill(bailey_buffer *buffer, uint64_t offset, uint8_t value, uint64_t bytes)
{
    BLY_ENTER(buffer ? buffer->context : NULL);
    const bailey_status status = check_range(buffer, "buffer", offset, bytes);
    if (status != BAILEY_OK || bytes == 0) return bly_finish(buffer ? buffer->context : NULL, status);
    if (buffer->host) {
        memset((char *)buffer->host + offset, value, bytes);
        return BAILEY_OK;
    }
    struct bly_device *device = buffer->context->device;
    return bly_finish(buffer->context, device->backend->fill(device, buffer->memory, offset, value, bytes));
}

bailey_status bly_check_buffer(const bailey_context *context, const bailey_buffer *buffer, const char *name,
                               uint64_t offset, uint64_t count, uint64_t element)
{
    if (!buffer) return bly_fail_argument(name, "%s is NULL", name);
    if (buffer->context != context) return bly_fail_argument(name, "%s belongs to another context", name);
    if (buffer->place % element != 0)
        return bly_fail_argument(name, "%s adopts memory that is not aligned to %llu bytes", name,
                                 (unsigned long long)element);
    const uint64_t room = buffer->bytes / element;
    if (offset > room || count > room - offset)
        return bly_fail_argument(
            name, "%s holds %llu elements of %llu bytes; %llu are needed, starting at element %llu", name,
            (unsigned long long)room, (unsigned long long)element, (unsigned long long)count,
            (unsigned long long)offset);
    return BAILEY_OK;
}
