"""Playback: the samples of the file, to the bit, and what cannot be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.errors import ConfigError
from rig.playback import digest
from rig.trajectory import create, playback, program, ramp
from rig.trajectory.faults import faults
from tests.thorough import times

RATE = 51200.0
N = 4000
X = 5e3 + 1e3 * np.random.default_rng(2).normal(size=N)


def drive(folder: Path, values: np.ndarray = X, rate: float = RATE) -> str:
    path = folder / "drive.csv"
    table = np.column_stack([np.arange(len(values)) / rate, values])
    np.savetxt(path, table, delimiter=",", header="time[s],force[N]", comments="", fmt="%.17g")
    return str(path)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return drive(tmp_path_factory.mktemp("drive"))


softs = st.one_of(st.just(0.0), st.floats(0.001, 3.0))
means = st.one_of(st.none(), st.floats(-1e4, 1e4))


@settings(deadline=None, max_examples=times(30))
@given(soft_start=softs, cycles=st.integers(1, 3), scale=st.floats(-2.0, 2.0), mean=means)
def test_at_equal_rate_every_sample_is_that_of_the_file(file: str, soft_start: float, cycles: int, scale: float, mean: Any) -> None:
    config = playback.Config(file=file, column="force", soft_start=soft_start, cycles=cycles, scale=scale, mean=mean)
    trajectory = create(config)
    first = int(np.ceil(soft_start * RATE - 1e-6))
    value, _, cycle = trajectory.evaluate((first + np.arange(cycles * N)) / RATE)
    wanted = np.tile(scale * X if mean is None else scale * (X - X.mean()) + mean, cycles)
    assert np.abs(value - wanted).max() <= 1e-9 * np.abs(wanted).max() + 1e-9
    assert np.array_equal(cycle[:-1], np.repeat(np.arange(cycles), N)[:-1])
    assert np.array_equal(value[: min(N, len(value) - 1)], wanted[: min(N, len(value) - 1)])
    assert trajectory.cycles == cycles


def test_before_and_after_it_goes_softly_to_where_the_file_begins_and_ends(tmp_path: Path) -> None:
    trajectory = create(playback.Config(file=drive(tmp_path), column="force", soft_start=0.2, soft_stop=0.3))
    t = np.arange(int(trajectory.duration * RATE) + 2) / RATE
    value = trajectory.evaluate(t)[0]
    assert value[0] == value[-1] == 0.0
    before, after = value[t < 0.2], value[t > trajectory.duration - 0.3]
    assert np.all(np.diff(before) >= 0.0)
    assert np.all(np.diff(after) <= 0.0)
    assert before.max() <= X[0]
    assert after.max() <= X[-1]


def test_another_rate_is_refused_with_both_unless_resampling_is_asked_for(tmp_path: Path) -> None:
    smooth = 5e3 + 1e3 * np.sin(2.0 * np.pi * 37.0 * np.arange(N) / 1000.0)
    file = drive(tmp_path, smooth, rate=1000.0)
    [(keys, text)] = faults(playback.Config(file=file, column="force"), "N", RATE)
    assert keys == ("resample",)
    assert 'is sampled at 1000 Hz, acquisition.rate is 51200 Hz; resample = "51200 Hz" plays it band-limited at that rate' in text
    asked = playback.Config(file=file, column="force", resample=RATE)
    assert list(faults(asked, "N", RATE)) == []
    assert [text for _, text in faults(asked, "N", 25600.0)] == ["expected acquisition.rate, 25600 Hz; got 51200 Hz"]
    # 512 samples of the new rate are 10 of the old one: both grids meet there.
    value = create(asked).steady().evaluate(np.arange(0, N, 10) / 1000.0)[0]
    assert value[20:-20] == pytest.approx(smooth[200:-200:10], abs=0.2)
    assert create(asked).wave.duration == pytest.approx(N / 1000.0, abs=1e-3)


@pytest.mark.parametrize(
    ("keys", "unit", "said"),
    [
        ({"column": "nosuch"}, "N", ("file", "no column 'nosuch'; there are force[N]")),
        ({}, "m", ("column", "force is in N, but the loader is commanded in m (command.mode)")),
        ({"sha256": "0" * 64}, "N", ("sha256", f"the experiment's is {'0' * 64}; enter")),
        ({"file": "/nowhere/x.csv"}, "N", ("file", "/nowhere/x.csv: no such file")),
        ({"resample": RATE * np.pi / 3.0}, "N", ("resample", "expected acquisition.rate")),
    ],
)
def test_what_cannot_be_played_is_named_also_inside_a_program(keys: dict[str, Any], unit: str, said: tuple[str, str], file: str) -> None:
    config = playback.Config(**{"file": file, "column": "force", **keys})
    [(at, text)] = faults(config, unit, RATE)
    assert at == (said[0],)
    assert said[1] in text
    around = program.Config(segments=(ramp.Config(end=0.0, duration=1.0), config))
    assert next(faults(around, unit, RATE)) == (("segments", 1, said[0]), text)


def test_a_file_that_changes_after_the_check_is_not_played(tmp_path: Path) -> None:
    file = drive(tmp_path)
    config = playback.Config(file=file, column="force", sha256=digest(Path(file)))
    assert create(config).bounds()[1] == pytest.approx(X.max())
    drive(tmp_path, 2.0 * X)
    with pytest.raises(ConfigError, match="has changed since it was checked"):
        create(config).bounds()


def test_a_record_can_be_looked_at_without_the_file() -> None:
    trajectory = create(program.Config(segments=(playback.Config(file="/gone.csv", column="force", cycles=3),), repeats=2))
    assert (trajectory.frequency, trajectory.cycles) == (None, 6)
