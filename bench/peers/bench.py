"""Asks every accountant every question, in turns, and tells what came back.

Each package lives in a process of its own, pinned to one core, with limits on
time and memory, so that one that hangs or grows costs a line of the table and
no more. Only one of them works at a time. Before every call of a peer comes
one of ours; a row's ratio is that of the two medians.
"""

import argparse
import csv
import importlib.metadata
import multiprocessing
import os
import platform
import sys

import ours
import questions
import report
from turns import Limits, Worker, take_turns

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.join(HERE, "../../build/release/src/libdosimeter.so")


def read_arguments():
    parser = argparse.ArgumentParser(
        prog="bench/peers/run",
        description="The same questions asked of Dosimeter and its peers.")
    parser.add_argument("--quick", action="store_true",
                        help="fewer questions, turns and patience")
    parser.add_argument("--csv", metavar="FILE",
                        default="build/peers.csv",
                        help="where the rows go (default build/peers.csv)")
    parser.add_argument("--turns", type=int, metavar="N",
                        help="calls of each, at most (25; quick: 5)")
    parser.add_argument("--budget", type=float, metavar="SECONDS",
                        help="of repeating one row (10; quick: 1)")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="for one call (60; quick: 10)")
    parser.add_argument("--memory", type=float, metavar="GB", default=8,
                        help="address space of each process (default 8)")
    parser.add_argument("--only", metavar="TEXT", default="",
                        help="peers whose package and setting contain this")
    parser.add_argument("--question", metavar="TEXT", default="",
                        help="questions whose name contains this")
    parser.add_argument("--width", type=float, metavar="W", default=0,
                        help="ask ours for this relative width (default: "
                        "what it gives unasked)")
    parser.add_argument("--library", metavar="FILE", default=LIBRARY,
                        help=argparse.SUPPRESS)
    a = parser.parse_args()
    a.turns = a.turns or (5 if a.quick else 25)
    a.budget = a.budget if a.budget is not None else (1 if a.quick else 10)
    a.limit = a.limit or (10 if a.quick else 60)
    return a


def version_of(package):
    return importlib.metadata.version(package.replace("_", "-"))


def header(a, packages):
    library = ours.Library(a.library)
    return {
        "dosimeter": library.version(),
        "peers": {p: version_of(p) for p in packages},
        "numeric": {p: version_of(p) for p in ("numpy", "scipy")},
        "python": platform.python_version(),
        "empty_call_us": library.empty_call_us(),
        "turns": a.turns,
        "limit": a.limit,
        "memory": a.memory,
    }


def main():
    a = read_arguments()
    multiprocessing.set_start_method("fork")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    limits = Limits(
        a.limit, int(a.memory * 2**30), a.library, a.width)
    mine = Worker("ours", limits)
    peers = [Worker(p, limits)
             for p in ("dp_accounting", "prv_accountant", "autodp", "opacus")]
    report.print_header(header(a, [w.package for w in peers]))
    rows = []
    for question in questions.QUESTIONS:
        if (a.quick and not question.is_quick) or (
                a.question not in question.name):
            continue
        found = take_turns(question, mine, peers, a)
        report.print_question(question, found)
        rows += found
    report.print_summary(rows)
    for worker in [mine] + peers:
        worker.stop()
    with open(a.csv, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(report.csv_rows(rows))
    print("rows: %s" % a.csv, file=sys.stderr)


if __name__ == "__main__":
    main()
