"""The statistics object of the JSON interface."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def statistics(values: ArrayLike, weights: ArrayLike | None = None) -> dict[str, float | int | None]:
    """{median, p99, p999, max, n} of the values (n,); each counts `weights` times (n,), once without. All null when there are none."""
    data = np.asarray(values, dtype=float)
    count = np.ones(len(data)) if weights is None else np.asarray(weights, dtype=float)
    if len(data) == 0:
        return {"median": None, "p99": None, "p999": None, "max": None, "n": 0}
    order = np.argsort(data)
    data, cumulated = data[order], np.cumsum(count[order])

    def quantile(share: float) -> float:
        return float(data[min(np.searchsorted(cumulated, share * cumulated[-1]), len(data) - 1)])

    return {
        "median": quantile(0.5),
        "p99": quantile(0.99),
        "p999": quantile(0.999),
        "max": float(data[-1]),
        "n": int(cumulated[-1]),
    }
