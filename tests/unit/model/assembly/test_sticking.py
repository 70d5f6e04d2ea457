"""True sticking in joints with clearance, and how their journals begin, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.assembly.description import Body, Contact
from model.assembly.joints import clearance_prismatic, clearance_revolute
from model.integrators import dop853
from model.mechanisms.planar import Config
from tests.unit.model.assembly.simulated import RATE, Floats

G, SLOPE = 9.81, math.radians(2.0)


def run(config: Config, seconds: float, tolerance: float = 1e-8) -> dict[str, Floats]:
    stepper = config.create(dop853.Config(tolerance=tolerance, longest_step=1e-2), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(round(seconds * RATE) + 1))
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}


def journal(friction: float, static: float, **keys: float) -> Config:
    wheel = Body("wheel", 3.0, 2e-2, angular_velocity=keys.pop("speed", None))
    contact = Contact(restitution=0.2)
    pin = clearance_revolute.Config(
        "pin", ("ground.origin", "wheel.centre"), 0.01, 1e-3, friction=friction, static_friction=static, contact=contact, **keys
    )
    outputs = ("wheel_x", "wheel_y", "wheel_vx", "wheel_vy", "wheel_angular_velocity", "pin_friction", "pin_force")
    return Config((wheel,), (pin,), gravity=G, outputs=outputs)


def test_a_journal_that_sticks_rolls_in_its_bearing() -> None:
    """A wheel at rest a little up the side of its bearing: omega^2 = g/(c (1 + J/(m r^2))), a pendulum that rolls without slip."""
    c, r, up = 1e-3, 9e-3, 0.1
    found = run(journal(0.4, 0.5, start_x=c * math.sin(up), start_y=-c * math.cos(up)), 1.5)
    speed = found["wheel_angular_velocity"]
    crossings = np.flatnonzero(np.diff(np.sign(speed[100:])))
    period = 2.0 * float(np.mean(np.diff(crossings))) / RATE
    assert len(crossings) >= 5
    assert period == pytest.approx(2.0 * math.pi * math.sqrt(c * (1.0 + 2e-2 / (3.0 * r * r)) / G), rel=0.005)
    x, y, vx, vy = (found[f"wheel_{name}"][200:] for name in ("x", "y", "vx", "vy"))
    slip = (vy * x - vx * y) / np.hypot(x, y) + speed[200:] * r
    assert np.max(np.abs(slip)) < 1e-7 * np.max(np.abs(speed)) * r + 1e-9


def test_a_journal_that_slides_is_braked_by_its_friction() -> None:
    """c psi'' = -g sin psi - mu N/m, J omega' = -mu r N, N = m g cos psi + m c psi'^2 on a rigid bearing, by scipy."""
    found = run(journal(0.2, 0.3, speed=20.0, start_y=-1e-3), 0.5)
    c, r, mass, inertia = 1e-3, 9e-3, 3.0, 2e-2

    def rates(_: float, y: Floats) -> list[float]:
        psi, turning, _speed = y
        normal = mass * G * math.cos(psi) + mass * c * turning**2
        return [turning, (-G * math.sin(psi) - 0.2 * normal / mass) / c, -0.2 * r * normal / inertia]

    exact = solve_ivp(rates, (0.0, 0.5), [0.0, 0.0, 20.0], "DOP853", np.arange(501) / RATE, rtol=1e-10, atol=1e-10)
    assert found["wheel_angular_velocity"] == pytest.approx(exact.y[2], abs=2e-3)
    assert found["pin_friction"] == pytest.approx(-0.2 * found["pin_force"], abs=1e-9)


def test_a_journal_begins_with_the_speed_that_is_said() -> None:
    """In free fall from there until it touches."""
    found = run(journal(0.0, 0.0, start_x=-5e-4, start_vx=0.05, start_vy=0.02), 0.01)
    t = np.arange(8) / RATE
    assert found["wheel_x"][:8] == pytest.approx(-5e-4 + 0.05 * t, abs=1e-12)
    assert found["wheel_y"][:8] == pytest.approx(0.02 * t - 0.5 * G * t * t, abs=1e-12)
    assert found["wheel_vx"][0] == pytest.approx(0.05)


def test_static_friction_less_than_sliding_is_refused() -> None:
    with pytest.raises(ValueError, match=r"joints.0: pin: static_friction: expected at least friction, 0.3, got 0.2"):
        journal(0.3, 0.2)


def test_a_guide_with_clearance_that_is_to_stick_is_refused() -> None:
    guide = clearance_prismatic.Config("guide", ("ground.origin", "block.centre"), 0.04, 0.02, clearance=1e-5, static_friction=0.1)
    with pytest.raises(ValueError, match=r"joints.0: guide: static_friction: a guide with clearance does not stick truly; leave it out"):
        Config((Body("block", 2.0, 1e-3),), (guide,), gravity=G)
