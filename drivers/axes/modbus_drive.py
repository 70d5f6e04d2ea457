"""Variable-speed drive over Modbus RTU with the states of CiA 402; the register map is data, its defaults are those of an Altivar.

Frequencies are signed words in `frequency_unit`; the speed of the axis is frequency / (pole pairs x gear), the slip of an asynchronous
motor left out: what the shaft really does is an encoder's to say. Sources: Schneider Electric, ATV320 Modbus communication manual NVE41308
and communication parameters NVE41316 (CMD, LFR, ETA, RFR, LCR, LFT, HSP, LSP, ACC, DEC, ttO, SLL); states in `drivers.protocols.cia402`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, fields

from drivers import host_clock
from drivers.axes.axis import TURN, AxisBase, Feedback, Gearing, Guard
from drivers.axes.settings import SerialAxisSettings
from drivers.daq.terminals import LINE
from drivers.errors import NoReply, Refused
from drivers.protocols import cia402, modbus_rtu
from drivers.serial.allowance import CONNECTING, PREPARING, allowed
from drivers.serial.serial_line import Line, SerialLine

FAULTS = {
    0: "no fault", 2: "memory of the control part", 3: "incorrect configuration", 4: "invalid configuration",
    5: "SLF1: Modbus communication lost", 6: "internal link", 7: "communication network lost", 8: "external fault",
    9: "OCF: overcurrent", 10: "precharge of the capacitors", 11: "speed feedback lost", 12: "speed does not follow",
    16: "OHF: drive too hot", 17: "OLF: motor overload", 18: "OBF: overvoltage of the DC bus", 19: "OSF: overvoltage of the mains",
    20: "OPF1: one motor phase lost", 21: "PHF: mains phase lost", 22: "USF: undervoltage of the mains", 23: "SCF1: motor short circuit",
    24: "SOF: overspeed", 33: "OPF2: three motor phases lost",
}  # fmt: skip
LARGEST = 0x7FFF
"""Of a signed register."""
AGAIN = 0.01
"""s before a drive that is busy is asked again."""
LOOK_AGAIN = 0.1
"""s before a word is said again that a drive has not followed."""


RAMPS = {"acceleration", "deceleration"}  # which may be one register for both
ADDRESS = {"at_least": 0, "at_most": 0xFFFF}


@dataclass(frozen=True)
class Registers:
    """Addresses as they go over the wire; 0: the drive has none. Times and frequencies are in the units below."""

    command: int = field(default=8501, metadata=ADDRESS | {"doc": "CMD"})
    reference: int = field(default=8502, metadata=ADDRESS | {"doc": "LFR"})
    status: int = field(default=3201, metadata=ADDRESS | {"doc": "ETA"})
    output_frequency: int = field(default=3202, metadata=ADDRESS | {"doc": "RFR"})
    current: int = field(default=3204, metadata=ADDRESS | {"doc": "LCR"})
    fault: int = field(default=7121, metadata=ADDRESS | {"doc": "LFT"})
    high_speed: int = field(default=3104, metadata=ADDRESS | {"doc": "HSP"})
    low_speed: int = field(default=3105, metadata=ADDRESS | {"doc": "LSP"})
    acceleration: int = field(default=9001, metadata=ADDRESS | {"doc": "ACC, time from 0 to the rated frequency"})
    deceleration: int = field(default=9002, metadata=ADDRESS | {"doc": "DEC"})
    timeout: int = field(default=6005, metadata=ADDRESS | {"doc": "ttO, time-out of the communication; 0: it has none"})
    loss_action: int = field(default=7010, metadata=ADDRESS | {"doc": "SLL, what it does after the time-out; 0: not asked"})
    loss_stops: tuple[int, ...] = (1, 2, 6, 7, 8)
    """Values of `loss_action` with which it stops. Of an Altivar: freewheel, as its stop command, ramp, fast stop, DC injection; not 0
    (goes on), 4 (goes on at its fallback speed) and 5 (goes on as it was)."""
    remote: int = field(
        default=0, metadata={"at_least": 0, "doc": "bits of the status that are 1 while it obeys its line; 0: not looked at"}
    )
    frequency_unit: float = field(default=0.1, metadata={"unit": "Hz", "over": 0.0})
    current_unit: float = field(default=0.1, metadata={"unit": "A", "over": 0.0})
    ramp_unit: float = field(default=0.1, metadata={"unit": "s", "over": 0.0})
    timeout_unit: float = field(default=0.1, metadata={"unit": "s", "over": 0.0})

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for name, address in self.addresses.items():
            if (other := taken.setdefault(address, name)) != name and {name, other} != RAMPS:
                raise ValueError(f"{name}: expected a register of its own, got {address}, which is {other}")

    @property
    def addresses(self) -> dict[str, int]:
        """Name -> address of every register that the drive has."""
        named = ((one.name, getattr(self, one.name)) for one in fields(self) if one.metadata.items() >= ADDRESS.items())
        return {name: address for name, address in named if address}


@dataclass(frozen=True)
class Config(SerialAxisSettings):
    """One drive on one line."""

    DRIVEN_BY = ("velocity",)
    PLACE = ("address",)
    ACCELERATION = "acceleration"

    port: str = field(metadata={"doc": "COM3, /dev/ttyUSB0, or socket://HOST:PORT"})
    baud: int = field(default=19200, metadata={"over": 0.0})
    parity: str = field(default="even", metadata={"choices": ("none", "even", "odd")})
    stop_bits: int = field(default=1, metadata={"at_least": 1, "at_most": 2})
    address: int = field(default=1, metadata={"at_least": 1, "at_most": 247})
    reply_timeout: float = field(default=0.2, metadata={"unit": "s", "over": 0.0})
    pole_pairs: int = field(default=2, metadata={"at_least": 1})
    gear: float = field(default=1.0, metadata={"over": 0.0, "doc": "motor turns per turn of the axis"})
    direction: str = field(default="forward", metadata={"choices": ("forward", "reverse")})
    rated_frequency: float = field(default=50.0, metadata={"unit": "Hz", "over": 0.0})
    max_speed: float = field(default=10.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "of the axis; the drive is set to it as well"})
    acceleration: float = field(default=20.0, metadata={"unit": "rad/s^2", "over": 0.0, "doc": "of the axis, by the drive's ramp"})
    timeout: float = field(
        default=0.5,
        metadata={"unit": "s", "over": 0.0, "at_most": 10.0, "doc": "the drive stops by itself when nobody speaks this long"},
    )
    settle: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a state"})
    enable_line: str | None = field(default=None, metadata=LINE | {"doc": "digital output on the drive's enable (STO) input"})
    registers: Registers = field(default_factory=Registers)

    def __post_init__(self) -> None:
        regs = self.registers
        most = LARGEST * regs.timeout_unit
        if regs.timeout and not self.timeout <= most:
            raise ValueError(f"timeout: expected at most {most:g} s, what its register holds, got {self.timeout:g} s")
        hertz = self.gear * self.pole_pairs / TURN
        most = math.floor(LARGEST * regs.frequency_unit / hertz * 1e3) / 1e3
        if self.max_speed > most:
            holds = f"which is {LARGEST} steps of frequency_unit = {regs.frequency_unit:g} Hz, what a signed register holds"
            raise ValueError(f"max_speed: expected at most {most:g} rad/s, {holds}, got {self.max_speed:g} rad/s")
        least = self.rated_frequency / (LARGEST * regs.ramp_unit * hertz)
        if self.acceleration < least:
            holds = "the slowest ramp that its register holds"
            raise ValueError(f"acceleration: expected at least {least:.3g} rad/s^2, {holds}, got {self.acceleration:g} rad/s^2")

    def create(self, name: str = "axis", guard: Guard | None = None) -> ModbusDrive:
        """See `SerialAxisSettings`."""
        return ModbusDrive(self, name, guard)


class ModbusDrive(AxisBase):
    """One axis in mode "velocity"; see `drivers.axes.axis.Axis`."""

    modes = Config.DRIVEN_BY

    def __init__(self, config: Config, name: str = "drive", guard: Guard | None = None) -> None:
        self.config = config
        silence = modbus_rtu.seconds_of_silence(config.baud)  # a request that comes sooner is a part of the frame before, to a slave
        settings = Line(config.port, config.baud, config.parity, config.stop_bits, config.reply_timeout, silence, silence, mirrored=False)
        line = SerialLine(settings, f"{name} (Modbus drive, address {config.address})")
        super().__init__(name, line, Gearing(config.gear, config.direction), config.enable_line, guard)

    # -- set-up --------------------------------------------------------------------------------------------------------------------

    @allowed(CONNECTING, "reaching it")
    def connect(self) -> None:
        """See `Axis`."""
        self.line.open()
        self._status()

    @allowed(CONNECTING, "reaching it")
    def identity(self) -> str:
        """Address and state; this protocol has no type plate."""
        return f"CiA-402 drive over Modbus RTU, address {self.config.address}: {cia402.state(self._status())}"

    @allowed(PREPARING, "setting it up")
    def prepare(self, mode: str, rate: float = 0.0) -> None:
        """See `Axis`: ramps, limits and the time-out, each read back."""
        self._check_mode(mode)
        regs, config = self.config.registers, self.config
        self._write(regs.command, cia402.DISABLE_VOLTAGE)
        self._write(regs.reference, 0)
        ramp = round(config.rated_frequency / abs(self._hertz(config.acceleration)) / regs.ramp_unit)
        highest = math.ceil(abs(self._hertz(config.max_speed)) / regs.frequency_unit)
        wanted = {regs.low_speed: 0, regs.high_speed: highest, regs.acceleration: max(1, ramp), regs.deceleration: max(1, ramp)}
        for register, value in wanted.items():
            if register and (kept := self._keep(register, value)) != value:
                raise Refused(f"{self.where}: register {register} was set to {value} and reads {kept}; set it at the drive's panel")
        self.stops_within = self._guarded(self._own_timeout(), self._remedy)
        self._check_rate(rate)
        self.mode = mode

    _remedy = ""

    def _own_timeout(self) -> float | None:
        """The drive's time-out (s), set and read back; None, with a remedy, when it has none that stops it."""
        regs = self.config.registers
        if not regs.timeout:
            self._remedy = "its register map has no time-out of the communication (registers.timeout)"
            return None
        value = round(self.config.timeout / regs.timeout_unit)
        if not math.isclose(value * regs.timeout_unit, self.config.timeout, rel_tol=1e-6):
            raise Refused(
                f"{self.where}: timeout: expected a multiple of {regs.timeout_unit:g} s, in which the drive counts it, got "
                f"{self.config.timeout:g} s; {max(1, math.ceil(self.config.timeout / regs.timeout_unit)) * regs.timeout_unit:g} s would do"
            )
        if (kept := self._keep(regs.timeout, value)) != value:
            unit = regs.timeout_unit
            self._remedy = f"its time-out was set to {value * unit:g} s and reads {kept * unit:g} s; set it at the drive's panel"
            return None
        if regs.loss_action and (action := self._read(regs.loss_action)[0]) not in regs.loss_stops:
            stops = ", ".join(map(str, regs.loss_stops))
            self._remedy = (
                f"it goes on after a lost communication (register {regs.loss_action} is {action}; it stops with {stops}); set it to stop"
            )
            return None
        return kept * regs.timeout_unit

    # -- running -------------------------------------------------------------------------------------------------------------------

    def enable(self) -> None:
        """See `Axis`: 06, 07, 0F, each seen in the status word."""
        self._check_prepared()
        self._line(True)
        self._write(self.config.registers.reference, 0)
        begun = said_at = self.clock.now()
        said = None
        while (state := cia402.state(status := self._status())) != cia402.ENABLED:
            now = self.clock.now()
            if state == cia402.FAULT:
                raise Refused(f"{self.where}: {self.fault()}; clear its cause and reset the fault")
            if now - begun > self.config.settle:
                raise NoReply(
                    f"{self.where}: still '{state}' {self.config.settle:g} s after enabling; look at its panel, enable input and mains"
                    f"{_besides(self._local(status))}"
                )
            if state != said or now - said_at > LOOK_AGAIN:
                self._write(self.config.registers.command, cia402.COMMAND_OF_NEXT.get(state, cia402.DISABLE_VOLTAGE))
                said, said_at = state, now
            self.clock.sleep(0.0)
        if local := self._local(status):
            raise Refused(f"{self.where}: {local}")
        self._enabled = True

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> None:
        """Speed of the axis, rad/s; the drive feeds nothing forward. Raises Refused beyond `max_speed`."""
        self._check_enabled()
        self._check_speed(value, self.config.max_speed)
        with self._stopping("sending a setpoint"):
            self._write(self.config.registers.reference, round(self._hertz(value) / self.config.registers.frequency_unit))

    def feedback(self) -> Feedback:
        """Speed by the output frequency; no position and no torque."""
        with self._stopping("reading the feedback"):
            status, frequency = self._block()
            if self._enabled and (cia402.state(status) != cia402.ENABLED or self._local(status)):
                raise Refused(f"{self.where}: {self.fault()}")
        turns = frequency * self.config.registers.frequency_unit / self.config.pole_pairs
        return Feedback(None, self.gearing.velocity(turns), None)

    def current(self) -> float:
        """Motor current, A."""
        return self._read(self.config.registers.current)[0] * self.config.registers.current_unit

    def disable(self) -> None:
        """See `Axis`."""
        self._enabled = False
        try:
            self._write(self.config.registers.command, cia402.DISABLE_VOLTAGE)
        finally:
            self._line(False)

    def reset_fault(self) -> None:
        """See `Axis`."""
        command = self.config.registers.command
        for word in (cia402.DISABLE_VOLTAGE, cia402.FAULT_RESET, cia402.DISABLE_VOLTAGE):
            self._write(command, word)
        deadline = host_clock.now() + self.config.settle
        while cia402.state(self._status()) == cia402.FAULT:
            if host_clock.now() > deadline:
                raise Refused(f"{self.where}: {self.fault()} is still there {self.config.settle:g} s after its reset; clear its cause")
        self._enabled, self._stopped = False, ""

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _brake(self) -> None:
        request = modbus_rtu.write(self.config.address, self.config.registers.command, cia402.QUICK_STOP)
        wanted = request.encode()  # the answer to it is the same bytes, and no other answer is
        self.line.exchange(wanted, lambda got: True if wanted in got else None, urgent=True)
        deadline = host_clock.now() + self.config.settle
        while cia402.state(status := self._status()) == cia402.ENABLED:  # it has answered, and that is all that the answer says
            if host_clock.now() > deadline:
                after = f"{self.config.settle:g} s after its quick stop, which it has acknowledged, it still runs"
                raise NoReply(f"{self.where}: {after}; stop it at its panel{_besides(self._local(status))}")
            time.sleep(AGAIN)

    def _local(self, status: int) -> str:
        """In words that the drive does not obey its line; empty where it does, or cannot tell."""
        remote = self.config.registers.remote
        return "" if status & remote == remote else f"it is in local control (status {status:04x}h); set it to be commanded by its line"

    def _probe(self) -> object:
        return self._block()

    def _trouble(self) -> str | None:
        state = cia402.state(status := self._status())
        if state == cia402.FAULT:
            code = self._read(self.config.registers.fault)[0]
            return f"fault {code} ({FAULTS.get(code, 'see the manual of the drive')})"
        if self._enabled and state != cia402.ENABLED:
            return f"the drive left operation: {state}"
        return self._local(status) or None

    def _hertz(self, speed: float) -> float:
        return self.gearing.motor_velocity(speed) * self.config.pole_pairs

    def _status(self) -> int:
        return self._read(self.config.registers.status)[0]

    def _block(self) -> tuple[int, int]:
        """Status and signed output frequency, in one exchange where they are neighbours."""
        regs = self.config.registers
        if regs.output_frequency == regs.status + 1:
            status, frequency = self._read(regs.status, 2)
        else:
            status, frequency = self._status(), self._read(regs.output_frequency)[0]
        return status, modbus_rtu.signed(frequency)

    def _keep(self, register: int, value: int) -> int:
        self._write(register, value)
        return self._read(register)[0]

    def _read(self, first: int, count: int = 1) -> tuple[int, ...]:
        return self._ask(modbus_rtu.read(self.config.address, first, count)).values

    def _write(self, register: int, value: int) -> None:
        self._ask(modbus_rtu.write(self.config.address, register, *modbus_rtu.words(value)))

    def _ask(self, request: modbus_rtu.Request) -> modbus_rtu.Reply:
        deadline = host_clock.now() + self.config.reply_timeout
        while True:
            mirrored = request.function == modbus_rtu.WRITE_ONE  # its answer is the request, by the protocol
            reply = self.line.exchange(request.encode(), lambda got: modbus_rtu.parse_reply(got, request), mirrored=mirrored)
            if reply.exception not in modbus_rtu.LATER or host_clock.now() > deadline:
                break
            time.sleep(AGAIN)
        if reply.exception in modbus_rtu.LATER:
            raise NoReply(
                f"{self.where}: register {request.first}: {reply.refusal} for {self.config.reply_timeout:g} s; is it starting up?"
            )
        if reply.refusal is not None:
            remedy = modbus_rtu.REMEDIES.get(reply.exception or 0, "does `registers` fit this drive?")
            raise Refused(f"{self.where}: register {request.first}: {reply.refusal}; {remedy}")
        return reply


def _besides(text: str) -> str:
    return f"; {text}" if text else ""
