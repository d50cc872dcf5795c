/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Generators by name and number, and what is said of each: its kind, rounds, period, and verdict of the
 * batteries (docs/records/quality.md).
 */
#include <host/internal.h>

#include <stdio.h>
#include <string.h>

/* How the words of a generator that steps are made. */
#define KIND_COUNTER BAILEY_SOURCE_KIND_COUNTER
#define KIND_LANES BAILEY_SOURCE_KIND_RUN
#define KIND_TEAM BAILEY_SOURCE_KIND_RUN
static const struct {
    const char *name, *verdict, *period;
    bailey_source_kind kind;
} generators[] = {
#define ROW(number, name, word, kind, published, text, verdict, period)                                      \
    [number] = {text, verdict, period, KIND_##kind},
    BAILEY_GENERATOR_LIST(ROW)
#undef ROW
#define ROW(number, name, text, verdict, period) [number] = {text, verdict, period, BAILEY_SOURCE_KIND_POINT},
        BAILEY_POINT_LIST(ROW)
#undef ROW
};
#undef KIND_COUNTER
#undef KIND_LANES
#undef KIND_TEAM
enum { GENERATORS = sizeof generators / sizeof *generators };

int bly_is_generator(bailey_generator generator)
{
    return (unsigned)generator < GENERATORS && generators[generator].name;
}

bailey_source_kind bly_source_kind(const bailey_source *source) { return generators[source->generator].kind; }

uint32_t bly_source_rounds(const bailey_source *source)
{
    return source->generator == BAILEY_GENERATOR_PHILOX7 ? 7 : 10;
}

const char *bailey_generator_name(bailey_generator generator)
{
    return bly_is_generator(generator) ? generators[generator].name : NULL;
}

const char *bailey_generator_verdict(bailey_generator generator)
{
    return bly_is_generator(generator) ? generators[generator].verdict : NULL;
}

const char *bailey_generator_period(bailey_generator generator)
{
    return bly_is_generator(generator) ? generators[generator].period : NULL;
}

bailey_status bailey_generator_from_name(const char *name, bailey_generator *generator)
{
    if (!name) return bly_fail_argument("name", "name is NULL");
    if (!generator) return bly_fail_argument("generator", "generator is NULL");
    for (int i = 0; i < GENERATORS; i++) {
        if (!generators[i].name || strcmp(generators[i].name, name) != 0) continue;
        *generator = (bailey_generator)i;
        return BAILEY_OK;
    }
    char names[256];
    size_t used = 0;
    for (int i = 0; i < GENERATORS; i++) {
        if (!generators[i].name) continue;
        const int more =
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", generators[i].name);
        if (more < 0 || (size_t)more >= sizeof names - used) break;
        used += (size_t)more;
    }
    return bly_fail_argument("name", "unknown generator '%.40s'; choose from %s", name, names);
}
