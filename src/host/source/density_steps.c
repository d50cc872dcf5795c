/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Lists of steps, and sums of a step's series.
 */
#include "density.h"

#include <base/alloc.h>
#include <base/status.h>

#include <string.h>

#define MOST_STEPS 40000

bailey_status bly_add_step(struct bly_steps *steps, struct bly_step step)
{
    if (steps->count == MOST_STEPS)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "a distribution needs more than %d steps", MOST_STEPS);
    if (steps->count == steps->room) {
        const uint32_t room = steps->room ? 2 * steps->room : 128;
        struct bly_step *more = bly_alloc(room, sizeof *more);
        if (!more) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's steps");
        if (steps->count) memcpy(more, steps->of, steps->count * sizeof *more);
        bly_free(steps->of);
        steps->of = more;
        steps->room = room;
    }
    steps->of[steps->count++] = step;
    return BAILEY_OK;
}

struct bly_wide bly_density_at(const struct bly_wide *term, int count, struct bly_wide t)
{
    struct bly_wide sum = term[count - 1];
    for (int k = count - 2; k >= 0; k--) sum = bly_wide_add(bly_wide_multiply(sum, t), term[k]);
    return sum;
}

struct bly_wide bly_integral_at(const struct bly_wide *term, int count, struct bly_wide t, double h)
{
    struct bly_wide sum = bly_wide_divide(term[count - 1], bly_wide(count));
    for (int k = count - 2; k >= 0; k--)
        sum = bly_wide_add(bly_wide_multiply(sum, t), bly_wide_divide(term[k], bly_wide(k + 1)));
    return bly_wide_times(bly_wide_multiply(sum, t), h);
}
