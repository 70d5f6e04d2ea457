"""A drive behind an analogue output: what it is told in which order, how far its reference goes, and what its lines say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from drivers.axes import analog_axis
from drivers.axes.analog_axis import input_lines, output_lines
from drivers.axes.speed_drive import Config, SpeedDrive
from drivers.errors import NoReply, Refused

ALL = Config(max_speed=100.0, enable="Dev1/port0/line6", reset="Dev1/port0/line7", ok="Dev1/port1/line3", settle=0.5)
BARE = replace(ALL, reset=None, ok=None)


class Lines:
    """What is written, and when; the fault is there until `clears`."""

    def __init__(self) -> None:
        self.now, self.calls, self.times = 0.0, list[dict[str, bool]](), list[float]()
        self.clears = 0.0

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self.calls.append(dict(states))
        self.times.append(self.now)

    def read_lines(self) -> dict[str, bool]:
        return {"crank_ok": self.now >= self.clears}

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    lines = Lines()
    monkeypatch.setattr(analog_axis, "time", lines)
    monkeypatch.setattr(analog_axis, "host_clock", SimpleNamespace(now=lambda: lines.now))
    return lines


def drive(lines: Lines, config: Config = ALL, watchdog: float | None = 0.2) -> SpeedDrive:
    return SpeedDrive(config, lines, watchdog, "crank")


def test_its_lines_by_name() -> None:
    assert output_lines(ALL, "crank") == {"crank_enable": "Dev1/port0/line6", "crank_reset": "Dev1/port0/line7"}
    assert output_lines(BARE, "crank") == {"crank_enable": "Dev1/port0/line6"}
    assert input_lines(ALL, "crank") == {"crank_ok": "Dev1/port1/line3"} and input_lines(BARE, "crank") == {}


def test_prepare_takes_all_lines_low_in_one_call_and_nothing_else(lines: Lines) -> None:
    drive(lines).prepare()
    assert lines.calls == [{"crank_enable": False, "crank_reset": False}]
    drive(lines, BARE).prepare()
    assert lines.calls[1:] == [{"crank_enable": False}]


def test_without_a_watchdog_nothing_would_stop_it(lines: Lines) -> None:
    """The output keeps its last value when the program is gone."""
    assert drive(lines).stops_within == 0.2 and drive(lines, watchdog=None).stops_within == math.inf
    with pytest.raises(Refused, match="crank: nothing would stop it if the program died"):
        drive(lines, watchdog=None).prepare()
    assert lines.calls == []


def test_a_fault_is_refused_with_the_power_off(lines: Lines) -> None:
    lines.clears = math.inf
    with pytest.raises(Refused, match=r"crank: .* a fault \(crank_ok on Dev1/port1/line3 is low\).*; clear its cause and reset"):
        drive(lines).prepare()
    assert lines.calls == [{"crank_enable": False, "crank_reset": False}]
    assert drive(lines, BARE).fault() is None, "one that has no such line says nothing"


@pytest.mark.parametrize(("call", "high"), [("enable", True), ("disable", False), ("trip", False), ("release", False)])
def test_power_is_one_line(lines: Lines, call: str, high: bool) -> None:
    getattr(drive(lines), call)()
    assert lines.calls == [{"crank_enable": high}]


def test_a_reset_is_a_pulse_with_the_power_off(lines: Lines) -> None:
    """50 ms up, 50 ms for the drive to see that it has gone: then the fault is looked for."""
    drive(lines).reset_fault()
    assert lines.calls == [{"crank_enable": False}, {"crank_reset": True}, {"crank_reset": False}]
    assert lines.times == pytest.approx([0.0, 0.0, 0.05]) and lines.now == pytest.approx(0.1)


@pytest.mark.parametrize(("clears", "stays"), [(0.3, False), (0.59, False), (0.7, True), (math.inf, True)])
def test_a_fault_may_take_its_time_to_clear(lines: Lines, clears: float, stays: bool) -> None:
    lines.clears = clears
    if stays:
        with pytest.raises(NoReply, match=r"crank: the drive reports a fault .*, 0\.5 s after its reset"):
            drive(lines).reset_fault()
    else:
        drive(lines).reset_fault()
        assert drive(lines).fault() is None
    assert lines.now == pytest.approx(min(clears, 0.6), abs=0.011)


def test_one_without_a_reset_line_is_reset_at_its_panel(lines: Lines) -> None:
    with pytest.raises(Refused, match="crank: it has no reset line; clear the fault at its panel"):
        drive(lines, BARE).reset_fault()
    assert lines.calls == []


@pytest.mark.parametrize(("direction", "sign"), [("forward", 1.0), ("reverse", -1.0)])
def test_half_the_speed_is_half_the_reference(lines: Lines, direction: str, sign: float) -> None:
    one = drive(lines, replace(ALL, direction=direction, offset=0.02))
    assert one.volts(np.array([50.0, 0.0, -50.0])) == pytest.approx([sign * 5.0 + 0.02, 0.02, -sign * 5.0 + 0.02])
    assert one.rest_volts == pytest.approx(0.02)
    assert one.speed(sign * 5.0 + 0.02) == pytest.approx(50.0)
    assert one.takes_rate


@pytest.mark.parametrize("end", [1.0, -1.0])
def test_ten_volts_and_no_more_to_both_sides(lines: Lines, end: float) -> None:
    one = drive(lines)
    assert one.volts(np.array([0.0, end * 100.0])) == pytest.approx([0.0, end * 10.0])
    one.volts(np.array([end * 100.0 * (1.0 + 1e-12)]))  # rounded, as what is computed from the limit itself
    with pytest.raises(Refused, match=r"crank: speed 100\.1 rad/s exceeds max_speed 100 rad/s at 10 V; command less"):
        one.volts(np.array([0.0, end * 100.1, 0.0]))
    with pytest.raises(Refused, match="exceeds max_speed"):  # the offset is a part of it
        drive(lines, replace(ALL, offset=end * 0.5)).volts(np.array([end * 96.0]))
    with pytest.raises(Refused, match="speed nan rad/s exceeds"):
        one.volts(np.array([0.0, math.nan]))
