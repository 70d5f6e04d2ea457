"""The measured cases of chen2026 beside a run: which samples count, which frequencies, what is printed, which runs are meant."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from rig.recorder.reading import RunData
from rig.report.measured_cases import extremes, table

RATE = 10e3
TIME = np.arange(30000) / RATE
CYCLE = np.where(TIME < 1.0, -1.0, np.floor(TIME - 1.0))  # 0 from 1 s on, 1 from 2 s on


def run(path: str = "trajectory_1") -> RunData:
    """A slow wave, twice as large before the second turn, under a fast one."""
    slow = np.where(TIME < 2.0, 8.0, 4.0) * np.sin(2.0 * np.pi * 5.0 * TIME)
    columns: dict[tuple[str, str], Any] = {("command", "cycle"): CYCLE}
    for stream, factor in (("measured", 1.0), ("predicted_as_measured", 0.5)):
        columns[stream, "ax"] = factor * (slow + np.sin(2.0 * np.pi * 1000.0 * TIME + 0.3))
        columns[stream, "ay"] = factor * slow + 0.25
    found = SimpleNamespace(
        path=Path("run.h5"), rate=RATE, experiment_text=f'[trajectory]\npath = "{path}"\n', channel=lambda *key: columns[key]
    )
    return cast(RunData, found)


def test_extremes_are_those_from_the_second_turn_on_and_below_a_frequency() -> None:
    assert extremes(run(), "measured", None) == pytest.approx([5.0, -5.0, 4.25, -3.75], abs=0.06)
    assert extremes(run(), "measured", 100.0) == pytest.approx([4.0, -4.0, 4.25, -3.75], abs=0.3)  # the step at 2 s rings a little
    assert extremes(run(), "predicted_as_measured", None)[0] == pytest.approx(2.5, abs=0.03)


def test_what_is_printed_stands_above_what_is_found() -> None:
    lines = table([run(), run("trajectory_2")]).splitlines()
    assert [line.split()[-4:] for line in lines[2:4]] == [["7.00", "-6.00", "5.80", "-12.00"], ["4.50", "-5.00", "4.40", "-5.00"]]
    assert [line.split()[-4:] for line in lines[8:10]] == [["3.00", "-3.00", "3.60", "-4.20"], ["2.60", "-2.60", "2.60", "-2.60"]]
    assert lines[4].split()[-4:][2:] == ["4.25", "-3.75"]


def test_a_run_along_another_path_is_refused() -> None:
    with pytest.raises(ValueError, match=r"run\.h5: expected a run along trajectory_1 or trajectory_2, got one along circle"):
        table([run("circle")])
