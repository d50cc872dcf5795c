/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The head comment of code: prose, and lines that begin with a word and a colon.
 *
 *     / ** A European call or put (Black and Scholes 1973).
 *      *
 *      * path: paths
 *      * dims: 1
 *      * out[0] price: what the option pays, discounted [likelihood]
 *      * /
 */
#include "comments.h"

#include <bailey/motion.h>

#include <string.h>

enum line_kind {
    LINE_PATH,
    LINE_DIMS,
    LINE_OWN,
    LINE_STEPS,
    LINE_LEVELS,
    LINE_CONSTRUCTION,
    LINE_START,
    LINE_COARSER,
    LINE_KIND,
    LINE_MODEL,
    LINE_STEP,
    LINE_SOURCE,
    LINE_NAME,
    LINE_CHECK,
    LINE_EXAMPLE,
    LINE_CONTROL,
    LINE_OUT,
    LINES
};

static const char *const line_words[LINES] = {
    "path", "dims",  "own",  "steps",  "levels", "construction", "start",   "coarser",
    "kind", "model", "step", "source", "name",   "check",        "example", "control", "out"};
#define KNOWN_LINES                                                                                          \
    "path, dims, own, steps, levels, construction, start, coarser, kind, model, step, source, name, check, "      \
    "example, control and out[0]"

/* A part of the head comment: from its first word to the next part. */
struct part {
    const char *from, *to;
    bool is_line; /* it begins with a word and a colon */
};

/* ---- Parts --------------------------------------------------------------------------------------- */

/* Past what begins a line of a comment: spaces and a star. */
static const char *after_margin(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (at < end && *at == '*') at++;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at;
}

static const char *line_end(const char *at, const char *end)
{
    while (at < end && *at != '\n') at++;
    return at;
}

static bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/* Whether "word:", or "out[1] name:", stands at `at`; *colon is where. */
static bool is_line(const char *at, const char *end, const char **colon)
{
    const char *p = at;
    while (p < end && is_small(*p)) p++;
    if (p == at) return false;
    if (p - at == 3 && memcmp(at, "out", 3) == 0 && p < end && *p == '[')
        while (p < end && *p != ':' && *p != '\n') p++;
    *colon = p;
    return p < end && *p == ':' &&
           (p + 1 == end || p[1] == ' ' || p[1] == '\n' || p[1] == '\r' || p[1] == '\t');
}

/* The part that begins at or behind *at; *at moves behind it. In a paragraph of prose no line begins a part:
 * "scheme:" may stand there. */
static bool next_part(const char **at, const char *end, struct part *part)
{
    const char *colon, *line = *at;
    *part = (struct part){0};
    for (; line < end; line = line_end(line, end) + 1) {
        const char *text = after_margin(line, end);
        const bool blank = text >= end || *text == '\n', begins = !blank && is_line(text, end, &colon);
        if (part->from && (blank || (begins && part->is_line))) break;
        if (blank) continue;
        if (!part->from) *part = (struct part){.from = text, .is_line = begins};
        part->to = line_end(text, end);
    }
    *at = line < end ? line : end;
    return part->from != NULL;
}

/* ---- Lines --------------------------------------------------------------------------------------- */

#define SHOWN(r) (int)((r)->length < 60 ? (r)->length : 60), (r)->text

static bailey_status read_whole(struct bly_reader *r, uint64_t least, uint64_t most, uint64_t *value)
{
    if (r->kind != BLY_REMARK_NUMBER || !(r->number >= (double)least && r->number <= (double)most) ||
        (double)(uint64_t)r->number != r->number)
        return bly_reader_refuse(r, "%.*s is not an integer from %llu to %llu", SHOWN(r),
                                 (unsigned long long)least, (unsigned long long)most);
    *value = (uint64_t)r->number;
    bly_reader_next(r);
    return BAILEY_OK;
}

/* The number of a word in a list that ends with NULL. */
static bailey_status read_choice(struct bly_reader *r, const char *const *words, const char *all,
                                 uint32_t *number)
{
    for (*number = 0; words[*number]; ++*number)
        if (bly_reader_takes(r, words[*number])) return BAILEY_OK;
    return bly_reader_refuse(r, "%.*s is not one of %s", SHOWN(r), all);
}

static bailey_status read_path(struct bly_reader *r, struct bly_head *head)
{
    static const char *const kinds[] = {"paths", "increments", "normals", "motion", NULL};
    uint32_t kind = 0;
    const bailey_status status = read_choice(r, kinds, "paths, increments, normals and motion", &kind);
    head->needs.kind = (bailey_path_kind)(kind + 1);
    head->likelihood = bly_reader_takes(r, "likelihood");
    head->needs.independent |= head->needs.kind == BAILEY_PATH_KIND_NORMALS;
    return status;
}

/* "12", "at least 2", "at most 4096", "multiple of 12", which commas join. */
static bailey_status read_limits(struct bly_reader *r, uint64_t most, uint64_t *plain, uint64_t *low,
                                 uint64_t *high, uint64_t *multiple)
{
    do {
        uint64_t *to = plain;
        if (multiple && bly_reader_takes(r, "multiple")) {
            to = multiple;
            if (!bly_reader_takes(r, "of"))
                return bly_reader_refuse(r, "%.*s: write multiple of 12", SHOWN(r));
        } else if (bly_reader_takes(r, "at")) {
            to = bly_reader_is(r, "least") ? low : bly_reader_is(r, "most") ? high : NULL;
            if (!to) return bly_reader_refuse(r, "%.*s: write at least 2, or at most 2", SHOWN(r));
            bly_reader_next(r);
        }
        const bailey_status status = read_whole(r, 1, most, to);
        if (status != BAILEY_OK) return status;
    } while (bly_reader_takes(r, ","));
    return BAILEY_OK;
}

static bailey_status read_dims(struct bly_reader *r, struct bly_head *head)
{
    uint64_t plain = 0, low = 0, high = 0;
    bailey_status status = BAILEY_OK;
    head->needs.assets = bly_reader_takes(r, "assets");
    if (!head->needs.assets || bly_reader_takes(r, ","))
        status = read_limits(r, BAILEY_BRIDGE_MAX_DIMS, &plain, &low, &high, NULL);
    head->needs.dims_least = (uint32_t)(plain ? plain : low ? low : head->needs.assets);
    head->needs.dims_most = (uint32_t)(plain ? plain : high);
    if (status == BAILEY_OK && r->unit->kind != BLY_UNIT_LEVELS)
        head->needs.independent |= (uint32_t)bly_reader_takes(r, "independent");
    return status;
}

/* "2", "1 per dimension", and both with a comma between. */
static bailey_status read_own(struct bly_reader *r, struct bly_head *head)
{
    do {
        uint64_t count = 0;
        const bailey_status status = read_whole(r, 1, BAILEY_BRIDGE_MAX_DIMS, &count);
        if (status != BAILEY_OK) return status;
        const bool each = bly_reader_takes(r, "per");
        if (each && !bly_reader_takes(r, "dimension"))
            return bly_reader_refuse(r, "%.*s: write 1 per dimension", SHOWN(r));
        *(each ? &head->needs.own_each : &head->needs.own_more) = (uint32_t)count;
    } while (bly_reader_takes(r, ","));
    return BAILEY_OK;
}

static bailey_status read_steps(struct bly_reader *r, struct bly_head *head)
{
    return read_limits(r, BAILEY_BRIDGE_MAX_STEPS, &head->needs.steps, &head->needs.steps_least,
                       &head->needs.steps_most, &head->needs.steps_multiple);
}

static bailey_status read_levels(struct bly_reader *r, struct bly_head *head)
{
    uint64_t levels = 0;
    const bailey_status status = read_whole(r, 1, BAILEY_MOTION_MAX_DEPTH, &levels);
    head->needs.motion_depth = (uint32_t)levels;
    return status;
}

static bailey_status read_construction(struct bly_reader *r, struct bly_head *head)
{
    static const char *const words[] = {"bridge", "pca", "walk", NULL};
    uint32_t number = 0;
    const bailey_status status = read_choice(r, words, "bridge, pca and walk", &number);
    head->needs.has_construction = 1;
    head->needs.construction = (bailey_construction)(BAILEY_CONSTRUCTION_BRIDGE + number);
    return status;
}

static bailey_status read_start(struct bly_reader *r, struct bly_head *head)
{
    head->needs.start = BAILEY_PATH_START_COUNTED;
    if (bly_reader_takes(r, "any")) {
        bly_reader_takes(r, "time");
        return BAILEY_OK;
    }
    head->needs.start = BAILEY_PATH_START_ZERO;
    if (bly_reader_takes(r, "0")) return BAILEY_OK;
    return bly_reader_refuse(r, "%.*s: write any time, if t counts from the beginning of the path, or 0",
                             SHOWN(r));
}

static bailey_status read_coarser(struct bly_reader *r, struct bly_head *head)
{
    if (r->kind != BLY_REMARK_WORD)
        return bly_reader_refuse(r, "%.*s: write steps, or the parameter that makes it coarser", SHOWN(r));
    head->needs.coarser_steps = bly_reader_is(r, "steps");
    if (!head->needs.coarser_steps) head->coarser = *r;
    bly_reader_next(r);
    return BAILEY_OK;
}

static bailey_status read_kind(struct bly_reader *r, struct bly_head *head)
{
    static const char *const kinds[] = {"payoff", "model", "product", NULL};
    uint32_t kind = 0;
    const bailey_status status = read_choice(r, kinds, "payoff, model and product", &kind);
    head->kind = (bailey_payoff_kind)kind;
    return status;
}

/* The longest step that the scheme of a model is meant for. */
static bailey_status read_step(struct bly_reader *r, struct bly_head *head)
{
    if (r->kind != BLY_REMARK_NUMBER || !(r->number > 0))
        return bly_reader_refuse(r, "%.*s is not a positive number of years", SHOWN(r));
    head->step = r->number;
    bly_reader_next(r);
    bly_reader_takes(r, "years");
    return BAILEY_OK;
}

static bailey_status read_source(struct bly_reader *r, struct bly_head *head)
{
    head->source = bly_prose(r->unit, r->text, r->end);
    r->at = r->end;
    bly_reader_next(r);
    return head->source ? BAILEY_OK : bly_no_memory(r->unit);
}

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

static bailey_status read_word(struct bly_reader *r, const char *letters, const char **word)
{
    const char *name = bly_prose(r->unit, r->text, r->end);
    if (!name) return bly_no_memory(r->unit);
    if (!*name || name[strspn(name, letters)] || *name == '-' || strlen(name) > 60)
        return bly_reader_refuse(r, "%.*s: a name has at most 60 lowercase letters, digits and -", SHOWN(r));
    *word = name;
    r->at = r->end;
    bly_reader_next(r);
    return BAILEY_OK;
}

static bailey_status read_name(struct bly_reader *r, struct bly_head *head)
{
    return read_word(r, NAME_LETTERS, &head->name);
}

static bailey_status read_model(struct bly_reader *r, struct bly_head *head)
{
    return read_word(r, NAME_LETTERS "+", &head->model); /* of layers, heston+curve */
}

/* Kept until the parameters are known. */
static bailey_status read_check(struct bly_reader *r, struct bly_head *head)
{
    if (head->check_count == BLY_MOST_CHECKS)
        return bly_reader_refuse(r, "more than %u checks", BLY_MOST_CHECKS);
    head->checks[head->check_count++] = *r;
    r->at = r->end;
    bly_reader_next(r);
    return BAILEY_OK;
}

/* --spot 100 --device cuda:0: what it gives. The first colon before a space is the one between them. */
static bailey_status read_example(struct bly_reader *r, struct bly_head *head)
{
    if (head->example_count == BLY_MOST_EXAMPLES)
        return bly_reader_refuse(r, "more than %u examples", BLY_MOST_EXAMPLES);
    bailey_payoff_example *example = &head->examples[head->example_count++];
    const char *colon = r->text;
    while (colon + 1 < r->end && !(colon[0] == ':' && strchr(" \t\r\n", colon[1]))) colon++;
    if (colon + 1 >= r->end)
        return bly_reader_refuse(
            r, "an example is options, a colon and a description, such as --spot 100: a price");
    example->options = bly_prose(r->unit, r->text, colon);
    example->summary = bly_prose(r->unit, colon + 1, r->end);
    r->at = r->end;
    bly_reader_next(r);
    return example->options && example->summary ? BAILEY_OK : bly_no_memory(r->unit);
}

/* control: asset: the price at the end, discounted, less its mean */
static bailey_status read_control(struct bly_reader *r, struct bly_head *head)
{
    struct bly_head_control *control = &head->controls[head->control_count];
    if (head->control_count == BLY_MOST_CONTROLS)
        return bly_reader_refuse(r, "more than %u controls", BLY_MOST_CONTROLS);
    head->control_count++;
    control->place = bly_place_in(r->comment, r->text);
    bailey_status status = r->kind == BLY_REMARK_WORD
                               ? BAILEY_OK
                               : bly_reader_refuse(r, "a control is a name, a colon and a description");
    const char *name = r->text, *name_end = r->text + r->length;
    bly_reader_next(r);
    if (status == BAILEY_OK && !bly_reader_is(r, ":"))
        status = bly_reader_refuse(r, "a control is a name, a colon and a description");
    if (status != BAILEY_OK) return status;
    control->name = bly_prose(r->unit, name, name_end);
    control->summary = bly_prose(r->unit, r->at, r->end);
    r->at = r->end;
    bly_reader_next(r);
    return control->name && control->summary ? BAILEY_OK : bly_no_memory(r->unit);
}

static bailey_status read_marks(struct bly_unit *unit, const struct bly_comment *comment, const char *bracket,
                                const char *end, struct bly_head_output *output)
{
    struct bly_reader r = bly_reader_of(unit, comment, bracket + 1, end - 1);
    while (r.kind != BLY_REMARK_END) {
        uint32_t *mark = bly_reader_is(&r, "control")      ? &output->control
                         : bly_reader_is(&r, "likelihood") ? &output->likelihood
                                                           : NULL;
        if (!mark) return bly_reader_refuse(&r, "%.*s is not one of control and likelihood", SHOWN(&r));
        *mark = 1;
        bly_reader_next(&r);
        if (mark == &output->control && bly_reader_takes(&r, "geometric"))
            output->closed_form = BAILEY_CLOSED_FORM_GEOMETRIC;
        if (mark == &output->control && bly_reader_takes(&r, "0")) output->closed_form = BAILEY_CLOSED_FORM_ZERO;
        if (r.kind != BLY_REMARK_END && !bly_reader_takes(&r, ";"))
            return bly_reader_refuse(&r, "%.*s found instead of ;", SHOWN(&r));
    }
    return BAILEY_OK;
}

/* out[1] geometric: a control variate [control] */
static bailey_status read_out(struct bly_reader *r, struct bly_head *head)
{
    uint64_t number = 0;
    const struct bly_place place = bly_place_in(r->comment, r->text);
    if (!bly_reader_takes(r, "[")) return bly_reader_refuse(r, "write out[0], or out[0] price");
    bailey_status status = read_whole(r, 0, BAILEY_SIMULATION_MAX_OUTPUTS - 1, &number);
    if (status != BAILEY_OK) return status;
    if (!bly_reader_takes(r, "]")) return bly_reader_refuse(r, "write out[0], or out[0] price");
    struct bly_head_output *output = &head->outputs[number];
    if (output->place.line)
        return bly_reader_refuse(r, "out[%llu] is described twice", (unsigned long long)number);
    const char *name = r->text, *name_end = name;
    while (r->kind == BLY_REMARK_WORD) {
        name_end = r->at;
        bly_reader_next(r);
    }
    if (!bly_reader_is(r, ":"))
        return bly_reader_refuse(r, "%.*s: the name of an output must be one word", SHOWN(r));
    const char *end = r->end, *bracket = bly_bracket_find(r->at, end);
    while (end > r->at && end[-1] != ']' && bracket) end--;
    output->place = place;
    output->name = bly_prose(r->unit, name, name_end);
    output->summary = bly_prose(r->unit, r->at, bracket ? bracket : end);
    if (!output->name || !output->summary) return bly_no_memory(r->unit);
    status = bracket ? read_marks(r->unit, r->comment, bracket, end, output) : BAILEY_OK;
    r->at = r->end;
    bly_reader_next(r);
    return status;
}

static bailey_status read_line(struct bly_unit *unit, struct bly_head *head, const struct part *part)
{
    static bailey_status (*const readers[LINES])(struct bly_reader *, struct bly_head *) = {
        read_path, read_dims,  read_own,  read_steps,  read_levels, read_construction,
        read_start, read_coarser, read_kind, read_model, read_step, read_source,
        read_name, read_check, read_example, read_control, read_out};
    struct bly_reader r = bly_reader_of(unit, head->comment, part->from, part->to);
    int line = 0;
    while (line < LINES && !bly_reader_is(&r, line_words[line])) line++;
    if (line == LINES)
        return bly_reader_refuse(&r,
                                 "%.*s is not a line of a head comment; they are " KNOWN_LINES
                                 ", and a paragraph of prose does not begin with a word and a colon",
                                 SHOWN(&r));
    if (line < LINE_CHECK && head->known & 1u << line)
        return bly_reader_refuse(&r, "%s occurs twice", line_words[line]);
    head->known |= 1u << line;
    if (line != LINE_OUT && unit->kind == BLY_UNIT_LEVELS && line != LINE_DIMS && line < LINE_SOURCE)
        return bly_reader_refuse(
            &r, "%s does not apply to estimator code, whose path always consists of increments",
            line_words[line]);
    bly_reader_next(&r);
    if (line != LINE_OUT) bly_reader_next(&r); /* the colon */
    const bailey_status status = readers[line](&r, head);
    if (status != BAILEY_OK || r.kind == BLY_REMARK_END) return status;
    return bly_reader_refuse(&r, "%.*s is more than %s takes", SHOWN(&r), line_words[line]);
}

/* ---- The comment --------------------------------------------------------------------------------- */

static bool is_before(struct bly_place a, struct bly_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static const struct bly_comment *find_comment(const struct bly_unit *unit)
{
    for (uint32_t i = 0; i < unit->comment_count; i++) {
        const struct bly_comment *c = &unit->comments[i];
        if (unit->token_count && unit->tokens[0].kind != BLY_TOKEN_END &&
            !is_before(c->place, unit->tokens[0].place))
            return NULL;
        if (c->heads) return c;
    }
    return NULL;
}

/* Joins a paragraph to what is there. */
static const char *join(struct bly_unit *unit, const char *before, const char *more)
{
    const size_t first = strlen(before), second = strlen(more);
    char *text = bly_arena_take(&unit->arena, first + second + 3);
    if (!text) return NULL;
    memcpy(text, before, first);
    memcpy(text + first, "\n\n", 2);
    memcpy(text + (first ? first + 2 : 0), more, second + 1);
    return text;
}

static bailey_status add_prose(struct bly_unit *unit, struct bly_head *head, const struct part *part)
{
    const char *text = bly_prose(unit, part->from, part->to);
    if (text && *head->summary) text = join(unit, head->details, text);
    if (!text) return bly_no_memory(unit);
    *(*head->summary ? &head->details : &head->summary) = text;
    return BAILEY_OK;
}

bailey_status bly_head_read(struct bly_unit *unit, struct bly_head *head)
{
    struct part part;
    bailey_status status = BAILEY_OK;
    *head = (struct bly_head){
        .comment = find_comment(unit), .summary = "", .details = "", .source = "", .name = "", .model = ""};
    if (!head->comment) return BAILEY_OK;
    const char *at = head->comment->text, *end = at + head->comment->length;
    while (status == BAILEY_OK && next_part(&at, end, &part))
        status = part.is_line ? read_line(unit, head, &part) : add_prose(unit, head, &part);
    if (status == BAILEY_OK && head->control_count && head->kind != BAILEY_PAYOFF_KIND_PRODUCT)
        return bly_refuse_at(unit, head->controls[0].place,
                             "a control with a function is a product's; a payoff ends the line of an output with "
                             "[control]");
    return status;
}
