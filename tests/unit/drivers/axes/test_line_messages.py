"""What is said of a line that is wrong: whose it is, at which port, what it is, and what to do about that and nothing else."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from typing import Any

import pytest
from axis_rigs import axis_rig
from motor_lines import with_power
from spoilt_lines import Lines
from test_time_bounds import DRIVES, one_instron, one_modbus

from drivers.errors import BadReply, NoReply, NotConnected, Refused
from drivers.instruments import force_gauge
from drivers.protocols import modbus_rtu, odrive_ascii
from drivers.serial.port_errors import gone, unopened
from drivers.simulated.instruments.force_gauge import Config as GaugeSide
from tests.each_row import each_row

KINDS = [*DRIVES, "instron", "gauge"]
ECHO = r"at COM1: what was sent has come back, an echo .*switch the echo off: at an RS-485 adapter"
SILENCE = r"no reply .*; look at the cable, at the instrument's power and address, and at baud rate and parity"
GARBAGE = r"at COM1: .*look at the cable, at baud rate and parity, and at what else is on the line"


def one_gauge(lines: Lines, timeout: float) -> Any:
    lines.add("COM1", GaugeSide().create("gauge"))
    return force_gauge.Config("COM1", timeout=timeout).create()


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    return Lines(monkeypatch)


def driver(lines: Lines, kind: str) -> Any:
    return (DRIVES | {"instron": one_instron, "gauge": one_gauge})[kind](lines, 0.2)


@pytest.mark.parametrize("kind", KINDS)
def test_an_echo_is_called_an_echo(lines: Lines, kind: str) -> None:
    """What an RS-485 adapter hears of itself, with the answer behind it, is no wrong checksum and no other address."""
    made = driver(lines, kind)
    lines.spoil("echo")
    with pytest.raises(BadReply, match=ECHO) as told:
        made.connect()
    assert "checksum" not in str(told.value) and "address" not in str(told.value).partition("COM1:")[2]
    made.close()


def test_a_write_that_modbus_answers_by_itself_is_no_echo(lines: Lines) -> None:
    axis = with_power(one_modbus(lines, 0.2))
    axis.command(1.0)
    assert axis.close() == []


@pytest.mark.parametrize("kind", KINDS)
def test_silence_and_garbage_have_other_remedies(lines: Lines, kind: str) -> None:
    made = driver(lines, kind)
    lines.spoil("silent")
    with pytest.raises(NoReply, match=SILENCE):
        made.connect()
    lines.spoil("nonsense")
    with pytest.raises(BadReply, match=GARBAGE):
        made.connect()
    made.close()


METHODS: dict[str, Callable[[Any], Any]] = {
    "connect": lambda axis: axis.connect(),
    "prepare": lambda axis: axis.prepare("velocity"),
    "enable": lambda axis: axis.enable(),
    "feedback": lambda axis: axis.feedback(),
    "command": lambda axis: axis.command(1.0),
    "fault": lambda axis: axis.fault(),
    "disable": lambda axis: axis.disable(),
}


@each_row("what", [b"nan", b"-nan", b"inf", b"nan nan", b"1.0 inf"])
@each_row("method", METHODS)
def test_a_drive_that_tells_no_number_is_named_with_its_port(method: str, what: bytes) -> None:
    """So an ODrive tells the estimate of an encoder that has failed."""
    with axis_rig("odrive") as rig:
        rig.axis.connect()
        if method not in ("connect", "prepare"):
            rig.axis.prepare("velocity")
        if method in ("feedback", "command", "disable"):
            rig.axis.enable()
        answer = b"%s*%d\r\n" % (what, odrive_ascii.checksum(what))

        def receive(data: bytes) -> bytes:
            return answer * (data.count(b"r ") + data.count(b"f "))

        rig.side.device.receive = receive  # type: ignore[method-assign]
        with pytest.raises(BadReply, match=r"^motor \(ODrive axis 0\) at socket://\S+: [a-z_.A-Z ]+: expected \d finite number") as told:
            METHODS[method](rig.axis)
        assert repr(what.decode()) in str(told.value)


@pytest.mark.parametrize(
    ("code", "name"),
    [  # MODBUS Application Protocol V1.1b3, section 7
        (1, "illegal function"), (2, "illegal data address"), (3, "illegal data value"), (4, "server device failure"),
        (8, "memory parity error"), (10, "gateway path unavailable"), (11, "gateway target device failed to respond"),
    ],
)  # fmt: skip
def test_an_exception_of_modbus_is_told_by_its_name(lines: Lines, code: int, name: str) -> None:
    axis = one_modbus(lines, 0.2)
    lines.ports["COM1"].device.serve = lambda request: modbus_rtu.Reply(exception=code)  # type: ignore[attr-defined]
    with pytest.raises(Refused, match=rf"motor1 .* at COM1: register \d+: {name}.*\(Modbus exception {code}\); ") as told:
        axis.connect()
    assert ("does `registers` fit" in str(told.value)) == (code <= 3)
    axis.close()


def error(text: str, number: int | None = None) -> OSError:
    made = OSError(text)
    made.errno = number
    return made


OPENED = {
    # as pyserial tells them on Linux, on Windows, and for socket://
    "linux absent": (error("[Errno 2] could not open port /dev/ttyUSB7: No such file", errno.ENOENT), False, "no such port.*rig devices"),
    "linux forbidden": (error("[Errno 13] could not open port /dev/ttyUSB0: denied", errno.EACCES), False, "member of the group"),
    "linux locked": (error("Could not exclusively lock port /dev/ttyUSB0: [Errno 11]", errno.EAGAIN), False, "another program has it open"),
    "linux busy": (error("[Errno 16] could not open port /dev/ttyUSB0: busy", errno.EBUSY), False, "another program has it open"),
    "windows absent": (error("could not open port 'COM9': FileNotFoundError(2, 'x', None, 2)"), True, "no such port"),
    "windows busy": (error("could not open port 'COM3': PermissionError(13, 'x', None, 5)"), True, "another program has it open"),
    "refused": (error("Could not open port socket://h:1: [Errno 111] Connection refused"), False, "nobody listens at that address"),
    "unreachable": (error("Could not open port socket://h:1: timed out"), False, "nothing answers at that address"),
    "unknown": (error("Could not open port socket://h:1: [Errno -2] Name or service not known"), False, "no machine has that name"),
}  # fmt: skip


@each_row("case", OPENED)
def test_why_a_port_does_not_open(case: str) -> None:
    told, windows, words = OPENED[case]
    text = unopened(told, windows)
    assert text.startswith(str(told)) and "\n" not in text
    assert re.search(words, text), text


def test_an_adapter_that_is_pulled_in_mid_run() -> None:
    """pyserial's own words for it."""
    pulled = error("device reports readiness to read but returned no data (device disconnected or multiple access on port?)")
    assert (
        gone(pulled)
        == "its port has gone: the adapter was pulled, or another program reads from it, too; plug it in again and connect anew"
    )
    assert gone(error("[Errno 5] Input/output error", errno.EIO)).endswith("Input/output error; plug it in again and connect anew")


def test_a_port_that_another_program_has(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*args: Any, **kwargs: Any) -> None:
        raise error("Could not exclusively lock port COM1: [Errno 11] Resource temporarily unavailable", errno.EAGAIN)

    made = driver(lines, "tmcl")
    monkeypatch.setattr("drivers.serial.serial_line.serial.serial_for_url", locked)
    with pytest.raises(NotConnected, match=r"^COM1 \(TMCL module 1, motor 0\) at COM1: .*another program has it open: close that one"):
        made.connect()
