"""Tests side by side: what their configurations differ in is found, and is the axis of what came of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rig.report.document.leaves import stated
from rig.report.document.page import report
from rig.report.document.reported_run import reported_run
from rig.report.document.series import axis_of, differences, series
from rig.report.document.wording import words
from tests.unit.rig.report.dead_band import FORCE, experiment
from tests.unit.rig.report.document.reported import judged

WORDS = words("en")


@pytest.fixture
def runs(run):
    """`runs(changes of each)`: one record under as many plans."""
    found = reported_run(judged(run()))

    def make(*changes):
        made = []
        for number, change in enumerate(changes, 1):
            plan = replace(found.plan, run=f"000{number}-deadband", experiment=change(found.plan.experiment))
            made.append(replace(found, plan=plan))
        return made

    return make


def at(frequency):
    return lambda one: replace(one, trajectory=replace(one.trajectory, frequency=frequency))


def test_the_key_that_differs_is_found_and_is_the_axis(runs):
    found = runs(at(2.0), at(4.0), at(3.0))
    unlike = differences(found)
    assert unlike == {"trajectory.frequency": ["2", "4", "3"]}
    axis = axis_of(found, unlike)
    assert axis.numeric and axis.title == "trajectory.frequency, Hz" and axis.places.tolist() == [2.0, 4.0, 3.0]
    curve = series(found, WORDS)[1].figures[0].curves[0]
    assert curve.x.tolist() == [2.0, 3.0, 4.0]


def test_what_is_only_said_of_a_test_is_no_difference(runs):
    found = runs(lambda one: one, lambda one: replace(one, title="other", document=replace(one.document, order="7")))
    assert differences(found) == {} and "do not differ" in series(found, WORDS)[0].paragraphs[0]
    assert not axis_of(found, {}).numeric and [*axis_of(found, {}).names] == ["0001-deadband", "0002-deadband"]


def test_a_text_that_differs_puts_names_on_the_axis(runs):
    def law(name):
        return lambda one: replace(one, mechanism=replace(one.mechanism, contact=replace(one.mechanism.contact, law=name)))

    found = runs(law("plain"), law("loose"))
    assert differences(found) == {"mechanism.contact.law": ["plain", "loose"]}
    assert not axis_of(found, differences(found)).numeric


def test_an_item_of_a_list_is_named_by_its_number_and_can_be_the_axis(runs):
    def tolerance(value):
        def change(one):
            first, *others = one.comparison.criteria
            return replace(one, comparison=replace(one.comparison, criteria=(first, *others[:-1], replace(others[-1], tolerance=value))))

        return change

    found = runs(tolerance(0.01), tolerance(0.03))
    assert differences(found) == {"comparison.criteria[2].tolerance": ["0.01", "0.03"]}
    assert axis_of(found, differences(found)).places.tolist() == [0.01, 0.03]


def test_the_table_has_a_column_a_test_and_a_row_a_criterion(runs):
    found = runs(at(2.0), at(4.0))
    table = series(found, WORDS)[0].tables[0]
    assert [*table.heads] == ["What differs", "0001-deadband", "0002-deadband"]
    lines = json.loads((found[0].folder / "summary.json").read_text())["verdict"]["lines"]
    assert [row.cells[0] for row in table.rows][:2] == ["trajectory.frequency", "Verdict"] and len(table.rows) == 2 + len(lines)
    assert table.rows[2].cells[0] == f"{FORCE}: largest value (1 %)"


def test_one_test_is_no_series_and_each_has_a_chapter(runs):
    found = runs(at(2.0), at(4.0))
    assert series(found[:1], WORDS) == []
    told = report(found, WORDS)
    keys = [figure.key for figure in told.figures]
    assert [chapter.key for chapter in told.chapters] == ["run1", "run2"] and len(keys) == len({*keys})


def test_what_a_file_states_is_held_against_the_default():
    text = 'title = "t"\n[acquisition]\nrate = "6.4 kHz"\nblock = "10 ms"\n[comparison]\ndiscard_cycles = 3\n'
    made = experiment()
    made = replace(made, comparison=replace(made.comparison, discard_cycles=3))
    found = {one.key: (one.text, one.differs) for one in stated(text, made)}
    assert found == {
        "title": ("t", False), "acquisition.rate": ("6.4 kHz", True), "acquisition.block": ("10 ms", False),
        "comparison.discard_cycles": ("3", True),
    }  # fmt: skip
    assert stated("title = ", made) == []
