"""The factored mass matrix of a planar beam against the whole one, solved densely."""

from __future__ import annotations

import numpy as np
import pytest

from model.bodies.ancf_beam2d.beam import Beam
from model.bodies.ancf_beam2d.mass import factors, solve


@pytest.mark.parametrize("elements", [1, 2, 7])
def test_it_solves_as_the_whole_matrix_does(elements: int) -> None:
    """Another mass at the last node in y than in x, and one factor that begins somewhere in p."""
    mass = Beam(0.12, 0.21, 7800.0, 2e9, elements).mass_matrix()
    mass[-3, -3] += 0.3
    f = np.random.default_rng(2).standard_normal(len(mass))
    p = np.concatenate([np.full(5, np.nan), factors(mass[::2, ::2], mass[1::2, 1::2]).ravel()])
    found = f.copy()
    solve(p, 5, found)
    assert found == pytest.approx(np.linalg.solve(mass, f), rel=1e-10)
