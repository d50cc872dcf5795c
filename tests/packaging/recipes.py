# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The recipes of packaging/ for vcpkg, conda and Spack, without those programs.

usage: recipes.py SOURCE BUILD CMAKE

Each is read as what it is, what it calls is replaced by stand-ins, its options are options of the build, its files
exist, and its version is the project's.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

source, build, cmake = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
cache = set(re.findall(r"^(\w+):", (build / "CMakeCache.txt").read_text(), re.M))
version = re.search(r"^project\(bailey VERSION ([0-9.]+)", (source / "CMakeLists.txt").read_text(), re.M)[1]
failed = False


def expect(good, text):
    global failed
    print("ok:" if good else "FAIL:", text)
    failed = failed or not good


def options(name, words):
    """Options are a value for something that the build knows."""
    found = [re.match(r"-D(\w+)(?::\w+)?=(.+)$", word) for word in words]
    expect(found and all(found) and all(match[1] in cache for match in found), f"{name}: {' '.join(words)}")


# The functions that a portfile calls, in CMake; they write down their arguments.
VCPKG = """
cmake_policy(VERSION 3.25)
set(CURRENT_PORT_DIR "@port@")
set(CURRENT_PACKAGES_DIR "@packages@")
set(FEATURES @features@)
function(vcpkg_check_features)
    cmake_parse_arguments(PARSE_ARGV 0 a "" "OUT_FEATURE_OPTIONS" "FEATURES")
    while(a_FEATURES)
        list(POP_FRONT a_FEATURES feature option)
        if(feature IN_LIST FEATURES)
            list(APPEND found -D${option}=ON)
        else()
            list(APPEND found -D${option}=OFF)
        endif()
    endwhile()
    set(${a_OUT_FEATURE_OPTIONS} ${found} PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 a "" "SOURCE_PATH" "OPTIONS")
    foreach(option IN LISTS a_OPTIONS)
        message("option ${option}")
    endforeach()
    message("file ${a_SOURCE_PATH}/CMakeLists.txt")
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 a "" "" "FILE_LIST")
    foreach(file IN LISTS a_FILE_LIST)
        message("file ${file}")
    endforeach()
endfunction()
foreach(name vcpkg_cmake_install vcpkg_cmake_config_fixup vcpkg_fixup_pkgconfig vcpkg_copy_tools)
    function(${name})
    endfunction()
endforeach()
include("@port@/portfile.cmake")
"""


def vcpkg():
    port = source / "packaging/vcpkg/bailey"
    manifest = json.loads((port / "vcpkg.json").read_text())
    expect(manifest["version"] == version, "vcpkg: version")
    for features in ("", " ".join(manifest["features"])):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script.cmake"
            script.write_text(VCPKG.replace("@port@", str(port)).replace("@packages@", folder).replace(
                "@features@", features))
            done = subprocess.run([cmake, "-P", str(script)], stderr=subprocess.PIPE, universal_newlines=True)
        expect(done.returncode == 0, f"vcpkg: the port runs with features '{features}'")
        lines = [line.split(" ", 1) for line in done.stderr.splitlines() if " " in line]
        options("vcpkg", [rest for kind, rest in lines if kind == "option"])
        files = [pathlib.Path(rest).resolve() for kind, rest in lines if kind == "file"]
        expect(set(files) == {(source / name).resolve() for name in ("CMakeLists.txt", "LICENSE", "data/LICENSE.sobol")},
               "vcpkg: its files")


def conda():
    text = (source / "packaging/conda/recipe.yaml").read_text()
    expect(re.search(r'^  version: "(.*)"$', text, re.M)[1] == version, "conda: version")
    options("conda", [word for word in text.split() if word.startswith("-DBAILEY")])
    try:
        import yaml
    except ImportError:
        print("skipped: conda's recipe as YAML, as there is no PyYAML")
        if "python" in os.environ.get("BAILEY_TEST_REQUIRE", "").split(","):
            expect(False, "conda: the recipe is read as YAML")
        return
    recipe = yaml.safe_load(text)
    tree = source / "packaging/conda" / recipe["source"]["path"]
    for output in recipe["outputs"]:
        files = output["about"]["license_file"]
        expect(len(files) == 2 and all((tree / file).is_file() for file in files),
               f"conda: {output['package']['name']}, notices")


def spack():
    class CMakePackage:
        variants = {}

        def define(self, name, value):
            return f"-D{name}:BOOL={'ON' if value else 'OFF'}"

        def define_from_variant(self, name, variant):
            return self.define(name, self.variants[variant])

    calls = []
    package = types.ModuleType("spack.package")
    package.CMakePackage = CMakePackage
    package.variant = lambda name, default, description: CMakePackage.variants.update({name: default})
    for name in ("license", "version", "depends_on"):
        setattr(package, name, lambda *words, name=name, **more: calls.append((name, words, more)))
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
    file = source / "packaging/spack/packages/bailey/package.py"
    names = {"__file__": str(file), "__name__": "package"}
    exec(compile(file.read_text(), str(file), "exec"), names)
    expect(names["Bailey"].git == source.resolve().as_uri(), "Spack: the tree it lies in")
    options("Spack", names["Bailey"]().cmake_args())
    conditions = {more["when"] for name, words, more in calls if "when" in more}
    expect(conditions == {"+" + name for name in CMakePackage.variants}, "Spack: variants")


def wheel():
    """The wheel's version and notices; and the library that the package opens if it contains none."""
    text = (source / "pyproject.toml").read_text()
    expect(re.search(r'^version = "(.*)"$', text, re.M)[1] == version, "pyproject.toml: version")
    files = re.findall(r'"([^"]*)"', re.search(r"^wheel.license-files = (.*)$", text, re.M)[1])
    expect(set(files) == {"LICENSE", "data/LICENSE.sobol"}, "pyproject.toml: notices")
    text = (source / "python/bailey/_library.py").read_text()
    expect(re.findall(r"libbailey\.so\.[0-9.]+", text) == ["libbailey.so." + version.rpartition(".")[0]],
           "Python opens the SONAME")


for part in (vcpkg, conda, spack, wheel):
    part()
sys.exit(failed)
