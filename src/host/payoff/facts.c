/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Differences of two integers, where a condition has compared them: after `if (i < p->first) return;` i -
 * p->first is 0 at least, though the range of neither says so.
 */
#include "ranges.h"

void bly_fact_add(struct bly_env *env, int64_t a, int64_t b, int64_t least)
{
    if (a == b) return;
    for (uint32_t i = 0; i < env->fact_count; i++) {
        struct bly_fact *fact = &env->facts[i];
        if (fact->a != a || fact->b != b) continue;
        if (least > fact->least) fact->least = least;
        return;
    }
    if (env->fact_count < BLY_FACTS)
        env->facts[env->fact_count++] = (struct bly_fact){(uint32_t)a, (uint32_t)b, least};
}

const struct bly_fact *bly_fact_find(const struct bly_env *env, int64_t a, int64_t b)
{
    for (uint32_t i = 0; i < env->fact_count; i++)
        if (env->facts[i].a == a && env->facts[i].b == b) return &env->facts[i];
    return NULL;
}

static void drop(struct bly_env *env, uint32_t i) { env->facts[i] = env->facts[--env->fact_count]; }

void bly_facts_forget(struct bly_env *env, int64_t cell)
{
    for (uint32_t i = env->fact_count; i-- > 0;)
        if (env->facts[i].a == cell || env->facts[i].b == cell) drop(env, i);
}

void bly_facts_set(struct bly_env *env, const struct bly_env *from)
{
    env->fact_count = 0;
    for (uint32_t i = 0; i < from->fact_count; i++)
        if (from->facts[i].a < env->count && from->facts[i].b < env->count)
            env->facts[env->fact_count++] = from->facts[i];
}

void bly_facts_join(struct bly_env *env, const struct bly_env *other)
{
    for (uint32_t i = env->fact_count; i-- > 0;) {
        const struct bly_fact *fact = bly_fact_find(other, env->facts[i].a, env->facts[i].b);
        if (!fact)
            drop(env, i);
        else if (fact->least < env->facts[i].least)
            env->facts[i].least = fact->least;
    }
}

bool bly_facts_within(const struct bly_env *env, const struct bly_env *outer)
{
    for (uint32_t i = 0; i < outer->fact_count; i++) {
        const struct bly_fact *fact = bly_fact_find(env, outer->facts[i].a, outer->facts[i].b);
        if (!fact || fact->least < outer->facts[i].least) return false;
    }
    return true;
}

void bly_facts_widen(struct bly_env *env, const struct bly_env *next)
{
    for (uint32_t i = env->fact_count; i-- > 0;) {
        const struct bly_fact *fact = bly_fact_find(next, env->facts[i].a, env->facts[i].b);
        if (!fact || fact->least < env->facts[i].least) drop(env, i);
    }
}
