"""What is behind the terminals: output levels, digital lines, wiring and plant. Called under the engine's lock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.products import Product
from drivers.simulated.plant import Plant

Block = NDArray[np.float64]

NOMINAL_BRIDGE = 350.0
SAMPLE_CODE = "sample_code"
"""Built-in signal: volts = -10 + (n mod 65536) * 20 / 65536 for sample n, one code of a 16-bit +-10 V converter a sample."""


@dataclass(frozen=True)
class Source:
    """What an analogue input sees: `plant` (column of its outputs), `output` (terminal), `code` or `open`."""

    kind: str
    column: int = 0
    terminal: str = ""


class Board:
    """Levels and lines of all devices, and the plant they are wired to.

    `wiring` maps terminals (`Dev1/ai0`, `Dev1/ao0`, `Dev1/port0/line0`) to signals of the plant, to `sample_code`, or to another
    terminal (a loopback wire from an output to an input). Raises ValueError naming every wire that has no end.
    """

    def __init__(self, devices: Mapping[str, Product], wiring: Mapping[str, str], plant: Plant) -> None:
        self.plant = plant
        self.levels: dict[str, float] = {}
        self.lines: dict[str, bool] = {}
        self.inputs: set[str] = set()
        self.bridges: dict[str, float] = {}
        """Terminal of a bridge input -> resistance (ohm) of the bridge that hangs there, where it is not NOMINAL_BRIDGE."""
        self._wires = {terminal(t): signal for t, signal in wiring.items()}
        for name, product in devices.items():
            self._add(terminal(name), product)
        self._check(wiring)
        self._driving = [self._terminal_of(signal, self.levels) for signal in plant.analogue_inputs]
        self._pulling = [self._terminal_of(signal, self.lines) for signal in plant.digital_inputs]

    def _add(self, device: str, product: Product) -> None:
        if product.inputs is not None:
            self.inputs |= {f"{device}/ai{n}" for n in range(product.inputs.channels)}
        if product.outputs is not None:
            self.levels |= {f"{device}/ao{n}": 0.0 for n in range(product.outputs.channels)}
        for port, lines in enumerate(product.ports):
            self.lines |= {f"{device}/port{port}/line{n}": False for n in range(lines)}

    def _check(self, wiring: Mapping[str, str]) -> None:
        signals = {*self.plant.analogue_inputs, *self.plant.analogue_outputs, *self.plant.digital_inputs, *self.plant.digital_outputs}
        known = {*self.inputs, *self.levels, *self.lines}
        wrong = [
            f"{end}: no such terminal" for end in wiring if terminal(end) not in known
        ] + [
            f"{end} -> {signal}: no such signal" for end, signal in wiring.items()
            if signal != SAMPLE_CODE and signal not in signals and terminal(signal) not in known
        ]  # fmt: skip
        if wrong:
            raise ValueError("wiring: " + "; ".join(wrong))

    def _terminal_of(self, signal: str, terminals: Mapping[str, object]) -> str | None:
        return next((t for t, s in self._wires.items() if s == signal and t in terminals), None)

    def reset(self, device: str) -> None:
        """Outputs of a device to 0 V, lines to low."""
        head = terminal(device) + "/"
        self.levels.update(dict.fromkeys((t for t in self.levels if t.startswith(head)), 0.0))
        self.lines.update(dict.fromkeys((t for t in self.lines if t.startswith(head)), False))

    # -- analogue ------------------------------------------------------------------------------------------------------------------

    def source(self, physical: str) -> Source:
        """What the analogue input `Dev1/ai0` or the internal channel `Dev1/_ao0_vs_aognd` sees."""
        name = terminal(physical)
        device, _, channel = name.rpartition("/")
        if channel.startswith("_ao"):
            return Source("output", terminal=f"{device}/{channel[1:].partition('_')[0]}")
        signal = self._wires.get(name)
        if signal == SAMPLE_CODE:
            return Source("code")
        if signal in self.plant.analogue_outputs:
            return Source("plant", column=self.plant.analogue_outputs.index(signal))
        if signal is not None and terminal(signal) in self.levels:
            return Source("output", terminal=terminal(signal))
        return Source("open")

    def bridge(self, physical: str) -> float:
        """Resistance (ohm) of the bridge at an input."""
        return self.bridges.get(terminal(physical), NOMINAL_BRIDGE)

    def advance(self, grid: Block, levels: Mapping[str, Block]) -> Block:
        """Plant outputs (m, outputs) at the instants `grid`; `levels` (m,) of the outputs that change on the way."""
        volts = np.zeros((len(grid), len(self._driving)))
        for column, name in enumerate(self._driving):
            if name is not None:
                volts[:, column] = levels[name] if name in levels else self.levels[name]
        return self.plant.advance(grid, volts, self._plant_lines())

    def _plant_lines(self) -> NDArray[np.bool_]:
        return np.array([name is not None and self.lines[name] for name in self._pulling], dtype=np.bool_)

    # -- digital -------------------------------------------------------------------------------------------------------------------

    def line_level(self, name: str, driven: set[str]) -> bool | None:
        """State of a line now; None when nothing is connected to it. `driven`: lines that a task has."""
        return self.read_line(name, self.plant.read_lines(), name in driven)

    def read_line(self, name: str, outputs: NDArray[np.bool_], driven: bool) -> bool | None:
        """State of a line; None when nothing is connected to it. `driven`: a task or a watchdog drives it."""
        signal = self._wires.get(name)
        if signal in self.plant.digital_outputs:
            return bool(outputs[self.plant.digital_outputs.index(signal)])
        if driven:
            return self.lines[name]
        if signal is not None and terminal(signal) in self.lines:
            return self.lines[terminal(signal)]
        return None
