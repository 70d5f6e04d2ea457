"""TMCL: golden frames, the module under PyTrinamic, and what is this drive's own."""

from __future__ import annotations

import contextlib
import itertools
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from axis_rigs import AxisRig, axis_rig
from hypothesis import given
from hypothesis import strategies as st
from motor_lines import EnableLine
from pytrinamic.connections.serial_tmcl_interface import SerialTmclInterface
from pytrinamic.connections.socket_tmcl_interface import SocketTmclInterface
from pytrinamic.modules import TMCM1276
from pytrinamic.tmcl import TMCLReplyStatusError, TMCLRequest
from waiting import until

from drivers.axes import tmcl
from drivers.axes.axis import Guard
from drivers.errors import BadReply, NoReply, Refused
from drivers.protocols import tmcl_frames
from drivers.protocols.tmcl_frames import Reply, Request
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.clock import BenchClock
from drivers.simulated.plant.shaft import SmallShaft
from drivers.simulated.serial.serial_bus import SerialBus
from drivers.simulated.serial.serial_side import SerialSide

int32 = st.integers(-(2**31), 2**31 - 1)
byte = st.integers(0, 255)
requests = st.builds(Request, byte, byte, byte, byte, int32)


def test_golden_move() -> None:
    """Absolute move of motor 2 to -51200, as in the TMCL reference manual's way of writing frames."""
    golden = bytes.fromhex("01 04 00 02 ff ff 38 00 3d")
    assert Request(1, tmcl_frames.MVP, tmcl_frames.ABSOLUTE, 2, -51200).encode() == golden
    assert tmcl_frames.parse_request(golden) == Request(1, 4, 0, 2, -51200)


@given(requests)
def test_frames_are_pytrinamics(request_: Request) -> None:
    theirs = TMCLRequest(request_.module, request_.command, request_.type, request_.motor, request_.value & 0xFFFFFFFF)
    assert bytes(theirs.to_buffer()) == request_.encode()
    assert tmcl_frames.parse_request(request_.encode()) == request_


@given(st.binary(max_size=30), requests)
def test_random_bytes_are_no_reply(data: bytes, request_: Request) -> None:
    try:
        found = tmcl_frames.parse_reply(data, request_)
    except BadReply:
        return
    assert found is None or sum(data[:8]) & 0xFF == data[8]


@given(requests, int32, st.data())
def test_no_flipped_bit_passes(request_: Request, value: int, data: st.DataObject) -> None:
    reply = Reply(2, request_.module, 100, request_.command, value).encode()
    spoilt = bytearray(reply)
    spoilt[data.draw(st.integers(0, 8))] ^= 1 << data.draw(st.integers(0, 7))
    with contextlib.suppress(BadReply):
        assert tmcl_frames.parse_reply(bytes(spoilt), request_) is None


@given(st.binary(max_size=200))
def test_random_bytes_never_stop_the_module(data: bytes) -> None:
    module = Tmcl(TmclMotor(SmallShaft()))
    module.receive(data)
    module.advance(0.002)
    module.silence()
    answer = module.receive(Request(1, tmcl_frames.VERSION, 1).encode())
    assert tmcl_frames.sound(answer)


@pytest.fixture
def side() -> Iterator[SerialSide]:
    with SerialSide(Tmcl(TmclMotor(SmallShaft()))) as side:
        yield side


def check_with_pytrinamic(connection: Any, device: Any) -> None:
    module = TMCM1276(connection)
    motor = module.motors[0]
    motor.set_axis_parameter(motor.AP.MicrostepResolution, 4)
    assert motor.get_axis_parameter(motor.AP.MicrostepResolution) == 4
    motor.linear_ramp.max_velocity, motor.linear_ramp.max_acceleration = 20000, 100000
    assert motor.linear_ramp.max_velocity == 20000
    motor.move_to(1600)
    until(motor.get_position_reached, "1600 microsteps")
    assert motor.actual_position == 1600 and motor.get_axis_parameter(motor.AP.ActualPosition, signed=True) == 1600
    until(lambda: abs(device.motors[0].shaft.position / (1600 / 3200 * 6.283185) - 1.0) < 0.02, "half a turn")
    motor.rotate(-5000)
    until(lambda: motor.actual_velocity == -5000, "-5000 microsteps/s")
    motor.stop()
    until(lambda: motor.actual_velocity == 0, "stop")
    with pytest.raises(TMCLReplyStatusError, match=r"Wrong [Tt]ype"):
        motor.get_axis_parameter(250)
    with pytest.raises(TMCLReplyStatusError, match=r"[Ii]nvalid [Vv]alue"):
        motor.set_axis_parameter(motor.AP.MicrostepResolution, 9)
    assert connection.send(136, 1, 0, 0).value == 1276 << 16 | 0x0108
    assert connection.get_version_string() == "1276V108"
    connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_pytrinamic_on_our_module_by_pty(side: SerialSide) -> None:
    check_with_pytrinamic(SerialTmclInterface(side.pty()), side.device)


def test_pytrinamic_on_our_module_by_socket(side: SerialSide) -> None:
    check_with_pytrinamic(SocketTmclInterface(side.url.removeprefix("socket://")), side.device)


@pytest.fixture
def rig() -> Iterator[AxisRig]:
    with axis_rig("tmcl") as rig:
        yield rig


def test_without_a_guarded_enable_line_it_is_refused(rig: AxisRig) -> None:
    for config, guard in ((rig.axis.config, None), (replace(rig.axis.config, enable_line=None), rig.axis._guard)):
        axis = config.create("motor", guard)
        axis.connect()
        with pytest.raises(Refused, match=r"TMCL has no time-out of the communication, or wire its enable input .* set enable_line"):
            axis.prepare("position")
        axis.close()


def test_identity(rig: AxisRig) -> None:
    rig.axis.connect()
    assert rig.axis.identity() == "TMCM-1276 at address 1, firmware 1.08"


def test_the_ramp_keeps_its_limits(rig: AxisRig) -> None:
    """Positions of the module in lockstep with its own ticks: speed and acceleration as set, no overshoot, on the spot at the end."""
    motor = TmclMotor(SmallShaft())
    motor.write(4, 40000)
    motor.write(5, 200000)
    motor.write(17, 200000)
    motor.write(0, -30000)
    positions, speeds = [motor.position], [0.0]
    while not motor.read(8):
        motor.advance(motor.now + 1.001e-3)
        positions.append(motor.position)
        speeds.append(motor.speed)
        assert motor.now < 3.0
    assert min(positions) >= -30000.0 and positions[-1] == -30000.0
    assert max(map(abs, speeds)) <= 40000.0
    assert max(abs(b - a) for a, b in itertools.pairwise(speeds)) <= 200.0 * (1 + 1e-9)
    expected = 30000 / 40000 + 40000 / 200000
    assert motor.now == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("speed", [8.0, -8.0])
def test_a_count_that_goes_round(rig: AxisRig, speed: float) -> None:
    """At 300 r/min behind a gear of 5 that is after 28 minutes; an axis that jumps by thousands of turns would be taken for one astray."""
    rig.drive.write(1, (2**31 - 2000) * (1 if speed > 0 else -1))  # type: ignore[attr-defined]
    rig.start("velocity", speed)
    begin = rig.axis.feedback().position
    places = []

    def gone() -> bool:
        places.append(rig.axis.feedback().position - begin)
        return abs(places[-1]) > 2.0

    rig.until(gone, "2 rad on")
    raw = rig.axis._do(tmcl_frames.GAP, tmcl.ACTUAL_POSITION)
    assert raw * speed < 0, "the module's own count has gone round"
    assert all(0.0 <= (b - a) * speed / abs(speed) < 0.5 for a, b in itertools.pairwise(places))


def test_reference_search(rig: AxisRig) -> None:
    rig.start("position", 0.0)
    referenced = threading.Thread(target=rig.axis.find_reference, args=(20.0,))
    referenced.start()

    def found() -> bool:
        referenced.join(1e-3)  # it is to have its turn before the bench clock has run out
        return not referenced.is_alive()

    rig.until(found, "the reference")
    assert rig.drive.shaft.position < -0.95
    rig.until(lambda: abs(rig.axis.feedback().position) < 0.02, "counting from the switch")
    rig.axis.command(0.5)
    rig.until(rig.axis.arrived, "0.5 rad")
    rig.until(lambda: abs(rig.drive.shaft.position + 0.5) < 0.1, "0.5 rad from the switch")


def test_a_reference_that_is_not_found(rig: AxisRig) -> None:
    rig.drive.home = -1e9  # type: ignore[attr-defined]
    rig.start("position", 0.0)
    with pytest.raises(NoReply, match=r"no reference switch within 0\.2 s; look at the switch"):
        rig.axis.find_reference(0.2)


def test_a_short_circuit_is_told(rig: AxisRig) -> None:
    rig.start()
    rig.drive.parameters[208] = 0x08  # type: ignore[attr-defined]
    assert rig.axis.fault() == "short circuit of phase A"
    with pytest.raises(Refused, match="phase A"):
        rig.axis.command(1.0)
    with pytest.raises(Refused, match="switch the module off and on"):
        rig.axis.reset_fault()


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ({"max_speed": 1e4}, r"invalid value \(TMCL status 4\) for command 5, type 4"),
        ({"max_acceleration": 1e6}, r"8148733086 for command 5, type 5, is more than 32 bits hold; look at limits and units"),
    ],
)
def test_a_limit_that_a_module_does_not_take_is_told(rig: AxisRig, limit: dict[str, float], words: str) -> None:
    axis = replace(rig.axis.config, **limit).create("motor", rig.axis._guard)
    axis.connect()
    with pytest.raises(Refused, match=words):
        axis.prepare("velocity")
    axis.close()


def test_it_slows_down_as_it_speeds_up(rig: AxisRig) -> None:
    """Modules with a TMC5xxx have a parameter of its own for that, which was left as somebody had set it."""
    rig.drive.parameters[17] = 7629278  # type: ignore[attr-defined]
    rig.start()
    assert rig.drive.parameters[17] == rig.drive.parameters[5] == round(60.0 * 51200 / 6.283185307)  # type: ignore[attr-defined]


def test_units_of_the_ramp_generator_are_set_back(rig: AxisRig) -> None:
    """A module left in internal units would turn at 95 % of the speed, and speed up a hundred times as steeply."""
    rig.drive.write(255, 0)  # type: ignore[attr-defined]
    rig.start("velocity", 5.0)
    rig.until(lambda: abs(rig.speed - 5.0) < 0.02, "5 rad/s")
    assert rig.axis.feedback().velocity == pytest.approx(5.0, rel=1e-3)


def test_internal_units(rig: AxisRig) -> None:
    units = {"velocity_unit": 16e6 / 2**24, "acceleration_unit": 16e6**2 / 2**41}
    axis = replace(rig.axis.config, **units).create("motor", rig.axis._guard)
    axis.connect()
    axis.prepare("velocity")
    assert rig.drive.parameters[255] == 0  # type: ignore[attr-defined]
    axis.enable()
    axis.command(5.0)
    rig.until(lambda: abs(rig.speed - 5.0) < 0.02, "5 rad/s")
    begin = rig.drive.now
    axis.command(0.0)
    rig.until(lambda: rig.drive.speed == 0.0, "rest")  # type: ignore[attr-defined]
    assert rig.drive.now - begin == pytest.approx(5.0 / 60.0, abs=0.03)
    axis.close()


def test_a_module_without_these_parameters(rig: AxisRig) -> None:
    rig.drive.lacks = (17, 255)  # type: ignore[attr-defined]
    before = dict(rig.drive.parameters)  # type: ignore[attr-defined]
    rig.axis.connect()
    rig.axis.prepare("velocity")
    assert all(rig.drive.parameters[one] == before[one] for one in (17, 255))  # type: ignore[attr-defined]


def test_the_host_s_address_on_a_shared_line() -> None:
    """All replies go there, so a module of that address takes those of the others for commands, and answers them."""
    modules = [Tmcl(TmclMotor(SmallShaft()), address=address) for address in (1, 2)]
    bus = SerialBus(*modules)
    ask = Request(1, tmcl_frames.VERSION, 1)
    answer = modules[0].receive(ask.encode())
    assert bus.receive(ask.encode()) == answer + modules[1].receive(answer), "both speak"
    with SerialSide(SerialBus(*(Tmcl(TmclMotor(SmallShaft()), address=one, host=5) for one in (1, 5))), BenchClock("lockstep")) as side:
        axes = []
        for address, module in zip((1, 5), side.device.devices, strict=True):  # type: ignore[attr-defined]
            config = tmcl.Config(side.url, address=address, enable_line="Dev1/port0/line6")
            axes.append(config.create(f"axis {address}", Guard(EnableLine(module), 1.0)))
        axes[1].connect()
        axes[0].line.open()
        with pytest.raises(Refused, match=r"axis 5 .*: 5 is the address that the replies of all modules on this line go to"):
            axes[1].prepare("velocity")
        for axis in axes:
            axis.close()


def test_a_module_takes_the_shorter_way_over_the_end_of_its_counter() -> None:
    motor = TmclMotor(SmallShaft())
    motor.write(1, 2**31 - 1000)
    motor.write(0, -(2**31) + 1000)
    while not motor.read(8):
        motor.advance(motor.now + 1e-3)
        assert motor.now < 2.0
    assert Reply(2, 1, 100, 6, motor.read(1) or 0).encode()[4:8] == (-(2**31) + 1000).to_bytes(4, "big", signed=True)


def test_two_motors_of_one_module_are_no_neighbours() -> None:
    """At the host's address, too, as nobody else hears its replies."""
    module = Tmcl(TmclMotor(SmallShaft()), TmclMotor(SmallShaft()), address=2)
    with SerialSide(module, BenchClock("lockstep")) as side:
        axes = [
            tmcl.Config(side.url, address=2, motor=motor, enable_line="Dev1/port0/line6").create("axis", Guard(EnableLine(module), 1.0))
            for motor in (0, 1)
        ]
        for axis in axes:
            axis.connect()
        for axis in axes:
            axis.prepare("velocity")
        assert [axis.mode for axis in axes] == ["velocity", "velocity"]
        for axis in axes:
            axis.close()


def test_one_internal_unit_without_the_other() -> None:
    with pytest.raises(ValueError, match="acceleration_unit: expected beside velocity_unit: a module counts both in its internal units"):
        tmcl.Config("COM3", velocity_unit=0.9537)
