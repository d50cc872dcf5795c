/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The order of construction, as the commands take it: a name or a file.
 */
#ifndef CLI_ORDER_H
#define CLI_ORDER_H

#include "options.h"

extern const char *const option_orders[]; /* names; NULL ends */

struct order {
    uint32_t *index; /* allocated; NULL if there is no time before the last */
    int kind;        /* of option_orders; -1: a file */
    uint64_t important_count;
};

/* Reads `option` (absent: bisection) for `interior` times before the last, and `important`, the option of
 * those to be built first, -1 if the command has none. free(order->index) in any case. */
int order_read(const struct arguments *arguments, int option, int important, uint64_t interior,
               struct order *order);

#endif
