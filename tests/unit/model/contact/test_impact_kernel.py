"""Motion of a free impact, function by function: m delta'' = -K delta^n (1 + a delta'/v0), by hand."""

from __future__ import annotations

import numpy as np
import pytest

from model.contact import impact_kernel as kernel
from model.contact.force import force

PENETRATION, RATE = 1e-6, 0.2  # m, m/s
STATE, MASS, NO_INPUT = np.array([PENETRATION, RATE]), np.array([0.05]), np.zeros(3)
NEWTON = 12.5  # 1e10 x (1e-6)^1.5 x (1 + 0.5 x 0.2/0.4)


def law(stiffness: float = 1e10) -> np.ndarray:
    return np.array([stiffness, 1.5, 0.5, 0.4])


def test_the_force_brakes_the_mass() -> None:
    rate = np.full(2, np.nan)
    assert kernel.rhs(0.0, STATE, rate, MASS, law(), NO_INPUT, force) == 0
    assert rate == pytest.approx([RATE, -NEWTON / 0.05], rel=1e-12)


def test_they_part_where_the_penetration_ends_and_only_once() -> None:
    guard, its_rate = np.full(1, np.nan), np.full(1, np.nan)
    assert kernel.guards(0.0, STATE, guard, its_rate, MASS, law(), NO_INPUT) == 0
    assert (guard[0], its_rate[0]) == (-PENETRATION, -RATE), "passes 0 upward"
    assert kernel.guards(0.0, STATE, guard, its_rate, MASS, law(0.5), NO_INPUT) == 0
    assert (guard[0], its_rate[0]) == (-PENETRATION, -RATE), "however soft"
    assert kernel.guards(0.0, STATE, guard, its_rate, MASS, law(0.0), NO_INPUT) == 0
    assert (guard[0], its_rate[0]) == (-1.0, 0.0), "never again"


def test_parting_notes_the_speed_and_ends_the_force() -> None:
    wanted = law()
    assert kernel.switch(0, 0.0, np.array([0.0, -0.3]), MASS, wanted, NO_INPUT) == 0.3
    assert list(wanted) == [0.0, 1.5, 0.5, 0.4]


@pytest.mark.parametrize(("stiffness", "newton"), [(1e10, NEWTON), (0.5, NEWTON * 0.5e-10), (0.0, 0.0)])
def test_the_channel_is_the_force(stiffness: float, newton: float) -> None:
    values = np.full(1, np.nan)
    assert kernel.channels(0.0, STATE, values, MASS, law(stiffness), NO_INPUT, force) == 0
    assert values[0] == pytest.approx(newton, rel=1e-12, abs=0.0)
