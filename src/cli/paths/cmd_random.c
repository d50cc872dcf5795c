/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey random: makes numbers a chunk at a time, while another thread writes earlier chunks. The bytes do
 * not depend on how they are cut.
 */
#define _XOPEN_SOURCE 700

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/device/run.h>
#include <bailey/integers.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
enum {
    H_WHAT, SOURCE_OPTION_NAMES, FIRST, COUNT,
    H_POINTS, POINTS, DIMS, FIRST_DIM, LAYOUT, POINT_ORDER, SCRAMBLE,
    H_FORM, FORM, BELOW, BITS, NORMAL, PRECISION, WORD_BITS, NUMERICS,
    H_DISTRIBUTION, DISTRIBUTION, DISTRIBUTION_OPTION_NAMES, INTEGERS, ALIAS,
    H_WHERE, OUTPUT, FORMAT, JSON, DEVICE, THREADS, CHUNK_BYTES
};

static const struct option options[] = {
    HEADING("Sequence:"),
    SOURCE_OPTIONS,
    OPTION("--first", "N",
     "index of the first element or point, counted from 0; without scramble, point 0 is the origin; default 0",
     .before = "--skip"),
    OPTION("--count", "N|inf",
     "number of elements; inf: until the reader closes the pipe, or up to the last element, 2^64 - 1 "
     "(2^63 - 1 for elements of 64 bits)"),
    HEADING("Points (--generator sobol), instead of --count:"),
    OPTION("--points", "N", "number of points"),
    FIELD(points_params, dims, "--dims", .value = "D"),
    FIELD(points_params, first_dim, "--first-dim", .value = "D"),
    FIELD(points_params, layout, "--layout", .words_before = "dim=dim-major point=point-major"),
    FIELD(source, point_order, "--point-order", .before = "--order"),
    FIELD(source, scramble, "--scramble"),
    HEADING("Numbers:"),
    FIELD(points_params, form, "--form", .help = "uniform numbers in the open interval (0, 1), standard normals, "
          "words of 32 bits (64 for points with --word-bits 64), integers below --below, or elements of a "
          "permutation of 0 to N - 1; words by default without --points", .more = "integers permutation", .words_before = "u32=words u01=uniforms normal=normals"),
    OPTION("--below", "N", "integers and permutations are from 0 to N - 1; at most 2^bits, for permutations 2^48"),
    OPTION("--bits", "32|64", "bits of an integer; default 32"),
    FIELD(normal_params, method, "--normal"),
    FIELD(normal_params, precision, "--precision", .help = "precision of uniform numbers, normals and distributions; "
          "f16 and bf16, of uniform numbers and normals, are rounded from f32", .more = "f16 bf16"),
    WORD_BITS_OPTION,
    FIELD(normal_params, numerics, "--numerics"),
    HEADING("Distribution, instead of --form (docs/random.md has the formulas):"),
    FIELD(variate_params, distribution, "--distribution"),
    DISTRIBUTION_OPTIONS,
    FIELD(variate_params, integers, "--integers"),
    FIELD(variate_params, alias, "--alias"),
    HEADING("Output and device:"),
    OPTION("--output", "FILE",
     "file to write, in the format of its name: .csv or .txt, text; .npy; .bin or .raw, the bytes of the "
     "numbers, also for a pipe or a device of any name; see 'Files' below; - (default) is raw to standard "
     "output", .letter = 'o'),
    OPTION("--format", "raw|npy|csv|txt", "format, if the file name does not give it"),
    OPTION("--json", NULL, "print the report as JSON to standard output"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    OPTION("--chunk-bytes", "B",
     "size of a chunk of work, with no effect on the output; default 1048576, for published sequences "
     "16777216"),
    OPTIONS_END,
};
/* clang-format on */

enum { DEPTH = 2, PLACES = DEPTH + 1 };

enum format { FORMAT_RAW, FORMAT_NPY, FORMAT_CSV, FORMAT_TXT };
static const char *const formats[] = {"raw", "npy", "csv", "txt", NULL};

struct request {
    struct draw draw;
    size_t element;
    uint64_t first, last; /* elements */
    uint64_t end;         /* the last element that there is */
    int endless, format;
    const char *path;
    uint64_t chunk_bytes;
    double *weights; /* of a discrete distribution; for free */
};

struct work {
    bailey_context *context;
    bailey_device device;
    int in_place;   /* the device works in host memory */
    uint64_t chunk; /* elements per chunk */
    struct {
        void *memory;
        bailey_buffer *buffer; /* of memory, where the device works there */
    } place[PLACES];
    bailey_buffer *buffer; /* else this one */
    struct output output;
    struct pump *pump;
};

/* ---- The request ---- */

static const char *precision_word(const struct request *r)
{
    if (!r->draw.halved) return option_precision(r->draw.normal.precision);
    return r->draw.half == BAILEY_HALF_FLOAT16 ? "f16" : "bf16";
}

static const char *form_word(const struct request *r)
{
    if (r->draw.bits) return r->draw.permuted ? "permutation" : "integers";
    return option_word_of("points_params", "form", r->draw.points.form);
}

/* Whether integers are written. */
static int is_whole(const struct request *r)
{
    return r->draw.points.form == BAILEY_POINTS_FORM_WORDS || r->draw.variate.integers;
}

static int read_weights(const struct arguments *a, struct request *r)
{
    bailey_variate_params *variate = &r->draw.variate;
    if (!a->value[WEIGHTS]) return CLI_OK;
    const uint64_t most = option_list_length(a->value[WEIGHTS]);
    r->weights = malloc(most * sizeof *r->weights);
    if (!r->weights) return cli_memory_error("--weights", most * sizeof *r->weights);
    variate->weights = r->weights;
    return option_list_f64(a, WEIGHTS, r->weights, most, &variate->weight_count);
}

/* A distribution has the form of normals. Parameters alone are those of a normal distribution. */
static int read_distribution(const struct arguments *a, struct request *r)
{
    for (int i = DISTRIBUTION; i <= ALIAS; i++) {
        if (!a->value[i]) continue;
        r->draw.distributed = 1;
        if (a->value[FORM] && r->draw.points.form != BAILEY_POINTS_FORM_NORMALS)
            return cli_error(CLI_USAGE, "%s: not with --form %s", options[i].name, form_word(r));
    }
    if (r->draw.distributed) r->draw.points.form = BAILEY_POINTS_FORM_NORMALS;
    const int code = read_weights(a, r);
    return code ? code : options_read_fields(a, "variate_params", &r->draw.variate);
}

/* Integers have the form of words. */
static int read_integers(const struct arguments *a, struct request *r)
{
    static const char *const sizes[] = {"32", "64", NULL};
    int wide = 0;
    struct draw *draw = &r->draw;
    const int integers = draw->points.form > BAILEY_POINTS_FORM_WORDS;
    draw->permuted = draw->points.form > BAILEY_POINTS_FORM_WORDS + 1;
    for (int i = BELOW; i <= BITS && !integers; i++)
        if (a->value[i])
            return cli_error(CLI_USAGE, "%s: only with --form integers or permutation", options[i].name);
    if (!integers) return CLI_OK;
    if (source_is_points(&draw->source))
        return cli_error(CLI_USAGE, "--form: integers are of a sequence, not of points; for points in a "
                                    "distribution see --distribution");
    if (!a->value[BELOW]) return cli_error(CLI_USAGE, "--form %s: --below N is required", a->value[FORM]);
    const int code = option_choice(a, BITS, sizes, &wide);
    draw->points.form = BAILEY_POINTS_FORM_WORDS;
    draw->bits = wide ? 64 : 32;
    const uint64_t most = !wide ? UINT64_C(1) << 32 : draw->permuted ? BAILEY_PERMUTATION_MAX : UINT64_MAX;
    return code ? code : option_u64(a, BELOW, 1, most, &draw->below);
}

/* And what not all forms have. */
static int read_form(const struct arguments *a, struct request *r)
{
    int code = options_read_fields(a, "points_params", &r->draw.points);
    if (!code) code = read_integers(a, r);
    if (!code) code = read_distribution(a, r);
    if (code) return code;
    if (!a->value[FORM] && !source_is_points(&r->draw.source) && !r->draw.distributed)
        r->draw.points.form = BAILEY_POINTS_FORM_WORDS;
    const bailey_points_form form = r->draw.points.form;
    const int words = form == BAILEY_POINTS_FORM_WORDS, normals = form == BAILEY_POINTS_FORM_NORMALS;
    const struct {
        int option, good;
        const char *why;
    } needs[] = {{NORMAL, normals, "makes no normals"},
                 {NUMERICS, normals, "is always exact"},
                 {WORD_BITS, !words || source_is_points(&r->draw.source),
                  r->draw.bits ? "takes other words" : "has words of 32 bits"},
                 {PRECISION, !words, "makes integers"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (a->value[needs[i].option] && !needs[i].good)
            return cli_error(CLI_USAGE, "%s: --form %s %s", options[needs[i].option].name, form_word(r),
                             needs[i].why);
    return CLI_OK;
}

/* Numbers of 16 bits are rounded from f32. */
static int read_halves(const struct arguments *a, struct request *r)
{
    struct draw *draw = &r->draw;
    draw->halved = draw->normal.precision > BAILEY_PRECISION_F64;
    if (!draw->halved) return CLI_OK;
    draw->half =
        draw->normal.precision == BAILEY_PRECISION_F64 + 1 ? BAILEY_HALF_FLOAT16 : BAILEY_HALF_BFLOAT16;
    draw->normal.precision = BAILEY_PRECISION_F32;
    if (source_is_points(&draw->source) || draw->distributed)
        return cli_error(CLI_USAGE, "--precision: %s is for uniform numbers and normals of a sequence",
                         a->value[PRECISION]);
    return CLI_OK;
}

static int read_range(const struct arguments *a, struct request *r)
{
    uint64_t count = 0;
    int code;
    r->last = r->end;
    if (r->draw.point_count) return CLI_OK;
    if ((code = option_u64(a, FIRST, 0, UINT64_MAX, &r->first))) return code;
    if (!a->value[COUNT]) return cli_error(CLI_USAGE, "--count N is required; inf means no end");
    if (r->first > r->end)
        return cli_error(CLI_USAGE, "--first: %s is beyond the last element, %s", cli_count(r->first),
                         cli_count(r->end));
    r->endless = !strcmp(a->value[COUNT], "inf");
    if (r->endless) return CLI_OK;
    if ((code = option_u64(a, COUNT, 1, UINT64_MAX, &count))) return code;
    if (count - 1 > r->end - r->first && r->draw.permuted)
        return cli_error(CLI_USAGE,
                         "--count: %s elements, starting at --first %s, exceed the permutation of %s",
                         cli_count(count), cli_count(r->first), cli_count(r->draw.below));
    if (count - 1 > r->end - r->first)
        return cli_error(CLI_USAGE,
                         "--count: %s elements, starting at --first %s, exceed the last element, 2^%d - 1",
                         cli_count(count), cli_count(r->first),
                         r->end == UINT64_MAX      ? 64
                         : r->end > UINT64_MAX / 4 ? 63
                                                   : 62);
    r->last = r->first + (count - 1);
    return CLI_OK;
}

/* 64 bits take two of 2^64 words; but generators that count make normals of blocks that have numbers of their
 * own. */
static uint64_t last_element(const struct draw *draw)
{
    if (draw->point_count) return draw->point_count * draw->points.dims - 1;
    if (draw->permuted) return draw->below - 1;
    if (draw->bits) return UINT64_MAX / (draw->bits / 16);
    bailey_source_kind kind = BAILEY_SOURCE_KIND_RUN;
    const int two =
        draw->points.form != BAILEY_POINTS_FORM_WORDS && source_bits(&draw->source, &draw->normal) == 64;
    bailey_source_check(&draw->source, &kind);
    return two && !(draw->points.form == BAILEY_POINTS_FORM_NORMALS && !draw->distributed &&
                    kind == BAILEY_SOURCE_KIND_COUNTER)
               ? UINT64_MAX / 2
               : UINT64_MAX;
}

static int is_text(const struct request *r) { return r->format == FORMAT_CSV || r->format == FORMAT_TXT; }

/* For a regular file, or one that does not exist yet, the name must say what it will hold. */
static int read_format(const struct arguments *a, struct request *r)
{
    static const char *const raw[] = {"bin", NULL};
    struct stat status;
    const int standard = !strcmp(r->path, "-");
    int code;
    r->format = -1;
    if (standard && a->value[JSON])
        return cli_error(CLI_USAGE,
                         "--json and --output - cannot be combined: both write to standard output");
    if (r->endless && a->value[JSON])
        return cli_error(CLI_USAGE, "--json and --count inf cannot be combined: no report follows");
    if ((code = option_choice(a, FORMAT, formats, &r->format)) || r->format >= 0) return code;
    r->format = option_ending(r->path, formats);
    if (r->format >= 0) return CLI_OK;
    if (!standard && option_ending(r->path, raw) < 0 && (stat(r->path, &status) || S_ISREG(status.st_mode)))
        return cli_error(CLI_USAGE,
                         "--output: '%s' does not end with .csv, .txt, .npy, .bin or .raw; add --format",
                         cli_printable(r->path));
    r->format = FORMAT_RAW;
    return CLI_OK;
}

/* The output is checked before anything is made: a terminal would show rubbish, a disk fill up. */
static int check_output(const struct request *r)
{
    struct stat status;
    const int standard = !strcmp(r->path, "-");
    if (r->draw.halved && (is_text(r) || (r->format == FORMAT_NPY && r->draw.half == BAILEY_HALF_BFLOAT16)))
        return cli_error(CLI_USAGE, "--precision: %s is written as %s, not as %s", precision_word(r),
                         r->draw.half == BAILEY_HALF_FLOAT16 ? "raw or npy" : "raw", formats[r->format]);
    if (standard && !is_text(r) && isatty(STDOUT_FILENO))
        return cli_error(CLI_USAGE, "--output: standard output is a terminal, which cannot show binary "
                                    "numbers; name a file, use a pipe or add --format txt");
    if (!r->endless) return CLI_OK;
    if (r->format == FORMAT_NPY)
        return cli_error(CLI_USAGE, "--count: inf has no length for the header of an .npy file");
    if (standard ? fstat(STDOUT_FILENO, &status) : stat(r->path, &status))
        return standard ? CLI_OK : cli_error(CLI_USAGE, "--count: inf would fill the disk with %s", r->path);
    if (S_ISREG(status.st_mode))
        return cli_error(CLI_USAGE, "--count: inf would fill the disk with %s",
                         standard ? "standard output, a file" : r->path);
    return CLI_OK;
}

static int read_points(const struct arguments *a, struct request *r)
{
    bailey_points_params *p = &r->draw.points;
    uint64_t elements;
    if (a->value[COUNT]) return cli_error(CLI_USAGE, "--count: not with sobol; see --points");
    if (!a->value[POINTS]) return cli_error(CLI_USAGE, "--points N is required");
    int code = option_u64(a, POINTS, 1, UINT64_MAX, &r->draw.point_count);
    if (!code) code = option_u64(a, FIRST, 0, UINT64_MAX, &r->draw.first_point);
    if (code) return code;
    if (!p->dims) p->dims = 1;
    if (p->form != BAILEY_POINTS_FORM_WORDS) p->precision = r->draw.normal.precision;
    if (p->first_dim + p->dims > BAILEY_POINTS_MAX_DIMS)
        return cli_error(CLI_USAGE, "--first-dim: %s and %s dimensions exceed the last, %s",
                         cli_count(p->first_dim), cli_count(p->dims), cli_count(BAILEY_POINTS_MAX_DIMS));
    if (r->draw.point_count - 1 > UINT64_MAX - r->draw.first_point)
        return cli_error(CLI_USAGE, "--points: there are only 2^64");
    if (!cli_multiply(r->draw.point_count, p->dims, &elements))
        return cli_error(CLI_USAGE, "--points: with --dims, more than 2^64 numbers");
    return CLI_OK;
}

static int refuse_points(const struct arguments *a)
{
    static const int of_points[] = {POINTS, DIMS, FIRST_DIM, LAYOUT};
    for (size_t i = 0; i < sizeof of_points / sizeof *of_points; i++)
        if (a->value[of_points[i]])
            return cli_error(CLI_USAGE, "%s: only --generator sobol has points", options[of_points[i]].name);
    return CLI_OK;
}

static int read_request(const struct arguments *a, struct request *r)
{
    int code;
    if ((code = source_read(a, &r->draw.source, &r->draw.normal)) || (code = read_form(a, r)) ||
        (code = read_halves(a, r)) ||
        (code = source_is_points(&r->draw.source) ? read_points(a, r) : refuse_points(a)))
        return code;
    r->element = draw_element(&r->draw);
    r->end = last_element(&r->draw);
    if ((code = read_range(a, r))) return code;
    /* chunks that stay in the processor's caches; but getting to a place in a published sequence takes as
     * long as making millions of bytes (4 ms for mt19937) */
    r->chunk_bytes = UINT64_C(1) << (r->draw.source.sequence == BAILEY_SEQUENCE_PUBLISHED ? 24 : 20);
    if ((code = option_u64(a, CHUNK_BYTES, 1, UINT64_C(1) << 40, &r->chunk_bytes))) return code;
    r->path = a->value[OUTPUT] ? a->value[OUTPUT] : "-";
    return (code = read_format(a, r)) ? code : check_output(r);
}

/* ---- Chunks ---- */

/* Chunks begin where segments do, so that no segment is computed twice. */
static uint64_t chunk_elements(const struct request *r, uint64_t bytes)
{
    const struct draw *draw = &r->draw;
    const uint64_t elements = bytes / r->element;
    if (draw->point_count) { /* whole rows: each chunk takes the same dimensions, for which there is a table
                              */
        const int by_point = draw->points.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
        const uint64_t row = by_point ? draw->points.dims : draw->point_count;
        if (elements >= row || by_point) return elements > row ? elements - elements % row : row;
    }
    if (elements >= BAILEY_RUN_WORDS) return elements - elements % BAILEY_RUN_WORDS;
    return elements ? elements : 1;
}

static int make_places(struct work *w, const struct request *r)
{
    uint64_t bytes = r->chunk_bytes;
    if (w->device.allocation_bytes && bytes > w->device.allocation_bytes) bytes = w->device.allocation_bytes;
    w->chunk = chunk_elements(r, bytes);
    bytes = w->chunk * r->element;
    w->in_place = !strncmp(w->device.address, "cpu", 3);
    int code = CLI_OK;
    for (int i = 0; i < PLACES && !code; i++) {
        /* whole cache lines from the start of one */
        w->place[i].memory = bytes < SIZE_MAX - 64 ? aligned_alloc(64, ((size_t)bytes + 63) / 64 * 64) : NULL;
        if (!w->place[i].memory) return cli_memory_error("a piece (--chunk-bytes)", bytes);
        if (w->in_place)
            code = cli_check(
                bailey_buffer_adopt_host(w->context, w->place[i].memory, bytes, &w->place[i].buffer),
                "memory of a piece");
    }
    if (!code && !w->in_place)
        code = cli_check(bailey_buffer_create(w->context, bytes, &w->buffer), "memory of a piece");
    return code;
}

static void free_places(struct work *w)
{
    for (int i = 0; i < PLACES; i++) {
        bailey_buffer_destroy(w->place[i].buffer);
        free(w->place[i].memory);
    }
    bailey_buffer_destroy(w->buffer);
}

/* Elements first .. first + count - 1 into a place. */
static int make_chunk(const struct arguments *a, struct work *w, const struct request *r, uint64_t first,
                      uint64_t count, unsigned place)
{
    bailey_status status =
        draw_make(w->context, &r->draw, first, count, w->in_place ? w->place[place].buffer : w->buffer);
    if (!status && !w->in_place)
        status = bailey_buffer_read(w->buffer, 0, w->place[place].memory, count * r->element);
    else if (!status)
        status = bailey_context_sync(w->context);
    return options_check(a, status, bailey_generator_name(r->draw.source.generator));
}

/* ---- Output ---- */

static int write_head(struct work *w, const struct request *r, uint64_t count)
{
    char header[NPY_HEADER_MAX];
    const char *type = r->draw.halved    ? "<f2"
                       : is_whole(r)     ? (r->element == 8 ? "<u8" : "<u4")
                       : r->element == 8 ? "<f8"
                                         : "<f4";
    const int by_point = r->draw.points.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    const uint64_t dims = r->draw.points.dims;
    const uint64_t shape[2] = {by_point ? r->draw.point_count : dims, by_point ? dims : r->draw.point_count};
    if (r->format == FORMAT_CSV) return output_write(&w->output, "value\n", 6);
    if (r->format != FORMAT_NPY) return CLI_OK;
    return output_write(&w->output, header,
                        r->draw.point_count ? npy_header(header, type, shape, 2)
                                            : npy_header(header, type, &count, 1));
}

static int begin_output(struct work *w, const struct request *r)
{
    const uint64_t count = r->last - r->first + 1;
    const pump_writer writer = !is_text(r)       ? output_write
                               : is_whole(r)     ? (r->element == 8 ? lines_u64 : lines_u32)
                               : r->element == 8 ? lines_f64
                                                 : lines_f32;
    /* a number's line is longer than twice its bytes, except for very few */
    const uint64_t bytes_each = is_text(r) ? 2 * r->element : r->element;
    uint64_t bytes = 0;
    int code;
    if (!r->endless && !cli_multiply(count, bytes_each, &bytes))
        return cli_error(CLI_USAGE, "--count: %s numbers exceed 2^64 bytes", cli_count(count));
    /* a stream may have more bytes than a file */
    const int file = strcmp(r->path, "-") != 0 || bytes <= INT64_MAX;
    if ((code = output_open(&w->output, r->path, file ? bytes : 0)) || (code = write_head(w, r, count)))
        return code;
    return pump_start(&w->pump, &w->output, writer, DEPTH);
}

static int generate(const struct arguments *a, struct work *w, const struct request *r)
{
    struct cli_progress progress;
    uint64_t first = r->first;
    int code = CLI_OK, done = 0;
    cli_progress_start(&progress, "numbers");
    for (unsigned place = 0; !code && !done; place = (place + 1) % PLACES) {
        /* as differences of element numbers: all 2^64 elements are one more than their count can be */
        const uint64_t room = w->chunk - first % w->chunk - 1, left = r->last - first;
        const uint64_t count = (left < room ? left : room) + 1;
        code = make_chunk(a, w, r, first, count, place);
        /* only now: a request that the library refuses harms no file */
        if (!code && !w->pump) code = begin_output(w, r);
        if (!code && !pump_put(w->pump, w->place[place].memory, count * r->element)) break;
        done = left == count - 1;
        first += count;
        if (!r->endless) cli_progress_update(&progress, first - r->first, r->last - r->first + 1);
    }
    cli_progress_end(&progress);
    const int written = pump_end(w->pump);
    w->pump = NULL;
    return code ? code : written;
}

static void add_line(struct document *d, const struct work *w, const struct request *r, uint64_t bytes,
                     double seconds)
{
    static const char *const nouns[] = {"uniform number", "normal", "word"};
    const uint64_t count = r->last - r->first + 1;
    const uint32_t bits = r->draw.normal.word_bits;
    const int words = r->draw.points.form == BAILEY_POINTS_FORM_WORDS;
    const char *noun = r->draw.permuted ? "permuted integer"
                       : r->draw.bits   ? "integer"
                                        : nouns[r->draw.points.form];
    document_line(d, "%s: %s %s%s of %s (%s)%s%s%s, %s, %.3f s, %.2f GB/s on %s", r->path, cli_count(count),
                  r->draw.distributed ? "variate" : noun, count == 1 ? "" : "s",
                  bailey_generator_name(r->draw.source.generator),
                  bailey_generator_verdict(r->draw.source.generator), words ? "" : ", ",
                  words ? "" : precision_word(r),
                  words || !bits ? ""
                  : bits == 64   ? " from 64 bits"
                                 : " from 32 bits",
                  cli_bytes(bytes), seconds, (double)bytes / seconds * 1e-9, w->device.address);
}

static void add_numbers(const struct arguments *a, struct document *d, const struct request *r)
{
    const struct draw *draw = &r->draw;
    const int words = draw->points.form == BAILEY_POINTS_FORM_WORDS;
    if (draw->point_count) document_count(d, "points", draw->point_count);
    document_count(d, "first", draw->point_count ? draw->first_point : r->first);
    document_text(d, "form", form_word(r));
    if (draw->point_count) document_fields(d, "points_params", &draw->points, "layout first_dim dims");
    if (draw->bits) document_count(d, "bits", draw->bits);
    if (draw->bits) document_count(d, "below", draw->below);
    document_count(d, "word_bits",
                   draw->permuted                ? 32
                   : draw->bits                  ? 2 * draw->bits
                   : words && !draw->point_count ? 32
                                                 : source_bits(&draw->source, &draw->normal));
    if (!words) document_text(d, "precision", precision_word(r));
    if (draw->distributed) document_fields(d, "variate_params", &draw->variate, "distribution");
    if (draw->variate.weights) document_fields(d, "variate_params", &draw->variate, "weight_count");
    for (int i = MEAN; i <= ALIAS; i++)
        if (a->value[i] && i != WEIGHTS)
            document_fields(d, "variate_params", &draw->variate, options[i].field);
    if (draw->points.form != BAILEY_POINTS_FORM_NORMALS) return;
    document_text(d, "normal", option_word_of("normal_params", "method", draw->normal.method));
    document_fields(d, "normal_params", &draw->normal, "numerics");
}

static int report(const struct arguments *a, const struct work *w, const struct request *r, uint64_t bytes,
                  double seconds)
{
    struct document *d = document_new();
    if (r->draw.point_count)
        report_warn_of_points(d, &r->draw.source, r->draw.first_point, r->draw.point_count);
    if (strcmp(r->path, "-")) add_line(d, w, r, bytes, seconds);
    document_text(d, "output", r->path);
    document_text(d, "format", formats[r->format]);
    document_count(d, "bytes", bytes);
    document_count(d, "count", r->last - r->first + 1);
    report_source(d, &r->draw.source);
    add_numbers(a, d, r);
    report_device(d, &w->device);
    const int code = document_print(d, a->value[JSON] != NULL);
    document_free(d);
    return code;
}

static int random_with(const struct arguments *a, const struct request *r, struct work *w)
{
    int code = open_device(a, a->value[DEVICE], &w->context, &w->device);
    if (!code) code = make_places(w, r);
    const double started = cli_seconds();
    if (!code) code = generate(a, w, r);
    /* who asked for no end wanted it to be the reader's; any other reader has got less than was asked for */
    if (w->output.reader_gone) return r->endless ? CLI_OK : CLI_FAILED;
    const uint64_t bytes = w->output.end;
    if (!code) code = output_commit(&w->output);
    const double seconds = cli_seconds() - started;
    return code ? code : report(a, w, r, bytes, seconds);
}

static int run(const struct arguments *a)
{
    struct request request = {0};
    struct work work = {0};
    int code = read_request(a, &request);
    /* a reader that goes away is an end like any other, see random_with */
    signal(SIGPIPE, SIG_IGN);
    if (!code) code = random_with(a, &request, &work);
    output_abandon(&work.output);
    free_places(&work);
    bailey_context_destroy(work.context);
    free(request.weights);
    return code;
}

const struct command command_random = {
    .name = "random",
    .summary = "write random words, uniform numbers, normals or other distributions",
    .usage = "--count N|inf  [--generator NAME] [--output FILE]  [options]\n"
             "       bailey random --generator sobol --points N  [--dims D] [--output FILE]  [options]",
    .about = "Writes random words, uniform numbers, normals or other distributions to a file or a pipe, for "
             "NumPy, a\n"
             "spreadsheet or a test battery. The same options give the same bytes on every device.",
    .examples =
        "  bailey random --generator warp --seed 1 --count inf | RNG_test stdin32\n"
        "      a stream for PractRand, until it stops reading\n"
        "  bailey random --generator mt19937 --sequence published --seed 5489 --count 1000 -o mt.npy\n"
        "      numpy.load('mt.npy') has the first words of std::mt19937\n"
        "  bailey random --seed 7 --stream 3 --first 1e9 --count 1e6 --form normals --precision f64 -o "
        "z.bin\n"
        "      a million normals from the middle of a sequence: numpy.fromfile('z.bin', '<f8')\n"
        "  bailey random --count 1000 --distribution gumbel --location 2 --scale 0.5 -o g.csv\n"
        "      variates of a Gumbel distribution\n"
        "  bailey random --count 1000 --distribution poisson --mean 3 --integers -o n.npy\n"
        "      numpy.load('n.npy') has Poisson variates, as integers of 32 bits\n"
        "  bailey random --count 1000 --form integers --below 6 -o dice.npy\n"
        "      integers from 0 to 5\n"
        "  bailey random --count 100 --form permutation --below 1e6 --seed 3 -o sample.npy\n"
        "      100 of a million numbers, without replacement\n"
        "  bailey random --count 1000 --form normals -o z.csv\n"
        "      for a spreadsheet: pandas.read_csv('z.csv')['value']\n"
        "  bailey random --generator sobol --dims 64 --points 65536 --form uniforms --precision f64 -o "
        "u.npy\n"
        "      numpy.load('u.npy') has the shape (65536, 64): the points of scipy.stats.qmc.Sobol, at cell "
        "midpoints\n"
        "  bailey random --count 16 --form uniforms --format txt\n"
        "      a few numbers on the terminal\n"
        "\n"
        "Files:\n"
        "  .csv: text, one number per line after the header row 'value'; .txt: the same without a header "
        "row, for\n"
        "      numpy.loadtxt. Numbers have the fewest digits that read back as the same value.\n"
        "  .npy: an array of '<u4', '<u8', '<f4' or '<f8', with one axis, or two for points. .bin, .raw: "
        "the\n"
        "      numbers without a header, little-endian.\n"
        "  A file appears under its name when it is complete.\n"
        "\n"
        "Pipes:\n"
        "  If the reader closes the pipe, the exit code is 0 with --count inf, else 1, and nothing is "
        "printed.\n",
    .options = options,
    .run = run,
    .more_help = generators_help,
};
