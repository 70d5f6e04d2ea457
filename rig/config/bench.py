"""What it is tested on: the bench file as frozen dataclasses in SI units (metadata: see `rig.config.experiment`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Sensor:
    """The record of one sensor and the transfer from the physical quantity to what is sampled.

    value [SI] = sensitivity * volts + offset. The transfer (bandwidth, AC coupling, delay, range) is applied to predictions, so
    that a prediction is compared as it would have been measured.
    """

    sensitivity: float = field(metadata={"unit": "[channel]/V", "doc": "quantity for one volt; negative: mounted reversed"})
    offset: float = field(default=0.0, metadata={"unit": "[channel]"})
    capacity: float | None = field(default=None, metadata={"unit": "[channel]", "over": 0.0})
    bandwidth: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "low-pass corner"})
    bandwidth_poles: int = field(default=2, metadata={"choices": (1, 2)})
    coupling: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "AC coupling corner, one pole"})
    delay: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})
    noise: float | None = field(default=None, metadata={"unit": "[channel]", "at_least": 0.0, "doc": "rms"})
    model: str = ""
    serial: str = ""
    calibrated: str = field(default="", metadata={"doc": "date of calibration, ISO"})
    expires: str = field(default="", metadata={"doc": "date of expiry, ISO"})
    certificate: str = ""
    accuracy_class: str = ""


@dataclass(frozen=True)
class InputChannel:
    """One analogue input, named after the quantity; the same name as the predicted channel it is compared with."""

    name: str
    unit: str = field(metadata={"doc": "SI unit of the channel"})
    terminal: str = field(metadata={"doc": "physical channel, as Dev1/ai0"})
    sensor: Sensor
    kind: str = field(default="voltage", metadata={"choices": ("voltage", "iepe", "force_bridge")})
    range: float = field(default=10.0, metadata={"unit": "V", "over": 0.0})
    excitation_current: float = field(default=4e-3, metadata={"unit": "A", "over": 0.0, "doc": "iepe"})
    excitation_voltage: float = field(default=10.0, metadata={"unit": "V", "over": 0.0, "doc": "force_bridge"})
    bridge_resistance: float = field(default=350.0, metadata={"unit": "ohm", "over": 0.0, "doc": "force_bridge"})


@dataclass(frozen=True)
class Device:
    """One simulated device of a virtual bench."""

    name: str
    product: str


@dataclass(frozen=True)
class Wire:
    """One wire of a virtual bench, between a terminal of a device and a signal of the plant."""

    terminal: str
    signal: str


@dataclass(frozen=True)
class Bench:
    """One bench file. `plant`, `devices` and `wiring` describe a virtual bench; only its own process reads them."""

    title: str
    daq: Any = field(metadata={"kinds": "drivers"})
    loader: Any = field(metadata={"kinds": "drivers"})
    channels: tuple[InputChannel, ...]
    address: str | None = field(default=None, metadata={"doc": "HOST:PORT of a device server; none: the NI driver of this machine"})
    pace: str = field(default="real", metadata={"choices": ("real", "lockstep")})
    seed: int = field(default=1, metadata={"at_least": 0, "at_most": 2**63 - 1})
    arming: str = field(default="automatic", metadata={"choices": ("automatic", "operator")})
    plant: Any = field(default=None, metadata={"kinds": "rig.plants"})
    devices: tuple[Device, ...] = ()
    wiring: tuple[Wire, ...] = ()

    def __post_init__(self) -> None:
        host, _, port = (self.address or "host:1").rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f"address: expected HOST:PORT with a port from 1 to 65535, as 127.0.0.1:31763, got {self.address!r}")
