"""Which NI devices there are, at the driver of this machine or at a gRPC device server. Only properties are read: nothing is reserved."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from nidaqmx.errors import DaqError, DaqNotFoundError, DaqNotSupportedError
from nidaqmx.system import Device, System

from drivers.daq.session import Session
from drivers.errors import NotConnected

NOT_IDENTIFIED = 2**32 - 1
"""Number of a PXI chassis that the driver does not know."""
NO_DRIVER = "no NI driver (NI-DAQmx) is installed on this machine; install it, or name a device server by its HOST:PORT"

Told = TypeVar("Told")


@dataclass(frozen=True)
class NiDevice:
    """One device. serial: 0 of a device that has none; chassis and slot: of a module, else None."""

    name: str
    product: str
    serial: int | None
    chassis: str | None
    slot: int | None
    simulated: bool | None


def find(address: str | None) -> list[NiDevice]:
    """Every device at `address` (HOST:PORT), or of this machine's driver. Raises NotConnected where there is no driver, or no answer."""
    session = Session(address, "")
    try:
        with session.explained(f"looking for devices at {session.where}"):
            names = _names(session)
            system = System.remote(session.options()) if address else System.local()
            return [_described(system.devices[name]) for name in names]
    finally:
        session.close()


def _names(session: Session) -> list[str]:
    try:
        return session.devices()
    except (DaqNotFoundError, DaqNotSupportedError) as error:
        raise NotConnected(NO_DRIVER) from error


def _described(device: Device) -> NiDevice:
    chassis, slot = _place(device)
    return NiDevice(
        device.name, _told(lambda: device.product_type) or "", _told(lambda: device.serial_num), chassis, slot,
        _told(lambda: device.is_simulated),
    )  # fmt: skip


def _place(device: Device) -> tuple[str | None, int | None]:
    """Chassis and slot of a CompactDAQ module or of a PXI one."""
    if (chassis := _told(lambda: device.compact_daq_chassis_device.name)) is not None:
        return chassis, _told(lambda: device.compact_daq_slot_num)
    number = _told(lambda: device.pxi_chassis_num)
    if number not in (None, 0, NOT_IDENTIFIED):
        return f"PXI chassis {number}", _told(lambda: device.pxi_slot_num)
    return None, None


def _told(read: Callable[[], Told]) -> Told | None:
    """A property; None of a device that has not got it."""
    with contextlib.suppress(DaqError):
        return read()
    return None
