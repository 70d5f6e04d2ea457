"""Damage of a signal that comes in parts, whatever a part holds: ramps, rest, noise; against the whole counted at once."""

from __future__ import annotations

import fatpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.calculated.damage import CLASSES, PART, Damage
from tests.thorough import times

REFERENCE, SLOPE = 2.0, 5.0


def counted(x: np.ndarray, size: int = 1000) -> float:
    """As `Damage` has it, the rest filled up with the last value."""
    damage = Damage(SLOPE, REFERENCE)
    filled = np.concatenate([x, np.full(2 * PART, x[-1])])
    return float(np.concatenate([damage.take(filled[n : n + size]) for n in range(0, len(filled), size)])[-1])


def turning_points(x: np.ndarray) -> np.ndarray:
    """In the same classes, by looking at each sample."""
    classes = np.round(x / (REFERENCE / CLASSES)) * (REFERENCE / CLASSES)
    kept = [classes[0]]
    for value in classes[1:]:
        if value == kept[-1]:
            continue
        if len(kept) > 1 and (kept[-1] - kept[-2]) * (value - kept[-1]) > 0.0:
            kept[-1] = value
        else:
            kept.append(value)
    return np.array(kept)


def at_once(x: np.ndarray) -> float:
    points = turning_points(x)
    if len(points) < 4:
        return 0.0
    cycles, _ = fatpack.find_rainflow_cycles(points)
    return sum((abs(second - first) / REFERENCE) ** SLOPE for first, second in cycles.tolist())


PIECES = st.lists(
    st.tuples(st.sampled_from(["ramp", "rest", "wave", "noise"]), st.floats(-2.0, 2.0), st.integers(10, 6000)), min_size=1, max_size=6
)


@settings(max_examples=times(15, thorough=400))
@given(PIECES, st.integers(1, 5000))
def test_the_sum_is_that_of_the_whole_counted_at_once(pieces: list[tuple[str, float, int]], size: int) -> None:
    x, last, dice = [], 0.0, np.random.default_rng(len(pieces))
    for what, value, count in pieces:
        n = np.arange(count)
        if what == "ramp":
            x.append(np.linspace(last, value, count))
        elif what == "wave":
            x.append(last + (value - last) * np.sin(n / 200.0))
        else:
            x.append(np.full(count, last) + (dice.normal(scale=0.1, size=count) if what == "noise" else 0.0))
        last = float(x[-1][-1])
    signal = np.concatenate(x)
    assert counted(signal, size) == pytest.approx(at_once(signal), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("border", [0.5, -0.5, 1.5])
def test_a_signal_on_the_border_of_two_classes(border: float) -> None:
    """Which class it is in nobody can tell; that it does no damage is sure."""
    step = REFERENCE / CLASSES
    x = np.tile([border * step, np.nextafter(border * step, 9.0), np.nextafter(border * step, -9.0)], PART)
    assert counted(x) <= len(x) * (1.0 / CLASSES) ** SLOPE
