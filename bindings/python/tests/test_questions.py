"""Questions against closed forms in 50 digits, and what answers are like."""

import copy
import json
import math
import pickle
import subprocess
import sys
import xml.etree.ElementTree
from decimal import Decimal, getcontext

import pytest

import dosimeter as dm

getcontext().prec = 50

PLAN = dm.poisson(256 / 60000, dm.gaussian(1.1)) * 14063


def normal_tail(x: Decimal) -> Decimal:
    """Pr[N(0, 1) > x] by the series of erf, good for |x| < 10."""
    term = total = x
    k = 0
    while abs(term) > Decimal("1e-48"):
        k += 1
        term = -term * x * x / (2 * k)
        total += term / (2 * k + 1)
    pi = Decimal("3.14159265358979323846264338327950288419716939937510582")
    return Decimal("0.5") - total / (2 * pi).sqrt()


def contains(interval: dm.Interval, exact: Decimal, width: float) -> bool:
    return (Decimal(interval.lower) <= exact <= Decimal(interval.upper)
            and interval.width <= width * float(exact))


@pytest.mark.parametrize("sigma, epsilon", [(1, 1), (2, 0.5), (0.75, 3)])
def test_gaussian_delta(sigma: float, epsilon: float) -> None:
    s, e = Decimal(sigma), Decimal(epsilon)
    exact = normal_tail(e * s - 1 / (2 * s)) \
        - e.exp() * normal_tail(e * s + 1 / (2 * s))
    answer = dm.gaussian(sigma).delta(epsilon)
    assert contains(answer, exact, 1e-12)
    assert math.isclose(answer.log_upper, float(exact.ln()), rel_tol=1e-12)


@pytest.mark.parametrize("scale, epsilon", [(1, 0.5), (3, 0.25), (0.5, 0)])
def test_laplace_delta(scale: float, epsilon: float) -> None:
    exact = 1 - ((Decimal(epsilon) - 1 / Decimal(scale)) / 2).exp()
    assert contains(dm.laplace(scale).delta(epsilon), exact, 1e-12)


def test_other_questions() -> None:
    plan = dm.gaussian(2)
    assert contains(plan.renyi(3), Decimal(3) / 8, 1e-12)
    assert contains(plan.zcdp(), Decimal(1) / 8, 1e-12)
    assert contains(plan.gdp(), Decimal(1) / 2, 1e-12)
    # beta at alpha = 1/2 is Phi(-mu)
    assert contains(plan.tradeoff(0.5), normal_tail(Decimal("0.5")), 1e-12)
    # the advantage is 2 Phi(mu/2) - 1
    exact = 1 - 2 * normal_tail(Decimal("0.25"))
    assert contains(plan.risk().advantage, exact, 1e-12)
    limit = plan.gdp_limit_approx()
    assert math.isclose(limit.mu_approx, 0.5)
    assert limit.citation == "[DRS22] Thm 5 (T001-T5)"
    assert plan.epsilon(log_delta=-2000).lower > 30
    assert dm.nonprivate().epsilon(1e-5).upper == math.inf
    assert (dm.pure(0) * 5).epsilon(1e-5).upper == 0


def test_all_assumptions() -> None:
    """None is left out, however many kinds a plan has."""
    plan = dm.Plan(
        "rr(0.01) + pure(0.02) + gdp(0.01) + gaussian(50) + laplace(50) + "
        "zcdp(1e-4) + approx(0.01, 1e-9) + exponential(0.01) + "
        "discrete_laplace(50) + poisson(0.01, gaussian(50))")
    assert len(plan.delta(1, route="approx").assumptions) == 11
    assert len(plan.risk(route="approx").advantage.assumptions) == 11


def test_risk_is_of_the_record_there() -> None:
    """max(0.01 p, 0.99 q), summed, for p = (0, 1), q = (1/2, 1/2)."""
    risk = dm.pmf([0, 1], [0.5, 0.5]).risk(0.01)
    assert contains(risk.prior_accuracy, Decimal("0.99"), 1e-12)
    exact = Decimal(2) / 101
    assert contains(risk.posterior[0.001], exact, 1e-12)


def test_training_run() -> None:
    """What the accountants of others say, whose bounds are 0.01 wide."""
    answer = PLAN.epsilon(delta=1e-5)
    assert 2.3816 < answer.lower <= answer.upper < 2.3818
    assert answer.width < 1e-6
    assert answer.route in dm.routes()


def test_interval() -> None:
    answer = PLAN.epsilon(delta=1e-5)
    assert float(answer) == answer.upper == answer.safe
    assert answer.lower in answer and 3 not in answer
    assert answer.neighbours == "add_remove"
    assert answer.question == "epsilon at delta = 1e-05"
    assert pickle.loads(pickle.dumps(answer)) == answer
    low, high = (Decimal(word) for word in str(answer)[1:-1].split(", "))
    assert low <= Decimal(answer.lower) and high >= Decimal(answer.upper)
    beta = PLAN.tradeoff(0.1)
    assert float(beta) == beta.lower < beta.upper
    with pytest.raises(AttributeError):
        answer.upper = 0.0  # type: ignore[misc]


def test_explain() -> None:
    text = PLAN.epsilon(delta=1e-5).explain()
    for words in ("epsilon at delta = 1e-05", "safe to report: 2.3816",
                  "added or removed", "route: ", "theorems: docs/",
                  "[ZDW22] (S000-7.tight)",
                  "assumed, not checked"):
        assert words in text
    assert "(lower end)" in PLAN.tradeoff(0.1).explain()
    assert "order:" in PLAN.epsilon(1e-5, route="renyi").explain()


def test_options() -> None:
    plan = dm.without_replacement(10, 1000, dm.gaussian(2)) * 5
    assert plan.epsilon(1e-5, neighbours="natural").neighbours == "replace"
    assert plan.epsilon(1e-5, neighbours="replace").neighbours == "replace"
    renyi = PLAN.epsilon(1e-5, route="renyi")
    assert renyi.route == "renyi"
    assert renyi.upper > PLAN.epsilon(1e-5).upper
    with pytest.raises(dm.UnableError) as caught:
        PLAN.epsilon(1e-5, route="renyi", width=1e-9)
    assert caught.value.answer is not None
    assert caught.value.answer.upper == renyi.upper
    assert {"renyi", "zcdp"} <= set(dm.routes())


def test_curves() -> None:
    curve = PLAN.tradeoff(points=21)
    assert len(curve) == 21 and curve.at[0] == 0 and curve.at[-1] == 1
    assert all(a >= b for a, b in zip(curve.lower, curve.lower[1:]))
    assert curve[3].safe_end == "lower" and len(curve[1:4]) == 3
    single = PLAN.tradeoff(float(curve.at[10]))
    assert abs(single.lower - curve.lower[10]) < 1e-9
    profile = dm.gaussian(1).delta([0, 0.5, 1, 2])
    assert profile[2].upper == dm.gaussian(1).delta(1).upper
    assert dm.gaussian(1).renyi([2, 4]).upper[1] >= 2
    for picture in (curve, profile, PLAN.epsilon([1e-3, 1e-5, 1e-9])):
        root = xml.etree.ElementTree.fromstring(picture._repr_svg_())
        assert root.tag.endswith("svg")
        assert len(root.findall("{*}polyline")) == 2
    assert "epsilon" in repr(PLAN.epsilon([1e-3, 1e-5]))


def test_html() -> None:
    for thing in (PLAN, PLAN.epsilon(1e-5), dm.gaussian(1).risk()):
        xml.etree.ElementTree.fromstring(
            f"<div>{thing._repr_html_()}</div>")


def test_loss_kind() -> None:
    plan = dm.gaussian(5) * 3
    law = plan.loss(500)
    assert law.kind == "loss"
    assert law.epsilon(1e-5).upper >= plan.epsilon(1e-5).lower
    below = plan.loss(500, side="lower")
    assert below.epsilon(1e-5).lower <= plan.epsilon(1e-5).upper
    assert law.epsilon(1e-5).upper - below.epsilon(1e-5).lower < 0.05


def test_formulary() -> None:
    row = next(r for r in dm.formulas() if r.name == "gaussian.delta")
    assert row.direction == "exact"
    answer = dm.formula(row.id, eps=1, sigma=1, sens=1)
    assert answer.theorem == row.id
    assert answer.citation == "[Ste22] Cor 8 (T000-08.delta)"
    assert abs(answer.upper - dm.gaussian(1).delta(1).upper) < 1e-12
    with pytest.raises(dm.InvalidError):
        dm.formula("no.such.row")
    with pytest.raises(dm.InvalidError):
        dm.formula(row.id)


def test_without_numpy() -> None:
    code = """
import json, sys
sys.modules["numpy"] = None
import dosimeter as dm
curve = dm.gaussian(1).tradeoff(points=5)
assert type(curve.lower) is list
print(json.dumps(curve.lower))
"""
    out = subprocess.run([sys.executable, "-c", code], check=True,
                         capture_output=True, text=True).stdout
    assert json.loads(out) == list(dm.gaussian(1).tradeoff(points=5).lower)


def test_an_interval_is_no_pair() -> None:
    """Programs that expect two numbers would report the lower end."""
    answer = dm.gaussian(1).epsilon(1e-5)
    with pytest.raises(TypeError):
        epsilon, order = answer
    with pytest.raises(TypeError):
        iter(answer)
    with pytest.raises(TypeError):
        max(answer)
    with pytest.raises(TypeError):
        answer[0]  # type: ignore[index]


def test_float_is_the_safe_end_everywhere() -> None:
    plan = dm.poisson(0.01, dm.gaussian(1)) * 1000
    loose = {"route": "renyi"}  # whose lower ends are 0
    for answer in (plan.epsilon(1e-5, **loose), plan.delta(1.0, **loose),
                   plan.epsilon([1e-5], **loose)[0],
                   dm.epsilon([plan], 1e-5, **loose)[0],
                   dm.delta([plan], 1.0, **loose)[0],
                   dm.Accountant(**loose).add(plan).epsilon(1e-5),
                   plan.renyi(4), plan.zcdp(), plan.gdp(1e-6)):
        assert float(answer) == answer.upper == answer.safe
    low = dm.Plan("zcdp(0.1)").tradeoff(0.1)
    assert float(low) == low.lower < low.upper
    curve = dm.Plan("zcdp(0.1)").tradeoff(points=5)
    assert all(float(x) == x.lower for x in curve)
    risk = plan.risk(0.1)
    for answer in (risk.advantage, risk.accuracy, risk.prior_accuracy,
                   *risk.true_positive.values(), *risk.posterior.values()):
        assert float(answer) == answer.upper
    beta = dm.formula("T001-E5.G", mu=1, alpha=0.1)
    assert float(beta) == beta.lower
    delta = dm.formula("T000-08.delta", eps=1, sigma=1, sens=1)
    assert float(delta) == delta.upper


def test_curves_pickle() -> None:
    plan = dm.laplace(2) * 3
    for curve in (plan.epsilon([1e-3, 1e-6]), plan.tradeoff(points=4),
                  dm.epsilon([plan, plan * 2], 1e-5), plan.epsilon([])):
        for again in (pickle.loads(pickle.dumps(curve)),
                      copy.copy(curve), copy.deepcopy(curve),
                      pickle.loads(pickle.dumps(copy.copy(curve)))):
            assert type(again) is type(curve)
            assert list(map(repr, again)) == list(map(repr, curve))
            assert [x.explain() for x in again] \
                == [x.explain() for x in curve]
            assert list(again.lower) == list(curve.lower)
            assert list(again.upper) == list(curve.upper)
            assert list(again.at) == list(curve.at)
            assert repr(again) == repr(curve)
    assert pickle.loads(pickle.dumps(plan.tradeoff(points=4))).to_svg() \
        == plan.tradeoff(points=4).to_svg()


def test_accountants_pickle() -> None:
    accountant = dm.Accountant(neighbours="replace", width=1e-3)
    step = dm.poisson(0.01, dm.gaussian(1))
    for part in ([], [(step, 1)], [(step, 99), (dm.laplace(5), 1)],
                 [(dm.laplace(5) + dm.gaussian(3), 2)]):
        for plan, count in part:
            accountant.add(plan, count)
        for again in (pickle.loads(pickle.dumps(accountant)),
                      copy.deepcopy(accountant)):
            assert again.plan.normal() == accountant.plan.normal()
            a, b = again.epsilon(1e-5), accountant.epsilon(1e-5)
            assert (a.lower, a.upper, a.neighbours) \
                == (b.lower, b.upper, "replace")
            again.add(step)
            assert again.plan.normal() == (accountant.plan + step).normal()
    assert len(pickle.loads(pickle.dumps(dm.Accountant()))) == 0


@pytest.mark.parametrize("options, says", [
    ({"max_bytes": -1}, "max_bytes must be from 0 .* got -1"),
    ({"max_terms": -1}, "max_terms must be from 0 .* got -1"),
    ({"max_bytes": 1 << 70}, "max_bytes must be from 0"),
    ({"neighbors": "both"}, "neighbours must be 'add_remove'"),
    ({"neighbours": "replace", "neighbors": "replace"}, "not both"),
    ({"route": "closed\0x"}, "route must not contain a NUL"),
])
def test_bad_options_are_value_errors(options, says) -> None:
    with pytest.raises(ValueError, match=says):
        dm.gaussian(1).epsilon(1e-5, **options)
    with pytest.raises(ValueError, match=says):
        dm.Accountant(**options)


def test_sizes_are_whole() -> None:
    for value in (1.5, "1", None):
        with pytest.raises(TypeError, match="max_bytes must be a whole"):
            dm.gaussian(1).epsilon(1e-5, max_bytes=value)
    with pytest.raises(ValueError, match="points must be from 0"):
        dm.gaussian(1).loss(points=-1)


def test_both_spellings() -> None:
    plan = dm.poisson(0.1, dm.gaussian(1))
    assert plan.epsilon(1e-5, neighbors="replace") \
        == plan.epsilon(1e-5, neighbours="replace") \
        != plan.epsilon(1e-5)
