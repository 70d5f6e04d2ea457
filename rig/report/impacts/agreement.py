"""What a comparison says of the impacts of those channels in which a criterion judges them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rig.comparison import ChannelAgreement
from rig.comparison.impacts.agreement import FIGURES, agreement_of
from rig.comparison.preparation import whole
from rig.comparison.series import Series
from rig.config.plan import Plan
from rig.report.signals import Signals


def with_impacts(
    compared: Mapping[str, ChannelAgreement], plan: Plan, found: Signals, predicted: Mapping[str, Series]
) -> dict[str, ChannelAgreement]:
    """The same impacts that `rig view --impacts` draws, of cycles that count; other channels are left as they are."""
    from rig.report.impacts.found import between, counting  # scipy.ndimage only where it is needed

    asked = {one.channel for one in plan.experiment.comparison.criteria if one.metric in FIGURES}
    result, part = dict(compared), counting(plan, found)
    for name in asked & compared.keys() & predicted.keys() & found.measured.keys():
        if not len(part):
            continue
        pairs = between(plan, found, predicted[name], name, part)
        cycle = whole(np.asarray(found.command.cycle[part.start : part.stop], dtype=np.float64))
        impacts, sure = agreement_of(pairs, cycle)
        result[name] = replace(result[name], impacts=impacts, intervals={**result[name].intervals, **sure})
    return result
