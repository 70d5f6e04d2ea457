"""Bad input: one clear message each, nothing left running, no output left on."""

import json
import re
import socket
import subprocess
from pathlib import Path

import psutil
import pytest
from bench_run import LINKAGE, RIG, ROOT, UNPREPARED, rig, virtual_bench

from tests.tiers import quick

CASES = {
    "unknown key": (("mechanism.clearence=0.4 mm",), 2, ("clearence", "clearance")),
    "wrong dimension": (("mechanism.clearance=0.4 s",), 2, ("mechanism.clearance", "0.4 s", "m")),
    "amplitude over the load cell": (
        ("trajectory.amplitude=300 kN", "command.value_limit=400 kN", "command.rate_limit=10 MN/s"),
        2,
        ("transmitted_force", "250"),
    ),
    "unknown law": (("mechanism.contact.law=hookes",), 2, ("hookes", "hu_guo", "exact")),
    "restitution of 0": (("mechanism.contact.restitution=0",), 2, ("restitution", "0")),
    "restitution above 1": (("mechanism.contact.restitution=1.2",), 2, ("restitution", "1.2")),
    "clearance that swallows the pin": (("mechanism.clearance=40 mm",), 2, ("clearance", "pin")),
    "predicted channel as input": (
        ("predictor.source=stroke", "comparison.criteria.max.channel=stroke"),
        2,
        ("predictor.source", "stroke"),
    ),
    "rate beyond all devices": (("acquisition.rate=1e12 Hz",), 2, ("acquisition.rate", "at most 2e+07 Hz", "1e+12 Hz")),
    "rate beyond all memory": (("acquisition.rate=2e7 Hz", "acquisition.ring=600 s"), 2, ("acquisition.rate", "2e+07 Hz", "rings", "free")),
    "a test of ten years": (("trajectory.cycles=1000000000",), 2, ("trajectory", "3.333e+08 s", "three years")),
    "a test of two years": (("trajectory.cycles=200000000",), 2, ("2.113 years", "51200 Hz", "GB free", "--out")),
    "address that is none": (("bench.address=nonsense",), 2, ("bench.address", "HOST:PORT", "nonsense")),
    "seed beyond 64 bit": (("bench.seed=99999999999999999999999",), 2, ("bench.seed",)),
    "wrong terminal": (("bench.channels.transmitted_force.terminal=Dev1/ai99",), 3, ("Dev1", "ai99")),
    "no server": (("bench.address=127.0.0.1:9",), 3, ("127.0.0.1:9",)),
    "unknown device": (("bench.daq.device=Dev7",), 3, ("Dev7", "Dev1")),
}


def children() -> dict[int, str]:
    """Processes of the tests' own, with their command lines."""
    return {p.pid: " ".join(p.cmdline()) for p in psutil.Process().children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE}


@pytest.mark.parametrize("case", quick(CASES, CASES.keys() - {"unknown device"}))
def test_one_clear_message(tmp_path: Path, case: str) -> None:
    overrides, expected, words = CASES[case]
    sets = [word for override in overrides for word in ("--set", override)]
    before = children()
    code, data = rig("run", str(LINKAGE), "--headless", "--out", str(tmp_path / "runs"), *sets)
    assert (code, data["outcome"]) == (expected, "bad_input" if expected == 2 else "failed"), data
    for word in words:
        assert word in data["error"], data["error"]
    assert children().keys() <= before.keys(), f"left: {children()}"
    assert not [warning for warning in data["warnings"] if "died" in warning], "what the rig ended itself is no news"
    if expected == 2:
        assert not (tmp_path / "runs").exists(), "nothing was to be begun"


@pytest.mark.long
def test_how_long_it_will_be_and_what_it_takes_is_said_before_and_holds(tmp_path: Path) -> None:
    sets = ["--set", "bench.pace=lockstep", "--set", "trajectory.cycles=3", "--set", UNPREPARED]
    done = subprocess.run(
        [*RIG, "run", str(LINKAGE), "--headless", "--out", str(tmp_path), *sets], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    found = re.match(r"linkage: ([\d.]+) s of test; record and journal at most ([\d.]+) MB, [\d.]+ [GM]B free in ", done.stderr)
    assert found, done.stderr
    folder = tmp_path / "0001-linkage"
    summary = json.loads((folder / "summary.json").read_text())
    assert abs(float(found[1]) - summary["duration_s"]) < 0.05
    size = sum((folder / name).stat().st_size for name in ("run.h5", "journal.bin"))
    assert 0.7 * 1e6 * float(found[2]) < size <= 1e6 * float(found[2])


def test_missing_file(tmp_path: Path) -> None:
    code, data = rig("run", str(tmp_path / "none.toml"), "--out", str(tmp_path))
    assert (code, data["outcome"]) == (2, "bad_input")
    assert "none.toml" in data["error"]


def test_all_problems_in_one_message(tmp_path: Path) -> None:
    wrong = ("mechanism.contact.restitution=1.2", "bench.pace=fast", "trajectory.cycle=3")
    code, data = rig("run", str(LINKAGE), *[word for override in wrong for word in ("--set", override)])
    assert code == 2
    assert len(data["problems"]) >= 3
    for word in ("restitution", "pace", "cycle"):
        assert word in data["error"]


def test_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, data = rig("virtual-bench", str(LINKAGE), "--port", str(port))
    assert code == 2
    assert str(port) in data["error"]


def test_check_tells_every_channel_and_moves_nothing(tmp_path: Path) -> None:
    with virtual_bench() as address:
        code, data = rig("check", str(LINKAGE), "--set", f"bench.address={address}")
    assert (code, data["outcome"]) == (0, "done")
    assert [row["channel"] for row in data["channels"]][:3] == ["transmitted_force", "actuator_force", "stroke"]
    assert abs(data["channels"][0]["value"]) < 500.0
    assert data["channels"][0]["calibrated"]


def test_compare_of_a_run_that_never_began(tmp_path: Path) -> None:
    rig("run", str(LINKAGE), "--headless", "--out", str(tmp_path), "--set", "bench.address=127.0.0.1:9")
    code, data = rig("compare", str(tmp_path / "0001-linkage"))
    assert (code, data["outcome"]) == (2, "bad_input")
    assert "nothing was measured" in data["error"]
    (tmp_path / "0001-linkage/plan.json").write_text("{")
    code, data = rig("compare", str(tmp_path / "0001-linkage"))
    assert code == 2
    assert "plan.json" in data["error"]


def test_a_table_that_no_memory_holds_is_refused(tmp_path: Path) -> None:
    sets = ["--set", "simulate.duration=100 s", "--set", "simulate.output_rate=1 MHz"]
    code, data = rig("simulate", str(LINKAGE), "--out", str(tmp_path / "table.csv"), *sets)
    assert (code, data["outcome"]) == (2, "bad_input")
    assert "output_rate" in data["error"]
