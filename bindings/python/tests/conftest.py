"""Hypothesis runs the same examples every time unless told otherwise."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dosimeter",
    database=None,
    deadline=None,
    derandomize="DOSI_SEED" not in os.environ,
    max_examples=int(30 * float(os.environ.get("DOSI_EFFORT", "1"))),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dosimeter")
