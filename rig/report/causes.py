"""What a channel that fails a criterion differs by, as far as it has the shape of a known fault."""

from __future__ import annotations

import numpy as np

from rig.comparison import Settings, Verdict
from rig.comparison.causes import Cause, likely_cause
from rig.comparison.evidence import Evidence, evidence
from rig.report.signals import Signals

SAME = 0.98
"""Correlation with what is predicted above which another channel tells no more than that."""


def causes(found: Signals, result: Verdict, settings: Settings) -> list[str]:
    """A line for each channel that fails, and is predicted."""
    failed = dict.fromkeys(line.channel for line in result.lines if not line.passed)
    shown = shown_by(found, settings) if failed else None
    named = {} if shown is None else {name: cause_in(shown, name) for name in failed}
    return [f"{name}: {in_words(cause)}" for name, cause in named.items() if cause is not None]


def shown_by(found: Signals, settings: Settings) -> Evidence | None:
    """What the causes of a difference are looked for in; None where too little counts."""
    command = found.command
    return evidence(command.value, command.cycle, found.measured, found.predicted, found.rate, settings)


def cause_in(shown: Evidence, name: str) -> Cause | None:
    """Of a channel; None where nothing predicts it, or what it is predicted to be does not vary."""
    part = shown.counted
    if name not in shown.predicted or name not in shown.measured:
        return None
    measured, predicted = shown.measured[name][part], shown.predicted[name][part]
    if not np.ptp(predicted) > 0.0:
        return None
    others = {other: shown.measured[other][part] for other in shown.predicted if other != name and other in shown.measured}
    others = {other: x for other, x in others.items() if np.ptp(x) > 0.0 and abs(np.corrcoef(x, predicted)[0, 1]) < SAME}
    return likely_cause(measured, predicted, others, shown.cycle[part], shown.rate)


def in_words(cause: Cause) -> str:
    """What is said of it."""
    if cause.share:
        return f"what measured and predicted differ by goes, by {100.0 * cause.share:.0f} % of its power, as {cause.words}"
    return f"what measured and predicted differ by goes as {cause.words}"
