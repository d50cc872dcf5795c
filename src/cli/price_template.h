/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef CLI_PRICE_TEMPLATE_H
#define CLI_PRICE_TEMPLATE_H

/* A payoff to start from, which runs as it is. */
extern const char price_template[];

#endif
