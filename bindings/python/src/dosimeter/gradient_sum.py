"""Sums of clipped per-example gradients, for other training loops."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ._core import ffi, lib
from .asking import number, size
from .buffers import View, zeros
from .errors import InvalidError, error_of
from .frames import html_table


class GradientSum:
    """Per-example gradients, each clipped to a norm and added exactly.

    Rows are rounded to a grid of ``clip / 2**grid_bits``, their norm is
    checked in integers, and sums are exact: no order or partition changes
    them. ``release`` adds the noise of ``gaussian(sigma)`` under add_remove,
    for distance ``clip``; for replace pass twice the sigma.

    The caller is responsible for the sampling of examples, and for gradients
    that depend only on their example and the parameters
    (``check_batch_invariance``). Not for several threads at once.
    """

    def __init__(self, dimension: int, clip: float = 1.0,
                 grid_bits: int = 24) -> None:
        out = ffi.new("dosi_gradient_sum **")
        error = ffi.new("dosi_error *")
        self.dimension = size(dimension, "dimension")
        self.clip = number(clip, "clip")
        self.grid_bits = size(grid_bits, "grid_bits")
        if lib.dosi_gradient_sum_new(out, self.dimension, self.clip,
                                     min(self.grid_bits, 1 << 30), error):
            raise error_of(error)
        self._handle = ffi.gc(out[0], lib.dosi_gradient_sum_free)

    def add(self, rows: Any) -> None:
        """Adds float32 or float64 gradients, without a copy.

        An array with a row for each example, however many dimensions a row
        has, or a list of such arrays, one for each layer. A row with NaN or
        an infinity contributes nothing.
        """
        if isinstance(rows, (list, tuple)):
            self._add_layers([View(layer, "rows") for layer in rows])
        else:
            view = View(rows, "rows")
            if len(view.shape) == 1:  # a single row
                self._add(view, 1, view.n_rows)
            else:
                self._add(view, view.n_rows, view.row_size)

    def _add(self, view: View, n_rows: int, row_size: int) -> None:
        if row_size != self.dimension:
            raise InvalidError(f"rows must have {self.dimension} numbers, "
                               f"got {row_size}")
        add = {"float": lib.dosi_gradient_sum_add_f32,
               "double": lib.dosi_gradient_sum_add_f64}.get(view.ctype)
        if add is None:
            raise TypeError("rows must be float32 or float64")
        error = ffi.new("dosi_error *")
        if add(self._handle, view.raw, n_rows, error):
            raise error_of(error)

    def _add_layers(self, views: list[View]) -> None:
        ctypes = {view.ctype for view in views}
        if len({view.n_rows for view in views}) > 1:
            raise InvalidError("layers must have equally many rows")
        if ctypes == {"float"}:
            add = lib.dosi_gradient_sum_add_layers_f32
        elif ctypes == {"double"}:
            add = lib.dosi_gradient_sum_add_layers_f64
        else:
            raise TypeError("layers must all be float32, or all float64")
        error = ffi.new("dosi_error *")
        layers = ffi.new(f"const {views[0].ctype} *[]",
                         [view.raw for view in views])
        sizes = ffi.new("size_t[]", [view.row_size for view in views])
        if add(self._handle, layers, sizes, len(views), views[0].n_rows,
               error):
            raise error_of(error)

    def release(self, sigma: float) -> Any:
        """The sum with noise, as doubles; it is empty afterwards."""
        return self._release(lib.dosi_gradient_sum_release, "d", sigma)

    def release_integers(self, sigma: float) -> Any:
        """The noisy sum in units of ``clip / 2**grid_bits``, modulo 2^64."""
        return self._release(
            lib.dosi_gradient_sum_release_integers, "q", sigma)

    def _release(self, call: Any, typecode: str, sigma: float) -> Any:
        out, raw = zeros(typecode, self.dimension)
        error = ffi.new("dosi_error *")
        if call(raw, self._handle, number(sigma, "sigma"), error):
            raise error_of(error)
        return out

    def integers(self) -> Any:
        """The sum without noise, in units; it is empty afterwards.

        These integers are not private. They are for adding parts elsewhere,
        with ``add_integers``.
        """
        out, raw = zeros("q", self.dimension)
        lib.dosi_gradient_sum_take_integers(raw, self._handle)
        return out

    def add_integers(self, integers: Iterable[int]) -> None:
        """Adds the ``integers`` of another sum, modulo 2^64."""
        if isinstance(integers, (list, tuple)):
            integers = array("q", integers)
        view = View(integers, "integers")
        if view.ctype != "int64_t":
            raise TypeError("integers must be int64")
        if view.n_rows * view.row_size != self.dimension:
            raise InvalidError(f"there must be {self.dimension} integers, "
                               f"got {view.n_rows * view.row_size}")
        lib.dosi_gradient_sum_add_integers(self._handle, view.raw)


@dataclass(frozen=True)
class BatchCheck:
    """Whether gradients depended on who else was in the batch."""

    #: Where the first difference was seen, None if there was none.
    difference: str | None
    #: SHA-256 of the gradients, each alone, for comparing machines.
    digest: str

    def __bool__(self) -> bool:
        return self.difference is None

    def _repr_html_(self) -> str:
        return html_table({"difference": [self.difference or "none"],
                           "digest": [self.digest]})


def check_batch_invariance(fn: Callable[[Any], Any],
                           batch: Any) -> BatchCheck:
    """Computes rows alone, in pairs, reversed and all together.

    ``fn`` turns a batch into per-example gradients as ``GradientSum.add``
    takes them. ``batch`` is an array, a list, or a tuple of these whose rows
    belong together. One bit of difference means that one person changes other
    people's gradients, and no sensitivity bound holds. A check on one batch
    is not a proof.
    """
    n = _length(batch)
    alone = [_rows(fn(_take(batch, [i])), 1)[0] for i in range(n)]
    digest = hashlib.sha256(b"".join(alone)).hexdigest()
    for members in _groupings(n):
        rows = _rows(fn(_take(batch, members)), len(members))
        for row, member in zip(rows, members):
            if row != alone[member]:
                return BatchCheck(_first_difference(
                    row, alone[member], member, members), digest)
    return BatchCheck(None, digest)


def _groupings(n: int) -> Iterable[list[int]]:
    yield list(range(n))
    yield list(reversed(range(n)))
    for i in range(n - 1):
        yield [i, i + 1]
        yield [i + 1, i]


def _length(batch: Any) -> int:
    return _length(batch[0]) if isinstance(batch, tuple) else len(batch)


def _take(batch: Any, members: list[int]) -> Any:
    if isinstance(batch, tuple):
        return tuple(_take(part, members) for part in batch)
    if isinstance(batch, list):
        return [batch[i] for i in members]
    return batch[members]


def _rows(gradients: Any, n: int) -> list[bytes]:
    """The bytes of each row."""
    layers = gradients if isinstance(gradients, (list, tuple)) \
        else [gradients]
    views = [View(layer, "gradients") for layer in layers]
    for view in views:
        if view.n_rows != n:
            raise InvalidError(
                f"fn must give a row for each of {n} examples, got "
                f"{view.n_rows}")
    rows = []
    for i in range(n):
        row = b""
        for view in views:
            width = ffi.sizeof(view.ctype) * view.row_size
            row += bytes(ffi.buffer(view.raw)[i * width:(i + 1) * width])
        rows.append(row)
    return rows


def _first_difference(row: bytes, alone: bytes, member: int,
                      members: list[int]) -> str:
    others = [i for i in members if i != member]
    beside = f"row {others[0]}" if len(others) == 1 else "all others"
    if len(row) != len(alone):
        return f"row {member} has another size beside {beside} than alone"
    at = next(i for i in range(len(row)) if row[i] != alone[i])
    bits = row[at] ^ alone[at]
    bit = (bits & -bits).bit_length() - 1
    return (f"row {member} differs in bit {bit} of byte {at} beside {beside} "
            "from alone")
