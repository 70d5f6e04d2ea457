"""What is asked of Exudyn's systems, whose own type stubs leave half of it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NodeIndex = NewType("NodeIndex", object)
ObjectIndex = NewType("ObjectIndex", object)
MarkerIndex = NewType("MarkerIndex", object)
SensorIndex = NewType("SensorIndex", object)


class SystemData(Protocol):
    """Coordinates of a system, their rates and accelerations."""

    def GetODE2Coordinates(self) -> Floats: ...
    def GetODE2Coordinates_t(self) -> Floats: ...
    def GetODE2Coordinates_tt(self) -> Floats: ...
    def SetODE2Coordinates(self, values: list[float], configuration: object) -> None: ...
    def SetODE2Coordinates_t(self, values: list[float], configuration: object) -> None: ...
    def SetODE2Coordinates_tt(self, values: list[float], configuration: object) -> None: ...


class MainSystem(Protocol):
    """A multibody system, which items are added to."""

    variables: dict[str, list[dict[str, object]]]
    systemData: SystemData

    def AddNode(self, item: object) -> NodeIndex: ...
    def AddObject(self, item: object) -> ObjectIndex: ...
    def AddMarker(self, item: object) -> MarkerIndex: ...
    def AddLoad(self, item: object) -> object: ...
    def AddSensor(self, item: object) -> SensorIndex: ...
    def Assemble(self) -> None: ...
    def SolveDynamic(self, settings: object, *, solverType: object) -> object: ...
    def GetSensorStoredData(self, sensor: SensorIndex) -> Floats: ...


class Symbol(Protocol):
    """A number in an expression that Exudyn evaluates itself."""

    def __rmul__(self, factor: float) -> Symbol: ...
    def __add__(self, term: float) -> Symbol: ...


Sensors = Mapping[str, tuple[SensorIndex, int | tuple[int, ...]]]
"""By channel: sensor, and its component, or some for their magnitude."""
Built = tuple[MainSystem, Sensors]
"""A system, assembled, and the sensors of the channels that are compared."""
