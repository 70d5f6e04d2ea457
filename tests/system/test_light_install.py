"""The distribution daqmx-sim as a stranger installs it: a virtual environment of its own, an empty folder, a first test."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.soak
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "drivers" / "simulated" / "distribution"
BESIDE = {"numpy", "numpy.libs", "grpc"}
"""What the 80 MB are counted beside."""
OF_OTHERS = {
    "pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel", "pytest", "_pytest", "py.py", "pygments", "pluggy", "iniconfig",
}  # fmt: skip
"""What a virtual environment has by itself, and pytest with what it brings."""
HEAVY = {
    "PySide6",
    "PySide6_Essentials",
    "shiboken6",
    "numba",
    "llvmlite",
    "h5py",
    "hdf5plugin",
    "scipy",
    "matplotlib",
    "pyqtgraph",
    "pydantic",
}
MOST = 80e6  # bytes
SOONEST = 60.0  # s from an empty folder to the first green test, of the processors' time: a machine may have much else to do
IMPORT = 1.0  # s
FIRST_TEST = """
import nidaqmx

def test_first(daqmx_local):
    with nidaqmx.Task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=100)
        assert len(task.read(100)) == 100
"""
OWN_DRIVERS = """
import sys
from drivers.camera import SHOTS

def test_it():
    assert SHOTS == 7 and "rig" not in sys.modules
"""


def clean() -> dict[str, str]:
    """Environment without this repository, as a stranger has it."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")}


def run(*command: object, cwd: Path) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=cwd, env=clean(), timeout=600.0, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def environment(folder: Path, *wanted: object) -> Path:
    """The Python of a new virtual environment with what is wanted."""
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run(python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *wanted, cwd=folder)
    return python


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pip builds it from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, FOLDER, cwd=folder)
    (built,) = folder.glob("daqmx_sim-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """Python of an environment, and how long (s) processors worked from an empty folder to a green test."""
    folder = tmp_path_factory.mktemp("stranger")
    begun, worked = time.monotonic(), time_of_children()
    python = environment(folder, wheel, "pytest")
    (folder / "test_first.py").write_text(FIRST_TEST)
    assert "1 passed" in run(python, "-m", "pytest", "-q", cwd=folder)
    print(f"first green test after {time.monotonic() - begun:.0f} s, of which the processors worked {time_of_children() - worked:.0f} s")
    return python, time_of_children() - worked


def time_of_children() -> float:
    """Time (s) that processors have worked for processes which have ended."""
    took = os.times()
    return took.children_user + took.children_system


def site_of(python: Path) -> Path:
    return Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=python.parent).strip())


def test_the_first_test_is_green_within_a_minute(installed: tuple[Path, float]) -> None:
    assert installed[1] < SOONEST


def test_it_brings_little(installed: tuple[Path, float]) -> None:
    site = site_of(installed[0])
    listed = {name.lower().replace("-", "_") for name in json_names(installed[0])}
    assert not listed & {name.lower() for name in HEAVY} and not {path.name for path in site.iterdir()} & HEAVY
    assert not (site / "drivers").exists() and (site / "daqmx_sim").is_dir()
    sizes = {path.name: size_of(path) for path in site.iterdir() if path.name.partition("-")[0] not in BESIDE | OF_OTHERS}
    told = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:5])
    print(f"{sum(sizes.values()) / 1e6:.1f} MB beside numpy and grpc: {told} MB")
    assert sum(sizes.values()) < MOST


def json_names(python: Path) -> list[str]:
    return [one["name"] for one in json.loads(run(python, "-m", "pip", "list", "--format=json", cwd=python.parent))]


def size_of(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) if path.is_dir() else path.stat().st_size


@pytest.mark.parametrize("module", ["daqmx_sim", "daqmx_sim.serving"])
def test_it_is_imported_within_a_second(installed: tuple[Path, float], module: str) -> None:
    """The best of three, of the processors' time, as above."""
    took = []
    for _ in range(3):
        begun = time_of_children()
        run(installed[0], "-c", f"import {module}", cwd=installed[0].parent)
        took.append(time_of_children() - begun)
    print(f"import {module}: {min(took):.2f} s of a processor, the start of Python with it")
    assert min(took) < IMPORT


def test_a_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path, "setuptools>=77")
    run(python, "-c", f"from setuptools.build_meta import build_sdist; build_sdist({str(tmp_path)!r})", cwd=FOLDER)
    (source,) = tmp_path.glob("daqmx_sim-*.tar.gz")
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path / "again", source, cwd=tmp_path)
    (again,) = (tmp_path / "again").glob("*.whl")
    assert contents(again) == contents(wheel)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def test_it_is_installed_from_a_repository_by_its_folder(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    shutil.copytree(ROOT / "drivers", repository / "drivers", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(ROOT / "LICENSE", repository)
    for words in (
        ("init", "--quiet"),
        ("add", "--all"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=all"),
    ):
        run("git", *words, cwd=repository)
    where = f"git+{repository.as_uri()}#subdirectory=drivers/simulated/distribution"
    python = environment(tmp_path, "--no-deps", where)
    assert "daqmx-sim" in json_names(python)


def test_both_installations_stand_side_by_side(installed: tuple[Path, float], wheel: Path, tmp_path: Path) -> None:
    """The full one has the same command and the same plugin; pytest has the plugin once, and no package `drivers` on its own."""
    folder = tmp_path
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    (full,) = folder.glob("clearance_rig-*.whl")
    shared = [name for name in contents(full) if name.startswith("daqmx_sim")]
    assert not shared
    python = installed[0]
    run(python, "-m", "pip", "--quiet", "install", "--no-deps", full, cwd=folder)
    try:
        (folder / "test_first.py").write_text(FIRST_TEST)
        (folder / "drivers").mkdir()
        (folder / "drivers" / "__init__.py").write_text("")
        (folder / "drivers" / "camera.py").write_text("SHOTS = 7\n")
        (folder / "test_own.py").write_text(OWN_DRIVERS)
        told = run(python, "-m", "pytest", cwd=folder)
        assert re.search(r"plugins: .*daqmx", told) and "2 passed" in told, told
        assert run(python.with_name("daqmx-sim"), "--version", cwd=folder).startswith("daqmx-sim (")
    finally:
        run(python, "-m", "pip", "--quiet", "uninstall", "--yes", "clearance-rig", cwd=folder)
        # The command goes with whichever is uninstalled.
        run(python, "-m", "pip", "--quiet", "install", "--no-deps", "--force-reinstall", wheel, cwd=folder)
