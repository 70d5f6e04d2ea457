"""The result of a test, put together from what its processes left: outcome, summary and pictures."""

import json

import pytest

from rig.commands.running.run import _result
from rig.config.experiment import Comparison
from rig.config.plan import Plan
from rig.supervision.outcome import Outcome
from tests.unit.rig.report.dead_band import experiment


@pytest.mark.parametrize(
    ("share", "died", "asked", "ended"),
    [
        (0.0, True, True, ("failed", 3)),
        (0.3, True, True, ("failed", 3)),
        (0.7, True, True, ("done", 0)),  # enough of it was judged
        (0.0, True, False, ("done", 0)),  # nothing was to be judged
        (0.3, False, True, ("done", 0)),  # a test too short for a verdict, whose prediction is whole
    ],
)
def test_a_test_whose_criteria_nothing_was_left_to_be_judged_by_has_failed(run, share, died, asked, ended):
    folder = run(None if asked else experiment(comparison=Comparison()), share=share)
    outcome = Outcome(startup_s=1.0, deaths={"predictor": "predictor: stopped at 0.05 s: the motion diverged"} if died else {})
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(Plan.read(folder), outcome, [])
    assert (result.outcome, result.exit_code) == ended
    if ended[1]:
        why = "none of its 3 criteria was judged, as the prediction ended: predictor: stopped at 0.05 s: the motion diverged"
        assert result.data["error"] == result.data["reason"] == why and why in result.text


@pytest.mark.parametrize("broken", [ValueError("Key backend"), RuntimeError("latex was not found"), OSError(28, "No space left on device")])
def test_the_result_of_a_test_is_saved_before_its_picture_is_drawn(run, monkeypatch, broken):
    """As `rig run` ends: a picture that cannot be drawn is a warning, in the summary too."""
    folder, written = run(), []

    def fails(path, data):
        written.append(json.loads((folder / "summary.json").read_text()))
        raise broken

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    plan, outcome = Plan.read(folder), Outcome(startup_s=1.0)
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(plan, outcome, [])
    assert (written[0]["verdict"]["result"], written[0]["outcome"]) == ("pass", "done")
    last = json.loads((folder / "summary.json").read_text())
    assert (result.outcome, last["verdict"]["result"], "overlay" in last["files"]) == ("done", "pass", False)
    assert last["warnings"] == result.warnings
    assert any("could not be drawn" in one for one in result.warnings)


@pytest.mark.parametrize("picture", [True, False])
def test_a_picture_that_is_not_wanted_is_not_drawn(run, picture):
    folder = run()
    plan, outcome = Plan.read(folder), Outcome(startup_s=1.0)
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(plan, outcome, [], picture)
    last = json.loads((folder / "summary.json").read_text())
    assert ((folder / "overlay.png").exists(), "overlay" in last["files"]) == (picture, picture)
    assert (result.outcome, last["verdict"]["result"], last["agreement"]) == ("done", "pass", result.data["agreement"])


def test_a_drawing_that_is_broken_off_stops_who_runs_several(run, monkeypatch):
    folder = run()

    def fails(path, data):
        raise KeyboardInterrupt

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    outcome = Outcome(startup_s=1.0)
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(Plan.read(folder), outcome, [])
    assert (result.outcome, result.data["verdict"]["result"]) == ("stopped", "pass")


@pytest.mark.parametrize(
    ("preparation", "said"),
    [(87040, "nothing was compared: the test did not begin, and only its preparation is recorded (span: 1.04)"),
     (0, "nothing was compared: nothing is recorded (span: 1.04)")],
)  # fmt: skip
def test_why_nothing_was_compared_is_said(run, preparation, said):
    """There is a file run.h5 in both cases, and it is printed beside."""
    outcome = Outcome(outcome="failed", reason="span: 1.04", startup_s=1.0)
    streams = {"measured": {"samples": 0, "lost_samples": 0, "lost_ranges": []}}
    prepared = {"samples": preparation, "lost_samples": 0, "lost_ranges": []}
    outcome.figures = {"recorder": {"streams": streams, "apart": {"preparation": prepared}}}
    folder = run()
    assert _result(Plan.read(folder), outcome, []).data["verdict"] == {"result": "none", "reason": said}
