"""The program as its wheel installs it, far from its sources, with kinds of the user's own in a folder beside their experiments."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import matplotlib.image
import pytest

from drivers.files import user_settings
from rig.report.overlay.page import DPI, ROW, SIZE
from tests.documented_files import shown
from tests.unit.drivers.simulated.daqmx.products.test_own_product import CARD, PROGRAM
from tests.unit.rig.config.test_own_instrument import DRIVER, SIDE, TABLES
from tests.unit.rig.config.test_own_kinds import WAVE
from tests.unit.rig.prediction.test_own_contact_law import AS_HERTZ
from tests.unit.rig.prediction.test_own_kind_of_mechanism import EXPERIMENT, FLYING_MASS
from tests.unit.rig.virtual import test_own_drive as own_drive

pytestmark = pytest.mark.soak
ROOT = Path(__file__).parents[2]
VERDICT_FAILED = 1
SCALES = TABLES.replace('signal = "friction"\nper_volt = 2.0', 'signal = "stroke_monitor"').replace('gravity = "10 m/s^2"\n', "")
FILES = {
    "contact_laws/as_hertz.py": AS_HERTZ,
    "mechanisms/flying_mass.py": FLYING_MASS,
    "trajectory/cubed.py": WAVE,
    "instruments/lab_scales.py": DRIVER,
    "simulated_instruments/lab_scales.py": SIDE,
    "axes/lab_drive.py": own_drive.DRIVE,
    "simulated_axes/lab_drive.py": own_drive.SIDE,
    "daqmx_products/my_cards.py": CARD,
    "report_panels/force_histogram.py": shown("your_own_kinds.md")["A panel of overlay.png"],
    "display_panels/stroke_figure.py": shown("your_own_kinds.md")["A panel of the window"],
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an installation of the wheel leaves."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(folder / "site"), str(wheel)], check=True, cwd=folder)
    return folder / "site"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder: configs, and kinds of their own."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(ROOT / "configs", folder / "configs")
    (folder / "settings.toml").write_text('kinds = ["kinds"]\n')
    for name, text in FILES.items():
        (folder / "kinds" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "kinds" / name).write_text(text)
    loader = folder / "configs" / "benches" / "virtual_loader.toml"
    loader.write_text(loader.read_text(encoding="utf-8") + SCALES, encoding="utf-8")
    parallel = folder / "configs" / "benches" / "virtual_parallel.toml"
    parallel.write_text(own_drive.with_own_drive(own_drive.BENCH), encoding="utf-8")
    return folder


@pytest.fixture
def run(site: Path, home: Path):  # type: ignore[no-untyped-def]
    """`python WORDS` in the user's folder, with the installed program."""

    mine = {"PYTHONPATH": str(site), user_settings.VARIABLE: str(home / "settings.toml"), "QT_QPA_PLATFORM": "offscreen"}

    def started(*words: str, ends: tuple[int, ...] = (0,)) -> str:
        command = [sys.executable, *words]
        found = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **mine}, cwd=home, timeout=600, check=False)
        assert found.returncode in ends, f"{words} ended with {found.returncode}: {found.stderr[-2000:]}"
        return found.stdout

    return started


def test_nothing_comes_from_the_sources(run, site: Path) -> None:  # type: ignore[no-untyped-def]
    places = run("-c", "import rig, model, drivers; print(rig.__file__, model.__file__, drivers.__file__)").split()
    assert all(Path(place).is_relative_to(site) for place in places)


def test_a_mechanism_is_simulated(run, home: Path) -> None:  # type: ignore[no-untyped-def]
    (home / "flying.toml").write_text(EXPERIMENT)
    run("-m", "rig", "simulate", "flying.toml", "--out", "flying.csv")
    rows = (home / "flying.csv").read_text().splitlines()
    assert rows[0].split(",")[1:4] == ["place[m]", "speed[m/s]", "force[N]"]
    assert float(rows[-1].split(",")[2]) == pytest.approx(-0.6 * 0.5, rel=1e-6)


def test_a_whole_test_with_law_trajectory_instrument_and_panels(run, home: Path) -> None:  # type: ignore[no-untyped-def]
    wave = 'trajectory={kind = "cubed", amplitude = "15 kN", frequency = "4 Hz", cycles = 6}'
    words = ("configs/experiments/linkage.toml", "--headless", "--json", "--set", "bench.pace=lockstep", "--set", wave)
    told = json.loads(run("-m", "rig", "run", *words, "--set", "mechanism.contact.law=as_hertz", ends=(0, VERDICT_FAILED)))
    assert told["agreement"]["transmitted_force"]["counted_samples"] > 40_000
    assert told["instruments"]["scales"]["readings"] > 20 and told["instruments"]["scales"]["failed"] == 0
    folder = home / told["files"]["run"]
    picture = matplotlib.image.imread(folder / "overlay.png")
    assert picture.shape[0] == int((SIZE[1] + ROW) * DPI), "the user's panel stands under the others"
    with h5py.File(folder / "run.h5") as record:
        assert "scales" in record["entry/instruments"]
    run("-m", "rig", "view", str(folder), "--picture", "window.png")
    assert (home / "window.png").stat().st_size > 10_000


def test_a_drive_with_its_device_side_turns_an_axis(run) -> None:  # type: ignore[no-untyped-def]
    words = ("configs/experiments/parallel_3rrpar_rig.toml", "--headless", "--json", "--set", "bench.pace=lockstep")
    told = json.loads(run("-m", "rig", "run", *words))
    assert told["outcome"] == "done"


def test_a_program_runs_on_a_product(run, home: Path) -> None:  # type: ignore[no-untyped-def]
    (home / "devices.toml").write_text('pace = "lockstep"\n[[devices]]\nname = "Dev1"\nproduct = "PCIe-9999"\n')
    (home / "program.py").write_text(PROGRAM)
    assert run("-m", "drivers.simulated.run", "--devices", "devices.toml", "program.py").startswith("PCIe-9999 5000.0")
