#!/usr/bin/env python3
"""Runs transcripts of the program and compares what it says.

usage: transcript.py [--update] PROGRAM FILE...

    $ command        run by sh with PROGRAM's folder first on PATH
    > more           a further line of the same command
    text             expected on stdout, line by line
    ! text           expected on stderr
    = 2              expected exit status; 0 when the line is missing
    # text           a comment, at the start of a case only

"..." at the end of an expected line stands for anything; elapsed times,
"elapsed_us":5 and the column of compare, are not compared. Blank lines part the cases.

--update rewrites the expected lines of cases that fail from what the program
says; lines that still match, such as those that end in "...", stay as they
are. Nothing is judged then: the difference is to be read before it is kept.
"""
import os
import re
import subprocess
import sys
import tempfile

ELAPSED = re.compile(r'"elapsed_us":[0-9.e+-]+| +[0-9.]+ (?:us|ms|s)(?= )')


def same_line(expected, actual):
    expected = ELAPSED.sub("elapsed", expected)
    actual = ELAPSED.sub("elapsed", actual)
    if expected.endswith("..."):
        return actual.startswith(expected[:-3])
    return actual == expected


def same(expected, actual):
    return len(expected) == len(actual) and \
        all(map(same_line, expected, actual))


def updated(expected, actual):
    """The actual lines, those that still match as they were expected: along
    a longest common subsequence."""
    n, m = len(expected), len(actual)
    kept = [[0] * (m + 1) for _ in range(n + 1)]
    matches = [[same_line(e, a) for a in actual] for e in expected]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            kept[i][j] = max(kept[i + 1][j], kept[i][j + 1],
                             kept[i + 1][j + 1] + 1 if matches[i][j] else 0)
    lines = []
    i = j = 0
    while j < m:
        if i < n and matches[i][j] and kept[i][j] == kept[i + 1][j + 1] + 1:
            lines.append(expected[i])
            i, j = i + 1, j + 1
        elif i < n and kept[i + 1][j] >= kept[i][j + 1]:
            i += 1
        else:
            lines.append(actual[j])
            j += 1
    return lines


def run(program, command, folder):
    env = dict(os.environ, LC_ALL="C")
    env["PATH"] = os.path.dirname(os.path.abspath(program)) + ":" + env["PATH"]
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=env,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120, check=False)
    text = [s.decode("utf-8", "backslashreplace").split("\n")
            for s in (done.stdout, done.stderr)]
    for lines in text:  # the last newline ends the last line
        if lines[-1] == "":
            lines.pop()
        else:
            lines[-1] += "\\c"
    return text[0], text[1], done.returncode


def cases(path):
    case = None
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            line = line.rstrip("\n")
            if line.startswith("$ "):
                if case:
                    yield case
                case = {"line": number, "command": line[2:], "out": [],
                        "err": [], "status": 0, "commands": 1, "lines": 0}
            elif case is None or line == "":
                if case:
                    yield case
                case = None
            elif line == ">" or line.startswith("> "):
                case["command"] += "\n" + line[2:]
                case["commands"] += 1
            elif line.startswith("! "):
                case["err"].append(line[2:])
            elif line.startswith("= "):
                case["status"] = int(line[2:])
            else:
                case["out"].append(line)
            if case:
                case["lines"] += 1
    if case:
        yield case


def check(program, where, case, folder):
    out, err, status = run(program, case["command"], folder)
    if same(case["out"], out) and same(case["err"], err) and \
            status == case["status"]:
        return True
    print(f"{where}:{case['line']}: $ {case['command']}")
    for mark, wanted, got in (("", case["out"], out), ("! ", case["err"], err)):
        if not same(wanted, got):
            for line in wanted:
                print(f"  - {mark}{line}")
            for line in got:
                print(f"  + {mark}{line}")
    if status != case["status"]:
        print(f"  - = {case['status']}\n  + = {status}")
    return False


def update(program, path):
    """Rewrites the file; how many cases it had changed."""
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    out, done, changed = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(path):
            said, err, status = run(program, case["command"], folder)
            if same(case["out"], said) and same(case["err"], err) and \
                    status == case["status"]:
                continue
            if status == 127:
                print(f"{path}:{case['line']}: a program is not there")
                continue
            if any(line == "" or line[:2] in ("$ ", "> ", "! ", "= ")
                   for line in said):
                print(f"{path}:{case['line']}: no transcript can say this")
                continue
            changed += 1
            first = case["line"] - 1
            out += lines[done:first + case["commands"]]
            out += updated(case["out"], said)
            out += ["! " + line for line in updated(case["err"], err)]
            out += [f"= {status}"] if status != 0 else []
            done = first + case["lines"]
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(out + lines[done:]))
    return changed


def update_all(program, paths):
    for path in paths:
        n = update(program, path)
        if n:
            print(f"{path}: {n} changed")
    return 0


def main(program, paths):
    passed = failed = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            for case in cases(path):
                if check(program, os.path.basename(path), case, folder):
                    passed += 1
                else:
                    failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if sys.argv[1] == "--update":
        sys.exit(update_all(sys.argv[2], sys.argv[3:]))
    sys.exit(main(sys.argv[1], sys.argv[2:]))
