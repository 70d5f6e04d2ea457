import numpy as np
import pytest

from rig.display.sources.averaging import KEPT, AveragedSpectrum, columns
from rig.display.sources.source import Floats, Trace

RATE = 1000.0
TRACE = Trace("measured", "x")


class Samples:
    """A source of one trace that counts what is asked of it."""

    rate, progress = RATE, 1.0

    def __init__(self, values: Floats) -> None:
        self.values, self.asked = values, 0

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        self.asked += 1
        return first, self.values[first : min(last, len(self.values))]


def _averaged(values: Floats) -> AveragedSpectrum:
    spectrum, source = AveragedSpectrum(TRACE, RATE), Samples(values)
    while spectrum.update(source, len(values)):  # type: ignore[arg-type]
        pass
    return spectrum


@pytest.mark.parametrize("frequency", [3.0, 50.3, 333.0])
def test_a_line_reads_its_amplitude(frequency: float) -> None:
    spectrum = _averaged(7.0 * np.sin(2 * np.pi * frequency * np.arange(8192) / RATE) + 3.0)
    amplitudes = spectrum.amplitudes()
    assert amplitudes is not None
    assert spectrum.averaged == KEPT
    assert abs(spectrum.frequencies[np.argmax(amplitudes)] - frequency) <= RATE / spectrum.length
    # Between two lines a Hann window reads at least 85 % of the amplitude; the power of its main lobe is 1.5 times that of the line.
    assert 0.84 * 7.0 < amplitudes.max() < 7.01
    assert np.sqrt(np.sum(amplitudes**2) / 1.5) == pytest.approx(7.0, rel=0.02)


def test_the_level_in_a_band_is_the_rms_of_what_is_in_it() -> None:
    """A tone of 7 within it has 7/sqrt(2); one beside it adds nothing; of white noise it is the band's share of the power."""
    t = np.arange(8192) / RATE
    spectrum = _averaged(7.0 * np.sin(2 * np.pi * 150.3 * t) + 3.0 * np.sin(2 * np.pi * 40.0 * t))
    assert spectrum.level(100.0, 300.0) == pytest.approx(7.0 / np.sqrt(2.0), rel=0.02)
    assert spectrum.level(300.0, 400.0) == pytest.approx(0.0, abs=0.01)
    noise = _averaged(np.random.default_rng(2).normal(size=8192))
    assert noise.level(100.0, 300.0) == pytest.approx(np.sqrt(200.0 / 500.0), rel=0.06)
    assert AveragedSpectrum(TRACE, RATE).level(100.0, 300.0) is None


def test_the_mean_of_noise_steadies() -> None:
    values = np.random.default_rng(3).normal(size=8192)
    one, many = AveragedSpectrum(TRACE, RATE), _averaged(values)
    one.update(Samples(values), 8192)  # type: ignore[arg-type]
    spread = []
    for spectrum in (one, many):
        amplitudes = spectrum.amplitudes()
        assert amplitudes is not None
        power = amplitudes[5:-5] ** 2
        spread.append(power.std() / power.mean())
    assert spread[1] < 0.65 * spread[0]


def test_each_stretch_is_transformed_once_and_one_at_a_time() -> None:
    source, spectrum = Samples(np.random.default_rng(1).normal(size=20000)), AveragedSpectrum(TRACE, RATE)
    for now in range(4000, 20000, 40):
        before = source.asked
        spectrum.update(source, now)  # type: ignore[arg-type]
        assert source.asked - before <= 1
    assert source.asked <= 20000 // (spectrum.length // 2)
    assert spectrum.averaged == KEPT


def test_a_stretch_with_a_gap_is_left_out() -> None:
    values = np.ones(8192)
    values[-10] = np.nan
    spectrum = _averaged(values)
    assert spectrum.averaged == KEPT - 1
    assert _averaged(values[:100]).amplitudes() is None


def test_no_line_is_lost_between_the_pixels() -> None:
    frequencies = np.fft.rfftfreq(65536, 1.0 / 51200.0)
    starts, shown = columns(frequencies, 1.0, 400)
    assert len(starts) == len(shown) <= 400
    amplitudes = np.zeros(len(frequencies))
    for line in (2, 77, 6000, len(frequencies) - 1):
        amplitudes[:] = 0.0
        amplitudes[line] = 1.0
        reduced = np.maximum.reduceat(amplitudes, starts)
        assert reduced.max() == 1.0
        assert abs(np.log10(shown[np.argmax(reduced)] / frequencies[line])) < 0.02
