"""What the page shows: the signals of a run, read where they are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rig.comparison import ChannelAgreement, Verdict
from rig.comparison.responses import Response
from rig.comparison.reversals import Reversal
from rig.comparison.series import Series
from rig.report.names import quantity, words
from rig.report.overlay.loss_angles import LossAngles
from rig.report.overlay.shown_time import ShownTime, Stretch, columns_of
from rig.report.overlay.turn import Turn
from rig.report.palette import MEASURED, PREDICTED
from rig.report.reducing import COLUMNS, Floats, envelopes
from rig.streaming.interruptions import HELD, Interruption

NOT_KEPT = "not kept"


@dataclass(frozen=True)
class Pair:
    """One channel as compared, (N,) each in SI; predicted is None when there is no prediction."""

    measured: Series
    predicted: Series | None
    unit: str


class Difference:
    """predicted - measured, (N,): `rig.comparison.CONVENTION`."""

    def __init__(self, measured: Series, predicted: Series) -> None:
        self._measured, self._predicted = measured, predicted

    def __len__(self) -> int:
        return len(self._measured)

    def __getitem__(self, part: slice) -> Floats:
        return np.asarray(self._predicted[part] - self._measured[part])


@dataclass(frozen=True)
class Impacts:
    """One load reversal to look at closely, with what measured and predicted did after it."""

    reversal: Reversal
    measured: Response
    predicted: Response | None

    @property
    def responses(self) -> list[tuple[str, Response, str]]:
        """(name, response, colour) of the signals that there are."""
        both = [("measured", self.measured, MEASURED), ("predicted", self.predicted, PREDICTED)]
        return [(name, response, colour) for name, response, colour in both if response is not None]

    @property
    def times(self) -> list[float]:
        """First impacts, s."""
        return [r.first_impact for _, r, _ in self.responses if math.isfinite(r.first_impact)]


@dataclass(frozen=True)
class OverlayData:
    """Everything on the page. All signals (N,), from sample 0 of the record at `rate` Hz, read where they are drawn."""

    title: str
    subtitle: str
    rate: float
    channel: str
    command: Series
    controlled: Pair
    counts: range
    """From the first sample that counts to the last one; empty when none does."""
    stroke: Pair | None = None
    agreements: Mapping[str, ChannelAgreement] = field(default_factory=dict)
    impacts: Impacts | None = None
    verdict: Verdict | None = None
    command_unit: str = ""
    """Where it is another one than the channel's, the command has a scale of its own; empty: the channel's."""
    turn: Turn | None = None
    """Of a motor rig: in the place of load reversal and loop."""
    losses: LossAngles | None = None
    band: tuple[float, float] | None = None
    """Edges (Hz) of the band whose level is judged."""
    notes: Sequence[str] = ()
    interruptions: Sequence[Interruption] = ()
    """Where the test was held, or broken off and resumed."""

    absent: Sequence[tuple[int, int]] = ()
    """Samples (first, behind the last) of which nothing was kept."""

    @property
    def agreement(self) -> ChannelAgreement | None:
        """Of the channel that is shown."""
        return self.agreements.get(self.channel)

    @property
    def shown(self) -> list[Series]:
        """Command, measured, and predicted where there is a prediction."""
        both = [self.command, self.controlled.measured]
        return both if self.controlled.predicted is None else [*both, self.controlled.predicted]

    @property
    def quantity(self) -> str:
        """What the channel measures, in words; of a motor rig every channel is a quantity of its own."""
        return quantity(self.controlled.unit) if self.turn is None else words(self.channel).lower()

    @cached_property
    def whole(self) -> tuple[Floats, list[Floats]]:
        """(place on the axis of time, curves) of the whole run, reduced: what is shown, and behind it the
        difference where there is a prediction. Read once."""
        both = self.controlled
        gap = [] if both.predicted is None else [Difference(both.measured, both.predicted)]
        signals = [*self.shown, *gap]
        times, parts = list[Floats](), list[list[Floats]]()
        for begin, end, columns in columns_of(self.shown_time, COLUMNS):
            n, curves = envelopes(signals, round(begin * self.rate), round(end * self.rate), columns)
            times += [self.shown_time.places(n / self.rate), np.array([self.shown_time(end)])]
            parts += [curves, [np.array([np.nan])] * len(signals)]  # no line across a break
        if not parts:
            return np.empty(0), [np.empty(0)] * len(signals)
        return np.concatenate(times), [np.concatenate(one) for one in zip(*parts, strict=True)]

    @cached_property
    def shown_time(self) -> ShownTime:
        """Its axis: holds, and what was not kept, are shortened where they are long."""
        held = [Stretch(one.begin, one.end or self.duration, HELD) for one in self.interruptions if one.end != one.begin]
        gaps = [Stretch(first / self.rate, behind / self.rate, NOT_KEPT) for first, behind in self.absent]
        return ShownTime(self.duration, [*held, *gaps])

    @property
    def duration(self) -> float:
        """s."""
        return len(self.command) / self.rate
