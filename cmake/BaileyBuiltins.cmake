# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
#   bailey_builtins(<front end> PAYOFFS <file>... LEVELS <file>... MODELS <file>... PRODUCTS <file>...
#       COMPOSED <name>=<product>/<model>[/<steps>]...)
#       What the library is compiled with of its built-in payoffs, level functions, models and products, from the files that have their
#       code: the headers BAILEY_BUILTIN_HEADERS, in BAILEY_GENERATED_DIR/kernels, are made by tools/builtins.c, which
#       is built first, of the object library <front end>, and so are the files BAILEY_BUILTIN_CODES, which the library
#       has: copies with the schemes that they include, and what is composed of products and models. Who includes
#       them depends on bailey_builtin_headers.

set(BAILEY_GENERATED_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
set(BAILEY_BUILTIN_HEADERS "")
foreach(name payoff_list levels_list model_list product_list prebuilt_f32 prebuilt_f64)
    list(APPEND BAILEY_BUILTIN_HEADERS "${BAILEY_GENERATED_DIR}/kernels/${name}.h")
endforeach()
set(BAILEY_HOST_CC cc CACHE STRING "A C compiler for the machine that builds, where that cannot run what it makes")

function(bailey_builtins front_end)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PAYOFFS;LEVELS;MODELS;PRODUCTS;COMPOSED")
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/tools/builtins.c")
    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
        # The front end once more, for this machine.
        set(tool "${CMAKE_CURRENT_BINARY_DIR}/bailey_builtins")
        get_target_property(sources ${front_end} SOURCES)
        list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
        add_custom_command(OUTPUT "${tool}"
            COMMAND "${BAILEY_HOST_CC}" -std=gnu11 -O1 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
                -I "${CMAKE_CURRENT_SOURCE_DIR}/include" -I "${CMAKE_CURRENT_SOURCE_DIR}/src" -o "${tool}"
                "${source}" ${sources} -lm
            DEPENDS "${source}" ${sources} COMMENT "Building bailey_builtins for this machine" VERBATIM)
    else()
        set(tool bailey_builtins)
        add_executable(${tool} "${source}" $<TARGET_OBJECTS:${front_end}>)
        target_include_directories(${tool} PRIVATE include src)
        target_link_libraries(${tool} PRIVATE bailey_flags m)
    endif()
    set(files ${arg_PAYOFFS} ${arg_LEVELS} ${arg_MODELS} ${arg_PRODUCTS})
    set(codes "")
    foreach(file IN LISTS files)
        get_filename_component(name "${file}" NAME)
        list(APPEND codes "${BAILEY_GENERATED_DIR}/kernels/${name}")
    endforeach()
    foreach(payoff IN LISTS arg_COMPOSED)
        string(REGEX REPLACE "=.*" "" name "${payoff}")
        string(REPLACE "-" "_" name "${name}")
        list(APPEND codes "${BAILEY_GENERATED_DIR}/kernels/composed_${name}.c")
    endforeach()
    set(BAILEY_BUILTIN_CODES ${codes} PARENT_SCOPE)
    file(GLOB schemes CONFIGURE_DEPENDS src/host/simulate/schemes/*.h)
    file(MAKE_DIRECTORY "${BAILEY_GENERATED_DIR}/kernels")
    add_custom_command(OUTPUT ${BAILEY_BUILTIN_HEADERS} ${codes}
        COMMAND ${tool} "${BAILEY_GENERATED_DIR}/kernels" ${arg_PAYOFFS} ${arg_COMPOSED} --levels ${arg_LEVELS}
            --models ${arg_MODELS} --products ${arg_PRODUCTS}
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" DEPENDS ${tool} ${files} ${schemes}
        COMMENT "Reading the built-in payoffs" VERBATIM)
    add_custom_target(bailey_builtin_headers DEPENDS ${BAILEY_BUILTIN_HEADERS})
endfunction()
