"""Virtual channels of a task: physical channel, range, scaling between volts at the terminal and the units of the task."""

from __future__ import annotations

from dataclasses import dataclass, field

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.scaling import Law
from drivers.simulated.daqmx.core.values import Value

ANALOG_INPUT, ANALOG_OUTPUT, DIGITAL_INPUT, DIGITAL_OUTPUT, COUNTER_INPUT, COUNTER_OUTPUT = (
    ni.ChannelType.ANALOG_INPUT.value, ni.ChannelType.ANALOG_OUTPUT.value, ni.ChannelType.DIGITAL_INPUT.value,
    ni.ChannelType.DIGITAL_OUTPUT.value, ni.ChannelType.COUNTER_INPUT.value, ni.ChannelType.COUNTER_OUTPUT.value,
)  # fmt: skip
VOLTAGE, ACCELEROMETER, FORCE_BRIDGE = (
    ni.UsageTypeAI.VOLTAGE.value, ni.UsageTypeAI.ACCELERATION_ACCELEROMETER_CURRENT_INPUT.value, ni.UsageTypeAI.FORCE_BRIDGE.value,
)  # fmt: skip
VOLTS = ni.VoltageUnits.VOLTS.value
DEFAULT, RSE, NRSE, DIFFERENTIAL, PSEUDODIFFERENTIAL = (
    -1, ni.TerminalConfiguration.RSE.value, ni.TerminalConfiguration.NRSE.value, ni.TerminalConfiguration.DIFF.value,
    ni.TerminalConfiguration.PSEUDO_DIFF.value,
)  # fmt: skip
INTERNAL, EXTERNAL, NONE = ni.ExcitationSource.INTERNAL.value, ni.ExcitationSource.EXTERNAL.value, ni.ExcitationSource.NONE.value
AC, DC = ni.Coupling.AC.value, ni.Coupling.DC.value


@dataclass
class Channel:
    """One virtual channel. `attributes`: the properties of the channel by NI's name, as configured; `defaults`: what they reset to."""

    name: str
    physical: str
    device: str
    kind: int
    attributes: dict[str, Value] = field(default_factory=dict)
    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass
class AnalogChannel(Channel):
    """value = gain * volts + offset, or `curve` of that; volts = lsb * code, codes from -codes to codes - 1, the range is +-top volts.

    `asked`: limits and range as they were asked for; the attributes of the same names hold what the device makes of them. `forgotten`:
    limits that were reset. `sensor`: from what it would read to what a sensor that describes itself measures; `unread`: how it does that is
    not known.
    """

    asked: dict[str, Value] = field(default_factory=dict)
    gain: float = 1.0
    offset: float = 0.0
    top: float = 10.0
    codes: int = 2**15
    curve: Law | None = None
    forgotten: set[str] = field(default_factory=set)
    sensor: Law | None = None
    unread: bool = False

    @property
    def lsb(self) -> float:
        return self.top / self.codes

    @property
    def law(self) -> Law:
        """From volts to values."""
        line = Law(self.gain, self.offset)
        return line if self.curve is None else line.then(self.curve)


@dataclass
class RosetteChannel(AnalogChannel):
    """A measurement that is worked out from the strains of other channels of the task."""


@dataclass
class PowerChannel(AnalogChannel):
    """Output of a power supply that measures it: a sample is a voltage and a current."""


@dataclass
class LineChannel(Channel):
    """Digital lines of one channel; `shifts`: bit of each line in a number read or written; `columns`: the lines in the order in which
    waveforms have them.
    """

    lines: tuple[str, ...] = ()
    shifts: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def inverted(self) -> bool:
        """Whether high and low of all its lines are exchanged in what is read and written."""
        return bool(self.attributes.get("DI_INVERT_LINES", False) or self.attributes.get("DO_INVERT_LINES", False))


@dataclass
class CounterChannel(Channel):
    """A counter; `number`: n of its physical channel `ctr<n>` (of `freqout`: -1)."""

    number: int = 0
