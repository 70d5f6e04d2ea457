"""A pair of gears: two wheels that roll on each other without slip or backlash."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame

EXTERNAL, INTERNAL = MESHES = ("external", "internal")


@dataclass(frozen=True)
class Config:
    """Two gears by their pitch radii. Their middles are held by other joints: on the ground, or on a carrier that may turn itself.

    internal: the larger one has its teeth inside (the ring of a planetary gear). They mesh as they stand at the start. Force: that along
    the pitch circle on the second gear, positive where it turns that one to larger angles; what presses the teeth apart, by their
    pressure angle, does no work and is not there.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]: the middles of the gears'})
    radii: tuple[float, ...] = field(metadata={"unit": "m", "over": 0.0, "doc": "pitch radii, in that order"})
    mesh: str = field(default=EXTERNAL, metadata={"choices": MESHES})

    def elements(self, frame: Frame) -> Elements:
        """One row: the arcs that have rolled off are the same."""
        i, j = frame.pair(self.between)
        first, second = two_radii(self.radii)
        if self.mesh == INTERNAL and first == second:
            raise ValueError("radii: expected an inner gear that is smaller than its ring, got the same radius twice")
        wheels = (first, second) if self.mesh == EXTERNAL else (-first, second)
        return Elements(constraints=(Constraint(at.MESH, i, j, self.name, wheels, as_it_stands=True, apart=abs(sum(wheels))),))


def two_radii(radii: tuple[float, ...]) -> tuple[float, float]:
    """Both of them. Raises ValueError."""
    if len(radii) != 2:
        raise ValueError(f"radii: expected two, one of each wheel, got {len(radii)}")
    if not all(radius > 0.0 for radius in radii):
        raise ValueError(f"radii: expected more than 0 m, got {min(radii):g} m")
    return radii[0], radii[1]
