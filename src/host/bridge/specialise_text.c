/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The text of strategies 7 and 8. kernels/bridge_code.h has the functions that the statements call.
 */
#include "specialise_text.h"

#include <kernels/bridges.h>

#define AHEAD_BYTES 256u   /* of Z that an item has in flight */
#define EVERY 4u           /* steps between two pauses */
#define REGISTER_FACTOR 8u /* dimensions up to which C stays in registers */

#define WRITE(...) bly_text_add(&w->text, __VA_ARGS__)

/* A value in dimension `dim` of the block or program whose first step is `first`: a variable's name. */
static void write_value(struct bly_writer *w, int value, uint32_t first, uint32_t dim)
{
    if (value == BLY_OUTER_LEFT || value == BLY_OUTER_RIGHT)
        WRITE("%s_%u", value == BLY_OUTER_LEFT ? "left" : "right", dim);
    else if (w->increments)
        WRITE("%s%u_%u", value % 2 ? "h" : "l", (uint32_t)value / 2 - first, dim);
    else
        WRITE("x%u_%u", (uint32_t)value - first, dim);
}

/* A row of Z or X: the number of a step's first row, or in a block the record's. */
static void write_row(struct bly_writer *w, int in_block, uint32_t i, const char *field, uint32_t step,
                      uint32_t dim)
{
    const uint32_t dims = w->job->dims;
    if (in_block)
        WRITE("(bailey_uint64)%u * (s[%u].%s) + %u", dims, i, field, dim);
    else
        WRITE("%u", step * dims + dim * w->parts);
}

/* What guards a statement, or a value, of dimension `dim`: not all items may have the last one. */
static const char *only_if(const struct bly_writer *w, uint32_t dim)
{
    return bly_is_ragged(w) && dim == w->dims - 1 ? "if (t.has_last) " : "";
}
static const char *zero_unless(const struct bly_writer *w, uint32_t dim)
{
    return *only_if(w, dim) ? "!t.has_last ? bly_splat(0) : " : "";
}

/* Entry `dim` of C z of step i. */
static void write_correlated(struct bly_writer *w, uint32_t i, uint32_t dim)
{
    if (!w->job->correlated || w->exchanges) {
        WRITE("%s%u_%u", w->exchanges ? "y" : "z", i, dim);
        return;
    }
    for (uint32_t j = dim; j > 0; j--) WRITE("bly_fma(BLY_C(%u, %u), z%u_%u, ", dim, j, i, j);
    WRITE("bly_scale(BLY_C(%u, 0), z%u_0)", dim, i);
    for (uint32_t j = dim; j > 0; j--) WRITE(")");
}

/* Where step i has its Z in shared memory, or its C Z: there are two places in turn, and C Z comes to the
 * place of the steps before, so that an item may go on while others still read. */
static uint32_t place_of(const struct bly_writer *w, uint32_t i, int correlated)
{
    const uint32_t half = w->exchanges ? (i / w->stash + (uint32_t)correlated) % 2 : 0;
    return (half * w->stash + i % w->stash) * w->job->dims;
}

/* One product of write_correlate, and what is added to it. */
static void write_product(struct bly_writer *w, uint32_t j, uint32_t dim)
{
    const uint32_t entry = j * w->dims + dim, surely = dim * w->parts;
    WRITE("    ");
    if (j > surely) WRITE("if (t.part >= %u) ", j - surely);
    if (j == 0)
        WRITE("y%u = bly_scale(c[%u], z);\n", dim, entry);
    else
        WRITE("y%u = bly_fma(c[%u], z, y%u);\n", dim, entry, dim);
}

/* The function that makes C Z of an item's dims, for some steps, of what the items have shown each other.
 * Items have the same code, and C is lower triangular: where a product is in the sums of only some items,
 * each item asks whether its sum has it. A loop, as straight-line code would be too long for the cache of
 * instructions: 0.44 of a copy instead of 0.93 with 16 dims on an H200. */
static void write_correlate(struct bly_writer *w)
{
    const uint32_t dims = w->job->dims;
    WRITE("BAILEY_FN void bly_correlate(bly_item t, bailey_uint32 from, bailey_uint32 to, bailey_uint32 "
          "steps)\n{\n");
    WRITE("    const BLY_SHARED BLY_SCALAR *c = t.factor;\n    bly_pack z");
    for (uint32_t dim = 0; dim < w->dims; dim++) WRITE(", y%u", dim);
    WRITE(";\n    BAILEY_UNROLL_1\n    for (bailey_uint32 i = 0; i < steps * %u; i += %u) {\n", dims, dims);
    for (uint32_t j = 0; j < dims; j++) {
        WRITE("    z = bly_shown(&t, from + i + %u);\n", j);
        for (uint32_t dim = j / w->parts; dim < w->dims; dim++) write_product(w, j, dim);
    }
    for (uint32_t dim = 0; dim < w->dims; dim++)
        WRITE("    %sbly_show(&t, to + i + %u, y%u);\n", only_if(w, dim), dim * w->parts, dim);
    WRITE("    }\n}\n");
}

/* Once all rows of a vector have their values it goes to the tile. */
static void write_put(struct bly_writer *w, uint32_t row)
{
    const uint32_t v = row / w->elements;
    w->made[row] = 1;
    for (uint32_t i = 0; i < w->elements; i++)
        if (!w->made[v * w->elements + i]) return;
    WRITE("    bly_tile_put(&t, %u", v);
    for (uint32_t i = 0; i < w->elements; i++) WRITE(", o%u", v * w->elements + i);
    WRITE(");\n");
}

/* Opens the store of the value that is written next; write_stored closes it. */
static void write_store(struct bly_writer *w, int in_block, uint32_t i, const char *field, uint32_t step,
                        uint32_t tile_row, uint32_t dim)
{
    if (w->vectors) {
        WRITE("    const bly_pack o%u = ", step * w->job->dims + dim);
        return;
    }
    WRITE("    %sbly_x(&t, ", only_if(w, dim));
    write_row(w, in_block, i, field, step, dim);
    WRITE(", %u, ", tile_row * w->job->dims + dim);
}

static void write_stored(struct bly_writer *w, uint32_t step, uint32_t dim)
{
    WRITE(w->vectors ? ";\n" : ");\n");
    if (w->vectors) write_put(w, step * w->job->dims + dim);
}

static void write_point(struct bly_writer *w, uint32_t k, uint32_t first, int in_block, int a, int b,
                        uint32_t dim)
{
    const struct bly_step *s = &w->steps[k];
    const uint32_t i = k - first;
    WRITE("    const bly_pack x%u_%u = ", i, dim);
    if (!bly_step_draws(w, k)) {
        WRITE("bly_splat(c[%u]);\n", w->job->dims + dim * w->parts);
    } else if (w->job->transfer) {
        WRITE("z%u_%u;\n", i, dim);
    } else {
        WRITE(w->job->gives ? "bly_point(bly_given_step(&given, %u), " : "bly_point(s[%u], ", i);
        write_value(w, a, first, dim);
        WRITE(", ");
        write_value(w, b, first, dim);
        WRITE(", ");
        write_correlated(w, i, dim);
        WRITE(");\n");
    }
    write_store(w, in_block, i, "point - 1", s->r.a - 1, s->tile_rows[0], dim);
    WRITE("x%u_%u", i, dim);
    write_stored(w, s->r.a - 1, dim);
}

/* The root of increments: X(T) - X(t0), or the only increment. */
static void write_root(struct bly_writer *w, uint32_t dim)
{
    if (w->job->fixed_end) {
        WRITE("BLY_ROOT_FIXED(*s, c[%u], c[%u])", dim * w->parts, w->job->dims + dim * w->parts);
    } else {
        WRITE("BLY_ROOT(*s, ");
        write_correlated(w, 0, dim);
        WRITE(")");
    }
}

static void write_split(struct bly_writer *w, uint32_t k, uint32_t first, int in_block, int a, uint32_t dim)
{
    const struct bly_step *s = &w->steps[k];
    const uint32_t i = k - first;
    uint32_t stored = 0;
    if (!in_block && k == 0) {
        WRITE("    const bly_pack l0_%u = ", dim);
        write_root(w, dim);
        WRITE(", h0_%u = l0_%u;\n", dim, dim);
        if (w->job->steps > 1) return;
        write_store(w, in_block, i, "gap", 0, s->tile_rows[0], dim);
        WRITE("l0_%u", dim);
        write_stored(w, 0, dim);
        return;
    }
    WRITE("    const bly_pack w%u_%u = ", i, dim);
    write_correlated(w, i, dim);
    for (uint32_t part = 0; part < 2; part++) {
        WRITE(";\n    const bly_pack %s%u_%u = bly_%s(s[%u], ", part ? "h" : "l", i, dim,
              part ? "right" : "left", i);
        write_value(w, a, first, dim);
        WRITE(", w%u_%u)", i, dim);
    }
    WRITE(";\n");
    if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(s->r.code)) {
        write_store(w, in_block, i, "gap", s->r.a, s->tile_rows[stored++], dim);
        WRITE("l%u_%u", i, dim);
        write_stored(w, s->r.a, dim);
    }
    if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s->r.code)) {
        write_store(w, in_block, i, "node", s->r.b, s->tile_rows[stored], dim);
        WRITE("h%u_%u", i, dim);
        write_stored(w, s->r.b, dim);
    }
}

/* The step `k`, which is number k - first of its block or of the program. */
static void write_step(struct bly_writer *w, uint32_t k, uint32_t first, int in_block)
{
    const struct bly_step *s = &w->steps[k];
    const int a = in_block ? bly_step_relative(w, first, s->a) : s->a,
              b = in_block ? bly_step_relative(w, first, s->b) : s->b;
    for (uint32_t dim = 0; dim < w->dims && w->exchanges && bly_step_draws(w, k); dim++)
        WRITE("    const bly_pack y%u_%u = %sbly_own(&t, %u);\n", k, dim, zero_unless(w, dim),
              place_of(w, k, 1) + dim * w->parts);
    for (uint32_t dim = 0; dim < w->dims; dim++)
        if (w->increments)
            write_split(w, k, first, in_block, a, dim);
        else
            write_point(w, k, first, in_block, a, b, dim);
}

static void write_z(struct bly_writer *w, uint32_t k, uint32_t first, int in_block)
{
    const uint32_t i = k - first;
    for (uint32_t dim = 0; dim < w->dims && bly_step_draws(w, k); dim++) {
        if (w->vectors) {
            const uint32_t row = w->steps[k].r.z * w->job->dims + dim;
            WRITE("    const bly_pack z%u_%u = q%u.%c;\n", i, dim, row / w->elements,
                  "xyzw"[row % w->elements]);
            continue;
        }
        WRITE("    const bly_pack z%u_%u = %sbly_z(&t, ", i, dim, zero_unless(w, dim));
        write_row(w, in_block, i, "row", w->steps[k].r.z, dim);
        WRITE(");\n");
    }
}

/* Makes C Z of steps b .. end - 1, of what all items have put into shared memory. */
static void write_exchange(struct bly_writer *w, uint32_t b, uint32_t end)
{
    const uint32_t from = bly_step_draws(w, b) ? b : b + 1;
    WRITE("    BLY_EXCHANGE()\n");
    if (from == end) return;
    WRITE("    bly_correlate(t, %u, %u, %u);\n", place_of(w, from, 0), place_of(w, from, 1), end - from);
}

/* Shows the others the item's Z of a step. */
static void write_show(struct bly_writer *w, uint32_t k)
{
    for (uint32_t dim = 0; dim < w->dims && bly_step_draws(w, k); dim++)
        WRITE("    %sbly_show(&t, %u, z%u_%u);\n", only_if(w, dim), place_of(w, k, 0) + dim * w->parts, k,
              dim);
}

/* Steps first .. first + count - 1 with Z from memory, fetched some steps ahead. */
static void write_steps_read(struct bly_writer *w, uint32_t first, uint32_t count, int in_block)
{
    const uint32_t bytes = w->width * w->dims * (w->f64 ? 8 : 4), most = AHEAD_BYTES / bytes;
    const uint32_t every = w->exchanges ? w->stash : most >= EVERY ? EVERY : 1;
    const uint32_t ahead = most >= every ? most / every * every : every;
    for (uint32_t i = 0; i < ahead && i < count; i++) write_z(w, first + i, first, in_block);
    for (uint32_t b = 0; b < count; b += every) {
        const uint32_t end = b + every < count ? b + every : count;
        for (uint32_t i = b; i < end && w->exchanges; i++) write_show(w, first + i);
        if (w->exchanges)
            write_exchange(w, b, end);
        else if (!w->tile)
            WRITE("    BLY_PAUSE()\n");
        for (uint32_t i = b; i < end; i++) write_step(w, first + i, first, in_block);
        for (uint32_t i = b + ahead; i < end + ahead && i < count; i++)
            write_z(w, first + i, first, in_block);
    }
}

/* Draws steps first .. first + count - 1 into the stash from its row `place` on. */
static void write_draw(struct bly_writer *w, uint32_t first, uint32_t count, uint32_t place)
{
    WRITE("    bly_draw(t.stash + %u * BLY_TILE_PATHS, t.z, t.from, t.begin, s + %u, %u%s);\n", place, first,
          count, w->parts > 1 ? ", t.part" : "");
}

/* The same with Z drawn, in a loop, for some steps at a time. */
static void write_steps_drawn(struct bly_writer *w, uint32_t first, uint32_t count, int in_block)
{
    for (uint32_t b = 0; b < count; b += w->stash) {
        const uint32_t end = b + w->stash < count ? b + w->stash : count,
                       from = bly_step_draws(w, first + b) ? b : b + 1;
        write_draw(w, from, end - from, place_of(w, from, 0));
        if (w->exchanges) write_exchange(w, b, end);
        for (uint32_t i = b; i < end; i++) {
            for (uint32_t dim = 0; dim < w->dims && bly_step_draws(w, first + i) && !w->exchanges; dim++)
                WRITE("    const bly_pack z%u_%u = %sbly_z(&t, %u);\n", i, dim, zero_unless(w, dim),
                      place_of(w, i, 0) + dim * w->parts);
            write_step(w, first + i, first, in_block);
        }
    }
}

static void write_steps(struct bly_writer *w, uint32_t first, uint32_t count, int in_block)
{
    if (!w->job->draw) {
        write_steps_read(w, first, count, in_block);
    } else if (!w->job->in_line) {
        write_steps_drawn(w, first, count, in_block);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            write_z(w, first + i, first, in_block);
            write_step(w, first + i, first, in_block);
        }
    }
}

/* Reading Z from memory needs many registers, to keep much of it in flight; measured on an H200, 128 of them
 * and half the threads beat 64 and all of them except where the plan is the plainest. */
static uint32_t least_blocks(const struct bly_writer *w)
{
    const uint32_t value = w->width * w->dims * (w->f64 ? 2 : 1);
    const uint32_t needed = (w->job->slots + 3) * value + AHEAD_BYTES / 4 + 32;
    if (w->parts == 1 && (w->tile || needed > 128)) return 1;
    return w->block < 512 ? 512 / w->block : 1;
}

void bly_write_head(struct bly_writer *w)
{
    const struct bly_bridge_job *job = w->job;
    const char *real = w->f64 ? "f64" : "f32", *scalar = w->f64 ? "double" : "float";
    if (!job->draw) WRITE("#define BLY_LEAST_BLOCKS %u\n", least_blocks(w));
    if (job->copies) {
        const char *digits = w->f64 ? "64" : "32";
        WRITE("#define BLY_LEAST_BLOCKS %u\n#define BAILEY_ICDF_COPIES %u\n", w->groups, job->copies->copies);
        WRITE("#define BAILEY_ICDF_HOT_F%s %u\n", digits, job->copies->octaves * (w->f64 ? 32 : 16));
        WRITE("#define BAILEY_ICDF_COLD_F64 %u\n", job->copies->cold);
        WRITE("#define BLY_STASH_ROWS %u\n", w->stash * job->dims);
    }
    WRITE("#include \"kernels/group_entry.h\"\n#include \"kernels/bridges.h\"\n#define BLY_REAL %s\n#define "
          "BLY_SCALAR %s\n",
          real, scalar);
    WRITE("#define BLY_BLOCK_ELEMENTS %u\n#define BLY_WIDTH %u\n", w->f64 ? 2 : 4, w->width);
    if (w->width > 1) WRITE("#define BLY_VECTOR %s%u\n", scalar, w->width);
    WRITE("#define BLY_RECORD bailey_bridge_%s_%s\n#define BLY_DIMS %u\n", w->increments ? "split" : "step",
          real, job->dims);
    if (w->parts > 1)
        WRITE("#define BLY_PARTS %u\n#define BLY_ITEM_DIMS %u\n#define BLY_EXCHANGES %d\n", w->parts, w->dims,
              w->exchanges);
    WRITE("#define BLY_DRAW %s\n#define BLY_WHOLE %d\n", job->draw ? job->draw : "BLY_DRAW_NONE", job->whole);
    WRITE("#define BLY_IN_LINE %d\n", job->in_line);
    if (job->draw && !job->points) WRITE("#define BLY_ROUNDS %u\n", job->rounds);
    if (job->points)
        WRITE("#define BLY_POINTS %u\n#define BLY_OWEN %d\n#define BLY_NORMAL bailey_normal_icdf_%s%s\n",
              job->points, job->owen, real,
              w->f64 == (job->points == 64) ? ""
              : w->f64                      ? "_from_u32"
                                            : "_from_u64");
    WRITE("#define BLY_Z_ROWS %u\n#define BLY_X_ROWS %u\n", (job->steps - !!job->fixed_end) * job->dims,
          job->steps * job->dims);
    WRITE("#define BLY_TILE_ROWS %u\n#define BLY_TILE_VECTORS %d\n#define BLY_PAUSES %d\n", w->tile_rows,
          w->vectors, job->gpu);
    WRITE("#define BLY_REWRITES %d\n", w->increments && job->strategy == BAILEY_BRIDGE_STRATEGY_BLOCKS);
    if (job->gives) WRITE("#define BLY_GIVEN %u\n", job->steps);
    WRITE("#include \"kernels/bridge_code.h\"\n");
}

static void write_signature(struct bly_writer *w)
{
    WRITE("BAILEY_FN void bly_bridge_group(%s, const BAILEY_GLOBAL BLY_RECORD *s,\n",
          w->job->gives ? "bly_given_params given" : "bly_bridge_params p");
    WRITE(
        "    const BAILEY_GLOBAL BLY_SCALAR *c, const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR "
        "*x,\n");
    if (w->job->points)
        WRITE("    const BAILEY_GLOBAL BLY_WORD *points, const BAILEY_GLOBAL BLY_WORD *heads,\n");
    WRITE("    BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n{\n");
    if (w->job->gives) WRITE("    const bly_bridge_params p = given.p;\n");
    if (w->job->part) WRITE("    x += p.x_first;\n");
    if (w->job->copies) WRITE("    BLY_COPY_TABLE(shared, z)\n");
    WRITE("    bly_item t = bly_item_begin(p, %s, x, shared, item);\n",
          w->job->copies ? "BLY_COPIES_AT(shared)" : "z");
    if (w->job->points) WRITE("    bly_item_draws_from(&t, p, points, heads);\n");
    if (w->exchanges) WRITE("    bly_factor_fill(c, shared);\n");
    if (w->parts > 1) WRITE("    c += t.part;\n");
    if (!w->job->correlated || w->job->transfer || w->exchanges) return;
    /* Few enough entries of C stay in registers. */
    const uint32_t dims = w->job->dims;
    for (uint32_t i = 0; i < dims && dims <= REGISTER_FACTOR; i++)
        for (uint32_t j = 0; j <= i; j++)
            WRITE("    const BLY_SCALAR c_%u_%u = c[%u];\n", i, j, (2 + i) * dims + j);
    WRITE(dims <= REGISTER_FACTOR ? "#define BLY_C(i, j) c_##i##_##j\n"
                                  : "#define BLY_C(i, j) c[(2 + i) * BLY_DIMS + j]\n");
}

static void write_start(struct bly_writer *w, const char *name)
{
    for (uint32_t dim = 0; dim < w->dims; dim++)
        WRITE("    const bly_pack %s_%u = bly_splat(c[%u]);\n", name, dim, dim * w->parts);
}

static void write_entry(struct bly_writer *w)
{
    WRITE("}\nBLY_GROUP_ENTRY_%d(bly_bridge, %s, const BLY_RECORD, const BLY_SCALAR, const "
          "BLY_SCALAR, BLY_SCALAR%s)\n",
          w->job->points ? 6 : 4, w->job->gives ? "bly_given_params" : "bly_bridge_params",
          w->job->points ? ", const BLY_WORD, const BLY_WORD" : "");
}

void bly_write_specialised(struct bly_writer *w)
{
    const uint32_t steps = w->job->steps;
    if (w->places) {
        WRITE("BAILEY_CONSTANT unsigned short bly_places[] = {");
        for (uint32_t i = 0; i < steps; i++) WRITE("%s%u", i ? i % 16 ? ", " : ",\n    " : "", w->places[i]);
        WRITE("};\n");
    }
    if (w->exchanges) write_correlate(w);
    write_signature(w);
    if (w->places) {
        WRITE("    BLY_SHARED unsigned short *places = (BLY_SHARED unsigned short *)(\n"
              "        (BLY_SHARED BLY_SCALAR *)shared + BLY_TILE_ELEMENTS + %u * BLY_TILE_PATHS);\n",
              w->stash * w->job->dims);
        WRITE("    for (bailey_uint32 i = BLY_LOCAL_ID; i < %u; i += BLY_BLOCK) places[i] = bly_places[i];\n",
              steps);
    }
    if (w->tile && !w->job->draw && (steps > 1 || !w->job->fixed_end))
        WRITE("    bly_tile_fill(p, shared, z, item);\n");
    for (uint32_t v = 0; w->vectors && !w->job->draw && v < steps * w->job->dims / w->elements; v++)
        WRITE("    const bly_vector q%u = bly_tile_get(&t, %u);\n", v, v);
    if (!w->increments && !w->job->transfer) write_start(w, "left");
    write_steps(w, 0, steps, 0);
    if (w->tile) WRITE("    bly_tile_empty(p, shared, %s, x, item);\n", w->places ? "places" : "0");
    write_entry(w);
}

/* A single step of the loop: its neighbours or its gap are left_ and right_ already. */
static void write_single(struct bly_writer *w)
{
    const uint32_t dims = w->job->dims;
    const int fixed = w->job->fixed_end;
    if (w->job->draw && fixed) WRITE("    if (k > 0)\n    ");
    if (w->job->draw) write_draw(w, 0, 1, 0);
    for (uint32_t dim = 0; dim < dims; dim++) {
        WRITE("    const bly_pack z0_%u = ", dim);
        if (fixed) WRITE("k == 0 ? bly_splat(0) : ");
        WRITE(w->job->draw ? "bly_z(&t, %u);\n" : "bly_z(&t, (bailey_uint64)s->row * %u + %u);\n",
              w->job->draw ? dim : dims, dim);
    }
    for (uint32_t d = 0; d < dims; d++) {
        if (!w->increments) {
            WRITE("    built_%u = ", d);
            if (fixed) WRITE("k == 0 ? bly_splat(c[%u]) : ", dims + d);
            WRITE("bly_point(*s, left_%u, right_%u, ", d, d);
            write_correlated(w, 0, d);
            WRITE(");\n    bly_x(&t, (bailey_uint64)%u * (s->point - 1) + %u, 0, built_%u);\n", dims, d, d);
            continue;
        }
        WRITE("    if (k == 0) {\n    left_%u = right_%u = ", d, d);
        write_root(w, d);
        WRITE(";\n");
        if (w->job->steps == 1) WRITE("    bly_x(&t, %u, 0, left_%u);\n", d, d);
        WRITE("    } else {\n    const bly_pack gap = left_%u, w0_%u = ", d, d);
        write_correlated(w, 0, d);
        WRITE(";\n    left_%u = bly_left(*s, gap, w0_%u);\n    right_%u = bly_right(*s, gap, w0_%u);\n", d, d,
              d, d);
        WRITE("    bly_x(&t, (bailey_uint64)%u * s->gap + %u, 0, left_%u);\n", dims, d, d);
        WRITE("    bly_x(&t, (bailey_uint64)%u * s->node + %u, 0, right_%u);\n    }\n", dims, d, d);
    }
}

void bly_write_blocks(struct bly_writer *w, const struct bly_shape *shapes, uint32_t shape_count)
{
    const uint32_t dims = w->job->dims;
    write_signature(w);
    write_start(w, "start");
    for (uint32_t d = 0; d < dims; d++)
        WRITE("    bly_pack left_%u = start_%u, right_%u = start_%u, built_%u = start_%u;\n", d, d, d, d, d,
              d);
    WRITE("    for (bailey_uint32 k = 0; k < %u;) {\n", w->job->steps);
    for (uint32_t d = 0; d < dims; d++) {
        if (w->increments) {
            WRITE("    if (k > 0) left_%u = bly_source(&t, s->code & 7u, (bailey_uint64)%u * s->gap + %u, ",
                  d, dims, d);
            WRITE("left_%u, right_%u, built_%u, start_%u);\n", d, d, d, d);
        } else {
            WRITE("    {\n    const bly_pack l = left_%u;\n", d);
            WRITE("    left_%u = bly_source(&t, s->code & 7u, (bailey_uint64)%u * (s->left - 1) + %u, ", d,
                  dims, d);
            WRITE("l, right_%u, built_%u, start_%u);\n", d, d, d);
            WRITE(
                "    right_%u = bly_source(&t, s->code >> 3 & 7u, (bailey_uint64)%u * (s->right - 1) + %u, ",
                d, dims, d);
            WRITE("l, right_%u, built_%u, start_%u);\n    }\n", d, d, d);
        }
    }
    WRITE("    switch (s->code >> 8) {\n");
    for (uint32_t i = 0; i < shape_count; i++) {
        if (!shapes[i].number) continue;
        WRITE("    case %u: {\n", shapes[i].number);
        write_steps(w, shapes[i].first, shapes[i].count, 1);
        WRITE("    k += %u;\n    s += %u;\n    break;\n    }\n", shapes[i].count, shapes[i].count);
    }
    WRITE("    default: {\n");
    write_single(w);
    WRITE("    k++;\n    s++;\n    }\n    }\n    }\n");
    write_entry(w);
}
