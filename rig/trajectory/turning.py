"""A shaft that turns: from rest up to a constant speed, a whole number of turns at it, and down to rest. The value is the angle turned."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rig.trajectory.naming import Named
from rig.trajectory.uniform import Uniform

TURN = 2.0 * math.pi


@dataclass(frozen=True)
class Config(Named):
    """Turns at constant speed; cycle 0 begins where the soft start has ended."""

    speed: float = field(metadata={"unit": "rad/s", "over": 0.0, "doc": "of the mechanism's crank or bar"})
    cycles: int = field(default=10, metadata={"at_least": 1, "doc": "turns at full speed; soft start and stop come on top"})
    soft_start: float = field(default=1.0, metadata={"unit": "s", "over": 0.0})
    soft_stop: float = field(default=1.0, metadata={"unit": "s", "over": 0.0})

    def create(self) -> Uniform:
        """The trajectory, in rad."""
        return Uniform(self.speed, TURN, self.cycles, self.soft_start, self.soft_stop)
