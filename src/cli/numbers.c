/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "numbers.h"

#include <stdio.h>

#define GENERATOR_NAME(number, name, word, kind, published, text, verdict, period) text,
const char *const option_generators[] = {BAILEY_GENERATOR_LIST(GENERATOR_NAME) NULL};
#undef GENERATOR_NAME
const char *const option_sequences[] = {"runs", "published", NULL};
const char *const option_forms[] = {"u32", "u01", "normal", NULL};

size_t draw_element(const struct draw *draw)
{
    return draw->form != FORM_U32 && draw->precision == BAILEY_PRECISION_F64 ? 8 : 4;
}

bailey_status draw_make(bailey_context *context, const struct draw *draw, uint64_t first, uint64_t count,
                        bailey_buffer *out)
{
    const bailey_source *source = &draw->source;
    if (draw->form == FORM_U32) return bailey_words_generate(context, source, first, count, out, 0);
    if (draw->form == FORM_U01)
        return bailey_uniforms_generate(context, source, draw->precision, draw->bits, first, count, out, 0);
    const bailey_normal_params normal = {draw->method, draw->precision, draw->numerics, draw->bits};
    return bailey_normals_generate(context, source, &normal, first, count, out, 0);
}

void generators_help(void)
{
    printf("\nGenerators:\n  %-18s%-9s%s\n", "NAME", "VERDICT", "PERIOD");
    for (int i = 0; option_generators[i]; i++) {
        const bailey_generator generator = (bailey_generator)i;
        printf("  %-18s%-9s%s\n", bailey_generator_name(generator), bailey_generator_verdict(generator),
               bailey_generator_period(generator));
    }
    printf("  sound: no failure found; linear: fails only tests of linearity over GF(2); weak: not for "
           "results.\n"
           "  docs/quality.md has the tests behind the verdicts. Periods are those of the recurrences, "
           "in words.\n");
}
