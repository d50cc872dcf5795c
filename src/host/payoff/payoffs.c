/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs: the code in host/simulate/payoffs, which the build embeds and tools/builtins.c lists.
 */
#include "descriptions.h"
#include "models.h"
#include "payoff.h"

#include <base/status.h>
#include <host/describe/records.h>
#include <kernels/payoff_list.h>

#include <string.h>

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
BLY_PAYOFF_LIST(DECLARE)
BLY_ROWLESS_PAYOFF_LIST(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct bly_payoff_row payoffs[] = {BLY_PAYOFF_LIST(ROW) BLY_ROWLESS_PAYOFF_LIST(ROW)};

#define COUNT (sizeof payoffs / sizeof payoffs[0])

const struct bly_payoff_row *bly_payoff_row_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(payoffs[i].name, name) == 0) return &payoffs[i];
    return NULL;
}

const char *bly_payoff_builtin_code(const char *name)
{
    const struct bly_payoff_row *builtin = bly_payoff_row_find(name);
    return builtin ? (const char *)builtin->text : NULL;
}

const char *bailey_payoff_name(size_t index) { return index < COUNT ? payoffs[index].name : NULL; }

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
