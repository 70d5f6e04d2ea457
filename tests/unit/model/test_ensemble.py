"""Ensembles: members are what they would be alone, the same for the same seed, and the band holds them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model.ensemble import Ensemble, Spread, band, drawn
from model.errors import ModelError, NotConverged
from model.integrators import dop853
from model.mechanisms import linkage

RATE = 20e3  # Hz
SPREADS = (Spread("clearance", 0.05, 0.0), Spread("contact.restitution", 0.0, 0.02))
COMMAND = 10e3 * np.sin(2.0 * np.pi * 5.0 * np.arange(2200) / RATE)
CONFIG = linkage.Config(load_source="flow_limited")


def stepper(config: linkage.Config) -> object:
    return config.create(dop853.Config(tolerance=1e-6), RATE)


def run(ensemble: Ensemble, block: int, **start: float) -> np.ndarray:
    ensemble.start(COMMAND[: ensemble.lookahead], **start)
    rest = COMMAND[ensemble.lookahead :]
    parts = [ensemble.advance(rest[first : first + block]) for first in range(0, len(rest), block)]
    ensemble.close()
    return np.concatenate(parts, axis=1)


def test_members_are_spread_evenly_within_the_bounds_and_by_the_seed_alone() -> None:
    members = drawn(CONFIG, SPREADS, 400, seed=3)
    clearance = np.array([one.clearance for one in members])
    restitution = np.array([one.contact.restitution for one in members])
    assert np.all(np.abs(clearance / CONFIG.clearance - 1.0) <= 0.05)
    assert np.all(np.abs(restitution - CONFIG.contact.restitution) <= 0.02)
    assert np.std(clearance) == pytest.approx(0.05 * CONFIG.clearance / np.sqrt(3.0), rel=0.1)
    assert abs(np.corrcoef(clearance, restitution)[0, 1]) < 0.15
    assert drawn(CONFIG, SPREADS, 400, seed=3) == members
    assert drawn(CONFIG, SPREADS, 400, seed=4) != members
    assert {replace(one, clearance=CONFIG.clearance, contact=CONFIG.contact) for one in members} == {CONFIG}


@pytest.mark.parametrize(
    ("spread", "said"),
    [
        (Spread("clearence", 0.1, 0.0), "clearence"),
        (Spread("contact.stiffness", 0.1, 0.0), "expected a number"),
        (Spread("clearence", 0.1, 0.0), r"clearence: the mechanism has no such quantity; did you mean clearance\?$"),
        (Spread("contact.xyz", 0.1, 0.0), r"contact.xyz: the mechanism has no such quantity; instead of xyz there are \w+, \w+"),
        (Spread("contact", 0.1, 0.0), "expected a number"),
        (Spread("contact.restitution", 0.0, 5.0), "smaller spread"),
    ],
)
def test_what_cannot_be_spread_is_named(spread: Spread, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        drawn(CONFIG, [spread], 16, seed=1)


def test_members_are_what_they_would_be_alone_in_any_number_of_threads_and_blocks() -> None:
    members = drawn(CONFIG, SPREADS, 5, seed=1)
    together = run(Ensemble([stepper(one) for one in members], threads=2), block=64)
    one_thread = run(Ensemble([stepper(one) for one in members], threads=1), block=500)
    assert np.array_equal(together, one_thread)
    for config, values in zip(members, together, strict=True):
        assert np.array_equal(run(Ensemble([stepper(config)], threads=1), block=777)[0], values)
    assert np.ptp(together[:, -1, 0]) > 0.0


def test_the_start_is_spread_in_usual_sizes_of_the_states() -> None:
    ensemble = Ensemble([stepper(CONFIG) for _ in range(4)], threads=1)
    values = run(ensemble, block=500, spread=0.5, seed=2)
    stroke = values[:, 0, 3]
    assert np.ptp(stroke) > 0.0
    assert np.all(np.abs(stroke) <= 0.5 * 1e-5)  # m: usual size of the linkage's positions
    again = run(Ensemble([stepper(CONFIG) for _ in range(4)], threads=2), block=500, spread=0.5, seed=2)
    assert np.array_equal(values, again)


def test_extremes_hold_the_samples() -> None:
    ensemble = Ensemble([stepper(one) for one in drawn(CONFIG, SPREADS, 3, seed=1)], threads=2)
    ensemble.start(COMMAND[: ensemble.lookahead])
    values, low, high = ensemble.advance_with_extremes(COMMAND[ensemble.lookahead :])
    ensemble.close()
    channels = values.shape[2]
    assert np.all(low[:, :, :channels] <= values) and np.all(values <= high[:, :, :channels])


def test_a_member_that_fails_is_named() -> None:
    class Broken:
        lookahead = 4

        def start(self, samples: np.ndarray) -> None: ...

        def advance(self, samples: np.ndarray) -> np.ndarray:
            raise NotConverged("stopped at 0.1 s")

    ensemble = Ensemble([stepper(CONFIG), Broken()], threads=1)
    ensemble.lookahead = 4
    ensemble._steppers[0].start(COMMAND[: ensemble._steppers[0].lookahead])
    with pytest.raises(NotConverged, match="member 1: stopped at"):
        ensemble.advance(COMMAND[:10])
    with pytest.raises(ModelError, match="how far ahead"):
        ensemble.start(COMMAND[:4])
    ensemble.close()


@pytest.mark.parametrize("members", [2, 5, 16])
def test_the_band_is_that_of_the_quantiles(members: int) -> None:
    values = np.random.default_rng(1).normal(size=(members, 30, 2))
    for coverage in (0.5, 0.9, 0.999):
        made = band(values, coverage)
        low, high = np.quantile(values, [0.5 * (1.0 - coverage), 0.5 * (1.0 + coverage)], axis=0)
        assert np.allclose(made.low, low, rtol=0.0, atol=1e-12) and np.allclose(made.high, high, rtol=0.0, atol=1e-12)
        assert np.allclose(made.mean, values.mean(axis=0))
