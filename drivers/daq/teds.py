"""Data sheets that sensors carry themselves (IEEE 1451.4), read at the inputs of NI-DAQmx devices. Nothing is written to a sensor.

Who made it and its numbers are properties of the physical channel; what it gives for its quantity is taken from a channel that NI-DAQmx
makes by the sheet, so it is NI's reading of the templates that counts, and units are as asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nidaqmx import Task
from nidaqmx.constants import AccelSensitivityUnits, AccelUnits, BridgeElectricalUnits, BridgePhysicalUnits, ForceUnits
from nidaqmx.errors import DaqError
from nidaqmx.system import PhysicalChannel
from nidaqmx.system.device import Device

from drivers.daq.inputs import STANDARD_GRAVITY
from drivers.daq.session import Session
from drivers.daq.wiring import Input

NO_SENSOR = (-200709, -200753, -200826)
"""No sensor with a memory at that input, or what is in it is no sheet."""
NOT_THAT_KIND = (-200756, -200754)
"""The sheet is of another quantity, or its template is not one that can be used."""
KINDS = ("iepe", "force_bridge")
_VOLTS = {AccelSensitivityUnits.VOLTS_PER_G: 1.0, AccelSensitivityUnits.MILLIVOLTS_PER_G: 1e-3}
_RATIO = {BridgeElectricalUnits.VOLTS_PER_VOLT: 1.0, BridgeElectricalUnits.MILLIVOLTS_PER_VOLT: 1e-3}

_NEWTONS = {
    BridgePhysicalUnits.NEWTONS: 1.0,
    BridgePhysicalUnits.POUNDS: 4.4482216152605,
    BridgePhysicalUnits.KILOGRAM_FORCE: STANDARD_GRAVITY,
}


@dataclass(frozen=True)
class DataSheet:
    """gain: quantity (m/s^2, N) for one volt at the input, a bridge's at the excitation asked for; None: of another quantity, or none."""

    manufacturer: int
    model: int
    version: str
    serial: int
    gain: float | None

    @property
    def in_words(self) -> str:
        """As it stands on the sensor."""
        return f"manufacturer {self.manufacturer}, model {self.model}{self.version}, serial {self.serial}"


def read(address: str | None, inputs: Sequence[Input]) -> dict[str, DataSheet]:
    """Name -> sheet of those inputs (of `KINDS`) whose device reads sheets and whose sensor has one. Raises DriverError."""
    found: dict[str, DataSheet] = {}
    if not any(item.kind in KINDS for item in inputs):
        return found
    session = Session(address, "")
    try:
        with session.explained(f"looking for the sensors' data sheets at {session.where}"):
            session.devices()
        for item in inputs:
            with session.explained(f"data sheet of the sensor of {item.name} on {item.terminal}"):
                if item.kind in KINDS and (sheet := _of_input(session, item)) is not None:
                    found[item.name] = sheet
    finally:
        session.close()
    return found


def _of_input(session: Session, item: Input) -> DataSheet | None:
    options = session.options()
    if not Device(item.device, grpc_options=options).hwteds_supported:
        return None
    channel = PhysicalChannel(item.terminal, grpc_options=options)
    try:
        channel.configure_teds()
        version = f"{channel.teds_version_letter}{channel.teds_version_num}"
        numbers = channel.teds_mfg_id, channel.teds_model_num, version, channel.teds_serial_num
    except DaqError as error:
        if error.error_code in NO_SENSOR:
            return None
        raise
    return DataSheet(*numbers, _gain(session, item))


def _gain(session: Session, item: Input) -> float | None:
    task = session.task()
    try:
        gain = _of_accelerometer(task, item) if item.kind == "iepe" else _of_bridge(task, item)
        return gain if math.isfinite(gain) and gain else None
    except (ZeroDivisionError, KeyError):  # a range of no width, a unit that no force has
        return None
    except DaqError as error:
        if error.error_code in NOT_THAT_KIND:
            return None
        raise
    finally:
        task.close()


def _of_accelerometer(task: Task, item: Input) -> float:
    units = AccelUnits.METERS_PER_SECOND_SQUARED
    channel = task.ai_channels.add_teds_ai_accel_chan(
        item.terminal, min_val=-1.0, max_val=1.0, units=units, current_excit_val=item.excitation_current
    )
    return STANDARD_GRAVITY / float(channel.ai_accel_sensitivity * _VOLTS[channel.ai_accel_sensitivity_units])


def _of_bridge(task: Task, item: Input) -> float:
    channel = task.ai_channels.add_teds_ai_force_bridge_chan(
        item.terminal, min_val=-1.0, max_val=1.0, units=ForceUnits.NEWTONS, voltage_excit_val=item.excitation_voltage
    )
    ratio = channel.ai_bridge_two_point_lin_second_electrical_val - channel.ai_bridge_two_point_lin_first_electrical_val
    force = channel.ai_bridge_two_point_lin_second_physical_val - channel.ai_bridge_two_point_lin_first_physical_val
    force *= _NEWTONS[channel.ai_bridge_physical_units]
    return float(force / (ratio * _RATIO[channel.ai_bridge_electrical_units] * item.excitation_voltage))
