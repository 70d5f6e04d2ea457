"""The axes of a motor rig: what the bench worker asks of them. Serial drives run in threads of their own, the others on the output."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from drivers.axes.analog_axis import AnalogAxis
from drivers.axes.axis import Drive, Guard
from drivers.daq.contract import Daq
from rig.checks import following
from rig.config.plan import Plan
from rig.host import clock
from rig.streaming.ring import RingWriter
from rig.trajectory.drives import Drives
from rig.workers.bench import endings
from rig.workers.bench.actuation.axis_startup import AxisStartup
from rig.workers.bench.actuation.enable_lines import EnableLines
from rig.workers.bench.actuation.interface import Actuation, AxisFigures, Block, Session
from rig.workers.bench.actuation.serial_axis import Job, SerialAxis, Told
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.setpoints.setpoint import Setpoint
from rig.workers.bench.watchdog_feeding import while_alive, while_ending

VALUE = 0  # column of the command
AT_REST = 0.02  # rad/s
RECENT = 30  # exchanges before an axis was told not to follow
LATE = 2.0  # intervals between two of them, from which that may be why
FIRST_DRIVE = 3  # columns before those of the drives
KEYS = ("sample", "setpoint", "position", "trip", "moment")  # of what was told, for its figures
COLUMNS = (("sample", "1"), ("axis", "1"), ("setpoint", "rad"), ("position", "rad"), ("velocity", "rad/s"), ("torque", "N*m"))
"""Of the stream `axes`: one row an exchange with one axis, counted as the mechanism's drives are; NaN where a drive tells nothing."""


class AxesActuation(Actuation):
    """See `rig.workers.bench.actuation.interface.Actuation`."""

    controlled: int | None = None
    ends_loaded = False

    def __init__(self, plan: Plan, daq: Daq, alive: Callable[[], None]) -> None:
        bench = plan.bench
        self._plan, self._daq, self._alive = plan, daq, alive
        self._drives = Drives(plan.experiment.mechanism, plan.experiment.trajectory)
        self._lockstep = bench.pace == "lockstep"
        self._lines = EnableLines(daq, tuple(daq.wiring.output_lines))
        self._analog: dict[int, AnalogAxis] = {}
        self._drivers: dict[int, Drive] = {}
        watchdog = bench.daq.watchdog
        for axis in bench.axes:
            k = self._drives.names.index(axis.name)
            if axis.analog is not None:
                self._analog[k] = axis.analog.create(self._lines, watchdog, axis.name)
            elif axis.serial is not None:
                guard = Guard(self._lines, watchdog) if watchdog and axis.serial.enable_line else None
                self._drivers[k] = axis.serial.create(axis.name, guard)
        self._configs = {self._drives.names.index(axis.name): axis for axis in bench.axes}
        self._serial: dict[int, SerialAxis] = {}
        self._rate = 0.0
        self._last = 0.0
        self._history: dict[int, list[Told]] = {k: [] for k in self._drivers}
        self._tripped = False

    # -- before the test -----------------------------------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """See `Actuation`: setpoint and rate of each drive."""
        pairs = zip(self._drives.names, self._drives.units, strict=True)
        return tuple(column for name, unit in pairs for column in ((name, unit), (f"{name}_rate", f"{unit}/s")))

    def open(self, rate: float) -> list[str]:
        """See `Actuation`: reach every drive; nothing moves."""
        self._rate = rate
        for driver in self._drivers.values():
            while_alive(self._daq, driver.connect)
        return [f"{driver.name}: {while_alive(self._daq, driver.identity)}" for driver in self._drivers.values()]

    def session(self, ring: RingWriter | None, block: int, note: Callable[[str], None]) -> Session | None:
        """See `Actuation`: serial axes get their power, and those that are commanded by position go where the test begins."""
        for analog in self._analog.values():
            analog.prepare()
        for k, driver in self._drivers.items():
            rate = self._plan.bench.line_rate(self._configs[k])
            self._alive()  # each may take seconds; whoever does not want the test any more need not wait for all of them
            while_alive(self._daq, partial(driver.prepare, self._configs[k].mode, rate))
            rest = None if driver.output_lines else AT_REST  # an enable line falls first, and takes the power with it
            how = (self._configs[k].mode, self._interval(k), self._rate, self._lockstep)
            self._serial[k] = SerialAxis(driver, *how, rest=rest)
        begin = self._drives.evaluate(np.zeros(1))[0][0]
        axes = [(axis, float(begin[k])) for k, axis in self._serial.items()]
        return AxisStartup(self._daq, axes, block, self._rate, self._lockstep, note) if axes else None

    def prepare(self, feedback: Mapping[str, float], session: Session | None) -> float:
        """See `Actuation`: the course begins at 0, wherever the shafts stand."""
        return 0.0

    def _interval(self, k: int) -> float:
        return self._plan.experiment.acquisition.block if self._lockstep else 1.0 / float(self._configs[k].rate)

    def enable(self) -> None:
        """See `Actuation`."""
        for axis in self._analog.values():
            axis.enable()

    # -- block by block ------------------------------------------------------------------------------------------------------------

    def append_axis_columns(self, block: Block) -> Block:
        """See `Actuation`: setpoint and rate of each drive beside the value."""
        s = block[:, VALUE]
        rate = np.diff(s, prepend=self._last) * self._rate
        self._last = float(s[-1])
        value, slope = self._drives.evaluate(s)
        return np.column_stack([block, np.stack([value, slope * rate[:, None]], axis=2).reshape(len(s), -1)])

    def volts(self, block: Block) -> Block:
        """See `Actuation`; (k,) for one analogue output, (k, outputs) for several."""
        columns = [axis.volts(block[:, self._column(k) + int(axis.takes_rate)]) for k, axis in self._analog.items()]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    @staticmethod
    def _column(k: int) -> int:
        return FIRST_DRIVE + 2 * k

    def stream(self, first: int, at: float, ahead: Block) -> None:
        """See `Actuation`: to every serial axis, which in lockstep has it before this returns."""
        for k, axis in self._serial.items():
            column = self._column(k)
            rate = ahead[:, column + 1].copy()
            acceleration = np.gradient(rate, 1.0 / self._rate) if len(rate) > 1 else np.zeros(1)
            axis.hand(Job(first, at, ahead[:, column].copy(), rate, acceleration))
        if self._lockstep:
            for axis in self._serial.values():
                axis.wait()

    def attend(self, more: bool = False) -> str | None:
        """See `Actuation`: faults, and axes that do not follow."""
        for k, axis in self._serial.items():
            if said := axis.failed or axis.lost(clock.now()) or self._not_following(k):
                return said
        for analog in () if more else self._analog.values():
            if fault := analog.fault():
                return f"{analog.name}: {fault}"
        return None

    def _not_following(self, k: int) -> str:
        most, told = self._configs[k].following_error, self._history[k]
        if most is None or not told:
            return ""
        # What is commanded by velocity goes on from wherever it stands.
        begin = told[0].position - told[0].setpoint if self._configs[k].mode == "velocity" else 0.0
        newest = ((one.sample / self._rate, one.position - one.setpoint - begin) for one in reversed(told))
        if (error := following.astray(newest, most)) is None:
            return ""
        name, degrees = self._configs[k].name, math.degrees(error)
        sample = told[-1].sample + self._plan.first_sample
        said = f"{name}: following error {degrees:.3g} deg exceeds {math.degrees(most):.3g} deg at sample {sample:.0f}"
        late = following.late([one.sample / self._rate for one in told[-RECENT:]], self._interval(k), LATE)
        if late:
            return f"{said}; just before {late}"
        out = following.dry(self._serial[k].ran_dry, self._interval(k))
        return f"{said}; in this test {out}" if out else said

    def take_feedback(self) -> Block:
        """See `Actuation`: rows of `COLUMNS` for what the axes have said since the last call, (k, 6)."""
        rows = []
        for k, axis in self._serial.items():
            for one in axis.take():
                self._history[k].append(one)
                rows.append((one.sample, float(k), one.setpoint, one.position, one.velocity, one.torque))
        return np.array(sorted(rows)).reshape(-1, len(COLUMNS))

    # -- coming to rest ------------------------------------------------------------------------------------------------------------

    def rest(self, setpoint: Setpoint, measured: Block, duration: float) -> None:
        """See `Actuation`: along its course, wherever that leads within the time."""
        setpoint.brake(duration)

    def abort(self, present: float) -> float:
        """See `Actuation`: nothing is asked of the drives any more."""
        if self._analog:
            self._daq.abort_output()
            volts = [axis.rest_volts for axis in self._analog.values()]
            self._daq.set_output(volts[0] if len(volts) == 1 else np.array(volts))
        self._last = present
        return present

    def safe_value(self, held: float) -> float:
        """See `Actuation`: it stands."""
        return held

    def put(self, value: float) -> None:
        """See `Actuation`: drives that were tripped take nothing."""

    def trip(self) -> None:
        """See `Actuation`: every enable line low in one call, then a quick stop of each drive, whatever the others do."""
        self._tripped = True
        try:
            self._lines.trip()
        finally:
            for axis in self._serial.values():
                axis.stop_quickly()
            endings.hurry(self._drivers)

    def release(self) -> None:
        """See `Actuation`. Serial axes hold until they are closed: a drive that hears nothing meanwhile takes its program for dead."""
        for analog in self._analog.values():
            analog.release()

    def cause(self) -> str:
        """See `Actuation`."""
        stopped = (f"{driver.name}: stopped by {driver.stopped_by}" for driver in self._drivers.values() if driver.stopped_by)
        return next(stopped, "")

    def close(self) -> list[str]:
        """See `Actuation`."""
        return while_ending(self._daq, partial(endings.end_all, self._drivers, self._end))

    def _end(self, k: int) -> list[str]:
        """One drive: its thread comes to its end, and then it lets go; what went wrong, in words."""
        complaints = []
        if (axis := self._serial.get(k)) is not None:
            axis.end()
            if axis.failed and self._tripped:
                complaints.append(axis.failed)
        return complaints + endings.attempt(self._drivers[k].name, self._drivers[k].close)

    def figures(self, times: SampleTimes) -> AxisFigures:
        """See `Actuation`: per serial axis skew in ppm (of those commanded by velocity), rms following error in rad, and the longest (s)
        that it was out of setpoints."""
        return {self._configs[k].name: self._figures(k, told, times) for k, told in self._history.items()}

    def _figures(self, k: int, told: list[Told], times: SampleTimes) -> dict[str, float | None]:
        sample, setpoint, position, trip, moment = (np.array([getattr(one, key) for one in told]) for key in KEYS)
        position = position - (position[0] - setpoint[0]) if len(position) and self._configs[k].mode == "velocity" else position
        known = sample if self._lockstep or not len(sample) else times.samples_at(moment)
        there = following.restamp(known, sample, setpoint)
        faster = following.skew(known / self._rate, there, position, trip) if self._configs[k].mode == "velocity" else None
        return {
            "skew_ppm": None if faster is None else 1e6 * faster,
            "following_error_rms": following.rms(setpoint, position) if len(position) else None,
            "ran_dry_s": self._serial[k].ran_dry if k in self._serial else 0.0,
        }
