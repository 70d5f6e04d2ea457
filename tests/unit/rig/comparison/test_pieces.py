"""Piece by piece is the same as at once, wherever the cuts fall, and takes no more memory for a longer record."""

import dataclasses
import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.comparison import Commanded, Compared, Settings, agreements
from rig.comparison.delays import segments
from rig.comparison.delays.delay import delay
from rig.comparison.delays.fractional_shift import Shifted, shifted
from rig.comparison.filtering import Lowpassed, Usable
from rig.comparison.gap_filling import GapFilled
from rig.comparison.preparation import Counted
from rig.comparison.responses import Responses, response
from rig.comparison.reversals import reversals, zeros
from rig.comparison.series import pieces
from tests.thorough import times
from tests.tiers import quick
from tests.unit.rig.comparison.reference_rig import RATE, Rig, force
from tests.unit.rig.comparison.waves import noise, program, sine, sweep

SUMS = {
    "rms_difference", "share_of_rms", "share_of_peak", "nrms", "fundamental_error", "phase_error_deg",
    "peak_measured", "peak_predicted", "peak_error", "scatter",
}  # fmt: skip
"""Figures that are sums: they depend on the order of adding in the last bits. All others are the same bits."""
LENGTHS = st.integers(1, 4000)


def holed(seed: int, count: int = 3000) -> np.ndarray:
    """Noise with gaps, some of them at the ends or longer than a piece."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(count)
    for first in rng.integers(0, count, rng.integers(0, 6)):
        x[first : first + rng.integers(1, 900)] = np.nan
    return x


def in_pieces(series, length: int) -> np.ndarray:
    return np.concatenate([series[part] for part in pieces(0, len(series), length)])


@given(seed=st.integers(0, 10_000), length=LENGTHS)
def test_signals_are_the_same_bits_in_pieces(seed, length):
    x = holed(seed)
    known = np.flatnonzero(np.isfinite(x))
    lines = np.interp(np.arange(len(x)), known, x[known]) if len(known) else np.zeros(len(x))
    assert np.array_equal(in_pieces(GapFilled(x), length), lines)
    assert np.array_equal(in_pieces(Lowpassed(x, 1000.0, 50.0), length), Lowpassed(x, 1000.0, 50.0)[:])
    memory = 40  # 2 / (50 Hz) at 1 kHz
    missing = np.convolve(~np.isfinite(x), np.ones(memory + 1))[: len(x)]  # of the sample and those before it that it remembers
    assert np.array_equal(in_pieces(Usable(x, 1000.0, 50.0), length), missing == 0.0)


@given(seed=st.integers(0, 10_000), length=LENGTHS, late=st.one_of(st.integers(-4000, 4000), st.floats(-4000.0, 4000.0)))
def test_shifted_is_the_same_bits_in_pieces(seed, length, late):
    x = np.random.default_rng(seed).standard_normal(3000)
    assert np.array_equal(in_pieces(Shifted(x, late), length), shifted(x, late))
    whole = round(late)
    held = x[np.clip(np.arange(len(x)) - whole, 0, len(x) - 1)]
    assert np.array_equal(shifted(x, whole), held)


@given(seed=st.integers(0, 10_000), asked=st.lists(st.tuples(st.integers(0, 2999), st.integers(0, 800)), max_size=6))
def test_slices_in_any_order(seed, asked):
    """The filter begins anew for a slice from elsewhere, and its past has been forgotten by then."""
    x = holed(seed)
    series, bridged, good = Lowpassed(x, 1000.0, 50.0), GapFilled(x), Usable(x, 1000.0, 50.0)
    filtered, lines, usable = Lowpassed(x, 1000.0, 50.0)[:], GapFilled(x)[:], Usable(x, 1000.0, 50.0)[:]
    for first, count in asked:
        part = slice(first, first + count)
        assert series[part] == pytest.approx(filtered[part], abs=1e-12)
        assert np.array_equal(bridged[part], lines[part])
        assert np.array_equal(good[part], usable[part])


@given(wave=st.sampled_from([sine(cycles=3), sweep(duration=1.5), program()]), length=st.integers(50, 50_000), cut=st.integers(0, 20_000))
@settings(max_examples=times(25), deadline=None)
def test_reversals_do_not_depend_on_the_cuts(wave, length, cut):
    """Also of a command that is loaded from its first sample on, and one that rests."""
    command, cycle = wave.command[cut:], wave.cycle[cut:]
    at_once = zeros(command, cycle, wave.amplitude, None, len(command))
    assert np.array_equal(zeros(command, cycle, wave.amplitude, None, length), at_once)
    never_held = 1e9  # no half cycle lasts longer than a sine of such a period has it
    assert np.array_equal(zeros(command, cycle, wave.amplitude, never_held, length)["zero"], at_once["zero"])
    signal = np.roll(command, 200)
    gathered = Responses(at_once, RATE)
    for part in pieces(0, len(command), length):
        gathered.add(part.start, signal[part], command[part])
    found = reversals(command, cycle, np.ones(len(command), dtype=bool), wave.amplitude, None)
    inside = np.array([r.window(3.0 / 8.0).stop <= len(command) for r in found], dtype=bool)
    rows = gathered.choose(np.isin(at_once["zero"], [r.zero for r in found])).rows
    assert inside.all() and len(rows) == len(found)
    for row, reversal in zip(rows, found, strict=True):
        assert np.array_equal(row.tolist(), dataclasses.astuple(response(signal, command, reversal, RATE)), equal_nan=True)


def compared(wave, seed: int = 1) -> dict[str, Compared]:
    """A force that the command is for, and something else; both with a gap."""
    predicted = force(Rig(), wave.command)
    measured = force(Rig(m1=61.0), wave.command) + noise(wave, seed)
    measured[60_000:60_400] = np.nan
    return {
        "force": Compared(measured, predicted, wave.amplitude, "N"),
        "stroke": Compared(measured * 1e-8, predicted * 1.01e-8, None, "m"),
    }


WAVES = {"sine": lambda: sine(cycles=5), "sweep": sweep, "program": program}


@pytest.mark.parametrize(("name", "late"), quick(product(WAVES, (0.0, 12.4)), [("sine", 12.4)]))
def test_figures_do_not_depend_on_the_length_of_the_pieces(name, late):
    wave = WAVES[name]()
    channels, command = compared(wave), Commanded(wave.command, wave.cycle, wave.phase, wave.frequency)
    asked = Settings(remove_delay=late / RATE)
    whole = agreements(channels, command, RATE, asked, length=len(wave.command))
    for length in (997, 16_384, 65_536):
        for name, found in agreements(channels, command, RATE, asked, length=length).items():
            for key, value in whole[name].to_json().items():
                got = found.to_json()[key]
                if key == "intervals":
                    assert {name: pytest.approx(one, rel=1e-6, abs=1e-9) for name, one in value.items()} == got, (name, length)
                    continue
                assert got == (pytest.approx(value, rel=1e-9) if key in SUMS and value is not None else value), (name, key, length)


class Repeated:
    """One cycle of a signal over and over, (N,), without its samples being anywhere."""

    def __init__(self, cycle: np.ndarray, count: int, rise: float = 0.0) -> None:
        self._cycle, self._count, self._rise = cycle, count, rise

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> np.ndarray:
        n = np.arange(*part.indices(self._count))
        return self._cycle[n % len(self._cycle)] + self._rise * (n // len(self._cycle))


def repeated(cycles: int) -> tuple[dict[str, Compared], Commanded]:
    """A sine of 8 Hz, its prediction a little early and a little too large; 6400 samples a cycle."""
    phase = 2.0 * np.pi * np.arange(6400) / 6400
    count = 6400 * cycles
    measured, predicted, value = 1e4 * np.sin(phase - 0.01), 1.01e4 * np.sin(phase), 1e4 * np.sin(phase)
    channels = {"force": Compared(Repeated(measured, count), Repeated(predicted, count), 1e4, "N")}
    turning, counting = Repeated(phase, count, 2.0 * np.pi), Repeated(np.zeros(6400), count, 1.0)
    return channels, Commanded(Repeated(value, count), counting, turning, 8.0)


def peak(cycles: int) -> tuple[int, object]:
    channels, command = repeated(cycles)
    tracemalloc.start()
    try:
        found = agreements(channels, command, RATE)["force"]
        return tracemalloc.get_traced_memory()[1], found
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_memory_is_some_bytes_a_cycle():
    """Both are longer than what the delay is read from; one signal alone is 51 kB a cycle."""
    short, long = 200, 600
    (little, first), (much, second) = peak(short), peak(long)
    gained = (much - little) / (long - short)
    print(f"{little / 1e6:.1f} MB for {short} cycles, {much / 1e6:.1f} MB for {long}: {gained:.0f} bytes a cycle")
    assert gained < 2000
    assert len(second.cycles) == long - 2
    assert second.fundamental_error == pytest.approx(0.01, rel=1e-6)
    assert second.delay_samples == pytest.approx(first.delay_samples, abs=1e-3)
    assert second.delay_samples == pytest.approx(0.01 / (2.0 * np.pi) * 6400, rel=1e-2)


@given(count=st.integers(1, 5000), ends=st.tuples(st.integers(0, 5000), st.integers(0, 5000)), longest=st.integers(8, 1000))
def test_stretches_lie_in_the_record_and_do_not_overlap(count, ends, longest):
    first, last = sorted(min(n, count) for n in ends)
    parts = segments.choose(count, first, last, longest)
    taken = [n for part in parts for n in range(part.start, part.stop)]
    assert len(taken) == len(set(taken)) <= longest
    assert all(0 <= n < count for n in taken)
    assert taken == sorted(taken)
    if count <= longest:
        assert len(taken) == count


def test_delay_of_stretches_is_that_of_the_whole_and_no_surer():
    """What the model is wrong in comes again in every cycle, so that a longer record does not make its delay any surer."""
    wave = sine(cycles=24)
    one = compared(wave, seed=3)["force"]
    measured, predicted = Lowpassed(one.measured, RATE, 1000.0), Lowpassed(one.predicted, RATE, 1000.0)
    known, counted = Usable(one.measured, RATE, 1000.0), Counted(wave.cycle, 2)
    reach = 1024
    whole = delay(measured[:], predicted[:], known[:] & counted[:], reach)
    parts = segments.choose(len(wave.command), counted.extent.start, counted.extent.stop, 1 << 18)
    assert len(parts) == segments.STRETCHES
    kept = segments.joined_marks(known, counted, parts, reach + 6)
    some = delay(segments.joined(measured, parts), segments.joined(predicted, parts), kept, reach, segments.seams(parts))
    print(f"whole {whole}, stretches {some}")
    assert abs(some.samples - whole.samples) < whole.sigma
    assert 0.5 * whole.sigma < some.sigma < 3.0 * whole.sigma


def test_a_stretch_that_comes_again_makes_nothing_surer():
    """Four times the same: the same delay, with the same deviation but for where the circular correlation of each is closed."""
    wave = sine(cycles=4)
    one = compared(wave, seed=3)["force"]
    measured, predicted = (Lowpassed(x, RATE, 1000.0)[:] for x in (one.measured, one.predicted))
    kept = Usable(one.measured, RATE, 1000.0)[:] & Counted(wave.cycle, 1)[:]
    kept[-1100:] = False
    single = delay(measured, predicted, kept, 1024)
    seams = [len(kept) * i for i in (1, 2, 3)]
    again = delay(np.tile(measured, 4), np.tile(predicted, 4), np.tile(kept, 4), 1024, seams)
    assert again.samples == pytest.approx(single.samples, abs=1e-2 * single.sigma)
    assert again.sigma == pytest.approx(single.sigma, rel=1e-2)
