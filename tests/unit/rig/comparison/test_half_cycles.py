"""One channel from its samples to its figures: means over the half cycles, of measured and predicted; what is said of its delay."""

import math
import re

import numpy as np
import pytest

from rig.comparison import ChannelAgreement, Commanded, Compared, Settings, agreement, agreements
from rig.comparison.delays import segments

RATE, PERIOD, CYCLES, AMPLITUDE = 1000.0, 80, 4, 10.0
N = PERIOD * CYCLES
n = np.arange(N + 40)
COMMAND = np.where(n < N, AMPLITUDE * np.sin(2.0 * np.pi * n / PERIOD), 0.0)
CYCLE = np.where(n < N, n // PERIOD, -1)
SETTINGS = Settings(lowpass=None, discard_cycles=1, max_delay=0.01)


def pulses(early: float, at: float, peak: float) -> np.ndarray:
    """A force that is `early` from the zero on, and from `at` samples behind it on `peak`; against the command's side below 0."""
    since, side = n % (PERIOD // 2), np.where((n // (PERIOD // 2)) % 2 == 0, 1.0, -1.0)
    return np.where(n < N, side * np.where(since < at, early, peak), 0.0)


def compared(measured, predicted, *, amplitude=AMPLITUDE, settings=SETTINGS, **command):
    told = Commanded(COMMAND, CYCLE.astype(float), **{"frequency": RATE / PERIOD, **command})
    return agreements({"force": Compared(measured, predicted, amplitude, "N")}, told, RATE, settings)["force"]


def test_means_over_the_half_cycles_are_those_of_either_signal():
    """0.1 A is 1: measured crosses it between samples 11 and 12, predicted between 14 and 15, each at the share of its step."""
    found = compared(pulses(0.5, 12, 3.0), pulses(-0.25, 15, 5.0))
    assert (found.half_cycles, found.impacts_measured, found.impacts_predicted) == (6, 6, 6)
    assert found.first_impact_measured_s == pytest.approx((11.0 + 0.5 / 2.5) / RATE)
    assert found.first_impact_predicted_s == pytest.approx((14.0 + 1.25 / 5.25) / RATE)
    assert (found.impact_peak_measured, found.impact_peak_predicted) == (3.0, 5.0)
    assert (found.reversal_peak_measured, found.reversal_peak_predicted) == pytest.approx((0.5, -0.25))
    ahead = AMPLITUDE * np.sin(2.0 * np.pi * np.arange(21) / PERIOD)
    assert found.overshoot_measured == pytest.approx(max(0.5, float(np.max(3.0 - ahead[12:]))))
    assert found.overshoot_predicted == pytest.approx(max(-0.25, float(np.max(5.0 - ahead[15:]))))
    assert found.period_s == pytest.approx(PERIOD / RATE)


def test_the_period_of_a_command_that_is_no_sine_is_the_mean_of_its_own():
    found = compared(pulses(0.5, 12, 3.0), pulses(0.5, 12, 3.0), frequency=None)
    assert found.period_s == pytest.approx(PERIOD / RATE)
    assert found.delay_ambiguity_samples is None


def test_half_cycles_without_an_impact_are_left_out_of_the_mean():
    measured = pulses(0.5, 12, 3.0)
    measured[PERIOD : PERIOD + PERIOD // 2] = 0.5
    found = compared(measured, pulses(0.5, 12, 3.0))
    assert (found.half_cycles, found.impacts_measured, found.impacts_predicted) == (6, 5, 6)
    assert found.impact_peak_measured == 3.0
    assert found.reversal_peak_measured == 0.5
    never = compared(np.zeros(len(n)), pulses(0.5, 12, 3.0))
    assert (never.impacts_measured, never.first_impact_measured_s, never.impact_peak_measured) == (0, None, None)


def test_nothing_is_looked_for_after_reversals_of_a_channel_that_is_not_commanded():
    found = compared(pulses(0.5, 12, 3.0), pulses(-0.25, 15, 5.0), amplitude=None)
    assert (found.half_cycles, found.overshoot_measured, found.period_s, found.amplitude) == (0, None, PERIOD / RATE, 3.0)
    assert (found.impacts_measured, found.impacts_predicted) == (0, 0)


def test_of_what_was_not_compared_there_is_nothing():
    nothing = ChannelAgreement()
    assert (nothing.samples, nothing.counted_samples, nothing.half_cycles, nothing.impacts_measured, nothing.rate) == (0, 0, 0, 0, 0.0)


def test_a_command_is_a_sine_where_nobody_says_that_it_turns():
    wave = np.sin(2.0 * np.pi * n / PERIOD)
    assert any("on a pure sine" in text for text in compared(np.roll(wave, 2), wave).warnings)


def test_peaks_by_cycle_are_those_that_count():
    """Of either signal; the error relative to the measured one."""
    found = compared(pulses(0.5, 12, 4.0), pulses(0.5, 12, -5.0))
    assert [(c.cycle, c.peak_measured, c.peak_predicted, c.error) for c in found.cycles] == [(k, 4.0, 5.0, 0.25) for k in (1, 2, 3)]


def test_the_phase_of_a_sine_is_known_by_its_frequency():
    signals = [AMPLITUDE * np.sin(2.0 * np.pi * n / PERIOD + lead) for lead in (0.0, 0.2)]
    for phase in (None, 2.0 * np.pi * n / PERIOD):
        found = compared(*signals, phase=phase)
        assert found.phase_error_deg == pytest.approx(math.degrees(0.2))
        assert found.fundamental_error == pytest.approx(0.0, abs=1e-9)
    assert compared(*signals, frequency=None).phase_error_deg is None
    assert compared(*signals, frequency=None, phase=2.0 * np.pi * n / PERIOD).phase_error_deg == pytest.approx(math.degrees(0.2))


LONG = np.arange(6000)
SWEEP = np.sin(2.0 * np.pi * (2.0 * LONG / RATE + 1.0 * (LONG / RATE) ** 2))


def late(samples: float, *, turns: bool = False, frequency: float | None = None, max_delay: float = 0.05):
    measured = np.interp(LONG - samples, LONG, SWEEP)
    told = Commanded(SWEEP, np.zeros(6000), frequency=frequency, turns=turns)
    return agreements({"a": Compared(measured, SWEEP)}, told, RATE, Settings(None, 0, max_delay=max_delay))["a"]


def test_what_a_delay_is_known_up_to_is_said():
    found = late(7.0)
    assert found.delay_samples == pytest.approx(7.0, abs=0.01)
    assert (found.delay_ambiguity_samples, found.warnings) == (None, ())
    found = late(7.0, frequency=2.0)
    assert found.delay_samples == pytest.approx(7.0, abs=0.01)
    assert found.delay_ambiguity_samples == 500.0
    assert found.warnings == ("delay: on a pure sine it is known up to whole periods (500.0 samples) only",)
    found = late(7.0, frequency=2.0, turns=True)
    assert found.warnings == (
        "delay: at constant speed nothing tells it from an error of the phase (one turn, or round, is 500 samples); "
        "it is known up to whole turns only",
    )


@pytest.mark.parametrize(("milliseconds", "there"), [(40.0, True), (30.0, False)])
def test_a_delay_is_looked_for_within_its_range(milliseconds: float, there: bool) -> None:
    """35 samples of 1 ms."""
    found = late(35.0, max_delay=1e-3 * milliseconds, frequency=2.0)
    if there:
        assert found.delay_samples == pytest.approx(35.0, abs=0.01)
        return
    assert (found.delay_samples, found.delay_ambiguity_samples) == (None, 500.0)
    assert found.delay_reason == "no best shift within 30 samples to either side"
    assert found.warnings == (f"delay unknown within +-30 ms: {found.delay_reason}",)


@pytest.mark.parametrize(("samples", "there"), [(19.0, True), (-19.0, True), (21.0, False), (-21.0, False)])
def test_a_delay_is_looked_for_within_20_ms_where_nobody_says_otherwise(samples: float, there: bool) -> None:
    """docs/comparison.md; samples of 1 ms."""
    measured = np.interp(LONG - samples, LONG, SWEEP)
    told = Commanded(SWEEP, np.zeros(6000))
    found = agreements({"a": Compared(measured, SWEEP)}, told, RATE, Settings(None, 0))["a"]
    if there:
        assert found.delay_samples == pytest.approx(samples, abs=0.01)
    else:
        assert found.delay_reason == "no best shift within 20 samples to either side"


def test_why_there_is_none_is_said_with_its_numbers():
    straight = np.linspace(0.0, 1.0, 4000) + 1e-4 * np.random.default_rng(1).standard_normal(4000)
    found = agreement(straight, np.linspace(0.0, 1.0, 4000), rate=RATE, command=straight, cycle=np.zeros(4000),
                      settings=Settings(None, 0, max_delay=0.05))  # fmt: skip
    assert found.delay_reason is not None and found.delay_reason.startswith("any shift within 50 samples fits as well as the best")
    wave = np.sin(2.0 * np.pi * np.arange(4000) / 40.0)
    found = agreement(np.roll(wave, 3), wave, rate=RATE, command=wave, cycle=np.zeros(4000), settings=Settings(None, 0, max_delay=0.05))
    assert found.delay_reason is not None
    told = re.fullmatch(
        r"shifts of (\S+) and of (\S+) samples fit equally well: the signal repeats itself within the range", found.delay_reason
    )
    assert told is not None and len({*told.groups()} & {"-37.0", "3.0", "43.0"}) == 2


def test_a_level_in_the_band_is_that_of_what_counts():
    """Before the cycles that count both are ten times as large."""
    tone = np.sin(2.0 * np.pi * 0.1 * np.arange(8000))
    measured, predicted = 2.0 * tone, 3.0 * tone
    measured[:2000] *= 10.0
    predicted[:2000] *= 10.0
    cycle = np.where(np.arange(8000) < 4000, -1.0, 0.0)
    found = agreement(measured, predicted, rate=RATE, command=tone, cycle=cycle, settings=Settings(20.0, 0, band=(80.0, 120.0)))
    assert found.band_level_measured == pytest.approx(2.0 / 2.0**0.5, rel=1e-3)
    assert found.band_level_predicted == pytest.approx(3.0 / 2.0**0.5, rel=1e-3)
    assert found.band_level_error == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize("length", [70, 1 << 16])
def test_what_the_delay_is_read_from_lies_in_what_counts_and_away_from_seams(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """Counted from sample 80 on, until 319; the delay's own words: no sample within reach + 4 + 2 of a seam. Reach: 10 samples."""
    asked: list[tuple[int, ...]] = []
    chosen, joined = segments.choose, segments.joined_marks
    monkeypatch.setattr(segments, "choose", lambda *args: asked.append(args) or chosen(*args, 160))
    monkeypatch.setattr(segments, "joined_marks", lambda *args: asked.append(args[3:]) or joined(*args))
    told = Commanded(COMMAND, CYCLE.astype(float))
    signal = pulses(0.5, 12, 3.0)
    agreements({"a": Compared(signal, signal, AMPLITUDE)}, told, RATE, SETTINGS, length)
    assert asked == [(len(n), 80, 320), (10 + 4 + 2,)]


@pytest.mark.parametrize("frequency", [RATE / PERIOD, None])
def test_a_part_in_which_no_half_cycle_counts_has_no_means(frequency: float | None) -> None:
    """Ten samples; the period of a sine is known all the same."""
    part = np.where((n >= 100) & (n < 110), 0.0, -1.0)
    told = Commanded(COMMAND, part, frequency=frequency)
    found = agreements({"a": Compared(COMMAND, COMMAND, AMPLITUDE)}, told, RATE, Settings(None, 0))["a"]
    assert (found.samples, found.half_cycles, found.overshoot_measured, found.first_impact_measured_s) == (10, 0, None, None)
    assert found.period_s == (None if frequency is None else PERIOD / RATE)
