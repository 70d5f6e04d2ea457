"""A trajectory without the cycles that were run before: it starts as softly as the whole, and goes on with the first that is left.

Where one period is repeated all through, it goes on smoothly from the begin of its first counted cycle to that of any other; of what turns,
or goes along a path, the value is then greater by whole turns or courses, which are taken off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.trajectory.contract import Floats, Trajectory
from rig.trajectory.envelope import Enveloped
from rig.trajectory.program import Program

NEWTON, NEAR = 3, 1e-6
TURN = 2.0 * math.pi
ROUGH = 1e-5
"""Share of its largest step by which the values on both sides may differ: rounding."""


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


def soft_start(trajectory: Trajectory, t: float) -> tuple[float, float] | None:
    """Times (s) at which the soft start begins and ends of the block that has its turn at time t (s): from 0, at rest. None where it has
    none."""
    begin = 0.0
    while isinstance(trajectory, Program):
        trajectory, since = trajectory.segment(t - begin)
        begin += since
    if not isinstance(trajectory, Enveloped) or not trajectory.soft_start > 0.0:
        return None
    return begin, begin + trajectory.soft_start


def smooth(trajectory: Trajectory, begin: float, end: float, rate: float, turns: bool) -> Skip | None:
    """From the time `begin` (s) of a trajectory to the same place in the cycle that `end` is in, where value, rate and acceleration go on;
    None where they do not.

    rate: Hz. turns: the value does not come back, so only its rate has to be the same.
    """
    step, fastest = 1.0 / rate, trajectory.bounds()[2]
    if (alike := _alike(trajectory, begin, end, step)) is None:
        return None
    before, after = (trajectory.evaluate(at + step * np.arange(3.0))[0] for at in (begin, alike))
    shift = float(after[0] - before[0]) if turns else 0.0
    if np.max(np.abs(after - before - shift)) > ROUGH * fastest * step:
        return None
    return Skip(begin * rate, alike * rate, shift)


def _alike(trajectory: Trajectory, begin: float, end: float, step: float) -> float | None:
    """Time (s) near `end` whose phase is whole turns from that of `begin`: a cycle need not be a whole number of samples long."""
    cycle = float(trajectory.evaluate(np.array([end]))[2][0])
    for _ in range(NEWTON):
        phase = trajectory.evaluate(np.array([begin, end, end + step]))[1]
        turned, speed = float(phase[1] - phase[0]), float(phase[2] - phase[1]) / step
        if not speed > 0.0:
            return None
        end -= (turned - TURN * round(turned / TURN)) / speed
    if float(trajectory.evaluate(np.array([end]))[2][0]) < cycle:  # by rounding, it is that of the cycle before
        end += NEAR * step
    return end
