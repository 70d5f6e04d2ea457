"""Integrators: the slope of the error is the order, through contact as well where contact is located."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.contact.impact import Impact, integrated_restitution
from model.contact.restitution import exact_damping
from model.errors import ModelError, NotConverged
from model.integrators import dop853, memory, order_conditions, rk4
from model.integrators.tableau import Tableau
from model.mechanisms.linkage import Config
from model.mechanisms.linkage.config import Contact
from model.mechanisms.linkage.stepper import closed_chain
from model.stepping.explicit import Stepper

Floats = NDArray[np.float64]
RATE = 20e3
STROKE = 3
SMOOTH = Config(load_source="ideal", clearance=0.0, joint_stiffness=2e8)


def fixed(step: float) -> dop853.Config:
    """The adaptive pair with a tolerance so wide that only the longest step counts."""
    return dop853.Config(tolerance=1e-2, longest_step=step)


def stroke(config: Config, integrator: Any, duration: float) -> Floats:
    stepper = config.create(integrator, RATE)
    samples = round(duration * RATE)
    command = 10e3 * np.sin(2 * np.pi * 20.0 * np.arange(samples + stepper.lookahead) / RATE)
    stepper.start(command[: stepper.lookahead])
    return stepper.advance(command[stepper.lookahead :])[:, STROKE]


def slope(config: Config, make: Any, steps: Floats, duration: float) -> float:
    """Exponent of the largest error of the stroke over the step, dense output included."""
    reference = stroke(config, dop853.Config(tolerance=1e-13, longest_step=1e-4), duration)
    errors = [np.max(np.abs(stroke(config, make(float(step)), duration) - reference)) for step in steps]
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


def soft(exponent: float, stiffness: float) -> Config:
    """A linkage whose contact lasts many steps."""
    contact = Contact(stiffness=stiffness, exponent=exponent)
    return Config(load_source="ideal", clearance=0.4e-3, middle_mass=60.0, contact=contact)


EIGHTH, FOURTH = 6e-4 / 2 ** (np.arange(8) / 4), 8e-5 / 2 ** (np.arange(8) / 2)


@pytest.fixture
def further_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples by the extension of the method's own order, whatever the tolerance."""
    tableau = replace(dop853.tableau(), free=np.empty((0, 0)))
    monkeypatch.setattr(dop853, "tableau", lambda: tableau)


@pytest.fixture
def undoubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No step is shortened because its last two stages are far apart: of the tolerances there are none is wide enough for that."""
    monkeypatch.setattr(memory, "DOUBTFUL", np.inf)


METHODS = [(fixed, EIGHTH, 8), (rk4.Config, FOURTH, 4)]


@pytest.mark.parametrize(("make", "steps", "order"), METHODS, ids=["dop853", "rk4"])
@pytest.mark.usefixtures("further_stages")
def test_the_slope_is_the_order_on_a_smooth_motion(make: Any, steps: Floats, order: int) -> None:
    assert slope(SMOOTH, make, steps, 0.020) == pytest.approx(order, abs=0.08 * order)


@pytest.mark.usefixtures("undoubted")
def test_samples_from_the_extension_without_further_stages_have_its_own_order() -> None:
    """Sixth order in the state, so h^7 within a step; the tolerance of `fixed` is so wide that it is always good enough."""
    assert slope(SMOOTH, fixed, EIGHTH, 0.020) == pytest.approx(7, abs=0.08 * 7)


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7, 1e-9, 1e-11])
def test_the_extension_without_further_stages_serves_where_it_is_within_the_tolerance(tolerance: float) -> None:
    """Samples between the ends of steps are as good as with the other one, whatever is chosen."""
    reference = stroke(SMOOTH, dop853.Config(tolerance=1e-13, longest_step=1e-4), 0.02)
    error = np.max(np.abs(stroke(SMOOTH, dop853.Config(tolerance=tolerance), 0.02) - reference))
    assert error < 30 * tolerance * np.max(np.abs(reference))


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6])
def test_the_free_extension_fulfils_the_order_conditions_within_the_step(order: int) -> None:
    tableau = dop853.tableau()
    a, b = tableau.a[: tableau.main, : tableau.main], tableau.a[tableau.main - 1, : tableau.main]
    first, last = np.eye(tableau.main)[0], np.eye(tableau.main)[-1]
    for x in np.linspace(0.1, 1.0, 7):
        rest = 1.0 - x
        tail = tableau.free[0] + x * (tableau.free[1] + rest * tableau.free[2])
        share = x * (b + rest * (first - b + x * (2.0 * b - first - last + rest * tail)))
        for tree in order_conditions.trees(order):
            wanted = x**order / order_conditions.density(tree)
            assert share @ order_conditions.weights(tree, a) == pytest.approx(wanted, abs=1e-11)


def test_rooted_trees_are_as_many_as_there_are() -> None:
    assert [len(order_conditions.trees(order)) for order in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


def test_an_order_that_the_stages_do_not_give_is_refused() -> None:
    with pytest.raises(ModelError, match="order 7"):
        order_conditions.free_extension(dop853.tableau().a[:13, :13], order=7, terms=4)


IMPACT = {"stiffness": 1e9, "mass": 1.0, "speed": 1.0}
FEWEST = {8: 3.0, 4: 8.0}  # steps in delta_max/v0 from which on the error falls with the order


@pytest.mark.parametrize("exponent", [1.0, 2.0])
@pytest.mark.parametrize("tableau", [dop853.tableau(), rk4.TABLEAU], ids=["dop853", "rk4"])
def test_an_impact_keeps_the_order_though_the_law_has_a_kink_where_it_ends(tableau: Tableau, exponent: float) -> None:
    """Whatever share of the step in which the bodies part lies behind."""
    impact = Impact(exponent=exponent, damping=exact_damping(0.6), **IMPACT)
    steps = FEWEST[tableau.order] * 2 ** (np.arange(12) / 6)
    errors = [abs(integrated_restitution(impact, tableau, 1e-2, float(count)) - 0.6) for count in steps]
    assert np.polyfit(np.log(1 / steps), np.log(errors), 1)[0] == pytest.approx(tableau.order, abs=0.1 * tableau.order)


@given(st.floats(-12.0, -5.0), st.sampled_from([1.0, 1.5, 2.0]), st.floats(0.05, 1.0), st.floats(1.0, 50.0))
def test_the_error_of_an_impact_follows_the_tolerance(exponent: float, n: float, restitution: float, steps: float) -> None:
    tolerance = 10.0**exponent
    impact = Impact(exponent=n, damping=exact_damping(restitution), **IMPACT)
    assert integrated_restitution(impact, dop853.tableau(), tolerance, steps) == pytest.approx(restitution, abs=10 * tolerance)


@pytest.mark.parametrize(("make", "steps", "order"), METHODS, ids=["dop853", "rk4"])
@pytest.mark.usefixtures("further_stages", "undoubted")
def test_located_contact_keeps_the_order(make: Any, steps: Floats, order: int) -> None:
    assert slope(soft(1.0, 6e7), make, steps, 0.0075) == pytest.approx(order, abs=0.2 * order)


@pytest.mark.parametrize(("make", "steps", "order"), METHODS, ids=["dop853", "rk4"])
@pytest.mark.usefixtures("further_stages", "undoubted")
def test_located_contact_converges_as_the_law_lets_it_where_it_is_not_smooth(make: Any, steps: Floats, order: int) -> None:
    """delta^1.5 has no second derivative at first touch: h^2.5 in the force, h^3.5 in what follows from it, at any order of the method."""
    assert slope(soft(1.5, 2e10), make, steps, 0.0075) > min(order, 2.2)


@pytest.mark.parametrize("tableau", [dop853.tableau(), rk4.TABLEAU], ids=["dop853", "rk4"])
def test_a_tableau_is_consistent(tableau: Tableau) -> None:
    assert np.allclose(tableau.a.sum(axis=1), tableau.c, atol=1e-14)
    assert np.all(np.triu(tableau.a) == 0.0)
    sizes = np.array([0.5, 1.0])
    errors = [abs(tableau.growth(z) - np.exp(z)) for z in sizes]
    assert np.log2(errors[1] / errors[0]) == pytest.approx(tableau.order + 1, abs=0.6)


@pytest.mark.parametrize(("tableau", "real", "imaginary"), [(rk4.TABLEAU, 2.785, 2.828), (dop853.tableau(), 6.4, 6.0)])
def test_the_stability_limit_is_where_the_linear_test_grows(tableau: Tableau, real: float, imaginary: float) -> None:
    assert tableau.stable_step(np.array([-10.0 + 0j])) == pytest.approx(real / 10, rel=0.02)
    assert tableau.stable_step(np.array([-10.0 + 0j, 40j, -40j])) == pytest.approx(imaginary / 40, rel=0.02)
    assert tableau.stable_step(np.array([0.0, 1e-3 + 0j])) == np.inf  # what stays, or grows by itself, sets no limit


def test_the_error_follows_the_tolerance() -> None:
    reference = stroke(SMOOTH, dop853.Config(tolerance=1e-13), 0.02)
    free = [dop853.Config(tolerance=tolerance, longest_step=1e-2) for tolerance in (1e-4, 1e-6, 1e-8)]  # which nothing else bounds
    errors = [np.max(np.abs(stroke(SMOOTH, integrator, 0.02) - reference)) for integrator in free]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-8 * np.max(np.abs(reference))


def still(share: float, amplitude: float) -> Stepper:
    """A linkage without clearance that is pushed by nothing, its fastest mode about `amplitude` of a usual size away from rest.

    share: fixed step as a share of the stability limit, past the check of it that `create` makes.
    """
    made = SMOOTH.create(rk4.Config(step=1e-6), RATE)
    limit = rk4.TABLEAU.stable_step(np.linalg.eigvals(closed_chain(SMOOTH, made._motion.parameters)).astype(np.complex128))
    stepper = Stepper(made._motion, rk4.TABLEAU, 1.0, share * limit, RATE, made._rest)
    inputs = np.zeros(stepper.lookahead)
    stepper.start(inputs)
    away = amplitude * stepper.usual * np.where(np.arange(len(stepper.usual)) % 2 == 0, 1.0, -1.0)
    stepper.start(inputs, stepper.state + away)
    return stepper


@pytest.mark.parametrize("amplitude", [1e-12, 1e-8, 1e-4])
@pytest.mark.parametrize("share", [1.08, 1.3])
def test_a_fixed_step_above_the_limit_stops_however_small_the_motion_was(share: float, amplitude: float) -> None:
    """What is too small to tell a rate from is not looked at; an unstable mode does not stay so.

    Where nothing bounds it, it is beyond all bounds before it has been seen often enough; with a contact it is the step that is named
    (test_a_step_that_turns_out_unstable_stops_the_run).
    """
    with pytest.raises(NotConverged, match=r"above the stability limit|beyond all bounds"):
        still(share, amplitude).advance(np.zeros(1000))


@pytest.mark.parametrize("amplitude", [0.0, 1e-12, 1e-8, 1e-4])
def test_a_fixed_step_below_the_limit_is_left_alone_at_rest_and_near_it(amplitude: float) -> None:
    assert np.all(np.isfinite(still(0.9, amplitude).advance(np.zeros(2000))))
