"""The play is taken up until the specimen carries the preload: what each force and each way is answered with."""

from __future__ import annotations

import math

import pytest

from rig.preparation.seating import Seating
from tests.unit.rig.preparation.stage_readings import PRELOAD, TOUCH, reading, refused, settings

STEP = 1e-5  # m: 1 mm/s for 10 ms
AT = 0.1e-3  # m where the stroke is


def begun(preload: float = 0.02) -> Seating:
    stage = Seating(settings(preload=preload))
    assert stage.begin(reading(AT, stroke=AT)) == AT
    return stage


def test_it_goes_on_from_the_setpoint_and_where_there_was_none_from_the_stroke() -> None:
    stage = Seating(settings())
    assert stage.begin(reading(2e-4, stroke=AT)) == 2e-4
    assert stage.begin(reading(math.nan, stroke=AT)) == pytest.approx(AT)


@pytest.mark.parametrize(("preload", "side"), [(0.02, 1.0), (-0.02, -1.0)])
def test_without_contact_it_goes_at_its_speed_and_with_contact_creeps(preload: float, side: float) -> None:
    stage = begun(preload)
    assert stage.next(reading(AT, stroke=AT)) == pytest.approx(AT + side * STEP)
    assert stage.next(reading(AT, side * (TOUCH - 1.0), AT)) == pytest.approx(AT + side * STEP), "nearly"
    assert stage.next(reading(AT + 3.0 * STEP, side * TOUCH, 2.0 * AT)) == pytest.approx(2.0 * AT), "stops at once, where the stroke is"
    assert stage.next(reading(2.0 * AT, side * TOUCH, 2.0 * AT)) == pytest.approx(2.0 * AT + side * STEP / 4.0)
    assert stage.next(reading(2.0 * AT, side * (TOUCH - 1.0), 2.0 * AT)) == pytest.approx(2.0 * AT + side * STEP / 4.0), "still"


@pytest.mark.parametrize(("left", "seated"), [(1.0, True), (0.8, True), (0.79, False)])
def test_at_the_preload_it_rests_and_looks_again(left: float, seated: bool) -> None:
    """50 ms: the decision that stops, and five more."""
    stage = begun()
    assert stage.next(reading(AT, PRELOAD - 1.0, AT)) == pytest.approx(AT), "first contact"
    assert stage.next(reading(3.0 * AT, PRELOAD, 2.0 * AT)) == pytest.approx(2.0 * AT)
    for _ in range(4):
        assert stage.next(reading(2.0 * AT, left * PRELOAD, 2.0 * AT)) == 2.0 * AT
    assert stage.next(reading(2.0 * AT, left * PRELOAD, 2.0 * AT)) == (None if seated else 2.0 * AT)
    if seated:
        assert stage.figures() == f"seated at {left * 5.0:.2f} kN after 0.100 mm"
    else:
        assert stage.next(reading(2.0 * AT, left * PRELOAD, 2.0 * AT)) == pytest.approx(2.0 * AT + STEP / 4.0), "on it goes"


@pytest.mark.parametrize(("preload", "side", "word"), [(0.02, 1.0, "into tension"), (-0.02, -1.0, "into compression")])
def test_a_force_that_grows_the_other_way_is_an_inverted_monitor(preload: float, side: float, word: str) -> None:
    stage = begun(preload)
    stage.next(reading(AT, -side * (TOUCH - 1.0), AT))
    said = refused("sign", lambda: stage.next(reading(AT, -side * TOUCH, AT)))
    assert said == f"force reads {-side:.2f} kN when the stroke goes {word}: the force monitor is inverted"


def test_a_force_that_falls_with_the_stroke_going_on_is_a_specimen_that_gave_way() -> None:
    stage = begun()
    stage.next(reading(AT, 4000.0, AT))
    stage.next(reading(AT, 1200.0, AT))  # 0.3 of it
    assert refused("specimen", lambda: stage.next(reading(AT, 1199.0, AT))) == "the force fell from 4.00 kN to 1.20 kN while it was seated"


def test_little_force_may_go_again() -> None:
    """Twice the touch, and a rattle is not yet a specimen."""
    stage = begun()
    stage.next(reading(AT, 2.0 * TOUCH, AT))
    assert stage.next(reading(AT, 0.0, AT)) is not None
    stage.next(reading(AT, 2.0 * TOUCH + 1.0, AT))
    refused("specimen", lambda: stage.next(reading(AT, 0.0, AT)))


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_more_play_than_allowed_is_slack(side: float) -> None:
    stage = begun(0.02 * side)
    travel, probe = side * 2e-3, side * 0.1e-3
    assert stage.next(reading(AT, stroke=AT + 0.999 * travel)) is not None
    assert stage.next(reading(AT + travel + 0.99 * probe, stroke=AT)) is not None
    said = refused("slack", lambda: stage.next(reading(AT, side * 750.0, AT + 1.001 * travel)))
    assert said.startswith("2.00 mm into ")
    assert f"and only {side * 0.75:.3f} kN: more play than the 2 mm that preparation.travel allows" in said
    stage = begun(0.02 * side)
    refused("slack", lambda: stage.next(reading(AT + travel + 1.01 * probe, stroke=AT)))


@pytest.mark.parametrize(("left", "seated"), [(0.8, True), (0.79, False)])
def test_in_compression_it_rests_and_looks_again_as_well(left: float, seated: bool) -> None:
    stage = begun(-0.02)
    stage.next(reading(AT, -PRELOAD, AT))
    answers = [stage.next(reading(AT, -left * PRELOAD, AT)) for _ in range(5)]
    assert answers == [AT] * 4 + [None if seated else AT]
