#!/usr/bin/env python3
"""Writes src/release/table/sql/sql_self_rows.h: the rows of the admission test of
an engine and the integers that the statement about them must give, by the
plain reference. usage: make_self_test.py [--check]; with --check nothing is
written, and the exit status is 1 if the file is another one."""
import random
import sys
from decimal import Decimal
from pathlib import Path

import reference
from reference import (BAD, BINS, BY_CELLS, BY_PERSON, BY_ROWS, CATEGORIES,
                       CENTRED, DECIMAL, DOUBLE, INT64, LEVELS, ONE, PRESENT,
                       SQUARE, SUM, TEXT, TOTAL, UNKNOWN, Column, Item,
                       Layout, Rule, Value, Where)

FILE = Path(__file__).resolve().parent.parent.parent / \
    "src/release/table/sql/sql_self_rows.h"
DOUBLES = ["0", "-0", "5e-324", "-5e-324", "2.2250738585072014e-308",
           "1.7976931348623157e308", "-1.7976931348623157e308", "NaN",
           "Infinity", "-Infinity", None, "0.005", "0.015", "0.285", "1.005",
           "2.675", "999.995", "1000.005", "-0.005", "2.5", "-2.5", "0.5",
           "-0.5", "0.49999999999999994", "4503599627370497.5", "1e19",
           "-1e19", "9007199254740993", "1e300", "-1500", "1499.9999999999998",
           "500"]
USERS = ["a", "A", "b", "b ", "é", "e\u0301", "ß", "SS", "Z", "", None]
TOWNS = ["bern", "Bern", "BERN", "Zürich", "Zu\u0308rich", " ", "bern ", "",
         None]
LEVELS_OF = [None, 0, 1, 5, 17, 18, 64, 119, 120, 121, -7, 2**63 - 1, -2**63]
PRICES = [None, "0.00", "0.02", "0.03", "-0.02", "-0.03", "49.98", "50.00",
          "9999999999.99", "-9999999999.99", "12.34"]
BIGS = [None, 4 * 10**18, 4 * 10**18, 4 * 10**18, -2**63, 2**63 - 1, 1]


def layout():
    """The layout of sql_self_test.c."""
    out = Layout([Column("uid", TEXT), Column("at", INT64),
                  Column("town", TEXT), Column("amount", DOUBLE),
                  Column("level", INT64), Column("price", DECIMAL, 12, 2),
                  Column("big", INT64)], user=0, keys=[1], texts=[2],
                 max_rows=3)
    out.values = [Value(3, 1, 100, 0, 100000), Value(3, 1000, 1, -1000, 1000),
                  Value(3, 1, 1024, -2**30, 2**30), Value(4, 1, 1, 0, 120),
                  Value(5, 1, 20, -1000, 1000),
                  Value(6, 1, 1, -4 * 10**18, 4 * 10**18),
                  Value(4, 10, 1, 0, 12, -9)]
    towns = [b"bern", b"Bern", "Zürich".encode(), b" ", b"none"]
    out.rules = [Rule(CATEGORIES, 0, 1, 5, towns), Rule(BINS, 3, 10, 13),
                 Rule(LEVELS, 6, 1, 13), Rule(UNKNOWN, 0)]
    out.items = [
        Item(BY_ROWS, ONE), Item(BY_ROWS, SUM, 0), Item(BY_ROWS, SUM, 1),
        Item(BY_ROWS, SUM, 2), Item(BY_ROWS, PRESENT, 3),
        Item(BY_ROWS, CENTRED, 3, 60), Item(BY_ROWS, SQUARE, 3, 60),
        Item(BY_ROWS, SUM, 4), Item(BY_ROWS, SUM, 5),
        Item(BY_ROWS, ONE, rules=(2,)), Item(BY_ROWS, ONE, rules=(0, 1)),
        Item(BY_ROWS, SUM, 5, rules=(0,)),
        Item(BY_PERSON, ONE), Item(BY_PERSON, BAD),
        Item(BY_PERSON, TOTAL, 0, lo=-10, hi=150000),
        Item(BY_CELLS, ONE, rules=(3,), max_cells=2, max_per_cell=2)]
    out.where = [Where(1, "<", "3.5"), Where(2, "!=", b"BERN")]
    return out


def rows():
    rng = random.Random(107)
    made = [[rng.choice(USERS), rng.choice([None, 1, 2, 2, 3, 3, 5]),
             rng.choice(TOWNS), DOUBLES[i % len(DOUBLES)],
             rng.choice(LEVELS_OF), rng.choice(PRICES), rng.choice(BIGS)]
            for i in range(96)]
    # somebody without any amount, whose total is 0 and not the lower bound
    made += [["m", 1, "bern", None, 1, "0.02", 1]] * 2
    # sums beyond 64 bits, and rows that tie in the key
    made += [[who, 1, "bern", "250.005", 18, "0.03", 4 * 10**18]
             for who in ("p", "q", "r", "s") for _ in range(3)]
    made += [["t", 2, "Bern", x, n, "0.02", 1]
             for x, n in zip(DOUBLES[11:19], range(8))]
    return made


def typed(row):
    uid, at, town, amount, level, price, big = row
    return [uid, at, town, None if amount is None else float(amount), level,
            None if price is None else Decimal(price), big]


def quoted(x):
    if x is None:
        return "NULL"
    out = ""
    for byte in str(x).encode():
        out += chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
    return f'"{out}"'


def text():
    lines = ["/* Made by tests/sql/make_self_test.py: the rows of the admission"
             " test of an\n * engine, as texts, and what the statement about "
             "them gives: item, cell and\n * integer. */",
             "#ifndef DOSI_RELEASE_TABLE_SQL_SQL_SELF_ROWS_H",
             "#define DOSI_RELEASE_TABLE_SQL_SQL_SELF_ROWS_H",
             "", "static const char *const self_rows[][7] = {"]
    lines += ["    {" + ", ".join(map(quoted, row)) + "}," for row in rows()]
    lines += ["};", "", "static const struct self_integer {",
              "    size_t item;",
              "    const char *cell; /* an unknown one, or NULL */",
              "    size_t index;     /* of a declared one */",
              "    const char *integer;", "} self_integers[] = {"]
    tally = reference.tally(layout(), [typed(r) for r in rows()])
    for (item, cell), n in sorted(tally.items()):
        is_text = cell.startswith("x")
        name = quoted(bytes.fromhex(cell[1:]).decode()) if is_text else "NULL"
        lines.append(f'    {{{item}, {name}, {0 if is_text else cell}, '
                     f'"{n}"}},')
    return "\n".join(lines + ["};", "", "#endif", ""])


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_text(encoding="utf-8") != text())
    FILE.write_text(text(), encoding="utf-8")
