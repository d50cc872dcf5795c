# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# cmake -DPROGRAM=... -DOUTPUT=... -P BaileyPrinted.cmake: the manual pages and completions that the program `bailey`
# prints of itself, in OUTPUT, and a file `stamp` there when all are.
function(print file)
    execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE "${OUTPUT}/${file}" RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "bailey ${ARGN} failed: ${failed}")
    endif()
endfunction()

file(REMOVE_RECURSE "${OUTPUT}")
file(MAKE_DIRECTORY "${OUTPUT}/man1" "${OUTPUT}/bash" "${OUTPUT}/zsh" "${OUTPUT}/fish")
execute_process(COMMAND ${PROGRAM} manual --list OUTPUT_VARIABLE pages RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "bailey manual --list failed: ${failed}")
endif()
string(REGEX MATCHALL "[^\n]+" pages "${pages}")
foreach(page IN LISTS pages)
    print("man1/${page}.1" manual ${page})
endforeach()
print(bash/bailey completion bash)
print(zsh/_bailey completion zsh)
print(fish/bailey.fish completion fish)
file(TOUCH "${OUTPUT}/stamp")
