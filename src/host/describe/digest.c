/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Digests of structs. Fields that are left out are listed, and all others count, so that forgetting a field
 * here refuses a checkpoint that would have fitted, but never accepts one that does not.
 */
#include "records.h"

#include "choices.h"

#include <string.h>

/* ---- Fields left out ------------------------------------------------------------------------------- */

/* Fields that do not change what a run comes to, besides outputs, functions and what is handed to these. A
 * field that is not here, a new one above all, makes the run another one. */
static const char *const left_out[] = {
    "normal_params.precision",             /* that of the paths is taken */
    "simulation_params.payoff",            /* its code counts, as it was read: bly_payoff_digest */
    "simulation_params.planned_paths",     /* chooses among programs of the same bits */
    "simulation_run_params.expected",      /* the sums are the same; the mean is taken from them at the end */
    "mlmc_params.estimator",               /* as a payoff */
    "mlmc_run_params.checkpoint",          /* may be moved */
    "mlmc_run_params.checkpoint_seconds"}; /* may be saved more often */

int bly_record_leaves_out(const bailey_record *record, const bailey_field *f)
{
    const size_t length = strlen(record->name);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (!strncmp(left_out[i], record->name, length) && left_out[i][length] == '.' &&
            !strcmp(left_out[i] + length + 1, f->name))
            return 1;
    return f->output || f->type == BAILEY_FIELD_TYPE_BUFFER || f->type == BAILEY_FIELD_TYPE_FUNCTION ||
           f->type == BAILEY_FIELD_TYPE_USER;
}

/* ---- Fields ---------------------------------------------------------------------------------------- */

static void add_word(struct bly_hash *hash, uint64_t word) { bly_hash_add(hash, &word, sizeof word); }

static void add_real(struct bly_hash *hash, double number) { bly_hash_add(hash, &number, sizeof number); }

/* Element i of what lies at `at`; 0 that stands for a number is that number. */
static void add_element(struct bly_hash *hash, const bailey_field *f, const void *at, uint64_t i)
{
    const double zero = f->pointer || f->count ? 0 : f->default_value;
    const uint64_t wide = f->type == BAILEY_FIELD_TYPE_UINT64 ? ((const uint64_t *)at)[i] : 0;
    switch (f->type) {
    case BAILEY_FIELD_TYPE_REAL: {
        const double value = ((const double *)at)[i];
        add_real(hash, value == 0 ? zero : value);
        break;
    }
    case BAILEY_FIELD_TYPE_UINT64: add_word(hash, wide ? wide : (uint64_t)zero); break;
    case BAILEY_FIELD_TYPE_FLAG:
    case BAILEY_FIELD_TYPE_UINT32: {
        const uint32_t value = ((const uint32_t *)at)[i];
        add_word(hash, value ? value : (uint64_t)zero);
        break;
    }
    case BAILEY_FIELD_TYPE_CHOICE: /* its word: the numbers of constants may be others in another version */
        bly_hash_add_text(hash, bly_choice_word(f, ((const int *)at)[i]));
        break;
    case BAILEY_FIELD_TYPE_TEXT: {
        const char *text = ((const char *const *)at)[i];
        bly_hash_add_text(hash, text ? text : "");
        break;
    }
    default: break;
    }
}

static void add_field(struct bly_hash *hash, const bailey_record *record, const void *values,
                      const bailey_field *f, const struct bly_size *sizes)
{
    const void *at = (const unsigned char *)values + f->offset;
    uint64_t count = f->count ? f->count : 1, row;
    int known;
    bly_hash_add_text(hash, f->name);
    if (f->type == BAILEY_FIELD_TYPE_RECORD) {
        const bailey_record *inner = bailey_describe(f->record);
        for (uint64_t i = 0; i < count; i++)
            bly_record_digest(hash, inner, (const unsigned char *)at + i * inner->size, sizes);
        return;
    }
    if (f->pointer) {
        memcpy(&at, at, sizeof at);
        count = at ? bly_record_elements(record, values, f, sizes, &row, &known) : 0;
        add_word(hash, count);
    }
    if (f->type == BAILEY_FIELD_TYPE_CHARS) bly_hash_add_text(hash, at), count = 0;
    for (uint64_t i = 0; i < count; i++) add_element(hash, f, at, i);
}

void bly_record_digest(struct bly_hash *hash, const bailey_record *record, const void *values,
                       const struct bly_size *sizes)
{
    bly_hash_add_text(hash, record->name);
    for (uint32_t i = 0; i < record->field_count; i++)
        if (!bly_record_leaves_out(record, &record->fields[i]))
            add_field(hash, record, values, &record->fields[i], sizes);
}

void bly_record_digest_of(const bailey_record *record, const void *values, uint8_t digest[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    bly_record_digest(&hash, record, values, NULL);
    bly_hash_done(&hash, digest);
}

void bly_source_digest(const bailey_source *source, const bailey_normal_params *normal,
                       uint8_t digest[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    bly_record_digest(&hash, &bly_record_source, source, NULL);
    bly_record_digest(&hash, &bly_record_normal_params, normal, NULL);
    bly_hash_done(&hash, digest);
}
