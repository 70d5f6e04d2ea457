"""Every case that is measured beside another program: that program runs it, and finds what ours does."""

from __future__ import annotations

import importlib
from dataclasses import replace

import numpy as np
import pytest

from rig.benchmark.case import Case
from rig.benchmark.cases import CASES
from rig.benchmark.own import Own

SHORT = 0.03  # s
APART = 0.05  # of the range of what ours finds: another program with a coarse step
PAIRS = [(case, peer) for case in CASES for peer in case.peers]


@pytest.mark.peers
@pytest.mark.parametrize(("case", "peer"), PAIRS, ids=[f"{case.name}, {peer}" for case, peer in PAIRS])
def test_a_peer_finds_what_ours_does(case: Case, peer: str) -> None:
    short = replace(case, duration=min(case.duration, SHORT), rate=max(case.rate, 1e4))
    ours = Own(short, short.reference)
    found, experiment = ours.run(), ours.experiment
    other = importlib.import_module(f"rig.benchmark.peers.{peer}").runners(experiment, short.duration, 1.0 / short.rate, True)[-1].run()
    metric = short.metrics[0]
    mine = np.interp(other.times, found.times, found.values[metric.channel])  # ours is sampled closely
    apart = float(np.max(np.abs(other.values[metric.channel] - mine)))
    assert apart < APART * float(np.ptp(mine)), (apart, float(np.ptp(mine)))
