/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checks of payoff code: what is proved, what is tested as it runs, and what is refused, with its place. No
 * device, no context.
 */
#define _GNU_SOURCE
#include <bailey/simulation.h>

#include "checked_code.h"

#include <base/alloc.h>

/* ---- Proofs --------------------------------------------------------------------------------------- */

static const struct {
    const char *functions, *body, *sites;
} proofs[] = {
    /* Indices of loops. */
    {"", "for (int k = 0; k < N; k++) s->h[k] = x[0];", ""},
    {"", "for (int k = 0; k <= N - 1; k++) s->h[k] = x[0];", ""},
    {"", "for (int k = N - 1; k >= 0; k--) s->h[k] = x[0];", ""},
    {"", "for (int k = 0; k != N; k++) s->h[k] = x[0];", ""},
    {"", "for (int k = 0; k < 6; k += 2) s->h[k / 2] = x[0];", ""},
    {"", "for (uint32 k = 0; k < 3; k++) s->h[k] = x[0];", ""},
    {"", "for (int k = 0;; k++) { if (k > 2) break; s->h[k] = x[0]; }", ""},
    {"", "for (int k = 0;; k++) { if (k > 3) break; s->sum += x[0]; }", ""},
    {"",
     "for (int k1 = 0; k1 < 16; k1++) for (int k2 = 0; k2 < 16; k2++) for (int k3 = 0; k3 < 16; k3++)"
     " s->sum += x[0] * (p->a + k1) * (p->a + k2) * (p->a + k3);",
     ""},
    {"", "int k = 0; while (k < 3) { s->h[k] = x[0]; k++; }", ""},
    {"", "int k = 0; do { s->h[k] = x[0]; k++; } while (k < 3);", ""},
    {"", "for (int k = 0; k < 3 && s->h[k] > 0; k++) s->sum += s->h[k];", ""},
    {"", "for (int k = 0; k < 3; k++) { if (x[0] > k) continue; s->h[k] = 0; }", ""},
    {"", "for (int k = 0; k < 2; k++) s->h[k + 1] = s->h[k];", ""},
    {"", "for (int k = 1; k < 3; k++) s->h[k] = s->h[k - 1];", ""},
    {"", "for (int j = 0; j < 3; j++) for (int k = j; k < 3; k++) s->h[k] = s->h[j];", ""},
    {"", "for (int j = 0; j < 3; j++) for (int k = 0; k <= j; k++) s->h[j - k] = 0;", ""},
    {"", "for (int k = 0; k < p->n; k++) s->sum += 1;", "loop for"},
    {"", "for (int k = 0; k < p->n && k < 3; k++) s->h[k] = 1;", ""},
    {"", "int n = p->n < 3 ? p->n : 3; for (int k = 0; k < n; k++) s->h[k] = 1;", ""},
    {"", "int n = 0; for (int k = 0; k < 3; k++) if (x[0] > k) { s->h[n] = x[0]; n++; }", ""},
    /* Short loops, trip by trip. */
    {"",
     "int n = 1, of = 0; for (int j = 1; j < 4; j++) { s->ring[j - n] = j; of++; if (of == n) { n++; of = 0; "
     "} }",
     ""},
    {"", "int n = 1; for (int j = 0; j < 2; j++) { s->ring[n] = j; n = 3 * n; }", ""},
    {"", "int n = 1; for (int j = 0; j < 3; j++) { s->ring[n] = j; n = 3 * n; }", "index ring[4]"},
    /* Conditions. */
    {"", "s->h[p->n] = 1;", "index h[3]"},
    {"", "if (p->n >= 0 && p->n < 3) s->h[p->n] = 1;", ""},
    {"", "if (p->n < 0 || p->n > 2) return; s->h[p->n] = 1;", ""},
    {"", "if (!(p->n >= 0 && p->n < 3)) return; s->h[p->n] = 1;", ""},
    {"", "if (p->n < 3) s->h[p->n] = 1;", "index h[3]"},
    {"", "if (p->n >= 0) { if (p->n + 1 < 4) s->h[p->n] = 1; }", "index h[3]"}, /* INT_MAX + 1 is below 4 */
    {"", "if (p->n >= 0 && p->n < 9) { if (p->n + 1 < 4) s->h[p->n] = 1; }", ""},
    {"", "int k = p->n; if (k < 0) k = 0; if (k > 2) k = 2; s->h[k] = 1;", ""},
    {"", "int k = p->n; k = k < 0 ? 0 : k > 2 ? 2 : k; s->h[k] = 1;", ""},
    {"", "int k = x[0] > 0 ? 2 : 0; s->h[k] = 1;", ""},
    /* What exceeds 2^63 does so behind a difference, too. */
    {"", "if (p->e >= 5) { uint64 d = p->e - 5; s->h[d >> 62] = 1; }", "index h[3]"},
    {"", "s->h[x[0] > 0] = 1;", ""},
    {"", "s->h[i % 3] = 1;", ""},
    {"", "s->h[p->n % 3] = 1;", "index h[3]"},
    {"", "s->h[p->u % 3] = 1;", ""},
    {"", "s->ring[p->n & 3] = 1;", ""},
    {"", "s->h[i / 4] = 1;", ""},
    {"", "if (i < 3) s->h[i] = 1;", ""},
    {"", "s->h[table[i % 4]] = 1;", ""},
    {"", "s->h[p->w[0]] = 1;", "index h[3]"},
    {"", "if (p->w[p->n % 2 == 0] < 3 && p->w[0] > 0) s->h[p->w[0]] = 1;", "index h[3]"},
    {"", "switch (p->n) { case 0: case 1: case 2: s->h[p->n] = 1; break; default: s->h[0] = 1; }", ""},
    {"",
     "int k = 5; switch (p->n) { case 0: k = 1; break; case 3: k = 2; break; default: return; } s->h[k] = 1;",
     ""},
    {"", "int k; if (DIMS > 1) k = 7; else k = 2; s->h[k] = 1;", ""},
    {"", "if (DIMS > 1) s->sum += x[1]; else s->sum += x[0];", ""},
    /* Differences. */
    {"", "if (i < p->n || i >= p->n + 3) return; s->h[i - p->n] = 1;", ""},
    {"", "if (i >= p->n && i < p->n + 3) s->h[i - p->n] = 1;", ""},
    {"", "if (i < p->n || i >= p->n + 4) return; s->h[i - p->n] = 1;", "index h[3]"},
    {"", "if (i < p->n) return; s->h[i - p->n] = 1;", "index h[3]"},
    {"", "if (p->n >= 0 && p->m >= p->n && p->m < p->n + 3) s->h[p->m - p->n] = 1;",
     "index h[3]"}, /* p->n + 3 wraps */
    {"", "if (p->n >= 0 && p->m >= p->n && p->m - p->n < 3) s->h[p->m - p->n] = 1;", "index h[3]"},
    {"", "int k = i; if (k < p->n || k > p->n + 2) return; k++; s->h[k - p->n] = 1;", "index h[3]"},
    {"", "int k = i; if (k < p->n || k > p->n + 2) return; s->h[k - p->n] = 1;", ""},
    {"", "int k = i; if (k < p->n) return; if (k > p->n + 2) return; s->h[k - p->n] = 1;", ""},
    {"", "int k = i; if (k < p->n) return; if (x[0] > 0) { if (k > p->n + 2) return; } s->h[k - p->n] = 1;",
     "index h[3]"},
    {"", "int k = i, n = i / 2; if (x[0] > 0) { if (k > n + 2) return; } s->h[k - n] = 1;", "index h[3]"},
    {"", "for (int j = 0; j < 10; j++) for (int k = j; k < 10 && k < j + 3; k++) s->h[k - j] = 1;", ""},
    /* Fields of the state. */
    {"", "s->ring[s->k] = i; s->k = (s->k + 1) % 4;", ""},
    {"", "s->ring[s->k] = i; s->k += 1; if (s->k == 4) s->k = 0;", ""},
    {"", "s->ring[s->k] = i; if (s->k < 3) s->k++;", ""},
    {"", "s->h[s->out] = 1; if (x[0] > 0) s->out = 1;", ""},
    {"", "s->ring[s->k / 3] = i; s->k++;", ""}, /* step is called 12 times */
    {"", "s->ring[s->k / 3] = i; s->k += 2;", "index ring[4]"},
    {"", "s->k = i; s->h[s->k % 3] = 0;", ""},
    {"", "s->k = p->n; s->h[s->ring[0]] = 0;", ""}, /* all of ring is 0 */
    {"", "s->ring[0] = i; s->h[s->ring[1]] = 0;", "index h[3]"},
    {"", "s->v = s->v * 1664525 + 1013904223; s->h[s->v % 3] = 0; s->ring[s->v >> 30] = 0;", ""},
    /* Functions. */
    {"real get(const real a[], int k) { return a[k]; }\n", "s->sum += get(s->h, 2);", ""},
    {"real get(const real a[], int k) { return a[k]; }\n", "s->sum += get(s->h, p->n);", "index a[3]"},
    {"real mean(const real a[], int n) { real m = 0; for (int k = 0; k < n; k++) m += a[k]; return m / n; "
     "}\n",
     "real two[2] = {1, 2}; s->sum += mean(s->h, 3) + mean(two, 2);", ""},
    {"int top(int k) { return k > 2 ? 2 : k < 0 ? 0 : k; }\n", "s->h[top(p->n)] = 1;", ""},
    {"int find(const real a[], real y) { for (int k = 0; k < 3; k++) if (a[k] > y) return k; return 2; }\n",
     "for (int j = 0; j < 3; j++) s->h[find(s->h, j)] = j;", ""},
    {"void next(state *s) { s->k = (s->k + 1) % 4; }\n", "next(s); s->ring[s->k] = 1;", ""},
    {"void to(int k[], int n) { k[0] = n; }\n", "int k; to(&k, 2); s->h[k] = 1;", ""},
    /* Divisions. */
    {"", "s->k = 7 / p->n;", "divide"},
    {"", "if (p->n != 0) s->k = 7 / p->n;", ""},
    {"", "if (p->n > 0) s->k = 7 % p->n;", ""},
    {"", "s->k = i / (p->n * p->n + 1);", "divide"},
    {"", "s->k = i / ((p->n & 7) + 1);", ""},
    {"", "s->sum += 1 / p->a;", ""},
    {"", "s->k = p->n / -1;", ""},
    /* Loops. */
    {"", "real y = x[0]; while (y > 1) y = y / 2; s->sum += y;", "loop while"},
    {"", "real y; do { y = x[0]; } while (y > s->sum); s->sum += y;", "loop do"},
    {"", "int k = 0; for (;;) { k++; if (k == 100) break; }", ""},
    {"", "for (int k = p->n; k < 10; k++) s->sum += 1;", "loop for"},
    {"", "for (int k = 0; k < 1000; k++) for (int j = 0; j < 1000; j++) s->sum += 1;", ""},
    {"", "for (int k = 0; k < 8192; k++) for (int j = 0; j < 8192; j++) s->sum += 1;", ""},
    {"", "for (int k = 0; k < 8193; k++) for (int j = 0; j < 8192; j++) s->sum += 1;", "loop for"},
    {"", "while (x[0] > s->sum) for (int j = 0; j < 64; j++) s->sum += 1;", "loop while"},
    {"", "while (x[0] > s->sum) for (int j = 0; j < 65; j++) s->sum += 1;", "loop while, loop for"},
    {"void f(state *s) { for (int j = 0; j < 9000; j++) s->sum += 1; }\n",
     "for (int k = 0; k < 9000; k++) f(s);", "loop for"},
    {"", "int k = p->n; while (k > 1) k = k - 1;", "loop while"},
    {"", "int k = p->n & 255; while (k > 1) k = k - 1;", ""},
    {"", "for (int k = 0; k <= 2147483647; k++) if (x[0] > k) break;", "loop for"},
    {"", "do { s->sum += 1; } while (0);", ""},
    {"", "uint32 k = p->u; while (k > 0) k >>= 3;", ""},
    {"", "uint32 k = p->u; do { k /= 2; } while (k > 1);", ""},
    {"", "uint64 k = p->e; while (k != 0) { if (k > 10) { k = k >> 2; continue; } k = k / 3; }", ""},
    {"", "int k = p->n; while (k > 1) k = k / 2;", ""},
    {"", "int k = p->n; while (k != 0) k = k / 2;", "loop while"},
    {"", "uint32 k = p->u; while (k > 0) { if (x[0] > k) k >>= 1; }", "loop while"},
    {"", "uint32 k = p->u; while (k > 0) { k >>= 1; k += 1; }", "loop while"},
    {"", "uint32 k = p->u; while (k > 0) k >>= p->u;", "loop while"},
    {"", "uint32 k = p->u; while (k > 0) { k += 1; k >>= 1; }", "loop while"},
    {"", "for (int k = 2147483640; k <= 2147483647; k++) if (x[0] > k) break;", "loop for"},
    {"", "for (int k = 2147483640; k < 2147483647; k++) if (x[0] > k) break;", ""},
};

TEST(test_proofs, HOST)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        struct bly_unit unit;
        char sites[1024];
        const bailey_status status = check(&unit, &twelve, step_of(proofs[i].functions, proofs[i].body));
        if (status != BAILEY_OK)
            snprintf(sites, sizeof sites, "%s", bailey_error_message());
        else
            list_sites(&unit, sites, sizeof sites);
        if (strcmp(sites, proofs[i].sites) != 0) {
            print_error("%s%s\nsites \"%s\", expected \"%s\"\n", proofs[i].functions, proofs[i].body, sites,
                        proofs[i].sites);
            wrong++;
        }
        bly_unit_free(&unit);
    }
    assert_int_equal(wrong, 0);
}

/* ---- Refusals ------------------------------------------------------------------------------------- */

static const struct {
    const char *functions, *body, *message; /* lines of the body begin at 9 */
} refusals[] = {
    /* Indices. */
    {"", "s->sum = x[1];",
     "payoff.c:9:11: x[1]: the path has 1 dimension (DIMS is 1); give it more, or use an index below DIMS\n"},
    {"", "for (int k = 0; k < 2; k++) s->sum += x[k];", "x[1]: the path has 1 dimension (DIMS is 1)"},
    {"", "if (p->n > 0) for (int k = 0; k <= 1; k++) { real y = x[k]; s->sum += y; }", "x[1]: the path has"},
    {"", "s->sum = s->h[3];", "payoff.c:9:14: index 3 of h[3]; it has elements 0 to 2"},
    {"", "s->sum = s->h[-1];", "index -1 of h[3]; it has elements 0 to 2"},
    {"", "s->h[i] = x[0];", "index 3 of h[3]; it has elements 0 to 2"}, /* of 12 steps */
    {"", "for (int k = 2; k >= -1; k--) s->h[k] = 0;", "index -1 of h[3]"},
    {"", "for (int k = 0; k < 3; k++) s->h[k + 1] = 0;", "index 3 of h[3]"},
    {"", "real two[2] = {0, 0}; two[2] = 1;", "index 2 of two[2]; it has elements 0 and 1"},
    {"", "real one[1] = {0}; one[1] = 1;", "index 1 of one[1]; it has only element 0"},
    {"", "real m[2][3]; for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) m[a][b] = 0;",
     "index 2 of m[2]"},
    {"", "s->sum = table[4];", "index 4 of table[4]"},
    {"", "if (p->n > 2) s->h[p->n] = 1;", "index 3 of h[3]"},
    {"", "if (p->n == 7) s->h[p->n] = 1;", "index 7 of h[3]"},
    {"real get(const real a[], int k) { return a[k]; }\n", "s->sum += get(s->h, 3);",
     "payoff.c:6:43: index 3 of a[3]"},
    {"real get(const real a[2]) { return a[2]; }\n", "s->sum += get(s->h);", "index 2 of a[2]"},
    {"real unused(const state *s) { return s->h[3]; }\n", "s->sum = 1;", "payoff.c:6:42: index 3 of h[3]"},
    {"real get(const real a[], int k) { return a[k]; }\n",
     "real two[2] = {0, 0}; s->sum += get(s->h, p->n) + get(two, p->n);",
     "the number of elements of a is unknown, because calls pass arrays of different sizes"},
    /* Divisions. */
    {"", "s->k = 1 / 0;",
     "payoff.c:9:10: division of an integer by 0; divide by something else, or reals: 1.0 / 2"},
    {"", "int zero = DIMS - 1; s->k = 7 % zero;", "division of an integer by 0"},
    /* Loops. */
    {"", "for (;;) s->sum += 1;",
     "payoff.c:9:1: this loop does not end; give it a condition that becomes false, or leave it by break or "
     "return"},
    {"", "while (1) { s->sum += 1; if (x[0] > 0) continue; }", "this loop does not end"},
    {"", "int k = 0; while (k >= 0) { k = 1; }", "this loop does not end"},
    {"", "do { s->sum += 1; } while (DIMS == 1);", "this loop does not end"},
    {"", "for (;;) { for (;;) { break; } }", "payoff.c:9:1: this loop does not end"},
    {"", "for (;;) { switch (i) { case 0: break; default: s->sum = 1; } }", "this loop does not end"},
    /* Variables read before they are written. */
    {"", "real y; s->sum = y;",
     "payoff.c:9:18: y may be read before it is written; give it a value where it is declared"},
    {"", "real y; y += 1;", "y may be read before it is written"},
    {"", "int k; k++;", "k may be read before it is written"},
    /* Behind a loop that its budget alone ends. */
    {"",
     "for (int k = 3; k; k++) for (int j = 0; j < STEPS; j++) { for (k = 0; k; k++) for (k = 0;; k++) s->sum "
     "= 1; "
     "s->sum = 1 / j; } real y; s->sum = y;",
     "y may be read before it is written"},
    {"", "real y; if (x[0] > 0) y = 1; s->sum = y;", "y may be read before it is written"},
    {"", "real y; if (x[0] > 0) y = 1; else if (x[0] < 0) y = 2; s->sum = y;",
     "y may be read before it is written"},
    {"", "real y; for (int k = 0; k < p->n; k++) y = k; s->sum = y;", "y may be read before it is written"},
    {"", "real y; while (x[0] > s->sum) { y = 1; s->sum += y; } s->sum = y;",
     "y may be read before it is written"},
    {"", "real y; switch (i) { case 0: y = 1; break; case 1: y = 2; } s->sum = y;", "y may be read before"},
    {"", "real y; switch (i) { case 0: y = 1; break; default: ; } s->sum = y;", "y may be read before"},
    {"", "real y; for (int k = 0; k < 3; k++) { if (x[0] > k) continue; y = k; } s->sum = y;",
     "y may be read before"},
    {"", "real y; for (int k = 0; k < 3; k++) { if (x[0] > k) break; y = k; } s->sum = y;",
     "y may be read before"},
    {"", "for (int k = 0; k < 3; k++) { real y; if (k > 0) s->sum += y; y = k; }", "y may be read before"},
    {"", "leg l; s->sum = l.x;", "l.x may be read before it is written"},
    {"", "leg l; l.x = 1; s->sum = l.y;", "l.y may be read before it is written"},
    {"", "leg l; l.x = 1; l.q = 2; leg m = l; s->sum = m.x;", "l.y may be read before it is written"},
    {"real first(leg l) { return l.x; }\n", "leg l; l.x = 1; l.y = 0; s->sum = first(l);",
     "l.q may be read before"},
    {"real first(const leg *l) { return l->x + l->y; }\n", "leg l; l.x = 1; s->sum = first(&l);",
     "l.y may be read by first before it is written"},
    {"void set(leg *l, real a) { if (a > 0) l->x = a; }\n", "leg l; set(&l, x[0]); s->sum = l.x;",
     "l.x may be read before it is written"},
    {"", "real y; s->sum = x[0] > 0 && y > 0;", "y may be read before it is written"},
};

TEST(test_refusals, HOST)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct bly_unit unit;
        const bailey_status status = check(&unit, &twelve, step_of(refusals[i].functions, refusals[i].body));
        const bool right = status == BAILEY_ERROR_INVALID &&
                           strstr(bailey_error_message(), refusals[i].message) &&
                           strcmp(bailey_error_argument(), "payoff") == 0;
        if (!right) {
            print_error("%s%s\n\"%s\"\nexpected \"%s\"\n", refusals[i].functions, refusals[i].body,
                        status == BAILEY_OK ? "accepted" : bailey_error_message(), refusals[i].message);
            wrong++;
        }
        bly_unit_free(&unit);
    }
    assert_int_equal(wrong, 0);
}

/* ---- Built-ins ------------------------------------------------------------------------------------ */

static const struct {
    const char *file;
    struct path path;
    const char *sites;
} builtins[] = {
    {"european", {BLY_UNIT_PAYOFF, 1, 1, 0}, ""},
    {"european", {BLY_UNIT_PAYOFF, 1, 12, 0}, ""},
    {"simulate/payoffs/asian_option.c", {BLY_UNIT_PAYOFF, 1, 12, 0}, ""},
    {"simulate/payoffs/asian_option.c", {BLY_UNIT_PAYOFF, 64, 1000001, 0}, ""},
    {"simulate/payoffs/asian_geometric_option.c", {BLY_UNIT_PAYOFF, 1, 1, 0}, ""},
    {"simulate/payoffs/asian_geometric_option.c", {BLY_UNIT_PAYOFF, 64, 1000001, 0}, ""},
    {"simulate/payoffs/asian_max_option.c", {BLY_UNIT_PAYOFF, 2, 256, 0}, ""},
    {"barrier", {BLY_UNIT_PAYOFF, 1, 1, 0}, ""},
    {"digital", {BLY_UNIT_PAYOFF, 1, 4, 0}, ""},
    {"simulate/payoffs/lookback_garch_option.c", {BLY_UNIT_PAYOFF, 1, 1, 0}, ""},
    {"simulate/payoffs/lookback_garch_option.c", {BLY_UNIT_PAYOFF, 1, 8, 0}, ""},
    {"simulate/payoffs/lookback_garch_option.c", {BLY_UNIT_PAYOFF, 64, 4096, 0}, ""},
    {"simulate/payoffs/adaptive_milstein.c", {BLY_UNIT_MOTION, 1, 0, 3}, "loop while"},
    {"simulate/payoffs/adaptive_milstein.c", {BLY_UNIT_MOTION, 1, 0, 30}, "loop while"},
    {"mlmc/levels/asian_levels.c", {BLY_UNIT_LEVELS, 1, 0, 0}, ""},
    {"mlmc/levels/barrier_levels.c", {BLY_UNIT_LEVELS, 1, 0, 0}, ""},
    {"mlmc/levels/digital_levels.c", {BLY_UNIT_LEVELS, 1, 0, 0}, ""},
    {"mlmc/levels/european_levels.c", {BLY_UNIT_LEVELS, 1, 0, 0}, ""},
    {"mlmc/levels/lookback_levels.c", {BLY_UNIT_LEVELS, 1, 0, 0}, ""},
};

/* The code of a built-in, or a file. */
static void read_file(const char *name, char *text, size_t size)
{
    char path[1024];
    if (!strchr(name, '/')) {
        const bailey_payoff payoff = {.name = name};
        bailey_description *d = NULL;
        assert_int_equal(bailey_payoff_describe(&payoff, NULL, &d), BAILEY_OK);
        snprintf(text, size, "%s", d->code);
        bailey_description_destroy(d);
        return;
    }
    snprintf(path, sizeof path, "%s/src/host/%s", BLY_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("no %s", path);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

/* They are as fast as without checks: nothing of them is tested as it runs, and nothing is zeroed. */
TEST(test_builtins, HOST)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        struct bly_unit unit;
        char sites[1024], zeroed[256] = "";
        read_file(builtins[i].file, code, sizeof code);
        if (check(&unit, &builtins[i].path, code) != BAILEY_OK)
            fail_msg("%s: %s", builtins[i].file, bailey_error_message());
        list_sites(&unit, sites, sizeof sites);
        list_zeroed(&unit, zeroed);
        if (strcmp(sites, builtins[i].sites) != 0) fail_msg("%s: sites \"%s\"", builtins[i].file, sites);
        assert_string_equal(zeroed, "");
        assert_false(unit.zeroes_state);
        assert_int_equal(unit.step ? unit.step->faults : unit.whole->faults, *sites != 0);
        bly_unit_free(&unit);
    }
}

/* American options are payoffs too, as host/products/american_option.c writes them: no index is tested as it
 * runs. */
TEST(american, HOST)
{
    static const int kinds[][3] = {{1, 1, 1}, {1, 3, 1}, {0, 3, 1}, {0, 9, 2}, {0, 13, 3}, {0, 14, 4}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct path path = {BLY_UNIT_PAYOFF, (uint32_t)kinds[i][2] + (kinds[i][2] == 4), 9, 0};
        struct bly_unit unit;
        char sites[1024];
        const int used = snprintf(code, sizeof code, "#define PUT %d\n#define FUNCTIONS %d\n#define LARGEST %d\n",
                                  kinds[i][0], kinds[i][1], kinds[i][2]);
        read_file("products/american/american_payoff.c", code + used, sizeof code - (size_t)used);
        if (check(&unit, &path, code) != BAILEY_OK) fail_msg("kind %zu: %s", i, bailey_error_message());
        list_sites(&unit, sites, sizeof sites);
        if (*sites) fail_msg("kind %zu: sites \"%s\"", i, sites);
        assert_false(unit.zeroes_state);
        bly_unit_free(&unit);
    }
}

/* ---- Paths, motions and levels -------------------------------------------------------------------- */

static const struct {
    struct path path;
    const char *code, *expected; /* sites, or a message */
} paths[] = {
    {{BLY_UNIT_PAYOFF, 2, 12, 0}, "for (int i = 0; i < STEPS; i++) sum += at(x, i, 1) * time(x, i);", ""},
    {{BLY_UNIT_PAYOFF, 2, 12, 0}, "for (int i = 1; i < STEPS; i++) sum += at(x, i - 1, i % 2);", ""},
    {{BLY_UNIT_PAYOFF, 2, 12, 0}, "sum = at(x, p->n, 0);", "tick"},
    {{BLY_UNIT_PAYOFF, 2, 12, 0}, "sum = at(x, 0, p->n);", "tick"},
    {{BLY_UNIT_PAYOFF, 2, 12, 0}, "sum = time(x, p->n);", "tick"},
    {{BLY_UNIT_PAYOFF, 2, 12, 0},
     "sum = at(x, STEPS, 0);",
     "step 12 of at(): the path has 12 steps, counted from 0 (STEPS is 12)"},
    {{BLY_UNIT_PAYOFF, 2, 12, 0}, "sum = time(x, -1);", "step -1 of time(): the path has 12 steps"},
    {{BLY_UNIT_PAYOFF, 2, 12, 0},
     "sum = at(x, 0, DIMS);",
     "dimension 2 of at(): the path has 2 dimensions (DIMS is 2)"},
    {{BLY_UNIT_PAYOFF, 1, 12, 0},
     "for (int d = 0; d < 2; d++) sum += at(x, 0, d);",
     "dimension 1 of at(): the path has 1 dimension "},
    {{BLY_UNIT_MOTION, 1, 0, 10}, "sum = at(x, 0, 1);", "dimension 1 of at(): the path has 1 dimension "},
    {{BLY_UNIT_MOTION, 1, 0, 10}, "sum = at(x, (uint64)1 << 40, 0) + time(x, p->n);", ""},
    {{BLY_UNIT_MOTION, 1, 0, 10}, "for (uint64 k = 0; k < (uint64)1 << LEVELS; k++) sum += at(x, k, 0);", ""},
    {{BLY_UNIT_MOTION, 1, 0, 30},
     "for (uint64 k = 0; k < (uint64)1 << LEVELS; k++) sum += at(x, k, 0);",
     "loop for"},
};

TEST(test_paths, HOST)
{
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct bly_unit unit;
        char sites[1024];
        snprintf(code, sizeof code,
                 "typedef struct { int n; } params;\nvoid whole(const params *p, path x, real out[]) {\n"
                 "real sum = 0; %s out[0] = sum; }\n",
                 paths[i].code);
        if (check(&unit, &paths[i].path, code) != BAILEY_OK)
            snprintf(sites, sizeof sites, "%s", bailey_error_message());
        else
            list_sites(&unit, sites, sizeof sites);
        const bool refused = unit.site_count == 0 && sites[0] != 0;
        if (refused ? !strstr(sites, paths[i].expected) || !*paths[i].expected
                    : strcmp(sites, paths[i].expected) != 0)
            fail_msg("%s: \"%s\", expected \"%s\"", paths[i].code, sites, paths[i].expected);
        bly_unit_free(&unit);
    }
}

/* start's level is one of 0 .. 20; a field that each step counts up is not known. */
TEST(test_levels, HOST)
{
    static const char levels[] =
        "typedef struct { real a; } params;\n"
        "typedef struct { real sum, of[21]; int level, n, k; } state;\n"
        "void start(state *s, const params *p, int level)\n"
        "{ s->sum = 0; s->level = level; s->n = 0; s->k = 0; for (int i = 0; i <= 20; i++) s->of[i] = 0; }\n"
        "void step(state *s, const params *p, real t, real h, const noise *n)\n"
        "{ s->of[s->level] = n->dw[0]; s->n++; s->k = (s->k + 1) % 21; s->sum += s->of[s->k]; }\n"
        "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
        "{ step(s, p, t, h, n); s->sum += s->of[s->n]; }\n"
        "void finish(const state *s, const params *p, real t, real out[2]) { out[0] = s->sum; out[1] = "
        "s->of[20]; }\n";
    struct bly_unit unit;
    char sites[256];
    const struct path path = {BLY_UNIT_LEVELS, 1, 0, 0};
    OK(check(&unit, &path, levels));
    list_sites(&unit, sites, sizeof sites);
    assert_string_equal(sites, "index of[21]");
    assert_false(unit.step->faults);
    assert_true(unit.pair->faults);
    bly_unit_free(&unit);
    snprintf(code, sizeof code, "%s", levels);
    memcpy(strstr(code, "dw[0]"), "dw[1]", 5);
    assert_int_equal(check(&unit, &path, code), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "dw[1]: the path has 1 dimension (DIMS is 1)"));
    bly_unit_free(&unit);
    snprintf(code, sizeof code, "#define NORMALS 1\n%s", levels);
    memcpy(strstr(code, "dw[0]"), " z[1]", 5);
    assert_int_equal(check(&unit, &path, code), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "z[1]: there is 1; write #define NORMALS 2"));
    bly_unit_free(&unit);
}

/* ---- Sites and their places ----------------------------------------------------------------------- */

TEST(test_sites, HOST)
{
    struct bly_unit unit;
    OK(check(&unit, &twelve,
             step_of("int half(int k) { return 8 / k; }\nint idle(int k) { return 8 / k; }\n"
                     "int more(int k) { return k + 1; }\n",
                     "s->h[p->n] += 1;\nwhile (x[0] > s->h[p->m]) s->sum = more(half(p->n));")));
    static const struct bly_site expected[] = {{BLY_FAULT_DIVIDE, {6, 28}, NULL, 0},
                                               {BLY_FAULT_INDEX, {12, 5}, "h[3]", 3},
                                               {BLY_FAULT_LOOP, {13, 1}, "while", 0},
                                               {BLY_FAULT_INDEX, {13, 19}, "h[3]", 3}};
    assert_int_equal(unit.site_count, 4);
    for (int i = 0; i < 4; i++) {
        const struct bly_site *site = &unit.sites[i];
        assert_int_equal(site->kind, expected[i].kind);
        assert_int_equal(site->place.line, expected[i].place.line);
        assert_int_equal(site->place.column, expected[i].place.column);
        assert_int_equal(site->count, expected[i].count);
        if (expected[i].what) assert_string_equal(site->what, expected[i].what);
    }
    for (const struct bly_function *f = unit.functions; f; f = f->next) {
        const bool faults = f == unit.step || strcmp(f->name, "half") == 0;
        if (f->faults != faults || f->used != (strcmp(f->name, "idle") != 0)) fail_msg("%s", f->name);
    }
    bly_unit_free(&unit);
}

/* ---- Memory --------------------------------------------------------------------------------------- */

TEST(memory, HOST)
{
    step_of("", "s->h[p->n] = 1 / p->n; for (int k = 0; k < 3; k++) s->h[k] = x[0];");
    bailey_status status = BAILEY_ERROR_MEMORY;
    int failures = 0;
    for (; status != BAILEY_OK; failures++) {
        struct bly_unit unit;
        bly_alloc_countdown = failures + 1;
        status = check(&unit, &twelve, code);
        bly_alloc_countdown = -1;
        if (status != BAILEY_OK) assert_int_equal(status, BAILEY_ERROR_MEMORY);
        bly_unit_free(&unit);
        assert_true(failures < 1000);
    }
    assert_true(failures > 5);
}
