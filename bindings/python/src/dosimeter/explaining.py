"""What a plan guarantees, in plain language."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .asking import Options
from .errors import InvalidError
from .frames import plain
from .interval import Interval, route_meaning
from .plan import Plan
from .results import Risk


@dataclass(frozen=True)
class Explanation:
    """Sentences by section; every number is a certified end."""

    plan: Plan
    delta: float
    epsilon: Interval
    risk: Risk
    sections: dict[str, tuple[str, ...]]

    def __str__(self) -> str:
        return "\n\n".join(
            "\n".join([title, *(f"- {text}" for text in sentences)])
            for title, sentences in self.sections.items())

    def to_markdown(self) -> str:
        """With headings and lists."""
        return "\n\n".join(
            "\n".join([f"## {title}", "", *(f"- {text}" for text in texts)])
            for title, texts in self.sections.items()) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The sections and the answers behind them."""
        return {"plan": str(self.plan), "delta": self.delta,
                "sections": plain(self.sections),
                "epsilon": self.epsilon.to_dict(),
                "risk": self.risk.to_dict()}

    def to_html(self, titles: Iterable[str] | None = None) -> str:
        """Headings and lists, of all sections or of some."""
        parts = []
        for title in self.sections if titles is None else titles:
            sentences = self.sections[title]
            items = "".join(f"<li>{html.escape(text)}</li>"
                            for text in sentences)
            parts.append(f"<h4>{html.escape(title)}</h4><ul>{items}</ul>")
        return "".join(parts)

    def _repr_html_(self) -> str:
        return self.to_html()


def _guarantee(epsilon: Interval, delta: float) -> list[str]:
    if epsilon.upper == math.inf:
        known = ("epsilon is certainly infinite" if epsilon.lower == math.inf
                 else f"epsilon lies in {epsilon}")
        return [f"Nothing: no finite epsilon is certified at delta {delta:g}; "
                f"{known}.", *([f"Why: {epsilon.reason}."]
                               if epsilon.reason else [])]
    result = [f"(epsilon, delta)-differential privacy with epsilon "
              f"{epsilon:.6g} and delta {delta:g}.",
              f"The exact epsilon lies in {epsilon}; the upper end is the one "
              "to report.",
              "Any later processing of the output keeps the guarantee."]
    if epsilon.upper > 20:
        result.append("An epsilon this large protects very little by itself; "
                      "judge it by the attacker's gain.")
    if epsilon.reason:
        result.append(f"Why: {epsilon.reason}.")
    return result


def _unit(epsilon: Interval) -> list[str]:
    if epsilon.upper == math.inf:
        return ["Nobody: without an epsilon no one is protected."]
    replaced = epsilon.neighbours == "replace"
    return ["Everyone with one record in the data. People with several records "
            "are protected less: group(k, PLAN) tells how much.",
            "Neighbouring data sets differ in "
            + ("what one record says" if replaced
               else "whether one record is there")
            + f" (relation {epsilon.neighbours}): "
            + ("the content is protected, the number of records is public."
               if replaced else "participation itself is protected, and so is "
               "the content of the record.")]


def _attacker(risk: Risk) -> list[str]:
    result = ["The attacker knows everything else, and decides between two "
              "neighbouring data sets.",
              "Guesses are right with probability at most "
              f"{risk.accuracy:.4g}; a coin is right with probability 0.5."]
    result += [f"At a false positive rate of {rate:g} the true positive rate "
               f"is at most {risk.true_positive[rate]:.3g}, and a belief of "
               f"{risk.prior:g} becomes at most {risk.posterior[rate]:.3g}."
               for rate in sorted(risk.true_positive, reverse=True)]
    return result


def _delta(delta: float, people: int | None) -> list[str]:
    result = [f"Delta {delta:g} bounds the probability of outcomes for which "
              "the epsilon guarantee may fail; in the worst case a record is "
              "disclosed with that probability."]
    if people is None:
        return [*result, "It should be far below one over the number of "
                         "people in the data."]
    if delta * people >= 1:
        return [*result, f"That is too much: with {people} people, disclosing "
                         "one at random would be allowed."]
    return [*result, f"With {people} people, at most about {delta * people:.2g}"
                     " of them are expected to be disclosed in the worst case."]


def explanation_of(plan: Plan, delta: float, prior: float,
                   people: int | None, options: Options) -> Explanation:
    """Epsilon at this delta and the risk, in words."""
    if people is not None and people < 1:
        raise InvalidError(f"people must be at least 1, got {people}")
    epsilon = plan.epsilon(delta, **options)
    risk = plan.risk(prior, **options)
    meaning = route_meaning(epsilon.route)
    known = [f"Route {epsilon.route}" + (f": {meaning}." if meaning else "."),
             f"Theorems: {epsilon.citation}."]
    if 0 < epsilon.lower < math.inf:
        known.append(f"The lower end refers to {epsilon.lower_meaning}.")
    assumed = [f"That {text}." for text in epsilon.assumptions]
    assumed += ["That the plan covers everything that was learned from the "
                "data: every run, including discarded ones.",
                "That the noise has exactly the stated law: floating-point "
                "samplers leak in ways no accountant sees."]
    parts = plan.parts()
    run = [str(part) for part in parts[:6]]
    if len(parts) > 6:
        run.append(f"and {len(parts) - 6} more parts")
    sections = {
        "What is guaranteed": _guarantee(epsilon, delta),
        "Who is protected": _unit(epsilon),
        "What an attacker gains": _attacker(risk),
        "What delta means": _delta(delta, people),
        "What was run": run,
        "How it is known": known,
        "Assumed, not checked": assumed,
    }
    return Explanation(plan, delta, epsilon, risk,
                       {title: tuple(texts)
                        for title, texts in sections.items()})
