"""What statements of SQL must give, in plain Python: rows become integers by
the maps of docs/theory/release_engines.md section 2, each person contributes
by its section 1, and everything is an exact integer. No code is shared with
the library; layouts are handed to it as text (sql_tool.c)."""
import math
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

UNDECLARED, INT64, DOUBLE, DECIMAL, TEXT, BINARY = range(6)
CATEGORIES, BINS, LEVELS, UNKNOWN = range(4)
BY_ROWS, BY_CELLS, BY_PERSON = range(3)
ONE, BAD, PRESENT, SUM, CENTRED, SQUARE, TOTAL = range(7)
OPERATORS = ["=", "!=", "<", "<=", ">", ">="]
LARGEST = 1.7976931348623157e308


@dataclass
class Column:
    name: str
    type: int = UNDECLARED
    precision: int = 0
    scale: int = 0


@dataclass
class Value:
    column: int
    num: int
    den: int
    lo: int
    hi: int
    missing: int = None


@dataclass
class Rule:
    kind: int
    of: int
    width: int = 1
    n_cells: int = 0
    names: list = field(default_factory=list)


@dataclass
class Where:
    column: int
    op: str
    operand: object  # bytes: a text; str: a number as it is written


@dataclass
class Item:
    limit: int
    term: int
    value: int = None
    centre: int = 0
    lo: int = 0
    hi: int = 0
    rules: tuple = ()
    max_cells: int = 1
    max_per_cell: int = 1
    min_count: int = 1


@dataclass
class Layout:
    columns: list
    user: int = None
    keys: list = field(default_factory=list)
    values: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    rules: list = field(default_factory=list)
    where: list = field(default_factory=list)
    items: list = field(default_factory=list)
    max_rows: int = 2**63 - 1

    def describe(self):
        def none(x):
            return "-" if x is None else x

        def hexed(b):
            b = b.encode() if isinstance(b, str) else b
            return b.hex() or "-"
        lines = [f"column {hexed(c.name)} {c.type} {c.precision} {c.scale}"
                 for c in self.columns]
        lines += [f"user {none(self.user)}"]
        lines += [f"key {k}" for k in self.keys]
        lines += [f"text {t}" for t in self.texts]
        lines += [f"max_rows {self.max_rows}"]
        lines += [f"value {v.column} {v.num} {v.den} {v.lo} {v.hi} "
                  f"{none(v.missing)}" for v in self.values]
        lines += [" ".join([f"rule {r.kind} {r.of} {r.width} {r.n_cells}"]
                           + [hexed(n) for n in r.names]) for r in self.rules]
        lines += [f"where {w.column} {OPERATORS.index(w.op)} "
                  f"{int(isinstance(w.operand, bytes))} {hexed(w.operand)}"
                  for w in self.where]
        for i in self.items:
            a, b = (list(i.rules) + [None, None])[:2]
            lines.append(f"item {i.limit} {i.term} {none(i.value)} {i.centre} "
                         f"{i.lo} {i.hi} {none(a)} {none(b)} {i.max_cells} "
                         f"{i.max_per_cell} {i.min_count}")
        return "\n".join(lines) + "\n"


def is_missing(x):
    return x is None or x in ("", b"") or \
        isinstance(x, float) and not math.isfinite(x) or \
        isinstance(x, Decimal) and not x.is_finite()


def nearest(x):
    """The double nearest to a fraction (Python's division rounds once)."""
    return x.numerator / x.denominator


def units(x, value, type):
    """floor(x/g + 1/2), clamped, or None. Doubles are computed in doubles."""
    lo, hi, num, den = value.lo, value.hi, value.num, value.den
    if is_missing(x):
        return None if value.missing is None else \
            max(lo, min(hi, value.missing))
    if type != DOUBLE:
        exact = Fraction(x) * den / num + Fraction(1, 2)
        return max(lo, min(hi, math.floor(exact)))
    if num == 1:
        w = max(min(x, nearest(Fraction(hi, den))), nearest(Fraction(lo, den)))
        z = math.floor(w * float(den) + 0.5)
    else:
        w = max(min(x, float(hi * num)), float(lo * num))
        z = math.floor((w + num / 2) / float(num))
    return max(lo, min(hi, z))


def as_bytes(x):
    if isinstance(x, bytes):
        return x
    return x.encode() if isinstance(x, str) else str(x).encode()


def holds(where, x, type):
    if is_missing(x):
        return False
    if isinstance(where.operand, bytes):
        a, b = as_bytes(x), where.operand
    elif type == DOUBLE:
        a, b = x, float(where.operand)
    else:
        a, b = Fraction(x), Fraction(where.operand)
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b,
            ">": a > b, ">=": a >= b}[where.op]


def last(x):
    """Sorts missing values behind all others."""
    return (x is None, 0 if x is None else x)


def key_of(x):
    return last(None if is_missing(x) else
                as_bytes(x) if isinstance(x, str) else x)


class Row:
    def __init__(self, layout, row):
        of = layout.columns
        self.keys = tuple(key_of(row[k]) for k in layout.keys)
        self.z = [units(row[v.column], v, of[v.column].type)
                  for v in layout.values]
        self.is_bad = any(is_missing(row[v.column]) for v in layout.values)
        self.texts = [None if is_missing(row[t]) else as_bytes(row[t])
                      for t in layout.texts]
        self.order = (self.keys, tuple(map(last, self.z)),
                      tuple(map(last, self.texts)))

    def cell(self, layout, rules):
        """What the rules make of the row: texts and numbers, or None."""
        out = []
        for r in rules:
            rule = layout.rules[r]
            if rule.kind in (CATEGORIES, UNKNOWN):
                c = self.texts[rule.of]
            else:
                z = self.z[rule.of]
                c = None if z is None else \
                    (z - layout.values[rule.of].lo) // \
                    (rule.width if rule.kind == BINS else 1)
            if c is None:
                return None
            out.append(c)
        return tuple(out)

    def term(self, item):
        if item.term == ONE:
            return 1
        z = self.z[item.value]
        if z is None:
            return 0
        return {PRESENT: 1, SUM: z, CENTRED: z - item.centre,
                SQUARE: (z - item.centre) ** 2}[item.term]


def index_of(layout, rules, cell):
    """The name of a cell as sql_tool prints it, None if it is not declared."""
    index = 0
    for r, c in zip(rules, cell):
        rule = layout.rules[r]
        if rule.kind == UNKNOWN:
            return "x" + c.hex()
        if rule.kind == CATEGORIES:
            if c not in rule.names:
                return None
            c = rule.names.index(c)
        index = index * rule.n_cells + c
    return str(index)


def person(layout, rows):
    """f(T_u): what one person's rows add, as {(item, cell): integer}."""
    out = {}
    rows = sorted(rows, key=lambda r: r.order)

    def add(item, cell, n):
        rules = layout.items[item].rules
        name = index_of(layout, rules, cell) if cell is not None else None
        if name is not None and n != 0:
            out[item, name] = out.get((item, name), 0) + n

    for i, item in enumerate(layout.items):
        if item.limit == BY_ROWS:
            for row in rows[:layout.max_rows]:
                add(i, row.cell(layout, item.rules), row.term(item))
        elif item.limit == BY_CELLS:
            cells = {}
            for row in rows:
                cell = row.cell(layout, item.rules)
                if cell is not None:
                    cells.setdefault(cell, []).append(row.keys)
            first = sorted(cells, key=lambda c: (min(cells[c]), c))
            for cell in first[:item.max_cells]:
                add(i, cell, min(len(cells[cell]), item.max_per_cell))
        elif item.term == ONE:
            add(i, (), 1)
        elif item.term == BAD:
            add(i, (), int(any(r.is_bad for r in rows)))
        else:
            total = sum(r.z[item.value] or 0 for r in rows)
            add(i, (), max(item.lo, min(item.hi, total)))
    return out


def people(layout, table):
    """The rows of each person that are rows at all."""
    out = {}
    for number, row in enumerate(table):
        if not all(holds(w, row[w.column], layout.columns[w.column].type)
                   for w in layout.where):
            continue
        if layout.user is None:
            who = number
        elif is_missing(row[layout.user]):
            continue
        else:
            who = as_bytes(row[layout.user])
        out.setdefault(who, []).append(Row(layout, row))
    return out


def add(into, other, sign=1):
    for at, n in other.items():
        into[at] = into.get(at, 0) + sign * n
        if into[at] == 0:
            del into[at]
    return into


def tally(layout, table):
    out = {}
    for rows in people(layout, table).values():
        add(out, person(layout, rows))
    return {(item, cell): n for (item, cell), n in out.items()
            if n >= layout.items[item].min_count or not cell.startswith("x")}
