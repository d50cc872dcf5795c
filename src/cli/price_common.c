/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_common.h"

#include <bailey/points.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void price_print_money(const char *before, int width, double value)
{
    const int plain = value == 0 || (fabs(value) >= 1e-5 && fabs(value) < 1e10);
    printf(plain ? "%s%*.8f" : "%s%*.8e", before, width, value);
}

void price_print_line(const char *label, double value, double error)
{
    printf("  %-26s", label);
    price_print_money(" ", 16, value);
    if (!isnan(error)) price_print_money("  +- ", 1, error);
    printf("%s\n", isnan(error) ? "" : " standard error");
}

void price_print_estimate(const char *label, double value, double error, uint64_t replicates)
{
    if (!isnan(error) || replicates < 2) {
        price_print_line(label, value, error);
        return;
    }
    printf("  %-26s", label);
    price_print_money(" ", 16, value);
    printf("  +- not known\n");
}

void price_print_interval(double low, double high)
{
    if (isnan(low)) return;
    printf("  %-26s", "interval of 95 %");
    price_print_money(" ", 16, low);
    price_print_money(" .. ", 1, high);
    printf("\n");
}

void price_print_why(double error, uint64_t replicates)
{
    if (isnan(error) && replicates < 2)
        printf("\nNo standard error: points of one replicate are not independent. See --replicates.\n");
}

void price_print_bits(const struct price_settings *s, double price, double error)
{
    printf("\nBit for bit%s\n", s->normal.numerics == BAILEY_NUMERICS_EXACT
                                    ? ", the same on every device"
                                    : " (fast: not the same on every device)");
    printf("  %-26s %a\n", "price", price);
    if (!isnan(error)) printf("  %-26s %a\n", "standard error", error);
    printf("\n");
}

void price_print_work(const struct price_settings *s, uint64_t paths, uint64_t each,
                      const bailey_device *device)
{
    printf("paths    %s", cli_count(paths));
    if (s->replicates > 1) printf(" (%s replicates of %s)", cli_count(s->replicates), cli_count(each));
    printf(", %s%s, %s, %s, seed %llu, stream %llu%s\n", option_precision(s->normal.precision),
           s->normal.word_bits && !source_is_points(&s->source)
               ? s->normal.word_bits == 64 ? " from 64 bits" : " from 32 bits"
               : "",
           option_word_of("normal_params", "method", s->normal.method),
           option_word_of("normal_params", "numerics", s->normal.numerics),
           (unsigned long long)s->source.seed, (unsigned long long)s->source.stream,
           source_remark(&s->source));
    printf("device   %s: %s\n", device->address, cli_printable(device->name));
    printf("time     %.3f s\n", cli_elapsed());
}

void price_json_hex(struct json *json, const char *key, double value)
{
    char text[40];
    if (isnan(value)) {
        json_number(json, key, value);
        return;
    }
    snprintf(text, sizeof text, "%a", value);
    json_text(json, key, text);
}

void price_json_interval(struct json *json, double low, double high)
{
    if (isnan(low)) {
        json_number(json, "interval_95", low);
        return;
    }
    json_open(json, "interval_95", '[');
    json_number(json, NULL, low);
    json_number(json, NULL, high);
    json_close(json, ']');
}

void price_json_correlation(struct json *json, const char *source, const double *matrix, uint32_t dims)
{
    json_text(json, "correlation_source", source ? source : "independent");
    if (!matrix) {
        json_number(json, "correlation", NAN);
        return;
    }
    json_open(json, "correlation", '[');
    for (uint32_t i = 0; i < dims; i++) {
        json_open(json, NULL, '[');
        for (uint32_t j = 0; j < dims; j++) json_number(json, NULL, matrix[i * dims + j]);
        json_close(json, ']');
    }
    json_close(json, ']');
}

void price_json_device(struct json *json, const bailey_device *device)
{
    json_text(json, "device", device->address);
    json_text(json, "device_name", device->name);
    json_number(json, "seconds", cli_elapsed());
}

/* ---- Warnings ---- */

void price_warn_print(void *user, const char *text)
{
    (void)user;
    cli_error(CLI_OK, "warning: %s", cli_printable(text));
}

void price_warn_json(void *user, const char *text) { json_text(user, NULL, text); }

void price_warn_of_percent(const char *what, const char *name, double value, double limit, price_warning warn,
                           void *user)
{
    char text[400];
    if (fabs(value) <= limit) return;
    snprintf(text, sizeof text, "%s%s%.200s is %.10g, which means %.10g %%; %.10g %% is written %.10g", what,
             *name ? " of " : "", name, value, 100 * value, value, value / 100);
    warn(user, text);
}

void price_warn_of_time(const char *option, double last, price_warning warn, void *user)
{
    char text[100];
    if (last <= 100) return;
    snprintf(text, sizeof text, "the last fixing is in %.10g years, over 100; %s counts years", last, option);
    warn(user, text);
}

void price_warn_of_source(const bailey_source *source, uint64_t paths, price_warning warn, void *user)
{
    char text[400];
    if (!strcmp(bailey_generator_verdict(source->generator), "weak")) {
        snprintf(text, sizeof text, "%s is a weak generator: not for results",
                 bailey_generator_name(source->generator));
        warn(user, text);
    }
    if (bailey_points_advice(source, 0, paths, text, sizeof text)) warn(user, text);
}

void price_warn_of_error(double error, uint64_t replicates, price_warning warn, void *user)
{
    if (isnan(error) && replicates > 1)
        warn(user,
             "the standard error is not known: all replicates have the same mean, although paths differ; "
             "take more --paths, or random numbers");
}

void price_warn_of_nothing(double price, price_warning warn, void *user)
{
    if (price == 0)
        warn(user, "no path pays anything: the price is 0, or too small for this number of paths to see");
}
