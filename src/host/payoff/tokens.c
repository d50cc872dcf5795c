/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tokens of C. A little stricter than C: no digraphs and trigraphs, no line that ends within a word, no
 * strings.
 */
#include "tokens.h"

#include <base/alloc.h>

#include <stdlib.h>
#include <string.h>

#define MOST_NAME 63u

struct cursor {
    struct bly_unit *unit;
    struct bly_list list;
    struct bly_comment *comments; /* [comment_room] */
    uint32_t comment_count, comment_room;
    const char *p, *end; /* *end is 0 */
    const char *counted; /* `place` is of this character, at p or before in the same line */
    struct bly_place place;
    bool at_start; /* nothing in this line so far */
    bool spaced;   /* space stands before p */
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
/* Characters that a line's end would have to keep apart. */
static bool may_join(char a, char b)
{
    const bool word_a = is_letter(a) || is_digit(a) || a == '.',
               word_b = is_letter(b) || is_digit(b) || b == '.';
    return !is_space(b) && b != '\n' && b != '\0' && word_a == word_b;
}

bool bly_token_is(const struct bly_token *token, const char *text)
{
    return token->kind != BLY_TOKEN_MESSAGE && strlen(text) == token->length &&
           memcmp(token->text, text, token->length) == 0;
}

bool bly_list_add(struct bly_list *list, const struct bly_token *token)
{
    if (list->count == list->room) {
        const uint32_t room = list->room ? 2 * list->room : 64;
        struct bly_token *tokens = bly_alloc(room, sizeof *tokens);
        if (!tokens) return false;
        if (list->count) memcpy(tokens, list->tokens, list->count * sizeof *tokens);
        bly_free(list->tokens);
        list->tokens = tokens;
        list->room = room;
    }
    list->tokens[list->count++] = *token;
    return true;
}

void bly_list_free(struct bly_list *list)
{
    bly_free(list->tokens);
    *list = (struct bly_list){0};
}

/* The place of a character of the line of c->counted, not before it. */
static struct bly_place place_of(struct cursor *c, const char *p)
{
    for (; c->counted < p; c->counted++) c->place.column += ((unsigned char)c->counted[1] & 0xc0) != 0x80;
    return c->place;
}

/* The line ends before p. */
static void begin_line(struct cursor *c, const char *p)
{
    c->counted = p;
    c->place.line++;
    c->place.column = 1;
}

static bailey_status add(struct cursor *c, enum bly_token_kind kind, size_t length)
{
    const struct bly_token token = {.text = c->p,
                                    .length = (uint32_t)length,
                                    .place = place_of(c, c->p),
                                    .kind = (uint8_t)kind,
                                    .spaced = c->spaced};
    if (c->list.count + c->comment_count == BLY_MOST_TOKENS)
        return bly_refuse_at(c->unit, token.place, "the code has more than %u tokens", BLY_MOST_TOKENS);
    if (!bly_list_add(&c->list, &token)) return bly_no_memory(c->unit);
    c->p += length;
    c->spaced = false;
    c->at_start = false;
    return BAILEY_OK;
}

static bailey_status add_comment(struct cursor *c, struct bly_comment comment)
{
    if (c->list.count + c->comment_count == BLY_MOST_TOKENS)
        return bly_refuse_at(c->unit, comment.place, "the code has more than %u tokens", BLY_MOST_TOKENS);
    if (c->comment_count == c->comment_room) {
        const uint32_t room = c->comment_room ? 2 * c->comment_room : 16;
        struct bly_comment *comments = bly_alloc(room, sizeof *comments);
        if (!comments) return bly_no_memory(c->unit);
        if (c->comment_count) memcpy(comments, c->comments, c->comment_count * sizeof *comments);
        bly_free(c->comments);
        c->comments = comments;
        c->comment_room = room;
    }
    c->comments[c->comment_count++] = comment;
    c->spaced = true;
    return BAILEY_OK;
}

/* The rest of the line. Compilers of C do not agree on a backslash at its end with spaces behind. */
static bailey_status rest_of_line(struct cursor *c, const char **end)
{
    const char *newline = memchr(c->p, '\n', (size_t)(c->end - c->p)), *last = newline ? newline : c->end;
    *end = last;
    while (last > c->p && is_space(last[-1])) last--;
    if (last > c->p && last[-1] == '\\')
        return bly_refuse_at(c->unit, place_of(c, last - 1),
                             "a comment or an #error may not end with a backslash");
    return BAILEY_OK;
}

static bailey_status line_comment(struct cursor *c)
{
    struct bly_comment comment = {.text = c->p + 2, .place = place_of(c, c->p)};
    const char *end;
    const bailey_status status = rest_of_line(c, &end);
    if (status != BAILEY_OK) return status;
    c->p = end;
    while (end > comment.text && end[-1] == '\r') end--;
    comment.length = (uint32_t)(end - comment.text);
    comment.end = place_of(c, end - 1);
    return add_comment(c, comment);
}

static const char *find_end_of_comment(const char *p, const char *end)
{
    for (;; p++) {
        p = memchr(p, '*', (size_t)(end - p));
        if (!p || p[1] == '/') return p;
    }
}

static bailey_status block_comment(struct cursor *c)
{
    struct bly_comment comment = {.text = c->p + 2, .place = place_of(c, c->p)};
    const char *end = find_end_of_comment(c->p + 2, c->end);
    if (!end) return bly_refuse_at(c->unit, comment.place, "this comment does not end");
    comment.heads = *comment.text == '*' && comment.text[1] != '*' && comment.text < end;
    comment.text += comment.heads;
    comment.length = (uint32_t)(end - comment.text);
    for (const char *newline = c->p; (newline = memchr(newline, '\n', (size_t)(end - newline)));)
        begin_line(c, ++newline);
    c->p = end + 2;
    comment.end = place_of(c, end + 1);
    return add_comment(c, comment);
}

static bailey_status skip_splice(struct cursor *c, const char *newline)
{
    if (!c->at_start && !c->spaced && may_join(c->p[-1], newline[1]))
        return bly_refuse_at(c->unit, place_of(c, c->p),
                             "write a space before the backslash that ends the line");
    c->p = newline + 1;
    c->spaced = true;
    begin_line(c, c->p);
    return BAILEY_OK;
}

static void skip_newline(struct cursor *c)
{
    if (c->list.count) c->list.tokens[c->list.count - 1].last_of_line = 1;
    c->p++;
    c->spaced = false;
    c->at_start = true;
    begin_line(c, c->p);
}

/* What stands between tokens. */
static bailey_status skip(struct cursor *c)
{
    bailey_status status = BAILEY_OK;
    while (status == BAILEY_OK && c->p < c->end) {
        const char *newline = c->p + 1;
        if (*c->p == '\\') newline += *newline == '\r';
        if (is_space(*c->p))
            c->p++, c->spaced = true;
        else if (*c->p == '\n')
            skip_newline(c);
        else if (*c->p == '/' && c->p[1] == '/')
            status = line_comment(c);
        else if (*c->p == '/' && c->p[1] == '*')
            status = block_comment(c);
        else if (*c->p == '\\' && *newline == '\n')
            status = skip_splice(c, newline);
        else
            break;
    }
    return status;
}

/* What stands behind #error. */
static bailey_status message(struct cursor *c)
{
    const char *end;
    const bailey_status status = rest_of_line(c, &end);
    if (status != BAILEY_OK) return status;
    while (c->p < end && is_space(*c->p)) c->p++;
    const char *last = end;
    while (last > c->p && is_space(last[-1])) last--;
    return add(c, BLY_TOKEN_MESSAGE, (size_t)(last - c->p));
}

static bailey_status name(struct cursor *c)
{
    size_t length = 1;
    while (is_letter(c->p[length]) || is_digit(c->p[length])) length++;
    if (length > MOST_NAME)
        return bly_refuse_at(c->unit, place_of(c, c->p), "a name of %zu characters; at most %u", length,
                             MOST_NAME);
    bailey_status status = add(c, BLY_TOKEN_NAME, length);
    if (status != BAILEY_OK || c->list.count < 2) return status;
    const struct bly_token *last = &c->list.tokens[c->list.count - 1];
    return last[-1].kind == BLY_TOKEN_HASH && bly_token_is(last, "error") ? message(c) : BAILEY_OK;
}

/* C's pp-number: whatever begins like a number, whether it is one or not. */
static bailey_status number(struct cursor *c)
{
    size_t length = 1;
    const char *p = c->p;
    while (is_letter(p[length]) || is_digit(p[length]) || p[length] == '.' ||
           ((p[length] == '+' || p[length] == '-') && strchr("eEpP", p[length - 1])))
        length++;
    if (length > BLY_MOST_NUMBER)
        return bly_refuse_at(c->unit, place_of(c, p), "a number of %zu characters; at most %u", length,
                             BLY_MOST_NUMBER);
    return add(c, BLY_TOKEN_NUMBER, length);
}

/* Of signs of two and three characters. */
static size_t begins_with_any(const char *p, const char *const *signs)
{
    for (; *signs; signs++) {
        const char *sign = *signs;
        if (sign[0] == p[0] && sign[1] == p[1] && (!sign[2] || sign[2] == p[2])) return sign[2] ? 3 : 2;
    }
    return 0;
}

/* No sign of the language. */
static bailey_status unknown(struct cursor *c)
{
    const struct bly_place place = place_of(c, c->p);
    const unsigned char byte = (unsigned char)*c->p;
    if (byte == '"' || byte == '\'')
        return bly_refuse_at(c->unit, place, "strings and character constants are not supported");
    if (byte >= 128)
        return bly_refuse_at(c->unit, place, "byte 0x%02x; only comments may contain non-ASCII bytes", byte);
    if (byte < ' ' || byte == 127) return bly_refuse_at(c->unit, place, "byte 0x%02x in the code", byte);
    if (byte == '\\')
        return bly_refuse_at(c->unit, place,
                             "\\ in the code; it continues a line as the last character of it");
    return bly_refuse_at(c->unit, place, "%c in the code: it has no meaning", byte);
}

static bailey_status sign(struct cursor *c)
{
    static const char *const refused[] = {"<:", "<%", "%:", ":>", "%>", "??", "..", NULL};
    static const char *const longer[] = {
        "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", NULL};
    if (begins_with_any(c->p, refused))
        return bly_refuse_at(c->unit, place_of(c, c->p), "%.2s is not supported", c->p);
    if (!*c->p || !strchr("[](){}.&*+-~!/%<>^|?:;=,#", *c->p)) return unknown(c);
    const size_t length = begins_with_any(c->p, longer);
    return add(c, BLY_TOKEN_SIGN, length ? length : 1);
}

static bailey_status token(struct cursor *c)
{
    if (*c->p == '#' && c->at_start) return add(c, BLY_TOKEN_HASH, 1);
    if (is_letter(*c->p)) return name(c);
    if (is_digit(*c->p) || (*c->p == '.' && is_digit(c->p[1]))) return number(c);
    return sign(c);
}

static bailey_status scan(struct cursor *c)
{
    bailey_status status = skip(c);
    while (status == BAILEY_OK && c->p < c->end) {
        status = token(c);
        if (status == BAILEY_OK) status = skip(c);
    }
    if (status != BAILEY_OK) return status;
    if (c->list.count) c->list.tokens[c->list.count - 1].last_of_line = 1;
    const struct bly_token end = {.text = c->p, .place = place_of(c, c->p), .last_of_line = 1, .spaced = 1};
    return bly_list_add(&c->list, &end) ? BAILEY_OK : bly_no_memory(c->unit);
}

static int compare_names(const void *a, const void *b)
{
    const struct bly_token *x = *(struct bly_token *const *)a, *y = *(struct bly_token *const *)b;
    const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Numbers the names, in their alphabetical order. A sort, as no choice of names makes it slow; that of a hash
 * table's keys does. */
static bailey_status number_names(struct bly_unit *unit, struct bly_token **sorted, uint32_t count)
{
    uint32_t distinct = 0;
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < count; i++) {
        distinct += i == 0 || compare_names(&sorted[i - 1], &sorted[i]) != 0;
        sorted[i]->name = distinct;
    }
    unit->name_count = distinct + 1;
    unit->names = bly_arena_take(&unit->arena, unit->name_count * sizeof *unit->names);
    if (!unit->names) return bly_no_memory(unit);
    for (uint32_t i = 0; i < count; i++) {
        if (i && sorted[i]->name == sorted[i - 1]->name) continue;
        const char *text = bly_arena_text(&unit->arena, sorted[i]->text, sorted[i]->length);
        if (!text) return bly_no_memory(unit);
        unit->names[sorted[i]->name] = text;
    }
    return BAILEY_OK;
}

uint32_t bly_name_find(const struct bly_unit *unit, const char *name)
{
    uint32_t low = 1, high = unit->name_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(name, unit->names[middle]);
        if (order == 0) return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* Into the arena. */
static bailey_status keep(struct cursor *c)
{
    struct bly_unit *unit = c->unit;
    struct bly_token **names = bly_alloc(c->list.count, sizeof *names);
    uint32_t count = 0;
    unit->tokens = bly_arena_take(&unit->arena, c->list.count * sizeof *unit->tokens);
    unit->comments = bly_arena_take(&unit->arena, (c->comment_count + 1) * sizeof *unit->comments);
    bailey_status status = names && unit->tokens && unit->comments ? BAILEY_OK : bly_no_memory(unit);
    if (status == BAILEY_OK) {
        unit->token_count = c->list.count - 1;
        unit->comment_count = c->comment_count;
        memcpy(unit->tokens, c->list.tokens, c->list.count * sizeof *unit->tokens);
        if (c->comment_count) memcpy(unit->comments, c->comments, c->comment_count * sizeof *unit->comments);
        for (uint32_t k = 0; k < unit->token_count; k++)
            if (unit->tokens[k].kind == BLY_TOKEN_NAME) names[count++] = &unit->tokens[k];
        status = number_names(unit, names, count);
    }
    bly_free(names);
    return status;
}

/* A zero byte would end the code for functions that take it for a string. */
static bailey_status check_bytes(struct cursor *c)
{
    if (c->unit->length > BLY_MOST_CODE)
        return bly_refuse_at(c->unit, (struct bly_place){0, 0}, "the code has %zu bytes; at most %u",
                             c->unit->length, BLY_MOST_CODE);
    const char *zero = memchr(c->p, 0, (size_t)(c->end - c->p));
    if (!zero) return BAILEY_OK;
    struct cursor at = *c;
    for (const char *newline = c->p; (newline = memchr(newline, '\n', (size_t)(zero - newline)));)
        begin_line(&at, ++newline);
    return bly_refuse_at(c->unit, place_of(&at, zero), "byte 0x00 in the code");
}

bailey_status bly_tokens_read(struct bly_unit *unit)
{
    const char *begin = bly_code_begin(unit);
    struct cursor c = {.unit = unit,
                       .p = begin,
                       .end = unit->code + unit->length,
                       .counted = begin,
                       .place = {1, 1},
                       .at_start = true};
    bailey_status status = check_bytes(&c);
    if (status == BAILEY_OK) status = scan(&c);
    if (status == BAILEY_OK) status = keep(&c);
    bly_list_free(&c.list);
    bly_free(c.comments);
    return status;
}
