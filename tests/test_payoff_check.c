/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checks of payoff code: what is proved, what is tested as it runs, and what is refused, with its place. No
 * device, no context.
 */
#define _GNU_SOURCE
#include "harness.h"

#include <host/payoff/language.h>
#include <time.h>

struct path {
    enum bly_unit_kind kind;
    uint32_t dims, steps, levels;
};
static const struct path twelve = {BLY_UNIT_PAYOFF, 1, 12, 0};

static bailey_status check(struct bly_unit *unit, const struct path *path, const char *code)
{
    *unit = (struct bly_unit){.kind = path->kind,
                              .precision = BAILEY_PRECISION_F64,
                              .dims = path->dims,
                              .steps = path->steps,
                              .levels = path->levels,
                              .code = code,
                              .length = strlen(code),
                              .name = "payoff.c",
                              .argument = "payoff"};
    return bly_unit_read(unit);
}

/* Sites as one text: "index h[2], divide, loop for, tick". */
static void list_sites(const struct bly_unit *unit, char *text, size_t size)
{
    static const char *const kinds[] = {"none", "index ", "divide", "loop ", "tick"};
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < unit->site_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i > 0 ? ", " : "",
                                 kinds[unit->sites[i].kind], unit->sites[i].what ? unit->sites[i].what : "");
}

/* What stands before the body of step, which begins at line 9. */
#define HEAD                                                                                                 \
    "typedef struct { int n, m; real a; int64 big; uint32 u; int w[3]; uint64 e; } params;\n"                \
    "typedef struct { real sum, h[3]; int k, out, ring[4]; uint32 v; } state;\n"                             \
    "typedef struct { real x, y; int q; } leg;\n"                                                            \
    "enum { N = 3 };\n"                                                                                      \
    "static const int table[4] = {0, 1, 2, 1};\n"
#define FUNCTIONS_AT_6 "\n"
#define START "void start(state *s, const params *p) { s->sum = 0; s->k = 0; s->out = 0; s->v = 0; }\n"
#define STEP "void step(state *s, const params *p, int i, real t, const real x[]) {\n"
#define END "\n}\nvoid finish(const state *s, const params *p, real out[]) { out[0] = s->sum; }\n"
#define IN_STEP(functions, body) HEAD functions FUNCTIONS_AT_6 START STEP body END

static char code[1 << 16];

static const char *step_of(const char *functions, const char *body)
{
    snprintf(code, sizeof code, "%s%s%s%s%s%s%s", HEAD, functions, FUNCTIONS_AT_6, START, STEP, body, END);
    return code;
}

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
    {"", "int k = 0; while (k < 3) { s->h[k] = x[0]; k++; }", ""},
    {"", "int k = 0; do { s->h[k] = x[0]; k++; } while (k < 3);", ""},
    {"", "for (int k = 0; k < 3 && s->h[k] > 0; k++) s->sum += s->h[k];", ""},
    {"", "for (int k = 0; k < 3; k++) { if (x[0] > k) continue; s->h[k] = 0; }", ""},
    {"", "for (int k = 0; k < 2; k++) s->h[k + 1] = s->h[k];", ""},
    {"", "for (int k = 1; k < 3; k++) s->h[k] = s->h[k - 1];", ""},
    {"", "for (int j = 0; j < 3; j++) for (int k = j; k < 3; k++) s->h[k] = s->h[j];", ""},
    {"", "for (int j = 0; j < 3; j++) for (int k = 0; k <= j; k++) s->h[j - k] = 0;", "index h[3]"},
    {"", "for (int k = 0; k < p->n; k++) s->sum += 1;", "loop for"},
    {"", "for (int k = 0; k < p->n && k < 3; k++) s->h[k] = 1;", ""},
    {"", "int n = p->n < 3 ? p->n : 3; for (int k = 0; k < n; k++) s->h[k] = 1;", ""},
    {"", "int n = 0; for (int k = 0; k < 3; k++) if (x[0] > k) { s->h[n] = x[0]; n++; }", ""},
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
    {"", "for (int k = 0; k < 2000; k++) for (int j = 0; j < 2000; j++) s->sum += 1;", "loop for"},
    {"void f(state *s) { for (int j = 0; j < 2000; j++) s->sum += 1; }\n",
     "for (int k = 0; k < 2000; k++) f(s);", "loop for"},
    {"", "int k = p->n; while (k > 1) k = k - 1;", "loop while"},
    {"", "int k = p->n & 255; while (k > 1) k = k - 1;", ""},
    {"", "for (int k = 0; k <= 2147483647; k++) if (x[0] > k) break;", "loop for"},
    {"", "do { s->sum += 1; } while (0);", ""},
};

static void test_proofs(void **unused)
{
    (void)unused;
    int wrong = 0;
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        struct bly_unit unit;
        char sites[1024];
        const bailey_status status = check(&unit, &twelve, step_of(proofs[i].functions, proofs[i].body));
        if (status != BAILEY_OK)
            snprintf(sites, sizeof sites, "%s", bailey_error_text());
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_proofs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
