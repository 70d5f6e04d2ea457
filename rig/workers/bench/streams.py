"""The rings that the bench writes."""

from __future__ import annotations

from collections.abc import Sequence

from rig.config.experiment import Calculated
from rig.config.plan import Plan
from rig.streaming import streams
from rig.streaming.ring import RingWriter
from rig.workers.bench import preparation
from rig.workers.bench.actuation import axes, waveform_drive, waveform_loader
from rig.workers.bench.instruments import Instruments
from rig.workers.bench.output import Block
from rig.workers.bench.predicted_limits import parted
from rig.workers.bench.setpoints import setpoint


class Rings:
    """Command and measured, block by block; preparation where the loader has one, axes or loader where some tell of themselves,
    instruments where there are some."""

    def __init__(
        self,
        plan: Plan,
        names: Sequence[str],
        units: dict[str, str],
        rate: float,
        drives: Sequence[tuple[str, str]],
        instruments: Instruments,
    ) -> None:
        capacity = streams.capacity(rate, plan.experiment.acquisition.ring)
        paths = plan.streams
        columns, of = setpoint.columns(plan.experiment, units["command"])
        columns, of = (*columns, *(name for name, _ in drives)), (*of, *(unit for _, unit in drives))
        self._command = RingWriter.create(paths["command"], columns, of, capacity, rate)
        self._measured = RingWriter.create(paths["measured"], names, [units[name] for name in names], capacity, rate)
        self._calculated, self.calculated_predicted = (
            _calculated(plan, stream, channels, capacity, rate)
            for stream, channels in zip(("calculated", "calculated_predicted"), parted(plan.experiment.calculated), strict=True)
        )
        self.preparation: RingWriter | None = None
        if plan.bench.preparation is not None:
            columns, of = zip(*preparation.COLUMNS, strict=True)
            self.preparation = RingWriter.create(paths["preparation"], columns, of, streams.capacity(rate), rate)
        self._told: RingWriter | None = None
        if exchanges := sum(axis.rate for axis in plan.bench.axes if axis.serial is not None):
            columns, of = zip(*axes.COLUMNS, strict=True)
            self._told = RingWriter.create(paths["axes"], columns, of, streams.capacity(exchanges), exchanges)
        elif plan.bench.serial_loader is not None:
            columns, of = waveform_loader.columns(units["command"])
            exchanges = 1.0 / waveform_drive.LEAST
            self._told = RingWriter.create(paths["loader"], columns, of, streams.capacity(exchanges), exchanges)

        self._read: RingWriter | None = None
        if instruments.columns:
            columns, of = zip(*instruments.columns, strict=True)
            readings = instruments.readings
            self._read = RingWriter.create(paths["instruments"], columns, of, streams.capacity(readings), readings)

    def append(self, command: Block, measured: Block, calculated: Block, told: Block | None, read: Block) -> None:
        """Publish a block of the test, what was calculated from it, what axes or loader have told, what instruments have read; measured
        last: a prediction's lag counts from there."""
        if self._read is not None and len(read):
            self._read.append(read)
        if self._told is not None and told is not None and len(told):
            self._told.append(told)
        if self._calculated is not None:
            self._calculated.append(calculated)
        self._command.append(command)
        self._measured.append(measured)

    def close(self) -> None:
        """All streams have ended."""
        others = (self._calculated, self.calculated_predicted, self.preparation, self._told, self._read)
        for ring in (self._command, self._measured, *others):
            if ring is not None:
                ring.close()


def _calculated(plan: Plan, stream: str, channels: Sequence[Calculated], capacity: int, rate: float) -> RingWriter | None:
    """A ring of calculated channels, where there are some."""
    if not channels:
        return None
    return RingWriter.create(plan.streams[stream], [one.name for one in channels], [one.unit for one in channels], capacity, rate)
