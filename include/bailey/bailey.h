/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey: random numbers, Brownian paths and Monte Carlo prices on whatever accelerator a machine
 * has, with the same bits on every one of them.
 *
 * Read this header from top to bottom:
 *   1. Status and errors      what every call returns
 *   2. Devices and contexts   where the work runs
 *   3. Buffers                where the numbers live
 *   4. Sources                generators, streams, places
 *   5. Numbers                words, uniforms, normals and other distributions
 *   6. Brownian bridge
 *   7. Prices                 what simulations share; they are in bailey/simulation.h
 *   8. Self-test and log
 *
 * Correlation matrices, and the nearest one: bailey/correlation.h.
 * Quasi-random points: bailey/points.h. Brownian motion at any time: bailey/motion.h. Payoffs of your own:
 * bailey/simulation.h. For kernels of your own:
 * bailey/advanced.h, bailey/device/, and to share contexts and memory with OpenCL or CUDA, bailey/opencl.h
 * and bailey/cuda.h.
 *
 * The promise (`exact` numerics, the default): a result is a pure function of its arguments. It does
 * not depend on backend, device, driver, number of threads, launch shape, or on how a request was cut
 * into calls. `Results:` below says what holds for each function. It covers values that are zero or normal
 * numbers: infinities and NaN come only from arguments that overflow, subnormals may differ between devices.
 *
 * Parameter structs: zero a struct, set what you need; zero means the default. Every struct ends with
 * `reserved`, in which later versions put their fields: leave it 0 (docs/reproducibility.md).
 * Threads: a context and everything made from it belong to one thread at a time; two contexts may be
 * used by two threads at once. Where the library is built without NDEBUG, a call while another thread is in
 * one on the same context returns ERROR_INVALID, or does nothing if it has no status. Functions that take no
 * context may be called from any thread. On the cpu backend the calling thread works too, and needs 256 KiB
 * of stack.
 * After fork a child may use neither the parent's contexts nor, where the parent has opened an OpenCL or
 * CUDA device, those backends: no vendor's driver survives it.
 * Returns: what is listed is what a function itself may find wrong; a call that reaches a device may also
 * return ERROR_MEMORY or ERROR_DRIVER, and the first one that needs a kernel ERROR_BUILD or ERROR_NO_DEVICE.
 * The library never prints (except a log that you ask for), exits or aborts.
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

/* "0.1.0" of the library that is linked. */
BAILEY_API const char *bailey_version(void);

/* "BAILEY_ERROR_INVALID" and its sentence; "unknown" for a number that is not a status. */
BAILEY_API const char *bailey_status_name(bailey_status status);
BAILEY_API const char *bailey_status_message(bailey_status status);

/* What went wrong in the last call that failed on this thread: which argument, which limit, the
 * driver's words, the build log. Numbers have a decimal point whatever the locale. Never NULL; "" when
 * nothing has failed. Valid until the thread's next failing call; a call that succeeds after passing over a
 * device may change it. */
BAILEY_API const char *bailey_error_message(void);

/* The name of the argument, or of the field of a parameter struct, that the last failing call on this thread
 * refused, as it is declared: "count", "times", "spot". So no program has to parse the message. An index is
 * in the message only. Where several arguments do not fit together it is one that the message names. A device
 * that does not exist is a refused "device" too.
 *
 * Returns: the name, never NULL; "" where no argument is at fault (an error of a driver, no memory, a
 * variable of the environment) and when nothing has failed. Valid as bailey_error_message is.
 * Threads: any, each has its own. */
BAILEY_API const char *bailey_error_argument(void);

/* Takes a sentence about something that is allowed and that looks like a mistake, as "rate of european is 5,
 * usually between -1 and 1; 0.05 is 5 %". */
typedef void (*bailey_warning)(void *user, const char *message);

/* Has `callback` called with each warning from now on, by the thread whose call of the library it is about
 * and before that call returns; it must not call the library itself. NULL: nobody is warned, as at first. The
 * library prints nothing by itself.
 *
 * Threads: any; it is one for the process, and several threads may call `callback` at a time. */
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
    char address[32]; /* what bailey_context_create takes: "cpu", "cuda:0", "opencl:1:0" */
    char name[128];   /* the vendor's name */
    char driver[160]; /* platform and driver version */
    char reason[256]; /* why it cannot be used; "" if it can */
    bailey_device_kind kind;
    uint32_t usable;           /* 1 if a context can be made on it */
    uint32_t has_f64;          /* 1 if double precision is supported */
    uint32_t units;            /* multiprocessors, compute units or threads */
    uint64_t memory_bytes;     /* of the device */
    uint64_t allocation_bytes; /* largest single buffer */
    uint64_t reserved[4];
} bailey_device;

/* Lists every device of every backend, and one entry of kind NONE for each backend that cannot run.
 *
 * Writes at most `capacity` entries to `devices` (may be NULL when capacity is 0) and the number there
 * are to *count. An absent driver is an entry with a reason, not an error.
 *
 * The environment's BAILEY_BACKENDS, a list such as "cpu,cuda", leaves the other backends out: no driver of
 * theirs is opened, they have an entry with that reason, "auto" passes them over.
 * Returns: OK, ERROR_INVALID (count is NULL, or devices with a capacity; an unknown word in BAILEY_BACKENDS).
 * Threads: any. */
BAILEY_API bailey_status bailey_device_list(bailey_device *devices, size_t capacity, size_t *count);

typedef struct bailey_context_params {
    uint32_t threads; /* of the cpu backend; 0: OMP_NUM_THREADS, else the processors that we may use */
    /* Of programs compiled at run time; NULL: BAILEY_CACHE_DIR, else the XDG cache; "": none. */
    const char *cache_dir;
    uint64_t reserved[4];
} bailey_context_params;

/* Opens a device.
 *
 * `device`: "auto" (CUDA, else an OpenCL GPU, else the CPU), "cpu", "cuda", "cuda:1", "opencl",
 * "opencl:0" (platform 0), "opencl:0:1" (its device 1). NULL: the environment's BAILEY_DEVICE if it is set
 * and not empty, else "auto". `params` may be NULL. The context has one in-order queue.
 * Returns: OK; ERROR_INVALID (the name is not of that form; or BAILEY_BACKENDS, or of those that the cpu
 * backend reads BAILEY_CPU_LEVEL or OMP_NUM_THREADS, is malformed), ERROR_NO_DEVICE (with the reason),
 * ERROR_UNSUPPORTED (its arithmetic is not IEEE 754's), ERROR_MEMORY, ERROR_DRIVER, ERROR_BUILD. */
BAILEY_API bailey_status bailey_context_create(const char *device, const bailey_context_params *params,
                                               bailey_context **context);

/* Waits for the device and frees the context. Everything made from it must have been destroyed.
 * NULL is allowed. */
BAILEY_API void bailey_context_destroy(bailey_context *context);

/* Describes the context's device. Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_context_device(bailey_context *context, bailey_device *device);

/* Waits until everything queued has finished and host memory that was adopted holds its results.
 * Returns: OK, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_context_sync(bailey_context *context);

/* Called during calls that take long, from the thread that makes them; nonzero ends the call with
 * ERROR_CANCELLED. It must not use the context. */
typedef int (*bailey_interrupt)(void *user);

/* From now on `function` is called about twenty times a second while the calling thread works on the
 * context: on the cpu backend between parts of a launch, on others between launches. A call that it ends
 * leaves what it was writing undefined. NULL: no function. Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_context_watch(bailey_context *context, bailey_interrupt function, void *user);

/* The message of the context's last failing call; see bailey_error_message. */
BAILEY_API const char *bailey_context_error(const bailey_context *context);

/* ---- 3. Buffers ------------------------------------------------------------------------------ */

/* Memory on the context's device, or memory of the caller's that is adopted (see also bailey/opencl.h and
 * bailey/cuda.h). */
typedef struct bailey_buffer bailey_buffer;

/* Allocates `bytes` > 0 on the device, contents undefined. Returns: OK, ERROR_INVALID, ERROR_MEMORY. */
BAILEY_API bailey_status bailey_buffer_create(bailey_context *context, uint64_t bytes,
                                              bailey_buffer **buffer);

/* Adopts host memory, aligned to its elements' 4 or 8 bytes, which must outlive the buffer. Functions refuse
 * doubles and 64-bit words at other addresses, and memory that they would both read and write. The cpu
 * backend works in place; on other devices inputs are copied in before, and the elements that a call writes,
 * and no others, copied out after it. Results are complete after that call returns. Returns: OK,
 * ERROR_INVALID, ERROR_MEMORY. */
BAILEY_API bailey_status bailey_buffer_adopt_host(bailey_context *context, void *memory, uint64_t bytes,
                                                  bailey_buffer **buffer);

/* Frees the buffer, not the memory that it adopted. NULL is allowed. */
BAILEY_API void bailey_buffer_destroy(bailey_buffer *buffer);

BAILEY_API uint64_t bailey_buffer_bytes(const bailey_buffer *buffer);

/* Copies between host memory and bytes [offset, offset + bytes) of the buffer, in queue order, and
 * returns when the copy is complete. Returns: OK, ERROR_INVALID (out of range), ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_write(bailey_buffer *buffer, uint64_t offset, const void *source,
                                             uint64_t bytes);
BAILEY_API bailey_status bailey_buffer_read(bailey_buffer *buffer, uint64_t offset, void *destination,
                                            uint64_t bytes);

/* Copies bytes [source_offset, source_offset + bytes) of one buffer to destination_offset of another, or of
 * the same one if the ranges do not overlap, on the device. Both buffers are of one context. Ranges of
 * adopted memory are compared by their addresses; of two OpenCL objects the caller makes sure that they do
 * not overlap. Asynchronous unless either adopts host memory. Returns: OK, ERROR_INVALID (out of range,
 * ranges that overlap, buffers of two contexts), ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_copy(bailey_buffer *source, uint64_t source_offset,
                                            bailey_buffer *destination, uint64_t destination_offset,
                                            uint64_t bytes);

/* Sets each of the bytes [offset, offset + bytes) to `value`, on the device. Asynchronous unless the buffer
 * adopts host memory. Returns: OK, ERROR_INVALID (out of range), ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_fill(bailey_buffer *buffer, uint64_t offset, uint8_t value,
                                            uint64_t bytes);

/* ---- 4. Sources ------------------------------------------------------------------------------ */

/* The generators of bailey/device/generators.h, which has their verdicts and periods. */
typedef enum bailey_generator {
#define BAILEY_GENERATOR_ENUM(number, name, word, kind, published, text, verdict, period)                    \
    BAILEY_GENERATOR_##name = number,
    BAILEY_GENERATOR_LIST(BAILEY_GENERATOR_ENUM)
#undef BAILEY_GENERATOR_ENUM
#define BAILEY_POINT_ENUM(number, name, text, verdict, period) BAILEY_GENERATOR_##name = number,
        BAILEY_POINT_LIST(BAILEY_POINT_ENUM)
#undef BAILEY_POINT_ENUM
} bailey_generator;

/* "hybrid-taus", "sound" and "2^120"; NULL for a number that is not a generator's. Threads: any. */
BAILEY_API const char *bailey_generator_name(bailey_generator generator);
BAILEY_API const char *bailey_generator_verdict(bailey_generator generator);
BAILEY_API const char *bailey_generator_period(bailey_generator generator);

/* Returns: OK, ERROR_INVALID (the message lists the names). Threads: any. */
BAILEY_API bailey_status bailey_generator_from_name(const char *name, bailey_generator *generator);

typedef enum bailey_sequence {
    BAILEY_SEQUENCE_RUNS = 0,     /* runs of 8192 words whose starts are hashes: bailey/device/run.h */
    BAILEY_SEQUENCE_PUBLISHED = 1 /* the one sequence that the generator's reference or cuRAND defines */
} bailey_sequence;

#define BAILEY_WARP_SETS 16

/* How the points of a POINT source (bailey/points.h) are scrambled, by (seed, stream): each stream is a
 * replicate, independent of the others, whose mean estimates without bias, and whose spread gives a standard
 * error. */
typedef enum bailey_scramble {
    BAILEY_SCRAMBLE_LMS = 0,   /* linear matrix scramble (lower triangular), then a digital shift */
    BAILEY_SCRAMBLE_OWEN = 1,  /* nested uniform scramble (Owen), by a hash of each word */
    BAILEY_SCRAMBLE_SHIFT = 2, /* digital shift: each dimension's words ^ a random word */
    BAILEY_SCRAMBLE_NONE = 3   /* the points themselves, the same for all seeds and streams */
} bailey_scramble;

typedef enum bailey_point_order {
    BAILEY_POINT_ORDER_GRAY = 0, /* Gray-code order: that of SciPy and cuRAND */
    BAILEY_POINT_ORDER_INDEX = 1 /* point n has the bits of n: in dimension 0, the van der Corput sequence */
} bailey_point_order;

/* Which dimensions of a point drive a bridge: that of Z row k (step k of the construction order) and
 * dimension j, with n rows and d dims. A point's first dimensions are its best. */
typedef enum bailey_assignment {
    BAILEY_ASSIGNMENT_STEPS = 0,   /* k d + j: the first steps of all dims come first */
    BAILEY_ASSIGNMENT_FACTORS = 1, /* j n + k: all steps of dim 0 come first */
    BAILEY_ASSIGNMENT_DIAGONAL = 2 /* by k + j, of equal ones the smaller k first */
} bailey_assignment;

/* Where numbers come from: a sequence of words, numbered from 0. Words, uniforms, normals, other
 * distributions, bridges and prices all draw from a source. It is a plain value: making one, or another seed
 * or stream of it, costs nothing, and no function changes it. All zero is philox with seed 0, which is as
 * good as any. A place in it is a number, the argument `first` below; skipping is a larger `first`.
 *
 * Philox is a function of (seed, stream, i): any place costs the same. The other generators step; a stream of
 * theirs is cut into runs that start from hashes of (seed, stream, run), so that a place anywhere in it
 * costs at most 256 steps (8192 of mt19937), and any part of it can be made anywhere (bailey/device/run.h).
 *
 * BAILEY_SEQUENCE_PUBLISHED gives the words that others give, one after the other:
 *   philox, philox7   the same as RUNS: Random123's and cuRAND's (curand_init(seed, stream, offset))
 *   xorwow, mrg32k3a  cuRAND's (curand_init(seed, stream, offset), curand); mrg32k3a needs double precision
 *   mt19937           Matsumoto and Nishimura's init_genrand(seed), std::mt19937; seeds of more than 32 bits
 *                     are init_by_array({low, high})
 *   kiss              Marsaglia's KISS of 1999 with his default seeds; seed 0 only
 *   park-miller       std::minstd_rand0(seed), each value shifted left by one bit
 *   lcg, adder        x_0 = seed, the first word is x_1
 * The others have none. `stream` must be 0 where cuRAND does not give it a meaning.
 *
 * The points of BAILEY_GENERATOR_SOBOL are numbered by point and dimension: bailey_points_generate makes
 * them, bridges and prices take point p for path p. Their words are a function of (seed, stream, scramble,
 * point_order, word_bits, point, dimension). */
typedef struct bailey_source {
    uint64_t seed;
    uint64_t stream; /* independent sequences of one seed */
    bailey_generator generator;
    bailey_sequence sequence;
    uint32_t warp_set; /* warp: which of BAILEY_WARP_SETS parameter sets; 0 otherwise */
    /* Of points; 0 otherwise. */
    bailey_scramble scramble;
    bailey_point_order point_order;
    uint32_t word_bits; /* of a word: 32, 64; 0 means 32. The high half of a word of 64 bits is that of 32 */
    bailey_assignment assignment; /* to the normals of bridges */
    uint64_t reserved[4];
} bailey_source;

/* How a source makes its words, which decides how kernels are served from it. */
typedef enum bailey_source_kind {
    /* Word i is a function of i, and is made in registers (philox, philox7). */
    BAILEY_SOURCE_KIND_COUNTER = 0,
    BAILEY_SOURCE_KIND_RUN = 1, /* words follow one another, and pass through the device's memory in pieces */
    /* Words by point and dimension, made in registers: quasi-random points (sobol). */
    BAILEY_SOURCE_KIND_POINT = 2
} bailey_source_kind;

/* Checks that the generator exists and has the sequence and the parameter set and, for PUBLISHED, the seed
 * and stream. Writes the source's kind to *kind unless `kind` is NULL. Returns: OK, ERROR_INVALID. Threads:
 * any. */
BAILEY_API bailey_status bailey_source_check(const bailey_source *source, bailey_source_kind *kind);

/* Divides elements (of a POINT source: points) first .. first + count - 1 of a source among `parts` devices
 * or processes: part number `part` (from 0) makes elements *part_first .. *part_first + *part_count - 1.
 * Parts follow each other without overlap and begin where runs do, so that nothing is computed twice; the
 * numbers of runs that they take from differ by at most one. *part_count may be 0 where there are fewer runs
 * than parts. Returns: OK, ERROR_INVALID. Threads: any. */
BAILEY_API bailey_status bailey_source_split(const bailey_source *source, uint64_t first, uint64_t count,
                                             uint64_t parts, uint64_t part, uint64_t *part_first,
                                             uint64_t *part_count);

/* Saves a source and a place in it as bytes, which are the same on every machine and have a version and a
 * check sum. Restoring refuses bytes that are damaged, cut short, or of a version that this one cannot read.
 * Returns: OK, ERROR_INVALID. Threads: any. */
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

/* Elements. Numbers are made of elements of 32 or 64 bits: 32-bit element i is word i, 64-bit element i is
 * word 2i + 2^32 word 2i + 1. A field or argument `word_bits` says which: 32, 64, or 0 for what is usual, 32
 * in f32 and 64 in f64. Floats from 64 bits have tails twice as fine (normals up to +-9.155, where 32 bits
 * end at +-6.338); doubles from 32 bits are what sequences of 32-bit words have, such as quasi-random points.
 */

/* Writes uniform numbers of the open interval (0, 1), as float or double, number i from element i, w, of
 * `word_bits` bits:
 *   f32, 32 bits   (floor(w / 2^9) + 1/2) 2^-23
 *   f32, 64 bits   (w with its lowest bit set) 2^-64, rounded down to a float: from 2^-64 to 1 - 2^-24
 *   f64, 64 bits   (floor(w / 2^12) + 1/2) 2^-52
 *   f64, 32 bits   (w + 1/2) 2^-32
 * `first` and `count` count numbers.
 *
 * Asynchronous, Returns, Results: as bailey_words_generate; ERROR_INVALID also for 64 bits with first + count
 * beyond 2^63, other `word_bits`; ERROR_UNSUPPORTED for f64 on a device without it. */
BAILEY_API bailey_status bailey_uniforms_generate(bailey_context *context, const bailey_source *source,
                                                  bailey_precision precision, uint32_t word_bits,
                                                  uint64_t first, uint64_t count, bailey_buffer *out,
                                                  uint64_t out_offset);

typedef enum bailey_normal_method {
    BAILEY_NORMAL_METHOD_ICDF = 0,       /* inverse CDF, one word per normal; monotone; fast is exact */
    BAILEY_NORMAL_METHOD_BOX_MULLER = 1, /* Box-Muller, elements 2m and 2m + 1 are a pair */
    /* Wallace's: normals from normals, with few words (bailey/device/wallace.h). NOT independent: fourth
     * moments of successive blocks of 1024 are correlated by 1/256, and the normals of a run of 16 blocks are
     * all functions of its first 1024 normals (docs/records/quality.md). For comparison, and where that does no harm.
     * F32 only, from philox in RUNS, which gives the starts and keys; fast is exact. Only
     * bailey_normals_generate takes it. */
    BAILEY_NORMAL_METHOD_WALLACE = 2
} bailey_normal_method;

typedef enum bailey_numerics {
    BAILEY_NUMERICS_EXACT = 0, /* the promise */
    BAILEY_NUMERICS_FAST = 1 /* the device's native functions where it has them; bounds in docs/developers/accuracy.md */
} bailey_numerics;

/* How normals are made of words. */
typedef struct bailey_normal_params {
    bailey_normal_method method;
    bailey_precision precision;
    bailey_numerics numerics;
    uint32_t word_bits; /* of the elements they are made from: 32, 64, or 0 for 32 in f32 and 64 in f64 */
    uint64_t reserved[4];
} bailey_normal_params;

/* Writes standard normals first .. first + count - 1 of `source` to elements out_offset ... of `out`, as
 * float or double. Normal i is made from element i of `normal->word_bits` bits; Box-Muller makes normals 2m
 * and 2m + 1 from the elements of both, Wallace's method 16384 normals together (not from 64 bits). No value
 * is infinite; `count` may be odd or even. `normal` NULL: single precision, inverse CDF, exact.
 *
 * Asynchronous unless `out` adopts host memory or the sequence is PUBLISHED.
 * Returns: as bailey_words_generate; ERROR_INVALID (64 bits of a source that is not COUNTER with first +
 * count beyond 2^63; f64, 64 bits, another generator or sequence with Wallace's method), ERROR_UNSUPPORTED
 * (f64 on a device without it).
 * Results: exact: normal i depends on (source, i, method, precision, word_bits) only. fast: within the bound
 * of docs/developers/accuracy.md of the exact value; from 64 bits in f32 exact. Source: docs/developers/accuracy.md. */
BAILEY_API bailey_status bailey_normals_generate(bailey_context *context, const bailey_source *source,
                                                 const bailey_normal_params *normal, uint64_t first,
                                                 uint64_t count, bailey_buffer *out, uint64_t out_offset);

/* The distributions of bailey/device/distribution.h. NORMAL: mean + stddev z of a standard normal z;
 * LOG_NORMAL: exp(mean + stddev z); EXPONENTIAL: -log(U) / rate of a uniform U, mean 1 / rate. */
typedef enum bailey_distribution {
#define BAILEY_DISTRIBUTION_ENUM(number, name, word, kind, text, factor) BAILEY_DISTRIBUTION_##name = number,
    BAILEY_DISTRIBUTION_LIST(BAILEY_DISTRIBUTION_ENUM)
#undef BAILEY_DISTRIBUTION_ENUM
} bailey_distribution;

typedef struct bailey_variate_params {
    bailey_normal_params normal; /* precision; method (not WALLACE), numerics and word_bits that make z */
    bailey_distribution distribution;
    double mean;   /* of kinds NORMAL and MEAN; for LOG_NORMAL that of the logarithm */
    double stddev; /* standard deviation, likewise; not negative, 0 means 1 */
    double rate;   /* of kind RATE (EXPONENTIAL); not negative, 0 means 1 */
    uint64_t reserved[4];
} bailey_variate_params;

/* Writes numbers first .. first + count - 1 of a distribution to elements out_offset ... of `out`, as float
 * or double. Number i is made from the elements of normal i: fma(stddev, z, mean) of that normal, the
 * exponential of this, or -log(U) / rate with U = (w + 1/2) 2^-32 of 32-bit element w (f32), U =
 * (floor(w / 2^11) + 1/2) 2^-53 of 64-bit element w (f64), and no other `word_bits`. Parameters are rounded
 * to the precision first.
 *
 * mean, stddev and rate are finite, stddev and rate not negative; those that are not zero have
 * magnitudes from 1e-20 to 1e20 in f32 (from 64 bits 1e-18 to 1e18), 1e-250 to 1e250 in f64; those of another
 * distribution are zero. For LOG_NORMAL, abs(mean) + 6.8 stddev (from 64 bits 9.5) is at most 87 in f32,
 * abs(mean) + 8.7 stddev (from 32 bits 6.8) at most 708 in f64.
 * Then log-normal and exponential numbers are positive, and no number is infinite: the largest exponential
 * one is 22.9 / rate in f32, 37.5 / rate in f64.
 *
 * Asynchronous unless `out` adopts host memory or the sequence is PUBLISHED.
 * Returns: as bailey_normals_generate; ERROR_INVALID (a parameter beyond its limits, one of another
 * distribution that is not 0; 64 bits with first + count beyond 2^63 for every generator, except for standard
 * normals; other `word_bits` with EXPONENTIAL).
 * Results: as bailey_normals_generate; exponential numbers are exact whatever the numerics. The fast profile
 * concerns z only. Source: docs/developers/accuracy.md. */
BAILEY_API bailey_status bailey_variates_generate(bailey_context *context, const bailey_source *source,
                                                  const bailey_variate_params *variate, uint64_t first,
                                                  uint64_t count, bailey_buffer *out, uint64_t out_offset);

/* Makes vectors of correlated normals: x = C z for `count` vectors of `dims` independent ones.
 *
 * `factor` is C, [dims][dims], lower triangular (above the diagonal nothing is read): C C' is the covariance.
 * It is copied. `z` and `x` hold dims * count elements of `precision`, [dim][vector]: the same dimension of
 * all vectors contiguous, as one row of step-major paths. z is read only; z and x must not overlap. dims is 1
 * .. 64. In f32 entries are rounded, and those that are not zero must still be normal numbers.
 *
 * Asynchronous unless a buffer adopts host memory.
 * Returns: OK, ERROR_INVALID (0 vectors, dims out of range, an entry not finite or beyond single precision, a
 * buffer too small), ERROR_UNSUPPORTED (f64 on a device without it), ERROR_MEMORY, ERROR_DRIVER.
 * Results: exact, whatever the numerics of z, for finite z and results that do not overflow. x_i is C_i0 z_0,
 * then fma(C_ij, z_j, x_i) for j = 1 .. i: what a bridge with this factor makes of its normals. */
BAILEY_API bailey_status bailey_normals_correlate(bailey_context *context, const double *factor,
                                                  uint32_t dims, bailey_precision precision, uint64_t count,
                                                  bailey_buffer *z, bailey_buffer *x);

/* ---- 6. Brownian bridge ---------------------------------------------------------------------- */

typedef enum bailey_order {
    /* Halve every known interval, level by level; midpoint rounded down, levels left to right: NAG's "LR,
     * round down". */
    BAILEY_ORDER_BISECTION = 0,
    BAILEY_ORDER_BISECTION_LR_UP = 1,   /* midpoint rounded up */
    BAILEY_ORDER_BISECTION_RL_DOWN = 2, /* levels right to left */
    BAILEY_ORDER_BISECTION_RL_UP = 3,
    BAILEY_ORDER_INCREMENTAL = 4 /* t_1, t_2, ..., t_N */
} bailey_order;

/* Fills order[0 .. interior - 1] with the named construction order of `interior` times, one-based.
 *
 * `important` lists `important_count` distinct one-based indices that are built first, in the order
 * given, so that they get the lowest quasi-random dimensions; the others keep the named order. NULL and
 * 0 for none; it must not overlap `order`, whose contents are undefined after an error. `interior` is at
 * most 10^6. Returns: OK, ERROR_INVALID. Threads: any. */
BAILEY_API bailey_status bailey_order_make(bailey_order kind, uint64_t interior, const uint32_t *important,
                                           uint64_t important_count, uint32_t *order);

/* "bisection" ("lr-down"), "lr-up", "rl-down", "rl-up", "incremental". Returns: OK, ERROR_INVALID. */
BAILEY_API bailey_status bailey_order_from_name(const char *name, bailey_order *kind);

/* What the rows of Z are. */
typedef enum bailey_construction {
    /* BRIDGE; of a simulation without order and end, what its payoff's code says that it does best with. */
    BAILEY_CONSTRUCTION_AUTO = 0,
    BAILEY_CONSTRUCTION_BRIDGE = 1, /* steps of an order */
    /* Principal components: X = start + A (C Z), where A A' is the covariance of the times and column k of A,
     * its k-th eigenvector, has the k-th largest variance; the first entry of a column is positive. With a
     * fixed end there is one component less, and the straight line instead of start. A row of Z works on
     * all steps, so a path costs the square of their number; they are at most BAILEY_BRIDGE_PCA_MAX_STEPS. */
    BAILEY_CONSTRUCTION_PCA = 2,
    /* A random walk: increments in time order. Row k is step k in time order, and builds X(t_k) from the time
     * before alone: fma(sigma, y, X(t_(k-1))), where y is the entry of C Z, sigma = sqrt(t_k - t_(k-1)) in
     * double, rounded to the precision, and X before the first step is start. Scaled increments are
     * fma(r, y, 0), where r = sigma / (t_k - t_(k-1)) in double, rounded once. The end is free. */
    BAILEY_CONSTRUCTION_WALK = 3
} bailey_construction;

#define BAILEY_BRIDGE_PCA_MAX_STEPS 1024u

typedef enum bailey_layout {
    BAILEY_LAYOUT_STEP_MAJOR = 0, /* [step][dim][path]: the same entry of all paths contiguous */
    BAILEY_LAYOUT_PATH_MAJOR = 1  /* [path][step][dim]: a path contiguous */
} bailey_layout;

typedef enum bailey_bridge_output {
    BAILEY_BRIDGE_OUTPUT_PATHS = 0,     /* X(t_1), ..., X(T) */
    BAILEY_BRIDGE_OUTPUT_INCREMENTS = 1 /* (X(t_{i+1}) - X(t_i)) / (t_{i+1} - t_i), i = 0 .. N */
} bailey_bridge_output;

/* How the device builds paths. A strategy changes the speed and never the bits; leave it at AUTO, which takes
 * the one that was measured to be the fastest (docs/records/benchmarks.md), unless you want to compare them.
 *
 * CONSTANT to REUSE_PREFETCH are those of du Toit (NAG 2011, sections 3 to 7), SPECIALISED turns the plan
 * into straight-line code, BLOCKS the parts of it that repeat themselves, and READBACK keeps no stack but
 * reads neighbours back from X; docs/developers/bridge-internals.md explains them. Every device has READBACK, and REUSE in one
 * dimension. The others are compiled at run time, when a bridge first needs them (a second or so; then from
 * cache_dir): by the OpenCL driver, on CUDA by NVRTC, on the cpu backend by the system's C compiler (cc, or
 * the environment's BAILEY_CC). Not every strategy can build every bridge. If one that is asked for by name
 * cannot, bailey_bridge_create or the call that needs the program returns ERROR_UNSUPPORTED with the reason;
 * AUTO finds another.
 *
 * A context keeps what was compiled and loaded: another bridge of the same shape needs neither.
 *
 * X(number, NAME, word, writer); writer is what writes the strategy's program, in the library's sources. */
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

/* The word of the list above; "unknown" for another number. */
BAILEY_API const char *bailey_bridge_strategy_name(bailey_bridge_strategy strategy);

#define BAILEY_BRIDGE_MAX_STEPS 1000001u /* N + 1 for N = 10^6 interior times */
#define BAILEY_BRIDGE_MAX_DIMS 64u
#define BAILEY_BRIDGE_MAX_PATHS (UINT64_C(1) << 38) /* paths are numbered below this */

typedef struct bailey_bridge_params {
    const double *times;   /* t_1 < ... < t_N < T: the last is T */
    uint64_t steps;        /* N + 1, at least 1 */
    double start_time;     /* t0 */
    const uint32_t *order; /* N one-based indices into the interior times; NULL: bisection */
    uint32_t dims;         /* 1 .. 64; 0 means 1 */
    /* C, [dims][dims], lower triangular (above the diagonal nothing is read): C C' is the covariance per unit
     * time. Or that covariance, [dims][dims], symmetric positive semi-definite: the library factors it. Both
     * NULL: the identity. */
    const double *factor;
    const double *covariance;
    const double *start; /* X(t0), [dims]; NULL: zero */
    const double *end;   /* X(T), [dims], fixed; NULL: free */
    bailey_bridge_output output;
    bailey_layout layout; /* of Z and X */
    bailey_precision precision;
    bailey_bridge_strategy strategy;  /* AUTO unless you compare strategies; with PCA also READBACK */
    bailey_construction construction; /* with PCA and WALK order is NULL, with WALK end too */
    uint64_t reserved[4];
} bailey_bridge_params;

/* A plan for one set of times and one construction order, on one context. */
typedef struct bailey_bridge bailey_bridge;

/* Plans a bridge: finds the equivalent construction order with the smallest local stack and the most
 * neighbour reuse (du Toit, NAG 2011, sections 2.2 and 7) and puts it on the device. The arrays are
 * copied. Returns: OK; ERROR_INVALID (times that do not increase, an order that is not a permutation, a
 * covariance that is not positive semi-definite, NaN: the message names entry and value, or the smallest
 * eigenvalue), ERROR_MEMORY, ERROR_UNSUPPORTED, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_bridge_create(bailey_context *context, const bailey_bridge_params *params,
                                              bailey_bridge **bridge);
BAILEY_API void bailey_bridge_destroy(bailey_bridge *bridge);

typedef struct bailey_bridge_info {
    uint64_t z_steps; /* step rows of Z: N + 1, or N with a fixed end */
    uint64_t x_steps; /* step rows of X: N + 1 */
    uint32_t dims;
    uint32_t stack_slots; /* of the local stack: values per path and dimension; 0 with PCA, WALK */
    uint64_t stack_reads, stack_writes; /* of one path and dimension */
    /* What AUTO chose, or what was asked for: never AUTO. Where AUTO's choice has no program for a call,
     * REUSE or READBACK serves it. */
    bailey_bridge_strategy strategy;
    uint64_t reserved[4];
} bailey_bridge_info;
BAILEY_API bailey_status bailey_bridge_describe(const bailey_bridge *bridge, bailey_bridge_info *info);

/* Turns normals Z into X for `paths` paths.
 *
 * `z` holds z_steps * dims * paths elements, `x` x_steps * dims * paths, both in the bridge's layout and
 * precision. Z's step axis is in construction order (row 0 builds T where the end is free), with PCA has the
 * components, with WALK is in time order; X's is in time order, ending with T; the start is not stored. Z is
 * read only; z and x must not overlap. Asynchronous unless a buffer adopts host memory; the first call may
 * compile a program. Returns: OK, ERROR_INVALID (0 paths, a buffer too small), ERROR_DRIVER; for strategies
 * that are compiled, ERROR_UNSUPPORTED and ERROR_BUILD. Results: exact, whatever the numerics of Z, for
 * finite Z and results that do not overflow: the bits of a NaN are not promised. */
BAILEY_API bailey_status bailey_bridge_build(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z,
                                             bailey_buffer *x);

/* The fused form: draws the normals itself.
 *
 * Paths first_path .. first_path + paths - 1 of `source`. From a POINT source path p is point p: the normal
 * for Z row k and dimension j is that of the dimension which its `assignment` says, as
 * BAILEY_POINTS_FORM_NORMALS of bailey/points.h (`normal` has the method ICDF and `word_bits` 0 or the
 * source's word_bits). From the others it is normal number (k dims + j) 2^38 + p of bailey_normals_generate
 * with the same `source` and `normal` (whose precision is ignored in favour of the bridge's; NULL: inverse
 * CDF, exact): with `word_bits` 32 four neighbouring paths share a block of Philox, with 64 two, whatever the
 * precision. The normals of a COUNTER source are drawn in registers; those of a RUN source pass through
 * memory of the context, a piece at a time. Returns: as bailey_bridge_build; ERROR_INVALID (first_path +
 * paths beyond 2^38, of points 2^64, a source that bailey_source_check refuses, a PUBLISHED sequence that
 * cannot skip so far (mt19937), a RUN source for more than 2^25 rows of Z from 64-bit elements);
 * ERROR_UNSUPPORTED (published mrg32k3a without double precision). Results: exact: path p depends on (plan,
 * source, method, word_bits, p) only, and equals bailey_bridge_normals followed by bailey_bridge_build bit
 * for bit. */
BAILEY_API bailey_status bailey_bridge_paths(bailey_bridge *bridge, const bailey_source *source,
                                             const bailey_normal_params *normal, uint64_t first_path,
                                             uint64_t paths, bailey_buffer *x);

/* Writes the Z that bailey_bridge_paths with the same arguments would draw. Returns: as there. */
BAILEY_API bailey_status bailey_bridge_normals(bailey_bridge *bridge, const bailey_source *source,
                                               const bailey_normal_params *normal, uint64_t first_path,
                                               uint64_t paths, bailey_buffer *z);

/* ---- 7. Prices (bailey/simulation.h) --------------------------------------------------------- */

/* Reports progress of a long call: `done` of `total` paths. Return non-zero to stop. */
typedef int (*bailey_progress)(void *user, uint64_t done, uint64_t total);

#define BAILEY_SIMULATION_PATHS (UINT64_C(1) << 20) /* where a run does not say how many */

typedef enum bailey_option_type {
    BAILEY_OPTION_TYPE_PUT = 0,
    BAILEY_OPTION_TYPE_CALL = 1
} bailey_option_type;

/* ---- 8. Self-test and log -------------------------------------------------------------------- */

/* Called once per item: its name, 1 if it equals the golden value, and what was found. */
typedef void (*bailey_selftest_report)(void *user, const char *item, int passed, const char *detail);

typedef struct bailey_selftest_params {
    /* 0: some of each kind, in seconds; 1: every generator, distribution, kind of bridge and strategy, which
     * may take minutes to compile. */
    uint32_t all;
    bailey_selftest_report report; /* may be NULL */
    void *report_user;
    uint64_t reserved[4];
} bailey_selftest_params;

/* Proves the promise on the context's device: computes words, normals, bridges, simulations and, where
 * there is double precision, a price, and compares them with golden values shipped in the library. `params`
 * may be NULL. Returns: OK, ERROR_SELFTEST (the message names the first item that failed), others as
 * above. */
BAILEY_API bailey_status bailey_selftest(bailey_context *context, const bailey_selftest_params *params);

/* The log says what the library did; whether it worked, the status says. `level` 1: slow things such as
 * program builds and cache hits with their times; 2: every launch. A line that ends in " ..." announces what
 * may take long, or crash: a driver's library that is opened, a program that is built. The next line ends it.
 *
 * The environment's BAILEY_LOG ("1", "2", or a file name, which means 2) turns the log on without code, to
 * standard error or that file. A NULL function turns it off. Threads: set it before contexts exist. */
typedef void (*bailey_log_function)(void *user, int level, const char *line);
BAILEY_API void bailey_log_set(bailey_log_function function, void *user, int level);

#ifdef __cplusplus
}
#endif

#endif
