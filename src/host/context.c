/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Finding devices and opening contexts. A device is trusted once its arithmetic has been compared with the
 * processor's (bly_check_arithmetic): one that rounds otherwise is refused, as its bits would differ.
 */
#include "internal.h"

#include <base/alloc.h>
#include <host/describe/records.h>

#include <kernels/fill.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_BYTES 128

/* The backends' names, or the forms of their addresses. */
static void list_backends(char text[LIST_BYTES], int forms)
{
    size_t used = 0;
    *text = 0;
    for (size_t b = 0; bly_backends[b] && used < LIST_BYTES; b++) {
        const char *between = b == 0 ? "" : forms && !bly_backends[b + 1] ? " or " : ", ";
        used += (size_t)snprintf(text + used, LIST_BYTES - used, "%s%s", between,
                                 forms ? bly_backends[b]->address_form : bly_backends[b]->name);
    }
}

/* The bits, by the order of the table, of the backends that BAILEY_BACKENDS leaves: without it, all. */
static bailey_status read_wanted(unsigned *wanted)
{
    static const char blanks[] = ", \t";
    const char *list = getenv("BAILEY_BACKENDS");
    char names[LIST_BYTES];
    *wanted = 0;
    while (list && *(list += strspn(list, blanks))) {
        const size_t length = strcspn(list, blanks);
        size_t b = 0;
        while (bly_backends[b] &&
               (strlen(bly_backends[b]->name) != length || strncmp(list, bly_backends[b]->name, length) != 0))
            b++;
        if (!bly_backends[b]) {
            list_backends(names, 0);
            return bly_fail(BAILEY_ERROR_INVALID, "BAILEY_BACKENDS: unknown backend \"%.*s\"; choose from %s",
                            (int)(length < 64 ? length : 64), list, names);
        }
        *wanted |= 1u << b;
        list += length;
    }
    if (!*wanted) *wanted = ~0u;
    return BAILEY_OK;
}

/* Counts the devices of a backend, which is left alone if it is not needed. With none, writes the reason. */
static size_t probe(const struct bly_backend *backend, unsigned wanted, char *why, size_t why_size)
{
    for (size_t b = 0; bly_backends[b]; b++) {
        if (bly_backends[b] != backend || wanted & 1u << b) continue;
        snprintf(why, why_size, "it is left out: BAILEY_BACKENDS is \"%.64s\"", getenv("BAILEY_BACKENDS"));
        return 0;
    }
    const size_t count = backend->probe(why, why_size);
    if (count == 0) bly_log(1, "%s: no device: %s", backend->name, why);
    return count;
}

bailey_status bailey_device_list(bailey_device *devices, size_t capacity, size_t *count)
{
    if (!count) return bly_fail_argument("count", "count is NULL");
    if (!devices && capacity > 0)
        return bly_fail_argument("devices", "devices is NULL but capacity is %zu", capacity);
    unsigned wanted;
    const bailey_status status = read_wanted(&wanted);
    if (status != BAILEY_OK) return status;
    size_t n = 0;
    for (size_t b = 0; bly_backends[b]; b++) {
        char why[sizeof devices->reason] = "";
        const size_t found = probe(bly_backends[b], wanted, why, sizeof why);
        for (size_t i = 0; i < found; i++, n++)
            if (n < capacity) bly_backends[b]->describe(i, &devices[n]);
        if (found > 0) continue;
        if (n < capacity) {
            memset(&devices[n], 0, sizeof devices[n]);
            snprintf(devices[n].address, sizeof devices[n].address, "%s", bly_backends[b]->name);
            snprintf(devices[n].reason, sizeof devices[n].reason, "%s", why);
        }
        n++;
    }
    *count = n;
    return BAILEY_OK;
}

/* Whether the device address `name` means `device`: all of it, or its first parts. */
static int address_matches(const char *name, const char *device)
{
    const size_t length = strlen(name);
    return strncmp(name, device, length) == 0 && (device[length] == 0 || device[length] == ':');
}

/* Whether `name` is the backend's, followed by :<number> as often as its addresses allow or less. */
static int address_is_formed(const char *name, const struct bly_backend *backend)
{
    const size_t length = strlen(backend->name);
    if (strncmp(name, backend->name, length) != 0) return 0;
    int parts = 0, parts_allowed = 0;
    for (const char *form = backend->address_form; *form; form++) parts_allowed += *form == ':';
    for (name += length; *name; parts++) {
        if (*name++ != ':') return 0;
        const size_t digits = strspn(name, "0123456789");
        if (digits == 0 || digits > 9) return 0;
        name += digits;
    }
    return parts <= parts_allowed;
}

/* The best device of a backend that `name` means: a usable GPU, else a usable device. `name` may be the
 * whole address. With none, writes the reason. */
static int find_device(const struct bly_backend *backend, unsigned wanted, const char *name,
                       bailey_device_kind kind, size_t *index, char *why, size_t why_size)
{
    bailey_device device;
    int best = 0;
    const size_t count = probe(backend, wanted, why, why_size);
    if (count > 0)
        snprintf(why, why_size, "there are %zu %s devices, none of them is %s", count, backend->name, name);
    for (size_t i = 0; i < count; i++) {
        backend->describe(i, &device);
        if (!address_matches(name, device.address)) continue;
        const int usable = device.usable || backend->opens_to_explain;
        if (!usable && best == 0) snprintf(why, why_size, "%s", device.reason);
        if (!usable || (kind != BAILEY_DEVICE_KIND_NONE && device.kind != kind)) continue;
        const int rank = device.kind == BAILEY_DEVICE_KIND_GPU ? 2 : 1;
        if (rank > best) best = rank, *index = i;
    }
    return best > 0;
}

/* Opens "auto": the first backend that has such a device as "auto" takes of it. One that fails to open is
 * passed over, but the last. */
static bailey_status open_any(const char *named, unsigned wanted, const struct bly_open_params *params,
                              bailey_context **context)
{
    char why[256] = "";
    const struct bly_backend *backend = NULL;
    for (size_t b = 0; bly_backends[b]; b++) {
        size_t index = 0;
        backend = bly_backends[b];
        if (!find_device(backend, wanted, backend->name, backend->auto_kind, &index, why, sizeof why)) {
            bly_log(1, "auto: no usable %s device: %s", backend->name, why);
            continue;
        }
        const bailey_status status = bly_context_open(backend, index, params, context);
        if (status == BAILEY_OK || !bly_backends[b + 1]) return status;
        bly_log(1, "auto: %s skipped: %s", backend->name, bailey_error_message());
    }
    return bly_fail(BAILEY_ERROR_NO_DEVICE, "%s \"auto\": no GPU can be used; %s: %s", named, backend->name,
                    why);
}

static bailey_status open_named(const char *named, const char *argument, const char *device, unsigned wanted,
                                const struct bly_open_params *params, bailey_context **context)
{
    char forms[LIST_BYTES];
    for (size_t b = 0; bly_backends[b]; b++) {
        if (!address_is_formed(device, bly_backends[b])) continue;
        char why[512] = "";
        size_t index = 0;
        if (!find_device(bly_backends[b], wanted, device, BAILEY_DEVICE_KIND_NONE, &index, why, sizeof why))
            return bly_name_argument(bly_fail(BAILEY_ERROR_NO_DEVICE, "%s \"%s\": %s", named, device, why),
                                     argument);
        return bly_context_open(bly_backends[b], index, params, context);
    }
    list_backends(forms, 1);
    return bly_fail_argument(argument, "%s \"%.64s\" is not of the form auto, %s", named, device, forms);
}

bailey_status bailey_context_create(const char *device, const bailey_context_params *params,
                                    bailey_context **context)
{
    const char *named = "device", *argument = device ? "device" : "";
    if (!context) return bly_fail_argument("context", "context is NULL");
    *context = NULL;
    if (params && bailey_record_check(&bly_record_context_params, params) != BAILEY_OK)
        return BAILEY_ERROR_INVALID;
    if (!device && (device = getenv("BAILEY_DEVICE"))) {
        named = "BAILEY_DEVICE: device";
        if (!*device) device = NULL;
    }
    if (!device) device = "auto";
    unsigned wanted;
    const bailey_status status = read_wanted(&wanted);
    if (status != BAILEY_OK) return status;
    const struct bly_open_params open = {.threads = params ? params->threads : 0,
                                         .cache_dir = params ? params->cache_dir : NULL};
    return strcmp(device, "auto") == 0 ? open_any(named, wanted, &open, context)
                                       : open_named(named, argument, device, wanted, &open, context);
}

bailey_status bly_context_open(const struct bly_backend *backend, size_t index,
                               const struct bly_open_params *params, bailey_context **out)
{
    bailey_context *context = bly_alloc(1, sizeof *context);
    if (!context) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a context");
    bailey_status status = backend->open(index, params, &context->device);
    if (status != BAILEY_OK) {
        bly_free(context);
        return status;
    }
    status = bly_check_arithmetic(context);
    if (status == BAILEY_OK)
        *out = context;
    else
        bailey_context_destroy(context);
    return status;
}

void bailey_context_destroy(bailey_context *context)
{
    if (!context) return;
#if BLY_CHECK_THREADS
    if (bly_enter(context).status != BAILEY_OK) return;
#endif
    bly_rows_unload(context);
    bly_slots_empty(context);
    bly_program_empty(context);
    bly_pool_empty(context);
    context->device->backend->close(context->device);
    bly_free(context);
}

bailey_status bailey_context_device(bailey_context *context, bailey_device *device)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!device) return bly_finish(context, bly_fail_argument("device", "device is NULL"));
    *device = context->device->info;
    return BAILEY_OK;
}

bailey_status bailey_context_sync(bailey_context *context)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    return bly_finish(context, context->device->backend->wait(context->device));
}

bailey_status bailey_context_watch(bailey_context *context, bailey_interrupt function, void *user)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    const double due = function ? bly_seconds() + BLY_WATCH_SECONDS : 0;
    context->device->watch = (struct bly_watch){.function = function, .user = user, .due = due};
    return BAILEY_OK;
}

struct bly_device *bly_context_backend_device(bailey_context *context, const struct bly_backend *backend,
                                              const char *argument)
{
    if (!context) {
        bly_fail_argument("context", "context is NULL");
        return NULL;
    }
    if (context->device->backend != backend) {
        bly_fail_argument(argument, "the context's device is %s, not a device of %s",
                          context->device->info.address, backend->name);
        return NULL;
    }
    return context->device;
}

/* The host's compiler does the same arithmetic; a device that differs cannot keep the promise. */
bailey_status bly_check_arithmetic(bailey_context *context)
{
    enum { COLUMNS = 128, WORDS = BLY_CHECK_ROWS * COLUMNS };
    static const char *const what[BLY_CHECK_ROWS] = {"fma",
                                                     "fma of a product's error",
                                                     "subtraction",
                                                     "int to float conversion",
                                                     "square root",
                                                     "fma in double",
                                                     "fma of a product's error in double",
                                                     "subtraction in double"};
    uint32_t expected[WORDS], found[WORDS];
    const bly_check_params params = {COLUMNS};
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    for (uint64_t item = 0; item < COLUMNS; item++) bly_check_item(params, expected, item, 0);
    fesetenv(&callers);

    bailey_buffer *buffer = NULL;
    bailey_status status = bailey_buffer_create(context, sizeof found, &buffer);
    if (status != BAILEY_OK) return status;
    memset(found, 0xa5, sizeof found);
    status = bailey_buffer_write(buffer, 0, found, sizeof found);
    if (status == BAILEY_OK)
        status = bly_launch(context, &bly_kernels[BLY_KERNEL_bly_check], COLUMNS, 1, &params, sizeof params,
                            &buffer, buffer, 0, sizeof found);
    if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, found, sizeof found);
    bailey_buffer_destroy(buffer);
    if (status != BAILEY_OK) return status;
    for (int i = 0; i < WORDS; i++) {
        const int row = i / COLUMNS;
        if (found[i] == expected[i] || (row >= 5 && !context->device->info.has_f64)) continue;
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "%s (%.100s): its %s does not follow IEEE 754 (%08x for %08x), so results would "
                        "differ between devices",
                        context->device->info.address, context->device->info.name, what[row], found[i],
                        expected[i]);
    }
    return BAILEY_OK;
}

bailey_status bly_check_precision(const bailey_context *context, bailey_precision precision)
{
    if (precision != BAILEY_PRECISION_F32 && precision != BAILEY_PRECISION_F64)
        return bly_fail_argument("precision", "precision is %d, not a bailey_precision", (int)precision);
    if (precision == BAILEY_PRECISION_F64 && !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision",
                        context->device->info.address);
    return BAILEY_OK;
}
