import math

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from rig.display.levels import NEAR, Level, ends, state
from rig.display.panels.levelbar import place
from rig.display.window.playhead import Playhead
from tests.each_row import each_row


@each_row(
    ("low", "high", "minimum", "maximum", "expected"),
    [
        (0.0, 79.0, -100.0, 100.0, "good"),
        (0.0, 81.0, -100.0, 100.0, "near"),
        (-81.0, 0.0, -100.0, 100.0, "near"),
        (0.0, 100.0, -100.0, 100.0, "over"),
        (-101.0, 0.0, -100.0, 100.0, "over"),
        (40.0, 60.0, 0.0, 100.0, "good"),  # half between two limits is as far as can be
        (5.0, 60.0, 0.0, 100.0, "near"),
        (0.0, 79.0, None, 100.0, "good"),
        (0.0, 81.0, None, 100.0, "near"),
        (-500.0, 0.0, None, 100.0, "good"),
        (11.0, 12.0, 10.0, None, "good"),  # a minimum above zero has only a side
        (9.0, 12.0, 10.0, None, "over"),
        (0.0, 1e9, None, None, "none"),
        (math.nan, math.nan, -1.0, 1.0, "unknown"),
    ],
)
def test_where_a_channel_stands(low: float, high: float, minimum: float | None, maximum: float | None, expected: str) -> None:
    assert state(Level(0.0, low, high), minimum, maximum) == expected


@given(limit=st.floats(1e-3, 1e6), share=st.floats(0.0, 2.0))
def test_the_state_follows_the_share_of_the_way(limit: float, share: float) -> None:
    said = state(Level(0.0, 0.0, share * limit), -limit, limit)
    if abs(share - NEAR) > 1e-6 and abs(share - 1.0) > 1e-6:
        assert said == ("over" if share > 1.0 else "near" if share > NEAR else "good")


def test_the_ends_of_a_bar() -> None:
    assert ends(-60.0, 80.0, 250.0) == (-60.0, 80.0)
    assert ends(None, 80.0, 250.0) == (-80.0, 80.0)
    assert ends(5.0, None, 250.0) == (-5.0, 5.0)
    assert ends(0.0, None, 250.0) == (0.0, 250.0)
    assert ends(None, None, 250.0) == (-250.0, 250.0)
    assert ends(None, None, None) is None


@given(value=st.floats(-1e9, 1e9))
def test_a_bar_stays_in_its_groove(value: float) -> None:
    assert 10.0 <= place(value, (-3.0, 5.0), QRectF(10.0, 0.0, 80.0, 8.0)) <= 90.0


def test_the_playhead_plays_at_its_speed_and_stops_at_the_end() -> None:
    head = Playhead(end=10000, rate=1000.0, position=2000)
    head.tick(50.0)
    assert head.position == 2000
    head.toggle()
    head.tick(50.5)
    assert head.position == 2500
    head.speed = 0.1
    head.tick(51.5)
    assert head.position == 2600
    head.speed = 20.0
    head.tick(60.0)
    assert (head.position, head.playing) == (10000, False)
    head.toggle()
    assert (head.position, head.playing) == (0, True)
    head.seek(1e9)
    assert head.position == 10000
    head.seek(-5)
    assert head.position == 0


def test_a_pause_is_not_made_up_for() -> None:
    head = Playhead(end=100000, rate=1000.0, position=0)
    head.tick(1.0)
    head.tick(90.0)
    head.toggle()
    head.tick(91.0)
    assert head.position == 1000
