/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes what the library is compiled with of its built-ins, from the files that have their code:
 *   builtins DIR PAYOFF ... --levels LEVELS.c ... --models MODEL.c ... --products PRODUCT.c ...
 * A payoff is a file, or NAME=PRODUCT/MODEL[/STEPS]: a product under a model, with this usual number of steps, as
 * the library composes them. payoff_list.h, levels_list.h, model_list.h and product_list.h name them, in the
 * order of their names; prebuilt_f32.h and prebuilt_f64.h are the payoffs for any number of dimensions and
 * steps, where their code can be printed so. A copy of each file has the schemes that it includes. The build
 * runs it first, with the front end alone. A file stays as it is if nothing in it would change.
 */
#include <base/alloc.h>
#include <base/status.h>
#include <base/text.h>
#include <host/payoff/check.h>
#include <host/payoff/comments.h>
#include <host/payoff/compose.h>
#include <host/payoff/language.h>
#include <host/payoff/payoff.h>
#include <kernels/prebuilt_sizes.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* There are no built-ins yet, as this makes the list of them. */
const char *bly_payoff_builtin_code(const char *name)
{
    (void)name;
    return NULL;
}

struct builtin {
    const char *path; /* or how it is composed */
    char stem[100];   /* the file's name without .c */
    char *code;
    char name[64];
    bailey_path_needs needs;
    char *printed[2]; /* in f32 and f64; NULL: it has no row */
};

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

/* If it says x[0], x[1], ... alone, or has always as many; else 0. */
static unsigned shown(const struct builtin *b, const struct bly_unit *unit)
{
    const uint32_t fixed = bly_fixed_dims(&b->needs);
    struct look l = {0};
    if (fixed) return fixed + bly_own_dims(&b->needs, fixed);
    if (!unit->step) return 0;
    l.x = unit->step->parameters;
    for (int i = 0; i < 4; i++) l.x = l.x->next;
    for (const struct bly_function *f = unit->functions; f; f = f->next) look_at_all(&l, f->body);
    return l.any ? 0 : l.most;
}

/* ---- Whether it can be printed for any size ------------------------------------------------------ */

static void find_size(void *found, struct bly_expression *e)
{
    if (e->kind == BLY_SIZE) *(int *)found = 1;
}

/* DIMS and STEPS are arguments of the known functions alone. */
static int passes_sizes(const struct bly_unit *unit)
{
    int found = 0;
    const struct bly_visitor visitor = {.expression = find_size, .of = &found};
    for (const struct bly_function *f = unit->functions; f; f = f->next)
        if (f != unit->start && f != unit->step && f != unit->finish && f != unit->whole)
            bly_visit_all(f->body, &visitor);
    return found;
}

/* Whether two texts differ in nothing but numbers within [ ], which are sizes of arrays. */
static int is_alike(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        if (*a != *b) return 0;
        if (*a != '[') continue;
        while (a[1] >= '0' && a[1] <= '9') a++;
        while (b[1] >= '0' && b[1] <= '9') b++;
    }
    return *a == *b;
}

/* ---- A payoff ------------------------------------------------------------------------------------ */

static bailey_status read_payoff(const struct builtin *b, bailey_precision precision, uint32_t less,
                                 struct bly_unit *unit, struct bly_payoff *payoff)
{
    const uint32_t fixed = bly_fixed_dims(&b->needs);
    char prefix[128];
    snprintf(prefix, sizeof prefix, "bly_own_%s_%s_", b->stem, precision ? "f64" : "f32");
    *unit = (struct bly_unit){.kind = BLY_UNIT_PAYOFF,
                              .precision = precision,
                              .dims = fixed ? fixed : BLY_PREBUILT_DIMS - less,
                              .own = bly_own_dims(&b->needs, fixed),
                              .steps = BLY_PREBUILT_STEPS - less,
                              .argument = "payoff",
                              .code = b->code,
                              .length = strlen(b->code)};
    bly_unit_name(unit, b->path);
    const bailey_status status = bly_unit_read(unit);
    return status == BAILEY_OK
               ? bly_payoff_take(unit, &(struct bly_printing){.prefix = prefix, .symbolic_sizes = !fixed},
                                 payoff)
               : status;
}

/* Not where the sizes decide what is printed, and not where it may fail as it runs: the rows tell no faults.
 */
static int serves_any_size(const struct builtin *b, const struct bly_unit *unit,
                           const struct bly_payoff *payoff)
{
    struct bly_unit other;
    struct bly_payoff less = {0};
    const bailey_status status = read_payoff(b, unit->precision, 1, &other, &less);
    const int serves = status == BAILEY_OK && !payoff->site_count &&
                       (bly_fixed_dims(&b->needs) || !passes_sizes(unit)) && is_alike(payoff->text, less.text);
    bly_payoff_free(&less);
    bly_unit_free(&other);
    return serves;
}

static int print_payoff(struct builtin *b, bailey_precision precision)
{
    static const char *const reals[] = {"f32", "f64"};
    const char *real = reals[precision];
    struct bly_unit unit;
    struct bly_payoff payoff = {0};
    struct bly_text structures = {0}, text = {0};
    const bailey_status status = read_payoff(b, precision, 0, &unit, &payoff);
    if (status == BAILEY_OK && serves_any_size(b, &unit, &payoff)) {
        bly_payoff_structures(&payoff, &structures);
        bly_text_add(
            &text,
            "\n/* %s.c */\n\n#define BLY_OF(name) bly_prebuilt_%s_%s_##name\n#define BLY_OUTPUTS %u\n"
            "#define BLY_WHOLE %d\n#define BLY_SHOWN %u\n%s%s#include \"kernels/prebuilt_item.h\"\n",
            b->stem, b->stem, real, payoff.outputs, payoff.whole, shown(b, &unit), structures.data, payoff.text);
    }
    if (status != BAILEY_OK) fprintf(stderr, "%s\n", bailey_error_message());
    const int failed = status != BAILEY_OK || structures.failed || text.failed;
    b->printed[precision] = text.data;
    bly_payoff_free(&payoff);
    bly_unit_free(&unit);
    bly_free(structures.data);
    return failed;
}

/* ---- The files of the code ----------------------------------------------------------------------- */

static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return 1;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *code = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        code = size >= 0 ? bly_alloc((size_t)size + 1, 1) : NULL;
        if (code && fread(code, 1, (size_t)size, file) != (size_t)size) code[0] = 0;
    }
    if (file) fclose(file);
    return code;
}

/* Puts schemes that several files share where these have lines #include "host/simulate/schemes/...". */
static char *with_schemes(char *code)
{
    static const char begin[] = "#include \"";
    for (char *line = code; line && (line = strstr(line, begin));) {
        char path[512];
        const char *from = line + strlen(begin);
        const size_t length = strcspn(from, "\"\n"), before = (size_t)(line - code);
        snprintf(path, sizeof path, "src/%.*s", (int)length, from);
        const char *rest = from + length + (from[length] == '"');
        char *scheme = read_file(path);
        if (!scheme) return code; /* which the front end refuses */
        struct bly_text text = {0};
        bly_text_add(&text, "%.*s%s%s", (int)before, code, scheme, rest);
        line = text.data ? text.data + before : NULL; /* schemes include schemes */
        bly_free(scheme);
        bly_free(code);
        code = text.data;
    }
    return code;
}

static int set_stem(struct builtin *b)
{
    const char *slash = strrchr(b->path, '/'), *from = slash ? slash + 1 : b->path, *dot = strchr(from, '.');
    const size_t length = dot ? (size_t)(dot - from) : strlen(from);
    snprintf(b->stem, sizeof b->stem, "%.*s", (int)length, from);
    if (length < sizeof b->stem && length == strspn(from, "abcdefghijklmnopqrstuvwxyz0123456789_")) return 0;
    return refuse(b->path, "names of files are computed from small letters, digits and _");
}

/* ---- Compositions -------------------------------------------------------------------------------- */

static const struct builtin *models;
static size_t model_count;

static const char *find_model(const char *name)
{
    for (size_t i = 0; i < model_count; i++)
        if (strcmp(models[i].name, name) == 0) return models[i].code;
    return NULL;
}

/* NAME=PRODUCT/MODEL[/STEPS] becomes the code of a payoff. */
static int compose(struct builtin *b, const struct builtin *products, size_t product_count)
{
    char product[64] = "", model[64] = "";
    unsigned steps = 0;
    struct bly_composed composed = {0};
    if (sscanf(b->path, "%63[^=]=%63[^/]/%63[^/]/%u", b->name, product, model, &steps) < 3)
        return refuse(b->path, "write NAME=PRODUCT/MODEL");
    struct bly_composition c = {.product.name = product, .model_name = model, .find = find_model,
                                .called = b->name, .dates = steps, .layers = {{find_model(model), model}},
                                .layer_count = 1};
    for (size_t i = 0; i < product_count; i++)
        if (strcmp(products[i].name, product) == 0) c.product.code = products[i].code;
    if (!c.product.code || !c.layers[0].code) return refuse(b->path, "there is no such product or model");
    if (bly_compose(&c, &composed) != BAILEY_OK) return refuse(b->path, bailey_error_message());
    b->code = composed.text.data;
    snprintf(b->stem, sizeof b->stem, "composed_%s", b->name);
    for (char *s = b->stem; *s; s++)
        if (*s == '-') *s = '_';
    return 0;
}

/* ---- All of them --------------------------------------------------------------------------------- */

/* The kind of a file, and the list that names all of them. */
enum kind { PAYOFFS, LEVELS, MODELS, PRODUCTS, KINDS };
static const struct {
    const char *option, *header, *macro, *what;
} kinds[KINDS] = {
    {"", "payoff_list.h", "BLY_PAYOFF_LIST", ""},
    {"--levels", "levels_list.h", "BLY_LEVELS_LIST",
     "The built-in level functions of multilevel Monte Carlo: X(name, file)."},
    {"--models", "model_list.h", "BLY_MODEL_LIST", "The built-in models: X(name, file)."},
    {"--products", "product_list.h", "BLY_PRODUCT_LIST", "The built-in products: X(name, file)."},
};

/* A composition has its code. */
static int read_builtin(struct builtin *b, enum kind kind)
{
    static const bailey_payoff_kind expected[KINDS] = {
        [MODELS] = BAILEY_PAYOFF_KIND_MODEL, [PRODUCTS] = BAILEY_PAYOFF_KIND_PRODUCT};
    struct bly_description *d = NULL;
    if (!b->code) b->code = with_schemes(read_file(b->path));
    if (!b->code) return refuse(b->path, strerror(errno));
    if (!*b->stem && set_stem(b)) return 1;
    if (bly_describe_code(kind == LEVELS, b->code, b->path, NULL, &d) != BAILEY_OK)
        return refuse(b->path, bailey_error_message());
    const int has_name = strcmp(d->d.name, b->path) != 0, fits = d->d.kind == expected[kind];
    snprintf(b->name, sizeof b->name, "%s", d->d.name);
    b->needs = d->d.path;
    bly_description_free(d);
    if (!has_name) return refuse(b->path, "its head comment needs a line such as name: european");
    if (!fits) return refuse(b->path, "its head comment has the wrong kind: line");
    if (kind != PAYOFFS || b->needs.kind == BAILEY_PATH_KIND_MOTION) return 0;
    return print_payoff(b, BAILEY_PRECISION_F32) || print_payoff(b, BAILEY_PRECISION_F64);
}

/* Compositions last, as they need the others. */
static int read_all(struct builtin *all, const size_t count[KINDS])
{
    const size_t total = count[PAYOFFS] + count[LEVELS] + count[MODELS] + count[PRODUCTS];
    int failed = 0;
    for (size_t b = 0; b < total && !failed; b++) {
        const size_t levels = count[PAYOFFS] + count[LEVELS];
        if (b >= count[PAYOFFS] || !strchr(all[b].path, '='))
            failed = read_builtin(&all[b], b < count[PAYOFFS] ? PAYOFFS : b < levels ? LEVELS
                                           : b < levels + count[MODELS] ? MODELS : PRODUCTS);
    }
    models = all + count[PAYOFFS] + count[LEVELS];
    model_count = count[MODELS];
    for (size_t b = 0; b < count[PAYOFFS] && !failed; b++)
        if (!all[b].code)
            failed = compose(&all[b], models + model_count, count[PRODUCTS]) || read_builtin(&all[b], PAYOFFS);
    return failed;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct builtin *)a)->name, ((const struct builtin *)b)->name);
}

/* In the order of their names, each of which only one may have. */
static int sort(struct builtin *all, size_t count)
{
    qsort(all, count, sizeof *all, compare);
    for (size_t i = 1; i < count; i++)
        if (strcmp(all[i].name, all[i - 1].name) == 0)
            return refuse(all[i].path, "another file has this name");
    return 0;
}

/* ---- Output -------------------------------------------------------------------------------------- */

/* Takes the text. */
static int write_file(const char *folder, const char *name, struct bly_text *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *before = read_file(path);
    int failed = text->failed;
    if (!failed && (!before || strcmp(before, text->data) != 0)) {
        FILE *file = fopen(path, "wb");
        failed = !file || fwrite(text->data, 1, text->used, file) != text->used;
        failed |= file && fclose(file) != 0;
        if (failed) refuse(path, strerror(errno));
    }
    bly_free(before);
    bly_free(text->data);
    return failed;
}

#define FOREWORD                                                                                             \
    "/* SPDX-License-Identifier: BSD-3-Clause\n * Copyright (c) the bailey authors\n *\n * %s Written by "   \
    "tools/builtins.c; not for editing.\n */\n/* clang-format off */\n"

static void list(struct bly_text *text, const char *macro, const struct builtin *all, size_t count, int kind)
{
    bly_text_add(text, "\n#define %s(X)", macro);
    for (size_t i = 0; i < count; i++)
        if (kind < 0 || kind == (all[i].printed[0] != NULL))
            bly_text_add(text, " \\\n    X(\"%s\", %s)", all[i].name, all[i].stem);
    bly_text_add(text, "\n");
}

static int write_payoff_list(const char *folder, const struct builtin *all, size_t count)
{
    struct bly_text text = {0};
    bly_text_add(
        &text, FOREWORD "#ifndef BLY_PAYOFF_LIST_H\n#define BLY_PAYOFF_LIST_H\n",
        "The built-in payoffs: X(name, file). A row of the table of kernels is chosen by a place here.");
    list(&text, "BLY_PAYOFF_LIST", all, count, 1);
    bly_text_add(&text,
                 "\n/* Those that have no row: a device's compiler makes them when they are asked for. */\n");
    list(&text, "BLY_ROWLESS_PAYOFF_LIST", all, count, 0);
    bly_text_add(&text, "\n#endif\n");
    return write_file(folder, "payoff_list.h", &text);
}

static int write_list(const char *folder, enum kind kind, const struct builtin *all, size_t count)
{
    struct bly_text text = {0};
    bly_text_add(&text, FOREWORD "#ifndef %s_H\n#define %s_H\n", kinds[kind].what, kinds[kind].macro,
                 kinds[kind].macro);
    list(&text, kinds[kind].macro, all, count, -1);
    bly_text_add(&text, "\n#endif\n");
    return write_file(folder, kinds[kind].header, &text);
}

static int write_prebuilt(const char *folder, const struct builtin *all, size_t count,
                          bailey_precision precision)
{
    static const char *const scalars[] = {"float", "double"};
    char name[32], what[100];
    struct bly_text text = {0};
    const int bits = precision ? 64 : 32;
    snprintf(name, sizeof name, "prebuilt_f%d.h", bits);
    snprintf(what, sizeof what, "The built-in payoffs in f%d, for any number of dimensions and steps.", bits);
    bly_text_add(&text,
                 FOREWORD
                 "#ifndef BLY_PREBUILT_F%d_H\n#define BLY_PREBUILT_F%d_H\n\n#define BLY_REAL f%d\n"
                 "#define BLY_SCALAR %s\n#define BLY_REAL_BYTES %d\n#include \"kernels/prebuilt_head.h\"\n",
                 what, bits, bits, bits, scalars[precision], bits / 8);
    for (size_t i = 0; i < count; i++)
        if (all[i].printed[precision]) bly_text_add(&text, "%s", all[i].printed[precision]);
    bly_text_add(&text, "\n#endif\n");
    return write_file(folder, name, &text);
}

/* The code that the library has, with its schemes. */
static int write_codes(const char *folder, const struct builtin *all, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++) {
        char name[128];
        struct bly_text text = {0};
        snprintf(name, sizeof name, "%s.c", all[i].stem);
        bly_text_add(&text, "%s", all[i].code);
        failed = write_file(folder, name, &text);
    }
    return failed;
}

static int write_all(const char *folder, struct builtin *all, const size_t count[KINDS])
{
    struct builtin *first = all;
    int failed = 0;
    for (int kind = 0; kind < KINDS && !failed; first += count[kind++])
        failed = write_codes(folder, first, count[kind]) || sort(first, count[kind]) || (kind ? write_list(folder, (enum kind)kind, first, count[kind])
                                                   : write_payoff_list(folder, first, count[kind]));
    return failed || write_prebuilt(folder, all, count[PAYOFFS], BAILEY_PRECISION_F32) ||
           write_prebuilt(folder, all, count[PAYOFFS], BAILEY_PRECISION_F64);
}

int main(int argc, char **argv)
{
    struct builtin *all = bly_alloc((size_t)argc + 1, sizeof *all);
    size_t count[KINDS] = {0}, total = 0;
    int kind = PAYOFFS, failed = argc < 2 || !all;
    if (failed)
        fprintf(stderr, "usage: builtins DIR PAYOFF ... --levels LEVELS.c ... --models MODEL.c ... "
                        "--products PRODUCT.c ...\n");
    for (int i = 2; i < argc && !failed; i++) {
        if (kind + 1 < KINDS && strcmp(argv[i], kinds[kind + 1].option) == 0) {
            kind++;
            continue;
        }
        count[kind]++;
        all[total++].path = argv[i];
    }
    failed = failed || read_all(all, count) || write_all(argv[1], all, count);
    for (size_t b = 0; b < total; b++) {
        bly_free(all[b].code);
        bly_free(all[b].printed[0]);
        bly_free(all[b].printed[1]);
    }
    bly_free(all);
    return failed;
}
