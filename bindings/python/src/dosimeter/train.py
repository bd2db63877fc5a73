"""NoisySGD and NoisyAdam on data in memory.

    >>> model = dm.train.fit(
    ...     X, y, model="softmax", classes=10, bounds=(0, 16), examples=1437,
    ...     batch=256, steps=150, learning_rate=2, epsilon=3, delta=1e-5)
    >>> model.predict(X2), model.plan

Nothing about the training data is shown during the run, and only the
parameters afterwards.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypedDict

from ._core import ffi, lib
from .asking import Call
from .buffers import zeros
from .errors import InvalidError, error_of
from .frames import html_table
from .interval import Interval
from .plan import Plan
from .release.query import Bounds, Names, Number, read_csv
from .settings import Texts, printed, quoted, settings_of, value_text
from .train_rows import Matrix, array_of, ids_of, items, labels_of, number

if TYPE_CHECKING:
    from typing_extensions import Unpack


class TrainOptions(TypedDict, total=False):
    """The options of ``dosimeter train``, without its dashes.

    Features are named 1, 2, ...; see ``settings.py`` for the rule.
    """

    #: "linear", "logistic", "softmax" or "mlp:32".
    model: str
    #: The public range of all features.
    bounds: Bounds
    #: The public range of single features, {1: (0, 1)}.
    feature: Mapping[int | str, Bounds]
    categories: Mapping[int | str, Names]
    missing: Mapping[int | str, Number]
    #: The declared number of examples.
    examples: int | Literal["auto"]
    #: The expected size of a batch.
    batch: int
    steps: int
    epochs: Number
    clip: Number
    grid_bits: int
    #: The noise multiplier, in place of epsilon.
    noise: Number
    epsilon: Number
    delta: Number
    sampler: Literal["poisson", "without_replacement"]
    neighbours: Literal["add_remove", "replace"]
    optimizer: Literal["sgd", "adam"]
    learning_rate: Number
    schedule: Literal["constant", "linear", "sqrt"]
    momentum: Number
    weight_decay: Number
    beta1: Number
    beta2: Number
    init_seed: int
    max_rows: int
    file_order: bool
    unit: Literal["row", "user"]
    checkpoint: str | os.PathLike[str]
    checkpoint_every: int
    resume: bool
    #: With resume: the checkpoint is a copy, and no other is continued.
    moved: bool


class Model:
    """A trained model, with the plan that it cost."""

    def __init__(self, text: str,
                 classes: Sequence[Any] | None = None) -> None:
        self._text = text
        file = json.loads(text)
        self._handle = _model_of(text)
        names = file.get("classes")
        if names is not None and classes is None:
            classes = names
        if names is not None and len(classes or ()) != len(names):
            raise InvalidError(f"the model has {len(names)} classes")
        #: The classes, None for a model of numbers.
        self.classes: list[Any] | None = (
            None if names is None else list(classes or ()))
        #: "linear", "logistic", "softmax" or "mlp:32".
        self.kind: str = file["model"]
        #: The plan of all planned steps; None if unknown.
        self.plan: Plan | None = None
        #: Its epsilon at ``delta``.
        self.epsilon: Interval | None = None
        self.delta: float | None = None
        #: "row" or "user".
        self.unit: str | None = None
        #: Assumptions that were not checked.
        self.assumptions: tuple[str, ...] = ()
        self._trained_on: Any = None
        if "plan" in file:
            self._read_cost(file)

    def _read_cost(self, file: dict[str, Any]) -> None:
        self.plan = Plan(file["plan"])
        self.delta = float(file["delta"])
        self.unit = file["unit"]
        self.assumptions = tuple(file["assumptions"])
        epsilon = file["epsilon"]
        self.epsilon = Interval(
            float(epsilon["lower"]), float(epsilon["upper"]),
            f"epsilon at delta = {self.delta:g}",
            neighbours=file["neighbours"], assumptions=self.assumptions)

    def predict(self, X: Any) -> Any:
        """The class of each row, or its number; None or NaN if unknown."""
        rows = self._outputs(X)
        if self.classes is None:
            return array_of([row[0] for row in rows])
        return array_of(self._classes_of(rows))

    def predict_proba(self, X: Any) -> Any:
        """A probability for each class, row by row."""
        if self.classes is None:
            raise InvalidError("a model of numbers has no probabilities")
        return array_of([list(row) for row in self._outputs(X)])

    def score(self, X: Any, y: Any) -> float:
        """The accuracy of classes, or R squared for numbers.

        For people other than those it was trained on: the plan does not
        protect them.
        """
        if self._trained_on is not None and self._trained_on() is X:
            raise InvalidError(
                "the score on the training data is not released")
        labels = items(y)
        rows = self._outputs(X)
        if len(labels) != len(rows):
            raise InvalidError("there must be a label for each row")
        if self.classes is not None:
            found = self._classes_of(rows)
            right = sum(a == b for a, b in zip(found, labels))
            return right / len(found) if found else math.nan
        values = [row[0] for row in rows]
        truth = [number(label) for label in labels]
        mean = math.fsum(truth) / len(truth) if truth else math.nan
        total = math.fsum((t - mean) ** 2 for t in truth)
        rest = math.fsum((t - v) ** 2 for t, v in zip(truth, values))
        return 1 - rest / total if total > 0 else math.nan

    def to_json(self) -> str:
        """The model file, as ``dosimeter predict`` reads it."""
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file; a failure leaves an old file unchanged."""
        path = os.fspath(path)
        handle, name = tempfile.mkstemp(
            dir=os.path.dirname(path) or ".", prefix=".model-")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(self._text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise

    def _classes_of(self, rows: list[Any]) -> list[Any]:
        classes = self.classes or []
        return [None if row[0] != row[0]
                else classes[max(range(len(row)), key=row.__getitem__)]
                for row in rows]

    def _outputs(self, X: Any) -> list[Any]:
        n = lib.dosi_model_feature_count(self._handle)
        rows = Matrix(X, n)
        width = lib.dosi_model_output_count(self._handle)
        out, raw = zeros("d", rows.n_rows * width)
        error = ffi.new("dosi_error *")
        if lib.dosi_model_predict(raw, self._handle, rows.raw,
                                  rows.n_features, rows.n_rows, error):
            raise error_of(error)
        values = out.tolist()
        return [values[i:i + width]
                for i in range(0, len(values), width)]

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self._text, self.classes)

    def __repr__(self) -> str:
        return f"<Model {self.kind}: {self.plan}>"

    def _repr_html_(self) -> str:
        return html_table({
            "model": [self.kind], "plan": [str(self.plan or "unknown")],
            "epsilon": [str(self.epsilon or "unknown")],
            "delta": [self.delta], "unit": [self.unit]})


def load(path: str | os.PathLike[str],
         classes: Sequence[Any] | None = None) -> Model:
    """Reads a model file; classes are texts, or those given here."""
    with open(path, encoding="utf-8") as file:
        return Model(file.read(), classes)


def fit(X: Any, y: Any, *, classes: int | Sequence[Any] | None = None,
        label_bounds: Bounds | None = None, users: Any = None,
        n_features: int | None = None, label: str = "label",
        **options: Unpack[TrainOptions]) -> Model:
    """Trains on arrays: rows of features, a label for each.

    ``classes`` is the list of all labels, or their number if they are 0, 1,
    ...; ``label_bounds`` is the range of numeric labels. Both are public: they
    are not taken from the data, nor is the number of features (``n_features``
    for data without a shape). A value that is not a number is missing, and a
    row whose label is not a class contributes nothing. ``users`` are ids, one
    for each row; a row without an id is ignored.
    """
    names = list(range(classes)) if isinstance(classes, int) else classes
    settings = settings_of(options)
    if (names is None) == (label_bounds is None):
        raise InvalidError("give classes, or label_bounds for labels that "
                           "are numbers; they are not taken from the data")
    if names is None:
        settings.append(f"label {quoted(label)}:"
                        + value_text(label_bounds, "label_bounds"))
    else:
        settings += [f"label {quoted(label)}", f"categories {quoted(label)}:"
                     + ",".join(quoted(str(name)) for name in names)]
    if users is not None:
        settings.append("user user")
    run = _Run(settings)
    rows = Matrix(X, n_features)
    labels = labels_of(y, names, rows.n_rows)
    ids: Any = ffi.NULL
    if users is not None:
        kept, ids = ids_of(users, rows.n_rows)
        rows.keep(kept)
        labels = [labels[i] for i in kept]
    run.add(rows, ffi.new("double[]", labels or 1), ids)
    model = run.model(names)
    try:
        model._trained_on = weakref.ref(X)
    except TypeError:  # of a list there is none
        pass
    return model


def csv(file: str | os.PathLike[str] | BinaryIO,
        **options: Any) -> Model:
    """Trains on a CSV file, with all options of ``dosimeter train``."""
    run = _Run(settings_of(options))
    read_csv(lambda data, n, error: lib.dosi_training_read_csv(
        run.handle, data, n, error), file)
    return run.model(None)


class _Run:
    """A training run of the C library."""

    def __init__(self, settings: list[str]) -> None:
        self._call = Call({})
        self._texts = Texts(settings, "a setting")
        options = ffi.new("dosi_training_options *", {
            "size": ffi.sizeof("dosi_training_options"),
            "settings": self._texts.raw, "n_settings": self._texts.n,
            "accounting": ffi.addressof(self._call.raw, "options")})
        self._options = options
        out = ffi.new("dosi_training **")
        self._check(lib.dosi_training_new(out, options, self._error()))
        self.handle = ffi.gc(out[0], lib.dosi_training_free)

    def _error(self) -> Any:
        return ffi.addressof(self._call.raw, "error")

    def _check(self, status: int) -> None:
        self._call.check(status)

    def add(self, rows: Matrix, labels: Any, users: Any) -> None:
        """Data."""
        self._check(lib.dosi_training_add_rows(
            self.handle, rows.raw, rows.n_features, labels, users,
            rows.n_rows, self._error()))

    def model(self, classes: Sequence[Any] | None) -> Model:
        """Runs all steps; Python checks signals between them."""
        self._check(lib.dosi_training_start(self.handle, self._error()))
        state = ffi.new("dosi_training_report *")
        lib.dosi_training_state(state, self.handle)
        try:
            for _ in range(state.n_steps - state.n_used):
                self._check(lib.dosi_training_step(
                    self.handle, 1, self._error()))
        except KeyboardInterrupt:  # what was paid for is kept, if it can be
            lib.dosi_training_save(self.handle, self._error())
            raise
        out = ffi.new("dosi_model **")
        self._check(lib.dosi_training_model(out, self.handle, self._error()))
        handle = ffi.gc(out[0], lib.dosi_model_free)
        return Model(printed(lambda *to: lib.dosi_model_print(
            *to[:3], handle, to[3]), 1 << 16), classes)


def _model_of(text: str) -> Any:
    data = text.encode()
    error = ffi.new("dosi_error *")
    read = ffi.new("dosi_json_model **")
    if lib.dosi_json_read_model(read, data, len(data), error):
        raise error_of(error)
    file = ffi.gc(read[0], lib.dosi_json_model_free)
    out = ffi.new("dosi_model **")
    settings = ffi.cast("const char *const *", file.settings)
    if lib.dosi_model_new(out, settings, file.n_settings, file.parameters,
                          file.n_parameters, error):
        raise error_of(error)
    return ffi.gc(out[0], lib.dosi_model_free)


__all__ = ["Model", "TrainOptions", "csv", "fit", "load"]


def __dir__() -> list[str]:
    return __all__
