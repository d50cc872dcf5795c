# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
#   bailey_exports(<library> <map>)
#       The shared library exports the functions of the map, which scripts/symbols writes, with the map's version, and
#       leaves nothing undefined; as far as the linker can do that.

include(CheckLinkerFlag)

function(bailey_exports library map)
    get_filename_component(map "${map}" ABSOLUTE)
    check_linker_flag(C "-Wl,--version-script=${PROJECT_SOURCE_DIR}/src/bailey.map" BAILEY_HAVE_VERSION_SCRIPT)
    if(BAILEY_HAVE_VERSION_SCRIPT)
        target_link_options(${library} PRIVATE "-Wl,--version-script=${map}")
        set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS "${map}")
    endif()
    # Sanitizers are defined by the program.
    check_linker_flag(C -Wl,--no-undefined BAILEY_HAVE_NO_UNDEFINED)
    if(BAILEY_HAVE_NO_UNDEFINED AND NOT BAILEY_SANITIZE)
        target_link_options(${library} PRIVATE -Wl,--no-undefined)
    endif()
endfunction()
