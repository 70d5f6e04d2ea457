"""A TMCL module is set up: units, limits and current, each read back. What the words mean: `tmcl_words`."""

from __future__ import annotations

import pytest
from scripted_drives import TmclModule
from tmcl_words import MST, axis_of

from drivers.errors import Refused


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
