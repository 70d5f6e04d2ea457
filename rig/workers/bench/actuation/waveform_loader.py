"""A loader whose controller runs the waveform by itself, commanded on a serial line: what the bench worker asks of it.

The waveform is downloaded and armed before the test, and waits for the controller's run/hold input. That is an analogue output, on the
sample clock: it rises at the very sample at which the trajectory begins, so the sample at which the waveform begins is known. A hold lets
it fall, and a resume lets it rise again, each at a sample of its own: the waveform stands at once, and goes on at once. A ramped stop lets
it fall, too, and the controller then ramps to where it is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from drivers.loaders.loader import WaveformLoader
from drivers.serial.allowance import ENDING, STOPPING, Allowance
from rig.checks import following
from rig.config.checks.waveform import Waveform
from rig.config.experiment import MODE_UNITS
from rig.config.plan import Plan
from rig.hardware.wiring import ENABLE
from rig.host import clock
from rig.streaming.ring import RingWriter
from rig.workers.bench import endings
from rig.workers.bench.actuation.axis_startup import AxisStartup
from rig.workers.bench.actuation.enable_lines import EnableLines
from rig.workers.bench.actuation.interface import Actuation, AxisFigures, Block, Session
from rig.workers.bench.actuation.serial_axis import Job, SerialAxis, Told
from rig.workers.bench.actuation.waveform_drive import Wave, WaveformDrive, interval
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.setpoints.setpoint import NOT_COUNTED, Setpoint
from rig.workers.bench.watchdog_feeding import while_alive, while_ending

VALUE, CYCLE = 0, 2  # columns of the command
RUN, HOLD = 5.0, 0.0  # V
HAND_OVER = 0.4  # s until a controller that has been held is told to ramp, at the most
WITHIN = 0.01  # of full scale, between where it stands and where the test begins
OVERDUE = 1.0  # s after the command's end within which the controller has to have ended its waveform by itself
OFF_BY = 0.01  # of the test's duration, by which its clock may be off besides: far more than any clock is
SETTLE = 0.5  # s after the start of the waveform in which the loop comes to its steady motion
KEYS = ("sample", "setpoint", "position", "moment")  # of what was told, for its figures
COLUMNS = ("sample", "setpoint", "feedback")
"""Of the stream `loader`: one row an exchange."""


def columns(unit: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(names, units) of the stream `loader`, whose setpoint is in `unit`."""
    return COLUMNS, ("1", unit, unit)


class WaveformActuation(Actuation):
    """See `rig.workers.bench.actuation.interface.Actuation`."""

    columns: tuple[tuple[str, str], ...] = ()
    controlled: int | None = None
    ends_loaded = False  # a waveform ends where it began
    hold_time = 0.0  # its run/hold input is obeyed at once

    def __init__(self, plan: Plan, daq: Daq) -> None:
        bench, self._mode = plan.bench, plan.experiment.command.mode
        self._plan, self._daq = plan, daq
        self._zero = bench.loader_zero(self._mode)
        assert bench.serial_loader is not None
        self.loader: WaveformLoader = bench.serial_loader.create(self._mode)
        self.controlled = [channel.name for channel in bench.channels].index(self.loader.feedback_channel)
        trajectory = plan.experiment.trajectory
        assert isinstance(trajectory, Waveform)
        self._wave = Wave.from_trajectory(trajectory).without(plan.resumption.cycle or 0 if plan.resumption else 0)
        self._unit, self._within = MODE_UNITS[self._mode], WITHIN * self.loader.full_scale
        self._drive = WaveformDrive(self.loader, self._wave, self._within, self._unit)
        self._lines = EnableLines(daq, tuple(daq.wiring.output_lines))
        self._lockstep = bench.pace == "lockstep"
        self._interval = interval(self._wave.frequency)
        self._every = max(1, round(self._interval / plan.experiment.acquisition.block)) if self._lockstep else 1
        self._blocks = 0
        self._axis: SerialAxis | None = None
        self._rate = 0.0
        self._history: list[Told] = []
        self._runs = self._stopped = self._tripped = False
        self._given = 0  # samples that have gone out
        self._edges: list[tuple[int, bool]] = []  # (sample, whether it goes on there) of holds and resumes that are still to go out
        self._going = True
        self._stood = 0  # samples for which it has been held
        self._steady_until: int | None = None  # sample of the first hold: up to there its phase is that of one wave
        self._ran = (0, 0)  # from which to which of them the waveform runs
        self._block = plan.experiment.acquisition.block
        self._ended = 0.0  # s since the command has ended

    # -- before the test -----------------------------------------------------------------------------------------------------------

    def open(self, rate: float) -> list[str]:
        """See `Actuation`: reach the controller; nothing moves."""
        self._rate = rate
        while_alive(self._daq, self.loader.connect)
        guarded = f", and without pressure within {self._plan.bench.daq.watchdog:g} s" if ENABLE in self._daq.wiring.output_lines else ""
        ends = f"without this program its waveform ends within {self.loader.stops_within:g} s{guarded}"
        return [f"{self.loader.name}: {while_alive(self._daq, self.loader.identity)}; {ends}"]

    def session(self, ring: RingWriter | None, block: int, note: Callable[[str], None]) -> Session | None:
        """See `Actuation`: pressure on, a ramp to where the test begins, the waveform downloaded and armed."""
        self._daq.hold_output(HOLD)  # another program may have left it high
        if ENABLE in self._daq.wiring.output_lines:
            self._lines.write_lines({ENABLE: True})
        how = (self._interval, self._rate, self._lockstep, self._unit, self._within)
        self._axis = SerialAxis(self._drive, "position", *how)
        return AxisStartup(self._daq, [(self._axis, self._zero)], block, self._rate, self._lockstep, note, "loader")

    def prepare(self, feedback: Mapping[str, float], session: Session | None) -> float:
        """See `Actuation`: the controller stands at a setpoint of 0."""
        self._daq.release_output()
        return 0.0

    def enable(self) -> None:
        """See `Actuation`; the run input does it."""

    def stands_from(self, sample: int) -> None:
        """See `Actuation`."""
        self._edges = [*(edge for edge in self._edges if edge[0] < sample), (sample, False)]
        self._steady_until = sample if self._steady_until is None else self._steady_until

    def goes_on_from(self, sample: int) -> None:
        """See `Actuation`."""
        self._edges = [*(edge for edge in self._edges if edge[0] < sample), (sample, True)]

    # -- block by block ------------------------------------------------------------------------------------------------------------

    def volts(self, block: Block) -> Block:
        """See `Actuation`: the run input, (k,)."""
        first, self._given = self._given, self._given + len(block)
        if self._stopped:
            return np.full(len(block), HOLD)
        counted = np.flatnonzero(block[:, CYCLE] != NOT_COUNTED)
        runs = np.full(len(block), self._runs)
        if len(counted):
            runs[counted[0] :] = True
            self._ran = (self._ran[0] if self._runs else first + int(counted[0]), first + int(counted[-1]))
            self._runs = True
        stands = ~self._goes(first, len(block))
        self._stood += int(np.count_nonzero(runs & stands))
        return np.where(runs & ~stands, RUN, HOLD)

    def _goes(self, first: int, count: int) -> NDArray[np.bool_]:
        """(count,): whether the trajectory goes on at each sample from `first` on."""
        goes = np.full(count, self._going)
        while self._edges and self._edges[0][0] < first + count:
            sample, self._going = self._edges.pop(0)
            goes[max(sample - first, 0) :] = self._going
        return goes

    def stream(self, first: int, at: float, ahead: Block) -> None:
        """See `Actuation`: to the thread that keeps the controller going; in lockstep it has spoken before this returns."""
        n, self._blocks = self._blocks, self._blocks + 1
        if self._axis is None or n % self._every:
            return
        setpoint = ahead[:, VALUE].copy()
        still = np.zeros(len(setpoint))  # the controller reckons its own rates
        self._axis.hand(Job(first, at, setpoint, still, still))
        if self._lockstep:
            self._axis.wait()

    def attend(self, more: bool = False) -> str | None:
        """See `Actuation`: what the controller says, or that it says nothing; that it does not count, and so does not end."""
        if self._axis is None:
            return None
        return self._axis.failed or self._axis.lost(clock.now()) or self._uncounted() or self._overdue() or None

    def take_feedback(self) -> Block | None:
        """See `Actuation`: rows of `COLUMNS`, (k, 3), net of the tare."""
        told = self._axis.take() if self._axis else []
        self._history += told
        return np.array([(one.sample, one.setpoint, one.position - self._zero) for one in told]).reshape(-1, len(COLUMNS))

    # -- coming to rest ------------------------------------------------------------------------------------------------------------

    def rest(self, setpoint: Setpoint, measured: Block, duration: float) -> None:
        """See `Actuation`: the waveform is held, then zero force, or the present stroke."""
        self._stopped = True
        if self._mode == "stroke":  # wherever its run input holds it, which is some way from where it is now
            setpoint.stand(duration + HAND_OVER)
            self._drive.come_to_rest(None, duration)
        else:
            setpoint.halt(0.0, duration + HAND_OVER)
            self._drive.come_to_rest(self._zero, duration)

    def abort(self, present: float) -> float:
        """See `Actuation`: the run input falls now."""
        self._daq.abort_output()
        self._daq.set_output(HOLD)
        return present

    def safe_value(self, held: float) -> float:
        """See `Actuation`: force goes to zero, stroke nowhere."""
        return float(self.loader.safe_setpoint(held))

    def put(self, value: float) -> None:
        """See `Actuation`: a controller without pressure takes nothing."""

    def trip(self) -> None:
        """See `Actuation`: the enable line low, where there is one, then pressure off by the line."""
        self._tripped = True
        try:
            self._lines.trip()
        finally:
            if self._axis is not None:
                self._axis.stop_quickly()
            self.loader.line.limit(Allowance(STOPPING, "stopping it"))

    def rests(self) -> bool:
        """See `Actuation`: its controller says so."""
        self._ended += self._block
        return not self._drive.runs

    def _overdue(self) -> str:
        """In words that the waveform goes on though it was to end by itself: by the controller's count, or held by its run input."""
        if self._ended <= OVERDUE + OFF_BY * (self._ran[1] - self._ran[0]) / self._rate:
            return ""
        was_to = "be held by its run/hold input, which is low" if self._stopped else f"end after {self._wave.cycles} cycles"
        told = f"{self.loader.where}: its waveform was to {was_to}, and goes on {self._ended:.2g} s later"
        return f"{told} (counted: {self._drive.counted / 4:g} cycles); look at its event and run/hold settings"

    def _uncounted(self) -> str:
        """In words that its counter is more than a chunk behind the waveform, so that nothing would end it without this program."""
        if not (self._runs and self._history and self._drive.runs) or self._stopped:
            return ""
        gone = 4.0 * self._wave.frequency * (min(self._history[-1].sample, self._ran[1]) - self._ran[0] - self._stood) / self._rate
        most = 4.0 * self._wave.frequency * self.loader.stops_within + OFF_BY * gone
        if gone - self._drive.counted <= most:
            return ""
        counted = f"its controller has counted {self._drive.counted / 4:g} of the {gone / 4:.4g} cycles that have gone by"
        return f"{self.loader.where}: {counted}: it would not end its waveform by itself; look at its quarter-cycle counter"

    def release(self) -> None:
        """See `Actuation`: everything ends, then the pressure goes."""
        try:
            if self._axis is not None:
                while_ending(self._daq, self._axis.end)
            while_ending(self._daq, self.loader.release)
        finally:
            self._lines.trip()

    def cause(self) -> str:
        """See `Actuation`."""
        return ""

    def close(self) -> list[str]:
        """See `Actuation`."""
        complaints = []
        if self._axis is not None:
            while_ending(self._daq, self._axis.end)
            complaints += [self._axis.failed] if self._axis.failed and self._tripped else []
        self.loader.line.limit(Allowance(ENDING, "letting go of it"))
        return [*complaints, *endings.attempt(self.loader.name, partial(while_ending, self._daq, self.loader.close))]

    def figures(self, times: SampleTimes) -> AxisFigures:
        """See `Actuation`: by the controller's own readings; the following error is rms, N or m."""
        if not self._history:
            return {}
        sample, setpoint, position, moment = (np.array([getattr(one, key) for one in self._history]) for key in KEYS)
        known = sample if self._lockstep else times.samples_at(moment)
        until = self._ran[1] if self._steady_until is None else min(self._ran[1], self._steady_until)
        ran = (sample > self._ran[0] + SETTLE * self._rate) & (sample < until)
        faster = following.wave_skew(known[ran] / self._rate, position[ran], self._wave.frequency)
        return {
            self.loader.name: {
                "skew_ppm": None if faster is None else 1e6 * faster,
                "following_error_rms": following.rms(setpoint, position - self._zero),
            }
        }
