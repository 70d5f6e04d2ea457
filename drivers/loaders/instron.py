"""Servo-hydraulic loader with an Instron 8500/8800-class controller, by its ASCII commands over a serial line or TCP.

The controller generates ramps and waveforms itself, while the DAQ records force and stroke. A waveform is let run in chunks: the
controller counts quarter cycles and ends by itself at a limit, which `extend` moves on while this program lives. Methods that mean the
same are called as those of `drivers.loaders.servo_loader`. Sources: see `drivers.protocols.instron_ascii`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from drivers.clock import Clock
from drivers.daq.terminals import LINE, OUTPUT
from drivers.errors import DriverError, NoReply, NotConnected, Refused
from drivers.loaders.instron_commands import Commands
from drivers.loaders.instron_generator import Generator, Waveform
from drivers.loaders.instron_reading import AGAIN, Readings
from drivers.loaders.settings import SerialLoaderSettings
from drivers.protocols import instron_ascii as ascii_
from drivers.protocols.instron_ascii import LOAD, POSITION
from drivers.serial.allowance import CONNECTING, ENDING, PREPARING, STOPPING, allowed
from drivers.serial.serial_line import Line, SerialLine

CHANNELS = {"stroke": POSITION, "force": LOAD}


@dataclass(frozen=True)
class Config(SerialLoaderSettings):
    """One controller."""

    port: str = field(metadata={"doc": "COM3, /dev/ttyUSB0, or socket://HOST:PORT"})
    baud: int = field(default=9600, metadata={"over": 0.0})
    reply_timeout: float = field(default=2.5, metadata={"unit": "s", "over": 0.0, "doc": "the line hangs now and then"})
    pause: float = field(default=0.05, metadata={"unit": "s", "at_least": 0.0, "doc": "between bursts; such controllers crash without"})
    force_full_scale: float = field(default=100e3, metadata={"unit": "N", "over": 0.0, "doc": "has to be what the controller says"})
    stroke_full_scale: float = field(default=0.050, metadata={"unit": "m", "over": 0.0, "doc": "has to be what the controller says"})
    force_unit: float = field(default=1.0, metadata={"over": 0.0, "doc": "N of the controller's unit of full scale; 1e3 where it says kN"})
    stroke_unit: float = field(default=1.0, metadata={"over": 0.0, "doc": "m of the controller's unit of full scale"})
    force_channel: str = field(default="transmitted_force", metadata={"doc": "measured channel that the force loop closes on"})
    stroke_channel: str = field(default="stroke", metadata={"doc": "measured channel that the stroke loop closes on"})
    status_mask: int = field(default=0x1E00, metadata={"at_least": 0, "doc": "bits of Q22 that tell the state of the frame"})
    status_good: int = field(default=0x1E00, metadata={"at_least": 0, "doc": "those bits when all is well"})
    chunk: float = field(default=2.0, metadata={"unit": "s", "over": 0.0, "doc": "a waveform runs this long after the program's last word"})
    end_action: str = field(
        default="hold",
        metadata={"choices": ("hold", "stop"), "doc": "what the controller does when it has counted a waveform's end: C213,3 or C213,2"},
    )
    settle: float = field(default=3.0, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for the controller to follow a command"})
    start_output: str | None = field(
        default=None,
        metadata=OUTPUT | {"doc": "analogue output on the controller's run/hold input, 0 V hold, 5 V run: a waveform waits for it"},
    )
    enable_line: str | None = field(
        default=None, metadata=LINE | {"doc": "digital output on the controller's interlock input: low takes the pressure away"}
    )

    def __post_init__(self) -> None:
        if beyond := self.status_good & ~self.status_mask:
            raise ValueError(f"status_good: expected bits of status_mask, {self.status_mask:#06x}, got {beyond:#06x} besides")

    def create(self, mode: str, name: str = "loader") -> Instron:
        """See `SerialLoaderSettings`."""
        return create(self, mode, name)


class Instron:
    """One loader; `mode` is "force" or "stroke"."""

    def __init__(self, config: Config, mode: str, name: str = "loader") -> None:
        self.config, self.mode, self.name = config, mode, name
        self.line = SerialLine(Line(config.port, config.baud, timeout=config.reply_timeout, mirrored=False), f"{name} (Instron)")
        self.where = self.line.where
        self._readings = Readings(self.line, config.pause)
        self._commands = Commands(self.line, self._readings, config.pause, config.settle)
        self._generator = Generator(self._commands, self._readings, config.chunk, ascii_.ENDS[config.end_action])

    @property
    def waveform(self) -> Waveform | None:
        """The waveform that runs, as it was asked for."""
        return self._generator.waveform

    @property
    def full_scale(self) -> float:
        """Of the active mode, N or m."""
        return self._full_scale(self.mode)

    @property
    def feedback_channel(self) -> str:
        """Measured channel that the active loop closes on."""
        return self.config.channel(self.mode)

    @property
    def output_lines(self) -> dict[str, str]:
        """Digital outputs that this loader wants of the DAQ device: name -> terminal."""
        return {} if self.config.enable_line is None else {f"{self.name}_enable": self.config.enable_line}

    @property
    def stops_within(self) -> float:
        """Time (s) after this program's last word in which a waveform ends by itself."""
        return self._generator.stops_within

    def wait_by(self, clock: Clock) -> None:
        """What it waits by while the controller takes its time."""
        self._commands.clock = clock

    def safe_setpoint(self, feedback: float) -> float:
        """Where a stop ends: zero force, or the present stroke (zero stroke can crush a specimen)."""
        return 0.0 if self.mode == "force" else feedback

    @allowed(CONNECTING, "reaching it")
    def connect(self) -> None:
        """Open the port and compare full scales. Raises NotConnected, NoReply, and Refused where they are not those of the file."""
        self.line.open()
        for mode, channel in CHANNELS.items():
            unit = self.config.force_unit if mode == "force" else self.config.stroke_unit
            told, wanted = self._readings.number(f"Q308,{channel}") * unit, self._full_scale(mode)
            if abs(told / wanted - 1.0) > 1e-3:
                files = f"the bench file says {wanted:g}; set {mode}_full_scale or {mode}_unit"
                raise Refused(f"{self.where}: full scale of its {mode} is {told:g} (N, m), {files}")

    @allowed(CONNECTING, "reaching it")
    def identity(self) -> str:
        """Types of its channels and its status."""
        types = ", ".join(f"{mode} channel type {self._readings.text(f'Q307,{channel}')}" for mode, channel in CHANNELS.items())
        return f"Instron controller, {types}, status {int(self._readings.number('Q22'))}"

    @allowed(PREPARING, "setting it up")
    def prepare(self, high: bool = True) -> None:
        """Actuator on, loop on the mode; nothing moves. `high` is chosen at the panel. Raises Refused or NoReply."""
        clock = self._commands.clock
        deadline = clock.now() + (self.config.settle if self.config.enable_line is not None else 0.0)
        while (told := self.fault()) is not None:
            if clock.now() > deadline:
                raise Refused(f"{self.where}: {told}; clear it at the frame")
            clock.sleep(self.config.pause)  # an enable line that has just risen takes its time
        self._write(f"C200,{ascii_.WAVE_ABORT}", f"C1,{ascii_.STOP}", "C23,1")
        self._commands.wait(lambda: self._readings.number("Q23") != 0, "the actuator did not switch on; look at the pump and the panel")
        self.take_mode(self.mode)

    def take_mode(self, mode: str) -> None:
        """Close the loop on "force" or "stroke" from now on; setpoint becomes feedback. Refused while anything runs."""
        if self.moving():
            raise Refused(f"{self.where}: mode {mode} was asked for while it moves; stop it first")
        if (state := self.waveform_state()) not in ascii_.AT_REST:
            raise Refused(
                f"{self.where}: mode {mode} was asked for while its waveform generator is {ascii_.STATES[state]}; stop it at the panel"
            )
        channel = CHANNELS[mode]
        self._write(f"C300,{channel}")
        self._commands.wait(lambda: self._readings.number("Q300") == channel, f"its loop did not change to {mode}; look at the panel")
        self.mode = mode

    @allowed(STOPPING, "ending what runs")
    def disable(self) -> None:
        """Waveform and ramp end where they are, and the controller says so; the loop holds. Raises Refused where they do not."""
        for _ in range(AGAIN):
            self._write(f"C200,{ascii_.WAVE_ABORT}", f"C1,{ascii_.STOP}")
            with self._speaking("ending the waveform"):
                rests = not self.moving() and self.waveform_state() in ascii_.AT_REST
            if rests:
                self._generator.forget()
                return
        raise Refused(f"{self.where}: told to end its waveform and its ramp, {AGAIN} times in a row, it goes on; press the emergency stop")

    @allowed(STOPPING, "taking its pressure away")
    def trip(self) -> None:
        """Panic stop: manifold pressure off at once."""
        self._commands.hurry()
        self._actuator_off()
        self._generator.forget()

    @allowed(STOPPING, "taking its pressure away")
    def release(self) -> None:
        """End of a test: everything ends, then the pressure goes."""
        try:
            self.disable()
        finally:
            self._actuator_off()

    def fault(self) -> str | None:
        """What the controller says against going on; None when all is well."""
        with self._speaking("asking for its status"):
            for _ in range(AGAIN):
                if (told := self._fault()) is None:
                    return None
        return told

    @allowed(ENDING, "letting go of it")
    def close(self) -> list[str]:
        """End what runs and close the port; returns what went wrong, in words."""
        complaints = []
        try:
            if self.waveform is not None:
                self.disable()
        except Exception as error:  # the port is closed whatever that was
            complaints.append(str(error) if isinstance(error, DriverError) else f"{self.where}: {type(error).__name__}: {error}")
        return complaints + self.line.close()

    def ramp_to(self, setpoint: float, duration: float) -> None:
        """Ramp to a setpoint (N, m) within `duration` s; returns at once. Raises Refused beyond full scale."""
        share, channel = self._share(setpoint), CHANNELS[self.mode]
        ramp = {"2": f"{ascii_.ABSOLUTE_RAMP}", "4": f"{share:.8f}", "86": f"{duration:.4f}"}
        self._commands.keep(*((f"{name},{channel}", value) for name, value in ramp.items()))
        self._write(f"C1,{ascii_.START}")

    def moving(self) -> bool:
        """Whether a ramp runs."""
        return self._readings.number("Q1") not in (ascii_.STOP, ascii_.HOLD)

    def hold(self) -> None:
        """Hold a ramp where it is."""
        self._write(f"C1,{ascii_.HOLD}")

    def resume(self) -> None:
        """Go on with a held ramp."""
        self._write(f"C1,{ascii_.CONTINUE}")

    @allowed(PREPARING, "setting its waveform up")
    def start_waveform(self, shape: str, frequency: float, amplitude: float, cycles: int) -> None:
        """Run `cycles` of a waveform (Hz; N or m) about the present setpoint: the first chunk of it. With `start_output` it waits there.

        `extend` has to be called at least every half of `chunk`. Raises Refused before anything moves where the controller keeps other
        settings than it is told, those of the event among them that ends the waveform.
        """
        if shape not in ascii_.SHAPES or not 0.0 < frequency < math.inf or cycles < 1:
            known = ", ".join(ascii_.SHAPES)
            raise Refused(f"{self.where}: expected one of {known}, over 0 Hz, 1 cycle or more; got {shape}, {frequency:g} Hz, {cycles}")
        share, channel = self._share(amplitude), CHANNELS[self.mode]
        self._generator.start(Waveform(frequency, cycles), shape, share, channel, waits=self.config.start_output is not None)

    def extend(self) -> int:
        """Let the waveform run on for another chunk; returns the cycles that are left of it, 0 at its end: then it rests.

        Raises Refused for one that has ended before its time, and for one that goes on when it was to end.
        """
        with self._speaking("extending the waveform"):
            return self._generator.extend()

    def finish(self) -> None:
        """End the waveform at the end of its cycle."""
        self._write(f"C200,{ascii_.WAVE_FINISH}")

    def waveform_state(self) -> int:
        """One of the states of `drivers.protocols.instron_ascii`."""
        return self._generator.state()

    def quarter_cycles(self) -> int:
        """How many quarter cycles of the waveform are done."""
        return self._generator.done()

    @property
    def counted(self) -> int:
        """The same as it was when the waveform was last extended."""
        return self._generator.counted

    def feedback(self, mode: str | None = None) -> float:
        """What the controller measures, N or m. A reading that drops to zero for a moment, or a bad one, is asked for again."""
        mode = mode or self.mode
        with self._speaking(f"reading the {mode}"):
            return self._readings.share(mode, CHANNELS[mode]) * self._full_scale(mode)

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _fault(self) -> str | None:
        """As the controller says at once; a spoilt answer may look like one."""
        status = int(self._readings.number("Q22"))
        if status & self.config.status_mask != self.config.status_good:
            return f"status {status} (bits {status & self.config.status_mask:#06x}, {self.config.status_good:#06x} is good): see the panel"
        if self.waveform is not None and self._readings.number("Q23") == 0:
            return "the actuator is off: pressure lost or taken away"
        return None

    def _full_scale(self, mode: str) -> float:
        return self.config.force_full_scale if mode == "force" else self.config.stroke_full_scale

    def _actuator_off(self) -> None:
        self._write("C23,0")
        self._commands.wait(lambda: self._readings.number("Q23") == 0, "the actuator is still on; press the emergency stop")

    def _share(self, value: float) -> float:
        if not abs(value) <= self.full_scale:
            raise Refused(f"{self.where}: {value:g} exceeds full scale {self.full_scale:g} ({self.mode}, SI unit); reduce it")
        return value / self.full_scale

    @contextlib.contextmanager
    def _speaking(self, doing: str) -> Iterator[None]:
        """A silent controller: say what becomes of the waveform."""
        try:
            yield
        except (NoReply, NotConnected) as error:
            if self.waveform is None:
                raise
            ends = f"the controller ends its waveform by itself within {self.stops_within:g} s"
            raise type(error)(f"{error}; while {doing}; {ends}") from error

    def _write(self, *commands: str) -> None:
        self._commands.write(*commands)


def create(config: Config, mode: str, name: str = "loader") -> Instron:
    """A loader that is not connected yet; for a program without a bench file."""
    return Instron(config, mode, name)
