/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include <bailey/simulation.h>

#include <math.h>

#define NORMAL_975 1.959963984540054

/* Student's quantile of 97.5 %: up to 20 degrees of freedom a table (SciPy 1.15, stats.t.ppf), above it the
 * expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5), which is within 2e-7 there. */
double bailey_student_95(uint64_t freedom)
{
    static const double table[] = {12.7062047361747, 4.30265272974946, 3.18244630528371, 2.77644510519779,
                                   2.57058183563631, 2.44691185114498, 2.36462425159278, 2.30600413520417,
                                   2.2621571627982,  2.22813885198627, 2.20098516009164, 2.17881282966723,
                                   2.16036865646279, 2.1447866879178,  2.13144954555978, 2.11990529922125,
                                   2.10981557783332, 2.10092204024104, 2.09302405440831, 2.08596344726586};
    const double z = NORMAL_975, y = z * z, n = (double)freedom;
    if (freedom == 0) return NAN;
    if (freedom <= sizeof table / sizeof *table) return table[freedom - 1];
    const double first = (y + 1) / 4, second = fma(fma(5, y, 16), y, 3) / 96,
                 third = fma(fma(fma(3, y, 19), y, 17), y, -15) / 384,
                 fourth = fma(fma(fma(fma(79, y, 776), y, 1482), y, -1920), y, -945) / 92160;
    const double sum = (first + (second + (third + fourth / n) / n) / n) / n;
    return fma(z, sum, z);
}
