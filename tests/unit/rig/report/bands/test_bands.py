"""A record with a band of an ensemble, compared: the figures and the table, the report, and what the parameters add to the validation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy

from rig.config.experiment import Ensemble
from rig.report.summary import compare_run
from tests.unit.rig.report.dead_band import FORCE, RATE, experiment
from tests.unit.rig.report.document.reported import Page, judged, told

WIDE = 60.0
"""N to either side: the load cell of the stand-in has noise of 20 N, of which the low-pass leaves a part."""


def banded(folder: Path, wide: float = WIDE, **columns: np.ndarray) -> Path:
    """The record with a band about its prediction, as compared. columns: others in their place."""
    with h5py.File(folder / "run.h5", "r+") as file:
        predicted = file[f"entry/predicted_as_measured/{FORCE}"][...]
        numerator, denominator = scipy.signal.butter(2, 1000.0, fs=RATE)
        lag = scipy.signal.lfilter_zi(numerator, denominator) * predicted[0]
        middle = scipy.signal.lfilter(numerator, denominator, predicted, zi=lag)[0]
        ends = {f"{FORCE}_as_compared_low": middle - wide, f"{FORCE}_as_compared_high": middle + wide}
        for name, values in (columns or ends).items():
            file.create_dataset(f"entry/predicted_band/{name}", data=values)
    return folder


def chosen():
    plain = experiment()
    return replace(plain, predictor=replace(plain.predictor, ensemble=Ensemble(members=19, coverage=0.9)))


def compared(folder: Path) -> dict:
    return dict(compare_run(folder)["agreement"][FORCE])


def test_coverage_and_width_are_told_of_the_channel_that_has_a_band(run) -> None:
    found = compare_run(banded(run(chosen())))
    one, other = found["agreement"][FORCE], found["agreement"]["stroke"]
    assert "ensemble" not in other
    band = one["ensemble"]
    assert (band["members"], band["coverage"], band["nominal"]) == (19, 0.9, pytest.approx(0.81))
    assert band["width"] == pytest.approx(2.0 * WIDE) and band["width_share"] == pytest.approx(2.0 * WIDE / 1e4)
    assert band["samples"] == one["samples"] and len(band["cycles"]) == one["cycles_compared"]
    assert band["inside"] > 0.99 and band["said"] == "too_wide"
    assert "mean width" in found["text"] and "too wide" in found["text"]


def test_a_band_that_is_much_too_narrow_is_told(run) -> None:
    band = compared(banded(run(chosen()), 1.0))["ensemble"]
    assert band["inside"] < 0.3 and band["said"] == "too_narrow"
    low, high = (band["intervals"]["inside"][end] for end in ("low_95", "high_95"))
    assert low <= band["inside"] <= high < 0.81


def test_without_a_recorded_band_nothing_is_told_of_one(run) -> None:
    found = compare_run(run(chosen()))
    assert "ensemble" not in found["agreement"][FORCE] and "mean width" not in found["text"]


def test_one_of_a_program_that_did_not_record_what_is_compared_is_left_alone(run) -> None:
    found = compare_run(banded(run(chosen()), transmitted_force_low=np.zeros(9), transmitted_force_high=np.ones(9)))
    assert "ensemble" not in found["agreement"][FORCE]


def test_behind_another_low_pass_than_it_was_recorded_behind_its_coverage_is_not_told(run, monkeypatch) -> None:
    folder = banded(run(chosen()))
    found = compare_run(folder, overrides=["comparison.lowpass=300 Hz"])
    assert "ensemble" not in found["agreement"][FORCE]
    assert any("recorded behind a low-pass of 1000 Hz, compared behind 300 Hz" in text for text in found["warnings"])


def test_the_parameters_are_in_the_validation(run) -> None:
    """u_input of the largest value: half the band, over the quantile of its coverage, as a share of what was measured."""
    plain, with_band = run(chosen()), None
    before = {row["metric"]: row["input"] for row in compare_run(plain)["validation"]}
    with_band = compare_run(banded(plain))
    after = {row["metric"]: row["input"] for row in with_band["validation"]}
    assert set(before.values()) == {None}
    reach = scipy.stats.norm.ppf(0.95)
    assert after["max"] == pytest.approx(WIDE / reach / with_band["agreement"][FORCE]["max_measured"], rel=1e-6)


def test_the_report_has_two_rows_of_it(run) -> None:
    page = Page(told(judged(banded(run(chosen())))))
    head, samples, peaks = page.tables["Band of the ensemble"]
    assert samples[0] == FORCE and samples[1] == "samples" and peaks[1] == "peaks of cycles"
    assert samples[head.index("Nominal, %")] == "81.0" and samples[-1] == "too wide"
    assert "ensemble.inside" in [row[0] for row in page.tables["All figures of the comparison"]]
