/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Rank 0 grants deals, a range of the file at a time, to whichever rank has nothing to price, and writes
 * the lines that come back in the order of the deals. So its own deals go the way of all others, without the
 * messages. Only the thread that writes, MPI's own, talks to MPI.
 */
#include "batch_deal.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAP 500000L                    /* nanoseconds between two looks for a message */
#define GRANT_MAX 4096u                /* deals granted at once */
#define AHEAD_MAX 65536u               /* deals granted before the one to be written next */
#define SHORT_SECONDS 0.05             /* a rank that is done sooner is granted more */
#define LONG_SECONDS 0.2               /* and one that takes longer, less */
#define PARCEL_BYTES ((size_t)1 << 18) /* lines sent together, unless one is longer */

enum { TAG_ASK = 1, TAG_GRANT, TAG_LINES, TAG_END, TAG_STOP };

/* Lines on their way: each has a head, its bytes and a zero. */
struct head {
    uint64_t number, size;
    int64_t code;
};

struct parcel {
    struct parcel *next;
    size_t size, at;
    char bytes[];
};

static int rank, ranks, begun;
static int (*start_all)(int ready);
static uint64_t *priced; /* deals by rank, of rank 0 */

/* The others wait for this rank, whatever it lacks. */
static void *need(void *memory)
{
    if (!memory) {
        cli_error(CLI_FAILED, "rank %d is out of memory", rank);
        MPI_Abort(MPI_COMM_WORLD, CLI_FAILED);
    }
    return memory;
}

/* ---- Deals priced on this rank ---- */

struct text {
    const char *text;
    size_t size;
    char *refusal;
};

static struct text text_of(const struct batch *b, const struct batch_deal *d)
{
    if (!d->code || !batch_request_of(b)->strict)
        return (struct text){.text = d->result.text, .size = d->result.used};
    char *refusal = need(batch_refusal(b, d));
    return (struct text){.text = refusal, .size = strlen(refusal), .refusal = refusal};
}

static struct parcel *append(struct parcel *p, const struct batch_deal *d, const struct text *t)
{
    const struct head head = {.number = d->number, .size = t->size, .code = d->code};
    const size_t size = (p ? p->size : 0) + sizeof head + t->size + 1;
    struct parcel *longer = need(realloc(p, sizeof *p + size));
    if (!p) *longer = (struct parcel){0};
    char *to = longer->bytes + longer->size;
    memcpy(to, &head, sizeof head);
    if (t->size) memcpy(to + sizeof head, t->text, t->size);
    to[sizeof head + t->size] = 0;
    longer->size = size;
    return longer;
}

/* Some of the deals that have been priced; NULL: none, also after waiting a moment. */
static struct parcel *pack(struct batch *b)
{
    const uint64_t count = batch_ready(b, NAP);
    struct parcel *p = NULL;
    uint64_t packed = 0;
    while (packed < count && (!p || p->size < PARCEL_BYTES)) {
        const struct batch_deal *d = batch_ready_deal(b, packed++);
        struct text text = text_of(b, d);
        p = append(p, d, &text);
        free(text.refusal);
    }
    if (packed) batch_release(b, packed);
    return p;
}

/* ---- Rank 0 ---- */

struct member {
    struct parcel *first, *last; /* lines that are not yet written */
    int asks, ended;
    uint64_t size;  /* deals of its last grant */
    double granted; /* when */
};

struct grant {
    uint64_t first, end;
    int to;
};

struct lead {
    struct batch *batch;
    struct batch_writer *writer;
    struct batch_part part;
    struct member *member;
    struct grant *grant; /* [grants], in the order of deals; those before `at` are written */
    size_t grants, at, room;
    uint64_t next;        /* deal to be granted */
    uint64_t wanted;      /* deal to be written */
    struct batch_end end; /* the first error of the file that a rank has met */
    int over, code;
};

/* `deals` deals of the part after `number`. */
static uint64_t advance(const struct lead *l, uint64_t number, uint64_t deals)
{
    return deals > (UINT64_MAX - number) / l->part.count ? UINT64_MAX : number + deals * l->part.count;
}

static void receive_lines(struct lead *l, int from, struct parcel *p)
{
    struct member *m = &l->member[from];
    if (m->last)
        m->last->next = p;
    else
        m->first = p;
    m->last = p;
}

/* Drops a parcel that has been read. */
static void drop_parcel(struct member *m)
{
    struct parcel *next = m->first->next;
    free(m->first);
    m->first = next;
    if (!next) m->last = NULL;
}

static void receive_end(struct lead *l, int from, const struct batch_end *end)
{
    l->member[from].ended = 1;
    if (end->code && (!l->end.code || end->number < l->end.number)) l->end = *end;
}

/* Takes a message; false if there is none. */
static int take_message(struct lead *l)
{
    MPI_Status about;
    struct batch_end end;
    int there = 0, size = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &about);
    if (!there) return 0;
    const int from = about.MPI_SOURCE, tag = about.MPI_TAG;
    MPI_Get_count(&about, MPI_BYTE, &size);
    struct parcel *p = tag == TAG_LINES ? need(malloc(sizeof *p + (size_t)size)) : NULL;
    if (p) *p = (struct parcel){.size = (size_t)size};
    MPI_Recv(p ? (void *)p->bytes : &end, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (tag == TAG_LINES) receive_lines(l, from, p);
    if (tag == TAG_ASK) l->member[from].asks = 1;
    if (tag == TAG_END) receive_end(l, from, &end);
    return 1;
}

static void take_own(struct lead *l)
{
    struct batch_end end;
    struct parcel *p = pack(l->batch);
    if (p) receive_lines(l, 0, p);
    if (batch_asks(l->batch)) l->member[0].asks = 1;
    if (!l->member[0].ended && batch_is_over(l->batch, &end)) receive_end(l, 0, &end);
}

/* How many deals a rank gets: each of its workers one at first. */
static uint64_t grant_size(const struct lead *l, const struct member *m)
{
    const uint64_t least = batch_request_of(l->batch)->workers;
    const double seconds = cli_seconds() - m->granted;
    if (!m->size) return least;
    if (seconds < SHORT_SECONDS) return 2 * m->size < GRANT_MAX ? 2 * m->size : GRANT_MAX;
    return seconds > LONG_SECONDS && m->size / 2 > least ? m->size / 2 : m->size;
}

static void keep_grant(struct lead *l, struct grant grant)
{
    if (l->grants == l->room) {
        memmove(l->grant, l->grant + l->at, (l->grants - l->at) * sizeof *l->grant);
        l->grants -= l->at;
        l->at = 0;
    }
    if (2 * l->grants >= l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->grant = need(realloc(l->grant, l->room * sizeof *l->grant));
    }
    l->grant[l->grants++] = grant;
}

static void grant_to(struct lead *l, int to)
{
    struct member *m = &l->member[to];
    m->size = grant_size(l, m);
    m->granted = cli_seconds();
    m->asks = 0;
    const uint64_t range[2] = {l->next, advance(l, l->next, m->size)};
    keep_grant(l, (struct grant){range[0], range[1], to});
    l->next = range[1];
    if (to == 0)
        batch_grant(l->batch, range[0], range[1]);
    else
        MPI_Send(range, (int)sizeof range, MPI_BYTE, to, TAG_GRANT, MPI_COMM_WORLD);
}

static void grant_all(struct lead *l)
{
    for (int i = 0; i < ranks; i++)
        if (l->member[i].asks && (l->next - l->wanted) / l->part.count < AHEAD_MAX) grant_to(l, i);
}

static int all_ended(const struct lead *l)
{
    int ended = 0;
    for (int i = 0; i < ranks; i++) ended += l->member[i].ended;
    return ended == ranks;
}

/* The rank that has the deal to be written next; -1: none has. */
static int find_owner(struct lead *l)
{
    while (l->at < l->grants && l->grant[l->at].end <= l->wanted) l->at++;
    return l->at < l->grants ? l->grant[l->at].to : -1;
}

/* Writes the next line; false if it is not there. */
static int write_next(struct lead *l)
{
    const int owner = find_owner(l);
    struct member *m = &l->member[owner < 0 ? 0 : owner];
    struct head head;
    l->over = (l->end.code && l->wanted >= l->end.number) || batch_write_is_over(l->writer) ||
              (owner < 0 ? all_ended(l) : m->ended && !m->first);
    if (l->over || owner < 0 || !m->first) return 0;
    memcpy(&head, m->first->bytes + m->first->at, sizeof head);
    l->code = batch_write(l->writer, (int)head.code, m->first->bytes + m->first->at + sizeof head, head.size);
    priced[owner]++;
    l->over = l->code != 0;
    l->wanted = advance(l, l->wanted, 1);
    m->first->at += sizeof head + head.size + 1;
    if (m->first->at == m->first->size) drop_parcel(m);
    return !l->over;
}

static void write_ready(struct lead *l)
{
    int wrote = 0;
    while (write_next(l)) wrote = 1;
    if ((wrote || l->over) && !l->code) l->code = batch_write_out(l->writer);
    if (l->code) l->over = 1;
}

/* Stops the other ranks, which may still be sending lines that are no longer needed. */
static void dismiss(struct lead *l)
{
    for (int i = 1; i < ranks; i++) MPI_Send(NULL, 0, MPI_BYTE, i, TAG_STOP, MPI_COMM_WORLD);
    batch_stop(l->batch);
    l->member[0].ended = 1;
    while (!all_ended(l))
        if (!take_message(l)) usleep(NAP / 1000);
    while (take_message(l)) continue;
    for (int i = 0; i < ranks; i++)
        while (l->member[i].first) drop_parcel(&l->member[i]);
}

static int lead(struct batch *b, struct batch_writer *writer)
{
    const struct batch_part part = batch_request_of(b)->part;
    struct lead l = {.batch = b, .writer = writer, .part = part, .next = part.index, .wanted = part.index};
    l.member = need(calloc((size_t)ranks, sizeof *l.member));
    while (!l.over) {
        int came = 0;
        take_own(&l); /* waits a moment as long as there are any to come */
        while (take_message(&l)) came = 1;
        write_ready(&l);
        if (!l.over) grant_all(&l);
        if (!l.over && !came && l.member[0].ended) usleep(NAP / 1000);
    }
    const struct batch_end end = l.end;
    dismiss(&l);
    batch_write_end(writer, &end);
    free(l.grant);
    free(l.member);
    return l.code;
}

/* ---- The other ranks ---- */

struct helper {
    struct batch *batch;
    int asked, ended, stopped;
};

static int is_there(int tag)
{
    int there = 0;
    MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there;
}

static void take_grant(struct helper *h)
{
    uint64_t range[2];
    MPI_Recv(range, (int)sizeof range, MPI_BYTE, 0, TAG_GRANT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    h->asked = 0;
    batch_grant(h->batch, range[0], range[1]);
}

static void send_end(struct helper *h, const struct batch_end *end)
{
    h->ended = 1;
    MPI_Send(end, (int)sizeof *end, MPI_BYTE, 0, TAG_END, MPI_COMM_WORLD);
}

static void send_news(struct helper *h)
{
    struct batch_end end;
    struct parcel *p = pack(h->batch);
    if (p) MPI_Send(p->bytes, (int)p->size, MPI_BYTE, 0, TAG_LINES, MPI_COMM_WORLD);
    free(p);
    if (!h->asked && batch_asks(h->batch)) {
        h->asked = 1;
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
    }
    if (batch_is_over(h->batch, &end)) send_end(h, &end);
}

static int help(struct batch *b)
{
    static const struct batch_end stopped;
    struct helper h = {.batch = b};
    while (!h.stopped) {
        if (h.ended)
            usleep(NAP / 1000);
        else
            send_news(&h);
        if (is_there(TAG_GRANT)) take_grant(&h);
        h.stopped = is_there(TAG_STOP);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (is_there(TAG_GRANT)) take_grant(&h);
    if (!h.ended) send_end(&h, &stopped);
    return CLI_OK;
}

/* ---- All ranks ---- */

static int run(struct batch *b, struct batch_writer *writer)
{
    const int ready = start_all(1);
    if (rank) cli_hearing = CLI_HEAR_NOTHING;
    if (!ready) return cli_error(CLI_FAILED, "another rank could not start");
    begun = 1;
    priced = need(calloc((size_t)ranks, sizeof *priced));
    return rank ? help(b) : lead(b, writer);
}

static void sum_up(struct batch_totals *t)
{
    struct batch_totals all = *t;
    MPI_Reduce(&t->simulations, &all.simulations, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&t->run_seconds, &all.run_seconds, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    *t = all;
    t->fewest = t->most = priced[0];
    for (int i = 1; i < ranks; i++) {
        if (priced[i] < t->fewest) t->fewest = priced[i];
        if (priced[i] > t->most) t->most = priced[i];
    }
}

static int finish(struct batch_totals *totals, int code)
{
    if (begun) {
        sum_up(totals);
        MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    free(priced);
    priced = NULL;
    return code;
}

/* A rank's view of the file. */
struct sight {
    int64_t error, regular, bytes;
};

static struct sight look_at(const char *path)
{
    struct stat about;
    if (stat(path, &about)) return (struct sight){.error = errno};
    if (!S_ISREG(about.st_mode)) return (struct sight){.regular = 0};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const int error = file < 0 ? errno : 0;
    if (file >= 0) close(file);
    return (struct sight){.error = error, .regular = 1, .bytes = about.st_size};
}

/* All ranks come to the same conclusion, of which rank 0 speaks. */
static int compare(const char *path, const struct sight *sight)
{
    if (sight[0].error)
        return cli_error(CLI_FAILED, "cannot open %s: %s", path, strerror((int)sight[0].error));
    for (int i = 0; i < ranks; i++) {
        if (sight[i].error)
            return cli_error(CLI_FAILED, "rank %d cannot open %s: %s", i, path,
                             strerror((int)sight[i].error));
        if (!sight[i].regular)
            return cli_error(CLI_USAGE, "%s is not a regular file, so %d ranks cannot read it", path, ranks);
        if (sight[i].bytes != sight[0].bytes)
            return cli_error(CLI_FAILED, "%s has %lld bytes on rank 0 but %lld on rank %d", path,
                             (long long)sight[0].bytes, (long long)sight[i].bytes, i);
    }
    return CLI_OK;
}

static int check(const char *input)
{
    if (!strcmp(input, "-"))
        return cli_error(CLI_USAGE,
                         "standard input cannot be read by %d ranks; name a file that all can read", ranks);
    const struct sight own = look_at(input);
    struct sight *all = need(malloc((size_t)ranks * sizeof *all));
    const enum cli_hearing hearing = cli_hearing;
    MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    if (rank) cli_hearing = CLI_HEAR_NOTHING;
    const int code = compare(input, all);
    cli_hearing = hearing;
    free(all);
    return code;
}

const struct batch_team *batch_mpi_team(int own_rank, int all_ranks, int (*all_start)(int ready))
{
    static struct batch_team team = {.check = check, .run = run, .finish = finish};
    rank = own_rank;
    ranks = all_ranks;
    start_all = all_start;
    team.rank = rank;
    team.ranks = ranks;
    return ranks > 1 ? &team : NULL;
}
