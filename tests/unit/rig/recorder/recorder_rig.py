"""What the recorder tests share: a small bench, samples that tell their own number, a recorder process of its own."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Record
from rig.recorder.description import Description, StreamShape, sensor_tables
from rig.streaming import streams
from rig.streaming.ring import RingWriter

RATE = 10_000.0
BLOCK = 100  # samples, 10 ms

NAMES: dict[str, tuple[str, ...]] = {
    "command": ("value", "phase", "cycle"),
    "measured": ("transmitted_force", "stroke", "acceleration_1"),
    "predicted": ("transmitted_force", "joint_a_force", "stroke"),
    "predicted_as_measured": ("transmitted_force", "stroke"),
}
UNITS = {"transmitted_force": "N", "joint_a_force": "N", "stroke": "m", "acceleration_1": "m/s^2"}
EXPERIMENT_TEXT = '# Prüfung\ntitle = "play of 0.4 mm ± 2 µm"\n'
BENCH_TEXT = 'title = "virtual"\n'

CHANNELS = (
    InputChannel("transmitted_force", "N", "Dev1/ai0", Sensor(5000.0, offset=12.5, expires="2001-01-01", serial="LC-7")),
    InputChannel("stroke", "m", "Dev1/ai1", Sensor(-0.01, expires="2999-01-01")),
    InputChannel("acceleration_1", "m/s^2", "Dev1/ai2", Sensor(98.1), kind="iepe"),
)


def shape(stream: str, first_sample: int = 0) -> StreamShape:
    """A stream as the recorder is told of it."""
    return StreamShape(stream, NAMES[stream], tuple(UNITS.get(name, "1") for name in NAMES[stream]), RATE, first_sample)


def samples(stream: str, first: int, count: int) -> np.ndarray:
    """Block (count, channels): sample n of channel c is n + c / 8 + 1000000 * (number of the stream)."""
    n = np.arange(first, first + count, dtype=float)[:, None]
    return n + np.arange(len(NAMES[stream])) / 8.0 + 1e6 * list(NAMES).index(stream)


def description(**changes: Any) -> Description:
    """A description whose writer is no process that runs."""
    import datetime

    tables = sensor_tables(CHANNELS, datetime.date(2026, 1, 1))
    values = {"run": "0001-linkage", "title": "Linkage", "started": "2026-01-01T00:00:00+00:00", "sensors": tables}
    return Description(**{**values, "experiment_text": EXPERIMENT_TEXT, "bench_text": BENCH_TEXT, **changes})


def plan(run_dir: Path, rings: Path, compression: str = "none") -> Any:
    """What the worker reads of a plan."""
    bench = Bench("virtual", daq=None, loader=None, channels=CHANNELS)
    experiment = SimpleNamespace(title="Linkage", record=Record(compression=compression), acquisition=SimpleNamespace(ring=10.0))
    return SimpleNamespace(
        run=run_dir.name, run_dir=run_dir, streams=streams.paths(rings), bench=bench, experiment=experiment,
        experiment_text=EXPERIMENT_TEXT, bench_text=BENCH_TEXT, resumption=None, first_sample=0,
    )  # fmt: skip


def make_rings(rings: Path, names: tuple[str, ...] = tuple(NAMES), capacity: int = 20_000) -> dict[str, RingWriter]:
    """Writers of the named streams."""
    paths = streams.paths(rings)
    return {name: RingWriter.create(paths[name], shape(name).channels, shape(name).units, capacity, RATE) for name in names}


def publish(writers: dict[str, RingWriter], count: int = BLOCK) -> None:
    """Append the next `count` samples to every ring."""
    for name, writer in writers.items():
        writer.append(samples(name, writer.head, count))


class Links:
    """The worker's links, kept in memory; progress also goes to a file that another process can read."""

    def __init__(self, progress_file: Path | None = None) -> None:
        self.events: list[tuple[int | None, str, str]] = []
        self.sample = self.beats = 0
        self._file = progress_file.open("r+b", buffering=0) if progress_file else None

    def event(self, sample: int | None, kind: str, text: str) -> None:
        self.events.append((sample, kind, text))

    def beat(self) -> None:
        self.beats += 1

    def progress(self, sample: int) -> None:
        self.sample = sample
        if self._file is not None:
            self._file.seek(0)
            self._file.write(sample.to_bytes(8, "little"))


def main(run_dir: Path, rings: Path) -> None:
    """Record until killed or until a file `finish` appears among the rings."""
    from rig.workers.recorder import create

    worker = create(plan(run_dir, rings), Links(rings / "progress"))
    worker.setup()
    (rings / "ready").touch()
    while not worker.done:
        if (rings / "finish").exists():
            worker.command("finish", {})
        time.sleep(worker.step())
    worker.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
