"""What is looked at in every block: the limits, the channels themselves, and whether the specimen is still there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from drivers.files.plain_values import Json
from rig.checks.channel_limits import ChannelLimits, Memory
from rig.checks.limits import Moment, Passed, ReadingLimits
from rig.checks.specimen import SpecimenCheck
from rig.checks.stop_following import StopCheck
from rig.checks.tared_limits import TaredLimitCheck
from rig.config.plan import Plan
from rig.hardware.limit_words import LimitWords
from rig.streaming.ring import RingWriter
from rig.workers.bench.channel_checks import ChannelChecks
from rig.workers.bench.finding import Finding
from rig.workers.bench.learned_limits import acted, told
from rig.workers.bench.output import Block
from rig.workers.bench.plausibility import PlausibilityChecks
from rig.workers.bench.predicted_limits import PredictedLimits, following, nobody, parted

PHASE, CYCLE = 1, 2  # columns of the command
STARTING = Moment("starting")


class BlockChecks:
    """Checks blocks in order. `calculated` (k, channels): what was calculated from the last block."""

    def __init__(
        self, plan: Plan, names: Sequence[str], units: dict[str, str], rate: float, ring: RingWriter | None = None,
        gone: Callable[[str], bool] = nobody,
    ) -> None:  # fmt: skip
        """ring: takes what is calculated from predicted channels; gone: whether a process has ended."""
        bench, experiment = plan.bench, plan.experiment
        mode = experiment.command.mode
        self._names, self._all = tuple(names), experiment.limits
        self._words, self._before = LimitWords(experiment.limits, plan.experiment_text), plan.first_sample
        self._units = units | {one.name: one.unit for one in bench.instruments} | {one.name: one.unit for one in experiment.calculated}
        read = [one.name for one in bench.instruments]
        late = following(experiment)
        sampled = [limit for limit in experiment.limits if limit.channel not in read]
        self._read = {name: ReadingLimits([one for one in experiment.limits if one.channel == name], rate) for name in read}
        tares = {c.name: c.sensor.tare for c in bench.channels} | {"command": bench.loader_zero(mode)}
        ends = {c.name: c.ends for c in bench.channels}
        present, _ = parted(experiment.calculated)
        at_once = [limit for limit in sampled if not late & {limit.channel, limit.of}]
        self._limits = ChannelLimits(present, at_once, [*names, "command"], rate, tares, ends)
        self._limits_before = TaredLimitCheck([limit for limit in at_once if limit.channel in names], names, rate, tares, ends)
        self._predicted = PredictedLimits(plan, [limit for limit in sampled if late & {limit.channel, limit.of}], rate, ring, gone)
        self.calculated: Block = np.empty((0, len(present)))
        loops = (bench.loader_channel("force"), bench.loader_channel("stroke"))
        self._loops = [names.index(name) for name in loops if name in names]
        self._sensing = ChannelChecks(plan, rate)
        self._plausible = PlausibilityChecks(plan, rate)
        watched = experiment.specimen.watched and mode == "force"
        self._stop = StopCheck(experiment.specimen.least, rate) if mode == "force" and bench.analog_loader is not None else None
        self._specimen = SpecimenCheck(experiment.specimen, rate) if watched else None

    def memory(self) -> dict[str, object]:
        """What limits have learned and damage has come to, for another session of the test."""
        return {"present": self._limits.memory(), "predicted": self._predicted.memory()}

    def recall(self, memory: Mapping[str, object]) -> None:
        """Go on with it."""
        if memory:
            present, predicted = (cast("Memory | None", memory[name]) for name in ("present", "predicted"))
            assert present is not None
            self._limits.recall(present)
            self._predicted.recall(predicted)

    def learned(self) -> list[dict[str, Json]]:
        """Where the limits stand that judge by what they have learned: see `learned_limits.told`."""
        return told([*self._limits.states(), *self._predicted.states()], self._all, self._unit)

    def learn_anew(self, numbers: Sequence[int], sample: int) -> None:
        """These limits of the experiment, from the cycles that begin at that sample or behind it."""
        limits = [self._all[number] for number in numbers]
        self._limits.learn_anew(limits, sample)
        self._predicted.learn_anew(limits, sample)

    def before(self, first: int, measured: Block) -> list[Finding]:
        """During the preparation, whose commands are not the experiment's: measured (k, channels) from its sample `first` on."""
        found = self._worded(self._limits_before.check(first, measured, STARTING))
        return [*found, *self._sensing.before(first, measured), *self._plausible.before(first, measured)]

    def test(self, first: int, command: Block, measured: Block, state: str = "running") -> list[Finding]:
        """command (k, columns), measured (k, channels), from sample `first` of the test on; the most severe limit first."""
        value = command[:, 0]
        values = dict(zip(self._names, measured.T, strict=True)) | {"command": value}
        self.calculated, passed = self._limits.check(first, values, command[:, PHASE], command[:, CYCLE], state)
        findings = [*self._worded(passed)]
        findings += self._sensing.test(first, command, measured)
        findings += self._plausible.test(first, command, measured)
        if self._specimen and (gone := self._specimen.check(first, value, *self.force_and_stroke(measured))):
            findings.append(Finding(gone.sample, "specimen", f"{gone.name}: {gone.text}", "interlock"))
        return findings + [*self._late(first + len(measured), state)]

    def _late(self, end: int, state: str) -> Iterator[Finding]:
        """What speaks against going on in samples that have been predicted meanwhile."""
        passed, behind = self._predicted.take(end, state)
        yield from self._worded(passed)
        if behind:
            yield Finding(end, "lag", behind, "indicate")

    def stop(self, first: int, command: Block, measured: Block) -> Finding | None:
        """While a test is stopped, as `test`: a force that does not go down with the command."""
        if self._stop is None:
            return None
        left = self._stop.check(first, command[:, 0], self.force_and_stroke(measured)[0])
        if left is None:
            return None
        what = f"{left.force / 1e3:.2f} kN are left while {left.command / 1e3:.2f} kN are commanded, at sample {left.sample + self._before}"
        text = f"the stop is not followed: {what}; look at the valve and its supply"
        return Finding(left.sample, "specimen", text, "interlock")

    def instruments(self, rows: Block) -> list[Finding]:
        """rows (k, 1 + instruments): sample and readings, NaN where another one was read. Of each reading the limits that it passes."""
        passed: list[Passed] = []
        for column, check in enumerate(self._read.values(), 1):
            for row in rows[np.isfinite(rows[:, column])]:
                passed += check.check(float(row[0]), float(row[column]))
        return [*self._worded(passed)]

    def force_and_stroke(self, measured: Block) -> tuple[Block, Block]:
        """The two columns that the loader's loops close on."""
        force, stroke = self._loops
        return measured[:, force], measured[:, stroke]

    def _worded(self, passed: list[Passed]) -> Iterator[Finding]:
        for one in passed:
            beyond = self._sensing.at_its_end(one.channel, one.value) if one.what in ("maximum", "minimum") else ""
            unit = self._unit(one.channel)
            yield Finding(one.sample, "limit", self._words.text(one, unit, self._before) + beyond, one.action, acted(one, unit))

    def _unit(self, channel: str) -> str:
        return self._units.get(channel) or self._predicted.units.get(channel, "")

    def close(self) -> None:
        """Let go of the rings that are read here."""
        self._predicted.close()
