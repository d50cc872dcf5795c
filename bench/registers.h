/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What bench/registers.cu (on the device) and bench/registers_check.c (on the host, in plain C) agree on.
 */
#ifndef BENCH_REGISTERS_H
#define BENCH_REGISTERS_H

#include "bench_rounds.h"

#include <stdint.h>

#define REGISTERS_SEED 0x0123456789abcdefu
#define REGISTERS_WORDS 16 /* words of a thread in one turn of its loop */

/* Every generator by its number, and more. Thread t is lane t mod 32 of run t / 32 of stream 0; of Philox it
 * is stream t, from block 0 on. */
#define REGISTERS_GENERATOR(number, name, word, kind, published, text, verdict, period)                      \
    REGISTERS_##name = number,
typedef enum registers_subject {
    BAILEY_GENERATOR_LIST(REGISTERS_GENERATOR) REGISTERS_WARP_OWN, /* thread t has run t, all lanes */
    REGISTERS_PHILOX_ICDF,
    REGISTERS_PHILOX_BOX_MULLER,
    REGISTERS_WARP_ICDF,
    REGISTERS_WARP_BOX_MULLER,
    REGISTERS_CURAND_XORWOW,  /* from a state that cuRAND made: v[0] ... v[4], d */
    REGISTERS_CURAND_MRG32K3A /* s1[0] ... s2[2] */
} registers_subject;
#undef REGISTERS_GENERATOR

#ifdef __cplusplus
extern "C" {
#endif

/* The exclusive or of the first turns * REGISTERS_WORDS words (or bits of normals) of `thread`. */
uint32_t registers_check(registers_subject subject, uint32_t thread, uint32_t turns, const uint32_t *state);

/* The 20 words of bailey_philox_keys of REGISTERS_SEED. */
void registers_keys(uint32_t *word);

/* The taps of lane `lane` of the warp generator. */
uint32_t registers_taps(int published, uint32_t lane);

#ifdef __cplusplus
}
#endif
#endif
