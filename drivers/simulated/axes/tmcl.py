"""Device side of a Trinamic module with one or more motors: TMCL in binary, ramps, reference search, end of torque by the enable input.

Speeds are microsteps/s and accelerations microsteps/s^2, as with a TMC5xxx, or the units of its ramp generator (unit mode 0). The ramp
is the module's; the shaft follows it.
"""

from __future__ import annotations

import math

from drivers.protocols import tmcl_frames as frames
from drivers.simulated.plant.shaft import Shaft
from drivers.simulated.serial.serial_device import Drive, DriveModule

TARGET_POSITION, ACTUAL_POSITION, TARGET_SPEED, ACTUAL_SPEED, MAX_SPEED, MAX_ACCELERATION, MAX_CURRENT, STANDBY_CURRENT = range(8)
ARRIVED, HOME_SWITCH, MAX_DECELERATION, RESOLUTION, SEARCH_MODE, SEARCH_SPEED, DRIVER_FLAGS, ENCODER, UNIT_MODE = (
    8,
    9,
    17,
    140,
    193,
    194,
    208,
    209,
    255,
)
READ_ONLY = (ACTUAL_SPEED, ARRIVED, HOME_SWITCH, DRIVER_FLAGS)
RANGES = {
    MAX_SPEED: (0, 7999774), MAX_ACCELERATION: (0, 7629278), MAX_CURRENT: (0, 255), STANDBY_CURRENT: (0, 255), RESOLUTION: (0, 8),
    SEARCH_MODE: (1, 8), SEARCH_SPEED: (0, 7999774), MAX_DECELERATION: (1, 7629278), UNIT_MODE: (0, 1),
}  # fmt: skip
"""As in the TMCM-1276's table of axis parameters."""
CLOCK = 16e6
INTERNAL_SPEED, INTERNAL_ACCELERATION = CLOCK / 2**24, CLOCK**2 / 2**41
"""Microsteps/s and microsteps/s^2 of one unit of the ramp generator (TMC5160 datasheet, "Velocity and acceleration calculation")."""
ROUND = 2**32
"""Microsteps after which the counter is the same again."""
POSITIONING, TURNING, SEARCHING = "positioning", "turning", "searching"


class TmclMotor(Drive):
    """One motor; its line is that of a `Tmcl` module. `home`: shaft angle (rad) of its reference switch."""

    def __init__(self, shaft: Shaft, full_steps: int = 200, torque: float = 5.0, home: float = -1.0, name: str = "motor0") -> None:
        super().__init__(name, shaft)
        self.full_steps, self.torque, self.home = full_steps, torque, home
        self.parameters = {
            TARGET_POSITION: 0, TARGET_SPEED: 0, MAX_SPEED: 51200, MAX_ACCELERATION: 51200, MAX_CURRENT: 128, STANDBY_CURRENT: 8,
            MAX_DECELERATION: 51200, RESOLUTION: 8, UNIT_MODE: 1, SEARCH_MODE: 1, SEARCH_SPEED: 25600, DRIVER_FLAGS: 0,
        }  # fmt: skip
        self.lacks: tuple[int, ...] = ()
        """Axis parameters that a module of another type has not."""
        self.mode = TURNING
        self.position = self.speed = 0.0
        self._offset = 0.0

    @property
    def per_radian(self) -> float:
        """Microsteps per rad of the shaft."""
        return (self.full_steps << self.parameters[RESOLUTION]) / (2.0 * math.pi)

    def read(self, parameter: int) -> int | None:
        """An axis parameter; None: there is none."""
        live = {
            ACTUAL_POSITION: round(self.position),
            ACTUAL_SPEED: round(self.speed / self._units[0]),
            ARRIVED: int(
                self.mode == POSITIONING and self.speed == 0.0 and round(self.position - self.parameters[TARGET_POSITION]) % ROUND == 0
            ),
            HOME_SWITCH: int(self.shaft.position <= self.home),
            ENCODER: round(self.shaft.position * self.per_radian - self._offset),
        }
        return None if parameter in self.lacks else live.get(parameter, self.parameters.get(parameter))

    def write(self, parameter: int, value: int) -> int:
        """Set an axis parameter; returns the status."""
        lowest, highest = RANGES.get(parameter, (-(2**31), 2**31 - 1))
        if parameter in READ_ONLY or self.read(parameter) is None:
            return frames.WRONG_TYPE
        if not lowest <= value <= highest:
            return frames.WRONG_VALUE
        if parameter == ACTUAL_POSITION:
            self._offset += self.position - value
            self.position = float(value)
        self.parameters[parameter] = value
        if parameter in (TARGET_POSITION, TARGET_SPEED):
            self.mode = POSITIONING if parameter == TARGET_POSITION else TURNING
        return frames.OK

    def turn(self, speed: int) -> int:
        """ROR, ROL and MST."""
        if abs(speed) > RANGES[MAX_SPEED][1]:
            return frames.WRONG_VALUE
        self.note("stop" if speed == 0 else f"turn {speed}")
        return self.write(TARGET_SPEED, speed)

    def search(self, type_: int) -> tuple[int, int]:
        """RFS; returns status and value."""
        if type_ == frames.START:
            self.mode = SEARCHING
            self.note("search")
        elif type_ == frames.STOP:
            self.turn(0)
        elif type_ != frames.STATUS:
            return frames.WRONG_TYPE, 0
        return frames.OK, int(self.mode == SEARCHING) if type_ == frames.STATUS else 0

    def receive(self, data: bytes) -> bytes:
        """A motor by itself has no line."""
        return b""

    def firmware(self, step: float) -> None:
        """Ramp, search, and what the shaft is told."""
        if not self.enable_input:
            self.position, self.speed = self.shaft.position * self.per_radian - self._offset, 0.0
            self.shaft.tell("position", self.shaft.position, False)
            self.mode, self.parameters[TARGET_SPEED] = TURNING, 0
            return
        if self.mode == SEARCHING and self.shaft.position <= self.home:
            self._offset = self.shaft.position * self.per_radian
            self.position = self.speed = 0.0
            self.note("reference found")
            self.write(TARGET_POSITION, 0)
        self._ramp(step)
        self.shaft.limit(self.torque * self.parameters[MAX_CURRENT] / 255)
        self.shaft.tell("position", (self.position + self._offset) / self.per_radian, True, self.speed / self.per_radian)

    @property
    def _units(self) -> tuple[float, float]:
        """Of its speeds and accelerations, microsteps/s and microsteps/s^2."""
        return (1.0, 1.0) if self.parameters[UNIT_MODE] else (INTERNAL_SPEED, INTERNAL_ACCELERATION)

    def _ramp(self, step: float) -> None:
        of_speed, of_acceleration = self._units
        rising, falling = (max(1, self.parameters[one]) * of_acceleration * step for one in (MAX_ACCELERATION, MAX_DECELERATION))
        if self.mode == POSITIONING:
            # Its counter goes round, and it takes the shorter way.
            left = self.parameters[TARGET_POSITION] - self.position
            left -= ROUND * round(left / ROUND)
            if abs(left) <= falling * step and abs(self.speed) <= falling:
                self.position, self.speed = self.position + left, 0.0
                return
            braking = math.sqrt(2.0 * falling / step * abs(left) + falling * falling / 4.0) - falling / 2.0
            wanted = math.copysign(min(self.parameters[MAX_SPEED] * of_speed, braking, abs(left) / step), left)
        else:
            wanted = of_speed * (-self.parameters[SEARCH_SPEED] if self.mode == SEARCHING else self.parameters[TARGET_SPEED])
        change = falling if abs(wanted) < abs(self.speed) or wanted * self.speed < 0.0 else rising
        self.speed += max(-change, min(change, wanted - self.speed))
        self.position += self.speed * step


class Tmcl(DriveModule):
    """One module. `module_id` is what command 136 tells, as 1276 for a TMCM-1276."""

    def __init__(self, *motors: TmclMotor, address: int = 1, host: int = 2, module_id: int = 1276, name: str = "module") -> None:
        super().__init__(name, motors)
        self.motors, self.address, self.host, self.module_id = motors, address, host, module_id

    def receive(self, data: bytes) -> bytes:
        """See `SerialDevice`."""
        self._buffer += data
        answer = b""
        while len(self._buffer) >= frames.LENGTH:
            frame, self._buffer = self._buffer[: frames.LENGTH], self._buffer[frames.LENGTH :]
            answer += self._answer(frame)
        return answer

    def overhear(self, reply: bytes) -> bytes:
        """See `SerialDevice`: nine bytes as any, and a command where they begin with its own address."""
        return self.receive(reply)

    def from_another(self, reply: bytes) -> bytes:
        """See `SerialDevice`."""
        return frames.framed(reply[:1] + bytes((self.address + 1,)) + reply[2:8])

    def _answer(self, frame: bytes) -> bytes:
        if frame[0] != self.address:
            return b""
        request = frames.parse_request(frame)
        if request is None:
            return frames.Reply(self.host, self.address, frames.WRONG_CHECKSUM, frame[1], 0).encode()
        self.heard = self.now
        if (request.command, request.type) == (frames.VERSION, 0):  # the one answer that is text, without a checksum
            return bytes((self.host,)) + f"{self.module_id}V108".encode()[:8].ljust(8)
        status, value = self.serve(request)
        return frames.Reply(self.host, self.address, status, request.command, value).encode()

    def serve(self, request: frames.Request) -> tuple[int, int]:
        """Do a command; returns status and value."""
        if request.command == frames.VERSION:
            return (frames.OK, self.module_id << 16 | 0x0108) if request.type == 1 else (frames.WRONG_TYPE, 0)
        if request.command not in (frames.ROR, frames.ROL, frames.MST, frames.MVP, frames.SAP, frames.GAP, frames.RFS):
            return frames.WRONG_COMMAND, 0
        if request.motor >= len(self.motors):
            return frames.WRONG_VALUE, 0
        motor = self.motors[request.motor]
        if request.command == frames.GAP:
            found = motor.read(request.type)
            return (frames.WRONG_TYPE, 0) if found is None else (frames.OK, found)
        if request.command == frames.RFS:
            return motor.search(request.type)
        return self._move(motor, request), request.value

    def _move(self, motor: TmclMotor, request: frames.Request) -> int:
        if request.command == frames.SAP:
            return motor.write(request.type, request.value)
        if request.command == frames.MVP:
            if request.type not in (frames.ABSOLUTE, frames.RELATIVE):
                return frames.WRONG_TYPE
            target = request.value + (round(motor.position) if request.type == frames.RELATIVE else 0)
            return motor.write(TARGET_POSITION, target)
        return motor.turn({frames.ROR: request.value, frames.ROL: -request.value}.get(request.command, 0))
