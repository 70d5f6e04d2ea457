"""Servo axis on an ODrive v3.x (firmware 0.5.1 to 0.5.6) over its ASCII protocol, by USB or UART.

Units of that firmware are turns, turns/s and N m; older ones count encoder lines and newer drives (Pro, S1) have other properties, so the
version is read and both are refused. The drive's watchdog is set and read back; setpoints and feedback feed it.
Source: ODrive documentation, "ASCII Protocol", "Control Structure" and the API reference of fw-v0.5.6 (properties and error flags).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from drivers import host_clock
from drivers.axes.axis import AxisBase, Feedback, Gearing, Guard, beyond
from drivers.axes.settings import SerialAxisSettings
from drivers.daq.terminals import LINE
from drivers.errors import BadReply, NoReply, Refused
from drivers.protocols import odrive_ascii
from drivers.serial.allowance import CONNECTING, PREPARING, allowed
from drivers.serial.serial_line import Line, SerialLine

OLDEST, NEWER = (0, 5, 1), (0, 6, 0)
IDLE, CLOSED_LOOP = 1, 8
PASSTHROUGH, FILTERED = 1, 3
AXIS_ERRORS = {
    0x1: "invalid state", 0x40: "motor failed", 0x80: "sensorless estimator failed", 0x100: "encoder failed", 0x200: "controller failed",
    0x800: "watchdog timer expired", 0x1000: "lower end stop pressed", 0x2000: "upper end stop pressed", 0x4000: "emergency stop requested",
    0x20000: "homing without end stop", 0x40000: "too hot", 0x80000: "position unknown",
}  # fmt: skip
WORDS = {"True": 1.0, "true": 1.0, "False": 0.0, "false": 0.0}
"""How some firmware tells what is true."""
ERRORS = ("error", "motor.error", "encoder.error", "controller.error")
LOOK_AGAIN = 0.1
"""s before a state is asked for again that a drive has not taken: it may be on the way to it."""
LONGEST_ANSWER = 9
"""Characters; the drive cuts off the rest of a number."""
FINEST = 1e-3
"""rad, of an axis that is commanded by position: the drive counts in single precision, more coarsely the farther it has turned."""
DOUBLE, SINGLE = 53, 24
"""Binary digits of such numbers."""
ROUNDED = 2e-3
"""Share by which a value that is read back may differ: the drive answers with at most nine characters."""


@dataclass(frozen=True)
class Config(SerialAxisSettings):
    """One axis of one ODrive. Limits are those of the axis, behind the gear."""

    PLACE = ("axis",)

    port: str = field(metadata={"doc": "COM3, /dev/ttyACM0, or socket://HOST:PORT"})
    baud: int = field(default=115200, metadata={"over": 0.0, "doc": "by UART; USB does not mind"})
    axis: int = field(default=0, metadata={"at_least": 0, "at_most": 1})
    reply_timeout: float = field(default=0.1, metadata={"unit": "s", "over": 0.0})
    gear: float = field(default=1.0, metadata={"over": 0.0, "doc": "motor turns per turn of the axis"})
    direction: str = field(default="forward", metadata={"choices": ("forward", "reverse")})
    zero: float = field(default=0.0, metadata={"unit": "rad", "doc": "axis position at which the encoder reads 0"})
    max_speed: float = field(default=10.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "the drive is set to it as well"})
    max_acceleration: float = field(default=50.0, metadata={"unit": "rad/s^2", "over": 0.0, "doc": "of moves to a position"})
    max_torque: float = field(default=5.0, metadata={"unit": "N*m", "over": 0.0, "doc": "the drive is set to it as well"})
    input_filter: float | None = field(
        default=None,
        metadata={"unit": "1/s", "over": 0.0, "doc": "bandwidth of the drive's own filter of positions; absent: they go in as they come"},
    )
    torque_feedback: bool = field(default=False, metadata={"doc": "read the motor current as well; costs line time"})
    timeout: float = field(default=0.2, metadata={"unit": "s", "over": 0.0, "doc": "of the drive's watchdog"})
    settle: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a state"})
    enable_line: str | None = field(default=None, metadata=LINE | {"doc": "digital output on the drive's enable input"})

    def create(self, name: str = "axis", guard: Guard | None = None) -> ODrive:
        """See `SerialAxisSettings`."""
        return ODrive(self, name, guard)

    def too_coarse(self, position: float) -> str:
        """See `SerialAxisSettings`: it counts in single precision."""
        gearing = Gearing(self.gear, self.direction, self.zero)
        step = math.ulp(abs(gearing.motor_position(position))) * 2.0 ** (DOUBLE - SINGLE) / abs(gearing.turns)
        if step <= FINEST:
            return ""
        return (
            f"at {position:g} rad the drive, which counts in single precision, has steps of {step:.2g} rad, coarser than {FINEST:g} rad; "
            "command by velocity, or begin nearer to its 0"
        )


class ODrive(AxisBase):
    """One axis in mode "position", "velocity" or "torque"; see `drivers.axes.axis.Axis`."""

    def __init__(self, config: Config, name: str = "axis", guard: Guard | None = None) -> None:
        self.config = config
        line = SerialLine(
            Line(config.port, config.baud, timeout=config.reply_timeout, mirrored=False), f"{name} (ODrive axis {config.axis})"
        )
        super().__init__(name, line, Gearing(config.gear, config.direction, config.zero), config.enable_line, guard)
        self._version: tuple[int, ...] = ()
        self._torque_constant = 0.0
        self._watched = self._moving = False

    # -- set-up --------------------------------------------------------------------------------------------------------------------

    @allowed(CONNECTING, "reaching it")
    def connect(self) -> None:
        """See `Axis`. Raises Refused for firmware whose units are counts, or whose properties are others."""
        self.line.open()
        self._version = tuple(int(self._get(f"fw_version_{part}", of="")) for part in ("major", "minor", "revision"))
        told = ".".join(map(str, self._version))
        if self._version < OLDEST:
            raise Refused(f"{self.where}: firmware {told} counts encoder lines; 0.5.1 to 0.5.6 are wanted, which use turns: update it")
        if self._version >= NEWER:
            raise Refused(f"{self.where}: firmware {told} has other properties; this driver knows 0.5.1 to 0.5.6 (ODrive v3.x)")

    @allowed(CONNECTING, "reaching it")
    def identity(self) -> str:
        """Version and axis."""
        return f"ODrive axis {self.config.axis}, firmware {'.'.join(map(str, self._version))}"

    @allowed(PREPARING, "setting it up")
    def prepare(self, mode: str, rate: float = 0.0) -> None:
        """See `Axis`: limits of speed, torque and moves, and the watchdog, each read back."""
        self._check_mode(mode)
        config = self.config
        self._set("requested_state", IDLE)
        speed = abs(self.gearing.motor_velocity(config.max_speed))
        acceleration = abs(self.gearing.motor_velocity(config.max_acceleration))
        for path, value in {
            "controller.config.vel_limit": speed,
            "motor.config.torque_lim": abs(self.gearing.motor_torque(config.max_torque)),
            "trap_traj.config.vel_limit": speed,
            "trap_traj.config.accel_limit": acceleration,
            "trap_traj.config.decel_limit": acceleration,
            "controller.config.input_mode": float(self._input_mode(mode)),
            **({"controller.config.input_filter_bandwidth": config.input_filter} if config.input_filter else {}),
        }.items():
            if not self._kept(path, value):
                raise Refused(f"{self.where}: {path} was set to {value:g} and reads {self._get(path):g}; look at the drive with odrivetool")
        if config.torque_feedback:
            self._torque_constant = self._get("motor.config.torque_constant")
        own = self._own_timeout()
        self._watched = own is not None
        self.stops_within = self._guarded(own, "it did not keep its watchdog (config.watchdog_timeout, config.enable_watchdog)")
        self._check_rate(rate)
        self.mode = mode
        self.smoothing = config.input_filter or 0.0

    def _input_mode(self, mode: str) -> int:
        return FILTERED if mode == "position" and self.config.input_filter else PASSTHROUGH

    def _own_timeout(self) -> float | None:
        if not self._kept("config.watchdog_timeout", self.config.timeout):
            return None
        self._feed()
        kept = self._kept("config.enable_watchdog", 1.0)
        self._set("config.enable_watchdog", 0)  # until the axis is enabled: nobody feeds it before
        return self.config.timeout if kept else None

    # -- running -------------------------------------------------------------------------------------------------------------------

    def enable(self) -> None:
        """See `Axis`: the setpoint is where the axis stands, then the loop is closed."""
        self._check_prepared()
        self._line(True)
        position = self._read().position or 0.0
        self._send_setpoint(position if self.mode == "position" else 0.0)
        if self._watched:
            self._set("config.enable_watchdog", 1)
        self._set("requested_state", CLOSED_LOOP)
        deadline = (asked := self.clock.now()) + self.config.settle
        while (state := self._get("current_state")) != CLOSED_LOOP:
            self._feed()
            if state == IDLE and self.clock.now() - asked > LOOK_AGAIN:  # what was asked before it had seen its enable input is forgotten
                self._set("requested_state", CLOSED_LOOP)
                asked = self.clock.now()
            if (told := self._errors()) is not None:
                raise Refused(f"{self.where}: {told}; clear its cause and reset the fault")
            if self.clock.now() > deadline:
                raise NoReply(f"{self.where}: the loop is not closed {self.config.settle:g} s after enabling; is the axis calibrated?")
            self.clock.sleep(0.0)
        self._enabled = True

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> Feedback:
        """One setpoint, with speed and torque fed forward, and where the axis is. Raises Refused beyond the limits and where the drive
        complains."""
        self._check_enabled()
        config = self.config
        speed, torque = {"position": (rate, effort), "velocity": (value, effort), "torque": (0.0, value)}[self.mode]
        if not math.isfinite(value) or beyond(speed, config.max_speed) or beyond(torque, config.max_torque):
            asked, most = f"{value:g} with {speed:g} rad/s and {torque:g} N m", f"{config.max_speed:g} rad/s"
            raise Refused(f"{self.where}: setpoint {asked} is beyond max_speed = {most} or max_torque = {config.max_torque:g} N m")
        if self.mode == "position":
            self._check_fine(value)
        with self._stopping("sending a setpoint"):
            return self._send_setpoint(value, rate, effort)

    def move_to(self, position: float) -> None:
        """See `Positioner`: the drive's trapezoidal trajectory, within `max_speed` and `max_acceleration`."""
        self._check_enabled()
        if not math.isfinite(position):
            raise Refused(f"{self.where}: expected a finite position (rad) to move to, got {position:g}")
        self._check_fine(position)
        with self._stopping("starting a move"):
            self._ask([f"t {self.config.axis} {self.gearing.motor_position(position):.7f}", f"f {self.config.axis}"], 1)
        self._moving = True

    def arrived(self) -> bool:
        """See `Positioner`."""
        with self._stopping("asking whether it arrived"):
            self._feed()
            return self._get("controller.trajectory_done") != 0.0

    def feedback(self) -> Feedback:
        """See `Axis`; torque only with `torque_feedback`."""
        with self._stopping("reading the feedback"):
            return self._read(feeding=True)

    def disable(self) -> None:
        """See `Axis`."""
        self._enabled = False
        try:
            self._go_idle()
        finally:
            self._line(False)

    def reset_fault(self) -> None:
        """See `Axis`: `sc` where the firmware has it, else each error by itself."""
        self._go_idle()
        self._send("sc")
        if self._errors() is not None:
            for path in ERRORS:
                self._set(path, 0)
        if (told := self._errors()) is not None:
            raise Refused(f"{self.where}: {told} is still there after its reset; clear its cause")
        self._set("controller.config.input_mode", self._input_mode(self.mode))
        self._enabled, self._stopped = False, ""

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _go_idle(self) -> None:
        """Power off, and seen to be off: only then nobody has to feed the watchdog. Raises Refused; the watchdog then acts."""
        deadline, state = host_clock.now() + self.config.settle, math.nan
        while state != IDLE:
            if host_clock.now() > deadline:
                raise Refused(f"{self.where}: told to go idle, it is in state {state:g} after {self.config.settle:g} s; cut its power")
            self._set("requested_state", IDLE)  # the drive ignores a command whose checksum is wrong
            state = self._get("current_state")
        self._kept("config.enable_watchdog", 0.0)

    def _brake(self) -> None:
        """Speed 0 by the velocity loop, with all the torque that is allowed: the drive has no faster stop.

        The setpoint is read back; no other answer, should a late one come first, is a single fraction of 0.
        """
        n = self.config.axis
        path = f"axis{n}.controller"
        stop = odrive_ascii.encoded(f"w {path}.config.input_mode {PASSTHROUGH}", f"v {n} 0 0", f"r {path}.input_vel")
        self.line.exchange(stop, lambda got: True if any(map(_is_zero, got.split(b"\n"))) else None, urgent=True)

    def _probe(self) -> object:
        return self._read()

    def _trouble(self) -> str | None:
        if (told := self._errors()) is not None:
            return told
        if self._enabled and (state := self._get("current_state")) != CLOSED_LOOP:
            return f"the drive left the closed loop (state {state:g})"
        return None

    def _send_setpoint(self, value: float, rate: float = 0.0, effort: float = 0.0) -> Feedback:
        """The setpoint, and questions behind it: their answers show that the drive is there and did not complain."""
        gearing, n = self.gearing, self.config.axis
        speed, torque = gearing.motor_velocity(rate), gearing.motor_torque(effort)
        parts = {
            "position": f"p {n} {gearing.motor_position(value):.7f} {speed:.7f} {torque:.7f}",
            "velocity": f"v {n} {gearing.motor_velocity(value):.7f} {torque:.7f}",
            "torque": f"c {n} {gearing.motor_torque(value):.7f}",
        }
        straight = [f"w axis{n}.controller.config.input_mode {self._input_mode(self.mode)}"] * self._moving
        found = self._read(*straight, parts[self.mode], feeding=True)
        self._moving = False
        return found

    def _read(self, *before: str, feeding: bool = False) -> Feedback:
        """One burst: what is told before, watchdog, position and speed, state, and the motor current where it is wanted."""
        path = f"axis{self.config.axis}."
        commands = [*before, *[f"u {self.config.axis}"] * feeding, f"f {self.config.axis}", f"r {path}current_state"]
        if self.config.torque_feedback:
            commands.append(f"r {path}motor.current_control.Iq_measured")
        answers = self._ask(commands, 2 + self.config.torque_feedback)
        turns, speed = self._numbers("position and speed", answers[0], 2)
        if self._enabled and self._numbers("current_state", answers[1]) != (CLOSED_LOOP,):
            raise Refused(f"{self.where}: {self.fault()}; clear its cause and reset the fault")
        torque = None
        if self.config.torque_feedback:
            torque = self.gearing.torque(self._numbers("motor.current_control.Iq_measured", answers[2])[0] * self._torque_constant)
        return Feedback(self.gearing.position(turns), self.gearing.velocity(speed), torque, self.line.span)

    def _errors(self) -> str | None:
        found = ((path, self._text(path)) for path in ERRORS)
        return "; ".join(_said(path, text) for path, text in found if self._numbers(path, text)[0]) or None

    def _check_fine(self, position: float) -> None:
        if told := self.config.too_coarse(position):
            raise Refused(f"{self.where}: {told}")

    def _feed(self) -> None:
        self._send(f"u {self.config.axis}")

    def _kept(self, path: str, value: float) -> bool:
        self._set(path, value)
        return abs(self._get(path) - value) <= ROUNDED * abs(value)

    def _get(self, path: str, of: str | None = None) -> float:
        answer = self._text(path, of)
        return WORDS[answer] if answer in WORDS else self._numbers(path, answer)[0]

    def _numbers(self, of: str, answer: str, count: int = 1) -> tuple[float, ...]:
        """The numbers of an answer. Raises BadReply that says whose they are and of what: an encoder that has failed makes them nan."""
        try:
            return odrive_ascii.numbers(answer, count)
        except BadReply as error:
            raise BadReply(f"{self.where}: {of}: {error}; look at the encoder and at the drive's errors with odrivetool") from None

    def _text(self, path: str, of: str | None = None) -> str:
        prefix = f"axis{self.config.axis}." if of is None else of
        (answer,) = self._ask([f"r {prefix}{path}"], 1)
        return answer

    def _set(self, path: str, value: float) -> None:
        self._send(f"w axis{self.config.axis}.{path} {value:.9g}")

    def _send(self, command: str) -> None:
        self.line.send(odrive_ascii.encoded(command))

    def _ask(self, commands: list[str], answers: int) -> tuple[str, ...]:
        def parse(got: bytes) -> tuple[str, ...] | None:
            return odrive_ascii.parse_answers(got, answers)

        found = self.line.exchange(odrive_ascii.encoded(*commands), parse)
        if found[-1].startswith(odrive_ascii.COMPLAINTS):
            raise Refused(f"{self.where}: the drive answers '{found[-1]}' to {' / '.join(commands)}; does its firmware fit?")
        return found


def _is_zero(line: bytes) -> bool:
    text, _, told = line.rstrip(b"\r").partition(b"*")
    return told.isdigit() and int(told[:3]) == odrive_ascii.checksum(text) and text.strip(b"-0") == b"."


def _said(path: str, text: str) -> str:
    """An error, in words: its flags, as far as the drive tells them."""
    code = int(float(text))
    what = "axis error" if path == "error" else path
    if len(text) >= LONGEST_ANSWER:
        return f"{what} {text}... (a number too long for its answer; see odrivetool)"
    return f"{what} {code:#x} ({_flags(code)})" if path == "error" else f"{what} {code:#x}"


def _flags(code: int) -> str:
    return ", ".join(text for bit, text in AXIS_ERRORS.items() if code & bit) or "see odrivetool"
