# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Builds the clone it lies in, as it was committed to the branch main:

spack repo add packaging/spack && spack install bailey
"""
import pathlib

from spack.package import *


class Bailey(CMakePackage):
    """Random numbers, Brownian paths and Monte Carlo prices: the same bits on every accelerator."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("cuda", default=False, description="The CUDA backend")
    variant("mpi", default=False, description="bailey-mpi, jobs over the ranks of MPI")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("opencl-c-headers", type="build")
    depends_on("jansson")
    depends_on("cuda", when="+cuda")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define_from_variant("BAILEY_CUDA", "cuda"),
            self.define_from_variant("BAILEY_MPI", "mpi"),
            self.define("BAILEY_PYTHON", False),
            self.define("BAILEY_BUILD_TESTS", False),
            self.define("BAILEY_BUILD_EXAMPLES", False),
        ]
