"""What an ODrive is told, line by line, and what is made of its answers.

Words after ODrive's documentation, "ASCII Protocol" and the API reference of firmware 0.5: p, v, c setpoints with feed-forward, t a move by
its own trajectory, f position and speed, u feeds the watchdog, sc clears errors; states 1 idle and 8 closed loop, input modes 1 passthrough
and 3 filtered. Positions in turns, speeds in turns/s, torques in N m, of the motor.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from scripted_drives import LINE, Clock, ODriveLines

from drivers import odrive
from drivers.errors import BadReply, NoReply, NotConnected, Refused
from drivers.odrive import Config, too_coarse

STATE, ASKED = "axis1.current_state", "axis1.requested_state"
WATCHDOG, WATCHED = "axis1.config.watchdog_timeout", "axis1.config.enable_watchdog"
MODE, DONE, SPEED = "axis1.controller.config.input_mode", "axis1.controller.trajectory_done", "axis1.controller.input_vel"
ERRORS = ("axis1.error", "axis1.motor.error", "axis1.encoder.error", "axis1.controller.error")
TURN = 2.0 * math.pi


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> ODriveLines:
    lines = ODriveLines(Clock(monkeypatch, "odrive"))
    lines.properties |= {STATE: "1", DONE: "0", SPEED: "0.000000", "axis1.motor.config.torque_constant": "0.05"}
    lines.properties |= dict.fromkeys(ERRORS, "0") | {"axis1.motor.current_control.Iq_measured": "4.0"}
    lines.properties |= {"fw_version_major": "0", "fw_version_minor": "5", "fw_version_revision": "4"}
    return lines


def axis_of(lines: ODriveLines, guarded: bool = False, **changes: Any) -> odrive.ODrive:
    settings = {"axis": 1, "max_speed": 10.0, "max_acceleration": 50.0, "max_torque": 5.0, "timeout": 0.2}
    settings |= {"enable_line": LINE if guarded else None} | changes
    made: odrive.ODrive = lines.attach(odrive.create(Config("COM1", **settings), "crank", lines.guard() if guarded else None))
    return made


def enabled(lines: ODriveLines, mode: str = "velocity", guarded: bool = False, **changes: Any) -> odrive.ODrive:
    axis = axis_of(lines, guarded, **changes)
    axis.prepare(mode)
    lines.properties[STATE] = "8"
    axis.enable()
    lines.log.clear()
    return axis


# -- set-up ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "words"),
    [((0, 5, 1), ""), ((0, 5, 6), ""), ((0, 5, 99), ""), ((0, 5, 0), "0.5.0 counts encoder lines"), ((0, 4, 12), "0.4.12 counts"),
     ((0, 6, 0), "0.6.0 has other properties"), ((1, 0, 0), "1.0.0 has other properties")],
)  # fmt: skip
def test_firmware_whose_units_are_known(lines: ODriveLines, version: tuple[int, int, int], words: str) -> None:
    for part, number in zip(("major", "minor", "revision"), version, strict=True):
        lines.properties[f"fw_version_{part}"] = str(number)
    axis = axis_of(lines)
    if words:
        with pytest.raises(Refused, match=f"firmware {words}"):
            axis.connect()
    else:
        axis.connect()
        assert axis.identity() == f"ODrive axis 1, firmware {'.'.join(map(str, version))}"


@pytest.mark.parametrize(("gear", "direction"), [(1.0, "forward"), (1.0, "reverse"), (4.0, "reverse")])
def test_prepare_goes_idle_and_sets_limits_of_the_motor(lines: ODriveLines, gear: float, direction: str) -> None:
    """10 rad/s are 1.5915 turns/s, 50 rad/s^2 7.9577 turns/s^2; behind a gear of four the motor turns four times as fast."""
    axis = axis_of(lines, gear=gear, direction=direction)
    axis.prepare("velocity")
    told = [line.split() for line in lines.log]
    speed, acceleration, torque = 1.59154943 * gear, 7.95774715 * gear, 5.0 / gear
    wanted = {
        ASKED: 1, "axis1.controller.config.vel_limit": speed, "axis1.motor.config.torque_lim": torque,
        "axis1.trap_traj.config.vel_limit": speed, "axis1.trap_traj.config.accel_limit": acceleration,
        "axis1.trap_traj.config.decel_limit": acceleration, MODE: 1, WATCHDOG: 0.2,
    }  # fmt: skip
    assert [line[:2] for line in told] == [["w", path] for path in [*wanted, WATCHED, WATCHED]]
    assert [float(line[2]) for line in told[:-2]] == pytest.approx(list(wanted.values()))
    assert [line[2] for line in told[-2:]] == ["1", "0"], "nobody feeds it before the axis is enabled"
    assert lines.feeds == 1, "fed before it is switched on"
    assert (axis.mode, axis.stops_within, axis.smoothing) == ("velocity", 0.2, 0.0)


@pytest.mark.parametrize(("mode", "value"), [("position", "3"), ("velocity", "1"), ("torque", "1")])
def test_its_filter_is_of_positions(lines: ODriveLines, mode: str, value: str) -> None:
    axis = axis_of(lines, input_filter=40.0)
    axis.prepare(mode)
    assert f"w {MODE} {value}" in lines.log and "w axis1.controller.config.input_filter_bandwidth 40" in lines.log
    assert axis.smoothing == 40.0


@pytest.mark.parametrize(("share", "fits"), [(1.0015, True), (0.9985, True), (1.003, False), (0.997, False), (-1.0, False)])
def test_a_limit_is_kept_as_far_as_nine_characters_tell(lines: ODriveLines, share: float, fits: bool) -> None:
    lines.keeps["axis1.motor.config.torque_lim"] = f"{5.0 * share:.6f}"
    axis = axis_of(lines)
    if fits:
        axis.prepare("velocity")
    else:
        with pytest.raises(Refused, match=r"motor\.config\.torque_lim was set to 5 and reads .*; look at the drive with odrivetool"):
            axis.prepare("velocity")


@pytest.mark.parametrize("path", [WATCHDOG, WATCHED])
def test_a_watchdog_that_is_not_kept_is_none(lines: ODriveLines, path: str) -> None:
    lines.keeps[path] = "0.0"
    with pytest.raises(Refused, match=r"it did not keep its watchdog \(config\.watchdog_timeout, config\.enable_watchdog\), or wire"):
        axis_of(lines).prepare("velocity")
    axis = axis_of(lines, guarded=True)
    axis.prepare("velocity")
    assert axis.stops_within == 0.3
    lines.log.clear()
    lines.properties[STATE] = "8"
    axis.enable()
    assert not any(WATCHED in line for line in lines.log), "what it does not keep is not switched on"


def test_a_line_carries_one_setpoint_in_two_exchanges(lines: ODriveLines) -> None:
    """At 1 ms each."""
    axis_of(lines).prepare("velocity", rate=490.0)
    with pytest.raises(Refused, match=r"takes 2\.0 ms on this line, so 500\.0 a second; 510 are wanted"):
        axis_of(lines).prepare("velocity", rate=510.0)


# -- power -----------------------------------------------------------------------------------------------------------------------------


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


# -- running ---------------------------------------------------------------------------------------------------------------------------


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


def ready(lines: ODriveLines) -> ODriveLines:
    lines.where = "0.25 0.5"
    lines.properties[STATE] = "1"
    return lines


@pytest.mark.parametrize(("word", "value"), [("True", 1.0), ("true", 1.0), ("False", 0.0), ("false", 0.0)])
def test_some_firmware_tells_truth_in_words(lines: ODriveLines, word: str, value: float) -> None:
    lines.properties[WATCHED] = word
    assert axis_of(lines)._get("config.enable_watchdog") == value


# -- single precision ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "gear", "coarse"),
    [(1000.0, 1.0, False), (1300.0, 1.0, False), (10000.0, 1.0, True), (-10000.0, 1.0, True), (1000.0, 10.0, False)],
)
def test_positions_are_as_fine_as_a_float_of_32_bits(lines: ODriveLines, turns: float, gear: float, coarse: bool) -> None:
    """2^-23 of the power of two below: 2^-14 turns at 1000 (0.38 mrad), 2^-10 at 10000 (6 mrad); a millirad is the bound."""
    config = Config("COM1", gear=gear, axis=1)
    assert bool(too_coarse(config, turns * TURN)) == coarse
    if coarse:
        axis = enabled(lines, "position")
        for call in (axis.command, axis.move_to):
            with pytest.raises(Refused, match=r"has steps of 0\.0061 rad, coarser than 0\.001 rad; command by velocity, or begin nearer"):
                call(turns * TURN)
        enabled(ready(lines), "velocity").command(5.0)
