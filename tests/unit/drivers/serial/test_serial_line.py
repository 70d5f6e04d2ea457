"""The serial line by itself: late answers, shared ports, what it keeps, and what it says."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import serial
from waiting import until

from drivers import host_clock
from drivers.errors import BadReply, NoReply, NotConnected, Refused
from drivers.serial.serial_line import Line, SerialLine
from drivers.simulated.serial.serial_device import SerialDevice
from drivers.simulated.serial.serial_side import Fault, SerialSide, Wire
from tests.unit.drivers.serial.memory_port import Port, opened


class Echo(SerialDevice):
    """Answers each line with itself."""

    def tick(self, step: float) -> None:
        pass

    def receive(self, data: bytes) -> bytes:
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return b"".join(line + b"\n" for line in lines)


def any_line(data: bytes) -> bytes | None:
    return data.split(b"\n")[0] if b"\n" in data else None


@pytest.fixture
def side() -> Iterator[SerialSide]:
    with SerialSide(Echo("echo"), wire=Wire(115200)) as side:
        yield side


@pytest.fixture
def line(side: SerialSide) -> Iterator[SerialLine]:
    line = SerialLine(Line(side.url, 115200, timeout=1.0), "echo")
    line.open()
    yield line
    line.close()


def test_what_a_computer_stands_still_counts_for_no_time_out(side: SerialSide, line: SerialLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does the simulated device, or a question that had not gone yet."""
    port = line._port
    assert port is not None
    read, stalls = port.read, [1.0]

    def stands_still() -> bytes:
        if stalls:
            time.sleep(stalls.pop())
            return b""
        return read()

    monkeypatch.setattr(port, "read", stands_still)
    side.fault = Fault("delayed", seconds=1.05)
    assert line.exchange(b"one\n", any_line, timeout=0.5) == b"one"
    begin = time.monotonic()
    side.fault = Fault("silent")
    with pytest.raises(NoReply):
        line.exchange(b"two\n", any_line, timeout=0.15)
    assert time.monotonic() - begin >= 0.15, "what it looks at in vain does"


def test_what_a_computer_stands_still_after_sending_is_no_blocked_line(
    side: SerialSide, line: SerialLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial.serialutil.Timeout, "TIME", lambda _=None, clock=time.monotonic: clock() * 1e6)  # all takes longer
    assert line.exchange(b"one\n", any_line) == b"one"


def test_a_line_that_takes_nothing(line: SerialLine) -> None:
    """Its other end neither reads nor hangs up."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        port = line._port
        assert port is not None and port._connection is not None
        port._connection.close()
        port._connection = ours
        with pytest.raises(NotConnected, match="Write timeout; plug it in again"):
            line.send(b"x" * 10_000_000)


def test_an_urgent_word_does_not_wait(side: SerialSide) -> None:
    line, late = SerialLine(Line(side.url, 115200, timeout=3.0), "echo"), 1.5
    line.open()
    side.fault = Fault("delayed", seconds=late)
    begun = host_clock.now()
    with pytest.raises(NoReply):
        line.exchange(b"one\n", any_line, timeout=0.15)
    before = len(line.exchanges)
    assert line.exchange(b"stop\n", lambda got: b"stop" in got or None, urgent=True)
    assert len(line.exchanges) == before + 1
    assert host_clock.now() < begun + late, "the late one has not come yet"
    assert line.exchange(b"two\n", any_line) == b"two", "the late one is still waited for"
    line.close()


def test_after_a_spoilt_reply_the_next_is_good(side: SerialSide, line: SerialLine) -> None:
    def strict(data: bytes) -> bytes | None:
        if any_line(data) not in (None, b"good"):
            raise BadReply("expected 'good'")
        return any_line(data)

    side.fault = Fault("garbled")
    with pytest.raises(
        BadReply, match=r"^echo at socket://[0-9.:]+: expected 'good' \(sent 'good\\n', received .* in [0-9.]+ ms\); look at"
    ):
        line.exchange(b"good\n", strict)
    assert line.exchange(b"good\n", strict) == b"good"


def test_a_line_that_never_ends(side: SerialSide, line: SerialLine) -> None:
    with pytest.raises(BadReply, match="a reply without end"):
        line.exchange(b"x" * 5000 + b"\n", lambda data: None, timeout=10.0)
    assert line.exchange(b"two\n", any_line) == b"two"


def test_two_instruments_share_a_port(side: SerialSide, line: SerialLine) -> None:
    other = SerialLine(Line(side.url, 115200), "other")
    other.open()
    answers: dict[str, list[bytes]] = {"a": [], "b": []}

    def talk(who: SerialLine, name: str) -> None:
        for n in range(50):
            answers[name].append(who.exchange(b"%s%d\n" % (name.encode(), n), any_line, timeout=5.0))

    threads = [threading.Thread(target=talk, args=args) for args in ((line, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {name: [b"%s%d" % (name.encode(), n) for n in range(50)] for name in "ab"}
    assert len(side._clients) == 1
    assert line.close() == []
    assert other.exchange(b"still\n", any_line) == b"still"
    assert other.close() == []
    with pytest.raises(NotConnected, match="connect first"):
        other.exchange(b"x\n", any_line)


def test_other_settings_on_one_port_are_refused(side: SerialSide, line: SerialLine) -> None:
    with pytest.raises(Refused, match="echo has this port open with other settings"):
        SerialLine(Line(side.url, 9600), "other").open()
    with pytest.raises(Refused, match="parity must be one of none, even, odd"):
        SerialLine(Line(side.url, 9600, parity="mark"), "other").open()


def test_a_port_that_went_is_opened_again_for_both(side: SerialSide, line: SerialLine) -> None:
    other = SerialLine(Line(side.url, 115200), "other")
    other.open()
    side.unplug()
    with pytest.raises(NotConnected, match="plug it in again and connect anew"):
        for _ in range(100):
            line.exchange(b"x\n", any_line)
    with pytest.raises(NotConnected, match=r"^other at socket"):
        other.exchange(b"x\n", any_line)
    side.plug()
    line.open()
    assert other.exchange(b"back\n", any_line) == b"back"
    other.close()


def test_an_unplugged_port_takes_no_connection(side: SerialSide) -> None:
    """From the moment that `unplug` returns: not one that is taken and dropped later, which reads as a cable pulled meanwhile."""
    port = int(side.url.rpartition(":")[2])
    for _ in range(20):
        side.unplug()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 1.0).close()
        side.plug()
        with socket.create_connection(("127.0.0.1", port), 1.0) as client:
            client.sendall(b"here\n")
            assert client.recv(16) == b"here\n"
    assert len([thread for thread in side._threads if thread.is_alive()]) <= 4, "those that accepted before have ended"


def test_what_it_keeps(line: SerialLine) -> None:
    assert line.timing.n == 0 and line.timing.median == 0.0
    for n in range(60):
        line.exchange(b"%d\n" % n, any_line)
    assert len(line.exchanges) == 50 and line.exchanges[-1].reply.startswith(b"59")
    assert line.timing.n == 60 and 0.0 < line.timing.median <= line.timing.p99


def test_bytes_take_their_time(side: SerialSide) -> None:
    with SerialSide(Echo("slow"), wire=Wire(9600)) as slow:
        line = SerialLine(Line(slow.url, 9600, timeout=2.0), "slow")
        line.open()
        text = b"x" * 47 + b"\n"
        begin = time.monotonic()
        line.exchange(text, any_line)
        assert time.monotonic() - begin >= Wire(9600).duration(2 * len(text))
        line.close()


def test_a_line_that_babbles_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then, of which none is a reply: each was waited for to its end, up to the 4096th. What moves waits for a stop."""
    ours, theirs = socket.socketpair()
    with SerialSide(Echo("echo")) as side, ours, theirs:
        line = SerialLine(Line(side.url, 115200, timeout=0.1), "babbling")
        line.open()
        ours.setblocking(False)
        port = line._port
        assert port is not None and port._connection is not None
        port.handle._socket.close()
        port.handle._socket = ours
        port._connection.close()
        port._connection = ours
        read = port.read

        def babbled() -> bytes:
            time.sleep(0.01)
            theirs.send(b"U")  # by nobody who could be away when it is looked for
            return read()

        monkeypatch.setattr(port, "read", babbled)
        begin = time.monotonic()
        with pytest.raises(BadReply, match="bytes without end, and no reply among them"):
            line.exchange(b"one\n", any_line)
        took = time.monotonic() - begin
        line.close()
    assert took < 5.0


class Stamped(Echo):
    """Notes when each request came and when its answer went (host_clock.now(), s)."""

    def __init__(self) -> None:
        super().__init__("stamped")
        self.stamps: list[float] = []

    def receive(self, data: bytes) -> bytes:
        self.stamps.append(host_clock.now())
        answer = super().receive(data)
        self.stamps.append(host_clock.now())
        return answer


def test_the_silence_that_a_protocol_wants_before_each_request() -> None:
    """Of whoever shares the line, and before what has no answer as well; without it requests follow at once."""
    device, gap = Stamped(), 0.02
    with SerialSide(device) as side:
        lines = [SerialLine(Line(side.url, 9600, gap=gap), name) for name in "ab"]
        for line in lines:
            line.open()
        for line in lines * 3:
            line.exchange(b"x\n", any_line)
        lines[0].send(b"y\n")
        until(lambda: len(device.stamps) == 14)
        for line in lines:
            line.close()
    silences = [later - sooner for sooner, later in zip(device.stamps[1:-1:2], device.stamps[2::2], strict=True)]
    assert len(silences) == 6 and min(silences) >= gap


def test_the_silence_after_what_has_no_answer_is_kept_by_an_urgent_word_of_another_line(port: Port) -> None:
    """By the clock of who sends: a device that takes its time hears both later."""
    gap = 0.02
    lines = [opened(name, gap=gap) for name in "ab"]
    port.answers = [[(0.01, b"x\n")], [], [(0.01, b"z\n")]]
    lines[1].exchange(b"x\n", any_line)
    lines[0].send(b"y\n")
    lines[1].exchange(b"z\n", lambda got: True if b"z\n" in got else None, urgent=True)
    assert [at for at, _ in port.written] == pytest.approx([0.0, 0.01 + gap, 0.01 + 2 * gap])
    assert [text for _, text in port.written] == [b"x\n", b"y\n", b"z\n"]


def test_a_span_begins_with_the_request_not_with_the_silence_before_it() -> None:
    device, gap = Stamped(), 0.3
    with SerialSide(device) as side:
        line = SerialLine(Line(side.url, 115200, gap=gap), "slow to begin")
        line.open()
        for _ in range(2):
            line.exchange(b"x\n", any_line)
        _, answered, asked, _ = device.stamps
        assert answered + gap <= line.span[0] <= asked
        line.close()
