"""A record in parts: over hundreds of rotations no sample is lost, none is there twice, whatever came late, whenever it was killed."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.errors import ConfigError
from rig.recorder.cycles.layout import row_type
from rig.recorder.description import NOT_KEPT, NOT_PUBLISHED, Gap
from rig.recorder.examination import need_readable
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.parts import journal_file, part_file
from rig.recorder.reading import RunData, read_run
from rig.recorder.recovery import recover
from rig.recorder.rotation import Rotation
from rig.recorder.verification import verified
from tests.thorough import times
from tests.tiers import quick
from tests.unit.rig.recorder import parts_rig
from tests.unit.rig.recorder.parts_rig import PART, STREAMS, begun, step
from tests.unit.rig.recorder.recorder_rig import BLOCK, NAMES, RATE, description, samples, shape

ROOT = Path(__file__).parents[4]
ROWS = round(PART * RATE)  # in a part


def recorded(folder: Path, blocks: int) -> None:
    made = begun(folder)
    for number in range(blocks):
        step(made, number)
    made.close()


def need_ramps(run: RunData, blocks: int) -> None:
    """Every sample of every stream is the one that its number says."""
    for late, name in enumerate(STREAMS):
        end = BLOCK * (blocks - max(0, late - 1))
        got = np.column_stack(list(run.streams[name].values()))
        np.testing.assert_array_equal(got[:end], samples(name, 0, end))
        assert np.isnan(got[end:]).all()


def test_rotations_lose_nothing(run_dir: Path) -> None:
    """Dozens of them; two hundred in the campaign."""
    rotations = times(20, thorough=200)
    blocks = 5 * rotations + 3
    recorded(run_dir, blocks)
    assert len([*(run_dir / "parts").glob("*.h5")]) == rotations + 1
    run = read_run(run_dir)
    need_ramps(run, blocks)
    assert run.samples == BLOCK * blocks and run.complete
    assert {(gap.stream, gap.reason) for gap in run.gaps} == {("predicted", NOT_PUBLISHED), ("predicted_as_measured", NOT_PUBLISHED)}
    assert [event.text for event in run.events] == [f"block {number}" for number in range(3, blocks, 7)]
    with h5py.File(run_dir / "run.h5") as file:
        np.testing.assert_array_equal(file["entry/time"][:], np.arange(run.samples) / RATE)
        assert file["entry/overlay/measured"][-1] == samples("measured", run.samples - 1, 1)[0, 0]


def test_a_closed_part_is_a_record_and_can_be_opened_while_the_test_goes_on(run_dir: Path) -> None:
    made = begun(run_dir)
    for number in range(20):
        step(made, number)
    with h5py.File(run_dir / part_file(2)) as file:
        force = file["entry/measured/transmitted_force"]
        assert (force.attrs["first_sample"], force.attrs["rate"], force.attrs["units"]) == (ROWS, RATE, "N")
        np.testing.assert_array_equal(force[:], samples("measured", ROWS, ROWS)[:, 0])
        assert file["entry"].attrs["complete"]
        assert file["entry/time"][0] == ROWS / RATE
    part = read_run(run_dir / part_file(2))
    assert (part.first_sample, part.samples) == (ROWS, ROWS)
    assert not _is_closed(run_dir, 4), "a control: the newest part is being written"
    made.close()


def test_a_part_waits_for_what_is_late_and_not_for_ever(run_dir: Path) -> None:
    made = begun(run_dir, patience=0.1)
    for number in range(60):
        made.append("command", BLOCK * number, samples("command", BLOCK * number, BLOCK))
        made.append("measured", BLOCK * number, samples("measured", BLOCK * number, BLOCK))
        made.keep()
        if number == 8:
            assert not _is_closed(run_dir, 1)
    assert _is_closed(run_dir, 1)
    made.append("predicted", 0, samples("predicted", 0, BLOCK))  # when nobody waits for it any more
    made.close()
    run = read_run(run_dir)
    assert np.isnan(run.streams["predicted"]["stroke"]).all()
    assert [event.kind for event in run.events] == ["late_samples"]


def _is_closed(folder: Path, number: int) -> bool:
    try:
        with h5py.File(folder / part_file(number)) as file:
            return bool(file["entry"].attrs["complete"])
    except OSError:
        return False


def test_parts_of_a_size(run_dir: Path) -> None:
    made = begun(run_dir, Rotation(0.0, 1e5))
    for number in range(100):
        step(made, number)
    made.close()
    need_ramps(read_run(run_dir), 100)
    sizes = [path.stat().st_size for path in sorted((run_dir / "parts").glob("*.bin"))[:-1]]
    assert len(sizes) > 6 and all(1e5 < size < 1.3e5 for size in sizes)


def test_a_gap_over_a_boundary_is_in_both_parts(run_dir: Path) -> None:
    made = begun(run_dir)
    for name in STREAMS:
        made.append(name, 0, samples(name, 0, 450))
        made.gap(Gap(name, 450, 100, "lost"))
        made.append(name, 550, samples(name, 550, 450))
    made.close()
    assert read_run(run_dir / part_file(1)).gaps == [Gap(name, 450, 50, "lost") for name in STREAMS]
    assert read_run(run_dir / part_file(2)).gaps == [Gap(name, 500, 50, "lost") for name in STREAMS]
    run = read_run(run_dir)
    for name in STREAMS:
        covered = np.concatenate([np.arange(gap.first, gap.first + gap.count) for gap in run.gaps if gap.stream == name])
        np.testing.assert_array_equal(covered, np.arange(450, 550))
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(run.streams["measured"]["stroke"])), np.arange(450, 550))


def with_gaps(folder: Path, gaps: list[tuple[int, int]], end: int, rotation: Rotation | None = None) -> None:
    """Samples 0 .. end - 1 of every stream but those of the gaps (first, behind the last). Each stream takes its turn every 100 samples, as
    when they come from their rings; a gap is told with the first sample behind it."""
    made, told = begun(folder, rotation), dict.fromkeys(STREAMS, 0)
    for until in range(BLOCK, end + 1, BLOCK):
        for name in STREAMS:
            for first, behind in [*gaps, (end, end)]:
                if told[name] < min(first, until):
                    made.append(name, told[name], samples(name, told[name], min(first, until) - told[name]))
                    told[name] = min(first, until)
                if told[name] == first and until < behind:
                    break
                if told[name] == first < behind:
                    made.gap(Gap(name, first, behind - first, "lost"))
                    told[name] = behind
        made.keep()
    made.close()


def need_gaps(folder: Path, gaps: list[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """Every sample is there or in a gap that is told, once; the same part by part. Returns (first, behind the last) of the parts."""
    missing = np.concatenate([np.arange(first, behind) for first, behind in gaps]) if gaps else np.arange(0)
    run = read_run(folder)
    assert run.complete and run.samples == end
    for name in STREAMS:
        told = np.concatenate([np.arange(0), *(np.arange(gap.first, gap.first + gap.count) for gap in run.gaps if gap.stream == name)])
        np.testing.assert_array_equal(np.sort(told), missing, err_msg=name)
        expected = samples(name, 0, end)
        expected[missing.astype(int)] = np.nan
        np.testing.assert_array_equal(np.column_stack(list(run.streams[name].values())), expected, err_msg=name)
    parts = [read_run(file) for file in sorted((folder / "parts").glob("*.h5"))]
    bounds = [(part.first_sample, part.first_sample + part.samples) for part in parts]
    assert [first for first, _ in bounds] == [0, *(behind for _, behind in bounds[:-1])]
    for part, (first, behind) in zip(parts, bounds, strict=True):
        here = missing[(missing >= first) & (missing < behind)]
        for name in STREAMS:
            told = np.concatenate([np.arange(0), *(np.arange(gap.first, gap.first + gap.count) for gap in part.gaps if gap.stream == name)])
            np.testing.assert_array_equal(np.sort(told), here)
    need_readable(folder / "run.h5")
    return bounds


def test_a_gap_over_whole_parts_ends_one_of_them_at_most(run_dir: Path) -> None:
    with_gaps(run_dir, [(400, 2200)], 2700)
    assert need_gaps(run_dir, [(400, 2200)], 2700) == [(0, 500), (500, 2500), (2500, 2700)]
    found = {file.file: file.ok for file in verified(run_dir)}
    assert all(found[name(number)] for number in (1, 2, 3) for name in (part_file, journal_file)), "in the chain of evidence"
    with h5py.File(run_dir / "run.h5") as file:
        np.testing.assert_array_equal(file["entry/time"][:], np.arange(2700) / RATE)


def test_a_gap_of_days_is_one_part(run_dir: Path) -> None:
    """A hold of three days of which nothing is kept, in parts of an hour; told at its end, or in pieces as it goes on."""
    hour = 3600 * int(RATE)
    end = 3 * 24 * hour
    for folder, piece in ((run_dir / "whole", end), (run_dir / "in pieces", hour + 7)):
        folder.mkdir(parents=True)
        made = PartedRecording(folder, description(samples="snapshots"), Rotation(3600.0, 0.0), 10.0)
        for name in STREAMS:
            made.stream(shape(name))
            made.append(name, 0, samples(name, 0, 450))
        for first in range(450, end, piece):
            for name in STREAMS:
                made.gap(Gap(name, first, min(piece, end - first), NOT_KEPT))
        for name in STREAMS:
            made.append(name, end, samples(name, end, 3 * BLOCK))
        made.close()
        parts = [read_run(file) for file in sorted((folder / "parts").glob("*.h5"))]
        assert [(part.first_sample, part.samples) for part in parts] == [(0, hour), (hour, end + 3 * BLOCK - hour)]
        assert sum(file.stat().st_size for file in folder.rglob("*")) < 1e6, "three files of 100 kB, and 150 bytes in each for every gap"
        run = read_run(folder)
        for name in STREAMS:
            np.testing.assert_array_equal(run.column(name, NAMES[name][0])[end : end + 3 * BLOCK], samples(name, end, 3 * BLOCK)[:, 0])
            left = [(gap.first, gap.first + gap.count) for gap in run.gaps if gap.stream == name]
            assert left[0][0] == 450 and left[-1][1] == end and all(one[1] == two[0] for one, two in pairwise(left))
        need_readable(folder / "run.h5")


@pytest.mark.parametrize("seed", quick(range(times(3, thorough=60)), 1))
def test_gaps_anywhere(run_dir: Path, seed: int) -> None:
    """Each ends one part at most, beside those that samples fill."""
    dice, gaps, at = random.Random(seed), list[tuple[int, int]](), 0
    for _ in range(dice.randrange(1, 5)):
        first = at + dice.randrange(1, 1500)
        at = first + dice.choice((1, dice.randrange(1, 400), dice.randrange(400, 6000)))
        gaps.append((first, at))
    end = BLOCK * ((at + dice.randrange(1, 1500)) // BLOCK + 1)
    with_gaps(run_dir, gaps, end, Rotation(PART, dice.choice((0.0, 4e4))))
    bounds = need_gaps(run_dir, gaps, end)
    for first, behind in gaps:
        assert sum(first < border <= behind for border, _ in bounds) <= 1


def test_a_part_with_rows_of_the_table_of_cycles_ends_in_a_gap_too(run_dir: Path) -> None:
    """A control: cycles of which no samples are kept can be looked at when a part is closed, and what comes of a drive as well."""
    for folder, with_rows in ((run_dir / "rows", True), (run_dir / "none", False)):
        folder.mkdir(parents=True)
        made = PartedRecording(folder, description(cycles=True, whole=True, samples="snapshots"), Rotation(PART, 0.0), 10.0)
        for name in STREAMS:
            made.stream(shape(name))
        for first in range(0, 10 * ROWS, BLOCK):  # a row a block: five in a part
            for name in STREAMS:
                made.gap(Gap(name, first, BLOCK, NOT_KEPT))
            if with_rows:
                rows = np.zeros(1, row_type(NAMES["measured"]))
                rows["first_sample"], rows["count"], rows["whole"] = first, BLOCK, 1
                made.cycles("measured", rows)
        made.close()
        assert len(list((folder / "parts").glob("*.h5"))) == (10 if with_rows else 1)


def test_killed_in_a_gap_over_whole_parts(run_dir: Path) -> None:
    """The journal of the part that the gap is in has it; a part that is damaged is made anew with all of it."""
    made = PartedRecording(run_dir, description(samples="snapshots"), Rotation(PART, 0.0), 10.0)
    for name in STREAMS:
        made.stream(shape(name))
        made.append(name, 0, samples(name, 0, 400))
        for first in range(400, 3700, 550):
            made.gap(Gap(name, first, 550, NOT_KEPT))
        made.append(name, 3700, samples(name, 3700, BLOCK))
    made.keep()
    made.abandon()
    recover(run_dir)
    assert need_left(run_dir) == (400, 3700)
    (run_dir / part_file(2)).write_bytes(b"damaged")
    assert recover(run_dir).renewed == [part_file(2)]
    assert need_left(run_dir) == (400, 3700)


def need_left(folder: Path) -> tuple[int, int]:
    """(first, behind the last) sample that no stream has, one range in all of them; samples around it are those of their number."""
    run = read_run(folder)
    assert len(list((folder / "parts").glob("0000?.h5"))) == 2 and run.samples == 3700 + BLOCK
    found = set()
    for name in STREAMS:
        values = run.streams[name][NAMES[name][0]]
        missing = np.flatnonzero(np.isnan(values))
        np.testing.assert_array_equal(missing, np.arange(missing[0], missing[-1] + 1))
        there = np.isfinite(values)
        np.testing.assert_array_equal(values[there], samples(name, 0, run.samples)[there, 0])
        found.add((int(missing[0]), int(missing[-1]) + 1))
    (only,) = found
    return only


def test_a_record_in_parts_is_looked_through_like_another(run_dir: Path) -> None:
    recorded(run_dir, 12)
    need_readable(run_dir / "run.h5")
    (run_dir / part_file(2)).unlink()
    for reads in (need_readable, read_run):
        with pytest.raises(ConfigError, match=r"00002\.h5.* is missing"):
            reads(run_dir / "run.h5")


def test_a_record_that_has_its_samples_elsewhere_is_refused(run_dir: Path) -> None:
    recorded(run_dir, 12)
    (run_dir / part_file(2)).rename(run_dir / "other.h5")
    with h5py.File(run_dir / "run.h5", "r+") as file:
        del file["entry/measured/stroke"]
        layout = h5py.VirtualLayout((12 * BLOCK,), "<f8")
        layout[:ROWS] = h5py.VirtualSource("other.h5", "entry/measured/stroke", (ROWS,), "<f8")
        file.create_virtual_dataset("entry/measured/stroke", layout)
        file["entry"].attrs["parts"] = 1
    with pytest.raises(ConfigError, match="in other files"):
        need_readable(run_dir / "run.h5")


@pytest.mark.parametrize("seed", range(times(1, thorough=8)))
def test_killed_anywhere(run_dir: Path, seed: int) -> None:
    done = subprocess.run(
        [sys.executable, parts_rig.__file__, str(run_dir), str(seed)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == -9
    promised = int((run_dir / "promised").read_text())
    assert (before := read_run(run_dir)).complete or not before.streams, "a control: the whole is made at the end"
    recovered = recover(run_dir)
    run = read_run(run_dir)
    assert run.complete
    for late, name in enumerate(STREAMS):
        end = BLOCK * (promised - max(0, late - 1))
        assert recovered.ends[name] >= end
        got = np.column_stack(list(run.streams[name].values()))[: recovered.ends[name]]
        np.testing.assert_array_equal(got, samples(name, 0, recovered.ends[name]))
    texts = [event.text for event in run.events if event.kind == "mark"]
    assert texts == [f"block {number}" for number in range(3, promised, 7)]
    need_readable(run_dir / "run.h5")


def test_a_part_that_is_damaged_comes_from_its_journal_and_the_others_stay(run_dir: Path) -> None:
    recorded(run_dir, 40)
    kept = (run_dir / part_file(3)).stat()
    (run_dir / part_file(2)).write_bytes((run_dir / part_file(2)).read_bytes()[:4000])
    recovered = recover(run_dir)
    assert recovered.renewed == [part_file(2)]
    assert (run_dir / part_file(3)).stat().st_mtime_ns == kept.st_mtime_ns
    assert (run_dir / "parts" / "00002.damaged.h5").exists()
    need_ramps(read_run(run_dir), 40)


def test_one_whose_journal_is_gone_too_is_a_gap(run_dir: Path) -> None:
    recorded(run_dir, 40)
    for name in (part_file(2), "parts/00002.bin"):
        (run_dir / name).unlink()
    recover(run_dir)
    run = read_run(run_dir)
    missing = np.flatnonzero(np.isnan(run.streams["measured"]["stroke"]))
    np.testing.assert_array_equal(missing, np.arange(ROWS, 2 * ROWS))


def test_streams_with_rows_of_their_own_go_through_the_parts(run_dir: Path) -> None:
    from rig.recorder.description import StreamShape

    made = begun(run_dir)
    made.stream(StreamShape("axes", ("sample", "angle"), ("1", "rad"), 100.0))
    rows = np.arange(60.0)
    for number in range(30):
        step(made, number)
        made.append("axes", 2 * number, np.column_stack((rows, rows + 0.5))[2 * number : 2 * number + 2])
    made.close()
    axes = read_run(run_dir).apart("axes")
    np.testing.assert_array_equal(axes["sample"], rows)
    np.testing.assert_array_equal(axes["angle"], rows + 0.5)
    (run_dir / part_file(3)).write_bytes(b"damaged")
    recover(run_dir)
    np.testing.assert_array_equal(read_run(run_dir).apart("axes")["angle"], rows + 0.5)


def test_recording_is_let_go_of_after_a_failure(run_dir: Path) -> None:
    made: PartedRecording = begun(run_dir)
    step(made, 0)
    made.abandon()
    recover(run_dir)
    assert read_run(run_dir).samples == BLOCK


def test_nothing_asked_of_a_record_over_many_parts_is_nothing(run_dir: Path) -> None:
    """HDF5 looks for the parts of a dataset over more than 50 of them in a tree, and raises there where nothing is asked."""
    made = begun(run_dir, Rotation(2 * BLOCK / RATE, 0.0))
    for number in range(120):
        step(made, number)
    made.close()
    run = read_run(run_dir)
    assert run.attributes["parts"] > 50
    column = run.column("measured", NAMES["measured"][0])
    assert len(column[5:10]) == 5, "what was read last is kept: it must not be what is asked for now"
    assert column[0:0].tolist() == column[7:7].tolist() == [] and not len(run.channel("measured", NAMES["measured"][0], 3, 0))
