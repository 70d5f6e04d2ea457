"""What the `[plant]` of a virtual bench has to have: each plant's `Config` derives from this."""

from __future__ import annotations

from abc import ABC, abstractmethod

from drivers.simulated.plant.plant import Plant


class PlantSettings(ABC):
    """Of any plant."""

    @abstractmethod
    def create(self, seed: int) -> Plant:
        """The individual that `seed` draws, at rest, without power."""
