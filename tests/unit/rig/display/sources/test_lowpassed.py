"""Curves behind the low-pass of the comparison: those that are judged, wherever a picture begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rig.comparison.filtering import lowpass
from rig.display.sources.lowpassed import LONGEST, Judged
from rig.display.sources.source import DIFFERENCE, Trace

RATE, CORNER, N = 5000.0, 100.0, 20_000
T = np.arange(N) / RATE
WAVE = 10.0 * np.sin(2 * np.pi * 5.0 * T) + 100.0 * np.exp(-(((T % 0.2) - 0.1) ** 2) / 1e-8)


class Still:
    """A source with one wave in every trace."""

    rate, progress = RATE, 1.0

    def __init__(self, wave: np.ndarray) -> None:
        self.wave = wave

    def watch(self, traces: Sequence[Trace]) -> None: ...
    def poll(self) -> None: ...

    def end(self, trace: Trace) -> int | None:
        return len(self.wave)

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, np.ndarray]:
        first = max(0, first)
        return first, self.wave[first : max(first, last)]

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, np.ndarray, np.ndarray]:
        return first, step, np.array([-1.0]), np.array([1.0])

    def levels(self, last: int, count: int) -> tuple[tuple[str, ...], np.ndarray]:
        return ("force",), self.wave[:, None]

    def axes(self, now: int) -> tuple[()]:
        return ()

    def instruments(self, now: int) -> dict[str, object]:
        return {}


def judged(wave: np.ndarray = WAVE) -> Judged:
    return Judged(Still(wave), CORNER, "force")  # type: ignore[arg-type]


FORCE = Trace("measured", "force")


def test_a_stretch_from_the_middle_is_that_of_the_whole() -> None:
    whole = lowpass(WAVE, RATE, CORNER)
    for trace in (FORCE, Trace("predicted_as_measured", "force"), Trace(DIFFERENCE, "force")):
        begin, shown = judged().samples(trace, 7000, 9000)
        assert (begin, len(shown)) == (7000, 2000)
        np.testing.assert_allclose(shown, whole[7000:9000], atol=1e-3 * np.ptp(whole))
    assert np.ptp(WAVE) > 3.0 * np.ptp(whole), "so impacts are gone"
    begin, shown = judged().samples(FORCE, -500, 100)
    assert begin == 0
    np.testing.assert_allclose(shown, whole[:100], atol=1e-9)


def test_bins_stand_still_while_time_goes_on() -> None:
    source = judged()
    whole = lowpass(WAVE, RATE, CORNER)
    for last in (9000, 9003, 9049):
        begin, step, low, high = source.bounds(FORCE, last - 2000, last, 50)
        assert (begin % 50, step) == (0, 50)
        k = 20
        part = whole[begin + 50 * k : begin + 50 * (k + 1)]
        np.testing.assert_allclose((low[k], high[k]), (part.min(), part.max()), atol=1e-3 * np.ptp(whole))


def test_what_was_not_recorded_stays_a_gap() -> None:
    holed = WAVE.copy()
    holed[8000:8100] = np.nan
    _, shown = judged(holed).samples(FORCE, 7500, 8600)
    assert np.isnan(shown[500:600]).all() and np.isfinite(shown[:500]).all() and np.isfinite(shown[600:]).all()
    _, shown = judged(np.full(N, np.nan)).samples(FORCE, 100, 200)
    assert np.isnan(shown).all()
    assert judged(np.empty(0)).samples(FORCE, 100, 200)[1].size == 0


def test_other_channels_and_long_spans_come_as_they_are() -> None:
    source = judged()
    for trace in (Trace("measured", "angle"), Trace("command", "force")):
        np.testing.assert_array_equal(source.samples(trace, 7000, 7100)[1], WAVE[7000:7100])
        assert source.bounds(trace, 0, 100, 10)[2].tolist() == [-1.0]
    assert source.bounds(FORCE, 0, LONGEST + 1, 10)[2].tolist() == [-1.0]
    source.channel = "angle"
    np.testing.assert_array_equal(source.samples(FORCE, 7000, 7100)[1], WAVE[7000:7100])
