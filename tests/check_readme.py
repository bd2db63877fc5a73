#!/usr/bin/env python3
"""Runs the examples of README.md.

usage: check_readme.py PROGRAM README EXAMPLES_FOLDER

A ```console block holds "$ " lines and what they print; elapsed times are
not compared. A ```c block must be part of a program in EXAMPLES_FOLDER, which
another test compiles and runs. The table of kinds must name every kind.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "cli"))
import transcript  # noqa: E402

program, readme, examples = sys.argv[1:4]
text = pathlib.Path(readme).read_text(encoding="utf-8")
problems = 0
n_run = 0

with tempfile.TemporaryDirectory() as folder:
    for block in re.finditer(r"```console\n(.*?)```", text, re.S):
        line = text.count("\n", 0, block.start()) + 1
        for part in re.split(r"^\$ ", block.group(1), flags=re.M)[1:]:
            # A command goes on while its line ends in a backslash.
            command, _, printed = part.partition("\n")
            while command.endswith("\\"):
                more, _, printed = printed.partition("\n")
                command += "\n" + more
            if not re.search(r"\bdosimeter\b", command):
                continue  # make, git: what installs the program
            out, err, status = transcript.run(program, command, folder)
            n_run += 1
            if transcript.same(printed.rstrip("\n").split("\n"), out + err) \
                    and status == 0:
                continue
            problems += 1
            print(f"{readme}:{line}: $ {command}")
            for got in out + err:
                print(f"  + {got}")
            print(f"  + = {status}")

programs = [p.read_text() for p in pathlib.Path(examples).glob("*.c")]
for block in re.finditer(r"```c\n(.*?)```", text, re.S):
    if not any(block.group(1) in p for p in programs):
        problems += 1
        print("README: a C example is in no program of the examples")

kinds = subprocess.run([program, "kinds"], capture_output=True, text=True,
                       check=True).stdout
for form in re.findall(r"^\S.*", kinds, re.M):
    if f"`{form}`" not in text:
        problems += 1
        print(f"README: the table of kinds lacks `{form}`")

print(f"{n_run} commands run, {problems} problems")
sys.exit(1 if problems or n_run < 5 else 0)
