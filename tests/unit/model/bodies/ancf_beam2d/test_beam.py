"""Planar ANCF beam: exact where it is straight, free of strain where it moves as one, its tangent, its modes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.bodies.ancf_beam2d.beam import Beam
from tests.unit.model.bodies.central_differences import differences

Floats = NDArray[np.float64]
ROD: dict[str, Any] = {"length": 0.12, "mass": 0.21, "density": 7800.0}
TIP = 0.14  # kg
angles, places = st.floats(-math.pi, math.pi), st.floats(-1.0, 1.0)


def rod(elements: int = 3, modulus: float = 2e9, damping: float = 0.0) -> Beam:
    return Beam(**ROD, youngs_modulus=modulus, elements=elements, damping=damping)


def direction(angle: float) -> Floats:
    return np.array([math.cos(angle), math.sin(angle)])


def shaken(beam: Beam, size: float, seed: int = 1) -> Floats:
    random = np.random.default_rng(seed)
    return beam.straight(np.array([0.3, -0.2]), direction(0.7)) + size * random.normal(size=beam.coordinates)


@given(st.integers(1, 8), angles, places, places)
def test_a_rod_laid_anywhere_has_no_strain(elements: int, angle: float, x: float, y: float) -> None:
    beam = rod(elements)
    e = beam.straight(np.array([x, y]), direction(angle))
    assert beam.strain_energy(e) < 1e-12 * beam.axial * beam.length
    assert np.max(np.abs(beam.internal_force(e))) < 1e-12 * beam.axial


@given(angles, st.floats(-0.2, 0.2), st.integers(1, 5))
def test_a_stretched_bar_is_exact(angle: float, stretch: float, elements: int) -> None:
    """Green strain stretch + stretch^2/2; the end force is EA eps (1 + stretch)."""
    beam = rod(elements)
    along = direction(angle)
    e = beam.straight(np.zeros(2), along) * (1.0 + stretch)
    strain = stretch + 0.5 * stretch**2
    assert beam.strain_energy(e) == pytest.approx(0.5 * beam.axial * strain**2 * beam.length, rel=1e-10, abs=1e-12)
    force = beam.internal_force(e).reshape(-1, 2)
    assert force[-2] == pytest.approx(beam.axial * strain * (1.0 + stretch) * along, rel=1e-10, abs=1e-10 * beam.axial)
    inner = np.delete(force, [0, len(force) - 2], axis=0)
    assert np.max(np.abs(inner)) < 1e-12 * beam.axial


def test_the_force_is_the_gradient_of_the_strain_energy() -> None:
    beam = rod()
    e = shaken(beam, 3e-2)
    force = beam.internal_force(e)
    assert np.max(np.abs(force - differences(beam.strain_energy, e, 1e-4))) < 1e-8 * np.max(np.abs(force))


@pytest.mark.parametrize("damping", [0.0, 1e-4])
def test_the_tangent_against_differences(damping: float) -> None:
    beam = rod(damping=damping)
    e, v = shaken(beam, 3e-2), np.random.default_rng(2).normal(size=beam.coordinates)
    stiffness, damped = beam.stiffness(e, v), beam.damping_matrix(e)
    assert np.max(np.abs(stiffness - differences(lambda x: beam.internal_force(x, v), e, 1e-4))) < 1e-8 * np.max(np.abs(stiffness))
    found = differences(lambda x: beam.internal_force(e, x), v, 1e-2)
    assert np.max(np.abs(damped - found)) <= 1e-8 * np.max(np.abs(damped))


@given(st.integers(0, 1000), places, places, st.floats(-500.0, 500.0))
def test_damping_only_dissipates_and_rests_when_a_bent_rod_turns(seed: int, vx: float, vy: float, rate: float) -> None:
    beam, still = rod(damping=1e-5), rod()
    e, v = shaken(beam, 3e-2, seed), np.random.default_rng(seed).normal(size=beam.coordinates)
    assert v @ (beam.internal_force(e, v) - still.internal_force(e)) >= 0.0
    as_one = beam.turning(e, np.array([vx, vy]), rate)
    assert np.max(np.abs(beam.internal_force(e, as_one) - still.internal_force(e))) < 1e-12 * beam.axial


def test_the_mass_matrix_has_the_mass_and_the_inertia_of_the_rod() -> None:
    beam = rod(4)
    e = beam.straight(np.zeros(2), direction(0.0))
    for velocity, rate, energy in (([2.0, 1.0], 0.0, 0.5 * 0.21 * 5.0), ([0.0, 0.0], 3.0, 0.5 * 0.21 * 0.12**2 / 3.0 * 9.0)):
        v = beam.turning(e, np.array(velocity), rate)
        assert 0.5 * v @ beam.mass_matrix() @ v == pytest.approx(energy, rel=1e-13)


def axial(beam: Beam) -> float:
    """First axial frequency, held at the beginning, with the tip mass, Hz."""
    sideways = [place for place in range(beam.coordinates) if place % 2 == 1]
    return float(beam.frequencies([0, *sideways], {beam.coordinates - 4: TIP})[0])


def pinned(beam: Beam) -> float:
    """First bending frequency, the beginning held, the end free to move along, Hz."""
    return float(beam.frequencies([0, 1, beam.coordinates - 3])[0])


@pytest.mark.parametrize("modulus", [2e9, 20e9, 207e9])
def test_the_modes_of_the_rod_scale_with_the_root_of_its_modulus(modulus: float) -> None:
    beam, factor = rod(6, modulus), math.sqrt(modulus / 2e9)
    assert axial(beam) == pytest.approx(663.8 * factor, rel=5e-4)
    assert pinned(beam) == pytest.approx(238.84 * factor, rel=5e-4)


def test_bending_converges_with_the_fourth_power_of_the_elements() -> None:
    """Against Euler and Bernoulli, pi^2/L^2 sqrt(EI/(rho A)), which the elements approach from above."""
    beams = [rod(n) for n in (2, 4, 8)]
    exact = 0.5 * math.pi * math.sqrt(beams[0].bending / (0.21 / 0.12)) / 0.12**2
    errors = np.array([pinned(beam) / exact - 1.0 for beam in beams])
    assert np.all(errors > 0.0)
    assert np.log2(errors[:-1] / errors[1:]) == pytest.approx([4.0, 4.0], abs=0.15)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"elements": 0}, "elements: expected at least 1, got 0"),
        ({"youngs_modulus": -2e9}, "youngs_modulus"),
        ({"length": 0.0}, "length"),
        ({"mass": math.nan}, "mass"),
        ({"damping": -1e-6}, "damping"),
    ],
)
def test_what_cannot_be_a_rod_is_refused(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Beam(**{**ROD, "youngs_modulus": 2e9, "elements": 3, **changed})
