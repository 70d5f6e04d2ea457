"""Half cycles followed through pieces of any length, against the definitions applied to whole arrays."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison.responses import Responses, response
from rig.comparison.reversals import Reversal, zeros
from rig.comparison.series import pieces

RATE, PERIOD, CYCLES = 1000.0, 83.7, 6  # Hz, samples: the windows end between samples, and 10 ms reach beyond 3T/8


def by_definition(force: np.ndarray, command: np.ndarray, r: Reversal) -> tuple[float, ...]:
    """First impact, impact peak, overshoot, reversal peak."""
    x, excess = r.sign * force, r.sign * (force - command)
    begin = math.ceil(r.zero)
    searched = x[begin : math.floor(r.zero + 3.0 / 8.0 * r.period) + 1]
    overshoot = max(excess[begin : math.floor(r.zero + r.period / 4.0) + 1])
    early = max(x[begin : math.floor(r.zero + r.period / 8.0) + 1])
    above = [i for i, value in enumerate(searched) if value > 0.1 * r.amplitude]
    if not above:
        return math.nan, math.nan, overshoot, early
    i, level = above[0], 0.1 * r.amplitude
    at = max(r.zero, begin + (0.0 if i == 0 else i - 1 + (level - searched[i - 1]) / (searched[i] - searched[i - 1])))
    return (at - r.zero) / RATE, max(x[math.ceil(at) : math.floor(at + 0.010 * RATE) + 1]), overshoot, early


@given(seed=st.integers(0, 10_000), length=st.integers(1, 60), quiet=st.floats(0.0, 33.0))
def test_followed_in_pieces_is_as_defined(seed, length, quiet):
    """The force stays small for `quiet` samples after each zero, so that impacts fall anywhere: at a cut, at the end of the search."""
    n = np.arange(int(CYCLES * PERIOD) + 60)
    command = np.where(n < CYCLES * PERIOD, np.sin(2.0 * np.pi * (n - 0.4) / PERIOD), 0.0)
    since = (n - 0.4) % (0.5 * PERIOD)
    rng = np.random.default_rng(seed)
    force = np.where(since < quiet, 0.02, 1.2) * np.sign(command) * rng.uniform(0.2, 1.0, len(n))
    rows = zeros(command, np.zeros(len(n)), 1.0, PERIOD)
    rows = rows[rows["zero"] + 0.5 * PERIOD < len(n)]
    gathered = Responses(rows, RATE)
    for part in pieces(0, len(n), length):
        gathered.add(part.start, force[part], command[part])
    found = gathered.choose(np.ones(len(rows), dtype=bool)).rows
    assert len(rows) >= 2 * CYCLES - 1
    for row, got in zip(rows, found, strict=True):
        reversal = Reversal(*row.tolist())
        wanted = by_definition(force, command, reversal)
        one = response(force, command, reversal, RATE)
        assert np.array_equal(got.tolist(), wanted, equal_nan=True)
        assert np.array_equal([one.first_impact, one.impact_peak, one.overshoot, one.reversal_peak], wanted, equal_nan=True)


AT = Reversal(5.25, 1, 80.0, 10.0, 0)
"""An impact is beyond 1; it is searched for from sample 6 to 35."""


def after(force: np.ndarray, sign: int = 1) -> tuple[float, float]:
    """First impact, s, and its peak."""
    found = response(sign * force, np.zeros(len(force)), dataclasses.replace(AT, sign=sign), RATE)
    return found.first_impact, found.impact_peak


@pytest.mark.parametrize("sign", [1, -1])
def test_an_impact_that_is_there_from_the_first_sample_on_began_with_it(sign: int) -> None:
    force = np.zeros(100)
    force[6:12] = 3.0
    assert after(force, sign) == pytest.approx(((6.0 - 5.25) / RATE, 3.0))
    force[5] = 3.0
    assert after(force, sign) == pytest.approx(((6.0 - 5.25) / RATE, 3.0)), "before the zero nothing is looked for"


@pytest.mark.parametrize(("at", "there"), [(35, True), (36, False)])
def test_an_impact_is_searched_for_as_long_as_is_said(at: int, there: bool) -> None:
    """3/8 of 80 samples from 5.25 on: the last one is 35. Half-way between two samples it passes 1."""
    force = np.zeros(100)
    force[at:] = 2.0
    first, peak = after(force)
    if there:
        assert (first, peak) == pytest.approx(((at - 0.5 - 5.25) / RATE, 2.0))
    else:
        assert math.isnan(first) and math.isnan(peak)


@pytest.mark.parametrize(("at", "counts"), [(29, True), (30, False)])
def test_the_peak_is_that_of_ten_milliseconds(at: int, counts: bool) -> None:
    """An impact between 19 and 20, at 19.5: until 29.5."""
    force = np.zeros(100)
    force[20:], force[at] = 2.0, 7.0
    assert after(force) == pytest.approx(((19.5 - 5.25) / RATE, 7.0 if counts else 2.0))


@pytest.mark.parametrize(("at", "overshoots", "reverses"), [(5, False, False), (6, True, True), (15, True, True), (16, True, False),
                                                            (25, True, False), (26, False, False)])  # fmt: skip
def test_overshoot_and_reversal_peak_have_their_windows(at: int, overshoots: bool, reverses: bool) -> None:
    """A quarter of 80 samples from 5.25 on ends with 25, an eighth with 15. The overshoot is over the command, which is 1."""
    force = np.full(100, 0.5)
    force[at] = 4.0
    found = response(force, np.ones(100), AT, RATE)
    assert found.overshoot == (3.0 if overshoots else -0.5)
    assert found.reversal_peak == (4.0 if reverses else 0.5)


def test_a_force_of_just_the_level_is_no_impact() -> None:
    force = np.full(100, 1.0)
    assert math.isnan(after(force)[0])


@pytest.mark.parametrize("length", [1, 4, 200])
def test_the_peak_of_a_late_impact_is_waited_for(length: int) -> None:
    """At the end of the search, from 35 on; its 10 ms reach to sample 44."""
    force = np.zeros(100)
    force[35:], force[44], force[45] = 2.0, 7.0, 9.0
    rows = np.array([(AT.zero, 1, AT.period, AT.amplitude, 0)], zeros(np.zeros(1), np.zeros(1), 1.0, None).dtype)
    gathered = Responses(rows, RATE)
    for part in pieces(0, 100, length):
        gathered.add(part.start, force[part], np.zeros(part.stop - part.start))
    found = gathered.choose(np.ones(1, dtype=bool))
    assert (found.impacts, found.mean("impact_peak")) == (1, 7.0)
    assert found.mean("first_impact") == pytest.approx((34.5 - 5.25) / RATE)


def test_what_is_over_is_let_go_of() -> None:
    """Half cycles of a long record are as many as there are; those that are over need nothing any more."""
    n = np.arange(int(CYCLES * PERIOD))
    command = np.sin(2.0 * np.pi * (n - 0.4) / PERIOD)
    rows = zeros(command, np.zeros(len(n)), 1.0, PERIOD)
    gathered = Responses(rows, RATE)
    for part in pieces(0, len(n), 10):
        gathered.add(part.start, command[part], command[part])
        assert len(gathered._open) <= 2
