"""No two frames are alike: what the seed perturbs, by how much, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.parameters import contact_stiffness, draw
from rig.virtual.plants.surfaces import CONTACT_COLUMNS, Surfaces
from tests.each_row import each_row

CONFIG = Config()
DRAWING = draw(replace(CONFIG, perturb=False), 0)
NORMAL = ("m1", "m2", "m3", "k_f", "k_oil", "stiffness_a", "stiffness_b", "k_0", "v_max")
UNIFORM = ("restitution", "play_a", "play_b")
MADE = ("contact_a", "contact_b")
"""Of the others."""
MANY = np.concatenate([draw(CONFIG, seed) for seed in range(2000)])


@each_row("name", NORMAL)
def test_two_percent_clipped_at_two_standard_deviations(name):
    share = MANY[name] / DRAWING[name] - 1
    assert np.abs(share).max() == pytest.approx(0.04, rel=1e-9)
    assert np.std(share[np.abs(share) < 0.04 - 1e-12]) == pytest.approx(0.02 * 0.8796, rel=0.05)  # normal cut at two sigma
    assert abs(share.mean()) < 0.0015


def test_independent():
    share = np.array([MANY[name] for name in (*NORMAL, *UNIFORM)])
    assert np.all(np.abs(np.corrcoef(share) - np.eye(len(share))) < 0.1)


def test_restitution_and_clearance_are_uniform():
    restitution = MANY["restitution"]
    assert (restitution.min(), restitution.max()) == pytest.approx((0.68, 0.72), abs=1e-3)
    for name in ("play_a", "play_b"):
        clearance = 2 * MANY[name]
        assert (clearance.min(), clearance.max()) == pytest.approx((398e-6, 402e-6), abs=0.05e-6)


def test_the_rest_stays():
    untouched = [name for name in MANY.dtype.names if name not in (*NORMAL, *UNIFORM, *MADE)]
    assert len(untouched) > 15
    for name in untouched:
        assert np.all(MANY[name] == DRAWING[name])


@given(st.integers(0, 2**31))
def test_a_joint_without_clearance_stays_without_and_restitution_within_one(seed):
    individual = draw(replace(CONFIG, clearance=0.0, contact=Surfaces(restitution=1.0)), seed)
    assert individual["play_a"] == individual["play_b"] == 0.0
    assert 0.98 <= individual["restitution"] <= 1.0


def test_contact_stiffness_of_the_pin():
    """Values worked out by hand for 0.2 and 0.4 mm."""
    assert contact_stiffness(CONFIG, 0.2e-3) == pytest.approx(2.28229509689e11, rel=1e-9)
    assert contact_stiffness(CONFIG, 0.4e-3) == pytest.approx(1.61916131734e11, rel=1e-9)


def test_the_contacts_are_those_of_the_individual():
    one = draw(CONFIG, 3)[0]
    assert one["contact_a"].shape == (CONTACT_COLUMNS,)
    for side in ("a", "b"):
        expected = CONFIG.contact.columns(float(one[f"stiffness_{side}"]), 1.5, float(one["restitution"]), (0.0, 0.0, 1.0))
        np.testing.assert_array_equal(one[f"contact_{side}"], expected)
