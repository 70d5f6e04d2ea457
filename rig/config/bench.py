"""What it is tested on: the bench file as frozen dataclasses in SI units (metadata: see `rig.config.experiment`)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from drivers.axes.analog_axis import AnalogAxisSettings
from drivers.axes.settings import AxisSettings, SerialAxisSettings
from drivers.daq.settings import DaqSettings
from drivers.instruments.instrument import InstrumentSettings
from drivers.loaders.preparation import Preparation
from drivers.loaders.settings import AnalogLoaderSettings, LoaderSettings, SerialLoaderSettings
from rig.config import counter
from rig.config.disturbance import Disturbance
from rig.config.injection import Injection
from rig.notification.settings import Notifier


@dataclass(frozen=True)
class Sensor:
    """The record of one sensor and the transfer from the physical quantity to what is sampled.

    value [SI] = sensitivity * volts + offset - tare; without the tare it is the gross value. The transfer (bandwidth, AC coupling,
    delay, range) is applied to predictions, so that a prediction is compared as it would have been measured.
    """

    sensitivity: float = field(metadata={"unit": "[channel]/V", "doc": "quantity for one volt (counters: 1); negative: mounted reversed"})
    offset: float = field(default=0.0, metadata={"unit": "[channel]"})
    capacity: float | None = field(default=None, metadata={"unit": "[channel]", "over": 0.0})
    bandwidth: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "low-pass corner"})
    bandwidth_poles: int = field(default=2, metadata={"choices": (1, 2)})
    coupling: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "AC coupling corner, one pole"})
    delay: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})
    feels_gravity: bool = field(
        default=False, metadata={"doc": "of an accelerometer: it shows the weight's part along its axis too, so predictions get it as well"}
    )
    noise: float | None = field(default=None, metadata={"unit": "[channel]", "at_least": 0.0, "doc": "rms"})
    model: str = ""
    serial: str = ""
    calibrated: str = field(default="", metadata={"doc": "date of calibration, ISO"})
    expires: str = field(default="", metadata={"doc": "date of expiry, ISO"})
    certificate: str = ""
    laboratory: str = field(default="", metadata={"doc": "who calibrated"})
    accuracy_class: str = field(
        default="", metadata={"choices": ("", "00", "0.2", "0.5", "1", "2", "3"), "doc": "ISO 7500-1 (force), ISO 9513 (length)"}
    )
    uncertainty: float | None = field(
        default=None, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "expanded, k = 2, as a share of the reading"}
    )
    zero_uncertainty: float | None = field(default=None, metadata={"unit": "[channel]", "at_least": 0.0, "doc": "expanded, k = 2"})
    lowest: float | None = field(
        default=None, metadata={"unit": "[channel]", "over": 0.0, "doc": "lower end of the calibrated range; below it no class holds"}
    )
    shunt_resistance: float | None = field(default=None, metadata={"unit": "ohm", "over": 0.0, "doc": "switched across one arm"})
    shunt_value: float | None = field(default=None, metadata={"unit": "[channel]", "doc": "what the shunt simulates, as certified"})
    shunt_tolerance: float = field(default=0.01, metadata={"unit": "1", "over": 0.0, "below": 1.0, "doc": "share of the expected change"})
    tare: float = field(default=0.0, metadata={"unit": "[channel]", "doc": "measured by `rig tare`, never written by hand"})
    tared: str = field(default="", metadata={"doc": "when the tare was taken, by whom, how steady; as `tare`"})


@dataclass(frozen=True)
class InputChannel:
    """One analogue input or counter, named after the quantity. It is compared with what the model predicts under the same name, or under
    that of `predicts`."""

    name: str
    unit: str = field(metadata={"doc": "SI unit of the channel"})
    terminal: str = field(metadata={"doc": "physical channel, as Dev1/ai0 or Dev1/ctr0"})
    sensor: Sensor
    kind: str = field(default="voltage", metadata={"choices": ("voltage", "iepe", "force_bridge", *counter.KINDS)})
    range: float = field(default=10.0, metadata={"unit": "V", "over": 0.0})
    excitation_current: float = field(default=4e-3, metadata={"unit": "A", "over": 0.0, "doc": "iepe"})
    excitation_voltage: float = field(default=10.0, metadata={"unit": "V", "over": 0.0, "doc": "force_bridge"})
    bridge_resistance: float = field(default=350.0, metadata={"unit": "ohm", "over": 0.0, "doc": "force_bridge"})
    shunt_line: str = field(default="", metadata={"doc": "output line that switches the conditioner's shunt; a bridge module has its own"})
    counter: counter.Counter | None = field(default=None, metadata={"doc": "encoder, pickup"})
    steady: bool = field(default=False, metadata={"doc": "it need not change while a motor rig moves; else that ends the test"})
    teds: bool = field(default=False, metadata={"doc": "iepe, force_bridge: the sensitivity comes from the sensor's own data sheet"})
    predicts: str = field(default="", metadata={"doc": "name of the model's channel that it shows; none: its own"})

    @property
    def quantity(self) -> str:
        """What it shows, as the model calls it."""
        return self.predicts or self.name

    def __post_init__(self) -> None:
        unit = {"iepe": "m/s^2", "force_bridge": "N"}.get(self.kind)
        if self.teds and self.unit != unit:
            raise ValueError(f"teds: expected kind iepe in m/s^2 or force_bridge in N, got {self.kind} in {self.unit}; leave teds out")

    @property
    def ends(self) -> tuple[float, float]:
        """What it can show (net), in its unit; a counter shows everything."""
        if self.kind in counter.KINDS:
            return -math.inf, math.inf
        sensor = self.sensor
        ends = [sensor.sensitivity * volts + sensor.offset - sensor.tare for volts in (-self.range, self.range)]
        return min(ends), max(ends)


@dataclass(frozen=True)
class Axis:
    """One commanded motor of a rig, or another actuator: `name` is the mechanism's drive that it moves."""

    name: str
    drive: AxisSettings = field(metadata={"kinds": "drivers.axes", "doc": "what moves it"})
    mode: str = field(default="velocity", metadata={"choices": ("position", "velocity"), "doc": "what is streamed to a serial drive"})
    rate: float = field(
        default=100.0, metadata={"unit": "Hz", "over": 0.0, "at_most": 1e5, "doc": "setpoints a second on a serial line, at least"}
    )
    following_error: float | None = field(
        default=None, metadata={"unit": "rad", "over": 0.0, "doc": "interlock: more for 0.1 s, or 3 times it; of drives that tell position"}
    )

    shaft_stiffness: float | None = field(
        default=None,
        metadata={
            "unit": "N*m/rad", "over": 0.0,
            "doc": "of what gives way between it and the mechanism (shaft, coupling, torque sensor, gear); none: taken as rigid",
        },
    )  # fmt: skip

    @property
    def serial(self) -> SerialAxisSettings | None:
        """Its drive, where that is on a serial line."""
        return self.drive if isinstance(self.drive, SerialAxisSettings) else None

    @property
    def analog(self) -> AnalogAxisSettings | None:
        """Its drive, where that hangs on an analogue output."""
        return self.drive if isinstance(self.drive, AnalogAxisSettings) else None

    @property
    def port(self) -> str | None:
        """Of its serial line."""
        return None if self.serial is None else self.serial.port


@dataclass(frozen=True)
class Instrument:
    """What is read beside the DAQ device, on a line of its own: a column of the record's stream `instruments`."""

    name: str
    device: InstrumentSettings = field(metadata={"kinds": "drivers.instruments", "doc": "what is read"})
    rate: float = field(default=10.0, metadata={"unit": "Hz", "over": 0.0, "at_most": 1000.0, "doc": "readings a second"})
    on_failure: str = field(default="warn", metadata={"choices": ("warn", "stop"), "doc": "what a reading that does not come means"})

    @property
    def unit(self) -> str:
        """SI unit of its readings, as its driver says; nothing is opened for that."""
        return self.device.create(self.name).unit


@dataclass(frozen=True)
class Device:
    """One simulated device of a virtual bench; names like cDAQ1Mod2 and PXI1Slot3 tell chassis and slot by themselves."""

    name: str
    product: str
    chassis: str = field(default="", metadata={"doc": "of a module: name of the CompactDAQ chassis that it is in"})
    slot: int = field(default=0, metadata={"at_least": 0, "at_most": 255, "doc": "in its chassis, from 1"})
    serial: int = field(default=0, metadata={"at_least": 0, "at_most": 2**32 - 1})
    pxi_chassis: int = field(default=0, metadata={"at_least": 0, "at_most": 255, "doc": "number of the PXI chassis"})
    accessory: str = field(default="", metadata={"doc": "terminal block at its connector, by NI's name"})


@dataclass(frozen=True)
class Wire:
    """One wire of a virtual bench, between a terminal of a device and a signal of the plant."""

    terminal: str
    signal: str
    bridge_resistance: float = field(default=350.0, metadata={"unit": "ohm", "over": 0.0, "doc": "of the load cell behind a bridge input"})


@dataclass(frozen=True)
class SerialEntry:
    """One serial line of a virtual bench with what is on it: drives that turn shafts of the plant, the controller of a load frame, or an
    instrument that looks at a signal of the plant."""

    name: str = field(metadata={"doc": "`virtual:NAME` stands for its port in a drive's table"})
    kind: str = field(metadata={"choices": ("modbus_drive", "odrive", "tmcl", "drive", "instron", "instrument")})
    shafts: tuple[str, ...] = field(
        default=(), metadata={"doc": "of the plant: one for each drive of a Modbus line, or each axis of a board"}
    )
    frame: str = field(default="", metadata={"doc": "instron: load frame of the plant"})
    addresses: tuple[int, ...] = field(default=(), metadata={"doc": "of the drives on a Modbus line, of a TMCL module; absent: 1, 2, ..."})
    baud: int = field(default=115200, metadata={"at_least": 300})
    latency: float = field(default=1e-3, metadata={"unit": "s", "at_least": 0.0, "doc": "of an answer, beside the time of its bytes"})
    skew_ppm: float = field(default=0.0, metadata={"at_least": -1e5, "at_most": 1e5, "doc": "how much too fast its own clock goes"})
    port: int = field(default=0, metadata={"at_least": 0, "at_most": 65535, "doc": "on this machine; 0: a free one"})
    pole_pairs: int = field(default=2, metadata={"at_least": 1, "doc": "modbus_drive: of its motors"})
    rated_frequency: float = field(default=50.0, metadata={"unit": "Hz", "over": 0.0, "doc": "modbus_drive: the highest that it gives"})
    full_steps: int = field(default=200, metadata={"at_least": 1, "doc": "tmcl: of its motors, a turn"})
    torque: float = field(default=5.0, metadata={"unit": "N*m", "over": 0.0, "doc": "tmcl: of a motor at full current"})
    force_full_scale: float = field(default=250e3, metadata={"unit": "N", "over": 0.0, "doc": "instron: as the controller tells it"})
    stroke_full_scale: float = field(default=0.050, metadata={"unit": "m", "over": 0.0, "doc": "instron: as the controller tells it"})
    habits: tuple[str, ...] = field(
        default=(), metadata={"doc": "instron: where it does not do as it is told; `drivers.simulated.loaders.instron_habits`"}
    )
    signal: str = field(default="", metadata={"doc": "instrument: analogue output of the plant that it looks at"})
    per_volt: float = field(default=1.0, metadata={"doc": "instrument: what one volt of the signal is, in the instrument's SI unit"})
    device: object | None = field(default=None, metadata={"kinds": "drivers.simulated.instruments"})
    drive: object | None = field(default=None, metadata={"kinds": "drivers.simulated.axes", "doc": "of your own, that turns the shafts"})

    def __post_init__(self) -> None:
        if (self.kind == "drive") != (self.drive is not None):
            raise ValueError("drive: a line of kind drive needs [serial.drive]; others have none")
        if (self.kind == "instrument") != (self.device is not None and bool(self.signal)):
            raise ValueError("device: an instrument needs [serial.device] and signal, an output of the plant; others have neither")
        if self.kind == "instrument":
            if not (self.per_volt and math.isfinite(self.per_volt)):
                raise ValueError(f"per_volt: expected a number other than 0, got {self.per_volt:g}")
            if self.shafts or self.addresses or self.frame:
                raise ValueError("device: an instrument turns no shafts and moves no frame; leave shafts, addresses and frame out")
            return
        if self.kind == "instron":
            if self.shafts or self.addresses or not self.frame:
                raise ValueError("frame: an instron needs the name of a load frame, and has neither shafts nor addresses")
            return
        if self.habits:
            raise ValueError(f"habits: {self.kind} has none; leave habits out")
        if not self.shafts:
            raise ValueError("shafts: expected at least one")
        if self.frame:
            raise ValueError(f"frame: {self.kind} turns shafts; leave frame out")
        if self.kind == "drive":
            if self.addresses:
                raise ValueError("addresses: a drive of your own has them in [serial.drive]; leave addresses out")
            return
        devices = {"modbus_drive": len(self.shafts), "odrive": 0, "tmcl": 1}[self.kind]
        if self.kind == "odrive" and len(self.shafts) > 2:
            raise ValueError(f"shafts: an ODrive has two axes, got {len(self.shafts)} shafts; give the rest another board")
        if self.addresses and len(self.addresses) != devices:
            raise ValueError(f"addresses: expected {devices} for {self.kind} with {len(self.shafts)} shafts, got {len(self.addresses)}")
        if len({*self.addresses}) < len(self.addresses):
            raise ValueError("addresses: no two devices on a line may have the same")


@dataclass(frozen=True)
class DataSheet:
    """What stands in the memory of a simulated sensor (TEDS, IEEE 1451.4)."""

    terminal: str = field(metadata={"doc": "input that the sensor is at"})
    bits: str = field(default="", metadata={"doc": "the memory, lowest byte first, in hexadecimal"})
    file: str = field(default="", metadata={"file": True, "doc": "or the file of a virtual TEDS"})

    def __post_init__(self) -> None:
        if bool(self.bits) == bool(self.file):
            raise ValueError("bits: expected either bits or a file")
        try:
            bytes.fromhex(self.bits)
        except ValueError:
            raise ValueError(f"bits: expected bytes in hexadecimal, two digits each, got {self.bits!r}") from None


@dataclass(frozen=True)
class Tare:
    """How `rig tare` takes a zero, and what a tare means to the controller."""

    limit: float = field(default=0.1, metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "largest tare, share of capacity"})
    steady: float = field(
        default=1e-3, metadata={"unit": "1", "over": 0.0, "doc": "most that a reading may scatter or drift, share of capacity"}
    )
    duration: float = field(default=2.0, metadata={"unit": "s", "at_least": 0.1, "at_most": 60.0})
    max_age: float = field(default=86400.0, metadata={"unit": "s", "over": 0.0, "doc": "an older tare is warned of"})
    controller: str = field(
        default="same_zero",
        metadata={
            "choices": ("same_zero", "own_zero"),
            "doc": "same_zero: its reading holds what was tared, so setpoints go out with the tare added; own_zero: zeroed at its panel",
        },
    )


@dataclass(frozen=True)
class Bench:
    """One bench file. `plant`, `disturbances`, `injections`, `devices`, `wiring`, `serial` and `teds` describe a virtual bench; only its
    own process reads them."""

    title: str
    daq: DaqSettings = field(metadata={"kinds": "drivers.daq"})
    channels: tuple[InputChannel, ...]
    loader: LoaderSettings | None = field(default=None, metadata={"kinds": "drivers.loaders", "doc": "of a frame"})
    axes: tuple[Axis, ...] = field(default=(), metadata={"doc": "of a motor rig, in place of a loader"})
    instruments: tuple[Instrument, ...] = field(default=(), metadata={"doc": "read beside the DAQ device, for the record"})
    address: str | None = field(default=None, metadata={"doc": "HOST:PORT of a device server; none: the NI driver of this machine"})
    pace: str = field(default="real", metadata={"choices": ("real", "lockstep")})
    seed: int = field(default=1, metadata={"at_least": 0, "at_most": 2**63 - 1})
    arming: str = field(default="automatic", metadata={"choices": ("automatic", "operator")})
    expired: str | None = field(
        default=None,
        metadata={"choices": ("warn", "refuse"), "doc": "a sensor whose calibration has run out; unsaid: refuse where a person arms"},
    )
    tare: Tare = field(default_factory=Tare)
    notify: tuple[Notifier, ...] = field(default=(), metadata={"doc": "programs that are told of a test"})
    plant: object | None = field(default=None, metadata={"kinds": "rig.virtual.plants"})
    disturbances: tuple[Disturbance, ...] = field(default=(), metadata={"doc": "of the plant's signals, by sensor, cable and conditioner"})
    injections: tuple[Injection, ...] = field(default=(), metadata={"doc": "faults that come while a test runs: docs/faults.md"})
    devices: tuple[Device, ...] = ()
    wiring: tuple[Wire, ...] = ()
    serial: tuple[SerialEntry, ...] = ()
    teds: tuple[DataSheet, ...] = ()

    def __post_init__(self) -> None:
        host, _, port = (self.address or "host:1").rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f"address: expected HOST:PORT with a port from 1 to 65535, as 127.0.0.1:31763, got {self.address!r}")

    @property
    def refuses_expired(self) -> bool:
        """Whether a test is refused when the calibration of one of its sensors has run out."""
        return self.expired == "refuse" or (self.expired is None and self.arming == "operator")

    @property
    def lines(self) -> int:
        """How many devices are opened, one after the other, beside the DAQ device."""
        return len(self.axes) + len(self.instruments) + int(self.loader is not None)

    def line_rate(self, axis: Axis) -> float:
        """Setpoints a second (Hz) on the serial line of an axis, of all axes that share it."""
        return sum(one.rate for one in self.axes if one.port == axis.port)

    @property
    def serial_loader(self) -> SerialLoaderSettings | None:
        """The loader, where it runs waveforms of its own."""
        return self.loader if isinstance(self.loader, SerialLoaderSettings) else None

    @property
    def analog_loader(self) -> AnalogLoaderSettings | None:
        """The loader, where it follows an analogue output."""
        return self.loader if isinstance(self.loader, AnalogLoaderSettings) else None

    @property
    def preparation(self) -> Preparation | None:
        """Of the loader before every test; None where there is none."""
        return self.analog_loader.preparation if self.analog_loader is not None and self.analog_loader.prepared else None

    def showing(self, quantity: str) -> InputChannel | None:
        """The first channel that shows what the model calls so; None where there is none."""
        return next((channel for channel in self.channels if channel.quantity == quantity), None)

    def loader_channel(self, mode: str) -> str:
        """Measured channel that the loader's loop of a mode closes on; empty without a loader."""
        return "" if self.loader is None else self.loader.channel(mode)

    def loader_full_scale(self, mode: str) -> float:
        """N or m; infinite without a loader."""
        return math.inf if self.loader is None else self.loader.full_scale(mode)

    def loader_zero(self, mode: str) -> float:
        """What the controller itself reads (N or m, by `mode`) where the tared channel shows 0."""
        name = self.loader_channel(mode)
        if self.tare.controller == "own_zero":
            return 0.0
        return next((channel.sensor.tare for channel in self.channels if channel.name == name), 0.0)
