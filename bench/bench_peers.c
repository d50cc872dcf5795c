/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The list of peers. Each is opened when a case first asks for it, and once.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bench_peer *const peers[] = {
#define ROW(peer) &bench_peer_##peer,
    BENCH_PEERS(ROW)
#undef ROW
};

static struct {
    int tried;
    void *state; /* NULL: `why`, unless there is nothing to load */
    char why[300];
} loaded[BENCH_PEER_COUNT];

unsigned bench_peer_number(const struct bench_peer *peer)
{
    unsigned number = 0;
    while (peers[number] != peer) number++;
    return number;
}

const char *bench_peer_setting(const struct bench_peer *peer, const struct bench_case *wanted,
                               unsigned number)
{
    if (!(peer->subjects >> wanted->subject & 1)) return NULL;
    return peer->setting ? peer->setting(wanted, number) : number ? NULL : "";
}

const struct bench_peer *bench_peer_at(const struct bench_case *wanted, unsigned number, unsigned *setting)
{
    for (int i = 0; i < BENCH_PEER_COUNT; i++)
        for (*setting = 0; bench_peer_setting(peers[i], wanted, *setting); ++*setting)
            if (!number--) return peers[i];
    return NULL;
}

unsigned bench_peer_settings(const struct bench_case *wanted)
{
    unsigned count = 0, setting;
    while (bench_peer_at(wanted, count, &setting)) count++;
    return count;
}

int bench_peer_is_here(const struct bench_peer *peer, const struct bench_case *wanted)
{
    if (peer->place == BENCH_ON_CUDA) return !strncmp(wanted->bench->device.address, "cuda", 4);
    return peer->place == BENCH_EVERYWHERE || wanted->host;
}

static int load(struct bench_entry *entry)
{
    static const char *const places[] = {"", "for processors", "a CUDA kernel"};
    const struct bench_peer *peer = entry->peer;
    const unsigned number = bench_peer_number(peer);
    const int here = bench_peer_is_here(peer, entry->wanted);
    if (here && peer->load && !loaded[number].tried++)
        loaded[number].state =
            peer->load(entry->wanted->bench, loaded[number].why, sizeof loaded[number].why);
    entry->loaded = loaded[number].state;
    entry->missing = !here || (peer->load && !entry->loaded);
    if (entry->missing)
        snprintf(entry->why, sizeof entry->why, "%s", here ? loaded[number].why : places[peer->place]);
    return !entry->missing;
}

int bench_entry_begin(struct bench_entry *entry, const struct bench_peer *peer, unsigned setting,
                      const struct bench_case *wanted, char separator)
{
    const char *name = bench_peer_setting(peer, wanted, setting);
    *entry = (struct bench_entry){.peer = peer, .wanted = wanted, .setting = setting};
    snprintf(entry->name, sizeof entry->name, "%s%.*s%s", peer->name, *name != 0, &separator, name);
    return load(entry) && peer->begin(entry);
}

void bench_entry_end(struct bench_entry *entry)
{
    free(entry->own);
    entry->own = NULL;
}

bailey_status bench_entry_price(struct bench_entry *entry, double *mean, double *error)
{
    const bailey_status status = entry->peer->result ? entry->peer->result(entry) : BAILEY_OK;
    *mean = entry->mean;
    *error = entry->error;
    return status;
}

int bench_entry_trouble(struct bench_row *row, bailey_status status, const struct bench_entry *entry)
{
    if (status == BAILEY_OK || !*entry->why) return bench_trouble(row, status, "");
    bench_fail(row, "%s", entry->why);
    return 1;
}

void bench_peers_close(void)
{
    for (int i = 0; i < BENCH_PEER_COUNT; i++) {
        if (loaded[i].state) peers[i]->unload(loaded[i].state);
        loaded[i].state = NULL;
    }
}
