"""Motor rigs, and described linkages on loaders, on their virtual benches, from end to end: right models agree, wrong ones do not."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from bench_run import ROOT, assert_kept_pace, first_words, free_port, rig, virtual_bench

from model.mechanisms.mechanism import Mechanism
from rig.comparison import Settings, verdict
from rig.comparison.filtering import passable
from rig.config import load_experiment
from rig.recorder.reading import read_run
from rig.report.agreement import agreed
from rig.report.alternative import predicted_by
from rig.report.signals import signals
from rig.report.summary import RECORD, plan_of
from rig.virtual.bench_log import stood_still

EXACT, STAMPED = 5.0, 300.0  # ppm; eight seconds of stamps that a busy machine makes tell no more (docs/motors.md)
WRONG = 1000.0  # ppm
CODE_STEP = 20.0 / 65536  # V a sample: volts = -10 + (n mod 65536) * 20/65536
LAG = 0.5  # s; the median, on a machine that others use
SOON = ("trajectory.soft_start=1 s", "trajectory.soft_stop=1 s")


@dataclass(frozen=True)
class Case:
    """A short test on a rig, and what makes its model wrong."""

    short: tuple[str, ...]
    wrong: tuple[str, ...]
    axes: tuple[str, ...]
    """On serial lines."""


CASES = {
    "four_bar_rig": Case(("trajectory.cycles=4",), ("mechanism.clearance=0.5 mm",), ("crank",)),
    "slider_crank_rig": Case(("trajectory.cycles=150",), ("mechanism.clearance=0 mm", "mechanism.guide_clearance=0 mm"), ()),
    "slider_crank_rig_5000": Case(
        ("trajectory.cycles=100", "trajectory.soft_start=1 s", "trajectory.soft_stop=0.5 s"),
        ("mechanism.clearance=0.1 mm", "mechanism.guide_clearance=0.1 mm"),
        (),
    ),
    "slider_crank_described_rig": Case((), ("mechanism.clearance=0 mm",), ()),
    "linkage_described": Case(("trajectory.cycles=4",), ("mechanism.clearance=0.3 mm",), ()),
    "press": Case(("trajectory.cycles=4",), ("mechanism.clearance=0.6 mm",), ()),
    "six_bar_rig": Case(("trajectory.cycles=12",), ("mechanism.clearance=0.4 mm",), ()),
    "slider_bar_rig": Case(("trajectory.cycles=1", *SOON), ("mechanism.total_clearance=0.2 mm",), ("bar",)),
    "slider_crank_flexible_rig": Case(SOON, ("mechanism.clearance=0 mm", "mechanism.guide_clearance=0 mm"), ()),
    "slider_crank_flexible_described_rig": Case(("trajectory.cycles=8", *SOON), ("mechanism.clearance=0.1 mm",), ()),
    "parallel_3rrpar_flexible_rig": Case(("trajectory.cycles=3",), ("mechanism.clearance=0.05 mm",), ("axis1", "axis2", "axis3")),
    "parallel_3rrpar_measured_1": Case(("trajectory.cycles=3",), ("mechanism.clearance=0.375 mm",), ("axis1", "axis2", "axis3")),
    "parallel_3rrpar_measured_2": Case(("trajectory.cycles=3",), ("mechanism.clearance=0.2 mm",), ("axis1", "axis2", "axis3")),
    "parallel_3rrpar_rig": Case(("trajectory.cycles=3",), ("mechanism.clearance=0.05 mm",), ("axis1", "axis2", "axis3")),
}

SHORT = ("four_bar_rig", "six_bar_rig", "slider_bar_rig", "parallel_3rrpar_rig")
LONG = [name for name in CASES if name not in SHORT]
"""What others of the same kind show already is left to the long tests."""
WHOLE = ("four_bar_rig", "press", "parallel_3rrpar_rig")
"""Whose wrong models are run on a bench too: one shaft, a loader, three drives. The others' are predicted along the record alone."""


def each(later: Iterable[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long if name in later else ()) for name in CASES])


def run(name: str, out: Path, *overrides: str, more: tuple[str, ...] = ()) -> tuple[int, dict[str, Any]]:
    sets = [word for override in overrides for word in ("--set", override)]
    return rig("run", str(ROOT / f"configs/experiments/{name}.toml"), "--headless", "--out", str(out), *more, *sets, timeout=300.0)


def told(data: dict[str, Any]) -> str:
    return f"{data['outcome']}: {data.get('reason')} {data.get('error')} {data['verdict']}"


def check_record(data: dict[str, Any], case: Case, skew: float | None = EXACT) -> None:
    """Every sample is there, the lines' stream too, and the figures are what such a run has."""
    with h5py.File(data["files"]["record"]) as file:
        samples = {group: {len(values) for values in file[f"entry/{group}"].values()} for group in ("command", "measured", "predicted")}
        assert all(counts == {data["streams"]["measured"]["samples"]} for counts in samples.values()), samples
        code = np.round((file["entry/measured/sample_code"][...] + 10.0) / CODE_STEP).astype(np.int64)
        assert np.array_equal(code, np.arange(len(code)) % 65536)
        assert not any(np.isnan(values[...]).any() for values in file["entry/measured"].values())
        if case.axes:
            of = file["entry/axes/axis"][...]
            assert {*of} == {float(k) for k in range(len(case.axes))}
            assert min(np.sum(of == k) for k in range(len(case.axes))) > 100
    assert {data["streams"][name]["lost_samples"] for name in data["streams"]} == {0}
    assert data["streams"]["measured"]["samples"] == data["streams"]["predicted"]["samples"]
    assert data["ao"]["underflows"] == 0
    assert {*data["clocks"]} == {*case.axes}
    for name in case.axes:
        assert (data["clocks"][name]["following_error_rms"] or 0.0) < 0.02
        assert skew is None or abs(data["clocks"][name]["skew_ppm"] or 0.0) < skew
    lag = data["predictor"]["lag_s"]
    assert lag["n"] == data["streams"]["predicted"]["samples"] and 0.0 <= lag["median"] < LAG and lag["median"] <= lag["p99"] <= lag["max"]


def gauged(folder: Path) -> Path:
    """The bench of the driven slider with the gauge of docs/adding_an_instrument.md at its guide."""
    tables = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/adding_an_instrument.md").read_text(), re.DOTALL)
    file = folder / "gauged.toml"
    file.write_text("\n".join([(ROOT / "configs/benches/virtual_slider_bar.toml").read_text(), *tables]))
    return file


def check_gauge(data: dict[str, Any]) -> None:
    """It was read throughout, and the record has what the sensor at the same place shows."""
    told = data["instruments"]["gauge"]
    assert told["unit"] == "N" and told["failed"] == 0 and told["readings"] >= 0.9 * 20.0 * data["duration_s"]
    with h5py.File(data["files"]["record"]) as file:
        assert set(file["entry/instruments"]) == {"sample", "gauge"} and file["entry/instruments/gauge"].attrs["units"] == "N"
        sample, shown = file["entry/instruments/sample"][...], file["entry/instruments/gauge"][...]
        friction = file["entry/measured/friction"][...]
    assert len(sample) == told["readings"]
    assert np.corrcoef(friction[np.minimum(sample.astype(int), len(friction)) - 1], shown)[0, 1] > 0.9


def judged(folder: Path, mechanism: Mechanism) -> str:
    """Result of the run's own criteria with another mechanism predicted along what was recorded."""
    plan = plan_of(folder, ())
    found, comparison = signals(read_run(folder / RECORD), plan), plan.experiment.comparison
    settings = Settings(passable(comparison.lowpass, found.rate), comparison.discard_cycles, comparison.remove_delay, band=comparison.band)
    return verdict(agreed(found, predicted_by(mechanism, plan, found, folder), settings), comparison.criteria).result


def mechanism(name: str, overrides: tuple[str, ...]) -> Mechanism:
    return load_experiment(ROOT / f"configs/experiments/{name}.toml", overrides).experiment.mechanism


@each(later=LONG)
def test_a_rig_agrees_with_its_model(tmp_path: Path, name: str) -> None:
    """And with no wrong one: the same criteria tell them apart on the same record."""
    case = CASES[name]
    bench = ("--bench", str(gauged(tmp_path))) if name == "slider_bar_rig" else ()
    code, data = run(name, tmp_path / "out", "bench.pace=lockstep", *case.short, more=bench)
    assert (code, data["outcome"]) == (0, "done"), told(data)
    assert data["verdict"]["result"] in ("pass", "cannot_discriminate"), told(data)
    check_record(data, case)
    if bench:
        check_gauge(data)
    assert first_words(data)[-3:] == ["running", "stopping", "stopped"]
    if name in WHOLE:
        return
    folder = Path(data["files"]["record"]).parent
    assert judged(folder, mechanism(name, case.short)) == "pass", "a control"
    assert judged(folder, mechanism(name, (*case.short, *case.wrong))) == "fail"


@pytest.mark.long
def test_a_test_whose_prediction_stops_before_anything_is_judged_has_failed(tmp_path: Path) -> None:
    """The model's pin is so thin that the first load crushes it; the test itself goes on to its end, and is recorded."""
    thin = ("mechanism.joints.ram_pin.bearing_radius=0.31 mm", "comparison.budget.doubt=[]")  # no doubt with more clearance fits into it
    code, data = run("press", tmp_path, "bench.pace=lockstep", "trajectory.cycles=3", *thin)
    assert (code, data["outcome"], data["verdict"]["result"]) == (3, "failed", "none"), told(data)
    assert re.search(r"judged, as the prediction ended: .*stopped at 0\.\d+ s: .*joint ram_pin is crushed", data["error"]), data["error"]
    assert first_words(data)[-3:] == ["running", "stopping", "stopped"]
    assert data["streams"]["measured"]["lost_samples"] == 0 and data["duration_s"] > 2.0


def test_two_axes_on_one_drive_are_refused(tmp_path: Path) -> None:
    code, data = run("parallel_3rrpar_rig", tmp_path, "bench.axes.axis2.drive.port=virtual:board1")
    assert (code, data["outcome"]) == (2, "bad_input")
    assert "expected a drive of its own; axis1 has axis 0 on virtual:board1 already" in data["error"]


@pytest.mark.long
def test_a_shaft_that_turns_another_way_than_commanded_is_told(tmp_path: Path) -> None:
    """Its gear is entered a fifth too small, and the drive itself tells no position."""
    code, data = run("four_bar_rig", tmp_path, "bench.pace=lockstep", "bench.axes.crank.drive.gear=4", *CASES["four_bar_rig"].short)
    (doubt,) = [text for text in data["warnings"] if "than commanded" in text]
    assert code in (0, 1) and re.match(r"crank_angle: the shaft turned 20\.\d+ % less far than commanded; look at the drive's gear", doubt)


@each(later=CASES)
def test_a_wrong_model_fails(tmp_path: Path, name: str) -> None:
    """The linkage's, in `make test`: test_system_agreement.py."""
    case = CASES[name]
    code, data = run(name, tmp_path, "bench.pace=lockstep", *case.short, *case.wrong, more=("--no-picture",))
    assert (code, data["outcome"], data["verdict"]["result"]) == (1, "verdict_failed", "fail"), told(data)


DC = ("--bench", str(ROOT / "configs/benches/virtual_four_bar_dc.toml"))


@pytest.mark.parametrize(
    ("changed", "outcome", "result"),
    [
        (("trajectory.cycles=8",), "done", "pass"),  # by two turns the angle of its contact loss is known to 2 degrees, too little to tell
        pytest.param(CASES["four_bar_rig"].wrong, "verdict_failed", "fail", marks=pytest.mark.long),
        pytest.param(("limits.speed.maximum=25 rad/s",), "tripped", None, marks=pytest.mark.long),
    ],
)
def test_the_four_bar_on_its_direct_current_drive(tmp_path: Path, changed: tuple[str, ...], outcome: str, result: str | None) -> None:
    """The verdict is that of the Modbus drive's bench; however it ends, the drive's enable falls and the crank comes to rest."""
    short = ("bench.pace=lockstep", *CASES["four_bar_rig"].short)
    _, data = run("four_bar_rig", tmp_path, *short, *changed, more=DC)
    assert data["outcome"] == outcome, told(data)
    assert result is None or data["verdict"]["result"] in (result, "cannot_discriminate" if result == "pass" else result)
    log = [json.loads(line) for line in (Path(data["files"]["record"]).parent / "virtual_bench.log").read_text().splitlines()]
    told_by_drive = [line["text"] for line in log if line["source"] == "drive"]
    assert told_by_drive[:2] == ["enable high", "moving"] and told_by_drive[-2:] == ["enable low", "at rest"]


@pytest.mark.soak
@pytest.mark.real_pace
def test_ten_seconds_at_real_pace_on_a_bench_started_by_hand(tmp_path: Path) -> None:
    """Where nothing waits for the program, which knows no more of the bench than of a real one: nothing is lost, the output never runs
    dry, and a drive whose clock goes wrong is found out."""
    port, log, case = free_port(), tmp_path / "bench.log", CASES["slider_bar_rig"]
    hardware = (f"bench.serial.bar.port={port}", f"bench.serial.bar.skew_ppm={WRONG:g}")
    with virtual_bench(*hardware, experiment=ROOT / "configs/experiments/slider_bar_rig.toml", log=log) as address:
        begun = time.time()
        code, data = run("slider_bar_rig", tmp_path / "out", *case.short, *hardware, f"bench.address={address}", "comparison.criteria=[]")
    assert (code, data["outcome"]) == (0, "done"), told(data)
    skew = data["clocks"]["bar"].pop("skew_ppm")
    check_record(data, case, skew=None)
    assert abs(skew - WRONG) < STAMPED, data["clocks"]
    assert data["duration_s"] > 9.0 and data["stood_still_s"] is None, "the bench is none of this run's"
    assert_kept_pace(data, stood_still(log, begun))
