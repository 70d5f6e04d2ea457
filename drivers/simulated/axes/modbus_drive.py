"""Device side of a variable-speed drive: registers of an Altivar, states of CiA 402, Modbus RTU, ramps, current limit, time-out.

The asynchronous motor's slip is the shaft's affair: it is told the speed of the field.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from drivers.axes.modbus_drive import Registers
from drivers.protocols import cia402, modbus_rtu
from drivers.simulated.plant.shaft import Shaft
from drivers.simulated.serial.serial_device import Drive, ramped

OVERLOAD, LINE_LOST, EXTERNAL = 17, 5, 8
IGNORE, FREEWHEEL, FALLBACK, AS_IT_WAS = 0, 1, 4, 5
"""Values of `loss_action` (SLL): a lost line does nothing, takes the power away, leads to the fallback speed, or leaves the speed as it
was; others stop by the quick ramp."""
FALLBACK_FREQUENCY = 10.0
"""Hz, LFF."""
REMOTE = 0x200
"""Bit of the status: the line is obeyed; 0 while the drive is in local control."""
MEASURED = ("status", "output_frequency", "current")
"""Registers that show what is; the others hold what was written to them."""
QUICK = 4.0
"""How much steeper a quick stop is than the ramp (dCF)."""


@dataclass(frozen=True)
class Motor:
    """What the drive is set up for at its panel."""

    pole_pairs: int = 2
    rated_frequency: float = 50.0
    torque_per_ampere: float = 1.5
    """N m/A"""
    registers: Registers = field(default_factory=Registers)


class ModbusDrive(Drive):
    """One drive. Registers that are in the map exist; all others answer exception 2."""

    def __init__(self, shaft: Shaft, address: int = 1, motor: Motor | None = None, name: str = "drive") -> None:
        super().__init__(name, shaft)
        self.address, self.motor = address, motor or Motor()
        regs = self.motor.registers
        self.state = cia402.DISABLED
        self.fault_code = 0
        self.local = False
        """In local control, as a person at the panel forces it: the line is answered, its command word is not obeyed."""
        self._lost = False
        at_first = {
            "high_speed": round(self.motor.rated_frequency / regs.frequency_unit), "acceleration": round(3.0 / regs.ramp_unit),
            "deceleration": round(3.0 / regs.ramp_unit), "timeout": round(10.0 / regs.timeout_unit), "loss_action": FREEWHEEL,
        }  # fmt: skip
        self._words = {address: at_first.get(name, 0) for name, address in regs.addresses.items() if name not in MEASURED}
        self._read_only = {regs.status, regs.output_frequency, regs.output_frequency + 1, regs.current, regs.fault} - {0}
        self._frequency = 0.0

    # -- the line ------------------------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> bytes:
        """See `SerialDevice`."""
        self._buffer += data
        answer = b""
        while True:
            request, used = modbus_rtu.parse_request(self._buffer)
            if not used:
                return answer
            self._buffer = self._buffer[used:]
            if request is not None and request.address in (0, self.address):
                self.heard = self.now
                reply = self.serve(request)
                answer += b"" if request.address == 0 else reply.encode(request)

    def from_another(self, reply: bytes) -> bytes:
        """See `SerialDevice`."""
        return modbus_rtu.framed(bytes((self.address + 1,)) + reply[1:-2])

    def serve(self, request: modbus_rtu.Request) -> modbus_rtu.Reply:
        """Do what a request asks for."""
        if request.function not in modbus_rtu.FUNCTIONS:
            return modbus_rtu.Reply(exception=modbus_rtu.ILLEGAL_FUNCTION)
        wanted = range(request.first, request.first + request.count)
        if request.function in (modbus_rtu.READ_HOLDING, modbus_rtu.READ_INPUT):
            if not 1 <= request.count <= modbus_rtu.MOST_READ:
                return modbus_rtu.Reply(exception=modbus_rtu.ILLEGAL_VALUE)
            if any(address not in self._words and address not in self._read_only for address in wanted):
                return modbus_rtu.Reply(exception=modbus_rtu.ILLEGAL_ADDRESS)
            return modbus_rtu.Reply(tuple(self._word(address) for address in wanted))
        if len(request.values) != request.count or not request.values:
            return modbus_rtu.Reply(exception=modbus_rtu.ILLEGAL_VALUE)
        if any(address not in self._words or address in self._read_only for address in wanted):
            return modbus_rtu.Reply(exception=modbus_rtu.ILLEGAL_ADDRESS)
        for address, value in zip(wanted, request.values, strict=True):
            self._write(address, value)
        return modbus_rtu.Reply(request.values)

    # -- registers -----------------------------------------------------------------------------------------------------------------

    @property
    def status(self) -> int:
        """ETA."""
        return cia402.WORDS[self.state] | cia402.VOLTAGE | (0 if self.local else REMOTE)

    def _word(self, address: int) -> int:
        regs = self.motor.registers
        if address == regs.status:
            return self.status
        if address in (regs.output_frequency, regs.output_frequency + 1) and address not in self._words:
            return round(self._frequency / regs.frequency_unit) & 0xFFFF
        if address == regs.current:
            return round(abs(self.shaft.torque) / self.motor.torque_per_ampere / regs.current_unit)
        if address == regs.fault:
            return self.fault_code
        return self._words[address]

    def _write(self, address: int, value: int) -> None:
        before = self._words[address]
        self._words[address] = value
        if address == self.motor.registers.command and not self.local:
            self._obey(value, before)

    def _obey(self, command: int, before: int) -> None:
        if self.state == cia402.FAULT:
            if command & cia402.FAULT_RESET and not before & cia402.FAULT_RESET:
                self._enter(cia402.DISABLED)
                self.fault_code = 0
        elif not command & 0x02:
            self._enter(cia402.DISABLED)
        elif not command & 0x04:
            self._enter(cia402.STOPPING if self.state == cia402.ENABLED else cia402.DISABLED)
        elif self.state != cia402.STOPPING:
            self._enter(self._next(command))

    def _next(self, command: int) -> str:
        """The state that shutdown, switch-on or enable lead to, one step up at a time."""
        ladder = [cia402.DISABLED, cia402.READY, cia402.SWITCHED_ON, cia402.ENABLED]
        wanted = 1 + (command & 1) + (1 if command & 9 == 9 else 0)
        wanted = min(wanted, 3 if self.enable_input else 1)
        return ladder[min(wanted, ladder.index(self.state) + 1)]

    def _enter(self, state: str) -> None:
        if state != self.state:
            self.note(state)
        self.state = state

    def trip(self, code: int) -> None:
        """A fault of the drive."""
        self.fault_code = code
        self.note(f"fault {code}")
        self._enter(cia402.FAULT)

    # -- firmware ------------------------------------------------------------------------------------------------------------------

    def firmware(self, step: float) -> None:
        """Time-out, ramp, and what the shaft is told."""
        regs = self.motor.registers
        running = self.state in (cia402.ENABLED, cia402.STOPPING)
        if running and not self.enable_input:
            self._enter(cia402.DISABLED)
            running = False
        timeout = self._words.get(regs.timeout, 0) * regs.timeout_unit
        lost = bool(timeout) and self.now - self.heard > timeout and self._words.get(regs.loss_action, FREEWHEEL) != IGNORE
        if running and lost and not self._lost:
            self.note("communication lost")
            self._lose()
            running = self.state in (cia402.ENABLED, cia402.STOPPING)
        self._lost = lost
        if not running:
            self._frequency = self.shaft.velocity * self.motor.pole_pairs / (2.0 * math.pi)
            self.shaft.tell("velocity", 0.0, False)
            return
        self._ramp(step)
        self.shaft.tell("velocity", 2.0 * math.pi * self._frequency / self.motor.pole_pairs, True)
        if self.state == cia402.STOPPING and self.fault_code and self.resting:
            self.trip(self.fault_code)

    def _lose(self) -> None:
        action = self._words.get(self.motor.registers.loss_action, FREEWHEEL)
        if action == FREEWHEEL:
            self.trip(LINE_LOST)
        elif action not in (FALLBACK, AS_IT_WAS):
            self.fault_code = LINE_LOST
            self._enter(cia402.STOPPING)

    def _ramp(self, step: float) -> None:
        regs = self.motor.registers
        highest = self._words[regs.high_speed] * regs.frequency_unit
        target = modbus_rtu.signed(self._words[regs.reference]) * regs.frequency_unit if self.state == cia402.ENABLED else 0.0
        if self._lost and self.state == cia402.ENABLED and self._words.get(regs.loss_action) == FALLBACK:
            target = FALLBACK_FREQUENCY
        target = max(-highest, min(highest, target))
        slowing = abs(target) < abs(self._frequency) or target * self._frequency < 0.0
        time = max(1, self._words[regs.deceleration if slowing else regs.acceleration]) * regs.ramp_unit
        rate = self.motor.rated_frequency / time * (QUICK if self.state == cia402.STOPPING else 1.0)
        self._frequency = ramped(self._frequency, target, rate * step)
