"""Rings of a made-up test for the window: a sine with impacts at each reversal, predicted a little too high."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.display.sources.view_model import ShownChannel, Subject
from rig.streaming.ring import RingWriter

RATE = 51200.0
FREQUENCY = 3.0
AMPLITUDE = 10e3
STREAMS = {
    "command": {"value": "N", "phase": "rad", "cycle": "1"},
    "measured": {"transmitted_force": "N", "stroke": "m", "actuator_force": "N"}
    | {f"acceleration_{i}": "m/s^2" for i in (1, 2, 3)}
    | {"spare": "V", "index_code": "V"},
    "predicted_as_measured": {"transmitted_force": "N", "stroke": "m", "acceleration_1": "m/s^2"},
}
SUBJECT = Subject(
    run="0007-linkage",
    title="Two clearance joints, 0.4 mm, 10 kN, 3 Hz",
    force="transmitted_force",
    stroke="stroke",
    stroke_predicted=True,
    command_unit="N",
    command_scale=AMPLITUDE,
    channels=(
        ShownChannel("transmitted_force", "N", -60e3, 60e3, 250e3, "at least -60000 N, at most 60000 N: interlock"),
        ShownChannel("stroke", "m", -2.5e-4, 2.5e-4, 0.05, "at least -0.00025 m, at most 0.00025 m: interlock"),
        ShownChannel("actuator_force", "N", scale=260e3),
        *(ShownChannel(f"acceleration_{i}", "m/s^2", scale=1000.0) for i in (1, 2, 3)),
        ShownChannel("spare", "V"),
        ShownChannel("index_code", "V", scale=10.0),
    ),
    cycles=180,
    late=0.2,
    measured_delay=0.0,
    rate=RATE,
)


def force(t: np.ndarray, impact: float) -> np.ndarray:
    """Commanded sine, no force for 12 ms after each reversal, then a ringing impact."""
    since = np.mod(t * 2.0 * FREQUENCY, 1.0) / (2.0 * FREQUENCY) - 0.012
    wave = AMPLITUDE * np.sin(2.0 * np.pi * FREQUENCY * t)
    ringing = impact * np.exp(-np.maximum(since, 0.0) / 0.012) * np.cos(2.0 * np.pi * 170.0 * since)
    return np.where(since > 0.0, wave + np.sign(wave) * ringing, 0.0)


def crossing(t: np.ndarray) -> np.ndarray:
    """The play: from one side to the other in the 12 ms after each reversal, -1 to 1."""
    turns = t * 2.0 * FREQUENCY
    share = np.minimum(np.mod(turns, 1.0) / (2.0 * FREQUENCY * 0.012), 1.0)
    return np.where(np.mod(turns, 2.0) < 1.0, 1.0, -1.0) * (2.0 * share**2 * (3.0 - 2.0 * share) - 1.0)


class Rings:
    """Writers of the three streams that the window reads."""

    def __init__(self, folder: Path, seconds: float = 10.0) -> None:
        self.paths = {name: folder / f"{name}.ring" for name in STREAMS}
        self.n = 0
        self._random = np.random.default_rng(1)
        capacity = int(seconds * RATE)
        self.writers = {
            name: RingWriter.create(self.paths[name], list(channels), list(channels.values()), capacity, RATE)
            for name, channels in STREAMS.items()
        }

    def blocks(self, count: int) -> dict[str, np.ndarray]:
        """The next `count` samples of every stream."""
        n = np.arange(self.n, self.n + count)
        t = n / RATE
        angle = 2.0 * np.pi * FREQUENCY * t
        columns: dict[str, list[np.ndarray]] = {"command": [AMPLITUDE * np.sin(angle), angle, np.floor(FREQUENCY * t)]}
        for name, impact, noise in (("measured", 8.5e3, 1.0), ("predicted_as_measured", 8.8e3, 0.0)):
            load = force(t, impact) + self._random.normal(0.0, 25.0 * noise, count)
            stroke = 2e-4 * crossing(t) + 4e-9 * load
            shaken = force(t, 40.0 * impact) / 60.0
            rest = [load, *(share * shaken for share in (0.01, 0.12, 0.008)), np.zeros(count), n % 65536 * 20.0 / 65536 - 10.0]
            if name == "predicted_as_measured":
                rest = rest[1:2]
            columns[name] = [load, stroke, *rest]
        return {name: np.stack(parts, axis=1) for name, parts in columns.items()}

    def append(self, count: int, without: tuple[str, ...] = ()) -> None:
        """Publish the next `count` samples of every stream but those `without`."""
        for name, block in self.blocks(count).items():
            if name not in without:
                self.writers[name].append(block)
        self.n += count

    def close(self) -> None:
        for writer in self.writers.values():
            writer.close()
