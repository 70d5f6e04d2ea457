"""A record in parts: over hundreds of rotations no sample is lost, none is there twice, whatever came late, whenever it was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.errors import ConfigError
from rig.recorder.description import NOT_PUBLISHED, Gap
from rig.recorder.examination import need_readable
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.parts import part_file
from rig.recorder.reading import RunData, read_run
from rig.recorder.recovery import recover
from rig.recorder.rotation import Rotation
from tests.thorough import times
from tests.unit.rig.recorder import parts_rig
from tests.unit.rig.recorder.parts_rig import PART, STREAMS, begun, step
from tests.unit.rig.recorder.recorder_rig import BLOCK, NAMES, RATE, samples

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
    rotations = times(40, thorough=200)
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


def test_a_gap_over_whole_parts(run_dir: Path) -> None:
    made = begun(run_dir)
    for name in STREAMS:
        made.append(name, 0, samples(name, 0, 400))
        made.gap(Gap(name, 400, 1800, "lost"))
        made.append(name, 2200, samples(name, 2200, 400))
    made.close()
    run = read_run(run_dir)
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(run.streams["measured"]["stroke"])), np.arange(400, 2200))
    need_readable(run_dir / "run.h5")


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


@pytest.mark.parametrize("seed", range(times(2, thorough=8)))
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
