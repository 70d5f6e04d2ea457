"""What is changed in a machine that works: numbers of a servo-hydraulic frame by name, plays of a motor rig, faults of its drives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.axes.odrive import ODriveAxis
from drivers.simulated.serial.serial_device import Drive
from rig.config.injection import Injection
from rig.virtual.rig_plant import RigPlant


# By what they have, not by their classes: a bench loads the compiled plant that it is, not those of all rigs.
@runtime_checkable
class Frame(Protocol):
    """A servo-hydraulic frame: records of numbers by name."""

    parameters: NDArray[Any]
    state: NDArray[Any]


class Mechanics(Protocol):
    """Of a motor rig; plays: where they are in `parameters`."""

    parameters: NDArray[Any]
    wear: float
    plays: Sequence[int]


@runtime_checkable
class Driven(Protocol):
    """A motor rig."""

    mechanics: Mechanics


def change(plant: RigPlant, injection: Injection) -> None:
    """Do it, from now on. Raises ValueError for a plant that has none of that."""
    if isinstance(plant, Frame):
        _of_frame(plant, injection)
    elif isinstance(plant, Driven) and injection.what in ("play", "wear"):
        _of_motor_rig(plant, injection)
    else:
        raise ValueError(f"injections: this plant has nothing that could be changed by {injection.what} {injection.target}".rstrip())


def fail(drives: tuple[Drive, ...], code: int) -> None:
    """Each drive has a fault of its own, of that code, and takes its power off. Raises ValueError for one that tells none."""
    for drive in drives:
        if isinstance(drive, ODriveAxis):
            drive.fail(code)
        elif isinstance(drive, ModbusDrive):
            drive.trip(code)
        else:
            raise ValueError(f"injections: {drive.name}: this kind of drive has no faults of its own")


def _of_frame(plant: Frame, injection: Injection) -> None:
    record = plant.state if injection.what == "state" else plant.parameters
    names = record.dtype.names or ()
    if injection.what == "play" and not injection.target:
        plant.parameters["play_a"] += injection.value / 2.0
        return
    if injection.what not in ("parameter", "state", "scale") or injection.target not in names:
        known = ", ".join(names)
        raise ValueError(f"injections: {injection.what}: expected a number of the frame, which has {known}; got {injection.target!r}")
    if injection.what == "scale":
        record[injection.target] *= injection.value
    else:
        record[injection.target] = injection.value


def _of_motor_rig(plant: Driven, injection: Injection) -> None:
    mechanics = plant.mechanics
    if injection.what == "wear":
        mechanics.wear = injection.value
    else:
        mechanics.parameters[[*mechanics.plays]] += injection.value
