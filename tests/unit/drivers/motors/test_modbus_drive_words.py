"""What a drive over Modbus is told, register by register, and what is made of its words.

Registers of an Altivar as Schneider's NVE41308 and NVE41316 have them: CMD 8501, LFR 8502, ETA 3201, RFR 3202, LCR 3204, LFT 7121,
HSP 3104, LSP 3105, ACC 9001, DEC 9002, ttO 6005, SLL 7010; frequencies, times and currents in tenths. States and command words:
IEC 61800-7-201.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from scripted_drives import LINE, Clock, ModbusSlave, crc16

from drivers import modbus_drive
from drivers.errors import NoReply, NotConnected, Refused
from drivers.modbus_drive import Config, Registers

CMD, LFR, ETA, RFR, LCR, LFT, HSP, LSP, ACC, DEC, TTO, SLL = 8501, 8502, 3201, 3202, 3204, 7121, 3104, 3105, 9001, 9002, 6005, 7010
DISABLED, READY, ON, RUNS, STOPPING, FAULT = 0x40, 0x21, 0x23, 0x27, 0x07, 0x08


@pytest.fixture
def slave(monkeypatch: pytest.MonkeyPatch) -> ModbusSlave:
    slave = ModbusSlave(Clock(monkeypatch, "modbus_drive"))
    slave.registers |= {ETA: DISABLED, SLL: 1}
    return slave


def drive(slave: ModbusSlave, guarded: bool = False, **changes: Any) -> modbus_drive.ModbusDrive:
    settings = {"enable_line": LINE if guarded else None, "max_speed": 10.0, "acceleration": 20.0, "timeout": 0.5} | changes
    axis = modbus_drive.create(Config("COM1", **settings), "crank", slave.guard() if guarded else None)
    made: modbus_drive.ModbusDrive = slave.attach(axis)
    return made


def enabled(slave: ModbusSlave, **changes: Any) -> modbus_drive.ModbusDrive:
    axis = drive(slave, **changes)
    axis.prepare("velocity")
    slave.registers[ETA] = RUNS
    axis.enable()
    slave.log.clear()
    slave.asked.clear()
    return axis


# -- set-up ----------------------------------------------------------------------------------------------------------------------------


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


# -- power -----------------------------------------------------------------------------------------------------------------------------


def test_states_are_climbed_under_power_with_no_speed_asked(slave: ModbusSlave) -> None:
    axis = drive(slave, guarded=True)
    axis.prepare("velocity")
    slave.log.clear()
    slave.registers[ETA] = [DISABLED, READY, ON, RUNS]
    axis.enable()
    assert slave.log == ["crank_enable high", (LFR, 0), (CMD, 0x06), (CMD, 0x07), (CMD, 0x0F)]


def test_a_state_that_stays_is_asked_for_again_after_a_while(slave: ModbusSlave) -> None:
    """A tenth of a second, at 1 ms an exchange."""
    axis = drive(slave)
    axis.prepare("velocity")
    slave.log.clear()
    slave.registers[ETA] = [DISABLED] * 150 + [RUNS]
    axis.enable()
    assert slave.log == [(LFR, 0), (CMD, 0x06), (CMD, 0x06)]


def test_a_quick_stop_that_is_left_is_taken_back_first(slave: ModbusSlave) -> None:
    axis = drive(slave)
    axis.prepare("velocity")
    slave.log.clear()
    slave.registers[ETA] = [STOPPING, DISABLED, RUNS]
    axis.enable()
    assert slave.log[1:] == [(CMD, 0x00), (CMD, 0x06)]


def test_a_fault_at_enabling_is_told(slave: ModbusSlave) -> None:
    axis = drive(slave)
    axis.prepare("velocity")
    slave.registers |= {ETA: FAULT, LFT: 16}
    with pytest.raises(Refused, match=r"fault 16 \(OHF: drive too hot\); clear its cause and reset the fault"):
        axis.enable()
    with pytest.raises(Refused, match="reset the fault"):
        axis.command(1.0)


def test_one_that_does_not_come_up_is_told_after_its_time(slave: ModbusSlave) -> None:
    axis = drive(slave)
    axis.prepare("velocity")
    begun = slave.clock.now
    slave.registers[ETA] = READY
    with pytest.raises(NoReply, match=r"still 'ready to switch on' 1 s after enabling; look at its panel, enable input and mains$"):
        axis.enable()
    assert 1.0 < slave.clock.now - begun < 1.1
    with pytest.raises(Refused, match="enable it first"):
        axis.command(1.0)


def test_one_in_local_control_is_not_commanded(slave: ModbusSlave) -> None:
    axis = drive(slave, registers=Registers(remote=0x200))
    axis.prepare("velocity")
    slave.registers[ETA] = RUNS
    with pytest.raises(Refused, match=r"it is in local control \(status 0027h\); set it to be commanded by its line"):
        axis.enable()
    slave.registers[ETA] = 0x227
    axis.enable()
    axis.feedback()
    slave.registers[ETA] = 0x27
    with pytest.raises(Refused, match="it is in local control"):
        axis.feedback()


# -- running ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gear", "direction", "word"), [(1.0, "forward", 16), (1.0, "reverse", -16), (4.0, "forward", 64)])
def test_five_radians_a_second(slave: ModbusSlave, gear: float, direction: str, word: int) -> None:
    """1.592 Hz with two pole pairs, in tenths."""
    axis = enabled(slave, gear=gear, direction=direction)
    axis.command(5.0)
    axis.command(-5.0)
    assert slave.log == [(LFR, word), (LFR, -word)]


@pytest.mark.parametrize(("word", "speed"), [(16, 5.0265), (-16, -5.0265)])
def test_the_speed_is_the_output_frequency(slave: ModbusSlave, word: int, speed: float) -> None:
    axis = enabled(slave)
    slave.registers[RFR] = word
    told = axis.feedback()
    assert told.velocity == pytest.approx(speed, rel=1e-4) and (told.position, told.torque) == (None, None)
    assert slave.asked == [(ETA, 2)], "in one exchange"
    other = enabled(slave, registers=Registers(output_frequency=4000), gear=2.0, direction="reverse")
    slave.registers[4000] = word
    assert other.feedback().velocity == pytest.approx(-speed / 2.0, rel=1e-4)
    assert slave.asked == [(ETA, 1), (4000, 1)]


def test_a_drive_that_leaves_operation_is_told_and_stays_stopped(slave: ModbusSlave) -> None:
    axis = enabled(slave)
    slave.registers[ETA] = ON
    assert axis.fault() == "the drive left operation: switched on"
    with pytest.raises(Refused, match="stopped by the drive left operation: switched on; reset the fault and enable again"):
        axis.command(1.0)
    axis.feedback()  # no longer enabled: what it does is no news
    again = enabled(slave)
    slave.registers[ETA] = ON
    with pytest.raises(Refused, match="the drive left operation: switched on"):
        again.feedback()


def test_before_it_is_enabled_no_state_is_trouble_but_a_fault(slave: ModbusSlave) -> None:
    axis = drive(slave)
    assert axis.fault() is None
    slave.registers |= {ETA: FAULT, LFT: 99}
    assert axis.fault() == "fault 99 (see the manual of the drive)"


def test_the_current_is_in_tenths_of_an_ampere(slave: ModbusSlave) -> None:
    slave.registers[LCR] = 37
    assert drive(slave).current() == pytest.approx(3.7)


# -- stops -----------------------------------------------------------------------------------------------------------------------------


def test_a_quick_stop_is_said_at_once_and_seen(slave: ModbusSlave) -> None:
    axis = enabled(slave)
    slave.registers[ETA] = [RUNS, RUNS, STOPPING]
    axis.quick_stop()
    assert slave.log == [(CMD, 0x02)] and len(slave.urgent) == 1 and len(slave.asked) == 3


def test_a_quick_stop_that_is_not_followed_is_told_and_takes_the_power(slave: ModbusSlave) -> None:
    axis = enabled(slave, guarded=True)
    begun = slave.clock.now
    with pytest.raises(NoReply, match=r"1 s after its quick stop, which it has acknowledged, it still runs; stop it at its panel$"):
        axis.quick_stop()
    assert slave.log == [(CMD, 0x02), "crank_enable low"] and 1.0 < slave.clock.now - begun < 1.1
    assert len(slave.asked) < 120, "every 10 ms: others may share the line"


def test_no_other_answer_acknowledges_a_stop(monkeypatch: pytest.MonkeyPatch, slave: ModbusSlave) -> None:
    """It is the request itself, by the protocol; a late one is of another word."""
    axis = enabled(slave, guarded=True)
    late = bytes((1, 6, CMD >> 8, CMD & 0xFF, 0, 0x0F))
    monkeypatch.setattr(slave, "answer", lambda request: late + crc16(late))
    with pytest.raises(NoReply):
        axis.quick_stop()
    assert slave.log == ["crank_enable low"]


@pytest.mark.parametrize("unplugged", [False, True])
def test_disable_takes_the_line_away_whatever_the_drive_says(slave: ModbusSlave, unplugged: bool) -> None:
    axis = enabled(slave, guarded=True)
    slave.unplugged = unplugged
    if unplugged:
        with pytest.raises(NotConnected):
            axis.disable()
    else:
        axis.disable()
    assert slave.log == [*([] if unplugged else [(CMD, 0x00)]), "crank_enable low"]
    with pytest.raises(Refused, match="enable it first"):
        axis.command(1.0)


def test_a_fault_is_reset_by_an_edge_and_seen_to_go(slave: ModbusSlave) -> None:
    axis = enabled(slave)
    slave.registers[ETA] = STOPPING
    axis.quick_stop()
    slave.log.clear()
    slave.registers[ETA] = [FAULT, FAULT, DISABLED]
    axis.reset_fault()
    assert slave.log == [(CMD, 0x00), (CMD, 0x80), (CMD, 0x00)] and axis.stopped_by == ""
    with pytest.raises(Refused, match="enable it first"):
        axis.command(1.0)
    slave.registers |= {ETA: FAULT, LFT: 9}
    begun = slave.clock.now
    with pytest.raises(Refused, match=r"fault 9 \(OCF: overcurrent\) is still there 1 s after its reset; clear its cause"):
        axis.reset_fault()
    assert 1.0 < slave.clock.now - begun < 1.1


# -- exceptions ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [5, 6])
def test_one_that_is_busy_is_asked_again_for_as_long_as_it_may_take_to_answer(slave: ModbusSlave, code: int) -> None:
    """Acknowledge and server device busy: the application protocol says to ask again later."""
    slave.refuses[LCR] = [code]
    axis, begun = drive(slave), slave.clock.now
    with pytest.raises(NoReply, match=r"register 3204: .* for 0\.2 s; is it starting up\?"):
        axis.current()
    assert 0.2 < slave.clock.now - begun < 0.23


@pytest.mark.parametrize(
    ("code", "words"),
    [(2, "illegal data address: no such register .*; does `registers` fit this drive"), (3, "illegal data value"),
     (4, "server device failure .*; look at its panel"), (11, "the gateway is there and the drive behind it is silent")],
)  # fmt: skip
def test_what_it_refuses_is_told_with_its_register(slave: ModbusSlave, code: int, words: str) -> None:
    slave.refuses[LCR] = [code]
    with pytest.raises(Refused, match=f"register 3204: .*{words}"):
        drive(slave).current()
    assert slave.clock.now < 5e-3, "at once"


# -- what its registers hold -----------------------------------------------------------------------------------------------------------


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
