"""One sign for all errors, predicted - measured: JSON, table, page and window say the same of a model that predicts 10 % too much."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from rig.comparison import CONVENTION, Settings, Verdict, agreement
from rig.report import table
from rig.report.overlay import page
from rig.report.overlay.content import Difference, OverlayData, Pair

RATE = 6400.0
N = 12800
PHASE = 2.0 * np.pi * 4.0 * np.arange(N) / RATE
MEASURED = 1e3 * np.sin(PHASE) + 2e3
PREDICTED = 1.1 * MEASURED
FOUND = agreement(
    MEASURED,
    PREDICTED,
    rate=RATE,
    command=MEASURED,
    cycle=np.floor(PHASE / (2.0 * np.pi)),
    amplitude=1e3,
    frequency=4.0,
    unit="N",
    settings=Settings(None, 2),
)
DATA = OverlayData(
    title="", subtitle="", rate=RATE, channel="force", command=MEASURED, controlled=Pair(MEASURED, PREDICTED, "N"), counts=range(N),
    agreements={"force": FOUND}, verdict=Verdict("none", ""),
)  # fmt: skip


def test_json_and_table() -> None:
    assert FOUND.max_error == pytest.approx(0.1)
    assert all(cycle.error == pytest.approx(0.1) for cycle in FOUND.cycles)
    printed = table.text({"force": FOUND}, Verdict("none", ""), "force")
    assert f"* {CONVENTION}" in printed.splitlines()
    assert all("error * %" in line for line in printed.splitlines() if "error" in line)
    assert "+10.00" in printed and "-10.00" not in printed


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures: list[Figure] = []

    class Kept(Figure):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            figures.append(self)

        def savefig(self, *args: Any, **options: Any) -> None:
            Path(args[0]).write_bytes(b"")

    monkeypatch.setattr(page, "Figure", Kept)
    page.overlay(tmp_path / "overlay.png", DATA)
    panels = {axes.get_title(loc="left") or axes.get_title(): axes for axes in figures[0].axes}
    [difference] = [axes for title, axes in panels.items() if title == "Predicted minus measured"]
    assert CONVENTION in difference.get_ylabel()
    assert np.nanmin(difference.lines[-1].get_ydata()) > 0.0
    [cycles] = [axes for title, axes in panels.items() if "by cycle" in title]
    assert CONVENTION in cycles.get_ylabel()
    assert max(np.max(line.get_ydata()) for line in cycles.lines) == pytest.approx(10.0)


def test_less_is_below_zero() -> None:
    less = replace(DATA, controlled=Pair(PREDICTED, MEASURED, "N"))
    assert less.controlled.predicted is not None
    assert np.max(Difference(less.controlled.measured, less.controlled.predicted)[:]) < 0.0
