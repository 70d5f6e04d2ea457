"""A client of the frame, at the level of volts and lines."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame.frame import LinkageFrame

RATE = 51200.0
BLOCK = 512


class Client:
    """Sets lines by name, plays a command, beats once a block; times are whole samples from the start."""

    def __init__(self, config: Config, seed: int = 1, rate: float = RATE) -> None:
        self.plant: LinkageFrame = config.create(seed)
        self.config, self.rate = config, rate
        self.n = 0
        self.beats = True
        self.events: list[tuple[float, str, str]] = []
        self._lines = dict.fromkeys(self.plant.digital_inputs, False)

    @property
    def time(self) -> float:
        """Bench time in s."""
        return self.n / self.rate

    def set(self, **lines: bool) -> None:
        """Write lines now."""
        self._lines.update(lines)
        self._advance(np.array([self.time]), np.zeros(1))

    def get(self, line: str) -> bool:
        """Read one line now."""
        return bool(self.plant.read_lines()[self.plant.digital_outputs.index(line)])

    def ready(self, mode_stroke: bool = False) -> Client:
        """Pressure up, interlock closed, program off."""
        self.set(hydraulics=True, mode_stroke=mode_stroke, interlock=False, program_run=False)
        self.set(interlock=True)
        return self

    def run(self, duration: float, command: Callable[[NDArray[np.float64]], NDArray[np.float64]] | float = 0.0) -> NDArray[np.float64]:
        """Play `command` (V, of the bench time) for `duration` s: (m, signals) in V at the samples behind the present one."""
        end = round((self.time + duration) * self.rate)
        parts = []
        while self.n < end:
            block = np.arange(self.n + 1, min(self.n + BLOCK, end) + 1) / self.rate
            if self.beats:
                self._lines["heartbeat"] = not self._lines["heartbeat"]
            volts = command(block) if callable(command) else np.full(len(block), command)
            parts.append(self._advance(block, volts))
            self.n += len(block)
        return np.concatenate(parts)

    def texts(self) -> list[str]:
        """What the controller said since the last call."""
        texts, self.events = [text for _, _, text in self.events], []
        return texts

    def _advance(self, times: NDArray[np.float64], volts: NDArray[np.float64]) -> NDArray[np.float64]:
        out = self.plant.advance(times, volts[:, np.newaxis], np.array([*self._lines.values()]))
        self.events += self.plant.take_events()
        return out


@pytest.fixture
def client() -> type[Client]:
    """Make one with `client(Config(...), seed)`."""
    return Client
