"""An accountant for Google's dp_accounting, and its events as plans.

    >>> from dosimeter.dp_accounting import DosimeterAccountant
    >>> DosimeterAccountant().compose(event).get_epsilon(1e-5)
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dp_accounting import dp_event
from dp_accounting.privacy_accountant import (NeighboringRelation,
                                              PrivacyAccountant)

from .accountant import Accountant
from .asking import Relation
from .errors import DosimeterError, UnsupportedError
from .interval import Interval
from .plan import Plan

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .asking import Options

#: Replacing a record by the zero record removes it from these events.
_ADDED_NOISE = ("GaussianDpEvent", "LaplaceDpEvent",
                "DiscreteGaussianDpEvent", "DiscreteLaplaceDpEvent",
                "NoOpDpEvent", "NonPrivateDpEvent")


def _children(event: Any) -> list[Any]:
    """The events inside an event."""
    if isinstance(event, dp_event.ComposedDpEvent):
        return list(event.events)
    inner = getattr(event, "event", None)
    return [inner] if isinstance(inner, dp_event.DpEvent) else []


def _plain(value: Any) -> Any:
    """A field as in JSON; numpy's numbers become Python's."""
    if isinstance(value, dp_event.DpEvent):
        return _tree(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    return int(value) if hasattr(value, "__index__") else float(value)


def _tree(event: Any) -> dict[str, Any]:
    tree: dict[str, Any] = {"class_name": type(event).__name__}
    for field in type(event).__attrs_attrs__:
        tree[field.name] = _plain(getattr(event, field.name))
    return tree


def event_to_plan(event: Any, neighbours: Relation = "natural") -> Plan:
    """The plan of an event tree; UnsupportedError names what has no kind.

    The noise of an event is relative to the norm of one record; that of a
    plan, to the distance between neighbours' answers, which is twice that
    norm if a record is replaced.
    """
    if not isinstance(event, dp_event.DpEvent):
        raise TypeError(f"event must be a DpEvent, got {type(event)}")
    return Plan.from_json(json.dumps(_tree(event)), neighbours)


def _event(tree: dict[str, Any]) -> Any:
    fields = dict(tree)
    name = fields.pop("class_name")
    cls = getattr(dp_event, name, None)
    if cls is None:
        raise UnsupportedError(f"this dp_accounting has no {name}")
    if "event" in fields:
        fields["event"] = _event(fields["event"])
    if "events" in fields:
        fields["events"] = [_event(item) for item in fields["events"]]
    return cls(**fields)


def plan_to_event(plan: Plan) -> Any:
    """The event tree of a plan; rounding never loses less privacy."""
    return _event(plan.to_events())


def _check_special(event: Any, sampled: bool = False) -> None:
    """Refuses events that a zero record changes other than by removal."""
    name = type(event).__name__
    inside = _children(event)
    if name.startswith("SampledWith"):
        raise UnsupportedError(f"REPLACE_SPECIAL: no theorem for {name}")
    if sampled and not inside and name not in _ADDED_NOISE:
        raise UnsupportedError(
            f"REPLACE_SPECIAL: no theorem for a sampled {name}")
    for item in inside:
        _check_special(item, sampled or name == "PoissonSampledDpEvent")


class DosimeterAccountant(PrivacyAccountant):
    """dp_accounting's ``PrivacyAccountant``; the bounds are proven.

    One accountant for any composition of events that have a kind.
    """

    def __init__(self, neighboring_relation: Any =
                 NeighboringRelation.ADD_OR_REMOVE_ONE,
                 **options: Unpack[Options]) -> None:
        super().__init__(neighboring_relation)
        relation = self._relation()
        if options.setdefault("neighbours", options.pop(
                "neighbors", relation)) != relation:
            raise ValueError("the relation is that of neighboring_relation")
        self._accountant = Accountant(**options)

    def _relation(self) -> Relation:
        if self._neighboring_relation == NeighboringRelation.REPLACE_ONE:
            return "replace"
        return "add_remove"

    def _plan(self, event: Any) -> Plan:
        """The plan, if there is a theorem for it under the relation."""
        if self._neighboring_relation == NeighboringRelation.REPLACE_SPECIAL:
            _check_special(event)
        plan = event_to_plan(event, self._relation())
        # refused before the first route is asked, if it is refused
        plan.epsilon(0.5, neighbours=self._relation(), time_limit=1e-9)
        return plan

    def _culprit(self, event: Any) -> Any:
        """The innermost event that is refused by itself."""
        for item in _children(event):
            try:
                self._plan(item)
            except DosimeterError:
                return self._culprit(item)
        return event

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Any:
        try:
            plan = self._plan(event)
        except DosimeterError as error:
            return self.CompositionErrorDetails(
                invalid_event=self._culprit(event), error_message=str(error))
        if do_compose:
            self._accountant.add(plan, count)
        return None

    @property
    def plan(self) -> Plan:
        """The composition of all events."""
        return self._accountant.plan

    def epsilon(self, delta: float) -> Interval:
        """Both ends of epsilon, with their provenance."""
        return self._accountant.epsilon(delta)

    def delta(self, epsilon: float) -> Interval:
        """Both ends of delta, with their provenance."""
        return self._accountant.delta(epsilon)

    def get_epsilon(self, target_delta: float) -> float:
        """An upper bound on epsilon; at delta = 0 that of pure DP."""
        if not 0 <= target_delta <= 1:
            raise ValueError(
                f"target_delta must be in [0, 1], got {target_delta}")
        if target_delta == 1 or self.plan.normal() == Plan("pure(0)"):
            return 0.0
        return self.epsilon(target_delta).upper

    def get_delta(self, target_epsilon: float) -> float:
        """An upper bound on delta."""
        return self.delta(target_epsilon).upper


__all__ = ["DosimeterAccountant", "NeighboringRelation", "event_to_plan",
           "plan_to_event"]
