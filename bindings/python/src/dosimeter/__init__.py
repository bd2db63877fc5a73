"""Certified differential-privacy accounting.

    >>> import dosimeter as dm
    >>> plan = dm.poisson(256/60000, dm.gaussian(1.1)) * 14063
    >>> float(plan.epsilon(delta=1e-5))  # an upper bound, proven

Every answer is an interval that contains the exact value. The submodules
``dosimeter.opacus`` and ``dosimeter.dp_accounting`` need those packages.
``dosimeter.release`` and ``dosimeter.train`` run the mechanisms on data.
"""

from __future__ import annotations

import importlib as _importlib
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING

from . import release as release
from . import train as train
from ._core import lib as _lib
from .accountant import Accountant
from .parts import Breakdown
from .checking import Check, Checks, check
from .comparing import Comparison
from .explaining import Explanation
from .figures import Plot
from .asking import Options
from .solving import HOLE, Calibration, Hole, calibrate
from .errors import (DomainError, DosimeterError, EngineError, EntropyError,
                     InputOutputError, InvalidError, OutOfMemoryError, Status,
                     TextError, UnableError, UndecidedError,
                     UnsupportedError)
from .formulary import Formula, formula, formulas
from .gradient_sum import BatchCheck, GradientSum, check_batch_invariance
from .frames import json_default
from .interval import Interval, text_of as _text_of
from .intervals import Curve, Intervals
from .kinds import *  # noqa: F403
from .kinds import __all__ as _kinds
from .keywords import meant as _meant
from .plan import Plan
from .reporting import Report
from .results import GdpLimit, Risk
from .sweeping import Sweep
from .training import (compute_dp_sgd_privacy,
                       compute_dp_sgd_privacy_statement, dpsgd_plan,
                       fixed_dpsgd_plan)
from .vector import delta, epsilon, tradeoff

if TYPE_CHECKING:
    from . import dp_accounting as dp_accounting
    from . import jax_privacy as jax_privacy
    from . import opacus as opacus

__version__: str = _text_of(_lib.dosi_version())


def routes() -> dict[str, str]:
    """The routes, cheapest first, with their meanings."""
    rows = (_lib.dosi_route_at(i) for i in range(_lib.dosi_route_count()))
    return {_text_of(row.name): _text_of(row.meaning) for row in rows}


_OPTIONAL = ("dp_accounting", "jax_privacy", "opacus")


def __getattr__(name: str) -> _ModuleType:
    if name in _OPTIONAL:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(
        f"module {__name__!r} has no {name!r}{_meant(name, __all__)}",
        name=name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_OPTIONAL, "__doc__", "__version__"])


__all__ = [
    "Accountant", "BatchCheck", "Breakdown", "Calibration", "Check", "Checks",
    "Comparison", "Curve", "DomainError", "DosimeterError", "EngineError",
    "EntropyError", "Explanation", "Formula", "GdpLimit", "GradientSum",
    "HOLE", "Hole", "InputOutputError", "Interval", "Intervals",
    "InvalidError", "Options", "OutOfMemoryError", "Plan", "Plot", "Report",
    "Risk", "Status", "Sweep", "TextError", "UnableError", "UndecidedError",
    "UnsupportedError", "calibrate", "check", "check_batch_invariance",
    "compute_dp_sgd_privacy", "compute_dp_sgd_privacy_statement", "delta",
    "dpsgd_plan", "epsilon", "fixed_dpsgd_plan", "formula", "formulas",
    "json_default", "release", "routes", "tradeoff", "train",
]
__all__ += _kinds
