"""Device side of an Instron 8500/8800-class controller: panel and computer control, ramps, waveforms that count quarters."""

from __future__ import annotations

import math
from collections.abc import Callable

from drivers.protocols import instron_ascii as ascii_
from drivers.protocols.instron_ascii import LOAD, POSITION
from drivers.simulated.loaders.instron_habits import Habits
from drivers.simulated.plant.load_frame import LoadFrame
from drivers.simulated.serial.serial_device import SerialDevice

GOOD = 0x1E00
ENABLED, WITHIN_LIMITS = 0x0200, 0x0400
"""Bits of the status: the interlock input is high; nothing has passed a limit of the panel."""
WATCHDOG = 3.0
"""Time (s) in computer control without a command after which the panel takes over."""
RESTING = 5e-5
"""Speed (m/s) below which the actuator counts as at rest."""
MODES = {POSITION: "stroke", LOAD: "force"}
ACTIONS = (*range(7), *range(10, 15))
"""Of events: nothing, actuator off, stop, hold, transfer, log, reset; from 10 on those that act on the whole system."""
RUNS = (ascii_.RUNNING, ascii_.FINISHING, ascii_.HOLDING)


def _taken(setting: str, value: float) -> bool:
    """Whether a controller takes a setting: ramp type, ramp end and amplitude in full scales, times, a shape, a frequency."""
    least, most = {"2": (0, 5), "4": (-2.0, 2.0), "86": (0.0, 1e6), "202": (1e-3, 1e3), "203": (-2.0, 2.0)}.get(setting, (0, 8))
    return least <= value <= most and (setting != "201" or value in ascii_.SHAPES.values())


def shape(kind: int, phase: float) -> float:
    """Value of a waveform of amplitude 1 at `phase` (cycles)."""
    part = phase % 1.0
    triangle = 4.0 * part if part < 0.25 else 2.0 - 4.0 * part if part < 0.75 else 4.0 * part - 4.0
    haver_triangle = 2.0 * part if part < 0.5 else 2.0 - 2.0 * part
    return {
        0: math.sin(2.0 * math.pi * part),
        1: triangle,
        2: 1.0 if part < 0.5 else -1.0,
        3: 0.5 - 0.5 * math.cos(2.0 * math.pi * part),
        4: haver_triangle,
        5: 1.0 if part < 0.5 else 0.0,
        8: 2.0 * part - 1.0,
    }[kind]


class Instron(SerialDevice):
    """One controller; full scales in m and N. `habits`: what it does otherwise than one that does as it is told."""

    def __init__(
        self, frame: LoadFrame, stroke: float = 0.050, force: float = 100e3, name: str = "controller", habits: Habits | None = None
    ) -> None:
        super().__init__(name)
        self.habits = habits or Habits()
        self.frame = frame
        self.scale = {POSITION: stroke, LOAD: force}
        self.status = GOOD
        self.computer = self.watched = self.actuator = False
        self.run_input = True
        """The run/hold terminal: a waveform waits while it is low."""
        self.enable_input = True
        """The interlock terminal: low takes the pressure away at once, and there is none while it is low."""
        self.dropped = 0
        """How many readings are still to drop to zero."""
        self.channel = POSITION
        self.setpoint = 0.0  # share of full scale
        self.ramp_state = ascii_.STOP
        self.wave_state = self.habits.generator
        self.values = {f"{name},{channel}": 0.0 for name in ("2", "4", "86", "201", "202", "203") for channel in (1, 2)}
        self.limit, self.event = 0, ascii_.OFF
        self.action, self.log_action = self.habits.event_action, 0
        self._finish_at: int | None = None  # quarter cycles at which a waveform ends that was told to finish
        self._held = False  # by the event, so that its input does not let it go on
        self._wave_time = self._mean = 0.0
        self._edge = -math.inf  # when the run/hold terminal changed last
        self._ramp = (0.0, 0.0, 0.0, 0.0)  # from, to, duration, time
        self._resting = True
        self._reads: dict[str, Callable[[], float]] = {
            "Q22": lambda: self.status, "Q23": lambda: self.actuator, "Q300": lambda: self.channel, "Q1": lambda: self.ramp_state,
            "Q200": lambda: self.wave_state, "Q210": lambda: self.quarters if self.habits.counts else 0, "Q209": lambda: self.limit,
            "Q212": lambda: self.event, "Q213": lambda: self.action, "Q214": lambda: self.log_action,
            "Q904": lambda: self.watched, "Q909": lambda: self.computer,
        }  # fmt: skip

    # -- the terminals -------------------------------------------------------------------------------------------------------------

    def take_run(self, high: bool, at: float) -> None:
        """The run/hold terminal changed at bench time `at` (s), since the last tick: its input captures the time of an edge."""
        self.run_input, self._edge = high, at * self.pace

    def set_enable(self, high: bool) -> None:
        """The interlock terminal, by a digital output of the bench."""
        if high != self.enable_input:
            self.note(f"enable input {'high' if high else 'low'}")
        self.enable_input = high
        self.status = self.status | ENABLED if high else self.status & ~ENABLED
        if not high:
            self._switch(False)

    def pass_limit(self, text: str) -> None:
        """The frame has passed a limit of the panel: pressure off, until somebody resets it there."""
        self.note(f"limit: {text}; pressure off")
        self.status &= ~WITHIN_LIMITS
        self._switch(False)

    # -- the line ------------------------------------------------------------------------------------------------------------------

    def silence(self) -> None:
        """A line of text may take as long as it likes."""

    def receive(self, data: bytes) -> bytes:
        """See `SerialDevice`."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        self._buffer = self._buffer[: ascii_.LONGEST + 1]
        answers = [self._obey(line) for line in lines if len(line) <= ascii_.LONGEST]
        return b"".join(answer.encode("ascii") + ascii_.END for answer in answers if answer)

    def _obey(self, line: bytes) -> str:
        command = ascii_.parse_command(line)
        if command is None:
            return ""
        self.heard = self.now
        name, values = command
        if name[0] == "Q":
            return self._answer(name, values)
        if name == "P909" and values:
            self._take_control(bool(values[0]))
        elif not self.computer:
            self.note(f"{name} without computer control: hydraulics tripped")
            self._switch(False)
        else:
            self._write(name, values)
        return ""

    def _answer(self, name: str, values: tuple[float, ...]) -> str:
        if name in self._reads:
            return str(int(self._reads[name]()))
        channel = int(values[0]) if values else 0
        if channel not in self.scale:
            return ""
        if name == "Q134":
            self.dropped -= self.dropped > 0
            value = (self.frame.stroke if channel == POSITION else self.frame.force) / self.scale[channel]
            return f"{0.0 if self.dropped else value:.8f}"
        if name == "Q307":
            return "1,0" if channel == POSITION else "2,0"
        if name == "Q308":
            return f"{self.scale[channel]:.6g}"
        key = f"{name[1:]},{channel}"
        return f"{self.values[key]:.8f}" if key in self.values else ""

    def _take_control(self, computer: bool) -> None:
        if computer and not self.computer:
            self.watched = True  # until C904,0
        self.computer = computer

    def _write(self, name: str, values: tuple[float, ...]) -> None:
        values = self.habits.taken(name, values)
        numbers = [int(value) for value in values]
        if name == "C904" and numbers:
            self.watched = bool(numbers[0])
        elif name == "C23" and numbers:
            self._switch(bool(numbers[0]))
        elif name == "C300" and numbers and numbers[0] in MODES:
            self._take_channel(numbers[0])
        elif name == "C1" and numbers and 0 <= numbers[0] <= 3:
            self._ramp_command(numbers[0])
        elif name == "C200" and numbers:
            self._wave_command(numbers[0])
        elif name == "C209" and numbers:
            self.limit = max(0, numbers[0])
        elif name == "C212" and numbers and numbers[0] in (ascii_.OFF, ascii_.ARM):
            self.event = numbers[0]
        elif name == "C213" and numbers and numbers[0] in ACTIONS:
            self.action = numbers[0]
        elif name == "C214" and numbers and numbers[0] in ACTIONS:
            self.log_action = numbers[0]
        elif len(values) == 2 and (key := f"{name[1:]},{numbers[0]}") in self.values and _taken(name[1:], values[1]):
            self.values[key] = values[1]

    # -- states --------------------------------------------------------------------------------------------------------------------

    @property
    def moving(self) -> bool:
        """Whether the actuator moved at the last tick."""
        return not self._resting

    @property
    def wave_rests(self) -> bool:
        """Whether its waveform has ended, also by a hold that nothing but a command undoes."""
        return self._held or self.wave_state not in RUNS

    @property
    def armed(self) -> bool:
        """Whether the event waits for its count."""
        return self.event == ascii_.ARM

    @property
    def quarters(self) -> int:
        """Quarter cycles done."""
        return math.floor(4.0 * self._value("202") * self._wave_time + 1e-9)

    def _value(self, name: str) -> float:
        return self.values[f"{name},{self.channel}"]

    def _feedback(self) -> float:
        return (self.frame.stroke if self.channel == POSITION else self.frame.force) / self.scale[self.channel]

    def _switch(self, on: bool) -> None:
        if on and self.status & GOOD != GOOD:
            self.note(f"actuator stays off: status {self.status}")
            return
        if on != self.actuator:
            self.note(f"actuator {'on' if on else 'off'}")
        self.actuator = on
        self.setpoint = self._feedback()
        if not on:
            self._end_wave("aborted", ascii_.ABORTED)
            self.ramp_state = ascii_.STOP

    def _take_channel(self, channel: int) -> None:
        if channel != self.channel:  # settings are a channel's own: what runs by those of the other has nothing to go by
            self._end_wave("aborted", ascii_.ABORTED)
            self.ramp_state = ascii_.STOP
        self.channel = channel
        self.setpoint = self._feedback()
        self.note(f"{MODES[channel]} control")

    def _ramp_command(self, what: int) -> None:
        if what == ascii_.START and not self.actuator:
            self.note("ramp not started: the actuator is off")
        elif what == ascii_.START:
            self._ramp = (self.setpoint, self._value("4"), max(1e-3, self._value("86")), 0.0)
            self.ramp_state = what
            self.note("ramp")
        elif what == ascii_.STOP:
            self.ramp_state = what
        elif self.ramp_state != ascii_.STOP:  # one that has ended, or never began, is neither held nor continued
            self.ramp_state = ascii_.START if what == ascii_.CONTINUE else what

    def _wave_command(self, what: int) -> None:
        if self.habits.generator != ascii_.STOPPED:
            return
        if what == ascii_.WAVE_START and self.actuator and self._value("202") > 0.0 and int(self._value("201")) in ascii_.SHAPES.values():
            self._wave_time, self._mean, self._finish_at, self._held = 0.0, self.setpoint, None, False
            self.wave_state = ascii_.RUNNING if self.run_input else ascii_.HOLDING
            self.note("waveform armed")
        elif what == ascii_.WAVE_FINISH and self.wave_state == ascii_.RUNNING:
            self.wave_state = ascii_.FINISHING
            self._finish_at = 4 * math.ceil(self.quarters / 4.0 + 1e-9)
        elif what == ascii_.WAVE_ABORT:
            self._end_wave("aborted", ascii_.ABORTED)

    def _end_wave(self, how: str, state: int) -> None:
        self._held = False
        if self.wave_state in RUNS:
            self.note(f"waveform {how}")
            self.wave_state = state

    # -- firmware ------------------------------------------------------------------------------------------------------------------

    def tick(self, step: float) -> None:
        """Watchdog, ramp, waveform, and the frame."""
        if self.computer and self.watched and self.now - self.heard > WATCHDOG:
            self.computer = False
            self.note("watchdog: control back to the panel")
        if self.ramp_state == ascii_.START:
            self._step_ramp(step)
        if self.wave_state in RUNS and not self._held:
            self._step_wave(step)
        scale = self.scale[self.channel]
        self.frame.tell(MODES[self.channel], self.setpoint * scale, self.actuator, self._rate(step) * scale)
        self.frame.advance(self.now)
        resting = abs(self.frame.velocity) < RESTING
        if resting != self._resting:
            self._resting = resting
            self.note("at rest" if resting else "moving")

    def _step_ramp(self, step: float) -> None:
        start, end, duration, spent = self._ramp
        spent = min(duration, spent + step)
        self._ramp = (start, end, duration, spent)
        self.setpoint = start + (end - start) * spent / duration
        if spent >= duration:
            self.ramp_state = ascii_.STOP

    def _step_wave(self, step: float) -> None:
        spent = self._run_for(step)
        if self.run_input and self._wave_time == 0.0:
            self.note("waveform started")
        elif not self.run_input and self.wave_state != ascii_.HOLDING:
            self.note("waveform held")
        if not self.run_input:
            self.wave_state = ascii_.HOLDING
        elif self.wave_state == ascii_.HOLDING:
            self.wave_state = ascii_.RUNNING
        self._wave_time += spent
        if (last := self._end_at) is not None and self.quarters >= last:
            self._wave_time = last / (4.0 * self._value("202"))
        self.setpoint = self._wave(self._wave_time)
        if self._finish_at is not None and self.quarters >= self._finish_at:
            self._end_wave("ended", ascii_.STOPPED)
        elif self.armed and self.habits.counts and self.quarters >= self.limit:
            self._trip_event()

    @property
    def _end_at(self) -> int | None:
        """Quarter cycles after which it stands by itself; None: it goes on."""
        if self._finish_at is not None:
            return self._finish_at
        does = self.habits.ends and self.action in (ascii_.ACTUATOR_OFF, *ascii_.ENDS.values())
        return self.limit if does and self.armed and self.habits.counts else None

    def _trip_event(self) -> None:
        """The count is reached, and the event does what it is set to."""
        self.event = ascii_.TRIPPED
        if not self.habits.ends:
            return
        if self.action == ascii_.END_STOP:
            self._end_wave("ended", ascii_.STOPPED)
        elif self.action == ascii_.END_HOLD:
            self._end_wave("ended", ascii_.HOLDING)
            self._held = True
        elif self.action == ascii_.ACTUATOR_OFF:
            self._switch(False)
        else:
            self.note(f"event: {self.limit} quarter cycles; nothing is to be done")

    def _run_for(self, step: float) -> float:
        """How much (s) of the last step the waveform ran."""
        edge = min(max(self._edge, self.now - step), self.now)
        if self.run_input:
            return self.now - edge
        return edge - (self.now - step) if self.wave_state != ascii_.HOLDING else 0.0

    def _wave(self, time: float) -> float:
        """The waveform's setpoint `time` (s) after it began, as a share of full scale."""
        return self._mean + self._value("203") * shape(int(self._value("201")), time * self._value("202"))

    def _rate(self, step: float) -> float:
        """Of the setpoint within the next step, share of full scale a second."""
        if self.ramp_state == ascii_.START:
            start, end, duration, _ = self._ramp
            return (end - start) / duration
        if self.wave_state not in (ascii_.RUNNING, ascii_.FINISHING):
            return 0.0
        time = self._wave_time + step
        if (last := self._end_at) is not None:
            time = min(time, last / (4.0 * self._value("202")))
        return (self._wave(time) - self.setpoint) / step
