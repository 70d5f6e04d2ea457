"""Keys of the preparation of a loader before every test; what it does with them: `rig.preparation`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Preparation:
    """What is tried before every test; forces are shares of full scale."""

    enabled: bool = True
    zero_within: float = field(default=0.1e-3, metadata={"unit": "m", "over": 0.0, "doc": "stroke at rest, at the most"})
    stroke_probe: float = field(default=0.1e-3, metadata={"unit": "m", "over": 0.0, "doc": "to either side"})
    speed: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "of the stroke; a quarter of it once there is contact"})
    travel: float = field(default=2e-3, metadata={"unit": "m", "over": 0.0, "doc": "longest way to the preload: all play, and some"})
    preload: float = field(default=0.02, metadata={"at_least": -0.04, "at_most": 0.04, "doc": "one-sided; positive: tension"})
    force_probe: float = field(default=0.01, metadata={"over": 0.0, "at_most": 0.02, "doc": "to either side of the preload"})
    force_guard: float = field(default=0.04, metadata={"over": 0.0, "at_most": 0.1, "doc": "more than this ends the preparation at once"})
    touch: float = field(default=0.004, metadata={"over": 0.0, "at_most": 0.02, "doc": "force that tells contact from none"})
    stroke_bound: float = field(default=0.2e-3, metadata={"unit": "m", "over": 0.0, "doc": "while the force loop is tried"})
    tolerance: float = field(default=0.02, metadata={"over": 0.0, "below": 1.0, "doc": "of both gains"})
    patience: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a force to come to rest"})

    def __post_init__(self) -> None:
        if abs(self.preload) - self.force_probe < self.touch:
            raise ValueError(f"preload: expected more than force_probe + touch = {self.force_probe + self.touch:g}, got {self.preload:g}")
        if abs(self.preload) + self.force_probe >= self.force_guard:
            most = self.force_guard - self.force_probe
            raise ValueError(f"preload: expected less than force_guard - force_probe = {most:g}, got {self.preload:g}")
