"""How well measured and predicted agree, channel by channel. Definitions and formulas: docs/comparison.md.

A record is gone through piece by piece, all channels beside each other; channels whose amplitude is their own range once more,
for the share of samples that lies within a part of it. What is kept are some bytes a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from rig.comparison.channel_accumulator import NO_SAMPLE, Gathering, Moment
from rig.comparison.clipping import CLIPPED, STOOD, Clipping, Uncut
from rig.comparison.filtering import passable
from rig.comparison.fundamental import basis
from rig.comparison.gap_filling import MISSING, Missing
from rig.comparison.preparation import Counted, Settings, prepare, whole
from rig.comparison.result import ChannelAgreement
from rig.comparison.reversals import zeros
from rig.comparison.series import PIECE, Marks, Series, pieces
from rig.comparison.uncertainty.folding import BINS_PER_PERIOD, FINE, TURN, Fold
from rig.comparison.uncertainty.shaft_turns import ShaftTurns


@dataclass(frozen=True)
class Compared:
    """One channel: measured and predicted as measured, (N,) each, in SI units at the same samples.

    amplitude: A of the command for channels with a commanded counterpart; None for others (stroke, accelerations), whose
    reversal fields stay None and whose A is half the measured range.
    """

    measured: Series
    predicted: Series
    amplitude: float | None = None
    unit: str = ""


@dataclass(frozen=True)
class Commanded:
    """The command stream, (N,) each: value, counted cycle and phase (rad).

    frequency: of a pure sine, Hz, or with `turns` of the turns of a shaft, or rounds of a path, at constant speed; None for anything else.
    shaft: rad, how far the shaft that is commanded has turned as measured, none missing; None where it is not measured.
    """

    value: Series
    cycle: Series
    phase: Series | None = None
    frequency: float | None = None
    turns: bool = False
    shaft: Series | None = None


def agreement(
    measured: Series,
    predicted: Series,
    *,
    rate: float,
    command: Series,
    cycle: Series,
    amplitude: float | None = None,
    frequency: float | None = None,
    phase: Series | None = None,
    unit: str = "",
    settings: Settings | None = None,
) -> ChannelAgreement:
    """Compare one channel; arguments as in `Compared`, `Commanded` and `agreements`."""
    compared = {"": Compared(measured, predicted, amplitude, unit)}
    return agreements(compared, Commanded(command, cycle, phase, frequency), rate, settings)[""]


def agreements(
    channels: Mapping[str, Compared], command: Commanded, rate: float, settings: Settings | None = None, length: int = PIECE
) -> dict[str, ChannelAgreement]:
    """Compare channels, by name, at `rate` (Hz). Samples that are not finite on either side do not count.

    length: samples gone through at a time; the figures do not depend on it.
    """
    settings = settings or Settings()
    counted = Counted(command.cycle, settings.discard_cycles, length)
    found = _compared(channels, command, counted, rate, settings, length)
    if cut := {name: one for name, one in found.items() if one.clipped}:
        found.update(_without_ends({name: channels[name] for name in cut}, cut, command, counted, rate, settings, length))
    return found


def _without_ends(
    channels: Mapping[str, Compared],
    cut: Mapping[str, ChannelAgreement],
    command: Commanded,
    counted: Counted,
    rate: float,
    settings: Settings,
    length: int,
) -> dict[str, ChannelAgreement]:
    """The same of channels that are clipped, without the samples at their ends; what is said of these is kept, and what they were with
    them."""
    uncut = {name: replace(one, measured=Uncut(one.measured, *cut[name].ends)) for name, one in channels.items()}
    again = _compared(uncut, command, counted, rate, settings, length)
    kept = ("max_measured", "max_predicted", "max_error", "share_of_peak", "clipped", "stood", "ends")
    return {
        name: replace(
            one if one.samples else replace(one, delay_reason=f"{NO_SAMPLE} that is not cut"),
            warnings=_with_those_of(cut[name], one),
            with_ends=cut[name],
            **{field: getattr(cut[name], field) for field in kept},
        )
        for name, one in again.items()
    }


def _with_those_of(cut: ChannelAgreement, one: ChannelAgreement) -> tuple[str, ...]:
    """What is said of samples is said of all of them."""
    of_samples = (MISSING, CLIPPED, STOOD, NO_SAMPLE)
    return (*(text for text in cut.warnings if text.startswith(of_samples)), *(t for t in one.warnings if not t.startswith(of_samples)))


def _compared(
    channels: Mapping[str, Compared], command: Commanded, counted: Counted, rate: float, settings: Settings, length: int
) -> dict[str, ChannelAgreement]:
    period = rate / command.frequency if command.frequency else None
    own, always = _turns(command, counted), _turns(command, counted, keeping_up=True)
    amplitudes = {one.amplitude for one in channels.values() if one.amplitude is not None}
    turns = {amplitude: zeros(command.value, command.cycle, amplitude, period, length) for amplitude in amplitudes}
    blank = ChannelAgreement(rate=rate, period_s=1.0 / command.frequency if command.frequency else None, counted_samples=counted.samples)
    found = {
        name: Gathering(
            prepare(one.measured, one.predicted, rate, settings),
            None if one.amplitude is None else turns[one.amplitude],
            period,
            replace(blank, unit=one.unit, amplitude=one.amplitude),
            command.turns,
            Missing(one.measured, one.predicted),
            Clipping(one.measured, one.predicted),
            _fold(counted, settings, rate, period, own),
            _fold(counted, settings, rate, period, always, FINE),
            passable(settings.lowpass, rate),
            isinstance(one.measured, Uncut),
        )
        for name, one in channels.items()
    }
    for now in _moments(command, counted, rate, length, own, always):
        for one in found.values():
            one.add(now)
    if unfinished := [one for one in found.values() if one.unfinished]:
        for now in _moments(replace(command, phase=None, frequency=None), counted, rate, length):
            for one in unfinished:
                one.add_again(now)
    return {name: one.finish(counted, settings) for name, one in found.items()}


def _turns(command: Commanded, counted: Counted, keeping_up: bool = False) -> ShaftTurns | None:
    return None if command.shaft is None or command.phase is None else ShaftTurns.of(command.shaft, command.phase, counted, keeping_up)


def _fold(
    counted: Counted, settings: Settings, rate: float, period: float | None, own: ShaftTurns | None, parts: int = BINS_PER_PERIOD
) -> Fold:
    corner = passable(settings.lowpass, rate)
    if own is not None:
        return Fold(own.numbers, own.samples, corner, rate, own.samples, parts)
    return Fold(counted.numbers, counted.samples / max(1, len(counted.numbers)), corner, rate, period, parts)


def _moments(
    command: Commanded, counted: Marks, rate: float, length: int, own: ShaftTurns | None = None, always: ShaftTurns | None = None
) -> Iterator[Moment]:
    """What all channels share, piece by piece. own: the shaft's turns, where what comes again comes again by these; always: where it has
    any."""
    turning = command.phase if own is None else own.angle
    for part in pieces(0, len(command.value), length):
        phase = None if turning is None or command.phase is None else turning[part]
        if phase is None and command.frequency:
            phase = 2.0 * np.pi * command.frequency / rate * np.arange(part.start, part.stop, dtype=np.float64)
        counts = counted[part]
        waves = None if phase is None or not counts.any() else basis(phase)
        cycle = command.cycle[part]
        again = whole(cycle) if own is None or phase is None else np.floor(phase / TURN)
        fine = None if always is None or phase is None else always.angle[part]
        fine_again = again if fine is None else np.floor(fine / TURN)
        yield Moment(part, command.value[part], cycle, counts, phase, waves, again, phase if fine is None else fine, fine_again)
