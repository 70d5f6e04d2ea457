"""The predictor: sample n of what it publishes is the prediction for sample n of its input, from the first to the last."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rig import streams
from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Acquisition, Experiment, Predictor
from rig.plan import Plan
from rig.ring import RingReader, RingWriter
from rig.trajectory import sine
from rig.workers.predictor import create as predictor

RATE, N, BLOCK = 1000.0, 137, 10
CHANNELS = (("transmitted_force", "N"), ("inside", "N"))
AHEAD = {"none": 0, "two": 2, "five": 5}


@dataclass(frozen=True)
class Config:
    """A mechanism that gives what it is given, and its double; its stepper looks `ahead`."""

    ahead: str = "two"


class Stepper:
    def __init__(self, lookahead: int) -> None:
        self.lookahead, self.events = lookahead, list[Any]()
        self._past = np.empty(0)

    def start(self, inputs: NDArray[np.float64]) -> None:
        assert len(inputs) == self.lookahead
        self._past = inputs.copy()

    def advance(self, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        longer = np.concatenate((self._past, inputs))
        now, self._past = longer[: len(inputs)], longer[len(inputs) :]
        return np.column_stack((now, 2.0 * now))


def create(config: Config, integrator: Any, rate: float, source: str) -> Stepper:
    return Stepper(AHEAD[config.ahead])


class Links:
    """What it says to the others."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def progress(self, sample: int) -> None:
        self.done.append(sample)

    def event(self, *args: Any, **data: Any) -> None: ...

    def beat(self) -> None: ...


def _published(folder: Path, ahead: str, source: str, sensor: Sensor) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    channels = (InputChannel("transmitted_force", "N", "Dev1/ai0", sensor), InputChannel("stroke", "m", "Dev1/ai1", Sensor(1.0)))
    experiment = Experiment(
        title="",
        mechanism=Config(ahead),
        trajectory=sine.Config(amplitude=1.0, frequency=1.0),
        integrator=None,
        acquisition=Acquisition(rate=RATE, block=BLOCK / RATE),
        predictor=Predictor(source=source),
    )
    plan = Plan("0001-test", folder, folder, experiment, Bench(title="", daq=None, loader=None, channels=channels), "", "")
    paths = streams.paths(folder)
    command = RingWriter.create(paths["command"], ["value", "phase", "cycle"], ["N", "rad", "1"], 1000, RATE)
    measured = RingWriter.create(paths["measured"], ["transmitted_force", "stroke"], ["N", "m"], 1000, RATE)
    worker = predictor(plan, Links())  # type: ignore[arg-type]
    worker.setup()
    n = np.arange(N, dtype=float)
    for first in range(0, N, 23):
        part = n[first : first + 23]
        command.append(np.column_stack((1.0 + part, part, part)))
        measured.append(np.column_stack((-part, 1.0 + part)))
        while worker.step() == 0.0:
            pass
    worker.command("finish", {})
    while not worker.done:
        worker.step()
    found = []
    for stream in ("predicted", "predicted_as_measured"):
        reader = RingReader.open(paths[stream], 0.0)
        found.append(reader.read(1000)[1].copy())
        reader.close()
    assert worker.close()["samples"] == N
    command.close()
    measured.close()
    return found[0], found[1]


@pytest.mark.parametrize("ahead", AHEAD)
@pytest.mark.parametrize("source", ["command", "stroke"])
def test_every_sample_is_where_it_belongs(tmp_path: Path, ahead: str, source: str) -> None:
    """None is missing at the end either, where the input stands still."""
    raw, shown = _published(tmp_path, ahead, source, Sensor(sensitivity=1e3))
    expected = 1.0 + np.arange(N)
    np.testing.assert_array_equal(raw, np.column_stack((expected, 2.0 * expected)))
    np.testing.assert_array_equal(shown, expected[:, None])


def test_the_sensor_s_delay_is_its_own(tmp_path: Path) -> None:
    """What its sensor shows late by three samples is late by three samples; the prediction itself is not."""
    raw, shown = _published(tmp_path, "two", "command", Sensor(sensitivity=1e3, delay=3.0 / RATE))
    np.testing.assert_array_equal(raw[:, 0], 1.0 + np.arange(N))
    np.testing.assert_allclose(shown[3:, 0], 1.0 + np.arange(N - 3))
