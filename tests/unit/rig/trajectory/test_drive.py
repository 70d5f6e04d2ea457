from pathlib import Path

import numpy as np
import pytest

from rig.errors import ConfigError
from rig.trajectory import create
from rig.trajectory.drive import Config

RATE = 51203.27700972862


@pytest.fixture
def table() -> np.ndarray:
    random = np.random.default_rng(2)
    value = np.concatenate([[0.0], random.standard_normal(4998), [0.0]])
    cycle = np.where((np.arange(5000) >= 1000) & (np.arange(5000) < 4000), 0.0, -1.0)
    return np.column_stack([value, 0.1 * np.arange(5000), cycle])


def test_at_its_own_rate_every_sample_is_met_exactly(tmp_path: Path, table: np.ndarray) -> None:
    np.save(tmp_path / "drive.npy", table)
    drive = create(Config(str(tmp_path / "drive.npy"), RATE))
    for first in (0, 1234):  # in blocks, as the bench asks
        n = np.arange(first, 5000)
        assert np.array_equal(np.column_stack(drive.evaluate(n / RATE)), table[first:])
    assert drive.duration == pytest.approx(4999 / RATE)
    assert drive.cycles == 1
    after = drive.evaluate(np.array([1e3]))
    assert (after[0][0], after[2][0]) == (0.0, -1.0)


def test_bounds_are_never_passed_at_any_time(tmp_path: Path, table: np.ndarray) -> None:
    np.save(tmp_path / "drive.npy", table)
    drive = create(Config(str(tmp_path / "drive.npy"), RATE))
    low, high, rate = drive.bounds()
    t = np.linspace(0.0, drive.duration, 77_777)
    value = drive.evaluate(t)[0]
    assert low <= value.min() <= value.max() <= high
    assert np.max(np.abs(np.diff(value)) / np.diff(t)) <= rate * (1 + 1e-6)


def test_a_file_is_only_needed_when_a_value_is(tmp_path: Path) -> None:
    drive = create(Config(str(tmp_path / "gone.npy"), RATE))
    assert drive.frequency is None
    with pytest.raises(ConfigError, match="No such file"):
        drive.bounds()


@pytest.mark.parametrize("spoil", [np.nan, np.inf])
def test_a_file_that_is_no_drive_is_said(tmp_path: Path, table: np.ndarray, spoil: float) -> None:
    table[17, 0] = spoil
    np.save(tmp_path / "drive.npy", table)
    with pytest.raises(ConfigError, match="expected numbers below"):
        create(Config(str(tmp_path / "drive.npy"), RATE)).bounds()
