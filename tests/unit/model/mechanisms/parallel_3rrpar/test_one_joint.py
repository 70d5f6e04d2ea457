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
from model.mechanisms import parallel_3rrpar_flexible as flexible
from model.mechanisms.parallel_3rrpar import bodies, ideal
from model.mechanisms.parallel_3rrpar import stepper as motion
from model.mechanisms.parallel_3rrpar_flexible.config import Bars
from model.paths import trajectory_1
from tests.tiers import quick

Floats = NDArray[np.float64]

RATE, LASTING = 2e3, 0.4
PATH = trajectory_1.Config(blend="off").create()
M13, R1_FORCE, R3_FORCE, R1, R3 = slice(3), 15, 16, slice(17, 20), slice(20, 23)
TURN = 1000  # samples
# Clearances at R1 and R3; RMS, as shares of the larger one: off the rolling limit, and off the rigid mechanism.
EACH = [(0.0, 0.1e-3, 0.01, 0.03), (0.1e-3, 0.0, 0.13, 0.03), (0.02e-3, 0.0, 0.06, 0.03), (0.05e-3, 0.1e-3, 0.06, 0.03)]


def rows(mechanism: Any, config: Any, integrator: Any) -> Floats:
    stepper = config.create(integrator, RATE, path=PATH, lasting=LASTING)
    stepper.start(np.zeros(stepper.lookahead))
    return np.asarray(stepper.advance(np.zeros(round(RATE * LASTING))))


def off(found: Floats) -> Floats:
    return np.asarray(found[:, :3] - PATH.evaluate(np.arange(len(found)) / RATE)[0])


@pytest.mark.parametrize(("r1", "r3", "rigidly", "flexibly"), quick(EACH, 1))
def test_pins_lie_in_the_bushes_that_have_clearance_and_nowhere_else(r1: float, r3: float, rigidly: float, flexibly: float) -> None:
    """With friction, over the whole second turn, M13 is where pins that roll without friction, in closed form, have it: for R3 to 1 % of c.

    R1's pin is another matter, in all three forms alike. Tangentially 0.5 to 7.6 kg go with it, and it is pressed by only 2.49 N at the
    dip of its load: there it swings in its bush with 9 Hz (c = 100 um), while the direction of the load turns at 42 rad/s. So it lags
    behind that, by a share of c that gets less as c does: RMS 0.11 at 100 um, 0.043 at 20 um. The next turn repeats it.
    """
    config, clearance = rigid.Config(clearance_r1=r1, clearance_r3=r3), max(r1, r3)
    elements = flexible.Config(clearance_r1=r1, clearance_r3=r3, bars=Bars(elements=2))
    reduced = replace(elements, bars=Bars(formulation="reduced"))
    alpha, second = generalized_alpha.Config(step=1e-4, tolerance=1e-7), slice(TURN, 2 * TURN)
    leader = turns(rigid, config, dop853.Config(tolerance=1e-7))
    times = np.arange(TURN, 2 * TURN) / TURN * PATH.period
    rolled = ideal.rolling(config, *PATH.evaluate(times))
    for found in (leader, turns(flexible, elements, alpha), turns(flexible, reduced, alpha)):
        for place, own in ((R1, r1), (R3, r3)):
            away = np.linalg.norm(found[second, place], axis=1)
            assert away.max() == pytest.approx(own, rel=0.02, abs=1e-12)
        assert rms(found[second, M13] - rolled) < rigidly * clearance
        assert rms(found[second, M13] - leader[second, M13]) < flexibly * clearance
        assert rms(found[2 * TURN :, M13] - found[second, M13]) < 1e-3 * clearance


def turns(mechanism: Any, config: Any, integrator: Any) -> Floats:
    """Rows of three turns."""
    stepper = config.create(integrator, TURN / PATH.period, path=PATH, lasting=3.0 * PATH.period)
    stepper.start(np.zeros(stepper.lookahead))
    return np.asarray(stepper.advance(np.zeros(3 * TURN)))


def rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2)))


@pytest.mark.parametrize("bars", [Bars(elements=1), Bars(formulation="reduced")])
def test_nothing_presses_where_a_pin_is_apart(bars: Bars) -> None:
    """Pins begin in the middle of their bushes, and fall: the force's column is 0 exactly, as it is with rigid bars."""
    config = flexible.Config(clearance=0.5e-3, start="rest", bars=bars)
    found = rows(flexible, config, generalized_alpha.Config(step=5e-5, tolerance=1e-7))[:400]
    for force, place in ((R1_FORCE, R1), (R3_FORCE, R3)):
        away = np.linalg.norm(found[:, place], axis=1)
        free, pressed = away < 0.5e-3 * (1.0 - 1e-6), away > 0.5e-3 * (1.0 + 1e-6)
        assert np.count_nonzero(free) > 20 and np.count_nonzero(pressed) > 20
        assert not found[free, force].any()
        assert found[pressed, force].min() > 0.0


def test_an_ideal_joint_beside_a_loose_one_always_carries() -> None:
    config = flexible.Config(clearance_r1=0.1e-3, clearance_r3=0.0, bars=Bars(formulation="reduced"))
    assert rows(flexible, config, generalized_alpha.Config(step=1e-4, tolerance=1e-7))[:, R3_FORCE].min() > 5.0


def test_an_ideal_joint_beside_one_with_clearance_takes_no_energy() -> None:
    config = rigid.Config(clearance_r1=0.1e-3, clearance_r3=0.0, friction=0.0, contact=rigid.config.Contact(restitution=1.0))
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
    one = rigid.Config(clearance=0.2e-3, clearance_r3=0.1e-3)
    assert rigid.config.contact_stiffness(one, 1) == rigid.config.contact_stiffness(rigid.Config())
    assert rigid.Config(clearance_r1=0.0, clearance_r3=0.0).ideal
    with pytest.raises(ValueError, match=r"clearance_r3: expected at least 0 and less than the bush's radius, 7.5 mm; got 8 mm"):
        rigid.Config(clearance_r3=8e-3)


@pytest.mark.parametrize("formulation", ["paper", "enhanced_continuum"])
def test_a_jerk_that_damped_continuum_elements_cannot_follow_is_refused(formulation: str) -> None:
    config = flexible.Config(clearance=0.0, start="rest", bars=Bars(elements=2, formulation=formulation))
    with pytest.raises(ModelError, match=r"jerk, which bars.formulation = '.*' with bars.damping follows by steps of at most 2e-05 s"):
        config.create(generalized_alpha.Config(step=1e-4), 1e4, path=PATH, lasting=0.1)
    stepper = config.create(generalized_alpha.Config(step=2e-5, tolerance=1e-7), 1e4, path=PATH, lasting=0.01)
    stepper.start(np.zeros(1))
    assert np.abs(off(stepper.advance(np.zeros(100))[:, :3])[0]).max() < 1e-9


def test_a_jerk_that_steps_cannot_follow_is_refused_of_reduced_bars_too() -> None:
    """The steps advised follow it: pins that it knocks about settle (ideal joints: test_a_start_with_a_jerk_dies_away)."""
    reduced = Bars(formulation="reduced")
    refused = r"a jerk: .* integrator\.step 1 ms cannot follow; choose at most {} s, trajectory\.blend"
    for clearance, advised in ((0.0, "0.0002"), (0.1e-3, "5e-05")):
        config = flexible.Config(clearance=clearance, start="rest", bars=reduced)
        with pytest.raises(ModelError, match=refused.format(advised)):
            config.create(generalized_alpha.Config(step=1e-3), 1e3, path=PATH, lasting=0.1)
    with pytest.raises(ModelError, match=r"integrator\.step 0\.2 ms cannot follow; choose at most 0\.0001 s"):
        elements = flexible.Config(start="rest", bars=Bars(elements=1))
        elements.create(generalized_alpha.Config(step=2e-4), 1e3, path=PATH, lasting=0.1)
    knocking = flexible.Config(start="rest", bars=reduced)
    settled = rows(flexible, knocking, generalized_alpha.Config(step=5e-5, tolerance=1e-7))[600:]
    smooth = rows(flexible, replace(knocking, start="moving"), generalized_alpha.Config(step=1e-4, tolerance=1e-7))[600:]
    assert rms(settled[:, 6:9]) == pytest.approx(rms(smooth[:, 6:9]), rel=0.02)
