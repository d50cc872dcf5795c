/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey/bailey.hpp: each class does what its functions in C do, to the bit; owners move; errors and what a
 * progress function throws come out as exceptions.
 *
 *     test_cpp DEVICE        exit status 77: there is no such device
 */
#include <bailey/bailey.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int failures = 0;

#define TRUE(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                      \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (0)

/* The argument that `call` refuses; "nothing" if it does not. */
template <class F> static std::string refused(F call, bailey_status status = BAILEY_ERROR_INVALID)
{
    try {
        call();
    } catch (const bailey::error &e) {
        TRUE(e.status() == status);
        TRUE(std::strlen(e.what()) > 0);
        return e.argument();
    }
    return "nothing";
}

template <class T> static bool same(const std::vector<T> &a, const std::vector<T> &b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T> static bool same(const T &a, const T &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/* ---- Owners ---------------------------------------------------------------------------------- */

static_assert(!std::is_copy_constructible_v<bailey::context> && !std::is_copy_assignable_v<bailey::buffer>);
static_assert(std::is_nothrow_move_constructible_v<bailey::simulation>);
static_assert(std::is_nothrow_move_assignable_v<bailey::mlmc>);

static void contexts(const bailey::context &context)
{
    bailey::context moved(context.device().address);
    TRUE(std::strcmp(moved.device().address, context.device().address) == 0);
    const bailey_context *handle = moved.get();
    bailey::context other = std::move(moved);
    TRUE(other.get() == handle && moved.get() == nullptr);
    TRUE(refused([&] { moved.device(); }) == "context");
    TRUE(refused([&] { bailey::buffer(moved, 8); }) == "context");
    moved = std::move(other);
    moved.sync();
    bailey_context *released = moved.release();
    TRUE(released == handle && moved.get() == nullptr);
    bailey::context again(released);
    again.sync();
    TRUE(refused([] { bailey::context nowhere("nowhere"); }) == "device");
    std::size_t usable = 0;
    for (const bailey_device &d : bailey::devices()) usable += d.usable;
    TRUE(usable > 0);
    context.selftest();
}

static void buffers(const bailey::context &context)
{
    bailey::buffer a(context, 32), b(context, 32);
    a.write(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8});
    b.fill(0, 0xFF, 32);
    a.copy(4, b, 8, 12);
    const std::vector<std::uint32_t> found = b.read<std::uint32_t>();
    TRUE(same(found, {~0u, ~0u, 2, 3, 4, ~0u, ~0u, ~0u}));
    std::array<std::uint32_t, 2> two{};
    a.read(two, 8);
    TRUE(two[0] == 3 && two[1] == 4);
    std::uint32_t array[2] = {10, 11};
    a.write(array, 24);
    TRUE(a.read<std::uint32_t>()[7] == 11);
    TRUE(a.bytes() == 32);
    TRUE(refused([&] { a.read(two, 28); }) == "bytes" || refused([&] { a.read(two, 28); }) == "offset");
    std::vector<bailey::buffer> many;
    many.push_back(std::move(a));
    TRUE(a.bytes() == 0 && many[0].bytes() == 32);
    TRUE(refused([&] { a.read(two); }) == "buffer");
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void sources()
{
    const bailey::source warp("warp", 7, 3);
    TRUE(warp.generator == BAILEY_GENERATOR_WARP && warp.seed == 7 && warp.stream == 3);
    TRUE(warp.kind() == BAILEY_SOURCE_KIND_RUN && bailey::sobol(1).kind() == BAILEY_SOURCE_KIND_POINT);
    TRUE(refused([] { bailey::source("nonsense", 1); }) == "name");
    const auto bytes = warp.save(1234);
    const auto [restored, place] = bailey::source::restore(bytes);
    TRUE(place == 1234 && restored.seed == 7 && restored.stream == 3 && restored.generator == warp.generator);
    TRUE(refused([] { bailey::source::restore(std::vector<std::uint8_t>(10)); }) != "nothing");
    std::uint64_t next = 0;
    for (std::uint64_t part = 0; part < 3; part++) {
        const auto [first, count] = warp.split(0, 100000, 3, part);
        TRUE(count == 0 || first == next);
        next += count;
    }
    TRUE(next == 100000);
}

static void numbers(const bailey::context &context)
{
    constexpr std::size_t count = 1000;
    const bailey::source seed(7);
    bailey::buffer buffer(context, count * sizeof(double));
    std::vector<std::uint32_t> words(count);
    bailey::words(context, seed, words, 5);
    bailey::check(bailey_words_generate(context.get(), &seed, 5, count, buffer.get(), 0));
    std::vector<std::uint32_t> theirs(count);
    buffer.read(theirs);
    TRUE(same(words, theirs));

    std::vector<float> z(count), wanted(count);
    bailey::normals(context, seed, z, 3);
    bailey::check(bailey_normals_generate(context.get(), &seed, nullptr, 3, count, buffer.get(), 0));
    buffer.read(wanted);
    TRUE(same(z, wanted));
    std::vector<float> u(count);
    bailey::uniforms(context, seed, u);
    for (const float x : u) TRUE(x > 0 && x < 1);
    bailey_variate_params exponential{};
    exponential.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL;
    std::vector<float> e(count);
    bailey::variates(context, seed, exponential, e);
    for (const float x : e) TRUE(x > 0);
    TRUE(refused([&] { bailey::normals(context, seed, std::vector<float>()); }) != "nothing");

    bailey_points_params points{};
    points.dims = 2;
    std::vector<std::uint32_t> first(8); /* [point][dim] of 0, 1/2, 3/4, 1/4; 0, 1/2, 1/4, 3/4 */
    bailey::points(context, bailey::sobol(0, 0, BAILEY_SCRAMBLE_NONE), points, first);
    TRUE(first[0] == 0 && first[1] == 0 && first[2] == 1u << 31 && first[3] == 1u << 31);
}

/* ---- Paths and prices ------------------------------------------------------------------------ */

static const std::vector<double> quarters = {0.25, 0.5, 0.75, 1};

static void bridges(const bailey::context &context)
{
    constexpr std::uint64_t paths = 100;
    const std::vector<std::uint32_t> order = bailey::order(BAILEY_ORDER_INCREMENTAL, 3);
    TRUE(same(order, {1, 2, 3}));
    TRUE(same(bailey::order(BAILEY_ORDER_INCREMENTAL, 3, std::array<std::uint32_t, 1>{3}), {3, 1, 2}));
    bailey_bridge_params params{};
    params.order = order.data();
    params.dims = 2;
    bailey::bridge bridge(context, quarters, params);
    TRUE(bridge.x_size(paths) == 4 * 2 * paths && bridge.z_size(paths) == 4 * 2 * paths);
    std::vector<float> x(bridge.x_size(paths)), built(x.size()), z(bridge.z_size(paths));
    bailey::buffer to_x = bailey::buffer::adopt(context, x), to_z = bailey::buffer::adopt(context, z);
    bridge.paths(bailey::source(3), 10, paths, to_x);
    bridge.normals(bailey::source(3), 10, paths, to_z);
    bailey::buffer to_built = bailey::buffer::adopt(context, built);
    const bailey::bridge moved = std::move(bridge);
    moved.build(paths, to_z, to_built);
    context.sync();
    TRUE(same(x, built) && x[0] != 0);
    TRUE(refused([&] { bridge.describe(); }) == "bridge");
    TRUE(refused([&] { bailey::bridge(context, std::vector<double>{1, 1}); }) == "times");
}

static void motions(const bailey::context &context)
{
    constexpr std::uint64_t paths = 100;
    bailey_motion_params params{};
    params.depth = 4;
    bailey::motion motion(context, params);
    TRUE(motion.tick(0.5) == 8 && motion.time(8) == 0.5);
    const std::vector<std::uint64_t> from = {0, 8}, to = {8, 16};
    std::vector<std::uint64_t> each(2 * 2 * paths, 8);
    for (std::uint64_t p = 0; p < paths; p++) each[p] = 0, each[3 * paths + p] = 16;
    std::vector<float> x(2 * paths), w(2 * paths), own(2 * paths), x_own(2 * paths);
    bailey::buffer to_x = bailey::buffer::adopt(context, x), to_w = bailey::buffer::adopt(context, w);
    bailey::buffer to_own = bailey::buffer::adopt(context, own), ticks = bailey::buffer::adopt(context, each);
    bailey::buffer to_x_own = bailey::buffer::adopt(context, x_own);
    motion.values(bailey::source(3), to, 5, paths, to_x);
    motion.increments(bailey::source(3), from, to, 5, paths, to_w);
    motion.increments_each(bailey::source(3), ticks, 2, 5, paths, to_own);
    context.sync();
    TRUE(same(w, own) && w[0] != 0);
    for (std::uint64_t p = 0; p < paths; p++) {
        TRUE(x[p] == w[p] && std::abs(x[paths + p] - w[p] - w[paths + p]) < 1e-5f);
        each[p] = 8, each[paths + p] = 16;
    }
    const bailey::motion moved = std::move(motion);
    moved.values_each(bailey::source(3), ticks, 2, 5, paths, to_x_own);
    context.sync();
    TRUE(same(x, x_own));
    TRUE(refused([&] { motion.tick(0.5); }) == "motion");
    TRUE(refused([&] { moved.tick(2); }) == "time");
    TRUE(refused([&] { moved.increments(bailey::source(3), from, {}, 0, paths, to_w); }) == "to");
    TRUE(refused([&] { moved.values(bailey::source(3), {}, 0, paths, to_x); }) != "nothing");
}

static bailey_simulation_run_params run_of(std::uint64_t paths)
{
    bailey_simulation_run_params run{};
    run.source = bailey::source(42);
    run.paths = paths;
    return run;
}

static bailey::simulation european(const bailey::context &context)
{
    bailey::simulation option(context, quarters, bailey::builtin("european"));
    option.set("spot", 100).set("strike", 100).set("rate", {0.05}).set("volatility", 0.2);
    return option;
}

static void simulations(const bailey::context &context)
{
    bailey::simulation option = european(context);
    TRUE(option.outputs() == 1 && option.parameters().size() == 7);
    TRUE(option.parameters()[0].name == "spot" && option.parameters()[0].count == 1);
    TRUE(refused([&] { option.set("colour", 1); }) == "name");
    const bailey_estimate price = option.run(run_of(1 << 14))[0];
    TRUE(price.mean > 10.45 - 0.5 && price.mean < 10.45 + 0.5 && price.paths == 1 << 14);

    const char *const names[] = {"strike"};
    const double strikes[] = {100, 110}, difference[] = {1, -1};
    bailey_simulation_run_params run = run_of(1 << 14);
    run.scenarios.count = 2, run.scenarios.columns = 1;
    run.scenarios.names = names, run.scenarios.values = strikes;
    const std::vector<bailey_estimate> both = option.run(run);
    TRUE(both.size() == 2 && both[0].mean == price.mean && both[1].mean < price.mean);
    run.scenarios.rows = 1, run.scenarios.weights = difference;
    TRUE(option.run(run).size() == 1);

    const char *const spots[] = {"spot"};
    bailey_greeks_params which{};
    which.spots = spots, which.spot_count = 1;
    const std::vector<bailey_greek_estimate> greeks = option.greeks(run_of(1 << 14), which);
    TRUE(greeks.size() == 3 && greeks[0].mean == price.mean && greeks[1].kind == BAILEY_GREEK_KIND_DELTA);

    const bailey_payoff last = bailey::code(
        "typedef struct { real scale; } params;\n"
        "typedef struct { real last; } state;\n"
        "void start(state *s, const params *p) { s->last = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[]) { s->last = x[0]; }\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = p->scale * s->last; }\n");
    bailey::simulation own(context, quarters, last);
    const bailey_estimate end = own.set("scale", 2).run(run_of(1 << 14))[0];
    TRUE(std::abs(end.mean) < 0.1 && std::abs(end.variance - 4) < 0.2);
    TRUE(refused([&] { bailey::simulation(context, quarters, bailey::code("nonsense\n")); }) == "payoff");
}

static void progress(const bailey::context &context)
{
    const bailey::simulation option = european(context);
    std::uint64_t last = 0;
    option.run(run_of(1 << 16), [&](std::uint64_t done, std::uint64_t total) {
        TRUE(done >= last && total == 1 << 16);
        last = done;
        return false;
    });
    TRUE(last == 1 << 16);
    TRUE(refused([&] { option.run(run_of(1 << 24), [](std::uint64_t, std::uint64_t) { return true; }); },
                 BAILEY_ERROR_CANCELLED) == "");
    std::string caught;
    try {
        option.run(run_of(1 << 24), [](std::uint64_t, std::uint64_t) -> bool { throw std::string("mine"); });
    } catch (const std::string &thrown) {
        caught = thrown;
    }
    TRUE(caught == "mine");
}

static void jobs(const bailey::context &context)
{
    bailey::simulation option = european(context);
    const bailey_simulation_run_params run = run_of(1 << 16);
    const bailey_estimate whole = option.run(run)[0];
    bailey_job_params params{};
    params.run = run;
    bailey_job_report report;
    const std::vector<bailey_estimate> found = bailey::run_job({option}, params, &report);
    TRUE(found.size() == 1 && same(found[0], whole) && report.known == 1 << 16);
    TRUE(refused([&] { bailey::run_job({}, params); }) != "nothing");

    bailey::tally first(option, run), second(option, run), third(option, run);
    const std::uint64_t half = first.parts() / 2;
    first.run(option, 0, half);
    second.run(option, half, first.parts() - half);
    TRUE(first.missing() && first.missing()->first == half);
    first.merge(second);
    TRUE(!first.missing() && first.paths() == 1 << 16 && same(first.estimates()[0], whole));
    third.load(first.save());
    bailey::tally moved = std::move(third);
    TRUE(same(moved.estimates()[0], whole));
    TRUE(refused([&] { moved.load(std::vector<std::uint8_t>(16)); }) != "nothing");
}

static void products(const bailey::context &context)
{
    const double spot = 100, volatility = 0.2;
    bailey_american_params american{};
    american.type = BAILEY_OPTION_TYPE_PUT;
    american.spot = &spot, american.volatility = &volatility, american.strike = 100, american.rate = 0.05;
    american.exercise_times = quarters.data(), american.exercise_count = quarters.size();
    american.paths = 4096;
    std::uint64_t calls = 0;
    const bailey_american_result b = bailey::american_price(context, american, [&](auto, auto) {
        calls++;
        return false;
    });
    TRUE(b.lower > 5.2 && b.lower < 6.8 && calls > 0);
}

/* A put under the policy, worth 5.9 to 6.1. */
static void exercises(const bailey::context &context)
{
    bailey_payoff product = bailey::builtin("bermudan");
    product.model_name = "black-scholes";
    bailey::simulation put(context, quarters, product);
    put.set("spot", 100).set("strike", 100).set("rate", 0.05).set("volatility", 0.2).set("sign", -1);
    bailey_exercise_params find{};
    find.paths = 4096, find.outside = 1, find.source = bailey::source(42), find.source.stream = 1;
    std::uint64_t calls = 0;
    bailey::policy policy = put.exercise(find, [&](auto, auto) {
        calls++;
        return false;
    });
    TRUE(calls > 0 && policy.found().dates == quarters.size());
    TRUE(policy.functions().size() == policy.found().functions && policy.functions()[0] == "1");
    const double lower = policy.run(run_of(1 << 14))[0].mean;
    const char *const strike[] = {"strike"};
    const double strikes[] = {90, 100};
    bailey_simulation_run_params deals = run_of(1 << 14);
    deals.scenarios.count = 2, deals.scenarios.columns = 1, deals.scenarios.names = strike, deals.scenarios.values = strikes;
    std::vector<bailey_exercise_result> policies;
    find.outside = 0;
    const std::vector<bailey_estimate> both_deals = put.exercise_price(find, deals, &policies);
    TRUE(both_deals[1].mean == lower && both_deals[0].mean < lower);
    TRUE(policies.size() == 2 && policies[1].in_sample == policy.found().in_sample);
    bailey_exercise_bounds_params run{};
    run.paths = 4096, run.outer_paths = 50, run.inner_paths = 16, run.source = bailey::source(42);
    const bailey_exercise_bounds both = policy.bounds(run);
    TRUE(lower > 5.7 && lower < 6.2 && both.interval_low < 6.1 && both.interval_high > 5.9);
    bailey::policy moved = std::move(policy);
    TRUE(moved.functions().size() == moved.found().functions);
    TRUE(refused([&] { put.exercise({}, [](auto, auto) { return true; }); }, BAILEY_ERROR_CANCELLED) != "nothing");
}

static void levels(const bailey::context &context)
{
    bailey_mlmc_params params{};
    params.estimator = bailey::builtin("european");
    bailey::mlmc mlmc(context, params);
    mlmc.set("spot", 100).set("strike", 100).set("rate", 0.05).set("volatility", 0.2);
    TRUE(mlmc.parameters().size() >= 4);
    bailey_mlmc_run_params run{};
    run.source = bailey::source(42);
    run.eps = 0.1;
    const bailey_mlmc_result found = mlmc.run(run);
    TRUE(found.mean > 10 && found.mean < 11 && found.converged);
    std::vector<std::uint64_t> samples;
    for (std::uint32_t l = 0; l < found.levels; l++) samples.push_back(found.level[l].samples);
    TRUE(mlmc.run_samples(run, samples).mean == found.mean);
    const char *const spot[] = {"spot"};
    const auto gradient = mlmc.gradient(run, spot);
    TRUE(gradient.first.mean == found.mean && gradient.second.size() == 1);
    TRUE(gradient.second[0].mean > 0.6 && gradient.second[0].mean < 0.7);
    bailey_mlmc_test_params test{};
    test.samples = 1024, test.finest = 3;
    const std::string text = bailey::write(mlmc.test(test));
    TRUE(text.find("MLMC file version 1.0") != std::string::npos && text.back() != '\0');
    run.eps = -1;
    TRUE(refused([&] { mlmc.run(run); }) == "eps");
}

static int without_device(const char *device, const bailey::error &e)
{
    const char *required = std::getenv("BAILEY_TEST_REQUIRE");
    std::printf("%s: %s\n", device, e.what());
    return e.status() == BAILEY_ERROR_NO_DEVICE && !(required && std::strstr(required, device)) ? 77 : 1;
}

int main(int count, char **words)
{
    const char *device = count > 1 ? words[1] : "cpu";
    try {
        const bailey::context context(device);
        contexts(context), buffers(context);
        sources(), numbers(context), bridges(context), motions(context);
        simulations(context), progress(context);
        jobs(context), products(context), exercises(context), levels(context);
    } catch (const bailey::error &e) {
        return without_device(device, e);
    }
    return failures != 0;
}
