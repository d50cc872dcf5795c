# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# cmake -DPROGRAM=... -DPAGE=... -P BaileyPage.cmake: the manual page that a program prints of itself, in the file PAGE.
get_filename_component(folder "${PAGE}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND ${PROGRAM} manual OUTPUT_FILE "${PAGE}" RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "manual failed: ${failed}")
endif()
