"""Located events where locating is hard: contacts that graze, two at once, one at the end of a step, many in ever shorter time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.integrators import dop853, rk4
from model.mechanisms.linkage import Config
from model.mechanisms.linkage.config import Contact
from model.stepping.explicit import Stepper
from tests.each_row import each_row

Floats = NDArray[np.float64]
RATE, GAP = 20e3, 0.2e-3
A_TENSION, A_COMPRESSION, B_TENSION, B_COMPRESSION = range(4)
TRANSMITTED = 0
FINE = dop853.Config(tolerance=1e-11)


def fly(config: Config, integrator: Any, state: list[float], force: float, duration: float) -> tuple[Stepper, Floats]:
    """From `state` with all contacts open, under a constant force (N) on the lower link."""
    stepper = config.create(integrator, RATE)
    stepper.start(np.full(stepper.lookahead, force), np.array(state))
    return stepper, stepper.advance(np.full(round(duration * RATE), force))


@given(st.floats(-16.0, -5.0), st.sampled_from([-1.0, 1.0]), st.sampled_from([FINE, dop853.Config(), rk4.Config(step=4e-6)]))
@example(-20.0, 1.0, FINE)
def test_a_contact_that_grazes_is_found_or_missed_by_its_depth(exponent: float, side: float, integrator: Any) -> None:
    """m3 thrown against the pin and drawn back: it would turn `depth` behind first touch."""
    force, depth = 6e3, side * 10.0**exponent
    config = Config(load_source="ideal", clearance=2 * GAP)
    drawn_back = force / config.lower_mass
    speed = math.sqrt(2.0 * drawn_back * (GAP + depth))
    stepper, _ = fly(config, integrator, [0.0, 0.0, 0.0, 0.0, 0.0, speed], -force, 0.005)
    events = [event for event in stepper.events if event.guard == B_TENSION]
    if depth < -1e-15:
        assert not events
    elif depth > 1e-15:
        assert len(events) == 2
    assert len(events) in (0, 2)
    for event in events[:1]:
        assert speed * event.time - 0.5 * drawn_back * event.time**2 == pytest.approx(GAP, abs=1e-15)


@given(st.floats(-18.0, -9.0), st.sampled_from([-1.0, 0.0, 1.0]), st.floats(0.01, 3.0), st.sampled_from([FINE, rk4.Config(step=4e-6)]))
def test_two_contacts_in_one_step_begin_each_in_its_time(exponent: float, side: float, speed: float, integrator: Any) -> None:
    """m2 hits m1 and m3 at nearly the same time."""
    late = side * 10.0**exponent
    config = Config(load_source="ideal", clearance=2 * GAP)
    stepper, _ = fly(config, integrator, [0.0, 0.0, late, 0.0, speed, 0.0], 0.0, 1.2 * GAP / speed + 2 / RATE)
    begun = {event.guard: event for event in reversed(stepper.events)}
    assert begun[A_TENSION].time == pytest.approx(GAP / speed, rel=1e-12)
    assert begun[B_COMPRESSION].time == pytest.approx((GAP + late) / speed, rel=1e-12)
    assert begun[A_TENSION].noted == pytest.approx(speed, rel=1e-7)
    assert begun[B_COMPRESSION].noted == pytest.approx(speed, rel=1e-7)


@given(st.floats(1e-3, 1e-2), st.sampled_from([dop853.Config(), rk4.Config(step=4e-6)]))
def test_a_contact_slower_than_time_resolves_begins(speed: float, integrator: Any) -> None:
    """The least step that the clock can make does not change the position's last bit: a guard that stayed at zero would stay there."""
    config = Config(load_source="ideal", clearance=2 * GAP, contact=Contact(approach_floor=1e-6))
    stepper, _ = fly(config, integrator, [0.0, 0.0, 0.0, 0.0, 0.0, speed], 0.0, GAP / speed + 2 / RATE)
    assert stepper.events[0].time == pytest.approx(GAP / speed, rel=1e-12)
    assert stepper.events[0].noted == pytest.approx(speed, rel=1e-12)


@each_row("steps", range(1, 40))
def test_an_event_at_the_end_of_a_step_is_found_once(steps: int) -> None:
    """The speed is such that the pin is reached after so many whole steps, to the last bit or nearly."""
    step = 2.0**-19
    speed = GAP / (steps * step)
    config = Config(load_source="ideal", clearance=2 * GAP, contact=Contact(stiffness=1e7))
    stepper, _ = fly(config, rk4.Config(step=step), [0.0, 0.0, 0.0, 0.0, 0.0, speed], 0.0, steps * step + 2 / RATE)
    first = stepper.events[0]
    assert [event.guard for event in stepper.events].count(first.guard) == 1
    assert Config.CONTACT_NAMES[first.guard] == "joint_b tension"
    assert first.time == pytest.approx(steps * step, rel=1e-14)
    assert first.noted == pytest.approx(speed, rel=1e-14)


BOUNCES = [
    (0.05, dop853.Config()),
    (0.3, dop853.Config()),
    (0.9, dop853.Config()),
    (0.3, rk4.Config(step=2e-6)),
    (0.9, rk4.Config(step=2e-6)),
]


@each_row(("restitution", "integrator"), BOUNCES)
@each_row("exponent", [1.0, 1.5])
def test_bouncing_comes_to_rest_under_load(exponent: float, restitution: float, integrator: Any) -> None:
    """Impacts in ever shorter time: in the end both joints are closed once and for all and carry the load."""
    stiffness = 2e9 if exponent == 1.0 else None
    contact = Contact(law="exact", restitution=restitution, exponent=exponent, stiffness=stiffness)
    config = Config(load_source="ideal", fixture_damping=2e5, contact=contact)
    stepper, values = fly(config, integrator, [0.0] * 6, 3e3, 0.4)
    begun = [sum(event.guard == guard for event in stepper.events) % 2 for guard in range(4)]
    assert begun == [1, 0, 1, 0]
    assert stepper.events[-1].time < 0.3
    assert np.allclose(values[-100:, TRANSMITTED], 3e3, rtol=0.02)
