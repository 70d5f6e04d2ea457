"""What limits allow a value of the cycles to be: stated bounds, a change from a baseline, bounds learned from the first cycles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.config.experiment import Limit
from rig.report.endurance.cycle_tables import CycleTables, Floats
from rig.report.endurance.cycle_values import CycleValue


@dataclass(frozen=True)
class Bounds:
    """From `since` (cycle) on; None: open at that side. action: what follows beyond."""

    low: float | None
    high: float | None
    action: str
    since: int | None = None
    learned: bool = False


def bounds(limits: Sequence[Limit], value: CycleValue, tables: CycleTables) -> list[Bounds]:
    """Of a value of the cycles, in the order of the limits."""
    found = []
    for limit in limits:
        if limit.channel != value.channel or value.less:
            continue
        if value.value in ("peak", "valley") and (limit.minimum is not None or limit.maximum is not None):
            found.append(Bounds(limit.minimum, limit.maximum, limit.action))
        if value.value in ("peak", "valley") and limit.margin is not None:
            found += _margin(limit, value, tables)
        if value.value == limit.per_cycle and (limit.change is not None or limit.relative_change is not None):
            found += _change(limit, value, tables)
    return found


def _margin(limit: Limit, value: CycleValue, tables: CycleTables) -> list[Bounds]:
    pair = [CycleValue(value.stream, value.channel, one) for one in ("valley", "peak")]
    (low, since), (high, _) = (_learned(limit, one, tables) for one in pair)
    if since is None or not np.isfinite(low).any():
        return []
    least, most = float(np.nanmin(low)), float(np.nanmax(high))
    wider = (limit.margin or 0.0) * (most - least)
    return [Bounds(least - wider, most + wider, limit.action, since, learned=True)]


def _change(limit: Limit, value: CycleValue, tables: CycleTables) -> list[Bounds]:
    learned, since = _learned(limit, value, tables)
    if limit.baseline is None and (since is None or not np.isfinite(learned).any()):
        return []
    centre = limit.baseline if limit.baseline is not None else float(np.nanmean(learned))
    off = limit.change if limit.change is not None else (limit.relative_change or 0.0) * abs(centre)
    return [Bounds(centre - off, centre + off, limit.action, since, learned=limit.baseline is None)]


def _learned(limit: Limit, value: CycleValue, tables: CycleTables) -> tuple[Floats, int | None]:
    """The value in the cycles that the limit learns from, and the cycle behind them; none where there are fewer."""
    end = limit.settle + limit.learn
    rows = list(tables.blocks(value.columns, 0, end + 1, end + 1))
    if not rows or len(rows[0].cycle) < end or any(column not in rows[0].values for column in value.columns):
        return np.empty(0), None
    return value.of(rows[0].values)[limit.settle : end], int(rows[0].cycle[end - 1]) + 1
