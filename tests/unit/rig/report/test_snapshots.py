"""What a record that keeps few samples is judged on: the cycles that it has from begin to end."""

import shutil

import pytest

from rig.config.plan import Plan
from rig.display.sources.record import RecordSource
from rig.display.sources.recorded import recorded_subject
from rig.display.sources.tracking import CycleTracker
from rig.recorder.reading import read_run
from rig.report.summary import compare_run
from tests.unit.rig.report.dead_band import FORCE, RATE

CYCLE = 1600
"""Samples of one; the soft start has as many."""
END = 8 * CYCLE


def cycles(first: int, last: int) -> range:
    return range(CYCLE * (1 + first), CYCLE * (2 + last))


FRAGMENT = range(CYCLE * 5 + 1300, CYCLE * 6 + 500)
"""What is kept around an event: the end of cycle 4 and the begin of cycle 5."""
KEPT = [range(cycles(0, 2).stop), FRAGMENT]


def test_what_is_wrong_in_fragments_is_not_judged(run):
    found = compare_run(run(kept=[range(cycles(0, 3).stop), FRAGMENT], wrong=FRAGMENT))
    assert found["verdict"]["result"] == "pass"
    assert found["cycles"] == {"judged": 2, "run": 4, "discarded": 2, "held": 0}
    assert [one["cycle"] for one in found["agreement"][FORCE]["cycles"]] == [2, 3]
    assert found["verdict"]["reason"].endswith(
        "judged on 2 of 6 cycles run: 4 are recorded from begin to end, of which comparison.discard_cycles leaves out 2; 2 are not"
    )
    assert found["agreement"][FORCE]["max_measured"] < 1.01e4


def test_one_cycle_is_too_few_for_its_largest_value(run):
    found = compare_run(run(kept=KEPT, wrong=FRAGMENT))
    assert found["verdict"]["result"] == "cannot_be_judged"
    assert [one["cycle"] for one in found["agreement"][FORCE]["cycles"]] == [2]


def test_what_is_wrong_in_a_whole_cycle_is(run):
    found = compare_run(run(kept=[KEPT[0], cycles(4, 5)], wrong=FRAGMENT))
    assert found["verdict"]["result"] == "fail"
    assert found["cycles"] == {"judged": 3, "run": 4, "discarded": 2, "held": 0}
    assert [one["cycle"] for one in found["agreement"][FORCE]["cycles"]] == [2, 4, 5]


def test_nothing_is_said_of_a_record_that_has_all_of_them(run):
    found = compare_run(run())
    assert found["cycles"] == {"judged": 4, "run": 4, "discarded": 2, "held": 0}
    assert "judged on" not in found["verdict"]["reason"]


def test_a_record_with_fragments_only_has_no_verdict(run):
    found = compare_run(run(kept=[range(CYCLE), FRAGMENT]))
    assert found["verdict"]["result"] == "none"
    assert found["cycles"]["judged"] == 0


@pytest.mark.parametrize(("ran", "how"), [(0.6, "the test ended after 1.2 s of 2 s"), (1.0, "")])
def test_of_a_test_that_ended_early_both_are_said(run, ran, how):
    folder = run(kept=[range(cycles(0, 2).stop), range(CYCLE * 4 + 300, round(ran * END))], ran=ran)
    whole = Plan.read(folder).experiment.trajectory.create().duration
    assert whole == 2.0
    reason = compare_run(folder, ended=("stopped", "by hand"))["verdict"]["reason"]
    assert "judged on" in reason
    assert ("the test ended" in reason) is bool(how) and reason.endswith(how)


def test_the_window_shows_the_same_cycles(run):
    """Played back, as live, where every cycle is seen from begin to end."""
    everything = _errors(folder := run())
    shutil.rmtree(folder)
    few = _errors(run(kept=KEPT, wrong=FRAGMENT))
    assert set(everything) == set(range(6))
    assert set(few) == {0, 1, 2}
    for number, error in few.items():
        assert error == pytest.approx(everything[number], abs=1e-6)


def _errors(folder):
    record = read_run(folder / "run.h5")
    (folder / "plan.json").unlink()
    source, what = RecordSource(record, []), recorded_subject(record)
    tracker = CycleTracker(FORCE, 0, RATE, 1000.0, what.left_out)
    while tracker.advance(source):
        pass
    source.close()
    return {int(row[0]): row[2] for row in tracker.errors.rows}
