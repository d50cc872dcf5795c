/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The interface between the host layer and the backends: where the work runs.
 *
 * The host layer has validated everything, so a backend may assume valid input. One open device is one
 * in-order queue used by one thread at a time. Every operation that fails returns
 * `bly_fail(status, "reason")` and leaves nothing behind.
 */
#ifndef BLY_BACKEND_H
#define BLY_BACKEND_H

#include <bailey/bailey.h>
#include <base/log.h>
#include <base/status.h>

/* A kernel. Without a source, it is a row of the table (kernels/families.h), which every language expands.
 * A launch covers `groups` x `rows` groups. A group is one lane's share of an item: 16 bytes of
 * elements of the kernel's lane width, four of 32 bits or two of 64 bits. A backend that runs L lanes an
 * item launches ceil(groups / L) x rows items; items past the end do nothing.
 *
 * A team kernel takes whole groups otherwise: with one lane an item `team` consecutive items, which run
 * together and may exchange values, make a group (kernels/runs.h: a run of a generator); with vector lanes
 * one item does.
 *
 * With a source, it is a group kernel (kernels/group_entry.h), compiled at run time with one lane an item,
 * and is known to a device by its address, until `forget`. A launch covers `groups` items and one row, in
 * work-groups of exactly `block` consecutive items that start at multiples of `block`; items past the end
 * run, and must see for themselves that they are. */
struct bly_kernel {
    const char *name;
    const char *entry;     /* the row's own text, which makes the entry point; NULL with a source */
    uint32_t row;          /* the row's number (backend/rows.h) */
    uint32_t lane_bytes;   /* 4 or 8: the widest type held in lanes */
    uint32_t buffers;      /* how many buffer arguments follow the parameter struct */
    uint32_t packs;        /* packs that an item with vector lanes takes, 0 for 1; scalar items take one */
    uint32_t strips;       /* packs that an item of one lane takes, 0 for 1: BLY_STRIP items apart */
    uint32_t team;         /* items of a team; 0: not a team kernel */
    const char *source;    /* the whole program, a text that includes "kernels/group_entry.h"; or NULL */
    uint32_t block;        /* with a source: items a work-group, compiled in as BLY_BLOCK */
    uint32_t shared_bytes; /* with a source: memory that a work-group shares */
};

/* Item i with one lane takes packs BLY_STRIP (strips (i / BLY_STRIP)) + i mod BLY_STRIP + k BLY_STRIP, k
 * below strips: neighbours write next to each other at each step. Items of such a kernel, or of a team
 * kernel. */
#define BLY_STRIP 32
static inline uint64_t bly_scalar_items(const struct bly_kernel *kernel, uint64_t groups)
{
    if (kernel->team) return groups * kernel->team;
    if (kernel->strips < 2) return groups;
    const uint64_t span = (uint64_t)BLY_STRIP * kernel->strips;
    return (groups / span + (groups % span != 0)) * BLY_STRIP;
}

/* What a work-group of a kernel with a source is given: whole vectors, at least one. */
static inline uint32_t bly_shared_bytes(const struct bly_kernel *kernel)
{
    return kernel->shared_bytes ? (kernel->shared_bytes + 15) / 16 * 16 : 16;
}

#define BLY_MAX_BUFFERS 4
#define BLY_MAX_PARAMS 256 /* bytes of a parameter struct, of fixed-width scalars, 8-byte aligned */

struct bly_memory; /* a piece of device memory; each backend defines its own */

/* An open device. Backends embed this as their first member. */
struct bly_device {
    const struct bly_backend *backend;
    bailey_device info;
    uint32_t native_functions; /* 1 if the kernels named *_fast differ from the exact ones here */
    uint32_t shared_bytes;     /* that a work-group may share */
    const char *miscompiles;   /* its compiler, if it gets the first three bridge strategies wrong; or NULL */
};

/* What a caller brings for `open`: his own context, device and queue or stream, as the backend's vendor
 * types cast to pointers; NULL members are made by the backend. */
struct bly_native {
    void *context, *device, *queue;
};

struct bly_open_params {
    uint32_t threads;                /* cpu: 0 for all */
    const char *cache_dir;           /* see bailey_context_params; resolved by the cache */
    const struct bly_native *native; /* NULL: everything is made */
};

struct bly_backend {
    const char *name;         /* the first part of a device address */
    const char *address_form; /* for people; as many numbers may follow the name as it has colons */

    /* What "auto" takes of it: a device of this kind, or of any (NONE). */
    bailey_device_kind auto_kind;
    /* Devices that are not usable may be opened all the same, which says better what is wrong. */
    int opens_to_explain;
    /* Memory of the host is its own: adopted, not copied. */
    int adopts_host;
    /* What `adopt` takes is an object, which begins at a multiple of 16 bytes; else it is an address. */
    int adopts_objects;

    /* Counts the devices. With none, writes the reason. Never fails otherwise. */
    size_t (*probe)(char *why, size_t why_size);
    /* Describes device `index` < probe(): fills everything, with `usable` 0 and a reason where it cannot
     * be used. */
    void (*describe)(size_t index, bailey_device *device);

    /* Opens device `index` (ignored when params->native names one). */
    bailey_status (*open)(size_t index, const struct bly_open_params *params, struct bly_device **device);
    void (*close)(struct bly_device *device); /* waits first */

    bailey_status (*alloc)(struct bly_device *device, uint64_t bytes, struct bly_memory **memory);
    /* Takes the caller's native memory object (host pointer, cl_mem, CUdeviceptr by value in the
     * pointer) without owning it; checks that it holds `bytes` where the platform can tell. */
    bailey_status (*adopt)(struct bly_device *device, void *native, uint64_t bytes,
                           struct bly_memory **memory);
    void (*release)(struct bly_device *device, struct bly_memory *memory); /* NULL is allowed */

    /* Host to device, device to host; in queue order. write and read return when
     * the host memory may be reused or read. */
    bailey_status (*write)(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                           const void *source, uint64_t bytes);
    bailey_status (*read)(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                          void *destination, uint64_t bytes);

    /* Within the device, queued. The ranges do not overlap. */
    bailey_status (*copy)(struct bly_device *device, struct bly_memory *source, uint64_t source_offset,
                          struct bly_memory *destination, uint64_t destination_offset, uint64_t bytes);
    /* Sets every byte, queued. */
    bailey_status (*fill)(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                          uint8_t value, uint64_t bytes);

    /* Queues `kernel` over groups x rows. `params` is copied. A kernel with a source is compiled if it has
     * not been. */
    bailey_status (*launch)(struct bly_device *device, const struct bly_kernel *kernel, uint64_t groups,
                            uint64_t rows, const void *params, size_t params_size,
                            struct bly_memory *const *buffers);
    bailey_status (*sync)(struct bly_device *device);

    /* Compiles a kernel that has a source, or finds it compiled: in the device, in the process, on disk.
     * `info`, which may be NULL, gets what the platform reports, of kernels without a source too. Fails with
     * ERROR_UNSUPPORTED where there is no compiler or the device cannot run such a work-group, ERROR_BUILD
     * with the log where the text does not compile. A kernel of NULL asks whether there is a compiler. The
     * operation is NULL where there never is. */
    bailey_status (*compile)(struct bly_device *device, const struct bly_kernel *kernel, size_t params_size,
                             bailey_kernel_info *info);
    /* Frees what the device holds for a kernel that has a source, after waiting for what is queued; the
     * caller frees the kernel after it. NULL where `compile` is. */
    void (*forget)(struct bly_device *device, const struct bly_kernel *kernel);
};

/* For the table, and for src/interop. */
extern const struct bly_backend bly_backend_cpu, bly_backend_opencl, bly_backend_cuda;

/* All of them (backends.c), in the order in which "auto" tries them: the last one is the one that must not
 * fail. Ends with NULL. */
extern const struct bly_backend *const bly_backends[];

/* The texts embedded at build time: device headers and src/kernels, by include name; ends with NULL. */
struct bly_embedded {
    const char *name, *text;
};
extern const struct bly_embedded bly_embedded_headers[];

#endif
