# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# cpack runs this when the files of the packages are in their folders: manual pages are compressed, without a time.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*.[1-8]")
list(FILTER pages INCLUDE REGEX "/share/man/")
foreach(page IN LISTS pages)
    execute_process(COMMAND gzip -9n "${page}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
