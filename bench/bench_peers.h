/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Software of others, as far as this machine has it: peers, which make what the library makes; the means to
 * reach them, which are libraries opened at run time and processes of other languages; and meters of energy.
 * If one cannot be opened, it says why, and its rows do too.
 */
#ifndef CLI_BENCH_PEERS_H
#define CLI_BENCH_PEERS_H

#include "bench.h"
#include "bench_plain.h"

#include <sys/types.h>

/* ---- Libraries ---- */

struct dynamic_symbol {
    const char *name;
    void **slot; /* the address of the pointer to fill */
};

/* Opens the first of `names` (NULL ends) that can be opened, and fills every slot. NULL with the reason in
 * `why`, and nothing left open. */
void *dynamic_open(const char *const *names, const struct dynamic_symbol *symbols, size_t count, char *why,
                   size_t why_size);

/* The CUDA driver that the library uses. */
void *dynamic_driver(const struct dynamic_symbol *symbols, size_t count, char *why, size_t why_size);

/* NULL if there is no such symbol. */
void *dynamic_find(void *library, const char *name);

void dynamic_close(void *library); /* NULL is allowed */

/* ---- Processes ---- */

struct bench_child {
    const char *program;
    pid_t id;
    int socket;
    char line[1024];            /* the last answer */
    char version[32], note[64]; /* as it has said: of the package, and where its numbers come from */
};

/* Starts the program words[0], which is looked for as a shell would, with these words (NULL ends), the first
 * of which lives on; what it writes to standard error goes nowhere. False with the reason in `why`, such as
 * that `variable` may name `wanted`, and then there is nothing to stop. */
int bench_child_start(struct bench_child *child, const char *const *words, const char *variable,
                      const char *wanted, char *why, size_t why_size);
void bench_child_stop(struct bench_child *child);
/* Hears version and note; false with the reason in `why`: it is no `what`, or has said what it misses. */
int bench_child_greet(struct bench_child *child, const char *what, char *why, size_t why_size);
/* Puts the program before the reason; false. */
int bench_child_fail(const struct bench_child *child, const char *reason, char *why, size_t why_size);

int bench_child_write(const struct bench_child *child, const char *text);
/* One line of answer, without its line feed; false at the end of the process, or without an answer in ten
 * minutes. */
int bench_child_read(struct bench_child *child);

/* For the last answer, as Python's json.dumps writes it: a number, NaN if there is not one of that key; the
 * beginning of a text, false if there is none. */
double bench_child_number(const struct bench_child *child, const char *key);
int bench_child_text(const struct bench_child *child, const char *key, char *text, size_t size);

/* ---- Peers ---- */

/* A case: what is asked of bailey and of its peers. Members that its subject has no use for are 0. */
struct bench_case {
    const struct bench *bench;
    enum bench_subject subject;
    bailey_precision precision;
    struct bench_host *host; /* all threads of the processor; NULL: without them */
    uint64_t count;          /* numbers, paths, queries */
    /* Of numbers: where they go, of processors its memory; of a simulation normals for it, or NULL. */
    const struct bench_space *out;
    size_t element;
    double mean;              /* of Poisson numbers */
    uint32_t dims;            /* of points */
    int scrambled, is_normal; /* points */
    uint32_t word_bits;       /* points */
    /* Of simulations and motion. */
    const void *deal; /* struct deal_f32, deal_f64 or deal_gems, as programs by hand want it */
    const char *text; /* JSON, as python_peers.py wants it */
    /* For levels. */
    enum plain_option option;
    struct bench_host *one; /* one thread */
    double eps;
    uint64_t first_samples;
    unsigned min_level, max_level;
};

/* A setting of a peer that is ready for a case. */
struct bench_entry {
    const struct bench_peer *peer;
    const struct bench_case *wanted;
    void *loaded, *own; /* the peer's; the entry's, which malloc has made */
    unsigned setting;
    char name[64], note[64]; /* "gsl taus2", "ziggurat, 32 bits a draw" */
    const char *version;     /* "2.7"; NULL: not known */
    char why[300];           /* why it cannot be measured */
    int missing;             /* no setting of the peer can */
    int refused;             /* the peer is there, but does not have this: no row is due */
    int is_philox;           /* its words are those of philox with seed 1 */
    int is_limit;            /* no rival, but what cannot be exceeded */
    unsigned processes;      /* of another language; 0: none */
    /* For the last call. */
    double mean, error;       /* of payoffs, queries, levels */
    double slope;             /* of gradients: the delta of the first asset */
    double processor_seconds; /* of all calls, which the caller may set to 0 */
    double steps, first;      /* of levels: of fine paths; samples of level 0 */
    unsigned levels;
};

enum bench_place { BENCH_EVERYWHERE, BENCH_BESIDE_PROCESSORS, BENCH_ON_CUDA };

/* A peer. Each has a file (peer_*.c) and a line of BENCH_PEERS. */
struct bench_peer {
    const char *name;  /* its rows have it in their names */
    unsigned subjects; /* BENCH_DOES(...) | ... */
    enum bench_place place;
    int is_slow;         /* calls take seconds: a batch is one of them */
    int is_package;      /* of another language, and a product, unlike what is written here for a case */
    const char *version; /* the key of entry.version in rows; NULL: none */
    /* Opens it, for the rest of the program; NULL with the reason in `why`. May be NULL: nothing to open. */
    void *(*load)(const struct bench *bench, char *why, size_t why_size);
    void (*unload)(void *loaded);
    /* The name of a setting for a case, "" for one without a name; NULL past the last. NULL: one without. */
    const char *(*setting)(const struct bench_case *wanted, unsigned number);
    /* Makes ready. False with the reason in entry->why, unless entry->refused. Only the last entry of a peer
     * can be run, unless it has all it needs in entry->own. */
    int (*begin)(struct bench_entry *entry);
    /* Queues a call, or makes it; `entry` is the struct bench_entry. The reason of a failure is in
     * entry->why, or is the library's message. */
    bailey_status (*run)(void *entry);
    /* Waits, and sets what the last call gave. NULL: run does. */
    bailey_status (*result)(struct bench_entry *entry);
    /* Adds what else is known to a row. May be NULL. */
    void (*describe)(const struct bench_entry *entry, struct bench_row *row);
};

#define BENCH_DOES(subject) (1u << BENCH_##subject)

/* All of them, in the order of their rows. */
#define BENCH_PEERS(X)                                                                                       \
    X(memset)                                                                                                \
    X(plain)                                                                                                 \
    X(gsl)                                                                                                   \
    X(mkl)                                                                                                   \
    X(curand)                                                                                                \
    X(curand_kernels)                                                                                        \
    X(numpy)                                                                                                 \
    X(quantlib)                                                                                              \
    X(diffrax)                                                                                               \
    X(torchsde)                                                                                              \
    X(torchsde_halfway)                                                                                      \
    X(jax)                                                                                                   \
    X(r) /* the next peer */

#define BENCH_PEER_ONE(peer) BENCH_PEER_##peer,
enum { BENCH_PEERS(BENCH_PEER_ONE) BENCH_PEER_COUNT };
#undef BENCH_PEER_ONE
#define BENCH_PEER_EXTERN(peer) extern const struct bench_peer bench_peer_##peer;
BENCH_PEERS(BENCH_PEER_EXTERN)
#undef BENCH_PEER_EXTERN

unsigned bench_peer_number(const struct bench_peer *peer);
/* Setting `number` of those that all peers have for a case; NULL past the last. */
const struct bench_peer *bench_peer_at(const struct bench_case *wanted, unsigned number, unsigned *setting);
unsigned bench_peer_settings(const struct bench_case *wanted); /* how many those are */
/* Whether such cases have it. */
int bench_peer_is_here(const struct bench_peer *peer, const struct bench_case *wanted);
const char *bench_peer_setting(const struct bench_peer *peer, const struct bench_case *wanted,
                               unsigned number);

/* Opens the peer, if that was not tried yet, and makes a setting ready; `separator` is between its two names.
 * False if it cannot be measured. bench_entry_end in any case. */
int bench_entry_begin(struct bench_entry *entry, const struct bench_peer *peer, unsigned setting,
                      const struct bench_case *wanted, char separator);
void bench_entry_end(struct bench_entry *entry);

/* Waits for the last call: its mean and error. */
bailey_status bench_entry_price(struct bench_entry *entry, double *mean, double *error);

/* Marks the row as failed, with the entry's reason or the library's message; false for OK. */
int bench_entry_trouble(struct bench_row *row, bailey_status status, const struct bench_entry *entry);

/* Unloads what was loaded. */
void bench_peers_close(void);

/* ---- Energy ---- */

struct bench_energy;

/* For a device, or for the processors if that is NULL. NULL with the reason in `why`. */
struct bench_energy *bench_energy_open(const bailey_device *device, char *why, size_t why_size);
void bench_energy_close(struct bench_energy *meter); /* NULL is allowed */

const char *bench_energy_source(const struct bench_energy *meter); /* "NVML", "RAPL" */

/* Joules since some time in the past; NaN if the meter cannot be read any more. To be asked at least once a
 * minute: those of processors begin anew now and then. */
double bench_energy_joules(struct bench_energy *meter);

#endif
