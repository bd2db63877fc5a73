#!/usr/bin/env python3
"""Installs the library and builds a program against it as the guide says.

usage: check_embedding.py BUILD_FOLDER PAGE EXAMPLE [FLAG...]

The commands are those of PAGE: its ```sh line (pkg-config) and its ```cmake
lines; then the static library is linked by its name. EXAMPLE is the program.
FLAGs are for compiler and linker, if the library itself needs some.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

build, page, example = sys.argv[1:4]
flags = " ".join(sys.argv[4:])
text = pathlib.Path(page).read_text(encoding="utf-8")
cc_line = re.search(r"```sh\n(cc .*?)```", text, re.S).group(1).strip()
cmake_lines = re.search(r"```cmake\n(.*?)```", text, re.S).group(1)


def run(command, folder, env):
    done = subprocess.run(command, cwd=folder, env=env, text=True, check=False,
                          shell=isinstance(command, str),
                          capture_output=True, timeout=300)
    if done.returncode != 0:
        print(command, done.stdout, done.stderr, sep="\n")
        sys.exit(1)
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    prefix = os.path.join(folder, "prefix")
    env = dict(os.environ)
    run(["cmake", "--install", build, "--prefix", prefix], folder, env)
    libraries = next(pathlib.Path(prefix).rglob("dosimeter.pc")).parents[1]
    env.update(PKG_CONFIG_PATH=str(libraries / "pkgconfig"),
               LD_LIBRARY_PATH=str(libraries), CFLAGS=flags, LDFLAGS=flags)
    shutil.copy(example, os.path.join(folder, "main.c"))

    run(f"{cc_line} {flags} -o by_pkg_config", folder, env)
    said = run([os.path.join(folder, "by_pkg_config")], folder, env)

    run(f"cc main.c $(pkg-config --cflags dosimeter) "
        f"{libraries / 'libdosimeter.a'} -lm {flags} -o statically",
        folder, env)
    static = run([os.path.join(folder, "statically")], folder, env)

    pathlib.Path(folder, "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(main C)\n"
        "add_executable(main main.c)\n" + cmake_lines, encoding="utf-8")
    run(["cmake", "-S", ".", "-B", "out", f"-DCMAKE_PREFIX_PATH={prefix}"],
        folder, env)
    run(["cmake", "--build", "out"], folder, env)
    again = run([os.path.join(folder, "out", "main")], folder, env)

print(said, end="")
if not said == static == again or \
        not said.startswith("epsilon <= 9.997256146434"):
    print(static, again, sep="", end="")
    sys.exit(1)
