#!/usr/bin/env python3
"""The forms of the help agree with each other and with the program.

usage: check_help.py PROGRAM COMMANDS_MD

docs/commands.md is what the program prints, every example of the help runs,
the manual page renders without a warning, and the completion completes.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
env = dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80",
           PATH=os.path.dirname(program) + ":" + os.environ["PATH"])
problems = []


def run(command, **more):
    return subprocess.run(command, env=env, capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL, **more)


def complete(*words):
    """What bash offers for the last of words."""
    script = (run([program, "help", "--completion"]).stdout +
              "COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _dosimeter; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = run(["bash", "-c", script, "bash", "dosimeter", *words])
    if done.stderr:
        problems.append(f"completion of {words}: {done.stderr}")
    return done.stdout.split()


with open(sys.argv[2], encoding="utf-8") as stream:
    if stream.read() != run([program, "help", "--markdown"]).stdout:
        problems.append("docs/commands.md differs from "
                        "\"dosimeter help --markdown\"")

def supply(folder):
    """The files that the examples of train and predict read."""
    header = ",".join(f"p{i}" for i in range(64))
    with open(os.path.join(folder, "digits.csv"), "w") as out:
        out.write(header + ",digit\n")
        for i in range(20):
            out.write(",".join(str((i * j) % 17) for j in range(64)) +
                      f",{i % 10}\n")
    with open(os.path.join(folder, "new.csv"), "w") as out:
        out.write("p0\n3\n")
    with open(os.path.join(folder, "model.json"), "w") as out:
        json.dump({"format": "dosimeter model 1", "model": "logistic",
                   "label": "y", "classes": ["no", "yes"],
                   "features": [{"name": "p0", "lower": 0, "upper": 16}],
                   "layers": [{"inputs": 1, "outputs": 1,
                               "weights_then_bias": [["0x1p+0", "0x0p+0"]]}]},
                  out)


table = json.loads(run([program, "help", "--json"]).stdout)["commands"]
manual = run([program, "help", "--man"]).stdout
for command in table:
    text = run([program, "help", command["name"]]).stdout
    for option in command["options"]:
        if option["name"] not in text:
            problems.append(f"help {command['name']}: no {option['name']}")
        if option["name"].replace("-", "\\-") not in manual:
            problems.append(f"manual: no {option['name']}")
    for example in command["examples"]:
        with tempfile.TemporaryDirectory() as folder:
            supply(folder)
            before = os.listdir(folder)
            done = run(["sh", "-c", "dosimeter " + example], cwd=folder)
            silent = not done.stdout and os.listdir(folder) == before
        if done.returncode not in (0, 3) or silent or \
                (done.returncode == 0 and done.stderr):
            problems.append(f"example: dosimeter {example}: {done.stderr}")
    names = {option["name"] for option in command["options"]}
    if set(complete(command["name"], "x", "--")) != names:
        problems.append(f"completion: options of {command['name']}")

if complete("eps") != ["epsilon"]:
    problems.append("completion: epsilon")
if complete("epsilon", "gaussian(1)", "--neighbours", "r") != ["replace"]:
    problems.append("completion: --neighbours")
if complete("epsilon", "gaussian(1)", "--route", "cl") != ["closed"]:
    problems.append("completion: --route")
if complete("formula", "s") != ["show"]:
    problems.append("completion: formula show")
if complete("help", "kin") != ["kinds"]:
    problems.append("completion: help kinds")


def pasted(page):
    """The commands of the manual's examples, as a shell reads them."""
    lines = [line[7:] for line in page.split("\nEXAMPLES\n")[1].split("\n")
             if line.startswith(" " * 7)]
    script = "dosimeter() { printf '%s\\n' dosimeter \"$@\" .; }\n"
    return run(["sh", "-c", script + "\n".join(lines)]).stdout


if shutil.which("man"):
    done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-"],
                          input=manual, env=env, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 or done.stderr or "epsilon PLAN" not in done.stdout:
        problems.append(f"manual page: {done.stderr}")
    typed = "\n".join("dosimeter " + example for command in table
                      for example in command["examples"])
    if pasted(done.stdout) != pasted(f"\nEXAMPLES\n{typed}".replace(
            "\ndosimeter", "\n       dosimeter")):
        problems.append("manual page: examples do not paste")
    if any(len(line) > 80 for line in done.stdout.split("\n")):
        problems.append("manual page: a line does not fit in 80 columns")

for problem in problems:
    print(problem)
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
