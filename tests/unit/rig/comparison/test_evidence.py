"""What causes are looked for in: which samples of a record, at which rate."""

from __future__ import annotations

import numpy as np

from rig.comparison import Settings
from rig.comparison.evidence import LEAST, MOST, evidence

RATE = 51_200.0


def record(cycles: int, discarded: int, seconds: float = 0.1, breaks: tuple[tuple[int, int], ...] = (), approach: bool = False):
    """A soft start of 0.5 s, cycles of `seconds`, and a stop that does not count; a tone of 200 Hz."""
    n = int(seconds * RATE)
    ramp = np.full(int(0.5 * RATE), -1.0)
    cycle = np.concatenate([ramp, np.repeat(np.arange(float(cycles)), n), ramp])
    x = np.sin(2.0 * np.pi * 200.0 * np.arange(len(cycle)) / RATE)
    return evidence(
        x, cycle, {"force": 2.0 * x, "gone": np.full(len(x), np.nan)}, {"force": x}, RATE, Settings(1e3, discarded), approach, breaks
    )


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


def test_it_does_not_look_across_what_is_not_there() -> None:
    """Ten cycles from 0.5 s on, a break in cycle 4 and one in cycle 8: the three from 5 to 7 are the longest stretch."""
    second, third = (round(t * RATE) for t in (0.5 + 0.4, 0.5 + 0.5)), (round(t * RATE) for t in (0.5 + 0.8, 0.5 + 0.9))
    breaks = tuple(second), tuple(third)
    found = record(10, 2, breaks=breaks)  # type: ignore[arg-type]
    assert found is not None
    assert (found.begin, found.first) == (1.0, 5.0)
    assert set(found.cycle.tolist()) == {5.0, 6.0, 7.0}
    whole = record(10, 2)
    assert whole is not None and set(whole.cycle.tolist()) == set(range(10)), "the control: all of them, with those that are discarded"


def test_the_way_up_to_speed_is_that_of_the_same_stretch() -> None:
    """It begins behind the break, where the command rests: the first sample that counts comes later."""
    found = record(3, 0, breaks=((100, 5000),), approach=True)
    assert found is not None and found.begin == 5000 / RATE
    assert found.counted.start > 0 and found.cycle[found.counted.start] == 0.0


def test_a_break_that_touches_either_end_leaves_all_between() -> None:
    first, last = round(0.5 * RATE), round(1.0 * RATE)
    found, whole = record(5, 0, breaks=((10, first), (last, last + 50))), record(5, 0)
    assert found is not None and whole is not None and len(found.cycle) == len(whole.cycle)


def test_in_the_band_there_is_what_a_level_is_judged_by() -> None:
    """A wave below the band is gone, a tone in it is there; behind the low-pass it is the other way round."""
    n = int(1.5 * RATE)
    t, cycle = np.arange(n) / RATE, np.floor(np.arange(n) / RATE * 10.0)
    x = {"force": 3.0 * np.sin(2.0 * np.pi * 5.0 * t) + 0.2 * np.sin(2.0 * np.pi * 200.0 * t)}
    below, above = (
        evidence(t, cycle, x, x, RATE, Settings(20.0, 2, band=(100.0, 400.0)), in_band=in_band) for in_band in (False, True)
    )
    assert below is not None and above is not None
    assert above.rate >= 8.0 * 400.0 > below.rate
    seen_below, seen_above = (one.measured["force"][one.counted] for one in (below, above))
    assert np.isclose(np.std(seen_below), 3.0 / np.sqrt(2.0), rtol=0.01)
    assert np.isclose(np.std(seen_above), 0.2 / np.sqrt(2.0), rtol=0.05)
