"""The file of a running estimate: the same after it was written, one clear message for what is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.config import load
from rig.config.experiment import Limit
from rig.errors import ConfigError
from rig.identification.live.fitted import Fitted, conditions, unlike
from tests.unit.rig.identification.live.known_specimen import PHASE, RATE, fitted, shown

LINKAGE = Path(__file__).parents[5] / "configs/experiments/linkage.toml"


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    made, path = fitted(lowpass=200.0, band=(300.0, 600.0), remove_delay=1e-3), tmp_path / "live.h5"
    made.write(path)
    again = Fitted.read(path)
    assert again.rows == made.rows and (again.keys, again.units, again.runs) == (made.keys, made.units, made.runs)
    figures = np.concatenate((made.rows.transformed(shown(0.37), PHASE), [0.0]))
    (one,), (other,) = made.fit().of(figures)[0], again.fit().of(figures)[0]
    assert one == other and again.unexplained == made.unexplained and np.array_equal(again.command, made.command)


def test_what_is_no_such_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file; expected one that `rig identify RUN --live FILE` has written"):
        Fitted.read(tmp_path / "none.h5")
    text = tmp_path / "text.h5"
    text.write_text("clearance = 1")
    with pytest.raises(ConfigError, match="expected a file that `rig identify RUN --live FILE` has written"):
        Fitted.read(text)
    made, path = fitted(), tmp_path / "live.h5"
    made.write(path)
    with h5py.File(path, "a") as file:
        del file["coefficients"]
    with pytest.raises(ConfigError, match="expected a file that"):
        Fitted.read(path)
    made.write(path)
    with h5py.File(path, "a") as file:
        file["covariance"][...] = -1.0
    with pytest.raises(ConfigError, match="expected a file that"):
        Fitted.read(path)


def test_what_does_not_fit_a_test_is_told() -> None:
    made = fitted()
    assert made.problems(["clearance"], ["stroke", "force"], RATE * (1.0 + 1e-8)) == []
    numbers, channels, rate = made.problems(["stiffness"], ["stroke"], 2.0 * RATE)
    assert "it estimates clearance; identify.free of this experiment has stiffness" in numbers
    assert "channels that this bench does not have: force; it has stroke" in channels and "2000 Hz" in rate and "4000 Hz" in rate


def test_a_limit_beyond_what_the_polynomials_cover_is_told() -> None:
    """Shares 0.1 to 0.9 of 1 to 3 m: 1.2 to 2.8 m; the ends of an interval are 0.02 m beyond."""
    made = fitted()
    limits = [Limit("estimated.clearance", maximum=2.5), Limit("estimated.clearance_high", maximum=2.81), Limit("force", maximum=99.0)]
    assert not [*made.beyond(limits)]
    ((said),) = made.beyond([Limit("estimated.clearance_cycle", minimum=1.5, maximum=2.81)])
    assert "maximum 2.81 m of estimated.clearance_cycle is outside of what it covers, 1.2 to 2.8 m" in said and "--reach" in said


def test_another_mechanism_or_motion_is_told_by_its_key() -> None:
    setup = load(LINKAGE).experiment
    same = replace(setup, trajectory=replace(setup.trajectory, cycles=99), mechanism=replace(setup.mechanism, clearance=0.3e-3))
    made = conditions(setup, ["clearance"])
    assert not [*unlike(made, conditions(same, ["clearance"]))] and made["mechanism.upper_mass"] == 60.0
    other = replace(setup, trajectory=replace(setup.trajectory, frequency=5.0), mechanism=replace(setup.mechanism, upper_mass=65.0))
    assert [*unlike(made, conditions(other, ["clearance"]))] == [
        "it was made with mechanism.upper_mass = 60.0, and this test has 65.0: expected the same",
        "it was made with trajectory.frequency = 3.0, and this test has 5.0: expected the same",
    ]
