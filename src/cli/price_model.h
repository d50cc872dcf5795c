/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `bailey price` simulates: a payoff, its path and its parameters, from options and files.
 */
#ifndef CLI_PRICE_MODEL_H
#define CLI_PRICE_MODEL_H

#include "assets.h"
#include "order_file.h"
#include "price_options.h"
#include "price_products.h"

#include <bailey/motion.h>
#include <bailey/simulation.h>

/* A parameter of the payoff. */
struct price_parameter {
    const char *name; /* the simulation's */
    uint64_t count;
    double *values; /* allocated */
};

struct price_model {
    const struct price_product *product; /* NULL: a payoff of one's own */
    const char *name;                    /* of the product, or the text's file */
    char *text;                          /* of the file; NULL of a product */
    struct price_product needs;          /* the product's, or what the code of one's own asks for */
    bailey_description *described;       /* that code; NULL of a product, and where it cannot be read */
    char outputs[PRICE_OUTPUTS_MAX];     /* of that code */
    double *times, *correlation;
    uint64_t steps, dims;
    uint64_t levels;                /* of a path that is a motion; else 0 */
    const char *correlation_source; /* NULL: independent */
    struct assets assets;           /* of --assets, else none */
    struct order order;
    int construction, increments;
    uint64_t loop_budget; /* 0: the library's */
    bailey_simulation *simulation;
    struct price_parameter *parameters;
    size_t parameter_count;
};

/* Reads options and files. price_model_free in any case. */
int price_model_read(const struct arguments *arguments, const struct price_product *product,
                     const struct price_settings *settings, struct price_model *model);
/* Makes the simulation, and sets its parameters (price_parameters.c). */
int price_model_create(const struct arguments *arguments, const struct price_settings *settings,
                       bailey_context *context, struct price_model *model);
int price_model_set(const struct arguments *arguments, struct price_model *model);
/* Why the command of a product does not take an option that others do; NULL: it does. */
const char *price_refuses(const struct command *command, int option);
/* The numbers of a list with commas between them. */
uint64_t price_list_length(const char *list);
/* Whether a column of --assets gives the parameter called so. */
int price_is_column(const char *name);
void price_model_free(struct price_model *model);

/* Values of a parameter that commas separate: numbers, or words for its choices. An error begins with `what`.
 * *values is allocated. */
int price_values(const char *what, const bailey_parameter *parameter, const char *list, double **values,
                 uint64_t *count);

/* cli_check of a call of the library: arguments are called as the options that gave them. */
int price_check(bailey_status status, const struct arguments *arguments, const struct price_model *model);

#endif
