"""The end of a test: nothing is let go before it rests and carries no load, and nobody is left with what could move."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rig.errors import BenchRefused
from tests.unit.rig.workers.bench.noted_bench import Noted, finding

LET_GO = ["signs of life", "actuation release", "signs end"]


def test_at_its_end_it_lets_go_once_it_rests(noted: Noted) -> None:
    bench = noted.run()
    noted.course.over, noted.rests = True, False
    bench.step()
    assert "actuation release" not in noted.order and not bench.done
    noted.rests = True
    bench.step()
    assert noted.order[-3:] == LET_GO and bench.done and bench.course.state == "stopped"


def test_one_that_stops_ends_as_well(noted: Noted) -> None:
    bench = noted.run()
    bench.command("stop", {"reason": "Ctrl-C"})
    noted.course.over = True
    bench.step()
    assert noted.order[-3:] == LET_GO and bench.done


def test_in_stroke_mode_the_specimen_is_unloaded_before_it_lets_go(noted: Noted) -> None:
    bench = noted.run()
    noted.actuation.ends_loaded, noted.course.over = True, True

    def begins(*pair: Any) -> None:
        noted.does("course begin_unloading")
        noted.course.unloading = True

    noted.course.begin_unloading = begins
    bench.step()
    assert (
        noted.order[-1] == "course begin_unloading" and bench.course.state == "stopping" and noted.said("state") == ["stopping: unloading"]
    )
    noted.order.clear()
    bench.step()
    assert noted.order == ["course command", "unload", "attend", "record", "passed"] and not bench.done
    noted.course.unloaded = True
    bench.step()
    assert noted.order[-3:] == LET_GO and bench.done


def test_one_that_carries_no_load_lets_go_at_once(noted: Noted) -> None:
    bench = noted.run()
    noted.actuation.ends_loaded, noted.course.over, noted.course.unloaded = True, True, True
    bench.step()
    assert noted.order[-4:] == ["course begin_unloading", *LET_GO] and bench.done
    assert noted.said("state") == ["stopped"], "nothing is said of an unloading"


def test_a_load_that_cannot_be_got_rid_of_trips(noted: Noted) -> None:
    bench = noted.run()
    noted.course.unloading = True

    def unload(*pair: Any) -> None:
        raise BenchRefused("unloading", "force grows")

    noted.course.unload = unload
    bench.step()
    assert bench.course.state == "tripped" and "force grows" in bench.course.reason


def test_whom_nobody_follows_leaves_nothing_that_could_move(noted: Noted) -> None:
    bench = noted.run()
    noted.course.over, noted.links.abandoned = True, True
    bench.step()
    assert noted.order[-4:] == ["signs of life", "actuation release", "actuation trip", "signs end"] and bench.done


def test_what_was_learnt_of_a_block_may_stop(noted: Noted) -> None:
    bench = noted.run()
    seen: list[str] = []

    def learn(command: Any, measured: Any, limit: str) -> list[Any]:
        seen.append(limit)
        return [SimpleNamespace(sample=3, text="amplitude out of reach", stop=True)]

    noted.course.learn = learn
    noted.findings = [finding("warn", "near")]
    bench.step()
    assert seen == ["near"] and (bench.course.state, bench.course.reason) == ("stopping", "amplitude out of reach")
    bench.step()
    assert len(seen) == 1, "a stop teaches nothing"


def test_its_figures_are_those_of_the_summary(noted: Noted) -> None:
    bench = noted.run()
    noted.course.control_figures = lambda: {"iterations": 3}
    noted.course.output_figures = lambda: {"min_ahead_s": 0.04, "delay_s": None}
    noted.daq.underflows, noted.course.n = 2, 20
    bench.step()
    told = bench.close()
    assert (told["outcome"], told["reason"], told["samples"], told["rate"]) == ("done", "", 20, 1000.0)
    assert told["ao"] == {"underflows": 2, "min_ahead_s": 0.04, "delay_s": None}
    assert told["control"] == {"iterations": 3} and told["preparation"] is None and told["clocks"] == told["instruments"] == {}
    assert told["turns"]["read_s"]["n"] == told["turns"]["work_s"]["n"] == 2, "how long its blocks took"


def test_figures_of_a_test_that_never_began(noted: Noted) -> None:
    told = noted.bench.close()
    assert (told["samples"], told["control"]) == (0, None) and set(told["ao"]) == {"underflows", "min_ahead_s", "delay_s"}
    assert told["ao"]["min_ahead_s"] is None


def test_what_could_not_be_closed_is_an_event(noted: Noted) -> None:
    noted.bench._equipment.close = lambda safe: ["DAQ: closing its input task: gone"]  # type: ignore[method-assign]
    noted.bench.close()
    assert noted.said("close") == ["DAQ: closing its input task: gone"]


@pytest.mark.parametrize(("left", "more"), [(0, False), (1, True)])
def test_a_block_behind_which_others_wait_is_told_to_be_one(noted: Noted, left: int, more: bool) -> None:
    """Who has fallen behind fills and attends with the last of them; readings are up to the block's end."""
    bench = noted.run()
    told: list[Any] = []
    own: Any = bench._equipment
    own.reading.left, noted.course.n = left, 20
    noted.course.refill = lambda times, more: told.append(more)
    own.attending.attend = lambda more: told.append(more)
    own.instruments.take = lambda times, n: told.append(n)
    bench.step()
    assert told == [more, more, 30]


def test_the_blocks_of_a_program_are_events_at_their_samples(noted: Noted) -> None:
    bench = noted.run()
    noted.course.begun_blocks = lambda: [(5, "block 2: ramp")]
    bench.step()
    assert noted.events == [(5, "block", "block 2: ramp")]
    bench.command("stop", {"reason": "Ctrl-C"})
    bench.step()
    assert len(noted.said("block")) == 1
