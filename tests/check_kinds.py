#!/usr/bin/env python3
"""tools/check-kinds accepts the tree as it is and refuses each of these
changes: a file that names a kind, one that names its table of functions, one
that compares with its name, one kind more in a listed file, and a row of
CONTRIBUTING.md that is not needed. group, repeat and compose may be named.

    tests/check_kinds.py ROOT"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def check(tree):
    run = subprocess.run([sys.executable, root / "tools/check-kinds", tree],
                         capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def expect(name, path, change, message):
    """The tree with one file changed fails with a message, or passes where
    that is None."""
    global failures
    text = (tree / path).read_text()
    changed = change(text)
    assert changed != text, name
    (tree / path).write_text(changed)
    status, output = check(tree)
    (tree / path).write_text(text)
    if status != (message is not None) or (message or "") not in output:
        print(f"{name}: status {status}, expected '{message}'\n{output}")
        failures += 1


def add(line):
    return lambda text: text + line + "\n"


status, output = check(root)
if status != 0:
    print(output)
    failures += 1
with tempfile.TemporaryDirectory() as folder:
    tree = pathlib.Path(folder)
    for part in ("src", "include", "programs", "bindings"):
        shutil.copytree(root / part, tree / part)
    shutil.copy(root / "CONTRIBUTING.md", tree)
    expect("number", "src/account/risk.c", add("int x = DOSI_LAPLACE;"),
           "src/account/risk.c: names DOSI_LAPLACE")
    expect("table", "src/mechanisms/plan_total.c", add("f(&mechanism_gdp);"),
           "src/mechanisms/plan_total.c: names DOSI_GDP")
    expect("name", "src/lang/print.c", add('x = strcmp(name, "rr") == 0;'),
           'src/lang/print.c: compares with "rr"')
    expect("route", "src/account/portfolio.c", add('x = strcmp(r, "closed") == 0;'),
           'src/account/portfolio.c: compares with "closed"')
    expect("listed", "src/plan/leaf.c", add("int x = DOSI_GDP;"),
           "src/plan/leaf.c: names DOSI_GDP")
    expect("binding", "bindings/python/src/dosimeter/plan.py",
           add("x = lib.DOSI_GAUSSIAN"), "plan.py: names DOSI_GAUSSIAN")
    expect("stale", "CONTRIBUTING.md",
           lambda text: text.replace("| PMF LOSS NONPRIVATE |",
                                     "| PMF LOSS NONPRIVATE GDP |"),
           "CONTRIBUTING.md: src/plan/leaf.c does not name GDP")
    expect("missing", "CONTRIBUTING.md",
           lambda text: text.replace("`src/plan/leaf.c`", "`src/plan/gone.c`"),
           "CONTRIBUTING.md: there is no file src/plan/gone.c")
    expect("own", "src/mechanisms/mechanism_gdp.c", add("int x = DOSI_GDP;"), None)
    expect("connective", "src/account/risk.c", add("int x = DOSI_REPEAT;"), None)
    expect("comment", "src/account/risk.c", add("/* DOSI_LAPLACE */"), None)
print(f"check_kinds: {failures} failures")
sys.exit(1 if failures else 0)
