/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bench/normal_quality: how good normals are, as bailey_normals_generate writes them. A buffer is filled
 * again and again, one part of the sequence after the other; each fill is counted where it lies, in one pass.
 *
 *   normal_quality [--device cpu|cuda] [--count-log2 N] [--fill-log2 N] [--seed N] [--quick] [--json]
 *                  [--rows GENERATOR:METHOD:NUMERICS:PRECISION,...] [--plant mean|variance|tail|serial]
 *   normal_quality --generators philox,warp --methods icdf,box-muller,wallace --numerics exact,fast
 *                  --precisions f32,f64     (all their combinations that the library has)
 *
 * Without a selection: the rows of docs/quality.md, 2^36 normals each; --quick: 2^28. --plant spoils what is
 * read, to show that the verdict then fails (2^24 values are enough). The exit status is 1 if a row fails, or
 * if device and host, who run the same functions, disagree on a small part of a row.
 *
 * What is counted, and how: normal_quality_count.cuh.
 *
 * What floats and 32-bit words do to the counts. Where values are off by at most E units in the last place
 * u(x), the probability of abs(z) >= x is off by at most E u(x) phi(x), phi the density of abs(z). In
 * standard deviations of 2^36 values that is below 0.04 E wherever x lies, so that tails and A^2, which
 * has about the square of it, see nothing. Chi-square gets the noncentrality n sum (difference)^2 /
 * probability: at most 138 E^2 if all errors were adverse, where 69 are a standard deviation. Rounding
 * alone takes half a unit at every edge; what a cell gets at one it loses at the other, but at 1/2, 1,
 * 2 and 4: below 0.1. So it is for Box-Muller, whose other errors average out over radii and angles
 * (0.05, from the angles of 1,024 radii at each of 1,250 edges). The inverse CDF has 2^32 values, each
 * with its own error, and cells of few words. All of them can be counted: the row says by how many
 * standard deviations chi-square is shifted, and below which p-value this doubles it (for 2^36 values
 * 0.17 and 4e-5; the shift is in proportion to n). Its moments miss 0.02 (8th) standard deviations or
 * less, since the outermost word stands for all that is beyond.
 */
#include "normal_quality_count.cuh"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

/* ---- Rows ---- */

struct row {
    bailey_generator generator;
    bailey_normal_method method;
    bailey_numerics numerics;
    bailey_precision precision;
};

const char *const method_names[] = {"icdf", "box-muller", "wallace"};
const char *const numerics_names[] = {"exact", "fast"};
const char *const precision_names[] = {"f32", "f64"};

bool possible(const row &r)
{
    if (r.precision == BAILEY_PRECISION_F64 && r.numerics == BAILEY_NUMERICS_FAST) return false;
    return r.method != BAILEY_NORMAL_WALLACE ||
           (r.precision == BAILEY_PRECISION_F32 && r.numerics == BAILEY_NUMERICS_EXACT &&
            r.generator == BAILEY_GENERATOR_PHILOX);
}

/* The two of Wallace's method that are known to fail (docs/quality.md) do not count for the verdict. */
struct statistic {
    std::string name;
    double observed, expected, z, p;
    bool known;
};

struct result {
    row r;
    uint64_t n;
    double seconds, shift, corrected, degrees;
    std::vector<statistic> all;
    size_t worst;
    const char *verdict;
};

void judge(const totals &t, result *x)
{
    const row &r = x->r;
    const double n = (double)t.n, root = std::sqrt(n);
    std::vector<statistic> &all = x->all;
    const auto put = [&](const std::string &name, double observed, double expected, double z, double p,
                         bool known = false) {
        all.push_back(statistic{name, observed, expected, z, p, known});
    };
    const auto put_z = [&](const std::string &name, double observed, double expected, double deviation,
                           bool known = false) {
        const double z = (observed - expected) / deviation;
        put(name, observed, expected, z, normal_quality_p(z), known);
    };

    /* Words and radii of 32 bits have a law of their own, in the tails that of fast forms too. */
    normal_quality_law law = NORMAL_QUALITY_NORMAL;
    if (r.precision == BAILEY_PRECISION_F32 && r.method == BAILEY_NORMAL_ICDF) law = NORMAL_QUALITY_ICDF_F32;
    if (r.precision == BAILEY_PRECISION_F32 && r.method == BAILEY_NORMAL_BOX_MULLER)
        law = NORMAL_QUALITY_BOX_MULLER_F32;
    uint64_t count[2 * cells];
    for (int c = 0; c < 2 * cells; c++) count[c] = t.count[c];

    const double bad = (double)t.count[2 * cells];
    put("not numbers", bad, 0, bad ? INFINITY : 0, bad ? 0 : 1);
    const normal_quality_fit fit =
        normal_quality_fit_of(count, r.numerics == BAILEY_NUMERICS_EXACT ? law : NORMAL_QUALITY_NORMAL);
    x->shift = fit.shift;
    x->degrees = fit.degrees;
    put("chi-square", fit.chi_square, fit.degrees, fit.z, normal_quality_p(fit.z));
    put("Anderson-Darling", fit.anderson_darling, 1, NAN, std::fmin(2 * std::fmin(fit.p, 1 - fit.p), 1));

    double mu[2 * moments + 1] = {1};
    for (int k = 2; k <= 2 * moments; k += 2) mu[k] = mu[k - 2] * (k - 1);
    for (int k = 1; k <= moments; k++)
        put_z("moment " + std::to_string(k), t.moment[k - 1] / n, mu[k],
              std::sqrt(mu[2 * k] - mu[k] * mu[k]) / root);

    for (double edge : {1.0, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0, 6.5})
        for (int side = 0; side < 2; side++) {
            uint64_t found = 0;
            for (int k = (int)(edge * NORMAL_QUALITY_CELLS_A_UNIT); k < cells; k++)
                found += count[side * cells + k];
            const double p = normal_quality_beyond(law, edge), mean = n * p;
            const double z = ((double)found - mean) / std::sqrt(mean > 0 ? mean * (1 - p) : 1);
            char name[40];
            std::snprintf(name, sizeof name, "tail %s %s%g", side ? ">=" : "<=", side ? "" : "-", edge);
            put(name, (double)found, mean, z,
                mean > 1000 ? normal_quality_p(z) : normal_quality_poisson(found, mean));
        }

    for (int h = 0; h < 2; h++)
        for (int l = 0; l < lags; l++)
            put_z((h ? "squares, lag " : "values, lag ") + std::to_string(t.lag_places[l]),
                  t.lag[l][h] / n / (h ? 2 : 1), 0, 1 / root);

    const double k = block, b = (double)t.blocks;
    const bool wallace = r.method == BAILEY_NORMAL_WALLACE;
    put_z("blocks' squares, mean", t.squares[0] / b + k, k, std::sqrt(2 * k / b));
    put_z("blocks' squares, variance", t.squares[1] / b, 2 * k, std::sqrt((8 * k * k + 48 * k) / b));
    put_z("blocks' squares, lag 1", t.next_squares / (double)t.pairs[0] / (2 * k), 0,
          1 / std::sqrt((double)t.pairs[0]));
    for (int lag = 1; lag <= 2; lag++)
        put_z("blocks' He_4, lag " + std::to_string(lag),
              t.fourth[lag - 1] / (double)t.pairs[lag - 1] / (24 * k), 0,
              1 / std::sqrt((double)t.pairs[lag - 1]), wallace);

    /* The smallest of all p-values, and the chance of one as small. */
    x->worst = 0;
    bool known = false;
    for (size_t i = 0; i < all.size(); i++) {
        if (all[i].known)
            known = known || all[i].p < 1e-6;
        else if (!(all[i].p >= all[x->worst].p))
            x->worst = i;
    }
    x->corrected = -std::expm1((double)all.size() * std::log1p(-all[x->worst].p));
    x->verdict = !(x->corrected >= 1e-6)   ? "FAILS"
                 : !(x->corrected >= 1e-3) ? "suspect"
                 : known                   ? "passes but for what is known of it"
                                           : "passes";
}

struct options {
    bool json = false;
    int count_log2 = 36, fill_log2 = 0;
    uint64_t seed = 1;
    plant spoilt = PLANT_NONE;
};

template <class real> bool run(machine *m, const options &o, result *x)
{
    const auto begin = std::chrono::steady_clock::now();
    int fill_log2 = o.fill_log2 ? o.fill_log2 : m->cuda ? (sizeof(real) == 4 ? 30 : 29) : 22;
    if (fill_log2 > o.count_log2) fill_log2 = o.count_log2;
    const uint64_t fill = UINT64_C(1) << fill_log2, total = UINT64_C(1) << o.count_log2;
    const size_t bytes = (fill + halo) * sizeof(real);
    real *memory = (real *)m->allocate(bytes);
    bailey_buffer *buffer = m->adopt(memory, bytes);
    bailey_normal_params p = {};
    p.seed = o.seed;
    p.generator = x->r.generator;
    p.method = x->r.method;
    p.numerics = x->r.numerics;
    p.precision = x->r.precision;
    bool good = true;
    totals t;
    {
        counter<real> c(m, fill);
        for (p.offset = 0; p.offset < total; p.offset += fill) {
            demand(bailey_normals_generate(m->context, &p, fill + halo, buffer, 0), "normals");
            if (m->cuda && p.offset == 0) good = agreed(m, memory, fill, o.spoilt);
            c.look_at(memory, fill, o.spoilt, &t);
        }
        c.end(&t);
    }
    demand(bailey_context_sync(m->context), "normals");
    bailey_buffer_destroy(buffer);
    m->release(memory);
    judge(t, x);
    x->n = t.n;
    x->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return good;
}

/* ---- Report ---- */

std::string title(const row &r)
{
    return std::string(bailey_generator_name(r.generator)) + ":" + method_names[r.method] + ":" +
           numerics_names[r.numerics] + ":" + precision_names[r.precision];
}

bool is_lag(const statistic &s)
{
    return !s.name.compare(0, 12, "values, lag ") || !s.name.compare(0, 13, "squares, lag ");
}

/* The largest of a group, whose names begin so. */
const statistic *largest(const result &x, const char *begins)
{
    const statistic *most = nullptr;
    for (const statistic &s : x.all)
        if (!s.name.compare(0, std::strlen(begins), begins) && (!most || s.p < most->p)) most = &s;
    return most;
}

void report(const result &x)
{
    const auto line = [](const statistic &s, const char *more) {
        char z[24] = "";
        if (!std::isnan(s.z)) std::snprintf(z, sizeof z, "%.2f", s.z);
        std::printf("  %-28s %18.10g %18.10g %9s %11.3g%s%s\n", s.name.c_str(), s.observed, s.expected, z,
                    s.p, s.known ? "  known" : "", more);
    };
    std::printf("%s: %llu normals, %.1f s\n  %-28s %18s %18s %9s %11s\n", title(x.r).c_str(),
                (unsigned long long)x.n, x.seconds, "statistic", "observed", "expected", "z", "p");
    for (const statistic &s : x.all)
        if (!is_lag(s)) line(s, "");
    char more[40];
    std::snprintf(more, sizeof more, "  largest of %d", lags);
    line(*largest(x, "values, lag "), more);
    line(*largest(x, "squares, lag "), more);
    if (x.shift > 0)
        std::printf("  the law of the words shifts chi-square by %.2g standard deviations, which doubles a "
                    "p-value below %.2g\n",
                    x.shift, normal_quality_p(std::log(2) / x.shift));
    std::printf("  smallest p of %zu: %.3g (%s); the chance of one as small: %.3g\n  %s\n\n", x.all.size(),
                x.all[x.worst].p, x.all[x.worst].name.c_str(), x.corrected, x.verdict);
    std::fflush(stdout);
}

void report_json(const std::vector<result> &results, const machine &m, const options &o)
{
    const auto number = [](const char *name, double v, const char *after) {
        if (std::isfinite(v))
            std::printf("\"%s\": %.17g%s", name, v, after);
        else
            std::printf("\"%s\": null%s", name, after);
    };
    std::printf("{\n  \"device\": \"%s\",\n  \"seed\": %llu,\n  \"rows\": [", m.name.c_str(),
                (unsigned long long)o.seed);
    for (size_t i = 0; i < results.size(); i++) {
        const result &x = results[i];
        std::printf("%s\n    {\"name\": \"%s\", \"count\": %llu, ", i ? "," : "", title(x.r).c_str(),
                    (unsigned long long)x.n);
        number("seconds", x.seconds, ", ");
        number("chi_square_shift", x.shift, ", ");
        number("smallest_p", x.all[x.worst].p, ", ");
        number("corrected_p", x.corrected, ", ");
        std::printf("\"verdict\": \"%s\", \"statistics\": [", x.verdict);
        for (size_t k = 0; k < x.all.size(); k++) {
            const statistic &s = x.all[k];
            std::printf("%s\n      {\"name\": \"%s\", ", k ? "," : "", s.name.c_str());
            number("observed", s.observed, ", ");
            number("expected", s.expected, ", ");
            number("z", s.z, ", ");
            number("p", s.p, "}");
        }
        std::printf("]}");
    }
    std::printf("\n  ]\n}\n");
}

/* One line a row, for docs/quality.md. */
void summary(const std::vector<result> &results)
{
    const auto of = [](const result &x, const char *name) -> const statistic & {
        for (const statistic &s : x.all)
            if (s.name == name) return s;
        return x.all[0];
    };
    std::printf(
        "| generator, method, numerics, precision | normals | chi-square, z | A^2, p | largest moment, z | "
        "beyond -6; 6: found (expected) | lags: values; squares, largest z of %d | smallest p of %zu | "
        "|\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        lags, results.empty() ? 0 : results[0].all.size());
    for (const result &x : results) {
        const statistic &a = of(x, "Anderson-Darling"), &low = of(x, "tail <= -6"),
                        &high = of(x, "tail >= 6");
        const statistic *moment = largest(x, "moment "), *first = largest(x, "values, lag "),
                        *second = largest(x, "squares, lag ");
        std::printf(
            "| %s | 2^%g | %.2f | %.2f, %.3f | %s: %.2f | %.0f; %.0f (%.1f) | %.2f; %.2f | %.2g | %s |\n",
            title(x.r).c_str(), std::log2((double)x.n), of(x, "chi-square").z, a.observed, a.p,
            moment->name.c_str() + 7, moment->z, low.observed, high.observed, high.expected, first->z,
            second->z, x.all[x.worst].p, x.verdict);
    }
}

/* ---- Options ---- */

int usage()
{
    std::fprintf(stderr,
                 "usage: normal_quality [--device cpu|cuda] [--count-log2 N] [--fill-log2 N] [--seed N]\n"
                 "           [--quick] [--json] [--plant mean|variance|tail|serial]\n"
                 "           [--rows GENERATOR:METHOD:NUMERICS:PRECISION,...]\n"
                 "           [--generators NAMES] [--methods icdf,box-muller,wallace]\n"
                 "           [--numerics exact,fast] [--precisions f32,f64]\n");
    return 2;
}

std::vector<std::string> split(const std::string &text, char at)
{
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/* The place of a name, or -1. */
template <size_t count> int place(const char *const (&names)[count], const std::string &name)
{
    for (size_t i = 0; i < count; i++)
        if (name == names[i]) return (int)i;
    return -1;
}

bool row_of(const std::vector<std::string> &words, row *r)
{
    if (words.size() != 4 || bailey_generator_from_name(words[0].c_str(), &r->generator) != BAILEY_OK)
        return false;
    const int method = place(method_names, words[1]), numerics = place(numerics_names, words[2]),
              precision = place(precision_names, words[3]);
    if (method < 0 || numerics < 0 || precision < 0) return false;
    r->method = (bailey_normal_method)method;
    r->numerics = (bailey_numerics)numerics;
    r->precision = (bailey_precision)precision;
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    static const char *const plants[] = {"none", "mean", "variance", "tail", "serial"};
    std::string device = "cuda", lists[4] = {"philox", "icdf", "exact", "f32"};
    std::string chosen = "philox:icdf:exact:f32,warp:box-muller:exact:f32,warp:box-muller:fast:f32,"
                         "philox:icdf:exact:f64,philox:box-muller:exact:f64,philox:wallace:exact:f32";
    bool product = false;
    options o;
    for (int i = 1; i < argc; i++) {
        const std::string option = argv[i];
        if (option == "--json") {
            o.json = true;
            continue;
        }
        if (option == "--quick") {
            o.count_log2 = 28;
            continue;
        }
        if (i + 1 == argc) return usage();
        const char *const text = argv[++i];
        static const char *const names[] = {"--generators", "--methods", "--numerics", "--precisions"};
        if (place(names, option) >= 0) {
            lists[place(names, option)] = text;
            product = true;
        } else if (option == "--rows")
            chosen = text;
        else if (option == "--device")
            device = text;
        else if (option == "--count-log2")
            o.count_log2 = std::atoi(text);
        else if (option == "--fill-log2")
            o.fill_log2 = std::atoi(text);
        else if (option == "--seed")
            o.seed = std::strtoull(text, nullptr, 0);
        else if (option == "--plant" && place(plants, text) >= 0)
            o.spoilt = (plant)place(plants, text);
        else
            return usage();
    }
    if (o.count_log2 < 20 || o.count_log2 > 44 || (device != "cpu" && device != "cuda")) return usage();
    if (o.fill_log2 && (o.fill_log2 < 14 || o.fill_log2 > most_fill_log2)) return usage();

    std::vector<row> rows;
    const std::vector<std::string> texts = split(chosen, ',');
    row r;
    if (product) {
        for (const std::string &precision : split(lists[3], ','))
            for (const std::string &numerics : split(lists[2], ','))
                for (const std::string &method : split(lists[1], ','))
                    for (const std::string &generator : split(lists[0], ',')) {
                        if (!row_of({generator, method, numerics, precision}, &r)) return usage();
                        if (possible(r)) rows.push_back(r);
                    }
    } else
        for (const std::string &text : texts) {
            if (!row_of(split(text, ':'), &r) || !possible(r)) return usage();
            rows.push_back(r);
        }
    if (rows.empty()) return usage();

    machine m;
    m.open(device == "cuda");
    if (!o.json) std::printf("%s, seed %llu\n\n", m.name.c_str(), (unsigned long long)o.seed);
    std::vector<result> results;
    bool good = true;
    for (const row &one : rows) {
        result x = {};
        x.r = one;
        good =
            (one.precision == BAILEY_PRECISION_F32 ? run<float>(&m, o, &x) : run<double>(&m, o, &x)) && good;
        if (!o.json) report(x);
        if (x.verdict[0] == 'F') good = false;
        results.push_back(x);
    }
    if (o.json)
        report_json(results, m, o);
    else
        summary(results);
    bailey_context_destroy(m.context);
    if (m.stream) demand(cudaStreamDestroy(m.stream), "stream");
    return good ? 0 : 1;
}
