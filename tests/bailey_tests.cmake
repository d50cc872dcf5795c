# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# bailey_tests, the program that holds all tests in C which need nothing of their own (test.h): every test_*.c but those
# named here, and what some of them are linked with. A new file is found by its name.

file(GLOB files RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS test_*.c)
if(BAILEY_TEST_FILES) # such as "laws|paths": no others, for a quick build (adding.sh)
    list(FILTER files INCLUDE REGEX "^test_(${BAILEY_TEST_FILES})[.]c$")
endif()
# Programs of their own: users' (linked to the shared library), of several processes, of another arithmetic, or whose
# steps are counted.
list(REMOVE_ITEM files test_icdf_table.c test_mpi.c test_nulls.c test_payoff_hostile.c test_payoff_steps.c
    test_plan_steps.c test_process.c test_random_payoffs.c test_user_cuda.c test_user_motion_opencl.c test_user_opencl.c)

set(cli_files test_bench_units.c test_cli_documents.c test_cli_selftest.c test_cli_units.c test_quality.c)
if(NOT BAILEY_BUILD_CLI)
    list(REMOVE_ITEM files ${cli_files})
endif()
if(NOT BAILEY_OPENCL_INCLUDE_DIR)
    list(FILTER files EXCLUDE REGEX "test_opencl_faults")
endif()
if(NOT BAILEY_CUDA_FOUND)
    list(FILTER files EXCLUDE REGEX "test_cuda_faults|test_curand|test_user_motion_cuda")
endif()
if(NOT BAILEY_OPENCL_INCLUDE_DIR AND NOT BAILEY_CUDA_FOUND)
    list(FILTER files EXCLUDE REGEX "test_driver_faults")
endif()

bailey_test_program(bailey_tests test.c clocks.c subjects.c laws_outputs.c laws_stopped.c ${files} reference.c random_integers.c random_payoff.c random_expression.c tangents.c)
target_include_directories(bailey_tests SYSTEM PRIVATE ${BAILEY_OPENCL_INCLUDE_DIR} ${BAILEY_CUDA_INCLUDE_DIR})
target_compile_definitions(bailey_tests PRIVATE BLY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CL_TARGET_OPENCL_VERSION=120)
target_link_options(bailey_tests PRIVATE -Wl,--wrap=clock_gettime) # clocks.c

if(BAILEY_SANITIZE STREQUAL "thread") # of which nothing else is wanted (thread_sanitizer.sh)
    bailey_test_program(test_thread_rule test.c test_thread_rule.c)
endif()

# The program's own parts, and bench's.
if("test_cli_units.c" IN_LIST files)
    add_library(stub_nvml MODULE stub_nvml.c)
    set_target_properties(stub_nvml PROPERTIES PREFIX "")
    target_link_libraries(stub_nvml PRIVATE bailey_flags)
    add_dependencies(bailey_tests stub_nvml)
    foreach(source csv csv_matrix npy output pump)
        target_sources(bailey_tests PRIVATE "${PROJECT_SOURCE_DIR}/src/cli/io/${source}.c")
    endforeach()
    foreach(source bench_host bench_plain_mlmc dynamic moments normal_quality_count)
        target_sources(bailey_tests PRIVATE "${PROJECT_SOURCE_DIR}/bench/${source}.c")
    endforeach()
    target_sources(bailey_tests PRIVATE $<TARGET_OBJECTS:bench_plain_blocks>)
    # Without what test_cli_units.c includes to see its functions.
    target_sources(bailey_tests PRIVATE $<FILTER:$<TARGET_OBJECTS:bailey_cli_common>,EXCLUDE,shortest>)
    target_include_directories(bailey_tests PRIVATE "${PROJECT_SOURCE_DIR}/src/cli" "${PROJECT_SOURCE_DIR}/bench"
        "${PROJECT_BINARY_DIR}/bench")
    set_source_files_properties(test_bench_units.c PROPERTIES
        COMPILE_DEFINITIONS "BENCH_NVML=\"$<TARGET_FILE:stub_nvml>\";BENCH_POWERCAP=\"powercap\"")
endif()

# The built-in levels of multilevel Monte Carlo as plain C: their functions static, their literals `real`.
add_library(mlmc_texts STATIC mlmc_reference.c)
target_link_libraries(mlmc_texts PRIVATE bailey_flags m)
foreach(name european asian lookback digital barrier)
    set(file "${PROJECT_SOURCE_DIR}/src/host/mlmc/levels/${name}_levels.c")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(REGEX REPLACE "\n(void|real) " "\nstatic inline \\1 " text "${text}")
    string(REGEX REPLACE "([0-9]+\\.[0-9]+)" "(real)\\1" text "${text}")
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/mlmc/${name}_levels.h" CONTENT "${text}" @ONLY)
    foreach(real f32 f64)
        add_library(test_mlmc_${name}_${real} OBJECT mlmc_texts.c)
        target_include_directories(test_mlmc_${name}_${real} PRIVATE "${PROJECT_SOURCE_DIR}/include"
            "${PROJECT_SOURCE_DIR}/src")
        target_compile_definitions(test_mlmc_${name}_${real} PRIVATE BLY_REAL=${real} MLMC_NAME=mlmc_${name}
            MLMC_FILE="${CMAKE_CURRENT_BINARY_DIR}/mlmc/${name}_levels.h")
        target_compile_options(test_mlmc_${name}_${real} PRIVATE -O2)
        target_link_libraries(test_mlmc_${name}_${real} PRIVATE bailey_flags)
        target_sources(mlmc_texts PRIVATE $<TARGET_OBJECTS:test_mlmc_${name}_${real}>)
    endforeach()
endforeach()
target_link_libraries(bailey_tests PRIVATE mlmc_texts)

# Device headers as C at every number of lanes: of the generators, the functions of payoffs, approximate normals.
function(bailey_lanes name source)
    add_library(test_${name} OBJECT ${source})
    target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
    target_compile_options(test_${name} PRIVATE ${ARGN})
    target_link_libraries(test_${name} PRIVATE bailey_flags)
    target_sources(bailey_tests PRIVATE $<TARGET_OBJECTS:test_${name}>)
endfunction()
set(lanes_generators -O1) # four times as quick to compile
set(lanes_elementary -O2)
set(lanes_approximate -O2)
foreach(headers generators elementary approximate)
    if("test_${headers}.c" IN_LIST files)
        foreach(lanes 1 2 4 8 16)
            bailey_lanes(${headers}_${lanes} ${headers}_lanes.c ${lanes_${headers}} -DBAILEY_LANES=${lanes})
        endforeach()
    endif()
endforeach()
if("test_approximate.c" IN_LIST files)
    bailey_lanes(approximate_arrays approximate_lanes.c -O2 -DAPPROXIMATE_ARRAYS=approximate_arrays)
endif()
if("test_approximate.c" IN_LIST files AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
    bailey_lanes(approximate_avx512 approximate_lanes.c -O2 -DAPPROXIMATE_ARRAYS=approximate_avx512 -mavx512f)
    set_source_files_properties(test_approximate.c PROPERTIES COMPILE_DEFINITIONS APPROXIMATE_AVX512=1)
endif()

# What CTest reads when it starts: the list, which is written at build, and the backends that there are then.
set(tests_list "${CMAKE_CURRENT_BINARY_DIR}/bailey_tests.txt")
add_custom_command(TARGET bailey_tests POST_BUILD VERBATIM
    COMMAND "$<TARGET_FILE:bailey_tests>" --list > "${tests_list}" COMMENT "Listing the tests")
set(tests_settings "")

# The tests of a file once more, on one backend or "host", in a setting of the environment: FILE.TEST.cpu.NAME. With
# `long` or `repeated` in front of the variables, each test has that label.
function(bailey_setting name file backend)
    set(words "")
    foreach(word IN LISTS ARGN)
        string(APPEND words " \"${word}\"")
    endforeach()
    set(tests_settings "${tests_settings}setting(${name} ${file} ${backend}${words})\n" PARENT_SCOPE)
endfunction()
# As GPUs do it: few samples to an item, normals in registers, groups of several items, copies of the table.
bailey_setting(drawn simulation opencl long BAILEY_TUNED=1 BAILEY_TEST_QUICK=1)
foreach(file mlmc_samples mlmc_approximate)
    bailey_setting(drawn ${file} opencl long repeated BAILEY_TUNED=1 BAILEY_TEST_QUICK=1)
endforeach()
# Code that fails, by one thread.
foreach(file payoff_faults mlmc_faults)
    bailey_setting(one_thread ${file} cpu OMP_NUM_THREADS=1)
endforeach()
# On a device that compiles nothing; and with a compiler that can do no more than say its version: what runs has been
# planned for a program then.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/failing_cc" "#!/bin/sh\ntest \"$1\" = --version\n")
file(CHMOD "${CMAKE_CURRENT_BINARY_DIR}/failing_cc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(file payoffs payoffs_paths)
    bailey_setting(prebuilt ${file} cpu long BAILEY_CC=/nonexistent BAILEY_TEST_QUICK=1)
    bailey_setting(failing_compiler ${file} cpu "BAILEY_CC=${CMAKE_CURRENT_BINARY_DIR}/failing_cc" BAILEY_CACHE_DIR=
        BAILEY_TEST_QUICK=1)
endforeach()
# The cpu backend at every instruction set that the processor has and the build.
set(levels "")
if(bailey_cpu_levels STREQUAL "all")
    set(levels baseline avx2)
elseif(bailey_cpu_levels STREQUAL "native")
    set(levels baseline)
endif()
foreach(level IN LISTS levels)
    foreach(file random paths price)
        bailey_setting(${level} ${file} cpu long BAILEY_CPU_LEVEL=${level} BAILEY_TEST_QUICK=1)
    endforeach()
endforeach()
# OpenCL devices without double precision, with small groups, with little memory: made of those that there are.
function(bailey_device_library name)
    add_library(${name} MODULE ${name}.c)
    set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
    target_include_directories(${name} SYSTEM PRIVATE "${BAILEY_OPENCL_INCLUDE_DIR}")
    target_compile_options(${name} PRIVATE -Wall -Wextra)
    target_link_libraries(${name} PRIVATE -Wl,--no-as-needed "${BAILEY_OPENCL_LIBRARY}" ${CMAKE_DL_LIBS})
endfunction()
if(BAILEY_OPENCL_INCLUDE_DIR AND BAILEY_OPENCL_LIBRARY AND NOT BAILEY_SANITIZE)
    bailey_device_library(without_f64)
    set(library "BAILEY_OPENCL_LIBRARY=$<TARGET_FILE:without_f64>")
    bailey_setting(without_f64 simulation_fixed opencl long "${library}")
    bailey_setting(without_f64_drawn simulation_fixed opencl long "${library}" BAILEY_TUNED=1 BAILEY_TEST_QUICK=1)
    bailey_device_library(small_device)
    set(library "BAILEY_OPENCL_LIBRARY=$<TARGET_FILE:small_device>")
    bailey_setting(64_64k small_device opencl long "${library}" SMALL_GROUP=64 SMALL_LOCAL=65536)
    bailey_setting(64_32k small_device opencl long "${library}" SMALL_GROUP=64 SMALL_LOCAL=32768)
    bailey_setting(kernels small_device opencl long "${library}" SMALL_KERNEL=32)
endif()

# Stub drivers, which tests of faults open by their names: BLY_STUB_OPENCL, BLY_STUB_OPENCL_MISSING, ...
set(stubs "")
foreach(stub stub_opencl stub_cuda stub_nvrtc)
    if(TARGET ${stub} AND NOT BAILEY_TEST_FILES)
        add_dependencies(bailey_tests ${stub} ${stub}_missing)
        string(TOUPPER ${stub} name)
        list(APPEND stubs "BLY_${name}=\"$<TARGET_FILE:${stub}>\""
            "BLY_${name}_MISSING=\"$<TARGET_FILE:${stub}_missing>\"")
    endif()
endforeach()
set_source_files_properties(test_driver_faults.c test_driver_faults_cache.c test_driver_faults_texts.c
    test_opencl_faults.c test_cuda_faults.c PROPERTIES COMPILE_DEFINITIONS "${stubs}")
if(TARGET stub_cuda) # which runs no machine code
    bailey_setting(stub tuned cuda long "BAILEY_CUDA_LIBRARY=$<TARGET_FILE:stub_cuda>" BAILEY_NVRTC_LIBRARY=none)
endif()

if(BAILEY_CUDA_FOUND)
    set_source_files_properties(test_user_motion_cuda.c PROPERTIES COMPILE_DEFINITIONS
        "BLY_USER_MOTION_FATBIN=\"${CMAKE_CURRENT_BINARY_DIR}/user_motion.fatbin\"")
    bailey_cuda_fatbin("${CMAKE_CURRENT_BINARY_DIR}/user_motion.fatbin" user_motion.cu)
    add_custom_target(user_motion_fatbin ALL DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/user_motion.fatbin")
endif()

configure_file(discover.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/discover.cmake.in" @ONLY)
file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/discover.cmake" INPUT "${CMAKE_CURRENT_BINARY_DIR}/discover.cmake.in")
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/discover.cmake")
