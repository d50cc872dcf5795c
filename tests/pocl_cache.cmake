# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# bailey_pocl_cache(<result> <file> <count>)
#     Which of <count> PoCL caches the tests of <file> use. Of the programs that tests on OpenCL compile two in five are
#     those of another file, so files share caches; but tests that share one wait for each other (CTest's RESOURCE_LOCK),
#     because PoCL before 4.0 may end a process that compiles while another one does: one for each processor.
function(bailey_pocl_cache result file count)
    string(MD5 number "${file}")
    string(SUBSTRING "${number}" 0 6 number)
    math(EXPR number "0x${number} % ${count}")
    set(${result} ${number} PARENT_SCOPE)
endfunction()
