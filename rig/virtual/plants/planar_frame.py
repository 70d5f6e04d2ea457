"""Virtual servo-hydraulic frame with any planar mechanism in it: by the description that the model has of it, with none of its equations.

| signal | direction | what |
|---|---|---|
| command | analogue in | +-10 V is full scale of the active mode |
| force_monitor, actuator_force_monitor, stroke_monitor, command_monitor | analogue out | as those of `linkage_frame` |
| each of `[[plant.accelerometers]]`, `[[plant.displacements]]`, `[[plant.forces]]` by its `name` | analogue out | what that sensor shows |

Lines: see `rig.virtual.plants.servo_frame.controller`.

The piston is a part of the body that the description's drive moves, and pushes it along its slide; the stroke is 0 where the drive starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from model.assembly import layout as at
from model.assembly.elements import Load
from model.assembly.forces import spring_damper
from model.mechanisms.planar import config as planar
from rig.config.kinds import kind_of
from rig.virtual.plants.motor_rig import planar_layout as of
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.motor_rig.placed_sensors import (
    PlacedAccelerometer,
    PlacedDisplacement,
    PlacedForce,
    at_start,
    refuse_twice,
    seen_at,
)
from rig.virtual.plants.motor_rig.planar_tables import Linkage, Seen, Stiffness
from rig.virtual.plants.motor_rig.plant import Channel
from rig.virtual.plants.servo_frame.settings import LoaderSettings
from rig.virtual.plants.surfaces import Surfaces
from rig.virtual.rig_plant import RigPlant


@dataclass(frozen=True)
class Fixture:
    """The frame's own give: load cell, crosshead and columns behind what is bolted to them."""

    stiffness: float = field(default=1.5e8, metadata={"unit": "N/m", "over": 0.0})
    damping: float = field(default=1.2e4, metadata={"unit": "N*s/m", "at_least": 0.0})


@dataclass(frozen=True, kw_only=True)
class Config(LoaderSettings):
    """The mechanism as the drawing has it, and the laboratory around it (assumed). Clearance and friction are those of the description,
    the surfaces' behaviour is this plant's own; its only drive that moves is the loader."""

    mechanism: planar.Config = field(
        metadata={"kinds": "model.mechanisms", "doc": "or file = an experiment, whose [mechanism] is meant, and keys to lay over it"}
    )
    cell: str = field(metadata={"doc": "its spring_damper that stands for fixture and load cell; `fixture` takes the place of its numbers"})
    fixture: Fixture = field(default_factory=Fixture)
    accelerometers: tuple[PlacedAccelerometer, ...] = ()
    displacements: tuple[PlacedDisplacement, ...] = ()
    forces: tuple[PlacedForce, ...] = ()
    contact: Surfaces = field(default_factory=Surfaces)
    stiffness: Stiffness = field(default_factory=Stiffness)

    def __post_init__(self) -> None:
        if not isinstance(self.mechanism, planar.Config):
            raise ValueError(f"mechanism.kind: expected planar, got {kind_of(self.mechanism)}: this plant is made from a description")
        self._refuse()
        self._sensors(self._linkage(0))
        refuse_twice(self._all_sensors())

    def create(self, seed: int) -> RigPlant:
        """See `PlantSettings`: interlocked, pressure off, the piston where its stroke is 0. Raises ValueError where the step is too long
        for the joints."""
        from rig.virtual.plants.servo_frame.described import DescribedFrame, Mounted
        from rig.virtual.plants.servo_frame.described_kernel import BODY, HELD, LINE, LOAD, PISTON, POINT, SEALS, ZERO

        linkage, mounted = self._linkage(seed), Individual(seed + 1, self.perturb)
        linkage.refuse_step(self.step)
        row = linkage.mechanism.led[0].row
        seen = [Seen(of.PULL, linkage.springs[self.cell]), *self._sensors(linkage)]
        load = linkage.act(Load(row.j, (0.0, 0.0), 0.0))
        p = linkage.parameters((), seen)
        piston = np.zeros(PISTON)
        piston[LOAD], piston[BODY], piston[LINE : LINE + 2] = load, row.j.body, row.e
        piston[POINT : POINT + 2] = row.j.x, row.j.y
        piston[ZERO] = row.e[0] * row.i.x + row.e[1] * row.i.y + row.begins
        piston[SEALS] = piston[HELD] = self.stiffness.pin
        sensors = self._all_sensors()
        channels = {sensor.name: Channel(sensor, n, mounted.gain()) for n, sensor in enumerate(sensors, 1)}
        state, rates = linkage.state(at_start(self.mechanism), ()), np.array(linkage.rates(0), dtype=np.float64)
        return DescribedFrame(self, Mounted(state, p, np.zeros(len(seen)), piston, rates, channels), seed)

    def _refuse(self) -> None:
        """Raise ValueError for a description that a loader cannot move, or without the cell."""
        cells = [one.name for one in self.mechanism.forces if isinstance(one, spring_damper.Config) and not one.curve]
        if self.cell not in cells:
            expected = ", ".join(cells) or "there is none: put what is bolted to the load cell on a body of its own, held by one"
            raise ValueError(f"cell: expected a spring_damper of the mechanism, with a stiffness ({expected}), got {self.cell!r}")
        led = self.mechanism.led
        if len(led) != 1 or led[0].row.kind != at.LINE or led[0].row.i.body != len(self.mechanism.bodies):
            got = ", ".join(drive.name for drive in led) or "none"
            raise ValueError(f"mechanism.drives: expected one drive that moves, of kind position, along a slide of the ground; got {got}")

    def _linkage(self, seed: int) -> Linkage:
        own = self.fixture
        forces = tuple(
            replace(one, stiffness=own.stiffness, damping=own.damping)
            if isinstance(one, spring_damper.Config) and one.name == self.cell
            else one
            for one in self.mechanism.forces
        )
        return Linkage(replace(self.mechanism, forces=forces), self.contact, self.stiffness, Individual(seed, self.perturb))

    def _all_sensors(self) -> Sequence[PlacedAccelerometer | PlacedDisplacement | PlacedForce]:
        return (*self.accelerometers, *self.displacements, *self.forces)

    def _sensors(self, linkage: Linkage) -> list[Seen]:
        """In the order of `_all_sensors`. Raises ValueError for a point or joint that there is not."""
        return [seen_at(sensor, linkage) for sensor in self._all_sensors()]
