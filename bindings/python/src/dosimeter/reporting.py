"""A page that shows an answer to others: one HTML file without scripts."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from typing import Any

from .asking import Options
from .parts import Breakdown
from .explaining import Explanation, explanation_of
from .figures import Plot, of_plan
from .interval import Interval
from .plan import Plan

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;
padding:0 1rem;color:#222;background:#fff}
svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #ddd}
.headline{font-size:1.6rem;margin:1rem 0}code{overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}
td,th{border-color:#444}}
@media print{body{margin:0;max-width:none}figure{break-inside:avoid}}
"""

#: Sections that come before the pictures.
_FIRST = ("What is guaranteed", "What an attacker gains")


@dataclass(frozen=True)
class Report:
    """The parts of the page; ``save`` writes it, a notebook shows it."""

    title: str
    explanation: Explanation
    breakdown: Breakdown
    plots: tuple[Plot, ...]
    #: Other quantities of the plan.
    others: tuple[Interval, ...]

    def to_html(self) -> str:
        """The whole page."""
        title = html.escape(self.title)
        return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
                '<meta name="viewport" content="width=device-width">'
                f"<title>{title}</title><style>{_STYLE}</style></head><body>"
                f"<h1>{title}</h1>\n{self._body()}\n</body></html>\n")

    def _body(self) -> str:
        epsilon = self.explanation.epsilon
        parts = [
            f'<p class="headline">ε ≤ {epsilon:.4g} at δ = '
            f"{self.explanation.delta:g}</p>",
            f"<p><code>{html.escape(str(self.explanation.plan))}</code></p>",
            self.explanation.to_html(_FIRST)]
        if len(self.breakdown) > 1:
            parts += ["<h4>What the parts cost</h4>",
                      self.breakdown._repr_html_()]
        parts += [f"<figure>{plot.to_svg()}</figure>" for plot in self.plots]
        parts.append(self.explanation.to_html(
            [title for title in self.explanation.sections
             if title not in _FIRST]))
        parts.append("<h4>Other quantities</h4><table>")
        parts += [f"<tr><td>{html.escape(x.question)}</td>"
                  f"<td>{html.escape(str(x))}</td></tr>" for x in self.others]
        parts.append("</table>")
        return "\n".join(parts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_html())

    def to_dict(self) -> dict[str, Any]:
        """The answers of the page."""
        return {"title": self.title, **self.explanation.to_dict(),
                "breakdown": self.breakdown.to_dict(),
                "others": [x.to_dict() for x in self.others]}

    def __repr__(self) -> str:
        return f"<Report {self.title!r}: {self.explanation.epsilon.question}>"

    def _repr_html_(self) -> str:
        return f"<h3>{html.escape(self.title)}</h3>{self._body()}"


def report_of(plan: Plan, delta: float, title: str, prior: float,
              people: int | None, options: Options) -> Report:
    """Asks all that the page shows."""
    explanation = explanation_of(plan, delta, prior, people, options)
    breakdown = plan.breakdown(delta, **options)
    plots = tuple(of_plan(plan, kind, delta, options)
                  for kind in ("profile", "tradeoff"))
    others = (plan.delta(1.0, **options), plan.tradeoff(0.05, **options),
              plan.renyi(2.0, **options), plan.zcdp(**options),
              plan.gdp(1e-6, **options), explanation.risk.advantage)
    return Report(title, explanation, breakdown, plots, others)
