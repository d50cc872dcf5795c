/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An OpenCL driver that ends the process which loads it, as BAILEY_STUB_ICD says: "abort" (the default),
 * "exit", or "crash". Loaders differ in what they ask a driver first, so it does not wait to be asked.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void end(void)
{
    const char *how = getenv("BAILEY_STUB_ICD");
    fprintf(stderr, "stub_icd: no topology, good-bye\n");
    if (how && strcmp(how, "exit") == 0) _Exit(3);
    if (how && strcmp(how, "crash") == 0) raise(SIGSEGV);
    abort();
}
