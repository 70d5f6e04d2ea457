"""The impacts of a record: in which channel, where in its cycle each one is, and which of test and model belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.delays.fractional_shift import Shifted
from rig.comparison.gap_filling import GapFilled
from rig.comparison.preparation import Counted
from rig.comparison.series import Series
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.reading import RunData
from rig.report.impacts.spikes import Floats, Indices, Spikes, matched, rough, spikes, threshold
from rig.report.overlay.turn import drawn_over
from rig.report.signals import Signals, signals

LONGEST = 1 << 21
"""Samples that are looked through: of more the last ones."""
APART, WITHIN = 1.0 / 200.0, 1.0 / 36.0
"""Shares of a cycle: bounces nearer to each other are one impact; impacts of test and model farther apart do not belong together."""
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
    """Of one channel. pairs: places in measured and predicted of impacts that belong together, (k,) each."""

    channel: str
    unit: str
    label: str
    rate: float
    looked_at: range
    measured: Side
    predicted: Side
    pairs: tuple[Indices, Indices]

    @property
    def missed(self) -> Indices:
        """Places of measured impacts that the model does not have."""
        return np.setdiff1d(np.arange(len(self.measured.spikes)), self.pairs[0])

    @property
    def extra(self) -> Indices:
        """Places of predicted impacts that the test does not have."""
        return np.setdiff1d(np.arange(len(self.predicted.spikes)), self.pairs[1])

    @property
    def late(self) -> Floats:
        """(k,) s by which the model's impacts come after those measured."""
        return np.asarray((self.predicted.spikes.at[self.pairs[1]] - self.measured.spikes.at[self.pairs[0]]) / self.rate)

    @property
    def ratio(self) -> Floats:
        """(k,) strength predicted / measured."""
        return np.asarray(self.predicted.strength[self.pairs[1]] / self.measured.strength[self.pairs[0]])

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
    late = plan.experiment.comparison.remove_delay * given.rate
    sides = (Shifted(GapFilled(given.measured[name]), -late), GapFilled(given.predicted[name]))
    off = [rough(np.nan_to_num(side[part.start : part.stop]), given.rate) for side in sides]
    return _between(given, name, part, off, drawn_over(plan, given))


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
    counts = Counted(given.command.cycle, plan.experiment.comparison.discard_cycles).extent if window is None else window
    if not len(counts):
        raise ConfigError("--impacts: no cycle of this test counts; --span S --at S say what to look at")
    return range(max(counts.start, counts.stop - LONGEST), counts.stop)


def _between(given: Signals, name: str, part: range, off: Sequence[Floats], place: tuple[Series, str]) -> Impacts:
    period = given.rate * (1.0 / given.command.frequency if given.command.frequency else NO_CYCLE)
    least = threshold(off[0])
    found = [spikes(one, least, max(1, round(APART * period))) for one in off]
    angle, label = place
    sides = [_side(given, one, part, angle) for one in found]
    pairs = matched(found[0].at, found[1].at, WITHIN * period)
    return Impacts(name, given.units.get(name, ""), label, given.rate, part, sides[0], sides[1], pairs)


def _side(given: Signals, found: Spikes, part: range, angle: Series) -> Side:
    samples = slice(part.start, part.stop)
    turned, cycle = np.degrees(np.asarray(angle[samples])), np.asarray(given.command.cycle[samples], dtype=np.float64)
    return Side(found, np.asarray(turned[found.at] % 360.0), cycle[found.at])
