/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Statements. Several variables of one declaration, and parts between commas, become separate statements,
 * one after the other.
 */
#include "parser.h"

#include <stdlib.h>
#include <string.h>

/* Statements in order. */
struct list {
    struct bly_statement *first, **last;
};

static struct bly_statement *new_statement(struct bly_parser *p, enum bly_statement_kind kind,
                                           struct bly_place place)
{
    struct bly_statement *s = BLY_NEW(p, struct bly_statement);
    s->kind = kind;
    s->place = place;
    return s;
}

static struct bly_statement *append(struct list *list, struct bly_statement *s)
{
    if (!list->last) list->last = &list->first;
    *list->last = s;
    list->last = &s->next;
    return s;
}

static struct bly_statement *add(struct bly_parser *p, struct list *list, enum bly_statement_kind kind,
                                 struct bly_place place)
{
    return append(list, new_statement(p, kind, place));
}

static void statement(struct bly_parser *p, struct list *list);

/* The body of an if or loop: one statement, a block if it was several. */
static struct bly_statement *body(struct bly_parser *p)
{
    struct list list = {0};
    const struct bly_place place = p->token->place;
    if (bly_begins_type(p, p->token)) bly_stop(p, place, "a declaration takes { } around it here");
    statement(p, &list);
    if (!list.first->next) return list.first;
    struct bly_statement *block = new_statement(p, BLY_BLOCK, place);
    block->body = list.first;
    return block;
}

/* ---- Assignments --------------------------------------------------------------------------------- */

/* += and so on, and the operator of each. */
static const struct assignment {
    const char *sign, *operator;
    enum bly_expression_kind kind;
} assignments[] = {
    {"+=", "+", BLY_ADD},           {"-=", "-", BLY_SUBTRACT},  {"*=", "*", BLY_MULTIPLY},
    {"/=", "/", BLY_DIVIDE},        {"%=", "%", BLY_REMAINDER}, {"<<=", "<<", BLY_SHIFT_LEFT},
    {">>=", ">>", BLY_SHIFT_RIGHT}, {"&=", "&", BLY_BIT_AND},   {"^=", "^", BLY_BIT_XOR},
    {"|=", "|", BLY_BIT_OR},        {"++", "+", BLY_ADD},       {"--", "-", BLY_SUBTRACT},
};

static const struct assignment *next_assignment(const struct bly_parser *p)
{
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++)
        if (bly_next_is(p, assignments[i].sign)) return &assignments[i];
    return NULL;
}

/* ++ and -- begin or end a statement; the others have a right side. */
static bool is_step(const struct assignment *a)
{
    return a->sign[1] == a->sign[0] && !a->sign[2] && a->sign[1] != '=';
}

static void check_target(struct bly_parser *p, const struct bly_expression *target)
{
    if (target->type->kind == BLY_TYPE_ARRAY)
        bly_stop(p, bly_begin_of(target), "an array cannot be assigned; assign its elements in a loop");
    if (target->type->kind == BLY_TYPE_POINTER || target->type->kind == BLY_TYPE_PATH)
        bly_stop(p, bly_begin_of(target), "a pointer or path cannot be assigned");
    if (target->kind != BLY_VARIABLE && target->kind != BLY_MEMBER && target->kind != BLY_INDEX)
        bly_stop(p, bly_begin_of(target), "only variables, their members and their elements can be written");
    bly_need_writable(p, target);
}

static bool is_given_by_address(const struct bly_expression *call, const struct bly_variable *v)
{
    bool by_pointer;
    for (const struct bly_expression *argument = call->arguments; argument; argument = argument->next)
        if (argument->type->kind == BLY_TYPE_POINTER && bly_root(argument, &by_pointer) == v) return true;
    return false;
}

/* Whether a call may change what e reads. */
static bool may_change(const struct bly_expression *call, const struct bly_expression *e)
{
    if (e->kind == BLY_VARIABLE) return is_given_by_address(call, e->variable);
    if (e->kind == BLY_MEMBER || e->kind == BLY_INDEX || e->kind == BLY_CALL) return true;
    return (e->a && may_change(call, e->a)) || (e->b && may_change(call, e->b)) ||
           (e->c && may_change(call, e->c));
}

/* C does not say whether a target's index is read before or after a call that writes. */
static void check_indices(struct bly_parser *p, const struct bly_expression *target,
                          const struct bly_expression *call)
{
    for (const struct bly_expression *e = target; e->kind == BLY_INDEX || e->kind == BLY_MEMBER; e = e->a)
        if (e->kind == BLY_INDEX && may_change(call, e->b))
            bly_stop(p, bly_begin_of(e->b),
                     "%s may change what this index reads; keep its result in a variable first",
                     call->function->name);
}

static void assign(struct bly_parser *p, struct bly_statement *s)
{
    p->token++;
    struct bly_expression *value = bly_parse_value(p);
    if (bly_next_is(p, "="))
        bly_stop(p, p->token->place, "two assignments in one; write them one after the other");
    if (p->writer == value) check_indices(p, s->target, value);
    bly_check_writer(p, value, BLY_WRITES_WHOLE);
    s->value = bly_as_value(p, value, s->target->type);
}

/* target = (type of target)(target + value), of which the target is one node. */
static void assign_operation(struct bly_parser *p, struct bly_statement *s, const struct assignment *a)
{
    struct bly_token at = *p->token++;
    at.text = a->operator;
    at.length = (uint32_t)strlen(a->operator);
    bly_need_number(p, s->target);
    struct bly_expression *by =
        is_step(a) ? bly_node_integer(p, &at, 1) : bly_parse_whole(p, BLY_WRITES_NOTHING);
    s->seen = s->target;
    s->value = bly_convert(p, bly_node_operation(p, a->kind, &at, s->target, by), s->target->type);
}

static void evaluate(struct bly_parser *p, struct list *list, struct bly_expression *e,
                     const struct bly_token *begin)
{
    if (e->kind != BLY_CALL)
        bly_stop(p, begin->place, "this computes a value that nothing uses; write an assignment or a call");
    add(p, list, BLY_EVALUATE, begin->place)->value = e;
}

/* x = ..., x += ..., x++, or a call. */
static void plain_part(struct bly_parser *p, struct list *list)
{
    const struct bly_token *begin = p->token;
    struct bly_expression *e = bly_parse_value(p);
    const struct assignment *a = next_assignment(p);
    if (!a && !bly_next_is(p, "=")) {
        bly_check_writer(p, e, BLY_WRITES_WHOLE);
        evaluate(p, list, e, begin);
        return;
    }
    bly_check_writer(p, e, BLY_WRITES_NOTHING);
    check_target(p, e);
    struct bly_statement *s = add(p, list, BLY_ASSIGN, begin->place);
    s->target = e;
    if (a)
        assign_operation(p, s, a);
    else
        assign(p, s);
}

/* ++x. */
static void step_before(struct bly_parser *p, struct list *list, const struct assignment *a)
{
    const struct bly_token *sign = p->token++;
    struct bly_expression *target = bly_parse_unary(p);
    bly_check_writer(p, target, BLY_WRITES_NOTHING);
    check_target(p, target);
    bly_need_number(p, target);
    struct bly_statement *s = add(p, list, BLY_ASSIGN, sign->place);
    s->target = s->seen = target;
    struct bly_token at = *sign;
    at.text = a->operator;
    at.length = 1;
    s->value = bly_convert(p, bly_node_operation(p, a->kind, &at, target, bly_node_integer(p, &at, 1)),
                           target->type);
}

/* (void)x says that x is not used. */
static bool is_void(const struct bly_parser *p)
{
    return bly_token_is(p->token, "(") && bly_token_is(p->token + 1, "void") &&
           bly_token_is(p->token + 2, ")");
}

static void part(struct bly_parser *p, struct list *list)
{
    const struct assignment *a = next_assignment(p);
    if (is_void(p)) {
        add(p, list, BLY_EMPTY, p->token->place);
        p->token += 3;
        bly_parse_unary(p);
        bly_check_writer(p, NULL, BLY_WRITES_NOTHING);
    } else if (a && is_step(a)) {
        step_before(p, list, a);
    } else {
        plain_part(p, list);
    }
}

static void parts(struct bly_parser *p, struct list *list)
{
    do part(p, list);
    while (bly_accept(p, ","));
}

/* ---- Declarations -------------------------------------------------------------------------------- */

static void declaration(struct bly_parser *p, struct list *list)
{
    struct bly_specifiers s;
    bly_parse_specifiers(p, &s);
    if (s.is_static || s.is_inline)
        bly_stop(p, s.place, "%s is for declarations outside functions", s.is_static ? "static" : "inline");
    if (s.is_typedef) {
        bly_parse_typedef(p, &s);
        return;
    }
    if (s.declares && bly_accept(p, ";")) return;
    do {
        const struct bly_place place = p->token->place;
        struct bly_variable *v = bly_parse_variable(p, &s, BLY_VARIABLE_LOCAL);
        if (bly_next_is(p, "(")) bly_stop(p, place, "a function cannot be declared within a function");
        struct bly_statement *declared = add(p, list, BLY_DECLARE, place);
        declared->variable = v;
        declared->initial = v->initial;
    } while (bly_accept(p, ","));
    bly_expect(p, ";");
}

/* ---- Conditions and loops ------------------------------------------------------------------------ */

static struct bly_expression *bracketed_condition(struct bly_parser *p)
{
    bly_expect(p, "(");
    struct bly_expression *condition = bly_parse_condition(p);
    bly_expect(p, ")");
    return condition;
}

static void choose(struct bly_parser *p, struct bly_statement *s)
{
    s->condition = bracketed_condition(p);
    s->body = body(p);
    if (bly_accept(p, "else")) s->otherwise = body(p);
}

static struct bly_statement *loop_body(struct bly_parser *p)
{
    const uint32_t switches = p->switches;
    p->loops++;
    struct bly_statement *s = body(p);
    p->loops--;
    p->switches = switches;
    return s;
}

/* Variables declared in the head of a for live until its end. */
static void loop_for(struct bly_parser *p, struct bly_statement *s)
{
    struct list first = {0}, each = {0};
    s->is_for = true;
    bly_scope_enter(p);
    bly_expect(p, "(");
    if (bly_begins_type(p, p->token)) {
        declaration(p, &first);
    } else {
        if (!bly_next_is(p, ";")) parts(p, &first);
        bly_expect(p, ";");
    }
    if (!bly_next_is(p, ";")) s->condition = bly_parse_condition(p);
    bly_expect(p, ";");
    if (!bly_next_is(p, ")")) parts(p, &each);
    bly_expect(p, ")");
    s->first = first.first;
    s->each = each.first;
    s->body = loop_body(p);
    bly_scope_leave(p);
}

static void loop_while(struct bly_parser *p, struct bly_statement *s)
{
    s->condition = bracketed_condition(p);
    s->body = loop_body(p);
}

static void loop_do(struct bly_parser *p, struct bly_statement *s)
{
    s->body = loop_body(p);
    bly_expect(p, "while");
    s->condition = bracketed_condition(p);
    bly_expect(p, ";");
}

/* ---- Switches ------------------------------------------------------------------------------------ */

static void label(struct bly_parser *p, struct list *list, const struct bly_type *type)
{
    struct bly_statement *s = add(p, list, BLY_CASE, p->token->place);
    s->labelled = bly_token_is(p->token++, "case");
    if (s->labelled) {
        const struct bly_place place = p->token->place;
        s->label = bly_parse_constant(p, "a case");
        struct bly_expression value = {.kind = BLY_NUMBER, .type = &bly_type_int64, .place = place};
        value.integer = s->label;
        s->label = bly_convert(p, &value, type)->integer;
    }
    bly_expect(p, ":");
}

static bool is_label(const struct bly_parser *p)
{
    return bly_next_is(p, "case") || bly_next_is(p, "default");
}

static int by_label(const void *a, const void *b)
{
    const struct bly_statement *x = *(const struct bly_statement *const *)a,
                               *y = *(const struct bly_statement *const *)b;
    if (x->labelled != y->labelled) return x->labelled ? 1 : -1;
    if (x->labelled && x->label != y->label) return x->label < y->label ? -1 : 1;
    return x->place.line < y->place.line ||
                   (x->place.line == y->place.line && x->place.column < y->place.column)
               ? -1
               : 1;
}

static void check_labels(struct bly_parser *p, const struct bly_statement *first)
{
    size_t count = 0, i = 0;
    for (const struct bly_statement *s = first; s; s = s->next) count += s->kind == BLY_CASE;
    const struct bly_statement **cases = bly_take(p, (count + 1) * sizeof *cases);
    for (const struct bly_statement *s = first; s; s = s->next)
        if (s->kind == BLY_CASE) cases[i++] = s;
    qsort(cases, count, sizeof *cases, by_label);
    for (i = 1; i < count; i++) {
        if (!cases[i]->labelled && !cases[i - 1]->labelled) bly_stop(p, cases[i]->place, "a second default");
        if (cases[i]->labelled && cases[i - 1]->labelled && cases[i]->label == cases[i - 1]->label)
            bly_stop(p, cases[i]->place, "a second case %lld", (long long)cases[i]->label);
    }
}

static struct bly_statement *switch_body(struct bly_parser *p, const struct bly_type *type)
{
    struct list list = {0};
    struct bly_statement *block = new_statement(p, BLY_BLOCK, p->token->place);
    bly_expect(p, "{");
    if (!is_label(p) && !bly_next_is(p, "}")) bly_stop(p, p->token->place, "a switch begins with a case");
    bly_scope_enter(p);
    while (!bly_accept(p, "}")) {
        if (is_label(p))
            label(p, &list, type);
        else if (bly_begins_type(p, p->token))
            bly_stop(p, p->token->place, "a declaration in a switch; put it before, or { } around it");
        else
            statement(p, &list);
    }
    bly_scope_leave(p);
    check_labels(p, list.first);
    block->body = list.first;
    return block;
}

static void switch_over(struct bly_parser *p, struct bly_statement *s)
{
    bly_expect(p, "(");
    s->condition = bly_parse_whole(p, BLY_WRITES_NOTHING);
    bly_need_integer(p, s->condition, "what a switch looks at");
    bly_expect(p, ")");
    p->switches++;
    s->body = switch_body(p, s->condition->type);
    p->switches--;
}

/* ---- Jumps --------------------------------------------------------------------------------------- */

static void jump(struct bly_parser *p, const struct bly_statement *s)
{
    const bool is_break = s->kind == BLY_BREAK;
    if (!p->loops && !(is_break && p->switches))
        bly_stop(p, s->place, "%s outside of a loop", is_break ? "break" : "continue");
    bly_expect(p, ";");
}

static void leave_function(struct bly_parser *p, struct bly_statement *s)
{
    const struct bly_type *type = p->function->returns;
    const bool empty = bly_next_is(p, ";");
    if (type->kind == BLY_TYPE_VOID && !empty)
        bly_stop(p, s->place, "%s returns nothing; write return;", p->function->name);
    if (type->kind != BLY_TYPE_VOID && empty)
        bly_stop(p, s->place, "%s returns a value; write it after return", p->function->name);
    if (!empty) s->value = bly_as_value(p, bly_parse_whole(p, BLY_WRITES_WHOLE), type);
    bly_expect(p, ";");
}

/* ---- Statements ---------------------------------------------------------------------------------- */

static void loop(struct bly_parser *p, struct bly_statement *s, const struct bly_token *word)
{
    if (bly_token_is(word, "for"))
        loop_for(p, s);
    else if (bly_token_is(word, "while"))
        loop_while(p, s);
    else
        loop_do(p, s);
}

static const struct keyword {
    const char *word;
    enum bly_statement_kind kind;
} keywords[] = {
    {"if", BLY_IF},         {"for", BLY_LOOP},    {"while", BLY_LOOP},        {"do", BLY_DO},
    {"switch", BLY_SWITCH}, {"break", BLY_BREAK}, {"continue", BLY_CONTINUE}, {"return", BLY_RETURN},
};

static const struct keyword *next_keyword(const struct bly_parser *p)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (bly_next_is(p, keywords[i].word)) return &keywords[i];
    return NULL;
}

static void keyword_statement(struct bly_parser *p, struct list *list, enum bly_statement_kind kind)
{
    const struct bly_token *word = p->token++;
    struct bly_statement *s = add(p, list, kind, word->place);
    switch (kind) {
    case BLY_IF: choose(p, s); break;
    case BLY_SWITCH: switch_over(p, s); break;
    case BLY_RETURN: leave_function(p, s); break;
    case BLY_BREAK:
    case BLY_CONTINUE: jump(p, s); break;
    default: loop(p, s, word);
    }
}

static void refuse_labels(struct bly_parser *p)
{
    const struct bly_token *token = p->token;
    if (is_label(p))
        bly_stop(p, token->place, "%.*s stands in the { } of a switch, and not deeper", BLY_SHOWN(token));
    if (bly_next_is(p, "else")) bly_stop(p, token->place, "else without an if");
    if (token->kind == BLY_TOKEN_NAME && bly_token_is(token + 1, ":"))
        bly_stop(p, token->place, "labels are not supported; write loops, break, continue and return");
    if (token->kind == BLY_TOKEN_NAME && token[1].kind == BLY_TOKEN_NAME && !next_keyword(p) &&
        !bly_begins_type(p, token))
        bly_stop_no_type(p);
}

static struct bly_statement *block(struct bly_parser *p)
{
    bly_scope_enter(p);
    struct bly_statement *s = bly_parse_body(p);
    bly_scope_leave(p);
    return s;
}

/* One statement of the code, which may be several of the tree. */
static void statement(struct bly_parser *p, struct list *list)
{
    const struct keyword *keyword = next_keyword(p);
    bly_parse_enter(p);
    refuse_labels(p);
    if (bly_next_is(p, "{"))
        append(list, block(p));
    else if (bly_next_is(p, ";"))
        add(p, list, BLY_EMPTY, (p->token++)->place);
    else if (keyword)
        keyword_statement(p, list, keyword->kind);
    else if (bly_begins_type(p, p->token))
        declaration(p, list);
    else {
        parts(p, list);
        bly_expect(p, ";");
    }
    bly_parse_leave(p);
}

struct bly_statement *bly_parse_body(struct bly_parser *p)
{
    struct list list = {0};
    struct bly_statement *block = new_statement(p, BLY_BLOCK, p->token->place);
    bly_expect(p, "{");
    while (!bly_accept(p, "}")) statement(p, &list);
    block->body = list.first;
    return block;
}

/* ---- Ends ---------------------------------------------------------------------------------------- */

/* Whether these statements have a break of the switch itself. */
static bool has_break(const struct bly_statement *s)
{
    for (; s; s = s->next) {
        if (s->kind == BLY_BREAK) return true;
        if (s->kind == BLY_BLOCK && has_break(s->body)) return true;
        if (s->kind == BLY_IF && (has_break(s->body) || has_break(s->otherwise))) return true;
    }
    return false;
}

/* With a default, and a last part that never ends, into which those before fall. */
static bool switch_never_ends(const struct bly_statement *first)
{
    bool has_default = false;
    const struct bly_statement *last = NULL;
    for (const struct bly_statement *s = first; s; s = s->next) {
        has_default |= s->kind == BLY_CASE && !s->labelled;
        last = s;
    }
    return has_default && bly_never_ends(last) && !has_break(first);
}

/* Loops end: those that might not are stopped. */
bool bly_never_ends(const struct bly_statement *s)
{
    if (s->kind == BLY_RETURN) return true;
    if (s->kind == BLY_IF) return s->otherwise && bly_never_ends(s->body) && bly_never_ends(s->otherwise);
    if (s->kind == BLY_SWITCH) return switch_never_ends(s->body->body);
    if (s->kind != BLY_BLOCK) return false;
    for (const struct bly_statement *inner = s->body; inner; inner = inner->next)
        if (bly_never_ends(inner)) return true;
    return false;
}
