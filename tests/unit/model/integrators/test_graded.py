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
from model.integrators import dop853, rk4
from model.integrators.tableau import Tableau
from model.joints import contact
from model.stepping.explicit import Kernels, Motion, Stepper
from tests.each_row import each_row

Floats = NDArray[np.float64]
RESTITUTION = 0.6
TOLERANCES = 10.0 ** -np.arange(4.0, 11.5, 0.5)
PHASES = 1.0 + np.arange(6) / 6  # steps in delta_max/v0, at least
GAP = 0.01  # of delta_max: what it flies before
LASTING = 6  # delta_max/v0: impact, and little flight


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
    """Error of the speed that is given back, share of that of approach; steps taken back; evaluations; what begins and ends noted."""

    error: float
    rejected: int
    evaluations: int
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
    stepper.advance(np.zeros(LASTING))
    noted = [event.noted for event in stepper.events]
    return Rebound(abs(-stepper.state[1] / free.speed - RESTITUTION), stepper.work["rejected"], stepper.work["evaluations"], noted)


def without(exponent: float, tolerance: float, steps: float) -> float:
    """The same error where the run begins in contact, of whose end nothing is known beforehand."""
    return abs(integrated_restitution(impact(exponent), dop853.tableau(), tolerance, steps) - RESTITUTION)


def mean(values: list[float]) -> float:
    """By logarithms: where in a step the end comes is chance."""
    return float(np.exp(np.mean(np.log(values))))


def slope(exponent: float) -> float:
    """Of the error over the evaluations, by logarithms."""
    runs = [[rebound(exponent, float(steps), float(tolerance)) for steps in PHASES] for tolerance in TOLERANCES]
    work = [mean([run.evaluations for run in alike]) for alike in runs]
    return float(np.polyfit(np.log(work), np.log([mean([run.error for run in alike]) for alike in runs]), 1)[0])


def test_the_contact_begins_and_ends() -> None:
    assert rebound(1.5, 5.0).noted == [pytest.approx(1.0), 0.0]


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
def test_the_error_falls_with_the_work_as_the_order_has_it(exponent: float) -> None:
    """Adaptive steps make up for what the law lacks, by short ones at its ends."""
    assert slope(exponent) < -8.0


def test_of_the_error_half_is_left_at_the_most() -> None:
    """Of a law without a second derivative."""
    each = [(float(tolerance), float(steps)) for tolerance in TOLERANCES for steps in PHASES]
    graded = mean([rebound(1.5, steps, tolerance).error for tolerance, steps in each])
    plain = mean([without(1.5, tolerance, steps) for tolerance, steps in each])
    assert graded < 0.5 * plain


def test_a_way_is_not_divided_where_its_error_does_not_count() -> None:
    """At 1e-2 steps are as long as they may be."""
    assert [rebound(1.5, 10.0 * float(steps)).rejected for steps in PHASES] == [0] * len(PHASES)


def test_a_fixed_step_is_not_divided() -> None:
    assert rebound(2.0, 20.0, tableau=rk4.TABLEAU).rejected == 0


@each_row("tolerance", [1e-5, 1e-7, 1e-9])
@each_row("exponent", [1.0, 1.5, 2.0])
def test_the_error_follows_the_tolerance(exponent: float, tolerance: float) -> None:
    assert rebound(exponent, 1.0, tolerance).error < 3 * tolerance
