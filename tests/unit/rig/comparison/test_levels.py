"""Figures of a few samples, reckoned by hand: sums and largest values, peaks of cycles, wave, and what becomes of them in the result."""

import math

import numpy as np
import pytest

from rig.comparison import ChannelAgreement, Settings, agreement
from rig.comparison.channel_accumulator import NEAR, ratio
from rig.comparison.fundamental import basis, fundamental, phase_difference
from rig.comparison.levels import Levels, Wave
from rig.comparison.result import CycleAgreement

MEASURED, PREDICTED = np.array([3.0, -4.0, 0.0, 1.0]), np.array([1.0, -6.0, 2.0, 1.0])


@pytest.mark.parametrize("cut", [1, 2, 4])
def test_sums_and_largest_values(cut):
    one = Levels()
    for part in (slice(None, cut), slice(cut, None)):
        if len(MEASURED[part]):
            one.add(MEASURED[part], PREDICTED[part])
    assert one.samples == 4
    assert one.rms_difference == pytest.approx(math.sqrt(12.0 / 4.0))
    assert one.rms_measured == pytest.approx(math.sqrt(26.0 / 4.0))
    assert one.rms_predicted == pytest.approx(math.sqrt(42.0 / 4.0))
    assert (one.max_measured, one.max_predicted) == (4.0, 6.0)
    assert one.half_range == 3.5


def test_the_largest_value_is_so_on_either_side():
    one = Levels()
    one.add(np.array([5.0, -4.0]), np.array([7.0, 6.5]))
    assert (one.max_measured, one.max_predicted, one.half_range) == (5.0, 7.0, 4.5)


PHASE = 2.0 * np.pi * np.arange(200) / 100.0


def wave(measured, predicted, phase=PHASE):
    one = Wave()
    one.add(measured, predicted, phase, basis(phase))
    return one.errors()


def test_gain_and_lead_of_a_wave():
    found = wave(2.0 * np.sin(PHASE + 0.1) + 5.0, 2.5 * np.sin(PHASE + 0.3) - 1.0)
    assert found == pytest.approx((0.25, math.degrees(0.2)))


@pytest.mark.parametrize("silent", [0, 1])
def test_where_there_is_no_wave_nothing_is_told(silent):
    signals = [np.sin(PHASE), np.sin(PHASE)]
    signals[silent] = np.zeros(200)
    assert wave(*signals) == (None, None)
    assert Wave().errors() == (None, None)


def test_a_lead_is_at_most_half_a_turn():
    assert phase_difference(np.exp(1j * 3.0), np.exp(-1j * 3.0)) == pytest.approx(math.degrees(6.0) - 360.0)
    assert phase_difference(-1.0 + 0.0j, 1.0 + 0.0j) == 180.0
    assert phase_difference(1j, 1.0 + 0j) == pytest.approx(90.0)


def test_a_phase_that_does_not_turn_has_no_fundamental():
    """A hold stands still; one that only jumps to and fro says nothing of a wave either."""
    assert fundamental(np.ones(100), np.full(100, 1.0)) is None
    assert fundamental(np.ones(100), 2.0 * np.pi * (np.arange(100) % 2)) is None
    assert fundamental(np.ones(0), np.ones(0)) is None
    assert fundamental(np.ones(2), np.array([0.0, 7.0])) is None


@pytest.mark.parametrize("begin", [0.0, 100.0, -100.0])
@pytest.mark.parametrize(("period", "samples", "there"), [(10.0, 9, True), (10.0, 8, False), (10.5, 10, True), (10.5, 9, False)])
def test_a_cycle_may_be_one_sample_short_and_no_more(period, samples, there, begin):
    phase = begin + 2.0 * np.pi * np.arange(samples) / period
    found = fundamental(np.sin(phase + 0.3), phase)
    assert (found is not None) is there
    if found is not None:
        assert found == pytest.approx(np.exp(0.3j))


def test_two_places_of_a_wave_do_not_tell_it():
    """Three numbers, of two different equations."""
    assert fundamental(np.ones(100), 2.5 * np.pi * (np.arange(100) % 2)) is None


def test_three_samples_over_a_cycle_are_enough():
    phase = 2.0 * np.pi * np.arange(3) / 3.0
    assert fundamental(2.0 * np.sin(phase + 0.3) + 5.0, phase) == pytest.approx(2.0 * np.exp(0.3j))


def test_a_ratio_to_nothing_is_not_known():
    assert (ratio(1.0, 0.0), ratio(1.0, -2.0), ratio(0.0, 2.0)) == (None, -0.5, 0.0)


# -- in the result ------------------------------------------------------------------------------------------------------------------


def told(measured, predicted, **more) -> ChannelAgreement:
    more = {"command": np.zeros(len(measured)), "cycle": np.zeros(len(measured)), **more}
    return agreement(measured, predicted, rate=100.0, settings=Settings(lowpass=None, discard_cycles=0), **more)


def test_every_figure_of_a_few_samples():
    found = told(MEASURED, PREDICTED, amplitude=4.0, unit="N")
    rms = math.sqrt(12.0 / 4.0)
    assert (found.unit, found.amplitude, found.samples, found.counted_samples) == ("N", 4.0, 4, 4)
    assert found.rms_difference == pytest.approx(rms)
    assert found.nrms == found.share_of_rms == pytest.approx(rms / math.sqrt(26.0 / 4.0))
    assert found.share_of_peak == pytest.approx(rms / 4.0)
    assert (found.max_measured, found.max_predicted, found.max_error) == (4.0, 6.0, 0.5)
    assert found.share_within_5_percent == 0.25
    (cycle,) = found.cycles
    assert (cycle.cycle, cycle.peak_measured, cycle.peak_predicted, cycle.error) == (0, 4.0, 6.0, 0.5)


def test_a_difference_of_just_five_percent_of_the_amplitude_is_near():
    assert NEAR == 0.05
    measured = np.zeros(4)
    predicted = np.array([0.05, -0.05, 0.0501, -0.0501])
    assert told(measured, predicted, amplitude=1.0).share_within_5_percent == 0.5


def test_without_a_command_the_amplitude_is_half_the_measured_range():
    found = told(np.array([-1.0, 3.0, 1.0, 1.0]), np.array([-1.09, 3.0, 1.11, 1.0]))
    assert found.amplitude == 2.0
    assert found.share_within_5_percent == 0.75


def test_a_single_sample_is_compared_as_well():
    found = told(np.array([2.0]), np.array([2.0]))
    assert (found.samples, found.amplitude, found.share_within_5_percent, found.max_error) == (1, 0.0, 1.0, 0.0)


def test_a_measured_signal_of_nothing_has_no_relative_errors():
    found = told(np.zeros(4), PREDICTED, amplitude=1.0)
    assert (found.max_error, found.nrms, found.share_of_rms, found.share_of_peak, found.cycles[0].error) == (None,) * 5
    assert found.rms_difference == pytest.approx(math.sqrt(42.0 / 4.0))


def test_what_is_missing_on_either_side_does_not_count():
    measured, predicted = MEASURED.copy(), PREDICTED.copy()
    measured[1], predicted[0] = np.nan, np.inf
    found = told(measured, predicted, amplitude=4.0)
    assert (found.samples, found.counted_samples, found.max_measured, found.max_predicted) == (2, 4, 1.0, 2.0)


def test_nothing_to_compare_says_so():
    found = told(np.full(4, np.nan), PREDICTED, amplitude=4.0)
    assert (found.samples, found.nrms, found.delay_reason) == (0, None, "no sample to compare")
    assert found.warnings == ("no sample to compare: no counted cycle behind the first 0",)


@pytest.mark.parametrize(("difference", "within"), [(5.0, True), (-5.0, True), (5.01, False), (-5.01, False)])
def test_an_uncertainty_holds_what_is_just_within_it(difference, within):
    found = ChannelAgreement("N", max_measured=100.0, max_predicted=100.0 + difference).with_uncertainty(5.0)
    assert (found.uncertainty_at_max, found.max_within_uncertainty) == (5.0, within)


@pytest.mark.parametrize("unknown", ["max_measured", "max_predicted"])
def test_an_uncertainty_of_what_is_not_known_is_none(unknown):
    found = ChannelAgreement(**{"max_measured": 1.0, "max_predicted": 1.0, unknown: None})
    assert found.with_uncertainty(5.0) is found


def test_a_week_of_cycles_is_listed_in_a_thousand_lines() -> None:
    """First, last, and the worst ones are among them, wherever they are."""
    errors = np.full(600_000, 0.01)
    errors[[1234, 599_321]] = 0.2, -0.3
    cycles = tuple(CycleAgreement(n, 1.0, 1.0 + e, float(e)) for n, e in enumerate(errors))
    data = ChannelAgreement(cycles=cycles).to_json()
    numbers = [one["cycle"] for one in data["cycles"]]
    assert data["cycles_compared"] == 600_000 and 1000 <= len(numbers) <= 1010
    assert numbers == sorted(set(numbers)) and {0, 1234, 599_321, 599_999} <= set(numbers)
    few = ChannelAgreement(cycles=cycles[:1000]).to_json()
    assert [one["cycle"] for one in few["cycles"]] == list(range(1000))


def test_json_has_no_number_that_is_none():
    data = ChannelAgreement(nrms=math.inf, max_error=math.nan, samples=3, warnings=("a",)).to_json()
    assert (data["nrms"], data["max_error"], data["samples"], data["warnings"], data["cycles"]) == (None, None, 3, ["a"], [])
