"""A drive of the user's own with its device side: two files in a folder outside the program, and a bench file that names them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.simulated.axes.drive_side import DriveSideSettings
from drivers.simulated.clock import BenchClock
from drivers.simulated.plant.shaft import SmallShaft
from rig import config
from rig.config import kinds
from rig.errors import ConfigError
from rig.virtual.serial_lines import close, sides
from tests.documented_files import shown
from tests.unit.rig.own_folder import own_room

ROOT = Path(__file__).parents[4]
BENCH = (ROOT / "configs" / "benches" / "virtual_parallel.toml").read_text(encoding="utf-8")
DRIVE = """
from dataclasses import dataclass
from drivers.axes import odrive

@dataclass(frozen=True)
class Config(odrive.Config):
    reversed: bool = False

    def create(self, name="axis", guard=None):
        return LabDrive(self, name, guard)

class LabDrive(odrive.ODrive):
    def identity(self):
        return f"lab drive, {super().identity()}"
"""
SIDE = """
from dataclasses import dataclass
from drivers.simulated.axes.drive_side import DriveSideSettings
from drivers.simulated.axes.odrive import ODrive

@dataclass(frozen=True)
class Config(DriveSideSettings):
    turns: int = 1

    def create(self, shafts, name):
        if len(shafts) != self.turns:
            raise ValueError(f"expected {self.turns} shafts, got {len(shafts)}")
        return ODrive(*shafts, name=name)
"""


def with_own_drive(bench: str) -> str:
    """The text of that bench file with the user's drive on its first axis, and at the end of its first line."""
    axis, line = ('[axes.drive]\nkind = "odrive"', '[[serial]]\nname = "board1"\nkind = "odrive"')
    assert axis in bench and line in bench
    text = bench.replace(axis, axis.replace("odrive", "lab_drive"), 1).replace(line, line.replace("odrive", "drive"), 1)
    behind = text.index("[[serial]]", text.index(line.replace("odrive", "drive")) + 1)
    return f'{text[:behind]}[serial.drive]\nkind = "lab_drive"\n\n{text[behind:]}'


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Path]:
    """A bench file whose first axis, and what answers it, are the user's."""
    with own_room("drivers.axes", tmp_path / "a") as drivers, own_room("drivers.simulated.axes", tmp_path / "a") as devices:
        (drivers / "lab_drive.py").write_text(DRIVE)
        (devices / "lab_drive.py").write_text(SIDE)
        file = tmp_path / "bench.toml"
        file.write_text(with_own_drive(BENCH), encoding="utf-8")
        yield file


def test_both_ends_of_the_line(bench: Path) -> None:
    found = config.load_bench(bench, [])[0]
    assert found.plant is not None
    plant = found.plant.create(1)  # type: ignore[attr-defined]
    lines = sides(found.serial, plant, BenchClock("lockstep"))
    try:
        assert found.axes[0].serial is not None
        drive = type(found.axes[0].serial)(lines["board1"].url).create("axis1")
        drive.connect()
        assert drive.identity().startswith("lab drive, ODrive axis 0, firmware 0.5")
        assert [one.shaft for one in lines["board1"].device.drives] == [plant.shafts["axis1"]]
        assert drive.close() == []
    finally:
        close(lines)


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("bench.serial.board1.drive.turns=2", "virtual bench: serial board1: expected 2 shafts, got 1"),
        ("bench.serial.board1.drive.kind='lab_drives'", "expected one of lab_drive; got 'lab_drives'"),
        ("bench.serial.board1.kind='odrive'", "a line of kind drive needs .serial.drive.; others have none"),
        ("bench.serial.board1.addresses=[3]", "a drive of your own has them in .serial.drive.; leave addresses out"),
        ("bench.axes.axis1.drive.kind='odrive'", "expected a line with a odrive; at the end of 'board1' is a lab_drive"),
    ],
)
def test_what_does_not_fit_is_one_message(bench: Path, override: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        found = config.load_bench(bench, [override])[0]
        sides(found.serial, found.plant.create(1), BenchClock("lockstep"))  # type: ignore[union-attr,attr-defined]


def test_two_modules_anywhere_are_a_drive_and_its_device_side(bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mylab_drive.py").write_text(DRIVE)
    (tmp_path / "mylab_side.py").write_text(SIDE.replace("    turns: int = 1\n", "    BITS = 11\n    turns: int = 1\n"))
    monkeypatch.syspath_prepend(tmp_path)
    ends = ["bench.axes.axis1.drive.kind='mylab_drive:Config'", "bench.serial.board1.drive.kind='mylab_side:Config'"]
    found = config.load_bench(bench, ends)[0]
    lines = sides(found.serial, found.plant.create(1), BenchClock("lockstep"))  # type: ignore[union-attr,attr-defined]
    try:
        assert {name: line.wire.bits for name, line in lines.items()} == {"board1": 11, "board2": 10, "board3": 10}
    finally:
        close(lines)


def test_the_device_side_that_the_manual_shows(tmp_path: Path) -> None:
    with own_room("drivers.simulated.axes", tmp_path) as devices:
        (devices / "lab_drive.py").write_text(shown("your_own_kinds.md")["A drive with its simulated other end"])
        shaft = SmallShaft()
        settings: DriveSideSettings = kinds.config_class("drivers.simulated.axes", "lab_drive")()
        device = settings.create([shaft], "line")
    assert device.receive(b"ON\n") == device.receive(b"V 3.0\n") == b"0.0 0.0\n"
    device.advance(1.0)
    position, velocity = map(float, device.receive(b"V 3.0\n").split())
    assert 2.0 < position < 3.0 and velocity == pytest.approx(3.0, abs=0.2)
    (drive,) = device.drives
    drive.set_enable(False)
    device.advance(3.0)
    assert shaft.velocity == 0.0 and [event.text for event in device.log][-1] == "at rest"
