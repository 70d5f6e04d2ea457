"""Steps towards the end of a contact: what they leave of the error where the law has no second derivative; that others keep the order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from model.compiled.signatures import CHANNELS, GUARDS, RHS, SWITCH, ContactLaw, compiled
from model.contact.force import force, parameters
from model.contact.impact import Impact, integrated_restitution
from model.contact.restitution import exact_damping
from model.integrators import dop853, memory, rk4
from model.integrators.tableau import Tableau
from model.joints import contact
from model.stepping.explicit import Kernels, Motion, Stepper

Floats = NDArray[np.float64]
RESTITUTION = 0.6
STEPS = 3.0 * 2 ** (np.arange(12) / 6)  # in delta_max/v0, at least
GAP = 1.3  # of delta_max: what it flies before


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """A mass of 1 kg that flies against a wall; y: penetration and its rate."""
    dy[0], dy[1] = y[1], 0.0
    if contact.touching(s, 0):
        dy[1] = -law(y[0], y[1], s)
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Of the wall."""
    g[0], g_rate[0] = contact.guard(s, 0, y[0], y[1])
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """The wall's."""
    return contact.switch(s, 0, y[1], 1e-9)


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Its speed."""
    values[0] = y[1]
    return 0


class Rebound(NamedTuple):
    """Error of the speed that is given back, share of the speed of approach; steps taken back; speeds noted of begins and ends."""

    error: float
    rejected: int
    noted: list[float]


def impact(exponent: float) -> Impact:
    """Of 1 kg at 1 m/s."""
    return Impact(stiffness=1e9, exponent=exponent, mass=1.0, speed=1.0, damping=exact_damping(RESTITUTION))


def rebound(exponent: float, steps: float, tolerance: float = 1e-2, tableau: Tableau | None = None) -> Rebound:
    """Flight, impact, flight; `steps` that delta_max/v0 takes at least. The wall's begin is an event, so its end is known to be one."""
    free = impact(exponent)
    depth, unit = free.largest_penetration, free.largest_penetration / free.speed
    motion = Motion(Kernels(rhs, guards, switch, channels, force), np.zeros(1), np.array([depth, free.speed]), 1, 1, 1, 0.0)
    start = np.array([-GAP * depth, free.speed])
    law = parameters(free.stiffness, exponent, free.damping)
    stepper = Stepper(motion, tableau or dop853.tableau(), tolerance, unit / steps, 1.0 / unit, lambda _: (start, law.copy()))
    stepper.start(np.zeros(stepper.lookahead))
    stepper.advance(np.zeros(12))
    noted = [event.noted for event in stepper.events]
    return Rebound(abs(-stepper.state[1] / free.speed - RESTITUTION), stepper.work["rejected"], noted)


def without(exponent: float, steps: float) -> float:
    """The same error where the run begins in contact, of whose end nothing is known beforehand."""
    return abs(integrated_restitution(impact(exponent), dop853.tableau(), 1e-2, steps) - RESTITUTION)


@pytest.fixture(autouse=True)
def undoubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the longest step counts."""
    monkeypatch.setattr(memory, "DOUBTFUL", np.inf)


def test_the_contact_begins_and_ends() -> None:
    assert rebound(1.5, 5.0).noted == [pytest.approx(1.0), 0.0]


def slope(exponent: float) -> float:
    errors = [rebound(exponent, float(steps)).error for steps in STEPS]
    return float(np.polyfit(np.log(1.0 / STEPS), np.log(errors), 1)[0])


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_a_smooth_law_keeps_the_order(exponent: float) -> None:
    assert slope(exponent) == pytest.approx(8.0, abs=0.8)


def test_a_law_without_a_second_derivative_converges_as_it_lets() -> None:
    assert slope(1.5) > 2.2


def test_of_its_error_a_tenth_is_left() -> None:
    """By the middle of twelve: where in a step the end comes is chance."""
    graded = np.array([rebound(1.5, float(steps)).error for steps in STEPS[-6:]])
    plain = np.array([without(1.5, float(steps)) for steps in STEPS[-6:]])
    assert np.median(graded / plain) < 0.1


def test_the_way_to_the_end_is_divided_once() -> None:
    assert [rebound(1.5, float(steps)).rejected for steps in STEPS] == [1] * len(STEPS)


def test_a_fixed_step_is_not_divided() -> None:
    assert rebound(2.0, 20.0, tableau=rk4.TABLEAU).rejected == 0


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
def test_the_error_follows_the_tolerance(exponent: float, tolerance: float) -> None:
    assert rebound(exponent, 1.0, tolerance).error < 3 * tolerance
