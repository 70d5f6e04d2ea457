"""What the distribution daqmx-sim is made of. That it builds and installs is shown in tests/system/test_light_install.py."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from unittest import mock

import pytest

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "drivers" / "simulated" / "distribution"
USE = """
import sys

import daqmx_sim
assert not {"numpy", "grpc", "nidaqmx"} & {*sys.modules}, "the package itself is light"

import nidaqmx
from daqmx_sim.command.main import main

with daqmx_sim.serve_devices({"Dev1": "PCIe-6363"}, pace="lockstep") as bench, bench.as_local(), nidaqmx.Task() as task:
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    print(type(task.read()).__name__)
assert main(["products", "NI 9215"]) == 0
print(sorted({name.split(".")[0] for name in sys.modules} & {"drivers", "rig", "model", "scipy", "numba", "h5py", "PySide6", "pydantic"}))
"""


@pytest.fixture(scope="module")
def building() -> ModuleType:
    """Its setup.py, which sets nothing up here."""
    spec = importlib.util.spec_from_file_location("daqmx_sim_setup", FOLDER / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch("setuptools.setup"), mock.patch("shutil.copyfile"):
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(building: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package."""
    folder = tmp_path_factory.mktemp("site")
    building.write_package(folder / "daqmx_sim")
    return folder


def test_the_package_stands_by_itself(site: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONPATH": str(site)}
    done = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, cwd=tmp_path, env=env, timeout=120.0, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (lines[0], lines[1], lines[-1]) == ("float", "NI 9215: C_SERIES_MODULE, COMPACT_DAQ", "[]")


def test_nothing_in_it_asks_for_a_package_of_the_repository(site: Path) -> None:
    modules = sorted(site.rglob("*.py"))
    assert len(modules) > 200
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not {name.split(".")[0] for name in names} & {"drivers", "rig", "model"}, path


def test_it_has_what_it_needs_and_no_more(building: ModuleType, site: Path) -> None:
    package = site / "daqmx_sim"
    for data in ("daqmx/status/messages.toml", "run_site/sitecustomize.py", "py.typed", "daqmx/products/x_series.toml", "command/ping.py"):
        assert (package / data).is_file(), data
    rooms = {path.name for path in package.iterdir() if path.is_dir()}
    assert {"command", "daqmx", "drivers", "plant", "run_site"} <= rooms and not rooms & {"axes", "loaders", "serial", "instruments"}
    assert "drivers.axes.axis" not in building.needed() and "drivers.simulated.serial.serial_side" not in building.needed()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from drivers.simulated.clock import BenchClock", "from daqmx_sim.clock import BenchClock"),
        ("from drivers.simulated import serve_devices", "from daqmx_sim import serve_devices"),
        ("from drivers import host_clock", "from daqmx_sim.drivers import host_clock"),
        ("from drivers.files.text_files import Unusable", "from daqmx_sim.drivers.files.text_files import Unusable"),
        ('{"drivers": 1}  # drivers. Nothing', '{"drivers": 1}  # drivers. Nothing'),
        ("screwdrivers.py", "screwdrivers.py"),
    ],
)
def test_names_are_changed(building: ModuleType, before: str, after: str) -> None:
    assert building.renamed(before) == after


def test_it_asks_for_what_the_repository_asks_for() -> None:
    mine, whole = (tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"] for folder in (FOLDER, ROOT))
    assert {*mine["dependencies"]} <= {*whole["dependencies"]}
    assert mine["optional-dependencies"]["tdms"] == whole["optional-dependencies"]["tdms"]
    assert mine["version"] == whole["version"]
    assert mine["scripts"].keys() <= whole["scripts"].keys()
    for place in (*mine["scripts"].values(), *mine["entry-points"]["pytest11"].values()):
        module = place.partition(":")[0].replace("daqmx_sim", "drivers.simulated")
        assert ROOT.joinpath(*module.split(".")).with_suffix(".py").is_file(), place
