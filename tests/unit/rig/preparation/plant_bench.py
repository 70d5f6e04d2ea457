"""A preparation against the plant itself, in this process: driver, session and stages are the real ones, only the DAQ device is short.

The truth is looked at every few samples, in the plant's own state and not in what its monitors show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from drivers.servo_loader import Config as LoaderConfig
from drivers.servo_loader import Preparation, ServoLoader
from rig.errors import BenchRefused
from rig.plants.linkage_frame import Config, create
from rig.preparation.settings import Settings
from rig.workers.preparing import Bench, Preparing

RATE, BLOCK, LOOK = 51200.0, 512, 16
FORCE_VOLT, STROKE_VOLT, CODE = 25e3, 5e-3, 20.0 / 65536
FULL_SCALE = 250e3
LINES = {"program": "program_run"}


class PlantDaq:
    """One output by hand, two inputs, lines: on a plant whose clock stands still between two reads."""

    def __init__(self, config: Config, seed: int) -> None:
        self.plant = create(config, seed)
        self.n, self.volts, self.force = 0, 0.0, 0.0  # `force`: the largest there really was, N
        self._lines = dict.fromkeys(self.plant.digital_inputs, False)

    def read(self) -> np.ndarray:
        """The next block (BLOCK, 2): force, stroke."""
        parts = []
        for first in range(self.n, self.n + BLOCK, LOOK):
            parts.append(self._advance(np.arange(first + 1, first + LOOK + 1) / RATE))
            self.force = max(self.force, abs(float(self.plant.state[0]["f_tr"])), abs(float(self.plant.state[0]["feedback"])))
        self.n += BLOCK
        out = np.concatenate(parts)
        return out[:, [0, 2]] * [FORCE_VOLT, STROKE_VOLT]

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self._lines.update({LINES.get(name, name): state for name, state in states.items()})
        self._advance(np.array([self.n / RATE]))

    def read_lines(self) -> dict[str, bool]:
        return dict(zip(self.plant.digital_outputs, map(bool, self.plant.read_lines()), strict=True))

    def hold_output(self, volts: float) -> None:
        self.set_output(volts)

    def set_output(self, volts: float) -> None:
        self.volts = round(volts / CODE) * CODE

    def samples_waiting(self) -> int:
        return 0

    def start_inputs(self) -> None:
        pass

    def stop_inputs(self) -> None:
        pass

    def release_output(self) -> None:
        pass

    def _advance(self, times: np.ndarray) -> np.ndarray:
        return self.plant.advance(times, np.full((len(times), 1), self.volts), np.array([*self._lines.values()]))


class Rows(list):
    """Stands for the ring."""


@dataclass
class Prepared:
    """How it went: the name of what was refused ("" where nothing was), the notes, the largest true force, N, rows (n, 5)."""

    name: str
    text: str
    notes: list[str]
    largest: float
    rows: np.ndarray
    session: Preparing
    daq: PlantDaq
    events: list[str] = field(default_factory=list)


def prepare(config: Config, seed: int = 1, mode: str = "force", call_off_after: int | None = None, **table: float) -> Prepared:
    """A whole preparation, with `table` in the loader's [preparation]; `call_off_after` blocks somebody presses Ctrl-C."""
    daq, rows, notes = PlantDaq(config, seed), Rows(), []
    loader = ServoLoader(LoaderConfig(hydraulics_high="Dev1/port0/line5"), daq, mode)
    settings = Settings.of(Preparation(**table), FULL_SCALE, 0.050, BLOCK, RATE)
    session = Preparing(Bench(daq, loader, rows, 0, 1, 0.0), settings, mode, notes.append)
    session.begin()
    name = text = ""
    for block in range(2000):
        if block == call_off_after:
            session.call_off()
        try:
            session.take(daq.read())
        except BenchRefused as error:
            name, text = error.name, error.text
            loader.trip()
            session.refuse()
        if session.done:
            break
        loader.beat()
    events = [event for _, _, event in daq.plant.take_events()]
    return Prepared(name, text, notes, daq.force, np.concatenate(rows), session, daq, events)
