/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The products: the library's built-in payoffs and products. A description is read when it is first asked for, since
 * all of them would take most of a short command's time, and stays as long as the program.
 */
#include "price.h"

#include <bailey/simulation.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MOST_PRODUCTS 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* for what follows */
static struct price_product products[MOST_PRODUCTS];
static char outputs[MOST_PRODUCTS][PRICE_OUTPUTS_MAX];
static bailey_description *descriptions[MOST_PRODUCTS];

void price_product_of(const bailey_description *d, char names[PRICE_OUTPUTS_MAX], struct price_product *p)
{
    const bailey_path_needs *path = &d->path;
    p->description = d;
    p->dims = path->assets ? 0 : path->dims_least;
    p->steps = path->steps ? path->steps : 1;
    p->independent = path->independent != 0;
    p->own_each = path->own_each;
    p->own_more = path->own_more;
    p->normals = path->kind == BAILEY_PATH_KIND_NORMALS;
    p->increments = p->normals || path->kind == BAILEY_PATH_KIND_INCREMENTS;
    p->walk = path->has_construction && path->construction == BAILEY_CONSTRUCTION_WALK;
    p->motion_depth = path->kind == BAILEY_PATH_KIND_MOTION ? path->motion_depth : 0;
    int named = 1; /* all of them */
    for (uint32_t o = 0; o < d->output_count; o++) {
        const size_t used = strlen(names);
        named &= *d->outputs[o].name != 0;
        snprintf(names + used, PRICE_OUTPUTS_MAX - used, "%s%s", o ? "," : "", d->outputs[o].name);
    }
    if (!named) *names = 0;
    p->outputs = names;
}

/* The names, of payoffs first; a payoff that is a product too stands once. */
static const char *names[MOST_PRODUCTS + 1];

static int is_listed(const char *name)
{
    size_t i = 0;
    while (names[i] && strcmp(names[i], name) != 0) i++;
    return names[i] != NULL;
}

static void list_names(void)
{
    const char *name;
    size_t count = 0;
    for (size_t i = 0; count < MOST_PRODUCTS && (name = bailey_payoff_name(i)); i++) names[count++] = name;
    for (size_t i = 0; count < MOST_PRODUCTS && (name = bailey_product_name(i)); i++)
        if (!is_listed(name)) names[count++] = name;
}

const char *price_product_name(size_t index)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, list_names);
    return index < MOST_PRODUCTS ? names[index] : NULL;
}

static const struct price_product *product_at(size_t index)
{
    const bailey_payoff payoff = {.name = price_product_name(index)};
    if (!payoff.name) return NULL;
    pthread_mutex_lock(&mutex);
    if (!descriptions[index] && bailey_payoff_describe(&payoff, NULL, &descriptions[index]) == BAILEY_OK) {
        products[index].name = payoff.name;
        price_product_of(descriptions[index], outputs[index], &products[index]);
    }
    const struct price_product *product = descriptions[index] ? &products[index] : NULL;
    pthread_mutex_unlock(&mutex);
    return product;
}

const struct price_product *price_product(const char *name)
{
    const char *other;
    for (size_t i = 0; (other = price_product_name(i)); i++)
        if (!strcmp(other, name)) return product_at(i);
    return NULL;
}

const bailey_description *price_product_description(size_t index)
{
    const struct price_product *product = product_at(index);
    return product ? product->description : NULL;
}
