"""What is looked at in every block: the limits, the channels themselves, and whether the specimen is still there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rig.checks.limits import Passed, ReadingLimits
from rig.checks.specimen import SpecimenCheck
from rig.checks.tared_limits import TaredLimitCheck
from rig.config.plan import Plan
from rig.workers.bench.channel_checks import ChannelChecks
from rig.workers.bench.finding import Finding
from rig.workers.bench.output import Block


class BlockChecks:
    """Checks blocks in order."""

    def __init__(self, plan: Plan, names: Sequence[str], units: dict[str, str], rate: float) -> None:
        bench, experiment = plan.bench, plan.experiment
        mode = experiment.command.mode
        self._units = units | {one.name: one.unit for one in bench.instruments}
        read = [one.name for one in bench.instruments]
        sampled = [limit for limit in experiment.limits if limit.channel not in read]
        self._read = {name: ReadingLimits([one for one in experiment.limits if one.channel == name], rate) for name in read}
        tares = {c.name: c.sensor.tare for c in bench.channels} | {"command": bench.loader_zero(mode)}
        self._limits = TaredLimitCheck(sampled, [*names, "command"], rate, tares)
        before = [limit for limit in sampled if limit.channel != "command"]
        self._limits_before = TaredLimitCheck(before, names, rate, tares)
        loops = (bench.loader_channel("force"), bench.loader_channel("stroke"))
        self._loops = [names.index(name) for name in loops if name in names]
        self._sensing = ChannelChecks(plan, rate)
        watched = experiment.specimen.watched and mode == "force"
        self._specimen = SpecimenCheck(experiment.specimen, rate) if watched else None

    def before(self, first: int, measured: Block) -> list[Finding]:
        """During the preparation, whose commands are not the experiment's: measured (k, channels) from its sample `first` on."""
        return [*self._worded(self._limits_before.check(first, measured)), *self._sensing.before(first, measured)]

    def test(self, first: int, command: Block, measured: Block) -> list[Finding]:
        """command (k, columns), measured (k, channels), from sample `first` of the test on; the most severe limit first."""
        value = command[:, 0]
        findings = [*self._worded(self._limits.check(first, np.column_stack([measured, value])))]
        findings += self._sensing.test(first, command, measured)
        if self._specimen and (gone := self._specimen.check(first, value, *self.force_and_stroke(measured))):
            findings.append(Finding(gone.sample, "specimen", f"{gone.name}: {gone.text}", "interlock"))
        return findings

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
            beyond = "" if one.what == "rate" else self._sensing.at_its_end(one.channel, one.value)
            yield Finding(one.sample, "limit", one.text(self._units[one.channel]) + beyond, one.action)
