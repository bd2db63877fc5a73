#!/usr/bin/env python3
"""tools/check-sources accepts the tree as it is and refuses each of these
changes: an id, a key and a place that are in no table, a row without a
statement, a meaning that leans on another row, a citation of a page that is
not there, and a page that is not made of the tables.

    tests/check_cited.py ROOT"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def check(tree):
    run = subprocess.run([sys.executable, root / "tools/check-sources", tree],
                         capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def expect(path, old, new, message):
    """The tables and pages with one change fail with a message."""
    global failures
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for part in ("src/formulary", "src/account", "docs"):
            shutil.copytree(root / part, tree / part)
        text = (tree / path).read_text()
        assert old in text, f"{path} lacks {old}"
        (tree / path).write_text(text.replace(old, new, 1))
        status, output = check(tree)
    if status != 1 or message not in output:
        print(f"{path}: status {status}, without '{message}'\n{output}")
        failures += 1


status, output = check(root)
if status != 0:
    print(output)
    failures += 1
GUIDE, FORMULARY = "docs/guide/04-training.md", "src/formulary/formulary.def"
STATEMENTS = "src/formulary/statements.def"
expect(GUIDE, "S000-7.tight", "S000-9.tight", "is no row and no statement")
expect(GUIDE, "[ZDW22]", "[ZDW23]", "is not in src/formulary/sources.def")
expect("docs/mechanisms/zcdp.md", "[Ste22] Prop 14", "[Ste22] Prop 44",
       "no statement is [Ste22] Prop 44")
expect("src/account/least_rho.c", '"T000-13"', '"T000-53"',
       "is no row and no statement")
expect(STATEMENTS, 'STATEMENT("T000-25"', 'STATEMENT("T000-028"',
       "T000-25.applies belongs to no statement")
expect(STATEMENTS, "docs/theory/contour.md", "docs/theory/special.md",
       "there is no docs/theory/special.md")
expect(FORMULARY, '"log delta at eps of Gaussian noise."', '"Its logarithm."',
       "'Its logarithm.' leans on another row")
expect("src/formulary/sources.def", "2022. arXiv:2210.00597", "2023",
       "docs/references.md: run tools/check-sources --pages")
print(f"check_cited: {failures} failures")
sys.exit(1 if failures else 0)
