/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Definite assignment of payoff code: what is read was written before, is zeroed, or is refused by
 * test_payoff_check.c's list. No device, no context.
 */
#include "checked_code.h"

/* ---- Variables written before they are read ------------------------------------------------------- */

static const struct {
    const char *functions, *body, *zeroed; /* names of what is zeroed, in order */
} written[] = {
    {"", "real y; if (x[0] > 0) y = 1; else y = 2; s->sum = y;", ""},
    {"", "real y; if (x[0] > 0) return; else y = 2; s->sum = y;", ""},
    {"", "real y; if (x[0] > 0) { s->sum = 1; return; } y = 1; s->sum = y;", ""},
    {"", "real y; if (DIMS == 1) y = 1; s->sum = y;", ""},
    {"", "real y; for (int k = 0; k < 3; k++) y = k; s->sum = y;", ""},
    {"", "real y; do { y = s->sum; } while (0); s->sum = y;", ""},
    {"", "real y; switch (i) { case 0: y = 1; break; default: y = 2; } s->sum = y;", ""},
    {"", "real y; switch (i) { case 0: case 1: y = 1; break; case 2: return; default: y = 2; } s->sum = y;",
     ""},
    {"", "leg l; l.x = 1; s->sum = l.x;", ""},
    {"", "leg l = {1}; s->sum = l.y;", ""},
    {"void set(leg *l) { l->x = 1; l->y = 2; }\n", "leg l; set(&l); s->sum = l.x + l.y;", ""},
    {"void set(real *y) { y[0] = 1; }\n", "real y; set(&y); s->sum = y;", ""},
    {"leg made(real a) { leg l = {a, a, 1}; return l; }\n", "leg l = made(1); s->sum = l.x;", ""},
    /* Arrays. */
    {"", "real a[3]; for (int k = 0; k < 3; k++) a[k] = k; s->sum = a[i % 3];", ""},
    {"", "real a[3]; for (int k = 2; k >= 0; k--) a[k] = k; s->sum = a[i % 3];", ""},
    {"", "real a[3] = {1}; s->sum = a[i % 3];", ""},
    /* A loop that a return may end fills nothing. */
    {"", "real a[3]; for (int k = 0; k < 3; k++) { if (x[0] > k) return; a[k] = k; } s->sum = a[i % 3];",
     "a"},
    {"void fill(real y[3], real z) { for (int k = 0; k < 3; k++) { if (z > k) return; y[k] = k; } }\n",
     "real a[3]; fill(a, x[0]); s->sum = a[i % 3];", "a"},
    {"", "real a[2]; a[0] = 1; a[1] = 2; s->sum = a[i % 2];", ""},
    {"", "real a[2]; a[0] = 1; s->sum = a[0];", ""},
    {"", "real a[2]; a[0] = 1; s->sum = a[1];", "a"},
    {"", "real a[3]; for (int k = 0; k < 2; k++) a[k] = k; s->sum = a[i % 3];", "a"},
    {"", "real a[3]; for (int k = 0; k < 3; k++) if (x[0] > k) a[k] = k; s->sum = a[i % 3];", "a"},
    {"", "real a[3]; for (int k = 0; k < 3; k++) { if (x[0] > k) break; a[k] = k; } s->sum = a[i % 3];", "a"},
    {"", "real a[3]; for (int k = 0; k < 3; k++) { a[k] = k; s->sum += a[k]; }", "a"},
    {"", "real a[3]; a[0] = 1; for (int k = 1; k < 3; k++) a[k] = k; s->sum = a[i % 3];", ""},
    {"",
     "real a[3]; for (int k = 0; k < 3; k++) if (x[0] > k) a[k] = 1; else { a[k] = 2; } s->sum = a[i % 3];",
     ""},
    {"", "real a[3]; for (int k = 0; k < 3; k++) if (x[0] > k) a[k] = 1; else a[0] = 2; s->sum = a[i % 3];",
     "a"},
    {"", "real a[500]; a[0] = 1; for (int k = 1; k < 500; k++) a[k] = k; s->sum = a[i];", "a"},
    {"",
     "real a[3][2]; for (int k = 0; k < 3; k++) for (int j = 0; j < 2; j++) a[k][j] = k; s->sum = a[i % "
     "3][0];",
     ""},
    {"", "real a[3][2]; for (int k = 0; k < 3; k++) a[k][0] = k; s->sum = a[i % 3][0];", "a"},
    {"", "leg a[3]; for (int k = 0; k < 3; k++) { a[k].x = k; a[k].y = 1; a[k].q = 0; } s->sum = a[i % 3].y;",
     ""},
    {"", "real a[500]; for (int k = 0; k < 500; k++) a[k] = k; s->sum = a[i];", ""},
    {"", "real a[500]; for (int k = 0; k < 499; k++) a[k] = k; s->sum = a[i];", "a"},
    {"", "leg a[500]; for (int k = 0; k < 500; k++) a[k].x = k; s->sum = a[i].y;", "a"},
    {"void fill(real a[], int n) { for (int k = 0; k < n; k++) a[k] = k; }\n",
     "real a[3]; fill(a, 3); s->sum = a[i % 3];", ""},
    {"void fill(real a[], int n) { for (int k = 0; k < n; k++) a[k] = k; }\n",
     "real a[3]; real b[2]; fill(a, 3); fill(b, 2); s->sum = a[i % 3] + b[0];", "ab"},
    {"void fill(real a[3], int n) { for (int k = 0; k < n; k++) a[k] = k; }\n",
     "real a[3]; real b[3]; fill(a, 3); fill(b, 2); s->sum = a[i % 3] + b[0];", "ab"},
    /* A loop that may end before its first trip, as its budget is used up. */
    {"", "real y; for (;;) { y = s->sum; if (y > x[0]) break; s->sum += 1; } s->sum = y;", "y"},
    {"", "real y; do { y = s->sum; s->sum += 1; } while (y < x[0]); s->sum = y;", "y"},
    {"", "while (s->sum < x[0]) { real y; y = 2; s->sum += y; }", ""},
};

TEST(test_written, HOST)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        struct bly_unit unit;
        char zeroed[256] = "";
        const bailey_status status = check(&unit, &twelve, step_of(written[i].functions, written[i].body));
        if (status == BAILEY_OK) list_zeroed(&unit, zeroed);
        if (status != BAILEY_OK || strcmp(zeroed, written[i].zeroed) != 0) {
            print_error("%s%s\nzeroed \"%s\", expected \"%s\"\n", written[i].functions, written[i].body,
                        status == BAILEY_OK ? zeroed : bailey_error_message(), written[i].zeroed);
            wrong++;
        }
        bly_unit_free(&unit);
    }
    assert_int_equal(wrong, 0);
}

/* ---- The state and out ---------------------------------------------------------------------------- */

static const struct {
    const char *start, *finish, *message; /* NULL: accepted */
    bool zeroes_state, zeroes_out;
} roles[] = {
    {"s->a = 0; s->b = 0; s->h[0] = 0; s->h[1] = 0;", "out[0] = 1; out[1] = 2;", NULL, false, false},
    {"s->a = 0; s->b = 0; for (int k = 0; k < 2; k++) s->h[k] = 0;", "out[0] = 1; out[1] = 2;", NULL, false,
     false},
    {"s->a = 0; s->b = 0;", "out[0] = 1; out[1] = 2;", NULL, true, false},
    {"s->a = 0; s->b = s->h[0];", "out[0] = 1; out[1] = 2;", NULL, true, false},
    {"s->a = 0;", "out[0] = 1; out[1] = 2;",
     "payoff.c:2:26: start does not write s->b; give it a value there", 0, 0},
    {"s->a = 0; if (p->n > 0) s->b = 1;", "out[0] = 1; out[1] = 2;",
     "start does not write s->b on every path", 0, 0},
    {"s->a = 0; if (p->n > 0) return; s->b = 1;", "out[0] = 1; out[1] = 2;",
     "payoff.c:6:65: s->b is not written when start returns here; give it a value before", 0, 0},
    {"s->b = 0; s->b = s->a; s->a = 1;", "out[0] = 1; out[1] = 2;",
     "s->a may be read before it is written; write it", 0, 0},
    {"set(s, 1);", "out[0] = 1; out[1] = 2;", NULL, true, false},
    {"set(s, sum(s));", "out[0] = 1; out[1] = 2;", "s->a may be read by sum before it is written", 0, 0},
    {"set(s, 1); s->b = sum(s);", "out[0] = 1; out[1] = 2;", NULL, true, false},
    {"set(s, 1);", "out[0] = 1;", "payoff.c:8:6: finish does not write out[1]; give it a value", 0, 0},
    {"set(s, 1);", "out[0] = 1; if (s->a > 0) out[1] = 1;", "finish does not write out[1] on every path", 0,
     0},
    {"set(s, 1);", "out[1] = 0; if (s->a > 0) return; out[0] = 1;",
     "out[0] is not written when finish returns here", 0, 0},
    {"set(s, 1);", "out[0] = 1; out[1] = 0; if (s->a > 0) return; out[1] = 1;", NULL, true, false},
    {"set(s, 1);", "for (int k = 0; k < 2; k++) out[k] = k;", NULL, true, false},
    {"set(s, 1);", "out[0] = 1; for (int k = 0; k < p->n; k++) out[k % 2] = k;", NULL, true, true},
    {"set(s, 1);", "out[p->n & 1] = 1;", NULL, true, true},
    {"set(s, 1);", "pay(out); out[1] = 1;", NULL, true, false},
    {"set(s, 1);", "for (;;) { out[0] = 1; out[1] = 2; if (s->a > out[0]) return; }", NULL, true, true},
    {"for (;;) { set(s, 1); if (s->a > p->n) return; }", "out[0] = 1; out[1] = 2;", NULL, true, false},
    {"set(s, 1);", "out[1] = 1;", "finish does not write out[0]; give it a value", 0, 0},
    {"set(s, 1);", "out[0] += 1; out[1] = 1;", "out[0] may be read before it is written", 0, 0},
    {"set(s, 1);", "out[0] = 1; out[1] = 1; out[2] = 1;",
     "out[2]: there are 2 outputs; write out[3] as the parameter for 3", 0, 0},
    {"set(s, 1);", "while (s->a > out[0]) out[0] = 1; out[1] = 0;", "out[0] may be read before it is written",
     0, 0},
};

TEST(test_roles, HOST)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        struct bly_unit unit;
        snprintf(code, sizeof code,
                 "typedef struct { int n; } params;\n"
                 "typedef struct { real a, b; real h[2]; } state;\n"
                 "void set(state *s, real a) { s->a = a; s->b = a; }\n"
                 "real sum(const state *s) { return s->a + s->b; }\n"
                 "void pay(real *y) { y[0] = 1; }\n"
                 "void start(state *s, const params *p) { %s }\n"
                 "void step(state *s, const params *p, int i, real t, const real x[]) {}\n"
                 "void finish(const state *s, const params *p, real out[2]) { %s }\n",
                 roles[i].start, roles[i].finish);
        const bailey_status status = check(&unit, &twelve, code);
        char zeroed[256] = "";
        if (status == BAILEY_OK) list_zeroed(&unit, zeroed);
        const bool right = roles[i].message
                               ? status != BAILEY_OK && strstr(bailey_error_message(), roles[i].message)
                               : status == BAILEY_OK && unit.zeroes_state == roles[i].zeroes_state &&
                                     (strcmp(zeroed, "out") == 0) == roles[i].zeroes_out;
        if (!right) {
            print_error("%s\n%s\n%s, zeroes state %d, zeroed \"%s\"\n", roles[i].start, roles[i].finish,
                        status == BAILEY_OK ? "accepted" : bailey_error_message(), unit.zeroes_state, zeroed);
            wrong++;
        }
        bly_unit_free(&unit);
    }
    assert_int_equal(wrong, 0);
}
