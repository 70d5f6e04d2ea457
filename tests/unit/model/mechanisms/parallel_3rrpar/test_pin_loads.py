"""What the pins of the 3-RRPaR press with, and the steps that are refused for it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from model.errors import ModelError
from model.integrators import dop853, generalized_alpha, rk4
from model.mechanisms import parallel_3rrpar, parallel_3rrpar_flexible
from model.mechanisms.parallel_3rrpar import pin_loads as pressing
from model.paths import trajectory_1

PATH = trajectory_1.Config(blend="off").create()
CONFIG = parallel_3rrpar.Config()


def test_the_force_is_that_of_ideal_joints_and_grows_with_the_payload() -> None:
    assert pressing.force(CONFIG, PATH, 2.0) == pytest.approx(28.58, abs=0.01)
    heavy, twice = (pressing.force(replace(CONFIG, platform=parallel_3rrpar.config.Platform(mass=mass)), PATH, 2.0) for mass in (1e3, 2e3))
    assert heavy > 400.0 * 28.58
    assert twice == pytest.approx(2.0 * heavy, rel=1e-3)


def test_the_period_is_that_of_a_pin_pressed_into_its_bush() -> None:
    """By differences of F = K delta^n at the depth that bears the force."""
    stiffness, n, pressed = parallel_3rrpar.config.contact_stiffness(CONFIG), CONFIG.contact.exponent, 20.0
    depth = (pressed / stiffness) ** (1.0 / n)
    away = 1e-5 * depth
    slope = stiffness * ((depth + away) ** n - (depth - away) ** n) / (2.0 * away)
    assert pressing.vibration(CONFIG, pressed) == pytest.approx(np.sqrt(slope * pressing.lightness(CONFIG)), rel=1e-6)


@pytest.mark.parametrize(
    "changed",
    [
        {"clearance": 1e-9},
        {"platform": parallel_3rrpar_flexible.config.Platform(mass=0.01)},
        {"contact": parallel_3rrpar.config.Contact(stiffness_scale=1e3)},
    ],
)
def test_the_step_that_a_refusal_advises_is_accepted(changed: dict[str, object]) -> None:
    """None of these is that of the shipped mechanism, for which 1e-4 s would do."""
    config = replace(parallel_3rrpar_flexible.Config(bars=parallel_3rrpar_flexible.config.Bars(formulation="reduced")), **changed)

    def create(step: float) -> object:
        return config.create(generalized_alpha.Config(step=step), 1e3, path=PATH, lasting=0.7)

    with pytest.raises(ModelError, match="too large for the contact: pins that press with") as refused:
        create(5e-4)
    create(float(re.findall(r"([0-9.e-]+) s follows it well", str(refused.value))[0]))


def test_a_fixed_step_has_to_bear_knocks_and_one_far_below_that_is_told() -> None:
    def create(step: float) -> parallel_3rrpar.Config:
        return replace(CONFIG, clearance=0.5e-3).create(rk4.Config(step=step), 1e3, path=PATH, lasting=0.7)

    with pytest.raises(ModelError, match="above what this method bears") as refused:
        create(4.1e-5)
    limit = float(re.findall(r"bears, ([0-9.e-]+) s", str(refused.value))[0])
    assert 1.9e-5 < limit < 2.5e-5
    assert create(0.9 * limit).remarks == ()
    assert f"up to {limit:.2g} s is stable" in create(1e-6).remarks[0]
    assert CONFIG.create(dop853.Config(), 1e3, path=PATH, lasting=0.7).remarks == ()


def test_a_wide_clearance_is_told_and_a_usual_one_is_not() -> None:
    for module, method in ((parallel_3rrpar, dop853.Config()), (parallel_3rrpar_flexible, generalized_alpha.Config(step=1e-5))):
        made = [module.Config(clearance=gap).create(method, 1e3, path=PATH, lasting=0.01) for gap in (0.1e-3, 2e-3)]
        assert not any("clearance" in remark for remark in made[0].remarks)
        assert any("2 mm is 27% of the bush's radius, which leaves a pin of 5.5 mm" in remark for remark in made[1].remarks)


def test_a_path_that_cannot_be_followed_is_told_with_the_remedy() -> None:
    far = trajectory_1.Config(radius=0.9).create()
    with pytest.raises(ModelError, match=r"^trajectory: leg \d cannot reach .*; move the path or make it smaller$"):
        CONFIG.create(dop853.Config(), 1e3, path=far, lasting=0.1)
    slow = replace(CONFIG, joint_speed_limit=0.1)
    with pytest.raises(ModelError, match=r"^trajectory: arm \d would turn .*; lower trajectory.frequency, or raise the limit$"):
        slow.create(dop853.Config(), 1e3, path=PATH, lasting=0.1)
