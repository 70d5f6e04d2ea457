"""No two frames are alike: what the seed perturbs, by how much, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.kernel import joint_force
from rig.virtual.plants.servo_frame.parameters import contact_stiffness, damping_factor, draw

CONFIG = Config()
DRAWING = draw(replace(CONFIG, perturb=False), 0)
NORMAL = ("m1", "m2", "m3", "k_f", "k_oil", "stiffness_a", "stiffness_b", "k_0", "v_max")
UNIFORM = ("damping", "play_a", "play_b")
MANY = np.concatenate([draw(CONFIG, seed) for seed in range(2000)])


@pytest.mark.parametrize("name", NORMAL)
def test_two_percent_clipped_at_two_standard_deviations(name):
    share = MANY[name] / DRAWING[name] - 1
    assert np.abs(share).max() == pytest.approx(0.04, rel=1e-9)
    assert np.std(share[np.abs(share) < 0.04 - 1e-12]) == pytest.approx(0.02 * 0.8796, rel=0.05)  # normal cut at two sigma
    assert abs(share.mean()) < 0.0015


def test_independent():
    share = np.array([MANY[name] for name in (*NORMAL, *UNIFORM)])
    assert np.all(np.abs(np.corrcoef(share) - np.eye(len(share))) < 0.1)


def test_restitution_and_clearance_are_uniform():
    restitution = 1.5 / (MANY["damping"] + 1.5)
    assert (restitution.min(), restitution.max()) == pytest.approx((0.68, 0.72), abs=1e-3)
    for name in ("play_a", "play_b"):
        clearance = 2 * MANY[name]
        assert (clearance.min(), clearance.max()) == pytest.approx((398e-6, 402e-6), abs=0.05e-6)


def test_the_rest_stays():
    untouched = [name for name in MANY.dtype.names if name not in (*NORMAL, *UNIFORM)]
    assert len(untouched) > 15
    for name in untouched:
        assert np.all(MANY[name] == DRAWING[name])


@given(st.integers(0, 2**31))
def test_a_joint_without_clearance_stays_without_and_restitution_within_one(seed):
    individual = draw(replace(CONFIG, clearance=0.0, restitution=1.0), seed)
    assert individual["play_a"] == individual["play_b"] == 0.0
    assert individual["damping"] >= 0.0


def test_contact_stiffness_of_the_pin():
    """Values worked out by hand for 0.2 and 0.4 mm."""
    assert contact_stiffness(CONFIG.specimen, 0.2e-3) == pytest.approx(2.28229509689e11, rel=1e-9)
    assert contact_stiffness(CONFIG.specimen, 0.4e-3) == pytest.approx(1.61916131734e11, rel=1e-9)


@given(
    u=st.floats(-3e-4, 3e-4),
    rate=st.floats(-1.0, 1.0),
    latch=st.floats(1e-3, 1.0),
)
def test_a_joint_pushes_only_and_acts_alike_on_both_sides(u, rate, latch):
    p = DRAWING[0]
    force, kept = joint_force(u, rate, 2e-4, 1.6e11, p, latch)
    mirrored, kept_too = joint_force(-u, -rate, 2e-4, 1.6e11, p, latch)
    assert force * u >= 0.0
    assert (mirrored, kept_too) == (-force, kept)
    if abs(u) <= 2e-4:
        assert (force, kept) == (0.0, 0.0)


def test_the_approach_speed_is_latched_at_touch_and_floored():
    p = DRAWING[0]
    assert joint_force(2.001e-4, 0.3, 2e-4, 1.6e11, p, 0.0)[1] == 0.3
    assert joint_force(2.001e-4, 0.1, 2e-4, 1.6e11, p, 0.3)[1] == 0.3
    assert joint_force(-2.001e-4, -1e-6, 2e-4, 1.6e11, p, 0.0)[1] == p["approach_floor"]


@pytest.mark.parametrize("restitution", [0.3, 0.7, 0.9])
def test_an_impact_gives_back_what_the_law_says(restitution):
    """One mass against a joint: a (1 + e_out) = ln[(1 + a) / (1 - a e_out)], whatever K, m and v0."""
    p = draw(replace(CONFIG, restitution=restitution, perturb=False), 0)[0]
    u, v, latch, mass, step = 2e-4, 0.2, 0.0, 3.0, 1e-8
    while True:
        force, latch = joint_force(u + 1e-15, v, 2e-4, float(p["stiffness_a"]), p, latch)
        v -= step * force / mass
        u += step * v
        if u <= 2e-4:
            break
    e, a = -v / 0.2, damping_factor(restitution)
    assert a * (1 + e) == pytest.approx(np.log((1 + a) / (1 - a * e)), rel=1e-3)
