"""The frame under a controller on a serial line: its setpoint is the waveform from the edge on, however the time is cut."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray

from drivers.protocols import instron_ascii as ascii_
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.device_file import Setup
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.serial.serial_side import SerialSide
from rig.config.bench import SerialEntry
from rig.errors import ConfigError
from rig.virtual.plants.serial_frame import Config, SerialFrame
from rig.virtual.plants.servo_frame import kernel
from rig.virtual.virtual_bench import Hardware, VirtualBench

RATE = 51200.0
AMPLITUDE, FREQUENCY = 10e3, 3.0
FULL = 250e3
EDGE = 0.10037  # s; between two ticks of the firmware
HIGH = np.array([True])


@pytest.fixture
def frame() -> Iterator[SerialFrame]:
    """With its controller, under pressure in force mode, the waveform armed."""
    plant = Config(perturb=False).create(1)
    with armed(plant):
        yield plant


@contextmanager
def armed(plant: SerialFrame) -> Iterator[None]:
    with SerialSide(Instron(plant.load_frames["frame"], 0.05, FULL), BenchClock("lockstep"), paced=False) as side:
        plant.attach(side)
        go(plant, np.array([0.005]), math.inf)
        for commands in (("C23,1",), (f"C300,{ascii_.LOAD}",), waveform()):
            side.device.receive(ascii_.burst(*commands))
        yield


def waveform() -> tuple[str, ...]:
    channel, share = ascii_.LOAD, AMPLITUDE / FULL
    return f"C201,{channel},0", f"C202,{channel},{FREQUENCY}", f"C203,{channel},{share}", "C209,400", "C212,2", "C200,1"


def go(plant: SerialFrame, times: NDArray[np.float64], edge: float, lines: NDArray[np.bool_] = HIGH) -> NDArray[np.float64]:
    """Sample the plant; its run input is high from `edge` (s) on."""
    held_since = np.concatenate(([plant._time], times[:-1]))
    return plant.advance(times, np.where(held_since >= edge, 5.0, 0.0)[:, None], lines)


def test_the_setpoint_is_the_waveform_from_the_edge_on(frame: SerialFrame) -> None:
    """Between two ticks too: what is left is the bend of the sine within a millisecond."""
    go(frame, np.array([EDGE]), math.inf)
    times = EDGE + np.arange(1, 5001) / 10e3
    error = []
    for time in times:
        go(frame, np.array([time]), EDGE)
        error.append(frame.state[0]["setpoint"] - AMPLITUDE * math.sin(2.0 * math.pi * FREQUENCY * (time - EDGE)))
    assert np.max(np.abs(error[20:])) < 3.0, "N; 188 N a millisecond at the steepest"


def test_it_does_not_matter_how_the_time_is_cut() -> None:
    taken = []
    for cut in (1, 7, 512):
        plant = Config().create(3)
        with armed(plant):
            times = 0.005 + np.arange(1, 3585) / RATE
            taken.append(np.concatenate([go(plant, times[i : i + cut], times[500]) for i in range(0, len(times), cut)]))
    assert np.array_equal(taken[0], taken[1]) and np.array_equal(taken[0], taken[2])
    force = taken[0][:, kernel.OUTPUTS.index("force_monitor")]
    assert np.ptp(force[:500]) < np.ptp(force[1000:]), "nothing moves before the edge"


def test_its_limits_are_the_controllers(frame: SerialFrame) -> None:
    frame.parameters[0]["force_limit"] = 3e3
    go(frame, np.arange(1, 10001) / RATE + 0.005, 0.01)
    texts = [text for _, _, text in frame.take_events()]
    (limit,) = [text for text in texts if text.startswith("limit: ")]
    assert re.fullmatch(r"limit: force 3\.\d kN beyond the controller's limit 3 kN; pressure off", limit)
    assert frame.state[0]["loop"] == kernel.SHUT
    assert frame.armed == (abs(frame.state[0]["v3"]) > 1e-5)


def test_without_its_enable_line_there_is_no_pressure(frame: SerialFrame) -> None:
    assert frame.state[0]["loop"] == kernel.SHUT, "told at its next tick"
    go(frame, np.array([0.02]), math.inf)
    assert frame.state[0]["loop"] == kernel.HOLDING
    go(frame, np.array([0.03]), math.inf, ~HIGH)
    assert frame.state[0]["loop"] == kernel.SHUT
    assert [text for _, _, text in frame.take_events()][-3:] == ["enable input low", "actuator off", "waveform aborted"]


def test_only_its_own_controller_is_attached(frame: SerialFrame) -> None:
    other = Config().create(1)
    with SerialSide(Instron(other.load_frames["frame"]), BenchClock("lockstep"), paced=False) as side:
        with pytest.raises(ValueError, match="expected the controller of this plant's frame"):
            frame.attach(side)
        other.attach(side)
        with pytest.raises(ValueError, match="frame has a controller already"):
            other.attach(side)


@pytest.mark.parametrize(
    ("entries", "wiring", "words"),
    [
        ([("a", "x")], {"Dev1/port0/line0": "loader_enable"}, "serial a: expected a load frame of the plant, which has frame; got 'x'"),
        ([("a", "frame"), ("b", "frame")], {"Dev1/port0/line0": "loader_enable"}, "serial a: more than one controller for 'frame'"),
        ([("a", "frame")], {}, "nothing is wired to loader_enable"),
    ],
)
def test_what_is_wrong_with_a_virtual_bench_is_told(entries: list[tuple[str, str]], wiring: dict[str, str], words: str) -> None:
    serial = tuple(SerialEntry(name, "instron", frame=frame) for name, frame in entries)
    setup = Setup((DeviceEntry("Dev1", "PCIe-6363"),), wiring)
    with pytest.raises(ConfigError, match=words):
        VirtualBench(Hardware(setup, Config(), 1, serial), 0, io.StringIO())
