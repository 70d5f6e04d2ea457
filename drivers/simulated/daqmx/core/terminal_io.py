"""What is behind the terminals: output levels, digital lines, wiring and plant. Called under the engine's lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.files.tables import meant
from drivers.simulated.daqmx.core.edges import Edges
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.plant_edges import PlantEdges
from drivers.simulated.daqmx.products import Product
from drivers.simulated.plant.plant import CoupledSource, Plant
from drivers.simulated.signals.played import Played, PlayedEdges

Block = NDArray[np.float64]

NOMINAL_BRIDGE = 350.0
SAMPLE_CODE = "sample_code"
"""Built-in signal: volts = -10 + (n mod 65536) * 20 / 65536 for sample n, one code of a 16-bit +-10 V converter a sample."""


@dataclass(frozen=True)
class Source:
    """What an analogue input sees: `plant` (column of its outputs), `output` (terminal), `played`, `code` or `open`."""

    kind: str
    column: int = 0
    terminal: str = ""
    played: Played | None = None


class Board:
    """Levels and lines of all devices, and the plant they are wired to.

    `wiring` maps terminals (`Dev1/ai0`, `Dev1/ao0`, `Dev1/port0/line0`) to signals of the plant, to `sample_code`, or to another
    terminal (a loopback wire from an output to an input). `signals` are played to inputs, by terminal. Raises ValueError naming every
    wire that has no end.
    """

    def __init__(
        self, devices: Mapping[str, Product], wiring: Mapping[str, str], plant: Plant, signals: Mapping[str, Played | PlayedEdges]
    ) -> None:
        self.plant = plant
        self.edges = PlantEdges(plant)
        self.levels: dict[str, float] = {}
        self.lines: dict[str, bool] = {}
        self.held: set[str] = set()
        """Lines that their devices drive though no task may have them: what a task or a power-up state made of them."""
        self.inputs: set[str] = set()
        self.bridges: dict[str, float] = {}
        """Terminal of a bridge input -> resistance (ohm) of the bridge that hangs there, where it is not NOMINAL_BRIDGE."""
        self.cut: set[str] = set()
        """Terminals of analogue inputs whose sensor, or the wire to it, is broken."""
        self.wires = {terminal(t): signal for t, signal in wiring.items()}
        self.terminals: set[str] = set()
        self.seen = dict(zip(plant.digital_outputs, map(bool, plant.read_lines()), strict=True))
        self.heard = True
        """Whether anybody has asked in the present piece of time for a line that the plant drives."""
        for name, product in devices.items():
            self._add(terminal(name), product)
        self._check(wiring)
        self._check_played(signals)
        self._played = {terminal(end): signal for end, signal in signals.items() if isinstance(signal, Played)}
        self.played_edges = {terminal(end): signal for end, signal in signals.items() if isinstance(signal, PlayedEdges)}
        self._driving = [self._terminal_of(signal, self.levels) for signal in plant.analogue_inputs]
        self._pulling = [self._terminal_of(signal, self.lines) for signal in plant.digital_inputs]

    def _add(self, device: str, product: Product) -> None:
        self.terminals |= {f"{device}/{name.lower()}" for name in product.terminals}
        if product.inputs is not None:
            self.inputs |= {f"{device}/{name.lower()}" for name in product.inputs.names}
        if product.outputs is not None:
            self.levels |= {f"{device}/ao{n}": 0.0 for n in range(product.outputs.channels)}
        for port, lines in enumerate(product.ports):
            self.lines |= {f"{device}/port{port}/line{n}": False for n in range(lines)}

    def _check(self, wiring: Mapping[str, str]) -> None:
        plant = self.plant
        signals = {*plant.analogue_inputs, *plant.analogue_outputs, *plant.digital_inputs, *plant.digital_outputs, *self.edges.names}
        known = {*self.inputs, *self.levels, *self.lines, *self.terminals}
        wrong = [
            f"{end}: no such terminal" for end in wiring if terminal(end) not in known
        ] + [
            f"{end} -> {signal}: no such signal of the plant{meant(signal, sorted(signals) or ['none'])}" for end, signal in wiring.items()
            if signal != SAMPLE_CODE and signal not in signals and terminal(signal) not in known
        ]  # fmt: skip
        ends = Counter(terminal(end) for end in wiring)
        wrong += [f"{end} is wired {n} times, expected once" for end, n in ends.items() if n > 1]
        if not wrong:
            wrong = [f"{end} -> {signal}: {why}" for end, signal in wiring.items() if (why := self._drives_nothing(terminal(end), signal))]
        if wrong:
            raise ValueError("wiring: " + "; ".join(wrong))

    def _check_played(self, signals: Mapping[str, Played | PlayedEdges]) -> None:
        digital = {*self.lines, *self.terminals} - self.inputs
        wrong = [
            f"{end} is no {'digital terminal' if isinstance(signal, PlayedEdges) else 'analogue input'}" for end, signal in signals.items()
            if terminal(end) not in (digital if isinstance(signal, PlayedEdges) else self.inputs)
        ] + [f"{end} has a wire as well" for end in signals if terminal(end) in self.wires]  # fmt: skip
        if wrong:
            raise ValueError("signals: " + "; ".join(wrong))

    def _drives_nothing(self, end: str, signal: str) -> str:
        """Why a wire whose ends are there is none; an empty text where it is one."""
        other = terminal(signal)
        if other == end:
            return "both ends are the same terminal"
        if other in self.inputs:
            return f"{signal} is an input, which drives nothing"
        if end in self.inputs and (other in self.lines or other in self.terminals):
            return f"{signal} is a digital terminal, {end} an analogue input"
        seen = {end}
        while other in self.wires:
            if other in seen:
                return "these wires run in a circle"
            seen.add(other)
            other = terminal(self.wires[other])
        return "these wires run in a circle" if other in seen else ""

    def _terminal_of(self, signal: str, terminals: Mapping[str, object]) -> str | None:
        return next((t for t, s in self.wires.items() if s == signal and t in terminals), None)

    def reset(self, device: str) -> None:
        """Outputs of a device to 0 V, lines to low, driven by nobody."""
        head = terminal(device) + "/"
        self.levels.update(dict.fromkeys((t for t in self.levels if t.startswith(head)), 0.0))
        self.lines.update(dict.fromkeys((t for t in self.lines if t.startswith(head)), False))
        self.held -= {t for t in self.held if t.startswith(head)}

    # -- analogue ------------------------------------------------------------------------------------------------------------------

    def source(self, physical: str) -> Source:
        """What the analogue input `Dev1/ai0` or the internal channel `Dev1/_ao0_vs_aognd` sees."""
        name = terminal(physical)
        device, _, channel = name.rpartition("/")
        if channel.startswith("_ao"):
            return Source("output", terminal=f"{device}/{channel[1:].partition('_')[0]}")
        if name in self._played:
            return Source("played", played=self._played[name])
        signal = self.wires.get(name)
        if signal == SAMPLE_CODE:
            return Source("code")
        if signal in self.plant.analogue_outputs:
            return Source("plant", column=self.plant.analogue_outputs.index(signal))
        if signal is not None and terminal(signal) in self.levels:
            return Source("output", terminal=terminal(signal))
        return Source("open")

    def is_direct(self, source: Source) -> bool:
        """Whether a source can have a direct voltage: not a plant's signal that has been through a coupling already, nor an open input."""
        coupled = self.plant.alternating if isinstance(self.plant, CoupledSource) else ()
        return source.kind not in ("open", "code") and not (
            source.kind == "plant" and self.plant.analogue_outputs[source.column] in coupled
        )

    def bridge(self, physical: str) -> float:
        """Resistance (ohm) of the bridge at an input."""
        return self.bridges.get(terminal(physical), NOMINAL_BRIDGE)

    def advance(self, grid: Block, levels: Mapping[str, Block], lines: Mapping[str, Edges] | None = None) -> Block:
        """Plant outputs (m, outputs) at the instants `grid`; `levels` (m,) and `lines` of the outputs that change on the way."""
        volts = np.zeros((len(grid), len(self._driving)))
        for column, name in enumerate(self._driving):
            if name is not None:
                volts[:, column] = levels[name] if name in levels else self.levels[name]
        moving = {name: lines[name] for name in self._pulling if name and lines and name in lines and not lines[name].steady}
        if not moving:
            return self._play(grid, volts)
        return self._advance_in_parts(grid, volts, moving)

    def _advance_in_parts(self, grid: Block, volts: Block, moving: Mapping[str, Edges]) -> Block:
        """The plant takes lines that are constant over a call: as many calls as there are changes on the way."""
        cuts = np.unique(np.concatenate([np.concatenate([e.rises, e.falls]) for e in moving.values()]))
        rows, parts = np.searchsorted(grid, cuts), []
        for first, last, cut in zip([0, *rows], [*rows, len(grid)], [-np.inf, *cuts], strict=True):
            # A change on the way between two instants: up to it with the old lines, from it on with the new ones.
            self.lines.update({name: bool(edges.at(np.array([cut]), behind=True)[0]) for name, edges in moving.items()})
            if first < last:
                parts.append(self._play(grid[first:last], volts[first:last]))
            following = next((c for c in cuts if c > cut), None)
            if following is not None and last < len(grid) and grid[last] > following:
                self._play(np.array([following]), volts[last : last + 1])
        return np.concatenate(parts)

    def _play(self, grid: Block, volts: Block) -> Block:
        found = self.plant.advance(grid, volts, self._plant_lines())
        self.edges.take(float(grid[-1]))
        return found

    def _plant_lines(self) -> NDArray[np.bool_]:
        return np.array([name is not None and self.lines[name] for name in self._pulling], dtype=np.bool_)

    # -- digital -------------------------------------------------------------------------------------------------------------------

    def is_plant_line(self, signal: str) -> bool:
        """Whether a wire's end is a line that the plant drives."""
        return signal in self.plant.digital_outputs or signal in self.edges.names

    def plant_line(self, signal: str, played: bool) -> Edges:
        """A line that the plant drives, as it was when somebody last looked; where edges have exact times, with those of the piece of
        time that the plant has gone through (`played`)."""
        if signal in self.seen:
            self.heard = True
            return Edges(self.seen[signal])
        return self.edges.over(signal) if played else Edges(self.edges.level(signal))

    def look(self) -> dict[str, bool]:
        """Look at the plant's lines: those that have changed since the last look, and to what."""
        states = dict(zip(self.plant.digital_outputs, map(bool, self.plant.read_lines()), strict=True))
        moved = {name: state for name, state in states.items() if self.seen[name] != state}
        self.seen = states
        return moved
