"""What limits allow a value of the cycles to be: stated bounds, a change from a baseline, bounds learned from the first cycles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rig.checks.cycle_watch import UNDER_WAY
from rig.config.experiment import Limit
from rig.report.endurance.cycle_tables import CycleTables, Floats
from rig.report.endurance.cycle_values import CycleValue


@dataclass(frozen=True)
class Bounds:
    """From cycle `since` on, up to cycle `until`, in which it was asked to learn anew; None: open at that side. action: what follows
    beyond."""

    low: float | None
    high: float | None
    action: str
    since: int | None = None
    learned: bool = False
    until: int | None = None


def bounds(
    limits: Sequence[Limit], value: CycleValue, tables: CycleTables, anew: Mapping[int, Sequence[int]] | None = None
) -> list[Bounds]:
    """Of a value of the cycles, in the order of the limits. anew: samples from which on a limit, by its number, has learned anew."""
    found = []
    for number, limit in enumerate(limits):
        renewed = (anew or {}).get(number, ())
        if limit.channel != value.channel or value.less:
            continue
        if value.value in ("peak", "valley") and (limit.minimum is not None or limit.maximum is not None):
            found.append(Bounds(limit.minimum, limit.maximum, limit.action))
        if value.value in ("peak", "valley") and limit.margin is not None:
            found += _one_after_the_other(_margin, limit, value, tables, renewed)
        if value.value == limit.per_cycle and (limit.change is not None or limit.relative_change is not None):
            found += _one_after_the_other(_change, limit, value, tables, renewed)
    return found


def _one_after_the_other(
    made: Callable[[Limit, CycleValue, CycleTables, int | None], list[Bounds]],
    limit: Limit,
    value: CycleValue,
    tables: CycleTables,
    anew: Sequence[int],
) -> list[Bounds]:
    """What it was from the beginning, and behind each new baseline; each up to the next one."""
    found = []
    for begin, end in pairwise([None, *anew, None]):
        found += [replace(one, until=None if end is None else tables.cycle_at(end)) for one in made(limit, value, tables, begin)]
    return [one for one in found if one.until is None or (one.since or 0) < one.until]


def _margin(limit: Limit, value: CycleValue, tables: CycleTables, anew: int | None) -> list[Bounds]:
    pair = [CycleValue(value.stream, value.channel, one) for one in ("valley", "peak")]
    (low, since), (high, _) = (_learned(limit, one, tables, anew) for one in pair)
    if since is None or not np.isfinite(low).any():
        return []
    least, most = float(np.nanmin(low)), float(np.nanmax(high))
    wider = (limit.margin or 0.0) * (most - least)
    return [Bounds(least - wider, most + wider, limit.action, since, learned=True)]


def _change(limit: Limit, value: CycleValue, tables: CycleTables, anew: int | None) -> list[Bounds]:
    """Learned anew it is no longer the stated baseline."""
    stated = limit.baseline if anew is None else None
    learned, since = (np.empty(0), None) if stated is not None else _learned(limit, value, tables, anew)
    if stated is None and (since is None or not np.isfinite(learned).any()):
        return []
    centre = stated if stated is not None else float(np.nanmean(learned))
    off = limit.change if limit.change is not None else (limit.relative_change or 0.0) * abs(centre)
    return [Bounds(centre - off, centre + off, limit.action, since, learned=stated is None)]


def _learned(limit: Limit, value: CycleValue, tables: CycleTables, anew: int | None) -> tuple[Floats, int | None]:
    """The value in the cycles that the limit learns from, and the cycle behind them; none where there are fewer. anew: sample from which on
    it does; the cycle which that is in counts for nothing, as in `rig.checks.cycle_watch`."""
    start = 0 if anew is None else tables.row_at(anew) + UNDER_WAY
    end = limit.settle + limit.learn
    values, cycles = np.empty(0), np.empty(0, np.int64)
    for rows in tables.blocks(value.columns, start, length=end + 1):
        if any(column not in rows.values for column in value.columns):
            break
        values = np.append(values, value.of(rows.values)[rows.whole])
        cycles = np.append(cycles, rows.cycle[rows.whole])
        if len(cycles) >= end:
            return values[limit.settle : end], int(cycles[end - 1]) + 1
    return np.empty(0), None
