#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# Tries Debian packages in a Debian of its own, which it changes: as root, in a container or a root that debootstrap
# made, with the folder of the packages that scripts/package makes. Not run by ctest.
#     debian.sh PACKAGES
# Installs them, runs the program and its self-test, builds examples/paths.c with pkg-config and with CMake, prices
# in Python, looks for the notices, purges them, and looks for what was left.
set -eu
packages=$(cd "${1:?usage: debian.sh PACKAGES}" && pwd)
export DEBIAN_FRONTEND=noninteractive
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# step NAME COMMAND...
step() {
    step=$1
    shift
    if "$@" >"$dir/said" 2>&1; then
        echo "ok: $step"
    else
        echo "FAIL: $step"
        cat "$dir/said"
        exit 1
    fi
}

# What is on the disk, without what changes by itself.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path \
        /var/lib/dpkg -o -path "$packages" \) -prune -o -print | sort
}

names=
for file in "$packages"/*.deb; do
    names="$names $(dpkg-deb -f "$file" Package)"
done

step "lists of packages" apt-get -q update
# shellcheck disable=SC2046,SC2086
step "what they depend on is installed" apt-get -q -y install gcc libc6-dev cmake make pkg-config \
    libjansson4 python3-cffi python3-numpy \
    $(for file in "$packages"/*mpi*.deb; do [ ! -e "$file" ] || echo mpi-default-dev mpi-default-bin; done | sort -u)
files >"$dir/before"
step "the packages are installed" apt-get -q -y --no-install-recommends install "$packages"/*.deb

for name in $names; do
    step "$name: notices" grep -q 'Frances Y. Kuo' "/usr/share/doc/$name/copyright"
    step "$name: licence" grep -q 'the bailey authors' "/usr/share/doc/$name/copyright"
done

step "bailey has its manual page" test -s /usr/share/man/man1/bailey.1.gz
step "bailey devices" bailey devices
step "bailey selftest" bailey selftest --device cpu
step "bailey bench" bailey bench random --quick --device cpu --generators philox --forms u32
step "a payoff is compiled" env BAILEY_PREBUILT=0 bailey price european --spot 100 --strike 100 --rate 0.05 \
    --volatility 0.2 --paths 65536 --device cpu

examples=/usr/share/doc/libbailey-dev/examples
# shellcheck disable=SC2046
step "pkg-config builds examples/paths.c" cc -o "$dir/paths" $examples/paths.c $(pkg-config --cflags --libs bailey)
step "it runs" "$dir/paths"
mkdir "$dir/project"
cat >"$dir/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(paths C)
find_package(bailey 0.1 REQUIRED)
foreach(kind bailey static)
    add_executable(paths_${kind} paths.c)
    target_link_libraries(paths_${kind} PRIVATE bailey::${kind})
endforeach()
END
cp $examples/paths.c "$dir/project"
step "find_package configures" cmake -S "$dir/project" -B "$dir/project/build"
step "find_package builds" cmake --build "$dir/project/build"
step "it runs, shared" "$dir/project/build/paths_bailey"
step "it runs, static" "$dir/project/build/paths_static"

step "Python prices" python3 -c '
import importlib.metadata
import bailey

assert importlib.metadata.version("bailey") == bailey.__version__
option = bailey.Simulation("european", times=[1.0], device="cpu")
option.set(spot=100, strike=105, rate=0.03, volatility=0.2)
assert abs(option.run(1 << 16, seed=1).mean - 7.13) < 0.3
assert bailey.Source(seed=7).bit_generator()'
case $names in *bailey-mpi*)
    step "bailey-mpi" mpirun --allow-run-as-root --oversubscribe -n 2 bailey-mpi price european --spot 100 --strike 100 \
        --rate 0.05 --volatility 0.2 --paths 65536 --device cpu
    ;;
esac

# shellcheck disable=SC2086
step "the packages are purged" apt-get -q -y purge $names
rm -rf "$HOME/.cache/bailey" "$HOME/.cache/pocl" # the latter is of PoCL, if this Debian has it
files >"$dir/after"
diff "$dir/before" "$dir/after" >"$dir/left" || {
    echo "FAIL: what was left or lost"
    cat "$dir/left"
    exit 1
}
echo "ok: nothing is left"
