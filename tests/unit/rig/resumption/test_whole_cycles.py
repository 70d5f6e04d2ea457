"""How many cycles were run, by records whose command is known sample by sample."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.errors import ConfigError
from rig.recorder.folders import RECORD
from rig.resumption.whole_cycles import Place, last_place, uncertainty
from tests.tiers import quick

RATE, LENGTH = 1000.0, 137.3  # Hz; samples in a cycle, not a whole number of them
LEAD_IN = 50


def command(count: int) -> tuple[np.ndarray, np.ndarray]:
    """(cycle, phase) of the first `count` samples: LEAD_IN of them before the first cycle."""
    n = np.arange(count) - LEAD_IN
    turned = n / LENGTH
    return np.where(n < 0, -1.0, np.floor(turned)), np.where(n < 0, 0.0, 2.0 * math.pi * turned)


def end_of(cycle: int) -> float:
    return 2.0 * math.pi * (cycle + 1)


def record(folder: Path, cycle: np.ndarray, phase: np.ndarray, measured: int | None = None) -> Path:
    with h5py.File(folder / RECORD, "w") as file:
        for name, values in {"command/cycle": cycle, "command/phase": phase, "measured/force": np.zeros(len(cycle))}.items():
            data = file.create_dataset(f"entry/{name}", data=values)
            data.attrs["rate"] = RATE
            if name.startswith("measured") and measured is not None:
                data[measured:] = np.nan
    return folder


@pytest.mark.parametrize("seed", quick(range(60), 8))
def test_cycles_that_ended_before_the_last_sample_count(tmp_path: Path, seed: int) -> None:
    count = int(np.random.default_rng(seed).integers(LEAD_IN + 3, 4000))
    place = last_place(record(tmp_path, *command(count)), end_of)
    ended = math.floor((count - LEAD_IN) / LENGTH)  # the sample behind the last one is of the next cycle
    assert place.whole == ended
    if place.left:
        assert place.left == pytest.approx(math.ceil((count - LEAD_IN) / LENGTH) - (count - LEAD_IN) / LENGTH, abs=1e-6)


@pytest.mark.parametrize("cycle", range(12))
def test_it_is_told_to_the_sample_whether_a_cycle_has_ended(tmp_path: Path, cycle: int) -> None:
    last = LEAD_IN + math.ceil((cycle + 1) * LENGTH)  # first sample of the next one
    assert last_place(record(tmp_path, *command(last)), end_of).whole == cycle + 1
    (tmp_path / RECORD).unlink()
    assert last_place(record(tmp_path, *command(last - 1)), end_of).whole == cycle


def test_a_stop_in_mid_cycle_leaves_it_uncounted(tmp_path: Path) -> None:
    cycle, phase = command(LEAD_IN + round(5.5 * LENGTH))
    ramp = np.full(300, -1.0), np.full(300, phase[-1])
    place = last_place(record(tmp_path, np.concatenate([cycle, ramp[0]]), np.concatenate([phase, ramp[1]])), end_of)
    assert place.whole == 5 and place.left == pytest.approx(0.5, abs=0.01)


def test_a_soft_stop_behind_the_last_cycle_leaves_it_counted(tmp_path: Path) -> None:
    cycle, phase = command(LEAD_IN + math.ceil(5 * LENGTH))
    rows = np.concatenate([cycle, np.full(300, -1.0)]), np.concatenate([phase, phase[-1] + np.arange(1, 301) * 2.0 * math.pi / LENGTH])
    assert last_place(record(tmp_path, *rows), end_of).whole == 5


def test_only_what_came_back_counts(tmp_path: Path) -> None:
    cycle, phase = command(LEAD_IN + round(5.5 * LENGTH))
    assert last_place(record(tmp_path, cycle, phase, measured=LEAD_IN + round(3.2 * LENGTH)), end_of).whole == 3


def test_a_hold_in_a_cycle_does_not_end_it(tmp_path: Path) -> None:
    cycle, phase = command(LEAD_IN + round(2.4 * LENGTH))
    stands = np.full(5000, cycle[-1]), np.full(5000, phase[-1])
    place = last_place(record(tmp_path, np.concatenate([cycle, stands[0]]), np.concatenate([phase, stands[1]])), end_of)
    assert place.whole == 2 and place.left == pytest.approx(0.6, abs=0.01)


def test_the_cycle_that_was_begun_anew_counts_from_there(tmp_path: Path) -> None:
    first, second = command(LEAD_IN + round(2.7 * LENGTH)), command(LEAD_IN + round(0.4 * LENGTH))
    again = np.where(second[0] >= 0.0, second[0] + 2.0, -1.0), second[1] + 2.0 * 2.0 * math.pi
    gap = np.full(20, np.nan)
    rows = [np.concatenate([a, gap, b]) for a, b in zip(first, again, strict=True)]
    place = last_place(record(tmp_path, *rows), end_of)
    assert place.whole == 2 and place.left == pytest.approx(0.6, abs=0.01)


def test_before_the_first_cycle_there_is_none(tmp_path: Path) -> None:
    place = last_place(record(tmp_path, *command(LEAD_IN - 5)), end_of)
    assert place.cycle is None and place.whole == 0
    with h5py.File(tmp_path / "empty.h5", "w") as file:
        file.create_group("entry")
    (tmp_path / "empty.h5").rename(tmp_path / RECORD)
    with pytest.raises(ConfigError, match="nothing of its test is recorded"):
        last_place(tmp_path, end_of)


@pytest.mark.parametrize(("count", "whole"), [(137, 3), (138, 4), (90, 3)])
def test_cycles_whose_samples_are_not_kept_are_told_by_their_table(tmp_path: Path, count: int, whole: int) -> None:
    """The last row has `count` samples; of the samples themselves only the first cycle was kept."""
    firsts = [LEAD_IN + math.ceil(number * LENGTH) for number in range(4)]
    counts = [*(b - a for a, b in itertools.pairwise(firsts)), min(count, LEAD_IN + math.ceil(4 * LENGTH) - firsts[-1])]
    cycle, phase = command(firsts[-1] + 400)
    rows = np.zeros(4, [("cycle", "<i8"), ("first_sample", "<i8"), ("count", "<i8"), ("phase_min", "<f8"), ("phase_max", "<f8")])
    for number, (first, length) in enumerate(zip(firsts, counts, strict=True)):
        rows[number] = number, first, length, phase[first], phase[first + length - 1]
    keep = np.arange(len(cycle)) < firsts[1]
    record(tmp_path, np.where(keep, cycle, np.nan), np.where(keep, phase, np.nan))
    with h5py.File(tmp_path / RECORD, "r+") as file:
        for name in ("command", "measured"):
            file[f"entry/cycles/{name}"] = rows
    place = last_place(tmp_path, end_of)
    assert place.whole == whole and place.sample == firsts[-1] + counts[-1] - 1 and not place.exact
    assert uncertainty(place, LENGTH / RATE, 0.01) == 1, "nobody knows where in its cycle it was broken off"


@pytest.mark.parametrize(
    ("left", "blind", "more"),
    [(0.6, 0.05, 0), (0.6, 0.0599, 0), (0.6, 0.0601, 1), (0.0, 0.05, 0), (0.0, 0.1001, 1), (0.5, 0.26, 3)],
)
def test_what_may_have_been_run_unseen(tmp_path: Path, left: float, blind: float, more: int) -> None:

    assert uncertainty(Place(0, 7, left, RATE), period=0.1, blind=blind) == more
    assert uncertainty(Place(0, None, 1.0, RATE), period=0.1, blind=blind) == 0


@pytest.mark.parametrize("whole", [0, 1])
def test_where_the_table_tells_whether_its_last_cycle_is_whole_that_counts(tmp_path: Path, whole: int) -> None:
    """The phase alone would say the contrary: of 4 cycles the last one has 138 samples, or 90."""
    first, length = LEAD_IN + math.ceil(3 * LENGTH), 138 if not whole else 90
    cycle, phase = command(first + 400)
    kind = [("cycle", "<i8"), ("first_sample", "<i8"), ("count", "<i8"), ("whole", "u1"), ("phase_min", "<f8"), ("phase_max", "<f8")]
    rows = np.array([(3, first, length, whole, phase[first], phase[first + length - 1])], kind)
    record(tmp_path, np.full(len(cycle), np.nan), np.full(len(cycle), np.nan))
    with h5py.File(tmp_path / RECORD, "r+") as file:
        for name in ("command", "measured"):
            file[f"entry/cycles/{name}"] = rows
    assert last_place(tmp_path, end_of).whole == 3 + whole
