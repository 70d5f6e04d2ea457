"""Readings that drop to zero, bad ones, a line that hangs or goes: what is asked again, and what is told."""

from __future__ import annotations

import pytest
from instron_rig import until

from drivers.errors import BadReply, NoReply, NotConnected
from drivers.loaders import instron
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.load_frame import SmallFrame
from drivers.simulated.serial.serial_side import Fault, SerialSide


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
