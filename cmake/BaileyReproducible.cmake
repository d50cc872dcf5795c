# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The same sources give the same bytes, whatever the folder and the time: scripts/reproducible tries it. To be
# included by the top level.

include(CheckCCompilerFlag)

# For debugging information and __FILE__; a debugger finds the sources of a Debug build where they are.
check_c_compiler_flag("-ffile-prefix-map=a=b" BAILEY_HAVE_FILE_PREFIX_MAP)
set(bailey_prefix_map "")
if(BAILEY_HAVE_FILE_PREFIX_MAP)
    # The last that fits is taken, and the build may be within the sources.
    set(bailey_prefix_map "$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>"
        "$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>")
endif()

# The paths that programs of the build find the library by are relative to them.
if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()

# Members of archives have no time, owner and mode of their own.
execute_process(COMMAND "${CMAKE_AR}" --version OUTPUT_VARIABLE bailey_ar ERROR_QUIET)
if(bailey_ar MATCHES "GNU|LLVM")
    set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
endif()
