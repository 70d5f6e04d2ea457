"""Properties about the calibration of a device. What simulated ones answer is from NI's own tests: 0.0 for temperatures, 24 months.

The note holds as many characters as an X Series card keeps (4), and is cut to that.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.system.device_properties import unsupported
from drivers.simulated.daqmx.system.enumeration import Device

NOTE_SIZE = 4
MONTHS = 24


def _set_note(engine: Engine, device: Device, value: Value) -> None:
    engine.nonvolatile.notes[device[0]] = str(value)[:NOTE_SIZE]


def _refused(name: str) -> Property[Device]:
    def get(engine: Engine, device: Device) -> Value:
        raise unsupported(name, device)

    return Property(get)


CALIBRATION: dict[str, Property[Device]] = {
    "SELF_CAL_SUPPORTED": Property(lambda e, d: d[1].inputs is not None or d[1].outputs is not None),
    "SELF_CAL_LAST_TEMP": Property(lambda e, d: 0.0),
    "EXT_CAL_LAST_TEMP": Property(lambda e, d: 0.0),
    "CAL_DEV_TEMP": Property(lambda e, d: 0.0),
    "EXT_CAL_RECOMMENDED_INTERVAL": Property(lambda e, d: MONTHS),
    "CAL_USER_DEFINED_INFO": Property(lambda e, d: e.nonvolatile.notes.get(d[0], ""), _set_note, ""),
    "CAL_USER_DEFINED_INFO_MAX_SIZE": Property(lambda e, d: NOTE_SIZE),
    "CAL_ACC_CONNECTION_COUNT": _refused("CAL_ACC_CONNECTION_COUNT"),
    "CAL_RECOMMENDED_ACC_CONNECTION_COUNT_LIMIT": _refused("CAL_RECOMMENDED_ACC_CONNECTION_COUNT_LIMIT"),
}
