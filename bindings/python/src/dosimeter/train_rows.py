"""Rows, labels and users of training, from arrays, frames and lists."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from ._core import ffi
from .asking import size
from .errors import InvalidError
from .intervals import numpy
from .release.query import engine_call


class Matrix:
    """Rows of doubles; a value that is not a number is NaN, and so are all
    values of a row with another length."""

    def __init__(self, X: Any, n_features: int | None) -> None:
        data = _table(X)
        if isinstance(data, list):
            if n_features is None:
                raise InvalidError(
                    "rows without a shape need n_features: it is public, and "
                    "not taken from the data")
            self.n_rows = len(data)
            self.n_features = size(n_features, "n_features")
            data = _flat(data, self.n_features)
        else:
            self.n_rows, self.n_features = data.shape
        self._look_at(data)

    def _look_at(self, data: Any) -> None:
        self._data = data
        self.raw = ffi.from_buffer("double[]", data) \
            if self.n_rows * self.n_features else ffi.new("double[]", 1)

    def keep(self, rows: list[int]) -> None:
        """Drops all other rows."""
        if len(rows) == self.n_rows:
            return
        n = self.n_features
        data = array("d")
        for i in rows:
            data.extend(self.raw[i * n:(i + 1) * n])
        self.n_rows = len(rows)
        self._look_at(data)


def _flat(rows: list[Any], n_features: int) -> array[float]:
    values = array("d")
    for row in rows:
        try:
            numbers = [number(value) for value in items(row)]
        except Exception:
            numbers = []
        if len(numbers) != n_features:
            numbers = [math.nan] * n_features
        values.extend(numbers)
    return values


def _table(X: Any) -> Any:
    """A contiguous array of doubles, or a list of rows."""
    if numpy is None or not (hasattr(X, "shape") or hasattr(X, "__array__")
                             or hasattr(X, "__dlpack__")):
        return items(X)
    if hasattr(X, "detach"):
        X = X.detach()
    if numpy.ma.isMaskedArray(X):
        X = X.astype("float64").filled(math.nan)
    data = engine_call(lambda: numpy.asarray(X))
    if data.ndim != 2:
        raise InvalidError("the features must have rows and columns")
    if data.dtype.kind not in "fiub":
        flat = array("d", map(number, data.ravel().tolist()))
        return numpy.array(flat, dtype="float64").reshape(data.shape)
    return numpy.ascontiguousarray(data, dtype="float64")


def items(values: Any) -> list[Any]:
    """Python's own objects of any list or array."""
    if hasattr(values, "tolist"):
        found = values.tolist()
        return list(found) if isinstance(found, list) else [found]
    return list(values) if isinstance(values, Iterable) \
        and not isinstance(values, (str, bytes)) else [values]


def number(value: Any) -> float:
    """A double; NaN if it is not a number. Integers saturate at 2^63."""
    if isinstance(value, (str, bytes)):
        return math.nan
    if isinstance(value, int):
        return float(max(-1 << 63, min(value, 1 << 63)))
    try:
        return float(value)
    except Exception:
        return math.nan


def labels_of(y: Any, classes: Sequence[Any] | None, n: int) -> list[float]:
    """A double for each label: the index of its class, or its number."""
    labels = items(y)
    if len(labels) != n:
        raise InvalidError("there must be a label for each row")
    if classes is None:
        return [number(label) for label in labels]
    index = {name: float(i) for i, name in enumerate(classes)}
    values = []
    for label in labels:
        try:
            values.append(index.get(label, math.nan))
        except Exception:  # it has no hash, or cannot be compared
            values.append(math.nan)
    return values


def ids_of(users: Any, n: int) -> tuple[list[int], Any]:
    """The rows that have an id, and an integer for each of these: the same
    for the same id, by type and value."""
    ids = [_id(user) for user in items(users)]
    if len(ids) != n:
        raise InvalidError("there must be a user for each row")
    kept = [i for i, user in enumerate(ids) if user is not None]
    known: dict[Any, int] = {}
    return kept, ffi.new("int64_t[]", [
        known.setdefault(ids[i], len(known)) for i in kept] or 1)


def _id(user: Any) -> tuple[type, str] | None:
    """An id; None, NaN, pandas' NA and empty values are not ids."""
    try:
        if user is None or not user == user or str(user) == "" or user == b"":
            return None
        return type(user), str(user)
    except Exception:
        return None


def array_of(values: list[Any]) -> Any:
    """A numpy array if numpy is installed, else the list."""
    if numpy is None:
        return values
    if any(value is None for value in values):
        return numpy.array(values, dtype=object)
    return numpy.array(values)
