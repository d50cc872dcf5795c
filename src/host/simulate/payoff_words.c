/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What words and numbers mean in every payoff. A name that any of the compilers reserves is refused for all:
 * a text means the same everywhere or nothing.
 */
#define _GNU_SOURCE /* uselocale */
#include "payoff_scan.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {"if",      "else",  "for",      "while",  "do",      "switch", "case",
                                       "default", "break", "continue", "return", "sizeof",  "struct", "enum",
                                       "typedef", "const", "static",   "inline", "defined", NULL};
static const char *const types[] = {"real",   "int",   "int32", "uint32", "int64", "uint64",
                                    "params", "state", "path",  "noise",  "void",  NULL};
static const char *const sizes[] = {"DIMS", "STEPS", "LEVELS", NULL};
static const char *const library[] = {"exp",   "log",  "sqrt", "pow", "fabs", "fmin",       "fmax",
                                      "floor", "ceil", "fma",  "at",  "time", "normal_cdf", NULL};

static const char *const use_real[] = {"double", "float", "half", "_Float16", "_Float32", "_Float64", NULL};
static const char *const use_int[] = {"short",    "char",    "signed",  "bool",    "_Bool",
                                      "int8_t",   "int16_t", "int32_t", "uint8_t", "uint16_t",
                                      "wchar_t",  "ushort",  "uchar",   "char8_t", "char16_t",
                                      "char32_t", "true",    "false",   NULL};
static const char *const use_int64[] = {"long",    "int64_t",  "intptr_t", "ptrdiff_t",
                                        "ssize_t", "longlong", "intmax_t", NULL};
static const char *const use_uint32[] = {"unsigned", "uint", "uint32_t", NULL};
static const char *const use_uint64[] = {"size_t",    "ulong",     "uint64_t", "uintptr_t",
                                         "uintmax_t", "ulonglong", NULL};
/* Of C, C++, CUDA and OpenCL C; and macros that their headers define, or that compilers do. */
static const char *const reserved[] = {"auto",
                                       "register",
                                       "volatile",
                                       "extern",
                                       "goto",
                                       "union",
                                       "restrict",
                                       "asm",
                                       "typeof",
                                       "typeof_unqual",
                                       "alignas",
                                       "alignof",
                                       "and",
                                       "and_eq",
                                       "bitand",
                                       "bitor",
                                       "catch",
                                       "class",
                                       "co_await",
                                       "co_return",
                                       "co_yield",
                                       "compl",
                                       "concept",
                                       "consteval",
                                       "constexpr",
                                       "constinit",
                                       "const_cast",
                                       "decltype",
                                       "delete",
                                       "dynamic_cast",
                                       "explicit",
                                       "export",
                                       "friend",
                                       "mutable",
                                       "namespace",
                                       "new",
                                       "noexcept",
                                       "not",
                                       "not_eq",
                                       "nullptr",
                                       "operator",
                                       "or",
                                       "or_eq",
                                       "private",
                                       "protected",
                                       "public",
                                       "reinterpret_cast",
                                       "requires",
                                       "static_assert",
                                       "static_cast",
                                       "template",
                                       "this",
                                       "thread_local",
                                       "throw",
                                       "try",
                                       "typeid",
                                       "typename",
                                       "using",
                                       "virtual",
                                       "xor",
                                       "xor_eq",
                                       "global",
                                       "local",
                                       "constant",
                                       "kernel",
                                       "generic",
                                       "pipe",
                                       "read_only",
                                       "write_only",
                                       "read_write",
                                       "uniform",
                                       "sampler_t",
                                       "event_t",
                                       "queue_t",
                                       "clk_event_t",
                                       "ndrange_t",
                                       "reserve_id_t",
                                       "dim3",
                                       "threadIdx",
                                       "blockIdx",
                                       "blockDim",
                                       "gridDim",
                                       "warpSize",
                                       "linux",
                                       "unix",
                                       "i386",
                                       "NULL",
                                       "NAN",
                                       "INFINITY",
                                       "HUGE_VAL",
                                       "HUGE_VALF",
                                       "HUGE_VALL",
                                       "MAXFLOAT",
                                       "SNAN",
                                       "SNANF",
                                       "errno",
                                       "math_errhandling",
                                       NULL};
static const char *const prefixes[] = {"__",  "bly_", "bailey_", "BLY_", "BAILEY_", "M_",   "FLT_", "DBL_",
                                       "FP_", "CL_",  "cl_",     "CLK_", "cuda",    "CUDA", NULL};
static const char *const elements[] = {"char",  "uchar",  "short", "ushort",   "int",
                                       "uint",  "long",   "ulong", "longlong", "ulonglong",
                                       "float", "double", "half",  "bool",     NULL};
static const char *const widths[] = {"1", "2", "3", "4", "8", "16", NULL};

static int is_among(const struct bly_word *word, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == word->length && memcmp(word->text, *list, word->length) == 0) return 1;
    return 0;
}

static int begins_with(const struct bly_word *word, const char *prefix)
{
    const size_t length = strlen(prefix);
    return word->length >= length && memcmp(word->text, prefix, length) == 0;
}

/* float4, and images, of which there are many. */
static int is_vector_or_image(const struct bly_word *word)
{
    if (begins_with(word, "image") && word->length > 2 && memcmp(word->text + word->length - 2, "_t", 2) == 0)
        return 1;
    for (const char *const *element = elements; *element; element++) {
        const size_t length = strlen(*element);
        if (!begins_with(word, *element)) continue;
        const struct bly_word rest = {.text = word->text + length, .length = word->length - (uint32_t)length};
        if (is_among(&rest, widths)) return 1;
    }
    return 0;
}

static int is_reserved(const struct bly_word *word)
{
    for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (begins_with(word, *prefix)) return 1;
    return is_among(word, reserved) || is_vector_or_image(word) ||
           (word->length > 1 && word->text[0] == '_' && word->text[1] >= 'A' && word->text[1] <= 'Z');
}

static const char *advice_for(const struct bly_word *word)
{
    if (is_among(word, use_real)) return "is not offered; write real";
    if (is_among(word, use_int)) return "is not offered; write int, with 0 and 1 for false and true";
    if (is_among(word, use_int64)) return "is not offered; write int64";
    if (is_among(word, use_uint32)) return "is not offered; write uint32";
    if (is_among(word, use_uint64)) return "is not offered; write uint64";
    return is_reserved(word) ? "is reserved: a word of C, C++, CUDA or OpenCL, or of the library" : NULL;
}

void bly_word_classify(struct bly_word *word)
{
    word->advice = advice_for(word);
    word->flags = word->advice               ? BLY_WORD_REFUSED
                  : is_among(word, keywords) ? BLY_WORD_KEYWORD
                  : is_among(word, types)    ? BLY_WORD_TYPE
                  : is_among(word, sizes)    ? BLY_WORD_SIZE
                  : is_among(word, library)  ? BLY_WORD_LIBRARY
                                             : 0;
}

#define DECIMAL "0123456789"
#define HEX "0123456789abcdefABCDEF"

/* The end of an exponent at p, or p where there is none. */
static const char *after_exponent(const char *p, const char *letters)
{
    if (!*p || !strchr(letters, *p)) return p;
    const char *digits = p + 1 + (p[1] == '+' || p[1] == '-'), *end = digits + strspn(digits, DECIMAL);
    return end > digits ? end : p;
}

/* The end of a floating literal without its suffix, or NULL. *zero: all digits before the exponent are 0. */
static const char *after_real(const char *text, int *zero)
{
    const int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? HEX : DECIMAL, *begin = text + (hex ? 2 : 0),
               *whole = begin + strspn(begin, digits), *p = whole;
    if (*p == '.') p += 1 + strspn(p + 1, digits);
    const int point = p > whole, count = (int)(p - begin) - point;
    const char *end = after_exponent(p, hex ? "pP" : "eE");
    *zero = begin + strspn(begin, "0.") >= p;
    return count == 0 || (end == p && (hex || !point)) ? NULL : end;
}

/* Whether a literal becomes a normal number, or was 0. The point is '.', whatever the program's locale. */
static int is_in_range(const char *text, bailey_precision precision, int zero)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = plain ? uselocale(plain) : (locale_t)0;
    const int f32 = precision == BAILEY_PRECISION_F32;
    const double value = f32 ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (plain) {
        uselocale(callers);
        freelocale(plain);
    }
    return zero || (isfinite(value) && value >= (f32 ? (double)FLT_MIN : DBL_MIN));
}

/* The end of an integer literal without its suffix, or NULL; its value, at most 2^32. */
static const char *after_integer(const char *text, uint64_t *value)
{
    const int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X'), octal = !hex && text[0] == '0';
    const char *begin = text + (hex ? 2 : 0), *digits = hex ? HEX : octal ? "01234567" : DECIMAL;
    const char *end = begin + strspn(begin, digits);
    const uint64_t base = hex ? 16 : octal ? 8 : 10;
    *value = 0;
    for (const char *p = begin; p < end; p++) {
        const char lower = (char)(*p | 0x20);
        *value = *value * base + (uint64_t)(*p <= '9' ? *p - '0' : lower - 'a' + 10);
        if (*value > UINT32_MAX) *value = (uint64_t)UINT32_MAX + 1;
    }
    return end > begin ? end : NULL;
}

static void copy_number(const struct bly_token *token, char text[256])
{
    memcpy(text, token->text, token->length);
    text[token->length] = 0;
}

int bly_number_plain(const struct bly_token *token, uint32_t *value)
{
    char text[256];
    uint64_t wide;
    if (token->kind != BLY_TOKEN_NUMBER) return 0;
    copy_number(token, text);
    const char *end = after_integer(text, &wide);
    *value = (uint32_t)wide;
    return end && !*end && wide <= INT32_MAX;
}

static bailey_status check_integer(const struct bly_scan *scan, const struct bly_token *token,
                                   const char *text)
{
    uint64_t value;
    const char *end = after_integer(text, &value);
    if (end && strspn(end, "uUlL") == strlen(end) && strpbrk(end, "lL"))
        return bly_refuse(scan, token->line, "%s: the suffix L is not offered; write (int64)%.*s", text,
                          (int)(end - text), text);
    if (!end || (*end && (strspn(end, "uU") != 1 || end[1])))
        return bly_refuse(scan, token->line, "%s is not a number", text);
    if (value > UINT32_MAX || (!*end && value > INT32_MAX))
        return bly_refuse(scan, token->line, "%s does not fit %s", text,
                          *end ? "uint32" : "int: it exceeds 2147483647");
    return BAILEY_OK;
}

bailey_status bly_number_check(const struct bly_scan *scan, struct bly_token *token)
{
    char text[256];
    int zero;
    copy_number(token, text);
    const char *end = after_real(text, &zero);
    if (!end) return check_integer(scan, token, text);
    if (*end && (!strchr("fFlL", *end) || end[1]))
        return bly_refuse(scan, token->line, "%s is not a number", text);
    const size_t length = (size_t)(end - text);
    text[length] = 0;
    if (!is_in_range(text, scan->precision, zero))
        return bly_refuse(scan, token->line, "%s is beyond what %s holds", text,
                          scan->precision == BAILEY_PRECISION_F32 ? "a single-precision number"
                                                                  : "a double-precision number");
    token->real = 1;
    token->length = (uint32_t)length; /* without its suffix */
    return BAILEY_OK;
}
