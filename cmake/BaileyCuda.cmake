# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The CUDA kernels: compiled by nvcc to fat binaries and embedded in the library.
#
# CMake's CUDA language stays off, so that a host without nvcc configures all the same.
#
#   bailey_cuda_find()
#       Looks for a working nvcc and for <cuda.h>, once. Sets BAILEY_CUDA_FOUND, BAILEY_CUDA_NVCC and
#       BAILEY_CUDA_INCLUDE_DIR in the caller's scope.
#   bailey_cuda_fatbin(<output> <source.cu>)
#       A command that compiles one file to the fat binary <output>.
#   bailey_cuda_embed(<target> <source.cu>...)
#       Compiles the sources, embeds them in <target> and defines BLY_HAVE_CUDA there. Sources of a folder
#       called tuned hold replacements of rows (src/kernels_cu/tuned/tuned_cu.h), the others each row once.
#       Defines BLY_HAVE_NVRTC too where <nvrtc.h> is. Does nothing without CUDA; sets BAILEY_CUDA_FOUND.

set(BAILEY_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (where nvcc works), ON or OFF")
set_property(CACHE BAILEY_CUDA PROPERTY STRINGS AUTO ON OFF)
set(BAILEY_CUDA_ARCHITECTURES "" CACHE STRING
    "Architectures to compile for, as 75;90; empty or all: those that nvcc knows of 75;80;86;89;90;100;120. \
The lowest one's PTX is embedded too")
set(BAILEY_CUDA_FLAGS "" CACHE STRING "More flags for nvcc, such as -lineinfo")
set(BAILEY_CUDA_HOST_COMPILER "$ENV{CUDAHOSTCXX}" CACHE STRING "nvcc's -ccbin; empty: its own choice")

set(BAILEY_CUDA_SOURCE_ROOT "${CMAKE_CURRENT_LIST_DIR}/..")
get_filename_component(BAILEY_CUDA_SOURCE_ROOT "${BAILEY_CUDA_SOURCE_ROOT}" ABSOLUTE)

# The arguments that every call of nvcc gets, in <result>, and the architectures in <result>_architectures.
function(bailey_cuda_arguments result)
    set(arguments -fatbin -Wno-deprecated-gpu-targets)
    if(BAILEY_CUDA_HOST_COMPILER)
        list(APPEND arguments -ccbin "${BAILEY_CUDA_HOST_COMPILER}")
    endif()
    set(architectures ${BAILEY_CUDA_ARCHITECTURES})
    if(NOT architectures OR architectures STREQUAL "all")
        set(architectures "")
        execute_process(COMMAND "${BAILEY_CUDA_NVCC}" --list-gpu-arch
            OUTPUT_VARIABLE known ERROR_QUIET RESULT_VARIABLE failed)
        if(failed)
            set(known "compute_75\ncompute_80\n")
        endif()
        foreach(architecture 75 80 86 89 90 100 120)
            if(known MATCHES "compute_${architecture}(\r|\n|$)")
                list(APPEND architectures ${architecture})
            endif()
        endforeach()
    endif()
    list(SORT architectures COMPARE NATURAL)
    list(GET architectures 0 lowest)
    list(APPEND arguments -gencode=arch=compute_${lowest},code=compute_${lowest})
    # nvcc reads a file once for each virtual architecture, which takes half of its time: those of a generation share
    # the first one's. Machine code of 86 and 89 is the same by way of 80, and that of 120 by way of 100.
    set(generation "")
    foreach(architecture IN LISTS architectures)
        string(REGEX REPLACE "^([18])[0-9]+$" "\\1" of "${architecture}")
        if(NOT of STREQUAL generation)
            set(generation "${of}")
            set(virtual ${architecture})
        endif()
        list(APPEND arguments -gencode=arch=compute_${virtual},code=sm_${architecture})
    endforeach()
    # --fmad=false: results must not depend on what a compiler contracts (bailey/device/dialect.h).
    list(APPEND arguments --fmad=false -std=c++17
        -I "${BAILEY_CUDA_SOURCE_ROOT}/include" -I "${BAILEY_CUDA_SOURCE_ROOT}/src" -I "${BAILEY_GENERATED_DIR}")
    separate_arguments(more UNIX_COMMAND "${BAILEY_CUDA_FLAGS}")
    set(${result} ${arguments} ${more} PARENT_SCOPE)
    set(${result}_architectures ${architectures} PARENT_SCOPE)
endfunction()

function(bailey_cuda_missing reason)
    if(BAILEY_CUDA STREQUAL "AUTO")
        message(STATUS "CUDA backend: no (${reason})")
    else()
        message(FATAL_ERROR "BAILEY_CUDA=${BAILEY_CUDA}, but ${reason}")
    endif()
endfunction()

function(bailey_cuda_find)
    set(BAILEY_CUDA_FOUND FALSE PARENT_SCOPE)
    string(TOUPPER "${BAILEY_CUDA}" wanted)
    if(NOT wanted STREQUAL "AUTO" AND NOT BAILEY_CUDA)
        message(STATUS "CUDA backend: no (BAILEY_CUDA=${BAILEY_CUDA})")
        return()
    endif()

    find_program(BAILEY_CUDA_NVCC nvcc
        HINTS "$ENV{CUDACXX}" ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin
        PATHS /usr/local/cuda/bin /opt/cuda/bin DOC "NVIDIA's compiler")
    if(EXISTS "$ENV{CUDACXX}" AND NOT IS_DIRECTORY "$ENV{CUDACXX}")
        set(BAILEY_CUDA_NVCC "$ENV{CUDACXX}" CACHE FILEPATH "NVIDIA's compiler" FORCE)
    endif()
    if(NOT BAILEY_CUDA_NVCC)
        bailey_cuda_missing("nvcc was not found")
        return()
    endif()
    get_filename_component(root "${BAILEY_CUDA_NVCC}" REALPATH)
    get_filename_component(root "${root}/../.." ABSOLUTE)
    find_path(BAILEY_CUDA_INCLUDE_DIR cuda.h
        HINTS "${root}/include" "${root}/targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include"
        PATHS /usr/local/cuda/include DOC "Where cuda.h is")
    if(NOT BAILEY_CUDA_INCLUDE_DIR)
        bailey_cuda_missing("cuda.h was not found near ${BAILEY_CUDA_NVCC}")
        return()
    endif()

    # nvcc may be there and yet refuse the host's compiler: try it.
    bailey_cuda_arguments(arguments)
    set(tried "${BAILEY_CUDA_NVCC};${arguments}")
    if(NOT BAILEY_CUDA_TRIED STREQUAL tried)
        set(trial "${CMAKE_BINARY_DIR}/CMakeFiles/bailey_cuda_trial.cu")
        file(WRITE "${trial}" "extern \"C\" __global__ void trial(float *x) { x[threadIdx.x] = 1.0f; }\n")
        execute_process(COMMAND "${BAILEY_CUDA_NVCC}" ${arguments} -o "${trial}.fatbin" "${trial}"
            OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
        if(failed)
            bailey_cuda_missing("${BAILEY_CUDA_NVCC} does not work: ${said}")
            return()
        endif()
        set(BAILEY_CUDA_TRIED "${tried}" CACHE INTERNAL "nvcc and flags that were found to work")
        message(STATUS "CUDA backend: yes (${BAILEY_CUDA_NVCC})")
    endif()
    set(BAILEY_CUDA_FOUND TRUE PARENT_SCOPE)
endfunction()

function(bailey_cuda_fatbin output source)
    get_filename_component(source "${source}" ABSOLUTE)
    get_filename_component(directory "${output}" DIRECTORY)
    file(MAKE_DIRECTORY "${directory}")
    file(RELATIVE_PATH shown "${CMAKE_BINARY_DIR}" "${output}")
    bailey_cuda_arguments(arguments)
    add_custom_command(OUTPUT "${output}"
        COMMAND "${BAILEY_CUDA_NVCC}" ${arguments} -MD -MF "${output}.d" -o "${output}" "${source}"
        DEPENDS "${source}" bailey_builtin_headers DEPFILE "${output}.d"
        COMMENT "Building CUDA fat binary ${shown}" VERBATIM)
endfunction()

function(bailey_cuda_embed target)
    bailey_cuda_find()
    set(BAILEY_CUDA_FOUND ${BAILEY_CUDA_FOUND} PARENT_SCOPE)
    if(NOT BAILEY_CUDA_FOUND)
        return()
    endif()
    set(directory "${CMAKE_CURRENT_BINARY_DIR}/cuda")
    set(text "/* Generated by cmake/BaileyCuda.cmake. */\n#include <backend/cuda/cuda_images.h>\n")
    set(images "")
    set(rows "")
    set(rows_counts "")
    set(tuned "")
    set(tuned_counts "")
    set(fatbins "")
    set(index 0)
    foreach(source IN LISTS ARGN)
        get_filename_component(source "${source}" ABSOLUTE)
        get_filename_component(name "${source}" NAME_WE)
        set(fatbin "${directory}/${name}.fatbin")
        bailey_cuda_fatbin("${fatbin}" "${source}")
        list(APPEND fatbins "${fatbin}")

        # Read-only data between two hidden symbols; a fat binary wants 8 bytes of alignment.
        string(REPLACE "\\" "\\\\" path "${fatbin}")
        string(REPLACE "\"" "\\\"" path "${path}")
        string(APPEND text "\n__asm__(\".section .rodata\\n\"\n"
            "        \".balign 64\\n\"\n"
            "        \".globl bly_cuda_image_${name}\\n\"\n"
            "        \".hidden bly_cuda_image_${name}\\n\"\n"
            "        \"bly_cuda_image_${name}:\\n\"\n"
            "        \".incbin \\\"${path}\\\"\\n\"\n"
            "        \".globl bly_cuda_image_${name}_end\\n\"\n"
            "        \".hidden bly_cuda_image_${name}_end\\n\"\n"
            "        \"bly_cuda_image_${name}_end:\\n\"\n"
            "        \".byte 0\\n\"\n"
            "        \".previous\\n\");\n"
            "extern const unsigned char bly_cuda_image_${name}[], bly_cuda_image_${name}_end[];\n")
        string(APPEND images
            "    {\"${name}\", bly_cuda_image_${name}, bly_cuda_image_${name}_end},\n")

        # The file once more, read as a list of its rows.
        file(RELATIVE_PATH path "${BAILEY_CUDA_SOURCE_ROOT}/src" "${source}")
        if(path MATCHES "/tuned/")
            set(kind tuned)
        else()
            set(kind rows)
        endif()
        string(APPEND ${kind}
            "#define ROW(name) [BLY_KERNEL_##name] = ${index} + IS_TUNED,\n#include <${path}>\n#undef ROW\n")
        string(APPEND ${kind}_counts "#include <${path}>\n")
        math(EXPR index "${index} + 1")
    endforeach()
    bailey_cuda_arguments(arguments)
    list(GET arguments_architectures 0 lowest)
    list(JOIN arguments_architectures ", sm_" named)
    message(STATUS "CUDA kernels: machine code for sm_${named}; PTX of compute_${lowest} for other GPUs")
    string(REGEX REPLACE "([0-9]+)[a-z]*;?" "\\1, " numbers "${arguments_architectures}")
    string(APPEND text "\nconst unsigned bly_cuda_architectures[] = {${numbers}0};\n")
    string(APPEND text "\nconst struct bly_cuda_image bly_cuda_images[] = {\n${images}    {0, 0, 0}};\n"
        "\n#include <backend/rows.h>\n#include <backend/rows_named.h>\n"
        "/* What the files include would give the rows another meaning. */\n"
        "#define BLY_ENTRY_H\n#define BLY_KERNELS_H\n#define BLY_PREBUILT_F32_H\n#define BLY_PREBUILT_F64_H\n"
        "#define IS_TUNED 0\nconst unsigned char bly_cuda_image_of[BLY_KERNELS] = {\n${rows}};\n"
        "#define ROW(name) + 1\nenum { ROWS = 0\n${rows_counts}};\n#undef ROW\n"
        "_Static_assert(ROWS == (int)BLY_KERNELS, \"a row is in no file of src/kernels_cu, or in two\");\n"
        "#undef IS_TUNED\n#define IS_TUNED 1\n"
        "const unsigned char bly_cuda_tuned_image_of[BLY_KERNELS] = {\n${tuned}};\n"
        "\n#include <kernels_cu/tuned/tuned_cu.h>\n"
        "#define ROW(name, shape, gain) TUNED_##name,\nenum { BLY_TUNED_CU(ROW) TUNED_ROWS };\n#undef ROW\n"
        "#define ROW(name) + (TUNED_##name < TUNED_ROWS)\nenum { TUNED = 0\n${tuned_counts}};\n"
        "_Static_assert(TUNED == (int)TUNED_ROWS,\n"
        "    \"src/kernels_cu/tuned has not the rows of its table, each once\");\n")
    file(CONFIGURE OUTPUT "${directory}/images.c" CONTENT "${text}" @ONLY)

    set_source_files_properties("${directory}/images.c" PROPERTIES
        OBJECT_DEPENDS "${fatbins}"
        INCLUDE_DIRECTORIES "${BAILEY_CUDA_SOURCE_ROOT}/src;${BAILEY_CUDA_SOURCE_ROOT}/include;${BAILEY_GENERATED_DIR}")
    # The commands run in one target, so that parallel makes do not run them twice.
    add_custom_target(${target}_cuda DEPENDS ${fatbins})
    add_dependencies(${target} ${target}_cuda)
    target_sources(${target} PRIVATE "${directory}/images.c")
    target_compile_definitions(${target} PRIVATE BLY_HAVE_CUDA=1)
    # Only the header is needed: NVRTC itself is opened at run time.
    if(EXISTS "${BAILEY_CUDA_INCLUDE_DIR}/nvrtc.h")
        target_compile_definitions(${target} PRIVATE BLY_HAVE_NVRTC=1)
    else()
        message(STATUS "CUDA backend: kernels cannot be compiled at run time (nvrtc.h was not found)")
    endif()
    target_include_directories(${target} SYSTEM PRIVATE "${BAILEY_CUDA_INCLUDE_DIR}")
endfunction()
