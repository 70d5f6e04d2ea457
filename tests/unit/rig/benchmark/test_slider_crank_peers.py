"""MuJoCo and Drake on the rigid slider-crank: by forces of ours that go into their mechanism they find our motion, and no other one's."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from model.mechanisms.slider_crank.config import Config
from rig.benchmark.case import Case
from rig.benchmark.cases import CASES
from rig.benchmark.measuring import FINE, Reference
from rig.benchmark.own import Own
from rig.benchmark.peers import mujoco_slider_crank

CASE = replace(next(case for case in CASES if case.name == "slider_crank_rigid"), duration=1e-3)  # with its first impacts
NEAR = 2e-4
"""m/s, by the last setting but one of each; impacts change speeds by some m/s."""


def error(module: ModuleType, case: Case) -> float:
    """Of slider_velocity, m/s, against our converged run of CASE."""
    experiment = Own.experiment_of(case, case.reference)
    run = module.runners(experiment, case.duration, 1.0 / case.rate, False)[-2].run()
    return Reference.own(CASE, FINE).error(run, CASE.metrics[0])


@pytest.mark.peers
@pytest.mark.parametrize("peer", ["mujoco", "drake"])
def test_it_finds_our_motion_and_not_that_of_another_restitution(peer: str) -> None:
    module = importlib.import_module(f"rig.benchmark.peers.{peer}_slider_crank")
    other = replace(CASE, conditions=(*CASE.conditions, "mechanism.contact.restitution=0.88"))
    assert error(module, CASE) < NEAR
    assert error(module, other) > 50 * NEAR


@pytest.mark.peers
@pytest.mark.parametrize("peer", ["mujoco", "drake"])
def test_friction_that_it_is_not_given_is_refused(peer: str) -> None:
    module = importlib.import_module(f"rig.benchmark.peers.{peer}_slider_crank")
    rubbing = Own.experiment_of(CASE, (*CASE.reference, "mechanism.friction=0.03"))
    with pytest.raises(ValueError, match="expected friction = 0"):
        module.runners(rubbing, 1e-3, 1e-5, False)


@pytest.mark.peers
def test_a_run_that_mujoco_warns_of_ends_there_and_leaves_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    experiment = Own.experiment_of(CASE, CASE.reference)
    steps = {
        parts: mujoco_slider_crank.MujocoRun(mujoco_slider_crank.load(), experiment.mechanism_as(Config), "RK4", parts, 2e-3, 1e-3)
        for parts in (1, 1000)
    }
    assert {parts: len(run.run().times) for parts, run in steps.items()} == {1: 2, 1000: 3}
    assert not list(tmp_path.iterdir())
