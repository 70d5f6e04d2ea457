"""The order spectrum of a run in its report: as a Fourier series of whole cycles has it, which is made of the record by itself."""

from __future__ import annotations

from dataclasses import replace

import h5py
import numpy as np
import pytest

from rig.report.document.orders import order_figures
from rig.report.document.reported_run import reported_run
from rig.report.document.wording import words
from rig.signals.engineering_units import fitting
from tests.unit.rig.report.dead_band import FORCE, experiment
from tests.unit.rig.report.document.reported import judged


def test_the_amplitudes_are_those_of_the_cycles_own_series(run) -> None:
    chosen = experiment()
    folder = judged(run(replace(chosen, trajectory=replace(chosen.trajectory, cycles=12))))
    figure = next(order_figures(reported_run(folder), "t", words("en")))  # of the force, which is judged first
    assert figure.key.startswith("t-orders") and figure.logarithmic == "xy"
    with h5py.File(folder / "run.h5") as file:
        cycle, force = file["entry/command/cycle"][...], file[f"entry/measured/{FORCE}"][...]
    whole = force[cycle >= 2.0]
    cycles = round(cycle.max()) - 1
    series = 2.0 * np.abs(np.fft.rfft(whole)) / len(whole)
    _, factor = fitting("N", series.max())
    measured = next(curve for curve in figure.curves if curve.style == "measured")
    for order in (1, 3, 5):
        drawn = float(np.interp(order, measured.x, measured.y))
        assert drawn == pytest.approx(series[order * cycles] * factor, rel=0.02)  # noise of 20 N beside hundreds
    assert "Largest whole orders, measured and predicted: 1: " in figure.text
