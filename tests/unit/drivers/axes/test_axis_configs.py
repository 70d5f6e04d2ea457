"""Tables of drives and loaders as a bench file has them: quantities with units, defaults, and what is wrong with them in words."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rig.config import kinds
from rig.config.conversion import Conversion
from rig.config.schema import build

PAGE = Path(__file__).parents[4] / "docs/motors.md"


@dataclass
class Tables:
    axis: tuple[Any, ...] = field(default=(), metadata={"kinds": "drivers.axes"})
    loader: Any = field(default=None, metadata={"kinds": "drivers.loaders"})


def read(text: str) -> tuple[Any, list[str]]:
    conversion = Conversion()
    tables = tomllib.loads(text)
    built = build(Tables, tables | {"axis": tuple(tables["axis"])}, conversion)
    return built, [f"{problem.path}: {problem.text}" for problem in conversion.problems]


def test_the_tables_of_the_page_are_good() -> None:
    text = "\n".join(part.partition("```")[0] for part in PAGE.read_text().split("```toml\n")[1:])
    drives = re.sub(r"\[\[axes\]\].*?\[axes\.drive\]", "[[axis]]", text, flags=re.DOTALL)
    built, problems = read(drives.replace("[axes.drive.", "[axis."))
    assert problems == []
    found = [type(one).__module__ for one in built.axis]
    assert found == [f"drivers.axes.{kind}" for kind in ("modbus_drive", "odrive", "tmcl", "speed_drive")]
    assert type(built.loader).__module__ == "drivers.loaders.instron"
    drive = built.axis[0]
    assert drive.max_speed == pytest.approx(31.41592653589793)
    assert drive.registers.timeout == 6005 and drive.registers.remote == 0x200
    built, problems = read('[[axis]]\nkind = "modbus_drive"\nport = "COM3"\nregisters = {loss_stops = [3, 4]}\n')
    assert problems == [] and built.axis[0].registers.loss_stops == (3, 4)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('max_speed = "10 mm"', "max_speed"),
        ('address = 0', "at least 1"),
        ('parity = "mark"', "none, even, odd"),
        ('gear = 0.0', "more than 0"),
        ('registers = {comand = 8501}', "comand"),
        ('speed = 3', "speed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(line: str, words: str) -> None:
    _, problems = read(f'[[axis]]\nkind = "modbus_drive"\nport = "COM3"\n{line}\n')
    assert len(problems) == 1 and words in problems[0], problems


def test_what_fits_which_table() -> None:
    assert kinds.names("drivers.daq") == ("ni_daq",)
    assert kinds.names("drivers.loaders") == ("instron", "servo_loader")
    assert kinds.names("drivers.axes") == ("modbus_drive", "odrive", "shaker", "speed_drive", "tmcl")
    with pytest.raises(LookupError, match="expected one of modbus_drive, odrive, shaker, speed_drive, tmcl; got 'ni_daq'"):
        kinds.config_class("drivers.axes", "ni_daq")


def test_a_port_is_wanted() -> None:
    _, problems = read('[[axis]]\nkind = "odrive"\n')
    assert len(problems) == 1 and "port" in problems[0]
