/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "report.h"

void report_source(struct document *d, const bailey_source *source)
{
    const int points = source->generator == BAILEY_GENERATOR_SOBOL;
    const int warp =
        source->generator == BAILEY_GENERATOR_WARP || source->generator == BAILEY_GENERATOR_WARP_ADD;
    document_fields(d, "source", source,
                    points ? "seed stream generator scramble point_order word_bits assignment"
                    : warp ? "seed stream generator sequence warp_set"
                           : "seed stream generator sequence");
    document_text(d, "verdict", bailey_generator_verdict(source->generator));
}

void report_device(struct document *d, const bailey_device *device)
{
    document_text(d, "device", device->address);
    document_text(d, "device_name", device->name);
    document_number(d, "seconds", cli_elapsed());
    document_line(d, "device   %s: %s", device->address, cli_printable(device->name));
    document_line(d, "time     %.3f s", cli_elapsed());
}
