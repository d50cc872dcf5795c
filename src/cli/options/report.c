/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Members and lines that several reports have in common, so that `price`, `mlmc` and `batch` use the same
 * name for the same thing.
 */
#include "options.h"

#include <bailey/points.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Members ------------------------------------------------------------------------------------- */

void report_source(struct document *d, const bailey_source *source)
{
    const int warp =
        source->generator == BAILEY_GENERATOR_WARP || source->generator == BAILEY_GENERATOR_WARP_ADD;
    document_fields(d, "source", source,
                    source_is_points(source) ? "seed stream generator scramble point_order assignment"
                    : warp                   ? "seed stream generator sequence warp_set"
                                             : "seed stream generator sequence");
    document_text(d, "verdict", bailey_generator_verdict(source->generator));
}

void report_normal(struct document *d, const bailey_source *source, const bailey_normal_params *normal)
{
    document_text(d, "normal", option_word_of("normal_params", "method", normal->method));
    document_fields(d, "normal_params", normal, "precision numerics");
    document_count(d, "word_bits", source_bits(source, normal));
}

void report_device(struct document *d, const bailey_device *device)
{
    document_text(d, "device", device->address);
    document_text(d, "device_name", device->name);
    document_number(d, "seconds", cli_elapsed());
}

void report_show_device(struct document *d, const bailey_device *device)
{
    report_device(d, device);
    document_line(d, "device   %s: %s", device->address, cli_printable(device->name));
    document_line(d, "time     %.3f s", cli_elapsed());
}

void report_bits(struct document *d, int numerics, const struct report_number *numbers, size_t count)
{
    static const char *const labels[] = {"price", "standard error"};
    document_line(d, "\nBit for bit%s",
                  numerics == BAILEY_NUMERICS_EXACT ? ", the same on every device"
                                                    : " (fast: not the same on every device)");
    document_open(d, "hex", '{');
    for (size_t i = 0; i < count; i++) {
        struct item *item = document_number(d, numbers[i].key, numbers[i].value);
        if (i < 2 && !isnan(numbers[i].value)) document_show(d, item, labels[i], FORM_EXACT);
        item->form = FORM_EXACT;
    }
    document_close(d);
    document_gap(d);
}

void report_correlation(struct document *d, const char *source, const double *matrix, uint64_t dims)
{
    document_text(d, "correlation_source", source ? source : "independent");
    if (!matrix) {
        document_text(d, "correlation", NULL);
        return;
    }
    document_open(d, "correlation", '[');
    for (uint64_t i = 0; i < dims; i++) document_numbers(d, NULL, matrix + i * dims, dims);
    document_close(d);
}

/* ---- What text shows ----------------------------------------------------------------------------- */

void report_show_estimate(struct document *d, struct item *object, const char *key, const char *error,
                          const char *label, uint64_t replicates)
{
    const struct item *of = document_find(object, error);
    struct item *item = document_show(d, document_find(object, key), label, FORM_MONEY);
    if (of && (of->type == ITEM_NUMBER || replicates > 1)) item->error = of;
}

void report_interval(struct document *d, double low, double high)
{
    char from[40], to[40];
    if (isnan(low)) return;
    if (isinf(high)) {
        document_line(d, "  %-26s %16s or more: there is no upper bound", "interval of 95 %",
                      document_money(from, sizeof from, low));
        return;
    }
    document_line(d, "  %-26s %16s .. %s", "interval of 95 %", document_money(from, sizeof from, low),
                  document_money(to, sizeof to, high));
}

void report_paths(struct document *d, uint64_t paths, uint64_t replicates, uint64_t each,
                  const bailey_source *source, const bailey_normal_params *normal)
{
    char of[100] = "", from[24] = "";
    if (replicates > 1)
        snprintf(of, sizeof of, " (%s replicates of %s)", cli_count(replicates), cli_count(each));
    if (normal->word_bits && !source_is_points(source))
        snprintf(from, sizeof from, " from %u bits", (unsigned)normal->word_bits);
    document_line(d, "paths    %s%s, %s%s, %s, %s, seed %llu, stream %llu%s", cli_count(paths), of,
                  option_word_of("normal_params", "precision", normal->precision), from,
                  option_word_of("normal_params", "method", normal->method),
                  option_word_of("normal_params", "numerics", normal->numerics),
                  (unsigned long long)source->seed, (unsigned long long)source->stream,
                  source_remark(source));
}

/* ---- Warnings ------------------------------------------------------------------------------------ */

void report_warn_of_percent(struct document *d, const char *what, const char *name, double value,
                            double limit)
{
    if (fabs(value) > limit)
        document_warn(d, "%s%s%.200s is %.10g, which means %.10g %%; %.10g %% is written %.10g", what,
                      *name ? " of " : "", name, value, 100 * value, value, value / 100);
}

void report_warn_of_time(struct document *d, double last)
{
    if (last > 100)
        document_warn(d, "the last fixing is more than 100 years away (%.10g); the maturity is in years",
                      last);
}

void report_warn_of_source(struct document *d, const bailey_source *source, uint64_t paths)
{
    if (!strcmp(bailey_generator_verdict(source->generator), "weak"))
        document_warn(d, "%s is a weak generator: not for results", bailey_generator_name(source->generator));
    report_warn_of_points(d, source, 0, paths);
}

void report_warn_of_points(struct document *d, const bailey_source *source, uint64_t first, uint64_t count)
{
    char text[400];
    if (bailey_points_advice(source, first, count, text, sizeof text)) document_warn(d, "%s", text);
}

void report_warn_of_nothing(struct document *d, double price)
{
    if (price == 0)
        document_warn(d, "every payoff is 0: the price is 0, or too small for this number of paths");
}
