"""A drive that is iterated: `rig run` identifies the loop, then runs the trajectory pass by pass until it is what was asked.

The numbers are in `rig.control.response` and `rig.control.iteration`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rig.control.settings import ControlSettings

TOLERANCES_OF = ("full_band", "in_band")


@dataclass(frozen=True)
class Identification:
    """The run in which the response is found: a mean with seeded random noise of a low level, wider than the band."""

    rms: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "level about the mean; low, and with joints that stay closed"})
    mean: float | None = field(default=None, metadata={"unit": "[mode]", "doc": "none given: that of the trajectory's counted part"})
    duration: float = field(default=16.0, metadata={"unit": "s", "over": 0.0})
    segment: float = field(default=2.0, metadata={"unit": "s", "over": 0.0, "doc": "of the averaging; 1/segment is the lines' distance"})
    soft: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "soft start and soft stop"})
    seed: int = field(default=1, metadata={"at_least": 0})

    def __post_init__(self) -> None:
        if self.duration < 2.0 * self.segment:
            raise ValueError(f"segment: expected at most half the duration of {self.duration:g} s, got {self.segment:g} s")


@dataclass(frozen=True)
class Config(ControlSettings):
    """Errors are shares of the trajectory's rms about its mean."""

    lowest_frequency: float = field(metadata={"unit": "Hz", "over": 0.0, "doc": "of the band"})
    highest_frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    identification: Identification
    gain: float = field(default=0.5, metadata={"unit": "1", "over": 0.0})
    iterations: int = field(default=8, metadata={"at_least": 1, "doc": "at the most, after the first pass"})
    tolerance: float = field(default=0.02, metadata={"unit": "1", "over": 0.0})
    tolerance_of: str = field(default="full_band", metadata={"choices": TOLERANCES_OF})

    def __post_init__(self) -> None:
        low, high, segment = self.lowest_frequency, self.highest_frequency, self.identification.segment
        if high <= low:
            raise ValueError(f"highest_frequency: expected more than the lowest, {low:g} Hz, got {high:g} Hz")
        if segment * low < 1.0 - 1e-9:
            raise ValueError(f"lowest_frequency: {low:g} Hz is below the first line of the identification; segment must be {1.0 / low:g} s")
