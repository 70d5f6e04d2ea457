"""The table of cycles: the same figures as from all samples of a cycle at once, however these came, to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.recorder.cycles.layout import row_type
from rig.recorder.cycles.tables import Cycles
from rig.recorder.description import Description, StreamShape
from rig.recorder.intake import Intake
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.recording import Recording
from rig.recorder.recovery import recover
from rig.recorder.rotation import Rotation
from tests.unit.rig.recorder.recorder_rig import RATE, description

SHAPES = (
    StreamShape("command", ("value", "phase", "cycle"), ("N", "rad", "1"), RATE),
    StreamShape("measured", ("force", "stroke"), ("N", "m"), RATE),
    StreamShape("predicted", ("force",), ("N",), RATE),
)
FIGURES = 4  # columns before those of the channels
N, LENGTH, LEAD = 5300, 250, 300  # samples: of the test, of a cycle, before the first one is counted


def course() -> np.ndarray:
    """Cycle of each sample: 20 of them, the seventh held up by a stretch that is not counted."""
    n = np.arange(N)
    cycle = np.where(n < LEAD, -1, (n - LEAD) // LENGTH)
    cycle[LEAD + 6 * LENGTH + 40 : LEAD + 6 * LENGTH + 70] = -1
    return cycle


def phase() -> np.ndarray:
    """A full turn in each cycle."""
    return 2.0 * np.pi * np.maximum(np.arange(N) - LEAD, 0) / LENGTH


def streams() -> dict[str, np.ndarray]:
    dice = np.random.default_rng(3)
    measured = dice.standard_normal((N, 2)) * [1e4, 1e-3]
    measured[1000:1010, 1] = np.nan
    command = np.column_stack((dice.standard_normal(N), phase(), course()))
    return {"command": command, "measured": measured, "predicted": dice.standard_normal((N, 1))}


def expected(samples: np.ndarray, cycle: int) -> list[float]:
    """min, max, mean of each column, by Python's own arithmetic from the first sample to the last."""
    figures: list[float] = []
    for column in samples[course() == cycle].T.tolist():
        there = [x for x in column if x == x]
        total = 0.0
        for x in there:
            total += x
        figures += [min(there), max(there), total / len(there)]
    return figures


def fed(cycles: Cycles, seed: int, data: dict[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
    """The tables, of samples that came in blocks of any size, each stream as far behind as it liked."""
    dice, data = np.random.default_rng(seed), data or streams()
    for shape in SHAPES:
        cycles.stream(shape)
    at, found = dict.fromkeys(data, 0), {name: [] for name in data}
    while any(at[name] < N for name in data):
        name = dice.choice(list(data))
        count = int(dice.integers(1, 700))
        for stream, rows in cycles.feed(name, at[name], data[name][at[name] : at[name] + count]):
            found[stream].append(rows)
        at[name] = min(N, at[name] + count)
    for stream, rows in cycles.finish():
        found[stream].append(rows)
    return {name: np.concatenate(rows) for name, rows in found.items()}


@pytest.mark.parametrize("seed", range(5))
def test_every_cycle_of_every_channel(seed: int) -> None:
    tables, data = fed(Cycles(), seed), streams()
    for shape in SHAPES:
        table = tables[shape.name]
        assert table["cycle"].tolist() == list(range(20))
        assert table["count"].tolist() == [int((course() == cycle).sum()) for cycle in range(20)]
        assert table["first_sample"].tolist() == [LEAD + LENGTH * cycle for cycle in range(20)]
        assert table["whole"].tolist() == [1] * 20, "the last one ends with the last sample"
        for row in table:
            assert [*row.tolist()[FIGURES:]] == expected(data[shape.name], int(row["cycle"]))


def test_the_control_a_wrong_sample_shows() -> None:
    tables, data = fed(Cycles(), 1), streams()
    data["measured"][LEAD + 5, 0] += 1e-9
    assert [*tables["measured"][0].tolist()[FIGURES:]] != expected(data["measured"], 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_cycle_in_which_the_test_ended_is_not_whole(seed: int) -> None:
    """The command stops 30 samples before the end of the last cycle."""
    data = streams()
    data["command"][-30:, 2] = -1
    data["command"][-30:, 1] = data["command"][-31, 1]
    tables = fed(Cycles(), seed, data)
    for shape in SHAPES:
        assert tables[shape.name]["whole"].tolist() == [*[1] * 19, 0]


def test_a_cycle_of_which_a_stream_lost_samples_is_not_whole() -> None:
    cycles, data = Cycles(), streams()
    for shape in SHAPES:
        cycles.stream(shape)
    cycles.feed("command", 0, data["command"])
    first, behind = LEAD + 4 * LENGTH + 7, LEAD + 4 * LENGTH + 9  # two samples of the fifth cycle
    rows = np.concatenate([
        rows for at, end in ((0, first), (behind, N)) for _, rows in cycles.feed("measured", at, data["measured"][at:end])
    ])  # fmt: skip
    whole = cycles.feed("predicted", 0, data["predicted"])[0][1]
    assert np.flatnonzero(rows["whole"] == 0).tolist() == [4] and rows["count"][4] == LENGTH - 2
    assert whole["whole"].all(), "a control: nothing was lost of the other one"


def test_samples_without_a_known_cycle_are_not_counted() -> None:
    cycles, data = Cycles(), streams()
    for shape in SHAPES:
        cycles.stream(shape)
    cycles.feed("command", 0, data["command"][:1000])
    cycles.feed("command", 1500, data["command"][1500:])  # 500 lost
    rows = cycles.feed("measured", 0, data["measured"])[0][1]
    assert rows["count"].tolist()[2:5] == [200, 0 + 50, 250][:3]


def test_what_is_remembered_is_bounded() -> None:
    """Four times as many cycles as are remembered, while one stream never comes."""
    cycles = Cycles()
    for shape in SHAPES:
        cycles.stream(shape)
    n = 0
    for block in range(400):
        cycle = np.repeat(np.arange(50.0 * block, 50.0 * block + 50.0), 40)
        cycles.feed("command", n, np.column_stack((cycle, cycle, cycle)))
        cycles.feed("measured", n, np.zeros((2000, 2)))
        n += 2000
    assert len(cycles.course.runs) <= 2 * 10.0 * RATE / 40 + 51
    assert not cycles._streams["measured"].waiting


@pytest.fixture(params=["one file", "parts"])
def made(request: pytest.FixtureRequest, run_dir: Path) -> Iterator[Intake]:
    told: Description = description(cycles=True, whole=True)
    one = Recording(run_dir, told) if request.param == "one file" else PartedRecording(run_dir, told, Rotation(0.02, 0.0))
    yield Intake(one, None)
    one.abandon()


def record(made: Intake) -> None:
    data = streams()
    for shape in SHAPES:
        made.stream(shape)
    for first in range(0, N, 100):
        for name, samples in data.items():
            made.append(name, first, samples[first : first + 100])
        made.keep()


def need_table(folder: Path, rows: int) -> None:
    direct = fed(Cycles(), 1)
    with h5py.File(folder / "run.h5") as file:
        for shape in SHAPES:
            table = file[f"entry/cycles/{shape.name}"]
            assert table.dtype == row_type(shape.channels) and len(table.attrs["units"]) == len(table.dtype)
            np.testing.assert_array_equal(table[:], direct[shape.name][:rows])


def test_in_the_record(made: Intake, run_dir: Path) -> None:
    record(made)
    made.close()
    need_table(run_dir, 20)


def test_a_kill_leaves_every_cycle_that_was_complete(made: Intake, run_dir: Path) -> None:
    record(made)
    made.abandon()
    recover(run_dir)
    need_table(run_dir, 19)


def test_recovered_of_a_record_that_came_to_its_end(made: Intake, run_dir: Path) -> None:
    record(made)
    made.close()
    (run_dir / "run.h5").unlink()
    recover(run_dir)
    need_table(run_dir, 20)
