"""The drive over Modbus: driver and device side on a line, what it does, and what it says when the line does not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from motor_lines import EnableLine, advance_until, with_power

from drivers.axes import modbus_drive
from drivers.axes.axis import Guard
from drivers.axes.modbus_drive import Config, Registers
from drivers.errors import NoReply, NotConnected, Refused
from drivers.protocols import cia402, modbus_rtu
from drivers.simulated.axes.modbus_drive import EXTERNAL, ModbusDrive
from drivers.simulated.plant.shaft import ShaftParameters, SmallShaft
from drivers.simulated.serial.serial_side import SerialSide, Wire

SERIAL = Wire(baud=19200, bits=11)


@pytest.fixture
def device() -> ModbusDrive:
    return ModbusDrive(SmallShaft())


def config(side: SerialSide, **changes: object) -> Config:
    return replace(Config(side.url, max_speed=100.0, acceleration=200.0, timeout=0.5), **changes)  # type: ignore[arg-type]


@pytest.fixture
def axis(side: SerialSide) -> Iterator[modbus_drive.ModbusDrive]:
    axis = config(side).create("crank")
    axis.connect()
    yield axis
    axis.close()


@pytest.fixture
def running(axis: modbus_drive.ModbusDrive) -> modbus_drive.ModbusDrive:
    axis.prepare("velocity")
    axis.enable()
    axis.command(30.0)
    return axis


def test_it_turns_as_fast_as_commanded(side: SerialSide, device: ModbusDrive, running: modbus_drive.ModbusDrive) -> None:
    advance_until(side, lambda: abs(running.feedback().velocity - 30.0) < 0.2, "30 rad/s")
    assert running.fault() is None
    running.command(-20.0)
    advance_until(side, lambda: abs(running.feedback().velocity + 20.0) < 0.2, "-20 rad/s")
    advance_until(side, lambda: device.shaft.velocity < -18.0, "the shaft")
    assert running.feedback().position is None and running.feedback().torque is None
    assert running.current() < 5.0


def test_states_are_climbed_one_by_one(device: ModbusDrive, axis: modbus_drive.ModbusDrive) -> None:
    axis.prepare("velocity")
    axis.enable()
    assert [event.text for event in device.log][:3] == [cia402.READY, cia402.SWITCHED_ON, cia402.ENABLED]


def test_a_fault_in_mid_move(device: ModbusDrive, running: modbus_drive.ModbusDrive) -> None:
    device.trip(EXTERNAL)
    with pytest.raises(Refused, match="fault 8"):
        running.feedback()
    assert running.fault() == "fault 8 (external fault)"
    with pytest.raises(Refused, match="fault 8"):
        running.command(1.0)
    running.reset_fault()
    assert running.fault() is None


def test_nobody_speaks_and_it_stops(side: SerialSide, device: ModbusDrive, running: modbus_drive.ModbusDrive) -> None:
    advance_until(side, lambda: running.feedback().velocity > 25.0, "turning")
    heard = device.heard
    advance_until(side, lambda: device.resting, "rest")
    lost = device.since("communication lost")
    assert lost is not None and lost - heard <= running.stops_within + 0.01
    assert running.stops_within == pytest.approx(0.5)


def test_a_silent_program_without_guard_is_refused(side: SerialSide, device: ModbusDrive) -> None:
    registers = Registers(timeout=0)
    axis = config(side, registers=registers).create()
    axis.connect()
    with pytest.raises(Refused, match="nothing would stop this axis if the program died"):
        axis.prepare("velocity")
    axis.close()
    device._words[Registers().loss_action] = 0
    line = EnableLine(device)
    guarded = config(side, enable_line="Dev1/port0/line6").create("crank", Guard(line, 0.2))
    guarded.connect()
    guarded.prepare("velocity")
    assert guarded.stops_within == 0.2 and guarded.output_lines == {"crank_enable": "Dev1/port0/line6"}
    guarded.enable()
    assert line.states == {"crank_enable": True}
    guarded.disable()
    assert line.states == {"crank_enable": False}
    guarded.close()


@pytest.mark.parametrize(("asked", "would"), [(0.02, "0.1"), (0.25, "0.3")])
def test_a_time_out_that_the_drive_cannot_count_is_refused(asked: float, would: str) -> None:
    """By it everything that moves stops when the program dies: it is not rounded to something else in silence."""
    with SerialSide(ModbusDrive(SmallShaft())) as side:
        axis = config(side, timeout=asked).create("crank")
        axis.connect()
        with pytest.raises(Refused, match=rf"timeout: expected a multiple of 0\.1 s, .* got {asked:g} s; {would} s would do"):
            axis.prepare("velocity")
        axis.close()


def test_a_slow_line_is_refused() -> None:
    """At the speed of a real one."""
    with SerialSide(ModbusDrive(SmallShaft()), wire=SERIAL) as side:
        axis = config(side, reply_timeout=2.0).create("crank")
        axis.connect()
        with pytest.raises(Refused, match=r"a second; 1000 are wanted: raise the baud rate"):
            axis.prepare("velocity", rate=1000.0)
        axis.prepare("velocity", rate=0.5)
        assert axis.line.timing.median >= SERIAL.duration(15)  # the shortest request with its reply
        axis.close()


@pytest.mark.parametrize("mode", ["position", "torque", "sideways"])
def test_modes_it_has_not(axis: modbus_drive.ModbusDrive, mode: str) -> None:
    with pytest.raises(Refused, match="mode must be one of velocity"):
        axis.prepare(mode)


def test_registers_that_do_not_fit(side: SerialSide) -> None:
    axis = config(side, registers=Registers(acceleration=4711)).create()
    axis.connect()
    with pytest.raises(
        Refused, match=r"register 4711: illegal data address: no such register \(Modbus exception 2\); does `registers` fit"
    ):
        axis.prepare("velocity")
    axis.close()


@given(st.binary(max_size=300))
def test_random_bytes_never_move_the_drive(data: bytes) -> None:
    """Nor stop it from answering; only a frame with its checksum could, and none of these has one."""
    device = ModbusDrive(SmallShaft())
    device.receive(data)
    device.advance(0.002)
    device.silence()
    assert device.state == cia402.DISABLED and device.shaft.velocity == 0.0
    request = modbus_rtu.read(1, Registers().status)
    reply = modbus_rtu.parse_reply(device.receive(request.encode()), request)
    assert reply is not None and reply.values == (0x250,)


def test_nothing_there() -> None:
    for port in ("socket://127.0.0.1:1", "/dev/no_such_port"):
        with pytest.raises(NotConnected, match="is it plugged in"):
            Config(port).create().connect()


def test_torque_limit_and_slip() -> None:
    """An overloaded shaft falls behind its field by what the limit allows; the drive reports its frequency, not the shaft."""
    shaft = SmallShaft(ShaftParameters(coulomb=0.0, viscous=0.0), load=4.0)
    shaft.tell("velocity", 50.0, True)
    shaft.advance(2.0)
    assert shaft.velocity == pytest.approx(50.0 - 4.0 / shaft.parameters.velocity_gain, rel=1e-6)
    shaft.limit(3.0)
    before = shaft.velocity
    shaft.advance(2.1)
    assert shaft.velocity - before == pytest.approx((3.0 - 4.0) * 0.1 / shaft.parameters.inertia, rel=1e-2)
    assert shaft.torque == 3.0


def turning(side: SerialSide) -> modbus_drive.ModbusDrive:
    """A drive at 60 rad/s."""
    axis = with_power(config(side).create())
    axis.command(60.0)
    advance_until(side, lambda: axis.feedback().velocity > 55.0, "turning")
    return axis


@pytest.mark.parametrize("action", [0, 4, 5])
def test_a_drive_that_goes_on_without_its_line_is_refused(side: SerialSide, device: ModbusDrive, action: int) -> None:
    """Not only the one that ignores it: at its fallback speed, or as it was, the shaft turns on as well."""
    axis = turning(side)
    device._words[Registers().loss_action] = action
    side.advance(device.now + 3.0)
    assert device.shaft.velocity > 25.0, "so the refusal is right"
    axis.disable()
    with pytest.raises(Refused, match=rf"it goes on after a lost communication \(register 7010 is {action}; it stops with 1, 2, 6, 7, 8\)"):
        axis.prepare("velocity")
    axis.close()


@pytest.mark.parametrize("action", [1, 2, 6, 7, 8])
def test_a_drive_that_stops_without_its_line_is_taken(side: SerialSide, device: ModbusDrive, action: int) -> None:
    device._words[Registers().loss_action] = action
    axis = turning(side)
    heard = device.heard
    advance_until(side, lambda: device.resting, "rest")
    lost = device.since("communication lost")
    assert lost is not None and lost - heard <= axis.stops_within + 0.01
    axis.close()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"max_speed": 350.0 * math.pi, "registers": Registers(frequency_unit=0.01)}, r"max_speed: expected at most 1029\.4\d* rad/s"),
        ({"acceleration": 1e-4}, r"acceleration: expected at least 0\.0479 rad/s\^2, the slowest ramp"),
    ],
)
def test_what_a_register_does_not_hold(side: SerialSide, changes: dict[str, object], said: str) -> None:
    """350 Hz in steps of 0.01 Hz is 35000, which a signed word takes for -305 Hz."""
    with pytest.raises(ValueError, match=said):
        config(side, **changes)


def test_words_of_16_bits() -> None:
    assert modbus_rtu.words(-1, 0x8000, 0xFFFF, -0x8000) == (0xFFFF, 0x8000, 0xFFFF, 0x8000)
    for value in (0x10000, -0x8001):
        with pytest.raises(ValueError, match=f"{value} is no word"):
            modbus_rtu.words(value)


def test_a_drive_in_local_control(side: SerialSide, device: ModbusDrive) -> None:
    """It answers its line and obeys its panel: an acknowledged stop is none."""
    axis = with_power(config(side, settle=0.2, registers=Registers(remote=0x200)).create("crank"))
    axis.command(30.0)
    assert axis.fault() is None
    device.local = True
    with pytest.raises(Refused, match=r"crank .*it is in local control \(status 0037h\); set it to be commanded by its line"):
        axis.feedback()
    with pytest.raises(
        NoReply, match=r"0\.2 s after its quick stop, which it has acknowledged, it still runs; stop it at its panel; it is in"
    ):
        axis.quick_stop()
    device.local = False
    axis.quick_stop()
    axis.reset_fault()
    device.local = True
    axis.prepare("velocity")
    with pytest.raises(NoReply, match=r"after enabling; look at its panel, .*it is in local control"):
        axis.enable()
    axis.close()


def test_a_drive_that_does_not_say_where_it_is_commanded_from_is_still_seen_not_to_stop(side: SerialSide, device: ModbusDrive) -> None:
    line = EnableLine(device)
    axis = with_power(config(side, settle=0.2, enable_line="Dev1/port0/line6").create("crank", Guard(line, 0.2)))
    device.local = True
    with pytest.raises(NoReply, match=r"which it has acknowledged, it still runs; stop it at its panel$"):
        axis.quick_stop()
    assert line.states == {"crank_enable": False}, "its enable line has fallen"
    device.local = False
    axis.close()


@pytest.mark.parametrize("code", [5, 6])
def test_a_drive_that_is_busy_is_asked_again(side: SerialSide, device: ModbusDrive, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """It is to be sent again later, says the specification; for as long as a reply may take, and then it is a fault of the line."""
    axis = with_power(config(side).create("crank"))
    serve, left = device.serve, [3]

    def busy(request: modbus_rtu.Request) -> modbus_rtu.Reply:
        if request.first == Registers().command or left[0] <= 0:
            return serve(request)
        left[0] -= 1
        return modbus_rtu.Reply(exception=code)

    monkeypatch.setattr(device, "serve", busy)
    axis.command(10.0)
    assert left == [0] and axis.fault() is None
    left[0] = 10**6
    with pytest.raises(NoReply, match=rf"\(Modbus exception {code}\) for 0\.2 s; is it starting up\?; the quick stop was not confirmed"):
        axis.command(10.0)
    assert device.state == cia402.STOPPING
    left[0] = 0
    axis.close()


def test_one_register_for_both_ramps_and_none_for_two_other_things() -> None:
    assert Registers(acceleration=9001, deceleration=9001).deceleration == 9001
    with pytest.raises(ValueError, match="timeout: expected a register of its own, got 3104, which is high_speed"):
        Registers(timeout=3104)
