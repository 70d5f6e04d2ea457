"""Device side of an ODrive v3.x: its ASCII protocol, the properties that a driver needs, watchdog, limits, trajectories.

Both axes of a drive share one line. Units are turns, turns/s and N m as from firmware 0.5.1 on.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping

from drivers.protocols import odrive_ascii
from drivers.protocols.odrive_ascii import Command
from drivers.protocols.plain_number import plain_number
from drivers.simulated.plant.shaft import Shaft
from drivers.simulated.serial.serial_device import RESTING, Drive, DriveModule

TURN = 2.0 * math.pi
IDLE, CLOSED_LOOP = 1, 8
TORQUE, VELOCITY, POSITION = 1, 2, 3
PASSTHROUGH, FILTERED, TRAPEZOIDAL = 1, 3, 5
MODES = {TORQUE: "torque", VELOCITY: "velocity", POSITION: "position"}
CONTROLLER_FAILED, WATCHDOG_EXPIRED, ESTOP = 0x200, 0x800, 0x4000
INVALID_MODE = 0x2
VBUS = 24.0  # V
FLOAT32 = 3.4e38  # largest number that the drive has
READ_ONLY = (
    "current_state",
    "controller.trajectory_done",
    "motor.current_control.Iq_measured",
    "encoder.pos_estimate",
    "encoder.vel_estimate",
)


def single(value: float) -> float:
    """As the drive has it, in single precision."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


class ODriveAxis(Drive):
    """One axis; its line is that of an `ODrive`."""

    def __init__(self, shaft: Shaft, name: str = "axis0") -> None:
        super().__init__(name, shaft)
        self.values: dict[str, float] = {
            "requested_state": 0, "current_state": IDLE, "error": 0, "motor.error": 0, "encoder.error": 0, "controller.error": 0,
            "config.enable_watchdog": 0, "config.watchdog_timeout": 0.0,
            "controller.config.control_mode": POSITION, "controller.config.input_mode": PASSTHROUGH, "controller.config.vel_limit": 2.0,
            "controller.config.input_filter_bandwidth": 2.0,
            "controller.input_pos": 0.0, "controller.input_vel": 0.0, "controller.input_torque": 0.0, "controller.trajectory_done": 1,
            "trap_traj.config.vel_limit": 2.0, "trap_traj.config.accel_limit": 0.5, "trap_traj.config.decel_limit": 0.5,
            "motor.config.torque_lim": math.inf, "motor.config.torque_constant": 0.04, "motor.current_control.Iq_measured": 0.0,
            "encoder.pos_estimate": shaft.position / TURN, "encoder.vel_estimate": 0.0,
        }  # fmt: skip
        self.fed = 0.0
        self._set_point = self._set_speed = 0.0

    def feed(self) -> None:
        """The watchdog starts anew."""
        self.fed = self.now

    def write(self, path: str, value: float) -> None:
        """A property. A state is taken at once, so that a driver need not wait in lockstep, where time stands still."""
        self.values[path] = value
        if path == "config.enable_watchdog":
            self.feed()
        elif path == "requested_state":
            self._obey(int(value))

    def fail(self, error: int) -> None:
        """An error of the axis: power off."""
        self.values["error"] = int(self.values["error"]) | error
        self.note(f"error {error:#x}")
        self._go(IDLE)

    def clear(self) -> None:
        """No errors any more."""
        for path in ("error", "motor.error", "encoder.error", "controller.error"):
            self.values[path] = 0

    def receive(self, data: bytes) -> bytes:
        """An axis by itself has no line."""
        return b""

    def firmware(self, step: float) -> None:
        """State, watchdog, trajectory, and what the shaft is told."""
        values = self.values
        if (
            values["config.enable_watchdog"]
            and self.now - self.fed > values["config.watchdog_timeout"]
            and not self._failed(WATCHDOG_EXPIRED)
        ):
            self.note("watchdog expired")
            self.fail(WATCHDOG_EXPIRED)
        if not self.enable_input and values["current_state"] == CLOSED_LOOP:
            self.fail(ESTOP)
        closed = values["current_state"] == CLOSED_LOOP
        self.shaft.limit(values["motor.config.torque_lim"])
        if closed:
            self._close_loop(step)
        else:
            self.shaft.tell("velocity", 0.0, False)
        values["encoder.pos_estimate"] = single(self.shaft.position / TURN)
        values["encoder.vel_estimate"] = single(self.shaft.velocity / TURN)
        values["motor.current_control.Iq_measured"] = self.shaft.torque / values["motor.config.torque_constant"] if closed else 0.0

    def _failed(self, error: int) -> bool:
        return bool(int(self.values["error"]) & error)

    def _obey(self, state: int) -> None:
        self.values["requested_state"] = 0
        if state == CLOSED_LOOP and not self.values["error"] and self.enable_input:
            self._set_point, self._set_speed = self.shaft.position / TURN, 0.0
            self._go(CLOSED_LOOP)
        elif state:
            self._go(IDLE)

    def _go(self, state: int) -> None:
        if self.values["current_state"] != state:
            self.note("closed loop" if state == CLOSED_LOOP else "idle")
        self.values["current_state"] = state

    def _close_loop(self, step: float) -> None:
        values, highest = self.values, self.values["controller.config.vel_limit"]
        mode = int(values["controller.config.control_mode"])
        if mode not in MODES:
            values["controller.error"] = INVALID_MODE
            self.fail(CONTROLLER_FAILED)
            return
        speed, torque = values["controller.input_vel"], values["controller.input_torque"]
        if mode == POSITION and values["controller.config.input_mode"] == TRAPEZOIDAL:
            speed = self._trapezoid(step)
        elif mode == POSITION and values["controller.config.input_mode"] == FILTERED:
            speed = self._filtered(step)
        elif mode == POSITION:
            self._set_point = values["controller.input_pos"]
        setpoint = {POSITION: self._set_point * TURN, VELOCITY: max(-highest, min(highest, speed)) * TURN, TORQUE: torque}[mode]
        feed_forward = (speed * TURN, torque) if mode == POSITION else (0.0, torque if mode == VELOCITY else 0.0)
        self.shaft.tell(MODES[mode], setpoint, True, *feed_forward)
        if abs(self.shaft.velocity) / TURN > 1.2 * highest + RESTING:
            self.values["controller.error"] = 1  # overspeed
            self.fail(CONTROLLER_FAILED)

    def _filtered(self, step: float) -> float:
        """One step of the second-order filter of the input, critically damped; returns the speed of the setpoint, turns/s."""
        bandwidth = self.values["controller.config.input_filter_bandwidth"]
        ahead, faster = self.values["controller.input_pos"] - self._set_point, self.values["controller.input_vel"] - self._set_speed
        self._set_speed += step * (bandwidth**2 * ahead + 2.0 * bandwidth * faster)
        self._set_point += step * self._set_speed
        return self._set_speed

    def _trapezoid(self, step: float) -> float:
        """One step towards `input_pos`; returns the speed of the setpoint, turns/s."""
        limits = {key: self.values[f"trap_traj.config.{key}"] for key in ("vel_limit", "accel_limit", "decel_limit")}
        left = self.values["controller.input_pos"] - self._set_point
        wanted = math.copysign(min(limits["vel_limit"], math.sqrt(max(0.0, 2.0 * limits["decel_limit"] * abs(left)))), left)
        rising = abs(wanted) > abs(self._set_speed)
        change = limits["accel_limit" if rising else "decel_limit"] * step
        self._set_speed += max(-change, min(change, wanted - self._set_speed)) if rising else wanted - self._set_speed
        if abs(left) <= abs(self._set_speed) * step or abs(left) < 1e-9:
            self._set_point, self._set_speed = self.values["controller.input_pos"], 0.0
        self._set_point += self._set_speed * step
        self.values["controller.trajectory_done"] = int(self._set_point == self.values["controller.input_pos"])
        return self._set_speed


class ODrive(DriveModule):
    """One drive with one or two axes on one line."""

    def __init__(self, *shafts: Shaft, version: tuple[int, int, int] = (0, 5, 6), name: str = "odrive") -> None:
        self.axes = tuple(ODriveAxis(shaft, f"{name}.axis{number}") for number, shaft in enumerate(shafts))
        super().__init__(name, self.axes)
        self.version = version
        self.ignored = 0
        """Lines that were dropped for their checksum."""
        self._commands: Mapping[str, Callable[[Command, list[str]], bytes]] = {
            "p": self._setpoint, "q": self._setpoint, "v": self._setpoint, "c": self._setpoint, "t": self._setpoint,
            "f": self._feedback, "u": self._update, "r": self._read, "w": self._write,
        }  # fmt: skip

    def silence(self) -> None:
        """A line of text may take as long as it likes."""

    def receive(self, data: bytes) -> bytes:
        """See `SerialDevice`."""
        answer = b""
        for byte in data:
            if byte not in odrive_ascii.ENDS:
                self._buffer += bytes((byte,))
                continue
            line, self._buffer = self._buffer, b""
            if 0 < len(line) <= odrive_ascii.LONGEST:
                answer += self._obey(line)
        self._buffer = self._buffer[: odrive_ascii.LONGEST + 1]
        return answer

    def _obey(self, line: bytes) -> bytes:
        command = odrive_ascii.parse_command(line)
        if command is None:
            self.ignored += 1
            return b""
        self.heard = self.now
        word, *parts = command.text.split()
        if word == "sc":
            for axis in self.axes:
                axis.clear()
            return b""
        if word == "i":
            return command.answered(
                "Hardware version: 3.6-56V", f"Firmware version: {'.'.join(map(str, self.version))}", "Serial number: 0"
            )
        if word not in self._commands:
            return b"" if word[0] == "s" else command.answered("unknown command")
        return self._commands[word](command, parts)

    def _axis(self, command: Command, parts: list[str], least: int) -> tuple[ODriveAxis | None, list[float], bytes]:
        try:
            number, values = int(parts[0]), [plain_number(part) for part in parts[1:]]
        except (ValueError, IndexError):
            return None, [], command.answered("invalid command format")
        if len(values) < least or not all(math.isfinite(value) for value in values):
            return None, [], command.answered("invalid command format")
        if not 0 <= number < len(self.axes):
            return None, [], command.answered(f"invalid motor {number}")
        return self.axes[number], values, b""

    def _setpoint(self, command: Command, parts: list[str]) -> bytes:
        axis, values, complaint = self._axis(command, parts, 1)
        if axis is None:
            return complaint
        word = command.text[0]
        targets = {
            "p": ("controller.input_pos", "controller.input_vel", "controller.input_torque"),
            "q": ("controller.input_pos", "controller.config.vel_limit", "motor.config.torque_lim"),
            "v": ("controller.input_vel", "controller.input_torque"),
            "c": ("controller.input_torque",),
            "t": ("controller.input_pos",),
        }[word]
        axis.values.update(zip(targets, map(single, values), strict=False))
        axis.values["controller.config.control_mode"] = {"v": VELOCITY, "c": TORQUE}.get(word, POSITION)
        if word == "t":
            axis.values["controller.config.input_mode"] = TRAPEZOIDAL
            axis.values["controller.trajectory_done"] = 0
        axis.feed()
        return b""

    def _feedback(self, command: Command, parts: list[str]) -> bytes:
        axis, _, complaint = self._axis(command, parts, 0)
        if axis is None:
            return complaint
        return command.answered(f"{axis.values['encoder.pos_estimate']:f} {axis.values['encoder.vel_estimate']:f}")

    def _update(self, command: Command, parts: list[str]) -> bytes:
        axis, _, complaint = self._axis(command, parts, 0)
        if axis is not None:
            axis.feed()
        return complaint

    def _read(self, command: Command, parts: list[str]) -> bytes:
        if parts and parts[0] in (names := ("fw_version_major", "fw_version_minor", "fw_version_revision")):
            return command.answered(str(self.version[names.index(parts[0])]))
        if parts == ["vbus_voltage"]:
            return command.answered(f"{VBUS:f}")
        found = self._property(parts)
        if found is None:
            return command.answered("invalid property" if parts else "invalid command format")
        value = found[0].values[found[1]]
        return command.answered((str(value) if isinstance(value, int) else f"{value:f}")[:9])

    def _write(self, command: Command, parts: list[str]) -> bytes:
        found = self._property(parts)
        if found is None or len(parts) < 2:
            return command.answered("invalid property" if parts else "invalid command format")
        axis, path = found
        try:
            value = plain_number(parts[1])
        except ValueError:
            return command.answered("not implemented")
        if path in READ_ONLY or not abs(value) <= FLOAT32:
            return command.answered("not implemented")
        axis.write(path, int(value) if isinstance(axis.values[path], int) else single(value))
        return b""

    def _property(self, parts: list[str]) -> tuple[ODriveAxis, str] | None:
        start, _, path = (parts[0] if parts else "").partition(".")
        number = start.removeprefix("axis")
        if not number.isdigit() or int(number) >= len(self.axes) or path not in self.axes[int(number)].values:
            return None
        return self.axes[int(number)], path
