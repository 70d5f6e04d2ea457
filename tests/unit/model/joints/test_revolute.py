"""Revolute joint with clearance: geometry, loads and friction of the velocity window."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.friction import velocity_window
from model.joints import contact, revolute

numbers = st.floats(-3.0, 3.0)


@given(ex=numbers, ey=numbers, vx=numbers, vy=numbers, wi=numbers, wj=numbers, normal=st.floats(0.0, 3.0), tangential=numbers)
def test_power_of_loads(ex: float, ey: float, vx: float, vy: float, wi: float, wj: float, normal: float, tangential: float) -> None:
    bearing, journal = revolute.radii(0.01, 1e-4)
    _, rate, nx, ny, sliding = revolute.approach(ex, ey, vx, vy, wi, wj, bearing, journal)
    fx, fy, m_i, m_j = revolute.loads(nx, ny, normal, tangential, bearing, journal)
    power = -fx * vx - fy * vy + m_i * wi + m_j * wj
    assert power == pytest.approx(tangential * sliding - normal * rate, abs=1e-12)


def test_approach_rate_is_the_penetrations_derivative() -> None:
    e, rate, h = np.array([3e-4, -4e-4]), np.array([0.2, 0.7]), 1e-7
    at = [revolute.approach(*(e + k * h * rate), *rate, 0.0, 0.0, 0.01, 0.0099)[0] for k in (-1, 1)]
    found = revolute.approach(*e, *rate, 0.0, 0.0, 0.01, 0.0099)
    assert found[0] == pytest.approx(5e-4 - 1e-4)
    assert found[1] == pytest.approx((at[1] - at[0]) / (2 * h), rel=1e-6)


def test_journal_rolling_in_the_bearing_does_not_slide() -> None:
    bearing, journal = 0.01, 0.009
    turning = 5.0
    # the journal's centre goes round with the speed that rolling asks for, the bearing at rest
    speed = -turning * journal
    assert revolute.approach(1e-3, 0.0, 0.0, speed, 0.0, turning, bearing, journal)[4] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("clearance", [-1e-6, 0.01, float("nan")])
def test_clearance_beyond_the_bearing_is_refused(clearance: float) -> None:
    with pytest.raises(ValueError, match="clearance"):
        revolute.radii(0.01, clearance)


def test_contact_latches_and_clears() -> None:
    s = np.array([1e10, 1.5, 0.1, 0.0, 1e10, 1.5, 0.1, 0.0])
    assert contact.guard(s, 1, 2e-6, 0.5) == (2e-6, 0.5)
    assert contact.switch(s, 1, 0.5, 1e-3) == 0.5
    assert (contact.touching(s, 0), contact.touching(s, 1)) == (0, 1)
    assert contact.guard(s, 1, 2e-6, 0.5) == (-2e-6, -0.5)
    assert contact.switch(s, 1, -0.5, 1e-3) == 0.0
    assert contact.switch(s, 1, -0.5, 1e-3) == 1e-3


@given(sliding=st.floats(-2.0, 2.0), normal=st.floats(-1.0, 10.0))
def test_window_opposes_sliding_within_coulomb(sliding: float, normal: float) -> None:
    parameters = np.array([0.03, 1e-4, 1e-3])
    force = velocity_window.force(sliding, normal, parameters)
    assert force * sliding <= 0.0
    assert abs(force) <= 0.03 * max(normal, 0.0) * (1.0 + 1e-15)
    if abs(sliding) > 1e-3 and normal > 0.0:
        assert abs(force) == pytest.approx(0.03 * normal)
    if abs(sliding) < 1e-4:
        assert force == 0.0
