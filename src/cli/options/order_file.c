/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The order of construction of a bridge: one of the library's by its name, or a file.
 */
#define _XOPEN_SOURCE 700

#include "options.h"

#include <cli/io/io.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const option_orders[] = {"bisection", "lr-down",     "lr-up", "rl-down",
                                     "rl-up",     "incremental", NULL};

static int check_important(const char *name, const uint32_t *important, uint64_t count, uint64_t interior)
{
    if (count && !interior)
        return cli_error(CLI_USAGE, "%s: there is only one time, and none before the last", name);
    unsigned char *seen = calloc((size_t)interior + 1, 1);
    int code = seen ? CLI_OK : cli_memory_error("the order", interior + 1);
    for (uint64_t i = 0; i < count && !code; i++) {
        if (important[i] < 1 || important[i] > interior)
            code = cli_error(CLI_USAGE, "%s: %u is outside 1 to %llu, the times before the last", name,
                             (unsigned)important[i], (unsigned long long)interior);
        else if (seen[important[i]]++)
            code = cli_error(CLI_USAGE, "%s: %u is given twice", name, (unsigned)important[i]);
    }
    free(seen);
    return code;
}

static int named_order(const struct arguments *a, int option, int important_option, bailey_order kind,
                       uint64_t interior, struct order *order)
{
    const struct option *options = a->command->options;
    uint32_t *important = NULL;
    int code = CLI_OK;
    if (important_option >= 0) {
        code = option_list_u32(a, important_option, &important, &order->important_count);
        if (!code)
            code =
                check_important(options[important_option].name, important, order->important_count, interior);
    }
    if (!code && interior) {
        order->index = malloc((size_t)interior * sizeof *order->index);
        code = order->index ? cli_check(bailey_order_make(kind, interior, important, order->important_count,
                                                          order->index),
                                        options[option].name)
                            : cli_memory_error("the order", interior * sizeof *order->index);
    }
    free(important);
    return code;
}

int order_read(const struct arguments *a, int option, int important, uint64_t interior, struct order *order)
{
    const char *name = a->command->options[option].name;
    const char *text = a->value[option] ? a->value[option] : option_orders[0];
    bailey_order kind;
    memset(order, 0, sizeof *order);
    if (bailey_order_from_name(text, &kind) == BAILEY_OK) {
        while (option_orders[order->kind] && strcmp(option_orders[order->kind], text)) order->kind++;
        return named_order(a, option, important, kind, interior, order);
    }
    if (important >= 0 && a->value[important])
        return cli_error(CLI_USAGE, "%s needs %s with a name, not a file",
                         a->command->options[important].name, name);
    order->kind = -1;
    /* A word with neither point nor slash was meant to be a name, unless there is such a file. */
    if (!strpbrk(text, "./") && access(text, F_OK) && errno == ENOENT) {
        const char *nearest = cli_nearest(text, option_orders);
        return cli_error(
            CLI_USAGE,
            "%s: '%s' is not bisection, lr-down, lr-up, rl-down, rl-up or incremental, nor a file%s%s%s",
            name, cli_printable(text), nearest ? "; did you mean " : "", nearest ? nearest : "",
            nearest ? "?" : "");
    }
    return csv_order(name, text, interior, &order->index);
}
