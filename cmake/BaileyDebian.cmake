# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# Debian packages by cpack, one for each component: scripts/package makes them. The preset `debian` has the folders
# and the other settings. To be included by the top level after all targets and install rules.

set(BAILEY_DEBIAN_MAINTAINER "the bailey authors <bailey@localhost>" CACHE STRING
    "Who answers for the packages that are made here")
set(bailey_soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(bailey_debian_version ${PROJECT_VERSION}-1)
set(bailey_debian_maintainer "${BAILEY_DEBIAN_MAINTAINER}")

# ---- What each package has of its own: notices and a changelog ----

# A text as a field of Debian's control files.
function(bailey_debian_text result file)
    file(READ "${file}" text)
    string(STRIP "${text}" text)
    string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
    string(REPLACE "\n\n" "\n.\n" text "${text}")
    string(REPLACE "\n" "\n " text " ${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()
bailey_debian_text(bailey_licence LICENSE)
bailey_debian_text(bailey_licence_sobol data/LICENSE.sobol)
set(debian "${PROJECT_BINARY_DIR}/debian")
configure_file(packaging/debian/copyright.in "${debian}/copyright" @ONLY)
string(TIMESTAMP bailey_debian_date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH, if it is set
configure_file(packaging/debian/changelog.in "${debian}/changelog.Debian" @ONLY)
execute_process(COMMAND gzip -9nkf changelog.Debian WORKING_DIRECTORY "${debian}" COMMAND_ERROR_IS_FATAL ANY)

# bailey_debian_package(<component> <package> <section> <summary> <description> [<field> <value>]...)
#     A package of the component's files. Fields are cpack's, such as PACKAGE_DEPENDS.
function(bailey_debian_package component package section summary description)
    string(TOUPPER "${component}" upper)
    set(fields PACKAGE_NAME ${package} PACKAGE_SECTION ${section} DESCRIPTION "${summary}\n${description}" ${ARGN})
    while(fields)
        list(POP_FRONT fields field value)
        set(CPACK_DEBIAN_${upper}_${field} "${value}" PARENT_SCOPE)
    endwhile()
    install(FILES "${debian}/copyright" "${debian}/changelog.Debian.gz"
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

# bailey_debian_library(<component> <name>)
#     The component has the shared library: who is linked to it, and what installs it, has to know.
function(bailey_debian_library component name)
    string(TOUPPER "${component}" upper)
    file(CONFIGURE OUTPUT "${debian}/${component}/shlibs"
        CONTENT "${name} ${bailey_soversion} ${name}${bailey_soversion} (>= ${PROJECT_VERSION})\n")
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${debian}/${component}/shlibs" "${control}/triggers" PARENT_SCOPE)
endfunction()

# ---- The packages ----

set(CPACK_COMPONENTS_ALL "")
set(same "(= ${bailey_debian_version})")
set(control "${PROJECT_SOURCE_DIR}/packaging/debian")
set(common "Random numbers, normals, Brownian paths and Monte Carlo prices on the\n\
processor, on OpenCL devices and on NVIDIA GPUs: the same request gives the\n\
same bits on each of them.")

bailey_debian_package(library libbailey${bailey_soversion} libs
    "random numbers, the same bits everywhere - library"
    "${common}\n.\nThis is the shared library. It opens the drivers of devices when it runs,\n\
and compiles payoffs of your own with cc."
    PACKAGE_RECOMMENDS "gcc, libc6-dev" PACKAGE_SUGGESTS "ocl-icd-libopencl1, pocl-opencl-icd, libcuda1")
bailey_debian_library(library libbailey)
bailey_debian_package(dev libbailey-dev libdevel
    "random numbers, the same bits everywhere - development"
    "${common}\n.\nThese are the headers, the static library, the files for CMake and pkg-config,\n\
the documentation and the examples."
    PACKAGE_DEPENDS "libbailey${bailey_soversion} ${same}")
if(TARGET bailey_cli)
    bailey_debian_package(program bailey math
        "random numbers, the same bits everywhere - program"
        "${common}\n.\nThis is the program."
        PACKAGE_DEPENDS "libbailey${bailey_soversion} ${same}")
endif()
if(TARGET bailey_mpi)
    bailey_debian_package(mpi_library libbailey-mpi${bailey_soversion} libs
        "random numbers, the same bits everywhere - MPI"
        "${common}\n.\nThis is the shared library for jobs over the ranks of MPI."
        PACKAGE_DEPENDS "libbailey${bailey_soversion} ${same}")
    bailey_debian_library(mpi_library libbailey-mpi)
    bailey_debian_package(mpi_dev libbailey-mpi-dev libdevel
        "random numbers, the same bits everywhere - MPI development"
        "${common}\n.\nThis is the header for jobs over the ranks of MPI, with its files for CMake\nand pkg-config."
        PACKAGE_DEPENDS "libbailey-mpi${bailey_soversion} ${same}, libbailey-dev ${same}, mpi-default-dev")
    if(TARGET bailey_mpi_cli)
        bailey_debian_package(mpi_program bailey-mpi math
            "random numbers, the same bits everywhere - MPI program"
            "${common}\n.\nThis is the program for files of deals over the ranks of MPI."
            PACKAGE_DEPENDS "libbailey-mpi${bailey_soversion} ${same}, mpi-default-bin")
    endif()
endif()
if(TARGET bailey_python)
    set(python lib/python3/dist-packages)
    configure_file(packaging/debian/METADATA.in "${debian}/METADATA" @ONLY)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/bailey" DESTINATION ${python} COMPONENT python_debian
        PATTERN __pycache__ EXCLUDE)
    install(FILES "${PROJECT_BINARY_DIR}/python/bailey/_declarations.py" "${PROJECT_BINARY_DIR}/python/bailey/_types.py"
        "${PROJECT_BINARY_DIR}/python/bailey/_functions.py"
        DESTINATION ${python}/bailey COMPONENT python_debian)
    install(TARGETS bailey_bit_generator LIBRARY DESTINATION ${python}/bailey COMPONENT python_debian)
    install(FILES "${debian}/METADATA" DESTINATION ${python}/bailey-${PROJECT_VERSION}.dist-info
        COMPONENT python_debian)
    bailey_debian_package(python_debian python3-bailey python
        "random numbers, the same bits everywhere - Python"
        "${common}\n.\nThis is the package for Python, with NumPy."
        PACKAGE_DEPENDS "libbailey${bailey_soversion} ${same}, python3 (>= 3.9), python3-cffi, python3-numpy"
        PACKAGE_SUGGESTS "python3-matplotlib, python3-tqdm")
    set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_CONTROL_EXTRA "${control}/postinst" "${control}/prerm")
endif()

# ---- cpack ----

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bailey)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has one
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_PACKAGE_CONTACT "${BAILEY_DEBIAN_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The packages' own libraries are named above.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${control}/finish.cmake")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
