#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The library as others meet it:
#     run.sh SOURCE BUILD [configure | install | subdirectory | headers | readme | symbols | recipes]...    (all without a word)
# configure     where cmocka is missing, the tests are left out, or refused where they were asked for; the notices of
#               Debian packages
# install       installs BUILD elsewhere; examples/consume by find_package and pkg-config, in C and C++, shared and
#               static, and the command of its README.md; what the library exports and needs
# subdirectory  examples/consume by FetchContent, of a repository that has the tree's files, built from nothing, with
#               unity builds; and by add_subdirectory, of which the program is compiled alone, unless BAILEY_TEST_LARGE is
#               set
# headers       each header alone, in each language that this machine has a compiler for
# readme        programs of README.md and docs/first-steps.md are those of examples/, links lead somewhere, no example and no
#               variable is forgotten
# symbols       the lists of what the libraries export are what the headers declare
# recipes       those of packaging/ for vcpkg, conda and Spack
set -eu
LC_ALL=C
export LC_ALL
unset CFLAGS CXXFLAGS LDFLAGS CMAKE_PREFIX_PATH BAILEY_DEVICE BAILEY_LOG
source=$(cd "${1:?usage: run.sh SOURCE BUILD [PART]...}" && pwd)
build=$(cd "${2:?usage: run.sh SOURCE BUILD [PART]...}" && pwd)
shift 2
[ $# -gt 0 ] || set -- configure install subdirectory headers readme symbols recipes
here=$source/tests/packaging

cached() {
    sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"
}
cmake=$(cached CMAKE_COMMAND)
cc=$(cached CMAKE_C_COMPILER)
# The compilers that the build used, in the consumers too.
cxx=${CXX:-c++}
command -v "$cxx" >/dev/null || cxx=
version=$(sed -n 's/^project(bailey VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}

# quiet NAME COMMAND...: shows what it said only if it fails.
quiet() {
    name=$1
    shift
    if "$@" >"$dir/said" 2>&1; then
        echo "ok: $name"
    else
        fail "$name"
        sed 's/^/    /' "$dir/said"
        return 1
    fi
}

# The first word of Philox4x32-10 with key {42, 0} and counter 0, computed apart from the library.
expected="bailey $version: 9ceaf053"

# runs NAME PROGRAM [VARIABLE=VALUE]: it prints what it should, from an empty environment.
runs() {
    if found=$(env -i ${3:+"$3"} "$2" 2>&1) && [ "$found" = "$expected" ]; then
        echo "ok: $1 runs"
    else
        fail "$1 printed '$found', not '$expected'"
    fi
}

# project FOLDER OPTION...: configures, builds and runs a project of examples/consume.
project() {
    project=$1
    shift
    quiet "$project configures" "$cmake" -G Ninja -S "$source/examples/consume/$project" -B "$dir/$project" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="${cxx:-none}" -DCMAKE_BUILD_TYPE=Release "$@" || return 1
    # shellcheck disable=SC2086
    quiet "$project builds" "$cmake" --build "$dir/$project" --parallel 1 --target ${targets:-consumer consumer_static} ||
        return 1
    [ -z "${targets:-}" ] || return 0
    runs "$project" "$dir/$project/consumer"
    runs "$project, static" "$dir/$project/consumer_static"
}

# ---- configure ----

part_configure() {
    hidden="$(cached BAILEY_CMOCKA_INCLUDE_DIR);$(dirname "$(cached BAILEY_CMOCKA_LIBRARY)")"
    set -- "$cmake" -G Ninja -S "$source" -B "$dir/bare" -DCMAKE_C_COMPILER="$cc" -DBAILEY_CUDA=OFF \
        -DBAILEY_DEBIAN=ON -DCMAKE_IGNORE_PATH="$hidden"
    quiet "configures without cmocka" "$@" || return 0
    grep -q 'Tests: no (cmocka was not found)' "$dir/said" || fail "the missing tests are not reported"
    for holder in 'the bailey authors' 'Frances Y. Kuo and Stephen Joe'; do
        grep -q "^Copyright: .*$holder" "$dir/bare/debian/copyright" || fail "Debian's notice lacks $holder"
    done
    if "$@" -DBAILEY_BUILD_TESTS=ON >"$dir/said" 2>&1; then
        fail "BAILEY_BUILD_TESTS=ON is accepted without cmocka"
    elif ! grep -q 'BAILEY_BUILD_TESTS=ON, but cmocka was not found' "$dir/said"; then
        fail "BAILEY_BUILD_TESTS=ON is refused without the reason"
    else
        echo "ok: BAILEY_BUILD_TESTS=ON needs cmocka"
    fi
    if "$@" -DBAILEY_CPU_LEVELS=sse9 >"$dir/said" 2>&1; then fail "BAILEY_CPU_LEVELS=sse9 is accepted"; fi
    # The best that this processor runs, which the library finds too, and the baseline.
    quiet "configures for this processor" "$@" -DBAILEY_BUILD_TESTS=OFF -DBAILEY_CPU_LEVELS=native || return 0
    best=$("$build/src/cli/bailey" devices --json 2>/dev/null | sed -n 's/.*"driver": "C, \([a-z0-9]*\)".*/\1/p')
    built=$(grep -o 'bailey_cpu_[a-z0-9]*_4[.]dir' "$dir/bare/build.ninja" | sort -u | tr '\n' ' ')
    case $best in
    scalar) return 0 ;; # a build with sanitizers has nothing else
    avx*) wanted="bailey_cpu_${best}_4.dir bailey_cpu_baseline_4.dir " ;;
    *) wanted="bailey_cpu_baseline_4.dir " ;;
    esac
    [ "$built" = "$wanted" ] || fail "BAILEY_CPU_LEVELS=native compiles $built, not $wanted"
}

# ---- install ----

# check_exports LIBRARY MAP: it exports what the map lists, with its version, and nothing else.
check_exports() {
    nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort >"$dir/exported"
    awk '/^BAILEY_/ { node = $1 } /^    bailey_/ { sub(";", ""); print $1 "@@" node }' "$2" | sort >"$dir/listed"
    [ -s "$dir/listed" ] && cmp -s "$dir/exported" "$dir/listed" || {
        fail "$1: exported (<) and listed (>) differ"
        diff "$dir/exported" "$dir/listed" || :
    }
}

check_library() {
    library=$1/libbailey.so
    soname=$(readelf -d "$library" | sed -n 's/.*Library soname: \[\(.*\)\]/\1/p')
    [ "$soname" = "libbailey.so.${version%.*}" ] || fail "the SONAME is '$soname'"
    [ -e "$1/$soname" ] || fail "$soname is not installed"
    for needed in $(readelf -d "$library" | sed -n 's/.*Shared library: \[\(.*\)\]/\1/p'); do
        case $needed in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | ld-linux*.so.*) ;;
        *) fail "the library needs $needed" ;;
        esac
    done
    readelf -d "$library" | grep -E 'R(UN)?PATH' && fail "the library has a search path of its own"
    check_exports "$library" "$source/src/bailey.map"
    # Names of the static library are in the user's programs too, and the others are hidden from what these load.
    foreign=$(nm -g --defined-only "$1/libbailey.a" | awk 'NF == 3 && $3 !~ /^(bailey|bly)_/ { print $3 }')
    [ -z "$foreign" ] || fail "the static library defines" $foreign
    readelf -sW "$1/libbailey.a" | awk '$5 ~ /GLOBAL|WEAK/ && $6 != "HIDDEN" && $7 != "UND" { print $8 }' | sort >"$dir/visible"
    sed -n 's/^    \(bailey_.*\);/\1/p' "$source/src/bailey.map" | cmp -s - "$dir/visible" ||
        fail "what is visible of the static library is not src/bailey.map"
    echo "ok: symbols, SONAME and dependencies"
}

# Whether BUILD has bailey-mpi.
has_mpi() {
    [ -e "$build/bailey-mpi.pc" ]
}

# A user of the component: what MPI's program for one rank prints is what the library's own does.
install_mpi() {
    check_exports "$libdir/libbailey-mpi.so" "$source/src/mpi/bailey-mpi.map"
    quiet "the consumer of bailey-mpi configures" "$cmake" -G Ninja -S "$here/consumer_mpi" -B "$dir/mpi" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" || return 0
    quiet "the consumer of bailey-mpi builds" "$cmake" --build "$dir/mpi" || return 0
    [ "$(env OMPI_MCA_btl_vader_single_copy_mechanism=none "$dir/mpi/consumer_mpi")" = "share 0 of 7" ] ||
        fail "the consumer of bailey-mpi does not run"
    command -v pkg-config >/dev/null && command -v mpicc >/dev/null || return 0
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$libdir/pkgconfig quiet "pkg-config builds with bailey-mpi" mpicc -std=c11 -o "$dir/pcm" \
        "$here/consumer_mpi/consumer.c" $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs bailey-mpi) || :
}

# The command of examples/consume/README.md, and what it prints.
consume_page() {
    cp -r "$source/examples/consume" "$dir/consume"
    awk '/^```/ { inside = !inside; next } inside' "$dir/consume/README.md" | sed "s|DIR|$prefix|" >"$dir/command"
    # Ninja is what this build needs; a user may have make instead.
    if (cd "$dir/consume" && CMAKE_GENERATOR=Ninja CC=$cc sh -e "$dir/command") >"$dir/said" 2>&1 &&
        [ "$(tail -n 1 "$dir/said")" = "$expected" ] && grep -qF "\`$expected\`" "$dir/consume/README.md"; then
        echo "ok: the command of examples/consume/README.md"
    else
        fail "the command of examples/consume/README.md"
        cat "$dir/said"
    fi
}

part_install() {
    prefix=$dir/prefix
    quiet "installs" "$cmake" --install "$build" --prefix "$prefix" || return 0
    libdir=$(dirname "$(find "$prefix" -name 'libbailey.a')")
    check_library "$libdir"
    (cd "$source/include" && find bailey -name '*.h*' | sort) >"$dir/headers"
    has_mpi || sed -i '/^bailey\/mpi.h$/d' "$dir/headers"
    (cd "$prefix/include" && find bailey -type f | sort) | cmp -s - "$dir/headers" ||
        fail "the installed headers are not those of include/bailey"
    # The library contains the numbers that this is the licence of.
    for notice in LICENSE data/LICENSE.sobol; do
        find "$prefix/share/doc" -name "${notice##*/}" -exec cmp -s {} "$source/$notice" \; -print | grep -q . ||
            fail "$notice is not installed"
    done
    if [ -e "$prefix/bin/bailey" ]; then
        [ "$(env -i "$prefix/bin/bailey" --version)" = "bailey $version" ] || fail "the installed program does not run"
    fi
    # A package is often moved to where it stays.
    mv "$prefix" "$dir/moved"
    prefix=$dir/moved
    libdir=$dir/moved${libdir#"$dir/prefix"}
    if [ -e "$prefix/bin/bailey" ]; then
        quiet "the installed benchmarks run" env -i "$prefix/bin/bailey" bench random --quick --device cpu \
            --generators philox --forms u32 || :
    fi

    consume_page
    project find_package -DCMAKE_PREFIX_PATH="$prefix" || :
    [ -z "$cxx" ] || project find_package_cpp -DCMAKE_PREFIX_PATH="$prefix" || :

    if has_mpi; then
        install_mpi
    else
        echo "skipped: bailey-mpi, as MPI is not here"
    fi

    if ! command -v pkg-config >/dev/null; then
        echo "skipped: pkg-config, which is not here"
        return 0
    fi
    PKG_CONFIG_PATH=$libdir/pkgconfig
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion bailey)" = "$version" ] || fail "pkg-config gives another version"
    export CC="$cc"
    LDFLAGS="-Wl,-rpath,$libdir" quiet "pkg-config builds" "$source/examples/consume/pkg_config/build.sh" "$dir" &&
        runs pkg-config "$dir/consumer" && runs "pkg-config --static" "$dir/consumer_static"
    quiet "pkg-config builds without rpath" "$source/examples/consume/pkg_config/build.sh" "$dir" &&
        runs LD_LIBRARY_PATH "$dir/consumer" LD_LIBRARY_PATH="$libdir"
    if ldd "$dir/consumer_static" | grep -q libbailey; then fail "the static program needs libbailey.so"; fi
}

# ---- subdirectory ----

# Where the tree is a checkout, a repository with its files as they are, to be cloned; else the tree.
fetched_from() {
    if ! git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
        echo "-DFETCHCONTENT_SOURCE_DIR_BAILEY=$source"
        return
    fi
    mkdir "$dir/repository"
    (cd "$source" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) |
        tar -C "$dir/repository" -xf -
    git -C "$dir/repository" init -q
    git -C "$dir/repository" add -A
    git -C "$dir/repository" -c user.name=bailey -c user.email=bailey@example.invalid commit -q -m "The tree"
    echo "-DBAILEY_REPOSITORY=file://$dir/repository"
}

part_subdirectory() {
    # In C++ alone where there is a compiler: bailey must then enable C itself.
    targets=
    [ -z "$cxx" ] || project fetch_content "$(fetched_from)" -DBAILEY_CUDA=OFF -DBAILEY_CPU_LEVELS=scalar \
        -DCMAKE_UNITY_BUILD=ON -DCMAKE_C_FLAGS_RELEASE=-O0 || :
    [ -z "$cxx" ] || [ -n "${BAILEY_TEST_LARGE:-}" ] || targets=$source/examples/consume/main.c^ # what is made of it first
    project add_subdirectory -DBAILEY_SOURCE="$source" -DBAILEY_CUDA=OFF -DBAILEY_CPU_LEVELS=scalar || :
    targets=
    for tree in "$dir/fetch_content/_deps/bailey-build" "$dir/add_subdirectory/bailey"; do
        if [ -e "$tree/src/cli" ] || [ -e "$tree/tests" ]; then
            fail "program or tests are configured in somebody else's project"
        fi
    done
}

# ---- headers ----

part_headers() {
    nvcc=$(cached BAILEY_CUDA_NVCC)
    [ -x "$nvcc" ] || nvcc=
    cuda_include=$(cached BAILEY_CUDA_INCLUDE_DIR)
    opencl_include=$(cached BAILEY_OPENCL_INCLUDE_DIR)
    clang=$(command -v clang || :)
    # A warning in a header is the user's warning.
    strict="-pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Werror"
    # What one compiler or device alone has stands in the file of its target.
    machine='asm|__asm__|__builtin_[a-z0-9_]+|_mm[0-9]*_[a-z0-9_]+|__shfl[a-z_]*|__ldg|native_[a-z0-9]+'
    (cd "$source" && grep -nwE "$machine" include/bailey/device/*.h src/kernels*/*.* src/kernels*/tuned/*) >"$dir/machine" || :
    [ ! -s "$dir/machine" ] || fail "outside of bailey/device/lang: $(cat "$dir/machine")"
    [ -n "$cxx" ] || echo "skipped: C++, which is not here"
    [ -n "$clang" ] || echo "skipped: OpenCL C, as clang is not here"
    [ -n "$nvcc" ] || echo "skipped: CUDA, as nvcc is not here"
    for standard in 17 20; do
        [ -z "$cxx" ] || echo '#include <bailey/bailey.hpp>' | quiet "bailey/bailey.hpp, C++$standard" "$cxx" \
            -std=c++$standard -x c++ $strict -I "$source/include" -fsyntax-only - || :
    done
    for header in $(cd "$source/include" && find bailey -name '*.h' | sort); do
        vendor=
        case $header in
        bailey/device/lang/*) continue ;; # parts of dialect.h, one for each target
        bailey/opencl.h) vendor=$opencl_include ;;
        bailey/cuda.h) vendor=$cuda_include ;;
        bailey/mpi.h) vendor=$(cached MPI_C_HEADER_DIR) ;;
        *) vendor=none ;;
        esac
        case $vendor in
        '' | *-NOTFOUND)
            echo "skipped: $header, whose vendor's headers are not here"
            continue
            ;;
        none) vendor= ;;
        *) vendor="-isystem $vendor" ;;
        esac
        include="-I $source/include"
        # Twice, as a user's own headers may.
        printf '#include <%s>\n#include <%s>\n' "$header" "$header" >"$dir/one.c"
        echo 'typedef int not_empty;' >>"$dir/one.c"
        cp "$dir/one.c" "$dir/one.cpp"
        cp "$dir/one.c" "$dir/one.cu"
        cp "$dir/one.c" "$dir/one.cl"
        # shellcheck disable=SC2086
        {
            quiet "$header, C11" "$cc" -std=c11 $strict -DCL_TARGET_OPENCL_VERSION=120 $include $vendor \
                -fsyntax-only "$dir/one.c" || :
            [ -z "$cxx" ] || quiet "$header, C++17" "$cxx" -std=c++17 $strict -DCL_TARGET_OPENCL_VERSION=120 \
                $include $vendor -fsyntax-only "$dir/one.cpp" || :
            case $header in bailey/device/*) ;; *) continue ;; esac
            [ -z "$clang" ] || quiet "$header, OpenCL C 1.2" "$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
                -target spir64-unknown-unknown -Wall -Wextra -Werror $include -fsyntax-only "$dir/one.cl" || :
            [ -z "$nvcc" ] || quiet "$header, CUDA" "$nvcc" -Wno-deprecated-gpu-targets -Werror all-warnings -std=c++17 \
                $include -ptx -o "$dir/one.ptx" "$dir/one.cu" || :
        }
    done
}

# ---- readme ----

part_readme() {
    readme=$source/README.md
    examples=$source/examples/README.md
    variables=$source/docs/reference/environment.md
    block c "$readme" >"$dir/readme.c"
    block c "$source/docs/first-steps.md" | awk '/bailey_bridge_create/ { found = 1 } { text = text $0 "\n" }
        /^}$/ { if (found) printf "%s", text; text = ""; found = 0 }' >"$dir/steps.c"
    same quick_start.c readme.c
    same paths.c steps.c
    block python "$readme" >"$dir/readme.py"
    tail -n +4 "$source/examples/python/quick_start.py" | diff - "$dir/readme.py" ||
        fail "README.md's example is not examples/python/quick_start.py below its docstring"
    # Every example is mentioned.
    for example in "$source"/examples/*.c* "$source"/examples/*.py "$source"/examples/python/*.py; do
        grep -qF "(${example#"$source/examples/"})" "$examples" || fail "examples/README.md does not mention $example"
    done
    for page in README.md examples/README.md; do
        for link in $(grep -oE '\]\([^)#]+' "$source/$page" | cut -c3- | grep -v '://'); do
            [ -e "$(dirname "$source/$page")/$link" ] || fail "$page links to $link, which does not exist"
        done
    done
    # Variables that the code reads, written as BAILEY_X in a string, except those of the tests.
    name='"BAILEY_[A-Z_]*[A-Z]"'
    {
        (cd "$source" && grep -rhoE "$name" src/host src/backend src/cli bench)
        grep -rhoE "environ.*$name" "$source/python/bailey" | grep -oE "$name"
    } | tr -d '"' | sort -u >"$dir/read"
    grep -oE '^\| `BAILEY_[A-Z_]*`' "$variables" | tr -d '|` ' | sort >"$dir/listed"
    sort -u "$dir/listed" | diff "$dir/read" - || fail "docs/reference/environment.md has not the variables that the code reads"
    [ -z "$(uniq -d "$dir/listed")" ] || fail "docs/reference/environment.md has twice: $(uniq -d "$dir/listed")"
    [ "$(wc -w <"$readme")" -le 700 ] || fail "README.md has more than 700 words"
    echo "ok: README.md was read"
}

# block LANGUAGE PAGE: the lines of the page's blocks in this language
block() {
    awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } /^```$/ { on = 0 } on' "$2"
}

# same EXAMPLE FILE: the example below its comment is this file
same() {
    awk 'done { print } /\*\// { done = 1 }' "$source/examples/$1" | diff - "$dir/$2" ||
        fail "the program on the page is not examples/$1 below its comment"
}

# ---- symbols ----

part_symbols() {
    quiet "the lists of symbols are what the headers declare" "$source/scripts/symbols" --check || :
}

# ---- recipes ----

part_recipes() {
    if ! command -v python3 >/dev/null; then
        echo "skipped: recipes, as there is no python3"
        return 0
    fi
    python=python3
    python3 -c 'import yaml' 2>/dev/null || [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3 # apt-get's PyYAML is for it
    "$python" "$here/recipes.py" "$source" "$build" "$cmake" || failed=1
}

for part; do
    case $part in
    configure | install | subdirectory | headers | readme | symbols | recipes) part_$part ;;
    *) fail "unknown part '$part'" ;;
    esac
done
exit $failed
