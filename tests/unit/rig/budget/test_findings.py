"""The budget of a recorded test, where everything is known in closed form: the mechanism multiplies the command by its gain."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from drivers.loaders import servo_loader
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig import commands
from rig.budget import table
from rig.budget.errors import motions
from rig.budget.findings import findings
from rig.budget.specimens import specimens
from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Acquisition, Budget, Command, Comparison, Criterion, Doubt, Experiment, Spread
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.description import Description, StreamShape
from rig.recorder.record import Record
from rig.trajectory import sine

ROOT = Path(__file__).parents[4]
RATE, FORCE = 2000.0, "transmitted_force"
SENSOR = Sensor(sensitivity=2e3, uncertainty=0.004)
SPREADS = (Spread("gain", relative=0.03),)
CRITERIA = (Criterion(FORCE, "nrms", 0.035), Criterion(FORCE, "max", 0.001))
DOUBTS = (Doubt(("gain",), times=1.2), Doubt(("gain",), value="1.001"))


@dataclass(frozen=True)
class Config(Mechanism):
    CHANNELS: ClassVar = ((FORCE, "N"),)

    gain: float = field(default=1.0, metadata={"unit": "1"})

    def __post_init__(self):
        if not self.gain > 0.0:
            raise ValueError(f"gain: expected more than 0, got {self.gain:g}")

    def create(self, integrator, rate, source="", path=None, lasting=0.0):
        if self.gain > 9.0:
            raise ModelError("gain: too much to start with")
        return Stepper(self.gain)


class Stepper:
    lookahead = 0

    def __init__(self, gain):
        self._gain, self.events = gain, []

    def start(self, inputs):
        pass

    def advance(self, inputs):
        return np.column_stack((self._gain * inputs,))


@pytest.fixture
def run(tmp_path, monkeypatch):
    def make(shown=1.0, **changes):
        comparison = Comparison(criteria=CRITERIA, budget=Budget(20, 3, 0.0, (), SPREADS, DOUBTS))
        experiment = Experiment(
            title="a gain", mechanism=Config(), integrator=None,
            trajectory=sine.Config(amplitude=1e4, frequency=4.0, cycles=6, soft_start=0.25, soft_stop=0.25),
            acquisition=Acquisition(rate=RATE), command=Command(value_limit=2e4, rate_limit=1e7),
            comparison=replace(comparison, **changes),
        )  # fmt: skip
        channels = (InputChannel(FORCE, "N", "Dev1/ai0", SENSOR), InputChannel("monitor", "N", "Dev1/ai1", SENSOR))
        bench = Bench(title="a bench", daq=None, loader=servo_loader.Config(), channels=channels)
        folder = tmp_path / "0001-gain"
        folder.mkdir()
        (folder / "plan.json").write_text("{}")
        plan = Plan("0001-gain", folder, folder, experiment, bench, "title = 1", "title = 2")
        monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir: plan))
        record_of(folder / "run.h5", experiment, shown)
        return folder, plan

    return make


def record_of(path, experiment, shown):
    trajectory = experiment.trajectory.create()
    value, phase, cycle = trajectory.evaluate(np.arange(int(trajectory.duration * RATE)) / RATE)
    sensors = {name: {"sensitivity": 2e3, "offset": 0.0, "expired": False} for name in (FORCE, "monitor")}
    record = Record(path, Description("0001-gain", "a gain", "2026-01-01", "title = 1", "title = 2", sensors))
    for name, channels, units, block in (
        ("command", ("value", "phase", "cycle"), ("N", "rad", "1"), np.column_stack((value, phase, cycle))),
        ("measured", (FORCE, "monitor"), ("N", "N"), np.column_stack((shown * value, value))),
        ("predicted_as_measured", (FORCE,), ("N",), value[:, None]),
    ):
        record.stream(StreamShape(name, channels, units, RATE))
        record.append(name, 0, block)
    record.close()


def gains(plan):
    """Of what each specimen shows: its own, times its sensor's."""
    drawn = specimens(plan.experiment.mechanism, plan.experiment.comparison.budget, plan.bench.channels)
    return np.array([one.mechanism.gain * one.readings[FORCE].gain for one in drawn])


def test_what_is_needed_is_what_the_largest_of_the_specimens_has(run):
    """A specimen that shows g times the command where the model has 1 differs by |1 - g| / g of its rms, and as much at its largest."""
    folder, plan = run()
    shown, found = gains(plan), findings(folder, plan)
    errors = np.abs(1.0 - shown) / shown
    for one in found.allowances:
        assert one.needed == pytest.approx(errors.max(), rel=1e-6) and one.median == pytest.approx(np.median(errors), rel=1e-6)
    assert [one.holds for one in found.allowances] == [True, False]
    assert [one.surpassed for one in found.allowances] == [False, False] and "further off" not in table.text(found)
    assert found.silent == []


def test_wrong_models_are_found_in_as_many_specimens_as_fail_beside_them(run):
    """A fifth more is found in every one, a thousandth more in those only whose own difference is beyond the tolerances."""
    folder, plan = run(criteria=(CRITERIA[0],))
    shown, found = gains(plan), findings(folder, plan)
    much, little = found.doubts
    assert much.found == much.found_as_needed == 20
    assert much.medians[FORCE, "nrms"] == pytest.approx(np.sort((1.2 - shown) / shown)[10], rel=1e-6)
    needed = np.max(np.abs(1.0 - shown) / shown)
    beyond = np.abs(1.001 - shown) / shown
    assert little.found == np.count_nonzero(beyond > 0.035) and little.found_as_needed == np.count_nonzero(beyond > needed)
    said = table.text(found)
    assert "gain x 1.2" in said and "20 of 20" in said
    assert f"does not surely tell gain 1.001: {little.found} of 20 specimens fail" in said


@pytest.mark.long
def test_beside_tolerances_that_are_too_tight_what_is_needed_decides(run):
    """A tolerance that right specimens break finds every wrong model; that says nothing of the test."""
    folder, plan = run(criteria=(replace(CRITERIA[0], tolerance=1e-6),))
    found = findings(folder, plan)
    little = found.doubts[1]
    said = table.text(found)
    assert little.found == 20 and little.found_as_needed < 20
    assert "too tight fail right specimens as well" in said
    assert f"does not surely tell gain 1.001: {little.found_as_needed} of 20 specimens fail" in said


def test_it_is_said_how_far_it_is_from_the_first_motion_on(run):
    """Model, two wrong ones, 20 specimens."""
    folder, plan = run()
    told = []
    findings(folder, plan, told.append)
    assert told == list(range(motions(20, 2) + 1))


def test_the_command_fails_where_a_tolerance_is_too_tight(run, capsys):
    folder, _ = run()
    assert commands.main(["budget", str(folder)]) == 1
    said = capsys.readouterr()
    assert "TOO TIGHT" in said.out
    assert said.err.startswith("budget: 0 of 23 motions computed\n")
    assert commands.main(["budget", str(folder), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["specimens"] == 20
    assert commands.main(["budget", str(folder), "--set", "comparison.criteria.max.tolerance=0.04"]) == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"budget": None}, "comparison.budget: missing"),
        ({"criteria": ()}, "comparison.criteria: missing"),
        ({"budget": Budget(4, 1, 0.0, (), SPREADS, (Doubt(("gain",), times=20.0),))}, "a wrong model cannot make the motion of this test"),
        ({"budget": Budget(4, 1, 0.0, (), SPREADS, (Doubt(("gain",), times=-1.0),))}, "gain = -1: gain: expected more than 0"),
        ({"budget": Budget(4, 1, 0.0, (), (Spread("grain", relative=0.1),), ())}, "no such quantity"),
    ],
)
def test_what_no_budget_can_be_made_of_is_said(run, changes, said):
    folder, plan = run(**changes)
    with pytest.raises(ConfigError, match=said):
        findings(folder, plan)


def test_a_sensor_that_says_nothing_of_itself_is_named(run):
    folder, plan = run()
    bare = replace(plan.bench.channels[0], sensor=replace(SENSOR, uncertainty=None))
    found = findings(folder, replace(plan, bench=replace(plan.bench, channels=(bare,))))
    assert found.silent == [FORCE]


def test_a_test_that_is_further_off_than_any_specimen_is_told(run):
    """What was measured in it is 1.25 times what the model had predicted; no specimen is further off than 4 %."""
    folder, plan = run(shown=1.25, criteria=(CRITERIA[0],))
    found = findings(folder, plan)
    assert found.allowances[0].recorded == pytest.approx(0.2, rel=1e-3)
    assert f"{FORCE}, NRMS: this test is further off than any of the specimens" in table.text(found)
    assert "counts" not in table.text(found) and not found.follows
    assert "or the counts of hub_angle made it" in table.text(replace(found, follows="hub_angle"))


def test_the_comparison_of_another_file_takes_the_place_of_the_record_s(run, tmp_path, capsys):
    folder, _ = run(budget=None)
    assert commands.main(["budget", str(folder)]) == 2
    assert "give the file with --experiment" in capsys.readouterr().err
    file = ROOT / "configs/experiments/linkage.toml"
    assert commands.main(["budget", str(folder), "--experiment", str(file)]) == 2
    assert "comparison.budget: missing" not in capsys.readouterr().err
