/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The text of a program of levels: what kernels/mlmc_code.h is to know, the structures that the text of
 * levels declares, and that text.
 */
#include "mlmc_program.h"

#define SAY(...) bly_text_add(text, __VA_ARGS__)

static int is_f64(const bailey_mlmc *m) { return m->precision == BAILEY_PRECISION_F64; }

const struct bly_copies_tuning *bly_levels_copies(const bailey_mlmc *m)
{
    const struct bly_device *device = m->context->device;
    return &device->tuning->simulation[0][m->precision == BAILEY_PRECISION_F64];
}

static void say_copies(const bailey_mlmc *m, struct bly_text *text)
{
    const struct bly_copies_tuning *copies = bly_levels_copies(m);
    SAY("#define BAILEY_ICDF_COPIES %u\n#define BAILEY_ICDF_HOT_F%s %u\n#define BAILEY_ICDF_COLD_F64 %u\n",
        copies->copies, is_f64(m) ? "64" : "32", copies->octaves * (is_f64(m) ? 32 : 16), copies->cold);
    SAY("#define BLY_LEAST_BLOCKS %u\n", copies->groups);
}

/* Rows that make what programs would draw. */
static int rounds_rows(const struct bly_levels_variant *v)
{
    return v->rounds == 7 ? BLY_KERNEL_bly_philox7_u01_f32 - BLY_KERNEL_bly_philox_u01_f32 : 0;
}
static int normals_row(const struct bly_levels_variant *v)
{
    if (v->draw >= BLY_DRAW_crossed_icdf_f32)
        return BLY_KERNEL_bly_crossed_counter_icdf_f32 + (int)v->draw - BLY_DRAW_crossed_icdf_f32;
    return BLY_KERNEL_bly_philox_icdf_f32 + (int)v->draw + rounds_rows(v);
}
static int uniforms_row(const bailey_mlmc *m, const struct bly_levels_variant *v)
{
    return (is_f64(m) ? BLY_KERNEL_bly_philox_u01_f64 : BLY_KERNEL_bly_philox_u01_f32) + rounds_rows(v);
}

/* Words, that approximate normals are made of. */
static int words_row(const struct bly_levels_variant *v)
{
    return v->rounds == 7 ? BLY_KERNEL_bly_words_philox7 : BLY_KERNEL_bly_words_philox;
}

static void say_numbers(const bailey_mlmc *m, const struct bly_levels_variant *v, struct bly_text *text)
{
    SAY("#define BLY_INPUT %u\n#define BLY_WALK %u\n#define BLY_DIMS %u\n", v->input, BLY_WALK_INCREMENTS,
        m->dims);
    SAY("#define BLY_STEP_NORMALS %u\n#define BLY_STEP_UNIFORMS %u\n#define BLY_CORRELATED %d\n",
        m->payoff.normals, m->payoff.uniforms, m->factor != NULL);
    if (v->calls_rows)
        SAY("#define BLY_CALLS_ROWS 1\n#define BLY_NORMALS_ROW %d\n#define BLY_UNIFORMS_ROW %d\n",
            normals_row(v), uniforms_row(m, v));
    if (v->calls_rows && v->approximate) SAY("#define BLY_PHILOX_WORDS_ROW %d\n", words_row(v));
    if (v->input == BLY_INPUT_DRAWN)
        SAY("#define BLY_DRAW %s\n#define BLY_ROUNDS %u\n", bly_draw_constant((int)v->draw), v->rounds);
}

void bly_levels_say(const bailey_mlmc *m, const struct bly_levels_variant *v, struct bly_text *text)
{
    if (v->copies) say_copies(m, text);
    SAY("#define BLY_REAL %s\n#define BLY_SCALAR %s\n", is_f64(m) ? "f64" : "f32",
        is_f64(m) ? "double" : "float");
    say_numbers(m, v, text);
    SAY("#define BLY_WIDTH %u\n#define BLY_LEVEL_TEAM %u\n#define BLY_STRIP_BITS %u\n", v->width, v->team,
        BLY_LEVELS_STRIP_BITS);
    SAY("#define BLY_APPROXIMATE %u\n#define BLY_CORRECTION %u\n#define BLY_SHARES %u\n", v->approximate,
        v->correction, v->shares);
    SAY("#define BLY_STAYS %u\n", v->stays);
    SAY("#define BLY_LEVEL_PARTS %u\n", v->parts);
    SAY("#define BLY_TEST %u\n#define BLY_PAYOFF_FAST %u\n#define BLY_GIVEN %u\n#define BLY_OUTPUTS 2\n",
        v->test, v->fast, v->given);
    if (v->faults) SAY("#define BLY_TELLS %d\n", v->faults > 1);
    SAY("#include \"kernels/group_entry.h\"\n#include \"kernels/mlmc_head.h\"\n");
    bly_payoff_structures(&m->payoff, text);
    SAY("%s#include \"kernels/mlmc_code.h\"\n", m->payoff.text);
}

uint32_t bly_levels_shared(const bailey_mlmc *m, const struct bly_levels_variant *v)
{
    const uint32_t meeting = v->block > 1 ? v->block * 8 : 16;
    return v->copies ? meeting + bly_copies_bytes(bly_levels_copies(m), is_f64(m)) : meeting;
}
