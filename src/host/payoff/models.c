/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Models and products: the built-in ones, whose code is in host/simulate/models and host/simulate/products;
 * which model a product gets; and the steps that a path has between the product's dates.
 */
#include "models.h"
#include "compose.h"
#include "payoff.h"

#include <base/alloc.h>
#include <base/status.h>
#include <base/text.h>
#include <host/describe/records.h>
#include <kernels/model_list.h>
#include <kernels/product_list.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
BLY_MODEL_LIST(DECLARE)
BLY_PRODUCT_LIST(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct bly_payoff_row models[] = {BLY_MODEL_LIST(ROW)}, products[] = {BLY_PRODUCT_LIST(ROW)};
#define MODELS (sizeof models / sizeof *models)
#define PRODUCTS (sizeof products / sizeof *products)

static const char *find(const struct bly_payoff_row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return (const char *)rows[i].text;
    return NULL;
}

const char *bly_model_find(const char *name) { return find(models, MODELS, name); }
const char *bly_product_find(const char *name) { return find(products, PRODUCTS, name); }

const char *bailey_model_name(size_t i) { return i < MODELS ? models[i].name : NULL; }
const char *bailey_model_code(size_t i) { return i < MODELS ? (const char *)models[i].text : NULL; }
const char *bailey_product_name(size_t i) { return i < PRODUCTS ? products[i].name : NULL; }
const char *bailey_product_code(size_t i) { return i < PRODUCTS ? (const char *)products[i].text : NULL; }

/* ---- Parts to compose ---------------------------------------------------------------------------- */

/* The parts of a composition. */
struct parts {
    struct bly_composition c;
    struct bly_code_kind product_kind;
    char *names; /* of the layers, each ended by 0 */
};

static void add_names(char *text, size_t size, const struct bly_payoff_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? ", " : "", rows[i].name);
    }
}

static bailey_status no_model(const char *name)
{
    char names[1000] = "";
    add_names(names, sizeof names, models, MODELS);
    return bly_fail_argument("model_name", "model \"%s\" is not a built-in; models are %s", name, names);
}

static bailey_status no_product(const char *name)
{
    char names[1000] = "";
    if (bly_payoff_builtin_code(name))
        return bly_name_argument(
            bly_fail(BAILEY_ERROR_INVALID, "%s is a whole payoff, which has its model in it", name),
            "model_name");
    add_names(names, sizeof names, products, PRODUCTS);
    return bly_fail_argument("payoff", "product \"%s\" is not a built-in; products are %s", name, names);
}

/* One of the names: of a built-in, or of the code that is given. */
static bailey_status find_layer(const bailey_payoff *payoff, struct parts *p, const char *name, int *used)
{
    struct bly_composition *c = &p->c;
    const char *code = bly_model_find(name);
    if (!code && payoff->model_code && !*used) {
        code = payoff->model_code;
        *used = 1;
    }
    if (!code) return no_model(name);
    if (c->layer_count == BLY_MOST_LAYERS)
        return bly_fail_argument("model_name", "the model %s has more than %u layers", c->model_name,
                                 BLY_MOST_LAYERS);
    c->layers[c->layer_count++] = (struct bly_layer){code, name};
    return BAILEY_OK;
}

/* heston+curve: the given code, if any, belongs to the name that is not a built-in's. */
static bailey_status find_layers(const bailey_payoff *payoff, struct parts *p)
{
    struct bly_composition *c = &p->c;
    int used = 0;
    bailey_status status = BAILEY_OK;
    p->names = bly_alloc(strlen(c->model_name) + 1, 1);
    if (!p->names) return bly_fail(BAILEY_ERROR_MEMORY, "no memory for the name of a model");
    strcpy(p->names, c->model_name);
    for (char *name = p->names; name && status == BAILEY_OK;) {
        char *plus = strchr(name, '+');
        if (plus) *plus = 0;
        status = find_layer(payoff, p, name, &used);
        name = plus ? plus + 1 : NULL;
    }
    if (status == BAILEY_OK && payoff->model_code && !used)
        return bly_fail_argument("model_name", "model_code is given, but all of %s are built-ins",
                                 c->model_name);
    return status;
}

static bailey_status find_model(const bailey_payoff *payoff, struct parts *p)
{
    struct bly_composition *c = &p->c;
    const char *name = payoff->model_name;
    c->find = bly_model_find;
    c->model_name = name ? name : payoff->model_code ? "model.c" : p->product_kind.model;
    if (!*c->model_name)
        return bly_fail_argument("model_name", "%s is a product, and needs the name of a model",
                                 c->product.name);
    if (!payoff->model_code || (name && strchr(name, '+'))) return find_layers(payoff, p);
    c->layers[c->layer_count++] = (struct bly_layer){payoff->model_code, c->model_name};
    return BAILEY_OK;
}

/* The product's code stays NULL where the payoff is not a product. */
static bailey_status find_product(const bailey_payoff *payoff, struct parts *p)
{
    const bool asked = payoff->model_code || payoff->model_name;
    bailey_path_needs needs;
    p->c.product.name = payoff->name ? payoff->name : "product.c";
    p->c.product.code = payoff->code;
    if (payoff->code && !asked && !strstr(payoff->code, "kind")) p->c.product.code = NULL;
    if (!payoff->code && payoff->name && (asked || !bly_payoff_builtin_code(payoff->name)))
        p->c.product.code = bly_product_find(payoff->name);
    if (!payoff->code && payoff->name && !p->c.product.code && asked) return no_product(payoff->name);
    if (!p->c.product.code) return BAILEY_OK;
    const bailey_status status =
        bly_kind_of_code(p->c.product.code, p->c.product.name, &needs, &p->product_kind);
    if (status != BAILEY_OK) return status;
    if (p->product_kind.kind == BAILEY_PAYOFF_KIND_MODEL)
        return bly_fail_argument("payoff", "%s is a model; name it as the model of a product",
                                 p->c.product.name);
    if (p->product_kind.kind == BAILEY_PAYOFF_KIND_PAYOFF && asked)
        return bly_fail_argument("model_name",
                                 "%s is a whole payoff, which has its model in it; the head comment of a "
                                 "product has the line kind: product",
                                 p->c.product.name);
    if (p->product_kind.kind == BAILEY_PAYOFF_KIND_PAYOFF) p->c.product.code = NULL;
    return BAILEY_OK;
}

/* ---- Steps between dates ------------------------------------------------------------------------- */

/* Powers of two, so that the path of half of the steps has the dates too. */
static uint64_t substeps_for(double longest, double step)
{
    uint64_t count = 1;
    while (count < BAILEY_BRIDGE_MAX_STEPS && longest > step * (double)count * (1 + 1e-9)) count *= 2;
    return count;
}

static double longest_step(const bailey_bridge_params *path)
{
    double longest = 0;
    for (uint64_t i = 0; path->times && i < path->steps; i++)
        longest = fmax(longest, path->times[i] - (i ? path->times[i - 1] : path->start_time));
    return longest;
}

/* Times are checked where the path is made; those that are wrong stay as they are. */
static bailey_status refine(const bailey_payoff *payoff, const struct parts *p,
                            const struct bly_composed *composed, const bailey_bridge_params *path,
                            struct bly_resolved *r)
{
    uint64_t count = payoff->substeps ? payoff->substeps : 1;
    if (payoff->substeps > 1 && !composed->refined)
        return bly_fail_argument("substeps", "substeps is %u, but the steps of the model %s are exact",
                                 payoff->substeps, p->c.model_name);
    if (!payoff->substeps && composed->step > 0) count = substeps_for(longest_step(path), composed->step);
    if (count == 1 || !path->times || !path->steps || path->steps > BAILEY_BRIDGE_MAX_STEPS) return BAILEY_OK;
    if (count > BAILEY_BRIDGE_MAX_STEPS / path->steps)
        return bly_fail_argument("substeps", "%llu steps with %llu of the model each are more than %llu",
                                 (unsigned long long)path->steps, (unsigned long long)count,
                                 (unsigned long long)BAILEY_BRIDGE_MAX_STEPS);
    if (path->order)
        return bly_fail_argument("order", "order is given, but the model %s has steps between the times",
                                 p->c.model_name);
    r->steps = path->steps * count;
    r->times = bly_alloc(r->steps, sizeof *r->times);
    if (!r->times) return bly_fail(BAILEY_ERROR_MEMORY, "no memory for the times of a path");
    for (uint64_t i = 0; i < path->steps; i++) {
        const double from = i ? path->times[i - 1] : path->start_time, to = path->times[i];
        for (uint64_t k = 0; k + 1 < count; k++)
            r->times[i * count + k] = from + (to - from) * ((double)(k + 1) / (double)count);
        r->times[(i + 1) * count - 1] = to;
    }
    return BAILEY_OK;
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static bailey_status compose_closed_form(struct bly_composition c, struct bly_resolved *r)
{
    struct bly_composed composed = {0};
    c.closed = true;
    const bailey_status status = bly_compose(&c, &composed);
    r->closed = composed.text.data;
    return status;
}

static bailey_status compose(const bailey_payoff *payoff, struct parts *p, const bailey_bridge_params *path,
                             struct bly_resolved *r)
{
    struct bly_composed composed = {0};
    const int sized = path->steps > 0 && path->steps <= BAILEY_BRIDGE_MAX_STEPS;
    p->c.assets = path->dims;
    p->c.dates = sized ? (uint32_t)path->steps : 0;
    p->c.controls = payoff->controls != 0;
    bailey_status status = bly_compose(&p->c, &composed);
    r->code = composed.text.data;
    if (status == BAILEY_OK && composed.has_closed_form) status = compose_closed_form(p->c, r);
    if (status != BAILEY_OK) return status;
    snprintf(r->name, sizeof r->name, "%.120s under %.120s", p->c.product.name, p->c.model_name);
    r->payoff = (bailey_payoff){.code = r->code, .name = r->name, .loop_budget = payoff->loop_budget};
    return refine(payoff, p, &composed, path, r);
}

bailey_status bly_payoff_resolve(const bailey_payoff *payoff, const bailey_bridge_params *path,
                                 struct bly_resolved *r)
{
    struct parts p = {0};
    memset(r, 0, sizeof *r);
    r->payoff = *payoff;
    bailey_status status = find_product(payoff, &p);
    if (status != BAILEY_OK) return status;
    if (!p.c.product.code && payoff->substeps)
        return bly_fail_argument("substeps", "substeps is %u, but the payoff is not a product with a model",
                                 payoff->substeps);
    if (!p.c.product.code) return BAILEY_OK;
    status = find_model(payoff, &p);
    if (status == BAILEY_OK) status = compose(payoff, &p, path, r);
    bly_free(p.names);
    return status;
}

void bly_resolved_free(struct bly_resolved *r)
{
    bly_free(r->code);
    bly_free(r->closed);
    bly_free(r->times);
}

/* ---- Descriptions -------------------------------------------------------------------------------- */

/* Code of a model, or of a product that is to stand alone. */
static bool is_part(const bailey_payoff *payoff)
{
    struct bly_code_kind kind;
    bailey_path_needs needs;
    const bool alone = payoff->model_name && !*payoff->model_name;
    if (!payoff->code || payoff->model_code || (payoff->model_name && !alone)) return false;
    if (!strstr(payoff->code, "kind")) return false;
    if (bly_kind_of_code(payoff->code, payoff->name, &needs, &kind) != BAILEY_OK) return false;
    return kind.kind == BAILEY_PAYOFF_KIND_MODEL ||
           (kind.kind == BAILEY_PAYOFF_KIND_PRODUCT && (alone || !*kind.model));
}

static bailey_status describe_whole(const bailey_payoff *payoff, const bailey_describe_params *params,
                                    struct bly_description **out)
{
    bailey_bridge_params path = {0};
    struct bly_resolved resolved;
    if (params) path.steps = params->steps;
    if (params) path.dims = params->dims;
    bailey_status status = bly_payoff_resolve(payoff, &path, &resolved);
    if (status == BAILEY_OK) {
        const char *name = resolved.payoff.name;
        const char *code = resolved.payoff.code ? resolved.payoff.code : bly_payoff_builtin_code(name);
        status = code ? bly_describe_code(false, code, name, params, out)
                      : bly_fail_argument("payoff", "payoff \"%s\" is not a built-in", name);
    }
    bly_resolved_free(&resolved);
    return status;
}

bailey_status bailey_payoff_describe(const bailey_payoff *payoff, const bailey_describe_params *params,
                                     bailey_description **description)
{
    struct bly_description *out = NULL;
    if (!description) return bly_fail_argument("description", "description is NULL");
    *description = NULL;
    if (BLY_REFUSES(payoff)) return BAILEY_ERROR_INVALID;
    if (!payoff->code && !payoff->name)
        return bly_fail_argument("payoff", "payoff has neither code nor the name of a built-in");
    bailey_status status = params ? bailey_record_check(&bly_record_describe_params, params) : BAILEY_OK;
    if (status != BAILEY_OK) return status;
    status = is_part(payoff) ? bly_describe_code(false, payoff->code, payoff->name, params, &out)
                             : describe_whole(payoff, params, &out);
    if (status == BAILEY_OK) *description = &out->d;
    return status;
}
