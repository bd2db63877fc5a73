"""A constructor for every row of the kind table.

They are made from the table of the C library, so that a new kind is available
at once. ``kinds.pyi`` is for type checkers; ``python -m dosimeter.stubs``
writes it, and a test compares.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from ._core import ffi, lib
from .asking import number, values_of
from .errors import InvalidError
from .interval import text_of
from .keywords import unknown
from .plan import Plan, _made, as_plan, compose
from .solving import HOLE

_KINDS = {text_of(lib.dosi_kind_at(kind).name): kind
          for kind in range(lib.DOSI_KIND_COUNT)}


def make(kind: str, parameters: Sequence[Any],
         children: Sequence[Plan]) -> Plan:
    """Any kind with scalar parameters, one of which may be the hole."""
    if any(_is_hole(value) for value in parameters):
        return _with_hole(kind, parameters, children)
    row = lib.dosi_kind_at(_KINDS[kind])
    values = [number(value, f"{kind}: {text_of(row.parameters[i].name)}")
              for i, value in enumerate(parameters)]
    handles = ffi.new("const dosi_plan *[]",
                      [child._handle for child in children] or 1)
    raw = ffi.new("double[]", values or 1)
    return _made(lambda out, err: lib.dosi_plan_new(
        out, _KINDS[kind], raw, len(values), handles, len(children), err))


def is_whole(kind: str, parameter: str) -> bool:
    """Whether a parameter is an integer."""
    row = lib.dosi_kind_at(_KINDS[kind])
    return any(text_of(column.name) == parameter
               and text_of(column.rule).startswith("an integer")
               for column in row.parameters[0:row.n_parameters])


def is_noise(kind: str) -> bool:
    """Whether a kind is noise, whose amount is its first parameter."""
    row = lib.dosi_kind_at(_KINDS[kind])
    return bool(row.n_children == 0 and row.n_parameters and kind != "renyi"
                and row.parameters[0].safer == lib.DOSI_SAFER_GREATER
                and not row.parameters[0].is_list)


def _is_hole(value: Any) -> bool:
    return value is HOLE or (isinstance(value, str) and value == "?")


def _with_hole(kind: str, parameters: Sequence[Any],
               children: Sequence[Plan]) -> Plan:
    """Holes are only read from text."""
    words = ["?" if _is_hole(value) else repr(number(value, kind))
             for value in parameters]
    if kind == "repeat":
        return Plan(f"({children[0]}) * {words[0]}")
    return Plan(f"{kind}({', '.join(words + [str(c) for c in children])})")


def _signature(row: Any) -> inspect.Signature:
    """Parameters as in the row, then the inner mechanism."""
    names = []
    for i in range(row.n_parameters):
        column = row.parameters[i]
        default: Any = inspect.Parameter.empty
        if column.has_default:
            default = None if column.is_list else column.default_value
        names.append(inspect.Parameter(
            text_of(column.name), inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=default))
    if row.n_children:
        names.append(inspect.Parameter(
            "of", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    return inspect.Signature(names)


def _constructor(kind: str) -> Any:
    row = lib.dosi_kind_at(_KINDS[kind])
    signature = _signature(row)
    is_list = bool(row.n_parameters and row.parameters[0].is_list)
    n = row.n_parameters

    def construct(*args: Any, **kwargs: Any) -> Plan:
        if n and not row.n_children and not is_list \
                and not signature.parameters.keys() >= kwargs.keys():
            return _in_other_units(kind, signature, args, kwargs)
        if len(args) != len(signature.parameters) or kwargs:
            bound = _bound(kind, signature, args, kwargs)
            bound.apply_defaults()
            args = bound.args
        children = [as_plan(child, f"{kind}: of") for child in args[n:]]
        if is_list:
            return _with_lists(kind, list(signature.parameters), args)
        return make(kind, args[:n], children)

    construct.__name__ = construct.__qualname__ = kind
    construct.__doc__ = _doc(row)
    construct.__signature__ = signature  # type: ignore[attr-defined]
    return construct


def _bound(kind: str, signature: inspect.Signature, args: Sequence[Any],
           kwargs: dict[str, Any]) -> inspect.BoundArguments:
    for name in kwargs:
        if name not in signature.parameters:
            raise unknown(kind, name, signature.parameters)
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{kind}{signature}: {error}") from None


def _in_other_units(kind: str, signature: inspect.Signature,
                    args: Sequence[Any], kwargs: dict[str, Any]) -> Plan:
    """Keywords of the text form, as ``gaussian(std=100, sensitivity=50)``."""
    def word(value: Any, name: str) -> str:
        return "?" if _is_hole(value) else repr(number(value, name))

    words = [word(value, kind) for value in args]
    words += [f"{name}={word(value, name)}" for name, value in kwargs.items()]
    try:
        return Plan(f"{kind}({', '.join(words)})")
    except InvalidError as error:
        if "unknown argument" not in error.message:
            raise InvalidError(error.message) from None  # of no text
    name = next(name for name in kwargs if name not in signature.parameters)
    raise unknown(kind, name, signature.parameters)


def _with_lists(kind: str, names: Sequence[str],
                lists: Sequence[Any]) -> Plan:
    """A kind whose parameters are lists; None for a missing one."""
    words = []
    for name, values in zip(names, lists):
        if values is not None:
            numbers = values_of(values, f"{kind}: {name}")
            words.append(f"{name}=[{', '.join(map(repr, numbers))}]")
    return Plan(f"{kind}({', '.join(words)})")


def _doc(row: Any) -> str:
    meaning = text_of(row.meaning)
    lines = [meaning[0].upper() + meaning[1:] + "."]
    if row.n_parameters:
        lines.append("")
    for i in range(row.n_parameters):
        column = row.parameters[i]
        lines.append(f"{text_of(column.name)}: {text_of(column.rule)}")
    return "\n".join(lines)


__all__ = ["compose"]
for _name in _KINDS:
    if _name != "compose":
        globals()[_name] = _constructor(_name)
        __all__.append(_name)
