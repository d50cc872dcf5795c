/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Eigenvalues by Jacobi's method, because it is short and as accurate as any: rotations in the plane of two
 * axes make the entry between them zero, one pair of axes after the other, until all entries off the diagonal
 * are. G. Golub, C. Van Loan, "Matrix Computations", 4th ed., section 8.5.
 */
#include "source.h"

#include <bailey/bailey.h>

#include <math.h>

enum { SWEEPS = 30 }; /* convergence is quadratic: a few beyond log2(dims) are enough */

/* The rotation that makes a[p][q] zero. */
static void angle(const double *a, uint32_t dims, uint32_t p, uint32_t q, double *cosine, double *sine)
{
    const double tau = (a[q * dims + q] - a[p * dims + p]) / (2 * a[p * dims + q]);
    const double tangent = (tau < 0 ? -1 : 1) / (fabs(tau) + sqrt(1 + tau * tau));
    *cosine = 1 / sqrt(1 + tangent * tangent);
    *sine = tangent * *cosine;
}

/* Turns columns p and q, `rows` long, or with the strides exchanged rows. */
static void turn(double *p, double *q, uint32_t rows, uint32_t stride, double cosine, double sine)
{
    for (uint32_t i = 0; i < rows; i++) {
        const double x = p[i * stride], y = q[i * stride];
        p[i * stride] = cosine * x - sine * y;
        q[i * stride] = sine * x + cosine * y;
    }
}

/* Whether a[p][q] still matters compared with the diagonal. */
static int matters(const double *a, uint32_t dims, uint32_t p, uint32_t q)
{
    const double size = fabs(a[p * dims + p]) + fabs(a[q * dims + q]);
    return size + fabs(a[p * dims + q]) != size;
}

static int sweep(double *a, double *v, uint32_t dims)
{
    int turned = 0;
    for (uint32_t p = 0; p < dims; p++)
        for (uint32_t q = p + 1; q < dims; q++) {
            double cosine, sine;
            if (!matters(a, dims, p, q)) continue;
            angle(a, dims, p, q, &cosine, &sine);
            turn(a + p, a + q, dims, dims, cosine, sine);
            turn(a + p * dims, a + q * dims, dims, 1, cosine, sine);
            turn(v + p * dims, v + q * dims, dims, 1, cosine, sine);
            turned = 1;
        }
    return turned;
}

void bly_eigen(double *a, uint32_t dims, double *vectors)
{
    for (uint32_t i = 0; i < dims * dims; i++) vectors[i] = i % (dims + 1) == 0;
    for (int i = 0; i < SWEEPS && sweep(a, vectors, dims); i++) continue;
}

double bly_eigen_smallest(double *a, uint32_t dims, double *vector)
{
    double v[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS];
    uint32_t least = 0;
    bly_eigen(a, dims, v);
    for (uint32_t i = 1; i < dims; i++)
        if (a[i * dims + i] < a[least * dims + least]) least = i;
    for (uint32_t i = 0; i < dims; i++) vector[i] = v[least * dims + i];
    return a[least * dims + least];
}
