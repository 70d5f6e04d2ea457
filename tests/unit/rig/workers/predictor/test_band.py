"""The band beside a prediction: same samples, all of them, in a ring of its own; members that cannot keep up are given up."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from rig import config
from rig.config.experiment import Ensemble, Experiment, Spread
from rig.errors import ConfigError
from rig.prediction import ensembles, stepper
from rig.sensors.transfer import Transfer
from rig.streaming.ring import RingReader
from rig.workers.predictor import band

EXPERIMENT = str(Path(__file__).parents[5] / "configs/experiments/linkage.toml")
RATE = 10e3
SETTINGS = Ensemble(members=6, spread=(Spread("clearance", 0.05), Spread("contact.restitution", absolute="0.05")))
COMMAND = 10e3 * np.sin(2.0 * np.pi * 5.0 / RATE * np.arange(3000))


def experiment(settings: Ensemble | None = SETTINGS) -> Experiment:
    loaded = config.load(EXPERIMENT, ["mechanism.load_source=flow_limited"]).experiment
    return replace(loaded, predictor=replace(loaded.predictor, ensemble=settings))


def made(path: Path, waits: bool, settings: Ensemble = SETTINGS) -> tuple[band.Band, Any]:
    one = experiment(settings)
    nominal = stepper.stepper(one, RATE)
    channels = (("transmitted_force", "N"), ("joint_a_force", "N"), ("joint_b_force", "N"), ("stroke", "m"))
    channels += tuple((f"acceleration_{k}", "m/s^2") for k in (1, 2, 3)) + (("actuator_force", "N"),)
    found = band.make(one, RATE, path, channels, waits, print)
    assert found is not None
    return found, nominal


def test_every_sample_has_a_band_and_most_of_the_nominal_is_in_it(tmp_path: Path) -> None:
    members, nominal = made(tmp_path / "band.ring", waits=True)
    nominal.start(COMMAND[: nominal.lookahead])
    members.start(COMMAND[: nominal.lookahead])
    reader = RingReader.open(tmp_path / "band.ring", 1.0)
    rest = COMMAND[nominal.lookahead :]
    for first in range(0, len(rest), 100):
        members.add(rest[first : first + 100])
    values = nominal.advance(rest)
    figures = members.close()
    assert (figures["members"], figures["samples"], members.given_up) == (6, len(rest), "")
    first, rows = reader.read(len(rest))
    assert first == 0 and reader.ended and reader.names[0] == "transmitted_force_mean"
    assert list(reader.units[:8]) == ["N", "N", "N", "m", "m/s^2", "m/s^2", "m/s^2", "N"]
    mean, low, high = (rows[:, k : k + 8] for k in (0, 8, 16))
    assert np.all(low <= mean + 1e-9) and np.all(mean <= high + 1e-9)
    assert np.max(high[:, 0] - low[:, 0]) > 10.0  # N
    stroke = values[:, 3]
    assert np.mean((low[:, 3] - 1e-9 <= stroke) & (stroke <= high[:, 3] + 1e-9)) > 0.9
    reader.close()


def test_members_that_cannot_keep_up_are_given_up_and_hold_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members, nominal = made(tmp_path / "band.ring", waits=False)
    go = threading.Event()
    monkeypatch.setattr(members._ensemble, "advance", lambda samples: go.wait(30.0) and np.zeros((6, len(samples), 8)))
    members.start(COMMAND[: nominal.lookahead])
    begun = time.monotonic()
    for _ in range(40):
        members.add(COMMAND)
    assert time.monotonic() - begun < 5.0  # nobody waited for `go`
    assert "cannot keep up" in members.given_up and members.idle
    go.set()
    members.close()


def test_members_that_fail_end_the_band_with_the_reason(tmp_path: Path) -> None:
    members, nominal = made(tmp_path / "band.ring", waits=True)
    members.start(COMMAND[: nominal.lookahead])
    members.add(np.full(2000, np.nan))
    figures = members.close()
    assert "is not finite" in members.given_up and figures["samples"] == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "the members do not differ"),
        (['predictor.ensemble.spread=[{key="clearance"}]'], "does not differ"),
        (['predictor.ensemble.spread=[{key="clearance", absolute="3 N"}]'], "expected a length"),
        (['predictor.ensemble.spread=[{key="pins", relative=0.1}]'], "no such quantity"),
        (['predictor.ensemble.spread=[{key="contact.restitution", relative=0.9}]'], "smaller spread"),
    ],
)
def test_a_spread_that_says_nothing_is_refused_before_the_run(given: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        config.load(EXPERIMENT, ["predictor.ensemble.members=4", *given])


def test_without_an_ensemble_there_is_no_band(tmp_path: Path) -> None:
    assert band.make(experiment(None), RATE, tmp_path / "band.ring", (), True, print) is None
    assert not (tmp_path / "band.ring").exists()


def inputs() -> dict[str, Any]:
    """Channels of the bench, by their names."""
    return {one.name: one for one in config.load(EXPERIMENT, ["mechanism.load_source=flow_limited"]).bench.channels}


def test_what_the_bench_shows_has_a_band_behind_its_sensor_and_the_low_pass(tmp_path: Path) -> None:
    one = experiment()
    nominal = stepper.stepper(one, RATE)
    channels = tuple(one.mechanism.channels)
    members = band.make(one, RATE, tmp_path / "band.ring", channels, True, print, inputs=inputs())
    assert members is not None
    members.start(COMMAND[: nominal.lookahead])
    reader, rest = RingReader.open(tmp_path / "band.ring", 1.0), COMMAND[nominal.lookahead :]
    for first in range(0, len(rest), 70):
        members.add(rest[first : first + 70])
    members.close()
    _, rows = reader.read(len(rest))
    found = dict(zip(reader.names, rows.T, strict=True))
    alone = ensembles.members(one.mechanism, SETTINGS, lambda changed: stepper.stepper(one, RATE, changed))
    ensembles.start(alone, SETTINGS, COMMAND[: nominal.lookahead])
    raw = alone.advance(rest)[:, :, [name for name, _ in channels].index("transmitted_force")]
    alone.close()
    sensor = inputs()["transmitted_force"]
    numerator, denominator = scipy.signal.butter(2, one.comparison.lowpass, fs=RATE)
    seen = np.stack([_lowpassed(numerator, denominator, Transfer(sensor, RATE).apply(values)) for values in raw])
    low, high = np.quantile(seen, [0.05, 0.95], axis=0)
    assert np.allclose(found["transmitted_force_as_compared_low"], low, rtol=0.0, atol=1e-3)
    assert np.allclose(found["transmitted_force_as_compared_high"], high, rtol=0.0, atol=1e-3)
    of_quantiles = _lowpassed(numerator, denominator, np.quantile(raw, 0.95, axis=0))  # the control: what it is not
    assert np.max(np.abs(of_quantiles - high)) > 10.0  # N
    reader.close()


def _lowpassed(numerator: np.ndarray, denominator: np.ndarray, x: np.ndarray) -> np.ndarray:
    return scipy.signal.lfilter(numerator, denominator, x, zi=scipy.signal.lfilter_zi(numerator, denominator) * x[0])[0]


def test_where_the_test_waits_little_is_left_to_do_at_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members, nominal = made(tmp_path / "band.ring", waits=True)
    go, block = threading.Event(), COMMAND[: round(0.1 * RATE)]
    monkeypatch.setattr(members._ensemble, "advance", lambda samples: go.wait(30.0) and np.zeros((6, len(samples), 8)))
    members.start(COMMAND[: nominal.lookahead])
    adding = threading.Thread(target=lambda: [members.add(block) for _ in range(20)])
    adding.start()
    adding.join(1.0)
    assert adding.is_alive() and members._behind <= band.AT_ONCE * RATE + len(block)
    go.set()
    adding.join(30.0)
    assert not adding.is_alive()
    assert members.close()["samples"] == 20 * len(block)
