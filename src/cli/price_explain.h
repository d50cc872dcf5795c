/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * --explain: a path of a run step by step, instead of a price.
 */
#ifndef CLI_PRICE_EXPLAIN_H
#define CLI_PRICE_EXPLAIN_H

#include "price_job.h"

/* Checks --explain, before anything is computed. */
int price_explain_check(const struct arguments *arguments);

/* Prints the path, of a model that is made and set on the context. */
int price_explain(const struct arguments *arguments, const struct price_settings *settings,
                  const struct price_model *model, const struct price_outcome *outcome);

#endif
