"""Records and journals, changed: read in a process that may come to grief, as `rig compare`, `view` and `recover` do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from changed_files import Kind
from random_changes import of_bytes

from rig.config import load
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.files.confined_reading import ReadingProcess
from rig.recorder.description import StreamShape, describe
from rig.recorder.examination import examine, longest
from rig.recorder.journal import JournalWriter
from rig.recorder.reading import read_run
from rig.recorder.record import Record

ROOT = Path(__file__).resolve().parents[2]
SHORT = ('trajectory.frequency="30 Hz"', "trajectory.cycles=3", 'trajectory.soft_start="50 ms"', 'trajectory.soft_stop="50 ms"')
HEAD = 2**16
"""Bytes in which most of what is not samples stands."""
LONGEST, MEGABYTES = 10.0, 500


def made(folder: Path) -> Plan:
    """A run of 0.2 s in `folder`, as a test leaves it: plan, record and journal."""
    setup = load(ROOT / "configs" / "experiments" / "linkage_no_clearance.toml", (*SHORT, "comparison.discard_cycles=0"))
    run = Plan("0001-short", folder, folder, setup.experiment, setup.bench, setup.experiment_text, setup.bench_text)
    run.write()
    rate = setup.experiment.acquisition.rate
    t = np.arange(round(0.2 * rate)) / rate
    phase = 60.0 * np.pi * (t - 0.05)
    cycle = np.where((t >= 0.05) & (t < 0.15), np.floor(30.0 * (t - 0.05) + 1e-9), -1.0)
    channels = {"transmitted_force": "N", "stroke": "m"}
    noise = np.random.default_rng(1).standard_normal((len(t), len(channels)))
    scale = np.array([1e4 if unit == "N" else 1e-4 if unit == "m" else 1.0 for unit in channels.values()])
    wave = np.sin(phase)[:, None] * scale
    streams = {
        "command": (("value", "phase", "cycle"), ("N", "rad", "1"), np.column_stack([1e4 * np.sin(phase), phase, cycle])),
        "measured": (tuple(channels), tuple(channels.values()), wave + 1e-3 * scale * noise),
        "predicted": (tuple(channels), tuple(channels.values()), wave),
        "predicted_as_measured": (tuple(channels), tuple(channels.values()), wave),
    }
    told = describe(run)
    sensors = {name: told.sensors[name] for name in channels}
    description = replace(told, sensors=sensors, writer=0, writer_started=0.0)  # no process that runs
    record = Record(folder / "run.h5", description)
    journal = JournalWriter(folder / "journal.bin", description)
    for name, (names, units, block) in streams.items():
        shape = StreamShape(name, names, units, rate)
        journal.stream(shape)
        record.stream(shape)
        record.append(name, 0, block)
    for first in range(0, len(t), 512):
        for name, (_, _, block) in streams.items():
            journal.samples(name, first, block[first : first + 512])
    record.close()
    journal.complete()
    journal.close()
    return run


class Reader:
    """A process that reads one file after the other, and another one when that came to grief; `megabytes`: of address space."""

    def __init__(self, read: Callable[[str], tuple[object, str]] | None = None, megabytes: int = MEGABYTES) -> None:
        self._process: ReadingProcess | None = None
        self._read, self._megabytes = read or read_whole, megabytes

    def __call__(self, path: Path) -> object:
        if self._process is None or not self._process.alive:
            self._process = ReadingProcess(megabytes=self._megabytes)
        self._process.seconds = longest(path)  # as `rig` itself does
        try:
            self._process.call(examine, str(path))
        except (ValueError, OSError) as error:
            raise ConfigError(f"{path}: {error}") from error
        self._process.seconds = LONGEST
        made, why = self._process.call(self._read, str(path))
        if why:
            raise ConfigError(why)
        return made

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.__exit__()


def read_whole(path: str) -> tuple[int, str]:
    """(samples, why they cannot be read), of a record that was looked through. Whatever is raised is a fault."""
    try:
        run = read_run(Path(path))
        return sum(len(run.column(stream, name)[: run.samples]) for stream in run.streams for name in run.streams[stream]), ""
    except ConfigError as error:
        return 0, str(error)


def _changed(rng: random.Random, path: Path) -> bytes:
    data = path.read_bytes()
    return of_bytes(rng, data) if rng.random() < 0.3 else of_bytes(rng, data[:HEAD]) + data[HEAD:]


def record(reader: Reader) -> Kind:
    """Read through by `reader`, which the caller closes."""
    return Kind(lambda folder: made(folder).run_dir / "run.h5", reader, _changed)


def journal() -> Kind:
    """Recovered from, and the record that comes of it is read."""
    from rig.recorder.recovery import recover

    def use(path: Path) -> object:
        for left in path.parent.glob("run*.h5"):
            left.unlink()
        return read_run(recover(path.parent).path).samples

    return Kind(lambda folder: made(folder).run_dir / "journal.bin", use, _changed)
