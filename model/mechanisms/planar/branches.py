"""Which way a linkage goes on from a singular pose, where it can go on in more than one: told after each, never silent.

| symbol | meaning |
|---|---|
| J | Jacobian of the independent rows (drives among them), lengths as shares of the mechanism's size |
| v | velocities; where one freedom is left, the row that completes J to a square |

On a smooth path through a simple singular pose det J changes its sign, as one factor of it passes through 0 (Allgower and Georg 1990,
Numerical Continuation Methods, section 8.1): a linkage that goes straight on changes it, one that turns over into the other way keeps it.
Where several loops lie flat at the same time there is a factor for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.assembly import layout as at
from model.assembly.start import Scaled
from model.floats import Floats

ALIKE, PARTED = 30.0, 10.0  # factors within which singular values are about 0 together, and by which the others are larger
TINY = 1e-300


@dataclass(frozen=True)
class Passed:
    """Singular poses passed so far: how many, when the last one, how many times it turned over, how many times that is not known."""

    count: int = 0
    last: float = 0.0
    turned: int = 0
    unknown: int = 0

    @property
    def remark(self) -> str:
        """In words; empty for none."""
        if not self.count:
            return ""
        first = f"passed {self.count} singular poses, the last" if self.count > 1 else "passed a singular pose"
        way = "it went straight on, as its velocities say"
        if self.turned:
            way = (
                f"{self.turned} of them it has turned over into the other way"
                if self.count > 1
                else "it has turned over into the other way"
            )
        elif self.unknown:
            way = "which way it took is not known; look at its angles"
        return f"{first} at {self.last:.6g} s, where the linkage could go on in more than one way: {way}"

    def after(self, count: int, last: float, before: float, now: float, loops: int) -> Passed:
        """With those since: `before` and `now` are the sides on which it stood before and after them, `loops` how many lay flat in the
        last one; 0 where that cannot be told."""
        if not before * now * loops:
            return Passed(self.count + count, last, self.turned, self.unknown + count)
        straight = before * now == (-1.0) ** (count * loops)
        return Passed(self.count + count, last, self.turned + (0 if straight else 1), self.unknown)


def side(scaled: Scaled, t: float, state: Floats, active: NDArray[np.bool_]) -> float:
    """Sign of det J at the state (q, v), by the rows that are active; 0 where more than one freedom is left."""
    square = _square(scaled, t, state, active)
    return 0.0 if square is None else float(np.linalg.slogdet(square)[0])


def flat(scaled: Scaled, t: float, state: Floats, active: NDArray[np.bool_]) -> int:
    """How many factors of det J are about 0 at the state, near a singular pose; 0 where that is not clear."""
    square = _square(scaled, t, state, active)
    if square is None:
        return 0
    sizes = np.linalg.svd(square, compute_uv=False)[::-1]
    small = int(np.sum(sizes < ALIKE * sizes[0]))
    return small if small < len(sizes) and sizes[small] > PARTED * sizes[small - 1] else 0


def _square(scaled: Scaled, t: float, state: Floats, active: NDArray[np.bool_]) -> Floats | None:
    q, v = np.split(state, 2)
    rows = (scaled.system.violated(t, q, v)[2] * scaled.lengths / scaled.row_lengths[:, None])[active]
    if len(rows) == len(q) - 1:
        speeds = v / scaled.lengths
        rows = np.vstack([rows, speeds / max(float(np.linalg.norm(speeds)), TINY)])
    return rows if rows.shape == (len(q), len(q)) else None


def noted(p: Floats, s: Floats) -> tuple[int, float]:
    """(how often a run has come to a singular pose, when last)."""
    place = int(p[at.S_SINGULAR])
    return int(s[place + at.HOW_OFTEN]), float(s[place + at.WHEN])


def there(p: Floats, s: Floats) -> Floats:
    """(q, v) as it last came to a singular pose."""
    place = int(p[at.S_SINGULAR]) + at.THERE
    return np.array(s[place : place + 2 * at.TRIPLE * int(p[at.BODIES])])
