"""A bar hinged at both ends: what is condensed to them gives the solution of the whole bar, wherever it points."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from model.bodies.ancf_beam3d import hinged
from model.bodies.ancf_beam3d.beam import Beam
from model.bodies.ancf_beam3d.frame import HEIGHT, find_frame, into_frame, out_of_frame

SIZES = (1, 2, 3, 5)


def bar(elements: int) -> Beam:
    return Beam(0.64, 0.016, 0.016, 1700.0, 116e9, elements, damping=2e-5)


@pytest.mark.parametrize("elements", SIZES)
def test_parts_belong_together(elements: int) -> None:
    q = np.arange(12.0 * (elements + 1))
    inner, ends, again = np.zeros(12 * elements), np.zeros(hinged.ENDS), np.zeros_like(q)
    hinged.part(q, inner, ends)
    hinged.join(inner, ends, again)
    assert np.array_equal(again, q)
    last = 12 * elements
    assert ends == pytest.approx([0, 1, 2, 9, 10, 11, last, last + 1, last + 2, last + 9, last + 10, last + 11])
    assert np.all(np.diff(inner) > 0.0)


@pytest.mark.parametrize("elements", SIZES)
def test_solves_the_whole_bar_however_it_points(elements: int) -> None:
    """S x = r of the turned bar, S made there, against the matrices of a bar that lies still along x."""
    beam, c_a, c_v, generator = bar(elements), 4e6, 2e3, np.random.default_rng(elements)
    turn = Rotation.random(random_state=generator).as_matrix()
    q = beam.straight(generator.normal(size=3), turn)
    system = beam.stiffness(q) + c_v * beam.damping_matrix(q) + c_a * beam.mass_matrix()
    wanted = 1e-6 * generator.normal(size=beam.coordinates)
    r = system @ wanted

    made, frame, m = hinged.matrices(beam, c_a, c_v), np.zeros(9), 12 * elements
    find_frame(q, HEIGHT, frame)
    assert frame.reshape(3, 3) == pytest.approx(turn, abs=1e-14)
    inner, ends = np.zeros(m), np.zeros(hinged.ENDS)
    hinged.part(r, inner, ends)
    into_frame(frame, inner, inner)
    into_frame(frame, ends, ends)
    left, x = np.zeros(hinged.ENDS), np.zeros(m)
    hinged.condense(made, inner, left)
    small = made[-(hinged.ENDS**2) :].reshape(hinged.ENDS, hinged.ENDS)
    moved = np.asarray(np.linalg.solve(small, ends + left))
    hinged.recover(made, inner, moved, x)
    out_of_frame(frame, x, x)
    out_of_frame(frame, moved, moved)
    found = np.zeros(beam.coordinates)
    hinged.join(x, moved, found)
    assert found == pytest.approx(wanted, rel=1e-6, abs=1e-13)


def test_of_a_bar_at_rest_the_ends_bear_only_what_strains_it() -> None:
    """Moving and turning the ends as a rigid bar's takes no force; pulling them apart that of EA/L."""
    beam = bar(3)
    small = hinged.matrices(beam, 0.0, 0.0)[-(hinged.ENDS**2) :].reshape(hinged.ENDS, hinged.ENDS)
    assert small == pytest.approx(small.T, abs=1e-6 * np.abs(small).max())
    still = beam.straight(np.zeros(3), np.eye(3))
    for velocity, rate in ((np.eye(3)[0], np.zeros(3)), (np.zeros(3), np.eye(3)[0]), (np.ones(3), np.array([0.0, 1.0, -2.0]))):
        inner, ends = np.zeros(36), np.zeros(hinged.ENDS)
        hinged.part(beam.turning(still, velocity, rate), inner, ends)
        assert small @ ends == pytest.approx(0.0, abs=1e-8 * np.abs(small).max())
    stretched = np.zeros(hinged.ENDS)
    stretched[hinged.LAST] = 1.0
    assert (small @ stretched)[hinged.LAST] == pytest.approx(beam.youngs_modulus * beam.area / beam.length, rel=1e-6)
