"""What a channel that fails a criterion differs by, as far as it has the shape of a known fault."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rig.comparison import Settings, Verdict
from rig.comparison.causes import Cause, likely_cause
from rig.comparison.filtering import Lowpassed
from rig.comparison.preparation import Counted, whole
from rig.comparison.series import Floats
from rig.report.signals import Signals

MOST = 1 << 18
"""Samples that are looked at, the first that count."""
LEAST = 1 << 8
SAME = 0.98
"""Correlation with what is predicted above which another channel tells no more than that."""


def causes(found: Signals, result: Verdict, settings: Settings) -> list[str]:
    """A line for each channel that fails, and is predicted."""
    failed = dict.fromkeys(line.channel for line in result.lines if not line.passed)
    extent = Counted(found.command.cycle, settings.discard_cycles).extent
    part = slice(extent.start, min(extent.stop, extent.start + MOST))
    if part.stop - part.start < LEAST:
        return []
    cycle = whole(np.asarray(found.command.cycle[part], dtype=np.float64))
    return [f"{name}: {_in_words(cause)}" for name, cause in _each(found, failed, part, cycle, settings)]


def _each(found: Signals, names: dict[str, None], part: slice, cycle: Floats, settings: Settings) -> Iterator[tuple[str, Cause]]:
    def filtered(name: str, predicted: bool = False) -> Floats:
        series = (found.predicted if predicted else found.measured)[name]
        return Lowpassed(series, found.rate, settings.lowpass)[part]

    for name in names:
        if name not in found.predicted or name not in found.measured:
            continue
        measured, predicted = filtered(name), filtered(name, predicted=True)
        if not (np.isfinite(measured).all() and np.isfinite(predicted).all() and np.ptp(predicted) > 0.0):
            continue
        others = {other: filtered(other) for other in found.predicted if other != name and other in found.measured}
        others = {
            other: x
            for other, x in others.items()
            if np.isfinite(x).all() and np.ptp(x) > 0.0 and abs(np.corrcoef(x, predicted)[0, 1]) < SAME
        }
        yield name, likely_cause(measured, predicted, others, cycle, found.rate)


def _in_words(cause: Cause) -> str:
    if cause.share:
        return f"what measured and predicted differ by goes, by {100.0 * cause.share:.0f} % of its power, as {cause.words}"
    return f"what measured and predicted differ by goes as {cause.words}"
