"""What the `[trajectory]` of an experiment has to have, and a block of a program with its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from rig.trajectory.contract import Trajectory


class TrajectorySettings(ABC):
    """Each kind's `Config` derives from this."""

    name: str = ""
    """Of a block of a program."""
    soft_stop: float = 0.0
    """s"""

    @abstractmethod
    def create(self) -> Trajectory:
        """The trajectory. Raises ConfigError for a file that cannot be read."""


@dataclass(frozen=True)
class Named(TrajectorySettings):
    """What the `Config` of every kind begins with that can be a block of a program."""

    name: str = field(default="", kw_only=True, metadata={"doc": "of this block in a program: stands in the record and in `--set`"})
