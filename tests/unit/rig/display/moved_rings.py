"""Rings of the made-up test with what the model tells of its bodies: a linkage whose pins go from one side of their play to the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rig import config
from rig.config.plan import Plan
from rig.display.sources.view_model import Subject
from rig.streaming.ring import RingWriter
from tests.unit.rig.display.display_rings import FREQUENCY, RATE, SUBJECT, Rings

CONFIGS = Path(__file__).parents[4] / "configs"
PLAY = 0.4e-3  # m, of each joint: its clearance circle has half of it as its radius
OFTEN = 1000.0
COLUMNS = {"sample": "1", "upper_link": "m", "middle_link": "m", "lower_link": "m"}
BAND = {"transmitted_force_low": "N", "transmitted_force_high": "N"}
WIDE = 500.0  # N, to each side


def places(sample: np.ndarray) -> np.ndarray:
    """(k, 4): joint A swings by 0.9 of its play, joint B by 1.02, so that it touches at each end."""
    swing = np.sin(2.0 * np.pi * FREQUENCY * sample / RATE)
    middle = 0.5 * PLAY * 0.9 * swing
    return np.column_stack((sample, np.zeros(len(sample)), middle, middle + 0.5 * PLAY * 1.02 * swing))


class MovedRings(Rings):
    """With the streams `motion` and `predicted_band`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name, columns, rate in (("motion", COLUMNS, OFTEN), ("predicted_band", BAND, RATE)):
            self.paths[name] = folder / f"{name}.ring"
            self.writers[name] = RingWriter.create(self.paths[name], list(columns), list(columns.values()), int(10.0 * rate), rate)
        self.told = 0

    def blocks(self, count: int) -> dict[str, np.ndarray]:
        blocks = super().blocks(count)
        force = blocks["predicted_as_measured"][:, :1]
        step = RATE / OFTEN
        rows = np.arange(self.told, int((self.n + count - 1) // step) + 1)
        self.told += len(rows)
        return blocks | {"motion": places(rows * step), "predicted_band": np.hstack((force - WIDE, force + WIDE))}


def planned(folder: Path, experiment: str = "linkage") -> Subject:
    """The made-up test as one of the program's own experiments, whose plan lies in the folder."""
    setup = config.load(CONFIGS / f"experiments/{experiment}.toml")
    Plan("0007-linkage", folder, folder, setup.experiment, setup.bench, "", "").write()
    quantities = {channel.quantity: channel.name for channel in setup.bench.channels}
    return replace(SUBJECT, folder=folder, quantities=quantities, coverage=0.9)


TURN = 1.0 / FREQUENCY  # s of the crank


def four_bar_angles(mechanism: Any, t: np.ndarray) -> dict[str, np.ndarray]:
    """Channels of a four-bar whose pin slides along the lower half of its bush, by 0.5 % of the clearance in it, and flies back.

    Both links close the loop with that gap between them: where two circles meet.
    """
    crank = 2.0 * np.pi * t / TURN
    share = np.mod(t / TURN, 1.0)
    way = np.minimum(share / 0.7, 1.0)
    along = 1.005 * np.exp(1j * np.radians(-170.0 + 160.0 * way))
    back = (share - 0.7).clip(0.0) / 0.3
    flown = along + back * (1.005 * np.exp(1j * np.radians(-170.0)) - along) + 0.9j * back * (1.0 - back)
    gap = mechanism.clearance * np.where(share < 0.7, along, flown)
    reach = mechanism.ground_length - mechanism.crank_length * np.exp(1j * crank) - gap  # of coupler and rocker together
    long, short = mechanism.coupler_length, mechanism.rocker_length
    inside = np.arccos((long**2 + np.abs(reach) ** 2 - short**2) / (2.0 * long * np.abs(reach)))
    coupler = np.angle(reach) + inside
    rocker = np.angle(reach - long * np.exp(1j * coupler))
    return {"crank_angle": crank, "coupler_angle": coupler, "rocker_angle": rocker}
