/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The programs of a simulation or of levels, one for each variant. An object has few, so that a list serves.
 * Programs are found by a digest of their text, so that objects with the same code share them.
 */
#include "variant.h"

#include <base/alloc.h>
#include <host/internal.h>

#include <string.h>

struct bly_variant {
    struct bly_variant *next;
    struct bly_cached *cached;
    size_t size;
    unsigned char what[];
};

struct bly_cached *bly_variants_find(const struct bly_variants *v, const void *variant, size_t size)
{
    for (const struct bly_variant *i = v->first; i; i = i->next)
        if (i->size == size && !memcmp(i->what, variant, size)) return i->cached;
    return NULL;
}

/* For all that the program depends on. */
static void key_of(const struct bly_variants *v, const struct bly_text *text, uint32_t block,
                   uint8_t key[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    bly_hash_add(&hash, v->object, strlen(v->object) + 1);
    bly_hash_add(&hash, &block, sizeof block);
    bly_hash_add(&hash, text->data, text->used);
    bly_hash_done(&hash, key);
}

static bailey_status load(const struct bly_variants *v, const struct bly_code *code,
                          const uint8_t key[BLY_DIGEST_BYTES], struct bly_cached **cached)
{
    *cached = bly_program_find(v->context, key);
    if (*cached) return BAILEY_OK;
    bailey_status status = bly_program_new(v->context, key, 0, cached);
    if (status == BAILEY_OK) status = bly_program_load(v->context, *cached, code);
    if (status != BAILEY_OK && *cached) bly_program_discard(v->context, *cached);
    return status;
}

bailey_status bly_variants_make(struct bly_variants *v, const void *variant, size_t size,
                                struct bly_text *text, struct bly_code code, struct bly_cached **cached)
{
    struct bly_variant *made = bly_alloc(1, sizeof *made + size);
    uint8_t key[BLY_DIGEST_BYTES];
    bailey_status status = BAILEY_OK;
    if (!made || text->failed)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program of %s", v->object);
    if (status == BAILEY_OK) {
        code.text = text->data;
        key_of(v, text, code.kernels->block, key);
        status = load(v, &code, key, &made->cached);
    }
    bly_free(text->data);
    if (status != BAILEY_OK) {
        bly_free(made);
        return status;
    }
    made->size = size;
    memcpy(made->what, variant, size);
    made->next = v->first;
    v->first = made;
    *cached = made->cached;
    return BAILEY_OK;
}

void bly_variants_free(struct bly_variants *v)
{
    while (v->first) {
        struct bly_variant *first = v->first;
        v->first = first->next;
        bly_program_release(v->context, first->cached);
        bly_free(first);
    }
}

bailey_status bly_check_compiler(const bailey_context *context)
{
    struct bly_device *device = context->device;
    if (!device->backend->compiler)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s compiles no programs", device->info.address);
    return device->backend->compiler(device);
}
