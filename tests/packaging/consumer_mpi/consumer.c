/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include <bailey/mpi.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    uint64_t first = 0;
    MPI_Init(&argc, &argv);
    const uint64_t count = bailey_mpi_share(MPI_COMM_WORLD, 7, &first);
    printf("share %llu of %llu\n", (unsigned long long)first, (unsigned long long)count);
    MPI_Finalize();
    return 0;
}
