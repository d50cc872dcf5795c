/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Devices, and runs that take a job: on several devices, with a checkpoint, or until the standard error is
 * small enough. Other prices take a single run (price_run.c).
 */
#include "price.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct price_jobs price_jobs = {.run = bailey_job_run};

/* ---- Devices ---- */

static const char *device_list(const struct arguments *a)
{
    const char *list = a->value[DEVICE];
    return list ? list : getenv("BAILEY_DEVICE");
}

static int is_list(const struct arguments *a)
{
    const char *list = device_list(a);
    return list && strchr(list, ',') != NULL;
}

int price_job_is_shared(const struct arguments *a) { return is_list(a) || price_jobs.run != bailey_job_run; }

/* Cuts `list` at its commas. */
static int split_list(char *list, const char **name, size_t *count)
{
    *count = 0;
    for (char *item = list; item;) {
        char *comma = strchr(item, ',');
        if (comma) *comma = 0;
        if (!*item) return cli_error(CLI_USAGE, "--device: a name is missing before or after a comma");
        if (*count == PRICE_DEVICES_MAX)
            return cli_error(CLI_USAGE, "--device: more than %d devices", PRICE_DEVICES_MAX);
        name[(*count)++] = item;
        item = comma ? comma + 1 : NULL;
    }
    return CLI_OK;
}

static int open_list(const struct arguments *a, struct price_devices *d)
{
    const char *given = device_list(a), *name[PRICE_DEVICES_MAX];
    char *list = malloc(strlen(given) + 1);
    size_t count = 0;
    if (!list) return cli_memory_error("the devices", strlen(given) + 1);
    strcpy(list, given);
    int code = split_list(list, name, &count);
    if (!code) code = drivers_try_list(name, count);
    for (size_t i = 0; i < count && !code; i++) {
        code = open_device(a, name[i], &d->context[i], &d->about[i]);
        if (!code) d->count++;
        for (size_t k = 0; k < i && !code; k++)
            if (!strcmp(d->about[k].address, d->about[i].address))
                code = cli_error(CLI_USAGE, "--device: %s is given twice", d->about[i].address);
    }
    free(list);
    return code;
}

int price_devices_open(const struct arguments *a, struct price_devices *d)
{
    *d = (struct price_devices){0};
    if (is_list(a)) return open_list(a, d);
    const int code = open_device(a, a->value[DEVICE], &d->context[0], &d->about[0]);
    d->count = !code;
    return code;
}

void price_devices_close(struct price_devices *d)
{
    for (size_t i = 1; i < d->count; i++) bailey_simulation_destroy(d->simulation[i]);
    for (size_t i = 0; i < d->count; i++) bailey_context_destroy(d->context[i]);
}

/* Makes the model's simulation on the other devices too. */
static int spread(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                  struct price_devices *d)
{
    int code = CLI_OK;
    d->simulation[0] = m->simulation;
    for (size_t i = 1; i < d->count && !code; i++) {
        struct price_model other = *m;
        other.simulation = other.held = NULL;
        code = price_model_create(a, s, d->context[i], &other);
        for (size_t k = 0; k < m->parameter_count && !code; k++)
            code = cli_check(bailey_simulation_set(other.simulation, m->parameters[k].name,
                                                   m->parameters[k].values, m->parameters[k].count),
                             m->parameters[k].name);
        if (!code && m->held) code = price_exercise(a, s, &other);
        bailey_simulation_destroy(other.held);
        d->simulation[i] = other.simulation;
    }
    return code;
}

/* ---- Progress ---- */

struct job_progress {
    struct cli_progress bar;
    int called;
};

/* The first time, done is about what the checkpoint had. */
static int on_progress(void *user, uint64_t done, uint64_t total)
{
    struct job_progress *p = user;
    if (!p->called++) p->bar.before = done;
    cli_progress_update(&p->bar, done, total);
    return interrupted();
}

/* ---- The job ---- */

static int read_job(const struct arguments *a, bailey_job_params *job)
{
    const int code = options_read_fields(a, "job_params", job);
    if (code || !a->value[CHECKPOINT_SECONDS]) return code;
    if (!a->value[CHECKPOINT]) return cli_error(CLI_USAGE, "--checkpoint-seconds needs --checkpoint");
    if (!(job->checkpoint_seconds > 0))
        return cli_error(CLI_USAGE, "--checkpoint-seconds: %s is not positive", a->value[CHECKPOINT_SECONDS]);
    return CLI_OK;
}

int price_job_check(const struct arguments *a)
{
    bailey_job_params job;
    if (a->value[SAVE_OUTPUTS] && (a->value[CHECKPOINT] || price_job_is_shared(a)))
        return cli_error(
            CLI_USAGE, "--save-outputs needs one device and no --checkpoint: long runs do not keep samples");
    if (a->value[CHECKPOINT] && !*a->value[CHECKPOINT])
        return cli_error(CLI_USAGE, "--checkpoint: the name of a file is missing");
    return read_job(a, &job);
}

/* How to resume, where the job has ended early. */
static int explain(const struct arguments *a, bailey_status status, const bailey_job_report *r)
{
    const char *file = a->value[CHECKPOINT];
    if (!file || !r->known || (status != BAILEY_ERROR_CANCELLED && status != BAILEY_ERROR_DRIVER))
        return CLI_OK;
    if (*r->checkpoint_message)
        return cli_error(CLI_FAILED, "--checkpoint: the run could not be saved: %s",
                         cli_printable(r->checkpoint_message));
    return cli_error(CLI_FAILED, "%s paths are saved in %s; the same command resumes the run",
                     cli_count(r->known), cli_printable(file));
}

static void warn(const struct price_devices *d, const bailey_job_report *r)
{
    for (size_t i = 0; i < d->count; i++)
        if (r->device[i].status != BAILEY_OK)
            cli_error(CLI_OK, "warning: %s failed, and the others took over: %s", d->about[i].address,
                      cli_printable(r->device[i].message));
    if (*r->checkpoint_message)
        cli_error(CLI_OK, "warning: --checkpoint: %s", cli_printable(r->checkpoint_message));
}

static int make_shares(struct price_outcome *o, size_t count)
{
    o->share = calloc(count, sizeof *o->share);
    o->shares = o->share ? count : 0;
    return o->share ? CLI_OK : cli_memory_error("the report", count * sizeof *o->share);
}

static int take_devices(const struct price_devices *d, const bailey_job_report *r, struct price_outcome *o)
{
    if (d->count < 2) return CLI_OK;
    const int code = make_shares(o, d->count);
    for (size_t i = 0; i < o->shares; i++) {
        snprintf(o->share[i].who, sizeof o->share[i].who, "%s", d->about[i].address);
        o->share[i].name = d->about[i].name;
        o->share[i].paths = r->device[i].paths;
        o->share[i].seconds = r->device[i].seconds;
        o->share[i].failed = r->device[i].status != BAILEY_OK;
    }
    return code;
}

static int take_ranks(struct price_outcome *o)
{
    const int code = make_shares(o, (size_t)price_jobs.ranks);
    for (size_t i = 0; i < o->shares; i++) {
        snprintf(o->share[i].who, sizeof o->share[i].who, "rank %zu", i);
        o->share[i].paths = price_jobs.rank_paths[i];
        o->share[i].seconds = NAN;
    }
    return code;
}

static int take_report(const struct price_devices *d, const bailey_job_report *r, struct price_outcome *o)
{
    o->paths = r->paths;
    o->reached = r->reached;
    o->loaded = r->loaded;
    o->runs = 0;
    for (uint32_t i = 0; i < r->stages && o->runs < PRICE_RUNS_MAX; i++, o->runs++) {
        o->run[i].paths = r->stage_paths[i];
        o->run[i].error = r->stage_standard_error[i];
    }
    return price_jobs.ranks ? take_ranks(o) : take_devices(d, r, o);
}

static int run(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
               const struct price_devices *d, struct price_outcome *o, bailey_job_report *r)
{
    struct job_progress progress = {.called = 0};
    struct sigaction old[2];
    bailey_job_params job = {.run = price_run_params(s, o, s->run.paths), .target_output = o->price};
    int code = read_job(a, &job);
    if (code) return code;
    if (o->target > 0) job.target_error = o->target;
    if (!s->quiet) {
        job.run.progress = on_progress;
        job.run.progress_user = &progress;
        cli_progress_start(&progress.bar, "paths");
    }
    if (job.checkpoint) interrupt_catch(old);
    const double started = cli_seconds();
    const bailey_status status = price_jobs.run(d->simulation, d->count, &job, o->estimate, r);
    o->seconds += cli_seconds() - started;
    if (job.checkpoint) interrupt_leave(old);
    if (!s->quiet) cli_progress_end(&progress.bar);
    o->status = status;
    code = price_check(status, a, m);
    if (code) explain(a, status, r);
    return code;
}

static int run_job(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                   struct price_devices *d, struct price_outcome *o)
{
    bailey_job_report *r = calloc(1, sizeof *r);
    if (!r) return cli_memory_error("the report", sizeof *r);
    int code = spread(a, s, m, d);
    if (!code) price_target_share(s, m, o);
    if (!code) code = run(a, s, m, d, o, r);
    if (!code) warn(d, r);
    if (!code) code = take_report(d, r, o);
    if (!code) price_target_judge(s, o);
    free(r);
    return code;
}

/* Of what stops by its error the samples are made when it is known how many there are. */
int price_run_on(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                 struct price_devices *d, struct price_outcome *o)
{
    uint64_t paths = s->run.paths;
    if (price_job_is_shared(a) || d->count > 1 || s->target > 0 || a->value[CHECKPOINT]) {
        const int code = run_job(a, s, m, d, o);
        if (code || !a->value[SAVE_OUTPUTS]) return code;
        paths = o->paths;
    }
    return price_run(a, s, d->context[0], m, paths, o);
}
