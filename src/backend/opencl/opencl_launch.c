/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Loaded programs and their launches. A kernel is made once for each program, with the work-group size that
 * its row asks for checked against the device; a launch sets arguments and enqueues.
 */
#include "opencl_internal.h"

#ifdef BLY_HAVE_OPENCL

#include <backend/programs.h>
#include <backend/rows.h>
#include <base/alloc.h>
#include <kernels_cl/tuned/tuned_cl.h>

#include <stdlib.h>
#include <string.h>

/* Limits of one enqueue. NVIDIA's drivers take 65,535 groups in dimension 1; some drivers count all items
 * of a range in 32 bits. */
#define MAX_ITEMS (UINT64_C(1) << 30)
#define MAX_ROWS (UINT64_C(1) << 15)
#define MAX_RANGE (UINT64_C(1) << 31)

struct kernel {
    const struct bly_kernel *what; /* of the program's */
    cl_kernel kernel;
    unsigned packs; /* that an item takes, one lane's share each */
};

struct bly_program {
    cl_program program;
    int is_text;
    struct bly_cl_shape shape;
    uint64_t most_groups;      /* of a tuned replacement, which loop over all items of all rows; else 0 */
    uint64_t least_items;      /* launches of fewer take the row itself */
    struct bly_program *plain; /* which is made when it is used */
    uint32_t count;
    struct bly_kernel *what;
    struct kernel kernels[];
};

/* ---- Loading --------------------------------------------------------------------------------- */

/* Whether the device has room for the work-groups. */
static bailey_status check_groups(const struct bly_cl_device *device, const struct bly_code *code,
                                  const struct bly_cl_shape *shape)
{
    const char *address = device->base.info.address;
    const uint32_t most = device->base.group_items;
    if (code->text && most && shape->local_size > most)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "program %s: work-groups of %zu items; the maximum on %s is %u", code->name,
                        shape->local_size, address, (unsigned)most);
    if (code->text && shape->shared_bytes > device->base.shared_bytes)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "program %s: %u bytes of local memory needed; %s has %u",
                        code->name, (unsigned)shape->shared_bytes, address,
                        (unsigned)device->base.shared_bytes);
    const uint32_t team = code->text || !device->scalar ? 0 : code->kernels->team;
    if (team && shape->local_size % team)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s allows groups of at most %zu items; %s needs %u",
                        address, shape->local_size, code->name, (unsigned)team);
    return BAILEY_OK;
}

/* Whether the compiled kernel can run in the work-groups that it was written for. Where the answer ignores
 * the size that the kernel requires, it is not asked for: the driver compiles for that size, with as few
 * registers as it takes, and check_groups has held it against the device's limit. */
static bailey_status check_kernel(const struct bly_cl_device *device, const struct bly_program *program,
                                  const struct kernel *kernel)
{
    size_t most = 0;
    if (device->target.traits.ignores_required ||
        bly_cl.clGetKernelWorkGroupInfo(kernel->kernel, device->target.device, CL_KERNEL_WORK_GROUP_SIZE,
                                        sizeof most, &most, NULL) != CL_SUCCESS ||
        most >= program->shape.local_size)
        return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                    "kernel %s: work-groups of %zu items; compiled for %s, the maximum is %zu",
                    kernel->what->name, program->shape.local_size, device->base.info.address, most);
}

/* Releases what make_kernels made, whole or in part. */
static void release_kernels(struct bly_program *program)
{
    for (uint32_t i = 0; i < program->count; i++)
        if (program->kernels[i].kernel) bly_cl.clReleaseKernel(program->kernels[i].kernel);
    for (uint32_t i = 0; i < program->count; i++) program->kernels[i].kernel = NULL;
    if (program->program) bly_cl.clReleaseProgram(program->program);
    program->program = NULL;
}

static bailey_status fail(const struct kernel *kernel, const char *call, cl_int error)
{
    const bailey_status status = bly_cl_fail(error, call);
    return bly_fail(status, "kernel %s: %s: %s (%d)", kernel->what->name, call, bly_cl_error_name(error),
                    (int)error);
}

static bailey_status make_kernel(const struct bly_cl_device *device, const struct bly_program *program,
                                 struct kernel *kernel)
{
    cl_int error;
    cl_kernel made = bly_cl.clCreateKernel(program->program, kernel->what->name, &error);
    if (error) return fail(kernel, "clCreateKernel", error);
    kernel->kernel = made;
    return program->is_text ? check_kernel(device, program, kernel) : BAILEY_OK;
}

/* Makes the program in its shape, and the kernels. */
static bailey_status make_kernels(const struct bly_cl_device *device, const struct bly_code *code,
                                  struct bly_program *program)
{
    bailey_status status = bly_cl_program_make(&device->target, code, &program->shape, &program->program);
    for (uint32_t i = 0; i < program->count && status == BAILEY_OK; i++)
        status = make_kernel(device, program, &program->kernels[i]);
    if (status != BAILEY_OK) release_kernels(program);
    return status;
}

/* How many items the sub-groups of a row's work-groups have, except the last one of a work-group, which may
 * have fewer; 0 if the driver does not say. */
static size_t subgroup_size(const struct bly_cl_device *device, const struct bly_program *program)
{
    const size_t local[2] = {program->shape.local_size, 1};
    size_t size = 0;
    return bly_cl.clGetKernelSubGroupInfo(program->kernels->kernel, device->target.device,
                                          CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local,
                                          sizeof size, &size, NULL) == CL_SUCCESS
               ? size
               : 0;
}

/* Makes a team kernel with shuffles; returns 0 where it cannot be used. */
static int make_shuffling(const struct bly_cl_device *device, const struct bly_code *code,
                          struct bly_program *program)
{
    program->shape.standard = device->shuffles;
    if (make_kernels(device, code, program) != BAILEY_OK) {
        bly_log(1, "opencl: %s fails with sub-groups; local memory is used instead", code->name);
        bly_log(2, "opencl: %s", bailey_error_message());
        return 0;
    }
    const size_t size = subgroup_size(device, program);
    if ((size == 32 || size == 64) && program->shape.local_size % size == 0) return 1;
    bly_log(1, "opencl: %s has sub-groups of %zu items, not 32 or 64; local memory is used instead",
            code->name, size);
    release_kernels(program);
    return 0;
}

/* Team kernels shuffle where they can: after one that cannot, none is tried again. */
static bailey_status make(struct bly_cl_device *device, const struct bly_code *code,
                          struct bly_program *program)
{
    const bailey_status status = check_groups(device, code, &program->shape);
    if (status != BAILEY_OK) return status;
    if (device->shuffles && !code->text && code->kernels->team && device->scalar) {
        if (make_shuffling(device, code, program)) return BAILEY_OK;
        device->shuffles = 0;
    }
    program->shape.standard = 12;
    return make_kernels(device, code, program);
}

/* An empty program with copies of the kernels. */
static struct bly_program *new_program(const struct bly_code *code)
{
    struct bly_program *program = calloc(1, sizeof *program + code->kernel_count * sizeof *program->kernels);
    if (!program) return NULL;
    program->count = code->kernel_count;
    program->is_text = code->text != NULL;
    program->what = bly_code_kernels(code);
    for (uint32_t i = 0; program->what && i < program->count; i++)
        program->kernels[i].what = &program->what[i];
    if (program->what) return program;
    free(program);
    return NULL;
}

static void free_program(struct bly_program *program)
{
    if (program->plain) free_program(program->plain);
    release_kernels(program);
    bly_free(program->what);
    free(program);
}

/* How tuned replacements are compiled and launched. */
struct tuned {
    unsigned items, groups, bytes;
    const char *definitions;
};

static const struct tuned tuned[BLY_KERNELS] = {
#define SHAPE(items, groups, bytes, definitions)                                                             \
    {                                                                                                        \
        items, groups, bytes, definitions                                                                    \
    }
#define ROW(name, shape, gain) [BLY_KERNEL_##name] = BLY_SHAPE_##shape(SHAPE),
    BLY_TUNED_CL(ROW)
#undef ROW
#undef SHAPE
};

/* The row's replacement, if the device can and should use it. */
static const struct tuned *tuned_of(const struct bly_cl_device *device, const struct bly_code *code)
{
    const struct tuned *found = code->text ? NULL : &tuned[code->kernels->row];
    if (!found || !found->items || found->bytes > device->base.shared_bytes) return NULL;
    if (device->base.group_items && device->base.group_items < found->items) return NULL;
    const int pays = device->base.info.kind == BAILEY_DEVICE_KIND_GPU;
    return device->base.tuned == BLY_TUNED_ALWAYS || (device->base.tuned && pays) ? found : NULL;
}

static void set_tuned(const struct bly_cl_device *device, const struct tuned *shape,
                      struct bly_program *program)
{
    const uint32_t units = device->base.info.units ? device->base.info.units : 1;
    program->shape.lanes = 1;
    program->shape.local_size = shape->items;
    program->shape.shared_bytes = shape->bytes;
    program->shape.tuned = shape->definitions;
    program->most_groups = (uint64_t)shape->groups * units;
    if (device->base.tuned == BLY_TUNED_WHERE_IT_PAYS)
        program->least_items = program->most_groups * shape->items / 2;
    program->kernels->packs = 1;
}

static void set_shape(const struct bly_cl_device *device, const struct bly_code *code,
                      struct bly_program *program)
{
    const int scalar = code->text || code->kernels->header || device->scalar;
    const unsigned lanes = scalar ? 1 : 64 / code->kernels->lane_bytes;
    program->shape.lanes = lanes;
    program->shape.local_size = code->text ? code->kernels->block : device->local_size;
    program->shape.shared_bytes = code->text ? bly_code_shared_bytes(code) : 0;
    for (uint32_t i = 0; i < program->count; i++) {
        struct kernel *kernel = &program->kernels[i];
        kernel->packs = kernel->what->team                 ? 1
                        : lanes > 1 && kernel->what->packs ? lanes * kernel->what->packs
                                                           : lanes;
    }
}

/* Makes the program in the shape of a tuned replacement, or in its default shape. */
static bailey_status load(struct bly_cl_device *device, const struct bly_code *code,
                          const struct tuned *replacement, struct bly_program **result)
{
    *result = NULL;
    struct bly_program *program = new_program(code);
    if (!program) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a program");
    if (replacement)
        set_tuned(device, replacement, program);
    else
        set_shape(device, code, program);
    const bailey_status status = make(device, code, program);
    if (status == BAILEY_OK)
        *result = program;
    else
        free_program(program);
    return status;
}

bailey_status bly_cl_load(struct bly_device *base, const struct bly_code *code, struct bly_program **result)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
    const struct tuned *replacement = tuned_of(device, code);
    const bailey_status status = load(device, code, replacement, result);
    if (status != BAILEY_ERROR_BUILD || !replacement || device->base.tuned == BLY_TUNED_ALWAYS) return status;
    bly_log(1, "opencl: %s without its tuned replacement: %s", code->name, bailey_error_message());
    return load(device, code, NULL, result);
}

/* The row of which `program` is the replacement. */
static bailey_status find_plain(struct bly_cl_device *device, struct bly_program *program)
{
    if (program->plain) return BAILEY_OK;
    const struct bly_code code = {.name = program->what->name, .kernels = program->what, .kernel_count = 1};
    return load(device, &code, NULL, &program->plain);
}

void bly_cl_unload(struct bly_device *base, struct bly_program *program)
{
    if (!program) return;
    bly_cl_finish((struct bly_cl_device *)base);
    free_program(program);
}

/* ---- Figures from the driver ----------------------------------------------------------------- */

static uint32_t kernel_bytes(const struct bly_cl_device *device, const struct kernel *kernel,
                             cl_kernel_work_group_info what)
{
    cl_ulong bytes = 0;
    return bly_cl.clGetKernelWorkGroupInfo(kernel->kernel, device->target.device, what, sizeof bytes, &bytes,
                                           NULL) == CL_SUCCESS
               ? (uint32_t)bytes
               : 0;
}

bailey_status bly_cl_inspect(struct bly_device *base, struct bly_program *program, uint32_t number,
                             bailey_kernel_info *info)
{
    const struct bly_cl_device *device = (struct bly_cl_device *)base;
    const struct kernel *kernel = &program->kernels[number];
    memset(info, 0, sizeof *info);
    info->block = (uint32_t)program->shape.local_size;
    /* PoCL answers with a constant. */
    if (!device->target.traits.specialises)
        info->spill_bytes = kernel_bytes(device, kernel, CL_KERNEL_PRIVATE_MEM_SIZE);
    info->shared_bytes = kernel_bytes(device, kernel, CL_KERNEL_LOCAL_MEM_SIZE);
    /* PoCL 5.0 answers 0 whatever the kernel declares. */
    if (program->is_text && info->shared_bytes < program->shape.shared_bytes)
        info->shared_bytes = program->shape.shared_bytes;
    info->registers = bly_cl_program_registers(&device->target, program->program, kernel->what->name);
    return BAILEY_OK;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Each of these names the call that fails. */
static cl_int set_argument(const struct kernel *kernel, cl_uint index, size_t size, const void *value,
                           const char **call)
{
    *call = "clSetKernelArg";
    return bly_cl.clSetKernelArg(kernel->kernel, index, size, value);
}

static cl_int set_arguments(const struct kernel *kernel, const void *params,
                            struct bly_memory *const *buffers, const char **call)
{
    cl_int error = set_argument(kernel, 0, kernel->what->params_bytes, params, call);
    for (cl_uint i = 0; i < kernel->what->buffers && !error; i++)
        error = set_argument(kernel, 1 + i, sizeof(cl_mem), buffers[i] ? &buffers[i]->object : NULL, call);
    return error;
}

static cl_int queue_range(cl_command_queue queue, const struct kernel *kernel, const size_t local[2],
                          const size_t global[2], const char **call)
{
    *call = "clEnqueueNDRangeKernel";
    return bly_cl.clEnqueueNDRangeKernel(queue, kernel->kernel, 2, NULL, global, local, 0, NULL, NULL);
}

/* Queues items [item, end) of all rows. */
static cl_int queue_items(cl_command_queue queue, const struct kernel *kernel, size_t local_size,
                          cl_ulong item, cl_ulong end, uint64_t rows, const char **call)
{
    const cl_uint range = 1 + kernel->what->buffers; /* index of the argument first_item */
    const size_t local[2] = {local_size, 1};
    const size_t padded = (size_t)((end - item + local_size - 1) / local_size * local_size);
    cl_int error = set_argument(kernel, range, sizeof item, &item, call);
    if (!error) error = set_argument(kernel, range + 1, sizeof end, &end, call);
    cl_ulong rows_now;
    for (cl_ulong row = 0; row < rows && !error; row += rows_now) {
        rows_now = least(least(rows - row, MAX_ROWS), MAX_RANGE / padded);
        const size_t global[2] = {padded, (size_t)rows_now};
        error = set_argument(kernel, range + 2, sizeof row, &row, call);
        if (!error) error = queue_range(queue, kernel, local, global, call);
    }
    return error;
}

static cl_ulong items_of(const struct bly_cl_device *device, const struct bly_program *program,
                         const struct kernel *kernel, uint64_t groups)
{
    if ((device->scalar || program->most_groups) && !program->is_text)
        return bly_scalar_items(kernel->what, groups);
    return groups / kernel->packs + (groups % kernel->packs != 0);
}

/* Queues groups that loop over all items of all rows. */
static cl_int queue_loop(cl_command_queue queue, const struct bly_program *program, cl_ulong items,
                         cl_ulong rows, const char **call)
{
    const struct kernel *kernel = program->kernels;
    const cl_uint range = 1 + kernel->what->buffers;
    const cl_ulong zero = 0, all = items * rows, local_size = program->shape.local_size;
    const size_t local[2] = {local_size, 1};
    const size_t global[2] = {
        (size_t)(least(program->most_groups, (all + local_size - 1) / local_size) * local_size), 1};
    cl_int error = set_argument(kernel, range, sizeof zero, &zero, call);
    if (!error) error = set_argument(kernel, range + 1, sizeof items, &items, call);
    if (!error) error = set_argument(kernel, range + 2, sizeof rows, &rows, call);
    return error ? error : queue_range(queue, kernel, local, global, call);
}

bailey_status bly_cl_launch(struct bly_device *base, uint32_t number, struct bly_program *program,
                            uint32_t which, uint64_t groups, uint64_t rows, const void *params,
                            struct bly_memory *const *buffers)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
    cl_command_queue queue;
    bailey_status status = bly_cl_queue(device, number, &queue);
    if (status == BAILEY_OK &&
        items_of(device, program, &program->kernels[which], groups) * rows < program->least_items) {
        status = find_plain(device, program);
        program = program->plain;
    }
    if (status != BAILEY_OK) return status;
    const struct kernel *kernel = &program->kernels[which];
    const size_t local_size = program->shape.local_size;
    const uint64_t most_items = MAX_ITEMS / local_size * local_size;
    const cl_ulong items = items_of(device, program, kernel, groups);
    cl_ulong item = 0;
    const char *call = NULL;
    cl_int error = set_arguments(kernel, params, buffers, &call);
    if (program->most_groups && !error) {
        error = queue_loop(queue, program, items, rows, &call);
        item = items;
    }
    for (; item < items && !error; item += most_items)
        error =
            queue_items(queue, kernel, local_size, item, item + least(items - item, most_items), rows, &call);
    if (error) return fail(kernel, call, error);
    return bly_cl_queued(queue, CL_SUCCESS, NULL);
}

#endif
