"""The C library's statuses as exceptions."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from ._core import ffi, lib

if TYPE_CHECKING:
    from .interval import Interval


class Status(enum.IntEnum):
    """The status that a function of the C library returned."""

    OK = 0
    EINVAL = 10
    ESYNTAX = 11
    EDOMAIN = 20
    EUNSUPPORTED = 21
    EUNABLE = 22
    ENOMEM = 30
    EENTROPY = 31
    EIO = 32


class DosimeterError(Exception):
    """A question or plan that was refused; ``status`` says why."""

    status: Status = Status.EINVAL

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        #: The message of the C library, one line.
        self.message = message
        #: Byte offset of the error in a text, or None.
        self.offset = offset

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.offset)


class InvalidError(DosimeterError, ValueError):
    """The caller's value is wrong."""

    status = Status.EINVAL


class TextError(DosimeterError, ValueError):
    """A text that is not a plan; ``offset`` says where."""

    status = Status.ESYNTAX


class DomainError(DosimeterError, ValueError):
    """The quantity does not exist for these values."""

    status = Status.EDOMAIN


class UnsupportedError(DosimeterError, NotImplementedError):
    """No theorem is implemented for this."""

    status = Status.EUNSUPPORTED


class UnableError(DosimeterError, ArithmeticError):
    """It exists, but was not certified within the limits."""

    status = Status.EUNABLE

    #: The narrowest interval found, or None.
    answer: Interval | None = None


class UndecidedError(UnableError):
    """A comparison that the ends of an interval do not decide."""


class OutOfMemoryError(DosimeterError, MemoryError):
    """The C library could not allocate."""

    status = Status.ENOMEM


class EntropyError(DosimeterError, OSError):
    """The system provided no randomness; nothing was released."""

    status = Status.EENTROPY


class InputOutputError(DosimeterError, OSError):
    """Data could not be read, or a file could not be written."""

    status = Status.EIO


class EngineError(InputOutputError):
    """The engine or frame that holds the data did not answer.

    Its own messages quote values, so this error contains none of them.
    Whoever may see the data reads them from the logger
    ``dosimeter.engine``, which does not propagate to other loggers.
    """

    def __init__(self, message: str = "the engine did not answer",
                 offset: int | None = None) -> None:
        super().__init__(message, offset)


def prefix(error: Exception, words: str) -> None:
    """Says in front of the message which of many things it is about."""
    error.args = (f"{words}: {error}",)
    if isinstance(error, DosimeterError):
        error.message = error.args[0]


_CLASSES: dict[int, type[DosimeterError]] = {
    int(cls.status): cls
    for cls in (InvalidError, TextError, DomainError, UnsupportedError,
                UnableError, OutOfMemoryError, EntropyError,
                InputOutputError)
}

#: DOSI_NO_OFFSET
_NO_OFFSET = (1 << (8 * ffi.sizeof("size_t"))) - 1


def error_of(error: Any) -> DosimeterError:
    """The exception for a filled ``dosi_error``."""
    status = int(error.status)
    message = ffi.string(error.message).decode("utf-8", "replace")
    offset = None if error.offset == _NO_OFFSET else int(error.offset)
    cls = _CLASSES.get(status)
    if cls is None:
        name = ffi.string(lib.dosi_status_name(error.status)).decode()
        return DosimeterError(f"{name}: {message}", offset)
    return cls(message, offset)
