#!/usr/bin/env python3
"""What transcript.py --update rewrites, and what it leaves alone.

usage: check_transcript.py
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, os.path.dirname(__file__))
import transcript  # noqa: E402

BEFORE = """# A case that holds stays as it is, to the letter.
$ echo 2.5033793; echo "took 5 ms now"
2.50...
took 812 ms now

$ printf 'one\\nnew\\ntwo, at length\\n'
one
gone
two...

# What is said on stderr and the status, over a document.
$ cat > f <<END
> a
>
> b
> END
$ cat f | grep -v '^$'; echo oops >&2; exit 3
a
c
! ouch
= 1

$ printf 'a\\n\\nb\\n'
a
b

$ no such program
a

$ echo last
"""
AFTER = BEFORE.replace(
    "one\ngone\ntwo...", "one\nnew\ntwo...").replace(
    "a\nc\n! ouch\n= 1", "a\nb\n! oops\n= 3").replace(
    "$ echo last\n", "$ echo last\nlast\n")

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "x.t")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(BEFORE)
    changed = transcript.update("/bin/sh", path)
    with open(path, encoding="utf-8") as stream:
        after = stream.read()
problems = []
if changed != 3:
    problems.append(f"{changed} cases changed, not 3")
if after != AFTER:
    problems.append("rewritten as\n" + after)
for expected, actual, kept in (
        (["a..."], ["b", "ab"], ["b", "a..."]),
        (["a...", "a..."], ["ab"], ["a..."]),
        (["x", "1 ms y", "z"], ["9 ms y", "x"], ["9 ms y", "x"]),
        ([], ["a"], ["a"]), (["a"], [], [])):
    if transcript.updated(expected, actual) != kept:
        problems.append(f"{expected} with {actual}: "
                        f"{transcript.updated(expected, actual)}")
for problem in problems:
    print(problem)
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
