"""Contacts and flights of a joint with clearance, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.motion.parts import Flags, Floats


@dataclass(frozen=True)
class Touches:
    """share: of the time in contact; begins: moments at which a contact begins; longest: flight, s; deepest: m, below 0 without contact;
    spent (M,): the share of the time that each moment stands for, as the solver's own are close together in contact."""

    share: float
    begins: NDArray[np.intp]
    longest: float
    deepest: float
    spent: Floats

    def of_time(self, flags: Flags) -> float:
        """Share of the time in which the flags (M,) are set."""
        return float(np.sum(self.spent[flags]))

    def by_angle(self, angle: Floats, closed: Flags, edges: Floats) -> Floats:
        """(len(edges) - 1,) share of the time in contact between two edges each, rad."""
        return np.asarray(np.histogram(angle[closed], edges, weights=self.spent[closed])[0])

    @property
    def words(self) -> tuple[str, str]:
        """How often it touches, and how long it flies."""
        count = len(self.begins)
        often = f"{count or 'no'} contact{'' if count == 1 else 's'} begin{'s' if count == 1 else ''}"
        return often, f"the longest flight lasts {1e3 * self.longest:.3g} ms" if self.longest > 0.0 else "contact is never lost"


def touches(time: Floats, closed: Flags, depth: Floats) -> Touches:
    """Of moments `time` (M,), s, which need not be evenly spaced; depth (M,) m beyond the clearance."""
    spent = np.gradient(time) if len(time) > 1 else np.ones(len(time))
    spent = spent / np.sum(spent)
    begins = np.flatnonzero(closed[1:] & ~closed[:-1]) + 1
    longest = 0.0
    ends = np.flatnonzero(np.diff(np.concatenate(([0], (~closed).astype(np.int8), [0]))))
    for first, behind in zip(ends[::2], ends[1::2], strict=True):
        longest = max(longest, float(time[min(behind, len(time) - 1)] - time[first]))
    return Touches(float(np.sum(spent[closed])), begins, longest, float(np.max(depth)), spent)
