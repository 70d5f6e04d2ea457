"""Ways out of a force: which way, how far, and when there is an end to it."""

from __future__ import annotations

import pytest

from rig.preparation.unloading import BEHIND, Return, Unload
from tests.unit.rig.preparation.stage_readings import TOUCH, reading, refused, settings

STEP = 1e-5  # m: 1 mm/s for 10 ms
HOME = 0.2e-3  # m


def returning(force: float = 5000.0, stroke: float = 0.5e-3) -> Return:
    stage = Return(settings())
    stage.home = HOME
    assert stage.begin(reading(stroke, force, stroke)) == pytest.approx(stroke)
    return stage


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_back_it_goes_twice_as_fast(side: float) -> None:
    stage = returning(stroke=HOME + side * 3e-4)
    assert stage.next(reading(HOME + side * 3e-4, 5000.0, HOME + side * 3e-4)) == pytest.approx(HOME + side * (3e-4 - 2.0 * STEP))
    assert stage.next(reading(HOME + side * STEP, 0.0, HOME)) == HOME


def test_it_is_over_when_the_stroke_is_near_or_a_second_has_passed() -> None:
    """A tenth of the probe, 10 um."""
    stage = returning()
    assert stage.next(reading(HOME, 0.0, HOME + 1.01e-5)) == HOME
    assert stage.next(reading(HOME, 0.0, HOME - 1.01e-5)) == HOME
    assert stage.next(reading(HOME, 0.0, HOME - 0.99e-5)) is None
    assert stage.figures() == "back to -9.9 um of where the stroke was"
    stage = returning()
    blocks = 0
    while stage.next(reading(HOME, 0.0, HOME + 1e-3)) is not None:
        blocks += 1
    assert blocks == 100


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_force_that_grows_on_the_way_back_is_refused(sign: float) -> None:
    stage = returning(sign * 5000.0)
    stage.next(reading(5e-4, sign * (5000.0 + TOUCH), 5e-4))
    said = refused("unloading", lambda: stage.next(reading(5e-4, sign * (5000.0 + TOUCH + 1.0), 5e-4)))
    assert said == f"the force grows to {sign * 6.0:.2f} kN on the way out, limit 6.00 kN"


def test_a_force_that_cannot_be_read_has_grown() -> None:
    stage = returning()
    refused("unloading", lambda: stage.next(reading(5e-4, float("nan"), 5e-4)))


def unloading(force: float) -> Unload:
    stage = Unload(settings())
    assert stage.begin(reading(1e-3, force, 2e-3)) == 1e-3, "from where the command stands"
    return stage


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_against_the_force_until_there_is_none_to_speak_of(sign: float) -> None:
    stage = unloading(sign * 5000.0)
    assert stage.next(reading(1e-3, sign * 5000.0, 2e-3)) == pytest.approx(1e-3 - sign * STEP)
    assert stage.next(reading(1e-3, sign * TOUCH, 2e-3)) == pytest.approx(1e-3 - sign * STEP)
    assert stage.next(reading(1e-3, sign * (TOUCH - 1.0), 2e-3 - sign * 0.5e-3)) is None
    assert stage.figures() == f"unloaded to {sign * 1.0:.2f} kN within 0.500 mm"


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_force_that_does_not_fall_is_not_followed_for_ever(way: float) -> None:
    """2 mm, as preparation.travel allows."""
    stage = unloading(5000.0)
    assert stage.next(reading(1e-3, 3000.0, 2e-3 + way * 1.999e-3)) is not None
    said = refused("unloading", lambda: stage.next(reading(1e-3, 3000.0, 2e-3 + way * 2.001e-3)))
    assert said == "3.00 kN are left 2.00 mm on the way out"


def test_a_force_that_grows_as_it_is_unloaded_is_refused() -> None:
    stage = unloading(5000.0)
    stage.next(reading(1e-3, 6000.0, 2e-3))
    refused("unloading", lambda: stage.next(reading(1e-3, 6001.0, 2e-3)))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_stroke_that_does_not_follow_its_setpoint_is_refused(sign: float) -> None:
    """A quarter of preparation.travel: at 1 mm/s after half a second. With a stroke that is as far it goes on."""
    far = BEHIND * 2e-3
    stage = unloading(sign * 5000.0)
    assert stage.next(reading(1e-3 - sign * 0.99 * far, sign * 5000.0, 2e-3)) is not None
    assert stage.next(reading(1e-3 - sign * 1.01 * far, sign * 4000.0, 2e-3 - sign * far)) is not None
    said = refused("unloading", lambda: stage.next(reading(1e-3 - sign * 1.01 * far, sign * 5000.0, 2e-3)))
    assert said.endswith("the stroke is 0.51 mm behind its setpoint: it does not follow; look at the valve and its supply")
