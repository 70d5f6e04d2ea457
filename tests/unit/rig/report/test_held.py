"""A test that was held is judged on the cycles in which it was not; how it ended is kept apart from what became of its comparison."""

import json

import pytest

from rig.display.sources.recorded import recorded_subject
from rig.recorder.reading import read_run
from rig.report.summary import compare_run
from tests.unit.rig.report.dead_band import FORCE
from tests.unit.rig.report.test_snapshots import CYCLE, cycles

HOLD = range(CYCLE * 5 + 300, CYCLE * 5 + 900)
"""In cycle 4."""


def test_a_held_cycle_is_in_no_figure(run):
    found = compare_run(run(held=HOLD, wrong=HOLD))
    assert found["verdict"]["result"] == "pass"
    assert found["cycles"] == {"judged": 3, "run": 4, "discarded": 2, "held": 1}
    assert [one["cycle"] for one in found["agreement"][FORCE]["cycles"]] == [2, 3, 5]
    assert found["verdict"]["reason"].endswith("of which comparison.discard_cycles leaves out 2, and 1 in which the test was held")


def test_the_same_without_a_hold_does_not_pass(run):
    assert compare_run(run(wrong=HOLD))["verdict"]["result"] == "cannot_be_judged"


def test_where_only_discarded_cycles_are_left_held_ones_count(run):
    found = compare_run(run(held=range(cycles(2, 2).start + 1, cycles(5, 5).stop - 1)))
    assert found["cycles"] == {"judged": 4, "run": 4, "discarded": 2, "held": 0}


def test_what_is_shown_of_the_record_leaves_out_the_same(run):
    folder = run(held=HOLD)
    (folder / "plan.json").unlink()
    what = recorded_subject(read_run(folder / "run.h5"))
    assert what.left_out.spans == ((cycles(4, 4).start, cycles(4, 4).stop),)


@pytest.mark.parametrize(("test_ended", "result"), [({"outcome": "done", "reason": ""}, "pass"), (None, "none")])
def test_a_comparison_that_failed_does_not_stay_the_verdict(run, test_ended, result):
    """Compared again, as `rig compare` does. Without the test's own end nobody knows that it was the comparison that failed."""
    folder = run()
    summary = {"outcome": "failed", "reason": "the test could not be compared: no space left on device"}
    (folder / "summary.json").write_text(json.dumps(summary | ({} if test_ended is None else {"test_ended": test_ended})))
    assert compare_run(folder)["verdict"]["result"] == result
