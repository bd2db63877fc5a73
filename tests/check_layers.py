#!/usr/bin/env python3
"""tools/check-layers accepts the tree as it is and refuses each of these
changes: an include against the table, a cycle in the table, a folder that the
table lacks, an include of another folder's internal header, and a folder with
too many sources.

    tests/check_layers.py ROOT"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def check(tree):
    run = subprocess.run([sys.executable, root / "tools/check-layers", tree],
                         capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def expect(name, change, message):
    """The tree with one change fails with a message."""
    global failures
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for part in ("src", "docs", "include", "programs", "examples"):
            shutil.copytree(root / part, tree / part)
        change(tree / "src")
        status, output = check(tree)
    if status != 1 or message not in output:
        print(f"{name}: status {status}, without '{message}'\n{output}")
        failures += 1


def add_line(path, line):
    path.write_text(line + "\n" + path.read_text())


def add_arrow(src):
    add_line(src / "num/ball.c", '#include "release/coins.h"')


def add_cycle(src):
    readme = src / "README.md"
    text = readme.read_text()
    row = "| `base` | – |"
    assert row in text
    readme.write_text(text.replace(row, "| `base` | num |"))


def add_folder(src):
    (src / "attic").mkdir()
    (src / "attic/old_law.c").write_text("int x;\n")


def add_internal(src):
    (src / "num/secret_impl.h").write_text("\n")
    add_line(src / "release/coins.c", '#include "num/secret_impl.h"')


def add_many(src):
    for i in range(400):
        (src / f"base/extra_{i}.c").write_text("\n")


status, output = check(root)
if status != 0:
    print(output)
    failures += 1
expect("arrow", add_arrow, "num may not include release/coins.h")
expect("cycle", add_cycle, "a cycle: base -> num -> base")
expect("folder", add_folder, "src/attic: is not in the table")
expect("internal", add_internal, "num/secret_impl.h is internal to num")
expect("many", add_many, "more than")
print(f"check_layers: {failures} failures")
sys.exit(1 if failures else 0)
