"""What overlay.png shows of a run: the channel that the command is for, or of a motor rig the one that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rig.comparison import ChannelAgreement, Settings, Verdict
from rig.comparison.preparation import Both, Counted, prepare
from rig.comparison.responses import response
from rig.comparison.reversals import Reversal, within, zeros
from rig.comparison.series import Floats, Marks, Series, pieces
from rig.config.plan import Plan
from rig.recorder.description import Event
from rig.report.overlay.content import Impacts, OverlayData, Pair
from rig.report.overlay.loss_angles import LossAngles
from rig.report.overlay.turn import turn
from rig.report.signals import Command, Signals
from rig.streaming.interruptions import Told, interruptions


def contents(
    plan: Plan,
    found: Signals,
    agreements: Mapping[str, ChannelAgreement],
    result: Verdict,
    settings: Settings,
    losses: LossAngles | None = None,
    events: Sequence[Event] = (),
    absent: Sequence[tuple[int, int]] = (),
) -> OverlayData:
    """Return the page; its signals are read when it is drawn. events: of the record, which tell where the test did not go on.
    absent: samples (first, behind the last) of which nothing was kept.
    """
    name, command = _shown(found, result), found.command
    main, known = as_compared(found, name, settings)
    stroke = as_compared(found, "stroke", settings)[0] if "stroke" in found.measured and name != "stroke" else None
    counted = Counted(command.cycle, settings.discard_cycles)
    corner = "unfiltered" if settings.lowpass is None else f"both behind the same {settings.lowpass:g} Hz low-pass"
    return OverlayData(
        title=f"{plan.run}   {plan.experiment.title}",
        subtitle=f"{plan.bench.title}   |   {found.rate / 1e3:g} kS/s   |   {corner}",
        rate=found.rate,
        channel=name,
        command=commanded(command),
        controlled=main,
        counts=counted.extent,
        stroke=stroke,
        agreements=agreements,
        impacts=_impacts(found, main, Both(counted, known)),
        verdict=result,
        command_unit=command.unit,
        turn=turn(plan, found, settings, counted.extent, losses.at if losses else ()),
        losses=losses,
        band=settings.band,
        absent=absent,
        interruptions=[*interruptions(Told(event.time, event.kind, event.text) for event in events)],
    )


def _shown(found: Signals, result: Verdict) -> str:
    """The channel that the loader's loop closes on; where the command is none of the channels, the first that fails or is open."""
    if found.units.get(found.feedback) == found.command.unit:
        return found.feedback
    troubled = (*(line for line in result.lines if line.failed), *(line for line in result.lines if line.undecided))
    return next((line.channel for line in troubled if line.channel in found.measured), found.feedback)


def commanded(command: Command) -> Series:
    """The value of the command, nan where the record has nothing of it."""
    return command.value if command.recorded is None else _Known(command.value, command.recorded)


class _Known:
    """A signal (N,) as compared, nan where the record has nothing of it."""

    def __init__(self, prepared: Series, recorded: Series) -> None:
        self._prepared, self._recorded = prepared, recorded

    def __len__(self) -> int:
        return len(self._prepared)

    def __getitem__(self, part: slice) -> Floats:
        return np.where(np.isfinite(self._recorded[part]), self._prepared[part], np.nan)


def as_compared(found: Signals, name: str, settings: Settings) -> tuple[Pair, Marks]:
    """One channel as it is compared, and where both sides of it are known."""
    measured, predicted = found.measured[name], found.predicted.get(name)
    if predicted is None or not any(np.isfinite(predicted[part]).any() for part in pieces(0, len(predicted))):
        ready = prepare(measured, measured, found.rate, settings)
        return Pair(_Known(ready.measured, measured), None, found.units.get(name, "")), ready.known
    ready = prepare(measured, predicted, found.rate, settings)
    return Pair(_Known(ready.measured, measured), _Known(ready.predicted, predicted), found.units.get(name, "")), ready.known


def _impacts(found: Signals, pair: Pair, kept: Marks) -> Impacts | None:
    """The load reversal in the middle of what counts."""
    command = found.command
    if command.amplitude <= 0.0 or pair.unit != command.unit:
        return None
    period = found.rate / command.frequency if command.frequency else None
    rows = within(zeros(command.value, command.cycle, command.amplitude, period), kept)
    if not len(rows):
        return None
    chosen = Reversal(*rows[len(rows) // 2].tolist())
    measured = response(pair.measured, command.value, chosen, found.rate)
    predicted = None if pair.predicted is None else response(pair.predicted, command.value, chosen, found.rate)
    return Impacts(chosen, measured, predicted)
