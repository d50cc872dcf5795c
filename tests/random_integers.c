/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes such code, statement by statement, from a generator of its seed.
 */
#include "random_integers.h"

#include "random_payoff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM (1 << 16)

struct writer {
    uint64_t random;
    char *text;
    size_t used;
    unsigned loops, depth, names;
};

static uint64_t below(struct writer *w, uint64_t n) { return random_payoff_below(&w->random, n); }

static void put(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (w->used < ROOM) w->used += (size_t)vsnprintf(w->text + w->used, ROOM - w->used, format, arguments);
    va_end(arguments);
}

static const char *const written[] = {"a", "b", "c", "s->k", "s->q", "u", "l"};
static const char *const read_only[] = {"p->n", "p->m", "i", "DIMS", "STEPS"};

static const char *variable(struct writer *w)
{
    const uint64_t k = below(w, 10);
    return k < 7 ? written[k] : read_only[below(w, 5)];
}

static void expression(struct writer *w, int depth)
{
    static const char *const by[] = {"%", "/", "&", "*", ">>", "<<"};
    switch (depth > 0 ? below(w, 9) : below(w, 2)) {
    case 0: put(w, "%d", below(w, 16) ? (int)below(w, 9) - 2 : 2147483640 + (int)below(w, 8)); break;
    case 1:
    case 2: put(w, "%s", variable(w)); break;
    case 3: put(w, "%s - %s", variable(w), variable(w)); break;
    case 4: put(w, "%s + %d", variable(w), (int)below(w, 7) - 3); break;
    case 5: put(w, "%s %s %d", variable(w), by[below(w, 6)], 1 + (int)below(w, 7)); break;
    case 6:
        put(w, "("), expression(w, depth - 1), put(w, ") + "), put(w, "("), expression(w, depth - 1),
            put(w, ")");
        break;
    case 7:
        put(w, "(%s > %s ? ", variable(w), variable(w)), expression(w, depth - 1), put(w, " : ");
        expression(w, depth - 1), put(w, ")");
        break;
    default: put(w, "(int)("), expression(w, depth - 1), put(w, ")");
    }
}

static void condition(struct writer *w)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    const uint64_t kind = below(w, 6);
    if (kind == 0) put(w, "!(");
    put(w, "%s %s ", variable(w), signs[below(w, 6)]), expression(w, 1);
    if (kind == 0) put(w, ")");
    if (kind == 1 || kind == 2)
        put(w, " %s %s %s %s", kind == 1 ? "&&" : "||", variable(w), signs[below(w, 6)], variable(w));
}

static void block(struct writer *w);
static void statement(struct writer *w);

static void loop(struct writer *w)
{
    const unsigned name = w->names++;
    const char *of = written[below(w, 7)];
    w->loops++;
    switch (below(w, 5)) {
    case 0:
    case 1:
        put(w, "for (int j%u = ", name), expression(w, 1),
            put(w, "; j%u %s ", name, below(w, 2) ? "<" : "<=");
        expression(w, 1), put(w, "; j%u%s) { %s = j%u; ", name, below(w, 2) ? "++" : " += 2", of, name);
        break;
    case 2:
        put(w, "for (int j%u = ", name), expression(w, 1);
        put(w, "; j%u >= %d; j%u--) { s->h[j%u - %s] = 1; ", name, (int)below(w, 3), name, name, variable(w));
        break;
    case 3: put(w, "while ("), condition(w), put(w, ") { %s%s; ", of, below(w, 2) ? "--" : " /= 2"); break;
    default: put(w, "while (%s > %d) { %s %s; ", of, (int)below(w, 3), of, below(w, 2) ? ">>= 1" : "-= 3");
    }
    block(w), put(w, "}\n");
    w->loops--;
}

/* An index that a condition keeps within h[5], unless what stands between changes it. */
static void window(struct writer *w)
{
    const char *a = variable(w), *b = variable(w);
    put(w, "if (%s >= %s && %s < %s + %d) {\n", a, b, a, b, 3 + (int)below(w, 4));
    if (below(w, 2)) statement(w);
    put(w, "s->h[%s - %s] = 4; }\n", a, b);
    if (below(w, 2)) return;
    put(w, "if ("), condition(w), put(w, ") { if (%s < %s) %s; }\n", a, b, w->loops ? "continue" : "return");
    put(w, "if (%s <= %s + 4) s->h[%s - %s] = 5;\n", a, b, a, b);
}

static void statement(struct writer *w)
{
    static const char *const changes[] = {"++", "--", " -= 2", " += 3", " /= 2", " %= 5", " &= 3", " >>= 1"};
    const uint64_t kind = below(w, w->depth < 4 ? 16 : 9);
    switch (kind) {
    case 0:
    case 1: put(w, "%s = ", written[below(w, 7)]), expression(w, 2), put(w, ";\n"); break;
    case 2: put(w, "%s%s;\n", written[below(w, 7)], changes[below(w, 8)]); break;
    case 3: put(w, "s->h[%s - %s] = 1;\n", variable(w), variable(w)); break;
    case 4: put(w, "s->h["), expression(w, 2), put(w, "] += 1;\n"); break;
    case 5: put(w, "if ("), condition(w), put(w, ") s->h[%s - %s] = 2;\n", variable(w), variable(w)); break;
    case 6:
        put(w, "if ("), condition(w),
            put(w, ") %s;\n", w->loops ? (below(w, 2) ? "break" : "continue") : "return");
        break;
    case 7:
        put(w, "%s = ", written[below(w, 7)]), expression(w, 1), put(w, " / ("), expression(w, 1),
            put(w, ");\n");
        break;
    case 8: put(w, "s->h[at(%s, ", variable(w)), expression(w, 1), put(w, ")] = 3;\n"); break;
    case 9:
    case 10: loop(w); break;
    case 11: put(w, "change(s, &%s, ", written[below(w, 5)]), expression(w, 1), put(w, ");\n"); break;
    case 12:
    case 13: window(w); break;
    default:
        put(w, "if ("), condition(w), put(w, ") {\n"), block(w), put(w, "} else {\n"), block(w),
            put(w, "}\n");
    }
}

static void block(struct writer *w)
{
    w->depth++;
    for (uint64_t n = 1 + below(w, 4); n > 0 && w->used < ROOM / 2; n--) statement(w);
    w->depth--;
}

char *random_integers(uint64_t seed)
{
    struct writer w = {.random = seed * 0x9e3779b97f4a7c15u + 1, .text = malloc(ROOM)};
    if (!w.text) return NULL;
    put(&w, "typedef struct { int n, m; } params;\ntypedef struct { real h[5]; int k, q; } state;\n");
    put(&w, "int at(int a, int b) { if (a < b || a > b + %d) return %d; return a - b; }\n", (int)below(&w, 5),
        (int)below(&w, 6));
    put(&w, "void change(state *s, int y[], int by) { if (y[0] < by) y[0]++; else s->k = y[0] - by; }\n");
    put(&w, "void start(state *s, const params *p) { s->k = %d; s->q = p->m; }\n", (int)below(&w, 5));
    put(&w,
        "void step(state *s, const params *p, int i, real t, const real x[]) {\n"
        "int a = i, b = p->n, c = %d; uint32 u = p->m; int64 l = s->k;\n",
        (int)below(&w, 4));
    for (int n = 0; n < 6; n++) statement(&w);
    put(&w, "s->q = a - b; s->h[c & 3] += u + l; }\n");
    put(&w, "void finish(const state *s, const params *p, real out[]) { out[0] = s->h[0] + s->k; }\n");
    return w.text;
}
