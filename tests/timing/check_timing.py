#!/usr/bin/env python3
"""check_timing.py PROGRAM: valgrind finds no branch and no address that
depends on a secret word in constant mode, finds some in the control, and the
code of constant mode has no instruction whose time depends on its operands.
"""
import re
import shutil
import subprocess
import sys

program = sys.argv[1]
if shutil.which("valgrind") is None or shutil.which("objdump") is None:
    print("skipped: no valgrind or no objdump")
    sys.exit(77)


def reports(*arguments):
    """Errors that depend on undefined values, in this tree's functions."""
    run = subprocess.run(
        ["valgrind", "--tool=memcheck", "--leak-check=no", "--num-callers=4",
         "--log-fd=1", program, *arguments],
        stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{program} {arguments}: status {run.returncode}\n"
                 + run.stdout)
    blocks = re.split(r"==\d+== \n", run.stdout)
    return [b for b in blocks
            if "depends on uninitialised" in b or "Use of uninit" in b]


found = reports()
if found:
    sys.exit("constant mode depends on secret words:\n" + "\n".join(found))
control = reports("fast")
if not control:
    sys.exit("the control was not found: valgrind sees nothing")

code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program],
                      check=True, stdout=subprocess.PIPE, text=True).stdout
slow = re.compile(r"\t(v?div|v?sqrt|idiv|fdiv|fsqrt)")
functions = re.split(r"\n(?=[0-9a-f]+ <)", code)
looked = 0
for function in functions:
    name = re.match(r"[0-9a-f]+ <([^>]+)>", function)
    if name and re.match(r"(noise_propose_constant|run_law|run_stages|"
                         r"find_place|judge|keep_accepted)", name.group(1)):
        looked += 1
        for line in function.split("\n"):
            if slow.search(line):
                sys.exit(f"{name.group(1)}: {line.strip()}")
if looked == 0:
    sys.exit("no function of constant mode was found")
print(f"constant mode: 0 reports; control: {len(control)}; "
      f"{looked} functions without slow instructions")
