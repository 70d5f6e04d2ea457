"""`rig latency`: what is timed, and that nothing of a real bench is written."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rig import config
from rig.commands import main
from rig.commands.bench import latency
from rig.config.bench import Bench

ROOT = Path(__file__).parents[5]
VIRTUAL = ROOT / "configs/benches/virtual_loader.toml"


class Wired:
    """As much of a wiring as is asked for."""

    outputs = ("Dev1/ao0",)


class Timed:
    """A device whose read takes 0.2 ms and whose write takes 0.1 ms of a clock of its own; every tenth read takes 3 ms."""

    wiring = Wired()

    def __init__(self) -> None:
        self.time = 0.0
        self.reads = self.writes = 0
        self.taken: list[str] = []

    def now(self) -> float:
        return self.time

    def open(self, rate: float, block: int, ahead: int) -> float:
        return rate

    def hold_output(self, volts: NDArray[np.float64]) -> None:
        self.taken.append("hold")

    def release_output(self) -> None:
        self.taken.append("release")

    def start_inputs(self) -> None:
        self.taken.append("start")

    def stop_inputs(self) -> None:
        self.taken.append("stop")

    def samples_waiting(self) -> int:
        return 1

    def read(self, samples: int) -> NDArray[np.float64]:
        self.reads += 1
        self.time += 3e-3 if self.reads % 10 == 0 else 0.2e-3
        return np.zeros((samples, 1))

    def set_output(self, volts: NDArray[np.float64]) -> None:
        assert not np.any(volts)
        self.writes += 1
        self.time += 0.1e-3


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Timed:
    timed = Timed()
    monkeypatch.setattr("rig.commands.bench.latency.clock.now", timed.now)
    return timed


@pytest.fixture
def bench() -> Bench:
    return config.load_bench(VIRTUAL, [], None)[0]


def test_read_and_write_are_timed_apart(device: Timed, bench: Bench) -> None:
    found = latency.measured(device, bench, 1000.0, 200)  # type: ignore[arg-type]  # as much of a Daq as is used
    assert found.write is not None and len(found.read) == 200
    assert np.median(found.read) == pytest.approx(0.2e-3) and found.read.max() == pytest.approx(3e-3)
    assert found.whole.max() == pytest.approx(3.1e-3)
    assert device.taken == ["hold", "start", "stop", "release"]


def test_the_output_of_a_real_bench_is_left_alone(device: Timed, bench: Bench) -> None:
    found = latency.measured(device, replace(bench, plant=None), 1000.0, 200)  # type: ignore[arg-type]
    assert found.write is None and device.writes == 0
    assert device.taken == ["start", "stop"]
    assert found.whole == pytest.approx(found.read)


def test_a_bench_that_takes_too_long_is_left_before_its_turns_are_over(
    device: Timed, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "LONGEST", 0.01)
    assert latency.LEAST <= len(latency.measured(device, bench, 1000.0, 100_000).read) < 1000  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("flag", "said"), [("--rate=0", "1 to 1e6 Hz"), ("--turns=3", "100 to 200000"), ("--channel=force", "leave it out")]
)
def test_what_cannot_be_is_refused_in_words(flag: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["latency", str(VIRTUAL), flag]) == 2
    assert re.search(re.escape(said), capsys.readouterr().err)
