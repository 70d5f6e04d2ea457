"""Coulomb friction."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.friction.coulomb import force


@given(st.floats(-10.0, 10.0), st.floats(-1e5, 1e5), st.floats(0.0, 2.0))
def test_friction_opposes_sliding_and_is_mu_times_the_normal_force(sliding: float, normal: float, mu: float) -> None:
    tangential = force(sliding, normal, np.array([mu]))
    assert tangential * sliding <= 0.0
    assert abs(tangential) == (mu * normal if normal > 0.0 and sliding != 0.0 else 0.0)
