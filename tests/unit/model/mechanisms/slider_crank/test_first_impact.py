"""The slider-crank's first impact beside an integration of its own: other equations, another method, another program."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.integrators import dop853
from model.mechanisms.slider_crank import Config

RATE, DURATION = 1e6, 130e-6  # the first impact lasts from 72 to 116 us


def by_scipy(config: Config) -> tuple[float, float]:
    """(first contact, s; largest penetration, m): rod about the crank pin and slider, no friction, nothing touches the guide."""
    r, length, m, s = config.crank.length, config.rod.length, config.rod.mass, config.rod.centre
    turning, c, radius = config.rod.inertia + m * s**2, config.clearance, config.journal_radius
    elastic = config.contact.youngs_modulus / (2.0 * (1.0 - config.contact.poisson_ratio**2))
    stiffness = 4.0 / 3.0 * elastic * math.sqrt((radius + c) * radius / c)
    damping = 0.75 * (1.0 - config.contact.restitution**2)

    def gap(t: float, y: np.ndarray) -> tuple[float, float, np.ndarray, np.ndarray, np.ndarray]:
        pin = r * np.array([math.cos(config.speed * t), math.sin(config.speed * t)])
        along, across = np.array([math.cos(y[0]), math.sin(y[0])]), np.array([-math.sin(y[0]), math.cos(y[0])])
        away = y[1:3] - pin - length * along
        rate = y[4:6] - config.speed * np.array([-pin[1], pin[0]]) - length * y[3] * across
        distance = float(np.hypot(*away))
        normal = away / distance if distance > 0.0 else np.array([1.0, 0.0])
        return distance - c, float(normal @ rate), normal, along, pin

    def motion(t: float, y: np.ndarray, speed: float) -> np.ndarray:
        depth, rate, normal, along, pin = gap(t, y)
        force = np.zeros(2)
        if speed > 0.0:
            force = max(0.0, stiffness * max(0.0, depth) ** 1.5 * (1.0 + damping * rate / speed)) * normal
        acting = length * force + m * s * config.speed**2 * pin
        turn = (along[0] * acting[1] - along[1] * acting[0]) / turning
        return np.array([*y[3:], turn, *(-force / config.slider.mass)])

    def touches(t: float, y: np.ndarray, speed: float) -> float:
        return gap(t, y)[0]

    touches.terminal = True  # type: ignore[attr-defined]
    start = np.array([0.0, r + length, 0.0, -config.speed * r / length, 0.0, 0.0])
    settings = {"method": "LSODA", "rtol": 1e-11, "atol": 1e-15}
    solve: Any = solve_ivp
    free = solve(motion, (0.0, DURATION), start, args=(0.0,), events=touches, **settings)
    began, state = float(free.t[-1]), free.y[:, -1]
    speed = gap(began, state)[1]
    pressed = solve(motion, (began, DURATION), state, args=(speed,), max_step=1e-7, **settings)
    return began, max(gap(t, y)[0] for t, y in zip(pressed.t, pressed.y.T, strict=True))


def test_the_first_impact_is_that_of_another_program() -> None:
    config = Config(friction=0.0)
    stepper = config.create(dop853.Config(tolerance=1e-11, longest_step=1e-4), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    _, _, high = stepper.advance_with_extremes(np.zeros(round(DURATION * RATE)))
    deepest = high[:, [name for name, _ in Config.CHANNELS].index("joint_penetration")].max()
    began, expected = by_scipy(config)
    assert stepper.events[0].time == pytest.approx(began, rel=1e-9)
    assert deepest == pytest.approx(expected, rel=2e-5)
    assert deepest == pytest.approx(21.0593e-6, abs=5e-11)  # what docs/reproduce.md says
