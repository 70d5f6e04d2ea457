"""The axis of time: what is long and shows nothing is shortened, nothing else is moved; no line goes over a gap."""

from dataclasses import replace

import numpy as np
import pytest

from rig.report.lines import cut
from rig.report.overlay.shown_time import ALL, ShownTime, Stretch
from rig.streaming.interruptions import Interruption
from tests.unit.rig.report.overlay.test_page import page


def test_what_was_not_kept_is_shortened_and_the_rest_keeps_its_scale():
    shown = ShownTime(1000.0, [Stretch(10.0, 990.0, "not kept")])
    assert [(one.begin, one.end) for one in shown.breaks] == [(10.0, 990.0)]
    assert shown(5.0) == 5.0
    assert shown(995.0) - shown(990.0) == pytest.approx(5.0)
    assert shown.end == pytest.approx(20.0 + shown.width)


def test_what_is_short_stays_and_without_anything_time_is_time():
    shown = ShownTime(100.0, [Stretch(10.0, 11.0, "not kept")])
    assert not shown.breaks
    assert shown.places(np.array([0.0, 50.0, 100.0])).tolist() == [0.0, 50.0, 100.0]


def test_a_hold_with_a_gap_in_it_is_one_break_that_says_held():
    shown = ShownTime(2000.0, [Stretch(100.0, 1900.0, "held"), Stretch(105.0, 1895.0, "not kept")])
    (one,) = shown.breaks
    assert one.words == "held"
    assert 100.0 < one.begin < one.end < 1900.0, "how the command came to its stand is to be seen"


def test_a_thousand_gaps_leave_room_for_what_was_kept():
    shown = ShownTime(1e5, [Stretch(100.0 * i + 1.0, 100.0 * (i + 1), "not kept") for i in range(1000)])
    seen = sum(end - begin for begin, end in shown.stretches)
    assert shown.end <= seen * (1.0 + ALL) * 1.001


def test_figures_at_the_axis_are_in_what_is_seen_and_apart():
    shown = ShownTime(1000.0, [Stretch(10.0, 500.0, "not kept"), Stretch(505.0, 990.0, "held")])
    ticks = shown.ticks()
    assert all(not 10.0 < time < 500.0 for time in ticks)
    assert np.min(np.diff([shown(time) for time in ticks])) > 0.04 * shown.end


def test_no_curve_goes_over_a_break():
    plain = page(seconds=8.0)
    n = len(plain.command)
    data = replace(plain, absent=[(n // 4, n // 2)], interruptions=[Interruption(5.0, 7.5, "held")])
    places, curves = data.whole
    for one in data.shown_time.breaks:
        begin = data.shown_time(one.begin)
        inside = (places > begin + 1e-9) & (places < begin + data.shown_time.width - 1e-9)
        assert not np.isfinite(curves[1][inside]).any()
        at = int(np.searchsorted(places, begin + 0.5 * data.shown_time.width))
        assert np.isnan(curves[0][at - 1]), "the line ends at the break"
    assert len(data.shown_time.breaks) == 2
    assert not np.isnan(plain.whole[1][0][:-1]).any()


def test_a_long_reason_is_cut():
    assert cut("held", 10) == "held"
    assert len(cut("a reason that nobody has room for", 12)) <= 12
