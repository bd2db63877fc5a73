"""Plans: descriptions of what was run on people's data."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Union

from ._core import ffi, lib
from .asking import Options, Relation, c_text, number, relation_of
from .errors import error_of
from .interval import text_of
from .keywords import meant
from .questions import Asked

if TYPE_CHECKING:
    from .solving import Hole

    #: A parameter: a number, or the hole that calibration fills.
    Number = float | Hole

#: Whatever describes a plan: its text, the dict of its JSON, or itself.
PlanLike = Union["Plan", str, Mapping[str, Any]]


class Plan(Asked):
    """A description of what was run, as an immutable tree.

    Made by the constructors of the package (``gaussian``, ``poisson``, ...),
    from a text or a dict (``Plan("gaussian(1)")``, ``Plan({"kind":
    "gaussian", "sigma": 1})``), and by ``+`` and ``*``. Equal plans hash
    alike; plans may be pickled and shared by threads.
    """

    __slots__ = ("_handle", "__weakref__")
    __array_ufunc__ = None  # numpy's numbers leave * to __rmul__

    _handle: Any

    def __init__(self, plan: PlanLike) -> None:
        if isinstance(plan, str):
            self._handle = _parse(plan)
        elif isinstance(plan, Plan):
            self._handle = plan._handle
        elif isinstance(plan, Mapping):
            self._handle = Plan.from_json(json.dumps(plan))._handle
        else:
            raise TypeError("a plan is made of its text, or of the dict of "
                            f"its JSON, got {plan!r}")

    @classmethod
    def parse(cls, text: str) -> Plan:
        """Reads the text form, e.g. ``"poisson(0.01, gaussian(1)) * 100"``."""
        return cls(text)

    @classmethod
    def from_json(cls, text: str | bytes,
                  neighbours: Relation = "natural") -> Plan:
        """Reads the JSON form, or an event tree of dp_accounting.

        The noise of an event is relative to the norm of one record, and
        becomes ``group(2, noise)`` if a record is replaced; so an event tree
        is read for questions under one relation.
        """
        data = _encoded(text) if isinstance(text, str) else bytes(text)
        relation = relation_of(neighbours, None, "natural")
        return _made(lambda out, err: lib.dosi_json_read_plan_under(
            out, data, len(data), relation, err))

    # ---- What it is ----

    @property
    def kind(self) -> str:
        """The name in the kind table, e.g. "gaussian"."""
        return text_of(self._row().name)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name; the hole as ``dosimeter.HOLE``."""
        from .solving import HOLE

        row = self._row()
        result: dict[str, Any] = {}
        n = ffi.new("size_t *")
        for i in range(row.n_parameters):
            name = text_of(row.parameters[i].name)
            if row.parameters[i].is_list:
                data = lib.dosi_plan_list(self._handle, i, n)
                result[name] = tuple(ffi.unpack(data, n[0]))
            else:
                value = lib.dosi_plan_parameter(self._handle, i)
                result[name] = HOLE if value != value else value
        return result

    @property
    def children(self) -> tuple[Plan, ...]:
        """The inner mechanism, or the parts of a composition."""
        return tuple(
            _own(lib.dosi_plan_retain(lib.dosi_plan_child(self._handle, i)))
            for i in range(lib.dosi_plan_child_count(self._handle)))

    @property
    def label(self) -> str:
        """What the part is, "" if nothing says it; it does not count."""
        text = lib.dosi_plan_label(self._handle)
        return "" if text == ffi.NULL else str(ffi.string(text).decode())

    def labelled(self, label: str | None) -> Plan:
        """The plan with another label, None for none."""
        text = ffi.NULL if label is None else c_text(label, "label")
        return _made(lambda out, err: lib.dosi_plan_labelled(
            out, self._handle, text, err))

    def parts(self) -> tuple[Plan, ...]:
        """The parts of the normal form; under one label it is one part."""
        plan = _made(lambda out, err: lib.dosi_plan_parts(
            out, self._handle, err))
        is_sum = plan.kind == "compose" and not plan.label
        return plan.children if is_sum else (plan,)

    @property
    def has_hole(self) -> bool:
        """Whether the plan contains ``?``, which only calibration accepts."""
        return bool(lib.dosi_plan_has_hole(self._handle))

    def fill(self, value: float) -> Plan:
        """The plan with a number in its hole."""
        x = number(value, "value")
        return _made(lambda out, err: lib.dosi_plan_fill(
            out, self._handle, x, err))

    def normal(self) -> Plan:
        """The normal form; equivalent plans have the same one."""
        return _made(lambda out, err: lib.dosi_plan_normal(
            out, self._handle, err))

    def to_json(self) -> str:
        """The tree as JSON."""
        return self._print(lib.DOSI_FORM_JSON)

    def to_dict(self) -> dict[str, Any]:
        """The tree as a dict, which ``Plan`` reads."""
        result: dict[str, Any] = json.loads(self.to_json())
        return result

    def to_events(self) -> dict[str, Any]:
        """The event tree of dp_accounting, as a dict with ``class_name``."""
        result: dict[str, Any] = json.loads(self._print(lib.DOSI_FORM_EVENTS))
        return result

    def __add__(self, other: PlanLike) -> Plan:
        if not isinstance(other, (Plan, str, Mapping)):
            return NotImplemented
        added = as_plan(other)
        return _compose(self._parts() + added._parts())

    def __radd__(self, other: PlanLike | int) -> Plan:
        if isinstance(other, (str, Mapping)):
            return as_plan(other) + self
        if other == 0:  # the start of sum()
            return self
        return NotImplemented

    def __mul__(self, count: Number) -> Plan:
        if isinstance(count, Plan):
            return NotImplemented
        from .kinds import make

        return make("repeat", [count], [self])

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plan):
            return NotImplemented
        return bool(lib.dosi_plan_equal(self._handle, other._handle))

    def __hash__(self) -> int:
        return hash(lib.dosi_plan_hash(self._handle))

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan, (str(self),)

    def __copy__(self) -> Plan:
        return self

    def __deepcopy__(self, memo: object) -> Plan:
        return self

    def __str__(self) -> str:
        return self._print(lib.DOSI_FORM_TEXT)

    def __repr__(self) -> str:
        return f"Plan({str(self)!r})"

    def _repr_html_(self) -> str:
        return f"<code>{html.escape(str(self))}</code>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # looked for by libraries, and often
            raise AttributeError(name)
        raise AttributeError(
            f"a plan has no {name!r}{meant(name, dir(Plan))}",
            name=name, obj=self)

    # ---- Inside ----

    def _asked(self, options: Options) -> tuple[Plan, Options]:
        return self, options

    def _parts(self) -> list[Any]:
        """The parts of a composition, borrowed; any other plan itself."""
        if lib.dosi_plan_kind(self._handle) != lib.DOSI_COMPOSE:
            return [self._handle]
        return [lib.dosi_plan_child(self._handle, i)
                for i in range(lib.dosi_plan_child_count(self._handle))]

    def _row(self) -> Any:
        return lib.dosi_kind_at(lib.dosi_plan_kind(self._handle))

    def _print(self, form: int) -> str:
        error = ffi.new("dosi_error *")
        length = ffi.new("size_t *")
        size = 128
        while True:
            text = ffi.new("char[]", size)
            if lib.dosi_plan_print(
                    text, size, length, self._handle, form, error):
                raise error_of(error)
            if length[0] < size:
                return str(ffi.string(text).decode())
            size = length[0] + 1


def as_plan(value: PlanLike, name: str = "") -> Plan:
    """A plan, or what describes one."""
    if isinstance(value, Plan):
        return value
    if not isinstance(value, (str, Mapping)):
        raise TypeError(f"{name or 'a plan'} must be a plan or its text, "
                        f"got {value!r}")
    return Plan(value)


def compose(*parts: PlanLike) -> Plan:
    """Adaptive composition of the parts; ``pure(0)`` if there are none."""
    if not parts:
        return Plan("pure(0)")
    plans = [as_plan(part, "compose: a part") for part in parts]
    return _compose([plan._handle for plan in plans])


def _compose(handles: list[Any]) -> Plan:
    parts = ffi.new("const dosi_plan *[]", handles)
    return _made(lambda out, err: lib.dosi_plan_compose(
        out, parts, len(handles), err))


def _own(handle: Any) -> Plan:
    """A plan that owns the given reference."""
    plan = Plan.__new__(Plan)
    plan._handle = ffi.gc(handle, lib.dosi_plan_free)
    return plan


def _made(make: Any) -> Plan:
    """The plan of a function of the C library, or its error."""
    out = ffi.new("const dosi_plan **")
    error = ffi.new("dosi_error *")
    if make(out, error):
        raise error_of(error)
    return _own(out[0])


def _encoded(text: str) -> bytes:
    """Half of a surrogate pair stays what it is: the reader says where."""
    return text.encode("utf-8", "surrogatepass")


def _parse(text: str) -> Any:
    data = _encoded(text)
    return _made(lambda out, err: lib.dosi_plan_parse(
        out, data, len(data), err))._handle
