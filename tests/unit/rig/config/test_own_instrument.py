"""An instrument of the user's own with its device side: two files in a folder outside the program, and a bench file that names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.errors import NoReply
from drivers.simulated.clock import BenchClock
from drivers.simulated.serial.serial_side import Fault, SerialSide
from rig import config
from tests.unit.rig.own_folder import own_room

ROOT = Path(__file__).parents[4]
BENCH = ROOT / "configs" / "benches" / "virtual_slider_bar.toml"
DRIVER = """
from dataclasses import dataclass, field
from drivers.errors import BadReply
from drivers.instruments.instrument import InstrumentSettings
from drivers.serial.serial_line import Line, SerialLine

@dataclass(frozen=True)
class Config(InstrumentSettings):
    port: str = field(metadata={"doc": "COM3, /dev/ttyUSB0, or socket://HOST:PORT"})

    def create(self, name="scales"):
        return Scales(self, name)

class Scales:
    unit = "kg"

    def __init__(self, config, name):
        self.name = name
        self.line = SerialLine(Line(config.port, 9600, timeout=0.2, mirrored=False), f"{name} (scales)")

    def connect(self):
        self.line.open()

    def identity(self):
        return f"scales, {self.read():g} kg on them"

    def read(self):
        return self.line.exchange(b"W\\r", parse)

    def close(self):
        return self.line.close()

def parse(data):
    if not data.endswith(b"\\r\\n"):
        return None
    try:
        number, unit = data.split()
        return float(number) * {b"kg": 1.0, b"g": 1e-3}[unit]
    except (ValueError, KeyError):
        raise BadReply("expected a mass as '1.234 kg'") from None
"""
SIDE = """
from dataclasses import dataclass, field
from drivers.simulated.instruments.instrument_side import InstrumentSide, InstrumentSideSettings

@dataclass(frozen=True)
class Config(InstrumentSideSettings):
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2", "over": 0.0})

    def create(self, name="scales"):
        return ScalesSide(self.gravity, name)

class ScalesSide(InstrumentSide):
    def __init__(self, gravity, name):
        super().__init__(name)
        self.gravity, self.weight = gravity, 0.0

    def look(self, value):
        self.weight = value

    def tick(self, step):
        pass

    def receive(self, data):
        return f"{1e3 * self.weight / self.gravity:.1f} g\\r\\n".encode() if data.endswith(b"W\\r") else b""
"""
TABLES = """
[[instruments]]
name = "scales"
[instruments.device]
kind = "lab_scales"
port = "virtual:line"

[[serial]]
name = "line"
kind = "instrument"
signal = "friction"
per_volt = 2.0
[serial.device]
kind = "lab_scales"
gravity = "10 m/s^2"
"""


def test_both_ends_of_the_line(tmp_path: Path) -> None:
    with own_room("drivers.instruments", tmp_path / "a") as drivers, own_room("drivers.simulated.instruments", tmp_path / "a") as sides:
        (drivers / "lab_scales.py").write_text(DRIVER)
        (sides / "lab_scales.py").write_text(SIDE)
        file = tmp_path / "bench.toml"
        file.write_text(BENCH.read_text() + TABLES)
        bench = config.load_bench(file, [])[0]
        entry = next(entry for entry in bench.serial if entry.name == "line")
        assert entry.device is not None
        with SerialSide(entry.device.create(entry.name), BenchClock("lockstep")) as side:
            scales = type(bench.instruments[0].device)(side.url).create("scales")
            scales.connect()
            side.device.look(25.0)  # type: ignore[attr-defined]
            side.advance(0.1)
            assert scales.read() == pytest.approx(2.5), "25 N where the bench file says g = 10 m/s^2"
            assert scales.identity() == "scales, 2.5 kg on them"
            side.fault = Fault("silent")
            with pytest.raises(NoReply, match=r"^scales \(scales\) at socket://"):
                scales.read()
            assert scales.close() == []
