/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code for processors, where a loop runs it for the paths of an item side by side: without branches
 * that depend on data, so that compilers turn that loop into vector instructions.
 *
 * A path that does not take a branch goes through it all the same, and keeps what it has: each statement has
 * a mask, 0 or -1, and an assignment chooses by it, bit by bit, between the value and what the target has.
 * (From choices by ?: gcc derives branches again.) The masks in each other are those of the function, of
 * branches, of loops (who is still in it) and of their trips (who did not continue). A return takes a path
 * out of all of them, a break out of those up to the loop's.
 *
 * A path must do no harm where it is masked. Integers that are proved not to overflow where they are used
 * wrap around, and an index is 0 if it is outside. The operands of && || ?: are all evaluated if that is
 * harmless ("eager"). Much work under a condition that is the same for all paths ("uniform") stays under it.
 *
 * Some code stays as it is: where paths cannot go different ways (bly_unit_branches), and where loops are
 * long or have no proved end, or compilers have no vectors for something (bly_unit_scalar). Nothing here
 * changes a bit of a result.
 */
#include "check.h"
#include "print.h"

#include <base/text.h>

#include <stdio.h>
#include <string.h>

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)
#define MOST_TRIPS 16u /* of a loop whose trips differ from path to path; all are made */
#define MOST_MASKS 16u /* in each other */
#define MOST_ROUNDS 32u
#define MOST_TOKENS 16384u /* of a unit: longer ones are hardly written by hand */

struct bly_mask {
    enum { FUNCTION, BRANCH, LOOP, TRIP } kind;
    uint32_t number;
    bool whole; /* all paths are in it that called the function */
    struct bly_mask *outer;
};

/* ---- Steady integers ----------------------------------------------------------------------------- */

bool bly_is_steady(const struct bly_expression *x)
{
    switch (x->kind) {
    case BLY_NUMBER:
    case BLY_SIZE: return true;
    case BLY_VARIABLE: return x->variable->steady || bly_is_number(x->variable);
    case BLY_CALL:
    case BLY_MEMBER:
    case BLY_INDEX:
    case BLY_ADDRESS:
    case BLY_DECAY: return false;
    case BLY_DIVIDE:
    case BLY_REMAINDER:
        if (x->b->kind != BLY_NUMBER) return false; /* fallthrough */
    default: return bly_is_steady(x->a) && (!x->b || bly_is_steady(x->b)) && (!x->c || bly_is_steady(x->c));
    }
}

/* Whether a value is the same for all paths: of parameters, steps and times. */
static bool is_uniform(const struct bly_expression *x)
{
    if (x->kind == BLY_CALL) {
        bool uniform = x->library != NULL;
        for (const struct bly_expression *y = x->arguments; y && uniform; y = y->next)
            uniform = is_uniform(y);
        return uniform;
    }
    if (x->kind == BLY_VARIABLE)
        return x->variable->steady || x->variable->uniform || x->variable->kind == BLY_VARIABLE_CONSTANT;
    if (x->kind == BLY_MEMBER && x->a->type->kind == BLY_TYPE_POINTER)
        return x->a->type->of->record->kind == BLY_RECORD_PARAMS;
    return (!x->a || is_uniform(x->a)) && (!x->b || is_uniform(x->b)) && (!x->c || is_uniform(x->c));
}

static void find_heavy(void *of, struct bly_expression *x)
{
    static const char *const light[] = {"fabs", "fmin", "fmax", "floor", "ceil", "fma"};
    if (x->kind != BLY_CALL) return;
    for (size_t i = 0; i < sizeof light / sizeof *light && x->library; i++)
        if (strcmp(x->library->name, light[i]) == 0) return;
    *(bool *)of = true;
}

static bool is_heavy(const struct bly_expression *x)
{
    bool heavy = false;
    find_heavy(&heavy, (struct bly_expression *)x);
    if (heavy || x->kind == BLY_CALL) {
        for (const struct bly_expression *y = x->arguments; y && !heavy; y = y->next) heavy = is_heavy(y);
        return heavy;
    }
    return (x->a && is_heavy(x->a)) || (x->b && is_heavy(x->b)) || (x->c && is_heavy(x->c));
}

/* Work that all paths have or none is better left out. */
bool bly_stays_branch(const struct bly_expression *x)
{
    if (bly_is_steady(x->a)) return true;
    return is_uniform(x->a) && (is_heavy(x->b) || (x->c && is_heavy(x->c)));
}

static bool stays_if(const struct bly_statement *s)
{
    bool heavy = false;
    if (bly_is_steady(s->condition)) return true;
    if (!is_uniform(s->condition)) return false;
    bly_visit_all(s->body, &(struct bly_visitor){NULL, find_heavy, &heavy});
    bly_visit_all(s->otherwise, &(struct bly_visitor){NULL, find_heavy, &heavy});
    return heavy;
}

static void forget_writes(struct bly_function *f)
{
    for (struct bly_variable *v = f->parameters; v && v->kind == BLY_VARIABLE_PARAMETER; v = v->next)
        v->writes = 0;
    for (struct bly_variable *v = f->locals; v; v = v->next) v->writes = 0;
}

/* Counts assignments of a variable and, twice, places that take its address, in which it may be written. */
static void count_write(void *of, struct bly_statement *s)
{
    struct bly_variable *v = s->kind == BLY_ASSIGN ? (struct bly_variable *)bly_root_of(s->target) : NULL;
    (void)of;
    if (v) v->writes++;
}

static void count_address(void *of, struct bly_expression *x)
{
    struct bly_variable *v = x->kind == BLY_ADDRESS ? (struct bly_variable *)bly_root_of(x->a) : NULL;
    (void)of;
    if (v) v->writes += 2;
}

static bool is_integer(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_INT || type->kind == BLY_TYPE_UINT32;
}

/* for (int a = 0; a < DIMS; a++), with steady ends and a body that leaves `a` alone. */
static struct bly_variable *counter_of(const struct bly_statement *s)
{
    struct bly_statement *first = s->first, *each = s->each;
    if (s->kind != BLY_LOOP || !s->is_for || s->site || !s->condition || !first || first->next || !each ||
        each->next || first->kind != BLY_DECLARE || each->kind != BLY_ASSIGN)
        return NULL;
    struct bly_variable *v = first->variable;
    if (!is_integer(v->type) || !first->initial || !first->initial->value) return NULL;
    if (each->target->kind != BLY_VARIABLE || each->target->variable != v) return NULL;
    return v->writes == 1 ? v : NULL;
}

/* Its ends are steady if the counter is. */
static bool is_plain_loop(const struct bly_statement *s)
{
    const struct bly_variable *v = counter_of(s);
    return v && v->steady && bly_is_steady(s->condition);
}

static bool has_steady_ends(const struct bly_statement *s)
{
    return bly_is_steady(s->first->initial->value) && bly_is_steady(s->condition) &&
           bly_is_steady(s->each->value);
}

static void begin_steady(void *of, struct bly_statement *s)
{
    struct bly_variable *v = counter_of(s);
    (void)of;
    if (v) v->steady = true;
    if (s->kind != BLY_DECLARE || !s->variable->constant || !s->initial || !s->initial->value) return;
    s->variable->uniform = s->variable->type->kind != BLY_TYPE_RECORD;
    s->variable->steady = is_integer(s->variable->type);
}

static void unsteady(bool *changed, struct bly_variable *v)
{
    if (!v->steady) return;
    v->steady = false;
    *changed = true;
}

static void check_steady(void *of, struct bly_statement *s)
{
    struct bly_variable *v = counter_of(s);
    if (v && !has_steady_ends(s)) unsteady(of, v);
    if (s->kind != BLY_DECLARE || !s->variable->constant || !s->initial || !s->initial->value) return;
    if (s->variable->steady && !bly_is_steady(s->initial->value)) unsteady(of, s->variable);
    if (s->variable->uniform && !is_uniform(s->initial->value))
        s->variable->uniform = false, *(bool *)of = true;
}

static void check_arguments(void *of, struct bly_expression *x)
{
    if (x->kind != BLY_CALL || !x->function) return;
    const struct bly_expression *y = x->arguments;
    for (struct bly_variable *v = x->function->parameters; y; v = v->next, y = y->next) {
        if (v->steady && !bly_is_steady(y)) unsteady(of, v);
        if (v->uniform && !is_uniform(y)) v->uniform = false, *(bool *)of = true;
    }
}

/* From all that may be steady, those are taken out that are not. */
static void choose_steady(const struct bly_unit *unit)
{
    bool changed = true;
    for (struct bly_function *f = unit->functions; f; f = f->next) {
        forget_writes(f);
        bly_visit_all(f->body, &(struct bly_visitor){count_write, count_address, NULL});
        for (struct bly_variable *v = f->parameters; v && v->kind == BLY_VARIABLE_PARAMETER; v = v->next) {
            v->uniform = v->type->kind != BLY_TYPE_POINTER && v->type->kind != BLY_TYPE_RECORD &&
                         v->type->kind != BLY_TYPE_PATH && v->writes == 0;
            v->steady = v->uniform && f->role == BLY_ROLE_OWN && is_integer(v->type);
        }
        bly_visit_all(f->body, &(struct bly_visitor){begin_steady, NULL, NULL});
    }
    for (uint32_t round = 0; changed; round++) {
        changed = false;
        for (struct bly_function *f = unit->functions; f; f = f->next) {
            for (struct bly_variable *v = f->parameters; v && round >= MOST_ROUNDS; v = v->next)
                unsteady(&changed, v), v->uniform = false;
            bly_visit_all(f->body, &(struct bly_visitor){check_steady, check_arguments, &changed});
        }
    }
}

/* ---- Harmless expressions ------------------------------------------------------------------------ */

static bool is_body_eager(struct bly_function *f);

static void find_lazy(void *of, struct bly_expression *x)
{
    bool *lazy = of;
    const bool path = x->kind == BLY_CALL && x->path_call != BLY_PATH_NO_CALL;
    if (x->kind == BLY_INDEX && !x->a->type->count && !bly_is_steady(x->b)) *lazy = true;
    if (x->kind == BLY_CALL && x->function && !is_body_eager((struct bly_function *)x->function))
        *lazy = true;
    for (struct bly_expression *y = path ? x->arguments->next : NULL; y; y = y->next)
        if (!bly_is_steady(y)) *lazy = true;
}

static bool is_body_eager(struct bly_function *f)
{
    bool lazy = false;
    if (!f->eager) {
        bly_visit_all(f->body, &(struct bly_visitor){NULL, find_lazy, &lazy});
        f->eager = lazy ? 2 : 1;
    }
    return f->eager == 1;
}

static void walk_lazy(bool *lazy, const struct bly_expression *x)
{
    if (!x || *lazy) return;
    find_lazy(lazy, (struct bly_expression *)x);
    for (const struct bly_expression *y = x->kind == BLY_CALL ? x->arguments : NULL; y; y = y->next)
        walk_lazy(lazy, y);
    if (x->kind != BLY_CALL) walk_lazy(lazy, x->a), walk_lazy(lazy, x->b), walk_lazy(lazy, x->c);
}

bool bly_is_eager(const struct bly_expression *x)
{
    bool lazy = false;
    walk_lazy(&lazy, x);
    return !lazy;
}

/* ---- What stays as it is ------------------------------------------------------------------------- */

struct search {
    const char *why;
    struct bly_place where;
};

static void refuse(struct search *search, const char *why, struct bly_place where)
{
    if (!search->why) *search = (struct search){why, where};
}

/* Each member is a number, as choices need. */
static bool is_flat_record(const struct bly_type *type)
{
    for (const struct bly_field_node *f = type->record->fields; f; f = f->next)
        if (f->type->kind == BLY_TYPE_ARRAY || f->type->kind == BLY_TYPE_RECORD) return false;
    return true;
}

static void check_chosen(struct search *search, const struct bly_type *type, struct bly_place where)
{
    if (type->kind == BLY_TYPE_ARRAY || (type->kind == BLY_TYPE_RECORD && !is_flat_record(type)))
        refuse(search, "a structure with arrays is copied", where);
}

static bool is_known(const struct bly_expression *x)
{
    if (x->kind == BLY_CALL || x->kind == BLY_VARIABLE) return false;
    return (!x->a || is_known(x->a)) && (!x->b || is_known(x->b)) && (!x->c || is_known(x->c));
}

static void check_expression(void *of, struct bly_expression *x)
{
    const char *const names[] = {"poisson_icdf", "gamma_icdf", "gamma_icdf_by_shape", "gamma_density"};
    if ((x->kind == BLY_DIVIDE || x->kind == BLY_REMAINDER) && x->type->kind != BLY_TYPE_REAL &&
        !is_known(x->b) && !is_uniform(x))
        refuse(of, "processors do not divide integers in lanes", x->place);
    if (x->kind != BLY_CALL) return;
    if (x->function && x->function->role != BLY_ROLE_OWN)
        refuse(of, "it calls a function that runs call", x->place);
    for (size_t i = 0; i < sizeof names / sizeof *names && x->library; i++)
        if (strcmp(x->library->name, names[i]) == 0)
            refuse(of, "this function is not made for lanes", x->place);
}

static void check_statement(struct search *search, const struct bly_statement *s, uint32_t masks);

static void check_list(struct search *search, const struct bly_statement *s, uint32_t masks)
{
    for (; s && !search->why; s = s->next) check_statement(search, s, masks);
}

static void check_statement(struct search *search, const struct bly_statement *s, uint32_t masks)
{
    const bool loop = s->kind == BLY_LOOP || s->kind == BLY_DO;
    if (s->kind == BLY_SWITCH) refuse(search, "it has a switch", s->place);
    if (loop && !is_plain_loop(s) && (!s->bounded || s->trips > MOST_TRIPS))
        refuse(search, "the number of trips of this loop depends on the path, and may be large", s->place);
    if (masks > MOST_MASKS) refuse(search, "too many conditions in each other", s->place);
    if (s->kind == BLY_ASSIGN) check_chosen(search, s->target->type, s->place);
    if (s->kind == BLY_RETURN && s->value) check_chosen(search, s->value->type, s->place);
    masks += loop ? 2 : s->kind == BLY_IF;
    check_list(search, s->first, masks);
    check_list(search, s->body, masks);
    check_list(search, s->otherwise, masks);
    check_list(search, s->each, masks);
}

const char *bly_unit_scalar(const struct bly_unit *unit, struct bly_place *where)
{
    struct search search = {0};
    if (unit->token_count > MOST_TOKENS) refuse(&search, "it is too long", unit->tokens[MOST_TOKENS].place);
    if (unit->site_count) refuse(&search, "this is checked as it runs", unit->sites->place);
    if (!search.why) choose_steady(unit);
    for (const struct bly_function *f = unit->functions; f && !search.why; f = f->next) {
        if (!f->used) continue;
        check_list(&search, f->body, 0);
        bly_visit_all(f->body, &(struct bly_visitor){NULL, check_expression, &search});
    }
    *where = search.where;
    return search.why;
}

static void find_branch(void *of, struct bly_statement *s)
{
    const bool loop = s->kind == BLY_LOOP || s->kind == BLY_DO;
    if ((s->kind == BLY_IF && !is_uniform(s->condition)) || (loop && !is_plain_loop(s))) *(bool *)of = true;
}

/* Compilers vectorise code without such branches as it is written, and it may then be shorter: a basket in
 * single precision takes four fifths of the time. */
bool bly_unit_branches(const struct bly_unit *unit)
{
    bool branches = false;
    choose_steady(unit);
    for (const struct bly_function *f = unit->functions; f && !branches; f = f->next)
        if (f->used) bly_visit_all(f->body, &(struct bly_visitor){find_branch, NULL, &branches});
    return branches;
}

/* ---- Masks --------------------------------------------------------------------------------------- */

void bly_print_mask(struct bly_printer *p, const struct bly_mask *mask) { PRINT("bly_m%u", mask->number); }

static void find_leave(void *of, struct bly_statement *s)
{
    if (s->kind == BLY_RETURN || s->kind == BLY_BREAK || s->kind == BLY_CONTINUE) *(bool *)of = true;
}

/* A plain loop that no path leaves has the paths around it. */
static struct bly_mask begin_mask(struct bly_printer *p, int kind, const struct bly_statement *loop)
{
    struct bly_mask mask = {.kind = kind, .number = ++p->mask_count, .outer = p->mask};
    bool leaves = !loop || !p->mask->whole;
    if (!leaves) bly_visit_all(loop->body, &(struct bly_visitor){find_leave, NULL, &leaves});
    mask.whole = !leaves;
    return mask;
}

/* Takes the paths of the innermost mask out of all masks up to the first of a kind. */
static void leave(struct bly_printer *p, int kind)
{
    bly_begin_line(p);
    PRINT("const bly_mask bly_x%u = ~", ++p->mask_count);
    bly_print_mask(p, p->mask);
    PRINT(";\n");
    for (struct bly_mask *m = p->mask; m; m = m->outer) {
        m->whole = false;
        bly_begin_line(p);
        bly_print_mask(p, m);
        PRINT(" = ");
        bly_print_mask(p, m);
        PRINT(" & bly_x%u;\n", p->mask_count);
        if ((int)m->kind == kind) return;
    }
}

/* ---- Values -------------------------------------------------------------------------------------- */

static const char *suffix_of(const struct bly_type *type)
{
    static const char *const suffixes[] = {"", "real", "i32", "u32", "i64", "u64"};
    return suffixes[type->kind];
}

/* target = mask ? bly_v : target, whatever prints the target. */
struct choice {
    void (*target)(struct bly_printer *p, const void *of);
    const void *of;
    const struct bly_type *type;
    uint32_t value;
};

static void choose(struct bly_printer *p, const struct choice *c, const char *member)
{
    const struct bly_type *type = c->type;
    if (type->kind == BLY_TYPE_RECORD && !member) {
        for (const struct bly_field_node *f = type->record->fields; f; f = f->next) {
            const char *own = type->record->kind == BLY_RECORD_NOISE ? "" : "own_";
            char name[160];
            snprintf(name, sizeof name, ".%s%s", own, f->name);
            choose(p, &(struct choice){c->target, c->of, f->type, c->value}, name);
        }
        return;
    }
    bly_begin_line(p);
    c->target(p, c->of);
    PRINT("%s = bly_choose_%s(", member ? member : "", suffix_of(type));
    bly_print_mask(p, p->mask);
    PRINT(", bly_v%u%s, ", c->value, member ? member : "");
    c->target(p, c->of);
    PRINT("%s);\n", member ? member : "");
    p->checked = true;
}

static uint32_t print_value(struct bly_printer *p, const struct bly_expression *value)
{
    const uint32_t number = ++p->mask_count;
    bly_begin_line(p);
    PRINT("const ");
    bly_print_type(p, value->type);
    PRINT(" bly_v%u = ", number);
    bly_print_expression(p, value, BLY_BINDS_SELECT);
    PRINT(";\n");
    return number;
}

static void print_target(struct bly_printer *p, const void *target)
{
    bly_print_plain(p, target, BLY_BINDS_PRIMARY);
}
static void print_result(struct bly_printer *p, const void *of) { (void)of, PRINT("bly_y"); }

/* All paths assign that can see the target: it is the function's own, or the function is not called by others
 * than the library. */
static bool all_assign(const struct bly_printer *p, const struct bly_statement *s)
{
    const struct bly_variable *v = bly_root_of(s->target);
    return p->mask->whole && v && v->of && (v->type->kind != BLY_TYPE_POINTER || v->of->role != BLY_ROLE_OWN);
}

static void print_assign(struct bly_printer *p, const struct bly_statement *s)
{
    const uint32_t value = print_value(p, s->value);
    choose(p, &(struct choice){print_target, s->target, s->target->type, value}, NULL);
}

/* ---- Statements ---------------------------------------------------------------------------------- */

static void print_within(struct bly_printer *p, struct bly_mask *mask, const struct bly_statement *body)
{
    struct bly_mask *outer = p->mask;
    p->mask = mask;
    if (body) bly_print_statement(p, body);
    p->mask = outer;
}

static void open(struct bly_printer *p)
{
    bly_begin_line(p);
    PRINT("{\n");
    p->indent++;
}

static void close(struct bly_printer *p)
{
    p->indent--;
    bly_begin_line(p);
    PRINT("}\n");
}

/* int bly_m2 = bly_m1 & [!] bly_c; `loop` is a plain one. */
static struct bly_mask print_mask_of(struct bly_printer *p, int kind, const struct bly_statement *loop,
                                     const char *and, uint32_t condition)
{
    const struct bly_mask mask = begin_mask(p, kind, loop);
    bly_begin_line(p);
    PRINT("bly_mask bly_m%u = ", mask.number);
    bly_print_mask(p, p->mask);
    if (and) PRINT(" & %sbly_c%u", and, condition);
    PRINT(";\n");
    return mask;
}

static struct bly_mask print_mask(struct bly_printer *p, int kind, const char *and, uint32_t condition)
{
    return print_mask_of(p, kind, NULL, and, condition);
}

static uint32_t print_condition(struct bly_printer *p, const struct bly_expression *condition)
{
    const uint32_t number = ++p->mask_count;
    bly_begin_line(p);
    PRINT("const bly_mask bly_c%u = BLY_MASK(", number);
    bly_print_expression(p, condition, BLY_BINDS_COMMA);
    PRINT(");\n");
    return number;
}

static void print_if(struct bly_printer *p, const struct bly_statement *s)
{
    open(p);
    const uint32_t condition = print_condition(p, s->condition);
    struct bly_mask otherwise, mask = print_mask(p, BRANCH, "", condition);
    if (s->otherwise) otherwise = print_mask(p, BRANCH, "~", condition);
    print_within(p, &mask, s->body);
    if (s->otherwise) print_within(p, &otherwise, s->otherwise);
    close(p);
}

/* All trips are made. */
static void print_trips(struct bly_printer *p, const struct bly_statement *s)
{
    open(p);
    bly_print_list(p, s->first);
    struct bly_mask loop = print_mask(p, LOOP, NULL, 0), *outer = p->mask;
    const uint32_t number = ++p->mask_count;
    p->mask = &loop;
    bly_begin_line(p);
    PRINT("%sfor (int bly_i%u = 0; bly_i%u < %u; bly_i%u++)\n", "BLY_LOOP ", number, number,
          (unsigned)s->trips, number);
    open(p);
    if (s->kind == BLY_LOOP && s->condition) {
        const uint32_t condition = print_condition(p, s->condition);
        bly_begin_line(p);
        PRINT("bly_m%u = bly_m%u & bly_c%u;\n", loop.number, loop.number, condition);
    }
    struct bly_mask trip = print_mask(p, TRIP, NULL, 0);
    print_within(p, &trip, s->body);
    bly_print_list(p, s->each);
    if (s->kind == BLY_DO) {
        const uint32_t condition = print_condition(p, s->condition);
        bly_begin_line(p);
        PRINT("bly_m%u = bly_m%u & bly_c%u;\n", loop.number, loop.number, condition);
    }
    close(p);
    p->mask = outer;
    close(p);
}

/* A loop that all lanes make. */
static void print_plain_loop(struct bly_printer *p, const struct bly_statement *s)
{
    open(p);
    struct bly_mask loop = print_mask_of(p, LOOP, s, NULL, 0), *outer = p->mask;
    p->mask = &loop;
    bly_print_for(p, s);
    p->mask = outer;
    close(p);
}

/* The last statement of a function's body alone is a return of C. */
static void print_return(struct bly_printer *p, const struct bly_statement *s)
{
    if (s->value) {
        const uint32_t value = print_value(p, s->value);
        choose(p, &(struct choice){print_result, NULL, s->value->type, value}, NULL);
    }
    leave(p, FUNCTION);
}

bool bly_print_in_lanes(struct bly_printer *p, const struct bly_statement *s)
{
    if (!p->mask) return false;
    const bool scoped = s->kind == BLY_ASSIGN || s->kind == BLY_RETURN;
    const bool leaves = s->kind == BLY_BREAK || s->kind == BLY_CONTINUE;
    if (!scoped && !leaves && s->kind != BLY_IF && s->kind != BLY_LOOP && s->kind != BLY_DO) return false;
    if (s->kind == BLY_IF && stays_if(s)) return false;
    if (s->kind == BLY_ASSIGN && all_assign(p, s)) return false;
    if (scoped || leaves) open(p);
    if (s->kind == BLY_ASSIGN) print_assign(p, s);
    if (s->kind == BLY_RETURN) print_return(p, s);
    if (leaves) leave(p, s->kind == BLY_BREAK ? LOOP : TRIP);
    if (scoped || leaves) close(p);
    if (s->kind == BLY_IF) print_if(p, s);
    if (s->kind == BLY_DO || s->kind == BLY_LOOP)
        is_plain_loop(s) ? print_plain_loop(p, s) : print_trips(p, s);
    return true;
}

void bly_print_trip(struct bly_printer *p, const struct bly_statement *loop)
{
    PRINT("{\n");
    p->indent++;
    struct bly_mask trip = print_mask_of(p, TRIP, loop, NULL, 0);
    print_within(p, &trip, loop->body);
    p->indent--;
    bly_begin_line(p);
    PRINT("}");
}

static void count_returns(void *of, struct bly_statement *s) { *(uint32_t *)of += s->kind == BLY_RETURN; }

void bly_print_lanes(struct bly_printer *p, const struct bly_function *function)
{
    struct bly_mask mask = {.kind = FUNCTION, .whole = true};
    const struct bly_statement *last = function->body->body;
    const bool returns = function->returns->kind != BLY_TYPE_VOID;
    uint32_t count = 0;
    while (last && last->next) last = last->next;
    bly_visit_all(function->body->body, &(struct bly_visitor){count_returns, NULL, &count});
    const bool simple = count == 1 && last->kind == BLY_RETURN;
    if (function->role != BLY_ROLE_OWN) PRINT("    bly_mask bly_m0 = -1;\n"), p->checked = true;
    p->mask = &mask;
    if (returns && !simple) {
        PRINT("    ");
        bly_print_type(p, function->returns);
        PRINT(function->returns->kind == BLY_TYPE_RECORD ? " bly_y = {0};\n" : " bly_y = 0;\n");
    }
    for (const struct bly_statement *s = function->body->body; s; s = s->next) {
        if (!simple || s != last) {
            bly_print_statement(p, s);
        } else if (s->value) {
            PRINT("    return ");
            bly_print_expression(p, s->value, BLY_BINDS_COMMA);
            PRINT(";\n");
        }
    }
    if (returns && !simple) PRINT("    return bly_y;\n");
    p->mask = NULL;
}
