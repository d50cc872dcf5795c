/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of devices, contexts and the self-test as records.
 */
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_device
static const bailey_field device_fields[] = {
    CHARS(address, "address for bailey_context_create, such as cuda:0"),
    CHARS(name, "name given by the vendor"),
    CHARS(driver, "platform and driver version"),
    CHARS(reason, "why it cannot be used; empty if it can"),
    CHOICE(kind, "kind of device", DEVICE_KINDS),
    FLAG(usable, "1 if a context can be created on it"),
    FLAG(has_f64, "1 if double precision is supported"),
    UINT32(units, "number of multiprocessors, compute units or threads"),
    UINT64(memory_bytes, "memory of the device", .unit = "bytes"),
    UINT64(allocation_bytes, "largest single buffer", .unit = "bytes"),
};
RESULT(device, "A device, or why a backend has none.", device_fields);
#undef STRUCT

#define STRUCT bailey_context_params
static const bailey_field context_params[] = {
    UINT32(threads, "number of threads of the cpu backend", .range = FROM(1, 4096),
           .default_how = "OMP_NUM_THREADS, else the processors that may be used"),
    TEXT(cache_dir, "folder that caches programs compiled at run time; empty: no cache",
         .default_how = "BAILEY_CACHE_DIR, else the XDG cache"),
};
RECORD(context_params, "How a device is opened.", context_params);
#undef STRUCT

#define STRUCT bailey_selftest_params
static const bailey_field selftest_params[] = {
    FLAG(all, "test every generator, distribution, kind of bridge and strategy, not just some"),
    FUNCTION(report, "called with each result"),
    USER(report_user, "passed to report"),
};
RECORD(selftest_params, "The extent of a self-test.", selftest_params);
#undef STRUCT
