"""Of each channel that is judged: how much there is at each frequency, and how well measured and predicted go together there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rig.comparison.preparation import Counted
from rig.comparison.spectra import Spectra, grouped, segment, spectra
from rig.report.document.content import Curve, Figure
from rig.report.document.cycle_tables import judged_channels
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words
from rig.report.names import words as channel_words
from rig.signals.engineering_units import fitting

SURE = 0.25
"""Largest standard deviation of |H1|, as a share of it, with which it is drawn."""
FLOOR = 1e-8
"""Of the largest density predicted: what lies 80 dB below it is a model's rounding."""
COVERAGE = 1.96
"""Standard deviations to either side: 95 %."""


def spectral_figures(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """Two for each channel; none of one that is not predicted, or whose cycles are too few."""
    found = run.signals
    counts = Counted(found.command.cycle, run.settings.discard_cycles)
    period = 1.0 / found.command.frequency if found.command.frequency else None
    length = segment(run.record.rate, period, counts.samples)
    for number, name in enumerate(judged_channels(run)):
        if name not in found.predicted or name not in found.measured:
            continue
        one = spectra(found.measured[name], found.predicted[name], run.record.rate, counts, counts.extent, length)
        if one is not None:
            yield _levels(one, found.units.get(name, ""), f"{key}-spectrum{number}", name, words)
            yield _ratio(one, f"{key}-ratio{number}", name, words)


def _levels(one: Spectra, si: str, key: str, name: str, words: Words) -> Figure:
    frequency, *densities = grouped(one.frequency, one.measured, one.predicted, one.difference)
    amplitudes = [np.sqrt(density) for density in densities]
    unit, factor = fitting(si, max(float(np.max(y)) for y in amplitudes))
    drawn = zip(("measured", "predicted", "difference"), amplitudes, strict=True)
    curves = [Curve(words[f"curve.{style}"], frequency, y * factor, style) for style, y in drawn]
    return _figure(key, words["figure.spectrum"].format(channel=channel_words(name)), f"{unit}/√Hz", curves, "xy", words)


def _ratio(one: Spectra, key: str, name: str, words: Words) -> Figure:
    """H1 where the two have something in common; each value with its bounds as a line that stands."""
    frequency, coherence = grouped(one.frequency, one.coherence)
    sure = one.together & (one.deviation <= SURE) & (one.predicted >= FLOOR * np.max(one.predicted))
    x, size, deviation = grouped(one.frequency[sure], np.abs(one.h1[sure]), one.deviation[sure])
    low, high = (size * (1.0 + side * COVERAGE * deviation) for side in (-1.0, 1.0))
    gap = np.full(len(x), np.nan)
    curves = [
        Curve(words["curve.coherence"], frequency, coherence, "coherence"),
        Curve(words["curve.bound"], np.column_stack((x, x, gap)).ravel(), np.column_stack((low, high, gap)).ravel(), "bound"),
        Curve(words["curve.ratio"], x, size, "ratio-points"),
    ]
    return _figure(key, words["figure.ratio"].format(channel=channel_words(name)), "1", curves, "xy", words)


def _figure(key: str, title: str, unit: str, curves: list[Curve], logarithmic: str, words: Words) -> Figure:
    text = words["figure.text"].format(title=title, curves=", ".join(curve.name for curve in curves))
    return Figure(key, title, text, words.titled("figure.frequency"), unit, curves, logarithmic=logarithmic)
