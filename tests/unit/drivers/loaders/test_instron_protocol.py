"""Lines of Instron-class controllers: a transcript, bursts, answers that are none; the simulated controller on its own."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import BadReply
from drivers.protocols import instron_ascii
from drivers.simulated.loaders.instron import Instron, shape
from drivers.simulated.plant.load_frame import FrameParameters, SmallFrame

# After the command tables of the 8500 Plus / 8800 computer interface manuals as they stand in ISIS' public stream protocol for these
# controllers (ISISComputingGroup/EPICS-instron, devinstron.proto): what goes out, what comes back. Writes are not answered.
TRANSCRIPT = [
    ("Q22", "7680"),
    ("Q300", "1"),
    ("Q23", "0"),
    ("Q1", "0"),
    ("Q200", "0"),
    ("Q909", "0"),
    ("Q134,1,0", "0.00000000"),
    ("Q308,1", "0.05"),
    ("Q308,2", "100000"),
    ("Q307,2", "2,0"),
    ("P909,1", ""),
    ("C904,0", ""),
    ("C23,1", ""),
    ("Q23", "1"),
    ("C300,2", ""),
    ("Q300", "2"),
    ("C202,2,7.5", ""),
    ("Q202,2", "7.50000000"),
    ("C212,0", ""),
    ("Q212", "0"),
    ("C209,40", ""),
    ("C213,3", ""),
    ("Q213", "3"),
    ("C214,0", ""),
    ("C212,2", ""),
    ("Q212", "2"),
    ("C200,1", ""),
    ("Q200", "1"),
    ("C200,0", ""),
    ("Q200", "4"),
    ("P909,0", ""),
]


def test_transcript(device: Instron) -> None:
    for request, answer in TRANSCRIPT:
        expected = (answer + "\r\n").encode() if answer else b""
        assert device.receive((request + "\r\n").encode()) == expected, request


def test_every_write_is_one_burst() -> None:
    assert instron_ascii.burst("C23,0") == b"P909,1\r\nC904,0\r\nC23,0\r\nP909,0\r\n"


@given(st.binary(max_size=300))
def test_random_bytes_never_stop_the_controller(data: bytes) -> None:
    device = Instron(SmallFrame())
    device.receive(data)
    device.advance(0.002)
    device.receive(b"\r\n")
    assert device.receive(b"Q22\r\n").endswith(b"7680\r\n")


COMMANDS = st.one_of(
    st.sampled_from(["P909,1", "P909,0", "C904,0", "C904,1", "C23,1", "C23,0", "C300,1", "C300,2", "C212,2", "C212,0"]),
    st.builds("C1,{}".format, st.integers(-1, 5)),
    st.builds("C200,{}".format, st.integers(-1, 5)),
    st.builds("C209,{}".format, st.integers(-1, 40)),
    st.builds("C{},{},{}".format, st.sampled_from([2, 4, 86, 201, 202, 203]), st.integers(0, 3), st.floats(-10.0, 10.0)),
    st.builds("Q{},{}".format, st.sampled_from([1, 22, 23, 134, 200, 209, 210, 308]), st.integers(0, 3)),
)


@given(st.lists(st.tuples(COMMANDS, st.floats(0.0, 0.02)), max_size=30))
def test_no_order_of_commands_stops_the_controller(told: list[tuple[str, float]]) -> None:
    device, now = Instron(SmallFrame()), 0.0
    device.receive(b"P909,1\r\n")
    for command, later in told:
        device.receive(command.encode() + b"\r\n")
        now += later
        device.advance(now)
    assert math.isfinite(device.setpoint)
    assert device.receive(b"Q909\r\n")


def test_a_ramp_without_pressure_does_not_begin(device: Instron) -> None:
    device.receive(b"P909,1\r\nC1,1\r\n")
    device.advance(0.05)
    assert device.receive(b"Q1\r\n") == b"0\r\n"
    device.receive(b"C1,3\r\n")  # nor is there anything to go on with
    device.advance(0.1)
    assert device.receive(b"Q1\r\n") == b"0\r\n"


def test_what_runs_ends_where_the_channel_changes(device: Instron) -> None:
    device.receive(b"P909,1\r\nC904,0\r\nC23,1\r\nC202,1,5\r\nC203,1,0.1\r\nC209,40\r\nC212,2\r\nC200,1\r\n")
    device.advance(0.05)
    assert device.receive(b"Q200\r\n") == b"1\r\n"
    device.receive(b"C300,2\r\n")
    device.advance(0.1)
    assert device.receive(b"Q200\r\n") == b"4\r\n"


@pytest.mark.parametrize("answer", ["", "nan", "inf", "1_2", "Q308,1_2", "1.2.3"])
def test_answers_that_are_no_numbers(answer: str) -> None:
    with pytest.raises(BadReply, match=r"expected a (finite )?number"):
        instron_ascii.number(answer, "Q308,1")


@given(st.binary(max_size=120))
def test_random_bytes_are_a_number_or_refused(data: bytes) -> None:
    try:
        answer = instron_ascii.parse_answer(data)
        assert answer is None or math.isfinite(instron_ascii.number(answer, "Q308,1"))
    except BadReply:
        pass


def test_a_write_without_computer_control_trips_the_hydraulics(device: Instron) -> None:
    device.receive(instron_ascii.burst("C23,1"))
    assert device.actuator
    device.receive(b"C300,2\r\n")
    assert not device.actuator


def test_the_watchdog_hands_control_back(device: Instron) -> None:
    device.receive(b"P909,1\r\n")
    device.advance(2.9)
    assert device.computer
    device.advance(3.1)
    assert not device.computer and device.log[-1].text == "watchdog: control back to the panel"
    device.receive(b"P909,1\r\nC904,0\r\n")
    device.advance(20.0)
    assert device.computer


@pytest.mark.parametrize("kind", instron_ascii.SHAPES.values())
def test_shapes(kind: int) -> None:
    values = [shape(kind, n / 1000) for n in range(3000)]
    assert values[:1000] == pytest.approx(values[1000:2000], abs=1e-9)
    assert max(values) == pytest.approx(1.0, abs=5e-3)
    lowest = 0.0 if kind in (3, 4, 5) else -1.0
    assert min(values) == pytest.approx(lowest, abs=5e-3)


def test_frame_loses_its_force_without_pressure() -> None:
    frame = SmallFrame(FrameParameters(leakage=4.0))
    frame.tell("force", 10e3, True)
    frame.advance(0.5)
    assert frame.force == pytest.approx(10e3, rel=1e-3)
    frame.tell("force", 10e3, False)
    frame.advance(1.0)
    assert frame.force == pytest.approx(10e3 * math.exp(-2.0), rel=2e-2)
