"""A TMCL module runs: setpoints, counts that go round, references. What the words mean: `tmcl_words`."""

from __future__ import annotations

import math

import pytest
from scripted_drives import TmclModule
from tmcl_words import ARRIVED, FLAGS, MST, MVP, POSITION, RFS, ROL, ROR, SPEED, TURN, axis_of, enabled

from drivers.errors import NoReply, Refused


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
