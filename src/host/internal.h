/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of the host layer: contexts, buffers, launches; memory and programs for
 * reuse; slots.
 */
#ifndef BLY_INTERNAL_H
#define BLY_INTERNAL_H

#include <backend/backend.h>
#include <backend/rows.h>
#include <base/hash.h>

#include <fenv.h>
#include <stdatomic.h>

/* ---- Memory for reuse (pool.c) --------------------------------------------------------------- */

/* Memory that the host layer uses for itself. Released memory is cached for the next request of that size.
 *
 * Device memory may be given back while work on it is queued: the next user works in the order of queue 0.
 * Memory that queue 1 uses, and memory that the host looks at (PINNED, MAPPED), needs a fence first: it is
 * given back when nothing that is queued uses it any more. Contents are undefined.
 *
 * Buffers of the public interface do not come from here: their native objects may be in the caller's hands.
 */

struct bly_pool {
    bailey_buffer *idle; /* the one given back last comes first */
    uint64_t bytes, count;
};

/* Returns: OK, ERROR_MEMORY, ERROR_UNSUPPORTED (see `alloc` of backend.h), ERROR_DRIVER. */
bailey_status bly_pool_take(bailey_context *context, enum bly_memory_kind kind, uint64_t bytes,
                            bailey_buffer **buffer);
/* Waits for nothing, unless more is cached than the pool may hold. NULL is allowed. */
void bly_pool_release(bailey_buffer *buffer);
/* Frees what is cached. */
void bly_pool_empty(bailey_context *context);

/* Device memory with these contents. */
bailey_status bly_pool_upload(bailey_context *context, const void *data, uint64_t bytes,
                              bailey_buffer **buffer);

/* Allocates anew; where that fails, once more with the pool emptied. */
bailey_status bly_memory_alloc(bailey_context *context, enum bly_memory_kind kind, uint64_t bytes,
                               struct bly_memory **memory);

/* ---- Programs for reuse (program.c) ---------------------------------------------------------- */

/* Entries that a context keeps for reuse: loaded programs above all, with their makers' notes on them.
 *
 * An entry is known by a digest that its maker chooses, for example of all that the program's code depends
 * on: the text need not be made to find it. The contents follow from the digest, so an entry serves all who
 * ask for it. Entries that are not in use stay, up to a number; those used longest ago go. */

#define BLY_CACHED_BUFFERS 2

struct bly_cached {
    struct bly_cached *next;
    uint8_t key[BLY_DIGEST_BYTES];
    uint32_t users;
    struct bly_program *program;                /* NULL: there is none */
    struct bly_kernel *kernels;                 /* the program's */
    bailey_buffer *buffers[BLY_CACHED_BUFFERS]; /* of the pool, to which they go back with the entry */
    void *note;                                 /* the maker's own */
};

/* The entry with the key, which is in use until the caller releases it; NULL where there is none. */
struct bly_cached *bly_program_find(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES]);

/* A new entry, which the caller uses, with a note of so many zero bytes. Returns: OK, ERROR_MEMORY. */
bailey_status bly_program_new(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES], size_t note_bytes,
                              struct bly_cached **cached);
/* Loads the entry's program. Fails as `load` of backend.h does. */
bailey_status bly_program_load(bailey_context *context, struct bly_cached *cached,
                               const struct bly_code *code);

/* Ends a use. NULL is allowed. Waits for nothing, unless more entries are idle than are cached. */
void bly_program_release(bailey_context *context, struct bly_cached *cached);
/* Ends the only use of an entry, which is then removed. */
void bly_program_discard(bailey_context *context, struct bly_cached *cached);
/* Discards all of them; none is in use. */
void bly_program_empty(bailey_context *context);

/* ---- Contexts, buffers, launches ------------------------------------------------------------- */

/* Debug builds find calls that break the rule that one thread at a time uses a context. */
#ifdef NDEBUG
#define BLY_CHECK_THREADS 0
#else
#define BLY_CHECK_THREADS 1
#endif

struct bailey_context {
    struct bly_device *device;
    struct bly_program *rows[BLY_KERNELS]; /* by number; NULL until launched */
    struct bly_cached *cached;             /* of program.c; the one used last comes first */
    struct bly_pool pool;
    struct bly_slot *slots; /* of slots.c; the one made last comes first */
    char error[BLY_ERROR_TEXT];
#if BLY_CHECK_THREADS
    _Atomic uintptr_t user; /* the thread that is in a call; 0 if none is */
    unsigned entered;       /* how many of its calls lie within each other */
#endif
};

struct bailey_buffer {
    bailey_context *context;
    struct bly_memory *memory;
    uint64_t bytes;
    void *host;      /* adopted host memory that `memory` is a copy of; NULL if there is none */
    int aligned;     /* kernels see it begin at a multiple of 16 bytes */
    uintptr_t place; /* of adopted memory: its address on the host or the device; 0 where there is none */
    enum bly_memory_kind kind;
    bailey_buffer *next; /* in the pool */
};

/* The data that a room stores with a context, which knows nothing of it: its slot, made and zeroed when it is
 * first asked for. One thread at a time uses a context, and so its slots. */
struct bly_slot_owner {
    size_t bytes;
    void (*empty)(void *slot); /* before the context goes: nothing is queued, programs and pool are there */
};
/* The owner's slot; NULL where there is no memory for it. Its place does not change. */
void *bly_context_slot(bailey_context *context, const struct bly_slot_owner *owner);
void bly_slots_empty(bailey_context *context);

/* Opens a device of a backend and checks its arithmetic. `index` is ignored where params->native names the
 * device. */
bailey_status bly_context_open(const struct bly_backend *backend, size_t index,
                               const struct bly_open_params *params, bailey_context **context);

/* Makes a buffer of the caller's native memory object. */
bailey_status bly_buffer_adopt(bailey_context *context, void *native, uint64_t bytes, bailey_buffer **buffer);

/* The context's device if it is of `backend`; else NULL, and the error is of `argument`. */
struct bly_device *bly_context_backend_device(bailey_context *context, const struct bly_backend *backend,
                                              const char *argument);

struct bly_memory *bly_buffer_memory(bailey_buffer *buffer);

/* Begins a public function that uses a context, once that is known: where another thread is in a call on it,
 * a debug build returns ERROR_INVALID, and a function without a result does nothing. */
#if BLY_CHECK_THREADS
struct bly_entered {
    bailey_context *context; /* to be left; NULL if it is not entered */
    bailey_status status;
};
struct bly_entered bly_enter(bailey_context *context);
void bly_leave(const struct bly_entered *entered);
#define BLY_ENTER_(context)                                                                                  \
    const struct bly_entered bly_entered __attribute__((cleanup(bly_leave))) = bly_enter(context)
#define BLY_ENTER(context)                                                                                   \
    BLY_ENTER_(context);                                                                                     \
    if (bly_entered.status != BAILEY_OK) return bly_entered.status
#define BLY_ENTER_VOID(context)                                                                              \
    BLY_ENTER_(context);                                                                                     \
    if (bly_entered.status != BAILEY_OK) return
#else
#define BLY_ENTER(context) ((void)0)
#define BLY_ENTER_VOID(context) ((void)0)
#endif

/* Ends a public function: keeps the thread's error text with the context if `status` is one. */
bailey_status bly_finish(bailey_context *context, bailey_status status);

/* A kernel that can be launched: number `number` of a loaded program. */
struct bly_entry {
    struct bly_program *program;
    uint32_t number;
    const struct bly_kernel *kernel;
};

/* A row as an entry, loaded if it has not been. */
bailey_status bly_row_entry(bailey_context *context, const struct bly_kernel *row, struct bly_entry *entry);
/* Unloads the rows, after waiting for what is queued. */
void bly_rows_unload(bailey_context *context);

/* Launches `entry` in queue 0 over groups x rows. `written` is the buffer among `buffers` that the kernel
 * writes, all of bytes [first, first + bytes). Host memory that a buffer stands for is copied in, and those
 * bytes alone are copied out: what lies around them may be another context's work. A buffer may be NULL. */
bailey_status bly_launch_entry(bailey_context *context, const struct bly_entry *entry, uint64_t groups,
                               uint64_t rows, const void *params, bailey_buffer *const *buffers,
                               const bailey_buffer *written, uint64_t first, uint64_t bytes);
/* The same for a row. */
bailey_status bly_launch(bailey_context *context, const struct bly_kernel *row, uint64_t groups,
                         uint64_t rows, const void *params, size_t params_size, bailey_buffer *const *buffers,
                         const bailey_buffer *written, uint64_t first, uint64_t bytes);

/* Elements that a generator makes at once: 4 of f32 (and words), 2 of f64. */
uint64_t bly_block_elements(bailey_precision precision);
size_t bly_element_bytes(bailey_precision precision);

/* Groups that cover [first, first + count) when counted from `first` rounded down to a block. */
uint64_t bly_groups(uint64_t first, uint64_t count, uint64_t block);

/* The width of the words that numbers are computed from: `bits`, where 0 is the usual width of the precision.
 */
uint32_t bly_word_bits(bailey_precision precision, uint32_t bits);

/* How normals are drawn on this context: by native functions only where the device has them. */
enum bly_draw bly_draw_of(const bailey_context *context, const bailey_normal_params *normal,
                          bailey_precision precision);

/* The method's constant of bailey/device/draw.h, for texts; NULL of none and of points. */
const char *bly_draw_constant(int draw);

/* Bytes of a group's copies of the table of the inverse CDF. */
uint32_t bly_copies_bytes(const struct bly_copies_tuning *copies, int f64);

/* The table of the inverse CDF, which the context keeps (bailey_normal_table). */
bailey_status bly_normal_table(bailey_context *context, bailey_precision precision, bailey_buffer **table);
/* The table of approximate normals, which the context keeps too (bailey_approximate_table). */
bailey_status bly_approximate_table(bailey_context *context, bailey_buffer **table);

/* Whether it is a number of the table (bailey/device/generators.h). */
int bly_is_generator(bailey_generator generator);

/* The kind of a source that has been checked, and the rounds of one of kind COUNTER: 7 or 10. */
bailey_source_kind bly_source_kind(const bailey_source *source);

/* The number of a source's scramble in kernels and files; 0 of sources that make no points. */
uint32_t bly_scramble_number(const bailey_source *source);

/* The scramble of a source that has this number in a file; one that is refused where there is none. */
bailey_scramble bly_scramble_of(const bailey_source *source, uint32_t number);
uint32_t bly_source_rounds(const bailey_source *source);

/* Checks a source that has to be a sequence of words: not of kind POINT. */
bailey_status bly_check_sequence(const bailey_source *source, bailey_source_kind *kind);

/* Checks that a source has elements [first, first + count), and that there are some. */
bailey_status bly_check_elements(const bailey_source *source, uint64_t first, uint64_t count);

/* The meaning of a NULL bailey_normal_params. */
extern const bailey_normal_params bly_default_normal;

/* Checks the fields of `normal` for a request of `precision` on this context. */
bailey_status bly_check_normal(const bailey_context *context, const bailey_normal_params *normal,
                               bailey_precision precision);
bailey_status bly_check_precision(const bailey_context *context, bailey_precision precision);
bailey_status bly_check_bits(uint32_t bits);

/* Checks that elements [offset, offset + count) of `element` bytes lie in `buffer`, which belongs to
 * `context`; `name` is the argument's. */
bailey_status bly_check_buffer(const bailey_context *context, const bailey_buffer *buffer, const char *name,
                               uint64_t offset, uint64_t count, uint64_t element);

/* Checks that what a call reads, the first `bytes` of `from`, and what it writes, the first `to_bytes` of
 * `to`, have no memory in common, as far as adopted memory has addresses. `name` and `to_name` are the
 * arguments'. */
bailey_status bly_check_apart(const bailey_buffer *from, const char *name, uint64_t bytes,
                              const bailey_buffer *to, const char *to_name, uint64_t to_bytes);

/* a * b, or 0 if it does not fit 64 bits (no caller has a zero factor). */
uint64_t bly_multiply(uint64_t a, uint64_t b);

/* Sets rounding and denormals as IEEE 754 has them, whatever the caller's thread was set to; ends with
 * fesetenv(callers). Around whatever the host computes that results depend on. */
static inline void bly_begin_arithmetic(fenv_t *callers)
{
    fegetenv(callers);
    fesetenv(FE_DFL_ENV);
}

/* Checks that the device computes fma, products, differences and conversions as IEEE 754 says. */
bailey_status bly_check_arithmetic(bailey_context *context);

#endif
