"""A guarded session by hand with one axis, or a loader: read, enable, a small slow move, stop; what is read back confirms each action."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from drivers.axes.axis import Feedback, MovesItself
from drivers.protocols.plain_number import plain_number
from drivers.serial.allowance import STOPPING as STOPPING_ALLOWED
from drivers.serial.allowance import Allowance
from drivers.serial.serial_line import SerialLine
from rig.host import clock
from rig.workers.bench.endings import attempt

LARGEST = math.radians(10.0)
"""Of one move, rad."""
SPEED = 0.5
"""Of the axis, rad/s; the drive is limited to it as well."""
ACCELERATION = 2.0
"""rad/s^2; gentle, as a servo that overshoots its speed limit calls that a fault."""
REST = 0.02
"""Speed (rad/s) that counts as rest."""
POLL = 0.02
"""s between two looks while the axis moves."""
LEAST = SPEED * POLL
"""Of one move at a speed, rad: what is turned from one look to the next, so that less cannot be told from it."""
STOPPING = 2.0
"""s that a stop may take."""
SLOWER = 3.0
"""Times the expected duration that a move may take, and a second."""
HELP = ("help", "?")
KEEP_ALIVE = 0.1
"""Longest pause (s) between two signs of life to an axis that has power."""


@dataclass(frozen=True)
class Measure:
    """What is moved, and by how much at the most. `one`: SI value of a `unit`; largest (of one move), speed and rest (a speed): SI.

    `what` stands in the rules, `example` in messages; `effort` and `effort_unit`: of what the feedback has as torque.
    """

    what: str
    example: str
    unit: str
    si: str
    one: float
    largest: float
    speed: float
    rest: float
    effort: str
    effort_unit: str
    speed_unit: str
    speed_one: float
    effort_one: float = 1.0

    def __call__(self, value: float) -> float:
        """An SI value in `unit`."""
        return value / self.one

    def in_speed(self, value: float) -> str:
        """A speed (SI) with its unit."""
        return f"{value / self.speed_one:.4g} {self.speed_unit}"

    @property
    def help(self) -> str:
        """What can be typed, with its units."""
        most = f"at most {self(self.largest):.4g} {self.unit} at a time, at {self.in_speed(self.speed)} or less"
        return "\n".join(
            [
                f"read            where it is ({self.unit}), its speed ({self.speed_unit}) and {self.effort} ({self.effort_unit})",
                "enable          power on; it holds where it stands",
                f"move {self.what:<10} from where it stands, as move {self.example}, with its unit; {most}",
                "stop            stops, waits for rest, power off",
                "fault           what it has against going on",
                "reset           acknowledges a fault, without power",
                "help, ?         this",
                "quit            stop, power off, and the end; so do the end of input, Ctrl-C and a closed terminal",
                "While it moves, Enter stops it.",
            ]
        )


ANGLE = Measure("ANGLE", "5 deg", "deg", "rad", math.radians(1.0), LARGEST, SPEED, REST, "torque", "N m", "deg/s", math.radians(1.0))


class NotAllowed(Exception):
    """A line that is no command, or asks for too much; nothing was done."""


@dataclass(frozen=True)
class Said:
    """One action: what was done in words, and what the drive read back (rad, rad/s, N m; None where it cannot say)."""

    verb: str
    text: str
    position: float | None
    velocity: float
    torque: float | None


class Driver(Protocol):
    """What is moved by hand: a drive, or a loader by its stroke. See `drivers.axes.axis.Axis`."""

    name: str
    where: str
    line: SerialLine

    @property
    def modes(self) -> tuple[str, ...]: ...
    @property
    def stops_within(self) -> float: ...
    def connect(self) -> None: ...
    def identity(self) -> str: ...
    def prepare(self, mode: str) -> None: ...
    def enable(self) -> None: ...
    def command(self, value: float) -> Feedback | None: ...
    def feedback(self) -> Feedback: ...
    def quick_stop(self) -> None: ...
    def disable(self) -> None: ...
    def fault(self) -> str | None: ...
    def reset_fault(self) -> None: ...
    def close(self) -> list[str]: ...


@dataclass
class ManualSession:
    """The session. driver: see `drivers.axes.axis.Axis`, connected; modes: those it has.

    called: whether the person wants a move to end; alive: called at least every POLL s while something is waited for.
    """

    driver: Driver
    called: Callable[[], bool]
    alive: Callable[[], None]
    measure: Measure = ANGLE
    powered: bool = False
    done: list[Said] = field(default_factory=list)

    @property
    def mode(self) -> str:
        """The drive's own moves to a position where it has them, else a speed for a while."""
        return "position" if "position" in self.driver.modes else "velocity"

    @property
    def pause(self) -> float:
        """Longest time (s) that may pass without `keep_alive`."""
        return min(KEEP_ALIVE, self.driver.stops_within / 4.0) if self.powered else KEEP_ALIVE

    def do(self, line: str) -> str:
        """One line as typed; what was done, in words. Raises NotAllowed, DriverError."""
        if line.strip() in HELP:
            return self.measure.help
        verb, _, rest = line.strip().partition(" ")
        action = {"read": self._read, "enable": self._enable, "stop": self._stop, "fault": self._fault, "reset": self._reset}.get(verb)
        if verb == "move":
            text = self._move(_amount(rest, self.measure))
        elif action is None or rest.strip():
            raise NotAllowed(
                f"{line.strip()!r}: expected read, enable, move {self.measure.what} (as move {self.measure.example}), stop, fault, reset, "
                "help or quit"
            )
        else:
            text = action()
        found = self.driver.feedback()
        self.done.append(Said(verb, text, found.position, found.velocity, found.torque))
        return f"{text}: {in_words(found, self.measure)}"

    def keep_alive(self) -> None:
        """A sign of life for a drive that has power; raises DriverError when it has stopped by itself."""
        self.alive()
        if self.powered:
            self.driver.feedback()

    def cut(self) -> list[str]:
        """Quick stop, rest, power off; returns what went wrong, in words. Nothing is raised."""
        complaints: list[str] = []
        steps = (self.driver.quick_stop, self._come_to_rest, self.driver.disable) if self.powered else ()
        with self.driver.line.within(Allowance(STOPPING_ALLOWED, "stopping it")):
            for step in steps:  # a stop that was not confirmed does not keep the power on
                complaints += attempt(self.driver.name, step)
        self.powered = False
        return complaints

    def finish(self) -> list[str]:
        """The same, and the port is closed."""
        return [*self.cut(), *attempt(self.driver.name, self.driver.close)]

    # -- the verbs -----------------------------------------------------------------------------------------------------------------

    def _read(self) -> str:
        return "read"

    def _enable(self) -> str:
        if self.powered:
            raise NotAllowed("enable: it has power already; nothing was done")
        self.driver.prepare(self.mode)
        self.alive()
        self.powered = True  # from here on a failure is followed by a stop
        self.driver.enable()
        within = self.driver.stops_within
        return f"enabled, holds; without this program it stops within {within:g} s"

    def _stop(self) -> str:
        self.driver.quick_stop()
        still = self._come_to_rest()
        self.driver.disable()
        self.powered = False
        return "stopped, power off" if still else f"power off; it still moved {STOPPING:g} s after the stop"

    def _fault(self) -> str:
        return self.driver.fault() or "no fault"

    def _reset(self) -> str:
        self.driver.reset_fault()
        self.powered = False
        return "reset, without power"

    def _move(self, angle: float) -> str:
        shown, unit = self.measure, self.measure.unit
        if abs(angle) > shown.largest * (1.0 + 1e-9):
            raise NotAllowed(f"move: at most {shown(shown.largest):g} {unit} at a time, got {shown(angle):.4g} {unit}; nothing was done")
        if not self.powered:
            raise NotAllowed("move: the axis has no power; enable it first")
        if self.mode == "velocity" and 0.0 < abs(angle) < LEAST:
            why = f"it is moved by its speed and looked at every {POLL:g} s"
            raise NotAllowed(f"move: at least {shown(LEAST):.2g} {unit} at a time ({why}), got {shown(angle):.4g} {unit}; nothing was done")
        turned, ended = (self._to_position if self.mode == "position" else self._at_speed)(angle)
        if ended:
            return f"moved {shown(turned):.2f} of {shown(angle):.2f} {unit}, then {ended}; power off"
        return f"moved {shown(turned):.2f} {unit}, asked {shown(angle):.2f} {unit}"

    def _to_position(self, angle: float) -> tuple[float, str]:
        """By the drive's own ramp: (angle turned, why it was ended early)."""
        begin = self._position()
        driver = self.driver
        assert isinstance(driver, MovesItself)
        driver.move_to(begin + angle)
        arrived = self._wait(lambda: driver.arrived() and self._resting(), self._longest(angle))
        turned = self._position() - begin
        return turned, "" if arrived else self._ended()

    def _at_speed(self, angle: float) -> tuple[float, str]:
        """A speed until the drive's own speed has summed up to the angle: it tells no position."""
        turned, last = 0.0, clock.now()

        def far_enough() -> bool:
            nonlocal turned, last
            speed, now = self.driver.feedback().velocity, clock.now()
            turned, last = turned + speed * (now - last), now
            return bool(abs(turned) >= abs(angle))

        self.driver.command(math.copysign(SPEED, angle))
        there = self._wait(far_enough, self._longest(angle)) if angle else True
        if not there:
            return turned, self._ended()
        self.driver.command(0.0)
        return turned, "" if self._wait(lambda: far_enough() and self._resting(), STOPPING) else self._ended()

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _longest(self, angle: float) -> float:
        return SLOWER * abs(angle) / self.measure.speed + 1.0

    def _ended(self) -> str:
        why = "stopped by hand" if self.called() else "stopped: it took too long; look whether it can move"
        self._stop()
        return why

    def _wait(self, true: Callable[[], bool], patience: float) -> bool:
        """Until it is true; False when the person calls, or it takes longer than `patience` s."""
        deadline = clock.now() + patience
        while not true():
            self.alive()
            if self.called() or clock.now() > deadline:
                return False
            time.sleep(POLL)
        return True

    def _come_to_rest(self) -> bool:
        """After a stop, whoever calls; False when it still turns after STOPPING s."""
        deadline = clock.now() + STOPPING
        while not self._resting() and clock.now() < deadline:
            self.alive()
            time.sleep(POLL)
        return self._resting()

    def _resting(self) -> bool:
        return abs(self.driver.feedback().velocity) < self.measure.rest

    def _position(self) -> float:
        position = self.driver.feedback().position
        assert position is not None, "a session by hand is with drives that tell where they are"
        return position


def in_words(found: Feedback, measure: Measure = ANGLE) -> str:
    """Where it is."""
    parts = [] if found.position is None else [f"at {measure(found.position):.3f} {measure.unit}"]
    parts.append(f"speed {found.velocity / measure.speed_one:.3f} {measure.speed_unit}")
    effort = [] if found.torque is None else [f"{measure.effort} {found.torque / measure.effort_one:.4g} {measure.effort_unit}"]
    return ", ".join([*parts, *effort])


def _amount(text: str, measure: Measure) -> float:
    """SI value of "5 deg", "0.1 rad". Raises NotAllowed, also for a number without a unit: it may be meant in any."""
    from rig.config.units.quantities import QuantityError, to_si

    try:
        number = plain_number(text)
    except ValueError:
        number = None
    if number is not None and not math.isfinite(number):
        raise NotAllowed(f"move: expected {measure.example} or the like, got {text!r}; nothing was done")
    if number is not None:
        raise NotAllowed(f"move: {text.strip()} of what? With its unit, as move {text.strip()} {measure.unit}; nothing was done")
    try:
        return to_si(text, measure.si)
    except QuantityError as error:
        raise NotAllowed(f"move: {error}; nothing was done") from error
