"""Errors by cycle as a window has them while a test runs, beside those that its record has in the end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench_run import ROOT, Running

from rig.display.sources.live import LiveSource
from rig.display.sources.source import Trace
from rig.display.sources.tracking import CYCLE, CycleTracker
from rig.display.sources.view_model import PREDICTED
from rig.report.summary import plan_of
from rig.streaming import streams

RIGS: Mapping[str, tuple[str, ...]] = {
    "linkage": ("trajectory.cycles=12", "bench.loader.preparation.enabled=false"),
    "four_bar_rig": ("trajectory.cycles=6",),
    "slider_crank_rig": ("trajectory.cycles=15",),
    "slider_bar_rig": ("trajectory.cycles=2", "trajectory.soft_start=1 s", "trajectory.soft_stop=1 s"),
    "parallel_3rrpar_rig": ("trajectory.cycles=3",),
}
DISCARDED = "comparison.discard_cycles=0"
RING = "acquisition.ring=30 s"
"""Longer than any of these tests, each of which is shorter than what a window hands out sample by sample: however long a busy machine keeps
the window waiting, every sample is still there when it looks."""
Figures = dict[int, tuple[float, float]]
"""Cycle -> rms of the difference as a share of the measured peak, error of the peak."""


@dataclass(frozen=True)
class Both:
    """Of a channel."""

    live: Figures
    recorded: Figures
    clipped: bool = False
    """The comparison leaves out samples at which measured stands while predicted goes on, which nobody knows before the end."""

    @property
    def seen(self) -> list[int]:
        """Cycles of the record that the window has figures of."""
        return sorted(self.live.keys() & self.recorded.keys())

    @property
    def same(self) -> int:
        """How many of these have the same bits."""
        return sum(self.live[cycle] == self.recorded[cycle] for cycle in self.seen)


def live_and_recorded(name: str, out: Path, seed: int, *more: str) -> dict[str, Both]:
    """By channel that is judged, of a test in lockstep, of which the window has seen every sample."""
    overrides = ("bench.pace=lockstep", f"bench.seed={seed}", DISCARDED, RING, *RIGS[name], *more)
    running = Running(out, *overrides, experiment=ROOT / f"configs/experiments/{name}.toml")
    running.wait_for_samples(1)
    plan = plan_of(running.folder, ())
    experiment = plan.experiment
    channels = {criterion.channel for criterion in experiment.comparison.criteria}
    pairs = [Trace(stream, name) for name in channels for stream in ("measured", PREDICTED)]
    source = LiveSource(streams.paths(running.rings), [CYCLE, *pairs])
    source.poll()  # the rings know the rate that the device really has
    trackers = {name: CycleTracker(name, 0, source.rate, experiment.comparison.lowpass) for name in channels}
    while running.process.poll() is None:
        _advance(source, trackers)
        time.sleep(0.01)
    _advance(source, trackers)
    unseen = [trace for trace in (CYCLE, *pairs) if source.end(trace) is None]
    assert not unseen, f"no figure was taken: this process was kept waiting for the whole test, and saw nothing of {unseen}"
    assert not any(source.unbroken(trace) for trace in (CYCLE, *pairs)), "samples were missed: is the ring shorter than the test?"
    source.close()
    _, result, _ = running.end()
    of = {name: result["agreement"][name] for name in channels}
    return {name: Both(_live(trackers[name]), _recorded(found), bool(found["clipped"])) for name, found in of.items()}


def _advance(source: LiveSource, trackers: Mapping[str, CycleTracker]) -> None:
    source.poll()
    for tracker in trackers.values():
        while tracker.advance(source):
            pass


def _live(tracker: CycleTracker) -> Figures:
    return {int(cycle): (float(rms), float(error)) for cycle, rms, error, _ in tracker.errors.rows}


def _recorded(agreement: Mapping[str, Any]) -> Figures:
    return {one["cycle"]: (one["rms_difference"] / one["peak_measured"], one["error"]) for one in agreement["cycles"]}
