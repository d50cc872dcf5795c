/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The thresholds and aliases of discrete distributions. X is at most k for the words w whose U = (w + 1/2) /
 * 2^bits is at most P(X <= k): the first floor(2^bits P(X <= k) + 1/2).
 *
 * Probabilities come from their ratios, P(X = k + 1) / P(X = k), in sums of two doubles, starting with 1 near
 * the mode, and are divided by their sum: no exponential, logarithm or factorial is needed, however large the
 * mean is. Those below 2^-110 of the largest are left out. n values err by at most n 2^-99 of P(X <= k), n up
 * to 2^21: a threshold is wrong only if 2^53 P(X <= k) is within 2^-25 of an integer and a half (2^32: within
 * 2^-46).
 */
#include "source.h"
#include "wide.h"

#include <bailey/device/discrete.h>
#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <string.h>

#define LEAST_WEIGHT 0x1p-110

/* P(X = k + 1) / P(X = k) is factor * (k + more) / (k + 1), or factor * (more - k) / (k + 1) if `falling`. A
 * Poisson distribution has `flat` numerators: factor / (k + 1). Values end at `last`. */
struct law {
    struct bly_wide factor;
    double more;
    int flat, falling;
    double mode, last, probability;
};

static struct bly_wide numerator(const struct law *law, double k)
{
    if (law->flat) return bly_wide(1);
    return law->falling ? bly_wide_sum(law->more, -k) : bly_wide_sum(k, law->more);
}

/* P(X = k) relative to that of the mode, from the mode upwards or downwards. */
struct weights {
    struct bly_wide *of;
    uint64_t count, room;
};

static bailey_status add_weight(struct weights *w, struct bly_wide weight)
{
    if (w->count == w->room) {
        const uint64_t room = w->room ? 2 * w->room : 256;
        struct bly_wide *more = bly_alloc(room, sizeof *more);
        if (!more) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's probabilities");
        if (w->count) memcpy(more, w->of, w->count * sizeof *more);
        bly_free(w->of);
        w->of = more;
        w->room = room;
    }
    w->of[w->count++] = weight;
    return BAILEY_OK;
}

/* Only of distributions whose probability is small. */
static bailey_status too_many(const struct law *law)
{
    return bly_fail_argument(
        "probability",
        "probability is %g, too small: numbers must be below 2^31, and at most %d of them "
        "may have more than 2^-110 of the largest probability",
        law->probability, BLY_MOST_VALUES);
}

static bailey_status weigh_up(const struct law *law, struct weights *w)
{
    if (law->mode > BLY_LARGEST_VALUE) return too_many(law);
    struct bly_wide q = bly_wide(1);
    for (double k = law->mode; q.high >= LEAST_WEIGHT; k++) {
        const bailey_status status = w->count < BLY_MOST_VALUES ? add_weight(w, q) : too_many(law);
        if (status != BAILEY_OK || k == law->last) return status;
        q = bly_wide_divide(bly_wide_multiply(bly_wide_multiply(q, law->factor), numerator(law, k)),
                            bly_wide(k + 1));
    }
    return BAILEY_OK;
}

static bailey_status weigh_down(const struct law *law, struct weights *w)
{
    const struct bly_wide inverse = bly_wide_divide(bly_wide(1), law->factor);
    struct bly_wide q = bly_wide(1);
    for (double k = law->mode; k > 0; k--) {
        q = bly_wide_divide(bly_wide_times(bly_wide_multiply(q, inverse), k), numerator(law, k - 1));
        if (q.high < LEAST_WEIGHT) break;
        const bailey_status status = w->count < BLY_MOST_VALUES ? add_weight(w, q) : too_many(law);
        if (status != BAILEY_OK) return status;
    }
    return BAILEY_OK;
}

static struct law law_of(const bailey_variate_params *p)
{
    const struct bly_wide q = bly_wide_sum(1, -p->probability);
    const double most = BLY_LARGEST_VALUE - 1; /* and 1 more for a geometric distribution */
    if (p->distribution == BAILEY_DISTRIBUTION_POISSON)
        return (struct law){
            .factor = bly_wide(p->mean), .flat = 1, .mode = floor(p->mean), .last = p->mean > 0 ? most : 0};
    if (p->distribution == BAILEY_DISTRIBUTION_BINOMIAL) {
        const double n = (double)p->trials, mode = floor((n + 1) * p->probability);
        return (struct law){.factor = bly_wide_divide(bly_wide(p->probability), q),
                            .more = n,
                            .falling = 1,
                            .mode = mode < n ? mode : n,
                            .last = n,
                            .probability = p->probability};
    }
    const int geometric = p->distribution == BAILEY_DISTRIBUTION_GEOMETRIC;
    const double r = geometric || p->shape == 0 ? 1 : p->shape;
    const double mode = r > 1 ? floor((r - 1) * q.high / p->probability) : 0;
    return (struct law){.factor = q, .more = r, .mode = mode, .last = most, .probability = p->probability};
}

/* The first floor(2^bits share + 1/2) words. */
static uint64_t threshold_of(struct bly_wide share, uint32_t bits)
{
    const double scale = ldexp(1, (int)bits), all = share.high * scale, whole = floor(all);
    const double rest = floor((all - whole) + share.low * scale + 0.5);
    const double words = whole + rest; /* integers up to 2^53 */
    return words <= 0 ? 0 : words >= scale ? (uint64_t)1 << bits : (uint64_t)words;
}

/* Turns weights of values first, first + 1, ... into thresholds: those that neither all nor no words reach.
 */
static bailey_status make_thresholds(const struct bly_wide *weight, uint64_t count, uint64_t first,
                                     uint32_t bits, struct bly_thresholds *t)
{
    struct bly_wide total = {0, 0}, sum = {0, 0};
    for (uint64_t i = 0; i < count; i++) total = bly_wide_add(total, weight[i]);
    t->least = first;
    t->count = 0;
    t->words = bly_alloc(count, sizeof *t->words);
    if (!t->words) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's thresholds");
    for (uint64_t i = 0; i + 1 < count; i++) {
        sum = bly_wide_add(sum, weight[i]);
        const uint64_t words = threshold_of(bly_wide_divide(sum, total), bits);
        if (words >> bits) break;
        if (words)
            t->words[t->count++] = words;
        else
            t->least++;
    }
    return BAILEY_OK;
}

static bailey_status thresholds_of_law(const struct law *law, uint32_t bits, struct bly_thresholds *t)
{
    struct weights down = {0}, up = {0};
    struct bly_wide *all = NULL;
    bailey_status status = weigh_up(law, &up);
    if (status == BAILEY_OK) status = weigh_down(law, &down);
    if (status == BAILEY_OK && law->mode + (double)up.count - 1 > BLY_LARGEST_VALUE) status = too_many(law);
    if (status == BAILEY_OK && !(all = bly_alloc(down.count + up.count, sizeof *all)))
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's probabilities");
    if (status == BAILEY_OK) {
        for (uint64_t i = 0; i < down.count; i++) all[i] = down.of[down.count - 1 - i];
        memcpy(all + down.count, up.of, up.count * sizeof *all);
        status = make_thresholds(all, down.count + up.count, (uint64_t)law->mode - down.count, bits, t);
    }
    bly_free(all);
    bly_free(down.of);
    bly_free(up.of);
    return status;
}

static bailey_status thresholds_of_table(const double *weights, uint64_t count, uint32_t bits,
                                         struct bly_thresholds *t)
{
    struct bly_wide *wide = bly_alloc(count, sizeof *wide);
    if (!wide) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's probabilities");
    for (uint64_t i = 0; i < count; i++) wide[i] = bly_wide(weights[i]);
    const bailey_status status = make_thresholds(wide, count, 0, bits, t);
    bly_free(wide);
    return status;
}

bailey_status bly_thresholds_create(const bailey_variate_params *p, uint32_t bits, struct bly_thresholds *t)
{
    *t = (struct bly_thresholds){0};
    if (p->distribution == BAILEY_DISTRIBUTION_DISCRETE)
        return thresholds_of_table(p->weights, p->weight_count, bits, t);
    /* one value has all the probability */
    if (p->probability == 1) {
        t->least = p->distribution == BAILEY_DISTRIBUTION_BINOMIAL    ? p->trials
                   : p->distribution == BAILEY_DISTRIBUTION_GEOMETRIC ? 1
                                                                      : 0;
        return BAILEY_OK;
    }
    const struct law law = law_of(p);
    const bailey_status status = thresholds_of_law(&law, bits, t);
    if (p->distribution == BAILEY_DISTRIBUTION_GEOMETRIC) t->least++; /* trials, failures and the success */
    return status;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Of words of 32 bits, or 64. The first octave's words, those of one side, are 2^-exponent of all. */
struct form {
    int wide, exponent;
    uint32_t cells; /* of 2^0 pieces */
};

#define PLACE_BITS 23 /* below the octave */
#define MOST_PIECES 9
#define FEW_PIECES 8 /* for fewer thresholds than MANY */
#define MANY 3072
#define UNIT ((int64_t)1 << BAILEY_DISCRETE_PART)
#define SEARCHED 0x1p-8 /* of all words, at most, in tables with lines */

/* The place of a threshold's first word, and of the word before it. */
struct step {
    uint32_t at, before;
};

static uint32_t place_of(const struct form *f, uint64_t word)
{
    return f->wide ? bailey_discrete_place_u64(word << 11) : bailey_discrete_place_u32((uint32_t)word);
}

/* Whether a threshold is inside of its cell of 2^below places: not at the first word. */
static int is_inside(const struct step *s, uint32_t below) { return s->at >> below == s->before >> below; }

/* The thresholds inside of cell after cell. */
struct walk {
    const struct step *steps;
    uint64_t count, at; /* thresholds before the cell */
    uint32_t below;
};

/* Returns the threshold behind the last inside of the cell; *first is the first one. */
static uint64_t next_cell(struct walk *w, uint64_t cell, uint64_t *first)
{
    while (w->at < w->count && w->steps[w->at].at >> w->below == cell &&
           !is_inside(&w->steps[w->at], w->below))
        w->at++;
    *first = w->at;
    while (w->at < w->count && w->steps[w->at].at >> w->below == cell) w->at++;
    return w->at;
}

/* The comparisons that the fullest cell of 2^pieces needs. */
static uint32_t comparisons_of(const struct step *steps, uint64_t count, uint32_t pieces)
{
    const uint32_t below = PLACE_BITS - pieces;
    uint64_t most = 0, here = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i && steps[i].at >> below != steps[i - 1].at >> below) here = 0;
        here += (uint64_t)is_inside(&steps[i], below);
        if (here > most) most = here;
    }
    uint32_t comparisons = 0;
    while (most >> comparisons) comparisons++;
    return comparisons;
}

/* The fewest pieces that save a comparison: smaller guides stay in nearer caches. */
static uint32_t best_pieces(const struct step *steps, uint64_t count, uint32_t *comparisons)
{
    uint32_t best = 2;
    *comparisons = comparisons_of(steps, count, best);
    for (uint32_t pieces = 3; pieces <= (count < MANY ? FEW_PIECES : MOST_PIECES); pieces++) {
        const uint32_t fewer = comparisons_of(steps, count, pieces);
        if (fewer < *comparisons) best = pieces, *comparisons = fewer;
    }
    return best;
}

/* A line for the thresholds inside of a cell, first to last - 1: below them by less than 1 just before each,
 * and not below them at each. Returns whether there is one. */
static int line_of(const struct walk *w, uint64_t first, uint64_t last, uint64_t *start, uint64_t *rise)
{
    const uint32_t most = (UINT32_C(1) << w->below) - 1;
    *start = first << BAILEY_DISCRETE_PART;
    *rise = 0;
    if (last <= first + 1) return 1;
    const uint64_t along = (w->steps[last - 1].at & most) - (w->steps[first].at & most);
    if (along == 0) return 0;
    *rise = ((last - 1 - first) << (BAILEY_DISCRETE_PART + w->below)) / along;
    if (*rise >> (32 - w->below)) return 0;
#define RISEN(place) (int64_t)(((place)&most) * *rise >> w->below)
    int64_t low = 0, high = (int64_t)(last + 1) * UNIT - 1 - RISEN(most);
    for (uint64_t i = first; i < last; i++) {
        const int64_t least = (int64_t)i * UNIT - RISEN(w->steps[i].at);
        const int64_t largest = (int64_t)(i + 1) * UNIT - 1 - RISEN(w->steps[i].before);
        if (least > low) low = least;
        if (largest < high) high = largest;
    }
    *start = (uint64_t)(low + high) / 2;
    return low <= high;
}

/* The part of all words that are in cells without a line. */
static double without_lines(const struct form *f, const struct step *steps, uint64_t count, uint32_t pieces)
{
    struct walk w = {.steps = steps, .count = count, .below = PLACE_BITS - pieces};
    uint64_t first, start, rise;
    double sum = 0;
    for (uint64_t cell = 0; cell < (uint64_t)f->cells << pieces; cell++) {
        const uint64_t last = next_cell(&w, cell, &first), octave = cell >> pieces;
        const uint64_t up = octave < f->cells / 2 ? octave : f->cells - 1 - octave;
        if (!line_of(&w, first, last, &start, &rise)) sum += ldexp(1, (int)up - f->exponent - (int)pieces);
    }
    return sum;
}

static void put(const struct form *f, void *table, uint64_t at, uint64_t value)
{
    if (f->wide)
        ((uint64_t *)table)[at] = value;
    else
        ((uint32_t *)table)[at] = (uint32_t)value;
}

/* A table's shape. */
struct shape {
    uint32_t pieces, comparisons;
    int lines;
};

/* Lines are for tables whose searches would read more than twice. */
static struct shape shape_of(const struct form *f, const struct step *steps, uint64_t count)
{
    struct shape s = {.lines = 0};
    s.pieces = best_pieces(steps, count, &s.comparisons);
    for (uint32_t pieces = 5; pieces <= MOST_PIECES && s.comparisons > 2 && !s.lines; pieces++)
        if (without_lines(f, steps, count, pieces) <= SEARCHED)
            s = (struct shape){pieces, comparisons_of(steps, count, pieces), 1};
    return s;
}

static uint64_t element_of(const struct form *f, const struct bly_thresholds *t, uint64_t i)
{
    return i < t->count ? t->words[i] - 1 : f->wide ? INT64_MAX : UINT32_MAX;
}

static bailey_status fill_table(const struct form *f, const struct bly_thresholds *t, struct step *steps,
                                void **table, uint64_t *bytes)
{
    for (uint64_t i = 0; i < t->count; i++)
        steps[i] = (struct step){place_of(f, t->words[i]), place_of(f, t->words[i] - 1)};
    const struct shape s = shape_of(f, steps, t->count);
    const uint64_t cells = (uint64_t)f->cells << s.pieces, beyond = UINT64_C(1) << s.comparisons;
    const uint64_t thresholds = BAILEY_DISCRETE_HEAD + 2 * cells, elements = thresholds + t->count + beyond;
    struct walk w = {.steps = steps, .count = t->count, .below = PLACE_BITS - s.pieces};
    *bytes = elements * (f->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    *table = bly_alloc(*bytes, 1);
    if (!*table) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's table");
    put(f, *table, 0, s.pieces);
    put(f, *table, 1, s.comparisons + (s.lines ? BAILEY_DISCRETE_LINES : 0));
    put(f, *table, 2, t->least);
    put(f, *table, 3, thresholds);
    for (uint64_t cell = 0; cell < cells; cell++) {
        uint64_t first, start, rise;
        const uint64_t last = next_cell(&w, cell, &first), at = BAILEY_DISCRETE_HEAD + 2 * cell;
        if (s.lines) {
            const int lies = line_of(&w, first, last, &start, &rise);
            put(f, *table, at, lies ? start : first);
            put(f, *table, at + 1, lies ? rise : BAILEY_DISCRETE_NO_LINE);
        } else {
            put(f, *table, at, element_of(f, t, first + (beyond >> 1) - (beyond > 1)));
            put(f, *table, at + 1, s.comparisons < 2 ? t->least + first : first);
        }
    }
    for (uint64_t i = 0; i < t->count + beyond; i++) put(f, *table, thresholds + i, element_of(f, t, i));
    return BAILEY_OK;
}

/* ---- Tables of aliases ------------------------------------------------------------------------- */

/* How many words value `least` + i has. */
static uint64_t words_of(const struct bly_thresholds *t, uint64_t all, uint64_t i)
{
    if (i > t->count) return 0;
    return (i < t->count ? t->words[i] : all) - (i ? t->words[i - 1] : 0);
}

/* M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE Transactions
 * on Software Engineering 17 (1991), in integers: a value that has fewer words than a cell gets the rest of
 * its cell from one that has more. `left` are the words that each value still has to get, `waiting` two
 * stacks, of values with fewer from its beginning on and of the others from its end. */
static void pair_cells(const struct form *f, uint64_t least, uint64_t cells, uint64_t size, uint64_t *left,
                       uint64_t *waiting, void *table)
{
    uint64_t fewer = 0, more = cells;
    for (uint64_t i = 0; i < cells; i++)
        if (left[i] < size)
            waiting[fewer++] = i;
        else
            waiting[--more] = i;
    while (fewer > 0) {
        const uint64_t cell = waiting[--fewer], from = waiting[more];
        put(f, table, BAILEY_DISCRETE_HEAD + 2 * cell, cell * size + left[cell]);
        put(f, table, BAILEY_DISCRETE_HEAD + 2 * cell + 1, least + from);
        left[from] -= size - left[cell];
        if (left[from] >= size) continue;
        more++;
        waiting[fewer++] = from;
    }
    /* each of the others has exactly the words of its cell */
    for (; more < cells; more++) {
        put(f, table, BAILEY_DISCRETE_HEAD + 2 * waiting[more], waiting[more] * size);
        put(f, table, BAILEY_DISCRETE_HEAD + 2 * waiting[more] + 1, least + waiting[more]);
    }
}

static bailey_status fill_aliases(const struct form *f, const struct bly_thresholds *t, void **table,
                                  uint64_t *bytes)
{
    const uint32_t bits = f->wide ? 53 : 32;
    uint32_t pieces = 1;
    while (UINT64_C(1) << pieces <= t->count) pieces++;
    const uint64_t cells = UINT64_C(1) << pieces, elements = BAILEY_DISCRETE_HEAD + 2 * cells;
    uint64_t *left = bly_alloc(2 * cells, sizeof *left);
    *bytes = elements * (f->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    *table = bly_alloc(*bytes, 1);
    if (!left || !*table) {
        bly_free(left);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's table");
    }
    put(f, *table, 0, pieces);
    put(f, *table, 1, BAILEY_DISCRETE_ALIAS);
    put(f, *table, 2, t->least);
    put(f, *table, 3, elements);
    for (uint64_t i = 0; i < cells; i++) left[i] = words_of(t, UINT64_C(1) << bits, i);
    pair_cells(f, t->least, cells, UINT64_C(1) << (bits - pieces), left, left + cells, *table);
    bly_free(left);
    return BAILEY_OK;
}

bailey_status bly_discrete_table(const bailey_variate_params *p, void **table, uint64_t *bytes)
{
    const int wide = p->normal.precision == BAILEY_PRECISION_F64;
    const struct form form = {.wide = wide,
                              .exponent = wide ? 54 : 33,
                              .cells = wide ? BAILEY_DISCRETE_CELLS_64 : BAILEY_DISCRETE_CELLS_32};
    struct bly_thresholds thresholds;
    *table = NULL;
    bailey_status status = bly_thresholds_create(p, wide ? 53 : 32, &thresholds);
    struct step *steps = NULL;
    if (status == BAILEY_OK && p->alias) {
        status = fill_aliases(&form, &thresholds, table, bytes);
        bly_free(thresholds.words);
        return status;
    }
    if (status == BAILEY_OK && !(steps = bly_alloc(thresholds.count + 1, sizeof *steps)))
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's table");
    if (status == BAILEY_OK) status = fill_table(&form, &thresholds, steps, table, bytes);
    bly_free(steps);
    bly_free(thresholds.words);
    return status;
}
