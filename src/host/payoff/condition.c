/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The condition of an #if: integers of 64 bits, which wrap around; shifts are modulo 64. As in C, a name that
 * is not defined is 0, and what && || ?: leave out may divide by 0.
 */
#include "tokens.h"

#include <base/alloc.h>

#include <string.h>

struct value {
    uint64_t bits;
    bool is_unsigned;
};

struct condition {
    struct bly_expander *e;
    const struct bly_token *tokens;
    uint32_t at, count, depth;
    uint32_t skipped; /* what is read is not evaluated */
    bailey_status status;
};

static struct value of_int(int64_t number) { return (struct value){(uint64_t)number, false}; }

static const struct bly_token *here(const struct condition *c)
{
    return &c->tokens[c->at < c->count ? c->at : c->count - 1];
}

static struct value refuse_token(struct condition *c, const struct bly_token *token, const char *what)
{
    if (c->status == BAILEY_OK) c->status = bly_refuse_at(c->e->unit, token->place, what, BLY_SHOWN(token));
    return of_int(0);
}

static struct value refuse(struct condition *c, const char *what) { return refuse_token(c, here(c), what); }

static bool takes(struct condition *c, const char *sign)
{
    if (c->at == c->count || c->tokens[c->at].kind != BLY_TOKEN_SIGN ||
        !bly_token_is(&c->tokens[c->at], sign))
        return false;
    c->at++;
    return true;
}

static struct value conditional(struct condition *c);

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

static struct value number(struct condition *c)
{
    const struct bly_token *token = here(c);
    const char *p = token->text, *end = p + token->length;
    const bool zero = *p == '0' && token->length > 1, hex = zero && (p[1] == 'x' || p[1] == 'X');
    const int base = hex ? 16 : zero && digit_of(p[1]) < 10 ? 8 : 10;
    struct value value = of_int(0);
    p += hex ? 2 : 0;
    const char *first = p;
    for (; p < end && digit_of(*p) < base; p++) {
        if (value.bits > (UINT64_MAX - (uint64_t)digit_of(*p)) / (uint64_t)base)
            return refuse(c, "%.*s does not fit 64 bits");
        value.bits = value.bits * (uint64_t)base + (uint64_t)digit_of(*p);
    }
    value.is_unsigned = p < end && (*p == 'u' || *p == 'U');
    p += value.is_unsigned;
    if (p != end || first == end) return refuse(c, "%.*s is not an integer; #if needs integers");
    if (!value.is_unsigned && value.bits > INT64_MAX) return refuse(c, "%.*s does not fit int64; append u");
    c->at++;
    return value;
}

/* DIMS, STEPS and LEVELS where they are known; other names are 0. */
static struct value name(struct condition *c)
{
    const struct bly_unit *unit = c->e->unit;
    const struct bly_token *token = here(c);
    if (bly_token_is(token, "defined")) return refuse(c, "%.*s cannot come from a macro");
    if (!c->skipped && bly_token_is(token, "STEPS") && !bly_has_steps(unit->kind))
        return refuse(c, unit->kind == BLY_UNIT_LEVELS
                             ? "%.*s is not defined in estimator code, which serves all levels"
                             : "%.*s is not defined for a path of 2^LEVELS ticks");
    if (!c->skipped && bly_token_is(token, "LEVELS") && unit->kind != BLY_UNIT_MOTION)
        return refuse(c, "%.*s is not defined: only paths that are motions have levels");
    c->at++;
    if (bly_token_is(token, "DIMS")) return of_int(unit->dims);
    if (bly_token_is(token, "STEPS")) return of_int(unit->steps);
    if (bly_token_is(token, "LEVELS")) return of_int(unit->levels);
    return of_int(0);
}

static struct value primary(struct condition *c)
{
    if (c->at == c->count) return refuse(c, "this #if ends after %.*s, where a number is missing");
    if (here(c)->kind == BLY_TOKEN_NUMBER) return number(c);
    if (here(c)->kind == BLY_TOKEN_NAME) return name(c);
    if (!takes(c, "(")) return refuse(c, "%.*s found instead of a number");
    const struct value value = conditional(c);
    if (c->status == BAILEY_OK && !takes(c, ")")) return refuse(c, "a ) is missing at %.*s");
    return value;
}

static struct value unary(struct condition *c)
{
    if (c->status != BAILEY_OK) return of_int(0);
    if (c->depth == BLY_MOST_DEPTH) return refuse(c, "too many nested brackets and signs at %.*s");
    c->depth++;
    struct value value;
    if (takes(c, "-"))
        value = unary(c), value.bits = 0 - value.bits;
    else if (takes(c, "~"))
        value = unary(c), value.bits = ~value.bits;
    else if (takes(c, "!"))
        value = of_int(unary(c).bits == 0);
    else if (takes(c, "+"))
        value = unary(c);
    else
        value = primary(c);
    c->depth--;
    return value;
}

/* In the order in which they bind, `||` the least. Those of two characters come before their first one. */
static const struct {
    const char *sign;
    int level;
} operators[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
                 {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"<", 7},
                 {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static int find_operator(const struct condition *c, int level)
{
    if (c->at == c->count || c->status != BAILEY_OK || here(c)->kind != BLY_TOKEN_SIGN) return -1;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (bly_token_is(here(c), operators[i].sign)) return operators[i].level >= level ? (int)i : -1;
    return -1;
}

static struct value divide(struct condition *c, const struct bly_token *sign, struct value a, struct value b)
{
    const bool remainder = *sign->text == '%', is_unsigned = a.is_unsigned || b.is_unsigned;
    if (b.bits == 0) return c->skipped ? of_int(0) : refuse_token(c, sign, "this %.*s divides by 0");
    if (is_unsigned) return (struct value){remainder ? a.bits % b.bits : a.bits / b.bits, true};
    if (b.bits == UINT64_MAX) return (struct value){remainder ? 0 : 0 - a.bits, false};
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return of_int(remainder ? x % y : x / y);
}

static bool is_less(struct value a, struct value b)
{
    return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static struct value shift(struct value a, struct value b, bool right)
{
    const unsigned count = b.bits & 63;
    if (!right) return (struct value){a.bits << count, a.is_unsigned};
    const uint64_t sign = !a.is_unsigned && (int64_t)a.bits < 0 ? UINT64_MAX : 0;
    return (struct value){count ? a.bits >> count | sign << (64 - count) : a.bits, a.is_unsigned};
}

/* `sign` is what the token has, ended by 0. */
static struct value apply(struct condition *c, const struct bly_token *token, const char *sign,
                          struct value a, struct value b)
{
    const bool both = a.is_unsigned || b.is_unsigned;
    switch (*sign) {
    case '|': return sign[1] ? of_int(a.bits || b.bits) : (struct value){a.bits | b.bits, both};
    case '&': return sign[1] ? of_int(a.bits && b.bits) : (struct value){a.bits & b.bits, both};
    case '^': return (struct value){a.bits ^ b.bits, both};
    case '=': return of_int(a.bits == b.bits);
    case '!': return of_int(a.bits != b.bits);
    case '<': return sign[1] == '<' ? shift(a, b, false) : of_int(sign[1] ? !is_less(b, a) : is_less(a, b));
    case '>': return sign[1] == '>' ? shift(a, b, true) : of_int(sign[1] ? !is_less(a, b) : is_less(b, a));
    case '+': return (struct value){a.bits + b.bits, both};
    case '-': return (struct value){a.bits - b.bits, both};
    case '*': return (struct value){a.bits * b.bits, both};
    default: return divide(c, token, a, b);
    }
}

/* Operators that bind at least as `level`. */
static struct value binary(struct condition *c, int level)
{
    struct value a = unary(c);
    for (int i; (i = find_operator(c, level)) >= 0;) {
        const char *sign = operators[i].sign;
        const bool skips =
            (operators[i].level == 1 && a.bits != 0) || (operators[i].level == 2 && a.bits == 0);
        const struct bly_token *token = &c->tokens[c->at++];
        c->skipped += skips;
        const struct value b = binary(c, operators[i].level + 1);
        a = apply(c, token, sign, a, b);
        c->skipped -= skips;
    }
    return a;
}

static struct value conditional(struct condition *c)
{
    const struct value which = binary(c, 1);
    if (!takes(c, "?")) return which;
    if (c->depth == BLY_MOST_DEPTH) return refuse(c, "too many nested ? at %.*s");
    c->depth++;
    c->skipped += which.bits == 0;
    struct value a = conditional(c);
    c->skipped -= which.bits == 0;
    if (c->status == BAILEY_OK && !takes(c, ":")) return refuse(c, "the : of a ? is missing at %.*s");
    c->skipped += which.bits != 0;
    struct value b = conditional(c);
    c->skipped -= which.bits != 0;
    c->depth--;
    a.is_unsigned = b.is_unsigned = a.is_unsigned || b.is_unsigned;
    return which.bits ? a : b;
}

bool bly_is_defined(const struct bly_expander *e, const struct bly_token *token)
{
    const enum bly_unit_kind kind = e->unit->kind;
    return e->macros[token->name] || bly_token_is(token, "DIMS") ||
           (bly_has_steps(kind) && bly_token_is(token, "STEPS")) ||
           (kind == BLY_UNIT_MOTION && bly_token_is(token, "LEVELS"));
}

/* Copies the token at *k, with defined(NAME) and defined NAME as 1 or 0. */
static bailey_status resolve(struct bly_expander *e, const struct bly_token *tokens, uint32_t count,
                             uint32_t *k, struct bly_list *list)
{
    struct bly_token token = tokens[(*k)++];
    if (token.kind == BLY_TOKEN_NAME && bly_token_is(&token, "defined")) {
        const bool bracket = *k < count && bly_token_is(&tokens[*k], "(");
        const uint32_t name = *k + bracket;
        if (name >= count || tokens[name].kind != BLY_TOKEN_NAME ||
            (bracket && (name + 1 >= count || !bly_token_is(&tokens[name + 1], ")"))))
            return bly_refuse_at(e->unit, token.place, "write defined(NAME)");
        *k = name + 1 + bracket;
        token.kind = BLY_TOKEN_NUMBER;
        token.text = bly_is_defined(e, &tokens[name]) ? "1" : "0";
        token.length = 1;
        token.name = 0;
    }
    return bly_keep(e, list, &token);
}

static bailey_status evaluate(struct bly_expander *e, const struct bly_list *list,
                              const struct bly_token *first, int64_t *value)
{
    struct condition c = {.e = e, .tokens = list->tokens, .count = list->count};
    if (list->count == 0) return bly_refuse_at(e->unit, first->place, "this is empty after macro expansion");
    *value = (int64_t)conditional(&c).bits;
    if (c.status == BAILEY_OK && c.at < c.count) refuse(&c, "%.*s found instead of an operator");
    return c.status;
}

bailey_status bly_condition(struct bly_expander *e, const struct bly_token *tokens, uint32_t count,
                            int64_t *value)
{
    struct bly_list resolved = {0}, expanded = {0};
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < count && status == BAILEY_OK;) status = resolve(e, tokens, count, &k, &resolved);
    if (status == BAILEY_OK) status = bly_expand_tokens(e, resolved.tokens, resolved.count, &expanded);
    if (status == BAILEY_OK) status = evaluate(e, &expanded, tokens, value);
    bly_release(e, &resolved);
    bly_release(e, &expanded);
    return status;
}
