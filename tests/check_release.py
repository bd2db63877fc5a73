#!/usr/bin/env python3
"""Compares `dosimeter release` with a plain reference in Python.

usage: check_release.py PROGRAM [SEED]

Integers: random nasty tables and options, with a plan whose noise is 0 but
for probability 1e-14, so that the program prints the integers. Distances:
people and rows are removed and replaced in the reference, and no integer
moves by more than what the program's plan is for. Records: a file of nothing
but rubbish changes no byte but the noisy values. Plans: `dosimeter epsilon`
gives the printed cost again.
"""
import collections
import fractions
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import release_reference as ref  # noqa: E402

PROGRAM = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
EFFORT = int(os.environ.get("DOSI_EFFORT", "1"))
rng = random.Random(SEED)
problems = []


def run(args, data=b""):
    done = subprocess.run([PROGRAM, *args], input=data, capture_output=True,
                          timeout=120, check=False)
    return done.stdout, done.stderr, done.returncode


def answer(args, data=b""):
    out, err, status = run(args, data)
    if status != 0:
        problems.append(f"{args}: {err.decode()}")
        return None
    return json.loads(out)


# ---- Random tables and commands ------------------------------------------

TOWNS = [b"ash", b"b,c", b'q"q', b"elm", b""]


def quote(text):
    if b"," in text or b'"' in text:
        return b'"' + text.replace(b'"', b'""') + b'"'
    return text


def number_text():
    kind = rng.randrange(12)
    if kind == 0:
        return rng.choice([b"", b"x", b"nan", b"inf", b"1e", b"--1", b"1.2.3"])
    if kind == 1:
        return rng.choice([b"1e3", b"-2E+1", b"5.", b".5", b"+7", b"-0",
                           b"99999999999999999999999999", b"-1e40",
                           b"0.00000000000000000000049"])
    return b"%.3f" % rng.uniform(-5, 25) if kind < 8 else \
        b"%d" % rng.randrange(-3, 20)


def record(person):
    return [person, b"%03d" % rng.randrange(1000), number_text(),
            number_text(), quote(rng.choice(TOWNS)),
            rng.choice([b"f", b"m", b"?", b""])]


def line():
    person = rng.choice([b"", b"u1", b"u2", b"U2", b"u3", b"u4", b"u5"])
    out = b",".join(record(person))
    kind = rng.randrange(20)
    if kind == 0:
        out = rng.choice([b"", b'"', b"a,b", b'u1,"0', out + b",", b"\xff,"])
    if kind == 1:
        out += b"\r"
    return out


def table(n):
    return [line() for _ in range(n)]


def csv(lines):
    return b"id,at,x,y,town,sex\n" + b"\n".join(lines) + b"\n"


class Command:
    """A statistic with its options, and how the reference counts it."""

    def __init__(self):
        self.args, self.parts = [], []
        self.user = rng.random() < 0.7
        self.k = rng.randrange(1, 4) if self.user else 1
        self.replace = rng.random() < 0.5
        self.by, self.values, self.texts, self.where = [], [], [], []
        self.keys = "file" if rng.random() < 0.3 else ["at"]
        self.names = [t for t in TOWNS if t][:3]
        if self.user:
            self.args += ["--user", "id", "--max-rows", str(self.k)]
            self.args += ["--file-order"] if self.keys == "file" else \
                ["--order", "at"]
        else:
            self.keys = []
        if self.replace:
            self.args += ["--neighbours", "replace"]
        if rng.random() < 0.3:
            self.args += ["--where", "y >= 2.5"]
            self.where.append(("y", ">=", fractions.Fraction("2.5")))
        if rng.random() < 0.2:
            self.args += ["--where", "sex != 'm'"]
            self.where.append(("sex", "!=", b"m"))
        self.fill()

    def categories(self):
        names = b",".join(quote(t) for t in self.names).decode()
        self.args += ["--categories", "town:" + names]
        self.texts.append("town")
        return ref.Cells("town", names=self.names)

    def bins(self):
        self.args += ["--bins", "y:0..12:3"]
        value = ref.Value("y", 0, 11, 1)
        self.values.append(value)
        return ref.Cells("y", value=value, width=3)

    def value(self):
        lo, hi, grid, places = rng.choice(
            [(0, 10, "1", 0), (-4, 20, "1", 0), (-4, 20, "0.5", 0),
             (5, 9, "0.01", 2), (-20, -4, "2", 0)])
        self.grid = fractions.Fraction(grid)
        missing = None
        text = "x:%.*f..%.*f" % (places, lo, places, hi)
        if grid not in ("1", "0.01"):
            self.args += ["--grid", "x:" + grid]
        if rng.random() < 0.3:
            self.args += ["--missing", "x:6.3"]
            missing = 6.3
        units = [int(v / self.grid) for v in (lo, hi)]
        if missing is not None:
            z = (fractions.Fraction("6.3") / self.grid
                 + fractions.Fraction(1, 2)).__floor__()
            missing = min(max(z, units[0]), units[1])
        self.v = ref.Value("x", *units, self.grid, missing)
        self.values.append(self.v)
        return text

    def fill(self):
        kind = rng.choice(["count", "users", "sum", "total", "mean",
                           "variance", "histogram", "cells", "median",
                           "quantile", "mode"])
        if kind in ("users", "total", "cells") and not self.user:
            kind = "count"
        if kind in ("count", "sum", "mean", "variance") and \
                rng.random() < 0.4:
            self.by = [self.bins()] if rng.random() < 0.4 else \
                [self.categories()]
            self.args += ["--by", self.by[0].column]
        self.kind = kind
        getattr(self, "fill_" + kind)()

    def count_part(self, suffix, term, k, copies=1):
        """A part with discrete noise."""
        self.parts.append(("count", suffix, k, copies, term))

    def sum_part(self, suffix, term, distance, unit):
        self.parts.append(("sum", suffix, distance, 1, term, unit))

    def of_rows(self, term, cells=None):
        cells = self.by if cells is None else cells
        return lambda t, u: ref.by_rows(t, u, cells, term)

    def copies(self):
        return 2 if self.replace and self.by else 1

    def fill_count(self):
        self.args += ["--count"]
        self.count_part("count", self.of_rows(lambda row: 1), self.k,
                        self.copies())

    def fill_users(self):
        self.args += ["--users"]
        self.count_part("users",
                        lambda t, u: collections.Counter({0: 1}), 1)

    def most(self, lo, hi):
        m = max(abs(lo), abs(hi))
        if not self.replace:
            return m
        return 2 * m if self.by else max(hi, 0) - min(lo, 0)

    def z(self, row):
        return self.v.units(row["x"])

    def fill_sum(self):
        self.args += ["--sum", self.value()]
        self.sum_part("sum.x", self.of_rows(self.z),
                      self.k * self.most(self.v.lo, self.v.hi), 1)

    def fill_total(self):
        self.args += ["--sum", self.value()]
        lo, hi = (-3 * self.grid, 30 * self.grid)
        self.args += ["--user-bounds", "x:%s..%s" % (float(lo), float(hi))]
        self.sum_part("sum.x",
                      lambda t, u: ref.total(t, u, self.v, -3, 30),
                      33 if self.replace else 30, 1)

    def moments(self, name):
        v = self.v
        self.centre = c = (v.lo + v.hi) // 2
        self.count_part(name + ".count",
                        self.of_rows(lambda row: None if self.z(row) is None
                                     else 1), self.k, self.copies())
        self.sum_part(
            name + ".sum",
            self.of_rows(lambda row: None if self.z(row) is None
                         else self.z(row) - c),
            self.k * self.most(v.lo - c, v.hi - c), 1)

    def fill_mean(self):
        self.args += ["--mean", self.value()]
        self.moments("mean.x")

    def fill_variance(self):
        self.args += ["--variance", self.value()]
        self.moments("variance.x")
        v, c = self.v, self.centre
        h = v.hi - c
        self.sum_part(
            "variance.x.squares",
            self.of_rows(lambda row: None if self.z(row) is None
                         else (self.z(row) - c) ** 2),
            self.k * self.most(0, h * h), 2)

    def fill_histogram(self):
        cells = [self.categories()]
        if rng.random() < 0.5:
            cells.insert(0, self.bins())
        columns = ",".join(c.column for c in cells)
        self.args += ["--histogram", columns]
        self.cells = cells
        self.count_part("histogram." + columns,
                        self.of_rows(lambda row: 1, cells), self.k,
                        2 if self.replace else 1)

    def fill_cells(self):
        self.keys = "file"  # distinct keys: the order of cells is plain
        self.args = [a for a in self.args if a not in ("--order", "at")]
        if "--file-order" not in self.args:
            self.args.append("--file-order")
        l, m = rng.randrange(1, 3), rng.randrange(1, 3)
        cells = [self.categories()]
        self.args += ["--histogram", "town", "--max-cells", str(l),
                      "--max-per-cell", "town:" + str(m)]
        self.cells = cells
        self.count_part("histogram.town",
                        lambda t, u: ref.by_cells(t, u, cells, l, m), m,
                        2 * l if self.replace else l)

    def rank(self, name, a, b):
        levels = self.v.hi - self.v.lo + 1
        distance = self.k * (b if self.replace else max(a, b - a))
        self.parts.append(
            ("rank", name, distance, 1,
             self.of_rows(lambda row: 1, [ref.Cells("x", value=self.v,
                                                    width=1)]),
             (a, b, levels)))

    def fill_median(self):
        self.args += ["--median", self.value()]
        self.rank("median.x", 1, 2)

    def fill_quantile(self):
        a, b = rng.choice([(1, 4), (2, 3), (9, 10)])
        self.args += ["--quantile", self.value() + f":{a}/{b}"]
        self.rank(f"quantile.x.{a}/{b}", a, b)

    def fill_mode(self):
        cells = [self.categories()]
        self.args += ["--mode", "town"]
        self.cells = cells
        self.parts.append(("mode", "mode.town", self.k, 1,
                           self.of_rows(lambda row: 1, cells), len(cells)))

    # ---- What the program is asked, and what it should say

    def plan(self):
        terms = []
        for part in self.parts:
            if part[0] == "count":
                leaf = "discrete_laplace(0.015625)"
                if part[2] > 1:
                    leaf = f"group({part[2]}, {leaf})"
            elif part[0] == "sum":
                # 1/64 of a unit, and a little more
                leaf = "laplace(%.17g)" % (1 / 64 / part[2] * (1 + 1e-12))
            else:
                leaf = "exponential(1e6)"
            terms.append(leaf + (f" * {part[3]}" if part[3] > 1 else ""))
        return " + ".join(terms)

    def table(self, lines):
        return ref.Table(ref.rows(csv(lines)), "id" if self.user else None,
                         self.keys, self.k, self.values, self.texts,
                         self.where)

    def tallies(self, lines):
        t = self.table(lines)
        return [ref.tally(t, lambda u, p=part: p[4](t, u))
                for part in self.parts]


def scores(counts, a, b, levels):
    total, below, out = sum(counts.values()), 0, []
    for i in range(levels):
        out.append(-abs((b - a) * below - a * (total - below - counts[i])))
        below += counts[i]
    return out


# ---- Checks --------------------------------------------------------------

def check_integers(command, lines):
    args = ["release", "-", *command.args, "--plan", command.plan(),
            "--json"]
    got = answer(args, csv(lines))
    if got is None:
        return
    for part, counts in zip(command.parts, command.tallies(lines)):
        mine = [r for r in got["rows"] if r["name"] == part[1]]
        if part[0] == "rank":
            a, b, levels = part[5]
            s = scores(counts, a, b, levels)
            best = {i for i in range(levels) if s[i] == max(s)}
            at = fractions.Fraction(mine[0]["value"]) / command.grid
            if at - command.v.lo not in best:
                problems.append(f"{args}: {mine}, best {best}")
            continue
        if part[0] == "mode":
            most = max(counts[i] for i in range(3))
            best = {command.names[i].decode() for i in range(3)
                    if counts[i] == most}
            if mine[0]["value"] not in best:
                problems.append(f"{args}: {mine}, best {best}")
            continue
        unit = command.grid ** part[5] if part[0] == "sum" else 1
        values = [fractions.Fraction(r["value"]) / unit for r in mine]
        wanted = [counts[i] for i in range(len(values))]
        if values != wanted or not values:
            problems.append(f"{args}: {part[1]} {values}, not {wanted}\n"
                            + csv(lines).decode("latin-1"))
    check_quotients(command, got, lines, args)
    check_scales(command, got)


def near(text, exact, places):
    return abs(fractions.Fraction(text) - exact) * 2 <= \
        fractions.Fraction(1, 10 ** places)


def check_quotients(command, got, lines, args):
    """Means and variances from the integers, as exact fractions."""
    if command.kind not in ("mean", "variance"):
        return
    tallies = command.tallies(lines)
    v, g = command.v, command.grid
    mine = [r for r in got["rows"] if r["name"] == command.kind + ".x"]
    for i, row in enumerate(mine):
        n, x = max(1, tallies[0][i]), tallies[1][i]
        places = len(row["value"].partition(".")[2])
        if command.kind == "mean":
            exact = command.centre + fractions.Fraction(x, n)
            exact = g * min(max(exact, v.lo), v.hi)
        else:
            exact = fractions.Fraction(tallies[2][i], n) \
                - fractions.Fraction(x, n) ** 2
            most = fractions.Fraction(v.hi - v.lo, 2) ** 2
            exact = g * g * min(max(exact, 0), most)
        if places < 6 or not near(row["value"], exact, places):
            problems.append(f"{args}: {row}, not {float(exact)}")
        if not fractions.Fraction(row["lower"]) <= exact <= \
                fractions.Fraction(row["upper"]):
            problems.append(f"{args}: {row} leaves out {float(exact)}")


def neighbour(command, lines):
    """Another table that differs in one person, or in one line."""
    def person(l):
        got = ref.fields(l.rstrip(b"\r"))
        return got[0] if got else None
    lines = list(lines)
    if not command.user:
        at = rng.randrange(len(lines))
        if command.replace:
            lines[at] = line()
        else:
            del lines[at]
        return lines
    u = rng.choice([b"u1", b"u2", b"u3"])
    kept = [l for l in lines if person(l) != u]
    if command.replace:
        for _ in range(rng.randrange(8)):
            kept.insert(rng.randrange(len(kept) + 1),
                        b",".join(record(u)))
    return kept


def check_distance(command, lines, others):
    first, second = command.tallies(lines), command.tallies(others)
    for part, a, b in zip(command.parts, first, second):
        moved = {i: b[i] - a[i] for i in set(a) | set(b) if b[i] != a[i]}
        distance, copies = part[2], part[3]
        up = sum(d for d in moved.values() if d > 0)
        down = -sum(d for d in moved.values() if d < 0)
        if part[0] == "sum":
            good = up + down <= distance
        elif part[0] == "rank":
            x, y, levels = part[5]
            s, t = scores(a, x, y, levels), scores(b, x, y, levels)
            good = all(abs(p - q) <= distance for p, q in zip(s, t))
        elif part[0] == "mode":
            good = all(abs(d) <= distance for d in moved.values()) and \
                (command.replace or up == 0 or down == 0)
        elif command.kind == "cells":
            good = len(moved) <= copies and \
                all(abs(d) <= distance for d in moved.values())
        elif copies == 2:
            good = up <= distance and down <= distance
        else:
            good = up + down <= distance
        if not good:
            problems.append(f"{command.args}: {part[1]} moved {moved}, "
                            f"beyond {distance} x {copies}")


def check_scales(command, got):
    """The distance that the program multiplies its scale by."""
    for part, text in zip(command.parts, got["noise"]):
        if part[0] == "sum":
            scale = float(re.search(r"scale ([\d.e+-]+)", text).group(1))
            if not 1 <= scale * 64 <= 1 + 1e-11:
                problems.append(f"{command.args}: scale {scale}, distance "
                                f"{part[2]}")
        if part[0] in ("rank", "mode") and \
                f"score sensitivity {part[2]};" not in text:
            problems.append(f"{command.args}: {text}, not {part[2]}")


def ends(row):
    return [fractions.Fraction(row[key]) for key in ("lower", "upper")]


def check_intervals():
    """Means and variances lie between the ends of their parts' corners."""
    args = ["release", "-", "--mean", "x:-5..20", "--variance", "x:-5..20",
            "--grid", "x:0.5", "--by", "sex", "--categories", "sex:f,m",
            "--epsilon", "8", "--json"]
    got = answer(args, csv(table(300)))
    if got is None:
        return
    rows = {(r["name"], r["cell"]): ends(r) for r in got["rows"]}
    for cell in ("f", "m"):
        for name in ("mean.x", "variance.x"):
            ns = [max(1, n) for n in rows[name + ".count", cell]]
            xs = rows[name + ".sum", cell]
            means = [7 + x / n for n in ns for x in xs]
            lower, upper = rows[name, cell]
            if name == "mean.x":
                # the centre is floor((-10 + 40) / 2) = 15 units of 0.5
                means = [min(max(m + fractions.Fraction(1, 2), -5), 20)
                         for m in means]
                good = min(means) - lower < 1e-5 and lower <= min(means) \
                    and upper - max(means) < 1e-5 and upper >= max(means)
            else:
                qs = [max(0, q) for q in rows[name + ".squares", cell]]
                most = [min(max(q / n - (x / n) ** 2, 0),
                            fractions.Fraction(25, 2) ** 2)
                        for n in ns for x in xs for q in qs]
                good = lower <= min(most) and max(most) <= upper
                low, high = rows[name + ".deviation", cell]
                # ends are printed to 7 or 8 decimals, each rounded outward
                good = good and low ** 2 < lower + fractions.Fraction(
                    1, 10 ** 6) and upper < high ** 2 + fractions.Fraction(
                    1, 10 ** 6)
            if not good:
                problems.append(f"{args}: {name} {cell} {rows}")


def check_costs():
    for budget in (["--epsilon", "1"], ["--epsilon", "0.3", "--neighbours",
                                        "replace"],
                   ["--epsilon", "1", "--delta", "1e-6"],
                   ["--epsilon", "2", "--delta", "1e-9", "--noise",
                    "gaussian"]):
        args = ["release", "--plan-only", "--count", "--mean", "x:0..10",
                "--histogram", "sex", "--categories", "sex:f,m", "--median",
                "x:0..10", "--user", "id", "--max-rows", "2", "--order",
                "at", *budget, "--json"]
        got = answer(args)
        if got is None:
            continue
        delta = ["--delta", repr(got["delta"])] if got["delta"] else \
            ["--log-delta", "-1e300"]
        again = answer(["epsilon", got["plan"], *delta, "--neighbours",
                        got["neighbours"], "--json"])
        want = float(budget[1])
        if got["epsilon"]["upper"] > want:
            problems.append(f"{args}: above {want}")
        near_ends = all(
            abs(again[e] - got["epsilon"][e]) <=
            1e-12 * want
            for e in (("lower", "upper") if got["delta"] else ("upper",)))
        if not near_ends:
            problems.append(f"{args}: {got['epsilon']}, again {again}")
        if dosi_hash(got["plan"]) != got["hash"]:
            problems.append(f"{args}: another hash")


def dosi_hash(plan):
    out, _, _ = run(["plan", plan])
    return re.search(rb"hash (\S+)", out).group(1).decode()


def check_records():
    """Every byte of output but the noisy values, whatever the records are."""
    rubbish = [b'"' * 7, b"", b"\xff\x00,1", b"u1," * 40, b"a" * 2_000_000,
               b"u1,1,1e999999999,nan,x,f", b"u2,,,,,", b"\r", b",,,,,"]
    args = ["release", "-", "--count", "--sum", "x:0..10", "--mean",
            "y:0..10", "--histogram", "town", "--categories",
            "town:ash,elm", "--median", "x:0..10", "--user", "id",
            "--max-rows", "2", "--file-order", "--epsilon", "1", "--count-bad"]
    seen = set()
    for lines in ([], table(50), rubbish, rubbish * 3 + table(5)):
        for form in ([], ["--json"], ["--csv"]):
            out, err, status = run(args + form, csv(lines))
            text = out.decode()
            if form == ["--json"]:
                parsed = json.loads(text)
                for row in parsed["rows"]:
                    for key in ("value", "lower", "upper"):
                        row[key] = row[key] is None
                text = json.dumps(parsed)
            elif form == ["--csv"]:
                text = re.sub(r",-?[\d.]*(?=,|\n)", ",", text)
            else:
                text = "\n".join(
                    re.sub(r" +-?[\d.]+( +-?[\d.]+ \.\. -?[\d.]+)?", "", l)
                    if not l.startswith(("  ", "epsilon")) else l
                    for l in text.split("\n"))
            seen.add((tuple(form), text, err, status))
    if len(seen) != 3:
        problems.append("output depends on records: " + repr(seen)[:2000])


def main():
    kinds = collections.Counter()
    for _ in range(60 * EFFORT):
        command, lines = Command(), table(rng.randrange(1, 40))
        kinds[command.kind] += 1
        check_integers(command, lines)
        for _ in range(30):
            check_distance(command, lines, neighbour(command, lines))
    check_intervals()
    check_costs()
    check_records()
    for p in problems[:10]:
        print(p)
    print(f"seed {SEED}, {sum(kinds.values())} commands, "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
