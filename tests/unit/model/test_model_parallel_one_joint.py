"""The 3-RRPaR with clearance in one platform joint only, or another one in each: rigid, of elements, reduced."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.errors import ModelError
from model.integrators import dop853, generalized_alpha
from model.mechanisms import parallel_3rrpar as rigid
from model.mechanisms import parallel_3rrpar_bodies as bodies
from model.mechanisms import parallel_3rrpar_flexible as flexible
from model.mechanisms import parallel_3rrpar_ideal as ideal
from model.mechanisms import parallel_3rrpar_motion as motion
from model.mechanisms.parallel_3rrpar_flexible import Bars
from model.paths import create, trajectory_1

Floats = NDArray[np.float64]

RATE, LASTING = 2e3, 0.4
PATH = create(trajectory_1.Config(blend="off"))
R1, R3 = slice(17, 20), slice(20, 23)
EACH = [(0.0, 0.1e-3), (0.1e-3, 0.0), (0.05e-3, 0.1e-3)]


def rows(mechanism: Any, config: Any, integrator: Any) -> Floats:
    stepper = mechanism.create(config, integrator, RATE, path=PATH, lasting=LASTING)
    stepper.start(np.zeros(stepper.lookahead))
    return np.asarray(stepper.advance(np.zeros(round(RATE * LASTING))))


def off(found: Floats) -> Floats:
    return np.asarray(found[:, :3] - PATH.evaluate(np.arange(len(found)) / RATE)[0])


@pytest.mark.parametrize(("r1", "r3"), EACH)
def test_pins_lie_in_the_bushes_that_have_clearance_and_nowhere_else(r1: float, r3: float) -> None:
    """About where pins that roll without friction would be, closed form: R1's, pressed by 2.5 N at times, swings about it."""
    config, times = rigid.Config(clearance_r1=r1, clearance_r3=r3), np.arange(round(RATE * LASTING)) / RATE
    elements = flexible.Config(clearance_r1=r1, clearance_r3=r3, bars=Bars(elements=2))
    reduced = replace(elements, bars=Bars(formulation="reduced"))
    alpha = generalized_alpha.Config(step=1e-4, tolerance=1e-7)
    rolled = ideal.rolling(config, *PATH.evaluate(times)) - PATH.evaluate(times)[0]
    for found in (
        rows(rigid, config, dop853.Config(tolerance=1e-7)),
        rows(flexible, elements, alpha),
        rows(flexible, reduced, alpha),
    ):
        late = slice(len(found) // 2, None)
        for place, clearance in ((R1, r1), (R3, r3)):
            away = np.linalg.norm(found[late, place], axis=1)
            assert away.max() == pytest.approx(clearance, rel=0.02, abs=1e-12)
        assert np.sqrt(np.mean((off(found) - rolled)[late] ** 2)) < 0.25 * max(r1, r3)


def test_an_ideal_joint_beside_one_with_clearance_takes_no_energy() -> None:
    config = rigid.Config(clearance_r1=0.1e-3, clearance_r3=0.0, friction=0.0, contact=rigid.Contact(restitution=1.0))
    stepper = motion.stepper(config, dop853.Config(tolerance=1e-10), RATE, PATH, LASTING, work=True)
    stepper.start(np.zeros(stepper.lookahead))
    p, begun = stepper._motion.parameters, None
    for _ in range(5):
        stepper.advance(np.zeros(100))
        left = motion.energy(config, p, stepper.time, stepper.state, stepper._s) - stepper.state[-1]
        begun = left if begun is None else begun
        assert left == pytest.approx(begun, abs=1e-6)
    assert len(stepper.events) > 10
    assert np.linalg.norm(rows(rigid, config, dop853.Config(tolerance=1e-10))[:, R3], axis=1).max() < 1e-12


@pytest.mark.parametrize(("clearances", "rows_and_rank"), [((0.0, 1e-4), (106, 94)), ((1e-4, 1e-4), (104, 92)), ((0.0, 0.0), (108, 96))])
def test_independent_constraints(clearances: tuple[float, float], rows_and_rank: tuple[int, int]) -> None:
    config = rigid.Config(clearance_r1=clearances[0], clearance_r3=clearances[1])
    found = bodies.system(config, PATH, clearance=True).independence(bodies.state(config, PATH, 0.1))
    assert (found.rows, found.rank) == rows_and_rank


def test_one_clearance_for_both_unless_said_otherwise() -> None:
    assert rigid.Config(clearance=0.2e-3, clearance_r3=0.1e-3).clearances == (0.2e-3, 0.1e-3)
    assert rigid.contact_stiffness(rigid.Config(clearance=0.2e-3, clearance_r3=0.1e-3), 1) == rigid.contact_stiffness(rigid.Config())
    assert rigid.Config(clearance_r1=0.0, clearance_r3=0.0).ideal
    with pytest.raises(ValueError, match=r"clearance_r3: expected at least 0 and less than the bush's radius, 7.5 mm; got 8 mm"):
        rigid.Config(clearance_r3=8e-3)


@pytest.mark.parametrize("formulation", ["paper", "enhanced_continuum"])
def test_a_jerk_that_damped_continuum_elements_cannot_follow_is_refused(formulation: str) -> None:
    config = flexible.Config(clearance=0.0, start="rest", bars=Bars(elements=2, formulation=formulation))
    with pytest.raises(ModelError, match=r"jerk, which bars.formulation = '.*' with bars.damping follows by steps of at most 2e-05 s"):
        flexible.create(config, generalized_alpha.Config(step=1e-4), 1e4, path=PATH, lasting=0.1)
    stepper = flexible.create(config, generalized_alpha.Config(step=2e-5, tolerance=1e-7), 1e4, path=PATH, lasting=0.01)
    stepper.start(np.zeros(1))
    assert np.abs(off(stepper.advance(np.zeros(100))[:, :3])[0]).max() < 1e-9
