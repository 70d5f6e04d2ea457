"""What is drawn of a test: the whole of it, one cycle closely, the difference, every other channel, the peaks of the cycles, spectra."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rig.comparison.bands.columns import ends
from rig.comparison.preparation import Counted
from rig.comparison.series import Once, Series
from rig.report.document.agreement_tables import figure_of
from rig.report.document.content import Curve, Figure, Floats
from rig.report.document.cycle_tables import cycles_of, judged_channels
from rig.report.document.explaining import impact_map, orbits
from rig.report.document.losses import loss_map
from rig.report.document.orders import order_figures
from rig.report.document.reported_run import ReportedRun
from rig.report.document.spectra import spectral_figures
from rig.report.document.wording import Words
from rig.report.names import words as channel_words
from rig.report.overlay.content import Difference
from rig.report.overlay.selection import as_compared, commanded
from rig.report.reducing import envelopes
from rig.signals.engineering_units import fitting

COLUMNS = 2000
"""Places along the time: each is drawn from its smallest to its largest sample."""
MEASURED, PREDICTED, COMMAND, DIFFERENCE = "measured", "predicted", "command", "difference"
MOST_CHANNELS = 16


@dataclass(frozen=True)
class Main:
    """The channel that is shown first, as it is compared; counts: samples from the first that counts to the last; period: of a cycle, s."""

    channel: str
    measured: Series
    predicted: Series | None
    command: Series | None
    """None where it is another quantity than the channel's."""
    unit: str
    counts: range
    period: float

    @property
    def named(self) -> list[tuple[str, Series]]:
        """What is drawn over each other."""
        found = [(COMMAND, self.command), (MEASURED, self.measured), (PREDICTED, self.predicted)]
        return [(name, signal) for name, signal in found if signal is not None]


def main_channel(run: ReportedRun) -> Main:
    """Read where it is sliced."""
    found, settings = run.signals, run.settings
    both, _ = as_compared(found, found.feedback, settings)
    command = Once(commanded(found.command)) if both.unit == found.command.unit else None
    predicted = None if both.predicted is None else Once(both.predicted)
    counts = Counted(found.command.cycle, settings.discard_cycles).extent
    frequency = found.command.frequency
    period = 1.0 / frequency if frequency else min(1.0, len(counts) / run.record.rate)
    return Main(found.feedback, Once(both.measured), predicted, command, both.unit, counts, period)


def figures(run: ReportedRun, key: str, words: Words) -> list[Figure]:
    """In the order of the report; `key` begins the key of each."""
    main = main_channel(run)
    found = [*_whole(run, main, key, words), *_cycle(run, main, key, words)]
    found += [*loss_map(run, key, words), *impact_map(run, key, words), *orbits(run, key, words)]
    return [
        *found,
        *_other_channels(run, key, words),
        *_peaks(run, key, words),
        *spectral_figures(run, key, words),
        *order_figures(run, key, words),
    ]


def _whole(run: ReportedRun, main: Main, key: str, words: Words) -> Iterator[Figure]:
    """Curves and their difference, from one reading."""
    named, channel = main.named, channel_words(main.channel)
    if main.predicted is not None:
        named = [*named, (DIFFERENCE, Difference(main.measured, main.predicted))]
    whole = _curves(run, named, main.unit, (0, run.record.samples), words)
    over = [curve for curve in whole.curves if curve.style != DIFFERENCE]
    yield _figure(f"{key}-whole", words["figure.whole"].format(channel=channel), over, whole.unit, words)
    if apart := [curve for curve in whole.curves if curve.style == DIFFERENCE]:
        yield _figure(f"{key}-difference", words["figure.difference"].format(channel=channel), apart, whole.unit, words)


def _cycle(run: ReportedRun, main: Main, key: str, words: Words) -> Iterator[Figure]:
    """The cycle in the middle of what counts, with what is around it."""
    if not len(main.counts):
        return
    middle, period = (main.counts.start + main.counts.stop) // 2, run.record.rate * main.period
    first = max(0, round(middle - 0.75 * period))
    named = [*main.named, *_band(run, main)]
    drawn = _curves(run, named, main.unit, (first, min(run.record.samples, round(first + 1.5 * period))), words)
    yield _figure(f"{key}-cycle", words["figure.cycle"].format(channel=channel_words(main.channel)), drawn.curves, drawn.unit, words)


def _band(run: ReportedRun, main: Main) -> list[tuple[str, Series]]:
    """Both ends of the band of an ensemble, where one was recorded."""
    columns = ends(main.channel)
    if not set(columns) <= set(run.record.band):
        return []
    return [(f"band_{side}", run.record.band_column(column)) for side, column in zip(("low", "high"), columns, strict=True)]


def one_cycle(run: ReportedRun) -> tuple[Floats, Floats, str] | None:
    """(share of the cycle, what was measured of the channel that is shown first, its unit) in the middle of what counts."""
    main = main_channel(run)
    if not len(main.counts):
        return None
    cycle = run.signals.command.cycle
    middle, reach = (main.counts.start + main.counts.stop) // 2, round(1.5 * run.record.rate * main.period)
    around = slice(max(0, middle - reach), min(run.record.samples, middle + reach))
    there = around.start + np.flatnonzero(cycle[around] == cycle[middle : middle + 1])
    n, (y,) = envelopes([main.measured], int(there[0]), int(there[-1]) + 1, COLUMNS)
    unit, factor = fitting(main.unit, _largest([y]))
    return (n - there[0]) / len(there), y * factor, unit


def _other_channels(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """As they were recorded: no filter, so that nothing is hidden."""
    found = run.signals
    for number, name in enumerate([name for name in found.measured if name != found.feedback][:MOST_CHANNELS]):
        named = [(MEASURED, found.measured[name])]
        named += [(PREDICTED, found.predicted[name])] if name in found.predicted else []
        drawn = _curves(run, named, found.units.get(name, ""), (0, run.record.samples), words)
        yield _figure(
            f"{key}-channel{number}", words["figure.channel"].format(channel=channel_words(name)), drawn.curves, drawn.unit, words
        )


class Drawn(NamedTuple):
    """Curves in one unit."""

    curves: list[Curve]
    unit: str


def _curves(run: ReportedRun, named: Sequence[tuple[str, Series]], si: str, part: tuple[int, int], words: Words) -> Drawn:
    n, reduced = envelopes([signal for _, signal in named], *part, COLUMNS)
    unit, factor = fitting(si, _largest(reduced))
    time = n / run.record.rate
    return Drawn([Curve(words[f"curve.{name}"], time, y * factor, name) for (name, _), y in zip(named, reduced, strict=True)], unit)


def _largest(reduced: Sequence[Floats]) -> float:
    return max((float(np.nanmax(np.abs(y))) for y in reduced if np.isfinite(y).any()), default=0.0)


def _figure(key: str, title: str, curves: Sequence[Curve], unit: str, words: Words) -> Figure:
    text = words["figure.text"].format(title=title, curves=", ".join(_range(curve, unit) for curve in curves))
    return Figure(key, title, text, words.titled("figure.time"), unit, curves)


def _range(curve: Curve, unit: str) -> str:
    known = curve.y[np.isfinite(curve.y)]
    return f"{curve.name} {known.min():.4g} … {known.max():.4g} {unit}" if len(known) else f"{curve.name} –"


def _peaks(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """Largest value of each cycle, of the channels that are judged."""
    for number, name in enumerate(judged_channels(run)):
        rows = cycles_of(run, name)
        if len(rows) < 2:
            continue
        told = run.part("agreement")[name]
        values = {curve: _column(rows, f"peak_{curve}") for curve in (MEASURED, PREDICTED)}
        unit, factor = fitting(str(told.get("unit", "")) if isinstance(told, dict) else "", _largest([*values.values()]))
        drawn = [Curve(words[f"curve.{curve}"], _column(rows, "cycle"), y * factor, f"{curve}-points") for curve, y in values.items()]
        title = words["figure.peaks"].format(channel=channel_words(name))
        text = words["figure.text"].format(title=title, curves=", ".join(_range(curve, unit) for curve in drawn))
        yield Figure(f"{key}-peaks{number}", title, text, words.titled("cycles.cycle"), unit, drawn)


def _column(rows: Sequence[object], key: str) -> Floats:
    return np.array([np.nan if (value := figure_of(row, key)) is None else value for row in rows], dtype=np.float64)  # type: ignore[arg-type]
