"""Rosettes: strain in a plane, worked out from the strains of two or three gages.

Formulas: Vishay TN-515, "Strain Gage Rosettes". Angles are in degrees from the X axis, as the orientation of the first gage is; a shear
strain is the change of the right angle (twice the component of the tensor).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.channel import AnalogChannel, RosetteChannel
from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.values import as_float, as_int

Block = NDArray[np.float64]

RECTANGULAR, DELTA, TEE = (
    ni.StrainGageRosetteType.RECTANGULAR.value, ni.StrainGageRosetteType.DELTA.value, ni.StrainGageRosetteType.TEE.value,
)  # fmt: skip
NAMES = {
    15971: "principalStrain1", 15972: "principalStrain2", 15973: "principalStrainAngle", 15974: "cartesianStrainX",
    15975: "cartesianStrainY", 15976: "cartesianShearStrainXY", 15977: "maxShearStrain", 15978: "maxShearStrainAngle",
}  # fmt: skip
"""Measurements, members of nidaqmx.constants.StrainGageRosetteMeasurementType, and how their channels are named."""
PREFIX = "AI_ROSETTE_STRAIN_GAGE_"
TYPE, MEASUREMENT, ORIENTATION, STRAINS = (PREFIX + name for name in ("ROSETTE_TYPE", "ROSETTE_MEAS_TYPE", "ORIENTATION", "STRAIN_CHANS"))


def derivation(channels: Sequence[AnalogChannel]) -> Callable[[Block], None] | None:
    """What fills the columns of rosettes in rows (k, channels), from those of their strains; None without rosettes."""
    places = {channel.name: column for column, channel in enumerate(channels)}
    found = [
        (column, [places[name] for name in expand(str(channel.attributes[STRAINS]))], channel.attributes)
        for column, channel in enumerate(channels) if isinstance(channel, RosetteChannel)
    ]  # fmt: skip
    if not found:
        return None

    def fill(rows: Block) -> None:
        for column, strains, a in found:
            rows[:, column] = measured(as_int(a[TYPE]), as_int(a[MEASUREMENT]), as_float(a[ORIENTATION]), rows[:, strains])

    return fill


def measured(kind: int, measurement: int, orientation: float, strains: Block) -> Block:
    """One measurement (k,) of a rosette; orientation: of the first gage from the X axis (degrees); strains: (k, gages), in their order."""
    x, y, shear = _along_the_first(kind, strains)
    mean, half = 0.5 * (x + y), 0.5 * (x - y)
    radius = np.hypot(half, 0.5 * shear)
    turn = 2.0 * np.radians(orientation)
    principal = 0.5 * np.degrees(np.arctan2(shear, x - y)) + orientation
    spread = half * np.cos(turn) - 0.5 * shear * np.sin(turn)
    found: dict[str, Block] = {
        "principalStrain1": mean + radius, "principalStrain2": mean - radius, "principalStrainAngle": _acute(principal),
        "cartesianStrainX": mean + spread, "cartesianStrainY": mean - spread,
        "cartesianShearStrainXY": 2.0 * half * np.sin(turn) + shear * np.cos(turn),
        "maxShearStrain": 2.0 * radius, "maxShearStrainAngle": _acute(principal - 45.0),
    }  # fmt: skip
    return found[NAMES[measurement]]


def _along_the_first(kind: int, e: Block) -> tuple[Block, Block, Block]:
    """Strain along the first gage, across it, and shear; gages at 0, 45, 90 or 0, 60, 120 degrees, those of a tee at the principal axes."""
    if kind == TEE:
        return e[:, 0], e[:, 1], np.zeros(len(e))
    if kind == RECTANGULAR:
        return e[:, 0], e[:, 2], 2.0 * e[:, 1] - e[:, 0] - e[:, 2]
    return e[:, 0], (2.0 * (e[:, 1] + e[:, 2]) - e[:, 0]) / 3.0, 2.0 * (e[:, 1] - e[:, 2]) / np.sqrt(3.0)


def _acute(angle: Block) -> Block:
    """The same direction, above -90 up to 90 degrees."""
    return np.asarray(90.0 - np.mod(90.0 - angle, 180.0))
