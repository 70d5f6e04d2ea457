"""The impacts of a record: in which channel, where in its cycle each one is, and which of test and model belong together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.delays.fractional_shift import Shifted
from rig.comparison.gap_filling import GapFilled
from rig.comparison.impacts.pairs import Pairs, paired
from rig.comparison.impacts.spikes import Floats, Indices, Spikes
from rig.comparison.preparation import Counted
from rig.comparison.series import Series
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.reading import RunData
from rig.report.overlay.turn import drawn_over
from rig.report.signals import Signals, signals

LONGEST = 1 << 21
"""Samples that are looked through: of more the last ones."""
NO_CYCLE = 0.2
"""s that stand for a cycle where the command has none."""


@dataclass(frozen=True)
class Side:
    """Impacts of one side. angle (m,) deg in the cycle; cycle (m,); strength (m,) in the channel's unit."""

    spikes: Spikes
    angle: Floats
    cycle: Floats

    @property
    def strength(self) -> Floats:
        return self.spikes.strength


@dataclass(frozen=True)
class Impacts:
    """Of one channel; `both` has what belongs together."""

    channel: str
    unit: str
    label: str
    looked_at: range
    measured: Side
    predicted: Side
    both: Pairs

    @property
    def rate(self) -> float:
        """Hz."""
        return self.both.rate

    @property
    def pairs(self) -> tuple[Indices, Indices]:
        """Places in measured and predicted of impacts that belong together, (k,) each."""
        return self.both.pairs

    @property
    def missed(self) -> Indices:
        return self.both.missed

    @property
    def extra(self) -> Indices:
        return self.both.extra

    @property
    def late(self) -> Floats:
        return self.both.late

    @property
    def ratio(self) -> Floats:
        return self.both.ratio

    def to_json(self) -> dict[str, Json]:
        """Plain values; None where nothing is matched."""
        there = len(self.pairs[0]) > 0
        return {
            "channel": self.channel, "unit": self.unit, "measured": len(self.measured.spikes), "predicted": len(self.predicted.spikes),
            "matched": len(self.pairs[0]), "missed": len(self.missed), "extra": len(self.extra),
            "median_late_s": float(np.median(self.late)) if there else None,
            "median_strength_ratio": float(np.median(self.ratio)) if there else None,
        }  # fmt: skip


def impacts(plan: Plan, record: RunData, channel: str | None = None, window: range | None = None) -> Impacts:
    """Of what counts of a test, or of `window`. Raises ConfigError where no channel is both measured and predicted, or nothing counts."""
    given = signals(record, plan)
    name = _channel(given, channel)
    part = _part(plan, given, window)
    found, (angle, label) = between(plan, given, given.predicted[name], name, part), drawn_over(plan, given)
    sides = [_side(given, one, part, angle) for one in (found.measured, found.predicted)]
    return Impacts(name, given.units.get(name, ""), label, part, sides[0], sides[1], found)


def between(plan: Plan, given: Signals, predicted: Series, name: str, part: range) -> Pairs:
    """Impacts of a measured channel and of a prediction of it (N,), in samples of `part`."""
    late = plan.experiment.comparison.remove_delay * given.rate
    sides = (Shifted(GapFilled(given.measured[name]), -late), GapFilled(predicted))
    period = given.rate * (1.0 / given.command.frequency if given.command.frequency else NO_CYCLE)
    one, other = (np.asarray(side[part.start : part.stop], dtype=np.float64) for side in sides)
    return paired(one, other, given.rate, period)


def _channel(given: Signals, wanted: str | None) -> str:
    """That one, else the first acceleration, else what is shown first."""
    both = [name for name in given.measured if name in given.predicted]
    if wanted is not None and wanted not in both:
        raise ConfigError(f"--channel {wanted}: not both measured and predicted in this run; there are {', '.join(both) or 'none'}")
    if not both:
        raise ConfigError("--impacts: no channel of this run is both measured and predicted")
    accelerations = [name for name in both if given.units.get(name) == "m/s^2"]
    return wanted or next(iter([*accelerations, *(name for name in both if name == given.feedback), *both]))


def _part(plan: Plan, given: Signals, window: range | None) -> range:
    counts = counting(plan, given) if window is None else window
    if not len(counts):
        raise ConfigError("--impacts: no cycle of this test counts; --span S --at S say what to look at")
    return range(max(counts.start, counts.stop - LONGEST), counts.stop)


def counting(plan: Plan, given: Signals) -> range:
    """Samples of the cycles that count, of many the last ones."""
    counts = Counted(given.command.cycle, plan.experiment.comparison.discard_cycles).extent
    return range(max(counts.start, counts.stop - LONGEST), counts.stop)


def _side(given: Signals, found: Spikes, part: range, angle: Series) -> Side:
    samples = slice(part.start, part.stop)
    turned, cycle = np.degrees(np.asarray(angle[samples])), np.asarray(given.command.cycle[samples], dtype=np.float64)
    return Side(found, np.asarray(turned[found.at] % 360.0), cycle[found.at])
