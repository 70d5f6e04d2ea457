"""Channels that a counter of the device measures: what the bench file says of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

KINDS = ("encoder", "pickup")
UNITS = {"encoder": "rad", "pickup": "1"}
COUNTS = {"x1": 1, "x2": 2, "x4": 4}
"""Of one line of an encoder."""


@dataclass(frozen=True)
class Counter:
    """The signals of an encoder or a pickup, and the angles that they stand for."""

    pulses: int = field(metadata={"at_least": 1, "at_most": 10_000_000, "doc": "lines of an encoder, pulses of a pickup, in one turn"})
    decoding: str = field(default="x4", metadata={"choices": ("x1", "x2", "x4"), "doc": "encoder: counts of one line"})
    a: str = field(default="", metadata={"doc": "terminal of phase A, or of a pickup's pulse; empty: the counter's own"})
    b: str = field(default="", metadata={"doc": "encoder: terminal of phase B; empty: the counter's own"})
    z: str = field(default="", metadata={"doc": "encoder with an index: its terminal; empty: the counter's own"})
    index: float | None = field(
        default=None, metadata={"unit": "rad", "doc": "angle of the index, or of a pickup's edge; absent: an encoder's is not used"}
    )
    index_phase: str = field(
        default="high_high",
        metadata={"choices": ("high_high", "high_low", "low_high", "low_low"), "doc": "levels of A and B in which the index counts"},
    )
    edge: str = field(default="rising", metadata={"choices": ("rising", "falling"), "doc": "pickup: the edge that is counted"})
    initial: float = field(default=0.0, metadata={"unit": "rad", "doc": "encoder: angle at the start"})
    filter: float | None = field(default=None, metadata={"unit": "s", "over": 0.0, "doc": "shorter pulses are not seen"})
    beside: str = field(default="", metadata={"doc": "pickup: encoder channel of the same shaft; each tells when the other is dead"})

    @property
    def resolution(self) -> float:
        """Angle of one count of an encoder, rad."""
        return 2.0 * math.pi / (self.pulses * COUNTS[self.decoding])
