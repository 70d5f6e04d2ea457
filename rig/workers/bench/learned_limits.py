"""What is told of the limits that learn, and of the one that has acted: for the supervisor, in SI, JSON-able."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from drivers.files.plain_values import Json
from rig.checks.learned_state import LearnedState, nearest_first
from rig.checks.limits import Passed
from rig.checks.trends import Trend
from rig.config.experiment import Limit

MOST = 20
"""Limits that are told, those nearest to their bounds."""


def told(states: Sequence[tuple[Trend, LearnedState]], limits: Sequence[Limit], unit: Callable[[str], str]) -> list[dict[str, Json]]:
    """Rows of at most MOST of them, the nearest first; `number` is that in the experiment."""
    of = {id(state): limit for limit, state in states}
    return [_row(of[id(state)], state, limits, unit) for state in nearest_first([state for _, state in states])[:MOST]]


def _row(limit: Trend, state: LearnedState, limits: Sequence[Limit], unit: Callable[[str], str]) -> dict[str, Json]:
    row: dict[str, Json] = {
        "number": _number(limit, limits), "channel": limit.channel, "what": state.what, "action": limit.action, "unit": unit(limit.channel),
        "learned": state.learned, "learn": state.learn, "settling": state.settling, "since": state.since, "armed": state.armed,
        "baseline": state.baseline, "low": state.low, "high": state.high, "value": state.value, "cycle": state.cycle,
        "share": state.share, "outside": state.outside,
    }  # fmt: skip
    return {key: _finite(value) for key, value in row.items()}


def acted(passed: Passed, unit: str) -> Mapping[str, Json]:
    """The limit that holds, stops or trips: by what value, and what it allows."""
    said: dict[str, Json] = {
        "channel": passed.channel, "what": passed.what, "action": passed.action, "unit": unit, "value": passed.value,
        "bound": passed.limit, "sample": passed.sample,
    }  # fmt: skip
    return {key: _finite(value) for key, value in said.items()}


def _number(limit: Trend, limits: Sequence[Limit]) -> int | None:
    return next((number for number, one in enumerate(limits) if one == limit), None)


def _finite(value: Json) -> Json:
    return None if isinstance(value, float) and not math.isfinite(value) else value
