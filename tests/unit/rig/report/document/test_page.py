"""What a report says of a test: every figure is the record's or the verdict's, nothing is asked of anybody, nothing is lost in print."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import h5py
import numpy as np
import pytest

from rig.config.experiment import Criterion
from rig.report.document.cycle_tables import LISTED, chosen
from rig.report.document.figures import COLUMNS
from rig.report.document.reported_run import reported_run
from tests.unit.rig.report.dead_band import FORCE, RATE, experiment
from tests.unit.rig.report.document.reported import Page, documented, judged, told


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.DOTALL)[1])


def column(data, number):
    packed = data["arrays"][number]
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=np.dtype(f"<{packed['dtype']}"))


def test_it_says_what_was_tested_for_whom_by_whom_and_on_what(run):
    chosen_experiment = documented(
        title="Pin joint <A>", customer="Meyer & Söhne", order="4711", specimen="no. 7", operator="Ada", notes="greased\n\nnew pins"
    )
    page = Page(told(judged(run(chosen_experiment))))
    assert page.headings[0] == "Pin joint <A>" and "Result" in page.headings
    for text in ("Meyer & Söhne", "4711", "no. 7", "Ada", "greased", "new pins", "0001-deadband", "a bench", "dead band"):
        assert text in page.text, text


def test_what_is_not_known_is_not_there(run):
    page = Page(told(judged(run())))
    assert "Customer" not in page.text and "Notes" not in page.headings


def test_every_criterion_stands_with_its_error_its_tolerance_and_its_result(run):
    folder = judged(run())
    heads, *rows = Page(told(folder)).tables["Criteria"]
    lines = summary_of(folder)["verdict"]["lines"]
    assert len(rows) == len(lines) == 3 and heads[:2] == ["Channel", "Criterion"] and heads[-1] == "Result"
    for row, line in zip(rows, lines, strict=True):
        assert row[0] == FORCE and row[-1] == ("passed" if line["passed"] else "failed")
        shown = float(row[heads.index("Error")].split()[0])
        assert shown == pytest.approx(100.0 * line["error"], abs=5e-3 * max(1.0, abs(100.0 * line["error"])))
        assert f"≤ {100.0 * line['tolerance']:g} %" in row[heads.index("Tolerance")]


def test_a_criterion_that_does_not_hold_fails_in_words(run):
    strict = experiment(comparison=replace(experiment().comparison, criteria=(Criterion(FORCE, "nrms", 1e-9),)))
    page = Page(told(judged(run(strict, wrong=range(int(1.9 * RATE))))))  # 30 % too much
    assert page.tables["Criteria"][1][-1] == "failed" and "Verdict: failed" in page.text
    assert page.tables["Validation after ASME V&V 20"][1][:2] == page.tables["Criteria"][1][:2]


def test_results_and_columns_of_tomorrow_need_no_change(run):
    line = {"channel": FORCE, "metric": "max", "error": 0.0123, "tolerance": 0.01, "passed": False, "result": "cannot_be_judged",
            "low": 0.004, "probability": 0.31, "rule": "simple_acceptance", "text": ""}  # fmt: skip
    verdict = {"result": "held_in_doubt", "reason": "noise", "lines": [line]}
    page = Page(told(judged(run(), verdict=verdict)))
    heads, row = page.tables["Criteria"]
    cells = dict(zip(heads, row, strict=True))
    assert (cells["Error at least"], cells["Probability"], cells["Rule"]) == ("0.4 %", "0.31", "simple acceptance")
    assert cells["Result"] == "cannot be judged" and "Verdict: held in doubt" in page.text


def test_the_curves_are_those_of_the_record_and_no_peak_is_lost(run):
    folder = judged(run())
    with h5py.File(folder / "run.h5") as file:
        stroke = file["entry/measured/stroke"][:]
    data = data_of(told(folder))
    figure = next(figure for figure in data["figures"].values() if len(figure["curves"]) == 2 and figure["y"] == "mm")
    measured = next(curve for curve in figure["curves"] if curve["style"] == "measured")
    y = column(data, measured["y"]) / 1e3
    assert y.max() == pytest.approx(stroke.max(), rel=1e-6) and y.min() == pytest.approx(stroke.min(), rel=1e-6)


def test_a_long_curve_has_as_many_points_as_paper_can_show(run):
    long = experiment(trajectory=replace(experiment().trajectory, cycles=24))
    text = told(judged(run(long)))
    data = data_of(text)
    drawn = {len(column(data, curve["y"])) for curve in data["figures"]["run1-whole"]["curves"]}
    assert drawn == {2 * COLUMNS} and len(text) < 3e6


def test_the_spectra_of_what_is_judged_agree_with_each_other(run):
    """By the page's own numbers: where hardly anything is left as a difference, measured over predicted is near 1."""
    longer = experiment(trajectory=replace(experiment().trajectory, cycles=24))
    data = data_of(told(judged(run(longer))))
    levels, ratio = (data["figures"][f"run1-{name}0"] for name in ("spectrum", "ratio"))
    assert levels["logarithmic"] == ratio["logarithmic"] == "xy" and not data["figures"]["run1-whole"]["logarithmic"]
    frequency = column(data, levels["curves"][0]["x"])
    measured, predicted, difference = (column(data, curve["y"]) for curve in levels["curves"])
    largest = int(np.argmax(predicted))
    h1 = next(curve for curve in ratio["curves"] if curve["style"] == "ratio-points")
    near = int(np.argmin(np.abs(column(data, h1["x"]) - frequency[largest])))
    assert column(data, h1["y"])[near] == pytest.approx(measured[largest] / predicted[largest], rel=0.05)
    assert difference[largest] < 0.2 * measured[largest]


def test_nothing_is_asked_of_anybody(run):
    text = told(judged(run()))
    page = Page(text)
    assert all(address.startswith(("#", "data:")) for address in page.addresses), page.addresses
    assert {address[1:] for address in page.addresses if address.startswith("#")} <= {*page.ids}
    assert len(page.ids) == len({*page.ids}) and "default-src 'none'" in text
    figures = data_of(text)["figures"]
    assert figures and {*figures} <= {*page.ids}


def test_a_test_that_went_as_planned_has_no_deviation(run):
    page = Page(told(judged(run(), warnings=[])))
    assert "Deviations" not in page.tables and "the test ran as its files say" in page.text


def test_lost_samples_overrides_and_what_has_run_out_are_deviations(run, monkeypatch):
    folder = judged(run(kept=[range(4000), range(4500, 9000)]), warnings=["the loader: drifts"])
    found = reported_run(folder)
    plan = replace(found.plan, sources={"overrides": ["trajectory.cycles=6", "document.order=1"], "bench_given": True})
    monkeypatch.setattr(type(plan), "read", classmethod(lambda cls, run_dir: plan))
    rows = [" ".join(row) for row in Page(told(folder)).tables["Deviations"]]
    for text in ("500 samples, n = 4000 ... 4499; not kept by choice", "trajectory.cycles = 6", "another bench file", "the loader: drifts"):
        assert any(text in row for row in rows), (text, rows)
    assert not any("document.order" in row for row in rows)


def test_hashes_are_those_of_the_chain(run):
    import hashlib

    folder = judged(run())
    rows = {row[0]: row[1] for row in Page(told(folder)).tables["Evidence"][1:]}
    assert rows["run.h5"] == hashlib.sha256((folder / "run.h5").read_bytes()).hexdigest()


def test_of_many_cycles_the_first_the_last_and_the_worst_are_listed():
    rows = [{"cycle": k, "error": 0.001 * (k == 5003)} for k in range(10_000)]
    listed = [row["cycle"] for row in chosen(rows)]
    assert listed[0] == 0 and listed[-1] == 9999 and 5003 in listed and len(listed) <= LISTED + 3
    assert chosen(rows[:10]) == rows[:10]
