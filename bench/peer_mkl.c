/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * MKL's random numbers (oneMKL C reference, "Random Number Generators"), through its single library
 * libmkl_rt; what of its interface is used is declared here.
 */
#include "bench_peers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* VSL_BRNG_...: numbers in steps of 2^20. */
static const struct {
    const char *name;
    int brng;
} generators[] = {{"philox", 16 << 20}, {"mt19937", 8 << 20}, {"sfmt19937", 13 << 20}};

/* VSL_RNG_METHOD_GAUSSIAN_... */
static const struct {
    const char *name;
    int method;
} methods[] = {{"icdf", 2}, {"box-muller", 1}};

enum { INTERFACE_LP64 = 0, THREADING_SEQUENTIAL = 1, NO_ERROR = 0 };

/* Numbers per call: MKL works in chunks of some thousand, which stay in the caches. */
#define CHUNK 8192

struct mkl {
    void *library;
    int (*interface_layer)(int layer);
    int (*threading_layer)(int layer);
    void (*version_text)(char *text, int size);
    int (*stream_new)(void **stream, int brng, unsigned seed);
    int (*stream_delete)(void **stream);
    int (*normals_f32)(int method, void *stream, int count, float *out, float mean, float deviation);
    int (*normals_f64)(int method, void *stream, int count, double *out, double mean, double deviation);
    void **stream; /* one per thread */
    unsigned threads;
    char version[24];
};

/* "Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build ..." is 2026.2. */
static void find_version(struct mkl *mkl)
{
    char text[200] = "";
    mkl->version_text(text, sizeof text - 1);
    const char *number = strstr(text, "Version ");
    if (number) number += strlen("Version ");
    snprintf(mkl->version, sizeof mkl->version, "%.*s", number ? (int)strcspn(number, "- ") : 0,
             number ? number : "");
}

static void delete_streams(struct mkl *mkl)
{
    for (unsigned i = 0; i < mkl->threads; i++) {
        if (mkl->stream[i]) mkl->stream_delete(&mkl->stream[i]);
    }
    free(mkl->stream);
    mkl->stream = NULL;
    mkl->threads = 0;
}

static int open_library(struct mkl *mkl, char *why, size_t why_size)
{
#define SLOT(name, member)                                                                                   \
    {                                                                                                        \
#name, (void **)&mkl->member                                                                         \
    }
    const struct dynamic_symbol symbols[] = {
        SLOT(MKL_Set_Interface_Layer, interface_layer),
        SLOT(MKL_Set_Threading_Layer, threading_layer),
        SLOT(MKL_Get_Version_String, version_text),
        SLOT(vslNewStream, stream_new),
        SLOT(vslDeleteStream, stream_delete),
        SLOT(vsRngGaussian, normals_f32),
        SLOT(vdRngGaussian, normals_f64),
    };
#undef SLOT
    static const char *const names[] = {"libmkl_rt.so.2", "libmkl_rt.so.3",
                                        "/opt/intel/oneapi/mkl/latest/lib/libmkl_rt.so", "libmkl_rt.so",
                                        NULL};
    mkl->library = dynamic_open(names, symbols, COUNT(symbols), why, why_size);
    return mkl->library != NULL;
}

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    struct mkl *mkl = calloc(1, sizeof *mkl);
    (void)bench;
    if (!mkl) snprintf(why, why_size, "not enough memory");
    if (!mkl || !open_library(mkl, why, why_size)) {
        free(mkl);
        return NULL;
    }
    /* before any other call: ints of 32 bits, and no OpenMP, of which there may be none */
    mkl->interface_layer(INTERFACE_LP64);
    mkl->threading_layer(THREADING_SEQUENTIAL);
    find_version(mkl);
    return mkl;
}

static void unload(void *loaded)
{
    delete_streams(loaded);
    /* the library stays open: it has opened others, and keeps memory per thread */
    free(loaded);
}

/* Each generator with each method. */
static const char *setting(const struct bench_case *wanted, unsigned number)
{
    static char name[32];
    (void)wanted;
    if (number >= COUNT(generators) * COUNT(methods)) return NULL;
    snprintf(name, sizeof name, "%s %s", generators[number / COUNT(methods)].name,
             methods[number % COUNT(methods)].name);
    return name;
}

static int make_streams(struct mkl *mkl, int brng, unsigned threads)
{
    delete_streams(mkl);
    mkl->stream = calloc(threads, sizeof *mkl->stream);
    if (!mkl->stream) return 0;
    mkl->threads = threads;
    for (unsigned i = 0; i < threads; i++) {
        if (mkl->stream_new(&mkl->stream[i], brng, i + 1) != NO_ERROR) return 0;
    }
    return 1;
}

static int begin(struct bench_entry *e)
{
    struct mkl *mkl = e->loaded;
    snprintf(e->note, sizeof e->note, "MKL %s", mkl->version);
    if (make_streams(mkl, generators[e->setting / COUNT(methods)].brng, bench_host_threads(e->wanted->host)))
        return 1;
    snprintf(e->why, sizeof e->why, "vslNewStream: no such generator, or no memory");
    return 0;
}

struct job {
    const struct bench_entry *entry;
    atomic_int failed;
};

static void part(void *user, unsigned index, unsigned threads)
{
    struct job *job = user;
    const struct bench_case *c = job->entry->wanted;
    const struct mkl *mkl = job->entry->loaded;
    const int method = methods[job->entry->setting % COUNT(methods)].method;
    uint64_t at, end;
    int status = NO_ERROR;
    plain_part(c->count, index, threads, &at, &end);
    for (int chunk; at < end && status == NO_ERROR; at += (unsigned)chunk) {
        chunk = end - at < CHUNK ? (int)(end - at) : CHUNK;
        status =
            c->element == sizeof(double)
                ? mkl->normals_f64(method, mkl->stream[index], chunk, (double *)c->out->memory + at, 0, 1)
                : mkl->normals_f32(method, mkl->stream[index], chunk, (float *)c->out->memory + at, 0, 1);
    }
    if (status != NO_ERROR) job->failed = 1;
}

static bailey_status run(void *entry)
{
    struct bench_entry *e = entry;
    struct job job = {.entry = e};
    bench_host_run(e->wanted->host, part, &job);
    if (!job.failed) return BAILEY_OK;
    snprintf(e->why, sizeof e->why, "MKL reported an error");
    return BAILEY_ERROR_DRIVER;
}

const struct bench_peer bench_peer_mkl = {
    .name = "mkl",
    .subjects = BENCH_DOES(NORMALS),
    .place = BENCH_BESIDE_PROCESSORS,
    .load = load,
    .unload = unload,
    .setting = setting,
    .begin = begin,
    .run = run,
};
