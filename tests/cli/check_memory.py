#!/usr/bin/env python3
"""The program's peak memory stays under 16 MB, for every kind of call.

usage: check_memory.py PEAK PROGRAM        (a program without sanitizers)
"""
import subprocess
import sys

LIMIT_KB = 16 * 1024
QUESTION = '{"query":"epsilon","plan":"gaussian(50)*10000","delta":1e-5}\n'
CALLS = [
    (["version"], ""),
    (["epsilon", "gaussian(50) * 10000", "--delta", "1e-5"], ""),
    (["epsilon", "pure(0.1) * 1000000", "--delta", "1e-6"], ""),
    (["delta", "laplace(10) * 3 + gaussian(4)", "--epsilon", "1"], ""),
    (["tradeoff", "gaussian(1)", "--points", "1000", "--csv"], ""),
    (["renyi", "laplace(2)", "--order", "8"], ""),
    (["formula", "list", "--all"], ""),
    (["formula", "eval", "--batch"], "T000-01.eps,eps=0.5\n" * 10000),
    (["batch"], QUESTION * 10000),
    (["epsilon", "-", "--delta", "1e-6"], "(" * 1000000),
    (["epsilon", "-", "--delta", "1e-6"], '{"of":' * 150000),
    (["epsilon", "-", "--delta", "1e-6"], "gaussian(1) + " * 1000),
]

worst = 0
for arguments, text in CALLS:
    done = subprocess.run([*sys.argv[1:3], *arguments], input=text.encode(),
                          capture_output=True, check=False)
    if done.returncode != 0:
        print(f"{arguments}: did not run")
        sys.exit(1)
    worst = max(worst, int(done.stdout))
    if int(done.stdout) > LIMIT_KB:
        print(f"{arguments}: {int(done.stdout)} kB")
        sys.exit(1)
print(f"at most {worst} kB of {LIMIT_KB} kB")
