"""The force gauge of docs/adding_an_instrument.md: copy this file for an instrument of your own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import BadReply, DriverError, NoReply, NotConnected, Refused
from drivers.instruments.force_gauge import Config, parse_done, parse_reading
from drivers.simulated.clock import BenchClock
from drivers.simulated.instruments.force_gauge import ForceGauge
from drivers.simulated.serial.serial_side import Fault, SerialSide

# Golden lines: copy them from the maker's manual, and say where they stand in it.
GOLDEN = {b"-12.34 N\r\n": -12.34, b"+0.50 kN\r\n": 500.0, b"+10.00 lbF\r\n": 44.482216152605}


@pytest.mark.parametrize("line", GOLDEN)
def test_golden_lines(line: bytes) -> None:
    assert parse_reading(line) == pytest.approx(GOLDEN[line])
    assert all(parse_reading(line[:cut]) is None for cut in range(len(line)))


@given(st.binary(max_size=40))
def test_random_bytes_never_crash_a_parser(data: bytes) -> None:
    for parse in (parse_reading, parse_done):
        try:
            found = parse(data)
        except BadReply:
            continue
        assert found is None or data.endswith(b"\r\n")


@given(st.binary(max_size=100))
def test_random_bytes_never_stop_the_device(data: bytes) -> None:
    gauge = ForceGauge()
    gauge.receive(data + b"\r")
    assert gauge.receive(b"?\r") == b"+0.00 N\r\n"


@pytest.fixture
def side() -> Iterator[SerialSide]:
    with SerialSide(ForceGauge(), BenchClock("lockstep")) as side:  # time stands still but for `advance`: exact, and as fast as it is read
        yield side


def test_it_reads_what_hangs_on_it(side: SerialSide) -> None:
    gauge = Config(side.url).create()
    gauge.connect()
    side.device.force = 100.0  # type: ignore[attr-defined]
    side.advance(0.5)
    assert gauge.read() == pytest.approx(100.0, abs=0.01)
    gauge.zero()
    assert gauge.read() == 0.0
    assert gauge.close() == []


@pytest.mark.parametrize(("fault", "error"), [("silent", NoReply), ("cut", BadReply), ("garbled", BadReply), ("doubled", BadReply)])
def test_a_spoilt_reply_is_told_and_the_next_is_good(side: SerialSide, fault: str, error: type[DriverError]) -> None:
    gauge = Config(side.url).create()
    gauge.connect()
    side.device.force = 123.45  # type: ignore[attr-defined]
    side.advance(1.0)
    side.fault = Fault(fault)
    with pytest.raises(error, match=r"^gauge \(force gauge\) at socket://.*look at the cable"):
        gauge.read()
    assert gauge.read() == pytest.approx(123.45)
    gauge.close()


def test_overload_and_a_cable_that_is_pulled(side: SerialSide) -> None:
    gauge = Config(side.url).create()
    gauge.connect()
    side.device.force = 700.0  # type: ignore[attr-defined]
    side.advance(1.0)
    with pytest.raises(BadReply, match="overloaded"):
        gauge.read()
    side.device.force = 550.0  # type: ignore[attr-defined]
    side.advance(2.0)
    with pytest.raises(Refused, match="beyond its capacity of 500 N; unload it"):
        gauge.read()
    side.unplug()
    with pytest.raises(NotConnected, match="plug it in again"):
        gauge.read()
    side.plug()
    side.device.force = 0.0  # type: ignore[attr-defined]
    side.advance(3.0)
    gauge.connect()
    gauge.close()
