"""An accountant for JAX Privacy.

    >>> from dosimeter.jax_privacy import DosimeterAccountantConfig
    >>> accountant = jax_privacy.accounting.DpsgdTrainingAccountant(
    ...     DosimeterAccountantConfig())

Where JAX Privacy takes an accountant or a function of the neighboring relation
(``accountant``, ``accountant_fn``), it takes ``DosimeterAccountant``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jax_privacy.accounting import DpAccountantConfig

from .asking import Options
from .dp_accounting import DosimeterAccountant, NeighboringRelation


@dataclass(frozen=True, kw_only=True)
class DosimeterAccountantConfig(DpAccountantConfig):
    """JAX Privacy's ``DpAccountantConfig``; the epsilons are proven."""

    neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE
    #: Keywords of questions, such as ``{"width": 1e-3}``.
    options: Options = field(default_factory=lambda: Options())

    def create_accountant(self) -> DosimeterAccountant:
        """A new accountant, to which nothing was added."""
        return DosimeterAccountant(self.neighboring_relation,
                                   **self.options)


__all__ = ["DosimeterAccountant", "DosimeterAccountantConfig",
           "NeighboringRelation"]
