"""Kinds of the user's own: by a dotted path, by an entry point, in a folder; each way stays what it is on the way to another process."""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from drivers.files import user_settings
from drivers.interpreter import environment
from rig import config
from rig.config import kinds
from rig.config.bench import Bench
from rig.config.transport import from_json, to_json
from rig.errors import ConfigError
from rig.prediction.simulation import simulate
from rig.trajectory import create
from rig.trajectory.blocks import stated
from tests.each_row import each_row

ROOT = Path(__file__).parents[4]
EXPERIMENT = str(ROOT / "configs/experiments/linkage.toml")
BENCH = ROOT / "configs" / "benches" / "virtual_slider_bar.toml"
BALANCE = """
from dataclasses import dataclass, field
from drivers.instruments.instrument import InstrumentSettings

@dataclass(frozen=True)
class Config(InstrumentSettings):
    port: str = ""
    steps: int = field(default=7, metadata={"at_least": 1})

    def create(self, name):
        return Balance(self, name)

class Balance:
    unit = "kg"
    def __init__(self, settings, name): self.settings, self.name = settings, name
    def connect(self): pass
    def identity(self): return "a balance"
    def read(self): return 0.25
    def close(self): return []
"""
WAVE = """
from dataclasses import dataclass, field
import numpy as np
from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named
from rig.trajectory.periodic import Periodic

@dataclass(frozen=True)
class Config(Named):
    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    cycles: int = field(metadata={"at_least": 1})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "over": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "over": 0.0})

    def create(self):
        wave = Periodic(self.amplitude, self.frequency, self.cycles, 0.0, shape, steepest=4.0, sharpest=14.0)
        return Enveloped(wave, self.soft_start, self.soft_stop, self.frequency)

def shape(phase):
    return np.sin(phase) ** 3, 3.0 * np.sin(phase) ** 2 * np.cos(phase)
"""
DRIVE = """
from dataclasses import dataclass, field
from drivers.axes import odrive

@dataclass(frozen=True)
class Config(odrive.Config):
    DRIVEN_BY = ("velocity",)
    brake: str = ""

    def create(self, name="axis", guard=None):
        return Braked(self, name, guard)

class Braked(odrive.ODrive):
    pass
"""
OTHER = "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Config:\n    x: int = 1\n"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What was found before, and what is found here, is looked for anew; rooms end as they began."""
    paths = {package: list(importlib.import_module(package).__path__) for package in kinds.CONTRACTS}
    forget()
    yield
    for package, path in paths.items():
        importlib.import_module(package).__path__[:] = path
    forget()
    for name in [name for name in sys.modules if name.endswith((".balance", ".wrong", ".broken", ".cubed", ".braked")) or name == "mylab"]:
        del sys.modules[name]


def forget() -> None:
    for cached in (kinds.names, kinds.config_class, kinds._room, kinds._entry_points):
        cached.cache_clear()


def bench(kind: str, *more: str) -> Bench:
    lines = [f'name = "scales"\ndevice = {{kind = "{kind}"}}']
    overrides = [f"bench.instruments=[{{{', '.join(line.replace(chr(10), ', ') for line in lines)}}}]", *more]
    return config.load_bench(BENCH, overrides)[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, which the user's settings name."""
    room = tmp_path / "kinds" / "instruments"
    room.mkdir(parents=True)
    (room / "balance.py").write_text(BALANCE)
    settings = tmp_path / "settings.toml"
    settings.write_text('kinds = ["kinds"]\n')
    monkeypatch.setenv(user_settings.VARIABLE, str(settings))
    return room


def test_one_in_a_folder_of_the_user_is_found_and_listed(folder: Path) -> None:
    device = bench("balance").instruments[0].device
    assert device.create("scales").read() == 0.25 and bench("balance").instruments[0].unit == "kg"
    assert kinds.names("drivers.instruments") == ("balance", "force_gauge")
    with pytest.raises(ConfigError, match="expected one of balance, force_gauge; got 'balanc'"):
        bench("balanc")
    with pytest.raises(ConfigError, match="steps: scales: expected at least 1"):
        config.load_bench(BENCH, ['bench.instruments=[{name = "scales", device = {kind = "balance", steps = 0}}]'])


def test_a_dotted_path_needs_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mylab").mkdir()
    (tmp_path / "mylab" / "balance.py").write_text(BALANCE.replace("class Config", "class Scales"))
    monkeypatch.syspath_prepend(tmp_path)
    device = bench("mylab.balance:Scales").instruments[0].device
    assert kinds.kind_of(device) == "mylab.balance:Scales" and device.steps == 7


def test_an_entry_point_is_a_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mylab").mkdir()
    (tmp_path / "mylab" / "balance.py").write_text(BALANCE)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("scales_of_mine", "mylab.balance:Config", "clearance_rig.instruments")
    monkeypatch.setattr(kinds, "entry_points", lambda group: [point] if group == point.group else [])
    assert "scales_of_mine" in kinds.names("drivers.instruments")
    assert bench("scales_of_mine").instruments[0].device.steps == 7


def test_it_is_the_same_in_another_process(folder: Path) -> None:
    plan = json.dumps(to_json(bench("balance")))
    program = (
        "import json, sys; from rig.config.bench import Bench; from rig.config.transport import from_json;"
        "print(from_json(Bench, json.load(sys.stdin)).instruments[0].device)"
    )
    told = subprocess.run([sys.executable, "-c", program], input=plan, capture_output=True, text=True, env=environment(), cwd=ROOT)
    assert told.stdout.strip() == "Config(port='', steps=7)", told.stderr
    assert from_json(Bench, json.loads(plan)) == bench("balance")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("wrong", OTHER, "wrong: expected a frozen dataclass that derives from drivers.instruments.instrument.InstrumentSettings"),
        ("broken", "import no_such_vendor", "broken cannot be taken: ModuleNotFoundError: No module named 'no_such_vendor'"),
        ("broken", "def", "broken cannot be taken: SyntaxError"),
        ("broken", "x = 1", "got 'broken'; drivers/instruments/broken is there, but has no class Config"),
    ],
)  # fmt: skip
def test_what_cannot_be_one_is_told_why(folder: Path, name: str, text: str, words: str) -> None:
    (folder / f"{name}.py").write_text(text)
    with pytest.raises(ConfigError) as raised:
        bench(name)
    assert words in str(raised.value)
    assert name not in kinds.names("drivers.instruments"), "and keeps none of the others from being used"


@pytest.mark.parametrize("kind", ["../balance", "balance.py", "", "no_such_lab.balance", "os:system", "mylab.balance:", "os.path:join"])
def test_a_name_that_leads_nowhere_is_one_message(folder: Path, kind: str) -> None:
    with pytest.raises(ConfigError, match=r"instruments\[0\]\.device\.kind: ") as raised:
        bench(kind)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kinds = 3", 'kinds: expected a list of folders, as ["/home/me/rig-kinds"]; got 3'),
        ("kinds = [", "these settings cannot be read"),
        ('kind = ["x"]', "kind: unknown key; there is kinds"),
        ('kinds = ["nowhere"]', "nowhere is no folder"),
    ],
)
def test_settings_that_are_none_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(text)
    monkeypatch.setenv(user_settings.VARIABLE, str(settings))
    with pytest.raises(ConfigError) as raised:
        bench("force_gauge")
    assert words in str(raised.value) and str(settings) in str(raised.value)


def test_a_settings_file_that_is_named_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_settings.VARIABLE, str(tmp_path / "none.toml"))
    with pytest.raises(ConfigError, match="no such settings file; it is named by the environment variable CLEARANCE_RIG_SETTINGS"):
        bench("force_gauge")


@pytest.mark.parametrize("package", ["model.integrators", "rig.virtual.plants"])
def test_a_room_that_names_its_parts_lists_what_importing_finds(package: str) -> None:
    room = importlib.import_module(package)
    files = [info.name for info in pkgutil.iter_modules(room.__path__)]
    assert set(room.PARTS) <= set(files)
    assert [name for name in sorted(files) if kinds._is_kind(package, name)] == list(kinds.names(package))


def test_a_wrong_method_is_told_without_compiling_the_right_ones() -> None:
    """In a process of its own: neither to read the file nor to list the kinds is compiled code asked for."""
    words = "import sys; from rig.config import load; from rig.errors import ConfigError; import rig.report.summary\n"
    words += f"load({str(EXPERIMENT)!r})\n"
    words += f"try: load({str(EXPERIMENT)!r}, ['integrator.kind=euler'])\n"
    words += "except ConfigError as error: print(error)\n"
    words += "assert 'numba' not in sys.modules\n"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, timeout=120.0, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "expected one of dop853, generalized_alpha, leapfrog, newmark, rk4; got 'euler'" in done.stdout


@each_row("package", sorted(kinds.CONTRACTS))
def test_every_kind_of_a_room_derives_from_its_contract(package: str) -> None:
    assert kinds.names(package) or package in ("rig.display.panels", "drivers.simulated.axes"), "what the program has there are no kinds"
    for kind in kinds.names(package):
        cls = kinds.config_class(package, kind)
        assert issubclass(cls, kinds._contract(package)) and kinds.kind_of_class(cls) == kind


def test_a_trajectory_of_ones_own_drives_the_model(folder: Path) -> None:
    """Its bounds are those that the checks go by, and the course is its own."""
    room = folder.parent / "trajectory"
    room.mkdir()
    (room / "cubed.py").write_text(WAVE)
    wave = 'trajectory={kind = "cubed", amplitude = "10 kN", frequency = "3 Hz", cycles = 2}'
    experiment = config.load(ROOT / "configs/experiments/linkage.toml", [wave]).experiment
    assert stated(experiment.trajectory) == (10e3, 2), "reports and windows go by the keys of its table"
    trajectory = create(experiment.trajectory)
    t = np.linspace(0.5, 0.5 + 1.0 / 3.0, 400)
    np.testing.assert_allclose(trajectory.evaluate(t)[0], 10e3 * np.sin(2.0 * np.pi * 3.0 * (t - 0.5)) ** 3, atol=1e-6)
    assert np.max(np.abs(simulate(experiment).values[:, 0])) > 5e3
    with pytest.raises(ConfigError, match="amplitude: expected more than 0 N"):
        config.load(ROOT / "configs/experiments/linkage.toml", [wave.replace("10 kN", "0 kN")])


def test_a_drive_of_ones_own_is_checked_as_any_other(folder: Path) -> None:
    room = folder.parent / "axes"
    room.mkdir()
    (room / "braked.py").write_text(DRIVE)
    drive = 'bench.axes=[{name = "crank", drive = {kind = "braked", port = "COM3"}, mode = "%s"}]'
    rig = ROOT / "configs/benches/virtual_four_bar.toml"
    with pytest.raises(ConfigError, match="braked is commanded by velocity; got 'position'"):
        config.load_bench(rig, [drive % "position"])
    axis = config.load_bench(rig, [drive % "velocity", "bench.serial=[]", "bench.wiring=[]"])[0].axes[0]
    assert axis.serial is not None and axis.serial.create("crank", None).where.startswith("crank (ODrive axis 0) at COM3")
