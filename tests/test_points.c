/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sobol's points: the known answers of kat/sobol.txt, and every form, layout, width and scramble against
 * words of one point at a time; and by them, the inverse CDF on every word.
 */
#include "api.h"

#include <bailey/device/normal.h>
#include <bailey/points.h>

#include <inttypes.h>
#include <math.h>

#define DIMS BAILEY_SOBOL_MAX_DIMS

static const char *const scrambles[] = {"linear", "owen", "shift", "none"};
enum { SCRAMBLES = 4 };

/* Points in memory that was poisoned. */
static void *points_of(const bailey_source *source, const bailey_points_params *params, uint64_t first,
                       uint64_t count, size_t element)
{
    bailey_buffer *buffer = poisoned(count * params->dims * element);
    OK(bailey_points_generate(context, source, params, first, count, buffer, 0));
    return harvest(buffer, count * params->dims * element);
}

/* ---- Known answers ---- */

/* For 32 dimensions from `dim` on. */
static void check_first(uint32_t dim, uint64_t expected)
{
    static const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL,
                                         .scramble = BAILEY_SCRAMBLE_NONE};
    const bailey_points_params params = {.form = BAILEY_POINTS_FORM_WORDS,
                                         .layout = dim % 64 ? BAILEY_POINTS_LAYOUT_DIM_MAJOR
                                                            : BAILEY_POINTS_LAYOUT_POINT_MAJOR,
                                         .first_dim = dim,
                                         .dims = DIMS - dim < 32 ? DIMS - dim : 32};
    uint32_t *words = points_of(&source, &params, 0, 4096, sizeof *words);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t n = 0; n < 4096; n++)
        for (uint32_t d = 0; d < 32; d++) {
            const uint64_t at = dim % 64 ? d * UINT64_C(4096) + n : n * params.dims + d;
            hash = (hash ^ (d < params.dims ? words[at] : 0)) * UINT64_C(0x100000001b3);
        }
    free(words);
    if (hash != expected)
        fail_msg("dimensions from %u: hash %016" PRIx64 ", expected %016" PRIx64, dim, hash, expected);
}

/* A word in both widths. */
static void check_word(bailey_source source, uint32_t dim, uint64_t n, uint64_t expected)
{
    const bailey_points_params params = {.form = BAILEY_POINTS_FORM_WORDS, .first_dim = dim, .dims = 1};
    source.word_bits = 64;
    uint64_t *wide = points_of(&source, &params, n, 1, sizeof *wide);
    source.word_bits = 0;
    uint32_t *narrow = points_of(&source, &params, n, 1, sizeof *narrow);
    if (*wide != expected || *narrow != expected >> 32)
        fail_msg("%s %" PRIx64 " %" PRIx64 " dimension %u point %" PRIx64 ": %016" PRIx64
                 " and %08x, expected "
                 "%016" PRIx64,
                 scrambles[source.scramble], source.seed, source.stream, dim, n, *wide, *narrow, expected);
    free(wide);
    free(narrow);
}

TEST(known_answers, DEVICE | LONG_ON_OPENCL)
{
    char line[256], scramble[8], order[8];
    unsigned firsts = 0, words = 0, comments = 0;
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/sobol.txt", "r");
    if (!file) fail_msg("cannot read " BLY_SOURCE_DIR "/tests/kat/sobol.txt");
    while (fgets(line, sizeof line, file)) {
        bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL};
        uint64_t n, expected;
        uint32_t dim;
        if (line[0] == '#' || line[0] == '\n') {
            comments++;
        } else if (sscanf(line, "first %" SCNu32 " : %" SCNx64, &dim, &expected) == 2) {
            assert_int_equal(dim, 32 * firsts++);
            if (!getenv("BAILEY_TEST_QUICK") || dim % 1024 == 0) check_first(dim, expected);
        } else {
            const int found =
                sscanf(line, "word %7s %" SCNx64 " %" SCNx64 " %7s %" SCNx32 " %" SCNx64 " : %" SCNx64,
                       scramble, &source.seed, &source.stream, order, &dim, &n, &expected);
            assert_int_equal(found, 7);
            while (strcmp(scramble, scrambles[source.scramble])) source.scramble++;
            source.point_order = strcmp(order, "index") ? BAILEY_POINT_ORDER_GRAY : BAILEY_POINT_ORDER_INDEX;
            check_word(source, dim, n, expected);
            words++;
        }
    }
    fclose(file);
    assert_int_equal(firsts, (DIMS + 31) / 32);
    assert_true(words > 400 && comments > 0);
}

/* ---- Every form ---- */

static const struct {
    bailey_points_form form;
    bailey_precision precision;
    uint32_t bits;
    size_t element;
} forms[] = {
    {BAILEY_POINTS_FORM_WORDS, BAILEY_PRECISION_F32, 32, 4},
    {BAILEY_POINTS_FORM_WORDS, BAILEY_PRECISION_F32, 64, 8},
    {BAILEY_POINTS_FORM_UNIFORMS, BAILEY_PRECISION_F32, 32, 4},
    {BAILEY_POINTS_FORM_UNIFORMS, BAILEY_PRECISION_F32, 64, 4},
    {BAILEY_POINTS_FORM_UNIFORMS, BAILEY_PRECISION_F64, 32, 8},
    {BAILEY_POINTS_FORM_UNIFORMS, BAILEY_PRECISION_F64, 64, 8},
    {BAILEY_POINTS_FORM_NORMALS, BAILEY_PRECISION_F32, 32, 4},
    {BAILEY_POINTS_FORM_NORMALS, BAILEY_PRECISION_F32, 64, 4},
    {BAILEY_POINTS_FORM_NORMALS, BAILEY_PRECISION_F64, 32, 8},
    {BAILEY_POINTS_FORM_NORMALS, BAILEY_PRECISION_F64, 64, 8},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* The number that a form makes from a word of 64 bits. */
static void expected_of(int f, uint64_t word, void *out)
{
    const int wide = forms[f].bits == 64, normal = forms[f].form == BAILEY_POINTS_FORM_NORMALS;
    const uint32_t high = (uint32_t)(word >> 32);
    if (forms[f].form == BAILEY_POINTS_FORM_WORDS) {
        memcpy(out, wide ? (const void *)&word : (const void *)&high, forms[f].element);
    } else if (forms[f].precision == BAILEY_PRECISION_F32) {
        const float x = !normal ? (float)((2 * (high >> 9) + 1) * 0x1p-24)
                        : wide  ? bailey_normal_icdf_f32_from_u64(TABLE_F32, word)
                                : bailey_normal_icdf_f32(TABLE_F32, high);
        memcpy(out, &x, sizeof x);
    } else {
        const double x = !normal
                             ? wide ? ((double)(word >> 12) + 0.5) * 0x1p-52 : ((double)high + 0.5) * 0x1p-32
                         : wide ? bailey_normal_icdf_f64(TABLE_F64, word)
                                : bailey_normal_icdf_f64_from_u32(TABLE_F64, high);
        memcpy(out, &x, sizeof x);
    }
}

/* One request against words that were made before, wide[(dim - first_dim) count + point - first]. */
static void check_form(bailey_source source, int f, bailey_points_layout layout, uint32_t first_dim,
                       uint32_t dims, uint64_t first, uint64_t count, uint64_t shift, const uint64_t *wide)
{
    const size_t element = forms[f].element;
    const uint64_t bytes = (shift + dims * count) * element;
    const bailey_points_params params = {.form = forms[f].form,
                                         .layout = layout,
                                         .precision = forms[f].precision,
                                         .first_dim = first_dim,
                                         .dims = dims};
    unsigned char *expected = allocate(bytes);
    char what[160];
    source.word_bits = forms[f].bits;
    memset(expected, POISON, bytes);
    for (uint32_t d = 0; d < dims; d++)
        for (uint64_t n = 0; n < count; n++)
            expected_of(f, wide[d * count + n],
                        expected + (shift + (layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR ? n * dims + d
                                                                                        : d * count + n)) *
                                       element);
    bailey_buffer *buffer = poisoned(bytes);
    OK(bailey_points_generate(context, &source, &params, first, count, buffer, shift));
    void *found = harvest(buffer, bytes);
    snprintf(what, sizeof what,
             "form %d layout %d scramble %s order %d dims %u + %u points %" PRIu64 " + %" PRIu64
             " at %" PRIu64,
             f, (int)layout, scrambles[source.scramble], (int)source.point_order, first_dim, dims, first,
             count, shift);
    same_bits(what, found, expected, shift + dims * count, element);
    free(found);
    free(expected);
}

/* Every word by itself: as the known answers are checked. */
static uint64_t *words_of(bailey_source source, uint32_t first_dim, uint32_t dims, uint64_t first,
                          uint64_t count)
{
    uint64_t *wide = allocate(dims * count * sizeof *wide);
    bailey_buffer *buffer = poisoned(dims * count * sizeof *wide);
    const bailey_points_params params = {
        .form = BAILEY_POINTS_FORM_WORDS, .first_dim = first_dim, .dims = dims};
    source.word_bits = 64;
    for (uint64_t n = 0; n < count; n++)
        OK(bailey_points_generate(context, &source, &params, first + n, 1, buffer, n * dims));
    uint64_t *found = harvest(buffer, dims * count * sizeof *wide);
    for (uint32_t d = 0; d < dims; d++)
        for (uint64_t n = 0; n < count; n++) wide[d * count + n] = found[n * dims + d];
    free(found);
    return wide;
}

static void check_request(const bailey_source *source, uint32_t first_dim, uint32_t dims, uint64_t first,
                          uint64_t count)
{
    uint64_t *wide = words_of(*source, first_dim, dims, first, count);
    for (int f = 0; f < FORMS; f++)
        for (int layout = 0; layout < 2; layout++) {
            if (forms[f].precision == BAILEY_PRECISION_F64 && !device.has_f64) continue;
            check_form(*source, f, (bailey_points_layout)layout, first_dim, dims, first, count,
                       (f + count) % 5, wide);
        }
    free(wide);
}

TEST(test_forms, DEVICE | LONG_ON_OPENCL)
{
    static const uint64_t firsts[] = {0, 1, 1023, 65500, UINT64_C(4294967000), UINT64_MAX - 600};
    static const uint64_t counts[] = {1, 3, 64, 601};
    static const uint32_t dims[] = {1, 2, 3, 5, 17, 64, 70};
    int turn = 0;
    for (int f = 0; f < 6; f++)
        for (int c = 0; c < 4; c++, turn++) {
            const bailey_source source = {.seed = 77,
                                          .stream = (uint64_t)turn,
                                          .generator = BAILEY_GENERATOR_SOBOL,
                                          .scramble = (bailey_scramble)((f + c) % SCRAMBLES),
                                          .point_order = (bailey_point_order)(turn / 2 % 2)};
            const uint32_t n = dims[turn % 7];
            check_request(&source, turn % 3 ? (uint32_t)turn * 800 : DIMS - n, n, firsts[f], counts[c]);
        }
}

/* More points than an item takes, in every layout: chunks equal the whole. */
TEST(chunks, DEVICE)
{
    enum { POINTS = 20000, N = 9 };
    const bailey_source source = {
        .seed = 3, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    for (int layout = 0; layout < 2; layout++) {
        const int by_point = layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
        bailey_points_params params = {
            .form = BAILEY_POINTS_FORM_WORDS, .layout = (bailey_points_layout)layout, .dims = N};
        uint32_t *whole = points_of(&source, &params, 100, POINTS, sizeof *whole);
        uint64_t random = 5;
        for (uint64_t done = 0, count; done < POINTS; done += count) {
            count = 1 + next_random(&random) % 5000;
            if (count > POINTS - done) count = POINTS - done;
            params.first_dim = (uint32_t)(next_random(&random) % N);
            params.dims = 1 + (uint32_t)(next_random(&random) % (N - params.first_dim));
            uint32_t *piece = points_of(&source, &params, 100 + done, count, sizeof *piece);
            for (uint32_t d = 0; d < params.dims; d++)
                for (uint64_t i = 0; i < count; i++) {
                    const uint64_t dim = params.first_dim + d;
                    const uint32_t a = piece[by_point ? i * params.dims + d : d * count + i];
                    const uint32_t b = whole[by_point ? (done + i) * N + dim : dim * POINTS + done + i];
                    if (a != b)
                        fail_msg("layout %d: point %" PRIu64 " of %" PRIu64 " differs", layout, i, done);
                }
            free(piece);
        }
        free(whole);
    }
}

/* ---- Every word ---- */

static uint32_t reversed(uint32_t x)
{
    x = x >> 16 | x << 16;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

/* The word of point n in dimension 0 is n backwards, so that 2^32 points have each word once: the inverse CDF
 * on the device equals that of one lane on the host in single precision for all words. Without
 * BAILEY_TEST_LARGE, on every 1024th.
 */
TEST(every_word, DEVICE)
{
    enum { PIECE = 1 << 22 };
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL,
                                  .scramble = BAILEY_SCRAMBLE_NONE,
                                  .point_order = BAILEY_POINT_ORDER_INDEX};
    const uint64_t points = getenv("BAILEY_TEST_LARGE") ? UINT64_C(1) << 32 : PIECE;
    float *expected = allocate(PIECE * sizeof *expected);
    for (uint64_t first = 0; first < points; first += PIECE) {
        for (uint32_t i = 0; i < PIECE; i++)
            expected[i] = bailey_normal_icdf_f32(TABLE_F32, reversed((uint32_t)first + i));
        for (int layout = 0; layout < 2; layout++) {
            const bailey_points_params params = {
                .form = BAILEY_POINTS_FORM_NORMALS, .layout = (bailey_points_layout)layout, .dims = 1};
            float *found = points_of(&source, &params, first, PIECE, sizeof *found);
            if (memcmp(found, expected, PIECE * sizeof *found) != 0)
                same_bits("normals of every word", found, expected, PIECE, sizeof *found);
            free(found);
        }
    }
    free(expected);
}

/* ---- Scrambles ---- */

/* Every elementary interval of 2^-8 gets one of 256 points, in all dimensions, whatever the scramble: points
 * 256 m ... 256 m + 255. And two dimensions at a time they are a (0, 8, 2)-net in dimensions 0 and 1. */
static void check_net(const bailey_source *source, bailey_points_layout layout)
{
    const bailey_points_params params = {.form = BAILEY_POINTS_FORM_WORDS, .layout = layout, .dims = 40};
    const int by_point = layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    uint32_t *words = points_of(source, &params, 512, 256, sizeof *words);
    for (uint32_t d = 0; d < params.dims; d++) {
        unsigned char seen[256] = {0};
        for (uint32_t i = 0; i < 256; i++) seen[words[by_point ? i * 40 + d : d * 256 + i] >> 24]++;
        for (int i = 0; i < 256; i++)
            if (seen[i] != 1)
                fail_msg("scramble %s dimension %u: interval %d has %d points", scrambles[source->scramble],
                         d, i, seen[i]);
    }
    for (int cut = 0; cut <= 8; cut++) {
        unsigned char seen[256] = {0};
        for (uint32_t i = 0; i < 256; i++) {
            const uint64_t x = words[by_point ? i * 40 : i], y = words[by_point ? i * 40 + 1 : 256 + i];
            seen[(x << cut >> 32 << (8 - cut)) | (y << (8 - cut) >> 32)]++;
        }
        for (int i = 0; i < 256; i++) assert_int_equal(seen[i], 1);
    }
    free(words);
}

TEST(nets, DEVICE)
{
    for (int scramble = 0; scramble < SCRAMBLES; scramble++)
        for (int order = 0; order < 2; order++) {
            const bailey_source source = {.seed = 1,
                                          .stream = 2,
                                          .generator = BAILEY_GENERATOR_SOBOL,
                                          .scramble = (bailey_scramble)scramble,
                                          .point_order = (bailey_point_order)order};
            check_net(&source, (bailey_points_layout)order);
        }
}

/* The mean over replicates of prod_d (1 + (u_d - 1/2)) is 1, within its standard error, which is far below
 * that of as many independent points; neighbouring seeds and streams are independent. */
static void check_replicates(bailey_scramble scramble, int by_seed)
{
    enum { REPLICATES = 64, POINTS = 256, N = 6 };
    const bailey_points_params params = {.dims = N};
    double sum = 0, squares = 0, lag = 0, last = 0;
    for (uint64_t r = 0; r < REPLICATES; r++) {
        const bailey_source source = {.seed = by_seed ? r : 9,
                                      .stream = by_seed ? 0 : r,
                                      .generator = BAILEY_GENERATOR_SOBOL,
                                      .scramble = scramble};
        float *u = points_of(&source, &params, 0, POINTS, sizeof *u);
        double mean = 0;
        for (int i = 0; i < POINTS; i++) {
            double product = 1;
            for (int d = 0; d < N; d++) product *= 0.5 + (double)u[i * N + d];
            mean += product / POINTS;
        }
        free(u);
        sum += mean - 1;
        squares += (mean - 1) * (mean - 1);
        lag += r ? (mean - 1) * last : 0;
        last = mean - 1;
    }
    const double deviation = sqrt(squares / REPLICATES), independent = sqrt((pow(13.0 / 12, N) - 1) / POINTS);
    if (getenv("BAILEY_TEST_VERBOSE"))
        printf("%s by %s: bias %.2f standard errors, %.1f times better than random, lag %.2f\n",
               scrambles[scramble], by_seed ? "seed" : "stream", sum / sqrt(squares), independent / deviation,
               lag / squares);
    assert_true(fabs(sum) < 4 * sqrt(squares));
    assert_true(deviation < independent / 4);
    assert_true(fabs(lag) < 0.5 * squares); /* 4 / sqrt(64) */
}

TEST(replicates, DEVICE)
{
    for (int scramble = 0; scramble < BAILEY_SCRAMBLE_NONE; scramble++)
        for (int by_seed = 0; by_seed < 2; by_seed++) check_replicates((bailey_scramble)scramble, by_seed);
}

/* ---- The contract ---- */

TEST(refusals, DEVICE)
{
    static const bailey_source good = {.generator = BAILEY_GENERATOR_SOBOL}, philox = {.seed = 1};
    bailey_points_params params = {.dims = 2};
    bailey_buffer *buffer = poisoned(64 * 4);
    bailey_source source = good;
    bailey_source_kind kind = BAILEY_SOURCE_KIND_RUN;
    OK(bailey_source_check(&good, &kind));
    assert_int_equal(kind, BAILEY_SOURCE_KIND_POINT);
    REFUSED(bailey_points_generate(NULL, &good, &params, 0, 1, buffer, 0), "context", "NULL");
    REFUSED_HERE(bailey_points_generate(context, NULL, &params, 0, 1, buffer, 0), "source", "NULL");
    REFUSED_HERE(bailey_points_generate(context, &philox, &params, 0, 1, buffer, 0), "philox", "no points");
    REFUSED_HERE(bailey_points_generate(context, &good, &params, 0, 0, buffer, 0), "points is 0", "");
    REFUSED_HERE(bailey_points_generate(context, &good, &params, UINT64_MAX, 2, buffer, 0), "first_point",
                 "2^64");
    REFUSED_HERE(bailey_points_generate(context, &good, &params, 0, UINT64_MAX, buffer, 0), "out holds", "");
    REFUSED_HERE(bailey_points_generate(context, &good, &params, 0, 1, NULL, 0), "out is NULL", "");
    REFUSED_HERE(bailey_points_generate(context, &good, &params, 0, 65, buffer, 0), "out holds", "130");
    params.dims = 2, params.first_dim = BAILEY_POINTS_MAX_DIMS - 1;
    REFUSED_HERE(bailey_points_generate(context, &good, &params, 0, 1, buffer, 0), "first_dim", "6710886");
    params = (bailey_points_params){.form = BAILEY_POINTS_FORM_WORDS, .precision = BAILEY_PRECISION_F64};
    REFUSED_HERE(bailey_points_generate(context, &good, &params, 0, 1, buffer, 0), "precision is 1", "words");
    source = good, source.sequence = BAILEY_SEQUENCE_PUBLISHED;
    REFUSED_HERE(bailey_points_generate(context, &source, NULL, 0, 1, buffer, 0), "sequence is published",
                 "");
    for (int field = 0; field < 3; field++) {
        source = philox;
        if (field == 0) source.scramble = BAILEY_SCRAMBLE_OWEN;
        if (field == 1) source.point_order = BAILEY_POINT_ORDER_INDEX;
        if (field == 2) source.word_bits = 32;
        REFUSED(bailey_source_check(&source, NULL), "philox", "");
    }
    unsigned char *bytes = harvest(buffer, 64 * 4);
    for (int i = 0; i < 64 * 4; i++) assert_int_equal(bytes[i], POISON);
    free(bytes);
}

/* Whatever draws a sequence says which call makes points. */
TEST(no_sequence, DEVICE)
{
    static const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL};
    static const char call[] = "bailey_points_generate";
    const bailey_variate_params variate = {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL};
    bailey_buffer *buffer = poisoned(64);
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 1, buffer, 0), call, "sobol");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, BAILEY_PRECISION_F32, 0, 0, 1, buffer, 0), call,
                 "sobol");
    REFUSED_HERE(bailey_normals_generate(context, &source, NULL, 0, 1, buffer, 0), call, "sobol");
    REFUSED_HERE(bailey_variates_generate(context, &source, &variate, 0, 1, buffer, 0), call, "sobol");
    free(harvest(buffer, 64));
}

/* In bytes scrambles keep the numbers that they had when none was 0, so that bytes of then are read. */
TEST(scrambles_in_bytes, DEVICE)
{
    static const uint8_t numbers[SCRAMBLES] = {2, 3, 1, 0};
    uint8_t bytes[BAILEY_SOURCE_BYTES];
    bailey_source found, philox = {.seed = 1};
    uint64_t place;
    for (int scramble = 0; scramble < SCRAMBLES; scramble++) {
        const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL,
                                      .scramble = (bailey_scramble)scramble};
        OK(bailey_source_save(&source, 0, bytes));
        assert_int_equal(bytes[48], numbers[scramble]);
        OK(bailey_source_restore(bytes, sizeof bytes, &found, &place));
        assert_int_equal(found.scramble, scramble);
    }
    OK(bailey_source_save(&philox, 0, bytes));
    assert_int_equal(bytes[48], 0);
    OK(bailey_source_restore(bytes, sizeof bytes, &found, &place));
    assert_int_equal(found.scramble, 0);
}

static int tables; /* that were made */

static void see_table(void *user, int level, const char *line)
{
    (void)user, (void)level;
    if (strstr(line, "bly_sobol_table")) tables += strstr(line, " groups") != NULL;
}

/* A table serves all calls until the scramble or the dimensions change; seeds of points that are not
 * scrambled do not count. */
TEST(test_tables, DEVICE)
{
    bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_NONE};
    bailey_points_params params = {.form = BAILEY_POINTS_FORM_WORDS, .first_dim = 12345, .dims = 3};
    bailey_buffer *buffer = poisoned(4096);
    tables = 0;
    bailey_log_set(see_table, NULL, 2);
    for (uint64_t turn = 0; turn < 3; turn++, source.seed++)
        OK(bailey_points_generate(context, &source, &params, turn, 100 + turn, buffer, 0));
    assert_int_equal(tables, 1);
    source.scramble = BAILEY_SCRAMBLE_OWEN;
    for (int turn = 0; turn < 2; turn++) {
        OK(bailey_points_generate(context, &source, &params, 0, 100, buffer, 0));
        params.form = BAILEY_POINTS_FORM_UNIFORMS;
    }
    assert_int_equal(tables, 2);
    source.stream++;
    OK(bailey_points_generate(context, &source, &params, 0, 100, buffer, 0));
    params.dims--;
    OK(bailey_points_generate(context, &source, &params, 0, 100, buffer, 0));
    assert_int_equal(tables, 4);
    bailey_log_set(NULL, NULL, 0);
    free(harvest(buffer, 4096));
}

/* Parts of a range of points, for several devices. */
TEST(split, DEVICE)
{
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL};
    uint64_t next = 5, first, count;
    for (uint64_t part = 0; part < 3; part++) {
        OK(bailey_source_split(&source, 5, 100000, 3, part, &first, &count));
        assert_int_equal(first, next);
        next += count;
    }
    assert_int_equal(next, 100005);
}

static void advises(bailey_source source, uint64_t first, uint64_t count, const char *expected)
{
    char text[400] = "before";
    const size_t length = bailey_points_advice(&source, first, count, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_int_equal(bailey_points_advice(&source, first, count, NULL, 0), length);
    if (!length) return;
    char small[8] = "xxxxxxx";
    assert_int_equal(bailey_points_advice(&source, first, count, small, 4), length);
    assert_memory_equal(small, expected, 3);
    assert_memory_equal(small + 3, "\0xxx", 5);
}

TEST(advice, DEVICE)
{
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL}, philox = {0};
    const bailey_source wide = {.generator = BAILEY_GENERATOR_SOBOL, .word_bits = 64};
    const uint64_t beyond = UINT64_C(1) << 32;
    advises(sobol, 0, 1024, "");
    advises(sobol, 3072, 1024, "");
    advises(sobol, 5, 1, "");
    advises(sobol, 0, 0, "");
    advises(philox, 5, 1000, "");
    advises(sobol, 0, 1000, "1000 points are not a power of two, so they are not balanced");
    advises(sobol, 512, 1024,
            "points starting at 512 are not balanced: 1024 points should start at a multiple of 1024");
    advises(sobol, 0, beyond, "");
    advises(wide, 0, 2 * beyond, "");
    advises(wide, UINT64_MAX, 1, "");
    advises(sobol, 0, 2 * beyond,
            "points beyond 2^32 need words of 64 bits, because 32-bit words have only 2^32 values");
    advises(sobol, beyond - 1, 3,
            "3 points are not a power of two, so they are not balanced; points beyond 2^32 need words of 64 "
            "bits, because 32-bit words have only 2^32 values");
}
