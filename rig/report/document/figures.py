"""What is drawn of a test: the whole of it, one cycle closely, the difference, every other channel, the peaks of the cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rig.comparison import Verdict
from rig.comparison.series import Series
from rig.report.document.agreement_tables import figure_of
from rig.report.document.content import Curve, Figure, Floats
from rig.report.document.cycle_tables import cycles_of, judged_channels
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words
from rig.report.names import words as channel_words
from rig.report.overlay.content import Difference, OverlayData
from rig.report.overlay.selection import contents
from rig.report.reducing import envelopes
from rig.signals.engineering_units import fitting

COLUMNS = 2000
"""Places along the time: each is drawn from its smallest to its largest sample."""
MEASURED, PREDICTED, COMMAND, DIFFERENCE = "measured", "predicted", "command", "difference"
MOST_CHANNELS = 16


def figures(run: ReportedRun, key: str, words: Words) -> list[Figure]:
    """In the order of the report; `key` begins the key of each."""
    data = contents(run.plan, run.signals, {}, Verdict("none", ""), run.settings)
    found = [_whole(run, data, key, words), _difference(run, data, key, words), _cycle(run, data, key, words)]
    found += [*_other_channels(run, key, words), *_peaks(run, key, words)]
    return [figure for figure in found if figure is not None]


def _whole(run: ReportedRun, data: OverlayData, key: str, words: Words) -> Figure:
    title = words["figure.whole"].format(channel=channel_words(data.channel))
    return _over_time(run, data, key + "-whole", title, (0, run.record.samples), words)


def _cycle(run: ReportedRun, data: OverlayData, key: str, words: Words) -> Figure | None:
    """The cycle in the middle of what counts, with what is around it."""
    if not len(data.counts):
        return None
    middle, period = (data.counts.start + data.counts.stop) // 2, run.record.rate * _period(run, data)
    first = max(0, round(middle - 0.75 * period))
    title = words["figure.cycle"].format(channel=channel_words(data.channel))
    return _over_time(run, data, key + "-cycle", title, (first, min(run.record.samples, round(first + 1.5 * period))), words)


def _period(run: ReportedRun, data: OverlayData) -> float:
    """s of a cycle; of a test without one frequency a second."""
    frequency = run.signals.command.frequency
    return 1.0 / frequency if frequency else min(1.0, len(data.counts) / run.record.rate)


def one_cycle(run: ReportedRun) -> tuple[Floats, Floats, str] | None:
    """(share of the cycle, what was measured of the channel that is shown first, its unit) in the middle of what counts."""
    data = contents(run.plan, run.signals, {}, Verdict("none", ""), run.settings)
    if not len(data.counts):
        return None
    cycle = run.signals.command.cycle
    middle = (data.counts.start + data.counts.stop) // 2
    reach = round(1.5 * run.record.rate * _period(run, data))
    around = slice(max(0, middle - reach), min(run.record.samples, middle + reach))
    there = around.start + np.flatnonzero(cycle[around] == cycle[middle : middle + 1])
    n, (y,) = envelopes([data.controlled.measured], int(there[0]), int(there[-1]) + 1, COLUMNS)
    unit, factor = fitting(data.controlled.unit, float(np.nanmax(np.abs(y), initial=0.0)))
    return (n - there[0]) / len(there), y * factor, unit


def _over_time(run: ReportedRun, data: OverlayData, key: str, title: str, part: tuple[int, int], words: Words) -> Figure:
    main = data.controlled
    named: list[tuple[str, Series]] = [(MEASURED, main.measured)]
    named += [(PREDICTED, main.predicted)] if main.predicted is not None else []
    if not data.command_unit or data.command_unit == main.unit:
        named = [(COMMAND, data.command), *named]
    return _figure(run, key, title, named, main.unit, part, words)


def _difference(run: ReportedRun, data: OverlayData, key: str, words: Words) -> Figure | None:
    main = data.controlled
    if main.predicted is None:
        return None
    title = words["figure.difference"].format(channel=channel_words(data.channel))
    gap = Difference(main.measured, main.predicted)
    return _figure(run, key + "-difference", title, [(DIFFERENCE, gap)], main.unit, (0, run.record.samples), words)


def _other_channels(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """As they were recorded: no filter, so that nothing is hidden."""
    found = run.signals
    for number, name in enumerate([name for name in found.measured if name != found.feedback][:MOST_CHANNELS]):
        named = [(MEASURED, found.measured[name])]
        named += [(PREDICTED, found.predicted[name])] if name in found.predicted else []
        title = words["figure.channel"].format(channel=channel_words(name))
        yield _figure(run, f"{key}-channel{number}", title, named, found.units.get(name, ""), (0, run.record.samples), words)


def _figure(
    run: ReportedRun, key: str, title: str, named: Sequence[tuple[str, Series]], si: str, part: tuple[int, int], words: Words
) -> Figure:
    n, curves = envelopes([signal for _, signal in named], *part, COLUMNS)
    largest = max((float(np.nanmax(np.abs(y))) for y in curves if np.isfinite(y).any()), default=0.0)
    unit, factor = fitting(si, largest)
    drawn = [Curve(words[f"curve.{name}"], n / run.record.rate, y * factor, name) for (name, _), y in zip(named, curves, strict=True)]
    text = words["figure.text"].format(title=title, curves=", ".join(_range(curve, unit) for curve in drawn))
    return Figure(key, title, text, words.titled("figure.time"), unit, drawn)


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
        largest = max((float(np.nanmax(np.abs(y))) for y in values.values() if np.isfinite(y).any()), default=0.0)
        unit, factor = fitting(str(told.get("unit", "")) if isinstance(told, dict) else "", largest)
        drawn = [Curve(words[f"curve.{curve}"], _column(rows, "cycle"), y * factor, f"{curve}-points") for curve, y in values.items()]
        title = words["figure.peaks"].format(channel=channel_words(name))
        text = words["figure.text"].format(title=title, curves=", ".join(_range(curve, unit) for curve in drawn))
        yield Figure(f"{key}-peaks{number}", title, text, words.titled("cycles.cycle"), unit, drawn)


def _column(rows: Sequence[object], key: str) -> Floats:
    return np.array([np.nan if (value := figure_of(row, key)) is None else value for row in rows], dtype=np.float64)  # type: ignore[arg-type]
