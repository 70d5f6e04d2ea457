"""How often a figure's interval holds the truth where the model follows an encoder with few lines: the same specimen in each test, with the
counts elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench_run import ROOT, rig
from campaign_results import Results

from rig.comparison import Settings
from rig.prediction.encoder_counts import Counts
from rig.prediction.stepper import counted
from rig.recorder.reading import read_run
from rig.report.agreement import agreed
from rig.report.alternative import predicted_by, recorded_input
from rig.report.encoder_counts import with_counts
from rig.report.signals import signals
from rig.report.summary import plan_of

pytestmark = pytest.mark.campaign

TESTS = 24
PLAIN = "1024 lines, 100 Hz"
CASES = {PLAIN: (1024, 100.0), "1000 lines, 400 Hz": (1000, 400.0)}
"""Lines and `predictor.measured_bandwidth`. 1000 lines at 300 r/min are one count a sample, and what is left of them changes slowly: a gain
is then held by 58 of 100, which the manual says; the level is what such counts are about."""
SMOOTH = 25.0
"""Hz: so far the shaft's motion is taken from a test; what is above it is the counts', as the shaft's load goes with its turn (5 Hz)."""
FIGURES = ("band_level", "fundamental", "max", "gain")
HELD, ALONE = 0.80, 0.35
"""Of the intervals of 90 %, at least; and at the most of those of which the counts are left out."""


@pytest.mark.parametrize("name", CASES)
def test_intervals_hold_wherever_the_counts_fall(results: Results, tmp_path: Path, name: str) -> None:
    found = results.once(f"counts/six_bar/{name}", lambda: _held(tmp_path, *CASES[name]))
    print(found)
    for figure in FIGURES if name == PLAIN else ("band_level",):
        alone, held = found[figure]
        assert held >= HELD and alone <= ALONE, figure


def _held(folder: Path, lines: int, bandwidth: float) -> dict[str, list[float]]:
    """Figure -> share of intervals that hold 0 (a gain: 1), with those of both channels: by cycles alone, and with the counts."""
    coarse = (
        f"bench.channels.crank_angle.counter.pulses={lines}",
        f"bench.plant.encoder.lines={lines}",
        f"predictor.measured_bandwidth={bandwidth:g} Hz",
    )
    changed = [word for one in ("bench.pace=lockstep", "trajectory.cycles=24", *coarse) for word in ("--set", one)]
    experiment = ROOT / "configs/experiments/six_bar_rig.toml"
    code, data = rig("run", str(experiment), "--headless", "--no-picture", "--out", str(folder / "runs"), *changed, timeout=600.0)
    assert (code, data["outcome"]) == (0, "done"), data
    run = Path(data["files"]["record"]).parent
    plan = plan_of(run, ())
    record, comparison, mechanism = read_run(run / "run.h5"), plan.experiment.comparison, plan.experiment.mechanism
    found, count = signals(record, plan), counted(plan.experiment, plan.bench)
    settings = Settings(comparison.lowpass, comparison.discard_cycles, comparison.remove_delay, band=comparison.band, delay=False)
    turned = Counts(recorded_input(plan, found), count, SMOOTH, found.rate).smooth
    true = predicted_by(mechanism, plan, found, folder, given=turned)
    followed = plan.bench.showing(plan.experiment.predictor.source)
    assert followed is not None
    told: dict[str, list[tuple[bool, bool]]] = {figure: [] for figure in FIGURES}
    for off in (np.arange(TESTS) + 0.5) / TESTS * count:
        shown = np.floor((turned + 0.5 * count + off) / count) * count - off
        one = replace(found, measured={**found.measured, **true, followed.name: shown})
        predicted = predicted_by(mechanism, plan, one, folder)
        alone = agreed(one, predicted, settings)
        sure = with_counts(alone, predicted, plan, one, mechanism, lambda p, samples, one=one: agreed(one, p, settings, samples))
        for figure in FIGURES:
            for name in sure:
                truth = float(figure == "gain")
                ends = [a[name].intervals[figure].bounds(0.05) for a in (alone, sure) if figure in a[name].intervals]
                if ends:
                    told[figure].append((ends[0][0] <= truth <= ends[0][1], ends[1][0] <= truth <= ends[1][1]))
    return {figure: [float(np.mean(of)) for of in zip(*pairs, strict=True)] for figure, pairs in told.items()}
