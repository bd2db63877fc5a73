"""A second way from a table to the integers of a release, in plain Python.

Written from the rules, not from the code: exact fractions, sorted lists, no
streaming. check_release.py compares the program with it.
"""
import collections
import fractions
import re

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")


def fields(line, delimiter=b","):
    """The fields of a line, or None when it is no row."""
    out, i, n = [], 0, len(line)
    while True:
        if i < n and line[i:i + 1] == b'"':
            i += 1
            value = b""
            while True:
                j = line.find(b'"', i)
                if j < 0:
                    return None
                value += line[i:j]
                i = j + 1
                if line[i:i + 1] != b'"':
                    break
                value += b'"'
                i += 1
            if i < n and line[i:i + 1] != delimiter:
                return None
        else:
            j = line.find(delimiter, i)
            j = n if j < 0 else j
            value = line[i:j]
            i = j
        out.append(value)
        if i >= n:
            return out
        i += 1


def rows(data):
    """Dictionaries of the rows of a CSV file, with their line numbers."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    lines = [l[:-1] if l.endswith(b"\r") else l for l in lines]
    header = [h.decode() for h in fields(lines[0])]
    out = []
    for number, line in enumerate(lines[1:]):
        if line == b"" or len(line) > 1 << 20:
            continue
        got = fields(line)
        if got is not None and len(got) == len(header):
            out.append((number, dict(zip(header, got))))
    return out


def number(text):
    if not NUMBER.match(text):
        return None
    return fractions.Fraction(text.decode())


class Value:
    """A column in units of a grid, cut to lo .. hi."""

    def __init__(self, column, lo, hi, grid, missing=None):
        self.column, self.grid = column, fractions.Fraction(grid)
        self.lo, self.hi = lo, hi  # in units
        self.missing = missing

    def units(self, text):
        v = number(text)
        if v is None:
            return self.missing
        z = (v / self.grid + fractions.Fraction(1, 2)).__floor__()
        return min(max(z, self.lo), self.hi)


class Cells:
    """Cells of a column: names, or bins of a value."""

    def __init__(self, column, names=None, value=None, width=None):
        self.column, self.names = column, names
        self.value, self.width = value, width

    def count(self):
        if self.names is not None:
            return len(self.names)
        return (self.value.hi - self.value.lo + 1) // self.width

    def cell(self, row):
        """Its index; a name that is not declared is a text; None: none."""
        text = row[self.column]
        if self.value is not None:
            z = self.value.units(text)
            return None if z is None else (z - self.value.lo) // self.width
        if text == b"":
            return None
        if text in self.names:
            return self.names.index(text)
        return text


OPERATORS = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


class Table:
    """People with their rows, and which of them count."""

    def __init__(self, numbered, user, keys, max_rows, values, texts,
                 where=()):
        self.max_rows = max_rows
        self.keys, self.values, self.texts = keys, values, texts
        people = collections.defaultdict(list)
        for line, row in numbered:
            if not all(self.holds(row, w) for w in where):
                continue
            if user is None:
                people[line].append((line, row))
            elif row[user] != b"":
                people[row[user]].append((line, row))
        self.people = people

    @staticmethod
    def holds(row, where):
        column, op, operand = where
        text = row[column]
        if isinstance(operand, bytes):
            return text != b"" and OPERATORS[op](text, operand)
        v = number(text)
        return v is not None and OPERATORS[op](v, operand)

    def key(self, line, row):
        if self.keys == "file":
            return (line,)
        return tuple((row[c] == b"", row[c]) for c in self.keys)

    def order(self, numbered):
        line, row = numbered
        zs = [v.units(row[v.column]) for v in self.values]
        return (self.key(line, row),
                tuple((z is None, z if z is not None else 0) for z in zs),
                tuple((row[t] == b"", row[t]) for t in self.texts))

    def kept(self, person):
        got = sorted(self.people[person], key=self.order)
        return [row for _, row in got[:self.max_rows]]


def place(cells, row):
    """The cell of one or two columns: an index, a name, or None."""
    if not cells:
        return 0
    at = [c.cell(row) for c in cells]
    if any(a is None for a in at):
        return None
    if all(isinstance(a, int) for a in at):
        index = 0
        for c, a in zip(cells, at):
            index = index * c.count() + a
        return index
    return tuple(str(a) for a in at)


def by_rows(table, person, cells, term):
    """What a person adds to each cell: term(row), None being nothing."""
    out = collections.Counter()
    for row in table.kept(person):
        at, x = place(cells, row), term(row)
        if isinstance(at, int) and x is not None:
            out[at] += x
    return out


def by_cells(table, person, cells, max_cells, max_per_cell):
    found = {}
    for line, row in table.people[person]:
        at = place(cells, row)
        if at is None:
            continue
        key = table.key(line, row)
        least, n = found.get(at, (key, 0))
        found[at] = (min(least, key), n + 1)
    first = sorted(found, key=lambda at: found[at][0])[:max_cells]
    return collections.Counter(
        {at: min(found[at][1], max_per_cell) for at in first
         if isinstance(at, int)})


def total(table, person, value, lo, hi):
    zs = [value.units(row[value.column]) for _, row in table.people[person]]
    return collections.Counter(
        {0: min(max(sum(z for z in zs if z is not None), lo), hi)})


def tally(table, of_person):
    out = collections.Counter()
    for person in table.people:
        out.update(of_person(person))
    return out
