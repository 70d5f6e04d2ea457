"""A stranger's first quarter of an hour: the wheel in an environment of its own, an empty folder, an example, a test, its report, and
the same from Python."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import h5py
import pytest
import wheel

from drivers.files import user_settings
from tests.unit.rig.config.test_own_kinds import WAVE

Run = Callable[..., str]
SHORT = (
    "--headless", "--no-picture", "--set", "bench.pace=lockstep", "--set",
    'trajectory={kind = "cubed", amplitude = "10 kN", frequency = "5 Hz", cycles = 4}', "--set", "comparison.discard_cycles=1",
)  # fmt: skip

EXECUTED = "import sys, nbformat, nbclient; nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=120).execute()"
"""A notebook, whose kernel is of the same environment and in the same folder."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    return wheel.environment(folder, wheel.build(folder))


@pytest.fixture
def run(scripts: Path, tmp_path: Path) -> Run:
    """A program of the environment, in an empty folder."""
    more = {
        user_settings.VARIABLE: str(tmp_path / "settings.toml"),
        "NUMBA_CACHE_DIR": str(scripts.parents[1] / wheel.CODE),
        "MPLBACKEND": "Agg",
    }
    (tmp_path / "settings.toml").write_text('kinds = ["lab/kinds"]\n')
    (tmp_path / "lab" / "kinds" / "trajectory").mkdir(parents=True)
    (tmp_path / "lab" / "kinds" / "trajectory" / "cubed.py").write_text(WAVE)

    def started(*words: str, within: str = ".", ends: tuple[int, ...] = (0,)) -> str:
        command = [str(scripts / words[0]), *words[1:]]
        environment = {**wheel.away_from_sources(), **more}
        found = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path / within, timeout=300, check=False)
        assert found.returncode in ends, f"{words} ended with {found.returncode}: {found.stderr[-2000:]}"
        return found.stdout

    return started


def test_an_example_is_laid_out_tested_and_reported(run: Run, tmp_path: Path, scripts: Path) -> None:
    places = run("python", "-c", "import rig, model, drivers; print(rig.__file__, model.__file__, drivers.__file__)").split()
    assert all(Path(place).is_relative_to(scripts.parent) for place in places), "nothing comes from the sources"
    run("rig", "new", "lab")
    assert {path.name for path in (tmp_path / "lab").iterdir()} == {"README.md", "benches", "experiments", "kinds"}
    told = json.loads(run("rig", "run", "experiments/linkage.toml", *SHORT, "--json", within="lab", ends=(0, 1)))
    assert told["agreement"]["transmitted_force"]["counted_samples"] > 20_000
    with h5py.File(tmp_path / "lab" / told["files"]["run"] / "run.h5") as record:
        ran = record["entry/config/experiment"].asstr()[()]
    assert f"cubed.py, SHA-256 {hashlib.sha256(WAVE.encode()).hexdigest()}" in ran, "which code of the user's own it was"
    run("rig", "report", told["files"]["run"], within="lab")
    manual = str(wheel.ROOT / "docs" / "library.md")
    run("python", "-m", "doctest", "-o", "ELLIPSIS", manual, within="lab")  # the examples of the Python interface
    for notebook in sorted((wheel.ROOT / "docs" / "notebooks").glob("*.ipynb")):
        run("python", "-c", EXECUTED, str(notebook), within="lab")
    page = (tmp_path / "lab" / told["files"]["run"] / "report.html").read_text(encoding="utf-8")
    assert "Linkage with two clearance joints" in page and len(page) > 1_000_000
