"""Writes have no checksum: what the controller keeps is read back, before anything runs on it."""

from __future__ import annotations

import pytest

from drivers.errors import NoReply, Refused
from drivers.loaders import instron
from drivers.loaders.instron import Config
from drivers.protocols import instron_ascii
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.serial.serial_side import SerialSide


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


@pytest.mark.parametrize("end", ["trip", "release"])
def test_pressure_that_stays_is_told(side: SerialSide, device: Instron, end: str) -> None:
    """A panic stop that did not arrive: only somebody at the frame can help now."""
    loader = Config(side.url, chunk=1.0, pause=0.0, reply_timeout=0.3, settle=0.05).create("force")
    loader.connect()
    loader.prepare()
    spoilt(loader, b"C23,0", b"C29,0", 100)
    with pytest.raises(NoReply, match=r"0\.05 s after it was told: the actuator is still on; press the emergency stop"):
        getattr(loader, end)()
    assert device.actuator
    loader.close()
