"""What the `[plant]` of a virtual bench has to have: each plant's `Config` derives from this."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rig.virtual.rig_plant import RigPlant


class PlantSettings(ABC):
    """Of any plant."""

    @abstractmethod
    def create(self, seed: int) -> RigPlant:
        """The individual that `seed` draws, at rest, without power."""
