"""Flights of the model's joints beside the impacts of a test: which flights are told, which impacts confirm them, and their page."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import matplotlib.image
import numpy as np
import pytest

from rig.comparison.impacts.pairs import Pairs
from rig.comparison.impacts.spikes import Spikes
from rig.errors import ConfigError
from rig.motion.parts import Motion, Pin
from rig.report.flights import joints
from rig.report.flights.joint_page import joint_page
from rig.report.flights.joints import JointMap, joint_map
from rig.report.impacts.found import Impacts, Side
from rig.report.palette import MEASURED, PREDICTED
from tests.unit.rig.report.overlay.test_page import coloured

RATE, TURN = 10e3, 0.1  # Hz, s
WINDOW = range(5000, 8000)
CLEARANCE = 1e-4


def pin(name: str, *flights: tuple[float, float]) -> tuple[np.ndarray, Pin]:
    """(times of the solver, pin) out of contact between these times, s."""
    time = np.arange(WINDOW.start, WINDOW.stop) / RATE
    distance = np.full(len(time), 1.01 * CLEARANCE)
    for begin, end in flights:
        distance[(time >= begin - 1e-9) & (time < end - 1e-9)] = 0.5 * CLEARANCE
    return time, Pin(name, CLEARANCE, np.column_stack((distance, np.zeros(len(time)))), np.zeros((len(time), 2)))


def impacts_at(*times: float, unit: str = "m/s^2") -> Impacts:
    at = np.round(np.array(times) * RATE).astype(np.int64) - WINDOW.start
    spikes = Spikes(at, np.full(len(at), 10.0), np.full(len(at), 20.0))
    side = Side(spikes, np.zeros(len(at)), np.zeros(len(at)))
    none = np.empty(0, dtype=np.int64)
    return Impacts("acceleration", unit, "angle", WINDOW, side, side, Pairs(spikes, spikes, (none, none), RATE))


def found(monkeypatch: pytest.MonkeyPatch, hits: Impacts, *pins: tuple[np.ndarray, Pin]) -> JointMap:
    motion = Motion(pins[0][0] if pins else np.zeros(1), pins=tuple(one for _, one in pins))
    given = SimpleNamespace(command=SimpleNamespace(frequency=1.0 / TURN))
    angle = 2.0 * np.pi * np.arange(10_000) / RATE / TURN
    monkeypatch.setattr(joints, "find", lambda *_: SimpleNamespace(motion=motion, window=WINDOW, signals=given))
    monkeypatch.setattr(joints, "drawn_over", lambda *_: (angle, "crank angle, deg"))
    monkeypatch.setattr(joints, "impacts", lambda *_: hits)
    return joint_map(SimpleNamespace(), SimpleNamespace(rate=RATE), None, None)  # type: ignore[arg-type]


def test_flights_of_each_joint_and_the_impacts_that_confirm_them(monkeypatch: pytest.MonkeyPatch) -> None:
    one = found(
        monkeypatch,
        impacts_at(0.5631, 0.6121, 0.7000),  # 0.1 ms behind two ends, and one where nothing flies
        pin("A", (0.56, 0.563), (0.61, 0.612)),
        pin("B", (0.65, 0.655), (0.66, 0.6602)),  # the second one is too short
    )
    assert [joint.name for joint in one.joints] == ["A", "B"] and one.flights == 3
    a, b = one.joints
    assert a.begin == pytest.approx([0.56, 0.61]) and a.end == pytest.approx([0.563, 0.612])
    assert a.begin_deg == pytest.approx([2016.0, 2196.0]) and b.end_deg == pytest.approx([2358.0])
    assert a.share == pytest.approx(0.005 / 0.3, rel=0.01) and b.share == pytest.approx(0.0052 / 0.3, rel=0.01)
    told = one.to_json()
    assert (told["measured_impacts"], told["flights"], told["confirmed"]) == (3, 3, 2)
    assert told["share_of_impacts"] == pytest.approx(2 / 3) and told["share_of_flights"] == pytest.approx(2 / 3)


def test_a_flight_that_is_cut_off_at_either_end_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    one = found(monkeypatch, impacts_at(), pin("A", (0.5, 0.51), (0.79, 0.9)))
    assert one.flights == 0 and one.to_json()["share_of_impacts"] is None


def test_without_clearance_or_an_acceleration_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="no joint of this mechanism has clearance"):
        found(monkeypatch, impacts_at())
    with pytest.raises(ConfigError, match="expected an acceleration"):
        found(monkeypatch, impacts_at(0.6, unit="N"), pin("A", (0.56, 0.563)))


def test_the_page_has_bars_and_dots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = found(monkeypatch, impacts_at(0.563), pin("A", (0.56, 0.563)), pin("B"))
    joint_page(tmp_path / "a.png", one, "a title")
    picture = matplotlib.image.imread(tmp_path / "a.png")
    assert coloured(picture, MEASURED) > 30 and coloured(picture, PREDICTED) > 50
