/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From a unit to its description. The parts that are read lie in the unit's arena, and are packed in the end
 * into one block that outlives the unit.
 */
#include "comments.h"

#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool bly_interval_has(const bailey_interval *i, double value)
{
    return (i->low_open ? value > i->low : value >= i->low) &&
           (i->high_open ? value < i->high : value <= i->high);
}

/* A description that is being read. */
struct work {
    struct bly_unit *unit;
    struct bly_head head;
    struct bly_remarks *remarks; /* [count] */
    bailey_parameter *parameters;
    uint32_t count;
    struct bly_check checks[BLY_MOST_CHECKS];
    const char *check_texts[BLY_MOST_CHECKS];
};

/* ---- Parameters ---------------------------------------------------------------------------------- */

static const struct bly_type *element_of(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_ARRAY ? type->of : type;
}

static bool is_number(const struct bly_type *type)
{
    return type->kind >= BLY_TYPE_REAL && type->kind <= BLY_TYPE_UINT64;
}

static uint32_t count_parameters(const struct bly_unit *unit)
{
    uint32_t count = 0;
    const struct bly_field_node *f = unit->params ? unit->params->fields : NULL;
    for (; f; f = f->next) count += is_number(element_of(f->type));
    return count;
}

static bool is_before(struct bly_place a, struct bly_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* The first token that is not before a place. */
static uint32_t token_at(const struct bly_unit *unit, struct bly_place place)
{
    uint32_t low = 0, high = unit->token_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (is_before(unit->tokens[middle].place, place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_sign(const struct bly_unit *unit, uint32_t token, char sign)
{
    return token < unit->token_count && unit->tokens[token].length == 1 && *unit->tokens[token].text == sign;
}

/* The size of an array as it is written, behind its name: "2 * DIMS". NULL without memory. */
static const char *size_text(struct bly_unit *unit, const struct bly_field_node *field)
{
    if (field->type->kind != BLY_TYPE_ARRAY) return "";
    uint32_t from = token_at(unit, field->place);
    while (from < unit->token_count && !is_sign(unit, from, '[') && !is_sign(unit, from, ';')) from++;
    uint32_t to = ++from;
    size_t length = 0;
    for (; to < unit->token_count && !is_sign(unit, to, ']'); to++) length += unit->tokens[to].length + 1u;
    char *text = bly_arena_take(&unit->arena, length + 1);
    size_t used = 0;
    for (uint32_t t = from; text && t < to; t++) {
        if (t > from && unit->tokens[t].spaced) text[used++] = ' ';
        memcpy(text + used, unit->tokens[t].text, unit->tokens[t].length);
        used += unit->tokens[t].length;
    }
    return text;
}

static bailey_parameter_type type_of(enum bly_type_kind kind)
{
    return kind == BLY_TYPE_INT      ? BAILEY_PARAMETER_TYPE_INT
           : kind == BLY_TYPE_UINT32 ? BAILEY_PARAMETER_TYPE_UINT32
           : kind == BLY_TYPE_INT64  ? BAILEY_PARAMETER_TYPE_INT64
           : kind == BLY_TYPE_UINT64 ? BAILEY_PARAMETER_TYPE_UINT64
                                     : BAILEY_PARAMETER_TYPE_REAL;
}

static bailey_status list_parameters(struct work *w)
{
    struct bly_unit *unit = w->unit;
    static const bailey_interval all = {-INFINITY, INFINITY, 0, 0};
    w->count = count_parameters(unit);
    if (!w->count) return BAILEY_OK;
    w->remarks = bly_arena_take(&unit->arena, w->count * sizeof *w->remarks);
    w->parameters = bly_arena_take(&unit->arena, w->count * sizeof *w->parameters);
    if (!w->remarks || !w->parameters) return bly_no_memory(unit);
    uint32_t i = 0;
    for (const struct bly_field_node *f = unit->params->fields; f; f = f->next) {
        if (!is_number(element_of(f->type))) continue;
        const char *size = size_text(unit, f);
        if (!size) return bly_no_memory(unit);
        w->parameters[i] = (bailey_parameter){.name = f->name,
                                              .summary = "",
                                              .unit = "",
                                              .type = type_of(element_of(f->type)->kind),
                                              .line = f->place.line,
                                              .count = f->type->kind == BLY_TYPE_ARRAY ? f->type->count : 1,
                                              .size = size,
                                              .range = all,
                                              .usual = all,
                                              .default_code = ""};
        w->remarks[i] =
            (struct bly_remarks){.parameter = &w->parameters[i],
                                 .field = f,
                                 .default_of = BLY_NO_PARAMETER,
                                 .differentiable = all};
        i++;
    }
    return BAILEY_OK;
}

/* ---- Comments behind parameters ------------------------------------------------------------------ */

/* The parameters that stand before the comment on its line, behind the comment before. */
static uint32_t described(const struct work *w, uint32_t comment, uint32_t *first)
{
    const struct bly_comment *c = &w->unit->comments[comment];
    const struct bly_place nowhere = {0, 0}, after = comment ? w->unit->comments[comment - 1].end : nowhere;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct bly_place place = w->remarks[i].field->place;
        if (place.line != c->place.line || !is_before(place, c->place) || is_before(place, after)) continue;
        if (w->unit->around && strncmp(w->parameters[i].name, "bailey_", 7) == 0) continue; /* not of the code */
        if (!count++) *first = i;
    }
    return count;
}

/* Whether a comment stands among the parameters. */
static bool is_among(const struct work *w, const struct bly_comment *c)
{
    if (!w->count || is_before(c->place, w->remarks[0].field->place)) return false;
    uint32_t end = token_at(w->unit, w->remarks[w->count - 1].field->place);
    while (end < w->unit->token_count && !is_sign(w->unit, end, '}')) end++;
    return end < w->unit->token_count && is_before(c->place, w->unit->tokens[end].place);
}

static bailey_status read_comment(struct work *w, uint32_t comment)
{
    const struct bly_comment *c = &w->unit->comments[comment];
    const char *end = c->text + c->length, *bracket = bly_bracket_find(c->text, end);
    uint32_t first = 0;
    const uint32_t count = described(w, comment, &first);
    if (!count && bracket && is_among(w, c))
        return bly_refuse_at(w->unit, bly_place_in(c, bracket),
                             "this comment describes no parameter; put it after one, on the same line");
    if (!count) return BAILEY_OK;
    const char *summary = bly_prose(w->unit, c->text, bracket ? bracket : end);
    if (!summary) return bly_no_memory(w->unit);
    for (uint32_t i = first; i < first + count; i++) w->parameters[i].summary = summary;
    return bracket ? bly_remarks_read(w->unit, c, bracket, w->remarks, w->count, first, count) : BAILEY_OK;
}

static bool is_choice(const bailey_parameter *p, double value)
{
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].value == value) return true;
    return p->choice_count == 0;
}

static bailey_status check_number(const struct work *w, const struct bly_remarks *m, double value)
{
    const bailey_parameter *p = m->parameter;
    const struct bly_place place = m->default_place.line ? m->default_place : m->field->place;
    if (p->type != BAILEY_PARAMETER_TYPE_REAL && value != floor(value))
        return bly_refuse_at(w->unit, place, "%s is an integer, but %g is not", p->name, value);
    if (!bly_interval_has(&p->range, value))
        return bly_refuse_at(w->unit, place, "%g is outside the range of %s", value, p->name);
    return BAILEY_OK;
}

/* Follows defaults that are parameters, to one that is not. */
static bailey_status check_default_of(const struct work *w, const struct bly_remarks *m)
{
    const struct bly_remarks *other = m;
    if (m->default_of == BLY_NO_PARAMETER) return BAILEY_OK; /* of a product's model */
    for (uint32_t i = 0; i <= w->count && other->default_of != BLY_NO_PARAMETER; i++) {
        other = &w->remarks[other->default_of];
        if (i == w->count || other == m)
            return bly_refuse_at(w->unit, m->default_place, "the default of %s is %s itself",
                                 m->parameter->name, m->parameter->name);
    }
    other = &w->remarks[m->default_of];
    if (other->parameter->count == 1 || other->parameter->count == m->parameter->count) return BAILEY_OK;
    return bly_refuse_at(w->unit, m->default_place, "%s has %llu elements, but %s has %llu",
                         m->parameter->name, (unsigned long long)m->parameter->count, other->parameter->name,
                         (unsigned long long)other->parameter->count);
}

static bailey_status check_parameter(const struct work *w, const struct bly_remarks *m)
{
    const bailey_parameter *p = m->parameter;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < p->choice_count && status == BAILEY_OK; i++) {
        status = check_number(w, m, p->choices[i].value);
        for (uint32_t j = 0; j < i && status == BAILEY_OK; j++)
            if (p->choices[i].value == p->choices[j].value)
                status = bly_refuse_at(w->unit, m->field->place, "%s has the choice %g twice", p->name,
                                       p->choices[i].value);
    }
    if (status != BAILEY_OK || p->default_kind == BAILEY_DEFAULT_KIND_NONE) return status;
    if (p->default_kind == BAILEY_DEFAULT_KIND_PARAMETER) return check_default_of(w, m);
    status = check_number(w, m, p->default_value);
    if (status != BAILEY_OK || is_choice(p, p->default_value)) return status;
    return bly_refuse_at(w->unit, m->default_place, "%g is not a choice of %s", p->default_value, p->name);
}

static bailey_status read_parameters(struct work *w)
{
    bailey_status status = list_parameters(w);
    for (uint32_t i = 0; i < w->unit->comment_count && status == BAILEY_OK; i++) status = read_comment(w, i);
    for (uint32_t i = 0; i < w->count && status == BAILEY_OK; i++)
        status = check_parameter(w, &w->remarks[i]);
    return status;
}

/* ---- Words for ranges ---------------------------------------------------------------------------- */

/* The usual range of a role, where the code does not give one. */
static void find_usual(bailey_parameter *p)
{
    const bailey_interval share = {-1, 1, 1, 1}, correlation = {-1, 1, 0, 0},
                          volatility = {-INFINITY, 2, 0, 1}, variance = {-INFINITY, 4, 0, 1};
    if (!isinf(p->usual.low) || !isinf(p->usual.high)) return;
    if (p->role == BAILEY_ROLE_RATE || p->role == BAILEY_ROLE_DIVIDEND) p->usual = share;
    if (p->role == BAILEY_ROLE_CORRELATION) p->usual = correlation;
    if (p->role == BAILEY_ROLE_VOLATILITY) p->usual = volatility;
    if (p->role == BAILEY_ROLE_VARIANCE) p->usual = variance;
}

static size_t add(char *text, size_t size, size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bly_format(text + used, size - used, format, arguments);
    va_end(arguments);
    return used + strlen(text + used);
}

static void write_interval(const bailey_interval *i, char *text, size_t size)
{
    if (isinf(i->low) && isinf(i->high))
        *text = 0;
    else if (isinf(i->high))
        add(text, size, 0,
            i->low == 0   ? i->low_open ? "positive" : "0 or more"
            : i->low_open ? "above %g"
                          : "%g or more",
            i->low);
    else if (isinf(i->low))
        add(text, size, 0, i->high_open ? "below %g" : "at most %g", i->high);
    else
        add(text, size, 0, "in %c%g, %g%c", i->low_open ? '(' : '[', i->low, i->high,
            i->high_open ? ')' : ']');
}

static void write_choices(const bailey_parameter *p, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < p->choice_count; i++) {
        used = add(text, size, used, "%s%g",
                   i == 0                    ? ""
                   : i + 1 < p->choice_count ? ", "
                                             : " or ",
                   p->choices[i].value);
        if (*p->choices[i].name) used = add(text, size, used, " (%s)", p->choices[i].name);
    }
}

static bailey_status write_ranges(struct work *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        bailey_parameter *p = &w->parameters[i];
        char range[500] = "", usual[100] = "";
        find_usual(p);
        if (p->choice_count)
            write_choices(p, range, sizeof range);
        else
            write_interval(&p->range, range, sizeof range);
        write_interval(&p->usual, usual, sizeof usual);
        p->range_words = bly_arena_text(&w->unit->arena, range, strlen(range));
        p->usual_words = bly_arena_text(&w->unit->arena, usual, strlen(usual));
        if (!p->range_words || !p->usual_words) return bly_no_memory(w->unit);
    }
    return BAILEY_OK;
}

/* ---- The head comment ---------------------------------------------------------------------------- */

#define SHOWN(r) (int)((r)->length < 60 ? (r)->length : 60), (r)->text

static uint32_t find_parameter(const struct work *w, const struct bly_reader *r)
{
    for (uint32_t i = 0; i < w->count && r->kind == BLY_REMARK_WORD; i++)
        if (bly_reader_is(r, w->parameters[i].name)) return i;
    return BLY_NO_PARAMETER;
}

static struct bly_operand number_of(double number)
{
    return (struct bly_operand){.parameter = BLY_NO_PARAMETER, .number = number};
}

/* volatility, correlation[0], 0.5 or LAST */
static bailey_status read_operand(const struct work *w, struct bly_reader *r, struct bly_operand *o)
{
    *o = number_of(r->number);
    o->element = BLY_EACH_ELEMENT;
    o->parameter = bly_reader_is(r, "LAST") ? BLY_LAST_DATE : find_parameter(w, r);
    if (o->parameter == BLY_NO_PARAMETER && r->kind != BLY_REMARK_NUMBER)
        return bly_reader_refuse(r, "%.*s is neither a parameter nor a number nor LAST", SHOWN(r));
    bly_reader_next(r);
    if (o->parameter >= w->count || !bly_reader_takes(r, "[")) return BAILEY_OK;
    const uint32_t most = w->parameters[o->parameter].count;
    if (r->kind != BLY_REMARK_NUMBER || !(r->number >= 0 && r->number < most) || r->number != (uint32_t)r->number)
        return bly_reader_refuse(r, "%.*s is not the number of an element", SHOWN(r));
    o->element = (uint32_t)r->number;
    bly_reader_next(r);
    return bly_reader_takes(r, "]") ? BAILEY_OK : bly_reader_refuse(r, "%.*s found instead of ]", SHOWN(r));
}

static bailey_status read_product(const struct work *w, struct bly_reader *r, struct bly_operand product[2])
{
    const bailey_status status = read_operand(w, r, &product[0]);
    product[1] = number_of(1);
    return status == BAILEY_OK && bly_reader_takes(r, "*") ? read_operand(w, r, &product[1]) : status;
}

static bailey_status read_term(const struct work *w, struct bly_reader *r, struct bly_term *term)
{
    static const char *const signs[] = {">", ">=", "<", "<=", "==", "!="}; /* enum bly_comparison */
    uint32_t sign = 0;
    if (find_parameter(w, r) == BLY_NO_PARAMETER) return bly_reader_refuse(r, "%.*s is not a parameter", SHOWN(r));
    term->left[1][0] = term->left[1][1] = term->right = number_of(0);
    bailey_status status = read_product(w, r, term->left[0]);
    if (status == BAILEY_OK && bly_reader_takes(r, "+")) status = read_product(w, r, term->left[1]);
    if (status != BAILEY_OK) return status;
    term->comparison = BLY_INCREASES;
    if (bly_reader_takes(r, "increases")) return BAILEY_OK;
    while (sign < 6 && !bly_reader_is(r, signs[sign])) sign++;
    if (sign == 6) return bly_reader_refuse(r, "%.*s is not one of > >= < <= == != and increases", SHOWN(r));
    term->comparison = (enum bly_comparison)sign;
    bly_reader_next(r);
    return read_operand(w, r, &term->right);
}

/* past_count > 0 or past_average == 0: past_average needs past_count */
static bailey_status read_check(struct work *w, uint32_t number)
{
    struct bly_reader *r = &w->head.checks[number];
    const char *from = r->text;
    struct bly_term *terms = bly_arena_take(&w->unit->arena, BLY_MOST_TERMS * sizeof *terms);
    uint32_t count = 0;
    if (!terms) return bly_no_memory(w->unit);
    do {
        if (count == BLY_MOST_TERMS) return bly_reader_refuse(r, "a check has more than %u parts", BLY_MOST_TERMS);
        const bailey_status status = read_term(w, r, &terms[count++]);
        if (status != BAILEY_OK) return status;
    } while (bly_reader_takes(r, "or"));
    const char *to = r->text;
    if (r->kind != BLY_REMARK_END && !bly_reader_is(r, ":"))
        return bly_reader_refuse(
            r, "%.*s: join the parts of a check with or, and give the reason after a colon", SHOWN(r));
    const char *words = bly_prose(w->unit, r->at, r->end);
    w->check_texts[number] = bly_prose(w->unit, from, to);
    if (!words || !w->check_texts[number]) return bly_no_memory(w->unit);
    w->checks[number] = (struct bly_check){words, terms, count};
    return BAILEY_OK;
}

static bailey_status check_outputs(const struct work *w)
{
    for (uint32_t o = 0; o < BAILEY_SIMULATION_MAX_OUTPUTS; o++) {
        const struct bly_head_output *output = &w->head.outputs[o];
        if (output->place.line && o >= w->unit->outputs && !w->unit->around)
            return bly_refuse_at(w->unit, output->place, "out[%u] is described, but there %s %u output%s", o,
                                 w->unit->outputs == 1 ? "is" : "are", w->unit->outputs,
                                 w->unit->outputs == 1 ? "" : "s");
        for (uint32_t i = 0; i < o && output->place.line && *output->name; i++)
            if (w->head.outputs[i].name && strcmp(w->head.outputs[i].name, output->name) == 0)
                return bly_refuse_at(w->unit, output->place, "out[%u] is called %s too", i, output->name);
    }
    return BAILEY_OK;
}

/* An array of the only asset that a payoff is on is a number to its users. */
static void take_one_asset(struct work *w)
{
    if (w->unit->kind != BLY_UNIT_PAYOFF || bly_fixed_dims(&w->head.needs) != 1) return;
    for (uint32_t i = 0; i < w->count; i++)
        if (strcmp(w->parameters[i].size, "DIMS") == 0) w->parameters[i].size = "";
}

static bailey_status read_head(struct work *w)
{
    bailey_status status = bly_head_read(w->unit, &w->head);
    if (status == BAILEY_OK) take_one_asset(w);
    for (uint32_t i = 0; i < w->head.check_count && status == BAILEY_OK; i++) status = read_check(w, i);
    const struct bly_reader *coarser = &w->head.coarser;
    if (status == BAILEY_OK && coarser->kind == BLY_REMARK_WORD) {
        const uint32_t found = find_parameter(w, coarser);
        if (found == BLY_NO_PARAMETER)
            return bly_reader_refuse(coarser, "%.*s is not a parameter; write steps, or one", SHOWN(coarser));
        w->head.needs.coarser = w->parameters[found].name;
    }
    return status == BAILEY_OK ? check_outputs(w) : status;
}

/* ---- Packing ------------------------------------------------------------------------------------- */

/* A block that is counted first, without memory, and then written. */
struct pack {
    unsigned char *block;
    size_t used;
};

static void *place(struct pack *p, const void *from, size_t bytes)
{
    const size_t at = (p->used + 15) / 16 * 16;
    p->used = at + bytes;
    if (!p->block) return NULL;
    if (bytes) memcpy(p->block + at, from, bytes);
    return p->block + at;
}

static const char *place_text(struct pack *p, const char *text)
{
    return place(p, text ? text : "", text ? strlen(text) + 1 : 1);
}

static const bailey_parameter *place_parameters(struct pack *p, const bailey_description *d)
{
    bailey_parameter *all = place(p, d->parameters, d->parameter_count * sizeof *all);
    for (uint32_t i = 0; i < d->parameter_count; i++) {
        bailey_parameter q = d->parameters[i];
        q.name = place_text(p, q.name);
        q.summary = place_text(p, q.summary);
        q.unit = place_text(p, q.unit);
        q.size = place_text(p, q.size);
        q.default_code = place_text(p, q.default_code);
        q.range_words = place_text(p, q.range_words);
        q.usual_words = place_text(p, q.usual_words);
        bailey_choice *choices = place(p, q.choices, q.choice_count * sizeof *choices);
        for (uint32_t c = 0; c < q.choice_count; c++) {
            const char *name = place_text(p, q.choices[c].name);
            if (choices) choices[c].name = name;
        }
        q.choices = choices;
        if (all) all[i] = q;
    }
    return all;
}

static const bailey_payoff_output *place_outputs(struct pack *p, const bailey_description *d)
{
    bailey_payoff_output *all = place(p, d->outputs, d->output_count * sizeof *all);
    for (uint32_t i = 0; i < d->output_count; i++) {
        const char *name = place_text(p, d->outputs[i].name), *summary = place_text(p, d->outputs[i].summary);
        if (all) all[i].name = name, all[i].summary = summary;
    }
    return all;
}

static const bailey_payoff_example *place_examples(struct pack *p, const bailey_description *d)
{
    bailey_payoff_example *all = place(p, d->examples, d->example_count * sizeof *all);
    for (uint32_t i = 0; i < d->example_count; i++) {
        const char *options = place_text(p, d->examples[i].options),
                   *summary = place_text(p, d->examples[i].summary);
        if (all) all[i].options = options, all[i].summary = summary;
    }
    return all;
}

static const char *const *place_texts(struct pack *p, const char *const *texts, uint32_t count)
{
    const char **all = place(p, texts, count * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = place_text(p, texts[i]);
        if (all) all[i] = text;
    }
    return all;
}

static const struct bly_check *place_checks(struct pack *p, const struct bly_description *from)
{
    struct bly_check *all = place(p, from->checks, from->d.check_count * sizeof *all);
    for (uint32_t i = 0; i < from->d.check_count; i++) {
        const struct bly_check *c = &from->checks[i];
        const char *words = place_text(p, c->words);
        const struct bly_term *terms = place(p, c->terms, c->term_count * sizeof *terms);
        if (all) all[i] = (struct bly_check){words, terms, c->term_count};
    }
    return all;
}

static void write_pack(struct pack *p, const struct bly_description *from)
{
    struct bly_description *to = place(p, from, sizeof *from), d = *from;
    d.d.name = place_text(p, d.d.name);
    d.d.summary = place_text(p, d.d.summary);
    d.d.details = place_text(p, d.d.details);
    d.d.source = place_text(p, d.d.source);
    d.d.code = place_text(p, d.d.code);
    d.d.model = place_text(p, d.d.model);
    d.d.path.coarser = place_text(p, d.d.path.coarser);
    d.d.parameters = place_parameters(p, &from->d);
    d.d.outputs = place_outputs(p, &from->d);
    d.d.examples = place_examples(p, &from->d);
    d.d.checks = place_texts(p, from->d.checks, from->d.check_count);
    d.default_of = place(p, from->default_of, from->d.parameter_count * sizeof *d.default_of);
    d.checks = place_checks(p, from);
    d.differentiable =
        place(p, from->differentiable, from->d.parameter_count * sizeof *d.differentiable);
    if (to) *to = d;
}

bailey_status bly_description_copy(const struct bly_description *from, struct bly_description **to)
{
    struct pack pack = {0};
    write_pack(&pack, from);
    pack.block = bly_alloc(pack.used, 1);
    if (!pack.block) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a description");
    pack.used = 0;
    write_pack(&pack, from);
    *to = (struct bly_description *)(void *)pack.block;
    return BAILEY_OK;
}

void bly_description_free(struct bly_description *description) { bly_free(description); }

void bailey_description_destroy(bailey_description *description)
{
    bly_free(description); /* the first member of the block */
}

/* ---- All of it ----------------------------------------------------------------------------------- */

/* Where code around the payoff ends paths early, what the payoff says of its outputs and of coarser steps is
 * not true any more. */
static void forget(struct work *w)
{
    w->head.needs.coarser_steps = 0;
    w->head.needs.coarser = "";
    for (uint32_t o = 0; o < BAILEY_SIMULATION_MAX_OUTPUTS; o++) {
        w->head.outputs[o].control = w->head.outputs[o].likelihood = 0;
        w->head.outputs[o].closed_form = BAILEY_CLOSED_FORM_NONE;
    }
}

static bailey_status keep(struct work *w, struct bly_description **out)
{
    bailey_payoff_output *outputs = bly_arena_take(&w->unit->arena, (w->unit->outputs + 1) * sizeof *outputs);
    uint32_t *default_of = bly_arena_take(&w->unit->arena, (w->count + 1) * sizeof *default_of);
    bailey_interval *differentiable =
        bly_arena_take(&w->unit->arena, (w->count + 1) * sizeof *differentiable);
    if (!default_of || !outputs || !differentiable) return bly_no_memory(w->unit);
    for (uint32_t i = 0; i < w->count; i++) {
        default_of[i] = w->remarks[i].default_of;
        differentiable[i] = w->remarks[i].differentiable;
    }
    for (uint32_t o = 0; o < w->unit->outputs; o++) {
        static const struct bly_head_output not_described;
        const struct bly_head_output *of =
            o < BAILEY_SIMULATION_MAX_OUTPUTS ? &w->head.outputs[o] : &not_described;
        outputs[o] = (bailey_payoff_output){.name = of->name,
                                            .summary = of->summary,
                                            .control = of->control,
                                            .likelihood = of->likelihood,
                                            .closed_form = of->closed_form};
    }
    const struct bly_description d = {.d = {.name = *w->head.name ? w->head.name : w->unit->name,
                                            .summary = w->head.summary,
                                            .details = w->head.details,
                                            .source = w->head.source,
                                            .code = w->unit->code,
                                            .path = w->head.needs,
                                            .parameters = w->parameters,
                                            .parameter_count = w->count,
                                            .outputs = outputs,
                                            .output_count = w->unit->outputs,
                                            .checks = w->check_texts,
                                            .check_count = w->head.check_count,
                                            .has_head = w->head.comment != NULL,
                                            .examples = w->head.examples,
                                            .example_count = w->head.example_count,
                                            .kind = w->head.kind,
                                            .model = w->head.model,
                                            .step = w->head.step,
                                            .exercises = w->unit->exercise != NULL},
                                      .default_of = default_of,
                                      .checks = w->checks,
                                      .differentiable = differentiable};
    return bly_description_copy(&d, out);
}

bailey_status bly_describe(struct bly_unit *unit, struct bly_description **out)
{
    struct work w = {.unit = unit};
    *out = NULL;
    bailey_status status = read_parameters(&w);
    if (status == BAILEY_OK) status = write_ranges(&w);
    if (status == BAILEY_OK) status = read_head(&w);
    if (status == BAILEY_OK && unit->around) forget(&w);
    return status == BAILEY_OK ? keep(&w, out) : status;
}

static bailey_status read_head_of_code(bool levels, const char *code, const char *name,
                                       bailey_path_needs *needs, struct bly_code_kind *kind)
{
    struct bly_unit unit = {.kind = levels ? BLY_UNIT_LEVELS : BLY_UNIT_PAYOFF,
                            .code = code,
                            .length = strlen(code),
                            .argument = levels ? "estimator" : "payoff"};
    struct bly_head head;
    bly_unit_name(&unit, name);
    bailey_status status = bly_tokens_read(&unit);
    if (status == BAILEY_OK) status = bly_head_read(&unit, &head);
    if (status == BAILEY_OK) {
        *needs = head.needs;
        *kind = (struct bly_code_kind){.kind = head.kind, .step = head.step};
        snprintf(kind->name, sizeof kind->name, "%s", head.name);
        snprintf(kind->model, sizeof kind->model, "%s", head.model);
    }
    bly_unit_free(&unit);
    return status;
}

bailey_status bly_needs_of_code(bool levels, const char *code, const char *name, bailey_path_needs *needs)
{
    struct bly_code_kind kind;
    return read_head_of_code(levels, code, name, needs, &kind);
}

bailey_status bly_kind_of_code(const char *code, const char *name, bailey_path_needs *needs,
                               struct bly_code_kind *kind)
{
    return read_head_of_code(false, code, name, needs, kind);
}

static uint64_t first_of(uint64_t a, uint64_t b, uint64_t c) { return a ? a : b ? b : c; }

bailey_status bly_describe_code(bool levels, const char *code, const char *name,
                                const bailey_describe_params *params, struct bly_description **out)
{
    const bailey_describe_params none = {0}, *sizes = params ? params : &none;
    bailey_path_needs needs = {0};
    *out = NULL;
    struct bly_code_kind kind;
    bailey_status status = read_head_of_code(levels, code, name, &needs, &kind);
    if (status != BAILEY_OK) return status;
    struct bly_unit unit = {.kind = levels                                    ? BLY_UNIT_LEVELS
                                    : kind.kind == BAILEY_PAYOFF_KIND_MODEL   ? BLY_UNIT_MODEL
                                    : kind.kind == BAILEY_PAYOFF_KIND_PRODUCT ? BLY_UNIT_PRODUCT
                                                                              : BLY_UNIT_PAYOFF,
                            .precision = sizes->precision,
                            .dims = (uint32_t)first_of(sizes->dims, needs.dims_least, 1),
                            .steps = (uint32_t)first_of(sizes->steps, needs.steps, 1),
                            .code = code,
                            .length = strlen(code),
                            .argument = levels ? "estimator" : "payoff"};
    unit.own = bly_own_dims(&needs, unit.dims);
    if (!levels && (sizes->motion_depth || needs.kind == BAILEY_PATH_KIND_MOTION)) {
        unit.kind = BLY_UNIT_MOTION;
        unit.levels = (uint32_t)first_of(sizes->motion_depth, needs.motion_depth, 20);
    }
    bly_unit_name(&unit, name);
    status = bly_tokens_read(&unit);
    if (status == BAILEY_OK) status = bly_macros_expand(&unit);
    if (status == BAILEY_OK) status = bly_unit_parse(&unit);
    if (status == BAILEY_OK) status = bly_describe(&unit, out);
    bly_unit_free(&unit);
    return status;
}
