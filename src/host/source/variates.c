/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling buffers with other distributions than the uniform and the standard normal.
 */
#include "density.h"

#include <bailey/copulas.h>
#include <bailey/points.h>
#include <base/alloc.h>
#include <host/describe/records.h>
#include <kernels/variates.h>

#include <math.h>
#include <string.h>

/* The limits of the parameters of distributions. Within them every result is zero or far from denormal
 * numbers, with which devices differ: abs(z), if not below 2^-47 in f32 and 2^-79 in f64, is at most `reach`
 * (bailey/device/normal.h), and where mean and stddev z cancel, their sum is a multiple of 2^-49 or 2^-107 of
 * the mean. */
static const struct limits {
    const char *name;
    double least, most; /* of what is not zero */
    double reach;       /* abs(z) is below this */
    double exponent;    /* exp(x) is a normal number for abs(x) up to this */
} limits[2][2] = {
    /* from words of 32 bits, and of 64: there abs(z) in f32 goes down to 2^-64 */
    [BAILEY_PRECISION_F32] = {{"single", 1e-20, 1e20, 6.8, 87}, {"single", 1e-18, 1e18, 9.5, 87}},
    [BAILEY_PRECISION_F64] = {{"double", 1e-250, 1e250, 6.8, 708}, {"double", 1e-250, 1e250, 8.7, 708}},
};

/* The properties of a distribution in the table. `row` is the first of its kernels, f32 before f64; of kind
 * NORMAL they are the ways of drawing. */
enum kind { NORMAL, MEAN, RATE, LOCATION, SHAPE, DISCRETE, TABLED };
static const struct distribution {
    const char *text;
    enum kind kind;
    double factor;
    int row;
} distributions[] = {
#define ROW_OF_WORD(word) BLY_KERNEL_bly_variate_##word##_f32
#define ROW_NORMAL(word) BLY_KERNEL_bly_variate_icdf_f32
#define ROW_MEAN ROW_OF_WORD
#define ROW_RATE ROW_OF_WORD
#define ROW_LOCATION ROW_OF_WORD
#define ROW_SHAPE ROW_OF_WORD
#define ROW_DISCRETE(word) BLY_KERNEL_bly_discrete_f32
#define ROW_TABLED(word) BLY_KERNEL_bly_tabled_f32
#define ROW(number, name, word, kind, text, factor) [number] = {text, kind, factor, ROW_##kind(word)},
    BAILEY_DISTRIBUTION_LIST(ROW)
#undef ROW
#undef ROW_NORMAL
#undef ROW_MEAN
#undef ROW_RATE
#undef ROW_LOCATION
#undef ROW_SHAPE
#undef ROW_DISCRETE
#undef ROW_TABLED
#undef ROW_OF_WORD
};
enum { DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

static int has_table(const struct distribution *d) { return d->kind == DISCRETE || d->kind == TABLED; }

static double or_one(double value) { return value == 0 ? 1 : value; }

/* Checks that a parameter is one of the distribution, and within the limits. The record has checked signs. */
static bailey_status check_parameter(const char *name, double value, const char *zero, int used,
                                     const struct distribution *d, const struct limits *l)
{
    if (value == 0 || (used && fabs(value) >= l->least && fabs(value) <= l->most)) return BAILEY_OK;
    if (!used)
        return bly_fail_argument(name, "%s is %g; with distribution %s it must be 0", name, value, d->text);
    return bly_fail_argument(name, "%s is %g; in %s precision it must be %s from %g to %g", name, value,
                             l->name, zero, l->least, l->most);
}

/* For distributions whose parameters are not rounded to the precision and whose limits differ. */
static const struct limits any_limits = {"any", 0, 1.7976931348623157e308, 0, 0};

static bailey_status check_parameters(const bailey_variate_params *p, const struct distribution *d,
                                      const struct limits *l)
{
    static const char any_sign[] = "0 or have a magnitude", positive[] = "0 (for 1) or";
    const bailey_distribution which = p->distribution;
    const int truncated = which == BAILEY_DISTRIBUTION_TRUNCATED_NORMAL;
    const int noncentral = which == BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE;
    const int normal = d->kind == NORMAL || d->kind == MEAN || truncated;
    const int binomial = which == BAILEY_DISTRIBUTION_BINOMIAL;
    const int negative = which == BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL;
    if (d->kind == DISCRETE || truncated || noncentral) l = &any_limits;
    const struct {
        const char *name;
        double value;
        const char *zero;
        int used;
    } parameters[] = {
        {"mean", p->mean, any_sign, normal || which == BAILEY_DISTRIBUTION_POISSON},
        {"stddev", p->stddev, positive, normal},
        {"rate", p->rate, positive, d->kind == RATE},
        {"location", p->location, any_sign, d->kind == LOCATION},
        {"scale", p->scale, positive,
         d->kind == LOCATION || d->kind == SHAPE || which == BAILEY_DISTRIBUTION_GAMMA},
        {"shape", p->shape, positive,
         d->kind == SHAPE || negative || which == BAILEY_DISTRIBUTION_GAMMA ||
             which == BAILEY_DISTRIBUTION_BETA},
        {"second_shape", p->second_shape, positive, which == BAILEY_DISTRIBUTION_BETA},
        {"freedom", p->freedom, positive,
         which == BAILEY_DISTRIBUTION_CHI_SQUARE || which == BAILEY_DISTRIBUTION_STUDENT_T || noncentral},
        {"probability", p->probability, positive,
         negative || binomial || which == BAILEY_DISTRIBUTION_GEOMETRIC},
        {"trials", (double)p->trials, positive, binomial},
        {"weight_count", (double)p->weight_count, positive, which == BAILEY_DISTRIBUTION_DISCRETE},
        {"integers", p->integers, positive, d->kind == DISCRETE},
        {"alias", p->alias, positive, d->kind == DISCRETE},
        {"lower", p->lower, any_sign, truncated},
        {"upper", p->upper, any_sign, truncated},
        {"noncentrality", p->noncentrality, "0 or", noncentral},
    };
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters && status == BAILEY_OK; i++)
        status = check_parameter(parameters[i].name, parameters[i].value, parameters[i].zero,
                                 parameters[i].used, d, l);
    return status;
}

/* Checks that exp(mean + stddev z) is a normal number for every z. */
static bailey_status check_exponent(const bailey_variate_params *p, const struct limits *l)
{
    const double deviation = or_one(p->stddev);
    const double most = fabs(p->mean) + l->reach * deviation;
    if (most <= l->exponent) return BAILEY_OK;
    return bly_fail_argument("mean",
                             "mean %g and standard deviation %g reach exp(%g) at %g standard deviations; the "
                             "maximum in %s precision is exp(%g)",
                             p->mean, deviation, most, l->reach, l->name, l->exponent);
}

/* Checks that scale times a power 1 / shape of U, 1 - U or their logarithms is a normal number for every U.
 */
static bailey_status check_power(const bailey_variate_params *p, const struct limits *l)
{
    const double reach = p->normal.precision == BAILEY_PRECISION_F64 ? 37.5 : 22.9; /* -ln of the least U */
    const double scale = or_one(p->scale), shape = or_one(p->shape);
    const double most = fabs(log(scale)) + reach / shape;
    if (most <= l->exponent) return BAILEY_OK;
    return bly_fail_argument(
        "shape", "shape %g and scale %g reach exp(%g) or exp(-%g); the limits in %s precision are exp(+-%g)",
        shape, scale, most, most, l->name, l->exponent);
}

/* Checks what a discrete distribution needs. */
static bailey_status check_discrete(const bailey_variate_params *p, const struct distribution *d)
{
    const bailey_distribution which = p->distribution;
    if (which == BAILEY_DISTRIBUTION_POISSON) {
        if (p->mean >= 0 && p->mean <= 1e9) return BAILEY_OK;
        return bly_fail_argument("mean", "mean is %g; of a Poisson distribution it must be from 0 to 1e9",
                                 p->mean);
    }
    if (which == BAILEY_DISTRIBUTION_DISCRETE) {
        double sum = 0;
        if (!p->weight_count || !p->weights)
            return bly_fail_argument("weights", "distribution discrete needs weights");
        for (uint64_t i = 0; i < p->weight_count; i++) sum += p->weights[i];
        if (sum > 0 && sum <= 1e300) return BAILEY_OK;
        return bly_fail_argument("weights", "the sum of the weights is %g; it must be above 0, up to 1e300",
                                 sum);
    }
    if (p->probability == 0)
        return bly_fail_argument("probability",
                                 "probability is 0; distribution %s needs one above 0, up to 1", d->text);
    if (which == BAILEY_DISTRIBUTION_BINOMIAL && p->trials == 0)
        return bly_fail_argument("trials", "trials is 0; distribution binomial needs at least 1");
    return BAILEY_OK;
}

/* Checks that a parameter of a distribution with a table is one for which the table has been tested. */
static bailey_status check_range(const char *name, double value, double least, double most,
                                 const struct distribution *d, const struct limits *l)
{
    value = or_one(value);
    if (value >= least && value <= most) return BAILEY_OK;
    return bly_fail_argument(name, "%s is %g; with distribution %s it must be from %g to %g in %s precision",
                             name, value, d->text, least, most, l->name);
}

static bailey_status check_truncated(const bailey_variate_params *p, const struct limits *l)
{
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    const double least = f64 ? 1e-200 : 1e-15, most = f64 ? 1e200 : 1e15, share = f64 ? 1e-12 : 0x1p-15;
    if (!(p->lower < p->upper))
        return bly_fail_argument("upper", "upper is %g; it must be above lower, %g", p->upper, p->lower);
    const double width = bly_truncated_width(p), reach = 9 * or_one(p->stddev);
    const double low = fmax(p->lower, fmin(p->mean, p->upper) - reach);
    const double high = fmin(p->upper, fmax(p->mean, p->lower) + reach);
    const double largest = fmax(fabs(low), fabs(high));
    if (width >= least && width <= most && width >= share * largest) return BAILEY_OK;
    return bly_fail_argument(
        "lower",
        "lower %g and upper %g leave a width of %g, with numbers up to %g; in %s precision "
        "the width must be from %g to %g, and at least %g of these",
        p->lower, p->upper, width, largest, l->name, least, most, share);
}

static bailey_status check_noncentral(const bailey_variate_params *p, const struct distribution *d,
                                      const struct limits *l)
{
    const double least = p->normal.precision == BAILEY_PRECISION_F64 ? 0.2 : 0.6;
    if (p->noncentrality > 1e6)
        return bly_fail_argument("noncentrality", "noncentrality is %g; it must be from 0 to 1e6",
                                 p->noncentrality);
    return check_range("freedom", p->freedom, least, 1e6, d, l);
}

/* With two smaller shapes the largest pieces of a table in double precision would span too much. */
#define BOTH_SHAPES 0.04

static bailey_status check_tabled(const bailey_variate_params *p, const struct distribution *d,
                                  const struct limits *l)
{
    if (p->distribution == BAILEY_DISTRIBUTION_TRUNCATED_NORMAL) return check_truncated(p, l);
    if (p->distribution == BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE) return check_noncentral(p, d, l);
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    const double least = 1e-3, most = 1e9;
    const double scale = or_one(p->scale), shape = or_one(p->shape), reach = f64 ? 37.5 : 22.9;
    if (p->distribution == BAILEY_DISTRIBUTION_CHI_SQUARE)
        return check_range("freedom", p->freedom, 2 * least, 2 * most, d, l);
    if (p->distribution == BAILEY_DISTRIBUTION_STUDENT_T)
        return check_range("freedom", p->freedom, f64 ? 0.2 : 0.3, most, d, l);
    bailey_status status = check_range("shape", p->shape, least, most, d, l);
    if (status == BAILEY_OK) status = check_range("second_shape", p->second_shape, least, most, d, l);
    if (status == BAILEY_OK && f64 && p->distribution == BAILEY_DISTRIBUTION_BETA &&
        fmax(shape, or_one(p->second_shape)) < BOTH_SHAPES)
        status =
            bly_fail_argument("second_shape",
                              "shape %g and second_shape %g are small; in double precision one of the shapes "
                              "must be at least %g",
                              shape, or_one(p->second_shape), BOTH_SHAPES);
    /* numbers that are tabulated by their logarithms may be so small that they are 0 */
    const double smallest = shape < bly_least_shape(p->normal.precision) ? 0 : reach / shape;
    const double largest = fabs(log(scale)) + fmax(smallest, log(shape + 60));
    if (status != BAILEY_OK || largest <= l->exponent) return status;
    return bly_fail_argument(
        "scale",
        "scale %g and shape %g reach exp(%g) or exp(-%g); the limits in %s precision are "
        "exp(+-%g)",
        scale, shape, largest, largest, l->name, l->exponent);
}

/* Checks the parameters of the distribution. */
static bailey_status check_distribution(const bailey_variate_params *p)
{
    const bailey_status fields = bailey_record_check(&bly_record_variate_params, p);
    if (fields != BAILEY_OK) return fields;
    const uint32_t bits = bly_word_bits(p->normal.precision, p->normal.word_bits);
    const struct limits *l = &limits[p->normal.precision][bits == 64];
    const struct distribution *d = &distributions[p->distribution];
    if (d->kind != NORMAL && bits != bly_word_bits(p->normal.precision, 0))
        return bly_fail_argument(
            "word_bits", "word_bits is %u, but distribution %s needs words of %u bits in %s precision",
            (unsigned)bits, d->text, (unsigned)bly_word_bits(p->normal.precision, 0), l->name);
    const bailey_status status = check_parameters(p, d, l);
    if (status != BAILEY_OK) return status;
    if (p->distribution == BAILEY_DISTRIBUTION_LOG_NORMAL) return check_exponent(p, l);
    if (d->kind == DISCRETE) return check_discrete(p, d);
    if (d->kind == TABLED) return check_tabled(p, d, l);
    return d->kind == SHAPE ? check_power(p, l) : BAILEY_OK;
}

/* A number of the precision, as its bits. */
static uint64_t constant_bits(double value, bailey_precision precision)
{
    uint64_t bits64;
    uint32_t bits32;
    const float rounded = (float)value;
    memcpy(&bits64, &value, sizeof bits64);
    memcpy(&bits32, &rounded, sizeof bits32);
    return precision == BAILEY_PRECISION_F64 ? bits64 : bits32;
}

/* The constants of kernels. An exponent 1 / shape has two parts, so that the power is that of the shape. */
static bly_form_params constants_of(const bailey_variate_params *v, const struct distribution *d)
{
    const bailey_precision precision = v->normal.precision;
    double scale = d->factor * or_one(v->stddev), shift = v->mean, rest = 0;
    if (d->kind == RATE) scale = d->factor / or_one(v->rate);
    if (d->kind == LOCATION) scale = d->factor * or_one(v->scale), shift = v->location;
    if (d->kind == SHAPE) {
        const double shape = or_one(v->shape), exponent = d->factor / shape;
        const double high = precision == BAILEY_PRECISION_F64 ? exponent : (double)(float)exponent;
        scale = or_one(v->scale);
        shift = high;
        rest = fma(-high, shape, d->factor) / shape;
    }
    return (bly_form_params){.scale = constant_bits(scale, precision),
                             .shift = constant_bits(shift, precision),
                             .rest = constant_bits(rest, precision),
                             .exponential = v->distribution == BAILEY_DISTRIBUTION_LOG_NORMAL,
                             .integers = v->integers};
}

/* The kernel of a distribution that has been checked, with its arguments. */
struct maker {
    const struct bly_kernel *kernel;
    bly_form_params constants;
    bailey_buffer *table;
    uint32_t bits; /* of a word */
};

static bailey_status find_maker(bailey_context *context, const bailey_variate_params *variate,
                                struct maker *maker)
{
    const bailey_precision precision = variate->normal.precision;
    const struct distribution *d = &distributions[variate->distribution];
    int row = d->row + (precision == BAILEY_PRECISION_F64);
    fenv_t callers;
    maker->table = NULL;
    maker->bits = bly_word_bits(precision, variate->normal.word_bits);
    if (has_table(d)) {
        const bailey_status status = bly_variate_table(context, variate, &maker->table);
        if (status != BAILEY_OK) return status;
    }
    bly_begin_arithmetic(&callers);
    maker->constants = constants_of(variate, d);
    fesetenv(&callers);
    if (d->kind == NORMAL) {
        const int draw = (int)bly_draw_of(context, &variate->normal, precision);
        const int mixed = draw - BLY_DRAW_mixed_icdf_f32;
        row = mixed < 0 ? d->row + draw : BLY_KERNEL_bly_mixed_icdf_f32 + mixed;
    }
    maker->kernel = &bly_kernels[row];
    return BAILEY_OK;
}

/* The numbers themselves; the distribution has been checked. */
static bailey_status make_variates(bailey_context *context, const bailey_source *source,
                                   const bailey_variate_params *variate, const struct bly_place *place)
{
    const bailey_precision precision = variate->normal.precision;
    struct maker m;
    bailey_status status =
        bly_check_request(context, source, bly_word_bits(precision, variate->normal.word_bits) / 32, place,
                          bly_element_bytes(precision));
    if (status == BAILEY_OK) status = find_maker(context, variate, &m);
    if (status != BAILEY_OK) return status;
    if (m.table && bly_source_kind(source) == BAILEY_SOURCE_KIND_COUNTER)
        return bly_make_tabled(context, source,
                               m.kernel + (BLY_KERNEL_bly_counter_discrete_f32 - BLY_KERNEL_bly_discrete_f32),
                               &m.constants, m.table, place);
    return bly_make_form(context, source, m.kernel, &m.constants, m.table, m.bits, place);
}

/* Checks everything about a distribution. */
static bailey_status check_variate(bailey_context *context, const bailey_variate_params *variate)
{
    const bailey_status status = bly_check_normal(context, &variate->normal, variate->normal.precision);
    return status == BAILEY_OK ? check_distribution(variate) : status;
}

static bailey_status create_table(bailey_context *context, const bailey_variate_params *variate,
                                  bailey_buffer **table)
{
    const struct distribution *d = &distributions[variate->distribution];
    void *bytes = NULL;
    uint64_t size = 0;
    if (!has_table(d))
        return bly_fail_argument("distribution", "distribution is %s, which has no table", d->text);
    bailey_status status = bly_host_table(variate, &bytes, &size);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, size, table);
    if (status == BAILEY_OK) status = bailey_buffer_write(*table, 0, bytes, size);
    bly_free(bytes);
    if (status != BAILEY_OK) {
        bailey_buffer_destroy(*table);
        *table = NULL;
    }
    return status;
}

bailey_status bailey_variate_table_create(bailey_context *context, const bailey_variate_params *variate,
                                          bailey_buffer **table)
{
    if (table) *table = NULL;
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!table) return bly_finish(context, bly_fail_argument("table", "table is NULL"));
    if (BLY_REFUSES(variate)) return bly_finish(context, BAILEY_ERROR_INVALID);
    bailey_status status = check_variate(context, variate);
    if (status == BAILEY_OK) status = create_table(context, variate, table);
    return bly_finish(context, status);
}

bailey_status bailey_variates_generate(bailey_context *context, const bailey_source *source,
                                       const bailey_variate_params *variate, uint64_t first, uint64_t count,
                                       bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!source) return bly_finish(context, bly_fail_argument("source", "source is NULL"));
    if (BLY_REFUSES(variate)) return bly_finish(context, BAILEY_ERROR_INVALID);
    const bailey_status status = check_variate(context, variate);
    if (status != BAILEY_OK) return bly_finish(context, status);
    /* z is not zero, hence fma(1, z, 0) is z. */
    if (variate->distribution == BAILEY_DISTRIBUTION_NORMAL && variate->mean == 0 &&
        (variate->stddev == 0 || variate->stddev == 1))
        return bailey_normals_generate(context, source, &variate->normal, first, count, out, out_offset);
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    return bly_finish(context, make_variates(context, source, variate, &place));
}

/* ---- Words ---- */

/* What points and dependent words are for would be lost. */
static bailey_status check_order(const bailey_variate_params *variate, const char *what)
{
    if (!variate->alias) return BAILEY_OK;
    return bly_fail_argument("alias", "alias is 1, but numbers of %s must grow with their words", what);
}

static bailey_status check_words(bailey_context *context, const bailey_variate_params *variate,
                                 bailey_buffer *words, uint64_t in_offset, uint64_t count, bailey_buffer *out,
                                 uint64_t out_offset)
{
    const bailey_precision precision = variate->normal.precision;
    const uint64_t element = bly_element_bytes(precision);
    const uint64_t word = bly_word_bits(precision, variate->normal.word_bits) / 8;
    if (variate->normal.method != BAILEY_NORMAL_METHOD_ICDF)
        return bly_fail_argument("method", "method is not icdf, the inverse CDF, which single words need");
    if (count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    bailey_status status = check_order(variate, "given words");
    if (status == BAILEY_OK) status = bly_check_buffer(context, words, "words", in_offset, count, word);
    if (status == BAILEY_OK) status = bly_check_buffer(context, out, "out", out_offset, count, element);
    if (status != BAILEY_OK) return status;
    return bly_check_apart(words, "words", (in_offset + count) * word, out, "out",
                           (out_offset + count) * element);
}

/* Kernels read words from the beginning of a buffer, so that these are copied there, part by part. */
static bailey_status form_words(bailey_context *context, const struct maker *m, bailey_buffer *words,
                                uint64_t in_offset, uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    bailey_buffer *scratch = NULL;
    uint64_t room;
    bailey_status status = bly_take_words(context, &room, &scratch);
    const uint64_t most = room / (m->bits / 32), word = m->bits / 8;
    for (uint64_t done = 0, part; done < count && status == BAILEY_OK; done += part) {
        part = count - done < most ? count - done : most;
        status = bailey_buffer_copy(words, (in_offset + done) * word, scratch, 0, part * word);
        if (status == BAILEY_OK)
            status = bly_form_words(context, m->kernel, &m->constants, m->table, scratch, part, out,
                                    out_offset + done);
    }
    bly_pool_release(scratch);
    return status;
}

bailey_status bailey_variates_of_words(bailey_context *context, const bailey_variate_params *variate,
                                       bailey_buffer *words, uint64_t in_offset, uint64_t count,
                                       bailey_buffer *out, uint64_t out_offset)
{
    struct maker m;
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (BLY_REFUSES(variate)) return bly_finish(context, BAILEY_ERROR_INVALID);
    bailey_status status = check_variate(context, variate);
    if (status == BAILEY_OK) status = check_words(context, variate, words, in_offset, count, out, out_offset);
    if (status == BAILEY_OK) status = find_maker(context, variate, &m);
    if (status == BAILEY_OK) status = form_words(context, &m, words, in_offset, count, out, out_offset);
    return bly_finish(context, status);
}

/* ---- Points ---- */

/* Points, and numbers computed from their words part by part: whole rows of the layout, or parts of one. */
struct point_request {
    const bailey_source *source;
    bailey_points_params params; /* of words */
    uint64_t first, points;
    bailey_buffer *out;
    uint64_t out_offset;
};

static bailey_status make_part(bailey_context *context, const struct point_request *r, const struct maker *m,
                               bailey_buffer *scratch, uint32_t dim, uint32_t dims, uint64_t point,
                               uint64_t points)
{
    const int by_point = r->params.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    const uint64_t at = by_point ? point * r->params.dims + dim : dim * r->points + point;
    bailey_points_params params = r->params;
    params.first_dim += dim;
    params.dims = dims;
    const bailey_status status =
        bailey_points_generate(context, r->source, &params, r->first + point, points, scratch, 0);
    if (status != BAILEY_OK) return status;
    return bly_form_words(context, m->kernel, &m->constants, m->table, scratch, dims * points, r->out,
                          r->out_offset + at);
}

static bailey_status make_points(bailey_context *context, const struct point_request *r,
                                 const struct maker *m)
{
    const int by_point = r->params.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    bailey_buffer *scratch = NULL;
    uint64_t words, points, dims;
    bailey_status status = bly_take_words(context, &words, &scratch);
    const uint64_t most = words / (m->bits / 32);
    for (uint32_t dim = 0; dim < r->params.dims && status == BAILEY_OK; dim += (uint32_t)dims) {
        dims = by_point ? r->params.dims - dim : 1;
        if (dims > most) dims = most;
        /* parts of points have one point each */
        const uint64_t together = by_point && dims < r->params.dims ? 1 : most / dims;
        for (uint64_t point = 0; point < r->points && status == BAILEY_OK; point += points) {
            points = r->points - point < together ? r->points - point : together;
            status = make_part(context, r, m, scratch, dim, (uint32_t)dims, point, points);
        }
    }
    bly_pool_release(scratch);
    return status;
}

/* Checks that points suit a distribution that has been checked. */
static bailey_status check_points(bailey_context *context, const struct point_request *r,
                                  const bailey_variate_params *variate)
{
    const bailey_precision precision = variate->normal.precision;
    const uint32_t bits = bly_word_bits(precision, variate->normal.word_bits);
    bailey_source_kind kind;
    bailey_status status = bailey_source_check(r->source, &kind);
    if (status != BAILEY_OK) return status;
    if (kind != BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("generator", "generator is %s, which has no points",
                                 bailey_generator_name(r->source->generator));
    if (variate->normal.method != BAILEY_NORMAL_METHOD_ICDF)
        return bly_fail_argument("method", "method is not icdf, the inverse CDF, which points need");
    if ((r->source->word_bits ? r->source->word_bits : 32) != bits)
        return bly_fail_argument(
            "word_bits", "word_bits of the source is %u, but the distribution needs words of %u bits",
            (unsigned)(r->source->word_bits ? r->source->word_bits : 32), (unsigned)bits);
    status = bailey_record_check(&bly_record_points_params, &r->params);
    if (status == BAILEY_OK) status = check_order(variate, "points");
    if (status != BAILEY_OK) return status;
    const uint64_t numbers = bly_multiply(r->points, r->params.dims);
    if (r->points == 0) return bly_fail_argument("points", "points is 0, at least 1");
    return bly_check_buffer(context, r->out, "out", r->out_offset, numbers ? numbers : UINT64_MAX,
                            bly_element_bytes(precision));
}

bailey_status bailey_points_variates(bailey_context *context, const bailey_source *source,
                                     const bailey_points_params *params, const bailey_variate_params *variate,
                                     uint64_t first_point, uint64_t points, bailey_buffer *out,
                                     uint64_t out_offset)
{
    struct point_request r = {
        .source = source, .first = first_point, .points = points, .out = out, .out_offset = out_offset};
    struct maker m;
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!source) return bly_finish(context, bly_fail_argument("source", "source is NULL"));
    if (BLY_REFUSES(variate)) return bly_finish(context, BAILEY_ERROR_INVALID);
    if (params) r.params = *params;
    if (r.params.dims == 0) r.params.dims = 1;
    bailey_status status = check_variate(context, variate);
    if (status == BAILEY_OK) status = check_points(context, &r, variate);
    if (status == BAILEY_OK) status = find_maker(context, variate, &m);
    r.params.form = BAILEY_POINTS_FORM_WORDS;
    r.params.precision = BAILEY_PRECISION_F32;
    if (status == BAILEY_OK) status = make_points(context, &r, &m);
    return bly_finish(context, status);
}
