"""The step of a pseudo-dynamic test against solutions from elsewhere: closed form, scipy, another way to the stability limit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from rig.hybrid.growth import amplification, growth
from rig.hybrid.splitting import BETA, Splitting, State, Structure

MASS, STIFFNESS = 120e3, 19.6e6
OMEGA = math.sqrt(STIFFNESS / MASS)
ORDER = {"central_difference": 2, "fourth_order": 4, "average_acceleration": 2}
SCHEMES = pytest.mark.parametrize("scheme", BETA)


def marched(method: Splitting, steps: int, force: object, load: object, begin: tuple[float, float] = (1e-3, 0.0)) -> list[State]:
    """States 0 .. steps with force(d) and load(t)."""
    states = [method.start(*begin, force(begin[0]), load(0.0))]  # type: ignore[operator]
    for n in range(1, steps + 1):
        target = method.target(states[-1])
        states.append(method.complete(states[-1], target, force(target), load(n * method.step)))  # type: ignore[operator]
    return states


def off(scheme: str, step: float, damping: float) -> float:
    """Largest error of two periods of free vibration, as a share of the amplitude."""
    steps = round(4.0 * math.pi / OMEGA / step)
    states = marched(Splitting(Structure(MASS, damping, STIFFNESS), step, BETA[scheme]), steps, lambda d: STIFFNESS * d, lambda t: 0.0)
    t, decay = step * np.arange(steps + 1), 0.5 * damping / MASS
    own = math.sqrt(OMEGA**2 - decay**2)
    exact = 1e-3 * np.exp(-decay * t) * (np.cos(own * t) + decay / own * np.sin(own * t))
    return float(np.max(np.abs([state.displacement for state in states] - exact))) / 1e-3


@SCHEMES
def test_free_vibration_converges_at_the_order_of_the_scheme(scheme: str) -> None:
    coarse, fine = (off(scheme, 2.0 * math.pi / OMEGA / parts, 0.0) for parts in (25, 50))
    assert math.log2(coarse / fine) == pytest.approx(ORDER[scheme], abs=0.1)


@SCHEMES
def test_a_damped_structure_converges_as_well(scheme: str) -> None:
    damping = 0.1 * MASS * OMEGA  # 5 % of critical
    coarse, fine = (off(scheme, 2.0 * math.pi / OMEGA / parts, damping) for parts in (50, 100))
    assert math.log2(coarse / fine) == pytest.approx(2.0, abs=0.15)
    assert fine < 5e-3


@SCHEMES
def test_a_hardening_specimen_under_load_is_that_of_scipy(scheme: str) -> None:
    damping, third = 0.04 * MASS * OMEGA, 4e12  # N/m^3: at 1 mm a fifth of the force

    def force(d: float) -> float:
        return STIFFNESS * d + third * d**3

    def load(t: float) -> float:
        return 3e3 * math.sin(0.7 * OMEGA * t)

    step, steps = 2.0 * math.pi / OMEGA / 200, 600
    states = marched(Splitting(Structure(MASS, damping, STIFFNESS), step, BETA[scheme]), steps, force, load)
    solved = solve_ivp(
        lambda t, y: [y[1], (load(t) - force(y[0]) - damping * y[1]) / MASS], (0.0, steps * step), [1e-3, 0.0],
        t_eval=step * np.arange(steps + 1), rtol=1e-10, atol=1e-14,
    )  # fmt: skip
    assert np.max(np.abs(np.array([state.displacement for state in states]) - solved.y[0])) < 3e-3 * 1e-3


@given(scheme=st.sampled_from(sorted(BETA)), share=st.floats(0.3, 3.0), damped=st.floats(0.0, 0.3), beyond=st.sampled_from([0.98, 1.02]))
def test_the_stated_limit_is_where_the_amplification_passes_one(scheme: str, share: float, damped: float, beyond: float) -> None:
    structure = Structure(MASS, damped * MASS * OMEGA, STIFFNESS)
    limit = Splitting(structure, 1.0, BETA[scheme]).largest_step(share * STIFFNESS)
    method = Splitting(structure, beyond * min(limit, 100.0 / OMEGA), BETA[scheme])
    radius = float(np.max(np.abs(np.linalg.eigvals(amplification(method, share * STIFFNESS, 0.0, False)))))
    assert (radius > 1.0 + 1e-6) == (beyond > 1.0 and limit < 100.0 / OMEGA)


def test_average_acceleration_is_stable_at_any_step_on_a_specimen_that_is_not_stiffer_than_expected() -> None:
    method = Splitting(Structure(MASS, 0.0, STIFFNESS), 0.02, BETA["average_acceleration"])
    assert method.largest_step(STIFFNESS) == math.inf
    assert method.largest_step(1.1 * STIFFNESS) == pytest.approx(2.0 * math.sqrt(MASS / (0.1 * STIFFNESS)))


@given(
    specimen=st.floats(0.8, 1.2), undershoot=st.floats(0.0, 0.03), corrected=st.booleans(), scheme=st.sampled_from(sorted(BETA)),
    step=st.floats(0.05, 0.6),
)  # fmt: skip
def test_growth_is_that_of_a_loader_that_misses_its_target(
    specimen: float, undershoot: float, corrected: bool, scheme: str, step: float
) -> None:
    method = Splitting(Structure(MASS, 0.0, STIFFNESS), step / OMEGA, BETA[scheme])
    stands, k = 1e-3, specimen * STIFFNESS
    state, energies, steps = method.start(1e-3, 0.0, k * 1e-3, 0.0), [], 4000
    for _ in range(steps):
        target = method.target(state)
        stands += (1.0 - undershoot) * (target - stands)
        force = method.at_target(target, stands, k * stands) if corrected else k * stands
        state = method.complete(state, target, force, 0.0)
        energies.append(0.5 * MASS * state.velocity**2 + 0.5 * k * state.displacement**2)
    span = round(4.0 * math.pi / step)  # two periods: what one swings by is in both ends
    grown = math.sqrt(max(energies[-span:]) / max(energies[:span]))
    assert math.log(grown) == pytest.approx(math.log(growth(method, k, undershoot, corrected, steps - span)), abs=0.03)


def test_correction_leaves_of_an_undershoot_only_what_the_stiffness_is_off_by() -> None:
    method = Splitting(Structure(MASS, 0.0, STIFFNESS), 0.02, BETA["fourth_order"])
    plain, corrected = (math.log(growth(method, 1.1 * STIFFNESS, 0.01, flag, 250)) for flag in (False, True))
    assert corrected / plain == pytest.approx(0.1 / 1.1, rel=0.05)
    assert plain == pytest.approx(0.5 * 0.01 * 0.02**2 * 1.1 * OMEGA**2 * 250, rel=0.05)  # e omega h / 2, over n omega h
