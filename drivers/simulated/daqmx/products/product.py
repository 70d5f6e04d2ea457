"""What a product has and can do: the form in which the files of this folder describe devices.

Ranges are symmetric (those of unipolar outputs begin at 0) and given by their top (V; V/V where bridges are measured; A; C); rates are in
S/s. Terminal configurations, couplings and uses of triggers are NI's bit fields (`_TermCfg`, `_CouplingTypes`, `_TriggerUsageTypes` of
nidaqmx.constants).
"""

from __future__ import annotations

from dataclasses import dataclass

from nidaqmx import constants as ni

TIMEBASE = 100e6
"""Timebase that X Series devices divide by a whole number (Hz)."""

RSE, NRSE, DIFF, PSEUDO_DIFF = 1, 2, 4, 8
AC, DC, GND = 1, 2, 4
PAUSE, REFERENCE, START, ARM_START = 2, 4, 8, 32
FINITE, CONTINUOUS, HW_TIMED = (
    ni.AcquisitionType.FINITE.value, ni.AcquisitionType.CONTINUOUS.value, ni.AcquisitionType.HW_TIMED_SINGLE_POINT.value,
)  # fmt: skip


@dataclass(frozen=True)
class AnalogInputs:
    """`kinds`: what can be connected, in the words of `usages`.

    `grid`: step of the sample rate (S/s) where it does not come from dividing `timebase`; `divisors`: how far `rate_single` can be divided
    down where nothing else is possible (0: not so).
    `shares`: reference clock by which modules can be in one task with others of the same; empty: no task goes beyond the device.
    `term_cfgs`: what each channel can be; one entry means all. `names`: of the channels where they are not ai0 and on.
    """

    channels: int
    bits: int
    tops: tuple[float, ...]
    rate_single: float
    rate_aggregate: float
    rate_min: float
    kinds: tuple[str, ...] = ("voltage",)
    simultaneous: bool = False
    grid: float | None = None
    filter_delay: int = 0
    """Group delay of the digital filters in samples; it depends on the rate, and is a nominal one here."""
    compensates: bool = True
    """A sample belongs to its clock edge, but comes late by the filter delay. Else it comes at once, and belongs to an edge before."""
    on_demand: bool = True
    shares: str = ""
    timebase: float = TIMEBASE
    divisors: int = 0
    term_cfgs: tuple[int, ...] = (DIFF,)
    couplings: int = DC
    triggers: int = PAUSE | REFERENCE | START
    sample_modes: tuple[int, ...] = (FINITE, CONTINUOUS)
    current_tops: tuple[float, ...] = ()
    charge_tops: tuple[float, ...] = ()
    gains: tuple[float, ...] = ()
    excitation_volts: tuple[float, ...] = ()
    excitation_amps: tuple[float, ...] = ()
    iepe_needs_ac: bool = False
    corner: float = 0.0
    """Frequency (Hz) at which AC coupling has taken 3 dB."""
    reports: tuple[str, ...] = ()
    """States of its channels that it watches, by the words of `channel_states`."""
    rejects_aliases: bool = False
    """Whether enhanced rejection of aliases can be chosen."""
    sources: tuple[str, ...] = ()
    """Internal channels that an input can be switched to, as NI names them."""
    names: tuple[str, ...] = ()
    engines: tuple[str, ...] = ("ai",)
    """Timing engines: as many tasks run at the same time, each with channels of its own."""

    def __post_init__(self) -> None:
        if not self.names:
            object.__setattr__(self, "names", tuple(f"ai{n}" for n in range(self.channels)))

    @property
    def ratiometric(self) -> bool:
        """Whether its ranges are ratios to an excitation: of bridges, or of quarter bridges that it completes itself."""
        return not {"bridge", "strain"}.isdisjoint(self.kinds)

    def rate_max(self, channels: int) -> float:
        """Highest rate per channel with that many channels."""
        if self.simultaneous or channels <= 1:
            return self.rate_single
        return min(self.rate_single, self.rate_aggregate / channels)

    def term_cfg(self, channel: str) -> int:
        """Terminal configurations of one channel, as bits."""
        return self.term_cfgs[self.names.index(channel) % len(self.term_cfgs)]


@dataclass(frozen=True)
class AnalogOutputs:
    """`rates`: highest update rate with 1, 2, ... channels. `fifo`: samples on board, shared by the channels of a task.

    `powers_up`: what the channels are at power-up, a member of PowerUpChannelType (0 voltage, 2 high impedance).
    """

    bits: int
    tops: tuple[float, ...]
    rates: tuple[float, ...]
    rate_min: float
    fifo: int
    kinds: tuple[str, ...] = ("voltage",)
    timebase: float = TIMEBASE
    term_cfgs: tuple[int, ...] = (RSE,)
    triggers: int = PAUSE | START
    sample_modes: tuple[int, ...] = (FINITE, CONTINUOUS)
    current_tops: tuple[float, ...] = ()
    unipolar: bool = False
    """Whether its ranges begin at 0."""
    gains: tuple[float, ...] = ()
    powers_up: int = 0
    sets_power_up: bool = False
    reports: tuple[str, ...] = ()

    @property
    def channels(self) -> int:
        return len(self.rates)

    @property
    def names(self) -> tuple[str, ...]:
        """ao0 and on."""
        return tuple(f"ao{n}" for n in range(self.channels))


DIRECTIONS = ("both", "input", "output")


@dataclass(frozen=True)
class DigitalLines:
    """What the lines of a device can do: `rate` is the highest of clocked ports (S/s), 0 where all is on demand."""

    rate: float = 0.0
    clocked: tuple[int, ...] = ()
    """Ports that take a sample clock."""
    detecting: tuple[int, ...] = ()
    """Ports whose lines are watched for changes."""
    pulls: int = 0
    """Resistor at a line that nobody drives, a member of ResistorState; 0: none that could be set."""
    sets_power_up: bool = False
    families: tuple[int, ...] = ()
    """Logic families that can be chosen, the one at power-up first."""
    direction_of: int = 0
    """So many lines have their direction together, 0: each its own."""
    sample_modes: tuple[int, ...] = (FINITE, CONTINUOUS)
    direction: str = "both"
    """What the lines can be, one of DIRECTIONS."""


@dataclass(frozen=True)
class Counters:
    """`size`: bits. `outputs`: whether pulses can be generated, too. `frequency_output`: whether there is a `freqout`. `hidden`: its
    channels have names with an underscore, and are not listed.
    """

    count: int
    size: int = 32
    timebase: float = TIMEBASE
    outputs: bool = True
    frequency_output: bool = True
    hidden: bool = False
    clocked: bool = True
    sample_modes: tuple[int, ...] = (FINITE, CONTINUOUS)


@dataclass(frozen=True)
class Product:
    """One product. `ports`: number of lines of each digital port. `number`: what NI calls the product number.

    `slots`: of a chassis that takes modules. `watchdog_tick`: step of the watchdog timer (s), 0 where there is none; `guards`: what it
    puts into expiration states.
    """

    name: str
    category: int
    bus: int
    inputs: AnalogInputs | None = None
    outputs: AnalogOutputs | None = None
    ports: tuple[int, ...] = ()
    terminals: tuple[str, ...] = ()
    number: int = 0
    digital: DigitalLines = DigitalLines()
    counting: Counters | None = None
    slots: int = 0
    watchdog_tick: float = 0.0
    guards: tuple[str, ...] = ("do",)
    analog_trigger: bool = False
    analog_start: bool = True
    """Whether an analogue trigger can be a start trigger, too."""
    multi_edge: bool = False
    """Whether a trigger can be on several analogue edges."""
    digital_trigger: bool = True
    reads_teds: bool = False
    dma_channels: int = 0
    id_pins: int = 0
    clocks_from: tuple[tuple[str, str], ...] = ()
    """Part and pin: where alone a sample clock from outside comes in; the trigger lines among them carry no triggers. Empty: anywhere."""
    clocks_to: tuple[tuple[str, str], ...] = ()
    """Part and pin: where alone a sample clock goes out."""

    @property
    def watchdog(self) -> bool:
        """Whether there is a watchdog timer."""
        return self.watchdog_tick > 0.0

    @property
    def longest_watchdog(self) -> float:
        """Longest time-out of the watchdog (s): its timer has 32 bits."""
        return (2**32 - 1) * self.watchdog_tick

    @property
    def counters(self) -> int:
        """How many counters, ctr0 and on."""
        return 0 if self.counting is None else self.counting.count


X_SERIES, DYNAMIC_SIGNAL, SC_EXPRESS, MIO_DAQ, DIGITAL_IO = (
    ni.ProductCategory.X_SERIES_DAQ.value, ni.ProductCategory.DSA.value, ni.ProductCategory.SC_EXPRESS.value,
    ni.ProductCategory.MIODAQ.value, ni.ProductCategory.DIGITAL_IO.value,
)  # fmt: skip
COMPACT_DAQ_CHASSIS, C_SERIES_MODULE, TEST_SCALE_CHASSIS, TEST_SCALE_MODULE = (
    ni.ProductCategory.COMPACT_DAQ_CHASSIS.value, ni.ProductCategory.C_SERIES_MODULE.value, ni.ProductCategory.TEST_SCALE_CHASSIS.value,
    ni.ProductCategory.TEST_SCALE_MODULE.value,
)  # fmt: skip
PCI_EXPRESS, PXI, PXI_EXPRESS, USB, COMPACT_DAQ, TCP_IP = (
    ni.BusType.PCIE.value, ni.BusType.PXI.value, ni.BusType.PXIE.value, ni.BusType.USB.value, ni.BusType.COMPACT_DAQ.value,
    ni.BusType.TCPIP.value,
)  # fmt: skip
BACKPLANE = (PXI, PXI_EXPRESS)
"""Buses whose trigger lines carry a clock or a trigger from one device to another."""
CHASSIS = (COMPACT_DAQ_CHASSIS, TEST_SCALE_CHASSIS)
