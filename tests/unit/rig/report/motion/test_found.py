"""Which part of a record is looked at, and what is said where there is nothing to look at."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from rig.commands import main
from rig.errors import ConfigError
from rig.motion.parts import Motion, Pin
from rig.report.motion import found
from tests.tiers import quick
from tests.unit.rig.display.display_records import made_up, write_record
from tests.unit.rig.display.display_rings import RATE

PLAN = SimpleNamespace(experiment=SimpleNamespace(comparison=SimpleNamespace(discard_cycles=0), mechanism=None))


def given(count=10_000, rate=1000.0, frequency=5.0, counted=(2000, 8000)):
    cycle = np.full(count, -1.0)
    cycle[slice(*counted)] = 0.0
    return SimpleNamespace(rate=rate, command=SimpleNamespace(cycle=cycle, frequency=frequency))


@pytest.mark.parametrize(
    ("at", "span", "expected"),
    [
        (None, None, range(7400, 8000)),  # three cycles of 0.2 s, up to the end of what counts
        (None, 1.0, range(7000, 8000)),
        (5.0, 0.5, range(4500, 5000)),
        (0.1, 0.5, range(100)),  # not before the record
    ],
)
def test_the_last_cycles_that_count_or_what_is_asked_for(at, span, expected):
    assert found.part(PLAN, given(), at, span, 3.0) == expected


def test_without_a_period_a_second_and_without_a_cycle_the_end_of_the_record():
    assert found.part(PLAN, given(frequency=None), None, None, 3.0) == range(7000, 8000)
    assert found.part(PLAN, given(counted=(0, 0)), None, None, 3.0) == range(9400, 10_000)


def test_a_moment_outside_the_record_and_too_long_a_time_are_refused():
    with pytest.raises(ConfigError, match=r"--at 11: the record lasts from 0 to 10.000 s"):
        found.part(PLAN, given(), 11.0, None, 3.0)
    with pytest.raises(ConfigError, match=r"--span 3000: 3000000 samples are more than 2000000"):
        found.part(PLAN, given(count=3_000_000, counted=(0, 3_000_000)), None, 3000.0, 3.0)


def test_a_mechanism_of_the_users_own_is_refused_by_its_kind(monkeypatch):
    monkeypatch.setattr("rig.config.kinds.kind_of", lambda config: "swing")
    with pytest.raises(ConfigError, match="no motion is drawn of a mechanism of kind swing"):
        found.find(PLAN, SimpleNamespace())


def test_without_a_joint_that_is_loose_there_is_no_orbit():
    assert not Motion(np.zeros(1)).pins
    pin = Pin("A", 1e-4, np.array([[1e-4, 0.0], [1.1e-4, 0.0]]), np.zeros((2, 2)))
    assert pin.closed.tolist() == [False, True]  # on the circle it does not press


@pytest.mark.parametrize(
    ("arguments", "said"),
    quick(
        [
            (["--orbit"], "--orbit: expected --picture FILE.png beside it"),
            (["--impacts"], "--impacts: expected --picture FILE.png beside it"),
            (["--losses"], "--losses: expected --picture FILE.png beside it"),
            (["--orbit", "--picture", "o.png"], "not the folder of a run (no plan.json in it)"),
            (["--animation", "a.gif", "--magnify", "0.5"], "--magnify 0.5: expected a number from 1 to 1e6"),
            (["--animation", "a.gif", "--picture", "o.png"], "--animation: expected it without --picture"),
            (["--animation", "a.avi"], "a.avi"),
        ],
        4,
    ),
)
def test_what_cannot_be_drawn_is_said_in_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    write_record(tmp_path / "run.h5", made_up(round(0.5 * RATE), tmp_path / "rings"))
    assert main(["view", str(tmp_path / "run.h5"), "--json", *arguments]) == 2
    told = json.loads(capsys.readouterr().out)
    assert said in told["error"]
    assert not list(tmp_path.glob("*.png")) + list(tmp_path.glob("*.gif"))
