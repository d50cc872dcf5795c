/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * draw_c.c's call price in CUDA: a kernel of your own that draws where it uses the numbers. Prints the digits
 * of draw_c.
 *
 * The library gives the table of the inverse CDF: nvcc --fmad=false draw_cuda.cu -lbailey
 */
#include <bailey/advanced.h>
#include <bailey/device/math.h>
#include <bailey/device/normal.h>
#include <bailey/device/xorwow.h>

#include <stdio.h>

enum { ITEMS = 2048, PATHS = 1024 /* an item */ };

/* max(S - 105, 0) at time 1, for S = 100 exp(0.03 + 0.2 Z). */
__device__ float payoff(const float *table, bailey_uint32 word)
{
    const float growth = bailey_exp_f32(bailey_fma_f32(0.2f, bailey_normal_icdf_f32(table, word), 0.03f));
    const float gain = bailey_fma_f32(100.0f, growth, -105.0f);
    return gain < 0.0f ? 0.0f : gain;
}

__global__ void call(bailey_uint64 seed, const float *__restrict__ table, float *xorwow, float *philox)
{
    const bailey_uint32 item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= ITEMS) return;
    bailey_xorwow g = bailey_xorwow_start(seed, 0, item / BAILEY_RUN_LANES, item % BAILEY_RUN_LANES);
    float sum = 0.0f;
    for (int i = 0; i < PATHS; i++) sum += payoff(table, bailey_xorwow_next(&g));
    xorwow[item] = sum;
    sum = 0.0f;
    for (bailey_uint32 i = 0; i < PATHS / 4; i++) {
        const bailey_uint64 block = (bailey_uint64)item * (PATHS / 4) + i;
        const bailey_philox_block b = bailey_philox_words4(seed, 0, block);
        for (int j = 0; j < 4; j++) sum += payoff(table, b.word[j]);
    }
    philox[item] = sum;
}

int main()
{
    static const char *const names[2] = {"xorwow", "philox"};
    static float sums[2][ITEMS];
    size_t bytes = 0;
    const void *data = bailey_normal_table_data(BAILEY_PRECISION_F32, &bytes);
    float *memory = NULL, *table = NULL;
    cudaError_t error = cudaMalloc(&memory, sizeof sums);
    if (error == cudaSuccess) error = cudaMalloc(&table, bytes);
    if (error == cudaSuccess) error = cudaMemcpy(table, data, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        call<<<ITEMS / 128, 128>>>(42, table, memory, memory + ITEMS);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) error = cudaMemcpy(sums, memory, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    cudaFree(table);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 1;
    }
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int k = 0; k < ITEMS; k++) sum += (double)sums[i][k];
        printf("%-7s %.15f\n", names[i], 0.951229424500714 * sum / ((double)ITEMS * PATHS));
    }
    printf("exact   8.021352235143176\n"); /* Black and Scholes */
    return 0;
}
