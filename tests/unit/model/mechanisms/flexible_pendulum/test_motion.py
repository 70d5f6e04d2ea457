"""Flexible pendulum: order of the method, energy, angular momentum, a rigid pendulum as its limit, another solver's motion."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from model.bodies.ancf_beam3d.beam import FORMULATIONS
from model.contact.force import force
from model.errors import ModelError
from model.integrators import dop853, generalized_alpha
from model.mechanisms.flexible_pendulum import Config, kernel
from model.mechanisms.flexible_pendulum.config import Bar
from model.mechanisms.flexible_pendulum.stepper import start, weight
from model.stepping.implicit import Constrained, ImplicitStepper, Kernels

Floats = NDArray[np.float64]


def moved(config: Config, step: float, duration: float, samples: int = 1, rho_inf: float = 0.7) -> tuple[Any, Floats]:
    """The stepper at the end, and `samples` + 1 output samples from 0 to `duration`."""
    integrator = generalized_alpha.Config(step=step, rho_inf=rho_inf, tolerance=1e-10)
    stepper = config.create(integrator, samples / duration)
    stepper.start(np.zeros(1))
    return stepper, stepper.advance(np.zeros(samples + 1))


def parts(state: Floats) -> tuple[Floats, Floats, Floats]:
    """q, v, lam."""
    n = (len(state) - 3) // 3
    return state[:n], state[n : 2 * n], state[3 * n :]


def test_order_two_in_coordinates_velocities_and_multipliers() -> None:
    """Damped, so that the fast modes that the start excites have died; a spatial motion."""
    config = Config(bar=Bar(elements=4, damping=1e-3), turning=2.0)
    ends = [parts(moved(config, 0.2 / steps, 0.2)[0].state) for steps in (200, 400, 800, 1600)]
    for part in range(3):
        changes = [float(np.max(np.abs(fine[part] - coarse[part]))) for coarse, fine in pairwise(ends)]
        slopes = np.log2(np.divide(changes[:-1], changes[1:]))
        assert slopes == pytest.approx([2.0, 2.0], abs=0.05), part


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_energy_and_angular_momentum_about_the_vertical(formulation: str) -> None:
    """Without dissipation (rho_inf = 1) both stay, but for the method's error of second order."""
    config = Config(bar=Bar(elements=2, formulation=formulation), turning=3.0, start_angle=0.4)
    beam = config.bar.beam
    mass, load = beam.mass_matrix(), weight(config)
    errors = []
    for step in (2e-4, 1e-4):
        stepper, _ = moved(config, step, 0.3, rho_inf=1.0)
        q, v, _ = parts(stepper.state)
        energy = 0.5 * v @ mass @ v + beam.strain_energy(q) - load @ q
        momentum = np.cross(q.reshape(-1, 3), (mass @ v).reshape(-1, 3)).sum(axis=0)[2]
        stepper.start(np.zeros(1))
        q, v, _ = parts(stepper.state)
        start = 0.5 * v @ mass @ v - load @ q
        turning = np.cross(q.reshape(-1, 3), (mass @ v).reshape(-1, 3)).sum(axis=0)[2]
        errors.append((abs(energy - start) / (beam.mass * 9.81), abs(momentum / turning - 1.0)))
    assert max(errors[1]) < 1e-3
    assert np.all(np.array(errors[1]) < 0.35 * np.array(errors[0]))


def test_a_stiff_bar_falls_as_a_rigid_one() -> None:
    """From the level to the bottom in K(1/2) sqrt(2 L/(3 g)); the joint then carries 5/2 of the weight."""
    config = Config(bar=Bar(elements=3, youngs_modulus=1e9, damping=1e-3))
    quarter = float(ellipk(0.5)) * math.sqrt(2.0 / (3.0 * 9.81))
    _, samples = moved(config, 2e-4, quarter)
    tip_x, tip_y, tip_z = samples[-1, :3]
    assert tip_x == pytest.approx(0.0, abs=2e-3)
    assert tip_y == pytest.approx(0.0, abs=1e-12)
    assert tip_z == pytest.approx(-1.0, abs=1e-4)
    assert samples[-1, 8] == pytest.approx(2.5 * 0.48 * 9.81, rel=2e-3)


def test_the_motion_is_that_of_another_solver() -> None:
    """Minimal coordinates: without the held ones, M v' = f by Radau's method of order five."""
    config = Config(bar=Bar(elements=2, damping=1e-3), turning=2.0)
    beam, duration = config.bar.beam, 0.15
    inverse, load = np.linalg.inv(beam.mass_matrix()[3:, 3:]), weight(config)[3:]

    def slope(t: float, y: Floats) -> Floats:
        q, v = (np.concatenate([np.zeros(3), part]) for part in np.split(y, 2))
        return np.concatenate([v[3:], inverse @ (load - beam.internal_force(q, v)[3:])])

    def jacobian(t: float, y: Floats) -> Floats:
        q, v = (np.concatenate([np.zeros(3), part]) for part in np.split(y, 2))
        of_q, of_v = (-inverse @ part[3:, 3:] for part in (beam.stiffness(q, v), beam.damping_matrix(q)))
        return np.block([[np.zeros_like(of_q), np.eye(len(of_q))], [of_q, of_v]])

    stepper, _ = moved(config, 5e-5, duration)
    found = parts(stepper.state)
    stepper.start(np.zeros(1))
    q, v, _ = parts(stepper.state)
    exact = solve_ivp(slope, (0.0, duration), np.concatenate([q[3:], v[3:]]), "Radau", jac=jacobian, rtol=1e-8, atol=1e-9).y[:, -1]
    assert np.max(np.abs(found[0][3:] - exact[: len(load)])) < 1e-6
    assert np.max(np.abs(found[0][:3])) < 1e-12


def test_the_forms_agree_where_none_of_them_is_coarse() -> None:
    """The soft bar bends by a tenth of its length; the whole continuum bends a fifth too little and is told by it."""
    tips = {}
    for formulation in FORMULATIONS:
        bar = Bar(elements=6, youngs_modulus=40e6, damping=2e-3, formulation=formulation)
        tips[formulation] = moved(Config(bar=bar), 1e-3, 0.3)[1][-1, :3]
    line, enhanced, paper = (tips[name] for name in FORMULATIONS)
    assert np.linalg.norm(enhanced - line) < 5e-3
    assert np.linalg.norm(paper - line) > 2.0 * np.linalg.norm(enhanced - line)


def test_the_condensed_motion_is_that_of_the_whole_matrix() -> None:
    """Newton's iteration ends within the tolerance either way; so little is left that a turn of the swing differs in the tenth digit."""
    config = Config(bar=Bar(elements=3, damping=1e-3), turning=2.0)
    beam, integrator = config.bar.beam, generalized_alpha.Config(step=1e-3, tolerance=1e-10)
    whole = Constrained(
        kernels=Kernels(kernel.residual, kernel.system, kernel.guards, kernel.switch, kernel.channels, force),
        parameters=np.concatenate([beam.parameters, weight(config)]),
        coordinates=beam.coordinates, constraints=kernel.HELD, guards=1, channels=9, force=beam.mass * 9.81, length=1.0, mass=beam.mass,
    )  # fmt: skip
    steppers = ImplicitStepper(whole, integrator, 100.0, lambda: start(config)), config.create(integrator, 100.0)
    states = []
    for stepper in steppers:
        stepper.start(np.zeros(1))
        stepper.advance(np.zeros(31))
        states.append(parts(stepper.state))
    for dense, condensed in zip(*states, strict=True):
        assert np.max(np.abs(dense - condensed)) < 1e-6 * max(1.0, np.max(np.abs(dense)))
    assert steppers[1].work["factored"] < steppers[0].work["factored"]


def test_integrators_that_do_not_suit_are_refused() -> None:
    with pytest.raises(ModelError, match="dop853 does not suit flexible_pendulum; choose generalized_alpha"):
        Config().create(dop853.Config(), 1e3)


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"gravity": math.nan}, "gravity"), ({"turning": math.inf}, "turning"), ({"start_angle": math.nan}, "start_angle")],
)
def test_bad_input_is_named(changed: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        replace(Config(), **changed)
    with pytest.raises(ValueError, match="elements: expected at least 1"):
        Bar(elements=0)
