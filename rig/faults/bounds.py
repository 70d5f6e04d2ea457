"""What a bound is made of: settings of the experiment, the bench and the checks, by name, in s."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Protocol

from rig.checks import dead_channels, force_pair, noise_floor, overload
from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.errors import ConfigError
from rig.streaming.processes import PROCESSES
from rig.trajectory import create
from rig.workers.bench import predicted_limits

LOOK = 0.02
"""s between two looks at the lines of a loader or drive (`rig.workers.bench.actuation.loader.STATUS_EVERY`)."""
WAITING = 0.020
"""s that a computer may keep the program waiting at real pace, beside every bound; in lockstep the device waits instead."""
TERMS: Mapping[str, str] = {
    "block": "`acquisition.block`: what is found in a block acts at its end",
    "prediction": "a limit on what leans on the prediction: the blocks that its check is behind, and the one that it is checked in",
    "noise": "`noise_floor.GONE`: without noise for so long",
    "overload": "`overload.STUCK`: at the end of the range for so long",
    "forces": "two windows of `force_pair.WINDOW`",
    "cycle": "one cycle of the trajectory, whose answer is known at its end",
    "half cycle": "half of one: the next time that the force is large",
    "dead": "whole cycles, at least `dead_channels.SHORTEST`",
    "drive ramp": "from full speed to rest by the drive's own ramp",
    "look": "the interval at which the lines of a loader or drive are looked at",
    "exchange": "the interval of setpoints on a serial line, with each of which the drive's state is asked for",
    "heartbeat": "`plant.heartbeat_timeout`",
    "watchdog": "`daq.watchdog`",
    "stopping": "`command.ahead` and `command.stop_ramp`",
    "silent": "a process that gives no sign of life for so long is taken for dead",
    "before": "refused before anything moves",
}


class Configured(Protocol):
    """What a bound is made from: a plan, or the files of a test that is not run."""

    @property
    def experiment(self) -> Experiment: ...
    @property
    def bench(self) -> Bench: ...


def cycle(plan: Configured) -> float:
    """s of one cycle at full pace."""
    asked = plan.experiment.trajectory
    if frequency := getattr(asked, "frequency", None):
        return 1.0 / float(frequency)
    if speed := getattr(asked, "speed", None):
        return 2.0 * math.pi / abs(float(speed))
    whole = create(asked)
    return whole.duration / max(whole.cycles, 1)


def terms(plan: Configured) -> dict[str, float]:
    """Name -> s, of those that this rig has."""
    experiment, bench, turn = plan.experiment, plan.bench, cycle(plan)
    found = {
        "block": experiment.acquisition.block,
        "prediction": (predicted_limits.BEHIND + 1) * experiment.acquisition.block,
        "noise": noise_floor.GONE,
        "overload": overload.STUCK,
        "forces": 2.0 * force_pair.WINDOW,
        "cycle": turn,
        "half cycle": 0.5 * turn,
        "dead": turn * math.ceil(dead_channels.SHORTEST / turn - 1e-9),
        "look": LOOK,
        "stopping": experiment.command.ahead + experiment.command.stop_ramp,
        "silent": next(process.silent for process in PROCESSES if process.name == "bench"),
        "before": 0.0,
    }
    if (drive := getattr(bench.plant, "speed_drive", None)) is not None:
        found["drive ramp"] = abs(float(getattr(experiment.trajectory, "speed", 0.0))) / drive.acceleration
    if bench.axes:
        found["exchange"] = 1.0 / min(axis.rate for axis in bench.axes)
    for name, owner, key in (("heartbeat", bench.plant, "heartbeat_timeout"), ("watchdog", bench.daq, "watchdog")):
        if (value := getattr(owner, key, None)) is not None:
            found[name] = float(value)
    return found


def seconds(bound: Iterable[str], known: Mapping[str, float]) -> float:
    """Sum of a bound's terms, s. Raises ConfigError for a term that the rig has not."""
    bound = tuple(bound)
    if unknown := [name for name in bound if name not in known and name in TERMS]:
        known = {**known, **dict.fromkeys(unknown, 0.0)}  # a rig without a heartbeat waits for none
    if wrong := [name for name in bound if name not in TERMS]:
        raise ConfigError(f"table of faults: bound: expected some of {', '.join(TERMS)}; got {wrong[0]!r}")
    return sum(known[name] for name in bound)
