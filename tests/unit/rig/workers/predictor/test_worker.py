"""The predictor on rings: its sample n belongs to sample n of what it is fed with, none is left out, and the last ones come as well."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig import config
from rig.config.plan import Plan
from rig.errors import OverrunError, StaleStream
from rig.host import clock
from rig.streaming import streams
from rig.streaming.ring import RingReader, RingWriter
from rig.workers.predictor.worker import Predictor, create

EXPERIMENT = Path(__file__).parents[5] / "configs/experiments/linkage.toml"
RATE = 10e3


class Links:
    """Stands for the supervisor."""

    def __init__(self) -> None:
        self.alone, self.abandoned, self.beats, self.sample = threading.Event(), False, 0, -1
        self.told: list[tuple[Any, ...]] = []

    def beat(self) -> None:
        self.beats += 1

    def progress(self, sample: int) -> None:
        self.sample = sample

    def event(self, *told: Any, **more: Any) -> None:
        self.told.append(told)

    def request(self, verb: str, **data: Any) -> None:
        self.told.append((verb, data))


class Fed:
    """A worker whose bench is this test: `feed` publishes samples of command and measured force."""

    def __init__(self, folder: Path, *overrides: str, capacity: int = 20_000) -> None:
        setup = config.load(EXPERIMENT, ["mechanism.load_source=ideal", f"acquisition.rate={RATE} Hz", *overrides])
        plan = Plan("0001", folder, folder, setup.experiment, setup.bench, "", "")
        self._paths = streams.paths(folder)
        names = [channel.name for channel in setup.bench.channels]
        self.command = RingWriter.create(self._paths["command"], ["value", "phase", "cycle"], ["N", "rad", "1"], capacity, RATE)
        self.measured = RingWriter.create(self._paths["measured"], names, ["1"] * len(names), capacity, RATE)
        self.links = Links()
        self.worker: Predictor = create(plan, self.links)  # type: ignore[arg-type]
        self.worker.setup()
        self._source = names.index(setup.experiment.predictor.source) if setup.experiment.predictor.source in names else None

    def feed(self, values: np.ndarray) -> None:
        self.command.append(np.column_stack([values, np.full(len(values), 1e6), np.full(len(values), -1e6)]))
        measured = np.zeros((len(values), len(self.measured.names)))
        if self._source is not None:
            measured[:, self._source] = values
        self.measured.append(measured)

    def work(self) -> None:
        """Until there is nothing to be done for now."""
        while self.worker.step() == 0.0 and not self.worker.done:
            pass

    def predicted(self, channel: str, stream: str = "predicted") -> np.ndarray:
        ring = RingReader.open(self._paths[stream], 1.0)
        first, block = ring.read(100_000)
        assert first == 0
        column = block[:, ring.names.index(channel)].copy()
        ring.close()
        return column

    def end(self) -> dict[str, Any]:
        for ring in (self.command, self.measured):
            ring.close()
        while not self.worker.done:
            self.worker.step()
        return self.worker.close()


def wave(count: int) -> np.ndarray:
    """From rest; no two samples of it are alike."""
    t = np.arange(count) / RATE
    return np.asarray(5e3 * np.sin(2.0 * np.pi * 3.0 * t) ** 3 + 1e3 * t)


@pytest.mark.parametrize("sizes", [(100,) * 20, (512, 1, 7, 600, 880)])
def test_sample_n_is_predicted_from_sample_n(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    """An ideal load is the command: the actuator's force of sample n is its value of sample n, to the last digits."""
    fed, values = Fed(tmp_path), wave(2000)
    for end, size in zip(np.cumsum(sizes), sizes, strict=True):
        fed.feed(values[end - size : end])
        fed.work()
    assert len(fed.predicted("actuator_force")) == 2000 - fed.worker._lookahead, "what is yet to come shapes the last ones"
    figures = fed.end()
    force = fed.predicted("actuator_force")
    assert len(force) == 2000 and figures["samples"] == 2000
    np.testing.assert_allclose(force[: 2000 - fed.worker._lookahead], values[: 2000 - fed.worker._lookahead], atol=1e-6)
    assert np.max(np.abs(np.diff(values))) > 1.0, "one sample late would be seen"


def test_the_end_is_predicted_from_a_command_that_stands(tmp_path: Path) -> None:
    fed, values = Fed(tmp_path), wave(1000)
    fed.feed(values)
    fed.end()
    tail = fed.predicted("actuator_force")[-fed.worker._lookahead :]
    assert tail[-1] == pytest.approx(values[-1], abs=0.5)
    (tmp_path / "standing").mkdir()
    standing = Fed(tmp_path / "standing")
    standing.feed(np.concatenate([values, np.full(100, values[-1])]))
    standing.end()
    for channel in standing.worker._raw.names:
        assert np.array_equal(fed.predicted(channel), standing.predicted(channel)[:1000]), channel


@pytest.mark.parametrize(("begin", "anew"), [(0.0, 0), (2e3, 1)])
def test_a_command_that_begins_elsewhere_than_at_0_starts_it_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: float, anew: int
) -> None:
    """What was made ready before the bench began serves a command of 0 and no other, and the prediction has the same bits either way."""
    values = begin + np.concatenate([np.zeros(50), wave(950)])
    folders = tmp_path / "ready", tmp_path / "unready"
    for folder in folders:
        folder.mkdir()
    ready, unready = Fed(folders[0]), Fed(folders[1])
    unready.worker._ready = None
    starts = []
    start = ready.worker._stepper.start
    monkeypatch.setattr(ready.worker._stepper, "start", lambda samples: starts.append(samples) or start(samples))
    for fed in (ready, unready):
        fed.feed(values)
        fed.end()
    assert len(starts) == anew
    for channel in ready.worker._raw.names:
        assert np.array_equal(ready.predicted(channel), unready.predicted(channel)), channel


def test_as_measured_is_of_the_same_samples(tmp_path: Path) -> None:
    """Behind its filter: the lag of a sensor, which is no more than a few samples, and not one more."""
    fed, values = Fed(tmp_path), wave(2000)
    fed.feed(values)
    fed.end()
    raw, shown = fed.predicted("stroke"), fed.predicted("stroke", "predicted_as_measured")
    assert len(raw) == len(shown) == 2000
    expected = fed.worker._sensed.__class__(
        fed.worker._plan.experiment.mechanism, {c.name: c for c in fed.worker._plan.bench.channels}, RATE
    )
    ring = RingReader.open(fed._paths["predicted"], 1.0)
    whole = expected.apply(ring.read(2000)[1])
    ring.close()
    np.testing.assert_allclose(shown, whole[:, [name for name, _ in expected.channels].index("stroke")])


def test_what_the_model_meets_is_told_once_and_how_it_ended(tmp_path: Path) -> None:
    """It passes a pose again and again: the first time belongs in the record, and the last word."""
    fed, values = Fed(tmp_path), wave(1000)
    fed.feed(values[:300])
    fed.work()
    assert [told for told in fed.links.told if told[1] == "model"] == []
    for count in (1, 2, 3):
        fed.worker._stepper.remarks = (f"passed {count}",)  # type: ignore[misc]
        fed.feed(values[300 * count : 300 * (count + 1)])
        fed.work()
    fed.end()
    assert [told[2] for told in fed.links.told if told[1] == "model"] == ["passed 1", "passed 3"]


def test_one_that_is_overtaken_does_not_skip(tmp_path: Path) -> None:
    fed = Fed(tmp_path, capacity=500)
    fed.feed(wave(400))
    fed.work()
    for _ in range(4):
        fed.feed(wave(400))
    with pytest.raises(OverrunError, match=r"predictor: \d+ input samples overtaken at \d+; it cannot skip"):
        fed.work()
    fed.worker.close()


@pytest.mark.parametrize("why", ["alone", "abandoned"])
def test_who_waits_for_a_bench_waits_for_nobody_when_the_supervisor_is_gone_or_hangs(tmp_path: Path, why: str) -> None:
    setup = config.load(EXPERIMENT, ["mechanism.load_source=ideal"])
    links = Links()
    if why == "alone":
        links.alone.set()
    else:
        links.abandoned = True
    worker = create(Plan("0001", tmp_path, tmp_path, setup.experiment, setup.bench, "", ""), links)  # type: ignore[arg-type]
    with pytest.raises(StaleStream, match="the supervisor is gone before the bench made measured"):
        worker.setup()
    assert worker.close() == {}


@pytest.mark.parametrize(("pace", "late"), [("real", True), ("lockstep", False)])
def test_a_prediction_is_late_where_the_device_does_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pace: str, late: bool
) -> None:
    """By the clock on the wall, it took 3 s. In lockstep that is a figure, and ends nothing."""
    fed = Fed(tmp_path, f"bench.pace={pace}", "predictor.on_lag=stop")
    fed.feed(wave(100))
    moment = clock.now() + 3.0
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: moment)
        fed.work()
    assert [told[0] for told in fed.links.told if told[0] == "stop"] == ["stop"] * late
    assert any("late" in str(told) for told in fed.links.told) is late
    figures = fed.end()
    assert figures["lag_s"]["max"] > 2.0 and (figures["late_s"] > 0.0) is late


def test_the_lag_of_the_last_samples_begins_at_the_end_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those for which the interpolation wants samples beyond: the test ended 3 s later, by the clock on the wall, and they are counted."""
    fed = Fed(tmp_path, "bench.pace=real")
    fed.feed(wave(100))
    fed.work()
    moment = clock.now() + 3.0
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: moment)
        figures = fed.end()
    assert fed.predicted("transmitted_force").size == 100
    assert figures["lag_s"]["n"] == 100 and figures["lag_s"]["max"] < 2.0
