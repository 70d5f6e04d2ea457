"""Which samples of a record can be fitted: those that are there and not clipped, and those up to which the model's input is whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rig.comparison import Settings
from rig.comparison.clipping import Uncut
from rig.comparison.filtering import Usable, slowest
from rig.comparison.series import Flags, Marks, Series, ends, pieces
from rig.config.plan import Plan
from rig.report.agreement import agreed
from rig.report.signals import Signals


class UsableCycles:
    """Of the signals of one test. known: (N,) true where that is so, of each thing; notes: what there is to say of them."""

    def __init__(self, plan: Plan, found: Signals, settings: Settings, channels: Sequence[str]) -> None:
        compared = agreed(found, {name: found.predicted[name] for name in channels}, replace(settings, delay=False))
        corners = [settings.lowpass, *([] if settings.band is None else [slowest(settings.band)])]
        self.known: list[Marks] = []
        self.notes: list[str] = []
        for name in channels:
            its = compared[name]
            if its.clipped or its.stood:
                self.notes.append(f"{name} is clipped: {its.clipped}" if its.clipped else f"{name} is perhaps clipped: {its.stood}")
            uncut = Uncut(found.measured[name], *its.ends)
            self.known += [Usable(uncut, found.rate, corner) for corner in corners]
        source = plan.bench.showing(plan.experiment.predictor.source)
        given: Series | None = found.command.recorded if source is None else found.measured[source.name]
        if given is not None and (gap := _gap(given)) is not None:
            what = "the command" if source is None else f"{source.name}, which the model follows,"
            self.notes.append(f"samples of {what} are missing from {gap / found.rate:.3f} s on; cycles behind that are not fitted")
            self.known.append(_Before(gap, len(given)))


class _Before:
    """(N,) true up to a sample."""

    def __init__(self, sample: int, count: int) -> None:
        self._sample, self._count = sample, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> Flags:
        first, last = ends(part, self._count)
        return np.arange(first, last) < self._sample


def _gap(given: Series) -> int | None:
    """The first sample missing between others; None where all are there. What is missing to the end is no gap."""
    first: float = math.inf
    for part in pieces(0, len(given)):
        there = np.isfinite(given[part])
        if math.isinf(first) and not there.all():
            first = part.start + int(np.argmin(there))
        if not math.isinf(first) and there[max(0, int(first) - part.start) :].any():
            return int(first)
    return None
