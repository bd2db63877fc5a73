"""Prints ``kinds.pyi`` from the kind table: ``python -m dosimeter.stubs``."""

from __future__ import annotations

from typing import Any

from ._core import ffi, lib
from .interval import text_of

_HEAD = '''\
# Printed by `python -m dosimeter.stubs`; a test compares.
from collections.abc import Iterable, Sequence
from typing import Any, overload

from .plan import Number, Plan, PlanLike
from .plan import compose as compose

__all__ = [
{names}]

def make(
    kind: str, parameters: Sequence[Any], children: Sequence[Plan]
) -> Plan: ...
def is_whole(kind: str, parameter: str) -> bool: ...
def is_noise(kind: str) -> bool: ...
'''


def _forms(number: int, row: Any) -> list[list[str]]:
    """The parameters, and the arguments that give the first one in other
    units, of which a std and its sensitivity go together."""
    words = []
    for i in range(row.n_parameters):
        column = row.parameters[i]
        kind = "Iterable[float]" if column.is_list else "Number"
        if column.has_default:
            kind += (" | None = None" if column.is_list
                     else f" = {column.default_value!r}")
        words.append(f"{text_of(column.name)}: {kind}")
    if row.n_children:
        words.append("of: PlanLike")
    units: list[str] = []
    while (unit := lib.dosi_kind_unit_at(number, len(units))) != ffi.NULL:
        units.append(text_of(unit))
    forms = [words]
    if "std" in units:
        forms.append(["*", "std: Number", "sensitivity: Number"])
    elif "sensitivity" in units:
        forms.append([*words, "*", "sensitivity: Number"])
    if "epsilon" in units:
        forms.append(["*", "epsilon: Number"])
    return forms


def _function(number: int, row: Any) -> str:
    forms = _forms(number, row)
    return "\n".join(
        ("@overload\n" if len(forms) > 1 else "")
        + _definition(text_of(row.name), words) for words in forms)


def _definition(name: str, words: list[str]) -> str:
    line = f"def {name}({', '.join(words)}) -> Plan: ..."
    if len(line) < 80:
        return line
    body = "".join(f"    {word},\n" for word in words)
    return f"def {name}(\n{body}) -> Plan: ..."


def kinds_stub() -> str:
    """The whole file."""
    rows = [lib.dosi_kind_at(kind) for kind in range(lib.DOSI_KIND_COUNT)]
    names = "".join(f'    "{text_of(row.name)}",\n' for row in rows)
    return _HEAD.format(names=names) + "\n".join(
        _function(number, row) for number, row in enumerate(rows)
        if text_of(row.name) != "compose"
    ) + "\n"


if __name__ == "__main__":
    print(kinds_stub(), end="")
