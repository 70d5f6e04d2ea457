"""What is to be kept of the record."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import InputChannel
from rig.config.experiment import Experiment
from rig.config.pairing import meant
from rig.config.tree import Problem
from rig.trajectory import create


def problems(experiment: Experiment, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    record = experiment.record
    for name in record.snapshots.channels:
        if name not in channels:
            text = f"the bench has no channel {name!r}; it has {', '.join(channels)}{meant(name, channels)}"
            yield Problem(("record", "snapshots", "channels"), text)
    if record.samples == "snapshots" and create(experiment.trajectory).cycles == 0:
        yield Problem(("record", "samples"), 'the trajectory counts no cycles, so there are none to choose from; expected "all"')
