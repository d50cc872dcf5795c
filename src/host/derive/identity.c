/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "identity.h"

#include <math.h>
#include <string.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

/* ---- Modulo 2^61 - 1 ----------------------------------------------------------------------------- */

static uint64_t folded(uint64_t x)
{
    x = (x & PRIME) + (x >> 61);
    return x >= PRIME ? x - PRIME : x;
}

static uint64_t sum(uint64_t a, uint64_t b) { return folded(a + b); }

static uint64_t opposite(uint64_t a) { return a ? PRIME - a : 0; }

/* Times 2^k: a rotation of the 61 bits. */
static uint64_t shifted(uint64_t a, unsigned k)
{
    return folded(((a << k) & PRIME) | (k ? a >> (61 - k) : 0));
}

static uint64_t product(uint64_t a, uint64_t b)
{
    const uint64_t low = a & UINT32_MAX, high = a >> 32, below = b & UINT32_MAX, above = b >> 32;
    const uint64_t middle = sum(folded(high * below), folded(low * above));
    return sum(sum(folded(low * below), shifted(middle, 32)), shifted(folded(high * above), 3));
}

/* a to the power of PRIME - 2 (Fermat). */
static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t rest = PRIME - 2; rest; rest >>= 1) {
        if (rest & 1) result = product(result, a);
        a = product(a, a);
    }
    return result;
}

static uint64_t mixed(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* ---- Residues ------------------------------------------------------------------------------------ */

struct bly_residue bly_residue_of(double x)
{
    if (!isfinite(x)) return (struct bly_residue){.of = folded(mixed(1, x > 0 ? 2 : x < 0 ? 3 : 4))};
    int exponent;
    const int64_t digits = (int64_t)ldexp(frexp(fabs(x), &exponent), 53);
    const int power = ((exponent - 53) % 61 + 61) % 61;
    const uint64_t of = shifted(folded((uint64_t)digits), (unsigned)power);
    return (struct bly_residue){x < 0 ? opposite(of) : of, true, x};
}

struct bly_residue bly_residue_less(struct bly_residue a, struct bly_residue b)
{
    return (struct bly_residue){sum(a.of, opposite(b.of)), a.known && b.known, a.number - b.number};
}

struct bly_residue bly_residue_ratio(struct bly_residue a, struct bly_residue b)
{
    const bool known = a.known && b.known && b.of;
    return (struct bly_residue){b.of ? product(a.of, inverse(b.of)) : 0, known,
                                known ? a.number / b.number : 0};
}

uint64_t bly_residue_size(struct bly_residue r) { return r.of < PRIME - r.of ? r.of : PRIME - r.of; }

static struct bly_residue plus(struct bly_residue a, struct bly_residue b)
{
    return (struct bly_residue){sum(a.of, b.of), a.known && b.known, a.number + b.number};
}

static struct bly_residue times(struct bly_residue a, struct bly_residue b)
{
    if (!a.of || !b.of) return bly_residue_of(0);
    return (struct bly_residue){product(a.of, b.of), a.known && b.known, a.number * b.number};
}

/* A term that is what it is: the same for the same operands. */
static struct bly_residue term(const struct bly_atom *v, const struct bly_residue x[3])
{
    uint64_t hash = mixed(v->kind, v->type->kind);
    hash = mixed(hash, v->operation);
    if (v->library)
        for (const char *c = v->library->name; *c; c++) hash = mixed(hash, (unsigned char)*c);
    hash = mixed(hash, v->number);
    hash = mixed(hash, v->count);
    for (int k = 0; k < 3; k++) hash = mixed(hash, x[k].of);
    return (struct bly_residue){.of = folded(hash)};
}

static bool is_equal(struct bly_residue a, struct bly_residue b) { return a.of == b.of; }

static bool is_number(struct bly_residue r, double x) { return r.of == bly_residue_of(x).of; }

/* Functions at numbers where they are known, and the larger of two that are equal. */
static struct bly_residue call(const struct bly_atom *v, const struct bly_residue x[3])
{
    const char *name = v->library->name;
    const bool larger = strcmp(name, "fmax") == 0;
    if (strcmp(name, "fma") == 0) return plus(times(x[0], x[1]), x[2]);
    if (larger || strcmp(name, "fmin") == 0) {
        if (is_equal(x[0], x[1])) return x[0];
        if (x[0].known && x[1].known) return (x[0].number > x[1].number) == larger ? x[0] : x[1];
        struct bly_residue both = x[0].of < x[1].of ? x[0] : x[1];
        const struct bly_residue in_order[3] = {both, x[0].of < x[1].of ? x[1] : x[0], {0}};
        return term(v, in_order);
    }
    if (strcmp(name, "fabs") == 0 && x[0].known)
        return x[0].number < 0 ? times(x[0], bly_residue_of(-1)) : x[0];
    if (strcmp(name, "sqrt") == 0 && (is_number(x[0], 0) || is_number(x[0], 1))) return x[0];
    if (strcmp(name, "exp") == 0 && is_number(x[0], 0)) return bly_residue_of(1);
    if (strcmp(name, "log") == 0 && is_number(x[0], 1)) return bly_residue_of(0);
    if (strcmp(name, "pow") == 0 && is_number(x[1], 1)) return x[0];
    if (strcmp(name, "pow") == 0 && is_number(x[1], 2)) return times(x[0], x[0]);
    return term(v, x);
}

/* Of numbers only: what is equal where a comparison turns may be on either of its sides. */
static struct bly_residue compare(const struct bly_atom *v, const struct bly_residue x[3])
{
    if (!x[0].known || !x[1].known || is_equal(x[0], x[1])) return term(v, x);
    const double a = x[0].number, b = x[1].number;
    switch (v->operation) {
    case BLY_LESS:
    case BLY_LESS_EQUAL: return bly_residue_of(a < b);
    case BLY_GREATER:
    case BLY_GREATER_EQUAL: return bly_residue_of(a > b);
    case BLY_EQUAL: return bly_residue_of(0);
    default: return bly_residue_of(1);
    }
}

static struct bly_residue operate(const struct bly_atom *v, const struct bly_residue x[3])
{
    const bool real = v->type->kind == BLY_TYPE_REAL;
    if (v->operation == BLY_SELECT && x[0].known) return x[0].number != 0 ? x[1] : x[2];
    if (v->operation == BLY_SELECT && is_equal(x[1], x[2])) return x[1];
    if (v->operation == BLY_CALL) return call(v, x);
    if (bly_is_comparison(v->operation)) return compare(v, x);
    if (v->operation == BLY_NOT && x[0].known) return bly_residue_of(x[0].number == 0);
    if (v->operation == BLY_CONVERT && x[0].known && real) return x[0];
    if (v->operation == BLY_AND || v->operation == BLY_OR) {
        const double decides = v->operation == BLY_OR;
        for (int k = 0; k < 2; k++)
            if (x[k].known && (x[k].number != 0) == (decides != 0)) return bly_residue_of(decides);
        if (x[0].known && x[1].known) return bly_residue_of(!(decides != 0));
        return term(v, x);
    }
    if (!real) return term(v, x);
    switch (v->operation) {
    case BLY_NEGATE: return times(x[0], bly_residue_of(-1));
    case BLY_ADD: return plus(x[0], x[1]);
    case BLY_SUBTRACT: return bly_residue_less(x[0], x[1]);
    case BLY_MULTIPLY: return times(x[0], x[1]);
    case BLY_DIVIDE: return x[1].of ? bly_residue_ratio(x[0], x[1]) : term(v, x);
    default: return term(v, x);
    }
}

struct bly_residue bly_residue_at(const struct bly_atoms *list, uint32_t value,
                                  const struct bly_residue *residues)
{
    const struct bly_atom *v = &list->values[value];
    const struct bly_residue x[3] = {residues[v->a], residues[v->b], residues[v->c]};
    if (v->kind == BLY_ATOM_OPERATION) return operate(v, x);
    if (v->kind != BLY_ATOM_NUMBER) return term(v, x);
    return bly_residue_of(v->type->kind == BLY_TYPE_REAL ? v->real : (double)v->integer);
}

void bly_residues(const struct bly_atoms *list, uint32_t count, struct bly_residue *residues)
{
    residues[0] = bly_residue_of(0);
    for (uint32_t i = 1; i < count; i++) residues[i] = bly_residue_at(list, i, residues);
}
