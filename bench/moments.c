/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Mean and variance against their bounds, for normals that nothing else can check.
 */
#include "moments.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdio.h>

int moments_good(const void *values, uint64_t count, size_t element, char *why, size_t why_size)
{
    const float *single = values;
    const double *twice = values;
    const double n = (double)count;
    const uint64_t bad = cli_not_finite(values, count, element);
    double sum = 0, squares = 0;
    if (bad < count) {
        snprintf(why, why_size, "number %s of them is not finite, or was not written", cli_count(bad));
        return 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        const double value = element == 8 ? twice[i] : (double)single[i];
        sum += value;
        squares += value * value;
    }
    /* The sum is normal: beyond 6.2 standard deviations with a probability of 6e-10. For chi-square, the
     * bounds of Laurent and Massart, Annals of Statistics 28 (2000), lemma 1, with x = 20: exp(-20) on each
     * side. */
    const double wide = 2 * sqrt(20 * n);
    if (fabs(sum) > 6.2 * sqrt(n))
        snprintf(why, why_size, "the mean of %s is %.4f", cli_count(count), sum / n);
    else if (squares > n + wide + 40 || squares < n - wide)
        snprintf(why, why_size, "the mean square of %s is %.4f", cli_count(count), squares / n);
    else
        return 1;
    return 0;
}
