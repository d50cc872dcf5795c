/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The fewest digits that read back as the same number, as printf's %g writes them.
 */
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What %g needs: `fewest` digits are always too few to tell two numbers from a third, `most` always do. */
struct width {
    int bits, fewest, most;
};
static const struct width of_float = {24, 6, 9}, of_double = {53, 15, 17};

/* Any number, by printf and strtod. */
static void by_trial(char *text, size_t size, double value, const struct width *w)
{
    char trial[32];
    for (int digits = w->fewest; digits <= w->most; digits++) {
        snprintf(trial, sizeof trial, "%.*g", digits, value);
        if (w->most == 9 ? strtof(trial, NULL) == (float)value : strtod(trial, NULL) == value) break;
    }
    snprintf(text, size, "%s", trial);
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

/* Writes decimal 10^-places without zeros at its end. */
static void write_decimal(char *text, int negative, uint64_t decimal, int places)
{
    char reversed[32];
    int length = 0;
    for (; places > 0 && decimal % 10 == 0; places--) decimal /= 10;
    for (int n = 0; n <= places || decimal; n++) {
        if (n && n == places) reversed[length++] = '.';
        reversed[length++] = (char)('0' + decimal % 10);
        decimal /= 10;
    }
    if (negative) *text++ = '-';
    while (length) *text++ = reversed[--length];
    *text = 0;
}

/* The same text, ten times as fast, of most numbers from 1e-4 to 1e5; false for the others. With m 2^e for
 * the number, integers hold m 5^places and 5^places / 2, the distance to the middle between two numbers,
 * exactly. */
static int by_whole_numbers(char *text, double value, const struct width *w)
{
    static const double powers[] = {1e-3, 1e-2, 1e-1, 1, 10, 100, 1000, 10000};
    const double size = fabs(value);
    int exponent, places = w->most + 3;
    if (!(size >= 1e-4 && size < 1e5)) return 0;
    const uint64_t m = (uint64_t)ldexp(frexp(size, &exponent), w->bits);
    if (!(m & (m - 1))) return 0; /* a power of two: the number below it is nearer */
    for (size_t i = 0; i < sizeof powers / sizeof *powers && size >= powers[i]; i++) places--;
    wide five = 1;
    for (int i = 0; i < places; i++) five *= 5;
    const int shift = w->bits - exponent - places; /* number 10^places = m 5^places / 2^shift */
    const wide scaled = m * five;
    uint64_t unit = 1; /* 10^dropped */
    int dropped = w->most - w->fewest;
    for (int i = 0; i < dropped; i++) unit *= 10;
    for (; unit; unit /= 10, dropped--) {
        const wide step = (wide)unit << shift;
        uint64_t decimal = (uint64_t)(scaled >> shift) / unit;
        wide off = scaled - decimal * step;
        if (2 * off == step) return 0;
        if (2 * off > step) {
            decimal++;
            off = step - off;
        }
        if (2 * off == five) return 0;
        if (2 * off > five) continue;
        write_decimal(text, value < 0, decimal, places - dropped);
        return 1;
    }
    return 0;
}

#else

static int by_whole_numbers(char *text, double value, const struct width *w)
{
    (void)text, (void)value, (void)w;
    return 0;
}

#endif

void cli_shortest_f32(char *text, size_t size, float value)
{
    if (!by_whole_numbers(text, (double)value, &of_float)) by_trial(text, size, (double)value, &of_float);
}

void cli_shortest_f64(char *text, size_t size, double value)
{
    if (!by_whole_numbers(text, value, &of_double)) by_trial(text, size, value, &of_double);
}

double cli_element(const void *array, size_t element, uint64_t index)
{
    return element == 8 ? ((const double *)array)[index] : (double)((const float *)array)[index];
}

void cli_element_text(char *text, size_t size, const void *array, size_t element, uint64_t index)
{
    if (element == 8)
        cli_shortest_f64(text, size, ((const double *)array)[index]);
    else
        cli_shortest_f32(text, size, ((const float *)array)[index]);
}
