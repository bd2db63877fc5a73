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


# What a completion script offers for the last of the words "$@": bash asks its
# function, zsh is given stubs of what its function calls.
BASH = """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dosimeter
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
_describe() { [[ $1 == -o ]] && shift; print -l -- ${${(P)2}%%:*} }
compadd() { shift; print -l -- "$@" }
_files() { : }
words=("$@"); CURRENT=$#; _dosimeter
"""


def complete(shell, *words):
    """What the shell offers for the last of words."""
    words = ["dosimeter", *words]
    script = run([program, "help", "--completion", shell]).stdout
    if shell == "bash":
        done = run(["bash", "-c", script + BASH, "bash", *words])
    elif shell == "zsh":
        done = run(["zsh", "-f", "-c", "compdef() { : }\n" + script + ZSH,
                    "zsh", *words])
    else:
        line = " ".join(f"'{word}'" if "(" in word else word
                        for word in words)
        done = run(["fish", "-N", "-c", script + f'complete -C "{line}"'])
    if done.stderr:
        problems.append(f"{shell}: completion of {words}: {done.stderr}")
    offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
    return [word for word in offered if word.startswith(words[-1])]


SHELLS = [s for s in ("bash", "zsh", "fish") if shutil.which(s)]

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
    for shell in SHELLS:
        if set(complete(shell, command["name"], "x", "--")) != names:
            problems.append(f"{shell}: options of {command['name']}")

for shell in SHELLS:
    for words, offered in (
            (["eps"], ["epsilon"]),
            (["epsilon", "gaussian(1)", "--neighbours", "r"], ["replace"]),
            (["epsilon", "gaussian(1)", "--route", "cl"], ["closed"]),
            (["epsilon", "gaussian(1)", "--delta", "x"], []),
            (["formula", "s"], ["show"]), (["help", "kin"], ["kinds"]),
            (["formula", "show", "T000-01.e"], ["T000-01.eps"]),
            (["help", "--completion", "f"], ["fish"])):
        if complete(shell, *words) != offered:
            problems.append(f"{shell}: {words}: {complete(shell, *words)}")
for shell in "zsh", "fish":  # in bash the two meanings of --noise clash
    if shell in SHELLS and (
            complete(shell, "release", "--noise", "g") != ["gaussian"] or
            complete(shell, "sgd", "--noise", "g") != []):
        problems.append(f"{shell}: --noise")
if run([program, "help", "--completion", "csh"]).returncode != 2:
    problems.append("completion for csh")


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
