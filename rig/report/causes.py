"""What a channel that fails a criterion differs by, as far as it has the shape of a known fault, or a load frame's channels tell."""

from __future__ import annotations

import numpy as np

from rig.comparison import Settings, Verdict
from rig.comparison.causes import Cause, likely_cause
from rig.comparison.evidence import Evidence, evidence
from rig.comparison.load_frame import FrameChannels, cause_in_frame
from rig.config.bench import Bench
from rig.config.plan import Plan
from rig.report.signals import Signals

SAME = 0.98
"""Correlation with what is predicted above which another channel tells no more than that."""
FRAME = ("transmitted_force", "actuator_force", "stroke")
"""What a loaded linkage's model calls them."""
ACCELERATION = "acceleration_"
FORCE = "force"


def causes(found: Signals, result: Verdict, settings: Settings, plan: Plan) -> list[str]:
    """A line for each channel that fails, and is predicted."""
    failed = dict.fromkeys(line.channel for line in result.lines if not line.passed)
    shown = shown_by(found, settings) if failed else None
    if shown is None:
        return []
    frame, in_force = frame_channels(plan.bench), plan.experiment.command.mode == FORCE
    named = {name: cause_in(shown, name, frame, in_force) for name in failed}
    return [f"{name}: {in_words(cause)}" for name, cause in named.items() if cause is not None]


def shown_by(found: Signals, settings: Settings) -> Evidence | None:
    """What the causes of a difference are looked for in; None where too little counts."""
    command = found.command
    return evidence(command.value, command.cycle, found.measured, found.predicted, found.rate, settings)


def frame_channels(bench: Bench) -> FrameChannels | None:
    """Channels of a load frame; None where the bench lacks one of them."""
    names = [None if channel is None else channel.name for channel in map(bench.showing, FRAME)]
    force, actuator, stroke = names
    if force is None or actuator is None or stroke is None:
        return None
    return FrameChannels(force, actuator, stroke, tuple(one.name for one in bench.channels if one.quantity.startswith(ACCELERATION)))


def cause_in(shown: Evidence, name: str, frame: FrameChannels | None = None, in_force: bool = False) -> Cause | None:
    """Of a channel; None where nothing predicts it, or what it is predicted to be does not vary.

    frame: the load frame's channels, where it is one; in_force: its command is a force.
    """
    part = shown.counted
    if name not in shown.predicted or name not in shown.measured:
        return None
    measured, predicted = shown.measured[name][part], shown.predicted[name][part]
    if not np.ptp(predicted) > 0.0:
        return None
    if frame is not None and name == frame.force and frame.are_in(shown):
        return cause_in_frame(shown, frame, in_force)
    others = {other: shown.measured[other][part] for other in shown.predicted if other != name and other in shown.measured}
    others = {other: x for other, x in others.items() if np.ptp(x) > 0.0 and abs(np.corrcoef(x, predicted)[0, 1]) < SAME}
    return likely_cause(measured, predicted, others, shown.cycle[part], shown.rate)


def in_words(cause: Cause) -> str:
    """What is said of it."""
    if cause.figures:
        return f"what measured and predicted differ by goes as {cause.words} ({cause.figures})"
    if cause.share:
        return f"what measured and predicted differ by goes, by {100.0 * cause.share:.0f} % of its power, as {cause.words}"
    return f"what measured and predicted differ by goes as {cause.words}"
