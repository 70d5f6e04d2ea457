"""Accelerometers that feel gravity, of channels that are predicted: the mechanism must know which way is down."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.config.tree import Problem


def of_bench(bench: Bench, experiment: Experiment) -> Iterator[Problem]:
    """Problems of the bench, under this experiment."""
    predicted = {name for name, _ in experiment.mechanism.channels}
    for i, channel in enumerate(bench.channels):
        if not channel.sensor.feels_gravity or channel.quantity not in predicted:
            continue
        at, tare = ("channels", i, "sensor", "feels_gravity"), channel.sensor.tare
        if channel.unit != "m/s^2":
            yield Problem(at, f"expected an accelerometer, in m/s^2, got a sensor in {channel.unit}; leave feels_gravity out")
        elif not experiment.mechanism.weighs(channel.quantity):
            kind = kind_of(experiment.mechanism)
            yield Problem(at, f"{kind} does not say which way is down; leave it out, and put what it shows at rest into offset")
        elif tare:
            yield Problem(at, f"{channel.name} is tared ({tare:.4g} m/s^2), which takes the weight out as well; `rig tare --clear` first")
