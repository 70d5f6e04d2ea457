"""Slider-crank with a flexible rod: the smooth run, two formulations against each other, energy, order of generalised-alpha, bad input."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import simpson

from model.contact.force import force
from model.errors import InconsistentStart, ModelError, NotConverged
from model.friction import velocity_window
from model.integrators import dop853, generalized_alpha, leapfrog, rk4
from model.integrators.method import Integrator
from model.mechanisms import slider_crank
from model.mechanisms.slider_crank.config import Contact
from model.mechanisms.slider_crank_flexible import Config, constrained, kernel
from model.mechanisms.slider_crank_flexible import leapfrog as leaping
from model.mechanisms.slider_crank_flexible import stepper as motion
from model.mechanisms.slider_crank_flexible.config import Rod
from model.mechanisms.slider_crank_flexible.leapfrog_stepper import LeapfrogStepper
from model.spectrum import Spectrum, of_revolutions
from model.stepping.implicit import Constrained, ImplicitStepper
from model.stepping.implicit import Kernels as ConstrainedKernels
from tests.tiers import quick

Floats = NDArray[np.float64]
TORQUE, POSITION, VELOCITY, PENETRATION, JOINT, GUIDE = range(1, 7)
SMOOTH = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(youngs_modulus=2e9))
FINE = dop853.Config(tolerance=1e-8)


def run(config: Config, integrator: Any, duration: float, rate: float = 1e5) -> tuple[Any, Floats]:
    stepper = config.create(integrator, rate)
    stepper.start(np.zeros(stepper.lookahead))
    return stepper, stepper.advance(np.zeros(round(duration * rate) + 1))


@pytest.mark.parametrize(
    "integrator", [FINE, rk4.Config(step=1e-6), leapfrog.Config(step=2e-7), generalized_alpha.Config(step=1e-7, tolerance=1e-9)]
)
def test_the_smooth_run(integrator: Any) -> None:
    _, values = run(SMOOTH, integrator, 1e-3)
    assert values[[20, 50, 100], TORQUE] == pytest.approx([18.8799, 148.4502, 242.2113], rel=1e-3)


@pytest.mark.parametrize("changed", [{}, {"elements": 1}, {"gravity": 300.0}])
def test_both_formulations_give_the_same_forces(changed: dict[str, Any]) -> None:
    """Ideal joints: what the minimal coordinates leave out, the multipliers say."""
    rod = Rod(youngs_modulus=2e9, elements=changed.get("elements", 3))
    config = Config(clearance=0.0, guide_clearance=0.0, rod=rod, gravity=changed.get("gravity", 0.0))
    _, minimal = run(config, FINE, 3e-4)
    _, held = run(config, generalized_alpha.Config(step=1e-7, tolerance=1e-9), 3e-4)
    for channel in (TORQUE, POSITION, VELOCITY, JOINT, GUIDE):
        assert np.max(np.abs(held[:, channel] - minimal[:, channel])) < 5e-4 * np.max(np.abs(minimal[:, channel])), Config.CHANNELS[channel]


JOINTS = [
    Config(guide_clearance=0.0),
    Config(clearance_joint="crank_rod"),
    Config(clearance_joint="crank_rod", guide_clearance=0.0, gravity=9.81),
    Config(clearance=0.0),
    Config(guide_damping=1.0, rod=Rod(damping=2e-6)),
]


@pytest.mark.parametrize("config", JOINTS)
def test_both_formulations_go_the_same_way_through_contacts(config: Config) -> None:
    stepper, minimal = run(config, dop853.Config(tolerance=1e-6), 6e-4)
    coarse, fine = (run(config, generalized_alpha.Config(step=h), 6e-4)[1] for h in (1e-6, 2.5e-7))
    assert len(stepper.events) >= 2
    errors = [np.max(np.abs(values[:, POSITION] - minimal[:, POSITION])) for values in (coarse, fine)]
    assert errors[1] < min(2e-7, errors[0])


def test_generalised_alpha_is_of_second_order_in_positions_velocities_and_multipliers() -> None:
    config = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(youngs_modulus=2e9, elements=2))
    _, exact = run(config, dop853.Config(tolerance=1e-12), 4e-4)
    steps = np.array([1e-6, 5e-7, 2.5e-7])
    found = [run(config, generalized_alpha.Config(step=h, tolerance=1e-9), 4e-4)[1] for h in steps]
    for channel in (POSITION, VELOCITY, TORQUE, JOINT, GUIDE):
        errors = [np.max(np.abs(values[:, channel] - exact[:, channel])) for values in found]
        assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2.0, abs=0.05), Config.CHANNELS[channel]


@pytest.mark.parametrize(("rho", "alpha_m", "alpha_f", "gamma", "beta"), [(0.7, 0.2352941, 0.4117647, 0.6764706, 0.3460208)])
def test_coefficients(rho: float, alpha_m: float, alpha_f: float, gamma: float, beta: float) -> None:
    assert generalized_alpha.coefficients(rho) == pytest.approx((alpha_m, alpha_f, gamma, beta), abs=1e-7)


def shaken(config: Config) -> tuple[Floats, Floats, Floats, int, int]:
    """(y, s, p, n, m) away from the start."""
    y, s, _ = motion.constrained_start(config, motion.parameters(config))
    p = motion.parameters(config)
    m = constrained.count_constraints(p)
    n = (len(y) - m) // 3
    return y + 1e-4 * np.random.default_rng(0).normal(size=len(y)), s, p, n, m


@pytest.mark.parametrize("config", [SMOOTH, Config(rod=Rod(elements=2, damping=1e-6)), Config(clearance_joint="crank_rod")])
def test_the_system_matrix_against_differences(config: Config) -> None:
    y, s, p, n, m = shaken(config)
    c_a, c_v = 1e6, 1e3
    found, columns = np.zeros((n + m, n + m)), []
    constrained.system(0.0, y, found, c_a, c_v, p, s, force)
    for k in range(n + m):
        way = np.zeros_like(y)
        if k < n:
            way[[k, n + k, 2 * n + k]] = 1.0, c_v, c_a
        else:
            way[2 * n + k] = 1.0
        sides, h = [], 1e-5
        for step in (-2.0 * h, -h, h, 2.0 * h):
            r = np.zeros(n + m)
            constrained.residual(0.0, y + step * way, r, p, s, force)
            sides.append(r)
        columns.append((8.0 * (sides[2] - sides[1]) - (sides[3] - sides[0])) / (12.0 * h))
    assert np.max(np.abs(found - np.array(columns).T)) < 1e-8 * np.max(np.abs(found))


def test_the_condition_does_not_depend_on_the_step() -> None:
    y, s, p, n, m = shaken(SMOOTH)
    alpha_m, alpha_f, gamma, beta = generalized_alpha.coefficients(0.7)
    conditions = []
    for h in (1e-7, 1e-9, 1e-11):
        matrix, scale = np.zeros((n + m, n + m)), h * h * beta
        constrained.system(0.0, y, matrix, (1.0 - alpha_m) / (scale * (1.0 - alpha_f)), gamma / (h * beta), p, s, force)
        matrix[:n, :n] *= scale / SMOOTH.rod.mass
        conditions.append(np.linalg.cond(matrix))
    assert conditions == pytest.approx([conditions[0]] * 3, rel=0.05)


def stored(config: Config, y: Floats) -> float:
    """Energy of the bodies and of the contacts, J; without damping in the contacts."""
    p = motion.parameters(config)
    energy = motion.energy(config, y)
    if config.clearance > 0.0:
        depth = max(0.0, kernel.pin_gap(0.0, y, p)[0])
        energy += motion.contact_stiffness(config) * depth**2.5 / 2.5
    if config.guide_clearance > 0.0:
        depths = [max(0.0, kernel.corner_gap(k, y, p)[0]) for k in range(4)]
        energy += 0.5 * motion.guide_stiffness(config) * float(np.sum(np.square(depths)))
    return energy


@dataclass(frozen=True)
class Balance:
    """Energy and the drive's work since the start, J, at some times."""

    energy: Floats
    work: Floats


def balance(config: Config, duration: float, parts: int, rate: float = 10e6) -> Balance:
    """The torque is read from the continuous extension, fine enough for the rod's fastest mode and for contacts."""
    stepper = config.create(dop853.Config(tolerance=1e-10, longest_step=2e-6), rate)
    stepper.start(np.zeros(stepper.lookahead))
    torque, marks = np.zeros(0), [(0.0, stored(config, stepper.state))]
    for _ in range(parts):
        torque = np.append(torque, stepper.advance(np.zeros(round(duration * rate / parts)))[:, TORQUE])
        marks.append((stepper.time, stored(config, stepper.state)))
    torque = np.append(torque, stepper.advance(np.zeros(40))[:, TORQUE])
    work = []
    for time, _ in marks:
        last = int(time * rate)
        beyond = time - last / rate
        end = np.interp(time, [last / rate, (last + 1) / rate], torque[last : last + 2])
        done = simpson(torque[: last + 1], dx=1.0 / rate) if last > 0 else 0.0
        work.append(config.speed * (done + 0.5 * beyond * (torque[last] + end)))
    return Balance(np.array([energy for _, energy in marks]), np.array(work))


ELASTIC = Contact(restitution=1.0)


@pytest.mark.parametrize("config", [SMOOTH, Config(contact=ELASTIC, friction=0.0, rod=Rod(elements=4))])
def test_what_the_drive_does_is_in_the_energy(config: Config) -> None:
    found = balance(config, 6e-4, 4)
    assert np.max(np.abs(found.energy - found.energy[0] - found.work)) < 1e-5 * np.max(found.energy)


@pytest.mark.parametrize(
    "config", [Config(clearance=0.0, guide_clearance=0.0, rod=Rod(damping=2e-6)), Config(contact=ELASTIC, friction=0.1)]
)
def test_damping_and_friction_only_dissipate(config: Config) -> None:
    found = balance(config, 6e-4, 12)
    lost = np.diff(found.work - found.energy)
    assert np.all(lost > -1e-7 * np.max(found.energy))
    assert np.sum(lost) > 1e-5 * np.max(found.energy)


def test_a_stiff_rod_moves_as_a_rigid_one() -> None:
    """Torque of the rigid mechanism from its kinetic energy; the start excites the rod's modes less the stiffer it is."""
    errors = []
    for modulus in (200e9, 3200e9):
        config = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(youngs_modulus=modulus, elements=2, damping=1e-6))
        _, values = run(config, dop853.Config(tolerance=1e-7), 2e-3)
        angle, r, length = values[:, 0], config.crank.length, config.rod.length
        position = r * np.cos(angle) + np.sqrt(length**2 - (r * np.sin(angle)) ** 2)
        errors.append(float(np.max(np.abs(values[:, POSITION] - position))))
    assert errors[1] < 0.1 * errors[0] < 1e-5


def torque_spectrum(config: Config) -> Spectrum:
    """Of the torque over the ideal rigid one."""
    rate = 1e5
    _, values = run(config, dop853.Config(tolerance=1e-4), 7.0 * 2.0 * math.pi / config.speed + 2.0 / rate, rate)
    rigid = slider_crank.Config(clearance=0.0, guide_clearance=0.0).create(dop853.Config(), rate)
    rigid.start(np.zeros(rigid.lookahead))
    return of_revolutions(values[:, TORQUE] - rigid.advance(np.zeros(len(values)))[:, TORQUE], rate, config.speed)


@pytest.mark.parametrize(("modulus", "band"), quick([(2e9, 486.0), (6e9, 958.0), (20e9, 1806.0)], 1))
def test_the_bands_of_the_damped_rod_are_its_modes(modulus: float, band: float) -> None:
    """Middle of three runs whose clearances differ in the sixth digit: a single one is not repeatable."""
    found = []
    for k in range(3):
        gap = 0.05e-3 * (1.0 + 1e-6 * k)
        rod, contact = Rod(youngs_modulus=modulus, damping=2e-6), Contact(restitution=0.5)
        found.append(torque_spectrum(Config(clearance=gap, guide_clearance=gap, guide_damping=1.0, contact=contact, rod=rod)).peak())
    assert float(np.median(found)) == pytest.approx(band, rel=0.1)


@pytest.mark.parametrize(("modulus", "band"), [(2e9, 486.0), (6e9, 958.0)])
def test_the_bands_are_there_without_any_clearance(modulus: float, band: float) -> None:
    rod = Rod(youngs_modulus=modulus, damping=2e-6)
    found = torque_spectrum(Config(clearance=0.0, guide_clearance=0.0, rod=rod))
    assert 0.75 * band < found.peak() < 1.35 * band


@pytest.mark.parametrize("elements", [1, 3, 12])
def test_any_number_of_elements(elements: int) -> None:
    config = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(youngs_modulus=2e9, elements=elements))
    _, values = run(config, FINE, 5e-4)
    assert values[-1, POSITION] == pytest.approx(run(SMOOTH, FINE, 5e-4)[1][-1, POSITION], abs=3e-6)


def test_the_result_does_not_depend_on_how_the_samples_are_asked_for() -> None:
    for integrator in (dop853.Config(tolerance=1e-4), leapfrog.Config(), generalized_alpha.Config()):
        _, whole = run(Config(), integrator, 2e-4)
        stepper = Config().create(integrator, 1e5)
        stepper.start(np.zeros(stepper.lookahead))
        values, low, high = (
            np.concatenate(parts) for parts in zip(*(stepper.advance_with_extremes(np.zeros(7)) for _ in range(3)), strict=True)
        )
        assert np.array_equal(values, whole[:21])
        assert np.all(low[:, : len(Config.CHANNELS)] <= values) and np.all(high[:, : len(Config.CHANNELS)] >= values)


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="elements: expected at least 1, got 0"):
        Rod(elements=0)
    with pytest.raises(ValueError, match="youngs_modulus: expected more than 0 Pa"):
        Rod(youngs_modulus=-2e9)
    with pytest.raises(ValueError, match="rho_inf"):
        generalized_alpha.Config(rho_inf=1.5)
    with pytest.raises(ModelError, match=r"integrator.step 1e-05 s is above the stability limit of this method, 2.0.*e-06 s"):
        Config().create(rk4.Config(step=1e-5), 1e5)
    with pytest.raises(ModelError, match=r"integrator.step 2e-06 s is above the stability limit of this method, 1.16e-06 s"):
        Config().create(leapfrog.Config(step=2e-6), 1e5)
    with pytest.raises(ValueError, match="step: expected more than 0"):
        leapfrog.Config(step=0.0)

    @dataclass(frozen=True)
    class Other(Integrator):
        KIND = "other"
        step: float = 1e-6

    with pytest.raises(ModelError, match="does not suit slider_crank_flexible; expected dop853, rk4, leapfrog or generalized_alpha"):
        Config().create(Other(), 1e5)


@pytest.mark.parametrize("damping", [0.0, 2e-6])
@pytest.mark.parametrize(
    ("method", "limit"), [(rk4, lambda config: rk4.TABLEAU.stable_step(motion.fastest_modes(config))), (leapfrog, motion.leap_limit)]
)
def test_the_stability_limit_is_where_the_motion_grows(method: Any, limit: Any, damping: float) -> None:
    config = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(damping=damping))
    step = limit(config)
    _, calm = run(config, method.Config(step=0.98 * step), 1e-3, 1.0 / (0.98 * step))
    assert np.max(np.abs(calm[:, TORQUE])) < 500.0
    with pytest.raises(ModelError, match="stability limit"):
        run(config, method.Config(step=1.01 * step), 1e-3)


def test_the_leapfrog_is_unstable_just_above_its_limit() -> None:
    config = Config(clearance=0.0, guide_clearance=0.0)
    step = 1.03 * motion.leap_limit(config)
    lines = np.zeros((4, 2 * (config.rod.elements + 1)))
    stepper = LeapfrogStepper(motion.parameters(config), lines, lambda: motion.start(config), force, step, 1.0 / step)
    stepper.start(np.zeros(1))
    with pytest.raises(NotConverged, match="grew beyond all bounds"):
        stepper.advance(np.zeros(20_000))


def test_the_leapfrog_is_of_second_order_and_follows_contacts() -> None:
    steps = np.array([1e-6, 5e-7, 2.5e-7])
    _, exact = run(SMOOTH, dop853.Config(tolerance=1e-11), 5e-4)
    errors = [np.max(np.abs(run(SMOOTH, leapfrog.Config(step=h), 5e-4)[1][:, POSITION] - exact[:, POSITION])) for h in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2.0, abs=0.05)
    rubbing = Config(friction=0.1)
    _, located = run(rubbing, dop853.Config(tolerance=1e-5), 1.2e-3)
    errors = [np.max(np.abs(run(rubbing, leapfrog.Config(step=h), 1.2e-3)[1][:, POSITION] - located[:, POSITION])) for h in steps[1:]]
    assert errors[1] < 0.5 * errors[0] < 1e-6


@given(st.floats(-5.0, 5.0), st.floats(0.0, 10.0), st.floats(1.0, 1e4))
def test_an_impulse_of_friction_obeys_the_law_with_the_speed_it_leaves(sliding: float, normal: float, mobility: float) -> None:
    law = np.array([0.1, 1e-3, 1e-2])
    impulse = leaping.slowed(sliding, normal, mobility, law)
    assert impulse == pytest.approx(velocity_window.force(sliding + mobility * impulse, normal, law), abs=1e-9 * (1.0 + normal))
    assert impulse * sliding <= 0.0


def test_an_iteration_that_does_not_converge_says_when_and_why() -> None:
    with pytest.raises(NotConverged, match=r"stopped at 0.* s: Newton's iteration"):
        run(Config(), generalized_alpha.Config(iterations=1, tolerance=1e-9), 1e-3)


def test_a_start_that_violates_the_constraints_is_refused() -> None:
    y, s, jerk = motion.constrained_start(SMOOTH, motion.parameters(SMOOTH))
    p = motion.parameters(SMOOTH)
    n, m = len(jerk), constrained.count_constraints(p)
    kernels = ConstrainedKernels(constrained.residual, constrained.system, kernel.guards, kernel.switch, constrained.channels, force)
    described = Constrained(kernels, p, n, m, kernel.CONTACTS, len(Config.CHANNELS), force=1e3, length=0.1, mass=0.2)
    for place, named in ((0, "constraints"), (2 * n, "equations of motion")):
        moved = np.array(y)
        moved[place] += 0.01 if place == 0 else 1e3
        with pytest.raises(InconsistentStart, match=named):
            ImplicitStepper(described, generalized_alpha.Config(), 1e5, lambda moved=moved: (moved, s, jerk)).start(np.zeros(1))


def test_the_section_follows_from_mass_length_and_density() -> None:
    beam = Config().rod.beam
    assert math.sqrt(beam.area) == pytest.approx(0.015, rel=2e-3)
    assert beam.area * beam.density * beam.length == pytest.approx(0.21, rel=1e-14)
