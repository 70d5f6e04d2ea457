import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.signals.summary_statistics import statistics


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(1, 20)), min_size=1, max_size=50))
def test_weights_count_as_repetitions(rows: list[tuple[float, int]]) -> None:
    values, weights = [value for value, _ in rows], [weight for _, weight in rows]
    assert statistics(values, weights) == statistics(np.repeat(values, weights))


def test_quantiles() -> None:
    figures = statistics(np.arange(1, 1001))
    assert figures == {"median": 500.0, "p99": pytest.approx(990.0), "p999": 999.0, "max": 1000.0, "n": 1000}


def test_nothing_is_null() -> None:
    assert statistics([]) == {"median": None, "p99": None, "p999": None, "max": None, "n": 0}
