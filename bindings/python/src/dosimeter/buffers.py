"""Arrays of other libraries, viewed without a copy."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Any

from ._core import ffi
from .errors import InvalidError
from .intervals import numpy

#: Formats of the buffer protocol, by C type; on every machine that is
#: supported a long is as long as int64_t.
_TYPES = {"f": "float", "d": "double", "q": "int64_t", "l": "int64_t"}


class View:
    """A buffer of C numbers; ``shape`` has at least one dimension."""

    def __init__(self, values: Any, name: str) -> None:
        data = _memory(values, name)
        self.ctype = _TYPES.get(data.format.lstrip("@=<"), "")
        if not self.ctype:
            raise TypeError(f"{name} must be float32, float64 or int64, got "
                            f"format {data.format!r}")
        if not data.c_contiguous:
            raise InvalidError(f"{name} must be contiguous, row by row")
        self.shape: tuple[int, ...] = tuple(data.shape or (1,))
        self.n_rows = self.shape[0]
        self.row_size = math.prod(self.shape[1:])
        self._data = data
        if data.nbytes:
            self.raw = ffi.from_buffer(f"{self.ctype}[]", data.cast("B"))
        else:
            self.raw = ffi.new(f"{self.ctype}[]", 1)


def _memory(values: Any, name: str) -> memoryview:
    """A view by the buffer protocol, or by DLPack through numpy."""
    try:
        return memoryview(values)
    except TypeError:
        pass
    if numpy is not None and hasattr(values, "__dlpack__"):
        if hasattr(values, "detach"):  # a tensor that has a gradient
            values = values.detach()
        return memoryview(numpy.from_dlpack(values))
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be an array (numpy, torch, "
                        f"array.array), got {type(values).__name__}")
    raise TypeError(f"{name} must be an array, got {type(values).__name__}")


def zeros(typecode: str, n: int) -> tuple[Any, Any]:
    """An array to be filled (numpy if installed), and its C pointer."""
    out: Any
    if numpy is None:
        out = array(typecode, bytes(8 * n))
    else:
        out = numpy.zeros(n, dtype={"d": "float64", "q": "int64"}[typecode])
    ctype = _TYPES[typecode]
    if n == 0:
        return out, ffi.new(f"{ctype}[]", 1)
    return out, ffi.from_buffer(f"{ctype}[]", out)
