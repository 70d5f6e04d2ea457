"""The loader by ASCII commands: transcripts, ramps and waveforms in chunks, readings that drop to zero, a line that hangs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import instron, instron_ascii
from drivers.errors import BadReply, NoReply, NotConnected, Refused
from drivers.instron import Config
from drivers.simulated.clock import BenchClock
from drivers.simulated.instron import Instron, shape
from drivers.simulated.instron_habits import Habits
from drivers.simulated.load_frame import FrameParameters, SmallFrame
from drivers.simulated.serial_side import Fault, SerialSide

PATIENCE = 15.0

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


def until(side: SerialSide, true: Callable[[], bool], what: str) -> None:
    """Let the bench clock go on until it is true."""
    end = side.clock.now() + PATIENCE
    while not true():
        assert side.clock.now() < end, f"{what}: not within {PATIENCE:g} s"
        side.advance(side.clock.now() + 0.01)


@pytest.fixture
def device() -> Instron:
    return Instron(SmallFrame())


@pytest.fixture
def side(device: Instron) -> Iterator[SerialSide]:
    with SerialSide(device, BenchClock("lockstep")) as side:
        yield side


@pytest.fixture
def loader(side: SerialSide) -> Iterator[instron.Instron]:
    loader = instron.create(Config(side.url, chunk=1.0, pause=0.0, reply_timeout=0.3), "force")
    loader.connect()
    yield loader
    loader.close()


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
        instron_ascii.number(answer)


@given(st.binary(max_size=120))
def test_random_bytes_are_a_number_or_refused(data: bytes) -> None:
    try:
        answer = instron_ascii.parse_answer(data)
        assert answer is None or math.isfinite(instron_ascii.number(answer))
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


def test_ramp_in_force_and_stroke(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    assert loader.fault() is None and loader.feedback_channel == "transmitted_force"
    assert loader.safe_setpoint(20e3) == 0.0
    loader.ramp_to(20e3, 0.3)
    until(side, lambda: not loader.moving(), "the ramp")
    until(side, lambda: abs(loader.feedback() - 20e3) < 50.0, "20 kN")
    assert device.frame.force == pytest.approx(20e3, abs=50.0)
    loader.take_mode("stroke")
    assert device.setpoint == pytest.approx(20e3 / 20e6 / 0.05, rel=1e-2), "setpoint becomes feedback"
    loader.ramp_to(0.0, 0.2)
    until(side, lambda: abs(loader.feedback("force")) < 100.0, "unloaded")
    assert loader.safe_setpoint(0.01) == 0.01
    loader.release()
    assert not device.actuator


def test_a_waveform_in_chunks(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    """30 cycles of 8 Hz are 3.75 s, in chunks of 1 s: it goes on because it is extended, and ends where it began, after 30 cycles."""
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 30)
    assert loader.stops_within == 1.0
    highest = 0.0
    while loader.extend():
        highest = max(highest, abs(loader.feedback()))
        assert device.limit - device.quarters <= 36
        side.advance(side.clock.now() + 0.02)
    assert loader.quarter_cycles() == 120 and loader.waveform_state() in instron_ascii.AT_REST
    assert 6e3 < highest < 10.5e3
    until(side, lambda: not device.moving, "rest")
    assert device.setpoint == pytest.approx(0.0, abs=1e-9)


def test_a_waveform_that_is_not_extended_ends_by_itself(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    last = device.heard
    until(side, lambda: device.wave_rests, "the end of the chunk")
    ended = next(event.time for event in device.log if event.text == "waveform ended")
    assert ended - last <= loader.stops_within + 0.02
    with pytest.raises(Refused, match=r"ended after 8 of 1000 cycles: not extended in time; extend it sooner"):
        loader.extend()


def test_it_waits_for_its_start_output(side: SerialSide, device: Instron) -> None:
    """The waveform begins with the edge, not with the command."""
    loader = instron.create(Config(side.url, pause=0.0, start_output="Dev1/ao0", enable_line="Dev1/port0/line7"), "stroke")
    assert loader.output_lines == {"loader_enable": "Dev1/port0/line7"}
    loader.connect()
    loader.prepare()
    device.run_input = False
    loader.start_waveform("triangle", 10.0, 1e-3, 5)
    side.advance(0.5)
    assert loader.waveform_state() == instron_ascii.HOLDING and device.setpoint == 0.0
    device.run_input = True
    side.advance(0.6)
    assert next(event.time for event in device.log if event.text == "waveform started") == pytest.approx(0.501)
    assert loader.quarter_cycles() == 4
    loader.close()


def test_finish_abort_and_trip(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 5.0, 10e3, 1000)
    loader.finish()
    until(side, lambda: loader.waveform_state() == instron_ascii.STOPPED, "the end of the cycle")
    assert device.quarters % 4 == 0
    loader.start_waveform("sine", 5.0, 10e3, 1000)
    loader.trip()
    assert not device.actuator and device.wave_state == instron_ascii.ABORTED
    until(side, lambda: abs(device.frame.force) < 10.0, "the force bleeds off")


def test_readings_that_drop_to_zero_for_a_moment(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    loader.ramp_to(20e3, 0.1)
    until(side, lambda: loader.feedback() > 19e3, "20 kN")
    device.dropped = 2
    assert loader.feedback() > 19e3
    device.dropped = 100
    assert loader.feedback() == 0.0, "what stays zero is zero"


@pytest.mark.parametrize("fault", ["garbled", "doubled"])
def test_one_bad_reading_is_not_a_trip(side: SerialSide, device: Instron, loader: instron.Instron, fault: str) -> None:
    loader.prepare()
    loader.ramp_to(20e3, 0.1)
    until(side, lambda: loader.feedback() > 19e3, "20 kN")
    side.fault = Fault(fault)
    assert -120e3 < loader.feedback() < 120e3
    assert loader.feedback() > 19e3


def test_readings_that_stay_bad_are_told(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    assert isinstance(device.frame, SmallFrame)
    device.frame.stroke = 1.0
    with pytest.raises(
        BadReply, match=r"loader \(Instron\) .* its stroke reads [0-9.]+ of full scale; look at the transducer's plug; 3 times"
    ):
        loader.feedback("stroke")


@pytest.mark.parametrize("fault", ["silent", "cut", "delayed"])
def test_a_silent_device_is_told_with_what_becomes_of_its_waveform(
    side: SerialSide, device: Instron, loader: instron.Instron, fault: str
) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    side.fault = Fault(fault, replies=1000, seconds=5.0)
    with pytest.raises((NoReply, BadReply), match=r"^loader \(Instron\) at socket://") as told:
        loader.feedback()
    if fault != "cut":
        assert "the controller ends its waveform by itself within 1 s" in str(told.value)
    until(side, lambda: not device.moving, "rest")


def test_unplugged_and_back(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    side.unplug()
    with pytest.raises(NotConnected, match=r"ends its waveform by itself within 1 s"):
        for _ in range(100):
            loader.feedback()
    until(side, lambda: device.wave_rests, "the end of the chunk")
    side.plug()
    loader.connect()
    loader.disable()
    until(side, lambda: abs(loader.feedback()) < 100.0, "rest")


def test_other_full_scales_are_refused(side: SerialSide) -> None:
    loader = instron.create(Config(side.url, force_full_scale=250e3), "force")
    with pytest.raises(Refused, match=r"full scale of its force is 100000 \(N, m\), the bench file says 250000; set force_full_scale"):
        loader.connect()
    loader.close()


def test_a_frame_that_is_not_ready_is_refused(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    device.status = 0x0200
    assert "bits 0x0200, 0x1e00 is good" in str(loader.fault())
    with pytest.raises(Refused, match="clear it at the frame"):
        loader.prepare()


def test_limits(loader: instron.Instron) -> None:
    loader.prepare()
    for value in (100.1e3, -100.1e3, math.nan):
        with pytest.raises(Refused, match="exceeds full scale 100000"):
            loader.ramp_to(value, 1.0)
    for wrong in (("square wave", 1.0, 5), ("sine", 0.0, 5), ("sine", math.nan, 5), ("sine", math.inf, 5), ("sine", 1.0, 0)):
        with pytest.raises(Refused, match="expected one of sine"):
            loader.start_waveform(wrong[0], wrong[1], 1.0, wrong[2])
    with pytest.raises(Refused, match="exceeds full scale 100000"):
        loader.start_waveform("sine", 1.0, 100.1e3, 5)
    with pytest.raises(Refused, match="no waveform to go on with"):
        loader.extend()


def test_a_slow_waveform_is_bounded_too(loader: instron.Instron) -> None:
    """A cycle of 8 s in chunks of 1 s: half a quarter is not to be had, so it is a quarter."""
    loader.prepare()
    loader.start_waveform("sine", 0.125, 1e3, 1)
    assert loader.stops_within == 2.0
    loader.disable()


def test_frame_loses_its_force_without_pressure() -> None:
    frame = SmallFrame(FrameParameters(leakage=4.0))
    frame.tell("force", 10e3, True)
    frame.advance(0.5)
    assert frame.force == pytest.approx(10e3, rel=1e-3)
    frame.tell("force", 10e3, False)
    frame.advance(1.0)
    assert frame.force == pytest.approx(10e3 * math.exp(-2.0), rel=2e-2)


def spoilt(loader: instron.Instron, good: bytes, bad: bytes, times: int) -> None:
    """The line turns `good` into `bad`, so many times."""
    send, left = loader.line.send, [times]

    def through(data: bytes) -> None:
        if good in data and left[0]:
            left[0] -= 1
            data = data.replace(good, bad)
        send(data)

    loader.line.send = through  # type: ignore[method-assign]


WAVE = (
    (b"C203,2,0.04", b"C203,2,0.14"), (b"C202,2,3.0", b"C202,2,9.0"), (b"C201,2,0", b"C201,2,2"), (b"C212,2", b"C212,3"),
    (b"C209,12", b"C209,92"), (b"C213,3", b"C213,0"), (b"C214,0", b"C214,5"),
)  # fmt: skip


@pytest.mark.parametrize(("good", "bad"), WAVE)
def test_a_spoilt_byte_of_a_waveform_is_found_before_it_runs(loader: instron.Instron, device: Instron, good: bytes, bad: bytes) -> None:
    """What the controller keeps is read back: a write has no checksum, and one byte makes 14 kN of 4."""
    loader.prepare()
    spoilt(loader, good, bad, 100)
    with pytest.raises(Refused, match=good.decode().partition(",")[0] + r".* was written and Q.* reads .*look at the line"):
        loader.start_waveform("sine", 3.0, 4e3, 3)
    assert device.wave_state != instron_ascii.RUNNING


@pytest.mark.parametrize(("good", "bad"), WAVE)
def test_one_spoilt_byte_is_written_again(loader: instron.Instron, device: Instron, good: bytes, bad: bytes) -> None:
    loader.prepare()
    spoilt(loader, good, bad, 1)
    loader.start_waveform("sine", 3.0, 4e3, 3)
    assert (device.values["201,2"], device.values["202,2"], device.values["203,2"]) == (0.0, 3.0, 0.04)
    assert device.limit == 12 and device.armed


def test_a_spoilt_ramp_does_not_begin(loader: instron.Instron, device: Instron) -> None:
    loader.prepare()
    spoilt(loader, b"C4,2,0.0", b"C4,2,0.3", 100)
    with pytest.raises(Refused, match=r"C4,2,0\.01.* was written and Q4,2 reads 0\.31"):
        loader.ramp_to(1e3, 0.5)
    assert not device.moving


def test_an_abort_that_was_spoilt_is_written_again(loader: instron.Instron, device: Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    spoilt(loader, b"C200,0", b"C200,9", 1)
    loader.disable()
    assert device.wave_state == instron_ascii.ABORTED and loader.waveform is None


def test_what_goes_on_though_told_to_end_is_told_and_loses_its_pressure(loader: instron.Instron, device: Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    spoilt(loader, b"C200,0", b"C200,9", 100)
    with pytest.raises(Refused, match="told to end its waveform and its ramp, 3 times in a row, it goes on; press the emergency stop"):
        loader.release()
    assert not device.actuator


def test_one_lost_reply_is_asked_for_again(side: SerialSide, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    for question in (loader.feedback, loader.fault, loader.quarter_cycles, loader.extend):
        side.fault = Fault("silent")
        answer = question()
        assert side.fault is None, "one reply was lost"
        expected = {loader.fault: answer is None, loader.extend: answer is not None and 900 < int(answer) <= 1000}
        assert expected.get(question, answer is not None and abs(float(answer)) <= 10.5e3), f"{question.__name__}: {answer}"


def test_a_silence_while_its_status_is_asked_for_says_what_becomes_of_the_waveform(side: SerialSide, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    side.fault = Fault("silent", replies=1000)
    with pytest.raises(NoReply, match="while asking for its status; the controller ends its waveform by itself within 1 s"):
        loader.fault()


# A laboratory's start of a counted waveform (ISISComputingGroup/EPICS-instron, controls_waveform.db): event off, what it does to the
# waveform (3: hold) and to the log (0: nothing), event armed, start.
START = ("C212,0", "C213,3", "C214,0", "C212,2", "C200,1")


def test_a_counted_waveform_is_started_as_a_laboratory_does(loader: instron.Instron) -> None:
    loader.prepare()
    heard: list[str] = []
    send = loader.line.send
    loader.line.send = lambda data: (heard.append(data.decode().split("\r\n")[2]), send(data))  # type: ignore[assignment, func-returns-value]
    loader.start_waveform("sine", 3.0, 4e3, 3)
    at = [heard.index(command) for command in START]
    assert at == sorted(at) and heard.index("C209,12") < heard.index("C212,2") < heard.index("C200,1")


# controls_waveform.db, "Status of the wave generator".
NAMES = ("Stopped", "Running", "Holding", "Finishing", "Aborted", "Disabled", "Slaved", "Slave Locked", "Sweeping", "Dwelling")


def test_states_have_the_names_that_others_give_them() -> None:
    assert tuple(name.lower() for name in NAMES) == instron_ascii.STATES


@pytest.mark.parametrize("state", range(10))
def test_a_generator_in_any_state_is_either_at_rest_or_named(device: Instron, loader: instron.Instron, state: int) -> None:
    """Stopped, aborted and disabled ask nothing of the loop; all others may move it, whatever they are."""
    device.habits = Habits(generator=state or instron_ascii.STOPPED)
    device.wave_state = state
    device._end_wave = lambda how, state: None  # type: ignore[method-assign]  # nothing that it is told ends it
    if state in (0, 4, 5):
        loader.prepare()
        loader.disable()
    else:
        with pytest.raises(Refused, match=f"while its waveform generator is {NAMES[state].lower()}; stop it at the panel"):
            loader.prepare()
        with pytest.raises(Refused, match="it goes on; press the emergency stop"):
            loader.disable()


def test_a_generator_that_somebody_takes_in_mid_run_is_told(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    side.advance(0.3)
    for state, words in (
        (5, r"after 2\.25 of 1000 cycles: its generator was disabled"),
        (8, "its generator is sweeping; look at the panel"),
    ):
        device.wave_state = state
        with pytest.raises(Refused, match=words):
            loader.extend()


def ran_out(side: SerialSide, habits: Habits) -> instron.Instron:
    """A loader whose two cycles are over by now."""
    loader = instron.create(Config(side.url, chunk=1.0, pause=0.0, reply_timeout=0.3, settle=0.05), "force")
    loader.connect()
    side.device.habits = habits  # type: ignore[attr-defined]
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 2)
    side.advance(side.clock.now() + 0.5)
    return loader


def test_a_waveform_that_its_count_does_not_end_is_told(side: SerialSide) -> None:
    loader = ran_out(side, Habits(ends=False))
    with pytest.raises(Refused, match=r"goes on after 4(\.\d+)? cycles, though its controller was to end it after 2 \(C209,8; C213,3\)"):
        loader.extend()
    loader.close()


def test_one_that_stands_at_its_count_without_an_end_is_not_waited_for_for_ever(side: SerialSide, device: Instron) -> None:
    """Counted to the last quarter, and still running, so it says: that is no end."""
    loader = ran_out(side, Habits())
    device._held, device.wave_state = False, instron_ascii.RUNNING
    assert loader.extend() == 1
    time.sleep(0.06)
    with pytest.raises(Refused, match=r"goes on after 2 cycles, .* for 0\.05 s"):
        loader.extend()
    loader.close()


def test_a_held_end_is_ended_for_good(side: SerialSide, device: Instron) -> None:
    loader = ran_out(side, Habits())
    assert device.wave_state == instron_ascii.HOLDING and loader.extend() == 0
    assert loader.waveform_state() == instron_ascii.ABORTED  # asked behind the order, which has no answer
    assert device.wave_state == instron_ascii.ABORTED and device.setpoint == pytest.approx(0.0, abs=1e-9)
    loader.close()


def test_a_spoilt_count_is_no_runaway(side: SerialSide, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    asked = loader._readings.text
    answers = iter(["900"])
    loader._readings.text = lambda command: next(answers, asked("Q210")) if command == "Q210" else asked(command)  # type: ignore[method-assign]
    assert loader.extend() > 900


def test_prepare_ends_what_another_program_has_left_running(device: Instron, loader: instron.Instron) -> None:
    device.receive(b"P909,1\r\nC904,0\r\nC23,1\r\nC300,2\r\nC202,2,5\r\nC203,2,0.01\r\nC200,1\r\nP909,0\r\n")
    assert device.wave_state == instron_ascii.RUNNING
    loader.prepare()
    assert device.wave_state == instron_ascii.ABORTED and device.actuator


def test_a_trip_does_not_wait_for_the_pause_between_bursts(side: SerialSide, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = instron.create(Config(side.url, pause=3600.0, reply_timeout=0.3), "force")
    loader.connect()
    loader._commands.write("C1,0")
    slept: list[float] = []
    monkeypatch.setattr("drivers.instron_commands.time.sleep", slept.append)
    loader.trip()
    assert not slept
    loader.close()
