"""Intervals of a test whose model follows an encoder, with what the counts of that may have done to its figures."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.comparison import ChannelAgreement
from rig.comparison.series import Series, Window
from rig.comparison.uncertainty.redrawn import redrawn
from rig.config.plan import Plan
from rig.prediction.encoder_counts import Counts
from rig.prediction.stepper import counted
from rig.report.alternative import predicted_by, recorded_input
from rig.report.signals import Signals

DRAWS = 4
FIRST = 0.37
"""Share of a count by which those of the first draw are off; the others follow at equal steps. No count of a bench lies there."""
SHAFT = 25.0
"""Hz, below which the recorded angle is taken for what the shaft did, to count it anew: where counts beat with the samples their error is
slow, and what is smoothed less has it still. How the shaft went in detail does not matter to how far counts may be off."""
MOST = 1 << 20
"""Samples that are predicted again, from the beginning to the end of a cycle."""

Figures = Mapping[str, ChannelAgreement]


def with_counts(
    compared: Figures,
    predicted: Mapping[str, Series],
    plan: Plan,
    found: Signals,
    mechanism: Mechanism,
    figures: Callable[[Mapping[str, Series], int | None], Figures],
) -> dict[str, ChannelAgreement]:
    """The agreement of channels that criteria judge with wider intervals where the model follows an encoder; else as it is.

    compared: with `predicted`, which is of `mechanism`. figures: agreement with a prediction, by channel, of the first samples (None: of
    all). A prediction that cannot be made over other counts is a warning of each channel.
    """
    count, judged = counted(plan.experiment, plan.bench), {criterion.channel for criterion in plan.experiment.comparison.criteria}
    wanted = [name for name, one in compared.items() if name in judged and one.intervals]
    if not count or plan.experiment.command.mode != "angle" or not wanted:
        return dict(compared)
    recorded = recorded_input(plan, found)
    samples = _whole_cycles(found.command.cycle)
    counts = Counts(recorded if samples is None else Window(recorded, 0, samples), count, SHAFT, found.rate)

    def drawn(number: int) -> Figures:
        given = counts.elsewhere((number + FIRST) / DRAWS)
        return figures(predicted_by(mechanism, plan, found, Path(name), given=given), samples)

    try:
        with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count() or 1, "counts") as pool:
            draws = list(pool.map(drawn, range(DRAWS)))
    except ModelError as error:
        note = f"with its encoder's counts elsewhere the model cannot be followed ({error}); its intervals say nothing of them"
        return {name: replace(one, warnings=(*one.warnings, note)) if name in wanted else one for name, one in compared.items()}
    begin = compared if samples is None else figures(predicted, samples)
    result = dict(compared)
    for name in wanted:
        sure = redrawn(compared[name].intervals, begin[name].intervals, [one[name].intervals for one in draws])
        result[name] = replace(compared[name], intervals=sure)
    return result


def _whole_cycles(cycle: Series) -> int | None:
    """Samples to the end of the last cycle that ends within MOST; None where there are no more."""
    if len(cycle) <= MOST:
        return None
    changes = np.flatnonzero(np.diff(cycle[0 : MOST + 1]))
    return int(changes[-1]) + 1 if len(changes) else MOST
