"""A running estimate: what is known of a specimen comes out of its cycles, whatever the blocks are, and what cannot be fitted is said."""

from __future__ import annotations

import numpy as np
import pytest

from rig.identification.live.estimate import Ends, Estimate, Kalman
from tests.unit.rig.identification.live.known_specimen import HIGH, LOW, POINTS, course, fitted

FREE = Ends({})
UNEXPLAINED = -2


def estimated(command, force, block=50, memory=1, its=None, ends=FREE):
    one = Estimate(its or fitted(), memory, ends)
    parts = [one.take(command[k : k + block], {"force": force[k : k + block]}) for k in range(0, len(force), block)]
    return np.concatenate(parts), one


def value(share):
    return LOW + share * (HIGH - LOW)


def test_each_cycle_gives_its_own_number_from_its_last_sample_on():
    shares = [0.3, 0.3, 0.35, 0.4, 0.7]
    rows, one = estimated(*course(shares))
    assert np.isnan(rows[: 37 + 2 * POINTS - 1, :3]).all(), "the first cycle is discarded, the second has not ended"
    for n, share in enumerate(shares[1:-1], 1):  # what a stop ends is no cycle
        assert rows[37 + (n + 1) * POINTS, 0] == pytest.approx(value(share), abs=1e-6)
    low, high = rows[-1, 1:3]
    assert rows[-1, 0] == pytest.approx(value(0.4), abs=1e-6) and low < rows[-1, 0] < high
    assert one.fitted_cycles == 3 and not one.remarks and one.text().startswith("after 3 cycles: clearance 1.8 m")


@pytest.mark.parametrize("late", [0.0, 2.25e-3, 3e-3])
def test_a_known_delay_is_taken_out(late):
    """Of a channel that is late by that; interpolated between samples to what the polynomial of nine of them can do."""
    command, force = course([0.4] * 6)
    n = np.arange(len(force))
    rows, _ = estimated(command, np.interp(n - late * 2000.0, n, force), its=fitted(remove_delay=late))
    assert rows[-1, 0] == pytest.approx(value(0.4), abs=2e-3)
    wrong, _ = estimated(command, np.interp(n - late * 2000.0, n, force))
    assert late == 0.0 or abs(wrong[-1, 0] - value(0.4)) > 2e-3


def test_results_do_not_depend_on_blocks():
    given = course(np.linspace(0.3, 0.5, 9))
    settings = {"memory": 4, "its": fitted(lowpass=200.0, remove_delay=1.3e-3)}
    whole, *others = (estimated(*given, block=block, **settings)[0] for block in (10_000, 1, 7, 200, 331))
    assert all(np.array_equal(whole, other, equal_nan=True) for other in others)


def test_a_filter_that_the_record_had_is_had_here():
    """Behind a low-pass that takes the third harmonic away by half the number is another one, unless polynomials are of the same filter."""
    command, force = course([0.4] * 8)
    rows, one = estimated(command, force, its=fitted(lowpass=400.0))
    assert one.fitted_cycles == 6 and rows[-1, UNEXPLAINED] > 10.0 * estimated(command, force)[0][-1, UNEXPLAINED]


def test_a_mean_over_so_many_cycles_scatters_as_little_and_lags_by_half_of_them():
    memory, chance = 16, np.random.default_rng(3)
    ends = []
    for _ in range(400):
        filtered = Kalman(np.eye(1), memory)
        for one in chance.normal(size=80):
            filtered.take(np.array([one]))
        ends.append(filtered.value[0])
    assert np.var(ends) == pytest.approx(1.0 / memory, rel=0.25)
    assert filtered.variance[0] == pytest.approx(2.0 / (memory + 1.0), rel=1e-3)
    ramp = Kalman(np.eye(1), memory)
    for n in range(400):
        ramp.take(np.array([float(n)]))
    assert 399.0 - ramp.value[0] == pytest.approx((memory - 1.0) / 2.0, rel=1e-6)


def test_what_the_last_cycle_alone_says_stands_beside_what_they_say_together():
    rows, _ = estimated(*course([0.3] * 4 + [0.5] * 4), memory=9)
    assert rows[-1, 3] == pytest.approx(value(0.5), abs=1e-6) and value(0.3) < rows[-1, 0] < value(0.5)
    assert rows[37 + 5 * POINTS - 2, 3] == pytest.approx(value(0.3), abs=1e-6)


def test_one_interval_in_twenty_does_not_hold_the_number_where_scatter_is_all_there_is():
    """By the filter's own variance, of a number that wanders as the filter takes it to."""
    memory, chance = 10, np.random.default_rng(4)
    gain = 2.0 / (memory + 1.0)
    filtered, true, held = Kalman(np.eye(1), memory), 0.0, 0
    for n in range(6000):
        true += chance.normal() * gain / np.sqrt(1.0 - gain)
        filtered.take(np.array([true + chance.normal()]))
        held += n >= 100 and abs(filtered.value[0] - true) <= 1.96 * np.sqrt(filtered.variance[0])
    assert 0.94 <= held / 5900 <= 0.96


def test_a_cycle_with_a_missing_or_a_clipped_sample_is_not_fitted_and_this_is_said():
    command, force = course([0.4] * 8)
    for name, bad, ends in (("missing", np.nan, FREE), ("clipped", 10.0, Ends({"force": (-10.0, 10.0)}))):
        broken = force.copy()
        broken[37 + 4 * POINTS + 20] = bad
        rows, one = estimated(command, broken, ends=ends)
        assert one.fitted_cycles == 5, name
        assert [remark.text for remark in one.remarks] == [
            "cycles are not estimated from here on: samples of force are missing or clipped", "cycles are estimated again",
        ]  # fmt: skip
        assert rows[37 + 5 * POINTS, -1] == 1.0 and rows[37 + 6 * POINTS, -1] == 0.0, "cycles since one was fitted"
        assert rows[37 + 5 * POINTS, 0] == pytest.approx(value(0.4), abs=1e-6)


def test_another_amplitude_or_frequency_than_that_of_the_record_is_not_fitted():
    command, force = course([0.4] * 8)
    other = command.copy()
    other[37 + 3 * POINTS : 37 + 5 * POINTS, 0] *= 1.05
    _, one = estimated(other, force)
    assert one.fitted_cycles == 4 and "command of a cycle differs by 5 %" in one.remarks[0].text and len(one.remarks) == 2
    within = command.copy()
    within[:, 0] *= 1.005
    assert estimated(within, force)[1].fitted_cycles == 6, "a correction of the amplitude goes so far"
    slow = np.repeat(np.arange(len(force)), 2)
    _, one = estimated(command[slow], force[slow])
    assert one.fitted_cycles == 0 and "goes on for more than 0.1 s" in one.remarks[0].text


def test_a_hold_within_a_cycle_ends_that_cycle_only():
    command, force = course([0.4] * 8)
    at = 37 + 4 * POINTS + 60
    stand = np.concatenate((np.arange(at), np.full(500, at), np.arange(at, len(force))))
    _, one = estimated(command[stand], force[stand])
    assert one.fitted_cycles == 5 and len(one.remarks) == 2


def test_a_number_at_the_end_of_what_the_polynomials_cover_is_said():
    command, force = course([0.4, 0.4, 0.4, 0.6, 0.6, 0.6, 0.4, 0.4])
    rows, one = estimated(command, force, its=fitted(region=(0.3, 0.5)))
    assert "clearance is at or beyond the end of what the estimate covers, 1.6 to 2 m" in one.remarks[0].text and len(one.remarks) == 2
    assert rows[37 + 5 * POINTS, 0] == pytest.approx(value(0.5), abs=1e-3)
    assert rows[37 + 5 * POINTS, UNEXPLAINED] > 100.0 * rows[37 + 3 * POINTS, UNEXPLAINED], "and leaves more"


def test_a_test_that_goes_on_in_the_midst_of_a_cycle_begins_with_the_next():
    command, force = course([0.4] * 8)
    first = 37 + 2 * POINTS + 50
    _, one = estimated(command[first:], force[first:])
    assert one.fitted_cycles == 3, "of cycles 3 to 7 the first is discarded, the last ended by the stop"


def test_nothing_is_kept_of_cycles_that_are_over():
    command, force = course([0.4] * 60)
    _, one = estimated(command, force, its=fitted(lowpass=100.0))
    assert len(one._command) < 4 * POINTS and len(one._held["force"]) < 4 * POINTS
