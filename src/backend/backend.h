/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The interface between the host layer and the backends: where the work runs.
 *
 * The host layer has validated everything, so a backend may assume valid input. An open device is used by
 * one thread at a time, and has one in-order queue or two: everything goes to queue 0, which may be the
 * caller's own, unless an operation says otherwise. Every operation that fails returns
 * `bly_fail(status, "reason")` and leaves nothing behind.
 */
#ifndef BLY_BACKEND_H
#define BLY_BACKEND_H

#include <backend/tuned.h>
#include <bailey/advanced.h>
#include <base/log.h>
#include <base/status.h>

/* A kernel: a row of the table (kernels/families.h), which every language expands, or an entry point of a
 * text that includes "kernels/group_entry.h".
 *
 * A launch of a row covers `groups` x `rows` groups. A group is one lane's share of an item: 16 bytes of
 * elements of the kernel's lane width, four of 32 bits or two of 64 bits. A backend that runs L lanes per
 * item launches ceil(groups / L) x rows items; items past the end do nothing. A team kernel takes whole
 * groups otherwise: with one lane per item, `team` consecutive items, which run together and may exchange
 * values, make a group (kernels/segments.h: a segment of a generator's sequence); with vector lanes one item
 * does.
 *
 * A launch of a text's kernel covers `groups` items and one row, in work-groups of exactly `block`
 * consecutive items that start at multiples of `block`; items past the end run too, and must check that
 * themselves. */
struct bly_kernel {
    const char *name;
    const char *entry;     /* the literal that makes a row's entry point; NULL of a text's kernel */
    const char *header;    /* of a row that is written for one lane, where it is; NULL: kernels/kernels.h */
    uint32_t row;          /* the row's number (backend/rows.h) */
    uint32_t lane_bytes;   /* 4 or 8: the widest type held in lanes */
    uint32_t params_bytes; /* of the parameter struct, at most BLY_MAX_PARAMS */
    uint32_t buffers;      /* how many buffer arguments follow it, at most BLY_MAX_BUFFERS */
    uint32_t packs;        /* packs that an item with vector lanes takes, 0 for 1; scalar items take one */
    uint32_t striped;      /* packs that an item of one lane takes, 0 for 1: BLY_PACK_STRIDE items apart */
    uint32_t team;         /* items of a team; 0: not a team kernel */
    uint32_t block; /* of a text's kernel: items per work-group, which the text is given as BLY_BLOCK */
    uint32_t shared_bytes; /* of a text's kernel: memory that a work-group shares */
    int early; /* a text's kernel, which says BLY_EARLY: may begin while the one before it ends, and waits by itself */
};

/* The code of a program. */
struct bly_code {
    const char *name;                 /* for the log and for errors */
    const char *text;                 /* NULL: the one kernel is a row */
    const char *const *defines;       /* "NAME" or "NAME=VALUE", for the text; ends with NULL; may be NULL */
    const struct bly_kernel *kernels; /* its entry points; all of a text have the same block */
    uint32_t kernel_count;
    int is_long; /* thousands of operations in a row, as of derivatives, which optimizers take long for */
    int in_half; /* computes in half precision (kernels/half.h) */
};

/* Items of one lane take packs in a striped arrangement, so that neighbours write next to each other at each
 * step: item i takes packs S n (i / S) + i mod S + k S, k below n, where S is BLY_PACK_STRIDE and n is
 * `striped`. Below is the number of items of such a kernel, or of a team kernel. */
#define BLY_PACK_STRIDE 32
static inline uint64_t bly_scalar_items(const struct bly_kernel *kernel, uint64_t groups)
{
    if (kernel->team) return groups * kernel->team;
    if (kernel->striped < 2) return groups;
    const uint64_t span = (uint64_t)BLY_PACK_STRIDE * kernel->striped;
    return (groups / span + (groups % span != 0)) * BLY_PACK_STRIDE;
}

/* The bytes that a work-group of a text's kernel shares: whole vectors, at least one. */
static inline uint32_t bly_shared_bytes(const struct bly_kernel *kernel)
{
    return kernel->shared_bytes ? (kernel->shared_bytes + 15) / 16 * 16 : 16;
}

#define BLY_MAX_BUFFERS 16
#define BLY_MAX_PARAMS 3072 /* bytes of a parameter struct, of fixed-width scalars, 8-byte aligned */

struct bly_memory;  /* memory; each backend defines its own */
struct bly_program; /* a loaded program; each backend defines its own */
struct bly_fence;   /* a place in a queue; each backend defines its own */

/* Where memory lies. PINNED is the host's memory, from and to which the device copies while the host goes on:
 * `address` says where, and the host looks at it when a fence after the copy is done. MAPPED is memory that
 * kernels and the host both see while the kernels run. */
enum bly_memory_kind { BLY_MEMORY_DEVICE, BLY_MEMORY_PINNED, BLY_MEMORY_MAPPED };

/* How bridges that draw by the inverse CDF copy its table into the memory of their work-groups
 * (bailey/device/lang/icdf_copies.h). */
struct bly_copies_tuning {
    uint32_t items;        /* of a work-group; 0: the table is read where it is */
    uint32_t groups;       /* that a unit runs at once; fewer, or fewer items, if one needs many registers */
    uint32_t copies;       /* of the hot rows: 1, 2, 4 or 8 */
    uint32_t octaves;      /* that are hot */
    uint32_t cold;         /* 1 if the other rows are there too; f32 always has them */
    uint32_t shared_bytes; /* of a work-group, with what it draws at a time */
};

/* Numbers tuned for a kind of device, which the host asks for. Each backend keeps its table, with the
 * measurements behind it, in a file of its name (cpu_tuning.c, ...). No result depends on it. */
struct bly_tuning {
    uint64_t scratch_words;   /* words that pass through memory at a time: what the second cache holds */
    uint64_t chunk_bytes;     /* of paths that are built at a time, by the whole device */
    uint64_t compile_normals; /* of a price, from which on it pays to compile its payoff */
    uint64_t z_chunk_bytes;   /* of normals that bridges take through memory at a time */
    uint64_t z_chunk_paths; /* and so many paths of them at least, which keep the device busy; 0: no number */
    uint32_t straight_steps; /* bridges of up to so many steps become straight-line code; 0: none do */
    uint32_t straight_dims;  /* in up to so many dimensions; above, a walk with its stack in shared memory */
    uint32_t divided_dims;   /* the same for step-major arrays, where items share out the dimensions */
    struct bly_copies_tuning copies[2][2];     /* of bridges from sequences, from points; f32, f64 */
    struct bly_copies_tuning in_line[2][2];    /* of those whose code draws each row where it is used */
    uint32_t code;                             /* instructions up to which they do so */
    struct bly_copies_tuning simulation[2][2]; /* of simulations as loops, as straight-line code; f32, f64 */
    uint32_t copies_rows;                      /* fewest rows for copies, if there are items for all groups */
};

/* The caller's function that may end a call (bailey_context_watch), and when it is due. */
struct bly_watch {
    bailey_interrupt function; /* or NULL */
    void *user;
    double due; /* of bly_seconds */
};

#define BLY_WATCH_SECONDS 0.05

/* Whether the caller asks to end the call. For the thread that makes it. */
static inline int bly_watch_stops(struct bly_watch *watch)
{
    if (!watch->function) return 0;
    const double now = bly_seconds();
    if (now < watch->due) return 0;
    watch->due = now + BLY_WATCH_SECONDS;
    return watch->function(watch->user) != 0;
}

/* The failure of a call that was ended so. */
static inline bailey_status bly_watch_stopped(void)
{
    return bly_fail(BAILEY_ERROR_CANCELLED, "the caller's function requested a stop");
}

/* An open device. Backends embed this as their first member. */
struct bly_device {
    const struct bly_backend *backend;
    bailey_device info;
    uint32_t native_functions; /* 1 if the kernels named *_fast differ from the exact ones here */
    uint32_t shared_bytes;     /* that a work-group may share */
    uint32_t group_items;      /* that it may have; 0: as many as the host asks for */
    uint32_t queues;           /* 1, or 2 where work in queue 1 may overlap that in queue 0 */
    enum bly_tuned tuned;      /* whether what is hand-tuned is used */
    const struct bly_tuning *tuning;
    struct bly_watch watch;
    uint32_t sees_pinned;    /* kernels may write to PINNED memory */
    uint32_t warp;           /* items that texts may take to run together (BAILEY_WARP_SHUFFLES); 0: none */
    uint32_t calls_rows;     /* texts may fill memory by rows (kernels_c/entry_c.h) */
    uint32_t params_bytes;   /* of a text's parameter struct, at most */
    uint32_t given_bytes;    /* of a parameter struct, that items read as fast as a constant's; 0: none */
    uint32_t has_rows;       /* rows are loaded without a compiler, whatever becomes of texts */
    uint32_t has_half;       /* texts use its instructions for half precision (kernels/half.h) */
    const char *half_hint;   /* how they could, or NULL */
    uint32_t rounds_roots;   /* divisions and square roots in f32 are rounded correctly */
    const char *miscompiles; /* its compiler, if it gets the first three bridge strategies wrong; or NULL */
};

/* Items of a work-group: `items`, a power of two, or as few as the device asks for. */
static inline uint32_t bly_group_items(const struct bly_device *on, uint32_t items)
{
    while (on->group_items && items > on->group_items && items > 1) items /= 2;
    return items;
}

/* The caller's own context, device and queue or stream for `open`, as the backend's vendor types cast to
 * pointers; the backend makes those that are NULL. */
struct bly_native {
    void *context, *device, *queue;
};

struct bly_open_params {
    uint32_t threads;                /* cpu: 0 for all */
    const char *cache_dir;           /* see bailey_context_params; resolved by the cache */
    const struct bly_native *native; /* NULL: everything is made */
};

/* ---- Operations: each is a bly_op_<name>, in every backend ---------------------------------------- */

/* Counts the devices. With none, writes the reason. Never fails otherwise. */
typedef size_t bly_op_probe(char *why, size_t why_size);
/* Describes device `index` < probe(): fills everything, with `usable` 0 and a reason where it cannot
 * be used. */
typedef void bly_op_describe(size_t index, bailey_device *device);

/* Opens device `index` (ignored when params->native names one). */
typedef bailey_status bly_op_open(size_t index, const struct bly_open_params *params,
                                  struct bly_device **device);
typedef void bly_op_close(struct bly_device *device); /* waits first */

/* Fails with ERROR_UNSUPPORTED where the device has no such memory. */
typedef bailey_status bly_op_alloc(struct bly_device *device, enum bly_memory_kind kind, uint64_t bytes,
                                   struct bly_memory **memory);
/* Where the host sees memory that is PINNED or MAPPED. */
typedef void *bly_op_address(struct bly_memory *memory);
/* Takes the caller's native memory object (host pointer, cl_mem, CUdeviceptr by value in the
 * pointer) without owning it; checks that it holds `bytes` where the platform can tell. */
typedef bailey_status bly_op_adopt(struct bly_device *device, void *native, uint64_t bytes,
                                   struct bly_memory **memory);
typedef void bly_op_release(struct bly_device *device, struct bly_memory *memory); /* NULL is allowed */

/* Host to device, device to host; in the order of queue 0. write and read return when the host memory may
 * be reused or read. */
typedef bailey_status bly_op_write(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                                   const void *source, uint64_t bytes);
typedef bailey_status bly_op_read(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                                  void *destination, uint64_t bytes);

/* Queued, between memory of any kinds. The ranges do not overlap. */
typedef bailey_status bly_op_copy(struct bly_device *device, uint32_t queue, struct bly_memory *source,
                                  uint64_t source_offset, struct bly_memory *destination,
                                  uint64_t destination_offset, uint64_t bytes);
/* Sets every byte of device memory, in queue 0. */
typedef bailey_status bly_op_fill(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                                  uint8_t value, uint64_t bytes);

/* Whether texts can be compiled: OK, or ERROR_UNSUPPORTED and why. NULL where they never can. */
typedef bailey_status bly_op_compiler(struct bly_device *device);
/* Makes a program: a row from what is built in or is compiled for it, a text compiled, or found compiled
 * in the process or on disk. `code` may go afterwards. Fails with ERROR_UNSUPPORTED where there is no
 * compiler or the device cannot run such a work-group, ERROR_BUILD with the log where the text does not
 * compile. */
typedef bailey_status bly_op_load(struct bly_device *device, const struct bly_code *code,
                                  struct bly_program **program);
/* Frees it, after waiting for what is queued. NULL is allowed. */
typedef void bly_op_unload(struct bly_device *device, struct bly_program *program);
/* Fills in the platform's figures for kernel number `kernel`; a figure that it does not report is zero. */
typedef bailey_status bly_op_inspect(struct bly_device *device, struct bly_program *program, uint32_t kernel,
                                     bailey_kernel_info *info);

/* Queues kernel number `kernel` of `program` over groups x rows. `params` is copied; as many buffers as
 * the kernel has, of which any may be NULL. */
typedef bailey_status bly_op_launch(struct bly_device *device, uint32_t queue, struct bly_program *program,
                                    uint32_t kernel, uint64_t groups, uint64_t rows, const void *params,
                                    struct bly_memory *const *buffers);

/* A fence is done once all that was queued in `queue` before it is. The caller frees it. */
typedef bailey_status bly_op_fence(struct bly_device *device, uint32_t queue, struct bly_fence **fence);
/* *done says whether it is; with `wait`, returns when it is. An error of the device's shows here. */
typedef bailey_status bly_op_fence_done(struct bly_device *device, struct bly_fence *fence, int wait,
                                        int *done);
/* Work that is queued in `queue` after this call begins when the fence is done. */
typedef bailey_status bly_op_follow(struct bly_device *device, uint32_t queue, struct bly_fence *fence);
typedef void bly_op_fence_free(struct bly_device *device, struct bly_fence *fence); /* NULL is allowed */

/* Waits for all queues. */
typedef bailey_status bly_op_wait(struct bly_device *device);

/* All of them. */
#define BLY_OPERATIONS(X)                                                                                    \
    X(probe)                                                                                                 \
    X(describe)                                                                                              \
    X(open)                                                                                                  \
    X(close)                                                                                                 \
    X(alloc)                                                                                                 \
    X(address)                                                                                               \
    X(adopt)                                                                                                 \
    X(release)                                                                                               \
    X(write) X(read) X(copy) X(fill) X(compiler) X(load) X(unload) X(inspect) X(launch) X(fence)             \
        X(fence_done) X(follow) X(fence_free) X(wait)

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

#define BLY_MEMBER(name) bly_op_##name *name;
    BLY_OPERATIONS(BLY_MEMBER)
#undef BLY_MEMBER
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
extern const char bly_embedded_digest[]; /* of all of them */

#endif
