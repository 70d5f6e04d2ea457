"""Limits on predicted channels, from the rings of a run: on the sample that they belong to, and never waited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rig.config import load
from rig.config.experiment import Calculated, Estimate, Limit
from rig.config.plan import Plan
from rig.streaming.ring import RingReader, RingWriter
from rig.workers.bench.predicted_limits import BEHIND, PredictedLimits, following, parted
from rig.workers.bench.worker import STRICT

LINKAGE = Path(__file__).parents[5] / "configs/experiments/linkage.toml"
RATE, BLOCK = 51200.0, 512
LATE = Calculated("surprise", "(force - predicted.force)", "N")
OF_IT = Calculated("twice", "(surprise * 2.0)", "N")
PRESENT = Calculated("plain", "(force * 2.0)", "N")


class Rings:
    """Streams of a run in which the force and its prediction are 1 and 0, but for what is given."""

    def __init__(self, folder: Path, *limits: Limit, pace: str = "lockstep") -> None:
        setup = load(LINKAGE)
        experiment = replace(setup.experiment, calculated=(PRESENT, LATE, OF_IT), limits=limits)
        self.plan = Plan("1", folder, folder, experiment, replace(setup.bench, pace=pace), "", "")
        paths = self.plan.streams
        self.command = RingWriter.create(paths["command"], ("value", "phase", "cycle"), ("N", "rad", "1"), 100_000, RATE)
        self.measured = RingWriter.create(paths["measured"], ("force",), ("N",), 100_000, RATE)
        self.out = RingWriter.create(paths["calculated_predicted"], ("surprise", "twice"), ("N", "N"), 100_000, RATE)
        self.check = PredictedLimits(self.plan, limits, RATE, self.out)
        self.predicted: list[RingWriter] = []

    def predict(self, values: np.ndarray) -> None:
        if not self.predicted:
            paths = self.plan.streams
            names = ("predicted", "predicted_as_measured")
            self.predicted = [RingWriter.create(paths[name], ("force",), ("N",), 100_000, RATE) for name in names]
        for ring in self.predicted:
            ring.append(values[:, None])

    def measure(self, values: np.ndarray, state: str = "running", cycle: int = 0) -> tuple[list[int], str]:
        self.command.append(np.tile([0.0, 0.0, float(cycle)], (len(values), 1)))
        self.measured.append(values[:, None])
        passed, told = self.check.take(self.measured.head, state)
        return [one.sample for one in passed], told

    def close(self) -> None:
        self.check.close()
        for ring in (self.command, self.measured, self.out, *self.predicted):
            ring.close()


ONE, ZERO = np.ones(BLOCK), np.zeros(BLOCK)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Rings]:
    rings = Rings(tmp_path, Limit("surprise", maximum=1.5, states=("running",)))
    yield rings
    rings.close()


def test_which_channels_wait_for_the_prediction() -> None:
    assert parted([PRESENT, LATE, OF_IT]) == ([PRESENT], [LATE, OF_IT])
    experiment = replace(
        load(LINKAGE).experiment, calculated=(PRESENT, LATE), limits=(Limit("stroke", following_error=1.0, of="predicted.stroke"),)
    )
    assert following(experiment) == {"surprise", "predicted.stroke"}


def test_a_sample_is_judged_when_its_prediction_has_come(made: Rings) -> None:
    high = ONE.copy()
    high[100] = 2.0
    assert [made.measure(one) for one in (ONE, high, ONE, ONE, ONE)] == [([], "")] * 5, "the predictor has not begun"
    for _ in range(5):
        made.predict(ZERO)
    assert made.measure(ONE) == ([BLOCK + 100], "")
    assert made.measure(ONE) == ([], "")
    reader = RingReader.open(made.plan.streams["calculated_predicted"], 0.0)
    _, block = reader.read(100_000)
    assert len(block) == 5 * BLOCK and block[BLOCK + 100].tolist() == [2.0, 4.0]
    reader.close()


def test_in_lockstep_it_stays_two_blocks_behind_whatever_has_come(made: Rings) -> None:
    for _ in range(3):
        made.predict(ZERO)
    made.measure(ONE)
    made.measure(ONE)
    assert made.out.head == 0
    made.measure(ONE)
    assert made.out.head == BLOCK


def test_the_state_is_that_of_the_sample(made: Rings) -> None:
    high = 2.0 * ONE
    assert made.measure(high, "starting")[0] == []
    made.measure(high, "starting")
    made.measure(high, "running")
    for _ in range(3):
        made.predict(ZERO)
    found = made.measure(high)[0] + made.measure(high)[0]
    assert found == [2 * BLOCK], "the two blocks of the start are not armed"


def test_in_lockstep_a_limit_is_passed_at_the_same_sample_however_late_the_prediction_came(tmp_path: Path) -> None:
    """The bench measures a block when the predictor is one block behind, at the most: by `STRICT`. Which of these it is says nothing."""
    high = ONE.copy()
    high[7] = 2.0
    told = []
    for number, behind in enumerate((0, STRICT["predictor"])):
        (tmp_path / str(number)).mkdir()
        rings = Rings(tmp_path / str(number), Limit("surprise", maximum=1.5, states=("running",)))
        found = []
        for n in range(1, 9):
            if n > behind:
                rings.predict(ZERO)  # of the block before, or of the one before that
            found.append(rings.measure(high if n == 4 else ONE))
        told.append(found)
        rings.close()
    assert told[0] == told[1]
    assert [index for index, (passed, _) in enumerate(told[0]) if passed] == [3 + BEHIND], "fixed, so that a late one is waited for"


def test_what_a_predictor_that_has_fallen_behind_finds_is_as_true(tmp_path: Path) -> None:
    """It is told once that these limits act late; and what they find acts when the prediction comes, however much later."""
    made = Rings(tmp_path, Limit("surprise", maximum=1.5, states=("running",)), pace="real")
    blocks = round(made.plan.experiment.predictor.max_lag * RATE / BLOCK) + 3
    told = [made.measure(2.0 * ONE if n == 1 else ONE)[1] for n in range(blocks + 5)]
    assert [bool(one) for one in told] == [False] * (blocks - 1) + [True] + [False] * 5
    assert told[blocks - 1] == "the prediction is 0.23 s behind: limits on surprise act as much later until it has come up"
    made.predict(ZERO)
    assert made.measure(ONE) == ([], ""), "nothing is wrong in the first block"
    made.predict(ZERO)
    assert made.measure(ONE) == ([BLOCK], "")
    for _ in range(blocks + 20):
        made.predict(ZERO)
    assert [made.measure(ONE) for _ in range(blocks)] == [([], "")] * blocks
    made.close()


def test_in_lockstep_only_a_predictor_that_has_died_is_behind(made: Rings) -> None:
    told = [made.measure(ONE)[1] for _ in range(50)]
    assert [one for one in told if one] == ["the prediction is 0.23 s behind: limits on surprise are not armed any more"]


@pytest.mark.parametrize("pace", ["real", "lockstep"])
def test_a_limit_that_learns_is_shown_as_armed_as_long_as_something_is_predicted(tmp_path: Path, pace: str) -> None:
    made = Rings(tmp_path, Limit("surprise", change=1.0, baseline=1.0, settle=0, states=("running",)), pace=pace)
    blocks = round(made.plan.experiment.predictor.max_lag * RATE / BLOCK) + 3
    cycle, seen = 0, list[bool]()
    for predicted, measured in ((5, 5), (0, blocks), (2 * blocks, blocks)):  # with it, without it, with what had stayed away
        for _ in range(predicted):
            made.predict(ZERO)
        for _ in range(measured):  # a cycle each, some of them in one turn
            cycle += 1
            made.measure(ONE, cycle=cycle)
        ((_, state),) = made.check.states()
        seen.append(state.armed)
    assert seen == ([True, True, True] if pace == "real" else [True, False, False])
    made.close()


def test_samples_that_were_overwritten_end_the_check_and_are_told_of_once(tmp_path: Path) -> None:
    """The rings hold two seconds here: a predictor that stood still for longer."""
    made = Rings(tmp_path, Limit("surprise", maximum=1.5, states=("running",)), pace="real")
    made.predict(ZERO)
    made.measure(ONE)
    told = [made.measure(ONE)[1] for _ in range(250)]
    assert [one for one in told if one] == [told[next(n for n, one in enumerate(told) if one)]], "that it is behind"
    for _ in range(250):
        made.predict(ZERO)
    said = [made.measure(2.0 * ONE) for _ in range(5)]
    assert said[0][1] == "samples of command were overwritten: limits on surprise are not armed any more"
    assert said[1:] == [([], "")] * 4 and said[0][0] == []
    assert not [state for _, state in made.check.states() if state.armed]
    made.close()


class Estimated(Rings):
    """With numbers that are estimated of it as well; a wear is calculated from one."""

    def __init__(self, folder: Path, *limits: Limit, pace: str = "lockstep") -> None:
        super().__init__(folder, pace=pace)
        self.check.close()
        experiment = replace(self.plan.experiment, estimate=Estimate("live.h5"), calculated=(LATE, WEAR), limits=limits)
        self.plan = replace(self.plan, experiment=experiment)
        names = ("estimated.clearance", "estimated.age")
        self.estimates = RingWriter.create(self.plan.streams["estimated"], names, ("m", "1"), 100_000, RATE)
        self.check = PredictedLimits(self.plan, limits, RATE, self.out)

    def estimate(self, values: np.ndarray) -> None:
        self.estimates.append(np.column_stack((values, np.zeros(len(values)))))

    def close(self) -> None:
        super().close()
        self.estimates.close()


WEAR = Calculated("twice", "(estimated.clearance * 2.0)", "m")


@pytest.mark.parametrize("limit", [Limit("estimated.clearance", maximum=1.5), Limit("twice", maximum=3.0)])
def test_a_number_that_is_estimated_is_limited_from_its_first_value_on(tmp_path: Path, limit: Limit) -> None:
    made = Estimated(tmp_path, limit)
    assert following(made.plan.experiment) >= {limit.channel, "twice"}
    begun = np.where(np.arange(BLOCK) < 200, np.nan, 1.0)
    worn = np.where(np.arange(BLOCK) < 300, 1.0, 2.0)
    found = []
    for values in (np.full(BLOCK, np.nan), begun, ONE, worn, 2.0 * ONE, ONE, ONE):
        made.predict(ZERO)
        made.estimate(values)
        found.append(made.measure(ONE)[0])
    assert found[:5] == [[]] * 5 and found[5] == [3 * BLOCK + 300], "no value yet is inside every limit, one that is too large in none"
    made.close()


def test_a_number_that_is_lost_again_is_inside_no_limit(tmp_path: Path) -> None:
    made = Estimated(tmp_path, Limit("estimated.clearance", maximum=1.5))
    found = []
    for values in (ONE, np.where(np.arange(BLOCK) < 300, 1.0, np.nan), ONE, ONE):
        made.predict(ZERO)
        made.estimate(values)
        found.append(made.measure(ONE)[0])
    assert found[3] == [BLOCK + 300]
    made.close()


def test_an_estimator_that_is_gone_disarms_only_who_asks_for_its_numbers(tmp_path: Path) -> None:
    for number, limit in enumerate((Limit("estimated.clearance", maximum=1.5), Limit("predicted.force", maximum=1.5))):
        (folder := tmp_path / str(number)).mkdir()
        made = Estimated(folder, limit)
        if number:
            experiment = replace(made.plan.experiment, calculated=(LATE,))
            made.check = PredictedLimits(replace(made.plan, experiment=experiment), (limit,), RATE, None)
        told = []
        for _ in range(50):
            made.predict(ZERO)
            told.append(made.measure(ONE)[1])
        expected = [] if number else ["the prediction is 0.23 s behind: limits on estimated.clearance are not armed any more"]
        assert [one for one in told if one] == expected
        made.close()


@pytest.mark.parametrize("pace", ["real", "lockstep"])
def test_a_process_that_has_ended_is_named_once_and_what_it_left_is_still_looked_at(tmp_path: Path, pace: str) -> None:
    made = Estimated(tmp_path, Limit("estimated.clearance", maximum=1.5), pace=pace)
    gone = set[str]()
    made.check = PredictedLimits(made.plan, made.plan.experiment.limits, RATE, None, gone.__contains__)
    worn = np.where(np.arange(BLOCK) < 300, 1.0, 2.0)
    for values in (ONE, ONE, worn):
        made.predict(ZERO)
        made.estimate(values)
    found = [one for _ in range(2) for one in made.measure(ONE)[0]]
    gone.add("estimator")
    told = []
    for _ in range(6):
        made.predict(ZERO)
        passed, said = made.measure(ONE)
        found += passed
        told.append(said)
    assert found == [2 * BLOCK + 300]
    assert [one for one in told if one] == ["the estimator is gone: limits on estimated.clearance are not armed any more"]
    made.close()


def test_without_anything_that_leans_on_it_no_ring_is_opened(tmp_path: Path) -> None:
    setup = load(LINKAGE)
    plan = Plan("1", tmp_path, tmp_path, setup.experiment, setup.bench, "", "")
    assert PredictedLimits(plan, (), RATE, None).take(10**6, "running") == ([], "")
