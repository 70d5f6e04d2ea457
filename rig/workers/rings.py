"""The rings that the bench writes."""

from __future__ import annotations

from collections.abc import Sequence

from rig import streams
from rig.plan import Plan
from rig.ring import RingWriter
from rig.workers import preparing, setpoint
from rig.workers.output import Block


class Rings:
    """Command and measured, block by block; preparation where the loader has one."""

    def __init__(self, plan: Plan, names: Sequence[str], units: dict[str, str], rate: float) -> None:
        capacity = streams.capacity(rate, plan.experiment.acquisition.ring)
        paths = plan.streams
        self._command = RingWriter.create(paths["command"], *setpoint.columns(plan.experiment, units["command"]), capacity, rate)
        self._measured = RingWriter.create(paths["measured"], names, [units[name] for name in names], capacity, rate)
        self.preparation: RingWriter | None = None
        if getattr(plan.bench.loader, "prepared", False):
            columns, of = zip(*preparing.COLUMNS, strict=True)
            self.preparation = RingWriter.create(paths["preparation"], columns, of, streams.capacity(rate), rate)

    def append(self, command: Block, measured: Block) -> None:
        """Publish a block of the test, measured last: a prediction's lag counts from there."""
        self._command.append(command)
        self._measured.append(measured)

    def close(self) -> None:
        """All streams have ended."""
        for ring in (self._command, self._measured, self.preparation):
            if ring is not None:
                ring.close()
