"""What a TMCL module is told, command by command, and what is made of its answers.

Numbers after Trinamic's TMCL firmware manual of the TMCM-1276: ROR 1, ROL 2, MST 3, MVP 4 (0: absolute), SAP 5, GAP 6, RFS 13 (0 start,
1 stop, 2 status), version 136; axis parameters 1 actual position, 3 actual speed, 4 largest speed, 5 largest acceleration, 6 largest
current (of 255), 8 position reached, 17 largest deceleration, 140 microsteps, 208 driver flags, 255 unit mode. 51200 microsteps are a turn.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from scripted_drives import LINE, Clock, TmclModule

from drivers import tmcl
from drivers.errors import NoReply, NotConnected, Refused
from drivers.tmcl import Config

ROR, ROL, MST, MVP, RFS = 1, 2, 3, 4, 13
POSITION, SPEED, ARRIVED, FLAGS = 1, 3, 8, 208
TURN = 51200


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> TmclModule:
    return TmclModule(Clock(monkeypatch, "tmcl"))


def axis_of(module: TmclModule, **changes: Any) -> tmcl.Tmcl:
    settings = {"address": 3, "motor": 1, "enable_line": LINE, "max_speed": 10.0, "max_acceleration": 50.0, "current": 0.4} | changes
    made: tmcl.Tmcl = module.attach(tmcl.create(Config("COM1", **settings), "crank", module.guard()))
    return made


def enabled(module: TmclModule, mode: str = "position", **changes: Any) -> tmcl.Tmcl:
    axis = axis_of(module, **changes)
    axis.prepare(mode)
    axis.enable()
    module.log.clear()
    return axis


# -- set-up ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gear", "direction"), [(1.0, "forward"), (1.0, "reverse"), (5.0, "reverse")])
def test_prepare_stops_it_and_sets_limits(module: TmclModule, gear: float, direction: str) -> None:
    """10 rad/s are 81487 microsteps/s, 50 rad/s^2 are 407437; 0.4 of the largest current are 102 of 255."""
    axis = axis_of(module, gear=gear, direction=direction)
    axis.prepare("velocity")
    speed, acceleration = round(81487.33 * gear), round(407436.65 * gear)
    limits = [("set", 255, 1), ("set", 140, 8), ("set", 4, speed), ("set", 5, acceleration), ("set", 17, acceleration), ("set", 6, 102)]
    assert module.log == [(MST, 0, 0), *limits]
    assert axis.mode == "velocity" and axis.stops_within == 0.3


def test_internal_units_are_set_as_well(module: TmclModule) -> None:
    axis_of(module, velocity_unit=0.5, acceleration_unit=100.0).prepare("velocity")
    assert [one for one in module.log if one[1] in (255, 4, 5)] == [("set", 255, 0), ("set", 4, 162975), ("set", 5, 4074)]


@pytest.mark.parametrize("parameter", [140, 4, 5, 17, 6, 255])
def test_a_limit_that_the_module_does_not_keep_is_refused(module: TmclModule, parameter: int) -> None:
    module.keeps[parameter] = 9
    axis = axis_of(module)
    with pytest.raises(Refused, match=rf"axis parameter {parameter} was set to \d+ and reads 9; look at it with the TMCL-IDE"):
        axis.prepare("velocity")
    assert axis.mode == ""


@pytest.mark.parametrize(("parameter", "needed"), [(17, False), (255, False), (140, True), (4, True), (5, True), (6, True)])
def test_only_what_it_can_do_without_may_be_lacking(module: TmclModule, parameter: int, needed: bool) -> None:
    module.lacks = {parameter}
    if needed:
        with pytest.raises(Refused, match=rf"wrong type \(TMCL status 3\) for command 5, type {parameter}"):
            axis_of(module).prepare("velocity")
    else:
        axis_of(module).prepare("velocity")
        assert parameter not in [one[1] for one in module.log if one[0] == "set"]


def test_limits_are_one_microstep_at_least(module: TmclModule) -> None:
    axis_of(module, max_speed=1e-6, max_acceleration=1e-6).prepare("velocity")
    assert {("set", 4, 1), ("set", 5, 1)} <= set(module.log)


def test_identity_by_command_136(module: TmclModule) -> None:
    """Module number in the upper half, then firmware, hexadecimal, as the manual has it for 1276 V1.08."""
    module.values[136, 1] = [(1276 << 16 | 1 << 8 | 8) - (1 << 32 if 1276 >> 15 else 0)]
    axis = axis_of(module)
    axis.connect()
    assert module.log == [(136, 1, 0)] and axis.identity() == "TMCM-1276 at address 3, firmware 1.08"
    module.values[136, 1] = [0x80001234 - 2**32]
    axis.connect()
    assert axis.identity() == "TMCM-32768 at address 3, firmware 18.52"


def test_a_line_carries_one_setpoint_in_three_exchanges(module: TmclModule) -> None:
    """Position and speed are asked for one by one; at 1 ms each."""
    axis_of(module).prepare("velocity", rate=330.0)
    with pytest.raises(Refused, match=r"takes 3\.0 ms on this line, so 333\.3 a second; 340 are wanted"):
        axis_of(module).prepare("velocity", rate=340.0)


# -- power -----------------------------------------------------------------------------------------------------------------------------


def test_it_is_stopped_before_its_line_rises(module: TmclModule) -> None:
    axis = axis_of(module)
    axis.prepare("position")
    module.log.clear()
    axis.enable()
    assert module.log == [(MST, 0, 0), "crank_enable high"]


@pytest.mark.parametrize(
    ("flag", "words"), [(2, "over-temperature shutdown"), (8, "short circuit of phase A"), (16, "short circuit of phase B")]
)
def test_a_fault_of_the_driver_chip_keeps_the_line_low(module: TmclModule, flag: int, words: str) -> None:
    axis = axis_of(module)
    axis.prepare("position")
    module.log.clear()
    module.parameters[FLAGS] = flag
    with pytest.raises(Refused, match=f"{words}; clear its cause and reset the fault"):
        axis.enable()
    assert module.log == [(MST, 0, 0)]
    assert axis.fault() == words
    with pytest.raises(Refused, match=f"{words} is still there; clear its cause and switch the module off and on"):
        axis.reset_fault()
    assert module.log[1:] == [(MST, 0, 0), "crank_enable low"]
    module.parameters[FLAGS] = 0
    axis.reset_fault()
    assert axis.fault() is None and axis.stopped_by == ""
    with pytest.raises(Refused, match="enable it first"):
        axis.command(0.0)


def test_warnings_are_no_faults(module: TmclModule) -> None:
    module.parameters[FLAGS] = 0xFF & ~(2 | 8 | 16)
    assert axis_of(module).fault() is None
    module.parameters[FLAGS] = 2 | 16
    assert axis_of(module).fault() == "over-temperature shutdown, short circuit of phase B"


@pytest.mark.parametrize("unplugged", [False, True])
def test_disable_takes_the_line_away_whatever_the_module_says(module: TmclModule, unplugged: bool) -> None:
    axis = enabled(module)
    module.unplugged = unplugged
    if unplugged:
        with pytest.raises(NotConnected):
            axis.disable()
    else:
        axis.disable()
    assert module.log == [*([] if unplugged else [(MST, 0, 0)]), "crank_enable low"]
    with pytest.raises(Refused, match="enable it first"):
        axis.command(0.0)


@pytest.mark.parametrize("before", [b"", b"\x02", bytes.fromhex("02 03 64 06 00 00 00 00 6f")])
def test_a_quick_stop_is_mst_and_its_answer_is_found_behind_others(module: TmclModule, before: bytes) -> None:
    axis = enabled(module)
    module.before = before
    axis.quick_stop()
    assert module.log == [(MST, 0, 0)] and len(module.urgent) == 1
    module.silent = True
    with pytest.raises(NoReply):
        axis.quick_stop()
    assert module.log[-1] == "crank_enable low"


@pytest.mark.parametrize(
    "answer",
    ["02 04 64 03 00 00 00 00 6d", "02 03 02 03 00 00 00 00 0a", "02 03 64 06 00 00 00 00 6f", "02 03 64 03 00 00 00 00 6d"],
)
def test_no_other_answer_confirms_a_stop(monkeypatch: pytest.MonkeyPatch, module: TmclModule, answer: str) -> None:
    """Another module's, a refusal, another command's, one whose sum is wrong."""
    axis = enabled(module)
    monkeypatch.setattr(module, "answer", lambda request: bytes.fromhex(answer))
    with pytest.raises(NoReply):
        axis.quick_stop()


# -- running ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gear", "direction", "sign"), [(1.0, "forward", 1), (1.0, "reverse", -1), (5.0, "forward", 1)])
def test_a_quarter_turn_from_its_zero(module: TmclModule, gear: float, direction: str, sign: int) -> None:
    axis = enabled(module, gear=gear, direction=direction, zero=0.5)
    axis.command(0.5 + math.pi / 2)
    axis.move_to(0.5 - math.pi / 2)
    steps = round(sign * gear * TURN / 4)
    assert module.log == [(MVP, 0, steps), (MVP, 0, -steps)]


@pytest.mark.parametrize(("direction", "first", "second"), [("forward", ROR, ROL), ("reverse", ROL, ROR)])
def test_speeds_to_both_sides(module: TmclModule, direction: str, first: int, second: int) -> None:
    axis = enabled(module, "velocity", direction=direction)
    axis.command(math.pi)
    axis.command(-math.pi)
    axis.command(0.0)
    assert module.log == [(first, 0, TURN // 2), (second, 0, TURN // 2), (ROR, 0, 0)]
    for beyond in (10.1, -10.1, math.nan):
        with pytest.raises(Refused, match=r"beyond max_speed = 10 rad/s"):
            axis.command(beyond)


def test_internal_units_of_speed(module: TmclModule) -> None:
    axis = enabled(module, "velocity", velocity_unit=0.5, acceleration_unit=100.0)
    axis.command(math.pi)
    assert module.log == [(ROR, 0, TURN)]
    module.parameters[SPEED] = TURN
    assert axis.feedback().velocity == pytest.approx(math.pi)


@pytest.mark.parametrize(("gear", "direction", "sign"), [(1.0, "forward", 1.0), (5.0, "reverse", -1.0)])
def test_feedback_is_position_and_speed(module: TmclModule, gear: float, direction: str, sign: float) -> None:
    axis = enabled(module, gear=gear, direction=direction, zero=0.5)
    module.parameters |= {POSITION: TURN, SPEED: -TURN // 2}
    told = axis.feedback()
    assert told.position == pytest.approx(0.5 + sign * 2 * math.pi / gear) and told.velocity == pytest.approx(-sign * math.pi / gear)
    assert told.torque is None and told.span is not None


def test_a_count_goes_round_to_the_nearer_side(module: TmclModule) -> None:
    """Of 32 bits, to both sides."""
    axis = enabled(module)
    module.parameters[POSITION] = [2**31 - 10, -(2**31) + 10, 2**31 - 30, -(2**31)]
    steps = [round(axis.feedback().position / (2 * math.pi) * TURN) for _ in range(4)]  # type: ignore[operator]
    assert steps == [2**31 - 10, 2**31 + 10, 2**31 - 30, 2**31]
    axis.prepare("position")
    assert round(axis.feedback().position / (2 * math.pi) * TURN) == -(2**31), "what is prepared anew counts anew"  # type: ignore[operator]


def test_positions_that_it_does_not_count_are_refused(module: TmclModule) -> None:
    axis = enabled(module)
    farthest = (2**31 - 1) / TURN * 2 * math.pi
    axis.command(farthest * (1 - 1e-9))
    for beyond in (farthest * 1.001, -farthest * 1.001, math.nan, math.inf):
        with pytest.raises(Refused, match="is more microsteps than the module counts; command less"):
            axis.command(beyond)
        with pytest.raises(Refused, match="is more microsteps than the module counts"):
            axis.move_to(beyond)
    assert len(module.log) == 1


def test_the_driver_chip_is_looked_at_every_tenth_reading(module: TmclModule) -> None:
    axis = enabled(module)
    module.parameters[FLAGS] = 8
    for _ in range(9):
        axis.feedback()
    with pytest.raises(Refused, match="short circuit of phase A; clear its cause and reset the fault"):
        axis.feedback()
    with pytest.raises(Refused, match="stopped by short circuit of phase A"):
        axis.command(0.0)
    for _ in range(30):
        axis.feedback()  # it is known


def test_it_has_arrived_when_the_module_says_so(module: TmclModule) -> None:
    axis = enabled(module)
    assert not axis.arrived()
    module.parameters[ARRIVED] = 1
    assert axis.arrived()


def test_the_reference_is_searched_until_the_module_has_done(module: TmclModule) -> None:
    axis = enabled(module)
    module.values[RFS, 2] = [1, 1, 1, 0]
    axis.find_reference(5.0)
    assert module.log == [(RFS, 0, 0), *[(RFS, 2, 0)] * 4]


def test_a_reference_that_does_not_come_ends_the_search(module: TmclModule) -> None:
    axis = enabled(module)
    module.values[RFS, 2] = [1]
    begun = module.clock.now
    with pytest.raises(NoReply, match=r"no reference switch within 0\.5 s; .*; quick stop done"):
        axis.find_reference(0.5)
    assert 0.5 < module.clock.now - begun < 0.6 and (RFS, 1, 0) in module.log and module.log[-1] == (MST, 0, 0)
    assert module.log.count((RFS, 2, 0)) < 60, "every 10 ms: others may share the line"
    with pytest.raises(Refused, match="reset the fault"):
        axis.find_reference(0.5)


def test_more_than_32_bits_are_not_sent(module: TmclModule) -> None:
    axis = axis_of(module)
    axis._do(5, 4, 2**31 - 1)
    axis._do(5, 4, -(2**31 - 1))
    for value in (2**31, -(2**31)):
        with pytest.raises(Refused, match=rf"{value} for command 5, type 4, is more than 32 bits hold"):
            axis._do(5, 4, value)


def test_nothing_moves_before_it_is_enabled(module: TmclModule) -> None:
    axis = axis_of(module)
    axis.prepare("position")
    module.log.clear()
    for call in (lambda: axis.command(0.1), lambda: axis.move_to(0.1), lambda: axis.find_reference(1.0)):
        with pytest.raises(Refused, match="enable it first"):
            call()
    assert module.log == []


def test_a_module_at_the_host_s_address_beside_others_is_refused(monkeypatch: pytest.MonkeyPatch, module: TmclModule) -> None:
    axis = axis_of(module)
    neighbours: set[int] = {3}
    monkeypatch.setattr(type(axis.line), "neighbours", property(lambda line: neighbours))
    axis.connect()
    module.host = 3
    axis.connect()
    axis.prepare("position")  # alone, or with other motors of its own
    neighbours.add(4)
    module.log.clear()
    with pytest.raises(Refused, match=r"3 is the address that the replies of all modules on this line go to"):
        axis.prepare("position")
    assert module.log == []
    module.host = 2
    axis.connect()
    axis.prepare("position")
