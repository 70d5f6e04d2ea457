"""Stepper or servo axis on a Trinamic module (TMCM-...) over TMCL in binary, by USB, RS232 or RS485.

The module generates the ramp to each position. It has no time-out of the communication: its enable input has to be on a guarded digital
output, else the axis is refused. Sources: Trinamic, TMCL firmware manual of the TMCM-1276 (axis parameters, reference search) and TMCL
reference manual (command 136). Stepper modules: `velocity_unit` is 1 microstep/s for those with a TMC5xxx (TMCM-1240, 1276 ...), which
may be set to internal units and are set back; others (TMCM-1110, 1140, 3110, 6110) have internal units only, other ones for
accelerations. Brushless modules have other axis parameters.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from drivers import host_clock
from drivers.axes.axis import AxisBase, Feedback, Gearing, Guard
from drivers.axes.settings import SerialAxisSettings
from drivers.daq.terminals import LINE
from drivers.errors import NoReply, Refused
from drivers.protocols import tmcl_frames as frames
from drivers.serial.allowance import CONNECTING, PREPARING, allowed
from drivers.serial.serial_line import Line, SerialLine

TARGET_POSITION, ACTUAL_POSITION, TARGET_SPEED, ACTUAL_SPEED, MAX_SPEED, MAX_ACCELERATION, MAX_CURRENT = range(7)
ARRIVED, MAX_DECELERATION, RESOLUTION, DRIVER_FLAGS, UNIT_MODE = 8, 17, 140, 208, 255
INTERNAL, PER_SECOND = 0, 1
"""Values of UNIT_MODE: units of the ramp generator, or microsteps/s and microsteps/s^2."""
FLAGS = {0x02: "over-temperature shutdown", 0x08: "short circuit of phase A", 0x10: "short circuit of phase B"}
"""Of the driver chip (DrvStatusFlags); the other bits are warnings."""
LOOK_EVERY = 10
"""Readings between two looks at the driver chip: a ramp goes on counting whatever has happened to its motor."""
LARGEST = 2**31 - 1
ROUND = 2**32
"""Microsteps after which the module's count is the same again: with a gear, minutes of turning."""
FULL_CURRENT = 255


@dataclass(frozen=True)
class Config(SerialAxisSettings):
    """One motor of one module. Limits are those of the axis, behind the gear."""

    DRIVEN_BY = ("position", "velocity")
    PLACE = ("address", "motor")

    port: str = field(metadata={"doc": "COM3, /dev/ttyACM0, or socket://HOST:PORT"})
    baud: int = field(default=9600, metadata={"over": 0.0, "doc": "by RS485 or RS232; USB does not mind"})
    address: int = field(default=1, metadata={"at_least": 1, "at_most": 255})
    motor: int = field(default=0, metadata={"at_least": 0, "at_most": 5})
    reply_timeout: float = field(default=0.2, metadata={"unit": "s", "over": 0.0})
    full_steps: int = field(default=200, metadata={"at_least": 4, "doc": "of the motor, per turn"})
    resolution: int = field(default=8, metadata={"at_least": 0, "at_most": 8, "doc": "2^n microsteps per full step"})
    velocity_unit: float = field(default=1.0, metadata={"over": 0.0, "doc": "microsteps/s per unit of the module's speeds"})
    acceleration_unit: float = field(default=1.0, metadata={"over": 0.0, "doc": "microsteps/s^2 per unit of its accelerations"})
    gear: float = field(default=1.0, metadata={"over": 0.0, "doc": "motor turns per turn of the axis"})
    direction: str = field(default="forward", metadata={"choices": ("forward", "reverse")})
    zero: float = field(default=0.0, metadata={"unit": "rad", "doc": "axis position at the module's position 0"})
    max_speed: float = field(default=10.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "the module is set to it as well"})
    max_acceleration: float = field(default=50.0, metadata={"unit": "rad/s^2", "over": 0.0, "doc": "of the module's ramps"})
    current: float = field(default=0.5, metadata={"over": 0.0, "at_most": 1.0, "doc": "share of the module's largest current"})
    enable_line: str | None = field(default=None, metadata=LINE | {"doc": "digital output on the module's enable input; it is wanted"})

    def __post_init__(self) -> None:
        if (self.velocity_unit == 1.0) != (self.acceleration_unit == 1.0):
            raise ValueError(
                "acceleration_unit: expected beside velocity_unit: a module counts both in its internal units, or neither; got "
                f"{self.velocity_unit:g} microsteps/s and {self.acceleration_unit:g} microsteps/s^2"
            )

    def create(self, name: str = "axis", guard: Guard | None = None) -> Tmcl:
        """See `SerialAxisSettings`."""
        return Tmcl(self, name, guard)


class Tmcl(AxisBase):
    """One axis in mode "position" or "velocity"; see `drivers.axes.axis.Axis`."""

    modes = Config.DRIVEN_BY
    exchanges = 3  # position and speed are asked for one by one

    def __init__(self, config: Config, name: str = "axis", guard: Guard | None = None) -> None:
        self.config = config
        title = f"{name} (TMCL module {config.address}, motor {config.motor})"
        line = SerialLine(Line(config.port, config.baud, timeout=config.reply_timeout, mirrored=False), title)
        line.address = config.address
        super().__init__(name, line, Gearing(config.gear, config.direction, config.zero), config.enable_line, guard)
        self._version = self._readings = self._host = 0
        self._counted: int | None = None  # microsteps as they would be without going round

    # -- set-up --------------------------------------------------------------------------------------------------------------------

    @allowed(CONNECTING, "reaching it")
    def connect(self) -> None:
        """See `Axis`."""
        self.line.open()
        self._version = self._do(frames.VERSION, 1)

    @allowed(CONNECTING, "reaching it")
    def identity(self) -> str:
        """Module and firmware, as command 136 gives them."""
        version = self._version & 0xFFFFFFFF
        return f"TMCM-{version >> 16} at address {self.config.address}, firmware {version >> 8 & 0xFF}.{version & 0xFF:02d}"

    @allowed(PREPARING, "setting it up")
    def prepare(self, mode: str, rate: float = 0.0) -> None:
        """See `Axis`: units, resolution, limits and current, each read back."""
        self._check_mode(mode)
        self.stops_within = self._guarded(None, "TMCL has no time-out of the communication")
        if self._host == self.config.address and self.line.neighbours - {self.config.address}:
            raise Refused(
                f"{self.where}: {self._host} is the address that the replies of all modules on this line go to, so it would take them for "
                "commands; give it another (global parameter 66), or all of them another host (76)"
            )
        self._do(frames.MST)
        self._counted = None
        config = self.config
        acceleration = max(1, round(abs(self._steps(config.max_acceleration)) / config.acceleration_unit))
        self._keep(UNIT_MODE, PER_SECOND if config.velocity_unit == config.acceleration_unit == 1.0 else INTERNAL, needed=False)
        self._keep(RESOLUTION, config.resolution)
        self._keep(MAX_SPEED, max(1, round(abs(self._steps(config.max_speed)) / config.velocity_unit)))
        self._keep(MAX_ACCELERATION, acceleration)
        self._keep(MAX_DECELERATION, acceleration, needed=False)
        self._keep(MAX_CURRENT, round(FULL_CURRENT * config.current))
        self._check_rate(rate)
        self.mode = mode

    # -- running -------------------------------------------------------------------------------------------------------------------

    def enable(self) -> None:
        """See `Axis`: the target is where the axis stands, then the enable line rises."""
        self._check_prepared()
        self._do(frames.MST)
        if (told := self._trouble()) is not None:
            raise Refused(f"{self.where}: {told}; clear its cause and reset the fault")
        self._line(True)
        self._enabled = True

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> None:
        """One setpoint, rad or rad/s; the module's own ramp leads to it. Raises Refused beyond the limits."""
        self._check_enabled()
        if self.mode == "position":
            command = (frames.MVP, frames.ABSOLUTE, self._target(value))
        else:
            self._check_speed(value, self.config.max_speed)
            speed = round(self._steps(value) / self.config.velocity_unit)
            command = (frames.ROR if speed >= 0 else frames.ROL, 0, abs(speed))
        with self._stopping("sending a setpoint"):
            self._do(*command)

    def move_to(self, position: float) -> None:
        """See `Positioner`. Raises Refused where the module does not count so far."""
        self._check_enabled()
        target = self._target(position)
        with self._stopping("starting a move"):
            self._do(frames.MVP, frames.ABSOLUTE, target)

    def arrived(self) -> bool:
        """See `Positioner`."""
        with self._stopping("asking whether it arrived"):
            return self._do(frames.GAP, ARRIVED) != 0

    def find_reference(self, patience: float) -> None:
        """The module's reference search: its position counts from the switch afterwards. Raises NoReply after `patience` s, stopped."""
        self._check_enabled()
        with self._stopping("searching the reference"):
            self._do(frames.RFS, frames.START)
            deadline = host_clock.now() + patience
            while self._do(frames.RFS, frames.STATUS):
                if host_clock.now() > deadline:
                    self._do(frames.RFS, frames.STOP)
                    raise NoReply(f"{self.where}: no reference switch within {patience:g} s; look at the switch and the search mode")
                time.sleep(0.01)

    def feedback(self) -> Feedback:
        """See `Axis`: position and speed of the module's ramp, or of its encoder where it closes the loop; no torque."""
        with self._stopping("reading the feedback"):
            position, span = self._without_rounds(self._do(frames.GAP, ACTUAL_POSITION)), self.line.span
            speed = self._do(frames.GAP, ACTUAL_SPEED)
            self._readings += 1
            if self._enabled and self._readings % LOOK_EVERY == 0 and (told := self._trouble()) is not None:
                raise Refused(f"{self.where}: {self._stops(told)}; clear its cause and reset the fault")
        per_turn = self._per_turn
        turns, rate = position / per_turn, speed * self.config.velocity_unit / per_turn
        return Feedback(self.gearing.position(turns), self.gearing.velocity(rate), None, span)

    def disable(self) -> None:
        """See `Axis`: the enable line falls."""
        self._enabled = False
        try:
            self._do(frames.MST)
        finally:
            self._line(False)

    def reset_fault(self) -> None:
        """See `Axis`."""
        self._do(frames.MST)
        self._line(False)
        if (told := self._trouble()) is not None:
            raise Refused(f"{self.where}: {told} is still there; clear its cause and switch the module off and on")
        self._enabled, self._stopped = False, ""

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _brake(self) -> None:
        """MST: the module's steepest ramp to 0. Its answer is taken from among late ones by its command number."""
        wanted = self._request(frames.MST)
        start = bytes((frames.OK, frames.MST))

        looked_at = 0

        def parse(got: bytes) -> bool | None:
            nonlocal looked_at
            begin, looked_at = looked_at, max(0, len(got) - frames.LENGTH + 1)
            windows = (got[at : at + frames.LENGTH] for at in range(begin, looked_at))
            return True if any(frames.sound(one) and one[1] == wanted.module and one[2:4] == start for one in windows) else None

        self.line.exchange(wanted.encode(), parse, urgent=True)

    def _probe(self) -> object:
        return self._do(frames.GAP, ACTUAL_POSITION)

    def _trouble(self) -> str | None:
        """What the driver chip says."""
        flags = self._do(frames.GAP, DRIVER_FLAGS)
        return ", ".join(text for bit, text in FLAGS.items() if flags & bit) or None

    def _without_rounds(self, count: int) -> int:
        """The count, or as many rounds more or less as bring it nearest to the one before."""
        near = count if self._counted is None else self._counted
        self._counted = near + (count - near + ROUND // 2) % ROUND - ROUND // 2
        return self._counted

    @property
    def _per_turn(self) -> int:
        return self.config.full_steps << self.config.resolution

    def _steps(self, angle: float) -> float:
        """Microsteps for an angle of the axis (rad), and microsteps/s for rad/s."""
        return self.gearing.motor_velocity(angle) * self._per_turn

    def _target(self, position: float) -> int:
        """Microsteps of a position of the axis (rad)."""
        steps = self._steps(position - self.config.zero)
        if not abs(steps) <= LARGEST:
            raise Refused(f"{self.where}: setpoint {position:g} is more microsteps than the module counts; command less")
        return round(steps)

    def _keep(self, parameter: int, value: int, needed: bool = True) -> None:
        """Set an axis parameter and read it back; one that is not `needed` is left where the module has none."""
        if not needed and self._exchange(self._request(frames.GAP, parameter)).status == frames.WRONG_TYPE:
            return
        self._do(frames.SAP, parameter, value)
        if (kept := self._do(frames.GAP, parameter)) != value:
            raise Refused(f"{self.where}: axis parameter {parameter} was set to {value} and reads {kept}; look at it with the TMCL-IDE")

    def _request(self, command: int, type_: int = 0, value: int = 0) -> frames.Request:
        return frames.Request(self.config.address, command, type_, self.config.motor, value)

    def _do(self, command: int, type_: int = 0, value: int = 0) -> int:
        if abs(value) > LARGEST:
            raise Refused(f"{self.where}: {value} for command {command}, type {type_}, is more than 32 bits hold; look at limits and units")
        reply = self._exchange(self._request(command, type_, value))
        if reply.refusal is not None:
            what = f"command {command}, type {type_}, value {value}"
            raise Refused(f"{self.where}: {reply.refusal} for {what}; does this module have it, and is the value in its range?")
        return reply.value

    def _exchange(self, request: frames.Request) -> frames.Reply:
        reply = self.line.exchange(request.encode(), lambda got: frames.parse_reply(got, request))
        self._host = reply.host
        return reply
