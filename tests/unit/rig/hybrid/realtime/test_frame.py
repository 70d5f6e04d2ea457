"""The frame and the control plant against what is published of them, and against scipy's own simulation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.signal import lsim

from rig.hybrid.realtime import sampling
from rig.hybrid.realtime.floors import undivided
from rig.hybrid.realtime.frame import CASES, Partition, continuous, lateral_stiffness, reference
from rig.hybrid.realtime.transfer_system import DISPLACEMENT, TransferSystem

PRINTED = 1e7 * np.array([[2.6055, -2.3134, 0.5937], [-2.3134, 3.2561, -1.4420], [0.5937, -1.4420, 0.9267]])
"""N/m, as FermandoisLab/RobustAMBCvRTHS, AMB_L_1_vRTHS.m, has it."""
RATE = 4096.0


def test_the_condensed_frame_has_the_published_stiffness() -> None:
    assert np.abs(lateral_stiffness() - PRINTED).max() <= 0.5e3  # its last digit


def test_the_damping_is_that_of_the_package() -> None:
    """Case_1.mat and Case_3.mat; the package rounds the frequencies that it begins from to 0.01 rad/s."""
    printed = {1: (14084.2757, -7873.0315, 7223.1013), 3: (9635.0144, -5386.0258, 4941.2988)}
    for case, (first, between, third) in printed.items():
        damping = reference(CASES[case]).damping
        assert [damping[0, 0], damping[0, 1], damping[2, 2]] == pytest.approx([first, between, third], rel=1e-4)


def test_what_is_computed_and_what_is_on_the_rig_are_the_whole() -> None:
    partition = Partition(reference(CASES[2]))
    n, s, at = partition.numerical, partition.specimen, (0, 0)
    assert n.mass[at] + s.mass == pytest.approx(1100.0)
    assert n.stiffness[at] + s.stiffness == pytest.approx(partition.whole.stiffness[at])
    assert s.damping == pytest.approx(114.6, rel=5e-3)  # section 2.4


def test_a_step_on_one_mass_is_the_closed_form() -> None:
    w, zeta = 2.0 * np.pi * 3.6, 0.05
    a, b = sampling.held(np.array([[0.0, 1.0], [-w * w, -2.0 * zeta * w]]), np.array([0.0, 1.0]), 1.0 / RATE)
    x = np.zeros(2)
    for _ in range(2000):
        x = a @ x + b
    t, wd = 2000 / RATE, w * np.sqrt(1.0 - zeta**2)
    exact = (1.0 - np.exp(-zeta * w * t) * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))) / w**2
    assert x[0] == pytest.approx(exact, rel=1e-9)


def test_the_undivided_structure_is_that_of_scipy() -> None:
    ground = np.random.default_rng(3).standard_normal(4097)
    whole = reference(CASES[1])
    a, b = continuous(whole)
    _, y, _ = lsim((a, b[:, None], np.eye(6), np.zeros((6, 1))), ground, np.arange(4097) / RATE)
    assert undivided(whole, ground, RATE) == pytest.approx(y[:-1, :3], abs=1e-9 * np.abs(y[:, :3]).max())


def test_the_plant_is_its_block_diagram() -> None:
    """Blocks put together as transfer functions, against the polynomial and the state space."""
    p, s = TransferSystem(a3=4.0), Polynomial([0.0, 1.0])
    specimen = Polynomial([p.specimen.stiffness, p.specimen.damping, p.specimen.mass])
    valve = Polynomial([p.b2, p.b1, 1.0])
    actuator_loop = specimen * (s + p.a3) + p.a2 * s
    whole = (valve * actuator_loop + p.a1_b0) / (p.gain * p.a1_b0)
    assert p.denominator() == pytest.approx(whole.coef, rel=1e-12)
    a, b = p.continuous()
    for hertz in (0.5, 3.6, 16.0, 38.0):
        w = 2j * np.pi * hertz
        response = np.linalg.solve(w * np.eye(5) - a, b)[DISPLACEMENT]
        assert response == pytest.approx(1.0 / whole(w), rel=1e-9)


def test_perturbed_plants_spread_as_published() -> None:
    generator = np.random.default_rng(1)
    drawn = [TransferSystem().perturbed(generator) for _ in range(4000)]
    assert np.std([one.specimen.stiffness for one in drawn]) == pytest.approx(50e3, rel=0.05)  # Table 2
    assert np.std([one.b2 for one in drawn]) == pytest.approx(3.3e3, rel=0.05)
    assert np.std([one.b1 for one in drawn]) == pytest.approx(3.3, rel=0.05)
    assert np.mean([one.a3 for one in drawn]) == pytest.approx(3.3, abs=0.1)
    assert min(one.a3 for one in drawn) > 0.0
