"""Keywords: what was probably meant, and signatures that show all of them."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

#: Words of other libraries and of habit, and what they are called here.
HABITS = {
    "std": "sigma", "stddev": "sigma", "sd": "sigma", "scale": "sigma",
    "noise": "sigma", "noise_multiplier": "sigma",
    "b": "scale", "q": "rate", "p": "rate", "probability": "rate",
    "sample_rate": "rate", "sampling_probability": "rate",
    "sampling_prob": "rate", "eps": "epsilon", "target_epsilon": "epsilon",
    "target_delta": "delta", "steps": "count",
    "iterations": "count", "k": "size", "group_size": "size",
    "mechanism": "of", "plan": "of", "alpha": "order",
    "batch_size": "batch", "dataset_size": "population",
    "relation": "neighbours", "adjacency": "neighbours",
    "neighboring_relation": "neighbours", "neighbouring": "neighbours",
    "timeout": "time_limit", "jobs": "threads", "n_jobs": "threads",
    "workers": "threads", "normal": "gaussian", "gauss": "gaussian",
    "geometric": "discrete_laplace", "subsample": "poisson",
    "sample": "poisson", "randomized_response": "rr",
    "randomised_response": "rr", "compute_epsilon": "epsilon",
    "get_epsilon": "epsilon", "get_delta": "delta", "roc": "tradeoff",
    "beta": "tradeoff", "rdp": "renyi",
    "exponential_mechanism": "exponential", "concentrated": "zcdp",
    "subsampled": "poisson",
}


def meant(name: str, allowed: Iterable[str]) -> str:
    """"; did you mean 'sigma'?", or nothing."""
    names = list(allowed)
    habit = HABITS.get(name, HABITS.get(name.lower(), ""))
    if habit not in names:
        close = difflib.get_close_matches(name.lower(), names, 1, 0.6)
        habit = close[0] if close else ""
    return f"; did you mean {habit!r}?" if habit else ""


def unknown(function: str, name: str, allowed: Iterable[str]) -> TypeError:
    """The error for a keyword that a function does not have."""
    names = list(allowed)
    hint = meant(name, names) or (
        f"; it takes {', '.join(names)}" if names else "; it takes none")
    return TypeError(f"{function}() has no keyword {name!r}{hint}")


def check(function: str, given: Iterable[str],
          allowed: Iterable[str]) -> None:
    """Refuses keywords that are not allowed."""
    names = list(allowed)
    for name in given:
        if name not in names:
            raise unknown(function, name, names)


_F = TypeVar("_F", bound=Callable[..., Any])


def refusing(options: type) -> Callable[[_F], _F]:
    """For functions with ``**options`` of a TypedDict: completion and help see
    every one of them, and other keywords are refused with a suggestion."""
    extra = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY,
                               default=None, annotation=annotation)
             for name, annotation in options.__annotations__.items()]

    def decorate(function: _F) -> _F:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values()
               if p.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {p.name for p in own}
        shown = own + [p for p in extra if p.name not in taken]
        allowed = [p.name for p in shown if p.name != "self"
                   and p.kind is not inspect.Parameter.VAR_POSITIONAL]
        known = frozenset(allowed)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if not known.issuperset(kwargs):
                name = function.__name__
                check(function.__qualname__.split(".")[0]
                      if name == "__init__" else name, kwargs, allowed)
            return function(*args, **kwargs)

        checked.__signature__ = signature.replace(  # type: ignore
            parameters=shown)
        return cast(_F, checked)

    return decorate
