"""What of a record is shown: from the run's plan where it lies beside it, else from the record alone, which has the texts that ran."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rig.comparison.whole_cycles import Absent, LeftOut
from rig.config.experiment import Limit
from rig.config.limits_as_run import limits_as_run
from rig.config.plan import Plan
from rig.display.sources.view_model import PREDICTED, Subject, limited, subject
from rig.display.status import Event
from rig.errors import ConfigError
from rig.recorder.description import LOST
from rig.recorder.folders import remedy
from rig.recorder.reading import CALCULATED, RunData
from rig.streaming.interruptions import Told, interruptions


def recorded_subject(run: RunData) -> Subject:
    """What is shown of this record. Raises ConfigError when nothing was measured."""
    if not run.streams.get("measured") or run.samples == 0:
        raise ConfigError(f"{run.path}: nothing was measured in this run; there is nothing to show")
    if (run.path.parent / "plan.json").is_file():
        plan = Plan.read(run.path.parent, "display")
        if {channel.name for channel in plan.bench.channels} <= set(run.streams["measured"]):
            discard = plan.experiment.comparison.discard_cycles
            return replace(_with_record(subject(plan.experiment, plan.bench, plan.run), run, discard), folder=run.path.parent)
    return _with_record(_alone(run), run)


def _with_record(what: Subject, run: RunData, discard: int = 0) -> Subject:
    """And what only a record knows."""
    told = (Told(event.time, event.kind, event.text) for event in run.events)
    return replace(what, left_out=_left_out(run, discard), interruptions=tuple(interruptions(told)))


def _left_out(run: RunData, discard: int) -> LeftOut | None:
    """What of its cycles is not compared."""
    if not (run.absent or run.held) or not {"cycle", "phase"} <= set(run.streams.get("command", {})):
        return None
    cycle, phase = (run.column("command", name) for name in ("cycle", "phase"))
    return LeftOut.of(cycle, phase, (Absent(*one) for one in run.absent), run.held, discard)


def lost(run: RunData) -> int:
    """Samples that were overwritten before they could be recorded."""
    return sum(gap.count for gap in run.gaps if gap.reason == LOST)


def doubt(run: RunData) -> str:
    """What is to be said of the record as a whole."""
    return "" if run.complete else f"this record was cut short; {remedy(run.path.parent)}"


def events(run: RunData) -> list[Event]:
    """What happened."""
    return [Event(event.text, event.time, event.source, event.kind) for event in run.events]


def _limits(run: RunData) -> tuple[Limit, ...]:
    """None where the text cannot be read any more: the samples can be."""
    try:
        return limits_as_run(run.experiment_text, run.units["measured"])
    except ConfigError:
        return ()


def _alone(run: RunData) -> Subject:
    units, predicted = run.units["measured"], tuple(run.streams.get(PREDICTED, ()))
    limits = _limits(run)
    force = next((name for name in [*predicted, *units] if units.get(name) == "N"), next(iter(units)))
    command = run.units.get("command", {}).get("value", "")
    beginning = np.abs(run.channel("measured", force, 0, round(run.rate)))
    scale = float(np.fmax.reduce(beginning)) if len(beginning) else 1.0
    return Subject(
        run=str(run.attributes.get("run", run.path.parent.name)),
        title="",
        force=force,
        stroke=next((name for name, unit in units.items() if unit == "m" and name != force), None),
        stroke_predicted=any(name in predicted for name, unit in units.items() if unit == "m"),
        command_unit=command,
        command_scale=scale if scale > 0.0 else 1.0,
        channels=tuple(limited(name, unit, limits, None) for name, unit in units.items()),
        calculated=tuple(limited(name, unit, limits, None) for stream in CALCULATED for name, unit in run.units.get(stream, {}).items()),
        cycles=None,
        late=1.0,
        measured_delay=0.0,
        rate=run.rate,
    )
