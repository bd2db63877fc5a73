"""The questions that a plan and an accountant answer alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, cast, overload

from ._core import ffi, lib
from .asking import (DELTA, EPSILON, EPSILON_LOG, GDP, RENYI, TRADEOFF, ZCDP,
                     Call, Options, Question, ask, ask_many, number, size,
                     values_of)
from .errors import InvalidError
from .interval import Interval, interval_of, text_of
from .intervals import Curve
from .keywords import refusing
from .results import GdpLimit, Risk

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .parts import Breakdown
    from .checking import Check
    from .comparing import Comparison
    from .explaining import Explanation
    from .curves import Kind
    from .figures import Plot
    from .plan import Plan
    from .reporting import Report
    from .sweeping import Sweep


def is_many(value: Any) -> TypeGuard[Iterable[Any]]:
    """Whether a value is a list of numbers; an array of shape () is not."""
    return (hasattr(value, "__iter__") and not isinstance(value, str)
            and getattr(value, "shape", None) != ())


def _plain(raw: Any, question: str) -> Interval:
    return Interval(raw.lo, raw.hi, question)


class Asked:
    """Whatever has a plan to ask about."""

    __slots__ = ()

    def _asked(self, options: Options) -> tuple[Plan, Options]:
        """The plan, and the options of a question about it."""
        raise NotImplementedError

    @overload
    def epsilon(self, delta: float | None = None, *,
                log_delta: float | None = None,
                **options: Unpack[Options]) -> Interval: ...

    @overload
    def epsilon(self, delta: Iterable[float], *,
                log_delta: None = None,
                **options: Unpack[Options]) -> Curve: ...

    @refusing(Options)
    def epsilon(self, delta: float | Iterable[float] | None = None, *,
                log_delta: float | None = None,
                **options: Unpack[Options]) -> Interval | Curve:
        """Smallest epsilon for which the plan is (epsilon, delta)-DP."""
        if (delta is None) == (log_delta is None):
            raise TypeError("epsilon takes either delta or log_delta")
        if delta is None:
            return self._ask(EPSILON_LOG, log_delta, options)
        return self._ask(EPSILON, delta, options)

    @overload
    def delta(self, epsilon: float, **options: Unpack[Options]) -> Interval:
        ...

    @overload
    def delta(self, epsilon: Iterable[float],
              **options: Unpack[Options]) -> Curve: ...

    @refusing(Options)
    def delta(self, epsilon: float | Iterable[float],
              **options: Unpack[Options]) -> Interval | Curve:
        """Smallest delta for which the plan is (epsilon, delta)-DP."""
        return self._ask(DELTA, epsilon, options)

    @overload
    def tradeoff(self, alpha: float, **options: Unpack[Options]) -> Interval:
        ...

    @overload
    def tradeoff(self, alpha: Iterable[float] | None = None, *,
                 points: int = 101, **options: Unpack[Options]) -> Curve: ...

    @refusing(Options)
    def tradeoff(self, alpha: float | Iterable[float] | None = None, *,
                 points: int = 101,
                 **options: Unpack[Options]) -> Interval | Curve:
        """Smallest type II error of any test at type I error alpha.

        Without alpha: the curve, at this many points.
        """
        if alpha is None:
            if points < 2:
                raise InvalidError(f"points must be at least 2, got {points}")
            raw = ffi.new("double[]", points)
            lib.dosi_tradeoff_alphas(raw, points)
            alpha = ffi.unpack(raw, points)
        if not is_many(alpha):
            return self._ask(TRADEOFF, alpha, options)
        at = values_of(alpha, "alpha")
        answers = ffi.new("dosi_answer[]", max(1, len(at)))
        plan, options = self._asked(options)
        call = Call(options, "tradeoff")
        call.check(lib.dosi_tradeoff_curve(
            answers, plan._handle, ffi.new("double[]", at or 1), len(at),
            ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        return Curve(answers, "beta", "alpha", at, "lower")

    @overload
    def renyi(self, order: float, **options: Unpack[Options]) -> Interval: ...

    @overload
    def renyi(self, order: Iterable[float],
              **options: Unpack[Options]) -> Curve: ...

    @refusing(Options)
    def renyi(self, order: float | Iterable[float],
              **options: Unpack[Options]) -> Interval | Curve:
        """Rényi divergence at an order, the worse of both directions."""
        return self._ask(RENYI, order, options)

    @refusing(Options)
    def zcdp(self, xi: float = 0.0, **options: Unpack[Options]) -> Interval:
        """Smallest rho for which the plan is (xi, rho)-zCDP."""
        return cast(Interval, self._ask(ZCDP, number(xi, "xi"), options))

    @refusing(Options)
    def gdp(self, floor: float = 0.0, **options: Unpack[Options]) -> Interval:
        """Smallest mu for which the plan is mu-GDP.

        With a floor: among tests whose errors are both at least that.
        """
        return cast(Interval,
                    self._ask(GDP, number(floor, "floor"), options))

    @refusing(Options)
    def gdp_limit_approx(self, **options: Unpack[Options]) -> GdpLimit:
        """The mu of the central limit theorem: an approximation."""
        plan, options = self._asked(options)
        call = Call(options, "gdp_limit_approx")
        raw = ffi.new("dosi_gdp_limit *")
        call.check(lib.dosi_gdp_limit_approx(
            raw, plan._handle, ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        band = bool(raw.has_band)
        return GdpLimit(
            raw.mu_approx,
            Interval(raw.mu.lo, raw.mu.hi, "mu of the band") if band else None,
            Interval(raw.gamma.lo, raw.gamma.hi, "gamma of the band")
            if band else None,
            text_of(raw.theorem), text_of(raw.reason))

    @refusing(Options)
    def loss(self, points: int = 1000, *, side: Literal["upper", "lower"] =
             "upper", tail: float = 1e-15,
             **options: Unpack[Options]) -> Plan:
        """The whole plan as one mechanism, a list of losses and masses.

        The upper law loses at least as much privacy as the plan, in every
        composition; the lower law at most as much.
        """
        if side not in ("upper", "lower"):
            raise InvalidError(f"side must be 'upper' or 'lower', got {side}")
        plan, options = self._asked(options)
        call = Call(options, "loss")
        out = ffi.new("const dosi_plan **")
        call.check(lib.dosi_loss_of_plan(
            out, plan._handle, lib.DOSI_SIDE_UPPER if side == "upper"
            else lib.DOSI_SIDE_LOWER, size(points, "points"),
            number(tail, "tail"),
            ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        from .plan import _own

        return _own(out[0])

    @refusing(Options)
    def risk(self, prior: float = 0.5, **options: Unpack[Options]) -> Risk:
        """Best-case success of a membership-inference attacker.

        The prior is the probability that the record is in the data.
        """
        plan, options = self._asked(options)
        call = Call(options, "risk")
        raw = ffi.new("dosi_risk *")
        call.check(lib.dosi_risk_of_plan(
            raw, plan._handle, number(prior, "prior"),
            ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        rates = range(lib.DOSI_RISK_RATES)
        fpr = [raw.false_positive[i] for i in rates]
        return Risk(
            interval_of(raw.advantage, "advantage", "upper"),
            _plain(raw.accuracy, "accuracy"),
            raw.prior,
            _plain(raw.prior_accuracy, f"accuracy at prior {raw.prior:g}"),
            {fpr[i]: _plain(raw.true_positive[i],
                            f"true positive rate at {fpr[i]:g}")
             for i in rates},
            {fpr[i]: _plain(raw.posterior[i], f"posterior at {fpr[i]:g}")
             for i in rates})

    @refusing(Options)
    def check(self, *, epsilon: float | None = None,
              delta: float | None = None, log_delta: float | None = None,
              alpha: float | None = None, beta: float | None = None,
              renyi: float | None = None, order: float | None = None,
              rho: float | None = None, xi: float = 0.0,
              mu: float | None = None, floor: float = 0.0,
              advantage: float | None = None, label: str = "",
              **options: Unpack[Options]) -> Check:
        """Whether a claim holds, is refuted, or is not decided.

        The claim is one target of ``calibrate``, such as epsilon at delta;
        delta may be 0. True in an ``if`` only where it certainly holds.
        """
        from .checking import check_claim
        from .solving import targets_of

        targets = targets_of(
            "check", epsilon, delta, log_delta, alpha, beta, renyi, order,
            rho, xi, mu, floor, advantage)
        plan, options = self._asked(options)
        return check_claim(plan, targets, options, label)

    @refusing(Options)
    def breakdown(self, delta: float | None = None, *,
                  log_delta: float | None = None,
                  epsilon: float | None = None, threads: int | None = None,
                  **options: Unpack[Options]) -> Breakdown:
        """What each part costs alone, the plan without it, and its share.

        Of epsilon at delta or log_delta, or of delta at epsilon.
        """
        from .parts import breakdown_of

        plan, options = self._asked(options)
        question, at = one_question("breakdown", delta=delta,
                                    log_delta=log_delta, epsilon=epsilon)
        return breakdown_of(plan, question, at, threads, options)

    @refusing(Options)
    def compare(self, delta: float | None = None, *,
                log_delta: float | None = None,
                epsilon: float | None = None, alpha: float | None = None,
                **options: Unpack[Options]) -> Comparison:
        """The interval of every route, each asked alone, the best first."""
        from .comparing import comparison_of

        plan, options = self._asked(options)
        question, at = one_question("compare", delta=delta,
                                    log_delta=log_delta, epsilon=epsilon,
                                    alpha=alpha)
        return comparison_of(plan, question, at, options)

    @refusing(Options)
    def sweep(self, vary: Mapping[str, Any], *,
              delta: float | Iterable[float] = (),
              log_delta: float | Iterable[float] = (),
              epsilon: float | Iterable[float] = (),
              alpha: float | Iterable[float] = (),
              order: float | Iterable[float] = (),
              threads: int | None = None,
              **options: Unpack[Options]) -> Sweep:
        """A table of answers over values of the plan's numbers.

        vary: lists of values, or ranges such as ``"0.5..4:20:log"``, by the
        names of parameters: ``sigma``, ``gaussian.sigma``,
        ``gaussian[2].sigma``, ``steps``, or ``?`` for the hole.
        """
        from .sweeping import sweep_of

        plan, options = self._asked(options)
        asked = [(question, number(at, question.parameter))
                 for question, values in (
                     (EPSILON, delta), (EPSILON_LOG, log_delta),
                     (DELTA, epsilon), (TRADEOFF, alpha), (RENYI, order))
                 for at in (values if is_many(values) else [values])]
        return sweep_of(plan, vary, asked, threads, options)

    @refusing(Options)
    def plot(self, kind: Kind = "profile", *others: Plan | str,
             delta: float | None = None, start: float | None = None,
             stop: float | None = None, points: int = 101,
             labels: Sequence[str] | None = None, title: str | None = None,
             log: bool | None = None, routes: Sequence[str] | None = None,
             **options: Unpack[Options]) -> Plot:
        """Curves with both certified ends, of this plan and of others.

        kind: ``profile`` (delta over epsilon), ``tradeoff``, ``roc``,
        ``renyi``, ``steps`` or ``noise`` (epsilon over the number of steps or
        the noise, at this delta). A notebook draws it; ``save`` writes SVG,
        and ``draw`` draws by matplotlib. routes: a curve for each.
        """
        from .figures import plot_of

        plan, options = self._asked(options)
        return plot_of(kind, [plan, *others], delta, start, stop, points,
                       labels, title, log, routes, options)

    @refusing(Options)
    def explain(self, delta: float, *, prior: float = 0.5,
                people: int | None = None,
                **options: Unpack[Options]) -> Explanation:
        """What the plan guarantees, in plain language."""
        from .explaining import explanation_of

        plan, options = self._asked(options)
        return explanation_of(plan, number(delta, "delta"),
                              number(prior, "prior"), people, options)

    @refusing(Options)
    def report(self, delta: float, *, title: str = "Privacy report",
               prior: float = 0.5, people: int | None = None,
               **options: Unpack[Options]) -> Report:
        """A page to show: the answer, its meaning, parts, curves, methods."""
        from .reporting import report_of

        plan, options = self._asked(options)
        return report_of(plan, number(delta, "delta"), title, prior, people,
                         options)

    def _ask(self, question: Question, at: Any,
             options: Options) -> Interval | Curve:
        plan, options = self._asked(options)
        if isinstance(at, float):  # the short way of the common case
            return ask(plan._handle, question, at, options)
        if not is_many(at):
            return ask(plan._handle, question,
                       number(at, question.parameter), options)
        values = values_of(at, question.parameter)
        curve: Curve = ask_many([plan._handle] * len(values), question,
                                values, options, None, Curve)
        return curve


def one_question(function: str, **given: float | None
                 ) -> tuple[Question, float]:
    """The question that the keywords ask: exactly one of them."""
    asked = {name: at for name, at in given.items() if at is not None}
    if len(asked) != 1:
        names = list(given)
        raise TypeError(f"{function} takes one of {', '.join(names[:-1])} "
                        f"and {names[-1]}")
    (name, at), = asked.items()
    question = {"delta": EPSILON, "log_delta": EPSILON_LOG, "epsilon": DELTA,
                "alpha": TRADEOFF}[name]
    return question, number(at, name)
