/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The proof that a parameter set of the warp generator has the full period.
 *
 * A step s'[i] = s[qa[i]] << za ^ s[qb[i]] >> zb[i], i = 0 ... 31, is a linear map A of GF(2)^1024. The
 * proof that it moves all states but zero in one cycle, of 2^1024 - 1:
 * 1. One bit of one lane over 2048 steps has a linear complexity of 1024 (Berlekamp; Massey 1969). That of
 *    1024 bits of state cannot be larger, and 2048 bits then determine the minimal polynomial f. So f is the
 *    minimal and the characteristic polynomial of A.
 * 2. f is irreducible (Rabin 1980): x^(2^1024) = x modulo f, and x^(2^512) - x has no factor in common with
 *    f; 2 is the only prime that divides the degree. So GF(2)[A] is a field of 2^1024 elements.
 * 3. A has the order 2^1024 - 1: x^((2^1024 - 1) / p) is not 1 modulo f for any prime p that divides that.
 * 4. Those are the factors of the Fermat numbers F_0, ..., F_9, whose product is 2^1024 - 1: F_5 by Euler
 *    (1732), F_6 by Landry (1880), F_7 by Morrison and Brillhart (1970), F_8 by Brent and Pollard (1980),
 *    F_9 by Western (1903) and Lenstra, Lenstra, Manasse and Pollard (1990). The program multiplies them
 *    out, and tests each by Miller and Rabin with the first 40 primes as bases. That does not prove them
 *    prime, but guards what is written here; proofs are published.
 */
#include "warp_proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bailey/device/warp_sets.h>

/* ---- Integers of up to 2048 bits -------------------------------------------------------------- */

static const char *const fermat_factors[FACTORS] = {
    "3",
    "5",
    "17",
    "257",
    "65537",
    "641",
    "6700417",
    "274177",
    "67280421310721",
    "59649589127497217",
    "5704689200685129054721",
    "1238926361552897",
    "93461639715357977769163558199606896584051237541638188580280321",
    "2424833",
    "7455602825647884208337395736200454918783366342657",
    "741640062627530801524787141901937474059940781097519023905821316144415759504705008092818711693940737",
};

static void number_times_small(number *a, uint32_t factor, uint32_t carry)
{
    for (int i = 0; i < LIMBS; i++) {
        const uint64_t t = (uint64_t)a->limb[i] * factor + carry;
        a->limb[i] = (uint32_t)t;
        carry = (uint32_t)(t >> 32);
    }
}

static number number_parse(const char *decimal)
{
    number a = {{0}};
    for (; *decimal; decimal++) number_times_small(&a, 10, (uint32_t)(*decimal - '0'));
    return a;
}

/* These three look at the low `limbs` limbs alone. */
static int number_compare(const number *a, const number *b, int limbs)
{
    for (int i = limbs; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void number_subtract(number *a, const number *b, int limbs)
{
    int64_t borrow = 0;
    for (int i = 0; i < limbs; i++) {
        borrow += (int64_t)a->limb[i] - b->limb[i];
        a->limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

static void number_double(number *a, uint32_t bit, int limbs)
{
    for (int i = 0; i < limbs; i++) {
        const uint32_t top = a->limb[i] >> 31;
        a->limb[i] = a->limb[i] << 1 | bit;
        bit = top;
    }
}

static int number_bit(const number *a, int i) { return a->limb[i / 32] >> i % 32 & 1; }

static int number_bits(const number *a)
{
    int bits = 32 * LIMBS;
    while (bits && !number_bit(a, bits - 1)) bits--;
    return bits;
}

static number number_product(const number *a, const number *b)
{
    number product = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        if (!a->limb[i]) continue;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + product.limb[i + j];
            product.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

/* Long division, bit by bit; returns the remainder. `quotient` may be NULL. */
static number number_divide(const number *a, const number *b, number *quotient)
{
    number rest = {{0}}, result = {{0}};
    const int limbs = number_bits(b) / 32 + 1; /* twice what is below b fits */
    for (int i = number_bits(a); i-- > 0;) {
        number_double(&rest, (uint32_t)number_bit(a, i), limbs);
        const int fits = number_compare(&rest, b, limbs) >= 0;
        if (fits) number_subtract(&rest, b, limbs);
        result.limb[i / 32] |= (uint32_t)fits << i % 32;
    }
    if (quotient) *quotient = result;
    return rest;
}

static number number_times_modulo(const number *a, const number *b, const number *modulus)
{
    const number product = number_product(a, b);
    return number_divide(&product, modulus, NULL);
}

static number all_ones(int bits)
{
    number a = {{0}};
    for (int i = 0; i < bits; i++) a.limb[i / 32] |= UINT32_C(1) << i % 32;
    return a;
}

/* Miller and Rabin with the first `count` primes as bases. */
static int probably_prime(const number *n, int count)
{
    const number one = all_ones(1);
    number minus_one = *n, odd;
    number_subtract(&minus_one, &one, LIMBS);
    int twos = 0;
    while (!number_bit(&minus_one, twos)) twos++;
    number divisor = {{0}};
    divisor.limb[twos / 32] = UINT32_C(1) << twos % 32;
    number_divide(&minus_one, &divisor, &odd);
    for (uint32_t base = 2; count > 0; base++) {
        int prime = 1;
        for (uint32_t d = 2; d * d <= base; d++) prime &= base % d != 0;
        if (!prime) continue;
        count--;
        const number b = {{base}}, reduced = number_divide(&b, n, NULL);
        if (number_bits(&reduced) == 0) continue; /* n is this prime: a composite n is larger */
        number x = one;
        for (int i = number_bits(&odd); i-- > 0;) {
            x = number_times_modulo(&x, &x, n);
            if (number_bit(&odd, i)) x = number_times_modulo(&x, &reduced, n);
        }
        int passes = number_compare(&x, &one, LIMBS) == 0 || number_compare(&x, &minus_one, LIMBS) == 0;
        for (int i = 1; i < twos && !passes; i++) {
            x = number_times_modulo(&x, &x, n);
            passes = number_compare(&x, &minus_one, LIMBS) == 0;
        }
        if (!passes) return 0;
    }
    return 1;
}

int check_factors(number cofactors[FACTORS])
{
    const number all = all_ones(BITS);
    number product = all_ones(1);
    for (size_t i = 0; i < FACTORS; i++) {
        const number p = number_parse(fermat_factors[i]);
        if (!probably_prime(&p, 40)) {
            printf("%s is not prime\n", fermat_factors[i]);
            return 0;
        }
        product = number_product(&product, &p);
        const number rest = number_divide(&all, &p, &cofactors[i]);
        if (number_bits(&rest)) {
            printf("%s does not divide 2^1024 - 1\n", fermat_factors[i]);
            return 0;
        }
    }
    if (number_compare(&product, &all, LIMBS) != 0) {
        printf("the factors do not make up 2^1024 - 1\n");
        return 0;
    }
    return 1;
}

/* ---- Polynomials over GF(2) ------------------------------------------------------------------- */

static void times_x(uint64_t a[WORDS], const uint64_t low[WORDS])
{
    const uint64_t carry = 0 - (a[WORDS - 1] >> 63);
    for (int i = WORDS; i-- > 1;) a[i] = (a[i] << 1 | a[i - 1] >> 63) ^ (low[i] & carry);
    a[0] = (a[0] << 1) ^ (low[0] & carry);
}

void modulus_prepare(struct modulus *m, const uint64_t f[MORE])
{
    uint64_t power[WORDS]; /* x^1024, x^1025, ... */
    memcpy(m->f, f, sizeof m->f);
    memcpy(power, f, sizeof power);
    for (int n = 0; n < 16; n++) {
        memset(m->table[n][0], 0, sizeof m->table[n][0]);
        for (int v = 1; v < 16; v++) {
            if (v & (v - 1)) {
                for (int k = 0; k < WORDS; k++)
                    m->table[n][v][k] = m->table[n][v & (v - 1)][k] ^ m->table[n][v & -v][k];
            } else {
                memcpy(m->table[n][v], power, sizeof power);
                times_x(power, f);
            }
        }
    }
}

static uint64_t spread(uint64_t x)
{
    x &= UINT64_C(0xffffffff);
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

void square(uint64_t a[WORDS], const struct modulus *m)
{
    uint64_t wide[2 * WORDS];
    for (int i = 0; i < WORDS; i++) {
        wide[2 * i] = spread(a[i]);
        wide[2 * i + 1] = spread(a[i] >> 32);
    }
    for (int i = WORDS; i-- > 0;) {
        uint64_t sum[WORDS] = {0};
        for (int n = 0; n < 16; n++) {
            const uint64_t *row = m->table[n][wide[i + WORDS] >> 4 * n & 15];
            for (int k = 0; k < WORDS; k++) sum[k] ^= row[k];
        }
        for (int k = 0; k < WORDS; k++) wide[i + k] ^= sum[k];
    }
    memcpy(a, wide, WORDS * sizeof *a);
}

static int degree(const uint64_t a[MORE])
{
    for (int i = MORE; i-- > 0;)
        if (a[i])
            for (int b = 64; b-- > 0;)
                if (a[i] >> b & 1) return 64 * i + b;
    return -1;
}

int coprime_to_fixed(const uint64_t a[WORDS], const struct modulus *m)
{
    uint64_t r[2][MORE];
    memcpy(r[0], m->f, sizeof r[0]);
    memcpy(r[1], a, WORDS * sizeof *a);
    r[1][WORDS] = 0;
    r[1][0] ^= 2;
    int big = 0, d[2] = {BITS, degree(r[1])};
    while (d[1 - big] > 0) {
        while (d[big] >= d[1 - big]) {
            const int shift = d[big] - d[1 - big], words = shift / 64, bits = shift % 64;
            uint64_t *to = r[big];
            const uint64_t *from = r[1 - big];
            for (int i = MORE; i-- > words;)
                to[i] ^=
                    from[i - words] << bits | (bits && i > words ? from[i - words - 1] >> (64 - bits) : 0);
            d[big] = degree(to);
        }
        big = 1 - big;
    }
    return d[1 - big] == 0; /* otherwise the other one, of degree >= 1, divides both */
}

static int is_power_of_x(const uint64_t a[WORDS], int exponent)
{
    for (int i = 0; i < WORDS; i++)
        if (a[i] != (i == 0 ? UINT64_C(1) << exponent : 0)) return 0;
    return 1;
}

int irreducible(const struct modulus *m)
{
    uint64_t a[WORDS] = {2};
    for (int i = 0; i < BITS / 2; i++) square(a, m);
    if (!coprime_to_fixed(a, m)) return 0;
    for (int i = 0; i < BITS / 2; i++) square(a, m);
    return is_power_of_x(a, 1);
}

size_t factor_against(const struct modulus *m, const number cofactors[FACTORS])
{
    for (size_t p = 0; p < FACTORS; p++) {
        uint64_t a[WORDS] = {1};
        for (int i = number_bits(&cofactors[p]); i-- > 0;) {
            square(a, m);
            if (number_bit(&cofactors[p], i)) times_x(a, m->f);
        }
        if (is_power_of_x(a, 0)) return p;
    }
    return FACTORS;
}

/* ---- The generator ---------------------------------------------------------------------------- */

static void step(const struct set *set, uint32_t state[LANES])
{
    uint32_t next[LANES];
    for (int i = 0; i < LANES; i++) next[i] = state[set->qa[i]] << set->za ^ state[set->qb[i]] >> set->zb[i];
    memcpy(state, next, sizeof next);
}

int minimal_polynomial(const struct set *set, uint64_t f[MORE])
{
    uint32_t state[LANES];
    uint64_t connection[MORE] = {1}, previous[MORE] = {1}, history[MORE] = {0}, kept[MORE];
    int complexity = 0;
    for (int i = 0; i < LANES; i++) state[i] = 0x9e3779b9u * (uint32_t)(i + 1);
    for (int n = 0; n < 2 * BITS; n++) {
        uint64_t sum = 0;
        step(set, state);
        /* Both move by a place a step: history has its newest bit first, `previous` is times x. */
        for (int i = MORE; i-- > 1;) {
            history[i] = history[i] << 1 | history[i - 1] >> 63;
            previous[i] = previous[i] << 1 | previous[i - 1] >> 63;
        }
        history[0] = history[0] << 1 | (state[0] & 1);
        previous[0] <<= 1;
        for (int i = 0; i < MORE; i++) sum ^= history[i] & connection[i];
        for (int half = 32; half; half /= 2) sum ^= sum >> half;
        if (!(sum & 1)) continue;
        memcpy(kept, connection, sizeof kept);
        for (int i = 0; i < MORE; i++) connection[i] ^= previous[i];
        if (2 * complexity <= n) {
            complexity = n + 1 - complexity;
            if (complexity > BITS) return complexity; /* cannot be */
            memcpy(previous, kept, sizeof previous);
        }
    }
    memset(f, 0, MORE * sizeof *f);
    if (complexity == BITS)
        for (int k = 0; k <= BITS; k++)
            f[k / 64] |= (connection[(BITS - k) / 64] >> (BITS - k) % 64 & 1) << k % 64;
    return complexity;
}

int weight(const uint64_t *a, int words)
{
    int count = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t w = a[i]; w; w &= w - 1) count++;
    return count;
}

/* Cycle lengths of pi = qa^-1 qb in increasing order; returns how many. In one step the lanes of a cycle
 * put out functions of the same few words, so short cycles make dependent outputs. */
static int cycles(const struct set *set, int lengths[LANES])
{
    int inverse[LANES], seen[LANES] = {0}, count = 0;
    for (int i = 0; i < LANES; i++) inverse[set->qa[i]] = i;
    for (int i = 0; i < LANES; i++) {
        int length = 0;
        for (int j = i; !seen[j]; j = inverse[set->qb[j]], length++) seen[j] = 1;
        if (!length) continue;
        int at = count++;
        for (; at > 0 && lengths[at - 1] > length; at--) lengths[at] = lengths[at - 1];
        lengths[at] = length;
    }
    return count;
}

double escape(const struct set *set, int *worst)
{
    double sum = 0;
    *worst = 0;
    for (int bit = 0; bit < BITS; bit++) {
        uint32_t state[LANES] = {0};
        state[bit / 32] = UINT32_C(1) << bit % 32;
        int steps = 0, bits = 1;
        for (; bits < 460 && steps < 10000; steps++) {
            bits = 0;
            step(set, state);
            for (int i = 0; i < LANES; i++)
                for (uint32_t w = state[i]; w; w &= w - 1) bits++;
        }
        sum += steps;
        if (steps > *worst) *worst = steps;
    }
    return sum / BITS;
}

static int well_formed(const struct set *set)
{
    uint32_t a = 0, b = 0;
    if (set->za < 1 || set->za > 31) return 0;
    for (int i = 0; i < LANES; i++) {
        if (set->qa[i] >= LANES || set->qb[i] >= LANES || set->zb[i] > 31) return 0;
        a |= UINT32_C(1) << set->qa[i];
        b |= UINT32_C(1) << set->qb[i];
    }
    return a == UINT32_MAX && b == UINT32_MAX;
}

/* ---- Proof ------------------------------------------------------------------------------------ */

void print_cycles(const struct set *set)
{
    int lengths[LANES];
    const int count = cycles(set, lengths);
    for (int i = 0; i < count; i++) printf("%s%d", i ? ", " : "[", lengths[i]);
    printf("]");
}

/* Proves one set and says so. `claimed` is its polynomial without x^1024, or NULL. */
static int prove(int number_of_set, const struct set *set, const uint64_t *claimed,
                 const number cofactors[FACTORS])
{
    struct modulus m;
    uint64_t f[MORE];
    printf("set %d: ", number_of_set);
    if (!well_formed(set)) {
        printf("NO: qa or qb is not a permutation, or a shift is not one\n");
        return 0;
    }
    const int complexity = minimal_polynomial(set, f);
    if (complexity != BITS) {
        printf("NO: linear complexity %d\n", complexity);
        return 0;
    }
    if (claimed && memcmp(claimed, f, WORDS * sizeof *f) != 0) {
        printf("NO: the characteristic polynomial is another one\n");
        return 0;
    }
    modulus_prepare(&m, f);
    if (!irreducible(&m)) {
        printf("NO: the characteristic polynomial is reducible\n");
        return 0;
    }
    const size_t against = factor_against(&m, cofactors);
    if (against < FACTORS) {
        printf("NO: irreducible, but the order divides (2^1024 - 1) / %s\n", fermat_factors[against]);
        return 0;
    }
    int worst;
    const double mean = escape(set, &worst);
    printf("period 2^1024 - 1; polynomial of weight %d, pi cycles ", weight(f, MORE));
    print_cycles(set);
    printf(", escape %.1f, worst %d\n", mean, worst);
    return 1;
}

int prove_shipped(const number cofactors[FACTORS])
{
    int good = 1;
    for (int s = 0; s <= BAILEY_WARP_PUBLISHED; s++) {
        struct set set = {.za = BAILEY_WARP_SET_SHIFT(s)};
        for (int i = 0; i < LANES; i++) {
            set.qa[i] = (uint8_t)bailey_warp_sets[s][i];
            set.qb[i] = (uint8_t)(bailey_warp_sets[s][i] >> 8);
            set.zb[i] = (uint8_t)(bailey_warp_sets[s][i] >> 16);
        }
        good &= prove(s, &set, NULL, cofactors);
        fflush(stdout);
    }
    return good;
}

static int read_list(const char *text, uint8_t values[LANES])
{
    for (int i = 0; i < LANES; i++) {
        char *end;
        const unsigned long value = strtoul(text, &end, 10);
        if (end == text || value > 255 || *end != (i == LANES - 1 ? 0 : ',')) return 0;
        values[i] = (uint8_t)value;
        text = end + 1;
    }
    return 1;
}

/* 256 hexadecimal digits, the coefficient of x^1023 first. */
static int read_polynomial(const char *text, uint64_t low[WORDS])
{
    if (strlen(text) != BITS / 4) return 0;
    for (int i = 0; i < WORDS; i++) {
        char digits[17] = {0}, *end;
        memcpy(digits, text + 16 * i, 16);
        if (strspn(digits, "0123456789abcdefABCDEF") != 16) return 0;
        low[WORDS - 1 - i] = strtoull(digits, &end, 16);
    }
    return 1;
}

int prove_file(const char *path, const number cofactors[FACTORS])
{
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return 0;
    }
    char line[1024];
    struct set set = {0};
    unsigned have = 0;
    int good = 1, count = 0;
    for (int n = 1; fgets(line, sizeof line, file); n++) {
        line[strcspn(line, "\r\n")] = 0;
        char *value = strchr(line, '=');
        if (line[0] == '#' || !value) continue;
        *value++ = 0;
        int read = 1;
        if (!strcmp(line, "za")) {
            set.za = (uint32_t)strtoul(value, NULL, 10);
            have = 1;
        } else if (!strcmp(line, "qa")) {
            read = read_list(value, set.qa);
            have |= 2;
        } else if (!strcmp(line, "qb")) {
            read = read_list(value, set.qb);
            have |= 4;
        } else if (!strcmp(line, "zb")) {
            read = read_list(value, set.zb);
            have |= 8;
        } else if (!strcmp(line, "charpoly_low1024_hex")) {
            uint64_t low[WORDS];
            read = have == 15 && (*value == 0 || read_polynomial(value, low));
            if (read) good &= prove(count++, &set, *value ? low : NULL, cofactors);
            fflush(stdout);
            have = 0;
        }
        if (!read) {
            printf("%s:%d: cannot be read\n", path, n);
            good = 0;
        }
    }
    fclose(file);
    if (!count || have) printf("%s: %s\n", path, count ? "the last set is not complete" : "no set");
    return good && count && !have;
}
