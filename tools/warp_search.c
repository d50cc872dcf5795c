/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parameter sets of the warp generator: search, and the proof of warp_proof.c. To build (or by the target
 * warp_search), and to run:
 *
 *     cc -std=c11 -O3 -march=native -Iinclude tools/warp_search.c tools/warp_proof.c -o warp_search
 *     ./warp_search find --seconds 60 --seed 1 [--count N]
 *     ./warp_search prove shipped
 *     ./warp_search prove FILE
 *
 * `find` prints the sets that it finds, `prove` reads them in the same form: lines za=, qa=, qb=, zb=, and
 * charpoly_low1024_hex=, which begins a proof and may be empty. `prove` exits with 1 unless every set has
 * the full period.
 *
 * The shipped sets are those of many found that leave sparse states fastest (`escape`), with no short cycles
 * (`cycles`).
 */
#include "warp_proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A is invertible if and only if a combinatorial condition holds. Its matrix has at most two ones in a row
 * and in a column, and the bipartite graph of rows and columns has no cycle, as every step along it adds za >
 * 0 to a bit number; so it is a set of paths, and the determinant is 1 if and only if every path from one of
 * the za lowest bits of a lane ends with a left shift. That looks at zb along the cycles of pi alone: b = c +
 * zb[i] must be below 32;  the path ends well if b + za is not;  else c = b + za, i = pi(i). So the words of
 * zb that can go with a cycle of each length are listed once, and every candidate drawn from them is
 * invertible: about one of 2050 of those has the full period. */

#define SEARCH_ZA 3
#define SHORTEST 7
#define LONGEST 16
#define POOL 4096 /* the most words that there are for a length: 3823 */

static struct pool {
    size_t count;
    uint32_t words[POOL]; /* 2 bits for each place */
} pools[LONGEST + 1];

static uint64_t random_state;

static uint64_t random_word(void) /* SplitMix64 (Steele, Lea, Flood 2014) */
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int random_below(int n) { return (int)((random_word() >> 32) * (uint64_t)n >> 32); }

/* A path adds at least za a step, so none is longer than this. */
#define LONGEST_PATH (32 / SEARCH_ZA + 1)

/* The places of a cycle, counted on once round it: how far a path comes from place 0 to place k. */
typedef int way[LONGEST + LONGEST_PATH + 1];

/* Whether the paths that begin at place `first` and end at place `last` end well. */
static int paths_end_well(const way to, int first, int last)
{
    const int before = to[last] - to[first], right = to[last + 1] - SEARCH_ZA - to[first];
    for (int c = 0; c < SEARCH_ZA; c++)
        if (c + before < 32 && c + right >= 32)
            return 0; /* still on its way, then shifted out to the right */
    return 1;
}

static int all_end_well(const way to, int length, int last)
{
    for (int first = last < LONGEST_PATH ? 0 : last - LONGEST_PATH + 1; first <= last && first < length;
         first++)
        if (!paths_end_well(to, first, last)) return 0;
    return 1;
}

/* Appends all words of zb for a cycle that begin as z does, a third of which at least is not zero. */
static void pool_extend(struct pool *pool, int *z, way to, int length, int at)
{
    if (at < length) {
        for (z[at] = 0; z[at] < 4; z[at]++) {
            to[at + 1] = to[at] + z[at] + SEARCH_ZA;
            if (all_end_well(to, length, at)) pool_extend(pool, z, to, length, at + 1);
        }
        return;
    }
    int nonzero = 0;
    uint32_t word = 0;
    for (int last = length; last < length + LONGEST_PATH; last++) {
        to[last + 1] = to[last] + z[last % length] + SEARCH_ZA;
        if (!all_end_well(to, length, last)) return;
    }
    for (int i = 0; i < length; i++) {
        nonzero += z[i] != 0;
        word |= (uint32_t)z[i] << 2 * i;
    }
    if (3 * nonzero >= length && pool->count < POOL) pool->words[pool->count++] = word;
}

static void pools_make(void)
{
    int z[LONGEST];
    way to = {0};
    for (int length = SHORTEST; length <= LONGEST; length++) {
        struct pool *pool = &pools[length];
        pool_extend(pool, z, to, length, 0);
        printf("# %zu words for cycles of %d\n", pool->count, length);
    }
}

static void shuffle(uint8_t q[LANES])
{
    for (int i = 0; i < LANES; i++) q[i] = (uint8_t)i;
    for (int i = LANES; i > 1; i--) {
        const int j = random_below(i);
        const uint8_t kept = q[i - 1];
        q[i - 1] = q[j];
        q[j] = kept;
    }
}

/* A candidate: no fixed points, cycles of pi of 7 to 16 lanes, zb from the pools. Returns 0 to try again. */
static int draw(struct set *set)
{
    uint8_t pi[LANES];
    uint32_t seen = 0;
    shuffle(pi);
    for (int i = 0; i < LANES; i++) {
        if (seen >> i & 1) continue;
        int length = 0;
        for (int j = i; !(seen >> j & 1); j = pi[j], length++) seen |= UINT32_C(1) << j;
        if (length < SHORTEST || length > LONGEST || !pools[length].count) return 0;
        const struct pool *pool = &pools[length];
        const uint32_t word = pool->words[random_below((int)pool->count)];
        int j = i;
        for (int k = 0; k < length; k++, j = pi[j]) set->zb[j] = word >> 2 * k & 3;
    }
    set->za = SEARCH_ZA;
    for (;;) {
        int fixed = 0;
        shuffle(set->qa);
        for (int i = 0; i < LANES; i++) {
            set->qb[i] = set->qa[pi[i]]; /* so that qa^-1 qb is pi */
            fixed += set->qa[i] == i || set->qb[i] == i;
        }
        if (!fixed) return 1;
    }
}

/* Whether f has no factor of degree 12 or less: x^(2^k) - x is the product of the irreducible polynomials
 * whose degrees divide k, and 7, ..., 12 have the others among their divisors. */
static int no_small_factor(const struct modulus *m)
{
    static const int order[] = {12, 10, 8, 9, 7, 11};
    uint64_t powers[13][WORDS] = {{2}};
    if (weight(m->f, MORE) % 2 == 0 || !(m->f[0] & 1)) return 0; /* x + 1, x */
    for (int k = 1; k <= 12; k++) {
        memcpy(powers[k], powers[k - 1], sizeof powers[k]);
        square(powers[k], m);
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (!coprime_to_fixed(powers[order[i]], m)) return 0;
    return 1;
}

static void print_list(const char *name, const uint8_t values[LANES])
{
    printf("%s=", name);
    for (int i = 0; i < LANES; i++) printf("%s%d", i ? "," : "", values[i]);
    printf("\n");
}

static void print_set(int number_of_set, const struct set *set, const uint64_t f[MORE])
{
    int histogram[4] = {0}, worst;
    const double mean = escape(set, &worst);
    for (int i = 0; i < LANES; i++) histogram[set->zb[i] & 3]++;
    printf("\n# set %d escape_mean=%.1f worst=%d zb_hist(0/1/2/3)=%d/%d/%d/%d pi_cycles=", number_of_set,
           mean, worst, histogram[0], histogram[1], histogram[2], histogram[3]);
    print_cycles(set);
    printf("\nza=%u\n", (unsigned)set->za);
    print_list("qa", set->qa);
    print_list("qb", set->qb);
    print_list("zb", set->zb);
    printf("charpoly_low1024_hex=");
    for (int i = WORDS; i-- > 0;) printf("%016" PRIx64, f[i]);
    printf("\ncharpoly_weight=%d\n", weight(f, MORE));
    fflush(stdout);
}

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int find(double limit, uint64_t seed, long most, const number cofactors[FACTORS])
{
    const double begun = seconds();
    unsigned long long candidates = 0, full_degree = 0, irreducibles = 0;
    long found = 0;
    random_state = seed;
    pools_make();
    while (found < most && seconds() - begun < limit) {
        struct set set;
        struct modulus m;
        uint64_t f[MORE];
        if (!draw(&set)) continue;
        candidates++;
        if (minimal_polynomial(&set, f) != BITS) continue;
        full_degree++;
        modulus_prepare(&m, f);
        if (!no_small_factor(&m) || !irreducible(&m)) continue;
        irreducibles++;
        if (factor_against(&m, cofactors) < FACTORS) continue;
        print_set((int)found++, &set, f);
    }
    printf("\n# %llu candidates, %llu of degree 1024, %llu irreducible, %ld of full period; %.1f s, seed "
           "%" PRIu64 "\n",
           candidates, full_degree, irreducibles, found, seconds() - begun, seed);
    return found > 0;
}

int main(int argc, char **argv)
{
    static number cofactors[FACTORS];
    double limit = 60;
    uint64_t seed = 1;
    long most = 1000000;
    const int searching = argc >= 2 && !strcmp(argv[1], "find");
    int good = searching || (argc == 3 && !strcmp(argv[1], "prove"));
    for (int i = 2; searching && good && i < argc; i += 2) {
        char *end = NULL;
        if (i + 1 == argc)
            good = 0;
        else if (!strcmp(argv[i], "--seconds"))
            limit = strtod(argv[i + 1], &end);
        else if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], &end, 0);
        else if (!strcmp(argv[i], "--count"))
            most = strtol(argv[i + 1], &end, 10);
        good = good && end && end != argv[i + 1] && !*end;
    }
    if (!good) {
        fprintf(stderr, "usage: %s find [--seconds N] [--seed S] [--count N]\n       %s prove shipped|FILE\n",
                argv[0], argv[0]);
        return 2;
    }
    if (!check_factors(cofactors)) return 1;
    if (searching) return find(limit, seed, most, cofactors) ? 0 : 1;
    printf("2^1024 - 1 is the product of %d primes (product checked; 40 rounds of Miller-Rabin each)\n",
           FACTORS);
    return (strcmp(argv[2], "shipped") == 0 ? prove_shipped(cofactors) : prove_file(argv[2], cofactors)) ? 0
                                                                                                         : 1;
}
