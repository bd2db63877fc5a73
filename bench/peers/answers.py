"""What an accountant is to the benchmark, and what it answers."""

from collections import namedtuple

# value: what its user takes for epsilon; lower, upper: what it claims to
# contain the exact one, None where it claims nothing; route: ours only.
Answer = namedtuple("Answer", "value lower upper route",
                    defaults=(None, None, None))

# ask(groups, delta) is timed and gives an Answer (ours takes the width that is
# wanted, too); refuses(groups) gives the
# reason why the question has no form here, or None; claim(groups, delta),
# not timed, completes an Answer whose bounds take extra work, or None.
Setting = namedtuple("Setting", "package label ask refuses claim")


def refuse_but(kinds, reason):
    """Refuses plans with mechanisms of other kinds."""

    def refuses(groups):
        return None if all(g.kind in kinds for g in groups) else reason

    return refuses
