"""Integer noise with exactly known laws."""

from __future__ import annotations

from array import array
from typing import Any, Literal

from .._core import ffi, lib
from ..asking import number, size
from ..errors import InvalidError, error_of

Law = Literal["round_gaussian", "round_laplace", "discrete_gaussian",
              "discrete_laplace"]
Timing = Literal["constant", "fast"]

_LAWS = {"round_gaussian": 0, "round_laplace": 1, "discrete_gaussian": 2,
         "discrete_laplace": 3}
_TIMINGS = {"constant": 0, "fast": 1}


class Noise:
    """A sampler of one law at one scale; see ``noise``."""

    def __init__(self, law: Law, scale: float,
                 timing: Timing = "constant") -> None:
        if law not in _LAWS:
            raise InvalidError(
                f"law must be one of {', '.join(_LAWS)}, got {law!r}")
        if timing not in _TIMINGS:
            raise InvalidError(
                f"timing must be 'constant' or 'fast', got {timing!r}")
        out = ffi.new("dosi_noise **")
        error = ffi.new("dosi_error *")
        if lib.dosi_noise_new(out, _LAWS[law], number(scale, "scale"),
                              _TIMINGS[timing], error):
            raise error_of(error)
        self._handle = ffi.gc(out[0], lib.dosi_noise_free)
        self.law = law
        self.scale = float(scale)
        self.timing = timing

    def draw(self, n: int = 1) -> array[int]:
        """Independent draws, an array of 64-bit integers."""
        n = size(n, "n")
        out = array("q", bytes(8 * n))
        error = ffi.new("dosi_error *")
        if lib.dosi_noise_draw(ffi.from_buffer("int64_t[]", out), n,
                               self._handle, error):
            raise error_of(error)
        return out

    def half_width(self, beta: float = 0.05) -> int:
        """The smallest integer a with P[|K| > a] <= beta."""
        out = ffi.new("int64_t *")
        error = ffi.new("dosi_error *")
        if lib.dosi_noise_half_width(out, self._handle, number(beta, "beta"),
                                     error):
            raise error_of(error)
        return int(out[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return Noise, (self.law, self.scale, self.timing)

    def __repr__(self) -> str:
        return f"noise({self.law!r}, {self.scale!r}, timing={self.timing!r})"


def noise(law: Law, scale: float, timing: Timing = "constant") -> Noise:
    """A sampler of exact integer noise.

    ``round_gaussian`` and ``round_laplace`` are rounded multiples of a
    standard normal and a Laplace(1) variable; ``discrete_gaussian`` and
    ``discrete_laplace`` have those densities on the integers. With "fast"
    timing the time of a draw depends on its value.
    """
    return Noise(law, scale, timing)


def sample_poisson(n: int, rate: float) -> bytearray:
    """A byte for each of n members: 1 with exactly this probability."""
    out = bytearray(size(n, "n"))
    error = ffi.new("dosi_error *")
    if lib.dosi_sample_poisson(ffi.from_buffer("uint8_t[]", out), len(out),
                               number(rate, "rate"), error):
        raise error_of(error)
    return out


def keyed_coin(key: bytes, id: str | bytes, rate: float) -> bool:
    """A coin that repeated work reproduces, as on a cluster.

    The same 32 secret bytes and id give the same coin; with a fresh key
    (``secrets.token_bytes(32)``) for every sample, coins of different ids are
    independent and true with this probability, if BLAKE2b is a random
    function.
    """
    if len(key) != 32:
        raise InvalidError("the key must have 32 bytes")
    data = id.encode() if isinstance(id, str) else bytes(id)
    out = ffi.new("uint8_t *")
    error = ffi.new("dosi_error *")
    if lib.dosi_sample_keyed(out, key, data, len(data),
                             number(rate, "rate"), error):
        raise error_of(error)
    return bool(out[0])
