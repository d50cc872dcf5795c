/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads the layers of a model and a product, checks that they serve each other, and finds names that keep
 * them apart.
 */
#include "compose.h"
#include "tokens.h"

#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FOR_PARTS(j, part)                                                                                   \
    for (uint32_t at_ = 0; at_ < (j)->count; at_++)                                                          \
        for (struct bly_part *part = (j)->parts[at_], *once_ = part; once_; once_ = NULL)

/* ---- Whether they fit ---------------------------------------------------------------------------- */

/* The composition writes the structures anew, member by member. */
static bailey_status check_members(const struct bly_part *part, const struct bly_record *record)
{
    const struct bly_field_node *before = NULL;
    for (const struct bly_field_node *f = record ? record->fields : NULL; f; before = f, f = f->next) {
        if (!before || before->from != f->from) continue;
        if (record == part->unit.params)
            return bly_refuse_at(&part->unit, before->place,
                                 "each parameter of a model or product has a separate declaration");
        if (part->timed && (strcmp(f->name, "time") == 0 || strcmp(before->name, "time") == 0))
            return bly_refuse_at(&part->unit, f->place,
                                 "time has a separate declaration in a model whose step takes dt");
    }
    return BAILEY_OK;
}

static bailey_status check_part(const struct bly_part *part)
{
    const bailey_status status = check_members(part, part->unit.params);
    return status == BAILEY_OK ? check_members(part, part->unit.state) : status;
}

static bailey_status check_assets(const struct bly_joint *j)
{
    const uint32_t least = j->product->head.needs.dims_least;
    if (j->assets || least < 2) return BAILEY_OK;
    return bly_name_argument(bly_refuse_at(&j->product->unit, (struct bly_place){0, 0},
                                           "%s is on %u assets or more, and the model %s has one",
                                           bly_part_name(j->product), (unsigned)least,
                                           j->composition->model_name),
                             "model");
}

/* ---- The path ------------------------------------------------------------------------------------ */

/* Own dimensions of a layer; all that it has, where its assets are not those of others. */
static void place_own(struct bly_joint *j, struct bly_part *part)
{
    const bailey_path_needs *needs = &part->head.needs;
    part->each = j->each;
    part->more = j->more;
    j->each += needs->own_each;
    j->more += needs->own_more + (needs->assets ? 0 : bly_part_dims(part));
}

static bailey_status find_path(struct bly_joint *j)
{
    FOR_PARTS(j, part)
    {
        const bailey_path_needs *needs = &part->head.needs;
        j->increments |= needs->kind == BAILEY_PATH_KIND_INCREMENTS;
        j->assets |= needs->assets && part != j->product;
        if (part == j->product) continue;
        j->refined |= needs->coarser_steps || part->head.step > 0;
        if (part->head.step > 0) j->step = j->step > 0 ? fmin(j->step, part->head.step) : part->head.step;
        j->timed |= part->timed || (part->unit.step && part->unit.step->parameter_count == 6);
    }
    for (int assets = 1; assets >= 0; assets--)
        FOR_PARTS(j, part)
            if (part != j->product && part->head.needs.assets == (uint32_t)assets) place_own(j, part);
    FOR_PARTS(j, part)
    {
        const bailey_path_needs *needs = &part->head.needs;
        part->walks = part != j->product && j->increments && needs->kind == BAILEY_PATH_KIND_PATHS;
        j->walks |= part->walks;
        if (part->walks && (!needs->assets || bly_own_dims(needs, 1)))
            return bly_refuse_at(&part->unit, (struct bly_place){0, 0},
                                 "%s takes points of a path, and other layers increments: only assets have "
                                 "both",
                                 bly_part_name(part));
        if (j->count > 2 && part != j->product &&
            (needs->kind == BAILEY_PATH_KIND_NORMALS || needs->kind == BAILEY_PATH_KIND_MOTION))
            return bly_refuse_at(&part->unit, (struct bly_place){0, 0}, "%s cannot be a layer of others",
                                 bly_part_name(part));
    }
    return BAILEY_OK;
}

/* Whether its numbers are not the first ones of x. */
static bool is_copied(const struct bly_joint *j, const struct bly_part *part)
{
    const bailey_path_needs *needs = &part->head.needs;
    if (!part->unit.step || part == j->product) return false;
    if (part->walks) return false;
    if (!needs->assets) return j->assets || part->each || part->more;
    return bly_own_dims(needs, 1) && (part->each || part->more);
}

/* ---- Names --------------------------------------------------------------------------------------- */

static const char *rename_to(struct bly_part *part, enum bly_name_kind kind, const char *from, const char *to)
{
    struct bly_rename *r = bly_arena_take(&part->unit.arena, sizeof *r);
    const char *copy = bly_arena_text(&part->unit.arena, to, strlen(to));
    if (!r || !copy) return NULL;
    *r = (struct bly_rename){.kind = kind, .from = from, .to = copy, .next = part->renames};
    part->renames = r;
    return copy;
}

static bool is_taken(const struct bly_joint *j, const char *name)
{
    FOR_PARTS(j, part)
    {
        if (bly_name_find(&part->unit, name)) return true;
        for (const struct bly_rename *r = part->renames; r; r = r->next)
            if (strcmp(r->to, name) == 0) return true;
    }
    return false;
}

/* BEFORE_NAME, with _ behind it until no part has it, in the arena of `part`. */
static const char *new_name(struct bly_joint *j, struct bly_part *part, const char *before, const char *name)
{
    char text[200];
    snprintf(text, sizeof text - 32, "%.60s_%s", before, name);
    for (char *c = text; *c; c++)
        if (*c == '-' || *c == '.') *c = '_';
    for (int i = 0; i < 31 && is_taken(j, text); i++) strcat(text, "_");
    return bly_arena_text(&part->unit.arena, text, strlen(text));
}

static const char *give_name(struct bly_joint *j, struct bly_part *part, enum bly_name_kind kind,
                             const char *before, const char *name)
{
    const char *to = new_name(j, part, before, name);
    return to ? rename_to(part, kind, name, to) : NULL;
}

/* A part's name: "heston", "black_scholes". */
static const char *prefix_of(const struct bly_part *part)
{
    return *part->head.name ? part->head.name : part->unit.kind == BLY_UNIT_MODEL ? "model" : "product";
}

static bool is_plain_name(const struct bly_unit *unit, const char *name)
{
    const uint32_t number = bly_name_find(unit, name);
    for (uint32_t i = 0; number && i < unit->token_count; i++)
        if (unit->tokens[i].name == number && !unit->tokens[i].member) return true;
    return false;
}

/* A name outside of functions that another part has too, whatever it means there. */
static bailey_status keep_apart(struct bly_joint *j, struct bly_part *of, const char *name)
{
    bool others = false;
    if (!*name || bly_renamed(of, BLY_NAME_PLAIN, name, (uint32_t)strlen(name))) return BAILEY_OK;
    FOR_PARTS(j, part) others |= part != of && is_plain_name(&part->unit, name);
    if (!others) return BAILEY_OK;
    return give_name(j, of, BLY_NAME_PLAIN, prefix_of(of), name) ? BAILEY_OK : bly_no_memory(&of->unit);
}

static bailey_status name_declarations(struct bly_joint *j, struct bly_part *of)
{
    bailey_status status = BAILEY_OK;
    for (const struct bly_outer *o = of->unit.outer; o && status == BAILEY_OK; o = o->next)
        status = keep_apart(j, of, o->name);
    return status;
}

/* The number of a parameter; UINT32_MAX: there is none. */
static uint32_t parameter_of(const struct bly_part *part, const char *name)
{
    const bailey_description *d = &part->description->d;
    for (uint32_t i = 0; i < d->parameter_count; i++)
        if (strcmp(d->parameters[i].name, name) == 0) return i;
    return UINT32_MAX;
}

static bool is_shared(const struct bly_part *part, const char *name)
{
    const uint32_t i = parameter_of(part, name);
    return i < 64 && part->shared >> i & 1;
}

static bool is_time(const struct bly_part *part, enum bly_name_kind kind, const char *name)
{
    return kind == BLY_NAME_STATE && part->timed && strcmp(name, "time") == 0;
}

/* A member of one layer that other parts have too, and is not theirs. */
static bool is_ambiguous(const struct bly_joint *j, const struct bly_part *of, enum bly_name_kind kind,
                         const char *name)
{
    const bool parameter = kind == BLY_NAME_PARAMETER;
    bool found = false;
    if (is_time(of, kind, name) || (parameter && is_shared(of, name))) return false;
    FOR_PARTS(j, part)
        found |= part != of && bly_part_field(part, kind, name) && !(parameter && is_shared(part, name));
    return found;
}

static bailey_status name_members(struct bly_joint *j, struct bly_part *of, enum bly_name_kind kind)
{
    const struct bly_record *record = kind == BLY_NAME_PARAMETER ? of->unit.params : of->unit.state;
    for (const struct bly_field_node *f = record ? record->fields : NULL; f; f = f->next)
        if (is_ambiguous(j, of, kind, f->name) && !give_name(j, of, kind, prefix_of(of), f->name))
            return bly_no_memory(&of->unit);
    return BAILEY_OK;
}

/* Of layers, spots, rates and dividends are one. */
static bool may_share(const struct bly_joint *j, const struct bly_part *part, bailey_role role)
{
    return role && (part == j->product || role == BAILEY_ROLE_SPOT || role == BAILEY_ROLE_RATE ||
                    role == BAILEY_ROLE_DIVIDEND);
}

/* A parameter that is one of a lower layer's: of the same name, with the same role. */
static bailey_status find_shared(struct bly_joint *j, struct bly_part *part, const struct bly_part *lower)
{
    const bailey_description *d = &part->description->d, *of = &lower->description->d;
    for (uint32_t i = 0; i < d->parameter_count && i < 64; i++) {
        const bailey_parameter *a = &d->parameters[i];
        const uint32_t k = parameter_of(lower, a->name);
        if (k == UINT32_MAX || !may_share(j, part, a->role) || a->role != of->parameters[k].role) continue;
        if (a->type != of->parameters[k].type || strcmp(a->size, of->parameters[k].size) != 0) {
            const struct bly_field_node *field = bly_part_field(part, BLY_NAME_PARAMETER, a->name);
            return bly_refuse_at(&part->unit, field->place,
                                 "%s is a parameter of the model %s too, and is not declared alike there",
                                 a->name, bly_part_name(lower));
        }
        part->shared |= UINT64_C(1) << i;
    }
    return BAILEY_OK;
}

/* A parameter that is left out gets the name of the one that it is the same as. */
static bailey_status name_shared(struct bly_joint *j, uint32_t k)
{
    const bailey_description *d = &j->parts[k]->description->d;
    for (uint32_t i = 0; i < d->parameter_count && i < 64; i++) {
        const char *name = d->parameters[i].name, *to = NULL;
        if (!(j->parts[k]->shared >> i & 1)) continue;
        for (uint32_t l = 0; l < k && !to; l++)
            to = bly_renamed(j->parts[l], BLY_NAME_PARAMETER, name, (uint32_t)strlen(name));
        if (to && !rename_to(j->parts[k], BLY_NAME_PARAMETER, name, to))
            return bly_no_memory(&j->parts[k]->unit);
    }
    return BAILEY_OK;
}

/* A function that the simulation calls becomes one that the payoff's own function calls. */
static bailey_status name_role(struct bly_joint *j, struct bly_part *part, const struct bly_function *f,
                               const char **name)
{
    const char *before = part == j->product ? "product" : j->count > 2 ? prefix_of(part) : "model";
    *name = f ? give_name(j, part, BLY_NAME_PLAIN, before, f->name) : NULL;
    return !f || *name ? BAILEY_OK : bly_no_memory(&part->unit);
}

static bailey_status name_roles(struct bly_joint *j, struct bly_part *part)
{
    const struct bly_unit *unit = &part->unit;
    bailey_status status = name_role(j, part, unit->start, &part->start);
    if (status == BAILEY_OK)
        status = name_role(j, part, part == j->product ? unit->date : unit->step, &part->step);
    if (status == BAILEY_OK && part == j->product && bly_finish_is_ours(j))
        status = name_role(j, part, unit->finish, &part->finish);
    if (status != BAILEY_OK || !is_copied(j, part)) return status;
    part->x = new_name(j, part, prefix_of(part), "x");
    return part->x ? BAILEY_OK : bly_no_memory(unit);
}

/* The composition's own members of state. */
static bailey_status name_own(struct bly_joint *j)
{
    bool other = false;
    FOR_PARTS(j, part) other |= !part->timed && bly_part_field(part, BLY_NAME_STATE, "time");
    j->time = other ? new_name(j, j->product, "model", "time") : "time";
    j->path = new_name(j, j->product, "model", "path");
    bool named = j->time && j->path;
    FOR_PARTS(j, part)
        if (part->timed && other && named)
            named = rename_to(part, BLY_NAME_STATE, "time", j->time) != NULL;
    return named ? BAILEY_OK : bly_no_memory(&j->product->unit);
}

/* STEPS is the number of dates, where the path has other steps; DIMS is 1 where it has no assets. */
static bailey_status name_words(struct bly_joint *j)
{
    char dates[16], dims[16];
    bool named = true;
    snprintf(dates, sizeof dates, "%u", (unsigned)j->dates);
    FOR_PARTS(j, part)
    {
        const bool product = part == j->product, sized = is_plain_name(&part->unit, "STEPS");
        j->dated |= sized || (product && part->unit.date);
        if (j->refined) named &= rename_to(part, BLY_NAME_PLAIN, "STEPS", dates) != NULL;
        if (product && !j->assets) named &= rename_to(part, BLY_NAME_PLAIN, "DIMS", "1") != NULL;
        if (!product && !part->head.needs.assets && j->count > 2) {
            snprintf(dims, sizeof dims, "%u", (unsigned)bly_part_dims(part));
            named &= rename_to(part, BLY_NAME_PLAIN, "DIMS", dims) != NULL;
        }
    }
    return named ? BAILEY_OK : bly_no_memory(&j->product->unit);
}

static void name_answers(struct bly_joint *j)
{
    for (uint32_t k = 0; k < j->count; k++)
        for (struct bly_asking *a = j->parts[k]->unit.askings; a; a = a->next) {
            if (!a->function->kept) continue;
            const struct bly_part *part = bly_answer_find(j, k, a->question).part;
            const char *name = a->question->name;
            const char *to = bly_renamed(part, BLY_NAME_PLAIN, name, (uint32_t)strlen(name));
            a->answer = to ? to : name;
        }
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static bailey_status find_names(struct bly_joint *j)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 1; k < j->count && status == BAILEY_OK; k++)
        for (uint32_t l = 0; l < k && status == BAILEY_OK; l++)
            status = find_shared(j, j->parts[k], j->parts[l]);
    for (uint32_t k = 0; k < j->count && status == BAILEY_OK; k++) status = name_roles(j, j->parts[k]);
    for (uint32_t k = 0; k + 1 < j->count && status == BAILEY_OK; k++) {
        status = name_declarations(j, j->parts[k]);
        if (status == BAILEY_OK) status = name_members(j, j->parts[k], BLY_NAME_PARAMETER);
        if (status == BAILEY_OK) status = name_members(j, j->parts[k], BLY_NAME_STATE);
    }
    for (uint32_t k = 0; k < j->count && status == BAILEY_OK; k++) status = name_shared(j, k);
    if (status == BAILEY_OK) status = name_own(j);
    if (status == BAILEY_OK) status = name_words(j);
    if (status == BAILEY_OK) name_answers(j);
    return status;
}

static bailey_status join(struct bly_joint *j)
{
    bailey_status status = BAILEY_OK;
    FOR_PARTS(j, part)
        if (status == BAILEY_OK) status = check_part(part);
    if (status == BAILEY_OK) status = bly_product_controls(j);
    if (status == BAILEY_OK) status = bly_needed_keep(j);
    if (status == BAILEY_OK) status = find_path(j);
    if (status == BAILEY_OK) status = check_assets(j);
    return status == BAILEY_OK ? find_names(j) : status;
}

static bailey_status read_product(struct bly_joint *j)
{
    const struct bly_composition *c = j->composition;
    bool assets = false;
    for (uint32_t k = 0; k < j->count; k++) assets |= j->parts[k]->head.needs.assets != 0;
    j->product = &j->part[j->count];
    j->parts[j->count++] = j->product;
    return bly_part_read(j->product, BLY_UNIT_PRODUCT, &c->product, assets ? c->assets : 0, c->dates);
}

bailey_status bly_compose(const struct bly_composition *c, struct bly_composed *composed)
{
    struct bly_joint *j = bly_alloc(1, sizeof *j);
    if (!j) return bly_fail(BAILEY_ERROR_MEMORY, "no memory to compose a model and a product");
    j->composition = c;
    bailey_status status = bly_layers_read(j);
    if (status == BAILEY_OK) status = read_product(j);
    for (uint32_t k = 0; k < j->count && status == BAILEY_OK; k++) bly_answers_find(j, k);
    if (status == BAILEY_OK) j->dates = j->product->unit.steps;
    if (status == BAILEY_OK) status = join(j);
    if (status == BAILEY_OK) bly_compose_write(j, &composed->text);
    composed->refined = j->refined;
    composed->step = j->step;
    composed->has_closed_form = j->has_closed_form;
    if (status == BAILEY_OK && composed->text.failed)
        status = bly_fail(BAILEY_ERROR_MEMORY, "no memory to compose a model and a product");
    for (uint32_t i = 0; i < BLY_MOST_LAYERS + 1; i++) {
        bly_description_free(j->part[i].description);
        bly_unit_free(&j->part[i].unit);
        bly_free(j->part[i].longer.data);
    }
    bly_free(j);
    return status;
}
