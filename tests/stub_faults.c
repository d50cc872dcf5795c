/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The table of a stub driver's functions, and their faults.
 */
#include STUB_HEADER
#include "stub_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stub_function stub_functions[] = {
#define ROW(function) {#function, (void (*)(void))function, 0},
    STUB_SYMBOLS(ROW)
#undef ROW
        {NULL, NULL, 0}};

int stub_misuses;
long stub_items;
char stub_options[STUB_TEXT], stub_text[STUB_TEXT];

int stub_fails(const char *function)
{
    struct stub_function *called = stub_functions;
    char name[64];
    int n = 0, error = 0;
    while (called->name && strcmp(called->name, function) != 0) called++;
    if (!called->name) {
        fprintf(stderr, "stub: the library does not load %s\n", function);
        abort();
    }
    called->calls++;
    const char *fail = getenv("STUB_FAIL");
    if (!fail || sscanf(fail, "%63[^:]:%d:%d", name, &n, &error) != 3 || strcmp(name, function) != 0)
        return 0;
    return n == 0 || n == called->calls ? error : 0;
}

int stub_number(const char *variable, int otherwise)
{
    const char *value = getenv(variable);
    return value && *value ? atoi(value) : otherwise;
}

int stub_odd(const char *what)
{
    const char *value = getenv("STUB_DEVICE");
    return value && strcmp(value, what) == 0;
}

void stub_add_options(const char *options)
{
    const size_t used = strlen(stub_options);
    snprintf(stub_options + used, sizeof stub_options - used, "%s\n", options);
}
