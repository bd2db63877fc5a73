"""Statistics of a table: exact numbers, types, refusals, and failures that
tell nothing."""

import ctypes
import io
import json
import logging
import math
import pickle
import signal
import subprocess
import sys
import time
import traceback
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import dosimeter as dm
from dosimeter import release
from dosimeter.errors import error_of
from dosimeter._core import ffi
from dosimeter.release import (Count, CountBad, Histogram, Mean, Median, Mode,
                               Quantile, Sum, Users, Variance)
from dosimeter.settings import settings_of

SECRET = "4711-secret"


# ---- Noise ----

@pytest.mark.parametrize("law", ["round_gaussian", "round_laplace",
                                 "discrete_gaussian", "discrete_laplace"])
@pytest.mark.parametrize("timing", ["constant", "fast"])
def test_noise(law, timing) -> None:
    noise = release.noise(law, 10, timing)
    draws = noise.draw(20000)
    assert len(draws) == 20000
    variance = sum(k * k for k in draws) / len(draws)
    expected = 100 if law.endswith("gaussian") else 200
    assert expected * 0.8 < variance < expected * 1.2
    half_width = noise.half_width(0.05)
    outside = sum(abs(k) > half_width for k in draws)
    assert 0.03 < outside / len(draws) < 0.06
    assert noise.draw(0).tolist() == []
    again = pickle.loads(pickle.dumps(noise))
    assert (again.law, again.scale, again.timing) == (law, 10, timing)
    assert noise.draw(16) != noise.draw(16)


@pytest.mark.parametrize("arguments", [
    ("gaussian", 1), ("round_gaussian", 0), ("round_gaussian", math.nan),
    ("discrete_laplace", 1e30), ("round_laplace", 1, "slow")])
def test_bad_noise(arguments) -> None:
    with pytest.raises(dm.InvalidError):
        release.noise(*arguments)


def test_samples() -> None:
    members = release.sample_poisson(100000, 0.25)
    assert set(members) == {0, 1}
    assert 24000 < sum(members) < 26000
    assert sum(release.sample_poisson(100, 1)) == 100
    with pytest.raises(dm.InvalidError):
        release.sample_poisson(10, 1.5)


def test_keyed_coins() -> None:
    """A coin is a function of key and id; BLAKE2b by Python's own."""
    import hashlib

    key = bytes(range(32))
    n = 0
    for i in range(2000):
        digest = hashlib.blake2b(str(i).encode(), key=key).digest()
        expected = int.from_bytes(digest, "big") < Fraction(0.3) * 2**512
        assert release.keyed_coin(key, str(i), 0.3) == expected
        n += expected
    assert 500 < n < 700
    assert release.keyed_coin(key, b"x", 1)
    assert not release.keyed_coin(key, b"x", 0)
    with pytest.raises(dm.InvalidError):
        release.keyed_coin(b"short", b"x", 0.5)
    with pytest.raises(dm.InvalidError):
        release.keyed_coin(key, b"x", math.nan)


# ---- Settings ----

@pytest.mark.parametrize(("options", "lines"), [
    ({"epsilon": 1, "delta": 1e-6}, ["epsilon 1", "delta 0.000001"]),
    ({"epsilon": 0.1}, ["epsilon 0.1"]),
    ({"epsilon": 3.0}, ["epsilon 3"]),
    ({"file_order": True, "nonnegative": False, "user": None},
     ["file-order"]),
    ({"order": ["date", "a,b"]}, ['order date,"a,b"']),
    ({"bounds": (0, 16)}, ["bounds 0..16"]),
    ({"bins": {"age": (0, 120, 10)}}, ["bins age:0..120:10"]),
    ({"categories": {"x": ["a", 'b"c', "d:e"], 1: [0, 1]}},
     ['categories x:a,"b""c","d:e"', "categories 1:0,1"]),
    ({"grid": {"v": Decimal("0.010")}}, ["grid v:0.010"]),
    ({"grid": {"v": Fraction(1, 8)}}, ["grid v:0.125"]),
    ({"unknown_cells": {"town": True, "x": False}}, ["unknown-cells town"]),
    ({"max_cells": 3, "max_per_cell": {"town": 1}},
     ["max-cells 3", "max-per-cell town:1"]),
    ({"min_count": {"town": 20}}, ["min-count town:20"]),
    ({"checkpoint": Path("a/b")}, ["checkpoint a/b"]),
    ({"plan": dm.laplace(1) * 2}, ["plan laplace(1) * 2"]),
])
def test_settings(options, lines) -> None:
    assert settings_of(options) == lines


@pytest.mark.parametrize("value", [object(), (1,), (1, 2, 3, 4), b"x", 1j,
                                   {"a": object()}])
def test_bad_settings(value) -> None:
    with pytest.raises((TypeError, dm.InvalidError)):
        settings_of({"grid": value})
        release.query([Count()], epsilon=1, grid=value)


@pytest.mark.parametrize(("statistic", "name", "lines"), [
    (Count(), "count", ["count"]),
    (Users(weight=2), "users", ["users", "weight users:2"]),
    (CountBad(), "count-bad", ["count-bad"]),
    (Sum("a", 0, 200000.0), "sum.a", ["sum a:0..200000"]),
    (Sum("a", 0, 1, grid="0.01", type="double", user_bounds=(0, 3),
         weight=0.5), "sum.a",
     ["sum a:0..1", "grid a:0.01", "type a:double", "user-bounds a:0..3",
      "weight sum.a:0.5"]),
    (Mean("a b", -1, "1.00"), "mean.a b", ["mean a b:-1..1.00"]),
    (Variance("a", 0, 0.5), "variance.a", ["variance a:0..0.5"]),
    (Median("a,b", 0, 1), "median.a,b", ['median "a,b":0..1']),
    (Quantile("a", 0, 9, 0.25), "quantile.a.1/4", ["quantile a:0..9:1/4"]),
    (Histogram("a", categories=["x", "y"]), "histogram.a",
     ["histogram a", "categories a:x,y"]),
    (Histogram("a", "b", bins={"a": (0, 9, 3)}, categories={"b": ["x"]},
               max_cells=2), "histogram.a,b",
     ["histogram a,b", "bins a:0..9:3", "categories b:x", "max-cells a,b:2"]),
    (Histogram("t", unknown_cells=True), "histogram.t",
     ["histogram t", "unknown-cells t"]),
    (Mode("a"), "mode.a", ["mode a"]),
])
def test_statistics(statistic, name, lines) -> None:
    assert statistic.name == name
    assert statistic.lines == lines


# ---- Answers ----

PEOPLE = b"""id,income,county,age,at
1,10,a,30,1
2,0,b,40,1
3,7,"b,c",50,1
3,9,a,51,2
3,3,a,52,3
4,99,a,,1
5,,d,20,1
,5,a,60,1
"""
#: So much that the noise is 0, except with a probability below 1e-9.
MUCH = 600


def people(statistics, data=PEOPLE, **options):
    return release.csv(io.BytesIO(data), statistics, **options)


def test_exact_numbers() -> None:
    answer = people(Count(), epsilon=50)
    assert answer["count"].value == 8
    assert answer["count"].interval == (8, 8)
    assert type(answer["count"].value) is int
    # 10, 0, 7, 9, 3, 99 cut to 10, 5; one is missing
    answer = people(Sum("income", 0, 10), epsilon=MUCH)
    assert answer["sum.income"].value == 44
    answer = people(Histogram("county", categories=["a", "b", "b,c"]),
                    epsilon=50)
    cells = answer["histogram.county"]
    assert {name: row.value for name, row in cells.items()} \
        == {"a": 5, "b": 1, "b,c": 1}
    assert len(cells) == 3 and int(cells["a"]) == 5
    answer = people(Mode("county", categories=["a", "b"]), epsilon=200)
    assert answer["mode.county"].value == "a"
    assert answer["mode.county"].interval is None
    assert answer["mode.county"].within >= 0


def test_people() -> None:
    answer = people([Users(), Count()], user="id", max_rows=2, epsilon=100)
    assert (answer["users"].value, answer["count"].value) == (5, 6)
    answer = people(Sum("income", 0, 10, user_bounds=(0, 12)), user="id",
                    epsilon=MUCH)
    assert answer["sum.income"].value == 10 + 12 + 10
    # the first two rows of each by age, then those with an income
    answer = people(Sum("income", 0, 10), user="id", max_rows=2,
                    order=["age"], epsilon=2 * MUCH)
    assert answer["sum.income"].value == 10 + 7 + 9 + 10
    by_cell = people([Count()], by="county", where=["age >= 30", "age < 60"],
                     categories={"county": "a,b"}, epsilon=50)
    assert {cell: row.value for cell, row in by_cell["count"].items()} \
        == {"a": 3, "b": 1}


def test_unknown_cells() -> None:
    answer = people(
        Histogram("county", unknown_cells=True, max_cells=1, max_per_cell=1),
        user="id", order="at", epsilon=1, delta=1e-9)
    assert dict(answer["histogram.county"]) == {}
    assert answer.delta == 1e-9


def test_grid() -> None:
    data = b"x\n0.285\n0.10\n"
    answer = people(Sum("x", 0, "1.00"), data, epsilon=6000)
    assert answer["sum.x"].value == Fraction(39, 100)
    assert type(answer["sum.x"].value) is Fraction
    assert float(answer["sum.x"]) == 0.39
    answer = people(Mean("x", 0, 1, grid="0.01"), data, epsilon=200)
    assert answer["mean.x"].interval[0] <= answer["mean.x"].value


def test_the_plan_is_the_mechanism() -> None:
    """What was released costs what the accountant says of its plan."""
    statistics = [Count(), Sum("income", 0, 100, weight=3),
                  Histogram("county", categories=["a", "b"]),
                  Median("age", 0, 120)]
    answer = people(statistics, epsilon=1)
    assert answer.epsilon().upper <= 1
    again = dm.Plan(str(answer.plan))
    assert 0.9 < again.epsilon(1e-12).upper <= 1
    assert release.query(statistics, epsilon=1).plan == answer.plan
    statistics[1] = Sum("income", 0, 100)  # the plan says its share
    assert people(statistics, plan=answer.plan).plan == answer.plan
    for relation in ("add_remove", "replace"):
        answer = people(statistics, epsilon=1, delta=1e-6, noise="gaussian",
                        neighbours=relation)
        own = answer.epsilon(1e-6)
        assert own.neighbours == answer.neighbours == relation
        assert answer.epsilon().upper <= 1
        assert own.upper == pytest.approx(answer.epsilon().upper, rel=1e-6)


def test_forms() -> None:
    import json

    answer = people([Count(), Sum("income", 0, 100)], epsilon=1)
    file = json.loads(answer.to_json())
    assert str(answer["count"].value) in answer.to_json()
    assert file["plan"] == str(answer.plan) or str(answer.plan) in str(file)
    lines = answer.to_csv().splitlines()
    assert lines[0] == "name,cell,value,lower,upper"
    assert lines[1].split(",")[:3] == ["count", "",
                                       str(answer["count"].value)]
    assert "count" in repr(answer) and str(answer.plan) in str(answer)
    assert answer.assumptions and "<pre>" in answer._repr_html_()
    assert list(answer) == ["count", "sum.income"]
    again = pickle.loads(pickle.dumps(answer))
    assert again["count"] == answer["count"] and again.plan == answer.plan
    query = release.query([Count()], epsilon=1)
    assert "discrete_laplace" in str(query)
    assert pickle.loads(pickle.dumps(query)).plan == query.plan
    # a query may be run again; each answer is a release of its own
    assert query.csv(io.BytesIO(PEOPLE)).plan == query.plan
    assert query.csv(io.BytesIO(PEOPLE)).plan == query.plan


def test_chunks_and_paths(tmp_path) -> None:
    class Drip(io.RawIOBase):
        def __init__(self) -> None:
            self.data = io.BytesIO(PEOPLE)

        def read(self, n: int = -1) -> bytes:
            return self.data.read(3)

    path = tmp_path / "people.csv"
    path.write_bytes(PEOPLE)
    for file in (path, str(path), Drip(), path.open("rb")):
        assert release.csv(file, Count(), epsilon=50)["count"].value == 8
    with pytest.raises(TypeError):
        release.csv(io.StringIO("x\n1\n"), Count(), epsilon=1)
    with pytest.raises(TypeError):
        release.csv(5, Count(), epsilon=1)


def test_parts(tmp_path) -> None:
    """Files of one table: the integers of one pass, whoever is in several."""
    header, *rows = PEOPLE.splitlines(keepends=True)
    files = []
    for i in range(3):
        files.append(tmp_path / f"part{i}.csv")
        files[i].write_bytes(header + b"".join(rows[i::3]))
    statistics = [Count(), Sum("income", 0, 10), Users()]
    options = dict(user="id", max_rows=2, order="age",
                   plan="group(2, discrete_laplace(1/32)) + laplace(1/320) "
                        "+ discrete_laplace(1/64)")
    whole = people(statistics, **options)
    for order in (files, files[::-1]):
        parts = release.csv(order, statistics, **options)
        assert [parts[name].value for name in parts] \
            == [whole[name].value for name in whole]
        assert parts.plan == whole.plan
    query = release.query(statistics, **options)
    assert query.csv(*files)["count"].value == whole["count"].value
    with pytest.raises(dm.InvalidError, match="file-order"):
        release.csv(files, Sum("income", 0, 10), user="id", max_rows=2,
                    file_order=True, epsilon=1)
    for call in (query.csv, query.table):
        with pytest.raises(dm.InvalidError, match="give a"):
            call()


def test_parts_in_engines() -> None:
    """Tallies of two databases add up, with a promise about people."""
    statement = release.sql("duckdb", "visits", Count(), user="id",
                            max_rows=2, epsilon=50)
    digest = statement.text.split("'query' AS part, '")[1][:64]
    answers = [[("users", None, n, 2), ("query", digest, None, 2)]
               for n in ("3", "4")]
    answer = statement.finish(*answers)
    assert answer["count"].value == 7
    said = "nobody is in two of the tallies that were merged"
    assert said in answer.assumptions
    assert said not in statement.finish(answers[0]).assumptions
    with pytest.raises(dm.InvalidError):
        statement.finish()


def test_min_count() -> None:
    towns = Histogram("county", unknown_cells=True, max_cells=1,
                      max_per_cell=1)
    options = dict(user="id", order="at", epsilon=1, delta=1e-9)
    plain = release.query(towns, **options)
    higher = release.query(towns, min_count=5, **options)
    assert higher.plan == plain.plan
    assert "if they have at least 5" in str(higher)
    text = release.sql("spark", "t", towns, min_count={"county": 5},
                       **options).text
    assert " HAVING " in text and " HAVING " not in release.sql(
        "spark", "t", towns, **options).text


def test_interruption() -> None:
    """Ctrl-C ends a search for noise, with KeyboardInterrupt."""
    code = """
from dosimeter import release
statistics = [release.Sum(f"x{i}", 0, i, weight=f"0.{i}")
              for i in range(1, 60)]
statistics += [release.Mean(f"y{i}", 0, 10) for i in range(60)]
print("begin", flush=True)
try:
    release.query(statistics, epsilon=1, delta=1e-9)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code],
                               stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begin\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"
    assert process.returncode == 0


def test_check() -> None:
    text = release.check(io.BytesIO(PEOPLE), Sum("income", 0, 10),
                         not_private=True)
    assert text.startswith("NOT PRIVATE")
    with pytest.raises(dm.InvalidError):
        release.check(io.BytesIO(PEOPLE), Count(), epsilon=1)
    query = release.query(Count(), not_private=True)
    with pytest.raises(dm.InvalidError):
        query.plan
    with pytest.raises(dm.InvalidError):
        query.csv(io.BytesIO(PEOPLE))


# ---- Refusals ----

@pytest.mark.parametrize(("statistics", "options"), [
    ([Count()], {}),
    ([Count()], {"epsilon": -1}),
    ([Count()], {"epsilon": math.nan}),
    ([Count()], {"epsilon": 1, "plan": "laplace(1)"}),
    ([Count()], {"epsilon": 1, "no_such_option": 3}),
    ([Count()], {"epsilon": 1, "noise": "gaussian"}),
    ([Sum("x", 5, 1)], {"epsilon": 1}),
    (["sum x"], {"epsilon": 1}),
    (["nonsense"], {"epsilon": 1}),
    ([Histogram("x")], {"epsilon": 1}),
    ([Sum("x", 0, 1)], {"epsilon": 1, "user": "u", "max_rows": 2}),
    ([Sum("x", 0, 1)], {"epsilon": 1, "max_rows": 2, "order": "x"}),
    ([Sum("x", 0, 1, grid=1), Mean("x", 0, 1, grid=2)], {"epsilon": 1}),
    ([Histogram("x", unknown_cells=True)], {"epsilon": 1}),
    ([], {"epsilon": 1}),
])
def test_bad_usage_comes_before_data(statistics, options) -> None:
    """The file is not there, which is found out later."""
    with pytest.raises(dm.DosimeterError) as caught:
        release.csv("no such file", statistics, **options)
    assert caught.value.status in (dm.Status.EINVAL, dm.Status.ESYNTAX)
    assert "\n" not in str(caught.value)


def test_other_mistakes() -> None:
    with pytest.raises(FileNotFoundError):
        release.csv("no such file", Count(), epsilon=1)
    with pytest.raises(dm.InvalidError, match="nothere"):
        people(Sum("nothere", 0, 1), epsilon=1)
    with pytest.raises(dm.InvalidError, match="income"):
        people(Sum("income", 0, 1), b"", epsilon=1)
    with pytest.raises(TypeError):
        release.query([3], epsilon=1)
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        release.table([1, 2], Count(), epsilon=1)
    with pytest.raises(dm.InvalidError):
        release.query("count\0", epsilon=1)


@pytest.mark.parametrize("records", [
    b"", b"\n\n", b"\xff\xfe,\x00\n", b'"1,2\n' * 50, b"nan,inf\n1e999,-0\n",
    b"1,2,3,4,5,6\n", b"," * 100000 + b"\n", b"9" * 1200000 + b",1\n"])
def test_records_never_raise(records) -> None:
    data = b"id,income\n" + records
    answer = people([Count(), Sum("income", 0, 10), CountBad()], data,
                    epsilon=1)
    other = people([Count(), Sum("income", 0, 10), CountBad()],
                   b"id,income\n1,2\n", epsilon=1)
    assert list(answer) == list(other)
    assert answer.plan == other.plan
    assert answer.assumptions == other.assumptions


# ---- Failures that tell nothing ----

def is_silent(error: BaseException) -> bool:
    """Whether nothing of the data is anywhere in what a person sees."""
    text = "".join(traceback.format_exception(error))
    return (error.__cause__ is None and error.__context__ is None
            and SECRET not in text)


def test_a_file_that_fails() -> None:
    class Broken:
        def read(self, n):
            raise ValueError(f"bad value {SECRET}")

    with pytest.raises(dm.InputOutputError) as caught:
        release.csv(Broken(), Count(), epsilon=1)
    assert is_silent(caught.value)
    assert isinstance(caught.value, OSError)


def test_a_frame_that_fails() -> None:
    class Frame:
        def __arrow_c_stream__(self, requested_schema=None):
            raise ValueError(f"could not convert {SECRET}")

    class NoStream:
        def __arrow_c_stream__(self, requested_schema=None):
            return SECRET

    for frame in (Frame(), NoStream()):
        with pytest.raises(dm.EngineError) as caught:
            release.table(frame, Count(), epsilon=1)
        assert str(caught.value) == "the engine did not answer"
        assert is_silent(caught.value)


class Heard(logging.Handler):
    """Keeps all that a logger passes on."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.log = logging.getLogger(name)
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += self.format(record)

    def __enter__(self):
        self.log.addHandler(self)
        return self

    def __exit__(self, *_) -> None:
        self.log.removeHandler(self)


def test_the_curator_alone_hears_it() -> None:
    class Cursor:
        def execute(self, text):
            raise ValueError(SECRET)

        fetchall = None

    statement = release.sql("duckdb", "t", Count(), epsilon=1)
    with Heard() as everybody, Heard("dosimeter.engine") as curator:
        with pytest.raises(dm.EngineError) as caught:
            statement.run(Cursor())
    assert is_silent(caught.value)
    assert SECRET in curator.text
    assert SECRET not in everybody.text


@pytest.mark.parametrize(("status", "cls"), [
    (31, dm.EntropyError), (32, dm.InputOutputError)])
def test_errors_of_the_system(status, cls) -> None:
    raw = ffi.new("dosi_error *")
    raw.status = status
    ffi.buffer(raw.message)[:5] = b"words"
    error = error_of(raw)
    assert type(error) is cls and isinstance(error, OSError)
    assert str(error) == error.message == "words"
    assert error.status == status
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls and str(again) == "words"


# ---- Arrow, by hand ----

class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


P = ctypes.c_void_p
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p),
    ("metadata", P), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", P), ("release", P), ("private_data", P)]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(P)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", P), ("release", P), ("private_data", P)]
CALL = ctypes.CFUNCTYPE(ctypes.c_int, P, P)
LAST = ctypes.CFUNCTYPE(P, P)
FREE = ctypes.CFUNCTYPE(None, P)
Stream._fields_ = [("get_schema", CALL), ("get_next", CALL),
                   ("get_last_error", LAST), ("release", FREE),
                   ("private_data", P)]


class Ints:
    """A table of one column of int64, in batches; nothing is ever freed."""

    def __init__(self, batches, ends_in: int = 0) -> None:
        self.batches = list(batches)
        self.ends_in = ends_in
        self.kept: list = []
        self.released = FREE(lambda _: None)

    def schema(self, _, out) -> int:
        release_it = ctypes.cast(self.released, P)
        column = Schema(b"l", b"x", None, 2, 0, None, None, release_it, None)
        children = (ctypes.POINTER(Schema) * 1)(ctypes.pointer(column))
        table = Schema(b"+s", b"", None, 0, 1, children, None, release_it,
                       None)
        self.kept += [column, children]
        ctypes.memmove(out, ctypes.byref(table), ctypes.sizeof(table))
        return 0

    def next(self, _, out) -> int:
        if not self.batches:
            ctypes.memset(out, 0, ctypes.sizeof(Array))
            return self.ends_in
        values = self.batches.pop(0)
        n = len(values)
        release_it = ctypes.cast(self.released, P)
        data = (ctypes.c_int64 * n)(*values)
        buffers = (P * 2)(None, ctypes.cast(data, P))
        column = Array(n, 0, 0, 2, 0, buffers, None, None, release_it, None)
        children = (ctypes.POINTER(Array) * 1)(ctypes.pointer(column))
        none = (P * 1)(None)
        batch = Array(n, 0, 0, 1, 1, none, children, None, release_it, None)
        self.kept += [data, buffers, column, children, none]
        ctypes.memmove(out, ctypes.byref(batch), ctypes.sizeof(batch))
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        self.stream = Stream(CALL(self.schema), CALL(self.next),
                             LAST(lambda _: None), self.released, None)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [P, ctypes.c_char_p, P]
        return new(ctypes.addressof(self.stream), b"arrow_array_stream",
                   None)


def test_arrow() -> None:
    frame = Ints([[1, 2, 3], [], [20, -5]])
    answer = release.table(frame, [Count(), Sum("x", 0, 10, weight=10)],
                           epsilon=11 * 50)
    assert (answer["count"].value, answer["sum.x"].value) == (5, 16)
    parts = [Ints([[1, 2], [20]]), Ints([[]]), Ints([[3, -5]])]
    answer = release.table(parts, [Count(), Sum("x", 0, 10, weight=10)],
                           epsilon=11 * 50)
    assert (answer["count"].value, answer["sum.x"].value) == (5, 16)


def test_arrow_that_ends_in_an_error() -> None:
    with pytest.raises(dm.EngineError) as caught:
        release.table(Ints([[1]], ends_in=5), Count(), epsilon=1)
    assert is_silent(caught.value)
    with pytest.raises(dm.InvalidError):
        release.table(Ints([[1]]), Sum("y", 0, 1), epsilon=1)


# ---- SQL ----

class Engine:
    """Answers with what it was given, and remembers what it was asked."""

    def __init__(self, rows) -> None:
        self.rows = rows
        self.asked: list[str] = []

    def execute(self, text):
        self.asked.append(text)

    def fetchall(self):
        return self.rows


def digest_of(statement) -> str:
    import re

    return re.findall(r"'([0-9a-f]{64})'", statement.text)[-1]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "spark",
                                     "generic"])
def test_sql(dialect) -> None:
    statement = release.sql(
        dialect, "public.visits",
        [Count(), Sum("x", 0, 10, type="double", weight=10)], epsilon=11 * 50)
    assert statement.text.startswith("-- dosimeter 1 {")
    assert "visits" in statement.text and ";" not in statement.text
    rows = [("rows", None, "5", "16", 2),
            ("query", digest_of(statement), None, None, 2)]
    engine = Engine(rows)
    answer = statement.run(engine)
    assert (answer["count"].value, answer["sum.x"].value) == (5, 16)
    assert engine.asked[-1] == statement.text
    assert engine.asked[:-1] == [
        text for text in (statement.settings,) if text]
    assert bool(statement.settings) == (dialect == "postgres")
    # each is a release of its own, and so is one from a pickle
    assert statement.finish(iter(rows))["count"].value == 5
    again = pickle.loads(pickle.dumps(statement))
    assert again.text == statement.text and again.plan == answer.plan
    assert again.finish(rows)["count"].value == 5


def test_sql_of_another_statement() -> None:
    statement = release.sql("duckdb", "t", Count(), epsilon=1)
    other = release.sql("duckdb", "t", Count(), epsilon=2)
    rows = [("users", None, SECRET, 2),
            ("query", digest_of(statement), None, 2)]
    for wrong in (rows, rows[:1], [],
                  [("users", None, "5", 2),
                   ("query", digest_of(other), None, 2)]):
        with pytest.raises(dm.InvalidError) as caught:
            statement.finish(wrong)
        assert is_silent(caught.value)
    with pytest.raises(dm.EngineError):
        statement.finish(5)


def test_sql_refusals() -> None:
    with pytest.raises(dm.InvalidError):
        release.sql("oracle", "t", Count(), epsilon=1)
    with pytest.raises(dm.InvalidError):
        release.sql("postgres", "visits", Count(), epsilon=1)
    with pytest.raises(dm.InvalidError):
        release.sql("duckdb", "t", Sum("x", 0, 1), user="u", max_rows=1,
                    file_order=True, type={"x": "double"}, epsilon=1)


def test_answers_are_frames() -> None:
    pandas = pytest.importorskip("pandas")
    answer = dm.release.csv(
        io.BytesIO(b"id,income,county\n1,52000,Kent\n2,31000,Essex\n"),
        [dm.release.Count(), dm.release.Sum("income", 0, "200000.00"),
         dm.release.Histogram("county", categories=["Kent", "Essex"])],
        epsilon=1)
    frame = answer.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 4
    assert list(frame["cell"][2:]) == ["Kent", "Essex"]
    assert (frame["lower"] <= frame["value"]).all()
    assert json.loads(answer.to_json()) == answer.to_dict()
