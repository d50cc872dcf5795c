# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# An overlay port that builds the tree it lies in:
#     vcpkg install bailey --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options FEATURES
    cuda BAILEY_CUDA
    mpi BAILEY_MPI
    tools BAILEY_BUILD_CLI)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${feature_options} -DBAILEY_BUILD_TESTS=OFF -DBAILEY_BUILD_EXAMPLES=OFF -DBAILEY_PYTHON=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/bailey)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES bailey AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/data/LICENSE.sobol")
