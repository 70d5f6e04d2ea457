"""Of each channel that is judged: how much there is so many times a turn of the shaft, or a cycle of the load."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rig.comparison.delays.fractional_shift import Shifted
from rig.comparison.gap_filling import GapFilled
from rig.comparison.orders.spectra import MARGIN, OrderSpectra, order_spectra
from rig.comparison.preparation import Counted
from rig.comparison.series import Floats, Series
from rig.comparison.spectra import grouped
from rig.report.document.content import Curve, Figure
from rig.report.document.cycle_tables import judged_channels
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words
from rig.report.names import words as channel_words
from rig.report.overlay.turn import drawn_over
from rig.report.signals import measured_angle
from rig.signals import shaft
from rig.signals.engineering_units import fitting

LONGEST = 1 << 21
"""Samples that are looked at: of more the last ones."""
SMOOTHED = 0.1
"""s beside what is looked at, in which the smoothed angle of an encoder settles."""
NAMED = 5
"""Whole orders whose amplitudes are told in words."""
FLOOR = 1e-5
"""Of the largest line: what lies 100 dB below it is not drawn."""


def order_figures(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """One for each channel; none of one that is not predicted, or of a test whose angle does not go on and on."""
    found = run.signals
    counts = Counted(found.command.cycle, run.settings.discard_cycles)
    part = slice(max(counts.extent.start, counts.extent.stop - LONGEST), counts.extent.stop)
    if part.stop - part.start < 2 * MARGIN:
        return
    angle, counted = _turned(run, part), counts[part]
    for number, name in enumerate(judged_channels(run)):
        if name not in found.predicted or name not in found.measured:
            continue
        predicted = np.asarray(found.predicted[name][part], dtype=np.float64)
        one = order_spectra(_measured(run, found.measured[name], part), predicted, angle, counted)
        if one is not None and len(one.order):
            yield _figure(one, found.units.get(name, ""), f"{key}-orders{number}", name, words)


def _measured(run: ReportedRun, measured: Series, part: slice) -> Floats:
    """With its known delay taken out; NaN where it is missing."""
    late = run.settings.remove_delay * run.record.rate
    samples = np.asarray(measured[part], dtype=np.float64)
    if not late:
        return samples
    shifted = np.asarray(Shifted(GapFilled(measured), -late)[part], dtype=np.float64)
    return np.where(np.isfinite(samples), shifted, np.nan)


def _turned(run: ReportedRun, part: slice) -> Floats:
    """(n,) rad; of an encoder smoothed, as its steps would be noise at every order."""
    series, _ = drawn_over(run.plan, run.signals)
    name = measured_angle(run.plan)
    counter = next((channel.counter for channel in run.plan.bench.channels if channel.name == name), None)
    if counter is None or name not in run.signals.measured:
        return np.asarray(series[part], dtype=np.float64)
    margin = round(SMOOTHED * run.record.rate)
    first, last = max(0, part.start - margin), min(len(series), part.stop + margin)
    course = shaft.from_encoder(np.asarray(series[first:last], dtype=np.float64), run.record.rate, counter.resolution)
    return course.angle[part.start - first : part.stop - first]


def _figure(one: OrderSpectra, si: str, key: str, name: str, words: Words) -> Figure:
    unit, factor = fitting(si, float(np.max(one.measured)))
    title = words["figure.orders"].format(channel=channel_words(name))
    told = [
        f"{one.order[k]:g}: {one.measured[k] * factor:.4g}, {one.predicted[k] * factor:.4g} {unit}" for k in one.largest(NAMED)
    ]  # fmt: skip
    text = words["figure.orders_text"].format(title=title, turns=one.turns, segments=one.segments, largest="; ".join(told))
    order, *amplitudes = grouped(one.order, one.measured, one.predicted, one.difference)
    least = FLOOR * float(max(np.max(y) for y in amplitudes))
    drawn = zip(("measured", "predicted", "difference"), amplitudes, strict=True)
    curves = [Curve(words[f"curve.{style}"], order, np.where(y > least, y, np.nan) * factor, style) for style, y in drawn]
    return Figure(key, title, text, words.titled("figure.order"), unit, curves, logarithmic="xy")
