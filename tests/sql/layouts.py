"""Layouts for the tests of SQL: the one of nasty.parquet, and random ones."""
from decimal import Decimal

from reference import (BAD, BINARY, BINS, BY_CELLS, BY_PERSON, BY_ROWS,
                       CATEGORIES, CENTRED, DECIMAL, DOUBLE, INT64, LEVELS,
                       ONE, PRESENT, SQUARE, SUM, TEXT, TOTAL, UNDECLARED,
                       UNKNOWN, Column, Item, Layout, Rule, Value, Where)

NASTY_COLUMNS = ["uid", "at", "town", "amount", "level", "price", "big"]


def nasty():
    """The statistics of expected.csv, and their names there by item."""
    types = {"uid": (TEXT, 0, 0), "at": (INT64, 0, 0), "town": (TEXT, 0, 0),
             "amount": (DOUBLE, 0, 0), "level": (INT64, 0, 0),
             "price": (DECIMAL, 12, 2), "big": (INT64, 0, 0)}
    layout = Layout([Column(n, *types[n]) for n in NASTY_COLUMNS], user=0,
                    keys=[1], texts=[2], max_rows=3)
    layout.values = [
        Value(3, 1, 100, 0, 100000),
        Value(4, 1, 1, 0, 120),
        Value(5, 1, 20, -1000, 1000),
        Value(6, 1, 1, -4 * 10**18, 4 * 10**18),
        Value(3, 1000, 1, -1000, 1000),
        Value(3, 1, 1024, -2**30, 2**30)]
    layout.rules = [Rule(LEVELS, 1, 1, 121), Rule(UNKNOWN, 0)]
    layout.items = [
        Item(BY_ROWS, ONE), Item(BY_ROWS, ONE, rules=(0,)),
        Item(BY_ROWS, SUM, 0), Item(BY_ROWS, PRESENT, 0),
        Item(BY_ROWS, CENTRED, 0, 50000), Item(BY_ROWS, SUM, 2),
        Item(BY_ROWS, SUM, 3), Item(BY_ROWS, SUM, 4), Item(BY_ROWS, SUM, 5),
        Item(BY_PERSON, ONE), Item(BY_PERSON, TOTAL, 0, lo=0, hi=300000),
        Item(BY_CELLS, ONE, rules=(1,), max_cells=2, max_per_cell=2)]
    names = {0: "count", 1: "level", 4: "mean.sum", 8: "sum.dyadic",
             9: "users", 11: "town"}
    return layout, names


NAMES = ["id", "at", "when", "town", 'a "quoted" name', "amount", "level",
         "price", "wide", "raw"]
TEXTS = ["bern", "Bern", "BERN", "Zürich", "Zu\u0308rich", " ", "a'b", 'q"q',
         "\\x41", "bern ", "é", "x;--", "", None, None]
DOUBLES = [0.0, -0.0, 5e-324, 1e308, -1e308, 0.285, 0.005, 1.005, 2.5, -2.5,
           float("nan"), float("inf"), float("-inf"), 999.995, 1e19, -1e19,
           9007199254740993.0, None, 12.345, 50.0]
TYPES = [TEXT, INT64, TEXT, TEXT, TEXT, DOUBLE, INT64, DECIMAL, DECIMAL,
         BINARY]


def random_table(rng, n_rows):
    def row():
        return [
            rng.choice(["a", "A", "b", "á", "b ", "c", "d", "", None]),
            rng.choice([None, 1, 2, 2, 3, 7, -2**63, 2**63 - 1]),
            rng.choice([None, "", "2020-01-01", "2020-01-02", "Z", "a"]),
            rng.choice(TEXTS), rng.choice(["f", "m", "F", "", None, "x"]),
            rng.choice(DOUBLES) if rng.random() < 0.7
            else rng.uniform(-200, 1200),
            rng.choice([None, 0, 5, 17, 18, 19, 64, 120, -7, 2**40,
                        2**63 - 1, -2**63]),
            rng.choice([None] + [Decimal(x) for x in (
                "0.00", "0.02", "0.03", "-0.03", "12.34", "9999999999.99",
                "-9999999999.99", "50.00")]),
            rng.choice([None] + [Decimal(x) for x in (
                "0." + "0" * 11 + "1", "1" * 26 + "." + "9" * 12,
                "-" + "1" * 26 + "." + "9" * 12, "3.5" + "0" * 11)]),
            rng.choice([b"\xff\x00", b"\xff", b"b", b"", None]),
        ]
    return [row() for _ in range(n_rows)]


def random_layout(rng):
    layout = Layout([Column(n, t) for n, t in zip(NAMES, TYPES)])
    layout.columns[7].precision, layout.columns[7].scale = 12, 2
    layout.columns[8].precision, layout.columns[8].scale = 38, 12
    has_user = rng.random() < 0.8
    if has_user:
        layout.user = rng.choice([0, 0, 0, 0, 9, 6])
        layout.max_rows = rng.choice([1, 2, 3, 5])
    layout.keys = rng.choice([[1], [1], [2], [1, 2], [2, 1], [9], [7]])
    if layout.keys == [1] and rng.random() < 0.3:
        layout.columns[1].type = UNDECLARED
    # wide squares are refused; those bounds stay narrow
    layout.values = rng.sample([
        Value(5, 1, 100, 0, 100000), Value(5, 1000, 1, -1000, 1000),
        Value(5, 1, 1024, -2**30, 2**30), Value(5, 1, 1, -5, 5, 3),
        Value(6, 1, 1, 0, 120), Value(6, 5, 1, -4, 24),
        Value(6, 1, 100, 0, 12000), Value(6, 1, 1, 0, 120, -9),
        Value(7, 1, 20, -1000, 1000), Value(7, 1, 100, -10, 5000, 7),
        Value(7, 1, 1000, -50000, 50000), Value(8, 1, 1, -40, 40),
        Value(8, 1, 2, -2000, 2000)], rng.randint(1, 4))
    layout.texts = rng.sample([3, 4, 6, 9], rng.randint(1, 3))
    for t in range(len(layout.texts)):
        names = [b"bern", b"BERN", "Zürich".encode(), b"f", b"m", b"\xff",
                 b"17", b"a'b", b"nobody", b" "]
        layout.rules.append(Rule(CATEGORIES, t, 1, len(names), names))
        layout.rules.append(Rule(UNKNOWN, t))
    for v, value in enumerate(layout.values):
        n = value.hi - value.lo
        width = rng.choice([1, 7, 10, n // 3 + 1])
        if n // width < 5000:
            layout.rules.append(Rule(BINS, v, width, n // width + 1))
        if n < 200:
            layout.rules.append(Rule(LEVELS, v, 1, n + 1))
    known = [r for r, rule in enumerate(layout.rules) if rule.kind != UNKNOWN]
    unknown = [r for r, rule in enumerate(layout.rules)
               if rule.kind == UNKNOWN]

    def cells():
        return tuple(rng.sample(known, min(len(known), rng.choice([0, 1, 2]))))
    for _ in range(rng.randint(1, 8)):
        v = rng.randrange(len(layout.values))
        value = layout.values[v]
        centre = (value.lo + value.hi) // 2
        kind = rng.randrange(9)
        if kind < 5:
            term = [ONE, PRESENT, SUM, CENTRED, SQUARE][kind]
            layout.items.append(Item(BY_ROWS, term, None if term == ONE else v,
                                     centre, rules=cells()))
        elif kind == 5:
            rules = cells() or (known[0],)
            if rng.random() < 0.5:
                rules = (rng.choice(unknown),)
            layout.items.append(Item(
                BY_CELLS, ONE, rules=rules,
                max_cells=rng.choice([1, 2, 3]) if has_user else 1,
                max_per_cell=rng.choice([1, 2]) if has_user else 1))
        else:
            layout.items.append(Item(
                BY_PERSON, [ONE, BAD, TOTAL][kind - 6],
                v if kind == 8 else None,
                lo=rng.choice([0, value.lo, -5, 3]), hi=3 * value.hi + 3))
    for _ in range(rng.choice([0, 0, 1, 2])):
        column, operand = rng.choice([
            (5, "0.285"), (5, "-1e400"), (5, "100"), (6, "18"), (6, "18.5"),
            (6, "1e30"), (6, "-9223372036854775808"), (7, "0.025"),
            (7, "0.03"), (8, "0"), (8, "-1e-30"), (3, b"bern"), (3, b"a'b"),
            (4, b"f"), (3, "\\x41".encode()), (9, b"\xff"), (0, b"b")])
        layout.where.append(Where(column, rng.choice(
            ["=", "!=", "!=", "<", "<=", ">", ">=", ">="]), operand))
    return layout
