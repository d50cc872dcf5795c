/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * jansson reads values one at a time, from where the last one ended. So errors have lines, and a large file
 * needs memory for its text and one deal.
 */
#include "batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES ((size_t)1 << 16)
#define POLL_MILLISECONDS 200

static int file_error(const struct batch_file *f, uint64_t line, const char *what, const char *word)
{
    return cli_error(CLI_USAGE, "%s line %llu: %s%s", f->path, (unsigned long long)line, what, word);
}

/* ---- Bytes ---- */

/* Whether there is something to read, or its end; false when nothing more is needed. */
static int wait_for_input(const struct batch_file *f)
{
    struct pollfd poll_of = {.fd = f->file, .events = POLLIN};
    while (!atomic_load(f->stop)) {
        const int ready = poll(&poll_of, 1, POLL_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return 1;
    }
    return 0;
}

/* Drops what has been read of lines, which may have no end. */
static void forget(struct batch_file *f)
{
    if (f->form == BATCH_DOCUMENT || f->at == 0) return;
    memmove(f->text, f->text + f->at, f->used - f->at);
    f->used -= f->at;
    f->at = 0;
}

/* Reads more of the file. */
static int fill(struct batch_file *f)
{
    forget(f);
    if (f->room - f->used < READ_BYTES) {
        const size_t room = f->room ? 2 * f->room : 2 * READ_BYTES;
        char *text = realloc(f->text, room);
        if (!text) return cli_memory_error(f->path, room);
        f->text = text;
        f->room = room;
    }
    ssize_t got = 0;
    do got = wait_for_input(f) ? read(f->file, f->text + f->used, f->room - f->used) : 0;
    while (got < 0 && errno == EINTR);
    if (got < 0) return cli_error(CLI_FAILED, "cannot read %s: %s", f->path, strerror(errno));
    f->ended = got == 0;
    f->used += (size_t)got;
    return CLI_OK;
}

/* The bytes of the line at f->at, its end included. */
static int find_line(struct batch_file *f, size_t *length)
{
    size_t searched = 0;
    for (;;) {
        const char *end = f->used > f->at + searched
                              ? memchr(f->text + f->at + searched, '\n', f->used - f->at - searched)
                              : NULL;
        *length = end ? (size_t)(end - (f->text + f->at)) + 1 : f->used - f->at;
        if (end || f->ended) return CLI_OK;
        searched = *length;
        const int code = fill(f);
        if (code) return code;
    }
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static int is_blank_line(const struct batch_file *f, size_t length)
{
    size_t blanks = 0;
    while (blanks < length && is_blank(f->text[f->at + blanks])) blanks++;
    return blanks == length;
}

static void skip_blanks(struct batch_file *f)
{
    for (; f->at < f->used && is_blank(f->text[f->at]); f->at++) f->line += f->text[f->at] == '\n';
}

static int is_wanted(const struct batch_file *f, uint64_t number)
{
    if (number % f->part.count != f->part.index) return 0;
    return !f->is_wanted || f->is_wanted(f->user, number);
}

static int remember(struct batch_file *f, const char *deal, size_t length, struct batch_item *item)
{
    return batch_ids_add(&f->ids, deal, length, item->number, item->line, &item->same);
}

/* ---- Integers beyond 2^63 ---- */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* The digits of an integer at `text`, if it is beyond 2^63 - 1, which is as far as jansson goes; else 0. */
static size_t long_integer(const char *text, size_t length)
{
    static const char most[] = "9223372036854775807";
    size_t digits = 0;
    while (digits < length && is_digit(text[digits])) digits++;
    if (digits < length && strchr(".eE", text[digits]) && text[digits]) return 0;
    if (digits < sizeof most - 1) return 0;
    return digits >= sizeof most || memcmp(text, most, sizeof most - 1) > 0 ? digits : 0;
}

/* A copy in which such integers are strings of their digits, which is how seeds may be written too. */
static char *quote_integers(const char *text, size_t length, size_t *written)
{
    char *copy = malloc(length + length / 8 + 8), *to = copy; /* 19 digits and more take two more bytes */
    int quoted = 0;
    for (size_t at = 0; copy && at < length;) {
        const int begins = !quoted && is_digit(text[at]) && !(at && strchr("-+.eE0123456789", text[at - 1]));
        const size_t digits = begins ? long_integer(text + at, length - at) : 0;
        if (digits) *to++ = '"';
        const size_t taken = digits ? digits : quoted && text[at] == '\\' && at + 1 < length ? 2 : 1;
        if (taken == 1) quoted ^= text[at] == '"';
        memcpy(to, text + at, taken);
        to += taken;
        at += taken;
        if (digits) *to++ = '"';
    }
    *written = (size_t)(to - copy);
    return copy;
}

/* json_loadb of a whole value. */
static json_t *load(const char *text, size_t length, size_t flags, json_error_t *error)
{
    json_t *value = json_loadb(text, length, flags, error);
    size_t written = 0;
    if (value || json_error_code(error) != json_error_numeric_overflow) return value;
    char *copy = quote_integers(text, length, &written);
    if (copy) value = json_loadb(copy, written, flags, error);
    free(copy);
    return value;
}

/* ---- Values of a document ---- */

/* Skips an array or object by its brackets. Their contents are read later, or belong to another rank. */
static int skip_value(struct batch_file *f)
{
    const uint64_t first = f->line;
    uint64_t depth = 0;
    int quoted = 0;
    for (; f->at < f->used; f->at++) {
        const char c = f->text[f->at];
        f->line += c == '\n';
        if (quoted && c == '\\') {
            f->at++;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == '[' || c == '{')) {
            depth++;
        } else if (!quoted && (c == ']' || c == '}') && --depth == 0) {
            f->at++;
            return CLI_OK;
        }
    }
    f->at = f->used;
    return file_error(f, first, "unterminated text begins here", "");
}

/* The value at f->at, an object or array that has integers beyond 2^63. */
static json_t *take_long_integers(struct batch_file *f)
{
    const size_t first = f->at;
    const uint64_t line = f->line;
    json_error_t error;
    if (skip_value(f)) return NULL;
    json_t *value = load(f->text + first, f->at - first, JSON_REJECT_DUPLICATES, &error);
    if (!value) file_error(f, line + (error.line > 0 ? (uint64_t)error.line - 1 : 0), error.text, "");
    return value;
}

/* Reads the value at f->at, and moves f->at behind it; NULL after an error, which has been printed. *known
 * (may be NULL): the error is a key that an object has twice, so that the end of the value is known. */
static json_t *take_value(struct batch_file *f, int *known)
{
    json_error_t error;
    json_t *value = json_loadb(f->text + f->at, f->used - f->at,
                               JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
    if (!value && json_error_code(&error) == json_error_numeric_overflow) return take_long_integers(f);
    if (!value && known) *known = json_error_code(&error) == json_error_duplicate_key;
    if (!value) {
        file_error(f, f->line + (error.line > 0 ? (uint64_t)error.line - 1 : 0), error.text, "");
        return NULL;
    }
    const size_t end = f->at + (size_t)error.position;
    for (; f->at < end; f->at++) f->line += f->text[f->at] == '\n';
    return value;
}

static int at_char(struct batch_file *f, char c)
{
    skip_blanks(f);
    return f->at < f->used && f->text[f->at] == c;
}

static int take_char(struct batch_file *f, char c, const char *what)
{
    if (!at_char(f, c)) return file_error(f, f->line, what, "");
    f->at++;
    return CLI_OK;
}

/* ---- The members of a document ---- */

static int take_deals(struct batch_file *f)
{
    if (f->has_deals) return file_error(f, f->line, "deals occurs twice", "");
    if (!at_char(f, '[')) return file_error(f, f->line, "deals is not an array", "");
    f->has_deals = 1;
    f->deals = f->at;
    f->deals_line = f->line;
    return skip_value(f);
}

static int take_defaults(struct batch_file *f)
{
    if (f->defaults) return file_error(f, f->line, "defaults occurs twice", "");
    if (!at_char(f, '{')) return file_error(f, f->line, "defaults is not an object", "");
    f->defaults = take_value(f, NULL);
    return f->defaults ? CLI_OK : CLI_USAGE;
}

static int take_member(struct batch_file *f)
{
    if (!at_char(f, '"')) return file_error(f, f->line, "a name in quotes is expected", "");
    const uint64_t line = f->line;
    json_t *name = take_value(f, NULL);
    if (!name) return CLI_USAGE;
    int code = take_char(f, ':', "a colon is expected");
    if (!code && !strcmp(json_string_value(name), "defaults"))
        code = take_defaults(f);
    else if (!code && !strcmp(json_string_value(name), "deals"))
        code = take_deals(f);
    else if (!code)
        code = cli_error(CLI_USAGE,
                         "%s line %llu: '%s' is neither defaults nor deals, the members of a document; with "
                         "one deal per line, a deal cannot span several lines",
                         f->path, (unsigned long long)line, cli_printable(json_string_value(name)));
    json_decref(name);
    return code;
}

static int take_members(struct batch_file *f)
{
    int code = take_char(f, '{', "neither JSON nor lines of JSON");
    if (!code && !at_char(f, '}')) {
        code = take_member(f);
        while (!code && at_char(f, ',')) {
            f->at++;
            code = take_member(f);
        }
    }
    return code ? code : take_char(f, '}', "a comma or } is expected");
}

/* Reads a document as far as its deals. */
static int begin_document(struct batch_file *f)
{
    int code = CLI_OK;
    while (!code && !f->ended) code = fill(f);
    if (code) return code;
    code = at_char(f, '[') ? take_deals(f) : take_members(f);
    skip_blanks(f);
    if (!code && f->at < f->used) code = file_error(f, f->line, "unexpected text after the end", "");
    if (!code && !f->has_deals) code = cli_error(CLI_USAGE, "%s: it contains no deals", f->path);
    f->at = f->deals + 1;
    f->line = f->deals_line;
    return code;
}

static int take_deal(struct batch_file *f, struct batch_item *item)
{
    int known = 0;
    item->object = take_value(f, &known);
    if (known) return skip_value(f);
    return item->object ? CLI_OK : CLI_USAGE;
}

static int next_of_array(struct batch_file *f, struct batch_item *item)
{
    if (at_char(f, ']')) return CLI_OK;
    if (f->begun) {
        const int code = take_char(f, ',', "a comma or ] is expected between deals");
        if (code) return code;
    }
    f->begun = 1;
    if (!at_char(f, '{')) return file_error(f, f->line, "a deal is not an object", "");
    item->number = f->number++;
    item->line = f->line;
    item->what = BATCH_DEAL;
    item->wanted = is_wanted(f, item->number);
    const size_t begin = f->at;
    const int code = item->wanted ? take_deal(f, item) : skip_value(f);
    return code ? code : remember(f, f->text + begin, f->at - begin, item);
}

static int next_of_document(struct batch_file *f, struct batch_item *item)
{
    if (f->defaults) {
        *item = (struct batch_item){.what = BATCH_DEFAULTS, .object = f->defaults, .line = 1};
        f->defaults = NULL;
        return CLI_OK;
    }
    int code = CLI_OK;
    do {
        *item = (struct batch_item){.what = BATCH_END};
        if (!atomic_load(f->stop)) code = next_of_array(f, item);
    } while (!code && item->what == BATCH_DEAL && !item->wanted);
    return code;
}

/* ---- Lines ---- */

static json_t *read_line(const struct batch_file *f, size_t length, json_error_t *error)
{
    return load(f->text + f->at, length, JSON_REJECT_DUPLICATES, error);
}

/* Whether a line sets the defaults of those that follow. */
static int is_defaults(const struct batch_file *f, size_t length)
{
    static const char key[] = "{\"defaults\"";
    size_t matched = 0;
    for (size_t i = 0; i < length && key[matched]; i++) {
        const char c = f->text[f->at + i];
        if (is_blank(c)) continue;
        if (c != key[matched++]) return 0;
    }
    return !key[matched];
}

static json_t *defaults_of(struct batch_file *f, json_t *line)
{
    json_t *defaults = json_incref(json_object_get(line, "defaults"));
    if (json_object_size(line) == 1 && json_is_object(defaults)) {
        json_decref(line);
        return defaults;
    }
    file_error(f, f->line, "a line of defaults has one member, which is an object", "");
    json_decref(defaults);
    json_decref(line);
    return NULL;
}

static int take_line(struct batch_file *f, size_t length, struct batch_item *item)
{
    json_error_t error;
    const int defaults = is_defaults(f, length);
    *item = (struct batch_item){.what = defaults ? BATCH_DEFAULTS : BATCH_DEAL, .line = f->line};
    if (!defaults) item->number = f->number++;
    item->wanted = !defaults && is_wanted(f, item->number);
    const int code = defaults ? CLI_OK : remember(f, f->text + f->at, length, item);
    if (code || (!defaults && !item->wanted)) return code;
    item->object = read_line(f, length, &error);
    if (item->object && !json_is_object(item->object)) {
        json_decref(item->object);
        item->object = NULL;
        file_error(f, f->line, "a deal is not an object", "");
    } else if (!item->object) {
        file_error(f, f->line, error.text, "");
    } else if (defaults) {
        item->object = defaults_of(f, item->object);
    }
    return defaults && !item->object ? CLI_USAGE : CLI_OK;
}

static int next_of_lines(struct batch_file *f, struct batch_item *item)
{
    size_t length = 0;
    int code = CLI_OK, ours = 0;
    while (!code && !ours) {
        *item = (struct batch_item){.what = BATCH_END};
        if ((code = find_line(f, &length)) || length == 0 || atomic_load(f->stop)) return code;
        if (!is_blank_line(f, length)) {
            code = take_line(f, length, item);
            ours = item->what == BATCH_DEFAULTS || item->wanted;
        }
        f->at += length;
        f->line++;
    }
    return code;
}

/* ---- Either ---- */

/* A first line that is an object without deals is a deal, or the defaults of some. */
static int find_form(struct batch_file *f)
{
    size_t length = 0;
    json_error_t error;
    int code = find_line(f, &length);
    if (!code && length >= 3 && !memcmp(f->text, "\xef\xbb\xbf", 3)) { /* a byte-order mark */
        f->at = 3;
        length -= 3;
    }
    while (!code && length && is_blank_line(f, length)) {
        f->line++;
        f->at += length;
        code = find_line(f, &length);
    }
    if (code) return code;
    if (!length) return cli_error(CLI_USAGE, "%s: it contains no deals", f->path);
    json_t *first = read_line(f, length, &error);
    f->form = json_is_object(first) && !json_object_get(first, "deals") ? BATCH_LINES : BATCH_DOCUMENT;
    json_decref(first);
    return f->form == BATCH_DOCUMENT ? begin_document(f) : CLI_OK;
}

int batch_file_open(struct batch_file *f, const char *path, struct batch_part part, atomic_int *stop)
{
    *f = (struct batch_file){.path = path, .file = STDIN_FILENO, .part = part, .stop = stop, .line = 1};
    if (!strcmp(path, "-")) {
        f->path = "standard input";
        return CLI_OK;
    }
    f->file = open(path, O_RDONLY | O_CLOEXEC);
    return f->file < 0 ? cli_error(CLI_FAILED, "cannot open %s: %s", path, strerror(errno)) : CLI_OK;
}

int batch_file_next(struct batch_file *f, struct batch_item *item)
{
    *item = (struct batch_item){.what = BATCH_END};
    if (f->form == BATCH_UNKNOWN) {
        const int code = find_form(f);
        if (code) return code;
    }
    return f->form == BATCH_LINES ? next_of_lines(f, item) : next_of_document(f, item);
}

void batch_file_close(struct batch_file *f)
{
    if (f->file > STDIN_FILENO) close(f->file);
    json_decref(f->defaults);
    batch_ids_free(&f->ids);
    free(f->text);
    f->text = NULL;
    f->defaults = NULL;
}
