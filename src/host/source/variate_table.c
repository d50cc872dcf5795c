/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tables of distributions that a context used last, in its device's memory.
 */
#include "source.h"

#include <base/alloc.h>
#include <base/status.h>

#include <string.h>

#define KEPT 8

struct kept {
    bailey_variate_params params; /* its weights are a copy */
    bailey_buffer *table;         /* NULL: none */
};

/* A slot of the context. */
struct tables {
    struct kept kept[KEPT];
    unsigned next;
};

static void discard(struct kept *k)
{
    bly_pool_release(k->table);
    bly_free((void *)(uintptr_t)k->params.weights);
    *k = (struct kept){.table = NULL};
}

static void empty(void *slot)
{
    struct tables *tables = slot;
    for (int i = 0; i < KEPT; i++) discard(&tables->kept[i]);
}

static const struct bly_slot_owner owner = {sizeof(struct tables), empty};

static int same(const bailey_variate_params *a, const bailey_variate_params *b)
{
    return a->distribution == b->distribution && a->normal.precision == b->normal.precision &&
           a->alias == b->alias && a->mean == b->mean && a->probability == b->probability &&
           a->trials == b->trials && a->shape == b->shape && a->second_shape == b->second_shape &&
           a->freedom == b->freedom && a->scale == b->scale && a->stddev == b->stddev &&
           a->lower == b->lower && a->upper == b->upper && a->noncentrality == b->noncentrality &&
           a->weight_count == b->weight_count &&
           (!a->weight_count || !memcmp(a->weights, b->weights, a->weight_count * sizeof *a->weights));
}

bailey_status bly_host_table(const bailey_variate_params *p, void **table, uint64_t *bytes)
{
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = p->distribution >= BAILEY_DISTRIBUTION_GAMMA
                                     ? bly_tabled_table(p, table, bytes)
                                     : bly_discrete_table(p, table, bytes);
    fesetenv(&callers);
    return status;
}

/* Computes a table, into an empty place. */
static bailey_status make(bailey_context *context, const bailey_variate_params *p, struct kept *k)
{
    void *table = NULL;
    uint64_t bytes = 0;
    double *weights = NULL;
    if (p->weight_count) {
        weights = bly_alloc(p->weight_count, sizeof *weights);
        if (!weights) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's weights");
        memcpy(weights, p->weights, p->weight_count * sizeof *weights);
    }
    bailey_status status = bly_host_table(p, &table, &bytes);
    if (status == BAILEY_OK) status = bly_pool_upload(context, table, bytes, &k->table);
    bly_free(table);
    k->params = *p;
    k->params.weights = weights;
    if (status != BAILEY_OK) discard(k);
    return status;
}

bailey_status bly_variate_table(bailey_context *context, const bailey_variate_params *p,
                                bailey_buffer **table)
{
    struct tables *tables = bly_context_slot(context, &owner);
    if (!tables) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's table");
    for (int i = 0; i < KEPT; i++)
        if (tables->kept[i].table && same(&tables->kept[i].params, p)) {
            *table = tables->kept[i].table;
            return BAILEY_OK;
        }
    struct kept *k = &tables->kept[tables->next++ % KEPT];
    discard(k);
    const bailey_status status = make(context, p, k);
    *table = k->table;
    return status;
}
