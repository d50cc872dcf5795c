# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# bailey_python_find(<module>...)
#     Sets BAILEY_PYTHON_PROGRAM in the caller's scope to a Python that has the modules: the one that pip builds
#     with, $BAILEY_TEST_PYTHON, the first of the PATH, or the system's. To nothing where none has.
function(bailey_python_find)
    list(JOIN ARGN ", " modules)
    set(found)
    foreach(program "${Python3_EXECUTABLE}" "$ENV{BAILEY_TEST_PYTHON}" python3 /usr/bin/python3)
        if(program AND NOT found)
            execute_process(COMMAND "${program}" -c "import sys, ${modules}; print(sys.executable)"
                RESULT_VARIABLE failed OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
            if(NOT failed)
                set(found "${path}")
            endif()
        endif()
    endforeach()
    set(BAILEY_PYTHON_PROGRAM "${found}" PARENT_SCOPE)
endfunction()
