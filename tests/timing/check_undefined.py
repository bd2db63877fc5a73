#!/usr/bin/env python3
"""Runs a program under valgrind in which secrets are marked undefined, and
compares the places of jumps that depend on them with those allowed.

usage: check_undefined.py FUNCTION:PLACES,... PROGRAM [ARGUMENT...]

FUNCTION:PLACES allows so many different jumps in that function. Exit status
77 without valgrind.
"""
import re
import shutil
import subprocess
import sys

allowed = {}
for part in sys.argv[1].split(","):
    name, _, places = part.partition(":")
    allowed[name] = int(places)
if shutil.which("valgrind") is None:
    sys.exit(77)
run = subprocess.run(["valgrind", "--error-exitcode=0", *sys.argv[2:]],
                     capture_output=True, text=True)
if run.returncode != 0:
    sys.exit(f"the program failed: {run.stderr[-2000:]}")
places = {}
for kind, address, function in re.findall(
        r"== (\w[^\n]*uninitialised[^\n]*)\n==\d+==    at "
        r"(0x[0-9A-F]+): (\w+)", run.stderr):
    if "jump" not in kind:
        sys.exit(f"{function}: {kind}")
    places.setdefault(function, set()).add(address)
if "uninitialised" not in run.stderr:
    sys.exit("valgrind saw no secret: the check checks nothing")
for function, found in places.items():
    if len(found) > allowed.get(function, 0):
        sys.exit(f"{function}: {len(found)} jumps depend on secrets, "
                 f"{allowed.get(function, 0)} allowed")
