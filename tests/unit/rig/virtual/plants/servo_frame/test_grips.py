"""Joints that rub and grips that give way in the virtual frame: each against its closed form; at 0 every bit is as it was."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame import kernel
from rig.virtual.plants.servo_frame.parameters import draw
from rig.virtual.plants.servo_frame.settings import Hydraulics, Specimen

H = 1e-6
PLAY = 0.2e-3
"""m, half of a joint's."""


def moved(specimen: Specimen, force: float, seconds: float, start: dict[str, float] | None = None, restitution: float = 0.7) -> np.ndarray:
    """State after each step from rest in the middle of the play, under a constant force (N) of the oil on the piston."""
    hydraulics = Hydraulics(seal_damping=0.0)
    p = draw(Config(perturb=False, specimen=specimen, hydraulics=hydraulics, restitution=restitution), 0)
    s = np.zeros(1, kernel.STATE)
    s["f_h"] = force
    for name, value in (start or {}).items():
        s[name] = value
    found = np.zeros(round(seconds / H), kernel.STATE)
    for n in range(len(found)):
        kernel.move(s[0], p[0])
        found[n] = s[0]
    return found


def test_a_joint_that_rubs_holds_until_it_is_pulled_by_more_then_takes_that_much() -> None:
    """The middle link hangs between two equal frictions; the lower one goes by (F - R)/m."""
    rubs = Specimen(pin_friction=40.0)
    held = moved(rubs, 30.0, 5e-3)
    assert np.max(np.abs(held["x3"])) < 30.0 * 1.01 / 1.5e8 * 2.0  # the fixture gives way, no joint slides
    slides = moved(rubs, 100.0, 0.015)
    assert slides["x3"][-1] == pytest.approx(0.5 * (100.0 - 40.0) / 60.0 * 0.015**2, rel=1e-3)
    free = moved(Specimen(), 100.0, 0.015)
    assert free["x3"][-1] == pytest.approx(0.5 * 100.0 / 60.0 * 0.015**2, rel=1e-3)


def test_the_middle_link_is_braked_by_both_of_its_joints_and_stays() -> None:
    """m v^2/4R, to rest in v m/2R."""
    thrown = moved(Specimen(pin_friction=40.0, upper_mass=6e4, lower_mass=6e4), 0.0, 5e-3, {"v2": 0.1})
    stops = 0.1 * 3.0 / 80.0
    assert thrown["x2"][-1] == pytest.approx(0.5 * 0.1 * stops, rel=1e-3)
    assert thrown["v2"][round(0.98 * stops / H)] > 1e-3 and abs(thrown["v2"][-1]) < 1e-5


def test_a_link_swings_in_its_grip_as_two_masses_on_a_spring() -> None:
    """F/m_p/w^2 (1 - cos w t), w^2 = k/m of both together; and their middle goes as one body."""
    k, share, force = 5e6, 0.4, 1000.0
    soft = moved(Specimen(grip_stiffness=k, grip_damping_ratio=0.0, gripped_share=share), force, 3e-3)
    link, piston = share * 60.0, (1.0 - share) * 60.0
    omega = math.sqrt(k * (1.0 / link + 1.0 / piston))
    t = H * np.arange(1, len(soft) + 1)
    assert omega * t[-1] > 1.5
    expected = force / piston / omega**2 * (1.0 - np.cos(omega * t))
    assert soft["x3"] - soft["x6"] == pytest.approx(expected, rel=0.0, abs=3e-3 * np.max(expected))
    assert (link * soft["x6"] + piston * soft["x3"])[-1] == pytest.approx(0.5 * force * t[-1] ** 2, rel=1e-2)
    stiffer = moved(Specimen(grip_stiffness=1.2 * k, grip_damping_ratio=0.0, gripped_share=share), force, 3e-3)
    assert np.max(np.abs(stiffer["x3"] - stiffer["x6"] - expected)) > 0.03 * np.max(expected)


def test_grips_that_give_way_keep_the_energy_that_they_have() -> None:
    """Without damping, and with contacts that give back all."""
    k, v = 2e7, 0.05
    specimen = Specimen(grip_stiffness=k, grip_damping_ratio=0.0, frame_damping=0.0)
    found = moved(specimen, 0.0, 0.03, {"v3": v, "v6": v}, restitution=1.0)
    kinetic = 15.0 * (found["v1"] ** 2 + found["v3"] ** 2 + found["v5"] ** 2 + found["v6"] ** 2) + 1.5 * found["v2"] ** 2
    springs = 0.5 * k * ((found["x5"] - found["x1"]) ** 2 + (found["x3"] - found["x6"]) ** 2) + 0.75e8 * found["x1"] ** 2
    apart = (np.abs(found["x2"] - found["x5"]) < PLAY) & (np.abs(found["x6"] - found["x2"]) < PLAY)
    late = apart & (H * np.arange(len(found)) > 0.02)
    assert np.any(late) and np.ptp(found["x1"]) > 1e-6
    assert (kinetic + springs)[late] == pytest.approx(0.5 * 60.0 * v**2, rel=0.01)


def test_grips_that_cushion_make_an_impact_lower_and_longer() -> None:
    """As the paper saw on its test and not in its simulation; the rigid specimen is the control."""
    hits = {k: moved(Specimen(grip_stiffness=k), 0.0, 0.02, {"v3": 0.05, "v6": 0.05})["f_tr"] for k in (0.0, 2e7)}
    peak = {k: float(np.max(force)) for k, force in hits.items()}
    lasts = {k: float(np.sum(force > 0.5 * peak[k]) * H) for k, force in hits.items()}
    assert peak[0.0] > 1e3
    assert peak[2e7] < 0.8 * peak[0.0] and lasts[2e7] > 1.3 * lasts[0.0]


def test_a_grip_too_stiff_for_its_step_is_refused() -> None:
    with pytest.raises(ValueError, match=r"specimen\.grip_stiffness: expected at most"):
        replace(Config(), specimen=Specimen(grip_stiffness=1e13))
