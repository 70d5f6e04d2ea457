"""The statistics object of the JSON interface."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike


class Statistics(TypedDict):
    """Of some values, in their unit; all null where there are none."""

    median: float | None
    p99: float | None
    p999: float | None
    max: float | None
    n: int


def statistics(values: ArrayLike, weights: ArrayLike | None = None) -> Statistics:
    """Of the values (n,); each counts `weights` times (n,), once without."""
    data = np.asarray(values, dtype=float)
    count = np.ones(len(data)) if weights is None else np.asarray(weights, dtype=float)
    if len(data) == 0:
        return {"median": None, "p99": None, "p999": None, "max": None, "n": 0}
    order = np.argsort(data)
    data, cumulated = data[order], np.cumsum(count[order])

    def quantile(share: float) -> float:
        return float(data[min(np.searchsorted(cumulated, share * cumulated[-1]), len(data) - 1)])

    p50, p99, p999 = (quantile(share) for share in (0.5, 0.99, 0.999))
    return {"median": p50, "p99": p99, "p999": p999, "max": float(data[-1]), "n": int(cumulated[-1])}
