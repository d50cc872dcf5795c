/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What laws look at: items of a subject, in poisoned memory with guards, and all that it comes to.
 */
#include "laws.h"

#include <inttypes.h>

char what[240];

struct bly_made make(bailey_context *on, const struct held *h)
{
    struct bly_made made;
    const bailey_status status = bly_subject_create(on, h->subject, h->precision, &made);
    if (status != BAILEY_OK) fail_msg("%s: %s", what, bailey_error_message());
    return made;
}

void is_ok(bailey_status status)
{
    if (status != BAILEY_OK) fail_msg("%s: %s: %s", what, bailey_status_name(status), bailey_error_message());
}

void is_same(const void *found, const void *wanted, uint64_t count, size_t element)
{
    if (memcmp(found, wanted, count * element) != 0) same_bits(what, found, wanted, count, element);
}

void is_size(uint64_t found, uint64_t wanted)
{
    if (found != wanted)
        fail_msg("%s: a size is %llu, expected %llu", what, (unsigned long long)found,
                 (unsigned long long)wanted);
}

bailey_buffer *buffer_of(bailey_context *on, uint64_t bytes, unsigned char poison)
{
    bailey_buffer *buffer = NULL;
    is_ok(bailey_buffer_create(on, bytes, &buffer));
    is_ok(bailey_buffer_fill(buffer, 0, poison, bytes));
    return buffer;
}

void is_untouched(const unsigned char *bytes, uint64_t count, unsigned char poison, const char *where)
{
    for (uint64_t i = 0; i < count; i++)
        if (bytes[i] != poison) fail_msg("%s: byte %llu %s was written", what, (unsigned long long)i, where);
}

unsigned char *items(const struct bly_made *made, uint64_t first, uint64_t count, uint64_t lead,
                     unsigned char poison)
{
    const struct bly_shape shape = bly_subject_shape(made);
    const uint64_t bytes = shape.rows * count * shape.element, before = lead * shape.element;
    const uint64_t all = before + bytes + GUARD_BYTES;
    bailey_buffer *buffer = buffer_of(made->context, all, poison);
    unsigned char *found = allocate(all);
    is_ok(bly_subject_make(made, first, count, buffer, lead));
    is_ok(bailey_buffer_read(buffer, 0, found, all));
    bailey_buffer_destroy(buffer);
    is_untouched(found, before, poison, "in front");
    is_untouched(found + before + bytes, GUARD_BYTES, poison, "past the end");
    memmove(found, found + before, bytes);
    return found;
}

void is_part(const struct bly_shape *shape, const unsigned char *part, uint64_t at, uint64_t count,
             const unsigned char *whole, uint64_t n)
{
    const size_t element = shape->element;
    if (shape->by_item) {
        is_same(part, whole + at * shape->rows * element, count * shape->rows, element);
        return;
    }
    for (uint64_t row = 0; row < shape->rows; row++)
        is_same(part + row * count * element, whole + (row * n + at) * element, count, element);
}

uint64_t items_bytes(const struct bly_made *made)
{
    if (!bly_subject_has_items(made->subject)) return 0;
    const struct bly_shape shape = bly_subject_shape(made);
    return shape.rows * made->subject->count * shape.element;
}

static bailey_status find_items(const struct bly_made *made, unsigned char *found, uint64_t bytes)
{
    bailey_buffer *buffer = NULL;
    if (bytes == 0) return BAILEY_OK;
    bailey_status status = bailey_buffer_create(made->context, bytes, &buffer);
    if (status == BAILEY_OK)
        status = bly_subject_make(made, made->subject->first, made->subject->count, buffer, 0);
    if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, found, bytes);
    bailey_buffer_destroy(buffer);
    return status;
}

/* A run into a poisoned result, which a failure leaves so. */
static bailey_status find_result(const struct bly_made *made, struct output *out, uint64_t at)
{
    union bly_result result;
    double values[BLY_SUBJECT_VALUES];
    if (!bly_subject_has_result(made->subject)) return BAILEY_OK;
    memset(&result, POISON, sizeof result);
    const bailey_status status = bly_subject_run(made, NULL, NULL, &result);
    if (status != BAILEY_OK) {
        for (size_t i = 0; i < sizeof result; i++)
            out->touched |= ((const unsigned char *)&result)[i] != POISON;
        return status;
    }
    const size_t bytes = bly_subject_values(made, &result, values) * sizeof *values;
    memcpy(out->bytes + at, values, bytes);
    out->size = at + bytes;
    return BAILEY_OK;
}

bailey_status find_output(const struct bly_made *made, struct output *out)
{
    const uint64_t bytes = items_bytes(made);
    *out = (struct output){.bytes = malloc(bytes + BLY_SUBJECT_VALUES * sizeof(double)), .size = bytes};
    bailey_status status = find_items(made, out->bytes, bytes);
    if (status == BAILEY_OK) status = find_result(made, out, bytes);
    if (status == BAILEY_OK) return status;
    free(out->bytes);
    out->bytes = NULL;
    return status;
}

struct output output_of(const struct bly_made *made)
{
    struct output out;
    is_ok(find_output(made, &out));
    return out;
}

size_t result_of(const struct bly_made *made, double values[BLY_SUBJECT_VALUES])
{
    union bly_result result;
    is_ok(bly_subject_run(made, NULL, NULL, &result));
    return bly_subject_values(made, &result, values);
}

void same_output(const struct output *found, const struct output *wanted)
{
    is_size(found->size, wanted->size);
    is_same(found->bytes, wanted->bytes, wanted->size / 4, 4);
}

struct output output_on(const char *address, uint32_t threads, const struct held *h)
{
    const bailey_context_params params = {.threads = threads};
    bailey_context *on = NULL;
    is_ok(bailey_context_create(address, &params, &on));
    struct bly_made made = make(on, h);
    const struct output out = output_of(&made);
    bly_subject_destroy(&made);
    bailey_context_destroy(on);
    return out;
}
