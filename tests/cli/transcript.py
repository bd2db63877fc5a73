#!/usr/bin/env python3
"""Runs transcripts of the program and compares what it says.

usage: transcript.py PROGRAM FILE...

    $ command        run by sh with PROGRAM's folder first on PATH
    > more           a further line of the same command
    text             expected on stdout, line by line
    ! text           expected on stderr
    = 2              expected exit status; 0 when the line is missing
    # text           a comment, at the start of a case only

"..." at the end of an expected line stands for anything; elapsed times,
"elapsed_us":5 and the column of compare, are not compared. Blank lines part the cases.
"""
import os
import re
import subprocess
import sys
import tempfile

ELAPSED = re.compile(r'"elapsed_us":[0-9.e+-]+| +[0-9.]+ (?:us|ms|s)(?= )')


def same(expected, actual):
    expected = [ELAPSED.sub("elapsed", line) for line in expected]
    actual = [ELAPSED.sub("elapsed", line) for line in actual]
    if len(expected) != len(actual):
        return False
    return all(a.startswith(e[:-3]) if e.endswith("...") else a == e
               for e, a in zip(expected, actual))


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
                        "err": [], "status": 0}
            elif case is None or line == "":
                if case:
                    yield case
                case = None
            elif line == ">" or line.startswith("> "):
                case["command"] += "\n" + line[2:]
            elif line.startswith("! "):
                case["err"].append(line[2:])
            elif line.startswith("= "):
                case["status"] = int(line[2:])
            else:
                case["out"].append(line)
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
    sys.exit(main(sys.argv[1], sys.argv[2:]))
