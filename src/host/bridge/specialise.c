/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Strategies 7 and 8: a plan as code.
 *
 * SPECIALISED writes one statement a step, in execution order: which row of Z, which neighbours, which row
 * of X. BLOCKS writes statements for subtrees that occur again and again in the plan, and a loop that
 * walks the plan by whole subtrees: code of bounded size for any number of steps. kernels/bridge_code.h
 * has the functions that the statements call.
 */
#include "job.h"

#include <base/alloc.h>
#include <base/text.h>
#include <host/internal.h>

#include <kernels/bridges.h>

#include <string.h>

#define MOST_STEPS 1024u /* of straight-line code: beyond, compilers take many seconds */
#define MOST_BLOCK 64u   /* steps of a block */
#define LEAST_BLOCK 4u
#define MOST_SHAPES 6u       /* different blocks of one program */
#define MOST_CANDIDATES 256u /* that are counted */
#define OUTER_LEFT (-1)      /* neighbours that a block finds at its place */
#define OUTER_RIGHT (-2)

#define AHEAD_BYTES 256u    /* of Z that an item has under way */
#define EVERY 4u            /* steps between two pauses */
#define MOST_REGISTERS 128u /* of 4 bytes, for a path's Z */
#define KEPT_FACTOR 8u      /* dimensions up to which C stays in registers */
#define STASH_BYTES 128u    /* of Z that an item draws at a time */
#define MOST_ITEMS 64u      /* of a group */
#define TILE_ITEMS 32u
#define LEAST_ITEMS 8u
#define GOOD_SHARED 40960u /* bytes that a group may share when there are smaller groups */

/* What the code of a step needs to know. */
struct step {
    struct bly_record r;
    int a, b; /* values used: paths: the steps that built the neighbours; increments: 2 s for the left part of
               * split s, 2 s + 1 for the right one, and b is 0. OUTER_: t0, or what a block finds */
    uint32_t size;     /* steps of the subtree below and with this one, which follow it */
    uint32_t slots[2]; /* path-major: where the step's points or parts go in the tile */
};

struct writer {
    const struct bly_bridge_job *job;
    struct step *steps;
    struct bly_text text;
    int f64, increments, tile;
    uint32_t width, block, stash, tile_rows;
    uint16_t *places;  /* path-major but for vectors: the tile's row of each row of X */
    int vectors;       /* path-major: the tile is read and written in whole vectors */
    uint32_t elements; /* of a vector */
    uint8_t *made;     /* rows of X that have a value, for whole vectors */
};

/* ---- The plan -------------------------------------------------------------------------------- */

static uint32_t parent_of(const struct writer *w, uint32_t k)
{
    const struct step *s = &w->steps[k];
    if (w->increments) return s->a < 0 ? 0 : (uint32_t)s->a / 2;
    return (uint32_t)(s->a > s->b ? s->a : s->b);
}

/* Follows the records as a walk does, to see which step made what each step uses. */
static bailey_status read_plan(struct writer *w)
{
    const struct bly_bridge_job *job = w->job;
    int slots[256];
    int *built = bly_alloc(job->steps + 1, sizeof *built); /* by point */
    w->steps = bly_alloc(job->steps, sizeof *w->steps);
    if (!w->steps || !built) {
        bly_free(built);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    }
    built[0] = OUTER_LEFT;
    for (uint32_t k = 0; k < job->steps; k++) {
        struct step *s = &w->steps[k];
        s->r = bly_record_read(job, k);
        s->size = 1;
        if (w->increments) {
            const uint32_t source = BAILEY_BRIDGE_SPLIT_SOURCE(s->r.code),
                           push = BAILEY_BRIDGE_SPLIT_PUSH(s->r.code);
            s->a = k == 0                                ? OUTER_LEFT
                   : source == BAILEY_BRIDGE_SPLIT_LEFT  ? 2 * (int)(k - 1)
                   : source == BAILEY_BRIDGE_SPLIT_RIGHT ? 2 * (int)(k - 1) + 1
                                                         : slots[BAILEY_BRIDGE_SPLIT_READ_SLOT(s->r.code)];
            if (push) slots[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s->r.code)] = 2 * (int)k + (push == 2);
        } else {
            s->a = built[s->r.left];
            s->b = built[s->r.right];
            built[s->r.a] = (int)k;
        }
    }
    bly_free(built);
    for (uint32_t k = job->steps; k-- > 1;) w->steps[parent_of(w, k)].size += w->steps[k].size;
    return BAILEY_OK;
}

static int is_drawing(const struct writer *w, uint32_t k) { return k > 0 || !w->job->fixed_end; }

/* The step's points or parts that go to memory: rows of X, 0 to 2 of them. */
static uint32_t outputs_of(const struct writer *w, uint32_t k, uint32_t rows[2])
{
    const struct bly_record *r = &w->steps[k].r;
    uint32_t count = 0;
    if (!w->increments) {
        rows[count++] = r->a - 1;
    } else if (k == 0) {
        if (w->job->steps == 1) rows[count++] = 0;
    } else {
        if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(r->code)) rows[count++] = r->a;
        if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(r->code)) rows[count++] = r->b;
    }
    return count;
}

/* Path-major: gives every row of X a place in the tile. From memory, it is that of a row of Z that has been
 * used; there are always enough, as a step makes one point, and k splits have made at most k + 1 parts. A
 * fixed end has one row fewer of Z, and the tile one row more. */
static bailey_status assign_places(struct writer *w)
{
    const uint32_t steps = w->job->steps;
    uint32_t *vacant = bly_alloc(steps, sizeof *vacant), count = 0;
    w->places = bly_alloc(steps, sizeof *w->places);
    if (!vacant || !w->places) {
        bly_free(vacant);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    }
    for (uint32_t k = 0; k < steps; k++) {
        uint32_t rows[2];
        const uint32_t outputs = outputs_of(w, k, rows);
        if (!w->job->draw) vacant[count++] = is_drawing(w, k) ? w->steps[k].r.z : steps - 1;
        for (uint32_t i = 0; i < outputs; i++) {
            w->steps[k].slots[i] = w->job->draw ? rows[i] : vacant[--count];
            w->places[rows[i]] = (uint16_t)w->steps[k].slots[i];
        }
    }
    bly_free(vacant);
    return BAILEY_OK;
}

/* ---- Statements ------------------------------------------------------------------------------ */

#define SAY(...) bly_text_add(&w->text, __VA_ARGS__)

/* A value in dimension `dim` of the block or program whose first step is `first`: a variable's name. */
static void say_value(struct writer *w, int value, uint32_t first, uint32_t dim)
{
    if (value == OUTER_LEFT || value == OUTER_RIGHT)
        SAY("%s_%u", value == OUTER_LEFT ? "left" : "right", dim);
    else if (w->increments)
        SAY("%s%u_%u", value % 2 ? "h" : "l", (uint32_t)value / 2 - first, dim);
    else
        SAY("x%u_%u", (uint32_t)value - first, dim);
}

/* A row of Z or X: the number of a step's first row, or in a block the record's. */
static void say_row(struct writer *w, int in_block, uint32_t i, const char *field, uint32_t step,
                    uint32_t dim)
{
    const uint32_t dims = w->job->dims;
    if (in_block)
        SAY("(bailey_uint64)%u * (s[%u].%s) + %u", dims, i, field, dim);
    else
        SAY("%u", step * dims + dim);
}

/* Entry `dim` of C z of step i. */
static void say_correlated(struct writer *w, uint32_t i, uint32_t dim)
{
    if (!w->job->correlated) {
        SAY("z%u_%u", i, dim);
        return;
    }
    for (uint32_t j = dim; j > 0; j--) SAY("bly_fma(BLY_C(%u, %u), z%u_%u, ", dim, j, i, j);
    SAY("bly_scale(BLY_C(%u, 0), z%u_0)", dim, i);
    for (uint32_t j = dim; j > 0; j--) SAY(")");
}

/* Once all rows of a vector have their values it goes to the tile. */
static void say_put(struct writer *w, uint32_t row)
{
    const uint32_t v = row / w->elements;
    w->made[row] = 1;
    for (uint32_t i = 0; i < w->elements; i++)
        if (!w->made[v * w->elements + i]) return;
    SAY("    bly_tile_put(&t, %u", v);
    for (uint32_t i = 0; i < w->elements; i++) SAY(", o%u", v * w->elements + i);
    SAY(");\n");
}

/* Opens the store of the value that is said next; say_stored closes it. */
static void say_store(struct writer *w, int in_block, uint32_t i, const char *field, uint32_t step,
                      uint32_t slot, uint32_t dim)
{
    if (w->vectors) {
        SAY("    const bly_pack o%u = ", step * w->job->dims + dim);
        return;
    }
    SAY("    bly_x(&t, ");
    say_row(w, in_block, i, field, step, dim);
    SAY(", %u, ", slot * w->job->dims + dim);
}

static void say_stored(struct writer *w, uint32_t step, uint32_t dim)
{
    SAY(w->vectors ? ";\n" : ");\n");
    if (w->vectors) say_put(w, step * w->job->dims + dim);
}

static void say_point(struct writer *w, uint32_t k, uint32_t first, int in_block, int a, int b, uint32_t dim)
{
    const struct step *s = &w->steps[k];
    const uint32_t i = k - first;
    SAY("    const bly_pack x%u_%u = ", i, dim);
    if (!is_drawing(w, k)) {
        SAY("bly_splat(c[%u]);\n", w->job->dims + dim);
    } else if (w->job->transfer) {
        SAY("z%u_%u;\n", i, dim);
    } else {
        SAY("bly_point(s[%u], ", i);
        say_value(w, a, first, dim);
        SAY(", ");
        say_value(w, b, first, dim);
        SAY(", ");
        say_correlated(w, i, dim);
        SAY(");\n");
    }
    say_store(w, in_block, i, "point - 1", s->r.a - 1, s->slots[0], dim);
    SAY("x%u_%u", i, dim);
    say_stored(w, s->r.a - 1, dim);
}

static void say_split(struct writer *w, uint32_t k, uint32_t first, int in_block, int a, uint32_t dim)
{
    const struct step *s = &w->steps[k];
    const uint32_t i = k - first, dims = w->job->dims;
    uint32_t slot = 0;
    SAY("    const bly_pack l%u_%u = ", i, dim);
    if (!in_block && k == 0) {
        if (w->job->fixed_end) {
            SAY("bly_splat(c[%u] - c[%u])", dims + dim, dim);
        } else {
            SAY("BLY_ROOT(s->sigma, ");
            say_correlated(w, 0, dim);
            SAY(")");
        }
        SAY(", h0_%u = l0_%u;\n", dim, dim);
        if (w->job->steps > 1) return;
        say_store(w, in_block, i, "gap", 0, s->slots[0], dim);
        SAY("bly_scale(s[0].left_scale, l0_%u)", dim);
        say_stored(w, 0, dim);
        return;
    }
    SAY("bly_left(s[%u], ", i);
    say_value(w, a, first, dim);
    SAY(", ");
    say_correlated(w, i, dim);
    SAY(");\n    const bly_pack h%u_%u = bly_minus(", i, dim);
    say_value(w, a, first, dim);
    SAY(", l%u_%u);\n", i, dim);
    if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(s->r.code)) {
        say_store(w, in_block, i, "gap", s->r.a, s->slots[slot++], dim);
        SAY("bly_scale(s[%u].left_scale, l%u_%u)", i, i, dim);
        say_stored(w, s->r.a, dim);
    }
    if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s->r.code)) {
        say_store(w, in_block, i, "node", s->r.b, s->slots[slot], dim);
        SAY("bly_scale(s[%u].right_scale, h%u_%u)", i, i, dim);
        say_stored(w, s->r.b, dim);
    }
}

/* The neighbour `value` as the code of a block that begins with `first` names it. */
static int relative(const struct writer *w, uint32_t first, int value)
{
    const int from = w->increments ? 2 * (int)first : (int)first;
    if (value >= from) return value;
    if (w->increments) return OUTER_LEFT;
    return value == w->steps[first].a ? OUTER_LEFT : OUTER_RIGHT;
}

/* The step `k`, which is number k - first of its block or of the program. */
static void say_step(struct writer *w, uint32_t k, uint32_t first, int in_block)
{
    const struct step *s = &w->steps[k];
    const int a = in_block ? relative(w, first, s->a) : s->a, b = in_block ? relative(w, first, s->b) : s->b;
    for (uint32_t dim = 0; dim < w->job->dims; dim++)
        if (w->increments)
            say_split(w, k, first, in_block, a, dim);
        else
            say_point(w, k, first, in_block, a, b, dim);
}

static void say_z(struct writer *w, uint32_t k, uint32_t first, int in_block)
{
    const uint32_t i = k - first;
    for (uint32_t dim = 0; dim < w->job->dims && is_drawing(w, k); dim++) {
        if (w->vectors) {
            const uint32_t row = w->steps[k].r.z * w->job->dims + dim;
            SAY("    const bly_pack z%u_%u = q%u.%c;\n", i, dim, row / w->elements,
                "xyzw"[row % w->elements]);
            continue;
        }
        SAY("    const bly_pack z%u_%u = bly_z(&t, ", i, dim);
        say_row(w, in_block, i, "z", w->steps[k].r.z, dim);
        SAY(");\n");
    }
}

/* Steps first .. first + count - 1 with Z from memory, fetched some steps ahead. */
static void say_steps_read(struct writer *w, uint32_t first, uint32_t count, int in_block)
{
    const uint32_t bytes = w->width * w->job->dims * (w->f64 ? 8 : 4), most = AHEAD_BYTES / bytes;
    const uint32_t every = most >= EVERY ? EVERY : 1, ahead = most >= EVERY ? most / EVERY * EVERY
                                                              : most        ? most
                                                                            : 1;
    for (uint32_t i = 0; i < ahead && i < count; i++) say_z(w, first + i, first, in_block);
    for (uint32_t b = 0; b < count; b += every) {
        const uint32_t end = b + every < count ? b + every : count;
        if (!w->tile) SAY("    BLY_PAUSE()\n");
        for (uint32_t i = b; i < end; i++) say_step(w, first + i, first, in_block);
        for (uint32_t i = b + ahead; i < end + ahead && i < count; i++) say_z(w, first + i, first, in_block);
    }
}

/* Draws steps first .. first + count - 1 into the stash from its row `place` on. */
static void say_draw(struct writer *w, uint32_t first, uint32_t count, uint32_t place)
{
    SAY("    bly_draw(t.stash + %u * BLY_TILE_PATHS, t.keys, t.stream, t.begin, s + %u, %u);\n", place, first,
        count);
}

/* The same with Z drawn, in a loop, for some steps at a time. */
static void say_steps_drawn(struct writer *w, uint32_t first, uint32_t count, int in_block)
{
    const uint32_t dims = w->job->dims;
    for (uint32_t b = 0; b < count; b += w->stash) {
        const uint32_t end = b + w->stash < count ? b + w->stash : count,
                       from = is_drawing(w, first + b) ? b : b + 1;
        say_draw(w, from, end - from, (from - b) * dims);
        for (uint32_t i = b; i < end; i++) {
            for (uint32_t dim = 0; dim < dims && is_drawing(w, first + i); dim++)
                SAY("    const bly_pack z%u_%u = bly_z(&t, %u);\n", i, dim, (i - b) * dims + dim);
            say_step(w, first + i, first, in_block);
        }
    }
}

static void say_steps(struct writer *w, uint32_t first, uint32_t count, int in_block)
{
    if (w->job->draw)
        say_steps_drawn(w, first, count, in_block);
    else
        say_steps_read(w, first, count, in_block);
}

/* Z from memory wants many registers, so that much of it is under way; measured on an H200, 128 of them and
 * half the threads beat 64 and all of them except where the plan is the plainest. */
static uint32_t least_blocks(const struct writer *w)
{
    const uint32_t value = w->width * w->job->dims * (w->f64 ? 2 : 1);
    const uint32_t needed = (w->job->slots + 3) * value + AHEAD_BYTES / 4 + 32;
    return w->tile || needed > 128 ? 1 : 512 / w->block;
}

static void say_head(struct writer *w)
{
    const struct bly_bridge_job *job = w->job;
    const char *real = w->f64 ? "f64" : "f32", *scalar = w->f64 ? "double" : "float";
    if (!job->draw) SAY("#define BLY_LEAST_BLOCKS %u\n", least_blocks(w));
    SAY("#include \"kernels/group_entry.h\"\n#include \"kernels/bridges.h\"\n#define BLY_REAL %s\n#define "
        "BLY_SCALAR %s\n",
        real, scalar);
    SAY("#define BLY_BLOCK_ELEMENTS %u\n#define BLY_WIDTH %u\n", w->f64 ? 2 : 4, w->width);
    if (w->width > 1) SAY("#define BLY_VECTOR %s%u\n", scalar, w->width);
    SAY("#define BLY_RECORD bailey_bridge_%s_%s\n#define BLY_DIMS %u\n", w->increments ? "split" : "step",
        real, job->dims);
    SAY("#define BLY_DRAW %s\n#define BLY_WHOLE %d\n", job->draw ? job->draw : "BLY_DRAW_NONE", job->whole);
    SAY("#define BLY_Z_ROWS %u\n#define BLY_X_ROWS %u\n", (job->steps - !!job->fixed_end) * job->dims,
        job->steps * job->dims);
    SAY("#define BLY_TILE_ROWS %u\n#define BLY_TILE_VECTORS %d\n#define BLY_PAUSES %d\n", w->tile_rows,
        w->vectors, job->gpu);
    SAY("#define BLY_REWRITES %d\n", w->increments && job->strategy == BAILEY_BRIDGE_STRATEGY_BLOCKS);
    SAY("#include \"kernels/bridge_code.h\"\n");
}

static void say_signature(struct writer *w)
{
    SAY("BAILEY_FN void bly_bridge_group(bly_bridge_params p, const BAILEY_GLOBAL BLY_RECORD *s,\n");
    SAY("    const BAILEY_GLOBAL BLY_SCALAR *c, %sBAILEY_GLOBAL BLY_SCALAR *x,\n",
        w->job->draw ? "" : "const BAILEY_GLOBAL BLY_SCALAR *z, ");
    SAY("    BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n{\n");
    if (w->job->draw) SAY("    const BAILEY_GLOBAL BLY_SCALAR *z = 0;\n");
    SAY("    const bly_item t = bly_item_begin(p, z, x, shared, item);\n");
    if (!w->job->correlated || w->job->transfer) return;
    /* Few enough entries of C stay in registers. */
    const uint32_t dims = w->job->dims;
    for (uint32_t i = 0; i < dims && dims <= KEPT_FACTOR; i++)
        for (uint32_t j = 0; j <= i; j++)
            SAY("    const BLY_SCALAR c_%u_%u = c[%u];\n", i, j, (2 + i) * dims + j);
    SAY(dims <= KEPT_FACTOR ? "#define BLY_C(i, j) c_##i##_##j\n"
                            : "#define BLY_C(i, j) c[(2 + i) * BLY_DIMS + j]\n");
}

static void say_start(struct writer *w, const char *name)
{
    for (uint32_t dim = 0; dim < w->job->dims; dim++)
        SAY("    const bly_pack %s_%u = bly_splat(c[%u]);\n", name, dim, dim);
}

static void say_entry(struct writer *w)
{
    SAY("}\nBLY_GROUP_ENTRY_%d(bly_bridge, bly_bridge_params, const BLY_RECORD, const BLY_SCALAR, ",
        w->job->draw ? 3 : 4);
    SAY(w->job->draw ? "BLY_SCALAR)\n" : "const BLY_SCALAR, BLY_SCALAR)\n");
}

static void say_specialised(struct writer *w)
{
    const uint32_t steps = w->job->steps;
    if (w->places) {
        SAY("BAILEY_CONSTANT unsigned short bly_places[] = {");
        for (uint32_t i = 0; i < steps; i++) SAY("%s%u", i ? i % 16 ? ", " : ",\n    " : "", w->places[i]);
        SAY("};\n");
    }
    say_signature(w);
    if (w->places) {
        SAY("    BLY_SHARED unsigned short *places = (BLY_SHARED unsigned short *)(\n"
            "        (BLY_SHARED BLY_SCALAR *)shared + BLY_TILE_ELEMENTS + %u * BLY_TILE_PATHS);\n",
            w->stash * w->job->dims);
        SAY("    for (bailey_uint32 i = BLY_LOCAL_ID; i < %u; i += BLY_BLOCK) places[i] = bly_places[i];\n",
            steps);
    }
    if (w->tile && !w->job->draw && (steps > 1 || !w->job->fixed_end))
        SAY("    bly_tile_fill(p, shared, z, item);\n");
    for (uint32_t v = 0; w->vectors && !w->job->draw && v < steps * w->job->dims / w->elements; v++)
        SAY("    const bly_vector q%u = bly_tile_get(&t, %u);\n", v, v);
    if (!w->increments && !w->job->transfer) say_start(w, "left");
    say_steps(w, 0, steps, 0);
    if (w->tile) SAY("    bly_tile_empty(p, shared, %s, x, item);\n", w->places ? "places" : "0");
    say_entry(w);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Blocks have the same code if the keys of their steps (key_of) are the same. */
struct shape {
    uint32_t first, count; /* of the block that was seen first */
    uint64_t covered;      /* steps in all blocks of this shape */
    uint32_t number;       /* in the program, from 1; 0 for none */
};

static uint32_t key_of(const struct writer *w, uint32_t first, uint32_t i)
{
    const struct step *s = &w->steps[first + i];
    const int from = w->increments ? 2 * (int)first : (int)first;
    const int a = relative(w, first, s->a), b = w->increments ? OUTER_LEFT : relative(w, first, s->b);
    uint32_t key = (uint32_t)(a < 0 ? -a : a - from + 3) | (uint32_t)(b < 0 ? -b : b - from + 3) << 8;
    if (w->increments)
        key |= BAILEY_BRIDGE_SPLIT_LEFT_DONE(s->r.code) << 16 | BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s->r.code)
                                                                    << 17;
    return key;
}

static int same_shape(const struct writer *w, const struct shape *shape, uint32_t first, uint32_t count)
{
    if (shape->count != count) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (key_of(w, shape->first, i) != key_of(w, first, i)) return 0;
    return 1;
}

/* Steps of the block that begins with step k: its subtree if that is small, or a stretch in which every step
 * has one child (as in the incremental order); 1 if there is none worth its code. */
static uint32_t block_at(const struct writer *w, uint32_t k)
{
    if (w->steps[k].size <= MOST_BLOCK) return w->steps[k].size >= LEAST_BLOCK ? w->steps[k].size : 1;
    uint32_t count = 1;
    while (count < MOST_BLOCK / 2 && w->steps[k + count].size > MOST_BLOCK &&
           w->steps[k + count - 1].size == w->steps[k + count].size + 1)
        count++;
    return count >= 2 * LEAST_BLOCK && !w->increments ? count : 1;
}

static struct shape *find_shape(const struct writer *w, struct shape *shapes, uint32_t count, uint32_t k,
                                uint32_t length)
{
    for (uint32_t i = 0; i < count; i++)
        if (same_shape(w, &shapes[i], k, length)) return &shapes[i];
    return NULL;
}

/* Finds the shapes that cover most of the plan and numbers them. Returns the steps covered. */
static uint64_t choose_shapes(const struct writer *w, struct shape *shapes, uint32_t *count)
{
    *count = 0;
    for (uint32_t k = 1, length; k < w->job->steps; k += length) {
        length = block_at(w, k);
        if (length == 1) continue;
        struct shape *shape = find_shape(w, shapes, *count, k, length);
        if (!shape && *count < MOST_CANDIDATES) {
            shape = &shapes[(*count)++];
            *shape = (struct shape){.first = k, .count = length};
        }
        if (shape) shape->covered += length;
    }
    uint64_t covered = 0;
    for (uint32_t number = 1; number <= MOST_SHAPES; number++) {
        struct shape *best = NULL;
        for (uint32_t i = 0; i < *count; i++)
            if (!shapes[i].number && (!best || shapes[i].covered > best->covered)) best = &shapes[i];
        if (!best) break;
        best->number = number;
        covered += best->covered;
    }
    return covered;
}

/* Records whose codes are for the loop: bits 0-2 and 3-5 say where the neighbours or the gap are (in the
 * registers of a single step before, or read back), the bits from 8 the shape's number. */
#define FROM_BACK 3u

static uint32_t source_after(const struct writer *w, uint32_t k, int value)
{
    const struct step *before = &w->steps[k - 1];
    if (w->increments)
        return value == 2 * (int)(k - 1)       ? BAILEY_BRIDGE_FROM_LEFT
               : value == 2 * (int)(k - 1) + 1 ? BAILEY_BRIDGE_FROM_RIGHT
                                               : FROM_BACK;
    return value == OUTER_LEFT     ? BAILEY_BRIDGE_FROM_START
           : value == before->a    ? BAILEY_BRIDGE_FROM_LEFT
           : value == before->b    ? BAILEY_BRIDGE_FROM_RIGHT
           : value == (int)(k - 1) ? BAILEY_BRIDGE_FROM_BUILT
                                   : FROM_BACK;
}

static void code_records(const struct writer *w, struct shape *shapes, uint32_t shape_count, void *records)
{
    int single = 1; /* the step before was one */
    for (uint32_t k = 0, length; k < w->job->steps; k += length) {
        struct shape *shape = NULL;
        length = k == 0 ? 1 : block_at(w, k);
        if (length > 1) shape = find_shape(w, shapes, shape_count, k, length);
        if (shape && !shape->number) shape = NULL;
        if (!shape) length = 1;
        uint32_t code = BAILEY_BRIDGE_FROM_START | BAILEY_BRIDGE_FROM_START << 3;
        if (k > 0) {
            uint32_t a = source_after(w, k, w->steps[k].a),
                     b = w->increments ? 0 : source_after(w, k, w->steps[k].b);
            if (!single && a != BAILEY_BRIDGE_FROM_START) a = FROM_BACK;
            if (!single && b != BAILEY_BRIDGE_FROM_START) b = FROM_BACK;
            code = a | b << 3;
        }
        bly_record_write_code(w->job, records, k, code | (shape ? shape->number : 0) << 8);
        single = !shape;
    }
}

/* A single step of the loop: its neighbours or its gap are left_ and right_ already. */
static void say_single(struct writer *w)
{
    const uint32_t dims = w->job->dims;
    const int fixed = w->job->fixed_end;
    if (w->job->draw && fixed) SAY("    if (k > 0)\n    ");
    if (w->job->draw) say_draw(w, 0, 1, 0);
    for (uint32_t dim = 0; dim < dims; dim++) {
        SAY("    const bly_pack z0_%u = ", dim);
        if (fixed) SAY("k == 0 ? bly_splat(0) : ");
        SAY(w->job->draw ? "bly_z(&t, %u);\n" : "bly_z(&t, (bailey_uint64)s->z * %u + %u);\n",
            w->job->draw ? dim : dims, dim);
    }
    for (uint32_t d = 0; d < dims; d++) {
        if (!w->increments) {
            SAY("    built_%u = ", d);
            if (fixed) SAY("k == 0 ? bly_splat(c[%u]) : ", dims + d);
            SAY("bly_point(*s, left_%u, right_%u, ", d, d);
            say_correlated(w, 0, d);
            SAY(");\n    bly_x(&t, (bailey_uint64)%u * (s->point - 1) + %u, 0, built_%u);\n", dims, d, d);
            continue;
        }
        SAY("    if (k == 0) {\n    left_%u = right_%u = ", d, d);
        if (fixed) {
            SAY("bly_splat(c[%u] - c[%u])", dims + d, d);
        } else {
            SAY("BLY_ROOT(s->sigma, ");
            say_correlated(w, 0, d);
            SAY(")");
        }
        SAY(";\n");
        if (w->job->steps == 1) SAY("    bly_x(&t, %u, 0, bly_scale(s->left_scale, left_%u));\n", d, d);
        SAY("    } else {\n    const bly_pack gap = left_%u;\n    left_%u = bly_left(*s, gap, ", d, d);
        say_correlated(w, 0, d);
        SAY(");\n    right_%u = bly_minus(gap, left_%u);\n", d, d);
        SAY("    bly_x(&t, (bailey_uint64)%u * s->gap + %u, 0, bly_scale(s->left_scale, left_%u));\n", dims,
            d, d);
        SAY("    bly_x(&t, (bailey_uint64)%u * s->node + %u, 0, bly_scale(s->right_scale, right_%u));\n    "
            "}\n",
            dims, d, d);
    }
}

static void say_blocks(struct writer *w, const struct shape *shapes, uint32_t shape_count)
{
    const uint32_t dims = w->job->dims;
    say_signature(w);
    say_start(w, "start");
    for (uint32_t d = 0; d < dims; d++)
        SAY("    bly_pack left_%u = start_%u, right_%u = start_%u, built_%u = start_%u;\n", d, d, d, d, d, d);
    SAY("    for (bailey_uint32 k = 0; k < %u;) {\n", w->job->steps);
    for (uint32_t d = 0; d < dims; d++) {
        if (w->increments) {
            SAY("    if (k > 0) left_%u = bly_source(&t, s->code & 7u, (bailey_uint64)%u * s->gap + %u, ", d,
                dims, d);
            SAY("left_%u, right_%u, built_%u, start_%u);\n", d, d, d, d);
        } else {
            SAY("    {\n    const bly_pack l = left_%u;\n", d);
            SAY("    left_%u = bly_source(&t, s->code & 7u, (bailey_uint64)%u * (s->left - 1) + %u, ", d,
                dims, d);
            SAY("l, right_%u, built_%u, start_%u);\n", d, d, d);
            SAY("    right_%u = bly_source(&t, s->code >> 3 & 7u, (bailey_uint64)%u * (s->right - 1) + %u, ",
                d, dims, d);
            SAY("l, right_%u, built_%u, start_%u);\n    }\n", d, d, d);
        }
    }
    SAY("    switch (s->code >> 8) {\n");
    for (uint32_t i = 0; i < shape_count; i++) {
        if (!shapes[i].number) continue;
        SAY("    case %u: {\n", shapes[i].number);
        say_steps(w, shapes[i].first, shapes[i].count, 1);
        SAY("    k += %u;\n    s += %u;\n    break;\n    }\n", shapes[i].count, shapes[i].count);
    }
    SAY("    default: {\n");
    say_single(w);
    SAY("    k++;\n    s++;\n    }\n    }\n    }\n");
    say_entry(w);
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* Paths an item: whole vectors where the values of a few points fit the registers; drawn, a generator block.
 */
static uint32_t width_of(const struct bly_bridge_job *job, int f64)
{
    const uint32_t block = f64 ? 2 : 4;
    if (job->draw) return block;
    if (!job->whole || job->layout == BAILEY_LAYOUT_PATH_MAJOR) return 1;
    return job->dims <= 2 ? block : job->dims <= 5 ? block / 2 : 1;
}

/* Elements from path to path of the tile, as kernels/bridge_code.h has it. */
static uint64_t pitch_of(const struct writer *w)
{
    return w->vectors ? (w->tile_rows / w->elements | 1) * w->elements : w->tile_rows | 1;
}

/* On CPU devices, which take minutes over a loop around straight-line code, a group is one item. Elsewhere
 * chooses items a group so that several groups share a multiprocessor's memory, or at least one fits. Returns
 * the bytes of a group, 0 if they are too many. */
static uint32_t shared_bytes(struct writer *w, uint32_t limit)
{
    const uint32_t element = w->f64 ? 8 : 4, least = w->job->gpu ? LEAST_ITEMS : 1;
    for (w->block = !w->job->gpu ? 1 : w->tile ? TILE_ITEMS : MOST_ITEMS;; w->block /= 2) {
        const uint64_t paths = (uint64_t)w->block * w->width;
        uint64_t bytes = paths * w->stash * w->job->dims * element;
        if (w->tile) bytes += paths * pitch_of(w) * element + (w->vectors ? 0 : 2 * (uint64_t)w->job->steps);
        bytes = bytes < 16 ? 16 : (bytes + 15) / 16 * 16;
        if (bytes <= limit && (bytes <= GOOD_SHARED || w->block == least)) return (uint32_t)bytes;
        if (w->block == least) return 0;
    }
}

static bailey_status check(const struct bly_bridge_job *job)
{
    if (job->dims > 16)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy %s: dims is %u, at most 16 fit the registers",
                        bailey_bridge_strategy_name(job->strategy), job->dims);
    if (job->strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED && job->steps > MOST_STEPS)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "strategy specialised: steps is %u, at most %u; blocks has no limit", job->steps,
                        MOST_STEPS);
    if (job->strategy == BAILEY_BRIDGE_STRATEGY_BLOCKS && job->layout == BAILEY_LAYOUT_PATH_MAJOR)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy blocks: only for step-major arrays");
    if (job->transfer && (job->strategy != BAILEY_BRIDGE_STRATEGY_SPECIALISED || job->fixed_end ||
                          job->output == BAILEY_BRIDGE_INCREMENTS))
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "a transfer is for the strategy specialised, paths and a free end");
    return BAILEY_OK;
}

bailey_status bly_specialised_program(const struct bly_bridge_job *job, struct bly_bridge_program *program)
{
    struct writer writer = {.job = job,
                            .f64 = job->precision == BAILEY_PRECISION_F64,
                            .increments = job->output == BAILEY_BRIDGE_INCREMENTS,
                            .tile = job->layout == BAILEY_LAYOUT_PATH_MAJOR};
    struct writer *w = &writer;
    struct shape *shapes = NULL;
    memset(program, 0, sizeof *program);
    bailey_status status = check(job);
    if (status != BAILEY_OK) return status;
    w->width = width_of(job, w->f64);
    w->tile_rows = w->tile ? job->steps * job->dims : 0;
    w->elements = w->f64 ? 2 : 4;
    /* From memory, all of a path's Z is in registers at first. */
    w->vectors = w->tile && w->tile_rows % w->elements == 0 &&
                 (job->draw || (!job->fixed_end && w->tile_rows * (w->f64 ? 2 : 1) <= MOST_REGISTERS));
    if (job->draw) {
        w->stash = STASH_BYTES / (w->width * job->dims * (w->f64 ? 8 : 4));
        if (w->stash < 1) w->stash = 1;
        if (w->stash > job->steps) w->stash = job->steps;
    }
    program->shared_bytes = shared_bytes(w, job->shared_limit);
    if (!program->shared_bytes)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "strategy %s: %u steps of %u dims do not fit the %u bytes that a group may share",
                        bailey_bridge_strategy_name(job->strategy), job->steps, job->dims, job->shared_limit);
    program->block = w->block;
    program->paths = w->width;

    status = read_plan(w);
    if (status == BAILEY_OK && w->tile && !w->vectors) status = assign_places(w);
    w->made = w->vectors ? bly_alloc(w->tile_rows, 1) : NULL;
    if (w->vectors && !w->made)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    if (status == BAILEY_OK) {
        say_head(w);
        if (job->strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED) {
            say_specialised(w);
        } else {
            uint32_t count = 0;
            shapes = bly_alloc(MOST_CANDIDATES, sizeof *shapes);
            program->records_bytes = job->steps * bly_record_bytes(job);
            program->records = bly_alloc(job->steps, bly_record_bytes(job));
            if (shapes && program->records) {
                memcpy(program->records, job->records, program->records_bytes);
                choose_shapes(w, shapes, &count);
                code_records(w, shapes, count, program->records);
                say_blocks(w, shapes, count);
            } else {
                status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
            }
        }
        if (status == BAILEY_OK && w->text.failed)
            status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    }
    bly_free(shapes);
    bly_free(w->steps);
    bly_free(w->places);
    bly_free(w->made);
    program->source = w->text.data;
    if (status != BAILEY_OK) {
        bly_free(program->source);
        bly_free(program->records);
        memset(program, 0, sizeof *program);
    }
    return status;
}

bailey_status bly_blocks_coverage(const struct bly_bridge_job *job, double *covered)
{
    struct writer w = {.job = job, .increments = job->output == BAILEY_BRIDGE_INCREMENTS};
    struct shape *shapes = bly_alloc(MOST_CANDIDATES, sizeof *shapes);
    uint32_t count;
    bailey_status status =
        shapes ? read_plan(&w) : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    if (status == BAILEY_OK) *covered = (double)choose_shapes(&w, shapes, &count) / job->steps;
    bly_free(shapes);
    bly_free(w.steps);
    return status;
}
