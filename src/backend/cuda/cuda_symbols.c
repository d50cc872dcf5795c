/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Opening the driver once per process, and its errors in words.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_symbols.h"

#include <backend/backend.h>
#include <base/dynlib.h>

#include <pthread.h>
#include <stdio.h>

struct bly_cuda_table bly_cuda;

bailey_status bly_cuda_load_driver(char *why, size_t why_size)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static void *library; /* never closed: the driver keeps threads and exit handlers */
    static int initialised;
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const struct bly_symbol symbols[] = {
#define ROW(function) {#function, (void **)&bly_cuda.function, 0},
        BLY_CUDA_SYMBOLS(ROW)
#undef ROW
#define NEWER(function) {#function, (void **)&bly_cuda.function, 1},
            BLY_CUDA_NEWER_SYMBOLS(NEWER)
#undef NEWER
    };
    bailey_status status = BAILEY_OK;
    pthread_mutex_lock(&mutex);
    if (!library)
        status = bly_dynlib_open("BAILEY_CUDA_LIBRARY", names, symbols, sizeof symbols / sizeof *symbols,
                                 &library, why, why_size);
    if (status == BAILEY_OK && !initialised) {
        bly_log(1, "cuda: initialising the driver ...");
        const CUresult error = bly_cuda.cuInit(0);
        char text[BLY_CUDA_WORDS];
        if (error == CUDA_SUCCESS) {
            initialised = 1;
            bly_log(1, "cuda: initialised");
        } else {
            snprintf(why, why_size, "cuInit: %s", bly_cuda_words(error, text));
            status = BAILEY_ERROR_NO_DEVICE;
        }
    }
    pthread_mutex_unlock(&mutex);
    return status;
}

const char *bly_cuda_words(CUresult error, char text[BLY_CUDA_WORDS])
{
    const char *name = NULL, *sentence = NULL;
    if (bly_cuda.cuGetErrorName(error, &name) != CUDA_SUCCESS || !name)
        snprintf(text, BLY_CUDA_WORDS, "CUDA error %d", (int)error);
    else if (bly_cuda.cuGetErrorString(error, &sentence) != CUDA_SUCCESS || !sentence)
        snprintf(text, BLY_CUDA_WORDS, "%s", name);
    else
        snprintf(text, BLY_CUDA_WORDS, "%s (%s)", name, sentence);
    return text;
}

bailey_status bly_cuda_fail(CUresult error, const char *what)
{
    char text[BLY_CUDA_WORDS];
    return bly_fail(error == CUDA_ERROR_OUT_OF_MEMORY ? BAILEY_ERROR_MEMORY : BAILEY_ERROR_DRIVER, "%s: %s",
                    what, bly_cuda_words(error, text));
}

#else

typedef int bly_cuda_symbols_are_empty; /* ISO C wants a declaration in every file */

#endif
