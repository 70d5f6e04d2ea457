"""Figures that explain a test: impacts over angle and cycle, and where the model has the pins, as far as the record has that itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rig.errors import ConfigError
from rig.motion.parts import Pin
from rig.report.document.content import Curve, Figure, Floats
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words
from rig.report.impacts.found import Side, impacts
from rig.report.motion.found import Found, find
from rig.report.names import words as channel_words

POINTS = 4000
"""Of an orbit."""
AROUND = 181
"""Of a circle."""


def impact_map(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """Of the first acceleration; none where nothing hits, or no joint has play."""
    if not run.plan.experiment.mechanism.play:
        return
    try:
        found = impacts(run.plan, run.record)
    except ConfigError:
        return
    if found.unit != "m/s^2" or not len(found.measured.spikes):
        return
    title = words["figure.impacts"].format(channel=channel_words(found.channel))
    text = words["figure.impacts_text"].format(
        title=title, measured=len(found.measured.spikes), predicted=len(found.predicted.spikes), matched=len(found.pairs[0])
    )
    sides = ((found.measured, "measured"), (found.predicted, "predicted"))
    curves = [_dots(side, words[f"curve.{name}"], name) for side, name in sides]
    yield Figure(f"{key}-impacts", title, text, words["figure.angle"], words.titled("cycles.cycle"), curves)


def _dots(side: Side, name: str, style: str) -> Curve:
    return Curve(name, side.angle, side.cycle, f"{style}-points")


def orbits(run: ReportedRun, key: str, words: Words) -> Iterator[Figure]:
    """Of each pin whose place the predictor published; a report does not run the model again."""
    try:
        found = find(run.plan, run.record, again=False)
    except ConfigError:
        return
    for number, pin in enumerate(found.motion.pins):
        yield _orbit(found, pin, f"{key}-orbit{number}", words)


def _orbit(found: Found, pin: Pin, key: str, words: Words) -> Figure:
    title = words["figure.orbit"].format(joint=pin.name)
    begin, end = (f"{found.motion.time[n]:.4g}" for n in (0, -1))
    share = f"{100.0 * float(np.mean(pin.closed)):.3g}"
    text = words["figure.orbit_text"].format(title=title, begin=begin, end=end, share=share, clearance=f"{1e3 * pin.clearance:.3g}")
    thin = slice(None, None, max(1, len(pin.offset) // POINTS))
    x, y = 1e3 * pin.offset[thin].T
    around = np.linspace(0.0, 2.0 * np.pi, AROUND)
    circle = 1e3 * pin.clearance * np.stack((np.cos(around), np.sin(around)))
    curves = [Curve(words["curve.clearance"], *_pair(circle), "difference"), Curve(words["curve.predicted"], x, y, "predicted")]
    return Figure(key, title, text, f"{pin.axes[0]}, mm", f"{pin.axes[1]}, mm", curves, equal=True)


def _pair(both: Floats) -> tuple[Floats, Floats]:
    return both[0], both[1]
