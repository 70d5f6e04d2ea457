"""A preparation against the plant itself, in this process: driver, session and stages are the real ones, only the DAQ device is short.

The truth is looked at every few samples, in the plant's own state and not in what its monitors show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from drivers.loaders.servo_loader import Config as LoaderConfig
from drivers.loaders.servo_loader import Preparation, ServoLoader
from rig.errors import BenchRefused
from rig.preparation.settings import Settings
from rig.virtual.plants.linkage_frame import Config
from rig.workers.bench.equipment import AT_ONCE
from rig.workers.bench.preparation import Bench, Preparing

RATE, BLOCK, LOOK = 51200.0, 512, 16
FORCE_VOLT, STROKE_VOLT, CODE = 25e3, 5e-3, 20.0 / 65536
FULL_SCALE = 250e3
LINES = {"program": "program_run"}


class PlantDaq:
    """One output by hand, two inputs, lines: on a plant whose clock stands still between two reads."""

    def __init__(self, config: Config, seed: int) -> None:
        self.plant = config.create(seed)
        self.n, self.volts, self.force = 0, 0.0, 0.0  # `force`: the largest there really was, N
        self._lines = dict.fromkeys(self.plant.digital_inputs, False)

    def read(self, blocks: int = 1) -> np.ndarray:
        """The next blocks (blocks BLOCK, 2): force, stroke."""
        return self._pass(blocks * BLOCK)

    def _pass(self, samples: int) -> np.ndarray:
        """Device time: a multiple of LOOK samples (samples, 2)."""
        parts = [np.empty((0, 6))]
        for first in range(self.n, self.n + samples, LOOK):
            parts.append(self._advance(np.arange(first + 1, first + LOOK + 1) / RATE))
            self.force = max(self.force, abs(float(self.plant.state[0]["f_tr"])), abs(float(self.plant.state[0]["feedback"])))
        self.n += samples
        out = np.concatenate([part[:, [0, 2]] for part in parts])
        return out * [FORCE_VOLT, STROKE_VOLT]

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


class LateDaq(PlantDaq):
    """Each call takes `takes` samples of the device's time, whatever it fetches: a computer that is too slow for a call a block."""

    def __init__(self, config: Config, seed: int, takes: int) -> None:
        super().__init__(config, seed)
        self._takes, self._kept, self.most = takes, np.empty((0, 2)), 0

    def read(self, blocks: int = 1) -> np.ndarray:
        self._go_on(max(self._takes, blocks * BLOCK - len(self._kept)))
        self.most = max(self.most, len(self._kept))
        out, self._kept = np.split(self._kept, [blocks * BLOCK])
        return out

    def set_output(self, volts: float) -> None:
        self._go_on(self._takes)
        super().set_output(volts)

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self._go_on(self._takes)
        super().write_lines(states)

    def samples_waiting(self) -> int:
        self._go_on(self._takes)
        return len(self._kept)

    def _go_on(self, samples: int) -> None:
        self._kept = np.concatenate([self._kept, self._pass(-(-samples // LOOK) * LOOK)])


class StallingDaq(LateDaq):
    """As a computer that stands still now and then: one call in so many waits for up to `longest` samples, before or after its work."""

    OFTEN = 100  # calls from one to the next, in the middle

    def __init__(self, config: Config, seed: int, longest: int) -> None:
        super().__init__(config, seed, LOOK)
        self._random, self._longest = np.random.default_rng(seed), longest

    def set_output(self, volts: float) -> None:
        super().set_output(volts)
        self._go_on(LOOK)

    def _go_on(self, samples: int) -> None:
        if self._random.random() < 1.0 / self.OFTEN:
            samples += int(self._random.integers(BLOCK, self._longest))
        super()._go_on(samples)


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


def prepare(
    config: Config, seed: int = 1, mode: str = "force", call_off_after: int | None = None, daq: PlantDaq | None = None, **table: float
) -> Prepared:
    """A whole preparation, with `table` in the loader's [preparation]; `call_off_after` blocks somebody presses Ctrl-C."""
    daq, rows, notes = daq or PlantDaq(config, seed), Rows(), []
    loader = ServoLoader(LoaderConfig(hydraulics_high="Dev1/port0/line5"), daq, mode)
    settings = Settings.from_shares(Preparation(**table), FULL_SCALE, 0.050, BLOCK, RATE)
    session = Preparing(Bench(daq, loader, rows, 0, 1, 0.0, lambda: None), settings, mode, notes.append)
    session.begin()
    name = text = ""
    for block in range(2000):
        if block == call_off_after:
            session.call_off()
        try:
            session.take(daq.read(min(max(1, session.behind), AT_ONCE)))
        except BenchRefused as error:
            name, text = error.name, error.text
            loader.trip()
            session.refuse()
        if session.ready:
            session.conclude()
        if session.done:
            break
        if not name and not daq.read_lines()["interlock_ok"]:
            name, text = "interlock", "opened by the controller"
            break
        loader.beat()
    events = [event for _, _, event in daq.plant.take_events()]
    return Prepared(name, text, notes, daq.force, np.concatenate(rows), session, daq, events)
