"""The ODrive's protocol on transcripts after the maker's documentation, and what is this drive's own."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from axis_rigs import AxisRig, axis_rig
from hypothesis import given
from hypothesis import strategies as st
from motor_lines import EnableLine, advance_until, with_power

from drivers.axes import odrive
from drivers.axes.axis import Guard
from drivers.errors import BadReply, NoReply, Refused
from drivers.protocols import odrive_ascii
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.clock import BenchClock
from drivers.simulated.plant.shaft import SERVO, SmallShaft
from drivers.simulated.serial.serial_side import SerialSide
from tests.each_row import each_row

# Requests and answers from ODrive's documentation, "ASCII Protocol" (docs/ascii-protocol.md, fw-v0.5.x): the examples of each command,
# the example of a checksum, and the complaints that Firmware/communication/ascii_protocol.cpp answers with.
TRANSCRIPT = [
    ("t 0 -2", ""),
    ("q 0 -2 1 0.1", ""),
    ("p 0 -2 0 0", ""),
    ("v 0 1 0", ""),
    ("c 0 0.5", ""),
    ("u 0", ""),
    ("f 0", "0.000000 0.000000\r\n"),
    ("f 0 ; where is it", "0.000000 0.000000\r\n"),
    ("r fw_version_minor", "5\r\n"),
    ("r axis0.current_state", "1\r\n"),
    ("w axis0.controller.input_pos -123.456", ""),
    ("r axis0.controller.input_pos", "-123.4560\r\n"),
    ("w axis0.current_state 8", "not implemented\r\n"),
    ("r axis0.no_such_thing", "invalid property\r\n"),
    ("p 0", "invalid command format\r\n"),
    ("p 5 1", "invalid motor 5\r\n"),
    ("x 0", "unknown command\r\n"),
    ("ss", ""),
    ("i", "Hardware version: 3.6-56V\r\nFirmware version: 0.5.6\r\nSerial number: 0\r\n"),
]


@each_row(("request_", "answer"), TRANSCRIPT)
def test_transcript(request_: str, answer: str) -> None:
    device = ODrive(SmallShaft())
    if "input_pos" in request_ and request_.startswith("r"):
        device.receive(b"w axis0.controller.input_pos -123.456\n")
    assert device.receive(request_.encode() + b"\n") == answer.encode()


def test_the_documented_checksum() -> None:
    assert odrive_ascii.checksum(b"r vbus_voltage ") == 93


def test_answers_have_a_checksum_if_the_request_had_one() -> None:
    device = ODrive(SmallShaft())
    answer = device.receive(odrive_ascii.encoded("f 0"))
    assert answer == b"0.000000 0.000000*%d\r\n" % odrive_ascii.checksum(b"0.000000 0.000000")
    assert device.receive(b"f 0*119\n") == b"" and device.ignored == 1
    assert device.receive(b"v 0 1*1\nr axis0.controller.input_vel\n") == b"0.000000\r\n", "a setpoint that came spoilt is not taken"


@given(st.binary(max_size=400))
def test_random_bytes_never_stop_the_device(data: bytes) -> None:
    device = ODrive(SmallShaft())
    device.receive(data)
    device.advance(0.002)
    device.receive(b"\n")
    assert device.receive(odrive_ascii.encoded("u 0", "f 0")).endswith(b"\r\n")


@given(st.binary(max_size=80), st.integers(1, 3))
def test_random_bytes_are_no_answer(data: bytes, count: int) -> None:
    try:
        found = odrive_ascii.parse_answers(data, count)
    except BadReply:
        return
    for line, text in zip(data.split(b"\n"), found or (), strict=False):
        told = line.rstrip(b"\r").rpartition(b"*")
        assert told[0] == text.encode() and int(told[2]) == odrive_ascii.checksum(told[0])


@given(st.floats(-1e4, 1e4), st.data())
def test_no_flipped_bit_passes(value: float, data: st.DataObject) -> None:
    line = odrive_ascii.Command("f 0", True).answered(f"{value:f} {value / 3:f}")
    at, bit = data.draw(st.integers(0, len(line) - 2)), data.draw(st.integers(0, 7))
    spoilt = bytearray(line)
    spoilt[at] ^= 1 << bit
    with contextlib.suppress(BadReply):
        found = odrive_ascii.parse_answers(bytes(spoilt), 1)
        assert found is None or found == odrive_ascii.parse_answers(line, 1), "a digit of the sum itself, with the same value"


@pytest.mark.parametrize("answer", ["", "1", "1 2 3", "nan 1", "inf 0", "a b", "1_2 3"])
def test_answers_that_are_no_numbers(answer: str) -> None:
    with pytest.raises(BadReply, match="expected 2 finite numbers"):
        odrive_ascii.numbers(answer, 2)


@pytest.fixture
def rig() -> Iterator[AxisRig]:
    with axis_rig("odrive") as rig:
        yield rig


@pytest.mark.parametrize(
    ("version", "words"), [((0, 4, 12), "counts encoder lines"), ((0, 5, 0), "counts encoder lines"), ((0, 6, 8), "other properties")]
)
def test_other_firmware_is_refused(version: tuple[int, int, int], words: str) -> None:
    with SerialSide(ODrive(SmallShaft(), version=version)) as side:
        axis = odrive.Config(side.url).create("motor")
        with pytest.raises(Refused, match=words):
            axis.connect()
        axis.close()


def test_limits_are_those_of_the_axis(rig: AxisRig) -> None:
    rig.axis.connect()
    rig.axis.prepare("position")
    values = rig.drive.values  # type: ignore[attr-defined]
    assert values["controller.config.vel_limit"] == pytest.approx(10.0 / (2 * math.pi), rel=1e-6)
    assert values["trap_traj.config.accel_limit"] == pytest.approx(60.0 / (2 * math.pi), rel=1e-6)
    assert values["motor.config.torque_lim"] == 100.0
    assert values["config.watchdog_timeout"] == pytest.approx(0.3)
    assert rig.axis.stops_within == 0.3


def test_a_watchdog_that_does_not_stay_on_is_refused(rig: AxisRig, monkeypatch: pytest.MonkeyPatch) -> None:
    write = type(rig.drive).write  # type: ignore[attr-defined]
    monkeypatch.setattr(type(rig.drive), "write", lambda axis, path, value: None if "watchdog" in path else write(axis, path, value))
    rig.axis.connect()
    with pytest.raises(Refused, match="did not keep its watchdog"):
        rig.axis.prepare("position")
    config = replace(rig.axis.config, enable_line="Dev1/port0/line6")
    guarded = config.create("motor", Guard(EnableLine(rig.side.device), 0.15))
    guarded.connect()
    guarded.prepare("position")
    assert guarded.stops_within == 0.15
    guarded.close()


def test_streamed_positions_are_followed() -> None:
    """With its speed fed forward a servo follows a sine without the lag of its position loop (omega / gain = 0.2)."""
    with axis_rig("odrive") as rig:
        rig.start("position", 0.0)
        worst = 0.0
        for n in range(400):
            t = n * 5e-3
            rig.axis.command(0.5 * math.sin(6.0 * t), 3.0 * math.cos(6.0 * t))
            rig.side.advance(0.015 + t)
            if n > 100:
                worst = max(worst, abs(rig.drive.shaft.position - 0.5 * math.sin(6.0 * (t + 0.005))))
        assert worst < 0.5 * 0.05
        assert rig.axis.fault() is None


def test_torque_is_commanded_and_read(rig: AxisRig) -> None:
    config = replace(rig.axis.config, torque_feedback=True, gear=2.0)
    axis = with_power(config.create("motor"), "torque")
    axis.command(0.2)
    found = axis.feedback().torque
    rig.until(lambda: rig.drive.shaft.torque != 0.0, "torque")
    assert rig.drive.shaft.torque == pytest.approx(0.1)
    found = axis.feedback().torque
    assert found == pytest.approx(0.2, rel=1e-3)
    with pytest.raises(Refused, match="max_torque = 100 N m"):
        axis.command(101.0)
    axis.close()


def test_errors_of_the_axis_are_told_and_cleared(rig: AxisRig) -> None:
    rig.start()
    rig.drive.fail(0x4000)  # type: ignore[attr-defined]
    with pytest.raises(Refused, match=r"axis error 0x4000 \(emergency stop requested\)"):
        rig.axis.feedback()
    assert "emergency stop" in str(rig.axis.fault())
    rig.axis.reset_fault()
    assert rig.axis.fault() is None


def test_a_complaint_is_told(rig: AxisRig) -> None:
    other = replace(rig.axis.config, axis=1).create("second")
    other.connect()
    with pytest.raises(Refused, match=r"^second \(ODrive axis 1\).*the drive answers 'invalid"):
        other.prepare("velocity")
    other.close()


def test_two_axes_of_one_drive() -> None:
    with SerialSide(ODrive(SmallShaft(SERVO), SmallShaft(SERVO)), BenchClock("lockstep")) as side:
        device = side.device
        assert isinstance(device, ODrive)
        values = [axis.values for axis in device.axes]
        axis = with_power(odrive.Config(side.url, axis=1).create("second"))
        axis.command(2.0)
        advance_until(side, lambda: device.axes[1].shaft.velocity > 1.5, "the second turns")
        assert device.axes[0].shaft.velocity == 0.0 and values[0]["current_state"] == 1
        axis.close()


def test_before_its_first_tick_it_knows_where_the_shaft_stands() -> None:
    """What is enabled at time 0 holds where it stands, and does not set off for 0."""
    shaft = SmallShaft(SERVO)
    shaft.position = 3.0 * 2.0 * math.pi
    device = ODrive(shaft)
    with SerialSide(device, BenchClock("lockstep")) as side:
        axis = with_power(odrive.Config(side.url, input_filter=80.0).create("axis"), "position")
        for n in range(1, 50):
            side.advance(0.002 * n)
            assert abs(shaft.velocity) < 0.05
        assert axis.feedback().position == pytest.approx(shaft.position, abs=1e-3)
        assert axis.close() == []


@pytest.mark.parametrize("lead", [True, False])
def test_its_filter_is_known_and_can_be_led(lead: bool) -> None:
    """docs.odriverobotics.com, "Control modes", INPUT_MODE_POS_FILTER: of second order, critically damped; u = y + y''/b^2 with u' = y'
    makes it follow y, and u = y leaves an error of the share (omega/b)^2 / (1 + (omega/b)^2)."""
    bandwidth, omega, device = 20.0, 2.0 * math.pi * 1.5, ODrive(SmallShaft(SERVO))
    with SerialSide(device, BenchClock("lockstep")) as side:
        axis = with_power(odrive.Config(side.url, input_filter=bandwidth, max_speed=20.0, reply_timeout=5.0).create("axis"), "position")
        assert axis.smoothing == bandwidth
        errors = []
        for n in range(1500):
            phase, at_end = omega * 1e-3 * n, omega * 1e-3 * (n + 1)
            axis.command(math.sin(phase) * (1.0 - (omega / bandwidth) ** 2 if lead else 1.0), omega * math.cos(phase))
            axis.feedback()
            side.advance(1e-3 * (n + 1))
            errors.append(abs(device.axes[0]._set_point * 2.0 * math.pi - math.sin(at_end)))
        share = (omega / bandwidth) ** 2 / (1.0 + (omega / bandwidth) ** 2)
        assert max(errors[800:]) == pytest.approx(0.0 if lead else share, abs=0.015)
        axis.close()


ODD = (b"*0\n", b" *32\n", b"w axis0.controller.config.control_mode inf\n", b"w axis0.controller.input_vel nan\n", b"w axis0.error 1e999\n")


@pytest.mark.parametrize("line", ODD)
def test_odd_lines_crash_no_drive(line: bytes) -> None:
    device = ODrive(SmallShaft(SERVO))
    device.receive(line)
    device.advance(0.1)
    assert device.receive(b"f 0\n") == b"0.000000 0.000000\r\n"


def test_a_control_mode_that_there_is_not_is_an_error_of_the_axis() -> None:
    device = ODrive(SmallShaft(SERVO))
    device.receive(b"w axis0.requested_state 8\nw axis0.controller.config.control_mode 77\n")
    device.advance(0.1)
    assert device.receive(b"r axis0.current_state\nr axis0.error\n") == b"1\r\n512\r\n"


def test_a_spoilt_word_does_not_leave_the_motor_without_a_watchdog() -> None:
    """What the drive ignores for its checksum is said again; one that stays on keeps its watchdog, and the program says so."""
    with axis_rig("odrive") as rig:
        rig.start(value=5.0)
        rig.until(lambda: rig.speed > 4.5, "turning")
        send, spoilt = rig.axis.line.send, [1]

        def through(data: bytes) -> None:
            if b"requested_state 1" in data and spoilt[0]:
                spoilt[0] -= 1
                data = data.replace(b"state 1", b"state 3")
            send(data)

        rig.axis.line.send = through
        rig.axis.disable()
        assert rig.drive.values["current_state"] == 1 and rig.drive.values["config.enable_watchdog"] == 0
    with axis_rig("odrive") as rig:
        rig.axis.config = replace(rig.axis.config, settle=0.1)
        rig.start(value=5.0)
        rig.axis.line.send, spoilt[0] = through, 10**6
        send = type(rig.axis.line).send.__get__(rig.axis.line)
        with pytest.raises(Refused, match=r"told to go idle, it is in state 8.*cut its power"):
            rig.axis.disable()
        assert rig.drive.values["config.enable_watchdog"] == 1
        rig.until(lambda: rig.drive.values["current_state"] == 1, "its watchdog")
        rig.axis.line.send = send


def test_asking_whether_it_arrived_is_a_sign_of_life() -> None:
    """A move by the drive's own ramp takes longer than its watchdog: nothing else is said meanwhile."""
    with axis_rig("odrive") as rig:
        rig.start(mode="position", value=0.0)
        rig.axis.move_to(4.0)
        rig.until(rig.axis.arrived, "arrival")
        assert rig.axis.fault() is None


@pytest.mark.parametrize(("answer", "value"), [("True", 1.0), ("False", 0.0), ("1", 1.0), ("0", 0.0)])
def test_what_is_true_is_told_in_words_by_some_firmware(rig: AxisRig, monkeypatch: pytest.MonkeyPatch, answer: str, value: float) -> None:
    monkeypatch.setattr(rig.axis, "_ask", lambda commands, answers: (answer,))
    assert rig.axis._get("controller.trajectory_done") == value
    monkeypatch.undo()


def test_an_error_whose_number_is_cut_off_is_not_told_as_another(rig: AxisRig) -> None:
    """Answers have nine characters: 0x40000000, a phase that is not known, reads 107374182, which is 0x6666666."""
    rig.axis.connect()
    rig.drive.values["motor.error"] = 0x40000000  # type: ignore[attr-defined]
    told = rig.axis.fault()
    assert told == "motor.error 107374182... (a number too long for its answer; see odrivetool)"
    rig.drive.values["motor.error"] = 0x10  # type: ignore[attr-defined]
    assert rig.axis.fault() == "motor.error 0x10"


def test_positions_too_far_off_for_single_precision_are_refused(rig: AxisRig) -> None:
    axis = with_power(replace(rig.axis.config, gear=8.0).create("motor"), "position")
    far = 30000.0 / 8.0 * 2.0 * math.pi  # of 30000 motor turns, 13 minutes at 300 r/min
    with pytest.raises(Refused, match=r"at 23561\.9 rad the drive, which counts in single precision, has steps of 0\.0015 rad, coarser"):
        axis.command(far)
    with pytest.raises(Refused, match="single precision"):
        axis.move_to(far)
    axis.command(far / 1000.0)
    axis.close()
    rig.drive.shaft.tell("position", 0.0, False)


def test_a_state_that_takes_its_time_is_not_asked_for_again_and_again(rig: AxisRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drive that is asked while it is on the way begins anew."""
    rig.axis.connect()
    rig.axis.prepare("velocity")
    asked: list[int] = []
    monkeypatch.setattr(rig.drive, "_obey", asked.append)
    with pytest.raises(NoReply, match="the loop is not closed 1 s after enabling"):
        rig.axis.enable()
    assert 1 <= len(asked) <= 11
    monkeypatch.undo()


def test_what_the_documentation_reads_first() -> None:
    assert ODrive(SmallShaft()).receive(b"r vbus_voltage\n") == b"24.000000\r\n"
