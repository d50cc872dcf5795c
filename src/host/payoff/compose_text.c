/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code of a payoff that a model and a product make: the tokens of all parts as they stand in their files,
 * with the names that compose.c found, between a head comment and functions that call those of the parts.
 */
#include "check.h"
#include "compose.h"
#include "tokens.h"

#include <base/text.h>

#include <stdio.h>
#include <string.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)
#define WIDTH 100u

/* ---- The head comment ---------------------------------------------------------------------------- */

/* A paragraph, in lines. */
static void write_prose(struct bly_text *text, const char *prose)
{
    size_t column = 0;
    for (const char *word = prose; *word;) {
        const size_t length = strcspn(word, " \n");
        if (column && column + 1 + length > WIDTH) {
            WRITE("\n * ");
            column = 0;
        }
        WRITE("%s%.*s", column ? " " : "", (int)length, word);
        column += length + (column > 0);
        word += length;
        if (strncmp(word, "\n\n", 2) == 0) {
            WRITE("\n *\n * ");
            column = 0;
        }
        word += strspn(word, " \n");
    }
}

static void write_paragraph(struct bly_text *text, const char *before, const char *prose)
{
    if (!*prose) return;
    WRITE("%s", before);
    write_prose(text, prose);
}

/* Layers from the highest, and last the product. */
static struct bly_part *from_above(const struct bly_joint *j, uint32_t i)
{
    return j->parts[i + 1 < j->count ? j->count - 2 - i : j->count - 1];
}

static void write_about(struct bly_text *text, const struct bly_joint *j)
{
    const struct bly_head *product = &j->product->head;
    const char *summary = *product->summary ? product->summary : "A product.", *called = j->composition->called;
    WRITE("/** ");
    if (called && strcmp(called, product->name) != 0)
        WRITE("%.*s under the model %s.", (int)strlen(summary) - 1, summary, j->composition->model_name);
    else
        write_prose(text, summary);
    write_paragraph(text, "\n *\n * ", product->details);
    for (uint32_t i = 0; i + 1 < j->count; i++) {
        const struct bly_part *part = from_above(j, i);
        WRITE("\n *\n * %s %s. ", i ? "Below it is" : "The model is", bly_part_name(part));
        write_prose(text, part->head.summary);
        write_paragraph(text, "\n *\n * ", part->head.details);
    }
    WRITE("\n *\n");
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Writes those of the only layer that has dimensions, if they are not assets; those of several layers are
 * independent. */
static void write_fixed_dims(struct bly_text *text, const struct bly_joint *j)
{
    const bailey_path_needs *only = NULL;
    uint32_t layers = 0;
    for (uint32_t k = 0; k + 1 < j->count; k++)
        if (j->parts[k]->unit.step) only = &j->parts[k]->head.needs, layers++;
    if (layers > 1)
        WRITE(" * dims: %u independent\n", (unsigned)j->more);
    else if (only)
        WRITE(" * dims: %s%u%s\n", only->dims_most == only->dims_least ? "" : "at least ",
              (unsigned)larger(only->dims_least, 1), only->independent ? " independent" : "");
    else
        WRITE(" * dims: 1\n");
}

static void write_own(struct bly_text *text, const struct bly_joint *j)
{
    if (j->each) WRITE(" * own: %u per dimension", (unsigned)j->each);
    if (j->more) WRITE("%s%u", j->each ? ", " : " * own: ", (unsigned)j->more);
    if (j->each || j->more) WRITE("\n");
}

static void write_dims(struct bly_text *text, const struct bly_joint *j)
{
    const bailey_path_needs *product = &j->product->head.needs;
    const uint32_t least = larger(product->dims_least, 1);
    if (!j->assets) {
        write_fixed_dims(text, j);
        return;
    }
    if (product->dims_most == least) {
        WRITE(" * dims: %u\n", (unsigned)least);
    } else {
        WRITE(" * dims: assets");
        if (least > 1) WRITE(", at least %u", (unsigned)least);
        if (product->dims_most) WRITE(", at most %u", (unsigned)product->dims_most);
        WRITE("\n");
    }
    write_own(text, j);
}

static void write_steps(struct bly_text *text, const struct bly_joint *j)
{
    const unsigned dates = (unsigned)j->dates;
    if (j->dated && j->refined)
        WRITE(" * steps: %u, at least %u, multiple of %u\n", dates, dates, dates);
    else
        WRITE(" * steps: %u\n", dates);
}

/* Whether all know when their path may begin: at 0, where one asks for it. */
static bailey_path_start start_of(const struct bly_joint *j)
{
    bool counted = true, zero = false;
    for (uint32_t k = 0; k < j->count; k++) {
        const struct bly_part *part = j->parts[k];
        zero |= part->head.needs.start == BAILEY_PATH_START_ZERO;
        counted &= part->head.needs.start == BAILEY_PATH_START_COUNTED || !part->unit.functions;
    }
    return zero ? BAILEY_PATH_START_ZERO : counted ? BAILEY_PATH_START_COUNTED : 0;
}

static void write_path(struct bly_text *text, const struct bly_joint *j)
{
    static const char *const kinds[] = {NULL, "paths", "increments", "normals", "motion"};
    static const char *const constructions[] = {"bridge", "pca", "walk"};
    const char *kind = NULL, *construction = NULL;
    bool coarser = false;
    for (uint32_t k = 0; k + 1 < j->count; k++) {
        const bailey_path_needs *needs = &j->parts[k]->head.needs;
        const int number = (int)needs->construction - BAILEY_CONSTRUCTION_BRIDGE;
        if (needs->kind) kind = kinds[j->increments ? BAILEY_PATH_KIND_INCREMENTS : needs->kind];
        if (needs->has_construction && number >= 0 && number < 3) construction = constructions[number];
        coarser |= needs->coarser_steps;
    }
    if (kind) WRITE(" * path: %s\n", kind);
    write_dims(text, j);
    write_steps(text, j);
    if (construction) WRITE(" * construction: %s\n", construction);
    if (start_of(j)) WRITE(" * start: %s\n", start_of(j) == BAILEY_PATH_START_ZERO ? "0" : "any time");
    if (coarser) WRITE(" * coarser: steps\n");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Words of a comment that are names of the part: a parameter, DIMS or STEPS. */
static void write_words(struct bly_text *text, const struct bly_part *part, const char *from, const char *to)
{
    while (from < to) {
        const char *end = from;
        while (end < to && is_letter(*end)) end++;
        const uint32_t length = (uint32_t)(end - from);
        const char *other = bly_renamed(part, BLY_NAME_PARAMETER, from, length);
        const bool size =
            (length == 4 && !memcmp(from, "DIMS", 4)) || (length == 5 && !memcmp(from, "STEPS", 5));
        if (!other && size) other = bly_renamed(part, BLY_NAME_PLAIN, from, length);
        if (other)
            WRITE("%s", other);
        else
            WRITE("%.*s", (int)length, from);
        for (from = end; from < to && !is_letter(*from); from++) WRITE("%c", *from);
    }
}

static void write_checks(struct bly_text *text, struct bly_part *part)
{
    for (uint32_t i = 0; i < part->head.check_count; i++) {
        const struct bly_reader *r = &part->head.checks[i];
        const char *prose = bly_prose(&part->unit, r->text, r->end);
        const char *colon = prose ? strchr(prose, ':') : NULL;
        if (!prose) {
            text->failed = 1;
            return;
        }
        if (!colon) colon = prose + strlen(prose);
        WRITE(" * check: ");
        write_words(text, part, prose, colon);
        WRITE("%s\n", colon);
    }
}

/* Likelihood ratios are those of Brownian motions that move prices with fixed volatilities, at a fixed rate. */
static bool has_likelihood(const struct bly_joint *j)
{
    for (uint32_t k = 0; k + 1 < j->count; k++) {
        const struct bly_part *part = j->parts[k];
        const bool fixed = part->head.needs.kind == BAILEY_PATH_KIND_PATHS && part->head.likelihood;
        if (part->unit.step && !fixed) return false;
    }
    return j->assets && !j->increments;
}

static void write_controls(struct bly_text *text, const struct bly_joint *j)
{
    unsigned output = (unsigned)j->product->unit.outputs;
    for (uint32_t i = 0; i < j->product->head.control_count; i++) {
        const struct bly_head_control *control = &j->product->head.controls[i];
        if (j->product->controls[i].wanted)
            WRITE(" * out[%u] %s: %s [control 0]\n", output++, control->name, control->summary);
    }
}

static void write_outputs(struct bly_text *text, const struct bly_joint *j)
{
    if (j->composition->closed) return;
    for (uint32_t o = 0; o < j->product->unit.outputs; o++) {
        const struct bly_head_output *output = &j->product->head.outputs[o];
        if (output->place.line)
            WRITE(" * out[%u]%s%s: %s%s\n", (unsigned)o, *output->name ? " " : "", output->name,
                  output->summary, output->likelihood && has_likelihood(j) ? " [likelihood]" : "");
    }
}

static void write_sources(struct bly_text *text, const struct bly_joint *j)
{
    const char *before = " * source: ";
    for (uint32_t i = 0; i < j->count; i++) {
        const char *source = (i ? from_above(j, i - 1) : j->product)->head.source;
        if (!*source) continue;
        WRITE("%s%s", before, source);
        before = "; ";
    }
    if (*before == ';') WRITE("\n");
}

/* The product's examples are of its usual model; those of a model are of a payoff that has its name. */
static void write_examples(struct bly_text *text, const struct bly_joint *j)
{
    const struct bly_head *of = &j->product->head;
    const char *model = j->composition->model_name, *called = j->composition->called;
    if (called && strcmp(called, model) == 0)
        of = &j->parts[j->count - 2]->head;
    else if (!*of->model || strcmp(of->model, model) != 0)
        return;
    for (uint32_t i = 0; i < of->example_count; i++)
        WRITE(" * example: %s: %s\n", of->examples[i].options, of->examples[i].summary);
}

static void write_head(struct bly_text *text, const struct bly_joint *j)
{
    write_about(text, j);
    const char *called = j->composition->called, *name = called ? called : j->product->head.name;
    if (*name) WRITE(" * name: %s\n", name);
    write_path(text, j);
    write_outputs(text, j);
    write_controls(text, j);
    write_sources(text, j);
    for (uint32_t i = 0; i < j->count; i++) write_checks(text, from_above(j, i));
    write_examples(text, j);
    WRITE(" */\n");
}

/* ---- Tokens -------------------------------------------------------------------------------------- */

struct writer {
    struct bly_text *text;
    const struct bly_part *part;
    enum bly_name_kind members;      /* of members that are declared, rather than used */
    uint32_t line;                   /* where the next thing would stand, in the part's own lines */
    uint32_t comment;                /* the next */
    struct bly_place last;           /* of the last token */
    const struct bly_function *function; /* the next */
    const struct bly_asking *asking;     /* the next */
    const struct bly_asking *asked;  /* whose name was the last token */
};

static bool is_before(struct bly_place a, struct bly_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Goes to a place: to its column of the next line, or on in the same line. */
static void go_to(struct writer *w, struct bly_place place, bool spaced)
{
    struct bly_text *text = w->text;
    if (place.line > w->line) {
        bly_text_add(text, place.line > w->line + 1 ? "\n\n" : "\n");
        bly_text_add(text, "%*s", (int)(place.column - 1), "");
        w->line = place.line;
    } else if (spaced) {
        WRITE(" ");
    }
}

static void write_comment(struct writer *w, const struct bly_comment *c)
{
    struct bly_text *text = w->text;
    const bool line = c->text[-1] == '/';
    go_to(w, c->place, true);
    WRITE("%s%.*s%s", line ? "//" : "/*", (int)c->length, c->text, line ? "" : "*/");
    w->line = c->end.line;
}

static void write_comments_before(struct writer *w, struct bly_place place)
{
    const struct bly_unit *unit = &w->part->unit;
    for (; w->comment < unit->comment_count && is_before(unit->comments[w->comment].place, place);
         w->comment++)
        write_comment(w, &unit->comments[w->comment]);
}

static const char *name_for(const struct writer *w, const struct bly_token *token)
{
    const enum bly_name_kind kind = token->member == BLY_RECORD_PARAMS + 1  ? BLY_NAME_PARAMETER
                                    : token->member == BLY_RECORD_STATE + 1 ? BLY_NAME_STATE
                                                                            : BLY_NAME_PLAIN;
    if (token->kind != BLY_TOKEN_NAME) return NULL;
    if (token->member == BLY_RECORD_OWN + 1 && w->members == BLY_NAME_PLAIN) return NULL;
    return bly_renamed(w->part, token->member == BLY_RECORD_OWN + 1 ? w->members : kind, token->text,
                       token->length);
}

static void write_token(struct writer *w, uint32_t number)
{
    const struct bly_unit *unit = &w->part->unit;
    const struct bly_token *token = &unit->tokens[number];
    struct bly_text *text = w->text;
    while (w->asking && w->asking->token < number) w->asking = w->asking->next;
    const bool asks = w->asking && w->asking->token == number;
    const char *name = asks ? w->asking->answer : name_for(w, token);
    const bool same = token->place.line == w->last.line && token->place.column == w->last.column;
    go_to(w, token->place, w->last.line && (token->spaced || same));
    if (name)
        WRITE("%s", name);
    else
        WRITE("%.*s", BLY_SHOWN(token));
    w->last = token->place;
    /* Behind the bracket of the call. */
    if (w->asked)
        WRITE("%s, %s%s", w->asked->s, w->asked->p, *w->asked->question->takes ? ", " : "");
    w->asked = asks ? w->asking : NULL;
}

/* The function that begins at token `from`, if the payoff does without it. */
static const struct bly_function *left_out_at(struct writer *w, uint32_t from)
{
    while (w->function && w->function->from < from) w->function = w->function->next;
    return w->function && w->function->from == from && !w->function->kept ? w->function : NULL;
}

/* Past a function, with its comments. */
static void skip(struct writer *w, const struct bly_function *f)
{
    const struct bly_unit *unit = &w->part->unit;
    const struct bly_place place = unit->tokens[f->to].place;
    for (; w->comment < unit->comment_count && is_before(unit->comments[w->comment].place, place); w->comment++) {}
    w->line = place.line;
    w->last = place;
}

/* Tokens from .. to - 1, with the comments before each. */
static void write_tokens(struct writer *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct bly_function *left_out = left_out_at(w, i);
        if (left_out) {
            skip(w, left_out);
            i = left_out->to;
            continue;
        }
        write_comments_before(w, w->part->unit.tokens[i].place);
        write_token(w, i);
    }
}

/* A writer whose next line is that of token `from`, with the comments that stand there. */
static struct writer begin(struct bly_text *text, const struct bly_part *part, uint32_t from)
{
    struct writer w = {
        .text = text, .part = part, .function = part->unit.functions, .asking = part->unit.askings};
    w.line = part->unit.tokens[from].place.line;
    const struct bly_unit *unit = &part->unit;
    while (w.comment < unit->comment_count &&
           is_before(unit->comments[w.comment].place, unit->tokens[from].place))
        w.comment++;
    return w;
}

/* ---- Structures ---------------------------------------------------------------------------------- */

/* The comment behind a parameter, on its line. */
static void write_remark(struct bly_text *text, const struct bly_part *part, const struct bly_token *name)
{
    const struct bly_unit *unit = &part->unit;
    for (uint32_t i = 0; i < unit->comment_count; i++) {
        const struct bly_comment *c = &unit->comments[i];
        if (c->place.line != name->place.line || is_before(c->place, name->place)) continue;
        const char *end = c->text + c->length, *bracket = bly_bracket_find(c->text, end);
        WRITE(" /*%.*s", (int)((bracket ? bracket : end) - c->text), c->text);
        if (bracket) write_words(text, part, bracket, end);
        WRITE("*/");
        return;
    }
}

/* A parameter that another layer has, or the time, which the composition has. */
static bool is_left_out(const struct bly_part *part, enum bly_name_kind kind, const struct bly_field_node *field,
                        uint32_t number)
{
    if (kind == BLY_NAME_STATE) return part->timed && strcmp(field->name, "time") == 0;
    return number < 64 && part->shared >> number & 1;
}

static void write_members(struct bly_text *text, const struct bly_part *part, enum bly_name_kind kind)
{
    const struct bly_unit *unit = &part->unit;
    const struct bly_record *record = kind == BLY_NAME_PARAMETER ? unit->params : unit->state;
    uint32_t number = 0, written = 0; /* tokens of declarations */
    for (const struct bly_field_node *f = record ? record->fields : NULL; f; f = f->next, number++) {
        struct writer w = begin(text, part, f->from);
        w.members = kind;
        if (f->to == written || is_left_out(part, kind, f, number)) continue;
        written = f->to;
        WRITE("    ");
        for (uint32_t i = f->from; i <= f->to; i++) {
            w.line = unit->tokens[i].place.line; /* all of it on one line */
            write_token(&w, i);
        }
        write_remark(text, part, &unit->tokens[f->token]);
        WRITE("\n");
    }
}

static void write_structure(struct bly_text *text, const struct bly_joint *j, enum bly_name_kind kind)
{
    const bool params = kind == BLY_NAME_PARAMETER;
    bool any = !params && (j->timed || j->walks);
    for (uint32_t k = 0; k < j->count; k++)
        any |= (params ? j->parts[k]->unit.params : j->parts[k]->unit.state) != NULL;
    if (!any) return;
    WRITE("\ntypedef struct {\n");
    if (!params && (j->timed || j->walks)) WRITE("    real %s;\n", j->time);
    if (!params && j->walks) WRITE("    real %s[DIMS];\n", j->path);
    for (uint32_t i = 0; i < j->count; i++) {
        const struct bly_part *part = from_above(j, i);
        write_members(text, part, kind);
    }
    WRITE("} %s;\n", params ? "params" : "state");
}

/* ---- Functions, constants and types -------------------------------------------------------------- */

/* All but the two structures. */
static void write_rest(struct bly_text *text, const struct bly_part *part)
{
    const struct bly_unit *unit = &part->unit;
    const struct bly_record *const records[] = {unit->params, unit->state};
    uint32_t from = 0;
    while (from < unit->token_count) {
        uint32_t to = unit->token_count, next = to;
        for (int k = 0; k < 2; k++)
            if (records[k] && records[k]->from >= from && records[k]->from < to)
                to = records[k]->from, next = records[k]->to + 1;
        if (to > from) {
            struct writer w = begin(text, part, from);
            /* Comments that stand alone between what was before and this belong to it. */
            while (from > 0 && w.comment > 0 &&
                   unit->comments[w.comment - 1].place.line > unit->tokens[from - 1].place.line)
                w.comment--;
            if (w.comment < unit->comment_count &&
                is_before(unit->comments[w.comment].place, unit->tokens[from].place))
                w.line = unit->comments[w.comment].place.line;
            WRITE("\n");
            write_tokens(&w, from, to);
            WRITE("\n");
        }
        from = next;
    }
}

static void write_start(struct bly_text *text, const struct bly_joint *j)
{
    WRITE("\nvoid start(state *s, const params *p)\n{\n");
    if (j->timed || j->walks) WRITE("    s->%s = 0;\n", j->time);
    if (j->walks) WRITE("    for (int d = 0; d < DIMS; d++) s->%s[d] = 0;\n", j->path);
    for (uint32_t k = 0; k < j->count; k++)
        if (j->parts[k]->start) WRITE("    %s(s, p);\n", j->parts[k]->start);
    WRITE("}\n");
}

/* The numbers of x that a layer takes: of the assets, and its own. */
static void write_copy(struct bly_text *text, const struct bly_joint *j, const struct bly_part *part)
{
    const bailey_path_needs *needs = &part->head.needs;
    const unsigned each = needs->own_each, before = (unsigned)part->each, skipped = (unsigned)part->more;
    unsigned more = needs->own_more;
    if (!needs->assets) {
        more += bly_part_dims(part);
        WRITE("    real %s[%u];\n", part->x, more);
        for (unsigned k = 0; k < more; k++) {
            if (j->assets)
                WRITE("    %s[%u] = x[%u * DIMS + %u];\n", part->x, k, 1 + before, skipped + k);
            else
                WRITE("    %s[%u] = x[%u];\n", part->x, k, skipped + k);
        }
        return;
    }
    WRITE("    real %s[%u * DIMS + %u];\n    for (int d = 0; d < DIMS; d++) %s[d] = x[d];\n", part->x,
          1 + each, more, part->x);
    WRITE("    for (int d = 0; d < %u * DIMS + %u; d++) %s[DIMS + d] = x[%u * DIMS + %u + d];\n", each, more,
          part->x, 1 + before, skipped);
}

static void write_date(struct bly_text *text, const struct bly_joint *j, const char *name, const char *period)
{
    const unsigned dates = (unsigned)j->dates;
    if (j->refined)
        WRITE("    if (i %% (STEPS / %u) == STEPS / %u - 1) %s(s, p, %s, t);\n", dates, dates, name, period);
    else
        WRITE("    %s(s, p, i, t);\n", name);
}

struct use {
    const struct bly_variable *of;
    bool found;
};

static void find_use(void *of, struct bly_expression *e)
{
    struct use *use = of;
    use->found |= e->kind == BLY_VARIABLE && e->variable == use->of;
}

/* Whether the step of a layer reads its number. */
static bool counts(const struct bly_part *part)
{
    struct use use = {.of = part->unit.step->parameters->next->next};
    const struct bly_visitor visitor = {.expression = find_use, .of = &use};
    bly_visit_all(part->unit.step->body, &visitor);
    return use.found;
}

/* With steps between the dates where that makes a difference to the model. */
static void write_step(struct bly_text *text, const struct bly_joint *j)
{
    const unsigned dates = (unsigned)j->dates;
    char period[64] = "i";
    if (j->refined) snprintf(period, sizeof period, "i / (STEPS / %u)", dates);
    WRITE("\nvoid step(state *s, const params *p, int i, real t, const real x[])\n{\n");
    if (j->timed || j->walks) WRITE("    const real dt = t - s->%s;\n    s->%s = t;\n", j->time, j->time);
    if (j->walks)
        WRITE("    for (int d = 0; d < DIMS; d++) s->%s[d] = fma(dt, x[d], s->%s[d]);\n", j->path, j->path);
    for (uint32_t k = 0; k + 1 < j->count; k++) {
        const struct bly_part *part = j->parts[k];
        if (part->x) write_copy(text, j, part);
        if (part->step)
            WRITE("    %s(s, p, %s, t, %s%s%s);\n", part->step, counts(part) ? period : "i",
                  part->unit.step->parameter_count == 6 ? "dt, " : "", part->walks ? "s->" : "",
                  part->walks ? j->path : part->x ? part->x : "x");
    }
    if (j->product->step) write_date(text, j, j->product->step, period);
    for (uint32_t i = 0; i < j->product->head.control_count; i++) {
        const struct bly_control *control = &j->product->controls[i];
        if (control->wanted && control->date) write_date(text, j, control->date->name, period);
    }
    const struct bly_control *closed = &j->product->closed;
    if (closed->wanted && closed->date) write_date(text, j, closed->date->name, period);
    WRITE("}\n");
}

/* The product's outputs and behind them its controls; or its closed form. */
static void write_finish(struct bly_text *text, const struct bly_joint *j)
{
    const struct bly_part *product = j->product;
    unsigned output = (unsigned)product->unit.outputs;
    if (j->composition->closed) {
        WRITE("\nvoid finish(const state *s, const params *p, real out[1])\n{\n    out[0] = closed_form(s, p);\n}\n");
        return;
    }
    WRITE("\nvoid finish(const state *s, const params *p, real out[%u])\n{\n    %s(s, p, out);\n",
          output + (unsigned)j->controls, product->finish);
    for (uint32_t i = 0; i < product->head.control_count; i++)
        if (product->controls[i].wanted)
            WRITE("    out[%u] = %s(s, p);\n", output++, product->controls[i].value->name);
    WRITE("}\n");
}

void bly_compose_write(const struct bly_joint *j, struct bly_text *text)
{
    write_head(text, j);
    write_structure(text, j, BLY_NAME_PARAMETER);
    write_structure(text, j, BLY_NAME_STATE);
    for (uint32_t k = 0; k < j->count; k++) write_rest(text, j->parts[k]);
    write_start(text, j);
    write_step(text, j);
    if (bly_finish_is_ours(j)) write_finish(text, j);
}
