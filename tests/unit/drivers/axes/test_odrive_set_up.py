"""An ODrive is set up: firmware, limits and watchdog, each read back. What the words mean: `odrive_words`."""

from __future__ import annotations

import pytest
from odrive_words import ASKED, MODE, STATE, TURN, WATCHDOG, WATCHED, axis_of, enabled, ready
from scripted_drives import ODriveLines

from drivers.axes.odrive import Config
from drivers.errors import Refused


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


@pytest.mark.parametrize(
    ("turns", "gear", "coarse"),
    [(1000.0, 1.0, False), (1300.0, 1.0, False), (10000.0, 1.0, True), (-10000.0, 1.0, True), (1000.0, 10.0, False)],
)
def test_positions_are_as_fine_as_a_float_of_32_bits(lines: ODriveLines, turns: float, gear: float, coarse: bool) -> None:
    """2^-23 of the power of two below: 2^-14 turns at 1000 (0.38 mrad), 2^-10 at 10000 (6 mrad); a millirad is the bound."""
    config = Config("COM1", gear=gear, axis=1)
    assert bool(config.too_coarse(turns * TURN)) == coarse
    if coarse:
        axis = enabled(lines, "position")
        for call in (axis.command, axis.move_to):
            with pytest.raises(Refused, match=r"has steps of 0\.0061 rad, coarser than 0\.001 rad; command by velocity, or begin nearer"):
                call(turns * TURN)
        enabled(ready(lines), "velocity").command(5.0)
