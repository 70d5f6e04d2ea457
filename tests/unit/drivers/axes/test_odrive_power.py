"""An ODrive gets its power and loses it: the loop, the watchdog, quick stops and faults. What the words mean: `odrive_words`."""

from __future__ import annotations

import pytest
from odrive_words import ASKED, ERRORS, MODE, SPEED, STATE, WATCHED, axis_of, enabled, ready
from scripted_drives import ODriveLines

from drivers.errors import NoReply, NotConnected, Refused


@pytest.mark.parametrize(
    ("mode", "setpoint"),
    [("position", "p 1 0.2500000 0.0000000 0.0000000"), ("velocity", "v 1 0.0000000 0.0000000"), ("torque", "c 1 0.0000000")],
)
def test_the_loop_is_closed_on_where_it_stands_with_the_watchdog_on(lines: ODriveLines, mode: str, setpoint: str) -> None:
    axis = axis_of(lines, guarded=True)
    axis.prepare(mode)
    lines.log.clear()
    lines.properties[STATE] = ["1", "1", "8"]
    axis.enable()
    assert lines.log == ["crank_enable high", setpoint, f"w {WATCHED} 1", f"w {ASKED} 8"]


def test_a_loop_that_takes_its_time_is_fed_and_asked_for_again_after_a_while(lines: ODriveLines) -> None:
    """A tenth of a second; what was asked before it had seen its enable input is forgotten."""
    axis = axis_of(lines, guarded=True)
    axis.prepare("velocity")
    lines.log.clear()
    lines.feeds = 0
    lines.properties[STATE] = ["1"] * 30 + ["8"]
    axis.enable()
    assert lines.log.count(f"w {ASKED} 8") == 2 and lines.feeds > 25
    axis = axis_of(ready(lines))
    axis.prepare("velocity")
    lines.log.clear()
    lines.properties[STATE] = ["4"] * 60 + ["8"]  # motor calibration: it is on its way
    axis.enable()
    assert lines.log.count(f"w {ASKED} 8") == 1


def test_a_loop_that_is_not_closed_is_told(lines: ODriveLines) -> None:
    axis = axis_of(lines)
    axis.prepare("velocity")
    begun = lines.clock.now
    with pytest.raises(NoReply, match="the loop is not closed 1 s after enabling; is the axis calibrated"):
        axis.enable()
    assert 1.0 < lines.clock.now - begun < 1.1
    lines.properties["axis1.error"] = "1"
    begun = lines.clock.now
    with pytest.raises(Refused, match=r"axis error 0x1 \(invalid state\); clear its cause and reset the fault"):
        axis.enable()
    assert lines.clock.now - begun < 0.05
    with pytest.raises(Refused, match="enable it first"):
        axis.command(1.0)


@pytest.mark.parametrize("trouble", ["", "stays", "unplugged"])
def test_disable_sees_it_idle_before_the_watchdog_rests_and_takes_the_line_away(lines: ODriveLines, trouble: str) -> None:
    axis = enabled(lines, guarded=True)
    lines.properties[STATE] = "8" if trouble == "stays" else ["8", "1"]
    lines.unplugged = trouble == "unplugged"
    begun = lines.clock.now
    if trouble == "stays":
        with pytest.raises(Refused, match="told to go idle, it is in state 8 after 1 s; cut its power"):
            axis.disable()
        assert 1.0 < lines.clock.now - begun < 1.1 and not any(WATCHED in line for line in lines.log)
    elif trouble == "unplugged":
        with pytest.raises(NotConnected):
            axis.disable()
    else:
        axis.disable()
        assert lines.log[:-1] == [f"w {ASKED} 1", f"w {ASKED} 1", f"w {WATCHED} 0"]
    assert lines.log[-1] == "crank_enable low"
    with pytest.raises(Refused, match="enable it first"):
        axis.command(1.0)


def test_a_quick_stop_is_speed_0_as_it_comes_and_is_read_back(lines: ODriveLines) -> None:
    axis = enabled(lines, "position", input_filter=40.0)
    axis.quick_stop()
    assert lines.log == [f"w {MODE} 1", "v 1 0 0"] and len(lines.urgent) == 1
    assert lines.urgent[0].split(b"\n")[2].startswith(f"r {SPEED}*".encode())


@pytest.mark.parametrize(
    ("answer", "stopped"),
    [("0.000000", True), ("-0.000000", True), ("0.00", True), ("0.500000", False), ("0.000001", False), ("1", False), ("0.25 0.5", False),
     ("invalid property", False), ("0", False)],
)  # fmt: skip
def test_only_a_fraction_of_0_confirms_a_stop(lines: ODriveLines, answer: str, stopped: bool) -> None:
    """A state is told as a whole number, position and speed as two: late answers to other questions."""
    axis = enabled(lines, guarded=True)
    lines.properties[SPEED] = answer
    if stopped:
        axis.quick_stop()
        assert "crank_enable low" not in lines.log
    else:
        with pytest.raises(NoReply):
            axis.quick_stop()
        assert lines.log[-1] == "crank_enable low"


@pytest.mark.parametrize(("before", "stopped"), [(b"0.25 0.5*7\r\n8*56\r\n", True), (b"0.000000*1\r\n", True)])
def test_the_answer_is_found_behind_others(lines: ODriveLines, before: bytes, stopped: bool) -> None:
    axis = enabled(lines)
    lines.before = before
    axis.quick_stop()
    lines.properties[SPEED] = "0.500000"
    with pytest.raises(NoReply):  # nor does a 0 whose checksum is wrong confirm one
        axis.quick_stop()


def test_errors_are_cleared_together_where_the_firmware_can_else_one_by_one(lines: ODriveLines) -> None:
    axis = enabled(lines, "position", input_filter=40.0)
    axis.quick_stop()
    lines.log.clear()
    lines.properties[STATE] = "1"
    axis.reset_fault()
    assert lines.log == [f"w {ASKED} 1", f"w {WATCHED} 0", "sc", f"w {MODE} 3"] and axis.stopped_by == ""
    with pytest.raises(Refused, match="enable it first"):
        axis.command(1.0)
    lines.log.clear()
    lines.properties["axis1.encoder.error"] = "4"
    axis.reset_fault()
    assert lines.log == [f"w {ASKED} 1", f"w {WATCHED} 0", "sc", *[f"w {path} 0" for path in ERRORS], f"w {MODE} 3"]
    lines.properties["axis1.encoder.error"] = "4"
    lines.keeps["axis1.encoder.error"] = "4"
    with pytest.raises(Refused, match=r"encoder\.error 0x4 is still there after its reset; clear its cause"):
        axis.reset_fault()
