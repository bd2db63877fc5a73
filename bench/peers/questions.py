"""The questions: plans as groups of equal mechanisms, and deltas.

A group is (kind, parameters, count); kinds are those of the plans' text form,
"sampled" being Gaussian noise on a Poisson sample.
"""

from collections import namedtuple

Group = namedtuple("Group", "kind parameters count")

# is_quick: asked with --quick as well; width: the relative one that ours is
# asked for, 0 for what was set at the start.
Question = namedtuple("Question", "name groups delta is_quick width",
                      defaults=(0.0,))


def gaussian(sigma, count=1):
    return Group("gaussian", (sigma,), count)


def laplace(scale, count=1):
    return Group("laplace", (scale,), count)


def sampled(rate, sigma, count=1):
    return Group("sampled", (rate, sigma), count)


def text(groups):
    """The plan as Dosimeter reads it; repr reads back as the same double."""
    forms = {
        "gaussian": "gaussian(%r)",
        "laplace": "laplace(%r)",
        "sampled": "poisson(%r, gaussian(%r))",
    }

    def part(g):
        one = forms[g.kind] % g.parameters
        return one if g.count == 1 else "%s * %d" % (one, g.count)

    return " + ".join(part(g) for g in groups)


TWENTY = [
    sampled(0.002 + 0.0005 * i, 0.8 + 0.05 * i, 100 + 50 * i)
    for i in range(20)
]

QUESTIONS = [
    Question("thousand steps", [sampled(0.01, 1.0, 1000)], 1e-5, True),
    Question("ten thousand steps", [sampled(0.01, 1.1, 10000)], 1e-5, True),
    Question("MNIST, 60 epochs", [sampled(256 / 60000, 1.3, 14062)], 1e-5,
             False),
    Question("a million steps", [sampled(0.01, 1.0, 10**6)], 1e-5, False),
    Question("delta 1e-30", [sampled(0.01, 1.1, 10000)], 1e-30, True),
    Question("sigma 0.2", [sampled(0.01, 0.2, 1000)], 1e-5, False),
    Question("1e9 steps", [sampled(1e-5, 1.0, 10**9)], 1e-5, False),
    Question("sigma 0.2, 1e9 steps", [sampled(1e-5, 0.2, 10**9)], 1e-5,
             False),
    Question("gaussians", [gaussian(5.0, 100)], 1e-5, False),
    Question("laplaces", [laplace(4.0, 100)], 1e-5, True),
    Question("mix", [gaussian(5.0, 20), laplace(10.0, 10),
                     sampled(0.01, 1.0, 1000)], 1e-5, True),
    Question("20 distinct groups", TWENTY, 1e-5, False),
]
