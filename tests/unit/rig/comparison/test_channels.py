"""Agreement of a channel: the reference loop's own figures, exact synthetic ones, and what must come out as unknown."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.comparison import Settings, agreement
from rig.comparison.channel_accumulator import NEAR
from rig.comparison.filtering import lowpass, usable
from tests.thorough import times
from tests.tiers import quick
from tests.unit.rig.comparison.reference_rig import RATE, Rig, force
from tests.unit.rig.comparison.waves import noise, sine, sweep

INTERFACE = """
    unit rms_difference share_of_rms share_of_peak max_measured max_predicted max_error reversal_peak_measured
    reversal_peak_predicted overshoot_measured overshoot_predicted first_impact_measured_s first_impact_predicted_s impact_peak_measured
    impact_peak_predicted fundamental_error phase_error_deg nrms share_within_5_percent delay_samples delay_sigma cycles
"""

# clearance mm, A kN, f Hz, max N, overshoot N, impact peak N, first impact ms: nominal figures of the reference loop, unfiltered.
REFERENCE = [
    (0.0, 10.0, 3.0, 10005, -5, 2845, 7.64),
    (0.2, 10.0, 3.0, 10182, 727, 7238, 32.11),
    (0.4, 10.0, 3.0, 10367, 1344, 9443, 44.87),
    (0.4, 30.0, 7.0, 30540, 1644, 27866, 18.31),
    (0.4, 20.0, 4.0, 20385, 1432, 16456, 28.20),
]


@pytest.mark.parametrize(
    ("clearance", "kilonewton", "frequency", "largest", "overshoot", "impact_peak", "milliseconds"), quick(REFERENCE, 1)
)
def test_reference_loop(clearance, kilonewton, frequency, largest, overshoot, impact_peak, milliseconds):
    wave = sine(1e3 * kilonewton, frequency, cycles=13)
    signal = force(Rig(clearance_a=1e-3 * clearance, clearance_b=1e-3 * clearance), wave.command)
    found = agreement(signal, signal, **wave.stream, settings=Settings(lowpass=None))
    assert found.half_cycles == found.impacts_measured == 22
    assert found.max_measured == pytest.approx(largest, rel=1e-3)
    assert found.overshoot_measured == pytest.approx(overshoot, abs=2e-3 * wave.amplitude)
    assert found.impact_peak_measured == pytest.approx(impact_peak, rel=5e-3)
    assert 1e3 * found.first_impact_measured_s == pytest.approx(milliseconds, abs=0.05)


@given(gain=st.floats(0.5, 1.5), lead=st.floats(-20.0, 20.0), offset=st.floats(-500.0, 500.0))
@settings(max_examples=times(8, thorough=20), deadline=None)
def test_a_sine_against_a_sine(gain, lead, offset):
    """Gain, phase, rms and largest value of one sine against another come out as they are."""
    wave = sine(cycles=4)
    predicted = gain * 1e4 * np.sin(wave.phase + np.radians(lead)) + offset
    found = agreement(wave.command, predicted, **wave.stream, settings=Settings(lowpass=None))
    assert found.fundamental_error == pytest.approx(gain - 1.0, abs=1e-6)
    assert found.phase_error_deg == pytest.approx(lead, abs=1e-6)
    assert found.rms_difference**2 == pytest.approx(0.5e8 * abs(1.0 - gain * np.exp(1j * np.radians(lead))) ** 2 + offset**2, rel=1e-4)
    assert found.nrms == pytest.approx(found.rms_difference / (1e4 / np.sqrt(2.0)), rel=1e-4)
    assert found.max_error == pytest.approx(gain - 1.0 + abs(offset) / 1e4, abs=1e-4)


def test_sweep_has_a_fundamental_through_its_phase():
    wave = sweep()
    predicted = 0.9 * 1e4 * np.sin(wave.phase - np.radians(5.0))
    found = agreement(wave.command, predicted, **wave.stream)
    assert found.fundamental_error == pytest.approx(-0.1, abs=0.002)
    assert found.phase_error_deg == pytest.approx(-5.0, abs=0.2)


def test_first_impact_is_interpolated_and_peak_ends_after_10_ms():
    """A ramp that starts 20.3 samples after each zero crosses 0.1 A between samples; a larger value 10.1 ms later does not count."""
    wave = sine(frequency=4.0, cycles=5)
    n = np.arange(len(wave.command))
    since = n % (RATE / 8.0)
    sign = np.where(wave.cycle >= 0.0, np.sign(np.sin(wave.phase + 1e-6)), 0.0)
    slope = 10.0
    ramp = np.minimum(np.maximum(since - 20.3, 0.0) * slope, 4000.0)
    crossing = 20.3 + 1000.0 / slope
    ramp[since > crossing + 0.0101 * RATE] = 8000.0
    found = agreement(sign * ramp, sign * ramp, **wave.stream, settings=Settings(lowpass=None))
    assert found.first_impact_measured_s == pytest.approx(crossing / RATE, abs=1e-9)
    assert found.impact_peak_measured == 4000.0


def test_cycles_and_discarded_ones():
    """Peaks by cycle; what happens in the first two and in the stop does not count."""
    wave = sine(cycles=6)
    measured = wave.command * np.where(wave.cycle == 4.0, 1.1, 1.0)
    measured[(wave.cycle < 2.0) | (wave.cycle == -1.0)] = 1e6
    found = agreement(measured, wave.command, **wave.stream, settings=Settings(lowpass=None))
    assert [c.cycle for c in found.cycles] == [2, 3, 4, 5]
    assert [c.error for c in found.cycles] == pytest.approx([0.0, 0.0, 1.0 / 1.1 - 1.0, 0.0], abs=1e-6)
    assert found.max_measured == pytest.approx(1.1e4, rel=1e-6)
    assert found.half_cycles == 8


def test_share_within_is_counted_against_the_amplitude():
    wave = sine(cycles=6)
    predicted = wave.command + np.where(wave.cycle == 3.0, 1.01, 0.99) * NEAR * wave.amplitude
    found = agreement(wave.command, predicted, **wave.stream, settings=Settings(lowpass=None))
    assert found.share_within_5_percent == pytest.approx(0.75, abs=1e-4)


def test_channel_without_a_commanded_counterpart():
    wave = sine()
    stream = wave.stream | {"amplitude": None}
    found = agreement(1e-7 * wave.command, 1.01e-7 * wave.command, **stream, unit="m")
    assert found.max_error == pytest.approx(0.01, rel=1e-3)
    assert found.amplitude == pytest.approx(1e-3, rel=1e-3)
    assert found.share_within_5_percent == 1.0
    data = found.to_json()
    assert [data[name] for name in INTERFACE.split() if name.startswith(("overshoot", "first_impact", "impact", "reversal"))] == [None] * 8


@pytest.mark.parametrize("fault", quick(["predicted missing", "measured missing", "stopped early", "constant", "hole", "zeros"], 3))
def test_nothing_but_numbers_and_null(fault):
    """Whatever is missing: the interface's fields are all there, JSON has no NaN, and no warning escapes from numpy."""
    wave = sine()
    measured = force(Rig(), wave.command)
    predicted = measured + noise(wave, 1)
    if fault == "predicted missing":
        predicted = np.full_like(measured, np.nan)
    if fault == "measured missing":
        measured = np.full_like(measured, np.nan)
    if fault == "stopped early":
        wave = wave._replace(cycle=np.where(wave.cycle > 1.0, -1.0, wave.cycle))
    if fault == "constant":
        measured = np.full_like(measured, 3.0)
    if fault == "hole":
        predicted[len(predicted) // 2 :] = np.inf
    if fault == "zeros":
        measured = predicted = np.zeros_like(measured)
    with np.errstate(all="raise", under="ignore"):
        data = agreement(measured, predicted, **wave.stream).to_json()
    assert set(INTERFACE.split()) <= set(data)
    json.dumps(data, allow_nan=False)
    if fault in ("predicted missing", "measured missing", "stopped early"):
        assert data["nrms"] is None
        assert data["warnings"]
    if fault == "hole":
        assert 0 < data["half_cycles"] < 12
        assert data["nrms"] is not None


def test_same_bits_from_copies():
    """Computed twice, from other memory, to the last bit: what the run printed is what the record gives."""
    wave = sine()
    measured, predicted = force(Rig(), wave.command) + noise(wave, 2), force(Rig(m1=61.0), wave.command)
    first = agreement(measured, predicted, **wave.stream)
    padded = np.empty(len(measured) + 1)
    padded[1:] = measured
    assert agreement(padded[1:], predicted.copy(), **wave.stream) == first


def test_lowpass_starts_settled_and_forgets():
    """A constant stays constant from the first sample; a spike, and a missing sample, are forgotten within the stated time."""
    x = np.full(5000, 4.0)
    assert lowpass(x, RATE, 1000.0) == pytest.approx(x)
    x[100] = 1004.0
    y = lowpass(x, RATE, 1000.0)
    x[100] = np.nan
    good = usable(x, RATE, 1000.0)
    assert np.max(np.abs(y[good] - 4.0)) < 1e-3 * np.max(np.abs(y - 4.0))
    assert np.count_nonzero(~good) < 150
    assert lowpass(x, RATE, None)[100] == 4.0
