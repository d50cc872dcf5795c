/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes the built-in payoffs of a precision as the library is compiled with them, from their texts:
 *   prebuilt_payoffs f32 src/kernels/prebuilt_f32.h
 * A test, prebuilt_texts, compares the files of the tree with what this writes.
 */
#include <base/alloc.h>
#include <base/status.h>
#include <base/text.h>
#include <host/simulate/payoff.h>
#include <kernels/paid_items.h>
#include <kernels/payoff_list.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_OF(name, file, ...) #file,
static const char *const files[] = {BLY_PAYOFF_LIST(FILE_OF)};

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    return length;
}

/* Dimensions that a text looks at, if it says x[0], x[1], ... or at(x, i, 0), ...; else 0. */
static unsigned shown(const struct bly_payoff *payoff)
{
    unsigned most = 0;
    if (payoff->whole || strstr(payoff->text, "DIMS")) return 0;
    for (const char *at = payoff->text; (at = strstr(at, "x["));) {
        const int inside = at > payoff->text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        at += 2;
        if (inside || *at == ']') continue;
        char *end;
        const unsigned long index = strtoul(at, &end, 10);
        if (end == at || *end != ']' || index >= BLY_PREBUILT_DIMS) return 0;
        if (index + 1 > most) most = (unsigned)index + 1;
    }
    return most;
}

/* Whether a name of the payoff's own is one that prebuilt_head.h gives its dimensions and steps. */
static int is_interface(const char *name, size_t length)
{
    static const char *const names[] = {"start", "step", "finish", "whole"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return 1;
    return 0;
}

/* The text, without empty lines, with names that no other payoff has and arrays of constant size. */
static void write_text(const char *text, const char *file, const char *real)
{
    int empty = 1; /* so far, the line */
    for (const char *at = text; *at;) {
        if (strncmp(at, "#line", 5) == 0) at += strcspn(at, "\n");
        if (*at == '\n' && empty) {
            at++;
            continue;
        }
        empty = *at == '\n';
        if (strncmp(at, "bly_own_", 8) == 0 && !is_interface(at + 8, word_length(at + 8))) {
            printf("bly_own_%s_%s_", file, real);
            at += 8;
        } else if (strncmp(at, "[STEPS]", 7) == 0 || strncmp(at, "[DIMS]", 6) == 0) {
            printf("[BLY_PREBUILT_%.*s]", at[1] == 'S' ? 5 : 4, at + 1);
            at += at[1] == 'S' ? 7 : 6;
        } else {
            putchar(*at++);
        }
    }
}

static int write_payoff(const char *name, const char *file, bailey_precision precision, const char *real)
{
    struct bly_payoff payoff;
    struct bly_text text = {0};
    const bailey_payoff wanted = {.name = name};
    const struct bly_payoff_path path = {
        .precision = precision, .steps = BLY_PREBUILT_STEPS, .dims = BLY_PREBUILT_DIMS};
    if (bly_payoff_read(&wanted, &path, &payoff) != BAILEY_OK) {
        fprintf(stderr, "prebuilt_payoffs: %s\n", bailey_error_text());
        return 1;
    }
    bly_payoff_structures(&payoff, &text);
    printf("\n/* %s.c */\n\n#define BLY_OF(name) bly_pay_%s_%s_##name\n#define BLY_OUTPUTS %u\n"
           "#define BLY_WHOLE %d\n#define BLY_SHOWN %u\n",
           file, file, real, payoff.outputs, payoff.whole, shown(&payoff));
    write_text(text.data, file, real);
    write_text(payoff.text, file, real);
    printf("#include \"kernels/prebuilt_item.h\"\n");
    bly_payoff_free(&payoff);
    bly_free(text.data);
    return text.failed;
}

int main(int argc, char **argv)
{
    const char *real = argc == 2 || argc == 3 ? argv[1] : "";
    const int f64 = strcmp(real, "f64") == 0;
    if (!f64 && strcmp(real, "f32") != 0) {
        fprintf(stderr, "usage: prebuilt_payoffs f32 | f64 [FILE]\n");
        return 2;
    }
    if (argc == 3 && !freopen(argv[2], "w", stdout)) {
        perror(argv[2]);
        return 1;
    }
    printf("/* SPDX-License-Identifier: BSD-3-Clause\n * Copyright (c) the bailey authors\n *\n"
           " * The built-in payoffs in %s, for any number of dimensions and steps. Written by\n"
           " * tools/prebuilt_payoffs.c from src/host/simulate/payoffs/; not for editing.\n */\n"
           "/* clang-format off */\n"
           "#ifndef BLY_PREBUILT_F%s_H\n#define BLY_PREBUILT_F%s_H\n\n"
           "#define BLY_REAL %s\n#define BLY_SCALAR %s\n#define BLY_REAL_BYTES %d\n#include "
           "\"kernels/prebuilt_head.h\"\n",
           real, real + 1, real + 1, real, f64 ? "double" : "float", f64 ? 8 : 4);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *name = NULL;
        bailey_payoff_builtin(i, &name);
        if (write_payoff(name, files[i], f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32, real)) return 1;
    }
    printf("\n#endif\n");
    return fflush(stdout) || ferror(stdout);
}
