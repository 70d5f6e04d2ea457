"""A drive over Modbus gets its power and loses it, state by state. What the words mean: `modbus_drive_words`."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from modbus_drive_words import CMD, DISABLED, ETA, FAULT, LFR, LFT, ON, READY, RUNS, STOPPING, drive, enabled
from scripted_drives import ModbusSlave, crc16

from drivers.axes.modbus_drive import Registers
from drivers.errors import NoReply, NotConnected, Refused


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
    with pytest.raises(NotConnected) if unplugged else nullcontext():
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
