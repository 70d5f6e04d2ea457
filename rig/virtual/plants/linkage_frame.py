"""Virtual 250 kN servo-hydraulic frame with the linkage of hu2016 in it, behind analogue and digital terminals.

It is the laboratory, not the model of it: it sees volts and lines, has its own servo loop, time stepping and perturbed parameters.

| analogue in | | analogue out | full scale |
|---|---|---|---|
| command | +-10 V is full scale of the active mode | force_monitor | +-10 V, load cell, delayed by `force_delay` |
| | | actuator_force_monitor | +-10 V as force, from the pressure difference over the piston |
| | | stroke_monitor | +-10 V |
| | | accelerometer_1 .. 3 | IEPE, AC coupled |
| | | command_monitor | the command as it arrives |

Lines: see `rig.virtual.plants.servo_frame.controller`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rig.virtual.plants.servo_frame.settings import FrameSettings
from rig.virtual.rig_plant import RigPlant


@dataclass(frozen=True)
class Config(FrameSettings):
    """One frame with one specimen in it."""

    def create(self, seed: int) -> RigPlant:
        """See `PlantSettings`: interlocked, pressure off."""
        from rig.virtual.plants.servo_frame.frame import LinkageFrame  # compiled code, which nobody needs who only reads a bench file

        return LinkageFrame(self, seed)
