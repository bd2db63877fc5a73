#!/usr/bin/env python3
"""The statements of SQL in real engines. Integers must equal those of
reference.py and of expected.csv, whatever the order of rows, the number of
threads and the memory; removing a person must change the tally by what that
person adds; and the controls must fail.

usage: check_engines.py SQL_TOOL ENGINE...      engines: duckdb postgres spark
Environment: DOSI_EFFORT multiplies the number of random layouts. Exit status
77 where no engine is to be had."""
import csv
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import layouts
import reference
from engines import DuckDB, Postgres, Skip, Spark, quoted
from reference import DOUBLE, INT64, TEXT

DATA = Path(__file__).resolve().parent.parent / "data/table107"
EFFORT = float(os.environ.get("DOSI_EFFORT", "1"))
SEED = int(os.environ.get("DOSI_SEED", "107"))
TOOL = None
failures = []


def check(is_good, what):
    if not is_good:
        failures.append(what)
        print("FAILED:", what, flush=True)


def tool(*arguments, text):
    done = subprocess.run([TOOL, *arguments], input=text, text=True,
                          encoding="utf-8", capture_output=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    return done.stdout


def statement(layout, engine, table="rows"):
    return tool("print", engine.dialect, engine.table.format(table),
                text=layout.describe())


def integers(layout, text, answer):
    digest = re.search(r"'query' AS part, '([0-9a-f]{64})'", text).group(1)
    with tempfile.NamedTemporaryFile("w", suffix=".layout") as file:
        file.write(layout.describe())
        file.flush()
        lines = tool("read", file.name, digest, text=answer).split("\n")
    return {(int(i), cell): int(n)
            for i, cell, n in (line.split() for line in lines if line)}


def differences(a, b):
    return {at: (a.get(at), b.get(at)) for at in {*a, *b}
            if a.get(at) != b.get(at)}


# ---- nasty.parquet ----

def nasty_rows():
    """The rows of the file, through DuckDB's reader of Parquet."""
    duck = DuckDB()
    columns = ", ".join(map(quoted, layouts.NASTY_COLUMNS))
    rows = duck.connection.execute(
        f"SELECT {columns} FROM '{DATA}/nasty.parquet'").fetchall()
    duck.close()
    return [list(row) for row in rows]


def expected(layout, names):
    """expected.csv in the names of items and cells."""
    out = {}
    by_name = {name: item for item, name in names.items()}
    with open(DATA / "expected.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cell = row["cell"]
            if row["query"] == "town":
                cell = "x" + cell
            out[by_name[row["query"]], cell or "0"] = int(row["value"])
    return out


def check_nasty(engine, rows):
    layout, names = layouts.nasty()
    want = expected(layout, names)
    plain = reference.tally(layout, rows)
    check(not {at for at in want if plain.get(at) != want[at]},
          "reference.py against expected.csv")
    text = statement(layout, engine, "nasty")
    engine.load("base", [reference.Column("i", INT64), *layout.columns],
                [[i, *row] for i, row in enumerate(rows)])
    engine.subset("nasty", "base")
    first = integers(layout, text, engine.ask(text))
    check(not {at for at in want if first.get(at) != want[at]},
          f"{engine.dialect}: expected.csv")
    check(not differences(first, plain),
          f"{engine.dialect}: reference on nasty.parquet")
    print(f"{engine.dialect}: nasty.parquet: {len(first)} integers", flush=True)
    return text, first


def permutations(engine, text):
    """Answers to one text with rows, threads and memory changed."""
    layout, _ = layouts.nasty()
    for trial in range(4):
        engine.subset("nasty", "base", seed=SEED + trial)
        if engine.dialect == "duckdb":
            engine.run(f"SET threads = {trial + 1}")
            if trial == 3:
                engine.run("SET memory_limit = '100MB'")
        elif engine.dialect == "postgres":
            engine.settings = ("SET work_mem = '64kB';\n" if trial % 2
                               else "SET work_mem = '64MB';\n")
        yield integers(layout, text, engine.ask(text))
    if engine.dialect == "duckdb":
        engine.run("RESET threads")
        engine.run("RESET memory_limit")
    elif engine.dialect == "postgres":
        engine.settings = ""


def check_permuted(engine, text, first):
    for other in permutations(engine, text):
        check(not differences(first, other),
              f"{engine.dialect}: permuted rows, threads, memory")
    # control: without the z's, others' rows decide which rows count
    loose = re.sub(r"(ORDER BY o1 ASC NULLS LAST), z1[^)]*\)", r"\1)", text)
    check(loose != text, "the control of ties changes the statement")
    check(any(differences(first, other)
              for other in permutations(engine, loose)),
          f"{engine.dialect}: control, ORDER BY o alone, should have failed")
    print(f"{engine.dialect}: permuted", flush=True)


def check_removal(engine, rows, text, first, n_users):
    """Every tally moves by f(T_u); with lower(u) some do not."""
    layout, _ = layouts.nasty()
    everybody = reference.people(layout, rows)
    rng = random.Random(SEED)
    # people whose ids differ in case only from somebody else's
    lower = {}
    for who in everybody:
        lower.setdefault(who.decode().lower(), []).append(who)
    twins = [who for same in lower.values() if len(same) > 1 for who in same]
    some = rng.sample(sorted(everybody), n_users) + twins[:4]
    broken = re.sub(r'AS \(SELECT nullif\((.*?)\) AS u',
                    lambda m: "AS (SELECT lower(CAST(t." + name(engine, "uid")
                    + " AS " + ("text" if engine.dialect == "postgres"
                                else "VARCHAR" if engine.dialect == "duckdb"
                                else "STRING") + ")) AS u", text, count=1)
    check(broken != text, "the control of users changes the statement")
    engine.subset("nasty", "base")
    loose = integers(layout, text, engine.ask(broken))
    is_caught = False
    for who in some:
        engine.subset("nasty", "base", [
            i for i, row in enumerate(rows)
            if row[0] and row[0].encode() == who])
        moved = reference.person(layout, everybody[who])
        after = integers(layout, text, engine.ask(text))
        check(not differences(reference.add(dict(after), moved), first),
              f"{engine.dialect}: removing {who!r}")
        if who in twins:
            after = integers(layout, text, engine.ask(broken))
            is_caught |= bool(differences(
                reference.add(dict(after), moved), loose))
    check(is_caught or not twins,
          f"{engine.dialect}: control, GROUP BY lower(u), should have failed")
    print(f"{engine.dialect}: {len(some)} people removed, "
          f"{len(twins)} with a twin", flush=True)


def check_least_counts(engine, rows, first):
    """Unknown cells below a count stay in the engine, the others come."""
    layout, names = layouts.nasty()
    town = next(item for item, n in names.items() if n == "town")
    engine.subset("nasty", "base")
    for user in (layout.user, None):
        numbers = []
        layout.user = user
        if user is None:  # a row is a person, who has one cell
            layout.max_rows = 2**63 - 1
            layout.items[town].max_cells = layout.items[town].max_per_cell = 1
        for least in (1, 5, 20):
            layout.items[town].min_count = least
            text = statement(layout, engine, "nasty")
            got = integers(layout, text, engine.ask(text))
            check(not differences(got, reference.tally(layout, rows)),
                  f"{engine.dialect}: cells with at least {least}")
            numbers.append(sum(item == town for item, _ in got))
            if user is not None and least == 20:
                check(not differences(got, {
                    at: n for at, n in first.items()
                    if at[0] != town or n >= 20}),
                    f"{engine.dialect}: the cells with at least 20 of all")
        check(numbers[0] > numbers[1] > numbers[2] > 0,
              f"{engine.dialect}: least counts leave out cells: {numbers}")
        print(f"{engine.dialect}: {numbers} cells with at least 1, 5, 20",
              flush=True)


def name(engine, column):
    quote = "`" if engine.dialect == "spark" else '"'
    return quote + column.replace(quote, quote * 2) + quote


# ---- Random layouts ----

def check_random(engine, n):
    rng = random.Random(SEED)
    n_done = n_people = n_integers = 0
    for trial in range(n):
        layout = layouts.random_layout(rng)
        rows = layouts.random_table(rng, rng.choice([0, 1, 60, 60, 60]))
        text = statement(layout, engine)
        engine.load("rows", layout.columns, rows)
        plain = reference.tally(layout, rows)
        got = integers(layout, text, engine.ask(text))
        wrong = differences(plain, got)
        check(not wrong, f"{engine.dialect}: random layout {trial} of seed "
              f"{SEED}: {sorted(wrong.items())[:3]}")
        n_done += 1
        n_integers += len(plain)
        if layout.user is None or trial % 4:
            continue
        for who, theirs in reference.people(layout, rows).items():
            left = [r for r in rows if reference.is_missing(r[layout.user])
                    or reference.as_bytes(r[layout.user]) != who]
            engine.load("rows", layout.columns, left)
            after = integers(layout, text, engine.ask(text))
            moved = reference.person(layout, theirs)
            check(not differences(reference.add(after, moved), plain),
                  f"{engine.dialect}: random layout {trial}, a person removed")
            n_people += 1
    print(f"{engine.dialect}: {n_done} random layouts, {n_integers} integers, "
          f"{n_people} people removed", flush=True)


# ---- Maps ----

def map_expression(engine, type, lo, hi, num, den, precision=12, scale=2):
    """The expression of one value, cut out of a statement about t."v"."""
    layout = reference.Layout([reference.Column("v", type, precision, scale)])
    layout.values = [reference.Value(0, num, den, lo, hi)]
    layout.items = [reference.Item(reference.BY_ROWS, reference.SUM, 0)]
    return re.search(r"AS \(SELECT (CASE .*?) AS z1", statement(
        layout, engine, "maps")).group(1)


def check_expression(engine, expression, column, cases, what):
    """cases: value and integer, both possibly None."""
    columns = [reference.Column("i", INT64), column]
    engine.load("maps", columns, [[i, v] for i, (v, _) in enumerate(cases)])
    table = ".".join(name(engine, p)
                     for p in engine.table.format("maps").split("."))
    answer = engine.ask(f"SELECT t.{name(engine, 'i')} AS i, {expression} "
                        f"AS z FROM {table} AS t")
    got = {}
    for line in answer.splitlines():
        i, z = line.split(",")
        got[int(i)] = int(z) if z not in ("", "None") else None
    wrong = [(v, z, got.get(i)) for i, (v, z) in enumerate(cases)
             if got.get(i) != z]
    check(not wrong and len(got) == len(cases),
          f"{engine.dialect}: {what}: {wrong[:3]}")
    return len(cases)


def check_maps(engine):
    groups = {}
    with open(DATA / "maps.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            at = (row["kind"],) + tuple(
                int(row[k]) for k in ("lo", "hi", "num", "den"))
            groups.setdefault(at, []).append((row["value"], row["z"]))
    n = 0
    for (kind, lo, hi, num, den), cases in groups.items():
        column = reference.Column("v", DOUBLE if kind == "double" else INT64)
        parse = float.fromhex if kind == "double" else int
        pairs = [(None if v in ("", "NULL") else parse(v),
                  None if z in ("", "NULL") else int(z)) for v, z in cases]
        expression = map_expression(engine, column.type, lo, hi, num, den)
        n += check_expression(engine, expression, column, pairs, "maps.csv")
    print(f"{engine.dialect}: maps.csv, {n} values", flush=True)


GRIDS = [(0, 100000, 1, 100), (-2**62, 2**62, 1, 1),
         (-2**62, 2**62, 1, 2**53), (-2**62, 2**62, 2**53, 1),
         (-1000, 1000, 1000, 1), (-2**30, 2**30, 1, 1024)]


def bit_patterns(rng, n, num, den):
    """Random bits, and numbers within 3 ulp of half grid points."""
    import math
    for i in range(n):
        if i % 2:
            x = (2 * rng.randrange(-2**20, 2**20) + 1) * num / (2 * den)
            for _ in range(rng.randrange(4)):
                x = math.nextafter(x, rng.choice([-math.inf, math.inf]))
        else:
            x, = struct.unpack("d", rng.randbytes(8))
        yield x


def check_patterns(engine, n):
    rng = random.Random(SEED)
    done = 0
    for lo, hi, num, den in GRIDS:
        value = reference.Value(0, num, den, lo, hi)
        cases = [(x, reference.units(x, value, DOUBLE))
                 for x in bit_patterns(rng, n // len(GRIDS), num, den)]
        expression = map_expression(engine, DOUBLE, lo, hi, num, den)
        done += check_expression(engine, expression,
                                 reference.Column("v", DOUBLE), cases,
                                 f"bit patterns on {num}/{den}")
    print(f"{engine.dialect}: {done} bit patterns", flush=True)


# ---- The admission test ----

def check_self_test(engine):
    text = tool("self-test", engine.dialect, text="")
    answer = engine.ask(text)
    try:
        tool("self-check", engine.dialect, text=answer)
    except ValueError as e:
        check(False, f"{engine.dialect}: {e}")
    # a digit changed is found
    lines = answer.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("rows,"))
    fields = lines[at].split(",")
    fields[3] = str(int(fields[3]) + 1)
    lines[at] = ",".join(fields)
    try:
        tool("self-check", engine.dialect, text="".join(lines))
        check(False, f"{engine.dialect}: the admission test finds a digit")
    except ValueError:
        pass
    print(f"{engine.dialect}: admission test", flush=True)


# ---- Collations, and functions of the same name ----

def check_collations(engine):
    """Ids and cells are bytes, whatever the column's collation says."""
    layout = reference.Layout(
        [reference.Column("uid"), reference.Column("at", INT64),
         reference.Column("town"), reference.Column("v", DOUBLE)],
        user=0, keys=[1], texts=[2], max_rows=2)
    layout.values = [reference.Value(3, 1, 100, 0, 100000)]
    layout.rules = [reference.Rule(reference.UNKNOWN, 0)]
    layout.items = [
        reference.Item(reference.BY_PERSON, reference.ONE),
        reference.Item(reference.BY_ROWS, reference.SUM, 0),
        reference.Item(reference.BY_CELLS, reference.ONE, rules=(0,),
                       max_cells=1)]
    layout.where = [reference.Where(2, "!=", b"X")]
    rows = [[u, i, t, i + 0.285] for i, (u, t) in enumerate(
        (u, t) for u in ["a", "A", "á", "a\u0301", "", None]
        for t in ["bern", "BERN", "x", ""])]
    text = statement(layout, engine, "collated")
    engine.load("collated", [reference.Column(c.name, c.type or TEXT)
                             for c in layout.columns], rows)
    if engine.dialect == "duckdb":
        for column in ("uid", "town"):
            engine.run(f"ALTER TABLE collated ALTER {column} TYPE VARCHAR "
                       "COLLATE NOCASE.NOACCENT")
        engine.run("SET default_order = 'DESC'")
        engine.run("SET default_null_order = 'NULLS_FIRST'")
        engine.run("SET default_collation = 'nocase'")
    elif engine.dialect == "postgres":
        engine.run("CREATE COLLATION ci (provider = icu, "
                   "locale = 'und-u-ks-level1', deterministic = false)")
        for column in ("uid", "town"):
            engine.run(f"ALTER TABLE public.collated ALTER {column} TYPE "
                       "text COLLATE public.ci")
        engine.run("CREATE SCHEMA evil")
        engine.run("CREATE FUNCTION evil.floor(double precision) RETURNS "
                   "double precision LANGUAGE sql AS 'SELECT 42.0::float8'")
        engine.run("ALTER ROLE test SET search_path = evil, pg_catalog")
    else:
        engine.session.sql(
            "SELECT uid COLLATE UTF8_LCASE AS uid, at, town COLLATE "
            "UNICODE_CI AS town, v FROM collated"
        ).createOrReplaceTempView("collated_2")
        text = statement(layout, engine, "collated_2")
    wrong = differences(reference.tally(layout, rows),
                        integers(layout, text, engine.ask(text)))
    check(not wrong, f"{engine.dialect}: collations: {wrong}")
    if engine.dialect == "postgres": # control: the path is left as it is
        wrong = differences(reference.tally(layout, rows),
                            integers(layout, text, engine.psql(text + ";\n")))
        check(wrong, "postgres: control, search_path, should have failed")
        engine.run("ALTER ROLE test RESET search_path")
        engine.load("collated", [reference.Column(c.name, c.type or TEXT)
                                 for c in layout.columns], rows)
        for column in ("uid", "town"):
            engine.run(f"ALTER TABLE public.collated ALTER {column} TYPE "
                       "char(8)")
        wrong = differences(reference.tally(layout, rows),
                            integers(layout, text, engine.ask(text)))
        check(not wrong, f"{engine.dialect}: char(n): {wrong}")
    if engine.dialect == "duckdb":
        for setting in ("order", "null_order", "collation"):
            engine.run(f"RESET default_{setting}")
    print(f"{engine.dialect}: collations", flush=True)


# ---- Spark's own ----

def check_plain_sum(engine, first):
    """Control: a sum of BIGINT errs or wraps in Spark."""
    layout, _ = layouts.nasty()
    text = re.sub(r"sum\(CAST\((z4) AS DECIMAL\(38,0\)\)\)", r"sum(\1)",
                  statement(layout, engine, "nasty"))
    engine.subset("nasty", "base")
    for ansi in (True, False):
        engine.ansi(ansi)
        try:
            is_same = not differences(
                integers(layout, text, engine.ask(text)), first)
        except Exception: # the engine's own error
            is_same = False
        check(not is_same, "spark: control, a plain sum, should have failed")


def check_failing_task(engine, rows, text, first):
    """A task that fails once, with speculation on: the same tally."""
    layout, _ = layouts.nasty()
    with tempfile.TemporaryDirectory() as folder:
        marker = folder + "/failed"
        engine.load_failing("nasty", layout.columns, rows, marker)
        got = integers(layout, text, engine.ask(text))
        check(not differences(got, first), "spark: a task that fails once")
        check(os.path.exists(marker), "spark: the task did fail")
    print("spark: a task that fails once", flush=True)


def check_engine(engine, rows):
    check_self_test(engine)
    check_collations(engine)
    text, first = check_nasty(engine, rows)
    if engine.dialect == "spark":
        engine.ansi(False)
        check_nasty(engine, rows)
        check_plain_sum(engine, first)
        engine.ansi(True)
        check_failing_task(engine, rows, text, first)
    check_permuted(engine, text, first)
    check_removal(engine, rows, text, first,
                  3 if engine.dialect == "spark" else 6)
    check_least_counts(engine, rows, first)
    many = {"duckdb": 40, "postgres": 20, "spark": 6}[engine.dialect]
    check_random(engine, int(many * EFFORT))
    check_maps(engine)
    check_patterns(engine, int(12000 * EFFORT * (10 if EFFORT > 1 else 1)))


def main():
    global TOOL
    TOOL = sys.argv[1]
    n_engines = 0
    try:
        rows = nasty_rows()
    except Skip as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return 77
    for which in sys.argv[2:]:
        try:
            engine = {"duckdb": DuckDB, "postgres": Postgres,
                      "spark": Spark}[which]()
        except Skip as reason:
            print(f"{which} was skipped: {reason}", flush=True)
            continue
        n_engines += 1
        try:
            check_engine(engine, rows)
        finally:
            engine.close()
    if n_engines == 0:
        return 77
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
