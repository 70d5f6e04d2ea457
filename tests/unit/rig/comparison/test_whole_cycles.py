"""Which cycles are judged, where a record has some of them in part."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison.whole_cycles import Absent, LeftOut, WholeCycles

TURN = 2.0 * np.pi
REST = 60


def command(cycles: int, period: float, held: tuple[int, int] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Rest, cycles, rest: (cycle, phase); held: the phase stands at the first sample for as many as the second says."""
    turns = (np.arange(round(cycles * period)) + 0.25) / period
    if held is not None:
        turns = np.insert(turns, held[0] % len(turns), np.full(held[1], turns[held[0] % len(turns)]))
    rest = np.full(REST, -1.0)
    cycle = np.concatenate((rest, np.floor(turns), rest))
    phase = TURN * np.concatenate((np.full(REST, turns[0]), turns, np.full(REST, turns[-1])))
    return cycle, phase


def absent(kept: np.ndarray, resumed: bool = False) -> list[Absent]:
    edges = np.flatnonzero(np.diff(np.concatenate(([True], kept, [True])).astype(int)))
    return [Absent(int(a), int(b), resumed) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def recorded(cycle: np.ndarray, phase: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As a report reads them: at rest where nothing is."""
    return np.where(kept, cycle, -1.0), np.where(kept, phase, 0.0)


def judged(column: WholeCycles) -> set[int]:
    return set(np.unique(column[:]).astype(int).tolist()) - {-1}


@given(
    st.integers(1, 12), st.floats(20.0, 90.0), st.lists(st.tuples(st.integers(0, 999), st.integers(1, 400)), max_size=5),
    st.none() | st.tuples(st.integers(0, 900), st.integers(1, 200)),
)  # fmt: skip
def test_a_cycle_counts_when_the_record_has_all_of_it(cycles, period, cuts, held):
    """To within one sample: of a cycle that is no whole number of samples long nobody can tell whether it had one more."""
    cycle, phase = command(cycles, period, held)
    kept = np.ones(len(cycle), bool)
    for begin, count in cuts:
        kept[begin % len(cycle) :][:count] = False
    found = judged(WholeCycles(*recorded(cycle, phase, kept), absent(kept)))
    missing = {number: int(np.count_nonzero(~kept[cycle == number])) for number in range(cycles)}
    standing = set() if held is None else {int(cycle[REST + held[0] % round(cycles * period)])}
    assert {number for number, count in missing.items() if count == 0} <= found
    assert {number for number in found if missing[number] > 1} <= standing - {number for number in standing if missing[number] > held[1]}


def test_of_what_is_kept_as_snapshots_the_whole_cycles_count():
    """The second and fifth cycle; and what lies around an event, which begins and ends in the middle of a cycle."""
    cycle, phase = command(20, 50.3)
    kept = np.isin(cycle, (1, 4)) | (np.abs(np.arange(len(cycle)) - (REST + 700)) < 120)
    kept[-80:] = True
    column = WholeCycles(*recorded(cycle, phase, kept), absent(kept))
    assert judged(column) == {1, 4, 12, 13, 14, 15} & {n for n in range(20) if kept[cycle == n].all()}
    assert {12, 13} & judged(column)
    here = np.unique(cycle[kept]).astype(int).tolist()
    assert len(here) > len(judged(column)) + 2  # which is what was judged without this
    count = column.judged(1)
    assert (count.judged, count.run) == (len(judged(column)) - 1, 19)
    assert "judged on 5 of 20 cycles run: 6 are recorded" in count.words and "leaves out 1; 14 are not" in count.words


def test_where_all_samples_are_kept_nothing_changes():
    cycle, phase = command(5, 30.0)
    column = WholeCycles(cycle, phase, [])
    assert np.array_equal(column[:], cycle)
    assert (column.judged(2).judged, column.judged(2).run, column.judged(2).words) == (3, 3, "")


def sessions(stop: bool) -> tuple[np.ndarray, np.ndarray, list[Absent]]:
    """Broken off in the middle of cycle 3, by a ramp or without one; it is run again behind 40 samples that nobody has seen."""
    cycle, phase = command(8, 40.0)
    at = REST + 3 * 40 + 17
    ramp = np.full(30 if stop else 0, -1.0)
    gap, soft = np.full(40, np.nan), np.full(25, -1.0)
    again = REST + 3 * 40
    first = at + len(ramp)
    numbers = np.concatenate((cycle[:at], ramp, gap, soft, cycle[again:]))
    angle = np.concatenate((phase[:at], np.full(len(ramp), phase[at]), gap, np.full(25, phase[again]), phase[again:]))
    return numbers, angle, [Absent(first, first + 40, resumed=True)]


@pytest.mark.parametrize("stop", [False, True])
def test_a_cycle_that_was_broken_off_and_run_again_counts_once(stop):
    numbers, phase, gaps = sessions(stop)
    column = WholeCycles(numbers, phase, gaps)
    assert judged(column) == set(range(8))
    assert np.count_nonzero(column[:] == 3.0) == 40
    assert np.count_nonzero(numbers == 3.0) == 57
    assert column.judged(2).words == ""


def test_one_that_was_broken_off_at_its_very_end_is_whole():
    numbers, phase, gaps = sessions(stop=False)
    at = REST + 3 * 40
    cut = np.r_[0:at, gaps[0].first : len(numbers)]
    column = WholeCycles(numbers[cut], phase[cut], [Absent(at, at + 40, resumed=True)])
    assert judged(column) == set(range(8))
    assert np.count_nonzero(column[:] == 2.0) == 40


def test_a_cycle_in_which_a_test_was_stopped_is_judged_as_far_as_it_was_run():
    cycle, phase = command(6, 40.0)
    cycle[REST + 5 * 40 + 11 :] = -1.0
    assert np.count_nonzero(WholeCycles(cycle, phase, [Absent(REST + 20, REST + 60)])[:] == 5.0) == 11


def test_steps_of_a_test_whose_phase_stands_are_whole():
    cycle = np.repeat(np.arange(10.0), 25)
    kept = np.isin(cycle, (2.0, 3.0, 7.0))
    assert judged(WholeCycles(*recorded(cycle, 0.0 * cycle, kept), absent(kept))) == {2, 3, 7}


def test_a_sample_of_any_stream_that_is_absent_makes_a_fragment():
    """The command is there all through, the prediction is not."""
    cycle, phase = command(6, 40.0)
    column = WholeCycles(cycle, phase, [Absent(REST + 90, REST + 95)])
    assert judged(column) == {0, 1, 3, 4, 5}


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 60)), max_size=6), st.lists(st.integers(0, 400), max_size=5))
def test_it_is_the_same_however_it_is_sliced(spans, cuts):
    cycle = np.repeat(np.arange(20.0), 20)
    left_out = LeftOut((first, first + count) for first, count in spans)
    whole = left_out.out_of(cycle, 0)
    places = sorted({0, len(cycle), *cuts})
    assert np.array_equal(np.concatenate([left_out.out_of(cycle[a:b], a) for a, b in itertools.pairwise(places)]), whole)
    expected = cycle.copy()
    for first, count in spans:
        expected[first : first + count] = -1.0
    assert np.array_equal(whole, expected)


HELD = (REST + 130, 300)
"""A stand of 300 samples in cycle 3 of 40 samples each, as `command` makes it."""


def held_test() -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
    cycle, phase = command(8, 40.0, held=(HELD[0] - REST, HELD[1]))
    return cycle, phase, (HELD[0] - 5, HELD[0] + HELD[1] + 5)


def test_a_cycle_in_which_the_test_was_held_does_not_count_and_is_told():
    cycle, phase, held = held_test()
    column = WholeCycles(cycle, phase, [], [held])
    assert judged(column) == set(range(8)) - {3}
    count = column.judged(2)
    assert (count.judged, count.run, count.discarded, count.held) == (5, 6, 2, 1)
    assert count.words == (
        "judged on 5 of 8 cycles run: 7 are recorded from begin to end, of which comparison.discard_cycles leaves out 2, "
        "and 1 in which the test was held"
    )
    assert judged(WholeCycles(cycle, phase, [])) == set(range(8)), "the control: without the hold's events it counts"


def test_a_hold_over_the_border_of_two_cycles_leaves_both_out_and_one_to_the_end_all_behind():
    cycle, phase = command(8, 40.0)
    assert judged(WholeCycles(cycle, phase, [], [(REST + 3 * 40 - 5, REST + 3 * 40 + 5)])) == {0, 1, 4, 5, 6, 7}
    assert judged(WholeCycles(cycle, phase, [], [(REST + 3 * 40 + 5, None)])) == {0, 1, 2}
    assert judged(WholeCycles(cycle, phase, [], [(len(cycle) + 7, None), (-9, 4)])) == set(range(8)), "in no cycle at all"


@pytest.mark.parametrize("discard", [0, 2])
def test_where_every_cycle_was_held_they_count(discard):
    cycle, phase = command(3, 40.0)
    held = [(REST + 40 * discard + 7, REST + 40 * discard + 30)]
    if discard == 0:
        held = [(REST + 7, REST + 110)]
    column = WholeCycles(cycle, phase, [], held, discard)
    assert judged(column) == {0, 1, 2}
    assert (column.judged(discard).held, column.judged(discard).words) == (0, "")


def test_a_cycle_that_the_test_ended_in_was_not_run_where_it_is_not_judged():
    """Kept are cycles 1 and 4, and from the middle of the last one on, which was cut by the stop."""
    cycle, phase = command(6, 40.0)
    cycle[REST + 5 * 40 + 31 :] = -1.0
    kept = np.isin(cycle, (1, 4))
    kept[REST + 5 * 40 + 10 :] = True
    column = WholeCycles(*recorded(cycle, phase, kept), absent(kept))
    assert judged(column) == {1, 4}
    assert column.judged(0, 5, cut=5).run == 5
    assert column.judged(0, 5).run == 6, "the control: nobody says that it was cut"
    assert WholeCycles(cycle, phase, []).judged(0, 5, cut=5).run == 6, "of one that is judged as far as it was run, both count it"
