"""Zeros of the command that forces are looked at after."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison.reversals import reversals


@given(st.integers(0, 5), st.integers(1, 50), st.floats(-2.0, 2.0))
def test_a_command_that_never_reverses_has_none(before: int, samples: int, value: float) -> None:
    command = np.concatenate([np.zeros(before), np.full(samples, value)])
    found = reversals(command, np.zeros(len(command)), np.ones(len(command), dtype=bool), 1.0, 1e9)
    assert found == []
