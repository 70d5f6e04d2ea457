"""Everything that the bench worker owns, opened and closed together: device, what moves, rings, and what looks after them."""

from __future__ import annotations

from collections.abc import Callable

from drivers.daq.contract import Daq
from drivers.errors import DriverError, WatchdogExpired
from rig.config.experiment import MODE_UNITS
from rig.config.plan import Plan
from rig.hardware.reservation_owner import holder_named
from rig.hardware.wiring import wiring
from rig.workers.bench.actuation import choice
from rig.workers.bench.actuation.interface import AxisFigures
from rig.workers.bench.block_checks import BlockChecks
from rig.workers.bench.block_reader import Reading
from rig.workers.bench.endings import attempt
from rig.workers.bench.instruments import Instruments
from rig.workers.bench.keepalive import Keepalive
from rig.workers.bench.output import Block
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.streams import Rings
from rig.workers.bench.test_run import Grid

AT_ONCE = 4  # blocks that are read in one call before the test, at most
CATCH_UP = 3
"""One part in so many of what is filled ahead is read in one call, at most, when the worker is behind."""


class Equipment:
    """`daq`, `actuation` and `instruments` from the beginning; after `open` also `grid`, `feedback` (value by channel),
    `rings`, `watching`, `attending`, and `reading` for the test proper."""

    def __init__(self, plan: Plan, alive: Callable[[], None], gone: Callable[[str], bool]) -> None:
        """alive: is called while something is waited for; gone: whether a process has ended."""
        bench = plan.bench
        self._plan, self._gone = plan, gone
        self.daq: Daq = bench.daq.create(wiring(bench), bench.address)
        self.actuation = choice.create(plan, self.daq, alive)
        self.instruments = Instruments(bench.instruments, self.daq, bench.pace == "lockstep")
        self.grid: Grid | None = None
        self._rings: Rings | None = None
        self._times: SampleTimes | None = None

    def open(self, note: Callable[[str, str], None]) -> None:
        """Open every instrument, learn the real rate, make the rings; nothing moves. note(kind, text) takes what is to be told."""
        bench, experiment = self._plan.bench, self._plan.experiment
        acquisition = experiment.acquisition
        names = [channel.name for channel in bench.channels]
        units = {channel.name: channel.unit for channel in bench.channels} | {"command": MODE_UNITS[experiment.command.mode]}
        block = max(1, round(acquisition.block * acquisition.rate))
        ahead = max(2 * block, round(experiment.command.ahead * acquisition.rate))
        with holder_named():
            self.daq.connect()
            self.feedback = dict(zip(names, self.daq.read_once(), strict=True))
            rate = self.daq.open(acquisition.rate, block, ahead)
        if rate != acquisition.rate:
            note("rate", f"device runs at {rate:.13g} Hz, asked {acquisition.rate:.13g} Hz")
        self.grid = Grid(block, ahead, rate)
        for told in self.actuation.open(rate):
            note("axis", told)
        for told in self.instruments.open(rate):
            note("instrument", told)
        self.rings = self._rings = Rings(self._plan, names, units, rate, self.actuation.columns, self.instruments)
        self.watching = BlockChecks(self._plan, names, units, rate, self.rings.calculated_predicted, self._gone)
        # A device whose clock goes with the program is never ahead of it.
        most = 1 if bench.pace == "lockstep" else max(1, ahead // (CATCH_UP * block))
        self.reading = Reading(self.daq, block, rate, most)
        self._times = self.reading.times
        self.attending = Keepalive(self.daq, self.actuation, acquisition.block, bench.daq.watchdog)

    def read(self, behind: int) -> Block:
        """The next block of every channel, before the test, or as many of those that wait as one call is to fetch: (k, channels)."""
        assert self.grid is not None
        block: Block = self.daq.read(self.grid.block * min(max(1, behind), AT_ONCE))
        return block

    def clocks(self) -> AxisFigures:
        """Of what has a clock of its own, against that of the samples; nothing before `open`."""
        return {} if self._times is None else self.actuation.figures(self._times)

    def close(self, safe: bool) -> list[str]:
        """Interlock unless everything is safe already, then close every task and ring; returns what could not be done, in words."""
        complaints = [] if safe else self._interlock()
        complaints += attempt("what moves", self.actuation.close)
        complaints += attempt("instruments", self.instruments.close)
        complaints += attempt("DAQ", self.daq.close)
        if self._rings is not None:
            complaints += attempt("readers", self.watching.close) if hasattr(self, "watching") else []
            complaints += attempt("rings", self._rings.close)
        return complaints

    def _interlock(self) -> list[str]:
        """The safe state; returns what is to be told of it."""
        try:
            self.actuation.trip()
        except WatchdogExpired:
            return ["the lines were in their safe states already, by the device's watchdog"]
        except Exception as error:  # whatever it is: what can be closed still is
            said = str(error) if isinstance(error, DriverError) else f"{type(error).__name__}: {error}"
            return [f"the safe state could not be brought about: {said}"]
        return []
