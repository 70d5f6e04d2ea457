"""What NI-DAQmx says, in the words of this program; error codes by the names that NI's own package gives them."""

from __future__ import annotations

import contextlib
import socket
import threading
import warnings
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError, DaqNotFoundError

from drivers.daq import session as daqmx_session
from drivers.daq.session import Session, close_tasks, first_line
from drivers.errors import DriverError, NoReply, NotConnected, Refused, Reserved, WatchdogExpired
from tests.each_row import each_row

# NI's longer names differ from what they say; -200141 reads "Data was overwritten before it could be read by the system."
CASES = [
    (DAQmxErrors.GEN_STOPPED_TO_PREVENT_REGEN_OF_OLD_SAMPLES, Refused, r"output Dev1/ao0 ran dry .*; raise command\.ahead"),
    (DAQmxErrors.SAMPLES_NO_LONGER_AVAILABLE, Refused, r"reading: samples were overwritten .*; raise daq\.input_buffer, or lower"),
    (DAQmxErrors.COUNTER_OVERFLOW, Refused, r"reading: samples were overwritten .*; raise daq\.input_buffer, or lower"),
    (DAQmxErrors.SAMPLES_NOT_YET_AVAILABLE, NoReply, "reading: it says"),
    (DAQmxErrors.MULTI_DEVS_IN_TASK, Refused, "inputs on Dev1, Dev2 have no sample clock in common"),
    (DAQmxErrors.CANT_RESET_EXPIRED_WATCHDOG, WatchdogExpired, r"longer than daq\.watchdog, and its lines have gone to their safe states"),
    (DAQmxErrors.WRITE_FAILED_BECAUSE_WATCHDOG_EXPIRED, WatchdogExpired, "this computer stood still or is too busy"),
    (DAQmxErrors.PAL_RESOURCE_RESERVED, Reserved, "another program holds the device"),
    (DAQmxErrors.RESOURCE_ALREADY_RESERVED, Reserved, "another program holds the device"),
    (DAQmxErrors.DIG_LINES_RESERVED_OR_UNAVAILABLE, Reserved, "another program holds the device"),
    (DAQmxErrors.CANT_RESERVE_WATCHDOG_TASK_WHILE_OTHER_TASKS_RESERVED, Reserved, "another program holds the device"),
]  # fmt: skip


@each_row(("code", "kind", "words"), CASES)
def test_each_code_is_an_error_of_its_own(code: DAQmxErrors, kind: type[DriverError], words: str) -> None:
    session = Session(None, "Dev1/ao0", "Dev1, Dev2")
    with pytest.raises(kind, match=rf"{words}.*\({code.value}\)|\({code.value}\).*{words}") as told, session.explained("reading"):
        raise DaqError("it says", code.value)
    assert type(told.value) is kind
    assert session.underflows == (1 if code is CASES[0][0] else 0)


def test_underflows_are_counted() -> None:
    session = Session(None, "Dev1/ao0")
    for _ in range(3):
        with pytest.raises(Refused), session.explained("writing"):
            raise DaqError("dry", DAQmxErrors.GEN_STOPPED_TO_PREVENT_REGEN_OF_OLD_SAMPLES.value)
    assert session.underflows == 3


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Device is not connected. Do this.", NotConnected), ("CONNECTION lost", NotConnected),
        ("No such property. Connect the pins.", Refused),
    ],
)  # fmt: skip
def test_a_device_that_is_not_connected_is_one_where_that_is_what_happened(text: str, kind: type[DriverError]) -> None:
    """What is to be done about something else may well be to connect a terminal."""
    with pytest.raises(DriverError) as told, Session(None, "").explained("setting up"):
        raise DaqError(text, -1)
    assert type(told.value) is kind


def test_details_of_ni_are_told_in_one_line() -> None:
    text = "Requested value is not supported.\n\nProperty: AI.Max\nValue: 99\nno colon here\nTask Name: _unnamed<0>\n\nStatus Code: -200077"
    with pytest.raises(Refused) as told, Session(None, "").explained("setting up"):
        raise DaqError(text, -200077)
    assert str(told.value) == "DAQ: setting up: Requested value is not supported.; Property: AI.Max; Value: 99 (-200077)"


def test_what_is_no_error_of_ni_is_not_touched() -> None:
    for error in (Refused("own words"), ZeroDivisionError("ours"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as told, Session(None, "").explained("setting up"):
            raise error
        assert told.value is error


def test_a_machine_without_driver_and_a_server_that_is_gone_are_not_connected() -> None:
    with pytest.raises(NotConnected, match="DAQ: looking: no libnidaqmx"), Session(None, "").explained("looking"):
        raise OSError("no libnidaqmx\nsecond line")
    with pytest.raises(NotConnected, match="DAQ: looking: FutureTimeoutError"), Session(None, "").explained("looking"):
        raise grpc.FutureTimeoutError
    with pytest.raises(NotConnected, match="DAQ: looking: Could not find"), Session(None, "").explained("looking"):
        raise DaqNotFoundError("Could not find an installation of NI-DAQmx")  # no DaqError, as it has no code


class Silence(grpc.RpcError):
    """What comes of a call that nobody answers in time."""

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.DEADLINE_EXCEEDED


def test_an_address_that_nobody_answers_is_told_within_three_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def call(question: bytes, timeout: float, wait_for_ready: bool) -> None:
        asked.append((timeout, wait_for_ready))
        raise Silence

    channel = SimpleNamespace(close=lambda: asked.append("closed"), unary_unary=lambda method: call)
    monkeypatch.setattr(grpc, "insecure_channel", lambda address, options: asked.append((address, dict(options))) or channel)
    session = Session("10.0.0.1:31763", "")
    assert session.where == "10.0.0.1:31763" and session.options() is None
    with pytest.raises(NotConnected, match=r"no device server answers at 10\.0\.0\.1:31763 within 3 s; is it running\?"):
        session.devices()
    unlimited = {"grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1}
    assert asked == [("10.0.0.1:31763", unlimited), (3.0, True), "closed"] and session.options() is None
    session.close()
    assert asked[-1] == "closed" and len(asked) == 3


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x00" * 64, None])
def test_what_is_no_device_server_is_told_and_the_channel_closed(answer: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing, something else, nonsense, or hangs up."""
    monkeypatch.setattr(daqmx_session, "CONNECT_TIMEOUT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()
        threading.Thread(target=answered, args=(server, answer, ended), daemon=True).start()
        session = Session(f"127.0.0.1:{server.getsockname()[1]}", "")
        try:
            with pytest.raises(NotConnected, match=r"no device server answers at 127\.0\.0\.1:\d+ within 0.5 s"):
                session.devices()
        finally:
            ended.set()
        assert session.options() is None


def answered(server: socket.socket, answer: bytes | None, ended: threading.Event) -> None:
    """Serve whoever comes: `answer`, or an end at once."""
    server.settimeout(0.05)
    held = []
    while not ended.is_set():
        with contextlib.suppress(TimeoutError, OSError):
            caller = server.accept()[0]
            if answer is None:
                caller.close()
                continue
            caller.sendall(answer)
            held.append(caller)
    for caller in held:
        caller.close()


def test_of_this_machine_its_own_driver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    local = SimpleNamespace(devices=SimpleNamespace(device_names=["Dev1", "Dev2"]))
    monkeypatch.setattr(daqmx_session, "System", SimpleNamespace(local=lambda: local))
    assert Session(None, "").devices() == ["Dev1", "Dev2"]
    assert Session(None, "").where == "the NI driver of this machine"


def test_every_task_is_closed_whatever_the_others_say() -> None:
    closed: list[str] = []

    def gone() -> None:
        raise DaqError("no connection\nsecond line", -1)

    tasks: dict[str, Any] = {
        "input": SimpleNamespace(close=lambda: closed.append("input")), "output": SimpleNamespace(close=gone),
        "watchdog": SimpleNamespace(close=lambda: closed.append("watchdog")),
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.resetwarnings()
        assert close_tasks(tasks) == ["DAQ: closing its output task: no connection"]
        assert warnings.filters == [], "other warnings are shown as ever"
    assert closed == ["input", "watchdog"] and tasks == {}


def test_an_error_without_words_has_its_name() -> None:
    assert (first_line(ValueError(" \n")), first_line(ValueError(" one\ntwo "))) == ("ValueError", "one")
