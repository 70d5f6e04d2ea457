"""`rig kinematics`: the table, the JSON object, the picture, and the exit codes of what cannot be followed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig.commands import main

EXPERIMENTS = Path(__file__).parents[5] / "configs" / "experiments"
EXPERIMENT = str(EXPERIMENTS / "parallel_3rrpar.toml")
CIRCLE = ["--set", "trajectory.path=circle", *(part for key, value in (("x", -0.2), ("y", 0.08), ("z", -0.54)) for part in
          ("--set", f"trajectory.centre.{key}={value}"))]  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main(["kinematics", EXPERIMENT, "--json", *arguments]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["command"] == "kinematics" and found["exit_code"] == code
    return found


def test_the_object_of_the_papers_path(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys)
    assert found["reachable"] is True and (found["rows"], found["rank"], found["redundant"]) == (104, 92, 12)
    assert found["loop_closure_max_m"] < 1e-12 and found["condition_max"] == pytest.approx(3.858, abs=0.001)
    times, theta = np.array(found["times_s"]), np.array(found["theta_rad"])
    assert theta.shape == (len(times), 3) and times[0] == 0.0 and times[-1] == pytest.approx(2.0 / 3.0)
    np.testing.assert_allclose(theta[0], [0.3024364817, -0.5324211824, 3.465519086], atol=1e-9)
    np.testing.assert_allclose(theta[500], [0.6131676677, -0.8449395943, 3.520859899], atol=1e-9)
    speed = np.abs(np.gradient(theta, times, axis=0)).max()
    assert found["joint_speed_max"] == pytest.approx(speed, rel=1e-4)


def test_ideal_joints_and_another_variant(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "--set", "mechanism.clearance=0", "--set", "mechanism.variant.elbow2=-x", "--set", "trajectory.path=trajectory_2")
    assert (found["rows"], found["rank"], found["redundant"]) == (108, 96, 12)
    assert np.cos(np.array(found["theta_rad"])[:, 1]).max() < 0.0 and found["reachable"] is True


def test_the_table_and_the_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "kinematics.png"
    assert main(["kinematics", EXPERIMENT, "--out", str(picture)]) == 0
    text = capsys.readouterr().out
    for line in ("condition number: 3.858 at most", "constraints: 104 rows, rank 92, 12 redundant", "drives given: 4 freedoms left"):
        assert line in text
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 50_000


def test_a_path_out_of_reach_is_bad_input_and_drawn_all_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "kinematics.png"
    found = run(capsys, *CIRCLE, "--set", "trajectory.radius=0.35", "--set", "trajectory.frequency=0.2", "--out", str(picture), code=2)
    assert found["reachable"] is False and found["outcome"] == "bad_input" and picture.exists()
    assert "leg 2 cannot reach (101.3, 258.2, -540.0) mm at 0.6750 s" in found["error"]
    assert [None, None, None] in found["theta_rad"] and found["reach_margin_m"][1] < 0.0
    nowhere = run(capsys, *CIRCLE, "--set", "trajectory.radius=0.05", "--set", "trajectory.centre.x=3", code=2)
    assert nowhere["reachable"] is False and nowhere["rank"] is None and nowhere["condition_max"] is None


def test_elbows_that_are_not_on_the_sides_named_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The platform above motors 1 and 3: the same branches, without a singularity, stand on the other sides."""
    assert run(capsys)["elbows"] == ["+x", "+x", "-x"] and run(capsys)["warnings"] == []
    above = [*CIRCLE, "--set", "trajectory.radius=0.05", "--set", "trajectory.centre.z=0.54", "--set", "mechanism.geometry.pivot2_z=0.6"]
    found = run(capsys, *above)
    assert found["elbows"] == ["-x", "+x", "+x"]
    assert np.cos(np.array(found["theta_rad"])[:, 0]).max() < 0.0
    assert [warning.split(" of the line")[0] for warning in found["warnings"]] == ["elbow 1 is on -x", "elbow 3 is on +x"]
    assert main(["kinematics", EXPERIMENT, *above]) == 0
    told = capsys.readouterr()
    assert "elbows 1, 2, 3 on -x, +x, +x of their legs" in told.out and "right way round" not in told.out
    assert "elbow 1 is on -x" in told.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "mechanism.condition_limit=3"], "nearly singular at"),
        (["--set", "trajectory.frequency=30"], "faster than joint_speed_limit = 10 rad/s"),
        (["--out", "/no/such/folder/one.png"], "there is no folder"),
        (["--out", "picture.bmp"], "expected a name that ends in .png"),
    ],
)
def test_what_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert said in run(capsys, *arguments, code=2)["error"]


def test_a_mechanism_without_a_path_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("slider_crank", "linkage"):
        assert main(["kinematics", str(EXPERIMENTS / f"{name}.toml")]) == 2
        assert f"{name} follows no path" in capsys.readouterr().err
