/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "source_options.h"

#include "numbers.h"

#include <stdio.h>

int source_read(const struct arguments *arguments, int generator, bailey_source *source)
{
    enum { SOURCE_OPTION_NAMES };
    uint64_t warp_set = 0;
    int number = 0, sequence = 0, code;
    if ((code = option_choice(arguments, generator + GENERATOR, option_generators, &number)) ||
        (code = option_choice(arguments, generator + SEQUENCE, option_sequences, &sequence)) ||
        (code = option_u64(arguments, generator + WARP_SET, 0, BAILEY_WARP_SETS - 1, &warp_set)) ||
        (code = option_u64(arguments, generator + SEED, 0, UINT64_MAX, &source->seed)) ||
        (code = option_u64(arguments, generator + STREAM, 0, UINT64_MAX, &source->stream)))
        return code;
    source->generator = (bailey_generator)number;
    source->sequence = (bailey_sequence)sequence;
    source->warp_set = (uint32_t)warp_set;
    return cli_check(bailey_source_check(source, NULL), option_generators[number]);
}

void source_json(struct json *json, const bailey_source *source)
{
    json_text(json, "generator", option_generators[source->generator]);
    json_text(json, "verdict", bailey_generator_verdict(source->generator));
    json_text(json, "sequence", option_sequences[source->sequence]);
    if (source->generator == BAILEY_GENERATOR_WARP || source->generator == BAILEY_GENERATOR_WARP_ADD)
        json_count(json, "warp_set", source->warp_set);
    json_count(json, "seed", source->seed);
    json_count(json, "stream", source->stream);
}

const char *source_remark(const bailey_source *source)
{
    static char text[64];
    char more[24] = "";
    if (source->generator == BAILEY_GENERATOR_PHILOX) return "";
    if (source->sequence == BAILEY_SEQUENCE_PUBLISHED) snprintf(more, sizeof more, " (published)");
    if (source->warp_set) snprintf(more, sizeof more, " (set %u)", (unsigned)source->warp_set);
    snprintf(text, sizeof text, ", %s%s", option_generators[source->generator], more);
    return text;
}
