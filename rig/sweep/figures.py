"""The figures that are kept of a task: of the model alone, of a whole test, of a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from drivers.files.plain_values import Json, table
from rig.config.experiment import Experiment
from rig.errors import ConfigError
from rig.prediction.metrics import metrics
from rig.prediction.simulation import Simulated

Keep = Sequence[tuple[str, str, str]]
Figures = tuple[float | None, ...]


def of_model(found: Simulated, experiment: Experiment, keep: Keep, after: float) -> Figures:
    """From `after` (s) on. Raises ConfigError where nothing is left then."""
    closed_loop = experiment.mechanism.servo_loop and experiment.command.mode == "force"
    channels = metrics(_late(found, after), experiment.comparison.discard_cycles, closed_loop, experiment.mechanism.EXCESS)
    starts = [event for event in found.events if event["kind"] == "contact_start" and event["time_s"] >= after]
    speeds = [event["approach_speed"] for event in starts if event["approach_speed"] is not None]
    of_events = {"contacts": float(len(starts)), "approach_speed": max(speeds, default=0.0)}
    return tuple(of_events[figure] if figure in of_events else channels[channel][figure] for channel, figure, _ in keep)


def _late(found: Simulated, after: float) -> Simulated:
    """Without what was before; a periodic motion leaves out whole cycles by `comparison.discard_cycles` instead."""
    first = int(np.ceil(after * found.rate - 1e-6))
    if first == 0:
        return found
    if first >= len(found.values):
        raise ConfigError(f"after: {after:g} s is beyond the end of the motion, {(len(found.values) - 1) / found.rate:g} s")
    rest = slice(first, None)
    command = None if found.command is None else found.command[rest]
    values, low, high, cycle = found.values[rest], found.low[rest], found.high[rest], found.cycle[rest]
    return replace(found, command=command, frequency=None, values=values, low=low, high=high, cycle=cycle)


def of_test(told: Mapping[str, Json], keep: Keep) -> Figures:
    """From the `--json` of `rig run`."""
    return tuple(_of_test(told, *one) for one in keep)


def _of_test(told: Mapping[str, Json], channel: str, figure: str, criterion: str) -> float | None:
    verdict = table(told.get("verdict") or {})
    listed = verdict.get("lines")
    lines = [table(line) for line in listed] if isinstance(listed, list) else []
    if criterion:
        return _number(next((line.get("error") for line in lines if (line["channel"], line["metric"]) == (channel, criterion)), None))
    if figure == "passed":
        return float(verdict.get("result") == "pass")
    if figure == "criteria_failed":
        return float(sum(not line["passed"] and not line.get("undecided") for line in lines))
    agreement = table(told.get("agreement") or {})
    if channel not in agreement:
        raise ConfigError(f"keep: the test compared {', '.join(agreement) or 'no channel'}; there is no {channel or 'channel'} among them")
    if figure not in (found := table(agreement[channel])):
        raise ConfigError(f"keep: expected one of {', '.join(found)}; got {figure!r}")
    return _number(found[figure])


def of_function(function: Callable[..., object], arguments: Mapping[str, float | str], keep: Keep) -> Figures:
    """What it returns: a number, or a mapping that has the figures by their names. Raises ConfigError for anything else."""
    returned = function(**arguments)
    found: Mapping[str, float] = returned if isinstance(returned, Mapping) else {keep[0][1]: returned}  # type: ignore[dict-item]
    if not isinstance(returned, Mapping) and len(keep) != 1:
        raise ConfigError(f"function: returned {type(returned).__name__}, expected a mapping with {', '.join(one[1] for one in keep)}")
    if missing := [figure for _, figure, _ in keep if figure not in found]:
        raise ConfigError(f"function: returned {', '.join(map(str, found))}; there is no {', '.join(missing)}")
    return tuple(float(found[figure]) for _, figure, _ in keep)


def _number(found: Json) -> float | None:
    return float(found) if isinstance(found, (int, float)) else None
