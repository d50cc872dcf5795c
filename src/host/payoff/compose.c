/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads a model and a product, checks that the one serves the other, and finds names that keep them apart.
 */
#include "compose.h"
#include "tokens.h"

#include <base/status.h>
#include <base/text.h>

#include <stdio.h>
#include <string.h>

/* ---- Parts --------------------------------------------------------------------------------------- */

static uint32_t of_many(uint32_t a, uint32_t b) { return a ? a : b ? b : 1; }

static bailey_status read_part(struct bly_part *part, enum bly_unit_kind kind, const char *code,
                               const char *name, uint32_t dims, uint32_t steps)
{
    static const char *const words[] = {"payoff", "model", "product"};
    const bailey_payoff_kind expected =
        kind == BLY_UNIT_MODEL ? BAILEY_PAYOFF_KIND_MODEL : BAILEY_PAYOFF_KIND_PRODUCT;
    struct bly_unit *unit = &part->unit;
    *unit = (struct bly_unit){.kind = kind,
                              .code = code,
                              .length = strlen(code),
                              .argument = kind == BLY_UNIT_MODEL ? "model" : "payoff"};
    bly_unit_name(unit, name);
    bailey_status status = bly_tokens_read(unit);
    if (status == BAILEY_OK) status = bly_head_read(unit, &part->head);
    if (status != BAILEY_OK) return status;
    if (part->head.kind != expected)
        return bly_refuse_at(unit, (struct bly_place){0, 0},
                             "this is a %s, not a %s: the head comment of a %s has the line kind: %s",
                             words[part->head.kind], words[expected], words[expected], words[expected]);
    unit->dims = of_many(dims, part->head.needs.dims_least);
    unit->steps = of_many(steps, (uint32_t)part->head.needs.steps);
    status = bly_macros_expand(unit);
    if (status == BAILEY_OK) status = bly_unit_parse(unit);
    return status == BAILEY_OK ? bly_describe(unit, &part->description) : status;
}

static void free_part(struct bly_part *part)
{
    bly_description_free(part->description);
    bly_unit_free(&part->unit);
}

/* The composition writes the structures anew, so it must find them. */
static bailey_status check_structure(const struct bly_part *part, const struct bly_record *record,
                                     const char *name)
{
    const struct bly_range range = bly_structure_find(&part->unit, name);
    struct bly_member member;
    if (!record) return BAILEY_OK;
    if (!range.to) return bly_refuse_at(&part->unit, record->place, "write typedef struct { ... } %s;", name);
    uint32_t at = range.from;
    while (!bly_token_is(&part->unit.tokens[at], "{")) at++;
    for (; record == part->unit.params && bly_member_next(&part->unit, range, at, &member); at = member.to)
        if (member.names > 1)
            return bly_refuse_at(&part->unit, part->unit.tokens[member.name].place,
                                 "each parameter of a model or product has a separate declaration");
    return BAILEY_OK;
}

static bailey_status check_part(const struct bly_part *part)
{
    const bailey_status status = check_structure(part, part->unit.params, "params");
    return status == BAILEY_OK ? check_structure(part, part->unit.state, "state") : status;
}

/* ---- Whether they fit ---------------------------------------------------------------------------- */

static const struct bly_function *find_function(const struct bly_unit *unit, const char *name)
{
    const struct bly_function *f = unit->functions;
    while (f && strcmp(f->name, name) != 0) f = f->next;
    return f;
}

static const char *name_of(const struct bly_part *part)
{
    return *part->head.name ? part->head.name : part->unit.name;
}

static bailey_status check_questions(const struct bly_joint *j)
{
    const struct bly_unit *product = &j->product.unit;
    for (const struct bly_asking *a = product->askings; a; a = a->next)
        if (!find_function(&j->model.unit, a->question->name))
            return bly_name_argument(bly_refuse_at(product, product->tokens[a->token].place,
                                                   "%s asks for %s, %s, which the model %s does not have",
                                                   name_of(&j->product), a->question->asked,
                                                   a->question->means, name_of(&j->model)),
                                     "model");
    return BAILEY_OK;
}

static bailey_status check_assets(const struct bly_joint *j)
{
    const uint32_t least = j->product.head.needs.dims_least;
    if (j->model.head.needs.assets || least < 2) return BAILEY_OK;
    return bly_name_argument(bly_refuse_at(&j->product.unit, (struct bly_place){0, 0},
                                           "%s is on %u assets or more, and the model %s has one",
                                           name_of(&j->product), (unsigned)least, name_of(&j->model)),
                             "model");
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

/* BEFORE_NAME, with _ behind it until neither part has it. */
static const char *give_name(struct bly_joint *j, struct bly_part *part, enum bly_name_kind kind,
                             const char *before, const char *name)
{
    char text[200];
    snprintf(text, sizeof text - 32, "%.60s_%s", before, name);
    for (char *c = text; *c; c++)
        if (*c == '-' || *c == '.') *c = '_';
    for (int i = 0; i < 31 && (bly_name_find(&j->model.unit, text) || bly_name_find(&j->product.unit, text));
         i++)
        strcat(text, "_");
    return rename_to(part, kind, name, text);
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

/* A name outside of functions that the product has too, whatever it means there. */
static bailey_status keep_apart(struct bly_joint *j, const char *name)
{
    struct bly_part *model = &j->model;
    if (!*name || !is_plain_name(&j->product.unit, name) ||
        bly_renamed(model, BLY_NAME_PLAIN, name, (uint32_t)strlen(name)))
        return BAILEY_OK;
    return give_name(j, model, BLY_NAME_PLAIN, prefix_of(model), name) ? BAILEY_OK
                                                                       : bly_no_memory(&model->unit);
}

/* All that the model declares outside of its functions: at the depth of brackets 0, and in an enum. */
static bailey_status name_declarations(struct bly_joint *j)
{
    const struct bly_unit *unit = &j->model.unit;
    bailey_status status = BAILEY_OK;
    for (const struct bly_function *f = unit->functions; f && status == BAILEY_OK; f = f->next)
        status = keep_apart(j, f->name);
    for (const struct bly_variable *v = unit->constants; v && status == BAILEY_OK; v = v->next)
        status = keep_apart(j, v->name);
    uint32_t depth = 0;
    bool is_enum = false;
    for (uint32_t i = 0; i < unit->token_count && status == BAILEY_OK; i++) {
        const struct bly_token *token = &unit->tokens[i];
        const bool opens = bly_token_is(token, "{");
        if (depth == 0 && bly_token_is(token, "enum")) is_enum = true;
        if (depth == 0 && bly_token_is(token, ";")) is_enum = false;
        depth += opens || bly_token_is(token, "(");
        depth -= bly_token_is(token, "}") || bly_token_is(token, ")");
        const bool type = depth == 0 && (bly_token_is(token + 1, ";") || bly_token_is(token + 1, "{"));
        const bool language = bly_token_is(token, "params") || bly_token_is(token, "state") ||
                              bly_token_is(token, "struct") || bly_token_is(token, "enum");
        if (token->kind == BLY_TOKEN_NAME && !language && (type || (is_enum && depth == 1)))
            status = keep_apart(j, unit->names[token->name]);
    }
    return status;
}

/* Members of both that are not one. */
static bailey_status name_members(struct bly_joint *j, enum bly_name_kind kind)
{
    const struct bly_record *of = kind == BLY_NAME_PARAMETER ? j->model.unit.params : j->model.unit.state;
    for (const struct bly_field_node *f = of ? of->fields : NULL; f; f = f->next) {
        const struct bly_field_node *other = bly_part_field(&j->product, kind, f->name);
        uint32_t i = 0;
        const bailey_description *d = &j->product.description->d;
        while (kind == BLY_NAME_PARAMETER && i < d->parameter_count &&
               strcmp(d->parameters[i].name, f->name) != 0)
            i++;
        if (!other || (kind == BLY_NAME_PARAMETER && i < d->parameter_count && j->shared >> i & 1)) continue;
        if (!give_name(j, &j->model, kind, prefix_of(&j->model), f->name))
            return bly_no_memory(&j->model.unit);
    }
    return BAILEY_OK;
}

/* A parameter of the product that is one of the model's: of the same name, with the same role. */
static bailey_status find_shared(struct bly_joint *j)
{
    const bailey_description *d = &j->product.description->d, *of = &j->model.description->d;
    for (uint32_t i = 0; i < d->parameter_count; i++) {
        const bailey_parameter *a = &d->parameters[i], *b = NULL;
        for (uint32_t k = 0; k < of->parameter_count; k++)
            if (strcmp(of->parameters[k].name, a->name) == 0) b = &of->parameters[k];
        if (!b || !a->role || a->role != b->role) continue;
        if (a->type != b->type || strcmp(a->size, b->size) != 0) {
            const struct bly_field_node *field = bly_part_field(&j->product, BLY_NAME_PARAMETER, a->name);
            return bly_refuse_at(&j->product.unit, field->place,
                                 "%s is a parameter of the model %s too, and is not declared alike there",
                                 a->name, name_of(&j->model));
        }
        j->shared |= UINT64_C(1) << i;
    }
    return BAILEY_OK;
}

/* A function that the simulation calls becomes one that the payoff's own function calls. */
static bailey_status name_role(struct bly_joint *j, struct bly_part *part, const struct bly_function *f,
                               const char *before, const char **name)
{
    *name = f ? give_name(j, part, BLY_NAME_PLAIN, before, f->name) : NULL;
    return !f || *name ? BAILEY_OK : bly_no_memory(&part->unit);
}

static bailey_status name_roles(struct bly_joint *j)
{
    const struct bly_unit *model = &j->model.unit, *product = &j->product.unit;
    bailey_status status = name_role(j, &j->model, model->start, "model", &j->model_start);
    if (status == BAILEY_OK) status = name_role(j, &j->model, model->step, "model", &j->model_step);
    if (status == BAILEY_OK) status = name_role(j, &j->product, product->start, "product", &j->product_start);
    if (status == BAILEY_OK) status = name_role(j, &j->product, product->date, "product", &j->product_date);
    return status;
}

/* Names for the product's DIMS, STEPS and questions. */
static bailey_status name_words(struct bly_joint *j)
{
    char dates[16];
    struct bly_part *product = &j->product;
    bool named = true;
    snprintf(dates, sizeof dates, "%u", (unsigned)j->dates);
    j->dated = product->unit.date || is_plain_name(&product->unit, "STEPS");
    named &= rename_to(product, BLY_NAME_PLAIN, "STEPS", dates) != NULL;
    if (!j->model.head.needs.assets) named &= rename_to(product, BLY_NAME_PLAIN, "DIMS", "1") != NULL;
    for (const struct bly_asking *a = product->unit.askings; a; a = a->next) {
        const char *name = a->question->name;
        const char *answer = bly_renamed(&j->model, BLY_NAME_PLAIN, name, (uint32_t)strlen(name));
        if (answer) named &= rename_to(product, BLY_NAME_PLAIN, name, answer) != NULL;
    }
    return named ? BAILEY_OK : bly_no_memory(&product->unit);
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static bailey_status join(struct bly_joint *j)
{
    bailey_status status = check_part(&j->model);
    if (status == BAILEY_OK) status = check_part(&j->product);
    if (status == BAILEY_OK) status = check_questions(j);
    if (status == BAILEY_OK) status = check_assets(j);
    if (status == BAILEY_OK) status = find_shared(j);
    if (status == BAILEY_OK) status = name_roles(j);
    if (status == BAILEY_OK) status = name_declarations(j);
    if (status == BAILEY_OK) status = name_members(j, BLY_NAME_PARAMETER);
    if (status == BAILEY_OK) status = name_members(j, BLY_NAME_STATE);
    return status == BAILEY_OK ? name_words(j) : status;
}

bailey_status bly_compose(const struct bly_composition *c, struct bly_text *text)
{
    struct bly_joint j = {.composition = c};
    bailey_status status = read_part(&j.model, BLY_UNIT_MODEL, c->model, c->model_name, c->assets, 1);
    if (status == BAILEY_OK)
        status = read_part(&j.product, BLY_UNIT_PRODUCT, c->product, c->product_name, c->assets, c->dates);
    j.dates = status == BAILEY_OK ? j.product.unit.steps : 1;
    if (status == BAILEY_OK) status = join(&j);
    if (status == BAILEY_OK) bly_compose_write(&j, text);
    if (status == BAILEY_OK && text->failed)
        status = bly_fail(BAILEY_ERROR_MEMORY, "no memory to compose a model and a product");
    free_part(&j.product);
    free_part(&j.model);
    return status;
}
