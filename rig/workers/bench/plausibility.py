"""Whether channels can be believed where no model runs: by their noise, by how they answer the command, by each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rig.checks.answers import Answer, AnswerCheck
from rig.checks.force_pair import Apart, ForcePairCheck
from rig.checks.limits import SEVERITY
from rig.checks.noise_floor import NoiseFloorCheck, Silent
from rig.checks.stated_noise import Quiet, StatedNoiseCheck
from rig.config.bench import InputChannel
from rig.config.plan import Plan
from rig.hardware.shown_units import of_unit
from rig.hardware.still_channels import quiet_in_words
from rig.hardware.still_channels import stated as stated_noise
from rig.workers.bench.finding import Finding

Block = NDArray[np.float64]
PHASE, CYCLE = 1, 2  # columns of the command
KIND = "implausible"
FROZEN = 1e-6
"""Share of the noise that is left where motors are switched on as a test begins: what they add then is not there later."""
PISTON = "actuator_force"
"""What the model calls the force from the pressure difference over the piston."""


class PlausibilityChecks:
    """Checks blocks of a test in order."""

    def __init__(self, plan: Plan, rate: float) -> None:
        settings, self._channels = plan.experiment.plausibility, plan.bench.channels
        self._sessions = plan.first_sample
        self._action = settings.action
        self._limited = _limited(plan)
        moved = [k for k, one in enumerate(self._channels) if one.counter is None and not one.steady]
        watched = moved if settings.watched else []
        frame = plan.bench.loader is not None
        self._noise = NoiseFloorCheck(watched, settings.noise if frame else FROZEN, rate)
        stated = [stated_noise(one) if settings.watched else 0.0 for one in self._channels]
        self._quiet_before, self._quiet = StatedNoiseCheck(stated, rate), StatedNoiseCheck(stated, rate)
        self._answers = AnswerCheck(watched if frame else [], settings.answer)
        self._pair = _pair(plan) if settings.watched else None
        self._forces = ForcePairCheck(settings.forces * plan.bench.loader_full_scale("force"), rate)
        self._of_forces = "interlock" if plan.experiment.command.mode == "force" else settings.action

    def before(self, first: int, measured: Block) -> Iterator[Finding]:
        """During the preparation: measured (k, channels)."""
        yield from self._dead(first, self._quiet_before.check(measured))

    def test(self, first: int, command: Block, measured: Block) -> Iterator[Finding]:
        """command (k, columns), measured (k, channels), from sample `first` of the test on."""
        if self._pair is not None:
            cell, piston = self._pair
            for apart in self._forces.check(first, measured[:, cell], measured[:, piston]):
                yield Finding(apart.sample, KIND, self._told_forces(apart, cell, piston), self._of_forces)
        yield from self._dead(first, self._quiet.check(measured))
        for silent in self._noise.check(first, measured):
            channel = self._channels[silent.column]
            yield Finding(
                silent.sample,
                KIND,
                _told_silent(silent, channel, silent.sample + self._sessions),
                self._limited.get(channel.name, self._action),
            )
        if answers := self._answers.check(command[:, 0], command[:, PHASE], command[:, CYCLE], measured):
            yield Finding(answers[0].sample, KIND, self._told_answers(answers), self._action)

    def _dead(self, first: int, found: Sequence[Quiet]) -> Iterator[Finding]:
        for one in found:
            channel = self._channels[one.column]
            yield Finding(first, KIND, quiet_in_words(one, channel), self._limited.get(channel.name, self._action))

    def _told_forces(self, one: Apart, cell: int, piston: int) -> str:
        first, second = self._channels[cell], self._channels[piston]
        unit = of_unit("N", max(abs(one.cell), abs(one.piston)))
        said = f"{first.name} {unit.text(one.cell)} and {second.name} {unit.text(one.piston)}"
        values = f"{said} at sample {one.sample + self._sessions}"
        return f"{values} are not one force: look at both sensors and their wires to {first.terminal} and {second.terminal}"

    def _told_answers(self, answers: Sequence[Answer]) -> str:
        parts = [
            f"{self._channels[one.column].name} {abs(one.now):.3g} times, {math.degrees(np.angle(one.now)):+.0f} deg" for one in answers
        ]
        where = "valve, supply, span and sign at the controller, the specimen; of one channel alone its sensor and wires"
        what = f"the cycle before sample {answers[0].sample + self._sessions} answers the command otherwise than those before"
        return f"{what}: {'; '.join(parts)}: {where}"


def _limited(plan: Plan) -> dict[str, str]:
    """Channel -> the most severe of the actions of its limits and of what is not plausible: a channel that shows nothing is inside none."""
    found: dict[str, str] = {}
    for limit in plan.experiment.limits:
        before = found.get(limit.channel, plan.experiment.plausibility.action)
        found[limit.channel] = max(before, limit.action, key=SEVERITY.__getitem__)
    return found


def _pair(plan: Plan) -> tuple[int, int] | None:
    """Columns of the load cell and of the force from the pressures, where a bench has both."""
    names = [channel.name for channel in plan.bench.channels]
    cell, piston = plan.bench.loader_channel("force"), plan.bench.showing(PISTON)
    if cell not in names or piston is None or piston.name == cell:
        return None
    return names.index(cell), names.index(piston.name)


def _told_silent(one: Silent, channel: InputChannel, sample: int) -> str:
    what = f"its noise is {one.rms:.3g} {channel.unit} rms since sample {sample}, and was {one.floor:.3g} {channel.unit}"
    where = f"frozen, unplugged, or without supply: look at sensor, conditioner and wires to {channel.terminal}"
    return f"DAQ: channel {channel.name} on {channel.terminal} shows nothing: {what}; {where} (steady = true: it is not looked at)"
