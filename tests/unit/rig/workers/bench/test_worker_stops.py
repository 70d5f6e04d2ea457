"""Trips and stops: what the bench worker tells actuation and watchdog, in which order, and what no longer counts."""

from __future__ import annotations

import pytest

from rig.workers.bench.finding import Finding
from tests.unit.rig.workers.bench.noted_bench import Noted, finding


def test_a_trip_tells_the_actuation_first_of_all_and_only_once(noted: Noted) -> None:
    bench = noted.run()
    bench.command("trip", {"reason": "recorder is gone"})
    assert noted.order == ["actuation trip", "course abort"]
    assert (bench.course.state, bench.course.outcome, bench.course.reason) == ("tripped", "tripped", "recorder is gone")
    bench.command("trip", {"reason": "again"})
    bench.command("stop", {"reason": "and again"})
    assert noted.order == ["actuation trip", "course abort"] and (bench.course.outcome, bench.course.reason) == (
        "tripped",
        "recorder is gone",
    )


def test_after_a_trip_the_output_is_lowered_and_the_device_is_kept_at_work(noted: Noted) -> None:
    bench = noted.run()
    bench.command("trip", {"reason": "recorder is gone"})
    noted.order.clear()
    noted.fault, noted.findings = "no pressure", [finding("interlock")]
    bench.step()
    assert noted.order == ["course command", "course lower", "attending keep", "record", "passed"] and not bench.done
    assert noted.said("limit") == [], "what is passed on the way down is no news"
    noted.course.lowered = True
    bench.step()
    assert bench.done and bench.course.state == "stopped" and "actuation release" not in noted.order
    bench.close()
    assert noted.order[-1] == "closed, safe"


def test_what_is_closed_while_it_runs_is_not_safe(noted: Noted) -> None:
    noted.run().close()
    assert noted.order == ["closed, not safe"]


@pytest.mark.parametrize(("verb", "why"), [("orphaned", "supervisor is gone"), ("trip", "asked")])
def test_an_orphan_trips(noted: Noted, verb: str, why: str) -> None:
    bench = noted.run()
    bench.command(verb, {"reason": "asked"})
    assert bench.course.state == "tripped" and bench.course.reason == why and not bench.done


def test_an_orphan_that_has_not_begun_is_done(noted: Noted) -> None:
    noted.bench.command("orphaned", {})
    assert noted.bench.done and noted.order == []


@pytest.mark.parametrize("verb", ["orphaned", "abandoned"])
def test_nobody_left_to_tell_who_is_gone_is_waited_for(noted: Noted, verb: str) -> None:
    bench = noted.run()
    noted.reached["recorder"] = 999
    assert bench.step() == 0.001 and noted.order == [], "in lockstep the program waits for its slowest reader"
    noted.reached["recorder"] = 1000
    noted.reached["predictor"] = 899
    assert bench.step() == 0.001 and noted.order == []
    noted.reached["predictor"] = 900
    assert bench.step() == 0.0 and "passed" in noted.order
    noted.reached.clear()
    noted.reached["recorder"] = 0
    bench.command(verb, {})
    assert bench.step() == 0.0


def test_one_whose_supervisor_hangs_stops_by_a_ramp(noted: Noted) -> None:
    bench = noted.run()
    bench.command("abandoned", {})
    assert noted.order == ["course stop"] and (bench.course.state, bench.course.outcome) == ("stopping", "failed")
    assert bench.course.reason == "the supervisor gave no sign of life for 5 s"


def test_a_stop_is_taken_once(noted: Noted) -> None:
    bench = noted.run()
    bench.command("stop", {"reason": "Ctrl-C"})
    bench.command("stop", {"reason": "again", "outcome": "failed"})
    assert noted.order == ["course stop"] and (bench.course.state, bench.course.outcome, bench.course.reason) == (
        "stopping",
        "stopped",
        "Ctrl-C",
    )


def test_the_end_of_a_program_can_be_cut_short_and_an_unloading_cannot(noted: Noted) -> None:
    bench = noted.run()
    noted.course.ending = True
    bench.step()
    assert bench.course.state == "stopping" and noted.said("state") == ["stopping: end of the program"]
    noted.course.unloading = True
    bench.command("stop", {"reason": "Ctrl-C"})
    assert "course stop" not in noted.order
    noted.course.unloading = False
    bench.command("stop", {"reason": "Ctrl-C"})
    assert noted.order[-1] == "course stop" and bench.course.reason == "Ctrl-C"


def test_a_limit_that_stops_is_no_news_once_it_stops_and_one_that_opens_the_interlock_is(noted: Noted) -> None:
    bench = noted.run()
    noted.findings = [finding("stop")]
    bench.step()
    assert (bench.course.state, bench.course.outcome) == ("stopping", "tripped") and noted.said("limit") == [noted.findings[0].message]
    bench.step()
    assert len(noted.said("limit")) == 1
    noted.findings = [finding("interlock", "force 20 kN above 10 kN")]
    bench.step()
    assert bench.course.state == "tripped" and "actuation trip" in noted.order and len(noted.said("limit")) == 2
    assert [event[0] for event in noted.events if event[1] == "limit"] == [7, 7]


@pytest.mark.parametrize("loaded", [True, False])
def test_a_limit_that_unloads_does_not_wait_for_the_ramp(noted: Noted, loaded: bool) -> None:
    bench = noted.run()
    noted.actuation.ends_loaded = loaded
    noted.findings = [finding("unload")]
    bench.step()
    assert (bench.course.state, bench.course.outcome) == ("stopping", "tripped") and "course stop" in noted.order
    assert ("course begin_unloading" in noted.order) == loaded, "force mode ends without a load by itself"
    bench.step()
    assert len(noted.said("limit")) == 1


def test_what_only_warns_changes_nothing(noted: Noted) -> None:
    bench = noted.run()
    noted.findings = [finding("warn")]
    bench.step()
    assert bench.course.state == "running" and len(noted.said("limit")) == 1


def test_a_reading_that_passes_a_limit_counts_as_well(noted: Noted) -> None:
    bench = noted.run()
    noted.reading_findings = [finding("interlock", "oil 80 degC above 70 degC")]
    bench.step()
    assert bench.course.state == "tripped" and bench.course.reason == "oil 80 degC above 70 degC"


def test_an_instrument_that_is_lost_stops_where_it_must(noted: Noted) -> None:
    bench = noted.run()
    noted.told = [("gauge: no reply", False)]
    bench.step()
    assert bench.course.state == "running" and noted.said("instrument") == ["gauge: no reply"]
    noted.told = [("gauge: no reply", True)]
    bench.step()
    assert (bench.course.state, bench.course.outcome, bench.course.reason) == ("stopping", "tripped", "gauge: no reply")


def test_what_the_controller_says_against_going_on_trips(noted: Noted) -> None:
    bench = noted.run()
    noted.fault = "loader: emergency stop pressed"
    bench.step()
    assert bench.course.state == "tripped" and bench.course.reason == noted.fault and noted.said("interlock") == [noted.fault]


@pytest.mark.parametrize(
    ("stopped", "reach", "reason"),
    [
        ("", "", "passed"),
        ("", "the loop is at its end", "passed; the loop is at its end"),
        ("crank: stopped", "x", "crank: stopped; then passed"),
    ],
)
def test_a_limit_is_told_with_what_led_to_it(noted: Noted, stopped: str, reach: str, reason: str) -> None:
    bench = noted.run()
    noted.actuation.cause, noted.course.out_of_reach = (lambda: stopped), (lambda: reach)
    noted.findings = [finding("interlock", "passed")]
    bench.step()
    assert bench.course.reason == reason


def test_a_stop_that_the_force_does_not_follow_is_an_interlock(noted: Noted) -> None:
    bench = noted.run()
    noted.left = Finding(31, "specimen", "the stop is not followed", "interlock")
    bench.step()
    assert bench.course.state == "running", "nobody has stopped it"
    bench.command("stop", {"reason": "Ctrl-C"})
    bench.step()
    assert (bench.course.state, bench.course.reason) == ("tripped", "Ctrl-C; then the stop is not followed")
    assert noted.order.index("course stop") < noted.order.index("actuation trip") and noted.said("specimen") == ["the stop is not followed"]
