"""A loader by ASCII commands: ramps, waveforms in chunks, what is refused before anything moves, and how everything ends."""

from __future__ import annotations

import math

import pytest
from instron_rig import until

from drivers.errors import Refused
from drivers.loaders import instron
from drivers.loaders.instron import Config
from drivers.protocols import instron_ascii
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.serial.serial_side import SerialSide


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
    loader = Config(side.url, pause=0.0, start_output="Dev1/ao0", enable_line="Dev1/port0/line7").create("stroke")
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


def test_other_full_scales_are_refused(side: SerialSide) -> None:
    loader = Config(side.url, force_full_scale=250e3).create("force")
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


def test_prepare_ends_what_another_program_has_left_running(device: Instron, loader: instron.Instron) -> None:
    device.receive(b"P909,1\r\nC904,0\r\nC23,1\r\nC300,2\r\nC202,2,5\r\nC203,2,0.01\r\nC200,1\r\nP909,0\r\n")
    assert device.wave_state == instron_ascii.RUNNING
    loader.prepare()
    assert device.wave_state == instron_ascii.ABORTED and device.actuator


def test_a_trip_does_not_wait_for_the_pause_between_bursts(side: SerialSide, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = Config(side.url, pause=3600.0, reply_timeout=0.3).create("force")
    loader.connect()
    loader._commands.write("C1,0")
    slept: list[float] = []
    monkeypatch.setattr("drivers.loaders.instron_commands.time.sleep", slept.append)
    loader.trip()
    assert not slept
    loader.close()


def test_closing_leaves_alone_what_it_did_not_start(device: Instron, loader: instron.Instron) -> None:
    """A panel's or another program's waveform is not this program's to end."""
    device.receive(b"P909,1\r\nC904,0\r\nC23,1\r\nC300,2\r\nC202,2,5\r\nC203,2,0.01\r\nC200,1\r\nP909,0\r\n")
    assert loader.close() == []
    assert device.wave_state == instron_ascii.RUNNING
