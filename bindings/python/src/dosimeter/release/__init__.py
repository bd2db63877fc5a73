"""Releasing: noise with exactly known laws, statistics of a table.

    >>> import dosimeter as dm
    >>> stats = [dm.release.Count(), dm.release.Sum("income", 0, 200000)]
    >>> answer = dm.release.csv("people.csv", stats, epsilon=1)
    >>> answer["sum.income"].value, answer.plan

Every release has exactly the law of its plan.
"""

from .answer import Cells, Release, Value
from .noise import Noise, keyed_coin, noise, sample_poisson
from .query import Query, TableOptions, check, csv, query, table
from .sql import Statement, self_test_sql, sql
from .statistics import (Count, CountBad, Histogram, Mean, Median, Mode,
                         Quantile, Statistic, Sum, Users, Variance)

__all__ = [
    "Cells", "Count", "CountBad", "Histogram", "Mean", "Median", "Mode",
    "Noise", "Quantile", "Query", "Release", "Statement", "Statistic", "Sum",
    "TableOptions", "Users", "Value", "Variance", "check", "csv",
    "keyed_coin", "noise", "query", "sample_poisson", "self_test_sql", "sql",
    "table",
]


def __dir__() -> list[str]:
    return __all__
