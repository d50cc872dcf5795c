/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoffs that have been read, cached in a slot of the context: reading code takes longer than the rest of
 * creating a simulation, and simulations with other times or correlations have the same code.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <host/internal.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/sites.h>

#include <string.h>

#define MOST_CACHED 16
#define MOST_TEXT ((size_t)1 << 16) /* longer ones are read again */

struct cached {
    char *text; /* as it was given; NULL: this place is free */
    char *name; /* NULL if it had none */
    char *around; /* that path.around points to */
    uint32_t loop_budget;
    struct bly_payoff_path path;
    struct bly_payoff payoff;
};

/* A slot of a context. Places are reused in turn: whatever was cached first goes first. */
struct payoffs {
    struct cached cached[MOST_CACHED];
    unsigned next;
};

static void *copy(const void *from, size_t count, size_t size)
{
    void *to = from ? bly_alloc(count ? count : 1, size) : NULL;
    if (to) memcpy(to, from, count * size);
    return to;
}

static bailey_status copy_payoff(const struct bly_payoff *from, struct bly_payoff *to)
{
    *to = *from;
    to->params = copy(from->params, from->param_count, sizeof *from->params);
    to->states = copy(from->states, from->state_count, sizeof *from->states);
    to->text = copy(from->text, strlen(from->text) + 1, 1);
    to->lanes = copy(from->lanes, from->lanes ? strlen(from->lanes) + 1 : 0, 1);
    to->sites = from->site_count ? bly_sites_copy(from->sites, from->site_count) : NULL;
    to->description = NULL;
    const int described =
        !from->description || bly_description_copy(from->description, &to->description) == BAILEY_OK;
    if (described && to->text && !to->lanes == !from->lanes && !to->sites == !from->sites && !to->params == !from->params &&
        !to->states == !from->states)
        return BAILEY_OK;
    bly_payoff_free(to);
    return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a payoff");
}

static int same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static int is_wanted(const struct cached *k, const struct cached *wanted)
{
    const struct bly_payoff_path *a = &k->path, *b = &wanted->path;
    return k->text && a->precision == b->precision && a->steps == b->steps && a->dims == b->dims &&
           a->motion_depth == b->motion_depth && a->most_outputs == b->most_outputs &&
           k->loop_budget == wanted->loop_budget && same(k->text, wanted->text) &&
           same(k->name, wanted->name) && same(a->around, b->around);
}

static void free_cached(struct cached *k)
{
    bly_free(k->text);
    bly_free(k->name);
    bly_free(k->around);
    bly_payoff_free(&k->payoff);
    memset(k, 0, sizeof *k);
}

static void empty(void *cached)
{
    struct payoffs *payoffs = cached;
    for (int i = 0; i < MOST_CACHED; i++) free_cached(&payoffs->cached[i]);
}

static const struct bly_slot_owner owner = {sizeof(struct payoffs), empty};

/* Without memory nothing is cached, and nothing is wrong. */
static void store(struct payoffs *payoffs, const struct cached *k)
{
    if (!payoffs || strlen(k->text) > MOST_TEXT) return;
    struct cached *place = &payoffs->cached[payoffs->next++ % MOST_CACHED];
    free_cached(place);
    *place = (struct cached){.path = k->path, .loop_budget = k->loop_budget};
    place->text = copy(k->text, strlen(k->text) + 1, 1);
    place->name = copy(k->name, k->name ? strlen(k->name) + 1 : 0, 1);
    place->around = copy(k->path.around, k->path.around ? strlen(k->path.around) + 1 : 0, 1);
    place->path.around = place->around;
    if (!place->text || !place->name != !k->name || !place->around != !k->path.around ||
        copy_payoff(&k->payoff, &place->payoff) != BAILEY_OK)
        free_cached(place);
}

bailey_status bly_payoff_find(bailey_context *context, const bailey_payoff *payoff,
                              const struct bly_payoff_path *path, struct bly_payoff *out)
{
    struct cached wanted = {.text = (char *)payoff->code,
                            .name = (char *)payoff->name,
                            .loop_budget = payoff->loop_budget,
                            .path = *path};
    if (!wanted.text && wanted.name) wanted.text = (char *)bly_payoff_builtin_code(wanted.name);
    struct payoffs *payoffs = bly_context_slot(context, &owner);
    for (int i = 0; payoffs && i < MOST_CACHED; i++)
        if (is_wanted(&payoffs->cached[i], &wanted)) return copy_payoff(&payoffs->cached[i].payoff, out);
    const bailey_status status = bly_payoff_read(payoff, path, out);
    if (status != BAILEY_OK) return status;
    out->loop_budget = payoff->loop_budget ? payoff->loop_budget : BAILEY_PAYOFF_LOOP_BUDGET;
    wanted.payoff = *out;
    store(payoffs, &wanted);
    return BAILEY_OK;
}
