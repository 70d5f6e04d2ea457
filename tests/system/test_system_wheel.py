"""A stranger's first quarter of an hour: the wheel in an environment of its own, an empty folder, the manual's tutorial word by word, kinds
of their own, and the same from Python."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import wheel

from drivers.files import user_settings
from tests.documented_steps import changed, steps
from tests.unit.rig.config.test_own_instrument import DRIVER, SIDE, TABLES
from tests.unit.rig.config.test_own_kinds import WAVE

Run = Callable[..., str]
SHORT = (
    "--headless", "--no-picture", "--set", "bench.pace=lockstep", "--set",
    'trajectory={kind = "cubed", amplitude = "10 kN", frequency = "5 Hz", cycles = 4}', "--set", "comparison.discard_cycles=1",
)  # fmt: skip

SCALES = TABLES.replace('signal = "friction"\nper_volt = 2.0', 'signal = "stroke_monitor"').replace('gravity = "10 m/s^2"\n', "")
"""Scales that hang on the stroke monitor of the frame."""
KINDS = {"trajectory/cubed.py": WAVE, "instruments/lab_scales.py": DRIVER, "simulated_instruments/lab_scales.py": SIDE}
TUTORIAL = "from_nothing.md"

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
    (tmp_path / "settings.toml").write_text("")

    def started(*words: str, within: str = ".", ends: tuple[int, ...] = (0,)) -> str:
        command = [str(scripts / words[0]), *words[1:]]
        environment = {**wheel.away_from_sources(), **more}
        found = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path / within, timeout=300, check=False)
        assert found.returncode in ends, f"{words} ended with {found.returncode}: {found.stderr[-2000:]}"
        return found.stdout

    return started


@pytest.mark.long
def test_kinds_of_the_users_own_are_in_a_test_and_its_record_in_python(run: Run, tmp_path: Path, scripts: Path) -> None:
    places = run("python", "-c", "import rig, model, drivers; print(rig.__file__, model.__file__, drivers.__file__)").split()
    assert all(Path(place).is_relative_to(scripts.parent) for place in places), "nothing comes from the sources"
    (tmp_path / "settings.toml").write_text('kinds = ["lab/kinds"]\n')
    for name, text in KINDS.items():
        (tmp_path / "lab" / "kinds" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lab" / "kinds" / name).write_text(text)
    run("rig", "new", "lab")
    assert {path.name for path in (tmp_path / "lab").iterdir()} == {"README.md", "benches", "experiments", "kinds"}
    with (tmp_path / "lab" / "benches" / "virtual_loader.toml").open("a", encoding="utf-8") as bench:
        bench.write(SCALES)
    told = json.loads(run("rig", "run", "experiments/linkage.toml", *SHORT, "--json", within="lab", ends=(0, 1)))
    assert told["agreement"]["transmitted_force"]["counted_samples"] > 20_000
    with h5py.File(tmp_path / "lab" / told["files"]["run"] / "run.h5") as record:
        ran = record["entry/config/experiment"].asstr()[()]
        weighed, samples = record["entry/instruments/scales"][()], record["entry/measured/stroke"].shape[0]
    assert f"cubed.py, SHA-256 {hashlib.sha256(WAVE.encode()).hexdigest()}" in ran, "which code of the user's own it was"
    readings = weighed[~np.isnan(weighed)]
    assert len(readings) == told["instruments"]["scales"]["readings"] > 10 * samples / 51_200 / 2, "10 a second"
    assert readings.max() - readings.min() > 1e-4, "they follow what the scales hang on"
    manual = str(wheel.ROOT / "docs" / "library.md")
    run("python", "-m", "doctest", "-o", "ELLIPSIS", manual, within="lab")  # the examples of the Python interface
    for notebook in sorted((wheel.ROOT / "docs" / "notebooks").glob("*.ipynb")):
        run("python", "-c", EXECUTED, str(notebook), within="lab")


@pytest.mark.long
def test_from_nothing_to_a_report_as_the_manual_says(run: Run, tmp_path: Path) -> None:
    """Every block of the page, in its order, as it stands; the environment is there already."""
    within = tmp_path
    kinds = steps(TUTORIAL)
    assert kinds[0][1].startswith("python3 -m venv env\n")
    for kind, text in kinds[1:]:
        if kind == "diff":
            file = within / "experiments" / "hinge.toml"
            file.write_text(changed(file.read_text(encoding="utf-8"), text), encoding="utf-8")
        elif kind == "toml":
            file.write_text(file.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")
        for line in text.splitlines() if kind == "sh" else ():
            words = shlex.split(line, comments=True)
            if words[0] == "cd":
                within = within / words[1]
            elif words[0] == "cp":
                shutil.copy(within / words[1], within / words[2])
            else:
                assert words[0] == "rig"
                run(*words, within=str(within), ends=(1,) if "must fail" in line else (0,))
    page = (within / "hinge.html").read_text(encoding="utf-8")
    assert all(text in page for text in ("Hinge, 8 kN at 4 Hz", "Meyer &amp; Sons", "pin 7, bush 12", "Ada"))
    run("python", "-m", "doctest", "-o", "ELLIPSIS", str(wheel.ROOT / "docs" / TUTORIAL), within=str(within))
