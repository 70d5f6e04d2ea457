"""The linkage experiment from end to end on the virtual bench."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import silx.io.nxdata
from bench_run import HEADLESS, LINKAGE, UNPREPARED, Running, assert_kept_pace, rig, virtual_bench

from tests.tiers import quick

SHORT = ("trajectory.cycles=5",)
LOCKSTEP = ("--set", "bench.pace=lockstep", "--set", "trajectory.cycles=3", "--set", UNPREPARED)
IN_ONE_GO = pytest.mark.xdist_group("linkage by itself")  # one run serves them


def decoded(record: Path) -> np.ndarray:
    """Sample indices from the index code, unwrapped: -10 V + (n mod 65536) 20 V / 65536."""
    with h5py.File(record) as file:
        volts = file["entry/measured/sample_code"][...]
    code = np.round((volts + 10.0) * 65536 / 20.0).astype(np.int64)
    return np.cumsum(np.concatenate([code[:1], np.diff(code) % 65536]))


@pytest.mark.parametrize("pace", quick(["real", "lockstep"], ["real"]))
def test_every_sample_once_and_in_order(tmp_path: Path, pace: str) -> None:
    code, data = rig("run", str(LINKAGE), "--headless", "--out", str(tmp_path), "--set", f"bench.pace={pace}", "--set", SHORT[0])
    assert (code, data["outcome"]) == (0, "done"), data
    record = Path(data["files"]["record"])
    index = decoded(record)
    assert np.array_equal(index, np.arange(len(index)))
    assert len(index) == data["streams"]["measured"]["samples"]
    for stream in data["streams"].values():
        assert stream["lost_samples"] == 0
        assert stream["samples"] == len(index)
    assert data["ao"]["underflows"] == 0
    assert data["verdict"]["result"] == "pass", data["verdict"]
    assert_kept_pace(data)
    for name in ("run.h5", "summary.json", "overlay.png"):
        assert (record.parent / name).stat().st_size > 0


@pytest.fixture(scope="module")
def by_itself(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A short run that starts its own bench."""
    return rig("run", str(LINKAGE), "--headless", "--out", str(tmp_path_factory.mktemp("runs")), *LOCKSTEP)[1]


@IN_ONE_GO
@pytest.mark.long
def test_default_plot_of_the_record_is_measured_and_predicted_force(by_itself: dict[str, Any]) -> None:
    with h5py.File(by_itself["files"]["record"]) as file:
        plot = silx.io.nxdata.get_default(file)
        assert plot.signal.name == "/entry/overlay/measured"
        assert [signal.name for signal in plot.auxiliary_signals] == ["/entry/overlay/predicted"]
        assert np.array_equal(plot.signal[...], file["entry/measured/transmitted_force"][...])


@IN_ONE_GO
@pytest.mark.long
def test_the_same_run_against_a_bench_started_by_hand(tmp_path: Path, by_itself: dict[str, Any]) -> None:
    with virtual_bench("bench.pace=lockstep") as address:
        code, by_hand = rig("run", str(LINKAGE), *HEADLESS, "--out", str(tmp_path), "--set", f"bench.address={address}", *LOCKSTEP)
        assert (code, by_hand["outcome"]) == (0, "done"), by_hand
    assert by_hand["agreement"]["transmitted_force"] == by_itself["agreement"]["transmitted_force"]
    assert "virtual_bench" not in by_hand["processes"]


def test_ctrl_c_is_a_ramped_stop_with_a_complete_record(tmp_path: Path) -> None:
    running = Running(tmp_path, "bench.pace=lockstep", "trajectory.cycles=400", UNPREPARED, picture=True)
    running.wait_for_samples(60_000)
    running.interrupt()
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (0, "stopped")
    with h5py.File(data["files"]["record"]) as file:
        command, force = file["entry/command/value"][...], file["entry/measured/transmitted_force"][...]
        kinds = [row["kind"].decode() for row in file["entry/events"]]
    assert abs(command[-1]) < 1.0
    assert abs(force[-2000:].mean()) < 200.0
    assert np.max(np.abs(np.diff(command))) * data["rate_hz"] < 2 * np.pi * 3.0 * 10e3 * 1.5, "the stop must be a ramp"
    assert "state" in kinds
    index = decoded(Path(data["files"]["record"]))
    assert np.array_equal(index, np.arange(len(index)))


def test_a_limit_trips_the_test(tmp_path: Path) -> None:
    # Inside, the command of 10 kN is allowed; what the specimen makes of it is not.
    running = Running(
        tmp_path, "bench.pace=lockstep", "trajectory.cycles=50", UNPREPARED, "limits.transmitted_force.maximum=10.2 kN", picture=True
    )
    running.wait_for_samples()
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert "transmitted_force" in data["reason"]
    assert any(event["kind"] == "limit" for event in data["events"])
    assert any("interlock" in entry["text"] for entry in running.controller_log())


@pytest.mark.real_pace
@pytest.mark.soak
@pytest.mark.parametrize(("answer", "expected"), [("mark", (0, "done")), ("stop", (1, "tripped"))])
def test_a_late_prediction_is_marked_or_stops_the_test(tmp_path: Path, answer: str, expected: tuple[int, str]) -> None:
    late = ("predictor.max_lag=10 us", f"predictor.on_lag={answer}", "trajectory.cycles=4")  # nobody is that quick
    code, data = rig("run", str(LINKAGE), "--headless", "--out", str(tmp_path), *[word for text in late for word in ("--set", text)])
    assert (code, data["outcome"]) == expected, data
    assert any(event["kind"] == "lag" for event in data["events"])
    if answer == "stop":
        assert "late" in data["reason"]
