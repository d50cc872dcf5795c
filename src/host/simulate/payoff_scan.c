/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tokens of C. A little stricter than C, so that all compilers see the same: no digraphs and trigraphs, no
 * line that ends within a word, brackets closed between the lines of an #if.
 */
#include "payoff_scan.h"

#include <base/alloc.h>
#include <base/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES (1u << 20)
#define MOST_DEPTH 200u /* of brackets; clang allows 256, with ours */
#define MOST_NAME 63u
#define MOST_NUMBER 255u
#define NONE UINT32_MAX

struct cursor {
    struct bly_scan *scan;
    const char *p;
    uint32_t line, spaces;
    uint32_t open, depth;        /* the innermost bracket or #if that is open; what encloses it is its mate */
    uint32_t directive, outside; /* the # line, and what was open before it */
    int at_start;                /* nothing on this line so far */
};

bailey_status bly_refuse(const struct bly_scan *scan, uint32_t line, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    bly_format(text, sizeof text, format, arguments);
    va_end(arguments);
    return bly_fail_argument(scan->levels ? "levels" : "payoff", "%s, line %u: %s", scan->name, line, text);
}

int bly_is(const struct bly_scan *scan, uint32_t k, const char *text)
{
    const struct bly_token *token = &scan->tokens[k];
    return token->kind != BLY_TOKEN_MESSAGE && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

struct bly_word *bly_word_of(const struct bly_scan *scan, uint32_t k)
{
    return scan->tokens[k].kind == BLY_TOKEN_WORD ? &scan->words[scan->tokens[k].word] : NULL;
}

uint32_t bly_flags(const struct bly_scan *scan, uint32_t k)
{
    const struct bly_word *word = bly_word_of(scan, k);
    return word ? word->flags : 0;
}

uint32_t bly_after(const struct bly_scan *scan, uint32_t k)
{
    const uint32_t directive = scan->tokens[k].directive;
    if (k == scan->count) return k;
    k++;
    if (directive) return scan->tokens[k].directive == directive ? k : scan->count;
    while (scan->tokens[k].directive) k++;
    return k;
}

uint32_t bly_after_directive(const struct bly_scan *scan, uint32_t k)
{
    const uint32_t directive = scan->tokens[k].directive;
    while (scan->tokens[k].directive == directive && k < scan->count) k++;
    return k;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
/* Characters that a line's end would have to keep apart. */
static int may_join(char a, char b)
{
    const int word_a = is_letter(a) || is_digit(a) || a == '.',
              word_b = is_letter(b) || is_digit(b) || b == '.';
    return !is_space(b) && b != '\n' && b != '\0' && word_a == word_b;
}

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_of(const char *text, uint32_t length)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

static uint32_t find_word(struct bly_scan *scan, const char *text, uint32_t length)
{
    uint32_t slot = hash_of(text, length) & scan->slot_mask;
    for (; scan->slots[slot]; slot = (slot + 1) & scan->slot_mask) {
        const struct bly_word *word = &scan->words[scan->slots[slot] - 1];
        if (word->length == length && memcmp(word->text, text, length) == 0) return scan->slots[slot] - 1;
    }
    struct bly_word *word = &scan->words[scan->word_count++];
    scan->slots[slot] = scan->word_count;
    word->text = text;
    word->length = length;
    bly_word_classify(word);
    return scan->word_count - 1;
}

static struct bly_token *add(struct cursor *c, enum bly_token_kind kind, uint32_t length)
{
    struct bly_token *token = &c->scan->tokens[c->scan->count++];
    token->text = c->p;
    token->length = length;
    token->line = c->line;
    token->spaces = c->spaces;
    token->kind = (uint8_t)kind;
    token->directive = c->directive;
    if (kind == BLY_TOKEN_WORD) token->word = find_word(c->scan, c->p, length);
    c->p += length;
    c->spaces = 0;
    c->at_start = 0;
    return token;
}

static bailey_status unclosed(const struct cursor *c)
{
    const struct bly_token *open = &c->scan->tokens[c->open];
    return bly_refuse(c->scan, open->line,
                      *open->text == '#' ? "this #if has no #endif" : "this %.*s is not closed",
                      BLY_SHOWN(open));
}

static bailey_status push(struct cursor *c, uint32_t k)
{
    struct bly_token *token = &c->scan->tokens[k];
    if (++c->depth > MOST_DEPTH)
        return bly_refuse(c->scan, token->line, "more than %u brackets within each other", MOST_DEPTH);
    token->mate = c->open;
    c->open = k;
    return BAILEY_OK;
}

static void pop(struct cursor *c, uint32_t closing)
{
    const uint32_t open = c->open;
    c->open = c->scan->tokens[open].mate;
    c->depth--;
    c->scan->tokens[open].mate = closing;
    c->scan->tokens[closing].mate = open;
}

static bailey_status bracket(struct cursor *c, uint32_t k)
{
    const struct bly_token *token = &c->scan->tokens[k];
    const char sign = *token->text;
    if (sign == '(' || sign == '[' || sign == '{') return push(c, k);
    const char opening = sign == ')' ? '(' : sign == ']' ? '[' : '{';
    if (c->open == NONE || (c->directive && c->open == c->outside))
        return bly_refuse(c->scan, token->line, "this %c closes nothing", sign);
    const char open = *c->scan->tokens[c->open].text;
    if (open == '#')
        return bly_refuse(c->scan, token->line, "this %c closes what begins before the #if of line %u", sign,
                          c->scan->tokens[c->open].line);
    if (open != opening) return unclosed(c);
    pop(c, k);
    return BAILEY_OK;
}

/* The end of a # line: its brackets are its own; #if opens, #endif closes. */
static bailey_status end_directive(struct cursor *c)
{
    const uint32_t k = c->directive - 1;
    const struct bly_scan *scan = c->scan;
    if (!c->directive) return BAILEY_OK;
    if (c->open != c->outside) return unclosed(c);
    c->directive = 0;
    if (k + 1 == scan->count) return bly_refuse(scan, scan->tokens[k].line, "this # has no word after it");
    if (bly_is(scan, k + 1, "if") || bly_is(scan, k + 1, "ifdef") || bly_is(scan, k + 1, "ifndef"))
        return push(c, k);
    const int end = bly_is(scan, k + 1, "endif");
    if (!end && !bly_is(scan, k + 1, "else") && !bly_is(scan, k + 1, "elif")) return BAILEY_OK;
    if (c->open == NONE)
        return bly_refuse(scan, scan->tokens[k].line, "this #%.*s has no #if",
                          BLY_SHOWN(&scan->tokens[k + 1]));
    if (*scan->tokens[c->open].text != '#') return unclosed(c);
    if (end) pop(c, k);
    return BAILEY_OK;
}

/* The rest of the line; compilers do not agree on a backslash at its end. */
static bailey_status rest_of_line(struct cursor *c, uint32_t *length)
{
    *length = (uint32_t)strcspn(c->p, "\n");
    uint32_t last = *length;
    while (last > 0 && is_space(c->p[last - 1])) last--;
    if (last > 0 && c->p[last - 1] == '\\')
        return bly_refuse(c->scan, c->line, "a comment or an #error may not end with a backslash");
    return BAILEY_OK;
}

static bailey_status skip_comment(struct cursor *c)
{
    c->spaces++;
    if (c->p[1] == '/') {
        uint32_t length;
        const bailey_status status = rest_of_line(c, &length);
        c->p += length;
        return status;
    }
    const char *end = strstr(c->p + 2, "*/");
    if (!end) return bly_refuse(c->scan, c->line, "this comment does not end");
    for (; c->p < end; c->p++) c->line += *c->p == '\n';
    c->p += 2;
    return BAILEY_OK;
}

static bailey_status skip_splice(struct cursor *c, const char *newline)
{
    if (!c->at_start && c->spaces == 0 && may_join(c->p[-1], newline[1]))
        return bly_refuse(c->scan, c->line, "write a space before the backslash that ends the line");
    c->p = newline + 1;
    c->line++;
    c->spaces = 1;
    return BAILEY_OK;
}

static bailey_status skip_newline(struct cursor *c)
{
    const bailey_status status = end_directive(c);
    c->p++;
    c->line++;
    c->spaces = 0;
    c->at_start = 1;
    return status;
}

/* What is between tokens. */
static bailey_status skip(struct cursor *c)
{
    bailey_status status = BAILEY_OK;
    while (status == BAILEY_OK) {
        const char *newline = c->p + 1;
        if (*c->p == '\\') newline += *newline == '\r';
        if (is_space(*c->p))
            c->p++, c->spaces++;
        else if (*c->p == '\n')
            status = skip_newline(c);
        else if (*c->p == '/' && (c->p[1] == '/' || c->p[1] == '*'))
            status = skip_comment(c);
        else if (*c->p == '\\' && *newline == '\n')
            status = skip_splice(c, newline);
        else
            break;
    }
    return status;
}

/* The word at k follows a #. */
static bailey_status scan_directive(struct cursor *c, uint32_t k)
{
    static const char *const offered[] = {"define", "undef", "if",    "ifdef", "ifndef",
                                          "else",   "elif",  "endif", "error", NULL};
    uint32_t length = 0;
    while (offered[length] && !bly_is(c->scan, k, offered[length])) length++;
    if (!offered[length])
        return bly_refuse(
            c->scan, c->line,
            "#%.*s is not offered; a payoff may have #define, #undef, #if, #ifdef, #ifndef, #else, "
            "#elif, #endif, #error",
            BLY_SHOWN(&c->scan->tokens[k]));
    if (!bly_is(c->scan, k, "error")) return BAILEY_OK;
    const bailey_status status = rest_of_line(c, &length);
    if (status == BAILEY_OK) add(c, BLY_TOKEN_MESSAGE, length);
    return status;
}

static bailey_status scan_word(struct cursor *c)
{
    uint32_t length = 1;
    const uint32_t k = c->scan->count;
    while (is_letter(c->p[length]) || is_digit(c->p[length])) length++;
    if (length > MOST_NAME)
        return bly_refuse(c->scan, c->line, "a name of %u characters; at most %u", length, MOST_NAME);
    add(c, BLY_TOKEN_WORD, length);
    return c->directive && c->directive == k ? scan_directive(c, k) : BAILEY_OK;
}

/* C's pp-number: whatever begins like a number, whether it is one or not. */
static bailey_status scan_number(struct cursor *c)
{
    uint32_t length = 1;
    while (is_letter(c->p[length]) || is_digit(c->p[length]) || c->p[length] == '.' ||
           ((c->p[length] == '+' || c->p[length] == '-') && strchr("eEpP", c->p[length - 1])))
        length++;
    if (length > MOST_NUMBER)
        return bly_refuse(c->scan, c->line, "a number of %u characters; at most %u", length, MOST_NUMBER);
    add(c, BLY_TOKEN_NUMBER, length);
    return BAILEY_OK;
}

static int begins_with_any(const char *p, const char *const *signs)
{
    for (; *signs; signs++)
        if (strncmp(p, *signs, strlen(*signs)) == 0) return (int)strlen(*signs);
    return 0;
}

static bailey_status scan_sign(struct cursor *c)
{
    static const char *const refused[] = {"<:", "<%", "%:", ":>", "%>", "??", "..", NULL};
    static const char *const longer[] = {
        "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", NULL};
    if (*c->p == '"' || *c->p == '\'')
        return bly_refuse(c->scan, c->line, "strings and character constants are not offered");
    if (begins_with_any(c->p, refused)) return bly_refuse(c->scan, c->line, "%.2s is not offered", c->p);
    if ((unsigned char)*c->p >= 128)
        return bly_refuse(c->scan, c->line, "byte 0x%02x; only comments may have others than ASCII",
                          (unsigned char)*c->p);
    if (!strchr("[](){}.&*+-~!/%<>^|?:;=,#", *c->p))
        return *c->p < ' ' || *c->p == 127
                   ? bly_refuse(c->scan, c->line, "byte 0x%02x in the text", (unsigned char)*c->p)
                   : bly_refuse(c->scan, c->line, "%c in the text", *c->p);
    const int length = begins_with_any(c->p, longer);
    const uint32_t k = c->scan->count;
    add(c, BLY_TOKEN_SIGN, length ? (uint32_t)length : 1);
    return strchr("()[]{}", *c->scan->tokens[k].text) ? bracket(c, k) : BAILEY_OK;
}

static bailey_status scan_token(struct cursor *c)
{
    if (*c->p == '#' && c->at_start) {
        c->directive = c->scan->count + 1;
        c->outside = c->open;
        add(c, BLY_TOKEN_SIGN, 1);
        return BAILEY_OK;
    }
    if (is_letter(*c->p)) return scan_word(c);
    if (is_digit(*c->p) || (*c->p == '.' && is_digit(c->p[1]))) return scan_number(c);
    return scan_sign(c);
}

static bailey_status scan_all(struct cursor *c)
{
    bailey_status status = skip(c);
    while (status == BAILEY_OK && *c->p) {
        status = scan_token(c);
        if (status == BAILEY_OK) status = skip(c);
    }
    if (status == BAILEY_OK) status = end_directive(c);
    if (status == BAILEY_OK && c->open != NONE) status = unclosed(c);
    return status;
}

bailey_status bly_scan_text(struct bly_scan *scan, const char *text)
{
    const char *end = memchr(text, 0, MOST_BYTES + 1);
    if (!end) return bly_refuse(scan, 1, "a text of more than %u bytes", MOST_BYTES);
    const uint32_t length = (uint32_t)(end - text);
    scan->slot_mask = 63;
    while (scan->slot_mask < length) scan->slot_mask = 2 * scan->slot_mask + 1;
    /* An #error has one token more than characters may show. */
    scan->tokens = bly_alloc(length + 4, sizeof *scan->tokens);
    scan->words = bly_alloc(length / 2 + 1, sizeof *scan->words);
    scan->slots = bly_alloc((size_t)scan->slot_mask + 1, sizeof *scan->slots);
    if (!scan->tokens || !scan->words || !scan->slots)
        return bly_fail(BAILEY_ERROR_MEMORY, "no memory to read a payoff");
    /* Some editors begin a file with a byte order mark. */
    const char *begin = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
    struct cursor c = {.scan = scan, .p = begin, .line = 1, .open = NONE, .at_start = 1};
    const bailey_status status = scan_all(&c);
    scan->tokens[scan->count].line = c.line;
    scan->tokens[scan->count].text = c.p;
    return status;
}

void bly_scan_free(struct bly_scan *scan)
{
    bly_free(scan->tokens);
    bly_free(scan->words);
    bly_free(scan->slots);
}
