"""The course of a test over its cycles: figures in closed form, whatever the blocks, holds and breaks; bounded memory."""

import tracemalloc

import numpy as np
import pytest

from rig.config.experiment import Limit
from rig.report.endurance.course import course
from rig.report.endurance.cycle_tables import LEADING, Column, CycleTables
from rig.report.endurance.cycle_values import CycleValue
from rig.report.endurance.page import trend
from rig.report.endurance.reducing import Reduced
from rig.report.endurance.selection import Watched
from rig.report.endurance.table import Endurance
from tests.thorough import times
from tests.unit.rig.report.endurance.known_tables import LENGTH, amplitude, state, tables

FORCE = "transmitted_force"
STROKE = CycleValue(LEADING, "stroke", "amplitude")
CHANGE = Limit("stroke", per_cycle="amplitude", change=2.5e-6, settle=3, learn=10, action="hold")
HELD = [
    state(40 * LENGTH, "holding: change of amplitude exceeds 2.5e-06 m; action: hold"),
    state(40 * LENGTH + 500, "hold"),
    state(41 * LENGTH - 300, "resuming: resume by anna: looked at"),
    state(41 * LENGTH - 100, "running"),
]


def test_values_bounds_and_changes_are_those_of_the_table(tmp_path):
    found = course(tables(tmp_path / "run.h5", np.arange(100)), [], Watched(FORCE, [CHANGE]), discard=2)
    x, y = found.curves[STROKE]
    assert x.tolist() == list(range(100))
    assert y == pytest.approx(amplitude(np.arange(100)), rel=1e-12)
    (band,) = found.bounds["Stroke: amplitude"]
    assert band.since == 13
    assert (band.low, band.high) == pytest.approx((5e-4 + 7.5e-9 - 2.5e-6, 5e-4 + 7.5e-9 + 2.5e-6), rel=1e-12)
    (told,) = (one for one in found.changes if one.value == STROKE)
    assert (told.starts, told.ends) == ((2, 11), (90, 99))
    assert told.end - told.start == pytest.approx(88e-9, rel=1e-6)
    assert found.curves[CycleValue(LEADING, FORCE, "peak", "predicted_as_measured")][1] == pytest.approx(100.0)


ANEW = "resuming: resume by anna: looked at; a new baseline is learned by limits.0 stroke"


@pytest.mark.parametrize(("said", "at"), [(ANEW, 50 * LENGTH + 200), (f"{ANEW}, from 3000 samples later on", 47 * LENGTH + 200)])
def test_a_new_baseline_ends_a_band_and_begins_another(tmp_path, said, at):
    """Asked for in cycle 50, which counts for nothing, nor do 3 behind it: cycles 54 to 63 are learned from."""
    path = tables(tmp_path / "run.h5", np.arange(100))
    old, new = course(path, [state(at, said)], Watched(FORCE, [CHANGE])).bounds["Stroke: amplitude"]
    assert (old.since, old.until) == (13, 50)
    assert (new.since, new.until) == (64, None)
    assert (new.low, new.high) == pytest.approx((5e-4 + 58.5e-9 - 2.5e-6, 5e-4 + 58.5e-9 + 2.5e-6), rel=1e-12)
    other = said.replace("limits.0", "limits.1")
    (kept,) = course(path, [state(50 * LENGTH + 200, other)], Watched(FORCE, [CHANGE])).bounds["Stroke: amplitude"]
    assert (kept.since, kept.until) == (13, None), "a control: that of another limit"


def test_where_too_few_cycles_are_learned_there_is_no_new_band_and_the_old_one_ends(tmp_path):
    path = tables(tmp_path / "run.h5", np.arange(100))
    (old,) = course(path, [state(95 * LENGTH, ANEW)], Watched(FORCE, [CHANGE])).bounds["Stroke: amplitude"]
    assert (old.since, old.until) == (13, 95)


def test_a_cycle_with_a_hold_and_one_that_was_cut_off_are_in_no_curve(tmp_path):
    cycles = np.array([*range(60), *range(59, 80)])
    found = course(tables(tmp_path / "run.h5", cycles), HELD, Watched(FORCE))
    _, y = found.curves[STROKE]
    assert np.flatnonzero(np.isnan(y)).tolist() == [40]
    assert (found.whole, found.cut, found.held) == (80, 1, 1)
    (stop,) = found.stops
    assert (stop.cycle, stop.words) == (40, "held")
    assert "change of amplitude" in stop.reason
    assert course(tables(tmp_path / "run.h5", cycles), [], Watched(FORCE)).held == 0


def test_a_break_is_told_with_its_cycle_and_counts_a_session(tmp_path):
    events = [state(0, "starting"), state(50 * LENGTH, "resumed by anna", "resumed"), state(50 * LENGTH, "starting")]
    found = course(tables(tmp_path / "run.h5", np.arange(80)), events, Watched(FORCE))
    said = Endurance(found, 80, 0, 80 * LENGTH / 3000.0, 0.0, {})
    assert [(stop.cycle, stop.words) for stop in found.stops] == [(50, "broken off, resumed")]
    assert said.sessions == 2
    assert said.to_json()["breaks"][0]["cycle"] == 50


@pytest.mark.parametrize("length", [1, 7, 1000])
def test_however_it_is_cut_into_blocks_the_rows_are_the_same(tmp_path, length):
    column = Column("predicted_as_measured", "stroke", "max")
    with CycleTables(tables(tmp_path / "run.h5", [*range(30), 29, *range(30, 50)])) as found:
        blocks = list(found.blocks([column], length=length))
    assert np.concatenate([rows.whole for rows in blocks]).tolist() == [*[True] * 29, False, *[True] * 21]
    values = np.concatenate([rows.values[column] for rows in blocks])
    assert values == pytest.approx(amplitude(np.array([*range(30), 29, *range(30, 50)])))


def test_a_row_that_the_other_stream_lacks_is_not_known(tmp_path):
    path = tables(tmp_path / "run.h5", np.arange(50))
    import h5py

    with h5py.File(path, "r+") as file:
        table = file["entry/cycles/predicted_as_measured"]
        rows, units = np.delete(table[()], [20, 21]), table.attrs["units"]
        del file["entry/cycles/predicted_as_measured"]
        file.create_dataset("entry/cycles/predicted_as_measured", data=rows).attrs["units"] = units
    column = Column("predicted_as_measured", "stroke", "max")
    with CycleTables(path) as found:
        values = np.concatenate([rows.values[column] for rows in found.blocks([column], length=8)])
    assert np.flatnonzero(np.isnan(values)).tolist() == [20, 21]
    assert values[22:] == pytest.approx(amplitude(np.arange(22, 50)))


def test_the_last_cycle_counts_unless_the_test_ended_in_it(tmp_path):
    counts = np.full(30, LENGTH)
    assert course(tables(tmp_path / "a.h5", np.arange(30), counts), [], Watched(FORCE)).cut == 0
    counts[-1] = 300
    assert course(tables(tmp_path / "b.h5", np.arange(30), counts), [], Watched(FORCE)).cut == 1


def all_but(count: int, *cut: int) -> np.ndarray:
    return ~np.isin(np.arange(count), cut)


def test_the_column_says_which_cycles_are_whole_whatever_their_length(tmp_path):
    """Row 12 was stopped at 97 % of it and never run again; the last one is half as long as the one before, of a block of twice the
    frequency; of row 30 the prediction has not all."""
    count = np.full(60, LENGTH)
    count[12], count[-1] = 970, LENGTH // 2
    told = {"measured": all_but(60, 12), "predicted_as_measured": all_but(60, 12, 30)}
    found = course(tables(tmp_path / "run.h5", np.arange(60), count, whole=told), [], Watched(FORCE, [CHANGE]))
    assert (found.whole, found.cut) == (59, 1)
    _, y = found.curves[STROKE]
    assert np.flatnonzero(np.isnan(y)).tolist() == [12]
    _, error = found.curves[CycleValue(LEADING, FORCE, "peak", "predicted_as_measured")]
    assert np.flatnonzero(np.isnan(error)).tolist() == [12, 30]
    (band,) = found.bounds["Stroke: amplitude"]
    learned = amplitude(np.array([*range(3, 12), 13]))
    assert band.since == 14 and band.low == pytest.approx(learned.mean() - 2.5e-6, rel=1e-12)
    older = course(tables(tmp_path / "older.h5", np.arange(60), count), [], Watched(FORCE, [CHANGE]))
    assert (older.whole, older.cut) == (59, 1), "a control: without the column the wrong one"
    assert np.flatnonzero(np.isnan(older.curves[STROKE][1])).tolist() == [59]


def test_few_cycles_are_no_endurance_test(tmp_path):
    assert course(tables(tmp_path / "run.h5", np.arange(19)), [], Watched(FORCE)) is None
    assert course(tables(tmp_path / "run.h5", np.arange(20)), [], Watched(FORCE)) is not None


def test_no_outlier_is_lost_where_cycles_are_put_together():
    values = np.zeros(100_000)
    values[[12_345, 77_777]] = 5.0, -7.0
    reduced = Reduced(0, 99_999, 500)
    for start in range(0, 100_000, 333):
        reduced.add(np.arange(start, min(start + 333, 100_000)), values[start : start + 333])
    assert (np.nanmax(reduced.high), np.nanmin(reduced.low)) == (5.0, -7.0)
    assert len(reduced.curve()[0]) == 1000


def test_a_week_of_cycles_is_drawn_in_bounded_memory(tmp_path):
    cycles = times(200_000, 1_000_000)
    path = tables(tmp_path / "run.h5", np.arange(cycles))
    tracemalloc.start()
    found = course(path, HELD, Watched(FORCE, [CHANGE]))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < min(30e6, 95.0 * cycles), "the tables have 190 bytes a cycle"
    assert all(len(x) <= 3000 for x, _ in found.curves.values())
    assert np.nanmax(found.curves[STROKE][1]) == pytest.approx(amplitude(np.array(cycles - 1)), rel=1e-12)
    trend(tmp_path / "trend.png", found, "a test", "of many cycles")
    assert (tmp_path / "trend.png").read_bytes()[:4] == b"\x89PNG"


def test_the_section_says_what_the_test_was(tmp_path):
    found = course(tables(tmp_path / "run.h5", np.arange(100)), HELD, Watched(FORCE, [CHANGE]), discard=2)
    said = Endurance(found, 120, 3, 100 * LENGTH / 3000.0, 900 / 3000.0, {"damage": 0.25})
    data = said.to_json()
    assert data["cycles"] == {"asked": 120, "run": 100, "repeated": 3, "cut_off": 0}
    assert data["held_s"] == pytest.approx(900 / 3000.0)
    assert data["run_s"] == pytest.approx(99100 / 3000.0)
    assert data["holds"][0]["reason"].startswith("change of amplitude")
    assert data["damage"] == {"damage": 0.25}
    assert "100 cycles run of 120 asked, 3 run again" in said.text
    row = next(line for line in said.text.splitlines() if line.startswith("stroke, amplitude"))
    assert row.split()[2:4] == ["mm", "0.50001"]


def test_what_was_changed_stands_between_holds_and_breaks(tmp_path):
    """An amplitude in cycle 20, a hold in 40 left with a new baseline, a break behind cycle 60."""
    changed = state(20 * LENGTH + 10, "set trajectory.amplitude = 9 kN (before: 10 kN) by anna: milder", "operation")
    other = state(21 * LENGTH, "inject", "operation")
    hold = [*HELD[:2], state(41 * LENGTH - 300, ANEW), HELD[3]]
    broken = [state(60 * LENGTH, "resumed by anna", "resumed"), state(60 * LENGTH, "starting")]
    found = course(tables(tmp_path / "run.h5", np.arange(100)), [changed, other, *hold, *broken], Watched(FORCE))
    assert [(one.words, one.cycle) for one in found.acts] == [("set", 20), ("new baseline", 40)]
    assert [one.words for one in found.happened] == ["set", "held", "new baseline", "broken off, resumed"]
    said = Endurance(found, 100, 0, 100 * LENGTH / 3000.0, 0.3, {})
    assert said.sessions == 2 and len(said.to_json()["holds"]) == len(said.to_json()["breaks"]) == 1, "acts are neither"
    assert said.to_json()["acts"][0]["reason"] == "trajectory.amplitude = 9 kN (before: 10 kN) by anna: milder"
    lines = said.text.splitlines()
    assert "  cycle 20: set trajectory.amplitude = 9 kN (before: 10 kN) by anna: milder" in lines
    assert any(line.startswith("  cycle 40: new baseline: resume by anna: looked at; a new baseline is learned by") for line in lines)
