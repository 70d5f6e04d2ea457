"""What causes are looked for in: which samples of a record, at which rate."""

from __future__ import annotations

import numpy as np

from rig.comparison import Settings
from rig.comparison.evidence import LEAST, MOST, evidence

RATE = 51_200.0


def record(cycles: int, discarded: int, seconds: float = 0.1):
    """A soft start of 0.5 s, cycles of `seconds`, and a stop that does not count; a tone of 200 Hz."""
    n = int(seconds * RATE)
    ramp = np.full(int(0.5 * RATE), -1.0)
    cycle = np.concatenate([ramp, np.repeat(np.arange(float(cycles)), n), ramp])
    x = np.sin(2.0 * np.pi * 200.0 * np.arange(len(cycle)) / RATE)
    return evidence(x, cycle, {"force": 2.0 * x, "gone": np.full(len(x), np.nan)}, {"force": x}, RATE, Settings(1e3, discarded))


def test_it_begins_with_the_first_cycle_and_tells_which_count() -> None:
    found = record(5, 2)
    assert found is not None
    assert (found.begin, found.first) == (0.5, 2.0)
    assert len(found.cycle) == round(0.5 * found.rate)
    assert found.counted.start == round(0.2 * found.rate)
    assert set(found.measured) == {"force"}


def test_it_is_thinned_as_far_as_the_low_pass_allows() -> None:
    """Eight times the corner, and what is left of a tone is what a two-pole filter leaves: 1 / sqrt(1 + (200/1000)^4)."""
    found = record(5, 2)
    assert found is not None and 8e3 <= found.rate < 9e3
    part = found.counted
    assert np.isclose(np.std(found.measured["force"][part]), np.sqrt(2.0 / (1.0 + 0.2**4)), rtol=1e-3)


def test_a_long_record_is_looked_at_as_far_as_there_is_room() -> None:
    found = record(80, 2)
    assert found is not None
    assert 80 * 0.1 * RATE > MOST
    assert abs(len(found.cycle) * RATE / found.rate - MOST) <= RATE / found.rate


def test_too_little_is_nothing() -> None:
    assert record(3, 2, seconds=(LEAST - 1) / RATE) is None
