"""The lines of an analogue loader: in which order they are seated, what a trip does in one call, and what the controller's own say."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from drivers.errors import Refused
from drivers.loaders.servo_loader import Config, Preparation, ServoLoader

WELL = {"estop_ok": True, "interlock_ok": True, "hydraulics_on": True}
FORCE, STROKE = 250e3, 0.05  # full scales: N, m


class Lines:
    """Keeps every call."""

    def __init__(self) -> None:
        self.calls: list[dict[str, bool]] = []
        self.inputs = dict(WELL)

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self.calls.append(dict(states))

    def read_lines(self) -> dict[str, bool]:
        return self.inputs


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.mark.parametrize("mode", ["force", "stroke"])
@pytest.mark.parametrize("high", [True, False])
def test_prepare_opens_the_interlock_before_it_closes_it_and_leaves_the_program_off(lines: Lines, mode: str, high: bool) -> None:
    """The controller latches its interlock until that rises with the program low."""
    ServoLoader(Config(hydraulics_high="Dev1/port0/line5"), lines, mode).prepare(high)
    first = {"program": False, "interlock": False, "mode_stroke": mode == "stroke", "hydraulics": True}
    assert lines.calls == [first, {"hydraulics_high": high}, {"interlock": True}]


def test_a_trip_is_one_call_and_takes_the_program_away_for_good(lines: Lines) -> None:
    loader = ServoLoader(Config(), lines, "force")
    loader.enable()
    lines.calls.clear()
    loader.trip()
    assert lines.calls == [{"interlock": False, "program": False}]
    lines.inputs["hydraulics_on"] = False
    assert loader.fault() is None, "no pressure is no news once there is no program"
    loader.take_mode("stroke")


def test_enable_beats_before_the_program_runs(lines: Lines) -> None:
    ServoLoader(Config(), lines, "force").enable()
    assert lines.calls == [{"heartbeat": True}, {"program": True}]


def test_disable_takes_the_program_away(lines: Lines) -> None:
    loader = ServoLoader(Config(), lines, "force")
    loader.enable()
    loader.disable()
    assert lines.calls[-1] == {"program": False}
    loader.take_mode("stroke")
    assert lines.calls[-1] == {"mode_stroke": True} and loader.full_scale == STROKE


def test_release_takes_the_program_before_the_pressure(lines: Lines) -> None:
    loader = ServoLoader(Config(hydraulics_high="Dev1/port0/line5"), lines, "force")
    loader.enable()
    lines.calls.clear()
    loader.release()
    assert lines.calls == [{"program": False}, {"hydraulics_high": False}, {"hydraulics": False}]


def test_the_mode_is_not_changed_while_the_program_runs(lines: Lines) -> None:
    loader = ServoLoader(Config(), lines, "force")
    loader.enable()
    lines.calls.clear()
    with pytest.raises(Refused, match="mode stroke was asked for while the program runs; switch it off first"):
        loader.take_mode("stroke")
    assert not lines.calls and loader.mode == "force"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("estop_ok", "emergency stop pressed"), ("interlock_ok", "the controller opened its interlock"),
        ("hydraulics_on", "hydraulic pressure lost"),
    ],
)  # fmt: skip
def test_what_the_controller_says_while_it_runs(lines: Lines, line: str, words: str) -> None:
    loader = ServoLoader(Config(), lines, "force")
    loader.enable()
    assert loader.fault() is None
    lines.inputs[line] = False
    assert loader.fault() == words


def test_heartbeats_alternate(lines: Lines) -> None:
    loader = ServoLoader(Config(), lines, "force")
    for _ in range(4):
        loader.beat()
    assert [call["heartbeat"] for call in lines.calls] == [True, False, True, False]


@pytest.mark.parametrize(("mode", "full", "zero"), [("force", FORCE, 2e3), ("stroke", STROKE, -1e-3)])
def test_volts_are_of_the_controllers_own_zero(lines: Lines, mode: str, full: float, zero: float) -> None:
    """Where it reads `zero` a setpoint is 0: +-10 V is full scale of what it reads, to both sides and no farther."""
    loader = ServoLoader(Config(), lines, mode, {mode: zero})
    assert loader.volts(np.array([0.0, 0.1 * full])) == pytest.approx([10.0 * zero / full, 1.0 + 10.0 * zero / full])
    assert loader.setpoint(10.0 * zero / full) == pytest.approx(0.0, abs=1e-9 * full)
    for end in (1.0, -1.0):
        assert loader.volts(np.array([end * full - zero])) == pytest.approx([10.0 * end])
        with pytest.raises(Refused, match="exceeds full scale"):
            loader.volts(np.array([end * full * 1.001 - zero]))


def test_a_refusal_names_the_worst_of_its_setpoints(lines: Lines) -> None:
    loader = ServoLoader(Config(), lines, "force")
    with pytest.raises(Refused, match=r"loader: setpoint 300000 exceeds full scale 250000 \(force, SI unit\); reduce the amplitude"):
        loader.volts(np.array([0.0, 260e3, -300e3, 1e3]))
    assert loader.volts(np.empty(0)).shape == (0,)


def test_the_loop_closes_on_the_channel_of_its_mode(lines: Lines) -> None:
    config = Config(force_channel="load_cell", stroke_channel="lvdt")
    assert [ServoLoader(config, lines, mode).feedback_channel for mode in ("force", "stroke")] == ["load_cell", "lvdt"]


def test_a_preparation_is_made_where_there_is_one_that_is_enabled() -> None:
    given = (None, Preparation(enabled=False), Preparation())
    assert [Config(preparation=one).prepared for one in given] == [False, False, True]


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_preload_leaves_room_for_its_probe_to_both_sides(side: float) -> None:
    """Above the force that tells contact, below the one that ends the preparation."""
    shares = {"force_probe": 0.01, "touch": 0.004, "force_guard": 0.04}
    Preparation(preload=side * 0.0141, **shares)
    Preparation(preload=side * 0.0299, **shares)
    with pytest.raises(ValueError, match=r"preload: expected more than force_probe \+ touch = 0\.014"):
        Preparation(preload=side * 0.0139, **shares)
    for beyond in (0.0301, 0.03):
        with pytest.raises(ValueError, match=r"preload: expected less than force_guard - force_probe = 0\.03"):
            Preparation(preload=side * beyond, **shares)


def test_prepare_looks_at_the_emergency_stop_before_it_writes(lines: Lines) -> None:
    lines.inputs["estop_ok"] = False
    with pytest.raises(Refused, match=r"emergency stop is pressed \(estop_ok is low\); release it at the frame"):
        ServoLoader(Config(), lines, "force").prepare()
    assert lines.calls == []
