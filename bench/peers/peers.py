"""The peers, each with its own words for a plan.

Every question starts from nothing, as ours does: mechanisms are built and
composed within the time. Lower ends that a peer does not give on the way are
asked for outside of it.
"""

import importlib.util
import sys
import types

from answers import Answer, Setting, refuse_but

# ---- dp_accounting ---------------------------------------------------------


def _events(groups):
    import dp_accounting as dp

    def event(g):
        if g.kind == "gaussian":
            return dp.GaussianDpEvent(g.parameters[0])
        if g.kind == "laplace":
            return dp.LaplaceDpEvent(g.parameters[0])
        rate, sigma = g.parameters
        return dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(sigma))

    return dp.ComposedDpEvent(
        [dp.SelfComposedDpEvent(event(g), g.count) for g in groups])


def _optimistic(groups, delta, interval):
    """The lower estimate of the same library at the same interval."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    total = None
    for g in groups:
        more = {"value_discretization_interval": interval,
                "pessimistic_estimate": False, "use_connect_dots": False}
        if g.kind == "laplace":
            one = pld.from_laplace_mechanism(g.parameters[0], **more)
        else:
            if g.kind == "sampled":
                more["sampling_prob"] = g.parameters[0]
            one = pld.from_gaussian_mechanism(g.parameters[-1], **more)
        many = one.self_compose(g.count)
        total = many if total is None else total.compose(many)
    return total.get_epsilon_for_delta(delta)


def _pld(interval, label):
    def ask(groups, delta):
        from dp_accounting import pld

        accountant = pld.PLDAccountant(
            value_discretization_interval=interval)
        accountant.compose(_events(groups))
        value = float(accountant.get_epsilon(delta))
        return Answer(value, None, value)

    def claim(groups, delta):
        return float(_optimistic(groups, delta, interval)), None

    return Setting("dp_accounting", label, ask, None, claim)


def _dp_rdp(groups, delta):
    from dp_accounting import rdp

    accountant = rdp.RdpAccountant()
    accountant.compose(_events(groups))
    value = float(accountant.get_epsilon(delta))
    return Answer(value, None, value)


def _dp_gaussian(groups, delta):
    from dp_accounting import gaussian_mechanism

    rate = sum(g.count / g.parameters[0] ** 2 for g in groups)
    value = float(gaussian_mechanism.get_epsilon_gaussian(
        rate ** -0.5, delta))
    return Answer(value, None, value)


def dp_accounting():
    only = refuse_but({"gaussian"}, "unsampled Gaussian noise only")
    return [
        _pld(1e-4, "PLD, interval 1e-4 (default)"),
        _pld(1e-5, "PLD, interval 1e-5"),
        Setting("dp_accounting", "RDP", _dp_rdp, None, None),
        Setting("dp_accounting", "analytic Gaussian", _dp_gaussian, only,
                None),
    ]


# ---- prv_accountant --------------------------------------------------------


def _prv(eps_error, label):
    def mechanism(g):
        import prv_accountant as prv

        if g.kind == "gaussian":
            return prv.GaussianMechanism(g.parameters[0])
        if g.kind == "laplace":
            return prv.LaplaceMechanism(mu=1 / g.parameters[0])
        return prv.PoissonSubsampledGaussianMechanism(
            sampling_probability=g.parameters[0],
            noise_multiplier=g.parameters[1])

    def ask(groups, delta):
        import prv_accountant as prv

        counts = [g.count for g in groups]
        accountant = prv.PRVAccountant(
            prvs=[mechanism(g) for g in groups],
            max_self_compositions=counts, eps_error=eps_error,
            delta_error=delta / 1000)
        lower, _, upper = accountant.compute_epsilon(delta, counts)
        return Answer(upper, lower, upper)

    return Setting("prv_accountant", label, ask, None, None)


def prv_accountant():
    return [
        _prv(0.1, "eps_error 0.1 (its manual)"),
        _prv(0.01, "eps_error 0.01"),
        _prv(0.001, "eps_error 0.001"),
    ]


# ---- autodp ----------------------------------------------------------------


def _autodp_rdp(groups, delta):
    from autodp import mechanism_zoo, transformer_zoo

    def mechanism(g):
        if g.kind == "laplace":
            return mechanism_zoo.LaplaceMechanism(b=g.parameters[0])
        noise = mechanism_zoo.GaussianMechanism(g.parameters[-1])
        if g.kind == "gaussian":
            return noise
        return transformer_zoo.AmplificationBySampling(PoissonSampling=True)(
            noise, g.parameters[0], improved_bound_flag=True)

    total = transformer_zoo.Composition()(
        [mechanism(g) for g in groups], [g.count for g in groups])
    value = float(total.get_approxDP(delta))
    return Answer(value, None, value)


def _autodp_fourier(groups, delta):
    """Estimates: the numerical inversion claims no error. delta at epsilon is
    inverted here: the library's own search for epsilon relies on what older
    scipys did with the bounds of minimize_scalar, and now ends below 0."""
    from autodp import mechanism_zoo, transformer_zoo
    from scipy import optimize

    def mechanism(g, neighbouring):
        if g.kind == "laplace":
            return mechanism_zoo.LaplaceMechanism(
                b=g.parameters[0], RDP_off=True, phi_off=False)
        noise = mechanism_zoo.GaussianMechanism(
            g.parameters[-1], RDP_off=True, approxDP_off=True, phi_off=False)
        if g.kind == "gaussian":
            return noise
        return transformer_zoo.AmplificationBySampling_pld(
            PoissonSampling=True, neighboring=neighbouring)(
                noise, g.parameters[0])

    def epsilon(neighbouring):
        total = transformer_zoo.ComposeAFA()(
            [mechanism(g, neighbouring) for g in groups],
            [g.count for g in groups])

        def excess(epsilon):
            return float(total.get_approx_delta(epsilon)) - delta

        top = 1.0
        while excess(top) > 0 and top < 1e6:
            top *= 2
        return optimize.brentq(excess, 0, top, xtol=1e-6)

    return Answer(max(epsilon(n) for n in ("add_only", "remove_only")))


def _autodp_gaussian(groups, delta):
    from autodp import mechanism_zoo, transformer_zoo

    total = transformer_zoo.ComposeGaussian()(
        [mechanism_zoo.GaussianMechanism(g.parameters[0]) for g in groups],
        [g.count for g in groups])
    value = float(total.get_approxDP(delta))
    return Answer(value, None, value)


def autodp():
    only = refuse_but({"gaussian"}, "unsampled Gaussian noise only")
    return [
        Setting("autodp", "RDP", _autodp_rdp, None, None),
        Setting("autodp", "Fourier accountant, delta inverted",
                _autodp_fourier, None, None),
        Setting("autodp", "analytic Gaussian", _autodp_gaussian, only, None),
    ]


# ---- Opacus ----------------------------------------------------------------


def _import_opacus():
    """The accountants of Opacus need numpy and scipy alone, but the front of
    the package imports torch: stand in for it where there is none."""
    if importlib.util.find_spec("torch") is None and (
            "opacus" not in sys.modules):
        package = types.ModuleType("opacus")
        package.__path__ = list(
            importlib.util.find_spec("opacus").submodule_search_locations)
        optimizers = types.ModuleType("opacus.optimizers")
        optimizers.DPOptimizer = object  # named in a signature only
        sys.modules["opacus"] = package
        sys.modules["opacus.optimizers"] = optimizers
    from opacus import accountants

    return accountants


def _opacus_accountant(name, groups):
    accountant = _import_opacus().create_accountant(name)
    # what step() would append, without calling it a million times
    accountant.history = [
        (g.parameters[-1], g.parameters[0] if g.kind == "sampled" else 1.0,
         g.count) for g in groups]
    return accountant


def _opacus_prv(eps_error, label):
    def ask(groups, delta):
        accountant = _opacus_accountant("prv", groups)
        value = float(accountant.get_epsilon(delta, eps_error=eps_error))
        return Answer(value, None, value)

    def claim(groups, delta):
        accountant = _opacus_accountant("prv", groups)
        law = accountant._get_dprv(
            eps_error=eps_error, delta_error=delta / 1000)
        lower, _, upper = law.compute_epsilon(
            delta, delta / 1000, eps_error)
        return float(lower), float(upper)

    return Setting("opacus", label, ask, _opacus_refuses, claim)


def _opacus_rdp(groups, delta):
    value = float(_opacus_accountant("rdp", groups).get_epsilon(delta))
    return Answer(value, None, value)


def _opacus_gdp(groups, delta):
    """The central limit theorem: an estimate, not a bound."""
    return Answer(float(_opacus_accountant("gdp", groups).get_epsilon(delta)))


_opacus_refuses = refuse_but({"gaussian", "sampled"}, "Gaussian noise only")


def _gdp_refuses(groups):
    if len(groups) > 1:
        return "one kind of step only"
    return _opacus_refuses(groups)


def opacus():
    _import_opacus()
    return [
        _opacus_prv(0.01, "PRV, eps_error 0.01 (default)"),
        _opacus_prv(0.001, "PRV, eps_error 0.001"),
        Setting("opacus", "RDP", _opacus_rdp, _opacus_refuses, None),
        Setting("opacus", "GDP", _opacus_gdp, _gdp_refuses, None),
    ]


PACKAGES = {
    "dp_accounting": dp_accounting,
    "prv_accountant": prv_accountant,
    "autodp": autodp,
    "opacus": opacus,
}

# What to import before anything is timed.
MODULES = {
    "dp_accounting": ["dp_accounting.pld", "dp_accounting.rdp",
                      "dp_accounting.gaussian_mechanism"],
    "prv_accountant": ["prv_accountant", "scipy.stats"],
    "autodp": ["autodp.mechanism_zoo", "autodp.transformer_zoo"],
}
