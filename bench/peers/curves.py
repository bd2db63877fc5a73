"""Epsilon over the steps of one training as other accountants give it, in the
columns of `dosimeter plot --kind steps --csv`; docs/figures/peers.csv is what
this prints.

usage: build/peers/bin/python bench/peers/curves.py
"""
from collections import namedtuple
import csv
import sys

import peers

RATE, SIGMA, DELTA = 256 / 60000, 1.06, 1e-5
STEPS = (1, 20, 59, 118, 235, 469, 938, 1641, 2344, 3047, 3750, 4687)
Group = namedtuple("Group", "kind parameters count")


def asked():
    """(label, accountant); the labels say what their makers say of them."""
    return [
        ("Opacus RDP, upper bound", peers._opacus_rdp),
        ("prv_accountant, its interval at eps_error 0.1",
         peers._prv(0.1, "").ask),
        ("Opacus GDP, central limit theorem", peers._opacus_gdp),
    ]


def main():
    out = csv.writer(sys.stdout, lineterminator="\n",
                     quoting=csv.QUOTE_NONNUMERIC)
    sys.stdout.write("plan,steps,lower,upper\n")
    for label, ask in asked():
        for count in STEPS:
            answer = ask([Group("sampled", (RATE, SIGMA), count)], DELTA)
            low = answer.value if answer.lower is None else answer.lower
            high = answer.value if answer.upper is None else answer.upper
            out.writerow([label, count, float(low), float(high)])


if __name__ == "__main__":
    main()
