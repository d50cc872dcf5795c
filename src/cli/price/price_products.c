/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The products: the library's built-in payoffs and products, whose descriptions are read once and stay as long as the
 * program.
 */
#include "price.h"

#include <bailey/simulation.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MOST_PRODUCTS 64

static struct price_product products[MOST_PRODUCTS];
static char outputs[MOST_PRODUCTS][PRICE_OUTPUTS_MAX];
static bailey_description *descriptions[MOST_PRODUCTS]; /* as long as the program */
static size_t count;

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

static void read_one(const char *name)
{
    const bailey_payoff payoff = {.name = name};
    bailey_description *d = NULL;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(products[i].name, name)) return; /* a payoff that is a product too */
    if (count == MOST_PRODUCTS || bailey_payoff_describe(&payoff, NULL, &d) != BAILEY_OK) return;
    products[count].name = name;
    price_product_of(d, outputs[count], &products[count]);
    descriptions[count++] = d;
}

static void read_all(void)
{
    const char *name;
    for (size_t i = 0; (name = bailey_payoff_name(i)); i++) read_one(name);
    for (size_t i = 0; (name = bailey_product_name(i)); i++) read_one(name);
}

static void read_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_all);
}

const struct price_product *price_product(const char *name)
{
    read_once();
    for (size_t i = 0; i < count; i++)
        if (!strcmp(products[i].name, name)) return &products[i];
    return NULL;
}

const bailey_description *price_product_description(size_t index)
{
    read_once();
    return index < count ? products[index].description : NULL;
}

const char *price_product_name(size_t index)
{
    read_once();
    return index < count ? products[index].name : NULL;
}
