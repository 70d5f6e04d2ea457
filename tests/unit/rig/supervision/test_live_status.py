"""Where a running test is: newest values of every channel, also of instruments that are read one after the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.config.bench import Bench
from rig.config.experiment import Experiment, Limit
from rig.config.plan import Plan
from rig.streaming.ring import RingWriter
from rig.supervision.live_status import LiveStatus
from rig.trajectory import sine


def test_values_are_the_newest_and_a_reading_stays_until_the_next_one(tmp_path: Path) -> None:
    trajectory = sine.Config(amplitude=1.0, frequency=1.0, cycles=7)
    limits = (Limit(channel="oil", maximum=60.0, action="indicate"),)
    experiment = Experiment(title="", mechanism=None, trajectory=trajectory, integrator=None, limits=limits)
    plan = Plan("0001-test", tmp_path, tmp_path, experiment, Bench(title="", daq=None, loader=None, channels=()), "", "")
    status = LiveStatus(plan)
    measured = RingWriter.create(plan.streams["measured"], ["force", "dead"], ["N", "N"], 100, 1000.0)
    read = RingWriter.create(plan.streams["instruments"], ["sample", "oil", "room"], ["1", "degC", "degC"], 100, 10.0)
    assert status.fields("starting", {}, None, [])["channels"] == {}
    measured.append(np.array([[1.0, 5.0], [2.0, np.nan]]))
    read.append(np.array([[3.0, 41.5, np.nan], [4.0, np.nan, 21.0]]))
    channels = status.fields("running", {}, None, [])["channels"]
    assert channels == {
        "force": {"unit": "N", "value": 2.0, "low": None, "high": None},
        "dead": {"unit": "N", "value": None, "low": None, "high": None},  # not what it was before
        "oil": {"unit": "degC", "value": 41.5, "low": None, "high": 60.0},
        "room": {"unit": "degC", "value": 21.0, "low": None, "high": None},
    }
    status.close()
    measured.close()
    read.close()
