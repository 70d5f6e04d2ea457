"""Limits on what is calculated and predicted, in whole tests; faults that come in mid-test, a few of the campaign's."""

from __future__ import annotations

import json
import time
from pathlib import Path

import h5py
import numpy as np
import psutil
import pytest
from bench_run import HEADLESS, LINKAGE, ROOT, UNPREPARED, Running, rig
from growing_play import cycled as cycled_while_play_grows
from mid_run_faults import FAULTS, assert_found_within_bound, cycled, moment

from rig.calculated.evaluation import recomputed
from rig.calculated.expression import parse
from rig.calculated.rows import Rows
from tests.tiers import quick

CALCULATED = """
[[calculated]]
name = "extension"
expression = "(stroke - 0.2 mm) / 100 mm"
unit = "1"

[[calculated]]
name = "play"
expression = "peak(stroke) - valley(stroke)"
unit = "m"

[[calculated]]
name = "surprise"
expression = "transmitted_force - predicted.transmitted_force"
unit = "N"

[[limits]]
channel = "play"
maximum = "2 mm"
action = "interlock"

[[limits]]
channel = "surprise"
margin = 3.0
learn = 1
settle = 0
rms = "2 kN"
window = "0.1 s"
action = "stop"
"""
SHORT = ("bench.pace=lockstep", UNPREPARED, "trajectory.cycles=4", "trajectory.frequency=5 Hz")


def experiment(folder: Path) -> Path:
    """The linkage with calculated channels."""
    text = LINKAGE.read_text(encoding="utf-8").replace("../benches", (ROOT / "configs/benches").as_posix())
    path = folder / "calculated.toml"
    path.write_text(text.replace("[simulate]", f"{CALCULATED}\n[simulate]", 1), encoding="utf-8")
    return path


def sets(*more: str) -> list[str]:
    return [word for text in (*SHORT, *more) for word in ("--set", text)]


def test_what_is_recorded_is_what_is_computed_from_the_record(tmp_path: Path) -> None:
    code, data = rig("run", str(experiment(tmp_path)), "--headless", "--out", str(tmp_path / "runs"), *sets())
    assert (code, data["outcome"]) == (0, "done"), data
    with h5py.File(data["files"]["record"]) as file:
        entry = file["entry"]
        command = {name: entry["command"][name][...] for name in ("value", "phase", "cycle")}
        measured = {name: values[...] for name, values in entry["measured"].items()}
        predicted = {f"predicted.{name}": values[...] for name, values in entry["predicted_as_measured"].items()}
        calculated = {name: entry["calculated"][name][...] for name in ("extension", "play")}
        surprise = entry["calculated_predicted"]["surprise"][...]
        assert entry["calculated"]["play"].attrs["units"] == "m"
    samples, late = (data["streams"][name]["samples"] for name in ("calculated", "calculated_predicted"))
    assert len(calculated["play"]) == samples and 0 < samples - late <= 2 * 512, "two blocks are not checked any more at the end"
    assert np.isnan(surprise[late:]).all()
    definitions = [
        ("extension", parse("(stroke - 0.0002) / 0.1")), ("play", parse("peak(stroke) - valley(stroke)")),
        ("surprise", parse("transmitted_force - predicted.transmitted_force")),
    ]  # fmt: skip
    again = recomputed(definitions, data["rate_hz"], Rows(measured | predicted, command["phase"], command["cycle"]))
    for column, (name, values) in enumerate((*calculated.items(), ("surprise", surprise[:late]))):
        assert np.array_equal(again[: len(values), column].view(np.int64), values.view(np.int64)), name
    assert 0.5e-3 < calculated["play"][-1] < 1.5e-3


def test_a_limit_on_a_calculated_channel_trips_at_its_sample(tmp_path: Path) -> None:
    run = ["run", str(experiment(tmp_path)), *HEADLESS, "--out", str(tmp_path / "runs")]
    code, data = rig(*run, *sets('limits.play.maximum="0.5 mm"'))
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert data["reason"].startswith("play ") and "exceeds maximum 0.5 mm at sample" in data["reason"]


@pytest.mark.long
def test_a_limit_on_what_the_model_does_not_explain_trips(tmp_path: Path) -> None:
    run = ["run", str(experiment(tmp_path)), *HEADLESS, "--out", str(tmp_path / "runs")]
    code, data = rig(*run, *sets('limits.surprise.rms="1 N"', 'limits.surprise.window="0.02 s"'))
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert data["reason"].startswith("RMS of surprise ")


@pytest.mark.parametrize("name", quick(["stroke frozen", "valve stuck", "load cell dead"], ["load cell dead"]))
def test_a_fault_in_mid_test_is_found_within_its_bound(tmp_path: Path, name: str) -> None:
    assert_found_within_bound(cycled(tmp_path, FAULTS[name], 3, moment(3)), FAULTS[name], moment(3))


@pytest.mark.long
def test_the_same_without_a_fault_is_not(tmp_path: Path) -> None:
    data = cycled(tmp_path, None, 3)
    assert data["outcome"] == "done" and not [event for event in data["events"] if event["kind"] in ("implausible", "limit")], data


@pytest.mark.long
def test_play_that_grows_is_found_by_the_drift_of_the_stroke(tmp_path: Path) -> None:
    """A tenth of the way and 10 times as fast; the thousand cycles: tests/campaign/test_campaign_growing_play.py."""
    data, cycle = cycled_while_play_grows(tmp_path, cycles=100, learn=20)
    assert data["outcome"] == "tripped" and "drift of amplitude from" in data["reason"] and "of stroke" in data["reason"], data
    assert 20 < cycle < 100


@pytest.mark.long
def test_the_same_test_without_growth_goes_to_its_end(tmp_path: Path) -> None:
    data, _ = cycled_while_play_grows(tmp_path, cycles=50, learn=20, growth=0.0)
    assert data["outcome"] in ("done", "verdict_failed") and not [event for event in data["events"] if event["kind"] == "limit"], data


@pytest.mark.long
def test_a_stop_that_a_stuck_valve_does_not_follow_is_an_interlock(tmp_path: Path) -> None:
    """Found by its answer, it is to be stopped by a ramp, which nothing follows."""
    data = cycled(tmp_path, FAULTS["valve stuck"], 1, 2.55)
    assert data["outcome"] == "tripped" and "then the stop is not followed: " in data["reason"], data
    states = {event["text"].split(":")[0]: event["time_s"] for event in data["events"] if event["kind"] == "state"}
    assert 0.0 <= states["tripped"] - states["stopping"] <= 0.2 + 0.5 + 0.15 + 0.01


def test_a_sensor_that_is_dead_before_the_test_begins_moves_nothing(tmp_path: Path) -> None:
    """`rig check` warns of it; the preparation ends before it has moved the loader."""
    frozen = ("--set", 'bench.disturbances=[{signal="accelerometer_1", fault="frozen"}]')
    code, data = rig("check", str(LINKAGE), *frozen)
    (warning,) = [text for text in data["warnings"] if "is dead" in text]
    assert code == 0 and warning.startswith("DAQ: channel acceleration_1 on Dev1/ai3 is dead: its noise is ")
    assert not [text for text in rig("check", str(LINKAGE))[1]["warnings"] if "is dead" in text]
    code, data = rig("run", str(LINKAGE), *HEADLESS, "--out", str(tmp_path), "--set", "bench.pace=lockstep", *frozen)
    assert (code, data["outcome"]) == (1, "tripped") and "acceleration_1 on Dev1/ai3 is dead" in data["reason"], data
    assert data["preparation"]["duration_s"] < 0.2 and data["preparation"]["largest_force"] < 500.0


FORESEEN = """
[[calculated]]
name = "foreseen"
expression = "predicted.transmitted_force * 1.0"
unit = "N"

[[limits]]
channel = "foreseen"
maximum = "10.2 kN"
action = "stop"
"""


@pytest.mark.long
def test_in_lockstep_a_slow_predictor_changes_nothing(tmp_path: Path) -> None:
    """Stopped for longer than `max_lag` before its limit is passed: the test ends at the sample where it ends without that."""
    text = experiment(tmp_path).read_text(encoding="utf-8")
    path = tmp_path / "foreseen.toml"
    path.write_text(text.replace(CALCULATED, FORESEEN), encoding="utf-8")
    slow = ("bench.pace=lockstep", UNPREPARED, "trajectory.soft_start=4 s", "predictor.max_lag=10 ms", "predictor.on_lag=stop")
    ends = []
    for halted in (0.0, 0.5):
        running = Running(tmp_path / str(halted), *slow, experiment=path)
        running.wait_for_samples()
        predictor = psutil.Process(json.loads((running.folder / "processes.json").read_text())["predictor"])
        if halted:
            predictor.suspend()
            time.sleep(halted)
            predictor.resume()
        code, data, _ = running.end()
        assert (code, data["outcome"]) == (1, "tripped") and "foreseen" in data["reason"], data["reason"]
        ends.append([(one["sample"], one["text"]) for one in data["events"] if one["kind"] in ("limit", "state", "lag") and one["sample"]])
        waited = data["predictor"]["lag_s"]["max"]
        assert (waited > 0.4) >= bool(halted), waited
    assert ends[0] == ends[1]
