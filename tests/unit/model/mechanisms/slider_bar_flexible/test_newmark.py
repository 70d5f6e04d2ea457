"""The flexible driven slider with all its inertia: momentum, energy, order, the limit without inertia, impacts in the play, refusals."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.errors import ModelError
from model.integrators import dop853
from model.integrators.newmark import Config as Newmark
from model.mechanisms.slider_bar_flexible import Config

Floats = NDArray[np.float64]
X, V, STICKING, TORQUE, FRICTION, SUM = range(6)
NORMALS, FRICTIONS = slice(6, 10), slice(10, 14)
MESH = {"columns": 8, "rows": 5, "hinge_radius": 0.1}
SLIDER = Config(stick_band=0.0, **MESH)
GROUND = dataclasses.replace(SLIDER, motor_mount="ground")
SMOOTH = dataclasses.replace(SLIDER, friction=0.0, static_friction=0.0, start_velocity=-0.7)


def run(config: Config, seconds: float, rate: float = 1e3, integrator: Any = None) -> tuple[Any, Floats, Floats]:
    made = config.create(integrator or Newmark(step=1e-4), rate)
    made.start(np.zeros(made.lookahead))
    samples = round(seconds * rate) + 1
    return made, np.arange(samples) / rate, made.advance(np.zeros(samples))


def follow(config: Config, steps: int, step: float = 1e-4) -> tuple[Floats, Floats, Floats]:
    """(t, (q, v, a), channels) after every step."""
    made = config.create(Newmark(step=step), 1.0 / step)
    made.start(np.zeros(1))
    made.advance(np.zeros(1))
    rows = []
    for _ in range(steps):
        values = made.advance(np.zeros(1))[0]
        rows.append((made.state, values))
    return step * np.arange(1, steps + 1), np.array([state for state, _ in rows]), np.array([values for _, values in rows])


@pytest.mark.parametrize("config", [SLIDER, GROUND], ids=["slider", "ground"])
def test_momentum_balances_with_the_inertia_across_the_guide(config: Config) -> None:
    """Of slider and bar, from accelerations that are derived here from what the bar's mass centre does."""
    t, state, values = follow(dataclasses.replace(config, start_velocity=0.5), 15000)  # past the first change of sides in the play
    mounted = config.motor_mount == "slider"
    q, v, a = np.moveaxis(state, 1, 0)
    theta = config.speed * t + mounted * q[:, 2]
    turning, faster = config.speed + mounted * v[:, 2], mounted * a[:, 2]
    half = 0.5 * config.bar_length
    bar = a[:, :2] + half * np.stack(
        [-faster * np.sin(theta) - turning**2 * np.cos(theta), faster * np.cos(theta) - turning**2 * np.sin(theta)], axis=1
    )
    up = config.slider_mass * (a[:, 1] + config.gravity) + config.bar_mass * (bar[:, 1] + config.gravity)
    assert values[:, NORMALS].sum(axis=1) == pytest.approx(up, abs=1e-6)
    drive = config.drive_force * np.sin(config.drive_speed * t) - config.spring_stiffness * q[:, 0]
    along = config.slider_mass * a[:, 0] + config.bar_mass * bar[:, 0] - drive
    assert values[:, FRICTIONS].sum(axis=1) == pytest.approx(along, abs=1e-6)
    assert values[:, FRICTION] == pytest.approx(along, abs=1e-6)
    assert not mounted or np.ptp(a[:, 1]) > 1.0


def energy(config: Config, t: Floats, state: Floats) -> Floats:
    """Of slider and bar, J, without what the springs of the contact hold."""
    q, v = state[:, 0], state[:, 1]
    mounted = config.motor_mount == "slider"
    theta, turning = config.speed * t + mounted * q[:, 2], config.speed + mounted * v[:, 2]
    half, plate = 0.5 * config.bar_length, config.plate
    bar = v[:, :2] + half * turning[:, None] * np.stack([-np.sin(theta), np.cos(theta)], axis=1)
    own = plate.rigid[:, 2] @ plate.mass_matrix() @ plate.rigid[:, 2]
    kinetic = 0.5 * config.slider_mass * np.sum(v[:, :2] ** 2, axis=1) + 0.5 * own * v[:, 2] ** 2
    kinetic += 0.5 * config.bar_mass * (np.sum(bar**2, axis=1) + config.bar_length**2 / 12.0 * turning**2)
    height = (config.bar_mass + config.slider_mass) * q[:, 1] + config.bar_mass * half * np.sin(theta)
    return kinetic + config.gravity * height + 0.5 * config.spring_stiffness * q[:, 0] ** 2


def test_energy_balances_while_nothing_strikes() -> None:
    t, state, values = follow(dataclasses.replace(SLIDER, start_velocity=0.5), 5000)
    drive = SLIDER.drive_force * np.sin(SLIDER.drive_speed * t)
    power = values[:, TORQUE] * SLIDER.speed + (drive + values[:, FRICTION]) * values[:, V]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    excess = energy(SLIDER, t, state) - work
    assert np.ptp(work) > 1.0
    assert np.max(np.abs(excess - excess[0])) < 1e-3


def test_the_order_is_two() -> None:
    """Contact on opposite corners, sliding, no impact: slope of the error over the step, in displacement and velocity."""
    ends = []
    for step in (1e-4, 5e-5, 2.5e-5, 3.125e-6):
        made = SMOOTH.create(Newmark(step=step), 100.0)
        made.start(np.zeros(1))
        made.advance(np.zeros(51))
        ends.append(made.state[:2, 0])
    errors = np.abs(np.array(ends[:3]) - ends[3])
    slopes = np.log2(errors[:-1] / errors[1:])
    assert slopes == pytest.approx(np.full((2, 2), 2.0), abs=0.2)


def test_on_the_ground_it_moves_as_without_inertia() -> None:
    _, _, wanted = run(GROUND, 8.0, 200.0, dop853.Config(tolerance=1e-9, longest_step=1e-2))
    made, t, values = run(GROUND, 8.0, 200.0)
    assert values[:, X] == pytest.approx(wanted[:, X], abs=1e-4)
    apart = np.min(np.abs(t[:, None] - [e.time for e in made.events]), axis=1) > 5e-3  # where it comes to rest the springs ring
    assert values[apart, TORQUE] == pytest.approx(wanted[apart, TORQUE], abs=0.02)
    named = [Config().event(e.guard, e.noted) for e in made.events]
    assert [one[0] for one in named if one is not None] == ["reversal", "reversal", "stick", "slip"]


def test_a_rest_of_20_ms_is_not_missed() -> None:
    """Where the springs swing beyond what static friction holds, but the other forces do not."""
    config = dataclasses.replace(GROUND, viscous_friction=1.0)
    _, _, wanted = run(config, 8.0, 200.0, dop853.Config(tolerance=1e-9, longest_step=1e-2))
    made, _, values = run(config, 8.0, 200.0)
    assert values[:, X] == pytest.approx(wanted[:, X], abs=1e-4)
    named = [Config().event(e.guard, e.noted) for e in made.events]
    assert [one[0] for one in named if one is not None] == ["reversal", "reversal", "stick", "slip", "stick", "slip"]


def test_a_flip_in_the_play_is_an_impact() -> None:
    """From one pair of corners to the other: far above S without inertia, which at these times is N or little more."""
    made, t, values = run(SLIDER, 8.0)
    flips = values[:, SUM].argmax()
    assert values[:, SUM].max() > 1.5 * 66.141
    assert 1.5 < t[flips] < 7.0
    _, _, quiet = run(SLIDER, 8.0, integrator=dop853.Config(tolerance=1e-9, longest_step=1e-2))
    assert quiet[:, SUM].max() == pytest.approx(66.14, abs=0.1)
    assert values[:, X] == pytest.approx(quiet[:, X], abs=2e-3)
    assert np.abs(values[:, NORMALS]).sum(axis=1) == pytest.approx(values[:, SUM], abs=1e-9)
    settled = (t > 0.8) & (t < 1.35)
    assert values[settled, SUM] == pytest.approx(quiet[settled, SUM], abs=0.05)
    assert len(made.events) >= 4


def test_modes_with_inertia_change_nothing_that_the_step_can_see() -> None:
    still = run(SLIDER, 0.5)[2]
    dynamic = run(dataclasses.replace(SLIDER, modes=10), 0.5)[2]
    assert dynamic[:, X] == pytest.approx(still[:, X], abs=1e-8)
    assert dynamic[-100:, SUM] == pytest.approx(still[-100:, SUM], rel=1e-3)


def test_modes_of_a_soft_slider_are_those_of_its_compliance() -> None:
    """All modes with inertia or some: a slider soft enough for its modes to be slow beside the step."""
    soft = dataclasses.replace(SLIDER, youngs_modulus=2.1e9, columns=4, rows=3, hinge_radius=0.2)
    every = run(dataclasses.replace(soft, modes=37), 0.2)[2]
    some = run(dataclasses.replace(soft, modes=12), 0.2)[2]
    assert some[:, X] == pytest.approx(every[:, X], abs=1e-7)
    assert some[-50:, SUM] == pytest.approx(every[-50:, SUM], rel=1e-2)


def test_a_long_step_is_cut_to_what_an_impact_needs() -> None:
    made = SLIDER.create(Newmark(step=1e-3), 1e3)
    assert made.step == pytest.approx(1e-3 / 9)
    assert SLIDER.create(Newmark(step=1e-5), 1e3).step == pytest.approx(1e-5)


def test_any_cut_into_blocks_gives_the_same_and_extremes_hold_the_values() -> None:
    _, _, whole = run(SLIDER, 0.3)
    made = SLIDER.create(Newmark(step=1e-4), 1e3)
    made.start(np.zeros(1))
    parts = [made.advance_with_extremes(np.zeros(k)) for k in (1, 100, 200)]
    values, low, high = (np.concatenate(column) for column in zip(*parts, strict=True))
    assert np.array_equal(values, whole)
    assert np.all((low <= values) & (values <= high))


@pytest.mark.parametrize(("name", "value"), [("step", 0.0), ("gamma", 0.4), ("beta", -0.1)])
def test_bad_values_of_the_method_are_named(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        Newmark(**{name: value})


def test_the_stability_limit_is_named() -> None:
    assert Newmark().stable_step(1e9) == math.inf
    assert Newmark(beta=0.0).stable_step(100.0) == pytest.approx(0.02)  # the central difference's 2/omega
    with pytest.raises(ModelError, match=r"integrator.step .* above the stability limit of newmark"):
        SLIDER.create(Newmark(step=1e-4, beta=0.0), 1e3)
    with pytest.raises(ModelError, match="rate"):
        SLIDER.create(Newmark(), 0.0)
