"""An ODrive runs: setpoints, moves, feedback, and what it says against going on. What the words mean: `odrive_words`."""

from __future__ import annotations

import math

import pytest
from odrive_words import DONE, MODE, STATE, TURN, WATCHED, axis_of, enabled, ready
from scripted_drives import ODriveLines

from drivers.errors import BadReply, Refused


@pytest.mark.parametrize(("gear", "direction", "sign"), [(1.0, "forward", 1), (4.0, "reverse", -4)])
@pytest.mark.parametrize("mode", ["position", "velocity", "torque"])
def test_setpoints_with_what_is_fed_forward(lines: ODriveLines, mode: str, gear: float, direction: str, sign: int) -> None:
    axis = enabled(lines, mode, gear=gear, direction=direction, zero=0.5)
    if mode == "position":
        axis.command(0.5 + TURN / 4, rate=TURN / 8, effort=2.0)
        wanted = f"p 1 {sign * 0.25:.7f} {sign * 0.125:.7f} {2.0 / sign:.7f}"
    elif mode == "velocity":
        axis.command(TURN / 8, rate=99.0, effort=2.0)
        wanted = f"v 1 {sign * 0.125:.7f} {2.0 / sign:.7f}"
    else:
        axis.command(2.0, rate=99.0, effort=99.0)
        wanted = f"c 1 {2.0 / sign:.7f}"
    assert lines.log == [wanted]
    fed = lines.feeds
    axis.command(0.5)
    assert lines.feeds == fed + 1, "each feeds the watchdog"


@pytest.mark.parametrize(
    ("mode", "good", "bad"),
    [
        ("position", (1e3, 10.0, -5.0), [(0.0, 10.1, 0.0), (0.0, -10.1, 0.0), (0.0, 0.0, 5.1), (math.nan, 0.0, 0.0), (math.inf, 0.0, 0.0)]),
        ("velocity", (-10.0, 0.0, 5.0), [(10.1, 0.0, 0.0), (-10.1, 0.0, 0.0), (0.0, 0.0, -5.1), (math.nan, 0.0, 0.0)]),
        ("torque", (-5.0, 0.0, 0.0), [(5.1, 0.0, 0.0), (-5.1, 0.0, 0.0), (math.nan, 0.0, 0.0)]),
    ],
)
def test_limits_hold_for_what_is_commanded_and_what_is_fed_forward(
    lines: ODriveLines, mode: str, good: tuple[float, float, float], bad: list[tuple[float, float, float]]
) -> None:
    axis = enabled(lines, mode)
    axis.command(*good)
    lines.log.clear()
    for beyond in bad:
        with pytest.raises(Refused, match=r"is beyond max_speed = 10 rad/s or max_torque = 5 N m"):
            axis.command(*beyond)
    assert lines.log == []


def test_a_move_is_its_own_and_the_next_setpoint_ends_it(lines: ODriveLines) -> None:
    axis = enabled(lines, "position")
    axis.move_to(TURN / 4)
    axis.command(0.0)
    axis.command(0.0)
    setpoint = "p 1 0.0000000 0.0000000 0.0000000"
    assert lines.log == ["t 1 0.2500000", f"w {MODE} 1", setpoint, setpoint]
    for nowhere in (math.nan, math.inf):
        with pytest.raises(Refused, match="expected a finite position"):
            axis.move_to(nowhere)


def test_asking_whether_it_has_arrived_feeds_its_watchdog(lines: ODriveLines) -> None:
    axis = enabled(lines, "position")
    fed = lines.feeds
    assert not axis.arrived() and lines.feeds == fed + 1
    lines.properties[DONE] = "1"
    assert axis.arrived()


@pytest.mark.parametrize(("gear", "direction", "sign"), [(1.0, "forward", 1.0), (4.0, "reverse", -4.0)])
def test_feedback_feeds_and_tells_the_axis(lines: ODriveLines, gear: float, direction: str, sign: float) -> None:
    """0.05 N m/A at 4 A are 0.2 N m of the motor."""
    axis = enabled(lines, gear=gear, direction=direction, zero=0.5, torque_feedback=True)
    fed = lines.feeds
    told = axis.feedback()
    assert told.position == pytest.approx(0.5 + 0.25 * TURN / sign) and told.velocity == pytest.approx(0.5 * TURN / sign)
    assert told.torque == pytest.approx(0.2 * sign) and told.span is not None and lines.feeds == fed + 1
    assert enabled(lines).feedback().torque is None


def test_a_drive_that_leaves_the_loop_is_told(lines: ODriveLines) -> None:
    axis = enabled(lines)
    lines.properties[STATE] = "1"
    with pytest.raises(Refused, match=r"the drive left the closed loop \(state 1\); clear its cause and reset the fault"):
        axis.feedback()
    with pytest.raises(Refused, match="stopped by the drive left the closed loop"):
        axis.command(1.0)
    axis.feedback()  # it is known
    assert axis_of(lines).fault() is None, "one that is not enabled may be idle"


def test_errors_are_told_with_their_flags(lines: ODriveLines) -> None:
    axis = axis_of(lines)
    lines.properties |= {"axis1.error": str(0x800 | 0x100), "axis1.motor.error": "16"}
    assert axis.fault() == "axis error 0x900 (encoder failed, watchdog timer expired); motor.error 0x10"
    lines.properties |= {"axis1.error": str(0x10), "axis1.motor.error": "0"}
    assert axis.fault() == "axis error 0x10 (see odrivetool)"
    lines.properties["axis1.error"] = "123456789"
    assert "axis error 123456789... (a number too long for its answer; see odrivetool)" in str(axis.fault())


def test_answers_that_are_none_are_told_with_their_question(lines: ODriveLines) -> None:
    axis = enabled(lines)
    lines.where = "nan 0.0"
    with pytest.raises(BadReply, match=r"position and speed: expected 2 finite numbers, got 'nan 0\.0'; look at the encoder"):
        axis.feedback()
    axis = enabled(ready(lines))
    lines.where = "unknown command"
    with pytest.raises(Refused, match=r"the drive answers 'unknown command' to .*; does its firmware fit"):
        axis.feedback()


@pytest.mark.parametrize(("word", "value"), [("True", 1.0), ("true", 1.0), ("False", 0.0), ("false", 0.0)])
def test_some_firmware_tells_truth_in_words(lines: ODriveLines, word: str, value: float) -> None:
    lines.properties[WATCHED] = word
    assert axis_of(lines)._get("config.enable_watchdog") == value
