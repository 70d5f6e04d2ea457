"""A beam that carries masses, against closed forms of beams and rods, against its own energy, and as a body."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigh

from rig.virtual.plants.motor_rig import lumped_bar as bar

LENGTH, EA, EI, MASS = 0.64, 116e9 * 0.016**2, 116e9 * 0.016**4 / 12.0, 0.2785
P = bar.parameters(LENGTH, EA, EI, 0.0)
STRAIGHT = np.outer(np.arange(5) / 4.0, [LENGTH, 0.0, 0.0])
MASSES = MASS * np.array(bar.SHARES)
RNG = np.random.default_rng(5)


def forces(points, rates=None, p=P):
    """((5, 3) N, lost W) at places and rates."""
    w = np.zeros(bar.ROOM)
    w[bar.X : bar.X + 15], w[bar.V : bar.V + 15] = points.ravel(), 0.0 if rates is None else rates.ravel()
    lost = bar.strain(w, p)
    return w[bar.F : bar.F + 15].reshape(5, 3), lost


def stiffness(points):
    """(15, 15) by central differences of the forces."""
    h = 1e-7
    return np.column_stack([(forces(points - e)[0] - forces(points + e)[0]).ravel() / (2.0 * h) for e in h * np.eye(15).reshape(15, 5, 3)])


def test_its_mass_and_moments_are_those_of_a_uniform_bar():
    along = STRAIGHT[:, 0]
    assert MASSES.sum() == pytest.approx(MASS)
    assert MASSES @ along == pytest.approx(0.5 * MASS * LENGTH)
    assert MASSES @ along**2 == pytest.approx(MASS * LENGTH**2 / 3.0)


def test_it_bends_and_stretches_as_beams_do():
    """Simply supported with a force in the middle: F L^3/48 EI; pulled: F L/EA (Timoshenko)."""
    k = stiffness(STRAIGHT)
    middle = np.array([3 * 1 + 1, 3 * 2 + 1, 3 * 3 + 1])
    sag = np.linalg.solve(k[np.ix_(middle, middle)], [0.0, 1.0, 0.0])
    assert sag[1] == pytest.approx(LENGTH**3 / (48.0 * EI), rel=1e-6)
    along = np.array([3, 6, 9, 12])
    assert np.linalg.solve(k[np.ix_(along, along)], [0.0, 0.0, 0.0, 1.0])[-1] == pytest.approx(LENGTH / EA, rel=1e-6)


def test_its_first_modes_are_those_of_a_pinned_beam_and_of_a_rod_held_at_one_end():
    """To a fifth of what specimens' moduli spread by, 1 %, which enters by its root."""
    k = stiffness(STRAIGHT)
    across, along = np.array([4, 7, 10]), np.array([3, 6, 9, 12])
    first = math.sqrt(eigh(k[np.ix_(across, across)], np.diag(MASSES[1:4]), eigvals_only=True)[0])
    assert first == pytest.approx((math.pi / LENGTH) ** 2 * math.sqrt(EI * LENGTH / MASS), rel=2e-3)
    stretching = math.sqrt(eigh(k[np.ix_(along, along)], np.diag(MASSES[1:]), eigvals_only=True)[0])
    assert stretching == pytest.approx(0.5 * math.pi * math.sqrt(EA / (MASS * LENGTH)), rel=1e-2)


def test_forces_are_the_slope_of_the_energy_wherever_it_is():
    """And so leave a bar that moves as a body alone, and balance with all their moments."""
    turn = np.linalg.qr(RNG.standard_normal((3, 3)))[0]
    points = STRAIGHT @ turn.T + 0.3 + 1e-4 * RNG.standard_normal((5, 3))
    found, h = forces(points)[0], 1e-8
    moves = h * np.eye(15).reshape(15, 5, 3)
    slope = np.array([(bar.stored(points - e, P) - bar.stored(points + e, P)) / (2.0 * h) for e in moves]).reshape(5, 3)
    assert found == pytest.approx(slope, abs=1e-5 * np.abs(found).max())
    assert np.abs(found.sum(axis=0)).max() < 1e-9 * np.abs(found).max()
    assert np.abs(np.cross(points, found).sum(axis=0)).max() < 1e-9 * np.abs(found).max()


def test_it_loses_what_its_damping_takes():
    """To first order in strain: the power of the forces that rates add."""
    p = bar.parameters(LENGTH, EA, EI, 1e-5)
    rates = RNG.standard_normal((5, 3))
    added, lost = forces(STRAIGHT, rates, p)[0] - forces(STRAIGHT, None, p)[0], forces(STRAIGHT, rates, p)[1]
    assert lost > 0.0
    assert float(np.sum(added * rates)) == pytest.approx(-lost, rel=1e-9)
    turning = np.cross([0.0, 0.0, 2.0], STRAIGHT)
    assert abs(forces(STRAIGHT, turning, p)[1]) < 1e-20 and np.abs(forces(STRAIGHT, turning, p)[0]).max() < 1e-9
