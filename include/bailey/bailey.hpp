/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey in C++17: the C interface with RAII handles instead of pairs of create and destroy, exceptions
 * instead of statuses, and anything with data() and size() instead of pointers and counts. The C headers
 * document what each call does and takes. This header adds nothing to them, and is not part of the library.
 *
 *     bailey::context context;                          // the best device available
 *     bailey::bridge bridge(context, times);            // a std::vector<double>
 *     std::vector<float> x(bridge.x_size(paths));       // [step][dim][path]
 *     bailey::buffer out = bailey::buffer::adopt(context, x);
 *     bridge.paths(bailey::source(42), 0, paths, out);
 *
 * Handles are movable, not copyable. The library rejects a moved-from handle like NULL. Objects created from
 * a context must be destroyed before it, so declare the context first. get() returns the C handle, for C
 * functions without a counterpart here. A handle takes ownership of objects created by bailey/opencl.h and
 * cuda.h.
 *
 * Parameter structs are those of C: `bailey_simulation_run_params run{};`, then set the fields you need.
 * Nothing is copied unless the name of the call says so: adopt() works in place, read() and write() copy.
 *
 * Threads: as in C. Every function may throw bailey::error; functions that return a container may also throw
 * its exceptions.
 */
#ifndef BAILEY_HPP
#define BAILEY_HPP

#include <bailey/american.h>
#include <bailey/copulas.h>
#include <bailey/correlation.h>
#include <bailey/exercise.h>
#include <bailey/greeks.h>
#include <bailey/halves.h>
#include <bailey/integers.h>
#include <bailey/job.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/points.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bailey {

/* ---- Errors ---------------------------------------------------------------------------------- */

/* A failed call: what() is the library's message, argument() the name of the rejected argument, or ""
 * (bailey_error_argument). */
class error : public std::runtime_error {
  public:
    explicit error(bailey_status status) : error(status, bailey_error_message(), bailey_error_argument()) {}
    error(bailey_status status, const char *message, const char *argument)
        : std::runtime_error(message), status_(status), argument_(argument)
    {
    }
    bailey_status status() const noexcept { return status_; }
    const std::string &argument() const noexcept { return argument_; }

  private:
    bailey_status status_;
    std::string argument_;
};

/* For calls of C functions: throws an error for any status except OK. */
inline void check(bailey_status status)
{
    if (status != BAILEY_OK) throw error(status);
}

/* Called with (done, total); true stops the run, which then throws an error with ERROR_CANCELLED. An
 * exception from it stops the run too, and leaves the call that received the function. It replaces the
 * function in a parameter struct. */
using progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/* ---- Views ----------------------------------------------------------------------------------- */

/* Contiguous elements owned elsewhere: by a std::vector, std::array, std::span, array or list. */
template <class T> class span {
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<
                           std::remove_pointer_t<decltype(std::data(std::declval<C &>()))> (*)[], T (*)[]>>>
    constexpr span(C &&container) noexcept : data_(std::data(container)), size_(std::size(container))
    {
    }
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
template <class C>
span(C &&container) -> span<std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>>;

namespace detail {

template <class T> constexpr bailey_precision precision()
{
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "numbers are float or double");
    return std::is_same_v<T, float> ? BAILEY_PRECISION_F32 : BAILEY_PRECISION_F64;
}

template <class T> constexpr std::uint64_t bytes(span<T> elements)
{
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    return elements.size() * sizeof(T);
}

/* A progress function for C: no exception passes through the library. */
class watch {
  public:
    template <class Params> watch(const progress &function, Params &params) : function_(function)
    {
        if (!function) return;
        params.progress = call;
        params.progress_user = this;
    }
    watch(const watch &) = delete;
    watch &operator=(const watch &) = delete;

    void check(bailey_status status) const
    {
        if (thrown_) std::rethrow_exception(thrown_);
        bailey::check(status);
    }

  private:
    static int call(void *user, std::uint64_t done, std::uint64_t total) noexcept
    {
        watch &self = *static_cast<watch *>(user);
        try {
            return self.function_(done, total) ? 1 : 0;
        } catch (...) {
            self.thrown_ = std::current_exception();
            return 1;
        }
    }

    const progress &function_;
    std::exception_ptr thrown_;
};

template <class T, void (*destroy)(T *)> struct destroyer {
    void operator()(T *object) const noexcept { destroy(object); }
};

/* The base of all RAII handles: a C handle, or NULL once it was moved from. */
template <class T, void (*destroy)(T *)> class owner {
  public:
    owner() = default;
    explicit owner(T *object) noexcept : object_(object) {}
    T *get() const noexcept { return object_.get(); }
    T *release() noexcept { return object_.release(); }

  protected:
    std::unique_ptr<T, destroyer<T, destroy>> object_;
};

} // namespace detail

/* ---- Devices, contexts, buffers -------------------------------------------------------------- */

inline std::vector<bailey_device> devices()
{
    std::size_t count = 0;
    check(bailey_device_list(nullptr, 0, &count));
    std::vector<bailey_device> list(count);
    check(bailey_device_list(list.data(), list.size(), &count));
    if (count < list.size()) list.resize(count);
    return list;
}

class context : public detail::owner<bailey_context, bailey_context_destroy> {
  public:
    /* "cpu", "cuda:1", ...; NULL: $BAILEY_DEVICE, else the best device available. */
    explicit context(const char *device = nullptr, const bailey_context_params &params = {})
    {
        bailey_context *handle = nullptr;
        check(bailey_context_create(device, &params, &handle));
        object_.reset(handle);
    }
    /* Takes ownership of a context from bailey_context_create_opencl or _cuda. */
    explicit context(bailey_context *handle) noexcept : owner(handle) {}

    bailey_device device() const
    {
        bailey_device d{};
        check(bailey_context_device(get(), &d));
        return d;
    }
    void sync() const { check(bailey_context_sync(get())); }
    void selftest(bool all = false) const
    {
        bailey_selftest_params params{};
        params.all = all;
        check(bailey_selftest(get(), &params));
    }
};

class buffer : public detail::owner<bailey_buffer, bailey_buffer_destroy> {
  public:
    buffer(const context &on, std::uint64_t bytes)
    {
        bailey_buffer *handle = nullptr;
        check(bailey_buffer_create(on.get(), bytes, &handle));
        object_.reset(handle);
    }
    /* Takes ownership of a buffer from bailey_buffer_adopt_opencl or _cuda. */
    explicit buffer(bailey_buffer *handle) noexcept : owner(handle) {}

    /* Wraps the elements without a copy. They must outlive the buffer, stay where they are, and be aligned to
     * 4 or 8 bytes as their type requires. */
    template <class C> static buffer adopt(const context &on, C &&container)
    {
        static_assert(std::is_lvalue_reference_v<C>, "what is adopted has a name, and outlives the buffer");
        const span view(container);
        bailey_buffer *handle = nullptr;
        check(bailey_buffer_adopt_host(on.get(), view.data(), detail::bytes(view), &handle));
        return buffer(handle);
    }

    std::uint64_t bytes() const noexcept { return bailey_buffer_bytes(get()); }

    /* Copy all elements from or to byte `offset` of the buffer. */
    template <class C> void write(const C &from, std::uint64_t offset = 0)
    {
        const span view(from);
        check(bailey_buffer_write(get(), offset, view.data(), detail::bytes(view)));
    }
    template <class C> void read(C &&to, std::uint64_t offset = 0) const
    {
        const span view(to);
        check(bailey_buffer_read(get(), offset, view.data(), detail::bytes(view)));
    }
    template <class T> std::vector<T> read() const
    {
        std::vector<T> elements(bytes() / sizeof(T));
        read(elements);
        return elements;
    }

    void copy(std::uint64_t offset, buffer &to, std::uint64_t to_offset, std::uint64_t count) const
    {
        check(bailey_buffer_copy(get(), offset, to.get(), to_offset, count));
    }
    void fill(std::uint64_t offset, std::uint8_t value, std::uint64_t count)
    {
        check(bailey_buffer_fill(get(), offset, value, count));
    }
};

/* ---- Sources and numbers --------------------------------------------------------------------- */

/* A plain value, as in C. */
struct source : bailey_source {
    source(std::uint64_t seed_ = 0, std::uint64_t stream_ = 0) noexcept : bailey_source{}
    {
        seed = seed_;
        stream = stream_;
    }
    source(const bailey_source &other) noexcept : bailey_source(other) {}
    source(const char *generator_name, std::uint64_t seed_, std::uint64_t stream_ = 0)
        : source(seed_, stream_)
    {
        check(bailey_generator_from_name(generator_name, &generator));
    }

    /* Checks all fields. */
    bailey_source_kind kind() const
    {
        bailey_source_kind found = BAILEY_SOURCE_KIND_COUNTER;
        check(bailey_source_check(this, &found));
        return found;
    }
    /* {first, count} of part number `part`. */
    std::pair<std::uint64_t, std::uint64_t> split(std::uint64_t first, std::uint64_t count,
                                                  std::uint64_t parts, std::uint64_t part) const
    {
        std::pair<std::uint64_t, std::uint64_t> range;
        check(bailey_source_split(this, first, count, parts, part, &range.first, &range.second));
        return range;
    }
    std::array<std::uint8_t, BAILEY_SOURCE_BYTES> save(std::uint64_t place) const
    {
        std::array<std::uint8_t, BAILEY_SOURCE_BYTES> bytes{};
        check(bailey_source_save(this, place, bytes.data()));
        return bytes;
    }
    static std::pair<source, std::uint64_t> restore(span<const std::uint8_t> bytes)
    {
        std::pair<source, std::uint64_t> found;
        check(bailey_source_restore(bytes.data(), bytes.size(), &found.first, &found.second));
        return found;
    }
};

/* Sobol points. */
inline source sobol(std::uint64_t seed, std::uint64_t stream = 0,
                    bailey_scramble scramble = bailey_scramble())
{
    source points(seed, stream);
    points.generator = BAILEY_GENERATOR_SOBOL;
    points.scramble = scramble;
    return points;
}

/* Each of these fills all of `out`, in place, starting at number `first` of the source. `out` is a container
 * of float or double, which sets the precision, aligned as for adopt(). To fill a buffer, call the C
 * function. */
inline void words(const context &on, const source &from, span<std::uint32_t> out, std::uint64_t first = 0)
{
    const buffer to = buffer::adopt(on, out);
    check(bailey_words_generate(on.get(), &from, first, out.size(), to.get(), 0));
}

template <class C>
void uniforms(const context &on, const source &from, C &&out, std::uint64_t first = 0,
              std::uint32_t word_bits = 0)
{
    const span view(out);
    const buffer to = buffer::adopt(on, view);
    check(bailey_uniforms_generate(on.get(), &from, detail::precision<std::decay_t<decltype(*view.data())>>(),
                                   word_bits, first, view.size(), to.get(), 0));
}

/* Integers from `least` to least + below - 1, of 32 or 64 bits; `below` 0 means all. */
template <class C>
void integers(const context &on, const source &from, std::uint64_t below, C &&out, std::uint64_t first = 0,
              std::int64_t least = 0)
{
    using element = std::decay_t<decltype(*span(out).data())>;
    static_assert(std::is_integral_v<element> && (sizeof(element) == 4 || sizeof(element) == 8),
                  "integers have 32 or 64 bits");
    const span view(out);
    const buffer to = buffer::adopt(on, view);
    check(bailey_integers_generate(on.get(), &from, 8 * sizeof(element), static_cast<std::uint64_t>(least), below,
                                   first, view.size(), to.get(), 0));
}

template <class C>
void normals(const context &on, const source &from, C &&out, std::uint64_t first = 0,
             bailey_normal_params normal = {})
{
    const span view(out);
    const buffer to = buffer::adopt(on, view);
    normal.precision = detail::precision<std::decay_t<decltype(*view.data())>>();
    check(bailey_normals_generate(on.get(), &from, &normal, first, view.size(), to.get(), 0));
}

template <class C>
void variates(const context &on, const source &from, bailey_variate_params variate, C &&out,
              std::uint64_t first = 0)
{
    const span view(out);
    const buffer to = buffer::adopt(on, view);
    variate.normal.precision = detail::precision<std::decay_t<decltype(*view.data())>>();
    check(bailey_variates_generate(on.get(), &from, &variate, first, view.size(), to.get(), 0));
}

/* As many points as fit in `out`; for words, uint32_t or uint64_t. */
template <class C>
void points(const context &on, const source &from, bailey_points_params params, C &&out,
            std::uint64_t first_point = 0)
{
    using element = std::decay_t<decltype(*span(out).data())>;
    const span view(out);
    const buffer to = buffer::adopt(on, view);
    if constexpr (std::is_floating_point_v<element>)
        params.precision = detail::precision<element>();
    else
        params.form = BAILEY_POINTS_FORM_WORDS;
    const std::uint64_t count = view.size() / (params.dims ? params.dims : 1);
    check(bailey_points_generate(on.get(), &from, &params, first_point, count, to.get(), 0));
}

/* ---- Bridges --------------------------------------------------------------------------------- */

inline std::vector<std::uint32_t> order(bailey_order kind, std::uint64_t interior,
                                        span<const std::uint32_t> important = {})
{
    std::vector<std::uint32_t> indices(interior);
    check(bailey_order_make(kind, interior, important.data(), important.size(), indices.data()));
    return indices;
}

class bridge : public detail::owner<bailey_bridge, bailey_bridge_destroy> {
  public:
    bridge(const context &on, const bailey_bridge_params &params)
    {
        bailey_bridge *handle = nullptr;
        check(bailey_bridge_create(on.get(), &params, &handle));
        object_.reset(handle);
    }
    /* `times` and their number replace those in `params`. */
    bridge(const context &on, span<const double> times, const bailey_bridge_params &params = {})
        : bridge(on, at(times, params))
    {
    }

    bailey_bridge_info describe() const
    {
        bailey_bridge_info info{};
        check(bailey_bridge_describe(get(), &info));
        return info;
    }
    /* The number of elements of X, and of Z, for `paths` paths. */
    std::uint64_t x_size(std::uint64_t paths) const { return describe().x_steps * describe().dims * paths; }
    std::uint64_t z_size(std::uint64_t paths) const { return describe().z_steps * describe().dims * paths; }

    void build(std::uint64_t paths, const buffer &z, buffer &x) const
    {
        check(bailey_bridge_build(get(), paths, z.get(), x.get()));
    }
    void paths(const source &from, std::uint64_t first_path, std::uint64_t paths, buffer &x,
               const bailey_normal_params &normal = {}) const
    {
        check(bailey_bridge_paths(get(), &from, &normal, first_path, paths, x.get()));
    }
    void normals(const source &from, std::uint64_t first_path, std::uint64_t paths, buffer &z,
                 const bailey_normal_params &normal = {}) const
    {
        check(bailey_bridge_normals(get(), &from, &normal, first_path, paths, z.get()));
    }

    /* Parameters with these times. */
    static bailey_bridge_params at(span<const double> times, bailey_bridge_params params = {})
    {
        params.times = times.data();
        params.steps = times.size();
        return params;
    }
};

/* ---- Motions --------------------------------------------------------------------------------- */

class motion : public detail::owner<bailey_motion, bailey_motion_destroy> {
  public:
    explicit motion(const context &on, const bailey_motion_params &params = {})
    {
        bailey_motion *handle = nullptr;
        check(bailey_motion_create(on.get(), &params, &handle));
        object_.reset(handle);
    }

    std::uint64_t tick(double time) const
    {
        std::uint64_t found = 0;
        check(bailey_motion_tick(get(), time, &found));
        return found;
    }
    double time(std::uint64_t tick_) const { return bailey_motion_time(get(), tick_); }

    /* The same ticks for all paths. */
    void values(const source &of, span<const std::uint64_t> ticks, std::uint64_t first_path,
                std::uint64_t paths, buffer &out) const
    {
        check(bailey_motion_values(get(), &of, ticks.data(), ticks.size(), first_path, paths, out.get()));
    }
    /* From each tick of `from` to the tick of `to` at the same position. */
    void increments(const source &of, span<const std::uint64_t> from, span<const std::uint64_t> to,
                    std::uint64_t first_path, std::uint64_t paths, buffer &out) const
    {
        if (from.size() != to.size()) throw error(BAILEY_ERROR_INVALID, "to and from differ in size", "to");
        check(bailey_motion_increments(get(), &of, from.data(), to.data(), from.size(), first_path, paths,
                                       out.get()));
    }
    /* Separate ticks for each path. */
    void values_each(const source &of, const buffer &ticks, std::uint64_t count, std::uint64_t first_path,
                     std::uint64_t paths, buffer &out) const
    {
        check(bailey_motion_values_each(get(), &of, ticks.get(), count, first_path, paths, out.get()));
    }
    void increments_each(const source &of, const buffer &ticks, std::uint64_t count, std::uint64_t first_path,
                         std::uint64_t paths, buffer &out) const
    {
        check(bailey_motion_increments_each(get(), &of, ticks.get(), count, first_path, paths, out.get()));
    }
    /* Between times, and of first paths, in device memory. */
    void increments_timed(const source &of, const buffer &times, bailey_precision times_precision,
                          const buffer &first_paths, std::uint64_t count, std::uint64_t paths,
                          buffer &out) const
    {
        check(bailey_motion_increments_timed(get(), &of, times.get(), times_precision, first_paths.get(),
                                             count, paths, out.get()));
    }
};

/* ---- Simulations ----------------------------------------------------------------------------- */

/* A built-in payoff or multilevel estimator, by name; payoff code, with a name for messages. */
inline bailey_payoff code(const char *characters, const char *name = nullptr)
{
    bailey_payoff payoff = {};
    payoff.code = characters;
    payoff.name = name;
    return payoff;
}
inline bailey_payoff builtin(const char *name) { return code(nullptr, name); }

/* A parameter of a payoff or of a multilevel estimator. */
struct parameter {
    std::string name;
    std::uint64_t count;
};

namespace detail {

template <class T>
std::vector<parameter> parameters(const char *(*at)(const T *, std::size_t, std::uint64_t *), const T *object)
{
    std::vector<parameter> list;
    std::uint64_t count = 0;
    while (const char *name = at(object, list.size(), &count)) list.push_back({name, count});
    return list;
}

/* The number of results of a run (bailey_scenarios). */
inline std::size_t results(const bailey_simulation *simulation, const bailey_scenarios &scenarios)
{
    if (scenarios.count && scenarios.rows) return scenarios.rows;
    return bailey_simulation_outputs(simulation) * (scenarios.count ? scenarios.count : 1);
}

} // namespace detail

class policy;

class simulation : public detail::owner<bailey_simulation, bailey_simulation_destroy> {
  public:
    simulation(const context &on, const bailey_simulation_params &params)
    {
        bailey_simulation *handle = nullptr;
        check(bailey_simulation_create(on.get(), &params, &handle));
        object_.reset(handle);
    }
    simulation(const context &on, span<const double> times, const bailey_payoff &payoff,
               const bailey_bridge_params &path = {})
        : simulation(on, bailey_simulation_params{bridge::at(times, path), payoff, 0, 0, {}})
    {
    }

    /* Returns the simulation, so that calls can be chained. */
    simulation &set(const char *name, span<const double> values)
    {
        check(bailey_simulation_set(get(), name, values.data(), values.size()));
        return *this;
    }
    simulation &set(const char *name, std::initializer_list<double> values)
    {
        return set(name, span<const double>(values));
    }
    simulation &set(const char *name, double value) { return set(name, span<const double>(&value, 1)); }

    std::vector<parameter> parameters() const
    {
        return detail::parameters(bailey_simulation_parameter, static_cast<const bailey_simulation *>(get()));
    }
    std::uint32_t outputs() const { return bailey_simulation_outputs(get()); }

    /* An estimate per result. */
    std::vector<bailey_estimate> run(bailey_simulation_run_params params, const progress &report = {}) const
    {
        std::vector<bailey_estimate> estimates(detail::results(get(), params.scenarios));
        const detail::watch watch(report, params);
        watch.check(bailey_simulation_run(get(), &params, estimates.data()));
        return estimates;
    }
    std::vector<bailey_greek_estimate> greeks(bailey_simulation_run_params params,
                                              const bailey_greeks_params &which,
                                              const progress &report = {}) const
    {
        std::vector<bailey_greek_estimate> greeks(bailey_simulation_greeks_count(get(), &which));
        const detail::watch watch(report, params);
        watch.check(bailey_simulation_greeks(get(), &params, &which, greeks.data()));
        return greeks;
    }
    /* The simulation under an exercise policy, of a payoff with `exercise`. */
    policy exercise(const bailey_exercise_params &params = {}, const progress &report = {}) const;
    /* An estimate per result of `params`, whose scenarios are deals under their own policies; `policies`, if given,
     * receives these. */
    std::vector<bailey_estimate> exercise_price(const bailey_exercise_params &find, bailey_simulation_run_params params,
                                                std::vector<bailey_exercise_result> *policies = nullptr,
                                                const progress &report = {}) const
    {
        std::vector<bailey_estimate> estimates(detail::results(get(), params.scenarios));
        std::vector<bailey_exercise_result> found(params.scenarios.count ? params.scenarios.count : 1);
        const detail::watch watch(report, params);
        watch.check(bailey_exercise_price(get(), &find, &params, found.data(), estimates.data()));
        if (policies) *policies = std::move(found);
        return estimates;
    }

  protected:
    simulation() = default;
};

/* A payoff under an exercise policy: run() gives a lower bound of the price. */
class policy : public simulation {
  public:
    explicit policy(const simulation &of, bailey_exercise_params params = {}, const progress &report = {})
    {
        bailey_simulation *handle = nullptr;
        const detail::watch watch(report, params);
        watch.check(bailey_exercise_find(of.get(), &params, &found_, &handle));
        object_.reset(handle);
    }

    const bailey_exercise_result &found() const { return found_; }
    /* Names of the functions of its regressions. */
    std::vector<std::string> functions() const
    {
        std::vector<std::string> names;
        while (const char *name = bailey_exercise_function(get(), names.size())) names.push_back(name);
        return names;
    }
    /* Both bounds of the price. The policy needs `outside`, unless `horizon` is the number of its dates. */
    bailey_exercise_bounds bounds(bailey_exercise_bounds_params params = {}, const progress &report = {}) const
    {
        bailey_exercise_bounds both{};
        const detail::watch watch(report, params);
        watch.check(bailey_exercise_bound(get(), &params, &both));
        return both;
    }

  private:
    bailey_exercise_result found_{};
};

inline policy simulation::exercise(const bailey_exercise_params &params, const progress &report) const
{
    return policy(*this, params, report);
}

inline bailey_american_result american_price(const context &on, bailey_american_params params,
                                             const progress &report = {})
{
    bailey_american_result result{};
    const detail::watch watch(report, params);
    watch.check(bailey_american_price(on.get(), &params, &result));
    return result;
}

/* ---- Jobs and tallies ------------------------------------------------------------------------ */

/* Runs a job on simulations of separate contexts. `report` is written in all cases. */
inline std::vector<bailey_estimate>
run_job(const std::vector<std::reference_wrapper<simulation>> &simulations, bailey_job_params params,
        bailey_job_report *report = nullptr, const progress &on_progress = {})
{
    std::vector<bailey_simulation *> handles;
    for (const simulation &s : simulations) handles.push_back(s.get());
    const std::size_t count = handles.empty() ? 0 : detail::results(handles[0], params.run.scenarios);
    std::vector<bailey_estimate> estimates(count);
    const detail::watch watch(on_progress, params.run);
    watch.check(bailey_job_run(handles.data(), handles.size(), &params, estimates.data(), report));
    return estimates;
}

class tally : public detail::owner<bailey_tally, bailey_tally_destroy> {
  public:
    tally(const simulation &of, const bailey_simulation_run_params &params)
        : results_(detail::results(of.get(), params.scenarios))
    {
        bailey_tally *handle = nullptr;
        check(bailey_tally_create(of.get(), &params, &handle));
        object_.reset(handle);
    }

    std::uint64_t parts() const { return bailey_tally_parts(get()); }
    std::uint64_t paths() const { return bailey_tally_paths(get()); }
    /* {first, count} of parts that are not completed; nothing if all are. */
    std::optional<std::pair<std::uint64_t, std::uint64_t>> missing(std::uint64_t from = 0) const
    {
        std::uint64_t first = 0;
        const std::uint64_t count = bailey_tally_missing(get(), from, &first);
        if (count == 0) return std::nullopt;
        return std::make_pair(first, count);
    }
    void run(const simulation &on, std::uint64_t first, std::uint64_t count)
    {
        check(bailey_tally_run(get(), on.get(), first, count));
    }
    void merge(const tally &from) { check(bailey_tally_merge(get(), from.get())); }
    std::vector<std::uint8_t> save() const
    {
        std::vector<std::uint8_t> bytes(bailey_tally_bytes(get()));
        check(bailey_tally_save(get(), bytes.data(), bytes.size()));
        return bytes;
    }
    void load(span<const std::uint8_t> bytes) { check(bailey_tally_load(get(), bytes.data(), bytes.size())); }
    std::vector<bailey_estimate> estimates() const
    {
        std::vector<bailey_estimate> list(results_);
        check(bailey_tally_estimates(get(), list.data(), nullptr, nullptr));
        return list;
    }

  private:
    std::size_t results_;
};

/* ---- Multilevel Monte Carlo ------------------------------------------------------------------ */

class mlmc : public detail::owner<bailey_mlmc, bailey_mlmc_destroy> {
  public:
    mlmc(const context &on, const bailey_mlmc_params &params)
    {
        bailey_mlmc *handle = nullptr;
        check(bailey_mlmc_create(on.get(), &params, &handle));
        object_.reset(handle);
    }

    mlmc &set(const char *name, span<const double> values)
    {
        check(bailey_mlmc_set(get(), name, values.data(), values.size()));
        return *this;
    }
    mlmc &set(const char *name, double value) { return set(name, span<const double>(&value, 1)); }
    std::vector<parameter> parameters() const
    {
        return detail::parameters(bailey_mlmc_parameter, static_cast<const bailey_mlmc *>(get()));
    }

    bailey_mlmc_result run(bailey_mlmc_run_params params, const progress &report = {}) const
    {
        bailey_mlmc_result result{};
        const detail::watch watch(report, params);
        watch.check(bailey_mlmc_run(get(), &params, &result));
        return result;
    }
    /* The given numbers of samples per level; with `approximate`, followed by those of corrections. */
    bailey_mlmc_result run_samples(bailey_mlmc_run_params params, span<const std::uint64_t> samples,
                                   const progress &report = {}) const
    {
        bailey_mlmc_result result{};
        const std::size_t levels =
            params.approximate == BAILEY_MLMC_APPROXIMATION_EXACT ? samples.size() : samples.size() / 2;
        const detail::watch watch(report, params);
        watch.check(bailey_mlmc_run_samples(get(), &params, samples.data(),
                                            static_cast<std::uint32_t>(levels), &result));
        return result;
    }
    /* The estimate, and its derivatives with respect to the named parameters. */
    std::pair<bailey_mlmc_result, std::vector<bailey_mlmc_result>>
    gradient(bailey_mlmc_run_params params, span<const char *const> names, const progress &report = {}) const
    {
        const auto count = static_cast<std::uint32_t>(names.size());
        std::pair<bailey_mlmc_result, std::vector<bailey_mlmc_result>> result{};
        result.second.resize(1 + bailey_mlmc_gradient_count(get(), names.data(), count));
        const detail::watch watch(report, params);
        watch.check(
            bailey_mlmc_gradient(get(), &params, names.data(), count, &result.first, result.second.data()));
        result.second.pop_back();
        return result;
    }
    bailey_mlmc_report test(bailey_mlmc_test_params params, const progress &report = {}) const
    {
        bailey_mlmc_report result{};
        const detail::watch watch(report, params.run);
        watch.check(bailey_mlmc_test(get(), &params, &result));
        return result;
    }
};

/* A report in Giles's file format. */
inline std::string write(const bailey_mlmc_report &report)
{
    std::string characters(bailey_mlmc_report_write(&report, nullptr, 0) + 1, '\0');
    characters.resize(bailey_mlmc_report_write(&report, characters.data(), characters.size()));
    return characters;
}

} // namespace bailey

#endif
