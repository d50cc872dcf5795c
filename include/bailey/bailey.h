/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey: random numbers, Brownian paths and Monte Carlo prices on any hardware you have (CPU, OpenCL device
 * or NVIDIA GPU), with the same bits on all of it.
 *
 * Read this header from top to bottom:
 *   1. Status and errors      what every call returns
 *   2. Devices and contexts   where the work runs
 *   3. Buffers                where the numbers live
 *   4. Sources                generators, seeds, streams, positions
 *   5. Numbers                words, uniforms, normals and other distributions
 *   6. Brownian bridge        paths at your dates
 *   7. Prices                 what simulations share; the rest is in bailey/simulation.h
 *   8. Self-test and log
 *
 * Other headers:
 *   bailey/simulation.h       Monte Carlo prices, and your own payoffs
 *   bailey/gradient.h         all derivatives of a price in one run
 *   bailey/exercise.h         early exercise of any payoff
 *   bailey/greeks.h           derivatives of prices
 *   bailey/american.h         American and Bermudan options
 *   bailey/mlmc.h             multilevel Monte Carlo
 *   bailey/job.h              long runs, and runs on several devices
 *   bailey/copulas.h          dependent numbers of any distributions
 *   bailey/halves.h           uniforms and normals of 16 bits
 *   bailey/integers.h         integers below n, permutations
 *   bailey/points.h           quasi-random points
 *   bailey/motion.h           Brownian motion at any time
 *   bailey/correlation.h      correlation matrices, and the nearest one
 *   bailey/local_volatility.h  local volatility from quotes
 *   bailey/opencl.h, cuda.h   contexts and memory shared with OpenCL and CUDA
 *   bailey/advanced.h         for your own kernels, together with bailey/device/
 *
 * The guarantee (`exact` numerics, the default): a result is a pure function of its arguments. It does not
 * depend on the backend, device, driver, number of threads or launch configuration, or on how a request is
 * split into calls. `Results:` below states the guarantee of each function. It covers zero and normal
 * floating-point values. Infinities and NaNs arise only from arguments that overflow; subnormals may differ
 * between devices.
 *
 * Parameter structs: zero the struct and set the fields you need; zero means the default. Every struct ends
 * with `reserved`, which holds fields of later versions: leave it 0 (docs/reproducibility.md).
 * Threads: a context and all objects created from it belong to one thread at a time; different threads may
 * use different contexts at once. Functions that take no context may be called from any thread. In a library
 * built without NDEBUG, a call on a context that another thread is using returns ERROR_INVALID; a function
 * without a status does nothing. On the cpu backend the calling thread works too, and needs 256 KiB of stack.
 * After fork, a child must not use the parent's contexts. If the parent opened an OpenCL or CUDA device, the
 * child must not use those backends at all: no vendor's driver survives a fork.
 * Returns: the list names the errors that a function itself detects. A call that reaches a device may also
 * return ERROR_MEMORY or ERROR_DRIVER, and the first call that needs a kernel ERROR_BUILD or ERROR_NO_DEVICE.
 * The library never exits or aborts, and prints nothing except a log that you ask for.
 */
#ifndef BAILEY_H
#define BAILEY_H

#define BAILEY_TABLE_ALONE
#include <bailey/device/distribution.h>
#include <bailey/device/generators.h>
#undef BAILEY_TABLE_ALONE

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BAILEY_API __attribute__((visibility("default")))
#else
#define BAILEY_API
#endif

#define BAILEY_VERSION_MAJOR 0
#define BAILEY_VERSION_MINOR 1
#define BAILEY_VERSION_PATCH 0

/* ---- 1. Status and errors -------------------------------------------------------------------- */

/* A status keeps its number in all versions. */
#define BAILEY_STATUS_LIST(X)                                                                                \
    X(0, OK, "success")                                                                                      \
    X(1, ERROR_INVALID, "an argument is outside its limits")                                                 \
    X(2, ERROR_MEMORY, "not enough memory on the host or on the device")                                     \
    X(3, ERROR_NO_DEVICE, "no such device, or its backend cannot run here")                                  \
    X(4, ERROR_UNSUPPORTED, "the device cannot keep the promise for this request")                           \
    X(5, ERROR_DRIVER, "the device's driver reported an error")                                              \
    X(6, ERROR_BUILD, "a program for the device did not compile")                                            \
    X(7, ERROR_SELFTEST, "a result differs from its golden value")                                           \
    X(8, ERROR_CANCELLED, "the caller's progress function asked to stop")                                    \
    X(9, ERROR_IO, "a file cannot be read or written")                                                       \
    X(10, ERROR_PAYOFF, "payoff code failed as it ran")

typedef enum bailey_status {
#define BAILEY_STATUS_ENUM(number, name, sentence) BAILEY_##name = number,
    BAILEY_STATUS_LIST(BAILEY_STATUS_ENUM)
#undef BAILEY_STATUS_ENUM
} bailey_status;

/* The version of the linked library, such as "0.1.0". */
BAILEY_API const char *bailey_version(void);

/* "BAILEY_ERROR_INVALID" and its description; "unknown" for a number that is not a status. */
BAILEY_API const char *bailey_status_name(bailey_status status);
BAILEY_API const char *bailey_status_message(bailey_status status);

/* The message of the last failing call on this thread: the argument and its limit, the driver's message, or
 * the build log. Numbers have a decimal point in every locale. Never NULL; "" if nothing has failed. Valid
 * until the next failing call on this thread. A successful call that skipped an unusable device may also
 * replace it. */
BAILEY_API const char *bailey_error_message(void);

/* The argument, or the field of a parameter struct, that the last failing call on this thread rejected, under
 * its declared name: "count", "times", "spot". Programs therefore never need to parse the message. Only the
 * message gives an index. If several arguments conflict, this is one that the message names. A device that
 * does not exist is a rejected "device".
 *
 * Returns: the name, never NULL. It is "" if nothing has failed or no argument is at fault (a driver error,
 * no memory, an environment variable). Valid as long as bailey_error_message.
 * Threads: any; each has its own. */
BAILEY_API const char *bailey_error_argument(void);

/* Receives a sentence about a value that is allowed but looks like a mistake, for example "rate of european
 * is 5, usually between -1 and 1; 0.05 is 5 %". */
typedef void (*bailey_warning)(void *user, const char *message);

/* Sets the function that receives warnings. The thread whose library call caused a warning calls `callback`
 * before that call returns; `callback` must not call the library. NULL, the initial value, turns warnings
 * off: the library itself prints nothing.
 *
 * Threads: any. The setting is global to the process, and several threads may call `callback` at the same
 * time. */
BAILEY_API void bailey_warning_set(bailey_warning callback, void *user);

/* ---- 2. Devices and contexts ----------------------------------------------------------------- */

typedef struct bailey_context bailey_context;

typedef enum bailey_device_kind {
    BAILEY_DEVICE_KIND_NONE = 0, /* a backend that cannot run here; `reason` says why */
    BAILEY_DEVICE_KIND_CPU = 1,
    BAILEY_DEVICE_KIND_GPU = 2,
    BAILEY_DEVICE_KIND_OTHER = 3
} bailey_device_kind;

typedef struct bailey_device {
    char address[32]; /* for bailey_context_create: "cpu", "cuda:0", "opencl:1:0" */
    char name[128];   /* the vendor's name for it */
    char driver[160]; /* platform and driver version */
    char reason[256]; /* why it cannot be used; "" if it can */
    bailey_device_kind kind;
    uint32_t usable;           /* 1 if a context can be created on it */
    uint32_t has_f64;          /* 1 if double precision is supported */
    uint32_t units;            /* multiprocessors, compute units or threads */
    uint64_t memory_bytes;     /* of device memory */
    uint64_t allocation_bytes; /* largest single buffer */
    uint64_t reserved[4];
} bailey_device;

/* Lists every device of every backend, and one entry of kind NONE for each backend that cannot run.
 *
 * Writes at most `capacity` entries to `devices` (which may be NULL if capacity is 0) and the total number to
 * *count. A missing driver is an entry with a reason, not an error.
 *
 * The environment variable BAILEY_BACKENDS, a list such as "cpu,cuda", disables all other backends. Their
 * drivers are not opened, their entries give that reason, and "auto" skips them.
 * Returns: OK, ERROR_INVALID (count is NULL, devices is NULL with a capacity, or BAILEY_BACKENDS has an
 * unknown name).
 * Threads: any. */
BAILEY_API bailey_status bailey_device_list(bailey_device *devices, size_t capacity, size_t *count);

typedef struct bailey_context_params {
    uint32_t
        threads; /* of the cpu backend; 0: OMP_NUM_THREADS, else the processors that the process may use */
    /* Caches programs compiled at run time. NULL: BAILEY_CACHE_DIR, else the XDG cache; "": none. */
    const char *cache_dir;
    uint64_t reserved[4];
} bailey_context_params;

/* Opens a device. The context has one in-order queue.
 *
 * `device` is "auto" (CUDA, else an OpenCL GPU, else the CPU), "cpu", "cuda", "cuda:1", "opencl", "opencl:0"
 * (platform 0) or "opencl:0:1" (device 1 of platform 0). NULL: the environment variable BAILEY_DEVICE if it
 * is set and not empty, else "auto". `params` may be NULL.
 * Returns: OK; ERROR_INVALID (`device` has another form, or an environment variable that is read is
 * malformed: BAILEY_BACKENDS and, on the cpu backend, BAILEY_CPU_LEVEL and OMP_NUM_THREADS), ERROR_NO_DEVICE
 * (with the reason), ERROR_UNSUPPORTED (the device's arithmetic does not follow IEEE 754), ERROR_MEMORY,
 * ERROR_DRIVER, ERROR_BUILD. */
BAILEY_API bailey_status bailey_context_create(const char *device, const bailey_context_params *params,
                                               bailey_context **context);

/* Waits for the device and frees the context. Destroy everything created from it first. NULL is allowed. */
BAILEY_API void bailey_context_destroy(bailey_context *context);

/* Describes the context's device. Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_context_device(bailey_context *context, bailey_device *device);

/* Waits until all queued work has finished and adopted host memory holds its results.
 * Returns: OK, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_context_sync(bailey_context *context);

/* Called during long calls, by the thread that makes them. A nonzero value ends the call with
 * ERROR_CANCELLED. It must not use the context. */
typedef int (*bailey_interrupt)(void *user);

/* Has `function` called about twenty times a second while the calling thread works on the context: between
 * parts of a launch on the cpu backend, between launches elsewhere. A cancelled call leaves its output
 * undefined. NULL: no function. Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_context_watch(bailey_context *context, bailey_interrupt function, void *user);

/* The message of the last failing call on this context; see bailey_error_message. */
BAILEY_API const char *bailey_context_error(const bailey_context *context);

/* ---- 3. Buffers ------------------------------------------------------------------------------ */

/* Memory on the context's device, or your own memory, adopted (see also bailey/opencl.h and bailey/cuda.h).
 */
typedef struct bailey_buffer bailey_buffer;

/* Allocates `bytes` > 0 on the device, contents undefined. Returns: OK, ERROR_INVALID, ERROR_MEMORY. */
BAILEY_API bailey_status bailey_buffer_create(bailey_context *context, uint64_t bytes,
                                              bailey_buffer **buffer);

/* Adopts (wraps) host memory, which must be aligned to its elements' 4 or 8 bytes and outlive the buffer.
 * Functions reject misaligned doubles and 64-bit words, and memory that they would both read and write. The
 * cpu backend works in place. Other devices copy inputs in before a call, and copy out after it exactly the
 * elements that it writes. Results are complete when that call returns. Returns: OK, ERROR_INVALID,
 * ERROR_MEMORY. */
BAILEY_API bailey_status bailey_buffer_adopt_host(bailey_context *context, void *memory, uint64_t bytes,
                                                  bailey_buffer **buffer);

/* Frees the buffer, but not adopted memory. NULL is allowed. */
BAILEY_API void bailey_buffer_destroy(bailey_buffer *buffer);

BAILEY_API uint64_t bailey_buffer_bytes(const bailey_buffer *buffer);

/* Copies between host memory and bytes [offset, offset + bytes) of the buffer, in queue order, and returns
 * when the copy is complete. Returns: OK, ERROR_INVALID (out of range), ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_write(bailey_buffer *buffer, uint64_t offset, const void *source,
                                             uint64_t bytes);
BAILEY_API bailey_status bailey_buffer_read(bailey_buffer *buffer, uint64_t offset, void *destination,
                                            uint64_t bytes);

/* Copies bytes [source_offset, source_offset + bytes) of one buffer to destination_offset of another on the
 * device, or within one buffer if the ranges do not overlap. Both buffers must belong to one context. Overlap
 * of adopted memory is detected by address; for two OpenCL objects, the caller ensures that they do not
 * overlap. Asynchronous unless either buffer adopts host memory. Returns: OK, ERROR_INVALID (out of range,
 * overlapping ranges, buffers of two contexts), ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_copy(bailey_buffer *source, uint64_t source_offset,
                                            bailey_buffer *destination, uint64_t destination_offset,
                                            uint64_t bytes);

/* Sets each of the bytes [offset, offset + bytes) to `value`, on the device. Asynchronous unless the buffer
 * adopts host memory. Returns: OK, ERROR_INVALID (out of range), ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_fill(bailey_buffer *buffer, uint64_t offset, uint8_t value,
                                            uint64_t bytes);

/* ---- 4. Sources ------------------------------------------------------------------------------ */

/* The generators of bailey/device/generators.h, which lists their verdicts and periods. */
typedef enum bailey_generator {
#define BAILEY_GENERATOR_ENUM(number, name, word, kind, published, text, verdict, period)                    \
    BAILEY_GENERATOR_##name = number,
    BAILEY_GENERATOR_LIST(BAILEY_GENERATOR_ENUM)
#undef BAILEY_GENERATOR_ENUM
#define BAILEY_POINT_ENUM(number, name, text, verdict, period) BAILEY_GENERATOR_##name = number,
        BAILEY_POINT_LIST(BAILEY_POINT_ENUM)
#undef BAILEY_POINT_ENUM
} bailey_generator;

/* "hybrid-taus", "sound" and "2^120"; NULL for a number that is not a generator. Threads: any. */
BAILEY_API const char *bailey_generator_name(bailey_generator generator);
BAILEY_API const char *bailey_generator_verdict(bailey_generator generator);
BAILEY_API const char *bailey_generator_period(bailey_generator generator);

/* Returns: OK, ERROR_INVALID (the message lists the names). Threads: any. */
BAILEY_API bailey_status bailey_generator_from_name(const char *name, bailey_generator *generator);

typedef enum bailey_sequence {
    BAILEY_SEQUENCE_RUNS = 0,     /* runs of 8192 words that start from hashes: bailey/device/run.h */
    BAILEY_SEQUENCE_PUBLISHED = 1 /* the sequence that the generator's reference or cuRAND defines */
} bailey_sequence;

#define BAILEY_WARP_SETS 16

/* How the points of a POINT source (bailey/points.h) are scrambled, using (seed, stream). Each stream is an
 * independent replicate whose mean is an unbiased estimate; the spread of the replicates gives a standard
 * error. */
typedef enum bailey_scramble {
    BAILEY_SCRAMBLE_LMS = 0,   /* linear matrix scramble (lower triangular), then a digital shift */
    BAILEY_SCRAMBLE_OWEN = 1,  /* nested uniform scramble (Owen), using a hash of each word */
    BAILEY_SCRAMBLE_SHIFT = 2, /* digital shift: the words of each dimension ^ a random word */
    BAILEY_SCRAMBLE_NONE = 3   /* no scramble: the same points for all seeds and streams */
} bailey_scramble;

typedef enum bailey_point_order {
    BAILEY_POINT_ORDER_GRAY = 0, /* Gray-code order, as in SciPy and cuRAND */
    BAILEY_POINT_ORDER_INDEX = 1 /* point n uses the bits of n: dimension 0 is the van der Corput sequence */
} bailey_point_order;

/* Which dimension of a point drives Z row k (step k of the construction order) and path dimension j of a
 * bridge with n rows and d dims. The first dimensions of a point are the best ones. */
typedef enum bailey_assignment {
    BAILEY_ASSIGNMENT_STEPS = 0,   /* k d + j: the first steps of all dims come first */
    BAILEY_ASSIGNMENT_FACTORS = 1, /* j n + k: all steps of dim 0 come first */
    BAILEY_ASSIGNMENT_DIAGONAL = 2 /* by k + j; for equal sums the smaller k first */
} bailey_assignment;

/* The origin of random numbers: a sequence of words, numbered from 0. Words, uniforms, normals, other
 * distributions, bridges and prices all draw from a source. A source is a plain value: creating one, or
 * changing its seed or stream, costs nothing, and no function modifies it. All zero is philox with seed 0, as
 * good as any other. A position in the sequence is an index, the argument `first` below; to skip ahead, pass
 * a larger `first`.
 *
 * Philox is a function of (seed, stream, i), so every position costs the same. The other generators step.
 * Their streams are split into runs that start from hashes of (seed, stream, run). Reaching any position
 * therefore costs at most 256 steps (8192 for mt19937), and any part can be generated on any device
 * (bailey/device/run.h).
 *
 * BAILEY_SEQUENCE_PUBLISHED generates the words of the reference implementations, in their order:
 *   philox, philox7   the same as RUNS: Random123's and cuRAND's (curand_init(seed, stream, offset))
 *   xorwow, mrg32k3a  cuRAND's (curand_init(seed, stream, offset), curand); mrg32k3a needs double precision
 *   mt19937           Matsumoto and Nishimura's init_genrand(seed), std::mt19937; seeds of more than 32 bits
 *                     are init_by_array({low, high})
 *   kiss              Marsaglia's KISS of 1999 with his default seeds; seed 0 only
 *   park-miller       std::minstd_rand0(seed), each value shifted left by one bit
 *   lcg, adder        x_0 = seed, the first word is x_1
 * The other generators have no published sequence. `stream` must be 0 unless cuRAND gives it a meaning.
 *
 * The points of BAILEY_GENERATOR_SOBOL are numbered by point and dimension. bailey_points_generate writes
 * them; bridges and prices use point p for path p. Their words are a function of (seed, stream, scramble,
 * point_order, word_bits, point, dimension). */
typedef struct bailey_source {
    uint64_t seed;
    uint64_t stream; /* independent sequences of one seed */
    bailey_generator generator;
    bailey_sequence sequence;
    uint32_t warp_set; /* of warp: one of BAILEY_WARP_SETS parameter sets; 0 otherwise */
    /* The following fields apply to points; they are 0 otherwise. */
    bailey_scramble scramble;
    bailey_point_order point_order;
    uint32_t word_bits; /* of a word: 32, 64; 0 means 32. The high half of a 64-bit word is the 32-bit word */
    bailey_assignment assignment; /* of dimensions to the normals of bridges */
    uint64_t reserved[4];
} bailey_source;

/* How a source generates its words, which determines how kernels read it. */
typedef enum bailey_source_kind {
    /* Word i is a function of i, computed in registers (philox, philox7). */
    BAILEY_SOURCE_KIND_COUNTER = 0,
    BAILEY_SOURCE_KIND_RUN = 1, /* words follow one another, and pass through device memory in chunks */
    /* Words by point and dimension, computed in registers: quasi-random points (sobol). */
    BAILEY_SOURCE_KIND_POINT = 2
} bailey_source_kind;

/* Checks that the generator exists and that it has the sequence, the parameter set and, for PUBLISHED, the
 * seed and stream. Writes the source's kind to *kind unless `kind` is NULL. Returns: OK, ERROR_INVALID.
 * Threads: any. */
BAILEY_API bailey_status bailey_source_check(const bailey_source *source, bailey_source_kind *kind);

/* Divides elements first .. first + count - 1 of a source (points for a POINT source) among `parts` devices
 * or processes: part `part`, counted from 0, computes elements *part_first .. *part_first + *part_count - 1.
 * Parts are consecutive, do not overlap, and begin at run boundaries so that nothing is computed twice. They
 * cover the same number of runs, plus or minus one. *part_count may be 0 if there are fewer runs than parts.
 * Returns: OK, ERROR_INVALID. Threads: any. */
BAILEY_API bailey_status bailey_source_split(const bailey_source *source, uint64_t first, uint64_t count,
                                             uint64_t parts, uint64_t part, uint64_t *part_first,
                                             uint64_t *part_count);

/* Saves a source and a position in it as bytes, which are the same on every machine and contain a version and
 * a checksum. Restoring rejects bytes that are damaged, truncated, or of a version that this library cannot
 * read. Returns: OK, ERROR_INVALID. Threads: any. */
#define BAILEY_SOURCE_BYTES 64
BAILEY_API bailey_status bailey_source_save(const bailey_source *source, uint64_t place,
                                            uint8_t bytes[BAILEY_SOURCE_BYTES]);
BAILEY_API bailey_status bailey_source_restore(const uint8_t *bytes, size_t size, bailey_source *source,
                                               uint64_t *place);

/* ---- 5. Numbers ------------------------------------------------------------------------------ */

/* Writes words first .. first + count - 1 of `source` to elements out_offset ... of `out`, as uint32_t.
 *
 * Asynchronous unless `out` adopts host memory or the sequence is PUBLISHED.
 * Returns: OK, ERROR_INVALID (count 0, first + count beyond 2^64, `out` too small, a source that
 * bailey_source_check refuses, one of kind POINT), ERROR_UNSUPPORTED (published mrg32k3a without double
 * precision), ERROR_MEMORY, ERROR_DRIVER.
 * Results: word i depends on (generator, warp_set, sequence, seed, stream, i) only. */
BAILEY_API bailey_status bailey_words_generate(bailey_context *context, const bailey_source *source,
                                               uint64_t first, uint64_t count, bailey_buffer *out,
                                               uint64_t out_offset);

typedef enum bailey_precision { BAILEY_PRECISION_F32 = 0, BAILEY_PRECISION_F64 = 1 } bailey_precision;

/* Elements. Each number is computed from one element of 32 or 64 bits: 32-bit element i is word i, 64-bit
 * element i is word 2i + 2^32 word 2i + 1. A field or argument `word_bits` selects the width: 32, 64, or 0
 * for the default (32 for f32, 64 for f64). Floats from 64 bits have tails twice as fine: normals reach
 * +-9.155, from 32 bits +-6.338. Doubles from 32 bits suit sequences of 32-bit words, such as quasi-random
 * points.
 */

/* Writes uniform numbers in the open interval (0, 1), as float or double. Number i is computed from element
 * i, called w, of `word_bits` bits:
 *   f32, 32 bits   (floor(w / 2^9) + 1/2) 2^-23
 *   f32, 64 bits   (w with its lowest bit set) 2^-64, rounded down to a float: from 2^-64 to 1 - 2^-24
 *   f64, 64 bits   (floor(w / 2^12) + 1/2) 2^-52
 *   f64, 32 bits   (w + 1/2) 2^-32
 * `first` and `count` are in numbers.
 *
 * Asynchronous, Returns, Results: as bailey_words_generate; also ERROR_INVALID (other `word_bits`, or 64 bits
 * with first + count beyond 2^63), ERROR_UNSUPPORTED (f64 on a device without it). */
BAILEY_API bailey_status bailey_uniforms_generate(bailey_context *context, const bailey_source *source,
                                                  bailey_precision precision, uint32_t word_bits,
                                                  uint64_t first, uint64_t count, bailey_buffer *out,
                                                  uint64_t out_offset);

typedef enum bailey_normal_method {
    BAILEY_NORMAL_METHOD_ICDF = 0,       /* inverse CDF, one word per normal; monotone; fast equals exact */
    BAILEY_NORMAL_METHOD_BOX_MULLER = 1, /* Box-Muller, elements 2m and 2m + 1 are a pair */
    /* Wallace's method: normals from normals, using few words (bailey/device/wallace.h). NOT independent:
     * fourth moments of successive blocks of 1024 are correlated by 1/256, and the normals of a run of 16
     * blocks are all functions of its first 1024 normals (docs/records/quality.md). For comparisons, and for
     * uses that tolerate this. F32 only, from philox in RUNS, which supplies starts and keys; fast equals
     * exact. Only bailey_normals_generate accepts it. */
    BAILEY_NORMAL_METHOD_WALLACE = 2
} bailey_normal_method;

typedef enum bailey_numerics {
    BAILEY_NUMERICS_EXACT = 0, /* the guarantee */
    BAILEY_NUMERICS_FAST =
        1 /* the device's native functions where available; bounds in docs/developers/accuracy.md */
} bailey_numerics;

/* How normals are computed from words. */
typedef struct bailey_normal_params {
    bailey_normal_method method;
    bailey_precision precision;
    bailey_numerics numerics;
    uint32_t word_bits; /* of the elements: 32, 64, or 0 for 32 in f32 and 64 in f64 */
    uint64_t reserved[4];
} bailey_normal_params;

/* Writes standard normals first .. first + count - 1 of `source` to elements out_offset ... of `out`, as
 * float or double. Normal i is computed from element i of `normal->word_bits` bits. Box-Muller computes
 * normals 2m and 2m + 1 from both of their elements; Wallace's method computes 16384 normals together, not
 * from 64 bits. No value is infinite; `count` may be odd or even. `normal` NULL: single precision, inverse
 * CDF, exact.
 *
 * Asynchronous unless `out` adopts host memory or the sequence is PUBLISHED.
 * Returns: as bailey_words_generate; also ERROR_INVALID (64 bits of a source that is not COUNTER with first +
 * count beyond 2^63; f64, 64 bits, another generator or another sequence with Wallace's method),
 * ERROR_UNSUPPORTED (f64 on a device without it).
 * Results: exact: normal i depends on (source, i, method, precision, word_bits) only. fast: within the bound
 * in docs/developers/accuracy.md of the exact value; in f32 from 64 bits, exact. Source:
 * docs/developers/accuracy.md. */
BAILEY_API bailey_status bailey_normals_generate(bailey_context *context, const bailey_source *source,
                                                 const bailey_normal_params *normal, uint64_t first,
                                                 uint64_t count, bailey_buffer *out, uint64_t out_offset);

/* The distributions of bailey/device/distribution.h. NORMAL: mean + stddev z for a standard normal z;
 * LOG_NORMAL: exp(mean + stddev z); EXPONENTIAL: -log(U) / rate for a uniform U, with mean 1 / rate.
 *
 * The others are quantiles at a uniform U, so they grow with it. LOGISTIC: location + scale log(U / (1 - U));
 * LAPLACE: location + scale log(2 U) for U < 1/2, location - scale log(2 (1 - U)) above; GUMBEL (of maxima):
 * location - scale log(-log(U)); CAUCHY: location + scale tan(pi (U - 1/2)); WEIBULL: scale (-log(1 - U))^(1
 * / shape); PARETO: scale (1 - U)^(-1 / shape), at least scale.
 *
 * Discrete ones have the least k with P(X <= k) >= U. POISSON: events, `mean` of them on average;
 * BINOMIAL: successes in `trials` trials of this probability; GEOMETRIC: trials up to the first success, at
 * least 1; NEGATIVE_BINOMIAL: failures before success number `shape`, which may be any positive number;
 * DISCRETE: i with probability weights[i] / the sum of all, from 0.
 *
 * Quantiles from tables: GAMMA with `shape` and `scale`; CHI_SQUARE and STUDENT_T with `freedom`, the degrees
 * of freedom, which may be a fraction; BETA on (0, 1), with a density proportional to x^(shape - 1) (1 -
 * x)^(second_shape - 1); TRUNCATED_NORMAL, a normal number of `mean` and `stddev` given that it lies between
 * `lower` and `upper`; NONCENTRAL_CHI_SQUARE, the sum of squares of `freedom` normals of variance 1 whose
 * squared means add up to `noncentrality`; freedom may be a fraction. */
typedef enum bailey_distribution {
#define BAILEY_DISTRIBUTION_ENUM(number, name, word, kind, text, factor) BAILEY_DISTRIBUTION_##name = number,
    BAILEY_DISTRIBUTION_LIST(BAILEY_DISTRIBUTION_ENUM)
#undef BAILEY_DISTRIBUTION_ENUM
} bailey_distribution;

typedef struct bailey_variate_params {
    bailey_normal_params normal; /* precision; method (not WALLACE), numerics and word_bits of z */
    bailey_distribution distribution;
    double mean;         /* for NORMAL, TRUNCATED_NORMAL and POISSON; for LOG_NORMAL, that of the logarithm */
    double stddev;       /* standard deviation, of the same; not negative, 0 means 1 */
    double rate;         /* for EXPONENTIAL; not negative, 0 means 1 */
    double location;     /* for LOGISTIC, LAPLACE, GUMBEL and CAUCHY */
    double scale;        /* for those, WEIBULL, PARETO and GAMMA; not negative, 0 means 1 */
    double shape;        /* for WEIBULL, PARETO, NEGATIVE_BINOMIAL, GAMMA and BETA; not negative, 0 means 1 */
    double second_shape; /* for BETA; not negative, 0 means 1 */
    double freedom;      /* degrees, for (NONCENTRAL_)CHI_SQUARE and STUDENT_T; not negative, 0 means 1 */
    double probability;  /* of a success, for BINOMIAL, GEOMETRIC and NEGATIVE_BINOMIAL: above 0, at most 1 */
    uint64_t trials;     /* for BINOMIAL, below 2^31 */
    const double *weights; /* [weight_count], for DISCRETE: not negative, not all 0 */
    uint64_t weight_count; /* 2^21 or fewer */
    uint32_t integers;     /* 1: numbers of a discrete distribution are uint32_t (f32) or uint64_t (f64) */
    uint32_t alias;        /* 1: a discrete distribution's table is one of aliases; numbers are in no order */
    double lower, upper;   /* ends of TRUNCATED_NORMAL, lower < upper */
    double noncentrality;  /* for NONCENTRAL_CHI_SQUARE; not negative */
    uint64_t reserved[4];
} bailey_variate_params;

/* Writes numbers first .. first + count - 1 of a distribution to elements out_offset ... of `out`, as float
 * or double. Number i of NORMAL is fma(stddev, z, mean), where z is normal i; number i of LOG_NORMAL is its
 * exponential. Number i of the other distributions is computed from U, which is (w + 1/2) 2^-32 of 32-bit
 * element w = i (f32) or (floor(w / 2^11) + 1/2) 2^-53 of 64-bit element w = i (f64); no other `word_bits`
 * are allowed. Parameters are first rounded to the precision, except for `shape` and those of distributions
 * with a table.
 *
 * mean, stddev, rate, location, scale and shape are finite; all but mean and location are not negative.
 * Nonzero values have magnitudes from 1e-20 to 1e20 in f32 (1e-18 to 1e18 from 64 bits) and from 1e-250 to
 * 1e250 in f64. Parameters of other distributions are zero. For LOG_NORMAL, abs(mean) + 6.8 stddev (9.5 from
 * 64 bits) is at most 87 in f32, and abs(mean) + 8.7 stddev (6.8 from 32 bits) is at most 708 in f64. For
 * WEIBULL and PARETO, abs(log(scale)) + 22.9 / shape is at most 87 in f32, abs(log(scale)) + 37.5 / shape at
 * most 708 in f64. Within these limits log-normal, exponential, Weibull and Pareto numbers are positive and
 * no number is infinite. The largest exponential number is 22.9 / rate in f32 and 37.5 / rate in f64.
 *
 * A discrete number is exact unless 2^32 P(X <= k) (f32) or 2^53 P(X <= k) (f64) is within 2^-25 of an
 * integer and a half for this k or the one below. Above 2^24, floats are rounded. The mean of POISSON is at
 * most 1e9, and 0 gives zeros. GEOMETRIC and NEGATIVE_BINOMIAL numbers have a table of at most 2^21 values,
 * all that have more than 2^-110 of the largest probability, below 2^31: the probability of GEOMETRIC is 1 or
 * at least 3.7e-5. A table takes 70 to 180 ns per value, at most 0.2 s.
 *
 * `alias` is for random numbers of many values: one read of a table of aliases, where thresholds need two or
 * more. Each number has as many words as without it, but does not grow with the word, so points and given
 * words refuse it.
 *
 * Shapes of GAMMA and BETA are from 0.001 to 1e9; in f64 one of BETA's must be 0.04 or more. The `freedom` of
 * STUDENT_T is from 0.3 (f64: 0.2) to 1e9, that of CHI_SQUARE from 0.002 to 2e9. For GAMMA, abs(log(scale)) +
 * log(shape + 60) is at most 87 (f64: 708), and from shape 0.3 (f64: 0.1) on so is abs(log(scale)) + 22.9 /
 * shape (f64: 37.5 / shape). With smaller shapes, numbers below exp(-87) (f64: exp(-708)) are 0, and beta
 * numbers as close to 1 are 1. For NONCENTRAL_CHI_SQUARE, `freedom` is from 0.6 (f64: 0.2) to 1e6,
 * `noncentrality` from 0 to 1e6. TRUNCATED_NORMAL may lie far in a tail: its width, the least of upper -
 * lower, stddev and stddev^2 / the mean's distance from the interval, is from 1e-15 (f64: 1e-200) to 1e15
 * (f64: 1e200) and at least 2^-15 (f64: 1e-12) of its largest number; an end that is 40 or more
 * standard deviations from the mean is as good as none. A table takes 1 to 150 ms, in f64 10 to 1,300 ms, most for
 * BETA. A context keeps the tables of the 8 distributions used last.
 *
 * Asynchronous unless `out` adopts host memory or the sequence is PUBLISHED.
 * Returns: as bailey_normals_generate; also ERROR_INVALID (a parameter beyond its limits; a nonzero parameter
 * of another distribution; a table that is too long; 64 bits with first + count beyond 2^63 for every
 * generator, except for standard normals; other `word_bits` with distributions of U).
 * Results: as bailey_normals_generate; numbers computed from U are exact with all numerics, since fast
 * concerns only z. Source: docs/developers/accuracy.md. */
BAILEY_API bailey_status bailey_variates_generate(bailey_context *context, const bailey_source *source,
                                                  const bailey_variate_params *variate, uint64_t first,
                                                  uint64_t count, bailey_buffer *out, uint64_t out_offset);

/* Correlates normals: x = C z for `count` vectors of `dims` independent normals.
 *
 * `factor` is C, [dims][dims], lower triangular (entries above the diagonal are ignored): C C' is the
 * covariance. It is copied. `z` and `x` hold dims * count elements of `precision`, [dim][vector]: one
 * dimension of all vectors is contiguous, like one row of step-major paths. z is only read; z and x must not
 * overlap. dims is 1 .. 64. In f32, entries are rounded, and nonzero entries must remain normal
 * floating-point numbers.
 *
 * Asynchronous unless a buffer adopts host memory.
 * Returns: OK, ERROR_INVALID (0 vectors, dims out of range, an entry that is not finite or beyond single
 * precision, a buffer that is too small), ERROR_UNSUPPORTED (f64 on a device without it), ERROR_MEMORY,
 * ERROR_DRIVER.
 * Results: exact, whatever the numerics of z, for finite z and results that do not overflow. x_i is C_i0 z_0,
 * then fma(C_ij, z_j, x_i) for j = 1 .. i, as in a bridge with this factor. */
BAILEY_API bailey_status bailey_normals_correlate(bailey_context *context, const double *factor,
                                                  uint32_t dims, bailey_precision precision, uint64_t count,
                                                  bailey_buffer *z, bailey_buffer *x);

/* ---- 6. Brownian bridge ---------------------------------------------------------------------- */

typedef enum bailey_order {
    /* Halve every known interval, level by level; midpoint rounded down, each level left to right: NAG's "LR,
     * round down". */
    BAILEY_ORDER_BISECTION = 0,
    BAILEY_ORDER_BISECTION_LR_UP = 1,   /* midpoint rounded up */
    BAILEY_ORDER_BISECTION_RL_DOWN = 2, /* each level right to left */
    BAILEY_ORDER_BISECTION_RL_UP = 3,
    BAILEY_ORDER_INCREMENTAL = 4 /* t_1, t_2, ..., t_N */
} bailey_order;

/* Fills order[0 .. interior - 1] with the named construction order of `interior` times, one-based.
 *
 * `important` lists `important_count` distinct one-based indices to construct first, in the given order, so
 * that they get the lowest quasi-random dimensions. The remaining times keep the named order. Pass NULL and 0
 * for none. It must not overlap `order`, whose contents are undefined after an error. `interior` is at most
 * 10^6. Returns: OK, ERROR_INVALID. Threads: any. */
BAILEY_API bailey_status bailey_order_make(bailey_order kind, uint64_t interior, const uint32_t *important,
                                           uint64_t important_count, uint32_t *order);

/* "bisection" ("lr-down"), "lr-up", "rl-down", "rl-up", "incremental". Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_order_from_name(const char *name, bailey_order *kind);

/* The meaning of the rows of Z. */
typedef enum bailey_construction {
    /* BRIDGE; for a simulation without order and end, the construction that the payoff's code recommends. */
    BAILEY_CONSTRUCTION_AUTO = 0,
    BAILEY_CONSTRUCTION_BRIDGE = 1, /* the steps of a construction order */
    /* Principal components: X = start + A (C Z), where A A' is the covariance of the times. Column k of A is
     * the eigenvector with the k-th largest variance; its first entry is positive. With a fixed end there is
     * one component less, and the straight line replaces start. Each row of Z affects all steps, so a path
     * costs the square of their number, which is at most BAILEY_BRIDGE_PCA_MAX_STEPS. */
    BAILEY_CONSTRUCTION_PCA = 2,
    /* A random walk: increments in time order. Row k is step k in time order. It computes X(t_k) only from
     * the previous time: fma(sigma, y, X(t_(k-1))), where y is the entry of C Z and sigma = sqrt(t_k -
     * t_(k-1)) in double, rounded to the precision; the first step begins at start. Scaled increments are
     * fma(r, y, 0), where r = sigma / (t_k - t_(k-1)) in double, rounded once. The end is free. */
    BAILEY_CONSTRUCTION_WALK = 3
} bailey_construction;

#define BAILEY_BRIDGE_PCA_MAX_STEPS 1024u

typedef enum bailey_layout {
    BAILEY_LAYOUT_STEP_MAJOR = 0, /* [step][dim][path]: one step and dimension of all paths contiguous */
    BAILEY_LAYOUT_PATH_MAJOR = 1  /* [path][step][dim]: each path contiguous */
} bailey_layout;

typedef enum bailey_bridge_output {
    BAILEY_BRIDGE_OUTPUT_PATHS = 0,     /* X(t_1), ..., X(T) */
    BAILEY_BRIDGE_OUTPUT_INCREMENTS = 1 /* (X(t_{i+1}) - X(t_i)) / (t_{i+1} - t_i), i = 0 .. N */
} bailey_bridge_output;

/* How the device computes paths. A strategy changes only the speed, never the bits. Leave it at AUTO, which
 * takes the strategy that was measured to be fastest (docs/records/benchmarks.md), unless you want to compare
 * strategies.
 *
 * CONSTANT to REUSE_PREFETCH are those of du Toit (NAG 2011, sections 3 to 7). SPECIALISED turns the plan
 * into straight-line code, BLOCKS does so for its repeating parts, and READBACK keeps no stack but reads
 * neighbours back from X; docs/developers/bridge-internals.md explains them. Every device has READBACK and,
 * in one dimension, REUSE. The others are compiled when a bridge first needs them (a second or so; later from
 * cache_dir): by the OpenCL driver, by NVRTC on CUDA, by the system's C compiler on the cpu backend (cc, or
 * the environment variable BAILEY_CC). Not every strategy can build every bridge. If a strategy that you name
 * cannot, bailey_bridge_create or the call that needs the program returns ERROR_UNSUPPORTED with the reason;
 * AUTO finds another.
 *
 * A context keeps compiled and loaded programs: another bridge of the same shape needs neither step again.
 *
 * X(number, NAME, word, writer); `writer` is the part of the library that writes the strategy's program. */
#define BAILEY_BRIDGE_STRATEGY_LIST(X)                                                                       \
    X(0, AUTO, "auto", none)                                                                                 \
    X(1, CONSTANT, "constant", walk)                                                                         \
    X(2, VECTOR, "vector", walk)                                                                             \
    X(3, PREFETCH, "prefetch", walk)                                                                         \
    X(4, SHARED, "shared", walk)                                                                             \
    X(5, REUSE, "reuse", walk)                                                                               \
    X(6, REUSE_PREFETCH, "reuse-prefetch", walk)                                                             \
    X(7, SPECIALISED, "specialised", specialised)                                                            \
    X(8, BLOCKS, "blocks", specialised)                                                                      \
    X(9, READBACK, "readback", none)                                                                         \
    /* the next strategy */

typedef enum bailey_bridge_strategy {
#define BAILEY_BRIDGE_STRATEGY_ENUM(number, name, word, writer) BAILEY_BRIDGE_STRATEGY_##name = number,
    BAILEY_BRIDGE_STRATEGY_LIST(BAILEY_BRIDGE_STRATEGY_ENUM)
#undef BAILEY_BRIDGE_STRATEGY_ENUM
} bailey_bridge_strategy;

/* The name in the list above; "unknown" for another number. */
BAILEY_API const char *bailey_bridge_strategy_name(bailey_bridge_strategy strategy);

#define BAILEY_BRIDGE_MAX_STEPS 1000001u /* N + 1 for N = 10^6 interior times */
#define BAILEY_BRIDGE_MAX_DIMS 64u
#define BAILEY_BRIDGE_MAX_PATHS (UINT64_C(1) << 38) /* path indices are below this */

typedef struct bailey_bridge_params {
    const double *times;   /* t_1 < ... < t_N < T: the last one is T */
    uint64_t steps;        /* N + 1, at least 1 */
    double start_time;     /* t0 */
    const uint32_t *order; /* N one-based indices into the interior times; NULL: bisection */
    uint32_t dims;         /* 1 .. 64; 0 means 1 */
    /* C, [dims][dims], lower triangular (entries above the diagonal are ignored): C C' is the covariance per
     * unit time. Alternatively that covariance, [dims][dims], symmetric and positive semi-definite, which the
     * library factors. Both NULL: the identity. */
    const double *factor;
    const double *covariance;
    const double *start; /* X(t0), [dims]; NULL: zero */
    const double *end;   /* X(T), [dims], fixed; NULL: free */
    bailey_bridge_output output;
    bailey_layout layout; /* of Z and X */
    bailey_precision precision;
    bailey_bridge_strategy strategy;  /* AUTO unless you compare strategies; PCA also allows READBACK */
    bailey_construction construction; /* with PCA and WALK, order is NULL; with WALK, end too */
    uint64_t reserved[4];
} bailey_bridge_params;

/* A plan for one set of times and one construction order, on one context. */
typedef struct bailey_bridge bailey_bridge;

/* Plans a bridge: finds the equivalent construction order with the smallest local stack and the most
 * neighbour reuse (du Toit, NAG 2011, sections 2.2 and 7), and copies it to the device. The arrays are
 * copied. Returns: OK; ERROR_INVALID (times that do not increase, an order that is not a permutation, a
 * covariance that is not positive semi-definite, NaN; the message gives entry and value, or the smallest
 * eigenvalue), ERROR_MEMORY, ERROR_UNSUPPORTED, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_bridge_create(bailey_context *context, const bailey_bridge_params *params,
                                              bailey_bridge **bridge);
BAILEY_API void bailey_bridge_destroy(bailey_bridge *bridge);

typedef struct bailey_bridge_info {
    uint64_t z_steps; /* step rows of Z: N + 1, or N with a fixed end */
    uint64_t x_steps; /* step rows of X: N + 1 */
    uint32_t dims;
    uint32_t stack_slots; /* values per path and dimension in the local stack; 0 with PCA, WALK */
    uint64_t stack_reads, stack_writes; /* per path and dimension */
    /* The strategy that AUTO chose or that you named: never AUTO. If AUTO's choice has no program for a call,
     * REUSE or READBACK serves it. */
    bailey_bridge_strategy strategy;
    uint64_t reserved[4];
} bailey_bridge_info;
BAILEY_API bailey_status bailey_bridge_describe(const bailey_bridge *bridge, bailey_bridge_info *info);

/* Transforms normals Z into X for `paths` paths.
 *
 * `z` holds z_steps * dims * paths elements, `x` x_steps * dims * paths, both in the bridge's layout and
 * precision. The step axis of Z is in construction order (row 0 builds T if the end is free); with PCA it has
 * the components, with WALK it is in time order. The step axis of X is in time order and ends with T; the
 * start is not stored. Z is only read; z and x must not overlap. Asynchronous unless a buffer adopts host
 * memory; the first call may compile a program. Returns: OK, ERROR_INVALID (0 paths, a buffer that is too
 * small), ERROR_DRIVER; for strategies that are compiled, ERROR_UNSUPPORTED and ERROR_BUILD. Results: exact,
 * whatever the numerics of Z, for finite Z and results that do not overflow; the bits of a NaN are not
 * guaranteed. */
BAILEY_API bailey_status bailey_bridge_build(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z,
                                             bailey_buffer *x);

/* Draws the normals and builds paths first_path .. first_path + paths - 1 of `source` in one call.
 *
 * With a POINT source, path p is point p. The normal for Z row k and dimension j comes from the dimension
 * that `assignment` selects, as in BAILEY_POINTS_FORM_NORMALS of bailey/points.h; `normal` has the method
 * ICDF, and `word_bits` 0 or the source's word_bits. With other sources, it is normal number (k dims + j)
 * 2^38 + p of bailey_normals_generate with the same `source` and `normal`. The precision of `normal` is
 * ignored in favour of the bridge's; NULL: inverse CDF, exact. With `word_bits` 32, four adjacent paths share
 * a block of Philox, with 64 two, in both precisions. Normals of a COUNTER source are drawn in registers;
 * those of a RUN source pass through memory of the context in chunks.
 * Returns: as bailey_bridge_build; also ERROR_INVALID (first_path + paths beyond 2^38, or 2^64 for points; a
 * source that bailey_source_check rejects; a PUBLISHED sequence that cannot skip so far (mt19937); a RUN
 * source for more than 2^25 rows of Z from 64-bit elements), ERROR_UNSUPPORTED (published mrg32k3a without
 * double precision).
 * Results: exact: path p depends on (plan, source, method, word_bits, p) only. It equals
 * bailey_bridge_normals followed by bailey_bridge_build, bit for bit. */
BAILEY_API bailey_status bailey_bridge_paths(bailey_bridge *bridge, const bailey_source *source,
                                             const bailey_normal_params *normal, uint64_t first_path,
                                             uint64_t paths, bailey_buffer *x);

/* Writes the Z that bailey_bridge_paths draws with the same arguments. Returns: as bailey_bridge_paths. */
BAILEY_API bailey_status bailey_bridge_normals(bailey_bridge *bridge, const bailey_source *source,
                                               const bailey_normal_params *normal, uint64_t first_path,
                                               uint64_t paths, bailey_buffer *z);

/* ---- 7. Prices (bailey/simulation.h) --------------------------------------------------------- */

/* Reports the progress of a long call: `done` of `total` paths. Return nonzero to stop. */
typedef int (*bailey_progress)(void *user, uint64_t done, uint64_t total);

#define BAILEY_SIMULATION_PATHS (UINT64_C(1) << 20) /* the default number of paths of a run */

typedef enum bailey_option_type {
    BAILEY_OPTION_TYPE_PUT = 0,
    BAILEY_OPTION_TYPE_CALL = 1
} bailey_option_type;

/* ---- 8. Self-test and log -------------------------------------------------------------------- */

/* Called once per item with its name, 1 if it equals the known answer, and the result found. */
typedef void (*bailey_selftest_report)(void *user, const char *item, int passed, const char *detail);

typedef struct bailey_selftest_params {
    /* 0: a sample of each kind, in seconds; 1: every generator, distribution, kind of bridge and strategy,
     * which may take minutes to compile. */
    uint32_t all;
    bailey_selftest_report report; /* may be NULL */
    void *report_user;
    uint64_t reserved[4];
} bailey_selftest_params;

/* Verifies the guarantee on the context's device: computes words, normals, bridges, simulations and, with
 * double precision, a price, and compares them with known answers stored in the library. `params` may be
 * NULL. Returns: OK, ERROR_SELFTEST (the message names the first item that failed), others as above. */
BAILEY_API bailey_status bailey_selftest(bailey_context *context, const bailey_selftest_params *params);

/* The log reports what the library did; the returned status tells you whether it worked. `level` 1: slow
 * operations such as program builds and cache hits, with their times; 2: every launch. A line ending in "
 * ..." announces an operation that may take long, or crash: opening a driver's library, building a program.
 * The next line reports its end.
 *
 * The environment variable BAILEY_LOG ("1", "2", or a file name, which means 2) turns on the log without
 * code, to standard error or that file. A NULL function turns it off. Threads: set it before contexts exist.
 */
typedef void (*bailey_log_function)(void *user, int level, const char *line);
BAILEY_API void bailey_log_set(bailey_log_function function, void *user, int level);

#ifdef __cplusplus
}
#endif

#endif
