"""A drive over Modbus runs: speeds, what it refuses, and when it is busy. What the words mean: `modbus_drive_words`."""

from __future__ import annotations

import pytest
from modbus_drive_words import ETA, FAULT, LCR, LFR, LFT, ON, RFR, drive, enabled
from scripted_drives import ModbusSlave

from drivers.axes.modbus_drive import Registers
from drivers.errors import NoReply, Refused


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
