#!/usr/bin/env python3
"""nasty.parquet through the Arrow streams of pyarrow, Polars, pandas and
DuckDB: batches of 1, 7 and 65536 rows, slices, all forms of text,
dictionaries, permuted rows. Every stream must give the integers of
expected.csv, and all streams the same integers.

usage: check_streams.py PROBE.so DATA [--bench ROWS]

--bench: the C reducer on DuckDB's stream against DuckDB's SQL on the same
table, in turn, in CPU seconds.
"""
import ctypes
import pathlib
import random
import resource
import sys

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.parquet

probe = ctypes.CDLL(sys.argv[1])
data = pathlib.Path(sys.argv[2])
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype = ctypes.c_void_p
pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
OUT = ctypes.create_string_buffer(1 << 24)
MESSAGE = ctypes.create_string_buffer(512)


def tally(stream):
    """The integers of anything with __arrow_c_stream__."""
    capsule = stream.__arrow_c_stream__()
    status = probe.probe_stream(
        OUT, ctypes.c_size_t(len(OUT)),
        ctypes.c_void_p(pointer(capsule, b"arrow_array_stream")),
        MESSAGE, ctypes.c_size_t(len(MESSAGE)))
    if status != 0:
        raise ValueError(f"{status}: {MESSAGE.value.decode()}")
    rows = (line.rsplit(",", 1) for line in OUT.value.decode().splitlines())
    return {key: int(value) for key, value in rows if value != "0"}


def read_expected():
    lines = (data / "expected.csv").read_text().splitlines()[1:]
    rows = (line.rsplit(",", 1) for line in lines)
    return {key.lower(): int(value) for key, value in rows}


def check(name, stream, reference):
    got = tally(stream)
    wrong = {key: (got.get(key), value) for key, value in reference.items()
             if got.get(key, 0) != value}
    if not wrong and len(reference) > 100 and got != reference:
        wrong = {key: (got[key], None) for key in got.keys() - reference}
    if wrong:
        print(f"{name}: {len(wrong)} integers differ, e.g. "
              f"{list(wrong.items())[:3]}")
        sys.exit(1)
    print(f"{name}: ok")
    return got


def texts_as(table, kind):
    for name in ("uid", "town"):
        i = table.schema.get_field_index(name)
        table = table.set_column(i, name, table[name].cast(kind))
    return table


def dictionaries(table):
    for name in ("uid", "town"):
        i = table.schema.get_field_index(name)
        table = table.set_column(i, name, pc.dictionary_encode(table[name]))
    return table


def batches(table, size):
    return pa.RecordBatchReader.from_batches(
        table.schema, table.to_batches(max_chunksize=size))


def sliced(table):
    """Rows in slices with offsets, behind rows that are not sent."""
    wide = pa.concat_tables([table.slice(100, 37), table]).combine_chunks()
    batch = wide.to_batches()[0].slice(37)
    cuts = sorted(random.sample(range(batch.num_rows), 50))
    ends = zip([0, *cuts], [*cuts, batch.num_rows])
    return pa.RecordBatchReader.from_batches(
        table.schema, [batch.slice(a, b - a) for a, b in ends])


def streams(table, path):
    for size in (1, 7, 65536):
        yield f"pyarrow, batches of {size}", batches(table, size)
    yield "pyarrow, slices", sliced(table)
    for kind in (pa.large_string(), pa.string_view(), pa.binary(),
                 pa.large_binary(), pa.binary_view()):
        yield f"pyarrow, {kind}", batches(texts_as(table, kind), 1000)
    yield "pyarrow, dictionary", batches(dictionaries(table), 777)
    order = list(range(table.num_rows))
    random.shuffle(order)
    yield "pyarrow, permuted", batches(table.take(order), 64)
    yield "pyarrow, scanner", \
        pyarrow.dataset.dataset(path).scanner().to_reader()
    frame = polars.read_parquet(path)
    yield "polars", frame
    yield "polars, rechunked", frame.sort("big").rechunk()
    yield "polars, categorical", frame.with_columns(
        polars.col("town").cast(polars.Categorical))
    yield "pandas, pyarrow", pandas.read_parquet(
        path, dtype_backend="pyarrow")
    yield "pandas, numpy_nullable", pandas.read_parquet(
        path, dtype_backend="numpy_nullable")
    duck = duckdb.connect()
    yield "duckdb", duck.sql(f"SELECT * FROM '{path}'")
    yield "duckdb, reversed", duck.sql(
        f"SELECT * FROM '{path}' ORDER BY big DESC, level")


def refused(table):
    """Schemas that cannot be read, and no value of the data in messages."""
    price = table.schema.get_field_index("price")
    uid = table.schema.get_field_index("uid")
    for name, bad in {
            "a float as user": table.set_column(uid, "uid", table["amount"]),
            "a list": table.set_column(
                price, "price", pa.array([[1]] * table.num_rows)),
            "no price": table.drop_columns(["price"])}.items():
        try:
            tally(bad)
        except ValueError as error:
            print(f"refused, {name}: {error}")
        else:
            print(f"{name} was not refused")
            sys.exit(1)


def cpu(call):
    before = resource.getrusage(resource.RUSAGE_SELF)
    call()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bench(rows):
    """Skewed users, a tenth as many as rows."""
    duck = duckdb.connect()
    duck.sql("SET threads = 1")
    duck.sql("SELECT setseed(0.5)")
    duck.sql(f"""CREATE TABLE nasty AS SELECT
        'u' || CAST(floor(pow(random(), 2) * {rows} / 8) AS BIGINT) AS uid,
        CAST(random() * 1000 AS BIGINT) AS at,
        't' || CAST(floor(pow(random(), 3) * 7300) AS BIGINT) AS town,
        random() * 1200 - 100 AS amount,
        CAST(random() * 120 - 60 AS DECIMAL(18,2)) AS price,
        CAST(random() * 130 AS BIGINT) AS level,
        CAST(random() * 4e18 AS BIGINT) AS big FROM range({rows})""")
    people = duck.sql("SELECT count(DISTINCT uid) FROM nasty").fetchall()[0][0]
    statement = (data / "statement_duckdb.sql").read_text()
    times = {"sql": [], "stream alone": [], "reducer": []}
    for _ in range(3):
        times["sql"].append(cpu(lambda: duck.sql(statement).fetchall()))
        times["stream alone"].append(cpu(
            lambda: [None for _ in
                     duck.sql("FROM nasty").to_arrow_reader(65536)]))
        times["reducer"].append(cpu(lambda: tally(duck.sql("FROM nasty"))))
    print(f"{rows} rows, {people} users, CPU seconds:",
          {k: round(sorted(v)[1], 2) for k, v in times.items()})
    integers = {f"{part},{cell or ''}".lower(): n0 for part, cell, n0, *_ in
                duck.sql(statement).fetchall() if part in ("level", "town")}
    got = tally(duck.sql("FROM nasty"))
    assert all(got.get(k, 0) == int(v) for k, v in integers.items()
               if k != "level,"), "SQL and stream differ"
    print(f"the same {len(integers)} integers")


def main():
    random.seed(1)
    path = str(data / "nasty.parquet")
    table = pyarrow.parquet.read_table(path)
    reference = read_expected()
    print(table.schema.to_string(show_field_metadata=False,
                                 show_schema_metadata=False))
    for name, stream in streams(table, path):
        reference = check(name, stream, reference)
    refused(table)
    print(f"{len(reference)} integers from every stream")
    if "--bench" in sys.argv:
        bench(int(sys.argv[sys.argv.index("--bench") + 1]))


main()
