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
#include <host/payoff/language.h>
#include <host/simulate/payoff.h>
#include <kernels/payoff_list.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_OF(name, file, ...) #file,
static const char *const files[] = {BLY_PAYOFF_LIST(FILE_OF)};

/* ---- Dimensions that a payoff looks at ----------------------------------------------------------- */

struct look {
    const struct bly_variable *x; /* of step */
    unsigned most;
    int any; /* it cannot be said: DIMS, x[k], or x as an argument */
};

static void look_at(struct look *l, const struct bly_expression *e)
{
    if (!e) return;
    if (e->kind == BLY_INDEX && e->a->kind == BLY_VARIABLE && e->a->variable == l->x &&
        e->b->kind == BLY_NUMBER) {
        if (e->b->integer + 1 > l->most) l->most = (unsigned)e->b->integer + 1;
        return;
    }
    l->any |= (e->kind == BLY_VARIABLE && e->variable == l->x) ||
              (e->kind == BLY_SIZE && strcmp(e->name, "DIMS") == 0);
    look_at(l, e->a);
    look_at(l, e->b);
    look_at(l, e->c);
    for (const struct bly_expression *a = e->arguments; a; a = a->next) look_at(l, a);
}

static void look_at_values(struct look *l, const struct bly_initial *initial)
{
    for (; initial; initial = initial->next) {
        look_at(l, initial->value);
        look_at_values(l, initial->list);
    }
}

static void look_at_all(struct look *l, const struct bly_statement *s)
{
    for (; s; s = s->next) {
        look_at(l, s->condition);
        look_at(l, s->target);
        look_at(l, s->value);
        look_at_values(l, s->initial);
        look_at_all(l, s->first);
        look_at_all(l, s->each);
        look_at_all(l, s->body);
        look_at_all(l, s->otherwise);
    }
}

/* If it says x[0], x[1], ... alone; else 0. */
static unsigned shown(const struct bly_unit *unit)
{
    struct look l = {0};
    if (!unit->step) return 0;
    l.x = unit->step->parameters;
    for (int i = 0; i < 4; i++) l.x = l.x->next;
    for (const struct bly_function *f = unit->functions; f; f = f->next) look_at_all(&l, f->body);
    return l.any ? 0 : l.most;
}

/* ---- A payoff ------------------------------------------------------------------------------------ */

static bailey_status read_unit(struct bly_unit *unit, const char *name, const char *code)
{
    unit->code = code;
    unit->length = strlen(code);
    bly_unit_name(unit, name);
    return bly_unit_read(unit);
}

static int write_payoff(const char *name, const char *code, const char *file, bailey_precision precision,
                        const char *real)
{
    struct bly_unit unit = {.kind = BLY_UNIT_PAYOFF,
                            .precision = precision,
                            .dims = BLY_PREBUILT_DIMS,
                            .steps = BLY_PREBUILT_STEPS,
                            .argument = "payoff"};
    char prefix[128];
    struct bly_payoff payoff = {0};
    struct bly_text text = {0};
    snprintf(prefix, sizeof prefix, "bly_own_%s_%s_", file, real);
    bailey_status status = read_unit(&unit, name, code);
    if (status == BAILEY_OK)
        status =
            bly_payoff_take(&unit, &(struct bly_printing){.prefix = prefix, .symbolic_sizes = true}, &payoff);
    if (status == BAILEY_OK && !payoff.site_count) {
        bly_payoff_structures(&payoff, &text);
        printf("\n/* %s.c */\n\n#define BLY_OF(name) bly_pay_%s_%s_##name\n#define BLY_OUTPUTS %u\n"
               "#define BLY_WHOLE %d\n#define BLY_SHOWN %u\n%s%s#include \"kernels/prebuilt_item.h\"\n",
               file, file, real, payoff.outputs, payoff.whole, shown(&unit), text.data, payoff.text);
    } else {
        fprintf(stderr, "prebuilt_payoffs: %s\n",
                status ? bailey_error_text() : "it has something that may fail");
    }
    const int failed = status != BAILEY_OK || payoff.site_count || text.failed;
    bly_payoff_free(&payoff);
    bly_unit_free(&unit);
    bly_free(text.data);
    return failed;
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
        const char *name = NULL, *code = bailey_payoff_builtin(i, &name);
        if (write_payoff(name, code, files[i], f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32, real))
            return 1;
    }
    printf("\n#endif\n");
    return fflush(stdout) || ferror(stdout);
}
