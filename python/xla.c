/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Steps of diffrax's solvers on a CUDA device, without Python: python/bailey/_xla.py does a call in a stream
 * once, and this file repeats it. A call is known by its text in XLA's program; what is not known here, or
 * fails, is left to Python.
 *
 * Source of the structures: xla/ffi/api/c_api.h, version 0.1 and later, in which fields are only added.
 */
#include <bailey/bailey.h>
#include <bailey/motion.h>

#include <pthread.h>
#include <string.h>

enum {
    METADATA = 1,
    TEXT = 4,
    EXECUTE = 3,
    F64 = 12
}; /* kinds of extensions and attributes, a stage, a type */

struct extension {
    size_t size;
    int kind;
};
struct array {
    size_t size;
    void *extensions;
    int type;
    void *data;
    int64_t rank;
    const int64_t *extents;
};
struct arrays {
    size_t size;
    void *extensions;
    int64_t count;
    const int *kinds;
    struct array *const *items;
};
struct span {
    const char *text;
    size_t size;
};
struct stream {
    size_t size;
    void *extensions, *running, *stream;
};
struct api {
    size_t size;
    void *extensions;
    struct {
        size_t size;
        void *extensions;
        int major, minor;
    } version;
    void *internal, *error_create, *error_message, *error_destroy, *handler_register;
    void *(*stream_get)(struct stream *);
};
struct frame {
    size_t size;
    const struct extension *extensions;
    const struct api *api;
    void *running;
    int stage;
    struct arrays operands, results;
    struct {
        size_t size;
        void *extensions;
        int64_t count;
        const int *kinds;
        void *names;
        void *const *items;
    } attributes;
};

/* What Python has prepared: increments of a motion, on a context that nothing else uses. */
struct step {
    const char *text;
    uint64_t text_size;
    void *stream;
    bailey_context *context;
    bailey_motion *motion;
    bailey_source source;
    uint64_t paths, path_bytes; /* of a path's results */
};

/* The functions of the library, and the handler in Python, so that this file links to nothing. */
struct functions {
    bailey_status (*adopt)(bailey_context *, unsigned long long, uint64_t, bailey_buffer **);
    void (*destroy)(bailey_buffer *);
    bailey_status (*increments)(bailey_motion *, const bailey_source *, bailey_buffer *, bailey_precision,
                                bailey_buffer *, uint64_t, uint64_t, bailey_buffer *);
    void *(*python)(struct frame *);
};

#define STEPS 64 /* calls beyond these stay with Python */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct step steps[STEPS];
static unsigned count;
static struct functions call;

BAILEY_API void bailey_xla_begin(const struct functions *functions) { call = *functions; }

/* Adds a step, whose text and objects stay. Returns whether there was room. */
BAILEY_API int bailey_xla_know(const struct step *step)
{
    pthread_mutex_lock(&mutex);
    const int has_room = count < STEPS;
    if (has_room) steps[count++] = *step;
    pthread_mutex_unlock(&mutex);
    return has_room;
}

static const struct step *find(const struct frame *frame, void *stream)
{
    for (int64_t i = 0; i < frame->attributes.count; i++) {
        if (frame->attributes.kinds[i] != TEXT) continue;
        const struct span *text = frame->attributes.items[i];
        for (unsigned n = 0; n < count; n++)
            if (steps[n].stream == stream && steps[n].text_size == text->size &&
                memcmp(steps[n].text, text->text, text->size) == 0)
                return &steps[n];
    }
    return NULL;
}

/* An array in place, of `element` bytes each; its number of elements is a multiple of what the caller has. */
static bailey_buffer *adopt(const struct step *step, const struct array *array, uint64_t bytes)
{
    bailey_buffer *buffer = NULL;
    if (call.adopt(step->context, (unsigned long long)(uintptr_t)array->data, bytes, &buffer) != BAILEY_OK)
        return NULL;
    return buffer;
}

/* Operands are first paths, of 8 bytes, and times, two for each; the result has the numbers of all paths. */
static bailey_status take(const struct step *step, const struct frame *frame)
{
    const struct array *firsts = frame->operands.items[0], *times = frame->operands.items[1];
    uint64_t intervals = 1;
    for (int64_t i = 0; i + 1 < times->rank; i++) intervals *= (uint64_t)times->extents[i];
    const int f64 = times->type == F64;
    bailey_buffer *from = adopt(step, firsts, 8 * intervals),
                  *at = adopt(step, times, 2 * intervals * (f64 ? sizeof(double) : sizeof(float))),
                  *out = adopt(step, frame->results.items[0], intervals * step->paths * step->path_bytes);
    const bailey_status status = from && at && out
                                     ? call.increments(step->motion, &step->source, at,
                                                       f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                                                       from, intervals, step->paths, out)
                                     : BAILEY_ERROR_MEMORY;
    call.destroy(from);
    call.destroy(at);
    call.destroy(out);
    return status;
}

static int is_taken(const struct frame *frame)
{
    struct stream asked = {.size = sizeof asked, .running = frame->running};
    if (frame->stage != EXECUTE || (frame->extensions && frame->extensions->kind == METADATA)) return 0;
    if (frame->operands.count != 2 || frame->results.count != 1 || frame->api->stream_get(&asked)) return 0;
    pthread_mutex_lock(&mutex);
    const struct step *step = find(frame, asked.stream);
    const int taken = step && take(step, frame) == BAILEY_OK;
    pthread_mutex_unlock(&mutex);
    return taken;
}

/* What XLA calls. */
BAILEY_API void *bailey_xla_answer(struct frame *frame)
{
    return is_taken(frame) ? NULL : call.python(frame);
}
