"""A drive over Modbus is set up: limits, ramps and time-out, each read back. What the words mean: `modbus_drive_words`."""

from __future__ import annotations

import math

import pytest
from modbus_drive_words import ACC, CMD, DEC, HSP, LFR, LSP, SLL, TTO, drive
from scripted_drives import ModbusSlave

from drivers.axes.modbus_drive import Config, Registers
from drivers.errors import Refused


@pytest.mark.parametrize(("gear", "direction"), [(1.0, "forward"), (1.0, "reverse"), (4.0, "reverse")])
def test_prepare_stops_it_and_sets_limits_ramps_and_time_out(slave: ModbusSlave, gear: float, direction: str) -> None:
    """10 rad/s with two pole pairs are 3.183 Hz, not less than which HSP lets it; 20 rad/s^2 are 6.366 Hz/s, 7.85 s to 50 Hz."""
    axis = drive(slave, gear=gear, direction=direction)
    axis.prepare("velocity")
    highest, ramp = math.ceil(10 * 3.1830989 * gear), round(10 * 50 / (6.3661977 * gear))
    wanted = [(CMD, 0), (LFR, 0), (LSP, 0), (HSP, highest), (ACC, ramp), (DEC, ramp), (TTO, 5)]
    assert slave.log == wanted and axis.mode == "velocity" and axis.stops_within == pytest.approx(0.5)
    assert [register for register, _ in slave.asked[:6]] == [LSP, HSP, ACC, DEC, TTO, SLL]


@pytest.mark.parametrize("register", [LSP, HSP, ACC, DEC])
def test_a_limit_that_the_drive_does_not_keep_is_refused(slave: ModbusSlave, register: int) -> None:
    slave.keeps[register] = 9
    with pytest.raises(Refused, match=rf"register {register} was set to \d+ and reads 9; set it at the drive's panel"):
        drive(slave).prepare("velocity")


def test_a_ramp_is_never_none_at_all(slave: ModbusSlave) -> None:
    drive(slave, acceleration=1e6).prepare("velocity")
    assert (ACC, 1) in slave.log and (DEC, 1) in slave.log


def test_registers_that_there_are_not_are_not_written(slave: ModbusSlave) -> None:
    registers = Registers(low_speed=0, high_speed=0, acceleration=0, deceleration=0, loss_action=0)
    drive(slave, registers=registers).prepare("velocity")
    assert slave.log == [(CMD, 0), (LFR, 0), (TTO, 5)] and SLL not in [register for register, _ in slave.asked]


@pytest.mark.parametrize(("action", "stops"), [(0, False), (1, True), (2, True), (4, False), (5, False), (6, True), (7, True), (8, True)])
def test_what_it_does_without_its_line_is_asked(slave: ModbusSlave, action: int, stops: bool) -> None:
    slave.registers[SLL] = action
    axis = drive(slave)
    if stops:
        axis.prepare("velocity")
        return
    words = rf"if the program died: it goes on after a lost communication \(register 7010 is {action}; it stops with 1, 2, 6, 7, 8\)"
    with pytest.raises(Refused, match=words):
        axis.prepare("velocity")
    assert axis.mode == "" and axis.stops_within == math.inf


def test_a_time_out_that_it_does_not_keep_is_none(slave: ModbusSlave) -> None:
    slave.keeps[TTO] = 100
    with pytest.raises(Refused, match=r"its time-out was set to 0\.5 s and reads 10 s; set it at the drive's panel"):
        drive(slave).prepare("velocity")
    guarded = drive(slave, guarded=True)
    guarded.prepare("velocity")
    assert guarded.stops_within == 0.3, "the watchdog of its enable line stops it"


def test_a_map_without_time_out_needs_an_enable_line(slave: ModbusSlave) -> None:
    registers = Registers(timeout=0)
    with pytest.raises(Refused, match=r"its register map has no time-out of the communication \(registers\.timeout\)"):
        drive(slave, registers=registers).prepare("velocity")
    drive(slave, guarded=True, registers=registers).prepare("velocity")
    assert TTO not in [entry[0] for entry in slave.log if isinstance(entry, tuple)]


@pytest.mark.parametrize(("asked", "would"), [(0.55, "0.6"), (0.04, "0.1"), (0.21, "0.3")])
def test_a_time_out_is_a_multiple_of_what_it_counts_in(slave: ModbusSlave, asked: float, would: str) -> None:
    with pytest.raises(Refused, match=rf"timeout: expected a multiple of 0\.1 s.* got {asked:g} s; {would} s would do"):
        drive(slave, timeout=asked).prepare("velocity")


def test_a_line_carries_one_setpoint_in_two_exchanges(slave: ModbusSlave) -> None:
    """At 1 ms each."""
    drive(slave).prepare("velocity", rate=490.0)
    with pytest.raises(Refused, match=r"takes 2\.0 ms on this line, so 500\.0 a second; 510 are wanted"):
        drive(slave).prepare("velocity", rate=510.0)


def test_what_a_signed_register_holds() -> None:
    Config("COM1", timeout=3276.7)
    with pytest.raises(ValueError, match=r"timeout: expected at most 3276\.7 s"):
        Config("COM1", timeout=3276.8)
    Config("COM1", timeout=3276.8, registers=Registers(timeout=0))
    Config("COM1", max_speed=10294.0)  # 3276.7 Hz of two pole pairs
    with pytest.raises(ValueError, match=r"max_speed: expected at most 10294\.\d+ rad/s"):
        Config("COM1", max_speed=10295.0)
    least = 50.0 / 3276.7 * math.pi
    Config("COM1", acceleration=least * 1.001)
    with pytest.raises(ValueError, match="acceleration: expected at least"):
        Config("COM1", acceleration=least * 0.999)


def test_an_address_is_of_one_register() -> None:
    Registers(acceleration=9001, deceleration=9001)
    with pytest.raises(ValueError, match="status: expected a register of its own, got 8501, which is command"):
        Registers(status=8501)
