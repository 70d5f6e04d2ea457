"""Snapshots: what was chosen is there to the last sample, what was not is a gap that says so, and is lost nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rig.config.experiment import Snapshots
from rig.recorder.description import NOT_KEPT, Event, StreamShape
from rig.recorder.examination import need_readable
from rig.recorder.intake import Intake
from rig.recorder.last_samples import is_closed
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.parts import numbers, part_file
from rig.recorder.reading import read_run
from rig.recorder.recording import Recording
from rig.recorder.recovery import recover
from rig.recorder.rotation import Rotation
from rig.recorder.snapshots import MARGIN, is_due
from rig.supervision.so_far import SoFar, shown_as_one
from tests.unit.rig.recorder.recorder_rig import description

RATE, LENGTH, CYCLES = 200.0, 40, 130  # Hz, samples of a cycle, cycles
N = LENGTH * CYCLES
SETTINGS = Snapshots(every=30, change=0.1, before=0.5, after=0.25)
SHAPES = (
    StreamShape("command", ("value", "phase", "cycle"), ("N", "rad", "1"), RATE),
    StreamShape("measured", ("force", "code"), ("N", "1"), RATE),
)


def streams(grown: int | None) -> dict[str, np.ndarray]:
    """A sine in each cycle, 30 % greater from cycle `grown` on; a code that tells the number of the sample, which changes nobody's peak."""
    n = np.arange(N)
    force = np.sin(2.0 * np.pi * n / LENGTH) * np.where(n < LENGTH * (N if grown is None else grown), 1.0, 1.3)
    return {"command": np.column_stack((force, n * 0.0, n // LENGTH)), "measured": np.column_stack((force, np.sin(n)))}


@pytest.fixture(params=["one file", "parts"])
def made(request: pytest.FixtureRequest, run_dir: Path) -> Iterator[Intake]:
    told = description(cycles=True, samples="snapshots")
    one = Recording(run_dir, told) if request.param == "one file" else PartedRecording(run_dir, told, Rotation(3.0, 0.0))
    yield Intake(one, SETTINGS)
    one.abandon()


def record(made: Intake, grown: int | None = None, event: int | None = None) -> None:
    for shape in SHAPES:
        made.stream(shape)
    data = streams(grown)
    for first in range(0, N, 20):
        for name, samples in data.items():
            made.append(name, first, samples[first : first + 20])
        if event is not None and first <= event < first + 20:
            made.event(Event(event, event / RATE, "bench", "limit", "force"))
        made.keep()


DUE = [1, 2, 5, 10, 20, 30, 50, 60, 90, 100, 120]


def test_cycles_that_are_due() -> None:
    assert [number for number in range(1, 131) if is_due(number, 30)] == DUE
    assert [number for number in range(1, 10**6) if is_due(number, 0)][-3:] == [100_000, 200_000, 500_000]


def test_whole_cycles_now_and_then_and_the_end(made: Intake, run_dir: Path) -> None:
    record(made)
    made.close()
    run = read_run(run_dir)
    last = round(SETTINGS.before * RATE)
    got = run.channel("measured", "code")
    np.testing.assert_array_equal(got[-last:], streams(None)["measured"][-last:, 1])
    kept = np.isfinite(got[: N - last]).reshape(-1)
    due = np.isin(np.arange(N) // LENGTH + 1, DUE)[: N - last]
    np.testing.assert_array_equal(kept, due)
    need_readable(run_dir / "run.h5")


def test_what_was_left_out_is_said_and_is_not_lost(made: Intake, run_dir: Path) -> None:
    record(made)
    made.close()
    run = read_run(run_dir)
    assert {gap.reason for gap in run.gaps} == {NOT_KEPT}
    for stream, channel in (("measured", "code"), ("command", "phase")):
        left = np.zeros(N, bool)
        for gap in run.gaps:
            if gap.stream == stream:
                assert not left[gap.first : gap.first + gap.count].any()
                left[gap.first : gap.first + gap.count] = True
        np.testing.assert_array_equal(left, np.isnan(run.channel(stream, channel)))


def test_what_lies_around_an_event(made: Intake, run_dir: Path) -> None:
    record(made, event=2963)  # in cycle 75, far from any that is due
    made.close()
    got = read_run(run_dir).channel("measured", "code")
    around = np.flatnonzero(np.isfinite(got[2500:3400])) + 2500
    np.testing.assert_array_equal(around, np.arange(2963 - 100, 2963 + 50))


def test_a_peak_that_has_changed(made: Intake, run_dir: Path) -> None:
    record(made, grown=70)
    made.close()
    got = read_run(run_dir).channel("measured", "force")
    whole = np.isfinite(got).reshape(CYCLES, LENGTH).all(axis=1)
    assert [*np.flatnonzero(whole[62:85]) + 63] == [71, 72], "the one that changed and the next"


def test_every_cycle_is_in_the_table(made: Intake, run_dir: Path) -> None:
    import h5py

    record(made)
    made.close()
    with h5py.File(run_dir / "run.h5") as file:
        table = file["entry/cycles/measured"][:]
    assert table["cycle"].tolist() == list(range(CYCLES)) and set(table["count"]) == {LENGTH}


def test_recovered_after_a_kill(made: Intake, run_dir: Path) -> None:
    record(made)
    made.abandon()
    recover(run_dir)
    got = read_run(run_dir).channel("measured", "code")
    there = np.isfinite(got)
    due = np.isin(np.arange(N) // LENGTH + 1, DUE)[: len(got)]
    np.testing.assert_array_equal(there, due)
    np.testing.assert_array_equal(got[there], streams(None)["measured"][: len(got), 1][there])
    assert 100 * LENGTH <= len(got) < 119 * LENGTH, "cycle 120 is behind what an event may still have asked for"
    need_readable(run_dir / "run.h5")


def held(made: Intake, hold: int, end: int) -> list[list[int]]:
    """A test that stands from sample `hold` on and does not go on up to `end`; after each block the parts that are closed."""
    folder, closed = made._recording._folder, []  # type: ignore[union-attr]
    for shape in SHAPES:
        made.stream(shape)
    for first in range(0, end, 20):
        n = np.minimum(np.arange(first, first + 20), hold)
        force = np.sin(2.0 * np.pi * n / LENGTH)
        made.append("command", first, np.column_stack((force, 2.0 * np.pi * n / LENGTH, n // LENGTH)))
        made.append("measured", first, np.column_stack((force, np.sin(np.arange(first, first + 20)))))
        if first <= hold < first + 20:
            made.event(Event(hold, hold / RATE, "bench", "state", "hold"))
        made.keep()
        closed.append([number for number in numbers(folder, ".h5") if is_closed(folder / part_file(number))])
    return closed


@pytest.fixture
def unpredicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.recorder.parted_record.AWAITED", ("command", "measured"))


@pytest.mark.usefixtures("unpredicted")
def test_what_was_before_a_hold_can_be_looked_at_while_the_test_is_held(run_dir: Path) -> None:
    """Parts of ten minutes, held after ten seconds: the first part is closed once no event can ask for samples of it any more."""
    hold = 2030
    told = description(cycles=True, whole=True, samples="snapshots")
    one = PartedRecording(run_dir, told, Rotation(600.0, 0.0), after=SETTINGS.after)
    closed = held(Intake(one, SETTINGS), hold, hold + 1400)
    behind = hold + round(SETTINGS.after * RATE)
    waits = (round(SETTINGS.before * RATE) + round(MARGIN * RATE)) // 20
    assert closed[(behind // 20) + waits + 2] == [1], "no samples that are kept have come since"
    assert closed[-1] == [1], "a control: it stands in one part from there on"
    with shown_as_one(run_dir, SoFar.of(run_dir)) as folder:
        run = read_run(folder)
        assert run.samples == behind
        around = np.isfinite(run.channel("measured", "code"))[hold - round(SETTINGS.before * RATE) :]
        assert around.all() and len(around) == round((SETTINGS.before + SETTINGS.after) * RATE)
    one.abandon()


@pytest.mark.usefixtures("unpredicted")
def test_a_long_hold_of_which_nothing_is_kept_is_one_part(run_dir: Path) -> None:
    """Parts of 5 s, a hold of more than six of them: those before it are closed in time, and none is begun in it with nothing to say."""
    told = description(cycles=True, whole=True, samples="snapshots")
    one = PartedRecording(run_dir, told, Rotation(5.0, 0.0), after=SETTINGS.after)
    made = Intake(one, SETTINGS)
    closed = held(made, 1510, 8000)
    most = [found[-1] if found else 0 for found in closed]
    ends = [1000, 1560]  # the second one ends behind the stand
    waits = round(SETTINGS.before * RATE) + round(MARGIN * RATE) + 60
    for n, number in enumerate(most):
        assert number >= sum(end + waits <= 20 * (n + 1) for end in ends), n
    assert most[-1] == 2 and numbers(run_dir, ".h5") == numbers(run_dir, ".bin") == [1, 2, 3]
    for first in range(8000, 12000, 20):  # it goes on, in the same cycle
        n = 1510 + np.arange(first, first + 20) - 8000
        force = np.sin(2.0 * np.pi * n / LENGTH)
        made.append("command", first, np.column_stack((force, 2.0 * np.pi * n / LENGTH, n // LENGTH)))
        made.append("measured", first, np.column_stack((force, np.sin(np.arange(first, first + 20)))))
        if first == 8000:
            made.event(Event(first, first / RATE, "bench", "state", "resuming"))
        made.keep()
    made.close()
    run = read_run(run_dir)
    assert [read_run(run_dir / part_file(n)).first_sample for n in (1, 2, 3)] == [0, 1000, 1560]
    got = run.channel("measured", "code")
    there = np.isfinite(got)
    np.testing.assert_array_equal(got[there], np.sin(np.flatnonzero(there)))
    assert not there[1560 : 8000 - round(SETTINGS.before * RATE)].any()
    assert there[8000 - round(SETTINGS.before * RATE) : 8000 + round(SETTINGS.after * RATE)].all()
    left = np.zeros(len(got), bool)
    for gap in run.gaps:
        if gap.stream == "measured":
            left[gap.first : gap.first + gap.count] = True
    np.testing.assert_array_equal(left, ~there)
    need_readable(run_dir / "run.h5")
