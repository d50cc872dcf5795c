/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Building paths: from Z in memory, from normals that are drawn in registers, and from sources whose words
 * follow one another, a chunk of the paths at a time.
 */
#include "bridge_internal.h"

#include <bailey/device/run.h>
#include <host/source/source.h>

#include <string.h>

/* The most Z that goes through memory at once. */
#define CHUNK_BYTES_MOST (UINT64_C(256) << 20)

/* Checks a range of paths, which are points if `points`, and that `buffer` holds `steps` step rows of them.
 */
static bailey_status check_paths(const bailey_bridge *bridge, int points, uint64_t first, uint64_t paths,
                                 uint64_t steps, const bailey_buffer *buffer, const char *name)
{
    if (paths == 0) return bly_fail_argument("paths", "paths is 0, at least 1");
    if (points && first > UINT64_MAX - (paths - 1))
        return bly_fail_argument("first_path", "first_path %llu + paths %llu exceeds 2^64",
                                 (unsigned long long)first, (unsigned long long)paths);
    if (!points && (paths > BAILEY_BRIDGE_MAX_PATHS || first > BAILEY_BRIDGE_MAX_PATHS - paths))
        return bly_fail_argument("first_path", "first_path %llu + paths %llu exceeds 2^38",
                                 (unsigned long long)first, (unsigned long long)paths);
    if (steps == 0) return BAILEY_OK; /* a fixed end and no interior times: there is no Z */
    const uint64_t count = bly_multiply(paths, steps * bridge->info.dims);
    if (count == 0)
        return bly_fail_argument(name, "%s: %llu paths of %llu steps and %u dims exceed 2^64 elements", name,
                                 (unsigned long long)paths, (unsigned long long)steps, bridge->info.dims);
    return bly_check_buffer(bridge->context, buffer, name, 0, count, bly_element_bytes(bridge->precision));
}

static int is_point(const bailey_source *source)
{
    return bly_source_kind(source) == BAILEY_SOURCE_KIND_POINT;
}

static uint64_t z_rows(const bailey_bridge *bridge) { return bridge->info.z_steps * bridge->info.dims; }

/* Checks what only sources whose words follow one another can lack. */
static bailey_status check_run(const bailey_bridge *bridge, const bailey_source *source, uint32_t bits)
{
    if (source->sequence == BAILEY_SEQUENCE_PUBLISHED && source->generator == BAILEY_GENERATOR_MT19937)
        return bly_fail_argument(
            "sequence", "sequence is published, in which mt19937 cannot skip to the rows of a bridge");
    if (bits == 64 && z_rows(bridge) > UINT64_C(1) << (63 - BLY_PATH_BITS))
        return bly_fail_argument(
            "source", "source: %llu rows of 64-bit elements need more than the 2^64 words of generator %s",
            (unsigned long long)z_rows(bridge), bailey_generator_name(source->generator));
    return bly_check_device(bridge->context, source);
}

bailey_status bly_bridge_check_source(const bailey_bridge *bridge, const bailey_source *source,
                                      const bailey_normal_params *normal, enum bly_draw *draw)
{
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    if (!normal) normal = &bly_default_normal;
    bailey_status status = bailey_source_check(source, &kind);
    if (status == BAILEY_OK) status = bly_check_normal(bridge->context, normal, bridge->precision);
    if (status == BAILEY_OK && kind == BAILEY_SOURCE_KIND_POINT) status = bly_check_points(source, normal);
    if (status == BAILEY_OK && kind == BAILEY_SOURCE_KIND_RUN)
        status = check_run(bridge, source, bly_word_bits(bridge->precision, normal->word_bits));
    if (status == BAILEY_OK)
        *draw = kind == BAILEY_SOURCE_KIND_POINT ? BLY_DRAW_points
                                                 : bly_draw_of(bridge->context, normal, bridge->precision);
    return status;
}

bailey_status bly_bridge_rows(const bailey_bridge *bridge, const bailey_source *source, enum bly_draw draw,
                              uint64_t first_row, uint64_t rows, uint64_t first_path, uint64_t paths,
                              bailey_buffer *z)
{
    const struct bly_place place = {.first = (first_row << BLY_PATH_BITS) + first_path,
                                    .count = paths,
                                    .rows = rows,
                                    .row_elements = UINT64_C(1) << BLY_PATH_BITS,
                                    .out = z,
                                    .out_row = paths,
                                    .out_stride = 1};
    return bly_make_normals(bridge->context, source, draw, bridge->precision, &place);
}

/* Distance between rows and between paths of an array of `steps` step rows in the bridge's layout. */
static void strides(const bailey_bridge *bridge, uint64_t steps, uint64_t paths, uint64_t *row,
                    uint64_t *path)
{
    const int step_major = bridge->layout == BAILEY_LAYOUT_STEP_MAJOR;
    *row = step_major ? paths : 1;
    *path = step_major ? 1 : steps * bridge->info.dims;
}

/* The parameters for paths first .. first + paths - 1 that are all of Z and X, in the bridge's layout; those
 * of the source are 0. */
static bly_bridge_params params_of(const bailey_bridge *bridge, uint64_t first, uint64_t paths)
{
    const bailey_bridge_info *info = &bridge->info;
    bly_bridge_params p = {.first_path = first,
                           .paths = paths,
                           .steps = (uint32_t)info->x_steps,
                           .dims = info->dims,
                           .fixed_end = (uint32_t)bridge->fixed_end,
                           .correlated = (uint32_t)bridge->correlated,
                           .slots = info->stack_slots};
    strides(bridge, info->z_steps, paths, &p.z_row, &p.z_path);
    strides(bridge, info->x_steps, paths, &p.x_row, &p.x_path);
    return p;
}

/* bly_given_params of kernels/bridge_code.h. */
union given {
    bly_bridge_params p;
    uint64_t words[BLY_MAX_PARAMS / 8];
};

static void give_weights(const bailey_bridge *bridge, const bly_bridge_params *p, union given *given)
{
    void *const weights = given->words + sizeof *p / 8;
    memset(given, 0, sizeof *given);
    given->p = *p;
#define GIVE(suffix, scalar)                                                                                 \
    for (size_t k = 0; k < bridge->info.x_steps; k++) {                                                      \
        const bailey_bridge_step_##suffix *s = (const bailey_bridge_step_##suffix *)bridge->records + k;     \
        const scalar numbers[3] = {s->left_weight, s->right_weight, s->sigma};                               \
        memcpy((scalar *)weights + 3 * k, numbers, sizeof numbers);                                          \
    }
    if (bridge->precision == BAILEY_PRECISION_F64) {
        GIVE(f64, double)
    } else {
        GIVE(f32, float)
    }
#undef GIVE
}

/* Launches a kernel on X and, where it reads them, Z or what its normals are drawn from. X is all written if
 * it adopts host memory. */
static bailey_status launch_kernel(bailey_bridge *bridge, const struct bly_bridge_launch *launch,
                                   const bly_bridge_params *p, bailey_buffer *const *from, bailey_buffer *x)
{
    const bailey_bridge_info *info = &bridge->info;
    bailey_buffer *buffers[] = {launch->records, bridge->device_constants, from[0], x, from[1], from[2]};
    union given given;
    if (launch->entry.kernel->params_bytes > sizeof *p) {
        give_weights(bridge, p, &given);
        p = &given.p;
    }
    return bly_launch_entry(bridge->context, &launch->entry, launch->groups, 1, p, buffers, x, 0,
                            info->x_steps * info->dims * p->paths * bly_element_bytes(bridge->precision));
}

/* Builds the paths of `p` from Z. */
static bailey_status build(bailey_bridge *bridge, int transfer, const bly_bridge_params *p, bailey_buffer *z,
                           bailey_buffer *x)
{
    bailey_buffer *const from[3] = {bridge->info.z_steps ? z : NULL};
    struct bly_bridge_launch launch;
    if (bridge->pca && !transfer) return bly_pca_build(bridge, p, from[0], x);
    const bailey_status status =
        bly_bridge_find_kernel(bridge, BLY_DRAW_NONE, NULL, transfer, p, from[0], x, &launch);
    return status == BAILEY_OK ? launch_kernel(bridge, &launch, p, from, x) : status;
}

static bailey_status build_from(bailey_bridge *bridge, int transfer, uint64_t paths, bailey_buffer *z,
                                bailey_buffer *x)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    BLY_ENTER(bridge->context);
    bailey_status status = check_paths(bridge, 0, 0, paths, bridge->info.z_steps, z, "z");
    if (status == BAILEY_OK) status = check_paths(bridge, 0, 0, paths, bridge->info.x_steps, x, "x");
    const uint64_t row_bytes = paths * bridge->info.dims * bly_element_bytes(bridge->precision);
    if (status == BAILEY_OK)
        status = bly_check_apart(z, "z", bridge->info.z_steps * row_bytes, x, "x",
                                 bridge->info.x_steps * row_bytes);
    if (status == BAILEY_OK) {
        const bly_bridge_params p = params_of(bridge, 0, paths);
        status = build(bridge, transfer, &p, z, x);
    }
    return bly_finish(bridge->context, status);
}

bailey_status bailey_bridge_build(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z, bailey_buffer *x)
{
    return build_from(bridge, 0, paths, z, x);
}

bailey_status bly_bridge_transfer(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z, bailey_buffer *x)
{
    return build_from(bridge, 1, paths, z, x);
}

static struct bly_point_rows point_rows(const bailey_bridge *bridge, const bailey_source *source,
                                        uint64_t first, uint64_t paths)
{
    return (struct bly_point_rows){.source = source,
                                   .precision = bridge->precision,
                                   .steps = (uint32_t)bridge->info.z_steps,
                                   .factors = bridge->info.dims,
                                   .first = first,
                                   .count = paths};
}

/* Z of paths first .. first + paths - 1, in the bridge's layout. `z` adopts no host memory. */
static bailey_status make_rows(bailey_bridge *bridge, const bailey_source *source, enum bly_draw draw,
                               uint64_t first, uint64_t paths, bailey_buffer *z)
{
    struct bly_place place = {.first = first,
                              .count = paths,
                              .rows = z_rows(bridge),
                              .row_elements = UINT64_C(1) << BLY_PATH_BITS,
                              .out = z};
    if (place.rows == 0) return BAILEY_OK;
    if (is_point(source)) {
        const struct bly_point_rows rows = point_rows(bridge, source, first, paths);
        return bly_points_normals(bridge->context, &rows, bridge->layout == BAILEY_LAYOUT_PATH_MAJOR, z);
    }
    strides(bridge, bridge->info.z_steps, paths, &place.out_row, &place.out_stride);
    return bly_make_normals(bridge->context, source, draw, bridge->precision, &place);
}

/* Paths of a chunk: whole segments of each row, if that is not too much memory. */
static uint64_t chunk_paths(const bailey_bridge *bridge)
{
    const bailey_device *device = &bridge->context->device->info;
    const struct bly_tuning *tuning = bridge->context->device->tuning;
    const uint64_t element = bly_element_bytes(bridge->precision), path_bytes = z_rows(bridge) * element;
    const uint64_t limit = device->allocation_bytes / 4;
    const uint64_t most = (limit < CHUNK_BYTES_MOST ? limit : CHUNK_BYTES_MOST) / path_bytes;
    uint64_t segment = BAILEY_RUN_WORDS * sizeof(uint32_t) / element; /* paths that it serves in a row */
    const uint64_t least = tuning->z_chunk_paths ? tuning->z_chunk_paths : segment;
    uint64_t paths = tuning->z_chunk_bytes / path_bytes;
    if (paths < least) paths = least;
    if (paths > most) paths = most;
    if (paths >= segment) return paths / segment * segment;
    while (segment > paths && segment > bly_block_elements(bridge->precision)) segment /= 2;
    return segment;
}

/* Fewer paths than that, of which chunks begin where segments do or blocks at least; 0: there is no smaller
 * chunk. */
static uint64_t smaller_chunk(const bailey_bridge *bridge, uint64_t paths)
{
    const uint64_t segment = BAILEY_RUN_WORDS * sizeof(uint32_t) / bly_element_bytes(bridge->precision);
    const uint64_t unit = paths >= 2 * segment ? segment : bly_block_elements(bridge->precision);
    return paths / 2 / unit * unit;
}

/* Memory for the Z of chunks of `*most` paths, or of fewer where the device has no room for so many. */
static bailey_status take_z(bailey_bridge *bridge, uint64_t paths, uint64_t *most, bailey_buffer **z)
{
    const uint64_t path_bytes = z_rows(bridge) * bly_element_bytes(bridge->precision);
    for (;;) {
        const uint64_t chunk = *most < paths ? *most : paths;
        const bailey_status status = bly_pool_take(bridge->context, BLY_MEMORY_DEVICE, chunk * path_bytes, z);
        if (status != BAILEY_ERROR_MEMORY) return status;
        uint64_t smaller = smaller_chunk(bridge, *most);
        while (smaller >= paths) smaller = smaller_chunk(bridge, smaller);
        if (!smaller) return status;
        *most = smaller;
    }
}

/* The buffer without the host memory that it adopts: what is written in parts is copied there at the end. */
static bailey_buffer device_side(const bailey_buffer *buffer)
{
    bailey_buffer side = *buffer;
    side.host = NULL;
    return side;
}

static bailey_status copy_out(const bailey_buffer *buffer, uint64_t bytes)
{
    struct bly_device *device = buffer->context->device;
    if (!buffer->host) return BAILEY_OK;
    return device->backend->read(device, buffer->memory, 0, buffer->host, bytes);
}

/* Builds paths from normals that go through memory of the context, chunk by chunk. Chunks end at multiples of
 * their length, so that they begin where segments do. */
static bailey_status build_chunks(bailey_bridge *bridge, const bailey_source *source, enum bly_draw draw,
                                  uint64_t first, uint64_t paths, bailey_buffer *x)
{
    uint64_t most = chunk_paths(bridge);
    const bly_bridge_params all = params_of(bridge, 0, paths);
    bailey_buffer side = device_side(x);
    bailey_buffer *z = NULL;
    bailey_status status = take_z(bridge, paths, &most, &z);
    for (uint64_t done = 0, count; done < paths && status == BAILEY_OK; done += count) {
        const uint64_t room = most - (first + done) % most;
        count = paths - done < room ? paths - done : room;
        bly_bridge_params p = params_of(bridge, 0, count);
        p.x_row = all.x_row;
        p.x_first = done * all.x_path;
        status = make_rows(bridge, source, draw, first + done, count, z);
        if (status == BAILEY_OK) status = build(bridge, 0, &p, z, &side);
    }
    bly_pool_release(z);
    if (status != BAILEY_OK) return status;
    return copy_out(x,
                    bridge->info.x_steps * bridge->info.dims * paths * bly_element_bytes(bridge->precision));
}

/* Launches a kernel that draws its normals, all paths of X at once. */
static bailey_status launch_drawing(bailey_bridge *bridge, const struct bly_bridge_launch *launch,
                                    const bailey_source *source, const bly_bridge_params *p, bailey_buffer *x)
{
    bailey_buffer *from[3] = {NULL}, *heads = NULL;
    bailey_status status = bly_normal_table(bridge->context, bridge->precision, &from[0]);
    if (status == BAILEY_OK && is_point(source)) {
        const struct bly_point_rows rows = point_rows(bridge, source, p->first_path, p->paths);
        status = bly_points_heads(bridge->context, &rows, &from[1], &heads);
        from[2] = heads;
    }
    if (status == BAILEY_OK) status = launch_kernel(bridge, launch, p, from, x);
    bly_pool_release(heads);
    return status;
}

/* Builds paths first .. of a source that has been checked. */
static bailey_status build_drawn(bailey_bridge *bridge, const bailey_source *source, enum bly_draw draw,
                                 uint64_t first, uint64_t paths, bailey_buffer *x)
{
    bly_bridge_params p = params_of(bridge, first, paths);
    const int drawn = bly_source_kind(source) != BAILEY_SOURCE_KIND_RUN && z_rows(bridge) > 0;
    if (drawn) {
        struct bly_bridge_launch launch;
        p.keys = bailey_philox_keys_of(source->seed);
        p.stream = source->stream;
        p.rounds = bly_source_rounds(source);
        const bailey_status status =
            bly_bridge_find_kernel(bridge, (int)draw, source, 0, &p, NULL, x, &launch);
        if (status != BAILEY_OK) return status;
        if (launch.entry.program) return launch_drawing(bridge, &launch, source, &p, x);
    }
    if (z_rows(bridge) > 0) return build_chunks(bridge, source, draw, first, paths, x);
    p = params_of(bridge, 0, paths); /* there is nothing to draw */
    return build(bridge, 0, &p, NULL, x);
}

bailey_status bailey_bridge_paths(bailey_bridge *bridge, const bailey_source *source,
                                  const bailey_normal_params *normal, uint64_t first_path, uint64_t paths,
                                  bailey_buffer *x)
{
    enum bly_draw draw = BLY_DRAW_icdf_f32;
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    BLY_ENTER(bridge->context);
    bailey_status status = bly_bridge_check_source(bridge, source, normal, &draw);
    if (status == BAILEY_OK)
        status = check_paths(bridge, is_point(source), first_path, paths, bridge->info.x_steps, x, "x");
    if (status == BAILEY_OK) status = build_drawn(bridge, source, draw, first_path, paths, x);
    return bly_finish(bridge->context, status);
}

bailey_status bailey_bridge_normals(bailey_bridge *bridge, const bailey_source *source,
                                    const bailey_normal_params *normal, uint64_t first_path, uint64_t paths,
                                    bailey_buffer *z)
{
    enum bly_draw draw = BLY_DRAW_icdf_f32;
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    BLY_ENTER(bridge->context);
    bailey_status status = bly_bridge_check_source(bridge, source, normal, &draw);
    if (status == BAILEY_OK)
        status = check_paths(bridge, is_point(source), first_path, paths, bridge->info.z_steps, z, "z");
    if (status != BAILEY_OK || z_rows(bridge) == 0) return bly_finish(bridge->context, status);
    bailey_buffer side = device_side(z);
    status = make_rows(bridge, source, draw, first_path, paths, &side);
    if (status == BAILEY_OK)
        status = copy_out(z, z_rows(bridge) * paths * bly_element_bytes(bridge->precision));
    return bly_finish(bridge->context, status);
}

bailey_status bailey_bridge_inspect(bailey_bridge *bridge, const bailey_source *source,
                                    const bailey_normal_params *normal, bailey_kernel_info *info)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    BLY_ENTER(bridge->context);
    bailey_context *context = bridge->context;
    if (!info) return bly_finish(context, bly_fail_argument("info", "info is NULL"));
    struct bly_bridge_launch launch;
    bly_bridge_params p = params_of(bridge, 0, UINT64_C(1) << 30);
    enum bly_draw draw = BLY_DRAW_icdf_f32;
    bailey_status status = BAILEY_OK;
    memset(info, 0, sizeof *info);
    if (source) status = bly_bridge_check_source(bridge, source, normal, &draw);
    const int drawn = status == BAILEY_OK && source && bly_source_kind(source) != BAILEY_SOURCE_KIND_RUN;
    if (drawn) p.rounds = bly_source_rounds(source);
    if (status == BAILEY_OK)
        status = bly_bridge_find_kernel(bridge, drawn ? (int)draw : BLY_DRAW_NONE, drawn ? source : NULL, 0,
                                        &p, NULL, NULL, &launch);
    if (status == BAILEY_OK && !launch.entry.program)
        status = bly_bridge_find_kernel(bridge, BLY_DRAW_NONE, NULL, 0, &p, NULL, NULL, &launch);
    if (status == BAILEY_OK)
        status = context->device->backend->inspect(context->device, launch.entry.program, launch.entry.number,
                                                   info);
    return bly_finish(context, status);
}
