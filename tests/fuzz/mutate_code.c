/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Changes of payoff code that know its grammar a little: tokens, expressions and statements are deleted,
 * repeated, exchanged, replaced and wrapped, so that most of what comes out gets past the tokens. What
 * follows the code, behind a zero byte, stays.
 */
#include "fuzz.h"

#include "../random_payoff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TOKENS 4096

enum shape { TOKEN, EXPRESSION, STATEMENT, SHAPES };

struct range {
    size_t begin, end; /* bytes */
};

struct code {
    uint8_t *bytes;
    size_t size, room; /* of all */
    size_t length;     /* of the code */
    uint32_t count;    /* of tokens */
    struct range tokens[MOST_TOKENS];
    uint32_t mates[MOST_TOKENS]; /* of brackets; else the token itself */
};

static struct code made, other;
static uint64_t state;

/* splitmix64: Steele, Lea and Flood (2014). */
static uint64_t draw(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
static size_t below(size_t limit) { return limit ? (size_t)(draw() % limit) : 0; }

/* ---- Words of the language ----------------------------------------------------------------------- */

static const char *const names[] = {
    "real",       "int",     "int32",  "uint32",   "int64",   "uint64",  "void",  "const", "static",
    "struct",     "typedef", "enum",   "if",       "else",    "for",     "while", "do",    "switch",
    "case",       "default", "break",  "continue", "return",  "params",  "state", "path",  "noise",
    "DIMS",       "STEPS",   "LEVELS", "start",    "step",    "finish",  "whole", "pair",  "exp",
    "log",        "sqrt",    "pow",    "fabs",     "fmin",    "fmax",    "floor", "ceil",  "fma",
    "normal_cdf", "at",      "time",   "s",        "p",       "x",       "i",     "t",     "h",
    "out",        "n",       "m",      "level",    "dw",      "z",       "u",     "k",     "sizeof",
    "defined",    "inline",  "double", "goto",     "NORMALS", "UNIFORMS"};
static const char *const numbers[] = {
    "0",          "1",           "2",     "3",          "11",         "12",          "16",
    "17",         "255",         "65536", "2147483647", "2147483648", "4294967295u", "4294967296",
    "0x7fffffff", "0xffffffffu", "017",   "9u",         "0.0",        "1.0",         "0.5",
    ".1",         "1e3",         "1e-40", "3.4e38",     "1e39",       "1e308",       "1e309",
    "0x1p-3",     "1.f",         "2.5L",  "1e",         "0x",         "08",          "9223372036854775807"};
static const char *const signs[] = {"+",  "-",  "*",  "/",  "%",  "<<", ">>",  "<",   ">",  "<=", ">=", "==",
                                    "!=", "&&", "||", "&",  "|",  "^",  "!",   "~",   "?",  ":",  ",",  ";",
                                    "=",  "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|=", "++",
                                    "--", ".",  "->", "(",  ")",  "[",  "]",   "{",   "}"};
static const char *const expressions[] = {"i",
                                          "t",
                                          "x[0]",
                                          "x[i]",
                                          "x[DIMS - 1]",
                                          "x[DIMS]",
                                          "s->a",
                                          "p->a",
                                          "(int)t",
                                          "(real)i",
                                          "(uint32)-1",
                                          "(int64)x[0]",
                                          "fmax(t, 0)",
                                          "exp(x[0])",
                                          "i / 3",
                                          "1 / i",
                                          "i % DIMS",
                                          "i << 3",
                                          "i >> 40",
                                          "-i",
                                          "!i",
                                          "~i",
                                          "t < 0 ? t : 1",
                                          "i && t > 0",
                                          "a",
                                          "h[i]",
                                          "h[i % 2]",
                                          "at(x, i, 0)",
                                          "time(x, STEPS - 1)",
                                          "n->dw[0]",
                                          "n->z[0]",
                                          "f(t)",
                                          "&l",
                                          "STEPS",
                                          "LEVELS",
                                          "(2147483647 + i)",
                                          "{1, 2}",
                                          "i ? 1 : 2.5"};
static const char *const statements[] = {";",
                                         "return;",
                                         "break;",
                                         "continue;",
                                         "i++;",
                                         "s->a += t;",
                                         "s->a = x[0];",
                                         "out[0] = t;",
                                         "int a = 0;",
                                         "real a;",
                                         "real h[2] = {0};",
                                         "real h[DIMS];",
                                         "{ int a = 1; a--; }",
                                         "int a = i, b[3];",
                                         "const int c = 2;",
                                         "for (int k = 0; k < DIMS; k++) s->a += x[k];",
                                         "for (int k = STEPS; k > 0; k /= 2) ;",
                                         "while (i) i--;",
                                         "do i++; while (i < 3);",
                                         "switch (i) { case 0: break; default: i = 1; }",
                                         "if (i) t = 0; else t = 1;",
                                         "struct l { real a; int b[2]; }; ",
                                         "typedef struct { real a, b[2]; } l;",
                                         "enum { A, B = 3 };",
                                         "static const real table[3] = {1, .5, 2};",
                                         "real f(real y) { return y * y; }",
                                         "void g(state *s, real y) { s->a = y; }",
                                         "l q; q.a = 1;",
                                         "case 1:",
                                         "default:",
                                         "for (;;) ;",
                                         "return t;",
                                         "(void)s;"};
static const char *const lines[] = {"\n#define A 2\n",
                                    "\n#define F(x) ((x) + 1)\n",
                                    "\n#if DIMS > 2\n",
                                    "\n#else\n",
                                    "\n#endif\n",
                                    "\n#undef A\n",
                                    "\n#ifdef A\n",
                                    "\n#error no\n",
                                    "\n#elif A\n",
                                    "\n#define NORMALS 2\n",
                                    "\n#define t (t)\n",
                                    "\n#define G() F(F\n",
                                    " /* real a; [> 0; default 1] */ ",
                                    "\n/** steps 12; dims 2 */\n",
                                    " // [0 or 1; role spot]\n"};
static const struct {
    const char *before, *behind;
    enum shape shape;
} wraps[] = {{"(", ")", EXPRESSION},
             {"-(", ")", EXPRESSION},
             {"!", "", EXPRESSION},
             {"exp(", ")", EXPRESSION},
             {"(int)(", ")", EXPRESSION},
             {"(real)(", ")", EXPRESSION},
             {"fmax(0, ", ")", EXPRESSION},
             {"i ? 0 : ", "", EXPRESSION},
             {"h[", "]", EXPRESSION},
             {"", " + 1", EXPRESSION},
             {"F(", ")", EXPRESSION},
             {"(", ") / 3", EXPRESSION},
             {"{", "}", STATEMENT},
             {"if (t > 0) ", "", STATEMENT},
             {"if (i) {", "} else ;", STATEMENT},
             {"for (int k = 0; k < 3; k++) ", "", STATEMENT},
             {"while (i++ < 9) {", "}", STATEMENT},
             {"do ", "while (0);", STATEMENT},
             {"switch (i) { case 1: ", "}", STATEMENT},
             {"for (;;) {", "break; }", STATEMENT}};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ONE_OF(array) (array)[below(COUNT(array))]

/* ---- Tokens, roughly ----------------------------------------------------------------------------- */

static bool is_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The end of what begins at `at`: a word, a comment, a # line, or a sign. */
static size_t end_of(const struct code *code, size_t at)
{
    const uint8_t *p = code->bytes;
    size_t end = at + 1;
    if (is_word(p[at])) {
        while (end < code->length && (is_word(p[end]) || p[end] == '.')) end++;
    } else if (p[at] == '#' || (p[at] == '/' && end < code->length && p[end] == '/')) {
        while (end < code->length && p[end] != '\n') end++;
    } else if (p[at] == '/' && end < code->length && p[end] == '*') {
        for (end += 2; end < code->length && (p[end - 1] != '*' || p[end] != '/');) end++;
        end += end < code->length;
    } else if (end < code->length && p[end] == '=' && strchr("+-*/%&|^<>=!", p[at]))
        end++;
    else if (end < code->length && p[end] == p[at] && strchr("+-&|<>", p[at]))
        end++;
    return end < code->length ? end : code->length;
}

static void read_code(struct code *code)
{
    uint32_t open[MOST_TOKENS], depth = 0;
    const uint8_t *zero = code->size ? memchr(code->bytes, 0, code->size) : NULL;
    code->length = zero ? (size_t)(zero - code->bytes) : code->size;
    code->count = 0;
    for (size_t at = 0; at < code->length && code->count < MOST_TOKENS;) {
        if (is_space(code->bytes[at])) {
            at++;
            continue;
        }
        const uint32_t k = code->count++;
        const uint8_t c = code->bytes[at];
        code->tokens[k] = (struct range){at, end_of(code, at)};
        code->mates[k] = k;
        at = code->tokens[k].end;
        if (c == '(' || c == '[' || c == '{') open[depth++] = k;
        if ((c == ')' || c == ']' || c == '}') && depth) {
            code->mates[k] = open[--depth];
            code->mates[open[depth]] = k;
        }
    }
}

static bool is_any_of(const struct code *code, uint32_t k, const char *characters)
{
    return strchr(characters, code->bytes[code->tokens[k].begin]) != NULL;
}

/* From the token behind a separator, to the one before the next; brackets are passed over. */
static struct range between(const struct code *code, uint32_t k, const char *separators, bool with_end)
{
    uint32_t first = k, last = k;
    while (first > 0 && !is_any_of(code, first - 1, separators) && !is_any_of(code, first - 1, "([{"))
        first = code->mates[first - 1] < first ? code->mates[first - 1] : first - 1;
    if (code->mates[last] > last) last = code->mates[last];
    while (last + 1 < code->count && !is_any_of(code, last, with_end ? separators : "") &&
           !is_any_of(code, last + 1, with_end ? "" : separators) && !is_any_of(code, last + 1, ")]}"))
        last = code->mates[last + 1] > last ? code->mates[last + 1] : last + 1;
    return (struct range){code->tokens[first].begin, code->tokens[last].end};
}

static struct range choose(const struct code *code, enum shape shape)
{
    if (code->count == 0) return (struct range){0, 0};
    const uint32_t k = (uint32_t)below(code->count);
    if (shape == TOKEN) return code->tokens[k];
    if (shape == STATEMENT) return between(code, k, ";}", true);
    return between(code, k, below(2) ? ",;=" : ",;=+-*/<>&|?:", false);
}

/* ---- Changes ------------------------------------------------------------------------------------- */

static void replace(struct range range, const void *in, size_t size)
{
    const size_t out = range.end - range.begin;
    if (made.size - out + size > made.room) return;
    memmove(made.bytes + range.begin + size, made.bytes + range.end, made.size - range.end);
    if (size) memcpy(made.bytes + range.begin, in, size);
    made.size += size - out;
    read_code(&made);
}

static void replace_by(struct range range, const char *text)
{
    char spaced[256];
    size_t length = strlen(text);
    memcpy(spaced + 1, text, length);
    spaced[0] = spaced[length + 1] = ' ';
    replace(range, spaced, length + 2);
}

static void replace_by_piece(struct range range, const struct code *from, struct range piece)
{
    static uint8_t copy[1 << 16];
    const size_t size = piece.end - piece.begin;
    if (size > sizeof copy) return;
    memcpy(copy, from->bytes + piece.begin, size);
    replace(range, copy, size);
}

static void exchange(enum shape shape)
{
    static uint8_t copy[1 << 16];
    struct range a = choose(&made, shape), b = choose(&made, shape);
    if (b.begin < a.begin) {
        const struct range c = a;
        a = b, b = c;
    }
    if (a.end > b.begin || b.end - a.begin > sizeof copy) return;
    size_t used = 0;
    const struct range parts[] = {b, {a.end, b.begin}, a};
    for (size_t i = 0; i < COUNT(parts); i++) {
        memcpy(copy + used, made.bytes + parts[i].begin, parts[i].end - parts[i].begin);
        used += parts[i].end - parts[i].begin;
    }
    memcpy(made.bytes + a.begin, copy, used);
    read_code(&made);
}

/* A token by one of its kind: names by names of this code most of the time. */
static void change_token(void)
{
    const struct range token = choose(&made, TOKEN);
    const uint8_t c = token.begin < made.length ? made.bytes[token.begin] : ' ';
    if (c >= '0' && c <= '9')
        replace_by(token, ONE_OF(numbers));
    else if (!is_word(c))
        replace_by(token, ONE_OF(signs));
    else if (below(4) == 0)
        replace_by(token, ONE_OF(names));
    else
        for (int tries = 0; tries < 8; tries++) {
            const struct range by = choose(&made, TOKEN);
            if (by.begin < made.length && is_word(made.bytes[by.begin])) {
                replace_by_piece(token, &made, by);
                break;
            }
        }
}

static void insert(void)
{
    const enum shape shape = (enum shape)below(SHAPES);
    const struct range range = choose(&made, shape);
    const struct range before = {range.begin, range.begin};
    switch (below(6)) {
    case 0: replace_by(before, ONE_OF(names)); break;
    case 1: replace_by(before, ONE_OF(signs)); break;
    case 2: replace_by(before, ONE_OF(lines)); break;
    case 3: replace_by(choose(&made, EXPRESSION), ONE_OF(expressions)); break;
    default:
        replace_by((struct range){choose(&made, STATEMENT).begin, choose(&made, STATEMENT).begin},
                   ONE_OF(statements));
    }
}

static void wrap(void)
{
    const size_t i = below(COUNT(wraps));
    const struct range range = choose(&made, wraps[i].shape);
    replace((struct range){range.end, range.end}, wraps[i].behind, strlen(wraps[i].behind));
    replace((struct range){range.begin, range.begin}, wraps[i].before, strlen(wraps[i].before));
}

static void change(void)
{
    const enum shape shape = (enum shape)below(SHAPES);
    const struct range range = choose(&made, shape);
    switch (below(8)) {
    case 0: replace(range, NULL, 0); break;
    case 1: replace_by_piece((struct range){range.end, range.end}, &made, range); break;
    case 2: exchange(shape); break;
    case 3: replace_by_piece(range, &made, choose(&made, shape)); break;
    case 4: insert(); break;
    case 5: wrap(); break;
    default: change_token();
    }
}

static void take(struct code *code, const uint8_t *bytes, size_t size, size_t room)
{
    code->bytes = (uint8_t *)(uintptr_t)bytes;
    code->size = size;
    code->room = room;
    read_code(code);
}

/* ---- Cases that are accepted --------------------------------------------------------------------- */

/* Where half of the code's changes are refused, a row of five gets nowhere. So most changes are tried first,
 * and begin with code that is accepted: of this pool, if need be. */
#define POOL 256
#define MOST_BYTES 8192
static struct {
    uint8_t bytes[MOST_BYTES];
    size_t size;
} pool[POOL], before;
static size_t pooled;

void fuzz_accepted(const uint8_t *bytes, size_t size)
{
    if (size > MOST_BYTES || size == 0) return;
    const size_t at = pooled < POOL ? pooled++ : below(POOL);
    memcpy(pool[at].bytes, bytes, size);
    pool[at].size = size;
}

static void begin_with(const uint8_t *bytes, size_t size)
{
    memcpy(made.bytes, bytes, size);
    take(&made, made.bytes, size, made.room);
}

/* Code of every construct, with what it is read for, and numbers. */
static void begin_anew(void)
{
    const struct random_payoff_options options = {
        .programs = 1, .dims = 3, .steps = 12, .whole = below(3) == 0, .faults = below(2) == 0};
    char *code = random_payoff(draw(), &options);
    const size_t size = strlen(code) + 1;
    if (size + 64 <= made.room && size + 64 <= MOST_BYTES) {
        begin_with((const uint8_t *)code, size);
        for (; made.size < size + 64; made.size++)
            made.bytes[made.size] = made.size == size ? 0 : (uint8_t)draw();
        made.bytes[size] = (uint8_t)below(2);
        read_code(&made);
    }
    free(code);
}

static bool is_accepted(void) { return fuzz_accepts(made.bytes, made.size) != 0; }

static size_t change_accepted(void)
{
    if (below(64) == 0) begin_anew();
    if (!is_accepted()) {
        if (!pooled) begin_anew();
        const size_t from = below(pooled);
        if (pooled && pool[from].size <= made.room) begin_with(pool[from].bytes, pool[from].size);
    }
    if (made.size > MOST_BYTES) return made.size;
    memcpy(before.bytes, made.bytes, made.size);
    before.size = made.size;
    for (int tries = 0; tries < 6; tries++) {
        begin_with(before.bytes, before.size);
        do change();
        while (below(3) == 0);
        if (is_accepted()) break;
    }
    return made.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    state = seed;
    if (below(10) == 0) return LLVMFuzzerMutate(data, size, room);
    take(&made, data, size, room);
    if (below(3) == 0) return change_accepted();
    do change();
    while (below(3) == 0);
    return made.size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned seed)
{
    state = seed;
    memcpy(out, a, a_size < room ? a_size : room);
    take(&made, out, a_size < room ? a_size : room, room);
    take(&other, b, b_size, b_size);
    const enum shape shape = (enum shape)below(SHAPES);
    struct range range = choose(&made, shape);
    if (below(2)) range.end = range.begin;
    replace_by_piece(range, &other, choose(&other, shape));
    return made.size;
}
