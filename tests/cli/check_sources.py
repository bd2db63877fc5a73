#!/usr/bin/env python3
"""Whatever the program cites, `formula show` explains.

usage: check_sources.py PROGRAM

Plans of every kind are asked by every route; each id and each key of their
theorems must be shown, and so must each statement of the main works, by its id
and as it is cited.
"""
import re
import subprocess
import sys

ID = re.compile(r"\b[A-Z]{1,3}(?:[01]\d\d-|00\d\.)[A-Za-z0-9]+"
                r"(?:[._-][A-Za-z0-9]+)*")
KEY = re.compile(r"\[([A-Za-z]+\d\d)\]")
KEYS = ["Ste22", "DRS22", "WBK19", "BS16", "BBG18"]
LISTED = re.compile(r"^(?:statements)? +([A-Z]+\d{3}\S*), (.*?): ", re.M)
ADD_REMOVE = ["gaussian(1)", "laplace(2) * 3", "discrete_gaussian(2)",
              "discrete_laplace(2)", "rr(1)", "exponential(1)",
              "exponential(1) * 2", "pure(0.1) * 10", "approx(1, 1e-6) * 2",
              "zcdp(0.1)", "renyi(4, 0.5)", "gdp(1)", "nonprivate()",
              "pmf(p=[0.5, 0.5], q=[0.25, 0.75])", "group(3, laplace(9))",
              "poisson(0.01, gaussian(1)) * 100", "poisson(0.1, laplace(1))",
              "poisson(0.1, rr(1)) * 2", "gaussian(2) + rr(1)",
              "group(2, poisson(0.1, gaussian(4)))", "group(2, zcdp(0.1))",
              "with_replacement(5, 100, gaussian(2))",
              "poisson(0.1, exponential(1)) * 2"]
REPLACE = ["without_replacement(5, 100, gaussian(2)) * 9",
           "without_replacement(5, 100, laplace(2))",
           "with_replacement(5, 100, gaussian(2))",
           "with_replacement(5, 100, laplace(2))",
           "poisson(0.1, gaussian(2))", "rr(1, 4)"]
QUESTIONS = [["epsilon", "--delta", "1e-5"], ["delta", "--epsilon", "1"],
             ["renyi", "--order", "2"], ["zcdp"], ["gdp"],
             ["tradeoff", "--alpha", "0.1"], ["risk"]]
program = sys.argv[1]
problems = []


def run(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    return done.stdout, done.returncode


def shown(text, where):
    """What show tells of a text, with the problem if it tells nothing."""
    out, status = run("formula", "show", text)
    if status != 0:
        problems.append(f"{where}: formula show '{text}' fails")
    return out


def cited():
    """The ids and keys of answers, each with the first one that cites it."""
    found = {}
    for plans, relation in ((ADD_REMOVE, "add_remove"), (REPLACE, "replace")):
        for plan in plans:
            calls = [[*q, plan, "--neighbours", relation, "--json"]
                     for q in QUESTIONS]
            calls.append(["compare", plan, "--delta", "1e-5", "--neighbours",
                          relation, "--json", "--time-limit", "0.2"])
            for call in calls:
                out, _ = run(*call)
                for field in re.findall(
                        r'"(?:theorem|citation)":"([^"]*)"', out):
                    for name in ID.findall(field) + KEY.findall(field):
                        found.setdefault(name, " ".join(call))
    return found


def main():
    names = cited()
    if len(names) < 40:
        problems.append(f"only {len(names)} ids and keys were cited")
    for name, where in names.items():
        shown(name, where)
    n_statements = 0
    for key in KEYS:
        for name, citation in LISTED.findall(shown(key, "a work")):
            n_statements += 1
            if name not in shown(name, key) or \
                    name not in shown(citation, name):
                problems.append(f"{name} is not what '{citation}' shows")
    if n_statements < 250:
        problems.append(f"only {n_statements} statements were listed")
    print("\n".join(problems))
    print(f"{len(names)} ids and keys of answers, {n_statements} statements, "
          f"{len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
