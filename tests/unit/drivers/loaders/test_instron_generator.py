"""Waveforms that end by their count, chunk by chunk, on a scripted controller: what is written, and what is made of state and count.

A waveform may run for one chunk after the last word, in whole cycles where a cycle is shorter. C209 is the count of quarter cycles at which
the armed event (C212,2) does what C213 says: 3 hold, 2 stop. States of Q200: 0 stopped, 1 running, 2 holding, 3 finishing, 4 aborted,
5 disabled (EPICS-instron, devinstron.proto and controls_waveform.db).
"""

from __future__ import annotations

from typing import Any

import pytest
from scripted_controller import Scripted

from drivers.errors import NoReply, Refused
from tests.each_row import each_row


def started(cycles: int = 100, frequency: float = 2.0, **settings: Any) -> Scripted:
    """At 2 Hz a chunk of 1 s is 8 quarters."""
    one = Scripted(**settings)
    one.answers["Q200"] = ["0", "1"]
    one.loader.start_waveform("sine", frequency, 10e3, cycles)
    one.bursts.clear()
    return one


def tells(one: Scripted, done: int | list[str], state: int = 1) -> None:
    one.answers |= {"Q210": done if isinstance(done, list) else str(done), "Q200": str(state)}


@each_row(("action", "code"), [("hold", 3), ("stop", 2)])
@each_row(("shape", "kind"), [("sine", 0), ("triangle", 1), ("square", 2), ("haversine", 3), ("sawtooth", 8)])
def test_everything_is_set_before_the_event_is_armed_and_that_before_the_start(action: str, code: int, shape: str, kind: int) -> None:
    one = Scripted(end_action=action)
    one.answers["Q200"] = ["0", "1"]
    one.loader.start_waveform(shape, 2.0, -10e3, 100)
    wave = [f"C201,2,{kind}", "C202,2,2.000000", "C203,2,-0.10000000", "C212,0"]
    assert one.bursts == [[word] for word in [*wave, "C209,8", f"C213,{code}", "C214,0", "C212,2", "C200,1"]]
    assert one.loader.waveform is not None and one.loader.counted == 0


@pytest.mark.parametrize(
    ("frequency", "cycles", "limit", "within"),
    [(2.0, 100, 8, 1.0), (2.0, 1, 4, 1.0), (2.0, 2, 8, 1.0), (1.3, 100, 4, 4 / 5.2), (0.6, 100, 2, 2 / 2.4), (0.2, 100, 1, 1.25)],
)
def test_a_chunk_is_whole_cycles_or_what_there_is_of_one(frequency: float, cycles: int, limit: int, within: float) -> None:
    one = Scripted()
    one.answers["Q200"] = ["0", "1"]
    assert one.loader.stops_within == 1.0, "before it is known, the chunk"
    one.loader.start_waveform("sine", frequency, 10e3, cycles)
    assert ["C209," + str(limit)] in one.bursts and one.loader.stops_within == pytest.approx(within)


@pytest.mark.parametrize(("chunk", "limit"), [(0.5, 4), (2.0, 16), (2.4, 16)])
def test_a_chunk_is_as_long_as_set(chunk: float, limit: int) -> None:
    one = Scripted(chunk=chunk)
    one.answers["Q200"] = ["0", "1"]
    one.loader.start_waveform("sine", 2.0, 10e3, 100)
    assert [f"C209,{limit}"] in one.bursts and one.loader.stops_within == pytest.approx(limit / 8.0)


@pytest.mark.parametrize("state", [1, 2, 3, 6, 7, 8, 9])
def test_none_is_started_where_one_runs(state: int) -> None:
    one = Scripted()
    one.answers["Q200"] = str(state)
    with pytest.raises(Refused, match=r"before the waveform its generator is .*; stop it at the panel"):
        one.loader.start_waveform("sine", 2.0, 10e3, 5)
    assert one.bursts == []


@pytest.mark.parametrize(
    ("output", "state", "fits"),
    [(None, "1", True), (None, "2", False), ("Dev1/ao0", "1", True), ("Dev1/ao0", "2", True), ("Dev1/ao0", "0", False)],
)
def test_it_holds_at_its_start_only_where_it_waits_for_an_output(output: str | None, state: str, fits: bool) -> None:
    one = Scripted(start_output=output)
    one.answers["Q200"] = ["0", state]
    if fits:
        one.loader.start_waveform("sine", 2.0, 10e3, 5)
    else:
        with pytest.raises(
            NoReply, match=r"0 s after it was told, the waveform did not start; its generator is (holding|stopped); look at"
        ):
            one.loader.start_waveform("sine", 2.0, 10e3, 5)


@pytest.mark.parametrize(
    ("done", "limit", "left"),
    [(0, None, 100), (3, None, 100), (4, 12, 99), (5, 12, 99), (7, 12, 99), (8, 16, 98)],
)
def test_the_count_goes_on_by_a_chunk_from_the_last_whole_cycle(done: int, limit: int | None, left: int) -> None:
    one = started()
    tells(one, done)
    assert one.loader.extend() == left and one.loader.counted == done
    assert one.bursts == ([] if limit is None else [[f"C209,{limit}"]])


def test_the_count_never_passes_the_whole() -> None:
    one = started(cycles=3)
    tells(one, 7)
    assert one.loader.extend() == 2
    assert one.bursts == [["C209,12"]]
    tells(one, 11)
    assert one.loader.extend() == 1
    assert one.bursts == [["C209,12"]], "told once"


def test_it_may_finish_its_last_cycle() -> None:
    one = started(cycles=3)
    tells(one, 2, state=3)
    assert one.loader.extend() == 3


@pytest.mark.parametrize(("state", "ends"), [(0, []), (2, [["C200,0"]]), (4, []), (5, [])])
def test_at_its_end_it_rests_and_what_is_held_is_ended_for_good(state: int, ends: list[list[str]]) -> None:
    one = started(cycles=2)
    tells(one, 8, state)
    assert one.loader.extend() == 0 and one.bursts == ends


@pytest.mark.parametrize(
    ("state", "words"),
    [(0, "not extended in time; extend it sooner"), (4, "aborted"), (5, "its generator was disabled"), (2, "not extended")],
)
def test_one_that_has_ended_early_says_how_far_it_came(state: int, words: str) -> None:
    one = started()
    tells(one, ["7", "8"], state)
    with pytest.raises(Refused, match=rf"the waveform ended after 2 of 100 cycles: {words}"):
        one.loader.extend()


def test_one_that_is_held_before_its_count_goes_on_by_its_input() -> None:
    one = started()
    tells(one, 3, state=2)
    assert one.loader.extend() == 100


@pytest.mark.parametrize(("state", "name"), [(6, "slaved"), (7, "slave locked"), (8, "sweeping"), (9, "dwelling")])
def test_a_state_that_is_none_of_a_waveform_is_named(state: int, name: str) -> None:
    one = started()
    tells(one, 3, state)
    with pytest.raises(Refused, match=f"while a waveform runs its generator is {name}; look at the panel"):
        one.loader.extend()


def test_a_count_beyond_its_limit_is_asked_for_three_times() -> None:
    one = started()
    tells(one, ["900", "900", "5", "5"])
    assert one.loader.extend() == 99
    other = started()
    tells(other, 9)
    words = r"goes on after 2\.25 cycles, though its controller was to end it after 2 \(C209,8; C213,3\): it does not obey its count"
    with pytest.raises(Refused, match=words):
        other.loader.extend()
    assert other.asked.count("Q210") == 3


def test_one_that_is_counted_to_its_end_may_take_a_moment_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    one = started(cycles=2, settle=3.0)
    monkeypatch.setattr("drivers.loaders.instron_generator.host_clock.now", lambda: now[0])
    tells(one, 8)
    for at in (100.0, 101.5, 103.0):
        now[0] = at
        assert one.loader.extend() == 1
    now[0] = 103.1
    with pytest.raises(Refused, match=r"goes on after 2 cycles, though its controller was to end it after 2 .* for 3 s"):
        one.loader.extend()


def test_there_is_nothing_to_extend_before_a_start() -> None:
    with pytest.raises(Refused, match=r"there is no waveform to go on with; start one"):
        Scripted().loader.extend()


@pytest.mark.parametrize(
    ("answer", "words"), [("2.5", "whole number from 0 to"), ("-1", "whole number from 0 to"), ("10", "from 0 to 9, got 10")]
)
def test_states_and_counts_are_whole_numbers(answer: str, words: str) -> None:
    one = Scripted()
    one.answers["Q200"] = answer
    with pytest.raises(Exception, match=f"asked Q200, expected a .*{words}.*; 3 times in a row"):
        one.loader.waveform_state()
    one.answers["Q210"] = str(2**31 - 1)
    assert one.loader.quarter_cycles() == 2**31 - 1
