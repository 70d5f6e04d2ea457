"""One value for a time. Not counted as a cycle."""

from __future__ import annotations

from dataclasses import dataclass, field

from rig.trajectory import ramp
from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named


@dataclass(frozen=True)
class Config(Named):
    """A hold. Alone it needs a soft start and stop when the value is not 0."""

    value: float = field(metadata={"unit": "[mode]"})
    duration: float = field(metadata={"unit": "s", "over": 0.0})
    soft_start: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})

    def create(self) -> Enveloped:
        """The trajectory: a ramp from the value to itself."""
        level = ramp.Ramp(ramp.Config(end=self.value, start=self.value, duration=self.duration))
        return Enveloped(level, self.soft_start, self.soft_stop)
