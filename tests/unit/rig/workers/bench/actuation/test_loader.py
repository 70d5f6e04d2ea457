"""A worker that has fallen behind looks at the controller's lines with the last of the blocks it has fetched, and lets no heartbeat go."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from drivers.loaders.servo_loader import Config as ServoConfig
from rig.workers.bench.actuation.loader import LoaderActuation


@dataclass
class Loader:
    feedback_channel: str = "force"
    heartbeat_period: float = 0.04
    beats: int = 0
    looks: int = 0
    says: str | None = None

    def beat(self) -> None:
        self.beats += 1

    def create(self, *_: Any) -> Loader:
        return self

    def fault(self) -> str | None:
        self.looks += 1
        return self.says


def actuation(loader: Loader, block: float) -> LoaderActuation:
    bench = SimpleNamespace(analog_loader=loader, loader_zero=lambda mode: 0.0, channels=[SimpleNamespace(name="force")])
    experiment = SimpleNamespace(command=SimpleNamespace(mode="force"), acquisition=SimpleNamespace(block=block))
    plan: Any = SimpleNamespace(bench=bench, experiment=experiment)
    return LoaderActuation(plan, None, lambda: None)


@pytest.mark.parametrize(("block", "looks"), [(0.02, 60), (0.01, 30), (0.0125, 30), (0.015, 60)])
def test_who_keeps_up_looks_every_20_ms(block: float, looks: int) -> None:
    """Or as many blocks as are nearest to that."""
    loader = Loader(heartbeat_period=2 * block)
    own = actuation(loader, block)
    for _ in range(60):
        assert own.attend() is None
    assert loader.looks == looks
    assert loader.beats == round(60 * block / loader.heartbeat_period)


def test_three_blocks_in_one_call_are_one_look_and_every_heartbeat() -> None:
    loader = Loader()
    own = actuation(loader, 0.02)
    for k in range(60):
        own.attend(more=k % 3 < 2)
    assert loader.looks == 20
    assert loader.beats == 30


def test_a_fault_is_told_with_the_last_of_them() -> None:
    own = actuation(Loader(says="no pressure"), 0.02)
    assert [own.attend(more=True), own.attend(more=True), own.attend()] == [None, None, "loader: no pressure"]


@pytest.mark.parametrize(("mode", "end"), [("stroke", 0.0125), ("force", 0.0)])
def test_a_stop_and_a_trip_end_where_nothing_is_crushed(mode: str, end: float) -> None:
    """In stroke mode where the stroke is, by the mean of the last block; in force mode at no force."""
    config = ServoConfig(force_channel="force", stroke_channel="stroke")
    channels = [SimpleNamespace(name=name) for name in ("other", "force", "stroke")]
    bench = SimpleNamespace(analog_loader=config, loader_zero=lambda mode: 0.0, channels=channels)
    experiment = SimpleNamespace(command=SimpleNamespace(mode=mode), acquisition=SimpleNamespace(block=0.01))
    own = LoaderActuation(SimpleNamespace(bench=bench, experiment=experiment), None, lambda: None)  # type: ignore[arg-type]
    stops: list[tuple[float, float]] = []
    setpoint: Any = SimpleNamespace(stop=lambda target, duration: stops.append((target, duration)))
    own.rest(setpoint, np.array([[1.0, 9e3, 0.012], [2.0, 8e3, 0.013]]), 0.5)
    assert stops == [(pytest.approx(end), 0.5)]
    assert own.safe_value(0.0125) == end and own.ends_loaded == (mode == "stroke")


def noted(loader: Loader) -> tuple[LoaderActuation, list[str]]:
    """With the loader's calls."""
    own, calls = actuation(loader, 0.02), list[str]()
    for name in ("enable", "trip", "release"):
        setattr(loader, name, lambda name=name: calls.append(name))
    loader.prepare = lambda alive: calls.append("prepare") or alive()  # type: ignore[attr-defined, func-returns-value]
    loader.volts = lambda values: np.asarray(values) * 2.0  # type: ignore[attr-defined]
    return own, calls


def test_power_goes_by_the_loader() -> None:
    own, calls = noted(Loader())
    own.enable()
    own.trip()
    own.release()
    assert calls == ["enable", "trip", "release"] and own.rests()


def test_without_a_preparation_it_is_prepared_and_begins_at_its_feedback() -> None:
    own, calls = noted(Loader())
    assert own.prepare({"force": 1.5e3, "stroke": 0.01}, None) == 1.5e3 and calls == ["prepare"]
    assert own.session(None, 100, calls.append) is None


def test_the_command_s_value_becomes_volts() -> None:
    own, _ = noted(Loader())
    assert list(own.volts(np.array([[1.0, 9.0, 9.0], [2.0, 9.0, 9.0]]))) == [2.0, 4.0]


def test_the_first_block_has_a_heartbeat_and_a_period_beyond_a_block_is_counted_in_blocks() -> None:
    loader = Loader(heartbeat_period=0.05)  # two and a half blocks: every second
    own = actuation(loader, 0.02)
    beats = []
    for _ in range(5):
        own.attend()
        beats.append(loader.beats)
    assert beats == [1, 1, 2, 2, 3]
    quick = Loader(heartbeat_period=0.001)
    own = actuation(quick, 0.02)
    for _ in range(3):
        own.attend()
    assert quick.beats == 3, "every block, where it cannot be more often"


@pytest.mark.parametrize(("mode", "volts"), [("force", 0.08), ("stroke", -0.2)])
def test_a_tared_loop_begins_at_its_own_zero(mode: str, volts: float) -> None:
    """2 kN of 250 kN, and -1 mm of 50 mm, that the controller reads where nothing is: they are in what goes out."""
    config = ServoConfig(force_channel="force", stroke_channel="stroke")
    channels = [SimpleNamespace(name=name) for name in ("force", "stroke")]
    bench = SimpleNamespace(analog_loader=config, loader_zero={"force": 2e3, "stroke": -1e-3}.__getitem__, channels=channels)
    experiment = SimpleNamespace(command=SimpleNamespace(mode=mode), acquisition=SimpleNamespace(block=0.01))
    own = LoaderActuation(SimpleNamespace(bench=bench, experiment=experiment), None, lambda: None)  # type: ignore[arg-type]
    assert own.volts(np.zeros((1, 3)))[0] == pytest.approx(volts)
