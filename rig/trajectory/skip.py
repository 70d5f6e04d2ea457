"""A trajectory without the cycles that were run before: it starts as softly as the whole, and goes on with the first that is left.

Where one period is repeated all through, it goes on smoothly from the begin of its first counted cycle to that of any other; of what turns,
or goes along a path, the value is then greater by whole turns or courses, which are taken off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.trajectory.contract import Floats, Trajectory

ROUGH = 1e-6
"""Share of the largest rate by which the rates on both sides may differ, within rounding."""


@dataclass(frozen=True)
class Skip:
    """Samples of the trajectory: at `begin` it goes on with `end`. shift: what the value is less from there on."""

    begin: float
    end: float
    shift: float = 0.0

    def there(self, come: Floats) -> Floats:
        """Samples of the whole trajectory for those of the shorter one, (k,)."""
        return come if math.isinf(self.begin) else np.where(come >= self.begin, come + (self.end - self.begin), come)

    def back(self, at: float) -> float:
        """Sample of the shorter one at which the whole one comes to its sample `at`, or has left it out."""
        return min(at, self.begin) if at < self.end else at - (self.end - self.begin)

    def value(self, value: Floats, come: Floats) -> Floats:
        """The value (k,) as it goes out, at samples `come` (k,) of the shorter one."""
        return np.where(come >= self.begin, value - self.shift, value) if self.shift else value


def smooth(trajectory: Trajectory, begin: float, end: float, rate: float, turns: bool) -> Skip | None:
    """From time `begin` to `end` (s) of a trajectory, where value, rate and acceleration go on; None where they do not.

    rate: Hz. turns: the value does not come back, so only its rate has to be the same.
    """
    step, fastest = 1.0 / rate, trajectory.bounds()[2]
    before, after = (trajectory.evaluate(at + step * np.arange(3.0))[0] for at in (begin, end))
    shift = float(after[0] - before[0]) if turns else 0.0
    if np.max(np.abs(after - before - shift)) > ROUGH * fastest * step:
        return None
    return Skip(begin * rate, end * rate, shift)
