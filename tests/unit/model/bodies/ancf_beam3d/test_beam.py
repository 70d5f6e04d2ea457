"""Spatial ANCF beam: its mass matrix, no strain where it moves as one, its tangent, how it bends, where it locks and where it does not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import solve_banded
from scipy.spatial.transform import Rotation

from model.bodies.ancf_beam3d.beam import FORMULATIONS, NODE, Beam
from tests.each_row import each_row
from tests.thorough import times
from tests.tiers import quick
from tests.unit.model.bodies.central_differences import differences

Floats = NDArray[np.float64]
BAR: dict[str, Any] = {"length": 0.64, "width": 0.016, "height": 0.016, "density": 1700.0, "youngs_modulus": 116e9}
FORMS = pytest.mark.parametrize("formulation", FORMULATIONS)
SHAPES = [{}, {"width": 0.03}, {"height": 0.03, "damping": 1e-4}, {"damping": 1e-5}]


def bar(elements: int = 2, **changed: Any) -> Beam:
    return Beam(**{**BAR, "elements": elements, **changed})


def rotation(seed: int) -> Floats:
    return np.asarray(Rotation.random(random_state=seed).as_matrix())


def shaken(beam: Beam, size: float = 0.03, seed: int = 1) -> Floats:
    random = np.random.default_rng(seed)
    return beam.straight(np.array([0.3, -0.2, 0.1]), rotation(seed)) + size * random.normal(size=beam.coordinates)


def test_the_mass_matrix_of_one_element() -> None:
    """Computed with a computer algebra system; kg with slopes in natural units."""
    a, b, c, d = 0.10345325714285714, 0.009337319619047619, 0.035810742857142856, 0.005517507047619048
    e, f, g, h = 0.001086524464761905, 0.0008148933485714287, 1.980643555555555e-06, 9.903217777777776e-07
    expected = np.zeros((8, 8))
    expected[np.ix_([0, 1, 4, 5], [0, 1, 4, 5])] = [[a, b, c, -d], [b, e, d, -f], [c, d, a, -b], [-d, -f, -b, e]]
    for side in (2, 3):
        expected[np.ix_([side, side + 4], [side, side + 4])] = [[g, h], [h, g]]
    assert bar(1).mass_matrix() == pytest.approx(np.kron(expected, np.eye(3)), rel=1e-12, abs=0.0)


def test_the_weight_of_one_element() -> None:
    weight = bar(1).gravity(np.array([0.0, 0.0, -9.81])).reshape(8, 3)
    assert weight[:, :2] == pytest.approx(np.zeros((8, 2)), abs=0.0)
    ends, slopes = 0.139264 * -9.81, 0.014854826666666666 * -9.81
    assert weight[:, 2] == pytest.approx([ends, slopes, 0.0, 0.0, ends, -slopes, 0.0, 0.0], rel=1e-12)


@given(st.integers(1, 6), st.integers(0, 1000))
@settings(max_examples=times(20))
def test_energy_of_a_rigid_motion(elements: int, seed: int) -> None:
    """Of the bar: half mass times speed of the centre squared, half inertia times rate squared, in any attitude."""
    beam, random = bar(elements, width=0.02), np.random.default_rng(seed)
    axes, velocity, rate = rotation(seed), random.normal(size=3), random.normal(size=3)
    e = beam.straight(random.normal(size=3), axes)
    v = beam.turning(e, velocity, rate)
    centre = velocity + np.cross(rate, 0.32 * axes[:, 0])
    own = axes.T @ rate
    inertia = beam.mass / 12.0 * np.array([0.02**2 + 0.016**2, 0.64**2 + 0.016**2, 0.64**2 + 0.02**2])
    expected = 0.5 * beam.mass * centre @ centre + 0.5 * inertia @ own**2
    assert 0.5 * v @ beam.mass_matrix() @ v == pytest.approx(expected, rel=1e-12)


@FORMS
@pytest.mark.parametrize("changed", SHAPES)
def test_a_bar_laid_anywhere_has_no_force_and_six_motions_without_energy(formulation: str, changed: dict[str, Any]) -> None:
    beam = bar(3, formulation=formulation, **changed)
    for seed in range(20):
        e = beam.straight(np.random.default_rng(seed).normal(size=3), rotation(seed))
        moving = beam.turning(e, np.array([3.0, -2.0, 1.0]), np.array([10.0, 20.0, -30.0]))
        assert np.max(np.abs(beam.internal_force(e, moving))) < 1e-6  # N; EA is 3e7 N
    values = np.linalg.eigvalsh(beam.stiffness(e))
    assert np.sum(values < 1e-10 * values[-1]) == 6
    assert values[0] > -1e-12 * values[-1]


@FORMS
@pytest.mark.parametrize("changed", SHAPES)
def test_forces_turn_with_the_bar(formulation: str, changed: dict[str, Any]) -> None:
    beam = bar(formulation=formulation, **changed)
    e, v = shaken(beam), np.random.default_rng(2).normal(size=beam.coordinates)
    turn = np.kron(np.eye(beam.coordinates // 3), rotation(5))
    force = beam.internal_force(e, v)
    assert np.max(np.abs(beam.internal_force(turn @ e, turn @ v) - turn @ force)) < 1e-13 * np.max(np.abs(force))


@FORMS
@pytest.mark.parametrize("changed", quick(SHAPES, 1))
def test_the_tangent_against_differences(formulation: str, changed: dict[str, Any]) -> None:
    beam = bar(formulation=formulation, **changed)
    e, v = shaken(beam), np.random.default_rng(2).normal(size=beam.coordinates)
    stiffness, damped = beam.stiffness(e, v), beam.damping_matrix(e)
    assert np.max(np.abs(stiffness - differences(lambda x: beam.internal_force(x, v), e, 1e-4))) < 1e-8 * np.max(np.abs(stiffness))
    found = differences(lambda x: beam.internal_force(e, x), v, 1e-2)
    assert np.max(np.abs(damped - found)) <= 1e-8 * np.max(np.abs(damped))
    elastic = replace(beam, damping=0.0)
    symmetric = elastic.stiffness(e)
    assert np.max(np.abs(symmetric - symmetric.T)) < 1e-13 * np.max(np.abs(symmetric))
    force = elastic.internal_force(e)
    assert np.max(np.abs(force - differences(elastic.strain_energy, e, 1e-4))) < 1e-8 * np.max(np.abs(force))


@FORMS
def test_damping_only_dissipates_and_rests_when_a_bent_bar_turns(formulation: str) -> None:
    beam = bar(3, damping=1e-5, formulation=formulation)
    still = replace(beam, damping=0.0)
    for seed in range(20):
        e, random = shaken(beam, seed=seed), np.random.default_rng(seed)
        v = random.normal(size=beam.coordinates)
        assert v @ (beam.internal_force(e, v) - still.internal_force(e)) > 0.0
        as_one = beam.turning(e, random.normal(size=3), 10.0 * random.normal(size=3))
        lost = beam.internal_force(e, as_one) - still.internal_force(e)
        assert np.max(np.abs(lost)) < 1e-12 * np.max(np.abs(still.internal_force(e)))


def tip(beam: Beam, direction: int = 1) -> float:
    """Deflection of a cantilever under 1 N across its tip, linear, as a share of Timoshenko's."""
    e, load = beam.straight(np.zeros(3), np.eye(3)), np.zeros(beam.coordinates)
    load[-NODE + direction] = 1.0
    moved = np.linalg.solve(beam.stiffness(e)[NODE:, NODE:], load[NODE:])[-NODE + direction]
    bending = beam.length**3 / (3.0 * beam.bending[direction - 1])
    return float(moved / (bending + beam.length / (beam.shear_factor * beam.shear_modulus * beam.area)))


@pytest.mark.parametrize("elements", [1, 2, 4, 8])
def test_how_far_a_cantilever_gives(elements: int) -> None:
    """Elastic line: as Euler and Bernoulli, 0.05 % below; linear sections: 1 - 1/(4 n^2); the whole continuum locks for good."""
    for shape in ({}, {"width": 0.024}):
        for direction in (1, 2):
            assert tip(bar(elements, **shape), direction) == pytest.approx(1.0, abs=1.2e-3)
    lost = 1.0 - 0.25 / elements**2
    assert tip(bar(elements, formulation="enhanced_continuum")) == pytest.approx(lost, rel=1e-3)
    nu = bar().poisson_ratio
    assert tip(bar(elements, formulation="paper")) == pytest.approx(lost * (1 + nu) * (1 - 2 * nu) / (1 - nu), rel=1e-3)


def pinned(beam: Beam) -> float:
    """First bending frequency, both ends held, one of them free along the bar; slopes free. The bar also turns about itself, at 0 Hz."""
    n = beam.coordinates
    turning, first, second = beam.frequencies([0, 1, 2, n - NODE + 1, n - NODE + 2])[:3]
    assert turning < 0.1
    assert second == pytest.approx(first, rel=1e-6)
    return float(first)


def test_the_first_mode_of_a_pinned_bar() -> None:
    assert pinned(bar(4)) == pytest.approx(146.2, rel=2e-3)
    assert pinned(bar(3)) == pytest.approx(146.2, rel=2e-3)
    assert pinned(bar(10, formulation="enhanced_continuum")) == pytest.approx(146.2, rel=5e-3)
    assert pinned(bar(8, formulation="paper")) > 1.15 * 146.2


def test_bending_of_the_elastic_line_converges_with_the_fourth_power() -> None:
    """Towards Rayleigh's bar, whose sections have inertia; a thin one, for the inertia of the sections converges with the second."""
    thin: dict[str, Any] = {"width": 4e-3, "height": 4e-3}
    beam = bar(1, **thin)
    gyration = math.pi**2 * 4e-3**2 / (12.0 * 0.64**2)
    exact = 0.5 * math.pi * math.sqrt(beam.bending[0] / (1700.0 * beam.area) / (1.0 + gyration)) / 0.64**2
    errors = np.array([pinned(bar(n, **thin)) / exact - 1.0 for n in (2, 4, 8)])
    assert np.all(errors > 0.0)
    assert np.log2(errors[:-1] / errors[1:]) == pytest.approx([4.0, 4.0], abs=0.1)


@FORMS
def test_torsion(formulation: str) -> None:
    """Twist under 1 N m: GJ of Saint-Venant; linear sections do not warp: polar moment, times the shear factor if they have one."""
    beam = bar(3, formulation=formulation)
    e, load = beam.straight(np.zeros(3), np.eye(3)), np.zeros(beam.coordinates)
    load[-4], load[-2] = 0.5, -0.5  # z of r_y, y of r_z
    angle = np.linalg.solve(beam.stiffness(e)[NODE:, NODE:], load[NODE:])[-4]
    polar = beam.shear_modulus * 0.016**4 / 6.0
    expected = {"elastic_line": beam.torsion, "enhanced_continuum": beam.shear_factor * polar, "paper": polar}[formulation]
    assert angle == pytest.approx(0.64 / expected, rel=1e-6)
    assert bar().torsion == pytest.approx(0.140577 * beam.shear_modulus * 0.016**4, rel=1e-5)  # Timoshenko and Goodier


def settle(beam: Beam, load: Floats, e: Floats) -> Floats:
    """Static equilibrium of a cantilever, by Newton's method."""
    band = 2 * NODE - 1
    for _ in range(30):
        stiffness = beam.stiffness(e)[NODE:, NODE:]
        lower = [np.pad(stiffness.diagonal(-k), (0, k)) for k in range(band + 1)]
        upper = [np.pad(stiffness.diagonal(k), (k, 0)) for k in range(band, 0, -1)]
        change = solve_banded((band, band), np.array(upper + lower), (load - beam.internal_force(e))[NODE:])
        e = e + np.concatenate([np.zeros(NODE), change])
        if np.max(np.abs(change)) < 1e-11:
            return e
    raise AssertionError("Newton's method did not converge")


@pytest.mark.parametrize("slenderness", [40.0, 150.0])
@pytest.mark.parametrize("turn", [0, 7])
def test_elastica(slenderness: float, turn: int) -> None:
    """A cantilever of 8 elements under F L^2/EI = 1 and 10 across its tip, in any attitude: (shortening, deflection)/L of the elastica."""
    beam = Beam(1.0, 1.0 / slenderness, 1.0 / slenderness, 1000.0, 1e9, 8)
    axes = rotation(turn) if turn else np.eye(3)
    e, load = beam.straight(np.zeros(3), axes), np.zeros(beam.coordinates)
    expected = {1.0: (0.301721, 0.056433), 10.0: (0.810609, 0.554996)}
    for force in (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0):
        load[-NODE : -NODE + 3] = force * beam.bending[0] * axes[:, 1]
        e = settle(beam, load, e)
        if force in expected:
            place = axes.T @ e[-NODE : -NODE + 3]
            assert (place[1], 1.0 - place[0]) == pytest.approx(expected[force], rel=5e-3)
            assert abs(place[2]) < 1e-8


def test_bending_both_ways_with_torsion() -> None:
    """The enhanced continuum comes to the elastic line; they share nothing but the coordinates (GJ of a square is nearly equal)."""
    found = []
    for formulation, elements in (("elastic_line", 8), ("enhanced_continuum", 8), ("enhanced_continuum", 16)):
        beam = Beam(1.0, 0.02, 0.02, 1000.0, 1e9, elements, formulation=formulation)
        e, load = beam.straight(np.zeros(3), np.eye(3)), np.zeros((beam.elements + 1, 4, 3))
        for share in np.linspace(0.2, 1.0, 5) * beam.bending[0]:
            load[-1] = share * np.array([[0.5, 3.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.8], [0.0, -0.8, 0.0]])
            e = settle(beam, load.ravel(), e)
        found.append(e[-NODE:].reshape(4, 3))
    line, coarse, fine = found
    assert np.linalg.norm(line[0] - [1.0, 0.0, 0.0]) > 0.5
    assert np.linalg.norm(line[0] - fine[0]) < 5e-3
    assert np.linalg.norm(line[0] - fine[0]) < 0.25 * np.linalg.norm(line[0] - coarse[0])
    assert np.max(np.abs(line[1:] - fine[1:])) < 2e-2


@each_row(
    ("changed", "named"),
    [
        ({"elements": 0}, "elements: expected at least 1, got 0"),
        ({"youngs_modulus": -2e9}, "youngs_modulus"),
        ({"length": 0.0}, "length"),
        ({"width": math.nan}, "width"),
        ({"height": math.inf}, "height"),
        ({"density": 0.0}, "density"),
        ({"poisson_ratio": 0.5}, "poisson_ratio: expected more than -1 and less than 0.5"),
        ({"damping": -1e-6}, "damping"),
        ({"formulation": "solid"}, "formulation: expected one of elastic_line, enhanced_continuum, paper, got 'solid'"),
    ],
)
def test_what_cannot_be_a_bar_is_refused(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        bar(**changed)
