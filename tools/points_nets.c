/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How evenly Sobol's points are spread: t-values of the first dimensions, of pairs of dimensions, and
 * pictures of pairs. To build, with the library in build/, and to run:
 *
 *     cc -std=c11 -O3 -Iinclude tools/points_nets.c build/libbailey.a -lm -ldl -lpthread -o points_nets
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

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M_MAX = 24, FIRST_MAX = 10, WORST = 10 };

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

/* A picture of 2^m points, on a grid of 2^m by 2^m: a dot is a stroke of no length. */
static int draw(uint32_t a, uint32_t b, int m, const char *path)
{
    enum { SIZE = 480, EDGE = 8, TEXT = 24 };
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return 1;
    }
    read_rows((a > b ? a : b) + 1);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"15\">\n"
            "<style>.back{fill:#fff}text{fill:#333}.frame{fill:none;stroke:#999}.dots{stroke:#1f6fb4}\n"
            "@media (prefers-color-scheme: dark){.back{fill:#12161d}text{fill:#b4bcc9}.dots{stroke:#79b4f2}}"
            "</style>\n"
            "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n"
            "<text x=\"%d\" y=\"20\">dimensions %u and %u, 2^%d points, t = %d</text>\n"
            "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
            "<path class=\"dots\" fill=\"none\" stroke-width=\"2.2\" stroke-linecap=\"round\" d=\"",
            SIZE + 2 * EDGE, SIZE + 2 * EDGE + TEXT, SIZE + 2 * EDGE, SIZE + 2 * EDGE + TEXT, EDGE,
            (unsigned)a, (unsigned)b, m, t_of_pair(a, b, m), EDGE, EDGE + TEXT, SIZE, SIZE);
    for (uint32_t n = 0; n < UINT32_C(1) << m; n++) {
        const double scale = SIZE / (double)(UINT32_C(1) << m);
        fprintf(file, "M%.1f %.1fh0%s", EDGE + scale * (coordinate(a, n, m) + 0.5),
                EDGE + TEXT + SIZE - scale * (coordinate(b, n, m) + 0.5), n % 8 == 7 ? "\n" : "");
    }
    fprintf(file, "\"/>\n</svg>\n");
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    const long a = argc > 2 ? atol(argv[2]) : 0, b = argc > 3 ? atol(argv[3]) : 0;
    const long m = argc > 4 ? atol(argv[4]) : 0;
    if (argc == 2 && !strcmp(argv[1], "first")) return print_first();
    if (argc == 4 && !strcmp(argv[1], "pairs") && a > 1 && a <= BAILEY_SOBOL_MAX_DIMS && b > 0 && b < M_MAX)
        return print_pairs((uint32_t)a, (int)b);
    if (argc == 6 && !strcmp(argv[1], "draw") && a >= 0 && b >= 0 && a < BAILEY_SOBOL_MAX_DIMS &&
        b < BAILEY_SOBOL_MAX_DIMS && m > 0 && m < 16)
        return draw((uint32_t)a, (uint32_t)b, (int)m, argv[5]);
    fprintf(stderr, "usage: points_nets first | pairs DIMS M | draw A B M FILE.svg\n");
    return 2;
}
