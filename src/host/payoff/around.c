/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code of the library around a payoff's: unit->around, which is read before the payoff's code and placed
 * behind it. Its three parts end with the word bailey_end:
 *
 *   typedef struct { ... } params;    members that the payoff's params get more
 *   typedef struct { ... } state;     the same of its state
 *   functions, among them start, step and finish, which the simulation calls; the payoff's own are
 *   bailey_start, bailey_step and bailey_finish there
 *
 * So all stages that follow see one unit. No macro of the payoff can change the library's code, as that comes
 * before them all; and no name, as the payoff has none that begins with bailey_, and the library declares
 * no others outside of functions.
 */
#include "tokens.h"

#include <string.h>

#define PREFIX "bailey_"

/* A line before it all, so that the unit has these names. */
#define NAMES PREFIX "start " PREFIX "step " PREFIX "finish\n"

enum { PARTS = 3 };

struct around {
    struct bly_unit *unit;
    uint32_t lines;            /* that the library's code takes */
    uint32_t begin[PARTS + 1]; /* its parts, and then the payoff's code, among the unit's tokens */
    struct bly_token *to;
    uint32_t count;
};

/* ---- Before tokens are read ----------------------------------------------------------------------- */

bailey_status bly_around_begin(struct bly_unit *unit)
{
    const char *own = bly_code_begin(unit);
    const size_t names = strlen(NAMES), before = names + strlen(unit->around),
                 length = unit->length - (size_t)(own - unit->code);
    char *text = bly_arena_take(&unit->arena, before + length + 1);
    if (!text) return bly_no_memory(unit);
    memcpy(text, NAMES, names);
    memcpy(text + names, unit->around, before - names);
    memcpy(text + before, own, length);
    unit->own_code = unit->code;
    unit->own_length = unit->length;
    unit->code = text;
    unit->length = before + length;
    return BAILEY_OK;
}

/* ---- After macros were expanded ------------------------------------------------------------------- */

static void add(struct around *a, const struct bly_token *token, const struct bly_place *place)
{
    struct bly_token *to = &a->to[a->count++];
    *to = *token;
    if (place) to->place = *place;
}

/* Tokens first .. last - 1. */
static void add_all(struct around *a, uint32_t first, uint32_t last, const struct bly_place *place)
{
    for (uint32_t k = first; k < last; k++) add(a, &a->unit->tokens[k], place);
}

static bool find_parts(struct around *a)
{
    const struct bly_unit *unit = a->unit;
    uint32_t part = 0, k = 3; /* behind the names */
    a->begin[0] = k;
    for (; k < unit->token_count && part < PARTS; k++)
        if (bly_token_is(&unit->tokens[k], PREFIX "end")) a->begin[++part] = k + 1;
    return part == PARTS;
}

/* The brackets of part `part`, a structure, are its third token and that before its last three. */
static void add_members(struct around *a, uint32_t part, const struct bly_place *place)
{
    add_all(a, a->begin[part] + 3, a->begin[part + 1] - 4, place);
}

static void add_structure(struct around *a, uint32_t part, const struct bly_place *place)
{
    add_all(a, a->begin[part], a->begin[part + 1] - 1, place);
}

/* Which structure ends at a token: part 0 or 1; PARTS: none. */
static uint32_t ends_structure(const struct around *a, uint32_t k, uint32_t depth)
{
    const struct bly_token *t = &a->unit->tokens[k];
    if (depth != 1 || !bly_token_is(t, "}")) return PARTS;
    const uint32_t part = bly_token_is(t + 1, "params") ? 0 : bly_token_is(t + 1, "state") ? 1 : PARTS;
    return part < PARTS && bly_token_is(t + 2, ";") ? part : PARTS;
}

/* The payoff's functions that the simulation would call. */
static void rename(struct around *a, struct bly_token *t)
{
    static const char *const names[] = {PREFIX "start", PREFIX "step", PREFIX "finish"};
    if (t->kind != BLY_TOKEN_NAME || !bly_token_is(t + 1, "(")) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!bly_token_is(t, names[i] + strlen(PREFIX))) continue;
        t->name = bly_name_find(a->unit, names[i]);
        t->text = a->unit->names[t->name];
        t->length = (uint32_t)strlen(t->text);
        return;
    }
}

static bailey_status check_name(const struct around *a, const struct bly_token *t)
{
    if (t->kind != BLY_TOKEN_NAME || t->length < strlen(PREFIX) || memcmp(t->text, PREFIX, strlen(PREFIX)))
        return BAILEY_OK;
    return bly_refuse_at(a->unit, t->place,
                         "%.*s: in code with exercise, names that begin with " PREFIX " are the library's",
                         BLY_SHOWN(t));
}

static bailey_status add_own(struct around *a, bool found[2])
{
    struct bly_token *tokens = a->unit->tokens;
    uint32_t depth = 0;
    bailey_status status = BAILEY_OK;
    for (uint32_t k = a->begin[PARTS]; k < a->unit->token_count && status == BAILEY_OK; k++) {
        const uint32_t part = ends_structure(a, k, depth);
        depth += bly_token_is(&tokens[k], "{") ? 1u : 0u;
        depth -= depth && bly_token_is(&tokens[k], "}") ? 1u : 0u;
        if (part < 2 && !found[part]) {
            add_members(a, part, &tokens[k].place);
            found[part] = true;
        }
        status = check_name(a, &tokens[k]);
        rename(a, &tokens[k]);
        add(a, &tokens[k], NULL);
    }
    return status;
}

/* Places are those of the payoff's code alone again. */
static void move_places(struct around *a)
{
    struct bly_unit *unit = a->unit;
    for (uint32_t k = a->begin[PARTS]; k <= unit->token_count; k++) unit->tokens[k].place.line -= a->lines;
    for (uint32_t k = 0; k < unit->comment_count; k++) {
        unit->comments[k].place.line -= a->lines;
        unit->comments[k].end.line -= a->lines;
    }
}

bailey_status bly_around_end(struct bly_unit *unit)
{
    struct around a = {.unit = unit};
    bool found[2] = {false, false};
    const struct bly_token *end = &unit->tokens[unit->token_count];
    a.lines = 1;
    for (const char *p = unit->around; *p; p++) a.lines += *p == '\n';
    unit->code = unit->own_code;
    unit->length = unit->own_length;
    a.to = bly_arena_take(&unit->arena, (unit->token_count + 1) * sizeof *a.to);
    if (!a.to) return bly_no_memory(unit);
    if (!find_parts(&a)) return bly_refuse_at(unit, (struct bly_place){0, 0}, "the code around it is not whole");
    move_places(&a);
    unit->around_place = end->place;
    const bailey_status status = add_own(&a, found);
    if (status != BAILEY_OK) return status;
    for (uint32_t part = 0; part < 2; part++)
        if (!found[part]) add_structure(&a, part, &end->place);
    add_all(&a, a.begin[2], a.begin[PARTS] - 1, &end->place);
    add(&a, end, NULL);
    unit->tokens = a.to;
    unit->token_count = a.count - 1;
    return BAILEY_OK;
}
