"""States and command words against the tables of IEC 61800-7-201 (CiA 402), all 256 low bytes of a status word."""

from __future__ import annotations

import pytest

from drivers.protocols import cia402

# "State coding": bits 6 5 and 3 2 1 0 of the status word; x: either.
TABLE = {
    "x1xx0000": "switch on disabled", "x01x0001": "ready to switch on", "x01x0011": "switched on", "x01x0111": "operation enabled",
    "x00x0111": "quick stop active", "x0xx1111": "fault", "x0xx1000": "fault",
}  # fmt: skip


def by_table(status: int) -> str:
    bits = f"{status & 0xFF:08b}"
    found = [name for pattern, name in TABLE.items() if all(p in ("x", b) for p, b in zip(pattern, bits, strict=True))]
    assert len(found) <= 1
    return found[0] if found else "unknown state"


@pytest.mark.parametrize("rest", [0x0000, 0xFF00, 0x0200])
def test_every_status_word_is_the_state_of_the_table(rest: int) -> None:
    """1111 with bit 6 clear is the reaction to a fault, which is one."""
    for low in range(256):
        assert cia402.state(rest | low) == by_table(low), f"{low:08b}"


def test_command_words() -> None:
    """As coded there: shutdown 110, switch on 0111, enable operation 1111, disable voltage 0x, quick stop 01x, fault reset: bit 7."""
    assert (cia402.SHUTDOWN, cia402.SWITCH_ON, cia402.ENABLE_OPERATION) == (0b0110, 0b0111, 0b1111)
    assert (cia402.DISABLE_VOLTAGE, cia402.QUICK_STOP, cia402.FAULT_RESET) == (0b0000, 0b0010, 0b1000_0000)


def test_the_way_up_is_shutdown_switch_on_enable() -> None:
    words = cia402.COMMAND_OF_NEXT
    assert words == {"switch on disabled": 0b0110, "ready to switch on": 0b0111, "switched on": 0b1111}


@pytest.mark.parametrize(
    "name", ["switch on disabled", "ready to switch on", "switched on", "operation enabled", "quick stop active", "fault"]
)
def test_the_words_of_a_simulated_drive_are_of_the_table(name: str) -> None:
    assert by_table(cia402.WORDS[name]) == name and by_table(cia402.WORDS[name] | cia402.VOLTAGE) == name
