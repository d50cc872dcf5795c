/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sites: operations of a payoff's code that are tested as it runs, and the message of one that failed.
 */
#include "sites.h"

#include <base/alloc.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct bly_site *bly_sites_copy(const struct bly_site *sites, uint32_t count)
{
    size_t bytes = count * sizeof *sites;
    for (uint32_t i = 0; i < count; i++) bytes += sites[i].what ? strlen(sites[i].what) + 1 : 0;
    struct bly_site *own = bly_alloc(bytes ? bytes : 1, 1);
    if (!own) return NULL;
    char *to = (char *)(own + count);
    for (uint32_t i = 0; i < count; i++) {
        own[i] = sites[i];
        if (!sites[i].what) continue;
        const size_t length = strlen(sites[i].what) + 1;
        own[i].what = memcpy(to, sites[i].what, length);
        to += length;
    }
    return own;
}

void bly_site_write(const char *name, const struct bly_site *site, int64_t value, uint32_t loop_budget,
                    char *text, size_t size)
{
    const int before = snprintf(text, size, "%s:%u:%u: ", name, site->place.line, site->place.column);
    const char *what = site->what ? site->what : "";
    if (before < 0 || (size_t)before >= size) return;
    text += before;
    size -= (size_t)before;
    switch (site->kind) {
    case BLY_FAULT_INDEX: snprintf(text, size, "index %" PRId64 " of %s", value, what); break;
    case BLY_FAULT_DIVIDE: snprintf(text, size, "division of an integer by 0"); break;
    case BLY_FAULT_LOOP:
        snprintf(text, size, "this %s takes more than the loop budget of %u trips", *what ? what : "loop",
                 loop_budget);
        break;
    case BLY_FAULT_TICK:
        snprintf(text, size, "%" PRId64 " is not a step or a dimension of the path", value);
        break;
    default: snprintf(text, size, "a fault"); break;
    }
}
