"""An axis: one commanded motor of a rig, whatever drive turns it. All values are SI at the axis: rad, rad/s, N m.

What every drive's driver has to do is in `Axis`; what all of them share - gear and direction, the enable line, what happens when the
program dies, what happens after an error - is in `Guard` and `AxisBase`.
"""

from __future__ import annotations

import contextlib
import math
import statistics
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from drivers import host_clock
from drivers.clock import WALL, Clock
from drivers.daq.digital_lines import OutputLines
from drivers.errors import BadReply, DriverError, NoReply, NotConnected, Refused
from drivers.serial.allowance import ENDING, STOPPING, allowed
from drivers.serial.serial_line import SerialLine

MODES = ("position", "velocity", "torque")
TURN = 2.0 * math.pi
PROBES = 20
"""Exchanges by which a line is timed."""
PROBING = 1.0
"""s after which a line is slow enough to be timed by fewer."""
ROUNDS, BETWEEN_ROUNDS = 4, 0.3
"""How often a line that seems too slow is timed, and how long (s) after the last time."""


@dataclass(frozen=True)
class Feedback:
    """What the drive says of its axis; None where it cannot say. `span`: when the position was asked for and when it came
    (host_clock.now(), s); None where only the whole call tells that."""

    position: float | None
    velocity: float
    torque: float | None
    span: tuple[float, float] | None = None


class Axis(Protocol):
    """One commanded motor. Every method raises DriverError that names the instrument."""

    name: str
    mode: str
    stops_within: float
    """Time (s) after the last word of this program in which the drive begins to stop by itself; known once it is prepared."""
    smoothing: float
    """Bandwidth b (1/s) of the filter 1/(1 + p/b)^2 behind the positions that the drive takes, their rate fed forward; 0: there is none."""

    def connect(self) -> None:
        """Reach the drive and find out what it is. Raises NotConnected, NoReply, Refused for one that is too old."""

    def identity(self) -> str:
        """What the drive says it is, for the record."""

    def prepare(self, mode: str, rate: float = 0.0) -> None:
        """Set the mode, limits and what happens when this program dies, read back; nothing moves.

        rate: setpoints a second that will come (Hz). Raises Refused for a mode the drive has not, for a line that is too slow for
        `rate`, and where nothing would stop the axis after the death of this program.
        """

    def enable(self) -> None:
        """Power on, holding where it stands."""

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> Feedback | None:
        """One setpoint in the mode; rate (its derivative) and effort (N m) are fed forward by drives that can, ignored by others.

        Returns `feedback` where the drive's answer tells it, else None.
        """

    def feedback(self) -> Feedback:
        """Where the axis is. Counts as a sign of life for the drive."""

    def quick_stop(self) -> None:
        """Stop as fast as the drive may; it has confirmed when this returns. `command` is refused until `reset_fault`."""

    def disable(self) -> None:
        """Power off: the axis coasts."""

    def fault(self) -> str | None:
        """What the drive has against going on, in words."""

    def reset_fault(self) -> None:
        """Acknowledge a fault or a quick stop; the axis stays disabled. Raises Refused when the fault is still there."""

    def close(self) -> list[str]:
        """Power off and let go; returns what went wrong, in words."""


@runtime_checkable
class MovesItself(Protocol):
    """A drive that makes moves of its own, as to the place where a test begins."""

    def move_to(self, position: float) -> None:
        """Move to a position (rad) by the drive's own ramp, within its limits; returns at once. The next setpoint ends the move."""

    def arrived(self) -> bool:
        """Whether the last move is done."""


class Positioner(Axis, MovesItself, Protocol):
    """An axis that is commanded by position."""


class Drive(Axis, Protocol):
    """An axis on a serial line, as `AxisBase` has it."""

    line: SerialLine
    where: str

    @property
    def modes(self) -> tuple[str, ...]:
        """Those that it can be commanded in."""

    @property
    def stopped_by(self) -> str:
        """What it was stopped by, in words; empty where nothing has."""

    @property
    def output_lines(self) -> dict[str, str]:
        """Digital outputs that it wants of the DAQ device: name -> terminal."""

    def wait_by(self, clock: Clock) -> None:
        """What it waits by while the drive takes its time."""

    def too_slow(self, rate: float) -> str:
        """In words that the line does not carry `rate` setpoints a second (Hz); empty where it does."""


@dataclass(frozen=True)
class Guard:
    """An enable line of the drive on a digital output that falls `timeout` s after this program's last word (the DAQ's watchdog)."""

    lines: OutputLines
    timeout: float


@dataclass(frozen=True)
class Gearing:
    """Motor turns per axis turn, sign, and the position (rad, at the axis) that the drive calls 0."""

    gear: float = 1.0
    direction: str = "forward"
    zero: float = 0.0

    @property
    def turns(self) -> float:
        """Motor turns per rad of the axis, signed."""
        return self.gear / TURN * (1.0 if self.direction == "forward" else -1.0)

    def motor_position(self, position: float) -> float:
        """Turns of the motor at an axis position (rad)."""
        return (position - self.zero) * self.turns

    def motor_velocity(self, velocity: float) -> float:
        """Turns/s of the motor at an axis velocity (rad/s)."""
        return velocity * self.turns

    def motor_torque(self, torque: float) -> float:
        """N m of the motor for a torque at the axis (N m), losses of the gear left out."""
        return torque / (self.turns * TURN)

    def position(self, turns: float) -> float:
        """Axis position (rad) at turns of the motor."""
        return turns / self.turns + self.zero

    def velocity(self, turns: float) -> float:
        """Axis velocity (rad/s) at turns/s of the motor."""
        return turns / self.turns

    def torque(self, torque: float) -> float:
        """Torque at the axis for that of the motor, N m."""
        return torque * self.turns * TURN


def beyond(value: float, most: float) -> bool:
    """Whether a setpoint is beyond its limit, or no number; what was computed from the limit itself and was rounded is not."""
    return not abs(value) <= most * (1.0 + 1e-9)


class AxisBase(ABC):
    """What the drivers of all drives share. `where` begins each message: instrument and port."""

    modes: tuple[str, ...] = MODES
    exchanges = 2
    """On the line, for one setpoint with its feedback."""
    smoothing = 0.0
    clock: Clock = WALL

    def __init__(self, name: str, line: SerialLine, gearing: Gearing, enable_line: str | None, guard: Guard | None) -> None:
        self.name, self.line, self.where, self.gearing = name, line, line.where, gearing
        self.mode = ""
        self.stops_within = math.inf
        self._enable_line, self._guard = enable_line, guard
        self._enabled = False
        self._stopped = ""

    def wait_by(self, clock: Clock) -> None:
        """What it waits by while the drive takes its time over `enable`."""
        self.clock = clock

    @property
    def output_lines(self) -> dict[str, str]:
        """Digital outputs that this axis wants of the DAQ device: name -> terminal."""
        return {} if self._enable_line is None else {f"{self.name}_enable": self._enable_line}

    def cycle_time(self) -> float:
        """How long one setpoint with its feedback takes on this line (s), by the median of `PROBES` exchanges."""
        took, begun = list[float](), host_clock.now()
        while len(took) < PROBES and (len(took) < 3 or host_clock.now() - begun < PROBING):
            begin = host_clock.now()
            self._probe()
            took.append(host_clock.now() - begin)
        return self.exchanges * statistics.median(took)

    def too_slow(self, rate: float) -> str:
        """In words that the line does not carry `rate` setpoints a second (Hz), timed by exchanges that move nothing; empty where it does.

        The quickest of several rounds is the line's: a computer that is busy starting up is slow for a while, a line is always.
        """
        seconds = self.cycle_time()
        for _ in range(ROUNDS - 1):
            if seconds * rate <= 1.0:
                return ""
            time.sleep(BETWEEN_ROUNDS)
            seconds = min(seconds, self.cycle_time())
        if seconds * rate <= 1.0:
            return ""
        took = f"one setpoint with its feedback takes {seconds * 1e3:.1f} ms on this line, so {1.0 / seconds:.1f} a second"
        return f"{took}; {rate:g} are wanted: raise the baud rate, or stream fewer"

    @property
    def stopped_by(self) -> str:
        """What it was stopped by, in words, which is known before the stop is done; empty where nothing has."""
        return self._stopped

    def fault(self) -> str | None:
        """See `Axis`."""
        if (told := self._trouble()) is not None:
            return self._stops(told)
        return f"stopped by {self._stopped}" if self._stopped else None

    @allowed(ENDING, "letting go of it")
    def close(self) -> list[str]:
        """See `Axis`."""
        complaints = []
        if self._enabled or self.mode:
            try:
                self.disable()
            except Exception as error:  # the port is closed whatever that was
                said = str(error) if isinstance(error, DriverError) else f"{self.where}: {type(error).__name__}: {error}"
                complaints.append(f"{said}; the drive stops by itself within {self.stops_within:g} s")
        self.mode = ""
        return complaints + self.line.close()

    @allowed(STOPPING, "its quick stop")
    def quick_stop(self) -> None:
        """See `Axis`. Where the drive does not confirm, the enable line falls and the error says so."""
        self._stopped = self._stopped or "a quick stop"
        self._enabled = False
        try:
            self._brake()
        except Exception:
            self._line(False)
            raise

    @abstractmethod
    def disable(self) -> None:
        """See `Axis`."""

    @abstractmethod
    def _brake(self) -> None:
        """Tell the drive to stop, and see that it has heard."""

    @abstractmethod
    def _probe(self) -> object:
        """One exchange by which the line is timed; nothing moves."""

    @abstractmethod
    def _trouble(self) -> str | None:
        """What the drive itself has against going on, in words."""

    def _stops(self, why: str) -> str:
        """The drive stopped for a reason of its own, which is returned."""
        self._enabled, self._stopped = False, self._stopped or why
        return why

    def _check_mode(self, mode: str) -> None:
        if mode not in self.modes:
            raise Refused(f"{self.where}: mode must be one of {', '.join(self.modes)}, got {mode!r}; choose another drive or another mode")

    def _guarded(self, own: float | None, remedy: str) -> float:
        """Time (s) after which the drive stops when this program dies: its own time-out, or the guard's. Raises Refused without both."""
        times = [time for time in (own, self._guard_time()) if time is not None]
        if not times:
            raise Refused(
                f"{self.where}: nothing would stop this axis if the program died: {remedy}, or wire its enable input to a digital output, "
                "set enable_line to it and daq.watchdog in the bench file"
            )
        return min(times)

    def _guard_time(self) -> float | None:
        return self._guard.timeout if self._guard is not None and self._enable_line is not None else None

    def _line(self, high: bool) -> None:
        if self._guard is not None and self._enable_line is not None:
            self._guard.lines.write_lines({f"{self.name}_enable": high})

    def _check_rate(self, rate: float) -> None:
        if said := self.too_slow(rate):
            raise Refused(f"{self.where}: {said}")

    @contextlib.contextmanager
    def _stopping(self, doing: str) -> Iterator[None]:
        """What goes wrong on the line while the axis is enabled stops it; the error says whether that was confirmed."""
        try:
            yield
        except (BadReply, NoReply, NotConnected) as error:
            if not self._enabled:
                raise
            self._stopped = f"an error while {doing}: {error}"
            raise type(error)(f"{error}; {self._after_error(silent=not isinstance(error, BadReply))}") from error

    def _after_error(self, silent: bool) -> str:
        """Stop, in words how. A line that says nothing may carry nothing either: where there is an enable line, it falls first."""
        fallen = self._drop() if silent else ""
        try:
            self.quick_stop()
        except DriverError:
            return f"the quick stop was not confirmed: {fallen or self._drop()}"
        return "quick stop done"

    def _drop(self) -> str:
        """Power away by the enable line, in words; whatever becomes of that, the drive has its own time-out or the guard's."""
        otherwise = f"the drive stops by itself within {self.stops_within:g} s"
        if self._guard_time() is None:
            return otherwise
        try:
            self._line(False)
        except DriverError as error:
            return f"its enable line was not written ({error}), {otherwise}"
        return "its enable line has fallen, it has no power"

    def _check_prepared(self) -> None:
        if self._stopped:
            raise Refused(f"{self.where}: stopped by {self._stopped}; reset the fault")
        if not self.mode:
            raise Refused(f"{self.where}: prepare it first")

    def _check_speed(self, speed: float, most: float) -> None:
        if beyond(speed, most):
            raise Refused(f"{self.where}: speed {speed:g} rad/s is beyond max_speed = {most:g} rad/s; command less")

    def _check_enabled(self) -> None:
        if self._stopped:
            raise Refused(f"{self.where}: stopped by {self._stopped}; reset the fault and enable again")
        if not self._enabled:
            raise Refused(f"{self.where}: a setpoint before the axis was enabled; enable it first")
