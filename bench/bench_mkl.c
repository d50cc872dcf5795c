/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * MKL's random numbers (oneMKL C reference, "Random Number Generators"), through its single library
 * libmkl_rt; what of its interface is used is declared here.
 */
#include "bench_plain.h"

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

struct plain_mkl {
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
static void find_version(struct plain_mkl *mkl)
{
    char text[200] = "";
    mkl->version_text(text, sizeof text - 1);
    const char *number = strstr(text, "Version ");
    if (number) number += strlen("Version ");
    snprintf(mkl->version, sizeof mkl->version, "%.*s", number ? (int)strcspn(number, "- ") : 0,
             number ? number : "");
}

static void delete_streams(struct plain_mkl *mkl)
{
    for (unsigned i = 0; i < mkl->threads; i++) {
        if (mkl->stream[i]) mkl->stream_delete(&mkl->stream[i]);
    }
    free(mkl->stream);
    mkl->stream = NULL;
    mkl->threads = 0;
}

static int open_library(struct plain_mkl *mkl, char *why, size_t why_size)
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

struct plain_mkl *plain_mkl_open(char *why, size_t why_size)
{
    struct plain_mkl *mkl = calloc(1, sizeof *mkl);
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

void plain_mkl_close(struct plain_mkl *mkl)
{
    if (!mkl) return;
    delete_streams(mkl);
    /* the library stays open: it has opened others, and keeps memory per thread */
    free(mkl);
}

const char *plain_mkl_version(const struct plain_mkl *mkl) { return mkl->version; }

const char *plain_mkl_generator(unsigned generator)
{
    return generator < COUNT(generators) ? generators[generator].name : NULL;
}

const char *plain_mkl_method(unsigned method)
{
    return method < COUNT(methods) ? methods[method].name : NULL;
}

int plain_mkl_select(struct plain_mkl *mkl, unsigned generator, unsigned threads)
{
    delete_streams(mkl);
    mkl->stream = calloc(threads, sizeof *mkl->stream);
    if (!mkl->stream) return 0;
    mkl->threads = threads;
    for (unsigned i = 0; i < threads; i++) {
        if (mkl->stream_new(&mkl->stream[i], generators[generator].brng, i + 1) != NO_ERROR) return 0;
    }
    return 1;
}

struct mkl_job {
    struct plain_mkl *mkl;
    int method;
    float *singles; /* one of the two */
    double *doubles;
    uint64_t count;
    atomic_int failed;
};

static void mkl_part(void *user, unsigned index, unsigned threads)
{
    struct mkl_job *job = user;
    const struct plain_mkl *mkl = job->mkl;
    uint64_t at, end;
    int status = NO_ERROR;
    plain_part(job->count, index, threads, &at, &end);
    for (int chunk; at < end && status == NO_ERROR; at += (unsigned)chunk) {
        chunk = end - at < CHUNK ? (int)(end - at) : CHUNK;
        status = job->doubles
                     ? mkl->normals_f64(job->method, mkl->stream[index], chunk, job->doubles + at, 0, 1)
                     : mkl->normals_f32(job->method, mkl->stream[index], chunk, job->singles + at, 0, 1);
    }
    if (status != NO_ERROR) job->failed = 1;
}

int plain_mkl_draw(struct plain_mkl *mkl, struct bench_host *host, unsigned method, size_t element, void *out,
                   uint64_t count)
{
    struct mkl_job job = {.mkl = mkl, .method = methods[method].method, .count = count};
    if (element == sizeof(double))
        job.doubles = out;
    else
        job.singles = out;
    bench_host_run(host, mkl_part, &job);
    return !job.failed;
}
