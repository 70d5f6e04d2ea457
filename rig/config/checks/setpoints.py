"""The whole trajectory, before anything moves: how long it lasts, its values and its rates against everything that bounds them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rig.config.bench import Bench, InputChannel
from rig.config.checks import axes
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.tree import Problem
from rig.trajectory import Trajectory, create, turning
from rig.trajectory.blocks import stated
from rig.trajectory.faults import faults
from rig.trajectory.program import SAME

LONGEST = 1e8
"""s that a trajectory may last."""
SPEED = "speed"
"""What is measured of a turning shaft's speed, in rad/s."""
_SLACK = 1.0 + 1e-9  # a trajectory may go exactly to its limit


def lasting(experiment: Experiment) -> Iterator[Problem]:
    """Behind this no number tells two samples apart, and whatever else is looked at comes out wrong."""
    if any(faults(experiment.trajectory, MODE_UNITS[experiment.command.mode], experiment.acquisition.rate)):
        return  # what cannot be played has no duration; `problems` tells why
    duration = create(experiment.trajectory).duration
    if not duration <= LONGEST:
        yield Problem(("trajectory",), f"it lasts {duration:.4g} s, expected at most {LONGEST:g} s, three years")


def problems(experiment: Experiment, bench: Bench, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    """The whole trajectory against everything that bounds it, before anything moves: one problem for its values, one for its rates."""
    command, unit = experiment.command, MODE_UNITS[experiment.command.mode]
    if wrong := list(faults(experiment.trajectory, unit, experiment.acquisition.rate)):
        yield from (Problem(("trajectory", *keys), text) for keys, text in wrong)
        return
    trajectory = create(experiment.trajectory)
    low, high, rate = trajectory.bounds()
    if command.mode in axes.AXES_MODES:  # it ends somewhere else than it begins
        bounded = [("rate", rate, "/s")]
        yield from axes.beyond_drives(experiment, bench, rate, rate / (trajectory.frequency or 1.0), (low, high))
    else:
        yield from _ends(trajectory, unit, SAME * max(-low, high))
        bounded = [("value", max(-low, high), ""), ("rate", rate, "/s")]
    for of, value, per in bounded:
        if getattr(command, f"{of}_limit") <= 0.0:
            expected = f"the largest setpoint {of}, in {unit}{per}; this trajectory needs {value:.6g}"
            yield Problem(("command", f"{of}_limit"), f"missing; expected {expected}")
    feedback = channels.get(bench.loader_channel(command.mode))
    values = [*_sensor_bounds(feedback)] if feedback else []
    full, zero = bench.loader_full_scale(command.mode), bench.loader_zero(command.mode)
    values.append(("the loader's full scale", -full - zero, full - zero))
    values.append(("command.value_limit", -(command.value_limit or math.inf), command.value_limit or math.inf))
    values += _limits_on(experiment, feedback)
    passed = [f"{name} ({bottom:.6g}..{top:.6g} {unit})" for name, bottom, top in values if low < bottom * _SLACK or high > top * _SLACK]
    at = ("trajectory", "kind" if stated(experiment.trajectory)[0] is None else "amplitude")
    if passed:
        yield Problem(at, f"the trajectory reaches {low:.6g}..{high:.6g} {unit}, which passes {', '.join(passed)}")
    rates = [("command.rate_limit", command.rate_limit or math.inf)]
    rates += [("the limit on command", limit.rate) for limit in experiment.limits if limit.channel == "command" and limit.rate]
    passed = [f"{name} ({top:.6g} {unit}/s)" for name, top in rates if rate > top * _SLACK]
    if passed:
        yield Problem(at, f"the trajectory moves at up to {rate:.6g} {unit}/s, which passes {', '.join(passed)}")


def doubts(experiment: Experiment, bench: Bench) -> Iterator[str]:
    """A limit on the speed of a shaft that turns faster by its trajectory: a trip while it starts. A warning, as a gear may be between."""
    if not isinstance(experiment.trajectory, turning.Config):
        return
    speed = experiment.trajectory.speed
    shown = {channel.name for channel in bench.channels if channel.unit == "rad/s" and channel.quantity == SPEED}
    for i, limit in enumerate(experiment.limits):
        if limit.channel in shown and limit.maximum is not None and speed > limit.maximum:
            said = f"{limit.channel} at most {limit.maximum:g} rad/s, and the trajectory turns at {speed:.6g} rad/s"
            yield f"limits[{i}].maximum: {said}, so that the test will be stopped; expected a higher limit or less speed"


def _ends(trajectory: Trajectory, unit: str, nothing: float) -> Iterator[Problem]:
    """A test begins and ends at rest at 0, so that nothing steps when the command takes over and when it is taken away."""
    begin, end = trajectory.evaluate(np.array([0.0, trajectory.duration]))[0]
    for value, word, key in ((begin, "begins", "soft_start"), (end, "ends", "soft_stop")):
        if abs(value) > nothing:
            yield Problem(
                ("trajectory", key), f"the trajectory {word} at {value:.6g} {unit}, expected 0; give a {key}, or a ramp in a program"
            )


def _limits_on(experiment: Experiment, feedback: InputChannel | None) -> Iterator[tuple[str, float, float]]:
    """They act on net and on gross."""
    for limit in experiment.limits:
        if limit.channel in ("command", feedback.name if feedback else ""):
            low = -math.inf if limit.minimum is None else limit.minimum
            high = math.inf if limit.maximum is None else limit.maximum
            yield f"the limit on {limit.channel}", low, high
            if feedback is not None and limit.channel == feedback.name and (tare := feedback.sensor.tare):
                yield f"the limit on {limit.channel} (gross)", low - tare, high - tare


def _sensor_bounds(channel: InputChannel) -> Iterator[tuple[str, float, float]]:
    sensor = channel.sensor
    if sensor.capacity is not None:
        yield f"the capacity of the sensor of {channel.name}", -sensor.capacity - sensor.tare, sensor.capacity - sensor.tare
    yield f"what the input {channel.name} can show at a range of {channel.range:g} V", *channel.ends
