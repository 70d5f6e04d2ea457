"""The driven slider, flexible, without inertia across the guide: balance, the rigid limit, friction of the nodes, any mesh, refusals."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.errors import ModelError
from model.integrators import dop853, generalized_alpha, rk4
from model.mechanisms import slider_bar
from model.mechanisms.slider_bar import kernel as rigid
from model.mechanisms.slider_bar_flexible import Config, contact
from model.mechanisms.slider_bar_flexible.condensed import compliance, interface
from tests.each_row import each_row
from tests.tiers import quick

Floats = NDArray[np.float64]
X, V, STICKING, TORQUE, FRICTION, SUM = range(6)
NORMALS, FRICTIONS = slice(6, 10), slice(10, 14)
USUAL = dop853.Config(tolerance=1e-8, longest_step=1e-2)  # of configs/experiments/slider_bar_flexible.toml
FINE = dop853.Config(tolerance=1e-10, longest_step=1e-2)
EXACT = Config(stick_band=0.0)
COARSE = Config(stick_band=0.0, columns=8, rows=5, hinge_radius=0.1)


def run(config: slider_bar.Config, seconds: float, rate: float = 200.0, integrator: Any = USUAL) -> tuple[Any, Floats, Floats]:
    made = config.create(integrator, rate)
    made.start(np.zeros(made.lookahead))
    samples = round(seconds * rate) + 1
    return made, np.arange(samples) / rate, made.advance(np.zeros(samples))


def same_but_rigid(config: Config) -> slider_bar.Config:
    return slider_bar.Config(**{f.name: getattr(config, f.name) for f in dataclasses.fields(slider_bar.Config)})


def normal(config: Config, t: Floats) -> Floats:
    swing = 0.5 * config.bar_mass * config.bar_length
    return (config.bar_mass + config.slider_mass) * config.gravity - swing * config.speed**2 * np.sin(config.speed * t)


CASES = (EXACT, Config(), Config(stick_band=0.0, motor_mount="ground"), COARSE, Config(stick_band=0.0, youngs_modulus=2.1e8))
IDS = ("exact", "banded", "ground", "coarse", "soft")


@pytest.mark.parametrize("config", CASES, ids=IDS)
def test_forces_balance_and_the_nodes_keep_their_laws(config: Config) -> None:
    _, t, values = run(config, 9.0, rate=100.0)
    assert values[:, NORMALS].sum(axis=1) == pytest.approx(normal(config, t), abs=1e-9)
    assert values[:, FRICTIONS].sum(axis=1) == pytest.approx(values[:, FRICTION], abs=1e-9)
    assert np.abs(values[:, NORMALS]).sum(axis=1) == pytest.approx(values[:, SUM], abs=1e-9)
    assert np.all(values[:, 6:8] <= 1e-9)
    assert np.all(values[:, 8:10] >= -1e-9)
    limit = np.where(values[:, STICKING] > 0, config.static_friction, config.friction)[:, None]
    if config.stick_band == 0.0:
        assert np.all(np.abs(values[:, FRICTIONS]) <= limit * np.abs(values[:, NORMALS]) + 1e-8)
    stuck = values[:, STICKING] > 0
    swing, theta = 0.5 * config.bar_mass * config.bar_length, config.speed * t
    external = config.drive_force * np.sin(config.drive_speed * t) - values[:, X] + swing * config.speed**2 * np.cos(theta)
    assert stuck.sum() > 30
    assert values[stuck, FRICTION] == pytest.approx(-external[stuck], abs=1e-7)


@pytest.mark.parametrize("mount", quick(["slider", "ground"], 1))
def test_it_moves_as_the_rigid_one(mount: str) -> None:
    """Sliding, friction is mu S, and S follows from N and the moment at the corners, whatever the springs: only sticking differs."""
    config = Config(stick_band=0.0, motor_mount=mount)
    flexible, _, values = run(config, 16.0, integrator=FINE)
    stiff, _, wanted = run(same_but_rigid(config), 16.0, integrator=FINE)
    assert values[:, X] == pytest.approx(wanted[:, X], abs=2e-8)
    assert values[:, V] == pytest.approx(wanted[:, V], abs=1e-6)  # samples in a step with a change of faces: the interpolant is smooth
    assert values[:, TORQUE] == pytest.approx(wanted[:, TORQUE], abs=2e-7)
    moving = values[:, STICKING] == 0
    assert values[moving, SUM] == pytest.approx(wanted[moving, SUM], abs=2e-7)
    assert [e.noted for e in flexible.events] == [e.noted for e in stiff.events]
    assert [e.time for e in flexible.events] == pytest.approx([e.time for e in stiff.events], abs=1e-6)


def test_two_sided_contact_is_the_motor_s_that_sits_on_the_slider() -> None:
    for mount, share in (("slider", 0.6), ("ground", 0.0)):
        areas = np.abs(run(Config(stick_band=0.0, motor_mount=mount), 8.0, rate=50.0)[2][:, NORMALS]) > 1e-9
        assert (areas[:, :2].any(axis=1) & areas[:, 2:].any(axis=1)).mean() == pytest.approx(share, abs=0.15)


def test_where_the_rigid_slider_leaves_the_friction_open_the_springs_decide() -> None:
    _, _, values = run(EXACT, 0.0)
    assert values[0, FRICTIONS] == pytest.approx([0.5 * values[0, FRICTION], 0.0, 0.0, 0.5 * values[0, FRICTION]], rel=1e-3)
    _, _, weak = run(dataclasses.replace(EXACT, drive_force=9.0), 0.2, rate=1e3)
    held = weak[weak[:, STICKING] > 0]
    rear, front = np.abs(held[:, 10]), np.abs(held[:, 13])
    slips = rear > 0.04 * np.abs(held[:, 6]) - 1e-9  # the corner with less normal force has slipped, the other one holds what is left
    assert 0 < slips.sum() < len(held)
    assert np.all(front[slips] > rear[slips] + 1e-6)


@each_row("play", [0.0, 1e-6, 1e-4])
@pytest.mark.parametrize(("sliding", "static"), quick([(0.03, 0.04), (0.05, 0.06), (0.1, 0.12), (0.3, 0.4)], [(0.1, 0.12)]))
def test_whatever_the_friction_and_the_play_a_slider_that_sticks_is_held_by_what_pulls_at_it(
    sliding: float, static: float, play: float
) -> None:
    """Also where nodes slip towards each other while the slider tilts, and where one corner alone is left in contact."""
    config = dataclasses.replace(EXACT, friction=sliding, static_friction=static, total_clearance=play)
    _, t, values = run(config, 7.0, rate=50.0)
    stuck = values[:, STICKING] > 0
    theta = config.speed * t
    pulled = config.drive_force * np.sin(config.drive_speed * t) - config.spring_stiffness * values[:, X]
    pulled += 0.5 * config.bar_mass * config.bar_length * config.speed**2 * np.cos(theta)
    assert stuck.sum() > 10
    assert values[stuck, FRICTIONS].sum(axis=1) == pytest.approx(-pulled[stuck], abs=1e-8)
    assert values[:, NORMALS].sum(axis=1) == pytest.approx(normal(config, t), abs=1e-8)
    assert np.all(np.abs(values[:, FRICTIONS]) <= static * np.abs(values[:, NORMALS]) + 1e-8)


@pytest.mark.long
def test_a_softer_slider_s_corner_gives_way_and_shares_its_load_with_its_neighbours() -> None:
    made, _, _ = run(EXACT, 0.1)
    soft, _, _ = run(dataclasses.replace(EXACT, youngs_modulus=2.1e6), 0.1)
    nodes = 2 * 19

    def touching(stepper: Any) -> int:
        w = stepper._s[rigid.DISCRETE :]
        return int(np.sum(w[contact.HEAD + contact.STATE * nodes :][:nodes] != contact.OPEN))

    assert touching(made) == 2
    assert touching(soft) > 2


def test_without_play_both_faces_carry_all_along() -> None:
    """As a stiff slider on springs does that push and pull: n = |N/19 + G x/sum x^2| at each of 19 places."""
    config = dataclasses.replace(EXACT, total_clearance=0.0, friction=0.0, static_friction=0.0)
    _, t, values = run(config, 8.0, rate=20.0)
    x = config.plate.nodes[config.plate.lower_face, 0]
    wanted = np.abs(normal(config, t)[:, None] / len(x) + values[:, TORQUE, None] * x / np.sum(x**2)).sum(axis=1)
    assert values[:, SUM] == pytest.approx(wanted, rel=2e-2)
    assert values[:, SUM].max() > 1.3 * 66.141


def test_nothing_presses_without_weight() -> None:
    _, _, values = run(dataclasses.replace(EXACT, gravity=0.0, motor_mount="ground"), 0.5, rate=100.0)
    assert np.all(np.isfinite(values))
    assert values[0, SUM] == 0.0
    assert values[-1, SUM] > 0.1


def test_the_compliance_is_symmetric_and_only_elastic() -> None:
    c, loads = compliance(COARSE), interface(COARSE)
    assert c == pytest.approx(c.T)
    assert np.linalg.eigvalsh(c).min() > -1e-12 * np.abs(c).max()
    moved = COARSE.plate.rigid.T @ loads
    assert moved[:2, -3:] == pytest.approx(np.array([[1.0, 0, 0], [0, 1.0, 0]]), abs=1e-12)
    assert moved[2, -3:] == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)


def test_rk4_agrees() -> None:
    _, _, one = run(COARSE, 2.0, rate=20.0)
    _, _, other = run(COARSE, 2.0, rate=20.0, integrator=rk4.Config(step=1e-3))
    assert other[:, X] == pytest.approx(one[:, X], abs=1e-7)


def test_few_evaluations_a_second() -> None:
    """What a second costs is counted in evaluations; in seconds, where it is measured: `rig benchmark slider_bar_flexible`."""
    made = Config().create(USUAL, 1e3)
    made.start(np.zeros(made.lookahead))
    made.advance(np.zeros(8000))
    assert made.work["evaluations"] < 1500 * 8


BAD: dict[str, Any] = {
    "youngs_modulus": 0.0, "thickness": -1.0, "normal_stiffness": 0.0, "tangential_stiffness": -1.0, "columns": 0, "rows": 0,
    "poisson_ratio": 0.5, "contact_damping": -1.0, "modes": -1, "slider_mass": -1.0, "stick_band": -1.0, "total_clearance": -1e-4,
    "hinge_radius": 0.0,
}  # fmt: skip


@each_row("name", BAD)
def test_bad_values_are_named(name: str) -> None:
    with pytest.raises(ValueError, match="mass" if name == "slider_mass" else name):
        Config(**{name: BAD[name]})


def test_what_does_not_suit_is_refused() -> None:
    with pytest.raises(ModelError, match=r"generalized_alpha.*slider_bar_flexible.*newmark"):
        Config().create(generalized_alpha.Config(), 1e3)
    with pytest.raises(ModelError, match="hinge_radius"):
        Config(hinge_radius=1e-3).create(USUAL, 1e3)
    with pytest.raises(ModelError, match="input"):
        Config().create(USUAL, 1e3, "command")
