from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rig.config.bench import Bench
from rig.config.experiment import Experiment, Predictor
from rig.config.plan import Plan
from rig.display.status import Status
from rig.errors import WorkerDied
from rig.streaming.processes import PROCESSES
from rig.supervision.supervisor import Supervisor
from rig.trajectory import sine


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Supervisor, list[tuple[str, str, dict[str, Any]]]]:
    """A supervisor without processes, and what it tells them."""
    experiment = Experiment(title="", mechanism=None, trajectory=sine.Config(amplitude=1.0, frequency=1.0), integrator=None)
    (tmp_path / "run").mkdir()
    plan = Plan("0001-test", tmp_path / "run", tmp_path, experiment, Bench(title="", daq=None, loader=None, channels=()), "", "")
    supervisor = Supervisor(plan, window=True, watch=lambda status: None)
    said: list[tuple[str, str, dict[str, Any]]] = []
    monkeypatch.setattr(supervisor._group, "tell", lambda name, verb, **data: said.append((name, verb, data)))
    return supervisor, said


def test_the_windows_stop_button_is_a_ramp_and_pressed_again_an_interlock(told: Any) -> None:
    supervisor, said = told
    for _ in range(2):
        supervisor._hear("display", "request", {"verb": "stop", "reason": "stop button"})
        supervisor._forward_stops()
    assert said == [
        ("bench", "stop", {"reason": "stop button", "outcome": "stopped"}),
        ("bench", "trip", {"reason": "stop button, asked again"}),
    ]


def test_the_button_after_ctrl_c_is_an_interlock_too(told: Any) -> None:
    supervisor, said = told
    supervisor.stop("Ctrl-C")
    supervisor._forward_stops()
    supervisor._hear("display", "request", {"verb": "stop", "reason": "stop button"})
    supervisor._forward_stops()
    assert [verb for _, verb, _ in said] == ["stop", "trip"]


def test_what_a_worker_asks_for_is_a_ramp_however_often(told: Any) -> None:
    supervisor, said = told
    for _ in range(3):
        supervisor._hear("predictor", "request", {"verb": "stop", "reason": "lag", "outcome": "tripped"})
        supervisor._forward_stops()
    assert {verb for _, verb, _ in said} == {"stop"}
    assert said[0][2]["outcome"] == "tripped"


def test_before_anything_has_begun_the_window_shows_no_end(told: Any) -> None:
    supervisor, said = told
    supervisor._show_status()
    supervisor._log.note({"sample": None, "source": "bench", "kind": "state", "text": "running", "state": "running"})
    supervisor._show_status()
    assert [data["state"] for name, verb, data in said if (name, verb) == ("display", "status")] == ["ready", "running"]
    assert not Status("ready").ended


def test_the_window_hears_of_events_with_time_and_source(told: Any) -> None:
    supervisor, said = told
    supervisor._log.note({"sample": 512, "time_s": 0.01, "source": "bench", "kind": "limit", "text": "stroke exceeds"})
    for _ in range(2):
        supervisor._show_status()
    events = [data["events"] for name, verb, data in said if (name, verb) == ("display", "status")]
    assert events == [[{"sample": 512, "time_s": 0.01, "source": "bench", "kind": "limit", "text": "stroke exceeds"}], []]


@pytest.mark.parametrize(("started", "outcome"), [(False, "stopped"), (True, "failed")])
def test_a_bench_that_had_to_be_killed_while_it_opened_its_instruments_is_no_failure(
    told: Any, monkeypatch: pytest.MonkeyPatch, started: bool, outcome: str
) -> None:
    """Ctrl-C before anything has begun, on a computer that is slow to start: stopped, as asked."""
    supervisor, _ = told
    killed = SimpleNamespace(exit=-9, figures=None, failure=None, last_words=lambda: "bench died (exit -9)")
    monkeypatch.setattr(supervisor._group, "end", lambda name, patience: killed)
    supervisor.stop("Ctrl-C")
    supervisor.result.worse("stopped", "Ctrl-C")
    supervisor._ending.end_bench(called_off=not started)
    assert supervisor.result.outcome == outcome
    assert ("while it opened its instruments" in supervisor.result.events[-1]["text"]) == (not started)


def test_a_bench_that_failed_by_itself_has_failed_though_a_stop_was_asked_for(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor, _ = told
    ended = SimpleNamespace(exit=3, figures=None, failure={"text": "no device"}, last_words=lambda: "no device")
    monkeypatch.setattr(supervisor._group, "end", lambda name, patience: ended)
    supervisor.stop("Ctrl-C")
    supervisor._ending.end_bench(called_off=True)
    assert (supervisor.result.outcome, supervisor.result.reason) == ("failed", "no device")


def test_a_supervisor_that_has_hung_ends_its_test_as_failed_and_says_why(told: Any) -> None:
    """It had been stopped: the bench has brought the test to its end by itself, or is told to now."""
    supervisor, said = told
    supervisor._deaths.own_hanging()
    assert (supervisor.result.outcome, said) == ("done", [])
    supervisor._group.stood = 37.25
    supervisor._deaths.own_hanging()
    supervisor._deaths.own_hanging()
    assert supervisor.result.outcome == "failed"
    assert supervisor.result.reason.startswith("the supervisor gave no sign of life for 37.2 s, allowed 5 s: it had been stopped")
    assert [(name, verb, data["outcome"]) for name, verb, data in said] == [("bench", "stop", "failed")]


@pytest.mark.parametrize(
    ("outcome", "ended", "stays"),
    [("done", 0, True), ("stopped", 0, True), ("tripped", 0, True), ("failed", 0, False), (None, None, False)],
)
def test_a_test_that_was_at_its_end_stays_what_it_was_whenever_the_supervisor_is_stopped(
    told: Any, outcome: str | None, ended: int | None, stays: bool
) -> None:
    """Ctrl-Z while streams are drained. `failed` is what a bench ends with that nobody followed, None that it still runs."""
    supervisor, said = told
    figures = None if outcome is None else {"outcome": outcome, "reason": ""}
    supervisor._group.members["bench"] = SimpleNamespace(exit=ended, silent=True, figures=figures, failure=None)
    supervisor._group.stood = 37.25
    supervisor._deaths.own_hanging()
    assert (supervisor.result.outcome == "done") == stays
    assert (said == []) == stays
    told_of = [one.startswith("the supervisor gave no sign of life for 37.2 s when") for one in supervisor.result.warnings]
    assert told_of == [True] * stays


def test_what_the_bench_said_while_the_supervisor_was_away_is_heard_first(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor, said = told
    bench = SimpleNamespace(exit=0, silent=False, figures=None, failure=None)
    supervisor._group.members["bench"] = bench

    def listen() -> None:
        bench.silent, bench.figures = True, {"outcome": "done", "reason": ""}

    monkeypatch.setattr(supervisor._group, "listen", listen)
    supervisor._group.stood = 6.0
    supervisor._deaths.own_hanging()
    assert (supervisor.result.outcome, said) == ("done", [])


def test_what_ended_because_the_supervisor_hung_is_not_the_reason(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was continued in the middle of a look at who has ended."""
    supervisor, _ = told
    supervisor._group.stood = 6.0
    virtual_bench = SimpleNamespace(exit=0, figures=None, failure=None, last_words=lambda: "virtual_bench died (exit 0)")
    supervisor._deaths.answer(PROCESSES[0], virtual_bench)
    assert supervisor.result.reason.startswith("the supervisor gave no sign of life")


@pytest.mark.parametrize(("outcome", "stays"), [("done", True), ("stopped", True), ("tripped", True), ("failed", False), (None, False)])
def test_simulated_hardware_that_leaves_a_supervisor_that_was_away_ends_no_test_that_was_at_its_end(
    told: Any, outcome: str | None, stays: bool
) -> None:
    """It sees that nobody follows and that nothing moves, and ends by itself; found before the bench worker's end is."""
    supervisor, _ = told
    figures = None if outcome is None else {"outcome": outcome, "reason": ""}
    supervisor._group.members["bench"] = SimpleNamespace(exit=0 if outcome else None, silent=True, figures=figures, failure=None, report={})
    supervisor._group.stood = 8.0
    virtual_bench = SimpleNamespace(exit=0, figures=None, failure=None, last_words=lambda: "virtual_bench died (exit 0)")
    supervisor._deaths.answer(PROCESSES[0], virtual_bench)
    assert (supervisor.result.outcome == "done") == stays
    assert [event["kind"] for event in supervisor.result.events] == ["death"] * (not stays)


@pytest.mark.parametrize(("ended", "stood"), [(0, 0.0), (-9, 8.0)])
def test_any_other_end_of_it_is_a_death(told: Any, ended: int, stood: float) -> None:
    supervisor, _ = told
    supervisor._group.members["bench"] = SimpleNamespace(exit=0, silent=True, figures={"outcome": "done"}, failure=None, report={})
    supervisor._group.stood = stood
    said = f"virtual_bench died (exit {ended})"
    supervisor._deaths.answer(PROCESSES[0], SimpleNamespace(exit=ended, figures=None, failure=None, last_words=lambda: said))
    assert (supervisor.result.outcome, supervisor.result.reason) == ("failed", said)


def test_no_test_begins_once_the_supervisor_has_hung(told: Any) -> None:
    supervisor, _ = told
    supervisor._group.stood = 6.0
    with pytest.raises(WorkerDied, match="the supervisor gave no sign of life for 6"):
        supervisor._tick_before()


def test_a_folder_that_has_gone_is_a_failure_of_the_run(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own files: the list of processes, their logs."""
    supervisor, _ = told
    supervisor._plan.run_dir.rmdir()
    monkeypatch.setattr(supervisor._group.board, "close", lambda: None)
    outcome = supervisor.run()
    assert outcome.outcome == "failed"
    assert outcome.reason == f"supervisor: {supervisor._plan.run_dir / 'operation.json'}: No such file or directory"


class Window(SimpleNamespace):
    """A display that runs until it is told to finish."""

    def __init__(self) -> None:
        super().__init__(exit=None, figures=None, usage={}, report={}, failure=None)


@pytest.fixture
def kept(told: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Supervisor, list[tuple[str, str]], Window]:
    """A supervisor that is to keep its window; what it tells and ends."""
    supervisor, _ = told
    supervisor._window._keep, window, did = True, Window(), []
    supervisor._group.members["display"] = window

    def tell(name: str, verb: str, **data: Any) -> None:
        did.append((name, verb))
        if verb == "rest":
            window.figures = {"frames": 3}
        if verb == "finish":
            window.exit = 0

    monkeypatch.setattr(supervisor._group, "tell", tell)
    monkeypatch.setattr(supervisor._group, "listen", lambda: None)
    monkeypatch.setattr(supervisor._group, "end", lambda name, patience: did.append((name, "end")))
    return supervisor, did, window


def test_a_window_that_is_kept_rests_and_is_not_ended(kept: Any) -> None:
    supervisor, did, _ = kept
    supervisor._end()
    assert supervisor.window_stays
    assert ("display", "rest") in did
    assert ("display", "finish") not in did and ("display", "end") not in did
    assert supervisor.result.figures["display"] == {"frames": 3}


def test_it_is_waited_for_until_ctrl_c(kept: Any) -> None:
    supervisor, did, _ = kept
    supervisor.close_window()
    supervisor.wait_for_window()
    assert did == [("display", "finish"), ("display", "end")]


def test_one_that_was_closed_already_is_not_waited_for(kept: Any) -> None:
    supervisor, did, window = kept
    window.exit = 0
    assert not supervisor.window_stays
    supervisor._end()
    assert ("display", "rest") not in did


def test_nothing_is_kept_where_nobody_asked_for_it(kept: Any) -> None:
    supervisor, did, _ = kept
    supervisor._window._keep = False
    supervisor._end()
    assert ("display", "end") in did and ("display", "rest") not in did


def test_one_that_hangs_is_not_waited_for_for_ever(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor, did, window = kept
    window.last_words = lambda: "display gave no sign of life for 20 s and was ended"

    def newly_dead() -> list[Any]:
        window.exit, window.failure = -9, {"text": ""}
        return [(SimpleNamespace(name="display"), window)]

    monkeypatch.setattr(supervisor._group, "newly_dead", newly_dead)
    assert supervisor.wait_for_window() == "display gave no sign of life for 20 s and was ended"
    assert ("display", "end") in did


@pytest.mark.parametrize("answer", ["mark", "stop"])
def test_a_prepared_test_begins_once_everybody_whose_death_would_stop_it_has_been_seen_alive(
    told: Any, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """A recorder that was killed a moment before is not known to be dead yet."""
    supervisor, said = told
    monkeypatch.setattr(supervisor._group, "listen", lambda: None)
    supervisor._deaths._plan = replace(
        supervisor._plan, experiment=replace(supervisor._plan.experiment, predictor=Predictor(on_death=answer))
    )
    board = supervisor._group.board
    for name in ("recorder", "predictor"):
        board.beat(name)
    supervisor._tick()
    assert not begun(said), "nobody has asked"
    supervisor._hear("bench", "request", {"verb": "begin"})
    supervisor._tick()
    assert not begun(said), "nobody has been seen since"
    board.beat("recorder")
    supervisor._tick()
    assert begun(said) == (answer == "mark"), "a prediction may be missed, if the experiment says so"
    board.beat("predictor")
    supervisor._tick()
    supervisor._tick()
    assert [(name, verb) for name, verb, _ in said if verb == "begin"] == [("bench", "begin")]


@pytest.mark.parametrize("why", ["gone", "hung", "stop"])
def test_it_does_not_begin_once_something_speaks_against_it(told: Any, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    supervisor, said = told
    monkeypatch.setattr(supervisor._group, "listen", lambda: None)
    supervisor._hear("bench", "request", {"verb": "begin"})
    for name in ("recorder", "predictor"):
        supervisor._group.board.beat(name)
    if why == "gone":
        supervisor._group.gone.add("recorder")
    elif why == "hung":
        supervisor._group.stood = 6.0
    else:
        supervisor.stop("Ctrl-C")
    supervisor._tick()
    assert not begun(said)


def begun(said: list[tuple[str, str, dict[str, Any]]]) -> bool:
    return any(verb == "begin" for _, verb, _ in said)
