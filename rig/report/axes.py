"""How axes, or a loader that runs the waveform by itself, followed what they were told, for the table at the end of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json, table
from rig.checks import following
from rig.comparison.gap_filling import GapFilled
from rig.config.experiment import MODE_UNITS
from rig.config.plan import Plan
from rig.recorder.reading import RunData
from rig.report.signals import Signals, measured_angle
from rig.signals.engineering_units import number, shown

Row = tuple[str, str, str, str]
Clock = Mapping[str, float | None]
"""What an axis or a loader told of its clock (skew_ppm), how it followed (following_error_rms, in rad, N or m), and how long it had
nothing to follow (ran_dry_s)."""


def clocks(told: Json) -> Mapping[str, Clock]:
    """As a summary has them. Raises TypeError for what is no table."""
    return {name: {key: _figure(found) for key, found in table(said or {}).items()} for name, said in table(told).items()}


def _figure(found: Json) -> float | None:
    return float(found) if isinstance(found, (int, float)) else None


HEADS: Row = ("axis", "following error, deg rms", "its clock, ppm", "turned, against setpoint")
SLIPS = 0.05  # share of its way that a drive turns more or less without being worn, set wrongly, or overloaded: asynchronous ones slip
LATE = 3.0  # intervals between two setpoints that were to be one apart
NOT_QUITE = "and the motion was not quite what was commanded"
LEAST = 1.0  # rad that has to be turned before a slip is told


def rows(plan: Plan, found: Signals, counts: range, clocks: Mapping[str, Clock]) -> list[Row]:
    """A row of cells for each axis that turns, below `HEADS`, or for a loader that tells of itself; none for another one.

    clocks: axis -> skew_ppm, following_error_rms (rad; of a loader N or m), as the bench has them. Of a drive that tells no position only
    the channel on its shaft can say how far it turned.
    """
    if not plan.bench.axes:
        written, factor = shown(MODE_UNITS[plan.experiment.command.mode])
        heads = ("loader", f"following error, {written} rms", HEADS[2], "")
        told = [(name, number(clock.get("following_error_rms"), factor, 3), _ppm(clock), "") for name, clock in clocks.items()]
        return [heads, *told] if told else []
    drives = [name for name, unit in plan.experiment.mechanism.setpoint_channels if unit == "rad"]
    slipped = _turned(plan, found, counts)
    return [HEADS, *(_row(name, clocks.get(name) or {}, slipped if i == 0 else "-") for i, name in enumerate(drives))]


def _row(name: str, clock: Clock, turned: str) -> Row:
    return name, number(clock.get("following_error_rms"), math.degrees(1.0), 3), _ppm(clock), turned


def _ppm(clock: Clock) -> str:
    skew = clock.get("skew_ppm")
    return "-" if skew is None else f"{skew:+.0f}"


def _turned(plan: Plan, found: Signals, counts: range) -> str:
    """How much further the first shaft turned than commanded in what counts, by the encoder on it."""
    slip = _slip(plan, found, counts)
    return "-" if slip is None else f"{100.0 * slip:+.3f} % ({measured_angle(plan)})"


def doubts(plan: Plan, record: RunData, found: Signals, counts: range, clocks: Mapping[str, Clock]) -> list[str]:
    """What is to be looked at: a shaft that turned much further, or less far, than it was told to, and setpoints that came late or ran
    out. `clocks`: as `rows` takes them."""
    if not plan.bench.axes:
        return []
    notes = _late(plan, record.apart("axes"), found.rate, counts)
    notes += [
        f"{axis.name}: {out}, {NOT_QUITE}"
        for axis in plan.bench.axes
        if (out := following.dry((clocks.get(axis.name) or {}).get("ran_dry_s") or 0.0, LATE / axis.rate))
    ]
    slip = _slip(plan, found, counts)
    if slip is not None and slip < -1.0:
        notes.append(
            f"{measured_angle(plan)}: the shaft turned against what was commanded; where only the encoder is the other way round exchange "
            "a and b of its counter, or state sensitivity = -1; where the shaft is, the drive's direction"
        )
    elif slip is not None and abs(slip) > SLIPS:
        told = (
            f"{measured_angle(plan)}: the shaft turned {100.0 * abs(slip):.3g} % {'further' if slip > 0.0 else 'less far'} than commanded"
        )
        notes.append(f"{told}; look at the drive's gear and pole_pairs, and whether it slips")
    return notes


def _late(plan: Plan, told: Mapping[str, NDArray[np.float64]], rate: float, counts: range) -> list[str]:
    """Axes whose setpoints came far apart in what counts: they did not do what was commanded, and the model goes by that."""
    if not told or not len(counts):
        return []
    names = [name for name, _ in plan.experiment.mechanism.setpoint_channels]
    notes = []
    for axis in plan.bench.axes:
        own = told["sample"][told["axis"] == names.index(axis.name)]
        own = own[(own >= counts.start) & (own < counts.stop)]
        interval = max(1.0 / axis.rate, plan.experiment.acquisition.block if plan.bench.pace == "lockstep" else 0.0)
        if late := following.late(own / rate, interval, LATE):
            notes.append(f"{axis.name}: {late}, {NOT_QUITE}")
    return notes


def _slip(plan: Plan, found: Signals, counts: range) -> float | None:
    """Share by which the first shaft turned further than commanded in what counts, by the encoder on it."""
    name = measured_angle(plan)
    if name not in found.measured or len(counts) < 2:
        return None
    first, last = (slice(n, n + 1) for n in (counts.start, counts.stop - 1))
    angle = GapFilled(found.measured[name])
    asked = float(found.command.value[last][0] - found.command.value[first][0])
    return None if abs(asked) < LEAST else float(angle[last][0] - angle[first][0]) / asked - 1.0
