"""Does an outer loop fit the experiment it is in, and what may the command that it corrects not pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.tree import Problem
from rig.control import amplitude, drive_file
from rig.control.iteration import Band
from rig.trajectory import create, random, reverses
from rig.trajectory.blocks import soft_stop

MEAN_FROM = 20_000  # samples


@dataclass(frozen=True)
class CommandBounds:
    """Lowest and highest setpoint and largest |rate|: limits, full scale and limits on `command` together, SI."""

    low: float
    high: float
    rate: float


def command_bounds(experiment: Experiment, bench: Bench) -> CommandBounds:
    """All that bounds the command of an experiment on a bench."""
    command = experiment.command
    full, zero = bench.loader_full_scale(command.mode), bench.loader_zero(command.mode)
    limits = [limit for limit in experiment.limits if limit.channel == "command"]
    low = [limit.minimum for limit in limits if limit.minimum is not None]
    high = [limit.maximum for limit in limits if limit.maximum is not None]
    rates = [limit.rate for limit in limits if limit.rate is not None]
    return CommandBounds(
        low=max([-full - zero, -command.value_limit, *low]),
        high=min([full - zero, command.value_limit, *high]),
        rate=min([command.rate_limit, *rates]),
    )


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """What an outer loop cannot work with."""
    if isinstance(experiment.control, amplitude.Config):
        yield from _amplitude(experiment, experiment.control)
    elif isinstance(experiment.control, drive_file.Config):
        yield from _drive_file(experiment, bench, experiment.control)


def doubts(experiment: Experiment) -> list[str]:
    """What an outer loop cannot bring about, however it works."""
    play = experiment.mechanism.play or 0.0
    if not isinstance(experiment.control, drive_file.Config) or play <= 0.0 or not reverses(create(experiment.trajectory)):
        return []
    return [
        f"control: the trajectory reverses the load of a specimen with {play * 1e3:g} mm of play. In it the force is 0 whatever is"
        " commanded: the full-band error has a floor that no drive takes away, and in the band it falls slower than identified"
    ]


def _amplitude(experiment: Experiment, control: amplitude.Config) -> Iterator[Problem]:
    """One frequency, a soft stop that takes the correction out, and time within a cycle for what is filled ahead."""
    trajectory = create(experiment.trajectory)
    if trajectory.frequency is None:
        yield Problem(("control", "kind"), "amplitude needs a trajectory of one frequency, as a sine; drive_file takes any")
        return
    if not soft_stop(experiment.trajectory) > 0.0:
        yield Problem(("trajectory", "soft_stop"), "expected more than 0 s: with [control] the soft stop takes the correction out as well")
    if text := too_fast(experiment, control, trajectory.frequency):
        yield Problem(("command", "ahead"), text)


def too_fast(experiment: Experiment, control: amplitude.Config, frequency: float) -> str:
    """In words that the corrections of a setpoint at that frequency (Hz) come too late; empty where they do not."""
    period, ahead, block = 1.0 / frequency, experiment.command.ahead, experiment.acquisition.block
    if max(ahead, 2.0 * block) + block + control.blend * period <= period * (1.0 + 1e-9):
        return ""
    most = (1.0 - control.blend) * period - block
    text = f"what a cycle of {period:.4g} s teaches must act within the next: expected at most {most:.4g} s, got {ahead:g} s"
    return f"{text}; or lower control.blend ({control.blend:g} of a cycle)"


def identification_noise(experiment: Experiment) -> random.Config:
    """The trajectory in which the response of the loop is found before a drive is iterated."""
    control = experiment.control
    assert isinstance(control, drive_file.Config)
    how = control.identification
    low, high = Band(control.lowest_frequency, control.highest_frequency).widened
    return random.Config(
        duration=how.duration, lowest_frequency=max(low, 1.0 / how.duration), highest_frequency=high, rms=how.rms, seed=how.seed,
        mean=_mean(experiment) if how.mean is None else how.mean, soft_start=how.soft, soft_stop=how.soft,
    )  # fmt: skip


def _mean(experiment: Experiment) -> float:
    """Of the counted part; of all where nothing is counted."""
    trajectory = create(experiment.trajectory)
    value, _, cycle = trajectory.evaluate(np.linspace(0.0, trajectory.duration, MEAN_FROM))
    counted = cycle >= 0.0
    return float(np.mean(value[counted] if counted.any() else value))


def _drive_file(experiment: Experiment, bench: Bench, control: drive_file.Config) -> Iterator[Problem]:
    """The band within what is sampled, and an identification that the command's limits leave room for."""
    if Band(control.lowest_frequency, control.highest_frequency).widened[1] >= 0.5 * experiment.acquisition.rate:
        text = f"expected less than a third of the rate of {experiment.acquisition.rate:g} Hz, got {control.highest_frequency:g} Hz"
        yield Problem(("control", "highest_frequency"), text)
        return
    low, high, rate = create(identification_noise(experiment)).bounds()
    allowed = command_bounds(experiment, bench)
    if low < allowed.low or high > allowed.high or rate > allowed.rate:
        text = f"its noise reaches {low:.6g}..{high:.6g} at up to {rate:.6g} a second; the command may go"
        bounds = f"{allowed.low:.6g}..{allowed.high:.6g} at {allowed.rate:.6g} (SI)"
        yield Problem(("control", "identification", "rms"), f"{text} {bounds}; lower rms or mean")
