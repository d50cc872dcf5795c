/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The unit: its constants and functions in their order, and whether those are there that a simulation calls.
 */
#include "parser.h"

#include <bailey/mlmc.h>
#include <bailey/simulation.h>

#include <string.h>

/* ---- Parameters ---------------------------------------------------------------------------------- */

static void check_pointer(struct bly_parser *p, const struct bly_specifiers *s, bool is_array)
{
    const struct bly_type *type = s->type;
    if (type->kind == BLY_TYPE_VOID)
        bly_stop(p, s->place, "a pointer to void is not supported; write the type");
    if (type->kind == BLY_TYPE_PATH) bly_stop(p, s->place, "a path is given as it is; write path x");
    if (type != p->params->type && type != p->noise->type) return;
    if (is_array || !s->constant)
        bly_stop(p, s->place, "write const %s *%s", type->record->name, type == p->params->type ? "p" : "n");
}

/* real *x is real x[]: both are the first of some numbers. A pointer to a structure points to one. */
static const struct bly_type *pointer_type(struct bly_parser *p, const struct bly_specifiers *s)
{
    const bool is_array = s->type->kind != BLY_TYPE_RECORD;
    bly_accept(p, "const");
    if (bly_next_is(p, "*")) bly_stop(p, p->token->place, "a pointer to a pointer is not supported");
    check_pointer(p, s, false);
    return bly_type_pointer(p, s->type, is_array ? 0 : 1, is_array, s->constant);
}

static void check_given(struct bly_parser *p, const struct bly_specifiers *s)
{
    if (s->type->kind == BLY_TYPE_VOID) bly_stop(p, s->place, "void is for functions that return nothing");
    if (s->type == p->params->type || s->type == p->noise->type)
        bly_stop(p, s->place, "write const %s *%s", s->type->record->name,
                 s->type == p->params->type ? "p" : "n");
    if (s->type == p->state->type) bly_check_stored(p, s->type, s->place);
    if (s->type->kind == BLY_TYPE_PATH && s->constant && p->unit->kind == BLY_UNIT_MOTION)
        bly_stop(p, s->place, "write path without const: at() moves along a motion");
}

/* An array is given by a pointer to its first element, as in C. */
static const struct bly_type *given_type(struct bly_parser *p, const struct bly_specifiers *s,
                                         const struct bly_token *name)
{
    bool empty = false;
    const struct bly_type *type = bly_parse_sizes(p, s->type, name ? name : p->token, &empty);
    if (type->kind == BLY_TYPE_ARRAY) {
        if (type->of == s->type) check_pointer(p, s, true);
        bly_check_stored(p, type, s->place);
        return bly_type_pointer(p, type->of, empty ? 0 : type->count, true, s->constant);
    }
    check_given(p, s);
    return type;
}

/* The name may be missing where a function is declared only. */
static void parameter(struct bly_parser *p, struct bly_function *f)
{
    struct bly_specifiers s;
    struct bly_variable *v = BLY_NEW(p, struct bly_variable);
    bly_parse_specifiers(p, &s);
    if (s.is_static || s.is_inline || s.is_typedef || s.declares)
        bly_stop(p, s.place, "a parameter has a type and a name, and nothing else");
    const struct bly_type *pointer = bly_accept(p, "*") ? pointer_type(p, &s) : NULL;
    if (bly_next_is(p, "(")) bly_refuse_pointer(p);
    const struct bly_token *name = p->token->kind == BLY_TOKEN_NAME ? p->token++ : NULL;
    struct bly_symbol *symbol = name ? bly_declare(p, name, BLY_SYMBOL_VARIABLE) : NULL;
    if (pointer && bly_next_is(p, "[")) bly_stop(p, p->token->place, "an array of pointers is not supported");
    *v = (struct bly_variable){.kind = BLY_VARIABLE_PARAMETER, .of = f, .number = f->variable_count++};
    v->type = pointer ? pointer : given_type(p, &s, name);
    v->constant = s.constant && v->type->kind != BLY_TYPE_POINTER;
    v->place = name ? name->place : s.place;
    v->name = symbol ? symbol->name->text : NULL;
    if (symbol) symbol->variable = v;
    *p->last_variable = v;
    p->last_variable = &v->next;
    p->bytes += v->type->bytes;
    f->parameter_count++;
}

static void parameters(struct bly_parser *p, struct bly_function *f)
{
    p->last_variable = &f->parameters;
    bly_expect(p, "(");
    const bool is_void = bly_next_is(p, "void") && bly_token_is(p->token + 1, ")");
    if (is_void) p->token++;
    if (bly_accept(p, ")")) return;
    do parameter(p, f);
    while (bly_accept(p, ","));
    bly_expect(p, ")");
}

/* ---- The functions that a simulation calls ------------------------------------------------------- */

/* Letters of parameters: s state *, c const state *, p const params *, i int, r real, x const real x[], o
 * real out[], f real f[], X path, n const noise *. */
static const struct role {
    enum bly_role role;
    enum bly_unit_kind unit; /* PAYOFF: of MOTION too */
    const char *name, *takes, *as;
} roles[] = {
    {BLY_ROLE_START, BLY_UNIT_PAYOFF, "start", "sp", "void start(state *s, const params *p)"},
    {BLY_ROLE_STEP, BLY_UNIT_PAYOFF, "step", "spirx",
     "void step(state *s, const params *p, int i, real t, const real x[])"},
    {BLY_ROLE_FINISH, BLY_UNIT_PAYOFF, "finish", "cpo",
     "void finish(const state *s, const params *p, real out[])"},
    {BLY_ROLE_WHOLE, BLY_UNIT_PAYOFF, "whole", "pXo", "void whole(const params *p, path x, real out[])"},
    {BLY_ROLE_EXERCISE, BLY_UNIT_PAYOFF, "exercise", "cpr",
     "real exercise(const state *s, const params *p, real t)"},
    {BLY_ROLE_REGRESS, BLY_UNIT_PAYOFF, "regress", "cpf",
     "void regress(const state *s, const params *p, real f[3])"},
    {BLY_ROLE_START, BLY_UNIT_LEVELS, "start", "spi", "void start(state *s, const params *p, int level)"},
    {BLY_ROLE_STEP, BLY_UNIT_LEVELS, "step", "sprrn",
     "void step(state *s, const params *p, real t, real h, const noise *n)"},
    {BLY_ROLE_PAIR, BLY_UNIT_LEVELS, "pair", "sprrnn",
     "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)"},
    {BLY_ROLE_FINISH, BLY_UNIT_LEVELS, "finish", "cpro",
     "void finish(const state *s, const params *p, real t, real out[2])"},
    {BLY_ROLE_START, BLY_UNIT_MODEL, "start", "sp", "void start(state *s, const params *p)"},
    {BLY_ROLE_STEP, BLY_UNIT_MODEL, "step", "spirx",
     "void step(state *s, const params *p, int i, real t, const real x[])"},
    {BLY_ROLE_STEP, BLY_UNIT_MODEL, "step", "spirrx",
     "void step(state *s, const params *p, int i, real t, real dt, const real x[])"},
    {BLY_ROLE_START, BLY_UNIT_PRODUCT, "start", "sp", "void start(state *s, const params *p)"},
    {BLY_ROLE_DATE, BLY_UNIT_PRODUCT, "date", "spir", "void date(state *s, const params *p, int k, real t)"},
    {BLY_ROLE_FINISH, BLY_UNIT_PRODUCT, "finish", "cpo",
     "void finish(const state *s, const params *p, real out[])"},
};

static const struct role *role_of(const struct bly_parser *p, const struct bly_function *f)
{
    const enum bly_unit_kind unit = p->unit->kind == BLY_UNIT_MOTION ? BLY_UNIT_PAYOFF : p->unit->kind;
    const struct role *found = NULL;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (roles[i].unit == unit && strcmp(roles[i].name, f->name) == 0 &&
            (!found || f->parameter_count == strlen(roles[i].takes)))
            found = &roles[i];
    return found;
}

static bool is_pointer_to(const struct bly_type *type, const struct bly_type *of, bool is_array)
{
    return type->kind == BLY_TYPE_POINTER && type->is_array == is_array && type->of == of;
}

static bool takes(const struct bly_parser *p, const struct bly_type *type, char letter)
{
    switch (letter) {
    case 's': return is_pointer_to(type, p->state->type, false);
    case 'c': return is_pointer_to(type, p->state->type, false) && type->constant;
    case 'p': return is_pointer_to(type, p->params->type, false);
    case 'n': return is_pointer_to(type, p->noise->type, false);
    case 'i': return type->kind == BLY_TYPE_INT;
    case 'r': return type->kind == BLY_TYPE_REAL;
    case 'x': return is_pointer_to(type, &bly_type_real, true) && type->constant;
    case 'o':
    case 'f': return is_pointer_to(type, &bly_type_real, true) && !type->constant;
    default: return type->kind == BLY_TYPE_PATH;
    }
}

static void set_outputs(struct bly_parser *p, struct bly_variable *out)
{
    struct bly_unit *unit = p->unit;
    const bool levels = unit->kind == BLY_UNIT_LEVELS;
    unit->outputs = out->type->count ? out->type->count : levels ? 2 : 1;
    if (levels && unit->outputs > 2)
        bly_stop(p, out->place, "finish has %u outputs, not two: the fine payoff and the coarse one",
                 (unsigned)unit->outputs);
    const uint32_t most = unit->most_outputs ? unit->most_outputs : BAILEY_SIMULATION_MAX_OUTPUTS;
    if (unit->outputs > most)
        bly_stop(p, out->place, "the number of outputs is not in 1 .. %u", (unsigned)most);
    if (levels) unit->outputs = 2;
    out->type = bly_type_pointer(p, &bly_type_real, unit->outputs, true, false);
}

/* The constant is one function more, and what they are fitted to one output. */
static void set_regressors(struct bly_parser *p, struct bly_variable *f)
{
    const uint32_t most = BAILEY_SIMULATION_MAX_OUTPUTS - 2, count = f->type->count ? f->type->count : 1;
    if (count > most)
        bly_stop(p, f->place, "regress has %u functions; at most %u and the constant are possible", (unsigned)count,
                 (unsigned)most);
    p->unit->regressors = count;
    f->type = bly_type_pointer(p, &bly_type_real, count, true, false);
}

static void set_point(struct bly_parser *p, struct bly_variable *x)
{
    const uint32_t dims = p->unit->dims + p->unit->own;
    if (x->type->count > dims)
        bly_stop(p, x->place, "%s has %u elements, and the path %u dimension%s", x->name,
                 (unsigned)x->type->count, (unsigned)dims, dims == 1 ? "" : "s");
    x->type = bly_type_pointer(p, &bly_type_real, dims, true, true);
}

static void check_parameters(struct bly_parser *p, const struct bly_function *f, const struct role *role)
{
    const char *letter = role->takes;
    for (struct bly_variable *v = f->parameters; v && *letter; v = v->next, letter++) {
        const bool last = !v->next && !letter[1];
        if (last && *letter == 'o' && !takes(p, v->type, 'o'))
            bly_stop(p, v->place, "the last parameter must be real out[], or out[2]");
        if (!takes(p, v->type, *letter)) bly_stop(p, v->place, "write %s", role->as);
    }
    if (f->parameter_count != strlen(role->takes)) bly_stop(p, f->place, "write %s", role->as);
    letter = role->takes;
    for (struct bly_variable *v = f->parameters; v; v = v->next, letter++) {
        if (*letter == 'x') set_point(p, v);
        if (*letter == 'o') set_outputs(p, v);
        if (*letter == 'f') set_regressors(p, v);
    }
}

static void take_role(struct bly_parser *p, struct bly_function *f)
{
    struct bly_unit *unit = p->unit;
    const struct role *role = role_of(p, f);
    struct bly_function **const of_role[] = {NULL,         &unit->start, &unit->step, &unit->finish,
                                             &unit->whole, &unit->pair,  &unit->date, &unit->exercise,
                                             &unit->regress};
    if (unit->kind == BLY_UNIT_LEVELS && strcmp(f->name, "whole") == 0)
        bly_stop(p, f->place, "code of levels has step and pair, not whole");
    if (!role) return;
    const bool exercises = role->role == BLY_ROLE_EXERCISE;
    if (f->returns->kind != (exercises ? BLY_TYPE_REAL : BLY_TYPE_VOID))
        bly_stop(p, f->place, "the function %s must return %s", f->name, exercises ? "real" : "void");
    check_parameters(p, f, role);
    if (!exercises && role->role != BLY_ROLE_REGRESS) f->role = role->role;
    *of_role[role->role] = f;
}

/* ---- Functions ----------------------------------------------------------------------------------- */

static void check_result(struct bly_parser *p, const struct bly_specifiers *s)
{
    const struct bly_type *type = s->type;
    const bool given = type->kind == BLY_TYPE_RECORD && type != p->params->type && type != p->noise->type;
    if (bly_next_is(p, "*") || (type->kind != BLY_TYPE_VOID && !bly_type_is_number(type) && !given))
        bly_stop(p, p->token->place, "a function returns void, a number or a structure");
    if (given) bly_check_stored(p, type, s->place);
}

/* That the function was declared before says nothing about it. */
static struct bly_symbol *function_symbol(struct bly_parser *p, const struct bly_token *name)
{
    struct bly_symbol *symbol = bly_name_of(p, name)->symbol;
    const bool declared = symbol && symbol->kind == BLY_SYMBOL_FUNCTION && !symbol->function;
    return declared ? symbol : bly_declare(p, name, BLY_SYMBOL_FUNCTION);
}

static void check_named(struct bly_parser *p, const struct bly_function *f)
{
    for (const struct bly_variable *v = f->parameters; v; v = v->next)
        if (!v->name) bly_stop(p, v->place, "a parameter has no name");
}

static void body(struct bly_parser *p, struct bly_function *f)
{
    check_named(p, f);
    take_role(p, f);
    p->function = f;
    p->last_variable = &f->locals;
    f->body = bly_parse_body(p);
    f->to = bly_token_number(p) - 1;
    p->function = NULL;
    if (f->returns->kind != BLY_TYPE_VOID && !bly_never_ends(f->body))
        bly_stop(p, f->place, "%s can end without a return; write one at its end", f->name);
    if (f->frame + p->bytes > BLY_MOST_OBJECT)
        bly_stop(p, f->place, "the variables of %s, and of what it calls, take %llu bytes; at most %u",
                 f->name, (unsigned long long)(f->frame + p->bytes), BLY_MOST_OBJECT);
    f->frame += (uint32_t)p->bytes;
    *p->last_function = f;
    p->last_function = &f->next;
}

static void function(struct bly_parser *p, const struct bly_specifiers *s)
{
    const struct bly_token *name = p->token++;
    struct bly_function *f = BLY_NEW(p, struct bly_function);
    struct bly_symbol *symbol = function_symbol(p, name);
    *f = (struct bly_function){
        .name = symbol->name->text, .returns = s->type, .place = name->place, .from = s->from, .depth = 1};
    p->bytes = 0;
    bly_scope_enter(p);
    parameters(p, f);
    if (!bly_accept(p, ";")) {
        if (!bly_next_is(p, "{")) bly_expect(p, "{");
        symbol->function = f;
        body(p, f);
    }
    bly_scope_leave(p);
}

/* ---- Constants and types ------------------------------------------------------------------------- */

static void constants(struct bly_parser *p, const struct bly_specifiers *s)
{
    do {
        if (bly_next_is(p, "*")) bly_stop(p, p->token->place, "no pointers outside functions");
        const struct bly_token *name = bly_expect_name(p, "a name");
        if (!s->constant)
            bly_stop(p, name->place,
                     "%.*s is not const: a payoff keeps nothing between paths (state is what a path keeps)",
                     BLY_SHOWN(name));
        p->token = name;
        const struct bly_variable *v = bly_parse_variable(p, s, BLY_VARIABLE_CONSTANT);
        if (!v->initial) bly_stop(p, v->place, "the constant %s has no value", v->name);
    } while (bly_accept(p, ","));
    bly_expect(p, ";");
}

static void outside(struct bly_parser *p)
{
    struct bly_specifiers s;
    if (bly_accept(p, ";")) return;
    bly_parse_specifiers(p, &s);
    if (s.is_typedef) {
        bly_parse_typedef(p, &s);
        return;
    }
    if (s.declares && bly_accept(p, ";")) return;
    const struct bly_token *name = p->token + bly_next_is(p, "*");
    if (name->kind == BLY_TOKEN_NAME && bly_token_is(name + 1, "(")) {
        check_result(p, &s);
        function(p, &s);
    } else {
        constants(p, &s);
    }
}

/* ---- The whole unit ------------------------------------------------------------------------------ */

static void check_whole(struct bly_parser *p)
{
    const struct bly_unit *unit = p->unit;
    if (unit->start || unit->step || unit->finish)
        bly_stop(p, unit->whole->place, "whole stands instead of start, step and finish, not beside them");
    if (unit->state) bly_stop(p, unit->state->place, "whole has no state; use local variables");
}

/* A model or a product, which are checked as a whole once they are composed. */
static void check_part(struct bly_parser *p)
{
    const struct bly_unit *unit = p->unit;
    const struct bly_place end = p->token->place;
    const bool model = unit->kind == BLY_UNIT_MODEL;
    if (!model && !unit->finish) bly_stop(p, end, "no function finish, which a product has");
    if (model ? unit->step && unit->step->parameter_count == 5 && !unit->start && unit->state
              : !unit->start && unit->state)
        bly_stop(p, end, "no function start, which sets the state");
    if (model && unit->functions) bly_check_answers(p);
}

static void check_exercise(struct bly_parser *p)
{
    const struct bly_unit *unit = p->unit;
    if (unit->regress && !unit->exercise)
        bly_stop(p, unit->regress->place,
                 "regress without exercise: its functions are those of the regression that decides when to "
                 "exercise; write real exercise(const state *s, const params *p, real t)");
    if (unit->exercise && (unit->whole || !unit->state))
        bly_stop(p, unit->exercise->place, "exercise needs %s",
                 unit->whole ? "start, step and finish, not whole" : "a state, which it is given");
}

static void check_presence(struct bly_parser *p)
{
    const struct bly_unit *unit = p->unit;
    const struct bly_place end = p->token->place;
    const bool levels = unit->kind == BLY_UNIT_LEVELS;
    if (unit->kind == BLY_UNIT_MOTION && !unit->whole)
        bly_stop(p, end, "no function whole, in which a path that is a motion is asked for its ticks");
    if (unit->whole) {
        check_whole(p);
        check_exercise(p);
        return;
    }
    if (unit->kind == BLY_UNIT_MODEL || unit->kind == BLY_UNIT_PRODUCT) {
        check_part(p);
        return;
    }
    if (!levels && !unit->step && !unit->finish)
        bly_stop(p, end, "no function step and no function finish, nor whole in their place");
    if (!unit->step || (levels && !unit->pair) || !unit->finish)
        bly_stop(p, end, "no function %s", !unit->step ? "step" : levels && !unit->pair ? "pair" : "finish");
    if (!unit->start && unit->state) bly_stop(p, end, "no function start, which sets the state");
    check_exercise(p);
}

static void find_roots(struct bly_unit *unit)
{
    const struct bly_function *const called[] = {unit->start, unit->step, unit->finish, unit->whole,
                                                 unit->pair};
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        unit->has_root |= called[i] && called[i]->has_root;
}

static void add_noise(struct bly_parser *p, const char *name, uint32_t count)
{
    const struct bly_place nowhere = {0, 0};
    if (count == 0) return;
    bly_record_add(p, p->noise, name, bly_type_array(p, &bly_type_real, count, nowhere), nowhere);
}

/* Params, state and noise are types whether they are declared or not. */
static void make_records(struct bly_parser *p)
{
    const struct bly_place nowhere = {0, 0};
    p->params = bly_record_new(p, "params", BLY_RECORD_PARAMS, nowhere);
    p->state = bly_record_new(p, "state", BLY_RECORD_STATE, nowhere);
    p->noise = bly_record_new(p, "noise", BLY_RECORD_NOISE, nowhere);
    add_noise(p, "dw", p->unit->dims);
    add_noise(p, "z", p->unit->normals);
    add_noise(p, "u", p->unit->uniforms);
    bly_record_end(p, p->noise);
}

static bailey_status read_unit(struct bly_parser *p)
{
    if (setjmp(p->out)) return p->status;
    make_records(p);
    bly_names_begin(p);
    while (p->token->kind != BLY_TOKEN_END) outside(p);
    check_presence(p);
    find_roots(p->unit);
    return BAILEY_OK;
}

bailey_status bly_unit_parse(struct bly_unit *unit)
{
    struct bly_parser p = {.unit = unit,
                           .token = unit->tokens,
                           .last_record = &unit->records,
                           .last_constant = &unit->constants,
                           .last_function = &unit->functions,
                           .last_asking = &unit->askings,
                           .last_outer = &unit->outer};
    return read_unit(&p);
}
