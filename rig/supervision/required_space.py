"""What a test takes before it begins: time, room for its rings, room on the disk for record and journal."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from rig.config import Setup
from rig.config.checks.control import identification_noise
from rig.config.experiment import Snapshots
from rig.console.durations import duration
from rig.control.drive_file import Config as DriveFile
from rig.errors import ConfigError
from rig.recorder.cycles.layout import row_type
from rig.streaming import streams
from rig.trajectory import create
from rig.workers.bench.setpoints import setpoint
from rig.workers.bench.test_run import FADE, LEAD_IN_BLOCKS, SETTLE

COPIES = 2  # of every sample: run.h5 and journal.bin
BESIDE = 1.1  # with what the formats need themselves
MOVED = 40  # columns of the stream of places, at the most
EACH = 10e6  # bytes a run takes beside its samples: its preparation, configuration, picture


@dataclass(frozen=True)
class Need:
    """Of all runs of a test together: how long (s), bytes on the disk at the most, and bytes of the rings."""

    duration: float
    disk: float
    rings: int
    cycle_bytes: int = 0
    """Of the table of cycles, one cycle in record and journal; 0: there is no table."""
    cycles: int = 0
    chosen: bool = False
    """Not all samples are kept: what events will keep beside the cycles that are due, nobody knows."""
    left: bool = False
    """It is what is left of a test that was broken off."""

    def rest(self, share: float, cycles: int) -> Need:
        """Of the last part of it: a share of its time, so many cycles. Of snapshots more are due early, so it is no less than needed."""
        samples = (self.disk - self.cycle_bytes * self.cycles * BESIDE - EACH) * share
        return replace(
            self, duration=self.duration * share, disk=samples + self.cycle_bytes * cycles * BESIDE + EACH, cycles=cycles, left=True
        )

    def words(self, where: Path) -> str:
        """One line, with what is free in the folder `where`, or will be made in."""
        most = "about" if self.chosen else "at most"
        test, more = ("of test left", " more") if self.left else ("of test", "")
        table = f"; table of cycles {self.cycle_bytes} bytes a cycle, {_size(self.cycle_bytes * self.cycles)} for {self.cycles}"
        return (
            f"{duration(self.duration)} {test}; record and journal {most} {_size(self.disk)}{more}, {_size(_free(where))} free in {where}"
            f"{table if self.cycle_bytes else ''}"
        )


    def doubts(self, where: Path) -> list[str]:
        """What a run whose record is made in the folder `where` would be refused for."""
        if self.disk <= _free(where):
            return []
        text = f"{where} has {_size(_free(where))} free, and a test may take {_size(self.disk)}"
        return [f"{text}: `rig run` is refused there; give it --out in a folder with room, or make the test shorter"]


def needed(setup: Setup) -> Need:
    """What the trajectory with its lead-in asks for, at the rate that is asked for; a preparation takes some seconds more."""
    experiment = setup.experiment
    lengths = [create(experiment.trajectory).duration]
    if isinstance(experiment.control, DriveFile):
        lengths = [create(identification_noise(experiment)).duration, *lengths * (experiment.control.iterations + 1)]
    lead_in = experiment.command.ahead + LEAD_IN_BLOCKS * experiment.acquisition.block + FADE
    duration = sum(lengths) + len(lengths) * (lead_in + SETTLE)
    cycles = create(experiment.trajectory).cycles
    chosen, table = experiment.record.samples != "all", cycle_bytes(setup) if experiment.record.with_cycles else 0
    kept = kept_seconds(experiment.record.snapshots, cycles, duration) if chosen else duration
    samples = 8.0 * COPIES * _columns(setup) * kept * experiment.acquisition.rate
    samples += 0.0 if chosen else 8.0 * COPIES * MOVED * duration * experiment.predictor.motion_rate
    return Need(duration, BESIDE * (samples + table * cycles) + EACH * len(lengths), ring_bytes(setup), table, cycles, chosen)


def kept_seconds(snapshots: Snapshots, cycles: int, duration: float) -> float:
    """s of a test of so many cycles that are kept, but for what events and changes will add."""
    due = [number for power in range(len(str(cycles)) + 1) for number in (10**power, 2 * 10**power, 5 * 10**power) if number <= cycles]
    every = [] if snapshots.every == 0 else [number for number in due if number % snapshots.every == 0]
    count = len(due) - len(every) + (cycles // snapshots.every if snapshots.every else 0)
    begin_and_end = 2.0 * (snapshots.before + snapshots.after)
    return min(duration, count * duration / max(1, cycles) + begin_and_end)


def cycle_bytes(setup: Setup) -> int:
    """Of one cycle in the tables of all streams, record and journal together."""
    experiment = setup.experiment
    names, predicted = setpoint.columns(experiment, "")[0], len(experiment.mechanism.channels)
    streams_of = [len(names), len(setup.bench.channels), predicted, predicted]
    streams_of += [_band(setup)] if experiment.predictor.ensemble else []
    return COPIES * sum(row_type([str(number) for number in range(count)]).itemsize for count in streams_of)


def ring_bytes(setup: Setup) -> int:
    """Room for all rings: what is recorded, a publication time a sample; the preparation before."""
    acquisition = setup.experiment.acquisition
    columns = _columns(setup) + len(streams.STREAMS)
    moved = (MOVED + 1) * streams.capacity(setup.experiment.predictor.motion_rate, acquisition.ring)
    return 8 * (columns * streams.capacity(acquisition.rate, acquisition.ring) + 6 * streams.capacity(acquisition.rate) + moved)


def checked(setup: Setup, out: Path, left: tuple[float, int] | None = None, before: int = 0) -> Need:
    """`needed`, when there is room for it; left: of a test that goes on, see `Need.rest`. before: bytes that its record takes before, as it
    is put together.

    Raises ConfigError naming what is asked for and what is free.
    """
    need, rate = needed(setup), setup.experiment.acquisition.rate
    need = need if left is None else need.rest(*left)
    need = replace(need, disk=need.disk + before)
    largest = max(streams.free().values())
    if need.rings * streams.MARGIN > largest:
        text = f"{_size(need.rings * streams.MARGIN)} of memory for the rings, {_size(largest)} free"
        raise ConfigError(f"acquisition.rate = {rate:g} Hz: rings of {setup.experiment.acquisition.ring:g} s need {text}")
    if need.disk > _free(out):
        text = f"{duration(need.duration)} at {rate:g} Hz with {_columns(setup)} columns take up to {_size(need.disk)}"
        how = "make the test shorter, choose another folder with --out, or free some room. Nothing was moved"
        raise ConfigError(f"the disk cannot hold this test: {text}, {out} has {_size(_free(out))} free; {how}")
    return need


def _columns(setup: Setup) -> int:
    """Recorded a sample: command, measured, calculated, predicted twice, its band."""
    experiment = setup.experiment
    predicted = len(experiment.mechanism.channels)
    band = _band(setup) if experiment.predictor.ensemble else 0
    own = len(setpoint.columns(experiment, "")[0]) + len(setup.bench.channels) + len(experiment.calculated)
    return own + 2 * predicted + band


def _band(setup: Setup) -> int:
    """Columns of the band of an ensemble: mean and both ends of what is predicted, and both ends of what the bench shows of it."""
    predicted = {name for name, _ in setup.experiment.mechanism.channels}
    return 3 * len(predicted) + 2 * sum(channel.quantity in predicted for channel in setup.bench.channels)


def _free(folder: Path) -> int:
    """Bytes free where a folder is, or will be made."""
    there = next(one for one in (folder, *folder.resolve().parents) if one.exists())
    return shutil.disk_usage(there).free


def _size(size: float) -> str:
    return f"{size / 1e9:.3g} GB" if size >= 1e9 else f"{size / 1e6:.3g} MB"
