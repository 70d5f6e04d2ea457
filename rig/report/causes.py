"""What a channel that fails a criterion differs by, as far as it has the shape of a known fault, or a load frame's channels tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rig.comparison import Settings, Verdict
from rig.comparison.causes import Cause, likely_cause, own_scatter
from rig.comparison.evidence import Evidence, evidence
from rig.comparison.leading import Lead, of_all
from rig.comparison.load_frame import ORDERLY, FrameChannels, cause_in_frame
from rig.comparison.shapes import HUM, OFF, TONE
from rig.config.bench import Bench
from rig.config.plan import Plan
from rig.report.signals import Signals
from rig.signals.engineering_units import number, shown

SAME = 0.98
"""Correlation with what is predicted above which another channel tells no more than that."""
FRAME = ("transmitted_force", "actuator_force", "stroke")
"""What a loaded linkage's model calls them."""
ACCELERATION = "acceleration_"
FORCE = "force"
LEVEL = "band_level"
MOST = 0.8
"""Share of its power from which on a difference is what its shape says: a play that is half as large again looks by 64 % as an angle that
is off."""
WAYS = ("m", "rad")
"""Units of what leads a model by where it is."""


def causes(found: Signals, result: Verdict, settings: Settings, plan: Plan) -> list[str]:
    """A line for each channel that fails, and is predicted."""
    failed = dict.fromkeys(line.channel for line in result.lines if not line.passed)
    frame, in_force = frame_channels(plan.bench), plan.experiment.command.mode == FORCE
    seen = shown_by(found, settings, approach=frame is None) if failed else None
    if seen is None:
        return []
    lead = None if frame is not None else leads(plan, seen)
    named = {name: cause_in(seen, name, frame, in_force, lead) for name in failed}
    by_level = failed.keys() - {line.channel for line in result.lines if not line.passed and line.metric != LEVEL}
    above = shown_by(found, settings, in_band=True) if by_level and frame is None else None
    if above is not None:
        named |= {name: pick_up(above, name) or named[name] for name in by_level}
    return [f"{name}: {in_words(cause, lead)}" for name, cause in named.items() if cause is not None]


def shown_by(found: Signals, settings: Settings, approach: bool = False, in_band: bool = False) -> Evidence | None:
    """What the causes of a difference are looked for in; None where too little counts. approach, in_band: see `evidence`."""
    command = found.command
    breaks = command.cycle.left_out.spans
    return evidence(command.value, command.cycle, found.measured, found.predicted, found.rate, settings, approach, breaks, in_band)


def pick_up(above: Evidence, name: str) -> Cause | None:
    """Hum or a tone that makes the level of a channel's band; None where neither does. Nothing else shows there: rattle of a joint goes
    another way each time, so that a model that rattles more would be taken for a gain."""
    cause = cause_in(above, name)
    return cause if cause is not None and cause.named and all(word.startswith((HUM, TONE)) for word in cause.named) else None


def leads(plan: Plan, seen: Evidence) -> Lead | None:
    """The measured way or angle that leads the model; None where the command does, or a force."""
    mechanism, source = plan.experiment.mechanism, plan.experiment.predictor.source
    followed = None if source in mechanism.effort_sources else plan.bench.showing(source)
    if followed is None or followed.unit not in WAYS or followed.name not in seen.measured:
        return None
    return Lead(followed.name, followed.unit, seen.measured[followed.name])


def frame_channels(bench: Bench) -> FrameChannels | None:
    """Channels of a load frame; None where the bench lacks one of them."""
    names = [None if channel is None else channel.name for channel in map(bench.showing, FRAME)]
    force, actuator, stroke = names
    if force is None or actuator is None or stroke is None:
        return None
    return FrameChannels(force, actuator, stroke, tuple(one.name for one in bench.channels if one.quantity.startswith(ACCELERATION)))


def cause_in(
    seen: Evidence, name: str, frame: FrameChannels | None = None, in_force: bool = False, lead: Lead | None = None
) -> Cause | None:
    """Of a channel; None where nothing predicts it, or what it is predicted to be does not vary.

    frame: the load frame's channels, where it is one; in_force: its command is a force. lead: what leads the model, where that is measured.
    """
    part = seen.counted
    if name not in seen.predicted or name not in seen.measured:
        return None
    measured, predicted = seen.measured[name][part], seen.predicted[name][part]
    if not np.ptp(predicted) > 0.0:
        return None
    if frame is not None and name == frame.force and frame.are_in(seen):
        return cause_in_frame(seen, frame, in_force)
    others = {other: seen.measured[other][part] for other in seen.predicted if other != name and other in seen.measured}
    others = {other: x for other, x in others.items() if np.ptp(x) > 0.0 and abs(np.corrcoef(x, predicted)[0, 1]) < SAME}
    shape = None if lead is None else lead.shape(part)
    scatter = own_scatter(predicted, seen.cycle[part])
    found = likely_cause(measured, predicted, others, seen.cycle[part], seen.rate, None, shape, scatter)
    return found if lead is None else of_all(found, seen, name, lead)


def in_words(cause: Cause, lead: Lead | None = None) -> str:
    """What is said of it."""
    if lead is not None and OFF in cause.words:
        unit, factor = shown(lead.unit)
        way = "far" if cause.off > 0.0 else "little"
        what = (
            f"{OFF}: {lead.name} shows {number(abs(cause.off), factor, 3)} {unit} too {way} (its zero, its index, or where it is mounted)"
        )
        cause = replace(cause, words=cause.words.replace(OFF, what))
    if cause.words == ORDERLY:
        return f"what measured and predicted differ by is none of these: {ORDERLY}"
    if cause.figures:
        return f"what measured and predicted differ by goes as {cause.words} ({cause.figures})"
    if cause.share:
        told = f"what measured and predicted differ by goes, by {100.0 * cause.share:.0f} % of its power, as {cause.words}"
        return told if cause.share >= MOST else f"{told}; what is left may be the specimen: look at it before anything is turned"
    return f"what measured and predicted differ by goes as {cause.words}"
