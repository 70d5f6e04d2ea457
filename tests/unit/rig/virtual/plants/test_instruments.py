"""Further outputs of the frame: what they follow, and their noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants import linkage_frame
from rig.virtual.plants.instrumented_frame import Config, Instrument

CELL = Instrument("cell", of="force_monitor", gain=2e-3, noise=5e-6)
LASER = Instrument("laser", of="stroke_monitor", gain=5.0, offset=-1.0)
RATE = 51_200.0


def sampled(plant, count: int, pieces: int = 1) -> np.ndarray:
    """Outputs (count, outputs) at the first instants of the bench, pressure off."""
    lines = np.zeros(len(plant.digital_inputs), dtype=np.bool_)
    times = np.arange(1, count + 1) / RATE
    return np.concatenate([plant.advance(part, np.zeros((len(part), 1)), lines) for part in np.array_split(times, pieces)])


def test_an_instrument_follows_its_signal() -> None:
    plant = Config(instruments=(CELL, LASER)).create(3)
    frame = linkage_frame.Config().create(3)
    out, own = sampled(plant, 2000), sampled(frame, 2000)
    assert plant.analogue_outputs == (*frame.analogue_outputs, "cell", "laser")
    np.testing.assert_array_equal(out[:, : own.shape[1]], own)
    stroke = own[:, frame.analogue_outputs.index("stroke_monitor")]
    np.testing.assert_allclose(out[:, -1], 5.0 * stroke - 1.0, rtol=1e-15)
    force = own[:, frame.analogue_outputs.index("force_monitor")]
    assert np.std(out[:, -2] - 2e-3 * force) == pytest.approx(5e-6, rel=0.05)


def test_noise_is_white_normal_enough_and_of_its_own() -> None:
    noisy = [replace(CELL, signal=name, gain=0.0, noise=1.0) for name in ("a", "b")]
    n = 100_000
    values = sampled(Config(instruments=tuple(noisy)).create(1), n)[:, -2:]
    spread = 4.0 / np.sqrt(n)  # four standard errors
    assert np.abs(values.mean(axis=0)).max() < spread
    assert np.abs(values.std(axis=0) - 1.0).max() < spread
    assert np.abs((values**4).mean(axis=0) - (3.0 - 1.2 / 8)).max() < 4.0 * np.sqrt(96.0 / n)  # excess kurtosis of a sum of eight
    assert abs(np.corrcoef(values.T)[0, 1]) < spread
    assert abs(np.corrcoef(values[1:, 0], values[:-1, 0])[0, 1]) < spread


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_noise_does_not_depend_on_how_time_is_cut(seed: int) -> None:
    whole = sampled(Config(instruments=(CELL,)).create(seed), 1000)
    cut = sampled(Config(instruments=(CELL,)).create(seed), 1000, pieces=7)
    np.testing.assert_array_equal(whole, cut)


@pytest.mark.parametrize(
    ("instruments", "words"),
    [
        ((replace(CELL, of="forces"),), ("cell", "'forces'", "force_monitor")),
        ((CELL, CELL), ("more than one", "'cell'")),
        ((replace(CELL, signal="stroke_monitor"),), ("more than one", "'stroke_monitor'")),
    ],
)
def test_an_instrument_that_cannot_be(instruments, words) -> None:
    with pytest.raises(ValueError, match="instruments:") as caught:
        Config(instruments=instruments)
    for word in words:
        assert word in str(caught.value)
