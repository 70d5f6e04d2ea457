"""Plane-stress triangles: patch test, rigid motions, masses, a beam's convergence, elastic part of loads that do not balance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.bodies.plane_stress import Plate
from tests.thorough import times

SLIDER = Plate(length=0.6, height=0.5, thickness=1.0, mass=1.0, youngs_modulus=2.1e11, poisson_ratio=0.25)
SMALL = Plate(length=0.6, height=0.5, thickness=0.1, mass=1.0, youngs_modulus=2.1e11, poisson_ratio=0.25, columns=5, rows=4)


def test_the_paper_s_mesh() -> None:
    assert (len(SLIDER.triangles), len(SLIDER.nodes), len(SLIDER.lower_face), len(SLIDER.upper_face)) == (684, 380, 19, 19)
    assert SLIDER.nodes[SLIDER.lower_face][:, 1] == pytest.approx(-0.25)
    assert SLIDER.nodes[SLIDER.upper_face][:, 1] == pytest.approx(0.25)
    assert SLIDER.strain_matrices()[1].sum() == pytest.approx(0.3)


@given(st.lists(st.floats(-1.0, 1.0), min_size=6, max_size=6))
@settings(max_examples=times(20), deadline=None)
def test_patch_linear_displacements_strain_evenly_and_load_the_boundary_alone(gradient: list[float]) -> None:
    g = np.array(gradient).reshape(2, 3)
    u = (SMALL.nodes @ g[:, :2].T + g[:, 2]).ravel()
    assert SMALL.strains(u) == pytest.approx(np.tile([g[0, 0], g[1, 1], g[0, 1] + g[1, 0]], (40, 1)), abs=1e-12)
    force = (SMALL.stiffness() @ u).reshape(-1, 2) / SMALL.youngs_modulus
    inside = np.all(np.abs(SMALL.nodes) < [0.29, 0.24], axis=1)
    assert inside.sum() == 12
    assert np.max(np.abs(force[inside])) < 1e-14


def test_uniform_tension_gives_hooke_s_strains() -> None:
    pull, nodes = 1e6, SMALL.nodes  # N/m^2
    weights = np.where(np.abs(np.abs(nodes[:, 1]) - 0.25) < 1e-12, 0.5, 1.0) * 0.5 / 4 * SMALL.thickness * pull
    load = np.zeros(2 * len(nodes))
    load[0::2] = weights * ((nodes[:, 0] > 0.299).astype(float) - (nodes[:, 0] < -0.299))
    strains = SMALL.strains(SMALL.flexibility(load[:, None])[:, 0])
    assert strains == pytest.approx(np.tile([pull / 2.1e11, -0.25 * pull / 2.1e11, 0.0], (40, 1)), abs=1e-15)


def test_rigid_motions_are_free_of_strain_and_carry_the_mass() -> None:
    for column in SLIDER.rigid.T:
        assert np.max(np.abs(SLIDER.strains(column))) < 1e-12
    moved = SLIDER.rigid.T @ SLIDER.mass_matrix() @ SLIDER.rigid
    errors = [abs(moved[2, 2] * 12 / (0.6**2 + 0.5**2) - 1.0)]
    assert moved == pytest.approx(np.diag([1.0, 1.0, moved[2, 2]]), abs=1e-12)
    assert errors[0] < 1e-12  # linear shapes carry a turn exactly
    assert SLIDER.mass_matrix().sum() == pytest.approx(2.0)  # once along x, once along y


def test_three_modes_are_rigid_and_the_others_are_not() -> None:
    from scipy.linalg import eigvalsh

    squares = eigvalsh(SMALL.stiffness(), SMALL.mass_matrix())
    assert np.max(np.abs(squares[:3])) < 1e-9 * squares[3]
    omega, shapes = SMALL.modes(4)
    assert omega**2 == pytest.approx(squares[3:7], rel=1e-9)
    assert np.max(np.abs(shapes.T @ SMALL.mass_matrix() @ SMALL.rigid)) < 1e-10


def test_pure_bending_converges_at_second_order() -> None:
    errors = []
    for n in (2, 4, 8):
        plate = Plate(length=1.0, height=0.5, thickness=1.0, mass=1.0, youngs_modulus=1.0, poisson_ratio=0.0, columns=2 * n, rows=n)
        x, y = plate.nodes.T
        part = 0.5 / n
        edge = part * y  # of a traction y on the whole edge, shared out by the linear shapes
        edge[np.abs(y) > 0.2499] = 0.5 * part * np.sign(y[np.abs(y) > 0.2499]) * (0.25 - part / 3.0)
        load = np.zeros((2 * len(x), 1))
        load[0::2, 0] = edge * ((x > 0.499).astype(float) - (x < -0.499))
        errors.append(0.5**3 / 12.0 / float((load.T @ plate.flexibility(load))[0, 0]) - 1.0)  # M^2 L/(E I), where M = E I
    assert np.diff(np.log2(errors)) == pytest.approx([-2.0, -2.0], abs=0.15)


def test_all_modes_together_are_the_flexibility() -> None:
    load = np.random.default_rng(1).normal(size=(60, 1))
    omega, shapes = SMALL.modes(57)
    assert SMALL.flexibility(load) == pytest.approx(shapes @ ((shapes.T @ load) / omega[:, None] ** 2), rel=1e-6, abs=1e-18)
    assert np.max(np.abs(SMALL.flexibility(SMALL.mass_matrix() @ SMALL.rigid))) < 1e-18  # weight and inertia deform nothing by themselves


BAD: dict[str, Any] = {
    "length": 0.0,
    "mass": -1.0,
    "thickness": 0.0,
    "youngs_modulus": 0.0,
    "poisson_ratio": 0.5,
    "columns": 0,
    "rows": 10**4,
}


@pytest.mark.parametrize("name", BAD)
def test_bad_values_are_named(name: str) -> None:
    values: dict[str, Any] = {"length": 1.0, "height": 1.0, "thickness": 1.0, "mass": 1.0, "youngs_modulus": 1.0, "poisson_ratio": 0.3}
    with pytest.raises(ValueError, match="columns" if name == "rows" else name):
        Plate(**{**values, name: BAD[name]})
