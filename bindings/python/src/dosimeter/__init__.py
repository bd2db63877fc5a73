"""Certified differential-privacy accounting.

    >>> import dosimeter as dm
    >>> plan = dm.poisson(256/60000, dm.gaussian(1.1)) * 14063
    >>> float(plan.epsilon(delta=1e-5))  # an upper bound, proven

Every answer is an interval that contains the exact value. The submodules
``dosimeter.opacus`` and ``dosimeter.dp_accounting`` need those packages.
``dosimeter.release`` and ``dosimeter.train`` run the mechanisms on data.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from . import release as release
from . import train as train
from ._core import lib as _lib
from .accountant import Accountant
from .asking import Options
from .solving import HOLE, Calibration, Hole, calibrate
from .errors import (DomainError, DosimeterError, EngineError, EntropyError,
                     InputOutputError, InvalidError, OutOfMemoryError, Status,
                     TextError, UnableError, UnsupportedError)
from .formulary import Formula, formula, formulas
from .gradient_sum import BatchCheck, GradientSum, check_batch_invariance
from .interval import Curve, Interval, Intervals, text_of as _text_of
from .kinds import *  # noqa: F403
from .kinds import __all__ as _kinds
from .plan import Plan, deltas, epsilons
from .results import GdpLimit, Risk
from .training import (compute_dp_sgd_privacy,
                       compute_dp_sgd_privacy_statement, dpsgd_plan,
                       fixed_dpsgd_plan)

if TYPE_CHECKING:
    from . import dp_accounting as dp_accounting
    from . import opacus as opacus

__version__: str = _text_of(_lib.dosi_version())


def routes() -> dict[str, str]:
    """The routes, cheapest first, with their meanings."""
    rows = (_lib.dosi_route_at(i) for i in range(_lib.dosi_route_count()))
    return {_text_of(row.name): _text_of(row.meaning) for row in rows}


def __getattr__(name: str) -> ModuleType:
    if name in ("opacus", "dp_accounting"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Accountant", "BatchCheck", "Calibration", "Curve", "DomainError",
    "DosimeterError", "EngineError", "EntropyError", "Formula", "GdpLimit",
    "GradientSum", "HOLE", "Hole", "InputOutputError", "Interval",
    "Intervals", "InvalidError", "Options", "OutOfMemoryError", "Plan",
    "Risk", "Status", "TextError", "UnableError", "UnsupportedError",
    "calibrate", "check_batch_invariance", "compute_dp_sgd_privacy",
    "compute_dp_sgd_privacy_statement", "deltas", "dpsgd_plan", "epsilons",
    "fixed_dpsgd_plan", "formula", "formulas", "release", "routes", "train",
]
__all__ += _kinds
