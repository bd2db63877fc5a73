#!/usr/bin/env python3
"""Compares the tables of docs/training.md with what the program prints.

usage: check_training.py PROGRAM TRAINING.md

And with numbers by other means: the limits, and the exact epsilons of the
composed curve (T001-T10), at delta = 1e-5.
"""
import math
import subprocess
import sys

EXACT = {("replace", 1.3): 1.06603451922389, ("replace", 1.1): 3.065786,
         ("replace", 0.7): 7.201772}


def tables(text):
    """{relation: rows as {column: text}}"""
    found, relation, names = {}, None, None
    for line in text.splitlines():
        if line.startswith("Poisson samples"):
            relation, names = "add_remove", None
        elif line.startswith("Batches without replacement, one"):
            relation, names = "replace", None
        if not line.startswith("|") or relation is None:
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if names is None:
            names = cells
        elif not cells[0].startswith("-"):
            found.setdefault(relation, []).append(dict(zip(names, cells)))
    return found


def is_near(a, b, tolerance):
    return a == b or ("-" not in (a, b) and
                      abs(float(a) - float(b)) <= tolerance * float(b))


def check_row(relation, row, written):
    faults = [f"{name} {value}, written {written.get(name)}"
              for name, value in row.items()
              if not is_near(value, written.get(name, "-"), 2e-4)]
    sigma, steps = float(row["sigma"]), int(row["steps"])
    epsilon = float(row["contour"])
    if relation == "add_remove":
        limit = 256 / 60000 * math.sqrt(steps * math.expm1(sigma ** -2))
        if not is_near(row["limit mu"], str(limit), 1e-4):
            faults.append(f"limit mu {row['limit mu']}, expected {limit}")
        if not is_near(row["at least"], row["contour"], 1e-4):
            faults.append("a Poisson sample's law is exact")
    else:
        exact = EXACT[relation, sigma]
        if not exact - 1e-6 <= epsilon <= exact * (1 + 1e-4):
            faults.append(f"epsilon {epsilon}, expected {exact}")
    if not float(row["at least"]) <= epsilon <= float(row["renyi"]):
        faults.append("ends out of order")
    return [f"{relation} sigma {sigma}: {fault}" for fault in faults]


def main():
    program, path = sys.argv[1:]
    made = tables(subprocess.run([program], check=True, capture_output=True,
                                 text=True).stdout)
    with open(path, encoding="utf-8") as stream:
        written = tables(stream.read())
    faults = []
    for relation in ("add_remove", "replace"):
        rows, others = made.get(relation, []), written.get(relation, [])
        if len(rows) != 3 or len(others) != 3:
            faults.append(f"{relation}: {len(rows)} and {len(others)} rows")
        for row, other in zip(rows, others):
            faults += check_row(relation, row, other)
    print("\n".join(faults) or "the tables agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
