"""Exudyn's 3-RRPaR: that its models are those of ours, as near as elements allow. Without Exudyn there is nothing to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rig.benchmark.case import Case, Run
from rig.benchmark.cases import CASES
from rig.benchmark.own import Own
from rig.benchmark.peers import (
    PeerMissing,
    exudyn_grid,
    exudyn_parallel_flexible,
    exudyn_parallel_flexible_cable,
    exudyn_parallel_rigid,
)
from rig.benchmark.peers.exudyn_parallel import path_of
from rig.benchmark.peers.exudyn_runs import ExudynRun, load

PLACES = ("x", "y", "z")
STEP = "integrator.step=1e-3"


def case_of(name: str, duration: float, *conditions: str) -> Case:
    (found,) = [case for case in CASES if case.name == name]
    return replace(found, duration=duration, conditions=(*found.conditions, *conditions))


def apart(run: Run, other: Run) -> dict[str, float]:
    """Largest differences after the start, where Exudyn has no joint forces yet, at the first run's samples."""
    at = np.rint(run.times[1:] / other.times[1]).astype(int)
    assert np.allclose(other.times[at], run.times[1:])
    return {name: float(np.max(np.abs(run.values[name][1:] - other.values[name][at]))) for name in run.values}


@pytest.mark.peers
@pytest.mark.parametrize("peer", [exudyn_parallel_flexible, exudyn_parallel_flexible_cable])
def test_flexible_bars_carry_the_platform_where_ours_do(peer: Any) -> None:
    """Bars give way by half a micrometre; the two programs agree a hundred times closer than that."""
    case = case_of("parallel_flexible", 0.03)
    own = Own(case, ("integrator.kind=generalized_alpha", STEP))
    ours, experiment = own.run(), own.experiment
    first = peer.runners(experiment, case.duration, 1e-3, False)[0]
    found = first.run()
    path = path_of(experiment, case.duration).evaluate(ours.times)[0]
    given_way = max(float(np.max(np.abs(ours.values[name] - path[:, k]))) for k, name in enumerate(PLACES))
    differences = apart(found, ours)
    print(f"{first.program}: {differences}; bars give way by {given_way:.2e} m")
    assert 2e-7 < given_way < 2e-6
    assert max(differences[name] for name in PLACES) < 0.01 * given_way
    assert differences["r3_force"] < 2e-3 * np.max(ours.values["r3_force"])


def rigid(experiment: Any, step: float, duration: float) -> Run:
    path, setting = path_of(experiment, duration), exudyn_grid.Setting("GeneralizedAlpha", step, locate=False)
    return ExudynRun(
        load(), lambda module: exudyn_parallel_rigid.build(module, experiment.mechanism, path), setting, duration, max(step, 1e-4)
    ).run()


@pytest.mark.peers
def test_rigid_bars_and_ideal_joints_are_on_the_path() -> None:
    case = case_of("parallel_rigid", 0.1, "mechanism.clearance=0")
    experiment = Own.experiment_of(case, ())
    found = rigid(experiment, 1e-3, case.duration)
    path = path_of(experiment, case.duration).evaluate(found.times)[0]
    off = float(np.max(np.abs(np.column_stack([found.values[name] for name in PLACES]) - path)))
    print(f"off the path by {off:.1e} m")
    assert len(found.times) == 101 and off < 1e-12


@pytest.mark.peers
def test_pins_knock_as_ours_do_the_more_so_the_shorter_the_step() -> None:
    """Up to 8 ms, in which both pins touch; knocks that follow each other are not repeatable in any program."""
    case = case_of("parallel_rigid", 8e-3)
    own = Own(case, ("integrator.tolerance=1e-10",))
    ours = own.run()
    ideal = path_of(own.experiment, case.duration).evaluate(ours.times)[0][:, 0]
    worst = [max(apart(rigid(own.experiment, step, case.duration), ours)[name] for name in PLACES) for step in (5e-5, 1e-5)]
    print(f"apart by {worst} m; pins moved by {np.max(np.abs(ours.values['x'] - ideal)):.1e} m")
    assert np.max(np.abs(ours.values["x"] - ideal)) > 2e-5
    assert worst[1] < 0.2 * worst[0] and worst[1] < 5e-7


@pytest.mark.peers
@pytest.mark.parametrize(
    ("name", "conditions", "said"),
    [
        ("parallel_rigid", ("trajectory.blend=on",), "trajectory.blend"),
        ("parallel_flexible", ("mechanism.platform.motion=free",), "platform.motion"),
        ("parallel_flexible", ("mechanism.clearance=0.1 mm",), "mechanism.clearance"),
    ],
)
def test_what_its_models_do_not_have_is_told(name: str, conditions: tuple[str, ...], said: str) -> None:
    case = case_of(name, 0.01, *conditions)
    peer = exudyn_parallel_rigid if name == "parallel_rigid" else exudyn_parallel_flexible
    with pytest.raises(PeerMissing, match=said):
        peer.runners(Own.experiment_of(case, ()), case.duration, 1e-3, True)


def test_no_setting_is_listed_twice() -> None:
    for grid in (exudyn_grid.PARALLEL_RIGID, exudyn_grid.PARALLEL_FLEXIBLE, exudyn_grid.PARALLEL_FLEXIBLE_CONVERGED):
        assert len(set(grid)) == len(grid)
