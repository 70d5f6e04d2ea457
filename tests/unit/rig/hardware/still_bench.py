"""A bench that stands still behind a served device: a load cell with noise and drift, on a conditioner and on a bridge module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve

CONFIGS = Path(__file__).parents[4] / "configs"
WIRES = {"Dev1/ai0": "force", "Dev2/ai0": "bridge", "Dev1/port1/line1": "hydraulics_on"}
BRIDGE = """
[[channels]]
name = "bridge_force"
unit = "N"
terminal = "Dev2/ai0"
kind = "force_bridge"
range = "25 mV"
[channels.sensor]
sensitivity = "12.5 MN/V"
capacity = "250 kN"
shunt_resistance = "100 kohm"
"""


class Still:
    """Force (N) = zero + drift * t + noise; pressure on or off."""

    analogue_inputs: tuple[str, ...] = ()
    analogue_outputs = ("force", "bridge")
    digital_inputs: tuple[str, ...] = ()
    digital_outputs = ("hydraulics_on",)

    def __init__(self) -> None:
        self.zero, self.drift, self.noise, self.pressure = 0.0, 0.0, 25.0, False
        self._random = np.random.default_rng(1)

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        force = self.zero + self.drift * times + self.noise * self._random.standard_normal(len(times))
        return np.column_stack([force / 25e3, force / 12.5e6])

    def read_lines(self) -> NDArray[np.bool_]:
        return np.array([self.pressure])

    def take_events(self) -> list[tuple[float, str, str]]:
        return []


@contextmanager
def served(folder: Path, bridge: bool = True) -> Iterator[tuple[Still, Path, Engine]]:
    """(what stands still, a bench file of its own that reaches it, the devices)."""
    plant = Still()
    engine = Engine([("Dev1", "PCIe-6363"), ("Dev2", "PXIe-4331")], WIRES, plant, BenchClock("lockstep"))
    server = serve(engine)
    text = (CONFIGS / "benches" / "virtual_loader.toml").read_text(encoding="utf-8")
    path, more = folder / "still.toml", BRIDGE if bridge else ""
    head, plant_part = text.split("[plant]")
    path.write_text(f'address = "127.0.0.1:{server.port}"\n{head}{more}\n[plant]{plant_part}', encoding="utf-8")
    try:
        yield plant, path, engine
    finally:
        server.stop()


def only_line(text: str, begin: str) -> list[str]:
    """Words of the one line that begins so."""
    (line,) = [line for line in text.splitlines() if line.startswith(begin)]
    return line.split()


def error_of(capsys: Any) -> str:
    said: str = capsys.readouterr().err
    assert "Traceback" not in said
    return said
