"""The rigid driven slider: reference values, exact motion without friction, energy, rates of convergence, contact forces, refusals."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.errors import ModelError, NotConverged
from model.friction import karnopp
from model.integrators import dop853, generalized_alpha, rk4
from model.mechanisms.slider_bar import Config
from tests.each_row import each_row
from tests.thorough import times
from tests.tiers import quick

Floats = NDArray[np.float64]
X, V, STICKING, TORQUE, FRICTION, SUM = range(6)
NORMALS, FRICTIONS = slice(6, 10), slice(10, 14)
FINE = dop853.Config(tolerance=1e-11, longest_step=1e-2)
PERIOD = 8.0
EXACT = Config(stick_band=0.0)


class Run:
    """A simulation, and what of it lies behind `discard` periods."""

    def __init__(self, config: Config, periods: float, rate: float = 1e3, integrator: Any = FINE, discard: float = 0.0) -> None:
        self.config, self.stepper = config, config.create(integrator, rate)
        self.stepper.start(np.zeros(self.stepper.lookahead))
        samples = round(periods * PERIOD * rate) + 1
        values, low, high = self.stepper.advance_with_extremes(np.zeros(samples))
        self.time = np.arange(samples) / rate
        kept = self.time > discard * PERIOD
        self.whole, self.values, self.low, self.high = values, values[kept], low[kept].min(axis=0), high[kept].max(axis=0)
        last = periods * PERIOD
        self.events = [(e.time, config.event(e.guard, e.noted)) for e in self.stepper.events if discard * PERIOD < e.time <= last]

    def times(self, kind: str) -> Floats:
        return np.array([time % PERIOD for time, named in self.events if named is not None and named[0] == kind])


@pytest.fixture(scope="module")
def steady() -> Run:
    return Run(EXACT, 12, discard=10)


def test_the_ends_stand_where_their_areas_carry() -> None:
    run = Run(dataclasses.replace(EXACT, total_clearance=2e-4), 2)
    rear, front = run.values[:, 14], run.values[:, 15]
    upper_rear, upper_front, lower_rear, lower_front = run.values[:, NORMALS].T
    assert {*np.abs(rear), *np.abs(front)} == {1e-4}
    assert np.array_equal(rear > 0.0, upper_rear < 0.0)
    assert np.array_equal(front > 0.0, upper_front < 0.0)
    assert not np.any(upper_rear * lower_rear) and not np.any(upper_front * lower_front)
    assert 0.1 < np.mean(front > 0.0) < 0.9


def test_steady_motion_is_the_reference(steady: Run) -> None:
    assert steady.low[X] == pytest.approx(-0.389309, abs=1e-4)
    assert steady.high[X] == pytest.approx(1.088372, abs=1e-4)
    assert steady.times("stick") == pytest.approx([7.707030] * 2, abs=1e-3)
    assert steady.times("slip") == pytest.approx([8.239317 - PERIOD] * 2, abs=1e-3)
    assert (steady.low[TORQUE], steady.high[TORQUE]) == pytest.approx((-19.6218, 19.6200), abs=1e-4)
    assert steady.high[SUM] == pytest.approx(66.141, abs=1e-3)
    one, other = steady.values[: round(PERIOD * 1e3)], steady.values[round(PERIOD * 1e3) :]
    assert other[: len(one)] == pytest.approx(one, abs=1e-4)  # the period is that of the bar


def test_it_rests_while_it_sticks(steady: Run) -> None:
    stuck = steady.values[:, STICKING] == 1.0
    assert np.all(steady.values[stuck, V] == 0.0)
    begin, end = 7.707030, 8.239317
    assert stuck.mean() == pytest.approx((end - begin) / PERIOD, abs=1e-3)


# DV (m/s): x from, to (m), within: from fixed steps of some 1e-5 to 1e-4 s, which the narrow band feels
BANDED = {1e-3: (-0.397, 1.068, 5e-4), 1e-5: (-0.3897, 1.0867, 4e-4)}


@pytest.mark.parametrize("band", BANDED)
def test_banded_reference(band: float) -> None:
    run = Run(Config(stick_band=band), 12, discard=10)
    low, high, tolerance = BANDED[band]
    assert run.low[X] == pytest.approx(low, abs=tolerance)
    assert run.high[X] == pytest.approx(high, abs=tolerance)


def test_the_band_s_bias_shrinks_with_its_root(steady: Run) -> None:
    bands = [1e-4, 1e-5, 1e-6]
    runs = [Run(Config(stick_band=band), 12, discard=10) for band in bands]
    for bias in ([steady.high[X] - run.high[X] for run in runs], [steady.low[X] - run.low[X] for run in runs]):
        slopes = np.diff(np.log(bias)) / np.diff(np.log(bands))
        assert slopes == pytest.approx([0.5, 0.5], abs=0.04)
    assert [len(run.times("stick")) for run in runs] == [2, 2, 2]


@given(speed=st.floats(0.3, 1.5), drive=st.floats(-5.0, 5.0), ratio=st.floats(0.5, 3.0))
@settings(max_examples=times(15), deadline=None)
def test_without_friction_the_motion_is_exact(speed: float, drive: float, ratio: float) -> None:
    driving = ratio * speed
    mass, stiffness, swing = 3.0, 1.0, 2.0
    if min(abs(stiffness - mass * w**2) for w in (speed, driving)) < 0.1:
        return
    turning, driven = swing * speed**2 / (stiffness - mass * speed**2), drive / (stiffness - mass * driving**2)
    config = Config(
        friction=0.0, static_friction=0.0, stick_band=0.0, speed=speed, drive_force=drive, drive_speed=driving,
        start_position=turning, start_velocity=driving * driven,
    )  # fmt: skip
    run = Run(config, 2, rate=50.0)
    assert run.whole[:, X] == pytest.approx(turning * np.cos(speed * run.time) + driven * np.sin(driving * run.time), abs=1e-9)


def test_the_frictionless_orbit_of_the_paper_s_values() -> None:
    config = Config(friction=0.0, static_friction=0.0, stick_band=0.0, start_position=-1.450472, start_velocity=-0.736058)
    run, w = Run(config, 1), 0.25 * math.pi
    assert run.whole[:, X] == pytest.approx(-1.450472 * np.cos(w * run.time) - 0.468589 * np.sin(2 * w * run.time), abs=3e-6)


def energy(config: Config, t: Floats, values: Floats) -> Floats:
    """Kinetic and potential energy less what does not change, J."""
    x, v, theta = values[:, X], values[:, V], config.speed * t
    swing = 0.5 * config.bar_mass * config.bar_length
    kinetic = 0.5 * (config.bar_mass + config.slider_mass) * v**2 - swing * config.speed * v * np.sin(theta)
    return kinetic + swing * config.gravity * np.sin(theta) + 0.5 * config.spring_stiffness * (x - config.spring_offset) ** 2


CASES = (
    EXACT,
    Config(stick_band=1e-3),
    Config(stick_band=0.0, motor_mount="ground"),
    Config(stick_band=0.0, spring_offset=0.25, viscous_friction=0.3),
)


@pytest.mark.parametrize("config", CASES, ids=["exact", "banded", "ground", "offset"])
def test_energy_balance_of_every_period(config: Config) -> None:
    run = Run(config, 3, rate=10e3)
    t, values = run.time, run.whole
    drive = config.drive_force * np.sin(config.drive_speed * t) - config.viscous_friction * values[:, V]
    power = values[:, TORQUE] * config.speed + (drive + values[:, FRICTION]) * values[:, V]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    excess = energy(config, t, values) - work
    assert np.max(np.abs(excess - excess[0])) < 1e-3
    assert np.all(values[:, FRICTION] * values[:, V] <= 1e-12 + abs(config.stick_band) * 3.0)


@pytest.mark.parametrize("config", quick(CASES, 2), ids=["exact", "banded", "ground", "offset"])
def test_a_bar_that_samples_bring_up_from_rest_balances_too(config: Config) -> None:
    """Its own kinetic energy included; the motor's torque is that which the areas' moment carries; the guide bears the bar's rise."""
    rate, time = 5e3, 6.0
    t = np.arange(round(1.2 * time * rate)) / rate
    x = np.clip(t / time, 0.0, 1.0)
    samples = 7.0 * x**4 * (35.0 - x * (84.0 - x * (70.0 - 20.0 * x)))
    stepper = config.create(FINE, rate, "bar_angle")
    stepper.start(samples[: stepper.lookahead])
    values = stepper.advance(samples[stepper.lookahead :])
    t, theta = t[: len(values)], samples[: len(values)]
    omega, alpha = np.gradient(theta, 1.0 / rate), np.gradient(np.gradient(theta, 1.0 / rate), 1.0 / rate)
    swing, inertia = 0.5 * config.bar_mass * config.bar_length, config.bar_mass * config.bar_length**2 / 3.0
    place, v = values[:, X], values[:, V]
    energies = 0.5 * (config.bar_mass + config.slider_mass) * v**2 - swing * omega * v * np.sin(theta) + 0.5 * inertia * omega**2
    energies += swing * config.gravity * np.sin(theta) + 0.5 * config.spring_stiffness * (place - config.spring_offset) ** 2
    drive = config.setpoints(theta)[0][:, 1] - config.viscous_friction * v
    power = values[:, TORQUE] * omega + (drive + values[:, FRICTION]) * v
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    assert values[0, STICKING] == 1.0
    assert np.ptp(energies) > 10.0
    assert np.ptp(energies - work) < 2e-3
    normal = (config.bar_mass + config.slider_mass) * config.gravity + swing * (alpha * np.cos(theta) - omega**2 * np.sin(theta))
    assert values[2:-2, NORMALS].sum(axis=1) == pytest.approx(normal[2:-2], abs=1e-4)
    arms = 0.5 * config.slider_length * np.array([-1, 1, -1, 1]), 0.5 * config.slider_height * np.array([1, 1, -1, -1])
    moment = values[:, NORMALS] @ arms[0] - values[:, FRICTIONS] @ arms[1]
    assert moment == pytest.approx(values[:, TORQUE] if config.motor_mount == "slider" else np.zeros(len(t)), abs=1e-9)


@pytest.mark.parametrize("config", CASES, ids=["exact", "banded", "ground", "offset"])
def test_the_areas_carry_force_and_moment(config: Config) -> None:
    run = Run(config, 2, rate=200.0)
    t, values = run.time, run.whole
    normals, frictions = values[:, NORMALS], values[:, FRICTIONS]
    a, b, swing = config.slider_length, config.slider_height, 0.5 * config.bar_mass * config.bar_length
    weight = (config.bar_mass + config.slider_mass) * config.gravity
    assert normals.sum(axis=1) == pytest.approx(weight - swing * config.speed**2 * np.sin(config.speed * t), abs=1e-10)
    assert np.abs(normals).sum(axis=1) == pytest.approx(values[:, SUM], abs=1e-10)
    assert frictions.sum(axis=1) == pytest.approx(values[:, FRICTION], abs=1e-10)
    assert np.all(normals[:, :2] <= 0.0)
    assert np.all(normals[:, 2:] >= 0.0)
    arms = 0.5 * np.array([-a, a, -a, a]), 0.5 * np.array([b, b, -b, -b])
    moment = normals @ arms[0] - frictions @ arms[1]
    assert moment == pytest.approx(values[:, TORQUE] if config.motor_mount == "slider" else np.zeros(len(t)), abs=1e-9)
    limit = np.where(values[:, STICKING] > 0, config.static_friction, config.friction)
    if config.stick_band == 0.0:
        assert np.all(np.abs(values[:, FRICTION]) <= limit * values[:, SUM] + 1e-9)


def test_two_sided_contact_is_the_motor_s_that_sits_on_the_slider() -> None:
    both = [(np.abs(Run(Config(motor_mount=mount), 2).values[:, NORMALS]) > 0) for mount in ("slider", "ground")]
    two_sided = [areas[:, :2].any(axis=1) & areas[:, 2:].any(axis=1) for areas in both]
    assert two_sided[0].mean() > 0.5
    assert not two_sided[1].any()


def test_the_friction_is_karnopp_s_law() -> None:
    config = Config()
    run, p = Run(config, 2, rate=200.0), np.array([config.friction, config.static_friction, config.stick_band])
    swing, theta = 0.5 * config.bar_mass * config.bar_length, config.speed * run.time
    external = (
        config.drive_force * np.sin(config.drive_speed * run.time) - config.spring_stiffness * run.whole[:, X]
        + swing * config.speed**2 * np.cos(theta)
    )  # fmt: skip
    wanted = [karnopp.force(v, e, s, p) for v, e, s in zip(run.whole[:, V], external, run.whole[:, SUM], strict=True)]
    assert run.whole[:, FRICTION] == pytest.approx(np.array(wanted), abs=1e-9)


def test_rk4_finds_the_same_events_and_motion() -> None:
    exact, run = (Run(EXACT, 1, rate=10.0, integrator=integrator) for integrator in (FINE, rk4.Config(step=1e-3)))
    assert [kind for _, kind in run.events] == [kind for _, kind in exact.events]
    assert run.whole[:, X] == pytest.approx(exact.whole[:, X], abs=1e-9)


def test_any_cut_into_blocks_gives_the_same() -> None:
    whole = Run(Config(), 1, rate=100.0)
    stepper = Config().create(FINE, 100.0)
    stepper.start(np.zeros(stepper.lookahead))
    parts = [stepper.advance(np.zeros(k)) for k in (1, 7, 300, len(whole.whole) - 308)]
    assert np.array_equal(np.concatenate(parts), whole.whole)


def test_half_a_millionth_of_a_metre_at_the_experiment_s_settings(steady: Run) -> None:
    coarse = Run(EXACT, 12, integrator=dop853.Config(tolerance=1e-9, longest_step=1e-2), discard=10)
    assert coarse.values[:, X] == pytest.approx(steady.values[:, X], abs=5e-7)


BAD: dict[str, Any] = {
    "bar_mass": -1.0, "slider_mass": 0.0, "bar_length": 0.0, "slider_length": -0.6, "slider_height": math.nan, "speed": 0.0,
    "spring_stiffness": -1.0, "stick_band": -1e-3, "total_clearance": -1e-4, "friction": -0.1, "static_friction": 0.01,
    "viscous_friction": -1.0, "motor_mount": "roof", "gravity": math.inf, "start_velocity": math.nan,
}  # fmt: skip


@each_row("name", BAD)
def test_bad_values_are_named(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Config(**{name: BAD[name]})


def test_a_jamming_slider_is_refused() -> None:
    with pytest.raises(ValueError, match=r"jams: .*slider_height"):
        Config(static_friction=1.3)
    with pytest.raises(ValueError, match=r"jams: .*bar_length"):
        Config(static_friction=0.5, slider_height=0.1)
    Config(static_friction=0.5, slider_height=0.1, motor_mount="ground")


def test_what_does_not_suit_is_refused() -> None:
    with pytest.raises(ModelError, match=r"generalized_alpha.*slider_bar.*dop853 or rk4"):
        Config().create(generalized_alpha.Config(), 1e3)
    with pytest.raises(ModelError, match="stability limit"):
        Config(spring_stiffness=1e9).create(rk4.Config(step=1e-3), 1e3)
    with pytest.raises(ModelError, match="input"):
        Config().create(FINE, 1e3, "stroke")


def test_a_run_without_bounds_stops_with_its_time() -> None:
    resonant = dataclasses.replace(EXACT, friction=0.0, static_friction=0.0, drive_force=1e9, drive_speed=math.sqrt(1.0 / 3.0))
    with pytest.raises(NotConverged, match="stopped at"):
        Run(resonant, 100, rate=10.0)


def test_karnopp_law_sticks_slides_and_yields() -> None:
    p = np.array([0.03, 0.04, 1e-3])
    assert karnopp.force(0.5e-3, 0.02, 1.0, p) == -0.02
    assert karnopp.force(0.5e-3, 0.05, 1.0, p) == -0.04
    assert karnopp.force(-0.5e-3, -0.05, 1.0, p) == 0.04
    assert karnopp.force(2e-3, -0.05, 1.0, p) == -0.03
    assert karnopp.force(-2e-3, 0.05, 1.0, p) == 0.03
    assert [karnopp.ratio(mode, p) for mode in range(-2, 3)] == [0.04, 0.03, 0.0, -0.03, -0.04]
