"""What the drives, the loader and the instruments on lines of their own say of themselves; nothing is set, nothing moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypedDict

from drivers.instruments.instrument import number
from rig.config.bench import Bench
from rig.hardware.shown_units import of_unit


class Identity(TypedDict):
    """What a drive or a loader says it is, what it has against going on, and why its line is too slow; None: nothing."""

    axis: str
    port: str
    identity: str
    fault: str | None
    slow: str | None


class Reading(TypedDict):
    """What an instrument says it is, and what it reads, SI."""

    instrument: str
    identity: str
    value: float
    unit: str


class Driver(Protocol):
    """What is asked of a drive or a loader."""

    name: str

    def connect(self) -> None: ...
    def identity(self) -> str: ...
    def fault(self) -> str | None: ...
    def close(self) -> list[str]: ...


def ask(bench: Bench) -> list[Identity]:
    """Name, port, identity, fault (None: none) of each axis, and of a loader, on a serial line, and of an axis whether its line is too
    slow for its setpoints (None: it is not).

    Raises DriverError for one that does not answer, or has other full scales than the file. A loader behind an enable line, which is low
    now, is not asked for its fault: it has no pressure.
    """
    found = []
    if (loader := bench.serial_loader) is not None:
        found.append(_identify(loader.create("force"), loader.port, powered=loader.enable_line is None))
    for axis in bench.axes:
        if axis.serial is not None:
            drive = axis.serial.create(axis.name, None)
            slow = str if bench.pace == "lockstep" else partial(drive.too_slow, bench.line_rate(axis))  # in lockstep a line takes no time
            found.append(_identify(drive, axis.serial.port, slow=slow))
    return found


def read(bench: Bench) -> list[Reading]:
    """Name, identity, reading and unit of each instrument beside the DAQ device. Raises DriverError for one that does not answer."""
    found: list[Reading] = []
    for one in bench.instruments:
        device = one.device.create(one.name)
        try:
            device.connect()
            value = number(device.read(), one.name, device.unit)
            found.append({"instrument": one.name, "identity": device.identity(), "value": value, "unit": device.unit})
        finally:
            device.close()
    return found


def _identify(driver: Driver, port: str, powered: bool = True, slow: Callable[[], str] = str) -> Identity:
    try:
        driver.connect()
        identity, fault = driver.identity(), driver.fault() if powered else None
        return {"axis": driver.name, "port": port, "identity": identity, "fault": fault, "slow": slow() or None}
    finally:
        driver.close()


def in_lines(told: list[Identity], read: list[Reading]) -> list[str]:
    """For a person, a line an axis or an instrument."""
    values = [of_unit(one["unit"], one["value"]).text(one["value"]) for one in read]
    return [*_axes(told), *(f"instrument {one['instrument']}: {value}; {one['identity']}" for one, value in zip(read, values, strict=True))]


def _axes(told: list[Identity]) -> list[str]:
    marks = [(f", FAULT: {one['fault']}" if one["fault"] else "") + (", TOO SLOW" if one["slow"] else "") for one in told]
    return [f"{_label(one['axis'])}: {one['identity']}{mark}" for one, mark in zip(told, marks, strict=True)]


def _label(axis: str) -> str:
    return axis if axis == "loader" else f"axis {axis}"
