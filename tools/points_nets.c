/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How evenly Sobol's points are spread: t-values of the first dimensions, of pairs of dimensions, and
 * pictures of pairs. To build, in the build folder, and to run:
 *
 *     ninja points_nets
 *     ./points_nets first                    dimensions 0 to s - 1, s = 2 to 10, of 2^10 to 2^20 points
 *     ./points_nets pairs 1000 12            all pairs of the first 1000 dimensions, of 2^12 points
 *     ./points_nets draw 0 1 12 pair.svg     2^12 points of dimensions 0 and 1
 *
 * The first 2^m points are a net with the quality parameter t: each box of volume 2^(t-m) whose sides are
 * powers of two, at multiples of themselves, has 2^t of them (H. Niederreiter 1987). The least t is m - r,
 * where r is the largest number such that, however r is divided among the dimensions, the first rows of the
 * generator matrices, so many of each, are linearly independent. The points are those of the library, without
 * a scramble; a linear scramble, Owen's, or a shift leave t as it is.
 */
#include <bailey/points.h>
#include <cli/plot/plot.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M_MAX = 24, DRAWN_M_MAX = 15, FIRST_MAX = 10, WORST = 10 };

/* Rows of the generator matrices [dim][row]: bit k of a row belongs to bit k of the point's number. */
static uint32_t (*rows)[M_MAX];

static void must(bailey_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", bailey_error_message());
    exit(1);
}

static void read_rows(uint32_t dims)
{
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL,
                                  .scramble = BAILEY_SCRAMBLE_NONE,
                                  .point_order = BAILEY_POINT_ORDER_INDEX};
    const bailey_points_params params = {.form = BAILEY_POINTS_FORM_WORDS, .dims = dims};
    bailey_context *context;
    bailey_buffer *buffer;
    uint32_t *words = malloc(dims * sizeof *words);
    rows = calloc(dims, sizeof *rows);
    if (!rows || !words) exit(1);
    must(bailey_context_create("cpu", NULL, &context));
    must(bailey_buffer_create(context, dims * sizeof *words, &buffer));
    for (int k = 0; k < M_MAX; k++) { /* point 2^k is column k */
        must(bailey_points_generate(context, &source, &params, UINT64_C(1) << k, 1, buffer, 0));
        must(bailey_buffer_read(buffer, 0, words, dims * sizeof *words));
        for (uint32_t d = 0; d < dims; d++)
            for (int r = 0; r < M_MAX; r++) rows[d][r] |= (words[d] >> (31 - r) & 1) << k;
    }
    free(words);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
}

/* ---- Independent rows ---- */

/* A basis by leading bits: vector[k] has k as its highest bit, or is 0. */
struct basis {
    uint32_t vector[M_MAX];
};

static int add(struct basis *basis, uint32_t row)
{
    while (row) {
        const int k = 31 - __builtin_clz(row);
        if (!basis->vector[k]) {
            basis->vector[k] = row;
            return 1;
        }
        row ^= basis->vector[k];
    }
    return 0;
}

/* Whether `left` more rows of dimensions d to last - 1, divided in every way, are independent of the basis.
 */
static int all_independent(const struct basis *given, uint32_t d, uint32_t last, int left, int m)
{
    struct basis basis = *given;
    const uint32_t mask = (UINT32_C(1) << m) - 1;
    if (d + 1 == last) {
        for (int r = 0; r < left; r++)
            if (!add(&basis, rows[d][r] & mask)) return 0;
        return 1;
    }
    for (int r = 0;; r++) { /* r rows of this dimension */
        if (!all_independent(&basis, d + 1, last, left - r, m)) return 0;
        if (r == left) return 1;
        if (!add(&basis, rows[d][r] & mask)) return 0;
    }
}

static int t_of_first(uint32_t dims, int m)
{
    const struct basis none = {{0}};
    int r = 0;
    while (r < m && all_independent(&none, 0, dims, r + 1, m)) r++;
    return m - r;
}

/* For each number of rows of a, the basis grows by rows of b until one depends on it. */
static int t_of_pair(uint32_t a, uint32_t b, int m)
{
    const uint32_t mask = (UINT32_C(1) << m) - 1;
    struct basis of_a = {{0}};
    int least = m;
    for (int i = 0; i <= least; i++) {
        struct basis basis = of_a;
        int j = 0;
        while (i + j < least && add(&basis, rows[b][j] & mask)) j++;
        if (i + j < least) least = i + j;
        if (i < m && !add(&of_a, rows[a][i] & mask)) break; /* not of Sobol's points */
    }
    return m - least;
}

/* ---- Commands ---- */

static int print_first(void)
{
    read_rows(FIRST_MAX);
    printf("   m");
    for (uint32_t s = 2; s <= FIRST_MAX; s++) printf(" s=%-2u", (unsigned)s);
    putchar('\n');
    for (int m = 10; m <= 20; m++) {
        printf("%4d", m);
        for (uint32_t s = 2; s <= FIRST_MAX; s++) printf(" %4d", t_of_first(s, m));
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}

static int print_pairs(uint32_t dims, int m)
{
    uint64_t counts[M_MAX + 1] = {0}, seen = 0;
    uint32_t first[M_MAX + 1][WORST][2];
    read_rows(dims);
    for (uint32_t b = 1; b < dims; b++) {
        for (uint32_t a = 0; a < b; a++) {
            const int t = t_of_pair(a, b, m);
            if (counts[t] < WORST) memcpy(first[t][counts[t]], (const uint32_t[]){a, b}, 8);
            counts[t]++;
        }
    }
    for (int t = 0; t <= m; t++) seen += counts[t];
    printf("%u dimensions, 2^%d points, %" PRIu64 " pairs\n   t      pairs  part\n", (unsigned)dims, m, seen);
    for (int t = 0; t <= m; t++) {
        if (!counts[t]) continue;
        printf("%4d %10" PRIu64 "  %.6f ", t, counts[t], (double)counts[t] / (double)seen);
        for (uint64_t i = 0; i < counts[t] && i < WORST; i++)
            printf(" (%u, %u)", (unsigned)first[t][i][0], (unsigned)first[t][i][1]);
        putchar('\n');
    }
    return 0;
}

static uint32_t coordinate(uint32_t dim, uint32_t number, int m)
{
    uint32_t x = 0;
    for (int r = 0; r < m; r++) x = x << 1 | (uint32_t)(__builtin_popcount(rows[dim][r] & number) & 1);
    return x;
}

/* A picture of 2^m points, on a grid of 2^m by 2^m. */
static int draw(uint32_t a, uint32_t b, int m, const char *path)
{
    enum { SIZE = 400 };
    static double x[1 << DRAWN_M_MAX], y[1 << DRAWN_M_MAX];
    char title[80], subtitle[80], across[40], up[40];
    const uint32_t points = UINT32_C(1) << m;
    struct output output;
    read_rows((a > b ? a : b) + 1);
    for (uint32_t n = 0; n < points; n++) {
        x[n] = (coordinate(a, n, m) + 0.5) / points;
        y[n] = (coordinate(b, n, m) + 0.5) / points;
    }
    snprintf(title, sizeof title, "Dimensions %u and %u", (unsigned)a, (unsigned)b);
    snprintf(subtitle, sizeof subtitle, "2^%d points, t = %d", m, t_of_pair(a, b, m));
    snprintf(across, sizeof across, "dimension %u", (unsigned)a);
    snprintf(up, sizeof up, "dimension %u", (unsigned)b);
    const struct plot_series series = {
        .style = "point", .shape = PLOT_DOTS, .points = points, .x = x, .y = y};
    const struct plot_panel panel = {.left = PLOT_LEFT,
                                     .top = PLOT_TOP,
                                     .width = SIZE,
                                     .height = SIZE,
                                     .x = {.name = across, .high = 1},
                                     .y = {.name = up, .high = 1},
                                     .series = &series,
                                     .series_count = 1};
    const struct plot plot = {.title = title,
                              .subtitle = subtitle,
                              .style = "  .dots.point { stroke: #1f6fb4; stroke-width: 2.2 }\n",
                              .dark = "    .dots.point { stroke: #79b4f2 }\n",
                              .width = PLOT_LEFT + SIZE + PLOT_RIGHT,
                              .panels = &panel,
                              .panel_count = 1};
    int code = output_open(&output, path, 0);
    if (!code && !(code = plot_write(&output, &plot))) code = output_commit(&output);
    output_abandon(&output);
    return code;
}

int main(int argc, char **argv)
{
    const long a = argc > 2 ? atol(argv[2]) : 0, b = argc > 3 ? atol(argv[3]) : 0;
    const long m = argc > 4 ? atol(argv[4]) : 0;
    cli_command = "points_nets";
    if (argc == 2 && !strcmp(argv[1], "first")) return print_first();
    if (argc == 4 && !strcmp(argv[1], "pairs") && a > 1 && a <= BAILEY_SOBOL_MAX_DIMS && b > 0 && b < M_MAX)
        return print_pairs((uint32_t)a, (int)b);
    if (argc == 6 && !strcmp(argv[1], "draw") && a >= 0 && b >= 0 && a < BAILEY_SOBOL_MAX_DIMS &&
        b < BAILEY_SOBOL_MAX_DIMS && m > 0 && m <= DRAWN_M_MAX)
        return draw((uint32_t)a, (uint32_t)b, (int)m, argv[5]);
    fprintf(stderr, "usage: points_nets first | pairs DIMS M | draw A B M FILE.svg\n");
    return 2;
}
