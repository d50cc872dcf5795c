/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One child for each backend. It writes what it found to one pipe, and what the drivers print, and the log of
 * the library, to another. A child that has not written its result when it ends was ended by a driver.
 */
#define _XOPEN_SOURCE 700

#include "drivers_known.h"
#include "options.h"

#include <cli/io/io.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define VARIABLE "BAILEY_BACKENDS"
#define MOST_DEVICES 256
#define LOG_MARK '\1' /* begins a line of the library's log among those of drivers */

/* In the order of bailey_device_list. */
static const char *const backends[] = {"cuda", "opencl", "cpu"};
enum { CUDA, OPENCL, CPU, BACKENDS };

struct result {
    bailey_status status;
    size_t count; /* of the devices that follow */
};

struct look {
    pid_t pid;
    int result_pipe, words_pipe;
    struct result result;
    bailey_device *devices;
    size_t received; /* bytes of the result and the devices */
    int ended;       /* by a driver; `status` is waitpid's */
    int status;
    char words[8192]; /* the last of what was printed */
    size_t words_length;
};

/* ---- The child ------------------------------------------------------------------------------- */

static void write_log_line(void *user, int level, const char *line)
{
    (void)user, (void)level;
    fprintf(stderr, "%c%s\n", LOG_MARK, line);
}

static int write_all(int file, const void *data, size_t size)
{
    for (const char *p = data; size;) {
        const ssize_t n = write(file, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        p += n;
        size -= (size_t)n;
    }
    return 1;
}

static void look_in_child(const char *backend, size_t most, int result_pipe, int words_pipe)
{
    const struct rlimit no_core = {0, 0};
    struct result result = {BAILEY_OK, 0};
    bailey_device *devices = calloc(most + 1, sizeof *devices);
    setrlimit(RLIMIT_CORE, &no_core);
    /* A driver that prints much must not wait for a reader. */
    fcntl(words_pipe, F_SETFL, fcntl(words_pipe, F_GETFL) | O_NONBLOCK);
    dup2(words_pipe, STDOUT_FILENO);
    dup2(words_pipe, STDERR_FILENO);
    setenv(VARIABLE, backend, 1);
    if (!notice_log_is_on()) bailey_log_set(write_log_line, NULL, 1);
    result.status = bailey_device_list(devices, devices ? most : 0, &result.count);
    if (result.count > most) result.count = most;
    write_all(result_pipe, &result, sizeof result);
    if (devices) write_all(result_pipe, devices, result.count * sizeof *devices);
    _exit(0);
}

/* ---- The parent ------------------------------------------------------------------------------ */

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* Where the program was started with closed standard streams, a pipe would take their places. */
static int make_pipe(int ends[2])
{
    if (pipe(ends)) return 0;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    if (ends[0] > STDERR_FILENO && ends[1] > STDERR_FILENO) return 1;
    close_pipe(ends);
    return 0;
}

/* False where there can be no child: the look then finds nothing wrong. */
static int start(struct look *look, const char *backend, size_t most)
{
    int result[2], words[2];
    memset(look, 0, sizeof *look);
    if (!(look->devices = calloc(most + 1, sizeof *look->devices)) || !make_pipe(result)) return 0;
    if (!make_pipe(words)) {
        close_pipe(result);
        return 0;
    }
    fflush(stdout);
    look->pid = fork();
    if (look->pid == 0) look_in_child(backend, most, result[1], words[1]);
    close(result[1]);
    close(words[1]);
    look->result_pipe = result[0];
    look->words_pipe = words[0];
    fcntl(words[0], F_SETFL, O_NONBLOCK);
    if (look->pid > 0) return 1;
    close(result[0]);
    close(words[0]);
    return 0;
}

/* Takes what has been printed; the beginning goes when there is much. */
static void read_words(struct look *look)
{
    const size_t half = sizeof look->words / 2;
    for (;;) {
        if (look->words_length >= half) {
            memmove(look->words, look->words + look->words_length - half / 2, half / 2);
            look->words_length = half / 2;
        }
        const ssize_t n = read(look->words_pipe, look->words + look->words_length, half - 1);
        if (n <= 0) break;
        look->words_length += (size_t)n;
    }
    look->words[look->words_length] = 0;
}

/* True once everything is there. */
static int is_complete(const struct look *look)
{
    return look->received >= sizeof look->result &&
           look->received == sizeof look->result + look->result.count * sizeof *look->devices;
}

/* False at the end of the pipe. */
static int read_result(struct look *look)
{
    const size_t head = sizeof look->result;
    const int in_head = look->received < head;
    const size_t at = in_head ? look->received : look->received - head;
    const size_t size = in_head ? head : look->result.count * sizeof *look->devices;
    char *to = in_head ? (char *)&look->result : (char *)look->devices;
    const ssize_t n = read(look->result_pipe, to + at, size - at);
    if (n > 0) look->received += (size_t)n;
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Waits for the child's result or its end. It does not wait for what a driver does after the result. */
static void finish(struct look *look)
{
    struct pollfd files[2] = {{look->result_pipe, POLLIN, 0}, {look->words_pipe, POLLIN, 0}};
    int open = 1;
    while (open && !is_complete(look)) {
        files[0].revents = files[1].revents = 0;
        /* The time is for a process that the driver left behind, which keeps the pipes open. */
        poll(files, 2, 100);
        read_words(look);
        if (files[1].revents & POLLHUP) files[1].fd = -1;
        if (files[0].revents)
            open = read_result(look);
        else if (!look->ended && waitpid(look->pid, &look->status, WNOHANG) == look->pid)
            look->ended = 1;
        else if (look->ended)
            open = 0;
    }
    if (!is_complete(look) && !look->ended) {
        while (waitpid(look->pid, &look->status, 0) < 0 && errno == EINTR) continue;
        look->ended = 1;
    }
    read_words(look);
    close(look->result_pipe);
    close(look->words_pipe);
    look->ended = !is_complete(look);
    if (notice_log_is_on()) fputs(look->words, stderr);
}

/* The last line of the log (from_log) or of what drivers printed; "" if there is none. */
static void last_line(const char *words, int from_log, char *line, size_t size)
{
    *line = 0;
    for (; *words; words += strcspn(words, "\n"), words += *words == '\n') {
        const int is_log = *words == LOG_MARK;
        const char *text = words + is_log;
        const size_t length = strcspn(text, "\n");
        if (is_log == from_log && length) snprintf(line, size, "%.*s", (int)length, text);
    }
}

/* How a driver ended the child, in a line. */
static void describe_end(const struct look *look, char *text, size_t size)
{
    char doing[400], words[300];
    last_line(look->words, 1, doing, sizeof doing);
    last_line(look->words, 0, words, sizeof words);
    int used = WIFSIGNALED(look->status)
                   ? snprintf(text, size, "a driver ended the process that tried it, with signal %d (%s)",
                              WTERMSIG(look->status), strsignal(WTERMSIG(look->status)))
                   : snprintf(text, size, "a driver ended the process that tried it, with exit code %d",
                              WEXITSTATUS(look->status));
    if (*doing && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, ", after \"%s\"", doing);
    if (*words && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; its output was \"%s\"", cli_printable(words));
}

/* ---- Drivers that are needed ----------------------------------------------------------------- */

/* The word of BAILEY_BACKENDS at *list, which moves on; its length, 0 at the end. */
static size_t next_word(const char **list, const char **word)
{
    static const char blanks[] = ", \t";
    *word = *list + strspn(*list, blanks);
    const size_t length = strcspn(*word, blanks);
    *list = *word + length;
    return length;
}

/* Which backends BAILEY_BACKENDS leaves: without it all. False if it names none of them: the library says so.
 */
static int read_wanted(int wanted[BACKENDS])
{
    const char *list = getenv(VARIABLE), *word;
    int any = 0;
    for (int b = 0; b < BACKENDS; b++) wanted[b] = 0;
    for (size_t length; list && (length = next_word(&list, &word)) > 0; any = 1) {
        int b = 0;
        while (b < BACKENDS && (strlen(backends[b]) != length || strncmp(word, backends[b], length))) b++;
        if (b == BACKENDS) return 0;
        wanted[b] = 1;
    }
    for (int b = 0; b < BACKENDS && !any; b++) wanted[b] = 1;
    return 1;
}

/* Leaves a backend out from now on and says why. Fails if no other one is needed. */
static int leave_out(int backend, int wanted[BACKENDS], const char *how)
{
    char list[64] = "";
    wanted[backend] = 0;
    for (int b = 0; b < BACKENDS; b++) {
        const size_t used = strlen(list);
        if (wanted[b]) snprintf(list + used, sizeof list - used, "%s%s", used ? "," : "", backends[b]);
    }
    if (!*list) return cli_error(CLI_FAILED, "%s: %s", backends[backend], how);
    setenv(VARIABLE, list, 1);
    return cli_error(CLI_OK, "%s: %s; continuing without it", backends[backend], how);
}

/* The library would report it too, but after each child. */
static void check_log(void)
{
    const char *name = getenv("BAILEY_LOG");
    if (!notice_log_is_on() || !strcmp(name, "1") || !strcmp(name, "2")) return;
    FILE *file = fopen(name, "a");
    if (file) {
        fclose(file);
        return;
    }
    cli_error(CLI_OK, "BAILEY_LOG: cannot open %s: %s; logging to standard error", cli_printable(name),
              strerror(errno));
    setenv("BAILEY_LOG", "1", 1);
}

/* ---- Trying ---------------------------------------------------------------------------------- */

/* Tries a backend; *gpu says if it has a usable device, which is a GPU. */
static int try_backend(int backend, size_t most, int *gpu, char *how, size_t size)
{
    struct look look;
    *gpu = 1;
    if (backend == CUDA && driver_take()) return 1;
    *gpu = 0;
    const int started = start(&look, backends[backend], most);
    if (started) finish(&look);
    const int ended = started && look.ended;
    if (ended) describe_end(&look, how, size);
    for (size_t i = 0; started && !ended && i < look.result.count; i++)
        *gpu |= look.devices[i].usable && look.devices[i].kind == BAILEY_DEVICE_KIND_GPU;
    if (!started) *gpu = 1; /* for all that is known */
    free(look.devices);
    return !ended;
}

static int is_of(const char *device, const char *backend)
{
    const size_t length = strlen(backend);
    return !strncmp(device, backend, length) && (!device[length] || device[length] == ':');
}

static int drivers_tried; /* a driver may be open */

int drivers_try(const char **device)
{
    const char *name = *device ? *device : getenv("BAILEY_DEVICE");
    int wanted[BACKENDS], gpu = 0;
    char how[1024];
    const int automatic = !name || !*name || !strcmp(name, "auto");
    check_log();
    if (drivers_tried++ || !read_wanted(wanted)) return CLI_OK;
    for (int b = CUDA; b <= OPENCL && !gpu; b++) {
        if (!wanted[b] || (!automatic && !is_of(name, backends[b]))) continue;
        /* Of CUDA the first device is enough: each costs a context. */
        const size_t most = !automatic ? 0 : b == CUDA ? 1 : MOST_DEVICES;
        if (try_backend(b, most, &gpu, how, sizeof how)) continue;
        if (!automatic)
            return cli_error(CLI_FAILED, "%s: device \"%s\": %s", *device ? "--device" : "BAILEY_DEVICE",
                             name, how);
        const int code = leave_out(b, wanted, how);
        if (code) return code;
    }
    if (automatic && !gpu && wanted[CPU]) *device = "cpu";
    return CLI_OK;
}

int drivers_try_list(const char *const *names, size_t count)
{
    int wanted[BACKENDS], gpu = 0;
    char how[1024];
    check_log();
    if (drivers_tried++ || !read_wanted(wanted)) return CLI_OK;
    for (int b = CUDA; b <= OPENCL; b++) {
        size_t i = 0;
        while (i < count && !is_of(names[i], backends[b])) i++;
        if (i == count || !wanted[b] || try_backend(b, 0, &gpu, how, sizeof how)) continue;
        return cli_error(CLI_FAILED, "--device: device \"%s\": %s", names[i], how);
    }
    return CLI_OK;
}

/* Appends the devices of a backend to the list. */
static void append(bailey_device *list, size_t *count, const bailey_device *devices, size_t found,
                   const char *backend)
{
    for (size_t i = 0; i < found && *count < MOST_DEVICES; i++)
        if (is_of(devices[i].address, backend)) list[(*count)++] = devices[i];
}

static void append_reason(bailey_device *list, size_t *count, const char *backend, const char *reason)
{
    bailey_device *device = &list[(*count)++];
    snprintf(device->address, sizeof device->address, "%s", backend);
    snprintf(device->reason, sizeof device->reason, "%.*s", (int)sizeof device->reason - 1, reason);
}

/* The library's own list, where it refuses BAILEY_BACKENDS or there can be no child. */
static int list_here(bailey_device *devices, size_t *count)
{
    const int code = cli_check(bailey_device_list(devices, MOST_DEVICES, count), "listing devices");
    if (*count > MOST_DEVICES) *count = MOST_DEVICES;
    return code;
}

int drivers_list(bailey_device **devices, size_t *count)
{
    const char *named = getenv(VARIABLE);
    int wanted[BACKENDS], good;
    struct look looks[BACKENDS];
    char reason[1024], left_out[128];
    *count = 0;
    check_log();
    *devices = calloc(MOST_DEVICES + BACKENDS, sizeof **devices);
    if (!*devices) return cli_memory_error("the list", MOST_DEVICES * sizeof **devices);
    good = read_wanted(wanted);
    for (int b = 0; b < BACKENDS; b++) {
        looks[b].devices = NULL;
        if (good && wanted[b]) good = start(&looks[b], backends[b], MOST_DEVICES);
    }
    snprintf(left_out, sizeof left_out, "it is left out: " VARIABLE " is \"%.64s\"", named ? named : "");
    for (int b = 0; b < BACKENDS && good; b++) {
        if (!wanted[b]) {
            append_reason(*devices, count, backends[b], left_out);
            continue;
        }
        finish(&looks[b]);
        if (!looks[b].ended) {
            append(*devices, count, looks[b].devices, looks[b].result.count, backends[b]);
            continue;
        }
        describe_end(&looks[b], reason, sizeof reason);
        append_reason(*devices, count, backends[b], reason);
        cli_error(CLI_OK, "%s: %s; continuing without it", backends[b], reason);
    }
    for (int b = 0; b < BACKENDS; b++) free(looks[b].devices);
    return good ? CLI_OK : list_here(*devices, count);
}
