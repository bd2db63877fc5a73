"""Training on arrays: it learns, costs its plan, and no record raises."""

import json
import math

import numpy as np
import pytest

import dosimeter as dm
from dosimeter import train, train_rows

SETTINGS = dict(model="logistic", classes=["no", "yes"], bounds=(-1, 1),
                examples=400, batch=100, steps=40, clip=1, learning_rate=4,
                epsilon=8, delta=1e-5)


def points(n: int = 400, seed: int = 3):
    x = np.random.default_rng(seed).uniform(-1, 1, size=(n, 3))
    return x, ["yes" if row[0] + row[1] > 0 else "no" for row in x]


def test_it_learns() -> None:
    x, y = points()
    model = train.fit(x, y, **SETTINGS)
    others, labels = points(seed=4)
    assert model.score(others, labels) > 0.8
    assert set(model.predict(others)) == {"yes", "no"}
    shares = model.predict_proba(others)
    assert shares.shape == (400, 2)
    assert np.allclose(shares.sum(axis=1), 1)
    assert all((share[1] > 0.5) == (label == "yes") for share, label in
               zip(shares, model.predict(others)))
    assert model.epsilon.upper <= 8
    assert model.plan.epsilon(1e-5).upper == model.epsilon.upper
    assert model.delta == 1e-5 and model.unit == "row"
    assert "poisson(0.25, gaussian(" in str(model.plan)
    assert model.assumptions and "logistic" in repr(model)
    with pytest.raises(dm.InvalidError, match="training data"):
        model.score(x, y)


def test_files(tmp_path) -> None:
    x, y = points()
    model = train.fit(x, y, **{**SETTINGS, "steps": 3})
    path = tmp_path / "model.json"
    model.save(path)
    assert json.loads(path.read_text())["format"] == "dosimeter model 1"
    again = train.load(path)
    assert (again.predict_proba(x) == model.predict_proba(x)).all()
    assert again.plan == model.plan and again.epsilon == model.epsilon
    assert again.to_json() == model.to_json()
    renamed = train.load(path, classes=[0, 1])
    assert set(renamed.predict(x)) <= {0, 1}
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(dm.InvalidError):
        train.load(path, classes=[1])
    path.write_text("{}")
    with pytest.raises((dm.DosimeterError, KeyError)):
        train.load(path)
    with pytest.raises(OSError):
        model.save(tmp_path / "no such folder" / "model.json")


def test_numbers() -> None:
    x, _ = points()
    y = 50 + 20 * x[:, 0]
    options = dict(model="linear", label_bounds=(0, 100), bounds=(-1, 1),
                   examples=400, batch=200, steps=100, learning_rate=0.5,
                   clip=1, noise=1, delta=1e-5)
    model = train.fit(x, y, **options)
    others, _ = points(seed=5)
    truth = 50 + 20 * others[:, 0]
    assert model.score(others, truth) > 0.5
    assert model.predict(others).shape == (400,)
    assert model.classes is None
    with pytest.raises(dm.InvalidError):
        model.predict_proba(others)


def test_csv(tmp_path) -> None:
    x, y = points()
    path = tmp_path / "points.csv"
    path.write_text("a,b,c,label\n" + "".join(
        f"{row[0]},{row[1]},{row[2]},{label}\n" for row, label in zip(x, y)))
    options = {name: value for name, value in SETTINGS.items()
               if name != "classes"}
    model = train.csv(path, label="label",
                      categories={"label": ["no", "yes"]}, **options)
    others, labels = points(seed=4)
    assert model.score(others, labels) > 0.8


@pytest.mark.parametrize("kind", ["softmax", "mlp:4"])
def test_other_models(kind) -> None:
    x, y = points()
    model = train.fit(x, y, **{**SETTINGS, "model": kind, "steps": 5,
                               "optimizer": "adam", "learning_rate": 0.05})
    assert model.kind == kind
    assert model.predict_proba(x).shape == (400, 2)


class Odd:
    def __float__(self):
        raise RuntimeError("4711-secret")


class Broken:
    """An iterable that breaks, with a hash that does."""

    def __iter__(self):
        raise RuntimeError("4711-secret")

    def __hash__(self):
        raise RuntimeError("4711-secret")


def test_records_never_raise() -> None:
    """Whatever is in rows and labels, no exception and no other plan."""
    x, y = points(20)
    rows = [list(row) for row in x]
    labels: list = list(y)
    rows[0] = [None, "text", math.nan]
    rows[1] = [10**400, -10**30, math.inf]
    rows[2] = [1.0]
    rows[3] = [Odd(), [1], {}]
    rows[4] = 7
    rows[5] = Broken()
    labels[8] = Broken()
    labels[5], labels[6], labels[7] = "perhaps", [1], math.nan
    options = {**SETTINGS, "steps": 2, "examples": 20, "batch": 5}
    model = train.fit(rows, labels, n_features=3, **options)
    plain = train.fit(x, y, **options)
    assert model.plan == plain.plan
    assert model.assumptions == plain.assumptions
    objects = np.array([[None, "a", 1.0]] * 20, dtype=object)
    assert train.fit(objects, y, **options).plan == plain.plan
    # a model says nothing of a row with a missing value
    assert model.predict([[math.nan, 0, 0]]).tolist() == [None]
    # no rows at all
    empty = train.fit([], [], n_features=3, **options)
    assert empty.plan == plain.plan


def test_people() -> None:
    x, y = points(60)
    users: list = [f"person {i // 3}" for i in range(60)]
    users[0], users[1], users[2] = None, "", math.nan
    options = {**SETTINGS, "steps": 2, "examples": 20, "batch": 5}
    model = train.fit(x, y, users=users, unit="user", **options)
    assert model.unit == "user"
    assert "poisson(0.25, gaussian(" in str(model.plan)


def test_rows_without_an_id_are_no_rows(monkeypatch) -> None:
    """One bucket for all of them would mix people."""
    class NA:
        def __eq__(self, other):
            return self

        def __bool__(self):
            raise TypeError

    users = ["a", None, 1, "", b"", math.nan, NA(), "a", "1", 1, b"a", Odd]
    kept, ids = train_rows.ids_of(users, len(users))
    assert kept == [0, 2, 7, 8, 9, 10, 11]
    assert list(ids) == [0, 1, 0, 2, 1, 3, 4]
    rows = train_rows.Matrix([[i] for i in range(12)], 1)
    rows.keep(kept)
    assert rows.n_rows == 7 and list(rows.raw) == kept
    x, y = points(12)
    with pytest.raises(dm.InvalidError):
        train.fit(x, y, users=["a"], **SETTINGS)

    class Seen(Exception):
        pass

    def add(self, rows, labels, ids):
        raise Seen(rows.n_rows, len(labels), len(ids), list(rows.raw))

    monkeypatch.setattr(train._Run, "add", add)
    with pytest.raises(Seen) as caught:
        train.fit(x, y, users=users, unit="user",
                  **{**SETTINGS, "examples": 100})
    assert caught.value.args == (7, 7, 7, x[kept].ravel().tolist())


def test_what_is_no_number_is_missing() -> None:
    rows = [["3", None], [1, 10**400], [-10**30, True], [1.5], [1, 2, 3]]
    found = list(train_rows.Matrix(rows, 2).raw)
    nan = math.nan
    expected = [nan, nan, 1, 2.0**63, -2.0**63, 1, nan, nan, nan, nan]
    assert found == pytest.approx(expected, nan_ok=True)
    objects = np.array(rows[:3], dtype=object)
    assert list(train_rows.Matrix(objects, None).raw) \
        == pytest.approx(expected[:6], nan_ok=True)
    masked = np.ma.array([[1.0, 2.0]], mask=[[True, False]])
    values = list(train_rows.Matrix(masked, None).raw)
    assert math.isnan(values[0]) and values[1] == 2


@pytest.mark.parametrize("change", [
    {"classes": None}, {"label_bounds": (0, 1)}, {"bounds": None},
    {"bounds": (1, -1)}, {"batch": 500}, {"epsilon": None}, {"clip": 0},
    {"model": "forest"}, {"steps": 0}, {"nonsense": 1}, {"delta": 0}])
def test_bad_usage(change) -> None:
    x, y = points()
    with pytest.raises(dm.DosimeterError) as caught:
        train.fit(x, y, **{**SETTINGS, **change})
    assert "\n" not in str(caught.value)


def test_shapes() -> None:
    x, y = points()
    with pytest.raises(dm.InvalidError):
        train.fit(x, y[:-1], **SETTINGS)
    with pytest.raises(dm.InvalidError):
        train.fit(x[0], y, **SETTINGS)
    with pytest.raises(dm.InvalidError, match="n_features"):
        train.fit(x.tolist(), y, **SETTINGS)


def test_without_numpy(monkeypatch) -> None:
    from dosimeter import buffers

    x, y = points()
    rows = x.tolist()
    monkeypatch.setattr(train_rows, "numpy", None)
    monkeypatch.setattr(buffers, "numpy", None)
    model = train.fit(rows, y, n_features=3, **{**SETTINGS, "steps": 5})
    assert model.predict_proba(rows[:2])[0] == pytest.approx(
        model.predict_proba(rows)[0])
    assert set(model.predict(rows)) <= {"yes", "no"}


def test_checkpoints(tmp_path, monkeypatch) -> None:
    x, y = points()
    state = tmp_path / "state"
    step, n_steps = train.lib.dosi_training_step, 0

    class Interrupting:
        def __getattr__(self, name):
            return getattr(lib, name)

        def dosi_training_step(self, *arguments):
            nonlocal n_steps
            n_steps += 1
            if n_steps == 10:
                raise KeyboardInterrupt
            return step(*arguments)

    lib = train.lib
    monkeypatch.setattr(train, "lib", Interrupting())
    with pytest.raises(KeyboardInterrupt):
        train.fit(x, y, checkpoint=state, **SETTINGS)
    monkeypatch.undo()
    text = state.read_text()
    assert text.splitlines()[1].split()[:2] == ["used", "0" * 19 + "9"]
    assert "updates 9" in text
    copy = tmp_path / "copy"
    copy.write_text(text)
    with pytest.raises(dm.InvalidError, match="is a copy"):
        train.fit(x, y, checkpoint=copy, resume=True, **SETTINGS)
    model = train.fit(x, y, checkpoint=state, resume=True, **SETTINGS)
    assert any("checkpoint" in text for text in model.assumptions)
    state.write_text(state.read_text().replace("updates 40", "updates 39"))
    with pytest.raises(dm.InvalidError, match="is damaged"):
        train.fit(x, y, checkpoint=state, resume=True, **SETTINGS)


def test_labels_of_a_score() -> None:
    x, y = points()
    model = train.fit(x, y, **SETTINGS)
    with pytest.raises(dm.InvalidError, match="for each row"):
        model.score(points(seed=4)[0], y[:3])
