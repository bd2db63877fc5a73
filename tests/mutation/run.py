#!/usr/bin/env python3
"""Breaks bounds one at a time and expects a test to go red: a sign, a factor,
a term left out.

    tests/mutation/run.py [WORK [MUTANT...]]
    tests/mutation/run.py --check [MUTANT...]   (only whether they apply)

WORK is an empty directory for a copy of the tree and its build (default: a
temporary one); a mutant is chosen by its number or by a part of its file's
name. Not part of the tests: all of them take some forty minutes. Mutants
whose last field is not empty are known to survive, with the reason; the exit
status is 1 when another one does, or when one of those dies. A mutant that
no longer applies is an error, too.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mutants import MUTANTS, TESTS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fix_tail(new, text):
    """Mutants that open a bracket close it."""
    if "ball_scale2(ball_neg(ball_add(ball_log1p(" in new:
        for u in "u", "at":
            end = f"ball_mul({u}, ball_log1p(ball_div(ball_of(1), {u}))))"
            text = text.replace(end + ";", end + ", 1);")
            text = text.replace(end + ");", end + "), 1);")
    return text


def build(work, tests):
    return subprocess.run(
        ["cmake", "--build", str(work / "build"), "--target"] + tests,
        capture_output=True, text=True, check=False)


def first_red(work, tests):
    """The first test that fails, or None."""
    for name in tests:
        try:
            run = subprocess.run([str(work / "build" / "tests" / name)],
                                 capture_output=True, timeout=300,
                                 check=False)
        except subprocess.TimeoutExpired:
            return name + " (time)"
        if run.returncode != 0:
            return name
    return None


def choose(words):
    """The numbers of the mutants that the words stand for."""
    if not words:
        return range(len(MUTANTS))
    return [i for i, m in enumerate(MUTANTS)
            if any(w == str(i) or (not w.isdigit() and w in m[0])
                   for w in words)]


def prepare(work, tests):
    """A copy of the tree, built and green."""
    tree = work / "tree"
    if not tree.exists():
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(
            ".git", "build", "__pycache__"))
        subprocess.run(["cmake", "-S", str(tree), "-B", str(work / "build"),
                        "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                       check=True, capture_output=True)
    clean = build(work, tests)
    red = first_red(work, tests) if clean.returncode == 0 else "no build"
    if red is not None:
        sys.exit(f"not green to begin with: {red}\n" + clean.stdout[-2000:])
    return tree


def try_one(work, tree, number):
    """Whether a mutant ended as it should; prints how."""
    name, old, new, reason = MUTANTS[number]
    path = tree / name
    text = path.read_text()
    if text.count(old) != 1:
        print(f"{number:3} ! {name}: '{old}' occurs {text.count(old)} times",
              flush=True)
        return False
    path.write_text(fix_tail(new, text.replace(old, new)))
    made = build(work, TESTS[name])
    red = ("no build" if made.returncode != 0
           else first_red(work, TESTS[name]))
    path.write_text(text)
    wrong = red == "no build" or (red is None) != bool(reason)
    print(f"{number:3} {'!' if wrong else ' '} {name}: {old!r} -> {new!r}: "
          f"{'SURVIVES ' + reason if red is None else red}", flush=True)
    return not wrong


def check_rows(numbers):
    """Whether every mutant still applies; says which ones do not."""
    lost = [i for i in numbers
            if (ROOT / MUTANTS[i][0]).read_text().count(MUTANTS[i][1]) != 1]
    for i in lost:
        print(f"{i:3} ! {MUTANTS[i][0]}: {MUTANTS[i][1]!r} does not occur once")
    print(f"{len(numbers)} mutants, {len(lost)} do not apply")
    return not lost


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("-")]
    options = set(sys.argv[1:]) - set(words)
    if options - {"--check"}:
        print(__doc__)
        sys.exit(0 if options & {"-h", "--help"} else 2)
    if options:
        sys.exit(0 if check_rows(choose(words)) else 1)
    work = pathlib.Path(words[0] if words
                        else tempfile.mkdtemp(prefix="mutation-"))
    chosen = choose(words[1:])
    tests = sorted({t for i in chosen for t in TESTS[MUTANTS[i][0]]})
    tree = prepare(work, tests)
    right = [try_one(work, tree, i) for i in chosen]
    print(f"{len(right)} mutants, {right.count(False)} not as expected")
    sys.exit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
