/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the reports of all prices share: money, warnings, parts of the JSON.
 */
#ifndef CLI_PRICE_COMMON_H
#define CLI_PRICE_COMMON_H

#include "json.h"
#include "price_options.h"

/* Small and large numbers keep their digits. */
void price_print_money(const char *before, int width, double value);
/* A line of a label, a value and its standard error, which may be NaN. */
void price_print_line(const char *label, double value, double error);
/* Likewise of an estimate from replicates, which says so where its error is not known; "interval of 95 %";
 * and why there is no error, of points. */
void price_print_estimate(const char *label, double value, double error, uint64_t replicates);
void price_print_interval(double low, double high);
void price_print_why(double error, uint64_t replicates);
/* The lines `paths` of `paths` paths in all, each replicate having `each`, `device` and `time`. */
void price_print_work(const struct price_settings *settings, uint64_t paths, uint64_t each,
                      const bailey_device *device);
void price_print_bits(const struct price_settings *settings, double price, double error);

void price_json_hex(struct json *json, const char *key, double value); /* null of NaN */
void price_json_interval(struct json *json, double low, double high);  /* null of NaN */
void price_json_correlation(struct json *json, const char *source, const double *matrix, uint32_t dims);
void price_json_device(struct json *json, const bailey_device *device);

/* Warnings, of numbers that are allowed and hardly meant. */
typedef void (*price_warning)(void *user, const char *text);
void price_warn_print(void *user, const char *text); /* to standard error */
void price_warn_json(void *user, const char *text);  /* a member of the array that is open */

void price_warn_of_percent(const char *what, const char *name, double value, double limit, price_warning warn,
                           void *user);
void price_warn_of_time(const char *option, double last, price_warning warn, void *user);
void price_warn_of_source(const bailey_source *source, uint64_t paths, price_warning warn, void *user);
/* An error that is not known although there are replicates. */
void price_warn_of_error(double error, uint64_t replicates, price_warning warn, void *user);
void price_warn_of_nothing(double price, price_warning warn, void *user);

#endif
