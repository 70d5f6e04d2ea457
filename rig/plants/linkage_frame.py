"""Virtual 250 kN servo-hydraulic frame with the linkage of hu2016 in it, behind analogue and digital terminals.

It is the laboratory, not the model of it: it sees volts and lines, has its own servo loop, time stepping and perturbed parameters.

| analogue in | | analogue out | full scale |
|---|---|---|---|
| command | +-10 V is full scale of the active mode | force_monitor | +-10 V, load cell, delayed by `force_delay` |
| | | actuator_force_monitor | +-10 V as force, from the pressure difference over the piston |
| | | stroke_monitor | +-10 V |
| | | accelerometer_1 .. 3 | IEPE, AC coupled |
| | | command_monitor | the command as it arrives |

Lines: see `rig.plants.frame_controller`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drivers.simulated.plant.plant import Plant
from rig.plants.frame_parameters import Faults, Hydraulics, Loop, Panel, Sensors, Specimen
from rig.plants.settings import PlantSettings

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Config(PlantSettings):
    """One frame with one specimen in it."""

    clearance: float = field(default=0.4e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "total play of each joint; 0: bilateral"})
    restitution: float = field(default=0.7, metadata={"over": 0.0, "at_most": 1.0, "doc": "of the joints' contact"})
    heartbeat_timeout: float = field(
        default=0.250, metadata={"unit": "s", "over": 0.0, "doc": "without a beat for so long the controller interlocks"}
    )
    monitor_noise: float = field(default=25.0, metadata={"unit": "N", "at_least": 0.0, "doc": "rms, of both force monitors"})
    force_delay: float = field(
        default=0.0, metadata={"unit": "s", "at_least": 0.0, "at_most": 0.1, "doc": "between load cell conditioner and monitor output"}
    )
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=1e-6, metadata={"unit": "s", "over": 0.0, "at_most": 2e-6, "doc": "of the integration"})
    specimen: Specimen = field(default_factory=Specimen)
    loop: Loop = field(default_factory=Loop)
    hydraulics: Hydraulics = field(default_factory=Hydraulics)
    panel: Panel = field(default_factory=Panel)
    sensors: Sensors = field(default_factory=Sensors)
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        if self.clearance > self.specimen.pin_radius:
            pin = self.specimen.pin_radius
            raise ValueError(f"clearance: {self.clearance * 1e3:g} mm swallows the pin of {pin * 1e3:g} mm radius; give less than that")

    def create(self, seed: int) -> Plant:
        """See `PlantSettings`: interlocked, pressure off."""
        from rig.plants.servo_frame import LinkageFrame  # compiled code, which nobody needs who only reads a bench file

        return LinkageFrame(self, seed)
